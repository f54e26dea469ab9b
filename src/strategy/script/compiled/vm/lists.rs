//! The lists of the machine.
//!
//! A list has a place, and its value in a register is the number of that place. First come the constants of the script,
//! which nothing changes. After them each running function has a frame of places, one for each op that creates a list;
//! the frames of the functions that it calls follow. A place is reused each time that its op runs: no list is shared,
//! as what is stored is copied to a separate place (see the pass `own_lists`).

use super::super::super::value::{LISTS, MOST_ELEMENTS, Types, Value};
use super::decision::{Bailout, Given};

/// Maximum number of places in all frames together.
const MOST_PLACES: usize = 2_048;
/// Number of elements that the interpreter reads for the price of an operation.
const ELEMENTS: usize = 16;

/// All lists.
#[derive(Debug, Default)]
pub struct Lists {
    places: Vec<Vec<Value>>,
    /// Number of them that are constants.
    constants: usize,
    /// The frame of the running function: its first place, and the number of places.
    frame: (usize, usize),
}

impl Lists {
    /// Prepares for a program with these constants.
    pub fn prepare(&mut self, constants: &[Vec<Value>]) {
        self.places.clear();
        self.places.extend_from_slice(constants);
        self.constants = constants.len();
        self.frame = (self.constants, 0);
    }

    /// Begins a run of a function that the game calls.
    pub fn begin(&mut self, first: usize, sites: usize) -> Result<(), Bailout> {
        self.frame = (first, 0);
        self.enter(sites).map(drop)
    }

    /// Opens a frame above that of the running function, which is returned.
    pub fn enter(&mut self, sites: usize) -> Result<(usize, usize), Bailout> {
        let before = self.frame;
        let first = before.0 + before.1;
        if first + sites > MOST_PLACES {
            return Err(Bailout);
        }
        if self.places.len() < first + sites {
            self.places.resize_with(first + sites, Vec::new);
        }
        self.frame = (first, sites);
        Ok(before)
    }

    /// Returns to a frame; a returned list is moved to one of its places.
    pub fn leave(&mut self, frame: (usize, usize), site: u8, value: Value) -> Result<Value, Bailout> {
        self.frame = frame;
        if value.types() != Types::LIST {
            return Ok(value);
        }
        let (from, to) = (self.index(value.bits)?, self.place_of(site)?);
        self.places.swap(from, to);
        Ok(at(to))
    }

    /// Returns the price of reading a list, as the interpreter counts.
    pub fn cost(list: &[Value]) -> u64 {
        1 + (list.len() / ELEMENTS) as u64
    }

    /// Checks that a value may be an element.
    pub fn element(value: Value) -> Result<Value, Bailout> {
        if value.types().within(Types::ELEMENT) { Ok(value) } else { Err(Bailout) }
    }

    /// Appends an element to a list.
    pub fn push(list: &mut Vec<Value>, value: Value) -> Result<(), Bailout> {
        if list.len() >= MOST_ELEMENTS {
            return Err(Bailout);
        }
        list.push(Lists::element(value)?);
        Ok(())
    }

    /// Converts an index into a list: a negative one counts from the end.
    pub fn place(list: &[Value], place: i64) -> Result<usize, Bailout> {
        let place = if place < 0 { place.checked_add(list.len() as i64).ok_or(Bailout)? } else { place };
        usize::try_from(place).ok().filter(|place| *place < list.len()).ok_or(Bailout)
    }

    /// Returns a mutable element.
    pub fn at(list: &mut [Value], place: i64) -> Result<&mut Value, Bailout> {
        let place = Lists::place(list, place)?;
        list.get_mut(place).ok_or(Bailout)
    }

    /// Returns a list.
    pub fn look(&self, list: i64) -> Result<&[Value], Bailout> {
        let index = self.index(list)?;
        Ok(&self.places[index])
    }

    /// Returns a mutable list, which must not be a constant.
    pub fn change(&mut self, list: i64) -> Result<&mut Vec<Value>, Bailout> {
        let index = self.index(list)?;
        if index < self.constants { Err(Bailout) } else { Ok(&mut self.places[index]) }
    }

    /// Creates a list of values at a place of the frame.
    pub fn make(&mut self, site: u8, values: impl Iterator<Item = Value>) -> Result<i64, Bailout> {
        let index = self.place_of(site)?;
        let list = &mut self.places[index];
        list.clear();
        for value in values {
            Lists::push(list, value)?;
        }
        Ok(LISTS + index as i64)
    }

    /// Copies a list to a place of the frame.
    pub fn own(&mut self, list: i64, site: u8) -> Result<i64, Bailout> {
        let (from, to) = (self.index(list)?, self.place_of(site)?);
        if from != to {
            let mut copy = std::mem::take(&mut self.places[to]);
            copy.clear();
            copy.extend_from_slice(&self.places[from]);
            self.places[to] = copy;
        }
        Ok(LISTS + to as i64)
    }

    /// Converts a value for an interpreted function.
    pub fn given(&self, value: Value) -> Result<Given, Bailout> {
        match value.types() {
            Types::LIST => self.look(value.bits).map(|list| Given::List(list.to_vec())),
            _ => Ok(Given::One(value)),
        }
    }

    /// Stores a list returned by an interpreted function at a place of the frame: its elements must be of these types.
    pub fn taken(&mut self, site: u8, values: Vec<Value>, types: Types) -> Result<Value, Bailout> {
        let fit = values.len() <= MOST_ELEMENTS && values.iter().all(|value| value.types().within(types));
        if !fit {
            return Err(Bailout);
        }
        let index = self.place_of(site)?;
        self.places[index] = values;
        Ok(at(index))
    }

    fn index(&self, list: i64) -> Result<usize, Bailout> {
        let index = list.checked_sub(LISTS).and_then(|index| usize::try_from(index).ok());
        index.filter(|index| *index < self.places.len()).ok_or(Bailout)
    }

    /// Returns the index of a place of the frame.
    fn place_of(&self, site: u8) -> Result<usize, Bailout> {
        let (first, sites) = self.frame;
        if usize::from(site) < sites { Ok(first + usize::from(site)) } else { Err(Bailout) }
    }
}

/// Returns the value of the list at an index.
fn at(index: usize) -> Value {
    Value { bits: LISTS + index as i64, is_int: false }
}
