//! The clairvoyant player, who knows every card: upper bounds of deals, and how far other players fall short of them.

use serde::{Deserialize, Serialize};

use super::casino::{best_payouts, most_fees, payout_range};
use super::interval::clopper_pearson;
use super::sample::Sample;
use super::{Estimate, GameWorth};
use crate::rules::Spec;

/// A figure of a sample between two bounds, equal if every case is known, with limits that hold the true
/// figure in 95% of samples wherever the open cases lie: the lower limit of the lower bound, and the upper limit
/// of the upper bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounded {
    /// The figure with every open case at its minimum.
    pub least: f64,
    /// The figure with every open case at its maximum.
    pub most: f64,
    /// Lower limit of the lower bound.
    pub low: f64,
    /// Upper limit of the upper bound.
    pub high: f64,
}

impl Bounded {
    /// Computes the mean of numbers that each lie between bounds, all within `range`.
    pub fn mean(bounds: impl Iterator<Item = (f64, f64)> + Clone, range: (f64, f64)) -> Bounded {
        let low = Sample::of(bounds.clone().map(|(low, _)| (low, 1)));
        let high = Sample::of(bounds.map(|(_, high)| (high, 1)));
        if low.n() == 0 {
            return Bounded { least: range.0, most: range.1, low: range.0, high: range.1 };
        }
        Bounded {
            least: low.moments().mean,
            most: high.moments().mean,
            low: low.limits(range.0, range.1).0,
            high: high.limits(range.0, range.1).1,
        }
    }

    /// Computes the share of `n` cases with a property that `sure` cases have and `open` more may have. Without
    /// cases any share is possible.
    pub fn rate(sure: u64, open: u64, n: u64) -> Bounded {
        let may = sure.saturating_add(open).min(n);
        let of = |cases: u64| cases as f64 / n.max(1) as f64;
        let most = if n == 0 { 1.0 } else { of(may) };
        Bounded { least: of(sure), most, low: clopper_pearson(sure, n).0, high: clopper_pearson(may, n).1 }
    }

    /// Maps the figure by a linear function, rising or falling.
    pub fn map(self, line: impl Fn(f64) -> f64) -> Bounded {
        let [least, most, low, high] = [self.least, self.most, self.low, self.high].map(line);
        Bounded { least: least.min(most), most: least.max(most), low: low.min(high), high: low.max(high) }
    }

    /// Returns whether the figure of the sample is known.
    pub fn is_known(&self) -> bool {
        self.least == self.most
    }

    /// Returns the lower bound with its limits.
    pub fn about_least(&self) -> Estimate {
        Estimate { value: self.least, low: self.low, high: self.high }
    }

    /// Returns the upper bound with its limits.
    pub fn about_most(&self) -> Estimate {
        Estimate { value: self.most, low: self.low, high: self.high }
    }
}

/// Bounds of one deal for the clairvoyant player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClairvoyantBound {
    /// Number of cards proven to be reachable.
    pub least: u16,
    /// Number of cards that cannot be exceeded.
    pub most: u16,
    /// Whether the deal can be won, if known.
    pub winnable: Option<bool>,
}

/// Contradiction between a bound and a player who exceeded it: the bound is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver allows {} cards{}, and {cards} were brought up", bound.most, bound.without_win())]
pub struct Contradiction {
    /// The bound.
    pub bound: ClairvoyantBound,
    /// Cards that the player reached.
    pub cards: u16,
}

impl ClairvoyantBound {
    fn without_win(&self) -> &'static str {
        if self.winnable == Some(false) { " and no win" } else { "" }
    }

    /// Raises the bound to the cards, of `all`, that a player reached.
    ///
    /// # Errors
    /// A bound that rules them out.
    pub fn raised(self, cards: u16, all: usize) -> Result<ClairvoyantBound, Contradiction> {
        let won = usize::from(cards) == all;
        if cards > self.most || won && self.winnable == Some(false) {
            return Err(Contradiction { bound: self, cards });
        }
        let winnable = if won { Some(true) } else { self.winnable };
        Ok(ClairvoyantBound { least: self.least.max(cards), winnable, ..self })
    }

    /// Whether the most cards are known.
    pub fn is_proven(&self) -> bool {
        self.least == self.most
    }
}

