//! Report of a run: rulesets under strategies, individually and compared.

mod figures;
mod one;

use std::collections::BTreeSet;

use super::document::{Block, Card, Document, Finding, Medium, Section};
use super::labels::{Label, in_full, labels, name_in_full, stem};
use super::patrons::unfit_patrons;
use super::rare_events::{price, why_wide};
use super::rules_in_words::{COMPARED, SHARE_OF_STAKED, in_words, rules_in_words};
use super::run::{Run, of_listed_deals};
use crate::chart::{Chart, Hues, Role};
use crate::format::{Side, count, edge, gain_estimate, games, mean, money_estimate, percent, share};
use crate::game::End;
use crate::lab::{Clairvoyant, Simulated, SimulatedEntry};
use crate::rules::Casino;
use crate::stats::{AtOnce, Sides, Summary};
use crate::text::slug;
pub(super) use one::{brings, night_fan};

pub(super) const WARNING: &str =
    "Each figure holds only for its rules and its player; another player has another edge.";

/// A run with the words that all of its report uses.
struct Page<'a> {
    run: &'a Run,
    found: &'a Simulated,
    entries: Vec<Entry<'a>>,
}

/// An entry with the words that all of its tables and charts use.
struct Entry<'a> {
    found: &'a SimulatedEntry,
    /// What links to it and its files are called: `canfield-greedy`. No other entry has it.
    id: String,
    /// `Demon, the casino game (demon-casino), played by greedy`
    heading: String,
    label: Label,
    /// What tells it from the others: its player, its ruleset, or both.
    short: String,
    subtitle: String,
    hue: Role,
    /// Its figures with intervals that hold for all entries at once.
    at_once: AtOnce,
    /// The player who knows every card, in the row below the last entry of a ruleset.
    below: Option<&'a Clairvoyant>,
}

/// Builds the report on rulesets under strategies; in a terminal with its pace, if it is known how many seconds it took.
pub fn simulate_document<'a>(run: &'a Run, found: &Simulated, seconds: Option<f64>) -> Document<'a> {
    let page = Page::new(run, found);
    let mut blocks = Vec::new();
    let (mut title, mut played) = (page.title(), String::new());
    let finding = match &page.entries[..] {
        [only] => {
            title.clone_from(&only.heading);
            page.answer(only)
        }
        several => {
            let total = found.entries.iter().map(|it| it.summary.games).sum();
            played = format!("{}, by {} combinations of rules and player", games(total), several.len());
            for (medium, in_full) in [(Medium::Page, true), (Medium::Terminal, false)] {
                blocks.push(Block::Only(medium, vec![Block::Table(page.compared(in_full))]));
            }
            Finding::open(page.sides(), "")
        }
    };
    blocks.extend(page.charts().into_iter().map(Block::Chart));
    blocks.extend(page.entries.iter().map(|entry| Block::Section(page.section(entry))));
    blocks.push(Block::Only(Medium::Terminal, page.last_words(seconds)));
    Document {
        title,
        findings: vec![finding],
        warning: WARNING.into(),
        played,
        blocks,
        notes: page.notes(),
        ..Document::of(run)
    }
}

impl<'a> Page<'a> {
    fn new(run: &'a Run, found: &'a Simulated) -> Page<'a> {
        let named = found.entries.iter().map(|it| (&*it.rules, &*it.strategy));
        let labels = labels(named);
        let hues = Hues::new(labels.iter().map(|label| label.player.clone()));
        let one_rules = labels.iter().all(|label| label.rules == labels[0].rules);
        let one_player = labels.iter().all(|label| label.player == labels[0].player);
        let mut ids = BTreeSet::new();
        let entry = |(i, (it, label)): (usize, (&'a SimulatedEntry, Label))| {
            let last =
                found.entries.get(i + 1).is_none_or(|next| next.rules != it.rules || next.spec != it.spec);
            let rules = name_in_full(&it.spec.name, &it.rules);
            let played = games(it.summary.games);
            Entry {
                found: it,
                id: own_id(it, &mut ids),
                heading: in_full(&it.spec.name, &it.rules, &it.strategy),
                short: match (one_rules, one_player) {
                    (true, _) => label.player.clone(),
                    (_, true) => label.rules.clone(),
                    _ => format!("{} in {}", label.player, label.rules),
                },
                subtitle: format!("{rules}, played by {}: {played}, {}", stem(&it.strategy), run.source()),
                hue: hues.of(&label.player),
                label,
                at_once: it.at_once(),
                below: it.clairvoyant.as_ref().filter(|_| last),
            }
        };
        let entries = found.entries.iter().zip(labels).enumerate().map(entry).collect();
        Page { run, found, entries }
    }

