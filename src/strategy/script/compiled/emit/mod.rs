//! Emission: from the HIR to bytecode.
//!
//! Registers form a stack from 0 up: a variable takes one where it is declared and frees it at the end of its sequence;
//! intermediate values use theirs in between. Downwards from 255 are those shared by all trees of the program:
//! constants, properties of the view and memos.

mod flow;
mod loops;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use super::super::intrinsics::ViewProperty;
use super::super::value::{Types, Value};
use super::bytecode::{CodeOffset, CompiledScript, MOST_CONSTANTS, MOST_OWN, Op, Reg, TooLarge};
use super::hir::{Hir, Inference, Kind, Label, MemoFacts, Node, Role, Slot, Table, Tree};
use super::operators::Compare;

type Emitted<T> = Result<T, TooLarge>;

/// The destination of a node's value.
#[derive(Clone, Copy, Debug)]
enum Dest {
    /// Nowhere.
    Drop,
    /// A register, with the tag in the next one if it is tagged.
    Value { to: Reg, tagged: bool },
    /// If the value is `when`, the machine continues at the target.
    Branch { target: usize, when: bool },
    /// The result of the whole tree.
    Return,
}

/// Facts that hold on every path to the current point: cached memos, and what is certainly a card.
type FlowFacts = (BTreeSet<usize>, usize);

/// A value in a register.
#[derive(Clone, Copy, Debug)]
struct Operand {
    reg: Reg,
    types: Types,
}

/// Data needed to emit any tree.
pub struct Context<'h> {
    types: Inference,
    memos: &'h [Node],
    tables: &'h [Table],
    memo_facts: Vec<MemoFacts>,
    /// The four registers of memos: the decision it is valid for, its operations, its value, and its tag.
    memo_registers: BTreeMap<usize, Reg>,
    /// Variables that are assigned after their declaration.
    assigned: BTreeSet<Slot>,
    /// Whether lists are in use, so that called functions may return one.
    lists: bool,
}

impl<'h> Context<'h> {
    pub fn of(hir: &'h Hir) -> Context<'h> {
        let mut assigned = BTreeSet::new();
        hir.nodes().for_each(|node| node.each_kind(&mut |kind| assigned.extend(kind.changes())));
        Context {
            types: hir.types.clone(),
            memos: &hir.memos,
            tables: &hir.tables,
            memo_facts: MemoFacts::of_all(&hir.memos),
            memo_registers: BTreeMap::new(),
            assigned,
            lists: hir.nodes().any(|node| node.any(&mut Kind::is_of_lists)),
        }
    }
}

/// Emits a tree at the end of a program. Returns the properties of the view that must be loaded before it runs, one bit
/// for each of the program's, and its number of places for lists.
///
/// # Errors
/// Fails if it is too large for the machine.
pub fn emit(
    program: &mut CompiledScript,
    context: &mut Context<'_>,
    hir: &Hir,
    tree: &Tree,
) -> Emitted<(u64, usize)> {
    let start = program.code.len();
    let mut emitter = Emitter {
        program: &mut *program,
        context,
        top: 0,
        slots: BTreeMap::new(),
        dests: BTreeMap::new(),
        labels: Vec::new(),
        needs: 0,
        known: BTreeSet::new(),
        cards: Vec::new(),
        sites: 0,
        in_memo: 0,
    };
    match &tree.role {
        // The game puts the move in question into the first register.
        Role::Entry(_) => emitter.variable(hir.moved, 1)?,
        // The caller fills the registers of the parameters, which are tagged.
        Role::Function { parameters, .. } => {
            for slot in parameters {
                emitter.variable(*slot, 2)?;
            }
            emitter.in_memo += 1;
            emitter.read_properties(&tree.node)?;
        }
    }
    emitter.emit(&tree.node, Dest::Return)?;
    let Emitter { labels, needs, sites, .. } = emitter;
    for at in program.code[start..].iter_mut().filter_map(Op::target) {
        *at = labels.get(*at as usize).copied().flatten().unwrap_or(0);
    }
    Ok((needs, sites))
}

/// Emits one tree.
struct Emitter<'p, 'h> {
    program: &'p mut CompiledScript,
    context: &'p mut Context<'h>,
    top: usize,
    slots: BTreeMap<Slot, Reg>,
    dests: BTreeMap<Label, (Dest, usize)>,
    labels: Vec<Option<CodeOffset>>,
    /// Properties of the view that must be loaded before the tree runs, one bit for each of the program's.
    needs: u64,
    /// Memos that are cached on every path to the current point.
    known: BTreeSet<usize>,
    /// Nodes whose value is certainly a card on every path to the current point.
    cards: Vec<Kind>,
    /// Number of places for lists in use.
    sites: usize,
    /// Depth of enclosing memos, which read their properties themselves.
    in_memo: usize,
}

impl Emitter<'_, '_> {
    /// Reserves the registers of a variable.
    fn variable(&mut self, slot: Slot, registers: usize) -> Emitted<()> {
        let first = self.take(registers)?;
        self.slots.insert(slot, first);
        Ok(())
    }

