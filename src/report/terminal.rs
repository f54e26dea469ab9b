//! The summary of a run as plain text, some 90 columns wide.

use std::fmt::Write;

use comfy_table::{CellAlignment, ContentArrangement, Table, presets::ASCII_HORIZONTAL_ONLY};

use super::Entry;
use super::format::{NO_BREAK, cents, count, edge, line, mean, money, percent, plain};
use crate::game::End;
use crate::rules::Spec;
use crate::stats::{Summary, Tally, running_point};

/// Columns of the table of several entries.
const WIDTH: u16 = 98;
/// Columns of running text.
const TEXT: usize = 90;
/// Columns of the labels in the details.
const LABEL: usize = 22;

/// The house edge so far with its interval, for a progress line; the mean cards of a free deck.
pub fn running_figure(tally: &Tally, rules: &Spec) -> String {
    let figure = match running_point(tally, rules) {
        Some(point) => format!("house edge {}", line(edge(&point.edge))),
        None => format!("{} games", count(tally.games())),
    };
    figure.replace(NO_BREAK, " ")
}

/// All figures of each entry in plain words; several entries begin with a table of them. Every
/// figure stands under its ruleset and its strategy, with its 95% interval.
pub fn terminal_summary(entries: &[Entry]) -> String {
    let mut text = String::new();
    if entries.len() > 1 {
        text.push_str(&comparison(entries));
        text.push('\n');
    }
    for entry in entries {
        text.push_str(&details(entry));
        text.push('\n');
    }
    if !entries.is_empty() {
        text.push_str(
            "In brackets are 95% intervals. A house edge above 0 means that the house gains: it is the\n\
             player's mean loss as a share of the price of the deck.\n",
        );
    }
    text.replace(NO_BREAK, " ")
}