    fn title(&self) -> String {
        let listed = |mut names: Vec<&str>| {
            let mut seen = BTreeSet::new();
            names.retain(|name| seen.insert(*name));
            match names[..] {
                [first, second] => format!("{first} and {second}"),
                [first, _, ..] => format!("{first} and {} more", names.len() - 1),
                _ => names.concat(),
            }
        };
        let rules = listed(self.found.entries.iter().map(|it| &*it.spec.name).collect());
        let players = listed(self.found.entries.iter().map(|it| &*it.strategy).collect());
        format!("{rules}, played by {players}")
    }

    fn section(&self, entry: &Entry<'_>) -> Section {
        let SimulatedEntry { summary, spec, .. } = entry.found;
        let casino = &spec.casino;
        let mut blocks = vec![Block::Only(Medium::Page, vec![Block::Cards(cards(entry))])];
        let before = if self.entries.len() > 1 { format!("{}-", entry.id) } else { String::new() };
        let charts = entry.charts().into_iter();
        blocks.extend(charts.map(|it| {
            let (name, subtitle) = (format!("{before}{}", it.name), entry.subtitle.clone());
            Block::Chart(Chart { name, subtitle, ..it })
        }));
        blocks.push(Block::Table(self.figures(entry)));
        blocks.extend(why_wide(casino, price(summary, casino), &summary.histogram, None).map(Block::Text));
        let files = self.run.rules.iter().find(|it| it.id == entry.found.rules && it.name == spec.name);
        let files = files.map_or(&[][..], |it| &it.files[..]);
        let unfit = unfit_patrons(files, &entry.found.strategy, casino);
        let warnings = remarks(summary).into_iter().chain(unfit);
        blocks.extend(warnings.map(|warning| Block::Warning(format!("{warning}."))));
        let known = entry.known();
        blocks.extend(known.map(|known| Block::Text(format!("With every card known: {known}."))));
        if summary.games > 0 {
            blocks.extend(summary.stakes.as_ref().map(|stakes| Block::Table(entry.stages(stakes))));
            blocks.push(Block::Only(Medium::Page, vec![Block::Table(entry.ends())]));
            blocks.extend(entry.scores().map(Block::Table));
        }
        let heading = "The rules in words".into();
        let rules = in_words(heading, &spec.about, rules_in_words(spec), &spec.source);
        blocks.push(Block::Only(Medium::Page, rules));
        Section { id: entry.id.clone(), title: entry.heading.clone(), blocks }
    }
}

/// A name for files and links, in small letters, digits and `-`; what is taken gets `-2`, `-3`, ... after it.
fn own_id(entry: &SimulatedEntry, taken: &mut BTreeSet<String>) -> String {
    let id = format!("{}-{}", slug(&entry.rules, 40), slug(stem(&entry.strategy), 40));
    let numbered = (2..).map(|number| format!("{id}-{number}"));
    let free = std::iter::once(id.clone()).chain(numbered).find(|free| taken.insert(free.clone()));
    free.unwrap_or(id)
}

