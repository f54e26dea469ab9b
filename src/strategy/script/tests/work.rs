//! The work of a decision is measured in operations only.

use std::path::Path;
use std::time::Duration;

use super::*;

/// A decision that pauses repeatedly, on a machine that is busy or asleep, stays the same.
#[test]
fn a_pause_is_no_fault() {
    let rules = &rulesets()[0];
    let text = "fn score(view, m) { for i in 0..50 { view.cards; } pause(); m.count }";
    let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
    let paused = std::cell::Cell::new(0);
    let extended = Script::extended("test", &source, |engine, _| {
        engine.register_fn("pause", move || {
            paused.set(paused.get() + 1);
            if paused.get() <= 3 {
                std::thread::sleep(Duration::from_millis(500));
            }
        });
    });
    let mut paused = extended.unwrap();
    let mut other = sound(&text.replace("pause();", ""));
    assert_eq!(play(rules, &mut paused, 3).unwrap(), play(rules, &mut other, 3).unwrap());
}

/// No code that decides reads a clock; code that measures time is not part of a decision.
#[test]
fn no_decision_looks_at_a_clock() {
    fn look(folder: &Path, seen: &mut usize) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                look(&path, seen);
                continue;
            }
            let of_a_profile = path.ends_with("script/profile.rs") || path.ends_with("tests/work.rs");
            let text = std::fs::read_to_string(&path).unwrap();
            *seen += 1;
            let clock = ["std::time", "Instant", "SystemTime"].iter().any(|word| text.contains(word));
            assert!(!clock || of_a_profile, "{}", path.display());
        }
    }
    let mut seen = 0;
    for folder in ["src/strategy", "src/game", "src/cards", "src/rules"] {
        look(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut seen);
    }
    assert!(seen > 100);
}

/// A function plays out sampled deals in the same way, compiled or interpreted, with its memory and its random numbers.
#[test]
fn functions_play_deals_on_alike_compiled_and_interpreted() {
    let text = r#"
        fn score(view, m) {
            let next = if m.rolls { view.after_roll(m, 1) } else { view.after(m) };
            memory[1] = (memory[1] * 5 + next.playout(memory[0] % 7, "lazy") + next.playout(1, "first")) % 1009;
            memory[0] += 1;
            memory[1] % 32
        }
        fn lazy(view, m) {
            memory[2] += 1;
            if m.is_draw { 3 } else if m.to_foundation { 4 } else { view.random(3) + memory[2] % 2 + twice(m.count) }
        }
        fn first(view) { for m in view.moves { if !m.is_draw || memory[0] % 3 == 0 { return m; } } view.moves[0] }
        fn twice(n) { let text = `${n}`; n * 2 }
    "#;
    for rules in rulesets() {
        let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
        // If the engine is extended beyond the script's text, functions are interpreted.
        let interpreted = Script::extended("test", &source, |_, _| ()).unwrap();
        let players: [Box<dyn Strategy>; 2] = [Box::new(sound(text)), Box::new(interpreted)];
        let [fast, slow] = players.map(|player| play(&rules, &mut Short { player, left: 12 }, 1).unwrap());
        assert_eq!(fast, slow);
    }
}

/// A fault within a playout is reported at its own position.
#[test]
fn a_fault_of_a_function_in_a_playout_has_its_place() {
    let rules = &rulesets()[0];
    let text = "fn score(view, m) {\n    view.playout(0, \"mine\")\n}\n\
                fn mine(view, m) {\n    let none = view.cards - view.cards;\n    7 / none\n}";
    let fault = play(rules, &mut sound(text), 0).unwrap_err().to_string();
    assert!(fault.starts_with("test.rhai:6:") && fault.contains("when `mine` was asked"), "{fault}");
}

/// The operations of a decision depend on the position alone, and not on what was played before.
#[test]
fn a_decision_takes_the_same_each_time() {
    let text = "fn score(view, m) { view.after(m).playout(1, \"mine\") + view.playout(2, \"patient\") }
                fn mine(view, m) { let s = 0; if m.is_draw { s = [1, 2] == [1, 2]; s = 1; } m.count + s }";
    let rules = &rulesets()[0];
    struct Counts(Script, Vec<u64>);
    impl Strategy for Counts {
        fn name(&self) -> &str {
            "counts"
        }
        fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
            let chosen = self.0.decide(view, legal)?;
            self.1.push(self.0.operations());
            Ok(if self.1.len().is_multiple_of(12) { None } else { chosen })
        }
    }
    let mut counts = Counts(sound(text), Vec::new());
    for _ in 0..3 {
        play(rules, &mut counts, 0).unwrap();
    }
    assert!(counts.1.len() >= 6, "{:?}", counts.1);
    let each = counts.1.len() / 3;
    assert_eq!(counts.1[..each], counts.1[each..2 * each]);
    assert_eq!(counts.1[..each], counts.1[2 * each..]);
}

