//! Findings for cells with known figures.

use super::{Board, Measure, findings, measures};
use crate::cards::{Purpose, generator};
use crate::format::Side;
use crate::game::{End, Outcome};
use crate::lab::sweep::{Axis, Swept, SweptCell};
use crate::report::run::Run;
use crate::rules::Spec;
use crate::stats::{AtOnce, Difference, Estimate, House, Precision, Sides, Summary, Tally, summarize};
use rand::Rng;

fn within(value: f64, half: f64) -> Estimate {
    Estimate { value, low: value - half, high: value + half }
}

fn cell(at: &[usize], edge: f64, half: f64) -> SweptCell {
    let summary = Summary {
        games: 2000,
        house_edge: Some(within(edge, half)),
        win_rate: within(0.1, 0.01),
        cards: within(9.0, 0.1),
        ..summarize(&Tally::new(&Spec::default()), &Spec::default(), Vec::new())
    };
    let at_once = AtOnce { edge: summary.house_edge, wins: summary.win_rate, cards: summary.cards };
    SweptCell { at: at.to_vec(), summary: Some(summary), at_once: Some(at_once), ..SweptCell::default() }
}

/// Builds a sweep of these axes, such as `stock.draw=1,3`, with this target edge.
fn swept(axes: &[&str], mut cells: Vec<SweptCell>, line: f64) -> Swept {
    for cell in &mut cells {
        let edge = cell.at_once.and_then(|it| it.edge);
        cell.side = edge.map(|e| Side::between(e.low - line, e.high - line));
    }
    let swept = Swept {
        games: 8000,
        rounds: 1,
        finished: true,
        target_edge: line,
        precision: Precision::Edge(0.01),
        budget: 1_000_000,
        games_per_cell: None,
        axes: axes.iter().map(|text| Axis::vary(text).unwrap()).collect(),
        against: "the original rules".into(),
        same_deals: true,
        sides: Sides::default(),
        crossings: Vec::new(),
        cells,
    };
    swept.judged()
}

/// Builds edges by draw (1, 3) and redeals (0, unlimited): +10, -50, +60 and too close to call.
fn two_axes(line: f64) -> Swept {
    let cells = vec![
        cell(&[0, 0], 0.10, 0.01),
        cell(&[0, 1], -0.50, 0.01),
        cell(&[1, 0], 0.60, 0.01),
        SweptCell { as_written: true, ..cell(&[1, 1], 0.005, 0.0101) },
    ];
    swept(&["stock.draw=1,3", "stock.redeals=0,unlimited"], cells, line)
}

fn board(swept: &Swept) -> Board<'_> {
    Board::new(&Run::default(), swept)
}

fn said(swept: &Swept) -> Vec<(Side, String)> {
    findings(&board(swept)).into_iter().map(|it| (it.side, format!("{}{}", it.finding, it.rest))).collect()
}

#[test]
fn free_decks_are_about_cards_where_wins_tell_nothing() {
    let summary =
        |cell: &mut SweptCell, change: &dyn Fn(&mut Summary)| change(cell.summary.as_mut().unwrap());
    let mut free = two_axes(0.05);
    free.cells.iter_mut().for_each(|cell| summary(cell, &|it| it.house_edge = None));
    assert_eq!(measures(&board(&free)), [Measure::Cards, Measure::Wins]);
    assert!(said(&free)[0].1.starts_with("Most: 9.0"), "{:?}", said(&free));
    summary(&mut free.cells[0], &|it| it.win_rate = within(0.2, 0.01));
    assert_eq!(measures(&board(&free)), [Measure::Wins, Measure::Cards]);
    // One of several cells without a price.
    let mut cells = two_axes(0.0).cells;
    summary(&mut cells[0], &|it| it.house_edge = None);
    cells[0].at_once = Some(AtOnce { edge: None, ..cells[0].at_once.unwrap() });
    let mixed = swept(&["stock.draw=1,3", "stock.redeals=0,unlimited"], cells, 0.0);
    assert_eq!(
        said(&mixed)[0].1,
        "Of 3 cells with a price the house gains in 1, the player in 1; too close to call: 1; without a price: 1 (95% confidence for all cells at once)."
    );
}

/// Builds edges by redeals along one axis: each value with its edge and half the width of its interval.
fn line(edges: &str) -> Swept {
    let edges: Vec<Vec<&str>> = edges.split(", ").map(|it| it.split(' ').collect()).collect();
    let labels: Vec<&str> = edges.iter().map(|it| it[0]).collect();
    let at = |(i, it): (usize, &Vec<&str>)| cell(&[i], it[1].parse().unwrap(), it[2].parse().unwrap());
    let cells = edges.iter().enumerate().map(at).collect();
    swept(&[&format!("stock.redeals={}", labels.join(","))], cells, 0.0)
}

