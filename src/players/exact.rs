//! Exact optimal play of small games with hidden cards.
//!
//! # Method
//!
//! A player knows the cards it has seen and forgets none; all orders of the others are equally likely. The value of
//! optimal play from here, V*, is computed by expectimax over *information states*: positions as this player knows
//! them. Between two reveals everything is foreseeable, so the player may go to any position reachable without one, and
//! there either stop or make a move that reveals something. The value of such a move is the mean over what may be
//! revealed, with each order of the unknown cards equally likely. Knowledge only ever grows, so the recursion ends.
//!
//! Positions reachable by plays without a reveal may form cycles: they are collected first, and then each takes the
//! value of the best position that it leads to ([`Tree`]). Information states are memoized by the complete knowledge of
//! the player, not by a hash: if two of them are equal, so is everything that follows.
//!
//! Values are multiplied by the number of orders of the unknown cards: they are whole numbers, so sums are exact.
//!
//! # Perfect recall
//!
//! If the waste is fanned, the rules let a player look at all cards passed, and a [`View`](crate::game::View) shows
//! everything that was ever seen. If it is squared, a view forgets what lies under the top, while the player here
//! remembers: V* is then that of a player with a better memory than the rules allow, which is still an upper bound.
//!
//! Rules that end games for lack of progress are ignored. With the usual two barren passes they cost nothing: one pass
//! to look and one to act is all that a player needs. With one, V* may be more than the game allows.
//!
//! # Results
//!
//! In random deals of few ranks, the other cards being up, half of them with the rules of Canfield except for the stock,
//! the results of the strategies,
//! V* and the clairvoyant result were in this order in every game, and making the moves of the tree in the engine's
//! games reached V* exactly. V* was below the clairvoyant result in one game of nine, by 0.4% of the cards on average:
//! few ranks leave few choices. `search` plays endgames by this tree. In 1,000 such games with at most 24 orders, its
//! level 5 reached 99.6% of V* with a fanned waste. With a squared waste it reached 94.1% of this V*: the tree
//! remembers cards of the waste that neither a player nor a view may know.
//!
//! # Supported rules
//!
//! One pack, with no chance except the order of the cards. The feasible size of a game depends on the number of unknown
//! cards: seven have 5,040 orders, and few such games have a manageable number of information states.

use std::collections::HashMap;

use crate::cards::Card;
use crate::game::{Move, MoveList, NoChance, Table};
use crate::rules::{Draw, Rules};
use crate::solver::Solver;

/// Returns whether nothing but the order of one pack is left to chance.
pub fn allowed(rules: &Rules) -> bool {
    rules.hot.packs == 1 && Solver::new(rules, 0).is_ok()
}

/// Returns the number of orders of this many cards.
fn orders(cards: u32) -> f64 {
    (2..=cards).map(f64::from).product()
}

/// Information states of one deal with their values.
///
/// After a reveal it takes the mean over all that may be seen. Values are summed over all orders of the unknown cards.
pub struct Tree<'r, W> {
    rules: &'r Rules,
    /// The kinds in play.
    all: u64,
    /// Value of a number of cards.
    worth_of: W,
    /// Number of positions that may still be expanded.
    left: u64,
    /// Number of redeals from which on they do not distinguish positions.
    redeals: u32,
    memo: HashMap<Box<[u8]>, f64>,
}

/// Positions reachable without a reveal.
struct Span {
    tables: Vec<Table>,
    /// For each, the value of stopping there or of its best reveal.
    worth: Vec<f64>,
    /// That reveal.
    reveal: Vec<Option<Move>>,
    /// Positions from which a play leads to it.
    from: Vec<Vec<u32>>,
    /// The play by which it was reached first.
    by: Vec<Option<(u32, Move)>>,
}

