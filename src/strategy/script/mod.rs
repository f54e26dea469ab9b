//! Strategies written in Rhai. Nothing outside this folder knows the language.
//!
//! | step | files |
//! |---|---|
//! | a text becomes a module, with all its faults | `load`, `module`, `checks`, `lookup`, `visible`, `parameters` |
//! | the names of the game, in one table, and their values | `names`, `intrinsics`, `value`, `handles`, `api` |
//! | what the names read and change while a script runs | `eval_context` |
//! | the players of sampled deals | `players`, `playout_player` |
//! | what a script may use, and how much of it | `engine`, `library`, `written`, `limits`, `meter` |
//! | compilation and execution of what can be compiled | `compiled` |
//! | interpretation of the rest, and of whatever goes wrong, by Rhai | `interpreter` |
//! | both together as a strategy | `strategy` |
//! | reports of faults | `fault`, `faults`, `syntax`, `limit_location`, `places`, `report` |
//! | findings without a game | `lint` |
//! | what a script does, line by line | `follow`, `profile`, `explain` |
//!
//! A script decides the same whether it is compiled or interpreted.

mod api;
mod checks;
mod compiled;
mod engine;
mod eval_context;
mod explain;
mod fault;
mod faults;
mod follow;
mod handles;
mod interpreter;
mod intrinsics;
mod library;
mod limit_location;
mod limits;
mod lint;
mod load;
mod lookup;
mod meter;
mod module;
mod names;
mod parameters;
mod places;
mod players;
mod playout_player;
mod profile;
mod report;
mod strategy;
mod syntax;
mod value;
mod visible;
mod walk;
mod written;

pub use explain::{Explained, Explanation};
pub use limits::{
    MAX_ARRAY, MAX_CALL_DEPTH, MAX_CLOSURES, MAX_EXPRESSION_DEPTH, MAX_FUNCTIONS, MAX_MAP, MAX_NESTING,
    MAX_OPERATIONS, MAX_PRINTED, MAX_STRING, MAX_VARIABLES, limits, max_operations, set_max_operations,
};
pub use names::{ApiName, definitions, entries as names};
pub use parameters::{Parameter, ParameterKind, SettingError};
pub(in crate::strategy) use parameters::{find as find_parameter, write as write_parameters};
pub use players::SHELF;
pub use profile::{LineProfile, Profile, Profiled};
pub use report::FunctionReport;
pub use strategy::{Options, Script};
#[cfg(test)]
mod tests;
