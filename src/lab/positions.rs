//! Positions of recorded games, and the moves a strategy must choose in them.
//!
//! A file has one table `[[position]]` for each, with a record and the number of a move; [`try_positions`] runs the
//! strategy.

use std::io::BufReader;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::crash::guard;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::files::{self, MOST_RECORDS, reason};
use crate::game::{Move, MoveList, Observer, PlayerState, Record, Table, View};
use crate::players;
use crate::rules::file::{At, Field, FileKind, Key, Nested, Node, Reader, Reading, Shape, defs, keys, read};
use crate::rules::find::{Origin, Shelf, beside};
use crate::rules::{self, Loaded, Rules};
use crate::strategy::{Strategy, StrategyError, StrategySource};

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

/// Runs the strategy on all positions. It plays along from the start of each record, as if it had played the game
/// itself. Fails if moves of the file are illegal in their positions, and without a fault if the program is
/// interrupted.
pub fn try_positions(positions: &Positions) -> Result<Vec<Tried>, Vec<Diagnostic>> {
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
            Some(Err(StrategyError::Interrupted)) => return Err(Vec::new()),
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
    if faults.is_empty() { Ok(tried) } else { Err(faults) }
}

/// Observer that follows a game and asks a strategy for its decision in a position.
struct Follower<'r> {
    rules: &'r Rules,
    rng: PlayerState,
    strategy: Box<dyn Strategy>,
    number: usize,
    /// Whether the strategy is asked at the earlier moves too.
    follows: bool,
    moves: usize,
    legal: Vec<String>,
    /// The decision; `None` if the record is shorter.
    decided: Option<Result<String, StrategyError>>,
}

impl<'r> Follower<'r> {
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

/// Maximum number of positions in a file and of moves in a list, and maximum line and move number.
const MOST: usize = 1_000;
const MOST_WORDS: usize = 100;
const LAST: i64 = 100_000_000;
const LONGEST: u64 = 1 << 20;

/// Allowed forms of a record, for errors.
const RECORDS: &str =
    "allowed: a record as `saratoga replay --json` prints it, or the path of a file of records";

#[derive(Default)]
struct DraftPosition {
    about: String,
    record: At<String>,
    line: At<Option<u32>>,
    number: At<u32>,
    must: Words,
    must_not: Words,
}

#[derive(Default)]
struct Draft {
    name: String,
    about: String,
    strategy: At<Option<String>>,
    positions: Vec<DraftPosition>,
}

const KEYS: &[Key<Draft>] = keys! { Draft:
    "about" = about, Shape::Text, "What these positions are, in a line or more.";
    "strategy" = strategy, Shape::Name,
        "Who is asked: the path of a script from this file, or a name; the script with this file's name if \
         left out.";
    "position" = positions, Shape::Tables(defs::<DraftPosition>), "The positions.";
};

impl Nested for DraftPosition {
    const KEYS: &'static [Key<DraftPosition>] = keys! { DraftPosition:
        "position.about" = about, Shape::Text, "What it is about, in a line.";
        "position.record" = record, Shape::Text,
            "A record, as `replay --json` prints it, or the path from this file of a file of records.";
        "position.line" = line, Shape::Whole(1, LAST), "The line of the file of records; 1 if left out.";
        "position.move" = number, Shape::Whole(1, LAST),
            "The number of a move of the record, from 1: the position is the one in which it was made.";
        "position.must" = must, Shape::Texts, "One of these moves must be chosen.";
        "position.must_not" = must_not, Shape::Texts, "None of these moves may be chosen.";
    };
    const NEEDED: &'static [(&'static str, &'static str)] =
        &[("record", "record = \"games.jsonl\""), ("move", "move = 12")];
}

impl Field for Words {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        self.at = node.span();
        reader.counted(node, MOST_WORDS) && self.list.read(reader, node)
    }

    fn write(&self, shape: Shape) -> Option<String> {
        self.list.write(shape)
    }
}

impl FileKind for Draft {
    type Whole = (StrategySource, Vec<Position>, Vec<Loaded>);

