//! The command line as clap parses it; help, man page and completions come from here.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::stats::Precision;
use crate::strategy::Setting;
use crate::strategy::script::MAX_OPERATIONS;

use super::clairvoyant;
use super::contest::args::ContestArgs;
use super::input::setting;
use super::lab::bankroll::BankrollArgs;
use super::lab::compare::CompareArgs;
use super::lab::price::PriceArgs;
use super::lab::sweep::SweepArgs;
use super::lab::tune::TuneArgs;
use super::numbers::{Count, Games, whole};
use super::solve::SolveArgs;

/// A laboratory for Canfield, the casino patience.
///
/// Write a house variant as a TOML ruleset and a way of playing as a Rhai script; saratoga deals
/// seeded games by the million and says what the variant is worth: the win rate, the cards
/// reached, the casino's edge, and how sure that is.
#[derive(Debug, Parser)]
#[command(name = "saratoga", version, max_term_width = 100, after_help = EXAMPLES)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Command,

    /// Operations a script may take for one decision; loading it may take twice as many
    ///
    /// A decision is all legal moves scored together. The default takes less than a quarter of a second. A script that
    /// takes more is at fault, and the run ends there. Work on long lists and texts counts by their length.
    #[arg(
        long,
        global = true,
        value_name = "N",
        default_value_t = Count(MAX_OPERATIONS),
        help_heading = "Scripts",
        hide_short_help = true
    )]
    pub script_operations: Count,
}

/// Decks sold in an evening, unless the command line says otherwise.
pub(super) const EVENING: u64 = 200;

const EXAMPLES: &str = "Examples:
  saratoga simulate canfield -n 1e6     the house edge of Canfield, in a report
  saratoga compare -s patient -s greedy which strategy is better
  saratoga rules show canfield          a ruleset to copy and change
  saratoga scripts show patient         a strategy to copy and change
  saratoga replay canfield --game 17    watch one game
  saratoga help simulate                the options of a command";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Simulate(Box<SimulateArgs>),
    Compare(Box<CompareArgs>),
    Sweep(SweepArgs),
    Price(PriceArgs),
    Bankroll(BankrollArgs),
    Tune(TuneArgs),
    Deal(DealArgs),
    Replay(ReplayArgs),
    Check(CheckArgs),
    Perft(PerftArgs),
    Contest(ContestArgs),
    Solve(Box<SolveArgs>),
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

/// Play many seeded games and say what the rules are worth
#[derive(Args, Debug)]
#[command(after_help = "\
Every ruleset is played by every strategy on the same shuffles. The figures go
to the terminal, and to a folder as an HTML page with charts. Ctrl-C stops, and
reports the games that were finished.

Examples:
  saratoga simulate                       canfield, greedy, 100,000 games
  saratoga simulate canfield demon-casino -s patient -s greedy -n 1e6 --seed 7
  saratoga simulate single-pass --precision 0.5pp
  saratoga simulate canfield -s greedy -s patient --clairvoyant=500
  saratoga simulate ./my-house.toml -s ./mine.rhai --out my-report
  saratoga simulate storehouse --json | jq '.[0].summary.house_edge'")]
