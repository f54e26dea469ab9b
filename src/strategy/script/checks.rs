//! Checks of a script before any game, but for its names.

use rhai::{AST, ASTFlags, ASTNode, Dynamic, Expr, FnCallExpr, ImmutableString, Position, Stmt};

use crate::diagnostic::did_you_mean;
use crate::rules::StageAt;

use super::fault::of_load;
use super::faults::Faults;
use super::limits::{MAX_COMPUTED, MAX_CONSTANT, MAX_PARAMETERS};
use super::meter::Meter;
use super::module::{Form, Function, Module, STAGE, count};
use super::parameters::{EXAMPLE, PARAM, declarations};
use super::syntax;
use super::walk::{walk_all, walk_paths};

/// The checks, in the order of what they report for one position.
pub const CHECKS: [fn(&Module, &mut Faults); 6] =
    [top_level, too_many_parameters, too_many_computed, entry, stage, parameters];

/// Checks that only constants and functions are at the top level: a script is not run from top to bottom.
fn top_level(module: &Module, faults: &mut Faults) {
    for stmt in module.ast.statements() {
        let (at, message, help) = match stmt {
            Stmt::Noop(_) => continue,
            Stmt::Var(_, flags, _) if flags.contains(ASTFlags::CONSTANT) => continue,
            Stmt::Var(x, _, _) => (
                x.0.pos,
                format!("functions cannot see `{}`, a variable outside of them", x.0.name),
                "write `const` for a value that does not change; `memory[i]` keeps numbers from one decision to the next",
            ),
            other => (
                other.position(),
                "a statement outside of a function is never run".to_string(),
                "only constants and functions are allowed at the top level of a strategy",
            ),
        };
        faults.error(at, message, help);
    }
}

fn too_many_parameters(module: &Module, faults: &mut Faults) {
    for function in module.functions.iter().filter(|it| it.parameters.len() > MAX_PARAMETERS) {
        let (name, n) = (&function.name, function.parameters.len());
        let message = format!("`{name}` has {n} parameters, and at most {MAX_PARAMETERS} are allowed");
        faults.error(&function.place, message, "give it a list of values");
    }
}

/// Reports lists and calls with more computed values than are allowed at one time.
fn too_many_computed(module: &Module, faults: &mut Faults) {
    // The number within each node of a path.
    let mut within: Vec<usize> = Vec::new();
    walk_paths(&module.ast, &mut |path| {
        within.truncate(path.len() - 1);
        let around = within.last().copied().unwrap_or(0);
        let computed = path.last().map_or(0, computed);
        within.push(around + computed);
        if around <= MAX_COMPUTED && around + computed > MAX_COMPUTED {
            let at = path.last().map_or(Position::NONE, ASTNode::position);
            let message = format!("more than {MAX_COMPUTED} values are computed at one time here");
            faults.error(at, message, "fill the list in a loop, or write a function for a part of it");
        }
    });
}

fn computed(node: &ASTNode<'_>) -> usize {
    let computed = |values: &[Expr]| values.iter().filter(|value| !value.is_constant()).count();
    match node {
        ASTNode::Expr(Expr::Array(all, _)) => computed(all),
        ASTNode::Expr(Expr::Map(x, _)) => x.0.iter().filter(|(_, value)| !value.is_constant()).count(),
        ASTNode::Expr(Expr::FnCall(call, _) | Expr::MethodCall(call, _))
        | ASTNode::Stmt(Stmt::FnCall(call, _)) => computed(&call.args),
        _ => 0,
    }
}

/// Reports a missing or doubtful function that decides.
fn entry(module: &Module, faults: &mut Faults) {
    let functions = &module.functions;
    if let Some((index, _)) = module.entry {
        if let Err(error) = &functions[index].code {
            faults.extend([syntax::fault(&module.lines, error)]);
        }
        return;
    }
    match module.entries()[..] {
        [] => {
            let meant = |f: &Function| did_you_mean(&f.name, [Form::Score.name(), Form::Choose.name()]);
            let message = "the script defines neither `fn score(view, m)` nor `fn choose(view)`";
            match functions.iter().find_map(|f| Some((f, meant(f)?))) {
                Some((f, meant)) => {
                    faults.error(&f.place, message, format!("`{}`: did you mean `{meant}`?", f.name));
                }
                None => faults.error(&(0..0), message, ""),
            }
        }
        [(index, form)] => {
            let f = &functions[index];
            let takes = if form == Form::Score { "`fn score(view, m)`" } else { "`fn choose(view)`" };
            let message = format!("`{}` has {}", f.name, count(f.parameters.len(), "parameter"));
            faults.error(&f.place, message, format!("it must be {takes}"));
        }
        [_, (second, _), ..] => {
            let message = "the script defines more than one of `score` and `choose`";
            let help = "a strategy either scores each move or chooses one";
            faults.error(&functions[second].place, message, help);
        }
    }
}

