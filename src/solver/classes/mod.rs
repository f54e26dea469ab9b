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
//!
//! # Relaxed classes
//!
//! For a proof that a deal is lost it is enough that classes have at least the plays of the rules. Take those of
//! `relaxed_rules`, under which any part of a run moves and nothing is forced, and any position of a class. Each legal
//! move either changes nothing that is told apart, or the class has a play that leads where the move leads: the card
//! that moves has its bit, the card that it is put on is one of those with nothing on them, and after it the same bits
//! are set. That asks neither that ranks make no ring nor that piles are of any kind; only that the cards which take one
//! card take the same ones, as what is said of a card does not say which of them it lies on. So whatever legal moves
//! reach, plays of classes reach.
//!
//! - In a ring of ranks a run may be so long that it could be put on its own last card. The class has that play, and no
//!   position has it. So a line of plays that wins need not hold as legal moves, not even where the rules are their own
//!   relaxed rules. It is made by the engine, as all are, and what does not hold proves nothing.
//! - Safe cards go up at once, as the proof of `pruner` has it for relaxed rules. It speaks of positions. Take one of the
//!   class with a line that wins. If there is something on the safe card, it lies below another card that takes the same
//!   and has nothing on it: the run on it moves over there first. It is not that very run on whose end the other card is,
//!   as all in it go up next, and there are at most four of them.
//!
//! # Cards put down for others
//!
//! Where cards are drawn one by one in passes without end, each card of waste and stock can be taken at any time. There
//! it is put down only for a play that needs it there: the next play puts something on a card that takes the same
//! (which may be another card of the stock, put down for the next play again), or brings up a mate of it, which would
//! be covered without it. And it is not put down while a mate of it has nothing on it. Take a line of plays in classes,
//! up to the last card that comes up, with a card `w` of the stock that is put down in it, and the next play `b`, which
//! needs no card like `w` there:
//!
//! - If `b` takes `w` elsewhere, `w` goes there from the stock in the first place, and one play less is made.
//! - Otherwise `b` can as well be made before `w` is put down: all that `w` takes away is a place on a card or a space,
//!   and there is room for both plays, as both are made. Nor does `b` hinder `w`: other cards of the stock are at hand
//!   whatever is taken, and a space is there for both where a reserve that fills spaces at once leaves none to either.
//!
//! So plays of the stock that the next other play does not need, each for the next one in turn, move behind it, and
//! those behind the last play that brings a card up are left out. That comes to an end, as each time there are fewer
//! plays, or the same ones in an order in which some of the stock come later. The proof of safe cards holds besides: where
//! one goes up at once, there is a line of this form again from where it leads. What is pending is part of the key;
//! a position in which anything may be played stands for the same one with something pending.

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
