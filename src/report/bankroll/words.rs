//! What a night comes to, in sentences.

use super::BankrollReport;
use crate::figures::{
    FormattedEstimate, Side, count, edge, fixed, gain_estimate, games, mean, money, money_estimate, percent,
    plural,
};
use crate::report::document::{Card, Finding};
use crate::report::labels::name_in_full;
use crate::report::labels::percent_text;
use crate::report::patrons::{IN_A_ROW, deviation_of, differ, in_tenths, tenths};
use crate::stats::{Bankroll, Estimate, House};

/// What every reader must know.
pub(super) const WARNING: &str = "Every figure holds only for these rules, prices and players.";

/// What is sold, by number.
pub(in crate::report) fn hands(report: &BankrollReport<'_>, n: u32) -> String {
    let what = if report.rules.casino.is_staged() { "hand" } else { "deck" };
    plural(n.into(), what)
}

pub(super) fn dollars(report: &BankrollReport<'_>, cents: f64) -> String {
    money(cents, &report.rules.casino, false)
}

/// Who buys the decks: `greedy`, or `70% greedy, 30% patient`; by the shares of this night.
pub(super) fn players(report: &BankrollReport<'_>) -> String {
    let names = report.names();
    if names.len() == 1 {
        return names.concat();
    }
    let shares: Vec<String> = match of_this_night(report) {
        Some(shares) => shares.iter().map(|share| tenths(*share)).collect(),
        None => shares(report).into_iter().map(percent_text).collect(),
    };
    let each: Vec<String> =
        shares.into_iter().zip(names).map(|(share, name)| format!("{share} {name}")).collect();
    each.join(", ")
}

/// The shares of the decks in the long run.
fn shares(report: &BankrollReport<'_>) -> Vec<f64> {
    report.patrons.iter().map(|it| it.guest.share).collect()
}

/// The shares of the decks of this night, where they differ noticeably.
pub(super) fn of_this_night<'a>(report: &BankrollReport<'a>) -> Option<&'a [f64]> {
    Some(&report.bankroll.shares[..]).filter(|night| differ(&shares(report), night))
}

/// Somebody buys several decks in a row.
fn has_visits(report: &BankrollReport<'_>) -> bool {
    report.patrons.iter().any(|it| it.guest.decks_each > 1)
}

fn rules(report: &BankrollReport<'_>) -> String {
    name_in_full(report.name, report.id)
}

/// At what price the deck is sold.
fn sold(report: &BankrollReport<'_>) -> String {
    report.bankroll.price.map_or(String::new(), |price| format!(" at {}", dollars(report, price as f64)))
}

pub(super) fn title(report: &BankrollReport<'_>) -> String {
    format!("A night of {}{}, played by {}", rules(report), sold(report), players(report))
}

/// The line under the title of a chart.
pub(in crate::report) fn subtitle(report: &BankrollReport<'_>) -> String {
    format!("{}{}, played by {}: {}", rules(report), sold(report), players(report), measured(report))
}

fn measured(report: &BankrollReport<'_>) -> String {
    let each: Vec<u64> = report.patrons.iter().map(|it| it.tally.games()).collect();
    let each = match &each[..] {
        [only] => games(*only),
        [first, rest @ ..] if rest.iter().all(|n| n == first) => format!("{} of each", games(*first)),
        all => games(all.iter().sum()),
    };
    format!("{each}, seed {}", report.seed)
}

pub(super) fn played(report: &BankrollReport<'_>) -> String {
    let open: u64 = report.patrons.iter().flat_map(|it| it.tally.undecided()).sum();
    let open = match open {
        0 => String::new(),
        n => format!("; {} undecided, counted as they stood; the limits count them both ways", games(n)),
    };
    let drawn = match report.bankroll.replicates {
        0 => "interrupted before the intervals were computed".into(),
        n => format!("intervals from {} bootstrap samples", count(n)),
    };
    format!("{}{open}; {drawn}", measured(report))
}

/// Below this a risk is only said to be so.
const RARE: f64 = 1e-5;

