//! Detects when a game that is neither won nor out of moves leads nowhere.

use crate::cards::Card;
use crate::rules::{BasePlay, Draw, OnRedeal, Returns, Roll, Rules, WasteFace};

use super::apply::Applied;
use super::moves::{Move, Place};
use super::outcome::End;
use super::table::Table;

/// A mask of kinds for each pack.
pub(super) type Cards = [u64; 4];

/// Returns whether a card is in a mask; an absent card is in none.
pub(super) fn is_among(cards: &Cards, card: Card) -> bool {
    card != Card::NONE && cards[card.pack()] & card.bit() != 0
}

/// Number of moves after which a game is stopped as undecided.
pub const RUNAWAY: u32 = 10_000;

/// How to tell that the next pass can show nothing new.
#[derive(Clone, Copy, Debug)]
enum Barren {
    /// From this pass on every pass shows the same cards as the one before.
    SamePacketsFrom(u32),
    /// Every face of a die that is rolled for each pass has governed a barren pass.
    EveryFace(u8),
    /// Every card left has been the waste's top: with a die for each draw or with shuffled redeals, a pass need not
    /// show what the last one did.
    EveryTop,
    /// Consecutive redeals without a play are counted, whatever the passes show.
    IdleRedeals,
}

/// Follows one game, detecting when it leads nowhere and recording the cards seen in the waste. The fields that most
/// rules use come first, in one cache line.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct TerminationTracker {
    /// The arrangement of the cards on the table relative to that at the last progress.
    arrangement: u64,
    /// Arrangements after each play since the last progress.
    stood: Vec<u64>,
    moves: u32,
    /// Number of consecutive barren passes, or of consecutive redeals without a play if those are counted.
    barren_passes: u32,
    /// Whether a play was legal in this pass, and whether one was made.
    playable: bool,
    played: bool,
    /// Whether tops of the waste are recorded.
    looks: bool,
    /// Whether copies need more than the counts: the cards seen, or those that have been up.
    notes: bool,
    /// Whether cards may return from the foundations, so that not every card put up is progress.
    returns: bool,
    /// Whether a redeal changes the order of the cards.
    order_changes: bool,
    /// Whether places are lost: a squared waste hides the cards seen, or a redeal shuffles them.
    loses_places: bool,
    /// Whether the shuffled cards lay fanned.
    shuffles_seen: bool,
    /// Whether nobody can tell in a later pass if a card was seen before, or is its like of another pack.
    forgets_passes: bool,
    barren: Barren,
    /// Number of barren passes that ends the game.
    limit: Option<u32>,
    /// Whether redeals are counted, and base cards that must go up do not count as plays.
    forced_is_idle: bool,
    /// Number of redeals up to which they distinguish positions: some are left, or the packets still change.
    redeals_matter: u32,
    /// Faces that governed barren passes, or kinds seen on the waste (by pack), since the last play.
    seen: [u64; 4],
    /// Cards that have been on a foundation, a mask of kinds for each pack.
    been_up: [u64; 4],
    /// If places are lost, the cards seen in the waste: wherever they lie, they came from the stock.
    went_by: Cards,
}

impl TerminationTracker {
    pub fn new(rules: &Rules) -> TerminationTracker {
        let spec = rules.spec();
        let squared = spec.stock.waste == WasteFace::Squared;
        let shuffles = spec.stock.on_redeal == OnRedeal::Shuffle;
        let same_packets_from = match &spec.stock.draw {
            Draw::ByPass(sizes) => {
                let last = sizes.last();
                let changes = sizes.iter().rposition(|size| Some(size) != last);
                changes.map_or(1, |i| i as u32 + 2)
            }
            Draw::Die { .. } => 1,
        };
        let barren = match &spec.stock.draw {
            _ if spec.idle_redeals.is_some() => Barren::IdleRedeals,
            _ if shuffles => Barren::EveryTop,
            Draw::Die { roll: Roll::Draw, .. } => Barren::EveryTop,
            Draw::Die { roll: Roll::Pass, faces } => Barren::EveryFace(*faces),
            Draw::Die { roll: Roll::Game, .. } | Draw::ByPass(_) => {
                Barren::SamePacketsFrom(same_packets_from)
            }
        };
        let limit = match barren {
            Barren::SamePacketsFrom(_) | Barren::IdleRedeals => Some(spec.barren_passes()),
            _ => spec.barren_passes,
        };
        TerminationTracker {
            barren,
            limit,
            forced_is_idle: spec.idle_redeals.is_some() && spec.foundation.base_play == BasePlay::Forced,
            redeals_matter: spec.stock.redeals.map_or(same_packets_from - 1, |_| u32::MAX),
            order_changes: shuffles,
            returns: spec.foundation.returns != Returns::Never,
            moves: 0,
            playable: false,
            played: false,
            barren_passes: 0,
            seen: [0; 4],
            been_up: [0; 4],
            loses_places: squared || shuffles,
            shuffles_seen: shuffles && !squared,
            forgets_passes: squared && spec.deal.packs > 1,
            looks: squared || shuffles || matches!(barren, Barren::EveryTop),
            notes: squared
                || shuffles
                || spec.foundation.returns != Returns::Never
                || !matches!(barren, Barren::SamePacketsFrom(_)),
            went_by: [0; 4],
            arrangement: 0,
            stood: Vec::with_capacity(64),
        }
    }

