//! The names of the game as a definitions file, for editors that support Rhai.

use std::fmt::Write;

use super::names::entries;

/// Returns a `.d.rhai` file of everything that a script can use of the game.
pub fn definitions() -> String {
    let mut out = String::from(
        "module static;\n\n\
         // What a Saratoga strategy sees. It defines one of\n\
         //   fn score(view, m)  an integer for each legal move; the highest is played, negative is never\n\
         //   fn choose(view)    one of view.moves, or () to resign\n\
         // At its top it may declare parameters, which can be set from the command line and tuned:\n\
         //   const HOLD = param(4, 0..=13);  a whole number with its default and the values it may have\n\
         //   const BOLD = param(true);       a truth value\n\
         // and may define, for rules whose stake is bought in stages,\n\
         //   fn stage(view, at, cost)  true to buy the stage for cost cents; false to stop, or to go on without\n\
         //                             cards. at is \"deal\" (nothing is seen yet), \"first-look\",\n\
         //                             \"first-draw\", \"pass\" or \"unknown-card\". Without it a strategy buys\n\
         //                             everything but unknown cards.\n\
         // Piles and suits count from 1, suits in the order clubs, diamonds, hearts, spades. A card is\n\
         // () where it cannot be seen. Cards compare with == and != to each other and to (),\n\
         // and print as `TH` in `${c}`.\n",
    );
    for name in entries() {
        if name.owner == "Memory" {
            let _ = write!(out, "\n/// {}\nlet {}: {};\n", name.about, name.name, name.owner);
            continue;
        }
        let get = if name.parameters.is_none() { "get " } else { "" };
        let parameters: String =
            name.parameters.unwrap_or_default().iter().map(|p| format!(", {p}")).collect();
        let (variable, owner, word) = (name.variable, name.owner, name.name);
        // Writing to a string does not fail.
        let _ = write!(
            out,
            "\n/// {}\nfn {get}{word}({variable}: {owner}{parameters}) -> {};\n",
            name.about, name.returns
        );
    }
    out
}
