//! Positions of the stock: how far it can be turned, and which positions are equivalent.

use crate::game::{StockPosition, Table};
use crate::rules::{
    BasePlay, DealSpec, Draw, Filler, FoundationSpec, MoveRules, ReserveSpec, Rules, SpacesSpec, StockSpec,
    TableauSpec,
};

/// The bits of a key for how far the stock is turned, if a position with less turned represents it: see
/// [`StockCycle::turned`].
pub(super) const PLACES: u64 = (1 << 10) - 1;

/// Largest number of packets that five bits can hold, with one value for none at all.
const MOST_PACKETS: u8 = 31;

/// The bits of the ordered encoding: cards in the waste, redeals made, and the remainder of a packet.
const WASTE: u64 = (1 << 6) - 1;
const REDEALS: u64 = 3 << 6;
/// Sentinel remainder: the stock is exhausted.
const END: u64 = 3;

/// The properties of the passes through the stock that matter in one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct StockCycle {
    /// Redeals made at the start of the search.
    redeals: u32,
    /// Whether redeals are limited.
    pub limited: bool,
    /// The pass from which on all passes have the same packets.
    constant_from: u32,
    /// Whether redeals are limited and stock positions are encoded in the order of turning: see [`StockCycle::turned`].
    pub in_order: bool,
}

impl StockCycle {
    /// Returns the passes that follow a position.
    pub fn new(table: &Table, rules: &Rules) -> StockCycle {
        // Decides what turning the stock leads to; it depends on these rules.
        let MoveRules {
            deal: DealSpec { packs: _, order: _ },
            reserve: ReserveSpec { piles: _, size: _, face: _ },
            tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit: _, max_height: _ },
            spaces: SpacesSpec { auto, while_reserve: _, after_reserve: _, rank: _ },
            foundation: FoundationSpec { base: _, start: _, returns: _, base_play },
            // A solver rejects rules that shuffle.
            stock: StockSpec { draw, redeals, on_redeal: _, waste: _, opening_draw: _ },
        } = rules.spec().move_rules();
        let (constant_from, packets) = match draw {
            Draw::ByPass(sizes) => {
                let last = sizes.last().copied();
                let constant = sizes.iter().rev().take_while(|&&size| Some(size) == last).count();
                (sizes.len() - constant + 1, sizes.iter().all(|size| (1..=3).contains(size)))
            }
            Draw::Die { .. } => (1, (1..=3).contains(&table.stock_position().packet)),
        };
        let few = redeals.is_some_and(|most| most.saturating_sub(table.redeals()) <= 3);
        // A draw that fills a space takes the card from its place.
        let turns_alone = auto.iter().all(|filler| *filler == Filler::Reserve);
        let alike = table.redeals() + 1 >= constant_from as u32;
        let forced = *base_play != BasePlay::Optional;
        let in_order = few
            && packets
            && (alike || turns_alone)
            && u64::from(table.stock_position().both) <= WASTE
            && !forced;
        StockCycle {
            redeals: table.redeals(),
            limited: redeals.is_some(),
            constant_from: constant_from as u32,
            in_order,
        }
    }

    /// Returns whether this pass, after this many redeals, and all later ones have the same packets.
    #[inline(always)]
    pub fn constant(&self, redeals: u32) -> bool {
        redeals + 1 >= self.constant_from
    }

    /// Returns whether the pass shows the same cards from here on as from its beginning.
    #[inline(always)]
    fn aligned(place: &StockPosition) -> bool {
        place.waste == place.both || place.packet > 0 && place.waste.is_multiple_of(place.packet)
    }

    /// Returns an encoding of a stock position: either one by which other positions can be represented, or the number
    /// of cards in the waste.
    ///
    /// With unlimited redeals and all further passes alike, whatever can be reached from one stock position can be
    /// reached from each position that turns to it. Turning leads to the positions of whole packets, as a pass shows
    /// them from its beginning, and to the end of the stock from anywhere; other positions are reached only from those
    /// whole packets before them. So the latter are encoded by the number of packets turned and the remainder: one card
    /// (five bits) or two (the next five). Larger packets would have larger remainders, and a larger stock (as several
    /// packs may have) more packets than five bits can hold: then each position is distinct.
    ///
    /// A base card on top of the waste must go up at once, which stops the turning. `stops` has a bit for each number
    /// of cards in the waste at which one is shown. If turning would reach one of those, each position is distinct. If
    /// a base card lies in the tableau, all bits are set: it goes up next, and if it leaves a space, the stock may fill
    /// that.
    ///
    /// With limited redeals, the same holds for what turning reaches without going round: in the same pass, the
    /// positions whole packets further on; in a later pass, positions of whole packets; and the end of the stock in
    /// both. So a position is encoded by the cards in the waste (six bits), the redeals made (two) and the remainder of
    /// a packet (two), and represents those given by [`comes_before`]. A space that is filled from stock or waste as
    /// soon as there is a card prevents turning; then positions differ by redeals alone, and one with fewer redeals
    /// represents one with more if passes are alike.
    #[inline(always)]
    pub fn turned(&self, place: &StockPosition, stops: u64) -> (u64, u64) {
        if self.in_order {
            let redeals = (place.redeals - self.redeals) as u8;
            return (self.turned_in_order(place.waste, place.both, place.packet, redeals), 0);
        }
        let free = !self.limited && self.constant(place.redeals) && !stopped(place, stops);
        if free && StockCycle::aligned(place) {
            (0, 0)
        } else if free && (1..=3).contains(&place.packet) && place.both / place.packet < MOST_PACKETS {
            (turned(place.waste, place.packet), 0)
        } else {
            (0, place.waste.into())
        }
    }

    /// Returns the ordered encoding; `redeals` counts those since the start of the search.
    #[inline(always)]
    pub fn turned_in_order(&self, waste: u8, both: u8, packet: u8, redeals: u8) -> u64 {
        let left_over = if waste == both { END } else { u64::from(waste % packet) };
        u64::from(waste) | u64::from(redeals) << 6 | left_over << 8
    }

    /// Returns an encoding of the redeals made at this stock position.
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

    /// Iterates over the stock positions that draws and redeals lead to and that show anything new.
    #[inline(always)]
    pub fn places<'a>(&'a self, here: StockPosition, rules: &'a Rules) -> Places<'a> {
        Places { passes: self, rules, here, place: here, whole: here.waste == 0, redealt: false }
    }
}

