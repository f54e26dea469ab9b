//! Positions of recorded games, and the moves a strategy must choose in them.
//!
//! `file` reads them and reports every fault; [`try_positions`] runs the strategy.

mod file;

use std::ops::Range;
use std::sync::Arc;

use crate::crash::guard;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{Move, MoveList, Observer, PlayerState, Record, Table, View};
use crate::rules::{Loaded, Rules};
use crate::strategy::{Strategy, StrategyError, StrategySource};

pub use file::read_positions;

/// The word for deciding not to move.
const RESIGN: &str = "resign";

/// Positions of recorded games, with the moves a strategy must choose.
#[derive(Debug)]
pub struct Positions {
    /// The file.
    pub source: Arc<SourceText>,
    /// The strategy to test.
    pub strategy: StrategySource,
    /// The positions, in the order of the file.
    pub all: Vec<Position>,
    /// The rulesets of the records.
    rulesets: Vec<Loaded>,
}

/// A position of a recorded game.
#[derive(Clone, Debug)]
pub struct Position {
    /// Description; empty if the file gives none.
    pub about: String,
    /// Number of the move made in the position, from 1.
    pub number: usize,
    record: Record,
    /// Index of its rules among the rulesets.
    rules: usize,
    /// Moves one of which must be chosen, if not empty.
    must: Words,
    /// Moves that must not be chosen.
    must_not: Words,
    /// Location in the file of the position and its number.
    at: Range<usize>,
    number_at: Range<usize>,
}

/// Moves as written in a file, and the location of the list.
#[derive(Clone, Debug, Default)]
struct Words {
    list: Vec<String>,
    at: Range<usize>,
}

/// Choice of a strategy in a position.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Line of the position in the file.
    pub line: usize,
    /// The move, or `resign`; `None` if the script failed.
    pub chosen: Option<String>,
    /// The failed requirement, if any.
    pub failure: Option<Diagnostic>,
}

/// Reason why positions could not be tested.
#[derive(Debug)]
pub enum TryError {
    /// All the faults in the file's requirements.
    Faults(Vec<Diagnostic>),
    /// The program was interrupted.
    Interrupted,
}

/// Runs the strategy on all positions. It plays along from the start of each record, so that what it remembers and
/// its random numbers are as if it had played the game itself.
///
/// # Errors
/// Moves that are illegal in their positions, or an interruption.
pub fn try_positions(positions: &Positions) -> Result<Vec<Tried>, TryError> {
    let (mut tried, mut faults) = (Vec::new(), Vec::new());
    let source = &positions.source;
    // Earlier moves affect a script only through what it remembers and the random numbers it draws.
    let text = positions.strategy.script().map(|script| &*script.text);
    let follows = text.is_none_or(|text| ["memory", "random"].iter().any(|word| text.contains(word)));
    for position in &positions.all {
        let rules = &positions.rulesets[position.rules].rules;
        let asked = Follower::followed(position, rules, positions.strategy.instantiate(), follows);
        let (line, _) = Diagnostic::error(source, position.at.clone(), "").position();
        if position.number > asked.moves {
            let message =
                format!("the game has {} moves, so there is no move {}", asked.moves, position.number);
            let fault = Diagnostic::error(source, position.number_at.clone(), message);
            faults.push(fault.help(format!("allowed: 1 to {}, the moves of the record", asked.moves)));
            continue;
        }
        match asked.decided {
            None => {}
            Some(Err(StrategyError::Interrupted)) => return Err(TryError::Interrupted),
            Some(Err(error)) => {
                let failure = Some(failed(positions, position, &error));
                tried.push(Tried { line, chosen: None, failure });
            }
            Some(Ok(chosen)) => {
                faults.extend(unknown(source, position, &asked.legal));
                let failure = judged(positions, position, &chosen, &asked.legal);
                tried.push(Tried { line, chosen: Some(chosen), failure });
            }
        }
    }
    if faults.is_empty() { Ok(tried) } else { Err(TryError::Faults(faults)) }
}

/// Observer that follows a game and asks a strategy for its decision in a position.
struct Follower<'r> {
    rules: &'r Rules,
    rng: PlayerState,
    strategy: Box<dyn Strategy>,
    /// Number of the position's move.
    number: usize,
    /// Whether the strategy is asked at the earlier moves too.
    follows: bool,
    /// Number of moves so far.
    moves: usize,
    legal: Vec<String>,
    /// The decision; `None` if the record is shorter.
    decided: Option<Result<String, StrategyError>>,
}

