//! What the commands of the laboratory share: their common options, and how their answers are told.

mod amounts;
pub(in crate::cli) mod bankroll;
pub(super) mod compare;
pub(in crate::cli) mod price;
mod sold;
pub(super) mod sweep;
pub(in crate::cli) mod tune;

use std::path::PathBuf;

use clap::Args;

use super::error::CliError;
use super::folder::Folder;
use super::input::{load_strategies_with, setting};
use super::numbers::whole;
use super::output;
use crate::report::{Document, document_files, document_terminal};
use crate::strategy::{Setting, StrategySource};

/// Options that every command of the laboratory takes.
#[derive(Args, Debug)]
pub(super) struct RunArgs {
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads, 1 to 256; the results are the same with any [default: one a core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256), allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// Folder of the report
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write no report
    #[arg(long, conflicts_with = "out")]
    pub no_report: bool,
    /// Print the results as JSON; write a report only with --out
    #[arg(long)]
    pub json: bool,
    /// Set a parameter of the scripts that have it: hold=4; may be repeated. Or behind one name: -s mine.rhai:hold=4
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = setting)]
    pub settings: Vec<Setting>,
    /// Run scripts by the interpreter alone: the same games, many times slower
    #[arg(long)]
    pub interpret: bool,
    /// Say nothing while playing
    #[arg(short, long)]
    pub quiet: bool,
}

impl RunArgs {
    /// Loads strategies as these options have them; the faults of all of them are told together.
    pub fn strategies(&self, names: Vec<String>) -> Result<Vec<StrategySource>, CliError> {
        let strategies = load_strategies_with(names, &self.settings)?;
        let as_asked = |source: StrategySource| if self.interpret { source.interpreted() } else { source };
        Ok(strategies.into_iter().map(as_asked).collect())
    }

    /// The report's folder, if one is to be written: that asked for, or `reports/` and `name`.
    pub fn folder(&self, name: &str) -> Result<Option<Folder>, CliError> {
        if self.no_report || self.json && self.out.is_none() {
            return Ok(None);
        }
        let path = self.out.clone().unwrap_or_else(|| PathBuf::from("reports").join(name));
        Folder::prepare(path).map(Some)
    }

    /// Prints the JSON or the document, and writes the report to its folder, `more` files with it. `json` is one value
    /// without a line break at its end.
    pub fn tell(
        &self,
        document: &Document<'_>,
        json: &str,
        folder: Option<&Folder>,
        more: Vec<(String, Vec<u8>)>,
    ) -> Result<(), CliError> {
        let figures = if self.json { format!("{json}\n") } else { document_terminal(document) };
        output::tell(&figures, folder, (!self.json).then_some("Report"), |folder| {
            let mut files = document_files(document, &format!("{json}\n"))
                .map_err(|error| CliError::Run(format!("the report could not be made: {error}")))?;
            files.extend(more);
            folder.write_all(&files, &[])
        })
    }
}