fn cards(entry: &Entry<'_>) -> Vec<Card> {
    let s = &entry.found.summary;
    let casino = &entry.found.spec.casino;
    let mut cards = Vec::new();
    if let Some(e) = s.house_edge {
        cards.push(Card::new("house edge", edge(e)));
        cards.push(Card::new("hold of 100 decks", money_estimate(s.hold_per_100, casino)));
        cards.extend(
            s.fair_price.map(|fair| Card::new("fair price of the deck", money_estimate(fair, casino))),
        );
        let staked = s.stakes.as_ref().map(|stakes| money_estimate(stakes.staked, casino));
        cards.extend(staked.map(|staked| Card::new("staked a game", staked)));
        cards.push(Card::new("decks with a profit for the player", percent(s.hit_frequency)));
    } else if let Some(pays) = s.fair_price.filter(|_| casino.is_for_money()) {
        cards.push(Card::new("a deck pays on average", money_estimate(pays, casino)));
    }
    if let Some(jackpot) = &s.jackpot {
        cards.push(Card::new("decks that win the jackpot", percent(jackpot.rate)));
        cards.extend(
            jackpot.size.map(|size| Card::new("jackpot when it is won", money_estimate(size, casino))),
        );
    }
    if let Some(worth) = s.stakes.as_ref().and_then(|stakes| stakes.worth_of_stopping) {
        cards.push(Card::new("value of stopping, a game", gain_estimate(worth, casino)));
    }
    cards.push(Card::new("games won", percent(s.win_rate)));
    cards.push(Card::new("mean cards", mean(s.cards)));
    cards
}

pub(in crate::report) const NOTES: [&str; 4] = [
    "Every game was dealt from a shuffled pack and played to its end by the player named, who sees what a person at the \
     table could see and nothing more. A better or a worse player would give other figures.",
    "A 95% interval contains the true figure in at least 95 of 100 such runs. Rates have the exact interval of Clopper \
         and Pearson, means its extension to numbers of a known range (Gaffke 2005): they allow for what is possible but too \
         rare for these games to show, such as a win that pays much. Limits are rounded outwards. Games that were stopped undecided are counted both ways, \
         and the outer limits are shown.",
    "The house edge is what the player loses on average, as a share of the price of the deck. Figures for \
         other prices assume that the player plays the same at any price.",
    "Rulesets of the same pack and all players were dealt the same shuffles, so a difference between two \
         rows is more certain than their separate intervals suggest.",
];

const OPEN: &str = "Too close to call: the house edge is";

impl Page<'_> {
    /// Returns who gains, how much, under which rules and with which player.
    pub fn answer(&self, entry: &Entry<'_>) -> Finding {
        let SimulatedEntry { rules, strategy, summary: s, spec, .. } = entry.found;
        let rules = name_in_full(&spec.name, rules);
        let who = format!("under the rules of {rules} when {strategy} plays");
        if s.games == 0 {
            return Finding::open("No game was played", format!(" {who}."));
        }
        let Some(e) = entry.at_once.edge else { return without_edge(s, &spec.casino, &who) };
        let side = Side::of(e);
        let (finding, said, more) = match side {
            Side::House => ("The house keeps", percent(e), ""),
            Side::Player => ("The house loses", percent(-e), ""),
            Side::Open if self.run.deals.is_some() => {
                (OPEN, edge(e), " A longer list of such deals would show which side gains.")
            }
            Side::Open => (OPEN, edge(e), " More games would show which side gains."),
        };
        let of = match (side, &s.stakes) {
            (Side::Open, _) => "",
            (_, Some(_)) => " of what is staked",
            (_, None) => " of the price of each deck sold",
        };
        let finding = format!("{finding} {}{of}", said.value);
        Finding::of(&said.on(side), finding, format!(", {who}.{more}"))
    }

    pub fn sides(&self) -> String {
        let Sides { house, player, open, unpriced } = self.found.sides.unwrap_or_default();
        let number = |n: usize| if n == 0 { "none".to_string() } else { n.to_string() };
        let all = self.entries.len();
        let whole = if all == 2 { "both".to_string() } else { format!("all {all}") };
        let mut text = match () {
            _ if house == all => format!("The house gains in {whole} combinations of rules and player"),
            _ if player == all => format!("The player gains in {whole} combinations of rules and player"),
            _ => format!(
                "Of {all} combinations of rules and player, the house gains in {} and the player in {}",
                number(house),
                number(player)
            ),
        };
        for (n, what) in [(open, "it is too close to call"), (unpriced, "the deck has no price")] {
            if n > 0 {
                text.push_str(&format!("; in {n} {what}"));
            }
        }
        if house + player + open > 1 {
            text.push_str(" (95% confidence for all at once)");
        }
        text + "."
    }

    fn has_stages(&self) -> bool {
        self.entries.iter().any(|entry| entry.found.summary.stakes.is_some())
    }

    pub fn notes(&self) -> Vec<String> {
        let on_stakes: &[&str] = if self.has_stages() { &[SHARE_OF_STAKED, COMPARED] } else { &[] };
        let notes = NOTES.iter().chain(on_stakes).copied().map(String::from);
        notes.chain(self.run.deals.as_ref().map(of_listed_deals)).chain(self.clairvoyant_note()).collect()
    }

    /// How to read the figures, for a reader without the notes, and how fast games were played.
    pub fn last_words(&self, seconds: Option<f64>) -> Vec<Block> {
        let staged = self.has_stages();
        let edge = format!(
            "The ranges in brackets are 95% intervals. The house edge is the player's mean loss as a share of \
             the price of the deck{}. Above 0 the house gains.",
            if staged { ", or of the mean amount staked where the stake is bought in stages" } else { "" }
        );
        let words = self.clairvoyant_note().into_iter().chain([edge]);
        let words =
            words.chain(staged.then(|| COMPARED.into())).chain(self.run.deals.as_ref().map(of_listed_deals));
        words.chain(seconds.map(|seconds| self.pace(seconds))).map(Block::Text).collect()
    }

    /// How fast games were played, each player under all rulesets together: it differs from run to run.
    fn pace(&self, seconds: f64) -> String {
        let games = self.found.games as f64;
        let mut seen = BTreeSet::new();
        let players = self.found.entries.iter().map(|it| &*it.strategy);
        let players: Vec<&str> = players.filter(|name| seen.insert(*name)).collect();
        let seconds_a_game = |name: &str| {
            let times =
                self.found.entries.iter().filter(|it| it.strategy == name).map(|it| it.time.as_secs_f64());
            let (runs, sum) = times.fold((0.0, 0.0), |(runs, sum), time| (runs + 1.0, sum + time));
            time(sum / (runs * games))
        };
        let speed = games * self.entries.len() as f64 / seconds;
        let speed = if speed < 10.0 { format!("{speed:.1}") } else { count(speed.round() as u64) };
        let each = |name: &&str| match players.len() {
            1 => seconds_a_game(name),
            _ => format!("{name} {}", seconds_a_game(name)),
        };
        let each: Vec<String> = players.iter().map(each).collect();
        format!("Played at {speed} games a second; playing one took {}.", each.join(", "))
    }
}

