//! The steps of a stake, as a table.

use maud::{Markup, html};

use crate::report::Entry;
use crate::report::figures::{FormattedEstimate, count, gain_estimate, money, share};
use crate::report::stakes::{COMPARED, NO_PRICE};
use crate::stats::StakesSummary;

pub(super) fn table(entry: &Entry<'_>, stakes: &StakesSummary) -> Markup {
    let casino = &entry.rules.casino;
    let games = entry.summary.games.max(1) as f64;
    let worth = |estimate| match estimate {
        Some(estimate) => gain_estimate(estimate, casino),
        None => FormattedEstimate::exact("never stopped".into()),
    };
    let all = worth(stakes.worth_of_stopping);
    html! {
        h3 { "The stake, step by step" }
        div.wide {
            table {
                thead {
                    tr {
                        th { "Stage" } th.n { "Cost" } th.n { "Asked" } th.n { "Bought" } th.n { "Games stopped" }
                        th.n { "Stopping is worth, a game stopped" } th.n { "95% interval" }
                    }
                }
                tbody {
                    @for stage in &stakes.stages {
                        tr {
                            th scope="row" { (stage.at.word()) }
                            td.n { (money(stage.cost as f64, casino, false)) }
                            td.n { (count(stage.asked)) }
                            td.n { (count(stage.bought)) }
                            @if stage.at.stops() {
                                @let worth = worth(stage.worth_of_stopping);
                                td.n { (count(stage.stopped)) " (" (share(stage.stopped as f64 / games)) ")" }
                                td.n { (worth.value) } td.n { (worth.interval) }
                            } @else {
                                td.n { "goes on" } td.n {} td.n {}
                            }
                        }
                    }
                    tr {
                        th scope="row" { "all, a game dealt" } td.n {} td.n {} td.n {}
                        td.n { (count(stakes.stopped)) " (" (share(stakes.stopped as f64 / games)) ")" }
                        td.n { (all.value) } td.n { (all.interval) }
                    }
                }
            }
        }
        p.muted { (COMPARED) " There is no fair price: " (NO_PRICE) "." }
    }
}
