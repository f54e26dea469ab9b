//! Plays a sweep and reports on it.

use crate::cli::input::players;
use crate::cli::keeping::{Settled, settled, texts};
use crate::lab::SavedText;
use crate::lab::Workers;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use super::setup::Setup;
use crate::cli::args::SweepArgs;
use crate::cli::driver::{self, Ending, Experiment, FIRST_BLOCK, Means, Output};
use crate::cli::error::CliError;
use crate::cli::lab::changed::at_fault;
use crate::cli::progress::{GAMES, Line};
use crate::lab::sweep::{SoFar, SweepBatch, SweepStep, sweep};
use crate::lab::{BatchError, Pairing};
use crate::report::{Source, SweepReport, count, sweep_csv, sweep_document, sweep_json, sweep_summaries};
use crate::strategy::Strategy;

/// Makes the strategy of a cell.
type Make<'a> = Box<dyn Fn() -> Box<dyn Strategy> + Sync + 'a>;

pub(in crate::cli) fn run(args: SweepArgs) -> Result<ExitCode, CliError> {
    let setup = Setup::new(&args)?;
    let makers: Vec<Make<'_>> = setup
        .strategies
        .iter()
        .map(|strategy| -> Make<'_> { Box::new(move || strategy.instantiate()) })
        .collect();
    let cells = setup.plan.cells.iter().map(|cell| {
        let loaded = cell.rules.as_ref().ok()?;
        Some(Pairing { id: &loaded.id, rules: &loaded.rules, strategy: &*makers[cell.strategy] })
    });
    let bases = setup.against.pairs.iter().map(|&(rules, strategy)| {
        let loaded = &setup.against.rules[rules];
        Pairing { id: &loaded.id, rules: &loaded.rules, strategy: &*makers[strategy] }
    });
    let batch = SweepBatch {
        cells: cells.collect(),
        bases: bases.collect(),
        against: setup.against.of.clone(),
        seed: args.run.seed,
        aim: setup.aim,
    };
    let fresh = SoFar::new(&batch).map_err(CliError::input)?;
    driver::run(&args.run, Sweeping { args: &args, setup: &setup, batch, fresh })
}

/// A sweep that can be played.
struct Sweeping<'a> {
    args: &'a SweepArgs,
    setup: &'a Setup,
    batch: SweepBatch<'a>,
    /// Nothing played.
    fresh: SoFar,
}

impl Experiment for Sweeping<'_> {
    type Played = SoFar;

    fn folder(&self) -> String {
        self.setup.folder.clone()
    }

    fn inputs(&self) -> Option<Vec<SavedText>> {
        Some(texts(&self.setup.rules, &self.setup.strategies))
    }

    fn settled(&self) -> Vec<Settled> {
        let args = self.args;
        vec![
            settled("RULES", &self.setup.names),
            settled("--rules", [""; 0]),
            settled("--strategy", players(&args.strategies, args.patrons.as_ref())),
            settled("--precision", [self.setup.aim.precision]),
        ]
    }

    fn stages(&self) -> Option<u32> {
        self.setup.aim.each.map(|_| 1)
    }

    fn play(&mut self, Means { stop, workers, .. }: Means<'_>) -> Result<SoFar, CliError> {
        let mut so_far = self.fresh.clone();
        self.play_on(&mut so_far, stop, workers)?;
        Ok(so_far)
    }

    fn ending(&self, so_far: &SoFar) -> Ending {
        if so_far.games() == 0 {
            return Ending::Nothing(FIRST_BLOCK);
        }
        Ending::of(!so_far.finished, || format!("the figures are those of {} games", count(so_far.games())))
    }

    fn report(&mut self, so_far: SoFar, output: &Output) -> Result<(), CliError> {
        let strategies = self.setup.strategies.iter();
        let report = SweepReport {
            command: &self.setup.command,
            version: env!("CARGO_PKG_VERSION"),
            seed: self.args.run.seed,
            plan: &self.setup.plan,
            so_far: &so_far,
            against: &self.setup.against,
            aim: self.setup.aim,
            rules: &self.setup.rules,
            saved: output.has_report(),
            strategies: strategies
                .map(|it| Source { name: it.name(), text: it.text().unwrap_or_default() })
                .collect(),
            summaries: sweep_summaries(&self.setup.plan, &so_far),
        };
        let json = sweep_json(&report).map_err(CliError::no_report)?;
        let more = vec![("cells.csv".to_string(), sweep_csv(&report).into_bytes())];
        output.print_document(sweep_document(&report), &json, more)
    }
}

impl Sweeping<'_> {
    /// Plays with a progress line; Ctrl-C stops it, and blocks under way are dropped.
    fn play_on(&self, so_far: &mut SoFar, stop: &AtomicBool, workers: Workers<'_>) -> Result<(), CliError> {
        let mut line = Line::message(GAMES, None, self.args.run.quiet);
        // Only a round decides it.
        let mut standing = so_far.enough(&self.batch);
        let played = sweep(&self.batch, so_far, (stop, workers), |so_far, step| {
            if step == SweepStep::Round {
                standing = so_far.enough(&self.batch);
            }
            let at = match step {
                SweepStep::Block(cell) | SweepStep::Cell(cell) => self.setup.plan.label(cell),
                SweepStep::Round => String::new(),
            };
            line.show(so_far.games(), || {
                let (enough, cells) = standing;
                let round = so_far.round;
                format!("round {round}, {enough} of {cells} cells enough  {at}")
            });
            Ok::<(), BatchError>(())
        });
        drop(line);
        match played {
            Ok(()) => Ok(()),
            Err(BatchError::Game(error)) => {
                Err(at_fault(*error, &self.setup.rules, self.setup.plan.rulesets()))
            }
            Err(error) => Err(error.into()),
        }
    }
}
