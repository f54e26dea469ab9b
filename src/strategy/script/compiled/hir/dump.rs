//! Prints the HIR: a node on one line if it fits, otherwise with its parts below it.

use std::fmt::{self, Display, Formatter};

use super::super::super::value::Value;
use super::super::operators::{Arith, Single};
use super::{Hir, Kind, Node, Over, Role};

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
            self.write(f, &tree.node, "", 1)?;
        }
        for (i, memo) in self.memos.iter().enumerate() {
            writeln!(f, "memo {i}: {:?}", self.types.memos[i])?;
            self.write(f, memo, "", 1)?;
        }
        for (i, types) in self.types.tables.iter().enumerate() {
            writeln!(f, "table {i}: {types:?}")?;
        }
        Ok(())
    }
}

impl Hir {
    /// Prints a node after a word, on the same line if it fits.
    fn write(&self, f: &mut Formatter<'_>, node: &Node, word: &str, depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        let space = if word.is_empty() { "" } else { " " };
        if let Some(line) = self.line(node).filter(|line| line.len() + word.len() + 2 * depth < MOST_WIDTH) {
            return writeln!(f, "{indent}{word}{space}{line}");
        }
        if !word.is_empty() {
            writeln!(f, "{indent}{word}")?;
            return self.write(f, node, "", depth + 1);
        }
        let words: Vec<String> = match &node.kind {
            // The parts of a sequence are printed below each other.
            Kind::Seq => return node.parts.iter().try_for_each(|part| self.write(f, part, "", depth)),
            Kind::If => {
                let parts = if node.parts[2].is(Value::UNIT) { 2 } else { 3 };
                ["if", "then", "else"].map(String::from)[..parts].to_vec()
            }
            Kind::Loop(each) => {
                let counter = each.counter.map_or(String::new(), |slot| format!(", counted by v{slot}"));
                let head = format!("for v{}{counter} cost={}", each.variable, each.cost);
                match &each.over {
                    Over::Range { inclusive } => {
                        let dots = if *inclusive { "..=" } else { ".." };
                        vec![format!("{head} from"), dots.into(), "do".into()]
                    }
                    Over::List => vec![format!("{head} in"), "do".into()],
                    Over::Moves(classes) => {
                        writeln!(f, "{indent}{head} in moves")?;
                        let of = |class: &Option<_>| class.map_or("do".into(), |of| format!("do for {of:?}"));
                        classes.iter().map(of).collect()
                    }
                }
            }
            _ => {
                writeln!(f, "{indent}{}", self.name(&node.kind))?;
                return node.parts.iter().try_for_each(|part| self.write(f, part, "", depth + 1));
            }
        };
        node.parts.iter().zip(&words).try_for_each(|(part, word)| self.write(f, part, word, depth))
    }

    /// Formats the node on one line, if it contains no statements.
    fn line(&self, node: &Node) -> Option<String> {
        let parts = node.parts.iter().map(|part| self.line(part)).collect::<Option<Vec<String>>>()?;
        let name = self.name(&node.kind);
        Some(match &node.kind {
            Kind::Seq | Kind::If | Kind::Block(_) | Kind::Endless(_) | Kind::Loop(_) => {
                return None;
            }
            Kind::Arith(Arith::Min | Arith::Max) => format!("{name}({})", parts.join(", ")),
            Kind::Arith(_) | Kind::Compare(_) | Kind::And | Kind::Or => {
                format!("({})", parts.join(&format!(" {name} ")))
            }
            Kind::CardProperty(_) | Kind::MoveProperty(_) | Kind::SeatProperty(_) | Kind::Len => {
                format!("{}{name}", parts[0])
            }
            Kind::Table(_) | Kind::Memory => format!("{name}[{}]", parts[0]),
            Kind::Element => format!("{}[{}]", parts[0], parts[1]),
            Kind::Let(_) | Kind::Set(_) | Kind::Leave(_) => format!("{name} {}", parts[0]),
            _ if parts.is_empty() => name,
            _ => format!("{name}({})", parts.join(", ")),
        })
    }

    /// Returns what stands for a node, without its parts.
    fn name(&self, kind: &Kind) -> String {
        match kind {
            Kind::Const(value) => value.to_string(),
            Kind::Read(slot) => format!("v{slot}"),
            Kind::Let(slot) => format!("let v{slot}: {:?} =", self.types.slots[*slot]),
            Kind::Set(slot) => format!("v{slot} ="),
            Kind::Block(label) => format!("block b{label}"),
            Kind::Leave(label) => format!("leave b{label} with"),
            Kind::Endless(cost) => format!("loop cost={cost}"),
            Kind::Arith(op) => op.to_string(),
            Kind::Compare(op) => op.to_string(),
            Kind::Single(Single::Neg) => "-".into(),
            Kind::Single(op) => format!("{op:?}"),
            Kind::Not => "!".into(),
            Kind::And => "&&".into(),
            Kind::Or => "||".into(),
            Kind::ViewProperty(of) => format!("view.{of}"),
            Kind::MoveProperty(of) => format!(".{of}"),
            Kind::CardProperty(of) => format!(".{of}"),
            Kind::SeatProperty(of) => format!(".{of}"),
            Kind::Intrinsic(of) => format!("{of:?}"),
            Kind::ConstList(id) => format!("constant list {id}"),
            Kind::Len => ".len".into(),
            Kind::Change(slot, change) => format!("v{slot}.{change:?}").to_lowercase(),
            Kind::Playout(player) => format!("playout by text {player}"),
            Kind::MoveCount => "moves.len".into(),
            Kind::Memo(id) => format!("memo {id}"),
            Kind::Table(id) => format!("table {id}"),
            Kind::Call(number, _) => format!("function {number}"),
            Kind::Interpret(function, _) => format!("interpreted {function}"),
            other => format!("{other:?}").to_lowercase(),
        }
    }
}
