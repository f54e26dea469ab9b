use super::*;
use crate::lab::GameRunner;
use crate::rules;

fn games(source: &StrategySource, rules: &str, games: u64) -> Vec<String> {
    let loaded = rules::load(rules).unwrap();
    let mut player = GameRunner::new("patrons", &loaded.rules, source.instantiate());
    (0..games).map(|game| format!("{:?}", player.play(11, game).unwrap())).collect()
}

#[test]
fn each_game_of_a_mix_is_one_that_a_patron_plays_alone() {
    for rules in ["canfield", "bsd"] {
        let [a, b] =
            ["patient", "greedy:slip=30"].map(|name| games(&crate::players::load(name).unwrap(), rules, 400));
        let mix = games(&crate::players::load("patient:25%,greedy:slip=30:75%").unwrap(), rules, 400);
        let (mut first, mut apart) = (0, 0);
        for ((game, a), b) in mix.iter().zip(&a).zip(&b) {
            assert!(game == a || game == b);
            first += u64::from(game == a && a != b);
            apart += u64::from(a != b);
        }
        // Within five standard deviations of a quarter.
        let (expected, sd) = (apart as f64 / 4.0, (apart as f64 * 3.0 / 16.0).sqrt());
        assert!(apart > 300 && (first as f64 - expected).abs() < 5.0 * sd, "{first} of {apart}");
    }
}

#[test]
fn a_player_who_searches_is_none_the_worse_for_a_mix() {
    let search = "search:level=1";
    let alone = games(&crate::players::load(search).unwrap(), "canfield", 12);
    let greedy = games(&crate::players::load("greedy").unwrap(), "canfield", 12);
    let mix = crate::players::load(&format!("{search}:50%,greedy:50%")).unwrap();
    assert!(mix.instantiate().is_slow());
    let mixed = games(&mix, "canfield", 12);
    assert!((0..12).all(|i| mixed[i] == alone[i] || mixed[i] == greedy[i]));
    assert!((0..12).any(|i| mixed[i] == alone[i] && alone[i] != greedy[i]));
}

#[test]
fn a_mix_is_named_by_its_patrons_and_set_through_them() {
    let mix = crate::players::load("patient:40%,greedy:60%").unwrap();
    assert_eq!((mix.name(), mix.id()), ("patient:40%,greedy:60%", "patient-40-greedy-60"));
    assert!(mix.text().unwrap().starts_with("// patient\n"));
    let tunable = crate::players::load("tunable:40%,greedy:60%").unwrap();
    let parameter = tunable.members()[0].0.parameters()[0].clone();
    let value = parameter.write(parameter.bounds().0);
    let set = crate::strategy::set_all(vec![tunable], &[(parameter.name.clone(), value.clone())]).unwrap();
    assert_eq!(set[0].name(), format!("tunable:{}={value}:40%,greedy:60%", parameter.name.to_lowercase()));
    assert_eq!(games(&mix.clone().interpreted(), "canfield", 30), games(&mix, "canfield", 30));
    for bad in ["patient:40%,greedy:50%", "patient:40%,nosuch:60%", "greedy:100%,"] {
        assert!(crate::players::load(bad).is_err(), "{bad}");
    }
}

fn house(text: &str) -> Result<House, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("guests.toml");
    std::fs::write(&path, text).unwrap();
    House::load(&Patrons::File(path.to_str().unwrap().into())).map_err(|error| error.to_string())
}

const GUESTS: &str = "about = \"A club\"\n[[patron]]\nname = \"tourist\"\nstrategy = \"greedy\"\nslip = 35\nshare = 60.5\n\
                      [[patron]]\nstrategy = \"patient\"\nshare = \"39.5\"\ndecks_each = 5\n";

#[test]
fn files_tell_of_patrons() {
    let house = house(GUESTS).unwrap();
    let said: Vec<_> = house
        .patrons
        .iter()
        .map(|it| (it.name.as_str(), it.strategy.name(), it.share.percent(), it.decks_each))
        .collect();
    let expected = [("tourist", "greedy:slip=35", "60.5%", 1), ("patient", "patient", "39.5%", 5)];
    assert_eq!(said, expected.map(|(name, strategy, share, each)| (name, strategy, share.into(), each)));
    let mix = house.mix();
    assert!(mix.name().ends_with("guests.toml") && mix.id() == "guests");
    assert!(mix.text().unwrap().starts_with("about = "));
    let inline = crate::players::load("greedy:slip=35:60.5%,patient:39.5%").unwrap();
    assert_eq!(games(&mix, "canfield", 60), games(&inline, "canfield", 60));
}

#[test]
fn every_fault_of_a_file_is_told() {
    for (text, said) in [
        ("", "there is nobody in this file"),
        ("[[patron]]\nstrategy = \"greedy\"\n", "needs its `share`"),
        ("[[patron]]\nshare = 100\n", "needs its `strategy`"),
        ("[[patron]]\nstrategy = \"greedy\"\nshare = 99\n", "make up 99%"),
        ("[[patron]]\nstrategy = \"gredy\"\nshare = 100\n", "no strategy is called \"gredy\""),
        ("[[patron]]\nstrategy = \"beginner\"\nslip = 1\nshare = 100\n", "slips of its own"),
        ("[[patron]]\nstrategy = \"greedy\"\nslip = 1.25\nshare = 100\n", "1.25%"),
        ("[[patron]]\nstrategy = \"greedy:50%,patient:50%\"\nshare = 100\n", "several patrons"),
        ("[[patron]]\nstrategy = \"greedy\"\nshare = 100\ndecks_each = 21\n", "cannot be 21"),
        (
            "[[patron]]\nstrategy = \"greedy\"\nshare = 50\n[[patron]]\nstrategy = \"greedy\"\nshare = 50\n",
            "two patrons",
        ),
        ("players = 3\n", "not a key of a patron file"),
    ] {
        let told = house(text).unwrap_err();
        assert!(told.contains(said), "{text}: {told}");
    }
}
