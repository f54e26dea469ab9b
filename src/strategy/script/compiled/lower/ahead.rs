//! Lowers views after a move, if the results follow from the move alone.
//!
//! `view.after(m).cards` needs no position: a move brings one card up, takes one back, or does neither. `playout` is
//! run by the engine, from the view of the decision or from one after a move. Any other query of such a view requires a
//! position, which is left to the interpreter.

use rhai::{Expr, Position, Stmt};

use super::super::super::api::POSITION;
use super::super::super::intrinsics::{Intrinsic, MoveProperty, ViewProperty};
use super::super::super::names::{Thought, thought};
use super::super::super::players::{is_on_shelf, is_playout};
use super::super::super::value::Value;
use super::super::hir::Node;
use super::super::operators::Arith;
use super::builder::{Builder, Built, Obstacle};

/// The player of a playout.
pub(super) enum Player {
    /// The strategy named by a text, by its index.
    Text(u8),
    If(Box<Node>, Box<Player>, Box<Player>),
    Fault,
}

impl Player {
    /// Returns whether the player depends on a test.
    pub(super) fn tests(&self) -> bool {
        matches!(self, Player::If(..))
    }

    /// Returns whether a test for the player assigns something.
    pub(super) fn assigns(&self) -> bool {
        match self {
            Player::If(test, yes, no) => test.assigns() || yes.assigns() || no.assigns(),
            Player::Text(_) | Player::Fault => false,
        }
    }

    fn plays(&self, m: Option<&Node>, k: &Node) -> Node {
        match self {
            Player::Text(number) => Node::Playout(*number, m.cloned().map(Box::new), Box::new(k.clone())),
            Player::If(test, yes, no) => {
                Node::If(test.clone(), Box::new(yes.plays(m, k)), Box::new(no.plays(m, k)))
            }
            Player::Fault => Node::Fault,
        }
    }
}

