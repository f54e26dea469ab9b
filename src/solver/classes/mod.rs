//! Positions as classes, where it does not matter on which of several cards another one lies.
//!
//! Where any part of a run moves, the cards of the tableau can be put from one of the cards that take them to another,
//! and back. Of a position it is then enough to know of each card that it is up, first of its pile, on some card that
//! takes it, or still where it was dealt; a few words of bits say so, and what can be played follows from counts. A
//! game so told is searched several times as fast, and has fewer positions.
//!
//! When it does not matter, it must hold that any part of a run moves, that cards which take one card in common take
//! the same cards, that none can come to lie on a card which fits on it (no ring of ranks), that all that is face up
//! in a pile is one run, and that piles of any height can be built and nothing is forced or filled from the stock.
//!
//! Take two positions with the same cards up, in the reserve, in waste and stock, and face down, whose piles have
//! the same lowest face-up cards; the other cards of the tableau then lie on cards that they fit on, and only on
//! which of several is not the same. Whatever is played in one can be played in the other, and leads to two such
//! positions again:
//!
//! - As many of the cards that take a card are covered in one as in the other, by the cards that fit on them. So
//!   if a card may be put on one of them in one position, it may be put on one of them in the other.
//! - If a card goes up, or goes elsewhere alone, nothing lies on it. If there is something on it in the other
//!   position, then there nothing lies on one of those that take the same: the run on it moves over there first.
//! - A part of a run that goes from a card to one that takes the same changes nothing that is told apart.
//! - A part of a run that goes to a space is there in the other position, with what lies on it there.
//! - A whole run, with what lies on it, may be put on the same cards, as none of those is in it.

mod concrete;
mod layout;
mod play;
mod plays;
mod position;
mod relaxed_bound;
mod states;
mod stock;
#[cfg(test)]
mod tests;

pub(super) use play::ClassPlay;
pub(super) use position::{ClassPosition, Classes, WORDS};
