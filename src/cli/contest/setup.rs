//! A contest as it is to be played: its file, and what the command line changes of it.

use crate::cli::error::CliError;
use crate::cli::input::{load_all_strategies, load_contest};
use crate::cli::output::shell_word;
use crate::contest::{ContestSpec, LoadedContest};
use crate::rules::file::decimal;
use crate::strategy::{Strategy, StrategySource};

use super::args::PlayArgs;

/// A contest ready to be played.
pub(super) struct Setup {
    /// Its players are those that play.
    pub loaded: LoadedContest,
    /// The command line that plays it, but for the speeds.
    command: String,
    /// The speeds that it has without being told.
    speeds: Vec<u32>,
}

impl Setup {
    /// Loads everything; the faults of the contest and of the strategies are told together.
    pub fn new(args: &PlayArgs) -> Result<Setup, CliError> {
        let Some(name) = &args.contest else {
            return Err(CliError::input("which contest? `saratoga contest list` shows the shelf"));
        };
        let (mut loaded, strategies) =
            match (load_contest(name), load_all_strategies(args.strategies.clone())) {
                (Ok(loaded), Ok(strategies)) => (loaded, strategies),
                (loaded, strategies) => {
                    let faults = loaded.err().into_iter().chain(strategies.err()).collect();
                    return Err(CliError::all(faults).unwrap_or_else(|| CliError::input("nothing to play")));
                }
            };
        if let Some(players) = args.players {
            seat(&mut loaded, name, players as usize)?;
        }
        if !strategies.is_empty() {
            loaded.strategies = for_each(&loaded, strategies, "-s")?;
        }
        if args.interpret {
            loaded.strategies = loaded.strategies.into_iter().map(StrategySource::interpreted).collect();
        }
        for (player, strategy) in loaded.spec.players.iter_mut().zip(&loaded.strategies) {
            player.strategy = strategy.name().to_string();
        }
        let speeds = loaded.spec.players.iter().map(|player| player.speed).collect();
        if let Some(given) = &args.speed {
            let given = for_each(&loaded, given.0.clone(), "--speed")?;
            loaded.spec.players.iter_mut().zip(given).for_each(|(player, speed)| player.speed = speed);
        }
        let mut words = vec!["saratoga contest".to_string(), shell_word(name)];
        words.extend(args.strategies.iter().map(|strategy| format!("-s {}", shell_word(strategy))));
        words.extend(args.players.map(|players| format!("--players {players}")));
        Ok(Setup { loaded, command: words.join(" "), speeds })
    }

    /// The command line that plays this contest with the speeds of `spec`.
    pub fn command(&self, spec: &ContestSpec) -> String {
        let speeds: Vec<u32> = spec.players.iter().map(|player| player.speed).collect();
        if speeds == self.speeds {
            return self.command.clone();
        }
        let mut said: Vec<String> = speeds.iter().map(|speed| decimal((*speed).into())).collect();
        if speeds.iter().all(|speed| *speed == speeds[0]) {
            said.truncate(1);
        }
        format!("{} --speed {}", self.command, said.join(","))
    }

    /// A maker of each player's strategy.
    pub fn makers(&self) -> Vec<impl Fn() -> Box<dyn Strategy> + Sync + '_> {
        self.loaded.strategies.iter().map(|source| || source.instantiate()).collect()
    }

    /// The strategies' short names, once each.
    pub fn strategies(&self) -> Vec<&str> {
        crate::cli::many::unique(self.loaded.strategies.iter().map(StrategySource::id))
    }
}

/// Seats so many players, all like the first.
fn seat(loaded: &mut LoadedContest, name: &str, players: usize) -> Result<(), CliError> {
    if !loaded.equal {
        return Err(CliError::lines(&[
            &format!(
                "--players {players} goes only with a contest of `players = n`, and {name} lists its players"
            ),
            &format!("copy it (`saratoga contest show {name}`) and list others"),
        ]));
    }
    let like = loaded.spec.players[0].clone();
    let called = |i: usize| crate::contest::PlayerSpec { name: format!("Player {}", i + 1), ..like.clone() };
    loaded.spec.players = (0..players).map(called).collect();
    loaded.strategies = vec![loaded.strategies[0].clone(); players];
    Ok(())
}

/// One thing for each player, out of one for all or one for each.
fn for_each<T: Clone>(loaded: &LoadedContest, given: Vec<T>, option: &str) -> Result<Vec<T>, CliError> {
    let players = loaded.spec.players.len();
    match &given[..] {
        [one] => Ok(vec![one.clone(); players]),
        _ if given.len() == players => Ok(given),
        _ => Err(CliError::lines(&[
            &format!("{option} gives {}, and {players} players play", given.len()),
            "give one for all, or one for each in their order",
        ])),
    }
}
