//! A person's game: the choices made so far, and those that were taken back.

use std::sync::Arc;

use crate::game::{End, Move, MoveList, Record, RecordFault, StrategyRng, View};
use crate::rules::{Draw, Returns, Roll, Rules, StageAt};

use super::chance::{ROLL, SHUFFLE};
use super::dealt::Dealt;
use super::look::{Stand, Then, look};
use super::refusal::{Refusal, would_end};
use super::seen::{Seen, Shown};
use super::state::{Asks, Die, LegalMove, Made, Money, Over, State, TheDeal};

/// Who records say played, unless a strategy made every choice.
pub const PERSON: &str = "person";

/// Something that a player decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A legal move.
    Move(Move),
    /// The stage of the stake that is asked for is bought.
    Buy,
    /// It is declined.
    Decline,
    /// The player gives up.
    Resign,
}

/// A choice, and the strategy that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Act {
    pub choice: Choice,
    pub by: Option<Arc<str>>,
}

/// A game played by a person. Cheap to clone but for its choices; it can go to another thread.
#[derive(Clone, Debug)]
pub struct Sitting {
    dealt: Dealt,
    acts: Vec<Act>,
    /// So many of them are made; the others were taken back.
    at: usize,
}

impl Sitting {
    /// A game that begins.
    pub fn new(dealt: Dealt) -> Sitting {
        Sitting { dealt, acts: Vec::new(), at: 0 }
    }

    /// The game of a record, at its deal: its moves can be stepped through by [`Sitting::redo`]. Which cards were bought is
    /// not part of a record, so that offers of unknown cards are declined.
    ///
    /// # Errors
    /// The first fault of the record.
    pub fn of_record(rules: impl Into<Arc<Rules>>, record: &Record) -> Result<Sitting, RecordFault> {
        let rules = rules.into();
        record.check(&rules)?;
        let dealt = Dealt::of_record(rules, record)?;
        let mut sitting = Sitting::new(dealt);
        let by = Some(record.strategy.as_str()).filter(|&name| name != PERSON).map(Arc::from);
        let event = |word: &&str| word.starts_with(ROLL) || word.starts_with(SHUFFLE);
        for word in record.moves.split_whitespace().filter(|word| !event(word)) {
            sitting.buy_on(None, by.clone());
            sitting.play_as(word, true, by.clone()).map_err(|it| RecordFault::of("moves", it.to_string()))?;
        }
        sitting.buy_on(record.stopped, by.clone());
        if let Some(end) = Some(record.end).filter(|_| sitting.state().over.is_none()) {
            let moves = sitting.state().moves;
            match moves.into_iter().find(|m| end == End::Barren && m.ends == Some(end)) {
                Some(m) => {
                    sitting.play_as(&m.word, true, by).map_err(|it| RecordFault::of("end", it.to_string()))?
                }
                None => sitting.push(Choice::Resign, by),
            }
        }
        sitting.at = 0;
        Ok(sitting)
    }

    /// What is played.
    pub fn dealt(&self) -> &Dealt {
        &self.dealt
    }

