//! Summary of a sample of games of one ruleset under one strategy.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::interval::{Estimate, Moments, TAIL, rate, rate_at};
use super::sample::{Sample, outer_at};
use super::stakes::StakesSummary;
use super::tally::ScoreTally;
use super::{House, Measure, Tally};
use crate::game::{End, RUNAWAY};
use crate::rules::{Casino, Spec};

/// The house edge at the end of a block of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunningPoint {
    /// Games so far.
    pub games: u64,
    /// The edge over them, as a fraction of the stake.
    pub edge: Estimate,
}

/// One named score over a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreSummary {
    /// Its name in the ruleset.
    pub name: String,
    /// Mean points a game.
    pub mean: Estimate,
    /// Standard deviation of one game, points.
    pub sd: f64,
    /// Lowest points observed.
    pub min: i64,
    /// Highest points observed.
    pub max: i64,
}

/// Figures of one ruleset under one strategy. Money is in cents of the ruleset's currency, from the player's side
/// unless it says "house".
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of games.
    pub games: u64,
    /// Number of games won.
    pub wins: u64,
    /// Number of games stopped undecided (`runaway`); every interval counts them both ways.
    pub undecided: u64,
    /// Wins / games (Clopper and Pearson).
    pub win_rate: Estimate,
    /// Mean cards.
    pub cards: Estimate,
    /// Standard deviation of the cards of one game.
    pub cards_sd: f64,
    /// Quantiles of cards: `(probability, cards)` at 0.05, 0.25, 0.5, 0.75, 0.95.
    pub cards_quantiles: Vec<(f64, u16)>,
    /// Games by cards, index 0..=cards in the packs.
    pub histogram: Vec<u64>,
    /// Games by end.
    pub ends: BTreeMap<End, u64>,
    /// Mean net of the player per deck, cents.
    pub net: Estimate,
    /// Standard deviation of the net of one deck, cents.
    pub net_sd: f64,
    /// House edge: -(mean net) / stake, a fraction. For a stake bought in stages, the mean stake is used.
    /// `None` if nothing is staked, or too little is known about the stakes.
    pub house_edge: Option<Estimate>,
    /// The hold: the mean profit of the house from 100 decks, cents.
    pub hold_per_100: Estimate,
    /// Fewest cards at which the player does not lose. `None` if no number of cards suffices, and if the
    /// stake is bought in stages, so that it depends on them.
    pub break_even_cards: Option<u16>,
    /// Share of decks on which the player profits (Clopper and Pearson).
    pub hit_frequency: Estimate,
    /// Fair price of the deck, cents. `None` if the stake is bought in stages: there is no fixed price, and another
    /// one would change where the player stops.
    pub fair_price: Option<Estimate>,
    /// Price of the deck for a house edge of 5%, cents; as above.
    pub price_for_5_percent: Option<Estimate>,
    /// The stake, if it is bought in stages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stakes: Option<StakesSummary>,
    /// Frequency of the jackpot, and its size when won; `None` if the rules have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub jackpot: Option<JackpotSummary>,
    /// Named scores.
    pub scores: Vec<ScoreSummary>,
    /// Mean moves per game.
    pub moves: Estimate,
    /// Mean redeals per game.
    pub redeals: f64,
    /// The edge as games accumulated; empty if the stake is 0.
    pub running: Vec<RunningPoint>,
}

impl Summary {
    /// Returns the mean by one measure.
    pub fn by(&self, measure: Measure) -> Estimate {
        match measure {
            Measure::Cards => self.cards,
            Measure::Wins => self.win_rate,
            Measure::Money => self.net,
        }
    }
}

/// A jackpot over many decks. The number of decks between two winners is geometric: with a share `p` of winners, it
/// is `1 / p` on average, including the winner's, and each of them adds to the meter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JackpotSummary {
    /// Share of decks that win it.
    pub rate: Estimate,
    /// Number of decks from one winner to the next. `None` if there was no winner.
    pub decks: Option<Estimate>,
    /// Mean size when it is won, cents. `None` if there was no winner.
    pub size: Option<Estimate>,
}

/// Side of 0 of the interval of an edge or of a difference, which says who gains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Above 0: the house gains.
    House,
    /// Below 0: the player gains.
    Player,
    /// Both sides, or not an edge.
    #[default]
    Open,
}

impl Side {
    /// Returns the side of an interval.
    pub fn of(edge: Estimate) -> Side {
        Side::between(edge.low, edge.high)
    }

    /// Returns the side of the interval between two limits.
    pub fn between(low: f64, high: f64) -> Side {
        match (low > 0.0, high < 0.0) {
            (true, _) => Side::House,
            (_, true) => Side::Player,
            _ => Side::Open,
        }
    }
}

/// Number of figures on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// The house gains.
    pub house: usize,
    /// The player gains.
    pub player: usize,
    /// Too close to call.
    pub open: usize,
    /// Without a price.
    pub unpriced: usize,
}

