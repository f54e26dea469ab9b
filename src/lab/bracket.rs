//! Players and the clairvoyant player on the same deals: the value of optimal play lies between them.
//!
//! The best of several players is partly lucky: its mean on the deals that select it is biased upwards and would be
//! no lower bound. So one set of deals selects the player, and a fresh set measures it.

use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use crate::cards::Seed;
use crate::game::Outcome;
use crate::rules::{Change, Rules, Spec};
use crate::solver::{Limit, Solver, Verdict};
use crate::stats::{
    Bounded, Brackets, ClairvoyantBound, ClairvoyantBounds, Contradiction, Gain, House, Measure, Summary,
    TAIL, Tally, Winnable, best_of, summarize,
};
use crate::strategy::{StrategyError, StrategySource};

use super::batch::{Matchup, players};
use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order, or_missing};
use super::game_runner::{GameError, GameRunner};
use super::solve::{MEMORY, solvable, solve_game};

/// Deals in a block; few, as a searching player is slow.
const BLOCK: u64 = 4;

/// First game of the selection, far enough from the others that no deal is used twice.
pub const FIRST_CHOOSING: u64 = 1 << 32;

/// Rulesets to bracket, and the players.
pub struct Bracketing<'a> {
    /// The rulesets.
    pub rules: Vec<BracketRules<'a>>,
    /// The key that was varied, if any.
    pub varied: Option<&'static str>,
    /// The players.
    pub players: &'a [StrategySource],
    /// The seed.
    pub seed: Seed,
    /// Number of games that select the best player, from [`FIRST_CHOOSING`] on; 0 if there is nothing to choose.
    pub choosing: u64,
    /// Number of games that measure the players, from game 0; at most [`FIRST_CHOOSING`].
    pub games: u64,
    /// Maximum number of positions expanded per deal.
    pub nodes: u64,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// One ruleset to bracket.
pub struct BracketRules<'a> {
    /// Name of the ruleset in replay commands.
    pub named: &'a str,
    /// Name of the original ruleset, from the shelf or its file.
    pub id: &'a str,
    /// Change made to the ruleset, if any.
    pub change: Option<Change>,
    /// The rules, with the change.
    pub rules: &'a Rules,
}

/// Bounds on the value of optimal play.
#[derive(Clone, Debug, Serialize)]
pub struct OptimalPlay {
    /// Number of games requested to measure the best player.
    pub games: u64,
    /// Number of games that selected it.
    pub choosing_games: u64,
    /// Maximum number of positions expanded per deal.
    pub nodes: u64,
    /// The key that was varied, if any.
    pub varied: Option<&'static str>,
    /// The rulesets with at least one deal.
    pub points: Vec<BracketPoint>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Bounds on optimal play under one ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct BracketPoint {
    /// Name of the original ruleset, from the shelf or its file.
    pub id: String,
    /// Change made to the ruleset, if any.
    pub change: Option<Change>,
    /// Its title.
    pub name: String,
    /// Number of deals that measure the players.
    pub deals: u64,
    /// Whether all deals were played.
    pub complete: bool,
    /// Source of the upper bound.
    pub upper_bound: UpperBound,
    /// The brackets.
    #[serde(flatten)]
    pub brackets: Brackets,
    /// Who gains, with joint confidence for all rulesets; `None` if nothing is paid.
    pub gain: Option<Gain>,
    /// The players.
    pub players: Vec<BracketPlayer>,
    /// The rules.
    #[serde(skip)]
    pub rules: Spec,
    /// The brackets, with joint confidence for all rulesets in the limits of money.
    #[serde(skip)]
    pub at_once: Brackets,
}

/// Upper bound given by the deals.
#[derive(Clone, Debug, Serialize)]
pub struct UpperBound {
    /// `clairvoyant`, or `rules` if the solver does not support them and the bound is that all cards go up.
    pub of: &'static str,
    /// Reason why the solver does not support the rules.
    pub why: Option<String>,
    /// Number of deals whose most cards are unknown.
    pub undecided: u64,
    /// Number of winnable deals.
    pub winnable: Winnable,
    /// Mean of the most cards per deal.
    pub most_cards: Bounded,
}

/// Result of a player under one ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct BracketPlayer {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Measures by which the player was selected.
    pub chosen_for: Vec<Measure>,
    /// Figures on the deals that measure the players.
    pub judged: Summary,
    /// Figures on the deals that selected them.
    pub choosing: Summary,
}

impl BracketPoint {
    /// Returns whether the solver refused the rules, so that the upper bound is trivial.
    pub fn is_trivial(&self) -> bool {
        self.upper_bound.why.is_some()
    }

    /// Returns the index of the player selected by a measure.
    pub fn chosen(&self, measure: Measure) -> usize {
        self.players.iter().position(|it| it.chosen_for.contains(&measure)).unwrap_or(0)
    }
}

