//! The deals of a ruleset, each played and examined by everyone.

use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use crate::cards::{Deck, Seed};
use crate::game::{Chance, Knowledge, Move, MoveList, NoChance, Observer, Outcome, PlayerState, Table, View};
use crate::lab::batch::{MakeStrategy, Matchup, players};
use crate::lab::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order};
use crate::lab::game_runner::{GameError, GameRunner};
use crate::lab::pace::{MoveCounts, Pace};
use crate::lab::solve::{Face, MEMORY, solve_game};
use crate::players::evaluate_moves;
use crate::rules::{Change, Loaded, Rules, Spec, Stage};
use crate::solver::{Goal, Limits, Solver};
use crate::stats::{ClairvoyantBound, GameWorth, Measure};
use crate::strategy::{Strategy, StrategyError};

/// The second game of a player on a deal has the random numbers of the game this much later.
const AGAIN: u64 = 1 << 32;

/// Sets of hidden cards that the best player is given, one at a time.
const GIVEN: [Knowledge; 3] = [Knowledge::Forgets, Knowledge::Stock, Knowledge::Table];

/// The searching player that judges decisions.
pub const JUDGE: &str = "search:level=1";

/// Rulesets to characterize, and the players.
pub struct Characterizing<'a> {
    /// The rulesets, each with its name in replay commands.
    pub rules: Vec<(&'a str, &'a Loaded)>,
    /// The players by name, weakest first, at least two.
    pub players: Vec<(&'a str, MakeStrategy<'a>)>,
    /// Index of the player from which skill is measured.
    pub beginner: usize,
    /// Index of the player whose decisions and losses are examined.
    pub examined: usize,
    /// The seed.
    pub seed: Seed,
    /// Number of deals, at least 50.
    pub deals: u64,
    /// Number of these deals on which every decision is judged by search.
    pub judged: u64,
    /// Least difference between the best and the second move of a real decision, cards.
    pub matter: f64,
    /// Maximum number of positions that the solver expands for a position.
    pub nodes: u64,
    /// Seconds for each part of a game.
    pub pace: Pace,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// A game of a player.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Play {
    pub cards: u16,
    pub won: bool,
    pub net: i64,
    pub passes: u32,
    pub counts: MoveCounts,
    pub decisions: Decisions,
}

impl Play {
    pub fn by(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Cards => self.cards.into(),
            Measure::Wins => f64::from(u8::from(self.won)),
            Measure::Money => self.net as f64,
        }
    }
}

/// Choices in a game.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Decisions {
    pub positions: u32,
    /// Positions with two or more different moves.
    pub choices: u32,
    /// Different moves over all positions.
    pub moves: u32,
    /// Longest stretch without a choice.
    pub forced: u32,
}

impl Decisions {
    pub fn share(&self) -> f64 {
        f64::from(self.choices) / f64::from(self.positions.max(1))
    }

    pub fn branching(&self) -> f64 {
        f64::from(self.moves) / f64::from(self.positions.max(1))
    }
}

/// A lost game on a deal that can be won.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Loss {
    pub moves: u32,
    /// Index of the last position known to be winnable.
    pub winnable: u32,
    /// Index of the first position known to be lost; `None` if the last one was not shown to be.
    pub lost: Option<u32>,
    /// Whether the last position can be won.
    pub to_the_end: bool,
    /// Moves after the one that lost the game.
    pub after: MoveCounts,
    /// Whether only one move won there, if known.
    pub one_move: Option<bool>,
}

/// Decisions of a game, as search judges them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Verdicts {
    pub choices: u32,
    pub real: u32,
}

/// A deal, played by everyone.
#[derive(Serialize, Deserialize)]
pub(super) struct Deal {
    pub games: Vec<[Play; 2]>,
    /// Games of the best player with other knowledge.
    pub knowing: Vec<Play>,
    pub bound: Option<ClairvoyantBound>,
    pub loss: Option<Loss>,
    /// For a won game: whether it was a close call, if known.
    pub won_closely: Option<Option<bool>>,
    pub judged: Option<Verdicts>,
}

impl Cacheable for Deal {}
impl Cacheable for Vec<[Play; 2]> {}

/// Reason why the games could not be played.
pub type CharacterError = Stopped<Box<GameError>>;

/// A ruleset under examination.
pub(super) struct Examined<'a> {
    pub asked: &'a Characterizing<'a>,
    pub named: &'a str,
    pub loaded: &'a Loaded,
    /// Whether the best player searches: another one makes little use of more knowledge.
    pub searches: bool,
    pub workers: Workers<'a>,
}

/// A strategy with other knowledge.
struct Knowing {
    inner: Box<dyn Strategy>,
    knowledge: Knowledge,
}

