//! What a night says, in sentences.

use super::EstimateReport;
use crate::figures::{
    FormattedEstimate, Number, Side, count, edge, edge_to, fixed, games, money, percent_to, plural,
};
use crate::report::document::{Card, Finding};
use crate::report::labels::{name_in_full, percent_text};
use crate::stats::{Estimate, NightRow, Posterior};

/// What every reader must know.
pub(super) const WARNING: &str =
    "Every figure holds only if all who came play like one of these kinds; nobody else is looked for.";

/// From this error of the draws on, the edge after the night is called rough.
const ROUGH: f64 = 0.0025;

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
    probability(p, if (0.01..=0.9999).contains(&p) { 1 } else { 2 })
}

/// A probability with so many decimals of a percentage, without claiming none or all.
fn probability(p: f64, decimals: usize) -> String {
    let unit = 10f64.powi(-(decimals as i32));
    match 100.0 * p {
        percent if percent < unit => format!("under {}%", fixed(unit, decimals)),
        percent if percent > 100.0 - unit => format!("over {}%", fixed(100.0 - unit, decimals)),
        percent => format!("{}%", fixed(percent, decimals)),
    }
}

/// A probability with its limits, where they can be told apart.
pub(super) fn chance_in_words(e: Estimate) -> String {
    let [value, low, high] = [e.value, e.low, e.high].map(chance);
    if low == high { value } else { format!("{value} (95% interval {low} to {high})") }
}

/// The probability that the house loses: a range where it hangs on payments that no game has shown.
pub(super) fn losing(it: &Posterior) -> String {
    let decimals = it.decimals().min(2);
    let [low, high] = [it.estimate.low, it.estimate.high].map(|p| probability(p, decimals));
    if low == high { low } else { format!("{low} to {high}") }
}

/// The edge after the night, to the last digit that other draws do not change.
pub(super) fn edge_after(it: &Posterior) -> FormattedEstimate {
    edge_to(it.estimate, it.decimals())
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
    let after = edge_after(&found.edge);
    let edges = Finding {
        side: Side::of(found.edge.estimate),
        finding: format!("The players of this night leave an edge of {}", after.value),
        rest: format!(
            " ({}); before the night {} was expected. The house loses to such players with a probability of {}.",
            after.interval_in_words(),
            alone(found.edge_before),
            losing(&found.losing)
        ),
    };
    let edges = Some(edges).filter(|_| !found.unexplained);
    let all = unexplained(report).into_iter().chain([luck(report), watched(report)]).chain(edges);
    all.chain(unused(report)).collect()
}

/// That no mix of these kinds gives such a night.
pub(super) fn unexplained(report: &EstimateReport<'_>) -> Option<Finding> {
    let found = report.found;
    found.unexplained.then(|| {
        Finding::open(
            format!(
                "No mix of these kinds explains the night: whichever comes, a night so unlike it has a probability of {}{}",
                if found.fit < 1e-4 { "" } else { "at most " },
                chance(found.fit)
            ),
            format!(
                ", and the limit is {}. Other players came, other rules were played, or the results are wrong; so no edge and no \
                 shares of these kinds are to be trusted.",
                percent_text(report.alpha)
            ),
        )
    })
}

/// What a file of patrons says that is not used.
pub(super) fn unused(report: &EstimateReport<'_>) -> Option<Finding> {
    report.guests.iter().any(|it| it.decks_each > 1).then(|| {
        Finding::open(
            "`decks_each` is not used: every deck is taken as drawn apart",
            ". Decks that one player plays in a row hang together, so chance pays so much oftener than it says here, the watch \
             gives more false alarms, and the intervals are too narrow.",
        )
    })
}

/// Whether a night that is looked at once was luck.
#[derive(Clone, Copy, PartialEq)]
enum Luck {
    Yes,
    /// The payout is too high, or too low.
    TooHigh,
    TooLow,
    /// The measured games are too few to say.
    Open,
}

