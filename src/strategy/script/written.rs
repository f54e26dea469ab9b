//! Values as texts: what `to_string`, `print` and `debug` make of them, and how much of what is printed is kept.
//!
//! A text is charged by its length before it is made, whoever wants it. What is printed and not kept is not made.

use std::any::TypeId;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;

use rhai::{
    Array, Dynamic, Engine, EvalAltResult, FloatWrapper, FnPtr, ImmutableString, Map, NativeCallContext,
};

use super::handles::{card_of, show_char};
use super::limits::MAX_PRINTED;
use super::meter::SharedMeter;
use super::module::CLOSURE;

type Fault = Box<EvalAltResult>;

/// What a script has printed since this was last asked.
#[derive(Debug, Default)]
pub struct Prints {
    text: String,
    /// A line did not fit: nothing after it is kept.
    is_full: bool,
}

/// Where what a script prints is collected.
pub type Printed = Rc<RefCell<Prints>>;

impl Prints {
    /// Keeps lines while there is room. The first that does not fit is cut to an ellipsis.
    pub fn keep(&mut self, lines: &str) {
        if self.is_full {
            return;
        }
        self.is_full = self.text.len() + lines.len() >= MAX_PRINTED;
        self.text.push_str(if self.is_full { "..." } else { lines });
        self.text.push('\n');
    }

    /// All that is kept, which then is forgotten.
    pub fn take(&mut self) -> String {
        std::mem::take(self).text
    }

    /// Bytes that are kept.
    pub fn len(&self) -> usize {
        self.text.len()
    }

    /// Forgets what was kept since there were so many bytes.
    pub fn cut(&mut self, len: usize) {
        if self.text.len() > len {
            self.text.truncate(len);
            self.is_full = false;
        }
    }
}

/// Registers what makes texts of values, and keeps in `printed` what is printed.
pub fn register(engine: &mut Engine, meter: &SharedMeter, printed: &Printed) {
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
    for (name, debug) in [("print", false), ("debug", true)] {
        for kind in kinds {
            let (meter, printed) = (meter.clone(), printed.clone());
            engine.register_raw_fn(name, [kind], move |ctx, arguments| -> Result<ImmutableString, Fault> {
                meter.charge(meter.size(arguments[0])?.text_operations())?;
                let mut text = String::new();
                if !printed.borrow().is_full {
                    write(&ctx, arguments[0], debug, &mut text);
                }
                Ok(text.into())
            });
        }
    }
    for (name, debug) in [("to_string", false), ("to_debug", true)] {
        for kind in [TypeId::of::<Array>(), TypeId::of::<Map>(), TypeId::of::<FnPtr>()] {
            let meter = meter.clone();
            engine.register_raw_fn(name, [kind], move |ctx, arguments| -> Result<ImmutableString, Fault> {
                meter.charge(meter.size(arguments[0])?.text_operations())?;
                let mut text = String::new();
                write(&ctx, arguments[0], debug, &mut text);
                Ok(text.into())
            });
        }
    }
    let out = printed.clone();
    engine.on_print(move |text| out.borrow_mut().keep(&show_cards(text)));
    let out = printed.clone();
    engine.on_debug(move |text, _, _| out.borrow_mut().keep(&show_cards(text)));
}

/// Writes a value as the engine does, as it is printed or for `debug`. What stands in a list or a map is written for `debug`.
fn write(ctx: &NativeCallContext<'_>, value: &Dynamic, debug: bool, out: &mut String) {
    // Nothing goes wrong when a text is written to.
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
        // The engine's name of a closure is another on another machine.
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

/// A text in which every card is in notation: the engine joins a card to a text as a character.
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
