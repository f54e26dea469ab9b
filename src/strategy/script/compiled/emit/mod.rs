//! Emission: from the HIR to bytecode. Sequences, branches and loops are emitted here, values in `value.rs`.
//! Registers form a stack: a variable takes one where it is declared and frees it at the end of its sequence; intermediate
//! values use theirs in between.

mod value;

use std::collections::{BTreeMap, BTreeSet};

use strum::IntoEnumIterator;

use super::super::intrinsics::{Intrinsic, ViewProperty};
use super::super::value::{MOVES, Types, Value};
use super::bytecode::{
    Arith, CodeOffset, Compare, CompiledScript, MOST_CONSTANTS, MOST_OWN, Op, Reg, TooLarge,
};
use super::facts::Class;
use super::hir::{Hir, Inference, Kind, Label, Loop, MemoFacts, Node, Over, Role, Slot, Table, Tree};

type Emitted<T> = Result<T, TooLarge>;

/// Facts that hold on every path to the current point: cached memos, and what is certainly a card.
type FlowFacts = (BTreeSet<usize>, usize);

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

#[derive(Clone, Copy)]
enum Comparison {
    Numbers,
    Tagged,
    /// They have no type in common.
    Known(bool),
}

#[derive(Clone, Copy, Debug)]
struct Operand {
    reg: Reg,
    types: Types,
}

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
    sites: usize,
    /// Depth of enclosing memos, which read their properties themselves.
    in_memo: usize,
}

impl Emitter<'_, '_> {
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

    fn take(&mut self, registers: usize) -> Emitted<Reg> {
        let first = self.top;
        self.top += registers;
        if self.top > MOST_OWN || self.labels.len() > CodeOffset::MAX as usize {
            Err(TooLarge)
        } else {
            Ok(first as Reg)
        }
    }

    fn take_for(&mut self, types: Types) -> Emitted<Reg> {
        self.take(1 + usize::from(types.is_tagged()))
    }

    fn scoped<T>(&mut self, work: impl FnOnce(&mut Self) -> Emitted<T>) -> Emitted<T> {
        let top = self.top;
        let done = work(self);
        self.top = top;
        done
    }

    fn site(&mut self) -> Emitted<u8> {
        let site = u8::try_from(self.sites).map_err(|_| TooLarge)?;
        self.sites += 1;
        Ok(site)
    }

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
        self.push(Op::Remember { memo, arranged, at: done as CodeOffset });
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

impl Emitter<'_, '_> {
    /// Emits a node whose value goes to `dest`. No code follows a returned value.
    fn emit(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        self.scoped(|e| e.emit_unscoped(node, dest))
    }

    fn emit_unscoped(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        match (&node.kind, &node.parts[..]) {
            (Kind::Seq, all) => {
                let Some((last, before)) = all.split_last() else { return self.simple(&Node::UNIT, dest) };
                for node in before {
                    // A variable keeps its register to the end of the sequence.
                    match (&node.kind, &node.parts[..]) {
                        (Kind::Let(slot), [value]) => self.declare(*slot, value)?,
                        _ => self.emit(node, Dest::Drop)?,
                    }
                }
                self.emit(last, dest)
            }
            (Kind::Let(slot), [value]) => {
                self.declare(*slot, value)?;
                self.simple(&Node::UNIT, dest)
            }
            (Kind::Set(slot), [value]) => {
                let tagged = self.context.types.slots[*slot].is_tagged();
                let Some(&to) = self.slots.get(slot) else {
                    self.push(Op::Fault);
                    return Ok(());
                };
                self.emit(value, Dest::Value { to, tagged })?;
                self.simple(&Node::UNIT, dest)
            }
            (Kind::If, [test, yes, no]) => self.condition([test, yes, no], dest),
            (Kind::Block(label), [body]) => {
                let end = self.label();
                self.dests.insert(*label, (dest, end));
                // A path that leaves early may not have computed the memos that come later.
                let held = self.hold();
                self.emit(body, dest)?;
                self.restore(&held);
                self.place(end);
                Ok(())
            }
            (Kind::Leave(label), [value]) => {
                let Some(&(dest, end)) = self.dests.get(label) else { return Err(TooLarge) };
                self.emit(value, dest)?;
                if !matches!(dest, Dest::Return) {
                    self.jump(end);
                }
                Ok(())
            }
            (Kind::Endless(cost), [body]) => {
                let head = self.label();
                self.place(head);
                let held = self.hold();
                self.emit(body, Dest::Drop)?;
                self.restore(&held);
                let cost = u16::try_from(*cost).map_err(|_| TooLarge)?;
                self.push(Op::Again { at: head as CodeOffset, cost });
                Ok(())
            }
            (Kind::Loop(each), parts) => {
                self.each(each, parts)?;
                self.simple(&Node::UNIT, dest)
            }
            (Kind::And | Kind::Or | Kind::Compare(_) | Kind::Not, _) => match dest {
                Dest::Branch { target, when } => self.branch(node, target, when),
                _ if matches!(node.kind, Kind::And | Kind::Or) => self.truth(node, dest),
                _ => self.simple(node, dest),
            },
            _ => self.simple(node, dest),
        }
    }

