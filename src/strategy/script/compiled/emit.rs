//! From [`Node`]s to ops: registers, labels, and what every tree of a program shares.
//!
//! Registers are a stack from 0 up: a variable takes one where it is declared and gives it back at the end
//! of its sequence, values on the way take and give back theirs in between. From 255 down stand what all
//! trees of the program share: constants, properties of the view and memos.

use std::collections::{BTreeMap, BTreeSet};

use super::ask::Look;
use super::jumps;
use super::op::{At, Op, Reg};
use super::passes;
use super::tables::Table;
use super::tree::{Compare, Label, Node, Slot};
use super::types::Inference;
use super::value::{Types, Value};

/// A script that needs more registers or ops than there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

pub type Emitted<T> = Result<T, TooLarge>;

/// Where the value of a node goes.
#[derive(Clone, Copy, Debug)]
pub enum Dest {
    /// Nowhere.
    Drop,
    /// To a register, and if it is wide what type it has to the next one.
    Value { to: Reg, wide: bool },
    /// If it is `when`, the machine goes on at the target.
    Branch { target: usize, when: bool },
    /// It is what the whole tree gives.
    Return,
}

/// A value that stands for itself, and does not change while it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf {
    Slot(Slot),
    Look(Look),
}

/// What holds on every way to where code is emitted: memos that are there, and what is surely a card.
pub(super) type Held = (BTreeSet<usize>, usize);

/// A value in a register.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    pub reg: Reg,
    pub types: Types,
}

/// What all trees of a program share.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub code: Vec<Op>,
    pub tables: Vec<Table>,
    /// What the tables say, 64 values each.
    pub values: Vec<i64>,
    /// Registers that hold the same always.
    pub constants: Vec<(Reg, i64)>,
    /// Registers that hold properties of the view.
    pub looks: Vec<(Reg, Look)>,
    memos: BTreeMap<usize, Reg>,
    /// How many registers from 255 down are taken.
    pub shared: usize,
    /// The most registers that any tree takes from 0 up.
    most: usize,
}

/// A tree may have so many registers of its own.
const MOST_OWN: usize = 150;
/// More constants than that are made where they are needed.
const MOST_CONSTANTS: usize = 40;

impl Program {
    fn share(&mut self, registers: usize) -> Emitted<Reg> {
        self.shared += registers;
        if self.shared + MOST_OWN > 256 { Err(TooLarge) } else { Ok((256 - self.shared) as Reg) }
    }

    fn look(&mut self, look: Look) -> Emitted<Reg> {
        if let Some((reg, _)) = self.looks.iter().find(|(_, known)| *known == look) {
            return Ok(*reg);
        }
        let reg = self.share(1)?;
        self.looks.push((reg, look));
        Ok(reg)
    }

    /// Three registers and one for the type: the decision it holds for, its operations, its value.
    fn memo(&mut self, id: usize) -> Emitted<Reg> {
        if let Some(reg) = self.memos.get(&id) {
            return Ok(*reg);
        }
        let reg = self.share(4)?;
        self.memos.insert(id, reg);
        Ok(reg)
    }
}

/// Emits one tree.
pub struct Emitter<'p> {
    pub(super) program: &'p mut Program,
    pub(super) types: &'p mut Inference,
    pub(super) memos: &'p [Node],
    memo_facts: &'p [passes::MemoFacts],
    start: usize,
    top: usize,
    pub(super) slots: BTreeMap<Slot, Reg>,
    pub(super) dests: BTreeMap<Label, (Dest, usize)>,
    labels: Vec<Option<At>>,
    /// Properties of the view that must be there before the tree runs, a bit for each of the program's.
    pub needs: u64,
    /// Memos that are there on every way to where code is emitted now.
    pub(super) known: BTreeSet<usize>,
    /// What is surely a card on every way to where code is emitted now.
    pub(super) cards: Vec<Leaf>,
    /// Variables that are assigned after their declaration.
    pub(super) assigned: &'p [bool],
    /// Within a memo, which reads its properties itself.
    pub(super) in_memo: usize,
}

