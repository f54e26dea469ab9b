//! Blocks, statements and loops.

use super::{Grow, TOTAL, Ty, asked, binary, condition_of, either, part, when};

/// Maximum length of lists in valid scripts.
const LONGEST: i64 = 40;

/// Returns whether a statement ends with its own brace, so that no semicolon is needed.
fn is_closed(statement: &str) -> bool {
    ["if ", "switch ", "while ", "loop ", "for ", "{"].iter().any(|word| statement.starts_with(word))
        && statement.ends_with('}')
}

impl Grow {
    /// Returns a block with a value of a type; [`Ty::Nothing`] for one whose value is not used.
    pub(super) fn block(&mut self, ty: Ty, depth: u32) -> String {
        self.scoped(|grow| {
            let mut kids = Vec::new();
            let value = grow.statements(&mut kids, ty, depth);
            grow.braced(kids, value)
        })
    }

    /// Adds the statements of a block, and returns its value.
    pub(super) fn statements(&mut self, out: &mut Vec<String>, ty: Ty, depth: u32) -> Option<String> {
        if depth > 0 {
            let most = if ty == Ty::Nothing { 1 + self.below(3) } else { self.pick(&[0, 0, 1, 2, 3]) };
            // The outermost block of a function is the longest.
            let most = if depth == 5 { most + 1 + self.below(4) } else { most };
            for _ in 0..most {
                if self.fuel > 0 {
                    self.statement(out, depth - 1);
                }
            }
        }
        if self.chance(if ty == Ty::Nothing { 60 } else { 15 }) {
            self.keep(out);
        }
        (ty != Ty::Nothing).then(|| self.expr(ty, depth))
    }

    /// Writes a block; sometimes with a semicolon after its value, which is then lost.
    pub(super) fn braced(&mut self, mut kids: Vec<String>, value: Option<String>) -> String {
        let (bare_end, semicolon) = (value.is_some(), self.chance(25));
        kids.extend(value);
        let mut text = String::from("{\n");
        for (i, kid) in kids.iter().enumerate() {
            let last = i + 1 == kids.len();
            let bare = if last { !semicolon && (bare_end || is_closed(kid)) } else { is_closed(kid) };
            text += &format!("{kid}{}\n", if bare { "" } else { ";" });
        }
        text + "}"
    }

    fn statement(&mut self, out: &mut Vec<String>, depth: u32) {
        self.fuel -= 1;
        let statement = match self.below(51) {
            46.. => return self.list_statement(out, depth),
            40.. => return self.keep(out),
            0..11 => return self.define(out, depth),
            11..18 => return self.assign(out, depth),
            18..23 => self.choice(Ty::Nothing, depth + 1),
            23..25 => return self.test_card(out, depth),
            25 => self.switch(Ty::Nothing, depth + 1),
            26..29 => {
                let name = self.new_name();
                out.push(format!("let {name} = 0"));
                self.declare(&name, Ty::Int, true);
                self.rounds(&name, Ty::Nothing, depth)
            }
            29..32 => self.for_loop(depth),
            32..34 => when(&self.operand(Ty::Bool, depth.min(2)), &self.jump(depth)),
            34 => self.block(Ty::Nothing, depth),
            35 => self.expr(Ty::Bool, depth),
            36 => self.expr(Ty::Any, depth),
            37 if self.errs() => self.endless(depth),
            _ => {
                let ty = self.pick(&[Ty::Nothing, Ty::Nothing, Ty::Int, Ty::Bool]);
                let Some(call) = self.call(ty, depth) else { return };
                call
            }
        };
        out.push(statement);
    }

    fn define(&mut self, out: &mut Vec<String>, depth: u32) {
        use Ty::{Any, Bool, Card, Int, List, MaybeMove, Seat};
        let name = self.new_name();
        let mut ty =
            self.pick(&[Int, Int, Int, Bool, Bool, Card, Card, Card, Any, MaybeMove, Seat, List, List]);
        if ty == Seat && !self.has(Ty::View) {
            ty = Card;
        }
        let may_be_none = matches!(ty, Card | Any | MaybeMove);
        out.push(if may_be_none && self.chance(25) {
            format!("let {name}")
        } else {
            format!("let {name} = {}", self.expr(ty, depth))
        });
        self.declare(&name, ty, false);
    }