impl<'r, W: Fn(usize) -> f64> Tree<'r, W> {
    /// Creates an empty tree for a deal with the kinds `all`; `worth_of` gives the value of a number of cards, and at
    /// most `positions` are expanded.
    pub fn new(rules: &'r Rules, (all, worth_of): (u64, W), positions: u64) -> Tree<'r, W> {
        let redeals = match (rules.spec().stock.redeals, &rules.spec().stock.draw) {
            (Some(_), _) => u32::MAX,
            (None, Draw::ByPass(sizes)) => sizes.len() as u32,
            (None, Draw::Die { .. }) => 1,
        };
        Tree { rules, all, worth_of, left: positions, redeals, memo: HashMap::new() }
    }

    /// Returns the value of a position to a player who knows these kinds; `None` if the budget is exhausted. Cards of
    /// other kinds may lie in any order.
    pub fn worth(&mut self, table: &Table, known: u64) -> Option<f64> {
        if let Some(&worth) = self.memo.get(&table.told_key(known, self.rules, self.redeals)) {
            return Some(worth);
        }
        let span = self.span(table, known, true)?;
        let mut order: Vec<u32> = (0..span.tables.len() as u32).collect();
        order.sort_by(|&a, &b| span.worth[b as usize].total_cmp(&span.worth[a as usize]));
        // Best position first: all positions that lead to it have its value, and so on.
        let mut worth: Vec<Option<f64>> = vec![None; order.len()];
        let mut stack = Vec::new();
        for best in order {
            stack.push(best);
            while let Some(at) = stack.pop() {
                if worth[at as usize].is_none() {
                    worth[at as usize] = Some(span.worth[best as usize]);
                    stack.extend(&span.from[at as usize]);
                }
            }
        }
        for (table, worth) in span.tables.iter().zip(&worth) {
            self.memo.insert(table.told_key(known, self.rules, self.redeals), worth.unwrap_or(0.0));
        }
        worth[0]
    }

    /// Returns the shortest moves to the best position reachable without a reveal, followed by the best reveal unless
    /// stopping is best, and their value.
    pub fn line(&mut self, table: &Table, known: u64) -> Option<(Vec<Move>, f64)> {
        let span = self.span(table, known, false)?;
        let mut best = 0;
        for at in 1..span.tables.len() {
            if span.worth[at] > span.worth[best] {
                best = at;
            }
        }
        let mut moves: Vec<Move> = span.reveal[best].into_iter().collect();
        let mut at = best;
        while let Some((from, m)) = span.by[at] {
            moves.push(m);
            at = from as usize;
        }
        moves.reverse();
        Some((moves, span.worth[best]))
    }

    fn span(&mut self, start: &Table, known: u64, memo: bool) -> Option<Span> {
        let mut span =
            Span { tables: vec![*start], worth: vec![], reveal: vec![], from: vec![vec![]], by: vec![None] };
        let mut index = HashMap::from([(start.told_key(known, self.rules, self.redeals), 0)]);
        let mut legal = MoveList::new();
        let mut at = 0;
        while at < span.tables.len() {
            let table = span.tables[at];
            self.left = self.left.checked_sub(1)?;
            let orders = orders((self.all & !known).count_ones());
            let (mut worth, mut reveal) = ((self.worth_of)(table.cards()) * orders, None);
            table.legal_moves(self.rules, &mut legal);
            let moves: Vec<Move> = legal.iter().copied().collect();
            for m in moves {
                let mut after = table;
                after.apply(self.rules, m, &mut NoChance);
                let shown = after.open_kinds(self.rules) & !known;
                if shown != 0 {
                    let of_reveal = self.reveal(&table, m, known, shown)?;
                    if of_reveal > worth {
                        (worth, reveal) = (of_reveal, Some(m));
                    }
                    continue;
                }
                let key = after.told_key(known, self.rules, self.redeals);
                if let Some(&of_memo) = self.memo.get(&key).filter(|_| memo) {
                    worth = worth.max(of_memo);
                    continue;
                }
                let next = *index.entry(key).or_insert(span.tables.len());
                if next == span.tables.len() {
                    span.tables.push(after);
                    span.from.push(Vec::new());
                    span.by.push(Some((at as u32, m)));
                }
                span.from[next].push(at as u32);
            }
            span.worth.push(worth);
            span.reveal.push(reveal);
            at += 1;
        }
        Some(span)
    }

    /// Returns the value of a move that shows the kinds `shown`, as the cards lie in this table, to a player who knows
    /// `known`.
    fn reveal(&mut self, table: &Table, m: Move, known: u64, shown: u64) -> Option<f64> {
        let places = kinds(shown);
        let unknown = kinds(self.all & !known);
        let mut sum = 0.0;
        let mut chosen = Vec::with_capacity(places.len());
        each_choice(&unknown, places.len(), &mut chosen, &mut |cards| {
            let mut after = exchange(table, &places, cards, self.rules);
            after.apply(self.rules, m, &mut NoChance);
            let known = cards.iter().fold(known, |known, &card| known | 1 << card);
            sum += self.worth(&after, known)?;
            Some(())
        })?;
        Some(sum)
    }
}

/// Returns the kinds of a set.
fn kinds(mut set: u64) -> Vec<u8> {
    let mut kinds = Vec::new();
    while set != 0 {
        kinds.push(set.trailing_zeros() as u8);
        set &= set - 1;
    }
    kinds
}

/// Calls a closure with every ordered choice of this many kinds.
fn each_choice(
    from: &[u8],
    count: usize,
    chosen: &mut Vec<u8>,
    call: &mut dyn FnMut(&[u8]) -> Option<()>,
) -> Option<()> {
    if chosen.len() == count {
        return call(chosen);
    }
    for &kind in from {
        if !chosen.contains(&kind) {
            chosen.push(kind);
            each_choice(from, count, chosen, call)?;
            chosen.pop();
        }
    }
    Some(())
}

/// Returns a table with the kinds `cards` in the places of others, which then lie in theirs.
fn exchange(table: &Table, places: &[u8], cards: &[u8], rules: &Rules) -> Table {
    let back = cards.iter().filter(|card| !places.contains(card));
    let away = places.iter().filter(|place| !cards.contains(place));
    let card = |kind: &u8| Card::of_pack(0, (*kind).into());
    let from: Vec<Card> = places.iter().chain(back).map(card).collect();
    let to: Vec<Card> = cards.iter().chain(away).map(card).collect();
    table.exchanged((&from, &to), rules)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashSet};