    fn condition(&mut self, [test, yes, no]: [&Node; 3], dest: Dest) -> Emitted<()> {
        if let Dest::Drop = dest
            && self.only_leaves(test, yes, no)?
        {
            return Ok(());
        }
        let (other, end) = (self.label(), self.label());
        self.emit(test, Dest::Branch { target: other, when: false })?;
        let held = self.hold();
        self.learn(test, true);
        self.emit(yes, dest)?;
        self.restore(&held);
        let falls = !matches!(dest, Dest::Return) && !yes.leaves();
        let nothing = matches!(dest, Dest::Drop) && no.value().is_some();
        if falls && !nothing {
            self.jump(end);
        }
        self.place(other);
        if !nothing {
            self.learn(test, false);
            self.emit(no, dest)?;
            self.restore(&held);
        }
        self.place(end);
        // What follows if one branch never reaches its end.
        match (yes.leaves(), no.leaves()) {
            (true, false) => self.learn(test, false),
            (false, true) => self.learn(test, true),
            _ => {}
        }
        Ok(())
    }

    /// Emits an `if` of which one branch does nothing and the other only leaves, as one jump.
    fn only_leaves(&mut self, test: &Node, yes: &Node, no: &Node) -> Emitted<bool> {
        let left = |e: &Self, node: &Node| match (&node.kind, &node.parts[..]) {
            (Kind::Leave(label), [value]) if value.value().is_some() => match e.dests.get(label) {
                Some((Dest::Drop, end)) => Some(*end),
                _ => None,
            },
            _ => None,
        };
        let (target, when) = match (left(self, yes), left(self, no)) {
            (Some(end), None) if no.value().is_some() => (end, true),
            (None, Some(end)) if yes.value().is_some() => (end, false),
            _ => return Ok(false),
        };
        self.emit(test, Dest::Branch { target, when })?;
        self.learn(test, !when);
        Ok(true)
    }

    fn declare(&mut self, slot: usize, value: &Node) -> Emitted<()> {
        let types = self.context.types.slots[slot];
        let to = self.take_for(types)?;
        self.emit(value, Dest::Value { to, tagged: types.is_tagged() })?;
        self.slots.insert(slot, to);
        Ok(())
    }

    /// Emits a value without branches, to any destination.
    fn simple(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        match dest {
            Dest::Drop => {
                if !matches!(node.kind, Kind::Const(_) | Kind::Read(_) | Kind::ViewProperty(_)) {
                    self.operand(node, None)?;
                }
            }
            Dest::Value { to, tagged } => {
                let value = self.operand(node, Some(to))?;
                self.deliver(value, to, tagged);
            }
            Dest::Branch { target, when } => match node.value() {
                Some(value) => match value.as_bool() {
                    Some(truth) if truth == when => self.jump(target),
                    Some(_) => {}
                    None => self.push(Op::Fault),
                },
                None => {
                    let at = target as CodeOffset;
                    if let (Kind::Intrinsic(Intrinsic::Wants), [card]) = (&node.kind, &node.parts[..]) {
                        let a = self.must(card, Types::CARD_OR_UNIT)?;
                        self.push(if when { Op::JumpWanted { a, at } } else { Op::JumpUnwanted { a, at } });
                    } else {
                        let a = self.must(node, Types::BOOL)?;
                        self.push(if when { Op::JumpIf { a, at } } else { Op::JumpUnless { a, at } });
                    }
                }
            },
            Dest::Return => {
                if let Some(Value { bits, is_int: true }) = node.value()
                    && let Ok(value) = i32::try_from(bits)
                {
                    self.push(Op::ReturnSmall { value });
                    return Ok(());
                }
                let Operand { reg: a, types } = self.operand(node, None)?;
                self.push(match types.is_tagged() {
                    true => Op::ReturnTagged { a },
                    false => Op::Return { a, is_int: types == Types::INT },
                });
            }
        }
        Ok(())
    }

