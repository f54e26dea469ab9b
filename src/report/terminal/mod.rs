//! The summary of a run as plain text, at most 100 columns wide.

mod contest;
mod document;
mod sheet;
mod stakes;
mod table;

pub use contest::{contest_terminal, running_wins};
pub use document::document_terminal;
pub(super) use table::plain as plain_table;

use std::fmt::Write;

use super::Entry;
use super::answer::{WARNING, answer, remarks, tally_of_sides};
use super::clairvoyant;
use super::document::Finding;
use super::figures::{
    Side, ascii, count, edge, fixed, gain_estimate, games, mean, money, money_estimate, one_line, percent,
    share, spread,
};
use super::labels::in_full;
use super::stakes::COMPARED;
use crate::game::End;
use crate::rules::Spec;
use crate::stats::{Summary, Tally, running_point};

/// Columns of the table of several entries.
const WIDTH: usize = 100;
/// Columns of running text.
const TEXT: usize = 90;
/// Columns of the labels in the details.
const LABEL: usize = 22;

/// The house edge so far with its interval, for a progress line; the games so far of a free deck.
pub fn running_figure(tally: &Tally, rules: &Spec) -> String {
    let figure = match running_point(tally, rules) {
        Some(point) => format!("house edge {}", edge(point.edge).both()),
        None => games(tally.games()),
    };
    ascii(&figure)
}

