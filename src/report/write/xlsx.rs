//! A document as a workbook: a sheet of findings, and a sheet for each table of its page. Numbers are numbers, in
//! full precision; limits of intervals have columns of their own, as in the CSV files. Dependent figures are formulas
//! with their values.

use std::collections::{BTreeMap, BTreeSet};

use rust_xlsxwriter::{
    Color, DocProperties, ExcelDateTime, Format, Formula, Workbook, Worksheet, XlsxError,
    utility::{quote_sheet_name, row_col_to_cell_absolute},
};

use crate::format::{FormattedEstimate, ascii};
use crate::report::csv::{Columns, columns};
use crate::report::document::{DataTable, Document, Live, RANGE};

/// Maximum length of a sheet name in common spreadsheets.
const NAME: usize = 31;
const INPUT: Color = Color::RGB(0x00ff_f2cc);

/// Renders the document as an XLSX file, with the same bytes for the same document.
///
/// # Errors
/// Those of the format's writer.
pub fn document_xlsx(document: &Document<'_>) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    // Avoids the current time, which would differ from run to run.
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    book.set_properties(&DocProperties::new().set_title(&document.title).set_creation_datetime(&made));
    let mut taken = BTreeSet::from(["summary".to_string()]);
    let tables: Vec<&DataTable> = document.tables().into_iter().map(|(_, table)| table).collect();
    let places: Vec<Place> =
        tables.iter().map(|table| Place::new(table, sheet_name(&table.title, &mut taken))).collect();
    let book_of: Sheets<'_> = tables.iter().map(|table| &*table.title).zip(&places).collect();
    let follows = what_follows(&tables, &places);
    summary(book.add_worksheet(), document, &follows)?;
    for (table, place) in tables.iter().zip(&places) {
        let sheet = book.add_worksheet();
        sheet.set_name(&place.sheet)?;
        write(sheet, table, place, &book_of)?;
        if !follows.is_empty() {
            as_measured(sheet, table, place)?;
        }
    }
    book.save_to_buffer()
}

struct Place {
    sheet: String,
    /// The first column of each head, and one past the last.
    first: Vec<u16>,
    columns: BTreeMap<String, u16>,
    names: Vec<String>,
}

type Sheets<'a> = BTreeMap<&'a str, &'a Place>;

impl Place {
    fn new(table: &DataTable, sheet: String) -> Place {
        let (mut first, mut names) = (Vec::new(), Vec::new());
        for (head, of) in table.heads.iter().zip(columns(table)) {
            first.push(names.len() as u16);
            names.extend(of.header(head));
        }
        let columns = (0..).zip(&names).map(|(at, name)| (name.clone(), at)).collect();
        Place { sheet, first, columns, names }
    }
}

/// Says which cells can be changed, and which sheets depend on them; empty if none can.
fn what_follows(tables: &[&DataTable], places: &[Place]) -> String {
    let with = |of: fn(&Live) -> bool| -> Vec<String> {
        let tables = tables.iter().zip(places);
        let found = tables.filter(|(table, _)| table.live.iter().any(|(.., live)| of(live)));
        found.map(|(_, place)| place.sheet.clone()).collect()
    };
    let inputs = with(|live| matches!(live, Live::Input));
    match inputs.is_empty() {
        true => String::new(),
        false => format!(
            "The yellow cells of {} can be changed. What follows from them in {} is computed again; everything else stays as it \
             was measured, and intervals stay as wide.",
            inputs.join(" and "),
            with(|live| matches!(live, Live::Formula(_))).join(", ")
        ),
    }
}

/// Returns a formula in the syntax of spreadsheets; `None` if it names missing cells.
fn formula(text: &str, own: &Place, book: &Sheets<'_>) -> Option<String> {
    let mut written = String::from("=");
    for (i, part) in text.split(RANGE).enumerate() {
        if i.is_multiple_of(2) {
            written += part;
            continue;
        }
        let [title, column, from, to] = part.split('\n').collect::<Vec<_>>()[..] else { return None };
        let place = book.get(title)?;
        let column = *place.columns.get(&ascii(column))?;
        let cell = |row: &str| Some(row_col_to_cell_absolute(row.parse::<u32>().ok()? + 1, column));
        if place.sheet != own.sheet {
            written += &format!("{}!", quote_sheet_name(&place.sheet));
        }
        written += &cell(from)?;
        if from != to {
            written += &format!(":{}", cell(to)?);
        }
    }
    Some(written)
}

fn summary(sheet: &mut Worksheet, document: &Document<'_>, follows: &str) -> Result<(), XlsxError> {
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
    for it in document.all_findings() {
        text(sheet, &mut row, &format!("{}{}", it.finding, it.rest), &wrapped)?;
    }
    text(sheet, &mut row, &document.warning, &wrapped)?;
    row += 1;
    let measured = if follows.is_empty() { "" } else { "as measured" };
    for (column, head) in ["figure", "value", "low", "high", measured].into_iter().enumerate() {
        sheet.write_with_format(row, column as u16, head, &bold)?;
    }
    for card in &document.cards {
        row += 1;
        sheet.write(row, 0, &card.what)?;
        put(sheet, (row, 1), &card.said, &Columns { most: false, limits: true }, |_| None)?;
    }
    row += 2;
    if !follows.is_empty() {
        text(sheet, &mut row, follows, &wrapped)?;
    }
    for note in &document.notes {
        text(sheet, &mut row, note, &wrapped)?;
    }
    text(sheet, &mut row, &format!("{}; made by: {}", document.played, document.run.command), &wrapped)
}

