//! The deals on which entries differ most.

use std::cmp::Reverse;

use serde::Serialize;

use crate::stats::{GameWorth, Measure};

/// A deal with the result of each entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownDeal {
    /// The game of the seed.
    pub game: u64,
    /// Id of the deal in its file, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Cards on the foundations, by entry.
    pub cards: Vec<i64>,
    /// Whether each entry won.
    pub won: Vec<bool>,
    /// The player's net of each entry, cents.
    pub net: Vec<i64>,
    /// The command that shows the game of each entry.
    pub replay: Vec<String>,
}

/// Sort key: the greatest difference first; among equals, the deal played first.
type Rank = (Reverse<i64>, Reverse<i64>, u64);

/// The few deals with the greatest differences so far.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    measure: Measure,
    most: usize,
    deals: Vec<(Rank, ShownDeal)>,
}

impl Shown {
    pub fn new(measure: Measure, most: usize) -> Shown {
        Shown { measure, most, deals: Vec::new() }
    }

    /// Keeps the deal if its difference is among the greatest.
    pub fn offer(&mut self, game: u64, worths: &[GameWorth]) {
        if self.most == 0 {
            return;
        }
        // Difference between the best and the worst entry; ties are broken by cards.
        let spread = |measure| {
            let values = || worths.iter().map(|worth| worth.by(measure).stood);
            values().max().unwrap_or(0) - values().min().unwrap_or(0)
        };
        let rank = (Reverse(spread(self.measure)), Reverse(spread(Measure::Cards)), game);
        let full = self.deals.len() == self.most;
        let worse = full && self.deals.last().is_some_and(|(last, _)| rank > *last);
        if worse || rank.0 == Reverse(0) {
            return;
        }
        let place = self.deals.partition_point(|(other, _)| *other < rank);
        let by = |measure| worths.iter().map(move |worth| worth.by(measure).stood);
        let won = by(Measure::Wins).map(|won| won > 0).collect();
        let (cards, net) = (by(Measure::Cards).collect(), by(Measure::Money).collect());
        let deal = ShownDeal { game, id: None, cards, won, net, replay: Vec::new() };
        self.deals.insert(place, (rank, deal));
        self.deals.truncate(self.most);
    }

    pub fn deals(self) -> Vec<ShownDeal> {
        self.deals.into_iter().map(|(_, deal)| deal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Amount;

    #[test]
    fn the_greatest_are_kept_and_the_earliest_of_equals() {
        let mut shown = Shown::new(Measure::Cards, 3);
        let worth = |cards| GameWorth {
            cards: Amount::settled(cards),
            won: Amount::settled(i64::from(cards == 52)),
            money: Amount::settled(500 * cards - 5200),
        };
        for (game, (a, b)) in
            [(5, 5), (9, 3), (4, 10), (52, 50), (6, 0), (3, 40), (1, 7)].into_iter().enumerate()
        {
            shown.offer(game as u64, &[worth(a), worth(b)]);
        }
        let deals = shown.deals();
        assert_eq!(deals.iter().map(|deal| deal.game).collect::<Vec<_>>(), [5, 1, 2]);
        assert_eq!((&deals[0].cards, &deals[0].net), (&vec![3, 40], &vec![-3700, 14_800]));
        let mut wins = Shown::new(Measure::Wins, 1);
        wins.offer(0, &[worth(52), worth(52)]);
        wins.offer(1, &[worth(52), worth(51)]);
        wins.offer(2, &[worth(1), worth(52)]);
        assert_eq!(wins.deals()[0].game, 2);
    }
}
