//! Strategies by name or by path.
use super::{Greedy, Random, Strategy};
use crate::diagnostic::Diagnostic;
/// A strategy that can be made for each thread.
#[derive(Clone, Debug)]
pub struct StrategySource {
    name: String,
}
/// Why there is no strategy.
#[derive(Debug)]
pub enum LoadError {
    /** unknown */
    Unknown(String),
    /** faults */
    Faults(Vec<Diagnostic>),
}
impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}
impl StrategySource {
    /// name
    pub fn name(&self) -> &str {
        &self.name
    }
    /// id
    pub fn id(&self) -> &str {
        &self.name
    }
    /// text
    pub fn text(&self) -> Option<&str> {
        None
    }
    /// make
    pub fn instantiate(&self) -> Box<dyn Strategy> {
        if self.name == "random" { Box::new(Random) } else { Box::new(Greedy) }
    }
}
/// load
pub fn load(name: &str) -> Result<StrategySource, LoadError> {
    match name {
        "greedy" | "random" => Ok(StrategySource { name: name.into() }),
        _ => Err(LoadError::Unknown(name.into())),
    }
}
/// kind
#[derive(Clone, Copy, Debug)]
pub enum StrategyKind {
    /** native */
    Native,
}
impl StrategyKind {
    /** word */
    pub fn word(self) -> &'static str {
        "native"
    }
}
/// entry
#[derive(Debug)]
pub struct ShelfEntry {
    /** name */
    pub name: &'static str,
    /** kind */
    pub kind: StrategyKind,
    /** about */
    pub about: String,
}
/// shelf
pub fn shelf() -> Vec<ShelfEntry> {
    vec![]
}
/// definitions
pub fn definitions() -> String {
    String::new()
}
