//! The compiler of scripts, and the machine that runs what it makes.
//!
//! # From a script to a decision
//! [`pipeline`] runs the stages, and lists all passes in their order with the reasons for it.
//!
//! | stage | what it is | folder |
//! |---|---|---|
//! | AST | Rhai's syntax tree, a script of its own for each function, and what is looked up in it | [`ast`] |
//! | lowering | from the AST to the HIR: names resolved, calls inlined, what is known folded | [`lower`] |
//! | typed HIR | trees of [`hir::Node`]s, with the types that each variable may have | [`hir`] |
//! | HIR passes | the trees made smaller | [`passes`] |
//! | emission | from the HIR to bytecode: registers, jumps | [`emit`] |
//! | bytecode | ops for a machine of 256 registers | [`bytecode`] |
//! | code passes | fewer jumps, fewer and larger ops | [`peephole`] |
//! | machine | runs the ops for each legal move | [`vm`] |
//!
//! A script is compiled when a game of new rules begins, since much is known then: the rules, the script's constants,
//! and, for a `score`, the *class* of the move it is asked about ([`facts`]). There is a tree for each class, so that a
//! script that asks `m.to_foundation` ten times asks nothing when it runs.
//!
//! # One script through all stages
//! ```text
//! fn score(view, m) {
//!     if m.to_foundation { return 100; }
//!     if m.card != () && m.card.rank > view.spaces + 2 { 5 } else { -1 }
//! }
//! ```
//! Lowered, with its types, and after all passes, for two of the eleven classes of moves. For a card to the foundations
//! the first line answers it all; for a card of the waste to a pile, `m.card` is the top of the waste:
//! ```text
//! score of WasteUp cost=14
//!   block b3
//!     leave b3 with 100
//! score of WasteToPile cost=56
//!   block b7
//!     if ((view.waste_top != ()) && (view.waste_top.rank > (view.spaces + 2)))
//!     then 5
//!     else -1
//! ```
//! Bytecode. `needs` are properties of the view that the machine reads into their registers before it starts; the
//! cost is an upper bound of the operations that the interpreter would count:
//! ```text
//! score of WasteUp: always 100 cost=14
//! score of WasteToPile: code @6 cost=56 needs r254 needs r252
//! r253 = 2
//! r254 = view.spaces
//! r252 = view.waste_top
//!     6  JumpUnit r252 @11
//!     7  CardProperty Rank r1 <- r252
//!     8  Add r2 <- r254 r253
//!     9  JumpLe r1 r2 @11
//!    10  ReturnSmall 5
//!    11  ReturnSmall -1
//! ```
//!
//! To see this for a script, run `saratoga scripts check --emit hir SCRIPT`, or `--emit ops`. The results for the
//! shelf's scripts are kept in `tests/data/scripts-emit`, where a change of the compiler shows;
//! `SARATOGA_UPDATE=1 cargo test --test scripts emit` writes them anew.
//!
//! # The same as interpreted
//! Compiled code never words a fault. Whatever is not plainly right (an overflow, a card that is `()`, an
//! index that does not exist, too many operations, a result of a wrong type) ends it with [`Bailout`],
//! and the interpreter makes the whole decision again from its beginning, with the randomness as it
//! was: if there is a fault, it is the interpreter that reports it, with its words and its place. So the
//! compiler must be right about values, and may be wrong about faults only by being slow.
//!
//! Operations are counted as an upper bound of what the interpreter counts: a loop's round costs the most that
//! a way through its body can. A decision that comes over the budget by this count is a bailout, and the
//! interpreter, which counts exactly, stops it or finds that it is within.
//!
//! # Once a decision
//! Properties of the view are read once a decision, before the first score that needs them; those of reserves and
//! piles once a play. A function that is asked about the view alone is a *memo*: computed when first asked for, then
//! known, and until the next play if it asks for nothing but reserves and piles. What depends on one card only (its
//! colour, the set of cards it can hold) is a *table*, computed for all cards at load.
//!
//! # Lists
//! A list has a place in the machine, and a variable holds the number of that place; it is copied wherever it is kept, so that
//! it belongs to one variable (`own_lists` in [`passes`]). The types of the elements of all lists together are known, so that
//! lists of numbers need no tags. A list may not hold a list, and has at most 256 elements: then nothing is allocated
//! while a game is played, and a bailout is all that can go wrong.
//!
//! # Not asked at all
//! The classes of moves for which a script looks at stock or waste are known. Where none of them is legal, a
//! decision to draw holds until the list of moves is another one
//! ([`Strategy::repeats_draw`](crate::strategy::Strategy::repeats_draw)).
//!
//! # What calls what
//! Calls are inlined; those of a function by itself, and those that would make a tree too large (or the
//! program, as in functions with loops called from loops), are calls of the machine. Compiled code calls
//! interpreted functions, in the position and with the budget of the decision. The other way round an interpreted
//! function has all that it calls interpreted. A sampled deal that a strategy of the shelf plays on is the engine's:
//! compiled code asks for it as the interpreter does, and it counts the same.

mod ast;
mod bytecode;
mod emit;
mod facts;
mod hir;
mod lower;
mod operators;
mod passes;
mod peephole;
mod pipeline;
mod table;
mod vm;

pub use ast::Sources;
pub use bytecode::CompiledScript;
pub use pipeline::{compile, obstacle, read, stages};
pub use vm::{Bailout, DecisionPosition, Given, Interpret, Vm};
