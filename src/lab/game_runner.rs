//! One seeded game of one ruleset under one strategy.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::cards::{Card, Deck, Seed};
use crate::crash::guard;
use crate::game::{
    Agent, Game, Instead, Move, MoveList, Observer, Outcome, PlayerState, Record, Recorder, SeededChance,
    StagedAgent, Stake, Table, View,
};
use crate::interrupt;
use crate::rules::{Rules, Stage, StageAt};
use crate::strategy::{Strategy, StrategyError};

/// Plays seeded games one after another, reusing its allocations.
pub struct GameRunner<'r> {
    id: &'r str,
    game: Game<'r>,
    deck: Deck,
    ordered: Deck,
    strategy: Box<dyn Strategy>,
    stop: &'r AtomicBool,
    /// The game being played.
    seed: Seed,
    number: u64,
}

/// Error of a strategy, and the game in which it occurred.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error} (strategy {strategy} on {rules}, seed {seed}, game {game})")]
pub struct GameError {
    /// The ruleset played.
    pub rules: String,
    /// The strategy that failed.
    pub strategy: String,
    /// The seed of the run.
    pub seed: Seed,
    /// The game.
    pub game: u64,
    /// The error, with its place in the script.
    pub error: StrategyError,
}

impl<'r> GameRunner<'r> {
    /// Creates a runner, which heeds [`crate::interrupt`]; `id` names the ruleset in records and errors.
    pub fn new(id: &'r str, rules: &'r Rules, strategy: Box<dyn Strategy>) -> GameRunner<'r> {
        let ordered = Deck::ordered(rules.deck_shape());
        GameRunner {
            id,
            game: Game::new(rules),
            deck: ordered.clone(),
            ordered,
            strategy,
            stop: &interrupt::FLAG,
            seed: 0,
            number: 0,
        }
    }

    /// Makes the runner stop within a game when `stop` is set.
    pub fn heeding(self, stop: &'r AtomicBool) -> GameRunner<'r> {
        GameRunner { stop, ..self }
    }

    /// Plays game `game` of seed `seed` to its end.
    #[inline]
    pub fn play(&mut self, seed: Seed, game: u64) -> Result<Outcome, GameError> {
        self.deck.shuffle_again(&self.ordered, seed, game);
        self.play_deck(seed, game, &mut ())
    }

    /// Plays like [`GameRunner::play`], watched by `observer`.
    pub fn observe(
        &mut self,
        seed: Seed,
        game: u64,
        mut observer: &mut dyn Observer,
    ) -> Result<Outcome, GameError> {
        self.deck.shuffle_again(&self.ordered, seed, game);
        self.play_deck(seed, game, &mut observer)
    }

    /// Plays a given deck with the random numbers of game `game` of seed `seed`, watched by `observer`.
    pub fn watch(
        &mut self,
        deck: &Deck,
        seed: Seed,
        game: u64,
        mut observer: &mut dyn Observer,
    ) -> Result<Outcome, GameError> {
        self.deck.clone_from(deck);
        self.play_deck(seed, game, &mut observer)
    }

    /// Plays like [`GameRunner::watch`] and returns the record; if the seed does not deal this deck, only for chance.
    pub fn record(&mut self, deck: &Deck, seed: Seed, game: u64) -> Result<Record, GameError> {
        let mut recorder = Recorder::new(self.game.rules());
        let outcome = self.watch(deck, seed, game, &mut recorder)?;
        // A seed that would deal another deck determines the random numbers only.
        let dealt = deck.is_dealt_from(self.game.rules().deck_shape(), seed, game);
        Ok(Record {
            id: None,
            rules: self.id.to_string(),
            seed: dealt.then_some(seed),
            chance: (!dealt).then_some(seed),
            game,
            deck: self.deck.to_string(),
            strategy: self.strategy.name().to_string(),
            moves: recorder.moves(),
            end: outcome.end,
            cards: outcome.cards,
            staked: outcome.stake.map(|stake| stake.staked),
            stopped: outcome.stake.and_then(|stake| stake.stopped),
        })
    }

    /// Plays the shuffled deck, watched by `observer`. A panic is reported with the game in which it occurred.
    fn play_deck(
        &mut self,
        seed: Seed,
        game: u64,
        observer: &mut impl Observer,
    ) -> Result<Outcome, GameError> {
        (self.seed, self.number) = (seed, game);
        let played = guard(|| self.play_ready(observer))
            .unwrap_or_else(|crash| Err(StrategyError::Crashed(Box::new(crash))));
        played.map_err(|error| {
            let (rules, strategy) = (self.id.to_string(), self.strategy.name().to_string());
            GameError { rules, strategy, seed, game, error }
        })
    }

    fn play_ready(&mut self, observer: &mut impl Observer) -> Result<Outcome, StrategyError> {
        if self.game.rules().spec().casino.is_staged() {
            return self.play_for_stakes(observer);
        }
        let mut chance = SeededChance::new(self.seed, self.number);
        let rng = PlayerState::new(self.seed, self.number);
        self.game.deal_watched(self.deck.cards(), &mut chance, observer);
        let mut asked = Alone { strategy: &mut *self.strategy, rng: &rng, stop: self.stop };
        self.game.play_on(&mut chance, observer, &mut asked)
    }

    /// Plays a game whose stake is bought in stages. If the player stops early, the game is played again as if every
    /// stage were bought, to measure the value of stopping.
    fn play_for_stakes(&mut self, observer: &mut impl Observer) -> Result<Outcome, StrategyError> {
        let mut outcome = self.run_session(observer, false)?;
        if let Some(stake) = &mut outcome.stake
            && let Some(at) = stake.stopped
        {
            let on = self.run_session(&mut (), true).map_err(|error| on_buying_on(error, at))?;
            // Output of a script belongs to the game as played.
            self.strategy.printed();
            let Stake { staked, whole, .. } = on.stake.unwrap_or(Stake::NONE);
            stake.instead = Some(Instead { end: on.end, cards: on.cards, staked, whole });
        }
        Ok(outcome)
    }

    /// Deals the shuffled deck and plays it. The strategy decides about each stage, unless `buys_on` buys all.
    fn run_session(&mut self, observer: &mut impl Observer, buys_on: bool) -> Result<Outcome, StrategyError> {
        let mut chance = SeededChance::new(self.seed, self.number);
        self.game.deal_watched(self.deck.cards(), &mut chance, observer);
        let mut seat = Seated { strategy: &mut *self.strategy, observer, buys_on, stop: self.stop };
        self.game.play_for_stakes(&PlayerState::new(self.seed, self.number), &mut chance, &mut seat)
    }
}

