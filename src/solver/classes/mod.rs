//! Positions as classes, for rules under which it does not matter which of several cards another one lies on.
//!
//! If any part of a run moves, the cards of the tableau can be moved from one of the cards that take them to another,
//! and back. To describe a position it is then enough to know of each card whether it is up, the first of its pile, on
//! some card that takes it, or still where it was dealt; a few words of bits encode this, and the available plays
//! follow from counts. A game in this form is searched several times as fast, and has fewer positions.
//!
//! The conditions are that any part of a run moves, that cards which take one card in common take the same cards, that
//! no card can come to lie on a card which fits on it (no ring of ranks), that all face-up cards of a pile are one run,
//! and that piles of any height can be built and nothing is forced or filled from the stock.
//!
//! Take two positions with the same cards up, in the reserve, in waste and stock, and face down, whose piles have the
//! same lowest face-up cards; the other cards of the tableau then lie on cards that they fit on, and the positions
//! differ only in which of several. Whatever is played in one can be played in the other, and leads to two such
//! positions again:
//!
//! - As many of the cards that take a card are covered in one as in the other, by the cards that fit on them. So if a
//!   card may be put on one of them in one position, it may be put on one of them in the other.
//! - If a card goes up, or goes elsewhere alone, nothing lies on it. If there is something on it in the other position,
//!   then there another card that takes the same is uncovered: the run on it moves over there first.
//! - Moving a part of a run from a card to one that takes the same does not change the class.
//! - A part of a run that goes to a space exists in the other position too, with what lies on it there.
//! - A whole run, with what lies on it, may be put on the same cards, as none of those is in it.
//!
//! # Relaxed classes
//!
//! To prove that a deal is lost it is enough that classes have at least the plays of the rules. Take the rules of
//! `relaxed_rules`, under which any part of a run moves and nothing is forced, and any position of a class. Each legal
//! move either does not change the class, or the class has a play that leads where the move leads: the card that moves
//! has its bit, the card that it is put on is one of the uncovered ones, and the same bits are set after it. This does
//! not require that ranks form no ring nor that piles are of any kind; only that the cards which take one card take the
//! same ones, as the class does not say which of them a card lies on. So whatever legal moves reach, plays of classes
//! reach.
//!
//! - In a ring of ranks a run may be so long that it could be put on its own last card. The class has that play, and no
//!   position has it. So a line of plays that wins need not be legal, not even if the rules are their own relaxed
//!   rules. Like all lines it is made by the engine, and an illegal one proves nothing.
//! - Safe cards go up at once, by the proof of `pruner` for relaxed rules. That proof is about positions. Take a
//!   position of the class with a line that wins. If there is something on the safe card, it lies below another card
//!   that takes the same and is uncovered: the run on it moves over there first. The other card is not the end of that
//!   very run, as all cards of the run go up next, and there are at most four of them.
//!
//! # Cards put down for others
//!
//! If cards are drawn one by one in unlimited passes, each card of waste and stock can be taken at any time. Then it is
//! put down only for a play that needs it there: the next play puts something on a card that takes the same (which may
//! be another card of the stock, put down for the play after it), or brings up a mate of it, which would be covered
//! without it. And it is not put down while a mate of it is uncovered. Take a line of plays in classes, up to the last
//! card that goes up, with a card `w` of the stock that is put down in it, and the next play `b`, which does not need a
//! card like `w` there:
//!
//! - If `b` takes `w` elsewhere, `w` goes there from the stock directly, which saves a play.
//! - Otherwise `b` can be made before `w` is put down: all that `w` takes away is a place on a card or a space, and
//!   there is room for both plays, as both are made. Nor does `b` hinder `w`: other cards of the stock are accessible
//!   whatever is taken, and a space is there for both unless a reserve that fills spaces at once leaves none to either.
//!
//! So plays of the stock that the next other play does not need, each for the next one in turn, move behind it, and
//! those behind the last play that brings a card up are dropped. This terminates, as each time there are fewer plays,
//! or the same ones in an order in which some of the stock come later. The proof of safe cards still holds: when one
//! goes up at once, there is a line of this form again from the resulting position. The pending card is part of the
//! key; a position in which anything may be played represents the same one with a pending card.

mod concrete;
mod layout;
mod lent;
mod play;
mod plays;
mod position;
mod relaxed_bound;
mod states;
#[cfg(test)]
mod tests;

pub(super) use play::ClassPlay;
pub(super) use position::{ClassPosition, Classes, WORDS};
