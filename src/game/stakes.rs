//! A staged stake in one game: which stage is due when, what was paid, which cards are known for it, and a game in which
//! the player is asked at each.

use serde::{Deserialize, Serialize};

use crate::cards::Card;
use crate::rules::{OnRedeal, Rules, Stage, StageAt, WasteFace};

use super::chance::Chance;
use super::lookahead::add;
use super::moves::{Move, MoveList};
use super::outcome::{End, Outcome};
use super::play::{Game, Observer, Watched};
use super::player_state::PlayerState;
use super::table::Table;
use super::termination::{Cards, is_among};
use super::view::View;

/// Number of kinds of stages.
const KINDS: usize = StageAt::ALL.len();

/// The stake of a game, if it is bought in stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stake {
    /// Paid by the player, in cents.
    pub staked: i64,
    /// Whether all stages of the hand were bought, so that its cards are paid for.
    pub whole: bool,
    /// How often each stage was offered, in the order of [`StageAt::ALL`]; for unknown cards, how many.
    pub asked: [u32; KINDS],
    /// How often each stage was bought.
    pub bought: [u32; KINDS],
    /// The stage that the player declined, which ended the game.
    pub stopped: Option<StageAt>,
    /// How the game would have ended had the player kept buying; known only if a stopped game was replayed to find out.
    pub instead: Option<Instead>,
}

/// End of a game that was stopped at a stage, had the player bought that stage and all after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instead {
    /// How it would have ended.
    pub end: End,
    /// Number of cards on the foundations in that case.
    pub cards: u16,
    /// Cents that would have been paid for it.
    pub staked: i64,
    /// Whether all stages of the hand would have been bought.
    pub whole: bool,
}

impl Stake {
    /// Nothing offered, nothing bought.
    pub const NONE: Stake = Stake {
        staked: 0,
        whole: false,
        asked: [0; KINDS],
        bought: [0; KINDS],
        stopped: None,
        instead: None,
    };
}

/// A player's account in a game in progress: what was bought, and which cards are known for it.
#[derive(Clone, Copy, Debug)]
pub struct Stakes {
    stake: Stake,
    /// Bought cards, a mask of kinds for each pack.
    known: [u64; 4],
    /// Those of one pack that were shuffled since: unless visible, they are in the stock or the waste.
    shuffled: [u64; 4],
    /// Whether cards were already offered in this position.
    offered: bool,
}

impl Stakes {
    /// The account of a player who buys nothing.
    pub(super) const NONE: Stakes =
        Stakes { stake: Stake::NONE, known: [0; 4], shuffled: [0; 4], offered: false };

    /// Returns the initial account.
    pub(super) fn new(rules: &Rules) -> Stakes {
        let mut stakes = Stakes::NONE;
        stakes.count_the_hand(rules);
        stakes
    }

    /// Returns the account so far.
    pub fn stake(&self) -> Stake {
        self.stake
    }

    /// Returns what was paid so far, in cents.
    pub fn staked(&self) -> i64 {
        self.stake.staked
    }

    /// Returns whether the card was bought and its place is still known.
    #[inline]
    pub fn knows(&self, card: Card) -> bool {
        self.known[card.pack()] & card.bit() != 0
    }

    /// Returns the bought cards whose places were lost in a shuffle.
    pub(super) fn shuffled(&self) -> &[u64; 4] {
        &self.shuffled
    }

    /// Records the answer to a stage, offered for `times` cards if it sells cards. Returns whether the game continues:
    /// it does if the stage is bought, or sells cards.
    pub(super) fn answer(&mut self, rules: &Rules, stage: &Stage, times: u32, buys: bool) -> bool {
        let kind = stage.at as usize;
        self.stake.asked[kind] += times;
        if buys {
            self.stake.bought[kind] += times;
            self.stake.staked += stage.cost * i64::from(times);
        } else if stage.at.stops() {
            self.stake.stopped = Some(stage.at);
        }
        self.count_the_hand(rules);
        buys || !stage.at.stops()
    }

    /// Checks whether all stages of the hand are bought.
    fn count_the_hand(&mut self, rules: &Rules) {
        let mut of_the_hand = rules.spec().casino.stages.iter().filter(|stage| stage.at.of_the_hand());
        self.stake.whole = of_the_hand.all(|stage| self.stake.bought[stage.at as usize] > 0);
    }

    /// Returns the stages that are due before this move is made, in their order.
    pub(super) fn due(&self, rules: &Rules, table: &Table, m: Move) -> [Option<Stage>; 3] {
        let unpaid = |at: StageAt| self.stake.bought[at as usize] == 0 && !table.makes_by_itself(rules, m);
        let due = [
            (StageAt::FirstLook, unpaid(StageAt::FirstLook)),
            (StageAt::FirstDraw, unpaid(StageAt::FirstDraw) && !m.is_play()),
            (StageAt::Pass, m.is_redeal()),
        ];
        due.map(|(at, due)| rules.spec().casino.stage(at).copied().filter(|_| due))
    }

    /// Returns the cards of stock and waste that can be bought in this position, next cards first, and the stage that
    /// sells them. `went_by` holds those that have been the waste's top since the last shuffle.
    pub(super) fn for_sale(
        &self,
        rules: &Rules,
        table: &Table,
        went_by: &Cards,
    ) -> Option<(Stage, Vec<Card>)> {
        let stage = *rules.spec().casino.stage(StageAt::UnknownCard)?;
        if self.offered || rules.spec().stock.waste == WasteFace::Fanned {
            return None;
        }
        let left = match stage.limit {
            0 => usize::MAX,
            limit => limit.saturating_sub(self.stake.bought[stage.at as usize]) as usize,
        };
        let cards = table.stock().iter().chain(table.waste()).copied();
        let cards: Vec<Card> =
            cards.filter(|&card| is_among(went_by, card) && !self.knows(card)).take(left).collect();
        (!cards.is_empty()).then_some((stage, cards))
    }