impl<'r> Follower<'r> {
    /// Follows the record of a position.
    fn followed(position: &Position, rules: &'r Rules, strategy: Box<dyn Strategy>, follows: bool) -> Self {
        let record = &position.record;
        let rng = PlayerState::new(record.seed.or(record.chance).unwrap_or(0), record.game);
        let (number, moves, legal, decided) = (position.number, 0, Vec::new(), None);
        let mut follower = Follower { rules, rng, strategy, number, follows, moves, legal, decided };
        // The record was validated when it was read.
        let _ = record.replay(rules, &mut follower);
        follower
    }
}

impl Observer for Follower<'_> {
    fn moving(&mut self, table: &Table, legal: &MoveList, _made: Move) {
        self.moves += 1;
        let here = self.moves == self.number;
        if self.decided.is_some() || !here && (!self.follows || self.moves > self.number) {
            return;
        }
        let view = View::new(table, self.rules, &self.rng);
        let decided = guard(|| self.strategy.decide(&view, legal))
            .unwrap_or_else(|crash| Err(StrategyError::Crashed(Box::new(crash))));
        let reserves = self.rules.spec().reserve.piles as usize;
        let named = |m: &Move| m.notation(reserves);
        match decided {
            Err(error) => self.decided = Some(Err(error)),
            Ok(chosen) if here => {
                let chosen = chosen.and_then(|index| legal.get(index));
                self.legal = legal.iter().map(named).collect();
                self.decided = Some(Ok(chosen.map_or(RESIGN.to_string(), named)));
            }
            Ok(_) => {}
        }
    }
}

/// Reports moves of the file that are illegal in the position.
fn unknown(source: &Arc<SourceText>, position: &Position, legal: &[String]) -> Vec<Diagnostic> {
    let is_known = |word: &String| word == RESIGN || legal.contains(word);
    let lists = [("must", &position.must), ("must_not", &position.must_not)];
    let wrong = lists.into_iter().flat_map(|(key, words)| {
        let unknown = words.list.iter().filter(|word| !is_known(word));
        unknown.map(move |word| (key, word, words.at.clone()))
    });
    wrong
        .map(|(key, word, at)| {
            let number = position.number;
            let message = format!("`{key}` names `{word}`, which is not legal at move {number}");
            Diagnostic::error(source, at, message)
                .help(format!("legal there: {}; or `{RESIGN}`", legal.join(", ")))
        })
        .collect()
}

/// Returns the failure if a choice violates the requirements.
fn judged(positions: &Positions, position: &Position, chosen: &str, legal: &[String]) -> Option<Diagnostic> {
    let has = |words: &Words| words.list.iter().any(|word| word == chosen);
    let list = |words: &Words| {
        let quoted: Vec<String> = words.list.iter().map(|word| format!("`{word}`")).collect();
        quoted.join(" or ")
    };
    let (Position { number, must, must_not, about, .. }, name) = (position, positions.strategy.name());
    let (at, wanted) = match () {
        () if !must.list.is_empty() && !has(must) => (must, format!("it must choose {}", list(must))),
        () if has(must_not) => (must_not, format!("it must not choose {}", list(must_not))),
        () => return None,
    };
    let message = format!("`{name}` chooses `{chosen}` at move {number}; {wanted}");
    let about = if about.is_empty() { String::new() } else { format!("{about}; ") };
    let help = format!("{about}legal there: {}", legal.join(", "));
    Some(Diagnostic::error(&positions.source, at.at.clone(), message).help(help))
}

/// Returns the failure of a script that did not decide.
fn failed(positions: &Positions, position: &Position, error: &StrategyError) -> Diagnostic {
    let source = &positions.source;
    let (line, _) = Diagnostic::error(source, position.at.clone(), "").position();
    match error {
        StrategyError::Script(fault) => {
            let place = format!("in the game of {}:{line}, up to move {}", source.name, position.number);
            let help = fault.help.as_ref().map_or(place.clone(), |help| format!("{help}; {place}"));
            fault.as_ref().clone().help(help)
        }
        other => Diagnostic::error(source, position.at.clone(), other.to_string()),
    }
}
