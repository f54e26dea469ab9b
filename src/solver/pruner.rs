//! Plays that need not be searched, each with its proof.
//!
//! All of them hold for winning and for the most cards: what is left out, or what a forced play leaves out,
//! is matched step by step by a line that is searched, at whose every step at least the same cards are up.
//! Where the rules are not those of a proof, nothing is left out.

use crate::cards::Card;
use crate::game::{Move, Place, Table};
use crate::rules::{
    BasePlay, DealSpec, Direction, Draw, Filler, FoundationSpec, MoveUnit, ReserveFace, ReserveSpec, Returns,
    Rules, RulesOfPlay, SpacesSpec, StockSpec, TableauSpec, Wrap,
};

use super::passes::depends_on_the_stock;

/// What the rules allow to leave out.
#[derive(Clone, Copy)]
pub(super) struct Pruner {
    /// Safe cards go up at once.
    pub safe: bool,
    /// Those that lie on another card do.
    pub safe_on_cards: bool,
    /// Safe cards of the waste too, however far the stock is to be turned for them.
    pub safe_waste: bool,
    /// Safe cards of the waste where they are on top of it.
    pub safe_top: bool,
    /// Parts of runs move only to free a card that goes up.
    pub parts: bool,
    /// Ranks make a ring: parts of runs move freely until all base cards are up.
    pub in_a_ring: bool,
    /// They do not: what is not found then may be there all the same.
    pub hasty: bool,
    /// Of several spaces the first is taken.
    pub spaces: bool,
    /// Positions from which too few cards can come up, as [`RelaxedBound`](super::relaxed_bound::RelaxedBound) tells, are left.
    pub looks_ahead: bool,
}

impl Pruner {
    /// Leaves nothing out.
    pub const NOTHING: Pruner = Pruner {
        safe: false,
        safe_on_cards: false,
        safe_waste: false,
        safe_top: false,
        parts: false,
        in_a_ring: false,
        hasty: false,
        spaces: false,
        looks_ahead: false,
    };

    /// What the proofs allow under these rules.
    pub fn new(rules: &Rules) -> Pruner {
        let RulesOfPlay {
            deal: DealSpec { packs, order: _ },
            reserve: ReserveSpec { piles: reserves, size: _, face },
            tableau: TableauSpec { deal, face: _, build: _, direction, wrap, unit, max_height },
            spaces: SpacesSpec { auto, while_reserve, after_reserve, rank: _ },
            foundation: FoundationSpec { base: _, start: _, returns, base_play },
            stock: StockSpec { draw, redeals, on_redeal: _, waste: _, opening_draw: _ },
        } = rules.spec().rules_of_play();
        // A reserve that is gone opens spaces to at least what could be put there before.
        let opens =
            while_reserve.iter().all(|filler| *filler == Filler::Reserve || after_reserve.contains(filler));
        let from_reserve = auto.iter().all(|filler| *filler == Filler::Reserve);
        let unseen = while_reserve.iter().chain(after_reserve).any(|&filler| depends_on_the_stock(filler));
        // What is put in a space and taken up from it draws a card out of the reserve.
        let deals_spaces = *reserves > 0 && !auto.is_empty() && deal.contains(&0);
        let playable = match face {
            ReserveFace::Top | ReserveFace::All => true,
            ReserveFace::Last => false,
        };
        let one_by_one = matches!(draw, Draw::ByPass(sizes) if sizes.iter().all(|&size| size == 1));
        let any_order = redeals.is_none() && one_by_one;
        let plain = *packs == 1
            && *returns == Returns::Never
            && *base_play == BasePlay::Optional
            && *max_height == 0
            && (*reserves <= 1 || auto.is_empty())
            && playable
            && opens
            && from_reserve
            && !unseen
            && !deals_spaces;
        // What is taken up from a space leaves none that it did not fill.
        let alone = !while_reserve.iter().chain(after_reserve).any(|&filler| filler == Filler::Tableau);
        Pruner {
            safe: plain,
            safe_on_cards: *packs == 1 && *returns == Returns::Never && *max_height == 0 && alone,
            safe_waste: plain && any_order,
            safe_top: plain && one_by_one,
            parts: *unit == MoveUnit::Sequence
                && *direction != Direction::Same
                && *max_height == 0
                && *returns == Returns::Never,
            in_a_ring: *wrap == Wrap::Full,
            hasty: false,
            spaces: true,
            looks_ahead: true,
        }
    }

    /// Whether what is left out is not needed.
    pub fn is_sure(&self) -> bool {
        !(self.hasty && self.parts && self.in_a_ring)
    }

