//! The typed HIR (high-level intermediate representation): the form between Rhai's syntax tree and bytecode.
//!
//! Everything is resolved in it. Names are gone (a variable is a [`Slot`]), calls are inlined, what is known at load is
//! folded, and every early exit of a block (`return`, `break`, `continue`) is one [`Kind::Leave`]. [`Inference`]
//! determines the types of everything.
//!
//! A [`Node`] is a [`Kind`] with its parts, so that most code treats all kinds alike. A new operation of the machine is
//! a kind, its types in [`Kind::takes`] and [`Kind::types`], its name in `Hir::name`, and its op in `emit/value.rs`.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use super::super::intrinsics::{
    CardProperty, ChangedBy, Intrinsic, MoveProperty, SeatProperty, ViewProperty,
};
use super::super::value::{Types, Value};
use super::bytecode::{Arith, Compare, Single};
use super::facts::Class;

pub type Slot = usize;
/// A block that can be left.
pub type Label = usize;

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// Its parts, in the order of evaluation.
    pub parts: Vec<Node>,
}

/// What a node does with its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    Const(Value),
    Read(Slot),
    /// A new variable, which lives to the end of its sequence. Its value is `()`.
    Let(Slot),
    /// An assignment. Its value is `()`.
    Set(Slot),
    /// Evaluates to the last part; `()` if there is none.
    Seq,
    Arith(Arith),
    Compare(Compare),
    Single(Single),
    Not,
    And,
    Or,
    /// The test, and a part for each of its results.
    If,
    /// A block that [`Kind::Leave`] may leave with a value.
    Block(Label),
    Leave(Label),
    /// An endless loop, unless it is left. Each round counts as this many operations.
    Endless(u32),
    Loop(Loop),
    ViewProperty(ViewProperty),
    Intrinsic(Intrinsic),
    MoveProperty(MoveProperty),
    CardProperty(CardProperty),
    SeatProperty(SeatProperty),
    Memory,
    /// Stores a number in `memory`: the index, and the number. Its value is `()`.
    SetMemory,
    List,
    /// A list that is a constant of the script, by its index.
    ConstList(usize),
    /// A separate copy of a list; any other value itself.
    Own,
    /// An element of a list: the list, and the index.
    Element,
    Len,
    /// A change of the list of a variable. Its value is `()`, except for a removed element.
    Change(Slot, Change),
    /// The view after a move. It occurs only while trees are built, and is asked for what follows from the move alone.
    After,
    /// A playout by the player with this index: the number of the deal, and the move that comes before, if there is one.
    Playout(u8),
    MoveCount,
    /// The result of a function of the view alone, computed once per decision.
    Memo(usize),
    /// A number or boolean that depends only on a card.
    Table(usize),
    /// A function of the script that is not inlined, with the depth of calls it is called at.
    Call(usize, usize),
    /// A function of the script that is interpreted.
    Interpret(usize, usize),
    /// The interpreter reports the fault here.
    Fault,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    Push,
    /// Replaces an element: the parts are the index, and the element.
    Put,
    /// Removes the last element; the value is `()` if there is none.
    Pop,
    Clear,
}

/// The variables of a loop; each round counts as `cost` operations.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    pub over: Over,
    pub variable: Slot,
    /// A counter of rounds, from 0.
    pub counter: Option<Slot>,
    pub cost: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Over {
    /// The parts are the bounds and the body.
    Range { inclusive: bool },
    /// The parts are the list and the body.
    List,
    /// The parts are the bodies for these classes of moves, or a single one.
    Moves(Vec<Option<Class>>),
}

#[derive(Clone, Debug)]
pub struct Hir {
    /// Those that the game calls come first, then the functions that are called and not inlined.
    pub trees: Vec<Tree>,
    /// Functions of the view alone, computed once per decision.
    pub memos: Vec<Node>,
    pub types: Inference,
    pub tables: Vec<Table>,
    pub lists: Vec<Vec<Value>>,
    pub players: Vec<String>,
    /// The variable that holds the move of a `score`.
    pub moved: Slot,
}

