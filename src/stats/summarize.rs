//! Summary of a tally.

use serde::Serialize;

use super::binomial::{rate, rate_at};
use super::interval::{Moments, TAIL};
use super::sample::{Sample, outer_at};
use super::score::ScoreTally;
use super::{Estimate, House, JackpotSummary, RunningPoint, ScoreSummary, Summary, Tally};
use crate::game::{End, RUNAWAY};
use crate::rules::{Casino, Spec};

/// House edge for which a price is always given.
const TARGET_EDGE: f64 = 0.05;
/// Percentiles of cards in the summary.
const PERCENT: [u8; 5] = [5, 25, 50, 75, 95];

/// Summarizes a tally counted under the ruleset `spec`. Every figure is finite: if nothing is known about one, its
/// limits are its possible range. Undecided games count as they stood in the figures and both ways in the limits;
/// moves, which have no upper bound except the safety net, count as made.
pub fn summarize(tally: &Tally, spec: &Spec, running: Vec<RunningPoint>) -> Summary {
    let house = House::new(tally, &spec.casino);
    let (cards, cards_sd) = mean_cards(tally, TAIL);
    let house_edge = house.edge();
    let games = tally.games();
    Summary {
        games,
        wins: tally.wins(),
        undecided: tally.ends(End::Runaway),
        win_rate: rate(tally.wins(), tally.ends(End::Runaway), games),
        cards,
        cards_sd,
        cards_quantiles: quantiles(tally.histogram()),
        histogram: tally.histogram().to_vec(),
        ends: End::ALL.iter().map(|&end| (end, tally.ends(end))).collect(),
        net: house.net(),
        net_sd: house.sd(),
        house_edge,
        hold_per_100: house.hold_per_100(),
        break_even_cards: house.break_even_cards(),
        hit_frequency: house.hit_frequency(),
        fair_price: house.fair_price(),
        price_for_5_percent: house.price_for_edge(TARGET_EDGE),
        jackpot: jackpot(tally, &spec.casino),
        stakes: tally.stakes().map(|stakes| stakes.summary(games)),
        scores: tally.scores().iter().map(score).collect(),
        moves: Moments::of_sums(games, tally.moves(), tally.moves_squared())
            .estimate(0.0, f64::from(RUNAWAY)),
        redeals: if games == 0 { 0.0 } else { tally.redeals() as f64 / games as f64 },
        running: if house_edge.is_some() { running } else { Vec::new() },
    }
}

/// Returns the house edge over the games so far. `None` if the deck is free.
pub fn running_point(tally: &Tally, spec: &Spec) -> Option<RunningPoint> {
    let edge = House::new(tally, &spec.casino).edge()?;
    Some(RunningPoint { games: tally.games(), edge })
}

/// Figures of a tally that is one of several, or was selected among them, with joint confidence for all (Bonferroni).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct AtOnce {
    /// House edge; `None` if the deck is free.
    #[serde(rename = "house_edge")]
    pub edge: Option<Estimate>,
    /// Wins / games.
    #[serde(rename = "win_rate")]
    pub wins: Estimate,
    /// Mean cards.
    pub cards: Estimate,
}

impl AtOnce {
    /// Computes the figures for one of `several` tallies.
    pub fn of(tally: &Tally, spec: &Spec, several: usize) -> AtOnce {
        let tail = TAIL / several.max(1) as f64;
        AtOnce {
            edge: House::new(tally, &spec.casino).leaving_out(tail).edge(),
            wins: rate_at(tail, tally.wins(), tally.ends(End::Runaway), tally.games()),
            cards: mean_cards(tally, tail).0,
        }
    }
}

/// Returns the mean cards, with limits that count undecided games both ways and an error probability of `tail` at either
/// end, and the standard deviation.
pub fn mean_cards(tally: &Tally, tail: f64) -> (Estimate, f64) {
    let all = (tally.histogram().len() - 1) as f64;
    let way = |to: &dyn Fn(usize) -> usize| {
        let stood = tally.histogram().iter().zip(tally.undecided()).enumerate();
        Sample::of(stood.flat_map(|(cards, (&games, &open))| {
            [(cards as f64, games.saturating_sub(open)), (to(cards) as f64, open)]
        }))
    };
    let seen = way(&|cards| cards);
    let sd = seen.moments().sd;
    let last = tally.histogram().len() - 1;
    let mean = outer_at(tail, &[seen, way(&|cards| tally.least_cards(cards)), way(&|_| last)], 0.0, all);
    (mean.within(tally.fewest_cards() as f64, all), sd)
}

