//! Lowers views after a move, if the results follow from the move alone.
//!
//! `view.after(m).cards` needs no position: a move brings one card up, takes one back, or does neither. `playout` is
//! run by the engine, from the view of the decision or from one after a move. Any other query of such a view requires a
//! position, which is left to the interpreter.

use std::str::FromStr;

use rhai::{Expr, Position, Stmt};

use super::super::super::api::POSITION;
use super::super::super::intrinsics::{Intrinsic, MoveProperty, ViewProperty};
use super::super::super::names::Thought;
use super::super::super::players::is_on_shelf;
use super::super::super::value::Value;
use super::super::hir::{Kind, Node};
use super::super::operators::Arith;
use super::builder::{Binding, Builder, Built, unsupported};

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

    /// Rejects a view after a move.
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

    fn player_named(&self, name: &str, at: Position) -> Built<Node> {
        let is_own = [1, 2].into_iter().any(|parameters| self.sources.module.has_method(name, parameters));
        if is_own || !is_on_shelf(name) {
            return unsupported(at, format!("a deal that `{name}`, a function of the script, plays on"));
        }
        let number = self.sources.texts.iter().position(|text| text == name);
        match number.and_then(|number| u8::try_from(number).ok()) {
            Some(number) => Ok(Node::leaf(Kind::Playout(number))),
            None => unsupported(at, "there are too many texts"),
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

    /// Lowers the number of cards up after a move.
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
