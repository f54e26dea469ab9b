//! Expressions of a given type.

use super::super::super::support::names::NAMES;
use super::{COUNT, Grow, Layer, Ty, asked, binary, call, condition_of, either, part};

const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

impl Grow {
    /// Returns an expression of a type other than [`Ty::Nothing`].
    pub(super) fn expr(&mut self, ty: Ty, depth: u32) -> String {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 {
            return self.leaf(ty);
        }
        let roll = self.below(100);
        match ty {
            Ty::Sure | Ty::Move | Ty::View => self.leaf(ty),
            Ty::List if roll < 40 => self.new_list(depth),
            _ if ty == self.elements && roll < 12 && self.has(Ty::List) => self.element(depth),
            Ty::Int if roll < 4 && self.has(Ty::List) => self.of_list("len"),
            Ty::Bool if roll < 6 && self.has(Ty::List) => self.of_list("is_empty"),
            Ty::Seat => self.seat(depth),
            _ if roll < 12 => self.compound(ty, depth),
            _ if roll < 22 => match self.call(ty, depth) {
                Some(call) => call,
                None => self.leaf(ty),
            },
            _ if roll < 40 => self.leaf(ty),
            Ty::Int if roll < 50 && self.ahead && self.has(Ty::View) => self.looking_ahead(depth),
            Ty::Int if roll < 65 => self.arithmetic(depth),
            Ty::Int if roll < 75 => self.built_in(depth),
            Ty::Bool if roll < 65 => self.comparison(depth),
            Ty::Bool if roll < 80 => self.logic(depth),
            Ty::Any if roll < 90 => {
                let ty = self.pick(&[Ty::Int, Ty::Bool, Ty::Card]);
                self.expr(ty, depth - 1)
            }
            // What is not compiled.
            Ty::Any if self.mixed => self
                .pick(&["\"text\"", "[[1], 2]", "1.5", "'x'", "#{ a: 1 }", "\"text\".len()", "[3, 4][1]"])
                .into(),
            Ty::MaybeMove if roll < 70 => self.compound(ty, depth),
            Ty::Int | Ty::Bool | Ty::Card => self.named(ty, depth),
            _ => self.leaf(ty),
        }
    }

    /// Returns an expression without subexpressions.
    pub(super) fn leaf(&mut self, ty: Ty) -> String {
        if let Some(variable) = self.variable(ty)
            && (self.chance(70) || matches!(ty, Ty::Sure | Ty::Move | Ty::View | Ty::Seat))
        {
            return variable;
        }
        match ty {
            Ty::Int | Ty::Bool if self.chance(60) && (self.has(Ty::View) || self.has(Ty::Move)) => {
                self.property(ty)
            }
            Ty::Int if self.memory && self.chance(15) => self.place(),
            Ty::Int => {
                let limits = self.risk > 0;
                self.number(limits).to_string()
            }
            Ty::Bool if self.chance(60) && self.has(Ty::Int) => {
                let (op, number) = (self.pick(&COMPARISONS), self.number(false).to_string());
                binary(op, &self.leaf(Ty::Int), &number)
            }
            Ty::Bool => self.chance(50).to_string(),
            Ty::Card if self.has(Ty::Sure) && self.chance(40) => self.leaf(Ty::Sure),
            Ty::Card if self.has(Ty::View) && self.chance(90) => self.named(ty, 0),
            Ty::MaybeMove if self.has(Ty::Move) && self.chance(70) => self.leaf(Ty::Move),
            Ty::Seat if self.has(Ty::View) => self.seat(0),
            Ty::List => self.new_list(0),
            Ty::Any => {
                let ty = self.pick(&[Ty::Int, Ty::Bool, Ty::Card]);
                self.leaf(ty)
            }
            _ => "()".into(),
        }
    }

    /// Returns an operand for an operation with restricted types.
    pub(super) fn operand(&mut self, ty: Ty, depth: u32) -> String {
        if self.errs() {
            self.misfit(ty, &[Ty::Int, Ty::Bool, Ty::Card, Ty::Any, Ty::Move])
        } else {
            self.expr(ty, depth)
        }
    }

