//! Report on the shelf: every ruleset with its facts, and the results of several players.

use std::collections::BTreeMap;

use super::contest::mean_of;
use super::document::{Block, DataTable, Document, Medium, exact};
use super::labels::{in_full, name_in_full, upper_first};
use super::rules_in_words::SHARE_OF_STAKED;
use super::run::Run;
use super::simulate::{NOTES, WARNING, remarks};
use crate::chart::{Axis, Chart, Hues, Key, Mark, padded, scaled, span};
use crate::contest::{ContestSpec, Goal};
use crate::format::{
    FormattedEstimate, count, difference, edge, gain_estimate, games, mean, number, percent, plural, points,
};
use crate::lab::{ShelfContest, ShelfFound, ShelfPlayer, ShelfRuleset};
use crate::rules::Word;
use crate::rules::{Draw, ReserveFace, Spec};
use crate::stats::{ContestSummary, Estimate, Summary, TAIL, rate_at};

const ROW: i32 = 36;

/// Results, with the names of the players.
struct Page<'a> {
    found: &'a ShelfFound,
    seed: u64,
    players: Vec<&'a str>,
    ahead: Vec<&'a str>,
}

impl<'a> Page<'a> {
    fn new(run: &Run, found: &'a ShelfFound) -> Page<'a> {
        let names = |of: fn(&ShelfRuleset) -> &Vec<ShelfPlayer>| {
            let most = found.rulesets.iter().map(of).max_by_key(|players| players.len());
            most.into_iter().flatten().map(|player| &*player.strategy).collect::<Vec<_>>()
        };
        Page { found, seed: run.seed, players: names(|row| &row.players), ahead: names(|row| &row.ahead) }
    }

    /// Returns every ruleset under every player with games, the scripts that look ahead last.
    fn entries(&self) -> impl Iterator<Item = (&'a ShelfRuleset, &'a ShelfPlayer)> {
        let of =
            |row: &'a ShelfRuleset| row.players.iter().chain(&row.ahead).map(move |player| (row, player));
        self.found.rulesets.iter().flat_map(of).filter(|(_, player)| player.summary.games > 0)
    }
}

const MORE: [&str; 3] = [
    "A rate says as much about the player as about the game. Greedy, the yardstick, moves whole piles while \
         the reserve has cards, and what covers a hidden card, but no other part of a pile. Patient is made for long games built in alternating colours.",
    "Few of these games were ever sold. Unless a ruleset says otherwise, it has Canfield's prices: $1 for \
         each card of the packs, and $5 back for each card brought up.",
    SHARE_OF_STAKED,
];

/// Builds the page of the shelf; in a terminal, the share of games won for each ruleset and player.
pub fn shelf_document<'a>(run: &'a Run, found: &ShelfFound) -> Document<'a> {
    let shelf = &Page::new(run, found);
    let total = shelf.entries().map(|(_, player)| player.summary.games).sum();
    let mut page = vec![Block::Chart(win_rates(shelf)), Block::Table(games_table(shelf))];
    page.extend(beside_scripts(shelf, true).map(Block::Table));
    page.extend(looking_ahead(shelf, true).map(Block::Table));
    page.extend([
        Block::Heading("Games that were stopped or ended by another rule".into()),
        ends(shelf),
        Block::Table(contests_table(shelf)),
        Block::Heading("Other names".into()),
    ]);
    page.push(Block::Text("Other names of each game in its sources. Several games can share a name.".into()));
    page.push(Block::Index(other_names(shelf)));
    let others = shelf.players.first().copied().unwrap_or_default();
    let mut terminal = vec![Block::Table(wins(shelf))];
    terminal.extend(beside_scripts(shelf, false).map(Block::Table));
    terminal.extend(looking_ahead(shelf, false).map(Block::Table));
    terminal.extend([
        Block::Table(contest_wins(shelf)),
        Block::Text(format!(
            "The ranges in brackets are 95% intervals. In a contest, all other players use \
            {others}."
        )),
    ]);
    Document {
        title: "The shelf".into(),
        warning: WARNING.into(),
        played: format!("{} {}", games(total), players(shelf)),
        blocks: vec![Block::Only(Medium::Page, page), Block::Only(Medium::Terminal, terminal)],
        notes: NOTES.iter().chain(&MORE).map(|note| note.to_string()).collect(),
        ..Document::of(run)
    }
}

