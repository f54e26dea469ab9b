//! Design of a variant: which of many changed rulesets have what is wished.
//!
//! 1. A race. All candidates play the same deals, in rounds that double their games. After a round those drop out whose
//!    limits say that they miss a wish; the limits hold for all candidates, wishes and rounds together (Bonferroni). So
//!    that no round has more games than the first, only those nearest to what is wished go on (successive halving:
//!    Karnin, Koren and Somekh 2013). Players that search come last, and play with those that are left.
//! 2. Fresh deals. The best of the race play deals that did not choose them, with limits that hold for all of them and
//!    all wishes together.
//!
//! Where the price of the deck may be chosen, it costs no games: the edge at any price follows from the payments. The
//! race chooses the prices, and the fresh deals are played at them.

use std::cmp::Reverse;
use std::ops::{ControlFlow, Range};

use serde::{Deserialize, Serialize};

use super::batch::{BLOCK, BatchError, MakeStrategy, Matchup, blocks_of, is_slow};
use super::blocks::{Blocks, Cacheable, StopFlag, Workers, in_order};
use super::game_runner::{GameError, GameRunner};
use super::pace::{MoveCounts, Pace};
use super::sweep::{Axis, MOST_COMPARED, Plan, same_game};
use super::wish::{Goal, Verdict, Wish, Wished};
use crate::cards::Seed;
use crate::game::{End, Outcome, RUNAWAY};
use crate::rules::{Change, Loaded, MOST_CENTS, Spec, vary};
use crate::stats::{Estimate, GameWorth, House, Moments, TAIL, Tally, mean_cards, payout_range, rate_at};
use crate::units::plain;

/// Games of each candidate in the first round of the race, and at most: of players, and of those that search.
const QUICK: (u64, u64) = (1_000, 64_000);
const SLOW: (u64, u64) = (32, 1_024);
/// Candidates for which a searching player plays in the first round, at most.
const SEARCHED: usize = 200;
/// Margin that is enough for a price whose edge has no limit on the other side.
const COMFORT: f64 = 2.0;

/// What is asked.
pub struct Design<'a> {
    /// The ruleset to change.
    pub base: &'a Loaded,
    /// The candidates: the valid cells of a sweep over this ruleset.
    pub plan: &'a Plan,
    /// The wishes, at least one.
    pub wishes: Vec<Wish>,
    /// Constructors of the strategies, by seat.
    pub players: Vec<MakeStrategy<'a>>,
    /// Step of round prices, cents, if the price may be chosen; some wish then limits the edge.
    pub price_step: Option<i64>,
    /// Seconds for each kind of move.
    pub pace: Pace,
    /// The seed of all games. The fresh deals are the first, and those of the race come after them.
    pub seed: Seed,
    /// Number of fresh deals of each player.
    pub games: u64,
    /// Number of fresh deals of each player that searches.
    pub search_games: u64,
    /// Number of variants that play fresh deals, at most.
    pub most: usize,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Its values make no valid ruleset.
    Impossible,
    /// It surely misses a wish.
    Refused,
    /// Others were nearer to what is wished.
    SetAside,
    /// The race was interrupted.
    Undecided,
    /// It is one of the variants.
    Chosen,
}

/// A candidate of the race.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Candidate {
    /// Its values: `stock.draw=1, stock.redeals=2`.
    pub name: String,
    /// What became of it.
    pub fate: Fate,
    /// Index of the wish that it missed most, if refused.
    pub refused_by: Option<usize>,
    /// Number of games.
    pub games: u64,
    /// Its figures in the race, by wish, with joint confidence for all candidates; `None` without games.
    pub figures: Vec<Option<Estimate>>,
}

/// A figure of a variant that a wish is about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WishedFigure {
    /// The figure, with joint confidence for all variants and wishes.
    pub at_once: Estimate,
    /// How far inside the wish it lies, in units of its interval.
    pub margin: f64,
    /// Whether it is what was wished.
    pub verdict: Verdict,
}

