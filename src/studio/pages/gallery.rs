//! The gallery: the reports of the folder, and long jobs that make more.

use maud::{Markup, html};

use crate::rules::shelf;
use crate::studio::Folder;
use crate::studio::gallery::list;

use super::design::{plan, strategies};
use super::{choices, page};

/// Numbers of games offered.
const GAMES: [(u64, &str); 4] = [
    (100_000, "100,000"),
    (1_000_000, "1 million"),
    (10_000_000, "10 million"),
    (100_000_000, "100 million"),
];

pub(in crate::studio) fn gallery(folder: &Folder, token: &str) -> String {
    let reports = list(folder);
    let content = html! {
        main.gallery id="content" {
            h1 { "Reports" }
            (new_job(folder))
            ul.jobs id="jobs" aria-label="Long jobs" {}
            @if reports.is_empty() {
                p { "There is no report in this folder yet. Export one from the designer, or begin a job above." }
            }
            ul.reports {
                @for it in &reports {
                    li {
                        a href={ "/reports/" (it.name) "/index.html" } {
                            @if let Some([light, dark]) = &it.picture {
                                picture {
                                    source srcset=(dark) media="(prefers-color-scheme:dark)";
                                    img src=(light) alt="" loading="lazy" width="800" height="400";
                                }
                            } @else { span.blank aria-hidden="true" {} }
                            b { (it.title) }
                            span.muted { (it.name) ", " (it.age()) }
                        }
                    }
                }
            }
        }
    };
    page("Gallery", "/gallery", token, Some("gallery.js"), &content)
}

fn new_job(folder: &Folder) -> Markup {
    let files = folder.rulesets();
    html! {
        details.more {
            summary { "Make a report that takes long" }
            form.toolbar id="job" autocomplete="off" {
                label { span { "Report" }
                    select id="kind" {
                        option value="simulate" { "simulate: strategies side by side" }
                        option value="plan" { "plan: price, nights, best players" }
                        option value="character" { "character: length, decisions, luck and skill" }
                    }
                }
                label { span { "Rules" }
                    select id="rules" {
                        (choices(("", &files), ("", shelf()), files.is_empty().then_some("canfield")))
                    }
                }
                label id="who" { span { "Strategy" }
                    select id="strategy" { @for name in strategies(folder) { option value=(name) { (name) } } }
                }
                label { span { "Games" }
                    select id="games" {
                        @for (games, name) in GAMES { option value=(games) selected[games == 10_000_000] { (name) } }
                    }
                }
                label { span { "Seed" } input id="seed" type="number" min="0" step="1" value="1"; }
                div.planned id="planned" hidden { (plan()) }
                div.buttons { button type="submit" id="start" { "Start" } }
                p.muted.note { "It goes on while no page is open, until the studio ends; what it has finished is kept." }
            }
        }
        p.note id="note" role="status" {}
    }
}
