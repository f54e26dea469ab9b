//! Settings of a searching strategy: its effort and its goal.

use crate::game::View;
use crate::rules::TableauFace;
use crate::units::Count;

/// The quantity that the strategy maximizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Cards on the foundations.
    Cards,
    /// Games won, with ties broken by cards.
    Win,
    /// What the casino pays.
    Money,
}

/// Effort and goal of a searching strategy. The effort is given as counts, so that a game is the same on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The preset, 1 to 5.
    pub level: u8,
    /// Number of sampled deals in each of which a line of play is searched.
    pub worlds: usize,
    /// Number of sampled deals in which each of the final ways is judged.
    pub judged: usize,
    /// Maximum number of positions that a solve expands.
    pub nodes: u64,
    /// Maximum number of positions expanded to find the shortest ways to unknown cards.
    pub ways: usize,
    /// The goal.
    pub aim: Aim,
    /// The policy used where nothing can be solved; `None` selects one that suits the ruleset.
    pub policy: Option<String>,
}

/// All settings of `search`.
pub const SETTINGS: &str = "level, worlds, judged, nodes, ways, goal and policy";

/// Maximum of each count.
pub(super) const MOST: [(&str, u64); 4] =
    [("worlds", 1_000), ("judged", 10_000), ("nodes", 10_000_000), ("ways", 100_000)];

/// Worlds, judged, nodes and ways of each level.
const LEVELS: [(usize, usize, u64, usize); 5] = [
    (1, 4, 100, 50),
    (4, 16, 700, 500),
    (8, 16, 4_000, 500),
    (12, 30, 20_000, 1_000),
    (16, 48, 40_000, 1_000),
];

/// The default level.
const USUAL: u8 = 2;

impl Options {
    /// Returns a preset.
    pub fn level(level: u8) -> Options {
        let (worlds, judged, nodes, ways) = LEVELS[usize::from(level.clamp(1, 5)) - 1];
        Options { level, worlds, judged, nodes, ways, aim: Aim::Money, policy: None }
    }

    /// Parses settings, the level first.
    ///
    /// # Errors
    /// Fails if a setting is unknown, is given twice, or has an invalid value.
    pub fn read(settings: &[(String, String)]) -> Result<Options, String> {
        for (i, (name, _)) in settings.iter().enumerate() {
            if settings[..i].iter().any(|(other, _)| other == name) {
                return Err(format!("`{name}` is set twice; set it once"));
            }
        }
        let level = match settings.iter().find(|(name, _)| name == "level") {
            None => USUAL,
            Some((name, value)) => count(name, value, 1, 5)? as u8,
        };
        let mut options = Options::level(level);
        for (name, value) in settings {
            let most = MOST.iter().find(|(of, _)| of == name).map_or(0, |(_, most)| *most);
            match name.as_str() {
                "level" => {}
                "worlds" | "judged" | "nodes" | "ways" => {
                    options.set_count(name, count(name, value, 1, most)?);
                }
                "goal" => {
                    options.aim = match value.as_str() {
                        "cards" => Aim::Cards,
                        "win" => Aim::Win,
                        "money" => Aim::Money,
                        _ => return Err(invalid(name, value, "cards, win or money")),
                    }
                }
                "policy" => options.policy = Some(value.clone()),
                _ => return Err(format!("`search` has no setting `{name}`; it has {SETTINGS}")),
            }
        }
        Ok(options)
    }

    /// Returns a count by its name; 0 if there is none of this name.
    pub(super) fn count(&self, name: &str) -> u64 {
        match name {
            "worlds" => self.worlds as u64,
            "judged" => self.judged as u64,
            "nodes" => self.nodes,
            "ways" => self.ways as u64,
            _ => 0,
        }
    }

    /// Sets a count by its name.
    pub(super) fn set_count(&mut self, name: &str, value: u64) {
        match name {
            "worlds" => self.worlds = value as usize,
            "judged" => self.judged = value as usize,
            "nodes" => self.nodes = value,
            "ways" => self.ways = value as usize,
            _ => {}
        }
    }
}

fn invalid(name: &str, value: &str, allowed: &str) -> String {
    format!("`{name}` cannot be `{value}`; it is {allowed}")
}

fn count(name: &str, value: &str, least: u64, most: u64) -> Result<u64, String> {
    let read = value.parse().ok().map(|Count(count)| count).filter(|count| (least..=most).contains(count));
    let separated = if value.contains(':') { "; settings are separated by commas" } else { "" };
    let allowed = || format!("a whole number from {least} to {most}{separated}");
    read.ok_or_else(|| invalid(name, value, &allowed()))
}

