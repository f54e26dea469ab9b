//! `saratoga contest`: its arguments and its experiment.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::checkpoint::{resolved, saved, text_of};
use super::driver::{self, Played, RunContext, Setup};
use super::error::CliError;
use super::input::{at_least_1, load_all, load_all_strategies, load_contest, set_up};
use super::options::{RunArgs, ScriptArgs};
use super::progress::{Line, MATCHES};
use super::rules::{first_sentence, good, show};
use super::terminal::{self, Listed, joined};
use crate::contest::{
    self, Arena, ContestSpec, Event, Foundations, Goal, LoadedContest, MatchOutcome, PLAYERS, PlayerSpec,
    SPEEDS, Witness,
};
use crate::lab::{self, Contesting};
use crate::report::{contest_document, count, running_wins};
use crate::rules::Word;
use crate::rules::decimal;
use crate::strategy::StrategySource;
use crate::units::{Count, Decimals, decimals, whole};

/// Default relative speeds of the first player, in thousandths.
const FACTORS: [u32; 7] = [500, 670, 800, 1000, 1250, 1500, 2000];

/// Play contests between several players; list, show and check them
///
/// A contest defines the players, their strategies and speeds, whether they share foundations, and when a match ends.
/// Everyone plays at the same time, so the program simulates a clock: each action takes its player one second divided
/// by the speed, with random variation.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    after_help = "\
The matches are played with the speeds of the contest, and once more for each
factor, with the first player that much faster or slower. The results are
printed and written to a folder, as an HTML page with charts. Ctrl-C stops the
run and reports the matches that were finished.

Examples:
  saratoga contest list                       the contests on the shelf
  saratoga contest show racing-demon          a contest to copy and change
  saratoga contest racing-demon -n 10k
  saratoga contest nerts -s patient -s greedy -s greedy -s greedy
  saratoga contest racing-demon --players 8 --speed 1.5,1,1,1,1,1,1,1
  saratoga contest ./my-table.toml --no-factors --json | jq .summary
  saratoga contest racing-demon --match 17    what happens in one match"
)]
pub(in crate::cli) struct ContestArgs {
    #[command(subcommand)]
    pub command: Option<ContestCommand>,
    #[command(flatten)]
    pub play: PlayArgs,
}

