//! Random scripts over the whole language that a script may be written in: what is compiled and what is not, what is
//! sound and, now and then, what is not.

mod templates;
mod values;

use super::choices::Choices;
use crate::support::names::NAMES;
use crate::support::tree::Ty;
use templates::{CONSTANTS, HOSTILE, HOSTILE_STATEMENTS, Kind, STATEMENTS};

/// Pieces that a script may have at most, whatever the bytes say.
const MOST: u32 = 400;
/// Expressions within expressions, which the language limits too.
const DEEPEST: u32 = 6;

/// The script that bytes choose.
pub fn script(bytes: &[u8]) -> String {
    let mut choices = Choices::new(bytes);
    let hostile = choices.chance(25);
    let loose = choices.chance(20);
    let (scope, fuel) = (Vec::new(), MOST);
    let seen = Seen { view: false, m: false };
    let writer =
        Writer { choices, scope, fuel, hostile, loose, seen, missing: None, names: 0, depth: 0, blocks: 0 };
    writer.script()
}

struct Writer<'a> {
    choices: Choices<'a>,
    /// The variables seen here.
    scope: Vec<(String, Kind)>,
    fuel: u32,
    hostile: bool,
    /// Kinds are mixed up oftener.
    loose: bool,
    seen: Seen,
    /// The kind of a variable that there is none of, though one was asked for.
    missing: Option<Kind>,
    names: u32,
    depth: u32,
    blocks: u32,
}

/// What is seen of the parameters of an entry.
#[derive(Clone, Copy)]
struct Seen {
    view: bool,
    m: bool,
}

