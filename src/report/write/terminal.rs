//! A document as plain text, broken at spaces to fit the terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use crate::format::{FormattedEstimate, ascii};
use crate::report::document::{Block, Card, DataTable, Document, Finding, Head, Layout, Medium};

/// Maximum width of running text, for legibility, and of tables.
const TEXT: usize = 90;
const TABLE: usize = 100;
const LABEL: usize = 22;

/// Renders the words and tables of a document at this width; charts are for the page.
pub fn document_terminal(document: &Document<'_>, width: usize) -> String {
    let mut out = Text { text: String::new(), width, after_table: false };
    out.findings(&document.all_findings());
    if !document.warning.is_empty() {
        out.paragraph(&document.warning);
    }
    out.text.push('\n');
    out.wrapped(&document.title, "", "  ");
    if !document.played.is_empty() {
        out.item("played", &document.played);
    }
    out.cards(&document.cards);
    out.blocks(&document.blocks, &document.title);
    ascii(&out.text)
}

struct Text {
    text: String,
    width: usize,
    /// Whether it ends with a table, after which a blank line is needed.
    after_table: bool,
}

impl Text {
    fn blocks(&mut self, blocks: &[Block], title: &str) {
        for block in blocks {
            self.block(block, title);
        }
    }

    fn block(&mut self, block: &Block, title: &str) {
        match block {
            Block::Heading(text) => self.heading(text),
            Block::Text(text) => self.paragraph(text),
            Block::Warning(text) => self.wrapped(text, "  ", "  "),
            Block::List(items) => items.iter().for_each(|item| self.wrapped(item, "- ", "  ")),
            Block::Verbatim(text) => {
                let _ = writeln!(self.text, "{text}");
            }
            Block::Cards(cards) => self.cards(cards),
            Block::Table(table) => self.table(table),
            Block::Section(section) => {
                // A report with one section has already named its subject.
                if section.title != title {
                    self.text.push('\n');
                    self.wrapped(&section.title, "", "  ");
                    self.after_table = false;
                }
                self.blocks(&section.blocks, title);
            }
            Block::Only(Medium::Terminal, blocks) => self.blocks(blocks, title),
            Block::Only(Medium::Page | Medium::Files, _)
            | Block::Chart(_)
            | Block::Details(_)
            | Block::Index(_) => {}
        }
    }

    fn heading(&mut self, text: &str) {
        self.text.push('\n');
        self.wrapped(text, "", "");
        self.after_table = false;
    }

    fn paragraph(&mut self, text: &str) {
        if std::mem::take(&mut self.after_table) {
            self.text.push('\n');
        }
        self.wrapped(text, "", "");
    }

    fn findings(&mut self, findings: &[Finding]) {
        for Finding { finding, rest, .. } in findings {
            self.paragraph(&format!("{finding}{rest}"));
        }
    }

    fn cards(&mut self, cards: &[Card]) {
        for card in cards {
            self.item(&card.what, &card.said.both());
        }
    }

    fn table(&mut self, table: &DataTable) {
        if table.layout == Layout::Lines {
            for row in &table.rows {
                let mut cells = row.cells.iter().map(|cell| cell.both());
                let name = cells.next().unwrap_or_default();
                let told: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
                self.item(&name, &told.join(", "));
            }
            self.after_table = true;
            return;
        }
        self.heading(&table.title);
        self.text.push_str(&laid_out(table, self.width.min(TABLE)));
        self.after_table = true;
    }

    fn item(&mut self, label: &str, what: &str) {
        let gap = if label.chars().count() >= LABEL { "  " } else { "" };
        self.wrapped(what, &format!("  {label:<LABEL$}{gap}"), &" ".repeat(2 + LABEL));
    }

    fn wrapped(&mut self, what: &str, first: &str, rest: &str) {
        self.text.push_str(&wrapped(what, first, rest, self.width.min(TEXT)));
    }
}

const NAME: usize = 28;

/// Lays out the table in the first of these forms that fits: intervals in brackets with full names, or with long
/// names cut (or on several lines, if two would become equal); intervals below their figures; heads on several lines
/// as well; and, in narrow terminals, a line for each cell.
fn laid_out(table: &DataTable, width: usize) -> String {
    type Form = (fn(&str) -> String, fn(&Head) -> String, fn(&FormattedEstimate) -> String);
    let beside = FormattedEstimate::both;
    let below =
        |cell: &FormattedEstimate| format!("{}\n{}", cell.value, cell.interval).trim_end().to_string();
    let broken = |head: &Head| title(head).replace(' ', "\n");
    let cut = if are_told_by_cutting(table) { cut } else { folded };
    let forms: [Form; 4] =
        [(str::to_string, title, beside), (cut, title, beside), (cut, title, below), (cut, broken, below)];
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= width);
    let mut texts = forms.into_iter().map(|(called, head, said)| in_columns(table, called, head, said));
    texts.find(fits).unwrap_or_else(|| in_lines(table, width))
}

fn title(head: &Head) -> String {
    match &*head.group {
        "" => head.text.to_string(),
        group => format!("{group}: {}", head.text),
    }
}

