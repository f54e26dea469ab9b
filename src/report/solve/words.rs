//! The summary of solved deals as a document.

use super::charts::solve_charts;
use super::{SolveReport, tables};
use crate::figures::{FormattedEstimate, Side, count, fixed, one_line, plural, share};
use crate::report::bounds::{BOTH_WAYS, edge_between, mean_between, money_between, percent_between};
use crate::report::document::{Block, Card, Document, Finding};
use crate::report::table::exact;
use crate::solver::Verdict;
use crate::stats::{Bounded, MostCards};

const WARNING: &str = "Nobody at a table knows every card, so these are limits that no real player can pass.";
const NO_FEES: &str = " Fees of redeals are not taken off what that player could get.";

/// The report of solved deals.
pub fn solve_document<'a>(report: &'a SolveReport<'a>) -> Document<'a> {
    let most = report.most_cards();
    let mut blocks = Vec::new();
    let charts = solve_charts(report);
    if let Some(most) = &most {
        if !report.players.is_empty() {
            blocks.push(Block::Table(tables::left(report, most)));
            blocks.extend(charts.left.map(Block::Chart));
            blocks.extend(charts.curves.map(Block::Chart));
        }
        blocks.extend(charts.most.map(Block::Chart));
    }
    blocks.push(Block::Table(tables::effort(report)));
    blocks.push(Block::Chart(charts.effort));
    blocks.extend(most.as_ref().map(|most| Block::Table(tables::most_cards(most))));
    Document {
        brief: false,
        title: format!("{}, every card known", one_line(&report.rules.name)),
        provenance: report.provenance(),
        findings: findings(report, most.as_ref()),
        warning: format!("{WARNING}{}", if report.rules.casino.has_redeal_fees() { NO_FEES } else { "" }),
        played: played(report),
        cards: cards(report, most.as_ref()),
        blocks,
        notes: notes(report),
    }
}

fn played(report: &SolveReport<'_>) -> String {
    let deals = report.bounds.deals() as u64;
    let from = match &report.file {
        Some(file) => format!("of {}", one_line(file)),
        None => format!("of seed {}", report.seed),
    };
    let faces = match report.bounds.faces() {
        1 => String::new(),
        faces => format!(", each with the {faces} faces of the die"),
    };
    let mut limits = Vec::new();
    limits.extend(report.limits.nodes.map(|nodes| format!("{} positions", count(nodes))));
    limits.extend(report.limits.seconds.map(|seconds| format!("{seconds} s")));
    let limits = if limits.is_empty() { "memory alone".into() } else { limits.join(" or ") };
    format!("{} {from}{faces}; limit a deal: {limits}", plural(deals, "deal"))
}

fn findings(report: &SolveReport<'_>, most: Option<&MostCards>) -> Vec<Finding> {
    let won = percent_between(report.winnable().share);
    let mut findings = vec![Finding {
        side: Side::Open,
        finding: format!("{} of the deals can be won", won.value),
        rest: format!(" by a player who knows every card ({}).", won.interval_in_words()),
    }];
    let Some(most) = most else { return findings };
    let cards = mean_between(most.cards);
    let edge = most.house_edge.map(edge_between);
    findings.push(Finding {
        side: most.house_edge.map_or(Side::Open, side),
        finding: format!("Such a player brings up {} cards of a deal", cards.value),
        rest: match edge {
            Some(edge) => format!(
                " on average ({}): a house edge of {} ({}), the worst that a casino could ever face.",
                cards.interval_in_words(),
                edge.value,
                edge.interval_in_words()
            ),
            None => format!(" on average ({}).", cards.interval_in_words()),
        },
    });
    for (name, player) in report.names().into_iter().zip(&report.players) {
        let left = mean_between(player.left.cards);
        let money = player.left.money.filter(|_| report.has_money());
        let money =
            money.map(|money| format!(", worth {}", money_between(money, &report.rules.casino).value));
        let won = player.left.of_winnable.map(percent_between);
        let won =
            won.map(|won| format!("; of the deals that can be won it won {} ({})", won.value, won.interval));
        findings.push(Finding {
            side: Side::Open,
            finding: format!("{name} leaves {} cards a game on the table", left.value),
            rest: format!(
                " ({}){}{}.",
                left.interval_in_words(),
                money.unwrap_or_default(),
                won.unwrap_or_default()
            ),
        });
    }
    findings
}

