//! A program: the code of all its trees, and their shared data.

use std::collections::BTreeMap;

use super::super::super::intrinsics::ViewProperty;
use super::super::super::module::Form;
use super::super::super::value::{Types, Value};
use super::super::table::Table;
use super::op::Op;
use super::table::{CodeOffset, Reg};

/// Error for a script that needs more registers or ops than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Data shared by all trees of a program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub code: Vec<Op>,
    pub tables: Vec<Table>,
    /// The values of the tables, 64 each.
    pub values: Vec<i64>,
    /// Registers with constants.
    pub constants: Vec<(Reg, i64)>,
    /// Registers that hold properties of the view.
    pub properties: Vec<(Reg, ViewProperty)>,
    pub memos: BTreeMap<usize, Reg>,
    /// Constants that are lists.
    pub lists: Vec<Vec<Value>>,
    /// The possible types of list elements.
    pub elements: Types,
    /// Number of shared registers, from 255 down.
    pub shared: usize,
    /// The largest number of registers that any tree uses, from 0 up.
    pub most: usize,
}

/// Maximum number of a tree's own registers.
pub const MOST_OWN: usize = 150;
/// Maximum number of constants in registers; further ones are loaded where they are needed.
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

    /// Reserves four registers: the decision it is valid for, its operations, its value, and its tag.
    pub fn memo(&mut self, id: usize) -> Result<Reg, TooLarge> {
        if let Some(reg) = self.memos.get(&id) {
            return Ok(*reg);
        }
        let reg = self.share(4)?;
        self.memos.insert(id, reg);
        Ok(reg)
    }
}

/// The handling of a class of moves by a function that the game calls.
#[derive(Clone, Copy, Debug)]
pub enum EntryPoint {
    /// All of them have the same score.
    Always { score: i64, cost: u32 },
    /// The code runs. `needs` has a bit for each of the program's properties of the view.
    Run { at: CodeOffset, needs: u64, cost: u32 },
}

/// A function that is called.
#[derive(Clone, Copy, Debug)]
pub struct Called {
    pub at: CodeOffset,
    /// Upper bound on the operations of a call, except for the rounds of loops and its own calls.
    pub cost: u32,
    /// The depth of calls inlined in it.
    pub call_depth: usize,
    /// Number of its parameters: each is a tagged value, in the first registers.
    pub parameters: usize,
    /// Number of places for lists that it has.
    pub sites: usize,
}

/// The program of a script under one set of rules.
#[derive(Debug)]
pub struct CompiledScript {
    /// The id of the rules: [`Rules::id`](crate::rules::Rules::id).
    pub rules: u64,
    pub form: Form,
    pub program: Program,
    pub called: Vec<Called>,
    /// For each class of moves; a single one if the script chooses.
    pub entries: [EntryPoint; 16],
    /// The classes whose entries run, one bit each; the scores and operations of the others.
    pub runs: u16,
    pub scores: [i64; 16],
    pub costs: [u64; 16],
    /// The classes of moves for which it looks at stock or waste, one bit each.
    pub stock_dependent: u16,
    /// Properties of the view that stay the same until a play, one bit each.
    pub of_arrangement: u64,
    /// Whether it may draw numbers from the game's stream for strategies, or print.
    pub draws_numbers: bool,
    /// Number of places for lists in the functions that the game calls.
    pub sites: usize,
}
