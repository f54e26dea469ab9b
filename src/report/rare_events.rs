//! Explains why an interval of money is wide, and how many games would narrow it.

use crate::format::{count, games, money, plural, share};
use crate::rules::{Casino, WonBy};
use crate::stats::{Moments, Summary, clopper_pearson, payout};

const FEW: u64 = 10;
/// Share of the variance from which wins are reported, up to [`MANY`] of them.
const NEARLY_ALL: f64 = 0.9;
const MANY: u64 = 400;
/// Minimum size of a great payment, in prices of a deck.
const GREAT: f64 = 20.0;

/// Games with a great payment that are too rare for a good estimate of their rate.
#[derive(Clone, Copy, Debug)]
struct Rare {
    /// The fewest cards with this payment, out of `all`.
    from: usize,
    all: usize,
    paid: f64,
    seen: u64,
    games: u64,
    most: f64,
    /// Number of games for an interval of the mean payment within 1% of the price.
    wanted: f64,
}

impl Rare {
    /// Finds the rarest payment that causes most of the width of an interval, from games by cards. `price` is that of
    /// a deck, or the mean stake if it is bought in stages.
    fn of(casino: &Casino, price: f64, histogram: &[u64]) -> Option<Rare> {
        let all = histogram.len().checked_sub(1)?;
        if histogram.iter().sum::<u64>() < 2 || price <= 0.0 {
            return None;
        }
        let steps = casino.steps.iter().filter(|step| step.bonus > 0).map(|step| usize::from(step.from));
        let jackpot = casino.jackpot.map(|jackpot| match jackpot.won_by {
            WonBy::Win => all,
            WonBy::Cards(least) => usize::from(least),
        });
        let mut places: Vec<usize> = steps.chain(jackpot).filter(|&from| 0 < from && from < all).collect();
        places.push(all);
        places.sort_unstable();
        // From the top down: a payment above a rarer one says nothing about those below.
        places.into_iter().rev().find_map(|from| Rare::from(from, casino, price, histogram))
    }

    fn from(from: usize, casino: &Casino, price: f64, histogram: &[u64]) -> Option<Rare> {
        let all = histogram.len() - 1;
        let paid = |cards: usize| payout(casino, cards, all) as f64;
        let moments = |cards: std::ops::Range<usize>| {
            Moments::of(cards.map(|cards| (paid(cards), histogram[cards] as i64)))
        };
        let (others, together) = (moments(0..from), moments(0..all + 1));
        let (games, seen) = (histogram.iter().sum::<u64>(), histogram[from..].iter().sum::<u64>());
        let n = games as f64;
        let more = paid(from) - others.mean;
        // If nearly as much is already paid, and more often, the payment is not rare.
        if more <= 0.0 || paid(from) - paid(from - 1) < more / 2.0 {
            return None;
        }
        let most = clopper_pearson(seen, games).1;
        let of_wins = (most - seen as f64 / n) * more;
        let variance = seen as f64 / n * more * more;
        let alone = seen < FEW && of_wins > 1.96 * others.sd / n.sqrt();
        let great = more > GREAT * price;
        if !alone && (!great || seen >= MANY || variance < NEARLY_ALL * together.sd.powi(2)) {
            return None;
        }
        // Games for a percentage point: by a normal interval of the observed rate, and by an upper limit of 3.69
        // wins.
        let point = price / 100.0;
        let rate = (seen as f64).max(1.0) / n;
        let wanted = (1.96 * more / point).powi(2) * rate.min(most) + (1.96 * others.sd / point).powi(2);
        let wanted = wanted.max(3.69 * more / point);
        // Otherwise the interval is already narrow enough.
        (wanted > n).then_some(Rare { from, all, paid: paid(from), seen, games, most, wanted })
    }

    /// `a win pays $50,260`
    fn pays(&self, casino: &Casino) -> String {
        let what =
            if self.from == self.all { "a win pays".into() } else { format!("{} cards pay", self.from) };
        format!("{what} {}", money(self.paid, casino, self.paid % 100.0 == 0.0))
    }

    /// `only 2 of 10,000 games were won`
    fn seen(&self) -> String {
        let came = match (self.from == self.all, self.seen) {
            (true, 0 | 1) => "was won".into(),
            (true, _) => "were won".into(),
            (false, _) => format!("reached {}", self.from),
        };
        match self.seen {
            0 => format!("none of {} {came}", games(self.games)),
            seen => format!("only {} of {} {came}", count(seen), games(self.games)),
        }
    }
}

/// Returns the price of a deck, or the mean stake if it is bought in stages: cents.
pub(super) fn price(summary: &Summary, casino: &Casino) -> f64 {
    summary.stakes.as_ref().map_or(casino.stake as f64, |stakes| stakes.staked.value)
}

