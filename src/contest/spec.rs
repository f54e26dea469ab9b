//! A contest as plain values, and what is wrong with them over a ruleset. How a key is written stands in `file.rs`.

use serde::{Serialize, Serializer};

use crate::diagnostic::{Severity, did_you_mean};
use crate::rules::words::worded;
use crate::rules::{Base, Fault, Returns, Score, Spec, Start};

/// A contest as plain values: every key of a contest file, after `extends` is resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContestSpec {
    /// Name of the contest.
    pub name: String,
    /// Other names of it.
    pub also: Vec<String>,
    /// Description of the contest, in one or more lines.
    pub about: String,
    /// Source of its rules.
    pub source: String,
    /// `rules`: the ruleset that each player deals, a name on the shelf or a path. In a file the path is relative to
    /// that file; here it is the path that this program opens. Stakes of the ruleset are ignored in a contest, whether
    /// they are paid at once or in stages.
    pub rules: String,
    /// `foundations`
    pub foundations: Foundations,
    /// `score`: the `[[score]]` of the ruleset used to count points; by default the ruleset's first.
    pub score: String,
    /// `deal_ends`; meaningful only with shared foundations, and `AllUp` otherwise.
    pub deal_ends: DealEnd,
    /// `[match]`
    #[serde(rename = "match")]
    pub goal: Goal,
    /// `clock.gather`: milliseconds between two deals, for gathering the cards, shuffling and dealing.
    #[serde(serialize_with = "thousandths")]
    pub gather: u32,
    /// `[[player]]`: the players in the order of their seats, 2..=8.
    #[serde(rename = "player")]
    pub players: Vec<PlayerSpec>,
}

impl ContestSpec {
    /// Returns whether speed can win a match: not with a number of deals on separate foundations.
    pub fn speed_matters(&self) -> bool {
        self.foundations == Foundations::Shared || matches!(self.goal, Goal::Target { .. })
    }
}

worded! {
    /// `foundations`: which foundations the players build on.
    Foundations {
        /// Each player on separate foundations: the deals are played side by side.
        Own,
        /// All players on shared foundations, started by any base card.
        Shared,
    }
    /// `deal_ends`: when a deal with shared foundations ends, other than for lack of plays.
    DealEnd {
        /// As soon as a player has brought all cards up.
        AllUp,
        /// As soon as a player's reserve is empty, or all cards are up.
        Reserve,
    }
}

/// `[match]`: when the match is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// `match.deals`: the most points after this number of deals win.
    Deals(u32),
    /// `match.target`: the first side to reach the target wins.
    Target {
        /// The points to reach.
        points: i64,
        /// `match.max_rounds`: deals after which a match is undecided, as weak play may never get there.
        max_rounds: u32,
    },
}

/// `[[player]]`: the player at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerSpec {
    /// The player's name, which is unique.
    pub name: String,
    /// `strategy`: a name on the shelf, or a path; as with [`ContestSpec::rules`].
    pub strategy: String,
    /// `speed`: actions per second, in thousandths.
    #[serde(serialize_with = "thousandths")]
    pub speed: u32,
    /// `jitter`: the fraction by which the time of an action may vary, in thousandths.
    #[serde(serialize_with = "thousandths")]
    pub jitter: u32,
    /// `team`: points are pooled among players with the same team.
    pub team: Option<String>,
}

/// Default of `match.max_rounds`.
pub const MAX_ROUNDS: u32 = 1000;
/// Default of `clock.gather`, in milliseconds.
pub const GATHER: u32 = 30_000;
/// Default strategy of a player.
pub const STRATEGY: &str = "greedy";
/// Default speed of a player, in thousandths of an action per second.
pub const SPEED: u32 = 1000;
/// Default jitter of a player, in thousandths.
pub const JITTER: u32 = 200;

/// Serializes a number of thousandths as a decimal fraction.
fn thousandths<S: Serializer>(n: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(f64::from(*n) / 1000.0)
}

/// Minimum and maximum number of players.
pub const PLAYERS: (i64, i64) = (2, 8);
/// Minimum and maximum speed, in thousandths of an action per second.
pub const SPEEDS: (i64, i64) = (10, 1_000_000);
/// Minimum and maximum jitter, in thousandths.
pub(super) const JITTERS: (i64, i64) = (0, 990);
/// Maximum length of a name in characters: names appear in titles and tables.
const LONGEST_NAME: usize = 1_000;
/// Maximum time between deals, in milliseconds: an hour.
pub(super) const LONGEST_GATHER: i64 = 3_600_000;
/// Maximum number of deals of a match.
pub(super) const MOST_DEALS: i64 = 100_000;
/// Maximum target score.
pub(super) const MOST_TARGET: i64 = 1_000_000_000;

