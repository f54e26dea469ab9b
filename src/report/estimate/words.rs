//! What a night says, in sentences.

use super::EstimateReport;
use crate::figures::{FormattedEstimate, Number, Side, edge, fixed, games, money, percent, plural};
use crate::report::document::{Card, Finding};
use crate::report::labels::{name_in_full, percent_text};
use crate::stats::{Estimate, NightRow};

/// What every reader must know.
pub(super) const WARNING: &str =
    "Every figure holds only if all who came play like one of these kinds; nobody else is looked for.";

pub(super) fn dollars(report: &EstimateReport<'_>, cents: f64) -> String {
    money(cents, &report.rules.casino, false)
}

/// The ruleset with its price.
pub(super) fn rules(report: &EstimateReport<'_>) -> String {
    format!(
        "{} at {}",
        name_in_full(report.name, report.id),
        dollars(report, report.rules.casino.stake as f64)
    )
}

pub(super) fn decks(report: &EstimateReport<'_>) -> String {
    plural(report.found.decks, "deck")
}

/// `30% beginner, 70% ordinary`
fn expected(report: &EstimateReport<'_>) -> String {
    let shares = report.guests.iter().zip(report.names());
    shares.map(|(it, name)| format!("{} {name}", percent_text(it.share))).collect::<Vec<_>>().join(", ")
}

pub(super) fn title(report: &EstimateReport<'_>) -> String {
    format!("Who came: {} of {}", decks(report), rules(report))
}

pub(super) fn subtitle(report: &EstimateReport<'_>) -> String {
    format!("{}; {}; expected {}", rules(report), decks(report), expected(report))
}

/// A probability, without claiming none or all.
pub(super) fn chance(p: f64) -> String {
    match p {
        p if p < 0.0001 => "under 0.01%".into(),
        p if p > 0.9999 => "over 99.99%".into(),
        p if p < 0.01 => format!("{}%", fixed(p * 100.0, 2)),
        p => format!("{}%", fixed(p * 100.0, 1)),
    }
}

/// A probability with its limits, where they can be told apart.
pub(super) fn chance_in_words(e: Estimate) -> String {
    let [value, low, high] = [e.value, e.low, e.high].map(chance);
    if low == high { value } else { format!("{value} (95% interval {low} to {high})") }
}

/// The probability that the house loses: a range where it hangs on payments that no game has shown.
pub(super) fn losing(e: Estimate) -> String {
    let [low, high] = [e.low, e.high].map(chance);
    if low == high { low } else { format!("{low} to {high}") }
}

fn chance_estimate(e: Estimate) -> FormattedEstimate {
    let [value, low, high] = [e.value, e.low, e.high].map(chance);
    let interval = if low == high { String::new() } else { format!("{low} to {high}") };
    FormattedEstimate { value, interval, number: Some(Number::Estimate(e)), ..FormattedEstimate::default() }
}

/// A share of money without an interval.
pub(super) fn alone(e: f64) -> String {
    edge(Estimate { value: e, low: e, high: e }).value
}

