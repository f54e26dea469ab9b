//! The ops of the machine: what a script is compiled to.
//!
//! There are 256 registers of 64 bits, so that a register's number needs no check. An op fits in eight
//! bytes. Jumps are to an index of the code.

use super::ask::{Ask, Look, OfCard, OfMove, OfSeat};
use super::tree::{Arith, Compare, Single};
use super::value::Types;

/// A register.
pub type Reg = u8;
/// Where an op stands.
pub type At = u16;

/// One op. `to` is written, `a` and `b` are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Copy {
        to: Reg,
        a: Reg,
    },
    Small {
        to: Reg,
        value: i32,
    },
    Add {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    BitAnd {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    BitOr {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// The rarer operators.
    Arith {
        op: Arith,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// Of two wide values, to a wide one.
    ArithWide {
        op: Arith,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Single {
        op: Single,
        to: Reg,
        a: Reg,
    },
    Not {
        to: Reg,
        a: Reg,
    },
    /// Of two whole numbers.
    Compare {
        op: Compare,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// Of two wide values.
    CompareWide {
        op: Compare,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    /// Of two cards, by their order.
    CompareCards {
        op: Compare,
        to: Reg,
        a: Reg,
        b: Reg,
    },
    Jump {
        at: At,
    },
    JumpIf {
        a: Reg,
        at: At,
    },
    JumpUnless {
        a: Reg,
        at: At,
    },
    JumpEq {
        a: Reg,
        b: Reg,
        at: At,
    },
    JumpNe {
        a: Reg,
        b: Reg,
        at: At,
    },
    JumpLt {
        a: Reg,
        b: Reg,
        at: At,
    },
    JumpLe {
        a: Reg,
        b: Reg,
        at: At,
    },
    /// If `a & b` is not 0.
    JumpAny {
        a: Reg,
        b: Reg,
        at: At,
    },
    /// If `a & b` is 0.
    JumpNone {
        a: Reg,
        b: Reg,
        at: At,
    },
    /// If it is `()`.
    JumpUnit {
        a: Reg,
        at: At,
    },
    /// Unless it is `()`.
    JumpSeen {
        a: Reg,
        at: At,
    },
    /// If the foundations want the card.
    JumpWanted {
        a: Reg,
        at: At,
    },
    /// If they do not, or it is none.
    JumpUnwanted {
        a: Reg,
        at: At,
    },
    /// Back to the head of a loop; a round has cost so many operations.
    Again {
        at: At,
        cost: u16,
    },
    /// The same after `a` has grown by `b`.
    AddAgain {
        a: Reg,
        b: Reg,
        at: At,
        cost: u16,
    },
    /// The same, but out of the loop unless `a` is now less than `c`.
    AddWhile {
        a: Reg,
        b: Reg,
        c: Reg,
        at: At,
        cost: u16,
    },
    /// The same after `a` has become less by `b`, but out of the loop if it is now less than `c`.
    SubWhile {
        a: Reg,
        b: Reg,
        c: Reg,
        at: At,
        cost: u16,
    },
    /// The next round of a loop over a range, if there is one.
    Next {
        a: Reg,
        last: Reg,
        at: At,
        cost: u16,
    },
    /// A fault unless it is a card.
    MustCard {
        a: Reg,
    },
    /// A fault unless the value has one of these types.
    Must {
        a: Reg,
        types: Types,
    },
    /// The same of a wide value.
    MustWide {
        a: Reg,
        types: Types,
    },
    /// What a table says of a card.
    Table {
        to: Reg,
        a: Reg,
        table: u16,
    },
    /// The same of what is surely a card.
    TableOfCard {
        to: Reg,
        a: Reg,
        table: u16,
    },
    /// `a`, and with it the bits that a table says of the card `b`.
    OrTable {
        to: Reg,
        a: Reg,
        b: Reg,
        table: u16,
    },
    /// If what a table says of the card `a` has a bit in common with `b`.
    JumpTable {
        a: Reg,
        b: Reg,
        table: u8,
        at: At,
    },
    /// If it has none.
    JumpNoTable {
        a: Reg,
        b: Reg,
        table: u8,
        at: At,
    },
    OfCard {
        of: OfCard,
        to: Reg,
        a: Reg,
    },
    OfMove {
        of: OfMove,
        to: Reg,
        a: Reg,
    },
    OfSeat {
        of: OfSeat,
        to: Reg,
        a: Reg,
    },
    Look {
        look: Look,
        to: Reg,
    },
    Pile {
        to: Reg,
        a: Reg,
        b: Reg,
    },
    PileLen {
        to: Reg,
        a: Reg,
    },
    PileTop {
        to: Reg,
        a: Reg,
    },
    Coming {
        to: Reg,
        a: Reg,
    },
    Waste {
        to: Reg,
        a: Reg,
    },
    /// The arguments are in `a`, `a + 1` and `a + 2`.
    Ask {
        ask: Ask,
        to: Reg,
        a: Reg,
    },
    /// The number of the last legal move.
    LastMove {
        to: Reg,
    },
    /// To the body for the class of a move: `at + class`.
    ByClass {
        a: Reg,
        at: At,
    },
    /// Jumps if the memo is there already, counting what it cost.
    Remember {
        memo: Reg,
        at: At,
    },
    /// The top of pile `a`, and to `b` the bits that a table says of it, if there is one.
    OrTop {
        to: Reg,
        a: Reg,
        b: Reg,
        table: u16,
    },
    /// A card of a pile; if there is none, a jump.
    PileOr {
        to: Reg,
        a: Reg,
        b: Reg,
        at: At,
    },
    /// The lowest card of a pile; if there is none, a jump.
    LowestOr {
        to: Reg,
        a: Reg,
        at: At,
    },
    /// If what a table says of the card `a` has no bit in common with `b`: to `to` the bits that `more` says of it.
    OrUnless {
        to: Reg,
        a: Reg,
        b: Reg,
        table: u8,
        more: u8,
    },
    /// A card to come; if it is known, a jump.
    ComingThen {
        to: Reg,
        a: Reg,
        at: At,
    },
    /// A card of the waste; if it is seen, a jump.
    WasteThen {
        to: Reg,
        a: Reg,
        at: At,
    },
    /// Round after round of a loop that looks for a card of use: see [`super::seek`].
    Seek {
        waste: bool,
        to: Reg,
        a: Reg,
        at: At,
    },
    /// If what a table says of the card `a` has no bit in common with `b`, and the foundations do not want it.
    JumpUseless {
        a: Reg,
        b: Reg,
        table: u8,
        at: At,
    },
    /// The same for a memo of reserves and piles alone, which lives on until a play.
    RememberArranged {
        memo: Reg,
        at: At,
    },
    /// Notes the operations before a memo is computed.
    Begin {
        memo: Reg,
    },
    /// The memo is there now.
    Keep {
        memo: Reg,
    },
    KeepArranged {
        memo: Reg,
    },
    /// The wide arguments start at `a`; the wide result goes to `to`.
    Call {
        instance: u8,
        depth: u8,
        count: u8,
        a: Reg,
        to: Reg,
    },
    Interpret {
        function: u8,
        depth: u8,
        count: u8,
        a: Reg,
        to: Reg,
    },
    /// Returns a whole number.
    Return {
        a: Reg,
    },
    ReturnSmall {
        value: i32,
    },
    /// Returns something else.
    ReturnOther {
        a: Reg,
    },
    /// Returns a wide value.
    ReturnWide {
        a: Reg,
    },
    Fault,
}