    /// Returns a value of one of these types that differs from the wanted one. Not a constant: the parser would detect
    /// the error.
    pub(super) fn misfit(&mut self, wanted: Ty, of: &[Ty]) -> String {
        for _ in 0..9 {
            let ty = self.pick(of);
            if ty == wanted {
                continue;
            }
            let text = self.expr(ty, 1);
            let constant = matches!(text.as_str(), "true" | "false" | "()")
                || text.starts_with(|c: char| c.is_ascii_digit() || "-!\"'#[".contains(c));
            if !constant {
                return text;
            }
        }
        self.leaf(wanted)
    }

    fn arithmetic(&mut self, depth: u32) -> String {
        let op = self
            .pick(&["+", "+", "+", "-", "-", "*", "/", "%", "**", "<<", ">>", "&", "|", "^", "neg", "abs"]);
        let by = match op {
            "neg" => return format!("-{}", part(&self.operand(Ty::Int, depth - 1))),
            "abs" => return self.built_in(depth),
            "/" | "%" if !self.errs() => Some(self.pick(&[1, 2, 3, 4, 5, 7, 10, 13, -2, -3, 64])),
            "**" if !self.errs() => Some(self.pick(&[0, 1, 2, 2, 3])),
            "<<" | ">>" if self.chance(60) => {
                Some(self.pick(&[0, 1, 2, 3, 8, 13, 31, 63, 64, 70, -1, -4, -64]))
            }
            _ => None,
        };
        if let Some(by) = by {
            return binary(op, &self.operand(Ty::Int, depth - 1), &by.to_string());
        }
        if self.chance(10)
            && let Some(busy) = self.busy(op, depth)
        {
            return busy;
        }
        let (mut left, mut right) = (self.expr(Ty::Int, depth - 1), self.operand(Ty::Int, depth - 1));
        if self.errs() {
            // Two numbers whose sum overflows.
            left = self.pick(&[i64::MAX, i64::MAX - 1, i64::MIN + 1]).to_string();
        }
        if self.chance(50) {
            std::mem::swap(&mut left, &mut right);
        }
        binary(op, &left, &right)
    }

    /// Returns a variable, and a block that changes it while it is an operand: `x + { x = 5; 1 }`, or the reverse.
    pub(super) fn busy(&mut self, op: &str, depth: u32) -> Option<String> {
        let open = self.seen(|local| local.ty == Ty::Int && !local.fixed);
        if open.is_empty() {
            return None;
        }
        let name = self.pick(&open).name;
        let by = self.pick(&["=", "+=", "-="]);
        let (set, value) = (self.expr(Ty::Int, depth - 1), self.expr(Ty::Int, depth - 1));
        let mut operands = [name.clone(), format!("{{\n{name} {by} {set};\n{value}\n}}")];
        if self.chance(30) {
            operands.reverse();
        }
        let [a, b] = &operands;
        Some(match self.below(4) {
            0 => call("max", &operands),
            1 => asked(a, &call("min", std::slice::from_ref(b))),
            _ => binary(op, a, b),
        })
    }

    /// Returns a call of `min`, `max` or `abs`, in either style.
    fn built_in(&mut self, depth: u32) -> String {
        let name = self.pick(&["min", "max", "abs"]);
        let mut given = vec![self.operand(Ty::Int, depth - 1)];
        if name != "abs" {
            given.push(self.operand(Ty::Int, depth - 1));
        }
        if self.chance(50) { call(name, &given) } else { asked(&given[0], &call(name, &given[1..])) }
    }