/// Games under one ruleset.
struct Played {
    /// Selection tallies, by player.
    choosing: Vec<Tally>,
    /// Measurement tallies, by player.
    tallies: Vec<Tally>,
    /// Bounds of these deals, raised to what the players reached.
    bounds: ClairvoyantBounds,
    complete: bool,
}

impl Played {
    fn point(self, asked: &Bracketing<'_>, rules: &BracketRules<'_>, several: usize) -> BracketPoint {
        let spec = rules.rules.spec();
        let summaries = |tallies: &[Tally]| -> Vec<Summary> {
            tallies.iter().map(|tally| summarize(tally, spec, Vec::new())).collect()
        };
        let (choosing, judged) = (summaries(&self.choosing), summaries(&self.tallies));
        let chosen = Measure::ALL.map(|measure| best_of(&choosing, measure));
        let refused = solvable(rules.rules).err();
        let (bounds, trivial) = (&self.bounds, refused.is_some());
        let brackets = Brackets::new(spec, chosen.map(|player| &judged[player]), bounds, trivial);
        let at_once = match several {
            ..2 => brackets,
            _ => {
                let tail = TAIL / several as f64;
                let net = House::new(&self.tallies[chosen[2]], &spec.casino).leaving_out(tail).net();
                brackets.money_at(tail, spec, net, (bounds, trivial))
            }
        };
        let deals = bounds.deals() as u64;
        let open = bounds.list().iter().filter(|bound| !bound.is_proven()).count() as u64;
        let players = asked.players.iter().zip(judged).zip(choosing).enumerate();
        let players = players.map(|(i, ((player, judged), choosing))| BracketPlayer {
            strategy: player.name().into(),
            chosen_for: Measure::ALL.into_iter().zip(chosen).filter(|it| it.1 == i).map(|it| it.0).collect(),
            judged,
            choosing,
        });
        BracketPoint {
            id: rules.id.into(),
            change: rules.change.clone(),
            name: spec.name.clone(),
            deals,
            complete: self.complete,
            upper_bound: UpperBound {
                of: if trivial { "rules" } else { "clairvoyant" },
                why: refused.map(|it| it.to_string()),
                undecided: if trivial { deals } else { open },
                winnable: bounds.winnable(),
                most_cards: bounds.most_cards(spec).cards,
            },
            brackets,
            gain: at_once.gain(spec),
            players: players.collect(),
            rules: spec.clone(),
            at_once,
        }
    }
}

/// Reason why there is no bracket.
pub type BracketError = Stopped<BracketFault>;

/// Fault of a deal.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BracketFault {
    /// A strategy failed.
    #[error(transparent)]
    Game(Box<GameError>),
    /// A player exceeded what the solver proved possible.
    #[error("{rules}: game {game}, played by {player}: {wrong}; the solver or the game is wrong")]
    Wrong {
        /// The ruleset.
        rules: String,
        /// The game of the seed.
        game: u64,
        /// The player.
        player: String,
        /// The contradiction.
        wrong: Contradiction,
    },
}

#[derive(Serialize, Deserialize)]
struct Deal {
    outcomes: Vec<Outcome>,
    bound: ClairvoyantBound,
}

impl Cacheable for Vec<Deal> {}

struct Worker<'a> {
    players: Vec<GameRunner<'a>>,
    solver: Option<Solver<'a>>,
}

struct Batch<'a> {
    asked: &'a Bracketing<'a>,
    rules: &'a BracketRules<'a>,
    entries: Vec<Matchup<'a>>,
    workers: Workers<'a>,
}

/// Selects the best players of each ruleset, then measures them against the upper bound of their deals. `told` receives
/// the index of a ruleset and the number of its deals played. Fails also if a player exceeds an upper bound.
pub fn bracket(
    asked: &Bracketing<'_>,
    told: &mut dyn FnMut(usize, u64),
) -> Result<OptimalPlay, BracketError> {
    let (mut found, mut missing) = (Vec::new(), false);
    for (i, rules) in asked.rules.iter().enumerate() {
        let entry = |strategy| Matchup { id: rules.named, rules: rules.rules, strategy };
        let entries = asked.players.iter().map(|it| entry(it)).collect();
        let batch = Batch { asked, rules, entries, workers: asked.workers.part(i as u64) };
        let played = or_missing(play_rules(&batch, &mut |done| told(i, done)), &mut missing)?;
        found.extend(played.filter(|it| it.bounds.deals() > 0).map(|it| (rules, it)));
        if asked.workers.stopped() {
            break;
        }
    }
    if missing {
        return Err(Stopped::Missing);
    }
    let several = found.len();
    let all = several == asked.rules.len() && found.iter().all(|(_, it)| it.complete);
    Ok(OptimalPlay {
        games: asked.games,
        choosing_games: asked.choosing,
        nodes: asked.nodes,
        varied: asked.varied,
        points: found.into_iter().map(|(rules, it)| it.point(asked, rules, several)).collect(),
        interrupted: !all,
    })
}

