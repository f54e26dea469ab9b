//! The running total of a function's values: a number that all of them change.

use super::super::tree::{Node, Ty, What};
use super::{Grow, TOTAL};

fn binary(op: &'static str, ty: Ty, left: Node, right: Node) -> Node {
    Node::new(What::Binary(op), ty, vec![left, right])
}

fn total() -> Node {
    Node::var(TOTAL, Ty::Int)
}

/// Returns `if condition { yes } else { no }`.
fn either(condition: Node, yes: Node, no: Node) -> Node {
    let block = |value: Node| Node::new(What::Block(false), Ty::Int, vec![value]);
    Node::new(What::If, Ty::Int, vec![condition, block(yes), block(no)])
}

impl Grow {
    /// Lets a variable change the total, which stays small.
    pub(super) fn keep(&mut self, out: &mut Vec<Node>) {
        if self.seen(|local| local.name == TOTAL).is_empty() {
            return;
        }
        if self.chance(45) && (self.has(Ty::View) || self.has(Ty::Move)) {
            // Any value of the game.
            let ty = self.pick(&[Ty::Int, Ty::Bool, Ty::Card]);
            let asked = self.named(ty, 1);
            out.push(Node::new(What::Let("seen".into()), Ty::Nothing, vec![asked]));
            let seen = Node::var("seen", ty);
            let number = self.as_number(&seen);
            return out.push(Grow::added(number));
        }
        let kinds =
            [Ty::Int, Ty::Bool, Ty::Card, Ty::Sure, Ty::MaybeMove, Ty::Move, Ty::Any, Ty::Seat, Ty::List];
        let seen = self.seen(|local| kinds.contains(&local.ty) && local.name != TOTAL);
        if seen.is_empty() {
            return;
        }
        let local = self.pick(&seen);
        let number = self.as_number(&Node::var(&local.name, local.ty));
        out.push(Grow::added(number));
    }

    fn added(number: Node) -> Node {
        let sum = binary("+", Ty::Int, binary("*", Ty::Int, total(), Node::int(3)), number);
        let sum = binary("%", Ty::Int, sum, Node::int(10_007));
        Node::new(What::Assign(TOTAL.into(), "="), Ty::Nothing, vec![sum])
    }

    /// Returns a small number that distinguishes a value from others.
    fn as_number(&mut self, of: &Node) -> Node {
        let get = |word: &str, ty: Ty| Node::new(What::Get(word.into()), ty, vec![of.clone()]);
        let is_none = || binary("==", Ty::Bool, of.clone(), Node::unit(of.ty));
        let is_true = || Node::new(What::Bool(true), Ty::Bool, vec![]);
        match of.ty {
            Ty::Int => binary("%", Ty::Int, of.clone(), Node::int(1009)),
            Ty::Bool => either(of.clone(), Node::int(5), Node::int(2)),
            Ty::Sure => binary("*", Ty::Int, get("rank", Ty::Int), get("suit", Ty::Int)),
            Ty::Card => {
                let word = self.pick(&["rank", "rank", "suit", "up"]);
                either(is_none(), Node::int(60), get(word, Ty::Int))
            }
            Ty::Move => binary("+", Ty::Int, get("count", Ty::Int), get("source", Ty::Int)),
            Ty::MaybeMove => either(is_none(), Node::int(7), get("target", Ty::Int)),
            Ty::Seat => get("waste_left", Ty::Int),
            Ty::List => binary("*", Ty::Int, get("len", Ty::Int), Node::int(11)),
            _ => {
                let number = Node::int(self.number(false));
                let known = [is_none(), binary("==", Ty::Bool, of.clone(), is_true())];
                let [none, yes] = known;
                let number = binary("==", Ty::Bool, of.clone(), number);
                either(
                    none,
                    Node::int(1),
                    either(yes, Node::int(2), either(number, Node::int(3), Node::int(4))),
                )
            }
        }
    }

    /// Returns the total in some form, if that has the function's type.
    pub(super) fn end_with_total(&mut self, body: &mut Node, function: &str) {
        let Some(value) = body.kids.pop() else { return };
        let modulo = |n: i64| binary("%", Ty::Int, total(), Node::int(n));
        match body.ty {
            Ty::Int if function == "score" && self.chance(40) => {
                // Never, or sometimes: if a draw is the only move, it is given up for a small reason.
                let n = self.pick(&[3, 4, 7, 13]);
                let never = binary("==", Ty::Bool, modulo(n), Node::int(1));
                body.kids.push(either(never, Node::int(-1), total()));
            }
            Ty::Int if self.chance(80) => {
                if self.chance(50) {
                    // The original value is not lost.
                    let name = "last".to_string();
                    body.kids.push(Node::new(What::Let(name.clone()), Ty::Nothing, vec![value]));
                    let value = binary("%", Ty::Int, Node::var(&name, Ty::Int), Node::int(1009));
                    body.kids.push(binary("+", Ty::Int, value, total()));
                } else {
                    body.kids.push(total());
                }
            }
            Ty::Bool if self.chance(50) => {
                body.kids.push(binary(
                    "==",
                    Ty::Bool,
                    value,
                    binary("==", Ty::Bool, modulo(2), Node::int(0)),
                ));
            }
            Ty::MaybeMove if function == "choose" && self.chance(60) => {
                // A move chosen by the total.
                let moves = Node::new(What::Get("moves".into()), Ty::Many, vec![Node::var("view", Ty::View)]);
                let picked = binary("==", Ty::Bool, Node::var("i", Ty::Int), modulo(4));
                let back = Node::new(What::Return, Ty::Nothing, vec![Node::var("o", Ty::Move)]);
                let block = Node::new(What::Block(true), Ty::Nothing, vec![back]);
                let test = Node::new(What::If, Ty::Nothing, vec![picked, block]);
                let inside = Node::new(What::Block(false), Ty::Nothing, vec![test]);
                let each = What::For("o".into(), Some("i".into()));
                body.kids.push(Node::new(each, Ty::Nothing, vec![moves, inside]));
                body.kids.push(value);
            }
            _ => body.kids.push(value),
        }
    }
}
