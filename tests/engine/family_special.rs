//! Special rules of single games of the family, in dealt and played games.

use crate::engine::family::walks::{after, dealt, legal, pile, rules, walks};
use saratoga::cards::{Card, Rank};
use saratoga::game::{Move, Place, Table};
use saratoga::rules::Rules;

/// Number of random games.
const GAMES: u64 = 60;

fn words(rules: &Rules, table: &Table) -> Vec<String> {
    let moves = legal(rules, table);
    moves.iter().map(|m| m.notation(rules.spec().reserve.piles.into())).collect()
}

/// Returns the reserves, each top first.
fn reserves(rules: &Rules, table: &Table) -> Vec<Vec<Card>> {
    (0..rules.spec().reserve.piles.into()).map(|r| table.reserve(r).collect()).collect()
}

/// Returns the pile that a move turns into a space.
fn emptied(table: &Table, m: Move) -> Option<usize> {
    match m.source() {
        Place::Pile(p) if pile(table, p).len() == m.count() => Some(p),
        _ => None,
    }
}

/// Returns the space that a move fills, and the lowest card moved there.
fn filled(table: &Table, m: Move, next: &Table) -> Option<(usize, Card)> {
    match m.target() {
        Place::Pile(q) if pile(table, q).is_empty() => pile(next, q).last().map(|&card| (q, card)),
        _ => None,
    }
}

#[test]
fn eagle_wing_keeps_its_reserve_hidden_and_its_piles_low() {
    let rules = rules("eagle-wing");
    let (mut high, mut last, mut fills) = (0, 0, 0);
    walks(&rules, GAMES, |table, m, next| {
        for p in 0..8 {
            assert!(pile(next, p).len() <= 3);
            high += usize::from(pile(next, p).len() == 3);
        }
        let from_reserve = legal(&rules, table).iter().any(|m| m.from_reserve());
        assert!(!from_reserve || table.reserve_left() == 1);
        last += usize::from(from_reserve);
        if let (Some(p), Some(top)) = (emptied(table, m), table.reserve(0).next()) {
            assert_eq!((pile(next, p), next.reserve_left()), (vec![top], table.reserve_left() - 1));
            fills += 1;
        }
    });
    assert!(high > 50 && last > 10 && fills > 50, "{high} {last} {fills}");
}

#[test]
fn the_fuller_post_of_a_gate_fills_and_then_the_waste() {
    for name in ["gate", "little-gate"] {
        let rules = rules(name);
        let (mut posts, mut waste) = ([0, 0], 0);
        walks(&rules, 4 * GAMES, |table, m, next| {
            let Some(p) = emptied(table, m) else { return };
            let before = reserves(&rules, table);
            let fuller = usize::from(before[1].len() > before[0].len());
            if let Some(&top) = before[fuller].first() {
                assert_eq!(pile(next, p), [top], "{name}");
                posts[fuller] += 1;
            } else if let Some(&top) = table.waste().last() {
                assert_eq!(pile(next, p), [top], "{name}");
                waste += 1;
            } else {
                assert!(pile(next, p).is_empty(), "{name}");
            }
        });
        assert!(posts[0] > 50 && posts[1] > 50 && waste > 5, "{name}: {posts:?} {waste}");
    }
}

#[test]
fn dutchess_begins_with_the_choice_of_a_reserve_top() {
    let rules = rules("dutchess");
    for seed in 0..20 {
        let table = dealt(&rules, seed);
        assert_eq!(words(&rules, &table), ["R1>F", "R2>F", "R3>F", "R4>F"]);
        for (r, m) in legal(&rules, &table).into_iter().enumerate() {
            let chosen = table.reserve(r).next().unwrap();
            let next = after(&rules, &table, m);
            assert_eq!((next.base(), next.cards(), next.reserve_left()), (Some(chosen.rank()), 1, 11));
            assert!(words(&rules, &next).contains(&"draw".to_string()));
        }
    }
    only_reserve_and_waste_fill_spaces(&rules);
}

