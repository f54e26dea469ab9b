//! The keys of a ruleset, as plain values.
//!
//! [`Spec::default`] is Canfield. `file/keys.rs` defines how each key is written and what it means, `check.rs`
//! validates the keys together, and `compile.rs` converts them to what the engine reads.

use crate::cards::{Pack, Rank};

pub use super::casino::{Casino, Jackpot, PayStep, Stage, StageAt, WonBy};
pub use super::words::*;

/// A ruleset as plain values: every key of a ruleset file, after `extends` is resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Name of the ruleset.
    pub name: String,
    /// Other names of the game.
    pub also: Vec<String>,
    /// Description of the game, in one or more lines.
    pub about: String,
    /// Source of the rules.
    pub source: String,
    /// `[deal]`
    pub deal: DealSpec,
    /// `[pack]`
    pub pack: Pack,
    /// `[reserve]`
    pub reserve: ReserveSpec,
    /// `[tableau]`
    pub tableau: TableauSpec,
    /// `[spaces]`
    pub spaces: SpacesSpec,
    /// `[foundation]`
    pub foundation: FoundationSpec,
    /// `[stock]`
    pub stock: StockSpec,
    /// `end.barren_passes`, if the file gives it.
    pub barren_passes: Option<u32>,
    /// `end.idle_redeals`: this many consecutive redeals without a play end the game, in place of every other count of
    /// passes.
    pub idle_redeals: Option<u32>,
    /// `[casino]`
    pub casino: Casino,
    /// `[[score]]`
    pub scores: Vec<Score>,
}

/// `[deal]`
#[derive(Clone, Debug, PartialEq)]
pub struct DealSpec {
    /// Number of packs, 1..4.
    pub packs: u8,
    /// The order in which cards leave the shuffled pack.
    pub order: Vec<Part>,
}

/// `[reserve]`
#[derive(Clone, Debug, PartialEq)]
pub struct ReserveSpec {
    /// Reserve piles, 0..4.
    pub piles: u8,
    /// Cards in each, 0..40.
    pub size: u8,
    /// What is face up.
    pub face: ReserveFace,
}

/// `[tableau]`
#[derive(Clone, Debug, PartialEq)]
pub struct TableauSpec {
    /// Cards dealt to each pile; its length is the number of piles.
    pub deal: Vec<u8>,
    /// Which dealt cards are face up.
    pub face: TableauFace,
    /// Which suits may follow each other.
    pub build: Build,
    /// Rank step of a card placed on another.
    pub direction: Direction,
    /// Where the ring of ranks is cut.
    pub wrap: Wrap,
    /// How many cards move between piles.
    pub unit: MoveUnit,
    /// Maximum number of cards in a pile, 0 for no limit.
    pub max_height: u8,
}

/// `[spaces]`
#[derive(Clone, Debug, PartialEq)]
pub struct SpacesSpec {
    /// Sources that fill a space at once: `Reserve`, `Waste` or `Stock`.
    pub auto: Vec<Filler>,
    /// What a player may put in a space while reserve cards are left.
    pub while_reserve: Vec<Filler>,
    /// What a player may put in a space once the reserve is empty.
    pub after_reserve: Vec<Filler>,
    /// Which rank may start a space.
    pub rank: SpaceRank,
}

/// `spaces.rank`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SpaceRank {
    Any,
    Rank(Rank),
    Base,
    BelowBase,
}

/// `[foundation]`
#[derive(Clone, Debug, PartialEq)]
pub struct FoundationSpec {
    /// Which rank the foundations start with.
    pub base: Base,
    /// Base cards put up by the deal.
    pub start: Start,
    /// Whether a foundation card may go back to the tableau.
    pub returns: Returns,
    /// Whether an exposed base-rank card must go up at once.
    pub base_play: BasePlay,
}

/// `foundation.base`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// The rank of the foundation card that is dealt.
    Dealt,
    /// The rank of the card that the first move puts up.
    Choice(ChoiceFrom),
    /// A fixed rank.
    Rank(Rank),
}

