//! Random rulesets: no text makes the loader panic, and a ruleset survives being written and read.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use saratoga::cards::Rank;
use saratoga::diagnostic::{self, Severity};
use saratoga::rules::{self, *};

/// Loads a text and displays the messages.
fn read(text: &str) {
    let faults = match rules::parse_text("random.toml", text) {
        Ok(loaded) => loaded.warnings,
        Err(LoadError::Faults(faults)) => faults,
        Err(error) => panic!("{error}"),
    };
    for color in [false, true] {
        diagnostic::render(&faults, color);
    }
    for fault in faults {
        assert!(!fault.to_string().is_empty());
    }
}

/// Fragments that mean something in a ruleset or in TOML.
const PIECES: &[&str] = &[
    "\"",
    "'",
    "\"\"\"",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "#",
    "\\",
    "\\u0000",
    "\u{feff}",
    "é",
    "日本",
    "\u{0}",
    "-",
    "+",
    "_",
    "0x",
    "1e999",
    "nan",
    "99999999999999999999999",
    "1979-05-27",
    "true",
    "[reserve]",
    "[heel]",
    "[stock]",
    "[[score]]",
    "[casino.stage]",
    "[casino.jackpot]",
    "[[casino.step]]",
    "stock.draw = { die = 6 }",
    "extends = ",
    "\"canfield\"",
    "\"./\"",
    "\"random.toml\"",
    "\"choice\"",
    "packs",
    "draw",
    "a.b.c.d.e",
    "deal = ",
    "[1, 2",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn any_text_is_read_without_panic(text in any::<String>(), pieces in prop::collection::vec(select(PIECES), 0..40)) {
        read(&text);
        read(&pieces.concat());
    }

    #[test]
    fn any_edit_of_a_ruleset_is_read_without_panic(
        which in 0..rules::shelf().len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..30, select(PIECES)), 1..6),
    ) {
        let mut text = rules::shelf()[which].1.to_string();
        for (at, cut, piece) in edits {
            let boundary = |i: usize| (0..=i).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
            let start = boundary(at.index(text.len() + 1));
            let end = boundary((start + cut).min(text.len()));
            text.replace_range(start..end.max(start), piece);
        }
        read(&text);
    }

    /// Valid or not, program and file get the same faults; a valid ruleset reads back unchanged.
    #[test]
    fn a_ruleset_reads_back_as_it_was_written(spec in specs()) {
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
}