/// Rounds a number of games up to two digits.
pub(super) fn in_two_digits(x: f64) -> f64 {
    let unit = 10f64.powf(x.max(1.0).log10().floor() - 1.0).max(1.0);
    if x.is_finite() { (x / unit).ceil() * unit } else { x }
}

fn rounded(wanted: f64) -> String {
    count(in_two_digits(wanted).min(1e18) as u64)
}

/// Explains a wide interval of a house edge, if games by cards show a great payment too seldom. `price` is that of a
/// deck, or the mean stake if it is bought in stages; `who` is named if several are reported.
pub(super) fn why_wide(casino: &Casino, price: f64, histogram: &[u64], who: Option<&str>) -> Option<String> {
    let rare = Rare::of(casino, price, histogram)?;
    let whose = who.map_or(String::new(), |who| format!(" of {who}"));
    let what = if rare.from == rare.all { "be wins" } else { "pay so much" };
    Some(format!(
        "The interval of the house edge{whose} is wide because {} and {}. As many as {} of games may {what}. About {} games would bring \
         it to within 1 percentage point.",
        rare.pays(casino),
        rare.seen(),
        share(rare.most),
        rounded(rare.wanted)
    ))
}

/// Explains a wide interval of the difference in money between two entries on the same deals.
pub(super) fn why_difference_is_wide(two: [(&Casino, f64, &[u64], &str); 2]) -> Option<String> {
    let rare = two.map(|(casino, price, histogram, _)| Rare::of(casino, price, histogram));
    let mut told: Vec<String> = Vec::new();
    let mut pays = None;
    for (rare, (casino, _, _, who)) in rare.iter().zip(two) {
        let Some(rare) = rare else { continue };
        // A payment common to both is reported once.
        let first = rare.pays(casino);
        let seen = format!("{} ({who})", rare.seen());
        told.push(if pays.as_ref() == Some(&first) { seen } else { format!("{first} and {seen}") });
        pays = Some(first);
    }
    // Deals won by both do not add to the difference; the two intervals together are an upper bound for its width.
    let wanted: f64 = rare.iter().flatten().map(|rare| rare.wanted).sum();
    (!told.is_empty()).then(|| {
        format!(
            "The interval of the difference in money is wide because {}. About {} deals would bring it to within 1% of the price.",
            told.join(", "),
            rounded(wanted)
        )
    })
}

/// Explains the rarest win among several in one sentence, as all of them need the same.
pub(super) fn rarest<'a>(all: impl Iterator<Item = (&'a Casino, f64, &'a [u64], String)>) -> Option<String> {
    let told: Vec<String> = all
        .filter_map(|(casino, price, histogram, who)| why_wide(casino, price, histogram, Some(&who)))
        .collect();
    let more = match told.len() {
        0 | 1 => String::new(),
        n => format!(" The same is true of {}.", plural(n as u64 - 1, "other")),
    };
    told.into_iter().next().map(|first| format!("{first}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{PayStep, Spec};

    #[test]
    fn a_rare_prize_is_told_of_and_ordinary_wins_are_not() {
        let casino = Casino { stake: 3000, pays_for_win: 5_000_000, ..Spec::default().casino };
        let mut games = vec![0; 53];
        (games[3], games[8]) = (5_000, 5_000);
        let none = why_wide(&casino, 3000.0, &games, None).unwrap();
        assert!(
            none.contains("a win pays $50,260 and none of 10,000 games was won. As many as 0.037% of games"),
            "{none}"
        );
        assert!(none.contains("would bring it to within 1 percentage point"), "{none}");
        games[52] = 2;
        assert!(why_wide(&casino, 3000.0, &games, Some("greedy")).unwrap().contains("of greedy is wide"));
        let ordinary = Casino { stake: 5200, pays_for_win: 0, ..casino };
        games[52] = 350;
        assert_eq!(why_wide(&ordinary, 5200.0, &games, None), None);
        assert_eq!(why_wide(&ordinary, 5200.0, &[0; 53], None), None);
    }

    #[test]
    fn a_great_payment_below_a_win_is_told_of() {
        let step = PayStep { from: 40, pays_per_card: None, bonus: 9_000_000 };
        let casino = Casino { stake: 5200, pays_for_win: 0, steps: vec![step], ..Spec::default().casino };
        let mut games = vec![0; 53];
        (games[3], games[45]) = (9_999, 1);
        let said = why_wide(&casino, 5200.0, &games, None).unwrap();
        assert!(said.contains("40 cards pay $90,200 and only 1 of 10,000 games reached 40."), "{said}");
    }
}
