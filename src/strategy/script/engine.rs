//! The script engine and what a script may use of it.
//!
//! A variable is charged when it is read (see [`super::limits`]), which covers anything as fast as a copy. Functions of
//! Rhai's library that take longer, or produce large results from small arguments, are replaced by others that are
//! charged by the size of their arguments. A text made of a value is charged by its length before it is built, whatever
//! its use; output that is not kept is not built.

use std::any::TypeId;
use std::cell::{Cell, OnceCell};
use std::fmt::Write;
use std::ops::{Range, RangeInclusive};
use std::rc::Rc;
use std::sync::Once;

use rhai::debugger::{Debugger, DebuggerCommand};
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicMathPackage,
    BasicStringPackage, BitFieldPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    AST, ASTNode, Array, Dynamic, Engine, EvalAltResult, Expr, FloatWrapper, FnPtr, ImmutableString,
    LexError, Map, NativeCallContext, OptimizationLevel, Position, Stmt, Token,
};

use super::api::{self, Context, EvalContext};
use super::limits::{
    FORBIDDEN, MAX_ARRAY, MAX_CALL_DEPTH, MAX_CLOSURES, MAX_EXPRESSION_DEPTH, MAX_FUNCTIONS, MAX_LITERAL,
    MAX_MAP, MAX_VARIABLES, Meter,
};
use super::module::{CLOSURE, register_parameters, walk_all};
use super::value::{Fault, card_of, show_char};

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

