//! The character of a game: how long it takes, what there is to decide, what luck and skill make of it, how long there is
//! hope, and which rule matters most. All players play the same deals, and every figure is a mean over deals.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::cards::{Deck, Seed};
use crate::game::{Chance, Knowledge, Move, MoveList, Observer, Outcome, PlayerState, Table, View};
use crate::players::evaluate_moves;
use crate::rules::{Change, Loaded, Rules, Spec, neighbours, vary};
use crate::solver::{Goal, Limits, Solver, Verdict};
use crate::stats::{
    Bounded, ClairvoyantBound, ClairvoyantBounds, Distribution, Estimate, GainOfPlayer, GameWorth, Measure,
    TAIL, VarianceShares, Winnable, best_payouts, bounded_mean, payout_range, rate, share_of_possible,
    student_mean,
};
use crate::strategy::{Strategy, StrategyError};

use super::batch::{Matchup, players};
use super::blocks::{Blocks, Cacheable, StopFlag, Stopped, Workers, in_order, or_missing};
use super::contests::MakeStrategy;
use super::game_runner::{GameError, GameRunner};
use super::pace::{MoveCounts, Pace};
use super::solve::{Face, MEMORY, one, seeded, solvable};

/// The second game of a player on a deal has the random numbers of the game this much later.
const AGAIN: u64 = 1 << 32;

/// Sets of hidden cards that the best player is given, one at a time.
const GIVEN: [Knowledge; 3] = [Knowledge::Forgets, Knowledge::Stock, Knowledge::Table];

/// The searching player that judges decisions.
pub const JUDGE: &str = "search:level=1";

/// A won game is a comeback if at some decision the judge's best move won in at most this share of sampled deals.
pub const NEARLY_LOST: f64 = 0.25;

/// Least number of won games of which a share is given.
const FEW_WINS: usize = 10;

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

/// The character of some rulesets.
#[derive(Clone, Debug, Serialize)]
pub struct Characters {
    /// Number of deals requested.
    #[serde(rename = "games")]
    pub deals: u64,
    /// Number of these on which decisions are judged.
    pub judged_deals: u64,
    /// Least difference between the best and the second move of a real decision, cards.
    pub matter: f64,
    /// Maximum number of positions that the solver expands for a position.
    pub nodes: u64,
    /// Milliseconds for each part of a game.
    pub pace: Pace,
    /// The player from which skill is measured.
    pub beginner: String,
    /// The player whose decisions and losses are examined.
    pub examined: String,
    /// The rulesets.
    pub rulesets: Vec<Character>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// The character of a ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct Character {
    /// Its name on the shelf, or that of its file.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Number of deals played.
    pub deals: u64,
    /// The players, weakest first.
    pub players: Vec<PlayerCharacter>,
    /// The player who knows every card; `None` if the rules leave something to chance within the game.
    pub clairvoyant: Option<ClairvoyantCharacter>,
    /// Why there is no such player.
    pub unsolved: Option<String>,
    /// Shares of the variance, by measure.
    pub variance: ByMeasure<VarianceShares>,
    /// Relative skill: what the best player gains over the beginner, as a share of what the clairvoyant player gains over
    /// the beginner.
    pub skill: ByMeasure<Bounded>,
    /// What each ability gains, in cards; those of knowledge only if the best player searches.
    pub abilities: Vec<Ability>,
    /// Decisions of the examined player, as search judges them; `None` if it had no choice.
    pub judged: Option<Judged>,
    /// Hope of the examined player; `None` if the rules leave something to chance within the game.
    pub hope: Option<Hope>,
    /// The rules, each changed by one step, the one that changes the wins of the examined player most first.
    pub changes: Vec<RuleEffect>,
    /// The ruleset.
    #[serde(skip)]
    pub spec: Spec,
    /// Minutes of each game of the examined player.
    #[serde(skip)]
    pub minutes: Vec<f64>,
}

/// A figure by cards, by wins and by the player's net; `None` where it does not exist.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ByMeasure<T> {
    /// By cards.
    pub cards: Option<T>,
    /// By wins.
    pub wins: Option<T>,
    /// By money.
    pub money: Option<T>,
}