pub(super) fn findings(report: &EstimateReport<'_>) -> Vec<Finding> {
    let found = report.found;
    let paid = dollars(report, found.paid as f64);
    let mean = dollars(report, found.expected);
    let kept = if found.kept < 0.0 {
        format!("the house lost {} of the stakes", alone(-found.kept).trim_start_matches('+'))
    } else {
        format!("the house kept {} of the stakes", alone(found.kept).trim_start_matches('+'))
    };
    // The test looks at one side only; the other is told.
    let low = match found.chance.low > 1.0 - report.alpha {
        true => {
            " So low a payout is as unlikely: the players are weaker than those expected, or payments are missing."
        }
        false => "",
    };
    let were = if found.decks == 1 { "was" } else { "were" };
    let night = Finding {
        side: Side::Open,
        finding: format!("{} {were} paid {paid}, and {kept}", decks(report)),
        rest: format!(
            ". If the players are those expected ({}), the mean is {mean}, and chance alone pays {paid} or more in {} of such \
             nights.{low}",
            expected(report),
            chance_in_words(found.chance)
        ),
    };
    let rate = percent_text(report.alpha);
    let test = match found.too_bad_after {
        Some(after) => Finding {
            side: Side::Player,
            finding: format!("After {} the results were too bad for chance", plural(after, "deck")),
            rest: format!(
                ": the players are better than those expected, or something is wrong. An honest night is called so in at most \
                 {rate} of all nights, however often one looks."
            ),
        },
        None => {
            let most = found.course.iter().map(|at| at.wealth).fold(1.0, f64::max);
            let needed = fixed(1.0 / report.alpha, 0);
            let reached = format!("the evidence came to {}, and {needed} is needed", fixed(most.floor(), 0));
            match found.chance.high < report.alpha {
                true => Finding::open(
                    "Looked at once, at its end, the night is too bad for chance",
                    format!(
                        ", as chance pays so much in at most {} of nights, and {rate} is the limit. The test that may be looked at after every deck does not \
                         say so: {reached}.",
                        chance(found.chance.high)
                    ),
                ),
                false => Finding::open(
                    "The results were never too bad for chance",
                    format!(
                        ": {reached}. So nothing shows that the players were better than those expected, though a night of so few \
                         decks cannot rule it out. The test calls at most {rate} of honest nights too bad, however often one looks."
                    ),
                ),
            }
        }
    };
    let after = edge(found.edge);
    let edges = Finding {
        side: Side::of(found.edge),
        finding: format!("The players of this night leave an edge of {}", after.value),
        rest: format!(
            " ({}); before the night {} was expected. The house loses to such players with a probability of {}.",
            after.interval_in_words(),
            alone(found.edge_before),
            losing(found.losing)
        ),
    };
    vec![night, test, edges]
}

pub(super) fn played(report: &EstimateReport<'_>) -> String {
    let each = report.names().into_iter().zip(report.tallies);
    let each: Vec<String> = each.map(|(name, tally)| format!("{} of {name}", games(tally.games()))).collect();
    format!("{}; seed {}", each.join(", "), report.seed)
}

pub(super) fn cards(report: &EstimateReport<'_>) -> Vec<Card> {
    let found = report.found;
    let exact = |number: f64, said: String| FormattedEstimate::of(number, said);
    vec![
        Card::new("house edge after the night", edge(found.edge)),
        Card::new("house edge expected", exact(found.edge_before, alone(found.edge_before))),
        Card::new("kept of the stakes", exact(found.kept, alone(found.kept))),
        Card::new("chance of such a payout", chance_estimate(found.chance)),
        Card::new("the house loses to them", exact(found.losing.value, losing(found.losing))),
    ]
}

pub(super) fn notes(report: &EstimateReport<'_>) -> Vec<String> {
    let found = report.found;
    let mut notes = vec![
        format!(
            "Before the night the shares have a Dirichlet distribution with the expected shares as its mean, which weighs as much \
             as {} of which it is known who played them. The shares after the night are means and the middle 95% of {} draws from \
             the posterior (Gibbs sampling, four chains; R = {}, where 1 is full agreement). How well each kind plays is drawn \
             again for each from the measured games.",
            plural(report.weight, "deck"),
            crate::figures::count(found.draws),
            fixed(found.agreement, 3)
        ),
        "The chance of a payout is exact for the measured games up to 2,000 decks, and computed in groups of decks beyond: the \
         convolution of what a deck of the expected players is paid. Its limits, and those of the edge, allow for great payments \
         too rare for these games to show."
            .into(),
        format!(
            "The test is a bet on every deck that it is paid more than the mean of the expected players, in the order of the file. \
             Its wealth begins at 1 and reaches {} with a probability of at most {} by chance (Ville's inequality); the mean is \
             taken so high that the measured games exceed it once in a thousand.",
            fixed(1.0 / report.alpha, 0),
            percent_text(report.alpha)
        ),
    ];
    if report.results.iter().any(|it| matches!(it, NightRow::Together { .. })) {
        notes.push(
            "Decks that were paid together say less than decks one by one: their sum is taken as normal, and the test looks only \
             after each row."
                .into(),
        );
    }
    if found.agreement > 1.05 {
        notes.push("The chains of draws do not agree well: take the shares as rough.".into());
    }
    notes
}

/// The share of a kind.
pub(super) fn share(e: Estimate) -> FormattedEstimate {
    percent(e)
}
