//! A table of figures on a page.

use maud::{Markup, html};

use super::cell;
use crate::report::table::DataTable;

/// A table with its intervals below the figures.
pub(super) fn table(sheet: &DataTable) -> Markup {
    html! {
        h3 { (sheet.title) }
        @if !sheet.about.is_empty() { p.muted { (sheet.about) } }
        div.wide.compared {
            table {
                thead { tr { @for head in &sheet.heads { th.n[head.figures] { (head.text) } } } }
                tbody {
                    @for row in &sheet.rows {
                        tr {
                            @for (said, head) in row.iter().zip(&sheet.heads) {
                                @if head.figures { (cell(said)) } @else { td { (said.value) } }
                            }
                        }
                    }
                }
            }
        }
    }
}
