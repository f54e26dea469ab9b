//! Calls from compiled code to what is not compiled.

use crate::game::{MoveList, View};

use super::compiled::{Bailout, Given, Interpret};
use super::interpreter::Interpreter;

/// Runs interpreted functions, in the position of a decision.
pub struct Bridge<'a> {
    pub interpreter: &'a mut Interpreter,
    pub view: &'a View<'a>,
    pub legal: &'a MoveList,
    /// Operations used by the functions.
    pub took: u64,
    /// Whether the position is on the desk and the meter is counting for this decision.
    begun: bool,
}

impl<'a> Bridge<'a> {
    pub fn new(interpreter: &'a mut Interpreter, view: &'a View<'a>, legal: &'a MoveList) -> Bridge<'a> {
        Bridge { interpreter, view, legal, took: 0, begun: false }
    }

    /// Returns whether this is the first call in the decision.
    fn begins(&mut self) -> bool {
        !std::mem::replace(&mut self.begun, true)
    }
}

impl Interpret for Bridge<'_> {
    fn call(
        &mut self,
        function: usize,
        depth: usize,
        arguments: &[Given],
        operations: u64,
    ) -> Result<(Given, u64), Bailout> {
        let begins = self.begins();
        let position = (self.view, self.legal);
        let called = self.interpreter.call((position, begins), function, depth, arguments, operations);
        let (given, after) = called?;
        self.took += after.saturating_sub(operations);
        Ok((given, after))
    }

    fn play_on(
        &mut self,
        player: usize,
        m: Option<i64>,
        k: i64,
        operations: u64,
    ) -> Result<(i64, u64), Bailout> {
        let k = u64::try_from(k).map_err(|_| Bailout)?;
        let m = m.map(usize::try_from).transpose().map_err(|_| Bailout)?;
        if self.begins() {
            self.interpreter.begin((self.view, self.legal));
        }
        let m = m.map(|m| self.legal.get(m).copied().ok_or(Bailout)).transpose()?;
        let (cards, after) = self.interpreter.play_on(m, k, player, operations)?;
        self.took += after.saturating_sub(operations);
        Ok((cards, after))
    }
}