#[derive(Args, Debug)]
#[command(
    mut_arg("seed", |arg| arg.help("Seed of the deals and the clocks"))
)]
pub(in crate::cli) struct PlayArgs {
    /// A contest: a name on the shelf, or a path
    #[arg(value_name = "CONTEST")]
    pub contest: Option<String>,
    /// One strategy for all players, or repeated, one for each in order [default: the contest's]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Matches to play at the contest's speeds, and as many again for each factor: 500, 10k, 1e6
    #[arg(short = 'n', long, value_name = "MATCHES", default_value = "2k")]
    pub matches: Count,
    /// Number of identical players (2–8), for contests that list none
    #[arg(long, value_name = "N", value_parser = whole(PLAYERS.0 as u64, PLAYERS.1 as u64))]
    pub players: Option<u64>,
    /// Actions per second: one number for all players, or one for each: 1.5,1,1,1 [default: the contest's]
    #[arg(long, value_name = "SPEEDS", value_parser = decimals(SPEEDS.0 as u32, SPEEDS.1 as u32), allow_hyphen_values = true)]
    pub speed: Option<Decimals>,
    /// Other speeds of the first player, as factors [default: 0.5,0.67,0.8,1,1.25,1.5,2]
    #[arg(long, value_name = "FACTORS", value_parser = decimals(1, 1_000_000), allow_hyphen_values = true)]
    pub factors: Option<Decimals>,
    /// Play only at the contest's speeds
    #[arg(long, conflicts_with = "factors")]
    pub no_factors: bool,
    /// Play only this match, counted from 0, and print its events; with --json as JSON Lines
    #[arg(long = "match", value_name = "N", value_parser = whole(0, u64::MAX),
        conflicts_with_all = ["matches", "threads", "factors", "no_factors", "out", "no_report"])]
    pub number: Option<u64>,
    #[command(flatten)]
    pub scripts: ScriptArgs,
    #[command(flatten)]
    pub run: RunArgs,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum ContestCommand {
    /// List the contests on the shelf
    #[command(after_help = "Example:\n  saratoga contest list --json")]
    List {
        /// Print a JSON array
        #[arg(long)]
        json: bool,
    },
    /// Print a contest, to copy and change
    #[command(after_help = "Examples:
  saratoga contest show racing-demon > my-table.toml
  saratoga contest show exorcism-teams --all     every key of every player")]
    Show {
        /// A name on the shelf, or a path
        #[arg(value_name = "CONTEST")]
        contest: String,
        /// Print every key, with `extends` resolved and paths relative to the current folder
        #[arg(long)]
        all: bool,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check contest files, their rulesets and scripts, and report every error
    #[command(after_help = "Example:\n  saratoga contest check ./my-table.toml")]
    Check {
        /// Names on the shelf, or paths
        #[arg(value_name = "CONTEST", required = true)]
        contests: Vec<String>,
    },
    /// Print the JSON Schema of contest files, for editors
    #[command(after_help = "Example:\n  saratoga contest schema > saratoga-contest.schema.json")]
    Schema,
}

pub(super) fn run(args: ContestArgs) -> Result<ExitCode, CliError> {
    let args = match args.command {
        Some(command) => return run_command(command),
        None => args.play,
    };
    let loaded = load(&args)?;
    if let Some(number) = args.number {
        return one_match(&loaded, &args.run, number, match_command(&args.run, None, number));
    }
    at_least_1(args.matches.0, "no matches to play: -n")?;
    let factors = factors(&args, &loaded.spec)?;
    let mut others: Vec<ContestSpec> =
        factors.0.iter().map(|&it| lab::at_speed(&loaded.spec, 0, it)).collect();
    // Slow players may have the same speed at two factors.
    others.dedup();
    let (run, spec, matches) = (&args.run, &loaded.spec, args.matches.0);
    // This one and its variants.
    let contests = 1 + others.iter().filter(|other| *other != spec).count() as u64;
    let ids = joined(loaded.strategies.iter().map(StrategySource::id));
    let setup = Setup {
        folder: format!("contest-{}-{ids}-{}", loaded.id, run.seed),
        inputs: Some(vec![saved("contest", &loaded.id, text_of(&loaded.sources))]),
        // The settings of every player, however they were given.
        resolved: vec![
            resolved("--players", [spec.players.len()]),
            resolved("--strategy", spec.players.iter().map(|it| &it.strategy)),
            resolved("--speed", [speeds(spec)]),
            resolved("--factors", (!factors.0.is_empty()).then_some(&factors)),
            resolved("--no-factors", [""; 0]),
        ],
        stages: Some(contests as u32),
        ..Setup::new(run, [&loaded.rules], &loaded.strategies)
    };
    let play = |RunContext { workers, .. }: RunContext<'_>| {
        let started = Instant::now();
        let mut line = Line::bar(MATCHES, matches.saturating_mul(contests), run.quiet);
        let asked = Contesting { loaded: &loaded, others: &others, seed: run.seed, matches, workers };
        let found = lab::contest_at_speeds(&asked, &mut |done, at, tally| {
            line.show(done, || {
                let what = match at == spec {
                    true => String::new(),
                    false => format!(" at {}/s", decimal(at.players[0].speed.into())),
                };
                format!("{}{what}", running_wins(tally, at))
            });
        });
        let found = found.map_err(|(at, error)| {
            let other = (*at != *spec).then_some(&*at);
            CliError::of_run(error, |error| {
                let shows = match_command(run, other, error.number);
                CliError::of_match(*error, shows)
            })
        })?;
        if found.matches == 0 {
            return Err(CliError::Nothing("a first block of matches was played"));
        }
        Ok(Played {
            interrupted: found.interrupted.then(|| {
                let all = found.matches == matches;
                let speeds = if all { ", and of the speeds that were begun" } else { "" };
                format!("the figures are those of the first {} matches{speeds}", count(found.matches))
            }),
            again: vec![resolved("--matches", [found.matches])],
            found: (found, started.elapsed().as_secs_f64()),
        })
    };
    driver::run(setup, play, |(found, seconds), output| {
        let speed = found.all_matches as f64 / seconds;
        output.print(contest_document(&output.run, &found, Some(speed)), &found, [])
    })
}