    /// Returns an element of `memory`, with an index that may depend on a number.
    pub(super) fn place(&mut self) -> String {
        match self.variable(Ty::Int) {
            Some(name) if self.chance(30) => format!("memory[{name} & {}]", self.pick(&[3, 7, 63])),
            _ if self.errs() => self.pick(&["memory[64]", "memory[-1]", "memory[63]"]).into(),
            _ => format!("memory[{}]", self.below(4)),
        }
    }

    fn assign(&mut self, out: &mut Vec<String>, depth: u32) {
        if self.chance(15) {
            let (place, op) = (self.place(), self.pick(&["=", "=", "+=", "-=", "^=", "|="]));
            return out.push(format!("{place} {op} {}", self.operand(Ty::Int, depth)));
        }
        let open = self
            .seen(|local| !local.fixed && !matches!(local.ty, Ty::View | Ty::Nothing | Ty::Sure | Ty::Move));
        if open.is_empty() {
            return self.define(out, depth);
        }
        let local = self.pick(&open);
        let ops = ["+=", "+=", "+=", "-=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^="];
        let (op, value) = match local.ty {
            Ty::Int if self.chance(70) => {
                let op = self.pick(&ops);
                let value = match op {
                    "/=" | "%=" if !self.errs() => self.pick(&[1, 2, 3, 5, 13, -2]).to_string(),
                    "**=" if !self.errs() => self.below(3).to_string(),
                    "+=" | "-=" if self.chance(15) => match self.busy("+", depth.max(1)) {
                        Some(busy) => busy,
                        None => self.operand(Ty::Int, depth),
                    },
                    "*=" if self.loops > 0 && !self.errs() => self.pick(&[-1, 2, 3]).to_string(),
                    _ => self.operand(Ty::Int, depth),
                };
                (op, value)
            }
            Ty::Bool if self.chance(50) => (self.pick(&["&=", "|=", "^="]), self.operand(Ty::Bool, depth)),
            Ty::Any if self.errs() => ("+=", self.expr(Ty::Int, depth)),
            ty => ("=", self.expr(ty, depth)),
        };
        out.push(format!("{} {op} {value}", local.name));
    }

    fn jump(&mut self, depth: u32) -> String {
        match self.below(if self.loops > 0 { 4 } else { 1 }) {
            0 => {
                let may_miss = matches!(self.returns, Ty::Card | Ty::Any | Ty::MaybeMove);
                if self.returns == Ty::Nothing || may_miss && self.chance(20) {
                    return "return".into();
                }
                format!("return {}", self.expr(self.returns, depth.min(2)))
            }
            1 | 2 => "break".into(),
            _ => "continue".into(),
        }
    }

    /// Adds `if c == () { return .. }`, after which the card is known to be present.
    fn test_card(&mut self, out: &mut Vec<String>, depth: u32) {
        let Some(card) = self.variable(Ty::Card) else { return self.define(out, depth) };
        out.push(when(&format!("{card} == ()"), &self.jump(depth)));
        self.declare(&card, Ty::Sure, true);
    }

    fn inside(&mut self, depth: u32) -> String {
        self.loops += 1;
        let block = self.block(Ty::Nothing, depth);
        self.loops -= 1;
        block
    }

    /// Returns a `for` over numbers, a list, or moves.
    fn for_loop(&mut self, depth: u32) -> String {
        let list = self.variable(Ty::List).filter(|_| self.chance(35) && self.loops < 2);
        let (over, ty) = match (list, self.variable(Ty::View)) {
            (Some(list), _) => (list, self.elements),
            _ if self.chance(15) => (self.steps(depth), Ty::Int),
            (_, Some(view)) if self.chance(35) && self.loops < 2 => (asked(&view, "moves"), Ty::Move),
            (_, view) => (self.range(view, depth), Ty::Int),
        };
        let name = self.new_name();
        let counter = self.chance(25).then(|| self.new_name()).filter(|counter| *counter != name);
        self.scoped(|grow| {
            let names = counter.map_or(name.clone(), |counter| {
                grow.declare(&counter, Ty::Int, false);
                format!("({name}, {counter})")
            });
            grow.declare(&name, ty, false);
            format!("for {names} in {over} {}", grow.inside(depth))
        })
    }

