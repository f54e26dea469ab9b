//! The designer: a form of all keys, the text beside it, and the results.

use maud::{Markup, html};

use crate::lab::{LEAST_DEALS, MOST_DECKS, MOST_NIGHTS};
use crate::players;
use crate::rules::{Control, FormKey, FormTable, form, shelf};
use crate::studio::Folder;
use crate::units::PATRONS;

use super::{choices, page};

/// Tables that are initially open.
const OPEN: [&str; 3] = ["reserve", "stock", "casino"];
/// Kinds of patrons, whose names describe them.
const KINDS: [&str; 4] = ["beginner", "ordinary", "expert", "shark"];
/// Strategies offered first.
const USUAL: [&str; 3] = ["greedy", "patient", "search:level=1"];
/// Numbers of games offered.
const GAMES: [(u64, &str); 5] = [
    (1_000, "1,000"),
    (10_000, "10,000"),
    (100_000, "100,000"),
    (1_000_000, "1 million"),
    (10_000_000, "10 million"),
];

pub(in crate::studio) fn design(folder: &Folder, token: &str) -> String {
    let content = html! {
        main.designer id="content" {
            h1.quiet { "Designer" }
            (toolbar(folder))
            // Hidden from screen readers, which read the full results instead.
            p.brief id="brief" aria-hidden="true" {}
            section.keys aria-label="Rules" {
                h2 { "Rules" }
                p.muted.parent aria-live="polite" id="parent" { "extends canfield" }
                @for table in form() { (group(&table)) }
            }
            section.text aria-label="Text of the ruleset" {
                h2 { "Text" }
                div.editor {
                    pre.marks id="marks" aria-hidden="true" {}
                    textarea id="text" spellcheck="false" autocomplete="off" autocapitalize="off" wrap="off"
                        aria-label="The ruleset as TOML" aria-describedby="faults" {}
                }
                ul.faults id="faults" aria-live="polite" {}
                h3 { "Differences from " span id="differs-from" { "canfield" } }
                ul.differences id="differences" { li.muted { "none" } }
            }
            section.results aria-label="Figures" tabindex="0" {
                details.character id="character" hidden {
                    summary { b { "Character" } " " span.muted id="character-of" {} }
                    iframe id="character-page" title="The character of the game" {}
                }
                section.designed id="designed" hidden aria-label="Variants found" {
                    h3 { "Variants found" }
                    ul id="designed-list" {}
                    p.about { a id="designed-report" target="_blank" rel="noopener" { "The report of the search" } }
                }
                h2 { "Figures" }
                ul.wished id="wished" aria-label="Wishes" {}
                p.status id="status" role="status" { "Loading" }
                div id="players" {}
                figure.plot id="edge-figure" hidden {
                    figcaption { "House edge with its 95% interval; the line is the edge you want" }
                    svg id="edge" role="img" aria-label="House edge by strategy" {}
                }
                div.pinned id="pinned" hidden {
                    span role="status" { "Pinned, to see the difference from it: " b id="pinned-name" {} }
                    button.small type="button" id="unpin" { "Unpin" }
                }
                section.sweep id="sweep" hidden aria-label="Sweep" {
                    h3 id="sweep-title" { "Sweep" }
                    p.about { span id="sweep-note" role="status" {} " "
                        button.small type="button" id="sweep-again" hidden { "Play again" } }
                    label.by { span { "and by" }
                        select id="sweep-by" {
                            option value="" { "no other key" }
                            @for path in swept() { option value=(path) { (path) } }
                        }
                    }
                    svg id="sweep-chart" role="img" aria-label="House edge by value" {}
                    div.scrolls tabindex="0" role="group" aria-label="Map" { table.map id="sweep-map" hidden {} }
                    ul id="sweep-points" {}
                    button.small type="button" id="sweep-close" { "Close" }
                }
            }
        }
    };
    page("Designer", "/", token, Some("design.js"), &content)
}

