//! Generates the plays of a position, each after some number of draws and redeals.

use crate::game::{Move, MoveList, Place, StockPosition, Table};
use crate::rules::{
    BasePlay, DealSpec, Filler, FoundationSpec, MoveRules, ReserveSpec, Rules, SpacesSpec, StockSpec,
    TableauSpec,
};

use super::key::Keys;
use super::pruner::Pruner;
use super::stock_cycle::depends_on_the_stock;
use super::successor::Successor;

/// The engine's rules as used by the search, with its buffers.
pub(super) struct Engine<'r> {
    pub rules: &'r Rules,
    /// Whether spaces are filled from waste or stock at once: the effect of emptying a pile then depends on how far the
    /// stock is turned.
    fills_from_stock: bool,
    /// Whether the reserve fills them first.
    reserve_first: bool,
    /// Whether base cards must go up at once.
    forced: bool,
    /// Whether all plays, not only those of the waste, must be listed again after turning the stock.
    asks_all: bool,
    here: MoveList,
    there: MoveList,
}

impl<'r> Engine<'r> {
    pub fn new(rules: &'r Rules) -> Engine<'r> {
        // Decides whether a play can be made before the stock is turned without changing its effect; it depends on
        // these rules.
        let MoveRules {
            deal: DealSpec { packs: _, order: _ },
            reserve: ReserveSpec { piles: _, size: _, face: _ },
            tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit: _, max_height: _ },
            spaces: SpacesSpec { auto, while_reserve, after_reserve, rank: _ },
            foundation: FoundationSpec { base: _, start: _, returns: _, base_play },
            stock: StockSpec { draw: _, redeals: _, on_redeal: _, waste: _, opening_draw: _ },
        } = rules.spec().move_rules();
        let fills_from_stock = auto.iter().any(|filler| *filler != Filler::Reserve);
        let unseen = while_reserve.iter().chain(after_reserve).any(|&filler| depends_on_the_stock(filler));
        let forced = *base_play != BasePlay::Optional;
        let asks_all = fills_from_stock || unseen || forced;
        let reserve_first = auto.first() == Some(&Filler::Reserve);
        let (here, there) = (MoveList::new(), MoveList::new());
        Engine { rules, fills_from_stock, reserve_first, forced, asks_all, here, there }
    }

    /// Adds all plays worth searching in a position to `out`, with their ranks.
    ///
    /// Draws and redeals are not positions of the search: the next play is made from some position of the stock. A play
    /// that neither takes a card of waste or stock nor fills a space from there can be made before the stock is turned:
    /// both orders lead to the same position.
    pub fn expand(&mut self, table: &Table, keys: &Keys, pruner: &Pruner, out: &mut Vec<Successor>) {
        let first = out.len();
        let place = table.stock_position();
        table.legal_moves(self.rules, &mut self.here);
        let plays = self.here.plays();
        if let Some(m) = pruner.must(table, &self.here[..plays], self.rules) {
            out.push(Successor { m, place, rank: 0, card: table.lowest_moved(m) });
            return;
        }
        for &m in &self.here[..plays] {
            if !pruner.leaves_out(table, m, self.rules) {
                out.push(Successor { m, place, rank: rank(table, m), card: table.lowest_moved(m) });
            }
        }
        if plays < self.here.len() {
            self.turn(table, place, keys, pruner, first, out);
        }
    }

    /// Adds the plays with cards of waste and stock, from all positions that turning leads to.
    fn turn(
        &mut self,
        table: &Table,
        here: StockPosition,
        keys: &Keys,
        pruner: &Pruner,
        first: usize,
        out: &mut Vec<Successor>,
    ) {
        let rules = self.rules;
        for place in keys.passes.places(here, rules) {
            if self.asks_all {
                // Under such rules no card of the waste is safe to go up at once.
                if self.turned_so(table, place, pruner, out) {
                    return;
                }
                continue;
            }
            let card = table.turned_top(place.waste);
            if !table.adds(card, &self.here) {
                continue;
            }
            table.list_from_waste(card, rules, &mut self.there);
            for &m in self.there.iter() {
                if m.to_foundation() && pruner.must_from_waste(table, card, rules) {
                    out.truncate(first);
                    out.push(Successor { m, place, rank: 0, card });
                    return;
                }
                if !pruner.leaves_out(table, m, rules) {
                    out.push(Successor { m, place, rank: rank(table, m), card });
                }
            }
        }
    }

    /// Adds the plays from one position of the stock, under rules where more than the visible card matters. Returns
    /// true if nothing behind it needs to be searched.
    fn turned_so(
        &mut self,
        table: &Table,
        place: StockPosition,
        pruner: &Pruner,
        out: &mut Vec<Successor>,
    ) -> bool {
        let rules = self.rules;
        let mut turned = *table;
        turned.turn_to(&place);
        turned.legal_moves(rules, &mut self.there);
        let plays = self.there.plays();
        for &m in &self.there[..plays] {
            if self.asks_the_stock(&turned, m) && !pruner.leaves_out(&turned, m, rules) {
                out.push(Successor { m, place, rank: rank(&turned, m), card: turned.lowest_moved(m) });
            }
        }
        // The end of the stock, or a base card that must go up.
        plays == self.there.len() && (plays > 0 || place.turning(rules).is_none())
    }

    /// Returns whether a play depends on how far the stock is turned. A base card that it uncovers, or that fills a
    /// space, goes up before the stock is turned again, and may empty a pile.
    fn asks_the_stock(&self, table: &Table, m: Move) -> bool {
        match m.source() {
            Place::Waste | Place::Stock => true,
            Place::Pile(p) if self.fills_from_stock => {
                if m.count() == table.pile_len(p) {
                    !self.reserve_fills(table)
                } else {
                    self.forced && table.must_go_up(table.under(table.lowest_moved(m)))
                }
            }
            // A base card that returns goes up again, and may have been in a space.
            Place::Foundation(_) => self.fills_from_stock && self.forced,
            Place::Pile(_) | Place::Reserve(_) => false,
            Place::Offered(_) | Place::Foundations => false,
        }
    }

    /// Returns whether the reserve fills the next space with a card that stays there.
    fn reserve_fills(&self, table: &Table) -> bool {
        let stays = |card| !(self.forced && table.must_go_up(card));
        self.reserve_first && (0..self.rules.hot.reserves).any(|r| table.reserve(r).any(stays))
    }
}

/// Returns the rank of a play: the most promising plays are tried first.
fn rank(table: &Table, m: Move) -> u16 {
    match (m.source(), m.target()) {
        (_, Place::Foundations) => 1,
        (Place::Reserve(_), _) => 2,
        (Place::Pile(p), _) if m.count() == table.pile_len(p) => 3,
        (Place::Pile(p), _) if m.count() == table.run_len(p) => 4,
        (Place::Waste, Place::Pile(q)) if table.pile_len(q) > 0 => 5,
        (Place::Foundation(_), _) => 8,
        (Place::Pile(_), _) => 6,
        _ => 7,
    }
}
