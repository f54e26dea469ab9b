//! The contests on the page of the shelf.

use maud::{Markup, html};
use serde::Serialize;

use super::ShelfPage;
use crate::contest::{ContestSpec, Foundations, Goal};
use crate::report::contest::mean_of;
use crate::report::csv::quoted;
use crate::report::figures::{count, percent};
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
        let of =
            |deals: u32| if deals == 1 { "1 deal".into() } else { format!("{} deals", count(deals.into())) };
        match self.spec.goal {
            Goal::Deals(deals) => format!("most points after {}", of(deals)),
            Goal::Target { points, max_rounds } => format!("{points} points within {}", of(max_rounds)),
        }
    }
}

/// One row for each contest.
pub(super) fn section(shelf: &ShelfPage<'_>) -> Markup {
    let first = shelf.players.first().copied().unwrap_or_default();
    let matches = shelf.contests.iter().flat_map(|row| &row.summaries).map(|s| s.matches).max().unwrap_or(0);
    html! {
        h2 { "Contests of several players" }
        p {
            "In each column one player of the contest plays by that strategy, and all others play " (first) ": "
            "how often the one wins a match alone, and its own points in a match, each with its 95% interval. "
            "Among equals everybody wins the fair share, less the matches that are tied. At most "
            (count(matches)) " matches of each, from seed " (shelf.seed) "; all players are equally fast."
        }
        div.wide {
            table.rulesets {
                thead {
                    tr {
                        th rowspan="2" { "Contest" }
                        @for fact in ["Rules", "Foundations", "Match"] { th rowspan="2" { (fact) } }
                        th.n rowspan="2" { "Players" }
                        th.n rowspan="2" { "Fair share" }
                        @for player in &shelf.players { th.by colspan="2" scope="colgroup" { (player) } }
                    }
                    tr { @for _ in &shelf.players { th.n.first { "Matches won" } th.n { "Points" } } }
                }
                tbody { @for row in &shelf.contests { (contest(row)) } }
            }
        }
    }
}

fn contest(row: &ShelfContest<'_>) -> Markup {
    let spec = row.spec;
    let foundations = match spec.foundations {
        Foundations::Own => "own",
        Foundations::Shared => "shared",
    };
    let sides = spec.sides().len();
    html! {
        tr id={ "contest-" (row.id) } {
            th scope="row" {
                b { (spec.name) } " " code { (row.id) }
                @if !spec.also.is_empty() { small { "also " (spec.also.join(", ")) } }
                small { (spec.about) }
            }
            td { (row.rules) }
            td { (foundations) }
            td { (row.goal()) }
            td.n { (spec.players.len()) @if sides < spec.players.len() { small { "in " (sides) " teams" } } }
            td.n { (format!("{:.1}%", 100.0 / sides as f64)) }
            @for summary in &row.summaries { (figures(summary)) }
        }
    }
}

fn figures(summary: &ContestSummary) -> Markup {
    let Some(one) = summary.players.first().filter(|_| summary.matches > 0) else {
        return html! { td.first colspan="2" { "no matches played" } };
    };
    let (won, points) = (percent(one.win_rate), mean_of(one.points, summary.matches));
    html! {
        td.n.first { (won.value) small { (won.interval) } @if summary.undecided > 0 {
            small { (count(summary.undecided)) " undecided" }
        } }
        td.n { (points.value) @if !points.interval.is_empty() { small { (points.interval) } } }
    }
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
    let mut text = format!("{HEADER}\n");
    for row in &shelf.contests {
        for (strategy, s, one) in one_of_each(shelf, row) {
            let mut cells = vec![row.id.to_string(), row.spec.name.clone(), row.rules.to_string()];
            cells.extend([row.spec.players.len(), row.spec.sides().len()].map(|n| n.to_string()));
            cells.extend([strategy.to_string(), shelf.players[0].to_string()]);
            cells.extend([shelf.seed, s.matches, s.undecided, s.tied, one.wins].map(|n| n.to_string()));
            cells.extend([one.win_rate.value, one.win_rate.low, one.win_rate.high].map(|x| x.to_string()));
            let limits = [Some(one.points.value), one.points.low, one.points.high];
            cells.extend(limits.map(|x| x.map_or(String::new(), |x| x.to_string())));
            let cells: Vec<_> = cells.iter().map(|cell| quoted(cell)).collect();
            text += &format!("{}\n", cells.join(","));
        }
    }
    text
}

/// The share of matches won for each contest and strategy: the rows of a table.
pub(super) fn rows(shelf: &ShelfPage<'_>) -> Vec<Vec<String>> {
    let row = |row: &ShelfContest<'_>| {
        let said = row.summaries.iter().map(|s| match s.players.first().filter(|_| s.matches > 0) {
            Some(one) => percent(one.win_rate).both(),
            None => "no matches".into(),
        });
        std::iter::once(row.id.to_string()).chain(said).collect()
    };
    shelf.contests.iter().map(row).collect()
}
