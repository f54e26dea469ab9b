//! A solver with perfect information: what can be won, or earned, if every card is known?
//!
//! A [`Solver`] decides for a [`Table`] whether all cards can reach the foundations by legal moves, or how many can at
//! most. It searches the engine's own moves: [`Table::legal_moves`] defines what is legal and [`Table::apply`] what it
//! does, so all rules that the engine plays without chance are solved exactly. Rules that end a game for lack of
//! progress do not matter: the question is what legal moves can reach.
//!
//! [`Table`]: crate::game::Table
//! [`Table::legal_moves`]: crate::game::Table::legal_moves
//! [`Table::apply`]: crate::game::Table::apply
//!
//! # Correctness
//!
//! Positions and plays form a graph, and both questions are about the positions reachable from the first one: is one of
//! them won, and which has the most cards up? What is reachable from a position does not depend on the way to it. So a
//! search that visits each position once answers both, even if plays form cycles: a position met again has already been
//! searched completely, or is being searched. `Lost`, or an exact number of cards, is answered only by a search that
//! ran to completion; any omission, for time, memory or depth, makes the answer [`Verdict::Unknown`].
//!
//! The search saves work in four ways, each with its own proof:
//!
//! - positions with equal keys have the same future (`key`, `classes`);
//! - draws and redeals are made together with the play that follows them (`engine`, `stock_cycle`);
//! - some plays are pruned, because others do at least as well (`pruner`);
//! - positions from which the goal is out of reach are recognized by a relaxed bound (`relaxed_bound`).
//!
//! Each proof holds under certain rules. The code that decides whether it applies destructures all rules by name,
//! without `..`: a new rule does not compile until every proof has been considered.
//!
//! If it does not matter which of several cards another one lies on, a position is represented by its class, a few
//! words of bits (`classes`). If all piles are runs, a position takes a sixth of the bytes of a table (`compact`). Moves
//! found in these forms are still made by the engine before they are reported.
//!
//! # Stages
//!
//! Most deals that a short search leaves open are lost, and rarely proven so in time. The solver then asks what more
//! permissive rules would allow (`relaxed_rules`), under which positions can be represented by classes: for a short
//! time, and again for longer after everything that finds wins has been tried (`stages`). If the relaxed rules are too
//! permissive to prove much, it continues the walk instead.
//!
//! # Attempts
//!
//! The order in which plays are tried matters much for a deal that can be won, and not at all for one that cannot. So
//! short searches come first: walks, each in its own order; width searches, which keep only positions that show
//! something new (`width`, `novelty`); and beams, which keep only the most promising ones (`beam`). The last walk runs
//! to completion. Among classes without a reserve, one attempt is a proof instead: a deal that is lost even if the stock
//! lends its cards is lost (`classes::lent`).
//!
//! # Small searches
//!
//! A player who samples hidden cards asks thousands of small questions from the middle of a game:
//! [`Solver::solve_small`] looks for a win, or else the best line of play, within a budget of positions. Plays of known
//! winning lines are tried sooner ([`Solver::history`]).
//!
//! # Limitations
//!
//! The upper bound on the number of cards is either the proven maximum, or what `relaxed_bound` gives for the deal,
//! which is often all cards: there is nothing in between.
//!
//! # An example
//!
//! ```
//! # extern crate saratoga_engine as saratoga;
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
mod classes;
mod compact;
mod engine;
mod explore;
mod heuristic;
mod history;
mod key;
mod novelty;
mod pruner;
mod question;
mod relaxed_bound;
mod relaxed_rules;
mod search;
mod small;
mod solve;
mod stages;
mod stock_cycle;
mod successor;
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
