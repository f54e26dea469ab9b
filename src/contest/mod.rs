//! Floor 4: contests. Several players, each with a pack and a strategy of their own, against each other and the
//! clock. A file as written becomes a [`ContestSpec`] over a ruleset; every fault is reported at once.

mod arena;
mod clock;
mod outcome;
mod seat;
mod spec;
mod watch;

pub use arena::{Arena, ContestError};
pub use outcome::{MatchOutcome, Played, Side, deal_points};
pub use spec::{
    ContestSpec, DealEnd, Foundations, GATHER, Goal, JITTER, MAX_ROUNDS, PlayerSpec, SPEED, STRATEGY,
};
pub use watch::{Event, Witness};