fn comparison(entries: &[Entry]) -> String {
    let undecided = entries.iter().any(|entry| entry.summary.undecided > 0);
    let mut header = vec!["Rules", "Strategy", "Wins", "Cards", "House edge", "Player's net"];
    if undecided {
        header.push("Undecided");
    }
    let mut table = Table::new();
    table.load_style(ASCII_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(WIDTH).set_header(header);
    let cell = |(value, interval): (String, String)| format!("{value}\n{interval}");
    for entry in entries {
        let summary = entry.summary;
        let mut row = vec![
            plain(&entry.rules.name),
            plain(entry.strategy),
            cell(percent(&summary.win_rate)),
            cell(mean(&summary.cards)),
            summary.house_edge.as_ref().map_or("the deck is free".into(), |e| cell(edge(e))),
            cell(money(&summary.net, &entry.rules.casino.currency, true)),
        ];
        if summary.games == 0 {
            row.truncate(2);
            row.push("no games".into());
            row.resize(6, String::new());
        }
        if undecided {
            row.push(count(summary.undecided));
        }
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let lines = table.to_string();
    lines.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

fn details(entry: &Entry) -> String {
    let Entry { rules, summary, .. } = entry;
    let mut text = format!("{} played by {}\n", plain(&rules.name), plain(entry.strategy));
    let mut say = |label: &str, what: String| text.push_str(&item(label, &what));
    say("games", format!("{}, dealt from seed {}", count(summary.games), entry.seed));
    if summary.games == 0 {
        return text;
    }
    let wins = line(percent(&summary.win_rate));
    say("wins", format!("{wins}, {} of {} games", count(summary.wins), count(summary.games)));
    if summary.undecided > 0 {
        let stopped = if summary.undecided == 1 { "game was" } else { "games were" };
        let undecided = count(summary.undecided);
        say("undecided", format!("{undecided} {stopped} stopped; every interval counts them both ways"));
    }
    let all = rules.cards();
    let cards = line(mean(&summary.cards));
    say("cards reached", format!("mean {cards} of {all}, standard deviation {:.2}", summary.cards_sd));
    say("", quantiles(summary));
    say("how games ended", ends(summary));
    money_lines(entry, &mut say);
    for score in &summary.scores {
        let figures = line(mean(&score.mean));
        let range = format!("lowest {}, highest {}", score.min, score.max);
        let name = format!("score \"{}\"", plain(&score.name));
        say(&name, format!("mean {figures}, standard deviation {:.2}, {range}", score.sd));
    }
    say("moves a game", line(mean(&summary.moves)));
    say("redeals a game", format!("{:.2}", summary.redeals));
    if let Some(speed) = entry.games_per_second {
        say("speed", format!("{} games a second", count(speed.max(0.0).round() as u64)));
    }
    text
}

fn money_lines(entry: &Entry, say: &mut impl FnMut(&str, String)) {
    let Entry { rules, summary, .. } = entry;
    let casino = &rules.casino;
    let currency = casino.currency.as_str();
    let mut terms = format!("{} for the deck", cents(casino.stake as f64, currency));
    let _ = write!(terms, ", {} back for each card", cents(casino.pays_per_card as f64, currency));
    if casino.pays_for_win != 0 {
        let _ = write!(terms, ", {} more for a win", cents(casino.pays_for_win as f64, currency));
    }
    say("the player pays", terms);
    let sd = cents(summary.net_sd, currency);
    say(
        "player's net a deck",
        format!("{}, standard deviation {sd}", line(money(&summary.net, currency, true))),
    );
    match &summary.house_edge {
        Some(e) => {
            let verdict = if e.low > 0.0 {
                "the house gains"
            } else if e.high < 0.0 {
                "the house loses"
            } else {
                "too few games to say who gains"
            };
            say("house edge", format!("{}: {verdict}", line(edge(e))));
        }
        None => say("house edge", "none: the deck is free".into()),
    }
    say("house's hold", format!("{} of 100 decks", line(money(&summary.hold_per_100, currency, false))));
    say(
        "break-even",
        match summary.break_even_cards {
            Some(cards) => format!("{cards} cards give the player the price of the deck back"),
            None => "no number of cards gives the player the price of the deck back".into(),
        },
    );
    say("player profits", format!("on {} of decks", line(percent(&summary.hit_frequency))));
    say("fair price", line(money(&summary.fair_price, currency, false)));
    say("price for a 5% edge", line(money(&summary.price_for_5_percent, currency, false)));
}

fn quantiles(summary: &Summary) -> String {
    let each = summary.cards_quantiles.iter().map(|&(probability, cards)| match probability {
        p if (p - 0.5).abs() < 1e-9 => format!("half at most {cards}"),
        p => format!("{:.0}% at most {cards}", p * 100.0),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn ends(summary: &Summary) -> String {
    let ends = End::ALL.iter().filter_map(|end| summary.ends.get(end).map(|&games| (end, games)));
    let each = ends.filter(|&(_, games)| games > 0).map(|(end, games)| {
        let share = 100.0 * games as f64 / summary.games as f64;
        let share = if share < 0.1 { "under 0.1%".into() } else { format!("{share:.1}%") };
        format!("{end} {} ({share})", count(games))
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A label and what it says, broken at spaces into lines under each other.
fn item(label: &str, what: &str) -> String {
    let mut text = format!("  {label:<LABEL$}");
    let mut column = 2 + label.chars().count().max(LABEL);
    if column > 2 + LABEL {
        text.push_str("  ");
        column += 2;
    }
    let mut first = true;
    for word in what.split(' ') {
        let length = word.chars().count();
        if !first && column + 1 + length > TEXT {
            let _ = write!(text, "\n{:1$}", "", 2 + LABEL);
            column = 2 + LABEL;
        } else if !first {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
        first = false;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::sample;
    use super::*;
    use crate::game::Outcome;
    use crate::rules::Spec;
    use crate::stats::{Tally, summarize};

    fn entry<'a>(rules: &'a Spec, strategy: &'a str, summary: &'a Summary) -> Entry<'a> {
        Entry { id: "canfield", rules, strategy, seed: 7, summary, games_per_second: Some(123_456.7) }
    }

    #[test]
    fn every_figure_is_there() {
        let (spec, _, summary) = sample();
        let text = terminal_summary(&[entry(&spec, "greedy", &summary)]);
        for part in [
            "Canfield played by greedy",
            "1,000, dealt from seed 7",
            "40 of 1,000 games",
            "standard deviation",
            "half at most 11",
            "won 40 (4.0%)",
            "$52.00 for the deck, $5.00 back for each card",
            "house edge",
            "of 100 decks",
            "11 cards give the player",
            "on 5",
            "fair price",
            "price for a 5% edge",
            "score \"points\"",
            "moves a game",
            "redeals a game        3.00",
            "123,457 games a second",
        ] {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        assert!(!text.contains("undecided") && !text.contains("NaN") && !text.contains("inf"), "{text}");
    }

    #[test]
    fn lines_fit_and_end_without_spaces() {
        let (spec, _, summary) = sample();
        let long = Spec { name: "A house variant with a name that goes on".into(), ..spec.clone() };
        let entries = [
            entry(&spec, "greedy", &summary),
            entry(&long, "strategies/of/the/house/best-so-far.rhai", &summary),
        ];
        let text = terminal_summary(&entries);
        for line in text.lines() {
            assert!(line.chars().count() <= 100 && line.trim_end() == line, "`{line}` in\n{text}");
        }
        assert!(text.starts_with('=') || text.contains("Rules"), "{text}");
    }

    #[test]
    fn odd_samples_are_told_plainly() {
        let (mut spec, ..) = sample();
        spec.casino.currency = "EUR".into();
        spec.casino.pays_for_win = 100_000;
        let none = summarize(&Tally::new(&spec), &spec, Vec::new());
        let mut tally = Tally::new(&spec);
        for end in [End::Runaway, End::Blocked] {
            tally.add(&Outcome { end, cards: 9, moves: 70, redeals: 0, reserve_left: 1, complete_suits: 0 });
        }
        let few = summarize(&tally, &spec, Vec::new());
        let text = terminal_summary(&[entry(&spec, "a", &none), entry(&spec, "b", &few)]);
        for part in ["no games", "Undecided", "1 game was stopped", "too few games to say", "EUR 1,000.00\n"]
        {
            assert!(text.contains(part), "no {part} in\n{text}");
        }
        spec.casino.stake = 0;
        let free = summarize(&tally, &spec, Vec::new());
        assert!(terminal_summary(&[entry(&spec, "b", &free)]).contains("the deck is free"));
        assert_eq!(terminal_summary(&[]), "");
    }
}
