//! What a constant may hold: values that say all that they are.
//!
//! A constant is there as long as the script is. A function in it could keep what it has seen from one decision to the
//! next, so it holds data and nothing else.

use std::sync::Arc;

use rhai::{AST, Dynamic, Position, Stmt};

use crate::diagnostic::{Diagnostic, SourceText};

use super::fault::of_load;
use super::limits::MAX_CONSTANT;
use super::meter::Meter;
use super::places::span;

/// The constants that hold something else than data, each at its place. `values` are those of the statements at the
/// top, in their order.
pub fn faults(source: &Arc<SourceText>, ast: &AST, values: &[(String, Dynamic)]) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    for ((name, value), at) in values.iter().zip(places(ast)) {
        let Some(found) = other_than_data(value) else { continue };
        let message = format!("the constant `{name}` holds {found}");
        let help = "a constant holds numbers, truth values, cards, text, and arrays and maps of these; \
                    write a function `fn` for what is to be computed";
        faults.push(Diagnostic::error(source, span(&source.text, at), message).help(help));
    }
    faults
}

/// The constants that are larger than a value may be.
pub fn too_large(
    source: &Arc<SourceText>,
    ast: &AST,
    values: &[(String, Dynamic)],
    meter: &Meter,
) -> Vec<Diagnostic> {
    let (mut faults, mut all) = (Vec::new(), 0);
    for ((_, value), at) in values.iter().zip(places(ast)) {
        match meter.size(value) {
            Ok(size) => {
                let before = all;
                all += size.parts();
                if before <= MAX_CONSTANT && all > MAX_CONSTANT {
                    let message = format!("the constants have more than {MAX_CONSTANT} elements together");
                    let help = "each thread keeps all of them";
                    faults.push(Diagnostic::error(source, span(&source.text, at), message).help(help));
                }
            }
            Err(mut error) => {
                error.set_position(at);
                faults.push(of_load(source, &error));
            }
        }
    }
    faults
}

/// Where the constants stand.
fn places(ast: &AST) -> impl Iterator<Item = Position> {
    ast.statements().iter().filter_map(|stmt| match stmt {
        Stmt::Var(x, ..) => Some(x.0.pos),
        _ => None,
    })
}

/// What in a value is no data, in words.
fn other_than_data(value: &Dynamic) -> Option<&'static str> {
    let plain = value.is_int()
        || value.is_bool()
        || value.is_float()
        || value.is_char()
        || value.is_unit()
        || value.is_string()
        || value.is::<std::ops::Range<i64>>()
        || value.is::<std::ops::RangeInclusive<i64>>();
    if plain {
        return None;
    }
    if let Ok(array) = value.as_array_ref() {
        return array.iter().find_map(other_than_data);
    }
    if let Ok(map) = value.as_map_ref() {
        return map.values().find_map(other_than_data);
    }
    Some(if value.is_fnptr() { "a function" } else { "a value that is no data" })
}