#[test]
fn selective_begins_with_the_choice_among_five_cards() {
    let rules = rules("selective");
    for seed in 0..20 {
        let table = dealt(&rules, seed);
        assert_eq!(words(&rules, &table), ["C1>F", "C2>F", "C3>F", "C4>F", "C5>F"]);
        let offered = table.offered().to_vec();
        for (i, m) in legal(&rules, &table).into_iter().enumerate() {
            let next = after(&rules, &table, m);
            assert_eq!((next.base(), next.cards()), (Some(offered[i].rank()), 1));
            let piles: Vec<Card> = (0..4).flat_map(|p| pile(&next, p)).collect();
            let others: Vec<Card> = offered.iter().copied().filter(|&card| card != offered[i]).collect();
            assert_eq!(piles, others);
        }
    }
}

#[test]
fn canfield_rush_draws_three_then_two_then_one() {
    let rules = rules("canfield-rush");
    let mut table = dealt(&rules, 1);
    let mut packets: Vec<Vec<usize>> = vec![vec![]];
    while let Some(&m) = legal(&rules, &table).iter().find(|m| !m.is_play()) {
        let left = table.stock().len();
        table = after(&rules, &table, m);
        if m.is_draw() {
            packets.last_mut().unwrap().push(left - table.stock().len());
        } else {
            packets.push(vec![]);
        }
    }
    assert_eq!(packets, [[vec![3; 11], vec![1]].concat(), vec![2; 17], vec![1; 34]]);
}

#[test]
fn only_kings_begin_piles_where_the_rules_say_so() {
    for (name, kings_only) in
        [("minerva", true), ("munger", true), ("klondike", true), ("racing-demon", true), ("mystique", false)]
    {
        let rules = rules(name);
        let (mut kings, mut others) = (0, 0);
        walks(&rules, 3 * GAMES, |table, m, next| {
            if let Some((_, card)) = filled(table, m, next) {
                *(if card.rank() == Rank::KING { &mut kings } else { &mut others }) += 1;
            }
        });
        assert!(kings > 10, "{name}: {kings} kings");
        assert_eq!(others == 0, kings_only, "{name}: {others} others");
    }
}

/// Nothing fills a space unasked; a player fills it from the reserve, and from the waste once the reserve is gone.
fn only_reserve_and_waste_fill_spaces(rules: &Rules) {
    let (mut by_reserve, mut by_waste) = (0, 0);
    walks(rules, 6 * GAMES, |table, m, next| {
        if let Some(p) = emptied(table, m) {
            assert!(pile(next, p).is_empty());
        }
        if filled(table, m, next).is_some() {
            assert!(m.from_reserve() || m.from_waste() && table.reserve_left() == 0);
            by_reserve += usize::from(m.from_reserve());
            by_waste += usize::from(m.from_waste());
        }
    });
    assert!(by_reserve > 50 && by_waste > 5, "{by_reserve} {by_waste}");
}

#[test]
fn the_bsd_program_forces_base_cards_and_fills_spaces_from_the_reserve_alone() {
    let rules = rules("bsd");
    only_reserve_and_waste_fill_spaces(&rules);
    let mut forced = 0;
    walks(&rules, 6 * GAMES, |table, _, _| {
        let base = table.base().unwrap();
        let tops = (0..4).filter_map(|p| pile(table, p).first().copied());
        let available = tops.chain(table.reserve(0).next()).chain(table.waste().last().copied());
        let bases = available.filter(|card| card.rank() == base).count();
        if bases > 0 {
            let moves = legal(&rules, table);
            assert_eq!(moves.len(), bases);
            assert!(moves.iter().all(|m| m.to_foundation()));
            forced += 1;
        }
    });
    assert!(forced > 100, "{forced}");
}

#[test]
fn cards_come_back_from_the_foundations_where_the_rules_say_so() {
    for (name, back) in [
        ("klondike", true),
        ("klondike-draw-one", true),
        ("duke", true),
        ("gate", true),
        ("little-gate", true),
        ("racing-demon", false),
        ("nerts", false),
        ("canfield", false),
    ] {
        let rules = rules(name);
        let mut returns = 0;
        walks(&rules, GAMES, |table, m, next| {
            if m.from_foundation() {
                assert_eq!(next.cards(), table.cards() - 1);
                returns += 1;
            }
        });
        assert_eq!(returns > 10, back, "{name}: {returns}");
        assert_eq!(returns > 0, back, "{name}: {returns}");
    }
}