/// Reports faults of the function for stages of a stake, or one that is probably meant to be it.
fn stage(module: &Module, faults: &mut Faults) {
    const FORM: &str = "`fn stage(view, at, cost)`";
    for f in &module.functions {
        if f.name == STAGE && f.parameters.len() != 3 {
            let message = format!("`{STAGE}` has {}", count(f.parameters.len(), "parameter"));
            faults.error(&f.place, message, format!("it must be {FORM}"));
        }
        let is_near = || did_you_mean(&f.name, [STAGE]).is_some();
        if module.stage.is_none() && f.parameters.len() == 3 && is_near() {
            let mut called = false;
            calls(&module.ast, |call, _| called |= call.name == f.name);
            if !called {
                let help =
                    format!("did you mean `{STAGE}`? {FORM} is asked where a stake is bought in stages");
                faults.error(&f.place, format!("nothing calls `{}`", f.name), help);
            }
        }
    }
    // Comparisons of `at` that never hold.
    let Some(stage) = module.stage.map(|i| &module.functions[i]).filter(|f| f.parameters.len() == 3) else {
        return;
    };
    let (at, words) = (stage.parameters[1].as_str(), StageAt::ALL.map(StageAt::word));
    calls(&module.ast, |call, place| {
        let inside = module.lines.offset(place).is_some_and(|place| stage.body.contains(&place));
        if !inside || !matches!(call.name.as_str(), "==" | "!=") {
            return;
        }
        let Some((text, place)) = compared(call, at).filter(|(text, _)| !words.contains(&text.as_str()))
        else {
            return;
        };
        let known = words.map(|word| format!("\"{word}\"")).join(", ");
        let guess =
            did_you_mean(text, words).map_or(String::new(), |word| format!("did you mean \"{word}\"? "));
        faults.error(place, format!("`{at}` is never \"{text}\""), format!("{guess}it is one of {known}"));
    });
}

fn compared<'c>(call: &'c FnCallExpr, variable: &str) -> Option<(&'c ImmutableString, Position)> {
    let of = |a: &Expr| matches!(a, Expr::Variable(x, _, _) if x.1.as_str() == variable);
    match &call.args[..] {
        [a, Expr::StringConstant(text, at)] | [Expr::StringConstant(text, at), a] if of(a) => {
            Some((text, *at))
        }
        _ => None,
    }
}

/// Visits every call of the script, including operators.
fn calls(ast: &AST, mut visit: impl FnMut(&FnCallExpr, Position)) {
    walk_all(ast, &mut |node| {
        if let ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) = node {
            visit(call, *at);
        }
    });
}

/// Reports invalid declarations of parameters, and those in other places than at the top.
fn parameters(module: &Module, faults: &mut Faults) {
    for declared in declarations(&module.ast, &module.lines) {
        if let Err((place, message)) = declared {
            faults.error(&place, message, EXAMPLE);
        }
    }
    let mut rightly = Vec::new();
    for statement in module.ast.statements() {
        if let Stmt::Var(x, flags, _) = statement
            && let Expr::FnCall(_, at) = &x.1
            && flags.contains(ASTFlags::CONSTANT)
        {
            rightly.push(*at);
        }
    }
    calls(&module.ast, |call, at| {
        if call.name == PARAM && !rightly.contains(&at) {
            let message = "`param` declares a parameter only where a constant at the top gets its value";
            faults.error(at, message, EXAMPLE);
        }
    });
}

/// Reports constants that hold anything other than data, and those that exceed the size of a value. A constant lives as
/// long as the script: a function in it could carry what it has seen from one decision to the next.
pub fn constants(module: &Module, meter: &Meter, faults: &mut Faults) {
    let mut all = 0;
    for constant in &module.constants {
        let (name, Some(value)) = (&constant.name, &constant.value) else { continue };
        if let Some(found) = other_than_data(value) {
            let help = "a constant holds numbers, truth values, cards, text, and arrays and maps of these; \
                        write a function `fn` for what is to be computed";
            faults.error(constant.at, format!("the constant `{name}` holds {found}"), help);
        }
        match meter.size(value) {
            Ok(size) => {
                let before = all;
                all += size.parts();
                if before <= MAX_CONSTANT && all > MAX_CONSTANT {
                    let message = format!("the constants have more than {MAX_CONSTANT} elements together");
                    faults.error(constant.at, message, "each thread keeps all of them");
                }
            }
            Err(mut error) => {
                error.set_position(constant.at);
                faults.extend([of_load(&module.lines, &error)]);
            }
        }
    }
}

fn other_than_data(value: &Dynamic) -> Option<&'static str> {
    if let Ok(array) = value.as_array_ref() {
        return array.iter().find_map(other_than_data);
    }
    if let Ok(map) = value.as_map_ref() {
        return map.values().find_map(other_than_data);
    }
    let plain = value.is_int() || value.is_bool() || value.is_float() || value.is_char();
    let range = value.is::<std::ops::Range<i64>>() || value.is::<std::ops::RangeInclusive<i64>>();
    match () {
        () if plain || range || value.is_unit() || value.is_string() => None,
        () if value.is_fnptr() => Some("a function"),
        () => Some("a value that is no data"),
    }
}
