//! The work of a decision is measured in operations only.

use super::*;

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
    assert!(seen > 40);
}

/// Decides once, where there are at least some moves or after a while, and resigns.
struct Once {
    script: Script,
    asked: u32,
    few: usize,
}

impl Strategy for Once {
    fn name(&self) -> &str {
        "once"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.asked += 1;
        let few = if self.asked < 60 { self.few } else { self.few / 2 };
        if legal.len() < few && self.asked < 90 {
            return Ok(Some(legal.len() - 1));
        }
        self.script.decide(view, legal).map(|_| None)
    }
}

/// Operations of a decision with at least `few` choices, if there is one.
fn operations_of(text: &str, rules: &Rules, few: usize) -> u64 {
    let mut once = Once { script: sound(text), asked: 0, few };
    play(rules, &mut once, 0).unwrap_or_else(|fault| panic!("{fault} on {}: {text}", rules.name()));
    once.script.operations()
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
        let text = format!(
            "fn score(view, m) {{ view.playout(0, \"mine\") }}
             fn mine(view, m) {{
                 let a = [];
                 for i in 0..{length} {{ a.push(i); }}
                 for i in 0..400 {{ let b = a; b[1] = i; a = b; }}
                 if m.is_draw {{ 1 }} else {{ 2 }}
             }}"
        );
        operations_of(&text, &rulesets()[0], 0)
    });
    assert!(long > 15_000 && long - 10_000 > 10 * (short - 10_000), "{short} {long}");
}

/// The scripts of the shelf that play out sampled deals stay well within a decision's operations, even with the maximum
/// number of deals.
#[test]
fn the_shelf_plays_deals_on_within_its_budget() {
    let mut most = 0;
    for (name, _) in crate::rules::shelf() {
        let rules = rules_of(name);
        for (player, default, highest) in [
            ("sampler", "param(20, 1..=400)", "400"),
            ("chooser", "param(40, 1..=100)", "100"),
            ("chooser", "param(8, 1..=30)", "30"),
            ("foresight", "param(4, 1..=30)", "30"),
        ] {
            let text = SHELF.iter().find(|(known, _)| *known == player).unwrap().1;
            assert!(text.contains(default), "{player}");
            let text = text.replace(default, highest);
            let took = operations_of(&text, &rules, 6);
            most = most.max(took);
            assert!(took < super::super::MAX_OPERATIONS / 10 * 9, "{player} on {name}: {took}");
        }
    }
    assert!(most > 50_000, "{most}: nothing was tried");
}
