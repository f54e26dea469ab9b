//! The contests on the page of the shelf.

use serde::Serialize;

use super::ShelfPage;
use super::facts::also_and_about;
use crate::contest::{ContestSpec, Goal};
use crate::figures::{FormattedEstimate, count, number, percent, plural};
use crate::report::contest::mean_of;
use crate::report::csv;
use crate::report::labels::name_in_full;
use crate::report::table::{DataTable, Head, Row, exact, figure, name};
use crate::rules::file::Word;
use crate::stats::{ContestSummary, Estimate, Mean, StandingSummary};

/// A contest of the shelf with what its matches say.
#[derive(Clone, Debug)]
pub struct ShelfContest<'a> {
    /// Its name on the shelf.
    pub id: &'a str,
    /// The contest.
    pub spec: &'a ContestSpec,
    /// What the ruleset is called that its players play.
    pub rules: &'a str,
    /// A summary for each player of the page: the first of the contest's players is that player, the
    /// others are the page's first. Of no matches where none were played.
    pub summaries: Vec<ContestSummary>,
}

impl ShelfContest<'_> {
    /// What a match is about, in a few words.
    fn goal(&self) -> String {
        let of = |deals: u32| plural(deals.into(), "deal");
        match self.spec.goal {
            Goal::Deals(deals) => format!("most points after {}", of(deals)),
            Goal::Target { points, max_rounds } => format!("{points} points within {}", of(max_rounds)),
        }
    }
}

/// Every contest with its facts, and what one player by each strategy came to.
pub(super) fn table(shelf: &ShelfPage<'_>) -> DataTable {
    let first = shelf.players.first().copied().unwrap_or_default();
    let matches = shelf.contests.iter().flat_map(|row| &row.summaries).map(|s| s.matches).max().unwrap_or(0);
    let mut heads = vec![name("contest"), name("rules"), name("foundations"), name("match")];
    heads.extend(["players", "fair share"].map(figure));
    for player in in_contests(shelf) {
        heads.extend(["matches won", "points"].map(|head| figure(head).below(player)));
    }
    let about = format!(
        "In each column one player uses that strategy, and all others use {first}. The figures are how \
             often that player wins a match alone, and its points in a match, each with its 95% interval. \
             If all players are equal, each wins the fair share: the matches that are not tied, divided by \
             the number of players. At most {} of each, from seed {}; all players are equally fast.",
        plural(matches, "match"),
        shelf.seed
    );
    DataTable::new("Contests of several players", about, heads, shelf.contests.iter().map(contest))
}

/// The players of the contests: not the one that searches, which leaves them to a script.
fn in_contests<'p, 'a>(shelf: &'p ShelfPage<'a>) -> &'p [&'a str] {
    let players = shelf.contests.iter().map(|row| row.summaries.len()).max().unwrap_or(0);
    &shelf.players[..players.min(shelf.players.len())]
}

fn contest(row: &ShelfContest<'_>) -> Row {
    let spec = row.spec;
    let (players, sides) = (spec.players.len(), spec.sides().len());
    let teams = if sides < players { format!("in {}", plural(sides as u64, "team")) } else { String::new() };
    let mut cells = vec![
        exact(name_in_full(&spec.name, row.id)),
        exact(row.rules),
        exact(spec.foundations.word()),
        exact(row.goal()),
        FormattedEstimate { interval: teams, ..number(players as u64) },
        FormattedEstimate::of(1.0 / sides as f64, format!("{:.1}%", 100.0 / sides as f64)),
    ];
    cells.extend(row.summaries.iter().flat_map(figures));
    let anchor = format!("contest-{}", row.id);
    Row { cells, anchor, about: also_and_about(&spec.also, &spec.about), ..Row::default() }
}