    fn read_properties(&mut self, tree: &Node) -> Emitted<()> {
        let mut properties = Vec::new();
        tree.each_kind(&mut |kind| match kind {
            Kind::ViewProperty(property) if !properties.contains(property) => properties.push(*property),
            _ => {}
        });
        for of in properties {
            let to = self.program.property(of)?;
            if self.needs & self.bit(of) == 0 {
                self.push(Op::ViewProperty { of, to });
            }
        }
        Ok(())
    }

    fn push(&mut self, op: Op) {
        self.program.code.push(op);
    }

    fn label(&mut self) -> usize {
        self.labels.push(None);
        self.labels.len() - 1
    }

    fn place(&mut self, label: usize) {
        self.labels[label] = Some(self.program.code.len().min(CodeOffset::MAX as usize) as CodeOffset);
    }

    fn jump(&mut self, label: usize) {
        self.push(Op::Jump { at: label as CodeOffset });
    }

    /// Reserves registers and returns the first.
    fn take(&mut self, registers: usize) -> Emitted<Reg> {
        let first = self.top;
        self.top += registers;
        if self.top > MOST_OWN || self.labels.len() > CodeOffset::MAX as usize {
            Err(TooLarge)
        } else {
            Ok(first as Reg)
        }
    }

    /// Reserves registers for a value of these types.
    fn take_for(&mut self, types: Types) -> Emitted<Reg> {
        self.take(1 + usize::from(types.is_tagged()))
    }

    /// Runs a closure and then frees the registers that it reserved.
    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        let top = self.top;
        let done = work(self);
        self.top = top;
        done
    }

    /// Reserves a place for a list.
    fn site(&mut self) -> Emitted<u8> {
        let site = u8::try_from(self.sites).map_err(|_| TooLarge)?;
        self.sites += 1;
        Ok(site)
    }

    /// Returns a register that holds a number.
    fn constant(&mut self, bits: i64) -> Emitted<Reg> {
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
    fn property(&mut self, property: ViewProperty) -> Emitted<Reg> {
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
    fn memo(&mut self, id: usize) -> Emitted<Operand> {
        let memos = self.context.memos;
        let MemoFacts { of_arrangement: arranged, loops } = self.context.memo_facts[id];
        let types = self.context.types.memos[id];
        let memo = match self.context.memo_registers.get(&id) {
            Some(memo) => *memo,
            None => self.program.share(4)?,
        };
        self.context.memo_registers.insert(id, memo);
        let value = Operand { reg: memo + 2, types };
        if self.known.contains(&id) {
            return Ok(value);
        }
        let held = self.hold();
        let done = self.label();
        let at = done as CodeOffset;
        self.push(Op::Remember { memo, arranged, at });
        self.push(Op::Begin { memo });
        self.read_properties(&memos[id])?;
        self.in_memo += 1;
        self.emit(&memos[id], Dest::Value { to: value.reg, tagged: types.is_tagged() })?;
        self.in_memo -= 1;
        self.push(Op::Keep { memo, arranged });
        self.place(done);
        // The memos within it may have been computed long ago, for another one.
        self.restore(&held);
        // A memo with a loop is requested again, to count its rounds.
        if !loops {
            self.known.insert(id);
        }
        Ok(value)
    }

    /// Saves the current facts, to be restored where paths join.
    fn hold(&self) -> FlowFacts {
        (self.known.clone(), self.cards.len())
    }

    fn restore(&mut self, held: &FlowFacts) {
        self.known.clone_from(&held.0);
        self.cards.truncate(held.1);
    }

    /// Records what follows from the result `truth` of a test.
    fn learn(&mut self, test: &Node, truth: bool) {
        match (&test.kind, &test.parts[..]) {
            (Kind::And, all) if truth => all.iter().for_each(|node| self.learn(node, true)),
            (Kind::Or, all) if !truth => all.iter().for_each(|node| self.learn(node, false)),
            (Kind::Not, [of]) => self.learn(of, !truth),
            (Kind::Compare(op @ (Compare::Eq | Compare::Ne)), [a, b]) if (*op == Compare::Ne) == truth => {
                let (unit, of) = if b.is(Value::UNIT) { (b, a) } else { (a, b) };
                if unit.is(Value::UNIT)
                    && self.is_unchanging(&of.kind)
                    && self.types_of(of) == Types::CARD_OR_UNIT
                {
                    self.cards.push(of.kind.clone());
                }
            }
            _ => {}
        }
    }

    /// Returns whether nothing can change the value of a node: that of a variable or a property.
    fn is_unchanging(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Read(slot) => !self.context.assigned.contains(slot),
            kind => matches!(kind, Kind::ViewProperty(_)),
        }
    }

    /// Returns the types of a node, narrowed by known facts.
    fn narrowed(&self, kind: &Kind, types: Types) -> Types {
        let is_card = types == Types::CARD_OR_UNIT && self.is_unchanging(kind) && self.cards.contains(kind);
        if is_card { Types::CARD } else { types }
    }

    fn types_of(&mut self, node: &Node) -> Types {
        self.context.types.of(node)
    }
}
