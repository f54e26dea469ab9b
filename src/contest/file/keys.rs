//! The table of all keys of a contest file: name, shape and meaning.

use crate::contest::check::{JITTERS, LONGEST_GATHER, MOST_DEALS, MOST_TARGET, PLAYERS, SPEEDS};
use crate::contest::spec::{DealEnd, Foundations};
use crate::rules::file::{Key, Nested, Shape, defs, keys};
use crate::rules::words::words;

use super::draft::{Draft, DraftSeat};

/// The tables of a file with their descriptions, in the order they are written.
pub(super) const TABLES: &[(&str, &str)] = &[
    ("match", "When the match is over: after a number of deals, or at a number of points."),
    ("clock", "How time passes: play is at once, and each action of a player takes a time drawn by chance."),
];

const SPEED: Shape = Shape::Decimal(SPEEDS.0, SPEEDS.1);
const JITTER: Shape = Shape::Decimal(JITTERS.0, JITTERS.1);

pub(super) const KEYS: &[Key<Draft>] = keys! { Draft:
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
    "clock.speed" = speed, SPEED, "Actions a second of players without a speed of their own; 1 if left out.";
    "clock.jitter" = jitter, JITTER,
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
        "player.speed" = speed, SPEED, "Actions a second; as [clock] has it if left out.";
        "player.jitter" = jitter, JITTER,
            "The largest share by which an action takes more or less time; as [clock] has it if left out.";
        "player.team" = team, Shape::Name,
            "The player's team, whose points are pooled; for every player, or none.";
        "player.count" = count, Shape::Whole(1, PLAYERS.1),
            "The number of players like this one, each with a number after the name; 1 if left out.", if |_| false;
    };
    const NEEDED: &'static [(&'static str, &'static str)] = &[];
}
