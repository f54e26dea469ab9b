//! Contests: several players, each with their own pack and strategy, against each other and the clock. A file becomes a
//! [`ContestSpec`] over a ruleset; all faults are reported at once.

mod arena;
mod file;
mod spec;

pub use arena::{Arena, ContestError, Event, MatchOutcome, Played, Side, Witness};
pub use file::{LoadedContest, load, parse_text, schema, schema_text, shelf};
pub use spec::{
    ContestSpec, DealEnd, Foundations, GATHER, Goal, JITTER, MAX_ROUNDS, PLAYERS, PlayerSpec, SPEED, SPEEDS,
    STRATEGY,
};
