//! Lowering: from Rhai's syntax tree to the HIR, with its types.

mod ahead;
mod builder;
mod calls;
mod expressions;
mod lists;
mod loops;
mod statements;

use strum::IntoEnumIterator;

use super::super::module::Form;
use super::super::value::Types;
use super::ast::Sources;
use super::facts::{Class, Facts};
use super::hir::{Hir, Inference, Node, Role, Slot, Tree};
use builder::{Builder, Built, Unsupported};

/// Records for every function of a script what in it is not compiled, if anything.
pub fn find_unsupported(sources: &mut Sources) {
    for index in 0..sources.unsupported.len() {
        let found = find_obstacle(sources, index);
        if let (None, Some(Unsupported { at, what })) = (&sources.unsupported[index], found) {
            let function = &sources.module.functions[index];
            let at = sources.module.lines.offset(at).unwrap_or(function.body.start);
            sources.unsupported[index] = Some((at, what));
        }
    }
}

fn find_obstacle(sources: &Sources, index: usize) -> Option<Unsupported> {
    let function = &sources.module.functions[index];
    let mut builder = Builder::new(sources, None, 0);
    if function.typed {
        return Some(Unsupported { at: rhai::Position::NONE, what: "a method of a type of its own".into() });
    }
    let arguments = function.parameters.iter().map(|_| Node::read(builder.new_slot())).collect();
    builder.entry(index, arguments, None).err()
}

/// Lowers a script under the rules of the facts. Calls are inlined until a tree has `most_inlined` nodes.
///
/// # Errors
/// Returns what is not compiled.
pub fn lower(sources: &Sources, facts: &Facts, most_inlined: usize) -> Built<Hir> {
    let mut builder = Builder::new(sources, Some(facts), most_inlined);
    let moved = builder.new_slot();
    let mut trees = Vec::new();
    let classes: Vec<Option<Class>> = match sources.form {
        Form::Score => Class::iter().map(Some).collect(),
        Form::Choose => vec![None],
    };
    for class in classes {
        builder.cost = 0;
        let arguments = [Node::VIEW, Node::read(moved)].into_iter().take(1 + usize::from(class.is_some()));
        let known = class.map(|class| (moved, class));
        let node = builder.entry(sources.entry, arguments.collect(), known)?;
        trees.push(Tree { node, cost: builder.cost, role: Role::Entry(class) });
    }
    let mut next = 0;
    while let Some(instance) = builder.instances.get(next).cloned() {
        next += 1;
        let parameters: Vec<Slot> = instance.constants.iter().map(|_| builder.new_slot()).collect();
        builder.cost = 0;
        let node = builder.instance(&instance, &parameters)?;
        let call_depth = builder.call_depth;
        let name = sources.module.functions[instance.function].name.clone();
        let role = Role::Function { name, parameters, call_depth };
        trees.push(Tree { node, cost: builder.cost, role });
    }
    let memos: Vec<Node> = builder.memos.into_iter().map(|memo| memo.node).collect();
    let mut types = Inference::new(builder.slots, builder.labels, memos.len());
    types.slots[moved] = Types::MOVE;
    for tree in &trees {
        if let Role::Function { parameters, .. } = &tree.role {
            parameters.iter().for_each(|slot| types.slots[*slot] = Types::ALL);
        }
    }
    let lists: Vec<_> = sources.lists.iter().map(|list| list.values.clone()).collect();
    lists.iter().flatten().for_each(|value| types.keep(value.types()));
    types.run(&trees.iter().map(|tree| &tree.node).collect::<Vec<_>>(), &memos.iter().collect::<Vec<_>>());
    Ok(Hir { trees, memos, types, tables: Vec::new(), lists, moved })
}
