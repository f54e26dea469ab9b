//! The ops of the machine: the output of the compiler.
//!
//! There are 256 registers of 64 bits, so that a register's number needs no check. An op fits in eight bytes. Jump
//! targets are indices into the code. [`super::super::super::value`] defines what a register holds, and what a tag is.

use super::super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::super::super::value::Types;
use super::super::operators::{Arith, Compare, Single};
use super::table::{CodeOffset, Field, Reg, field, field_type, never, ops, target};

ops! {
    /// Copies a register.
    Copy { to: write, a: read };
    /// Loads a whole number.
    Small { to: write, value: (i32) };
    /// Adds; bails out on overflow, as does all arithmetic.
    Add { to: write, a: read, b: read };
    /// Subtracts.
    Sub { to: write, a: read, b: read };
    /// Computes `a & b`.
    BitAnd { to: write, a: read, b: read };
    /// Computes `a | b`.
    BitOr { to: write, a: read, b: read };
    /// Applies one of the rarer operators.
    Arith { op: (Arith), to: write, a: read, b: read };
    /// Applies an operator to two tagged values, with a tagged result.
    ArithTagged { op: (Arith), to: write_tagged, a: read_tagged, b: read_tagged };
    /// Applies an operator to one whole number.
    Single { op: (Single), to: write, a: read };
    /// Negates a boolean.
    Not { to: write, a: read };
    /// Compares two whole numbers, or two values by their numbers.
    Compare { op: (Compare), to: write, a: read, b: read };
    /// Compares two tagged values.
    CompareTagged { op: (Compare), to: write, a: read_tagged, b: read_tagged };
    /// Compares two cards by their order.
    CompareCards { op: (Compare), to: write, a: read, b: read };

    /// Continues at the target.
    Jump { at: target } -> !;
    /// Jumps if `a` is true.
    JumpIf { a: read, at: target };
    /// Jumps if `a` is false.
    JumpUnless { a: read, at: target };
    /// Jumps if `a == b`.
    JumpEq { a: read, b: read, at: target };
    /// Jumps if `a != b`.
    JumpNe { a: read, b: read, at: target };
    /// Jumps if `a < b`.
    JumpLt { a: read, b: read, at: target };
    /// Jumps if `a <= b`.
    JumpLe { a: read, b: read, at: target };
    /// Jumps if `a & b` is not 0.
    JumpAny { a: read, b: read, at: target };
    /// Jumps if `a & b` is 0.
    JumpNone { a: read, b: read, at: target };
    /// Jumps if `a` is `()`.
    JumpUnit { a: read, at: target };
    /// Jumps unless `a` is `()`.
    JumpSeen { a: read, at: target };
    /// Jumps if the foundations want the card.
    JumpWanted { a: read, at: target };
    /// Jumps if the foundations do not want the card, or there is no card.
    JumpUnwanted { a: read, at: target };
    /// Jumps to the body for the class of a move: `at + class`, in a table of jumps.
    ByClass { a: read, at: target } -> !;

    /// Jumps back to the head of a loop, after a round that cost this many operations.
    Again { at: target, cost: (u16) } -> !;
    /// Starts the next round of a loop over a range, if there is one.
    Next { a: update, last: read, at: target, cost: (u16) };

    /// Bails out unless the value is a card.
    CardGuard { a: read };
    /// Bails out unless the value has one of these types.
    TypeGuard { a: read, types: (Types) };
    /// Acts as `TypeGuard`, for a tagged value.
    TypeGuardTagged { a: read_tagged, types: (Types) };

    /// Looks up a card, or `()`, in a table.
    Table { to: write, a: read, table: (u16) };
    /// Looks up in a table what is certainly a card.
    TableOfCard { to: write, a: read, table: (u16) };
    /// Computes `a`, or-ed with the bits that a table has for the card `b`.
    OrTable { to: write, a: read, b: read, table: (u16) };
    /// Jumps if what a table says of the card `a` has a bit in common with `b`.
    JumpTable { a: read, b: read, table: (u8), at: target };
    /// Jumps if it has none.
    JumpNoTable { a: read, b: read, table: (u8), at: target };

    /// Reads a property of a card.
    CardProperty { of: (CardProperty), to: write, a: read };
    /// Reads a property of a move.
    MoveProperty { of: (MoveProperty), to: write, a: read };
    /// Reads a property of a seat.
    SeatProperty { of: (SeatProperty), to: write, a: read };
    /// Reads a property of the view.
    ViewProperty { of: (ViewProperty), to: write };
    /// `view.pile(a, b)`.
    Pile { to: write, a: read, b: read };
    /// `view.pile_len(a)`.
    PileLen { to: write, a: read };
    /// `view.pile_top(a)`.
    PileTop { to: write, a: read };
    /// `view.coming(a)`.
    Coming { to: write, a: read };
    /// `view.waste(a)`.
    Waste { to: write, a: read };
    /// Calls any other method. Its arguments start at `a`.
    Intrinsic { of: (Intrinsic), to: write, a: arguments };
    /// Plays out the sampled deal `a` with the player named by a text; if `after` is set, after the move `b`.
    Playout { player: (u8), after: (bool), to: write, a: read, b: read };
    /// Reads an element of `memory`.
    Memory { to: write, a: read };
    /// Stores `b` in element `a` of `memory`.
    SetMemory { a: read, b: read };
    /// Creates a list at the place `site`, with this many tagged values in it.
    List { to: write, a: arguments, count: (u8), site: (u8) };
    /// Copies the list `a` to the place `site`.
    Own { to: write, a: read, site: (u8) };
    /// Copies a tagged value; a list is copied to the place `site`.
    OwnTagged { to: write_tagged, a: read_tagged, site: (u8) };
    /// Reads the element of the list `a` at index `b`.
    Element { to: write, a: read, b: read };
    /// Acts as `Element`, if an element may be a number or something else.
    ElementTagged { to: write_tagged, a: read, b: read };
    /// Counts the elements of the list `a`.
    Len { to: write, a: read };
    /// Stores a value at index `b` of the list `a`.
    Put { a: read, b: read, value: read_tagged };
    /// Appends a value to the list `a`.
    Push { a: read, value: read_tagged };
    /// Removes the last element of the list `a`.
    Pop { to: write_tagged, a: read };
    /// Removes all elements of the list `a`.
    Clear { a: read };
    /// Loads the last legal move.
    LastMove { to: write };

    /// Jumps if the memo is cached in this decision, and counts its cost.
    Remember { memo: memo, at: target };
    /// Acts as `Remember`, for a memo of reserves and piles alone, which stays valid until a play.
    RememberArranged { memo: memo, at: target };
    /// Records the operation count before a memo is computed.
    Begin { memo: memo };
    /// Marks the memo as cached for this decision.
    Keep { memo: memo };
    /// Marks the memo as cached until a play.
    KeepArranged { memo: memo };


    /// Calls a compiled function. The tagged arguments start at `a`. A list that it returns goes to the place `site`.
    Call { to: write_tagged, instance: (u8), depth: (u8), a: arguments, count: (u8), site: (u8) };
    /// Calls an interpreted function.
    Interpret { to: write_tagged, function: (u8), depth: (u8), a: arguments, count: (u8), site: (u8) };
    /// Returns a whole number.
    Return { a: read } -> !;
    /// Returns a constant whole number.
    ReturnSmall { value: (i32) } -> !;
    /// Returns something that is not a number.
    ReturnOther { a: read } -> !;
    /// Returns a tagged value.
    ReturnTagged { a: read_tagged } -> !;
    /// Bails out: the interpreter reports the fault.
    Fault -> !;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_are_small() {
        assert_eq!(size_of::<Op>(), 8);
    }
}
