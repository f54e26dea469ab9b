//! Values as texts: `to_string`, `print` and `debug`, and the limit on printed output.
//!
//! A text is charged by its length before it is built, whatever its use. Output that is not kept is not built.

use std::any::TypeId;
use std::fmt::Write;

use rhai::{Array, Dynamic, Engine, FloatWrapper, FnPtr, ImmutableString, Map, NativeCallContext};

use super::eval_context::Context;
use super::handles::{Fault, card_of, show_char};
use super::module::CLOSURE;

/// Registers the conversions of values to texts, and collects printed output.
pub fn register(engine: &mut Engine, context: &Context) {
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
                    write(&ctx, arguments[0], debug, &mut text);
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
fn write(ctx: &NativeCallContext<'_>, value: &Dynamic, debug: bool, out: &mut String) {
    // Writing to a String cannot fail.
    let _ = if let Ok(n) = value.as_int() {
        write!(out, "{n}")
    } else if let Ok(text) = value.as_immutable_string_ref() {
        if debug { write!(out, "{:?}", text.as_str()) } else { out.write_str(&text) }
    } else if let Ok(array) = value.as_array_ref() {
        out.push('[');
        for (i, element) in array.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            write(ctx, element, true, out);
        }
        out.write_str("]")
    } else if let Ok(map) = value.as_map_ref() {
        out.push_str("#{");
        for (i, (key, element)) in map.iter().enumerate() {
            let _ = write!(out, "{}{:?}: ", if i > 0 { ", " } else { "" }, key.as_str());
            write(ctx, element, true, out);
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
