//! The script editor, with a deal and a rival strategy beside it.

use maud::{Markup, html};

use crate::rules::shelf;
use crate::strategy::script::SHELF;
use crate::studio::Folder;

use super::design::strategies;
use super::{choices, page};

/// Initial text of a script.
const FIRST: &str = "\
// Plays what it can: up first, then from the reserve, and keeps a pile together unless it frees a space.
fn score(view, m) {
    if m.to_foundation { return 100; }
    if m.from_reserve { return 90; }
    if m.from_tableau { return if m.empties_pile && !m.to_space { 80 } else { -1 }; }
    if m.from_waste { return 70; }
    0
}
";
/// Numbers of games of a profile, and of deals of a comparison.
const GAMES: [(u64, &str); 3] = [(50, "50"), (500, "500"), (5_000, "5,000")];
const DEALS: [(u64, &str); 3] = [(10_000, "10,000"), (100_000, "100,000"), (1_000_000, "1 million")];

pub(in crate::studio) fn scripts(folder: &Folder, token: &str) -> String {
    let content = html! {
        main.scripts id="content" {
            h1.quiet { "Scripts" }
            (toolbar(folder))
            section.script aria-label="Script" {
                h2 { "Script" }
                div.code {
                    pre.gutter aria-hidden="true" { code id="gutter" {} }
                    div.sheet {
                        pre.paint aria-hidden="true" { code id="paint" {} }
                        textarea id="script" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"
                            aria-autocomplete="list" aria-controls="completions" aria-label="The script"
                            aria-describedby="cursor" { (FIRST) }
                        ul id="completions" role="listbox" aria-label="What may follow" hidden {}
                    }
                }
                p.about id="completion-about" hidden {}
                p.cursor { span id="cursor" {} " " span.muted id="meaning" {} }
                ul.faults id="faults" aria-live="polite" {}
                div.line {
                    button type="button" id="profile" { "Profile" }
                    label { span.quiet { "Games of the profile" }
                        select id="profile-games" { @for (n, name) in GAMES { option value=(n) { (name) " games" } } }
                    }
                    span.muted id="profiled" role="status" { "How often each line runs, and its share of the time" }
                }
                h3 { "Functions" }
                ul.functions id="functions" {}
                p.muted id="parameters" hidden {}
            }
            section.trial aria-label="A deal" {
                h2 { "On a deal" }
                div.line {
                    button type="button" id="trial-step" { "Step" }
                    button type="button" id="trial-back" { "Back" }
                    button type="button" id="trial-run" { "To the end" }
                    button type="button" id="trial-again" { "Deal again" }
                    span.muted id="trial-counts" {}
                }
                p.note id="trial-note" role="status" {}
                div id="board" role="group" aria-label="The table" {}
                ol.moves id="trial-moves" aria-label="Legal moves with their scores" {}
            }
            section.rival aria-label="Comparison" {
                h2 { "Beside another player" }
                div.line {
                    label { span.quiet { "The other player" }
                        select id="rival" { @for name in strategies(folder) { option value=(name) { (name) } } }
                    }
                    label { span.quiet { "Deals at most" }
                        select id="deals" {
                            @for (n, name) in DEALS { option value=(n) selected[n == 100_000] { (name) " deals" } }
                        }
                    }
                    button type="button" id="compare" { "Compare" }
                }
                p id="verdict" role="status" { "Both play the same deals until a test has its answer." }
                svg id="course" role="img" aria-label="The test" {}
            }
        }
    };
    page("Scripts", "/scripts", token, Some("scripts.js"), &content)
}

fn toolbar(folder: &Folder) -> Markup {
    let (scripts, rulesets) = (folder.list("rhai"), folder.rulesets());
    html! {
        form.toolbar id="toolbar" autocomplete="off" {
            label { span { "Start from" }
                select id="open" {
                    option value="" { "choose a script" }
                    (choices(("file:", &scripts), ("shelf:", SHELF), None))
                }
            }
            label { span { "File" } input id="file" size="18" value="my-way.rhai" spellcheck="false"; }
            div.buttons { button type="button" id="save" { "Save" } }
            label { span { "Rules" }
                select id="rules" {
                    (choices(("file:", &rulesets), ("shelf:", shelf()), Some("canfield")))
                }
            }
            label { span { "Seed" } input id="seed" type="number" min="0" step="1" value="1"; }
            label { span { "Game" } input id="game" type="number" min="0" step="1" value="0"; }
            p.note id="note" role="status" {}
        }
    }
}