/// `foundation.choice_from`: the cards that the base is chosen from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChoiceFrom {
    /// The tops of the reserves.
    Reserve,
    /// This many cards, dealt in place of the tableau in the order of the deal. One is chosen, the others become the
    /// tableau.
    Dealt(u8),
}

/// `[stock]`
#[derive(Clone, Debug, PartialEq)]
pub struct StockSpec {
    /// Cards in a packet.
    pub draw: Draw,
    /// Redeals allowed; `None` is unlimited.
    pub redeals: Option<u32>,
    /// What a redeal does with the order of the cards.
    pub on_redeal: OnRedeal,
    /// Whether a player may look through the waste.
    pub waste: WasteFace,
    /// Whether a first draw is part of the deal.
    pub opening_draw: bool,
}

/// `stock.draw`
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// Packet size by pass; the last value repeats. Never empty.
    ByPass(Vec<u8>),
    /// A die decides.
    Die {
        /// Faces of the die, 1..=faces equally likely.
        faces: u8,
        /// When it is rolled.
        roll: Roll,
    },
}

/// `[[score]]`: a named linear score of a finished game.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Score {
    /// Name of the score.
    pub name: String,
    /// Points for playing at all.
    pub constant: i64,
    /// Points for each card on the foundations.
    pub foundation_card: i64,
    /// Points for each suit that is complete.
    pub complete_suit: i64,
    /// Points for a win.
    pub won: i64,
    /// Points for each card left in the reserve.
    pub reserve_left: i64,
    /// Points for each redeal used.
    pub redeal: i64,
    /// Points for going out first, in games of several players.
    pub out_first: i64,
}

impl Default for Spec {
    /// Returns Canfield: the default of every key.
    fn default() -> Spec {
        Spec {
            name: String::new(),
            also: Vec::new(),
            about: String::new(),
            source: String::new(),
            deal: DealSpec { packs: 1, order: vec![Part::Reserve, Part::Foundation, Part::Tableau] },
            pack: Pack::FULL,
            reserve: ReserveSpec { piles: 1, size: 13, face: ReserveFace::Top },
            tableau: TableauSpec {
                deal: vec![1; 4],
                face: TableauFace::All,
                build: Build::AlternateColor,
                direction: Direction::Down,
                wrap: Wrap::Full,
                unit: MoveUnit::SingleOrWhole,
                max_height: 0,
            },
            spaces: SpacesSpec {
                auto: vec![Filler::Reserve],
                while_reserve: vec![],
                after_reserve: vec![Filler::Waste, Filler::Tableau],
                rank: SpaceRank::Any,
            },
            foundation: FoundationSpec {
                base: Base::Dealt,
                start: Start::One,
                returns: Returns::Never,
                base_play: BasePlay::Optional,
            },
            stock: StockSpec {
                draw: Draw::ByPass(vec![3]),
                redeals: None,
                on_redeal: OnRedeal::Turn,
                waste: WasteFace::Fanned,
                opening_draw: false,
            },
            barren_passes: None,
            idle_redeals: None,
            casino: Casino {
                stake: 5200,
                stages: Vec::new(),
                pays_per_card: 500,
                pays_for_win: 0,
                steps: Vec::new(),
                redeal_fees: Vec::new(),
                jackpot: None,
                currency: "$".into(),
            },
            scores: Vec::new(),
        }
    }
}

impl Spec {
    /// Returns the number of cards in the packs, whether dealt or put up before the deal.
    pub fn cards(&self) -> usize {
        self.pack.cards() * self.deal.packs as usize
    }

    /// Returns the number of foundations: one for each suit of each pack.
    pub fn foundations(&self) -> usize {
        usize::from(self.pack.suits) * usize::from(self.deal.packs)
    }

    /// Returns the number of tableau piles.
    pub fn piles(&self) -> usize {
        self.tableau.deal.len()
    }

    /// Returns the number of cards dealt to all reserves.
    pub fn reserve_cards(&self) -> usize {
        self.reserve.piles as usize * self.reserve.size as usize
    }