    /// A play that can be made at once whatever else might be: a safe card goes up.
    ///
    /// Let `c` be such a card, and take any line of play from here. It is matched by the line that puts `c` up
    /// first and then makes the same plays, but for these:
    ///
    /// - A card `x` that is put on `c` goes up instead, as do those put on it: that is what [`needless`] says. From
    ///   then on it is up. Where a run would be put on `c`, its cards go up from the top.
    /// - `c` alone is moved elsewhere, or goes up later: nothing is done.
    /// - `c` is moved as part of a run or as part of a whole pile: the rest of them moves.
    /// - `c` was alone in its pile, or would have come from the reserve to fill a space, so that the next card of
    ///   the reserve `r` fills a space that it did not fill before: where `r` is then taken from the reserve, it
    ///   is taken from that pile, which is filled again; where `r` fills another space, the next card of the
    ///   reserve fills that one, and the two piles change names. (The deal leaves no space, so that there is none
    ///   while a reserve that fills them has cards.) A space that is there before its time is left empty until
    ///   then: nothing fills it but the reserve or the player, whom a reserve that is gone leaves at least what he
    ///   had.
    ///
    /// Each play stays legal, as piles only lose cards from their tops on which nothing that is not up could be
    /// put. Of several reserves each is the same but for `c`, where none is chosen by its size to fill a space. A card
    /// of the waste is left alone where taking it shifts what packets of several show. Where cards are drawn one by
    /// one, the line is matched with `c` gone from waste or stock: what it shows is shown here too, but for `c`, and
    /// what lay under `c` sooner. Where passes do not end either, all of those cards are there to be taken at any
    /// time, and `c` can come from further on in the stock too.
    ///
    /// Where spaces are filled from waste or stock, or base cards must go up, only some of these cards go up at once: those
    /// that lie on another card of the tableau, where neither of the two is a base card that must go up. And no card of the
    /// tableau may be put in a space. Then the line is matched in the first two ways. As `c` always lies on another card,
    /// taking it away empties no pile. A card that is put on `c` empties its own pile when it leaves it, here too. So piles
    /// become empty at the same plays, and the same cards fill them. Base cards can be got at in both at the same time: of
    /// what is uncovered here and not there, the card under `c` is none, and any other one was a top card before, when it would
    /// have had to go up.
    pub fn must(&self, table: &Table, plays: &[Move], rules: &Rules) -> Option<Move> {
        if !(self.safe || self.safe_on_cards) {
            return None;
        }
        let from = |m: &Move| match m.source() {
            Place::Pile(p) => {
                let card = table.lowest_moved(*m);
                let base = table.must_go_up(card) || table.must_go_up(table.under(card));
                self.safe || table.pile_len(p) > 1 && !base
            }
            Place::Reserve(_) => self.safe,
            Place::Waste => self.safe_top,
            _ => false,
        };
        let safe = |m: &&Move| m.to_foundation() && from(m) && is_safe(table, table.lowest_moved(**m), rules);
        plays.iter().find(safe).copied()
    }

    /// Whether a card of the waste may be put up at once in the same way.
    pub fn must_from_waste(&self, table: &Table, card: Card, rules: &Rules) -> bool {
        self.safe && self.safe_waste && is_safe(table, card, rules)
    }

    /// Whether a play can be left out where others are searched.
    ///
    /// *Spaces*: piles have no order, so one space is as good as another.
    ///
    /// *Parts of runs*: the upper part of a run, from `x` on, goes from a card `d` to a card `q` on which fits
    /// just what fits on `d`. Take a line that does so. It is matched by one that does not, in which what the line
    /// has on `d` lies on `q` and the other way round: what the line puts on one of them, or takes from it, this
    /// one puts on or takes from the other, which takes the same cards. A run that the line moves with `d` or `q`
    /// in it moves here too, with what lies on that card here. Only where the line puts up `d` or `q` itself, on
    /// which then nothing lies, there may be something on it here, and nothing on the other one: it is moved over
    /// there first, and the two positions are alike. That move is not left out, as the card goes up at once.
    ///
    /// A run with `d` in it is never put on what lies on `q`, nor the other way round: `d` and `q` are of one rank, what lies on
    /// them is all lower (or higher), and what a run could be put on is all higher (or lower). In a ring of ranks that is so
    /// once all base cards are up: they do not come back, and the ring is cut.
    pub fn leaves_out(&self, table: &Table, m: Move, rules: &Rules) -> bool {
        let Place::Pile(q) = m.target() else { return false };
        if table.pile_len(q) == 0 {
            return self.spaces && (0..q).any(|space| table.pile_len(space) == 0);
        }
        let Some(base) = table.base() else { return false };
        let fits = rules.fits(base);
        let Place::Pile(p) = m.source() else { return false };
        if !self.parts || m.count() >= table.run_len(p) {
            return false;
        }
        let freed = table.under(table.lowest_moved(m));
        freed.bit() & table.wanted() == 0
            && fits[freed.kind()] == fits[table.top_of_pile(q).kind()]
            && (self.hasty || !(self.in_a_ring && table.wants_bases()))
    }
}

/// Whether nothing will ever be needed to be put on a card, so that it may go up.
fn is_safe(table: &Table, card: Card, rules: &Rules) -> bool {
    table.base().is_some_and(|base| {
        let is_up = |kind: usize| {
            let card = Card::of_pack(0, kind);
            card.rank().steps_above(base) < table.height(card.suit().index())
        };
        needless(rules.fits(base), card.kind(), table.wanted(), &is_up, 3)
    })
}

/// Each card that fits on a card of this kind is up, or is the next to go up in its suit and the same holds of
/// the cards that fit on it, down to so many cards.
#[inline(always)]
pub(super) fn needless(
    fits: &[u64; 64],
    kind: usize,
    wanted: u64,
    is_up: &impl Fn(usize) -> bool,
    depth: u32,
) -> bool {
    let mut kinds = fits[kind & 63];
    while kinds != 0 {
        let x = kinds.trailing_zeros() as usize;
        kinds &= kinds - 1;
        let goes_up =
            || wanted & 1 << x != 0 && depth > 0 && needless_below(fits, x, wanted, is_up, depth - 1);
        if !(is_up(x) || goes_up()) {
            return false;
        }
    }
    true
}

/// The same, as code of its own.
fn needless_below(
    fits: &[u64; 64],
    kind: usize,
    wanted: u64,
    is_up: &impl Fn(usize) -> bool,
    depth: u32,
) -> bool {
    needless(fits, kind, wanted, is_up, depth)
}