impl<T> ByMeasure<T> {
    fn of(of: impl Fn(Measure) -> Option<T>) -> ByMeasure<T> {
        ByMeasure { cards: of(Measure::Cards), wins: of(Measure::Wins), money: of(Measure::Money) }
    }
}

/// A player's games.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerCharacter {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Share of games won.
    pub wins: Estimate,
    /// Mean cards.
    pub cards: Estimate,
    /// Mean net of the player, cents.
    pub net: Estimate,
    /// Moves of a game.
    pub moves: Distribution,
    /// Draws of a game.
    pub draws: Distribution,
    /// Passes through the stock in a game.
    pub passes: Distribution,
    /// Minutes of a game.
    pub minutes: Distribution,
    /// Share of a game's positions that have two or more different moves (decision moves).
    pub choices: Estimate,
    /// Different moves in a position of a game (branching factor).
    pub branching: Estimate,
    /// Longest forced stretch of a game: moves in a row without a choice.
    pub forced: Distribution,
}

/// Games of the player who knows every card. Deals that the solver left open count both ways.
#[derive(Clone, Debug, Serialize)]
pub struct ClairvoyantCharacter {
    /// Winnable deals.
    pub winnable: Winnable,
    /// Mean of the most cards.
    pub cards: Bounded,
    /// Mean net of the player, cents; `None` if the stake is bought in stages.
    pub net: Option<Bounded>,
}

/// What an ability gains.
#[derive(Clone, Debug, Serialize)]
pub struct Ability {
    /// The ability.
    pub ability: String,
    /// The player without it.
    pub without: String,
    /// The player with it.
    pub with: String,
    /// Mean gain, cards.
    pub cards: Estimate,
    /// The gain as a share of the gap between the beginner and the clairvoyant player.
    pub share: Option<Bounded>,
}

/// Decisions as a searching player judges them.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Number of games.
    pub games: u64,
    /// Number of positions with two or more different moves.
    pub choices: u64,
    /// Mean share of a game's choices that are real decisions.
    pub real: Estimate,
    /// Mean number of real decisions in a game.
    pub real_in_game: Estimate,
    /// Number of won games.
    pub won: u64,
    /// Share of the won games that are comebacks; `None` for fewer than ten won games.
    pub comebacks: Option<Estimate>,
}

/// How long there is hope.
#[derive(Clone, Debug, Serialize)]
pub struct Hope {
    /// Share of deals that nobody can win.
    pub lost_from_deal: Bounded,
    /// Number of lost games whose deal can be won.
    pub lost_games: u64,
    /// Number of these in which the solver left open when the game was lost.
    pub open: u64,
    /// Share of these games that could still be won at their end.
    pub winnable_at_end: Option<Bounded>,
    /// The last position from which the game could still be won, as a share of its length.
    pub lost_at: Option<Bounded>,
    /// Mean number of moves played after the game was lost.
    pub moves_after: Option<Estimate>,
    /// Mean number of minutes played after the game was lost.
    pub minutes_after: Option<Estimate>,
    /// Share of these games in which only one move would still have won at the decision that lost them.
    pub one_move: Option<Bounded>,
}

/// Effect of one changed rule on the figures, changed minus original, with joint confidence for all changes.
#[derive(Clone, Debug, Serialize)]
pub struct RuleEffect {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// Share of games won by the examined player.
    pub wins: Estimate,
    /// Mean cards of the examined player.
    pub cards: Estimate,
    /// Mean net of the examined player, cents.
    pub net: Estimate,
    /// Mean minutes of a game of the examined player.
    pub minutes: Estimate,
    /// Share of positions with a choice.
    pub choices: Estimate,
    /// Gain of the examined player over the beginner, cards.
    pub skill: Estimate,
}

/// A game of a player.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Play {
    cards: u16,
    won: bool,
    net: i64,
    passes: u32,
    counts: MoveCounts,
    decisions: Decisions,
}

impl Play {
    fn by(&self, measure: Measure) -> f64 {
        match measure {
            Measure::Cards => self.cards.into(),
            Measure::Wins => f64::from(u8::from(self.won)),
            Measure::Money => self.net as f64,
        }
    }
}

