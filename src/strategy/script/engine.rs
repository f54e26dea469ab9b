//! The script engine and what a script may use of it.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Once;

use rhai::debugger::{Debugger, DebuggerCommand};
use rhai::packages::Package;
use rhai::{
    AST, ASTNode, Dynamic, Engine, EvalAltResult, Expr, LexError, OptimizationLevel, Position, Stmt, Token,
};

use super::api;
use super::eval_context::{Context, EvalContext};
use super::library::{self, Library};
use super::limits::{
    FORBIDDEN, MAX_ARRAY, MAX_CALL_DEPTH, MAX_CLOSURES, MAX_EXPRESSION_DEPTH, MAX_FUNCTIONS, MAX_LITERAL,
    MAX_MAP, MAX_VARIABLES,
};
use super::parameters;
use super::walk::walk_all;
use super::written;

/// Disables words and functions that are not available to strategies, however they are called.
fn forbid(engine: &mut Engine) {
    type Refused = Result<(), Box<EvalAltResult>>;
    let refused =
        |word: &str| -> Refused { Err(format!("`{word}` is not available in strategy scripts").into()) };
    engine.register_fn("sleep", move |_: i64| refused("sleep"));
    engine.register_fn("sleep", move |_: f64| refused("sleep"));
    engine.register_fn("exit", move || refused("exit"));
    engine.register_fn("exit", move |_: Dynamic| refused("exit"));
    for word in FORBIDDEN {
        engine.disable_symbol(word);
    }
}

/// Builds an engine whose names read `context`. It has no files, clocks or modules.
pub fn build(context: &Context, limits: bool) -> Engine {
    fix_hashes();
    let mut engine = Engine::new_raw();
    Library::new().register_into_engine(&mut engine);
    api::register(&mut engine, context);
    parameters::register(&mut engine);
    forbid(&mut engine);
    engine.set_fast_operators(true);
    engine.set_optimization_level(OptimizationLevel::None);
    set_limits(&mut engine, limits);
    if limits {
        library::register_charged(&mut engine, context);
        count(&mut engine, context);
    }
    written::register(&mut engine, context);
    engine
}

/// Fixes the seed of the engine's hashes, which name closures and determine the order of overloaded functions, so that
/// they are the same in every process.
fn fix_hashes() {
    static FIXED: Once = Once::new();
    // This fails only if somebody else has fixed them before.
    FIXED.call_once(|| {
        let _ = rhai::config::hashing::set_hashing_seed(Some([0x5A2A, 0x706A, 0xD3, 0x31]));
    });
}

/// Counts everything that is run, and every variable that is read.
fn count(engine: &mut Engine, context: &Context) {
    let to = context.clone();
    engine.on_progress(move |_| to.meter.step());
    let to = context.clone();
    #[allow(deprecated)]
    engine.on_var(move |name, index, scope| {
        // The index counts from the end, and is 0 if unknown.
        let variable = match index {
            0 => scope.scope().get(name),
            _ => scope.scope().iter_raw().nth(index - 1).map(|(_, _, value)| value),
        };
        match variable {
            Some(value) => to.meter.read(value)?,
            None => {
                let constants = to.constants.borrow();
                let cost = constants.iter().find(|(constant, _)| constant == name);
                cost.map_or(Ok(()), |(_, cost)| to.meter.charge(*cost))?;
            }
        }
        Ok(None)
    });
}

/// Called before each step of a script with the position of its node, which for a statement is [`super::follow::node`].
pub type Follow = Rc<dyn Fn(&EvalContext, &rhai::EvalContext<'_, '_, '_, '_, '_, '_>, Position)>;

/// Follows the steps of a script, for `follow` and for `this`, which is charged like a variable wherever it is read or
/// changed: it is not a variable, and the engine reads it without a callback.
pub fn follow(engine: &mut Engine, context: &Context, ast: &AST, follow: Option<Follow>) {
    let mut uses_this = false;
    walk_all(ast, &mut |node| uses_this |= is_this(node));
    if !uses_this && follow.is_none() {
        return;
    }
    let to = context.clone();
    let empty: Rc<OnceCell<Debugger>> = Rc::default();
    let first = empty.clone();
    #[allow(deprecated)]
    engine.register_debugger(
        move |_, debugger| first.get_or_init(|| debugger).clone(),
        move |mut step, _, node, _, position| {
            // The engine records copies of the arguments of functions, and copies them again with each closure call.
            let debugger = step.global_runtime_state_mut().debugger_mut();
            if !debugger.call_stack().is_empty() {
                let given = debugger.call_stack().iter().flat_map(|call| call.args.iter());
                given.filter(|_| uses_this).try_for_each(|value| to.meter.read(value))?;
                empty.get().into_iter().for_each(|empty| *debugger = empty.clone());
            }
            if let Some(this) = step.this_ptr().filter(|_| uses_this && is_this(&node)) {
                to.meter.read(this)?;
            }
            follow.iter().for_each(|follow| follow(&to, &step, position));
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

/// Sets the limits; if `limits` is off, only the stack is still guarded.
fn set_limits(engine: &mut Engine, limits: bool) {
    engine.set_max_call_levels(MAX_CALL_DEPTH);
    engine.set_max_expr_depths(MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_DEPTH);
    engine.set_max_variables(if limits { MAX_VARIABLES } else { usize::MAX });
    engine.set_max_functions(if limits { MAX_FUNCTIONS } else { usize::MAX });
    limit_literals(engine, limits);
    limit_closures(engine);
}

/// Limits the size of literals in a script. While it runs, sizes are checked when a variable is read: Rhai itself would
/// scan a whole list on every operation.
pub fn limit_literals(engine: &mut Engine, limits: bool) {
    let or_none = |limit: usize| if limits { limit } else { 0 };
    engine.set_max_string_size(or_none(MAX_LITERAL));
    engine.set_max_array_size(or_none(MAX_ARRAY));
    engine.set_max_map_size(or_none(MAX_MAP));
}

/// Limits the nesting of closures, because the parser's own limit of depth restarts in each of them.
fn limit_closures(engine: &mut Engine) {
    let (closures, after_value, last) = (Cell::new(0), Cell::new(false), Cell::new((0, 0)));
    #[allow(deprecated)]
    engine.on_parse_token(move |token, position, _| {
        // A position before the last one belongs to another text.
        let at = (position.line().unwrap_or(0), position.position().unwrap_or(0));
        if last.replace(at) >= at {
            closures.set(0);
        }
        let opens = matches!(token, Token::Or | Token::Pipe) && !after_value.get();
        after_value.set(ends_value(&token));
        if opens {
            closures.set(closures.get() + 1);
            if closures.get() > MAX_CLOSURES {
                let message = format!("the script has more than {MAX_CLOSURES} closures");
                return Token::LexError(LexError::Runtime(message).into());
            }
        }
        token
    });
}

/// Returns whether a `|` after this token is an operator, or ends the parameters of a closure.
fn ends_value(token: &Token) -> bool {
    use Token as T;
    matches!(
        token,
        T::IntegerConstant(_)
            | T::FloatConstant(_)
            | T::Identifier(_)
            | T::CharConstant(_)
            | T::StringConstant(_)
            | T::InterpolatedString(_)
            | T::RightParen
            | T::RightBracket
            | T::RightBrace
            | T::True
            | T::False
            | T::Unit
    )
}