/// On which side an edge between bounds lies.
fn side(edge: Bounded) -> Side {
    Side::between(edge.low, edge.high)
}

fn cards(report: &SolveReport<'_>, most: Option<&MostCards>) -> Vec<Card> {
    let card = |what: &str, said| Card { side: Side::Open, what: what.into(), said };
    let mut cards = Vec::new();
    if let Some(most) = most {
        cards.push(card("most cards, mean", mean_between(most.cards)));
        if let Some(edge) = most.house_edge {
            cards.push(Card {
                side: side(edge),
                what: "house edge against clairvoyance".into(),
                said: edge_between(edge),
            });
        }
        let open = report.answers.len() as u64 - most.proven.min(report.answers.len() as u64);
        cards.push(card("deals with the most cards undecided", exact(part(open, report))));
    }
    cards.push(card("can be won", percent_between(report.winnable().share)));
    cards.push(card("undecided", undecided(report)));
    let memory = format!("{} MiB", fixed(report.bytes() as f64 / f64::from(1 << 20), 1));
    cards.push(card("most memory", exact(memory)));
    cards
}

fn part(some: u64, report: &SolveReport<'_>) -> String {
    let all = report.answers.len().max(1) as f64;
    if some == 0 { "none".into() } else { format!("{} ({})", count(some), share(some as f64 / all)) }
}

/// Deals of which it is not known whether they can be won, and why.
fn undecided(report: &SolveReport<'_>) -> FormattedEstimate {
    let open = report.open_by_limit();
    let total: u64 = open.values().sum();
    let why: Vec<String> = open.iter().map(|(limit, n)| format!("{limit} {}", count(*n))).collect();
    match total {
        0 => exact("none"),
        _ => FormattedEstimate {
            value: part(total, report),
            interval: format!("limit: {}", why.join(", ")),
            ..Default::default()
        },
    }
}

fn notes(report: &SolveReport<'_>) -> Vec<String> {
    let mut notes = vec![
        "The solver goes through the legal moves of the ordinary rules with every card known. A deal is won if moves were found \
         that win it (they were replayed), lost if that is proven, and undecided if a limit stopped the search. Rules that \
         end a game without progress do not apply."
            .to_string(),
        BOTH_WAYS.to_string(),
        "A 95% interval contains the true figure in 95 of 100 such runs. Shares have the exact interval of \
         Clopper and Pearson, means its extension to numbers of a known range (Gaffke 2005). Limits are rounded outwards."
            .to_string(),
    ];
    if report.bounds.faces() > 1 {
        notes.push(
            "The die is rolled before the game: every face has its own answer, and all count the same. Intervals treat a deal with \
             all its faces as one case. A strategy played the face that its game rolled, and is compared with the answer \
             for that face."
                .into(),
        );
    }
    if !report.players.is_empty() {
        notes.push(
            "The strategies played the ordinary games of these deals, seeing what a person at the table sees. What is left is \
             the difference between the most cards of the deal and theirs. If a strategy brought up more \
             cards than the solver in a deal left open, its count becomes the lower bound."
                .into(),
        );
        let won = report.answers.iter().filter(|answer| answer.verdict == Verdict::Won).count() as u64;
        let shown = report.winnable().won.saturating_sub(won);
        if shown > 0 {
            let (was, s) = if shown == 1 { ("was", "s") } else { ("were", "") };
            notes.push(format!(
                "Of the deals that the solver left undecided, {} {was} won by a strategy, and count{s} as winnable.",
                count(shown)
            ));
        }
    }
    notes
}
