//! What a script does line by line: how often each line runs and how long it takes, which of them gave each score, and
//! what its variables hold there.
//!
//! The script is interpreted, and followed step by step. So the measured time is that of the interpreter, in which every
//! operation is expensive; compiled code has a different profile.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use rhai::{Dynamic, Position, Scope};

use crate::clock::Moment;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, View};
use crate::rules::Stage;

use super::super::{Strategy, StrategyError};
use super::api::EvalContext;
use super::module::{Form, Start, starts};
use super::strategy::Script;
use super::value::{MoveHandle, SeatHandle, ViewHandle, show_char};

/// Profile of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineProfile {
    /// How often it ran.
    pub runs: u64,
    /// Its time, excluding that of what it calls.
    pub time: Duration,
}

/// Profile of all lines so far.
#[derive(Debug)]
pub struct Profile {
    lines: RefCell<Vec<Option<LineProfile>>>,
    last: Cell<Option<(usize, Moment)>>,
}

impl Profile {
    /// Returns the lines in order, from the first; `None` for one on which no statement begins.
    pub fn lines(&self) -> Vec<Option<LineProfile>> {
        self.lines.borrow().clone()
    }

    /// Pauses the measurement: time between two decisions belongs to no line.
    fn pause(&self) {
        self.note(None);
    }

    fn note(&self, line: Option<usize>) {
        let now = Moment::now();
        let mut lines = self.lines.borrow_mut();
        let before = self.last.replace(line.map(|line| (line, now)));
        if let Some((line, since)) = before
            && let Some(Some(line)) = lines.get_mut(line)
        {
            line.time += now.since(since);
        }
        if let Some(Some(line)) = line.and_then(|line| lines.get_mut(line)) {
            line.runs += 1;
        }
    }
}

/// A script that records which of its lines run.
pub struct Profiled {
    pub(super) script: Script,
    profile: Rc<Profile>,
}

impl Profiled {
    /// Loads a script, and returns it with the profile of its lines.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<(Profiled, Rc<Profile>), Vec<Diagnostic>> {
        let starts = starts(Script::interpreted(name, source)?.module());
        let mut lines = vec![None; source.text.lines().count()];
        starts.iter().for_each(|start| lines[start.line] = Some(LineProfile::default()));
        let profile = Rc::new(Profile { lines: RefCell::new(lines), last: Cell::new(None) });
        let to = profile.clone();
        let lines: BTreeMap<Position, usize> = starts.iter().map(|it| (it.node, it.line)).collect();
        let script = Script::load(
            name,
            source,
            false,
            Some(Rc::new(move |_, _, node| {
                if let Some(line) = lines.get(&node) {
                    to.note(Some(*line));
                }
            })),
        )?;
        Ok((Profiled { script, profile: profile.clone() }, profile))
    }
}

impl Strategy for Profiled {
    fn name(&self) -> &str {
        self.script.name()
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let decided = self.script.decide(view, legal);
        self.profile.pause();
        decided
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        let buys = self.script.buys(view, legal, stage);
        self.profile.pause();
        buys
    }
}

/// Maximum number of traces per score, of characters per value, and of elements of a list.
const MOST_TRACED: usize = 200;
const LONGEST: usize = 200;
const MOST_ELEMENTS: usize = 20;

/// Explanation of a score.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explanation {
    /// The last line of the deciding function that ran, from 1: it gave the value.
    pub line: Option<usize>,
    /// The variables and their values each time the traced line was reached.
    pub traced: Vec<String>,
}

/// A script that explains its scores.
pub struct Explained {
    pub(super) script: Script,
    told: Rc<RefCell<Vec<Explanation>>>,
    form: Form,
}

impl Explained {
    /// Loads a script; `trace` is the line, from 1, whose variables are shown.
    ///
    /// # Errors
    /// Returns every fault of the script, or that no statement begins on that line.
    pub fn new(
        name: &str,
        source: &Arc<SourceText>,
        trace: Option<usize>,
    ) -> Result<Explained, Vec<Diagnostic>> {
        let script = Script::interpreted(name, source)?;
        let (entry, form) = script.entry();
        let (body, starts) = (entry.body.clone(), starts(script.module()));
        if let Some(traced) = trace.filter(|traced| starts.iter().all(|start| start.line + 1 != *traced)) {
            return Err(vec![nothing_on(source, traced, &starts)]);
        }
        let told = Rc::new(RefCell::new(Vec::<Explanation>::new()));
        let to = told.clone();
        let starts: BTreeMap<Position, Start> = starts.into_iter().map(|it| (it.node, it)).collect();
        let script = Script::load(
            name,
            source,
            false,
            Some(Rc::new(move |context, step, node| {
                let mut told = to.borrow_mut();
                let (Some(Start { line, at, .. }), Some(last)) = (starts.get(&node), told.last_mut()) else {
                    return;
                };
                if body.contains(at) {
                    last.line = Some(line + 1);
                }
                if trace == Some(line + 1) && last.traced.len() < MOST_TRACED {
                    last.traced.push(variables(context, step.scope()));
                }
            })),
        )?;
        Ok(Explained { script, told, form })
    }

