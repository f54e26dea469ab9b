//! Prints the HIR: a node on one line if it fits, otherwise with its parts below it.

use std::fmt::{self, Display, Formatter};

use super::super::super::names::{Meaning, name_of};
use super::super::super::value::{Types, Value};
use super::super::operators::{Arith, Single};
use super::node::{Change, Node, Test};
use super::tree::{Hir, Role};

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
    fn types_of(&self, slot: usize) -> Types {
        self.types.slots.get(slot).copied().unwrap_or_default()
    }

    fn write(&self, f: &mut Formatter<'_>, node: &Node, depth: usize) -> fmt::Result {
        if let Some(line) = self.line(node).filter(|line| line.len() + 2 * depth <= MOST_WIDTH) {
            return writeln!(f, "{}{line}", indent(depth));
        }
        let head = match node {
            // The parts of a sequence are printed below each other.
            Node::Seq(all) => return all.iter().try_for_each(|node| self.write(f, node, depth)),
            Node::Let(slot, _) => format!("let v{slot}: {:?} =", self.types_of(*slot)),
            Node::Set(slot, _) => format!("v{slot} ="),
            Node::Block(label, _) => format!("block b{label}"),
            Node::Leave(label, _) => format!("leave b{label} with"),
            Node::Loop(_, cost) => format!("loop cost={cost}"),
            Node::If(test, yes, no) => {
                self.below(f, depth, "if", test)?;
                self.below(f, depth, "then", yes)?;
                return if no.constant() == Some(Value::UNIT) {
                    Ok(())
                } else {
                    self.below(f, depth, "else", no)
                };
            }
            Node::For(range) => {
                let dots = if range.inclusive { "..=" } else { ".." };
                let counter = range.counter.map_or(String::new(), |slot| format!(", counted by v{slot}"));
                let (variable, cost) = (range.variable, range.cost);
                self.below(f, depth, &format!("for v{variable}{counter} cost={cost} from"), &range.first)?;
                self.below(f, depth, dots, &range.last)?;
                return self.below(f, depth, "do", &range.body);
            }
            Node::Moves(moves) => {
                let counter = moves.counter.map_or(String::new(), |slot| format!(", counted by v{slot}"));
                let (variable, cost) = (moves.variable, moves.cost);
                writeln!(f, "{}for v{variable}{counter} in moves cost={cost}", indent(depth))?;
                return moves.bodies.iter().try_for_each(|(class, body)| {
                    let of = class.map_or("do".into(), |class| format!("do for {class:?}"));
                    self.below(f, depth, &of, body)
                });
            }
            Node::Each(each) => {
                let counter = each.counter.map_or(String::new(), |slot| format!(", counted by v{slot}"));
                let (variable, cost) = (each.variable, each.cost);
                self.below(f, depth, &format!("for v{variable}{counter} cost={cost} in"), &each.list)?;
                return self.below(f, depth, "do", &each.body);
            }
            Node::Switch(switch) => {
                self.below(f, depth, "switch", &switch.subject)?;
                for case in &switch.cases {
                    let test = match case.test {
                        Test::Is(value) => value.to_string(),
                        Test::Within(first, last) => format!("{first}..={last}"),
                    };
                    self.below(f, depth, &format!("case {test}: arm {} if", case.arm), &case.condition)?;
                }
                for (i, arm) in switch.arms.iter().enumerate() {
                    let otherwise = if i == switch.otherwise { ", otherwise" } else { "" };
                    self.below(f, depth, &format!("arm {i}{otherwise}"), arm)?;
                }
                return Ok(());
            }
            _ => name(node),
        };
        writeln!(f, "{}{head}", indent(depth))?;
        let mut written = Ok(());
        node.children(&mut |child| {
            if written.is_ok() {
                written = self.write(f, child, depth + 1);
            }
        });
        written
    }

    /// Prints a word, with a node beside or below it.
    fn below(&self, f: &mut Formatter<'_>, depth: usize, word: &str, node: &Node) -> fmt::Result {
        match self.line(node) {
            Some(line) if line.len() + word.len() + 2 * depth < MOST_WIDTH => {
                writeln!(f, "{}{word} {line}", indent(depth))
            }
            _ => {
                writeln!(f, "{}{word}", indent(depth))?;
                self.write(f, node, depth + 1)
            }
        }
    }

    /// Formats the node on one line, if it contains no statements.
    fn line(&self, node: &Node) -> Option<String> {
        let each = |all: &[Node], between: &str| -> Option<String> {
            let all: Option<Vec<String>> = all.iter().map(|node| self.line(node)).collect();
            all.map(|all| all.join(between))
        };
        Some(match node {
            Node::Const(value) => value.to_string(),
            Node::Read(slot) => format!("v{slot}"),
            Node::ViewProperty(property) => format!("view.{}", name_of(Meaning::View(*property))),
            Node::Memo(id) => format!("memo {id}"),
            Node::Fault => "fault".into(),
            Node::Let(slot, value) => {
                format!("let v{slot}: {:?} = {}", self.types_of(*slot), self.line(value)?)
            }
            Node::Set(slot, value) => format!("v{slot} = {}", self.line(value)?),
            Node::Leave(label, value) => format!("leave b{label} with {}", self.line(value)?),
            Node::Arith(op @ (Arith::Min | Arith::Max), a, b) => {
                format!("{op}({}, {})", self.line(a)?, self.line(b)?)
            }
            Node::Arith(op, a, b) => format!("({} {op} {})", self.line(a)?, self.line(b)?),
            Node::Compare(op, a, b) => format!("({} {op} {})", self.line(a)?, self.line(b)?),
            Node::Single(_, a) | Node::Not(a) => format!("{}({})", name(node), self.line(a)?),
            Node::And(all) => format!("({})", each(all, " && ")?),
            Node::Or(all) => format!("({})", each(all, " || ")?),
            Node::MoveProperty(of, a) => format!("{}.{}", self.line(a)?, name_of(Meaning::Move(*of))),
            Node::CardProperty(of, a) => format!("{}.{}", self.line(a)?, name_of(Meaning::Card(*of))),
            Node::SeatProperty(of, a) => format!("{}.{}", self.line(a)?, name_of(Meaning::Seat(*of))),
            Node::Memory(place) => format!("memory[{}]", self.line(place)?),
            Node::SetMemory(place, value) => {
                format!("memory[{}] = {}", self.line(place)?, self.line(value)?)
            }
            Node::List(all) => format!("[{}]", each(all, ", ")?),
            Node::ConstList(id) => format!("constant list {id}"),
            Node::Own(of) => format!("own({})", self.line(of)?),
            Node::Element(list, place) => format!("{}[{}]", self.line(list)?, self.line(place)?),
            Node::Len(list) => format!("{}.len", self.line(list)?),
            Node::MoveCount => "moves.len".into(),
            Node::After(m) => format!("after({})", self.line(m)?),
            Node::Playout(player, m, k) => {
                let of =
                    m.as_ref().map_or(Some("view".into()), |m| Some(format!("after({})", self.line(m)?)))?;
                format!("{of}.playout({}, text {player})", self.line(k)?)
            }
            Node::Change(slot, change) => match &**change {
                Change::Push(value) => format!("v{slot}.push({})", self.line(value)?),
                Change::Put(place, value) => {
                    format!("v{slot}[{}] = {}", self.line(place)?, self.line(value)?)
                }
                Change::Pop => format!("v{slot}.pop()"),
                Change::Clear => format!("v{slot}.clear()"),
            },
            Node::Table(id, of) => format!("table {id}[{}]", self.line(of)?),
            Node::Intrinsic(_, all) | Node::Call(_, all, _) | Node::Interpret(_, all, _) => {
                format!("{}({})", name(node), each(all, ", ")?)
            }
            _ => return None,
        })
    }
}

