//! A document as a workbook: a sheet of what was found, and a sheet for each table of its page. Numbers are numbers, in full
//! precision; limits of intervals stand in columns of their own, as in the CSV files. A table that runs along a number also
//! has its chart.

use std::collections::BTreeSet;

use rust_xlsxwriter::{
    Chart, ChartType, DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError,
};

use super::csv::columns;
use crate::figures::{FormattedEstimate, Number, ascii};
use crate::report::document::Document;
use crate::report::table::DataTable;

/// Rows from which a chart is worth its place.
const DRAWN: usize = 4;
/// A first column whose last number is so many times the first is drawn on a logarithmic scale.
const WIDE: f64 = 1_000.0;
/// What the program that opens it allows for the name of a sheet.
const NAME: usize = 31;

/// The document as the bytes of an XLSX file, the same for the same document.
///
/// # Errors
/// What the writer of the format refuses.
pub fn document_xlsx(document: &Document<'_>) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // The clock of the machine must not show.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_title(&document.title).set_creation_datetime(&made));
    let mut taken = BTreeSet::new();
    summary(book.add_worksheet(), document)?;
    taken.insert("summary".to_string());
    for (_, table) in document.tables() {
        let name = sheet_name(&table.title, &mut taken);
        let sheet = book.add_worksheet();
        sheet.set_name(&name)?;
        write(sheet, table, &name)?;
    }
    book.save_to_buffer()
}

/// The findings, the cards and the notes.
fn summary(sheet: &mut Worksheet, document: &Document<'_>) -> Result<(), XlsxError> {
    let (bold, wrapped) = (Format::new().set_bold(), Format::new().set_text_wrap());
    on_paper(sheet);
    sheet.set_name("Summary")?.set_column_width(0, 46)?.set_column_width(1, 22)?;
    sheet.write_with_format(0, 0, &document.title, &Format::new().set_bold().set_font_size(16))?;
    let mut row = 2;
    let text = |sheet: &mut Worksheet, row: &mut u32, text: &str, format: &Format| -> Result<(), XlsxError> {
        sheet.merge_range(*row, 0, *row, 5, text, format)?;
        sheet.set_row_height(*row, 15.0 * (1.0 + text.chars().count() as f64 / 105.0).floor())?;
        *row += 1;
        Ok(())
    };
    for it in &document.findings {
        text(sheet, &mut row, &format!("{}{}", it.finding, it.rest), &wrapped)?;
    }
    text(sheet, &mut row, &document.warning, &wrapped)?;
    row += 1;
    for (column, head) in ["figure", "value", "low", "high"].into_iter().enumerate() {
        sheet.write_with_format(row, column as u16, head, &bold)?;
    }
    for card in &document.cards {
        row += 1;
        sheet.write(row, 0, &card.what)?;
        for (column, cell) in cells(&card.said, false, true).into_iter().enumerate() {
            cell.put(sheet, row, column as u16 + 1)?;
        }
    }
    row += 2;
    for note in &document.notes {
        text(sheet, &mut row, note, &wrapped)?;
    }
    text(sheet, &mut row, &format!("{}; made by: {}", document.played, document.provenance.command), &wrapped)
}

/// What stands in a cell.
enum Cell {
    /// A number, and how it is shown.
    Number(f64, &'static str),
    Text(String),
    Empty,
}

impl Cell {
    fn put(&self, sheet: &mut Worksheet, row: u32, column: u16) -> Result<(), XlsxError> {
        match self {
            Cell::Number(x, shown) if x.is_finite() => {
                sheet.write_number_with_format(row, column, *x, &Format::new().set_num_format(*shown))?
            }
            // A name that begins like a formula stays text: the writer never takes a string for one.
            Cell::Text(text) => sheet.write_string(row, column, ascii(text))?,
            Cell::Number(..) | Cell::Empty => return Ok(()),
        };
        Ok(())
    }
}

/// How a number is shown that reports write like this: a share as a percentage, money with its cents.
fn shown(written: &str) -> &'static str {
    let money =
        |c: char| !c.is_ascii_digit() && !c.is_whitespace() && !"+-\u{2212}.,<>\u{2264}\u{2265}".contains(c);
    let sign = |c: char| matches!(c, '+' | '-' | '\u{2212}');
    match written {
        small if small.ends_with('%') && small.trim_start_matches(sign).starts_with("0.0") => "0.0000%",
        percent if percent.ends_with('%') => "0.00%",
        sum if sum.contains(money) && sum.contains('.') => "#,##0.00",
        sum if sum.contains(money) => "#,##0",
        _ => "General",
    }
}