    /// Marks the card as known.
    pub(super) fn show(&mut self, card: Card) {
        self.known[card.pack()] |= card.bit();
    }

    /// Offers no more cards in this position.
    pub(super) fn offered(&mut self) {
        self.offered = true;
    }

    /// Updates the account after a move.
    pub(super) fn moved(&mut self, rules: &Rules, m: Move) {
        self.offered = false;
        if m.is_redeal() && rules.spec().stock.on_redeal == OnRedeal::Shuffle {
            if rules.hot.packs == 1 {
                self.shuffled[0] |= self.known[0];
            }
            self.known = [0; 4];
        }
    }
}

impl Table {
    /// Returns whether a deal makes this legal move by itself, so that it costs nothing: a base card that must go up,
    /// or a draw onto a waste that was played out, if a first draw is part of the deal.
    pub(super) fn makes_by_itself(&self, rules: &Rules, m: Move) -> bool {
        let forced = m.to_foundation() && rules.hot.forced_base && self.forces_base(rules);
        forced || m.is_draw() && rules.spec().stock.opening_draw && self.waste().is_empty()
    }
}

/// A table on which nothing is visible.
static NOTHING: Table = Table { choosing: true, ..Table::BARE };

/// A player at the table, who also observes the game.
pub trait StagedAgent: Observer {
    /// Error of the player.
    type Error;

    /// Returns the index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Returns the player's own error.
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Self::Error>;

    /// Returns whether to buy a stage of the stake. Before anything is dealt, the view shows an empty table.
    ///
    /// # Errors
    /// Returns the player's own error.
    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, Self::Error>;

    /// Called at the end of the game with the player's last view, including the cards that were bought. A player who
    /// did not buy the deal is shown an empty table.
    fn over(&mut self, _view: &View<'_>) {}
}

impl<'r> Game<'r> {
    /// Plays a dealt game to its end, asking at each stage of the stake that the rules have. If they have none, this
    /// equals [`Game::play_out`].
    ///
    /// # Errors
    /// Returns those of the player; the game remains at the position of that decision.
    pub fn play_for_stakes<S: StagedAgent>(
        &mut self,
        rng: &PlayerState,
        chance: &mut impl Chance,
        seat: &mut S,
    ) -> Result<Outcome, S::Error> {
        let rules = self.rules();
        let mut stakes = Stakes::new(rules);
        let sees = buys_the_deal(rules, rng, &mut stakes, seat)?;
        if !sees {
            self.resign();
        }
        let mut went_by = Cards::default();
        'moves: while self.end().is_none() {
            add(&mut went_by, self.table().waste_top());
            let view = self.view(rng).with_stakes(&stakes);
            let Some(m) = seat.decide(&view, self.legal())?.and_then(|i| self.legal().get(i).copied()) else {
                self.give_up();
                break;
            };
            if self.would_be_barren(m) {
                self.make(m, chance);
                break;
            }
            let chosen = !self.table().makes_by_itself(rules, m);
            if chosen && !m.is_play() && self.sells_cards(rng, &mut stakes, &went_by, seat)? {
                continue;
            }
            for stage in stakes.due(rules, self.table(), m).into_iter().flatten() {
                let view = self.view(rng).with_stakes(&stakes);
                let buys = seat.buys(&view, self.legal(), &stage)?;
                if !stakes.answer(rules, &stage, 1, buys) {
                    self.resign();
                    break 'moves;
                }
            }
            seat.moving(self.table(), self.legal(), m);
            self.make(m, &mut Watched { chance: &mut *chance, observer: &mut *seat });
            stakes.moved(rules, m);
            if m.is_redeal() && rules.spec().stock.on_redeal == OnRedeal::Shuffle {
                went_by = Cards::default();
            }
        }
        let last = if sees { self.view(rng) } else { View::new(&NOTHING, rules, rng) };
        seat.over(&last.with_stakes(&stakes));
        let stake = rules.spec().casino.is_staged().then(|| stakes.stake());
        Ok(Outcome { stake, ..self.outcome() })
    }

    /// Offers all cards that were seen in the waste and whose places are lost; returns whether they were bought.
    fn sells_cards<S: StagedAgent>(
        &self,
        rng: &PlayerState,
        stakes: &mut Stakes,
        went_by: &Cards,
        seat: &mut S,
    ) -> Result<bool, S::Error> {
        let rules = self.rules();
        let Some((stage, cards)) = stakes.for_sale(rules, self.table(), went_by) else { return Ok(false) };
        let view = self.view(rng).with_stakes(stakes);
        let together = Stage { cost: stage.cost * cards.len() as i64, ..stage };
        let buys = seat.buys(&view, self.legal(), &together)?;
        stakes.answer(rules, &stage, cards.len() as u32, buys);
        stakes.offered();
        if buys {
            cards.into_iter().for_each(|card| stakes.show(card));
        }
        Ok(buys)
    }
}

/// Offers the stage due before anything is dealt; returns whether the game begins.
fn buys_the_deal<S: StagedAgent>(
    rules: &Rules,
    rng: &PlayerState,
    stakes: &mut Stakes,
    seat: &mut S,
) -> Result<bool, S::Error> {
    let Some(stage) = rules.spec().casino.stage(StageAt::Deal) else { return Ok(true) };
    let view = View::new(&NOTHING, rules, rng).with_stakes(stakes);
    let buys = seat.buys(&view, &MoveList::new(), stage)?;
    Ok(stakes.answer(rules, stage, 1, buys))
}
