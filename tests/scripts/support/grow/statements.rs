//! Blocks, statements and loops.

use super::super::tree::{Node, Ty, What};
use super::{COUNT, Grow};

impl Grow {
    /// Returns a block with a value of a type; [`Ty::Nothing`] for one whose value is not used.
    pub(super) fn block(&mut self, ty: Ty, depth: u32) -> Node {
        let before = self.scope.len();
        let mut kids = Vec::new();
        if depth > 0 {
            let most = if ty == Ty::Nothing { 1 + self.below(3) } else { self.pick(&[0, 0, 1, 2, 3]) };
            // The outermost block of a function is the longest.
            let most = if depth == 5 { most + 1 + self.below(4) } else { most };
            for _ in 0..most {
                if self.fuel > 0 {
                    self.statement(&mut kids, depth - 1);
                }
            }
        }
        if self.chance(if ty == Ty::Nothing { 60 } else { 15 }) {
            self.keep(&mut kids);
        }
        if ty != Ty::Nothing {
            kids.push(self.expr(ty, depth));
        }
        self.scope.truncate(before);
        Node::new(What::Block(self.chance(25)), ty, kids)
    }

    fn statement(&mut self, out: &mut Vec<Node>, depth: u32) {
        self.fuel -= 1;
        match self.below(51) {
            46.. => self.list_statement(out, depth),
            40.. => self.keep(out),
            0..11 => self.define(out, depth),
            11..18 => self.assign(out, depth),
            18..23 => out.push(self.choice(Ty::Nothing, depth + 1)),
            23..25 => self.test_card(out, depth),
            25 => out.push(self.switch(Ty::Nothing, depth + 1)),
            26..29 => self.counted_loop(out, depth),
            29..32 => out.push(self.for_loop(depth)),
            32..34 => out.push(self.jump_if(depth)),
            34 => out.push(self.block(Ty::Nothing, depth)),
            35 => out.push(self.expr(Ty::Bool, depth)),
            36 => out.push(self.expr(Ty::Any, depth)),
            37 if self.errs() => out.push(self.endless(depth)),
            _ => {
                let ty = self.pick(&[Ty::Nothing, Ty::Nothing, Ty::Int, Ty::Bool]);
                if let Some(call) = self.call(ty, depth) {
                    out.push(call);
                }
            }
        }
    }

    fn define(&mut self, out: &mut Vec<Node>, depth: u32) {
        let name = self.new_name();
        let kinds = [
            Ty::Int,
            Ty::Int,
            Ty::Int,
            Ty::Bool,
            Ty::Bool,
            Ty::Card,
            Ty::Card,
            Ty::Card,
            Ty::Any,
            Ty::MaybeMove,
            Ty::Seat,
            Ty::List,
            Ty::List,
        ];
        let ty = self.pick(&kinds);
        let ty = if ty == Ty::Seat && !self.has(Ty::View) { Ty::Card } else { ty };
        let may_be_none = matches!(ty, Ty::Card | Ty::Any | Ty::MaybeMove);
        let value = if may_be_none && self.chance(25) { vec![] } else { vec![self.expr(ty, depth)] };
        out.push(Node::new(What::Let(name.clone()), Ty::Nothing, value));
        self.declare(&name, ty, false);
    }

    /// Returns an element of `memory`, with an index that may depend on a number.
    pub(super) fn place(&mut self) -> String {
        match self.variable(Ty::Int) {
            Some(Node { what: What::Var(name), .. }) if !name.contains('[') && self.chance(30) => {
                let mask = self.pick(&[3, 7, 63]);
                format!("memory[{name} & {mask}]")
            }
            _ if self.errs() => self.pick(&["memory[64]", "memory[-1]", "memory[63]"]).into(),
            _ => format!("memory[{}]", self.below(4)),
        }
    }

    fn assign(&mut self, out: &mut Vec<Node>, depth: u32) {
        if self.chance(15) {
            let place = self.place();
            let op = self.pick(&["=", "=", "+=", "-=", "^=", "|="]);
            let value = self.operand(Ty::Int, depth);
            return out.push(Node::new(What::Assign(place, op), Ty::Nothing, vec![value]));
        }
        let open = self
            .seen(|local| !local.fixed && !matches!(local.ty, Ty::View | Ty::Nothing | Ty::Sure | Ty::Move));
        if open.is_empty() {
            return self.define(out, depth);
        }
        let local = self.pick(&open);
        let (op, value) = match local.ty {
            Ty::Int if self.chance(70) => {
                let op = self.pick(&[
                    "+=", "+=", "+=", "-=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=",
                ]);
                let value = match op {
                    "/=" | "%=" if !self.errs() => Node::int(self.pick(&[1, 2, 3, 5, 13, -2])),
                    "**=" if !self.errs() => Node::int(self.pick(&[0, 1, 2])),
                    "+=" | "-=" if self.chance(15) => match self.busy("+", depth.max(1)) {
                        Some(busy) => busy,
                        None => self.operand(Ty::Int, depth),
                    },
                    "*=" if self.loops > 0 && !self.errs() => Node::int(self.pick(&[-1, 2, 3])),
                    _ => self.operand(Ty::Int, depth),
                };
                (op, value)
            }
            Ty::Bool if self.chance(50) => (self.pick(&["&=", "|=", "^="]), self.operand(Ty::Bool, depth)),
            Ty::Any if self.errs() => ("+=", self.expr(Ty::Int, depth)),
            ty => ("=", self.expr(ty, depth)),
        };
        out.push(Node::new(What::Assign(local.name, op), Ty::Nothing, vec![value]));
    }