    use super::*;
    use crate::cards::{Deck, Pack, Purpose, Rank, below, generator};
    use crate::game::{Game, NoChance, PlayerState, Table, View, specs};
    use crate::players::load;
    use crate::rules::*;
    use crate::strategy::StrategySource;

    /// Maximum number of positions of a game.
    const POSITIONS: u64 = 20_000;

    /// A deal of a small pack.
    struct Small {
        rules: Rules,
        deck: Vec<Card>,
    }

    impl Small {
        /// Returns the `number`-th game of a fixed series; `None` if it is not playable.
        fn numbered(number: u64) -> Option<Small> {
            let mut rng = generator(number, 1, Purpose::Deal);
            let mut pick = |n: u32| below(&mut rng, n) as usize;
            // Half of the rules are those of Canfield except for the stock: random rules rarely leave a choice.
            let mut spec = match pick(2) {
                0 => specs::numbered(number),
                _ => Spec { name: "small".into(), ..Spec::default() },
            };
            let (ranks, suits) = [(4, 2), (6, 2), (8, 2), (4, 3), (6, 3), (4, 4)][pick(6)];
            (spec.deal.packs, spec.pack) = (1, Pack { ranks, suits });
            spec.reserve.piles = [1, 1, 1, 1, 2, 0][pick(6)];
            spec.reserve.size = [2, 3, 4, 5][pick(4)];
            spec.tableau.deal = (0..[2, 3, 4, 4][pick(4)]).map(|_| [1, 1, 2, 3][pick(4)]).collect();
            spec.tableau.wrap = [Wrap::None, Wrap::ToBase, Wrap::Full][pick(3)];
            let base = Rank::from_index(pick(ranks.into()));
            (spec.foundation.base, spec.foundation.start) =
                [(Base::Dealt, Start::One), (Base::Rank(base), Start::None)][pick(2)];
            spec.spaces.rank =
                [SpaceRank::Any, SpaceRank::Any, SpaceRank::Base, SpaceRank::BelowBase][pick(4)];
            spec.stock.draw = Draw::ByPass([vec![1], vec![2], vec![3], vec![2, 1]][pick(4)].clone());
            spec.stock.redeals = [Some(0), Some(0), Some(0), Some(1), None][pick(5)];
            spec.stock.on_redeal = OnRedeal::Turn;
            if spec.reserve.face == ReserveFace::All && pick(2) == 0 {
                spec.reserve.face = ReserveFace::Top;
            }
            let rules = Rules::new(spec).ok()?;
            let deck = Deck::shuffled(rules.deck_shape(), number, 0).cards().to_vec();
            Some(Small { rules, deck })
        }