impl ContestSpec {
    /// Returns everything that is wrong with the contest over its ruleset, if that is known, errors and warnings. If
    /// there are no errors, the output of [`ContestSpec::to_toml`] can be read again.
    pub fn faults(&self, rules: Option<&Spec>) -> Vec<Fault> {
        let mut judge = Judge { contest: self, faults: Vec::new() };
        judge.alone();
        if let Some(rules) = rules {
            judge.over(rules);
        }
        judge.faults
    }

    /// Returns the score used to count points, if the ruleset has it.
    pub fn score<'a>(&self, rules: &'a Spec) -> Option<&'a Score> {
        rules.scores.iter().find(|score| score.name == self.score)
    }
}

struct Judge<'a> {
    contest: &'a ContestSpec,
    faults: Vec<Fault>,
}

impl Judge<'_> {
    fn error(&mut self, keys: &[&'static str], message: impl Into<String>, help: &str) -> &mut Fault {
        self.add(Severity::Error, keys, message.into(), help)
    }

    fn add(&mut self, severity: Severity, keys: &[&'static str], message: String, help: &str) -> &mut Fault {
        let help = (!help.is_empty()).then(|| help.to_string());
        let at = self.faults.len();
        self.faults.push(Fault { severity, keys: keys.to_vec(), item: None, message, help });
        &mut self.faults[at]
    }

    /// Checks the range of a number. A file cannot hold one outside it, but a contest built by a program can.
    fn within(&mut self, key: &'static str, value: i64, (low, high): (i64, i64)) {
        if !(low..=high).contains(&value) {
            self.error(&[key], format!("`{key}` cannot be {value}"), &format!("allowed: {low} to {high}"));
        }
    }

    fn alone(&mut self) {
        match self.contest.goal {
            Goal::Deals(deals) => self.within("match.deals", deals.into(), (1, MOST_DEALS)),
            Goal::Target { points, max_rounds } => {
                self.within("match.target", points, (1, MOST_TARGET));
                self.within("match.max_rounds", max_rounds.into(), (1, MOST_DEALS));
            }
        }
        if blank(&self.contest.name) {
            self.error(
                &["name"],
                "`name` must be one line of text without control characters, not empty",
                "",
            );
        }
        let players = self.contest.players.iter().map(|player| &player.name);
        if players.chain([&self.contest.name]).any(|name| name.chars().count() > LONGEST_NAME) {
            let message = format!("a name has more than {LONGEST_NAME} characters");
            self.error(&["name"], message, "names appear in titles and tables");
        }
        self.within("clock.gather", self.contest.gather.into(), (0, LONGEST_GATHER));
        if self.contest.foundations == Foundations::Own && self.contest.deal_ends != DealEnd::AllUp {
            self.error(&["deal_ends", "foundations"], DEAL_ENDS_OWN, DEAL_ENDS_HELP);
        }
        self.players();
        self.teams();
    }

    fn players(&mut self) {
        let players = &self.contest.players;
        let (fewest, most) = PLAYERS;
        if !(fewest..=most).contains(&(players.len() as i64)) {
            let message = match players.len() {
                1 => "a contest of one player".into(),
                n => format!("a contest of {n} players"),
            };
            let help = format!("allowed: {fewest} to {most} players");
            self.error(&["player", "players"], message, &help);
        }
        for (i, player) in players.iter().enumerate() {
            let named = [
                ("player", "name", Some(&player.name)),
                ("player.strategy", "strategy", Some(&player.strategy)),
                ("player.team", "team", player.team.as_ref()),
            ];
            for (key, what, _) in
                named.into_iter().filter(|(_, _, name)| name.is_some_and(|name| blank(name)))
            {
                let message = format!(
                    "the `{what}` of a player must be one line of text without control characters, not empty"
                );
                self.error(&[key], message, "").item = Some(i);
            }
            if players[..i].iter().any(|other| other.name == player.name) {
                let message = format!("two players are called \"{}\"", player.name);
                self.error(&["player"], message, "give each a different name").item = Some(i);
            }
            self.within("player.speed", player.speed.into(), SPEEDS);
            self.within("player.jitter", player.jitter.into(), JITTERS);
        }
    }

    fn teams(&mut self) {
        let players = &self.contest.players;
        let mut teams: Vec<&str> = players.iter().filter_map(|player| player.team.as_deref()).collect();
        if teams.is_empty() {
            return;
        }
        for (i, player) in players.iter().enumerate().filter(|(_, player)| player.team.is_none()) {
            let message = format!("\"{}\" is in no team, but other players are", player.name);
            self.error(&["player"], message, "add `team` to every player, or to none").item = Some(i);
        }
        if teams.len() == players.len() {
            teams.sort_unstable();
            teams.dedup();
            if let [team] = teams[..] {
                let message = format!("all players are of the one team \"{team}\"");
                self.error(&["player.team", "player"], message, "a contest has two teams or more").item =
                    Some(0);
            }
        }
    }

    fn over(&mut self, rules: &Spec) {
        if self.contest.foundations == Foundations::Shared {
            self.shared(rules);
        }
        let keys = ["deal_ends", "rules"];
        let reserve = rules.reserve.piles > 0 && rules.reserve.size > 0;
        if self.contest.deal_ends == DealEnd::Reserve && !reserve {
            let message = format!("a deal cannot end by an empty reserve: \"{}\" deals none", rules.name);
            self.error(&keys, message, "use deal_ends = \"all-up\", or a ruleset with a reserve");
        }
        let keys = ["score", "rules"];
        let Some(score) = self.contest.score(rules) else {
            let names: Vec<&str> = rules.scores.iter().map(|score| score.name.as_str()).collect();
            if names.is_empty() {
                let message =
                    format!("\"{}\" has no [[score]], so there are no points to play for", rules.name);
                let help = "play a ruleset that extends it and adds a [[score]], \
                            such as name = \"points\", foundation_card = 1";
                self.error(&["rules"], message, help);
            } else {
                let guess = did_you_mean(&self.contest.score, names.iter().copied());
                let guess = guess.map_or(String::new(), |guess| format!("did you mean \"{guess}\"? "));
                let message = format!("\"{}\" has no score \"{}\"", rules.name, self.contest.score);
                self.error(&keys, message, &format!("{guess}allowed: \"{}\"", names.join("\", \"")));
            }
            return;
        };
        self.points(score, rules);
    }

    /// Checks that the rules allow shared foundations.
    fn shared(&mut self, rules: &Spec) {
        let mut unfit = Vec::new();
        if rules.deal.packs != 1 {
            unfit.push(format!("packs = {}", rules.deal.packs));
        }
        if !matches!(rules.foundation.base, Base::Rank(_)) {
            unfit.push("a base rank that differs from deal to deal".into());
        }
        match rules.foundation.start {
            Start::None => {}
            Start::One => unfit.push("start = \"one\"".into()),
            Start::All => unfit.push("start = \"all\"".into()),
        }
        match rules.foundation.returns {
            Returns::Never => {}
            Returns::Top => unfit.push("return = \"top\"".into()),
            Returns::TopExceptBase => unfit.push("return = \"top-except-base\"".into()),
        }
        if !unfit.is_empty() {
            let message =
                format!("\"{}\" cannot be played on shared foundations: it has {}", rules.name, and(&unfit));
            let help = "they need packs = 1, a rank as base, start = \"none\" and return = \"never\"";
            self.error(&["foundations", "rules"], message, help);
        }
    }

    fn points(&mut self, score: &Score, rules: &Spec) {
        let keys = ["score", "rules", "foundations"];
        let shared = self.contest.foundations == Foundations::Shared;
        let coefficients = [("complete_suit", score.complete_suit), ("won", score.won)];
        for (name, _) in coefficients.into_iter().filter(|(_, points)| shared && *points != 0) {
            let message =
                format!("`{name}` of the score \"{}\" cannot be counted on shared foundations", score.name);
            let help = "no player owns a shared foundation: use `foundation_card` and `out_first`";
            self.error(&keys, message, help);
        }
        if !shared && score.out_first != 0 {
            let message = format!(
                "`out_first` of the score \"{}\" has no effect: it counts on shared foundations only",
                score.name
            );
            self.add(Severity::Warning, &keys, message, "");
        }
        let Goal::Target { points, .. } = self.contest.goal else { return };
        if most(score, rules).is_some_and(|most| most <= 0) {
            let message = format!(
                "no player can reach {points} points: a deal never scores more than 0 by \"{}\"",
                score.name
            );
            self.add(Severity::Warning, &["match.target", "score", "rules"], message, "use `match.deals`");
        }
    }
}

/// Message for a `deal_ends` without shared foundations.
pub(super) const DEAL_ENDS_OWN: &str = "`deal_ends` is used only with `foundations = \"shared\"`";
/// Advice for it.
pub(super) const DEAL_ENDS_HELP: &str = "on foundations of their own all players play their deal to its end";

/// Returns the highest possible score of a deal; `None` if there is no limit.
fn most(score: &Score, rules: &Spec) -> Option<i64> {
    let reserve = i64::from(rules.reserve.piles) * i64::from(rules.reserve.size);
    let counted = [
        (score.foundation_card, rules.cards() as i64),
        (score.complete_suit, rules.foundations() as i64),
        (score.won, 1),
        (score.out_first, 1),
        (score.reserve_left, reserve),
    ];
    let most = counted.iter().map(|&(points, times)| points.max(0).saturating_mul(times)).sum::<i64>();
    (score.redeal <= 0).then_some(most.saturating_add(score.constant))
}

/// Returns whether a name is empty, or does not fit on one line.
fn blank(name: &str) -> bool {
    name.trim().is_empty() || name.contains(char::is_control)
}

/// Formats a list in words.
fn and(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
