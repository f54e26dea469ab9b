//! The game page.

use maud::html;

use crate::studio::Folder;

use super::design::strategies;
use super::page;

pub(in crate::studio) fn table(folder: &Folder, token: &str) -> String {
    let content = html! {
        main.table-page id="content" {
            h1.quiet { "Table" }
            form.toolbar id="toolbar" autocomplete="off" {
                p.title { b id="title" { "Canfield" } span.muted id="where" {} }
                label { span { "Seed" } input id="seed" type="number" min="0" step="1" value="1"; }
                label { span { "Game" } input id="game" type="number" min="0" step="1" value="0"; }
                div.buttons {
                    button type="button" id="again" { "Deal again" }
                    button type="button" id="next" { "Next game" }
                    button type="button" id="undo" title="Undo (Z)" { "Undo" }
                    button type="button" id="redo" title="Redo (Y)" { "Redo" }
                    button type="button" id="hint" title="Hint (H)" aria-pressed="false" { "Hint" }
                    button type="button" id="resign" { "Give up" }
                }
                label { span { "Player for hints and watching" }
                    select id="strategy" { @for name in strategies(folder) { option value=(name) { (name) } } }
                }
                div.buttons {
                    button type="button" id="watch" aria-pressed="false" { "Watch" }
                    button type="button" id="step" { "Step" }
                }
                label { span { "Speed" } input id="speed" type="range" min="1" max="20" value="4"; }
                label.tick { input id="four" type="checkbox"; "four colours" }
                p.note id="note" role="status" {}
            }
            div.felt {
                div id="board" role="group" aria-label="The table" {}
                aside.side {
                    dl.counts id="counts" {}
                    div.asks id="asks" hidden {}
                    div.over id="over" hidden {}
                    h2 { "Moves" }
                    ol.moves id="moves" aria-label="Legal moves" {}
                    details.more {
                        summary { "Deck and record" }
                        label { span { "A deck to play: cards in the order they leave the pack" }
                            textarea id="deck" rows="3" spellcheck="false" {}
                        }
                        button.small type="button" id="use-deck" { "Play this deck" }
                        button.small type="button" id="save-record" { "Save the record" }
                        p.muted { "Keys: D draw or redeal, Z undo, Y redo, H hint, 1 to 9 a move of the list." }
                    }
                    div.history role="group" tabindex="0" aria-label="Moves made" id="history" {}
                }
            }
            p.quiet id="said" aria-live="polite" {}
        }
    };
    page("Table", "/table", token, Some("table.js"), &content)
}