        fn table(&self, deck: &[Card]) -> Table {
            Table::deal(&self.rules, deck, &mut NoChance)
        }

        /// Returns all decks that deal a game which looks the same.
        fn decks(&self) -> Vec<Vec<Card>> {
            let table = self.table(&self.deck);
            let unknown = kinds(table.all_kinds(&self.rules) & !table.open_kinds(&self.rules));
            let places: Vec<usize> =
                (0..self.deck.len()).filter(|&i| unknown.contains(&(self.deck[i].kind() as u8))).collect();
            let mut decks = Vec::new();
            let mut cards = unknown;
            permutations(&mut cards, 0, &mut |order| {
                let mut deck = self.deck.clone();
                for (&place, &kind) in places.iter().zip(order) {
                    deck[place] = Card::of_pack(0, kind.into());
                }
                decks.push(deck);
            });
            decks
        }
    }

    fn permutations(cards: &mut Vec<u8>, from: usize, call: &mut dyn FnMut(&[u8])) {
        if from == cards.len() {
            return call(cards);
        }
        for i in from..cards.len() {
            cards.swap(from, i);
            permutations(cards, from + 1, call);
            cards.swap(from, i);
        }
    }

    /// Solution of a small game, summed over the orders of its hidden cards.
    struct Solved {
        small: Small,
        decks: Vec<Vec<Card>>,
        /// Cards that are up from the start.
        up: f64,
        /// V*.
        optimal: f64,
        clairvoyant: f64,
    }

    /// Returns the next game of the series that is small enough, and advances its number.
    fn next(number: &mut u64, most_orders: f64) -> Solved {
        loop {
            *number += 1;
            if let Some(solved) = solve(*number, most_orders) {
                return solved;
            }
        }
    }

    /// The kinds of a game's pack, and the value of a number of cards.
    type Counted = (u64, fn(usize) -> f64);

    /// Returns the table of a game, the kinds known in it, and the value function of its tree, which counts cards.
    fn counted(small: &Small) -> (Table, u64, Counted) {
        let table = small.table(&small.deck);
        let (all, known) = (table.all_kinds(&small.rules), table.open_kinds(&small.rules));
        (table, known, (all, |cards| cards as f64))
    }

    fn solve(number: u64, most_orders: f64) -> Option<Solved> {
        let small = Small::numbered(number)?;
        let rules = &small.rules;
        let (table, known, over) = counted(&small);
        let all = over.0;
        let unknown = (all & !known).count_ones();
        if unknown < 3 || orders(unknown) > most_orders {
            return None;
        }
        let optimal = Tree::new(rules, over, POSITIONS).worth(&table, known)?;
        let decks = small.decks();
        assert_eq!(decks.len() as f64, orders(unknown));
        let mut sighted = Tree::new(rules, counted(&small).2, u64::MAX);
        let clairvoyant =
            decks.iter().map(|deck| sighted.worth(&small.table(deck), all)).sum::<Option<f64>>()?;
        let up = table.cards() as f64 * decks.len() as f64;
        Some(Solved { optimal, clairvoyant, up, decks, small })
    }

