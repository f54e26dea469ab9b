//! Choices of a player, replayed through the engine, and the resulting position.

use std::sync::Arc;

use crate::cards::Card;
use crate::game::{
    Game, Move, MoveList, Observer, Outcome, PlayerState, Recorder, StagedAgent, Stake, Table, View,
};
use crate::rules::Stage;

use super::dealt::Dealt;
use super::state::{Asks, Made, Shown};

/// A choice made by a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A legal move.
    Move(Move),
    /// Buys the stage of the stake on offer.
    Buy,
    /// Declines it.
    Decline,
    /// Gives up.
    Resign,
}

impl Choice {
    /// Returns the move in notation, or `buy`, `decline`, `resign`.
    pub fn word(self, reserves: usize) -> String {
        match self {
            Choice::Move(m) => m.notation(reserves),
            Choice::Buy => "buy".into(),
            Choice::Decline => "decline".into(),
            Choice::Resign => "resign".into(),
        }
    }
}

/// A choice, and the strategy that made it, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Act {
    pub choice: Choice,
    pub by: Option<Arc<str>>,
}

/// Result of replaying choices.
pub(super) struct Stand<R> {
    /// What the closure returned for the position.
    pub looked: Option<R>,
    /// What the player has to decide there.
    pub asks: Asks,
    /// Choices made on the way.
    pub made: Vec<Made>,
    /// Face of a die rolled with the deal.
    pub dealt_roll: Option<u8>,
    /// Outcome of the game, or the one that giving up there would have.
    pub outcome: Outcome,
    /// For each legal move by index, whether it would end the game as barren.
    pub barren: Vec<bool>,
    /// The choices and the events of chance, as records have them.
    pub words: String,
}

/// What happens after the last choice.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Then {
    /// The next choice is asked for.
    Ask,
    /// The player gives up, and declines every stage.
    Leave,
}

