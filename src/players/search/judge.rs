//! Evaluates ways by what can be reached after each in the same worlds: the policy plays until nothing of the stock is
//! hidden, and the solver continues from there. A line that wins after one way is tried after the others.

use std::sync::Arc;

use rand::Rng;

use crate::cards::Card;
use crate::game::{Chance, Move, MoveList, NoChance, PlayerState, SeededChance, Table, View};
use crate::interrupt;
use crate::rules::{Casino, Rules, StageAt, WasteFace};
use crate::solver::{CardPlay, Effort, Found, Goal, Kept, Onto, Solver};
use crate::strategy::{MoveValue, Strategy, StrategyError, StrategySource};

use super::options::{Aim, Budget, Options};

/// A strategy for money looks for wins first if a win pays more than this number of cards.
const WORTH_A_WIN: i64 = 10;

/// Returns the goal of a solve. With few passes wins are rare, so cards are the goal unless a win is what pays.
fn goal(rules: &Rules, aim: Aim) -> Goal {
    let spec = rules.spec();
    let (casino, all) = (&spec.casino, rules.hot.cards);
    let wins = match aim {
        Aim::Win => true,
        Aim::Cards => false,
        Aim::Money => {
            let before = casino.pay(all - 1, all);
            let last = casino.pay(all, all).saturating_sub(before);
            last > (WORTH_A_WIN + 1).saturating_mul(before / (all as i64 - 1))
        }
    };
    if wins || spec.stock.redeals.is_none() { Goal::Win } else { Goal::Cards }
}

/// Evaluates ways by what can be reached after them.
pub(super) struct Judge<'v, 'a> {
    pub view: &'v View<'a>,
    pub rules: &'a Rules,
    pub aim: Aim,
    pub budget: Budget,
    pub solver: Option<Solver<'a>>,
    pub policy: &'v mut Policy,
    /// Prices of further passes, if they matter.
    pub prices: Option<Prices<'a>>,
    /// The goal of a solve.
    pub goal: Goal,
}

/// Result in a world.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reached {
    pub won: bool,
    pub cards: usize,
    /// What the casino pays for it, less the price of later passes.
    pub pay: i64,
}

/// Pay along the way to the end of a game, if passes cost something.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    /// What the casino would have paid when each redeal was due.
    pub at_redeals: Vec<i64>,
    /// What it pays at the end.
    pub at_end: i64,
    /// Whether the further passes were found with knowledge of all cards.
    pub foreseen: bool,
}

impl Course {
    /// Returns the pay minus the price of passes after this many paid redeals, or at the end if there are fewer.
    pub fn after(&self, redeals: usize, prices: Prices<'_>) -> i64 {
        let made = redeals.min(self.at_redeals.len());
        self.at_redeals.get(redeals).copied().unwrap_or(self.at_end) - prices.of_next(made)
    }

    /// Returns the net pay of a player who stops after a pass that earned no more than it cost, but makes at least
    /// `least` redeals if possible; `None` if the course was foreseen.
    pub fn stops_after(&self, least: usize, prices: Prices<'_>) -> Option<i64> {
        let poor =
            |&redeals: &usize| self.after(redeals, prices) <= self.after(redeals.saturating_sub(1), prices);
        let stops = (least.max(1)..=self.at_redeals.len()).find(poor).unwrap_or(self.at_redeals.len());
        (!self.foreseen).then(|| self.after(stops, prices))
    }

    /// Returns the net pay of a player who stops sensibly: one who foresees the course stops at the best time.
    fn stopped(&self, prices: Prices<'_>) -> i64 {
        let best = || (0..=self.at_redeals.len()).map(|redeals| self.after(redeals, prices)).max();
        match self.stops_after(0, prices) {
            Some(paid) => paid.max(self.after(0, prices)),
            None => best().unwrap_or(self.at_end),
        }
    }
}

impl<'v, 'a> Judge<'v, 'a> {
    pub fn new(
        view: &'v View<'a>,
        options: &Options,
        solver: Option<Solver<'a>>,
        policy: &'v mut Policy,
    ) -> Judge<'v, 'a> {
        let (rules, budget) = (view.compiled(), Budget::of(options, view));
        let prices = Some(Prices::of(view)).filter(|prices| options.aim == Aim::Money && prices.any());
        let goal = goal(rules, options.aim);
        Judge { view, rules, aim: options.aim, budget, solver, policy, prices, goal }
    }