    /// Returns the number of cards dealt to the tableau, including the one among them that is to be chosen as a base.
    pub fn tableau_cards(&self) -> usize {
        match self.foundation.base {
            Base::Choice(ChoiceFrom::Dealt(offered)) => offered as usize,
            _ => self.tableau.deal.iter().map(|&cards| cards as usize).sum(),
        }
    }

    /// Returns the number of base cards on the foundations after the deal.
    pub fn put_up_cards(&self) -> usize {
        match self.foundation.start {
            Start::None => 0,
            Start::One => 1,
            Start::All => self.foundations(),
        }
    }

    /// Returns the minimum number of cards on the foundations at the end of any game: those that the deal puts up,
    /// unless they may leave.
    pub fn fewest_cards(&self) -> usize {
        if self.foundation.returns == Returns::Top { 0 } else { self.put_up_cards() }
    }

    /// Returns the number of cards that the deal leaves for the stock, before any opening draw.
    pub fn stock_cards(&self) -> usize {
        let laid_out = self.reserve_cards() + self.tableau_cards() + self.put_up_cards();
        self.cards().saturating_sub(laid_out)
    }

    /// Explains why a redeal or a draw ends a game as barren: the text after "another redeal".
    pub fn why_barren(&self) -> String {
        match self.idle_redeals {
            Some(redeals) => format!("would be number {redeals} in a row without a play"),
            None => "would only show the same cards again".into(),
        }
    }

    /// Returns `end.idle_redeals` or `end.barren_passes`, or the default of 2. If passes do not repeat (a die for each
    /// pass or draw, a shuffle), only an explicit value is a limit.
    pub fn barren_passes(&self) -> u32 {
        self.idle_redeals.or(self.barren_passes).unwrap_or(2)
    }
}

/// The tables of a [`Spec`] that proofs about play depend on. Code that relies on some of these rules destructures all
/// of them without `..`, so that a new rule does not compile until it has been considered there.
pub(crate) struct MoveRules<'a> {
    pub deal: &'a DealSpec,
    pub reserve: &'a ReserveSpec,
    pub tableau: &'a TableauSpec,
    pub spaces: &'a SpacesSpec,
    pub foundation: &'a FoundationSpec,
    pub stock: &'a StockSpec,
}

impl Spec {
    /// Returns everything except names, the cards of a pack (cards that it lacks fit on nothing and are never wanted),
    /// when a game that leads nowhere is stopped, and what is paid and counted.
    pub(crate) fn move_rules(&self) -> MoveRules<'_> {
        #[rustfmt::skip]
        let Spec {
            name: _, also: _, about: _, source: _, pack: _,
            deal, reserve, tableau, spaces, foundation, stock,
            barren_passes: _, idle_redeals: _, casino: _, scores: _,
        } = self;
        MoveRules { deal, reserve, tableau, spaces, foundation, stock }
    }
}

/// Maximum height limit of a pile.
pub(crate) const MOST_HEIGHT: i64 = 208;
/// Maximum number of cards in a game.
pub(crate) const MOST_CARDS: i64 = 208;
/// Maximum number of redeals, passes or steps.
pub(crate) const MOST_COUNT: i64 = 1_000_000;
/// Maximum number of reserve piles.
pub(crate) const MOST_RESERVES: i64 = 4;
/// Maximum number of tableau piles.
pub(crate) const MOST_PILES: usize = 16;
/// Maximum number of cards in a packet.
pub(crate) const MOST_DRAWN: i64 = 52;
/// Maximum length of a list of packet sizes by pass.
pub(crate) const MOST_SIZES: usize = 100;
/// Maximum absolute value of a coefficient of a score.
pub(crate) const MOST_POINTS: i64 = 1_000_000;
/// Maximum amount in cents.
pub(crate) const MOST_CENTS: i64 = 1_000_000_000_000;
/// Maximum price or pay, in cents, of a stage, a card or a win if a stake is bought in stages: sums of squares over any
/// number of games that can be played stay exact.
pub(crate) const MOST_STAGED: i64 = 100_000_000;
