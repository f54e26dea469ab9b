//! Maps: coloured cells with figures in them.

use plotters_backend::text_anchor::HPos;

use super::canvas::{Done, Page};
use super::plot::Plot;
use super::{Cell, Chart, Mark, Role, text};

/// Sizes of the figures in cells, the largest that fits.
const SIZES: [f64; 6] = [30.0, 26.0, 22.0, 20.0, 18.0, 16.0];
/// What is written below a figure is smaller.
const BELOW: f64 = 0.72;

fn cells(chart: &Chart) -> impl Iterator<Item = &Cell> + Clone {
    let marks = chart.panels.iter().flat_map(|panel| &panel.marks);
    marks.filter_map(|mark| if let Mark::Cells(cells) = mark { Some(cells) } else { None }).flatten()
}

/// Whether a chart is a map.
pub(super) fn has(chart: &Chart) -> bool {
    cells(chart).next().is_some()
}

/// The longest form of all cells' words for which there is room in plots of such a size, and the largest size at which
/// it fits.
pub(super) fn form(chart: &Chart, wide: i32, high: i32) -> Option<(usize, f64)> {
    let panel = chart.panels.first()?;
    let wide = f64::from(wide) / panel.x.ticks.len().max(1) as f64;
    let high = f64::from(high) / panel.y.ticks.len().max(1) as f64;
    let forms = cells(chart).map(|cell| cell.forms.len()).max()?;
    let fits = |form: usize, em: f64| {
        let words = cells(chart).filter_map(|cell| cell.forms.get(form).or(cell.forms.last()));
        let widest = words.clone().map(|[word, _]| text::width(word, em)).fold(0.0, f64::max);
        let below = words.map(|[_, below]| text::width(below, em * BELOW)).fold(0.0, f64::max);
        let needs = if below > 0.0 { 2.0 * em + 20.0 } else { em + 6.0 };
        widest.max(below) <= wide - 8.0 && needs <= high
    };
    (0..forms).find_map(|form| SIZES.into_iter().find(|em| fits(form, *em)).map(|em| (form, em)))
}

pub(super) fn draw(page: &Page<'_>, plot: &Plot, cells: &[Cell]) -> Done {
    for cell in cells {
        let (x, y) = (cell.x as f64, cell.y as f64);
        let (from, to) = (plot.at((x, y)), plot.at((x + 1.0, y + 1.0)));
        match cell.fill {
            Some((role, shade)) => page.fill([from, to], role, shade)?,
            None => {
                page.line(&[from, to], Role::Grid, 2)?;
                page.line(&[(from.0, to.1), (to.0, from.1)], Role::Grid, 2)?;
            }
        }
        page.line(&[from, (to.0, from.1), to, (from.0, to.1), from], Role::Paper, 2)?;
        let Some((form, em)) = plot.form else { continue };
        let Some([words, below]) = cell.forms.get(form).or(cell.forms.last()) else { continue };
        let (x, y) = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        let ink = if cell.fill.is_some() { Role::Ink } else { Role::Muted };
        let lift = if below.is_empty() { 0.0 } else { em };
        page.text(words, (x, y - (lift * 0.55) as i32), em, ink, HPos::Center)?;
        if !below.is_empty() {
            page.text(below, (x, y + (lift * 0.65) as i32), em * BELOW, ink, HPos::Center)?;
        }
    }
    Ok(())
}
