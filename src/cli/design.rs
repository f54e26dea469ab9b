//! `saratoga design`: its arguments and its experiment.

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use super::checkpoint::{resolved, saved};
use super::driver::{self, FIRST_BLOCK, Played, RunContext, Setup};
use super::error::{CliError, at_fault};
use super::input::{USUAL, enough_games, load_all, load_players, load_rules, varied};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{GAMES, Line};
use super::sweep;
use super::terminal::{joined, note, shell_word};
use crate::lab::{Design, Designed, MakeStrategy, Pace, Wish, Wished, design};
use crate::report::{count, design_document};
use crate::rules::is_path;
use crate::rules::toml_text;
use crate::strategy::StrategySource;
use crate::units::{Count, plain, price, whole};

/// Find variants of a game that have what you wish
#[derive(Args, Debug)]
#[command(after_help = "\
A wish is a figure of a player's games and its limits:
  --want 'wins(ordinary)=25%..35%'   how often the player wins
  --want 'edge(ordinary)=3%..6%'     what the house keeps of each price
  --want 'cards=10..'                mean cards on the foundations
  --want 'minutes(expert)=4..8'      mean minutes of a game; also `moves`
One of the limits may be missing, and `max` or `min` stand for as much or as
little as possible; the first such wish decides the order. A player is a
strategy, as after -s; without one it is greedy. Quote a wish with a player,
as the shell reads brackets.

Each --vary is a key of the ruleset with its values, as in `saratoga sweep`;
every combination is a candidate. With --price the price of the deck is chosen
too, for the wishes about the edge: that costs no games.

All candidates race on the same deals, and drop out once they surely miss a
wish. Players that search join last, as they take longest. The best then play
fresh deals, so that luck in the race does not flatter them. A variant meets a
wish only if its whole interval does. Each variant is written to a file in the
report's folder, which extends the original ruleset. The same command resumes
a run after an interruption.

Examples:
  saratoga design --vary stock.draw=1..3 --vary stock.redeals=0..5 \\
    --want 'wins(ordinary)=3%..8%' --want 'edge(ordinary)=3%..6%' \\
    --price round=1
  saratoga design superior --vary reserve.size=8..16 --want wins=10%..20%
  saratoga design --vary stock.redeals=0..5 --want 'wins(shark)=25%..35%'
  saratoga design --vary reserve.size=9..15 --want cards=max --want edge=0%..")]
pub(in crate::cli) struct DesignArgs {
    /// The ruleset to change: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A key of the ruleset with its values: stock.draw=1..5; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// A wish: wins=25%..35%, edge(ordinary)=3%..6%, cards=max; may be repeated
    #[arg(long, value_name = "WISH", required = true)]
    pub want: Vec<String>,
    /// Choose the price of the deck, in multiples of a sum: round=1, round=0.50
    #[arg(long, value_name = "round=MONEY", value_parser = price_step)]
    pub price: Option<PriceStep>,
    /// Seconds for each kind of move, for wishes about minutes: a file [default: the included scripts/pace.toml]
    #[arg(long, value_name = "FILE")]
    pub pace: Option<String>,
    /// Variants that play fresh deals, at most, 1 to 50
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole(1, 50))]
    pub variants: u64,
    /// Fresh deals of each player, at least 1000: 5000, 1e6, 250k
    #[arg(short = 'n', long, value_name = "GAMES", default_value = "100k")]
    pub games: Count,
    /// Fresh deals of each player that searches, at most; at least 1000
    #[arg(long, value_name = "GAMES", default_value = "2000")]
    pub search_games: Count,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

/// Step of round prices, cents.
#[derive(Clone, Copy, Debug)]
pub(in crate::cli) struct PriceStep(i64);

fn price_step(text: &str) -> Result<PriceStep, String> {
    match text.trim().strip_prefix("round=") {
        Some(money) => price(money).map(PriceStep),
        None => Err("write the step of round prices as round=1 or round=0.50".into()),
    }
}

