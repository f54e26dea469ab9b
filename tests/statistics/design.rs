//! Designs of variants: what was planted is found, and what misses a wish is not named.

use std::slice::from_ref;

use saratoga::lab::sweep::{Axis, Plan};
use saratoga::lab::{Design, Designed, Fate, MakeStrategy, Pace, Verdict, Wish, Workers, design};
use saratoga::{players, rules};

use crate::common::scale;

/// Designs with greedy: the keys that vary, the wishes, and the step of prices.
fn designed(vary: &[&str], want: &[&str], price_step: Option<i64>, seed: u64) -> Designed {
    let base = rules::load("canfield").unwrap();
    let axes = vary.iter().map(|text| Axis::vary(text).unwrap()).collect();
    let plan = Plan::grid(axes, from_ref(&base)).unwrap();
    let greedy = players::load("greedy").unwrap();
    let make = || greedy.instantiate();
    let asked = Design {
        base: &base,
        plan: &plan,
        wishes: want.iter().map(|text| Wish::parse(text, "greedy").unwrap()).collect(),
        players: vec![&make as MakeStrategy<'_>],
        price_step,
        pace: Pace::load(None).unwrap(),
        seed,
        games: 16_000,
        search_games: 1_000,
        most: 3,
        workers: Workers::new(2),
    };
    design(&asked, &mut |_| ()).unwrap()
}

/// With a reserve of 11, 12 and 13 cards the mean is 13.35, 12.23 and 11.13 cards (200,000 games each): all but 12 miss the
/// wish by more than an interval. 100 runs with `SARATOGA_SCALE=12`.
#[test]
fn the_planted_variant_is_found_and_no_false_one_is_named() {
    let runs = 100 * scale() / 12;
    let (mut found, mut wrong) = (0, 0);
    for seed in 1..=runs {
        let designed = designed(&["reserve.size=9..15"], &["cards=11.65..12.75"], None, seed);
        let named = designed.variants.iter().filter(|it| it.verdict == Verdict::Meets);
        let sizes: Vec<String> = named.map(|it| it.changes[0].to_string()).collect();
        found += u64::from(sizes.iter().any(|it| it == "reserve.size=12"));
        wrong += u64::from(sizes.iter().any(|it| it != "reserve.size=12"));
    }
    println!("found {found}, wrong {wrong} of {runs}");
    assert!(found * 100 >= 95 * runs && wrong * 100 <= 5 * runs, "found {found}, wrong {wrong} of {runs}");
}

#[test]
fn without_a_variant_the_wish_in_the_way_is_told() {
    let designed = designed(&["stock.redeals=0..5"], &["cards=5..40", "wins=90%.."], None, 1);
    assert!(designed.fresh && designed.count(Fate::Refused, Some(1)) == 6);
    let nearest = &designed.variants[0];
    let verdicts: Vec<Verdict> = nearest.figures.iter().map(|it| it.unwrap().verdict).collect();
    assert_eq!(verdicts, [Verdict::Meets, Verdict::Misses]);
}

/// The chosen price has the edge, of which the fresh deals know nothing.
#[test]
fn prices_are_chosen_without_games() {
    let designed = designed(&[], &["edge=10%..20%"], Some(100), 1);
    let [variant] = &designed.variants[..] else { panic!("{:?}", designed.variants) };
    // A fair price is about $55.80.
    assert!((62_00..=69_00).contains(&variant.price) && variant.price % 100 == 0, "{}", variant.price);
    assert_eq!(variant.verdict, Verdict::Meets);
    assert!(variant.ruleset.contains("stake = 6"), "{}", variant.ruleset);
}

#[test]
fn the_front_is_what_nothing_surely_surpasses() {
    let designed = designed(&["stock.redeals=1..5"], &["cards=max"], None, 1);
    let best = &designed.variants[0];
    assert_eq!(best.changes[0].to_string(), "stock.redeals=5");
    assert!(best.on_front && designed.variants.iter().any(|it| !it.on_front));
}
