//! A tuning as a document, for the terminal and the page.

use super::TuneReport;
use super::charts::tune_charts;
use crate::figures::{
    FormattedEstimate, Side, count, fixed, gain_estimate, games, mean, number, one_line, percent,
};
use crate::lab::tune::Candidate;
use crate::report::compare::own;
use crate::report::document::{Block, Card, Document, Finding};
use crate::report::labels::rules_in_full;
use crate::report::table::{DataTable, Head, exact, figure, name};
use crate::stats::{Estimate, Measure};
use crate::strategy::script::Parameter;

/// Lines of the table of candidates.
const SHOWN: usize = 12;

/// The report of a tuning.
pub fn tune_document<'a>(report: &'a TuneReport<'a>) -> Document<'a> {
    let mut blocks = vec![Block::Table(values(report))];
    blocks.extend(tune_charts(report).into_iter().map(Block::Chart));
    blocks.push(Block::Table(candidates(report)));
    if let Some(path) = report.written {
        blocks.push(Block::Heading("The script".into()));
        blocks.push(Block::Text(format!("With these values it was written to {path}.")));
    }
    Document {
        brief: false,
        title: title(report),
        provenance: report.provenance(),
        findings: vec![finding(report)],
        warning: "These values are for the rules that were played; other rules need other values.".into(),
        played: match report.compared() {
            true => format!(
                "{} in the race, then {} with fresh deals for each",
                games(report.raced.games),
                games(report.fresh.compared.games)
            ),
            false => format!("{} in the race", games(report.raced.games)),
        },
        cards: cards(report),
        blocks,
        notes: notes(),
    }
}

fn title(report: &TuneReport<'_>) -> String {
    let Some(first) = report.fresh.entries.last() else { return "Tuning".into() };
    format!(
        "{} tuned for {} on {}",
        one_line(first.entry.strategy),
        report.measured(),
        rules_in_full(&first.entry)
    )
}

fn finding(report: &TuneReport<'_>) -> Finding {
    let tried = format!("{} settings were tried", count(report.raced.candidates.len() as u64));
    if report.found() && !report.compared() {
        return Finding {
            side: Side::Open,
            finding: format!("Found and not compared: {}", report.values(&report.raced.winner, false)),
            rest: format!(
                " won the last finished generation. It was not yet compared with the defaults on fresh \
                     deals, so nothing was written. {tried}."
            ),
        };
    }
    let Some(gain) = report.gain().filter(|_| report.found()) else {
        return Finding {
            side: Side::Open,
            finding: "The defaults won".into(),
            rest: format!(": {tried}, and none came out ahead of them in the race."),
        };
    };
    let said = report.said(gain);
    let values = report.values(&report.raced.winner, false);
    let of = match report.measure {
        Measure::Cards => " cards a game",
        Measure::Wins => " of games won",
        Measure::Money => " a game for the player",
    };
    let fresh = count(report.fresh.compared.games);
    let finding = match gain {
        Estimate { low, .. } if low > 0.0 => {
            format!("Better with {values}: {}{of}", said.value)
        }
        Estimate { high, .. } if high < 0.0 => {
            format!("The defaults are better than {values}: {}{of}", said.value)
        }
        _ => format!("No sure gain: {}{of} with {values}", said.value),
    };
    let unwritten = if gain.low > 0.0 { "" } else { " Nothing was written, as no gain is sure." };
    Finding {
        side: Side::Open,
        finding,
        rest: format!(
            " compared with the defaults ({}), on {fresh} fresh deals. {tried}.{unwritten}",
            said.interval_in_words()
        ),
    }
}