/// All figures of each entry in plain words; several entries begin with a table of them. Every
/// figure stands under its ruleset and its strategy, with its 95% interval. The speed is that of the
/// whole run.
pub fn terminal_summary(entries: &[Entry<'_>], games_per_second: Option<f64>) -> String {
    let mut text = String::new();
    match entries {
        [] => return text,
        [only] => {
            let Finding { finding, rest, .. } = answer(only);
            text.push_str(&wrapped(&format!("{finding}{rest}"), "", ""));
        }
        _ => {
            text.push_str(&wrapped(&tally_of_sides(entries), "", ""));
            text.push('\n');
            text.push_str(&table::table(entries));
            text.push('\n');
        }
    }
    text.push_str(&wrapped(WARNING, "", ""));
    if let Some(note) = clairvoyant::note(entries) {
        text.push_str(&wrapped(&note, "", ""));
    }
    text.push('\n');
    for entry in entries {
        text.push_str(&details(entry));
        text.push('\n');
    }
    text.push_str(
        "In brackets are 95% intervals. A house edge above 0 means that the house gains: it is the\n\
         player's mean loss as a share of the price of the deck.\n",
    );
    if entries.iter().any(|entry| entry.summary.stakes.is_some()) {
        text.push_str("Where the stake is bought in steps, it is the share of the mean amount staked.\n");
        text.push_str(&wrapped(COMPARED, "", ""));
    }
    if let Some(speed) = games_per_second {
        let _ = writeln!(text, "Played at {} games a second.", count(speed.max(0.0).round() as u64));
    }
    ascii(&text)
}

fn details(entry: &Entry<'_>) -> String {
    let Entry { rules, summary, .. } = entry;
    let mut text = wrapped(&in_full(entry), "", "  ");
    let mut say = |label: &str, what: String| text.push_str(&item(label, &what));
    say("games", format!("{}, dealt from seed {}", count(summary.games), entry.seed));
    if summary.games == 0 {
        return text;
    }
    let wins = percent(summary.win_rate).both();
    say("wins", format!("{wins}, {} of {}", count(summary.wins), games(summary.games)));
    let sd = |say: &dyn Fn() -> String| format!("standard deviation {}", spread(summary.games, say));
    let cards = mean(summary.cards).both();
    let cards_sd = sd(&|| fixed(summary.cards_sd, 2));
    say("cards reached", format!("mean {cards} of {}, {cards_sd}", rules.cards()));
    say("", quantiles(summary));
    say("how games ended", ends(summary));
    for remark in remarks(entry) {
        say("", remark);
    }
    money_lines(entry, &mut say);
    if let Some(known) = entry.clairvoyant {
        say("with every card known", clairvoyant::found(known));
    }
    for score in &summary.scores {
        let figures = mean(score.mean).both();
        let range = format!("lowest {}, highest {}", score.min, score.max);
        let name = format!("score \"{}\"", one_line(&score.name));
        say(&name, format!("mean {figures}, {}, {range}", sd(&|| fixed(score.sd, 2))));
    }
    say("moves a game", mean(summary.moves).both());
    say("redeals a game", fixed(summary.redeals, 2));
    text
}

fn money_lines(entry: &Entry<'_>, say: &mut impl FnMut(&str, String)) {
    let Entry { rules, summary, .. } = entry;
    let casino = &rules.casino;
    if let Some(stakes) = &summary.stakes {
        return stakes::lines(entry, stakes, say);
    }
    if casino.stake == 0 && casino.pays_per_card == 0 && casino.pays_for_win == 0 {
        say("money", "nothing is staked and nothing is paid".into());
        return;
    }
    let cents = |amount: i64| money(amount as f64, casino, false);
    let mut terms = match casino.stake {
        0 => "nothing for the deck".into(),
        stake => format!("{} for the deck", cents(stake)),
    };
    let _ = write!(terms, ", {} back for each card", cents(casino.pays_per_card));
    if casino.pays_for_win != 0 {
        let _ = write!(terms, ", {} more for a win", cents(casino.pays_for_win));
    }
    say("the player pays", terms);
    let sd = spread(summary.games, || money(summary.net_sd, casino, false));
    let net = gain_estimate(summary.net, casino).both();
    say("player's net a deck", format!("{net}, standard deviation {sd}"));
    match summary.house_edge {
        Some(e) => {
            let verdict = match Side::of(e) {
                Side::House => "the house gains",
                Side::Player => "the house loses",
                Side::Open => "too few games to say who gains",
            };
            say("house edge", format!("{}: {verdict}", edge(e).both()));
        }
        None => say("house edge", "none: the deck has no price".into()),
    }
    say("house's hold", format!("{} of 100 decks", money_estimate(summary.hold_per_100, casino).both()));
    say(
        "break-even",
        match summary.break_even_cards {
            Some(0) => "the player never loses".into(),
            Some(1) => "1 card gives the player the price of the deck back".into(),
            Some(cards) => format!("{cards} cards give the player the price of the deck back"),
            None => "no number of cards gives the player the price of the deck back".into(),
        },
    );
    say("player profits", format!("on {} of decks", percent(summary.hit_frequency).both()));
    let prices = [("fair price", summary.fair_price), ("price for a 5% edge", summary.price_for_5_percent)];
    for (label, price) in prices.into_iter().filter_map(|(label, price)| Some((label, price?))) {
        say(label, money_estimate(price, casino).both());
    }
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
        format!("{end} {} ({})", count(games), share(games as f64 / summary.games as f64))
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A label and what it says, broken at spaces into lines under each other.
fn item(label: &str, what: &str) -> String {
    let gap = if label.chars().count() >= LABEL { "  " } else { "" };
    wrapped(what, &format!("  {label:<LABEL$}{gap}"), &" ".repeat(2 + LABEL))
}

/// A text broken at spaces, its first line after `first`, the others after `rest`.
fn wrapped(what: &str, first: &str, rest: &str) -> String {
    let mut text = first.to_string();
    let mut column = first.chars().count();
    for (i, word) in what.split(' ').enumerate() {
        let length = word.chars().count();
        if i > 0 && column + 1 + length > TEXT {
            let _ = write!(text, "\n{rest}");
            column = rest.chars().count();
        } else if i > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += length;
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::report::entry::tests::sample;
    use crate::rules::Spec;
    use crate::stats::{Tally, summarize};

    fn entry<'a>(rules: &'a Spec, strategy: &'a str, summary: &'a Summary) -> Entry<'a> {
        Entry { id: "canfield", rules, strategy, seed: 7, summary, clairvoyant: None }
    }

    /// Lines may break anywhere.
    fn in_one_line(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_figure_is_there() {
        let (spec, _, summary) = sample();
        let text = terminal_summary(&[entry(&spec, "greedy", &summary)], Some(123_456.7));
        for part in [
            "The house loses 21.2% of the price",
            "Another player would get another edge",
            "Canfield, played by greedy",
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
            "redeals a game 3.00",
            "123,457 games a second",
        ] {
            assert!(in_one_line(&text).contains(part), "no {part} in\n{text}");
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
        let text = terminal_summary(&entries, None);
        for line in text.lines() {
            assert!(line.chars().count() <= 100 && line.trim_end() == line, "`{line}` in\n{text}");
        }
        assert!(text.starts_with("Of 2 pairs of rules and player"), "{text}");
    }

    #[test]
    fn odd_samples_are_told_plainly() {
        let (mut spec, ..) = sample();
        spec.casino.currency = "EUR".into();
        spec.casino.pays_for_win = 100_000;
        let none = summarize(&Tally::new(&spec), &spec, Vec::new());
        let mut tally = Tally::new(&spec);
        for end in [End::Runaway, End::Blocked] {
            tally.add(&Outcome {
                end,
                cards: 9,
                moves: 70,
                redeals: 0,
                reserve_left: 1,
                complete_suits: 0,
                stake: None,
            });
        }
        let few = summarize(&tally, &spec, Vec::new());
        let text = terminal_summary(&[entry(&spec, "a", &none), entry(&spec, "b", &few)], None);
        for part in
            ["no games", "1 game (50.0%) stopped as runaway", "too few games to say", "1,000.00 EUR more"]
        {
            assert!(in_one_line(&text).contains(part), "no {part} in\n{text}");
        }
        spec.casino.stake = 0;
        let free = summarize(&tally, &spec, Vec::new());
        assert!(terminal_summary(&[entry(&spec, "b", &free)], None).contains("the deck has no price"));
        assert_eq!(terminal_summary(&[], None), "");
    }
}