fn players(shelf: &Page<'_>) -> String {
    let said = |player: usize| {
        let played = || shelf.found.rulesets.iter().map(|row| row.players[player].summary.games);
        let (least, most) = (played().min().unwrap_or(0), played().max().unwrap_or(0));
        let games = if least == most { games(most) } else { format!("{} to {}", count(least), games(most)) };
        format!("{games} of each by {}", shelf.players[player])
    };
    let mut said: Vec<String> = (0..shelf.players.len()).map(said).collect();
    if let Some((last, others)) = shelf.ahead.split_last() {
        let ahead = shelf.found.rulesets.iter().flat_map(|row| &row.ahead);
        let most = ahead.map(|it| it.summary.games).max().unwrap_or(0);
        said.push(format!("{} of each of one pack by {} and {last}", games(most), others.join(", ")));
    }
    let rulesets = shelf.found.rulesets.len();
    format!("of the {rulesets} rulesets on the shelf, dealt from seed {}: {}", shelf.seed, said.join(", "))
}

fn wins(shelf: &Page<'_>) -> DataTable {
    let mut table = DataTable::of("The games", "", &shelf.found.rulesets).name("rules", |row| &*row.id);
    for (i, player) in shelf.players.iter().enumerate() {
        table = table.figure(format!("games won by {player}"), |row| won(&row.players[i].summary));
    }
    table.done()
}

fn won(s: &Summary) -> FormattedEstimate {
    if s.games == 0 { exact("no games") } else { percent(s.win_rate) }
}

fn games_table(shelf: &Page<'_>) -> DataTable {
    let about = "Every figure with its 95% interval below it, under the rules of its row and the player of its column. \
                 Cards are those on the foundations at the end, of all in the packs.";
    let mut table = DataTable::of("The games", about, &shelf.found.rulesets)
        .name("rules", |row| name_in_full(&row.rules.name, &row.id));
    for (i, player) in shelf.players.iter().enumerate() {
        let played =
            |row: &ShelfRuleset, say: &dyn Fn(&Summary) -> FormattedEstimate| match &row.players[i].summary {
                s if s.games == 0 => exact(""),
                s => say(s),
            };
        let cards = |row: &ShelfRuleset, s: &Summary| {
            let reached = mean(s.cards);
            FormattedEstimate { value: format!("{} of {}", reached.value, row.rules.cards()), ..reached }
        };
        table = table
            .figure("games won", |row| won(&row.players[i].summary))
            .figure("cards", |row| played(row, &|s| cards(row, s)))
            .figure("house edge", |row| played(row, &|s| s.house_edge.map_or(exact("no price"), edge)))
            .below(player, 3);
    }
    table
        .figure("packs", |row| number(row.rules.deal.packs.into()))
        .figure("reserve", |row| reserve(&row.rules))
        .figure("piles", |row| piles(&row.rules))
        .figure("stock", |row| number(row.rules.stock_cards() as u64))
        .figure("draw", |row| draw(&row.rules))
        .figure("redeals", |row| redeals(&row.rules))
        .below("rules", 6)
        .rows(|row, it| {
            row.anchor.clone_from(&it.id);
            row.about = also_and_about(&it.rules.also, &it.rules.about);
        })
        .done()
}

fn ends(shelf: &Page<'_>) -> Block {
    let told: Vec<String> = shelf
        .entries()
        .map(|(row, it)| (in_full(&row.rules.name, &row.id, &it.strategy), remarks(&it.summary)))
        .filter(|(_, remarks)| !remarks.is_empty())
        .map(|(name, remarks)| format!("{name}: {}.", remarks.join("; ")))
        .collect();
    if told.is_empty() {
        return Block::Text("None: no game went round in circles, and none was stopped undecided.".into());
    }
    Block::List(told)
}

fn other_names(shelf: &Page<'_>) -> Vec<(String, Vec<String>)> {
    let mut names: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in &shelf.found.rulesets {
        for name in &row.rules.also {
            names.entry(name).or_default().push(row.id.to_string());
        }
    }
    names.into_iter().map(|(name, ids)| (name.to_string(), ids)).collect()
}