fn run_command(command: ContestCommand) -> Result<ExitCode, CliError> {
    let mut out = io::BufWriter::new(terminal::stdout());
    match command {
        ContestCommand::List { json } => terminal::list(&mut out, json, 22, listed()?)?,
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

/// Loads the contest with the players and speeds of the command line; all faults are reported together.
fn load(args: &PlayArgs) -> Result<LoadedContest, CliError> {
    let Some(name) = &args.contest else {
        return Err(CliError::input("no contest given: `saratoga contest list` lists those on the shelf"));
    };
    let (mut loaded, strategies) = match (load_contest(name), load_all_strategies(args.strategies.clone())) {
        (Ok(loaded), Ok(strategies)) => (loaded, strategies),
        (loaded, strategies) => {
            let faults = loaded.err().into_iter().chain(strategies.err());
            return Err(CliError::none_of(faults).err().unwrap_or(CliError::Interrupted));
        }
    };
    if let Some(players) = args.players {
        seat(&mut loaded, name, players as usize)?;
    }
    if !strategies.is_empty() {
        loaded.strategies = for_each(&loaded, strategies, "-s")?;
    }
    loaded.strategies = set_up(loaded.strategies, &args.scripts)?;
    for (player, strategy) in loaded.spec.players.iter_mut().zip(&loaded.strategies) {
        player.strategy = strategy.name().to_string();
    }
    if let Some(given) = &args.speed {
        let given = for_each(&loaded, given.0.clone(), "--speed")?;
        loaded.spec.players.iter_mut().zip(given).for_each(|(player, speed)| player.speed = speed);
    }
    Ok(loaded)
}

/// Seats this many players, all like the first.
fn seat(loaded: &mut LoadedContest, name: &str, players: usize) -> Result<(), CliError> {
    if !loaded.equal {
        return Err(CliError::lines([
            format!("--players {players} needs a contest with `players = n`, and {name} lists its players"),
            format!("copy it (`saratoga contest show {name}`) and change the list"),
        ]));
    }
    let like = loaded.spec.players[0].clone();
    let called = |i: usize| PlayerSpec { name: format!("Player {}", i + 1), ..like.clone() };
    loaded.spec.players = (0..players).map(called).collect();
    loaded.strategies = vec![loaded.strategies[0].clone(); players];
    Ok(())
}

/// Returns one value for each player, given one for all or one for each.
fn for_each<T: Clone>(loaded: &LoadedContest, given: Vec<T>, option: &str) -> Result<Vec<T>, CliError> {
    let players = loaded.spec.players.len();
    match &given[..] {
        [one] => Ok(vec![one.clone(); players]),
        _ if given.len() == players => Ok(given),
        _ => Err(CliError::lines([
            &*format!("{option} gives {} for {players} players", given.len()),
            "give one for all, or one for each in their order",
        ])),
    }
}

/// Returns the requested factors of the first player's speed, in ascending order.
fn factors(args: &PlayArgs, spec: &ContestSpec) -> Result<Decimals, CliError> {
    let speed = u64::from(spec.players[0].speed);
    let reached = |factor: u32| {
        let speed = speed * u64::from(factor) / 1000;
        (SPEEDS.0 as u64..=SPEEDS.1 as u64).contains(&speed)
    };
    let mut factors = match &args.factors {
        _ if args.no_factors => Vec::new(),
        Some(given) => given.0.clone(),
        None if !spec.speed_matters() => Vec::new(),
        None => FACTORS.into_iter().filter(|factor| reached(*factor)).collect(),
    };
    if let Some(factor) = factors.iter().find(|factor| !reached(**factor)) {
        let [factor, speed, low, high] = [i64::from(*factor), speed as i64, SPEEDS.0, SPEEDS.1].map(decimal);
        return Err(CliError::input(format!(
            "--factors {factor}: {factor} times the speed {speed} of {} is not between {low} and {high}",
            spec.players[0].name
        )));
    }
    factors.sort_unstable();
    Ok(Decimals(factors))
}

fn speeds(spec: &ContestSpec) -> Decimals {
    Decimals(spec.players.iter().map(|player| player.speed).collect())
}

/// Returns the command that shows a match, at the speeds of `other` if they differ from those of the command line.
fn match_command(run: &RunArgs, other: Option<&ContestSpec>, number: u64) -> String {
    let mut again =
        ["--matches", "--factors", "--no-factors", "--match"].map(|it| resolved(it, [""; 0])).to_vec();
    again.extend(other.map(|other| resolved("--speed", [speeds(other)])));
    format!("{} --match {number}", run.given.line(&again))
}

/// Prints the events of a match; `shows` is the command that reproduces it, for errors.
fn one_match(
    loaded: &LoadedContest,
    run: &RunArgs,
    number: u64,
    shows: String,
) -> Result<ExitCode, CliError> {
    let (spec, rules) = (&loaded.spec, &loaded.rules.rules);
    let strategies = loaded.strategies.iter().map(|it| it.instantiate()).collect();
    let mut out = io::BufWriter::new(terminal::stdout());
    let mut arena = Arena::new(spec, rules, strategies);
    let mut log = Log {
        out: &mut out,
        json: run.json,
        spec,
        width: spec.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0),
        waiting: vec![false; spec.players.len()],
        failed: None,
    };
    log.begin(&loaded.id, run.seed, number);
    let played = arena.play(run.seed, number, &mut log);
    if let Ok(outcome) = &played {
        log.end(outcome);
    }
    let failed = log.failed;
    // The events before an error help to find its cause.
    failed.map_or(Ok(()), Err)?;
    out.flush()?;
    played.map(|_| ExitCode::SUCCESS).map_err(|error| CliError::of_match(error, shows))
}

struct Log<'a, W> {
    out: &'a mut W,
    json: bool,
    spec: &'a ContestSpec,
    width: usize,
    waiting: Vec<bool>,
    failed: Option<io::Error>,
}

