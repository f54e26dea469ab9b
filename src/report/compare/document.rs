//! A comparison as a document, for the terminal and the page.

use super::ranking::Ranking;
use super::words::{answer, common, hypotheses, less, line, said, source, verdict_in_short};
use super::{CompareReport, ComparedEntry, charts, tables};
use crate::figures::{FormattedEstimate, Side, count, games, plural};
use crate::lab::Tested;
use crate::report::document::{Block, Card, Document};
use crate::report::provenance::of_listed_deals;
use crate::report::rare::{price, why_difference_is_wide};
use crate::stats::Measure;

const WARNING: &str = "These figures hold for these rules; another seed would change them by about as much as the intervals show.";

/// The report of a comparison.
pub fn compare_document<'a>(report: &'a CompareReport<'a>) -> Document<'a> {
    let names = report.names();
    let mut document = Document {
        brief: false,
        title: title(report, &names),
        provenance: report.provenance(),
        findings: Vec::new(),
        warning: report.provenance().deals.map_or_else(|| WARNING.into(), of_listed_deals),
        played: played(report, &names),
        cards: Vec::new(),
        blocks: Vec::new(),
        notes: notes(report),
    };
    match &report.compared.tested {
        Some(tested) => two(&mut document, report, tested, &names),
        None => many(&mut document, report, &names),
    }
    document
}

fn played(report: &CompareReport<'_>, names: &[String]) -> String {
    let dealt = format!("{} of {}", games(report.compared.games), source(report));
    match names {
        [a, b] => format!(
            "{dealt}, dealt to both, of {} at most; differences are {}",
            count(report.budget),
            less(a, b)
        ),
        names => format!("{dealt}, dealt to all {}", names.len()),
    }
}

fn title(report: &CompareReport<'_>, names: &[String]) -> String {
    let against = match names {
        [a, b] => format!("{a} against {b}"),
        names => format!("{} compared", names.join(", ")),
    };
    match report.of_rulesets() {
        true => format!("{against}, {}", common(report)),
        false => format!("{against} on {}", common(report)),
    }
}

fn two<'a>(document: &mut Document<'a>, report: &'a CompareReport<'a>, tested: &Tested, names: &[String]) {
    let Some(pair) = report.compared.pairs.first() else { return };
    let summary = pair.tally.summary(tables::PLAIN);
    document.findings = vec![answer(report, tested, names)];
    document.cards = cards(report, tested, names);
    // The test and the difference come first, then the figures, then how they are spread.
    let blocks = &mut document.blocks;
    let first = [charts::test(report), charts::running(report), charts::wins(report)];
    blocks.extend(first.into_iter().flatten().map(Block::Chart));
    blocks.push(Block::Table(tables::by_measure(report, tested, &summary, names)));
    blocks.extend(wide(report, names).map(Block::Text));
    blocks.push(Block::Table(tables::by_deal(&summary, names)));
    blocks.extend(charts::differences(report).map(Block::Chart));
    blocks.push(Block::Heading("The test".into()));
    blocks.push(Block::Text(hypotheses(report, tested, names)));
    blocks.push(Block::Table(tables::test(tested)));
    shown(blocks, report, names);
    blocks.push(Block::Heading("To quote".into()));
    blocks.push(Block::Verbatim(line(report, tested, names)));
    document.notes.insert(0, format!("On these deals {}.", tables::spread(report, &summary)));
}

/// Why the difference in money is not known better.
fn wide(report: &CompareReport<'_>, names: &[String]) -> Option<String> {
    let ([a, b], [first, second]) = (&report.entries[..], names) else { return None };
    let of = |it: &'_ ComparedEntry<'_>| price(it.entry.summary, &it.entry.rules.casino);
    let told = [(a, first), (b, second)]
        .map(|(it, name)| (&it.entry.rules.casino, of(it), &it.entry.summary.histogram[..], name.as_str()));
    if report.has_money() { why_difference_is_wide(told) } else { None }
}