    fn range(&mut self, view: Option<String>, depth: u32) -> String {
        let dots = self.pick(&["..", "..="]);
        let last = self.pick(&["piles", "piles", "seats", "spaces", "waste_left"]);
        if let Some(view) = view.filter(|_| self.chance(50)) {
            return format!("1{dots}{}", asked(&view, last));
        }
        if self.errs() {
            return format!("0{dots}{}", part(&self.misfit(Ty::Int, &[Ty::Bool, Ty::Card, Ty::Any])));
        }
        let from = self.pick(&[0, 0, 1, 2, -3, 7, i64::MAX - 2, i64::MIN + 1]);
        let to = from.saturating_add(self.pick(&[0, 1, 2, 3, 4, 6, if from < -3 { 5 } else { -2 }]));
        let (mut from, mut to) = (from.to_string(), to.to_string());
        if self.chance(25) {
            (from, to) =
                (self.pick(&["0", "-2"]).into(), binary("%", &self.expr(Ty::Int, depth.min(1)), "5"));
        }
        format!("{}{dots}{}", part(&from), part(&to))
    }

    /// Returns a range with steps.
    fn steps(&mut self, depth: u32) -> String {
        let from: i64 = self.pick(&[0, 0, 1, -3, 7]);
        let to = from + self.pick(&[0, 1, 2, 5, 9, -4, -1]);
        let mut given = vec![from.to_string(), to.to_string()];
        if self.chance(30) {
            given[1] = binary("%", &self.expr(Ty::Int, depth.min(1)), "6");
            given[0] = self.pick(&["0", "-2", "3"]).into();
        }
        if self.chance(80) {
            let step = if self.errs() { 0 } else { self.pick(&[1, 2, 3, -1, -2, 100]) };
            given.push(step.to_string());
        }
        super::call("range", &given)
    }

    /// Returns a `while`, `do` or `loop` that counts a limited number of rounds in a variable.
    fn rounds(&mut self, name: &str, ty: Ty, depth: u32) -> String {
        let most = self.pick(&[0, 1, 2, 3, 5, 8]);
        let body = self.inside(depth);
        let body = |first: &str| body.replacen("{\n", &format!("{{\n{name} += 1;\n{first}"), 1);
        match if ty == Ty::Nothing { self.below(4) } else { 3 } {
            0 if self.chance(40) => {
                let more = self.operand(Ty::Bool, depth.min(2));
                format!(
                    "while {} {}",
                    condition_of(&binary("&&", &format!("{name} < {most}"), &more)),
                    body("")
                )
            }
            0 => format!("while {name} < {most} {}", body("")),
            1 => format!("do {} until ({name} >= {most})", body("")),
            2 => format!("do {} while ({name} < {most})", body("")),
            _ => {
                let value = if ty == Ty::Nothing { String::new() } else { self.expr(ty, depth.min(2)) };
                let out = when(&format!("{name} > {most}"), &format!("break {value}"));
                format!("loop {}", body(&format!("{out}\n")))
            }
        }
    }

    /// Returns a block with a loop that is left with a value, or over the moves for the best of them.
    pub(super) fn search(&mut self, ty: Ty, depth: u32) -> String {
        let view = self.variable(Ty::View).filter(|_| ty == Ty::MaybeMove && self.loops < 2);
        self.scoped(|grow| match view {
            Some(view) => {
                grow.declare("best", Ty::MaybeMove, true);
                grow.declare("high", Ty::Int, true);
                grow.declare("o", Ty::Move, true);
                grow.loops += 1;
                let worth = grow.expr(Ty::Int, depth);
                grow.loops -= 1;
                format!(
                    "{{\nlet best;\nlet high = -1;\nfor o in {} {{\nlet s = {worth};\nif s > high {{\nhigh = s;\n\
                     best = o;\n}}\n}}\nbest\n}}",
                    asked(&view, "moves"),
                )
            }
            None => {
                grow.declare("rounds", Ty::Int, true);
                format!("{{\nlet rounds = 0;\n{}\n}}", grow.rounds("rounds", ty, depth - 1))
            }
        })
    }

    /// Returns a loop that only the budget ends, or nearly so.
    fn endless(&mut self, depth: u32) -> String {
        let (condition, body) = (self.expr(Ty::Bool, depth.min(1)), self.inside(depth.min(1)));
        if self.chance(50) {
            format!("while {} {body}", condition_of(&condition))
        } else {
            format!("loop {body}")
        }
    }

