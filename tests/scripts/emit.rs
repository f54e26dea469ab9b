//! The compiler's output for a short script.

use saratoga::rules;
use saratoga::strategy::script::Script;

use crate::support::source;

const TEXT: &str = "fn score(view, m) {
    if m.to_foundation { return 100; }
    if m.card != () && m.card.rank > view.spaces + 2 { 5 } else { -1 }
}";

/// Facts about a class of moves, and about the rules, are folded.
#[test]
fn a_tree_for_each_class_of_moves() {
    let rules = rules::load("canfield").unwrap().rules;
    let tree = Script::new("short", &source(TEXT)).unwrap().emit(&rules).unwrap();
    let up = "score of WasteUp cost=14\n  block b3\n    leave b3 with 100\n";
    let to_pile = "score of WasteToPile cost=56\n  block b7\n    \
        if ((view.waste_top != ()) && (view.waste_top.rank > (view.spaces + 2)))\n    then 5\n    else -1\n";
    assert!(tree.contains(up) && tree.contains(to_pile), "{tree}");
}
