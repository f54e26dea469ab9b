//! Lowers expressions of Rhai to [`Node`]s.

use std::str::FromStr;

use rhai::{Expr, FnCallExpr, Position, Stmt};

use super::super::super::api::POSITION;
use super::super::super::intrinsics::{
    CardProperty, Intrinsic, MoveProperty, NumberMethod, SeatProperty, ViewProperty,
};
use super::super::super::limits::MOST_FOR_MOVES;
use super::super::super::names::{Meaning, NAMES, Thought, find, is_on_shelf};
use super::super::super::value::{Types, Value};
use super::super::bytecode::{self, Arith, Compare, Single};
use super::super::facts;
use super::super::hir::{Kind, Node};
use super::{Binding, Builder, Built, unsupported};

/// A property in a chain, or a method with its arguments.
type Link<'e> = (&'e str, Option<Vec<Node>>, Position);

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
            Expr::Array(all, at) => self.list(all, *at),
            Expr::Index(x, options, _) => self.element(x, *options),
            Expr::Dot(_, _, at) => unsupported(*at, "`?.`"),
            Expr::FloatConstant(_, at) => unsupported(*at, "a decimal number"),
            Expr::CharConstant(_, at) => unsupported(*at, "a character"),
            Expr::StringConstant(_, at) | Expr::InterpolatedString(_, at) => unsupported(*at, "a string"),
            Expr::Map(_, at) => unsupported(*at, "a map"),
            Expr::ThisPtr(at) => unsupported(*at, "`this`"),
            Expr::Coalesce(_, at) => unsupported(*at, "`??`"),
            other => unsupported(other.start_position(), "a kind of value"),
        }
    }

    /// Lowers `&&`, or with `or` set `||`, with short-circuit evaluation.
    fn logic(&mut self, all: &[Expr], or: bool) -> Built<Node> {
        let mut nodes = Vec::new();
        for expr in all {
            let node = self.expr(expr)?;
            match node.value().and_then(Value::as_bool).filter(|_| !self.is_generic()) {
                Some(decides) if decides == or => {
                    nodes.push(node);
                    break;
                }
                Some(_) => {}
                None => nodes.push(node),
            }
        }
        Ok(match &nodes[..] {
            [] => Node::bool(!or),
            [one] if one.value().is_some_and(|v| v.as_bool().is_some()) => nodes.remove(0),
            _ => Node::new(if or { Kind::Or } else { Kind::And }, nodes),
        })
    }

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
                _ => unsupported(at, format!("`{name}`")),
            };
        }
        if call.capture_parent_scope {
            return unsupported(at, "a call that takes all variables along");
        }
        let own = self.sources.module.function(name, call.args.len());
        let (before, mut arguments) = self.arguments(&call.args, true)?;
        let node = match own {
            Some(index) => self.call(index, arguments)?,
            None if arguments.is_empty() => return unsupported(at, format!("`{name}`")),
            None => {
                let target = arguments.remove(0);
                self.member(target, name, Some(arguments), at)?
            }
        };
        self.preceded(before, node, at)
    }

    /// Lowers arguments in order, and what must precede them. The first one is read last if it is a variable.
    fn arguments(&mut self, args: &[Expr], first_last: bool) -> Built<(Vec<Node>, Vec<Node>)> {
        let mut nodes = args.iter().map(|arg| self.expr(arg)).collect::<Built<Vec<Node>>>()?;
        let mut before = Vec::new();
        if nodes.iter().any(Node::assigns) {
            let late = usize::from(first_last && matches!(args.first(), Some(Expr::Variable(..))));
            self.save_all(nodes.get_mut(late..), &mut before);
        }
        Ok((before, nodes))
    }

    fn save_all<'n>(&mut self, nodes: impl IntoIterator<Item = &'n mut [Node]>, before: &mut Vec<Node>) {
        for node in nodes.into_iter().flatten().filter(|node| node.value().is_none()) {
            *node = self.save(std::mem::replace(node, Node::UNIT), before);
        }
    }

    /// Lowers a chain `a.b(c).d`: all arguments are evaluated before the first property is read.
    fn chain(&mut self, root: &Expr, rest: &Expr) -> Built<Node> {
        if let Some(change) = self.list_change(root, rest)? {
            return Ok(change);
        }
        let mut links: Vec<Link> = Vec::new();
        let (mut next, mut before, mut player) = (Some(rest), Vec::new(), None);
        let mut assigns = false;
        while let Some(rest) = next {
            let link;
            (link, next) = match rest {
                Expr::Dot(dot, options, _) if options.is_empty() => (&dot.lhs, Some(&dot.rhs)),
                Expr::Dot(_, _, at) => return unsupported(*at, "`?.`"),
                Expr::Index(x, _, at) => {
                    let what = match &x.lhs {
                        Expr::Property(p, _) => format!("an element of `{}`", p.2),
                        _ => "an element of a list".into(),
                    };
                    return unsupported(*at, what);
                }
                other => (other, None),
            };
            self.costs(4);
            match link {
                Expr::Property(p, at) => links.push((p.2.as_str(), None, *at)),
                Expr::MethodCall(call, at) => {
                    let name = call.name.as_str();
                    if self.sources.module.has_method(name, call.args.len()) {
                        let what = format!("`{name}`, a function of the script, called as a method");
                        return unsupported(*at, what);
                    }
                    let (given, named) = self.named(name, &call.args, *at)?;
                    player = player.or(named);
                    let (first, mut arguments) = self.arguments(given, false)?;
                    // All arguments are evaluated before the first method is called: none sees what later ones assign.
                    if !first.is_empty() && !assigns {
                        self.save_all(arguments_of(&mut links), &mut before);
                        assigns = true;
                    } else if assigns && first.is_empty() {
                        self.save_all([&mut arguments[..]], &mut before);
                    }
                    before.extend(first);
                    links.push((name, Some(arguments), *at));
                }
                other => return unsupported(other.start_position(), "a kind of value"),
            }
        }
        let tests = |player: &Node| matches!(player.kind, Kind::If);
        if player.as_ref().is_some_and(|player| player.assigns() || assigns && tests(player)) {
            return unsupported(root.start_position(), "an assignment among the arguments of a playout");
        }
        if let (Expr::Variable(x, ..), Some((name, _, at))) = (root, links.first())
            && self.is_assigned(&x.1)
            && is_of_views_alone(name)
        {
            return unsupported(*at, format!("`{name}` of a variable that is assigned"));
        }
        let mut node = self.expr_or_view(root)?;
        if let [("moves", None, at), ("len", ..)] = &links[..] {
            self.costs(MOST_FOR_MOVES as u32);
            if let Kind::After = node.kind {
                return self.asked_ahead("moves", *at);
            }
            // It is a fault on anything other than the view.
            let of_view = self.is_view(&node);
            return Ok(if of_view { Node::leaf(Kind::MoveCount).preceded(before) } else { Node::FAULT });
        }
        let call = |link: &Link| link.1.iter().flatten().any(|node| node.any(&mut Kind::calls));
        if node.assigns() || node.any(&mut Kind::remembers) && links.iter().any(call) {
            // The arguments have been evaluated before, and may have read what is assigned here.
            self.save_all(arguments_of(&mut links), &mut before);
        }
        for (name, arguments, at) in links {
            node = match (arguments, player.take_if(|_| name == "playout")) {
                (Some(mut k), Some(player)) if k.len() == 1 => self.playout(node, k.remove(0), player),
                (arguments, _) => self.member(node, name, arguments, at)?,
            };
        }
        self.preceded(before, node, root.start_position())
    }

    fn preceded(&self, before: Vec<Node>, node: Node, at: Position) -> Built<Node> {
        if before.is_empty() { Ok(node) } else { Ok(self.no_view(node, at)?.preceded(before)) }
    }

    /// Lowers a property (without arguments) or a method of a value.
    fn member(&mut self, of: Node, name: &str, arguments: Option<Vec<Node>>, at: Position) -> Built<Node> {
        self.costs(1);
        if let Some(node) = self.ahead(&of, name, arguments.as_deref(), at)? {
            return Ok(node);
        }
        let given = arguments.as_ref().map_or(0, Vec::len);
        if given == 0 && matches!(name, "len" | "is_empty") {
            let len = Node::new(Kind::Len, [of]);
            return if name == "len" { Ok(len) } else { self.binary("==", len, Node::int(0), at) };
        }
        let Some(mut arguments) = arguments else { return self.property(of, name, at) };
        match (Arith::from_str(name), Single::from_str(name)) {
            (Ok(op), _) if given == 1 => return Ok(self.arith(op, of, arguments.remove(0))),
            (_, Ok(op)) if given == 0 => return Ok(self.single(op, of)),
            _ => {}
        }
        let [number, view, seat] = [Types::INT, Types::VIEW, Types::SEAT]
            .map(|owner| find(owner, name, Some(given)).map(|name| name.meaning));
        if let Some(Meaning::Number(method)) = number {
            return Ok(self.of_number(method, of, arguments));
        }
        match (view, seat) {
            (Some(Meaning::Call(method)), _) if self.is_view(&of) => {
                Ok(Node::new(Kind::Intrinsic(method), arguments))
            }
            (_, Some(Meaning::Call(method))) => {
                arguments.insert(0, of);
                Ok(Node::new(Kind::Intrinsic(method), arguments))
            }
            // A method of the view, on something else.
            (Some(Meaning::Call(_)), None) => Ok(Node::FAULT),
            _ => unsupported(at, format!("`{name}`")),
        }
    }

    fn of_number(&mut self, method: NumberMethod, of: Node, arguments: Vec<Node>) -> Node {
        self.costs(2);
        let argument = arguments.into_iter().next().unwrap_or(Node::FAULT);
        let bit = Node::new(Kind::CardProperty(CardProperty::Bit), [argument]);
        match method {
            NumberMethod::Popcount => self.single(Single::Popcount, of),
            NumberMethod::BitNot => self.single(Single::BitNot, of),
            NumberMethod::Has => {
                let both = self.arith(Arith::And, of, bit);
                Node::new(Kind::Compare(Compare::Ne), [both, Node::int(0)])
            }
            NumberMethod::Add => self.arith(Arith::Or, of, bit),
            NumberMethod::Without => {
                let others = self.single(Single::BitNot, bit);
                self.arith(Arith::And, of, others)
            }
        }
    }

    fn property(&mut self, of: Node, name: &str, at: Position) -> Built<Node> {
        let of_view = ViewProperty::from_str(name);
        if let Ok(property) = of_view
            && self.is_view(&of)
        {
            return Ok(self.view_property(property));
        }
        if let Ok(property) = MoveProperty::from_str(name) {
            return Ok(self.of_move(property, of));
        }
        match (CardProperty::from_str(name), SeatProperty::from_str(name), Single::from_str(name)) {
            (Ok(property), ..) => Ok(Node::new(Kind::CardProperty(property), [of])),
            (_, Ok(property), _) => Ok(Node::new(Kind::SeatProperty(property), [of])),
            // A property of the view, on something else.
            _ if of_view.is_ok() => Ok(Node::FAULT),
            (.., Ok(op @ (Single::IsZero | Single::IsOdd | Single::IsEven))) => Ok(self.single(op, of)),
            _ => unsupported(at, format!("`.{name}`")),
        }
    }

    /// Lowers a property of the view, unless the rules determine it.
    pub(super) fn view_property(&self, property: ViewProperty) -> Node {
        match self.rules.and_then(|rules| facts::view_property(rules, property)) {
            Some(value) => Node::constant(value),
            None => Node::leaf(Kind::ViewProperty(property)),
        }
    }

    /// Lowers a property of a move, unless the class of the move determines it.
    pub(super) fn of_move(&mut self, property: MoveProperty, of: Node) -> Node {
        if let (Some(rules), Kind::Read(slot)) = (self.rules, &of.kind)
            && let Some(class) = self.classes.get(slot)
        {
            if let Some(value) = class.property(property, rules) {
                return Node::constant(value);
            }
            if property == MoveProperty::Card
                && let Some(card) = class.card(rules)
            {
                return Node::leaf(Kind::ViewProperty(card));
            }
        }
        Node::new(Kind::MoveProperty(property), [of])
    }

    fn unary(&mut self, name: &str, a: Node, at: Position) -> Built<Node> {
        match name {
            "!" => Ok(match a.value().map(Value::as_bool) {
                Some(Some(b)) => Node::bool(!b),
                Some(None) => Node::FAULT,
                None => Node::new(Kind::Not, [a]),
            }),
            "-" => Ok(self.single(Single::Neg, a)),
            _ => unsupported(at, format!("`{name}`")),
        }
    }

    pub(super) fn binary(&mut self, name: &str, a: Node, b: Node, at: Position) -> Built<Node> {
        if let Ok(op) = Arith::from_str(name) {
            return Ok(self.arith(op, a, b));
        }
        let Ok(op) = Compare::from_str(name) else { return unsupported(at, format!("`{name}`")) };
        Ok(match (a.value(), b.value()) {
            (Some(a), Some(b)) => bytecode::compare(op, a, b).map_or(Node::FAULT, Node::bool),
            _ => Node::new(Kind::Compare(op), [a, b]),
        })
    }

    fn arith(&mut self, op: Arith, a: Node, b: Node) -> Node {
        match (a.value(), b.value()) {
            (Some(a), Some(b)) => bytecode::arith_values(op, a, b).map_or(Node::FAULT, Node::constant),
            _ => Node::new(Kind::Arith(op), [a, b]),
        }
    }

    fn single(&mut self, op: Single, a: Node) -> Node {
        match a.value() {
            Some(a) => bytecode::single_value(op, a).map_or(Node::FAULT, Node::constant),
            None => Node::new(Kind::Single(op), [a]),
        }
    }
}

