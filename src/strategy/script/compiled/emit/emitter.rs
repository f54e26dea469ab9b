//! The state of emission: registers, labels, and facts known at the current point.

use std::collections::{BTreeMap, BTreeSet};

use super::super::super::intrinsics::ViewProperty;
use super::super::super::value::{Types, Value};
use super::super::bytecode::{CodeOffset, MOST_CONSTANTS, MOST_OWN, Op, Program, Reg, TooLarge};
use super::super::hir::{self, Hir, Inference, Label, MemoFacts, Node, Slot};
use super::super::operators::Compare;

pub type Emitted<T> = Result<T, TooLarge>;

/// The destination of a node's value.
#[derive(Clone, Copy, Debug)]
pub enum Dest {
    /// Nowhere.
    Drop,
    /// A register, with the tag in the next one if it is tagged.
    Value { to: Reg, tagged: bool },
    /// If the value is `when`, the machine continues at the target.
    Branch { target: usize, when: bool },
    /// The result of the whole tree.
    Return,
}

/// A simple value that does not change while it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf {
    Slot(Slot),
    ViewProperty(ViewProperty),
}

/// Facts that hold on every path to the current point: cached memos, and what is certainly a card.
pub(super) type FlowFacts = (BTreeSet<usize>, usize);

/// A value in a register.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub reg: Reg,
    pub types: Types,
}

/// Emits one tree.
pub struct Emitter<'p> {
    pub(super) program: &'p mut Program,
    pub(super) types: &'p mut Inference,
    pub(super) memos: &'p [Node],
    memo_facts: &'p [MemoFacts],
    start: usize,
    top: usize,
    pub(super) slots: BTreeMap<Slot, Reg>,
    pub(super) dests: BTreeMap<Label, (Dest, usize)>,
    labels: Vec<Option<CodeOffset>>,
    /// Properties of the view that must be loaded before the tree runs, one bit for each of the program's.
    pub needs: u64,
    /// Memos that are cached on every path to the current point.
    pub(super) known: BTreeSet<usize>,
    /// What is certainly a card on every path to the current point.
    pub(super) cards: Vec<Leaf>,
    /// Variables that are assigned after their declaration.
    pub(super) assigned: &'p [bool],
    /// Whether lists are in use, so that called functions may return one.
    pub(super) lists: bool,
    /// Number of places for lists in use.
    pub(super) sites: usize,
    /// Depth of enclosing memos, which read their properties themselves.
    pub(super) in_memo: usize,
}

/// Data needed to emit any tree.
pub struct Context<'h> {
    pub types: Inference,
    pub memos: &'h [Node],
    memo_facts: Vec<MemoFacts>,
    /// Variables that are assigned after their declaration.
    assigned: Vec<bool>,
    lists: bool,
}

impl<'h> Context<'h> {
    pub fn of(hir: &'h Hir) -> Context<'h> {
        let mut lists = false;
        hir.nodes().for_each(|node| node.walk(&mut |node| lists |= node.is_of_lists()));
        Context {
            types: hir.types.clone(),
            memos: &hir.memos,
            memo_facts: MemoFacts::of_all(&hir.memos),
            assigned: hir::assigned(hir.nodes(), hir.types.slots.len()),
            lists,
        }
    }
}

impl<'p> Emitter<'p> {
    pub fn new(program: &'p mut Program, context: &'p mut Context<'_>) -> Emitter<'p> {
        let start = program.code.len();
        let Context { types, memos, memo_facts, assigned, lists } = context;
        Emitter {
            program,
            types,
            memos,
            memo_facts,
            start,
            top: 0,
            slots: BTreeMap::new(),
            dests: BTreeMap::new(),
            labels: Vec::new(),
            needs: 0,
            known: BTreeSet::new(),
            cards: Vec::new(),
            assigned,
            lists: *lists,
            sites: 0,
            in_memo: 0,
        }
    }

    /// Reserves the registers of parameters, which the caller fills: two for each, a tagged value.
    pub fn parameters(&mut self, slots: &[Slot]) -> Emitted<()> {
        for slot in slots {
            let reg = self.take(2)?;
            self.slots.insert(*slot, reg);
        }
        Ok(())
    }

    /// Reserves the first register, where the game puts the move in question.
    pub fn move_in_first(&mut self, moved: Slot) -> Emitted<()> {
        let first = self.take(1)?;
        self.slots.insert(moved, first);
        Ok(())
    }

    /// Reads the properties of the view that the tree needs at its start.
    pub fn reads_properties(&mut self, tree: &Node) -> Emitted<()> {
        self.in_memo += 1;
        self.read_properties(tree)
    }

    fn read_properties(&mut self, tree: &Node) -> Emitted<()> {
        let mut properties = Vec::new();
        tree.walk(&mut |node| {
            if let Node::ViewProperty(property) = node
                && !properties.contains(property)
            {
                properties.push(*property);
            }
        });
        for of in properties {
            let to = self.program.property(of)?;
            if self.needs & self.bit(of) == 0 {
                self.push(Op::ViewProperty { of, to });
            }
        }
        Ok(())
    }

    /// Emits the whole tree. Returns the properties of the view that it needs, and its number of places for lists.
    pub fn finish(mut self, tree: &Node) -> Emitted<(u64, usize)> {
        self.emit(tree, Dest::Return)?;
        let labels = self.labels;
        let code = &mut self.program.code;
        for op in &mut code[self.start..] {
            if let Some(at) = op.target() {
                *at = labels.get(*at as usize).copied().flatten().unwrap_or(0);
            }
        }
        Ok((self.needs, self.sites))
    }

    pub(super) fn push(&mut self, op: Op) {
        self.program.code.push(op);
    }

    pub(super) fn fault(&mut self) {
        self.push(Op::Fault);
    }

    pub(super) fn label(&mut self) -> usize {
        self.labels.push(None);
        self.labels.len() - 1
    }

    pub(super) fn place(&mut self, label: usize) {
        self.labels[label] = Some(self.program.code.len().min(CodeOffset::MAX as usize) as CodeOffset);
    }

    pub(super) fn jump(&mut self, label: usize) {
        self.push(Op::Jump { at: label as CodeOffset });
    }

    /// Reserves registers and returns the first.
    pub(super) fn take(&mut self, registers: usize) -> Emitted<Reg> {
        let first = self.top;
        self.top += registers;
        if self.top > MOST_OWN || self.labels.len() > CodeOffset::MAX as usize {
            Err(TooLarge)
        } else {
            Ok(first as Reg)
        }
    }

    /// Runs a closure and then frees the registers that it reserved.
    pub(super) fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        let top = self.top;
        let done = work(self);
        self.top = top;
        done
    }

