//! Rows of estimates: intervals, the same once more magnified, and the columns of figures.

use plotters_backend::text_anchor::HPos;

use super::axis::place;
use super::canvas::{Done, LINE, MARGIN, Page, TEXT, WIDTH};
use super::columns::{Drawn, STRIP, intervals};
use super::plot::Plot;
use super::{Panel, Role, text};
use crate::figures::fixed;

/// The figures beside rows, or the names at the ends of lines, moved apart where they would meet.
pub(super) fn beside(page: &Page<'_>, plot: &Plot, panel: &Panel) -> Done {
    let edge = WIDTH - MARGIN;
    if !panel.y.names {
        const APART: i32 = 34;
        let mut names: Vec<(i32, usize)> =
            panel.beside.iter().enumerate().map(|(i, it)| (plot.y(it.at), i)).collect();
        names.sort_unstable();
        let mut below = i32::MIN / 2;
        for (y, _) in &mut names {
            *y = (*y).max(below + APART);
            below = *y;
        }
        let mut above = plot.bottom + APART;
        for (y, _) in names.iter_mut().rev() {
            *y = (*y).min(above - APART);
            above = *y;
        }
        for (y, i) in names {
            let it = &panel.beside[i];
            page.fitted(&it.text, (plot.right + 14, y), edge - plot.right - 14, it.role, HPos::Left)?;
        }
        return Ok(());
    }
    for it in &panel.beside {
        let y = plot.y(it.at);
        let value_edge = edge - plot.columns.intervals - 20;
        page.text(&it.text, (value_edge, y), plot.columns.em, it.role, HPos::Right)?;
        page.text(&it.more, (edge, y), plot.columns.em, Role::Muted, HPos::Right)?;
    }
    if !panel.beside_title.is_empty() {
        let at = (edge, plot.top - LINE / 2 + 2);
        page.fitted(&panel.beside_title, at, WIDTH / 3, Role::Muted, HPos::Right)?;
    }
    let reach = plot.columns.reach(panel, edge - plot.columns.width() - plot.left);
    match (reach, &panel.magnified) {
        (Some(reach), Some(unit)) => magnified(page, plot, panel, reach, unit),
        _ => Ok(()),
    }
}

/// All intervals once more beside the plot, each about its own figure, to one scale.
fn magnified(page: &Page<'_>, plot: &Plot, panel: &Panel, reach: f64, unit: &str) -> Done {
    let (left, right) = (plot.right + 24, plot.right + 24 + STRIP);
    page.fill([(left, plot.top), (right, plot.bottom)], Role::Grid, 0.35)?;
    for drawn in intervals(panel).filter(|(_, _, bounds, _)| bounds.is_none()) {
        let value = drawn.1.value;
        interval(page, plot, drawn, |v| place(v - value, (-reach, reach), left + 6, right - 6))?;
    }
    let middle = (left + right) / 2;
    let points = format!("±{}", fixed(reach, (1.0 - reach.log10()).ceil().clamp(0.0, 8.0) as usize));
    page.fitted(&points, (middle, plot.bottom + 28), STRIP, Role::Ink, HPos::Center)?;
    let unit = text::elide(unit, TEXT, f64::from(STRIP));
    page.text(&unit, (middle, plot.bottom + 28 + LINE - 8), TEXT, Role::Muted, HPos::Center)
}

/// The interval as a box with the figure as a thin line in it, where `x` puts values; of bounds both are lines, and what
/// lies between them is darker.
pub(super) fn interval(
    page: &Page<'_>,
    plot: &Plot,
    (row, e, bounds, role): Drawn,
    x: impl Fn(f64) -> i32,
) -> Done {
    let y = plot.y(row);
    let high = (plot.y(row + 0.5) - plot.y(row - 0.5)).abs();
    let (half, tall) = ((high / 6).clamp(5, 9), (high / 3).clamp(9, 17));
    if e.low.is_finite() && e.high.is_finite() {
        let (low, high) = (x(e.low), x(e.high));
        page.fill([(low, y - half), (high.max(low + 1), y + half)], role, 0.45)?;
    }
    if let Some((least, most)) = bounds.filter(|(least, most)| least < most) {
        let (least, most) = (x(least), x(most));
        page.fill([(least, y - half), (most, y + half)], role, 0.45)?;
        page.line(&[(most, y - tall), (most, y + tall)], role, 4)?;
    }
    if e.value.is_finite() {
        let x = x(e.value);
        page.line(&[(x, y - tall), (x, y + tall)], role, 4)?;
    }
    Ok(())
}