/// A ruleset with its rate by player; `None` if no games were played.
type Lane<'a> = (&'a str, Vec<Option<Estimate>>);

/// Counts the rulesets that the last player may win as often as this one, with joint confidence.
fn rivals(shelf: &Page<'_>, best: &str) -> usize {
    let tail = TAIL / shelf.found.rulesets.len().max(1) as f64;
    let played = shelf.found.rulesets.iter().filter_map(|row| Some((&row.id, &row.players.last()?.summary)));
    let rates =
        played.filter(|(_, s)| s.games > 0).map(|(id, s)| (id, rate_at(tail, s.wins, s.undecided, s.games)));
    let (best, others): (Vec<_>, Vec<_>) = rates.partition(|(id, _)| *id == best);
    best.first().map_or(0, |(_, best)| others.iter().filter(|(_, other)| other.high >= best.low).count())
}

fn win_rates(shelf: &Page<'_>) -> Chart {
    let mut lanes: Vec<Lane<'_>> = shelf
        .found
        .rulesets
        .iter()
        .map(|row| {
            let rate = |it: &ShelfPlayer| (it.summary.games > 0).then_some(it.summary.win_rate);
            (&*row.id, row.players.iter().map(rate).collect())
        })
        .collect();
    let rates =
        |lane: &Lane<'_>| -> Vec<f64> { lane.1.iter().rev().map(|e| e.map_or(-1.0, |e| e.value)).collect() };
    lanes.sort_by(|a, b| {
        let pairs = rates(b).into_iter().zip(rates(a));
        pairs.map(|(b, a)| b.total_cmp(&a)).find(|order| order.is_ne()).unwrap_or(a.0.cmp(b.0))
    });
    let hues = Hues::new(shelf.players.iter().copied());
    let mut marks = Vec::new();
    for (i, (_, estimates)) in lanes.iter().enumerate() {
        // The first player has the most games and the smallest marks, so it is drawn last.
        for (player, estimate) in estimates.iter().enumerate().rev() {
            let Some(estimate) = estimate.map(|e| scaled(e, 100.0)) else { continue };
            let role = hues.of(shelf.players[player]);
            marks.push(Mark::Interval { row: i as f64 + 0.5, estimate, bounds: None, role });
        }
    }
    let all = lanes.iter().flat_map(|(_, estimates)| estimates.iter().flatten());
    let most =
        span(all.flat_map(|e| [e.value * 100.0, e.high * 100.0])).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.03).1.min(100.0));
    let best = shelf.players.iter().enumerate().filter_map(|(i, player)| {
        let played = lanes.iter().filter_map(|(name, estimates)| Some((*name, (*estimates.get(i)?)?)));
        let (name, rate) = played.max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
        Some((name, *player, rate))
    });
    let best: Vec<(&str, &str, Estimate)> = best.collect();
    let title = match best.last() {
        Some((name, player, rate)) => {
            let said = percent(*rate).value;
            match rivals(shelf, name) {
                0 => format!("{player} wins most often in {name}: {said} of games"),
                n => {
                    let others = plural(n as u64, "other");
                    format!(
                        "{player} won most often in {name}: {said} of games; {others} may be won as often"
                    )
                }
            }
        }
        None => "Games won on the shelf".into(),
    };
    let told: Vec<String> = best
        .iter()
        .map(|(name, player, rate)| format!("{name} by {player}, {}", percent(*rate).both()))
        .collect();
    let told = if told.is_empty() { String::new() } else { format!(" Won most often: {}.", told.join("; ")) };
    let x = Axis::percent("games won, % of all games", range, 10);
    Chart {
        name: "win-rates".into(),
        title: upper_first(&title),
        subtitle: "share of games won by ruleset and player, with 95% intervals".into(),
        caption: format!(
            "The share of games in which all cards went up (line), with its 95% interval (box), for each ruleset and \
             player.{told}"
        ),
        keys: shelf.players.iter().map(|player| Key::interval(hues.of(player), *player)).collect(),
        height: lanes.len().max(1) as i32 * ROW,
        ..Chart::plot(x, Axis::rows("", lanes.iter().map(|lane| lane.0)), marks)
    }
}