    /// Emits a boolean computed by branches, to a destination that is not a branch.
    fn truth(&mut self, node: &Node, dest: Dest) -> Emitted<()> {
        let (no, end) = (self.label(), self.label());
        self.branch(node, no, false)?;
        self.simple(&Node::bool(true), dest)?;
        if !matches!(dest, Dest::Return) {
            self.jump(end);
        }
        self.place(no);
        self.simple(&Node::bool(false), dest)?;
        self.place(end);
        Ok(())
    }

    /// Jumps to the target if the node is `when`; otherwise continues.
    fn branch(&mut self, node: &Node, target: usize, when: bool) -> Emitted<()> {
        match (&node.kind, &node.parts[..]) {
            (Kind::Not, [a]) if self.types_of(a) == Types::BOOL => {
                self.emit(a, Dest::Branch { target, when: !when })
            }
            (kind @ (Kind::And | Kind::Or), all) => {
                let or = *kind == Kind::Or;
                let Some((last, before)) = all.split_last() else { return Err(TooLarge) };
                let out = self.label();
                // A member that decides the whole jumps to the target, or past it.
                let to = if or == when { target } else { out };
                let mut held = None;
                for one in before {
                    self.emit(one, Dest::Branch { target: to, when: or })?;
                    held.get_or_insert_with(|| self.hold());
                    self.learn(one, !or);
                }
                self.emit(last, Dest::Branch { target, when })?;
                if let Some(held) = held {
                    self.restore(&held);
                }
                self.place(out);
                Ok(())
            }
            (Kind::Compare(op), [a, b]) => {
                self.scoped(|e| e.branch_compare(*op, a, b, target as CodeOffset, when))
            }
            _ => self.simple(node, Dest::Branch { target, when }),
        }
    }

    fn branch_compare(&mut self, op: Compare, a: &Node, b: &Node, at: CodeOffset, when: bool) -> Emitted<()> {
        let equal = (op == Compare::Eq) == when;
        if matches!(op, Compare::Eq | Compare::Ne)
            && b.is(Value::int(0))
            && let (Kind::Arith(Arith::And), [x, y]) = (&a.kind, &a.parts[..])
        {
            if let Some((of, table, bits)) = self.table_and(x, y) {
                let (a, b) = (self.operand(of, None)?.reg, self.operand(bits, None)?.reg);
                self.push(if equal {
                    Op::JumpNoTable { a, b, table, at }
                } else {
                    Op::JumpTable { a, b, table, at }
                });
                return Ok(());
            }
            let (x, y) = self.both(x, y)?;
            if x.types == Types::INT && y.types == Types::INT {
                let (a, b) = (x.reg, y.reg);
                self.push(if equal { Op::JumpNone { a, b, at } } else { Op::JumpAny { a, b, at } });
                return Ok(());
            }
        }
        let (x, y) = self.both(a, b)?;
        let (a, b) = (x.reg, y.reg);
        match Self::comparison(op, x.types, y.types) {
            Comparison::Numbers => self.push(match (op, when) {
                (Compare::Eq, true) | (Compare::Ne, false) => Op::JumpEq { a, b, at },
                (Compare::Ne, true) | (Compare::Eq, false) => Op::JumpNe { a, b, at },
                (Compare::Lt, true) | (Compare::Ge, false) => Op::JumpLt { a, b, at },
                (Compare::Le, true) | (Compare::Gt, false) => Op::JumpLe { a, b, at },
                (Compare::Gt, true) | (Compare::Le, false) => Op::JumpLt { a: b, b: a, at },
                (Compare::Ge, true) | (Compare::Lt, false) => Op::JumpLe { a: b, b: a, at },
            }),
            Comparison::Known(known) if known == when => self.push(Op::Jump { at }),
            Comparison::Known(_) => {}
            how => {
                let a = self.take(1)?;
                self.compared(op, how, a, (x, y))?;
                self.push(if when { Op::JumpIf { a, at } } else { Op::JumpUnless { a, at } });
            }
        }
        Ok(())
    }

    /// Matches a table of numbers combined with a number, neither of which assigns.
    fn table_and<'n>(&mut self, x: &'n Node, y: &'n Node) -> Option<(&'n Node, u8, &'n Node)> {
        let (table, bits) = if matches!(x.kind, Kind::Table(_)) { (x, y) } else { (y, x) };
        let (Kind::Table(id), [of]) = (&table.kind, &table.parts[..]) else { return None };
        let numbers = self.types_of(table) == Types::INT && self.types_of(bits) == Types::INT;
        let table = u8::try_from(*id).ok()?;
        (numbers && !bits.assigns() && !of.assigns()).then_some((of, table, bits))
    }
}