/// A variant that was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DesignedVariant {
    /// What differs from the original ruleset.
    pub changes: Vec<Change>,
    /// Price of the deck, cents; 0 if it is free.
    pub price: i64,
    /// The least of its figures' verdicts.
    pub verdict: Verdict,
    /// Whether it meets the wishes, at least probably, and no other variant is surely better in everything that was to be as
    /// much or as little as possible.
    pub on_front: bool,
    /// Its figures, by wish; `None` without games.
    pub figures: Vec<Option<WishedFigure>>,
    /// Number of fresh deals, by player; those of the race if there were none.
    pub deals: Vec<u64>,
    /// A file that extends the original ruleset.
    pub ruleset: String,
}

/// Result of a design.
#[derive(Clone, Debug, Serialize)]
pub struct Designed {
    /// The wishes.
    pub wishes: Vec<Wish>,
    /// The axes of the candidates.
    pub axes: Vec<Axis>,
    /// Step of round prices, cents, if the price was chosen.
    pub price_step: Option<i64>,
    /// Seconds for each part of a game, if a wish is about minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// Number of games of the race, all candidates together.
    pub race_games: u64,
    /// Whether the variants played fresh deals; otherwise their figures are those of the race.
    pub fresh: bool,
    /// The variants, the best first.
    pub variants: Vec<DesignedVariant>,
    /// The candidates, in the order of the sweep.
    pub candidates: Vec<Candidate>,
    /// Whether the run was stopped before all games were played.
    #[serde(skip)]
    pub interrupted: bool,
}

impl Designed {
    /// Counts the candidates with a fate, and those that a wish refused.
    pub fn count(&self, fate: Fate, wish: Option<usize>) -> u64 {
        self.candidates.iter().filter(|it| it.fate == fate && it.refused_by == wish).count() as u64
    }
}

/// Progress of a design.
#[derive(Clone, Copy, Debug)]
pub struct DesignStep {
    /// Number of games so far, all together.
    pub games: u64,
    /// Candidates left in the race, or variants on fresh deals.
    pub left: usize,
    /// Whether the deals are fresh.
    pub fresh: bool,
}

/// Games of one ruleset and one player.
#[derive(Serialize, Deserialize)]
struct Played {
    tally: Tally,
    /// Sums of milliseconds and of their squares.
    millis: (u64, u128),
    /// What each game is worth by each goal, if asked.
    worth: Vec<Vec<f64>>,
}

impl Cacheable for Played {}

impl Played {
    fn new(spec: &Spec) -> Played {
        Played { tally: Tally::new(spec), millis: (0, 0), worth: Vec::new() }
    }

    fn merge(&mut self, other: Played) {
        self.tally.merge(&other.tally);
        self.millis.0 = self.millis.0.saturating_add(other.millis.0);
        self.millis.1 = self.millis.1.saturating_add(other.millis.1);
        self.worth.resize(other.worth.len(), Vec::new());
        self.worth.iter_mut().zip(other.worth).for_each(|(all, more)| all.extend(more));
    }
}

/// A ruleset with its games, by player.
struct Entry<'a> {
    loaded: &'a Loaded,
    played: Vec<Played>,
}

/// What is known of an entry.
struct Judged {
    price: Option<i64>,
    /// By wish; `None` without games.
    figures: Vec<Option<WishedFigure>>,
}

impl Judged {
    /// Returns the least margin with its wish.
    fn worst(&self) -> (f64, Option<usize>) {
        let margins =
            self.figures.iter().enumerate().filter_map(|(i, it)| Some((it.as_ref()?.margin, Some(i))));
        margins.fold((f64::INFINITY, None), |worst, it| if it.0 < worst.0 { it } else { worst })
    }
}

