//! Saratoga: a laboratory for Canfield, the casino patience.
#![forbid(unsafe_code)]

pub mod cards;
pub mod cli;
pub mod diagnostic;
pub mod game;
pub mod lab;
pub mod report;
pub mod rules;
pub mod stats;
pub mod strategy;
