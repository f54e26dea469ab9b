//! The BSD program `canfield` as its source describes it, reimplemented plainly, compared with the ruleset `bsd`: the
//! same commands, the same cards, the same money.

use std::collections::BTreeSet;

use saratoga::cards::{Card, Deck, Purpose, Suit, below, generator};
use saratoga::game::{
    End, Game, Move, MoveList, Observer, Outcome, PlayerState, SeededChance, StagedAgent, Table, View,
};
use saratoga::rules::{Rules, Stage, StageAt};
use saratoga::stats::staked_and_net;

use crate::engine::plain::PCard;
use crate::engine::support::shelf;

/// The source of a player's command, without further questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Stock,
    Talon,
    Pile(usize),
}

/// The program under its own names: the stock is the reserve, the hand the stock, and the talon the waste.
#[derive(Debug)]
struct Program {
    stock: Vec<PCard>,
    hand: Vec<PCard>,
    talon: Vec<PCard>,
    tableau: [Vec<PCard>; 4],
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

impl Program {
    fn startgame(deck: &[Card]) -> Program {
        let deck: Vec<PCard> = deck.iter().map(|&card| card.into()).collect();
        let seen: BTreeSet<PCard> = deck[..18].iter().copied().collect();
        let mut program = Program {
            stock: deck[..13].to_vec(),
            hand: deck[18..].to_vec(),
            talon: vec![],
            tableau: [14, 15, 16, 17].map(|i| vec![deck[i]]),
            found: [vec![], vec![], vec![], vec![]],
            base: deck[13].rank,
            cardsoff: 1,
            timesthru: 0,
            visible: seen.clone(),
            paid: seen,
            started: false,
            infullgame: false,
            done: false,
            costs: 13,
            wins: 0,
        };
        program.found[deck[13].suit as usize].push(deck[13]);
        (0..4).for_each(|pile| program.fndbase(From::Pile(pile)));
        program.fndbase(From::Stock);
        program.movetotalon();
        program.refill();
        program
    }

    fn place(&mut self, from: From) -> &mut Vec<PCard> {
        match from {
            From::Stock => &mut self.stock,
            From::Talon => &mut self.talon,
            From::Pile(pile) => &mut self.tableau[pile],
        }
    }

    fn take(&mut self, from: From) -> PCard {
        let card = self.place(from).pop().expect("a card");
        if from == From::Talon {
            self.visible.extend(self.talon.last());
        }
        card
    }

    fn up(&mut self, from: From) {
        let card = self.take(from);
        self.found[card.suit as usize].push(card);
        self.cardsoff += 1;
        self.wins += if self.infullgame { 5 } else { 0 };
    }

    fn fndbase(&mut self, from: From) {
        let base = self.base;
        while self.place(from).last().is_some_and(|card| card.rank == base) {
            self.up(from);
        }
    }

    fn movetotalon(&mut self) {
        if self.hand.is_empty() {
            assert!(!self.talon.is_empty(), "the ruleset has neither a draw nor a redeal there");
            self.timesthru += 1;
            if self.timesthru == 4 {
                self.done = true;
                return;
            }
            self.costs += 5;
            self.hand = std::mem::take(&mut self.talon);
        }
        let turned = self.hand.len().min(3);
        self.talon.extend(self.hand.drain(..turned));
        self.visible.extend(self.talon.last());
        self.fndbase(From::Talon);
    }

    /// Refills spaces before each command.
    fn refill(&mut self) {
        if self.talon.is_empty() && !self.hand.is_empty() {
            self.movetotalon();
        }
    }

    fn fits(&self, card: PCard, pile: usize) -> bool {
        let next = |rank: u8| if rank == 13 { 1 } else { rank + 1 };
        self.tableau[pile]
            .last()
            .is_some_and(|top| next(card.rank) == top.rank && card.is_red() != top.is_red())
    }

    fn goes_up(&self, card: PCard) -> bool {
        let next = |rank: u8| if rank == 13 { 1 } else { rank + 1 };
        self.found[card.suit as usize].last().is_some_and(|top| card.rank == next(top.rank))
            && self.found[card.suit as usize].len() < 13
    }

    /// Returns the commands that move cards, written as in records. The option to move whole piles to spaces once the
    /// stock is empty only changes positions, and is omitted.
    fn commands(&self) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        let singles = [("R", self.stock.last()), ("W", self.talon.last())];
        for (name, card) in singles.into_iter().filter_map(|(name, card)| Some((name, *card?))) {
            if self.goes_up(card) {
                all.insert(format!("{name}>F"));
            }
            for pile in 0..4 {
                let space = self.tableau[pile].is_empty() && (name == "R" || self.stock.is_empty());
                if space || self.fits(card, pile) {
                    all.insert(format!("{name}>T{}", pile + 1));
                }
            }
        }
        for from in 0..4 {
            let Some((&bottom, &top)) = self.tableau[from].first().zip(self.tableau[from].last()) else {
                continue;
            };
            if self.goes_up(top) {
                all.insert(format!("T{}>F", from + 1));
            }
            for to in (0..4).filter(|&to| to != from && self.fits(bottom, to)) {
                all.insert(format!("T{}>T{}x{}", from + 1, to + 1, self.tableau[from].len()));
            }
        }
        all
    }

