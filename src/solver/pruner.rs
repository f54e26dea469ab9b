//! Plays that need not be searched, each with its proof.
//!
//! All proofs hold both for winning and for the most cards: what is pruned, directly or by a forced play, is matched
//! step by step by a line that is searched, at whose every step at least the same cards are up. Under rules that a
//! proof does not cover, nothing is pruned.

use crate::cards::{Card, Rank};
use crate::game::{Move, Place, Table};
use crate::rules::{
    Base, BasePlay, DealSpec, Direction, Draw, Filler, FoundationSpec, MoveRules, MoveUnit, ReserveFace,
    ReserveSpec, Returns, Rules, SpacesSpec, StockSpec, TableauSpec, Wrap,
};

use super::stock_cycle::depends_on_the_stock;

/// The kinds of pruning that the rules allow; none by default.
#[derive(Clone, Copy, Default)]
pub(super) struct Pruner {
    /// Safe cards go up at once.
    pub safe: bool,
    /// The same where cards return from the foundations, if nothing that could lie on them holds up another card.
    pub safe_with_returns: bool,
    /// Safe cards that lie on another card go up at once.
    pub safe_on_cards: bool,
    /// Safe cards of the waste go up at once too, however far the stock must be turned for them.
    pub safe_waste: bool,
    /// Safe cards on top of the waste go up at once.
    pub safe_top: bool,
    /// Parts of runs move only to free a card that goes up.
    pub parts: bool,
    /// Ranks form a ring: parts of runs move freely until all base cards are up.
    pub in_a_ring: bool,
    /// Parts of runs do not move freely even then: a search that misses something does not disprove it.
    pub hasty: bool,
    /// Only the first of several spaces is used.
    pub spaces: bool,
    /// Positions from which too few cards can go up, as [`RelaxedBound`](super::relaxed_bound::RelaxedBound) shows, are
    /// cut off.
    pub looks_ahead: bool,
}

