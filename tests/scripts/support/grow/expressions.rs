//! Expressions of a given type.

use super::super::names::NAMES;
use super::super::tree::{Case, Node, Ty, What};
use super::{COUNT, Grow, Layer};

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Grow {
    /// Returns an expression of a type other than [`Ty::Nothing`].
    pub(super) fn expr(&mut self, ty: Ty, depth: u32) -> Node {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 {
            return self.leaf(ty);
        }
        let roll = self.below(100);
        match ty {
            Ty::Sure | Ty::Move | Ty::View => self.leaf(ty),
            Ty::List if roll < 40 => self.new_list(depth),
            _ if ty == self.elements && roll < 12 && self.has(Ty::List) => self.element(depth),
            Ty::Int if roll < 4 && self.has(Ty::List) => self.of_list("len", ty),
            Ty::Bool if roll < 6 && self.has(Ty::List) => self.of_list("is_empty", ty),
            Ty::Seat => self.seat(depth),
            _ if roll < 12 => self.compound(ty, depth),
            _ if roll < 22 => match self.call(ty, depth) {
                Some(call) => call,
                None => self.leaf(ty),
            },
            _ if roll < 40 => self.leaf(ty),
            Ty::Int if roll < 65 => self.arithmetic(depth),
            Ty::Int if roll < 75 => self.built_in(depth),
            Ty::Bool if roll < 65 => self.comparison(depth),
            Ty::Bool if roll < 80 => self.logic(depth),
            Ty::Any if roll < 90 => {
                let ty = self.pick(&[Ty::Int, Ty::Bool, Ty::Card]);
                self.expr(ty, depth - 1)
            }
            Ty::Any if self.mixed => self.beyond(),
            Ty::MaybeMove if roll < 70 => self.compound(ty, depth),
            Ty::Int | Ty::Bool | Ty::Card => self.named(ty, depth),
            _ => self.leaf(ty),
        }
    }

    /// Returns an expression without subexpressions.
    pub(super) fn leaf(&mut self, ty: Ty) -> Node {
        if let Some(variable) = self.variable(ty)
            && (self.chance(70) || matches!(ty, Ty::Sure | Ty::Move | Ty::View | Ty::Seat))
        {
            return variable;
        }
        match ty {
            Ty::Int | Ty::Bool if self.chance(60) && (self.has(Ty::View) || self.has(Ty::Move)) => {
                self.property(ty)
            }
            Ty::Int if self.chance(15) => Node::var(&self.place(), ty),
            Ty::Int => {
                let limits = self.risk > 0;
                Node::int(self.number(limits))
            }
            Ty::Bool if self.chance(60) && self.has(Ty::Int) => {
                let op = self.pick(&COMPARISONS);
                let number = self.number(false);
                Grow::binary(op, ty, self.leaf(Ty::Int), Node::int(number))
            }
            Ty::Bool => Node::new(What::Bool(self.chance(50)), ty, vec![]),
            Ty::Card if self.has(Ty::Sure) && self.chance(40) => self.leaf(Ty::Sure),
            Ty::Card if self.has(Ty::View) && self.chance(90) => self.named(ty, 0),
            Ty::MaybeMove if self.has(Ty::Move) && self.chance(70) => self.leaf(Ty::Move),
            Ty::Seat if self.has(Ty::View) => self.seat(0),
            Ty::List => self.new_list(0),
            Ty::Any => {
                let ty = self.pick(&[Ty::Int, Ty::Bool, Ty::Card]);
                self.leaf(ty)
            }
            _ => Node::unit(ty),
        }
    }

    /// Returns an operand for an operation with restricted types.
    pub(super) fn operand(&mut self, ty: Ty, depth: u32) -> Node {
        if self.errs() {
            self.misfit(ty, &[Ty::Int, Ty::Bool, Ty::Card, Ty::Any, Ty::Move])
        } else {
            self.expr(ty, depth)
        }
    }

    /// Returns a value of one of these types that differs from the wanted one. Not a constant: the parser would detect
    /// the error.
    pub(super) fn misfit(&mut self, wanted: Ty, of: &[Ty]) -> Node {
        for _ in 0..9 {
            let ty = self.pick(of);
            if ty == wanted {
                continue;
            }
            let node = self.expr(ty, 1);
            if !matches!(node.what, What::Int(_) | What::Bool(_) | What::Unit | What::Raw(_) | What::Unary(_))
            {
                return node;
            }
        }
        self.leaf(wanted)
    }

    fn binary(op: &'static str, ty: Ty, left: Node, right: Node) -> Node {
        Node::new(What::Binary(op), ty, vec![left, right])
    }

    fn arithmetic(&mut self, depth: u32) -> Node {
        let op = self
            .pick(&["+", "+", "+", "-", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "neg", "abs"]);
        match op {
            "neg" => return Node::new(What::Unary("-"), Ty::Int, vec![self.operand(Ty::Int, depth - 1)]),
            "/" | "%" if !self.errs() => {
                let by = self.pick(&[1, 2, 3, 4, 5, 7, 10, 13, -2, -3, 64]);
                return Grow::binary(op, Ty::Int, self.operand(Ty::Int, depth - 1), Node::int(by));
            }
            "**" if !self.errs() => {
                let to = self.pick(&[0, 1, 2, 2, 3]);
                return Grow::binary(op, Ty::Int, self.operand(Ty::Int, depth - 1), Node::int(to));
            }
            "<<" | ">>" => {
                let by = if self.chance(60) {
                    Node::int(self.pick(&[0, 1, 2, 3, 8, 13, 31, 63, 64, 70, -1, -4, -64]))
                } else {
                    self.operand(Ty::Int, depth - 1)
                };
                return Grow::binary(op, Ty::Int, self.operand(Ty::Int, depth - 1), by);
            }
            "abs" => return self.built_in(depth),
            _ => {}
        }
        if self.chance(10)
            && let Some(busy) = self.busy(op, depth)
        {
            return busy;
        }
        let limits = self.errs();
        let (mut left, mut right) = (self.expr(Ty::Int, depth - 1), self.operand(Ty::Int, depth - 1));
        if limits {
            // Two numbers whose sum overflows.
            left = Node::int(self.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1]));
        }
        if self.chance(50) {
            std::mem::swap(&mut left, &mut right);
        }
        Grow::binary(op, Ty::Int, left, right)
    }

    /// Returns a variable, and a block that changes it while it is an operand: `x + { x = 5; 1 }`, or the reverse.
    pub(super) fn busy(&mut self, op: &'static str, depth: u32) -> Option<Node> {
        let open = self.seen(|local| local.ty == Ty::Int && !local.fixed);
        if open.is_empty() {
            return None;
        }
        let name = self.pick(&open).name;
        let by = self.pick(&["=", "+=", "-="]);
        let set = Node::new(What::Assign(name.clone(), by), Ty::Nothing, vec![self.expr(Ty::Int, depth - 1)]);
        let value = self.expr(Ty::Int, depth - 1);
        let block = Node::new(What::Block(false), Ty::Int, vec![set, value]);
        let kids = if self.chance(70) {
            vec![Node::var(&name, Ty::Int), block]
        } else {
            vec![block, Node::var(&name, Ty::Int)]
        };
        let what = match self.below(4) {
            0 => What::Call("max".into()),
            1 => What::Method("min".into()),
            _ => What::Binary(op),
        };
        Some(Node::new(what, Ty::Int, kids))
    }

    /// Returns a call of `min`, `max` or `abs`, in either style.
    fn built_in(&mut self, depth: u32) -> Node {
        let name = self.pick(&["min", "max", "abs"]);
        let mut kids = vec![self.operand(Ty::Int, depth - 1)];
        if name != "abs" {
            kids.push(self.operand(Ty::Int, depth - 1));
        }
        let what = if self.chance(50) { What::Call(name.into()) } else { What::Method(name.into()) };
        Node::new(what, Ty::Int, kids)
    }

    pub(super) fn comparison(&mut self, depth: u32) -> Node {
        let (equal, any) = (self.pick(&COMPARISONS[..2]), self.pick(&COMPARISONS));
        let (op, left, right) = match self.below(20) {
            0..10 => (any, Ty::Int, Ty::Int),
            10..13 => (equal, Ty::Card, Ty::Card),
            13 => (any, Ty::Card, Ty::Card),
            14 if self.has(Ty::Move) => (equal, Ty::Move, Ty::MaybeMove),
            14 => (equal, Ty::Bool, Ty::Bool),
            15 => (any, Ty::Bool, Ty::Bool),
            16 => (any, Ty::Any, Ty::Any),
            17 => {
                let all = [Ty::Int, Ty::Bool, Ty::Card, Ty::Any];
                (any, self.pick(&all), self.pick(&all))
            }
            18 if self.errs() && self.has(Ty::Move) => (any, Ty::Move, Ty::Move),
            18 if self.errs() && self.has(Ty::View) => (any, Ty::View, Ty::View),
            18 if self.errs() && self.has(Ty::View) => (any, Ty::Seat, Ty::Seat),
            _ => {
                let card = self.expr(Ty::Card, depth - 1);
                return Grow::binary(equal, Ty::Bool, card, Node::unit(Ty::Card));
            }
        };
        Grow::binary(op, Ty::Bool, self.expr(left, depth - 1), self.expr(right, depth - 1))
    }

    fn logic(&mut self, depth: u32) -> Node {
        let op = self.pick(&["&&", "&&", "||", "||", "!", "^", "&", "|"]);
        if op == "!" {
            return Node::new(What::Unary(op), Ty::Bool, vec![self.operand(Ty::Bool, depth - 1)]);
        }
        if op.len() == 2
            && self.chance(40)
            && let Some(card) = self.variable(Ty::Card)
        {
            // `c != () && c.red`, `c == () || c.red`
            let test = if op == "&&" { "!=" } else { "==" };
            let test = Grow::binary(test, Ty::Bool, card.clone(), Node::unit(Ty::Card));
            let right = self.knowing(&card, |grow| grow.operand(Ty::Bool, depth - 1));
            return Grow::binary(op, Ty::Bool, test, right);
        }
        Grow::binary(op, Ty::Bool, self.operand(Ty::Bool, depth - 1), self.operand(Ty::Bool, depth - 1))
    }

    /// Grows a node where a card is known to be present.
    fn knowing<T>(&mut self, card: &Node, grow: impl FnOnce(&mut Grow) -> T) -> T {
        let before = self.scope.len();
        if let What::Var(name) = &card.what {
            self.declare(name, Ty::Sure, true);
        }
        let grown = grow(self);
        self.scope.truncate(before);
        grown
    }

    /// Returns an `if`, `switch`, block or loop as a value.
    fn compound(&mut self, ty: Ty, depth: u32) -> Node {
        match self.below(11) {
            10 if matches!(ty, Ty::Int | Ty::Bool) => self.asked_twice(ty, depth),
            0..3 => self.choice(ty, depth),
            3..5 => match self.variable(Ty::Card) {
                Some(card) => {
                    let test = Grow::binary("!=", Ty::Bool, card.clone(), Node::unit(Ty::Card));
                    let there = self.knowing(&card, |grow| grow.block(ty, depth - 1));
                    Node::new(What::If, ty, vec![test, there, self.block(ty, depth - 1)])
                }
                None => self.choice(ty, depth),
            },
            5..8 => self.switch(ty, depth),
            8 => self.block(ty, depth - 1),
            _ => self.search(ty, depth),
        }
    }

    /// `if m.card != () { m.card.rank } else { .. }`
    fn asked_twice(&mut self, ty: Ty, depth: u32) -> Node {
        let card = self.named(Ty::Card, 0);
        let test = Grow::binary("!=", Ty::Bool, card.clone(), Node::unit(Ty::Card));
        let of_cards = NAMES.iter().filter(|name| name.owner == Ty::Sure && name.returns == Some(ty));
        let word = self.pick(&of_cards.collect::<Vec<_>>()).word.clone();
        let there = Node::new(What::Get(word), ty, vec![card]);
        let there = Node::new(What::Block(false), ty, vec![there]);
        Node::new(What::If, ty, vec![test, there, self.block(ty, depth - 1)])
    }

    /// Returns an `if` with its final `else`.
    pub(super) fn choice(&mut self, ty: Ty, depth: u32) -> Node {
        let condition = self.operand(Ty::Bool, depth - 1);
        let block = self.block(ty, depth - 1);
        let mut kids = vec![condition, block];
        let may_miss = matches!(ty, Ty::Nothing | Ty::Any | Ty::Card | Ty::MaybeMove);
        match self.below(4) {
            0 if may_miss => {}
            1 if depth > 1 => kids.push(self.choice(ty, depth - 1)),
            _ => kids.push(self.block(ty, depth - 1)),
        }
        Node::new(What::If, ty, kids)
    }

    pub(super) fn switch(&mut self, ty: Ty, depth: u32) -> Node {
        let on = self.pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Any, Ty::Any, Ty::Bool, Ty::Card]);
        let mut value = self.expr(on, depth - 1);
        if on == Ty::Int && self.chance(60) {
            // Small, so that cases match.
            let small = self.pick(&[3, 5, 9, 14]);
            value = Grow::binary("%", Ty::Int, value, Node::int(small));
        }
        let mut kids = vec![value];
        let mut ranges = false;
        for _ in 0..self.below(5) {
            let cases = self.cases(on, &mut ranges);
            let mut arm = Vec::new();
            if self.chance(30) {
                arm.push(self.operand(Ty::Bool, depth - 1));
            }
            arm.push(self.arm(ty, depth));
            kids.push(Node::new(What::Arm(cases), ty, arm));
        }
        let may_miss = matches!(ty, Ty::Nothing | Ty::Any | Ty::Card | Ty::MaybeMove);
        if !may_miss || self.chance(60) {
            let arm = self.arm(ty, depth);
            kids.push(Node::new(What::Arm(vec![]), ty, vec![arm]));
        }
        Node::new(What::Switch, ty, kids)
    }

    fn arm(&mut self, ty: Ty, depth: u32) -> Node {
        if ty == Ty::Nothing || self.chance(40) {
            self.block(ty, depth - 1)
        } else {
            self.expr(ty, depth - 1)
        }
    }

    /// Returns the cases of an arm. A single number must not follow a range.
    fn cases(&mut self, on: Ty, ranges: &mut bool) -> Vec<Case> {
        let mut cases = Vec::new();
        for _ in 0..self.pick(&[1, 1, 2, 3]) {
            let kind = match on {
                Ty::Any => self.below(8),
                Ty::Bool => 6,
                Ty::Card => 7,
                _ => self.below(6),
            };
            cases.push(match kind {
                0..3 if !*ranges => Case::Int(self.number(true).max(-i64::MAX)),
                0..6 => {
                    *ranges = true;
                    let from = self.number(false);
                    let to = from + [0, 1, 2, 3, 5, 9, 40, -2][self.below(8)];
                    Case::Range(from, to, self.chance(50))
                }
                6 => Case::Bool(self.chance(50)),
                _ => Case::Unit,
            });
        }
        cases
    }

    /// Returns a call of one of the script's own functions.
    pub(super) fn call(&mut self, ty: Ty, depth: u32) -> Option<Node> {
        let layer = self.signatures.get(self.here).map_or(Layer::Top, |signature| signature.layer);
        let here = self.here;
        // The entry comes after all others, but calls them all.
        let first = if here == self.signatures.len() { 0 } else { here + 1 };
        let calls: Vec<usize> = (0..self.signatures.len())
            .filter(|&i| {
                let other = &self.signatures[i];
                let open = match other.layer {
                    Layer::CountsDown => layer != Layer::Leaf && (self.counted < 2 && self.loops == 0),
                    _ => i >= first && (self.loops < 2 || other.layer == Layer::Leaf),
                };
                open && other.returns == ty
                    && other.parameters.iter().all(|(_, ty)| match ty {
                        Ty::Sure | Ty::View => self.has(*ty),
                        Ty::Move => self.has(Ty::Move),
                        Ty::Seat => self.has(Ty::View) || self.has(Ty::Seat),
                        _ => true,
                    })
            })
            .collect();
        if calls.is_empty() {
            return None;
        }
        let called = self.pick(&calls);
        let called = self.signatures[called].clone();
        let down = layer == Layer::CountsDown && called.layer == Layer::CountsDown;
        self.counted += u32::from(called.layer == Layer::CountsDown);
        let mut kids = Vec::new();
        for (name, ty) in &called.parameters {
            kids.push(if name == COUNT && called.layer == Layer::CountsDown {
                match down {
                    true => Grow::binary("-", Ty::Int, Node::var(COUNT, Ty::Int), Node::int(1)),
                    false => Node::int(self.below(4) as i64),
                }
            } else if self.errs() {
                // Not cards: two of them make a text, which is not a fault.
                self.misfit(*ty, &[Ty::Int, Ty::Bool])
            } else {
                self.expr(*ty, depth.saturating_sub(1))
            });
        }
        Some(Node::new(What::Call(called.name), ty, kids))
    }

    /// Returns values that are not compiled.
    fn beyond(&mut self) -> Node {
        let text =
            self.pick(&["\"text\"", "[[1], 2]", "1.5", "'x'", "#{ a: 1 }", "\"text\".len()", "[3, 4][1]"]);
        Node::new(What::Raw(text.into()), Ty::Any, vec![])
    }
}
