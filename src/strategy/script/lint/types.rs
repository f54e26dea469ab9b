//! Infers the types of expressions from the text of a script.

use rhai::{ASTFlags, ASTNode, Expr, FnCallExpr, Position, Stmt};

use super::super::handles::from_char;
use super::super::module::Module;
use super::super::names::{self, Meaning, NAMES, ValueKind};
use super::super::value::{Types, Value};
use super::super::walk::walk;

/// A set of types, including those that compiled code does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type(u16);

impl Type {
    pub const INT: Type = Type(1);
    pub const BOOL: Type = Type(1 << 1);
    pub const UNIT: Type = Type(1 << 2);
    pub const CARD: Type = Type(1 << 3);
    pub const MOVE: Type = Type(1 << 4);
    pub const SEAT: Type = Type(1 << 5);
    pub const VIEW: Type = Type(1 << 6);
    pub const DECIMAL: Type = Type(1 << 7);
    pub const TEXT: Type = Type(1 << 8);
    pub const LIST: Type = Type(1 << 9);
    pub const MAP: Type = Type(1 << 10);
    /// A character that is not a card.
    pub const CHARACTER: Type = Type(1 << 11);
    pub const ANY: Type = Type(u16::MAX);
    /// That of a variable where no way leads.
    pub const NONE: Type = Type(0);

    pub fn or(self, other: Type) -> Type {
        Type(self.0 | other.0)
    }

    /// Returns whether it is certainly none of these.
    pub fn is_never(self, wanted: Type) -> bool {
        self.0 != 0 && self.0 & wanted.0 == 0
    }

    /// Returns whether it may be one of these.
    pub fn meets(self, other: Type) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns whether it is certainly one of these.
    pub fn is_within(self, other: Type) -> bool {
        self.0 != 0 && self.0 & !other.0 == 0
    }

    /// Returns the types that are none of these.
    pub fn without(self, others: Type) -> Type {
        Type(self.0 & !others.0)
    }

    /// Returns the types of a value of compiled code.
    pub fn of(types: Types) -> Type {
        const EACH: [(Types, Type); 8] = [
            (Types::INT, Type::INT),
            (Types::BOOL, Type::BOOL),
            (Types::UNIT, Type::UNIT),
            (Types::CARD, Type::CARD),
            (Types::MOVE, Type::MOVE),
            (Types::SEAT, Type::SEAT),
            (Types::VIEW, Type::VIEW),
            (Types::LIST, Type::LIST),
        ];
        EACH.iter().filter(|(known, _)| types.has(*known)).fold(Type(0), |all, (_, one)| all.or(*one))
    }

    /// Describes its values.
    pub fn words(self) -> String {
        const WORDS: [(Type, &str); 12] = [
            (Type::INT, "a whole number"),
            (Type::BOOL, "a truth value"),
            (Type::CARD, "a card"),
            (Type::MOVE, "a move"),
            (Type::SEAT, "a seat"),
            (Type::VIEW, "the view"),
            (Type::DECIMAL, "a decimal number"),
            (Type::TEXT, "a string"),
            (Type::CHARACTER, "a character"),
            (Type::LIST, "an array"),
            (Type::MAP, "a map"),
            (Type::UNIT, "nothing (`()`)"),
        ];
        let words = WORDS.iter().filter(|(one, _)| self.0 & one.0 != 0);
        words.map(|(_, words)| *words).collect::<Vec<_>>().join(" or ")
    }
}

/// The variables of a function with their known types.
pub struct Scope<'a> {
    pub module: &'a Module,
    pub variables: Vec<(String, Type)>,
    /// Names that may have another value later: assigned, or declared twice.
    pub changing: Vec<String>,
}

impl<'a> Scope<'a> {
    pub fn new(module: &'a Module, parameters: &[String], kinds: &[Type], statements: &[Stmt]) -> Scope<'a> {
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
            scope.declare(name, kinds.get(i).copied().unwrap_or(Type::ANY));
        }
        scope
    }