impl Sides {
    /// Counts sides; `None` has no price.
    pub fn of(each: impl IntoIterator<Item = Option<Side>>) -> Sides {
        let mut sides = Sides::default();
        for side in each {
            *match side {
                Some(Side::House) => &mut sides.house,
                Some(Side::Player) => &mut sides.player,
                Some(Side::Open) => &mut sides.open,
                None => &mut sides.unpriced,
            } += 1;
        }
        sides
    }
}

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

/// The half-width that a 95% interval must reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "of", content = "half_width", rename_all = "snake_case")]
pub enum Precision {
    /// Of the mean cards, in cards. Written `0.05`.
    Cards(f64),
    /// Of the house edge, as a fraction of the stake. Written in percentage points: `1pp`.
    #[serde(rename = "house_edge")]
    Edge(f64),
}

impl Precision {
    /// Returns whether the games so far are enough. The wider side of the interval decides, and undecided
    /// games widen it, so that with many of them no number of games may ever suffice.
    pub fn reached(&self, tally: &Tally, spec: &Spec) -> bool {
        self.ratio(tally, spec).is_some_and(|ratio| ratio <= 1.0)
    }

    /// Returns the wider side of the interval divided by the requested half-width. `None` if too little is
    /// known for an interval.
    pub fn ratio(&self, tally: &Tally, spec: &Spec) -> Option<f64> {
        let (estimate, wanted) = match *self {
            Precision::Cards(wanted) => (Some(mean_cards(tally, TAIL).0), wanted),
            Precision::Edge(wanted) => (House::new(tally, &spec.casino).edge(), wanted),
        };
        let e = estimate.filter(|_| tally.games() > 1)?;
        Some((e.value - e.low).max(e.high - e.value) / wanted)
    }

    /// Checks that a ruleset supports the precision: a free deck has no house edge.
    ///
    /// # Errors
    /// A message with an alternative.
    pub fn check(&self, spec: &Spec) -> Result<(), String> {
        match self {
            Precision::Edge(_) if spec.casino.stake <= 0 && !spec.casino.is_staged() => Err(format!(
                "`{self}` is a precision of the house edge, but a deck of {} costs nothing; give one of the mean cards, such as `0.05`",
                spec.name
            )),
            _ => Ok(()),
        }
    }
}

impl FromStr for Precision {
    type Err = String;

    fn from_str(text: &str) -> Result<Precision, String> {
        let text = text.trim();
        let points = text.strip_suffix("pp").map(str::trim_end);
        match points.unwrap_or(text).parse::<f64>() {
            Ok(width) if width.is_finite() && width > 0.0 => {
                Ok(if points.is_some() { Precision::Edge(width / 100.0) } else { Precision::Cards(width) })
            }
            Ok(_) => Err(format!("`{text}` is not a precision: it must be above 0")),
            Err(_) => {
                let percent = text.strip_suffix('%').map(str::trim_end);
                let meant = percent.filter(|number| number.parse::<f64>().is_ok());
                let meant = meant.map_or(String::new(), |number| format!("; did you mean `{number}pp`?"));
                Err(format!(
                    "`{text}` is not a precision: write `0.05` for the mean cards to within 0.05 of a card, \
                     or `1pp` for the house edge to within 1 percentage point{meant}"
                ))
            }
        }
    }
}

impl fmt::Display for Precision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Precision::Cards(width) => write!(f, "{width}"),
            Precision::Edge(width) => write!(f, "{}pp", width * 100.0),
        }
    }
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

    #[test]
    fn both_forms_are_read() {
        assert_eq!("0.05".parse(), Ok(Precision::Cards(0.05)));
        assert_eq!(" 1pp ".parse(), Ok(Precision::Edge(0.01)));
        assert_eq!("0.5 pp".parse::<Precision>().unwrap().to_string(), "0.5pp");
        for bad in ["0", "-1pp", "inf", "nanpp", "0pp"] {
            assert!(bad.parse::<Precision>().unwrap_err().contains("above 0"), "{bad}");
        }
        for bad in ["", "1%", "pp", "five", "1 p"] {
            assert!(bad.parse::<Precision>().unwrap_err().contains("`1pp`"), "{bad}");
        }
    }

    #[test]
    fn more_games_reach_it() {
        let mut spec = Spec::default();
        let cards = Precision::Cards(0.5);
        // An interval of 0.5 cards is 5 / 52 of the stake: 9.6 points.
        let edge = Precision::Edge(0.5 * 500.0 / 5200.0 + 1e-9);
        let of = |times| testing::tally(&spec, &[(End::Blocked, 5, times), (End::Blocked, 15, times)]);
        // 1.96 * 5 / sqrt(n) = 0.5 at n = 384; an unobserved game of all 52 cards is not excluded.
        let tallies = [0, 270, 310].map(of);
        for precision in [cards, edge] {
            assert_eq!(tallies.each_ref().map(|it| precision.reached(it, &spec)), [false, false, true]);
        }
        let [.., tally] = tallies;
        assert!(edge.check(&spec).is_ok());
        spec.casino.stake = 0;
        assert!(!edge.reached(&tally, &spec));
        assert!(edge.check(&spec).unwrap_err().contains("costs nothing"));
    }
}
