//! Checks that constants hold only plain data.
//!
//! A constant lives as long as the script. A function in it could carry what it has seen from one decision to the next,
//! so only data is allowed.

use rhai::Dynamic;

use super::fault::of_load;
use super::faults::Faults;
use super::limits::MAX_CONSTANT;
use super::meter::Meter;
use super::module::Module;

/// Reports constants that hold anything other than data, and those that exceed the size of a value.
pub fn check(module: &Module, meter: &Meter, faults: &mut Faults<'_>) {
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
                faults.extend([of_load(&module.source, &error)]);
            }
        }
    }
}

/// Describes the part of a value that is not data.
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