/// The limits of a crossing are where the interpolated limits of the cells cross the target.
#[test]
fn crossings_have_a_place() {
    for (edges, wanted) in [
        // The upper line goes from 0.3 to -0.1, and is 0 at 4.75; the lower from 0.1 to -0.3, at 4.25.
        ("4 0.2 0.1, 5 -0.2 0.1, 6 -0.4 0.1", "between 4 and 5, at 4.5 (4.2 to 4.8), by straight lines"),
        // The upper line is 0 only between 5 and 6, half way.
        ("4 0.2 0.1, 5 -0.1 0.2, 6 -0.3 0.2", "at 4.7 (4.2 to 5.5)"),
        // No value on the right is below with confidence.
        ("4 0.2 0.1, 5 -0.1 0.2", "at 4.7 (4.2 or more)"),
        // A crossing near a value has enough digits to differ from it, and so have its limits.
        ("4 0.5 0.1, 5 0.001 0.1, 6 -0.5 0.1", "between 5 and 6, at 5.002 (4.801 to 5.202)"),
        ("5 0.5 0.1, 6 -0.0001 0.1, 7 -0.5 0.1", "between 5 and 6, at 5.9998 ("),
        // A value that is no number has no position.
        ("4 0.3 0.1, 5 0.2 0.1, unlimited -0.3 0.2", "crosses 0 along redeals between 5 and unlimited."),
        // A crossing is uncertain if no value on one side is beyond the target with confidence.
        ("4 0.3 0.1, 5 0.2 0.1, unlimited -0.1 0.2", "may cross 0 along redeals between 5 and unlimited."),
    ] {
        let text = said(&line(edges)).into_iter().map(|it| it.1).find(|text| text.starts_with("The edge"));
        assert!(text.as_ref().is_some_and(|text| text.contains(wanted)), "{text:?}");
    }
}

#[test]
fn the_largest_change_is_told_with_its_wider_interval() {
    let difference = |by: f64, half: f64| {
        let house_edge = Some(within(by, half));
        Some(Difference { games: 2000, house_edge, win_rate: within(0.0, 0.01), cards: within(0.0, 0.1) })
    };
    let mut swept = line("4 0.2 0.1, 5 -0.2 0.1");
    for (cell, by) in swept.cells.iter_mut().zip([0.1, -0.3]) {
        (cell.difference, cell.difference_at_once) = (difference(by, 0.01), difference(by, 0.02));
    }
    let (side, text) = said(&swept).into_iter().find(|(_, text)| text.starts_with("Largest")).unwrap();
    assert!(side == Side::Player && text.contains("(\u{2212}32.0\u{a0}pp to \u{2212}28.0\u{a0}pp), with 5"));
}

/// Twelve cells with an edge of exactly 0: 0 to 20 cards are equally likely, and a deck costs what ten pay.
fn fair_sweep(run: u64) -> Swept {
    let mut spec = Spec::default();
    spec.casino.stake = 10 * spec.casino.pays_per_card;
    let mut rng = generator(11, run, Purpose::Plan);
    let mut cell_at = |at: &[usize]| {
        let mut tally = Tally::new(&spec);
        for _ in 0..400 {
            let (end, cards) = (End::Blocked, (rng.next_u32() % 21) as u16);
            let game =
                Outcome { end, cards, moves: 9, redeals: 0, reserve_left: 0, complete_suits: 0, stake: None };
            tally.add(&game);
        }
        let mut cell = cell(at, 0.0, 0.0);
        cell.at_once = Some(AtOnce::of(&tally, &spec, 12));
        cell.summary.as_mut().unwrap().house_edge = House::new(&tally, &spec.casino).edge();
        cell
    };
    let cells = (0..12).map(|i| cell_at(&[i / 4, i % 4])).collect();
    swept(&["stock.draw=1,2,3", "stock.redeals=0,1,2,3"], cells, 0.0)
}

/// If neither side gains in any cell, at most about 5% of sweeps say otherwise.
#[test]
fn fair_cells_are_seldom_told_apart() {
    let (mut alone, mut counted, mut told) = (0, 0, 0);
    let runs = 150;
    for swept in (0..runs).map(fair_sweep) {
        let single = swept.played().map(|cell| cell.summary.as_ref()?.house_edge.map(Side::of));
        let sides = [Sides::of(single), swept.sides];
        let [single, all] = sides.map(|sides| u32::from(sides.house + sides.player > 0));
        (alone, counted) = (alone + single, counted + all);
        let claims =
            |text: &str| text.starts_with("What matters most") || text.starts_with("The edge crosses");
        told += u32::from(all > 0 || said(&swept).iter().any(|(_, text)| claims(text)));
    }
    println!(
        "of {runs} sweeps {alone} by single intervals, {counted} by those for all cells, {told} in any finding"
    );
    assert!(alone >= runs as u32 / 8, "{alone}");
    // 5% is 7.5; plus three standard deviations, 15.5.
    assert!(counted <= 15 && told <= 15, "{counted} {told}");
}
