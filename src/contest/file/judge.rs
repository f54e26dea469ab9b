//! Builds a contest from the values in its files, and validates it.

use std::ops::Range;
use std::sync::Arc;

use crate::contest::check::{DEAL_ENDS_HELP, DEAL_ENDS_OWN};
use crate::contest::shelf::shelf;
use crate::contest::spec::*;
use crate::diagnostic::{Diagnostic, SourceText};
use crate::rules::file::{FileKind, Key, Place, Reading};
use crate::rules::find::Shelf;
use crate::rules::{Loaded, load_beside};

use super::draft::{Draft, DraftSeat, Whole};
use super::keys::{KEYS, TABLES};

impl FileKind for Draft {
    type Whole = Whole;

    const SHELF: Shelf = Shelf { what: "contest", example: "racing-demon", texts: shelf() };
    const KEYS: &'static [Key<Draft>] = KEYS;
    const TABLES: &'static [(&'static str, &'static str)] = TABLES;
    const SECOND_NAME: Option<(&'static str, &'static str)> = None;
    const HINTS: &'static [(&'static str, &'static str)] = &[
        ("title", "the key is `name`"),
        ("description", "the key is `about`"),
        ("author", "say so in `source`, or in a comment that begins with #"),
        ("ruleset", "the key is `rules`"),
        ("game", "the key is `rules`"),
        ("seats", "write one [[player]] for each, or `players` for a number of equal ones"),
        ("seed", "a seed is given on the command line, with --seed"),
    ];

    fn begin(&mut self, name: String) {
        self.name = name;
        self.also.clear();
        self.about.clear();
        self.source.clear();
    }

    fn judge(reading: &mut Reading<Draft>, root: &Arc<SourceText>) -> Option<Whole> {
        let rules = reading.rules(root);
        let goal = reading.goal(root);
        let deal_ends = reading.deal_ends();
        let mut players = reading.players(root);
        let equal = reading.places.contains_key("players");
        let strategies = reading.strategies(&mut players, root);
        let draft = std::mem::take(&mut reading.value);
        let first = rules.as_ref().and_then(|loaded| loaded.rules.spec().scores.first());
        let spec = ContestSpec {
            name: draft.name,
            also: draft.also,
            about: draft.about,
            source: draft.source,
            // The name of the text is the path by which it was opened.
            rules: rules.as_ref().map_or(draft.rules, |loaded| loaded.sources[0].name.clone()),
            foundations: draft.foundations.unwrap_or(Foundations::Own),
            score: draft.score.or_else(|| first.map(|score| score.name.clone())).unwrap_or_default(),
            deal_ends,
            goal: goal.unwrap_or(Goal::Deals(1)),
            gather: draft.gather.unwrap_or(GATHER),
            players,
        };
        match &rules {
            Some(loaded) => reading.place(spec.faults(loaded.rules.spec()), root),
            None => reading.place(spec.faults_alone(), root),
        }
        Some(Whole { spec, equal, rules: rules?, strategies })
    }
}

impl Reading<Draft> {
    /// Returns the position of a key that was read without a fault.
    fn at(&self, key: &str) -> Option<&Place> {
        self.places.get(key).filter(|_| !self.unsound.contains(key))
    }

    fn error(&mut self, key: &'static str, message: &str, help: &str) {
        if let Some(place) = self.places.get(key) {
            let fault = Diagnostic::error(&place.source, place.value.clone(), message).help(help);
            self.faults.push(fault);
        }
    }

    /// Reports a missing key, shown at the beginning of the file, unless `table` may contain a misspelling of it.
    fn missing(&mut self, root: &Arc<SourceText>, table: &str, message: &str, help: &str) {
        if !self.gaps.contains("") && !self.gaps.contains(table) {
            self.faults.push(Diagnostic::error(root, 0..0, message).help(help));
        }
    }

