//! The passes over the code of a tree. Which there are, in what order and why, says [`super::pipeline`].

mod fuse;
mod seek;
mod thread;

pub use fuse::fuse;
pub use seek::seek;
pub use thread::{drop_idle, thread};