/// Operations of a first decision, which is also the last.
fn operations_of(text: &str) -> u64 {
    struct Once(Script);
    impl Strategy for Once {
        fn name(&self) -> &str {
            "once"
        }
        fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
            self.0.decide(view, legal).map(|_| None)
        }
    }
    let mut once = Once(sound(text));
    play(&rulesets()[0], &mut once, 0).unwrap();
    once.0.operations()
}

/// A player that cannot be created is charged each time it is requested.
#[test]
fn asking_in_vain_counts() {
    let text = "fn choose(view) {
        let name = \"tunable:late=\" + 99;
        for i in 0..200 { try { view.choice(name); } catch { } }
        ()
    }";
    let fault = play(&rulesets()[0], &mut sound(text), 0).unwrap_err().to_string();
    assert!(fault.contains("operations"), "{fault}");
}

/// Games of a script that plays out sampled deals, or looks ahead interpreted, are cached and reported one by one.
#[test]
fn scripts_with_playouts_take_their_time() {
    for (name, text) in SHELF {
        assert_eq!(sound(text).is_slow(), ["chooser", "foresight", "sampler"].contains(name), "{name}");
    }
    assert!(!sound("fn score(view, m) { view.after(m).cards }").is_slow(), "it is compiled");
    assert!(sound("fn score(view, m) { view.after(m).moves.len() }").is_slow());
}

/// In playouts compiled code is charged by its time: copies by their length.
#[test]
fn long_lists_count_by_what_is_copied() {
    let [short, long] = [2, 256].map(|length| {
        operations_of(&format!(
            "fn score(view, m) {{ view.playout(0, \"mine\") }}
             fn mine(view, m) {{
                 let a = [];
                 for i in 0..{length} {{ a.push(i); }}
                 for i in 0..400 {{ let b = a; b[1] = i; a = b; }}
                 if m.is_draw {{ 1 }} else {{ 2 }}
             }}"
        ))
    });
    assert!(long > 15_000 && long - 10_000 > 10 * (short - 10_000), "{short} {long}");
}

/// The number of cached players is limited, and those that are created again are charged again.
#[test]
fn players_that_are_made_again_count_again() {
    let asking = |players: u32| {
        operations_of(&format!(
            "fn score(view, m) {{
                 if !m.is_draw {{ return 0; }}
                 for round in 0..2 {{ for i in 0..{players} {{ view.playout(0, `tunable:reserve=${{i}}`); }} }}
                 1
             }}"
        ))
    };
    let (few, many) = (asking(30), asking(34));
    assert!((300_000..350_000).contains(&few) && many > 600_000, "{few} {many}");
}

/// A limit reached in a function is reported at its position, compiled and interpreted alike.
#[test]
fn a_limit_is_told_where_the_script_stood() {
    let rules = &rulesets()[0];
    for (text, at, what) in [
        (
            "fn score(view, m) {\n    let n = 1;\n    deep(n)\n}\nfn deep(n) {\n    n += 1;\n    deep(n)\n}",
            "test.rhai:7:5: ",
            "32 deep (in `deep`)",
        ),
        (
            "fn score(view, m) {\n    outer(m)\n}\nfn outer(m) {\n    let n = 0;\n    inner(n)\n}\nfn inner(n) {\n    loop {\n        n = (n + 1) % 7;\n    }\n}",
            "test.rhai:10:9: ",
            "operations (in `inner`)",
        ),
        (
            "fn score(view, m) {\n    let n = 0;\n    loop {\n        n = (n + 1) % 7;\n    }\n}",
            "test.rhai:4:",
            "operations",
        ),
        (
            "fn score(view, m) {\n    let s = grown(\"x\");\n    1\n}\nfn grown(s) {\n    for i in 0..40 {\n        s += s;\n    }\n    s\n}",
            "test.rhai:7:9: ",
            "bytes (in `grown`)",
        ),
    ] {
        let source = Arc::new(SourceText { name: "test.rhai".into(), text: text.into() });
        let both = [Script::new("test", &source).unwrap(), Script::interpreted("test", &source).unwrap()];
        for mut script in both {
            let fault = play(rules, &mut script, 0).unwrap_err().to_string();
            assert!(fault.starts_with(at) && fault.contains(what), "{fault}\n{text}");
        }
    }
}

