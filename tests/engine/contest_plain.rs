//! Matches of greedy players, played by the engine and by a plain second implementation that keeps complete lists of
//! cards: the same moves at the same microseconds, and the same late moves.

use crate::engine::plain::{PCard, PlainGame};
use crate::engine::support::{contest, scale, spec};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Deck, Purpose, below, generator, seat_game};
use saratoga::contest::{Arena, ContestSpec, DealEnd, Event, Foundations, Goal, Witness};
use saratoga::game::NoChance;
use saratoga::rules::{Rules, Spec};
use saratoga::strategy;

/// One line of a match: microseconds, seat, and what happened.
type Line = (u64, usize, String);

#[derive(Default)]
struct Writer(Vec<Line>);

impl Witness for Writer {
    fn happened(&mut self, arena: &Arena<'_>, at: u64, event: Event) {
        let reserves = arena.rules().spec().reserve.piles.into();
        match event {
            Event::Made { seat, made, .. } => self.0.push((at, seat, made.notation(reserves))),
            Event::Late { seat, tried, .. } => {
                self.0.push((at, seat, format!("late {}", tried.notation(reserves))));
            }
            Event::Counted { seat, points, out_first } => {
                self.0.push((at, seat, format!("{points} points, out {out_first}")));
            }
            _ => {}
        }
    }
}

struct Seat {
    game: PlainGame,
    clock: ChaCha8Rng,
    period: u32,
    spread: u32,
    /// The time, the lot, and the move.
    next: Option<(u64, u32, String)>,
    /// Passes of this deal, the current one last.
    passes: Vec<Pass>,
}

#[derive(Clone, Default)]
struct Pass {
    play_was_legal: bool,
    play_was_made: bool,
    /// Whether a shared foundation changed during it.
    disturbed: bool,
}

struct Plain<'a> {
    contest: &'a ContestSpec,
    rules: &'a Spec,
    seats: Vec<Seat>,
    /// All foundations, suit + 4 * k; a card's pack is its seat.
    middle: Vec<Vec<PCard>>,
    lines: Vec<Line>,
}