fn cards(report: &CompareReport<'_>, tested: &Tested, names: &[String]) -> Vec<Card> {
    let Some((first, pair)) = report.entries.first().zip(report.compared.pairs.first()) else {
        return Vec::new();
    };
    let casino = &first.entry.rules.casino;
    let after = format!("after {}", plural(tested.standing.games, "deal"));
    let mut cards = vec![Card {
        // Blue and orange are for the house and the player alone.
        side: Side::Open,
        what: "the test says".into(),
        said: FormattedEstimate {
            value: verdict_in_short(tested, names, report),
            interval: after,
            ..Default::default()
        },
    }];
    let what = |measure: Measure| match measure {
        Measure::Cards => "difference in cards",
        Measure::Wins => "in games won",
        Measure::Money => "in net a game",
    };
    let measures = Measure::ALL.into_iter().filter(|&it| it != Measure::Money || report.has_money());
    cards.extend(measures.map(|measure| {
        // Only that which was tested is free of the bias of stopping.
        let estimate = match measure == report.measure {
            true => tested.estimate,
            false => pair.tally.difference(measure, tables::PLAIN),
        };
        Card { side: Side::Open, what: what(measure).into(), said: said(measure, estimate, casino) }
    }));
    cards
}

fn many<'a>(document: &mut Document<'a>, report: &'a CompareReport<'a>, names: &[String]) {
    let ranking = Ranking::of(report);
    document.findings = ranking.findings(report, names);
    let cut = tables::short_apart(names);
    document.cards = ranking
        .order
        .iter()
        .take(6)
        .map(|&entry| Card {
            side: Side::Open,
            what: format!("{} ({})", cut[entry], ranking.letters[entry]),
            said: tables::alone(report, entry),
        })
        .collect();
    let blocks = &mut document.blocks;
    blocks.push(Block::Table(tables::ranking(report, &ranking, names)));
    let drawn = [charts::ranking(report, &ranking), charts::pairs(report, &ranking)];
    blocks.extend(drawn.into_iter().flatten().map(Block::Chart));
    blocks.push(Block::Table(tables::pairs(report, &ranking, names)));
    shown(blocks, report, names);
    blocks.push(Block::Heading("To quote".into()));
    blocks.push(Block::Verbatim(ranking.line(report, names)));
}

fn shown(blocks: &mut Vec<Block>, report: &CompareReport<'_>, names: &[String]) {
    let lines = tables::shown(report, names);
    if !lines.is_empty() {
        blocks.push(Block::Heading("Where they differ most".into()));
        blocks.push(Block::Verbatim(lines.join("\n")));
    }
}

fn notes(report: &CompareReport<'_>) -> Vec<String> {
    let mut notes = vec![
        "Every deal was shuffled once and played to its end by every strategy, which sees only what a person at the table \
         could see. Differences are taken deal by deal, so the luck of the deal cancels out."
            .to_string(),
        "A 95% interval contains the true figure in at least 95 of 100 such runs. Rates have the exact interval of Clopper and \
         Pearson, means and differences its extension to numbers of a known range (Gaffke 2005). Limits are \
         rounded outwards. Games that were stopped undecided are counted both ways, and the outer limits are shown."
            .to_string(),
    ];
    if let Some(tested) = &report.compared.tested {
        notes.push(
            "The test is a pair of generalized sequential probability ratio tests, as testers of chess engines use them \
             (Van den Bergh, for Fishtest): one of a difference of d for each side, against no difference. \
             Together they decide between three results (Sobel and Wald 1949). If there is no difference, the test \
             finds one in at most alpha of all runs; if there is a difference of d, it misses it in at most beta. \
             It checks after every block of 1,000 deals, in order. A difference smaller than d may be found or missed, so that the better side need not be better by d."
                .to_string(),
        );
        notes.push(match tested.played_on {
            true => "All deals were played whatever the test found, so the means need no correction.".into(),
            false => "A run that stops when things look good overstates the difference. The figure at the top is \
                      median-unbiased: of all such runs, half give more than the true difference, half less (runs ordered \
                      by their means, Emerson and Fleming 1990; numerical integration, Armitage, McPherson and Rowe 1969). \
                      The other means and intervals are as if the number of deals had been fixed before."
                .to_string(),
        });
    } else {
        notes.push(
            "The intervals of all pairs are Bonferroni's: each has an error rate of 5% divided by the number of pairs, so all \
             of them are right at once in at least 95% of runs. Two entries differ if their interval does not \
             contain 0; letters mark the largest groups in which no two entries differ (Piepho 2004)."
                .to_string(),
        );
    }
    notes
}