pub fn build(context: &Context) -> Engine {
    fix_hashes();
    let mut engine = Engine::new_raw();
    Library::new().register_into_engine(&mut engine);
    api::register(&mut engine, context);
    register_parameters(&mut engine);
    forbid(&mut engine);
    engine.set_fast_operators(true);
    engine.set_optimization_level(OptimizationLevel::None);
    set_limits(&mut engine);
    register_comparisons(&mut engine, context);
    register_long(&mut engine, context);
    register_growing(&mut engine, context);
    register_chars(&mut engine, context);
    count(&mut engine, context);
    register_texts(&mut engine, context);
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

/// Called before each step of a script with the position of its node, which for a statement is that of [`super::module::Start`].
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

fn set_limits(engine: &mut Engine) {
    engine.set_max_call_levels(MAX_CALL_DEPTH);
    engine.set_max_expr_depths(MAX_EXPRESSION_DEPTH, MAX_EXPRESSION_DEPTH);
    engine.set_max_variables(MAX_VARIABLES);
    engine.set_max_functions(MAX_FUNCTIONS);
    engine.set_max_string_size(MAX_LITERAL);
    engine.set_max_array_size(MAX_ARRAY);
    engine.set_max_map_size(MAX_MAP);
    limit_closures(engine);
}

/// Lifts the limits on the size of literals, once a script is loaded. While it runs, sizes are checked when a variable is
/// read: Rhai itself would scan a whole list on every operation.
pub fn lift_limits_of_literals(engine: &mut Engine) {
    engine.set_max_string_size(0);
    engine.set_max_array_size(0);
    engine.set_max_map_size(0);
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

rhai::def_package! {
    /// The part of Rhai's library that scripts may use: nothing that accesses other code, clocks or files, or that
    /// attaches invisible data to a value.
    pub Library(library) :
        ArithmeticPackage,
        BasicStringPackage,
        BasicIteratorPackage,
        BitFieldPackage,
        LogicPackage,
        BasicMathPackage,
        BasicArrayPackage,
        BasicMapPackage,
        MoreStringPackage
    {}
}

/// Returns an error if a value contains a function, which has no representation that is the same on every machine.
fn no_function(value: &Dynamic) -> Result<(), Fault> {
    if value.is_fnptr() {
        return Err("a function cannot be written as JSON".into());
    }
    if let Ok(array) = value.as_array_ref() {
        return array.iter().try_for_each(no_function);
    }
    value.as_map_ref().map_or(Ok(()), |map| map.values().try_for_each(no_function))
}

/// Returns whether two values are equal as by `==`; values of different kinds are not.
fn same(ctx: &NativeCallContext<'_>, a: &Dynamic, b: &Dynamic) -> Result<bool, Fault> {
    if let (Ok(a), Ok(b)) = (a.as_int(), b.as_int()) {
        return Ok(a == b);
    }
    if let (Ok(a), Ok(b)) = (a.as_char(), b.as_char()) {
        return Ok(a == b);
    }
    let asked = ctx.call_native_fn_raw("==", true, &mut [&mut a.clone(), &mut b.clone()]);
    match asked {
        Ok(equal) => Ok(equal.as_bool().unwrap_or(false)),
        Err(error) => match *error {
            EvalAltResult::ErrorFunctionNotFound(ref call, _)
                if call.starts_with("==") && a.type_id() != b.type_id() =>
            {
                Ok(false)
            }
            _ => Err(error),
        },
    }
}

fn equal(ctx: &NativeCallContext<'_>, a: &[Dynamic], b: &[Dynamic]) -> Result<bool, Fault> {
    if a.len() != b.len() {
        return Ok(false);
    }
    a.iter().zip(b).try_fold(true, |equal, (a, b)| Ok(equal && same(ctx, a, b)?))
}

fn equal_maps(ctx: &NativeCallContext<'_>, a: &Map, b: &Map) -> Result<bool, Fault> {
    if a.len() != b.len() {
        return Ok(false);
    }
    let mut entries = a.iter();
    entries.try_fold(true, |equal, (key, value)| match b.get(key) {
        Some(other) if equal => same(ctx, value, other),
        _ => Ok(false),
    })
}

/// Returns the index of the first element from `start` on that equals a value, or -1. A negative start counts from the
/// end, as everywhere in the language.
fn find(
    meter: &Meter,
    ctx: &NativeCallContext<'_>,
    array: &Array,
    value: &Dynamic,
    start: i64,
) -> Result<i64, Fault> {
    compares(meter, array, Some(value))?;
    let start = if start < 0 { (array.len() as i64).saturating_add(start).max(0) } else { start };
    for (i, element) in array.iter().enumerate().skip(usize::try_from(start).unwrap_or(usize::MAX)) {
        if same(ctx, element, value)? {
            return Ok(i as i64);
        }
    }
    Ok(-1)
}

/// Charges for a comparison with each element of a list, including its contents.
fn compares(meter: &Meter, array: &Array, value: Option<&Dynamic>) -> Result<(), Fault> {
    let mut parts = array.len() as u64;
    for element in array.iter().filter(|element| !element.is_int() && !element.is_char()).chain(value) {
        parts = parts.saturating_add(meter.size(element)?.parts());
    }
    meter.charge(1 + parts / 4)
}

fn compares_map(meter: &Meter, map: &Map) -> Result<(), Fault> {
    let mut parts = 0_u64;
    for (key, value) in map {
        parts = parts.saturating_add(1 + key.len() as u64 / 8 + meter.size(value)?.parts());
    }
    meter.charge(1 + parts / 2)
}

fn register_comparisons(engine: &mut Engine, context: &Context) {
    type Call<'a> = NativeCallContext<'a>;
    for (name, wanted) in [("==", true), ("!=", false)] {
        let to = context.clone();
        engine.register_fn(name, move |ctx: Call<'_>, a: &mut Array, b: Array| -> Result<bool, Fault> {
            compares(&to.meter, a, None)?;
            compares(&to.meter, &b, None)?;
            Ok(equal(&ctx, a, &b)? == wanted)
        });
        let to = context.clone();
        engine.register_fn(name, move |ctx: Call<'_>, a: &mut Map, b: Map| -> Result<bool, Fault> {
            compares_map(&to.meter, a)?;
            compares_map(&to.meter, &b)?;
            Ok(equal_maps(&ctx, a, &b)? == wanted)
        });
    }
    let to = context.clone();
    engine.register_fn("contains", move |ctx: Call<'_>, a: &mut Array, value: Dynamic| {
        find(&to.meter, &ctx, a, &value, 0).map(|found| found >= 0)
    });
    let to = context.clone();
    engine.register_fn("index_of", move |ctx: Call<'_>, a: &mut Array, value: Dynamic| {
        find(&to.meter, &ctx, a, &value, 0)
    });
    let to = context.clone();
    engine.register_fn("index_of", move |ctx: Call<'_>, a: &mut Array, value: Dynamic, start: i64| {
        find(&to.meter, &ctx, a, &value, start)
    });
    let to = context.clone();
    engine.register_fn("dedup", move |ctx: Call<'_>, a: &mut Array| -> Result<(), Fault> {
        compares(&to.meter, a, None)?;
        let mut kept: Array = Vec::with_capacity(a.len());
        for element in std::mem::take(a) {
            // Elements that cannot be compared are kept.
            if kept.last().is_none_or(|last| !same(&ctx, last, &element).unwrap_or(false)) {
                kept.push(element);
            }
        }
        *a = kept;
        Ok(())
    });
}

