//! Sweeps: how a change of the rules changes the game, cell by cell, with games where they are needed.

mod against;
mod allocate;
mod axis;
mod paired;
mod plan;
mod run;
mod values;

pub use against::{Against, AgainstError};
pub use allocate::{Aim, FEWEST, FIRST, Standing};
pub use axis::{Axis, AxisKind};
pub use paired::MOST_COMPARED;
pub use plan::{Cell, MOST_CELLS, Plan};
pub use run::{SoFar, SweepBatch, SweepStep, sweep};
