//! Compiles a valid ruleset to the tables that the engine reads.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::cards::{Card, DeckShape, Pack, Rank};

use super::spec::*;

/// A valid, immutable ruleset with the tables compiled from it.
///
/// A mask is a `u64` with one bit for each [`CardKind`](crate::cards::CardKind) of card.
#[derive(Clone, Debug)]
pub struct Rules {
    id: u64,
    spec: Spec,
    /// `fits[base][t]`: the kinds that may be placed on a card of kind `t`; `fits[base][63]` (no card) is empty. All
    /// bases share row 0 unless the ring is cut at the base.
    fits: Vec<[u64; 64]>,
    /// The same as lists of at most two kinds, which suffices except for builds of any suit. Unused entries are
    /// [`NO_KIND`]; the list of no card is [`SPACE`] alone. Indexed by base rank; three rows are never read.
    lists: [[[u8; 2]; 64]; 16],
    /// Kinds that may start a space, by base rank.
    starts: [u64; 13],
    /// Pay in cents by number of cards: there may be a step for every card.
    pays: Vec<i64>,
    pub(crate) auto: Vec<Filler>,
    pub(crate) hot: Hot,
}

/// The values that are read at every decision, kept together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hot {
    pub piles: usize,
    pub packs: usize,
    pub pack: Pack,
    pub ring: Ring,
    /// One pack, and at most [`FEW_PILES`] piles: what differs between positions fits in a few words.
    pub small: bool,
    /// Whether each suit has one foundation, and the base rank is known from the deal on.
    pub plain_foundations: bool,
    /// Number of cards in the packs.
    pub cards: usize,
    pub reserves: usize,
    /// Bits of [`Filler`]: what may fill a space while reserve cards are left, and after.
    pub while_reserve: u8,
    pub after_reserve: u8,
    /// Maximum number of cards in a pile; 255 for no limit.
    pub max_height: u8,
    /// Redeals allowed; `u32::MAX` is unlimited.
    pub redeals: u32,
    pub unit: MoveUnit,
    pub returns: Returns,
    pub forced_base: bool,
    pub reserve_face: ReserveFace,
    pub on_redeal: OnRedeal,
    /// Whether a player may look under the top of the waste.
    pub fanned: bool,
    /// One pack, four piles of any height built in certain suits or colours, single cards or whole runs, one reserve
    /// that can be played from, no card returning from the foundations and none forced there: the rules of most forms
    /// of Canfield, for which there is a faster way to list moves.
    pub plain: bool,
}

/// The ring of a pack's ranks, for masks of kinds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ring {
    /// All kinds of the pack.
    pub all: u64,
    /// Distance from the highest rank down to the ace, in bits.
    wrap: u32,
}

impl Ring {
    fn new(pack: Pack) -> Ring {
        Ring { all: pack.kinds().fold(0, |all, kind| all | 1 << kind), wrap: 4 * (u32::from(pack.ranks) - 1) }
    }

    /// Returns the kinds one rank above these, in the same suits: the next rank is four bits on, and the highest is
    /// followed by the ace.
    #[inline(always)]
    pub fn up(self, kinds: u64) -> u64 {
        kinds << 4 & self.all | kinds >> self.wrap
    }

    /// Returns the kinds one rank below these.
    #[inline(always)]
    pub fn down(self, kinds: u64) -> u64 {
        kinds >> 4 | kinds << self.wrap & self.all
    }

    /// Returns the kinds of a rank.
    #[inline(always)]
    pub fn of_rank(self, rank: Rank) -> u64 {
        0b1111 << (rank.index() * 4) & self.all
    }
}

/// Maximum number of piles in most games.
pub(crate) const FEW_PILES: usize = 4;

/// A number that is not a kind, used for a space.
pub(crate) const SPACE: u8 = 61;
/// A number that is not a kind.
const NO_KIND: u8 = 62;

/// Returns the bit of a filler in a set of fillers.
pub(crate) const fn filler_bit(filler: Filler) -> u8 {
    1 << filler as u8
}

fn filler_set(fillers: &[Filler]) -> u8 {
    fillers.iter().fold(0, |set, &f| set | filler_bit(f))
}