/// Bounds of many deals. If a die is rolled for the game, a deal has one bound for each face, all equally
/// likely; intervals take such a deal for one case, as its faces are correlated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClairvoyantBounds {
    all: usize,
    faces: usize,
    list: Vec<ClairvoyantBound>,
}

/// Numbers of winnable and unwinnable deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Winnable {
    /// Number of deals, counting each face of a die.
    pub answers: u64,
    /// Winnable deals.
    pub won: u64,
    /// Unwinnable deals.
    pub lost: u64,
    /// Deals not known to be either.
    pub unknown: u64,
    /// Share of winnable deals.
    pub share: Bounded,
}

/// The most cards of many deals, and their value to a player who always reaches them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MostCards {
    /// Number of deals whose most cards are known, counting each face of a die.
    pub proven: u64,
    /// Mean of the most cards.
    pub cards: Bounded,
    /// The player's mean net per deck, cents. `None` if the stake is bought in stages, as there is no fixed price.
    pub net: Option<Bounded>,
    /// The house edge against that player, a fraction. `None` if the deck has no price.
    pub house_edge: Option<Bounded>,
    /// Deals by most cards, if known, from 0 to all.
    pub histogram_proven: Vec<u64>,
    /// All deals by the lower bound of their cards.
    pub histogram_least: Vec<u64>,
    /// All deals by the upper bound of their cards.
    pub histogram_most: Vec<u64>,
}

impl ClairvoyantBounds {
    /// Creates an empty list for deals of this many cards with this many faces of a die: 1 without a die.
    pub fn new(all: usize, faces: usize) -> ClairvoyantBounds {
        ClairvoyantBounds { all, faces: faces.max(1), list: Vec::new() }
    }

    /// Adds the bound of the next face, or of the next deal without a die. A deal whose cards cannot all come up is
    /// marked as unwinnable.
    pub fn push(&mut self, bound: ClairvoyantBound) {
        let lost = usize::from(bound.most) < self.all;
        self.list.push(ClairvoyantBound { winnable: bound.winnable.or(lost.then_some(false)), ..bound });
    }

    /// Returns all bounds, those of a deal's faces adjacent.
    pub fn list(&self) -> &[ClairvoyantBound] {
        &self.list
    }

    /// Returns the bounds of a deal by index, one per face, in order.
    pub fn of_deal_mut(&mut self, place: usize) -> &mut [ClairvoyantBound] {
        self.list.chunks_mut(self.faces).nth(place).unwrap_or_default()
    }

    /// Returns the number of deals.
    pub fn deals(&self) -> usize {
        self.list.len().div_ceil(self.faces)
    }

    /// Returns the cards of a won game.
    pub fn all(&self) -> usize {
        self.all
    }

    /// Counts the winnable deals.
    pub fn winnable(&self) -> Winnable {
        let count = |winnable: Option<bool>| {
            self.list.iter().filter(|bound| bound.winnable == winnable).count() as u64
        };
        let (won, lost, unknown) = (count(Some(true)), count(Some(false)), count(None));
        let answers = self.list.len() as u64;
        let mut share = Bounded::rate(won, unknown, answers);
        if self.faces > 1 {
            // The share within a deal varies no more than if each deal were won on all faces or on none.
            let faces = self.faces as u64;
            let may = (won + unknown).div_ceil(faces);
            let deals = Bounded::rate(won / faces, may - won / faces, answers.div_ceil(faces));
            (share.low, share.high) = (deals.low, deals.high);
        }
        Winnable { answers, won, lost, unknown, share }
    }

    /// Computes the figures of the most cards, under the terms of a ruleset.
    pub fn most_cards(&self, spec: &Spec) -> MostCards {
        let casino = &spec.casino;
        let payouts: Vec<f64> = best_payouts(casino, self.all).into_iter().map(|paid| paid as f64).collect();
        let fewest = spec.fewest_cards();
        let paid = self.mean(fewest, &|cards| payouts.get(cards).copied().unwrap_or(0.0));
        let (stake, staged) = (casino.stake as f64, casino.is_staged());
        let histogram = |of: &dyn Fn(&ClairvoyantBound) -> Option<u16>| {
            let mut histogram = vec![0; self.all + 1];
            for cards in self.list.iter().filter_map(of) {
                if let Some(deals) = histogram.get_mut(usize::from(cards)) {
                    *deals += 1;
                }
            }
            histogram
        };
        MostCards {
            proven: self.list.iter().filter(|bound| bound.is_proven()).count() as u64,
            cards: self.mean(fewest, &|cards| cards as f64),
            net: (!staged).then(|| paid.map(|paid| paid - stake)),
            house_edge: (!staged && stake > 0.0).then(|| paid.map(|paid| (stake - paid) / stake)),
            histogram_proven: histogram(&|bound| bound.is_proven().then_some(bound.least)),
            histogram_least: histogram(&|bound| Some(bound.least)),
            histogram_most: histogram(&|bound| Some(bound.most)),
        }
    }

