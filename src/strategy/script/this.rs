//! Charges for `this`.
//!
//! A variable is checked when it is read: its price, and whether it is too large. `this` is not a variable, and the
//! engine reads it without a callback. So if a script uses it, the engine's steps are followed.

use std::cell::OnceCell;
use std::rc::Rc;

use rhai::debugger::{Debugger, DebuggerCommand};
use rhai::{AST, ASTNode, Engine, Expr, Stmt};

use super::eval_context::Context;
use super::walk::walk_all;

/// Charges for `this` in a script like for a variable, wherever it is read or changed.
pub fn count(engine: &mut Engine, context: &Context, ast: &AST) {
    let mut uses = false;
    walk_all(ast, &mut |node| uses |= is_this(node));
    if !uses {
        return;
    }
    let to = context.clone();
    let empty: Rc<OnceCell<Debugger>> = Rc::default();
    let first = empty.clone();
    #[allow(deprecated)]
    engine.register_debugger(
        move |_, debugger| first.get_or_init(|| debugger).clone(),
        move |mut context, _, node, _, _| {
            // The engine records copies of the arguments of functions, and copies them again with each closure call.
            let debugger = context.global_runtime_state_mut().debugger_mut();
            if !debugger.call_stack().is_empty() {
                let mut given = debugger.call_stack().iter().flat_map(|call| call.args.iter());
                given.try_for_each(|value| to.meter.read(value))?;
                empty.get().into_iter().for_each(|empty| *debugger = empty.clone());
            }
            if let Some(this) = context.this_ptr().filter(|_| is_this(&node)) {
                to.meter.read(this)?;
            }
            Ok(DebuggerCommand::StepInto)
        },
    );
}

fn is_this(node: &ASTNode<'_>) -> bool {
    match node {
        ASTNode::Expr(Expr::ThisPtr(_)) => true,
        ASTNode::Stmt(Stmt::Assignment(x)) => matches!(x.1.lhs, Expr::ThisPtr(_)),
        _ => false,
    }
}