/// Returns whether turning leads from one stock position to another, both in the ordered encoding and with the same
/// number of cards.
#[inline]
pub(super) fn comes_before(held: u64, asked: u64) -> bool {
    let [held, asked] = [held, asked].map(|word| word & PLACES);
    let left_over = |place: u64| place >> 8;
    let one_pass = (held ^ asked) & REDEALS == 0;
    held & (REDEALS | WASTE) <= asked & (REDEALS | WASTE)
        && (left_over(asked) == END || left_over(asked) == if one_pass { left_over(held) } else { 0 })
}

/// Returns whether turning on from a stock position, or to it in the pass before, reaches one of these stops.
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

/// Encodes a stock position between packets of at most three cards, as in [`StockCycle::turned`].
#[inline(always)]
pub(super) fn turned(waste: u8, packet: u8) -> u64 {
    debug_assert!(waste / packet < MOST_PACKETS, "five bits");
    (u64::from(waste / packet) + 1) << (5 * (waste % packet - 1))
}

/// Iterator over stock positions.
pub(super) struct Places<'a> {
    passes: &'a StockCycle,
    rules: &'a Rules,
    here: StockPosition,
    place: StockPosition,
    /// Whether the pass was completed from its beginning, where nothing is turned.
    whole: bool,
    redealt: bool,
}

impl Iterator for Places<'_> {
    type Item = StockPosition;

    #[inline(always)]
    fn next(&mut self) -> Option<StockPosition> {
        let (here, place) = (&self.here, &mut self.place);
        if place.waste == place.both {
            // Another pass shows the same again, and leaves fewer redeals if they are limited: what can be reached with
            // fewer can be reached with more.
            if self.whole && self.passes.constant(place.redeals) {
                return None;
            }
            self.whole = true;
            self.redealt = true;
        }
        if !place.turn(self.rules) {
            return None;
        }
        let seen_before = place.waste == here.waste && StockCycle::aligned(here)
            || place.waste == place.both && here.waste > 0;
        let again = self.redealt && self.passes.constant(here.redeals) && seen_before;
        (!again).then_some(*place)
    }
}

