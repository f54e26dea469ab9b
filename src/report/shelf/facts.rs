//! What a ruleset lays out and how its stock goes, in a word each.

use crate::rules::{Draw, ReserveFace, Roll, Spec};

/// The reserve: `13`, `4 × 3 open`, `none`.
pub(super) fn reserve(rules: &Spec) -> String {
    let (piles, size) = (rules.reserve.piles, rules.reserve.size);
    let cards = match (piles, size) {
        (0, _) | (_, 0) => return "none".into(),
        (1, size) => size.to_string(),
        (piles, size) => format!("{piles} × {size}"),
    };
    match rules.reserve.face {
        ReserveFace::Top => cards,
        ReserveFace::All => format!("{cards} open"),
        ReserveFace::Last => format!("{cards} hidden"),
    }
}

/// The piles with the cards dealt to each: `4`, `7 of 2`, `7 of 1 to 7`.
pub(super) fn piles(rules: &Spec) -> String {
    let deal = &rules.tableau.deal;
    let (least, most) = (deal.iter().min().copied().unwrap_or(0), deal.iter().max().copied().unwrap_or(0));
    match (least, most) {
        (1, 1) => deal.len().to_string(),
        (least, most) if least == most => format!("{} of {most}", deal.len()),
        _ => format!("{} of {least} to {most}", deal.len()),
    }
}

/// Cards of a draw: `3`, `3, 2, 1`, `die a pass`.
pub(super) fn draw(rules: &Spec) -> String {
    match &rules.stock.draw {
        Draw::ByPass(sizes) => sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
        Draw::Die { roll, .. } => {
            let each = match roll {
                Roll::Draw => "draw",
                Roll::Pass => "pass",
                Roll::Game => "game",
            };
            format!("die a {each}")
        }
    }
}

/// Redeals: `2`, `no limit`.
pub(super) fn redeals(rules: &Spec) -> String {
    rules.stock.redeals.map_or("no limit".into(), |redeals| redeals.to_string())
}

/// Other names and a description, in one text.
pub(super) fn also_and_about(also: &[String], about: &str) -> String {
    if also.is_empty() { about.into() } else { format!("Also {}. {about}", also.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    #[test]
    fn games_in_a_few_words() {
        let said = |name: &str| {
            let loaded = rules::load(name).unwrap();
            let spec = loaded.rules.spec();
            [reserve(spec), piles(spec), draw(spec), redeals(spec)].join("; ")
        };
        assert_eq!(said("canfield"), "13; 4; 3; no limit");
        assert_eq!(said("canfield-rush"), "13; 4; 3, 2, 1; 2");
        assert_eq!(said("eagle-wing"), "13 hidden; 8; 1; 2");
        assert_eq!(said("klondike"), "none; 7 of 1 to 7; 3; no limit");
        assert_eq!(said("exorcism-die-pass"), "13; 4; die a pass; no limit");
        assert_eq!(said("minerva"), "11; 7 of 4; 1; 1");
    }
}
