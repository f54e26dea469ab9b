//! The passes over the code of a tree. [`super::pipeline`] lists them in order, with reasons.

mod fuse;
mod seek;
mod thread;

pub use fuse::fuse;
pub use seek::seek;
pub use thread::{drop_idle, thread};