/// Builds a row for each ruleset whose deals were played; `None` if there is none.
fn beside_scripts(shelf: &Page<'_>, in_full: bool) -> Option<DataTable> {
    let rows = shelf.found.rulesets.iter();
    let rows = rows.filter_map(|row| Some((row, row.beside.as_ref()?, &row.players.last()?.summary)));
    rows.clone().next()?;
    let player = shelf.players.last().copied().unwrap_or_default();
    let about = format!(
        "By how much {player} beats the best of the scripts on the same deals, in the mean of a game, with 95% \
         intervals. All scripts of the shelf played these deals, and the best is the one that won most money on \
         them; so the choice favours the script, and the differences are rather too small than too great."
    );
    Some(
        DataTable::of("The searching player and the best script", about, rows)
            .name("rules", |(row, ..)| called(row, in_full))
            .figure("deals", |(_, it, _)| number(it.difference.games))
            .name("best script", |(_, it, _)| it.best_script.clone())
            .figure("cards, script", |(_, it, _)| mean(it.cards_of_script))
            .when(in_full)
            .figure(format!("cards, {player}"), |(.., own)| mean(own.cards))
            .when(in_full)
            .figure("more games won", |(_, it, _)| points(it.difference.win_rate))
            .when(in_full)
            .figure("more cards", |(_, it, _)| difference(it.difference.cards))
            .figure("more money", |(row, it, _)| gain_estimate(it.difference.money, &row.rules.casino))
            .done(),
    )
}

fn called(row: &ShelfRuleset, in_full: bool) -> String {
    if in_full { name_in_full(&row.rules.name, &row.id) } else { row.id.clone() }
}

/// Builds a row for each ruleset that they played; `None` if there is none.
fn looking_ahead(shelf: &Page<'_>, in_full: bool) -> Option<DataTable> {
    let rows = shelf.found.rulesets.iter();
    let rows = rows.filter(|row| row.ahead.iter().any(|it| it.summary.games > 0));
    rows.clone().next()?;
    let games = |row: &&ShelfRuleset| row.ahead.iter().map(|it| it.summary.games).max().unwrap_or(0);
    let about = "Scripts that play sampled deals on before they choose a move, on the first deals of each ruleset of one \
                 pack, with 95% intervals. Foresight knows the coming passes, chooser chooses its base, and sampler \
                 samples for every move.";
    let mut table = DataTable::of("The scripts that look ahead", about, rows)
        .name("rules", |row| called(row, in_full))
        .figure("games", |row| number(games(row)));
    for (i, player) in shelf.ahead.iter().enumerate() {
        let cards = |row: &&ShelfRuleset| match &row.ahead[i].summary {
            s if s.games == 0 => exact(""),
            s => mean(s.cards),
        };
        table = match in_full {
            true => {
                let table = table.figure("games won", |row| won(&row.ahead[i].summary));
                table.figure("cards", cards).below(player, 2)
            }
            false => table.figure(format!("cards, {player}"), cards),
        };
    }
    Some(table.done())
}

fn goal(spec: &ContestSpec) -> String {
    let of = |deals: u32| plural(deals.into(), "deal");
    match spec.goal {
        Goal::Deals(deals) => format!("most points after {}", of(deals)),
        Goal::Target { points, max_rounds } => format!("{points} points within {}", of(max_rounds)),
    }
}

