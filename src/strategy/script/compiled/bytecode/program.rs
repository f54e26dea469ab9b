//! A program: the code of all its trees, and what they share.

use std::collections::BTreeMap;

use super::super::super::intrinsics::ViewProperty;
use super::super::super::module::Form;
use super::super::super::value::{Types, Value};
use super::super::table::Table;
use super::op::Op;
use super::table::{CodeOffset, Reg};

/// A script that needs more registers or ops than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// What all trees of a program share.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub code: Vec<Op>,
    pub tables: Vec<Table>,
    /// What the tables say, 64 values each.
    pub values: Vec<i64>,
    /// Registers that hold the same always.
    pub constants: Vec<(Reg, i64)>,
    /// Registers that hold properties of the view.
    pub properties: Vec<(Reg, ViewProperty)>,
    pub memos: BTreeMap<usize, Reg>,
    /// Constants that are lists.
    pub lists: Vec<Vec<Value>>,
    /// The types that elements of lists may have.
    pub elements: Types,
    /// How many registers from 255 down are taken.
    pub shared: usize,
    /// The most registers that any tree takes from 0 up.
    pub most: usize,
}

/// A tree may have so many registers of its own.
pub const MOST_OWN: usize = 150;
/// More constants than that are made where they are needed.
pub const MOST_CONSTANTS: usize = 40;

impl Program {
    pub fn share(&mut self, registers: usize) -> Result<Reg, TooLarge> {
        self.shared += registers;
        if self.shared + MOST_OWN > 256 { Err(TooLarge) } else { Ok((256 - self.shared) as Reg) }
    }

    pub fn property(&mut self, property: ViewProperty) -> Result<Reg, TooLarge> {
        if let Some((reg, _)) = self.properties.iter().find(|(_, known)| *known == property) {
            return Ok(*reg);
        }
        let reg = self.share(1)?;
        self.properties.push((reg, property));
        Ok(reg)
    }

    /// Three registers and one for the type: the decision it holds for, its operations, its value.
    pub fn memo(&mut self, id: usize) -> Result<Reg, TooLarge> {
        if let Some(reg) = self.memos.get(&id) {
            return Ok(*reg);
        }
        let reg = self.share(4)?;
        self.memos.insert(id, reg);
        Ok(reg)
    }
}

/// What a function that the game calls does with a class of moves.
#[derive(Clone, Copy, Debug)]
pub enum EntryPoint {
    /// It scores them all the same.
    Always { score: i64, cost: u32 },
    /// Its code runs. It needs these properties of the view, a bit for each of the program's.
    Run { at: CodeOffset, needs: u64, cost: u32 },
}

/// A function that is called.
#[derive(Clone, Copy, Debug)]
pub struct Called {
    pub at: CodeOffset,
    /// Upper bound of the operations of a call, loops' rounds and its own calls apart.
    pub cost: u32,
    /// How many calls deep the functions inlined in it are.
    pub call_depth: usize,
    /// How many parameters it has: each is a tagged value, in the first registers.
    pub parameters: usize,
    /// How many places for lists it has.
    pub sites: usize,
}

/// The program of a script under one set of rules.
#[derive(Debug)]
pub struct CompiledScript {
    /// Whose rules these are: [`Rules::id`](crate::rules::Rules::id).
    pub rules: u64,
    pub form: Form,
    pub program: Program,
    pub called: Vec<Called>,
    /// For each class of moves; one for all where the script chooses.
    pub entries: [EntryPoint; 16],
    /// The classes whose entries run, a bit for each; the scores and operations of the others.
    pub runs: u16,
    pub scores: [i64; 16],
    pub costs: [u64; 16],
    /// The classes of moves for which it looks at stock or waste, a bit for each.
    pub stock_dependent: u16,
    /// Properties of the view that are the same until a play, a bit for each.
    pub of_arrangement: u64,
    /// It may draw numbers from the game's stream for strategies, or print.
    pub draws_numbers: bool,
    /// How many places for lists the functions that the game calls have.
    pub sites: usize,
}