    pub fn declare(&mut self, name: &str, of: Type) {
        let of = if self.changing.iter().any(|known| known == name) { Type::ANY } else { of };
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
            self.declare(&counter.name, Type::INT);
        }
    }

    /// The type of what a loop goes through.
    pub fn of_loop(&self, list: &Expr) -> Type {
        match list {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") => Type::INT,
            Expr::Dot(dot, ..)
                if self.type_of(&dot.lhs) == Type::VIEW
                    && matches!(&dot.rhs, Expr::Property(p, _) if p.2 == "moves") =>
            {
                Type::MOVE
            }
            _ => Type::ANY,
        }
    }

    /// Returns the types that an expression may have.
    pub fn type_of(&self, expr: &Expr) -> Type {
        match expr {
            Expr::IntegerConstant(..) => Type::INT,
            Expr::BoolConstant(..) | Expr::And(..) | Expr::Or(..) => Type::BOOL,
            Expr::FloatConstant(..) => Type::DECIMAL,
            Expr::CharConstant(sign, _) if from_char(*sign).is_ok() => Type::CARD,
            Expr::CharConstant(..) => Type::CHARACTER,
            Expr::StringConstant(..) | Expr::InterpolatedString(..) => Type::TEXT,
            Expr::Array(..) => Type::LIST,
            Expr::Map(..) => Type::MAP,
            Expr::Unit(_) => Type::UNIT,
            Expr::Variable(x, ..) => self.variable(&x.1),
            Expr::FnCall(call, _) => self.call(call),
            // The index is all that follows.
            Expr::Index(x, ASTFlags::BREAK, _) => match &x.lhs {
                Expr::Variable(name, ..) if is_memory(&name.1) && !self.declares(&name.1) => Type::INT,
                _ => Type::ANY,
            },
            Expr::Dot(dot, options, _) if options.is_empty() => {
                let (mut of, mut rest) = (self.type_of(&dot.lhs), &dot.rhs);
                loop {
                    of = self.member(of, first(rest));
                    match rest {
                        Expr::Dot(dot, options, _) if options.is_empty() => rest = &dot.rhs,
                        Expr::Dot(..) | Expr::Index(..) => return Type::ANY,
                        _ => return of,
                    }
                }
            }
            _ => Type::ANY,
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

    fn variable(&self, name: &str) -> Type {
        if let Some((_, of)) = self.variables.iter().rev().find(|(known, _)| known == name) {
            return *of;
        }
        match self.module.constant(name).and_then(|constant| constant.value.as_ref()) {
            Some(value) if value.is_string() => Type::TEXT,
            Some(value) if value.is_float() => Type::DECIMAL,
            Some(value) => Value::of(value).map_or(Type::ANY, |value| Type::of(value.types())),
            None => Type::ANY,
        }
    }

    /// Returns the types of a property or a method of a value of these types.
    pub fn member(&self, of: Type, link: &Expr) -> Type {
        // Lists are only asked for their length here.
        if of.is_within(Type::LIST.or(Type::TEXT)) {
            let (name, own) = match link {
                Expr::Property(x, _) => (x.2.as_str(), false),
                Expr::MethodCall(call, _) if call.args.is_empty() => {
                    (call.name.as_str(), self.has_method(&call.name, 0))
                }
                _ => return Type::ANY,
            };
            return match name {
                "len" if !own => Type::INT,
                "is_empty" if !own => Type::BOOL,
                _ => Type::ANY,
            };
        }
        let owner = match of {
            Type::VIEW => ValueKind::View,
            Type::MOVE => ValueKind::Move,
            Type::SEAT => ValueKind::Seat,
            // It is not a card only if there is a fault.
            _ if of.is_within(Type::CARD.or(Type::UNIT)) => ValueKind::Card,
            _ => return Type::ANY,
        };
        match link {
            Expr::Property(x, _) => match names::property(owner, &x.2) {
                Some(names::Meaning::Moves) => Type::LIST,
                Some(meaning) => Type::of(meaning.types()),
                None => Type::ANY,
            },
            Expr::MethodCall(call, _) if !self.module.has_method(&call.name, call.args.len()) => {
                names::method_types(owner, &call.name, call.args.len()).map_or(Type::ANY, Type::of)
            }
            _ => Type::ANY,
        }
    }

    pub fn call(&self, call: &FnCallExpr) -> Type {
        let name = call.name.as_str();
        if call.op_token.is_none() || name.starts_with(char::is_alphabetic) {
            return Type::ANY;
        }
        match (name, &call.args[..]) {
            ("==" | "!=" | "<" | "<=" | ">" | ">=", _) | ("!", [_]) => Type::BOOL,
            ("-" | "+", [a]) => {
                let numbers = Type::INT.or(Type::DECIMAL);
                Some(self.type_of(a)).filter(|of| of.is_within(numbers)).unwrap_or(Type::ANY)
            }
            (_, [a, b]) => calculated(name, self.type_of(a), self.type_of(b)),
            _ => Type::ANY,
        }
    }
}

/// Returns the type of an operator's result.
pub fn calculated(operator: &str, a: Type, b: Type) -> Type {
    let numbers = Type::INT.or(Type::DECIMAL);
    match (operator, a, b) {
        ("+" | "-" | "*" | "/" | "%" | "**", Type::INT, Type::INT) => Type::INT,
        ("+" | "-" | "*" | "/" | "%" | "**", ..) if a.is_within(numbers) && b.is_within(numbers) => {
            if a == Type::DECIMAL || b == Type::DECIMAL { Type::DECIMAL } else { numbers }
        }
        ("+", ..) if a == Type::TEXT || b == Type::TEXT => Type::TEXT,
        ("&" | "|" | "^" | "<<" | ">>", Type::INT, Type::INT) => Type::INT,
        ("&" | "|" | "^" | "<<" | ">>", Type::BOOL, Type::BOOL) => Type::BOOL,
        _ => Type::ANY,
    }
}

/// Returns whether it is the name `memory`.
pub fn is_memory(name: &str) -> bool {
    NAMES.iter().any(|it| it.meaning == Meaning::Memory && it.name == name)
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