    impl Solved {
        /// Returns what a strategy reaches.
        fn played_by(&self, source: &StrategySource) -> f64 {
            let mut game = Game::new(&self.small.rules);
            let mut player = source.instantiate();
            let played = self.decks.iter().enumerate().map(|(number, deck)| {
                let rng = PlayerState::new(1, number as u64);
                game.deal(deck, &mut NoChance);
                let outcome = game
                    .play_out(&mut NoChance, &mut (), |game| player.decide(&game.view(&rng), game.legal()));
                f64::from(outcome.unwrap().cards)
            });
            played.sum()
        }

        /// Returns what is reached by playing the tree's lines in the engine's own games.
        fn reached(&self) -> f64 {
            let (_, _, over) = counted(&self.small);
            let rules = &self.small.rules;
            let mut tree = Tree::new(rules, over, u64::MAX);
            let mut game = Game::new(rules);
            let mut sum = 0.0;
            for deck in &self.decks {
                game.deal(deck, &mut NoChance);
                let (mut known, mut moves) = (0, Vec::new());
                let outcome = game.play_out(&mut NoChance, &mut (), |game| {
                    known |= game.table().open_kinds(rules);
                    if moves.is_empty() {
                        moves = tree.line(game.table(), known).ok_or(())?.0;
                        moves.reverse();
                    }
                    let next = moves.pop();
                    Ok::<_, ()>(next.and_then(|next| game.legal().iter().position(|&m| m == next)))
                });
                sum += f64::from(outcome.unwrap().cards);
            }
            sum
        }

        /// Returns the mean, excluding the cards that are up from the start.
        fn mean(&self, sum: f64) -> f64 {
            (sum - self.up) / self.decks.len() as f64
        }
    }

