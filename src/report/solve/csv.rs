//! The deals as comma-separated values.

use std::fmt::Write;

use super::SolveReport;
use crate::report::csv::quoted;
use crate::solver::Verdict;

/// A row for each answer: `deal,face,verdict,limit,cards,cards_at_most,nodes,seconds`, and for each strategy its `cards`
/// and the `end` of its game. A deal without a die has no face; with one, a game stands in the row of the face that it
/// rolled.
pub fn solve_csv(report: &SolveReport<'_>) -> String {
    let mut text = "deal,face,verdict,limit,cards,cards_at_most,nodes,seconds".to_string();
    for name in report.names() {
        let _ = write!(text, ",{},{}", quoted(&format!("{name} cards")), quoted(&format!("{name} end")));
    }
    text.push('\n');
    for (row, answer) in report.answers.iter().enumerate() {
        let limit = match answer.verdict {
            Verdict::Unknown(limit) => limit.to_string(),
            _ => String::new(),
        };
        let face = answer.face.map_or(String::new(), |face| face.to_string());
        let _ = write!(
            text,
            "{},{face},{},{limit},{},{},{},{:.6}",
            quoted(&answer.id),
            answer.verdict,
            answer.cards,
            answer.cards_at_most,
            answer.nodes,
            answer.seconds
        );
        for player in &report.players {
            let game = player.games.get(row / report.bounds.faces());
            match game.filter(|game| answer.face.is_none() || game.face == answer.face) {
                Some(game) => {
                    let _ = write!(text, ",{},{}", game.outcome.cards, game.outcome.end);
                }
                None => text.push_str(",,"),
            }
        }
        text.push('\n');
    }
    text
}