#[derive(Clone, Debug)]
pub struct Tree {
    pub node: Node,
    /// Upper bound on the operations that Rhai counts for it, except for the rounds of loops.
    pub cost: u32,
    pub role: Role,
}

/// The caller of a tree.
#[derive(Clone, Debug)]
pub enum Role {
    /// The game: for a class of moves, or to choose one.
    Entry(Option<Class>),
    /// Other trees.
    Function {
        name: String,
        parameters: Vec<Slot>,
        /// The depth of calls inlined in it.
        call_depth: usize,
    },
}

/// What depends on one card: a value for each kind of card, and at 63 for `()`.
pub type Table = [i64; 64];

/// Marks a fault among the values; a table that contains this number is not created.
pub const FAULT: i64 = i64::MIN + 63;

impl Hir {
    pub fn nodes(&self) -> impl Iterator<Item = &Node> {
        self.trees.iter().map(|tree| &tree.node).chain(&self.memos)
    }

    /// Applies a pass to all trees and memos, with the types and tables that it may change.
    pub fn rewrite(&mut self, mut pass: impl FnMut(&mut Node, &mut Inference, &mut Vec<Table>)) {
        let Hir { trees, memos, types, tables, .. } = self;
        trees.iter_mut().map(|tree| &mut tree.node).chain(memos).for_each(|node| pass(node, types, tables));
    }
}

impl Kind {
    /// Returns the types of the arguments of an operation of the machine; `None` for any other kind.
    pub fn takes(&self) -> Option<Vec<Types>> {
        Some(match self {
            Kind::Single(_) | Kind::Memory => vec![Types::INT],
            Kind::SetMemory => vec![Types::INT, Types::INT],
            Kind::Not => vec![Types::BOOL],
            Kind::CardProperty(_) => vec![Types::CARD],
            Kind::MoveProperty(_) => vec![Types::MOVE],
            Kind::SeatProperty(_) => vec![Types::SEAT],
            Kind::Intrinsic(of) => of.arguments(),
            Kind::Playout(_) => vec![Types::INT, Types::MOVE],
            Kind::Len => vec![Types::LIST],
            Kind::MoveCount => vec![],
            _ => return None,
        })
    }

    /// Returns the types of a value, if they follow from the kind.
    pub fn types(&self) -> Types {
        match self {
            Kind::Compare(_) | Kind::Not | Kind::And | Kind::Or => Types::BOOL,
            Kind::Single(op) => op.types(),
            Kind::CardProperty(of) => of.types(),
            Kind::MoveProperty(of) => of.types(),
            Kind::SeatProperty(of) => of.types(),
            Kind::ViewProperty(of) => of.types(),
            Kind::Intrinsic(of) => of.types(),
            Kind::Memory | Kind::Playout(_) | Kind::Len | Kind::MoveCount => Types::INT,
            Kind::List | Kind::ConstList(_) => Types::LIST,
            Kind::After => Types::VIEW,
            Kind::Call(..) | Kind::Interpret(..) => Types::ALL,
            Kind::SetMemory | Kind::Change(..) => Types::UNIT,
            _ => Types::NONE,
        }
    }

    /// Returns whether it changes an outer variable, or `memory`.
    pub fn assigns(&self) -> bool {
        self.changes().is_some() || matches!(self, Kind::SetMemory)
    }

    pub fn changes(&self) -> Option<Slot> {
        match self {
            Kind::Set(slot) | Kind::Change(slot, _) => Some(*slot),
            _ => None,
        }
    }

    /// Returns whether it calls something that may change `memory`.
    pub fn calls(&self) -> bool {
        matches!(self, Kind::Call(..) | Kind::Interpret(..))
    }

    /// Returns whether it may read `memory`.
    pub fn remembers(&self) -> bool {
        self.calls() || matches!(self, Kind::Memory)
    }