pub(super) struct SimulateArgs {
    /// Rulesets: names on the shelf, or paths [default: canfield]
    #[arg(value_name = "RULES")]
    pub rules: Vec<String>,
    /// A strategy: a name on the shelf, or a path; may be repeated [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Games for each ruleset and strategy: 5000, 1e6, 250k [default: 100k, or 1G with --precision]
    #[arg(short = 'n', long, value_name = "GAMES", allow_negative_numbers = true)]
    pub games: Option<Count>,
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Play until every 95% interval is within: 0.05 (mean cards), 1pp (points of the house edge)
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    pub precision: Option<Precision>,
    /// Threads, 1 to 256; the results are the same with any [default: one a core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256), allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// Decks sold in an evening, for the chart of the house's profit
    #[arg(long, value_name = "DECKS", default_value_t = EVENING, value_parser = whole(1, 10_000), allow_negative_numbers = true)]
    pub evening: u64,
    /// Folder of the report [default: reports/RULES-STRATEGY-SEED]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write no report
    #[arg(long, conflicts_with = "out")]
    pub no_report: bool,
    /// Also write every game to games.csv in the report's folder
    #[arg(long, conflicts_with = "no_report")]
    pub csv: bool,
    /// Print the results as a JSON array; write a report only with --out or --csv
    #[arg(long)]
    pub json: bool,
    /// Also tell what a player who knew every card could have had of the first DEALS games [default: 200]
    #[arg(long, value_name = "DEALS", num_args = 0..=1, require_equals = true, default_missing_value = clairvoyant::DEALS, allow_negative_numbers = true)]
    pub clairvoyant: Option<Count>,
    /// Positions looked at in each of these deals at most; the same figures on every machine
    #[arg(long, value_name = "N", default_value = clairvoyant::NODES, requires = "clairvoyant", allow_negative_numbers = true)]
    pub clairvoyant_nodes: Count,
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

/// Show how games are dealt
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  saratoga deal                        game 0 of seed 1 of canfield
  saratoga deal superior --seed 7 --game 3
  saratoga deal canfield --game 0..1000 --json > decks.jsonl")]
pub(super) struct DealArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    #[command(flatten)]
    pub deals: Deals,
    /// Print JSON Lines: one object a game, with its deck
    #[arg(long)]
    pub json: bool,
}

/// Which deals a command is about.
#[derive(Args, Debug)]
pub(super) struct Deals {
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// One game, 17, or a range without its end, 0..200 [default: 0]
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true)]
    pub game: Option<Games>,
    /// A deck of your own: its cards in the order they leave the pack
    #[arg(long, value_name = "CARDS", conflicts_with_all = ["game", "deals"])]
    pub deck: Option<String>,
    /// A file of decks of at most 64 MiB, one a line: the cards, or an id, a tab and the cards; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    pub deals: Option<PathBuf>,
}

/// Show games move by move
#[derive(Args, Debug)]
#[command(after_help = "\
One game is drawn step by step; of several, each is told in a line. ## is a card
that lies face down, -- an empty place.

Examples:
  saratoga replay                      watch greedy play game 0 of seed 1
  saratoga replay superior -s patient --seed 7 --game 3 --explain
  saratoga replay canfield --game 0..200 --json > records.jsonl")]
pub(super) struct ReplayArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy: a name on the shelf, or the path of a script
    #[arg(short, long, value_name = "STRATEGY", default_value = "greedy")]
    pub strategy: String,
    #[command(flatten)]
    pub deals: Deals,
    /// Show every legal move at each step, with its card and its score
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Print records: JSON Lines, one object a game
    #[arg(long)]
    pub json: bool,
}

/// Check records of games, and answers of solve, against the rules
#[derive(Args, Debug)]
#[command(after_help = "\
Every move is replayed, and the end, the cards and what was staked are compared;
where a record names a seed, so are the deck that it deals, its dice and its
shuffles. A record of a deck that was given has the seed of its dice and
shuffles as `chance`. What is false is named with its line and column. The lines
of `solve --json` are read too: the moves of a won deal must win it, those that
reach the most cards must reach as many, and all else must go together. No
replay shows that a deal is lost, nor by which strategy a game was played.

Examples:
  saratoga replay canfield --game 0..200 --json > records.jsonl
  saratoga check records.jsonl
  saratoga check records.jsonl --rules ./my-house.toml
  saratoga solve canfield -n 20 --nodes 1e5 --json | saratoga check -")]
pub(super) struct CheckArgs {
    /// Records or answers, one JSON object a line, of at most 4 GiB; `-` reads standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The ruleset to check under [default: the one each record names]
    #[arg(long, value_name = "RULES")]
    pub rules: Option<String>,
    /// Print JSON Lines: one object a line, with its fault if it has one
    #[arg(long)]
    pub json: bool,
}

/// Count sequences of legal moves, to compare engines
#[derive(Args, Debug)]
#[command(after_help = "\
Prints one line `depth count` for each depth: the sequences of exactly that many
legal moves. Only legality counts, not the rules that end a game that goes
nowhere. Not defined for rules with a die or a shuffle.

Examples:
  saratoga perft canfield --depth 8
  saratoga perft ./my-house.toml --deck \"QD 8S 8H 6H ...\" --depth 5")]