    fn jump_if(&mut self, depth: u32) -> Node {
        let condition = self.operand(Ty::Bool, depth.min(2));
        let jump = self.jump(depth);
        let block = Node::new(What::Block(true), Ty::Nothing, vec![jump]);
        Node::new(What::If, Ty::Nothing, vec![condition, block])
    }

    fn jump(&mut self, depth: u32) -> Node {
        let value = |grow: &mut Grow, ty: Ty| match ty {
            Ty::Nothing => vec![],
            Ty::Card | Ty::Any | Ty::MaybeMove if grow.chance(20) => vec![],
            ty => vec![grow.expr(ty, depth.min(2))],
        };
        let (what, kids) = match self.below(if self.loops > 0 { 4 } else { 1 }) {
            0 => {
                let returns = self.returns;
                (What::Return, value(self, returns))
            }
            1 | 2 => (What::Break, vec![]),
            _ => (What::Continue, vec![]),
        };
        Node::new(what, Ty::Nothing, kids)
    }

    /// Adds `if c == () { return .. }`, after which the card is known to be present.
    fn test_card(&mut self, out: &mut Vec<Node>, depth: u32) {
        let Some(card) = self.variable(Ty::Card) else { return self.define(out, depth) };
        let What::Var(name) = &card.what else { return };
        let kids = vec![card.clone(), Node::unit(Ty::Card)];
        let test = Node::new(What::Binary("=="), Ty::Bool, kids);
        let block = Node::new(What::Block(true), Ty::Nothing, vec![self.jump(depth)]);
        out.push(Node::new(What::If, Ty::Nothing, vec![test, block]));
        self.declare(name, Ty::Sure, true);
    }

    fn inside(&mut self, ty: Ty, depth: u32) -> Node {
        self.loops += 1;
        let block = self.block(ty, depth);
        self.loops -= 1;
        block
    }

    /// Returns a `for` over numbers or moves.
    pub(super) fn for_loop(&mut self, depth: u32) -> Node {
        let before = self.scope.len();
        let list = self.variable(Ty::List).filter(|_| self.chance(35) && self.loops < 2);
        let (over, ty) = match self.variable(Ty::View) {
            _ if list.is_some() => (list.unwrap_or(Node::int(0)), self.elements),
            _ if self.chance(15) => (self.steps(depth), Ty::Int),
            Some(view) if self.chance(35) && self.loops < 2 => {
                (Node::new(What::Get("moves".into()), Ty::Many, vec![view]), Ty::Move)
            }
            view => (self.range(view, depth), Ty::Int),
        };
        let name = self.new_name();
        let mut counter = self.chance(25).then(|| self.new_name());
        counter = counter.filter(|counter| *counter != name);
        if let Some(counter) = &counter {
            self.declare(counter, Ty::Int, false);
        }
        self.declare(&name, ty, false);
        let body = self.inside(Ty::Nothing, depth);
        self.scope.truncate(before);
        Node::new(What::For(name, counter), Ty::Nothing, vec![over, body])
    }

    fn range(&mut self, view: Option<Node>, depth: u32) -> Node {
        let inclusive = self.chance(50);
        if let Some(view) = view
            && self.chance(50)
        {
            let last = self.pick(&["piles", "piles", "seats", "spaces", "waste_left"]);
            let last = Node::new(What::Get(last.into()), Ty::Int, vec![view]);
            return Node::new(What::Range(inclusive), Ty::Many, vec![Node::int(1), last]);
        }
        if self.errs() {
            let kids = vec![Node::int(0), self.misfit(Ty::Int, &[Ty::Bool, Ty::Card, Ty::Any])];
            return Node::new(What::Range(inclusive), Ty::Many, kids);
        }
        let from = self.pick(&[0, 0, 1, 2, -3, 7, i64::MAX - 2, i64::MIN]);
        let to = match from {
            i64::MIN => from + 2,
            _ => from.saturating_add(self.pick(&[0, 1, 2, 3, 4, 6, -2])),
        };
        let (from, to) = (Node::int(from), Node::int(to));
        let small =
            Node::new(What::Binary("%"), Ty::Int, vec![self.expr(Ty::Int, depth.min(1)), Node::int(5)]);
        let kids = if self.chance(25) { vec![Node::int(self.pick(&[0, -2])), small] } else { vec![from, to] };
        Node::new(What::Range(inclusive), Ty::Many, kids)
    }