fn figures(summary: &ContestSummary) -> [FormattedEstimate; 2] {
    let Some(one) = summary.players.first().filter(|_| summary.matches > 0) else {
        return ["no matches", ""].map(exact);
    };
    let mut won = percent(one.win_rate);
    if summary.undecided > 0 {
        won.interval.push_str(&format!("; {} undecided", count(summary.undecided)));
    }
    [won, mean_of(one.points, summary.matches)]
}

/// A contest in the page's JSON.
#[derive(Serialize)]
pub(super) struct Contest<'a> {
    id: &'a str,
    name: &'a str,
    also: &'a [String],
    about: &'a str,
    source: &'a str,
    rules: &'a str,
    players: usize,
    sides: usize,
    /// One player by a strategy, among others by the page's first.
    among: Vec<Among<'a>>,
}

#[derive(Serialize)]
struct Among<'a> {
    strategy: &'a str,
    others: &'a str,
    matches: u64,
    undecided: u64,
    tied: u64,
    wins: u64,
    win_rate: Estimate,
    points: Mean,
}

pub(super) fn json<'p>(shelf: &'p ShelfPage<'_>, row: &'p ShelfContest<'_>) -> Contest<'p> {
    let among = one_of_each(shelf, row).map(|(strategy, s, one)| Among {
        strategy,
        others: shelf.players[0],
        matches: s.matches,
        undecided: s.undecided,
        tied: s.tied,
        wins: one.wins,
        win_rate: one.win_rate,
        points: one.points,
    });
    Contest {
        id: row.id,
        name: &row.spec.name,
        also: &row.spec.also,
        about: &row.spec.about,
        source: &row.spec.source,
        rules: row.rules,
        players: row.spec.players.len(),
        sides: row.spec.sides().len(),
        among: among.collect(),
    }
}

/// The first player of each line-up, with the strategy it plays by.
fn one_of_each<'p>(
    shelf: &'p ShelfPage<'_>,
    row: &'p ShelfContest<'_>,
) -> impl Iterator<Item = (&'p str, &'p ContestSummary, &'p StandingSummary)> {
    let with = shelf.players.iter().zip(&row.summaries);
    with.filter_map(|(strategy, summary)| Some((*strategy, summary, summary.players.first()?)))
}

const HEADER: &str = "id,name,rules,players,sides,strategy,others,seed,matches,undecided,tied,wins,\
    win_rate,win_rate_low,win_rate_high,points,points_low,points_high";

/// The contests as comma-separated values: a header, then one row for each contest and strategy.
pub fn shelf_contests_csv(shelf: &ShelfPage<'_>) -> String {
    let mut rows = vec![csv::Row::head(HEADER)];
    for row in &shelf.contests {
        for (strategy, s, one) in one_of_each(shelf, row) {
            let cells = csv::Row::default().text(row.id).text(&row.spec.name).text(row.rules);
            let cells = cells.field(row.spec.players.len()).field(row.spec.sides().len());
            let cells = cells.text(strategy).text(shelf.players[0]).field(shelf.seed);
            let cells = cells.field(s.matches).field(s.undecided).field(s.tied).field(one.wins);
            rows.push(cells.estimate(Some(one.win_rate)).mean(Some(one.points)));
        }
    }
    csv::table(rows)
}

/// The share of matches won for each contest and strategy.
pub(super) fn wins(shelf: &ShelfPage<'_>) -> DataTable {
    let by = in_contests(shelf).iter().map(|player| figure(format!("matches won by one {player}")));
    let heads: Vec<Head> = std::iter::once(name("contest")).chain(by).collect();
    let row = |row: &ShelfContest<'_>| {
        let said = row.summaries.iter().map(|s| match s.players.first().filter(|_| s.matches > 0) {
            Some(one) => percent(one.win_rate),
            None => exact("no matches"),
        });
        std::iter::once(exact(row.id)).chain(said).collect::<Vec<_>>()
    };
    DataTable::new("Contests of several players", "", heads, shelf.contests.iter().map(row))
}