    /// Explains the score of each legal move, or the choice of a script that chooses.
    ///
    /// # Errors
    /// Returns the fault of the script.
    pub fn explain(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Vec<Explanation>, StrategyError> {
        self.told.borrow_mut().clear();
        let begin = || self.told.borrow_mut().push(Explanation::default());
        match self.form {
            Form::Score => self.script.interpreter.scores(view, legal, begin).map(drop),
            Form::Choose => {
                begin();
                self.script.decide(view, legal).map(drop)
            }
        }?;
        self.script.printed();
        Ok(self.told.take())
    }
}

fn nothing_on(source: &Arc<SourceText>, line: usize, starts: &[Start]) -> Diagnostic {
    let mut near: Vec<usize> = starts.iter().map(|start| start.line + 1).collect();
    near.sort_by_key(|other| other.abs_diff(line));
    near.truncate(3);
    near.sort_unstable();
    let near: Vec<String> = near.iter().map(ToString::to_string).collect();
    let at = source.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let message = format!("no statement begins on line {line}");
    let help =
        format!("a line that is traced is one on which a statement begins, such as {}", near.join(", "));
    Diagnostic::error(source, at..at, message).help(help)
}

/// Writes the variables in sight with their values, outer ones first.
fn variables(context: &EvalContext, scope: &Scope<'_>) -> String {
    let mut all: Vec<(&str, &Dynamic)> = Vec::new();
    // The innermost come first here.
    for (name, _, value) in scope.iter_raw() {
        if all.iter().all(|(known, _)| *known != name) {
            all.push((name, value));
        }
    }
    let mut line = String::new();
    for (name, value) in all.into_iter().rev() {
        if line.len() < 8 * LONGEST {
            let between = if line.is_empty() { "" } else { ", " };
            line.push_str(&format!("{between}{name} = {}", shown(context, value)));
        }
    }
    line
}

fn shown(context: &EvalContext, value: &Dynamic) -> String {
    if let Ok(all) = value.as_array_ref() {
        let each: Vec<String> = all.iter().take(MOST_ELEMENTS).map(|value| shown(context, value)).collect();
        let more = if all.len() > MOST_ELEMENTS { ", .." } else { "" };
        return format!("[{}{more}]", each.join(", ")).chars().take(8 * LONGEST).collect();
    }
    let text = if let Ok(c) = value.as_char() {
        show_char(c)
    } else if let Some(view) = value.read_lock::<ViewHandle>() {
        view.0.as_ref().map_or("the view".into(), |ahead| ahead.in_words())
    } else if let Some(seat) = value.read_lock::<SeatHandle>() {
        format!("seat {}", seat.seat + 1)
    } else if let Some(m) = value.read_lock::<MoveHandle>() {
        context.notation(&m).unwrap_or_else(|_| "a move".into())
    } else if value.is_unit() {
        "()".into()
    } else if value.is_string() {
        format!("{value:?}")
    } else {
        value.to_string()
    };
    text.chars().take(LONGEST).collect()
}

#[cfg(test)]
mod tests {
    use super::super::SHELF;
    use super::super::tests::{at_the_deal, play, rulesets, sound, source};
    use super::*;

    const EXPLAINED: &str = "fn score(view, m) {
    if m.to_foundation { return 100; }
    let sum = 2;
    for (i, n) in 0..3 {
        let twice = i * 2;
        sum += twice;
    }
    if m.is_draw {
        sum
    } else {
        let c = m.card;
        helped(c, [sum, n_of(view)])
    }
}
fn n_of(view) {
    view.reserve_left
}
fn helped(c, list) {
    let rank = if c == () { 0 } else { c.rank };
    rank + list[0]
}
";

    fn explained(trace: Option<usize>) -> (Vec<Explanation>, Vec<i64>, MoveList) {
        let mut explained = Explained::new("test", &source(EXPLAINED), trace).unwrap();
        at_the_deal(3, |view, legal| {
            let scores = sound(EXPLAINED).scores(view, legal).unwrap().unwrap();
            (explained.explain(view, legal).unwrap(), scores, legal.clone())
        })
    }