    /// Executes a legal command; `ht` if the word is a draw or a redeal.
    fn command(&mut self, word: &str) {
        let pile = |at: &str| at[1..2].parse::<usize>().unwrap() - 1;
        match word.split_once('>') {
            None => self.movetotalon(),
            Some((from, to)) => {
                self.timesthru = 0;
                let from = match from {
                    "R" => From::Stock,
                    "W" => From::Talon,
                    from => From::Pile(pile(from)),
                };
                match (from, to) {
                    (_, "F") => self.up(from),
                    (From::Pile(from), to) => {
                        let moved = std::mem::take(&mut self.tableau[from]);
                        self.tableau[pile(to)].extend(moved);
                    }
                    (_, to) => {
                        let card = self.take(from);
                        self.tableau[pile(to)].push(card);
                    }
                }
            }
        }
        if !self.done {
            self.fndbase(From::Stock);
            self.fndbase(From::Talon);
            self.refill();
        }
    }

    /// Returns which cards are known by counting, in the order of the talon from its bottom or of the hand from its
    /// next card.
    fn counted<'a>(&'a self, cards: &'a [PCard]) -> impl Iterator<Item = bool> + 'a {
        cards.iter().map(|card| self.paid.contains(card))
    }

    /// Returns the cards to be paid for when counting is switched on.
    fn uncounted(&self) -> Vec<PCard> {
        let turned = self.talon.iter().chain(&self.hand).copied();
        turned.filter(|card| self.visible.contains(card) && !self.paid.contains(card)).collect()
    }
}

/// Plays randomly on both.
struct Both<'a> {
    program: Program,
    rng: &'a mut dyn FnMut(u32) -> u32,
    /// The choice to be passed to the program once it is made.
    chosen: Option<String>,
    /// Stages are bought anyway, up to this one.
    declines: Option<StageAt>,
    counts: bool,
    /// Number of free draws onto an empty waste, before the game was bought.
    free: u32,
}

impl Both<'_> {
    fn compare(&self, view: &View<'_>, legal: &MoveList) {
        let program = &self.program;
        let sizes = (program.stock.len(), program.hand.len(), program.talon.len());
        assert_eq!((view.reserve_left(), view.stock_left(), view.waste_left()), sizes);
        let card = |card: Option<Card>| card.map(PCard::from);
        assert_eq!(card(view.reserve_top()), program.stock.last().copied());
        assert_eq!(card(view.waste_top()), program.talon.last().copied());
        for (p, pile) in program.tableau.iter().enumerate() {
            let shown: Vec<_> = (0..view.pile_len(p)).rev().map(|i| card(view.pile(p, i)).unwrap()).collect();
            assert_eq!(&shown, pile);
        }
        for suit in Suit::ALL {
            assert_eq!(view.foundation(suit), program.found[suit.index()].len());
        }
        let words: BTreeSet<String> = legal.iter().filter(|m| m.is_play()).map(|m| m.notation(1)).collect();
        assert_eq!(words, program.commands());
        let stock: Vec<bool> = (0..view.stock_left()).map(|i| view.coming(i).is_some()).collect();
        assert_eq!(stock, program.counted(&program.hand).collect::<Vec<_>>());
        // The top is visible whether it was paid for or not.
        let waste: Vec<bool> = (1..view.waste_left()).rev().map(|i| view.waste(i).is_some()).collect();
        let under = &program.talon[..program.talon.len().saturating_sub(1)];
        assert_eq!(waste, program.counted(under).collect::<Vec<_>>());
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
        let buys = self.declines != Some(stage.at);
        let program = &mut self.program;
        match stage.at {
            StageAt::Deal => assert!(view.base().is_none()),
            StageAt::FirstLook => assert!(!std::mem::replace(&mut program.started, buys)),
            StageAt::FirstDraw => {
                assert!(!std::mem::replace(&mut program.infullgame, buys) && program.started);
                program.wins += if buys { 5 * program.cardsoff } else { 0 };
            }
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
        let cost = match stage.at {
            StageAt::FirstLook => 13,
            StageAt::FirstDraw => 26,
            // The program has charged for the deal, and charges for passes itself.
            _ => 0,
        };
        program.costs += if buys { cost } else { 0 };
        Ok(buys)
    }
}

fn rules(name: &str) -> Rules {
    shelf().into_iter().find(|(known, _)| *known == name).unwrap().1
}

/// Plays a random game of the ruleset on both; returns the program's state too.
fn play(rules: &Rules, game: u64, declines: Option<StageAt>) -> (Outcome, Program, u32) {
    let deck = Deck::shuffled(rules.deck_shape(), 1985, game);
    let mut rng = generator(1985, game, Purpose::Dice);
    let mut pick = |n: u32| below(&mut rng, n);
    let program = Program::startgame(deck.cards());
    let mut both =
        Both { program, rng: &mut pick, chosen: None, declines, counts: game.is_multiple_of(2), free: 0 };
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
        let rules = rules(name);
        let (mut stopped, mut free, mut looked) = (0, 0, 0);
        for game in 0..300 {
            let (outcome, program, drawn) = play(&rules, game, None);
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

#[test]
fn who_stops_at_a_stage_of_the_program_has_paid_what_it_charged() {
    let rules = rules("bsd");
    for (declines, staked) in [(StageAt::FirstLook, 13), (StageAt::FirstDraw, 26)] {
        for game in (1..60).step_by(2) {
            let (outcome, program, _) = play(&rules, game, Some(declines));
            assert_eq!((program.costs, program.wins, program.done), (staked, 0, false));
            assert_eq!(staked_and_net(rules.spec(), &outcome), (100 * staked, -100 * staked));
            assert_eq!(outcome.stake.unwrap().stopped, Some(declines));
        }
    }
}