    /// Returns the memory of the solver, for the next decision.
    pub fn keep(self) -> Kept {
        self.solver.map_or(Kept::default(), Solver::keep)
    }

    /// Returns whether worlds can be solved, at once or when the stock is known.
    pub fn solves(&self) -> bool {
        self.solver.is_some()
    }

    /// Returns the solver's line in a world: a winning one, or the best one found.
    pub fn line(&mut self, world: &Table) -> Vec<Move> {
        let moves = self.solve(world, true).moves;
        self.learn_from(world, &moves);
        moves
    }

    /// Returns what the solver finds in a position, within the budget of a solve.
    pub fn solve(&mut self, table: &Table, moves: bool) -> Found {
        let effort = Effort { goal: self.goal, nodes: self.budget.nodes, moves };
        self.solver.as_mut().map_or_else(Found::default, |solver| solver.solve_small(table, &effort))
    }

    /// Returns the result of this many cards up, if passes cost nothing.
    pub fn reached(&self, won: bool, cards: usize) -> Reached {
        Reached { won, cards, pay: self.pay(cards, won) }
    }

    /// Returns what the casino pays for cards.
    pub fn pay(&self, cards: usize, won: bool) -> i64 {
        let casino = &self.view.rules().casino;
        let all = self.rules.hot.cards;
        casino.pay(if won { all } else { cards }, all)
    }

    /// Returns what can be reached in a world after a way.
    ///
    /// # Errors
    /// Returns the error of the policy, or that the program is stopping.
    pub fn value(&mut self, world: &Table, way: &[Move], chance: u64) -> Result<Reached, StrategyError> {
        let mut course = Course::default();
        let (won, cards) = self.follow(world, way, chance, &mut course)?;
        Ok(match self.prices {
            None => self.reached(won, cards),
            Some(prices) => Reached { won, cards, pay: course.stopped(prices) },
        })
    }

    /// Like [`Judge::value`], with the pay along the way if passes cost something.
    ///
    /// # Errors
    /// As with [`Judge::value`].
    pub fn follow(
        &mut self,
        world: &Table,
        way: &[Move],
        chance: u64,
        course: &mut Course,
    ) -> Result<(bool, usize), StrategyError> {
        if interrupt::requested() {
            return Err(StrategyError::Interrupted);
        }
        let mut table = *world;
        let mut chance = SeededChance::new(chance, 0);
        for &m in way {
            self.note(course, &table, m);
            table.apply(self.rules, m, &mut chance);
        }
        let (solved, view, rules) = (self.solver.is_some(), self.view, self.rules);
        let known = |table: &Table| solved && !view.stock_is_news(table);
        let all = rules.hot.cards;
        if !known(&table) {
            let mut redeals = Vec::new();
            self.policy.play_out(view, &mut table, &mut chance, |table, m| {
                if m.is_redeal() {
                    redeals.push(table.cards());
                }
                known(table)
            })?;
            course.at_redeals.extend(redeals.into_iter().map(|cards| self.pay(cards, false)));
        }
        let mut reached = (table.cards() == all, table.cards());
        if known(&table) {
            let found = self.solve(&table, self.prices.is_some());
            reached = (found.won, found.cards);
            course.foreseen = true;
            if self.prices.is_some() {
                for m in found.moves {
                    self.note(course, &table, m);
                    table.apply(rules, m, &mut NoChance);
                }
            }
        }
        course.at_end = self.pay(reached.1, reached.0);
        Ok(reached)
    }

    /// Records what would be paid if a redeal is due.
    fn note(&self, course: &mut Course, table: &Table, m: Move) {
        if m.is_redeal() && self.prices.is_some() {
            course.at_redeals.push(self.pay(table.cards(), false));
        }
    }
}

/// Price of each further redeal: a stage or its fee, which may differ between redeals.
#[derive(Clone, Copy)]
pub(super) struct Prices<'a> {
    casino: &'a Casino,
    /// Number of redeals made.
    made: u32,
}

