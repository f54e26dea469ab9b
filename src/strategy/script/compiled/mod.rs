//! The compiler of scripts, and the machine that runs its output.
//!
//! # From a script to a decision
//! | stage | description | folder |
//! |---|---|---|
//! | AST | Rhai's syntax tree, split by function, with what is looked up in it | [`facts`] |
//! | lowering | from the AST to the HIR: names resolved, calls inlined, known values folded | [`lower`] |
//! | typed HIR | trees of [`hir::Node`]s, with the possible types of each variable | [`hir`] |
//! | HIR passes | simplification of the trees | [`passes`] |
//! | emission | from the HIR to bytecode: registers, jumps | [`emit`] |
//! | bytecode | ops for a machine of 256 registers | [`bytecode`] |
//! | machine | runs the ops for each legal move | [`vm`] |
//!
//! A script is compiled when a game of new rules begins, since much is known then: the rules, the script's constants,
//! and, for a `score`, the *class* of the move it is asked about ([`facts`]). There is a tree for each class, so a
//! script that tests `m.to_foundation` ten times performs no test when it runs.
//!
//! # One script through all stages
//! ```text
//! fn score(view, m) {
//!     if m.to_foundation { return 100; }
//!     if m.card != () && m.card.rank > view.spaces + 2 { 5 } else { -1 }
//! }
//! ```
//! Lowered, with its types, for two of the eleven classes of moves. For a card to the foundations
//! the first line decides; for a card of the waste to a pile, `m.card` is the top of the waste:
//! ```text
//! score of WasteUp cost=14
//!   block(3)(leave(3)(100))
//! score of WasteToPile cost=56
//!   block(7)(if(((view.waste_top != ()) && (.rank(view.waste_top) > (view.spaces + 2))), 5, -1))
//! ```
//! `saratoga scripts check --emit SCRIPT` prints this for a script. The cost is an upper bound on the operations that
//! the interpreter would count. Properties of the view are read into registers before the code runs.
//!
//! # Equivalence with the interpreter
//! Compiled code never reports a fault. Anything irregular (an overflow, a card that is `()`, an index that does not
//! exist, too many operations, a result of a wrong type) ends it with [`Bailout`], and the interpreter repeats the
//! whole decision from its beginning, with the same random numbers: if there is a fault, it is the interpreter that
//! reports it, with its message and position. So the compiler must be right about values, but a mistake about faults
//! only costs time.
//!
//! Operations are counted as an upper bound on what the interpreter counts: a round of a loop costs the maximum over
//! the paths through its body. A decision that exceeds the budget by this count bails out, and the interpreter, which
//! counts exactly, stops it or finds that it is within the budget.
//!
//! # Caching within a decision
//! Properties of the view are read once per decision, before the first score that needs them; those of reserves and
//! piles once per play. A function of the view alone is a *memo*: computed on first use and then cached, even until the
//! next play if it only depends on reserves and piles. What depends on one card only (its colour, the set of cards it
//! can hold) is a *table*, computed for all cards at load.
//!
//! # Lists
//! A list has a place in the machine, and a variable holds the number of that place; it is copied wherever it is
//! stored, so that it belongs to one variable (`own_lists` in [`passes`]). The possible types of all elements of lists
//! are known, so lists of numbers need no tags. A list may not hold a list, and has at most 256 elements: nothing is
//! allocated while a game is played, and a bailout is the only failure.
//!
//! # Skipped decisions
//! The classes of moves for which a script looks at stock or waste are known. If none of them is legal, a decision to
//! draw holds until the list of moves changes ([`Strategy::repeats_draw`](crate::strategy::Strategy::repeats_draw)).
//!
//! # Calls
//! Calls are inlined; recursive calls, and those that would make a tree too large (or the program, as in functions with
//! loops called from loops), are calls of the machine. Compiled code calls interpreted functions, in the position and
//! with the budget of the decision. Conversely, an interpreted function has everything that it calls interpreted. A
//! playout by a strategy of the shelf is run by the engine: compiled code requests it like the interpreter does, and it
//! is charged the same.

mod bytecode;
mod emit;
mod facts;
mod hir;
mod lower;
mod passes;
mod vm;

use std::rc::Rc;

use crate::rules::Rules;

use super::intrinsics::ChangedBy;
use super::module::{Form, Module};
use bytecode::{Code, CodeOffset, TooLarge};
use emit::Context;
use hir::{Hir, Kind, Role};

pub use bytecode::CompiledScript;
pub use facts::Sources;
pub use vm::{Asked, Bailout, Interpret, Vm};

/// Maximum number of nodes of inlined calls in a tree, from the first attempt to the last, if the program is too large:
/// a loop over the moves has a body for each class of moves, and loops in functions called from loops multiply.
const INLINED: [usize; 3] = [6_000, 300, 0];

/// Analyses a script, and finds what in it is not compiled.
pub fn read(module: &Rc<Module>, entry: (usize, Form)) -> Sources {
    let mut sources = Sources::of(module, entry);
    lower::find_unsupported(&mut sources);
    sources
}

/// Compiles a script for these rules, and returns its HIR too, or why it is not compiled.
pub fn compile(sources: &Sources, rules: &Rules) -> Result<(Hir, CompiledScript), String> {
    let compile = |most_inlined| {
        let mut hir = lower::lower(sources, rules, most_inlined).map_err(|unsupported| unsupported.what)?;
        passes::simplify(&mut hir);
        match generate(&hir, sources.form, rules) {
            Ok(compiled) => Ok((hir, compiled)),
            Err(TooLarge) => Err("the script is too large to be compiled".into()),
        }
    };
    let [most, fewer, none] = INLINED;
    compile(most).or_else(|_| compile(fewer)).or_else(|_| compile(none))
}

/// Generates bytecode for all trees.
fn generate(hir: &Hir, form: Form, rules: &Rules) -> Result<CompiledScript, TooLarge> {
    let mut made = CompiledScript {
        rules: rules.id(),
        form,
        values: hir.tables.concat(),
        lists: hir.lists.clone(),
        players: hir.players.clone(),
        elements: hir.types.elements,
        scores: [-1; 16],
        stock_dependent: hir::stock_dependent(hir),
        draws_numbers: hir.trees.iter().any(|tree| tree.node.any(&mut Kind::draws_numbers)),
        ..CompiledScript::default()
    };
    let mut context = Context::of(hir);
    for (i, tree) in hir.trees.iter().enumerate() {
        let (cost, is_entry) = (tree.cost, matches!(tree.role, Role::Entry(_)));
        if let Some(outcome) = tree.node.outcome()
            && outcome.is_int
            && is_entry
            && form == Form::Score
        {
            (made.scores[i], made.costs[i]) = (outcome.bits, cost.into());
            continue;
        }
        let at = made.code.len() as CodeOffset;
        let (needs, sites) = emit::emit(&mut made, &mut context, hir, tree)?;
        if made.code.len() > CodeOffset::MAX as usize {
            return Err(TooLarge);
        }
        let mut code = Code { at, cost, needs, sites, call_depth: 0 };
        match tree.role {
            Role::Entry(_) => {
                made.entries[i] = Some(code);
                made.runs |= 1 << i;
                made.sites = made.sites.max(sites);
            }
            Role::Function { call_depth, .. } => {
                code.call_depth = call_depth;
                made.called.push(code);
            }
        }
    }
    for (i, (_, property)) in made.properties.iter().enumerate().take(64) {
        made.of_arrangement |= u64::from(property.changed_by() == ChangedBy::Plays) << i;
    }
    Ok(made)
}
