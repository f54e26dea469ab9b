//! Why an interval of money is wide, and what would narrow it.

use crate::figures::{count, games, money, plural, share};
use crate::rules::Casino;
use crate::stats::{Moments, clopper_pearson, payout};

/// Fewer wins than this say little of how often they come.
const FEW: u64 = 10;
/// From this part of the variance on that the wins make alone, they are told of up to [`MANY`].
const NEARLY_ALL: f64 = 0.9;
const MANY: u64 = 400;
/// So many prices of a deck, at least, are a great payment.
const GREAT: f64 = 20.0;

/// A sentence on the interval of a mean payment, where games by cards show the win too seldom for what it pays: then most
/// of its width is that of the rate of wins. `who` is named where several are told of.
pub(super) fn why_wide(casino: &Casino, histogram: &[u64], who: Option<&str>) -> Option<String> {
    let all = histogram.len().checked_sub(1)?;
    let (n, wins) = (histogram.iter().sum::<u64>(), *histogram.last()?);
    let paid = |cards: usize| payout(casino, cards, all) as f64;
    let moments = |list: &[u64]| {
        Moments::of(list.iter().enumerate().map(|(cards, &games)| (paid(cards), games as i64)))
    };
    let (others, together) = (moments(&histogram[..all]), moments(histogram));
    let more = paid(all) - others.mean;
    if n < 2 || casino.stake <= 0 || casino.is_staged() || more <= 0.0 {
        return None;
    }
    let most = clopper_pearson(wins, n).1;
    let half = |sd: f64| 1.96 * sd / (n as f64).sqrt();
    let of_wins = (most - wins as f64 / n as f64) * more;
    let variance = wins as f64 / n as f64 * more * more;
    let alone = wins < FEW && of_wins > half(others.sd);
    let great = more > GREAT * casino.stake as f64;
    if !alone && (!great || wins >= MANY || variance < NEARLY_ALL * together.sd.powi(2)) {
        return None;
    }
    // Games for a percentage point: a normal interval of the rate seen, and no less than 3.69 wins take.
    let point = casino.stake as f64 / 100.0;
    let rate = (wins as f64).max(1.0) / n as f64;
    let wanted = (1.96 * more / point).powi(2) * rate.min(most) + (1.96 * others.sd / point).powi(2);
    let wanted = wanted.max(3.69 * more / point);
    let digits = 10f64.powf(wanted.log10().floor() - 1.0);
    let wanted = ((wanted / digits).ceil() * digits).min(1e18) as u64;
    if wanted <= n {
        // It is within a point already.
        return None;
    }
    let narrower = format!(" About {} games would bring it to within 1 percentage point.", count(wanted));
    let seen = match wins {
        0 => format!("none of {} was won", games(n)),
        1 => format!("only 1 of {} was won", games(n)),
        _ => format!("only {} of {} were won", count(wins), games(n)),
    };
    let whose = who.map_or(String::new(), |who| format!(" of {who}"));
    Some(format!(
        "The interval of the house edge{whose} is wide because a win pays {} and {seen}. As many as {} of games may be wins.{narrower}",
        money(paid(all), casino, paid(all) % 100.0 == 0.0),
        share(most),
    ))
}

/// The rarest win among several as one sentence, as all of them need the same.
pub(super) fn rarest<'a>(all: impl Iterator<Item = (&'a Casino, &'a [u64], String)>) -> Option<String> {
    let told: Vec<String> =
        all.filter_map(|(casino, histogram, who)| why_wide(casino, histogram, Some(&who))).collect();
    let more = match told.len() {
        0 | 1 => String::new(),
        n => format!(" The same is true of {}.", plural(n as u64 - 1, "other")),
    };
    told.into_iter().next().map(|first| format!("{first}{more}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Spec;

    #[test]
    fn a_rare_prize_is_told_of_and_ordinary_wins_are_not() {
        let casino = Casino { stake: 3000, pays_for_win: 5_000_000, ..Spec::default().casino };
        let mut games = vec![0; 53];
        (games[3], games[8]) = (5_000, 5_000);
        let none = why_wide(&casino, &games, None).unwrap();
        assert!(
            none.contains("a win pays $50,260 and none of 10,000 games was won. As many as 0.037% of games"),
            "{none}"
        );
        assert!(none.contains("would bring it to within 1 percentage point"), "{none}");
        games[52] = 2;
        assert!(why_wide(&casino, &games, Some("greedy")).unwrap().contains("of greedy is wide"));
        let ordinary = Casino { stake: 5200, pays_for_win: 0, ..casino };
        games[52] = 350;
        assert_eq!(why_wide(&ordinary, &games, None), None);
        assert_eq!(why_wide(&ordinary, &[0; 53], None), None);
    }
}