/// The valid rulesets used to compare engines are also those of their files.
#[test]
fn a_sound_ruleset_reads_back_as_it_was_written() {
    let mut chosen = 0;
    for number in 0..500 {
        let spec = crate::support::specs::numbered(number);
        chosen += u32::from(matches!(spec.foundation.base, Base::Choice(_)));
        let text = spec.to_toml();
        let read = rules::parse_text("random.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(read.rules.spec(), &spec, "{text}");
    }
    assert!(chosen > 100);
}

#[test]
fn deep_and_long_texts_are_read_without_panic() {
    for open in ["[", "{ a = ", "[[", "a.", "\"", "(", "\n[[score]]", "\nx = 1", "\n= ", "[\n", "= "] {
        for start in ["", "a = ", "["] {
            read(&format!("{start}{}", open.repeat(20_000)));
        }
    }
}

fn fillers() -> impl Strategy<Value = Vec<Filler>> {
    let all = vec![Filler::Reserve, Filler::Waste, Filler::Stock, Filler::Tableau, Filler::Foundation];
    subsequence(all, 0..=5).prop_shuffle()
}

fn rank() -> impl Strategy<Value = Rank> {
    (0usize..13).prop_map(Rank::from_index)
}

fn spaces() -> impl Strategy<Value = SpacesSpec> {
    let start = prop_oneof![
        Just(SpaceRank::Any),
        rank().prop_map(SpaceRank::Rank),
        Just(SpaceRank::Base),
        Just(SpaceRank::BelowBase)
    ];
    let auto = subsequence(vec![Filler::Stock, Filler::Reserve, Filler::Waste, Filler::Tableau], 0..=3);
    (auto, fillers(), fillers(), start).prop_map(|(auto, while_reserve, after_reserve, rank)| SpacesSpec {
        auto,
        while_reserve,
        after_reserve,
        rank,
    })
}

fn tableau() -> impl Strategy<Value = TableauSpec> {
    (
        prop::collection::vec(0u8..5, 1..10),
        select(vec![TableauFace::All, TableauFace::Top, TableauFace::Alternate]),
        select(vec![Build::AlternateColor, Build::SameColor, Build::SameSuit, Build::Any]),
        select(vec![Direction::Down, Direction::Up, Direction::Same]),
        select(vec![Wrap::Full, Wrap::ToBase, Wrap::None]),
        select(vec![MoveUnit::Single, MoveUnit::Whole, MoveUnit::SingleOrWhole, MoveUnit::Sequence]),
        prop_oneof![Just(0u8), 3u8..20],
    )
        .prop_map(|(deal, face, build, direction, wrap, unit, max_height)| TableauSpec {
            deal,
            face,
            build,
            direction,
            wrap,
            unit,
            max_height,
        })
}

fn choice_from() -> impl Strategy<Value = ChoiceFrom> {
    prop_oneof![Just(ChoiceFrom::Reserve), any::<u8>().prop_map(ChoiceFrom::Dealt)]
}

fn foundation() -> impl Strategy<Value = FoundationSpec> {
    (
        prop_oneof![
            3 => Just((Base::Dealt, Start::One)),
            3 => rank().prop_map(|rank| (Base::Rank(rank), Start::All)),
            3 => rank().prop_map(|rank| (Base::Rank(rank), Start::None)),
            1 => rank().prop_map(|rank| (Base::Rank(rank), Start::One)),
            1 => Just((Base::Dealt, Start::All)),
            2 => Just((Base::Choice(ChoiceFrom::Reserve), Start::None)),
            2 => (0u8..19).prop_map(|n| (Base::Choice(ChoiceFrom::Dealt(n)), Start::None)),
            1 => choice_from().prop_map(|from| (Base::Choice(from), Start::One)),
            1 => choice_from().prop_map(|from| (Base::Choice(from), Start::All)),
        ],
        select(vec![Returns::Never, Returns::Top, Returns::TopExceptBase]),
        select(vec![BasePlay::Optional, BasePlay::Forced]),
    )
        .prop_map(|((base, start), returns, base_play)| FoundationSpec {
            base,
            start,
            returns,
            base_play,
        })
}

fn stock() -> impl Strategy<Value = StockSpec> {
    let roll = select(vec![Roll::Draw, Roll::Pass, Roll::Game]);
    (
        prop_oneof![
            prop::collection::vec(1u8..6, 1..5).prop_map(Draw::ByPass),
            (2u8..21, roll).prop_map(|(faces, roll)| Draw::Die { faces, roll }),
        ],
        prop::option::of(0u32..5),
        select(vec![OnRedeal::Turn, OnRedeal::Shuffle]),
        select(vec![WasteFace::Fanned, WasteFace::Squared]),
        any::<bool>(),
    )
        .prop_map(|(draw, redeals, on_redeal, waste, opening_draw)| StockSpec {
            draw,
            redeals,
            on_redeal,
            waste,
            opening_draw,
        })
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

fn specs() -> impl Strategy<Value = Spec> {
    let all = vec![Part::Reserve, Part::Foundation, Part::Tableau];
    let layout = (
        prop_oneof![9 => Just(all.clone()).prop_shuffle(), 1 => subsequence(all, 0..=3)],
        (
            prop_oneof![8 => 1u8..=4, 1 => Just(0u8), 1 => Just(5u8)],
            prop_oneof![9 => 0u8..=4, 1 => Just(5u8)],
        ),
        prop_oneof![9 => 0u8..20, 1 => Just(40u8), 1 => Just(41u8)],
        select(vec![ReserveFace::Top, ReserveFace::All, ReserveFace::Last]),
        ((prop::option::of(1u32..9), prop::option::weighted(0.1, 1u32..9)), any::<bool>()),
    );
    let words = ("[a-zA-Z\"\\\\\u{7f}é]{1,12}", any::<Vec<String>>(), any::<String>());
    let money = (0i64..=1_000_000_000_000, -1i64..1000, 0i64..1000);
    let words = words.prop_map(|(name, also, about)| (name.replace('\u{7f}', "~"), also, about));
    let scores = prop::collection::vec(score(), 0..3);
    (layout, tableau(), spaces(), foundation(), stock(), scores, words, (money, stages(), payments()))
        .prop_map(|(layout, tableau, spaces, foundation, stock, scores, words, (money, stages, payments))| {
            let (steps, redeal_fees, jackpot) = payments;
            let (order, (packs, piles), size, face, ((barren_passes, idle_redeals), fits)) = layout;
            let (name, also, about) = words;
            let (stake, pays_per_card, pays_for_win) = money;
            let stake = if stages.is_empty() || stake % 8 == 0 { stake } else { 0 };
            let mut tableau = tableau;
            if let (true, Base::Choice(ChoiceFrom::Dealt(n @ 1..))) = (fits, foundation.base) {
                tableau.deal = vec![1; usize::from(n) - 1];
            }
            Spec {
                name,
                also,
                source: about.chars().rev().collect(),
                about,
                deal: DealSpec { packs, order },
                reserve: ReserveSpec { piles, size, face },
                tableau,
                spaces,
                foundation,
                stock,
                barren_passes,
                idle_redeals,
                casino: Casino {
                    stake,
                    stages,
                    pays_per_card,
                    pays_for_win,
                    steps,
                    redeal_fees,
                    jackpot,
                    currency: "$".into(),
                },
                scores,
            }
        })
}
