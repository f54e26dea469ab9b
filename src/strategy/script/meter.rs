//! What a script has used up of its budget.
//!
//! Rhai counts operations, but not what one of them costs, and forgets those of closures that its own functions call.
//! So the count is kept here: one for each operation of the interpreter, and more where a value is long or a call works
//! long. There is no clock: a decision is the same on every machine, however busy it is.

use std::cell::Cell;
use std::rc::Rc;

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, Map, Position};

use crate::interrupt;

use super::limits::{MAX_ARRAY, MAX_MAP, MAX_NESTING, MAX_STRING};

/// Operations between two looks whether to stop: so few that even the dearest of them come to a fraction of a second.
const BETWEEN_LOOKS: u64 = 256;

/// Elements of an array, or entries of a map, that are copied for the price of an operation.
const ELEMENTS: usize = 16;
/// A list within another is copied for the price of so many elements.
const LIST: usize = 8;
/// Bytes of a text that are looked through for the price of an operation.
const BYTES: usize = 64;

/// Why a script is stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It used up its operations.
    Operations,
    /// The person asked the program to stop.
    Interrupted,
}

impl Stop {
    /// What the engine hands on in its error.
    fn token(self) -> Dynamic {
        Dynamic::from_int(self as i64)
    }

    /// Reads what the engine handed on.
    pub fn of(error: &EvalAltResult) -> Option<Stop> {
        let EvalAltResult::ErrorTerminated(token, _) = error else { return None };
        let number = token.as_int().ok()?;
        [Stop::Operations, Stop::Interrupted].into_iter().find(|stop| *stop as i64 == number)
    }
}

/// Counts what is used up.
#[derive(Debug)]
pub struct Meter {
    spent: Cell<u64>,
    limit: Cell<u64>,
    /// When `spent` comes so far, there is something to look at.
    next: Cell<u64>,
    /// How often counting began anew.
    begun: Cell<u64>,
    /// Whether values may be only so large.
    sizes: bool,
}

pub type SharedMeter = Rc<Meter>;

type Fault = Box<EvalAltResult>;

impl Meter {
    /// A meter without limits if `limited` is false.
    pub fn new(limited: bool) -> SharedMeter {
        let meter = Meter {
            spent: Cell::new(0),
            limit: Cell::new(u64::MAX),
            next: Cell::new(u64::MAX),
            begun: Cell::new(0),
            sizes: limited,
        };
        Rc::new(meter)
    }

    /// Begins to count anew, up to `limit` operations.
    pub fn begin(&self, limit: u64) {
        self.limit.set(limit);
        self.begun.set(self.begun.get() + 1);
        self.set(0);
    }

    /// How often counting began anew: the same number as long as it did not.
    pub fn begun(&self) -> u64 {
        self.begun.get()
    }

    /// Operations spent.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// Goes on from so many operations.
    pub fn set(&self, spent: u64) {
        self.spent.set(spent);
        self.next.set(spent.saturating_add(BETWEEN_LOOKS).min(self.limit.get()));
    }

    /// Counts an operation. Whether the script is to be stopped.
    #[inline(always)]
    pub fn step(&self) -> Option<Dynamic> {
        let spent = self.spent.get() + 1;
        self.spent.set(spent);
        if spent <= self.next.get() { None } else { self.look().map(Stop::token) }
    }

    /// Looks whether there is anything left.
    #[cold]
    fn look(&self) -> Option<Stop> {
        let spent = self.spent.get();
        if interrupt::requested() {
            return Some(Stop::Interrupted);
        }
        if spent > self.limit.get() {
            return Some(Stop::Operations);
        }
        self.next.set(spent.saturating_add(BETWEEN_LOOKS).min(self.limit.get()));
        None
    }

    /// Counts so many operations at once.
    ///
    /// # Errors
    /// If they are too many.
    pub fn charge(&self, operations: u64) -> Result<(), Fault> {
        let spent = self.spent.get().saturating_add(operations);
        self.spent.set(spent);
        if spent <= self.next.get() {
            return Ok(());
        }
        self.look()
            .map_or(Ok(()), |stop| Err(EvalAltResult::ErrorTerminated(stop.token(), Position::NONE).into()))
    }

    /// Counts what it costs to read a variable: a list in it may be copied, or looked through.
    ///
    /// # Errors
    /// If that is too much, or the value is too large.
    #[inline(always)]
    pub fn read(&self, value: &Dynamic) -> Result<(), Fault> {
        if is_large(value) { self.read_large(value) } else { Ok(()) }
    }

    fn read_large(&self, value: &Dynamic) -> Result<(), Fault> {
        let operations = self.size(value)?.operations();
        if operations == 0 { Ok(()) } else { self.charge(operations) }
    }

    /// The size of a value.
    ///
    /// # Errors
    /// If it is larger than a value may be.
    pub fn size(&self, value: &Dynamic) -> Result<Size, Fault> {
        let mut size = Size::default();
        size.add(value, 0).map_err(|()| too_large("Depth of array"))?;
        if self.sizes {
            size.check()?;
        }
        Ok(size)
    }

