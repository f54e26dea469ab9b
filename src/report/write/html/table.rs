//! A table of figures on a page.

use maud::{Markup, html};

use crate::format::{FormattedEstimate, Side};
use crate::report::table::{DataTable, Head, Row};

/// Maximum number of columns with room for intervals beside their figures.
const NARROW: usize = 3;

/// Maximum number of rows of a table that is kept on one page in print.
const SHORT: usize = 10;

/// Maximum length of a row name that stays on one line; longer text wraps, but keeps this minimum width.
const WHOLE: usize = 12;
const PROSE: usize = 24;

/// Space between columns, in letters.
const PADDING: usize = 2;

/// Renders a table with its intervals below the figures, or beside them if it is narrow.
pub(super) fn table(it: &DataTable) -> Markup {
    let groups = groups(&it.heads);
    let grouped = groups.iter().any(|(group, _)| !group.is_empty());
    html! {
        h3 { (it.title) }
        @if !it.about.is_empty() { p.muted { (it.about) } }
        div.wide.compared.short[it.rows.len() <= SHORT] {
            table.rulesets[grouped].pairs[it.heads.len() <= NARROW].two[it.heads.len() < NARROW] {
                thead {
                    @if grouped {
                        tr {
                            @for (group, heads) in &groups {
                                @if group.is_empty() { @for head in *heads { (th(head, true, false)) } }
                                @else { th.by colspan=(heads.len()) scope="colgroup" { (group) } }
                            }
                        }
                        tr {
                            @for (group, heads) in &groups {
                                @if !group.is_empty() {
                                    @for (i, head) in heads.iter().enumerate() { (th(head, false, i == 0)) }
                                }
                            }
                        }
                    } @else {
                        tr { @for head in &it.heads { (th(head, false, false)) } }
                    }
                }
                tbody { @for row in &it.rows { (tr(row, &it.heads)) } }
            }
        }
    }
}

/// Returns the width of a table in letters, about: figures are never broken, heads and names at their spaces.
pub(super) fn letters(it: &DataTable) -> usize {
    let word = |text: &str| text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let cell = |cell: &FormattedEstimate, head: &Head| match head.figures {
        // Intervals are written smaller.
        true => cell.value.chars().count().max(cell.interval.chars().count() * 4 / 5),
        false => cell.value.chars().count().min(WHOLE),
    };
    let column = |(i, head): (usize, &Head)| {
        let cells = it.rows.iter().filter_map(|row| Some(cell(row.cells.get(i)?, head)));
        cells.max().unwrap_or(0).max(word(&head.text)) + PADDING
    };
    it.heads.iter().enumerate().map(column).sum()
}

/// Groups adjacent heads that share a group; a head without one is a group of its own.
fn groups(heads: &[Head]) -> Vec<(&str, &[Head])> {
    heads.chunk_by(|a, b| a.group == b.group).map(|heads| (&*heads[0].group, heads)).collect()
}

fn th(head: &Head, whole: bool, first: bool) -> Markup {
    html! { th.n[head.figures].first[first] rowspan=[whole.then_some("2")] { (head.text) } }
}

fn tr(row: &Row, heads: &[Head]) -> Markup {
    html! {
        tr id=[(!row.anchor.is_empty()).then_some(&row.anchor)] {
            @for (i, (cell, head)) in row.cells.iter().zip(heads).enumerate() {
                @if i == 0 && !head.figures {
                    th.whole[cell.value.chars().count() <= WHOLE].prose[is_prose(&cell.value)] scope="row" {
                        @if row.link.is_empty() { (cell.value) } @else { a href={ "#" (row.link) } { (cell.value) } }
                        @if !row.about.is_empty() { small { (row.about) } }
                    }
                } @else {
                    td.n[head.figures].prose[!head.figures && is_prose(&cell.value)].first[starts(heads, i)].(class(cell.side))[cell.side != Side::Open] { (said(cell)) }
                }
            }
        }
    }
}

fn is_prose(text: &str) -> bool {
    text.chars().count() > PROSE
}

/// Returns whether a group begins with this column.
fn starts(heads: &[Head], i: usize) -> bool {
    i > 0 && !heads[i].group.is_empty() && heads[i - 1].group != heads[i].group
}

fn said(cell: &FormattedEstimate) -> Markup {
    // If it must break, it breaks after `to`.
    let interval = cell.interval.replace(" to ", "\u{a0}to ");
    html! { (cell.value) @if !interval.is_empty() { small { (interval) } } }
}

pub(super) fn class(side: Side) -> &'static str {
    match side {
        Side::House => "house",
        Side::Player => "player",
        Side::Open => "open",
    }
}
