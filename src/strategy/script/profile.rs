//! How often each line of a script runs, and how long that takes.
//!
//! The script is interpreted with a call put before the first statement of each line. So what is measured is the
//! interpreter's time, in which every operation is dear; compiled code spends it elsewhere.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use rhai::Engine;

use crate::clock::Moment;
use crate::diagnostic::{Diagnostic, SourceText};

use super::limits::max_operations;
use super::load::load_with;
use super::meter::SharedMeter;
use super::notes::{NOTE_OPERATIONS, starts, written_into};
use super::strategy::Script;

/// The function that notes a line.
const NOTE: &str = "line_is_reached";

/// What a line came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineProfile {
    /// How often it ran.
    pub runs: u64,
    /// How long it took, what it calls apart.
    pub time: Duration,
}

/// What the lines of a script came to so far.
#[derive(Debug)]
pub struct Profile {
    lines: RefCell<Vec<Option<LineProfile>>>,
    last: Cell<Option<(usize, Moment)>>,
}

impl Profile {
    /// The lines in their order, from the first; `None` for one on which no statement begins.
    pub fn lines(&self) -> Vec<Option<LineProfile>> {
        self.lines.borrow().clone()
    }

    /// Begins to measure anew: what passes between two decisions is no line's.
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

/// A script that notes which of its lines run.
pub struct Profiled {
    script: Script,
    profile: Rc<Profile>,
}

impl Profiled {
    /// Reads a script, and what its lines come to.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<(Profiled, Rc<Profile>), Vec<Diagnostic>> {
        // Whatever is wrong with it is told of the text as it stands.
        let starts = starts(Script::interpreted(name, source)?.module());
        let mut lines = vec![None; source.text.lines().count()];
        starts.iter().for_each(|(line, _)| lines[*line] = Some(LineProfile::default()));
        let calls: Vec<_> = starts.iter().map(|(line, at)| (*at, format!("{NOTE}({line}); "))).collect();
        let profile = Rc::new(Profile { lines: RefCell::new(lines), last: Cell::new(None) });
        let text =
            Arc::new(SourceText { name: source.name.clone(), text: written_into(&source.text, &calls) });
        let (to, meter) = (profile.clone(), Rc::new(OnceCell::<SharedMeter>::new()));
        let counted = meter.clone();
        let loaded = load_with(&text, true, |engine: &mut Engine| {
            engine.register_fn(NOTE, move |line: i64| {
                to.note(usize::try_from(line).ok());
                counted.get().into_iter().for_each(|meter| meter.refund(NOTE_OPERATIONS));
            });
        })?;
        // The script may spend what it may without its notes, and so takes no more memory.
        meter.get_or_init(|| loaded.meter.clone());
        let script = Script::of(name, &text, loaded, max_operations());
        Ok((Profiled { script, profile: profile.clone() }, profile))
    }
}

#[cfg(test)]
impl Profiled {
    /// Operations of the last decision.
    pub(super) fn spent(&self) -> u64 {
        self.script.spent()
    }
}

impl super::super::Strategy for Profiled {
    fn name(&self) -> &str {
        self.script.name()
    }

    fn decide(
        &mut self,
        view: &crate::game::View<'_>,
        legal: &crate::game::MoveList,
    ) -> Result<Option<usize>, super::super::StrategyError> {
        let decided = self.script.decide(view, legal);
        self.profile.pause();
        decided
    }

    fn stage(
        &mut self,
        view: &crate::game::View<'_>,
        legal: &crate::game::MoveList,
        at: crate::rules::StageAt,
        cost: i64,
    ) -> Result<bool, super::super::StrategyError> {
        let buys = self.script.stage(view, legal, at, cost);
        self.profile.pause();
        buys
    }
}
