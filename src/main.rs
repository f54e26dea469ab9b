//! The `saratoga` program.
fn main() {}