    /// Computes the mean over deals of a value of cards, which does not fall with cards and is least at `fewest`.
    fn mean(&self, fewest: usize, worth: &dyn Fn(usize) -> f64) -> Bounded {
        let deal = |faces: &[ClairvoyantBound]| {
            let n = faces.len() as f64;
            let mean = |of: fn(&ClairvoyantBound) -> u16| {
                faces.iter().map(|it| worth(of(it).into())).sum::<f64>() / n
            };
            (mean(|it| it.least), mean(|it| it.most))
        };
        let mean = Bounded::mean(self.list.chunks(self.faces).map(deal), (worth(0), worth(self.all)));
        Bounded { low: mean.low.max(worth(fewest).min(mean.least)), ..mean }
    }
}

/// A player's games on deals whose most cards are known or bounded.
#[derive(Clone, Debug)]
pub struct ShortfallTally<'a> {
    rules: &'a Spec,
    games: Vec<(ClairvoyantBound, GameWorth)>,
}

/// Shortfall of a player, over all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShortfallSummary {
    /// Games.
    pub games: u64,
    /// Mean of the most cards of these deals.
    pub ceiling: Bounded,
    /// Mean shortfall in cards per game.
    pub cards: Bounded,
    /// Mean shortfall in money per game, cents. `None` if the stake is bought in stages.
    pub money: Option<Bounded>,
    /// Share of games without shortfall: as many cards as possible came up.
    pub nothing_left: Bounded,
    /// Games won.
    pub won: u64,
    /// Share of winnable deals that were won. `None` if no deal is winnable.
    pub of_winnable: Option<Bounded>,
}