fn contests_table(shelf: &Page<'_>) -> DataTable {
    let first = shelf.players.first().copied().unwrap_or_default();
    let among = shelf.found.contests.iter().flat_map(|row| &row.among);
    let matches = among.map(|it| it.summary.matches).max().unwrap_or(0);
    let about = format!(
        "In each column one player uses that strategy, and all others use {first}. The figures are how \
             often that player wins a match alone, and its points in a match, each with its 95% interval. \
             If all players are equal, each wins the fair share: the matches that are not tied, divided by \
             the number of players. At most {} of each, from seed {}; all players are equally fast.",
        plural(matches, "match"),
        shelf.seed
    );
    let sides = |row: &ShelfContest| row.spec.sides().len();
    let teams = |row: &ShelfContest| match sides(row) {
        sides if sides < row.spec.players.len() => format!("in {}", plural(sides as u64, "team")),
        _ => String::new(),
    };
    let mut table = DataTable::of("Contests of several players", about, &shelf.found.contests)
        .name("contest", |row| name_in_full(&row.spec.name, &row.id))
        .name("rules", |row| &*row.rules)
        .name("foundations", |row| row.spec.foundations.word())
        .name("match", |row| goal(&row.spec))
        .figure("players", |row| FormattedEstimate {
            interval: teams(row),
            ..number(row.spec.players.len() as u64)
        })
        .figure("fair share", |row| {
            FormattedEstimate::of(1.0 / sides(row) as f64, format!("{:.1}%", 100.0 / sides(row) as f64))
        });
    for (i, player) in in_contests(shelf).enumerate() {
        let points = |row: &&ShelfContest| match row.among[i].summary.players.first() {
            Some(one) if row.among[i].summary.matches > 0 => {
                mean_of(one.points, row.among[i].summary.matches)
            }
            _ => exact(""),
        };
        table = table.figure("matches won", |row| matches_won(&row.among[i].summary, true));
        table = table.figure("points", points).below(player, 2);
    }
    table
        .rows(|row, it| {
            row.anchor = format!("contest-{}", it.id);
            row.about = also_and_about(&it.spec.also, &it.spec.about);
        })
        .done()
}

fn in_contests<'a>(shelf: &Page<'a>) -> impl Iterator<Item = &'a str> {
    shelf.found.contests.first().into_iter().flat_map(|row| &row.among).map(|it| &*it.strategy)
}

/// Formats how often the first player won, with or without the undecided matches.
fn matches_won(summary: &ContestSummary, in_full: bool) -> FormattedEstimate {
    let Some(one) = summary.players.first().filter(|_| summary.matches > 0) else {
        return exact("no matches");
    };
    let mut won = percent(one.win_rate);
    if in_full && summary.undecided > 0 {
        won.interval.push_str(&format!("; {} undecided", count(summary.undecided)));
    }
    won
}

fn contest_wins(shelf: &Page<'_>) -> DataTable {
    let title = "Contests of several players";
    let mut table = DataTable::of(title, "", &shelf.found.contests).name("contest", |row| &*row.id);
    for (i, player) in in_contests(shelf).enumerate() {
        let head = format!("matches won by one {player}");
        table = table.figure(head, |row| matches_won(&row.among[i].summary, false));
    }
    table.done()
}

/// Describes the reserve: `13`, `4 × 3 open`, `none`.
fn reserve(rules: &Spec) -> String {
    let (piles, size) = (rules.reserve.piles, rules.reserve.size);
    let cards = match (piles, size) {
        (0, _) | (_, 0) => return "none".into(),
        (1, size) => size.to_string(),
        (piles, size) => format!("{piles} × {size}"),
    };
    match rules.reserve.face {
        ReserveFace::Top => cards,
        ReserveFace::All => format!("{cards} open"),
        ReserveFace::Last => format!("{cards} hidden"),
    }
}

/// Describes the piles with the cards dealt to each: `4`, `7 of 2`, `7 of 1 to 7`.
fn piles(rules: &Spec) -> String {
    let deal = &rules.tableau.deal;
    let (least, most) = (deal.iter().min().copied().unwrap_or(0), deal.iter().max().copied().unwrap_or(0));
    match (least, most) {
        (1, 1) => deal.len().to_string(),
        (least, most) if least == most => format!("{} of {most}", deal.len()),
        _ => format!("{} of {least} to {most}", deal.len()),
    }
}

/// Describes the cards of a draw: `3`, `3, 2, 1`, `die a pass`.
fn draw(rules: &Spec) -> String {
    match &rules.stock.draw {
        Draw::ByPass(sizes) => sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
        Draw::Die { roll, .. } => {
            format!("die a {}", roll.word())
        }
    }
}

fn redeals(rules: &Spec) -> String {
    rules.stock.redeals.map_or("no limit".into(), |redeals| redeals.to_string())
}

fn also_and_about(also: &[String], about: &str) -> String {
    if also.is_empty() { about.into() } else { format!("Also {}. {about}", also.join(", ")) }
}