impl Strategy for Knowing {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.inner.decide(&view.knowing(self.knowledge), legal)
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        self.inner.buys(&view.knowing(self.knowledge), legal, stage)
    }
}

struct Worker<'a> {
    players: Vec<GameRunner<'a>>,
    knowing: Vec<GameRunner<'a>>,
    solver: Option<Solver<'a>>,
}

impl<'a> Examined<'a> {
    /// Plays all deals with everyone.
    pub fn play(&self, take: &mut dyn FnMut(Deal)) -> Result<(), CharacterError> {
        let (asked, rules) = (self.asked, &self.loaded.rules);
        let entry = |&(_, strategy)| Matchup { id: self.named, rules, strategy };
        let entries: Vec<Matchup<'_>> = asked.players.iter().map(entry).collect();
        let halt = StopFlag::new(self.workers.stop);
        let worker = || Worker {
            players: players(&entries, &halt),
            knowing: entries.last().filter(|_| self.searches).map_or(Vec::new(), |best| {
                let knowing =
                    GIVEN.map(|knowledge| Knowing { inner: best.strategy.instantiate(), knowledge });
                let runner = |it| GameRunner::new(self.named, rules, Box::new(it)).heeding(halt.flag());
                knowing.into_iter().map(runner).collect()
            }),
            solver: Solver::new(rules, MEMORY).ok(),
        };
        let make = |seat: &mut Worker<'_>, game: Range<u64>| {
            if seat.players.len() < entries.len() {
                return None;
            }
            match self.deal(seat, game.start, &halt) {
                Ok(Some(deal)) => Some(Ok(deal)),
                Ok(None) => {
                    halt.stop();
                    None
                }
                Err(error) => halt.unless_interrupted(Err(error), |error| &error.error),
            }
        };
        let take = |_, deal| {
            take(deal);
            ControlFlow::Continue(())
        };
        let fits = |_, deal: &Deal| {
            let knowing = if self.searches { GIVEN.len() } else { 0 };
            (deal.games.len(), deal.knowing.len()) == (entries.len(), knowing)
                && deal.games.iter().flatten().all(|it| usize::from(it.cards) <= rules.hot.cards)
        };
        let blocks = Blocks::all(0..asked.deals, 1);
        in_order(self.workers.part(0), &blocks, &halt, worker, make, fits, take)
    }

    /// Plays all deals under the rules and each change of them, with the beginner and the examined player.
    pub fn play_changed(
        &self,
        changed: &[(Change, Loaded)],
        take: &mut dyn FnMut(Vec<[Play; 2]>),
    ) -> Result<(), CharacterError> {
        let asked = self.asked;
        let pair = [asked.beginner, asked.examined].map(|player| asked.players[player].1);
        let entry = |(id, rules)| pair.map(|strategy| Matchup { id, rules, strategy });
        let changes = changed.iter().map(|(_, loaded)| (loaded.id.as_str(), &loaded.rules));
        let all = std::iter::once((self.named, &self.loaded.rules)).chain(changes);
        let entries: Vec<Matchup<'_>> = all.flat_map(entry).collect();
        let halt = StopFlag::new(self.workers.stop);
        let make = |seat: &mut Vec<GameRunner<'_>>, game: Range<u64>| {
            if seat.len() < entries.len() {
                return None;
            }
            let played = seat
                .iter_mut()
                .zip(&entries)
                .map(|(player, entry)| play(player, entry.rules, (asked.seed, game.start), None));
            let made = played.collect::<Result<Vec<Play>, _>>();
            let made = made.map(|plays| plays.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect());
            halt.unless_interrupted(made, |error| &error.error)
        };
        let take = |_, games| {
            take(games);
            ControlFlow::Continue(())
        };
        let blocks = Blocks::all(0..asked.deals, 1);
        let worker = || players(&entries, &halt);
        let fits = |_, games: &Vec<[Play; 2]>| 2 * games.len() == entries.len();
        in_order(self.workers.part(1), &blocks, &halt, worker, make, fits, take)
    }

    /// Plays and examines a deal; `None` if the solver was stopped.
    fn deal(
        &self,
        seat: &mut Worker<'_>,
        game: u64,
        halt: &StopFlag<'_>,
    ) -> Result<Option<Deal>, Box<GameError>> {
        let (asked, rules) = (self.asked, &self.loaded.rules);
        let deck = Deck::shuffled(rules.deck_shape(), asked.seed, game);
        let (mut games, mut examined) = (Vec::new(), Vec::new());
        for (i, player) in seat.players.iter_mut().enumerate() {
            let kept = (i == asked.examined).then_some(&mut examined);
            let first = play(player, rules, (asked.seed, game), kept)?;
            let again = player.watch(&deck, asked.seed, game + AGAIN, &mut ())?;
            games.push([first, Play::of(rules.spec(), &again)]);
        }
        let knowing = seat.knowing.iter_mut();
        let knowing = knowing.map(|it| Ok(Play::of(rules.spec(), &it.play(asked.seed, game)?)));
        let knowing = knowing.collect::<Result<Vec<Play>, Box<GameError>>>()?;
        let mut deal = Deal { games, knowing, bound: None, loss: None, won_closely: None, judged: None };
        if let Some(solver) = &mut seat.solver {
            let solved = solve_game(solver, (asked.seed, game), asked.nodes, halt.flag());
            let mut bound = solved.bound();
            for play in deal.games.iter().flatten().chain(&deal.knowing) {
                bound = bound.raised(play.cards, rules.hot.cards).unwrap_or(bound);
            }
            deal.bound = Some(bound);
            let face = Face(solved.face.unwrap_or(1));
            if deal.games[asked.examined][0].won {
                deal.won_closely = Some(is_close_call(solver, &examined, face, asked.nodes, halt));
            } else if bound.winnable == Some(true) {
                deal.loss = Some(loss(solver, &examined, face, asked.nodes, halt));
            }
        }
        if game < asked.judged {
            deal.judged = judge(rules, (asked.seed, game), &examined, asked.matter);
        }
        Ok((!halt.stopped()).then_some(deal))
    }
}

