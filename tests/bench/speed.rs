//! `cargo bench`: how fast the program is, in units that hold on any machine.
//!
//! Everything is timed in turn in one process, round after round, and the least time of each
//! counts. The unit U is the cost of `ChaCha8Rng::seed_from_u64` and rand's own shuffle of 52 cards.
//! `cargo bench -- 21` runs 21 rounds instead of 11.

use std::hint::black_box;
use std::time::Instant;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use saratoga::cards::Deck;
use saratoga::game::{NoChance, Table};
use saratoga::lab::Player;
use saratoga::rules::{self, Rules, Spec};
use saratoga::strategy::{Greedy, Strategy};

/// Something that is timed: `work(first, n)` does it `n` times.
struct Timed<'a> {
    name: &'static str,
    batch: u64,
    work: Box<dyn FnMut(u64, u64) + 'a>,
    /// Nanoseconds for one, the least of all rounds so far.
    best: f64,
}

impl<'a> Timed<'a> {
    fn new(name: &'static str, batch: u64, work: impl FnMut(u64, u64) + 'a) -> Timed<'a> {
        Timed { name, batch, work: Box::new(work), best: f64::INFINITY }
    }

    fn time(&mut self, round: u64) {
        let started = Instant::now();
        (self.work)(round * self.batch, self.batch);
        self.best = self.best.min(started.elapsed().as_nanos() as f64 / self.batch as f64);
    }
}

/// A line of the table.
struct Row {
    figure: &'static str,
    value: f64,
    unit: &'static str,
    must: Option<f64>,
    aim: Option<f64>,
    /// More is better.
    more: bool,
}

fn games<'a>(rules: &'a Rules, strategy: Box<dyn Strategy>) -> impl FnMut(u64, u64) + 'a {
    let mut player = Player::new("bench", rules, strategy);
    move |first, n| {
        for game in first..first + n {
            black_box(player.play(1, game).map(|outcome| outcome.cards).unwrap_or_default());
        }
    }
}

fn moves_a_game(rules: &Rules) -> f64 {
    let mut player = Player::new("bench", rules, Box::new(Greedy));
    let moves = (0..20_000).filter_map(|game| player.play(1, game).ok()).map(|o| u64::from(o.moves));
    moves.sum::<u64>() as f64 / 20_000.0
}

fn main() {
    let rounds: u64 = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(11).max(7);
    let canfield = rules::load("canfield").expect("canfield is on the shelf").rules;
    let constants = Rules::new(Spec::default()).expect("the defaults are sound");
    let single = rules::load("single-pass").expect("single-pass is on the shelf").rules;
    let ordered = Deck::ordered(canfield.deck_shape());
    let (mut deck, mut dealt) = (ordered.clone(), ordered.clone());
    let mut table = Table::deal(&canfield, ordered.cards(), &mut NoChance);
    let mut pack: Vec<u8> = (0..52).collect();
    let mut timed = vec![
        Timed::new("U", 40_000, |first, n| {
            for i in first..first + n {
                pack.shuffle(&mut ChaCha8Rng::seed_from_u64(i));
                black_box(&pack);
            }
        }),
        Timed::new("shuffle", 40_000, |first, n| {
            for game in first..first + n {
                deck.shuffle_again(&ordered, 1, game);
                black_box(&deck);
            }
        }),
        Timed::new("deal", 40_000, |first, n| {
            for game in first..first + n {
                dealt.shuffle_again(&ordered, 1, game);
                table.deal_again(&canfield, dealt.cards(), &mut NoChance);
                black_box(&table);
            }
        }),
        Timed::new("canfield", 10_000, games(&canfield, Box::new(Greedy))),
        Timed::new("single-pass", 20_000, games(&single, Box::new(Greedy))),
        Timed::new("constants", 10_000, games(&constants, Box::new(Greedy))),
    ];
    let started = Instant::now();
    for round in 0..rounds {
        timed.iter_mut().for_each(|one| one.time(round));
    }
    let best = |name: &str| timed.iter().find(|t| t.name == name).map_or(f64::NAN, |t| t.best);
    let unit = best("U");
    let row = |figure, value, unit, must, aim| Row { figure, value, unit, must, aim, more: false };
    let rows = [
        row("shuffled deck", best("shuffle") / unit, "U", Some(0.85), Some(0.65)),
        row("shuffled deck, dealt to the table", best("deal") / unit, "U", None, None),
        row("greedy on canfield, deal and play", best("canfield") / unit, "U", Some(8.0), Some(4.0)),
        row("greedy on single-pass, deal and play", best("single-pass") / unit, "U", Some(3.0), Some(1.7)),
        row(
            "rules from TOML / as constants",
            best("canfield") / best("constants"),
            "",
            Some(1.10),
            Some(1.0),
        ),
    ];
    println!("U = {unit:.0} ns; least of {rounds} rounds, {:.0} s", started.elapsed().as_secs_f64());
    for (name, rules) in [("canfield", &canfield), ("single-pass", &single)] {
        let (moves, speed) = (moves_a_game(rules), 1e9 / best(name));
        println!("native greedy on {name}: {moves:.1} moves a game, {speed:.0} games a second");
    }
    print_table(&rows);
}

fn print_table(rows: &[Row]) {
    println!("\n| figure | measured | must | aim | |\n|---|---|---|---|---|");
    for row in rows {
        let sign = if row.more { ">=" } else { "<=" };
        let bound = |b: Option<f64>| b.map_or("-".to_string(), |b| format!("{sign} {b}"));
        let met = |b: Option<f64>| b.is_none_or(|b| if row.more { row.value >= b } else { row.value <= b });
        let verdict = match (row.must, met(row.must), met(row.aim)) {
            (None, ..) => "",
            (_, false, _) => "missed",
            (_, true, false) => "met",
            (_, true, true) => "aim met",
        };
        let Row { figure, value, unit, .. } = row;
        println!("| {figure} | {value:.3} {unit} | {} | {} | {verdict} |", bound(row.must), bound(row.aim));
    }
}