    const SHELF: Shelf = Shelf { what: "file of positions", example: "mine.toml", texts: &[] };
    const KEYS: &'static [Key<Draft>] = KEYS;
    const TABLES: &'static [(&'static str, &'static str)] = &[];
    const SECOND_NAME: Option<(&'static str, &'static str)> = None;
    const HINTS: &'static [(&'static str, &'static str)] = &[
        ("positions", "write one [[position]] for each"),
        ("test", "write one [[position]] for each"),
        ("script", "the key is `strategy`"),
        ("records", "the key is `record`, in a [[position]]"),
        ("extends", "a file of positions extends no other: copy what you need"),
    ];

    fn begin(&mut self, name: String) {
        self.name = name;
    }

    fn judge(reading: &mut Reading<Draft>, root: &Arc<SourceText>) -> Option<Self::Whole> {
        let drafts = std::mem::take(&mut reading.value.positions);
        let strategy = strategy(reading, root);
        if reading.unsound.contains("position") || reading.gaps.contains("") {
            return None;
        }
        let Some(place) = reading.places.get("position") else {
            let help = "add a [[position]] with a `record`, a `move` and what `must` be chosen for each";
            reading
                .faults
                .push(Diagnostic::error(root, 0..0, "there is no position in this file").help(help));
            return None;
        };
        if drafts.len() > MOST {
            let message = format!("there are {} positions", drafts.len());
            let fault = Diagnostic::error(root, place.value.clone(), message);
            reading.faults.push(fault.help(format!("allowed: at most {MOST}")));
            return None;
        }
        let places = place.items.clone();
        let (mut rulesets, mut positions) = (Vec::new(), Vec::new());
        for (draft, at) in drafts.into_iter().zip(places) {
            match position(draft, at, root, &mut rulesets) {
                Ok(position) => positions.push(position),
                Err(fault) => reading.faults.extend(fault),
            }
        }
        Some((strategy?, positions, rulesets))
    }
}

/// Reads a file of positions, the records it names and the strategy.
pub fn read_positions(source: SourceText) -> Result<Positions, Vec<Diagnostic>> {
    let name = source.name.clone();
    let document = read::<Draft>(source.clone(), Origin::file(&name))?;
    let source = document.sources.into_iter().next().unwrap_or_else(|| Arc::new(source));
    let (strategy, all, rulesets) = document.value;
    Ok(Positions { source, strategy, all, rulesets })
}

fn strategy(reading: &mut Reading<Draft>, root: &Arc<SourceText>) -> Option<StrategySource> {
    let At { value, at } = std::mem::take(&mut reading.value.strategy);
    let name = value.unwrap_or_else(|| format!("{}.rhai", reading.value.name));
    let error = match players::load_beside(&name, &root.name) {
        Ok(strategy) => return Some(strategy),
        Err(error) => error,
    };
    if !reading.unsound.contains("strategy") {
        match error.in_file() {
            Ok((message, help)) => reading.faults.push(Diagnostic::error(root, at, message).help(help)),
            Err(faults) => reading.faults.extend(faults),
        }
    }
    None
}