    /// Adds a loop that counts its rounds in a separate variable.
    fn counted_loop(&mut self, out: &mut Vec<Node>, depth: u32) {
        let name = self.new_name();
        if name == COUNT {
            return;
        }
        out.push(Node::new(What::Let(name.clone()), Ty::Nothing, vec![Node::int(0)]));
        self.declare(&name, Ty::Int, true);
        let loops = self.rounds(&name, Ty::Nothing, depth);
        out.push(loops);
    }

    /// Returns a `while`, `do` or `loop`, with a limited number of rounds.
    fn rounds(&mut self, name: &str, ty: Ty, depth: u32) -> Node {
        let most = Node::int(self.pick(&[0, 1, 2, 3, 5, 8]));
        let up = Node::new(What::Assign(name.into(), "+="), Ty::Nothing, vec![Node::int(1)]);
        let compare = |op: &'static str| {
            Node::new(What::Binary(op), Ty::Bool, vec![Node::var(name, Ty::Int), most.clone()])
        };
        let mut body = self.inside(Ty::Nothing, depth);
        body.kids.insert(0, up);
        let kind = if ty == Ty::Nothing { self.below(4) } else { 3 };
        match kind {
            0 => {
                let mut condition = compare("<");
                if self.chance(40) {
                    let kids = vec![condition, self.operand(Ty::Bool, depth.min(2))];
                    condition = Node::new(What::Binary("&&"), Ty::Bool, kids);
                }
                Node::new(What::While, Ty::Nothing, vec![condition, body])
            }
            1 => Node::new(What::Do(true), Ty::Nothing, vec![body, compare(">=")]),
            2 => Node::new(What::Do(false), Ty::Nothing, vec![body, compare("<")]),
            _ => {
                let value = if ty == Ty::Nothing { vec![] } else { vec![self.expr(ty, depth.min(2))] };
                let out = Node::new(What::Break, Ty::Nothing, value);
                let block = Node::new(What::Block(true), Ty::Nothing, vec![out]);
                body.kids.insert(1, Node::new(What::If, Ty::Nothing, vec![compare(">"), block]));
                Node::new(What::Loop, ty, vec![body])
            }
        }
    }

    /// Returns a block with a loop that is left with a value, or over the moves for the best of them.
    pub(super) fn search(&mut self, ty: Ty, depth: u32) -> Node {
        let before = self.scope.len();
        let mut kids = Vec::new();
        if ty == Ty::MaybeMove
            && self.loops < 2
            && let Some(view) = self.variable(Ty::View)
        {
            let moves = Node::new(What::Get("moves".into()), Ty::Many, vec![view]);
            kids.push(Node::new(What::Let("best".into()), Ty::Nothing, vec![]));
            kids.push(Node::new(What::Let("high".into()), Ty::Nothing, vec![Node::int(-1)]));
            self.declare("best", Ty::MaybeMove, true);
            self.declare("high", Ty::Int, true);
            self.declare("o", Ty::Move, true);
            self.loops += 1;
            let worth = self.expr(Ty::Int, depth);
            self.loops -= 1;
            let set = |name: &str, value: &str| {
                Node::new(What::Assign(name.into(), "="), Ty::Nothing, vec![Node::var(value, Ty::Any)])
            };
            let better = vec![Node::var("s", Ty::Int), Node::var("high", Ty::Int)];
            let better = Node::new(What::Binary(">"), Ty::Bool, better);
            let keep = Node::new(What::Block(true), Ty::Nothing, vec![set("high", "s"), set("best", "o")]);
            let body = vec![
                Node::new(What::Let("s".into()), Ty::Nothing, vec![worth]),
                Node::new(What::If, Ty::Nothing, vec![better, keep]),
            ];
            let body = Node::new(What::Block(true), Ty::Nothing, body);
            kids.push(Node::new(What::For("o".into(), None), Ty::Nothing, vec![moves, body]));
            kids.push(Node::var("best", ty));
        } else {
            kids.push(Node::new(What::Let("rounds".into()), Ty::Nothing, vec![Node::int(0)]));
            self.declare("rounds", Ty::Int, true);
            kids.push(self.rounds("rounds", ty, depth - 1));
        }
        self.scope.truncate(before);
        Node::new(What::Block(false), ty, kids)
    }

    /// Returns a loop that only the budget ends, or nearly so.
    fn endless(&mut self, depth: u32) -> Node {
        let condition = self.expr(Ty::Bool, depth.min(1));
        let body = self.inside(Ty::Nothing, depth.min(1));
        if self.chance(50) {
            Node::new(What::While, Ty::Nothing, vec![condition, body])
        } else {
            Node::new(What::Loop, Ty::Nothing, vec![body])
        }
    }
}
