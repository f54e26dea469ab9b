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
/// A list is copied for the price of so many elements more.
const LIST: usize = 8;
/// A value that does not lie in its place itself (a move, a view, a range, a function) takes the room of so many elements
/// more.
const BOXED: usize = 6;
/// An entry of a map takes the room of so many elements, and a map that is not empty that of so many more: it is made of
/// nodes for eleven entries, of which half are empty.
const ENTRY: usize = 7;
const MAP: usize = 24;
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

    /// Takes operations back that are none of the script.
    pub fn refund(&self, operations: u64) {
        self.spent.set(self.spent.get().saturating_sub(operations));
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

    /// The size of so many elements like this one.
    ///
    /// # Errors
    /// If they are more than a list may have.
    pub fn size_of_many(&self, element: &Dynamic, many: usize, others: usize) -> Result<Size, Fault> {
        let mut one = Size { elements: 1, ..Size::default() };
        one.element(element, 1).map_err(|()| too_large("Depth of array"))?;
        let all = one.times(many);
        if self.sizes {
            Size { elements: others.saturating_add(all.elements), lists: all.lists + 1, ..all }.check()?;
        }
        Ok(all)
    }

    /// Whether a text of so many bytes may be.
    ///
    /// # Errors
    /// If it may not.
    pub fn room_for(&self, bytes: usize) -> Result<(), Fault> {
        if self.sizes { Size { bytes, ..Size::default() }.check() } else { Ok(()) }
    }
}

/// Operations that a list of moves costs at most: more than two hundred are hardly ever legal.
pub const MOST_FOR_MOVES: u64 = 64;

/// What a list of so many moves costs: less than an operation each.
pub fn list_of_moves(moves: usize) -> u64 {
    Size { elements: moves, boxed: moves, ..Size::default() }.operations().min(MOST_FOR_MOVES)
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
    /// Maps that are not empty.
    maps: usize,
    /// Elements and entries that do not lie in their places themselves.
    boxed: usize,
}

impl Size {
    /// What it costs to copy it: an operation for each 256 bytes that a copy takes, or 64 of a text.
    pub fn operations(self) -> u64 {
        let lists = LIST * self.lists + MAP * self.maps;
        let elements = self.elements + BOXED * self.boxed + ENTRY * self.entries + lists;
        (elements / ELEMENTS + self.bytes / BYTES) as u64
    }

    /// Its elements, entries and, by eights, bytes.
    pub fn parts(self) -> u64 {
        let elements = self.elements.saturating_add(BOXED.saturating_mul(self.boxed));
        elements.saturating_add(self.entries).saturating_add(self.bytes / 8) as u64
    }

    /// What it costs to write it as a text.
    pub fn text_operations(self) -> u64 {
        self.parts() / 2
    }

    fn times(self, n: usize) -> Size {
        Size {
            elements: self.elements.saturating_mul(n),
            entries: self.entries.saturating_mul(n),
            bytes: self.bytes.saturating_mul(n),
            lists: self.lists.saturating_mul(n),
            maps: self.maps.saturating_mul(n),
            boxed: self.boxed.saturating_mul(n),
        }
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
                self.element(value, within(depth)?)?;
            }
        }
        Ok(())
    }

    /// Adds a value that stands in an array or a map at a depth.
    #[inline(always)]
    fn element(&mut self, value: &Dynamic, depth: usize) -> Result<(), ()> {
        if value.is_int() {
            return Ok(());
        }
        self.boxed += usize::from(value.is_variant() || value.is_fnptr());
        if is_large(value) { self.add(value, depth) } else { Ok(()) }
    }

    fn array(&mut self, array: &Array, depth: usize) -> Result<(), ()> {
        let depth = within(depth)?;
        self.lists += 1;
        self.elements += array.len();
        array.iter().try_for_each(|value| self.element(value, depth))
    }

    fn map(&mut self, map: &Map, depth: usize) -> Result<(), ()> {
        let depth = within(depth)?;
        self.lists += 1;
        self.maps += usize::from(!map.is_empty());
        self.entries += map.len();
        self.bytes += map.keys().map(|key| key.len()).sum::<usize>();
        map.values().try_for_each(|value| self.element(value, depth))
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
        meter.read(&list(7)).unwrap();
        assert_eq!(meter.spent(), 0);
        meter.read(&list(1600)).unwrap();
        assert_eq!(meter.spent(), 100);
        meter.read(&Dynamic::from_array(vec![list(200); 8])).unwrap();
        assert_eq!(meter.spent(), 205);
        assert!(meter.read(&list(MAX_ARRAY + 1)).is_err());
        assert!(meter.read(&Dynamic::from_array(vec![list(MAX_ARRAY / 2); 2])).is_err());
        let nested = (0..MAX_NESTING).fold(Dynamic::UNIT, |inner, _| Dynamic::from_array(vec![inner]));
        meter.read(&nested).unwrap();
        assert!(meter.read(&Dynamic::from_array(vec![nested])).is_err());
    }

    #[test]
    fn what_lies_elsewhere_is_charged_for_its_room() {
        let meter = Meter::new(true);
        let spent = |value: &Dynamic| {
            meter.begin(u64::MAX);
            meter.read(value).unwrap();
            meter.spent()
        };
        let list = |value: Dynamic| Dynamic::from_array(vec![value; 1600]);
        assert_eq!(spent(&list(Dynamic::from(0..3_i64))), 700);
        assert_eq!(spent(&list(Dynamic::from_bool(true))), 100);
        let map = |n: usize| -> Dynamic {
            Dynamic::from_map((0..n).map(|i| (format!("{i:04}").into(), Dynamic::from_int(1))).collect())
        };
        assert_eq!(spent(&map(0)), 0);
        assert_eq!(spent(&map(1000)), (7 * 1000 + 24 + 8) / 16 + 4 * 1000 / 64);
        assert_eq!(
            spent(&Dynamic::from_array(vec![map(1); 100])),
            (108 + (7 + 24 + 8) * 100) / 16 + 400 / 64
        );
    }
}
