//! Bytecode: a program of ops for a machine of 256 registers.
//!
//! [`Op`] is the reference of all ops. Registers have 64 bits; their number needs no check. Variables and intermediate
//! values take registers from 0 up. Downwards from 255 are those shared by all code of a program: constants, properties
//! of the view, and four registers for each memo: the decision it is valid for, the operations it cost, its value and
//! the tag of that. [`super::super::value`] defines what a register holds, and what a tag is.

use strum::{Display, EnumString};

use super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::super::module::Form;
use super::super::value::{Types, Value, card_order};

pub type Reg = u8;
pub type CodeOffset = u16;

/// One op, of eight bytes. `at` is where a jump continues. In fields named `a`, `b` and `value` are registers that are
/// read; a tagged op reads or writes the tag in the next register.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    /// Copies a register.
    Copy { to: Reg, a: Reg },
    /// Loads a whole number.
    Small { to: Reg, value: i32 },
    /// Adds; bails out on overflow, as does all arithmetic.
    Add { to: Reg, a: Reg, b: Reg },
    /// Subtracts.
    Sub { to: Reg, a: Reg, b: Reg },
    /// Computes `a & b`.
    BitAnd { to: Reg, a: Reg, b: Reg },
    /// Computes `a | b`.
    BitOr { to: Reg, a: Reg, b: Reg },
    /// Applies one of the rarer operators.
    Arith { op: Arith, to: Reg, a: Reg, b: Reg },
    /// Applies an operator to two tagged values, with a tagged result.
    ArithTagged { op: Arith, to: Reg, a: Reg, b: Reg },
    /// Applies an operator to one whole number.
    Single { op: Single, to: Reg, a: Reg },
    /// Negates a boolean.
    Not { to: Reg, a: Reg },
    /// Compares two whole numbers, or two values by their numbers.
    Compare { op: Compare, to: Reg, a: Reg, b: Reg },
    /// Compares two tagged values.
    CompareTagged { op: Compare, to: Reg, a: Reg, b: Reg },

    /// Continues at the target.
    Jump { at: CodeOffset },
    /// Jumps if `a` is true.
    JumpIf { a: Reg, at: CodeOffset },
    /// Jumps if `a` is false.
    JumpUnless { a: Reg, at: CodeOffset },
    /// Jumps if `a == b`.
    JumpEq { a: Reg, b: Reg, at: CodeOffset },
    /// Jumps if `a != b`.
    JumpNe { a: Reg, b: Reg, at: CodeOffset },
    /// Jumps if `a < b`.
    JumpLt { a: Reg, b: Reg, at: CodeOffset },
    /// Jumps if `a <= b`.
    JumpLe { a: Reg, b: Reg, at: CodeOffset },
    /// Jumps if `a & b` is not 0.
    JumpAny { a: Reg, b: Reg, at: CodeOffset },
    /// Jumps if `a & b` is 0.
    JumpNone { a: Reg, b: Reg, at: CodeOffset },
    /// Jumps if the foundations want the card.
    JumpWanted { a: Reg, at: CodeOffset },
    /// Jumps if the foundations do not want the card, or there is no card.
    JumpUnwanted { a: Reg, at: CodeOffset },
    /// Jumps to the body for the class of a move: `at + class`, in a table of jumps.
    ByClass { a: Reg, at: CodeOffset },

    /// Jumps back to the head of a loop, after a round that cost this many operations.
    Again { at: CodeOffset, cost: u16 },
    /// Starts the next round of a loop over a range, if there is one.
    Next { a: Reg, last: Reg, at: CodeOffset, cost: u16 },

    /// Bails out unless the value is a card.
    CardGuard { a: Reg },
    /// Bails out unless the value has one of these types.
    TypeGuard { a: Reg, types: Types },
    /// Acts as `TypeGuard`, for a tagged value.
    TypeGuardTagged { a: Reg, types: Types },

    /// Looks up a card, or `()`, in a table.
    Table { to: Reg, a: Reg, table: u16 },
    /// Looks up in a table what is certainly a card.
    TableOfCard { to: Reg, a: Reg, table: u16 },
    /// Computes `a`, or-ed with the bits that a table has for the card `b`.
    OrTable { to: Reg, a: Reg, b: Reg, table: u16 },
    /// Jumps if what a table says of the card `a` has a bit in common with `b`.
    JumpTable { a: Reg, b: Reg, table: u8, at: CodeOffset },
    /// Jumps if it has none.
    JumpNoTable { a: Reg, b: Reg, table: u8, at: CodeOffset },

    /// Reads a property of a card.
    CardProperty { of: CardProperty, to: Reg, a: Reg },
    /// Reads a property of a move.
    MoveProperty { of: MoveProperty, to: Reg, a: Reg },
    /// Reads a property of a seat.
    SeatProperty { of: SeatProperty, to: Reg, a: Reg },
    /// Reads a property of the view.
    ViewProperty { of: ViewProperty, to: Reg },
    /// `view.pile(a, b)`.
    Pile { to: Reg, a: Reg, b: Reg },
    /// `view.pile_len(a)`.
    PileLen { to: Reg, a: Reg },
    /// `view.pile_top(a)`.
    PileTop { to: Reg, a: Reg },
    /// `view.coming(a)`.
    Coming { to: Reg, a: Reg },
    /// `view.waste(a)`.
    Waste { to: Reg, a: Reg },
    /// Calls any other method. Its arguments start at `a`.
    Intrinsic { of: Intrinsic, to: Reg, a: Reg },
    /// Plays out the sampled deal `a` with the player named by a text; if `after` is set, after the move `b`.
    Playout { player: u8, after: bool, to: Reg, a: Reg, b: Reg },
    /// Reads an element of `memory`.
    Memory { to: Reg, a: Reg },
    /// Stores `b` in element `a` of `memory`.
    SetMemory { a: Reg, b: Reg },
    /// Creates a list at the place `site`, with this many tagged values in it.
    List { to: Reg, a: Reg, count: u8, site: u8 },
    /// Copies a tagged value; a list is copied to the place `site`.
    Own { to: Reg, a: Reg, site: u8 },
    /// Reads the element of the list `a` at index `b`, with its tag.
    Element { to: Reg, a: Reg, b: Reg },
    /// Counts the elements of the list `a`.
    Len { to: Reg, a: Reg },
    /// Stores a value at index `b` of the list `a`.
    Put { a: Reg, b: Reg, value: Reg },
    /// Appends a value to the list `a`.
    Push { a: Reg, value: Reg },
    /// Removes the last element of the list `a`.
    Pop { to: Reg, a: Reg },
    /// Removes all elements of the list `a`.
    Clear { a: Reg },
    /// Loads the last legal move.
    LastMove { to: Reg },

    /// Jumps if the memo is cached, and counts its cost: in this decision, or, if it is one of reserves and piles alone
    /// (`arranged`), since the last play.
    Remember { memo: Reg, arranged: bool, at: CodeOffset },
    /// Records the operation count before a memo is computed.
    Begin { memo: Reg },
    /// Marks the memo as cached.
    Keep { memo: Reg, arranged: bool },

    /// Calls a compiled function. The tagged arguments start at `a`. A list that it returns goes to the place `site`.
    Call { to: Reg, instance: u8, depth: u8, a: Reg, count: u8, site: u8 },
    /// Calls an interpreted function.
    Interpret { to: Reg, function: u8, depth: u8, a: Reg, count: u8, site: u8 },
    /// Returns a whole number, or something that is none.
    Return { a: Reg, is_int: bool },
    /// Returns a constant whole number.
    ReturnSmall { value: i32 },
    /// Returns a tagged value.
    ReturnTagged { a: Reg },
    /// Bails out: the interpreter reports the fault.
    Fault,
}

