//! Declarations of parameters in a script, and their faults.

use std::ops::Range;

use rhai::{ASTFlags, ASTNode, Expr, Position, Stmt};

use super::faults::Faults;
use super::module::Module;
use super::parameters::{EXAMPLE, PARAM, Parameter, ParameterKind};
use super::places::span;
use super::walk::walk_all;

/// Returns the parameters of a script in text order; reports every invalid declaration.
pub fn declared(module: &Module, faults: &mut Faults<'_>) -> Vec<Parameter> {
    let (mut found, mut rightly) = (Vec::new(), Vec::new());
    for statement in module.ast.statements() {
        let Stmt::Var(x, flags, _) = statement else { continue };
        let Expr::FnCall(call, at) = &x.1 else { continue };
        if call.name != PARAM || !flags.contains(ASTFlags::CONSTANT) {
            continue;
        }
        rightly.push(*at);
        match declaration(&module.source.text, x.0.name.as_str(), &call.args, *at) {
            Ok(parameter) => found.push(parameter),
            Err((place, message)) => faults.error(&place, message, EXAMPLE),
        }
    }
    walk_all(&module.ast, &mut |node| {
        if let ASTNode::Expr(Expr::FnCall(call, at)) | ASTNode::Stmt(Stmt::FnCall(call, at)) = node
            && call.name == PARAM
            && !rightly.contains(at)
        {
            let message = "`param` declares a parameter only where a constant at the top gets its value";
            faults.error(*at, message, EXAMPLE);
        }
    });
    found
}

/// Parses a declaration, or locates and explains its fault.
fn declaration(
    text: &str,
    name: &str,
    arguments: &[Expr],
    at: Position,
) -> Result<Parameter, (Range<usize>, String)> {
    let whole = span(text, at);
    let kind = match arguments {
        [Expr::BoolConstant(..)] => ParameterKind::Truth,
        [Expr::IntegerConstant(..), range] => match range_of(range) {
            Some((low, high)) if low <= high => ParameterKind::Number(low, high),
            Some((low, high)) => return Err((whole, format!("no number is from {low} to {high}"))),
            None => {
                return Err((whole, "the values of a parameter are a range with both its ends".into()));
            }
        },
        _ => return Err((whole, "a parameter has a plain default, and a number a range".into())),
    };
    // The default is between the bracket and the comma, or the closing bracket.
    let open = text[whole.end..].find('(').map_or(whole.end, |i| whole.end + i + 1);
    let close = text[open..].find([',', ')']).map_or(open, |i| open + i);
    let written = &text[open..close];
    let start = open + (written.len() - written.trim_start().len());
    let place = start..start + written.trim().len();
    let default = match arguments[0] {
        Expr::IntegerConstant(n, _) => n,
        Expr::BoolConstant(b, _) => i64::from(b),
        _ => 0,
    };
    let parameter = Parameter { name: name.into(), kind, default, place };
    let plain = text[parameter.place.clone()].replace('_', "");
    if plain != parameter.write(default) {
        return Err((parameter.place, "the default of a parameter is a plain number or truth value".into()));
    }
    if parameter.read(&plain).is_none() {
        let message = format!("{default} is not {}", parameter.allowed());
        return Err((parameter.place, message));
    }
    Ok(parameter)
}

fn range_of(range: &Expr) -> Option<(i64, i64)> {
    match range {
        Expr::FnCall(call, _) if call.name == "..=" => match call.args[..] {
            [Expr::IntegerConstant(low, _), Expr::IntegerConstant(high, _)] => Some((low, high)),
            _ => None,
        },
        Expr::DynamicConstant(value, _) => {
            let range = value.read_lock::<std::ops::RangeInclusive<i64>>()?;
            Some((*range.start(), *range.end()))
        }
        _ => None,
    }
}