/// A position of a game, with the move made there.
type Position = (Table, MoveList, Move);

/// Counts the moves and choices of a game and keeps its positions.
struct Witness<'a, 'r> {
    rules: &'r Rules,
    counts: MoveCounts,
    decisions: Decisions,
    forced: u32,
    /// Positions, if they are kept.
    positions: Option<&'a mut Vec<Position>>,
}

impl Observer for Witness<'_, '_> {
    fn moving(&mut self, table: &Table, legal: &MoveList, chosen: Move) {
        self.counts.moving(table, legal, chosen);
        let different = different_moves(self.rules, table, legal).len() as u32;
        self.decisions.positions += 1;
        self.decisions.moves += different;
        if different > 1 {
            self.decisions.choices += 1;
            self.forced = 0;
        } else {
            self.forced += 1;
            self.decisions.forced = self.decisions.forced.max(self.forced);
        }
        if let Some(positions) = &mut self.positions {
            positions.push((*table, legal.clone(), chosen));
        }
    }
}

fn after(rules: &Rules, table: &Table, m: Move, chance: &mut impl Chance) -> Table {
    let mut after = *table;
    after.apply(rules, m, chance);
    after
}

/// Returns what lies face up after a move, up to the order of the piles.
fn seen_after(rules: &Rules, table: &Table, m: Move) -> impl PartialEq + use<> {
    after(rules, table, m, &mut NoChance).outcome_key(rules.hot.piles)
}

/// Returns whether a position can be won; `None` if the solver leaves it open.
fn winnable(solver: &mut Solver<'_>, table: &Table, nodes: u64, halt: &StopFlag<'_>) -> Option<bool> {
    let limits = Limits { nodes: Some(nodes), stop: Some(halt.flag()), ..Limits::default() };
    solver.solve(table, Goal::Win, &limits).verdict.known()
}

/// Returns one of each group of moves after which the same cards lie face up.
fn different_moves(rules: &Rules, table: &Table, legal: &MoveList) -> Vec<Move> {
    let mut seen = Vec::with_capacity(legal.len());
    let different = |m: &&Move| {
        let key = seen_after(rules, table, **m);
        let new = !seen.contains(&key);
        seen.push(key);
        new
    };
    legal.iter().filter(different).copied().collect()
}

/// Plays a game, and keeps its positions if there is a list for them.
fn play(
    player: &mut GameRunner<'_>,
    rules: &Rules,
    (seed, game): (Seed, u64),
    positions: Option<&mut Vec<Position>>,
) -> Result<Play, Box<GameError>> {
    let (counts, decisions) = (MoveCounts::default(), Decisions::default());
    let mut witness = Witness { rules, counts, decisions, forced: 0, positions };
    let outcome = player.observe(seed, game, &mut witness)?;
    let Witness { counts, decisions, .. } = witness;
    Ok(Play { counts, decisions, ..Play::of(rules.spec(), &outcome) })
}

impl Play {
    fn of(spec: &Spec, outcome: &Outcome) -> Play {
        let worth = GameWorth::of(spec, outcome);
        Play {
            cards: outcome.cards,
            won: worth.won.stood > 0,
            net: worth.money.stood,
            passes: outcome.redeals + 1,
            ..Play::default()
        }
    }
}