fn at_one_look(report: &EstimateReport<'_>) -> Luck {
    let (high, low) = (report.found.chance, report.found.chance_of_less);
    let rate = report.alpha;
    if high.high <= rate {
        Luck::TooHigh
    } else if low.high <= rate {
        Luck::TooLow
    } else if high.low <= rate || low.low <= rate {
        Luck::Open
    } else {
        Luck::Yes
    }
}

/// Was it luck? The answer of one look at the whole night.
fn luck(report: &EstimateReport<'_>) -> Finding {
    let found = report.found;
    let paid = dollars(report, found.paid as f64);
    let rate = percent_text(report.alpha);
    let is_low = found.chance_of_less.value < found.chance.value;
    let (chance, or) = if is_low { (found.chance_of_less, "less") } else { (found.chance, "more") };
    let answer = at_one_look(report);
    let (side, finding) = match answer {
        Luck::Yes => (Side::Open, "Yes, it may have been"),
        Luck::TooHigh => (Side::Player, "No"),
        Luck::TooLow => (Side::House, "No"),
        Luck::Open => (Side::Open, "Too few games were measured to say"),
    };
    let judged = match answer {
        Luck::Yes => format!("which is no rarer than the limit of {rate}"),
        Luck::TooHigh => format!(
            "which is rarer than the limit of {rate}: better players came than those expected, or something is wrong"
        ),
        Luck::TooLow => format!(
            "which is rarer than the limit of {rate}: weaker players came than those expected, or payments are missing"
        ),
        Luck::Open => {
            format!("and the limit of {rate} lies in between: measure more games, with -n and --search-games")
        }
    };
    let kept = match found.kept < 0.0 {
        true => format!("the house lost {}", alone(-found.kept)),
        false => format!("the house kept {}", alone(found.kept)),
    };
    Finding {
        side,
        finding: format!(
            "Was {} luck? {finding}: chance alone pays {paid} or {or} in {} of such nights",
            if found.unexplained { "the sum" } else { "it" },
            chance_in_words(chance)
        ),
        rest: format!(
            ", {judged}. If the players are those expected ({}), {} {} paid {} on average; {} of the stakes.",
            expected(report),
            decks(report),
            if found.decks == 1 { "is" } else { "are" },
            dollars(report, found.expected),
            kept.replace('+', "")
        ),
    }
}

/// What the test says that may be looked at after every row, and why it may differ from one look.
fn watched(report: &EstimateReport<'_>) -> Finding {
    let found = report.found;
    let rate = percent_text(report.alpha);
    let once = at_one_look(report);
    let promise = format!(
        "It gives a false alarm in at most {rate} of honest nights, however often one looks and whenever one stops"
    );
    match found.too_bad_after {
        Some(after) => {
            let differ = match once {
                Luck::TooHigh => "",
                _ => {
                    " One look at the whole night does not show it, as what came after the alarm was ordinary: look at the decks before it."
                }
            };
            Finding {
                side: Side::Player,
                finding: format!(
                    "Watched deck by deck, the night gave an alarm after {}",
                    plural(after, "deck")
                ),
                rest: format!(": that much by then is no luck either. {promise}.{differ}"),
            }
        }
        None => {
            let most = found.course.iter().map(|at| at.one_in).fold(1.0, f64::max);
            let nearest = match most > 1.0 {
                true => format!(
                    "it would have given one at an error rate of {}, and --alpha allows {rate}",
                    chance(1.0 / most)
                ),
                false => "it came nowhere near one".to_string(),
            };
            let rest = match once {
                Luck::TooHigh => format!(
                    ": {nearest}. {promise}, and pays for that with a stricter limit than one look. Trust the one look if it was settled before \
                     the night that it would be judged once, at its end; trust the watch if the night was picked because much was paid, or was \
                     watched as it went."
                ),
                Luck::TooLow => format!(": {nearest}. It looks for payouts that are too high. {promise}."),
                _ => format!(
                    ": {nearest}. {promise}. No alarm does not show that the expected players came: few decks show little."
                ),
            };
            Finding::open("Watched deck by deck, the night gave no alarm", rest)
        }
    }
}