pub(super) fn run(args: DesignArgs) -> Result<ExitCode, CliError> {
    let axes = varied("--vary", &args.vary)?;
    let read =
        |text: &str| Wish::parse(text, USUAL).map_err(|fault| CliError::input(format!("--want {fault}")));
    let mut wishes = load_all(&args.want, read)?;
    enough_games(args.games.0, args.search_games.0)?;
    let loaded = load_rules(&args.rules)?;
    let mut names: Vec<String> = wishes.iter().map(|it| it.player.clone()).collect();
    let mut players: Vec<StrategySource> = Vec::new();
    for (wish, source) in wishes.iter_mut().zip(load_players(std::mem::take(&mut names), &args.scripts)?) {
        wish.seat = players.iter().position(|it| it.is_same(&source)).unwrap_or(players.len());
        if wish.seat == players.len() {
            players.push(source);
        }
    }
    if axes.is_empty() && args.price.is_none() {
        return Err(CliError::input(
            "there is nothing to choose: vary a key, as in --vary stock.draw=1..5, or the price, with --price round=1",
        ));
    }
    let keys = joined(axes.iter().map(|axis| axis.name()));
    let plan = sweep::grid(axes, std::slice::from_ref(&loaded))?;
    let price_step = args.price.map(|it| it.0);
    check(&wishes, price_step)?;
    if price_step.is_some() && args.vary.iter().any(|it| it.trim_start().starts_with("casino.stake")) {
        return Err(CliError::input(
            "--price chooses `casino.stake`, which --vary varies too: leave one of them out",
        ));
    }
    let faulty = plan.cells.iter().filter_map(|cell| cell.rules.as_ref().err()?.first());
    if let Some(fault) = faulty.clone().next().filter(|_| !args.run.quiet) {
        let (n, all) = (count(faulty.count() as u64), count(plan.cells.len() as u64));
        note(&format!("{n} of {all} combinations are no valid rulesets; the first: {}", fault.message));
    }
    let specs = || plan.rulesets().map(|it| it.rules.spec());
    let pack = specs().map(|it| it.cards()).max().unwrap_or(0) as f64;
    if let Some(wish) = wishes.iter().find(|it| it.figure == Wished::Cards && it.low > pack) {
        return Err(CliError::input(format!(
            "--want {}: no game reaches more than all {pack} cards",
            wish.wish
        )));
    }
    let of_edge = wishes.iter().find(|it| it.figure == Wished::Edge);
    if let (Some(wish), None) = (of_edge, price_step)
        && let Some(free) = specs().find(|it| it.casino.stake <= 0 && !it.casino.is_staged())
    {
        return Err(CliError::input(format!(
            "--want {}: a deck of {} costs nothing, so that it has no edge; choose its price with --price round=1",
            wish.wish, free.name
        )));
    }
    if price_step.is_some() && specs().any(|it| it.casino.is_staged()) {
        return Err(CliError::input(format!(
            "--price: {} sells the stake in stages, so that the deck has no single price to choose; vary its \
             `[[casino.stage]]` costs in files of their own",
            loaded.id
        )));
    }
    let pace = Pace::load(args.pace.as_deref()).map_err(CliError::Faults)?;
    let ids = joined(players.iter().map(StrategySource::id));
    let parts: Vec<&str> = [&*loaded.id, &*keys, &*ids].into_iter().filter(|it| !it.is_empty()).collect();
    let setup = Setup {
        // Other wishes make other variants, which must not take the place of these.
        folder: format!(
            "design-{}-{:04x}-{}",
            parts.join("-"),
            crc32fast::hash(format!("{:?}{:?}{price_step:?}", args.want, args.vary).as_bytes()) & 0xffff,
            args.run.seed
        ),
        inputs: Some(vec![saved("pace", "", pace.to_string())]),
        resolved: vec![
            resolved("--pace", [""; 0]),
            resolved("--price", price_step.map(|cents| format!("round={}", plain(cents)))),
        ],
        ..Setup::new(&args.run, [&loaded], &players)
    };
    let play = |RunContext { workers, folder }: RunContext<'_>| {
        let asked = Design {
            base: &loaded,
            plan: &plan,
            wishes: wishes.clone(),
            players: players.iter().map(|it| it as MakeStrategy<'_>).collect(),
            price_step,
            pace,
            seed: args.run.seed,
            games: args.games.0,
            search_games: args.search_games.0,
            most: usize::try_from(args.variants).unwrap_or(usize::MAX),
            workers,
        };
        let mut line = Line::message(GAMES, None, args.run.quiet);
        let designed = design(&asked, &mut |step| {
            line.show(step.games, || match step.fresh {
                true => format!("{} variants on fresh deals", step.left),
                false => format!("{} candidates in the race", count(step.left as u64)),
            });
        });
        drop(line);
        let designed = designed.map_err(|error| {
            CliError::of_run(error, |error| at_fault(*error, std::slice::from_ref(&loaded), plan.rulesets()))
        })?;
        if designed.race_games == 0 {
            return Err(FIRST_BLOCK);
        }
        let part = || match designed.fresh {
            true => "the figures are those of the fresh deals that were finished",
            false => "the figures are those of the race so far; no fresh deals were played",
        };
        Ok(Played {
            interrupted: designed.interrupted.then(|| part().into()),
            again: Vec::new(),
            found: (designed, folder.map(|it| it.path().to_path_buf()).unwrap_or_default()),
        })
    };
    driver::run(setup, play, |(designed, folder): (Designed, PathBuf), output| {
        let files = designed.variants.iter().enumerate().map(|(at, it)| {
            (format!("variant-{}.toml", at + 1), from_folder(&it.ruleset, &args.rules, &folder).into_bytes())
        });
        output.print(design_document(&output.run, &designed), &designed, files.collect::<Vec<_>>())?;
        if output.has_report() && !designed.variants.is_empty() && !args.run.quiet {
            let file = folder.join("variant-1.toml");
            note(&format!(
                "go on with: saratoga simulate {0} -s {2}, or saratoga studio {1}",
                shell_word(&file.display().to_string()),
                shell_word(&folder.display().to_string()),
                shell_word(&designed.wishes[0].player)
            ));
        }
        Ok(())
    })
}