fn in_columns(
    table: &DataTable,
    called: impl Fn(&str) -> String,
    head: impl Fn(&Head) -> String,
    said: impl Fn(&FormattedEstimate) -> String,
) -> String {
    let cell = |(cell, head): (&FormattedEstimate, &Head)| match head.figures {
        false if cell.interval.is_empty() => called(&cell.value),
        _ => said(cell),
    };
    let rows = table.rows.iter().map(|row| row.cells.iter().zip(&table.heads).map(cell).collect());
    let names = table.heads.iter().take_while(|head| !head.figures).count();
    plain(table.heads.iter().map(head).collect(), rows.collect(), names)
}

/// Lays out the first cell of each row with the others below it.
fn in_lines(table: &DataTable, width: usize) -> String {
    let mut text = String::new();
    let label = table.heads.iter().skip(1).map(|head| title(head).chars().count()).max().unwrap_or(0);
    let label = label.min(width / 2);
    for row in &table.rows {
        let mut cells = row.cells.iter().zip(&table.heads);
        if let Some((cell, head)) = cells.next() {
            text.push_str(&wrapped(&format!("{} {}", title(head), cell.both()), "", "  ", width));
        }
        for (cell, head) in cells.filter(|(cell, _)| !cell.value.is_empty()) {
            let head = title(head);
            text.push_str(&wrapped(
                &cell.both(),
                &format!("  {head:<label$}  "),
                &" ".repeat(label + 4),
                width,
            ));
        }
    }
    text
}

/// Lays out rows in columns under a header and a rule; the first `names` columns are left-aligned.
fn plain(header: Vec<String>, rows: Vec<Vec<String>>, names: usize) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let height = header.iter().map(|head| head.lines().count()).max().unwrap_or(1).max(1);
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let text = table.to_string();
    let mut lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    // A space precedes every cell except the first.
    for line in &mut lines {
        *line = line.strip_prefix(' ').unwrap_or(line);
    }
    let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    let rule = "-".repeat(width);
    lines.insert(height.min(lines.len()), &rule);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn cut(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= NAME {
        return name.into();
    }
    let half = (NAME - 3) / 2;
    let (head, tail) = (&chars[..NAME - 3 - half], &chars[chars.len() - half..]);
    format!("{}...{}", head.iter().collect::<String>(), tail.iter().collect::<String>())
}

fn folded(name: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for setting in name.split_inclusive(',') {
        let more = setting.chars().count();
        if width > 0 && width + more > NAME {
            text.push('\n');
            width = 0;
        }
        text.push_str(setting);
        width += more;
    }
    text
}

/// Returns whether cut names remain distinct, here and in the report's other tables: long ones with settings may not.
fn are_told_by_cutting(table: &DataTable) -> bool {
    let names = table.rows.iter().flat_map(|row| row.cells.iter().zip(&table.heads));
    let names = names.filter(|(cell, head)| !head.figures && cell.interval.is_empty());
    let names: BTreeSet<&str> = names.map(|(cell, _)| &*cell.value).collect();
    let with_settings = |name: &&str| name.contains(',') && name.chars().count() > NAME;
    !names.iter().any(with_settings)
        && names.iter().map(|name| cut(name)).collect::<BTreeSet<_>>().len() == names.len()
}

/// Wraps a text at spaces, with the first line after `first` and the others after `rest`.
fn wrapped(what: &str, first: &str, rest: &str, width: usize) -> String {
    let mut text = first.to_string();
    let mut column = first.chars().count();
    for (i, word) in what.split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > width {
            let _ = write!(text, "\n{rest}");
            column = rest.chars().count();
        } else if i > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::document::exact;

    #[test]
    fn the_first_layout_that_fits_is_taken() {
        type Cells = (FormattedEstimate, FormattedEstimate);
        let of = |rows: Vec<Cells>| {
            let table = DataTable::of("Players", "", rows).name("player", |it| it.0.clone());
            table.figure("points made", |it| it.1.clone()).done()
        };
        let table = |digits: usize| {
            let said = FormattedEstimate { interval: "2 to 3".into(), ..exact("1".repeat(digits)) };
            let long = exact("a name that is far too long for its column");
            of(vec![(long, said)])
        };
        assert!(
            laid_out(&table(9), 100)
                .contains("a name that is far too long for its column  111111111 (2 to 3)")
        );
        let text = laid_out(&table(9), 60);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(text.contains("a name that i...r its column  111111111 (2 to 3)"), "{text}");
        assert_eq!(laid_out(&table(65), 100).lines().count(), 4);
        // Names that would become equal are shown in full.
        let names = [1, 2].map(|level| format!("search:level={level},worlds=2,judged=6,nodes=300"));
        let rows = names.map(|name| (exact(name), exact("30.5")));
        let alike = of(rows.to_vec());
        let text = laid_out(&alike, 45);
        assert!(text.contains("search:level=1,worlds=2,         30.5\njudged=6,nodes=300\n"), "{text}");
        // In a narrow terminal, heads take two lines, and finally each cell a line.
        assert_eq!(laid_out(&table(9), 40).lines().count(), 5, "{}", laid_out(&table(9), 40));
        let narrow = laid_out(&table(9), 38);
        assert_eq!(
            narrow,
            "player a name that is far too long for\n  its column\n  points made  111111111 (2 to 3)\n"
        );
    }
}