pub(super) fn played(report: &EstimateReport<'_>) -> String {
    let each = report.names().into_iter().zip(report.tallies);
    let each: Vec<String> = each.map(|(name, tally)| format!("{} of {name}", games(tally.games()))).collect();
    format!("{}; seed {}", each.join(", "), report.seed)
}

pub(super) fn cards(report: &EstimateReport<'_>) -> Vec<Card> {
    let found = report.found;
    let exact = |number: f64, said: String| FormattedEstimate::of(number, said);
    let mut cards = vec![
        Card::new("house edge expected", exact(found.edge_before, alone(found.edge_before))),
        Card::new("kept of the stakes", exact(found.kept, alone(found.kept))),
        Card::new("chance of so high a payout", chance_estimate(found.chance)),
    ];
    if !found.unexplained {
        cards.insert(0, Card::new("house edge after the night", edge_after(&found.edge)));
        let losing = exact(found.losing.estimate.value, losing(&found.losing));
        cards.push(Card::new("the house loses to them", losing));
    }
    cards
}

pub(super) fn notes(report: &EstimateReport<'_>) -> Vec<String> {
    let found = report.found;
    let mut notes = Vec::new();
    if !found.unexplained {
        notes.extend([
        format!(
            "Before the night the shares have a Dirichlet distribution with the expected shares as its mean, which weighs as much \
             as {} of which it is known who played them. The shares after the night are means and the middle 95% of {} weighted \
             draws from the posterior, which say as much as {} independent ones (effective sample size). How well each kind plays is \
             drawn again many times from the measured games.",
            plural(report.weight, "deck"),
            count(found.draws),
            count(found.effective_draws as u64)
        ),
        format!(
            "Other draws would move the edge after the night by {} points, and other games, with another --seed, by {} (standard errors); \
             so figures are printed to the last digit that other draws leave as it is. More games (-n, --search-games) give more digits.",
            error(found.edge.error_of_draws),
            error(found.edge.error_of_games)
        ),
        ]);
    }
    notes.extend([
        "The chance of a payout is exact for the measured games up to 2,000 decks, and computed in groups of decks beyond: the \
         convolution of what a deck of the expected players is paid. Its limits, and those of the edge, allow for great payments \
         too rare for these games to show."
            .into(),
        format!(
            "The watch bets on every deck, in the order of the file, that it is paid more than the mean of the expected players. A fair bet \
             multiplies its stake by {} with a probability of at most {} (Ville's inequality), and that is the alarm; the mean is taken so \
             high that the measured games exceed it once in a thousand.",
            fixed(1.0 / report.alpha, 0),
            percent_text(report.alpha)
        ),
        format!(
            "Whether any mix explains the night is asked of what all decks are paid, against decks paid as much, or as little, as any of \
             the kinds at each number of cards; and, where cards are known, of the likelihood of the mix that fits best (universal \
             inference). Of nights that a mix plays at most {} are called unexplained, as the limits of the measured games are in it.",
            percent_text(report.alpha)
        ),
    ]);
    if report.results.iter().any(|it| matches!(it, NightRow::Together { .. })) {
        notes.push(
            "Decks that were paid together say less than decks one by one: their sum is taken as normal, and the watch looks only \
             after each row."
                .into(),
        );
    }
    if found.edge.error_of_draws > ROUGH && !found.unexplained {
        notes.push(
            "The draws do not settle the figures after the night, as so little is believed before it: take them as rough, or give a \
             greater --prior."
                .into(),
        );
    }
    notes
}

/// The share of a kind.
pub(super) fn share(it: &Posterior) -> FormattedEstimate {
    percent_to(it.estimate, it.decimals())
}

/// A standard error in percentage points.
fn error(fraction: f64) -> String {
    let decimals = (-(100.0 * fraction).log10()).ceil().clamp(0.0, 4.0) as usize;
    fixed(100.0 * fraction, decimals)
}