impl<'a> Prices<'a> {
    /// Returns the prices from the position of a view on.
    pub fn of(view: &View<'a>) -> Prices<'a> {
        Prices { casino: &view.compiled().spec().casino, made: view.own_table().redeals() }
    }

    /// Returns whether any of them costs something.
    pub fn any(&self) -> bool {
        match self.casino.stage(StageAt::Pass) {
            Some(stage) => stage.cost != 0,
            None => (self.made..)
                .take(self.casino.redeal_fees.len())
                .any(|redeal| self.casino.redeal_fee(redeal) != 0),
        }
    }

    /// Returns the total price of the next `redeals`, in cents.
    pub fn of_next(&self, redeals: usize) -> i64 {
        let redeals = redeals as u32;
        match self.casino.stage(StageAt::Pass) {
            Some(stage) => stage.cost * i64::from(redeals),
            None => self.casino.redeal_fees(self.made + redeals) - self.casino.redeal_fees(self.made),
        }
    }
}

/// Number of standard errors by which a way must be better than that of the policy.
const BEYOND_DOUBT: f64 = 2.5;

/// Returns the value of a way that was not judged yet.
pub(super) fn unjudged(moves: Vec<Move>) -> MoveValue {
    MoveValue { moves, worlds: 0, wins: 0, cards: 0, paid: 0 }
}

/// Adds the result in one world.
pub(super) fn add(value: &mut MoveValue, reached: &Reached) {
    value.worlds += 1;
    value.wins += u32::from(reached.won);
    value.cards += reached.cards as u64;
    value.paid += reached.pay;
}

impl Judge<'_, '_> {
    /// Returns the ways with their results, best first.
    ///
    /// # Errors
    /// Returns the error of the policy, or that the program is stopping.
    pub fn weigh(
        &mut self,
        ways: Vec<Vec<Move>>,
        rng: &mut impl Rng,
    ) -> Result<Vec<MoveValue>, StrategyError> {
        let mut left: Vec<usize> = (0..ways.len()).collect();
        let mut out = Vec::new();
        let rounds = (ways.len().max(1) as f64).log2().ceil().max(1.0) as usize;
        let mut ways: Vec<MoveValue> = ways.into_iter().map(unjudged).collect();
        let each = self.worlds().div_ceil(rounds);
        while left.len() > 1 {
            for _ in 0..each {
                let world = self.view.sample(rng);
                let chance = rng.next_u64();
                let reached = self.values(&world, &ways, &left, chance)?;
                left.iter().zip(&reached).for_each(|(&way, reached)| add(&mut ways[way], reached));
            }
            // The sort is stable: ties keep the order in which ways were found.
            left.sort_by_key(|&way| std::cmp::Reverse(self.worth(&ways[way])));
            out.extend(left.split_off(left.len().div_ceil(2)).into_iter().rev());
            // In long games a way that wins in every world so far is good enough.
            let best = &ways[left[0]];
            if self.budget.content && best.wins == best.worlds {
                out.extend(left.split_off(1).into_iter().rev());
            }
        }
        let order = left.into_iter().chain(out.into_iter().rev());
        Ok(order.map(|way| std::mem::replace(&mut ways[way], unjudged(Vec::new()))).collect())
    }