fn indent(depth: usize) -> String {
    "  ".repeat(depth)
}

/// Returns the name of a node, without its parts.
fn name(node: &Node) -> String {
    match node {
        Node::Intrinsic(of, _) => format!("{of:?}"),
        Node::Call(number, ..) => format!("function {number}"),
        Node::Interpret(function, ..) => format!("interpreted {function}"),
        Node::Arith(op, ..) => op.to_string(),
        Node::Compare(op, ..) => op.to_string(),
        Node::Single(op, _) => match op {
            Single::Neg => "-".into(),
            other => format!("{other:?}"),
        },
        Node::Not(_) => "!".into(),
        Node::And(_) => "&&".into(),
        Node::Or(_) => "||".into(),
        Node::Table(id, _) => format!("table {id}"),
        Node::Memory(_) => "memory".into(),
        Node::SetMemory(..) => "memory =".into(),
        Node::List(_) => "list".into(),
        Node::Own(_) => "own".into(),
        Node::Element(..) => "element".into(),
        Node::Len(_) => "len".into(),
        Node::Playout(player, ..) => format!("playout by text {player}"),
        Node::Change(slot, _) => format!("v{slot} changes"),
        Node::MoveProperty(of, _) => format!(".{}", name_of(Meaning::Move(*of))),
        Node::CardProperty(of, _) => format!(".{}", name_of(Meaning::Card(*of))),
        Node::SeatProperty(of, _) => format!(".{}", name_of(Meaning::Seat(*of))),
        _ => String::new(),
    }
}