    pub fn is_of_lists(&self) -> bool {
        matches!(self, Kind::List | Kind::ConstList(_) | Kind::Own | Kind::Element | Kind::Len)
            || matches!(self, Kind::Change(..) | Kind::Loop(Loop { over: Over::List, .. }))
    }

    /// Returns whether its operations depend on its data: a loop, or a list.
    pub fn is_of_length(&self) -> bool {
        matches!(self, Kind::Endless(_) | Kind::Loop(_))
            || self.is_of_lists() && !matches!(self, Kind::ConstList(_))
    }

    /// Returns whether evaluating it again in the same decision gives the same value, and costs nothing else.
    pub fn is_pure(&self) -> bool {
        match self {
            Kind::Intrinsic(ask) => ask.is_pure(),
            Kind::Memory | Kind::SetMemory | Kind::Playout(_) => false,
            _ => !self.calls(),
        }
    }

    /// Returns whether it may draw numbers from the game's stream, store any in `memory`, or print.
    pub fn draws_numbers(&self) -> bool {
        self.calls() || matches!(self, Kind::Intrinsic(Intrinsic::Random) | Kind::SetMemory)
    }
}

impl Node {
    pub const UNIT: Node = Node::leaf(Kind::Const(Value::UNIT));
    pub const VIEW: Node = Node::leaf(Kind::Const(Value::VIEW));
    pub const FAULT: Node = Node::leaf(Kind::Fault);

    pub fn new(kind: Kind, parts: impl Into<Vec<Node>>) -> Node {
        Node { kind, parts: parts.into() }
    }

    pub const fn leaf(kind: Kind) -> Node {
        Node { kind, parts: Vec::new() }
    }

    pub const fn constant(value: Value) -> Node {
        Node::leaf(Kind::Const(value))
    }

    pub const fn int(n: i64) -> Node {
        Node::constant(Value::int(n))
    }

    pub const fn bool(b: bool) -> Node {
        Node::constant(Value::bool(b))
    }

    pub const fn read(slot: Slot) -> Node {
        Node::leaf(Kind::Read(slot))
    }

    pub fn declare(slot: Slot, value: Node) -> Node {
        Node::new(Kind::Let(slot), [value])
    }

    pub fn block(label: Label, body: Node) -> Node {
        Node::new(Kind::Block(label), [body])
    }

    pub fn leave(label: Label, value: Node) -> Node {
        Node::new(Kind::Leave(label), [value])
    }

    pub fn when(test: Node, yes: Node, no: Node) -> Node {
        Node::new(Kind::If, [test, yes, no])
    }

    pub fn preceded(self, mut before: Vec<Node>) -> Node {
        if before.is_empty() {
            return self;
        }
        before.push(self);
        Node::new(Kind::Seq, before)
    }

    pub fn value(&self) -> Option<Value> {
        if let Kind::Const(value) = self.kind { Some(value) } else { None }
    }

    pub fn is(&self, value: Value) -> bool {
        self.value() == Some(value)
    }

    /// Returns whether a test holds for the kind of the node or of anything in it.
    pub fn any(&self, test: &mut dyn FnMut(&Kind) -> bool) -> bool {
        test(&self.kind) || self.parts.iter().any(|part| part.any(test))
    }

    pub fn each_kind(&self, visit: &mut dyn FnMut(&Kind)) {
        visit(&self.kind);
        self.parts.iter().for_each(|part| part.each_kind(visit));
    }

    pub fn assigns(&self) -> bool {
        self.any(&mut Kind::assigns)
    }

    /// Returns whether it always leaves, so that nothing after it is reached.
    pub fn leaves(&self) -> bool {
        match (&self.kind, &self.parts[..]) {
            (Kind::Leave(_) | Kind::Fault | Kind::Endless(_), _) => true,
            (Kind::Seq, all) => all.iter().any(Node::leaves),
            (Kind::If, [_, yes, no]) => yes.leaves() && no.leaves(),
            _ => false,
        }
    }

