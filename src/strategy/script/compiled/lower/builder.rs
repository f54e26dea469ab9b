//! The state of lowering: names and their meanings, functions, costs.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Position;

use crate::interrupt;

use super::super::super::intrinsics::ViewProperty;
use super::super::super::module::Function;
use super::super::super::value::{MOST_ELEMENTS, Value};
use super::super::ast::Sources;
use super::super::facts::{Class, Facts};
use super::super::hir::{Label, Node, Slot};
use super::assigned::assigned_in;

/// Reason why a function is not compiled: a position, and a description of what is there.
#[derive(Clone, Debug)]
pub struct Obstacle {
    pub at: Position,
    pub what: String,
}

pub type Built<T> = Result<T, Obstacle>;

/// Maximum number of statements and expressions built for one set of rules: about a quarter of a second.
const MOST_BUILT: usize = 200_000;

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A value that does not change: a constant, a property of the view, a variable that is never assigned.
    Fixed(Node),
    Variable(Slot),
}

/// A function of the view alone, computed once per decision.
#[derive(Clone, Debug)]
pub struct Memo {
    pub(super) function: usize,
    pub(super) arguments: Vec<Known>,
    pub node: Node,
    pub(super) cost: u32,
    /// Its depth of calls.
    pub(super) call_depth: usize,
    /// Whether using it again counts the rounds of its loops again.
    pub(super) loops: bool,
}

/// A value that is constant within a decision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Known {
    Const(Value),
    ViewProperty(ViewProperty),
    Memo(usize),
}

/// A function that is called and not inlined, with those arguments that are constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    pub function: usize,
    pub constants: Vec<Option<Value>>,
}

/// The target loop of a `break` or `continue`.
#[derive(Clone, Copy)]
pub(super) struct InLoop {
    pub leave: Label,
    pub again: Label,
}

/// Builds the trees of one script for one set of rules.
pub struct Builder<'a> {
    pub(super) sources: &'a Sources,
    /// Without facts, a function is only checked for obstacles: nothing is folded or inlined.
    pub(super) facts: Option<&'a Facts>,
    pub slots: usize,
    pub labels: usize,
    pub memos: Vec<Memo>,
    pub instances: Vec<Instance>,
    /// Upper bound on the operations that Rhai counts for what was built, except for the rounds of loops.
    pub cost: u32,
    /// Classes of the moves in variables that are never assigned.
    pub(super) classes: BTreeMap<Slot, Class>,
    scope: Vec<(String, Binding)>,
    assigned: BTreeSet<String>,
    pub(super) inlining: Vec<usize>,
    /// The called function, within an instance.
    pub(super) called: Option<usize>,
    /// Depth of inlined calls since the entry or the called function.
    pub call_depth: usize,
    pub(super) function: Label,
    pub(super) loops: Vec<InLoop>,
    pub(super) size: usize,
    /// Number of nodes in all trees together, including discarded ones.
    built: usize,
    /// Number of nodes in a tree up to which calls are inlined.
    pub(super) most_inlined: usize,
}