    /// Returns which of two mutually exclusive keys counts, that of the nearer file, and discards the other.
    fn either(&mut self, one: &'static str, other: &'static str) -> Option<&'static str> {
        let depth = |key| self.places.get(key).map(|place| place.depth);
        let (kept, gone) = match (depth(one), depth(other)) {
            (None, None) => return None,
            (Some(a), Some(b)) if a == b => {
                let message = format!("this file has both `{one}` and `{other}`");
                self.error(other, &message, "keep one of the two");
                (one, other)
            }
            (Some(a), Some(b)) if a > b => (other, one),
            (None, _) => (other, one),
            _ => (one, other),
        };
        self.places.remove(gone);
        self.unsound.remove(gone);
        Some(kept)
    }

    /// Loads the ruleset; its faults are reported with those of the contest.
    fn rules(&mut self, root: &Arc<SourceText>) -> Option<Loaded> {
        if !self.places.contains_key("rules") {
            let help = "add rules = \"canfield\", or another name on the shelf, or a path from this file";
            self.missing(root, "", "a contest needs `rules`: the layout that each player deals", help);
        }
        let place = self.at("rules")?;
        let (source, span) = (place.source.clone(), place.value.clone());
        match load_beside(&self.value.rules, &source.name) {
            Ok(Ok(loaded)) => {
                self.faults.extend(loaded.warnings.iter().cloned());
                Some(loaded)
            }
            Ok(Err(faults)) => {
                self.faults.extend(faults);
                None
            }
            Err(missing) => {
                self.faults.push(Diagnostic::error(&source, span, missing.message).help(missing.help));
                None
            }
        }
    }

    fn goal(&mut self, root: &Arc<SourceText>) -> Option<Goal> {
        let Some(kept) = self.either("match.deals", "match.target") else {
            let help =
                "add deals = 4 for a number of deals, or target = 200 for a number of points, under [match]";
            self.missing(root, "match", "a contest needs an end of the match", help);
            return None;
        };
        if kept == "match.target" {
            let max_rounds = self.value.max_rounds.unwrap_or(MAX_ROUNDS);
            return Some(Goal::Target { points: self.value.target, max_rounds });
        }
        // `deals` replaces the target of an extended contest, and its rounds with it.
        let depth = |key| self.places.get(key).map(|place| place.depth);
        if depth("match.max_rounds").is_some_and(|rounds| depth(kept).is_some_and(|deals| rounds <= deals)) {
            let help = "a match with a fixed number of deals needs no `match.max_rounds`: leave it out";
            self.error("match.max_rounds", "`match.max_rounds` is used only with `match.target`", help);
        }
        Some(Goal::Deals(self.value.deals))
    }

    /// Returns `deal_ends`, which is used only with shared foundations.
    fn deal_ends(&mut self) -> DealEnd {
        let ends = self.value.deal_ends.unwrap_or(DealEnd::AllUp);
        if self.value.foundations == Some(Foundations::Shared) || self.unsound.contains("foundations") {
            return ends;
        }
        // A contest may replace the shared foundations of the one it extends.
        let depth = |key| self.places.get(key).map(|place| place.depth);
        let replaced = depth("foundations").is_some_and(|own| depth("deal_ends").is_some_and(|d| d > own));
        if !replaced {
            self.error("deal_ends", DEAL_ENDS_OWN, DEAL_ENDS_HELP);
        }
        DealEnd::AllUp
    }

    /// Returns the players by seat; empty if they are unknown.
    fn players(&mut self, root: &Arc<SourceText>) -> Vec<PlayerSpec> {
        let sound = |key: &str, value: Option<u32>| value.filter(|_| !self.unsound.contains(key));
        let speed = sound("clock.speed", self.value.speed).unwrap_or(SPEED);
        let jitter = sound("clock.jitter", self.value.jitter).unwrap_or(JITTER);
        let seats = match self.either("player", "players") {
            Some(kept) if self.unsound.contains(kept) => return Vec::new(),
            Some("player") => std::mem::take(&mut self.value.seats),
            Some(_) => (0..self.value.players).map(|_| DraftSeat::default()).collect(),
            None => {
                let help = "add `players = 4` for identical players, or a [[player]] for each";
                self.missing(root, "", "a contest needs players", help);
                self.unsound.insert("players");
                return Vec::new();
            }
        };
        let (mut players, mut strategies, mut names, mut teams) = (vec![], vec![], vec![], vec![]);
        let list = self.places.get("player").map(|place| place.items.clone()).unwrap_or_default();
        for (i, seat) in seats.into_iter().enumerate() {
            let at = list.get(i).cloned().unwrap_or_default();
            let place = |given: bool, own: &Range<usize>| if given { own.clone() } else { at.clone() };
            let count = seat.count.unwrap_or(1);
            for copy in 1..=count {
                let name = match &seat.name {
                    Some(name) if count > 1 => format!("{name} {copy}"),
                    Some(name) => name.clone(),
                    None => format!("Player {}", players.len() + 1),
                };
                players.push(PlayerSpec {
                    name,
                    strategy: seat.strategy.value.clone().unwrap_or_else(|| STRATEGY.into()),
                    speed: seat.speed.unwrap_or(speed),
                    jitter: seat.jitter.unwrap_or(jitter),
                    team: seat.team.value.clone(),
                });
                names.push(at.clone());
                strategies.push(place(seat.strategy.value.is_some(), &seat.strategy.at));
                teams.push(place(seat.team.value.is_some(), &seat.team.at));
            }
        }
        // Faults of a player are shown at that player's table.
        if let Some(place) = self.places.get_mut("player") {
            place.items = names;
            let (source, depth, value) = (place.source.clone(), place.depth, place.value.clone());
            for (key, items) in [("player.strategy", strategies), ("player.team", teams)] {
                let place = Place { source: source.clone(), depth, value: value.clone(), items };
                self.places.insert(key, place);
            }
        }
        players
    }
}
