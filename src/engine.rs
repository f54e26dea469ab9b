//! The engine of Saratoga: deals, plays and counts games of Canfield.
//!
//! The crate `saratoga` exports all of it, explains it, and adds reports and the command line. It is a crate of its own
//! because it alone is compiled for speed.
#![forbid(unsafe_code)]

// Test code shared with the integration tests calls the library `saratoga`, in unit tests too.
#[cfg(test)]
extern crate self as saratoga;

pub mod cards;
pub mod clock;
pub mod contest;
pub mod crash;
pub mod diagnostic;
pub mod files;
pub mod game;
pub mod interrupt;
pub mod lab;
#[cfg(feature = "native")]
pub mod memory;
pub mod players;
pub mod rules;
#[cfg(feature = "native")]
pub mod signals;
pub mod solver;
pub mod stats;
pub mod strategy;
pub mod text;
#[cfg(feature = "native")]
pub mod threads;
pub mod units;