/// Returns whether filling a space by hand from this source depends on how far the stock is turned. Plays from the
/// waste do too, but those are listed at every position of the stock.
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
    use crate::game::NoChance;
    use crate::rules::load;

    /// Compares which positions of a stock of so many cards one stands for with those that turning leads to, where a
    /// card at `stop` of the waste stops the turning; returns how many others they stand for, and how many they would
    /// without the stop.
    fn stands_for_what_turning_leads_to(name: &str, sizes: &[u8], stops: bool) -> (usize, usize) {
        let (mut stood_for, mut without) = (0, 0);
        for packet in 1..=4 {
            let mut spec = load(name).unwrap().rules.spec().clone();
            spec.stock.draw = Draw::ByPass(vec![packet]);
            let rules = Rules::new(spec).unwrap();
            let passes = StockCycle::new(&Table::of_seed(&rules, 1, 0), &rules);
            for &both in sizes {
                let place = |waste| StockPosition { turns: 0, waste, both, packet, redeals: 0 };
                let all = if stops { 1..=both } else { 0..=0 };
                for (stop, from) in all.flat_map(|stop| (0..=both).map(move |from| (stop, from))) {
                    let mut leads_to = vec![false; both as usize + 1];
                    let mut turned = place(from);
                    while !std::mem::replace(&mut leads_to[turned.waste as usize], true) || turned.redeals < 2
                    {
                        if stops && turned.waste == stop || !turned.turn(&rules) {
                            break;
                        }
                    }
                    let stopped = if stops { 1 << stop } else { 0 };
                    for to in 0..=both {
                        let [held, asked] = [from, to].map(|waste| passes.turned(&place(waste), stopped));
                        let known = held.1 == asked.1 && stands_for(held.0, asked.0, LastBits::Turned);
                        let sure = !stops && held.1 == 0 && asked.1 == 0;
                        let leads = leads_to[to as usize];
                        assert!(
                            if known { leads } else { !sure || !leads },
                            "{packet} {both}: {from} for {to}"
                        );
                        stood_for += usize::from(known && (from != to || !stops));
                        let [held, asked] = [from, to].map(|waste| passes.turned(&place(waste), 0));
                        without += usize::from(!known && held == asked);
                    }
                }
            }
        }
        (stood_for, without)
    }

    /// A stock position represents those that turning leads to, and no others, however large the stock is, and also if a
    /// base card on top of the waste stops the turning.
    #[test]
    fn a_place_stands_for_what_turning_leads_to() {
        let sizes: Vec<u8> = (0..=208).collect();
        let (stood_for, _) = stands_for_what_turning_leads_to("quadruple-canfield", &sizes, false);
        assert!(stood_for > 1_000_000, "{stood_for}");
        let (stood_for, stopped) = stands_for_what_turning_leads_to("exorcism", &sizes[1..35], true);
        assert!(stood_for > 1_000 && stopped > 1_000, "{stood_for} {stopped}");
    }

    /// The same, with limited redeals and any packets of the passes.
    #[test]
    fn a_place_of_few_passes_stands_for_what_turning_leads_to() {
        let mut stood_for = 0;
        for sizes in [&[1][..], &[2], &[3], &[3, 2, 1], &[1, 3], &[2, 2, 3, 1]] {
            for (made, redeals) in [(0, 0), (0, 1), (0, 3), (2, 4)] {
                let mut spec = load("canfield").unwrap().rules.spec().clone();
                spec.stock.draw = Draw::ByPass(sizes.to_vec());
                spec.stock.redeals = Some(redeals);
                let rules = Rules::new(spec).unwrap();
                let mut table = Table::of_seed(&rules, 1, 0);
                while table.redeals() < made {
                    let turned = table.stock_position();
                    table.apply(&rules, turned.turning(&rules).unwrap(), &mut NoChance);
                }
                let passes = StockCycle::new(&table, &rules);
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
