//! `saratoga rules`

use super::shelf::PageArgs;
use clap::{Args, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;

use crate::diagnostic::SourceText;
use crate::rules::{self, Spec};
use crate::text::one_line;

use super::error::CliError;
use super::input::{load_all_rules, load_rules};
use super::shelf;
use super::terminal::{self, Listed};

/// List, show and check rulesets
#[derive(Args, Debug)]
pub(in crate::cli) struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum RulesCommand {
    /// List the rulesets on the shelf
    #[command(after_help = "Example:\n  saratoga rules list --json")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a ruleset, to copy and change
    #[command(after_help = "Examples:
  saratoga rules show canfield > my-house.toml
  saratoga rules show storehouse --all     every key, with `extends` resolved")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "RULES")]
        rules: String,
        /// Print every key, with `extends` resolved
        #[arg(long)]
        all: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check ruleset files and report every error
    #[command(after_help = "Example:\n  saratoga rules check ./my-house.toml")]
    Check {
        /// Names on the shelf, or paths
        #[arg(value_name = "RULES", required = true)]
        rules: Vec<String>,
    },
    Page(Box<PageArgs>),
    /// Print the JSON Schema of ruleset files, for editors
    #[command(after_help = "Example:\n  saratoga rules schema > saratoga-rules.schema.json")]
    Schema,
}

pub(super) fn run(args: RulesArgs) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(terminal::stdout());
    match args.command {
        RulesCommand::List { json } => terminal::list(&mut out, json, 18, listed()?)?,
        RulesCommand::Show { rules, all, json } => {
            let loaded = load_rules(&rules)?;
            show(&mut out, &loaded.id, &loaded.sources, &loaded.rules.spec().to_toml(), all, json)?;
        }
        RulesCommand::Check { rules } => {
            for (name, loaded) in rules.iter().zip(load_all_rules(&rules)?) {
                good(&mut out, name, loaded.warnings.len())?;
            }
        }
        RulesCommand::Page(args) => return shelf::run(*args),
        RulesCommand::Schema => writeln!(out, "{}", rules::schema_text().trim_end())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn listed() -> Result<Vec<Listed>, CliError> {
    let one = |id: &str| {
        let Spec { name, also, about, source, .. } = load_rules(id)?.rules.spec().clone();
        let json = json!({ "id": id, "name": name, "also": also, "about": about, "source": source });
        Ok((id.to_string(), first_sentence(&about), json))
    };
    rules::shelf().iter().map(|(id, _)| one(id)).collect()
}

pub(super) fn first_sentence(about: &str) -> String {
    let line = about.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.find(". ") {
        Some(end) => line[..=end].to_string(),
        None => line,
    }
}

pub(super) fn show(
    out: &mut impl Write,
    id: &str,
    sources: &[Arc<SourceText>],
    resolved: &str,
    all: bool,
    json: bool,
) -> io::Result<()> {
    if json {
        let files: Vec<_> = sources.iter().map(|s| json!({ "name": s.name, "text": s.text })).collect();
        return writeln!(out, "{:#}", json!({ "id": id, "files": files, "resolved": resolved }));
    }
    let written = sources.first().map_or("", |source| &source.text);
    writeln!(out, "{}", if all { resolved } else { written }.trim_end())
}

pub(super) fn good(out: &mut impl Write, name: &str, warnings: usize) -> io::Result<()> {
    let warnings = match warnings {
        0 => String::new(),
        1 => ", with a warning".into(),
        n => format!(", with {n} warnings"),
    };
    writeln!(out, "{}: good{warnings}", one_line(name))
}
