//! `saratoga contest list`, `show`, `check` and `schema`

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use crate::cli::error::CliError;
use crate::cli::input::{load_all, load_contest};
use crate::cli::output::{self, Listed};
use crate::cli::rules::{first_sentence, good, show};
use crate::contest::{self, ContestSpec, Goal};
use crate::rules::file::Word;

use crate::cli::args::ContestCommand;
use crate::cli::terminal;

pub(super) fn run(command: ContestCommand) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(terminal::stdout());
    match command {
        ContestCommand::List { json } => output::list(&mut out, json, 22, listed()?)?,
        ContestCommand::Show { contest, all, json } => {
            let loaded = load_contest(&contest)?;
            show(&mut out, &loaded.id, &loaded.sources, &loaded.spec.to_toml(), all, json)?;
        }
        ContestCommand::Check { contests } => {
            for (name, loaded) in contests.iter().zip(load_all(&contests, load_contest)?) {
                good(&mut out, name, loaded.warnings.len())?;
            }
        }
        ContestCommand::Schema => writeln!(out, "{}", contest::schema_text().trim_end())?,
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn listed() -> Result<Vec<Listed>, CliError> {
    let one = |id: &str| {
        let spec = load_contest(id)?.spec;
        Ok((id.to_string(), first_sentence(&spec.about), entry(id, &spec)))
    };
    contest::shelf().iter().map(|(id, _)| one(id)).collect()
}

fn entry(id: &str, spec: &ContestSpec) -> Value {
    let goal = match spec.goal {
        Goal::Deals(deals) => json!({ "deals": deals }),
        Goal::Target { points, max_rounds } => json!({ "target": points, "max_rounds": max_rounds }),
    };
    json!({
        "id": id,
        "name": spec.name,
        "also": spec.also,
        "about": spec.about,
        "source": spec.source,
        "rules": spec.rules,
        "foundations": spec.foundations.word(),
        "players": spec.players.len(),
        "match": goal,
    })
}
