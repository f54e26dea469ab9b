//! A game played by a person: moves, undo and redo, hints, watching a strategy, and analysis of what was possible. Both
//! the terminal and the web app are built on this module, which itself uses neither a terminal nor HTTP.
//!
//! - [`Dealt`] is the setup: rules, a deck, and the seed of the chance inside the game.
//! - [`Session`] is a person's game: the choices made so far, and the undone ones. Every query replays the choices
//!   through the engine, so undo and redo reproduce the same cards, dice and shuffles.
//! - [`State`] is the visible part of a game, as plain data for JSON. It never contains a hidden card.
//! - [`Hint`] is a strategy's evaluation of the legal moves; [`Watcher`] plays a strategy one step at a time.
//! - [`BestLine`] and [`Lost`] say what was possible, as determined by a clairvoyant solver; [`Searched`] says what was
//!   given up, as judged by the searching strategy.
//!
//! # Ends
//!
//! A game ends when the engine says so, but a person is warned first. A move that would end the game as `barren` or
//! `repeated` has [`LegalMove::ends`] set; [`Session::play`] refuses it with the reason, and
//! [`Session::play_to_the_end`] makes it anyway. Every other legal move can be played. Undo works after every end.
//!
//! # Records
//!
//! [`Session::record`] returns a record that [`Record::check`](crate::game::Record::check) accepts. It reveals every
//! card, so do not show it before the game is over. A game in progress is recorded as if its player gave up.
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

mod dealt;
mod game;
mod hint;
mod look;
mod review;
mod state;

pub use dealt::Dealt;
pub use game::{PERSON, Refusal, Session};
pub use hint::{Expected, Hint, Line, Step, Watcher, Weight};
pub use look::Choice;
pub use review::{BestLine, Fell, Lost, ReviewLimits, Searched};
pub use state::{Asks, Die, LegalMove, Made, Money, Over, Seen, SeenFoundation, Shown, State, TheDeal};
