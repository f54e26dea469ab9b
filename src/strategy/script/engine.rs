//! The script engine: what a script may use, and how much of it.

use std::cell::RefCell;
use std::rc::Rc;

use rhai::packages::{Package, StandardPackage};
use rhai::{Dynamic, Engine, EvalAltResult, OptimizationLevel};

use super::api::{self, Desk};
use super::parameters;

/// Operations of one decision (all its moves scored): well over what any sensible strategy
/// needs, and stopped within a fraction of a second.
pub const MAX_OPERATIONS: u64 = 1_000_000;
/// Functions that call functions.
pub const MAX_CALL_DEPTH: usize = 32;
/// Expressions within expressions.
pub const MAX_EXPRESSION_DEPTH: usize = 64;
/// Bytes of a string.
pub const MAX_STRING: usize = 16_384;
/// Elements of an array, its own arrays and maps counted in.
pub const MAX_ARRAY: usize = 8_192;
/// Entries of a map.
pub const MAX_MAP: usize = 1_024;
/// Variables at one time.
pub const MAX_VARIABLES: usize = 256;
/// Functions of a script.
pub const MAX_FUNCTIONS: usize = 256;
/// Bytes kept of what a script prints between two askings.
pub const MAX_PRINTED: usize = 65_536;

/// Words that would let a script leave the table: other code, clocks, the end of the program.
pub const FORBIDDEN: [&str; 5] = ["eval", "sleep", "exit", "import", "export"];

/// What the language offers as functions of these is replaced, so that no way to call them is left.
fn forbid(engine: &mut Engine) {
    type Refused = Result<(), Box<EvalAltResult>>;
    let refused = |word: &str| -> Refused { Err(format!("`{word}` is not open to strategies").into()) };
    engine.register_fn("sleep", move |_: i64| refused("sleep"));
    engine.register_fn("sleep", move |_: f64| refused("sleep"));
    engine.register_fn("exit", move || refused("exit"));
    engine.register_fn("exit", move |_: Dynamic| refused("exit"));
    for word in FORBIDDEN {
        engine.disable_symbol(word);
    }
}

/// Where what a script prints is collected.
pub type Printed = Rc<RefCell<String>>;

/// An engine whose names read `desk`. There are no files, clocks or modules in it.
pub fn build(desk: &Desk, printed: &Printed, limits: bool) -> Engine {
    let mut engine = Engine::new_raw();
    StandardPackage::new().register_into_engine(&mut engine);
    api::register(&mut engine, desk);
    parameters::register(&mut engine);
    forbid(&mut engine);
    engine.set_fast_operators(true);
    engine.set_optimization_level(OptimizationLevel::None);
    set_limits(&mut engine, limits);
    let out = printed.clone();
    engine.on_print(move |text| collect(&out, text));
    let out = printed.clone();
    engine.on_debug(move |text, _, _| collect(&out, text));
    engine
}

/// With `limits` off, only the stack is still guarded.
fn set_limits(engine: &mut Engine, limits: bool) {
    let or_none = |limit: usize| if limits { limit } else { 0 };
    engine.set_max_operations(if limits { MAX_OPERATIONS } else { 0 });
    engine.set_max_call_levels(MAX_CALL_DEPTH);
    engine.set_max_expr_depths(MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_DEPTH);
    engine.set_max_string_size(or_none(MAX_STRING));
    engine.set_max_array_size(or_none(MAX_ARRAY));
    engine.set_max_map_size(or_none(MAX_MAP));
    engine.set_max_variables(if limits { MAX_VARIABLES } else { usize::MAX });
    engine.set_max_functions(if limits { MAX_FUNCTIONS } else { usize::MAX });
}

/// Keeps the line while there is room; the first that does not fit is cut to an ellipsis.
fn collect(printed: &Printed, text: &str) {
    let mut printed = printed.borrow_mut();
    if printed.len() + text.len() < MAX_PRINTED {
        printed.push_str(text);
        printed.push('\n');
    } else if !printed.ends_with("...\n") {
        printed.push_str("...\n");
    }
}