    /// Whether an array of so many elements may be.
    ///
    /// # Errors
    /// If it may not.
    pub fn room_for(&self, elements: usize, bytes: usize) -> Result<(), Fault> {
        if self.sizes { Size { elements, bytes, ..Size::default() }.check() } else { Ok(()) }
    }
}

/// The fault of a script that the person asked to stop.
pub fn interrupted() -> Fault {
    EvalAltResult::ErrorTerminated(Stop::Interrupted.token(), Position::NONE).into()
}

/// How large a value is, whatever it is made of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    elements: usize,
    entries: usize,
    bytes: usize,
    /// Arrays and maps.
    lists: usize,
}

impl Size {
    /// What it costs to copy it.
    pub fn operations(self) -> u64 {
        ((self.elements + self.entries + LIST * self.lists.saturating_sub(1)) / ELEMENTS + self.bytes / BYTES)
            as u64
    }

    /// Its elements, entries and, by eights, bytes.
    pub fn parts(self) -> u64 {
        (self.elements + self.entries + self.bytes / 8) as u64
    }

    fn check(self) -> Result<(), Fault> {
        if self.bytes > MAX_STRING {
            return Err(too_large(if self.lists > 0 { "Texts in list" } else { "Length of string" }));
        }
        if self.elements > MAX_ARRAY {
            return Err(too_large(if self.lists > 1 { "Lists in list" } else { "Size of array" }));
        }
        if self.entries > MAX_MAP {
            return Err(too_large("Size of object map"));
        }
        Ok(())
    }

    /// Adds a value at a depth; an error if it goes too deep. So the stack that it takes is bounded.
    fn add(&mut self, value: &Dynamic, depth: usize) -> Result<(), ()> {
        if let Ok(text) = value.as_immutable_string_ref() {
            self.bytes += text.len();
        } else if let Ok(array) = value.as_array_ref() {
            self.array(&array, depth)?;
        } else if let Ok(map) = value.as_map_ref() {
            self.map(&map, depth)?;
        } else if let Some(function) = value.read_lock::<FnPtr>() {
            for value in function.iter_curry() {
                self.elements += 1;
                self.add(value, within(depth)?)?;
            }
        }
        Ok(())
    }

    fn array(&mut self, array: &Array, depth: usize) -> Result<(), ()> {
        let depth = within(depth)?;
        self.lists += 1;
        self.elements += array.len();
        array.iter().filter(|value| is_large(value)).try_for_each(|value| self.add(value, depth))
    }

    fn map(&mut self, map: &Map, depth: usize) -> Result<(), ()> {
        let depth = within(depth)?;
        self.lists += 1;
        self.entries += map.len();
        self.bytes += map.keys().map(|key| key.len()).sum::<usize>();
        map.values().filter(|value| is_large(value)).try_for_each(|value| self.add(value, depth))
    }
}

/// Whether a value may be of any size.
#[inline(always)]
fn is_large(value: &Dynamic) -> bool {
    value.is_array() || value.is_string() || value.is_map() || value.is_fnptr()
}

/// The depth within a list at a depth.
fn within(depth: usize) -> Result<usize, ()> {
    if depth < MAX_NESTING { Ok(depth + 1) } else { Err(()) }
}

fn too_large(what: &str) -> Fault {
    EvalAltResult::ErrorDataTooLarge(what.into(), Position::NONE).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_counted_to_the_last() {
        let meter = Meter::new(true);
        meter.begin(1000);
        for _ in 0..1000 {
            assert!(meter.step().is_none());
        }
        assert_eq!(meter.step().and_then(|token| token.as_int().ok()), Some(Stop::Operations as i64));
        meter.begin(1000);
        assert!(meter.charge(1000).is_ok());
        assert_eq!(Stop::of(&meter.charge(1).unwrap_err()), Some(Stop::Operations));
    }

    #[test]
    fn lists_are_charged_by_their_length() {
        let meter = Meter::new(true);
        meter.begin(u64::MAX);
        let list = |n: usize| Dynamic::from_array(vec![Dynamic::from_int(1); n]);
        meter.read(&list(15)).unwrap();
        assert_eq!(meter.spent(), 0);
        meter.read(&list(1600)).unwrap();
        assert_eq!(meter.spent(), 100);
        meter.read(&Dynamic::from_array(vec![list(200); 8])).unwrap();
        assert_eq!(meter.spent(), 204);
        assert!(meter.read(&list(MAX_ARRAY + 1)).is_err());
        assert!(meter.read(&Dynamic::from_array(vec![list(MAX_ARRAY / 2); 2])).is_err());
        let nested = (0..MAX_NESTING).fold(Dynamic::UNIT, |inner, _| Dynamic::from_array(vec![inner]));
        meter.read(&nested).unwrap();
        assert!(meter.read(&Dynamic::from_array(vec![nested])).is_err());
    }
}