fn toolbar(folder: &Folder) -> Markup {
    let files = folder.rulesets();
    // Kinds of patrons are grouped at the end.
    let (patrons, others): (Vec<_>, Vec<_>) =
        strategies(folder).into_iter().partition(|name| KINDS.contains(&&**name));
    html! {
        form.toolbar id="toolbar" autocomplete="off" {
            label { span { "Start from" }
                select id="open" {
                    option value="" { "choose a ruleset" }
                    (choices(("file:", &files), ("shelf:", shelf()), None))
                }
            }
            label { span { "File" } input id="file" size="18" value="my-house.toml" spellcheck="false"; }
            label { span { "Games" }
                select id="games" {
                    @for (games, name) in GAMES { option value=(games) selected[games == 100_000] { (name) } }
                }
            }
            label { span { "Seed" } input id="seed" type="number" min="0" step="1" value="1"; }
            label { span { "Edge wanted, %" } input id="target" type="number" min="-100" max="99" step="0.5" value="5"; }
            details.strategies {
                summary { "Strategies: " span id="strategies-said" { "greedy" } }
                fieldset id="strategies" {
                    legend.quiet { "Strategies side by side" }
                    @for name in others.iter().chain(&patrons) { (strategy(name)) }
                    label.other { span { "Another" } input id="other" placeholder="tunable:late=2" spellcheck="false"; }
                }
            }
            div.buttons {
                button type="button" id="save" { "Save" }
                button type="button" id="pin" { "Pin" }
                button type="button" id="export" { "Export report" }
                button type="button" id="stop" { "Stop" }
            }
            details.strategies {
                summary { "Plan" }
                fieldset {
                    legend.quiet { "A plan" }
                    (plan())
                    button type="button" id="export-plan" { "Make the plan" }
                }
            }
            details.strategies {
                summary { "Wishes" }
                fieldset {
                    legend.quiet { "Wishes" }
                    label.wide { span { "What you wish, one a line: a figure of a player, and its range" }
                        textarea id="wishes" rows="3" spellcheck="false" placeholder="edge(greedy)=3%..6%\nwins(ordinary)=5%..10%" {} }
                    label.wide { span { "Search over these keys, one a line" }
                        textarea id="vary" rows="3" spellcheck="false" { "stock.redeals=0..5,unlimited\nreserve.size=8..15" } }
                    label.tick { input type="checkbox" id="search-price"; span { "choose the price of the deck too" } }
                    button type="button" id="search" { "Search from here" }
                }
            }
            details.strategies {
                summary { "Character" }
                fieldset {
                    legend.quiet { "The character of the game" }
                    p.muted.wide { "Players of five strengths play the same deals: how long a game takes, what there is to decide, luck, \
                        skill and hope, and which rule matters most." }
                    label { span { "Deals" } input id="deals" type="number" min=(LEAST_DEALS) max="1000" value="200"; }
                    button type="button" id="describe" { "Describe this game" }
                }
            }
            p.note id="note" role="status" {}
        }
    }
}

pub(super) fn plan() -> Markup {
    html! {
        p.muted.wide { "A plan finds a round price in the target, and says what nights and the best players cost at it." }
        label.wide { span { "Patrons, each with its share, or a file of them" }
            textarea id="plan-patrons" rows="2" spellcheck="false" { (PATRONS.replace(',', ", ")) } }
        label.edge { span { "House edge, from and to" } input id="plan-target" value="5%..10%" spellcheck="false"; }
        label { span { "Decks of a night" } input id="plan-decks" type="number" min="1" max=(MOST_DECKS) value="300"; }
        label { span { "Nights of a season" } input id="plan-nights" type="number" min="1" max=(MOST_NIGHTS) value="50"; }
    }
}

/// Lists the strategies on offer: the usual ones first, then the scripts of the folder.
pub(super) fn strategies(folder: &Folder) -> Vec<String> {
    let usual = USUAL.iter().map(|name| name.to_string());
    let scripts = folder.list("rhai").into_iter().map(|name| format!("./{name}"));
    let others = players::names().into_iter().map(|(name, _)| name.to_string());
    let others = others.filter(|name| !USUAL.contains(&&**name) && name != "search");
    usual.chain(scripts).chain(others).collect()
}

