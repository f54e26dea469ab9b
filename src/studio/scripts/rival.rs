//! Compares a script with another strategy on the same deals until a sequential test decides: the games and the test of
//! `saratoga compare`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::format::{count, difference};
use crate::lab::{self, Compared, Comparison, CoursePoint, Workers};
use crate::rules::Loaded;
use crate::stats::{Estimate, GameWorth, Measure, SequentialTest, Verdict};
use crate::strategy::StrategySource;
use crate::studio::Folder;
use crate::studio::design::{Faults, Text, clean};
use crate::studio::mailbox::{Mailbox, Pace, found};
use crate::studio::play::{MOST_GAMES, games_of};
use crate::studio::players::{self, Draft};

/// Error rate of either kind, as on the command line.
const RATE: f64 = 0.05;
const PACE: Duration = Duration::from_millis(100);

#[derive(Clone, Debug, Deserialize)]
pub(in crate::studio) struct Asked {
    script: Draft,
    rules: Text,
    /// The name of the other strategy.
    rival: String,
    #[serde(deserialize_with = "crate::studio::play::seed")]
    seed: u64,
    /// Maximum number of deals.
    games: u64,
}

pub(in crate::studio) struct Ready {
    folder: Folder,
    rules: Loaded,
    players: [StrategySource; 2],
    test: SequentialTest,
    seed: u64,
    games: u64,
}

#[derive(Serialize)]
struct Standing {
    games: u64,
    /// Maximum number of deals.
    of: u64,
    done: bool,
    /// Mean advantage of the script, in cards per game.
    difference: Option<[f64; 3]>,
    said: String,
    /// Log-likelihood ratios of "the script is better" and of "the rival is better" against no difference.
    llr: Option<[f64; 2]>,
    /// The ratios after each number of games; only at the end.
    course: Option<Vec<(u64, f64, f64)>>,
    /// Bounds of the ratios: below the first for both, a difference is ruled out; above the second, one is found.
    bounds: [f64; 2],
    verdict: Option<&'static str>,
    answer: String,
    failed: Option<String>,
}

impl Ready {
    /// Validates a request: its rules, its script and the rival's name.
    pub fn new(folder: &Folder, asked: Asked) -> Result<Ready, Faults> {
        let Asked { script, rules, rival, seed, games } = asked;
        if games == 0 || games > MOST_GAMES {
            return Err(format!("play 1 to {MOST_GAMES} deals").into());
        }
        let rules = rules.load(folder)?;
        let players = [script.load(folder)?, players::load(folder, &rival)?];
        let spec = rules.rules.spec();
        let test = SequentialTest {
            difference: Measure::Cards.usual_difference(&spec.casino),
            alpha: RATE,
            beta: RATE,
            reach: GameWorth::reach(Measure::Cards, spec, spec),
        };
        let games = games_of(&players, games);
        Ok(Ready { folder: folder.clone(), rules, players, test, seed, games })
    }

    pub fn play(&self, mailbox: &Mailbox) {
        let standing = match found(|| self.compare(mailbox)) {
            Ok(compared) => self.ended(&compared),
            Err(failed) => Standing { failed: Some(failed), done: true, ..self.nothing() },
        };
        mailbox.put(0, &standing);
    }

    fn compare(&self, mailbox: &Mailbox) -> Result<Compared, String> {
        let (ruleset, games) = ((&*self.rules.id, &self.rules.rules), (self.seed, self.games));
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let workers = Workers::new(threads).heeding(&mailbox.stop);
        let comparison = Comparison {
            test: Some(self.test),
            fit_difference: true,
            play_all: false,
            ..Comparison::of_strategies(ruleset, &self.players, games, Measure::Cards, workers)
        };
        let mut pace = Pace::new(PACE);
        let mut watch = |games, last: Option<&CoursePoint>| {
            if pace.is_due() {
                mailbox.put(0, &self.underway(games, last));
            }
        };
        let compared = lab::compare(&comparison, &mut watch);
        compared.map_err(|error| clean(&self.folder, &error.to_string()))
    }

    fn nothing(&self) -> Standing {
        Standing {
            games: 0,
            of: self.games,
            done: false,
            difference: None,
            said: String::new(),
            llr: None,
            course: None,
            bounds: [self.test.lower(), self.test.upper()],
            verdict: None,
            answer: String::new(),
            failed: None,
        }
    }

    fn underway(&self, games: u64, last: Option<&CoursePoint>) -> Standing {
        Standing {
            games,
            difference: last.map(|it| three(it.difference)),
            said: last.map_or(String::new(), |it| difference(it.difference).both()),
            llr: last.and_then(|it| it.standing).map(|standing| [standing.llr_a, standing.llr_b]),
            ..self.nothing()
        }
    }

    fn ended(&self, compared: &Compared) -> Standing {
        let Some(tested) = compared.tested.filter(|_| compared.games > 0) else {
            return Standing { done: true, ..self.nothing() };
        };
        let said = difference(tested.estimate);
        let [a, b] = self.players.each_ref().map(StrategySource::name);
        let size = crate::format::fixed(tested.test.difference, 2);
        let (verdict, answer) = match tested.verdict {
            Some(Verdict::A) => ("a", format!("{a} is better than {b}.")),
            Some(Verdict::B) => ("b", format!("{b} is better than {a}.")),
            Some(Verdict::NoDifference) => ("none", format!("Neither is better by {size} cards a game.")),
            None => ("open", "Undecided after all deals.".to_string()),
        };
        Standing {
            games: compared.games,
            done: true,
            difference: Some(three(tested.estimate)),
            said: said.both(),
            llr: Some([tested.standing.llr_a, tested.standing.llr_b]),
            course: Some(course(compared)),
            verdict: Some(verdict),
            answer: format!(
                "{answer} Difference {} cards a game, on {} deals.",
                said.both(),
                count(compared.games)
            ),
            ..self.nothing()
        }
    }
}

/// Returns the ratios of the test at the ends of blocks.
fn course(compared: &Compared) -> Vec<(u64, f64, f64)> {
    let point = |it: &CoursePoint| it.standing.map(|standing| (it.games, standing.llr_a, standing.llr_b));
    compared.course.iter().filter_map(point).collect()
}

fn three(e: Estimate) -> [f64; 3] {
    [e.value, e.low, e.high]
}
