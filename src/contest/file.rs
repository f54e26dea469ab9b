//! Contest files: TOML to [`ContestSpec`], with every fault of the file, of the files it extends and of what it refers
//! to; and back.

use std::ops::Range;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::diagnostic::{Diagnostic, Severity, SourceText};
use crate::players;
use crate::rules::file::{
    At, FileKind, Key, Nested, Place, Reading, Shape, defs, keys, read, schema_of, to_toml,
};
use crate::rules::find::{Origin, Shelf, open, stem};
use crate::rules::words::words;
use crate::rules::{self, Fault, LoadError, Loaded, load_beside};
use crate::strategy::StrategySource;

use super::spec::*;

/// A contest ready to be played.
#[derive(Clone, Debug)]
pub struct LoadedContest {
    /// Its name on the shelf, or the name of its file without the extension.
    pub id: String,
    /// Its contents.
    pub spec: ContestSpec,
    /// Whether the file gives a number of equal players, instead of listing them.
    pub equal: bool,
    /// The ruleset that each player deals.
    pub rules: rules::Loaded,
    /// The strategies of the players, by seat.
    pub strategies: Vec<StrategySource>,
    /// Warnings about the contest and its ruleset.
    pub warnings: Vec<Diagnostic>,
    /// The requested text, then the texts it extends, nearest first.
    pub sources: Vec<Arc<SourceText>>,
}

/// Loads a contest of the shelf by its name, or a file by its path: an argument with a `/` or an extension is a path.
///
/// # Errors
/// Fails for an unknown name or an unreadable file; returns every fault of the file, of those it extends, of its
/// ruleset and of its strategies.
pub fn load(name_or_path: &str) -> Result<LoadedContest, LoadError> {
    let (origin, source) = open(Draft::SHELF, name_or_path)?;
    finish(source, origin)
}

/// Parses a contest from a text; `name` takes the place of its file name in messages and in the resolution of relative
/// paths.
///
/// # Errors
/// Returns every fault of the text, of the files it extends, of its ruleset and of its strategies.
pub fn parse_text(name: &str, text: &str) -> Result<LoadedContest, LoadError> {
    finish(SourceText::of(name, text), Origin::file(name))
}

fn finish(source: SourceText, origin: Origin) -> Result<LoadedContest, LoadError> {
    let id = stem(&source.name);
    let document = read::<Draft>(source, origin).map_err(LoadError::Faults)?;
    let (warnings, sources) = (document.warnings, document.sources);
    Ok(LoadedContest { id, warnings, sources, ..document.value })
}

/// Every contest of `rulesets/contests/` with its text, sorted by name.
const SHELF: &[(&str, &str)] = &[
    ("exorcism-competition", include_str!("../../rulesets/contests/exorcism-competition.toml")),
    ("exorcism-teams", include_str!("../../rulesets/contests/exorcism-teams.toml")),
    ("nerts", include_str!("../../rulesets/contests/nerts.toml")),
    ("racing-demon", include_str!("../../rulesets/contests/racing-demon.toml")),
];

/// Returns the contests of the shelf, each with its text, sorted by name.
pub const fn shelf() -> &'static [(&'static str, &'static str)] {
    SHELF
}

/// The tables of a file with their descriptions, in the order they are written.
const TABLES: &[(&str, &str)] = &[
    ("match", "When the match is over: after a number of deals, or at a number of points."),
    ("clock", "How time passes: play is at once, and each action of a player takes a time drawn by chance."),
];

const SPEED_SHAPE: Shape = Shape::Decimal(SPEEDS.0, SPEEDS.1);
const JITTER_SHAPE: Shape = Shape::Decimal(JITTERS.0, JITTERS.1);

