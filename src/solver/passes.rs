//! How far the stock can be turned, and which of its positions need not be told apart.

use crate::game::{StockPosition, Table};
use crate::rules::{
    BasePlay, DealSpec, Draw, Filler, FoundationSpec, ReserveSpec, Rules, RulesOfPlay, SpacesSpec, StockSpec,
    TableauSpec,
};

/// These bits of a key tell how far the stock is turned, where a position of which the stock is turned less stands for it: see
/// [`Passes::turned`].
pub(super) const PLACES: u64 = (1 << 10) - 1;

/// Packets that five bits tell, none being told apart from no place at all.
const MOST_PACKETS: u8 = 31;

/// The bits of a place told in order: cards in the waste, redeals made, and what is left over of a packet.
const WASTE: u64 = (1 << 6) - 1;
const REDEALS: u64 = 3 << 6;
/// Sentinel remainder: the stock is exhausted.
const END: u64 = 3;

/// What of the passes through the stock matters in one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    /// Redeals made as the search began.
    redeals: u32,
    /// Redeals are limited.
    pub limited: bool,
    /// From this pass on all passes have the same packets.
    constant_from: u32,
    /// Redeals are limited, and places are told in the order in which turning comes to them: see [`Passes::turned`].
    pub in_order: bool,
}

impl Passes {
    /// The passes that follow a position.
    pub fn new(table: &Table, rules: &Rules) -> Passes {
        // On which of these rules it depends what turning the stock leads to.
        let RulesOfPlay {
            deal: DealSpec { packs: _, order: _ },
            reserve: ReserveSpec { piles: _, size: _, face: _ },
            tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit: _, max_height: _ },
            spaces: SpacesSpec { auto, while_reserve: _, after_reserve: _, rank: _ },
            foundation: FoundationSpec { base: _, start: _, returns: _, base_play },
            // A solver refuses rules that shuffle.
            stock: StockSpec { draw, redeals, on_redeal: _, waste: _, opening_draw: _ },
        } = rules.spec().rules_of_play();
        let (constant_from, packets) = match draw {
            Draw::ByPass(sizes) => {
                let last = sizes.last().copied();
                let constant = sizes.iter().rev().take_while(|&&size| Some(size) == last).count();
                (sizes.len() - constant + 1, sizes.iter().all(|size| (1..=3).contains(size)))
            }
            Draw::Die { .. } => (1, (1..=3).contains(&table.stock_position().packet)),
        };
        let few = redeals.is_some_and(|most| most.saturating_sub(table.redeals()) <= 3);
        // What a draw fills a space with, it does not leave where it was.
        let turns_alone = auto.iter().all(|filler| *filler == Filler::Reserve);
        let alike = table.redeals() + 1 >= constant_from as u32;
        let forced = *base_play != BasePlay::Optional;
        let in_order = few
            && packets
            && (alike || turns_alone)
            && u64::from(table.stock_position().both) <= WASTE
            && !forced;
        Passes {
            redeals: table.redeals(),
            limited: redeals.is_some(),
            constant_from: constant_from as u32,
            in_order,
        }
    }

    /// After so many redeals, this pass and all to come have the same packets.
    #[inline(always)]
    pub fn constant(&self, redeals: u32) -> bool {
        redeals + 1 >= self.constant_from
    }

    /// The pass shows the same cards from here on as from its beginning.
    #[inline(always)]
    fn aligned(place: &StockPosition) -> bool {
        place.waste == place.both || place.packet > 0 && place.waste.is_multiple_of(place.packet)
    }

    /// What tells a place of the stock from others: such that other places stand for it, or how many cards are in the
    /// waste.
    ///
    /// Where redeals are not limited and all passes to come are alike, whatever can be reached
    /// from a place can be reached from each place that turning leads from to it. Turning leads to the places of
    /// whole packets, as a pass shows them from its beginning, and to the end of the stock from anywhere; to others
    /// from those before them, whole packets apart. So the latter are told by how many packets are turned, and by
    /// what is left over: one card (five bits) or two (the next five). Of larger packets more would be left over, and
    /// of a larger stock (which several packs may have) more packets turned than five bits tell: there each place is
    /// one of its own.
    ///
    /// A base card on top of the waste must go up at once, which stops the turning. `stops` has a bit for each number of cards in
    /// the waste at which one is shown. Where turning would come to one of those, each place is one of its own. If a base card
    /// lies in the tableau, all bits are set: it goes up next, and where it leaves a space the stock may fill that.
    ///
    /// Where redeals are limited, the same holds of what turning leads to without going round. That is, in the same
    /// pass, the places whole packets further on; in a later pass, places of whole packets; and the end of the stock in
    /// both. So a place is told by the cards in the waste (six bits), the redeals made (two) and what is left over of a
    /// packet (two), and stands for those that [`comes_before`] says. A space that is filled from stock or waste as soon
    /// as there is a card keeps the stock from being turned; then the places differ by redeals alone, and what fewer
    /// redeals were made in stands for the other if passes are alike.
    #[inline(always)]
    pub fn turned(&self, place: &StockPosition, stops: u64) -> (u64, u64) {
        if self.in_order {
            let redeals = (place.redeals - self.redeals) as u8;
            return (self.turned_in_order(place.waste, place.both, place.packet, redeals), 0);
        }
        let free = !self.limited && self.constant(place.redeals) && !stopped(place, stops);
        if free && Passes::aligned(place) {
            (0, 0)
        } else if free && (1..=3).contains(&place.packet) && place.both / place.packet < MOST_PACKETS {
            (turned(place.waste, place.packet), 0)
        } else {
            (0, place.waste.into())
        }
    }

    /// The same where places are told in order, the redeals being those made since the search began.
    #[inline(always)]
    pub fn turned_in_order(&self, waste: u8, both: u8, packet: u8, redeals: u8) -> u64 {
        let left_over = if waste == both { END } else { u64::from(waste % packet) };
        u64::from(waste) | u64::from(redeals) << 6 | left_over << 8
    }

    /// What tells the redeals made at this place from others.
    #[inline(always)]
    pub fn redeals(&self, place: &StockPosition) -> u32 {
        if self.in_order {
            return 0;
        }
        match (self.limited, self.constant(place.redeals)) {
            (true, _) => place.redeals - self.redeals,
            (false, true) => self.constant_from,
            (false, false) => place.redeals,
        }
    }

    /// The places that draws and redeals lead to, as far as they show anything else than places before them.
    #[inline(always)]
    pub fn places<'a>(&'a self, here: StockPosition, rules: &'a Rules) -> Places<'a> {
        Places { passes: self, rules, here, place: here, whole: here.waste == 0, redealt: false }
    }
}