fn strategy(name: &str) -> Markup {
    let who = players::names().into_iter().find(|(known, _)| *known == name && KINDS.contains(known));
    // Keeps the description after the name.
    let who = who
        .and_then(|(_, about)| about.split_once(": "))
        .map(|(_, who)| who.trim_end_matches('.').to_string());
    html! {
        label.tick.who[who.is_some()] {
            input type="checkbox" name="strategy" value=(name);
            span { (name) @if let Some(who) = who { span.muted { ": " (who) } } }
        }
    }
}

fn group(table: &FormTable) -> Markup {
    let name = if table.name.is_empty() { "about" } else { table.name };
    html! {
        details.group open[OPEN.contains(&name)] data-table=(table.name) {
            summary { b { (name) } " " span.muted { (table.about) } }
            @for key in &table.keys {
                // `extends` is set in the text; its possible values are listed above.
                @if key.path != "extends" { (row(key)) }
            }
        }
    }
}

/// Returns whether a key can be swept with one click.
fn sweeps(key: &FormKey) -> bool {
    matches!(key.control, Control::Number { .. } | Control::Choice(_) | Control::Money)
}

fn swept() -> Vec<&'static str> {
    form().iter().flat_map(|table| &table.keys).filter(|key| sweeps(key)).map(|key| key.path).collect()
}

fn row(key: &FormKey) -> Markup {
    let kind = match &key.control {
        Control::Text => "text",
        Control::Flag => "flag",
        Control::Number { .. } => "number",
        Control::Choice(_) => "choice",
        Control::Several(_) => "several",
        Control::Money => "money",
        Control::Toml => "toml",
        Control::Tables | Control::Table => "tables",
    };
    let id = key.path.replace('.', "-");
    html! {
        div.key data-path=(key.path) data-kind=(kind) {
            label.name for=(id) id={ (id) "-name" } { (key.leaf()) }
            span.tools {
                button.reset type="button" hidden title="Back to the value of what is extended" { "reset" }
                @if sweeps(key) {
                    button.sweeps type="button" title={ "Play this key at several values" }
                        aria-label={ "Sweep " (key.path) } { "sweep" }
                }
            }
            div.control { (control(key, &id)) }
            p.about id={ (id) "-about" } { (key.about) }
            p.wrong role="alert" {}
        }
    }
}

fn control(key: &FormKey, id: &str) -> Markup {
    let about = format!("{id}-about");
    let name = format!("{id}-name");
    html! {
        @match &key.control {
            Control::Number { low, high, words } => {
                input.slide type="range" min=(low) max=(high) data-high=(high) aria-labelledby=(name) tabindex="-1";
                input.exact type="number" id=(id) min=(low) max=(high) step="1" aria-describedby=(about);
                @for word in words {
                    label.tick { input.word type="checkbox" value=(word); (word) }
                }
            }
            Control::Money => {
                input.slide type="range" min="0" max="100" step="1" aria-labelledby=(name) tabindex="-1";
                input.exact type="number" id=(id) min="0" step="0.01" aria-describedby=(about);
            }
            Control::Choice(words) => {
                select id=(id) aria-describedby=(about) { @for word in words { option value=(word) { (word) } } }
            }
            Control::Several(words) => {
                span.ticks role="group" aria-labelledby=(name) {
                    @for word in words { label.tick { input type="checkbox" value=(word); (word) } }
                }
                input.list id=(id) aria-describedby=(about) spellcheck="false";
            }
            Control::Flag => { input type="checkbox" id=(id) aria-describedby=(about); }
            Control::Text | Control::Toml => {
                input.line id=(id) aria-describedby=(about) spellcheck="false" placeholder=(key.allowed);
            }
            Control::Tables | Control::Table => {
                @let one = key.control == Control::Table;
                textarea id=(id) rows="3" aria-describedby=(about) spellcheck="false" wrap="off"
                    placeholder=(if one { format!("[{}]", key.path) } else { format!("[[{}]]", key.path) }) {}
            }
        }
    }
}
