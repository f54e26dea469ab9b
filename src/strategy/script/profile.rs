//! Measures how often each line of a script runs, and how long it takes.
//!
//! The script is interpreted, and followed step by step. So the measured time is that of the interpreter, in which every
//! operation is expensive; compiled code has a different profile.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use rhai::Position;

use crate::clock::Moment;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, View};
use crate::rules::StageAt;

use super::super::{Strategy, StrategyError};
use super::follow::starts;
use super::strategy::Script;

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
        let script = Script::followed(
            name,
            source,
            Rc::new(move |_, _, node| {
                if let Some(line) = lines.get(&node) {
                    to.note(Some(*line));
                }
            }),
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

    fn stage(
        &mut self,
        view: &View<'_>,
        legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        let buys = self.script.stage(view, legal, at, cost);
        self.profile.pause();
        buys
    }
}
