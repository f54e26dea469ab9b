//! A comparison as JSON, with everything needed to make it again.

use serde::Serialize;
use serde_json::{Value, json};

use super::CompareReport;
use super::ranking::Ranking;
use super::words::fixed_test_name;
use crate::lab::{CoursePoint, ShownDeal, Tested};
use crate::report::provenance::{Provenance, RulesSource, ScriptSource};
use crate::report::{PairingResult, entry_ids};
use crate::stats::{Estimate, PairSummary, Summary, TAIL};

#[derive(Serialize)]
struct Object<'a> {
    #[serde(flatten)]
    provenance: Provenance<'a>,
    /// Deals played by every entry, and how many there might have been.
    games: u64,
    budget: u64,
    interrupted: bool,
    measure: &'a str,
    entries: Vec<Item<'a>>,
    /// Of the first two entries, where there are no more.
    test: Option<Value>,
    ranking: Vec<Place>,
    /// Every pair; differences are those of `a` less `b`.
    pairs: Vec<Pair>,
    course: &'a [CoursePoint],
    deals: Vec<Deal<'a>>,
}

#[derive(Serialize)]
struct Item<'a> {
    id: String,
    rules: RulesSource<'a>,
    strategy: ScriptSource<'a>,
    summary: &'a Summary,
}

#[derive(Serialize)]
struct Place {
    id: String,
    /// Those who share a letter cannot be told apart.
    groups: String,
}

#[derive(Serialize)]
struct Pair {
    a: String,
    b: String,
    /// With 95% intervals for this pair alone.
    #[serde(flatten)]
    summary: PairSummary,
    /// By the measure, with an interval that holds for all pairs at once.
    adjusted: Estimate,
    told_apart: bool,
}

#[derive(Serialize)]
struct Deal<'a> {
    /// In the file of the deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(flatten)]
    deal: &'a ShownDeal,
    replay: Vec<String>,
}

/// The comparison as one JSON object without a line break at its end. Nothing in it depends on the clock of the
/// machine or on the number of threads.
///
/// # Errors
/// None that these types can cause; serde's interface has one.
pub fn compare_json(report: &CompareReport<'_>) -> Result<String, serde_json::Error> {
    let entries: Vec<PairingResult<'_>> = report.entries.iter().map(|it| it.entry).collect();
    let ids = entry_ids(&entries);
    let compared = report.compared;
    let ranking = Ranking::of(report);
    let tail = report.tail();
    let pairs = compared.pairs.iter().map(|pair| {
        let adjusted = pair.tally.difference(report.measure, tail);
        Pair {
            a: ids[pair.a].clone(),
            b: ids[pair.b].clone(),
            summary: pair.tally.summary(TAIL),
            adjusted,
            told_apart: adjusted.low > 0.0 || adjusted.high < 0.0,
        }
    });
    let deals = compared.shown.iter().map(|deal| Deal {
        id: report.deal_id(deal.game),
        deal,
        replay: report.entries.iter().map(|it| format!("{} --game {}", it.replay, deal.game)).collect(),
    });
    let items = report.entries.iter().zip(&ids).map(|(it, id)| Item {
        id: id.clone(),
        rules: it.rules_source(),
        strategy: it.script_source(),
        summary: it.entry.summary,
    });
    let places = ranking
        .order
        .iter()
        .map(|&entry| Place { id: ids[entry].clone(), groups: ranking.letters[entry].clone() });
    let object = Object {
        provenance: report.provenance(),
        games: compared.games,
        budget: report.budget,
        interrupted: compared.interrupted,
        measure: report.measure.word(),
        entries: items.collect(),
        test: compared.tested.as_ref().map(|tested| test(report, tested)),
        ranking: places.collect(),
        pairs: pairs.collect(),
        course: &compared.course,
        deals: deals.collect(),
    };
    serde_json::to_string_pretty(&object)
}

fn test(report: &CompareReport<'_>, tested: &Tested) -> Value {
    let Tested { test, fitted, verdict, standing, estimate, played_on } = tested;
    let pair = report.compared.pairs.first().filter(|_| verdict.is_none() && !report.compared.interrupted);
    let fixed = pair.and_then(|pair| pair.tally.fixed_test(report.measure));
    // Limits that nothing bounds are no numbers in JSON.
    json!({
        "h0": "b is better than a: the mean difference is below 0",
        "h1": "a is better than b: the mean difference is above 0",
        "difference": test.difference,
        "difference_from": fitted.map(|it| {
            json!({ "spread_of_first_deals": it.deals, "budget": it.budget, "likely_enough": it.enough })
        }),
        "alpha": test.alpha,
        "beta": test.beta,
        "lower": test.lower(),
        "upper": test.upper(),
        "verdict": verdict.map_or(json!("undecided"), |verdict| json!(verdict)),
        "games": standing.games,
        "variance": standing.variance,
        "llr_a": standing.llr_a,
        "llr_b": standing.llr_b,
        "llr": standing.llr(),
        "estimate": estimate,
        "played_on": played_on,
        "at_fixed_deals": fixed.map(|fixed| {
            json!({ "test": fixed_test_name(report.measure), "p": fixed.p, "difference": fixed.difference })
        }),
    })
}
