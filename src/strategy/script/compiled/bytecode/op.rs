//! The ops of the machine: what a script is compiled to.
//!
//! There are 256 registers of 64 bits, so that a register's number needs no check. An op fits in eight bytes. Jumps are
//! to an index of the code. What a register holds, and what a tag is, says [`super::super::super::value`].

use std::fmt;

use super::super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, SeatProperty, ViewProperty};
use super::super::super::value::Types;
use super::super::operators::{Arith, Compare, Single};
use super::table::{CodeOffset, Field, Reg, field, field_type, never, ops, target};

ops! {
    /// Copies a register.
    Copy { to: write, a: read };
    /// A whole number.
    Small { to: write, value: (i32) };
    /// A sum; a bailout if it overflows, as with all arithmetic.
    Add { to: write, a: read, b: read };
    /// A difference.
    Sub { to: write, a: read, b: read };
    /// `a & b`.
    BitAnd { to: write, a: read, b: read };
    /// `a | b`.
    BitOr { to: write, a: read, b: read };
    /// The rarer operators.
    Arith { op: (Arith), to: write, a: read, b: read };
    /// An operator on two tagged values, with a tagged result.
    ArithTagged { op: (Arith), to: write_tagged, a: read_tagged, b: read_tagged };
    /// An operator on one whole number.
    Single { op: (Single), to: write, a: read };
    /// The other truth value.
    Not { to: write, a: read };
    /// Compares two whole numbers, or two values by their numbers.
    Compare { op: (Compare), to: write, a: read, b: read };
    /// Compares two tagged values.
    CompareTagged { op: (Compare), to: write, a: read_tagged, b: read_tagged };
    /// Compares two cards by their order.
    CompareCards { op: (Compare), to: write, a: read, b: read };

    /// Goes on at the target.
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
    /// Jumps if the foundations do not want the card, or it is none.
    JumpUnwanted { a: read, at: target };
    /// Jumps to the body for the class of a move: `at + class`, where a table of jumps stands.
    ByClass { a: read, at: target } -> !;

    /// Back to the head of a loop; a round has cost so many operations.
    Again { at: target, cost: [u16] } -> !;
    /// `Again` after `a` has grown by `b`.
    AddAgain { a: update, b: read, at: target, cost: [u16] } -> !;
    /// `AddAgain`, but out of the loop unless `a` is now less than `c`.
    AddWhile { a: update, b: read, c: read, at: target, cost: [u16] };
    /// `Again` after `a` has become less by `b`, but out of the loop if it is now less than `c`.
    SubWhile { a: update, b: read, c: read, at: target, cost: [u16] };
    /// The next round of a loop over a range, if there is one.
    Next { a: update, last: read, at: target, cost: [u16] };

    /// A bailout unless it is a card.
    CardGuard { a: read };
    /// A bailout unless the value has one of these types.
    TypeGuard { a: read, types: (Types) };
    /// The same of a tagged value.
    TypeGuardTagged { a: read_tagged, types: (Types) };

    /// What a table says of a card, or of `()`.
    Table { to: write, a: read, table: [u16] };
    /// What a table says of what is surely a card.
    TableOfCard { to: write, a: read, table: [u16] };
    /// `a`, and with it the bits that a table says of the card `b`.
    OrTable { to: write, a: read, b: read, table: [u16] };
    /// Jumps if what a table says of the card `a` has a bit in common with `b`.
    JumpTable { a: read, b: read, table: [u8], at: target };
    /// Jumps if it has none.
    JumpNoTable { a: read, b: read, table: [u8], at: target };

    /// A property of a card.
    CardProperty { of: (CardProperty), to: write, a: read };
    /// A property of a move.
    MoveProperty { of: (MoveProperty), to: write, a: read };
    /// A property of a seat.
    SeatProperty { of: (SeatProperty), to: write, a: read };
    /// A property of the view.
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
    /// Any other method. Its arguments are in `a` and what follows it.
    Intrinsic { of: (Intrinsic), to: write, a: arguments };
    /// Plays the sampled deal `a` on by the player of a text, where `after` is set after the move `b`.
    Playout { player: [u8], after: [bool], to: write, a: read, b: read };
    /// What is remembered at a place.
    Memory { to: write, a: read };
    /// Remembers `b` at the place `a`.
    SetMemory { a: read, b: read };
    /// A list of its own of the place `site`, with so many tagged values in it.
    List { to: write, a: arguments, count: [u8], site: [u8] };
    /// The list `a` once more, at the place `site`.
    Own { to: write, a: read, site: [u8] };
    /// The same of a tagged value, where it is a list; others are copied.
    OwnTagged { to: write_tagged, a: read_tagged, site: [u8] };
    /// The element of the list `a` at the place `b`.
    Element { to: write, a: read, b: read };
    /// The same, where an element may be a number or something else.
    ElementTagged { to: write_tagged, a: read, b: read };
    /// How many elements the list `a` has.
    Len { to: write, a: read };
    /// Puts a value at the place `b` of the list `a`.
    Put { a: read, b: read, value: read_tagged };
    /// Puts a value to the end of the list `a`.
    Push { a: read, value: read_tagged };
    /// Takes the last element out of the list `a`.
    Pop { to: write_tagged, a: read };
    /// Takes everything out of the list `a`.
    Clear { a: read };
    /// The last legal move.
    LastMove { to: write };

    /// Jumps if the memo is there in this decision, and counts what it cost.
    Remember { memo: memo, at: target };
    /// The same for a memo of reserves and piles alone, which lives on until a play.
    RememberArranged { memo: memo, at: target };
    /// Notes the operations before a memo is computed.
    Begin { memo: memo };
    /// The memo is there now, for this decision.
    Keep { memo: memo };
    /// The memo is there now, until a play.
    KeepArranged { memo: memo };

    /// The top of pile `a`, and to `b` the bits that a table says of it, if there is one.
    OrTop { to: write, a: read, b: update, table: [u16] };
    /// A card of a pile; if there is none, a jump.
    PileOr { to: write, a: read, b: read, at: target };
    /// The lowest card of a pile; if there is none, a jump.
    LowestOr { to: write, a: read, at: target };
    /// If what a table says of the card `a` has no bit in common with `b`: to `to` the bits that `more` says of it.
    OrUnless { to: update, a: read, b: read, table: [u8], more: [u8] };
    /// A card to come; if it is known, a jump.
    ComingThen { to: write, a: read, at: target };
    /// A card of the waste; if it is seen, a jump.
    WasteThen { to: write, a: read, at: target };
    /// Jumps if what a table says of the card `a` has no bit in common with `b`, and the foundations do not want it.
    JumpUseless { a: read, b: read, table: [u8], at: target };
    /// Round after round of a loop that looks for a card of use; `at` is its second op.
    Seek { waste: [bool], to: write, a: update, at: target };

    /// Calls a compiled function. The tagged arguments start at `a`. A list that it gives goes to the place `site`.
    Call { to: write_tagged, instance: [u8], depth: [u8], a: arguments, count: [u8], site: [u8] };
    /// Calls an interpreted function.
    Interpret { to: write_tagged, function: [u8], depth: [u8], a: arguments, count: [u8], site: [u8] };
    /// Returns a whole number.
    Return { a: read } -> !;
    /// Returns a whole number that is known.
    ReturnSmall { value: (i32) } -> !;
    /// Returns something that is no number.
    ReturnOther { a: read } -> !;
    /// Returns a tagged value.
    ReturnTagged { a: read_tagged } -> !;
    /// A bailout: the interpreter knows what is wrong here.
    Fault -> !;
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        self.fields().iter().try_for_each(|field| write!(f, " {field}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_are_small() {
        assert_eq!(size_of::<Op>(), 8);
    }

    #[test]
    fn ops_say_what_they_are_made_of() {
        let mut op = Op::AddWhile { a: 1, b: 2, c: 3, at: 7, cost: 4 };
        assert_eq!(op.to_string(), "AddWhile r1! r2 r3 @7 cost=4");
        assert_eq!(op.target(), Some(&mut 7));
        assert!(op.falls_through());
        assert_eq!(Op::Not { to: 1, a: 2 }.to_string(), "Not r1 <- r2");
        assert!(!Op::Fault.falls_through());
        assert_eq!({ Op::Fault }.target(), None);
    }
}