    fn comparison(&mut self, depth: u32) -> String {
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
            _ => return binary(equal, &self.expr(Ty::Card, depth - 1), "()"),
        };
        binary(op, &self.expr(left, depth - 1), &self.expr(right, depth - 1))
    }

    fn logic(&mut self, depth: u32) -> String {
        let op = self.pick(&["&&", "&&", "||", "||", "!", "^", "&", "|"]);
        if op == "!" {
            return format!("!{}", part(&self.operand(Ty::Bool, depth - 1)));
        }
        let known = if op.len() == 2 && self.chance(40) { self.variable(Ty::Card) } else { None };
        if let Some(card) = known {
            // `c != () && c.red`, `c == () || c.red`
            let test = if op == "&&" { "!=" } else { "==" };
            let right = self.knowing(&card, |grow| grow.operand(Ty::Bool, depth - 1));
            return binary(op, &format!("{card} {test} ()"), &right);
        }
        let logic = binary(op, &self.operand(Ty::Bool, depth - 1), &self.operand(Ty::Bool, depth - 1));
        // The parser reads `a && b && c` as one node.
        let more = op.len() == 2 && self.chance(20);
        if more { format!("{logic} {op} {}", part(&self.operand(Ty::Bool, depth - 1))) } else { logic }
    }

    /// Grows something where a card is known to be present.
    fn knowing(&mut self, card: &str, grow: impl FnOnce(&mut Grow) -> String) -> String {
        self.scoped(|inner| {
            inner.declare(card, Ty::Sure, true);
            grow(inner)
        })
    }

    /// Returns an `if`, `switch`, block or loop as a value.
    fn compound(&mut self, ty: Ty, depth: u32) -> String {
        match self.below(11) {
            10 if matches!(ty, Ty::Int | Ty::Bool) => {
                // `if m.card != () { m.card.rank } else { .. }`
                let card = self.named(Ty::Card, 0);
                let of_cards = NAMES.iter().filter(|name| name.owner == Ty::Sure && name.returns == Some(ty));
                let word = &self.pick(&of_cards.collect::<Vec<_>>()).word;
                let other = self.expr(ty, depth - 1);
                either(&binary("!=", &card, "()"), &asked(&card, word), &other)
            }
            3..5 if self.has(Ty::Card) => {
                let card = self.variable(Ty::Card).unwrap();
                let there = self.knowing(&card, |grow| grow.block(ty, depth - 1));
                format!("if {card} != () {there} else {}", self.block(ty, depth - 1))
            }
            0..5 => self.choice(ty, depth),
            5..8 => self.switch(ty, depth),
            8 => self.block(ty, depth - 1),
            _ => self.search(ty, depth),
        }
    }

    /// Returns an `if` with its final `else`.
    pub(super) fn choice(&mut self, ty: Ty, depth: u32) -> String {
        let condition = condition_of(&self.operand(Ty::Bool, depth - 1));
        let yes = self.block(ty, depth - 1);
        let may_miss = matches!(ty, Ty::Nothing | Ty::Any | Ty::Card | Ty::MaybeMove);
        let other = match self.below(4) {
            0 if may_miss => return format!("if {condition} {yes}"),
            1 if depth > 1 => self.choice(ty, depth - 1),
            _ => self.block(ty, depth - 1),
        };
        format!("if {condition} {yes} else {other}")
    }

    pub(super) fn switch(&mut self, ty: Ty, depth: u32) -> String {
        let on = self.pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Any, Ty::Any, Ty::Bool, Ty::Card]);
        let mut value = self.expr(on, depth - 1);
        if on == Ty::Int && self.chance(60) {
            // Small, so that cases match.
            value = binary("%", &value, self.pick(&["3", "5", "9", "14"]));
        }
        let mut text = format!("switch {} {{\n", part(&value));
        let mut ranges = false;
        for _ in 0..self.below(5) {
            let cases = self.cases(on, &mut ranges);
            let condition = match self.chance(30) {
                true => format!(" if {}", part(&self.operand(Ty::Bool, depth - 1))),
                false => String::new(),
            };
            text += &format!("{cases}{condition} => {},\n", self.arm(ty, depth));
        }
        let may_miss = matches!(ty, Ty::Nothing | Ty::Any | Ty::Card | Ty::MaybeMove);
        if !may_miss || self.chance(60) {
            text += &format!("_ => {},\n", self.arm(ty, depth));
        }
        text + "}"
    }

    fn arm(&mut self, ty: Ty, depth: u32) -> String {
        if ty == Ty::Nothing || self.chance(40) {
            self.block(ty, depth - 1)
        } else {
            self.expr(ty, depth - 1)
        }
    }

    /// Returns the cases of an arm. A single number must not follow a range.
    fn cases(&mut self, on: Ty, ranges: &mut bool) -> String {
        let mut cases = Vec::new();
        for _ in 0..self.pick(&[1, 1, 2, 3]) {
            let kind = match on {
                Ty::Any => self.below(8),
                Ty::Bool => 6,
                Ty::Card => 7,
                _ => self.below(6),
            };
            cases.push(match kind {
                0..3 if !*ranges => self.number(true).to_string(),
                0..6 => {
                    *ranges = true;
                    let from = self.number(false);
                    let to = from + self.pick(&[0, 1, 2, 3, 5, 9, 40, -2]);
                    format!("{from}{}{to}", self.pick(&["..", "..="]))
                }
                6 => self.chance(50).to_string(),
                _ => "()".into(),
            });
        }
        cases.join(" | ")
    }

    /// Returns a call of one of the script's own functions.
    pub(super) fn call(&mut self, ty: Ty, depth: u32) -> Option<String> {
        let here = self.here;
        let layer = self.signatures.get(here).map_or(Layer::Top, |signature| signature.layer);
        // The entry comes after all others, but calls them all.
        let first = if here == self.signatures.len() { 0 } else { here + 1 };
        let open = |&i: &usize| {
            let other = &self.signatures[i];
            let open = match other.layer {
                Layer::CountsDown => layer != Layer::Leaf && (self.counted < 2 && self.loops == 0),
                _ => i >= first && (self.loops < 2 || other.layer == Layer::Leaf),
            };
            open && other.returns == ty
                && other.parameters.iter().all(|(_, ty)| match ty {
                    Ty::Sure | Ty::View | Ty::Move => self.has(*ty),
                    Ty::Seat => self.has(Ty::View) || self.has(Ty::Seat),
                    _ => true,
                })
        };
        let calls: Vec<usize> = (0..self.signatures.len()).filter(open).collect();
        if calls.is_empty() {
            return None;
        }
        let called = self.pick(&calls);
        let called = self.signatures[called].clone();
        let counts = called.layer == Layer::CountsDown;
        self.counted += u32::from(counts);
        let mut given = Vec::new();
        for (name, ty) in &called.parameters {
            given.push(match name.as_str() {
                COUNT if counts && layer == Layer::CountsDown => format!("{COUNT} - 1"),
                COUNT if counts => self.below(4).to_string(),
                // Not cards: two of them make a text, which is not a fault.
                _ if self.errs() => self.misfit(*ty, &[Ty::Int, Ty::Bool]),
                _ => self.expr(*ty, depth.saturating_sub(1)),
            });
        }
        Some(call(&called.name, &given))
    }

    /// Returns a list literal.
    fn new_list(&mut self, depth: u32) -> String {
        let number = if depth == 0 { self.below(2) } else { self.pick(&[0, 1, 2, 3, 3, 5]) };
        let depth = depth.saturating_sub(1).min(2);
        let elements: Vec<String> = (0..number).map(|_| self.expr(self.elements, depth)).collect();
        format!("[{}]", elements.join(", "))
    }

    /// Returns a property of a list, in either style.
    fn of_list(&mut self, word: &str) -> String {
        let list = self.variable(Ty::List).unwrap_or("[]".into());
        format!("{list}.{word}{}", self.pick(&["", "()"]))
    }

    /// Returns an index within a list, if it has elements.
    pub(super) fn place_in(&mut self, list: &str, depth: u32) -> String {
        match self.below(4) {
            0 => "0".into(),
            1 => "-1".into(),
            _ => {
                let any = self.expr(Ty::Int, depth.saturating_sub(1).min(2));
                format!("abs({} % {list}.len)", part(&any))
            }
        }
    }

    /// Returns an element, where there is one.
    fn element(&mut self, depth: u32) -> String {
        let ty = self.elements;
        let Some(list) = self.variable(Ty::List) else { return self.leaf(ty) };
        if self.errs() {
            // In a block, since a function that asks more of an element itself is interpreted.
            return format!("{{\n{list}[{}]\n}}", self.operand(Ty::Int, depth.min(1)));
        }
        let place = self.place_in(&list, depth);
        either(&format!("{list}.len > 0"), &format!("{list}[{place}]"), &self.leaf(ty))
    }
}
