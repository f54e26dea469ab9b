//! Tables of terms, round sums and changed rulesets.

use super::PriceReport;
use super::terms::{change_in_words, dollars, none_gives, term_in_words, why_not};
use crate::figures::{FormattedEstimate, edge, games, mean, money_estimate};
use crate::report::labels::percent_text;
use crate::report::table::{DataTable, Head, exact, figure, name};
use crate::stats::{Common, Estimate, Offer, Priced, RoundSum, priced};

/// What each term must be, by player, and what holds against all.
pub(super) fn terms(report: &PriceReport<'_>) -> DataTable {
    let several = report.players.len() > 1;
    let casino = &report.rules.casino;
    let target = percent_text(report.target);
    let mut heads: Vec<Head> = if several { vec![name("player")] } else { Vec::new() };
    heads.extend([
        name("term"),
        figure("now"),
        figure(format!("for exactly {target}")),
        figure("in whole cents"),
        figure("edge there"),
        figure("safe"),
    ]);
    let none = || exact("");
    let mut rows = Vec::new();
    for (player, it) in report.names().into_iter().zip(&report.results.players) {
        for (term, offer) in report.terms().into_iter().zip(&it.offers) {
            let mut row = if several { vec![exact(player.clone())] } else { Vec::new() };
            row.extend([
                exact(term_in_words(term, &report.rules.casino)),
                exact(dollars(report, term.of(casino))),
            ]);
            row.extend(match offer {
                Ok(Offer { exact: sum, rounded, safe, .. }) => [
                    money_estimate(*sum, casino),
                    exact(dollars(report, rounded.cents)),
                    edge(rounded.edge),
                    exact(safe.map_or("none".into(), |Priced { cents, .. }| dollars(report, cents))),
                ],
                Err(_) => [exact("none"), none(), none(), none()],
            });
            rows.push(row);
        }
    }
    if several {
        for (term, common) in report.terms().into_iter().zip(&report.results.common) {
            let mut row = vec![
                exact("against each"),
                exact(term_in_words(term, &report.rules.casino)),
                exact(dollars(report, term.of(casino))),
            ];
            row.extend(match common {
                Some(Common { cents, edges, hardest }) => [
                    none(),
                    exact(dollars(report, *cents)),
                    edges.get(*hardest).map_or(none(), |e| edge(*e)),
                    none(),
                ],
                None => [exact("none"), none(), none(), none()],
            });
            rows.push(row);
        }
    }
    let mut why = String::new();
    for (player, it) in report.names().into_iter().zip(&report.results.players) {
        let against = if several { format!(" against {player}") } else { String::new() };
        for (term, offer) in report.terms().into_iter().zip(&it.offers) {
            if let Err(none) = offer {
                let reason = why_not(report, term, none);
                why.push_str(&format!(" {}{against}: {reason}.", none_gives(report, none, term)));
            }
        }
    }
    DataTable::new(
        format!("Terms for a house edge of {target}"),
        format!(
            "Each term changes alone; the others stay as they are. At the sum in whole cents the edge is at least {target}; at the safe sum even its lower limit is.{why}"
        ),
        heads,
        rows,
    )
}

/// Round sums nearby, with the edges that each player leaves.
pub(super) fn round_sums(report: &PriceReport<'_>) -> Option<DataTable> {
    let target = percent_text(report.target);
    let mut rows = Vec::new();
    for (i, term) in report.terms().into_iter().enumerate() {
        let hardest =
            report.results.common.get(i).and_then(|common| common.as_ref()).map_or(0, |it| it.hardest);
        let Some(Ok(offer)) = report.results.players.get(hardest).map(|it| &it.offers[i]) else { continue };
        for RoundSum { priced: at, .. } in &offer.round {
            let edges: Vec<Estimate> = report
                .results
                .tallies
                .iter()
                .filter_map(|tally| priced(tally, &report.rules.casino, term, at.cents).map(|it| it.edge))
                .collect();
            let holds = edges.iter().all(|e| e.value >= report.target - 1e-12);
            let sure = edges.iter().all(|e| e.low >= report.target - 1e-12);
            let never = edges.iter().any(|e| e.high < report.target);
            let verdict = match (holds, sure, never) {
                (_, true, _) => "yes",
                (true, ..) => "probably",
                (_, _, true) => "no",
                _ => "no, as far as these games tell",
            };
            let mut row =
                vec![exact(term_in_words(term, &report.rules.casino)), exact(dollars(report, at.cents))];
            row.extend(edges.into_iter().map(edge));
            row.push(exact(verdict));
            rows.push(row);
        }
    }
    let mut heads = vec![name("term"), figure("round sum")];
    match &report.names()[..] {
        [_] => heads.push(figure("edge there")),
        names => heads.extend(names.iter().map(|player| figure(format!("edge by {player}")))),
    }
    heads.push(figure(format!("at least {target}")));
    let about = "Round sums on either side of the exact ones, with the other terms as they are.";
    (!rows.is_empty()).then(|| DataTable::new("Round sums nearby", about, heads, rows))
}

/// Changed rulesets, nearest first.
pub(super) fn variants(report: &PriceReport<'_>) -> DataTable {
    let points = |e: Estimate| -> FormattedEstimate {
        mean(Estimate { value: e.value * 100.0, low: e.low * 100.0, high: e.high * 100.0 })
    };
    let here = dollars(report, report.rules.casino.stake);
    let target = percent_text(report.target);
    let rows = report.results.variants.iter().map(|it| {
        let mut row =
            vec![exact(change_in_words(it.change.as_ref())), edge(it.here.edge), points(it.here.distance)];
        row.extend(match it.round {
            Some(round) => [exact(dollars(report, round.cents)), edge(round.edge)],
            None => [exact("none"), exact("")],
        });
        row
    });
    let hardest = if report.players.len() > 1 { ", that of the hardest player," } else { "" };
    DataTable::new(
        "Rulesets with one rule changed, nearest first",
        format!(
            "The house edge{hardest} at {here}, its distance from {target} in points, and the round price that brings it nearest to {target}. Every row, the unchanged rules included, is based on only {} of each player.",
            games(report.results.variant_games)
        ),
        vec![
            name("rules"),
            figure(format!("edge at {here}")),
            figure(format!("points from {target}")),
            figure("round price"),
            figure("edge there"),
        ],
        rows,
    )
}
