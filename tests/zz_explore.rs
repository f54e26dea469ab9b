mod common;
mod scripts;
use proptest::strategy::ValueTree;
use scripts::grow;
use scripts::positions::{Position, positions};
use scripts::shrink::Shrinking;
use scripts::tree::Tree;
use scripts::{Answer, Difference, both, left};
type Decided = Answer<Option<usize>>;

/// Asks a script about some of the positions, which depend on its text.
fn compare(tree: &Tree, positions: &[Position]) -> Result<Vec<Decided>, Difference> {
    let text = tree.text();
    let Ok(mut both) = both(&text) else { return Ok(vec![]) };
    if !tree.mixed {
        if let Some((function, line, reason)) = left(&both.compiled).first() {
            return Err(Difference::new("obstacle", format!("line {line} of `{function}`: {reason}")));
        }
    }
    let first = text.bytes().fold(0, |sum: usize, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let mut decided = Vec::new();
    // Some of the same rules, others, and the first once more: nothing is left of what was seen in between.
    let far = positions.len() / 5;
    for at in [first, first + 1, first + 2, first + far, first + 3 * far, first + 4 * far + 1, first] {
        if let Some(answer) = both.everything(&positions[at % positions.len()])? {
            decided.push(answer);
        }
    }
    if decided.len() == 7 && decided[0] != decided[6] {
        return Err(Difference::new("asked again", format!("{:?}\n{:?}", decided[0], decided[6])));
    }
    Ok(decided)
}

#[test]
fn explore() {
    let from: u64 = std::env::var("FROM").unwrap().parse().unwrap();
    let to: u64 = std::env::var("TO").unwrap().parse().unwrap();
    let positions = positions(from + 3, 12, 3);
    let mut seen = std::collections::BTreeMap::<String, u32>::new();
    for i in from..to {
        let tree = grow::tree(i);
        let Err(first) = compare(&tree, &positions) else { continue };
        let way = first.way;
        if std::env::var("NOSHRINK").is_ok() {
            println!("#### {i} {way}");
            if way.contains("differ") || way.contains("again") {
                let n = seen.entry(way.into()).or_default();
                *n += 1;
                if *n > 2 {
                    break;
                }
            }
            continue;
        }
        let fails = |tree: &Tree| compare(tree, &positions).is_err_and(|d| d.way == way);
        let mut shrinking = Shrinking::new(tree);
        let (mut steps, mut fewer) = (0, shrinking.simplify());
        let mut best = shrinking.current();
        while fewer && steps < 20000 {
            steps += 1;
            fewer = if fails(&shrinking.current()) {
                best = shrinking.current();
                shrinking.simplify()
            } else {
                shrinking.complicate()
            };
        }
        let text = best.text();
        let n = seen.entry(text.clone()).or_default();
        *n += 1;
        if *n == 1 {
            let now =
                compare(&best, &positions).err().map(|d| d.to_string().chars().take(700).collect::<String>());
            println!("#### {i} {way}\n{text}\n{}\n", now.unwrap_or_default());
        }
    }
    println!("DONE {} kinds, {} in all", seen.len(), seen.values().sum::<u32>());
}