    /// Returns its value in every case, if known.
    pub fn outcome(&self) -> Option<Value> {
        match (&self.kind, &self.parts[..]) {
            (Kind::Const(value), _) => Some(*value),
            (Kind::Block(label), [body]) => match (&body.kind, &body.parts[..]) {
                (Kind::Leave(left), [value]) if left == label => value.outcome(),
                (Kind::Leave(_), _) => None,
                _ => body.outcome(),
            },
            _ => None,
        }
    }

    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(Node::size).sum::<usize>()
    }
}

#[derive(Clone, Debug, Default)]
pub struct Inference {
    pub slots: Vec<Types>,
    pub labels: Vec<Types>,
    pub memos: Vec<Types>,
    pub tables: Vec<Types>,
    /// Those of all list elements together.
    pub elements: Types,
    changed: bool,
}

fn add(to: &mut Types, types: Types, changed: &mut bool) {
    let all = to.with(types);
    *changed |= all != *to;
    *to = all;
}

impl Inference {
    pub fn new(slots: usize, labels: usize, memos: usize) -> Inference {
        let none = |n| vec![Types::NONE; n];
        Inference { slots: none(slots), labels: none(labels), memos: none(memos), ..Inference::default() }
    }

    /// Infers the types of everything in these trees; `memos` are the trees of the memos.
    pub fn run(&mut self, trees: &[&Node], memos: &[&Node]) {
        loop {
            self.changed = false;
            for tree in trees {
                self.of(tree);
            }
            for (i, memo) in memos.iter().enumerate() {
                let types = self.of(memo);
                add(&mut self.memos[i], types, &mut self.changed);
            }
            if !self.changed {
                return;
            }
        }
    }

    fn assign(&mut self, slot: usize, types: Types) {
        add(&mut self.slots[slot], types, &mut self.changed);
    }

    /// Records that an element of these types is put into a list. Neither a list nor the view can be one.
    pub fn keep(&mut self, types: Types) {
        add(&mut self.elements, types.and(Types::ELEMENT), &mut self.changed);
    }

    fn of_each(&mut self, nodes: &[Node]) -> Types {
        nodes.iter().fold(Types::NONE, |all, node| all.with(self.of(node)))
    }

    /// Returns the types of a value; none if it never has one.
    pub fn of(&mut self, node: &Node) -> Types {
        match (&node.kind, &node.parts[..]) {
            (Kind::Const(value), _) => value.types(),
            (Kind::Read(slot), _) => self.slots[*slot],
            (Kind::Memo(id), _) => self.memos[*id],
            (Kind::Let(slot) | Kind::Set(slot), [value]) => {
                let types = self.of(value);
                self.assign(*slot, types);
                Types::UNIT
            }
            (Kind::Seq, all) => {
                let mut types = Types::UNIT;
                for node in all {
                    types = self.of(node);
                    if matches!(node.kind, Kind::Leave(_) | Kind::Fault) {
                        return Types::NONE;
                    }
                }
                types
            }
            (Kind::Arith(op), [a, b]) => {
                let both = self.of(a).and(self.of(b));
                match op {
                    Arith::And | Arith::Or | Arith::Xor => both.and(Types::INT.with(Types::BOOL)),
                    _ => both.and(Types::INT),
                }
            }
            (Kind::If, [test, yes, no]) => {
                self.of(test);
                self.of(yes).with(self.of(no))
            }
            (Kind::Block(label), [body]) => {
                let types = self.of(body);
                types.with(self.labels[*label])
            }
            (Kind::Leave(label), [value]) => {
                let types = self.of(value);
                add(&mut self.labels[*label], types, &mut self.changed);
                Types::NONE
            }
            (Kind::Loop(each), parts) => {
                let types = match each.over {
                    Over::Range { .. } => Types::INT,
                    Over::List => self.elements,
                    Over::Moves(_) => Types::MOVE,
                };
                self.assign(each.variable, types);
                each.counter.into_iter().for_each(|slot| self.assign(slot, Types::INT));
                self.of_each(parts);
                Types::UNIT
            }
            (Kind::List, all) => {
                let types = self.of_each(all);
                self.keep(types);
                Types::LIST
            }
            (Kind::Change(_, change), parts) => {
                self.of_each(parts);
                let kept = parts.last().map_or(Types::NONE, |value| self.of(value));
                self.keep(kept);
                if *change == Change::Pop { self.elements.with(Types::UNIT) } else { Types::UNIT }
            }
            (Kind::Own, [of]) => self.of(of),
            (kind, parts) => {
                self.of_each(parts);
                match kind {
                    Kind::Element => self.elements,
                    Kind::Table(id) => self.tables[*id],
                    kind => kind.types(),
                }
            }
        }
    }
}

