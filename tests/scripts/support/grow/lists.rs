//! Lists, and ranges with steps.

use super::super::tree::{Node, Ty, What};
use super::Grow;

/// Maximum length of lists in valid scripts.
const LONGEST: i64 = 40;

impl Grow {
    /// Returns a list literal.
    pub(super) fn new_list(&mut self, depth: u32) -> Node {
        let elements = self.elements;
        let number = if depth == 0 { self.below(2) } else { self.pick(&[0, 1, 2, 3, 3, 5]) };
        let kids = (0..number).map(|_| self.expr(elements, depth.saturating_sub(1).min(2))).collect();
        Node::new(What::List, Ty::List, kids)
    }

    fn list(&mut self) -> Node {
        self.variable(Ty::List).unwrap_or(Node::new(What::List, Ty::List, vec![]))
    }

    fn len(list: &Node) -> Node {
        Node::new(What::Get("len".into()), Ty::Int, vec![list.clone()])
    }

    fn compared(op: &'static str, left: Node, n: i64) -> Node {
        Node::new(What::Binary(op), Ty::Bool, vec![left, Node::int(n)])
    }

    /// Returns a property of a list, in either style.
    pub(super) fn of_list(&mut self, word: &str, ty: Ty) -> Node {
        let list = self.list();
        let what = if self.chance(50) { What::Get(word.into()) } else { What::Method(word.into()) };
        Node::new(what, ty, vec![list])
    }

    /// Returns an index within a list, if it has elements.
    fn place_in(&mut self, list: &Node, depth: u32) -> Node {
        match self.below(4) {
            0 => Node::int(0),
            1 => Node::int(-1),
            _ => {
                let any = self.expr(Ty::Int, depth.saturating_sub(1).min(2));
                let rest = Node::new(What::Binary("%"), Ty::Int, vec![any, Grow::len(list)]);
                Node::new(What::Call("abs".into()), Ty::Int, vec![rest])
            }
        }
    }

    /// Returns an element, where there is one.
    pub(super) fn element(&mut self, depth: u32) -> Node {
        let (list, ty) = (self.list(), self.elements);
        if !matches!(list.what, What::Var(_)) {
            return self.leaf(ty);
        }
        if self.errs() {
            let place = self.operand(Ty::Int, depth.min(1));
            return Node::new(What::Element, ty, vec![list, place]);
        }
        let place = self.place_in(&list, depth);
        let some = Grow::compared(">", Grow::len(&list), 0);
        let element = Node::new(What::Element, ty, vec![list, place]);
        let block = |kid: Node| Node::new(What::Block(false), ty, vec![kid]);
        let other = self.leaf(ty);
        Node::new(What::If, ty, vec![some, block(element), block(other)])
    }

    /// Adds a statement that changes a list.
    pub(super) fn list_statement(&mut self, out: &mut Vec<Node>, depth: u32) {
        let open = self.seen(|local| local.ty == Ty::List && !local.fixed);
        if open.is_empty() {
            let name = self.new_name();
            let list = self.expr(Ty::List, depth);
            out.push(Node::new(What::Let(name.clone()), Ty::Nothing, vec![list]));
            return self.declare(&name, Ty::List, false);
        }
        let (name, elements) = (self.pick(&open).name, self.elements);
        let list = Node::var(&name, Ty::List);
        let method = |word: &str, kids: Vec<Node>| {
            let kids = std::iter::once(Node::var(&name, Ty::List)).chain(kids).collect();
            Node::new(What::Method(word.into()), Ty::Nothing, kids)
        };
        let (test, change) = match self.below(10) {
            0..4 => {
                let value = self.expr(elements, depth.min(2));
                (Grow::compared("<", Grow::len(&list), LONGEST), method("push", vec![value]))
            }
            4 => return out.push(method("pop", vec![])),
            5 if self.chance(40) => return out.push(method("clear", vec![])),
            _ => {
                let place = self.place_in(&list, depth);
                let op = if elements == Ty::Int { self.pick(&["=", "+=", "-=", "|="]) } else { "=" };
                let value = self.expr(elements, depth.min(2));
                let put = Node::new(What::Put(name.clone(), op), Ty::Nothing, vec![place, value]);
                (Grow::compared(">", Grow::len(&list), 0), put)
            }
        };
        if self.errs() {
            return out.push(change);
        }
        let block = Node::new(What::Block(true), Ty::Nothing, vec![change]);
        out.push(Node::new(What::If, Ty::Nothing, vec![test, block]));
    }

    /// Returns a range with steps.
    pub(super) fn steps(&mut self, depth: u32) -> Node {
        let from = self.pick(&[0, 0, 1, -3, 7]);
        let to = from + self.pick(&[0, 1, 2, 5, 9, -4, -1]);
        let mut kids = vec![Node::int(from), Node::int(to)];
        if self.chance(30) {
            let small = vec![self.expr(Ty::Int, depth.min(1)), Node::int(6)];
            kids[1] = Node::new(What::Binary("%"), Ty::Int, small);
            kids[0] = Node::int(self.pick(&[0, -2, 3]));
        }
        if self.chance(80) {
            let step = if self.errs() { 0 } else { self.pick(&[1, 2, 3, -1, -2, 100]) };
            kids.push(Node::int(step));
        }
        Node::new(What::Call("range".into()), Ty::Many, kids)
    }
}
