//! `saratoga rules`

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;

use crate::rules::{self, Spec};

use super::args::{RulesArgs, RulesCommand};
use super::error::CliError;
use super::input::{load_all_rules, load_rules};
use super::{output, shelf_page};

pub(super) fn run(args: RulesArgs) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    match args.command {
        RulesCommand::List { json } => list(&mut out, json)?,
        RulesCommand::Show { rules, all, json } => show(&mut out, &rules, all, json)?,
        RulesCommand::Check { rules } => {
            for (name, loaded) in rules.iter().zip(load_all_rules(&rules)?) {
                let warnings = match loaded.warnings.len() {
                    0 => String::new(),
                    1 => ", with a warning".into(),
                    n => format!(", with {n} warnings"),
                };
                writeln!(out, "{name}: good{warnings}")?;
            }
        }
        RulesCommand::Page(args) => return shelf_page::run(args),
        RulesCommand::Schema => writeln!(out, "{}", rules::schema_text().trim_end())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn list(out: &mut impl Write, json: bool) -> Result<(), CliError> {
    let names = rules::shelf().iter().map(|(name, _)| *name);
    if json {
        let mut entries = Vec::new();
        for id in names {
            let Spec { name, also, about, source, .. } = load_rules(id)?.rules.spec().clone();
            entries.push(json!({ "id": id, "name": name, "also": also, "about": about, "source": source }));
        }
        writeln!(out, "{:#}", json!(entries))?;
        return Ok(());
    }
    for id in names {
        let loaded = load_rules(id)?;
        output::row(out, 18, id, &first_sentence(&loaded.rules.spec().about))?;
    }
    Ok(())
}

fn first_sentence(about: &str) -> String {
    let line = about.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.find(". ") {
        Some(end) => line[..=end].to_string(),
        None => line,
    }
}

fn show(out: &mut impl Write, name: &str, all: bool, json: bool) -> Result<(), CliError> {
    let loaded = load_rules(name)?;
    let written = loaded.sources.first().map_or("", |source| &source.text);
    let resolved = loaded.rules.spec().to_toml();
    if json {
        let files: Vec<_> =
            loaded.sources.iter().map(|s| json!({ "name": s.name, "text": s.text })).collect();
        let object = json!({ "id": loaded.id, "files": files, "resolved": resolved });
        writeln!(out, "{object:#}")?;
    } else {
        writeln!(out, "{}", if all { &resolved } else { written }.trim_end())?;
    }
    Ok(())
}
