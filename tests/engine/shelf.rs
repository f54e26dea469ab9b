//! The rulesets and contests of the shelf say what their sources and published programs say.

use saratoga::contest::{self, DealEnd, Foundations, Goal};
use saratoga::rules::{self, *};

use crate::engine::support::spec;

/// What the sources say of each game, one a line; the head of the file explains the columns.
const FACTS: &str = include_str!("../data/family.tsv");

/// Returns what a ruleset says, in the columns of the facts.
fn told(name: &str, spec: &Spec) -> String {
    let Spec { deal, reserve, tableau, spaces, foundation, stock, .. } = spec;
    let list = |fillers: &[Filler]| match fillers {
        [] => "-".to_string(),
        some => some.iter().map(|&filler| filler.into()).collect::<Vec<&str>>().join(" "),
    };
    let yes = |holds: bool| if holds { "yes" } else { "no" }.to_string();
    let reserve_size = if reserve.piles == 0 { 0 } else { reserve.size };
    let (first, last) = (tableau.deal[0], tableau.deal[tableau.deal.len() - 1]);
    let sizes = match first == last {
        true => format!("{}x{first}", tableau.deal.len()),
        false => format!("{first}..{last}"),
    };
    let step = u8::from(first != last);
    assert!(tableau.deal.windows(2).all(|pair| pair[1] == pair[0] + step), "{name}");
    let start: &str = foundation.start.into();
    let base = match foundation.base {
        Base::Dealt => format!("dealt {start}"),
        Base::Rank(rank) => format!("{rank} {start}"),
        Base::Choice(ChoiceFrom::Reserve) => "choice reserve".to_string(),
        Base::Choice(ChoiceFrom::Dealt(cards)) => format!("choice {cards}"),
    };
    let build: [&str; 3] = [tableau.direction.into(), tableau.build.into(), tableau.wrap.into()];
    let [reserve_face, face, unit, returns]: [&str; 4] =
        [reserve.face.into(), tableau.face.into(), tableau.unit.into(), foundation.returns.into()];
    let rank = match spaces.rank {
        SpaceRank::Any => "any".to_string(),
        SpaceRank::Rank(rank) => rank.to_string(),
        other => format!("{other:?}"),
    };
    let draw = match &stock.draw {
        Draw::ByPass(sizes) => sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(","),
        Draw::Die { faces, roll } => format!("d{faces} {}", <&str>::from(*roll)),
    };
    [
        name.to_string(),
        deal.packs.to_string(),
        format!("{}x{reserve_size} {reserve_face}", reserve.piles),
        format!("{sizes} {face}"),
        base,
        build.join(" "),
        unit.to_string(),
        list(&spaces.auto),
        list(&spaces.while_reserve),
        list(&spaces.after_reserve),
        rank,
        draw,
        stock.redeals.map_or("inf".to_string(), |redeals| redeals.to_string()),
        returns.to_string(),
        yes(foundation.base_play == BasePlay::Forced),
        yes(stock.opening_draw),
        spec.stock_cards().to_string(),
    ]
    .join("\t")
}

/// Layouts, stocks and moves. What the engine makes of them is compared with the plain implementation.
#[test]
fn rulesets_say_what_their_sources_say() {
    let mut lines = FACTS.lines().filter(|line| !line.starts_with('#')).skip(1);
    for (name, _) in rules::shelf() {
        assert_eq!(lines.next(), Some(&*told(name, &spec(name))));
    }
    assert_eq!(lines.next(), None);
}

