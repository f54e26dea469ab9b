//! One entry of the page: its figures, its charts, its rules and its script.

use maud::{Markup, html};

use super::{figure, figures, rules, side, stakes};
use crate::report::answer::remarks;
use crate::report::charts::{self, ChartError};
use crate::report::clairvoyant;
use crate::report::figures::{
    FormattedEstimate, edge as edge_in_words, gain_estimate, mean, money_estimate, percent, share,
};
use crate::report::labels::in_full;
use crate::report::{Entry, Report};

pub(super) fn section(report: &Report<'_>, index: usize) -> Result<Markup, ChartError> {
    let section = &report.sections[index];
    let entry = &section.entry;
    Ok(html! {
        section id=(charts::slug(report, index)) {
            h2.entry { (in_full(entry)) }
            (cards(entry))
            @if let Some(known) = entry.clairvoyant {
                p { strong { "With every card known: " } (clairvoyant::found(known)) "." }
            }
            @for remark in remarks(entry) { p.warning { (remark) "." } }
            div.own { @for chart in charts::own(report, index) { (figure(&chart)?) } }
            h3 { "Figures" }
            (figures::table(entry))
            @if let Some(stakes) = &entry.summary.stakes { (stakes::table(entry, stakes)) }
            (figures::ends(entry))
            (figures::scores(entry))
            h3 { "The rules in words" }
            @if !entry.rules.about.is_empty() { p { (entry.rules.about) } }
            ul { @for line in rules::in_words(entry.rules) { li { (line) } } }
            @if !entry.rules.source.is_empty() { p.muted { "Source: " (entry.rules.source) } }
            details { summary { "The ruleset as written" } pre { code { (section.rules_text) } } }
            @if let Some(script) = section.script_text {
                details { summary { "The player's script" } pre { code { (script) } } }
            }
        }
    })
}

/// The figures an owner asks for first.
fn cards(entry: &Entry<'_>) -> Markup {
    let s = entry.summary;
    let casino = &entry.rules.casino;
    let card = |class: &str, what: &str, value: &str, below: &str| {
        html! { div class={ "card " (class) } { span { (what) } b { (value) } span { (below) } } }
    };
    let said =
        |class: &str, what: &str, said: FormattedEstimate| card(class, what, &said.value, &said.interval);
    html! {
        div.cards {
            @if let Some(edge) = s.house_edge {
                (said(side(Some(edge)), "House edge", edge_in_words(edge)))
                (said("", "House keeps of 100 decks", money_estimate(s.hold_per_100, casino)))
                @if let Some(fair) = s.fair_price {
                    (said("", "Fair price of the deck", money_estimate(fair, casino)))
                }
                @if let Some(stakes) = &s.stakes {
                    (said("", "Staked a game", money_estimate(stakes.staked, casino)))
                }
                (said("", "Player profits on", percent(s.hit_frequency)))
            }
            @if let (Some(pays), None) = (s.fair_price, s.house_edge) {
                @if entry.rules.casino.pays_per_card + entry.rules.casino.pays_for_win > 0 {
                    (said("", "A deck pays on average", money_estimate(pays, casino)))
                }
            }
            @if let Some(worth) = s.stakes.as_ref().and_then(|stakes| stakes.worth_of_stopping) {
                (said("", "Stopping is worth, a game", gain_estimate(worth, casino)))
            }
            (said("", "Games won", percent(s.win_rate)))
            (said("", "Mean cards", mean(s.cards)))
            @if let (Some(cards), true) = (s.break_even_cards, s.house_edge.is_some()) {
                (card("", "Break-even", &format!("{cards} cards"), "the player does not lose from here on"))
            }
            @if s.undecided > 0 {
                (card("", "Undecided", &share(s.undecided as f64 / s.games.max(1) as f64), "of games"))
            }
        }
    }
}