/// Number of draws through the stock that the playouts of a decision are meant for.
const DRAWS: usize = 12;

/// Maximum number of ways judged in games of several packs, divided by the packs.
const WAYS_OF_PACKS: usize = 24;

/// Maximum number of ways while the stock is unknown.
const MOST_UNSEEN: usize = 16;

/// Factor for the number of worlds while the stock is unknown: playouts are much cheaper than solves, and each says
/// less.
const PLAYOUTS: usize = 8;

/// Divisor for the positions of a solve while the stock is unknown.
const FEWER: u64 = 8;

/// Factors for the worlds in which lines are searched and ways are judged, and divisor for the positions of a solve, if
/// piles hide cards. Many cards are hidden then, and what is reached in a single world says less.
const HIDDEN: (usize, usize, u64) = (3, 4, 6);

/// Minimum number of positions of a solve then, unless the options allow fewer.
const LEAST_HIDDEN: u64 = 100;

/// Minimum number of worlds in which ways are judged.
const LEAST: usize = 3;

/// Counts for one decision: those of the options, reduced if a world costs more.
///
/// The counts of a level are meant for one pack and a stock that is soon known. A game of several packs has more
/// reveals, more ways to each, and slower positions; one that turns its stock card by card has a decision at each of
/// them. The reductions depend only on the rules and on what is seen, so that a game is the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Number of worlds in each of which a line is searched.
    pub worlds: usize,
    /// Number of worlds in which a way is judged by solves.
    pub judged: usize,
    /// Number of worlds in which a way is judged by playouts.
    pub playouts: usize,
    /// Maximum number of positions of a solve.
    pub nodes: u64,
    /// Maximum number of positions expanded to find ways.
    pub ways: usize,
    /// Maximum number of ways judged.
    pub most_ways: usize,
    /// The same while the stock is unknown: the policy's way and the nearest.
    pub most_unseen: usize,
    /// Whether a way that wins in all worlds so far is accepted without further comparison.
    pub content: bool,
}

impl Budget {
    /// Returns the budget for the position of a view.
    pub fn of(options: &Options, view: &View<'_>) -> Budget {
        let packs = usize::from(view.rules().deal.packs).max(1);
        let news = view.stock_is_news(view.own_table());
        // A packet that a die will decide counts as three cards.
        let packet = Some(view.draw()).filter(|&cards| cards > 0).unwrap_or(3);
        let draws = (view.stock_left() + view.waste_left()) / packet;
        let (over, under) = (DRAWS, packs * packs * draws.max(DRAWS));
        let hides = view.rules().tableau.face == TableauFace::Top && view.rules().reserve.piles == 0;
        let (more_worlds, more_judged, fewer) = if hides && !news { HIDDEN } else { (1, 1, 1) };
        let known_nodes = (options.nodes / fewer).max(LEAST_HIDDEN.min(options.nodes));
        Budget {
            worlds: options.worlds.div_ceil(packs) * more_worlds,
            judged: options.judged.div_ceil(packs).max(LEAST.min(options.judged)) * more_judged,
            playouts: (options.judged * PLAYOUTS * over / under).max(options.judged),
            nodes: if news { options.nodes / FEWER } else { 2 * known_nodes / (packs as u64 + 1) }.max(1),
            ways: options.ways.div_ceil(packs),
            most_ways: if packs > 1 { WAYS_OF_PACKS / packs } else { usize::MAX },
            most_unseen: (MOST_UNSEEN * DRAWS / draws.max(DRAWS)).min(WAYS_OF_PACKS / packs),
            content: packs > 1 || news && draws > DRAWS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_as_elsewhere() {
        let read = |value: &str| Options::read(&[("nodes".to_string(), value.to_string())]);
        for value in ["10000", "10_000", "10k", "1e4"] {
            assert_eq!(read(value).unwrap().nodes, 10_000, "{value}");
        }
        for value in ["0", "1.5", "-1", "11M", "many"] {
            let said = read(value).unwrap_err();
            let allowed = "it is a whole number from 1 to 10000000";
            assert_eq!(said, format!("`nodes` cannot be `{value}`; {allowed}"));
        }
        let said = read("100:goal=win").unwrap_err();
        assert!(said.ends_with("; settings are separated by commas"), "{said}");
    }
}