impl Writer<'_> {
    fn script(mut self) -> String {
        let mut text = String::new();
        // The templates know these constants.
        let mut constants = vec![
            "const D = #{ a: 1, b: [true, ()], c: #{ a: 2 }, list: [3, 1, 2], text: \"abc\" };\n".to_string(),
            "const E = [[1, 2], [3]];\n".to_string(),
        ];
        for _ in 0..self.choices.below(4) {
            let name = self.new_name("K");
            let value = self.choices.pick(CONSTANTS);
            constants.push(format!("const {name} = {};\n", self.fill(value)));
            self.scope.push((name, Kind::Any));
        }
        if self.hostile && self.choices.chance(40) {
            let template = self.choices.pick(HOSTILE);
            constants.push(self.fill(template) + "\n");
            let (name, _) = self.scope.pop().unwrap_or(("K".into(), Kind::Any));
            self.scope.push((format!("{name}.call()"), Kind::Int));
        }
        let known = self.scope.len();
        for constant in constants {
            text += &constant;
        }
        for (name, parameters) in [
            ("f0", &[("view", None), ("n", Some(Kind::Int))][..]),
            ("f1", &[("n", Some(Kind::Int)), ("l", Some(Kind::List))]),
            ("f2", &[("d", Some(Kind::Map)), ("t", Some(Kind::Text))]),
        ] {
            let returns = if name == "f1" { Kind::List } else { Kind::Int };
            // Some call themselves, counting down.
            let own = match name {
                "f0" if self.choices.chance(40) => "if n > 0 && n < 9 { return f0(view, n - 1) + 1; } ",
                "f1" if self.choices.chance(30) => "if n > 0 && n < 9 { return f1(n - 1, l + n); } ",
                _ => "",
            };
            text += &self.function(name, parameters, returns, own);
            self.scope.truncate(known);
        }
        text += &match self.choices.below(4) < 3 {
            true => self.function("score", &[("view", None), ("m", Some(Kind::Move))], Kind::Int, ""),
            false => self.function("choose", &[("view", None)], Kind::Move, ""),
        };
        self.scope.truncate(known);
        if self.choices.chance(10) {
            let parameters = [("view", None), ("at", Some(Kind::Text)), ("cost", Some(Kind::Int))];
            text += &self.function("stage", &parameters, Kind::Bool, "");
        }
        text
    }

    fn function(
        &mut self,
        name: &str,
        parameters: &[(&str, Option<Kind>)],
        returns: Kind,
        own: &str,
    ) -> String {
        for (name, kind) in parameters {
            self.scope.extend(kind.map(|kind| (name.to_string(), kind)));
        }
        let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        self.seen = Seen { view: names.contains(&"view"), m: names.contains(&"m") };
        // Each function gets its share, the last ones more.
        let saved = self.fuel;
        self.fuel = if name.starts_with('f') { saved / 5 } else { saved };
        let given = self.fuel;
        let body = self.block(returns, if name.starts_with('f') { 3 } else { 6 });
        self.fuel = saved - (given - self.fuel);
        format!("fn {name}({}) {{ {own}{body} }}\n", names.join(", "))
    }

    /// Statements and a value.
    fn block(&mut self, returns: Kind, most: usize) -> String {
        let outer = self.scope.len();
        self.blocks += 1;
        let mut text = String::new();
        if self.blocks < 5 {
            for _ in 0..self.choices.below(most + 1) {
                text += &self.statement();
                text.push(' ');
            }
        }
        text += &self.expression(returns);
        self.blocks -= 1;
        self.scope.truncate(outer);
        text
    }

    fn statement(&mut self) -> String {
        let list = if self.hostile && self.choices.chance(15) { HOSTILE_STATEMENTS } else { STATEMENTS };
        if self.fuel == 0 {
            return STATEMENTS[0].into();
        }
        let template = self.choices.pick(list);
        if !self.seen.view && template.contains("view") {
            return STATEMENTS[0].into();
        }
        let text = self.fill(template);
        // Where there is nothing to change yet, there is from now on.
        match self.missing.take() {
            None => text,
            Some(kind) => {
                let name = self.new_name("x");
                let value = self.expression(kind);
                self.scope.push((name.clone(), kind));
                format!("let {name} = {value};")
            }
        }
    }

    fn expression(&mut self, kind: Kind) -> String {
        let kind = match self.loose && self.choices.chance(8) {
            true => self.choices.pick(&Kind::ALL),
            false => kind,
        };
        let templates = kind.templates();
        let leaf = if kind == Kind::Move && !self.seen.view { "()" } else { templates[0] };
        if self.fuel == 0 || self.depth >= DEEPEST {
            return leaf.into();
        }
        let missing = self.missing;
        self.fuel -= 1;
        self.depth += 1;
        // Variables and names of the game often, so that what is written hangs together.
        let text = match self.choices.below(4) {
            1 => self.variable(kind).or_else(|| self.name(kind)),
            2 => self.name(kind),
            _ => None,
        };
        let text = text.unwrap_or_else(|| {
            let template = self.choices.pick(templates);
            if self.seen.view || !template.contains("view") { self.fill(template) } else { leaf.into() }
        });
        self.missing = missing;
        self.depth -= 1;
        text
    }

    /// A name of the game with a value of the kind.
    fn name(&mut self, kind: Kind) -> Option<String> {
        let wanted = match kind {
            Kind::Int => Ty::Int,
            Kind::Bool => Ty::Bool,
            Kind::Card => Ty::Card,
            _ => return None,
        };
        let names: Vec<_> = NAMES.iter().filter(|name| name.returns == Some(wanted)).collect();
        let name = names[self.choices.below(names.len())];
        if !self.seen.view && matches!(name.owner, Ty::View | Ty::Seat) {
            return None;
        }
        let owner = match name.owner {
            Ty::Move if self.seen.m && self.choices.chance(70) => "m".to_string(),
            Ty::Move => self.expression(Kind::Move),
            Ty::Sure => self.expression(Kind::Card),
            Ty::Seat => format!("view.at({})", 1 + self.choices.below(2)),
            _ => "view".to_string(),
        };
        if name.property {
            return Some(format!("{owner}.{}", name.word));
        }
        let arguments = name.arguments.iter().map(|argument| match &**argument {
            "card" | "sure card" => self.expression(Kind::Card),
            _ if self.choices.below(4) == 3 => self.expression(Kind::Int),
            _ => self.choices.below(6).to_string(),
        });
        let arguments: Vec<String> = arguments.collect();
        Some(format!("{owner}.{}({})", name.word, arguments.join(", ")))
    }

    fn variable(&mut self, kind: Kind) -> Option<String> {
        let seen: Vec<usize> =
            (0..self.scope.len()).filter(|&i| kind == Kind::Any || self.scope[i].1 == kind).collect();
        match seen.len() {
            0 => None,
            n => Some(self.scope[seen[self.choices.below(n)]].0.clone()),
        }
    }

    /// A variable, and no constant.
    fn changeable(&mut self, kind: Kind) -> Option<String> {
        let fits = |(name, of): &&(String, Kind)| {
            (kind == Kind::Any || *of == kind) && !name.contains('(') && !name.starts_with('K') && name != "n"
        };
        let seen: Vec<String> = self.scope.iter().filter(fits).map(|(name, _)| name.clone()).collect();
        (!seen.is_empty()).then(|| seen[self.choices.below(seen.len())].clone())
    }

    fn new_name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A closure that sees its parameters alone; a hostile one what is around it too.
    fn closure(&mut self, parameters: usize, returns: Kind) -> String {
        let captures = self.hostile && self.choices.chance(20);
        let outer = if captures { Vec::new() } else { std::mem::take(&mut self.scope) };
        let kept = self.scope.len();
        let names: Vec<String> = (0..parameters).map(|_| self.new_name("p")).collect();
        let kind = self.choices.pick(&[Kind::Int, Kind::Any]);
        self.scope.extend(names.iter().map(|name| (name.clone(), kind)));
        // What is around a closure it must not speak of, so not of `view` and `m` either.
        let seen = self.seen;
        if !captures {
            self.seen = Seen { view: false, m: false };
        }
        let body = match self.choices.chance(20) {
            true => format!("{{ {} }}", self.block(returns, 1)),
            false => self.expression(returns),
        };
        self.seen = seen;
        self.scope.truncate(kept);
        if !captures {
            self.scope = outer;
        }
        format!("|{}| {body}", names.join(", "))
    }

    fn fill(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        let mut made: Vec<(String, Kind)> = Vec::new();
        while let Some(open) = rest.find('{') {
            text += &rest[..open];
            rest = &rest[open + 1..];
            let Some(close) = rest.find('}') else { break };
            let hole = &rest[..close];
            let filled = self.hole(hole, &mut made);
            match filled {
                Some(filled) => {
                    text += &filled;
                    rest = &rest[close + 1..];
                }
                // A brace of the language itself.
                None => text.push('{'),
            }
        }
        text += rest;
        // What a function calls constant is not to be changed.
        if template.starts_with("const {new}") && !HOSTILE.contains(&template) {
            made.clear();
        }
        for (name, kind) in made {
            let kind = match template {
                _ if template.contains("= {l}") || template.contains("= view.moves;") => Kind::List,
                _ if template.contains("= {m}") => Kind::Map,
                _ if template.contains("= {t}") => Kind::Text,
                _ if template.contains("= {i}") => Kind::Int,
                _ if template.contains("= {v}") => Kind::Move,
                _ if template.contains("= {c}") => Kind::Card,
                _ => kind,
            };
            self.scope.push((name, kind));
        }
        text
    }

    fn hole(&mut self, hole: &str, made: &mut Vec<(String, Kind)>) -> Option<String> {
        Some(match hole {
            "n" => self.choices.below(6).to_string(),
            "N" => self.choices.pick(&NUMBERS).to_string(),
            "k" => self.choices.pick(&["a", "b", "c", "list"]).to_string(),
            "w" => self.choices.pick(&["", "a", "abc", "é🂡", "x y,z", "12", "<b>"]).to_string(),
            "0" => self.closure(0, Kind::Any),
            "1" => self.closure(1, Kind::Any),
            "2" => self.closure(2, Kind::Any),
            "?" => self.closure(1, Kind::Bool),
            "<" => self.closure(2, Kind::Int),
            "s" => self.block(Kind::Any, 2),
            "new" | "new2" => {
                let name = self.new_name("x");
                made.push((name.clone(), Kind::Any));
                name
            }
            "last" => made.first().map_or("0".into(), |(name, _)| name.clone()),
            _ => {
                let mut letters = hole.chars();
                let letter = letters.next().filter(|_| letters.next().is_none())?;
                let kind = Kind::of(letter)?;
                match letter.is_ascii_uppercase() {
                    false => self.expression(kind),
                    true => self.changeable(kind).unwrap_or_else(|| {
                        self.missing = Some(kind);
                        if kind == Kind::Move && !self.seen.view { "()" } else { kind.templates()[0] }.into()
                    }),
                }
            }
        })
    }
}

/// Whole numbers, those at the limits among them.
const NUMBERS: [i64; 16] =
    [0, 1, 2, 3, 5, 7, 12, 13, 40, 64, 100, 1000, 1_000_000, i64::MAX, -(i64::MAX - 1), -1];