const _: () = assert!(size_of::<Op>() == 8);

impl Op {
    pub fn target(&mut self) -> Option<&mut CodeOffset> {
        match self {
            Op::Jump { at }
            | Op::JumpIf { at, .. }
            | Op::JumpUnless { at, .. }
            | Op::JumpEq { at, .. }
            | Op::JumpNe { at, .. }
            | Op::JumpLt { at, .. }
            | Op::JumpLe { at, .. }
            | Op::JumpAny { at, .. }
            | Op::JumpNone { at, .. }
            | Op::JumpWanted { at, .. }
            | Op::JumpUnwanted { at, .. }
            | Op::ByClass { at, .. }
            | Op::Again { at, .. }
            | Op::Next { at, .. }
            | Op::JumpTable { at, .. }
            | Op::JumpNoTable { at, .. }
            | Op::Remember { at, .. } => Some(at),
            _ => None,
        }
    }
}

/// Error for a script that needs more registers or ops than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Maximum number of a tree's own registers.
pub const MOST_OWN: usize = 150;
/// Maximum number of constants in registers; further ones are loaded where they are needed.
pub const MOST_CONSTANTS: usize = 40;

/// The code of a function.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    pub at: CodeOffset,
    /// Upper bound on the operations of a call, except for the rounds of loops and its own calls.
    pub cost: u32,
    /// Properties of the view that must be loaded before it runs, one bit for each of the script's.
    pub needs: u64,
    /// Number of places for lists that it has.
    pub sites: usize,
    /// The depth of calls inlined in it.
    pub call_depth: usize,
}

