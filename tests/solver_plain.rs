//! The solver against a plain search of everything that can be reached, on late positions of random games.

mod common;

use std::collections::HashSet;

use common::{Whim, deck, dump, scale, shelf, specs};
use saratoga::game::{MoveList, NoChance, Table};
use saratoga::rules::{Draw, OnRedeal, Roll, Rules};
use saratoga::solver::{Goal, Limits, Solver, Verdict};

/// Positions with more ahead of them are too large for the plain search.
const MOST: usize = 3000;

/// No die and no shuffle decides inside the game.
fn is_certain(rules: &Rules) -> bool {
    let stock = &rules.spec().stock;
    stock.on_redeal == OnRedeal::Turn
        && !matches!(stock.draw, Draw::Die { roll: Roll::Draw | Roll::Pass, .. })
}

/// A position as a text. Redeals that do not matter to the rules are left out, so that there
/// is an end to them.
fn whole(rules: &Rules, table: &Table) -> String {
    let text = dump(rules, table);
    let changes = matches!(&rules.spec().stock.draw, Draw::ByPass(sizes) if table.pass() < sizes.len() as u32);
    if rules.spec().stock.redeals.is_some() || changes {
        return text;
    }
    text.lines().filter(|l| !l.starts_with("redeals") && !l.starts_with("pass:")).collect::<Vec<_>>().join("\n")
}

/// The most cards up in any position that can be reached, if there are not too many.
fn plain_most(rules: &Rules, table: &Table) -> Option<usize> {
    let mut seen = HashSet::from([whole(rules, table)]);
    let mut open = vec![*table];
    let mut legal = MoveList::new();
    let mut most = 0;
    while let Some(position) = open.pop() {
        most = most.max(position.cards());
        position.legal_moves(rules, &mut legal);
        for &m in legal.iter() {
            let mut next = position;
            next.apply(rules, m, &mut NoChance);
            if seen.insert(whole(rules, &next)) {
                open.push(next);
            }
        }
        if seen.len() > MOST {
            return None;
        }
    }
    Some(most)
}

/// What was compared.
#[derive(Default, Debug)]
struct Compared {
    positions: usize,
    won: usize,
    lost: usize,
    gains: usize,
    forgetful: usize,
}

/// Compares the solver, pruned and not, with the plain search on the last positions of a random game.
fn compare(name: &str, rules: &Rules, seed: u64, compared: &mut Compared) {
    let mut whim = Whim::new(seed, 6, seed as u32 % 3);
    let mut table = Table::deal(rules, deck(rules, seed).cards(), &mut NoChance);
    let mut legal = MoveList::new();
    let mut played = vec![table];
    for _ in 0..600 {
        table.legal_moves(rules, &mut legal);
        if legal.is_empty() {
            break;
        }
        table.apply(rules, legal[whim.choose(&legal)], &mut NoChance);
        played.push(table);
    }
    let mut solver = Solver::new(rules, 1 << 22).unwrap();
    let mut unpruned = Solver::new(rules, 1 << 22).unwrap().unpruned();
    let mut forgetful = Solver::new(rules, 1 << 14).unwrap();
    // From the end backwards, in steps that grow, as long as the plain search can follow.
    let (mut back, mut step) = (1, 1);
    while back <= played.len() {
        let table = played[played.len() - back];
        let Some(most) = plain_most(rules, &table) else { return };
        let all = 52 * usize::from(rules.spec().deal.packs);
        let at = format!("{name}, game {seed}, {back} from the end\n{}", dump(rules, &table));
        for solver in [&mut solver, &mut unpruned] {
            let win = solver.solve(&table, Goal::Win, &Limits::default());
            let expected = if most == all { Verdict::Won } else { Verdict::Lost };
            assert_eq!(win.verdict, expected, "{at}");
            let cards = solver.solve(&table, Goal::Cards, &Limits::default());
            assert_eq!((cards.cards, cards.cards_at_most), (most, most), "{at}");
            // The moves lead where they are said to.
            let mut end = table;
            for &m in &cards.moves {
                end.legal_moves(rules, &mut legal);
                assert!(legal.contains(&m), "{at}");
                end.apply(rules, m, &mut NoChance);
            }
            assert_eq!(end.cards(), most, "{at}");
        }
        // Where there is no room for a line of play, it says so; where positions are forgotten, they are seen again.
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let cards = forgetful.solve(&table, Goal::Cards, &limits);
        assert!(cards.cards <= most && cards.cards_at_most >= most, "{at}");
        compared.forgetful += usize::from(cards.cards_at_most == most);
        compared.positions += 1;
        compared.won += usize::from(most == all);
        compared.lost += usize::from(most < all);
        compared.gains += usize::from(most > table.cards());
        back += step;
        step += 1 + step / 4;
    }
}

#[test]
fn the_shelf_agrees_with_a_plain_search() {
    let mut compared = Compared::default();
    for (name, rules) in shelf().iter().filter(|(_, rules)| is_certain(rules)) {
        for seed in 0..6 * scale() {
            compare(name, rules, seed, &mut compared);
        }
    }
    println!("{compared:?}");
    assert!(compared.positions > 1000 && compared.gains > 300 && compared.lost > 300, "{compared:?}");
}

#[test]
fn random_rulesets_agree_with_a_plain_search() {
    let mut compared = Compared::default();
    for number in 0..500 * scale() {
        let rules = Rules::new(specs::numbered(number)).unwrap();
        if is_certain(&rules) {
            compare(&format!("random ruleset {number}"), &rules, number, &mut compared);
        }
    }
    println!("{compared:?}");
    assert!(compared.positions > 1000 && compared.gains > 300 && compared.lost > 300, "{compared:?}");
}