    /// Restarts with the opening position.
    #[inline]
    pub fn begin(&mut self, table: &Table) {
        self.moves = 0;
        self.playable = false;
        self.played = false;
        self.barren_passes = 0;
        self.seen = [0; 4];
        self.been_up = [0; 4];
        self.went_by = [0; 4];
        for foundation in table.foundations.iter().filter(|foundation| foundation.len > 0) {
            self.is_first_time_up(foundation.top);
        }
        self.progress();
        self.look(table.waste_top());
    }

    /// Copies the tracker of a game of the same rules, without allocating if possible.
    #[inline(always)]
    pub fn take(&mut self, other: &TerminationTracker) {
        self.moves = other.moves;
        (self.playable, self.played, self.barren_passes) =
            (other.playable, other.played, other.barren_passes);
        if self.notes {
            (self.seen, self.been_up, self.went_by) = (other.seen, other.been_up, other.went_by);
        }
        self.arrangement = other.arrangement;
        if !(self.stood.is_empty() && other.stood.is_empty()) {
            self.stood.clone_from(&other.stood);
        }
    }

    /// Returns the cards that were seen in the waste, if it hides or shuffles them.
    #[inline]
    pub fn went_by(&self) -> &Cards {
        &self.went_by
    }

    /// Returns the number of moves made so far.
    #[inline(always)]
    pub fn moves(&self) -> u32 {
        self.moves
    }

    /// Records how many plays are legal in the position.
    #[inline(always)]
    pub fn legal_plays(&mut self, plays: usize) {
        self.playable |= plays > 0;
    }

    /// Returns whether choosing a draw or a redeal here ends the game.
    #[inline(always)]
    pub fn goes_nowhere(&self, m: Move, table: &Table) -> bool {
        let looks_at_draws = matches!(self.barren, Barren::EveryTop);
        if !m.is_redeal() && !looks_at_draws {
            return false;
        }
        self.pass_goes_nowhere(m, table)
    }

    fn pass_goes_nowhere(&self, m: Move, table: &Table) -> bool {
        if let Barren::EveryTop = self.barren
            && self.every_top_seen(table)
        {
            return true;
        }
        if !m.is_redeal() {
            return false;
        }
        let next_ends = self.limit.is_some_and(|limit| self.barren_passes + 1 >= limit);
        let barren = !self.played && next_ends;
        match self.barren {
            Barren::IdleRedeals => next_ends,
            Barren::SamePacketsFrom(pass) => table.pass() >= pass && (!self.playable || barren),
            Barren::EveryFace(faces) => {
                let seen = self.seen[0] | 1 << (table.packet & 63);
                barren || !self.played && (1..=faces).all(|face| seen & 1 << face != 0)
            }
            Barren::EveryTop => barren,
        }
    }

    fn every_top_seen(&self, table: &Table) -> bool {
        table.waste().iter().chain(table.stock()).all(|card| self.seen[card.pack()] & card.bit() != 0)
    }

    /// Records a draw or redeal that is about to be made. Some cards of the table may be unknown to a player who looks
    /// ahead.
    #[inline(always)]
    pub fn before_turning(&mut self, m: Move, table: &Table, unknown: &Cards) {
        self.moves += 1;
        if m.is_redeal() {
            self.end_of_pass(table, unknown);
        }
    }

    /// Resets what was seen, because another player changed the foundations. `top` is that of the waste, if it is
    /// visible.
    pub fn on_foundations_changed(&mut self, top: Card) {
        self.playable = true;
        self.played = true;
        self.barren_passes = 0;
        self.seen = [0; 4];
        self.progress();
        self.look(top);
    }

    /// Records the top of the waste, if it is visible, after a draw or a redeal. Returns the end if that ended the
    /// game.
    #[inline(always)]
    pub fn after_turning(&mut self, top: Card) -> Option<End> {
        self.look(top);
        self.runaway()
    }

    /// Records a play, with the top of the waste if it is visible. Returns the end if that ended the game.
    #[inline(always)]
    pub fn after_play(&mut self, m: Move, applied: Applied, table: &Table, top: Card) -> Option<End> {
        self.moves += 1;
        if self.play(m, applied, table) {
            return Some(End::Repeated);
        }
        self.look(top);
        self.runaway()
    }

    /// Returns whether draws can be counted without recording what each shows.
    #[inline(always)]
    pub fn draws_are_alike(&self) -> bool {
        !self.looks
    }

    /// Counts draws that need no recording, at most [`TerminationTracker::left`]. Returns the end if that ended the
    /// game.
    #[inline(always)]
    pub fn after_like_draws(&mut self, draws: u32) -> Option<End> {
        self.moves += draws;
        self.runaway()
    }

