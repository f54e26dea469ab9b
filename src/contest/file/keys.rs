//! The table of all keys of a contest file: name, shape, meaning, and functions to read and write it.

use crate::contest::check::{JITTERS, LONGEST_GATHER, MOST_DEALS, MOST_TARGET, PLAYERS, SPEEDS};
use crate::contest::spec::{DealEnd, Foundations};
use crate::rules::file::{Key, Shape, decimal, defs, key, list, some, text, word, words};

use super::draft::{Draft, DraftSeat};

/// The tables of a file with their descriptions, in the order they are written.
pub(super) const TABLES: &[(&str, &str)] = &[
    ("match", "When the match is over: after a number of deals, or at a number of points."),
    ("clock", "How time passes: play is at once, and each action of a player takes a time drawn by chance."),
];

const SPEED: Shape = Shape::Decimal(SPEEDS.0, SPEEDS.1);
const JITTER: Shape = Shape::Decimal(JITTERS.0, JITTERS.1);

pub(super) const KEYS: &[Key<Draft>] = &[
    key(
        "name",
        Shape::Text,
        "What the contest is called; the file's name if left out.",
        |r, d, v| r.name(v, &mut d.name),
        |d| some(text(&d.name)),
    ),
    key(
        "also",
        Shape::Texts,
        "Other names of it.",
        |r, d, v| r.texts(v, &mut d.also),
        |d| some(list(&d.also, |name| text(name))),
    ),
    key(
        "about",
        Shape::Text,
        "What the contest is, in a line or more.",
        |r, d, v| r.text(v, &mut d.about),
        |d| some(text(&d.about)),
    ),
    key(
        "source",
        Shape::Text,
        "Where the text of its rules comes from.",
        |r, d, v| r.text(v, &mut d.source),
        |d| some(text(&d.source)),
    ),
    // Resolved before any other key is read.
    key(
        "extends",
        Shape::Text,
        "A contest of the shelf, or a path from this file, to start from: only what differs is listed. \
        name, also, about and source are not taken over, [[player]] is replaced as a whole.",
        |r, _, v| r.text(v, &mut String::new()),
        |_| None,
    ),
    key(
        "rules",
        Shape::Text,
        "The ruleset that each player deals, with a pack of their own: a name of the shelf, or a path from \
             this file. Its stakes are ignored.",
        |r, d, v| r.name(v, &mut d.rules),
        |d| some(text(&d.rules)),
    ),
    key(
        "foundations",
        Shape::Words(words::<Foundations>),
        "Whether each player builds on foundations of their own, or all on shared ones; own if left out.",
        |r, d, v| r.word(v, d.foundations.get_or_insert(Foundations::Own)),
        |d| d.foundations.map(word),
    ),
    key(
        "score",
        Shape::Text,
        "The [[score]] of the ruleset that counts the points; its first if left out.",
        |r, d, v| r.name(v, d.score.get_or_insert_default()),
        |d| d.score.as_deref().map(text),
    ),
    key(
        "deal_ends",
        Shape::Words(words::<DealEnd>),
        "Only with shared foundations: a deal ends as soon as a player has all cards up, or an empty reserve; or \
        when no player has a play. all-up if left out.",
        |r, d, v| r.word(v, d.deal_ends.get_or_insert(DealEnd::AllUp)),
        |d| d.deal_ends.map(word),
    ),
    key(
        "players",
        Shape::Whole(PLAYERS.0, PLAYERS.1),
        "The number of identical players, who all play greedy; or give each player its own [[player]].",
        |r, d, v| r.whole(v, &mut d.players),
        |_| None,
    ),
    key(
        "match.deals",
        Shape::Whole(1, MOST_DEALS),
        "The deals of a match: after them the most points win.",
        |r, d, v| r.whole(v, &mut d.deals),
        |d| (d.deals > 0).then(|| d.deals.to_string()),
    ),
    key(
        "match.target",
        Shape::Whole(1, MOST_TARGET),
        "The first player with this many points wins the match; instead of deals.",
        |r, d, v| r.whole(v, &mut d.target),
        |d| (d.target > 0).then(|| d.target.to_string()),
    ),
    key(
        "match.max_rounds",
        Shape::Whole(1, MOST_DEALS),
        "Only with target: deals after which the match ends undecided; 1000 if left out.",
        |r, d, v| r.whole(v, d.max_rounds.get_or_insert_default()),
        |d| d.max_rounds.map(|n| n.to_string()),
    ),
    key(
        "clock.gather",
        Shape::Decimal(0, LONGEST_GATHER),
        "Seconds between two deals, for gathering, shuffling and dealing the cards; 30 if left out.",
        |r, d, v| r.decimal(v, d.gather.get_or_insert_default()),
        |d| d.gather.map(|n| decimal(n.into())),
    ),
    key(
        "clock.speed",
        SPEED,
        "Actions a second of players without a speed of their own; 1 if left out.",
        |r, d, v| r.decimal(v, d.speed.get_or_insert_default()),
        |d| d.speed.map(|n| decimal(n.into())),
    ),
    key(
        "clock.jitter",
        JITTER,
        "The largest share by which an action takes more or less time, for players without a jitter of \
             their own; 0.2 if left out.",
        |r, d, v| r.decimal(v, d.jitter.get_or_insert_default()),
        |d| d.jitter.map(|n| decimal(n.into())),
    ),
    // Written as [[player]] tables, not as a value.
    key(
        "player",
        Shape::Tables(|| defs(SEAT_KEYS)),
        "The players, in the order of their seats.",
        |r, d, v| match r.tables(v, SEAT_KEYS, &[]) {
            Some(seats) => {
                d.seats = seats;
                true
            }
            None => false,
        },
        |_| None,
    ),
];

/// `[[player]]`
pub(super) const SEAT_KEYS: &[Key<DraftSeat>] = &[
    key(
        "player.name",
        Shape::Text,
        "What the player is called; Player and the seat if left out.",
        |r, s, v| r.name(v, s.name.get_or_insert_default()),
        |s| s.name.as_deref().map(text),
    ),
    key(
        "player.strategy",
        Shape::Text,
        "How the player plays: a strategy of the shelf, or the path of a script from this file; greedy if left out.",
        |r, s, v| {
            s.strategy_at = Some(v.span());
            r.name(v, s.strategy.get_or_insert_default())
        },
        |s| s.strategy.as_deref().map(text),
    ),
    key(
        "player.speed",
        SPEED,
        "Actions a second; as [clock] has it if left out.",
        |r, s, v| r.decimal(v, s.speed.get_or_insert_default()),
        |s| s.speed.map(|n| decimal(n.into())),
    ),
    key(
        "player.jitter",
        JITTER,
        "The largest share by which an action takes more or less time; as [clock] has it if left out.",
        |r, s, v| r.decimal(v, s.jitter.get_or_insert_default()),
        |s| s.jitter.map(|n| decimal(n.into())),
    ),
    key(
        "player.team",
        Shape::Text,
        "The player's team, whose points are pooled; for every player, or none.",
        |r, s, v| {
            s.team_at = Some(v.span());
            r.name(v, s.team.get_or_insert_default())
        },
        |s| s.team.as_deref().map(text),
    ),
    key(
        "player.count",
        Shape::Whole(1, PLAYERS.1),
        "The number of players like this one, each with a number after the name; 1 if left out.",
        |r, s, v| r.whole(v, s.count.get_or_insert_default()),
        |_| None,
    ),
];