fn play_rules(batch: &Batch<'_>, told: &mut dyn FnMut(u64)) -> Result<Played, BracketError> {
    let (asked, rules) = (batch.asked, batch.rules.rules);
    let tallies = vec![Tally::new(rules.spec()); batch.entries.len()];
    let mut found = Played {
        choosing: tallies.clone(),
        tallies,
        bounds: ClairvoyantBounds::new(rules.hot.cards, 1),
        complete: false,
    };
    let (mut played, mut missing) = (0, false);
    let choosing = FIRST_CHOOSING..FIRST_CHOOSING.saturating_add(asked.choosing);
    let chosen = play(batch, choosing, (None, 0), &mut |deal| {
        found.choosing.iter_mut().zip(&deal.outcomes).for_each(|(tally, outcome)| tally.add(outcome));
        played += 1;
        told(played);
    });
    // The best is known only after the whole selection, so all players play the other deals too.
    if or_missing(chosen, &mut missing)?.is_some() && played < asked.choosing {
        return Ok(found);
    }
    let solved = solvable(rules).is_ok().then_some(rules);
    play(batch, 0..asked.games, (solved, 1), &mut |deal| {
        found.tallies.iter_mut().zip(&deal.outcomes).for_each(|(tally, outcome)| tally.add(outcome));
        found.bounds.push(deal.bound);
        played += 1;
        told(played);
    })?;
    if missing {
        return Err(Stopped::Missing);
    }
    found.complete = found.bounds.deals() as u64 == asked.games;
    Ok(found)
}

/// Has every player play these games in order, and solves their deals if `rules` are given.
fn play(
    batch: &Batch<'_>,
    games: Range<u64>,
    (solved, part): (Option<&Rules>, u64),
    take: &mut dyn FnMut(Deal),
) -> Result<(), BracketError> {
    let halt = StopFlag::new(batch.workers.stop);
    let worker = || Worker {
        players: players(&batch.entries, &halt),
        solver: solved.and_then(|rules| Solver::new(rules, MEMORY).ok()),
    };
    let make = |seat: &mut Worker<'_>, games: Range<u64>| {
        if seat.players.len() < batch.entries.len() {
            return None;
        }
        let made: Result<Vec<Deal>, Option<BracketFault>> =
            games.map(|game| deal(batch, seat, game, &halt)).collect();
        if let Err(None) = made {
            halt.stop();
        }
        made.map_or_else(|fault| fault.map(Err), |deals| Some(Ok(deals)))
    };
    let take = |_, block: Vec<Deal>| {
        block.into_iter().for_each(&mut *take);
        ControlFlow::Continue(())
    };
    let blocks = Blocks::all(games, BLOCK);
    let fits = |_, deals: &Vec<Deal>| deals.iter().all(|deal| deal.outcomes.len() == batch.entries.len());
    in_order(batch.workers.part(part), &blocks, &halt, worker, make, fits, take)
}