fn without_edge(s: &Summary, casino: &Casino, who: &str) -> Finding {
    let won = percent(s.win_rate);
    let why = match (&s.stakes, s.fair_price) {
        (Some(stakes), _) if stakes.staked.value > 0.0 => {
            "Too few games were staked on to tell the house edge.".to_string()
        }
        (Some(_), _) => "Nothing was staked, so there is no house edge.".into(),
        (None, pays) => {
            let pays = pays.map_or(String::new(), |pays| money_estimate(pays, casino).both());
            format!("The deck costs nothing and pays {pays} on average, so there is no house edge.")
        }
    };
    Finding::of(&won, format!("The player wins {} of games", won.value), format!(", {who}. {why}"))
}

pub(in crate::report) fn remarks(s: &Summary) -> Vec<String> {
    let part = |n: u64| format!("{} ({})", games(n), share(n as f64 / s.games.max(1) as f64));
    let mut remarks = Vec::new();
    if let Some(&n) = s.ends.get(&End::Repeated).filter(|&&n| n > 0) {
        remarks.push(format!(
            "repeated: in {} the strategy moved cards back and forth until one position occurred for the \
                 third time; counted as lost, with the cards then on the foundations",
            part(n)
        ));
    }
    if s.undecided > 0 {
        remarks.push(format!(
            "undecided: {} stopped as runaway, far longer than any real game; every interval allows for \
                 their worst and their best possible end",
            part(s.undecided)
        ));
    }
    remarks
}

/// Formats a time in a suitable unit: `2.4 s`, `38 ms`, `0.002 ms`.
fn time(seconds: f64) -> String {
    let ms = seconds.max(0.0) * 1000.0;
    match ms {
        _ if ms >= 999.5 => format!("{seconds:.1} s"),
        _ if ms >= 9.95 => format!("{ms:.0} ms"),
        _ if ms >= 0.095 => format!("{ms:.1} ms"),
        _ if ms >= 0.0005 => format!("{ms:.3} ms"),
        _ => "under 0.001 ms".into(),
    }
}