const KEYS: &[Key<Draft>] = keys! { Draft:
    "name" = name, Shape::Name, "What the contest is called; the file's name if left out.";
    "also" = also, Shape::Texts, "Other names of it.";
    "about" = about, Shape::Text, "What the contest is, in a line or more.";
    "source" = source, Shape::Text, "Where the text of its rules comes from.";
    // Resolved before any other key is read.
    "extends", Shape::Text,
        "A contest of the shelf, or a path from this file, to start from: only what differs is listed. \
         name, also, about and source are not taken over, [[player]] is replaced as a whole.";
    "rules" = rules, Shape::Name,
        "The ruleset that each player deals, with a pack of their own: a name of the shelf, or a path from \
         this file. Its stakes are ignored.";
    "foundations" = foundations, Shape::Words(words::<Foundations>),
        "Whether each player builds on foundations of their own, or all on shared ones; own if left out.";
    "score" = score, Shape::Name,
        "The [[score]] of the ruleset that counts the points; its first if left out.";
    "deal_ends" = deal_ends, Shape::Words(words::<DealEnd>),
        "Only with shared foundations: a deal ends as soon as a player has all cards up, or an empty \
         reserve; or when no player has a play. all-up if left out.";
    "players" = players, Shape::Whole(PLAYERS.0, PLAYERS.1),
        "The number of identical players, who all play greedy; or give each player its own [[player]].", if |_| false;
    "match.deals" = deals, Shape::Whole(1, MOST_DEALS),
        "The deals of a match: after them the most points win.", if |d| d.deals > 0;
    "match.target" = target, Shape::Whole(1, MOST_TARGET),
        "The first player with this many points wins the match; instead of deals.", if |d| d.target > 0;
    "match.max_rounds" = max_rounds, Shape::Whole(1, MOST_DEALS),
        "Only with target: deals after which the match ends undecided; 1000 if left out.";
    "clock.gather" = gather, Shape::Decimal(0, LONGEST_GATHER),
        "Seconds between two deals, for gathering, shuffling and dealing the cards; 30 if left out.";
    "clock.speed" = speed, SPEED_SHAPE, "Actions a second of players without a speed of their own; 1 if left out.";
    "clock.jitter" = jitter, JITTER_SHAPE,
        "The largest share by which an action takes more or less time, for players without a jitter of \
         their own; 0.2 if left out.";
    // Written as [[player]] tables, not as a value.
    "player" = seats, Shape::Tables(defs::<DraftSeat>), "The players, in the order of their seats.";
};

/// `[[player]]`
impl Nested for DraftSeat {
    const KEYS: &'static [Key<DraftSeat>] = keys! { DraftSeat:
        "player.name" = name, Shape::Name, "What the player is called; Player and the seat if left out.";
        "player.strategy" = strategy, Shape::Name,
            "How the player plays: a strategy of the shelf, or the path of a script from this file; greedy if \
             left out.";
        "player.speed" = speed, SPEED_SHAPE, "Actions a second; as [clock] has it if left out.";
        "player.jitter" = jitter, JITTER_SHAPE,
            "The largest share by which an action takes more or less time; as [clock] has it if left out.";
        "player.team" = team, Shape::Name,
            "The player's team, whose points are pooled; for every player, or none.";
        "player.count" = count, Shape::Whole(1, PLAYERS.1),
            "The number of players like this one, each with a number after the name; 1 if left out.", if |_| false;
    };
    const NEEDED: &'static [(&'static str, &'static str)] = &[];
}

/// The keys of a contest as written; `None` if no file gives them.
#[derive(Default)]
struct Draft {
    pub name: String,
    pub also: Vec<String>,
    pub about: String,
    pub source: String,
    pub rules: String,
    pub foundations: Option<Foundations>,
    pub score: Option<String>,
    pub deal_ends: Option<DealEnd>,
    /// `players = n`
    pub players: usize,
    pub deals: u32,
    pub target: i64,
    pub max_rounds: Option<u32>,
    pub gather: Option<u32>,
    pub speed: Option<u32>,
    pub jitter: Option<u32>,
    /// `[[player]]`
    pub seats: Vec<DraftSeat>,
}

/// A `[[player]]` as written.
#[derive(Default)]
struct DraftSeat {
    pub name: Option<String>,
    pub strategy: At<Option<String>>,
    pub speed: Option<u32>,
    pub jitter: Option<u32>,
    pub team: At<Option<String>>,
    pub count: Option<usize>,
}