/// The program of a script under one set of rules.
#[derive(Debug, Default)]
pub struct CompiledScript {
    /// The id of the rules: [`Rules::id`](crate::rules::Rules::id).
    pub rules: u64,
    pub form: Form,
    pub code: Vec<Op>,
    /// The values of the tables, 64 each.
    pub values: Vec<i64>,
    /// Registers with constants.
    pub constants: Vec<(Reg, i64)>,
    /// Registers that hold properties of the view.
    pub properties: Vec<(Reg, ViewProperty)>,
    /// Constants that are lists.
    pub lists: Vec<Vec<Value>>,
    /// The players of sampled deals.
    pub players: Vec<String>,
    /// The possible types of list elements.
    pub elements: Types,
    /// Number of shared registers, from 255 down.
    pub shared: usize,
    /// The functions that are called.
    pub called: Vec<Code>,
    /// For each class of moves; a single one if the script chooses.
    pub entries: [Option<Code>; 16],
    /// The classes that have an entry, one bit each; the scores and operations of the others, known before the game.
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

impl CompiledScript {
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
}

/// Operators on two whole numbers, by their symbols in scripts; the bitwise ones also on two booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
pub enum Arith {
    #[strum(to_string = "+")]
    Add,
    #[strum(to_string = "-")]
    Sub,
    #[strum(to_string = "*")]
    Mul,
    #[strum(to_string = "/")]
    Div,
    #[strum(to_string = "%")]
    Rem,
    #[strum(to_string = "**")]
    Pow,
    #[strum(to_string = "<<")]
    Shl,
    #[strum(to_string = ">>")]
    Shr,
    #[strum(to_string = "&")]
    And,
    #[strum(to_string = "|")]
    Or,
    #[strum(to_string = "^")]
    Xor,
    #[strum(to_string = "min")]
    Min,
    #[strum(to_string = "max")]
    Max,
}

/// Comparisons, of any two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
pub enum Compare {
    #[strum(to_string = "==")]
    Eq,
    #[strum(to_string = "!=")]
    Ne,
    #[strum(to_string = "<")]
    Lt,
    #[strum(to_string = "<=")]
    Le,
    #[strum(to_string = ">")]
    Gt,
    #[strum(to_string = ">=")]
    Ge,
}

/// Operators on one whole number, by their names in scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Single {
    #[strum(disabled)]
    Neg,
    Abs,
    Sign,
    IsZero,
    IsOdd,
    IsEven,
    #[strum(disabled)]
    Popcount,
    #[strum(disabled)]
    BitNot,
}

