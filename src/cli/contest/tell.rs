//! Tells what a contest came to: in the terminal, as data and as a folder.

use crate::cli::error::CliError;
use crate::cli::folder::Folder;
use crate::cli::output;
use crate::diagnostic::SourceText;
use crate::report::{ContestReport, Source, contest_array, contest_files, contest_json, contest_terminal};
use crate::rules::file::decimal;
use crate::stats::SpeedPoint;
use crate::strategy::StrategySource;

use super::args::PlayArgs;
use super::run::Played;
use super::setup::Setup;

/// Prints the results and writes the report.
pub(super) fn tell(
    args: &PlayArgs,
    setup: &Setup,
    played: &Played,
    seconds: f64,
    folder: Option<&Folder>,
) -> Result<(), CliError> {
    let loaded = &setup.loaded;
    let spec = &loaded.spec;
    let summary = played.tally.summarize(spec);
    let speeds: Vec<SpeedPoint> = played
        .speeds
        .iter()
        .map(|(other, tally)| {
            let factor = f64::from(other.players[0].speed) / f64::from(spec.players[0].speed);
            tally.at_speed(other, 0, factor)
        })
        .collect();
    let scripts: Vec<Option<&str>> = loaded.strategies.iter().map(StrategySource::text).collect();
    let report = ContestReport {
        command: &again(args, setup, played),
        version: env!("CARGO_PKG_VERSION"),
        id: &loaded.id,
        spec,
        files: &sources(&loaded.sources),
        rules_id: &loaded.rules.id,
        rules: loaded.rules.rules.spec(),
        rules_files: &sources(&loaded.rules.sources),
        scripts: &scripts,
        seed: args.seed,
        summary: &summary,
        speeds: &speeds,
    };
    let failed =
        |error: &dyn std::fmt::Display| CliError::Run(format!("the report could not be made: {error}"));
    let figures = if args.json {
        format!("{}\n", contest_array(&report).map_err(|error| failed(&error))?.trim_end())
    } else {
        let others = played.speeds.iter().filter(|(other, _)| other != spec);
        let matches = played.tally.matches() + others.map(|(_, tally)| tally.matches()).sum::<u64>();
        contest_terminal(&report, Some(matches as f64 / seconds))
    };
    output::tell(&figures, folder, (!args.json).then_some("Report"), |folder| {
        let json = contest_json(&report).map_err(|error| failed(&error))?;
        folder.write_all(&contest_files(&report, &json).map_err(|error| failed(&error))?, &[])
    })
}

fn sources(texts: &[std::sync::Arc<SourceText>]) -> Vec<Source<'_>> {
    texts.iter().map(|text| Source { name: &text.name, text: &text.text }).collect()
}

/// The command line that plays the same matches again.
fn again(args: &PlayArgs, setup: &Setup, played: &Played) -> String {
    let command = setup.command(&setup.loaded.spec);
    let mut words = vec![command, format!("-n {} --seed {}", played.tally.matches(), args.seed)];
    match &args.factors {
        Some(factors) if !factors.0.is_empty() => {
            let factors: Vec<String> = factors.0.iter().map(|factor| decimal((*factor).into())).collect();
            words.push(format!("--factors {}", factors.join(",")));
        }
        None if !args.no_factors => {}
        _ => words.push("--no-factors".into()),
    }
    words.join(" ")
}