/// Finds when a lost game was lost: what is lost stays lost, so the last winnable position is found by halving.
fn loss(
    solver: &mut Solver<'_>,
    positions: &[Position],
    mut chance: impl Chance,
    nodes: u64,
    halt: &StopFlag<'_>,
) -> Loss {
    let rules = solver.rules();
    let mut winnable = |table: &Table| winnable(solver, table, nodes, halt);
    let moves = positions.len();
    let end = positions.last().map(|(table, _, m)| after(rules, table, *m, &mut chance));
    let at_end = end.as_ref().map_or(Some(true), &mut winnable);
    let (mut low, mut high) = (0, (at_end == Some(false)).then_some(moves));
    while let Some(lost) = high.filter(|&lost| lost > low + 1) {
        let middle = (low + lost) / 2;
        match winnable(&positions[middle].0) {
            Some(true) => low = middle,
            Some(false) => high = Some(middle),
            None => break,
        }
    }
    let (mut counts, mut one_move) = (MoveCounts::default(), None);
    if high == Some(low + 1) {
        let (table, legal, _) = &positions[low];
        let ways = different_moves(rules, table, legal);
        let wins: Option<Vec<bool>> =
            ways.iter().map(|&m| winnable(&after(rules, table, m, &mut chance))).collect();
        one_move = wins.map(|wins| wins.into_iter().filter(|won| *won).count() == 1);
        positions[low + 1..].iter().for_each(|(table, legal, m)| counts.moving(table, legal, *m));
    }
    Loss {
        moves: moves as u32,
        winnable: low as u32,
        lost: high.map(|it| it as u32),
        to_the_end: at_end == Some(true),
        after: counts,
        one_move,
    }
}

/// Returns whether only the move that was played could still win at some choice of a won game, if that is known.
fn is_close_call(
    solver: &mut Solver<'_>,
    positions: &[Position],
    mut chance: impl Chance,
    nodes: u64,
    halt: &StopFlag<'_>,
) -> Option<bool> {
    let rules = solver.rules();
    let mut known = true;
    // The last positions are solved soonest.
    for (table, legal, chosen) in positions.iter().rev() {
        let own = seen_after(rules, table, *chosen);
        let mut others = different_moves(rules, table, legal);
        others.retain(|&m| seen_after(rules, table, m) != own);
        let mut open = false;
        let another = others.iter().any(|&m| {
            let win = winnable(solver, &after(rules, table, m, &mut chance), nodes, halt);
            open |= win.is_none();
            win == Some(true)
        });
        if others.is_empty() || another {
            continue;
        }
        if !open {
            return Some(true);
        }
        known = false;
    }
    known.then_some(false)
}

/// Judges every choice of a game; `None` if a sampled deal could not be played on.
fn judge(rules: &Rules, (seed, game): (Seed, u64), positions: &[Position], matter: f64) -> Option<Verdicts> {
    let state = PlayerState::new(seed, game);
    let mut found = Verdicts::default();
    for (table, legal, _) in positions {
        let ways = different_moves(rules, table, legal);
        if ways.len() < 2 {
            continue;
        }
        let mut different = MoveList::default();
        ways.iter().for_each(|&m| different.push(m));
        let values = evaluate_moves(JUDGE, &View::new(table, rules, &state), &different)?.ok()?;
        let each = |of: fn(&crate::strategy::MoveValue) -> f64| {
            let mut all: Vec<f64> = values.iter().map(|it| of(it) / f64::from(it.worlds.max(1))).collect();
            all.sort_by(|a, b| b.total_cmp(a));
            all
        };
        let cards = each(|it| it.cards as f64);
        found.choices += 1;
        found.real += u32::from(cards[0] - cards[1] >= matter);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players;
    use crate::rules;

    /// A player who is given what it knows already plays and stops as ever.
    #[test]
    fn other_knowledge_keeps_the_habit_of_stopping() {
        let rules = rules::load("bsd").unwrap().rules;
        let player = || players::load("search:level=1").unwrap().instantiate();
        let same = Knowing { inner: player(), knowledge: Knowledge::Memory };
        let mut runners = [player(), Box::new(same)].map(|strategy| GameRunner::new("bsd", &rules, strategy));
        let mut stopped = 0;
        for game in 0..20 {
            let [own, same] = runners.each_mut().map(|it| it.play(1, game).unwrap());
            assert_eq!(own, same);
            stopped += u32::from(own.stake.unwrap().stopped.is_some());
        }
        assert!(stopped > 5, "{stopped} games stopped");
    }
}
