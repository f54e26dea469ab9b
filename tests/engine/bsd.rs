//! The BSD program `canfield` as its source describes it, reimplemented plainly, compared with the ruleset `bsd`: the
//! same commands, the same cards, the same money.

use std::collections::BTreeSet;

use saratoga::cards::{Card, Deck, Purpose, Suit, below, generator};
use saratoga::game::{
    End, Game, Move, MoveList, Observer, Outcome, PlayerState, SeededChance, StagedAgent, Table, View,
};
use saratoga::rules::{self, Rules, Stage, StageAt};
use saratoga::stats::staked_and_net;

use crate::engine::plain::PCard;

/// The places that commands take cards from: the piles 0 to 3, the stock, and the talon.
const STOCK: usize = 4;
const TALON: usize = 5;

/// The program under its own names: the stock is the reserve, the hand the stock, and the talon the waste.
#[derive(Debug, Default)]
struct Program {
    places: [Vec<PCard>; 6],
    hand: Vec<PCard>,
    found: [Vec<PCard>; 4],
    base: u8,
    cardsoff: i64,
    timesthru: u32,
    visible: BTreeSet<PCard>,
    paid: BTreeSet<PCard>,
    started: bool,
    infullgame: bool,
    done: bool,
    costs: i64,
    wins: i64,
}

fn next(rank: u8) -> u8 {
    if rank == 13 { 1 } else { rank + 1 }
}

impl Program {
    fn startgame(deck: &[Card]) -> Program {
        let deck: Vec<PCard> = deck.iter().map(|&card| card.into()).collect();
        let mut program = Program { base: deck[13].rank, cardsoff: 1, costs: 13, ..Program::default() };
        (0..4).for_each(|pile| program.places[pile].push(deck[14 + pile]));
        (program.places[STOCK], program.hand) = (deck[..13].to_vec(), deck[18..].to_vec());
        (program.visible, program.paid) =
            (deck[..18].iter().copied().collect(), deck[..18].iter().copied().collect());
        program.found[deck[13].suit as usize].push(deck[13]);
        (0..5).for_each(|place| program.fndbase(place));
        program.movetotalon();
        program.refill();
        program
    }

    fn take(&mut self, from: usize) -> PCard {
        let card = self.places[from].pop().expect("a card");
        self.visible.extend(self.places[TALON].last());
        card
    }

    fn up(&mut self, from: usize) {
        let card = self.take(from);
        self.found[card.suit as usize].push(card);
        self.cardsoff += 1;
        self.wins += if self.infullgame { 5 } else { 0 };
    }

    fn fndbase(&mut self, from: usize) {
        while self.places[from].last().is_some_and(|card| card.rank == self.base) {
            self.up(from);
        }
    }

    fn movetotalon(&mut self) {
        if self.hand.is_empty() {
            assert!(!self.places[TALON].is_empty(), "the ruleset has neither a draw nor a redeal there");
            self.timesthru += 1;
            if self.timesthru == 4 {
                self.done = true;
                return;
            }
            self.costs += 5;
            self.hand = std::mem::take(&mut self.places[TALON]);
        }
        let turned = self.hand.len().min(3);
        self.places[TALON].extend(self.hand.drain(..turned));
        self.visible.extend(self.places[TALON].last());
        self.fndbase(TALON);
    }

    /// Refills spaces before each command.
    fn refill(&mut self) {
        if self.places[TALON].is_empty() && !self.hand.is_empty() {
            self.movetotalon();
        }
    }

    fn fits(&self, card: PCard, pile: usize) -> bool {
        let fits = |top: &PCard| next(card.rank) == top.rank && card.is_red() != top.is_red();
        self.places[pile].last().is_some_and(fits)
    }

    fn goes_up(&self, card: PCard) -> bool {
        let found = &self.found[card.suit as usize];
        found.last().is_some_and(|top| card.rank == next(top.rank)) && found.len() < 13
    }

