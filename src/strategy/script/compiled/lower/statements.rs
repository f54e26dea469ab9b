//! Lowers statements of Rhai to [`Node`]s: branches, loops, and changes of lists and `memory`.

use rhai::{
    ASTFlags, BinaryExpr, Expr, FlowControl, FnCallExpr, OpAssignment, Position, RangeCase, Stmt,
    SwitchCasesCollection,
};
use strum::IntoEnumIterator;

use super::super::super::limits::MAX_VARIABLES;
use super::super::super::names::MEMORY_WORD;
use super::super::super::value::{Types, Value};
use super::super::bytecode::{Arith, Compare};
use super::super::facts::Class;
use super::super::hir::{Change, Kind, Loop, Node, Over};
use super::{Builder, Built, InLoop, changed, unsupported};

/// Maximum number of variables at one time; this leaves room for the parameters of callers before the limit is reached.
pub(super) const MOST_VARIABLES: usize = MAX_VARIABLES / 2;

impl Builder<'_> {
    pub(super) fn block(&mut self, statements: &[Stmt]) -> Built<Node> {
        let node = self.block_or_view(statements)?;
        self.no_view(node, statements.last().map_or(Position::NONE, Stmt::position))
    }

    /// Lowers statements of which the last may be a view after a move.
    pub(super) fn block_or_view(&mut self, statements: &[Stmt]) -> Built<Node> {
        let scope = self.scope.len();
        let mut nodes = Vec::with_capacity(statements.len());
        for statement in statements {
            let mut node = self.statement(statement)?;
            if statements.len() > 1 {
                node = self.no_view(node, statement.position())?;
            }
            let ends = node.leaves();
            // A constant is worth something only as the last node.
            nodes.pop_if(|before: &mut Node| before.value().is_some());
            nodes.push(node);
            // Unreachable code may still contain what is not compiled.
            if ends && !self.is_generic() {
                break;
            }
        }
        self.scope.truncate(scope);
        Ok(match nodes.len() {
            0 => Node::UNIT,
            1 if !matches!(nodes[0].kind, Kind::Let(_)) => nodes.remove(0),
            _ => Node::new(Kind::Seq, nodes),
        })
    }

    fn statement(&mut self, statement: &Stmt) -> Built<Node> {
        self.count_built(statement.position())?;
        match statement {
            Stmt::Noop(_) => Ok(Node::UNIT),
            Stmt::Expr(expr) => self.expr_or_view(expr),
            Stmt::Block(block) => self.block_or_view(block.statements()),
            Stmt::FnCall(call, at) => self.function_call(call, *at),
            Stmt::Assignment(x) => self.assignment(&x.0, &x.1),
            Stmt::Var(x, ..) => {
                if self.scope.len() >= MOST_VARIABLES {
                    return unsupported(x.0.pos, "there are too many variables");
                }
                match self.expr_or_view(&x.1)? {
                    Node { kind: Kind::After, mut parts } => {
                        self.bind_ahead(&x.0.name, parts.remove(0), x.1.start_position())
                    }
                    value => Ok(self.bind(&x.0.name, value)),
                }
            }
            Stmt::If(x, _) => self.condition(x),
            Stmt::Switch(x, _) => self.switch(&x.0, &x.1),
            Stmt::While(x, _) => self.while_loop(x),
            Stmt::Do(x, options, _) => self.do_loop(x, options.contains(ASTFlags::NEGATED)),
            Stmt::For(x, _) => {
                let (variable, counter, flow) = &**x;
                self.for_loop((&variable.name, counter.as_ref().map(|c| c.name.as_str())), flow)
            }
            Stmt::BreakLoop(value, options, at) => {
                let value = self.optional(value.as_deref())?;
                let Some(InLoop { leave, again }) = self.loops.last().copied() else {
                    return unsupported(*at, "`break` stands outside of a loop");
                };
                Ok(Node::leave(if options.contains(ASTFlags::BREAK) { leave } else { again }, value))
            }
            Stmt::Return(_, options, at) if options.contains(ASTFlags::BREAK) => unsupported(*at, "`throw`"),
            Stmt::Return(value, ..) => {
                let value = self.optional(value.as_deref())?;
                Ok(Node::leave(self.function, value))
            }
            Stmt::TryCatch(..) => unsupported(statement.position(), "`try`"),
            other => unsupported(other.position(), "a kind of statement"),
        }
    }

    fn optional(&mut self, value: Option<&Expr>) -> Built<Node> {
        value.map_or(Ok(Node::UNIT), |value| self.expr(value))
    }

    fn assignment(&mut self, op: &OpAssignment, x: &BinaryExpr) -> Built<Node> {
        let name = match &x.lhs {
            Expr::Index(place, options, _) => return self.put(op, (place, *options), &x.rhs),
            Expr::Variable(name, ..) => name,
            other => return unsupported(other.position(), "a part of a value is assigned"),
        };
        let mut value = self.expr(&x.rhs)?;
        self.costs(4);
        let mut before = Vec::new();
        let Some(slot) = self.variable(&name.1) else { return Ok(Node::FAULT.preceded(vec![value])) };
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            // The right side comes first: it may change the variable.
            if value.assigns() {
                value = self.save(value, &mut before);
            }
            value = self.binary(symbol, Node::read(slot), value, op.position())?;
        }
        Ok(Node::new(Kind::Set(slot), [value]).preceded(before))
    }

    fn condition(&mut self, x: &FlowControl) -> Built<Node> {
        let test = self.expr(&x.expr)?;
        if let Some(value) = test.value().filter(|_| !self.is_generic()) {
            return match value.as_bool() {
                Some(true) => self.block_or_view(x.body.statements()),
                Some(false) => self.block_or_view(x.branch.statements()),
                None => Ok(Node::FAULT),
            };
        }
        let before = self.cost;
        let yes = self.block_or_view(x.body.statements())?;
        let longer = std::mem::replace(&mut self.cost, before);
        let no = self.block_or_view(x.branch.statements())?;
        self.cost = self.cost.max(longer);
        self.either_view(test, yes, no, x.expr.start_position())
    }

    /// Lowers `switch` to tests in order, each of which leaves a block with the value of its arm.
    fn switch(&mut self, subject: &Expr, x: &SwitchCasesCollection) -> Built<Node> {
        let (subject, end, mut all) = (self.expr(subject)?, self.new_label(), Vec::new());
        // A condition may change the variable that the subject was read from.
        let subject = self.save(subject, &mut all);
        let compared = |op: Compare, value: Value| {
            Node::new(Kind::Compare(op), [subject.clone(), Node::constant(value)])
        };
        // Values first, whatever their order in the text; then ranges. A range is among the values too, where nothing ever
        // equals it.
        let mut arms: Vec<(usize, Vec<Node>)> = (0..x.expressions.len()).map(|arm| (arm, vec![])).collect();
        let mut again = Vec::new();
        for case in x.cases.values().filter(|case| !case.value.type_name().contains("Range")) {
            let plain = Types::INT.with(Types::BOOL).with(Types::UNIT);
            let value = Value::of(&case.value).filter(|value| value.types().within(plain));
            for (i, &arm) in case.blocks.iter().enumerate() {
                let Some(value) = value else {
                    let at = x.expressions[arm].rhs.start_position();
                    return unsupported(at, "a case that is no number, truth value or ()");
                };
                let test = compared(Compare::Eq, value);
                // The condition of a value that is written twice is tested twice.
                match case.blocks[..i].contains(&arm) {
                    true => again.push((arm, vec![test])),
                    false => arms[arm].1.push(test),
                }
            }
        }
        arms.extend(again);
        arms.sort_by_key(|(arm, _)| *arm);
        arms.extend(x.ranges.iter().map(|range| {
            let (first, last) = match range {
                RangeCase::ExclusiveInt(r, _) => (r.start, r.end - 1),
                RangeCase::InclusiveInt(r, _) => (*r.start(), *r.end()),
            };
            let ends = [compared(Compare::Ge, Value::int(first)), compared(Compare::Le, Value::int(last))];
            (range.index(), vec![Node::new(Kind::And, ends)])
        }));
        let mut longest = 0;
        for (arm, mut tests) in arms.into_iter().filter(|(_, tests)| !tests.is_empty()) {
            let test = if tests.len() == 1 { tests.remove(0) } else { Node::new(Kind::Or, tests) };
            let condition = self.expr(&x.expressions[arm].lhs)?;
            let before = self.cost;
            let value = self.expr(&x.expressions[arm].rhs)?;
            longest = longest.max(self.cost - before);
            self.cost = before;
            let test = Node::new(Kind::And, [test, condition]);
            all.push(Node::when(test, Node::leave(end, value), Node::UNIT));
        }
        let before = self.cost;
        all.push(match x.def_case {
            Some(arm) => self.expr(&x.expressions[arm].rhs)?,
            None => Node::UNIT,
        });
        longest = longest.max(self.cost - before);
        self.cost = before.saturating_add(longest);
        Ok(Node::block(end, Node::new(Kind::Seq, all)))
    }
}

