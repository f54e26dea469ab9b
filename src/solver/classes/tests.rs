//! Compares plays in classes with the engine's legal moves.

use std::collections::BTreeSet;

use super::super::key::Key;
use super::super::relaxed_rules::relaxed_rules;
use super::super::search::States;
use super::*;
use crate::cards::{Deck, Pack, Purpose, Rank, below, generator};
use crate::game::{MoveList, NoChance, Table};
use crate::rules::{Build, Direction, Draw, Filler, ReserveFace, Returns, Rules, SpaceRank, Spec, load};
use crate::solver::{Goal, Limits, Solver, Verdict};

const ALIKE: [&str; 5] = ["thoughtful", "klondike", "klondike-draw-one", "candike", "nerts"];

/// Rules of the shelf, and others that the shelf does not have.
fn alike() -> Vec<Rules> {
    let mut all: Vec<_> = ALIKE.iter().map(|name| load(name).unwrap().rules).collect();
    let mut add = |name: &str, change: &dyn Fn(&mut Spec)| {
        let mut spec = load(name).unwrap().rules.spec().clone();
        change(&mut spec);
        all.push(Rules::new(spec).unwrap());
    };
    add("thoughtful", &|spec| {
        spec.tableau.build = Build::SameSuit;
        spec.foundation.returns = Returns::Top;
        spec.spaces.after_reserve.push(Filler::Foundation);
    });
    add("klondike", &|spec| {
        spec.stock.draw = Draw::ByPass(vec![2]);
        spec.tableau.build = Build::SameColor;
        spec.foundation.returns = Returns::Never;
    });
    add("candike", &|spec| {
        spec.tableau.direction = Direction::Up;
        spec.reserve.face = ReserveFace::Last;
        spec.spaces.while_reserve = vec![Filler::Reserve, Filler::Waste];
        spec.spaces.auto.clear();
        spec.foundation.returns = Returns::TopExceptBase;
    });
    all
}

#[test]
fn classes_are_only_where_they_are_proven() {
    let classes = |name: &str| {
        let rules = load(name).unwrap().rules;
        let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
        Classes::new(&Table::deal(&rules, deck.cards(), &mut NoChance), &rules).is_some()
    };
    ALIKE.iter().for_each(|name| assert!(classes(name), "{name}"));
    // Single cards and whole piles; a ring of ranks; spaces filled from the waste; several redeals; packs.
    for name in
        ["canfield", "thoughtful-strict", "chameleon", "gate", "minerva", "dutchess", "demon-two-packs"]
    {
        assert!(!classes(name), "{name}");
    }
}

/// The classes that legal moves lead to from any position of a class, ignoring turning, are those that its plays lead
/// to; and each play converts to legal moves that lead there.
#[test]
fn plays_are_the_legal_moves() {
    let (mut plays_seen, mut told, mut freed) = (0, 0, 0);
    for (number, rules) in alike().iter().enumerate() {
        let name = format!("{} ({number})", rules.name());
        for seed in 0..60 {
            let mut table = Table::of_seed(rules, seed, 0);
            let (classes, root) = Classes::new(&table, rules).unwrap();
            let classes = classes.unpruned();
            let mut at = root;
            let mut rng = generator(seed, 0, Purpose::Strategy);
            for step in 0..80 {
                let dump = format!("{name} {seed} {step}");
                assert_eq!(classes.of(&table).layout, at.layout, "{dump}");
                let mut nexts = Vec::new();
                classes.list(&at, &mut nexts);
                let foreseen: BTreeSet<_> = nexts.iter().map(|next| next.key.unwrap()).collect();
                let legal = led_to(&classes, rules, &table);
                // Plays of the other positions of the class are checked by converting them to moves.
                assert!(legal.is_subset(&foreseen), "{dump}");
                for next in &nexts {
                    let mut after = at;
                    classes.make(&mut after, &next.play);
                    assert_eq!(classes.key(&after), next.key.unwrap(), "{dump} {:?}", next.play);
                    let moves = classes.tell(&table, &[next.play]);
                    let mut end = table;
                    let mut list = MoveList::new();
                    for &m in &moves {
                        end.legal_moves(rules, &mut list);
                        assert!(list.contains(&m), "{dump} {m}");
                        end.apply(rules, m, &mut NoChance);
                    }
                    assert_eq!(classes.key(&classes.of(&end)), next.key.unwrap(), "{dump} {:?}", next.play);
                    assert_eq!(classes.of(&end).layout, after.layout, "{dump}");
                    told += moves.iter().filter(|m| m.is_play()).count();
                    freed += usize::from(moves.iter().filter(|m| m.is_play()).count() > 1);
                }
                plays_seen += nexts.len();
                if nexts.is_empty() {
                    break;
                }
                let next = nexts[below(&mut rng, nexts.len() as u32) as usize];
                for m in classes.tell(&table, &[next.play]) {
                    table.apply(rules, m, &mut NoChance);
                }
                classes.make(&mut at, &next.play);
            }
        }
    }
    println!("{plays_seen} plays, {told} moves, {freed} with a card freed first");
    assert!(plays_seen > 50_000 && freed > 300, "{plays_seen} {told} {freed}");
}

