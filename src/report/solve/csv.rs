//! The deals as comma-separated values.

use super::SolveReport;
use crate::report::csv::{Row, table};
use crate::solver::Verdict;

/// A row for each answer: `deal,face,verdict,limit,cards,cards_at_most,nodes,seconds`, and for each strategy its `cards`
/// and the `end` of its game. A deal without a die has no face; with one, a game stands in the row of the face that it
/// rolled.
pub fn solve_csv(report: &SolveReport<'_>) -> String {
    let columns = ["deal", "face", "verdict", "limit", "cards", "cards_at_most", "nodes", "seconds"];
    let head = columns.into_iter().fold(Row::default(), Row::field);
    let by = |row: Row, name: String| row.text(&format!("{name} cards")).text(&format!("{name} end"));
    let mut rows = vec![report.names().into_iter().fold(head, by)];
    for (place, answer) in report.answers.iter().enumerate() {
        let limit = match answer.verdict {
            Verdict::Unknown(limit) => limit.to_string(),
            _ => String::new(),
        };
        let face = answer.face.map_or(String::new(), |face| face.to_string());
        let row = Row::default().text(&answer.id).field(face).field(answer.verdict).field(limit);
        let row = row.field(answer.cards).field(answer.cards_at_most).field(answer.nodes);
        let mut row = row.field(format!("{:.6}", answer.seconds));
        for player in &report.players {
            let game = player.games.get(place / report.bounds.faces());
            row = match game.filter(|game| answer.face.is_none() || game.face == answer.face) {
                Some(game) => row.field(game.outcome.cards).field(game.outcome.end),
                None => row.field("").field(""),
            };
        }
        rows.push(row);
    }
    table(rows)
}