    /// Reserves a place for a list.
    pub(super) fn site(&mut self) -> Emitted<u8> {
        let site = u8::try_from(self.sites).map_err(|_| TooLarge)?;
        self.sites += 1;
        Ok(site)
    }

    /// Returns a register that holds a number.
    pub(super) fn constant(&mut self, bits: i64) -> Emitted<Reg> {
        if let Some((reg, _)) = self.program.constants.iter().find(|(_, known)| *known == bits) {
            return Ok(*reg);
        }
        match i32::try_from(bits) {
            Ok(value) if self.program.constants.len() >= MOST_CONSTANTS => {
                let to = self.take(1)?;
                self.push(Op::Small { to, value });
                Ok(to)
            }
            _ => {
                let reg = self.program.share(1)?;
                self.program.constants.push((reg, bits));
                Ok(reg)
            }
        }
    }

    /// Returns a register that holds a property of the view.
    pub(super) fn property(&mut self, property: ViewProperty) -> Emitted<Reg> {
        let reg = self.program.property(property)?;
        if self.in_memo == 0 {
            self.needs |= self.bit(property);
        }
        Ok(reg)
    }

    fn bit(&self, property: ViewProperty) -> u64 {
        self.program.properties.iter().position(|(_, known)| *known == property).map_or(0, |i| 1 << i)
    }

    /// Computes a memo, unless it is cached in this decision.
    pub(super) fn memo(&mut self, id: usize) -> Emitted<Operand> {
        let memos = self.memos;
        let (memo, node) = (self.program.memo(id)?, &memos[id]);
        let types = self.types.memos[id];
        if self.known.contains(&id) {
            return Ok(Operand { reg: memo + 2, types });
        }
        let held = self.hold();
        let done = self.label();
        let arranged = self.memo_facts[id].of_arrangement;
        let at = done as CodeOffset;
        self.push(if arranged { Op::RememberArranged { memo, at } } else { Op::Remember { memo, at } });
        self.push(Op::Begin { memo });
        self.read_properties(node)?;
        let to = memo + 2;
        self.in_memo += 1;
        self.emit(node, Dest::Value { to, tagged: types.is_tagged() })?;
        self.in_memo -= 1;
        self.push(if arranged { Op::KeepArranged { memo } } else { Op::Keep { memo } });
        self.place(done);
        // The memos within it may have been computed long ago, for another one.
        self.restore(&held);
        // A memo with a loop is requested again, to count its rounds.
        if !self.memo_facts[id].loops {
            self.known.insert(id);
        }
        Ok(Operand { reg: to, types })
    }

    /// Saves the current facts, to be restored where paths join.
    pub(super) fn hold(&self) -> FlowFacts {
        (self.known.clone(), self.cards.len())
    }

    pub(super) fn restore(&mut self, held: &FlowFacts) {
        self.known.clone_from(&held.0);
        self.cards.truncate(held.1);
    }

    /// Returns the leaf for a node, if nothing can change it.
    pub(super) fn leaf(&self, node: &Node) -> Option<Leaf> {
        match node {
            Node::Read(slot) if !self.assigned[*slot] => Some(Leaf::Slot(*slot)),
            Node::ViewProperty(property) => Some(Leaf::ViewProperty(*property)),
            _ => None,
        }
    }

    /// Records what follows from the result `truth` of a test.
    pub(super) fn learn(&mut self, test: &Node, truth: bool) {
        match test {
            Node::And(all) if truth => all.iter().for_each(|node| self.learn(node, true)),
            Node::Or(all) if !truth => all.iter().for_each(|node| self.learn(node, false)),
            Node::Not(of) => self.learn(of, !truth),
            Node::Compare(op, a, b) if (*op == Compare::Ne && truth) || (*op == Compare::Eq && !truth) => {
                let unit = |node: &Node| node.constant() == Some(Value::UNIT);
                let of = if unit(b) { a } else { b };
                if (unit(a) || unit(b))
                    && let Some(leaf) = self.leaf(of)
                    && self.types.of(of) == Types::CARD_OR_UNIT
                {
                    self.cards.push(leaf);
                }
            }
            _ => {}
        }
    }

    /// Returns the types of a leaf, narrowed by known facts.
    pub(super) fn narrowed(&self, node: &Node, types: Types) -> Types {
        match self.leaf(node) {
            Some(leaf) if types == Types::CARD_OR_UNIT && self.cards.contains(&leaf) => Types::CARD,
            _ => types,
        }
    }

    pub(super) fn types_of(&mut self, node: &Node) -> Types {
        self.types.of(node)
    }
}