/// Whether turning leads from one place to another, both told in order and of as many cards.
#[inline]
pub(super) fn comes_before(held: u64, asked: u64) -> bool {
    let [held, asked] = [held, asked].map(|word| word & PLACES);
    let left_over = |place: u64| place >> 8;
    let one_pass = (held ^ asked) & REDEALS == 0;
    held & (REDEALS | WASTE) <= asked & (REDEALS | WASTE)
        && (left_over(asked) == END || left_over(asked) == if one_pass { left_over(held) } else { 0 })
}

/// Whether turning on from a place, or to it in the pass before, comes to one of these places.
#[inline(always)]
fn stopped(place: &StockPosition, mut stops: u64) -> bool {
    while stops != 0 {
        let waste = stops.trailing_zeros() as u8;
        stops &= stops - 1;
        let left_over = waste.checked_rem(place.packet).unwrap_or(0);
        if waste == place.both || left_over == 0 || left_over == place.waste % place.packet {
            return true;
        }
    }
    false
}

/// A place of the stock between packets of at most three cards, as [`Passes::turned`] tells it.
#[inline(always)]
pub(super) fn turned(waste: u8, packet: u8) -> u64 {
    debug_assert!(waste / packet < MOST_PACKETS, "five bits");
    (u64::from(waste / packet) + 1) << (5 * (waste % packet - 1))
}

/// Places of the stock, one after the other.
pub(super) struct Places<'a> {
    passes: &'a Passes,
    rules: &'a Rules,
    here: StockPosition,
    place: StockPosition,
    /// The pass was gone through from its beginning, the beginning being where nothing is turned.
    whole: bool,
    redealt: bool,
}

impl Iterator for Places<'_> {
    type Item = StockPosition;

    #[inline(always)]
    fn next(&mut self) -> Option<StockPosition> {
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
        let again = self.redealt && self.passes.constant(here.redeals) && seen_before;
        (!again).then_some(*place)
    }
}