impl<W: Write> Log<'_, W> {
    fn line(&mut self, line: impl Display) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").err();
        }
    }

    fn begin(&mut self, id: &str, seed: u64, number: u64) {
        let players = self.spec.players.len();
        let seat = |player: usize| (player + (number % players as u64) as usize) % players + 1;
        if self.json {
            let seats: Vec<Value> = (self.spec.players.iter().enumerate())
                .map(|(i, player)| json!({ "player": player.name, "seat": seat(i), "strategy": player.strategy }))
                .collect();
            let event = "begins";
            let line =
                json!({ "event": event, "contest": id, "seed": seed, "match": number, "players": seats });
            return self.line(line);
        }
        self.line(format!("{id}, seed {seed}, match {number}"));
        for (i, player) in self.spec.players.iter().enumerate() {
            self.line(format!("  {} sits at seat {} and plays {}", player.name, seat(i), player.strategy));
        }
        self.line("");
    }

    fn end(&mut self, outcome: &MatchOutcome) {
        let sides = self.spec.sides();
        let winners: Vec<&str> = outcome.winners.iter().map(|&side| &*sides[side].name).collect();
        if self.json {
            let players: Vec<Value> = (self.spec.players.iter().zip(&outcome.players))
                .map(|(player, played)| {
                    json!({
                        "player": player.name, "points": played.points, "deals": played.rounds,
                        "actions": played.actions, "late": played.late, "out_first": played.out_first,
                    })
                })
                .collect();
            let micros = outcome.micros;
            return self
                .line(json!({ "event": "over", "micros": micros, "winners": winners, "players": players }));
        }
        let who = match &winners[..] {
            [] => "Nobody wins: the match is undecided".to_string(),
            [one] => format!("{one} wins"),
            several => format!("{} are tied", several.join(" and ")),
        };
        self.line(format!("\n{who}, after {}.", clock(outcome.micros).trim_start()));
        for (i, played) in outcome.players.iter().enumerate() {
            let (name, late, actions) = (&self.spec.players[i].name, played.late, count(played.actions));
            let too_late = match self.spec.foundations {
                Foundations::Shared => format!(", {late} of them too late"),
                Foundations::Own => String::new(),
            };
            self.line(format!("  {name}: {} points, {actions} actions{too_late}", played.points));
        }
    }
}

fn clock(micros: u64) -> String {
    let millis = micros / 1000;
    let text = format!("{}:{:02}.{:03}", millis / 60_000, millis / 1000 % 60, millis % 1000);
    format!("{text:>10}")
}

impl<W: Write> Witness for Log<'_, W> {
    fn happened(&mut self, arena: &Arena<'_>, at: u64, event: Event) {
        let (seat, word, what, more) = match event {
            Event::Dealt { seat, round } => {
                (seat, "dealt", format!("deals round {}", round + 1), json!({ "round": round + 1 }))
            }
            Event::Made { seat, made: m, card } | Event::Late { seat, tried: m, card } => {
                let m = m.notation(arena.rules().spec().reserve.piles.into());
                let card = card.map_or(String::new(), |card| card.to_string());
                let late = matches!(event, Event::Late { .. });
                let (word, after) = if late { ("late", "  too late") } else { ("made", "") };
                (seat, word, format!("{m:<9} {card}{after}"), json!({ "move": m, "card": card }))
            }
            Event::Waits { seat } => {
                // The end of a player's own deal is reported when it is scored; and a waiting player checks again
                // whenever the foundations change.
                if self.spec.foundations == Foundations::Own || self.waiting[seat] {
                    return;
                }
                (seat, "waits", "has no play, and waits".into(), json!({}))
            }
            Event::Counted { seat, points, out_first } => {
                let first = if out_first { "is out, and ends the deal: " } else { "ends the deal with " };
                let total = json!({ "points": points, "out_first": out_first });
                (seat, "counted", format!("{first}{points} points"), total)
            }
        };
        self.waiting[seat] = matches!(event, Event::Waits { .. });
        let name = &self.spec.players[arena.player(seat)].name;
        if self.json {
            let mut line = json!({ "event": word, "micros": at, "seat": seat + 1, "player": name });
            if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
                // A draw has no card.
                line.extend(more.into_iter().filter(|(_, value)| value != ""));
            }
            self.line(line);
        } else {
            let width = self.width;
            self.line(format!("{}  {name:<width$}  {what}", clock(at)).trim_end());
        }
    }
}