/// Writes a figure with its limits, in cells from this column on; `live` are those that can change.
fn put<'l>(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    figure: &FormattedEstimate,
    of: &Columns,
    live: impl Fn(u16) -> Option<&'l Live>,
) -> Result<(), XlsxError> {
    for (at, number) in (column..).zip(of.numbers(figure)) {
        let value = match number {
            Some(x) if x.is_finite() => x.to_string(),
            None if at == column => ascii(&figure.value),
            _ => continue,
        };
        let live = live(at);
        let mut format = Format::new();
        if number.is_some() {
            format = format.set_num_format(shown(&figure.value));
        }
        if matches!(live, Some(Live::Input)) {
            format = format.set_background_color(INPUT);
        }
        match (live, number) {
            (Some(Live::Formula(text)), _) => {
                sheet.write_formula_with_format(row, at, Formula::new(text).set_result(value), &format)?
            }
            (_, Some(x)) => sheet.write_number_with_format(row, at, x, &format)?,
            // A name that begins like a formula stays text: the writer never interprets a string as one.
            (_, None) => sheet.write_string_with_format(row, at, value, &format)?,
        };
    }
    Ok(())
}

/// Returns the number format that matches a written figure: a percentage, or money with currency and cents.
fn shown(written: &str) -> String {
    let signs = |c: char| matches!(c, '+' | '-' | '\u{2212}');
    let bare = written.trim_start_matches(signs);
    if bare.ends_with('%') {
        return if bare.starts_with("0.0") { "0.0000%" } else { "0.00%" }.into();
    }
    let digit = |c: char| c.is_ascii_digit();
    let (Some(first), Some(last)) = (bare.find(digit), bare.rfind(digit)) else { return "General".into() };
    let (before, after) = (&bare[..first], &bare[last + 1..]);
    if before.is_empty() && after.is_empty() || before.contains(['<', '>', '\u{2264}', '\u{2265}']) {
        return "General".into();
    }
    // Quoted, so that no letter is interpreted.
    let quoted = |text: &str| match text {
        "" => String::new(),
        text => format!("\"{}\"", ascii(text).replace('"', "")),
    };
    let digits = if bare[first..=last].contains('.') { "#,##0.00" } else { "#,##0" };
    let sum = format!("{}{digits}{}", quoted(before), quoted(after));
    format!("{sum};-{sum}")
}

/// Returns a unique name for the sheet of a table, ignoring case. Titles of tables are short enough.
fn sheet_name(title: &str, taken: &mut BTreeSet<String>) -> String {
    let title = title.split(['(', ':']).next().unwrap_or_default();
    let plain: String = ascii(title)
        .chars()
        .filter(|c| !matches!(c, '[' | ']' | '*' | '?' | '/' | '\\' | '\''))
        .collect::<String>()
        .trim()
        .to_string();
    let plain = if plain.is_empty() { "Table".to_string() } else { plain };
    let cut = |length: usize| plain.chars().take(length).collect::<String>();
    let numbered = (2..1000).map(|n| format!("{} {n}", cut(NAME - 4)));
    let name = std::iter::once(cut(NAME)).chain(numbered).find(|name| taken.insert(name.to_lowercase()));
    name.unwrap_or(plain)
}

fn write(
    sheet: &mut Worksheet,
    table: &DataTable,
    place: &Place,
    book: &Sheets<'_>,
) -> Result<(), XlsxError> {
    let bold = Format::new().set_bold().set_text_wrap();
    for (at, name) in (0..).zip(&place.names) {
        sheet.write_with_format(0, at, name, &bold)?;
        sheet.set_column_width(at, if at == 0 { 46 } else { 16 })?;
    }
    let live: BTreeMap<(usize, String), Live> = table
        .live
        .iter()
        .filter_map(|(row, column, live)| {
            let cell = match live {
                Live::Input => Live::Input,
                Live::Formula(text) => Live::Formula(formula(text, place, book)?),
            };
            Some(((*row, ascii(column)), cell))
        })
        .collect();
    let columns = columns(table);
    for (i, row) in table.rows.iter().enumerate() {
        for ((cell, of), &column) in row.cells.iter().zip(&columns).zip(&place.first) {
            let live = |at: u16| live.get(&(i, place.names[usize::from(at)].clone()));
            put(sheet, (i as u32 + 1, column), cell, of, live)?;
        }
    }
    sheet.set_freeze_panes(1, 1)?;
    on_paper(sheet);
    sheet.write_string(table.rows.len() as u32 + 2, 0, ascii(&table.about))?;
    Ok(())
}

/// Adds notes to the rows that do not depend on input cells, or one for all.
fn as_measured(sheet: &mut Worksheet, table: &DataTable, place: &Place) -> Result<(), XlsxError> {
    let (beside, grey) = (place.names.len() as u16, Format::new().set_italic().set_font_color(Color::Gray));
    if table.live.is_empty() {
        sheet.write_with_format(0, beside, "as measured: yellow cells do not change this sheet", &grey)?;
        return Ok(());
    }
    for row in (0..table.rows.len()).filter(|row| table.live.iter().all(|(of, ..)| of != row)) {
        sheet.write_with_format(row as u32 + 1, beside, "as measured", &grey)?;
    }
    Ok(())
}

fn on_paper(sheet: &mut Worksheet) {
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
}