/// Maximum number of rounds, known at load, of a loop that is unrolled.
const MOST_ROUNDS: i64 = 5;
/// Maximum size of an unrolled round.
const MOST_WRITTEN_OUT: usize = 60;
/// Maximum size of the body of a loop over the moves that is duplicated for each class of moves.
const MOST_BY_CLASS: usize = 2_000;

const RANGE: &str = "range";

fn arith(op: Arith, a: &Node, b: &Node) -> Node {
    Node::new(Kind::Arith(op), [a.clone(), b.clone()])
}

/// The names of the variables of a loop: that of the value, and that of a counter.
type Names<'n> = (&'n str, Option<&'n str>);

/// Computes the value of a loop's variable from the number of the round.
type Step<'s> = &'s dyn Fn(Node) -> Node;

impl Builder<'_> {
    /// Builds something within a loop; returns the labels of `break` and `continue`, and the cost of a round.
    fn in_loop<T>(&mut self, build: impl FnOnce(&mut Self, InLoop) -> Built<T>) -> Built<(T, InLoop, u32)> {
        let labels = InLoop { leave: self.new_label(), again: self.new_label() };
        let cost = std::mem::take(&mut self.cost);
        self.loops.push(labels);
        let built = build(self, labels);
        self.loops.pop();
        let own = std::mem::replace(&mut self.cost, cost);
        Ok((built?, labels, own.saturating_add(1)))
    }

    fn loop_body(&mut self, x: &FlowControl, labels: InLoop) -> Built<Node> {
        self.block(x.body.statements()).map(|body| Node::block(labels.again, body))
    }

    pub(super) fn while_loop(&mut self, x: &FlowControl) -> Built<Node> {
        let endless = matches!(x.expr, Expr::Unit(..) | Expr::BoolConstant(true, ..));
        self.endless(|builder, labels| {
            let test = if endless { Node::bool(true) } else { builder.expr(&x.expr)? };
            let body = builder.loop_body(x, labels)?;
            let leave = Node::leave(labels.leave, Node::UNIT);
            let before = if test.is(Value::bool(true)) {
                Vec::new()
            } else {
                vec![Node::when(test, Node::UNIT, leave)]
            };
            Ok(body.preceded(before))
        })
    }

    /// Lowers `do`, with `while` or `until`. `continue` starts the next round without the test.
    pub(super) fn do_loop(&mut self, x: &FlowControl, until: bool) -> Built<Node> {
        self.endless(|builder, labels| {
            let body = builder.block(x.body.statements())?;
            let test = builder.expr(&x.expr)?;
            let leave = Node::leave(labels.leave, Node::UNIT);
            let (yes, no) = if until { (leave, Node::UNIT) } else { (Node::UNIT, leave) };
            Ok(Node::block(labels.again, Node::when(test, yes, no).preceded(vec![body])))
        })
    }

    fn endless(&mut self, round: impl FnOnce(&mut Self, InLoop) -> Built<Node>) -> Built<Node> {
        let (round, labels, cost) = self.in_loop(round)?;
        self.costs(cost);
        Ok(Node::block(labels.leave, Node::new(Kind::Endless(cost), [round])))
    }

    pub(super) fn for_loop(&mut self, names: Names, x: &FlowControl) -> Built<Node> {
        if self.scope.len() + 2 >= MOST_VARIABLES {
            return unsupported(x.expr.position(), "there are too many variables");
        }
        match &x.expr {
            Expr::FnCall(call, _) if matches!(call.name.as_str(), ".." | "..=") && call.args.len() == 2 => {
                self.costs(5);
                let bounds = [self.expr(&call.args[0])?, self.expr(&call.args[1])?];
                let inclusive = call.name == "..=";
                match self.written_out(names, &bounds, inclusive, x)? {
                    Some(rounds) => Ok(rounds),
                    None => self.repeat(names, Over::Range { inclusive }, bounds.into(), None, x),
                }
            }
            Expr::FnCall(call, _)
                if call.name == RANGE
                    && matches!(call.args.len(), 2 | 3)
                    && self.sources.module.function(RANGE, call.args.len()).is_none() =>
            {
                self.steps_loop(names, call, x)
            }
            other => {
                let view = viewed_moves(other).map(|view| self.expr(view)).transpose()?;
                match view {
                    Some(view) if !self.is_view(&view) => Ok(Node::FAULT),
                    Some(_) => self.moves_loop(names, x),
                    None => {
                        let list = self.expr(other)?;
                        self.costs(6);
                        self.repeat(names, Over::List, vec![list], None, x)
                    }
                }
            }
        }
    }

    /// Lowers a loop over `of`. With `step`, its variable is computed in each round.
    fn repeat(
        &mut self,
        (name, counter): Names,
        over: Over,
        mut of: Vec<Node>,
        step: Option<Step>,
        x: &FlowControl,
    ) -> Built<Node> {
        let scope = self.scope.len();
        let counter = counter.map(|name| self.bind_loop(name));
        let mut variable = self.bind_loop(name);
        let built = self.in_loop(|builder, labels| builder.loop_body(x, labels));
        self.scope.truncate(scope);
        let (mut body, labels, mut cost) = built?;
        if let Some(step) = step {
            let round = self.new_slot();
            body = body.preceded(vec![Node::declare(variable, step(Node::read(round)))]);
            variable = round;
            cost = cost.saturating_add(2);
        }
        self.costs(cost);
        of.push(body);
        let each = Kind::Loop(Loop { over, variable, counter, cost });
        Ok(Node::block(labels.leave, Node::new(each, of)))
    }

    /// Unrolls a loop of a few rounds, known at load.
    fn written_out(
        &mut self,
        (variable, counter): Names,
        [first, last]: &[Node; 2],
        inclusive: bool,
        x: &FlowControl,
    ) -> Built<Option<Node>> {
        let (Some(first), Some(last)) = (first.value(), last.value()) else { return Ok(None) };
        let fixed = counter.is_none() && !self.is_generic() && !self.is_assigned(variable);
        let end = last.bits.checked_add(i64::from(inclusive));
        let Some(end) = end.filter(|_| fixed && first.is_int && last.is_int) else { return Ok(None) };
        if end.saturating_sub(first.bits) > MOST_ROUNDS {
            return Ok(None);
        }
        let (cost, size, memos) = (self.cost, self.size, self.memos.len());
        let leave = self.new_label();
        let mut rounds = Vec::new();
        for i in first.bits..end {
            let labels = InLoop { leave, again: self.new_label() };
            self.loops.push(labels);
            let scope = self.scope.len();
            self.bind(variable, Node::int(i));
            let round = self.loop_body(x, labels);
            self.scope.truncate(scope);
            self.loops.pop();
            let round = round?;
            self.costs(2);
            if round.size() > MOST_WRITTEN_OUT + 1 {
                (self.cost, self.size) = (cost, size);
                self.memos.truncate(memos);
                return Ok(None);
            }
            rounds.push(round);
        }
        Ok(Some(Node::block(leave, Node::UNIT.preceded(rounds))))
    }

    fn moves_loop(&mut self, (name, counter): Names, x: &FlowControl) -> Built<Node> {
        self.costs(6);
        let scope = self.scope.len();
        let counter = counter.map(|name| self.bind_loop(name));
        let size = self.size;
        let variable = self.bind_loop(name);
        let outermost = self.loops.is_empty();
        let built = self.in_loop(|builder, labels| {
            let plain = builder.loop_body(x, labels)?;
            let by_class = outermost && !builder.is_generic() && !builder.is_assigned(name);
            if !by_class || plain.size() > MOST_BY_CLASS {
                return Ok((vec![None], vec![plain]));
            }
            builder.size = size;
            let (mut bodies, mut costliest) = (Vec::new(), builder.cost);
            for class in Class::iter() {
                builder.cost = 0;
                builder.classes.insert(variable, class);
                bodies.push(builder.loop_body(x, labels)?);
                costliest = costliest.max(builder.cost);
            }
            builder.cost = costliest;
            Ok((Class::iter().map(Some).collect(), bodies))
        });
        self.scope.truncate(scope);
        let ((classes, bodies), labels, cost) = built?;
        // The list is charged by its length.
        let cost = cost.saturating_add(1);
        self.costs(cost);
        let each = Kind::Loop(Loop { over: Over::Moves(classes), variable, counter, cost });
        Ok(Node::block(labels.leave, Node::new(each, bodies)))
    }

    /// Lowers a loop over a range with steps, or without: `range(first, end, step)`.
    fn steps_loop(&mut self, names: Names, call: &FnCallExpr, x: &FlowControl) -> Built<Node> {
        self.costs(12);
        let (mut given, mut all) = (Vec::new(), Vec::new());
        for argument in &call.args {
            match argument {
                // A range passed instead of its bounds.
                Expr::FnCall(bounds, _)
                    if bounds.name == ".." && call.args.len() == 2 && given.is_empty() =>
                {
                    for bound in &bounds.args {
                        given.push(self.expr(bound)?);
                    }
                }
                other => given.push(self.expr(other)?),
            }
        }
        let mut given = given.into_iter().map(|value| self.saved(value, &mut all)).collect::<Vec<_>>();
        if given.len() < 3 {
            given.push(Node::int(1));
        }
        let [first, last, step, ..] = &given[..] else { return Ok(Node::FAULT) };
        let rounds = self.saved(rounds(first, last, step), &mut all);
        let at = |round: Node| arith(Arith::Add, first, &arith(Arith::Mul, &round, step));
        // If the last step overflows there are fewer rounds: a fault, and the interpreter counts them.
        self.saved(at(rounds.clone()), &mut all);
        let over = Over::Range { inclusive: false };
        let each = self.repeat(names, over, vec![Node::int(0), rounds], Some(&at), x)?;
        Ok(each.preceded(all))
    }

    fn saved(&mut self, value: Node, before: &mut Vec<Node>) -> Node {
        if value.value().is_some() { value } else { self.save(value, before) }
    }
}