impl Single {
    pub fn types(self) -> Types {
        match self {
            Single::IsZero | Single::IsOdd | Single::IsEven => Types::BOOL,
            _ => Types::INT,
        }
    }
}

#[inline(always)]
pub fn arith(op: Arith, a: i64, b: i64) -> Option<i64> {
    match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::Div => a.checked_div(b),
        Arith::Rem => a.checked_rem(b),
        Arith::Pow => a.checked_pow(u32::try_from(b).ok()?),
        Arith::Shl => Some(shift(a, b, false)),
        Arith::Shr => Some(shift(a, b, true)),
        Arith::And => Some(a & b),
        Arith::Or => Some(a | b),
        Arith::Xor => Some(a ^ b),
        Arith::Min => Some(a.min(b)),
        Arith::Max => Some(a.max(b)),
    }
}

/// Shifts a number; a negative distance shifts the other way, and a too large one leaves only the sign.
#[inline(always)]
fn shift(a: i64, by: i64, right: bool) -> i64 {
    let right = right != (by < 0);
    let by = by.checked_abs().unwrap_or(i64::MAX);
    match (right, u32::try_from(by)) {
        (true, Ok(by)) => a.checked_shr(by).unwrap_or_else(|| a.wrapping_shr(u32::MAX)),
        (true, Err(_)) => a.wrapping_shr(u32::MAX),
        (false, Ok(by)) => a.checked_shl(by).unwrap_or(0),
        (false, Err(_)) => 0,
    }
}

/// Applies an operator to one whole number.
#[inline(always)]
pub fn single(op: Single, a: i64) -> Option<i64> {
    match op {
        Single::Neg => a.checked_neg(),
        Single::Abs => a.checked_abs(),
        Single::Sign => Some(a.signum()),
        Single::IsZero => Some(i64::from(a == 0)),
        Single::IsOdd => Some(i64::from(a % 2 != 0)),
        Single::IsEven => Some(i64::from(a % 2 == 0)),
        Single::Popcount => Some(a.count_ones().into()),
        Single::BitNot => Some(!a),
    }
}

/// Applies an operator to one value, which must be a number.
pub fn single_value(op: Single, a: Value) -> Option<Value> {
    let bits = if a.is_int { single(op, a.bits)? } else { return None };
    Some(Value { bits, is_int: op.types() == Types::INT })
}

/// Applies an operator to any two values: numbers, or booleans bitwise.
pub fn arith_values(op: Arith, a: Value, b: Value) -> Option<Value> {
    if a.is_int && b.is_int {
        return arith(op, a.bits, b.bits).map(Value::int);
    }
    let both = a.types() == Types::BOOL && b.types() == Types::BOOL;
    match op {
        Arith::And | Arith::Or | Arith::Xor if both => {
            arith(op, a.bits, b.bits).map(|bits| Value { bits, is_int: false })
        }
        _ => None,
    }
}

/// Compares two values of one ordered type.
#[inline(always)]
pub fn ordered<T: PartialOrd>(op: Compare, a: T, b: T) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
    }
}

/// Compares two values; values of different types are not equal, and neither is less.
pub fn compare(op: Compare, a: Value, b: Value) -> Option<bool> {
    let types = a.types();
    if types != b.types() {
        return Some(op == Compare::Ne);
    }
    match types {
        Types::INT | Types::BOOL => Some(ordered(op, a.bits, b.bits)),
        Types::CARD => Some(ordered(op, card_order(a.bits), card_order(b.bits))),
        Types::UNIT => Some(op == Compare::Eq),
        Types::MOVE if matches!(op, Compare::Eq | Compare::Ne) => Some(ordered(op, a.bits, b.bits)),
        _ => None,
    }
}
