//! Strength of the kinds of patrons in the games of the shelf, as measured by `reports/regenerate patrons`.

/// A line for each ruleset and kind: the ruleset, the kind, deals, mean cards, mean net in cents, and the gain in net
/// over the kind below on the same deals, with half of its 95% interval.
const MEASURED: &str = include_str!("../../scripts/patrons.tsv");

/// A kind of patron in a game, compared with the kind below it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The kind.
    pub name: &'static str,
    /// The next weaker kind.
    pub below: &'static str,
    /// The ruleset of the shelf.
    pub rules: &'static str,
    /// Number of deals that both played.
    pub deals: u64,
    /// The gain over the kind below, in cents per deck, and half of its 95% interval.
    pub gain: (f64, f64),
}

impl Level {
    /// Returns whether the kind was found to gain more than the one below.
    pub fn is_stronger(&self) -> bool {
        self.gain.0 > self.gain.1
    }
}

/// Returns the kinds in a ruleset of the shelf, each above the next weaker one; empty for other rulesets.
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

    /// The kinds are in order in every game of the shelf; only a searching kind may not be found stronger, if
    /// everything is won already or no choices are left.
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
            // No kind is found to be weaker than the one below it.
            assert!(
                found.iter().all(|it| it.gain.0 > -it.gain.1 || it.gain == (0.0, 0.0)),
                "{rules}: {found:?}"
            );
        }
        assert_eq!(levels("canfiel").count() + levels("nowhere").count(), 0);
    }
}
