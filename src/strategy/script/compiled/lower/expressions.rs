//! Lowers expressions of Rhai to [`Node`]s.

use std::str::FromStr;

use rhai::{Expr, FnCallExpr, Position};

use super::super::super::intrinsics::{CardProperty, Intrinsic, MoveProperty, NumberMethod};
use super::super::super::meter::MOST_FOR_MOVES;
use super::super::super::names::{self, Meaning, NAMES};
use super::super::super::players::is_playout;
use super::super::super::value::{Types, Value};
use super::super::hir::Node;
use super::super::operators::{self, Arith, Compare, Single};
use super::builder::{Builder, Built, Obstacle};

fn obstacle<T>(at: Position, what: impl Into<String>) -> Built<T> {
    Err(Obstacle { at, what: what.into() })
}

impl Builder<'_> {
    /// Lowers an expression whose value is stored, or queried further. A view after a move is not such a value.
    pub(super) fn expr(&mut self, expr: &Expr) -> Built<Node> {
        let node = self.expr_or_view(expr)?;
        self.no_view(node, expr.start_position())
    }

    /// Lowers an expression that may be a view after a move.
    pub(super) fn expr_or_view(&mut self, expr: &Expr) -> Built<Node> {
        self.count_built(expr.start_position())?;
        match expr {
            Expr::BoolConstant(b, _) => Ok(Node::bool(*b)),
            Expr::IntegerConstant(n, _) => Ok(Node::int(*n)),
            Expr::Unit(_) => Ok(Node::UNIT),
            Expr::Variable(x, _, at) => self.read(&x.1, *at),
            Expr::Stmt(block) => self.block_or_view(block.statements()),
            Expr::FnCall(call, at) => self.function_call(call, *at),
            Expr::And(all, _) => self.logic(all, false),
            Expr::Or(all, _) => self.logic(all, true),
            Expr::Dot(dot, options, _) if options.is_empty() => self.chain(&dot.lhs, &dot.rhs),
            Expr::Index(x, options, _) if self.is_memory(&x.lhs) => self.memory(x, *options),
            Expr::Dot(_, _, at) => obstacle(*at, "`?.`"),
            Expr::FloatConstant(_, at) => obstacle(*at, "a decimal number"),
            Expr::CharConstant(_, at) => obstacle(*at, "a character"),
            Expr::StringConstant(_, at) | Expr::InterpolatedString(_, at) => obstacle(*at, "a string"),
            Expr::Array(all, at) => self.list(all, *at),
            Expr::Map(_, at) => obstacle(*at, "a map"),
            Expr::Index(x, options, _) => self.element(x, *options),
            Expr::ThisPtr(at) => obstacle(*at, "`this`"),
            Expr::Coalesce(_, at) => obstacle(*at, "`??`"),
            other => obstacle(other.start_position(), "a kind of value"),
        }
    }

    /// Lowers `&&`, or with `or` set `||`, with short-circuit evaluation.
    fn logic(&mut self, all: &[Expr], or: bool) -> Built<Node> {
        let mut nodes = Vec::new();
        for expr in all {
            let node = self.expr(expr)?;
            match node.constant().and_then(Value::as_bool) {
                Some(decides) if decides == or && !self.is_generic() => {
                    nodes.push(node);
                    break;
                }
                Some(_) if !self.is_generic() => {}
                _ => nodes.push(node),
            }
        }
        Ok(match nodes.len() {
            0 => Node::bool(!or),
            1 if nodes[0].constant().is_some_and(|v| v.as_bool().is_some()) => nodes.remove(0),
            _ if or => Node::Or(nodes),
            _ => Node::And(nodes),
        })
    }

    /// Lowers a call in function style, or an operator.
    pub(super) fn function_call(&mut self, call: &FnCallExpr, at: Position) -> Built<Node> {
        let name = call.name.as_str();
        self.costs(3);
        if call.op_token.is_some() && !name.starts_with(char::is_alphabetic) {
            return match &call.args[..] {
                [a] => {
                    let a = self.expr(a)?;
                    self.unary(name, a, at)
                }
                [a, b] => {
                    let (a, b) = (self.expr(a)?, self.expr(b)?);
                    self.binary(name, a, b, at)
                }
                _ => obstacle(at, format!("`{name}`")),
            };
        }
        if call.capture_parent_scope {
            return obstacle(at, "a call that takes all variables along");
        }
        let own = self.sources.module.function(name, call.args.len());
        let arguments = self.arguments(&call.args, true)?;
        let (before, mut arguments) = arguments;
        let node = match own {
            Some(index) => self.call(index, arguments)?,
            None if arguments.is_empty() => return obstacle(at, format!("`{name}`")),
            None => {
                let target = arguments.remove(0);
                self.member(target, name, Some(arguments), at)?
            }
        };
        self.preceded(before, node, at)
    }

    /// Lowers arguments in order, and what must precede them. The first one is read last if it is a variable.
    fn arguments(&mut self, args: &[Expr], first_last: bool) -> Built<(Vec<Node>, Vec<Node>)> {
        let mut nodes = Vec::new();
        for arg in args {
            nodes.push(self.expr(arg)?);
        }
        let mut before = Vec::new();
        if nodes.iter().any(Node::assigns) {
            let late = usize::from(first_last && matches!(args.first(), Some(Expr::Variable(..))));
            for node in nodes.iter_mut().skip(late) {
                let slot = self.new_slot();
                let value = std::mem::replace(node, Node::Read(slot));
                before.push(Node::Let(slot, Box::new(value)));
            }
        }
        Ok((before, nodes))
    }

    /// Lowers a chain `a.b(c).d`: all arguments are evaluated before the first property is read.
    fn chain(&mut self, root: &Expr, rest: &Expr) -> Built<Node> {
        if let Some(change) = self.list_change(root, rest)? {
            return Ok(change);
        }
        let mut links: Vec<(&str, Option<Vec<Node>>, Position)> = Vec::new();
        let (mut rest, mut before, mut player) = (rest, Vec::new(), None);
        let mut assigns = false;
        loop {
            let (link, next) = match rest {
                Expr::Dot(dot, options, _) if options.is_empty() => (&dot.lhs, Some(&dot.rhs)),
                Expr::Dot(_, _, at) => return obstacle(*at, "`?.`"),
                Expr::Index(x, _, at) => {
                    return obstacle(
                        *at,
                        match &x.lhs {
                            Expr::Property(p, _) => format!("an element of `{}`", p.2),
                            _ => "an element of a list".into(),
                        },
                    );
                }
                other => (other, None),
            };
            self.costs(4);
            match link {
                Expr::Property(p, at) => links.push((p.2.as_str(), None, *at)),
                Expr::MethodCall(call, at) => {
                    let name = call.name.as_str();
                    if self.sources.module.has_method(name, call.args.len()) {
                        return obstacle(
                            *at,
                            format!("`{name}`, a function of the script, called as a method"),
                        );
                    }
                    self.no_position(name, *at)?;
                    let (given, named) = self.named(name, &call.args)?;
                    player = player.or(named);
                    let (first, mut arguments) = self.arguments(given, false)?;
                    // All arguments are evaluated before the first method is called: none sees what later ones assign.
                    if !first.is_empty() && !assigns {
                        let earlier = links.iter_mut().filter_map(|(_, given, _)| given.as_mut());
                        earlier.for_each(|given| self.save(given, &mut before));
                        assigns = true;
                    } else if assigns && first.is_empty() {
                        self.save(&mut arguments, &mut before);
                    }
                    before.extend(first);
                    links.push((name, Some(arguments), *at));
                }
                other => return obstacle(other.start_position(), "a kind of value"),
            }
            let Some(next) = next else { break };
            rest = next;
        }
        if player.as_ref().is_some_and(|player| player.assigns() || assigns && player.tests()) {
            return obstacle(root.start_position(), "an assignment among the arguments of a playout");
        }
        if let (Expr::Variable(x, ..), Some((name, _, at))) = (root, links.first())
            && self.is_assigned(&x.1)
            && is_of_views_alone(name)
        {
            return obstacle(*at, format!("`{name}` of a variable that is assigned"));
        }
        let mut node = self.expr_or_view(root)?;
        if let [("moves", None, _), ("len", None, _)] | [("moves", None, _), ("len", Some(_), _)] = &links[..]
        {
            self.costs(MOST_FOR_MOVES as u32);
            // It is a fault on anything other than the view.
            if let Node::After(_) = node {
                return self.asked_ahead("moves", links[0].2);
            }
            let of_view = node.constant() == Some(Value::VIEW) || self.is_generic();
            return Ok(if of_view { after(before, Node::MoveCount) } else { Node::Fault });
        }
        let arguments =
            |(_, all, _): &(&str, Option<Vec<Node>>, Position)| all.iter().flatten().any(Node::calls);
        if node.assigns() || node.remembers() && links.iter().any(arguments) {
            // The arguments have been evaluated before, and may have read what is assigned here.
            for argument in links.iter_mut().filter_map(|(_, arguments, _)| arguments.as_mut()).flatten() {
                let slot = self.new_slot();
                before.push(Node::Let(slot, Box::new(std::mem::replace(argument, Node::Read(slot)))));
            }
        }
        for (name, arguments, at) in links {
            node = match (arguments, player.take_if(|_| is_playout(name))) {
                (Some(mut k), Some(player)) if k.len() == 1 => self.playout(node, k.remove(0), player),
                (arguments, _) => self.member(node, name, arguments, at)?,
            };
        }
        self.preceded(before, node, root.start_position())
    }

    /// Saves the values of arguments in separate variables.
    fn save(&mut self, arguments: &mut [Node], before: &mut Vec<Node>) {
        for argument in arguments.iter_mut().filter(|argument| argument.constant().is_none()) {
            let slot = self.new_slot();
            before.push(Node::Let(slot, Box::new(std::mem::replace(argument, Node::Read(slot)))));
        }
    }

    /// Puts code before a node.
    fn preceded(&self, before: Vec<Node>, node: Node, at: Position) -> Built<Node> {
        if before.is_empty() { Ok(node) } else { Ok(after(before, self.no_view(node, at)?)) }
    }

    /// Lowers a property (without arguments) or a method of a value.
    fn member(&mut self, of: Node, name: &str, arguments: Option<Vec<Node>>, at: Position) -> Built<Node> {
        self.costs(1);
        if let Some(node) = self.ahead(&of, name, arguments.as_deref(), at)? {
            return Ok(node);
        }
        let of_view = of.constant() == Some(Value::VIEW) || self.is_generic();
        let given = arguments.as_ref().map_or(0, Vec::len);
        match (name, given) {
            ("len", 0) => return Ok(Node::Len(Box::new(of))),
            ("is_empty", 0) => {
                let len = Node::Len(Box::new(of));
                return self.binary("==", len, Node::int(0), at);
            }
            _ => {}
        }
        let Some(arguments) = arguments else {
            if of_view && let Some(Meaning::View(property)) = names::property(Types::VIEW, name) {
                return Ok(self.view_property(property));
            }
            return self.property(of, name, at);
        };
        if let (Ok(op), [_]) = (Arith::from_str(name), &arguments[..]) {
            let [b]: [Node; 1] = arguments.try_into().unwrap_or([Node::Fault]);
            return Ok(self.arith(op, of, b));
        }
        if let (Ok(op), []) = (Single::from_str(name), &arguments[..]) {
            return Ok(self.single(op, of));
        }
        if let Some(method) = names::of_number(name, arguments.len()) {
            return Ok(self.of_number(method, of, arguments));
        }
        let on_view = names::method(Types::VIEW, name, arguments.len());
        let on_seat = names::method(Types::SEAT, name, arguments.len());
        let get = |of: Node, intrinsic: Intrinsic, of_seat: bool| {
            let first = of_seat.then_some(of);
            Node::Intrinsic(intrinsic, first.into_iter().chain(arguments.clone()).collect())
        };
        match (on_view, on_seat) {
            (Some(intrinsic), _) if of_view => Ok(get(of, intrinsic, false)),
            (_, Some(intrinsic)) => Ok(get(of, intrinsic, true)),
            // A method of the view, on something else.
            (Some(_), None) => Ok(Node::Fault),
            (None, None) => obstacle(at, format!("`{name}`")),
        }
    }

    /// Lowers a method of whole numbers.
    fn of_number(&mut self, method: NumberMethod, of: Node, arguments: Vec<Node>) -> Node {
        self.costs(2);
        let argument = arguments.into_iter().next().unwrap_or(Node::Fault);
        let bit = |bit: Node| Node::CardProperty(CardProperty::Bit, Box::new(bit));
        match method {
            NumberMethod::Popcount => self.single(Single::Popcount, of),
            NumberMethod::BitNot => self.single(Single::BitNot, of),
            NumberMethod::Has => {
                let both = self.arith(Arith::And, of, bit(argument));
                Node::Compare(Compare::Ne, Box::new(both), Box::new(Node::int(0)))
            }
            NumberMethod::Add => self.arith(Arith::Or, of, bit(argument)),
            NumberMethod::Without => {
                let others = self.single(Single::BitNot, bit(argument));
                self.arith(Arith::And, of, others)
            }
        }
    }

    fn property(&mut self, of: Node, name: &str, at: Position) -> Built<Node> {
        match [Types::MOVE, Types::CARD, Types::SEAT, Types::VIEW].map(|owner| names::property(owner, name)) {
            [Some(Meaning::Move(property)), ..] => return Ok(self.of_move(property, of)),
            [_, Some(Meaning::Card(property)), ..] => return Ok(Node::CardProperty(property, Box::new(of))),
            [_, _, Some(Meaning::Seat(property)), _] => {
                return Ok(Node::SeatProperty(property, Box::new(of)));
            }
            // A property of the view, on something else.
            [.., Some(Meaning::View(_))] => return Ok(Node::Fault),
            _ => {}
        }
        match Single::from_str(name) {
            Ok(op @ (Single::IsZero | Single::IsOdd | Single::IsEven)) => Ok(self.single(op, of)),
            _ => obstacle(at, format!("`.{name}`")),
        }
    }

    pub(super) fn of_move(&mut self, property: MoveProperty, of: Node) -> Node {
        if let (Some(facts), Some(class)) = (self.facts, self.class_of(&of)) {
            if let Some(value) = class.property(property, facts) {
                return Node::Const(value);
            }
            if property == MoveProperty::Card
                && let Some(card) = facts.card_of(class)
            {
                return Node::ViewProperty(card);
            }
        }
        Node::MoveProperty(property, Box::new(of))
    }

    fn unary(&mut self, name: &str, a: Node, at: Position) -> Built<Node> {
        match name {
            "!" => Ok(match a.constant().map(Value::as_bool) {
                Some(Some(b)) => Node::bool(!b),
                Some(None) => Node::Fault,
                None => Node::Not(Box::new(a)),
            }),
            "-" => Ok(self.single(Single::Neg, a)),
            _ => obstacle(at, format!("`{name}`")),
        }
    }

    pub(super) fn binary(&mut self, name: &str, a: Node, b: Node, at: Position) -> Built<Node> {
        if let Ok(op) = Arith::from_str(name) {
            return Ok(self.arith(op, a, b));
        }
        let Ok(op) = Compare::from_str(name) else { return obstacle(at, format!("`{name}`")) };
        Ok(match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => operators::compare(op, a, b).map_or(Node::Fault, Node::bool),
            _ => Node::Compare(op, Box::new(a), Box::new(b)),
        })
    }

    fn arith(&mut self, op: Arith, a: Node, b: Node) -> Node {
        match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => operators::arith_values(op, a, b).map_or(Node::Fault, Node::Const),
            _ => Node::Arith(op, Box::new(a), Box::new(b)),
        }
    }

    fn single(&mut self, op: Single, a: Node) -> Node {
        match a.constant() {
            Some(a) if a.is_int => operators::single(op, a.bits)
                .map_or(Node::Fault, |bits| Node::Const(Value { bits, is_int: op.types() == Types::INT })),
            Some(_) => Node::Fault,
            None => Node::Single(op, Box::new(a)),
        }
    }
}

/// Returns whether a name belongs to views only.
fn is_of_views_alone(name: &str) -> bool {
    let mut owners = NAMES.iter().filter(|known| known.name == name).map(|known| known.owner()).peekable();
    owners.peek().is_some() && owners.all(|owner| owner == Types::VIEW)
}

fn after(mut before: Vec<Node>, node: Node) -> Node {
    if before.is_empty() {
        return node;
    }
    before.push(node);
    Node::Seq(before)
}
