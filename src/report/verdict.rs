//! Answers the owner's question, whether the house gains, in sentences.

use super::Entry;
use super::document::Finding;
use super::labels::rules_in_full;
use crate::format::{FormattedEstimate, Side, edge as signed_edge, games, money_estimate, percent, share};
use crate::game::End;
use crate::stats::{Estimate, Sides};

/// Warning for every reader of an edge.
pub(super) const WARNING: &str =
    "Each figure holds only for its rules and its player; another player has another edge.";

/// Counts the entries on each side, with joint 95% confidence.
pub(super) fn sides_of(entries: &[Entry<'_>]) -> Sides {
    Sides::of(entries.iter().map(|entry| entry.at_once.edge.map(Side::of)))
}

/// Returns who gains, how much, under which rules and with which player; for one of several.
pub(super) fn answer(entry: &Entry<'_>, several: usize) -> Finding {
    let s = entry.summary;
    let who = format!("under the rules of {} when {} plays", rules_in_full(entry), entry.strategy);
    if s.games == 0 {
        return Finding { side: Side::Open, finding: "No game was played".into(), rest: format!(" {who}.") };
    }
    let Some(edge) = entry.at_once.edge else { return without_edge(entry, &who) };
    let in_words = |said: FormattedEstimate| match several {
        1 => said.interval_in_words(),
        n => format!("{}, with 95% confidence for all {n} at once", said.interval),
    };
    let of = if s.stakes.is_some() { "what is staked" } else { "the price of each deck sold" };
    let said = percent(edge);
    match Side::of(edge) {
        side @ Side::House => Finding {
            side,
            finding: format!("The house keeps {} of {of}", said.value),
            rest: format!(" ({}), {who}.", in_words(said)),
        },
        side @ Side::Player => {
            let lost = percent(Estimate { value: -edge.value, low: -edge.high, high: -edge.low });
            Finding {
                side,
                finding: format!("The house loses {} of {of}", lost.value),
                rest: format!(" ({}), {who}.", in_words(lost)),
            }
        }
        side @ Side::Open => {
            let said = signed_edge(edge);
            let more = match entry.deals {
                Some(_) => "A longer list of such deals would show which side gains.",
                None => "More games would show which side gains.",
            };
            Finding {
                side,
                finding: format!("Too close to call: the house edge is {}", said.value),
                rest: format!(" ({}), {who}. {more}", in_words(said)),
            }
        }
    }
}

/// Returns the finding if there is no house edge.
fn without_edge(entry: &Entry<'_>, who: &str) -> Finding {
    let s = entry.summary;
    let won = percent(s.win_rate);
    let why = match (&s.stakes, s.fair_price) {
        (Some(stakes), _) if stakes.staked.value > 0.0 => {
            "Too few games were staked on to tell the house edge.".to_string()
        }
        (Some(_), _) => "Nothing was staked, so there is no house edge.".into(),
        (None, pays) => {
            let pays = pays.map_or(String::new(), |pays| money_estimate(pays, &entry.rules.casino).both());
            format!("The deck costs nothing and pays {pays} on average, so there is no house edge.")
        }
    };
    Finding {
        side: Side::Open,
        finding: format!("The player wins {} of games", won.value),
        rest: format!(" ({}), {who}. {why}", won.interval_in_words()),
    }
}

/// Describes how many entries are on which side, for a report of many.
pub(super) fn tally_of_sides(entries: &[Entry<'_>]) -> String {
    let Sides { house, player, open, unpriced } = sides_of(entries);
    let number = |n: usize| if n == 0 { "none".to_string() } else { n.to_string() };
    let all = entries.len();
    let whole = if all == 2 { "both".to_string() } else { format!("all {all}") };
    let mut text = match () {
        _ if house == all => format!("The house gains in {whole} combinations of rules and player"),
        _ if player == all => format!("The player gains in {whole} combinations of rules and player"),
        _ => format!(
            "Of {all} combinations of rules and player, the house gains in {} and the player in {}",
            number(house),
            number(player)
        ),
    };
    for (n, what) in [(open, "it is too close to call"), (unpriced, "the deck has no price")] {
        if n > 0 {
            text.push_str(&format!("; in {n} {what}"));
        }
    }
    if house + player + open > 1 {
        text.push_str(" (95% confidence for all at once)");
    }
    text + "."
}

/// Explains special ends of games, if they occurred.
pub(super) fn remarks(entry: &Entry<'_>) -> Vec<String> {
    let s = entry.summary;
    let part = |n: u64| format!("{} ({})", games(n), share(n as f64 / s.games.max(1) as f64));
    let mut remarks = Vec::new();
    if let Some(&n) = s.ends.get(&End::Repeated).filter(|&&n| n > 0) {
        remarks.push(format!(
            "repeated: in {} the strategy moved cards back and forth until one position occurred for the \
                 third time; counted as lost, with the cards then on the foundations",
            part(n)
        ));
    }
    if s.undecided > 0 {
        remarks.push(format!(
            "undecided: {} stopped as runaway, far longer than any real game; every interval allows for \
                 their worst and their best possible end",
            part(s.undecided)
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{named, sample};
    use super::*;

    #[test]
    fn sentences_name_rules_and_player() {
        let (spec, _, mut summary) = sample();
        let said = |summary: &crate::stats::Summary| {
            let Finding { finding, rest, .. } = answer(&named("mine", "greedy", &spec, summary), 1);
            format!("{finding}{rest}")
        };
        let with = |low, value, high| Some(Estimate { value, low, high });
        summary.house_edge = with(0.04, 0.05, 0.06);
        assert_eq!(
            said(&summary),
            "The house keeps 5.0% of the price of each deck sold (95% interval 4.0% to 6.0%), under the rules \
             of Canfield (mine) when greedy plays."
        );
        summary.house_edge = with(-0.06, -0.05, -0.04);
        assert!(said(&summary).starts_with("The house loses 5.0% of the price"), "{}", said(&summary));
        summary.house_edge = with(-0.01, 0.0, 0.01);
        assert!(said(&summary).starts_with("Too close to call: the house edge is 0%"), "{}", said(&summary));
        summary.house_edge = None;
        assert!(said(&summary).contains("so there is no house edge"), "{}", said(&summary));
    }
}
