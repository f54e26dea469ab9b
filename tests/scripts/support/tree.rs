//! A script as a tree, and its conversion to text.

use std::fmt::{self, Write};

/// The intended type of an expression. A deliberately faulty script does not respect it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Int,
    Bool,
    /// A card or `()`.
    Card,
    /// A card that is certainly present.
    Sure,
    Move,
    /// A move or `()`.
    MaybeMove,
    Seat,
    View,
    /// A whole number, a boolean, a card or `()`, at different times.
    Any,
    /// A list; the script determines its element types.
    List,
    /// What a `for` iterates over: numbers or moves.
    Many,
    /// A statement, or `()`.
    Nothing,
}

/// The part before `=>` in a `switch`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Case {
    Int(i64),
    /// Start, end, and whether the end is included.
    Range(i64, i64, bool),
    Bool(bool),
    Unit,
}

/// The kind of a node; its parts are the node's kids, in text order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Int(i64),
    Bool(bool),
    Unit,
    Var(String),
    Unary(&'static str),
    /// Includes `&&` and `||`.
    Binary(&'static str),
    Call(String),
    /// The first kid is the receiver.
    Method(String),
    Get(String),
    /// Condition, block, and optionally a block or another `if` after `else`.
    If,
    /// The subject, then arms.
    Switch,
    /// Optionally a condition, then the body. Without cases it is `_`.
    Arm(Vec<Case>),
    /// With or without a semicolon after its last statement.
    Block(bool),
    While,
    Loop,
    /// Block and condition; true for `until`, false for `while`.
    Do(bool),
    /// The iterated value, and the block; the variable, and optionally a counter.
    For(String, Option<String>),
    /// Inclusive or exclusive.
    Range(bool),
    List,
    /// A list and an index.
    Element,
    /// An assignment to an element: the variable and the operator; the index and the value.
    Put(String, &'static str),
    Let(String),
    /// A variable and an operator such as `+=`.
    Assign(String, &'static str),
    Break,
    Continue,
    Return,
    /// Literal text, from the part of the language that is not compiled.
    Raw(String),
}

/// A part of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub what: What,
    pub ty: Ty,
    pub kids: Vec<Node>,
}

/// A function of a script.
#[derive(Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<String>,
    /// A [`What::Block`].
    pub body: Node,
}

/// A whole script.
#[derive(Clone, PartialEq, Eq)]
pub struct Tree {
    pub constants: Vec<(String, Node)>,
    pub functions: Vec<Function>,
    /// Whether it is made to have faults.
    pub faulty: bool,
    /// Whether some of its functions use what is not compiled.
    pub mixed: bool,
}

impl Node {
    pub fn new(what: What, ty: Ty, kids: Vec<Node>) -> Node {
        Node { what, ty, kids }
    }

    pub fn int(n: i64) -> Node {
        Node::new(What::Int(n), Ty::Int, vec![])
    }

    pub fn var(name: &str, ty: Ty) -> Node {
        Node::new(What::Var(name.into()), ty, vec![])
    }

    pub fn unit(ty: Ty) -> Node {
        Node::new(What::Unit, ty, vec![])
    }

    /// Visits the node and all descendants.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Node)) {
        visit(self);
        self.kids.iter().for_each(|kid| kid.walk(visit));
    }

    /// Replaces every read of `memory` by a number.
    pub fn forget(&mut self) {
        if matches!(&self.what, What::Var(place) if place.contains('[')) {
            self.what = What::Int(3);
        }
        self.kids.iter_mut().for_each(Node::forget);
    }

    fn is_statement(&self) -> bool {
        use What::*;
        matches!(self.what, Let(_) | Assign(..) | Put(..) | Break | Continue | Return | Raw(_))
    }

    /// Returns whether it ends with its own brace, so that no semicolon is needed.
    fn is_closed(&self) -> bool {
        use What::*;
        matches!(self.what, If | Switch | Block(_) | While | Loop | For(..))
    }

    /// Writes it as a part of an expression.
    fn inner(&self, out: &mut String, depth: usize) {
        let bare = matches!(
            self.what,
            What::Bool(_)
                | What::Unit
                | What::Var(_)
                | What::Call(_)
                | What::Get(_)
                | What::Method(_)
                | What::List
        ) || matches!(self.what, What::Int(0..));
        if bare {
            self.write(out, depth);
        } else {
            out.push('(');
            self.write(out, depth);
            out.push(')');
        }
    }

    /// Writes it before a block, where no other block is allowed.
    fn condition(&self, out: &mut String, depth: usize) {
        if self.is_closed() { self.inner(out, depth) } else { self.write(out, depth) }
    }

    fn list(kids: &[Node], out: &mut String, depth: usize) {
        for (i, kid) in kids.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            kid.write(out, depth);
        }
    }

    /// Writes `word` and the kid after it, if there is one.
    fn with_value(&self, word: &str, out: &mut String, depth: usize) {
        out.push_str(word);
        if let Some(value) = self.kids.first() {
            out.push(' ');
            value.write(out, depth);
        }
    }

    fn write(&self, out: &mut String, depth: usize) {
        let kids = &self.kids;
        match &self.what {
            // The parser reads the smallest number as the negation of one that is too large.
            What::Int(i64::MIN) => out.push_str("-9223372036854775807 - 1"),
            What::Int(n) => put(out, n),
            What::Bool(b) => put(out, b),
            What::Unit => out.push_str("()"),
            What::Var(name) | What::Raw(name) => out.push_str(name),
            What::Unary(op) => {
                out.push_str(op);
                kids[0].inner(out, depth);
            }
            What::Binary(op) => {
                // The parser reads `a && b && c` as one node.
                match &kids[0].what {
                    What::Binary(left) if left == op && *op != "**" => kids[0].write(out, depth),
                    _ => kids[0].inner(out, depth),
                }
                put(out, format_args!(" {op} "));
                kids[1].inner(out, depth);
            }
            What::Call(name) => {
                put(out, format_args!("{name}("));
                Node::list(kids, out, depth);
                out.push(')');
            }
            What::Get(name) | What::Method(name) => {
                match &kids[0].what {
                    // A method of an element itself is interpreted.
                    What::Var(place) if place.contains('[') => put(out, format_args!("(0 + {place})")),
                    _ => kids[0].inner(out, depth),
                }
                put(out, format_args!(".{name}"));
                if matches!(self.what, What::Method(_)) {
                    out.push('(');
                    Node::list(&kids[1..], out, depth);
                    out.push(')');
                }
            }
            What::If => {
                out.push_str("if ");
                kids[0].condition(out, depth);
                out.push(' ');
                kids[1].write(out, depth);
                if let Some(other) = kids.get(2) {
                    out.push_str(" else ");
                    other.write(out, depth);
                }
            }
            What::Switch => {
                out.push_str("switch ");
                kids[0].inner(out, depth);
                out.push_str(" {\n");
                for arm in &kids[1..] {
                    arm.write(out, depth + 1);
                }
                indent(out, depth);
                out.push('}');
            }
            What::Arm(cases) => {
                indent(out, depth);
                let texts: Vec<String> = cases.iter().map(Case::text).collect();
                out.push_str(&if texts.is_empty() { "_".into() } else { texts.join(" | ") });
                if let [condition, _] = &kids[..] {
                    out.push_str(" if ");
                    condition.inner(out, depth);
                }
                out.push_str(" => ");
                kids[kids.len() - 1].write(out, depth);
                out.push_str(",\n");
            }
            What::Block(semicolon) => {
                out.push_str("{\n");
                for (i, kid) in kids.iter().enumerate() {
                    indent(out, depth + 1);
                    kid.write(out, depth + 1);
                    let last = i + 1 == kids.len();
                    out.push_str(match (last, kid.is_closed()) {
                        (false, true) => "\n",
                        (true, _) if !semicolon && !kid.is_statement() => "\n",
                        _ => ";\n",
                    });
                }
                indent(out, depth);
                out.push('}');
            }
            What::While => {
                out.push_str("while ");
                kids[0].condition(out, depth);
                out.push(' ');
                kids[1].write(out, depth);
            }
            What::Loop => self.with_value("loop", out, depth),
            What::Do(until) => {
                out.push_str("do ");
                kids[0].write(out, depth);
                out.push_str(if *until { " until " } else { " while " });
                kids[1].inner(out, depth);
            }
            What::For(name, counter) => {
                match counter {
                    None => put(out, format_args!("for {name} in ")),
                    Some(counter) => put(out, format_args!("for ({name}, {counter}) in ")),
                }
                kids[0].write(out, depth);
                out.push(' ');
                kids[1].write(out, depth);
            }
            What::Range(inclusive) => {
                kids[0].inner(out, depth);
                out.push_str(if *inclusive { "..=" } else { ".." });
                kids[1].inner(out, depth);
            }
            What::List => {
                out.push('[');
                Node::list(kids, out, depth);
                out.push(']');
            }
            What::Element => {
                kids[0].inner(out, depth);
                out.push('[');
                kids[1].write(out, depth);
                out.push(']');
            }
            What::Put(name, op) => {
                put(out, format_args!("{name}["));
                kids[0].write(out, depth);
                put(out, format_args!("] {op} "));
                kids[1].write(out, depth);
            }
            What::Let(name) if kids.is_empty() => put(out, format_args!("let {name}")),
            What::Let(name) => self.with_value(&format!("let {name} ="), out, depth),
            What::Assign(name, op) => self.with_value(&format!("{name} {op}"), out, depth),
            What::Break => self.with_value("break", out, depth),
            What::Continue => out.push_str("continue"),
            What::Return => self.with_value("return", out, depth),
        }
    }
}

impl Case {
    fn text(&self) -> String {
        match self {
            Case::Int(n) => n.to_string(),
            Case::Range(from, to, inclusive) => {
                format!("{from}{}{to}", if *inclusive { "..=" } else { ".." })
            }
            Case::Bool(b) => b.to_string(),
            Case::Unit => "()".into(),
        }
    }
}

/// Writes to a string, which cannot fail.
fn put(out: &mut String, what: impl fmt::Display) {
    let _ = write!(out, "{what}");
}

fn indent(out: &mut String, depth: usize) {
    out.extend(std::iter::repeat_n("    ", depth));
}

impl Tree {
    /// Returns the script as text.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for (name, value) in &self.constants {
            put(&mut out, format_args!("const {name} = "));
            value.write(&mut out, 0);
            out.push_str(";\n");
        }
        for function in &self.functions {
            put(&mut out, format_args!("fn {}({}) ", function.name, function.parameters.join(", ")));
            function.body.write(&mut out, 0);
            out.push('\n');
        }
        out
    }
}

/// A failing test shows the script itself.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.text())
    }
}
