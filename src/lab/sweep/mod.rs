//! Sweeps: the effect of changed rules, cell by cell, with games where they are needed.

mod allocate;
mod axis;
mod plan;
mod result;
mod run;

pub use allocate::{Aim, FEWEST, FIRST, Standing};
pub use axis::{Axis, AxisKind};
pub(super) use plan::same_game;
pub use plan::{Against, AgainstError, Cell, MOST_CELLS, Plan};
pub use result::{Crossing, Place, Shape, Swept, SweptCell, crossing};
pub use run::{MOST_COMPARED, SoFar, SweepBatch, sweep};
