//! Where the position of the decision being made lies.

use std::cell::RefCell;
use std::rc::Rc;

use crate::game::Snapshot;

/// What the names read: the position of the decision being made. A script's own values hold no
/// part of it, so none of them outlives it.
pub type Desk = Rc<RefCell<Snapshot>>;
