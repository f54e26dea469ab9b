//! Profiles of scripts, and explanations of scores.

use super::super::{Explained, Explanation, Profiled};
use super::*;

const EXPLAINED: &str = "fn score(view, m) {
    if m.to_foundation { return 100; }
    let sum = 2;
    for (i, n) in 0..3 {
        let twice = i * 2;
        sum += twice;
    }
    if m.is_draw {
        sum
    } else {
        let c = m.card;
        helped(c, [sum, n_of(view)])
    }
}
fn n_of(view) {
    view.reserve_left
}
fn helped(c, list) {
    let rank = if c == () { 0 } else { c.rank };
    rank + list[0]
}
";

fn explained(trace: Option<usize>) -> (Vec<Explanation>, Vec<i64>, MoveList) {
    let mut explained = Explained::new("test", &source(EXPLAINED), trace).unwrap();
    at_the_deal(3, |view, legal| {
        let scores = sound(EXPLAINED).scores(view, legal).unwrap().unwrap();
        (explained.explain(view, legal).unwrap(), scores, legal.clone())
    })
}

#[test]
fn each_score_has_the_line_that_gave_it() {
    let (told, scores, legal) = explained(None);
    assert_eq!(told.len(), legal.len());
    let mut lines = Vec::new();
    for ((told, score), m) in told.iter().zip(scores).zip(legal.iter()) {
        let wanted = match score {
            100 => 2,
            _ if m.is_draw() => 9,
            _ => 12,
        };
        assert_eq!(told.line, Some(wanted), "{m:?}");
        assert!(told.traced.is_empty());
        lines.push(wanted);
    }
    assert_eq!(lines, [2, 12, 9]);
}

#[test]
fn a_traced_line_shows_what_its_variables_hold() {
    let (told, _, legal) = explained(Some(6));
    let draw = legal.iter().position(|m| m.is_draw()).unwrap();
    assert_eq!(
        told[draw].traced,
        [
            "view = the view, m = draw, sum = 2, n = 0, i = 0, twice = 0",
            "view = the view, m = draw, sum = 2, n = 1, i = 1, twice = 2",
            "view = the view, m = draw, sum = 4, n = 2, i = 2, twice = 4",
        ]
    );
    // In a called function, its own variables and no others.
    let (told, _, _) = explained(Some(20));
    let shown: Vec<&String> = told.iter().flat_map(|it| &it.traced).collect();
    assert!(!shown.is_empty());
    for line in shown {
        assert!(line.starts_with("c = ") && line.contains(", list = [8, 13], rank = "), "{line}");
    }
}

/// The inserted calls use none of the script's budget, so it may use no more memory than without them.
#[test]
fn explanations_cost_no_operations() {
    let long = "fn score(view, m) {\n    let all = [];\n    all.pad(300, m);\n    for i in 0..300 {\n        all[i] = i;\n    }\n    all.len\n}\n";
    for (text, lines) in [(EXPLAINED, [2, 6, 12, 20]), (long, [2, 4, 5, 7])] {
        let mut plain = Script::interpreted("test", &source(text)).unwrap();
        at_the_deal(3, |view, legal| plain.scores(view, legal)).unwrap();
        for trace in [None].into_iter().chain(lines.map(Some)) {
            let mut explained = Explained::new("test", &source(text), trace).unwrap();
            at_the_deal(3, |view, legal| explained.explain(view, legal)).unwrap();
            assert_eq!(explained.script.operations(), plain.operations(), "line {trace:?} of {text}");
        }
    }
}

#[test]
fn a_line_without_a_statement_is_not_traced() {
    let fault = Explained::new("test", &source(EXPLAINED), Some(7)).err().unwrap().remove(0);
    assert_eq!(fault.message, "no statement begins on line 7");
    assert_eq!(fault.position(), (7, 1));
    assert!(fault.help.unwrap().ends_with("such as 5, 6, 8"));
}

#[test]
fn a_script_that_chooses_has_one_explanation() {
    let text = "fn choose(view) {\n    for m in view.moves {\n        if m.is_draw {\n            return m;\n        }\n    }\n    ()\n}\n";
    let mut explained = Explained::new("test", &source(text), Some(3)).unwrap();
    let (told, legal) =
        at_the_deal(3, |view, legal| (explained.explain(view, legal).unwrap(), legal.clone()));
    let [told] = &told[..] else { panic!("{told:?}") };
    assert_eq!(told.line, Some(4));
    assert_eq!(told.traced.len(), legal.len());
    assert!(told.traced[0].starts_with("view = the view, m = "), "{told:?}");
}

const PROFILED: &str = "const LATE = 3;
fn score(view, m) {
    if m.to_foundation { return 100; }
    let sum = 0;
    for i in 0..4 {
        sum += i;
    }
    if sum == 7 {
        sum = 1;
    } else if m.is_draw {
        // Nothing.
        sum -= 1
    } else {
        sum += switch m.count {
            0 => -2,
            _ => { helped(m) }
        };
    }
    (sum + 1) * 2
}
fn helped(m) {
    (m.count)
        + m.source
}
";

#[test]
fn lines_are_counted_and_decisions_stay_the_same() {
    let rules = &rulesets()[0];
    let (mut profiled, profile) = Profiled::new("test", &source(PROFILED)).unwrap();
    let mut plain = sound(PROFILED);
    for game in 0..5 {
        assert_eq!(play(rules, &mut profiled, game), play(rules, &mut plain, game));
    }
    let runs: Vec<Option<u64>> = profile.lines().iter().map(|line| line.map(|line| line.runs)).collect();
    assert_eq!(runs.len(), PROFILED.lines().count());
    let at = |line: usize| runs[line - 1].unwrap_or_else(|| panic!("line {line} has no statement"));
    for none in [1, 2, 7, 10, 11, 13, 15, 18, 20, 21, 23, 24] {
        assert_eq!(runs[none - 1], None, "line {none}");
    }
    assert_eq!(at(5), at(4));
    assert_eq!(at(6), 4 * at(5));
    assert_eq!(at(9), 0);
    assert_eq!(at(12) + at(14), at(8));
    assert!(at(22) > 0 && at(22) < at(14) && at(3) > at(4));
    assert!(profile.lines().iter().flatten().any(|line| !line.time.is_zero()));
}

/// The recording calls use none of the script's budget, so it may use no more memory than without them.
#[test]
fn notes_cost_no_operations() {
    let texts = [PROFILED]
        .into_iter()
        .chain(SHELF.iter().map(|(_, text)| *text).filter(|it| !it.contains(".playout(")));
    for text in texts {
        let (mut profiled, _) = Profiled::new("test", &source(text)).unwrap();
        let mut plain = Script::interpreted("test", &source(text)).unwrap();
        for game in 0..3 {
            assert_eq!(play(&rulesets()[0], &mut profiled, game), play(&rulesets()[0], &mut plain, game));
            assert_eq!(profiled.script.operations(), plain.operations(), "{text}");
        }
    }
}