impl Pruner {
    /// Returns the pruning that the proofs allow under these rules.
    pub fn new(rules: &Rules) -> Pruner {
        let MoveRules {
            deal: DealSpec { packs, order: _ },
            reserve: ReserveSpec { piles: reserves, size: _, face },
            tableau: TableauSpec { deal, face: _, build: _, direction, wrap, unit, max_height },
            spaces: SpacesSpec { auto, while_reserve, after_reserve, rank: _ },
            foundation: FoundationSpec { base, start: _, returns, base_play },
            stock: StockSpec { draw, redeals, on_redeal: _, waste: _, opening_draw: _ },
        } = rules.spec().move_rules();
        // Once the reserve is exhausted, spaces accept at least what they accepted before.
        let opens =
            while_reserve.iter().all(|filler| *filler == Filler::Reserve || after_reserve.contains(filler));
        let from_reserve = auto.iter().all(|filler| *filler == Filler::Reserve);
        let unseen = while_reserve.iter().chain(after_reserve).any(|&filler| depends_on_the_stock(filler));
        // A card put in a space and removed again draws a card out of the reserve.
        let deals_spaces = *reserves > 0 && !auto.is_empty() && deal.contains(&0);
        let playable = match face {
            ReserveFace::Top | ReserveFace::All => true,
            ReserveFace::Last => false,
        };
        let one_by_one = matches!(draw, Draw::ByPass(sizes) if sizes.iter().all(|&size| size == 1));
        let any_order = redeals.is_none() && one_by_one;
        let with_returns = *packs == 1
            && *base_play == BasePlay::Optional
            && *max_height == 0
            && (*reserves <= 1 || auto.is_empty())
            && playable
            && opens
            && from_reserve
            && !unseen
            && !deals_spaces;
        let plain = with_returns && *returns == Returns::Never;
        // A card removed from a space leaves no space other than the one it filled.
        let alone = !while_reserve.iter().chain(after_reserve).any(|&filler| filler == Filler::Tableau);
        Pruner {
            safe: plain,
            safe_with_returns: with_returns
                && *reserves == 0
                && *direction == Direction::Down
                && *wrap == Wrap::None
                && *base == Base::Rank(Rank::ACE),
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

    /// Returns whether everything pruned is proven unnecessary.
    pub fn is_sure(&self) -> bool {
        !(self.hasty && self.parts && self.in_a_ring)
    }

    /// Returns a play that can be made at once regardless of the alternatives: a safe card goes up.
    ///
    /// Let `c` be such a card, and take any line of play from here. It is matched by the line that puts `c` up first
    /// and then makes the same plays, except for these:
    ///
    /// - A card `x` that is put on `c` goes up instead, as do those put on it: that is what [`needless`] ensures. From
    ///   then on it is up. If a run would be put on `c`, its cards go up from the top.
    /// - `c` alone is moved elsewhere, or goes up later: nothing is done.
    /// - `c` is moved as part of a run or as part of a whole pile: the rest of them moves.
    /// - `c` was alone in its pile, or would have come from the reserve to fill a space, so that the next card of the
    ///   reserve `r` fills a space that it did not fill before: when `r` is then taken from the reserve, it is taken
    ///   from that pile, which is filled again; when `r` fills another space, the next card of the reserve fills that
    ///   one, and the two piles exchange names. (The deal leaves no space, so there is none while a reserve that fills
    ///   them has cards.) A space that exists too early is left empty until then: nothing fills it except the reserve
    ///   or the player, who has at least the same choices once the reserve is exhausted.
    ///
    /// Each play stays legal, as piles only lose cards from their tops on which nothing that is not up could be put.
    /// Several reserves stay the same except for `c`, provided that none is chosen by its size to fill a space. A card
    /// of the waste is left alone if taking it shifts what packets of several cards show. If cards are drawn one by
    /// one, the line is matched with `c` gone from waste or stock: what it shows is shown here too, except for `c`, and
    /// what lay under `c` sooner. If passes are also unlimited, all of those cards can be taken at any time, and `c`
    /// can come from further on in the stock too.
    ///
    /// If spaces are filled from waste or stock, or base cards must go up, only some of these cards go up at once:
    /// those that lie on another card of the tableau, provided that neither of the two is a base card that must go up.
    /// Also, no card of the tableau may be put in a space. Then the line is matched in the first two ways. As `c`
    /// always lies on another card, taking it away empties no pile. A card that is put on `c` empties its own pile when
    /// it leaves it, here too. So piles become empty at the same plays, and the same cards fill them. Base cards become
    /// accessible in both at the same time: of what is uncovered here and not there, the card under `c` is not one, and
    /// any other was a top card before, when it would have had to go up.
    ///
    /// If cards return from the foundations, and piles are built in the same order as those, `x` may be one that
    /// returns, and carry cards in turn. So the same must hold for each card that fits on `c`: what fits on it is up, or
    /// goes up instead. All lower cards that could come to lie on `c` are then up or go up, and none of them is needed
    /// as a place. The line is matched by one in which they stay up. A card of the suit of `c` that returns there, and
    /// can no longer return here, is needed no more than they are.
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

    /// Returns whether a card of the waste may be put up at once by the same argument.
    pub fn must_from_waste(&self, table: &Table, card: Card, rules: &Rules) -> bool {
        self.safe && self.safe_waste && is_safe(table, card, rules)
    }

    /// Returns whether a play can be pruned in favour of others that are searched.
    ///
    /// *Spaces*: piles have no order, so one space is as good as another.
    ///
    /// *Parts of runs*: the upper part of a run, from `x` on, goes from a card `d` to a card `q` that takes exactly
    /// what `d` takes. Take a line that does so. It is matched by one that does not, in which the cards that the line
    /// has on `d` lie on `q` and vice versa: what the line puts on one of them, or takes from it, this one puts on or
    /// takes from the other, which takes the same cards. A run that the line moves with `d` or `q` in it moves here
    /// too, with what lies on that card here. Only if the line puts up `d` or `q` itself, which is then uncovered, may
    /// there be something on it here, and nothing on the other one: it is moved over there first, and the two positions
    /// are equal. That move is not pruned, as the card goes up at once.
    ///
    /// A run with `d` in it is never put on what lies on `q`, nor vice versa: `d` and `q` are of one rank, everything
    /// that lies on them is lower (or higher), and everything that a run could be put on is higher (or lower). In a
    /// ring of ranks this holds once all base cards are up: they do not come back, and the ring is cut.
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

/// Returns whether no card will ever need to be put on this card, so that it may go up.
fn is_safe(table: &Table, card: Card, rules: &Rules) -> bool {
    table.base().is_some_and(|base| {
        let is_up = |kind: usize| {
            let card = Card::of_pack(0, kind);
            card.rank().steps_above(base, rules.hot.pack) < table.height(card.suit().index())
        };
        needless(rules.fits(base), card.kind(), table.wanted(), &is_up, 3)
    })
}

/// Returns whether each card that fits on a card of this kind is up, or is the next to go up in its suit and the same
/// holds for the cards that fit on it, down to a given depth.
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

/// The recursive part of [`needless`], kept out of line.
fn needless_below(
    fits: &[u64; 64],
    kind: usize,
    wanted: u64,
    is_up: &impl Fn(usize) -> bool,
    depth: u32,
) -> bool {
    needless(fits, kind, wanted, is_up, depth)
}