/// A figure as the cells of its columns.
fn cells(figure: &FormattedEstimate, most: bool, limits: bool) -> Vec<Cell> {
    let shown = shown(&figure.value);
    let number = |x| Cell::Number(x, shown);
    let (value, upper, ends) = match figure.number {
        None => (Cell::Text(figure.value.clone()), None, None),
        Some(Number::Exact(x)) => (number(x), None, None),
        Some(Number::Estimate(e)) => (number(e.value), None, Some([e.low, e.high])),
        Some(Number::Bounded(b)) => (number(b.least), Some(b.most), Some([b.low, b.high])),
    };
    let mut cells = vec![value];
    if most {
        cells.push(upper.map_or(Cell::Empty, number));
    }
    if limits {
        cells.extend(ends.map_or([Cell::Empty, Cell::Empty], |ends| ends.map(number)));
    }
    cells
}

/// A name for the sheet of a table that no other sheet has, in any case of its letters.
fn sheet_name(title: &str, taken: &mut BTreeSet<String>) -> String {
    let title = title.split(['(', ':']).next().unwrap_or_default();
    let plain: String = ascii(title)
        .chars()
        .filter(|c| !matches!(c, '[' | ']' | '*' | '?' | '/' | '\\' | '\''))
        .take(NAME - 4)
        .collect();
    let plain = if plain.trim().is_empty() { "Table".to_string() } else { plain.trim().to_string() };
    let numbered = (2..1000).map(|n| format!("{plain} {n}"));
    let name = std::iter::once(plain.clone()).chain(numbered).find(|name| taken.insert(name.to_lowercase()));
    name.unwrap_or(plain)
}

fn write(sheet: &mut Worksheet, table: &DataTable, name: &str) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold().set_text_wrap();
    let columns = columns(table);
    let mut first = Vec::new();
    let mut at = 0u16;
    for (head, of) in table.heads.iter().zip(&columns) {
        first.push(at);
        for name in of.header(head) {
            sheet.write_with_format(0, at, &name, &bold)?;
            sheet.set_column_width(at, if at == 0 { 46 } else { 16 })?;
            at += 1;
        }
    }
    for (i, row) in table.rows.iter().enumerate() {
        for ((cell, of), &column) in row.cells.iter().zip(&columns).zip(&first) {
            let (most, limits) = of.extra();
            for (k, cell) in cells(cell, most, limits).into_iter().enumerate() {
                cell.put(sheet, i as u32 + 1, column + k as u16)?;
            }
        }
    }
    sheet.set_freeze_panes(1, 1)?;
    on_paper(sheet);
    sheet.write_string(table.rows.len() as u32 + 2, 0, ascii(&table.about))?;
    draw(sheet, table, name, &first, at)
}

/// Printed on its side, all columns on one page.
fn on_paper(sheet: &mut Worksheet) {
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
}

/// The chart of a table whose first column is of numbers: a line for each of its figures.
fn draw(
    sheet: &mut Worksheet,
    table: &DataTable,
    name: &str,
    first: &[u16],
    width: u16,
) -> Result<(), XlsxError> {
    let along = table.rows.iter().all(|row| row.cells.first().is_some_and(|cell| cell.number.is_some()));
    if !along || table.rows.len() < DRAWN || table.heads.len() < 2 {
        return Ok(());
    }
    let last = table.rows.len() as u32;
    let mut chart = Chart::new(ChartType::ScatterStraightWithMarkers);
    chart.title().set_name(&*table.title);
    chart.x_axis().set_name(&*table.heads[0].text);
    // Powers of ten lie too far apart for an even scale.
    let along = |row: usize| match table.rows[row].cells[0].number {
        Some(Number::Exact(x)) => x,
        _ => 0.0,
    };
    if along(0) > 0.0 && along(table.rows.len() - 1) >= WIDE * along(0) {
        chart.x_axis().set_log_base(10).set_min(along(0));
    }
    // Shares where there are any: figures of one kind, so that they share a scale.
    let kind =
        |i: usize| table.rows.iter().find_map(|row| row.cells[i].number.map(|_| shown(&row.cells[i].value)));
    let kinds: Vec<_> = (0..table.heads.len()).map(kind).collect();
    let share = kinds.iter().skip(1).flatten().find(|kind| kind.ends_with('%'));
    let drawn = share.or(kinds.iter().skip(1).flatten().next()).map(|kind| kind.ends_with('%'));
    for (i, (head, &column)) in table.heads.iter().zip(first).enumerate().skip(1) {
        if !head.figures || kinds[i].map(|kind| kind.ends_with('%')) != drawn {
            continue;
        }
        chart
            .add_series()
            .set_name(&*head.text)
            .set_categories((name, 1, 0, last, 0))
            .set_values((name, 1, column, last, column));
    }
    sheet.insert_chart(1, width + 1, &chart)?;
    Ok(())
}
