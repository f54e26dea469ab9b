//! Shortfall of players: their games compared with the bounds of the same deals.

use serde::Serialize;

use super::{Bounded, ClairvoyantBound};
use crate::rules::Spec;
use crate::stats::GameWorth;
use crate::stats::casino::{best_payouts, most_fees, payout_range};

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
