//! The state of lowering: names and their meanings, functions, costs.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Position, Stmt};

use crate::interrupt;

use super::super::super::module::Function;
use super::super::super::value::{MOST_ELEMENTS, Value};
use super::super::super::walk::walk;
use super::super::ast::Sources;
use super::super::facts::{Class, Facts};
use super::super::hir::{Kind, Label, Node, Slot};

/// Reason why a function is not compiled: a position, and a description of what is there.
#[derive(Clone, Debug)]
pub struct Unsupported {
    pub at: Position,
    pub what: String,
}

pub type Built<T> = Result<T, Unsupported>;

pub(super) fn unsupported<T>(at: Position, what: impl Into<String>) -> Built<T> {
    Err(Unsupported { at, what: what.into() })
}

/// Maximum number of statements and expressions built for one set of rules: about a quarter of a second.
const MOST_BUILT: usize = 200_000;

/// Methods that change the list of a variable, with their numbers of arguments.
const CHANGES: [(&str, usize); 3] = [("push", 1), ("pop", 0), ("clear", 0)];

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
    /// Its arguments, which are constant within a decision.
    pub(super) arguments: Vec<Kind>,
    pub node: Node,
    pub(super) cost: u32,
    /// Its depth of calls.
    pub(super) call_depth: usize,
    /// Whether using it again counts the rounds of its loops again.
    pub(super) loops: bool,
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
    /// Without facts, a function is only checked for unsupported: nothing is folded or inlined.
    pub(super) facts: Option<&'a Facts>,
    pub slots: usize,
    pub labels: usize,
    pub memos: Vec<Memo>,
    pub instances: Vec<Instance>,
    /// Upper bound on the operations that Rhai counts for what was built, except for the rounds of loops.
    pub cost: u32,
    /// Classes of the moves in variables that are never assigned.
    pub(super) classes: BTreeMap<Slot, Class>,
    pub(super) scope: Vec<(String, Binding)>,
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

    /// Stores a value in a new variable, whose declaration goes to `before`, and returns a read of it.
    pub(super) fn save(&mut self, value: Node, before: &mut Vec<Node>) -> Node {
        let slot = self.new_slot();
        before.push(Node::declare(slot, value));
        Node::read(slot)
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
            return unsupported(at, "the script is too large to be compiled");
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

    /// Returns whether a node is the view, or may be if functions are only checked.
    pub(super) fn is_view(&self, node: &Node) -> bool {
        node.is(Value::VIEW) || self.is_generic()
    }

    /// Builds the tree of a function that the game calls, with its parameters bound to these nodes.
    pub fn entry(&mut self, index: usize, arguments: Vec<Node>, class: Option<(Slot, Class)>) -> Built<Node> {
        self.size = 0;
        self.classes.extend(class);
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
            Some(value) => Binding::Fixed(Node::constant(*value)),
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
        Ok(Node::block(label, node?))
    }

    fn binding(&self, name: &str) -> Option<&Binding> {
        self.scope.iter().rev().find(|(known, _)| known == name).map(|(_, binding)| binding)
    }

    /// Returns the value of a name.
    pub(super) fn read(&self, name: &str, at: Position) -> Built<Node> {
        match self.binding(name) {
            Some(Binding::Fixed(node)) => return Ok(node.clone()),
            Some(Binding::Variable(slot)) => return Ok(Node::read(*slot)),
            None => {}
        }
        if let Some(list) = self.sources.lists.iter().position(|list| list.name == name) {
            return Ok(Node::leaf(Kind::ConstList(list)));
        }
        match self.sources.constants.get(name) {
            Some(Some(value)) => Ok(Node::constant(*value)),
            Some(None) => unsupported(
                at,
                format!(
                    "`{name}` is no number, truth value or card, and no list of at most {MOST_ELEMENTS} of them"
                ),
            ),
            None => unsupported(at, format!("`{name}` stands for a function")),
        }
    }

    /// Returns whether a name is one of the script's own: a variable, a parameter, a constant.
    pub(super) fn is_known(&self, name: &str) -> bool {
        self.binding(name).is_some() || self.sources.constants.contains_key(name)
    }

    /// Returns the variable that an assignment changes; `None` for a constant of the script.
    pub(super) fn variable(&self, name: &str) -> Option<Slot> {
        if let Binding::Variable(slot) = self.binding(name)? { Some(*slot) } else { None }
    }

    /// Binds a new variable to a value, and returns the code for it.
    pub(super) fn bind(&mut self, name: &str, value: Node) -> Node {
        let fixed = !self.is_assigned(name) && !self.is_generic();
        if let Kind::Read(_) = value.kind {
            self.costs_lists(1);
        }
        if fixed && self.is_lasting(&value) {
            // A function of the view is computed where it is called: it may have a fault.
            let computed = if let Kind::Memo(_) = value.kind { vec![value.clone()] } else { Vec::new() };
            self.scope.push((name.into(), Binding::Fixed(value)));
            return Node::UNIT.preceded(computed);
        }
        let slot = self.new_slot();
        self.bind_slot(name, slot, fixed);
        Node::declare(slot, value)
    }

    pub(super) fn bind_slot(&mut self, name: &str, slot: Slot, fixed: bool) {
        let binding = if fixed { Binding::Fixed(Node::read(slot)) } else { Binding::Variable(slot) };
        self.scope.push((name.into(), binding));
    }

    /// Returns whether a node has one value throughout the scope of a variable bound to it.
    pub(super) fn is_lasting(&self, node: &Node) -> bool {
        match &node.kind {
            Kind::Const(_) | Kind::ViewProperty(_) => true,
            // The value of one with loops is kept in a variable: reading that counts no rounds.
            Kind::Memo(id) => !self.memos[*id].loops,
            Kind::Read(slot) => {
                let is_fixed = |binding: &Binding| matches!(binding, Binding::Fixed(Node { kind: Kind::Read(of), .. }) if of == slot);
                self.classes.contains_key(slot) || self.scope.iter().any(|(_, binding)| is_fixed(binding))
            }
            _ => false,
        }
    }

    /// Binds the variable of a loop, which every round sets.
    pub(super) fn bind_loop(&mut self, name: &str) -> Slot {
        let slot = self.new_slot();
        self.bind_slot(name, slot, !self.is_assigned(name));
        slot
    }

    pub(super) fn is_assigned(&self, name: &str) -> bool {
        self.assigned.contains(name)
    }
}

/// Returns the names that are assigned anywhere in statements, or whose lists are changed.
pub(super) fn assigned_in(statements: &[Stmt]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    walk(statements, &mut |node| match node {
        ASTNode::Stmt(Stmt::Assignment(x)) => {
            let target = match &x.1.lhs {
                Expr::Index(x, ..) => &x.lhs,
                other => other,
            };
            if let Expr::Variable(x, ..) = target {
                names.insert(x.1.to_string());
            }
        }
        ASTNode::Expr(Expr::Dot(dot, ..)) => names.extend(changed(&dot.lhs, &dot.rhs)),
        _ => {}
    });
    names
}

/// Returns the variable whose list a chain changes, if it is such a chain.
pub(super) fn changed(root: &Expr, rest: &Expr) -> Option<String> {
    let (Expr::Variable(x, ..), Expr::MethodCall(call, _)) = (root, rest) else { return None };
    let is_change = |(name, arguments): &(&str, usize)| call.name == *name && call.args.len() == *arguments;
    CHANGES.iter().any(is_change).then(|| x.1.to_string())
}
