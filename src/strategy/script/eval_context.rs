//! What the names of the game read and change while a script runs.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use crate::game::{Lookahead, Move, Snapshot, View};

use super::handles::{Fault, MoveHandle, ViewHandle};
use super::limits::MAX_PRINTED;
use super::meter::Meter;
use super::module::Module;

/// The state shared by the names of an engine. A script's own values hold no part of it, so none of them outlives a
/// decision.
pub struct EvalContext {
    pub position: RefCell<Snapshot>,
    pub meter: Meter,
    pub printed: RefCell<Prints>,
    pub players: Rc<dyn Players>,
    /// The script, once it is loaded.
    pub module: OnceCell<Rc<Module>>,
    /// The costs of reading the long constants of the script.
    pub constants: RefCell<Vec<(String, u64)>>,
}

/// The state of an engine, shared by its names.
pub type Context = Rc<EvalContext>;

/// What a player is asked in a position.
#[derive(Clone, Copy)]
pub enum Task<'a> {
    /// The cards that go up when it plays this sampled deal to the end.
    Playout(&'a Lookahead, u64),
    /// The move that it would choose, unless it would resign.
    Choice(&'a Lookahead),
}

/// What a player answers: what was not asked for is 0 or `None`.
#[derive(Default)]
pub struct Answer {
    pub cards: i64,
    pub chosen: Option<Move>,
}

/// The players that a script may ask.
pub trait Players {
    /// Asks the player of a name.
    fn ask(&self, context: &EvalContext, task: Task<'_>, name: &str) -> Result<Answer, Fault>;

    /// Explains why a strategy of the shelf cannot be asked by a method, if it cannot, and what is allowed.
    fn refused(&self, method: &str, name: &str) -> Option<(String, Option<String>)>;

    /// Returns players for a variant of the script, none of which has been asked yet.
    fn fresh(&self) -> Rc<dyn Players>;
}

impl EvalContext {
    /// Calls `f` with a view, and with its position if it belongs to a lookahead.
    #[inline(always)]
    pub fn look<T>(
        &self,
        view: &ViewHandle,
        f: impl FnOnce(View<'_>, Option<&Lookahead>) -> T,
    ) -> Result<T, Fault> {
        let position = self.position.borrow();
        match &view.0 {
            Some(ahead) => Ok(f(ahead.view(position.rng()), Some(ahead))),
            None => Ok(f(position.view().ok_or("there is no game to look at yet")?, None)),
        }
    }

    /// Calls `f` with a move and its view, and with the position of that if it belongs to a lookahead.
    #[inline(always)]
    pub fn look_at_move<T>(
        &self,
        m: &MoveHandle,
        f: impl FnOnce(Move, View<'_>, Option<&Lookahead>) -> T,
    ) -> Result<T, Fault> {
        let position = self.position.borrow();
        let (moves, view) = match &m.of {
            None => (position.moves(), position.view()),
            Some(ahead) => (ahead.moves(), Some(ahead.view(position.rng()))),
        };
        match (moves.get(usize::from(m.index)), view) {
            (Some(&it), Some(view)) => Ok(f(it, view, m.of.as_deref())),
            _ => Err("there is no such move".into()),
        }
    }

    /// Returns a move in notation.
    pub fn notation(&self, m: &MoveHandle) -> Result<String, Fault> {
        self.look_at_move(m, |m, view, _| m.notation(view.rules().reserve.piles as usize))
    }
}

#[derive(Debug, Default)]
pub struct Prints {
    text: String,
    /// Whether a line did not fit: nothing after it is kept.
    pub is_full: bool,
}

impl Prints {
    /// Keeps lines while there is room. The first that does not fit is cut to an ellipsis.
    pub fn keep(&mut self, lines: &str) {
        if self.is_full {
            return;
        }
        self.is_full = self.text.len() + lines.len() >= MAX_PRINTED;
        self.text.push_str(if self.is_full { "..." } else { lines });
        self.text.push('\n');
    }

    pub fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    pub fn len(&self) -> usize {
        self.text.len()
    }

    pub fn cut(&mut self, len: usize) {
        if self.text.len() > len {
            self.text.truncate(len);
            self.is_full = false;
        }
    }
}
