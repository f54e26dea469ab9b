//! The games of the shelf compared with their sources and published programs: each is dealt and counted, its stock
//! turned pass by pass, and its special rules are tested in games.

mod facts;
pub mod walks;

use std::collections::BTreeSet;

use facts::{Facts, facts};
use saratoga::game::{Place, PlayerState, SeededChance, Table, View};
use saratoga::rules::{self, Rules};
use walks::{after, dealt, legal, pile, rules, walks};

/// Deals counted per game.
const DEALS: u64 = 10;
/// Passes played if there is no limit.
const PASSES: usize = 6;

fn reserve_sizes(rules: &Rules, table: &Table) -> Vec<usize> {
    (0..rules.spec().reserve.piles.into()).map(|r| table.reserve(r).count()).collect()
}

#[test]
fn every_game_of_the_shelf_is_in_the_table() {
    let table: Vec<&str> = facts().iter().map(Facts::game).collect();
    let shelf: Vec<&str> = rules::shelf().iter().map(|(name, _)| *name).collect();
    assert_eq!(table, shelf);
}

#[test]
fn rulesets_say_what_the_table_says() {
    for game in facts() {
        let rules = rules(game.game());
        let spec = rules.spec();
        game.agree(spec);
        assert_eq!(spec.stock_cards(), game.number("stock"), "{}", game.game());
        // A pack costs a dollar per card unless a source says otherwise, and none does.
        let price = 5200 * i64::from(spec.deal.packs);
        let steps = spec.casino.stages.iter().filter(|stage| stage.at.of_the_hand());
        let paid = spec.casino.stake + steps.map(|stage| stage.cost).sum::<i64>();
        assert_eq!((paid, spec.casino.pays_per_card), (price, 500), "{}", game.game());
    }
}

#[test]
fn deals_have_the_cards_of_the_table() {
    for game in facts() {
        let rules = rules(game.game());
        for seed in 0..DEALS {
            count_deal(&game, &rules, &dealt(&rules, seed));
        }
    }
}

fn count_deal(game: &Facts, rules: &Rules, table: &Table) {
    let name = game.game();
    let packs = game.number("packs");
    let rng = PlayerState::new(1, 0);
    let view = View::new(table, rules, &rng);
    let all = crate::engine::support::cards(rules, table).len();
    assert_eq!(all, 52 * packs, "{name}: packs");
    let reserves = game.reserves();
    assert_eq!(reserve_sizes(rules, table), reserves, "{name}: reserves");
    assert_eq!(view.reserves(), reserves.len(), "{name}");
    for (r, &size) in reserves.iter().enumerate() {
        let seen = (0..size).filter(|&i| view.reserve(r, i).is_some()).count();
        let face_up = match game.reserve_face() {
            "t" => 1.min(size),
            "a" => size,
            "L" => usize::from(size == 1),
            other => panic!("{name}: {other}"),
        };
        assert_eq!(seen, face_up, "{name}: face-up cards of a reserve");
    }
    let base = game.get("base");
    if let Some(offered) = base.strip_prefix("choice ").and_then(|number| number.parse().ok()) {
        // The cards to choose from become the piles once one of them is up.
        assert_eq!((table.offered().len(), view.spaces()), (offered, view.piles()), "{name}");
        let chosen = after(rules, table, legal(rules, table)[0]);
        assert_eq!((chosen.cards(), chosen.offered().len()), (1, 0), "{name}");
        count_piles(game, rules, &chosen);
    } else {
        count_piles(game, rules, table);
    }
    assert_eq!(table.cards(), game.put_up(), "{name}: cards on the foundations");
    match base.split('/').next().unwrap() {
        "dealt" => {
            let first = (0..16).flat_map(|f| table.foundation(f)).next().unwrap();
            assert_eq!(table.base(), Some(first.rank()), "{name}");
        }
        rank if rank.starts_with("choice") => assert_eq!(table.base(), None, "{name}"),
        rank => {
            assert_eq!(table.base().unwrap().to_string(), rank, "{name}");
            assert!((0..16).flat_map(|f| table.foundation(f)).all(|c| c.rank().to_string() == rank));
        }
    }
    let opening = if game.yes("opening") { game.draw().unwrap()[0] } else { 0 };
    assert_eq!(table.waste().len(), opening, "{name}: an opening draw");
    assert_eq!(table.stock().len() + opening, game.number("stock"), "{name}: stock");
}