impl<'a> ShortfallTally<'a> {
    /// Creates an empty tally under these rules.
    pub fn new(rules: &'a Spec) -> ShortfallTally<'a> {
        ShortfallTally { rules, games: Vec::new() }
    }

    /// Counts a game on a deal with this bound.
    pub fn add(&mut self, bound: ClairvoyantBound, game: &GameWorth) {
        self.games.push((bound, *game));
    }

    /// Summarizes the games. Undecided games count both ways, and so do open bounds.
    pub fn summary(&self) -> ShortfallSummary {
        let games = self.games.len() as u64;
        let all = self.rules.cards();
        let top = all as f64;
        let left = |&(bound, game): &(ClairvoyantBound, GameWorth)| {
            // What a game reached is possible.
            let least = (i64::from(bound.least) - game.cards.best).max(0);
            (least as f64, (i64::from(bound.most) - game.cards.worst).max(0) as f64)
        };
        let casino = &self.rules.casino;
        let best = best_payouts(casino, all);
        let net = |cards: u16| best.get(usize::from(cards)).copied().unwrap_or(0) - casino.stake;
        let money = |&(bound, game): &(ClairvoyantBound, GameWorth)| {
            let least = (net(bound.least) - game.money.best).max(0);
            (least as f64, (net(bound.most) - game.money.worst).max(0) as f64)
        };
        let count = |of: &dyn Fn(&(ClairvoyantBound, GameWorth)) -> bool| {
            self.games.iter().filter(|game| of(game)).count() as u64
        };
        let sure = count(&|game| left(game).1 == 0.0);
        let may = count(&|game| left(game).0 == 0.0);
        ShortfallSummary {
            games,
            ceiling: Bounded::mean(
                self.games.iter().map(|(it, _)| (f64::from(it.least), f64::from(it.most))),
                (0.0, top),
            ),
            cards: Bounded::mean(self.games.iter().map(left), (0.0, top)),
            money: (!casino.is_staged()).then(|| {
                let (least, most) = payout_range(casino, 0, all);
                let range = most - least + most_fees(self.rules);
                Bounded::mean(self.games.iter().map(money), (0.0, range as f64))
            }),
            nothing_left: Bounded::rate(sure, may - sure, games),
            won: count(&|(_, game)| game.won.stood > 0),
            of_winnable: self.of_winnable(),
        }
    }

    fn of_winnable(&self) -> Option<Bounded> {
        let count = |of: &dyn Fn(&ClairvoyantBound, &GameWorth) -> bool| {
            self.games.iter().filter(|(bound, game)| of(bound, game)).count() as u64
        };
        let winnable = count(&|bound, _| bound.winnable == Some(true));
        let unknown = count(&|bound, _| bound.winnable.is_none());
        if winnable + unknown == 0 {
            return None;
        }
        let won = count(&|_, game| game.won.worst > 0);
        let may = count(&|bound, game| game.won.best > 0 && bound.winnable != Some(false));
        // Unknown deals count once as winnable and not won, and once as unwinnable.
        let least = Bounded::rate(won, 0, winnable + unknown);
        let most = Bounded::rate(may.min(winnable), 0, winnable);
        let most = if winnable == 0 { Bounded::rate(0, 1, 1) } else { most };
        Some(Bounded { least: least.least, most: most.most, low: least.low, high: most.high })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;
    use crate::stats::testing::{self, near};
    use crate::stats::{Sample, clopper_pearson};

    fn bound(least: u16, most: u16) -> ClairvoyantBound {
        let winnable = if least == 52 { Some(true) } else { (most < 52).then_some(false) };
        ClairvoyantBound { least, most, winnable }
    }

    fn bounds(faces: usize, list: &[(u16, u16)]) -> ClairvoyantBounds {
        let mut bounds = ClairvoyantBounds::new(52, faces);
        list.iter().for_each(|&(least, most)| bounds.push(bound(least, most)));
        bounds
    }

    /// Two winnable deals, one lost with 10 cards, and one with 20 for certain and perhaps all.
    const FOUR: [(u16, u16); 4] = [(52, 52), (10, 10), (20, 52), (52, 52)];

    #[test]
    fn unknown_deals_count_both_ways() {
        let winnable = bounds(1, &FOUR).winnable();
        assert_eq!((winnable.answers, winnable.won, winnable.lost, winnable.unknown), (4, 2, 1, 1));
        let share = winnable.share;
        near(share.least, 0.5);
        near(share.most, 0.75);
        near(share.low, clopper_pearson(2, 4).0);
        near(share.high, clopper_pearson(3, 4).1);
        let none = bounds(1, &[]).winnable().share;
        assert_eq!((none.least, none.most, none.low, none.high), (0.0, 1.0, 0.0, 1.0));
    }

    #[test]
    fn most_cards_and_the_edge_by_hand() {
        // Many copies, so that the limits are not those of the range.
        let many: Vec<_> = FOUR.into_iter().cycle().take(400).collect();
        let most = bounds(1, &many).most_cards(&Spec::default());
        near(most.cards.least, 33.5);
        near(most.cards.most, 41.5);
        let limits = |values: [f64; 4]| Sample::of(values.map(|value| (value, 100))).limits(0.0, 52.0);
        near(most.cards.low, limits([52.0, 10.0, 20.0, 52.0]).0);
        near(most.cards.high, limits([52.0, 10.0, 52.0, 52.0]).1);
        assert_eq!(most.proven, 300);
        assert_eq!((most.histogram_least[52], most.histogram_most[52]), (200, 300));
        assert_eq!(
            (most.histogram_least[20], most.histogram_proven[20], most.histogram_most[20]),
            (100, 0, 0)
        );
        // $5 a card for $52; more cards mean a lower edge.
        let (net, edge) = (most.net.unwrap(), most.house_edge.unwrap());
        near(net.least, 33.5 * 500.0 - 5200.0);
        near(edge.most, 1.0 - 33.5 * 5.0 / 52.0);
        near(edge.least, 1.0 - 41.5 * 5.0 / 52.0);
        near(edge.low, 1.0 - most.cards.high * 5.0 / 52.0);
        near(edge.high, 1.0 - most.cards.low * 5.0 / 52.0);
    }

    #[test]
    fn a_win_pays_besides() {
        let mut spec = Spec::default();
        spec.casino.pays_for_win = 10_000;
        let most = bounds(1, &FOUR).most_cards(&spec);
        near(most.net.unwrap().least, (134.0 * 500.0 + 2.0 * 10_000.0) / 4.0 - 5200.0);
        near(most.net.unwrap().most, (166.0 * 500.0 + 3.0 * 10_000.0) / 4.0 - 5200.0);
        spec.casino.stake = 0;
        let free = bounds(1, &FOUR).most_cards(&spec);
        assert!(free.house_edge.is_none() && free.net.is_some());
    }

    #[test]
    fn faces_of_a_deal_are_one_case() {
        // 200 deals with two faces: the mean is as precise as from 200 cases, not 400.
        let list: Vec<_> = [(52, 52), (2, 2), (10, 10), (10, 10)].into_iter().cycle().take(400).collect();
        let (two, one) = (bounds(2, &list), bounds(1, &list));
        assert_eq!((two.deals(), one.deals(), &two.list()[2..4]), (200, 400, &[bound(10, 10); 2][..]));
        let cards = two.most_cards(&Spec::default()).cards;
        near(cards.least, 18.5);
        // Deals with means of 27 and 10.
        near(cards.high, Sample::of([(27.0, 100), (10.0, 100)]).limits(0.0, 52.0).1);
        let (two, one) = (two.winnable().share, one.winnable().share);
        assert_eq!((two.least, one.least), (0.25, 0.25));
        near(two.low, clopper_pearson(50, 200).0);
        assert!(two.low < one.low && two.high > one.high);
    }

    #[test]
    fn a_player_raises_a_bound_or_contradicts_it() {
        let open = bound(20, 52);
        assert_eq!(open.raised(18, 52), Ok(open));
        assert_eq!(open.raised(30, 52).unwrap(), ClairvoyantBound { least: 30, ..open });
        assert_eq!(open.raised(52, 52).unwrap(), bound(52, 52));
        let wrong = bound(10, 10).raised(11, 52).unwrap_err();
        assert_eq!(wrong.to_string(), "the solver allows 10 cards and no win, and 11 were brought up");
        // An unwinnable deal contradicts a win, whatever the bounds of its cards.
        assert!(ClairvoyantBound { least: 20, most: 52, winnable: Some(false) }.raised(52, 52).is_err());
    }

    fn game(end: End, cards: u16) -> GameWorth {
        GameWorth::of(&Spec::default(), &testing::game(end, cards))
    }

    #[test]
    fn what_is_left_is_the_paired_difference() {
        let spec = Spec::default();
        let mut tally = ShortfallTally::new(&spec);
        let games = [(End::Won, 52), (End::Barren, 10), (End::Barren, 25), (End::Blocked, 12)];
        for ((least, most), (end, cards)) in FOUR.into_iter().zip(games).cycle().take(400) {
            let bound = bound(least, most).raised(cards, 52).unwrap();
            tally.add(bound, &game(end, cards));
        }
        let left = tally.summary();
        // 0, 0, 0 to 27, 40.
        near(left.cards.least, 10.0);
        near(left.cards.most, 16.75);
        near(left.cards.low, Sample::of([(0.0, 300), (40.0, 100)]).limits(0.0, 52.0).0);
        near(left.money.unwrap().least, 5_000.0);
        near(left.money.unwrap().most, 8_375.0);
        near(left.ceiling.least, (52.0 + 10.0 + 25.0 + 52.0) / 4.0);
        near(left.nothing_left.least, 0.5);
        near(left.nothing_left.most, 0.75);
        // One win of two winnable deals, or of three.
        let won = left.of_winnable.unwrap();
        assert_eq!((left.games, left.won), (400, 100));
        near(won.least, 1.0 / 3.0);
        near(won.most, 0.5);
        near(won.low, clopper_pearson(100, 300).0);
        near(won.high, clopper_pearson(100, 200).1);
    }

    #[test]
    fn undecided_games_leave_anything() {
        let spec = Spec::default();
        let mut tally = ShortfallTally::new(&spec);
        tally.add(bound(40, 40), &game(End::Runaway, 30));
        let left = tally.summary();
        // The game could have ended with all of the 40, and had 30.
        assert_eq!((left.cards.least, left.cards.most), (0.0, 10.0));
        assert_eq!(left.of_winnable, None);
        assert_eq!((left.nothing_left.least, left.nothing_left.most), (0.0, 1.0));
    }
}
