//! Strategy scripts being edited: checks, compilation, profiles of their lines, and comparison with another strategy.
//! The checks, limits and games are those of the command line.

mod judge;
mod profile;
mod rival;
mod words;

pub(super) use judge::{Judged, judge, shelf_text};
pub(super) use profile::{Asked as ProfileAsked, run as profile};
pub(super) use rival::{Asked as RivalAsked, Ready as Rivals};
pub(super) use words::words;
