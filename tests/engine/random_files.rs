//! Random rulesets and contests: no text makes the loaders panic, and what is valid survives being written and read.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::engine::support::specs::{FILLERS, specs};
use crate::scripts::property::{contests_never_panic, ruleset};
use saratoga::contest::{self, ContestSpec, DealEnd, Foundations, Goal};
use saratoga::diagnostic::Severity;
use saratoga::rules::{self, *};

/// Loads a text as a ruleset and as a contest.
fn read(text: &str) {
    ruleset(text);
    contests_never_panic(text.as_bytes());
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

/// The files of the shelves, and any text.
fn texts() -> impl Strategy<Value = String> {
    let shelves = [rules::shelf(), contest::shelf()].concat();
    prop_oneof![select(shelves).prop_map(|(_, text)| text.to_string()), any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_is_read_without_panic(
        mut text in texts(),
        edits in prop::collection::vec((any::<Index>(), 0usize..30, piece()), 1..12),
    ) {
        for (at, cut, piece) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary(start + cut);
            text.replace_range(start..end.max(start), piece);
            read(&text);
        }
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
        let faults = spec.faults(Some(rules.rules.spec()));
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

#[test]
fn deep_and_long_texts_are_read_without_panic() {
    for open in ["[", "{ a = ", "[[", "a.", "\"", "(", "\n[[score]]", "\nx = 1", "\n= ", "[\n", "= "] {
        for start in ["", "a = ", "["] {
            read(&format!("{start}{}", open.repeat(20_000)));
        }
    }
}

/// Rulesets in which some keys have any value.
fn rulesets() -> impl Strategy<Value = Spec> {
    let words = ("[a-zA-Z\"\\\\~é]{1,12}", any::<Vec<String>>(), any::<String>());
    let changes = prop::collection::vec((0u8..25, any::<u16>()), 0..6);
    (specs(), words, changes).prop_map(|(mut spec, (name, also, about), changes)| {
        (spec.name, spec.also, spec.source) = (name, also, about.chars().rev().collect());
        spec.about = about;
        changes.into_iter().for_each(|(key, n)| change(&mut spec, key, n));
        spec
    })
}

/// Sets a key to any value, sound or not.
fn change(spec: &mut Spec, key: u8, n: u16) {
    let (small, at, amount) = (n as u8, usize::from(n), i64::from(n));
    let casino = &mut spec.casino;
    match key {
        0 if n.is_multiple_of(2) => spec.deal.packs = small % 6,
        0 => (spec.pack.ranks, spec.pack.suits) = (small % 15, (n / 15 % 6) as u8),
        1 => spec.deal.order.truncate(at % 4),
        2 => spec.reserve.piles = small % 6,
        3 => spec.reserve.size = small % 43,
        4 => spec.reserve.face = ReserveFace::Last,
        5 => spec.tableau.deal = vec![small % 5; at % 18],
        6 => spec.tableau.max_height = small % 20,
        7 => spec.spaces.auto = FILLERS[at % 5..].to_vec(),
        8 => spec.spaces.while_reserve = FILLERS.repeat(at % 3),
        9 => spec.foundation.start = [Start::None, Start::One, Start::All][at % 3],
        10 => spec.foundation.base = Base::Choice(ChoiceFrom::Dealt(small % 19)),
        11 => spec.foundation.base = [Base::Dealt, Base::Choice(ChoiceFrom::Reserve)][at % 2],
        12 => spec.stock.redeals = Some(u32::from(n % 5)),
        13 => spec.stock.draw = Draw::ByPass(vec![small % 6; at % 5]),
        14 => spec.stock.draw = Draw::Die { faces: small % 60, roll: Roll::Pass },
        15 => (spec.barren_passes, spec.idle_redeals) = (Some(n.into()), Some(u32::from(n % 9))),
        16 => casino.stake = amount * amount * 240 - 1,
        17 => casino.pays_per_card = amount % 100 - 1,
        18 | 19 => {
            casino.stake = if at.is_multiple_of(8) { casino.stake } else { 0 };
            let (at, limit) = (StageAt::ALL[at % 5], u32::from(n / 5 % 7 / 5));
            casino.stages.push(Stage { at, cost: amount / 5 - 1, limit });
        }
        20 => {
            let pays_per_card = (at % 3 > 0).then_some(amount / 64 - 500);
            casino.steps.push(PayStep { from: 1 + n % 60, pays_per_card, bonus: amount / 60 - 500 });
        }
        21 => casino.redeal_fees.push(amount % 300 - 1),
        22 => {
            let won_by = if at.is_multiple_of(3) { WonBy::Win } else { WonBy::Cards(n % 60) };
            casino.jackpot = Some(Jackpot { start: amount * 2, share: n % 1001, won_by });
        }
        _ => spec.scores.push(Score {
            name: ["points", "é \"\\", " ", "other"][at % 4].into(),
            won: (amount - 32_000) * 32,
            foundation_card: i64::from(small as i8),
            out_first: i64::from((n >> 8) as i8),
            ..Score::default()
        }),
    }
}

/// Contests of the shelf in which some keys have any value.
fn contests() -> impl Strategy<Value = ContestSpec> {
    let words = ("[A-Za-zé\"]{1,9}", prop::collection::vec("[ -~]{0,9}", 0..3), "[ -~\n]{0,20}");
    let changes = prop::collection::vec((0u8..15, any::<u16>()), 0..6);
    (any::<Index>(), words, changes).prop_map(|(which, (name, also, about), changes)| {
        let shelf = contest::shelf();
        let loaded = contest::load(shelf[which.index(shelf.len())].0);
        let mut spec = loaded.unwrap_or_else(|error| panic!("{error}")).spec;
        (spec.name, spec.also, spec.source) = (name, also, about.replace('\n', " "));
        spec.about = about;
        changes.into_iter().for_each(|(key, n)| change_contest(&mut spec, key, n));
        spec
    })
}

fn change_contest(spec: &mut ContestSpec, key: u8, n: u16) {
    let (at, number) = (usize::from(n), u32::from(n));
    let many = spec.players.len();
    match key {
        0 => spec.rules = ["exorcism", "racing-demon", "nerts", "canfield"][at % 4].into(),
        1 => spec.foundations = [Foundations::Own, Foundations::Shared][at % 2],
        2 => spec.deal_ends = [DealEnd::AllUp, DealEnd::Reserve][at % 2],
        3 => spec.goal = Goal::Deals(number * 2),
        4 => spec.goal = Goal::Target { points: i64::from(n) * 16_000 - 1, max_rounds: number * 2 },
        5 => spec.gather = number * 70,
        6 => spec.score = ["points", "points", "none", ""][at % 4].into(),
        7 => spec.players.truncate(at % 9),
        8 => spec.players.extend_from_within(..at % (many + 1)),
        _ if many == 0 => {}
        9 => spec.players[at % many].speed = number * 16,
        10 => spec.players[at % many].jitter = number % 1_000,
        11 => spec.players[at % many].team = Some(["left", "right", ""][at % 3].into()),
        12 => (0..many).for_each(|i| spec.players[i].team = Some(["left", "right"][i % 2].into())),
        13 => {
            let strategies = ["greedy", "random", "patient", "scripts/greedy.rhai"];
            spec.players[at % many].strategy = strategies[at % 4].into();
        }
        _ => (0..many).for_each(|i| spec.players[i].name = ["x", "é\"\\", " ", "same"][(at + i) % 4].into()),
    }
}