/// Facts about a memo, including the memos it uses.
#[derive(Clone, Copy, Debug)]
pub struct MemoFacts {
    /// Whether it depends only on reserves and piles, and so changes only with plays.
    pub of_arrangement: bool,
    /// Whether it contains a loop.
    pub loops: bool,
}

impl MemoFacts {
    /// Returns the facts about all memos. A memo uses only earlier ones, so each is analysed once.
    pub fn of_all(memos: &[Node]) -> Vec<MemoFacts> {
        let mut known: Vec<MemoFacts> = Vec::with_capacity(memos.len());
        for memo in memos {
            let of_arrangement = !memo.any(&mut |kind| match kind {
                Kind::Memo(id) => !known[*id].of_arrangement,
                kind => depends_on_more(kind),
            });
            let loops = memo.any(&mut |kind| match kind {
                Kind::Memo(id) => known[*id].loops,
                kind => kind.is_of_length(),
            });
            known.push(MemoFacts { of_arrangement, loops });
        }
        known
    }
}

fn is_of_arrangement(ask: Intrinsic) -> bool {
    use Intrinsic::{Pile, PileLen, PileTop, Reserve, ReserveLen, ReservePile};
    matches!(ask, Reserve | ReservePile | ReserveLen | PileLen | PileTop | Pile)
}

fn depends_on_more(kind: &Kind) -> bool {
    match kind {
        Kind::ViewProperty(property) => property.changed_by() != ChangedBy::Plays,
        Kind::Intrinsic(ask) => !is_of_arrangement(*ask),
        Kind::CardProperty(of) => *of == CardProperty::Up,
        Kind::MoveProperty(_) | Kind::SeatProperty(_) | Kind::MoveCount => true,
        Kind::Loop(Loop { over: Over::Moves(_), .. }) => true,
        kind => !kind.is_pure(),
    }
}

/// Returns the classes of moves for which the function that decides looks at what a draw changes, one bit each.
pub fn stock_dependent(hir: &Hir) -> u16 {
    let mut search = StockSearch { memos: &hir.memos, seen: BTreeSet::new(), found: 0 };
    for Tree { node, role, .. } in &hir.trees {
        if let Role::Entry(class) = role {
            search.visit(node, *class);
        }
    }
    search.found
}

struct StockSearch<'h> {
    memos: &'h [Node],
    /// Memos already analysed, with the class of moves.
    seen: BTreeSet<(usize, Option<Class>)>,
    found: u16,
}

impl StockSearch<'_> {
    /// Records the classes for which a tree looks at what a draw changes; `class` is that of the tree, if it is for one.
    fn visit(&mut self, node: &Node, class: Option<Class>) {
        if looks_at_stock(&node.kind, class) {
            self.found |= class.map_or(u16::MAX, |class| 1 << class as u16);
        }
        match &node.kind {
            Kind::Memo(id) if self.seen.insert((*id, class)) => self.visit(&self.memos[*id], class),
            Kind::Loop(Loop { over: Over::Moves(classes), .. }) => {
                classes.iter().zip(&node.parts).for_each(|(of, body)| self.visit(body, of.or(class)));
            }
            _ => node.parts.iter().for_each(|part| self.visit(part, class)),
        }
    }
}

