//! The tables of solved deals.

use super::{SolveReport, efforts};
use crate::figures::{FormattedEstimate, edge, mean, number, rounded, share};
use crate::report::bounds::{edge_between, mean_between, money_between, percent_between};
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::MostCards;

/// What the row of the player who knows every card is called.
pub(super) const CLAIRVOYANT: &str = "clairvoyant";

/// Every strategy beside what the deals allow.
pub(super) fn left(report: &SolveReport<'_>, most: &MostCards) -> DataTable {
    let casino = &report.rules.casino;
    let (money, priced) = (report.has_money(), most.house_edge.is_some());
    let row = |(name, it): (String, &super::SolvePlayer<'_>)| {
        let mut row = vec![exact(name), mean(it.summary.cards), mean_between(it.left.cards)];
        if money {
            row.push(it.left.money.map_or(exact(""), |left| money_between(left, casino)));
        }
        if priced {
            row.push(it.summary.house_edge.map_or(exact(""), edge));
        }
        row.push(it.left.of_winnable.map_or(exact("no deal is winnable"), percent_between));
        row
    };
    let mut rows: Vec<Vec<FormattedEstimate>> =
        report.names().into_iter().zip(&report.players).map(row).collect();
    let mut last = vec![exact(CLAIRVOYANT), mean_between(most.cards), exact("none")];
    if money {
        last.push(exact("none"));
    }
    if let Some(edge) = most.house_edge {
        last.push(edge_between(edge));
    }
    let some_can_be_won = report.players.iter().any(|it| it.left.of_winnable.is_some());
    last.push(exact(if some_can_be_won { "all" } else { "no deal is winnable" }));
    rows.push(last);
    let mut heads = vec![name("player"), figure("cards"), figure("cards left")];
    heads.extend(money.then(|| figure("money left")));
    heads.extend(priced.then(|| figure("house edge")));
    heads.push(figure("winnable deals won"));
    DataTable::new(
        "Left on the table, a game",
        "What is left is the difference to the most that the same deal allows, taken deal by deal: the luck of the deal \
                is left out of it.",
        heads,
        rows,
    )
}

/// Positions and time.
pub(super) fn effort(report: &SolveReport<'_>) -> DataTable {
    let row = |it: &super::Effort| {
        let mut cells = vec![exact(it.which.word()), number(it.deals)];
        let nodes = it.nodes;
        let nodes = [nodes.mean, nodes.median, nodes.p90, nodes.p99];
        cells.extend(nodes.map(|nodes| number(nodes.round() as u64)));
        let seconds = it.seconds;
        let seconds = [seconds.mean, seconds.median, seconds.p90, seconds.p99];
        cells.extend(seconds.map(|seconds| rounded(seconds, 4)));
        cells
    };
    let heads = ["deals", "nodes: mean", "median", "90%", "99%", "seconds: mean", "median", "90%", "99%"];
    DataTable::new(
        "What it took",
        "A node is an expanded position; seconds depend on the machine. 90% and 99% of the deals took no \
             more than the figures below these heads.",
        [name("answer")].into_iter().chain(heads.map(figure)).collect(),
        efforts(report).iter().map(row),
    )
}

/// How many deals allow how many cards at most.
pub(super) fn most_cards(most: &MostCards) -> DataTable {
    let (least, at_most) = (&most.histogram_least, &most.histogram_most);
    let deals = least.iter().sum::<u64>().max(1) as f64;
    let from = |histogram: &[u64], cards: usize| histogram[cards..].iter().sum::<u64>() as f64 / deals;
    let known = most.proven as f64 == deals;
    let row = |cards: usize| {
        let [low, high] = [least, at_most].map(|histogram| share(from(histogram, cards)));
        let reached = if low == high { low } else { format!("{low} to {high}") };
        let mut row = vec![exact(cards.to_string()), number(most.histogram_proven[cards])];
        if !known {
            row.push(number(least[cards] - most.histogram_proven[cards]));
            row.push(number(at_most[cards] - most.histogram_proven[cards]));
        }
        row.push(exact(reached));
        row
    };
    let mut heads = vec![figure("cards"), figure(if known { "deals" } else { "proven" })];
    if !known {
        heads.extend([figure("open: at least"), figure("open: at most")]);
    }
    heads.push(figure("at least this many"));
    DataTable::new(
        "The most cards of a deal",
        "How many deals allow at most each number of cards. An undecided deal is counted twice: at \
             the cards that were reached, and at the most that are not ruled out.",
        heads,
        (0..least.len()).filter(|&cards| least[cards] + at_most[cards] > 0).map(row),
    )
}