fn not_named<T>(at: Position) -> Built<T> {
    Err(Obstacle { at, what: "a deal played on by one who is not named by a text".into() })
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
        if let Node::After(m) = of {
            return match (name, arguments) {
                ("cards", None) => Ok(Some(self.cards_after(m))),
                ("pay", Some([n])) => {
                    let pay = Node::Intrinsic(Intrinsic::Pay, vec![n.clone()]);
                    Ok(Some(self.unless_rolled(m, pay)))
                }
                _ => self.asked_ahead(name, at),
            };
        }
        let m = match (thought(name), arguments) {
            (Some(Thought::After), Some([m])) => m,
            // Under rules without a die, a script that checks whether one is rolled never gets here.
            (Some(Thought::AfterRoll), Some([m, _])) if self.is_generic() => m,
            (Some(Thought::AfterRoll), Some([..])) => {
                return Err(Obstacle {
                    at,
                    what: format!("`{name}` of a move with which no die is rolled, for all that is known"),
                });
            }
            _ => return Ok(None),
        };
        self.costs(POSITION as u32 + 4);
        let of_view = of.constant() == Some(Value::VIEW) || self.is_generic();
        match m {
            _ if !of_view => Ok(Some(Node::Fault)),
            // It is used repeatedly.
            Node::Read(_) | Node::Memo(_) => Ok(Some(Node::After(Box::new(m.clone())))),
            Node::Const(_) | Node::Fault => Ok(Some(Node::Fault)),
            _ => Err(Obstacle { at, what: format!("`{name}` of a move that no variable holds") }),
        }
    }

    /// Rejects a query of a view after a move that requires a position.
    pub(super) fn asked_ahead<T>(&self, name: &str, at: Position) -> Built<T> {
        let what =
            format!("`{name}` of a view after a move: only its `cards`, `pay` and `playout` are compiled");
        Err(Obstacle { at, what })
    }

    /// Lowers two arms of an `if`, which may both be views after a move. It must be known which, unless functions are
    /// only analysed.
    pub(super) fn either_view(&mut self, test: Node, yes: Node, no: Node, at: Position) -> Built<Node> {
        match (yes, no) {
            (Node::After(m), Node::After(_)) if self.is_generic() => Ok(Node::After(m)),
            (yes, no) => {
                let (yes, no) = (self.no_view(yes, at)?, self.no_view(no, at)?);
                Ok(Node::If(Box::new(test), Box::new(yes), Box::new(no)))
            }
        }
    }

    /// Rejects a view after a move.
    pub(super) fn no_view(&self, node: Node, at: Position) -> Built<Node> {
        match node {
            Node::After(_) => Err(Obstacle { at, what: "a view after a move that is passed on".into() }),
            node => Ok(node),
        }
    }

    /// Rejects a method that creates a position, or asks others about one.
    pub(super) fn no_position(&self, method: &str, at: Position) -> Built<()> {
        match thought(method) {
            Some(Thought::Sample | Thought::Choice) => Err(Obstacle { at, what: format!("`{method}`") }),
            _ => Ok(()),
        }
    }

    /// Lowers the arguments of a method that are values, and the player of a playout.
    pub(super) fn named<'e>(
        &mut self,
        method: &str,
        arguments: &'e [Expr],
    ) -> Built<(&'e [Expr], Option<Player>)> {
        match arguments {
            [k, name] if is_playout(method) => Ok((std::slice::from_ref(k), Some(self.player(name)?))),
            _ => Ok((arguments, None)),
        }
    }

    /// Lowers a player named by a text, or by one of two.
    fn player(&mut self, name: &Expr) -> Built<Player> {
        self.count_built(name.start_position())?;
        match name {
            Expr::StringConstant(text, at) => self.player_named(text, *at),
            Expr::Stmt(block) => self.player_of(block.statements(), name.start_position()),
            other => not_named(other.start_position()),
        }
    }

    fn player_of(&mut self, statements: &[Stmt], at: Position) -> Built<Player> {
        let [statement] = statements else { return not_named(at) };
        self.count_built(statement.position())?;
        match statement {
            Stmt::Expr(name) => self.player(name),
            Stmt::Block(block) => self.player_of(block.statements(), at),
            Stmt::If(x, _) => {
                let test = self.expr(&x.expr)?;
                if let Some(known) = test.constant().filter(|_| !self.is_generic()) {
                    return match known.as_bool() {
                        Some(true) => self.player_of(x.body.statements(), at),
                        Some(false) => self.player_of(x.branch.statements(), at),
                        None => Ok(Player::Fault),
                    };
                }
                let yes = self.player_of(x.body.statements(), at)?;
                let no = self.player_of(x.branch.statements(), at)?;
                Ok(Player::If(Box::new(test), Box::new(yes), Box::new(no)))
            }
            _ => not_named(at),
        }
    }

    fn player_named(&self, name: &str, at: Position) -> Built<Player> {
        let is_own = [1, 2].into_iter().any(|parameters| self.sources.module.has_method(name, parameters));
        if is_own || !is_on_shelf(name) {
            let what = format!("a deal that `{name}`, a function of the script, plays on");
            return Err(Obstacle { at, what });
        }
        let number = self.sources.texts.iter().position(|text| text == name);
        match number.and_then(|number| u8::try_from(number).ok()) {
            Some(number) => Ok(Player::Text(number)),
            None => Err(Obstacle { at, what: "there are too many texts".into() }),
        }
    }

    /// Lowers a playout of a sampled deal of the view, or of one after a move.
    pub(super) fn playout(&mut self, of: Node, k: Node, player: Player) -> Node {
        self.costs(1);
        let of_view = of.constant() == Some(Value::VIEW) || self.is_generic();
        let m = match of {
            Node::After(m) => Some(*m),
            _ if of_view => None,
            _ => return Node::Fault,
        };
        // The number of the deal is evaluated before the player is.
        let slot = (!matches!(player, Player::Text(_))).then(|| self.new_slot());
        let (before, k) = match slot {
            Some(slot) => (Some(Node::Let(slot, Box::new(k))), Node::Read(slot)),
            None => (None, k),
        };
        let played = player.plays(m.as_ref(), &k);
        let played = match &m {
            Some(m) => self.unless_rolled(m, played),
            None => played,
        };
        before.map_or(played.clone(), |before| Node::Seq(vec![before, played]))
    }

    /// Binds a variable to the view after a move, and returns the code for it.
    pub(super) fn bind_ahead(&mut self, name: &str, m: Node, at: Position) -> Built<Node> {
        if self.is_assigned(name) {
            return Err(Obstacle { at, what: "a variable that holds one view after the other".into() });
        }
        let mut all = Vec::new();
        let lasts = matches!(&m, Node::Read(slot) if self.is_lasting(*slot));
        let m = if lasts {
            m
        } else {
            let slot = self.new_slot();
            all.push(Node::Let(slot, Box::new(m)));
            Node::Read(slot)
        };
        // It is a fault to ask for it if a die is rolled, whatever it is used for.
        all.push(self.unless_rolled(&m, Node::UNIT));
        self.bind_fixed(name, Node::After(Box::new(m)));
        all.push(Node::UNIT);
        Ok(Node::Seq(all))
    }

    /// Lowers the number of cards up after a move.
    fn cards_after(&mut self, m: &Node) -> Node {
        let cards = self.view_property(ViewProperty::Cards);
        let change = match (
            self.of_move(MoveProperty::ToFoundation, m.clone()),
            self.of_move(MoveProperty::FromFoundation, m.clone()),
        ) {
            (Node::Const(up), _) if up == Value::bool(true) => Node::int(1),
            (Node::Const(_), Node::Const(back)) => Node::int(-i64::from(back == Value::bool(true))),
            (up, back) => {
                let back = Node::If(Box::new(back), Box::new(Node::int(-1)), Box::new(Node::int(0)));
                Node::If(Box::new(up), Box::new(Node::int(1)), Box::new(back))
            }
        };
        let cards = match change.constant() {
            Some(none) if none == Value::int(0) => cards,
            _ => Node::Arith(Arith::Add, Box::new(cards), Box::new(change)),
        };
        self.unless_rolled(m, cards)
    }

    /// Returns a value, or a fault if a die is rolled with a move.
    fn unless_rolled(&mut self, m: &Node, value: Node) -> Node {
        match self.of_move(MoveProperty::Rolls, m.clone()) {
            Node::Const(rolls) if rolls == Value::bool(false) => value,
            Node::Const(_) => Node::Fault,
            rolls => Node::If(Box::new(rolls), Box::new(Node::Fault), Box::new(value)),
        }
    }
}
