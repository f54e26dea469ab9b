//! Kinds of patrons play as the strategies that they represent.

use crate::lab::GameRunner;
use crate::rules;
use crate::strategy::StrategySource;
use crate::strategy::profiles::PROFILES;

fn cards(source: &StrategySource, games: u64) -> Vec<(u16, u32)> {
    cards_of("canfield", source, games)
}

fn cards_of(rules: &str, source: &StrategySource, games: u64) -> Vec<(u16, u32)> {
    let rules = rules::load(rules).unwrap().rules;
    let mut player = GameRunner::new("profiles", &rules, source.instantiate());
    let one = |game| player.play(5, game).map(|outcome| (outcome.cards, outcome.moves)).unwrap();
    (0..games).map(one).collect()
}

#[test]
fn kinds_of_patrons_play_as_they_say() {
    for (name, strategy, about) in PROFILES {
        let profile = crate::players::load(name).unwrap();
        assert_eq!((profile.name(), profile.id()), (*name, *name), "{about}");
        let games = if *name == "shark" { 2 } else { 60 };
        assert_eq!(cards(&profile, games), cards(&crate::players::load(strategy).unwrap(), games));
    }
    // No person plays like `greedy`, which moves whole piles, where any part of a run may move.
    for (rules, strategy) in
        [("superior", "greedy:slip=20"), ("klondike", "patient:slip=20"), ("duke", "patient:slip=20")]
    {
        let [profile, meant] = ["ordinary", strategy].map(|name| crate::players::load(name).unwrap());
        assert_eq!(profile.instantiate().name(), "ordinary");
        assert_eq!(cards_of(rules, &profile, 60), cards_of(rules, &meant, 60), "{rules}");
    }
}

/// Better patrons bring up more cards where tableau cards are hidden, too.
#[test]
fn patrons_are_ordered_where_cards_are_hidden() {
    for rules in ["klondike", "klondike-draw-one", "candike", "minerva", "mystique"] {
        let mean = |name: &str| {
            let all = cards_of(rules, &crate::players::load(name).unwrap(), 1_000);
            all.iter().map(|(cards, _)| f64::from(*cards)).sum::<f64>() / all.len() as f64
        };
        let means = ["beginner", "ordinary", "expert"].map(mean);
        assert!(means.is_sorted_by(|a, b| a < b), "{rules}: {means:?}");
    }
    // The baseline strategy, by its design, wins 9.2% of these games.
    let greedy = cards_of("klondike-draw-one", &crate::players::load("greedy").unwrap(), 2_000);
    let won = greedy.iter().filter(|(cards, _)| *cards == 52).count();
    assert!((150..220).contains(&won), "{won}");
}

#[test]
fn kinds_of_patrons_have_no_settings() {
    for (name, meant) in [
        ("shark:slip=5", "write `search:level=2,slip=5`"),
        ("expert:late=2", "write `patient:late=2`"),
        ("beginner:slip=30", "write `greedy:slip=30`"),
    ] {
        let said = crate::players::load(name).err().unwrap().to_string();
        assert!(said.contains("has no settings") && said.ends_with(meant), "{said}");
    }
    assert!(crate::players::load("beginner:50%,expert:50%").is_ok());
}

#[test]
fn policies_that_look_ahead_are_told() {
    let told = |name: &str| crate::players::slow_policy(name);
    assert_eq!(told("search:level=1,policy=sampler").as_deref(), Some("sampler"));
    assert_eq!(told("search:level=1,policy=patient"), None);
    assert_eq!(told("search"), None);
    assert_eq!(told("patient"), None);
}

#[test]
fn slips_are_a_share_of_decisions() {
    let mean = |name: &str| {
        let all = cards(&crate::players::load(name).unwrap(), 3_000);
        all.iter().map(|(cards, _)| f64::from(*cards)).sum::<f64>() / all.len() as f64
    };
    let [none, half, all, random] =
        ["greedy:slip=0", "greedy:slip=50", "greedy:slip=100%", "random"].map(mean);
    assert_eq!(none, mean("greedy"));
    assert!(none > half + 0.5 && half > all + 1.5, "{none} {half} {all}");
    assert!((all - random).abs() < 0.5, "{all} {random}");
    let search = "search:level=1,slip=2.5";
    assert!(crate::players::load(search).unwrap().instantiate().is_slow());
    let tuned = ["search:level=1,slip=50,policy=tunable:late=2", "tunable:late=2,slip=10", search];
    for name in tuned.into_iter().chain(["search:slip=5,policy=patient"]) {
        assert_eq!(crate::players::load(name).unwrap().name(), name);
    }
    for settings in ["slip=101", "slip=1,slip=2", "slip="] {
        assert!(crate::players::load(&format!("greedy:{settings}")).is_err(), "{settings}");
    }
    assert!(crate::players::load("search:slip=x").is_err());
}
