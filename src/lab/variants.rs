//! Single changes of the rules, to find those that bring the house edge near a target.

use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Change, Draw, Loaded, Spec, vary};

/// Numbers of redeals to try.
const REDEALS: [&str; 7] = ["0", "1", "2", "3", "4", "5", "unlimited"];
/// Cards per draw to try.
const DRAWS: std::ops::RangeInclusive<u8> = 1..=5;
/// Maximum number of reserve cards to remove or add.
const RESERVES: i16 = 3;

/// A ruleset with one rule changed.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The change.
    pub change: Change,
    /// The ruleset, or its faults.
    pub rules: Result<Loaded, Vec<Diagnostic>>,
}

impl Variant {
    /// Returns the fault of the ruleset in one line, if invalid.
    pub fn fault(&self) -> Option<String> {
        let faults = self.rules.as_ref().err()?;
        let first = faults.iter().find(|fault| fault.severity == Severity::Error).or(faults.first());
        Some(first.map_or(String::new(), |fault| fault.message.clone()))
    }
}

/// Returns the ruleset with one rule changed, in each way tried: redeals 0 to 5 and unlimited, 1 to 5 cards a draw,
/// up to three reserve cards fewer or more. Changes without effect are left out.
pub fn variants(base: &Loaded) -> Vec<Variant> {
    let spec = base.rules.spec();
    let redeals = REDEALS
        .iter()
        .filter(|redeals| **redeals != redeals_of(spec))
        .map(|it| ("stock.redeals", it.to_string()));
    let draws = DRAWS.filter(|draw| spec.stock.draw != Draw::ByPass(vec![*draw]));
    let draws = draws.map(|draw| ("stock.draw", draw.to_string()));
    let size = i16::from(spec.reserve.size);
    // Without reserve piles their size has no effect.
    let reserve = if spec.reserve.piles == 0 { 0 } else { RESERVES };
    let sizes = (-reserve..=reserve).filter(|by| *by != 0 && size + by >= 0);
    let sizes = sizes.map(|by| ("reserve.size", (size + by).to_string()));
    let changes = redeals.chain(draws).chain(sizes).filter_map(|(key, value)| Change::new(key, &value).ok());
    changes.map(|change| Variant { rules: vary(base, std::slice::from_ref(&change)), change }).collect()
}

/// Returns the redeals of a ruleset as a file writes them.
fn redeals_of(spec: &Spec) -> String {
    spec.stock.redeals.map_or("unlimited".into(), |redeals| redeals.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{load, parse_text};

    fn told(base: &Loaded) -> Vec<String> {
        variants(base).iter().map(|it| it.change.to_string()).collect()
    }

    #[test]
    fn every_single_change_is_tried_but_none_that_changes_nothing() {
        let canfield =
            told(&load("canfield").unwrap()).join(" ").replace("stock.", "").replace("reserve.", "");
        let redeals =
            "redeals=0 redeals=1 redeals=2 redeals=3 redeals=4 redeals=5 draw=1 draw=2 draw=4 draw=5";
        assert_eq!(canfield, format!("{redeals} size=10 size=11 size=12 size=14 size=15 size=16"));
        // A die differs from all fixed draws.
        let die = told(&load("exorcism-die-pass").unwrap());
        assert_eq!(die.iter().filter(|it| it.starts_with("stock.draw")).count(), 5);
        let small = parse_text("small.toml", "extends = \"canfield\"\n[reserve]\nsize = 1\n").unwrap();
        assert_eq!(told(&small).iter().filter(|it| it.starts_with("reserve")).count(), 4);
    }

    #[test]
    fn a_change_that_cannot_be_is_told() {
        let text = "extends = \"canfield\"\n[reserve]\nsize = 39\n[tableau]\ndeal = [3, 3, 3, 3]\n";
        let large = parse_text("large.toml", text).unwrap();
        let variants = variants(&large);
        let fault =
            |change: &str| variants.iter().find(|it| it.change.to_string() == change).unwrap().fault();
        assert_eq!(fault("reserve.size=38"), None);
        assert!(fault("reserve.size=42").unwrap().contains("42"));
    }
}