fn arguments_of<'n>(links: &'n mut [Link]) -> impl Iterator<Item = &'n mut [Node]> {
    links.iter_mut().filter_map(|(_, arguments, _)| arguments.as_deref_mut())
}

fn is_of_views_alone(name: &str) -> bool {
    let mut owners = NAMES.iter().filter(|known| known.name == name).map(|known| known.owner()).peekable();
    owners.peek().is_some() && owners.all(|owner| owner == Types::VIEW)
}

// Views after a move, if the results follow from the move alone: `view.after(m).cards` needs no position, as a move
// brings one card up, takes one back, or does neither. `playout` is run by the engine, from the view of the decision or
// from one after a move. Any other query of such a view requires a position, which is left to the interpreter.

fn not_named<T>(at: Position) -> Built<T> {
    unsupported(at, "a deal played on by one who is not named by a text")
}

/// Fills in the number of the deal, and the move before it, in the playouts of a player.
fn fill(player: &mut Node, given: &[Node]) {
    match player.kind {
        Kind::Playout(_) => player.parts = given.to_vec(),
        _ => player.parts.iter_mut().skip(1).for_each(|arm| fill(arm, given)),
    }
}

impl Builder<'_> {
    /// Lowers a query of a view after a move, or such a view itself; `None` for anything else.
    pub(super) fn ahead(
        &mut self,
        of: &Node,
        name: &str,
        arguments: Option<&[Node]>,
        at: Position,
    ) -> Built<Option<Node>> {
        if let (Kind::After, [m]) = (&of.kind, &of.parts[..]) {
            return match (name, arguments) {
                ("cards", None) => Ok(Some(self.cards_after(m))),
                ("pay", Some([n])) => {
                    let pay = Node::new(Kind::Intrinsic(Intrinsic::Pay), [n.clone()]);
                    Ok(Some(self.unless_rolled(m, pay)))
                }
                _ => self.asked_ahead(name, at),
            };
        }
        let m = match (Thought::from_str(name).ok(), arguments) {
            (Some(Thought::After), Some([m])) => m,
            // Under rules without a die, a script that checks whether one is rolled never gets here.
            (Some(Thought::AfterRoll), Some([m, _])) if self.is_generic() => m,
            (Some(Thought::AfterRoll), Some([..])) => {
                let what = format!("`{name}` of a move with which no die is rolled, for all that is known");
                return unsupported(at, what);
            }
            _ => return Ok(None),
        };
        self.costs(POSITION as u32 + 4);
        match m.kind {
            _ if !self.is_view(of) => Ok(Some(Node::FAULT)),
            // It is used repeatedly.
            Kind::Read(_) | Kind::Memo(_) => Ok(Some(Node::new(Kind::After, [m.clone()]))),
            Kind::Const(_) | Kind::Fault => Ok(Some(Node::FAULT)),
            _ => unsupported(at, format!("`{name}` of a move that no variable holds")),
        }
    }

    /// Rejects a query of a view after a move that requires a position.
    pub(super) fn asked_ahead<T>(&self, name: &str, at: Position) -> Built<T> {
        unsupported(
            at,
            format!("`{name}` of a view after a move: only its `cards`, `pay` and `playout` are compiled"),
        )
    }

    /// Lowers two arms of an `if`, which may both be views after a move. It must be known which, unless functions are
    /// only analysed.
    pub(super) fn either_view(&mut self, test: Node, yes: Node, no: Node, at: Position) -> Built<Node> {
        match (&yes.kind, &no.kind) {
            (Kind::After, Kind::After) if self.is_generic() => Ok(yes),
            _ => Ok(Node::when(test, self.no_view(yes, at)?, self.no_view(no, at)?)),
        }
    }

    pub(super) fn no_view(&self, node: Node, at: Position) -> Built<Node> {
        match node.kind {
            Kind::After => unsupported(at, "a view after a move that is passed on"),
            _ => Ok(node),
        }
    }

    /// Lowers the arguments of a method that are values, and the player of a playout. Rejects a method that creates a
    /// position, or asks others about one.
    pub(super) fn named<'e>(
        &mut self,
        method: &str,
        arguments: &'e [Expr],
        at: Position,
    ) -> Built<(&'e [Expr], Option<Node>)> {
        match (Thought::from_str(method), arguments) {
            (Ok(Thought::Sample | Thought::Choice), _) => unsupported(at, format!("`{method}`")),
            (Ok(Thought::Playout), [k, name]) => Ok((std::slice::from_ref(k), Some(self.player(name)?))),
            _ => Ok((arguments, None)),
        }
    }

    /// Lowers a player named by a text, or by one of two: a playout without its parts.
    fn player(&mut self, name: &Expr) -> Built<Node> {
        self.count_built(name.start_position())?;
        match name {
            Expr::StringConstant(text, at) => self.player_named(text, *at),
            Expr::Stmt(block) => self.player_of(block.statements(), name.start_position()),
            other => not_named(other.start_position()),
        }
    }

    fn player_of(&mut self, statements: &[Stmt], at: Position) -> Built<Node> {
        let [statement] = statements else { return not_named(at) };
        self.count_built(statement.position())?;
        match statement {
            Stmt::Expr(name) => self.player(name),
            Stmt::Block(block) => self.player_of(block.statements(), at),
            Stmt::If(x, _) => {
                let test = self.expr(&x.expr)?;
                if let Some(known) = test.value().filter(|_| !self.is_generic()) {
                    return match known.as_bool() {
                        Some(true) => self.player_of(x.body.statements(), at),
                        Some(false) => self.player_of(x.branch.statements(), at),
                        None => Ok(Node::FAULT),
                    };
                }
                let yes = self.player_of(x.body.statements(), at)?;
                let no = self.player_of(x.branch.statements(), at)?;
                Ok(Node::when(test, yes, no))
            }
            _ => not_named(at),
        }
    }

    fn player_named(&mut self, name: &str, at: Position) -> Built<Node> {
        let is_own = [1, 2].into_iter().any(|parameters| self.sources.module.has_method(name, parameters));
        if is_own || !is_on_shelf(name) {
            return unsupported(at, format!("a deal that `{name}`, a function of the script, plays on"));
        }
        let number = self.players.iter().position(|player| player == name).unwrap_or_else(|| {
            self.players.push(name.into());
            self.players.len() - 1
        });
        match u8::try_from(number) {
            Ok(number) => Ok(Node::leaf(Kind::Playout(number))),
            Err(_) => unsupported(at, "there are too many players"),
        }
    }

    /// Lowers a playout of a sampled deal of the view, or of one after a move.
    pub(super) fn playout(&mut self, of: Node, mut k: Node, mut player: Node) -> Node {
        self.costs(1);
        let m = match of.kind {
            Kind::After => of.parts,
            _ if self.is_view(&of) => Vec::new(),
            _ => return Node::FAULT,
        };
        let mut before = Vec::new();
        // The number of the deal is evaluated before the player is.
        if !matches!(player.kind, Kind::Playout(_)) {
            k = self.save(k, &mut before);
        }
        fill(&mut player, &[&[k][..], &m].concat());
        if let [m] = &m[..] {
            player = self.unless_rolled(m, player);
        }
        player.preceded(before)
    }

    /// Binds a variable to the view after a move, and returns the code for it.
    pub(super) fn bind_ahead(&mut self, name: &str, mut m: Node, at: Position) -> Built<Node> {
        if self.is_assigned(name) {
            return unsupported(at, "a variable that holds one view after the other");
        }
        let mut before = Vec::new();
        if !(matches!(m.kind, Kind::Read(_)) && self.is_lasting(&m)) {
            m = self.save(m, &mut before);
        }
        // It is a fault to ask for it if a die is rolled, whatever it is used for.
        before.push(self.unless_rolled(&m, Node::UNIT));
        self.scope.push((name.into(), Binding::Fixed(Node::new(Kind::After, [m]))));
        Ok(Node::UNIT.preceded(before))
    }

    fn cards_after(&mut self, m: &Node) -> Node {
        let cards = self.view_property(ViewProperty::Cards);
        let up = self.of_move(MoveProperty::ToFoundation, m.clone());
        let back = self.of_move(MoveProperty::FromFoundation, m.clone());
        let back = choose(back, Node::int(-1), Node::int(0));
        let change = choose(up, Node::int(1), back);
        let cards = if change.is(Value::int(0)) {
            cards
        } else {
            Node::new(Kind::Arith(Arith::Add), [cards, change])
        };
        self.unless_rolled(m, cards)
    }

    /// Returns a value, or a fault if a die is rolled with a move.
    fn unless_rolled(&mut self, m: &Node, value: Node) -> Node {
        let rolls = self.of_move(MoveProperty::Rolls, m.clone());
        choose(rolls, Node::FAULT, value)
    }
}

/// Returns one of two nodes by a test, which may be known.
fn choose(test: Node, yes: Node, no: Node) -> Node {
    match test.value() {
        Some(known) if known == Value::bool(true) => yes,
        Some(_) => no,
        None => Node::when(test, yes, no),
    }
}
