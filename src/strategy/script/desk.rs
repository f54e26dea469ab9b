//! The position of the current decision.

use std::cell::RefCell;
use std::rc::Rc;

use crate::game::Snapshot;

/// The position of the current decision, which the names read. A script's own values hold no part of it, so none of
/// them outlives it.
pub type Desk = Rc<RefCell<Snapshot>>;
