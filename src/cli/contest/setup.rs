//! A contest as it is to be played: its file, and what the command line changes of it.

use crate::cli::args::PlayArgs;
use crate::cli::error::CliError;
use crate::cli::input::{load_all_strategies, load_contest, set_up};
use crate::cli::words::{CommandLine, unique};
use crate::contest::{ContestSpec, LoadedContest};
use crate::rules::file::decimal;
use crate::strategy::{Strategy, StrategySource};

/// A contest ready to be played.
pub(super) struct Setup {
    /// Its players are those that play.
    pub loaded: LoadedContest,
    /// The command line that plays it, but for the speeds.
    command: CommandLine,
    /// The speeds that it has without being told.
    speeds: Vec<u32>,
}

impl Setup {
    /// Loads everything; the faults of the contest and of the strategies are told together.
    pub fn new(args: &PlayArgs) -> Result<Setup, CliError> {
        let Some(name) = &args.contest else {
            return Err(CliError::input(
                "no contest given: `saratoga contest list` lists those on the shelf",
            ));
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
        loaded.strategies = set_up(loaded.strategies, &args.scripts)?;
        for (player, strategy) in loaded.spec.players.iter_mut().zip(&loaded.strategies) {
            player.strategy = strategy.name().to_string();
        }
        let speeds = loaded.spec.players.iter().map(|player| player.speed).collect();
        if let Some(given) = &args.speed {
            let given = for_each(&loaded, given.0.clone(), "--speed")?;
            loaded.spec.players.iter_mut().zip(given).for_each(|(player, speed)| player.speed = speed);
        }
        // With `--set` only the names of the strategies as they play tell how they are set.
        let set = (!args.scripts.settings.is_empty()).then(|| loaded.strategies.iter().map(|it| it.name()));
        let named = args.strategies.iter().filter(|_| set.is_none()).map(String::as_str);
        let command = CommandLine::new("contest")
            .word(name)
            .option("-s", named.chain(set.clone().into_iter().flatten()))
            .option("--players", args.players);
        Ok(Setup { command, speeds, loaded })
    }

    /// The command line that plays this contest with the speeds of `spec`.
    pub fn command(&self, spec: &ContestSpec) -> CommandLine {
        let speeds: Vec<u32> = spec.players.iter().map(|player| player.speed).collect();
        if speeds == self.speeds {
            return self.command.clone();
        }
        let mut said: Vec<String> = speeds.iter().map(|speed| decimal((*speed).into())).collect();
        if speeds.iter().all(|speed| *speed == speeds[0]) {
            said.truncate(1);
        }
        self.command.clone().option("--speed", [said.join(",")])
    }

    /// A maker of each player's strategy.
    pub fn makers(&self) -> Vec<impl Fn() -> Box<dyn Strategy> + Sync + '_> {
        self.loaded.strategies.iter().map(|source| || source.instantiate()).collect()
    }

    /// The strategies' short names, once each.
    pub fn strategies(&self) -> Vec<&str> {
        unique(self.loaded.strategies.iter().map(StrategySource::id))
    }
}

/// Seats so many players, all like the first.
fn seat(loaded: &mut LoadedContest, name: &str, players: usize) -> Result<(), CliError> {
    if !loaded.equal {
        return Err(CliError::lines(&[
            &format!("--players {players} needs a contest with `players = n`, and {name} lists its players"),
            &format!("copy it (`saratoga contest show {name}`) and change the list"),
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
            &format!("{option} gives {} for {players} players", given.len()),
            "give one for all, or one for each in their order",
        ])),
    }
}
