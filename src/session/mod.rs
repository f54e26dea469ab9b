//! A game played by a person. Moves, undo and redo, hints, a strategy to watch, and what was possible. No
//! terminal and no HTTP: the terminal and the web app both stand on this.
//!
//! - [`Dealt`] is what is played: rules, a deck, and the seed of the chance inside the game.
//! - [`Session`] is a person's game: the choices made so far, and those that were taken back. The engine is the only
//!   judge: every question plays the choices anew, so that undo and redo give the same cards, dice and shuffles.
//! - [`State`] is what may be seen of it, as plain data that becomes JSON: no hidden card is ever in it.
//! - [`Hint`] is what a strategy thinks of the legal moves; [`Watcher`] lets one play a step at a time.
//! - [`BestLine`] and [`Lost`] say what was possible, as far as a solver that knows every card finds out; [`Searched`] what
//!   was given up, as a player sees it who searches.
//!
//! # Ends
//!
//! A game ends as the engine says, but a person is warned first. A move after which it would end `barren` or
//! `repeated` has [`LegalMove::ends`], [`Session::play`] refuses it with the reason, and
//! [`Session::play_to_the_end`] makes it all the same. Until then whatever else is legal can be played. Undo goes back
//! from every end.
//!
//! # Records
//!
//! [`Session::record`] is a record as [`Record::check`](crate::game::Record::check) accepts it. It tells every card: it is
//! not to be shown before the game is over. A game under way is recorded as if its player gave up.
//!
//! # An example
//!
//! ```
//! use saratoga::rules;
//! use saratoga::session::{Dealt, Session};
//!
//! let loaded = rules::load("canfield")?;
//! let mut game = Session::new(Dealt::of_seed("canfield", loaded.rules, 1, 0));
//! let state = game.state();
//! game.play(&state.moves[0].word)?;
//! assert!(game.undo());
//! assert_eq!(game.state().seen, state.seen);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod chance;
mod choice;
mod dealt;
mod describe;
mod game;
mod hint;
mod look;
mod refusal;
mod review;
mod searched;
mod seen;
mod state;
#[cfg(test)]
mod tests;
mod watch;

pub use choice::Choice;
pub use dealt::Dealt;
pub use game::{PERSON, Session};
pub use hint::{Expected, Hint, Line, Weight};
pub use refusal::Refusal;
pub use review::{BestLine, Lost, ReviewLimits};
pub use searched::{Fell, Searched};
pub use seen::{Seen, SeenFoundation, Shown};
pub use state::{Asks, Die, LegalMove, Made, Money, Over, State, TheDeal};
pub use watch::{Step, Watcher};