/// Checks that the wishes fit each other and a price that is chosen.
fn check(wishes: &[Wish], step: Option<i64>) -> Result<(), CliError> {
    for (at, wish) in wishes.iter().enumerate() {
        let same = |it: &&Wish| it.figure == wish.figure && it.seat == wish.seat;
        if let Some(other) = wishes[..at].iter().find(same) {
            return Err(CliError::input(format!(
                "--want {} and --want {} are about the same figure: give it one range",
                other.wish, wish.wish
            )));
        }
    }
    let edges: Vec<&Wish> = wishes.iter().filter(|it| it.figure == Wished::Edge).collect();
    match (step, &edges[..]) {
        (None, _) => Ok(()),
        (Some(_), []) => Err(CliError::input(
            "--price chooses a price by what you wish of the edge: add a wish such as --want edge=3%..6%",
        )),
        (Some(_), edges) => match edges.iter().find(|it| it.goal.is_some()) {
            Some(wish) => Err(CliError::input(format!(
                "--want {}: with --price the edge can be anything; give it a range, such as edge=3%..6%",
                wish.wish
            ))),
            None => Ok(()),
        },
    }
}

/// Returns the text of a variant for a file in a folder: the path of the ruleset that it extends leads there.
fn from_folder(text: &str, rules: &str, folder: &Path) -> String {
    let Some((_, rest)) = text.split_once('\n').filter(|_| is_path(rules)) else { return text.into() };
    let absolute = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    // A link, or `..`, would lead back to another folder.
    let is_plain = folder.components().all(|it| matches!(it, Component::Normal(_) | Component::CurDir))
        && absolute(folder) == absolute(Path::new(".")).join(folder);
    let path = match is_plain && Path::new(rules).is_relative() {
        true => {
            let up = folder.components().filter(|it| *it != Component::CurDir).map(|_| Component::ParentDir);
            up.chain(Path::new(rules).components().filter(|it| *it != Component::CurDir)).collect::<PathBuf>()
        }
        false => absolute(Path::new(rules)),
    };
    format!("extends = {}\n{rest}", toml_text(&path.display().to_string()))
}
