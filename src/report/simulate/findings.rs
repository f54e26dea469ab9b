//! A run in sentences: whether the house gains, and what every reader must know.

use super::{Entry, Page, clairvoyant};
use crate::format::{
    FormattedEstimate, Side, count, edge as signed_edge, games, money_estimate, percent, share,
};
use crate::game::End;
use crate::lab::SimulatedEntry;
use crate::report::document::{Block, Finding};
use crate::report::labels::name_in_full;
use crate::report::payments::{COMPARED, SHARE_OF_STAKED};
use crate::report::run::of_listed_deals;
use crate::rules::Casino;
use crate::stats::{Sides, Summary};

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
    /// Returns who gains, how much, under which rules and with which player; for one of several.
    pub fn answer(&self, entry: &Entry<'_>) -> Finding {
        let SimulatedEntry { rules, strategy, summary: s, spec, .. } = entry.found;
        let rules = name_in_full(&spec.name, rules);
        let who = format!("under the rules of {rules} when {strategy} plays");
        if s.games == 0 {
            return Finding {
                side: Side::Open,
                finding: "No game was played".into(),
                rest: format!(" {who}."),
            };
        }
        let Some(edge) = entry.at_once.edge else { return without_edge(s, &spec.casino, &who) };
        let in_words = |said: FormattedEstimate| match self.entries.len() {
            1 => said.interval_in_words(),
            n => format!("{}, with 95% confidence for all {n} at once", said.interval),
        };
        let of = if s.stakes.is_some() { "what is staked" } else { "the price of each deck sold" };
        let side = Side::of(edge);
        let (finding, said, more) = match side {
            Side::House => ("The house keeps", percent(edge), ""),
            Side::Player => ("The house loses", percent(-edge), ""),
            Side::Open if self.run.deals.is_some() => {
                (OPEN, signed_edge(edge), " A longer list of such deals would show which side gains.")
            }
            Side::Open => (OPEN, signed_edge(edge), " More games would show which side gains."),
        };
        let of = if side == Side::Open { String::new() } else { format!(" of {of}") };
        Finding {
            side,
            finding: format!("{finding} {}{of}", said.value),
            rest: format!(" ({}), {who}.{more}", in_words(said)),
        }
    }

    /// Describes how many entries are on which side, for a report of many.
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

    /// How the figures were found and what they mean.
    pub fn notes(&self) -> Vec<String> {
        let on_stakes: &[&str] = if self.has_stages() { &[SHARE_OF_STAKED, COMPARED] } else { &[] };
        let notes = NOTES.iter().chain(on_stakes).copied().map(String::from);
        notes
            .chain(self.run.deals.as_ref().map(of_listed_deals))
            .chain(clairvoyant::note(&self.entries))
            .collect()
    }

    /// How to read the figures, for a reader without the notes, and how fast games were played.
    pub fn last_words(&self, seconds: Option<f64>) -> Vec<Block> {
        let staged = self.has_stages();
        let edge = format!(
            "The ranges in brackets are 95% intervals. The house edge is the player's mean loss as a share of \
             the price of the deck{}. Above 0 the house gains.",
            if staged { ", or of the mean amount staked where the stake is bought in stages" } else { "" }
        );
        let words = clairvoyant::note(&self.entries).into_iter().chain([edge]);
        let words =
            words.chain(staged.then(|| COMPARED.into())).chain(self.run.deals.as_ref().map(of_listed_deals));
        words.chain(seconds.map(|seconds| self.pace(seconds))).map(Block::Text).collect()
    }

    /// How fast games were played, each player under all rulesets together: it differs from run to run.
    fn pace(&self, seconds: f64) -> String {
        let games = self.found.games as f64;
        let mut players: Vec<&str> = Vec::new();
        for it in &self.found.entries {
            if !players.contains(&&*it.strategy) {
                players.push(&it.strategy);
            }
        }
        let seconds_a_game = |name: &str| {
            let times =
                self.found.entries.iter().filter(|it| it.strategy == name).map(|it| it.time.as_secs_f64());
            let (runs, sum) = times.fold((0.0, 0.0), |(runs, sum), time| (runs + 1.0, sum + time));
            time(sum / (runs * games))
        };
        let speed = games * self.entries.len() as f64 / seconds;
        let speed = if speed < 10.0 { format!("{speed:.1}") } else { count(speed.round() as u64) };
        match &players[..] {
            [only] => format!("Played at {speed} games a second; playing one took {}.", seconds_a_game(only)),
            _ => {
                let each: Vec<String> =
                    players.iter().map(|name| format!("{name} {}", seconds_a_game(name))).collect();
                format!("Played at {speed} games a second; playing one took {}.", each.join(", "))
            }
        }
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
    Finding {
        side: Side::Open,
        finding: format!("The player wins {} of games", won.value),
        rest: format!(" ({}), {who}. {why}", won.interval_in_words()),
    }
}

impl Entry<'_> {
    /// Sentences on ends of its games that need explaining.
    pub fn remarks(&self) -> Vec<String> {
        remarks(&self.found.summary)
    }
}

/// Explains special ends of games, if they occurred.
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