thread_local! {
    /// The unmodified library, for functions that are called after paying for them.
    static PLAIN: Rc<Engine> = {
        let mut engine = Engine::new_raw();
        Library::new().register_into_engine(&mut engine);
        Rc::new(engine)
    };
}

/// Registers functions whose work grows with their arguments: names, argument types, and the number of parts processed
/// for the price of one operation. A function that makes a text of each character takes more memory than time.
fn register_long(engine: &mut Engine, context: &Context) {
    let (array, map, text) = (TypeId::of::<Array>(), TypeId::of::<Map>(), TypeId::of::<ImmutableString>());
    let (int, character) = (TypeId::of::<i64>(), TypeId::of::<char>());
    let (with_text, with_character) = (&[text, text][..], &[text, character][..]);
    type Row<'a> = (&'a [&'static str], &'a [&'a [TypeId]], u64);
    let all: [Row; 11] = [
        (&["sort", "sort_desc", "order", "order_desc"], &[&[array]], 1),
        (&["reverse"], &[&[array]], 8),
        (&["+", "append"], &[&[array, array]], 8),
        (&["to_json"], &[&[map]], 1),
        (&["+"], &[&[map, map]], 2),
        (&["keys", "values"], &[&[map]], 4),
        (&["to_chars", "split"], &[&[text]], 1),
        (&["to_upper", "to_lower", "make_upper", "make_lower", "len", "trim"], &[&[text]], 4),
        (&["contains", "index_of", "remove", "starts_with", "ends_with"], &[with_text, with_character], 4),
        (&["sub_string", "crop"], &[&[text, int], &[text, int, int]], 4),
        (
            &["split", "split_rev"],
            &[with_text, with_character, &[text, text, int], &[text, character, int]],
            1,
        ),
    ];
    for (names, forms, parts) in all {
        for (&name, kinds) in names.iter().flat_map(|name| forms.iter().map(move |kinds| (name, kinds))) {
            charged(engine, context, name, kinds, parts);
        }
    }
}

/// Price factor for a list of texts, one for each character.
const SPLIT: u64 = 3;

/// Registers a function of the library that is charged by the total size of its arguments.
fn charged(engine: &mut Engine, context: &Context, name: &'static str, kinds: &[TypeId], parts: u64) {
    let plain = PLAIN.with(Rc::clone);
    let to = context.clone();
    engine.register_raw_fn(name, kinds, move |ctx: NativeCallContext<'_>, arguments: &mut [&mut Dynamic]| {
        let mut size = 0;
        for argument in arguments.iter() {
            size += to.meter.size(argument)?.parts();
        }
        let size = if name.starts_with("split") { SPLIT * size } else { size };
        to.meter.charge(1 + size / parts)?;
        if name == "to_json" {
            arguments.iter().try_for_each(|argument| no_function(argument))?;
        }
        let ctx: NativeCallContext<'_> =
            (&*plain, name, None, ctx.global_runtime_state(), ctx.call_position()).into();
        ctx.call_native_fn_raw(name, true, arguments)
    });
}

/// Registers functions whose results are longer than their arguments.
fn register_growing(engine: &mut Engine, context: &Context) {
    let to = context.clone();
    engine.register_fn("pad", move |a: &mut Array, len: i64, item: Dynamic| -> Result<(), Fault> {
        let Some(more) = usize::try_from(len).ok().and_then(|len| len.checked_sub(a.len())) else {
            return Ok(());
        };
        let added = to.meter.size_of_many(&item, more, a.len())?;
        to.meter.charge(1 + added.parts() / 8)?;
        a.resize(a.len() + more, item);
        Ok(())
    });
    let (text, character, int) = (TypeId::of::<ImmutableString>(), TypeId::of::<char>(), TypeId::of::<i64>());
    for other in [text, character] {
        let to = context.clone();
        engine.register_raw_fn("pad", [text, int, other], move |_, arguments| -> Result<(), Fault> {
            let (len, with) = (arguments[1].as_int()?, arguments[2].to_string());
            edited(arguments[0], |text| pad(&to.meter, text, len, &with))
        });
        for by in [text, character] {
            let to = context.clone();
            engine.register_raw_fn("replace", [text, other, by], move |_, arguments| -> Result<(), Fault> {
                let (find, by) = (arguments[1].to_string(), arguments[2].to_string());
                edited(arguments[0], |text| replace(&to.meter, text, &find, &by))
            });
        }
    }
}

fn edited(
    text: &mut Dynamic,
    edit: impl FnOnce(&mut ImmutableString) -> Result<(), Fault>,
) -> Result<(), Fault> {
    text.write_lock::<ImmutableString>().map_or(Ok(()), |mut text| edit(&mut text))
}

/// Pads a text to at least this many characters. The padding is cut at that length.
fn pad(meter: &Meter, text: &mut ImmutableString, len: i64, with: &str) -> Result<(), Fault> {
    let have = text.chars().count();
    let Some(more) = usize::try_from(len).ok().and_then(|len| len.checked_sub(have)) else { return Ok(()) };
    if more == 0 || with.is_empty() {
        return Ok(());
    }
    let each = with.len().div_ceil(with.chars().count());
    meter.room_for(text.len().saturating_add(more.saturating_mul(each)))?;
    meter.charge(1 + (text.len() + more) as u64 / 8)?;
    let padded: String = text.chars().chain(with.chars().cycle().take(more)).collect();
    *text = padded.into();
    Ok(())
}

fn replace(meter: &Meter, text: &mut ImmutableString, find: &str, by: &str) -> Result<(), Fault> {
    let times = text.matches(find).count();
    let len = text.len().saturating_add(times.saturating_mul(by.len()));
    meter.room_for(len.saturating_sub(times.saturating_mul(find.len())))?;
    meter.charge(1 + (text.len() + len) as u64 / 8)?;
    if times > 0 {
        *text = text.replace(find, by).into();
    }
    Ok(())
}

/// Registers the characters of a text as a list; Rhai's own iterator hides its length.
fn register_chars(engine: &mut Engine, context: &Context) {
    let (text, int) = (TypeId::of::<ImmutableString>(), TypeId::of::<i64>());
    let (range, inclusive) = (TypeId::of::<Range<i64>>(), TypeId::of::<RangeInclusive<i64>>());
    for kinds in [&[text][..], &[text, int], &[text, int, int], &[text, range], &[text, inclusive]] {
        let to = context.clone();
        engine.register_raw_fn("chars", kinds, move |_, arguments| -> Result<Array, Fault> {
            let text = arguments[0].as_immutable_string_ref()?;
            let number = |i: usize| arguments.get(i).and_then(|value| value.as_int().ok());
            let (from, len) = if let Some(range) =
                arguments.get(1).and_then(|it| it.read_lock::<Range<i64>>())
            {
                let from = range.start.max(0);
                (from, range.end.max(from) - from)
            } else if let Some(range) = arguments.get(1).and_then(|it| it.read_lock::<RangeInclusive<i64>>())
            {
                let from = (*range.start()).max(0);
                (from, (*range.end()).max(from - 1).saturating_sub(from).saturating_add(1))
            } else {
                (number(1).unwrap_or(0), number(2).unwrap_or(i64::MAX))
            };
            chars(&to.meter, &text, from, len)
        });
    }
    let to = context.clone();
    engine.register_get("chars", move |text: &mut ImmutableString| chars(&to.meter, text, 0, i64::MAX));
}

/// Returns the characters of a text from an index on; a negative one counts from the end.
fn chars(meter: &Meter, text: &str, from: i64, len: i64) -> Result<Array, Fault> {
    meter.charge(1 + text.len() as u64 / 8)?;
    let whole = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
    let from = match from {
        0.. => whole(from),
        _ => text.chars().count().saturating_sub(whole(from.saturating_neg())),
    };
    Ok(text.chars().skip(from).take(if len < 0 { 0 } else { whole(len) }).map(Dynamic::from_char).collect())
}

fn register_texts(engine: &mut Engine, context: &Context) {
    let kinds = [
        TypeId::of::<ImmutableString>(),
        TypeId::of::<Array>(),
        TypeId::of::<Map>(),
        TypeId::of::<FnPtr>(),
        TypeId::of::<char>(),
        TypeId::of::<bool>(),
        TypeId::of::<()>(),
        TypeId::of::<i64>(),
        TypeId::of::<f64>(),
        TypeId::of::<Dynamic>(),
    ];
    let longer = [TypeId::of::<Array>(), TypeId::of::<Map>(), TypeId::of::<FnPtr>()];
    for (name, debug, kinds, prints) in [
        ("print", false, &kinds[..], true),
        ("debug", true, &kinds, true),
        ("to_string", false, &longer, false),
        ("to_debug", true, &longer, false),
    ] {
        for kind in kinds {
            let to = context.clone();
            engine.register_raw_fn(name, [*kind], move |ctx, arguments| -> Result<ImmutableString, Fault> {
                to.meter.charge(to.meter.size(arguments[0])?.text_operations())?;
                let mut text = String::new();
                if !prints || !to.printed.borrow().is_full {
                    write_value(&ctx, arguments[0], debug, &mut text);
                }
                Ok(text.into())
            });
        }
    }
    let out = context.clone();
    engine.on_print(move |text| out.printed.borrow_mut().keep(&show_cards(text)));
    let out = context.clone();
    engine.on_debug(move |text, _, _| out.printed.borrow_mut().keep(&show_cards(text)));
}

/// Writes a value like the engine, for `print` or for `debug`. Elements of a list or a map are written for `debug`.
fn write_value(ctx: &NativeCallContext<'_>, value: &Dynamic, debug: bool, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = if let Ok(n) = value.as_int() {
        write!(out, "{n}")
    } else if let Ok(text) = value.as_immutable_string_ref() {
        if debug { write!(out, "{:?}", text.as_str()) } else { out.write_str(&text) }
    } else if let Ok(array) = value.as_array_ref() {
        out.push('[');
        for (i, element) in array.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            write_value(ctx, element, true, out);
        }
        out.write_str("]")
    } else if let Ok(map) = value.as_map_ref() {
        out.push_str("#{");
        for (i, (key, element)) in map.iter().enumerate() {
            let _ = write!(out, "{}{:?}: ", if i > 0 { ", " } else { "" }, key.as_str());
            write_value(ctx, element, true, out);
        }
        out.write_str("}")
    } else if let Ok(sign) = value.as_char() {
        out.write_str(&show_char(sign))
    } else if let Ok(number) = value.as_float() {
        let number = FloatWrapper::new(number);
        if debug { write!(out, "{number:?}") } else { write!(out, "{number}") }
    } else if let Some(function) = value.read_lock::<FnPtr>() {
        // The engine's names of closures differ between machines.
        let name = function.fn_name();
        if name.starts_with(CLOSURE) { out.write_str("Fn") } else { write!(out, "Fn({name})") }
    } else if value.is_unit() {
        out.write_str(if debug { "()" } else { "" })
    } else {
        let name = if debug { "to_debug" } else { "to_string" };
        let written = ctx.call_native_fn_raw(name, true, &mut [&mut value.clone()]);
        match written.ok().and_then(|written| written.into_immutable_string().ok()) {
            Some(written) => out.write_str(&written),
            None => out.write_str(ctx.engine().map_type_name(value.type_name())),
        }
    };
}

/// Puts every card of a text in notation: the engine appends a card to a text as a character.
fn show_cards(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for sign in text.chars() {
        match card_of(sign) {
            Some(card) => {
                let _ = write!(shown, "{card}");
            }
            None => shown.push(sign),
        }
    }
    shown
}