/// The number of a function's parameters must be known before it is called.
#[test]
fn no_function_takes_too_many_parameters() {
    let text = |n: usize| {
        let names: Vec<String> = (0..n).map(|i| format!("a{i}")).collect();
        let ones = vec!["1"; n].join(", ");
        format!("fn score(view, m) {{ many({ones}) }}\nfn many({}) {{ a0 + a{} }}", names.join(", "), n - 1)
    };
    play(&rulesets()[0], &mut sound(&text(super::super::limits::MAX_PARAMETERS)), 0).unwrap();
    let faults = script(&text(257)).err().unwrap();
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        ["test.rhai:2:4: `many` has 257 parameters, and at most 64 are allowed; give it a list of values"]
    );
}

/// Before anything is dealt, a sampled deal is a whole one.
#[test]
fn a_sample_before_the_deal_is_a_whole_deal() {
    let bsd = crate::rules::load("bsd").unwrap().rules;
    let mut script = sound(
        "fn cards(v) {
            let n = v.cards + v.stock_left + v.waste_left + v.reserve_left;
            for p in 1..=v.piles { n += v.pile_len(p); }
            n
        }
        fn stage(view, at, cost) {
            if at == \"deal\" {
                if cards(view) != 0 || cards(view.sample(1)) != 52 || view.sample(1).moves.is_empty() { throw at; }
                if view.sample(0).pile_top(1) == () || view.sample(0).stock_left == 0 { throw 1; }
                let sum = 0;
                for k in 0..40 { sum += view.playout(k, \"greedy\"); }
                if sum < 100 || sum > 1200 { throw `${at}: ${sum}`; }
                if view.sample(3).playout(0, \"greedy\") == 0 && view.sample(4).playout(0, \"greedy\") == 0 { throw 2; }
            }
            true
        }
        fn score(view, m) { if m.to_foundation { 3 } else if m.is_draw { 1 } else { 2 } }",
    );
    for game in 0..3 {
        play(&bsd, &mut script, game).unwrap();
    }
}

/// The scripts of the shelf that play out sampled deals stay well within a decision's operations, even with the maximum
/// number of deals.
#[test]
fn the_shelf_plays_deals_on_within_its_budget() {
    let mut most = 0;
    for (name, _) in crate::rules::shelf() {
        let rules = crate::rules::load(name).unwrap().rules;
        for (player, default, highest) in [
            ("sampler", "param(20, 1..=400)", "400"),
            ("chooser", "param(40, 1..=100)", "100"),
            ("chooser", "param(8, 1..=30)", "30"),
            ("foresight", "param(4, 1..=30)", "30"),
        ] {
            let text = SHELF.iter().find(|(known, _)| *known == player).unwrap().1;
            assert!(text.contains(default), "{player}");
            let text = text.replace(default, highest);
            struct Once(Script, u64, u32);
            impl Strategy for Once {
                fn name(&self) -> &str {
                    "once"
                }
                fn decide(
                    &mut self,
                    view: &View<'_>,
                    legal: &MoveList,
                ) -> Result<Option<usize>, StrategyError> {
                    self.2 += 1;
                    // Positions with many choices.
                    let few = if self.2 < 60 { 6 } else { 3 };
                    if legal.len() < few && self.2 < 90 {
                        return Ok(Some(legal.len() - 1));
                    }
                    self.0.decide(view, legal)?;
                    self.1 = self.0.operations();
                    Ok(None)
                }
            }
            let mut once = Once(sound(&text), 0, 0);
            play(&rules, &mut once, 0).unwrap_or_else(|fault| panic!("{player} on {name}: {fault}"));
            most = most.max(once.1);
            assert!(once.1 < super::super::MAX_OPERATIONS / 10 * 9, "{player} on {name}: {}", once.1);
        }
    }
    assert!(most > 50_000, "{most}: nothing was tried");
}