/// Replays choices and inspects the position after them, or the one in which the game ended.
pub(super) fn look<R>(
    dealt: &Dealt,
    acts: &[Act],
    then: Then,
    rng: &PlayerState,
    look: impl FnOnce(&View<'_>, &MoveList, Asks) -> R,
) -> Stand<R> {
    look_beside(dealt, acts, then, rng, &mut |_, _, _| (), look)
}

/// Callback that is shown a position, the legal moves, and what is asked.
pub(super) type Beside<'a> = &'a mut dyn FnMut(&View<'_>, &MoveList, Asks);

/// Like [`look`], with a callback for every choice.
pub(super) fn look_beside<R>(
    dealt: &Dealt,
    acts: &[Act],
    then: Then,
    rng: &PlayerState,
    beside: Beside<'_>,
    look: impl FnOnce(&View<'_>, &MoveList, Asks) -> R,
) -> Stand<R> {
    let rules = &*dealt.rules;
    let mut chance = dealt.chance();
    let mut game = Game::new(rules);
    let (mut look, mut looked) = (Some(look), None);
    let mut person = Person {
        acts,
        next: 0,
        then,
        beside,
        look: &mut |view, legal, asks| looked = look.take().map(|look| look(view, legal, asks)),
        made: Vec::new(),
        chosen: None,
        stake: None,
        dealt_roll: None,
        recorder: Recorder::new(rules),
        reserves: rules.spec().reserve.piles.into(),
    };
    game.deal_watched(dealt.deck.cards(), &mut chance, &mut person);
    let played = game.play_for_stakes(rng, &mut chance, &mut person);
    let (asks, outcome) = match played {
        Ok(outcome) => (Asks::Nothing, outcome),
        Err(asks) => (asks, Outcome { stake: person.stake, ..game.outcome() }),
    };
    // A choice that ended the game as barren was not carried out.
    if asks == Asks::Nothing
        && let Some((word, card)) = person.chosen.take()
    {
        person.made.push(Made { ended: true, ..person.describe(&word, card) });
    }
    let barren = game.legal().iter().map(|&m| game.would_be_barren(m)).collect();
    let Person { made, dealt_roll, recorder, .. } = person;
    Stand { looked, asks, made, dealt_roll, outcome, barren, words: recorder.moves() }
}

/// A player whose choices are given.
struct Person<'a> {
    acts: &'a [Act],
    next: usize,
    then: Then,
    beside: Beside<'a>,
    /// Called once, with the position after the last choice.
    look: Beside<'a>,
    made: Vec<Made>,
    /// The last chosen move, not yet made, with its card.
    chosen: Option<(String, Shown)>,
    stake: Option<Stake>,
    dealt_roll: Option<u8>,
    recorder: Recorder,
    reserves: usize,
}

impl Person<'_> {
    fn describe(&self, word: &str, card: Shown) -> Made {
        let act = self.next.checked_sub(1).and_then(|last| self.acts.get(last));
        Made::of(word.into(), card, act.and_then(|act| act.by.as_deref()).map(String::from))
    }

    /// Records the account and takes the next choice; inspects the position if none fits what is asked.
    fn next(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        asks: Asks,
        fits: impl FnOnce(Choice) -> bool,
    ) -> Result<Option<Choice>, Asks> {
        let staged = view.rules().casino.is_staged();
        self.stake = staged.then(|| view.purchases());
        let next = self.acts.get(self.next).map(|act| act.choice);
        if next.is_some() {
            (self.beside)(view, legal, asks);
        } else if self.then == Then::Leave {
            return Ok(None);
        }
        match next.filter(|&choice| fits(choice)) {
            Some(choice) => {
                self.next += 1;
                Ok(Some(choice))
            }
            None => {
                (self.look)(view, legal, asks);
                Err(asks)
            }
        }
    }
}

impl StagedAgent for Person<'_> {
    /// What is asked after the last choice.
    type Error = Asks;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Asks> {
        self.chosen = None;
        let place = |m: Move| legal.iter().position(|&other| other == m);
        let fits = |choice| match choice {
            Choice::Move(m) => place(m).is_some(),
            other => other == Choice::Resign,
        };
        Ok(match self.next(view, legal, Asks::Move, fits)? {
            Some(Choice::Move(m)) => {
                self.chosen = Some((m.notation(self.reserves), Shown::of(view.card(m))));
                place(m)
            }
            Some(_) => {
                self.made.push(Made { ended: true, ..self.describe("resign", Shown::of(None)) });
                None
            }
            None => None,
        })
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, Asks> {
        let asks = Asks::Stage { at: stage.at, cost: stage.cost };
        let answers = |choice| matches!(choice, Choice::Buy | Choice::Decline);
        let Some(choice) = self.next(view, legal, asks, answers)? else { return Ok(false) };
        let buys = choice == Choice::Buy;
        let ended = !buys && stage.at.stops();
        let made = self.describe(&choice.word(self.reserves), Shown::of(None));
        self.made.push(Made { stage: Some(stage.at), cost: Some(stage.cost), ended, ..made });
        if ended {
            self.chosen = None;
        }
        Ok(buys)
    }

    fn over(&mut self, view: &View<'_>) {
        (self.look)(view, &MoveList::new(), Asks::Nothing);
    }
}

impl Observer for Person<'_> {
    fn rolled(&mut self, face: u8) {
        self.recorder.rolled(face);
        match self.made.last_mut() {
            Some(made) => made.roll = Some(face),
            None => self.dealt_roll = Some(face),
        }
    }

    fn shuffled(&mut self, stock: &[Card]) {
        self.recorder.shuffled(stock);
        if let Some(made) = self.made.last_mut() {
            made.shuffled = true;
        }
    }

    fn moving(&mut self, table: &Table, legal: &MoveList, chosen: Move) {
        self.recorder.moving(table, legal, chosen);
        let (word, card) = self.chosen.take().unwrap_or((chosen.notation(self.reserves), Shown::of(None)));
        self.made.push(self.describe(&word, card));
    }
}
