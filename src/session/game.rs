//! A person's game: the choices made so far, and the undone ones.

use std::sync::Arc;

use crate::format::cents;
use crate::game::{End, Move, MoveList, PlayerState, Record, RecordFault, View};
use crate::report::board;
use crate::rules::{Returns, Rules, Spec, Stage, StageAt};
use crate::strategy::Strategy;
use crate::text::one_line;

use super::dealt::{Dealt, is_event};
use super::look::{Act, Choice, Stand, Then, look, look_beside};
use super::state::{Asks, LegalMove, Money, Over, Seen, State, TheDeal, describe, die, seen_layout};

/// Name of the player in records, unless a strategy made every choice.
pub const PERSON: &str = "person";
/// Maximum number of past choices replayed to a strategy before it is asked for the next one.
const MOST_BESIDE: usize = 2_000;

/// A game played by a person. Cheap to clone apart from its choices, and `Send`.
#[derive(Clone, Debug)]
pub struct Session {
    dealt: Dealt,
    acts: Vec<Act>,
    /// Number of choices made; the rest were undone.
    at: usize,
}

impl Session {
    /// Starts a game.
    pub fn new(dealt: Dealt) -> Session {
        Session { dealt, acts: Vec::new(), at: 0 }
    }

    /// Restores a recorded game at its deal, or returns the first fault of the record; [`Session::redo`] steps through
    /// its moves. A record does not say which cards were bought, so offers of unknown cards are declined.
    pub fn of_record(rules: impl Into<Arc<Rules>>, record: &Record) -> Result<Session, RecordFault> {
        let rules = rules.into();
        record.check(&rules)?;
        let mut session = Session::new(Dealt::of_record(rules, record)?);
        let by: Option<Arc<str>> = Some(&*record.strategy).filter(|&name| name != PERSON).map(Arc::from);
        let play = |session: &mut Session, word: &str, field| {
            let played = session.play_as(word, true, by.clone());
            played.map_err(|refusal| RecordFault::of(field, refusal.to_string()))
        };
        for word in record.moves.split_whitespace().filter(|word| !is_event(word)) {
            session.buy_on(None, by.clone());
            play(&mut session, word, "moves")?;
        }
        session.buy_on(record.stopped, by.clone());
        // A stage is declined by choosing a move that it is due for; that move is in no record.
        if let Some(at) = record.stopped.filter(|&at| at != StageAt::Deal) {
            let turns =
                |m: &LegalMove| at == StageAt::FirstLook || m.from == "S" && m.to == "W" || m.to == "S";
            if let Some(m) = session.state().moves.into_iter().find(turns) {
                play(&mut session, &m.word, "stopped")?;
                session.buy_on(record.stopped, by.clone());
            }
        }
        let State { over: None, moves, .. } = session.state() else { return Ok(session.at_deal()) };
        match moves.into_iter().find(|m| record.end == End::Barren && m.ends == Some(record.end)) {
            Some(m) => play(&mut session, &m.word, "end")?,
            None => session.push(Choice::Resign, by.clone()),
        }
        Ok(session.at_deal())
    }

    fn at_deal(self) -> Session {
        Session { at: 0, ..self }
    }