/// Choices in a game.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Decisions {
    positions: u32,
    /// Positions with two or more different moves.
    choices: u32,
    /// Different moves over all positions.
    moves: u32,
    /// Longest stretch without a choice.
    forced: u32,
}

impl Decisions {
    fn share(&self) -> f64 {
        f64::from(self.choices) / f64::from(self.positions.max(1))
    }

    fn branching(&self) -> f64 {
        f64::from(self.moves) / f64::from(self.positions.max(1))
    }
}

/// A lost game on a deal that can be won.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Loss {
    moves: u32,
    /// Index of the last position known to be winnable.
    winnable: u32,
    /// Index of the first position known to be lost; `None` if the last one was not shown to be.
    lost: Option<u32>,
    /// Whether the last position can be won.
    to_the_end: bool,
    /// Moves after the one that lost the game.
    after: MoveCounts,
    /// Whether only one move won there, if known.
    one_move: Option<bool>,
}

/// Decisions of a game, as search judges them.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Verdicts {
    choices: u32,
    real: u32,
    /// The lowest share of sampled deals that the best move of a position won.
    lowest: f64,
}

/// A deal, played by everyone.
#[derive(Serialize, Deserialize)]
struct Deal {
    games: Vec<[Play; 2]>,
    /// Games of the best player with other knowledge.
    knowing: Vec<Play>,
    bound: Option<ClairvoyantBound>,
    loss: Option<Loss>,
    judged: Option<Verdicts>,
}

impl Cacheable for Deal {}
impl Cacheable for Vec<[Play; 2]> {}

/// Reason why the games could not be played.
pub type CharacterError = Stopped<Box<GameError>>;

/// Plays and examines the deals of every ruleset; `told` receives the index of a ruleset and the number of its deals
/// played, those of the changed rules after the others. The result is the same on any number of threads. Once `stop` is
/// set, only the deals before the first unfinished one count.
///
/// # Errors
/// The first error of a strategy.
pub fn characterize(
    asked: &Characterizing<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(usize, u64),
) -> Result<Characters, CharacterError> {
    let name = |player: usize| asked.players.get(player).map_or(String::new(), |it| it.0.into());
    let mut found = Characters {
        deals: asked.deals,
        judged_deals: asked.judged.min(asked.deals),
        matter: asked.matter,
        nodes: asked.nodes,
        pace: asked.pace,
        beginner: name(asked.beginner),
        examined: name(asked.examined),
        rulesets: Vec::new(),
        interrupted: false,
    };
    let searches = asked.players.last().is_some_and(|(_, make)| make().is_slow());
    let mut missing = false;
    for (i, &(named, loaded)) in asked.rules.iter().enumerate() {
        let rules = Examined { asked, named, loaded, searches, workers: asked.workers.part(i as u64) };
        let mut deals = Vec::new();
        let played = rules.play(stop, &mut |deal| {
            deals.push(deal);
            told(i, deals.len() as u64);
        });
        let played = or_missing(played, &mut missing)?;
        let changed = changed_rules(loaded);
        let mut effects = vec![Vec::new(); changed.len() + 1];
        let rules_played = rules.play_changed(&changed, stop, &mut |deal| {
            effects.iter_mut().zip(deal).for_each(|(all, games)| all.push(games));
            told(i, asked.deals + effects[0].len() as u64);
        });
        let rules_played = or_missing(rules_played, &mut missing)?;
        if played.is_none() || rules_played.is_none() {
            continue;
        }
        found.interrupted |= (deals.len() as u64) < asked.deals || (effects[0].len() as u64) < asked.deals;
        if deals.len() as u64 >= LEAST_DEALS {
            found.rulesets.push(rules.character(&deals, &changed, &effects));
        }
        if stop.load(Ordering::Relaxed) {
            found.interrupted |= i + 1 < asked.rules.len();
            break;
        }
    }
    if missing { Err(Stopped::Missing) } else { Ok(found) }
}

/// Least number of deals: limits of a 10% quantile need some 40.
pub const LEAST_DEALS: u64 = 50;