fn looks_at_stock(kind: &Kind, class: Option<Class>) -> bool {
    match kind {
        Kind::ViewProperty(property) => property.changed_by() == ChangedBy::Draws,
        Kind::Intrinsic(Intrinsic::Foundation | Intrinsic::Wants | Intrinsic::Steps) => false,
        Kind::Intrinsic(ask) => !is_of_arrangement(*ask),
        Kind::MoveProperty(MoveProperty::Card) => {
            use Class::{PileToPile, PileUp, ReserveToPile, ReserveUp};
            !matches!(class, Some(ReserveUp | ReserveToPile | PileUp | PileToPile))
        }
        Kind::SeatProperty(_) => true,
        // A script that may count its decisions is asked for each.
        kind => !kind.is_pure(),
    }
}

/// Maximum width of a line; a longer node is split.
const MOST_WIDTH: usize = 100;

impl Display for Hir {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut functions = 0;
        for tree in &self.trees {
            match &tree.role {
                Role::Entry(Some(class)) => write!(f, "score of {class:?}")?,
                Role::Entry(None) => write!(f, "choose")?,
                Role::Function { name, parameters, .. } => {
                    let names: Vec<String> = parameters.iter().map(|slot| format!("v{slot}")).collect();
                    write!(f, "function {functions}, {name}({})", names.join(", "))?;
                    functions += 1;
                }
            }
            writeln!(f, " cost={}", tree.cost)?;
            self.write(f, &tree.node, 1)?;
        }
        for (i, memo) in self.memos.iter().enumerate() {
            writeln!(f, "memo {i}: {:?}", self.types.memos[i])?;
            self.write(f, memo, 1)?;
        }
        for (i, types) in self.types.tables.iter().enumerate() {
            writeln!(f, "table {i}: {types:?}")?;
        }
        Ok(())
    }
}

impl Hir {
    /// Prints a node on one line, or with its parts below it if that would be too wide.
    fn write(&self, f: &mut Formatter<'_>, node: &Node, depth: usize) -> fmt::Result {
        let (indent, line) = ("  ".repeat(depth), self.line(node));
        if indent.len() + line.len() < MOST_WIDTH {
            return writeln!(f, "{indent}{line}");
        }
        writeln!(f, "{indent}{}", self.name(&node.kind))?;
        node.parts.iter().try_for_each(|part| self.write(f, part, depth + 1))
    }

    fn line(&self, node: &Node) -> String {
        let parts: Vec<String> = node.parts.iter().map(|part| self.line(part)).collect();
        let name = self.name(&node.kind);
        match node.kind {
            Kind::Arith(_) | Kind::Compare(_) | Kind::And | Kind::Or => {
                format!("({})", parts.join(&format!(" {name} ")))
            }
            _ if parts.is_empty() => name,
            _ => format!("{name}({})", parts.join(", ")),
        }
    }

    fn name(&self, kind: &Kind) -> String {
        match kind {
            Kind::Const(value) => format!("{:?}", value.to_dynamic()),
            Kind::Read(slot) => format!("v{slot}"),
            Kind::Let(slot) => format!("let v{slot}: {:?}", self.types.slots[*slot]),
            Kind::Set(slot) => format!("set v{slot}"),
            Kind::Loop(each) => format!("for v{} cost={} over {:?}", each.variable, each.cost, each.over),
            Kind::Arith(op) => op.to_string(),
            Kind::Compare(op) => op.to_string(),
            Kind::And => "&&".into(),
            Kind::Or => "||".into(),
            Kind::ViewProperty(of) => format!("view.{of}"),
            Kind::MoveProperty(of) => format!(".{of}"),
            Kind::CardProperty(of) => format!(".{of}"),
            Kind::SeatProperty(of) => format!(".{of}"),
            Kind::Intrinsic(of) => format!("{of:?}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }
}
