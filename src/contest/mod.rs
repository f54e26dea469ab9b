//! Contests: several players, each with their own pack and strategy, against each other and the clock. A file becomes a
//! [`ContestSpec`] over a ruleset; all faults are reported at once.

mod arena;
mod check;
mod clock;
mod event;
mod file;
mod load;
mod outcome;
mod seat;
mod shelf;
mod spec;

pub use arena::{Arena, ContestError, Witness};
pub use check::{PLAYERS, SPEEDS};
pub use event::Event;
pub use file::{schema, schema_text};
pub use load::{LoadedContest, load, parse_text};
pub use outcome::{MatchOutcome, Played, Side, deal_points};
pub use shelf::shelf;
pub use spec::{
    ContestSpec, DealEnd, Foundations, GATHER, Goal, JITTER, MAX_ROUNDS, PlayerSpec, SPEED, STRATEGY,
};
