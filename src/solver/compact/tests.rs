//! Compares runs with whole tables.

use super::super::engine::Engine;
use super::super::heuristic::{SeenTable, heuristic};
use super::super::history::History;
use super::super::key::Keys;
use super::super::relaxed_bound::RelaxedBound;
use super::super::table_states::TableStates;
use super::super::{CardPlay, Onto};
use super::*;
use crate::cards::{Purpose, below, generator};
use crate::rules::{BasePlay, Build, Direction, Draw, MoveUnit, Spec, load};

const ON_SHELF: &str = "canfield draw-one demon-casino superior rainfall canfield-rush single-pass storehouse rainbow \
                        chameleon acme selective thoughtful-strict nerts exorcism exorcism-up";

/// Rules of the shelf, and others that the shelf does not have.
fn in_runs() -> Vec<Rules> {
    let mut all: Vec<_> = ON_SHELF.split(' ').map(|name| load(name).unwrap().rules).collect();
    let mut add = |name: &str, change: &dyn Fn(&mut Spec)| {
        let mut spec = load(name).unwrap().rules.spec().clone();
        change(&mut spec);
        all.push(Rules::new(spec).unwrap());
    };
    add("superior", &|spec| {
        spec.tableau.unit = MoveUnit::Sequence;
        spec.stock.draw = Draw::ByPass(vec![2]);
    });
    add("canfield", &|spec| {
        spec.tableau.direction = Direction::Up;
        spec.tableau.build = Build::SameColor;
        spec.tableau.deal = vec![1; 8];
    });
    add("canfield", &|spec| {
        spec.tableau.unit = MoveUnit::Single;
        spec.spaces.while_reserve = vec![Filler::Waste];
        spec.stock.draw = Draw::ByPass(vec![4]);
    });
    add("demon-casino", &|spec| {
        spec.tableau.deal = vec![1, 1, 0, 1];
        spec.stock.redeals = Some(2);
    });
    add("exorcism", &|spec| {
        spec.reserve.size = 3;
        spec.stock.draw = Draw::ByPass(vec![2]);
    });
    add("exorcism", &|spec| {
        spec.spaces.auto = vec![Filler::Reserve, Filler::Waste];
        spec.spaces.while_reserve = vec![Filler::Stock];
        spec.reserve.size = 5;
        spec.tableau.unit = MoveUnit::Sequence;
    });
    add("exorcism-up", &|spec| {
        spec.reserve.piles = 0;
        spec.spaces.auto = Vec::new();
        spec.spaces.after_reserve = vec![Filler::Stock, Filler::Tableau];
        spec.tableau.deal = vec![1, 0, 1, 1];
        spec.stock.redeals = Some(1);
    });
    add("canfield", &|spec| {
        spec.foundation.base_play = BasePlay::Forced;
        spec.stock.redeals = Some(2);
        spec.tableau.deal = vec![1; 6];
        spec.reserve.size = 1;
    });
    all
}

/// Passes the tables along a random line of play to a closure.
fn looked_at(rules: &Rules, seed: u64, mut look: impl FnMut(&Table, &mut dyn FnMut(u32) -> u32)) {
    let mut rng = generator(seed, 0, Purpose::Strategy);
    let mut table = Table::of_seed(rules, seed, 0);
    let mut engine = Engine::new(rules);
    let pruner = Pruner::default();
    for _ in 0..80 {
        let keys = Keys::new(&table, rules);
        look(&table, &mut |n| below(&mut rng, n));
        let mut children = Vec::new();
        engine.expand(&table, &keys, &pruner, &mut children);
        match children.len() as u32 {
            0 => break,
            many => children[below(&mut rng, many) as usize].make(&mut table, rules),
        }
    }
}

/// From every position the same plays lead to the same keys in the same order, and it is evaluated the same: so whole
/// searches visit the same positions.
#[test]
fn runs_are_what_tables_are() {
    let (mut compared, mut short) = (0, 0);
    for rules in &in_runs() {
        assert!(allowed(rules), "{}", rules.name());
        let pruner = Pruner::new(rules);
        let mut history = History::default();
        let learnt = (0..51).map(|kind| Card::of_pack(0, kind));
        let onto = |card: Card| {
            if card.kind().is_multiple_of(3) { Onto::Foundations } else { Onto::Card(Card(card.0 + 1)) }
        };
        history.learn(&learnt.map(|card| CardPlay { card, onto: onto(card) }).collect::<Vec<_>>());
        for seed in 0..25 {
            let mut roots: Vec<Table> = Vec::new();
            looked_at(rules, seed, |table, below| {
                roots.push(*table);
                let root = roots[below(roots.len() as u32) as usize];
                if root.base().is_none() || table.redeals() < root.redeals() {
                    return;
                }
                let name = format!("{} {seed} {}", rules.name(), roots.len());
                let (mut runs, _) = RunStates::new(&root, rules, &pruner, &history).unwrap();
                let at = runs.of(table);
                let mut engine = Engine::new(rules);
                let mut tables = TableStates::new(&root, &mut engine, &pruner, &history);
                let key: Key<ONE_PACK> = runs.key(&at);
                assert_eq!(key, tables.key(table), "{name}");
                assert_eq!(runs.cards(&at), table.cards());
                let most = RelaxedBound::new(&root, rules).most(table, rules);
                for cards in [most.saturating_sub(1), most, most + 1, 52] {
                    assert_eq!(runs.is_short(&at, cards), most < cards, "{name} {cards} {most}");
                }
                short += usize::from(most < 52);
                for kind in [HeuristicKind::Order, HeuristicKind::Depth] {
                    let seen = heuristic(&SeenTable(table, rules), rules, kind);
                    assert_eq!(runs.heuristic(&at, kind), seen, "{name}");
                }
                let (mut mine, mut theirs) = (Vec::new(), Vec::new());
                runs.expand(&at, &key, &mut mine);
                tables.expand(table, &key, &mut theirs);
                let told = |next: &Next<ONE_PACK, Successor>| (next.play.m, next.play.place.turns, next.rank);
                let [left, right] = [&mine, &theirs].map(|all| all.iter().map(told).collect::<Vec<_>>());
                assert_eq!(left, right, "{name}");
                for next in &mine {
                    let (mut after, mut there) = (at, *table);
                    runs.make(&mut after, &next.play);
                    next.play.make(&mut there, rules);
                    // What a card that went up lay on is irrelevant, as are places without cards.
                    after.turned = after.waste().checked_ilog2().map_or(0, |top| top as u8 + 1);
                    each(after.up, |kind| after.below[kind % 56] = NONE);
                    assert_eq!(Some(runs.key(&after)), next.key, "{name} {:?}", next.play);
                    assert_eq!(
                        format!("{after:?}"),
                        format!("{:?}", runs.of(&there)),
                        "{name} {:?}",
                        next.play
                    );
                    compared += 1;
                }
            });
        }
    }
    println!("{compared} plays, {short} short");
    assert!(compared > 30_000 && short > 1000, "{compared} {short}");
}