/// Plays and solves a deal, unless it has a fault or the run is stopped.
fn deal(
    batch: &Batch<'_>,
    seat: &mut Worker<'_>,
    game: u64,
    halt: &StopFlag<'_>,
) -> Result<Deal, Option<BracketFault>> {
    let mut outcomes = Vec::with_capacity(seat.players.len());
    for player in &mut seat.players {
        outcomes.push(player.play(batch.asked.seed, game).map_err(|error| match error.error {
            StrategyError::Interrupted => None,
            _ => Some(BracketFault::Game(Box::new(error))),
        })?);
    }
    let all = batch.rules.rules.hot.cards;
    let mut bound = match &mut seat.solver {
        None => ClairvoyantBound { least: 0, most: all as u16, winnable: None },
        Some(solver) => {
            let solved = solve_game(solver, (batch.asked.seed, game), batch.asked.nodes, halt.flag());
            if solved.verdict == Verdict::Unknown(Limit::Stopped) {
                return Err(None);
            }
            solved.bound()
        }
    };
    for (player, outcome) in batch.asked.players.iter().zip(&outcomes) {
        bound = bound.raised(outcome.cards, all).map_err(|wrong| {
            let (rules, player) = (batch.rules.named.into(), player.name().into());
            Some(BracketFault::Wrong { rules, game, player, wrong })
        })?;
    }
    Ok(Deal { outcomes, bound })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Pack;
    use crate::game::{Table, specs};
    use crate::players::exact::Tree;
    use crate::rules::Rules;
    use crate::rules::{Loaded, load, parse_text};

    /// A game of one pass with a stock of eight cards: small enough for every deal to be solved.
    fn small() -> Loaded {
        let text = "extends = \"single-pass\"\n[reserve]\nsize = 23\n[tableau]\ndeal = [5, 5, 5, 5]\n";
        parse_text("small.toml", text).unwrap()
    }

    fn sources(names: &[&str]) -> Vec<StrategySource> {
        names.iter().map(|name| crate::players::load(name).unwrap()).collect()
    }

    fn found(rules: &Rules, players: &[&str], choosing: u64, games: u64) -> BracketPoint {
        let asked = Bracketing {
            rules: vec![BracketRules { named: "small", id: "small", change: None, rules }],
            varied: None,
            players: &sources(players),
            seed: 7,
            choosing,
            games,
            nodes: 200_000,
            workers: Workers::new(2),
        };
        let all = bracket(&asked, &mut |_, _| {}).unwrap();
        let [point] = all.points.try_into().unwrap();
        assert!(point.complete && !all.interrupted);
        point
    }

    #[test]
    fn nobody_exceeds_the_upper_bound() {
        let players = ["random", "greedy", "patient", "search:level=1"];
        let found = found(&small().rules, &players, 20, 60);
        assert_eq!((found.is_trivial(), found.deals, found.players.len()), (false, 60, 4));
        assert!(found.players.iter().all(|it| (it.judged.games, it.choosing.games) == (60, 20)));
        assert_eq!(found.upper_bound.undecided, 0, "every deal of a small game is solved");
        let brackets = found.brackets;
        for bracket in [brackets.cards, brackets.wins, brackets.net] {
            assert!(bracket.lower.value <= bracket.upper.value);
            assert_eq!(bracket.width.undecided, 0.0);
        }
        let cards: Vec<f64> = found.players.iter().map(|it| it.judged.cards.value).collect();
        assert!(cards.iter().all(|&cards| cards <= brackets.cards.upper.value));
        // The searching player gains and random play loses.
        assert!(cards[0] < brackets.cards.lower.value);
    }

    #[test]
    fn optimal_play_lies_between_the_bounds() {
        let canfield = load("canfield").unwrap().rules;
        let pack = Pack { ranks: 4, suits: 2 };
        let rules = Rules::new(specs::small(canfield.spec().clone(), pack)).unwrap();
        let cards = found(&rules, &["greedy", "search:level=1"], 20, 100).brackets.cards;
        let optimal = |game| {
            let table = Table::of_seed(&rules, 7, game);
            let (all, known) = (table.all_kinds(&rules), table.open_kinds(&rules));
            let sum = Tree::new(&rules, (all, |cards| cards as f64), u64::MAX).worth(&table, known).unwrap();
            sum / (1..=(all & !known).count_ones()).map(f64::from).product::<f64>()
        };
        let optimal = (0..100).map(optimal).sum::<f64>() / 100.0;
        assert!((cards.lower.low..=cards.upper.high).contains(&optimal), "{optimal} of {cards:?}");
    }

    #[test]
    fn the_best_is_chosen_on_deals_of_its_own() {
        let loaded = load("canfield").unwrap();
        let spec = loaded.rules.spec();
        let players = ["random", "greedy", "patient", "hoarder", "reserve-first"];
        let few = found(&loaded.rules, &players, 8, 4);
        let more = found(&loaded.rules, &players, 8, 12);
        // More deals of measurement do not change the selection.
        for (few, more) in few.players.iter().zip(&more.players) {
            assert_eq!((&few.choosing, &few.chosen_for), (&more.choosing, &more.chosen_for));
        }
        for (source, found) in sources(&players).iter().zip(&few.players) {
            let mut player = GameRunner::new("canfield", &loaded.rules, source.instantiate());
            let mut alone = Tally::new(spec);
            (FIRST_CHOOSING..FIRST_CHOOSING + 8).for_each(|game| alone.add(&player.play(7, game).unwrap()));
            assert_eq!(summarize(&alone, spec, Vec::new()), found.choosing);
        }
        for measure in [Measure::Cards, Measure::Money] {
            let best = few.players[few.chosen(measure)].choosing.by(measure).value;
            assert!(few.players.iter().all(|it| it.choosing.by(measure).value <= best));
        }
    }

    #[test]
    fn where_chance_decides_only_the_rules_bound() {
        let loaded = load("exorcism-die-draw").unwrap();
        let found = found(&loaded.rules, &["greedy"], 1, 6);
        assert!(found.is_trivial());
        assert_eq!((found.upper_bound.undecided, found.upper_bound.winnable.lost), (6, 0));
        let cards = found.upper_bound.most_cards;
        assert_eq!(cards.most, loaded.rules.hot.cards as f64);
        assert!((cards.least - found.players[0].judged.cards.value).abs() < 1e-6);
    }
}
