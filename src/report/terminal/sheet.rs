//! A table of figures as plain text.

use super::WIDTH;
use super::table::{cut, plain};
use crate::report::figures::FormattedEstimate;
use crate::report::table::DataTable;

/// The table with intervals in brackets, or below their figures where that would be too wide.
pub(super) fn laid_out(sheet: &DataTable) -> String {
    let beside = lay_out(sheet, |said| said.both());
    let fits = beside.lines().all(|line| line.chars().count() <= WIDTH);
    if fits { beside } else { lay_out(sheet, |said| format!("{}\n{}", said.value, said.interval)) }
}

fn lay_out(sheet: &DataTable, both: impl Fn(&FormattedEstimate) -> String) -> String {
    let cell = |said: &FormattedEstimate, figures: bool| match said.interval.is_empty() {
        true if figures => said.value.clone(),
        true => cut(&said.value),
        false => both(said),
    };
    let cells = |row: &Vec<FormattedEstimate>| {
        row.iter().zip(&sheet.heads).map(|(said, head)| cell(said, head.figures)).collect()
    };
    let header = sheet.heads.iter().map(|head| head.text.to_string()).collect();
    let names = sheet.heads.iter().take_while(|head| !head.figures).count();
    plain(header, sheet.rows.iter().map(cells).collect(), names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::table::{figure, name};

    #[test]
    fn wide_tables_are_stacked() {
        let sheet = |width: usize| DataTable {
            title: "Players".into(),
            about: "".into(),
            heads: vec![name("player"), figure("points")],
            rows: vec![vec![
                FormattedEstimate::exact("a name that is far too long for its column".into()),
                FormattedEstimate {
                    value: "1".repeat(width),
                    interval: "2 to 3".into(),
                    ..Default::default()
                },
            ]],
        };
        let narrow = laid_out(&sheet(9));
        assert_eq!(narrow.lines().count(), 3, "{narrow}");
        assert!(narrow.contains("a name that i...r its column  111111111 (2 to 3)"), "{narrow}");
        let wide = laid_out(&sheet(65));
        assert_eq!(wide.lines().count(), 4, "{wide}");
        assert!(wide.lines().all(|line| line.chars().count() <= WIDTH), "{wide}");
    }
}
