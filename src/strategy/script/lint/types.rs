//! Infers the types of expressions from the text of a script.

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::super::handles::from_char;
use super::super::module::Module;
use super::super::names::{self, is_memory};
use super::super::value::{Types, Value};
use super::super::walk::walk;

/// The variables of a function with their known types.
pub struct Scope<'a> {
    pub module: &'a Module,
    pub variables: Vec<(String, Types)>,
    /// Names that may have another value later: assigned, or declared twice.
    pub changing: Vec<String>,
}

impl<'a> Scope<'a> {
    pub fn new(module: &'a Module, parameters: &[String], kinds: &[Types], statements: &[Stmt]) -> Scope<'a> {
        let (mut declared, mut changing) = (parameters.to_vec(), Vec::new());
        walk(statements, &mut |node| match node {
            ASTNode::Stmt(Stmt::Var(x, ..)) => declared.push(x.0.name.to_string()),
            ASTNode::Stmt(Stmt::For(x, ..)) => {
                declared.push(x.0.name.to_string());
                declared.extend(x.1.iter().map(|counter| counter.name.to_string()));
            }
            ASTNode::Stmt(Stmt::Assignment(x)) => {
                if let Expr::Variable(x, ..) = &x.1.lhs {
                    changing.push(x.1.to_string());
                }
            }
            _ => {}
        });
        let twice = declared.iter().enumerate().filter(|(i, name)| declared[..*i].contains(name));
        changing.extend(twice.map(|(_, name)| name.clone()).collect::<Vec<_>>());
        let mut scope = Scope { module, variables: Vec::new(), changing };
        for (i, name) in parameters.iter().enumerate() {
            scope.declare(name, kinds.get(i).copied().unwrap_or(Types::ANY));
        }
        scope
    }

    pub fn declare(&mut self, name: &str, of: Types) {
        let of = if self.changing.iter().any(|known| known == name) { Types::ANY } else { of };
        self.variables.push((name.into(), of));
    }

    /// Declares all variables of a function at once: a name with several meanings becomes unknown.
    pub fn declare_all(&mut self, statements: &[Stmt]) {
        walk(statements, &mut |node| match node {
            ASTNode::Stmt(Stmt::Var(x, ..)) => {
                let of = self.type_of(&x.1);
                self.declare(&x.0.name, of);
            }
            ASTNode::Stmt(of @ Stmt::For(..)) => self.declare_loop(of),
            _ => {}
        });
    }

    fn declare_loop(&mut self, statement: &Stmt) {
        let Stmt::For(x, _) = statement else { return };
        let of = self.of_loop(&x.2.expr);
        self.declare(&x.0.name, of);
        if let Some(counter) = &x.1 {
            self.declare(&counter.name, Types::INT);
        }
    }

    /// The type of what a loop goes through.
    pub fn of_loop(&self, list: &Expr) -> Types {
        match list {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") => Types::INT,
            Expr::Dot(dot, ..)
                if self.type_of(&dot.lhs) == Types::VIEW
                    && matches!(&dot.rhs, Expr::Property(p, _) if p.2 == "moves") =>
            {
                Types::MOVE
            }
            _ => Types::ANY,
        }
    }

    /// Returns the types that an expression may have.
    pub fn type_of(&self, expr: &Expr) -> Types {
        match expr {
            Expr::IntegerConstant(..) => Types::INT,
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Types::BOOL,
            Expr::FloatConstant(..) => Types::DECIMAL,
            Expr::CharConstant(sign, _) if from_char(*sign).is_ok() => Types::CARD,
            Expr::CharConstant(..) => Types::CHARACTER,
            Expr::StringConstant(..) | Expr::InterpolatedString(..) => Types::TEXT,
            Expr::Array(..) => Types::LIST,
            Expr::Map(..) => Types::MAP,
            Expr::Unit(_) => Types::UNIT,
            Expr::Variable(x, ..) => self.variable(&x.1),
            Expr::FnCall(call, _) => self.call(call),
            // The index is all that follows.
            Expr::Index(x, ASTFlags::BREAK, _) => match &x.lhs {
                Expr::Variable(name, ..) if is_memory(&name.1) && !self.declares(&name.1) => Types::INT,
                _ => Types::ANY,
            },
            Expr::Dot(dot, options, _) if options.is_empty() => {
                let (mut of, mut rest) = (self.type_of(&dot.lhs), &dot.rhs);
                loop {
                    of = self.member(of, first(rest));
                    match rest {
                        Expr::Dot(dot, options, _) if options.is_empty() => rest = &dot.rhs,
                        Expr::Dot(..) | Expr::Index(..) => return Types::ANY,
                        _ => return of,
                    }
                }
            }
            _ => Types::ANY,
        }
    }

    /// Returns whether it is a variable of the function.
    pub fn declares(&self, name: &str) -> bool {
        self.variables.iter().any(|(known, _)| known == name)
    }

    /// Returns whether the script has such a function, which may be called as a method.
    pub fn has_method(&self, name: &str, arguments: usize) -> bool {
        self.module.has_method(name, arguments)
    }

    /// Returns the constant whole number of an expression, including constants of the script, and its position.
    pub fn whole(&self, expr: &Expr) -> Option<(i64, Position)> {
        match expr {
            Expr::IntegerConstant(n, at) => Some((*n, *at)),
            Expr::Variable(x, _, at) if !self.declares(&x.1) => {
                let value = self.module.constant(&x.1)?.value.as_ref()?;
                Some((value.as_int().ok()?, *at))
            }
            _ => None,
        }
    }

    fn variable(&self, name: &str) -> Types {
        if let Some((_, of)) = self.variables.iter().rev().find(|(known, _)| known == name) {
            return *of;
        }
        match self.module.constant(name).and_then(|constant| constant.value.as_ref()) {
            Some(value) if value.is_string() => Types::TEXT,
            Some(value) if value.is_float() => Types::DECIMAL,
            Some(value) => Value::of(value).map_or(Types::ANY, Value::types),
            None => Types::ANY,
        }
    }

    /// Returns the types of a property or a method of a value of these types.
    pub fn member(&self, of: Types, link: &Expr) -> Types {
        // Lists are only asked for their length here.
        if of.is_one_of(Types::LIST.with(Types::TEXT)) {
            let (name, own) = match link {
                Expr::Property(x, _) => (x.2.as_str(), false),
                Expr::MethodCall(call, _) if call.args.is_empty() => {
                    (call.name.as_str(), self.has_method(&call.name, 0))
                }
                _ => return Types::ANY,
            };
            return match name {
                "len" if !own => Types::INT,
                "is_empty" if !own => Types::BOOL,
                _ => Types::ANY,
            };
        }
        let owner = match of {
            Types::VIEW | Types::MOVE | Types::SEAT => of,
            // It is not a card only if there is a fault.
            _ if of.is_one_of(Types::CARD_OR_UNIT) => Types::CARD,
            _ => return Types::ANY,
        };
        let known = match link {
            Expr::Property(x, _) => names::find(owner, &x.2, None),
            Expr::MethodCall(call, _) if !self.module.has_method(&call.name, call.args.len()) => {
                names::find(owner, &call.name, Some(call.args.len()))
            }
            _ => None,
        };
        known.map_or(Types::ANY, |known| known.meaning.types())
    }

    pub fn call(&self, call: &FnCallExpr) -> Types {
        let name = call.name.as_str();
        if call.op_token.is_none() || name.starts_with(char::is_alphabetic) {
            return Types::ANY;
        }
        match (name, &call.args[..]) {
            ("==" | "!=" | "<" | "<=" | ">" | ">=", _) | ("!", [_]) => Types::BOOL,
            ("-" | "+", [a]) => {
                let numbers = Types::NUMBER;
                Some(self.type_of(a)).filter(|of| of.is_one_of(numbers)).unwrap_or(Types::ANY)
            }
            (_, [a, b]) => calculated(name, self.type_of(a), self.type_of(b)),
            _ => Types::ANY,
        }
    }
}

/// Returns the type of an operator's result.
pub fn calculated(operator: &str, a: Types, b: Types) -> Types {
    let numbers = Types::NUMBER;
    match (operator, a, b) {
        ("+" | "-" | "*" | "/" | "%" | "**", Types::INT, Types::INT) => Types::INT,
        ("+" | "-" | "*" | "/" | "%" | "**", ..) if a.is_one_of(numbers) && b.is_one_of(numbers) => {
            if a == Types::DECIMAL || b == Types::DECIMAL { Types::DECIMAL } else { numbers }
        }
        ("+", ..) if a == Types::TEXT || b == Types::TEXT => Types::TEXT,
        ("&" | "|" | "^" | "<<" | ">>", Types::INT, Types::INT) => Types::INT,
        ("&" | "|" | "^" | "<<" | ">>", Types::BOOL, Types::BOOL) => Types::BOOL,
        _ => Types::ANY,
    }
}

/// Returns the position of a body without a value: it is empty, or ends in a loop and leaves nowhere else.
pub fn without_value(statements: &[Stmt]) -> Option<Position> {
    let last = match statements {
        [] | [Stmt::Noop(_)] => return Some(Position::NONE),
        [Stmt::Block(block)] => return without_value(block.statements()),
        [.., last] => last,
    };
    let ends = match last {
        Stmt::For(..) => true,
        // A loop without a condition may be left with a value.
        Stmt::While(x, _) => !matches!(x.expr, Expr::Unit(..) | Expr::BoolConstant(..)),
        _ => false,
    };
    let mut leaves = false;
    walk(statements, &mut |node| {
        leaves |= matches!(node, ASTNode::Stmt(Stmt::Return(..) | Stmt::BreakLoop(Some(_), ..)));
    });
    (ends && !leaves).then(|| last.position())
}

/// Returns the first link of a chain.
pub fn first(rest: &Expr) -> &Expr {
    match rest {
        Expr::Dot(x, ..) | Expr::Index(x, ..) => &x.lhs,
        other => other,
    }
}

/// Returns where an expression starts; for an operator, Rhai has the position of its symbol.
pub fn start(expr: &Expr) -> Position {
    match expr {
        Expr::FnCall(call, _) if call.op_token.is_some() && call.args.len() == 2 => start(&call.args[0]),
        other => other.start_position(),
    }
}