    /// Like [`Judge::weigh`] for positions that cannot be solved. The first way is that of the policy. Another one is
    /// preferred only if it is significantly better: delaying looks as good as acting, until it is too late.
    ///
    /// # Errors
    /// As with [`Judge::weigh`].
    pub fn weigh_against_first(
        &mut self,
        ways: Vec<Vec<Move>>,
        rng: &mut impl Rng,
    ) -> Result<Vec<MoveValue>, StrategyError> {
        let mut ways: Vec<MoveValue> = ways.into_iter().map(unjudged).collect();
        // The advantage of each way over the first, and its square, summed over worlds.
        let mut better = vec![(0.0, 0.0); ways.len()];
        let worlds = if ways.len() > 1 { self.budget.playouts } else { 0 };
        let mut left: Vec<usize> = (0..ways.len()).collect();
        for world in 0..worlds {
            let (sampled, chance) = (self.view.sample(rng), rng.next_u64());
            let mut first = None;
            if world == worlds / 4 {
                // A way without any advantage so far is unlikely to become significantly better.
                left.retain(|&way| way == 0 || better[way].0 > 0.0);
            }
            if left.len() <= 1 {
                break;
            }
            for &way in &left {
                let reached = self.value(&sampled, &ways[way].moves, chance)?;
                let mut alone = unjudged(Vec::new());
                add(&mut alone, &reached);
                let worth = self.worth(&alone).0 as f64;
                let by = worth - *first.get_or_insert(worth);
                better[way] = (better[way].0 + by, better[way].1 + by * by);
                add(&mut ways[way], &reached);
            }
        }
        // The paired difference in standard errors.
        let doubt = |way: usize| {
            let (sum, squares) = better[way];
            let n = f64::from(ways[way].worlds);
            let spread = (squares - sum * sum / n).max(0.0);
            if sum > 0.0 && n > 1.0 { sum / (spread * n / (n - 1.0)).sqrt().max(1e-9) } else { 0.0 }
        };
        let best = (0..ways.len()).filter(|&way| doubt(way) > BEYOND_DOUBT);
        if let Some(best) = best.max_by_key(|&way| self.worth(&ways[way])) {
            ways[..=best].rotate_right(1);
        }
        Ok(ways)
    }

    /// Returns the number of worlds in which ways are judged.
    pub fn worlds(&self) -> usize {
        let news = !self.solves() || self.view.stock_is_news(self.view.own_table());
        if news { self.budget.playouts } else { self.budget.judged }
    }

    /// Returns the values to be compared.
    fn worth(&self, value: &MoveValue) -> (i64, i64) {
        let (wins, cards) = (i64::from(value.wins), value.cards as i64);
        match self.aim {
            Aim::Win => (wins, cards),
            Aim::Cards => (cards, wins),
            Aim::Money => (value.paid, cards),
        }
    }
}

impl Judge<'_, '_> {
    /// Returns what can be reached in a world after each of the ways given by index.
    ///
    /// # Errors
    /// As with [`Judge::value`].
    pub fn values(
        &mut self,
        world: &Table,
        ways: &[MoveValue],
        numbers: &[usize],
        chance: u64,
    ) -> Result<Vec<Reached>, StrategyError> {
        if !self.shares_lines() {
            return numbers.iter().map(|&way| self.value(world, &ways[way].moves, chance)).collect();
        }
        if let Some(solver) = &mut self.solver {
            solver.history().age();
        }
        let rules = self.rules;
        let mut replay = Replay::default();
        let mut lines: Vec<Vec<CardPlay>> = Vec::new();
        let mut after: Vec<(Table, Reached)> = Vec::new();
        for &way in numbers {
            if interrupt::requested() {
                return Err(StrategyError::Interrupted);
            }
            let mut table = *world;
            let mut line = Vec::new();
            for &m in &ways[way].moves {
                CardPlay::list(rules, &table, &[m], &mut line);
                table.apply(rules, m, &mut NoChance);
            }
            let reached = if lines.iter().any(|line| replay.wins(rules, &table, line)) {
                self.reached(true, rules.hot.cards)
            } else {
                let found = self.solve(&table, false);
                if found.won {
                    CardPlay::list(rules, &table, &found.moves, &mut line);
                    self.learn(&line);
                    lines.push(line);
                }
                self.reached(found.won, found.cards)
            };
            after.push((table, reached));
        }
        // Lines found later may win after ways that were judged sooner.
        let again = |(table, reached): (Table, Reached)| {
            let won = !reached.won && lines.iter().any(|line| replay.wins(rules, &table, line));
            if won { self.reached(true, rules.hot.cards) } else { reached }
        };
        Ok(after.into_iter().map(again).collect())
    }

    /// Returns whether lines can be shared between ways: all is known, a win is the goal, and passes cost nothing.
    fn shares_lines(&self) -> bool {
        let known = self.solves() && !self.view.stock_is_news(self.view.own_table());
        known && self.goal == Goal::Win && self.prices.is_none()
    }