fn viewed_moves(expr: &Expr) -> Option<&Expr> {
    let Expr::Dot(dot, options, _) = expr else { return None };
    let moves = matches!(&dot.rhs, Expr::Property(p, _) if p.2 == "moves");
    (options.is_empty() && moves && matches!(dot.lhs, Expr::Variable(..))).then_some(&dot.lhs)
}

fn rounds(first: &Node, last: &Node, step: &Node) -> Node {
    let (zero, one) = (&Node::int(0), &Node::int(1));
    // The number of steps to a distance, rounded up.
    let steps = |from: &Node, to: &Node, step: &Node| {
        let (far, more) = (arith(Arith::Sub, to, from), arith(Arith::Sub, step, one));
        arith(Arith::Div, &arith(Arith::Add, &far, &more), step)
    };
    let when = |op: Compare, a: &Node, b: &Node, yes: Node, no: Node| {
        Node::when(Node::new(Kind::Compare(op), [a.clone(), b.clone()]), yes, no)
    };
    let back = arith(Arith::Sub, zero, step);
    let up = when(Compare::Lt, first, last, steps(first, last, step), zero.clone());
    let down = when(Compare::Gt, first, last, steps(last, first, &back), zero.clone());
    let not_up = when(Compare::Lt, step, zero, down, Node::FAULT);
    when(Compare::Gt, step, zero, up, not_up)
}

