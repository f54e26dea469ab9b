//! Lowering: from Rhai's syntax tree to the HIR, with its types. Here is its state (names and their meanings, functions,
//! costs), and calls of the script's own functions: inlined, as memos, or as calls of the machine.

mod expressions;
mod statements;

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Position, Stmt};
use strum::IntoEnumIterator;

use crate::interrupt;
use crate::rules::Rules;

use super::super::limits::MAX_CALL_DEPTH;
use super::super::module::{Form, Function, walk};
use super::super::value::{MOST_ELEMENTS, Types, Value};
use super::facts::{Class, Sources};
use super::hir::{Hir, Inference, Kind, Label, Node, Role, Slot, Tree};

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

/// Lowers a script under these rules. Calls are inlined until a tree has `most_inlined` nodes.
pub fn lower(sources: &Sources, rules: &Rules, most_inlined: usize) -> Built<Hir> {
    let mut builder = Builder::new(sources, Some(rules), most_inlined);
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
    let players = builder.players;
    let memos: Vec<Node> = builder.memos.into_iter().map(|memo| memo.node).collect();
    let mut types = Inference::new(builder.slots, builder.labels, memos.len());
    types.slots[moved] = Types::MOVE;
    for tree in &trees {
        if let Role::Function { parameters, .. } = &tree.role {
            parameters.iter().for_each(|slot| types.slots[*slot] = Types::ALL);
        }
    }
    let lists: Vec<_> = sources.lists.iter().map(|(_, values)| values.clone()).collect();
    lists.iter().flatten().for_each(|value| types.keep(value.types()));
    types.run(&trees.iter().map(|tree| &tree.node).collect::<Vec<_>>(), &memos.iter().collect::<Vec<_>>());
    Ok(Hir { trees, memos, types, tables: Vec::new(), lists, players, moved })
}

/// Reason why a function is not compiled: a position, and a description of what is there.
#[derive(Clone, Debug)]
pub struct Unsupported {
    pub at: Position,
    pub what: String,
}

pub type Built<T> = Result<T, Unsupported>;

fn unsupported<T>(at: Position, what: impl Into<String>) -> Built<T> {
    Err(Unsupported { at, what: what.into() })
}

/// Maximum number of statements and expressions built for one set of rules: about a quarter of a second.
const MOST_BUILT: usize = 200_000;

/// Methods that change the list of a variable, with their numbers of arguments.
const CHANGES: [(&str, usize); 3] = [("push", 1), ("pop", 0), ("clear", 0)];

#[derive(Clone, Debug)]
enum Binding {
    /// A value that does not change: a constant, a property of the view, a variable that is never assigned.
    Fixed(Node),
    Variable(Slot),
}

/// A function of the view alone, computed once per decision.
#[derive(Clone, Debug)]
pub struct Memo {
    function: usize,
    /// Its arguments, which are constant within a decision.
    arguments: Vec<Kind>,
    pub node: Node,
    cost: u32,
    call_depth: usize,
    /// Whether using it again counts the rounds of its loops again.
    loops: bool,
}

/// A function that is called and not inlined, with those arguments that are constants.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    pub function: usize,
    pub constants: Vec<Option<Value>>,
}

#[derive(Clone, Copy)]
struct InLoop {
    pub leave: Label,
    pub again: Label,
}

/// Builds the trees of one script for one set of rules.
pub struct Builder<'a> {
    sources: &'a Sources,
    /// Without rules, a function is only checked for what is not compiled: nothing is folded or inlined.
    rules: Option<&'a Rules>,
    pub slots: usize,
    pub labels: usize,
    pub memos: Vec<Memo>,
    pub instances: Vec<Instance>,
    /// The players of sampled deals.
    players: Vec<String>,
    /// Upper bound on the operations that Rhai counts for what was built, except for the rounds of loops.
    pub cost: u32,
    /// Classes of the moves in variables that are never assigned.
    classes: BTreeMap<Slot, Class>,
    scope: Vec<(String, Binding)>,
    assigned: BTreeSet<String>,
    inlining: Vec<usize>,
    /// The called function, within an instance.
    called: Option<usize>,
    /// Depth of inlined calls since the entry or the called function.
    pub call_depth: usize,
    function: Label,
    loops: Vec<InLoop>,
    size: usize,
    /// Number of nodes in all trees together, including discarded ones.
    built: usize,
    /// Number of nodes in a tree up to which calls are inlined.
    most_inlined: usize,
}

