//! Limits of scripts, and the budget that a decision uses.
//!
//! Rhai counts operations, but not what each of them costs, and it does not count those of closures called by its own
//! functions. So the count is kept here: one for each operation of the interpreter, and more for long values or
//! long-running calls. There is no clock: a decision is the same on every machine, however busy it is.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};

use rhai::{Array, Dynamic, EvalAltResult, FnPtr, Map, Position};

use crate::game::{MEMORY, MOST_PLAYED_ON};
use crate::interrupt;

use super::value::{Fault, MOST_ELEMENTS};

/// Operations of one decision (all its moves scored): well over what any sensible strategy needs, and reached within a
/// second or so, whatever the operations are.
pub const MAX_OPERATIONS: u64 = 1_000_000;
/// Maximum seconds that this many operations take, whatever they are.
pub const MAX_SECONDS: u64 = 4;
/// Maximum megabytes that a thread uses in such a decision: the most that was reached is 414, where a script and the
/// function that it asks both fill their limits.
pub const MAX_MEGABYTES: u64 = 450;
/// Bytes of a script. The engine counts lines and columns only up to 65,535, and functions are located by them.
pub const MAX_SCRIPT: usize = 64_000;
/// Bytes of a text literal: work on it is not charged by its length.
pub const MAX_LITERAL: usize = 2_048;
/// Depth of nested calls.
pub const MAX_CALL_DEPTH: usize = 32;
pub const MAX_EXPRESSION_DEPTH: usize = 56;
pub const MAX_STRING: usize = 16_384;
/// Elements of an array, including those of nested arrays and maps.
pub const MAX_ARRAY: usize = 8_192;
pub const MAX_MAP: usize = 1_024;
pub const MAX_NESTING: usize = 16;
/// Number of variables at one time.
pub const MAX_VARIABLES: usize = 256;
pub const MAX_PARAMETERS: usize = 64;
pub const MAX_CONSTANT: u64 = 65_536;
/// Values computed as elements or arguments of a list, a map or a call, including the enclosing ones: their total size
/// is checked only when it is complete.
pub const MAX_COMPUTED: usize = 1_024;
pub const MAX_FUNCTIONS: usize = 256;
/// Closures of a script: they may be nested, and the parser recurses into them.
pub const MAX_CLOSURES: usize = 64;
/// Bytes of printed output kept between two readings.
pub const MAX_PRINTED: usize = 65_536;

/// Returns every limit of a script, with its description and its size.
pub fn limits() -> [(&'static str, u64); 22] {
    let size = |n: usize| n as u64;
    [
        ("operations for one decision, that is, to score all legal moves", MAX_OPERATIONS),
        ("seconds that a decision takes at most, on a core with nothing else to do", MAX_SECONDS),
        ("megabytes of memory that a thread takes at most for it", MAX_MEGABYTES),
        ("operations to load a script", MAX_OPERATIONS),
        ("bytes of a script", size(MAX_SCRIPT)),
        ("bytes of a text that is written in a script", size(MAX_LITERAL)),
        ("bytes of any other text, and of the texts in a list together", size(MAX_STRING)),
        ("elements of a list, those of lists in it counted", size(MAX_ARRAY)),
        ("elements of a list in compiled code", size(MOST_ELEMENTS)),
        ("entries of a map", size(MAX_MAP)),
        ("depth of lists and maps inside each other", size(MAX_NESTING)),
        ("variables at one time in a function; constants of a script", size(MAX_VARIABLES)),
        ("elements of all constants of a script, 8 bytes of a text counted as one", MAX_CONSTANT),
        (
            "values in a list or a call that are computed, those of lists and calls around it counted",
            size(MAX_COMPUTED),
        ),
        ("functions of a script", size(MAX_FUNCTIONS)),
        ("parameters of a function", size(MAX_PARAMETERS)),
        ("closures of a script", size(MAX_CLOSURES)),
        ("depth of calls inside each other", size(MAX_CALL_DEPTH)),
        ("depth of expressions inside each other", size(MAX_EXPRESSION_DEPTH)),
        ("numbers kept in `memory`", size(MEMORY)),
        ("moves of a playout, which then ends", MOST_PLAYED_ON.into()),
        ("bytes printed in a decision that are shown", size(MAX_PRINTED)),
    ]
}

/// Words that would let a script leave the game: other code, clocks, the end of the program.
pub const FORBIDDEN: [&str; 5] = ["eval", "sleep", "exit", "import", "export"];

/// The operations allowed for a decision in this process.
static OPERATIONS: AtomicU64 = AtomicU64::new(MAX_OPERATIONS);

/// Returns how many operations a decision may use: [`MAX_OPERATIONS`], unless it was set.
pub fn max_operations() -> u64 {
    OPERATIONS.load(Ordering::Relaxed)
}

/// Sets how many operations a decision may use, for all scripts loaded afterwards.
pub fn set_max_operations(operations: u64) {
    OPERATIONS.store(operations, Ordering::Relaxed);
}

/// Number of operations between checks for a stop: few enough that even the most expensive take a fraction of a second.
const BETWEEN_LOOKS: u64 = 256;

/// Number of array elements or map entries copied for the price of an operation.
const ELEMENTS: usize = 16;
/// Overhead of copying a list, in elements.
const LIST: usize = 8;
/// Size of a value that is not stored in place (a move, a view, a range, a function), in additional elements.
const BOXED: usize = 6;
/// Size of a map entry in elements, and the overhead of a non-empty map: it is made of nodes for eleven entries, half
/// of them empty.
const ENTRY: usize = 7;
const MAP: usize = 24;
/// Number of bytes of a text scanned for the price of an operation.
const BYTES: usize = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It exhausted its operations.
    Operations,
    /// The user asked the program to stop.
    Interrupted,
}