    /// Returns the number of moves left before the game is a runaway.
    #[inline(always)]
    pub fn left(&self) -> u32 {
        RUNAWAY - self.moves
    }

    #[inline(always)]
    fn runaway(&self) -> Option<End> {
        if self.moves >= RUNAWAY { Some(End::Runaway) } else { None }
    }

    fn end_of_pass(&mut self, table: &Table, unknown: &Cards) {
        if self.forgets_passes {
            self.went_by = [0; 4];
        } else if self.shuffles_seen {
            let seen = table.waste().iter().filter(|card| !is_among(unknown, **card));
            seen.for_each(|card| self.went_by[card.pack()] |= card.bit());
        }
        let counts = match self.barren {
            Barren::SamePacketsFrom(pass) => table.pass() >= pass,
            _ => true,
        };
        let idle = matches!(self.barren, Barren::IdleRedeals) || !self.played;
        self.barren_passes = if idle && counts { self.barren_passes + 1 } else { 0 };
        if let Barren::EveryFace(_) = self.barren
            && !self.played
        {
            self.seen[0] |= 1 << (table.packet & 63);
        }
        self.playable = false;
        self.played = false;
    }

    /// Records the top of the waste as seen, if there is a visible one.
    #[inline(always)]
    fn look(&mut self, top: Card) {
        if self.looks && top != Card::NONE {
            if let Barren::EveryTop = self.barren {
                self.seen[top.pack()] |= top.bit();
            }
            if self.loses_places {
                self.went_by[top.pack()] |= top.bit();
            }
        }
    }

    /// Records a play; returns true if the position occurs for the third time.
    #[inline(always)]
    fn play(&mut self, m: Move, applied: Applied, table: &Table) -> bool {
        self.played = true;
        if !matches!(self.barren, Barren::SamePacketsFrom(_)) {
            self.seen = [0; 4];
        }
        if !(self.forced_is_idle && m.to_foundation() && applied.card.rank() == table.base) {
            self.barren_passes = 0;
        }
        let progress = if self.returns {
            let first_time_up = m.to_foundation() && self.is_first_time_up(applied.card);
            first_time_up || applied.refilled || !(m.from_tableau() || m.from_foundation())
        } else {
            applied.refilled || !m.between_piles()
        };
        if progress {
            self.progress();
            return false;
        }
        self.repeats(m, applied, table)
    }

    /// Records a card that goes up; returns true if it never was up before.
    #[inline(always)]
    fn is_first_time_up(&mut self, card: Card) -> bool {
        let been_up = &mut self.been_up[card.pack()];
        let first = *been_up & card.bit() == 0;
        *been_up |= card.bit();
        first
    }

    #[inline(always)]
    fn progress(&mut self) {
        self.arrangement = 0;
        self.stood.clear();
    }

    /// Updates the arrangement: the exclusive or of a mixed number for each link of a card to the one below it, since a
    /// play changes only what lies below one card. Since the last progress no card has left the waste or the stock, so
    /// their sizes determine where each of those cards is, unless a redeal shuffles them. Two positions of one game
    /// collide with a probability of about 2^-64.
    fn repeats(&mut self, m: Move, applied: Applied, table: &Table) -> bool {
        let card = applied.card;
        self.arrangement ^= link(card, before(applied, m)) ^ link(card, after(table, card, m));
        if applied.turned_up != Card::NONE {
            self.arrangement ^= link(applied.turned_up, 255);
        }
        let redeals = table.redeals.min(self.redeals_matter);
        let stock = u64::from(redeals) << 32 | u64::from(table.packet) << 16 | u64::from(table.waste);
        let mut position = self.arrangement ^ mix(stock);
        if self.order_changes {
            let cards = table.waste().iter().chain(table.stock());
            position = cards.fold(position, |position, card| mix(position ^ u64::from(card.0) << 1 ^ 1));
        }
        self.stood.push(position);
        self.stood.iter().filter(|&&stood| stood == position).count() >= 3
    }
}

/// Returns what the moved card lay on before: a card, or the mark of the place.
fn before(applied: Applied, m: Move) -> u8 {
    let place = match m.source() {
        Place::Foundation(f) => 16 + f,
        Place::Pile(p) => p,
        _ => 0,
    };
    card_or_mark(applied.from, place)
}

/// Returns what it lies on after the move.
fn after(table: &Table, card: Card, m: Move) -> u8 {
    let place = match m.target() {
        Place::Pile(q) => q,
        _ => 16 + table.foundation_of(card),
    };
    card_or_mark(table.below[card.0 as usize], place)
}

/// Piles and foundations are marked by numbers that no card has.
fn card_or_mark(card: Card, place: usize) -> u8 {
    const NO_CARD: [u8; 4] = [52, 116, 180, 244];
    if card != Card::NONE { card.0 } else { NO_CARD[place / 11] + (place % 11) as u8 }
}

fn link(card: Card, below: u8) -> u64 {
    mix(u64::from(card.0) << 8 | u64::from(below) | 1 << 63)
}

/// The finalizer of SplitMix64: every bit of the input changes half of the output.
pub(super) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