impl From<&ContestSpec> for Draft {
    /// Fills in every key, for writing.
    fn from(spec: &ContestSpec) -> Draft {
        let (deals, target, max_rounds) = match spec.goal {
            Goal::Deals(deals) => (deals, 0, None),
            Goal::Target { points, max_rounds } => (0, points, Some(max_rounds)),
        };
        let shared = spec.foundations == Foundations::Shared;
        Draft {
            name: spec.name.clone(),
            also: spec.also.clone(),
            about: spec.about.clone(),
            source: spec.source.clone(),
            rules: spec.rules.clone(),
            foundations: Some(spec.foundations),
            score: Some(spec.score.clone()),
            deal_ends: (shared || spec.deal_ends != DealEnd::AllUp).then_some(spec.deal_ends),
            players: 0,
            deals,
            target,
            max_rounds,
            gather: Some(spec.gather),
            speed: None,
            jitter: None,
            seats: spec.players.iter().map(DraftSeat::from).collect(),
        }
    }
}

impl From<&PlayerSpec> for DraftSeat {
    fn from(player: &PlayerSpec) -> DraftSeat {
        DraftSeat {
            name: Some(player.name.clone()),
            strategy: At { value: Some(player.strategy.clone()), at: 0..0 },
            speed: Some(player.speed),
            jitter: Some(player.jitter),
            team: At { value: player.team.clone(), at: 0..0 },
            ..DraftSeat::default()
        }
    }
}

impl FileKind for Draft {
    type Whole = LoadedContest;

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

    fn judge(reading: &mut Reading<Draft>, root: &Arc<SourceText>) -> Option<LoadedContest> {
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
        reading.place(spec.faults(rules.as_ref().map(|loaded| loaded.rules.spec())), root);
        let (id, warnings, sources) = Default::default();
        Some(LoadedContest { id, spec, equal, rules: rules?, strategies, warnings, sources })
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

/// Too many players are a fault of their own, and no reason to read that many scripts.
const MOST_PLAYERS: usize = PLAYERS.1 as usize;

impl Reading<Draft> {
    /// Loads the strategies; a path is relative to the file that contains it. Faults of a script are reported with
    /// those of the contest.
    fn strategies(&mut self, players: &mut [PlayerSpec], root: &Arc<SourceText>) -> Vec<StrategySource> {
        let from = self.places.get("player.strategy").map_or("", |place| &place.source.name).to_string();
        let (mut loaded, mut faults, mut told) = (Vec::new(), Vec::new(), Vec::new());
        for (i, player) in players.iter_mut().enumerate().take(MOST_PLAYERS) {
            let told_of = match players::load_beside(&player.strategy, &from) {
                Ok(source) => {
                    player.strategy = source.name().to_string();
                    loaded.push(source);
                    continue;
                }
                Err(error) => error.in_file(),
            };
            let (message, help) = match told_of {
                Ok(told) => told,
                Err(script) => {
                    if !told.contains(&script) {
                        self.faults.extend(script.iter().cloned());
                        told.push(script);
                    }
                    continue;
                }
            };
            let keys = vec!["player.strategy", "player"];
            faults.push(Fault { severity: Severity::Error, keys, item: Some(i), message, help: Some(help) });
        }
        self.place(faults, root);
        loaded
    }
}

impl ContestSpec {
    /// Returns the contest as a file with every key written out; reading it in the folder in which this program runs
    /// gives an equal [`ContestSpec`].
    ///
    /// Settings for all players (`players`, `count`, speed and jitter of the clock) are written for each player.
    pub fn to_toml(&self) -> String {
        to_toml(&Draft::from(self))
    }
}

/// Returns the JSON Schema (draft 2020-12) of a contest file, built from the table of keys that reads it.
pub fn schema() -> Value {
    let about = "A contest of several players over a ruleset: who plays how and how fast, on which foundations, \
                 and until when.";
    let mut schema = schema_of::<Draft>("Saratoga contest", about);
    schema["not"] = json!({ "required": ["players", "player"] });
    schema["properties"]["match"]["not"] = json!({ "required": ["deals", "target"] });
    schema
}

/// Returns the schema as indented text, to be saved beside contests.
pub fn schema_text() -> String {
    format!("{:#}\n", schema())
}