/// A risk in percent. What is too rare to matter is computed less exactly, and so is what hardly ever fails.
pub(in crate::report) fn risk(e: Estimate) -> FormattedEstimate {
    let nearly = |x: f64| x < 1.0 && 1.0 - x < RARE;
    // Limits go outwards, so a low one may only go down.
    let low = match e.low {
        x if x < RARE => 0.0,
        x if nearly(x) => 1.0 - RARE,
        x => x,
    };
    let high = match e.high {
        x if x < RARE => RARE,
        x if nearly(x) => 1.0,
        x => x,
    };
    let said = percent(Estimate { value: e.value.max(low).min(high), low, high });
    let interval = match (e.high < RARE, nearly(e.low)) {
        (true, _) => "0% to 0.001%".into(),
        (_, true) => "99.999% to 100%".into(),
        _ => said.interval,
    };
    let value = match e.value {
        x if x < RARE => "under 0.001%".into(),
        x if nearly(x) => "over 99.999%".into(),
        _ => said.value,
    };
    FormattedEstimate { value, interval, ..percent(e) }
}

/// How often a bank is ruined, or that this cannot happen.
pub(in crate::report) fn risk_of_bank(b: &Bankroll, bank: i64, ruin: Estimate) -> FormattedEstimate {
    match b.can_ruin(bank) {
        true => risk(ruin),
        false => {
            FormattedEstimate { interval: "cannot happen".into(), ..FormattedEstimate::of(0.0, "0%".into()) }
        }
    }
}

/// What an interval adds to a figure, in brackets; nothing where there is none.
fn within(report: &BankrollReport<'_>, said: &FormattedEstimate) -> String {
    match report.bankroll.replicates {
        0 => String::new(),
        _ => format!(" ({})", said.interval_in_words()),
    }
}

/// A number of decks, rounded up, whose upper limit may be none.
pub(in crate::report) fn decks_estimate(e: Estimate) -> FormattedEstimate {
    decks_to(e, 0)
}

/// The same with so many decimals.
pub(in crate::report) fn decks_to(e: Estimate, decimals: usize) -> FormattedEstimate {
    let unit = 10f64.powi(decimals as i32);
    let limit = |x: f64| if x.is_finite() { fixed(x / unit, decimals) } else { "no limit".into() };
    let interval = match e.low.is_finite() {
        true => format!("{} to {}", limit((e.low * unit).floor()), limit((e.high * unit).ceil())),
        false => "no interval".into(),
    };
    FormattedEstimate { value: limit((e.value * unit).ceil()), interval, ..mean(e) }
}