    /// Returns the commands that move cards, written as in records. The option to move whole piles to spaces once the
    /// stock is empty only changes positions, and is omitted.
    fn commands(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        for (from, name) in ["T1", "T2", "T3", "T4", "R", "W"].into_iter().enumerate() {
            let Some((&bottom, &top)) = self.places[from].first().zip(self.places[from].last()) else {
                continue;
            };
            if self.goes_up(top) {
                all.insert(format!("{name}>F"));
            }
            for to in (0..4).filter(|&to| to != from) {
                let whole = format!("{name}>T{}x{}", to + 1, self.places[from].len());
                let space = self.places[to].is_empty() && (name == "R" || self.places[STOCK].is_empty());
                match from {
                    0..4 if self.fits(bottom, to) => drop(all.insert(whole)),
                    STOCK | TALON if space || self.fits(top, to) => {
                        all.insert(format!("{name}>T{}", to + 1));
                    }
                    _ => {}
                }
            }
        }
        all
    }

    fn command(&mut self, word: &str) {
        let pile = |at: &str| at[1..2].parse::<usize>().unwrap() - 1;
        if let Some((from, to)) = word.split_once('>') {
            self.timesthru = 0;
            match (from, to) {
                ("R", "F") => self.up(STOCK),
                ("W", "F") => self.up(TALON),
                (from, "F") => self.up(pile(from)),
                ("R" | "W", to) => {
                    let card = self.take(if from == "R" { STOCK } else { TALON });
                    self.places[pile(to)].push(card);
                }
                (from, to) => {
                    let moved = std::mem::take(&mut self.places[pile(from)]);
                    self.places[pile(to)].extend(moved);
                }
            }
        } else {
            self.movetotalon();
        }
        if !self.done {
            self.fndbase(STOCK);
            self.fndbase(TALON);
            self.refill();
        }
    }

    /// Returns which cards are known by counting.
    fn counted(&self, cards: &[PCard]) -> Vec<bool> {
        cards.iter().map(|card| self.paid.contains(card)).collect()
    }

    /// Returns the cards to be paid for when counting is switched on.
    fn uncounted(&self) -> Vec<PCard> {
        let turned = self.places[TALON].iter().chain(&self.hand).copied();
        turned.filter(|card| self.visible.contains(card) && !self.paid.contains(card)).collect()
    }
}

/// Plays randomly on both.
struct Both<'a> {
    program: Program,
    rng: &'a mut dyn FnMut(u32) -> u32,
    /// The choice to be passed to the program once it is made.
    chosen: Option<String>,
    counts: bool,
    /// Number of free draws onto an empty waste, before the game was bought.
    free: u32,
}

impl Both<'_> {
    fn compare(&self, view: &View<'_>, legal: &MoveList) {
        let program = &self.program;
        let [piles @ .., stock, talon] = &program.places;
        let sizes = (stock.len(), program.hand.len(), talon.len());
        assert_eq!((view.reserve_left(), view.stock_left(), view.waste_left()), sizes);
        let card = |card: Option<Card>| card.map(PCard::from);
        assert_eq!(
            [view.reserve_top(), view.waste_top()].map(card),
            [stock, talon].map(|it| it.last().copied())
        );
        for (p, pile) in piles.iter().enumerate() {
            let shown: Vec<_> = (0..view.pile_len(p)).rev().map(|i| card(view.pile(p, i)).unwrap()).collect();
            assert_eq!(&shown, pile);
        }
        for suit in Suit::ALL {
            assert_eq!(view.foundation(suit), program.found[suit.index()].len());
        }
        let words: BTreeSet<String> = legal.iter().filter(|m| m.is_play()).map(|m| m.notation(1)).collect();
        assert_eq!(words, program.commands());
        let known: Vec<bool> = (0..view.stock_left()).map(|i| view.coming(i).is_some()).collect();
        assert_eq!(known, program.counted(&program.hand));
        // The top is visible whether it was paid for or not.
        let known: Vec<bool> = (1..view.waste_left()).rev().map(|i| view.waste(i).is_some()).collect();
        assert_eq!(known, program.counted(&talon[..talon.len().saturating_sub(1)]));
    }
}

impl Observer for Both<'_> {
    fn moving(&mut self, _table: &Table, _legal: &MoveList, made: Move) {
        match self.chosen.take() {
            Some(word) => {
                assert_eq!(word, made.notation(1));
                self.program.started = true;
                self.program.command(&word);
            }
            None => self.free += u32::from(made.is_draw() && !self.program.infullgame),
        }
    }
}