    /// Stores the plays of the solver's line in a world, if it wins.
    pub fn learn_from(&mut self, world: &Table, moves: &[Move]) {
        if !self.shares_lines() {
            return;
        }
        let mut table = *world;
        crate::solver::follow(&mut table, self.rules, moves);
        if table.cards() == self.rules.hot.cards {
            let mut line = Vec::new();
            CardPlay::list(self.rules, world, moves, &mut line);
            self.learn(&line);
        }
    }

    fn learn(&mut self, line: &[CardPlay]) {
        if let Some(solver) = &mut self.solver {
            solver.history().learn(line);
        }
    }
}

/// Number of times that skipped plays are tried again, after the others.
const ROUNDS: usize = 3;

/// Tests whether a line that wins from one position of a world wins from another one too, reusing its memory.
///
/// Ways of one decision mostly differ by a few plays. A line that wins after one of them usually wins after the other
/// with the plays in nearly the same order; trying that takes a hundredth of the time of a solve.
#[derive(Default)]
struct Replay {
    legal: MoveList,
    left: Vec<CardPlay>,
}

impl Replay {
    /// Returns whether those plays of a line that can be made from a position win.
    fn wins(&mut self, rules: &Rules, from: &Table, line: &[CardPlay]) -> bool {
        let mut table = *from;
        let mut left = std::mem::take(&mut self.left);
        left.clear();
        left.extend(line);
        for _ in 0..ROUNDS {
            let before = left.len();
            left.retain(|&play| !self.make(rules, &mut table, play));
            if left.is_empty() || left.len() == before {
                break;
            }
        }
        self.left = left;
        table.cards() == rules.hot.cards
    }

    /// Makes a play, turning the stock as needed.
    fn make(&mut self, rules: &Rules, table: &mut Table, play: CardPlay) -> bool {
        // Most plays that cannot be made lack their target, which is found sooner than all legal moves.
        let mut tops = (0..rules.hot.piles).map(|pile| table.top_of_pile(pile));
        let takes = match play.onto {
            Onto::Foundations => table.wanted() & play.card.bit() != 0,
            Onto::Space => tops.any(|top| top == Card::NONE),
            Onto::Card(card) => tops.any(|top| top == card),
        };
        if !takes {
            return false;
        }
        if self.make_here(rules, table, play) {
            return true;
        }
        if !table.waste().contains(&play.card) && !table.stock().contains(&play.card) {
            return false;
        }
        let mut place = table.stock_position();
        // Two passes show everything that turning can show.
        for _ in 0..2 * (usize::from(place.both) + 2) {
            if place.turning(rules).is_none() || !place.turn(rules) {
                return false;
            }
            if place.waste > 0 && table.turned_top(place.waste) == play.card {
                let mut turned = *table;
                turned.turn_to(&place);
                let made = self.make_here(rules, &mut turned, play);
                if made {
                    *table = turned;
                }
                return made;
            }
        }
        false
    }

    fn make_here(&mut self, rules: &Rules, table: &mut Table, play: CardPlay) -> bool {
        table.legal_moves(rules, &mut self.legal);
        let mut plays = self.legal.iter().copied().filter(|m| m.is_play());
        let found = plays.find(|&m| table.lowest_moved(m) == play.card && CardPlay::of(table, m) == play);
        if let Some(m) = found {
            table.apply(rules, m, &mut NoChance);
        }
        found.is_some()
    }
}

/// Maximum number of moves in a playout.
const MOST_MOVES: u32 = 2_000;

/// The strategy that plays where nothing can be solved.
pub(super) struct Policy {
    sources: Arc<Policies>,
    /// Each is created on first use, because that compiles a script.
    made: [Option<Box<dyn Strategy>>; KINDS],
}

/// Kinds of rulesets that have a policy of their own.
const KINDS: usize = 3;

/// The policies of a player, by kind of ruleset: for unlimited passes, for limited passes or a waste that cannot be
/// looked through, and for contests.
pub(super) type Policies = [StrategySource; KINDS];

/// Default names of them.
pub(super) const USUAL: [&str; KINDS] = ["patient", "hoarder", "racer"];

impl Policy {
    pub fn new(sources: &Arc<Policies>) -> Policy {
        Policy { sources: sources.clone(), made: [const { None }; KINDS] }
    }