pub(super) fn findings(report: &BankrollReport<'_>) -> Vec<Finding> {
    let b = report.bankroll;
    let casino = &report.rules.casino;
    let decks = hands(report, b.decks);
    let side = Side::of(b.profit);
    let lost = Estimate { value: -b.profit.value, low: -b.profit.high, high: -b.profit.low };
    let (gains, size) = if b.profit.value < 0.0 { ("loses", lost) } else { ("gains", b.profit) };
    let size = money_estimate(size, casino).value;
    let mean = match side {
        Side::Open if b.replicates > 0 => {
            format!("Too close to call: the house {gains} {size} on average from {decks}")
        }
        _ => format!("The house {gains} {size} on average from {decks}"),
    };
    let losing = risk(b.losing_night);
    let mut all = vec![Finding {
        side,
        finding: format!("{mean}, and {} of nights end with a loss for it", losing.value),
        rest: format!(
            "{}, under the rules of {}{} when {} {}{}.",
            match b.replicates {
                0 => String::new(),
                _ => format!(" ({})", gain_estimate(b.profit, casino).intervals_in_words(&losing)),
            },
            rules(report),
            sold(report),
            players(report),
            if report.patrons.len() > 1 { "play" } else { "plays" },
            match of_this_night(report) {
                None => String::new(),
                Some(_) => format!(
                    ": the last visit is cut off, and in the long run they would buy {}",
                    in_tenths(&shares(report))
                ),
            }
        ),
    }];
    let ruin = risk(b.ruin);
    let bank = dollars(report, b.bank as f64);
    let safe = money_estimate(b.bank_for_1_percent, casino);
    all.push(match b.greatest_loss {
        ..=0 => Finding {
            side: Side::House,
            finding: "No bank is needed".into(),
            rest: ": no deck can pay more than it costs.".into(),
        },
        loss if !b.can_ruin(b.bank) => Finding {
            side: Side::House,
            finding: format!("A bank of {bank} cannot be ruined in this night"),
            rest: format!(
                ": it covers the greatest loss on one deck, {}, {} times. For a risk of 1%, {} is enough{}.",
                dollars(report, loss as f64),
                count(b.decks.into()),
                safe.value,
                within(report, &safe)
            ),
        },
        loss => Finding {
            // A risk of 1% is what a house can live with.
            side: if b.ruin.high <= 0.01 {
                Side::House
            } else if b.ruin.low > 0.01 {
                Side::Player
            } else {
                Side::Open
            },
            finding: format!("A bank of {bank} is ruined on {} of nights", ruin.value),
            rest: format!(
                "{}: at some point it can no longer cover the greatest loss on one deck, {}. To keep the risk at 1%, the bank \
                 must be {}{}.",
                within(report, &ruin),
                dollars(report, loss as f64),
                safe.value,
                within(report, &safe)
            ),
        },
    });
    all.push(match b.n0 {
        Some(n0) if n0.value <= 0.0 => Finding {
            side: Side::Open,
            finding: "The profit does not vary in this sample".into(),
            rest: ": the house gained the same from every deck, so there is no luck to compare the edge \
                with.".into(),
        },
        Some(n0) => {
            let said = decks_estimate(n0);
            let deck = if casino.is_staged() { "hand" } else { "deck" };
            let shown = n0.value.ceil();
            Finding {
                side: if n0.high.is_finite() { Side::House } else { Side::Open },
                finding: format!("The edge outweighs luck after {}", plural(shown as u64, deck)),
                rest: format!(
                    "{}: from then on the mean profit is more than one standard deviation; a night of {decks} is {} \
                     times that.",
                    within(report, &said),
                    two_digits(f64::from(b.decks) / shown)
                ),
            }
        }
        None => Finding {
            side: Side::of(b.profit),
            finding: "The edge never outweighs luck".into(),
            rest: ": on average the house does not gain, so more decks do not help it.".into(),
        },
    });
    all
}

/// A number above 0 to two digits, or a whole one: `0.031`, `1.4`, `120`.
fn two_digits(x: f64) -> String {
    let decimals = (1.0 - x.max(1e-9).log10().floor()).clamp(0.0, 9.0);
    fixed(x, decimals as usize)
}

pub(super) fn cards(report: &BankrollReport<'_>) -> Vec<Card> {
    let b = report.bankroll;
    let casino = &report.rules.casino;
    let side = Side::of(b.profit);
    let one = if casino.is_staged() { "hand" } else { "deck" };
    let card = |what: String, side, said| Card { side, what, said };
    let mut cards = vec![card("mean profit".into(), side, gain_estimate(b.profit, casino))];
    let of = match (report.patrons.len(), of_this_night(report)) {
        (..=1, _) => "house edge",
        (_, None) => "house edge of the mix",
        (_, Some(_)) => "house edge of the mix in the long run",
    };
    cards.extend(b.edge().map(|e| Card::new(of, edge(e))));
    cards.extend([
        card("losing nights".into(), Side::Open, risk(b.losing_night)),
        card(
            format!("ruin with {}", dollars(report, b.bank as f64)),
            Side::Open,
            risk_of_bank(b, b.bank, b.ruin),
        ),
        card("bank for 1% risk".into(), Side::Open, money_estimate(b.bank_for_1_percent, casino)),
        card(format!("deviation a {one}"), Side::Open, money_estimate(b.deck_sd, casino)),
    ]);
    // What those who do not run casinos have to be told stands beside the figure.
    let with = |said: FormattedEstimate, what: &str| {
        let gap = if said.interval.is_empty() { "" } else { "; " };
        FormattedEstimate { interval: format!("{}{gap}{what}", said.interval), ..said }
    };
    if let Some(index) = b.volatility_index {
        let what = format!("1.645 standard deviations of {}", deviation_of(has_visits(report)));
        cards.push(card("volatility index".into(), Side::Open, with(percent(index), &what)));
    }
    let said = match b.n0 {
        Some(n0) if n0.value <= 0.0 => FormattedEstimate::exact("n/a".into()),
        Some(n0) => decks_estimate(n0),
        None => FormattedEstimate::exact("never".into()),
    };
    let what = format!("{one}s until the mean profit is one standard deviation");
    let gains = if b.n0.is_none() { side } else { Side::Open };
    cards.push(card(format!("N0 ({one}s)"), gains, with(said, &what)));
    cards
}