impl Stop {
    fn token(self) -> Dynamic {
        Dynamic::from_int(self as i64)
    }

    pub fn of(error: &EvalAltResult) -> Option<Stop> {
        let EvalAltResult::ErrorTerminated(token, _) = error else { return None };
        let number = token.as_int().ok()?;
        [Stop::Operations, Stop::Interrupted].into_iter().find(|stop| *stop as i64 == number)
    }
}

#[derive(Debug)]
pub struct Meter {
    spent: Cell<u64>,
    limit: Cell<u64>,
    /// The value of `spent` at which the next check is due.
    next: Cell<u64>,
    /// Number of times that counting was restarted.
    begun: Cell<u64>,
}

impl Default for Meter {
    /// Creates a meter without a limit.
    fn default() -> Meter {
        let most = || Cell::new(u64::MAX);
        Meter { spent: Cell::new(0), limit: most(), next: most(), begun: Cell::new(0) }
    }
}

impl Meter {
    /// Restarts counting, up to `limit` operations.
    pub fn begin(&self, limit: u64) {
        self.limit.set(limit);
        self.begun.set(self.begun.get() + 1);
        self.set(0);
    }

    /// Returns a number that identifies the current count since its restart.
    pub fn begun(&self) -> u64 {
        self.begun.get()
    }

    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    pub fn set(&self, spent: u64) {
        self.spent.set(spent);
        self.next.set(spent.saturating_add(BETWEEN_LOOKS).min(self.limit.get()));
    }

    /// Counts an operation. Returns a token if the script must stop.
    #[inline(always)]
    pub fn step(&self) -> Option<Dynamic> {
        let spent = self.spent.get() + 1;
        self.spent.set(spent);
        if spent <= self.next.get() { None } else { self.look().map(Stop::token) }
    }

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

    /// Counts several operations.
    pub fn charge(&self, operations: u64) -> Result<(), Fault> {
        let spent = self.spent.get().saturating_add(operations);
        self.spent.set(spent);
        if spent <= self.next.get() {
            return Ok(());
        }
        self.look()
            .map_or(Ok(()), |stop| Err(EvalAltResult::ErrorTerminated(stop.token(), Position::NONE).into()))
    }

    /// Charges for reading a variable: a list in it may be copied, or scanned.
    #[inline(always)]
    pub fn read(&self, value: &Dynamic) -> Result<(), Fault> {
        if is_large(value) { self.read_large(value) } else { Ok(()) }
    }

    fn read_large(&self, value: &Dynamic) -> Result<(), Fault> {
        let operations = self.size(value)?.operations();
        if operations == 0 { Ok(()) } else { self.charge(operations) }
    }

