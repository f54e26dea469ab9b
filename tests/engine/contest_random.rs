//! Random contests: no input causes a panic, and what is written reads back.

use proptest::prelude::*;
use proptest::sample::{Index, select};
use saratoga::contest::{self, ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use saratoga::diagnostic::{Severity, render};
use saratoga::rules::{self, LoadError};

/// Loads a text; faults can be displayed.
fn read(text: &str) {
    match contest::parse_text("random.toml", text) {
        Ok(loaded) => assert_eq!(loaded.strategies.len(), loaded.spec.players.len()),
        Err(LoadError::Faults(faults)) => {
            assert!(faults.iter().any(|fault| fault.severity == Severity::Error));
            assert!(!render(&faults, true).is_empty());
        }
        Err(error) => panic!("{error}"),
    }
}

const PIECES: &[&str] = &[
    "\n",
    " ",
    "=",
    "[",
    "]",
    "\"",
    "#",
    "é\u{200b}",
    "-1",
    "0.25",
    "1e400",
    "inf",
    "99999999999999999999",
    "[[player]]\n",
    "[player]\n",
    "[match]\n",
    "[clock]\n",
    "player = [{ }, { name = 1 }]\n",
    "players = 3\n",
    "count = 8\n",
    "team = \"a\"\n",
    "name = \"Player 2\"\n",
    "strategy = \"patient\"\n",
    "strategy = \"./none.rhai\"\n",
    "speed = \"0.5\"\n",
    "jitter = 0.99\n",
    "deals = 2\n",
    "target = 5\n",
    "max_rounds = 2\n",
    "rules = \"racing-demon\"\n",
    "rules = \"canfield\"\n",
    "foundations = \"shared\"\n",
    "deal_ends = \"reserve\"\n",
    "score = \"points\"\n",
    "extends = \"nerts\"\n",
    "extends = \"random.toml\"\n",
    "match = 1\n",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), pieces in prop::collection::vec(select(PIECES), 0..30)) {
        read(&text);
        read(&pieces.concat());
    }

    #[test]
    fn any_edit_of_a_contest_is_read_without_panic(
        which in 0..contest::shelf().len(),
        edits in prop::collection::vec((any::<Index>(), 0usize..30, select(PIECES)), 1..6),
    ) {
        let mut text = contest::shelf()[which].1.to_string();
        for (at, cut, piece) in edits {
            let boundary = |i: usize| (0..=i).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            let start = boundary(at.index(text.len() + 1));
            let end = boundary((start + cut).min(text.len()));
            text.replace_range(start..end.max(start), piece);
        }
        read(&text);
    }

    /// Valid or not, program and file get the same faults; a valid contest reads back unchanged.
    #[test]
    fn a_contest_reads_back_as_it_was_written(spec in specs()) {
        let rules = rules::load(&spec.rules).unwrap();
        let faults = spec.faults(rules.rules.spec());
        let errors = faults.iter().filter(|fault| fault.severity == Severity::Error).count();
        let text = spec.to_toml();
        let read = contest::parse_text("random.toml", &text);
        prop_assert_eq!(read.is_ok(), errors == 0, "{:?}\n{}", faults, text);
        if let Ok(read) = read {
            prop_assert_eq!(&read.spec, &spec);
            prop_assert_eq!(read.warnings.len(), faults.len());
        }
    }
}

fn goal() -> impl Strategy<Value = Goal> {
    prop_oneof![
        (0u32..100_003).prop_map(Goal::Deals),
        (1u32..10).prop_map(Goal::Deals),
        (-1i64..1_000_000_002, 0u32..100_003)
            .prop_map(|(points, max_rounds)| Goal::Target { points, max_rounds }),
        (1i64..500, 1u32..50).prop_map(|(points, max_rounds)| Goal::Target { points, max_rounds }),
    ]
}

fn player() -> impl Strategy<Value = PlayerSpec> {
    let name = prop_oneof![20 => "[A-Za-z \"\\\\é]{0,9}x", 1 => Just("same".to_string()), 1 => "[ \n]{0,2}"];
    let strategy = select(&["greedy", "random", "patient", "scripts/greedy.rhai"][..]).prop_map(String::from);
    let speed = prop_oneof![40 => 10u32..=1_000_000, 1 => 0u32..20];
    let jitter = prop_oneof![40 => 0u32..=990, 1 => 985u32..1000];
    (name, strategy, speed, jitter).prop_map(|(name, strategy, speed, jitter)| PlayerSpec {
        name,
        strategy,
        speed,
        jitter,
        team: None,
    })
}

/// Nobody in teams, everybody, or some.
fn players() -> impl Strategy<Value = Vec<PlayerSpec>> {
    let team = prop_oneof![8 => Just("left"), 8 => Just("right"), 1 => Just("")];
    let teams = prop::collection::vec(prop::option::weighted(0.8, team), 9);
    let players =
        prop_oneof![9 => prop::collection::vec(player(), 2..=8), 1 => prop::collection::vec(player(), 0..10)];
    (players, 0u8..3, teams).prop_map(|(mut players, kind, teams)| {
        for (player, team) in players.iter_mut().zip(teams) {
            player.team = match kind {
                0 => None,
                1 => Some(team.unwrap_or("left").to_string()),
                _ => team.map(str::to_string),
            };
        }
        players
    })
}

fn specs() -> impl Strategy<Value = ContestSpec> {
    let texts =
        ("[A-Za-zé\"]{1,9}", prop::collection::vec("[ -~]{0,9}", 0..3), "[ -~\n]{0,20}", "[ -~]{0,9}");
    let kind = prop_oneof![
        Just(("exorcism", Foundations::Own, DealEnd::AllUp)),
        Just(("racing-demon", Foundations::Own, DealEnd::AllUp)),
        Just(("racing-demon", Foundations::Shared, DealEnd::AllUp)),
        Just(("nerts", Foundations::Shared, DealEnd::AllUp)),
        Just(("nerts", Foundations::Shared, DealEnd::Reserve)),
        (
            select(&["exorcism", "racing-demon", "nerts", "canfield"][..]),
            select(&[Foundations::Own, Foundations::Shared][..]),
            select(&[DealEnd::AllUp, DealEnd::Reserve][..])
        ),
    ];
    let score = prop_oneof![30 => Just("points"), 1 => Just("none"), 1 => Just("")];
    let gather = prop_oneof![20 => 0u32..=3_600_000, 1 => any::<u32>()];
    (texts, kind, score, goal(), gather, players()).prop_map(
        |((name, also, about, source), (rules, foundations, deal_ends), score, goal, gather, players)| {
            let (rules, score) = (rules.to_string(), score.to_string());
            ContestSpec {
                name,
                also,
                about,
                source,
                rules,
                foundations,
                score,
                deal_ends,
                goal,
                gather,
                players,
            }
        },
    )
}