/// What gains split between multiples of so many cents add to the standard deviation of a night at most: to the variance of a deck
/// a quarter of the square.
fn widened(b: &Bankroll, unit: i64) -> f64 {
    let sd = b.sd.value;
    (sd.powi(2) + f64::from(b.decks) * (unit as f64).powi(2) / 4.0).sqrt() - sd
}

/// The house edge against one patron alone.
pub(super) fn edge_of(report: &BankrollReport<'_>, patron: usize) -> FormattedEstimate {
    let edge_of = report.patrons.get(patron).and_then(|it| House::new(it.tally, &report.rules.casino).edge());
    edge_of.map_or(FormattedEstimate::exact("none".into()), edge)
}

pub(super) fn notes(report: &BankrollReport<'_>) -> Vec<String> {
    let b = report.bankroll;
    let casino = &report.rules.casino;
    let one = if casino.is_staged() { "hand" } else { "deck" };
    let mut notes = vec![
        format!(
            "Each {one} of the night is drawn from the measured games. The distribution of the profit is \
                 then exact: the convolution of what the house gains on each {one}{}.",
            match b.unit {
                None => String::new(),
                Some(unit) => format!(
                    ". The sums have too small a common unit, so each was split between the two nearest \
                         multiples of {}, which keeps the mean and adds at most {} to the standard deviation",
                    dollars(report, unit as f64),
                    dollars(report, widened(b, unit).ceil())
                ),
            }
        ),
        "Intervals are bootstrap intervals: every figure is computed again from the measured games with random weights and one \
         more game, the worst possible for the house or the best, and the limits enclose the middle 95% of the results. So \
         they allow for what happened in no game, such as a win where none was seen."
            .into(),
        format!(
            "The house is ruined when, before any {one} of the night, its bank plus the price of that {one} is less \
             than the most that the {one} can pay{}. The profit and the losing nights assume that every {one} is sold.",
            match b.greatest_loss {
                ..=0 => String::new(),
                loss => format!(", so that it could lose {}", dollars(report, loss as f64)),
            }
        ),
        format!(
            "N0 is the number of {one}s after which the mean profit is one standard deviation: the variance of {} divided by \
             the square of the mean.",
            match has_visits(report) {
                true => format!("many {one}s, divided by their number, and"),
                false => format!("a {one}"),
            }
        ),
    ];
    if b.volatility_index.is_some() {
        notes.push(format!(
            "The volatility index is 1.645 standard deviations of {}. Over n decks, the result \
             of nine nights in ten differs from the edge by at most the index divided by the square root of n.",
            deviation_of(has_visits(report))
        ));
    }
    if has_visits(report) {
        notes.push(IN_A_ROW.into());
    }
    if report.patrons.len() > 1 {
        notes.push(
            format!(
                "{} Each patron played different games, so their errors are independent.",
                match has_visits(report) {
                    true => "Each visit's player is drawn so that in a night without end the decks would be shared as the patrons are.",
                    false => "Each deck's player is drawn by the shares of the patrons.",
                }
            ),
        );
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_near_none_and_all_are_not_said_to_be_so() {
        let said = |value, low, high| risk(Estimate { value, low, high });
        assert_eq!(said(1e-9, 0.0, 1e-7).both(), "under 0.001% (0% to 0.001%)");
        assert_eq!(said(1e-9, 0.0, 0.01).value, "under 0.001%");
        assert_eq!(said(1.0 - 5e-10, 1.0 - 1e-9, 1.0).both(), "over 99.999% (99.999% to 100%)");
        assert_eq!(said(1.0 - 5e-10, 0.99, 1.0).value, "over 99.999%");
        assert_eq!(said(1.0, 1.0, 1.0).both(), "100% (100% to 100%)");
        assert_eq!(said(0.25, 0.2, 0.3).value, "25.0%");
    }
}