/// Returns the quantiles of cards: the fewest cards that at least a given percentage of games do not exceed; 0
/// without games.
fn quantiles(histogram: &[u64]) -> Vec<(f64, u16)> {
    let games: u128 = histogram.iter().map(|&games| u128::from(games)).sum();
    let reach = |percent: u8| {
        let mut sum = 0;
        let reached = histogram.iter().position(|&games_| {
            sum += u128::from(games_);
            sum * 100 >= u128::from(percent) * games
        });
        (f64::from(percent) / 100.0, reached.unwrap_or(0) as u16)
    };
    PERCENT.map(reach).to_vec()
}

fn score(tally: &ScoreTally) -> ScoreSummary {
    let (least, most) = tally.possible(RUNAWAY);
    let ways = tally.samples();
    let seen = &tally.points;
    ScoreSummary {
        name: tally.name.clone(),
        mean: outer_at(TAIL, &ways, least as f64, most as f64),
        sd: ways[0].moments().sd,
        min: seen.keys().next().copied().unwrap_or(0),
        max: seen.keys().next_back().copied().unwrap_or(0),
    }
}

/// Summarizes the jackpot of a tally; `None` if the rules have none.
pub fn jackpot(tally: &Tally, casino: &Casino) -> Option<JackpotSummary> {
    let jackpot = casino.jackpot?;
    let all = tally.histogram().len() - 1;
    let of = |games: &[u64], won: bool| -> u64 {
        let each = games.iter().enumerate().filter(|(cards, _)| jackpot.is_won(*cards, all) == won);
        each.map(|(_, games)| games).sum()
    };
    let wins = of(tally.histogram(), true);
    let rate = rate(wins, of(tally.undecided(), false), tally.games());
    let decks = (wins > 0 && rate.low > 0.0).then(|| Estimate {
        value: 1.0 / rate.value,
        low: 1.0 / rate.high,
        high: 1.0 / rate.low,
    });
    let at = |decks: f64| jackpot.start as f64 + casino.meter_growth() as f64 * decks;
    let size = decks.map(|it| Estimate { value: at(it.value), low: at(it.low), high: at(it.high) });
    Some(JackpotSummary { rate, decks, size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Score;
    use crate::stats::clopper_pearson;
    use crate::stats::testing::{self, near};

    fn spec() -> Spec {
        let score =
            Score { name: "points".into(), foundation_card: 1, won: 100, redeal: -2, ..Score::default() };
        Spec { scores: vec![score], ..Spec::default() }
    }

    fn tally(spec: &Spec, games: &[(End, u16)]) -> Tally {
        testing::tally(spec, &games.iter().map(|&(end, cards)| (end, cards, 1)).collect::<Vec<_>>())
    }

    #[test]
    fn figures_by_hand() {
        let spec = spec();
        let tally = tally(&spec, &[(End::Blocked, 4), (End::Barren, 8), (End::Resigned, 8), (End::Won, 52)]);
        let summary = summarize(&tally, &spec, Vec::new());
        assert_eq!((summary.games, summary.wins, summary.undecided), (4, 1, 0));
        near(summary.win_rate.value, 0.25);
        near(summary.win_rate.low, clopper_pearson(1, 4).0);
        near(summary.cards.value, 18.0);
        let sd = ((14f64.powi(2) + 2.0 * 10f64.powi(2) + 34f64.powi(2)) / 3.0).sqrt();
        near(summary.cards_sd, sd);
        // Four games say little.
        assert!(summary.cards.low < 5.0 && summary.cards.high > 40.0, "{:?}", summary.cards);
        assert_eq!(summary.cards_quantiles.iter().map(|q| q.1).collect::<Vec<_>>(), [4, 4, 8, 8, 52]);
        near(summary.net.value, 9000.0 - 5200.0);
        near(summary.net_sd, 500.0 * sd);
        near(summary.house_edge.unwrap().value, -3800.0 / 5200.0);
        near(summary.redeals, 1.0);
        assert_eq!(summary.ends.len(), 6);
        let score = &summary.scores[0];
        assert_eq!((score.min, score.max), (2, 150));
        near(score.mean.value, 41.0);
        let point = running_point(&tally, &spec).unwrap();
        assert_eq!((point.games, Some(point.edge)), (4, summary.house_edge));
    }

    #[test]
    fn limits_lie_within_what_is_possible() {
        let mut spec = spec();
        let of = |spec: &Spec, games: &[(End, u16)]| summarize(&tally(spec, games), spec, Vec::new());
        let few = [(End::Blocked, 1), (End::Blocked, 2), (End::Barren, 1)];
        // The base card is on the foundations in every game, and is paid for.
        let summary = of(&spec, &few);
        assert_eq!(summary.cards.low, 1.0);
        near(summary.house_edge.unwrap().high, 1.0 - 500.0 / 5200.0);
        near(summary.net.low, 500.0 - 5200.0);
        near(summary.fair_price.unwrap().low, 500.0);
        assert_eq!(AtOnce::of(&tally(&spec, &few), &spec, 9).cards.low, 1.0);
        let won = of(&spec, &[(End::Won, 52); 3]);
        assert_eq!(won.cards.high, 52.0);
        near(won.house_edge.unwrap().low, 1.0 - 26_000.0 / 5200.0);
        // Except if it may leave them.
        spec.foundation.returns = crate::rules::Returns::Top;
        let summary = of(&spec, &few);
        assert!(summary.cards.low < 1.0 && summary.house_edge.unwrap().high > 1.0 - 500.0 / 5200.0);
        spec.foundation.returns = crate::rules::Returns::TopExceptBase;
        assert_eq!(of(&spec, &few).cards.low, 1.0);
    }

    #[test]
    fn undecided_games_widen_every_interval() {
        let spec = spec();
        let sure = [(End::Blocked, 4), (End::Barren, 8), (End::Won, 52)];
        let with = |end, cards| {
            let all: Vec<_> = sure.into_iter().chain([(end, cards)]).cycle().take(400).collect();
            summarize(&tally(&spec, &all), &spec, Vec::new())
        };
        let open = with(End::Runaway, 20);
        let (worst, best) = (with(End::Blocked, 20), with(End::Won, 52));
        assert_eq!(open.undecided, 100);
        for (open, worst, best) in [
            (open.win_rate, worst.win_rate, best.win_rate),
            (open.cards, worst.cards, best.cards),
            (open.net, worst.net, best.net),
            (open.scores[0].mean, worst.scores[0].mean, best.scores[0].mean),
        ] {
            near(open.value, worst.value);
            near(open.low, worst.low);
            near(open.high, best.high);
        }
    }

    #[test]
    fn nothing_is_infinite() {
        let finite = |summary: &Summary| {
            let text = serde_json::to_string(summary).unwrap();
            // serde_json writes non-finite numbers as null; only the two options may be null.
            let nulls = text.matches("null").count();
            let options =
                usize::from(summary.house_edge.is_none()) + usize::from(summary.break_even_cards.is_none());
            assert_eq!(nulls, options, "{text}");
        };
        let mut spec = spec();
        for stake in [5200, 0] {
            spec.casino.stake = stake;
            for games in [&[][..], &[(End::Blocked, 4)], &[(End::Blocked, 4); 9], &[(End::Runaway, 4); 9]] {
                let tally = tally(&spec, games);
                let point = running_point(&tally, &spec);
                assert_eq!(point.is_none(), stake == 0);
                finite(&summarize(&tally, &spec, point.into_iter().collect()));
            }
        }
        let one = summarize(&tally(&spec, &[(End::Blocked, 4)]), &spec, Vec::new());
        assert!(one.cards.value == 4.0 && one.cards.low == 1.0 && one.cards.high > 50.0, "{:?}", one.cards);
    }
}