    /// Adds a statement that changes a list.
    fn list_statement(&mut self, out: &mut Vec<String>, depth: u32) {
        let open = self.seen(|local| local.ty == Ty::List && !local.fixed);
        if open.is_empty() {
            let name = self.new_name();
            out.push(format!("let {name} = {}", self.expr(Ty::List, depth)));
            return self.declare(&name, Ty::List, false);
        }
        let (name, elements) = (self.pick(&open).name, self.elements);
        let (test, change) = match self.below(10) {
            0..4 => {
                let value = self.expr(elements, depth.min(2));
                (format!("{name}.len < {LONGEST}"), format!("{name}.push({value})"))
            }
            4 => return out.push(format!("{name}.pop()")),
            5 if self.chance(40) => return out.push(format!("{name}.clear()")),
            _ => {
                let place = self.place_in(&name, depth);
                let op = if elements == Ty::Int { self.pick(&["=", "+=", "-=", "|="]) } else { "=" };
                let value = self.expr(elements, depth.min(2));
                (format!("{name}.len > 0"), format!("{name}[{place}] {op} {value}"))
            }
        };
        out.push(if self.errs() { change } else { when(&test, &change) });
    }

    /// Lets a variable, or any value of the game, change the total, which stays small.
    fn keep(&mut self, out: &mut Vec<String>) {
        use Ty::{Any, Bool, Card, Int, List, MaybeMove, Move, Seat, Sure};
        if self.seen(|local| local.name == TOTAL).is_empty() {
            return;
        }
        let (name, ty) = if self.chance(45) && (self.has(Ty::View) || self.has(Move)) {
            let ty = self.pick(&[Int, Bool, Card]);
            out.push(format!("let seen = {}", self.named(ty, 1)));
            ("seen".to_string(), ty)
        } else {
            let kinds = [Int, Bool, Card, Sure, MaybeMove, Move, Any, Seat, List];
            let seen = self.seen(|local| kinds.contains(&local.ty) && local.name != TOTAL);
            if seen.is_empty() {
                return;
            }
            let local = self.pick(&seen);
            (local.name, local.ty)
        };
        let number = self.as_number(&name, ty);
        out.push(format!("{TOTAL} = ({TOTAL} * 3 + {}) % 10007", part(&number)));
    }

    /// Returns a small number that distinguishes a value from others.
    fn as_number(&mut self, of: &str, ty: Ty) -> String {
        let is_none = format!("{of} == ()");
        match ty {
            Ty::Int => format!("{of} % 1009"),
            Ty::Bool => either(of, "5", "2"),
            Ty::Sure => format!("{of}.rank * {of}.suit"),
            Ty::Card => {
                let word = self.pick(&["rank", "rank", "suit", "up"]);
                either(&is_none, "60", &format!("{of}.{word}"))
            }
            Ty::Move => format!("{of}.count + {of}.source"),
            Ty::MaybeMove => either(&is_none, "7", &format!("{of}.target")),
            Ty::Seat => format!("{of}.waste_left"),
            Ty::List => format!("{of}.len * 11"),
            _ => {
                let number = either(&format!("{of} == {}", self.number(false)), "3", "4");
                either(&is_none, "1", &either(&format!("{of} == true"), "2", &number))
            }
        }
    }

    /// Returns the total in some form instead of a function's value, if it has its type.
    pub(super) fn with_total(
        &mut self,
        value: Option<String>,
        body: &mut Vec<String>,
        ty: Ty,
        function: &str,
    ) -> Option<String> {
        let value = value?;
        Some(match ty {
            Ty::Int if function == "score" && self.chance(40) => {
                // Never, or sometimes: if a draw is the only move, it is given up for a small reason.
                let n = self.pick(&[3, 4, 7, 13]);
                either(&format!("{TOTAL} % {n} == 1"), "-1", TOTAL)
            }
            Ty::Int if self.chance(40) => {
                // The original value is not lost.
                body.push(format!("let last = {value}"));
                format!("last % 1009 + {TOTAL}")
            }
            Ty::Int if self.chance(66) => TOTAL.into(),
            Ty::Bool if self.chance(50) => format!("{} == ({TOTAL} % 2 == 0)", part(&value)),
            Ty::MaybeMove if function == "choose" && self.chance(60) => {
                // A move chosen by the total.
                let back = when(&format!("i == {TOTAL} % 4"), "return o");
                body.push(format!("for (o, i) in view.moves {{\n{back}\n}}"));
                value
            }
            _ => value,
        })
    }
}