/// Error that occurs only in the replay with every stage bought.
fn on_buying_on(error: StrategyError, stopped: StageAt) -> StrategyError {
    let StrategyError::Script(fault) = error else { return error };
    let what = format!(
        "the player had stopped at `{stopped}`; this is how it would have played on, which the report compares"
    );
    let help = fault.help.as_ref().map_or(what.clone(), |help| format!("{help}; {what}"));
    StrategyError::Script(Box::new(fault.help(help)))
}

struct Seated<'a, O> {
    strategy: &'a mut dyn Strategy,
    observer: &'a mut O,
    /// Whether every stage is bought, whatever the strategy answers.
    buys_on: bool,
    stop: &'a AtomicBool,
}

struct Alone<'a> {
    strategy: &'a mut dyn Strategy,
    rng: &'a PlayerState,
    stop: &'a AtomicBool,
}

/// Games can be interrupted at decisions, which are frequent; the work between them is short.
#[inline(always)]
fn go_on(stop: &AtomicBool) -> Result<(), StrategyError> {
    if stop.load(Ordering::Relaxed) { Err(StrategyError::Interrupted) } else { Ok(()) }
}

impl<'r> Agent<'r, StrategyError> for Alone<'_> {
    #[inline(always)]
    fn decide(&mut self, game: &Game<'r>) -> Result<Option<usize>, StrategyError> {
        go_on(self.stop)?;
        self.strategy.decide(&game.view(self.rng), game.legal())
    }

    #[inline(always)]
    fn repeats_draw(&self) -> bool {
        self.strategy.repeats_draw()
    }
}

impl<O: Observer> Observer for Seated<'_, O> {
    fn watches(&self) -> bool {
        self.observer.watches()
    }

    fn rolled(&mut self, face: u8) {
        self.observer.rolled(face);
    }

    fn shuffled(&mut self, stock: &[Card]) {
        self.observer.shuffled(stock);
    }

    fn moving(&mut self, table: &Table, legal: &MoveList, chosen: Move) {
        self.observer.moving(table, legal, chosen);
    }
}

impl<O: Observer> StagedAgent for Seated<'_, O> {
    type Error = StrategyError;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        go_on(self.stop)?;
        self.strategy.decide(view, legal)
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        go_on(self.stop)?;
        // The strategy is asked in any case, so that its random numbers continue as in the game as played.
        let buys = self.strategy.buys(view, legal, stage)?;
        Ok(buys || self.buys_on && stage.at.stops())
    }
}
