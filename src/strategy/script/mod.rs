//! Strategies written in Rhai. Nothing outside this folder knows the language.
//!
//! A script is read and checked (`load`), then run: what can be compiled by the folder `compiled`, the rest, and
//! whatever goes wrong, by Rhai's interpreter (`interpreter`). Both decide the same.

mod api;
mod check;
mod compiled;
mod definitions;
mod engine;
mod fault;
mod handles;
mod interpreter;
mod intrinsics;
mod library;
mod limits;
mod load;
mod lookup;
mod meter;
mod names;
mod outline;
mod parameters;
mod places;
mod plain_data;
mod report;
mod shelf;
mod stage;
mod strategy;
mod this;
mod value;
mod walk;

pub use definitions::definitions;
pub use limits::{
    MAX_ARRAY, MAX_CALL_DEPTH, MAX_CLOSURES, MAX_EXPRESSION_DEPTH, MAX_FUNCTIONS, MAX_MAP, MAX_NESTING,
    MAX_OPERATIONS, MAX_PRINTED, MAX_STRING, MAX_VARIABLES, max_operations, set_max_operations,
};
pub use parameters::{Parameter, ParameterKind, SettingError};
pub(in crate::strategy) use parameters::{find as find_parameter, write as write_parameters};
pub use report::FunctionReport;
pub use shelf::SHELF;
pub use strategy::{Options, Script};
#[cfg(test)]
mod tests;