impl<'p> Emitter<'p> {
    pub fn new(
        program: &'p mut Program,
        types: &'p mut Inference,
        (memos, memo_facts): (&'p [Node], &'p [passes::MemoFacts]),
        assigned: &'p [bool],
    ) -> Emitter<'p> {
        let start = program.code.len();
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
            in_memo: 0,
        }
    }

    /// The registers of parameters, which the caller fills: two for each, a wide value.
    pub fn parameters(&mut self, slots: &[Slot]) -> Emitted<()> {
        for slot in slots {
            let reg = self.take(2)?;
            self.slots.insert(*slot, reg);
        }
        Ok(())
    }

    /// Keeps the first registers for what the caller puts there.
    pub fn reserve(&mut self, registers: usize) -> Emitted<()> {
        self.take(registers).map(|_| ())
    }

    /// Reads the properties of the view that the tree asks for at its start.
    pub fn looks_itself(&mut self, tree: &Node) -> Emitted<()> {
        self.in_memo += 1;
        self.read_looks(tree)
    }

    fn read_looks(&mut self, tree: &Node) -> Emitted<()> {
        let mut looks = Vec::new();
        tree.walk(&mut |node| {
            if let Node::Look(look) = node
                && !looks.contains(look)
            {
                looks.push(*look);
            }
        });
        for look in looks {
            let to = self.program.look(look)?;
            if self.needs & self.bit(look) == 0 {
                self.push(Op::Look { look, to });
            }
        }
        Ok(())
    }

    /// Emits the whole tree. Where its code starts.
    pub fn finish(mut self, tree: &Node) -> Emitted<(At, u64)> {
        self.emit(tree, Dest::Return)?;
        self.program.most = self.program.most.max(self.top);
        let labels = self.labels;
        let code = &mut self.program.code;
        for op in &mut code[self.start..] {
            if let Some(at) = op.target() {
                *at = labels.get(*at as usize).copied().flatten().unwrap_or(0);
            }
        }
        jumps::thread(code, self.start);
        if code.len() > At::MAX as usize {
            return Err(TooLarge);
        }
        Ok((self.start as At, self.needs))
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
        self.labels[label] = Some(self.program.code.len().min(At::MAX as usize) as At);
    }

    /// Places a label where an op stands already.
    pub(super) fn labels_at(&mut self, label: usize, at: usize) {
        self.labels[label] = Some(at.min(At::MAX as usize) as At);
    }

    /// Where the next op is going to stand.
    pub(super) fn here(&self) -> usize {
        self.program.code.len()
    }

    /// Whether a jump that is emitted already leads there.
    pub(super) fn is_target(&self, at: usize) -> bool {
        self.program.code[self.start..].iter().any(|op| {
            let mut op = *op;
            let label = op.target().map(|label| *label as usize);
            label.and_then(|label| self.labels[label]).is_some_and(|placed| placed as usize == at)
        })
    }

    pub(super) fn jump(&mut self, label: usize) {
        self.push(Op::Jump { at: label as At });
    }

    /// Takes registers, the first of which is given.
    pub(super) fn take(&mut self, registers: usize) -> Emitted<Reg> {
        let first = self.top;
        self.top += registers;
        self.program.most = self.program.most.max(self.top);
        if self.top > MOST_OWN || self.labels.len() > At::MAX as usize {
            Err(TooLarge)
        } else {
            Ok(first as Reg)
        }
    }

    /// Does something that takes registers, and gives them back.
    pub(super) fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        let top = self.top;
        let done = work(self);
        self.top = top;
        done
    }

    /// A register that holds a number.
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

    /// A register that holds a property of the view.
    pub(super) fn look(&mut self, look: Look) -> Emitted<Reg> {
        let reg = self.program.look(look)?;
        if self.in_memo == 0 {
            self.needs |= self.bit(look);
        }
        Ok(reg)
    }

    fn bit(&self, look: Look) -> u64 {
        self.program.looks.iter().position(|(_, known)| *known == look).map_or(0, |i| 1 << i)
    }

    /// Computes a memo, unless it is there in this decision.
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
        let at = done as At;
        self.push(if arranged { Op::RememberArranged { memo, at } } else { Op::Remember { memo, at } });
        self.push(Op::Begin { memo });
        self.read_looks(node)?;
        let to = memo + 2;
        self.in_memo += 1;
        self.emit(node, Dest::Value { to, wide: types.is_wide() })?;
        self.in_memo -= 1;
        self.push(if arranged { Op::KeepArranged { memo } } else { Op::Keep { memo } });
        self.place(done);
        // The memos within it may have been computed long ago, for another one.
        self.restore(&held);
        // One with a loop is asked for again, for what its rounds cost.
        if !self.memo_facts[id].loops {
            self.known.insert(id);
        }
        Ok(Operand { reg: to, types })
    }

    /// What holds now, to be restored where ways join.
    pub(super) fn hold(&self) -> Held {
        (self.known.clone(), self.cards.len())
    }

    pub(super) fn restore(&mut self, held: &Held) {
        self.known.clone_from(&held.0);
        self.cards.truncate(held.1);
    }

    /// The leaf that a node is, if nothing can change it.
    pub(super) fn leaf(&self, node: &Node) -> Option<Leaf> {
        match node {
            Node::Read(slot) if !self.assigned[*slot] => Some(Leaf::Slot(*slot)),
            Node::Look(look) => Some(Leaf::Look(*look)),
            _ => None,
        }
    }

    /// Notes what follows from a test that has turned out as `truth`.
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

    /// The types of a leaf, with what has been learnt of it.
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
