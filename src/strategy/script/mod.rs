//! Strategies written in Rhai. Nothing outside this folder knows the language.
//!
//! | step | files |
//! |---|---|
//! | a text becomes a module, with all its faults | `load`, `module`, `lookup` |
//! | the names of the game, in one table, and their values | `names`, `intrinsics`, `value`, `api` |
//! | the players of sampled deals | `playout_player` |
//! | what a script may use, and how much of it | `engine`, `limits` |
//! | compilation and execution of what can be compiled | `compiled` |
//! | interpretation of the rest, and of whatever goes wrong, by Rhai | `interpreter` |
//! | both together as a strategy | `strategy` |
//! | faults in plain words | `fault` |
//! | findings without a game | `lint` |
//! | what a script does, line by line | `trace` |
//!
//! A script decides the same whether it is compiled or interpreted.

mod api;
mod compiled;
mod engine;
mod fault;
mod interpreter;
mod intrinsics;
mod limits;
mod lint;
mod load;
mod lookup;
mod module;
mod names;
mod playout_player;
mod strategy;
#[cfg(test)]
mod tests;
mod trace;
mod value;

pub use limits::{
    MAX_CALL_DEPTH, MAX_OPERATIONS, MAX_PRINTED, MAX_VARIABLES, limits, max_operations, set_max_operations,
};
pub use module::{Parameter, ParameterKind, SettingError};
pub(super) use module::{find_parameter, write_parameters};
pub use names::{SHELF, definitions, names};
pub use strategy::{FunctionReport, Script};
pub use trace::{Explained, Explanation, LineProfile, Profile, Profiled};