impl<'a> Builder<'a> {
    pub fn new(sources: &'a Sources, rules: Option<&'a Rules>, most_inlined: usize) -> Builder<'a> {
        Builder {
            sources,
            rules,
            slots: 0,
            labels: 0,
            memos: Vec::new(),
            instances: Vec::new(),
            players: Vec::new(),
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

    fn new_label(&mut self) -> Label {
        self.labels += 1;
        self.labels - 1
    }

    /// Stores a value in a new variable, whose declaration goes to `before`, and returns a read of it.
    fn save(&mut self, value: Node, before: &mut Vec<Node>) -> Node {
        let slot = self.new_slot();
        before.push(Node::declare(slot, value));
        Node::read(slot)
    }

    fn costs(&mut self, operations: u32) {
        self.cost = self.cost.saturating_add(operations);
    }

    /// Counts a statement or an expression that is built. Nested unrolled loops and loops over moves multiply, so the total is limited and
    /// not only each tree.
    fn count_built(&mut self, at: Position) -> Built<()> {
        self.costs(1);
        self.size += 1;
        self.built += 1;
        if self.built > MOST_BUILT || self.built.is_multiple_of(4096) && interrupt::requested() {
            return unsupported(at, "the script is too large to be compiled");
        }
        Ok(())
    }

    /// Charges what the interpreter counts for reading a list of maximum length, once for each time one is passed on.
    fn costs_lists(&mut self, given: usize) {
        const EACH: u32 = (MOST_ELEMENTS / 16) as u32;
        if self.sources.has_lists {
            self.costs(EACH.saturating_mul(given as u32));
        }
    }

    fn is_generic(&self) -> bool {
        self.rules.is_none()
    }

    /// Returns whether a node is the view, or may be if functions are only checked.
    fn is_view(&self, node: &Node) -> bool {
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
    fn body(&mut self, index: usize, parameters: Vec<Binding>) -> Built<Node> {
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

    fn read(&self, name: &str, at: Position) -> Built<Node> {
        match self.binding(name) {
            Some(Binding::Fixed(node)) => return Ok(node.clone()),
            Some(Binding::Variable(slot)) => return Ok(Node::read(*slot)),
            None => {}
        }
        if let Some(list) = self.sources.lists.iter().position(|(list, _)| list == name) {
            return Ok(Node::leaf(Kind::ConstList(list)));
        }
        let Some(constant) = self.sources.module.constant(name) else {
            return unsupported(at, format!("`{name}` stands for a function"));
        };
        constant.value.as_ref().and_then(Value::of).map(Node::constant).ok_or_else(|| Unsupported {
            at,
            what: format!(
                "`{name}` is no number, truth value or card, and no list of at most {MOST_ELEMENTS} of them"
            ),
        })
    }

    fn is_known(&self, name: &str) -> bool {
        self.binding(name).is_some() || self.sources.module.constant(name).is_some()
    }

    /// Returns the variable that an assignment changes; `None` for a constant of the script.
    fn variable(&self, name: &str) -> Option<Slot> {
        if let Binding::Variable(slot) = self.binding(name)? { Some(*slot) } else { None }
    }

    /// Binds a new variable to a value, and returns the code for it.
    fn bind(&mut self, name: &str, value: Node) -> Node {
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

    fn bind_slot(&mut self, name: &str, slot: Slot, fixed: bool) {
        let binding = if fixed { Binding::Fixed(Node::read(slot)) } else { Binding::Variable(slot) };
        self.scope.push((name.into(), binding));
    }

    /// Returns whether a node has one value throughout the scope of a variable bound to it.
    fn is_lasting(&self, node: &Node) -> bool {
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

    fn bind_loop(&mut self, name: &str) -> Slot {
        let slot = self.new_slot();
        self.bind_slot(name, slot, !self.is_assigned(name));
        slot
    }

    fn is_assigned(&self, name: &str) -> bool {
        self.assigned.contains(name)
    }
}

/// Returns the names that are assigned anywhere in statements, or whose lists are changed.
fn assigned_in(statements: &[Stmt]) -> BTreeSet<String> {
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
fn changed(root: &Expr, rest: &Expr) -> Option<String> {
    let (Expr::Variable(x, ..), Expr::MethodCall(call, _)) = (root, rest) else { return None };
    let is_change = |(name, arguments): &(&str, usize)| call.name == *name && call.args.len() == *arguments;
    CHANGES.iter().any(is_change).then(|| x.1.to_string())
}

impl<'a> Builder<'a> {
    fn call(&mut self, index: usize, arguments: Vec<Node>) -> Built<Node> {
        let sources = self.sources;
        let function = &sources.module.functions[index];
        self.costs_lists(arguments.iter().filter(|argument| matches!(argument.kind, Kind::Read(_))).count());
        if self.is_generic() {
            return Ok(Node::new(Kind::Call(index, 0), arguments));
        }
        let depth = self.inlining.len();
        if depth >= MAX_CALL_DEPTH {
            return Ok(Node::FAULT);
        }
        if sources.unsupported[index].is_some() {
            self.costs(8);
            return Ok(Node::new(Kind::Interpret(index, depth), arguments));
        }
        if function.statements().is_empty() {
            self.costs(3);
            return Ok(Node::UNIT.preceded(arguments));
        }
        let recursive = self.inlining.contains(&index) || self.called == Some(index);
        if recursive || self.size > self.most_inlined {
            return Ok(self.call_instance(index, arguments));
        }
        // The depth of a called function is known only when it is called, and a memo must not go too deep.
        let known = |node: &Node| match node.kind {
            Kind::Const(_) | Kind::ViewProperty(_) | Kind::Memo(_) => Some(node.kind.clone()),
            _ => None,
        };
        let known: Option<Vec<Kind>> = arguments.iter().map(known).collect();
        let known = known.filter(|_| self.called.is_none());
        if let Some(known) = &known
            && let Some(id) = self.memos.iter().position(|m| m.function == index && m.arguments == *known)
        {
            self.costs(self.memos[id].cost);
            let deepest = depth + self.memos[id].call_depth;
            self.call_depth = self.call_depth.max(deepest);
            return Ok(if deepest > MAX_CALL_DEPTH { Node::FAULT } else { Node::leaf(Kind::Memo(id)) });
        }
        let outer_cost = std::mem::take(&mut self.cost);
        let outer_depth = std::mem::replace(&mut self.call_depth, depth + 1);
        self.inlining.push(index);
        let node = self.inline(index, arguments);
        self.inlining.truncate(depth);
        let call_depth = self.call_depth - depth;
        self.call_depth = self.call_depth.max(outer_depth);
        let cost = std::mem::replace(&mut self.cost, outer_cost);
        self.costs(cost);
        let node = node?;
        match known {
            Some(arguments)
                if node.size() > 3 && !node.any(&mut |kind| !kind.is_pure()) && !self.gives_list(&node) =>
            {
                let loops = node.any(&mut |kind| match kind {
                    Kind::Memo(id) => self.memos[*id].loops,
                    kind => kind.is_of_length(),
                });
                self.memos.push(Memo { function: index, arguments, node, cost, call_depth, loops });
                Ok(Node::leaf(Kind::Memo(self.memos.len() - 1)))
            }
            _ => Ok(node),
        }
    }

    /// Returns whether the value may be a list. Lists exist only during one score, while memos last for a decision.
    fn gives_list(&self, node: &Node) -> bool {
        if !node.any(&mut Kind::is_of_lists) {
            return false;
        }
        let memos: Vec<&Node> = self.memos.iter().map(|memo| &memo.node).collect();
        let mut types = Inference::new(self.slots, self.labels, memos.len());
        types.run(&[node], &memos);
        types.of(node).has(Types::LIST)
    }

    fn call_instance(&mut self, index: usize, arguments: Vec<Node>) -> Node {
        self.costs(4);
        let constants = arguments.iter().map(|a| a.value().filter(|v| *v == Value::VIEW)).collect();
        let instance = Instance { function: index, constants };
        let number = self.instances.iter().position(|known| *known == instance).unwrap_or_else(|| {
            self.instances.push(instance);
            self.instances.len() - 1
        });
        Node::new(Kind::Call(number, self.inlining.len() + 1), arguments)
    }

    fn inline(&mut self, index: usize, arguments: Vec<Node>) -> Built<Node> {
        let function: &'a Function = &self.sources.module.functions[index];
        let assigned = assigned_in(function.statements());
        let (mut before, mut bound) = (Vec::new(), Vec::new());
        for (name, argument) in function.parameters.iter().zip(arguments) {
            let (lasting, fixed) = (self.is_lasting(&argument), !assigned.contains(name));
            if lasting && let Kind::Memo(_) = argument.kind {
                before.push(argument.clone());
            }
            let value = if lasting && fixed { argument } else { self.save(argument, &mut before) };
            bound.push(match value.kind {
                Kind::Read(slot) if !fixed => Binding::Variable(slot),
                _ => Binding::Fixed(value),
            });
        }
        Ok(self.body(index, bound)?.preceded(before))
    }
}
