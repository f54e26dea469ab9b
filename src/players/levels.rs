//! How strong the kinds of patrons are in the games of the shelf, as `reports/regenerate patrons` measured it.

/// A line for each ruleset and kind: the ruleset, the kind, deals, mean cards, mean net in cents, and by how much the net is
/// above that of the kind below on the same deals, with half of its 95% interval.
const MEASURED: &str = include_str!("../../scripts/patrons.tsv");

/// A kind of patron in a game, beside the kind below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The kind.
    pub name: &'static str,
    /// The next weaker kind.
    pub below: &'static str,
    /// The ruleset of the shelf.
    pub rules: &'static str,
    /// Deals that both played.
    pub deals: u64,
    /// What it was paid more than the other, in cents a deck, and half of the 95% interval.
    pub gain: (f64, f64),
}

impl Level {
    /// Whether it was found to be paid more than the kind below.
    pub fn is_stronger(&self) -> bool {
        self.gain.0 > self.gain.1
    }
}

/// The kinds in a ruleset of the shelf, each above the next weaker one; none for other rulesets.
pub fn levels(rules: &str) -> impl Iterator<Item = Level> {
    let mut below = None;
    let of = move |line: &'static str| line.strip_prefix(rules)?.strip_prefix('\t').map(|_| line);
    MEASURED.lines().filter_map(of).filter_map(move |line| {
        let fields: Vec<&'static str> = line.split('\t').collect();
        let [rules, name, deals, _, _, gain, half] = fields[..] else { return None };
        let below = below.replace(name)?;
        let gain = (gain.parse().ok()?, half.parse().ok()?);
        Some(Level { name, below, rules, deals: deals.parse().ok()?, gain })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds are in order in every game of the shelf; where only one that searches is not known to be stronger, all else is
    /// won already or nothing is left to choose.
    #[test]
    fn every_game_of_the_shelf_is_measured() {
        for (rules, _) in crate::rules::shelf() {
            let found: Vec<Level> = levels(rules).collect();
            assert_eq!(
                found.iter().map(|it| (it.below, it.name)).collect::<Vec<_>>(),
                [("beginner", "ordinary"), ("ordinary", "expert"), ("expert", "shark")],
                "{rules}: run reports/regenerate patrons"
            );
            assert!(found.iter().all(|it| it.is_stronger() || it.name == "shark"), "{rules}: {found:?}");
            // None is known to be weaker than the one below it.
            assert!(
                found.iter().all(|it| it.gain.0 > -it.gain.1 || it.gain == (0.0, 0.0)),
                "{rules}: {found:?}"
            );
        }
        assert_eq!(levels("canfiel").count() + levels("nowhere").count(), 0);
    }
}