    /// Optimal play by sets of tables that look alike: no card is exchanged, and nothing is counted but orders.
    struct Plainly<'r> {
        rules: &'r Rules,
        worth: HashMap<Vec<Vec<u8>>, f64>,
        left: u32,
    }

    impl Plainly<'_> {
        /// Returns where all cards lie, or those that the player sees.
        fn shown(&self, table: &Table, all: bool) -> Vec<u8> {
            let rng = PlayerState::new(0, 0);
            let view = View::new(table, self.rules, &rng);
            let mut shown = vec![table.cards() as u8, table.packet() as u8];
            let mut show = |cards: Vec<(Card, Option<Card>)>| {
                let seen = |(card, seen): (Card, Option<Card>)| seen.or(all.then_some(card));
                shown.extend(cards.into_iter().map(|card| seen(card).map_or(254, |card| card.kind() as u8)));
                shown.push(255);
            };
            for p in 0..view.piles() {
                show(table.pile(p).enumerate().map(|(i, (card, _))| (card, view.pile(p, i))).collect());
            }
            for r in 0..view.reserves() {
                show(table.reserve(r).enumerate().map(|(i, card)| (card, view.reserve(r, i))).collect());
            }
            show(table.waste().iter().rev().enumerate().map(|(i, &card)| (card, view.waste(i))).collect());
            show(table.stock().iter().enumerate().map(|(i, &card)| (card, view.coming(i))).collect());
            let redeals = &self.rules.spec().stock.redeals;
            shown.push(table.redeals().min(redeals.unwrap_or(2)) as u8);
            shown
        }

        /// Returns the most cards that a player reaches who cannot tell these tables apart, summed over them; `None` if
        /// there is too much to look at.
        fn worth(&mut self, tables: Vec<Table>) -> Option<f64> {
            let key = |it: &Self, tables: &[Table]| {
                tables.iter().map(|table| it.shown(table, true)).collect::<Vec<_>>()
            };
            let first = key(self, &tables);
            if let Some(&worth) = self.worth.get(&first) {
                return Some(worth);
            }
            let (mut open, mut found, mut best) = (vec![tables], HashSet::from([first.clone()]), 0.0);
            while let Some(tables) = open.pop() {
                self.left = self.left.checked_sub(1)?;
                best = f64::max(best, tables.iter().map(|table| table.cards() as f64).sum());
                let mut legal = MoveList::new();
                tables[0].legal_moves(self.rules, &mut legal);
                for &m in legal.iter() {
                    let mut alike: BTreeMap<Vec<u8>, Vec<Table>> = BTreeMap::new();
                    for mut table in tables.clone() {
                        table.apply(self.rules, m, &mut NoChance);
                        alike.entry(self.shown(&table, false)).or_default().push(table);
                    }
                    if alike.len() > 1 {
                        let sum =
                            alike.into_values().map(|tables| self.worth(tables)).sum::<Option<f64>>()?;
                        best = best.max(sum);
                    } else if let Some(tables) = alike.into_values().next()
                        && found.insert(key(self, &tables))
                    {
                        open.push(tables);
                    }
                }
            }
            self.worth.insert(first, best);
            Some(best)
        }
    }

    /// V* and the clairvoyant results equal the expectation over all orders of the hidden cards, taken plainly.
    #[test]
    fn optimal_play_is_the_best_over_all_orders() {
        let (mut number, mut alike, mut apart) = (0, 0, 0);
        // Few games of few ranks leave a choice that hidden cards make hard.
        let wanted = if full() { 60 } else { 3 };
        while apart < wanted {
            let it = next(&mut number, 24.0);
            let hidden = it.optimal < it.clairvoyant;
            if !hidden && alike >= 2 * wanted {
                continue;
            }
            let mut plainly = Plainly { rules: &it.small.rules, worth: HashMap::new(), left: 5_000 };
            let tables: Vec<Table> = it.decks.iter().map(|deck| it.small.table(deck)).collect();
            let clairvoyant = tables.iter().map(|&table| plainly.worth(vec![table])).sum::<Option<f64>>();
            let (Some(optimal), Some(clairvoyant)) = (plainly.worth(tables), clairvoyant) else { continue };
            assert_eq!((it.optimal, it.clairvoyant), (optimal, clairvoyant), "game {number}");
            (alike, apart) = (alike + u32::from(!hidden), apart + u32::from(hidden));
        }
        println!("{alike} and {apart} games of {number}");
    }

    fn full() -> bool {
        std::env::var_os("SARATOGA_FULL").is_some()
    }

    /// Making the moves of the tree in the engine's games reaches V*, and `search`, which plays endgames by it, nearly does
    /// so: V* remembers what a squared waste showed, which no player may do. At full size, its highest level plays.
    #[test]
    fn optimal_play_is_reached_and_not_exceeded() {
        let (games, level) = if full() { (1_000, 5) } else { (30, 1) };
        let search = load(&format!("search:level={level},goal=cards")).unwrap();
        let (mut number, mut reached, mut optimal) = (0, 0.0, 0.0);
        for _ in 0..games {
            let it = next(&mut number, 24.0);
            let played = it.played_by(&search);
            assert!(played <= it.optimal && it.optimal <= it.clairvoyant, "game {number}: {played}");
            let spec = it.small.rules.spec();
            if spec.stock.waste == WasteFace::Fanned {
                (reached, optimal) = (reached + it.mean(played), optimal + it.mean(it.optimal));
            }
            // Idle passes may end a game before everything visible has been seen.
            if spec.barren_passes != Some(1) && spec.idle_redeals.is_none() {
                assert_eq!(it.reached(), it.optimal, "game {number}");
            }
        }
        println!("{reached} of {optimal} in {games} of {number} games");
        assert!(reached >= 0.99 * optimal, "{reached} of {optimal}");
    }
}
