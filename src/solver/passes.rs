//! How far the stock can be turned, and which places of it are one.

use crate::game::{Table, Turned};
use crate::rules::{Draw, Rules};

/// What of the passes through the stock matters in one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    /// Redeals made as the search began.
    redeals: u32,
    /// Redeals are limited.
    pub limited: bool,
    /// From this pass on all passes have the same packets.
    constant_from: u32,
    /// A base card must go up at once, so that what is shown on the way matters.
    forced: bool,
}

impl Passes {
    /// The passes that follow a position.
    pub fn new(table: &Table, rules: &Rules) -> Passes {
        let constant_from = match &rules.spec().stock.draw {
            Draw::ByPass(sizes) => {
                let last = sizes.last().copied();
                sizes.len() - sizes.iter().rev().take_while(|&&size| Some(size) == last).count() + 1
            }
            Draw::Die { .. } => 1,
        };
        Passes {
            redeals: table.redeals(),
            limited: rules.spec().stock.redeals.is_some(),
            constant_from: constant_from as u32,
            forced: rules.hot.forced_base,
        }
    }

    /// After so many redeals, this pass and all to come have the same packets.
    #[inline(always)]
    pub fn constant(&self, redeals: u32) -> bool {
        redeals + 1 >= self.constant_from
    }

    /// The pass shows the same cards from here on as from its beginning.
    #[inline(always)]
    fn aligned(place: &Turned) -> bool {
        place.waste == place.both || place.packet > 0 && place.waste.is_multiple_of(place.packet)
    }

    /// How many cards of the waste tell this place from others.
    ///
    /// Where redeals are not limited, all passes to come are alike and nothing is forced, a draw can be taken
    /// back: the places from which the pass shows what it shows from its beginning can be reached from each
    /// other by turning alone, so that whatever can be reached from one can be reached from all.
    #[inline(always)]
    pub fn waste(&self, place: &Turned) -> u64 {
        let one = !self.limited && !self.forced && self.constant(place.redeals) && Passes::aligned(place);
        if one { 0 } else { place.waste.into() }
    }

    /// What tells the redeals made at this place from others.
    #[inline(always)]
    pub fn redeals(&self, place: &Turned) -> u32 {
        match (self.limited, self.constant(place.redeals)) {
            (true, _) => place.redeals - self.redeals,
            (false, true) => self.constant_from,
            (false, false) => place.redeals,
        }
    }

    /// The places that draws and redeals lead to, as far as they show anything else than places before them.
    #[inline(always)]
    pub fn places<'a>(&'a self, here: Turned, rules: &'a Rules) -> Places<'a> {
        Places { passes: self, rules, here, place: here, whole: here.waste == 0, redealt: false }
    }
}

/// Places of the stock, one after the other.
pub(super) struct Places<'a> {
    passes: &'a Passes,
    rules: &'a Rules,
    here: Turned,
    place: Turned,
    /// The pass was gone through from its beginning, the beginning being where nothing is turned.
    whole: bool,
    redealt: bool,
}

impl Iterator for Places<'_> {
    type Item = Turned;

    #[inline(always)]
    fn next(&mut self) -> Option<Turned> {
        let (here, place) = (&self.here, &mut self.place);
        if place.waste == place.both {
            // Another pass shows the same again, and leaves fewer redeals if they are limited: what can be
            // reached with fewer can be reached with more.
            if self.whole && self.passes.constant(place.redeals) {
                return None;
            }
            self.whole = true;
            self.redealt = true;
        }
        if !place.turn(self.rules) {
            return None;
        }
        let seen_before =
            place.waste == here.waste && Passes::aligned(here) || place.waste == place.both && here.waste > 0;
        let again = self.redealt && self.passes.constant(here.redeals) && seen_before && !self.passes.forced;
        (!again).then_some(*place)
    }
}
