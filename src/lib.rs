//! Saratoga is a laboratory for Canfield, the casino patience: it deals millions of seeded games of a
//! house variant, lets a strategy play them, and says what the variant is worth, to whom, and how
//! sure that is.
//!
//! # The game
//!
//! In the casino of Saratoga a player bought a pack for $52 and was paid $5 for every card brought to
//! the foundations. Thirteen cards are dealt as the **reserve**, of which the top is face up; one card
//! starts the first **foundation**, and its rank is the **base rank** of all four; four cards begin the
//! **tableau**. What is left is the **stock**, drawn in packets of three to the **waste**. Foundations
//! are built up in suit, round the corner from king to ace; tableau **piles** are built down in
//! alternating colours. A **space** is filled from the reserve at once. When the stock is gone the
//! waste is turned over: a **redeal**, and another **pass**. The **house edge** is what the player
//! loses on average, as a share of the price of the deck.
//!
//! Variants are data: a [`rules::Spec`] names every choice that the table of rules allows, a TOML file
//! on the shelf or anywhere writes it down, and [`rules::Rules`] is what the engine plays.
//!
//! # The way of the data
//!
//! A file imports only from layers below its own:
//!
//! | layer | what it turns into what |
//! |---|---|
//! | [`text`] | any text into one that is safe to show |
//! | [`cards`] | a seed and a game number into a shuffled deck |
//! | [`rules`] | a ruleset file into sound, compiled rules |
//! | [`game`] | a deck into a table, a table into legal moves and a player's view, decisions into an outcome |
//! | [`solver`] | a table into what can be won from it by a player who knows every card |
//! | [`strategy`] | a view into a decision: in Rust, or in a sandboxed Rhai script |
//! | [`contest`] | a contest file into players, strategies and speeds over a ruleset |
//! | [`stats`] | outcomes into an exact tally, a tally into figures with 95% intervals |
//! | [`lab`] | rules and strategies into tallies, over threads, the same at any number of them |
//! | [`report`] | figures into tables, charts, JSON and a page |
//! | [`cli`] | a command line into all of that |
//!
//! # An example
//!
//! The house edge of Canfield when the yardstick strategy plays, from two thousand games:
//!
//! ```standalone_crate
//! use std::sync::atomic::AtomicBool;
//!
//! use saratoga::{lab, rules, stats, strategy};
//!
//! let canfield = rules::load("canfield")?;
//! let greedy = strategy::load("greedy")?;
//! let make = || greedy.instantiate();
//! let batch = lab::Batch {
//!     entries: vec![lab::Entry { id: "canfield", rules: &canfield.rules, strategy: &make }],
//!     seed: 1,
//!     games: 0..2000,
//!     precision: None,
//!     threads: 2,
//!     each_game: false,
//! };
//! let finished = lab::simulate(&batch, &AtomicBool::new(false), &mut ())?;
//! let summary = stats::summarize(&finished.tallies[0], canfield.rules.spec(), vec![]);
//! let edge = summary.house_edge.expect("a deck of canfield has a price");
//! assert!(edge.low < edge.value && edge.value < edge.high);
//! assert!(edge.value < 0.0, "this player has the better of the house");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

// The random rulesets of the tests know the library by its name, also where its own tests use them.
#[cfg(test)]
extern crate self as saratoga;

pub mod cards;
pub mod cli;
pub mod contest;
pub mod crash;
pub mod diagnostic;
pub mod files;
pub mod game;
pub mod interrupt;
pub mod lab;
pub mod report;
pub mod rules;
pub mod solver;
pub mod stats;
pub mod strategy;
pub mod text;
mod threads;