/// Whether what a player puts in a space from there depends on how far the stock is turned. Plays from the waste do
/// too, but those are looked at wherever the stock is turned to.
pub(super) fn depends_on_the_stock(filler: Filler) -> bool {
    match filler {
        Filler::Stock => true,
        Filler::Reserve | Filler::Waste | Filler::Tableau | Filler::Foundation => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::transposition_table::{LastBits, stands_for};
    use super::*;
    use crate::cards::Deck;
    use crate::game::NoChance;
    use crate::rules::load;

    /// A place stands for those that turning leads to from it, and for no other, however large the stock is.
    #[test]
    fn a_place_stands_for_what_turning_leads_to() {
        let mut stood_for = 0;
        for packet in 1..=4 {
            let mut spec = load("quadruple-canfield").unwrap().rules.spec().clone();
            spec.stock.draw = Draw::ByPass(vec![packet]);
            let rules = Rules::new(spec).unwrap();
            let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
            let table = Table::deal(&rules, deck.cards(), &mut NoChance);
            let passes = Passes::new(&table, &rules);
            for both in 0..=208 {
                let place = |waste| StockPosition { turns: 0, waste, both, packet, redeals: 0 };
                for from in 0..=both {
                    let mut leads_to = vec![false; both as usize + 1];
                    let mut turned = place(from);
                    while !std::mem::replace(&mut leads_to[turned.waste as usize], true) || turned.redeals < 2
                    {
                        if !turned.turn(&rules) {
                            break;
                        }
                    }
                    for to in 0..=both {
                        let [held, asked] = [from, to].map(|waste| passes.turned(&place(waste), 0));
                        let known = held.1 == asked.1 && stands_for(held.0, asked.0, LastBits::Turned);
                        let apart = held.1 != 0 || asked.1 != 0;
                        assert!(!known || leads_to[to as usize], "{packet} {both}: {from} for {to}");
                        assert!(known || apart || !leads_to[to as usize], "{packet} {both}: {from} for {to}");
                        stood_for += usize::from(known);
                    }
                }
            }
        }
        assert!(stood_for > 1_000_000, "{stood_for}");
    }

    /// The same where a base card on top of the waste stops the turning.
    #[test]
    fn a_place_stands_for_no_other_behind_a_stop() {
        let (mut stood_for, mut stopped) = (0, 0);
        for packet in 1..=4 {
            let mut spec = load("exorcism").unwrap().rules.spec().clone();
            spec.stock.draw = Draw::ByPass(vec![packet]);
            let rules = Rules::new(spec).unwrap();
            let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
            let passes = Passes::new(&Table::deal(&rules, deck.cards(), &mut NoChance), &rules);
            for both in 1..=34 {
                let place = |waste| StockPosition { turns: 0, waste, both, packet, redeals: 0 };
                for (stop, from) in (1..=both).flat_map(|stop| (0..=both).map(move |from| (stop, from))) {
                    let mut leads_to = vec![false; both as usize + 1];
                    let mut turned = place(from);
                    while !std::mem::replace(&mut leads_to[turned.waste as usize], true) || turned.redeals < 2
                    {
                        if turned.waste == stop || !turned.turn(&rules) {
                            break;
                        }
                    }
                    for to in 0..=both {
                        let [held, asked] = [from, to].map(|waste| passes.turned(&place(waste), 1 << stop));
                        let known = held.1 == asked.1 && stands_for(held.0, asked.0, LastBits::Turned);
                        assert!(!known || leads_to[to as usize], "{packet} {both} {stop}: {from} for {to}");
                        stood_for += usize::from(known && from != to);
                        stopped += usize::from(
                            !known && passes.turned(&place(from), 0) == passes.turned(&place(to), 0),
                        );
                    }
                }
            }
        }
        assert!(stood_for > 1_000 && stopped > 1_000, "{stood_for} {stopped}");
    }

    /// The same where redeals are limited, whatever the packets of the passes are.
    #[test]
    fn a_place_of_few_passes_stands_for_what_turning_leads_to() {
        let mut stood_for = 0;
        for sizes in [&[1][..], &[2], &[3], &[3, 2, 1], &[1, 3], &[2, 2, 3, 1]] {
            for (made, redeals) in [(0, 0), (0, 1), (0, 3), (2, 4)] {
                let mut spec = load("canfield").unwrap().rules.spec().clone();
                spec.stock.draw = Draw::ByPass(sizes.to_vec());
                spec.stock.redeals = Some(redeals);
                let rules = Rules::new(spec).unwrap();
                let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
                let mut table = Table::deal(&rules, deck.cards(), &mut NoChance);
                while table.redeals() < made {
                    let turned = table.stock_position();
                    table.apply(&rules, turned.turning(&rules).unwrap(), &mut NoChance);
                }
                let passes = Passes::new(&table, &rules);
                assert!(passes.in_order);
                for both in 1..=34 {
                    let places: Vec<StockPosition> = (made..=redeals)
                        .flat_map(|redeals| (0..=both).map(move |waste| (redeals, waste)))
                        .map(|(redeals, waste)| {
                            let packet = rules.packet(redeals + 1);
                            StockPosition { turns: 0, waste, both, packet, redeals }
                        })
                        .collect();
                    for from in &places {
                        let mut leads_to = vec![(from.redeals, from.waste)];
                        let mut turned = *from;
                        while turned.turn(&rules) {
                            leads_to.push((turned.redeals, turned.waste));
                        }
                        for to in &places {
                            let [held, asked] = [from, to].map(|place| passes.turned(place, 0).0);
                            let known = stands_for(held, asked, LastBits::InOrder);
                            let leads = leads_to.contains(&(to.redeals, to.waste));
                            assert_eq!(known, leads, "{sizes:?}: {from:?} for {to:?}");
                            stood_for += usize::from(known);
                        }
                    }
                }
            }
        }
        assert!(stood_for > 100_000, "{stood_for}");
    }
}