    #[test]
    fn each_score_has_the_line_that_gave_it() {
        let (told, scores, legal) = explained(None);
        assert_eq!(told.len(), legal.len());
        let mut lines = Vec::new();
        for ((told, score), m) in told.iter().zip(scores).zip(legal.iter()) {
            let wanted = match score {
                100 => 2,
                _ if m.is_draw() => 9,
                _ => 12,
            };
            assert_eq!(told.line, Some(wanted), "{m:?}");
            assert!(told.traced.is_empty());
            lines.push(wanted);
        }
        assert_eq!(lines, [2, 12, 9]);
    }

    #[test]
    fn a_traced_line_shows_what_its_variables_hold() {
        let (told, _, legal) = explained(Some(6));
        let draw = legal.iter().position(|m| m.is_draw()).unwrap();
        assert_eq!(
            told[draw].traced,
            [
                "view = the view, m = draw, sum = 2, n = 0, i = 0, twice = 0",
                "view = the view, m = draw, sum = 2, n = 1, i = 1, twice = 2",
                "view = the view, m = draw, sum = 4, n = 2, i = 2, twice = 4",
            ]
        );
        // In a called function, its own variables and no others.
        let (told, _, _) = explained(Some(20));
        let shown: Vec<&String> = told.iter().flat_map(|it| &it.traced).collect();
        assert!(!shown.is_empty());
        for line in shown {
            assert!(line.starts_with("c = ") && line.contains(", list = [8, 13], rank = "), "{line}");
        }
    }

    #[test]
    fn a_script_that_chooses_has_one_explanation() {
        let text = "fn choose(view) {\n    for m in view.moves {\n        if m.is_draw {\n            return m;\n        }\n    }\n    ()\n}\n";
        let mut explained = Explained::new("test", &source(text), Some(3)).unwrap();
        let (told, legal) =
            at_the_deal(3, |view, legal| (explained.explain(view, legal).unwrap(), legal.clone()));
        let [told] = &told[..] else { panic!("{told:?}") };
        assert_eq!(told.line, Some(4));
        assert_eq!(told.traced.len(), legal.len());
        assert!(told.traced[0].starts_with("view = the view, m = "), "{told:?}");
    }

    const PROFILED: &str = "const LATE = 3;
fn score(view, m) {
    if m.to_foundation { return 100; }
    let sum = 0;
    for i in 0..4 {
        sum += i;
    }
    if sum == 7 {
        sum = 1;
    } else if m.is_draw {
        // Nothing.
        sum -= 1
    } else {
        sum += switch m.count {
            0 => -2,
            _ => { helped(m) }
        };
    }
    (sum + 1) * 2
}
fn helped(m) {
    (m.count)
        + m.source
}
";

    #[test]
    fn lines_are_counted_and_decisions_stay_the_same() {
        let rules = &rulesets()[0];
        let (mut profiled, profile) = Profiled::new("test", &source(PROFILED)).unwrap();
        let mut plain = sound(PROFILED);
        for game in 0..5 {
            assert_eq!(play(rules, &mut profiled, game), play(rules, &mut plain, game));
        }
        let runs: Vec<Option<u64>> = profile.lines().iter().map(|line| line.map(|line| line.runs)).collect();
        assert_eq!(runs.len(), PROFILED.lines().count());
        let at = |line: usize| runs[line - 1].unwrap_or_else(|| panic!("line {line} has no statement"));
        for none in [1, 2, 7, 10, 11, 13, 15, 18, 20, 21, 23, 24] {
            assert_eq!(runs[none - 1], None, "line {none}");
        }
        assert_eq!(at(5), at(4));
        assert_eq!(at(6), 4 * at(5));
        assert_eq!(at(9), 0);
        assert_eq!(at(12) + at(14), at(8));
        assert!(at(22) > 0 && at(22) < at(14) && at(3) > at(4));
        assert!(profile.lines().iter().flatten().any(|line| !line.time.is_zero()));
    }

    /// Following a script uses none of its budget.
    #[test]
    fn notes_cost_no_operations() {
        let texts = [PROFILED]
            .into_iter()
            .chain(SHELF.iter().map(|(_, text)| *text).filter(|it| !it.contains(".playout(")));
        for text in texts {
            let (mut profiled, _) = Profiled::new("test", &source(text)).unwrap();
            let mut plain = Script::interpreted("test", &source(text)).unwrap();
            for game in 0..3 {
                assert_eq!(play(&rulesets()[0], &mut profiled, game), play(&rulesets()[0], &mut plain, game));
                assert_eq!(profiled.script.operations(), plain.operations(), "{text}");
            }
        }
    }
}