/// Returns the rules changed by one step that make a valid ruleset.
fn changed_rules(loaded: &Loaded) -> Vec<(Change, Loaded)> {
    let steps = neighbours(loaded.rules.spec()).into_iter();
    steps.filter_map(|change| Some((change.clone(), vary(loaded, &[change]).ok()?))).collect()
}

/// A ruleset under examination.
struct Examined<'a> {
    asked: &'a Characterizing<'a>,
    named: &'a str,
    loaded: &'a Loaded,
    /// Whether the best player searches: another one makes little use of more knowledge.
    searches: bool,
    workers: Workers<'a>,
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
}

struct Worker<'a> {
    players: Vec<GameRunner<'a>>,
    knowing: Vec<GameRunner<'a>>,
    solver: Option<Solver<'a>>,
}

impl<'a> Examined<'a> {
    /// Plays all deals with everyone.
    fn play(&self, stop: &AtomicBool, take: &mut dyn FnMut(Deal)) -> Result<(), CharacterError> {
        let (asked, rules) = (self.asked, &self.loaded.rules);
        let entry = |&(_, strategy)| Matchup { id: self.named, rules, strategy };
        let entries: Vec<Matchup<'_>> = asked.players.iter().map(entry).collect();
        let halt = StopFlag::new(stop);
        let worker = || Worker {
            players: players(&entries, &halt),
            knowing: entries.last().filter(|_| self.searches).map_or(Vec::new(), |best| {
                let knowing = GIVEN.map(|knowledge| Knowing { inner: (best.strategy)(), knowledge });
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
    fn play_changed(
        &self,
        changed: &[(Change, Loaded)],
        stop: &AtomicBool,
        take: &mut dyn FnMut(Vec<[Play; 2]>),
    ) -> Result<(), CharacterError> {
        let asked = self.asked;
        let pair = [asked.beginner, asked.examined].map(|player| asked.players[player].1);
        let entry = |(id, rules)| pair.map(|strategy| Matchup { id, rules, strategy });
        let changes = changed.iter().map(|(_, loaded)| (loaded.id.as_str(), &loaded.rules));
        let all = std::iter::once((self.named, &self.loaded.rules)).chain(changes);
        let entries: Vec<Matchup<'_>> = all.flat_map(entry).collect();
        let halt = StopFlag::new(stop);
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
        let mut deal = Deal { games, knowing, bound: None, loss: None, judged: None };
        if let Some(solver) = &mut seat.solver {
            let batch = seeded(rules, asked.seed, 1, asked.nodes, Workers::new(1));
            let dealt = (batch.deal)(game);
            let solved = one(&batch, solver, (game, &dealt), dealt.face, halt.flag());
            let mut bound = solved.bound();
            for play in deal.games.iter().flatten().chain(&deal.knowing) {
                bound = bound.raised(play.cards, rules.hot.cards).unwrap_or(bound);
            }
            deal.bound = Some(bound);
            let won = deal.games[asked.examined][0].won;
            if !won && bound.winnable == Some(true) {
                let face = Face(dealt.face.unwrap_or(1));
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

/// Returns one of each group of moves after which the face-up cards are the same, up to the order of the piles.
fn different_moves(rules: &Rules, table: &Table, legal: &MoveList) -> Vec<Move> {
    let mut seen = Vec::with_capacity(legal.len());
    let different = |m: &&Move| {
        let mut after = *table;
        after.apply(rules, **m, &mut crate::game::NoChance);
        let key = after.outcome_key(rules.hot.piles);
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
    let limits = Limits { nodes: Some(nodes), stop: Some(halt.flag()), ..Limits::default() };
    let mut winnable = |table: &Table| match solver.solve(table, Goal::Win, &limits).verdict {
        Verdict::Won => Some(true),
        Verdict::Lost => Some(false),
        Verdict::Unknown(_) => None,
    };
    let mut after = |table: &Table, m: Move| {
        let mut table = *table;
        table.apply(rules, m, &mut chance);
        table
    };
    let moves = positions.len();
    let end = positions.last().map(|(table, _, m)| after(table, *m));
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
        let wins: Option<Vec<bool>> = ways.iter().map(|&m| winnable(&after(table, m))).collect();
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

/// Judges every choice of a game; `None` if a sampled deal could not be played on.
fn judge(rules: &Rules, (seed, game): (Seed, u64), positions: &[Position], matter: f64) -> Option<Verdicts> {
    let state = PlayerState::new(seed, game);
    let mut found = Verdicts { lowest: 1.0, ..Verdicts::default() };
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
        let (cards, wins) = (each(|it| it.cards as f64), each(|it| it.wins.into()));
        found.choices += 1;
        found.real += u32::from(cards[0] - cards[1] >= matter);
        found.lowest = found.lowest.min(wins[0]);
    }
    Some(found)
}

impl Examined<'_> {
    /// Computes the figures.
    fn character(
        &self,
        deals: &[Deal],
        changed: &[(Change, Loaded)],
        effects: &[Vec<[Play; 2]>],
    ) -> Character {
        let (asked, spec) = (self.asked, self.loaded.rules.spec());
        let player = |i: usize| deals.iter().map(move |deal| &deal.games[i][0]);
        let bounds = self.bounds(deals);
        let clairvoyant = bounds.as_ref().map(|bounds| {
            let most = bounds.most_cards(spec);
            ClairvoyantCharacter { winnable: bounds.winnable(), cards: most.cards, net: most.net }
        });
        let players = asked.players.iter().enumerate();
        let players = players.map(|(i, (name, _))| self.player(name, player(i).copied().collect())).collect();
        let shares = |measure| {
            let games = |deal: &Deal| deal.games.iter().map(|pair| pair.map(|it| it.by(measure))).collect();
            VarianceShares::of(&deals.iter().map(games).collect::<Vec<_>>())
        };
        let best = asked.players.len() - 1;
        let skill = |measure| {
            self.share(deals, measure, |deal| {
                deal.games[best][0].by(measure) - deal.games[asked.beginner][0].by(measure)
            })
        };
        Character {
            id: self.loaded.id.clone(),
            name: spec.name.clone(),
            deals: deals.len() as u64,
            players,
            clairvoyant,
            unsolved: solvable(&self.loaded.rules).err().map(|it| it.to_string()),
            variance: ByMeasure::of(shares),
            skill: ByMeasure::of(skill),
            abilities: self.abilities(deals),
            judged: judged(deals, asked.examined),
            hope: bounds.map(|bounds| hope(deals, &bounds, &asked.pace)),
            changes: self.effects(changed, effects),
            spec: spec.clone(),
            minutes: player(asked.examined).map(|it| asked.pace.minutes(&it.counts)).collect(),
        }
    }

    fn bounds(&self, deals: &[Deal]) -> Option<ClairvoyantBounds> {
        let mut bounds = ClairvoyantBounds::new(self.loaded.rules.hot.cards, 1);
        deals.iter().try_for_each(|deal| deal.bound.map(|bound| bounds.push(bound)))?;
        Some(bounds)
    }

    fn player(&self, name: &str, games: Vec<Play>) -> PlayerCharacter {
        let spec = self.loaded.rules.spec();
        let n = games.len() as u64;
        let each = |of: fn(&Play) -> f64| games.iter().map(of).collect::<Vec<f64>>();
        let minutes = games.iter().map(|it| self.asked.pace.minutes(&it.counts)).collect();
        PlayerCharacter {
            strategy: name.into(),
            wins: rate(games.iter().filter(|it| it.won).count() as u64, 0, n),
            cards: bounded_mean(each(|it| it.cards.into()), (0.0, spec.cards() as f64), TAIL),
            net: student_mean(&each(|it| it.net as f64), TAIL),
            moves: Distribution::of(each(|it| it.counts.moves().into())),
            draws: Distribution::of(each(|it| it.counts.draws.into())),
            passes: Distribution::of(each(|it| it.passes.into())),
            minutes: Distribution::of(minutes),
            choices: bounded_mean(each(|it| it.decisions.share()), (0.0, 1.0), TAIL),
            branching: student_mean(&each(|it| it.decisions.branching()), TAIL),
            forced: Distribution::of(each(|it| it.decisions.forced.into())),
        }
    }

    /// Returns a mean gain as a share of the gap between the beginner and the clairvoyant player.
    fn share(&self, deals: &[Deal], measure: Measure, gain: impl Fn(&Deal) -> f64) -> Option<Bounded> {
        let spec = self.loaded.rules.spec();
        let all = spec.cards();
        if measure == Measure::Money && spec.casino.is_staged() {
            return None;
        }
        let paid = best_payouts(&spec.casino, all);
        let worth = |cards: u16, won: bool| match measure {
            Measure::Cards => cards.into(),
            Measure::Wins => f64::from(u8::from(won)),
            Measure::Money => (paid.get(usize::from(cards)).copied().unwrap_or(0) - spec.casino.stake) as f64,
        };
        let reach = match measure {
            Measure::Cards => all as f64,
            Measure::Wins => 1.0,
            Measure::Money => {
                let (least, most) = payout_range(&spec.casino, 0, all);
                (most - least) as f64
            }
        };
        let games = deals.iter().map(|deal| {
            let bound = deal.bound?;
            let first = deal.games[self.asked.beginner][0].by(measure);
            let least = worth(bound.least, bound.winnable == Some(true));
            let most = worth(bound.most, bound.winnable != Some(false));
            Some((gain(deal), (least - first, most - first)))
        });
        share_of_possible(&games.collect::<Option<Vec<GainOfPlayer>>>()?, reach)
    }

    fn abilities(&self, deals: &[Deal]) -> Vec<Ability> {
        let names: Vec<&str> = self.asked.players.iter().map(|(name, _)| *name).collect();
        let best = names.len() - 1;
        let range = self.loaded.rules.spec().cards() as f64;
        let played = |i: usize| move |deal: &Deal| f64::from(deal.games[i][0].cards);
        let given = |i: usize| move |deal: &Deal| f64::from(deal.knowing[i].cards);
        let ability =
            |ability: &str, (without, with): (String, String), gain: &dyn Fn(&Deal) -> f64| Ability {
                ability: ability.into(),
                without,
                with,
                cards: bounded_mean(deals.iter().map(gain), (-range, range), TAIL),
                share: self.share(deals, Measure::Cards, gain),
            };
        let forgetful = format!("{}, forgetful", names[best]);
        let mut found = Vec::new();
        let habits = if self.searches { best } else { best + 1 };
        for i in 1..habits {
            let (before, after) = (played(i - 1), played(i));
            let pair = (names[i - 1].into(), names[i].into());
            let gain = ability("better habits", pair, &|deal| after(deal) - before(deal));
            // The gap begins at the beginner.
            let share = gain.share.filter(|_| i > self.asked.beginner);
            found.push(Ability { share, ..gain });
        }
        if !self.searches {
            return found;
        }
        let (below, top) = (played(best.saturating_sub(1)), played(best));
        let pair = (names[best.saturating_sub(1)].into(), forgetful.clone());
        found.push(ability("planning, without memory", pair, &|deal| given(0)(deal) - below(deal)));
        let pair = (forgetful, names[best].into());
        found.push(ability("memory of the stock, for one who plans", pair, &|deal| {
            top(deal) - given(0)(deal)
        }));
        for (i, what) in [(1, "knowing the stock"), (2, "knowing the reserve and the hidden cards")] {
            let pair = (names[best].into(), format!("{}, {what}", names[best]));
            found.push(ability(what, pair, &|deal| given(i)(deal) - top(deal)));
        }
        found
    }

    fn effects(&self, changed: &[(Change, Loaded)], played: &[Vec<[Play; 2]>]) -> Vec<RuleEffect> {
        let Some((before, after)) = played.split_first().filter(|(before, _)| !before.is_empty()) else {
            return Vec::new();
        };
        let tail = TAIL / after.len().max(1) as f64;
        let effect = |((change, loaded), after): (&(Change, Loaded), &Vec<[Play; 2]>)| {
            let reach = loaded.rules.hot.cards.max(self.loaded.rules.hot.cards) as f64;
            let difference = |of: &dyn Fn(&[Play; 2]) -> f64| -> Vec<f64> {
                after.iter().zip(before).map(|(after, before)| of(after) - of(before)).collect()
            };
            let within = |reach: f64, of: &dyn Fn(&[Play; 2]) -> f64| {
                bounded_mean(difference(of), (-reach, reach), tail)
            };
            RuleEffect {
                change: change.clone(),
                wins: within(1.0, &|[_, it]| it.by(Measure::Wins)),
                cards: within(reach, &|[_, it]| it.by(Measure::Cards)),
                net: student_mean(&difference(&|[_, it]| it.by(Measure::Money)), tail),
                minutes: student_mean(&difference(&|[_, it]| self.asked.pace.minutes(&it.counts)), tail),
                choices: within(1.0, &|[_, it]| it.decisions.share()),
                skill: within(reach, &|[first, it]| it.by(Measure::Cards) - first.by(Measure::Cards)),
            }
        };
        let mut effects: Vec<RuleEffect> = changed.iter().zip(after).map(effect).collect();
        effects.sort_by(|a, b| b.wins.value.abs().total_cmp(&a.wins.value.abs()));
        effects
    }
}

fn judged(deals: &[Deal], examined: usize) -> Option<Judged> {
    let games = deals.iter().filter_map(|deal| Some((deal.judged?, deal.games[examined][0].won)));
    let games: Vec<(Verdicts, bool)> = games.filter(|(it, _)| it.choices > 0).collect();
    let won: Vec<f64> = games.iter().filter(|(_, won)| *won).map(|(it, _)| it.lowest).collect();
    let real: Vec<f64> = games.iter().map(|(it, _)| f64::from(it.real)).collect();
    let back = won.iter().filter(|lowest| **lowest <= NEARLY_LOST).count() as u64;
    (!games.is_empty()).then(|| Judged {
        games: games.len() as u64,
        choices: games.iter().map(|(it, _)| u64::from(it.choices)).sum(),
        real: bounded_mean(
            games.iter().map(|(it, _)| f64::from(it.real) / f64::from(it.choices)),
            (0.0, 1.0),
            TAIL,
        ),
        real_in_game: student_mean(&real, TAIL),
        won: won.len() as u64,
        comebacks: (won.len() >= FEW_WINS).then(|| rate(back, 0, won.len() as u64)),
    })
}

fn hope(deals: &[Deal], bounds: &ClairvoyantBounds, pace: &Pace) -> Hope {
    let losses: Vec<Loss> = deals.iter().filter_map(|deal| deal.loss).collect();
    let n = losses.len() as u64;
    let count = |of: &dyn Fn(&Loss) -> bool| losses.iter().filter(|it| of(it)).count() as u64;
    let winnable = bounds.winnable();
    let known: Vec<&Loss> = losses.iter().filter(|it| it.lost == Some(it.winnable + 1)).collect();
    let place = |it: &Loss| {
        let share = |at: u32| f64::from(at) / f64::from(it.moves.max(1));
        let last = it.lost.map_or(it.moves, |lost| lost.saturating_sub(1));
        (share(if it.to_the_end { it.moves } else { it.winnable }), share(last))
    };
    let mean = |of: &dyn Fn(&Loss) -> f64| {
        let numbers: Vec<f64> = known.iter().map(|it| of(it)).collect();
        (numbers.len() > 1).then(|| student_mean(&numbers, TAIL))
    };
    let at_end = count(&|it| it.to_the_end);
    let unsure = count(&|it| it.lost.is_none()) - at_end;
    let single = count(&|it| it.one_move == Some(true));
    let several = count(&|it| it.one_move == Some(false));
    Hope {
        lost_from_deal: Bounded::rate(winnable.lost, winnable.unknown, winnable.answers),
        lost_games: n,
        open: n - known.len() as u64 - at_end,
        winnable_at_end: (n > 0).then(|| Bounded::rate(at_end, unsure, n)),
        lost_at: (n > 0).then(|| Bounded::mean(losses.iter().map(place), (0.0, 1.0))),
        moves_after: mean(&|it| f64::from(it.after.moves())),
        minutes_after: mean(&|it| pace.minutes(&it.after) - pace.minutes(&MoveCounts::default())),
        one_move: (n > at_end).then(|| Bounded::rate(single, n - at_end - single - several, n - at_end)),
    }
}
