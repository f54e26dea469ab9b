//! Perfect information. What can be won, or earned, where every card is known?
//!
//! A [`Solver`] is asked of a [`Table`] whether all cards can be brought up by legal moves, or how many can at
//! most. It searches the engine's own moves: [`Table::legal_moves`] says what is legal and [`Table::apply`] what
//! it does, so that whatever rules the engine plays without chance are solved exactly. Rules of ending a game
//! that goes nowhere do not matter: the question is what legal moves can reach.
//!
//! [`Table`]: crate::game::Table
//! [`Table::legal_moves`]: crate::game::Table::legal_moves
//! [`Table::apply`]: crate::game::Table::apply
//!
//! # Why an answer is right
//!
//! Positions and plays form a graph, and both questions are about the positions reachable from the first one: is one
//! of them won, and which has the most cards up? What is reachable from a position does not depend on the way to it.
//! So a search that visits each position once answers both, even where plays lead in a circle: a position met again
//! has been searched already with all that follows, or is being searched now. `Lost`, or an exact number of cards, is
//! answered only by a search that came to its end; whatever was left out, for time, memory or depth, makes the
//! answer [`Verdict::Unknown`].
//!
//! The search saves work in four ways, each with its own proof:
//!
//! - positions with equal keys have the same future (`key`, `classes`);
//! - draws and redeals are made together with the play that follows them (`engine`, `passes`);
//! - some plays are left out, because others do at least as well (`pruner`);
//! - positions from which the goal is out of reach are recognised by a relaxed bound (`relaxed_bound`).
//!
//! Each proof holds under certain rules. The code that decides whether it may be used takes all rules of play apart
//! by name, without `..`: a new rule does not compile before every proof has been considered.
//!
//! Where it does not matter on which of several cards another one lies, a position is a class of a few words of bits
//! (`classes`). Where all piles are runs, a position is told in a sixth of the bytes of a table (`runs`). Moves found so
//! are still made by the engine before they are reported.
//!
//! # In stages
//!
//! What a short search leaves open is mostly lost, and seldom shown to be in time. Then the solver asks what rules that
//! allow more let come up (`relaxed_rules`), under which positions are classes: for a short time, then again for longer once
//! all is tried that finds wins (`stages`). Where they allow so much more that little is proven, it walks on instead.
//!
//! # What is tried
//!
//! The order in which plays are tried matters much for a deal that can be won, and not at all for one that cannot. So
//! short searches come first: walks, each in its own order; width searches, which keep only positions that show
//! something new (`width`, `novelty`); and beams, which keep only the most promising ones (`beam`). At last a walk goes on
//! to the end.
//!
//! # Small searches
//!
//! A player who samples what is hidden asks thousands of small questions from the middle of a game:
//! [`Solver::solve_small`] looks for a win, or else the best line of play, within so many positions. Plays of winning lines that it
//! is told of are tried sooner ([`Solver::history`]).
//!
//! # What it does not do
//!
//! The upper bound of the most cards is either the most itself, proven, or what `relaxed_bound` says of the deal, which
//! is often all cards: there is nothing between.
//!
//! # What stays open
//!
//! After 15 million nodes, some ten seconds each, of 2,000 deals each 3 of draw-one were open (0.15%), 8 of canfield (0.4%), 18 of
//! demon-casino (0.9%) and 20 of superior (1%); of 200 deals each 3 of little-gate (1.5%), 15 of chameleon (7.5%) and 19 of
//! rainbow (9.5%). With one pass each card may be passed over or not, so that there are often too many positions to show
//! that none wins.
//!
//! Within ten seconds 17 of 2,000 deals of exorcism were open (0.85%) and 15 of 200 of exorcism-up (7.5%). There a card that must
//! go up, or that a space takes unseen from the stock, comes with a play. What is decided late is mostly lost, by a walk through
//! all that can be reached: rules that allow more let all cards come up soon, and prove nothing. Built upwards, runs have to be
//! taken apart card by card before they can go up, in many orders.
//!
//! # An example
//!
//! ```
//! use saratoga::cards::Deck;
//! use saratoga::game::{NoChance, Table};
//! use saratoga::rules;
//! use saratoga::solver::{Goal, Limits, Solver, Verdict};
//!
//! let rules = rules::load("draw-one")?.rules;
//! let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
//! let table = Table::deal(&rules, deck.cards(), &mut NoChance);
//! let mut solver = Solver::new(&rules, 1 << 24)?;
//! let answer = solver.solve(&table, Goal::Win, &Limits { nodes: Some(10_000), ..Limits::default() });
//! match answer.verdict {
//!     Verdict::Won => println!("won by {} moves", answer.moves.len()),
//!     Verdict::Lost => println!("lost, after {} positions", answer.nodes),
//!     Verdict::Unknown(limit) => println!("not known: {limit}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod beam;
mod child;
mod classes;
mod engine;
mod explore;
mod heuristic;
mod history;
mod key;
mod novelty;
mod passes;
mod pruner;
mod question;
mod relaxed_bound;
mod relaxed_rules;
mod runs;
mod search;
mod small;
mod solve;
mod stages;
mod table_states;
mod transposition_table;
mod width;

pub use answer::{Answer, Goal, Limit, Limits, Refused, Verdict};
pub use explore::{Explorer, Onward, follow};
pub use history::{CardPlay, History, Onto};
pub use relaxed_bound::most_cards;
pub use search::besides;
pub use small::{Effort, Found};
pub use solve::{Kept, Solver};