fn cards(report: &TuneReport<'_>) -> Vec<Card> {
    let mut cards = Vec::new();
    if let Some(gain) = report.gain().filter(|_| report.found()) {
        cards.push(Card { side: Side::Open, what: "gain of tuning".into(), said: report.said(gain) });
    }
    let names: &[&str] = if !report.compared() {
        &[]
    } else if report.found() {
        &["tuned", "defaults"]
    } else {
        &["defaults"]
    };
    for (entry, name) in names.iter().enumerate() {
        let Some(own) = own(&report.fresh, entry) else { continue };
        cards.push(Card {
            side: Side::Open,
            what: format!("{name}: {}", report.measured()),
            said: alone(report, own),
        });
    }
    cards
}

fn alone(report: &TuneReport<'_>, e: Estimate) -> FormattedEstimate {
    match (report.measure, report.casino()) {
        (Measure::Cards, _) => mean(e),
        (Measure::Money, Some(casino)) => gain_estimate(e, casino),
        _ => percent(e),
    }
}

fn values(report: &TuneReport<'_>) -> DataTable {
    let each = report.parameters.iter().zip(&report.raced.winner);
    let row = |(parameter, value): (&Parameter, &i64)| {
        vec![
            exact(parameter.name.clone()),
            exact(parameter.write(*value)),
            exact(parameter.write(parameter.default)),
            exact(parameter.allowed().replace('`', "")),
        ]
    };
    DataTable::new(
        "Values",
        "The values of the winner beside the script's defaults.",
        vec![name("parameter"), figure("found"), figure("default"), figure("may be")],
        each.map(row),
    )
}

/// The mean of a candidate in the race: no interval, as it was chosen for being high.
fn in_race(report: &TuneReport<'_>, mean: f64) -> String {
    match report.measure {
        Measure::Cards => fixed(mean, 3),
        Measure::Wins => format!("{}%", fixed(mean * 100.0, 2)),
        Measure::Money => {
            report.casino().map_or(String::new(), |casino| crate::figures::money(mean, casino, false))
        }
    }
}

fn candidates(report: &TuneReport<'_>) -> DataTable {
    let mut order: Vec<_> = report.raced.candidates.iter().collect();
    let last = order.iter().map(|it| it.generation).max().unwrap_or(0);
    // Those who came farthest in the last generation first.
    order.sort_by(|a, b| {
        let key = |it: &Candidate| (it.generation, it.heats);
        key(b).cmp(&key(a)).then(b.mean().total_cmp(&a.mean()))
    });
    let row = |it: &&Candidate| {
        let values = report.parameters.iter().zip(&it.values);
        let mut row: Vec<FormattedEstimate> =
            values.map(|(parameter, value)| exact(parameter.write(*value))).collect();
        row.extend([
            exact((it.generation + 1).to_string()),
            exact(it.heats.to_string()),
            number(it.deals),
            exact(in_race(report, it.mean())),
        ]);
        row
    };
    let mut heads: Vec<Head> = report.parameters.iter().map(|it| figure(it.name.clone())).collect();
    heads.extend([figure("generation"), figure("heats"), figure("deals"), figure(report.measured())]);
    DataTable::new(
        "The race",
        format!(
            "The {} of {} candidates that lasted longest; there were {} generations. Only candidates of one generation \
                 with the same number of heats played the same deals. A candidate that is chosen for a high \
                 figure is partly lucky.",
            order.len().min(SHOWN),
            count(order.len() as u64),
            last + 1
        ),
        heads,
        order.iter().take(SHOWN).map(row),
    )
}

fn notes() -> Vec<String> {
    [
        "The values were found by racing: all candidates of a generation play the same deals, the worse \
             half drops out, and the others play twice as many new ones (successive halving). The next \
             generation lies closer around the winner. The first generation is spread over all values by a \
             Latin hypercube.",
        "The figures at the top come from deals that no candidate played in the race, with the same deals for the values \
         found and for the defaults: so they have no bias from choosing. Differences are taken deal by deal.",
        "A 95% interval contains the true figure in at least 95 of 100 such runs. Rates have the exact interval of Clopper \
         and Pearson, means and differences its extension to numbers of a known range (Gaffke 2005). Limits are rounded \
         outwards.",
    ]
    .map(String::from)
    .to_vec()
}