    pub fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.of(view).decide(view, legal)
    }

    /// Returns the policy for a view.
    fn of(&mut self, view: &View<'_>) -> &mut (dyn Strategy + 'static) {
        let stock = &view.rules().stock;
        let ends = stock.redeals.is_some() || stock.waste == WasteFace::Squared;
        let kind = if view.seats() > 1 { 2 } else { usize::from(ends) };
        let source = &self.sources[kind];
        &mut **self.made[kind].get_or_insert_with(|| source.instantiate())
    }

    /// Plays on until the game is over, it leads nowhere, or `enough`, called after each move, returns true.
    pub fn play_out(
        &mut self,
        view: &View<'_>,
        table: &mut Table,
        chance: &mut impl Chance,
        mut enough: impl FnMut(&Table, Move) -> bool,
    ) -> Result<(), StrategyError> {
        let rules = view.compiled();
        let rng = PlayerState::new(0, 0);
        let mut barren = 0;
        let mut legal = MoveList::new();
        let strategy = self.of(view);
        for _ in 0..MOST_MOVES {
            table.legal_moves(rules, &mut legal);
            let chosen = match legal.len() {
                0 => None,
                _ => {
                    let seen = View::new(table, rules, &rng).with_stakes(view.bought());
                    strategy.decide(&seen, &legal)?
                }
            };
            let Some(m) = chosen.and_then(|i| legal.nth(i)) else { return Ok(()) };
            if m.is_play() {
                barren = 0;
            } else if m.is_redeal() {
                barren += 1;
                if barren >= rules.spec().barren_passes() {
                    return Ok(());
                }
            }
            table.apply(rules, m, chance);
            if enough(table, m) {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cards::Deck;
    use crate::rules::{load, parse_text};

    #[test]
    fn fees_and_stages_are_added_up() {
        let told = |text: &str| {
            let rules = parse_text("fees.toml", &format!("extends = \"canfield\"\n{text}")).unwrap().rules;
            let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
            let table = Table::deal(&rules, deck.cards(), &mut SeededChance::new(1, 0));
            let rng = PlayerState::new(1, 0);
            let prices = Prices::of(&View::new(&table, &rules, &rng));
            (prices.any(), [0, 1, 2, 3].map(|redeals| prices.of_next(redeals)))
        };
        assert_eq!(told(""), (false, [0, 0, 0, 0]));
        assert_eq!(told("[casino]\nredeal_fee = 2\n"), (true, [0, 200, 400, 600]));
        assert_eq!(told("[casino]\nredeal_fee = [0, 5]\n"), (true, [0, 0, 500, 1000]));
        assert_eq!(told("[casino]\nredeal_fee = [6, 0]\n"), (true, [0, 600, 600, 600]));
        let stages =
            "[[casino.stage]]\nat = \"deal\"\ncost = 20\n[[casino.stage]]\nat = \"pass\"\ncost = 3\n";
        assert_eq!(told(stages), (true, [0, 300, 600, 900]));
    }

    /// A line wins from where it was found and from each position on it, and never without its last play.
    #[test]
    fn a_line_that_wins_wins_again() {
        let mut replay = Replay::default();
        let mut won = 0;
        for name in ["canfield", "draw-one", "superior", "thoughtful", "demon-two-packs", "storehouse"] {
            let rules = load(name).unwrap().rules;
            let mut solver = Solver::new(&rules, 1 << 20).unwrap();
            for number in 0..12 {
                let mut table = Table::of_seed(&rules, 11, number);
                let found =
                    solver.solve_small(&table, &Effort { goal: Goal::Win, nodes: 3_000, moves: false });
                if !found.won {
                    continue;
                }
                won += 1;
                let mut line = Vec::new();
                CardPlay::list(&rules, &table, &found.moves, &mut line);
                assert!(!replay.wins(&rules, &table, &line[..line.len() - 1]), "{name} {number}");
                for &m in &found.moves {
                    assert!(replay.wins(&rules, &table, &line), "{name} {number} {m}");
                    table.apply(&rules, m, &mut NoChance);
                }
            }
        }
        assert!(won > 15, "{won}");
    }
}