impl Rules {
    /// Compiles a spec that has passed the checks.
    pub(crate) fn compile(spec: Spec) -> Rules {
        let (pack, ring) = (spec.pack, Ring::new(spec.pack));
        let bases = if spec.tableau.wrap == Wrap::ToBase { usize::from(pack.ranks) } else { 1 };
        let fits: Vec<_> = pack.ranks().take(bases).map(|base| fits_on(&spec.tableau, pack, base)).collect();
        let lists = std::array::from_fn(|base| listed(&fits[base % bases]));
        let starts = std::array::from_fn(|base| match spec.spaces.rank {
            SpaceRank::Any => ring.all,
            SpaceRank::Rank(rank) => ring.of_rank(rank),
            SpaceRank::Base => ring.of_rank(Rank::from_index(base)),
            SpaceRank::BelowBase => ring.of_rank(Rank::from_index(base).down(pack)),
        });
        let pays = (0..=spec.cards()).map(|cards| spec.casino.pay(cards, spec.cards())).collect();
        let hot = Hot {
            piles: spec.piles(),
            packs: spec.deal.packs as usize,
            pack,
            ring,
            small: spec.deal.packs == 1 && spec.piles() <= FEW_PILES,
            plain_foundations: spec.deal.packs == 1 && !matches!(spec.foundation.base, Base::Choice(_)),
            cards: spec.cards(),
            reserves: spec.reserve.piles as usize,
            while_reserve: filler_set(&spec.spaces.while_reserve),
            after_reserve: filler_set(&spec.spaces.after_reserve),
            max_height: if spec.tableau.max_height == 0 { 255 } else { spec.tableau.max_height },
            redeals: spec.stock.redeals.unwrap_or(u32::MAX),
            unit: spec.tableau.unit,
            returns: spec.foundation.returns,
            forced_base: spec.foundation.base_play == BasePlay::Forced,
            reserve_face: spec.reserve.face,
            on_redeal: spec.stock.on_redeal,
            fanned: spec.stock.waste == WasteFace::Fanned,
            plain: spec.piles() == 4
                && spec.deal.packs == 1
                && !matches!(spec.foundation.base, Base::Choice(_))
                && spec.tableau.max_height == 0
                && spec.tableau.build != Build::Any
                && spec.tableau.unit == MoveUnit::SingleOrWhole
                && spec.reserve.piles == 1
                && spec.reserve.face != ReserveFace::Last
                && spec.foundation.returns == Returns::Never
                && spec.foundation.base_play == BasePlay::Optional,
        };
        // An id distinguishes compiled rules: comparing them completely at every decision would be slow.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        Rules { id, auto: spec.spaces.auto.clone(), fits, lists, starts, pays, hot, spec }
    }

    /// Returns what the house pays for this many cards, in cents; see [`Casino::pay`](super::Casino::pay).
    pub(crate) fn pay(&self, cards: usize) -> i64 {
        let all = self.spec.cards();
        self.pays.get(cards).copied().unwrap_or_else(|| self.spec.casino.pay(cards, all))
    }

    /// Returns a number that these rules share with their clones, and with no other rules in this process.
    #[inline(always)]
    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Returns the ruleset as plain values.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Returns the name of the ruleset.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Returns which cards a deck for these rules holds.
    pub fn deck_shape(&self) -> DeckShape {
        let without = match (self.spec.foundation.start, self.spec.foundation.base) {
            (Start::All, Base::Rank(rank)) => Some(rank),
            _ => None,
        };
        DeckShape { pack: self.spec.pack, packs: self.spec.deal.packs as usize, without }
    }

    /// Returns the table of what fits on what under a base rank.
    #[inline(always)]
    pub(crate) fn fits(&self, base: Rank) -> &[u64; 64] {
        let rows = self.fits.len();
        &self.fits[if rows == 1 { 0 } else { base.index() }]
    }

    /// Returns the same table as lists of kinds.
    #[inline(always)]
    pub(crate) fn lists(&self, base: Rank) -> &[[u8; 2]; 64] {
        &self.lists[base.index() & 15]
    }

    /// Returns the kinds that may start a space under a base rank.
    #[inline(always)]
    pub(crate) fn starts(&self, base: Rank) -> u64 {
        self.starts[base.index()]
    }

    /// Returns the size of a packet in pass `pass` (from 1) if no die decides it.
    #[inline]
    pub(crate) fn packet(&self, pass: u32) -> u8 {
        match &self.spec.stock.draw {
            Draw::ByPass(sizes) => sizes[(pass as usize - 1).min(sizes.len() - 1)],
            Draw::Die { .. } => 0,
        }
    }
}

/// Returns whether a card of `rank` may follow one of `on` by rank alone.
fn step_fits(tableau: &TableauSpec, pack: Pack, base: Rank, on: Rank, rank: Rank) -> bool {
    // `low` and `high` are the two ranks of the step; a cut ring misses the step at the cut.
    let (wanted, low) = match tableau.direction {
        Direction::Same => return rank == on,
        Direction::Down => (on.down(pack), on.down(pack)),
        Direction::Up => (on.up(1, pack), on),
    };
    let cut_below = match tableau.wrap {
        Wrap::Full => None,
        Wrap::ToBase => Some(base.down(pack)),
        Wrap::None => Some(pack.highest()),
    };
    rank == wanted && cut_below != Some(low)
}

fn suits_fit(build: Build, on: usize, card: usize) -> bool {
    let red = |kind: usize| matches!(kind & 3, 1 | 2);
    match build {
        Build::AlternateColor => red(on) != red(card),
        Build::SameColor => red(on) == red(card),
        Build::SameSuit => on & 3 == card & 3,
        Build::Any => true,
    }
}

fn fits_on(tableau: &TableauSpec, pack: Pack, base: Rank) -> [u64; 64] {
    let rank = |kind: usize| Card::of_pack(0, kind).rank();
    let mut fits = [0; 64];
    for on in pack.kinds() {
        fits[on] = pack
            .kinds()
            .filter(|&card| {
                step_fits(tableau, pack, base, rank(on), rank(card)) && suits_fit(tableau.build, on, card)
            })
            .fold(0, |mask, card| mask | 1 << card);
    }
    fits
}

fn listed(fits: &[u64; 64]) -> [[u8; 2]; 64] {
    std::array::from_fn(|on| {
        let space = (on == 63).then_some(SPACE);
        let mut kinds = (0..52).filter(|card| fits[on] & 1 << card != 0).chain(space);
        std::array::from_fn(|_| kinds.next().unwrap_or(NO_KIND))
    })
}