/// What is lost when the stock is lent is lost, in small packs, from the deal and after some plays.
#[test]
fn what_is_lost_with_a_lent_stock_is_lost() {
    let (mut proven, mut lost) = (0, 0);
    for (number, full) in alike().iter().enumerate() {
        let mut spec = full.spec().clone();
        (spec.pack, spec.tableau.deal) = (Pack { ranks: 6, suits: 4 }, vec![3, 4, 4, 3]);
        spec.reserve.size = spec.reserve.size.min(1);
        if let SpaceRank::Rank(rank) = &mut spec.spaces.rank {
            *rank = Rank::from_index(5);
        }
        let rules = Rules::new(spec).unwrap();
        let mut solver = Solver::new(&rules, 1 << 24).unwrap();
        for seed in 0..60 {
            let mut table = Table::of_seed(&rules, seed, 0);
            let mut rng = generator(seed, 0, Purpose::Strategy);
            let mut list = MoveList::new();
            for step in 0..20 {
                if step % 10 == 0
                    && let Some((classes, root)) = Classes::new(&table, &rules)
                {
                    // A search for the most cards makes no use of the proof.
                    let answer = solver.solve(&table, Goal::Cards, &Limits::default());
                    let (is_lost, _) = classes.proven_lost(&root, 20_000);
                    assert!(!is_lost || answer.verdict == Verdict::Lost, "{number} {seed} {step}");
                    proven += usize::from(is_lost);
                    lost += usize::from(answer.verdict == Verdict::Lost);
                }
                table.legal_moves(&rules, &mut list);
                if list.is_empty() {
                    break;
                }
                table.apply(&rules, list[below(&mut rng, list.len() as u32) as usize], &mut NoChance);
            }
        }
    }
    println!("{proven} of {lost} proven");
    assert!(proven > 20 && proven < lost, "{proven} of {lost}");
}

/// Relaxed classes: plays lead wherever legal moves lead, even under rules that do not allow classes. If a space is
/// filled as part of a move, it takes two plays.
#[test]
fn relaxed_plays_are_at_least_the_legal_moves() {
    let (mut compared, mut twice) = (0, 0);
    let names = "chameleon little-gate exorcism-up exorcism rainbow canfield superior draw-one \
                 demon-casino storehouse rainfall gate";
    for name in names.split(' ') {
        let rules = load(name).unwrap().rules;
        let relaxed = relaxed_rules(&rules).unwrap();
        for seed in 0..25 {
            let mut table = Table::of_seed(&rules, seed, 0);
            let (classes, _) = Classes::relaxed(&table, &relaxed, &rules).unwrap();
            let classes = classes.unpruned();
            let mut rng = generator(seed, 0, Purpose::Strategy);
            let mut list = MoveList::new();
            for step in 0..120 {
                let dump = format!("{name} {seed} {step}");
                let mut at = classes.of(&table);
                at.stock.redeals = table.redeals() as u8 * u8::from(classes.in_order);
                let once = reached(&classes, &[at]);
                let mut again = BTreeSet::new();
                table.legal_moves(&rules, &mut list);
                for &m in list.iter().filter(|m| m.is_play()) {
                    let mut after = table;
                    after.apply(&rules, m, &mut NoChance);
                    let mut after = classes.of(&after);
                    after.stock.redeals = at.stock.redeals;
                    let key = classes.key(&after);
                    compared += 1;
                    if key == classes.key(&at) || once.iter().any(|at| classes.key(at) == key) {
                        continue;
                    }
                    if again.is_empty() {
                        again = reached(&classes, &once).iter().map(|at| classes.key(at)).collect();
                    }
                    assert!(again.contains(&key), "{dump} {m}");
                    twice += 1;
                }
                if list.is_empty() {
                    break;
                }
                let plays = list.iter().take_while(|m| m.is_play()).count() as u32;
                let among = if plays > 0 && below(&mut rng, 3) > 0 { plays } else { list.len() as u32 };
                table.apply(&rules, list[below(&mut rng, among) as usize], &mut NoChance);
            }
        }
    }
    println!("{compared} moves, {twice} of two plays");
    assert!(compared > 20_000 && twice > 100, "{compared} {twice}");
}

/// The classes that one play leads to.
fn reached(classes: &Classes<'_>, from: &[ClassPosition]) -> Vec<ClassPosition> {
    let mut reached = Vec::new();
    for at in from {
        let mut nexts = Vec::new();
        classes.list(at, &mut nexts);
        for next in &nexts {
            let mut after = *at;
            classes.make(&mut after, &next.play);
            assert_eq!(next.key, Some(classes.key(&after)), "{:?}", next.play);
            reached.push(after);
        }
    }
    reached
}

/// The classes of all positions that one play leads to, after any turning.
fn led_to(classes: &Classes<'_>, rules: &Rules, table: &Table) -> BTreeSet<Key<WORDS>> {
    let mut led_to = BTreeSet::new();
    let here = classes.key(&classes.of(table));
    let mut turned = *table;
    let mut list = MoveList::new();
    for _ in 0..2 * (table.waste().len() + table.stock().len()) + 3 {
        turned.legal_moves(rules, &mut list);
        for &m in list.iter().filter(|m| m.is_play()) {
            let from_stock = m.source() == crate::game::Place::Waste;
            // Other plays can be made before the stock is turned.
            if from_stock || turned.stock_position().turns == 0 && turned.waste() == table.waste() {
                let mut after = turned;
                after.apply(rules, m, &mut NoChance);
                led_to.insert(classes.key(&classes.of(&after)));
            }
        }
        let Some(&turn) = list.iter().find(|m| !m.is_play()) else { break };
        if turn.is_redeal() && rules.hot.redeals != u32::MAX {
            // Anything shown before the redeal is taken then, with more redeals left.
            break;
        }
        turned.apply(rules, turn, &mut NoChance);
    }
    led_to.remove(&here);
    led_to
}