impl Plain<'_> {
    /// Returns the legal moves of a seat: its own cards, everybody's foundations.
    fn legal(&mut self, seat: usize) -> Vec<String> {
        let game = &mut self.seats[seat].game;
        game.foundations = self.middle.clone();
        game.legal(self.rules)
    }

    fn note_plays(&mut self, seat: usize) {
        let playable = self.legal(seat).iter().any(|word| word.contains('>'));
        self.seats[seat].passes.last_mut().unwrap().play_was_legal |= playable;
    }

    /// The baseline strategy: cards up, reserve down, whole piles while the reserve has cards, what covers a hidden
    /// card, waste, draw, redeal.
    fn greedy(&mut self, seat: usize) -> Option<String> {
        let legal = self.legal(seat);
        let game = &self.seats[seat].game;
        let reserve = game.reserves.iter().any(|reserve| !reserve.is_empty());
        // The piles of a move between piles, and how many cards stay in the first.
        let between = |word: &String| {
            let (from, rest) = word.strip_prefix('T')?.split_once(">T")?;
            let (to, count) = rest.split_once('x')?;
            let pile = |number: &str| &game.piles[number.parse::<usize>().unwrap() - 1];
            Some((pile(from), pile(to), pile(from).len() - count.parse::<usize>().unwrap()))
        };
        let whole =
            |word: &String| between(word).is_some_and(|(_, to, stay)| reserve && stay == 0 && !to.is_empty());
        let uncovers =
            |word: &String| between(word).is_some_and(|(from, _, stay)| stay > 0 && !from[stay - 1].1);
        let orders: [&dyn Fn(&String) -> bool; 7] = [
            &|word| word.ends_with(">F"),
            &|word| word.starts_with('R') && word.contains('>'),
            &whole,
            &uncovers,
            &|word| word.starts_with("W>T"),
            &|word| word == "draw",
            &|word| word == "redeal",
        ];
        orders.iter().find_map(|order| legal.iter().find(|word| order(word)).cloned())
    }

    /// A redeal is not made after a whole pass without a legal play, or two without one made, unless somebody changed a
    /// shared foundation meanwhile.
    fn goes_nowhere(&self, seat: usize) -> bool {
        let quiet = |pass: &Pass| !pass.play_was_made && !pass.disturbed;
        let passes = &self.seats[seat].passes;
        let last = passes.last().unwrap();
        quiet(last) && !last.play_was_legal || passes.iter().rev().take_while(|pass| quiet(pass)).count() >= 2
    }

    fn decide(&mut self, seat: usize, now: u64) {
        let word = self.greedy(seat).filter(|word| word != "redeal" || !self.goes_nowhere(seat));
        let it = &mut self.seats[seat];
        it.next = word.map(|word| {
            let takes = u64::from(it.period - it.spread + below(&mut it.clock, 2 * it.spread + 1));
            (now + takes, it.clock.next_u32(), word)
        });
    }

    fn deal(&mut self, seed: u64, number: u64, round: u32, now: u64) {
        let shape = Rules::new(self.rules.clone()).unwrap().deck_shape();
        self.middle = vec![Vec::new(); 4 * self.seats.len()];
        for seat in 0..self.seats.len() {
            let deck = Deck::shuffled(shape, seed, seat_game(number, round, seat));
            let mut game = PlainGame::deal(self.rules, deck.cards(), &mut NoChance);
            let own = |card: &mut PCard| card.pack = seat as u8;
            game.reserves.iter_mut().flatten().for_each(own);
            game.piles.iter_mut().flatten().for_each(|(card, _)| own(card));
            game.stock.iter_mut().for_each(own);
            game.packs = self.seats.len() as u8;
            let it = &mut self.seats[seat];
            (it.game, it.next, it.passes) = (game, None, vec![Pass::default()]);
        }
        for seat in 0..self.seats.len() {
            self.note_plays(seat);
            self.decide(seat, now);
        }
    }

    /// Plays a deal to its end; returns the time, and the seat that went out.
    fn play_deal(&mut self, mut now: u64) -> (u64, Option<usize>) {
        loop {
            let due = |(seat, it): (usize, &Seat)| Some((it.next.as_ref()?.0, it.next.as_ref()?.1, seat));
            let Some((at, _, seat)) = self.seats.iter().enumerate().filter_map(due).min() else {
                return (now, None);
            };
            now = at;
            let (_, _, word) = self.seats[seat].next.take().unwrap();
            if word.ends_with(">F") && !self.legal(seat).contains(&word) {
                self.lines.push((now, seat, format!("late {word}")));
                self.decide(seat, now);
                continue;
            }
            self.seats[seat].game.foundations = self.middle.clone();
            self.seats[seat].game.play(self.rules, &word, &mut NoChance);
            self.middle = self.seats[seat].game.foundations.clone();
            self.lines.push((now, seat, word.clone()));
            if word == "redeal" {
                self.seats[seat].passes.push(Pass::default());
            } else if word != "draw" {
                self.seats[seat].passes.last_mut().unwrap().play_was_made = true;
            }
            self.note_plays(seat);
            let (up, reserve) = self.counts(seat);
            if up == 52 || self.contest.deal_ends == DealEnd::Reserve && reserve == 0 {
                return (now, Some(seat));
            }
            let changed = word.ends_with(">F");
            if changed {
                self.seats.iter_mut().for_each(|it| it.passes.last_mut().unwrap().disturbed = true);
                (0..self.seats.len()).for_each(|seat| self.note_plays(seat));
            }
            for other in 0..self.seats.len() {
                if other == seat || changed && self.seats[other].next.is_none() {
                    self.decide(other, now);
                }
            }
        }
    }

    /// Returns how many cards a seat has put up, and how many its reserves hold.
    fn counts(&self, seat: usize) -> (i64, i64) {
        let up = self.middle.iter().flatten().filter(|card| card.pack == seat as u8).count();
        (up as i64, self.seats[seat].game.reserves.concat().len() as i64)
    }

    fn play(&mut self, seed: u64, number: u64, deals: u32) {
        let mut now = 0;
        for round in 0..deals {
            now += if round == 0 { 0 } else { u64::from(self.contest.gather) * 1000 };
            self.deal(seed, number, round, now);
            let out;
            (now, out) = self.play_deal(now);
            for seat in 0..self.seats.len() {
                let (up, reserve) = self.counts(seat);
                let score = &self.rules.scores[0];
                let bonus = if out == Some(seat) { score.out_first } else { 0 };
                let points = up * score.foundation_card + reserve * score.reserve_left + bonus;
                self.lines.push((now, seat, format!("{points} points, out {}", out == Some(seat))));
            }
        }
    }
}