impl Emitter<'_, '_> {
    /// Emits a loop: `round` goes up to `last`, and is a number, a move, or an index into a list.
    fn each(&mut self, each: &Loop, parts: &[Node]) -> Emitted<()> {
        let (round, last) = (self.take(1)?, self.take(1)?);
        let (head, out, next) = (self.label(), self.label(), self.label());
        let (one, at) = (self.constant(1)?, out as CodeOffset);
        let mut list = 0;
        let (of, bodies) = match &each.over {
            Over::Range { inclusive } => {
                self.scoped(|e| {
                    let (first, end) = e.both(&parts[0], &parts[1])?;
                    e.check(first, Types::INT);
                    e.check(end, Types::INT);
                    let (a, b) = (end.reg, first.reg);
                    e.push(if *inclusive { Op::JumpLt { a, b, at } } else { Op::JumpLe { a, b, at } });
                    e.push(if *inclusive {
                        Op::Copy { to: last, a }
                    } else {
                        Op::Sub { to: last, a, b: one }
                    });
                    e.push(Op::Copy { to: round, a: b });
                    Ok(())
                })?;
                (Types::INT, &parts[2..])
            }
            Over::List => {
                list = self.take(2)?;
                self.scoped(|e| {
                    let value = e.operand(&parts[0], Some(list))?;
                    e.check(value, Types::LIST);
                    // A variable keeps its list while the loop runs.
                    e.deliver(Operand { types: Types::LIST, ..value }, list, false);
                    Ok(())
                })?;
                let zero = self.constant(0)?;
                self.push(Op::Len { to: last, a: list });
                self.push(Op::JumpLe { a: last, b: zero, at });
                self.push(Op::Sub { to: last, a: last, b: one });
                self.push(Op::Copy { to: round, a: zero });
                (self.context.types.elements, &parts[1..])
            }
            Over::Moves(_) => {
                self.push(Op::Small { to: round, value: MOVES as i32 });
                self.push(Op::LastMove { to: last });
                self.push(Op::JumpLt { a: last, b: round, at });
                (Types::MOVE, parts)
            }
        };
        let counter = each.counter.map(|slot| Ok((slot, self.take(1)?, self.take(2)?))).transpose()?;
        if let Some((slot, count, variable)) = counter {
            self.push(Op::Small { to: count, value: -1 });
            self.slots.insert(slot, variable);
        }
        self.place(head);
        if let Some((slot, count, variable)) = counter {
            self.push(Op::Add { to: count, a: count, b: one });
            let tagged = self.context.types.slots[slot].is_tagged();
            self.deliver(Operand { reg: count, types: Types::INT }, variable, tagged);
        }
        // The round itself is the variable, unless the body changes it.
        let tagged = self.context.types.slots[each.variable].is_tagged();
        let changes = |kind: &Kind| kind.changes() == Some(each.variable);
        let is_list = matches!(each.over, Over::List);
        let own = is_list || tagged || bodies.iter().any(|body| body.any(&mut |kind| changes(kind)));
        let variable = if own { self.take(2)? } else { round };
        self.slots.insert(each.variable, variable);
        if is_list {
            let element = Operand { reg: variable, types: of };
            self.push(Op::Element { to: variable, a: list, b: round });
            self.deliver(element, variable, tagged);
        } else if own {
            self.deliver(Operand { reg: round, types: of }, variable, tagged);
        }
        let labels: Vec<usize> = bodies.iter().map(|_| self.label()).collect();
        if let Over::Moves(classes) = &each.over
            && classes.len() > 1
        {
            let table = self.label();
            self.push(Op::ByClass { a: round, at: table as CodeOffset });
            self.place(table);
            for class in Class::iter() {
                let body = classes.iter().position(|of| *of == Some(class));
                self.jump(body.map_or(next, |i| labels[i]));
            }
        }
        for (i, (body, label)) in bodies.iter().zip(labels).enumerate() {
            self.place(label);
            let held = self.hold();
            self.emit(body, Dest::Drop)?;
            self.restore(&held);
            if i + 1 < bodies.len() {
                self.jump(next);
            }
        }
        self.place(next);
        let cost = u16::try_from(each.cost).map_err(|_| TooLarge)?;
        self.push(Op::Next { a: round, last, at: head as CodeOffset, cost });
        self.place(out);
        Ok(())
    }
}