/// The order of the deal, heights, ends, money and points.
#[test]
fn rulesets_deal_end_and_pay_as_their_sources_say() {
    let (r, f, t) = (Part::Reserve, Part::Foundation, Part::Tableau);
    for (name, order) in [("canfield", [r, f, t]), ("demon-casino", [r, t, f]), ("demon-1900", [t, r, f])] {
        assert_eq!(spec(name).deal.order, order);
    }
    for (name, _) in rules::shelf() {
        let spec = spec(name);
        assert_eq!(spec.tableau.max_height, if *name == "eagle-wing" { 3 } else { 0 }, "{name}");
        // A cap on barren passes is not a default if each draw has a die.
        assert_eq!(spec.barren_passes, (*name == "demon-casino").then_some(2), "{name}");
        assert_eq!(spec.idle_redeals, name.starts_with("bsd").then_some(4), "{name}");
        // A pack costs a dollar per card unless a source says otherwise, and none does.
        let steps = spec.casino.stages.iter().filter(|stage| stage.at.of_the_hand());
        let paid = spec.casino.stake + steps.map(|stage| stage.cost).sum::<i64>();
        assert_eq!((paid, spec.casino.pays_per_card), (5200 * i64::from(spec.deal.packs), 500), "{name}");
        let points = Score { name: "points".into(), foundation_card: 1, ..Score::default() };
        let scores = match *name {
            "racing-demon" => vec![Score { out_first: 10, ..points }],
            "nerts" => vec![Score { reserve_left: -2, ..points }],
            name if name.starts_with("exorcism") => {
                vec![Score { complete_suit: 50, won: 100, reserve_left: -1, ..points }]
            }
            _ => vec![],
        };
        assert_eq!(spec.scores, scores, "{name}");
    }
}

/// Rules, foundations, the end of a deal and of the match, and the teams. Nobody is favoured by speed.
#[test]
fn contests_say_what_their_sources_say() {
    let target = |points| Goal::Target { points, max_rounds: 1000 };
    let (own, shared) = (Foundations::Own, Foundations::Shared);
    let facts = [
        ("racing-demon", "racing-demon", shared, DealEnd::AllUp, Goal::Deals(4), [0, 0, 0, 0]),
        ("nerts", "nerts", shared, DealEnd::Reserve, target(100), [0, 0, 0, 0]),
        ("exorcism-competition", "exorcism", own, DealEnd::AllUp, target(200), [0, 0, 0, 0]),
        ("exorcism-teams", "exorcism", own, DealEnd::AllUp, target(400), [1, 1, 2, 2]),
    ];
    assert_eq!(facts.len(), contest::shelf().len());
    for (name, rules, foundations, ends, goal, teams) in facts {
        let spec = contest::load(name).unwrap_or_else(|e| panic!("{e}")).spec;
        assert_eq!((&*spec.rules, spec.foundations, &*spec.score), (rules, foundations, "points"), "{name}");
        assert_eq!((spec.deal_ends, spec.goal), (ends, goal), "{name}");
        assert!(spec.players.iter().all(|player| (player.speed, player.jitter) == (1000, 200)), "{name}");
        let mut seen: Vec<Option<String>> = vec![None];
        let mut number = |team: &Option<String>| {
            if !seen.contains(team) {
                seen.push(team.clone());
            }
            seen.iter().position(|known| known == team)
        };
        let numbers: Vec<_> = spec.players.iter().filter_map(|player| number(&player.team)).collect();
        assert_eq!(numbers, teams, "{name}");
    }
}

/// `canfield` is the default of every key, and a template for designers: it omits no key.
#[test]
fn canfield_writes_out_every_key() {
    let canfield = rules::load("canfield").unwrap_or_else(|e| panic!("{e}"));
    let mut spec = canfield.rules.spec().clone();
    let plain = Spec::default();
    (spec.name, spec.also, spec.about, spec.source) = Default::default();
    assert_eq!(spec, plain);
    let text = &canfield.sources[0].text;
    for line in plain.to_toml().lines().filter(|line| line.contains(" = ") || line.starts_with('[')) {
        let key = line.split_once(" = ").map_or(line.to_string(), |(key, _)| format!("{key} = "));
        assert!(text.lines().any(|l| l.starts_with(&key) || l.starts_with(&format!("# {key}"))), "{key}");
    }
    assert!(text.contains("# barren_passes = "));
}