/// Maximum length of a list literal: each element takes two registers.
const MOST_WRITTEN: usize = 32;

impl Builder<'_> {
    pub(super) fn list(&mut self, all: &[Expr], at: Position) -> Built<Node> {
        if all.len() > MOST_WRITTEN {
            return unsupported(at, format!("a list written with more than {MOST_WRITTEN} elements"));
        }
        self.costs(1);
        let mut nodes = Vec::with_capacity(all.len());
        for expr in all {
            if matches!(expr, Expr::Array(..)) {
                return unsupported(expr.start_position(), "a list in a list");
            }
            nodes.push(self.expr(expr)?);
        }
        Ok(Node::new(Kind::List, nodes))
    }

    /// Returns whether an expression is the word `memory`, and not a variable of the script.
    fn is_memory(&self, expr: &Expr) -> bool {
        let Expr::Variable(x, ..) = expr else { return false };
        x.1 == MEMORY_WORD && !self.is_known(&x.1)
    }

    /// Lowers an element of a list or of `memory`.
    pub(super) fn element(&mut self, x: &BinaryExpr, options: ASTFlags) -> Built<Node> {
        let is_memory = self.is_memory(&x.lhs);
        // Otherwise the chain continues after the element.
        if !options.contains(ASTFlags::BREAK) {
            let what =
                if is_memory { "a method of an element" } else { "more is asked of an element of a list" };
            return unsupported(x.rhs.position(), what);
        }
        if is_memory {
            let place = self.expr(&x.rhs)?;
            self.costs(5);
            return Ok(Node::new(Kind::Memory, [place]));
        }
        let (list, mut place) = (self.expr(&x.lhs)?, self.expr(&x.rhs)?);
        self.costs(5);
        let mut before = Vec::new();
        // The index is evaluated before the list is read.
        if place.assigns() || !matches!(x.lhs, Expr::Variable(..)) {
            place = self.save(place, &mut before);
        }
        Ok(Node::new(Kind::Element, [list, place]).preceded(before))
    }

    /// Lowers an assignment to an element of a list or of `memory`. The value is evaluated before the index, as in the
    /// interpreter.
    pub(super) fn put(
        &mut self,
        op: &OpAssignment,
        (x, options): (&BinaryExpr, ASTFlags),
        value: &Expr,
    ) -> Built<Node> {
        let is_memory = self.is_memory(&x.lhs);
        let whole = options.contains(ASTFlags::BREAK);
        if !(is_memory || whole && matches!(x.lhs, Expr::Variable(..))) {
            return unsupported(x.lhs.position(), "a part of a value is assigned");
        }
        let value = self.expr(value)?;
        if !whole {
            return unsupported(x.rhs.position(), "a method of an element");
        }
        let place = self.expr(&x.rhs)?;
        self.costs(10);
        let slot = match &x.lhs {
            Expr::Variable(name, ..) if !is_memory => self.variable(&name.1),
            _ => None,
        };
        if slot.is_none() && !is_memory {
            return unsupported(x.lhs.position(), "an element of what is no variable is assigned");
        }
        let mut all = Vec::new();
        let mut value = self.save(value, &mut all);
        let place = self.save(place, &mut all);
        if let Some((_, _, _, _, _, symbol)) = op.get_op_assignment_info() {
            let old = match slot {
                Some(slot) => Node::new(Kind::Element, [Node::read(slot), place.clone()]),
                None => Node::new(Kind::Memory, [place.clone()]),
            };
            value = self.binary(symbol, old, value, op.position())?;
        }
        Ok(Node::new(slot.map_or(Kind::SetMemory, |slot| Kind::Change(slot, Change::Put)), [place, value])
            .preceded(all))
    }

    /// Lowers a method that changes the list of a variable; `None` for any other.
    pub(super) fn list_change(&mut self, root: &Expr, rest: &Expr) -> Built<Option<Node>> {
        let (Expr::Variable(x, _, at), Expr::MethodCall(call, _)) = (root, rest) else { return Ok(None) };
        if changed(root, rest).is_none() || self.sources.module.has_method(&call.name, call.args.len()) {
            return Ok(None);
        }
        self.costs(8);
        let value = call.args.first().map(|value| self.expr(value)).transpose()?;
        let Some(slot) = self.variable(&x.1) else {
            return unsupported(*at, format!("`{}` of what is no variable", call.name));
        };
        let mut before = Vec::new();
        let value = value.map(|value| if value.assigns() { self.save(value, &mut before) } else { value });
        let change = match call.name.as_str() {
            "push" => Change::Push,
            "pop" => Change::Pop,
            _ => Change::Clear,
        };
        Ok(Some(
            Node::new(Kind::Change(slot, change), value.into_iter().collect::<Vec<_>>()).preceded(before),
        ))
    }
}
