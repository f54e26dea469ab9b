//! The command line as clap parses it, from which help, man page and completions are generated.
//!
//! Nothing is run here: the commands read these types.

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use crate::strategy::script::MAX_OPERATIONS;

#[cfg(feature = "studio")]
use super::studio::StudioArgs;
use super::{
    bankroll::BankrollArgs, bracket::BracketArgs, character::CharacterArgs, check::CheckArgs,
    cluster::ClusterArgs, compare::CompareArgs, contest::ContestArgs, deal::DealArgs, design::DesignArgs,
    estimate::EstimateArgs, merge::MergeArgs, options::RunArgs, perft::PerftArgs, plan::PlanArgs,
    play::TableArgs, price::PriceArgs, replay::ReplayArgs, rules::RulesArgs, scripts::ScriptsArgs,
    simulate::SimulateArgs, solve::SolveArgs, status::StatusArgs, sweep::SweepArgs, tune::TuneArgs,
};
use crate::units::Count;

/// A laboratory for Canfield, the casino patience.
///
/// Describe a house variant in a TOML ruleset and a strategy in a Rhai script. Saratoga plays
/// millions of seeded games and reports what the variant is worth: the win rate, the cards
/// reached, the house edge, and how certain each figure is.
#[derive(Debug, Parser)]
#[command(name = "saratoga", version, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Operations a script may use for one decision, and to load it
    ///
    /// A decision scores all legal moves. The default lets a decision take a second or so at the most. A script that
    /// needs more ends the run with an error. Operations on arrays and strings count by their length.
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = Count(MAX_OPERATIONS),
        value_parser = operations,
        help_heading = "Scripts",
        hide_short_help = true
    )]
    pub script_operations: Count,
}

fn operations(text: &str) -> Result<Count, String> {
    text.parse().map_err(|_| "write a number of operations as 500000, 250k, 1e6 or 10M".into())
}

const EXAMPLES: &str = "Examples:
  saratoga simulate canfield -n 1e6     the house edge of Canfield, in a report
  saratoga compare -s patient -s greedy which strategy is better
  saratoga rules show canfield          a ruleset to copy and change
  saratoga scripts show patient         a strategy to copy and change
  saratoga play canfield                play a game yourself
  saratoga replay canfield --game 17    watch one game
  saratoga help simulate                the options of a command";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Simulate(Box<SimulateArgs>),
    Compare(Box<CompareArgs>),
    Sweep(Box<SweepArgs>),
    Design(Box<DesignArgs>),
    Price(PriceArgs),
    Plan(PlanArgs),
    Estimate(EstimateArgs),
    Bankroll(BankrollArgs),
    Bracket(BracketArgs),
    Character(CharacterArgs),
    Tune(TuneArgs),
    Deal(DealArgs),
    Replay(Box<ReplayArgs>),
    Play(Box<TableArgs>),
    Check(CheckArgs),
    Perft(PerftArgs),
    Contest(Box<ContestArgs>),
    Solve(Box<SolveArgs>),
    Merge(MergeArgs),
    Status(StatusArgs),
    Cluster(ClusterArgs),
    #[cfg(feature = "studio")]
    Studio(StudioArgs),
    Rules(RulesArgs),
    Scripts(ScriptsArgs),
    /// Print completions for a shell
    #[command(
        after_help = "Examples:\n  source <(saratoga completions bash)\n  saratoga completions fish > ~/.config/fish/completions/saratoga.fish"
    )]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the man page
    #[command(after_help = "Example:\n  saratoga man > saratoga.1 && man -l saratoga.1")]
    Man,
}

impl Command {
    /// Returns the run options of a command that plays many games. Without them a report would not know its own command.
    pub fn run_args(&mut self) -> Option<&mut RunArgs> {
        match self {
            Command::Simulate(args) => Some(&mut args.run),
            Command::Compare(args) => Some(&mut args.run),
            Command::Sweep(args) => Some(&mut args.run),
            Command::Design(args) => Some(&mut args.run),
            Command::Price(args) => Some(&mut args.run),
            Command::Plan(args) => Some(&mut args.run),
            Command::Estimate(args) => Some(&mut args.run),
            Command::Bankroll(args) => Some(&mut args.run),
            Command::Bracket(args) => Some(&mut args.run),
            Command::Character(args) => Some(&mut args.run),
            Command::Tune(args) => Some(&mut args.run),
            Command::Contest(args) => Some(&mut args.play.run),
            Command::Solve(args) => Some(&mut args.run),
            // The subcommand `page` of `rules` has them.
            _ => None,
        }
    }
}

/// Returns the definition of the whole command line. Every option accepts a negative number as its value, so that the
/// error is about the number and not about an unknown option.
pub(super) fn definition() -> clap::Command {
    negative_numbers(Cli::command())
}

fn negative_numbers(command: clap::Command) -> clap::Command {
    let option = |arg: &clap::Arg| arg.get_long().is_some() && arg.get_action().takes_values();
    command
        .mut_args(|arg| if option(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn each(command: &clap::Command, check: &mut dyn FnMut(&clap::Command)) {
        check(command);
        command.get_subcommands().for_each(|below| each(below, check));
    }

    #[test]
    fn the_definition_is_sound_and_fits_80_columns() {
        definition().debug_assert();
        each(&definition(), &mut |command| {
            for line in command.get_after_help().map(ToString::to_string).unwrap_or_default().lines() {
                let link = line.contains("/.config/");
                assert!(link || line.chars().count() < 80, "{}: {line}", command.get_name());
            }
            for arg in command.get_arguments().filter(|arg| arg.get_long() != Some("help")) {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
                let option = arg.get_long().is_some() && arg.get_action().takes_values();
                assert!(!option || arg.is_allow_negative_numbers_set(), "{}", arg.get_id());
            }
        });
    }
}