fn plain(contest: &ContestSpec, rules: &Spec, seed: u64, number: u64, deals: u32) -> Vec<Line> {
    let players = contest.players.len();
    let seats = (0..players).map(|seat| {
        // Player p sits at seat p + i of match i.
        let player = (0..players as u64).find(|p| (p + number) % players as u64 == seat as u64).unwrap();
        let player = &contest.players[player as usize];
        let period = 1_000_000_000 / player.speed;
        let deck = Deck::shuffled(Rules::new(rules.clone()).unwrap().deck_shape(), seed, 0);
        Seat {
            game: PlainGame::deal(rules, deck.cards(), &mut NoChance),
            clock: generator(seed, seat_game(number, 0, seat), Purpose::Clock),
            period,
            spread: (u64::from(period) * u64::from(player.jitter) / 1000) as u32,
            next: None,
            passes: vec![],
        }
    });
    let mut plain = Plain { contest, rules, seats: seats.collect(), middle: vec![], lines: vec![] };
    plain.play(seed, number, deals);
    plain.lines
}

fn compare(rules: Spec, ends: DealEnd, speeds: &[u32], matches: std::ops::Range<u64>) -> (usize, usize) {
    let deals = 2;
    let contest = contest(Foundations::Shared, ends, Goal::Deals(deals), speeds);
    let compiled = Rules::new(rules.clone()).unwrap();
    let greedy = strategy::load("greedy").unwrap();
    let mut arena = Arena::new(&contest, &compiled, speeds.iter().map(|_| greedy.instantiate()).collect());
    let (mut late, mut out) = (0, 0);
    for number in matches {
        let mut writer = Writer::default();
        arena.play(7, number, &mut writer).unwrap();
        let expected = plain(&contest, &rules, 7, number, deals);
        for (i, (engine, plain)) in writer.0.iter().zip(&expected).enumerate() {
            assert_eq!(engine, plain, "match {number}, line {i}");
        }
        assert_eq!(writer.0.len(), expected.len(), "match {number}");
        late += expected.iter().filter(|line| line.2.starts_with("late")).count();
        out += expected.iter().filter(|line| line.2.ends_with("out true")).count();
    }
    (late, out)
}

#[test]
fn racing_demon_is_the_same_in_both() {
    let (late, _) = compare(spec("racing-demon"), DealEnd::AllUp, &[1000, 1000, 1500, 700], 0..3 * scale());
    assert!(late > 10, "only {late} moves came too late");
    compare(spec("racing-demon"), DealEnd::AllUp, &[1000; 8], 3..4);
}

#[test]
fn nerts_is_the_same_in_both() {
    let (late, out) = compare(spec("nerts"), DealEnd::Reserve, &[1000, 1200, 1000], 0..4 * scale());
    assert!(late > 5 && out > 1, "{late} late, {out} out");
    compare(spec("nerts"), DealEnd::Reserve, &[3000, 500], 4..6);
}