    /// Returns the setup of the game.
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// Returns the choices made so far.
    pub fn choices(&self) -> impl ExactSizeIterator<Item = Choice> + '_ {
        self.made().iter().map(|act| act.choice)
    }

    pub(super) fn made(&self) -> &[Act] {
        &self.acts[..self.at]
    }

    /// Returns everything that a person is shown.
    pub fn state(&self) -> State {
        let rules = &*self.dealt.rules;
        let mut stand = self.look(&self.rng(), |view, legal, asks| {
            let moves: Vec<(Move, LegalMove)> = match asks {
                Asks::Move => legal.iter().map(|&m| (m, describe(m, view))).collect(),
                Asks::Stage { .. } | Asks::Nothing => Vec::new(),
            };
            (Seen::of(view, seen_layout(asks, view)), moves)
        });
        let (seen, moves) = stand.looked.take().unwrap_or_default();
        let moves = moves.into_iter().enumerate().map(|(i, (m, it))| {
            let ends = self.would_end(&stand, i, m);
            LegalMove { why: ends.map(|end| would_end(rules.spec(), &it.word, end)), ends, ..it }
        });
        let moves = moves.collect();
        let Stand { asks, made, dealt_roll, outcome, .. } = stand;
        let spec = rules.spec();
        State {
            deal: TheDeal {
                rules: (*self.dealt.name).into(),
                title: one_line(&spec.name).into_owned(),
                seed: Some(self.dealt.seed).filter(|_| self.dealt.of_seed),
                game: self.dealt.game,
            },
            moves,
            money: Money::of(spec, &outcome),
            die: die(rules, dealt_roll.filter(|_| seen.dealt), &made),
            over: (asks == Asks::Nothing).then(|| Over::of(spec, &outcome, &made)),
            stage_cost: match asks {
                Asks::Stage { cost, .. } => Some(cents(cost, &spec.casino)),
                Asks::Move | Asks::Nothing => None,
            },
            seen,
            asks,
            made,
            undo: self.at,
            redo: self.acts.len() - self.at,
            again: self.acts.get(self.at).map(|act| act.choice.word(spec.reserve.piles.into())),
        }
    }

    /// Draws the position as text; empty until the layout is visible.
    pub fn board(&self) -> String {
        let drawn = |view: &View<'_>, _: &MoveList, asks| {
            if seen_layout(asks, view) { board(view) } else { String::new() }
        };
        self.look(&self.rng(), drawn).looked.unwrap_or_default()
    }

    /// Makes a move, written as in records. It is refused if it is illegal, or would end the game without a win.
    pub fn play(&mut self, word: &str) -> Result<(), Refusal> {
        self.play_as(word, false, None)
    }

    /// Makes a legal move even if it ends the game.
    pub fn play_to_the_end(&mut self, word: &str) -> Result<(), Refusal> {
        self.play_as(word, true, None)
    }

    fn play_as(&mut self, word: &str, anyway: bool, by: Option<Arc<str>>) -> Result<(), Refusal> {
        let reserves = self.dealt.rules.spec().reserve.piles.into();
        let mut stand = self.look(&self.rng(), |_, legal, _| {
            let words: Vec<String> = legal.iter().map(|m| m.notation(reserves)).collect();
            let found = words.iter().position(|known| known == word);
            (found.and_then(|i| Some((i, legal.nth(i)?))), words)
        });
        match stand.asks {
            Asks::Move => {}
            Asks::Stage { at, .. } => return Err(Refusal::Stage(at)),
            Asks::Nothing => return Err(Refusal::Over(stand.outcome.end)),
        }
        let (found, legal) = stand.looked.take().unwrap_or_default();
        let Some((i, m)) = found else { return Err(Refusal::Illegal { word: word.into(), legal }) };
        if !anyway && let Some(end) = self.would_end(&stand, i, m) {
            let why = would_end(self.dealt.rules.spec(), word, end);
            return Err(Refusal::WouldEnd { word: word.into(), why });
        }
        self.push(Choice::Move(m), by);
        Ok(())
    }

    /// Buys or declines the stage of the stake on offer. Fails if none is on offer.
    pub fn answer(&mut self, buys: bool) -> Result<(), Refusal> {
        match self.asks() {
            Asks::Stage { .. } => self.push(if buys { Choice::Buy } else { Choice::Decline }, None),
            Asks::Move => return Err(Refusal::NoStage),
            Asks::Nothing => return Err(self.is_over()),
        }
        Ok(())
    }

    /// Gives up. If a stage is on offer, it is declined first.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        if self.asks() == Asks::Nothing {
            return Err(self.is_over());
        }
        while let Asks::Stage { .. } = self.asks() {
            self.push(Choice::Decline, None);
        }
        if self.asks() == Asks::Move {
            self.push(Choice::Resign, None);
        }
        Ok(())
    }

    /// Undoes the last choice. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let any = self.at > 0;
        self.at -= usize::from(any);
        any
    }

    /// Redoes the choice undone last. Returns false if there is none.
    pub fn redo(&mut self) -> bool {
        let any = self.at < self.acts.len();
        self.at += usize::from(any);
        any
    }

    /// Goes to the position after this many choices, or to the last one.
    pub fn go_to(&mut self, choices: usize) {
        self.at = choices.min(self.acts.len());
    }

    /// Returns the record of the game. A game in progress is recorded as if the player gave up here.
    pub fn record(&self) -> Record {
        let stand = look(&self.dealt, self.made(), Then::Leave, &self.rng(), |_, _, _| ());
        let (seed, chance) = self.dealt.seeds();
        Record {
            id: None,
            rules: self.dealt.name.to_string(),
            seed,
            chance,
            game: self.dealt.game,
            deck: self.dealt.deck.to_string(),
            strategy: self.player().to_string(),
            moves: stand.words,
            end: stand.outcome.end,
            cards: stand.outcome.cards,
            staked: stand.outcome.stake.map(|stake| stake.staked),
            stopped: stand.outcome.stake.and_then(|stake| stake.stopped),
        }
    }

    fn player(&self) -> &str {
        let first = self.made().first().and_then(|act| act.by.as_deref());
        first.filter(|&name| self.made().iter().all(|act| act.by.as_deref() == Some(name))).unwrap_or(PERSON)
    }

    /// Returns what the player has to decide.
    pub fn asks(&self) -> Asks {
        self.look(&self.rng(), |_, _, _| ()).asks
    }

    fn is_over(&self) -> Refusal {
        Refusal::Over(self.look(&self.rng(), |_, _, _| ()).outcome.end)
    }

    /// Returns a fresh stream for a strategy's own randomness.
    pub(super) fn rng(&self) -> PlayerState {
        PlayerState::new(self.dealt.seed, self.dealt.game)
    }

    pub(super) fn look<R>(
        &self,
        rng: &PlayerState,
        found: impl FnOnce(&View<'_>, &MoveList, Asks) -> R,
    ) -> Stand<R> {
        look(&self.dealt, self.made(), Then::Ask, rng, found)
    }

    /// Replays every choice to a strategy as its own, which restores its `memory`, and returns the state of its random
    /// numbers. A search keeps nothing and is not asked; nor is any strategy in a very long game, or after it fails at
    /// a choice.
    pub(super) fn beside(&self, strategy: &mut dyn Strategy) -> PlayerState {
        let rng = self.rng();
        if strategy.is_slow() || self.at > MOST_BESIDE {
            return rng;
        }
        let mut failed = false;
        let mut ask = |view: &View<'_>, legal: &MoveList, asks| {
            failed = failed
                || match asks {
                    Asks::Move => strategy.decide(view, legal).is_err(),
                    Asks::Stage { at, cost } => {
                        strategy.buys(view, legal, &Stage { at, cost, limit: 0 }).is_err()
                    }
                    Asks::Nothing => false,
                };
        };
        look_beside(&self.dealt, self.made(), Then::Ask, &rng, &mut ask, |_, _, _| ());
        strategy.printed();
        if failed { self.rng() } else { rng }
    }

    /// Makes a choice known to be legal. If it equals the next choice to redo, the choices after it are kept.
    pub(super) fn push(&mut self, choice: Choice, by: Option<Arc<str>>) {
        if self.acts.get(self.at).is_none_or(|next| next.choice != choice) {
            self.acts.truncate(self.at);
            self.acts.push(Act { choice, by });
        }
        self.at += 1;
    }

    /// Buys every stage on offer except the one at which the player stops; declines unknown cards.
    pub(super) fn buy_on(&mut self, stops_at: Option<StageAt>, by: Option<Arc<str>>) {
        while let Asks::Stage { at, .. } = self.asks() {
            let buys = at.stops() && Some(at) != stops_at;
            self.push(if buys { Choice::Buy } else { Choice::Decline }, by.clone());
        }
    }

    /// Returns how the game would end without a win at the legal move `m`, the `i`-th, if that can be foreseen.
    fn would_end<R>(&self, stand: &Stand<R>, i: usize, m: Move) -> Option<End> {
        if stand.barren.get(i) == Some(&true) { Some(End::Barren) } else { self.would_repeat(m) }
    }

    /// Returns how the game would end if this move made the same position occur a third time. Only moves within the
    /// tableau and from the foundations can do that, and only after several of them.
    fn would_repeat(&self, m: Move) -> Option<End> {
        let returns = self.dealt.rules.spec().foundation.returns != Returns::Never;
        let idle = |m: Move| {
            m.between_piles() || returns && (m.from_foundation() || m.from_tableau()) || !m.is_play()
        };
        let within = |act: &&Act| matches!(act.choice, Choice::Move(m) if idle(m));
        let stage = |act: &&Act| matches!(act.choice, Choice::Buy | Choice::Decline);
        let before = self.made().iter().rev().filter(|act| !stage(act)).take_while(within);
        let plays = before.filter(|act| matches!(act.choice, Choice::Move(m) if m.is_play())).count();
        if !m.is_play() || !idle(m) || plays < 4 {
            return None;
        }
        let mut acts = self.made().to_vec();
        acts.push(Act { choice: Choice::Move(m), by: None });
        let stand = look(&self.dealt, &acts, Then::Ask, &self.rng(), |_, _, _| ());
        Some(stand.outcome.end).filter(|&end| stand.asks == Asks::Nothing && end == End::Repeated)
    }
}

/// Reason for refusing a choice; the game is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over ({0}); undo goes back")]
    Over(End),
    /// The word is not a legal move.
    #[error("`{word}` is not legal here; legal: {}", legal.join(" "))]
    Illegal {
        /// The requested move.
        word: String,
        /// The legal moves.
        legal: Vec<String>,
    },
    /// The move would end the game; [`Session::play_to_the_end`] makes it anyway.
    #[error("{why}")]
    WouldEnd {
        /// The move.
        word: String,
        /// How it would end, in a sentence.
        why: String,
    },
    /// A stage of the stake is to be bought or declined first.
    #[error("the stage `{0}` is asked for: buy it or decline it first")]
    Stage(StageAt),
    /// No stage of the stake is asked for.
    #[error("no stage of the stake is asked for here")]
    NoStage,
}

/// Explains in a sentence why a move would end the game.
pub(super) fn would_end(rules: &Spec, word: &str, end: End) -> String {
    match end {
        End::Barren => {
            format!("`{word}` {}: the game would end there, barren", rules.why_barren())
        }
        End::Repeated => format!(
            "after `{word}` the same position would stand for the third time without progress: the game would end, \
             repeated"
        ),
        other => format!("after `{word}` the game would end, {other}"),
    }
}