fn count_piles(game: &Facts, rules: &Rules, table: &Table) {
    let faces = |p| {
        let cards: Vec<_> = table.pile(p).collect();
        cards.iter().rev().map(|&(_, up)| if up { 'U' } else { 'D' }).collect::<String>()
    };
    let piles: Vec<String> = (0..rules.spec().piles()).map(faces).collect();
    assert_eq!(piles, game.piles(), "{}: piles", game.game());
}

#[test]
fn stocks_are_drawn_and_redealt_as_the_table_says() {
    for game in facts() {
        let rules = rules(game.game());
        for seed in 0..DEALS {
            go_through(&game, &rules, dealt(&rules, seed));
        }
    }
}

/// Goes through the stock without plays, except for forced ones, until no redeal is legal.
fn go_through(game: &Facts, rules: &Rules, mut table: Table) {
    let name = game.game();
    let mut chance = SeededChance::new(7, 0);
    let mut passes = 1;
    while passes <= PASSES {
        let moves = legal(rules, &table);
        // A base card that must go up comes first, and so does the choice of one.
        let forced = table.base().is_none() || game.yes("forced");
        let turn = moves.iter().find(|m| !m.is_play());
        let Some(&m) = turn.or(moves.first().filter(|m| forced && m.to_foundation())) else { break };
        let left = table.stock().len();
        let waste = table.waste().to_vec();
        table.apply(rules, m, &mut chance);
        if m.is_draw() {
            let drawn = left - table.stock().len();
            match game.draw() {
                Some(sizes) => {
                    let size = sizes[(passes - 1).min(sizes.len() - 1)];
                    assert_eq!(drawn, size.min(left), "{name}: a packet of pass {passes}");
                }
                None => assert!((1..=6).contains(&drawn), "{name}: {drawn}"),
            }
        } else if m.is_redeal() {
            // The card drawn first is the first again.
            assert_eq!(table.stock(), waste, "{name}");
            passes += 1;
        }
    }
    assert!(table.stock().is_empty() || passes > PASSES, "{name}");
    let limit = game.redeals().unwrap_or(PASSES);
    assert_eq!(passes - 1, limit, "{name}: redeals");
}

/// For every top of the waste and every pile: the move is legal if and only if the table of facts says that it fits.
#[test]
fn piles_are_built_as_the_table_says() {
    for game in facts() {
        let rules = rules(game.game());
        let (name, spec) = (game.game(), rules.spec());
        let (mut fitting, mut units) = (0, BTreeSet::new());
        walks(&rules, 12, |table, m, _| {
            let legal = legal(&rules, table);
            let forced = game.yes("forced") && legal.iter().all(|m| m.to_foundation());
            if let (Some(&card), Some(base), false) = (table.waste().last(), table.base(), forced) {
                for p in 0..spec.piles() {
                    let cards = pile(table, p);
                    let Some(&top) = cards.first() else { continue };
                    let full = spec.tableau.max_height > 0 && cards.len() >= spec.tableau.max_height.into();
                    let fits = game.fits(card, top, base.index() as u32) && !full;
                    let said =
                        legal.iter().any(|m| (m.source(), m.target()) == (Place::Waste, Place::Pile(p)));
                    assert_eq!(said, fits, "{name}: {card} on {top}, base {base}");
                    fitting += usize::from(fits);
                }
            }
            if let (Place::Pile(p), Place::Pile(q)) = (m.source(), m.target()) {
                let up = table.pile(p).take_while(|(_, up)| *up).count();
                let whole = m.count() == up;
                units.insert(if whole { "whole" } else { ["single", "part"][usize::from(m.count() > 1)] });
                assert!(!(whole && up == pile(table, p).len() && pile(table, q).is_empty()), "{name}");
            }
        });
        assert!(fitting > 0, "{name}: nothing was ever built");
        let allowed: &[&str] = match game.get("unit") {
            "1" | "1|W" => &["single", "whole"],
            "W" => &["whole"],
            _ => &["part", "single", "whole"],
        };
        assert!(units.iter().all(|unit| allowed.contains(unit)), "{name}: {units:?}");
    }
}
