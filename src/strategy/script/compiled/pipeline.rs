//! The compiler from end to end: its stages, and all passes in order.
//!
//! AST ([`super::ast`]) -> lowering ([`super::lower`]) -> typed HIR ([`super::hir`]) -> [`HIR_PASSES`] -> emission
//! ([`super::emit`]) -> bytecode ([`super::bytecode`]).

use std::rc::Rc;

use crate::rules::Rules;

use super::super::module::{Form, Module};
use super::ast::Sources;
use super::bytecode::{Called, CodeOffset, CompiledScript, EntryPoint, Program, TooLarge};
use super::emit::{self, Context};
use super::facts::Facts;
use super::hir::{self, Hir, Role};
use super::{lower, passes};

/// The passes over the HIR. Each relies on the earlier ones.
const HIR_PASSES: [fn(&mut Hir); 3] = [
    // Before memos are assessed: one that reduces to a table is not worth caching.
    passes::tabulate,
    passes::inline_small_memos,
    // After everything that may replace one variable by another.
    passes::own_lists,
];

/// Maximum number of nodes of inlined calls in a tree, from the first attempt to the last, if the program is too large:
/// a loop over the moves has a body for each class of moves, and loops in functions called from loops multiply.
const INLINED: [usize; 3] = [6_000, 300, 0];

/// The first stage: analyses a script, and finds what in it is not compiled.
pub fn read(module: &Rc<Module>, entry: (usize, Form)) -> Sources {
    let mut sources = Sources::of(module, entry);
    lower::find_obstacles(&mut sources);
    sources
}

/// Compiles a script for these rules.
///
/// # Errors
/// Fails if it is too large for the machine.
pub fn compile(sources: &Sources, rules: &Rules) -> Result<CompiledScript, TooLarge> {
    stages(sources, rules).map(|(_, compiled)| compiled)
}

/// Compiles a script for these rules, and returns its HIR too.
///
/// # Errors
/// Fails if it is too large for the machine.
pub fn stages(sources: &Sources, rules: &Rules) -> Result<(Hir, CompiledScript), TooLarge> {
    let facts = Facts::of(rules);
    let compile = |most_inlined: &usize| {
        let mut hir = lower::lower(sources, &facts, *most_inlined).ok()?;
        HIR_PASSES.iter().for_each(|pass| pass(&mut hir));
        let compiled = generate(&hir, sources.form, rules).ok()?;
        Some((hir, compiled))
    };
    INLINED.iter().find_map(compile).ok_or(TooLarge)
}

/// Explains why a script is not compiled for these rules, if a position in it is the reason.
pub fn obstacle(sources: &Sources, rules: &Rules) -> Option<String> {
    lower::lower(sources, &Facts::of(rules), 0).err().map(|obstacle| obstacle.what)
}

/// The last stage: generates bytecode for all trees.
fn generate(hir: &Hir, form: Form, rules: &Rules) -> Result<CompiledScript, TooLarge> {
    let (tables, lists, elements) = (hir.tables.clone(), hir.lists.clone(), hir.types.elements);
    let mut program = Program { tables, lists, elements, ..Program::default() };
    let mut context = Context::of(hir);
    let mut most_sites = 0;
    let (mut called, mut entries) = (Vec::new(), [EntryPoint::Always { score: -1, cost: 0 }; 16]);
    for (i, tree) in hir.trees.iter().enumerate() {
        let cost = tree.cost;
        if let (Some(outcome), Form::Score, Role::Entry(_)) = (tree.node.outcome(), form, &tree.role)
            && outcome.is_int
        {
            entries[i] = EntryPoint::Always { score: outcome.bits, cost };
            continue;
        }
        let start = program.code.len();
        let (needs, sites) = emit::emit(&mut program, &mut context, hir, tree)?;
        if program.code.len() > CodeOffset::MAX as usize {
            return Err(TooLarge);
        }
        let at = start as CodeOffset;
        match &tree.role {
            Role::Entry(_) => {
                entries[i] = EntryPoint::Run { at, needs, cost };
                most_sites = most_sites.max(sites);
            }
            Role::Function { call_depth, .. } => {
                called.push(Called { at, cost, call_depth: *call_depth, sites });
            }
        }
    }
    program.values = program.tables.iter().flat_map(|table| table.values).collect();
    let mut made = CompiledScript {
        rules: rules.id(),
        form,
        program,
        called,
        entries,
        runs: 0,
        scores: [-1; 16],
        costs: [0; 16],
        stock_dependent: hir::stock_dependent(hir),
        of_arrangement: 0,
        sites: most_sites,
        draws_numbers: hir.trees.iter().map(|tree| &tree.node).any(hir::draws_numbers),
    };
    for (i, entry) in made.entries.iter().enumerate() {
        match *entry {
            EntryPoint::Always { score, cost } => (made.scores[i], made.costs[i]) = (score, cost.into()),
            EntryPoint::Run { .. } => made.runs |= 1 << i,
        }
    }
    for (i, (_, property)) in made.program.properties.iter().enumerate().take(64) {
        made.of_arrangement |= u64::from(hir::is_property_of_arrangement(*property)) << i;
    }
    Ok(made)
}