/// Races the candidates, then plays the best on fresh deals, until `stop` is set.
///
/// # Errors
/// The first error of a strategy, in the order of rounds, candidates and games.
pub fn design(asked: &Design<'_>, told: &mut dyn FnMut(DesignStep)) -> Result<Designed, BatchError> {
    let mut slow = Vec::new();
    for &strategy in &asked.players {
        let matchup = Matchup { id: &asked.base.id, rules: &asked.base.rules, strategy };
        slow.push(is_slow([&matchup].into_iter(), asked.workers)?);
    }
    let cells = asked.plan.cells.iter().enumerate();
    let valid = cells.filter_map(|(at, cell)| Some((at, cell.rules.as_ref().ok()?)));
    let (places, entries): (Vec<usize>, Vec<Entry<'_>>) =
        valid.map(|(at, loaded)| (at, Entry::new(loaded, &slow))).unzip();
    let mut race = Race { asked, slow, entries, fates: Vec::new() };
    race.fates = vec![(Fate::Undecided, None, 0); race.entries.len()];
    let finished = race.run(told)?;
    let race_games: u64 = race.entries.iter().map(Entry::games).sum();
    let chosen = race.chosen();
    let judged: Vec<Judged> = chosen.iter().map(|&at| race.judge(at)).collect();
    let made: Vec<(Vec<Change>, Loaded)> = chosen
        .iter()
        .zip(&judged)
        .filter_map(|(&at, judged)| asked.variant(places[at], judged.price))
        .collect();
    let mut fresh: Vec<Entry<'_>> = made.iter().map(|(_, loaded)| Entry::new(loaded, &race.slow)).collect();
    let mut whole = false;
    if finished {
        whole = race.play_fresh(&mut fresh, race_games, told)?;
    }
    let is_fresh = fresh.iter().all(|it| it.games() > 0);
    let tail = TAIL / (fresh.len() * asked.wishes.len()).max(1) as f64;
    let variants = made.iter().zip(&fresh).zip(&chosen).zip(judged).map(|(((made, fresh), &at), judged)| {
        let (played, judged) = match is_fresh {
            true => (&fresh.played, asked.judge(&fresh.played, fresh.spec(), &|_| tail, None)),
            false => (&race.entries[at].played, judged),
        };
        let (margin, _) = judged.worst();
        DesignedVariant {
            changes: made.0.clone(),
            price: made.1.rules.spec().casino.stake,
            // Without games nothing is sure.
            verdict: Verdict::of(if judged.figures.contains(&None) { margin.min(0.0) } else { margin }),
            on_front: true,
            figures: judged.figures,
            deals: played.iter().map(|it| it.tally.games()).collect(),
            ruleset: made.1.sources.first().map_or(String::new(), |source| source.text.clone()),
        }
    });
    let mut variants: Vec<DesignedVariant> = variants.collect();
    asked.find_front(&mut variants, &fresh);
    asked.sort(&mut variants);
    let mut candidates: Vec<Candidate> = (0..asked.plan.cells.len())
        .map(|at| Candidate {
            name: asked.plan.label(at),
            fate: Fate::Impossible,
            refused_by: None,
            games: 0,
            figures: vec![None; asked.wishes.len()],
        })
        .collect();
    for (at, (&place, &(fate, refused_by, _))) in places.iter().zip(&race.fates).enumerate() {
        let it = &mut candidates[place];
        (it.fate, it.refused_by, it.games) = (fate, refused_by, race.entries[at].games());
        it.figures = race.judge(at).figures.iter().map(|it| Some(it.as_ref()?.at_once)).collect();
    }
    chosen.iter().for_each(|&at| {
        let candidate = &mut candidates[places[at]];
        // Whatever was refused counts as that, even if it is among the nearest.
        if candidate.fate != Fate::Refused {
            candidate.fate = Fate::Chosen;
        }
    });
    Ok(Designed {
        wishes: asked.wishes.clone(),
        axes: asked.plan.axes.clone(),
        price_step: asked.price_step,
        pace: asked.wishes.iter().any(|it| it.figure == Wished::Minutes).then_some(asked.pace),
        race_games,
        fresh: is_fresh,
        variants,
        candidates,
        interrupted: !whole,
    })
}

impl<'a> Entry<'a> {
    fn new(loaded: &'a Loaded, players: &[bool]) -> Entry<'a> {
        Entry { loaded, played: players.iter().map(|_| Played::new(loaded.rules.spec())).collect() }
    }

    fn spec(&self) -> &Spec {
        self.loaded.rules.spec()
    }

    fn games(&self) -> u64 {
        self.played.iter().map(|it| it.tally.games()).sum()
    }
}

impl Design<'_> {
    /// Judges games of a ruleset by the wishes, each with the error probability of its tail; with a step, at the round price
    /// that fits best.
    fn judge(
        &self,
        played: &[Played],
        spec: &Spec,
        tail: &dyn Fn(usize) -> f64,
        step: Option<i64>,
    ) -> Judged {
        let edge = |wish: &Wish| {
            let tally = &played[wish.seat].tally;
            if step.is_none() || wish.figure != Wished::Edge || tally.games() == 0 {
                return None;
            }
            House::new(tally, &spec.casino).leaving_out(tail(wish.seat)).edge_by_price()
        };
        let edges: Vec<_> = self.wishes.iter().map(edge).collect();
        let price = step.map(|step| {
            let worst = |cents: i64| {
                let each = self.wishes.iter().zip(&edges);
                let margins = each.filter_map(|(wish, edge)| Some(wish.margin(edge.as_ref()?(cents as f64))));
                margins.fold(f64::INFINITY, f64::min)
            };
            let of_edge = || self.wishes.iter().filter(|it| it.figure == Wished::Edge);
            // At higher prices the edge is above every range, whatever the deck pays.
            let top = payout_range(&spec.casino, 0, spec.cards()).1 as f64;
            let ends = of_edge().filter(|it| it.high < 1.0).map(|it| top / (1.0 - it.high));
            let most =
                ends.reduce(f64::max).map_or(MOST_CENTS, |cents| (cents.ceil() as i64).min(MOST_CENTS));
            best_price(
                (step, most),
                of_edge().any(|it| it.low.is_finite()),
                of_edge().any(|it| it.high.is_finite()),
                worst,
            )
        });
        let figures = self.wishes.iter().zip(&edges).map(|(wish, edge)| {
            let own = &played[wish.seat];
            if own.tally.games() == 0 {
                return None;
            }
            let at_once = match (edge, price) {
                (Some(edge), Some(price)) => edge(price as f64),
                _ => figure(wish.figure, own, spec, tail(wish.seat))?,
            };
            let margin = wish.margin(at_once);
            Some(WishedFigure { at_once, margin, verdict: Verdict::of(margin) })
        });
        Judged { price, figures: figures.collect() }
    }

    /// Returns the ruleset of a cell at a price, with only the changes that make a difference.
    fn variant(&self, cell: usize, price: Option<i64>) -> Option<(Vec<Change>, Loaded)> {
        let at = &self.plan.cells[cell].at;
        let each = self.plan.axes.iter().zip(at).filter_map(|(axis, &value)| axis.change(value).cloned());
        let price = price.and_then(|cents| Change::new("casino.stake", &plain(cents)).ok());
        let mut changes: Vec<Change> = each.chain(price).collect();
        let whole = vary(self.base, &changes).ok()?;
        let mut at = 0;
        while at < changes.len() {
            let mut fewer = changes.clone();
            fewer.remove(at);
            match vary(self.base, &fewer) {
                Ok(same) if same_game(same.rules.spec(), whole.rules.spec()) => changes = fewer,
                _ => at += 1,
            }
        }
        let loaded = vary(self.base, &changes).ok()?;
        Some((changes, loaded))
    }

    fn goals(&self) -> impl Iterator<Item = (usize, &Wish, f64)> {
        let goals = self.wishes.iter().enumerate();
        goals.filter_map(|(at, wish)| Some((at, wish, if wish.goal? == Goal::Max { 1.0 } else { -1.0 })))
    }

    /// Marks the variants that another one surely surpasses in every goal, on the same fresh deals. Whoever misses a wish
    /// surpasses nobody.
    fn find_front(&self, variants: &mut [DesignedVariant], fresh: &[Entry<'_>]) {
        let goals: Vec<_> = self.goals().collect();
        let pairs = (variants.len() * variants.len().saturating_sub(1) / 2).max(1);
        let tail = TAIL / (pairs * goals.len().max(1)) as f64;
        let surpasses = |a: &Entry<'_>, b: &Entry<'_>| {
            goals.iter().all(|&(at, wish, sign)| {
                let among =
                    self.goals().take_while(|it| it.0 < at).filter(|it| it.1.seat == wish.seat).count();
                let [a, b] =
                    [a, b].map(|it| it.played[wish.seat].worth.get(among).map_or(&[][..], Vec::as_slice));
                let gains = a.iter().zip(b).map(|(a, b)| (sign * (a - b), 1));
                Moments::of(gains).limits_at(tail, f64::NEG_INFINITY, f64::INFINITY).0 > 0.0
            })
        };
        for at in 0..variants.len() {
            let mut others = fresh.iter().zip(variants.iter());
            let surpassed =
                others.any(|(it, of)| of.verdict >= Verdict::Probably && surpasses(it, &fresh[at]));
            variants[at].on_front =
                goals.is_empty() || variants[at].verdict >= Verdict::Probably && !surpassed;
        }
    }

    /// Sorts variants: those that meet the wishes first, then by the first goal, then by margin.
    fn sort(&self, variants: &mut [DesignedVariant]) {
        let goal = self.goals().next();
        let rank = |it: &DesignedVariant| {
            let best = goal.and_then(|(at, _, sign)| Some(sign * it.figures[at]?.at_once.value));
            let margins = it.figures.iter().flatten().map(|it| it.margin);
            (it.verdict, it.on_front, best.unwrap_or(0.0), margins.fold(f64::INFINITY, f64::min))
        };
        variants.sort_by(|a, b| {
            let (a, b) = (rank(a), rank(b));
            (b.0, b.1).cmp(&(a.0, a.1)).then(b.2.total_cmp(&a.2)).then(b.3.total_cmp(&a.3))
        });
    }
}

/// Returns the multiple of a step, up to `most`, at which the least margin is greatest; if prices have a limit on one
/// side only, the nearest to it that is comfortable. A margin is linear in the price on either side of its limit.
fn best_price((step, most): (i64, i64), from: bool, to: bool, margin: impl Fn(i64) -> f64) -> i64 {
    let higher = |k: i64| match (from, to) {
        (true, false) => margin(k * step) < COMFORT,
        (false, true) => margin((k + 1) * step) >= COMFORT,
        _ => margin((k + 1) * step) > margin(k * step),
    };
    let (mut low, mut high) = (1, (most / step).max(1));
    while low < high {
        let middle = low + (high - low) / 2;
        if higher(middle) { low = middle + 1 } else { high = middle }
    }
    low * step
}

/// Returns a figure of some games, with an error probability of `tail` at either end; `None` for the edge of a free deck.
fn figure(of: Wished, played: &Played, spec: &Spec, tail: f64) -> Option<Estimate> {
    let tally = &played.tally;
    let mean = |sum: u128, squares: u128, most: f64, unit: f64| {
        let moments = Moments::of_sums(tally.games(), sum, squares);
        let (low, high) = moments.limits_at(tail, 0.0, most);
        Estimate { value: moments.mean / unit, low: low / unit, high: high / unit }
    };
    let most = f64::from(RUNAWAY);
    Some(match of {
        Wished::Wins => rate_at(tail, tally.wins(), tally.ends(End::Runaway), tally.games()),
        Wished::Edge => House::new(tally, &spec.casino).leaving_out(tail).edge()?,
        Wished::Cards => mean_cards(tally, tail).0,
        Wished::Moves => mean(tally.moves(), tally.moves_squared(), most, 1.0),
        Wished::Minutes => mean(played.millis.0.into(), played.millis.1, f64::INFINITY, MINUTE),
    })
}

/// Milliseconds of a minute.
const MINUTE: f64 = 60_000.0;

struct Race<'a> {
    asked: &'a Design<'a>,
    /// Whether each player is slow.
    slow: Vec<bool>,
    entries: Vec<Entry<'a>>,
    /// By entry: its fate, the wish that refused it, and the round.
    fates: Vec<(Fate, Option<usize>, u64)>,
}

impl<'a> Race<'a> {
    /// Returns the numbers of games of a player after each round.
    fn targets(&self, seat: usize) -> impl Iterator<Item = u64> + use<> {
        let ((first, most), asked) = match self.slow[seat] {
            true => (SLOW, self.asked.search_games),
            false => (QUICK, self.asked.games),
        };
        std::iter::successors(Some(first), |games| games.checked_mul(2))
            .take_while(move |&it| it <= most.min(asked))
    }

    /// Returns the error probability of the limits of each wish about a player in each round.
    fn tail(&self, seat: usize) -> f64 {
        let looks = self.targets(seat).count();
        TAIL / (self.entries.len() * self.asked.wishes.len() * looks).max(1) as f64
    }

    fn judge(&self, at: usize) -> Judged {
        let entry = &self.entries[at];
        self.asked.judge(&entry.played, entry.spec(), &|seat| self.tail(seat), self.asked.price_step)
    }

    /// Runs all rounds; returns whether they were finished.
    fn run(&mut self, told: &mut dyn FnMut(DesignStep)) -> Result<bool, BatchError> {
        let seats = 0..self.slow.len();
        let (slow, quick): (Vec<usize>, Vec<usize>) = seats.partition(|&seat| self.slow[seat]);
        let each = slow.into_iter().map(|seat| vec![seat]);
        let stages: Vec<Vec<usize>> = [quick].into_iter().chain(each).filter(|it| !it.is_empty()).collect();
        let mut alive: Vec<usize> = (0..self.entries.len()).collect();
        let mut round = 0;
        for (number, seats) in stages.iter().enumerate() {
            let floor =
                if number + 1 == stages.len() { self.asked.most } else { SEARCHED.max(self.asked.most) };
            let targets: Vec<u64> = self.targets(seats[0]).collect();
            for (look, &target) in targets.iter().enumerate() {
                if !self.play(&alive, seats, (target, round), told)? {
                    return Ok(false);
                }
                round += 1;
                let (left, decided) = self.refuse(&alive, round);
                let last = look + 1 == targets.len();
                // No round has more games than the first, or than a first round of a few.
                let affordable = self.entries.len().max(SEARCHED) as u64 * targets[0] / target;
                let keep = if last { floor } else { floor.max(affordable as usize) };
                alive = left;
                alive
                    .drain(keep.min(alive.len())..)
                    .for_each(|at| self.fates[at] = (Fate::SetAside, None, round));
                if alive.is_empty() || alive.len() <= floor && decided {
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Plays the entries until each has its target of games with some players; returns whether all were played.
    fn play(
        &mut self,
        alive: &[usize],
        seats: &[usize],
        (target, round): (u64, u64),
        told: &mut dyn FnMut(DesignStep),
    ) -> Result<bool, BatchError> {
        // The fresh deals come first.
        let first = self.asked.games.max(self.asked.search_games);
        let cells: Vec<(usize, usize, Range<u64>)> = alive
            .iter()
            .flat_map(|&at| seats.iter().map(move |&seat| (at, seat)))
            .map(|(at, seat)| {
                let played = self.entries[at].played[seat].tally.games();
                (at, seat, first.saturating_add(played)..first.saturating_add(target))
            })
            .collect();
        let before: u64 = self.entries.iter().map(Entry::games).sum();
        let games = Games { asked: self.asked, slow: &self.slow, cells: &cells, keeps: false };
        let workers = self.asked.workers.part(0).part(round);
        games.play(&mut self.entries, workers, &StopFlag::new(workers.stop), &mut |more| {
            told(DesignStep { games: before + more, left: alive.len(), fresh: false });
        })
    }

    /// Drops the entries that miss a wish; returns the others, the best first, and whether all of those surely meet all wishes.
    fn refuse(&mut self, alive: &[usize], round: u64) -> (Vec<usize>, bool) {
        let mut left = Vec::new();
        for &at in alive {
            let judged = self.judge(at);
            let (margin, wish) = judged.worst();
            match Verdict::of(margin) {
                Verdict::Misses => self.fates[at] = (Fate::Refused, wish, round),
                _ => left.push((at, margin, judged)),
            }
        }
        let decided = left.iter().all(|(_, margin, _)| *margin >= 1.0);
        // The number of others that are better in every goal.
        let goals: Vec<_> = self.asked.goals().map(|(at, _, sign)| (at, sign)).collect();
        let value = |it: &Judged, at: usize| it.figures[at].map_or(0.0, |it| it.at_once.value);
        let better = |a: &Judged, b: &Judged| {
            !goals.is_empty() && goals.iter().all(|&(at, sign)| sign * value(a, at) > sign * value(b, at))
        };
        let behind = |it: &Judged| left.iter().filter(|(_, m, other)| *m >= 0.0 && better(other, it)).count();
        let mut ranks: Vec<_> =
            left.iter().map(|(at, margin, judged)| (margin.min(0.0), behind(judged), *margin, *at)).collect();
        ranks.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(b.2.total_cmp(&a.2)).then(a.3.cmp(&b.3))
        });
        (ranks.into_iter().map(|it| it.3).collect(), decided)
    }

    /// Returns the entries left; if there are none, those that stayed longest.
    fn chosen(&self) -> Vec<usize> {
        let with = |fate| (0..self.entries.len()).filter(move |&at| self.fates[at].0 == fate);
        let mut left: Vec<usize> = with(Fate::Undecided).collect();
        if left.is_empty() {
            left = with(Fate::Refused).collect();
        }
        let mut ranked: Vec<_> = left
            .into_iter()
            .filter(|&at| self.entries[at].games() > 0)
            .map(|at| (Reverse(self.fates[at].2), self.judge(at).worst().0, at))
            .collect();
        ranked.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
        ranked.into_iter().map(|it| it.2).take(self.asked.most).collect()
    }

    /// Plays the chosen variants on fresh deals; returns whether all were played.
    fn play_fresh(
        &self,
        fresh: &mut [Entry<'_>],
        before: u64,
        told: &mut dyn FnMut(DesignStep),
    ) -> Result<bool, BatchError> {
        let left = fresh.len();
        let games = |seat: usize| if self.slow[seat] { self.asked.search_games } else { self.asked.games };
        // Variant by variant of each piece of the deals, so that after an interruption all have played as many.
        let mut cells = Vec::new();
        for seat in 0..self.slow.len() {
            let size = if self.slow[seat] { 1 } else { 10 * BLOCK };
            for piece in 0..games(seat).div_ceil(size) {
                let range = piece * size..games(seat).min((piece + 1) * size);
                cells.extend((0..left).map(|at| (at, seat, range.clone())));
            }
        }
        let of = Games { asked: self.asked, slow: &self.slow, cells: &cells, keeps: true };
        of.play(fresh, self.asked.workers.part(1), &StopFlag::new(self.asked.workers.stop), &mut |more| {
            told(DesignStep { games: before + more, left, fresh: true });
        })
    }
}

/// Games to play: entry, player and deals.
struct Games<'a> {
    asked: &'a Design<'a>,
    slow: &'a [bool],
    cells: &'a [(usize, usize, Range<u64>)],
    /// Whether to keep what each game is worth by each goal.
    keeps: bool,
}

impl Games<'_> {
    /// Plays block after block, and adds them to the entries; returns whether all were played.
    fn play<'p, 'e: 'p>(
        &self,
        entries: &mut [Entry<'e>],
        workers: Workers<'_>,
        halt: &'p StopFlag<'p>,
        told: &mut dyn FnMut(u64),
    ) -> Result<bool, BatchError> {
        let blocks = self.cells.iter().flat_map(|(at, seat, games)| {
            blocks_of(games.clone(), self.slow[*seat]).map(move |games| (*at, *seat, games))
        });
        let blocks: Vec<(usize, usize, Range<u64>)> = blocks.collect();
        let rules: Vec<&'p Loaded> = entries.iter().map(|it| it.loaded).collect();
        let make = |worker: &mut Option<((usize, usize), GameRunner<'p>)>, index: Range<u64>| {
            let (at, seat, games) = &blocks[index.start as usize];
            let loaded = rules[*at];
            if worker.as_ref().is_none_or(|(of, _)| *of != (*at, *seat)) {
                let player = self.asked.players[*seat].instantiate();
                let runner = GameRunner::new(&loaded.id, &loaded.rules, player).heeding(halt.flag());
                *worker = Some(((*at, *seat), runner));
            }
            let (_, runner) = worker.as_mut()?;
            halt.unless_interrupted(self.block(runner, loaded.rules.spec(), *seat, games.clone()), |it| {
                &it.error
            })
        };
        // A checkpoint file may contain anything.
        let fits = |index: Range<u64>, played: &Played| {
            let (at, seat, games) = &blocks[index.start as usize];
            let count = games.end - games.start;
            let kept = if self.keeps && games.start < MOST_COMPARED { count as usize } else { 0 };
            played.tally.games() == count
                && played.tally.check(rules[*at].rules.spec()).is_ok()
                && played.worth.len() == self.goals(*seat).count()
                && played.worth.iter().all(|it| it.len() == kept)
        };
        let (mut games, mut done) = (0, 0);
        let take = |index: Range<u64>, played: Played| {
            let (at, seat, range) = &blocks[index.start as usize];
            entries[*at].played[*seat].merge(played);
            games += range.end - range.start;
            done += 1;
            told(games);
            ControlFlow::Continue(())
        };
        in_order(workers, &Blocks::all(0..blocks.len() as u64, 1), halt, || None, make, fits, take)?;
        Ok(done == blocks.len())
    }

    /// Returns the goals about a player.
    fn goals(&self, seat: usize) -> impl Iterator<Item = &Wish> {
        self.asked.wishes.iter().filter(move |it| it.seat == seat && it.goal.is_some())
    }

    fn block(
        &self,
        runner: &mut GameRunner<'_>,
        spec: &Spec,
        seat: usize,
        games: Range<u64>,
    ) -> Result<Played, Box<GameError>> {
        let mut played = Played::new(spec);
        played.worth = self.goals(seat).map(|_| Vec::new()).collect();
        let timed = self.asked.wishes.iter().any(|it| it.seat == seat && it.figure == Wished::Minutes);
        let keeps = self.keeps && games.start < MOST_COMPARED;
        for game in games {
            let mut moves = MoveCounts::default();
            let outcome = match timed {
                true => runner.observe(self.asked.seed, game, &mut moves)?,
                false => runner.play(self.asked.seed, game)?,
            };
            let millis = if timed { (self.asked.pace.minutes(&moves) * MINUTE).round() as u64 } else { 0 };
            played.tally.add(&outcome);
            played.millis.0 += millis;
            played.millis.1 += u128::from(millis).pow(2);
            if keeps {
                let worth = self.goals(seat).map(|it| worth(it.figure, spec, &outcome, millis));
                played.worth.iter_mut().zip(worth).for_each(|(all, worth)| all.push(worth));
            }
        }
        Ok(played)
    }
}

/// Returns what a game is worth by a figure.
fn worth(figure: Wished, spec: &Spec, outcome: &Outcome, millis: u64) -> f64 {
    let worth = || GameWorth::of(spec, outcome);
    match figure {
        Wished::Wins => worth().won.stood as f64,
        Wished::Edge => -worth().money.stood as f64 / spec.casino.stake.max(1) as f64,
        Wished::Cards => f64::from(outcome.cards),
        Wished::Moves => f64::from(outcome.moves),
        Wished::Minutes => millis as f64 / MINUTE,
    }
}