fn position(
    draft: DraftPosition,
    at: Range<usize>,
    root: &Arc<SourceText>,
    rulesets: &mut Vec<Loaded>,
) -> Result<Position, Vec<Diagnostic>> {
    let fault = |at: &Range<usize>, message: String, help: &str| {
        vec![Diagnostic::error(root, at.clone(), message).help(help)]
    };
    // A fault in a line is reported at the key that names the line.
    let of_line = if draft.line.value.is_some() { &draft.line.at } else { &draft.record.at };
    let of_record = |message: String| fault(of_line, message, RECORDS);
    if draft.must.list.is_empty() && draft.must_not.list.is_empty() {
        let help = "allowed: must = [\"W>F\"], must_not = [\"draw\"], or both";
        return Err(fault(&at, "a [[position]] needs `must` or `must_not`".into(), help));
    }
    if let Some(word) = draft.must.list.iter().find(|word| draft.must_not.list.contains(word)) {
        let message = format!("`{word}` must be chosen and must not");
        return Err(fault(&draft.must_not.at, message, "name it in one of the two lists"));
    }
    let (line, place) = record_text(&draft, root).map_err(|(at, message, help)| fault(at, message, &help))?;
    let record: Record = serde_json::from_str(&line).map_err(|error| {
        let message = error.to_string();
        let message = message.rsplit_once(" at line ").map_or(&*message, |(message, _)| message);
        of_record(format!("{place} is no record: {message}"))
    })?;
    let rules = ruleset(&record.rules, root, rulesets).map_err(|(message, help)| {
        vec![Diagnostic::error(root, of_line.clone(), format!("{place}: {message}")).help(help)]
    })?;
    record
        .check(&rulesets[rules].rules)
        .map_err(|wrong| of_record(format!("{place} is not sound: {wrong}")))?;
    let about = draft.about.trim().to_string();
    let number = draft.number.value as usize;
    let DraftPosition { number: At { at: number_at, .. }, must, must_not, .. } = draft;
    Ok(Position { about, number, record, rules, must, must_not, at, number_at })
}

/// Returns the text of a record and a name for it, or the key at fault, the reason, and what is allowed.
fn record_text<'d>(
    draft: &'d DraftPosition,
    root: &Arc<SourceText>,
) -> Result<(String, String), (&'d Range<usize>, String, String)> {
    let written = draft.record.value.trim();
    if written.starts_with('{') {
        return match draft.line.value {
            Some(_) => {
                let message = "`line` is for a file of records, and `record` is a record itself";
                Err((&draft.line.at, message.into(), "leave `line` out, or name a file in `record`".into()))
            }
            None => Ok((written.to_string(), "this".to_string())),
        };
    }
    let path = beside(written, &root.name);
    let shown = path.display().to_string();
    let number = draft.line.value.unwrap_or(1);
    match line_of(&path, number) {
        Ok(Ok(line)) => Ok((line, format!("line {number} of {shown}"))),
        Ok(Err(0)) => Err((&draft.record.at, format!("{shown} is empty"), RECORDS.into())),
        Ok(Err(lines)) => {
            let message = format!("{shown} has no line {number}");
            Err((&draft.line.at, message, format!("allowed: 1 to {lines}, the lines of {shown}")))
        }
        Err(message) => Err((&draft.record.at, format!("cannot read {shown}: {message}"), RECORDS.into())),
    }
}

/// Returns a line of a file, by its number from 1, or the number of lines if there are fewer.
fn line_of(path: &Path, number: u32) -> Result<Result<String, u32>, String> {
    let told = |error: std::io::Error| reason(&error);
    let file = files::open(path, MOST_RECORDS).map_err(told)?;
    let mut lines = files::after_bom(BufReader::new(file)).map_err(told)?;
    let mut bytes = Vec::new();
    for at in 1..=number {
        if !files::next_line(&mut lines, &mut bytes, LONGEST).map_err(told)? {
            return Ok(Err(at - 1));
        }
        if bytes.len() as u64 > LONGEST {
            return Err(format!("line {at} is longer than {LONGEST} bytes, too long for a game"));
        }
    }
    let line = String::from_utf8(bytes).map_err(|_| format!("line {number} is not UTF-8 text"))?;
    Ok(Ok(line))
}

/// Returns the index of a ruleset among those that were read, by its name in a record.
fn ruleset(
    name: &str,
    root: &Arc<SourceText>,
    rulesets: &mut Vec<Loaded>,
) -> Result<usize, (String, String)> {
    let loaded = match rules::load_beside(name, &root.name) {
        Ok(Ok(loaded)) => loaded,
        Ok(Err(_)) => {
            return Err((
                format!("the ruleset `{name}` has errors"),
                "`saratoga rules check` with its name lists them".into(),
            ));
        }
        Err(missing) => return Err((missing.message, missing.help)),
    };
    let known = rulesets.iter().position(|it| it.id == loaded.id && it.rules.spec() == loaded.rules.spec());
    Ok(known.unwrap_or_else(|| {
        rulesets.push(loaded);
        rulesets.len() - 1
    }))
}
