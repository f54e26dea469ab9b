//! What compiled code calls and is not compiled.

use crate::game::{MoveList, View};

use super::compiled::{Bailout, Given, Interpret};
use super::interpreter::Interpreter;

/// Runs functions that are not compiled, in the position of a decision.
pub struct Bridge<'a> {
    pub interpreter: &'a mut Interpreter,
    pub view: &'a View<'a>,
    pub legal: &'a MoveList,
    /// Operations that the functions took.
    pub took: u64,
}

impl Interpret for Bridge<'_> {
    fn call(
        &mut self,
        function: usize,
        depth: usize,
        arguments: &[Given],
        operations: u64,
    ) -> Result<(Given, u64), Bailout> {
        let (given, after) =
            self.interpreter.call((self.view, self.legal), function, depth, arguments, operations)?;
        self.took += after.saturating_sub(operations);
        Ok((given, after))
    }
}
