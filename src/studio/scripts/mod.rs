//! Strategy scripts under change: what is wrong with one, what is compiled of it, how often its lines run, and how it
//! does beside another player. The same checks, the same limits and the same games as on the command line.

mod judge;
mod profile;
mod rival;
mod words;

pub(super) use judge::{Judged, judge, shelf_text};
pub(super) use profile::{Asked as ProfileAsked, run as profile};
pub(super) use rival::{Asked as RivalAsked, Ready as Rivals};
pub(super) use words::words;