    /// Returns the size of a value.
    pub fn size(&self, value: &Dynamic) -> Result<Size, Fault> {
        let mut size = Size::default();
        size.add(value, 0).map_err(|()| too_large("Depth of array"))?;
        size.check()?;
        Ok(size)
    }

    /// Returns the size of `many` elements like this one.
    pub fn size_of_many(&self, element: &Dynamic, many: usize, others: usize) -> Result<Size, Fault> {
        let mut one = Size { elements: 1, ..Size::default() };
        one.element(element, 1).map_err(|()| too_large("Depth of array"))?;
        let all = one.times(many);
        Size { elements: others.saturating_add(all.elements), lists: all.lists + 1, ..all }.check()?;
        Ok(all)
    }

    pub fn room_for(&self, bytes: usize) -> Result<(), Fault> {
        Size { bytes, ..Size::default() }.check()
    }
}

/// Maximum price of a list of moves in operations: more than two hundred moves are hardly ever legal.
pub const MOST_FOR_MOVES: u64 = 64;

/// Returns the price of a list of this many moves: less than an operation each.
pub fn list_of_moves(moves: usize) -> u64 {
    Size { elements: moves, boxed: moves, ..Size::default() }.operations().min(MOST_FOR_MOVES)
}

/// Returns the fault of a script that the user asked to stop.
pub fn interrupted() -> Fault {
    EvalAltResult::ErrorTerminated(Stop::Interrupted.token(), Position::NONE).into()
}

/// The size of a value, including its contents.
#[derive(Clone, Copy, Debug, Default)]
pub struct Size {
    elements: usize,
    entries: usize,
    bytes: usize,
    lists: usize,
    maps: usize,
    /// Elements and entries that are not stored in place.
    boxed: usize,
}

impl Size {
    /// Returns the price of copying it: an operation for each 256 bytes that a copy takes, or 64 of a text.
    pub fn operations(self) -> u64 {
        let lists = LIST * self.lists + MAP * self.maps;
        let elements = self.elements + BOXED * self.boxed + ENTRY * self.entries + lists;
        (elements / ELEMENTS + self.bytes / BYTES) as u64
    }

    /// Returns its elements, entries and eighths of its bytes.
    pub fn parts(self) -> u64 {
        let elements = self.elements.saturating_add(BOXED.saturating_mul(self.boxed));
        elements.saturating_add(self.entries).saturating_add(self.bytes / 8) as u64
    }

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

    /// Adds a value at a depth; fails if that is too deep, which bounds the stack needed.
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

    /// Adds an element of an array or a map at a depth.
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

#[inline(always)]
fn is_large(value: &Dynamic) -> bool {
    value.is_array() || value.is_string() || value.is_map() || value.is_fnptr()
}

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
    fn values_are_charged_for_their_room() {
        let meter = Meter::default();
        let spent = |value: Dynamic| {
            meter.begin(u64::MAX);
            meter.read(&value).map(|()| meter.spent()).ok()
        };
        let of = |value: Dynamic, n: usize| Dynamic::from_array(vec![value; n]);
        let list = |n: usize| of(Dynamic::from_int(1), n);
        let map = |n: usize| -> Dynamic {
            Dynamic::from_map((0..n).map(|i| (format!("{i:04}").into(), Dynamic::from_int(1))).collect())
        };
        let nested = (0..MAX_NESTING).fold(Dynamic::UNIT, |inner, _| of(inner, 1));
        for (value, operations) in [
            (list(7), Some(0)),
            (list(1600), Some(100)),
            (of(list(200), 8), Some(105)),
            (list(MAX_ARRAY + 1), None),
            (of(list(MAX_ARRAY / 2), 2), None),
            (of(nested.clone(), 1), None),
            (nested, Some(9)),
            // What lies elsewhere takes more.
            (of(Dynamic::from(0..3_i64), 1600), Some(700)),
            (of(Dynamic::from_bool(true), 1600), Some(100)),
            (map(0), Some(0)),
            (map(1000), Some((7 * 1000 + 24 + 8) / 16 + 4 * 1000 / 64)),
            (of(map(1), 100), Some((108 + (7 + 24 + 8) * 100) / 16 + 400 / 64)),
        ] {
            assert_eq!(spent(value.clone()), operations, "{}", value.type_name());
        }
    }
}