impl StagedAgent for Both<'_> {
    type Error = std::convert::Infallible;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Self::Error> {
        self.chosen = None;
        let base = view.base().unwrap();
        let forced =
            legal.iter().all(|&m| m.to_foundation() && view.card(m).is_some_and(|c| c.rank() == base));
        if forced && !legal.is_empty() {
            return Ok(Some(0));
        }
        if view.waste_left() == 0 && view.stock_left() > 0 {
            return Ok(legal.iter().position(|m| m.is_draw()));
        }
        self.compare(view, legal);
        let turn = legal.iter().position(|m| !m.is_play());
        let any = (self.rng)(legal.len() as u32) as usize;
        let chosen = if (self.rng)(4) > 0 { turn.unwrap_or(any) } else { any };
        // A player who plays out the first packet sees the second for free.
        let from_waste = legal.iter().position(|m| m.from_waste()).filter(|_| !self.program.infullgame);
        let chosen = from_waste.unwrap_or(chosen);
        self.chosen = Some(legal[chosen].notation(1));
        Ok(Some(chosen))
    }

    fn buys(&mut self, view: &View<'_>, _legal: &MoveList, stage: &Stage) -> Result<bool, Self::Error> {
        let program = &mut self.program;
        match stage.at {
            StageAt::Deal => assert!(view.base().is_none()),
            StageAt::FirstLook => {
                assert!(!std::mem::replace(&mut program.started, true));
                program.costs += 13;
            }
            StageAt::FirstDraw => {
                assert!(!std::mem::replace(&mut program.infullgame, true) && program.started);
                program.wins += 5 * program.cardsoff;
                program.costs += 26;
            }
            // The program charges for passes itself, and has charged for the deal.
            StageAt::Pass => assert!(program.hand.is_empty()),
            StageAt::UnknownCard => {
                let uncounted = program.uncounted();
                assert_eq!(stage.cost, 100 * uncounted.len() as i64);
                let buys = self.counts && (self.rng)(2) == 0;
                if buys {
                    program.costs += uncounted.len() as i64;
                    program.paid.extend(uncounted);
                }
                return Ok(buys);
            }
        }
        Ok(true)
    }
}

/// Plays a random game of the ruleset on both; returns the program's state too.
fn play(rules: &Rules, game: u64) -> (Outcome, Program, u32) {
    let deck = Deck::shuffled(rules.deck_shape(), 1985, game);
    let mut rng = generator(1985, game, Purpose::Dice);
    let mut pick = |n: u32| below(&mut rng, n);
    let program = Program::startgame(deck.cards());
    let mut both = Both { program, rng: &mut pick, chosen: None, counts: game.is_multiple_of(2), free: 0 };
    let mut chance = SeededChance::new(1985, game);
    let mut table = Game::new(rules);
    table.deal(deck.cards(), &mut chance);
    let outcome = table.play_for_stakes(&PlayerState::new(1985, game), &mut chance, &mut both).unwrap();
    let Both { mut program, chosen, free, .. } = both;
    if let (Some(word), End::Barren) = (chosen, outcome.end) {
        program.command(&word);
    }
    (outcome, program, free)
}

/// Cards, costs and winnings equal the program's to the dollar, and it stops at the same time.
#[test]
fn the_ruleset_plays_for_the_money_of_the_program() {
    for name in ["bsd", "bsd-1986"] {
        let rules = rules::load(name).unwrap().rules;
        let (mut stopped, mut free, mut looked) = (0, 0, 0);
        for game in 0..300 {
            let (outcome, program, drawn) = play(&rules, game);
            assert_eq!(
                (i64::from(outcome.cards), outcome.end == End::Barren),
                (program.cardsoff, program.done)
            );
            let (staked, net) = staked_and_net(rules.spec(), &outcome);
            assert_eq!((staked, staked + net), (100 * program.costs, 100 * program.wins), "game {game}");
            stopped += u32::from(program.done);
            free += u32::from(drawn > 0);
            looked += u32::from(outcome.stake.unwrap().bought[StageAt::UnknownCard as usize] > 0);
        }
        assert!(stopped > 150 && free > 1 && looked > 100, "{stopped} stopped, {free} free, {looked} looked");
    }
}
