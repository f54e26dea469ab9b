//! Random rulesets and contests: no text makes the loaders panic, and what is valid survives being written and read.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::engine::support::specs::{FILLERS, numbered, specs};
use saratoga::contest::{self, ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use saratoga::diagnostic::{self, Severity};
use saratoga::rules::{self, *};

/// Asserts that the faults of a text can be displayed.
fn is_displayed<T>(read: Result<T, LoadError>, warnings: impl Fn(T) -> Vec<diagnostic::Diagnostic>) {
    let faults = match read {
        Ok(loaded) => warnings(loaded),
        Err(LoadError::Faults(faults)) => {
            assert!(faults.iter().any(|fault| fault.severity == Severity::Error));
            faults
        }
        Err(error) => panic!("{error}"),
    };
    for color in [false, true] {
        diagnostic::render(&faults, color);
    }
    assert!(faults.iter().all(|fault| !fault.to_string().is_empty()));
}

/// Loads a text as a ruleset and as a contest.
fn read(text: &str) {
    is_displayed(rules::parse_text("random.toml", text), |loaded| loaded.warnings);
    is_displayed(contest::parse_text("random.toml", text), |loaded| {
        assert_eq!(loaded.strategies.len(), loaded.spec.players.len());
        loaded.warnings
    });
}

/// Fragments that mean something in a ruleset, in a contest or in TOML, separated by `~`.
const PIECES: &str = "\"~'~\"\"\"~[~]~[[~]]~{~}~=~,~.~ ~\n~\r\n~\r~\t~#~\\~\\u0000~\u{feff}~é~\u{200b}~日本~\u{0}~-~+~_~\
    0x~-1~0.25~1e400~1e999~nan~inf~99999999999999999999999~1979-05-27~true~[1, 2~a.b.c.d.e~\
    [reserve]~[heel]~[stock]~[[score]]~[casino.stage]~[casino.jackpot]~[[casino.step]]~stock.draw = { die = 6 }~\
    extends = ~\"canfield\"~\"./\"~\"random.toml\"~\"choice\"~packs~draw~deal = ~\
    [[player]]\n~[player]\n~[match]\n~[clock]\n~player = [{ }, { name = 1 }]\n~players = 3\n~count = 8\n~\
    team = \"a\"\n~name = \"Player 2\"\n~strategy = \"patient\"\n~strategy = \"./none.rhai\"\n~speed = \"0.5\"\n~\
    jitter = 0.99\n~deals = 2\n~target = 5\n~max_rounds = 2\n~rules = \"racing-demon\"\n~rules = \"canfield\"\n~\
    foundations = \"shared\"\n~deal_ends = \"reserve\"\n~score = \"points\"\n~extends = \"nerts\"\n~match = 1\n";

fn piece() -> impl Strategy<Value = &'static str> {
    select(PIECES.split('~').collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), pieces in prop::collection::vec(piece(), 0..40)) {
        read(&text);
        read(&pieces.concat());
    }

    #[test]
    fn any_edit_of_a_file_is_read_without_panic(
        which in any::<Index>(),
        edits in prop::collection::vec((any::<Index>(), 0usize..30, piece()), 1..6),
    ) {
        let shelves = [rules::shelf(), contest::shelf()].concat();
        let mut text = shelves[which.index(shelves.len())].1.to_string();
        for (at, cut, piece) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary(start + cut);
            text.replace_range(start..end.max(start), piece);
        }
        read(&text);
    }

    /// Valid or not, program and file get the same faults; a valid ruleset reads back unchanged.
    #[test]
    fn a_ruleset_reads_back_as_it_was_written(spec in rulesets()) {
        let errors = spec.faults().into_iter().filter(|fault| fault.severity == Severity::Error).count();
        let text = spec.to_toml();
        let read = rules::parse_text("random.toml", &text);
        prop_assert_eq!(Rules::new(spec.clone()).is_ok(), errors == 0);
        prop_assert_eq!(read.is_ok(), errors == 0, "{:?}\n{}", spec.faults(), text);
        if let Ok(read) = read {
            prop_assert_eq!(read.rules.spec(), &spec);
            prop_assert_eq!(read.warnings.len(), spec.faults().len());
        }
    }

    /// The same for contests.
    #[test]
    fn a_contest_reads_back_as_it_was_written(spec in contests()) {
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

/// The valid rulesets used to compare engines are also those of their files.
#[test]
fn a_sound_ruleset_reads_back_as_it_was_written() {
    for number in 0..500 {
        let spec = numbered(number);
        let text = spec.to_toml();
        let read = rules::parse_text("random.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.rules.spec(), &spec, "{text}");
    }
}

#[test]
fn deep_and_long_texts_are_read_without_panic() {
    for open in ["[", "{ a = ", "[[", "a.", "\"", "(", "\n[[score]]", "\nx = 1", "\n= ", "[\n", "= "] {
        for start in ["", "a = ", "["] {
            read(&format!("{start}{}", open.repeat(20_000)));
        }
    }
}

/// Sets a key to any value, sound or not.
fn change(spec: &mut Spec, key: u8, n: u16) {
    let small = n as u8;
    match key {
        0 => spec.deal.packs = small % 6,
        1 => spec.deal.order.truncate(n as usize % 4),
        2 => spec.reserve.piles = small % 6,
        3 => spec.reserve.size = small % 43,
        4 => spec.reserve.face = ReserveFace::Last,
        5 => spec.tableau.deal = vec![small % 5; n as usize % 18],
        6 => spec.tableau.max_height = small % 20,
        7 => spec.spaces.auto = FILLERS[n as usize % 5..].to_vec(),
        8 => spec.spaces.while_reserve = FILLERS.repeat(n as usize % 3),
        9 => spec.foundation.start = [Start::None, Start::One, Start::All][n as usize % 3],
        10 => spec.foundation.base = Base::Choice(ChoiceFrom::Dealt(small % 19)),
        11 => spec.foundation.base = [Base::Dealt, Base::Choice(ChoiceFrom::Reserve)][n as usize % 2],
        12 => spec.stock.redeals = Some(u32::from(n % 5)),
        13 => spec.stock.draw = Draw::ByPass(vec![small % 6; n as usize % 5]),
        14 => spec.stock.draw = Draw::Die { faces: small % 60, roll: Roll::Pass },
        15 => (spec.barren_passes, spec.idle_redeals) = (Some(n.into()), Some(u32::from(n % 9))),
        16 => spec.casino.stake = i64::from(n) - 1,
        _ => spec.casino.pays_per_card = i64::from(n % 100) - 1,
    }
}

/// Rulesets with words, money and scores, in which up to three keys have any value.
fn rulesets() -> impl Strategy<Value = Spec> {
    let words = ("[a-zA-Z\"\\\\~é]{1,12}", any::<Vec<String>>(), any::<String>());
    let scores = prop::collection::vec(score(), 0..3);
    let changes = prop::collection::vec((0u8..18, any::<u16>()), 0..4);
    (specs(), words, scores, (0i64..=1_000_000_000_000, stages(), payments()), changes).prop_map(
        |(mut spec, (name, also, about), scores, (stake, stages, payments), changes)| {
            (spec.name, spec.also, spec.scores) = (name, also, scores);
            spec.source = about.chars().rev().collect();
            spec.about = about;
            let casino = &mut spec.casino;
            casino.stake = if stages.is_empty() || stake % 8 == 0 { stake } else { 0 };
            casino.stages = stages;
            (casino.steps, casino.redeal_fees, casino.jackpot) = payments;
            changes.into_iter().for_each(|(key, n)| change(&mut spec, key, n));
            spec
        },
    )
}

fn score() -> impl Strategy<Value = Score> {
    ("[a-z \"\\\\é]{1,8}", -1_000_000i64..=1_000_000, any::<i8>(), any::<i8>()).prop_map(
        |(name, won, one, other)| Score {
            name,
            won,
            foundation_card: one.into(),
            out_first: other.into(),
            ..Score::default()
        },
    )
}

/// Stages of a stake, sometimes none, and sometimes faulty.
fn stages() -> impl Strategy<Value = Vec<Stage>> {
    let stage = (select(StageAt::ALL.to_vec()), 0i64..3000, 0u32..4).prop_map(|(at, cost, limit)| Stage {
        at,
        cost,
        limit: if at == StageAt::UnknownCard || limit == 3 { limit } else { 0 },
    });
    prop_oneof![3 => Just(Vec::new()), 1 => prop::collection::vec(stage, 1..4)]
}

/// Steps, fees and a jackpot, sometimes faulty.
fn payments() -> impl Strategy<Value = (Vec<PayStep>, Vec<i64>, Option<Jackpot>)> {
    let step = (1u16..60, prop::option::of(-500i64..1000), -3i64..1000);
    let step = step.prop_map(|(from, pays_per_card, bonus)| PayStep { from, pays_per_card, bonus });
    let steps = prop::collection::vec(step, 0..4).prop_map(|mut steps| {
        steps.sort_by_key(|step| step.from);
        steps
    });
    let won_by = prop_oneof![Just(WonBy::Win), (1u16..60).prop_map(WonBy::Cards)];
    let jackpot = (0i64..100_000, 0u16..=999, won_by);
    let jackpot = jackpot.prop_map(|(start, share, won_by)| Jackpot { start, share, won_by });
    let some = (steps, prop::collection::vec(0i64..300, 0..4), prop::option::of(jackpot));
    prop_oneof![2 => Just((Vec::new(), Vec::new(), None)), 1 => some]
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

fn contests() -> impl Strategy<Value = ContestSpec> {
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