impl<'a> Builder<'a> {
    pub fn new(sources: &'a Sources, facts: Option<&'a Facts>, most_inlined: usize) -> Builder<'a> {
        Builder {
            sources,
            facts,
            slots: 0,
            labels: 0,
            memos: Vec::new(),
            instances: Vec::new(),
            cost: 0,
            classes: BTreeMap::new(),
            scope: Vec::new(),
            assigned: BTreeSet::new(),
            inlining: Vec::new(),
            called: None,
            call_depth: 0,
            function: 0,
            loops: Vec::new(),
            size: 0,
            built: 0,
            most_inlined,
        }
    }

    pub fn new_slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    pub(super) fn new_label(&mut self) -> Label {
        self.labels += 1;
        self.labels - 1
    }

    pub(super) fn costs(&mut self, operations: u32) {
        self.cost = self.cost.saturating_add(operations);
    }

    /// Counts a statement or an expression that is built. Nested unrolled loops and loops over moves multiply, so the
    /// total is limited and not only each tree.
    pub(super) fn count_built(&mut self, at: Position) -> Built<()> {
        self.costs(1);
        self.size += 1;
        self.built += 1;
        if self.built > MOST_BUILT || self.built.is_multiple_of(4096) && interrupt::requested() {
            return Err(Obstacle { at, what: "the script is too large to be compiled".into() });
        }
        Ok(())
    }

    /// Charges what the interpreter counts for reading a list of maximum length, once for each time one is passed on.
    pub(super) fn costs_lists(&mut self, given: usize) {
        const EACH: u32 = (MOST_ELEMENTS / 16) as u32;
        if self.sources.has_lists {
            self.costs(EACH.saturating_mul(given as u32));
        }
    }

    pub(super) fn is_generic(&self) -> bool {
        self.facts.is_none()
    }

    /// Returns the class of the move in a node, if known.
    pub(super) fn class_of(&self, node: &Node) -> Option<Class> {
        if let Node::Read(slot) = node { self.classes.get(slot).copied() } else { None }
    }

    /// Builds the tree of a function that the game calls, with its parameters bound to these nodes.
    pub fn entry(&mut self, index: usize, arguments: Vec<Node>, class: Option<(Slot, Class)>) -> Built<Node> {
        self.size = 0;
        if let Some((slot, class)) = class {
            self.classes.insert(slot, class);
        }
        let node = self.inline(index, arguments);
        if let Some((slot, _)) = class {
            self.classes.remove(&slot);
        }
        node
    }

    /// Builds the tree of a called function. Its parameters are in the given variables, except for constants.
    pub fn instance(&mut self, instance: &Instance, parameters: &[Slot]) -> Built<Node> {
        (self.size, self.call_depth) = (0, 0);
        self.called = Some(instance.function);
        let bound = instance.constants.iter().zip(parameters).map(|(known, slot)| match known {
            Some(value) => Binding::Fixed(Node::Const(*value)),
            None => Binding::Variable(*slot),
        });
        let node = self.body(instance.function, bound.collect());
        self.called = None;
        node
    }

    /// Builds the body of a function as a block that `return` leaves.
    pub(super) fn body(&mut self, index: usize, parameters: Vec<Binding>) -> Built<Node> {
        let function: &'a Function = &self.sources.module.functions[index];
        let statements = function.statements();
        let names = function.parameters.iter().cloned().zip(parameters).collect();
        let outer_scope = std::mem::replace(&mut self.scope, names);
        let outer_assigned = std::mem::replace(&mut self.assigned, assigned_in(statements));
        let outer_loops = std::mem::take(&mut self.loops);
        let label = self.new_label();
        let outer_function = std::mem::replace(&mut self.function, label);
        self.costs(3);
        let node = self.block(statements);
        self.scope = outer_scope;
        self.assigned = outer_assigned;
        self.loops = outer_loops;
        self.function = outer_function;
        Ok(Node::Block(label, Box::new(node?)))
    }

    /// Returns the value of a name.
    pub(super) fn read(&self, name: &str, at: Position) -> Built<Node> {
        if let Some((_, binding)) = self.scope.iter().rev().find(|(known, _)| known == name) {
            return Ok(match binding {
                Binding::Fixed(node) => node.clone(),
                Binding::Variable(slot) => Node::Read(*slot),
            });
        }
        if let Some(list) = self.sources.lists.iter().position(|list| list.name == name) {
            return Ok(Node::ConstList(list));
        }
        match self.sources.constants.get(name) {
            Some(Some(value)) => Ok(Node::Const(*value)),
            Some(None) => {
                let what = format!(
                    "`{name}` is no number, truth value or card, and no list of at most {MOST_ELEMENTS} of them"
                );
                Err(Obstacle { at, what })
            }
            None => Err(Obstacle { at, what: format!("`{name}` stands for a function") }),
        }
    }

    /// Returns whether a name is one of the script's own: a variable, a parameter, a constant.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.scope.iter().any(|(known, _)| known == name) || self.sources.constants.contains_key(name)
    }

    /// Returns the variable that an assignment changes; `None` for a constant of the script.
    pub(super) fn variable(&self, name: &str) -> Option<Slot> {
        match self.scope.iter().rev().find(|(known, _)| known == name)? {
            (_, Binding::Variable(slot)) => Some(*slot),
            _ => None,
        }
    }

    /// Binds a new variable to a value, and returns the code for it.
    pub(super) fn bind(&mut self, name: &str, value: Node) -> Node {
        let fixed = !self.assigned.contains(name) && !self.is_generic();
        let lasting = match &value {
            Node::Const(_) | Node::ViewProperty(_) => true,
            // The value of one with loops is kept in a variable: reading that counts no rounds.
            Node::Memo(id) => !self.memos[*id].loops,
            Node::Read(slot) => self.classes.contains_key(slot) || self.is_never_assigned(*slot),
            _ => false,
        };
        if let Node::Read(_) = value {
            self.costs_lists(1);
        }
        if fixed && lasting {
            self.scope.push((name.into(), Binding::Fixed(value.clone())));
            // A function of the view is computed where it is called: it may have a fault.
            return if let Node::Memo(_) = value { Node::Seq(vec![value, Node::UNIT]) } else { Node::UNIT };
        }
        let slot = self.new_slot();
        let binding = if fixed { Binding::Fixed(Node::Read(slot)) } else { Binding::Variable(slot) };
        self.scope.push((name.into(), binding));
        Node::Let(slot, Box::new(value))
    }

    /// Binds a name to a node that replaces it wherever it is read.
    pub(super) fn bind_fixed(&mut self, name: &str, node: Node) {
        self.scope.push((name.into(), Binding::Fixed(node)));
    }

    pub(super) fn is_never_assigned(&self, slot: Slot) -> bool {
        self.scope.iter().any(|(_, b)| matches!(b, Binding::Fixed(Node::Read(fixed)) if *fixed == slot))
    }

    /// Returns whether a variable keeps one value throughout its scope.
    pub(super) fn is_lasting(&self, slot: Slot) -> bool {
        self.classes.contains_key(&slot) || self.is_never_assigned(slot)
    }

    /// Binds the variable of a loop, which every round sets.
    pub(super) fn bind_loop(&mut self, name: &str, class: Option<(Slot, Class)>) -> Slot {
        let slot = class.map_or_else(|| self.new_slot(), |(slot, _)| slot);
        if let Some((slot, class)) = class {
            self.classes.insert(slot, class);
        }
        let fixed = !self.assigned.contains(name);
        let binding = if fixed { Binding::Fixed(Node::Read(slot)) } else { Binding::Variable(slot) };
        self.scope.push((name.into(), binding));
        slot
    }

    pub(super) fn is_assigned(&self, name: &str) -> bool {
        self.assigned.contains(name)
    }

    pub(super) fn scope_len(&self) -> usize {
        self.scope.len()
    }

    pub(super) fn end_scope(&mut self, len: usize) {
        self.scope.truncate(len);
    }
}