    /// The choices made so far.
    pub fn choices(&self) -> impl ExactSizeIterator<Item = Choice> + '_ {
        self.made().iter().map(|act| act.choice)
    }

    pub(super) fn made(&self) -> &[Act] {
        &self.acts[..self.at]
    }

    /// Everything that a person is shown.
    pub fn state(&self) -> State {
        let rng = self.rng();
        let rules = self.dealt.rules();
        let stand = self.look(&rng, |view, legal, asks| {
            let dealt = seen_layout(asks, view);
            let moves: Vec<(Move, LegalMove)> = match asks {
                Asks::Move => legal.iter().map(|&m| (m, describe(m, view))).collect(),
                Asks::Stage { .. } | Asks::Nothing => Vec::new(),
            };
            (Seen::of(view, dealt), moves)
        });
        let Stand { looked, asks, made, dealt_roll, outcome, barren, .. } = stand;
        let (seen, moves) = looked.unwrap_or_default();
        let moves = moves.into_iter().enumerate().map(|(i, (m, mut it))| {
            let barren = barren.get(i).is_some_and(|&barren| barren);
            it.ends = if barren { Some(End::Barren) } else { self.would_repeat(m) };
            it.why = it.ends.map(|end| would_end(&it.word, end));
            it
        });
        let spec = rules.spec();
        State {
            deal: TheDeal {
                rules: self.dealt.name().into(),
                title: spec.name.clone(),
                seed: Some(self.dealt.seed()).filter(|_| self.dealt.is_of_seed()),
                game: self.dealt.game(),
            },
            moves: moves.collect(),
            money: Money::of(spec, &outcome),
            die: die(rules, dealt_roll.filter(|_| seen.dealt), &made),
            over: (asks == Asks::Nothing).then(|| Over::of(&outcome, &made)),
            seen,
            asks,
            made,
            undo: self.at,
            redo: self.acts.len() - self.at,
        }
    }

    /// Makes a move, written as in records.
    ///
    /// # Errors
    /// Where it is not legal, or would end the game without a win; then nothing has changed.
    pub fn play(&mut self, word: &str) -> Result<(), Refusal> {
        self.play_as(word, false, None)
    }

    /// The same, and the game may end by it.
    ///
    /// # Errors
    /// Where it is not legal.
    pub fn play_to_the_end(&mut self, word: &str) -> Result<(), Refusal> {
        self.play_as(word, true, None)
    }

    fn play_as(&mut self, word: &str, anyway: bool, by: Option<Arc<str>>) -> Result<(), Refusal> {
        let rng = self.rng();
        let reserves = self.dealt.rules().spec().reserve.piles.into();
        let stand = self.look(&rng, |_, legal, _| {
            let words: Vec<String> = legal.iter().map(|m| m.notation(reserves)).collect();
            let found = words.iter().position(|known| known == word);
            (found.and_then(|i| Some((i, legal.nth(i)?))), words)
        });
        match stand.asks {
            Asks::Move => {}
            Asks::Stage { at, .. } => return Err(Refusal::Stage(at)),
            Asks::Nothing => return Err(Refusal::Over(stand.outcome.end)),
        }
        let (found, legal) = stand.looked.unwrap_or_default();
        let Some((i, m)) = found else { return Err(Refusal::Illegal { word: word.into(), legal }) };
        let barren = stand.barren.get(i).is_some_and(|&barren| barren);
        if !anyway && let Some(end) = if barren { Some(End::Barren) } else { self.would_repeat(m) } {
            return Err(Refusal::WouldEnd { word: word.into(), end });
        }
        self.push(Choice::Move(m), by);
        Ok(())
    }

    /// Answers the stage of the stake that is asked for.
    ///
    /// # Errors
    /// Where none is.
    pub fn answer(&mut self, buys: bool) -> Result<(), Refusal> {
        match self.asks() {
            Asks::Stage { .. } => {
                self.push(if buys { Choice::Buy } else { Choice::Decline }, None);
                Ok(())
            }
            Asks::Move => Err(Refusal::NoStage),
            Asks::Nothing => Err(self.is_over()),
        }
    }

    /// Gives up. While a stage is asked for, that is to decline it, and then to give up.
    ///
    /// # Errors
    /// Where the game is over.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        match self.asks() {
            Asks::Nothing => Err(self.is_over()),
            Asks::Move => {
                self.push(Choice::Resign, None);
                Ok(())
            }
            Asks::Stage { .. } => {
                self.push(Choice::Decline, None);
                match self.asks() {
                    Asks::Nothing => Ok(()),
                    _ => self.resign(),
                }
            }
        }
    }

    /// Takes the last choice back. False where there is none.
    pub fn undo(&mut self) -> bool {
        let any = self.at > 0;
        self.at -= usize::from(any);
        any
    }

    /// Makes the choice again that was taken back last. False where there is none.
    pub fn redo(&mut self) -> bool {
        let any = self.at < self.acts.len();
        self.at += usize::from(any);
        any
    }

    /// Goes to the position after so many choices, or to the last one.
    pub fn go_to(&mut self, choices: usize) {
        self.at = choices.min(self.acts.len());
    }

    /// The record of the game. Of a game under way it is the one of a player who gives up now.
    pub fn record(&self) -> Record {
        let stand = look(&self.dealt, self.made(), Then::Leave, &self.rng(), |_, _, _| ());
        let (seed, chance) = self.dealt.seeds();
        Record {
            rules: self.dealt.name().to_string(),
            seed,
            chance,
            game: self.dealt.game(),
            deck: self.dealt.deck().to_string(),
            strategy: self.player().to_string(),
            moves: stand.words,
            end: stand.outcome.end,
            cards: stand.outcome.cards,
            staked: stand.outcome.stake.map(|stake| stake.staked),
            stopped: stand.outcome.stake.and_then(|stake| stake.stopped),
        }
    }

    /// The strategy that made every choice, or else the person.
    fn player(&self) -> &str {
        let first = self.made().first().and_then(|act| act.by.as_deref());
        first.filter(|&name| self.made().iter().all(|act| act.by.as_deref() == Some(name))).unwrap_or(PERSON)
    }

    /// What is asked.
    pub fn asks(&self) -> Asks {
        self.look(&self.rng(), |_, _, _| ()).asks
    }

    fn is_over(&self) -> Refusal {
        Refusal::Over(self.look(&self.rng(), |_, _, _| ()).outcome.end)
    }

    /// A fresh stream of a strategy's own randomness.
    pub(super) fn rng(&self) -> StrategyRng {
        StrategyRng::new(self.dealt.seed(), self.dealt.game())
    }

    /// Looks at the position through its view.
    pub(super) fn look<R>(
        &self,
        rng: &StrategyRng,
        found: impl FnOnce(&View<'_>, &MoveList, Asks) -> R,
    ) -> Stand<R> {
        look(&self.dealt, self.made(), Then::Ask, rng, found)
    }

    /// Makes a choice that is known to fit. One that is the next to be made again leaves the others after it.
    pub(super) fn push(&mut self, choice: Choice, by: Option<Arc<str>>) {
        if self.acts.get(self.at).is_none_or(|next| next.choice != choice) {
            self.acts.truncate(self.at);
            self.acts.push(Act { choice, by });
        }
        self.at += 1;
    }

    /// Buys every stage that is asked for but the one at which the player stops; unknown cards are declined.
    pub(super) fn buy_on(&mut self, stops_at: Option<StageAt>, by: Option<Arc<str>>) {
        while let Asks::Stage { at, .. } = self.asks() {
            let buys = at.stops() && Some(at) != stops_at;
            self.push(if buys { Choice::Buy } else { Choice::Decline }, by.clone());
        }
    }

    /// Whether the same position would stand for the third time after this move. Only moves within the tableau and
    /// from the foundations can do that, and only after several of them.
    fn would_repeat(&self, m: Move) -> Option<End> {
        let returns = self.dealt.rules().spec().foundation.returns != Returns::Never;
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

/// Whether the layout is seen: not while a stage before it is asked for, or was declined.
fn seen_layout(asks: Asks, view: &View<'_>) -> bool {
    let unseen = |at: StageAt| matches!(at, StageAt::Deal | StageAt::FirstLook);
    match asks {
        Asks::Stage { at, .. } => !unseen(at),
        Asks::Move => true,
        Asks::Nothing => !view.bought().stake().stopped.is_some_and(unseen),
    }
}

/// A legal move as it is shown.
fn describe(m: Move, view: &View<'_>) -> LegalMove {
    let word = m.notation(view.reserves());
    let (from, to) = match word.split_once('>') {
        Some((from, to)) => (from, to.split('x').next().unwrap_or(to)),
        None if m.is_draw() => ("S", "W"),
        None => ("W", "S"),
    };
    LegalMove {
        from: from.to_string(),
        to: to.to_string(),
        count: m.count(),
        card: Shown::of(view.card(m)),
        to_space: view.to_space(m),
        ends: None,
        why: None,
        word,
    }
}

/// The die of the rules, with what it showed last.
fn die(rules: &Rules, dealt: Option<u8>, made: &[Made]) -> Option<Die> {
    let Draw::Die { faces, roll } = rules.spec().stock.draw else { return None };
    let rolled = match roll {
        Roll::Draw => "draw",
        Roll::Pass => "pass",
        Roll::Game => "game",
    };
    let last = made.iter().rev().find_map(|made| made.roll);
    Some(Die { faces, rolled, shows: last.or(dealt) })
}
