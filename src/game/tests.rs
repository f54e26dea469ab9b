//! What players see and do not see: sampled deals agree with the cards seen in the waste, which a squared waste hides
//! and a redeal may shuffle, and neither views nor moves tell of hidden cards.

use std::collections::BTreeSet;

use crate::cards::{Card, Deck, Purpose, below, generator, shuffle};
use crate::rules::*;

use super::chance::SeededChance;
use super::lookahead::Lookahead;
use super::lookahead::tests::told;
use super::moves::MoveList;
use super::play::Game;
use super::player_state::PlayerState;
use super::specs;
use super::stakes::Stakes;
use super::table::Table;
use super::view::View;

/// A change of rules.
type Change<'a> = &'a dyn Fn(&mut Spec);

/// Rules under which places in the stock are lost.
pub(super) fn rulesets() -> Vec<std::rc::Rc<Rules>> {
    let loaded = |name| crate::rules::load(name).unwrap().rules.spec().clone();
    let squared = |spec: &mut Spec| spec.stock.waste = WasteFace::Squared;
    let shuffled = |spec: &mut Spec| spec.stock.on_redeal = OnRedeal::Shuffle;
    let changes: [(&str, &[Change<'_>]); 8] = [
        ("bsd", &[]),
        ("draw-one", &[&squared]),
        ("canfield", &[&shuffled]),
        ("canfield", &[&squared, &shuffled]),
        ("exorcism-die-pass", &[&squared]),
        ("klondike", &[&shuffled]),
        ("double-canfield", &[&squared]),
        ("demon-two-packs", &[&shuffled]),
    ];
    let changed = changes.iter().map(|(name, changes)| {
        let mut spec = loaded(name);
        changes.iter().for_each(|change| change(&mut spec));
        std::rc::Rc::new(Rules::new(spec).unwrap())
    });
    changed.collect()
}

/// The cards in places that no card from the stock reaches: in reserves, and face down.
fn apart(table: &Table, rules: &Rules) -> BTreeSet<u8> {
    let reserves = (0..rules.hot.reserves).flat_map(|r| table.reserve(r));
    let piles = (0..rules.hot.piles).flat_map(|p| table.pile(p)).filter(|(_, up)| !up).map(|(card, _)| card);
    reserves.chain(piles).map(|card| card.0).collect()
}

/// Every card of a table.
fn all(table: &Table, rules: &Rules) -> BTreeSet<u8> {
    let piles = (0..rules.hot.piles).flat_map(|p| table.pile(p)).map(|(card, _)| card);
    let talon = table.waste().iter().chain(table.stock()).copied();
    let cards: Vec<u8> = piles.chain(talon).map(|card| card.0).collect();
    let apart = apart(table, rules);
    cards.into_iter().chain(apart).collect()
}

/// Records what a person who watches the waste sees there, independently of the engine.
fn watch(seen: &mut BTreeSet<u8>, table: &Table, rules: &Rules) {
    match table.waste() {
        [.., top] if rules.spec().stock.waste == WasteFace::Squared => {
            seen.insert(top.0);
        }
        waste => seen.extend(waste.iter().map(|card| card.0)),
    }
}

/// Returns whether nobody can tell if a card was seen in an earlier pass, or is its like of another pack.
fn forgets_passes(rules: &Rules) -> bool {
    rules.hot.packs > 1 && !rules.hot.fanned
}

/// Plays random games and passes each position with the cards seen so far.
fn games(rules: &Rules, from: u64, games: u64, mut look: impl FnMut(&Game<'_>, &BTreeSet<u8>)) {
    for number in from..from + games {
        let mut dice = generator(number, 1, Purpose::Strategy);
        let mut chance = SeededChance::new(number, 0);
        let mut game = Game::new(rules);
        game.deal(Deck::shuffled(rules.deck_shape(), number, 0).cards(), &mut chance);
        let mut seen = BTreeSet::new();
        while game.end().is_none() && game.moves() < 150 {
            watch(&mut seen, game.table(), rules);
            look(&game, &seen);
            // Mostly draws, so that there are enough passes.
            let turning = game.legal().iter().position(|m| !m.is_play());
            let any = below(&mut dice, game.legal().len() as u32) as usize;
            let m = game.legal()[turning.filter(|_| below(&mut dice, 4) > 0).unwrap_or(any)];
            if m.is_redeal() && forgets_passes(rules) {
                seen.clear();
            }
            game.make(m, &mut chance);
        }
    }
}

#[test]
fn sampled_deals_agree_with_what_went_by() {
    let mut legal = MoveList::new();
    for rules in rulesets() {
        let (mut told, mut positions) = (0, 0);
        games(&rules, 0, 12, |game, seen| {
            let rng = PlayerState::new(1, 1);
            let view = game.view(&rng);
            let origin = Lookahead::of(&view, &rules, game.legal());
            let mut check = |table: &Table, seen: &BTreeSet<u8>, what: &str| {
                let wrong: Vec<_> = apart(table, &rules).intersection(seen).map(|&card| Card(card)).collect();
                assert!(wrong.is_empty(), "{} {what}: {wrong:?} went by", rules.name());
                assert_eq!(all(table, &rules), all(game.table(), &rules), "{} {what}", rules.name());
                positions += 1;
            };
            // Open cards of the reserve were never in the waste, so only hidden ones are a test.
            let hidden = view.unknown() > 0 && !apart(game.table(), &rules).is_empty();
            let under = match game.table().waste() {
                [under @ .., _] if !rules.hot.fanned => under,
                _ => &[],
            };
            let lost = under.iter().chain(game.table().stock()).any(|card| seen.contains(&card.0));
            told += usize::from(hidden && lost);
            for k in 0..2 {
                check(&origin.sample(k, 0, &mut legal).table, seen, "sampled");
                check(&view.sample(&mut generator(k, 0, Purpose::Deal)), seen, "dealt");
            }
            for &m in game.legal().iter().filter(|m| !m.to_foundation()) {
                if m.is_redeal() && forgets_passes(&rules) {
                    continue;
                }
                let next = origin.after(m, u8::from(origin.rolls(m)), &mut legal);
                if next.table.cards() == game.table().cards() && !m.is_play() {
                    check(&next.sample(5, 0, &mut legal).table, seen, "after");
                    let further = next.moves().iter().find(|m| m.is_draw()).copied();
                    let Some(draw) = further else { continue };
                    let next = next.after(draw, u8::from(next.rolls(draw)), &mut legal);
                    check(&next.sample(5, 0, &mut legal).table, seen, "further");
                }
            }
        });
        assert!(told > 100 && positions > 1000, "{}: {told} of {positions}", rules.name());
    }
}

#[test]
fn every_deal_that_agrees_is_as_likely() {
    let rules = &rulesets()[0];
    let mut looked = 0;
    games(rules, 0, 30, |game, seen| {
        if game.moves() != 40 || looked > 0 {
            return;
        }
        let rng = PlayerState::new(1, 1);
        let view = game.view(&rng);
        let mut legal = MoveList::new();
        let origin = Lookahead::of(&view, rules, game.legal());
        let real = game.table();
        let turned = |table: &Table| -> Vec<u8> {
            table
                .waste()
                .split_last()
                .map_or(&[][..], |it| it.1)
                .iter()
                .chain(table.stock())
                .map(|c| c.0)
                .collect()
        };
        let hidden = |table: &Table| -> Vec<u8> { table.reserve(0).skip(1).map(|card| card.0).collect() };
        let gone: Vec<u8> = turned(real).into_iter().filter(|card| seen.contains(card)).collect();
        let other: Vec<u8> =
            turned(real).into_iter().chain(hidden(real)).filter(|card| !seen.contains(card)).collect();
        assert!(gone.len() > 4 && other.len() > 12, "{gone:?} {other:?}");
        const DEALS: u64 = 20_000;
        // Cards seen in the waste lie anywhere in stock and waste, and every other card equally often in each place of
        // the reserve.
        for engine in [true, false] {
            let (mut in_stock, mut in_reserve) = ([[0u32; 52]; 52], [[0u32; 52]; 52]);
            for k in 0..DEALS {
                let table = if engine {
                    view.sample(&mut generator(k, 7, Purpose::Deal))
                } else {
                    origin.sample(k, 0, &mut legal).table
                };
                for (place, card) in turned(&table).into_iter().enumerate() {
                    in_stock[place][card as usize] += 1;
                }
                for (place, card) in hidden(&table).into_iter().enumerate() {
                    in_reserve[place][card as usize] += 1;
                }
            }
            let is_near = |count: u32, parts: usize| {
                let expected = DEALS as f64 / parts as f64;
                (f64::from(count) - expected).abs() < 5.0 * expected.sqrt()
            };
            let (turned, hidden) = (turned(real).len(), hidden(real).len());
            for (place, counts) in in_stock.iter().enumerate().take(turned) {
                for &card in &gone {
                    let count = counts[card as usize];
                    assert!(is_near(count, turned), "{engine} {place} {card}: {count} of {turned}");
                }
            }
            for (place, counts) in in_reserve.iter().enumerate().take(hidden) {
                for &card in &other {
                    let count = counts[card as usize];
                    assert!(is_near(count, other.len()), "{engine} {place} {card}: {count}");
                }
            }
        }
        looked += 1;
    });
    assert_eq!(looked, 1);
}

/// Bought cards are known to be in the stock, even after a redeal has shuffled it.
#[test]
fn bought_cards_are_not_in_the_reserve() {
    let rules = &rulesets()[3];
    let (mut legal, mut looked) = (MoveList::new(), 0);
    for number in 0..8 {
        let (mut game, mut chance) = (Game::new(rules), SeededChance::new(number, 0));
        game.deal(Deck::shuffled(rules.deck_shape(), number, 0).cards(), &mut chance);
        let mut stakes = Stakes::new(rules);
        let bought: BTreeSet<u8> = game.table().stock().iter().map(|card| card.0).collect();
        game.table().stock().iter().for_each(|&card| stakes.show(card));
        while let Some(&m) = game.legal().iter().find(|m| !m.is_play()).filter(|_| game.end().is_none()) {
            game.make(m, &mut chance);
            stakes.moved(rules, m);
            let rng = PlayerState::new(1, number);
            let view = game.view(&rng).with_stakes(&stakes);
            let origin = Lookahead::of(&view, rules, game.legal());
            for table in
                [origin.sample(1, 0, &mut legal).table, view.sample(&mut generator(1, 0, Purpose::Deal))]
            {
                assert!(apart(&table, rules).is_disjoint(&bought));
                looked += 1;
            }
        }
    }
    assert!(looked > 100, "{looked}");
}

impl View<'_> {
    /// Returns a table that looks the same in this view, whose player may have bought some of the hidden cards.
    pub fn with_hidden(&self, order: impl FnOnce(&mut [Card])) -> Table {
        self.with_unknown(|cards, _| order(cards))
    }
}

impl Table {
    /// Returns a table that looks the same to its player: `order` receives all hidden cards and may permute them.
    pub fn with_hidden(&self, rules: &Rules, order: impl FnOnce(&mut [Card])) -> Table {
        let rng = PlayerState::new(0, 0);
        View::new(self, rules, &rng).with_hidden(order)
    }
}

/// Collects everything that a player can ask of a position, and its legal moves.
fn told_of(table: &Table, rules: &Rules) -> String {
    let mut legal = MoveList::new();
    table.legal_moves(rules, &mut legal);
    told(&View::new(table, rules, &PlayerState::new(0, 0)), None, &legal)
}

#[test]
fn neither_view_nor_moves_tell_of_hidden_cards() {
    let (mut positions, mut different) = (0, 0);
    for number in 0..200 {
        let rules = Rules::new(specs::numbered(number)).unwrap();
        let mut chance = SeededChance::new(number, 0);
        let mut rng = generator(number, 0, Purpose::Strategy);
        let deck = Deck::shuffled(rules.deck_shape(), number, 0);
        let mut table = Table::deal(&rules, deck.cards(), &mut chance);
        for made in 0..100 {
            let other = table.with_hidden(&rules, |hidden| shuffle(hidden, &mut rng));
            assert_eq!(
                told_of(&other, &rules),
                told_of(&table, &rules),
                "ruleset {number} after {made} moves"
            );
            positions += 1;
            different += u32::from(other.stock() != table.stock());
            let mut legal = MoveList::new();
            table.legal_moves(&rules, &mut legal);
            if legal.is_empty() {
                break;
            }
            table.apply(&rules, legal[below(&mut rng, legal.len() as u32) as usize], &mut chance);
        }
    }
    assert!(different > positions / 4, "{different} of {positions}");
}