pub(super) struct PerftArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// The deck: cards in the order they leave the pack [default: game 0 of the seed]
    #[arg(long, value_name = "CARDS")]
    pub deck: Option<String>,
    /// Seed of the deal
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "deck", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Game of the seed
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "deck", value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub game: u64,
    /// The deepest count, 1 to 60
    #[arg(long, value_name = "N", value_parser = whole(1, 60), allow_negative_numbers = true)]
    pub depth: u64,
    /// Print a JSON array, one object a depth
    #[arg(long)]
    pub json: bool,
}

/// List, show and check rulesets
#[derive(Args, Debug)]
pub(super) struct RulesArgs {
    #[command(subcommand)]
    pub command: RulesCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum RulesCommand {
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
        /// Write out every key, with `extends` resolved
        #[arg(long)]
        all: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check ruleset files and report every fault
    #[command(after_help = "Example:\n  saratoga rules check ./my-house.toml")]
    Check {
        /// Names on the shelf, or paths
        #[arg(value_name = "RULES", required = true)]
        rules: Vec<String>,
    },
    Page(PageArgs),
    /// Print the JSON Schema of ruleset files, for editors
    #[command(after_help = "Example:\n  saratoga rules schema > saratoga-rules.schema.json")]
    Schema,
}

/// Play every ruleset on the shelf and write a page of them all
#[derive(Args, Debug)]
#[command(after_help = "\
Every ruleset is played by greedy, the yardstick, and by patient, a script that
plays better and slower. The page has what each game is, its other names, and
its win rate, cards and house edge by both, each with its 95% interval; then the
contests between several players. The same figures are beside it as shelf.json,
shelf.csv and contests.csv. With the numbers of games
below it takes a few minutes. Ctrl-C stops, and reports what was finished.

Examples:
  saratoga rules page                           into reports/shelf
  saratoga rules page -n 1e6 --patient-games 20k --out my-shelf
  saratoga rules page -n 2000 --patient-games 200 --json > shelf.json")]
pub(super) struct PageArgs {
    /// Games of each ruleset by greedy: 5000, 1e6, 250k [default: 100k]
    #[arg(short = 'n', long, value_name = "GAMES", allow_negative_numbers = true)]
    pub games: Option<Count>,
    /// Games of each ruleset by patient [default: 2000]
    #[arg(long, value_name = "GAMES", allow_negative_numbers = true)]
    pub patient_games: Option<Count>,
    /// Matches of each contest, by greedy players and by one patient player among them [default: 500]
    #[arg(long, value_name = "MATCHES", allow_negative_numbers = true)]
    pub matches: Option<Count>,
    /// Seed of the deals
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0, u64::MAX), allow_negative_numbers = true)]
    pub seed: u64,
    /// Threads, 1 to 256; the results are the same with any [default: one a core]
    #[arg(long, value_name = "N", value_parser = whole(1, 256), allow_negative_numbers = true)]
    pub threads: Option<u64>,
    /// Folder of the page [default: reports/shelf]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the results as a JSON object; write the page only with --out
    #[arg(long)]
    pub json: bool,
    /// Say nothing while playing
    #[arg(short, long)]
    pub quiet: bool,
}

/// List, show and check strategy scripts
#[derive(Args, Debug)]
pub(super) struct ScriptsArgs {
    #[command(subcommand)]
    pub command: ScriptsCommand,
}

#[derive(Debug, Subcommand)]
pub(super) enum ScriptsCommand {
    /// List the strategies on the shelf
    #[command(after_help = "Example:\n  saratoga scripts list")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a script, to copy and change
    #[command(after_help = "Example:\n  saratoga scripts show patient > mine.rhai")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "SCRIPT")]
        script: String,
    },
    /// Check scripts, report every fault, and say which functions are compiled
    #[command(after_help = "Example:\n  saratoga scripts check ./mine.rhai")]
    Check {
        /// Names on the shelf, or paths
        #[arg(value_name = "SCRIPT", required = true)]
        scripts: Vec<String>,
    },
    /// Print the definitions of everything a script can see, for editors
    #[command(after_help = "Example:\n  saratoga scripts definitions > saratoga.d.rhai")]
    Definitions,
}
