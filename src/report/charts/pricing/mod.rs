//! The charts of prices: the edge against each term, and changed rulesets by their edge.

mod ranking;
mod term;

use super::Chart;
use crate::report::price::PriceReport;
use crate::stats::Term;

/// Charts of the terms that give the edge, and that of the changed rulesets if there are any.
pub fn price_charts<'a>(report: &'a PriceReport<'a>) -> (Vec<Chart<'a>>, Option<Chart<'a>>) {
    let pictures = Term::ALL.into_iter().filter_map(|term| term::TermPicture::new(report, term));
    let name = |term: Term| match term {
        Term::DeckPrice => "price-of-the-deck",
        Term::PayPerCard => "pay-per-card",
        Term::WinBonus => "bonus-for-the-win",
    };
    let terms = pictures.map(|picture| Chart::of(name(picture.term), picture)).collect();
    let some = !report.results.variants.is_empty();
    (terms, some.then(|| Chart::of("one-rule-changed", ranking::Ranking(report))))
}
