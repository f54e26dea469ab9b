//! Generates random scripts from the grammar in `tests/data/script-grammar.txt`. Most are valid to the end; many of the
//! others have a fault somewhere.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use saratoga::cards::{Purpose, below, generator};
use saratoga::strategy::script::definitions;

#[derive(Clone, PartialEq, Eq)]
pub struct Random {
    pub text: String,
    /// Whether some of its functions use what is not compiled.
    pub mixed: bool,
    /// The lines of the grammar that it was made of.
    pub lines: Vec<usize>,
}

/// A failing test shows the script itself.
impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.text)
    }
}

const TEXT: &str = include_str!("../../data/script-grammar.txt");

pub struct Line {
    pub number: usize,
    /// 0 for a line that only some scripts have.
    weight: usize,
    /// `!`, `~` or `^` for such a line.
    kind: char,
    pub text: &'static str,
}

pub static GRAMMAR: LazyLock<BTreeMap<&'static str, Vec<Line>>> = LazyLock::new(|| {
    let (mut sections, mut name) = (BTreeMap::<_, Vec<Line>>::new(), "");
    let lines = (1..).zip(TEXT.lines()).filter(|(_, line)| !line.starts_with('#') && !line.is_empty());
    for (number, line) in lines {
        let Some(header) = line.strip_prefix("== ") else {
            let (first, text) = line.split_once(' ').unwrap();
            let (weight, kind) = (first.parse().unwrap_or(0), first.chars().next().unwrap());
            sections.get_mut(name).unwrap().push(Line { number, weight, kind, text });
            continue;
        };
        let words: Vec<&str> = header.split(' ').collect();
        let two = ["leaf", "may", "value", "argument"].contains(&words[0]);
        name = if two { header } else { words[0] };
        let words = if two { &[][..] } else { &words[1..] };
        let line = |text: &&'static str| Line { number, weight: 1, kind: ' ', text };
        sections.insert(name, words.iter().map(line).collect());
    }
    sections
});

#[derive(Clone)]
struct Local {
    name: String,
    ty: &'static str,
    /// Whether it is never assigned.
    fixed: bool,
}

/// Which functions call which, so that valid scripts terminate: leaves call later leaves, those that count down call
/// each other and leaves, those at the top call all but earlier ones at the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Top,
    CountsDown,
    Leaf,
}

#[derive(Clone)]
struct Function {
    name: String,
    parameters: Vec<(&'static str, &'static str)>,
    returns: &'static str,
    layer: Layer,
}

struct Grow<P> {
    pick: P,
    scope: Vec<Local>,
    functions: Vec<Function>,
    /// The index of the function being generated; past them for the entry.
    here: usize,
    /// Number of expressions and statements left for the function.
    fuel: i32,
    /// Probability, in thousandths, of a fault at each possible place.
    risk: usize,
    mixed: bool,
    ahead: bool,
    loops: u32,
    /// Number of calls of functions that count down, so far.
    counted: u32,
    returns: &'static str,
    /// The type of elements of all lists in the script.
    elements: &'static str,
    lines: Vec<usize>,
}

pub fn script(number: u64) -> Random {
    let mut rng = generator(number, 0, Purpose::Strategy);
    grown(|n| below(&mut rng, n as u32) as usize)
}

/// Returns the script of some choices: `pick(n)` returns a number below `n`, where 0 leads to an end.
pub fn grown(mut pick: impl FnMut(usize) -> usize) -> Random {
    let risk = [0, 0, 0, 10, 30, 80][pick(6)];
    let mixed = pick(100) > 87;
    let ahead = pick(100) > 89;
    let elements = ["int", "int", "int", "card", "any"][pick(5)];
    let mut grow = Grow {
        pick,
        scope: vec![],
        functions: vec![],
        here: 0,
        fuel: 0,
        risk,
        mixed,
        ahead,
        loops: 0,
        counted: 0,
        returns: "do",
        elements,
        lines: vec![],
    };
    let text = grow.text();
    Random { text, mixed: mixed || ahead, lines: grow.lines }
}

impl<P: FnMut(usize) -> usize> Grow<P> {
    fn chance(&mut self, percent: usize) -> bool {
        (self.pick)(100) >= 100 - percent
    }

    fn errs(&mut self) -> bool {
        self.risk > 0 && (self.pick)(1000) >= 1000 - self.risk
    }

    fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[(self.pick)(of.len())].clone()
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        for name in ["A", "B", "C"] {
            if self.chance(50) {
                text += &format!("const {name} = {};\n", self.section("constant", "int", 1));
                self.declare(name, "int", true);
            }
        }
        for i in 0..self.one_of(&[0, 1, 1, 2, 2, 3, 4, 5]) {
            let function = self.signature(i);
            self.functions.push(function);
        }
        self.functions.sort_by_key(|function| function.layer);
        for here in 0..self.functions.len() {
            self.here = here;
            let function = self.functions[here].clone();
            text += &self.function(&function, function.returns);
        }
        self.here = self.functions.len();
        let entry = |name: &str, more: &[(&'static str, &'static str)], returns| {
            let parameters = [&[("view", "view")], more].concat();
            Function { name: name.into(), parameters, returns, layer: Layer::Top }
        };
        text += &match self.chance(30) {
            true => self.function(&entry("choose", &[], "maybe"), "choose"),
            false => self.function(&entry("score", &[("m", "move")], "int"), "score"),
        };
        if self.chance(15) {
            text += &self.function(&entry("stage", &[("at", "none"), ("cost", "int")], "bool"), "bool");
        }
        text.replace("{ ", "{\n").replace("; ", ";\n").replace(" }", "\n}").replace("} ", "}\n")
    }

    fn signature(&mut self, i: usize) -> Function {
        let layer = self.one_of(&[Layer::Top, Layer::Top, Layer::CountsDown, Layer::Leaf, Layer::Leaf]);
        let mut parameters = Vec::new();
        // What depends on the view alone, or on one card, may be cached when it is used again.
        let few = self.chance(30);
        if !self.chance(if few { 40 } else { 20 }) {
            parameters.push(("view", "view"));
        }
        if layer == Layer::CountsDown {
            parameters.push(("n", "int"));
        }
        for name in ["p", "q", "r"] {
            if few && name == "q" {
                parameters.push((name, self.one_of(&["card", "sure"])));
            } else if !few && self.chance(45) {
                let types =
                    ["int", "int", "bool", "card", "card", "sure", "move", "any", "seat", "maybe", "list"];
                parameters.push((name, self.one_of(&types)));
            }
        }
        let returns = self.one_of(&["int", "int", "int", "bool", "bool", "card", "any", "do", "list"]);
        Function { name: format!("f{i}"), parameters, returns, layer }
    }

    fn function(&mut self, Function { name, parameters, returns, layer }: &Function, value: &str) -> String {
        let constants = self.scope.len();
        for (name, ty) in parameters {
            self.declare(name, ty, ["view", "n"].contains(name));
        }
        self.declare("total", "int", true);
        self.fuel = self.one_of(&[6, 15, 25, 40, 60, 90, 140]);
        (self.returns, self.loops, self.counted) = (returns, 0, 0);
        let mut text = String::from("let total = 0; ");
        // Sometimes nothing stops it.
        if *layer == Layer::CountsDown && (self.risk == 0 || self.chance(75)) {
            let value = if *returns == "do" { String::new() } else { self.leaf(returns) };
            text += &format!("if n <= 0 {{ return {value}; }} ");
        }
        for _ in 0..1 + (self.pick)(6) {
            text += &(self.section("do", "do", 4) + " ");
        }
        text += &(self.section("keep", "do", 3) + " ");
        let value = format!("value {value}");
        if let Some((section, _)) = GRAMMAR.get_key_value(&*value) {
            text += &self.section(section, returns, 5);
        } else if *returns != "do" {
            text += &self.typed(returns, 5);
        }
        self.scope.truncate(constants);
        let parameters: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
        format!("fn {name}({}) {{ {text} }}\n", parameters.join(", "))
    }

    fn declare(&mut self, name: &str, ty: &'static str, fixed: bool) {
        self.scope.push(Local { name: name.into(), ty, fixed });
    }

    /// Returns the variables of a type, the innermost of each name.
    fn variables(&self, ty: &str, open: bool) -> Vec<String> {
        let hidden = |i: usize| self.scope[i + 1..].iter().any(|later| later.name == self.scope[i].name);
        let fits = |local: &Local| local.ty == ty && !(open && local.fixed);
        let seen = (0..self.scope.len()).filter(|&i| fits(&self.scope[i]) && !hidden(i));
        seen.map(|i| self.scope[i].name.clone()).collect()
    }

    fn has(&self, ty: &str) -> bool {
        !self.variables(ty, false).is_empty()
    }

    fn variable(&mut self, ty: &str) -> String {
        let variables = self.variables(ty, false);
        self.one_of(&variables)
    }

    /// Returns whether everything that a line names is there.
    fn is_usable(&self, line: &Line, t: &'static str) -> bool {
        let allowed = match line.kind {
            '!' => self.risk > 0,
            '~' => self.mixed,
            '^' => self.ahead,
            _ => true,
        };
        allowed
            && line.text.split('$').skip(1).all(|rest| {
                let hole = hole(rest).0;
                let (kind, ty) = hole.split_once('_').unwrap_or((hole, hole));
                match kind {
                    "var" | "set" => !self.variables(self.resolved(ty, t), kind == "set").is_empty(),
                    "view" | "move" | "sure" => self.has(kind),
                    "property" => self.has("view") || self.has("move"),
                    "named" if ty == "card" => self.has("view"),
                    "seat" | "leaf" if ty == "seat" => self.has("seat") || self.has("view"),
                    "ahead" | "looked" | "range" => self.has("view"),
                    "break" | "continue" => self.loops > 0,
                    "loop" => self.loops < 2,
                    "busy" => !self.variables("int", true).is_empty(),
                    _ => true,
                }
            })
    }

    fn resolved(&self, ty: &str, t: &'static str) -> &'static str {
        const TYPES: [&str; 11] =
            ["int", "bool", "card", "any", "maybe", "list", "seat", "sure", "move", "view", "do"];
        match ty {
            "t" => t,
            "element" => self.elements,
            ty => TYPES.into_iter().find(|known| *known == ty).unwrap_or_else(|| panic!("{ty}")),
        }
    }

    fn typed(&mut self, ty: &'static str, depth: u32) -> String {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 { self.leaf(ty) } else { self.section(ty, ty, depth) }
    }

    fn leaf(&mut self, ty: &str) -> String {
        let (section, _) = GRAMMAR.get_key_value(&*format!("leaf {ty}")).unwrap_or_else(|| panic!("{ty}"));
        self.section(section, "do", 0)
    }

    /// Returns one of the alternatives of a section, where something of type `t` is wanted.
    fn section(&mut self, name: &'static str, t: &'static str, depth: u32) -> String {
        let more: &[&str] = match name {
            "card" | "any" | "maybe" => &["each", "may miss"],
            "int" | "bool" | "list" => &["each"],
            _ => &[],
        };
        let mut lines: Vec<&'static Line> = GRAMMAR[name].iter().collect();
        lines.extend(more.iter().flat_map(|name| &GRAMMAR[name]));
        if name == self.elements && depth > 0 {
            lines.extend(&GRAMMAR["element"]);
        }
        lines.retain(|line| self.is_usable(line, t));
        let rare = |line: &&&Line| line.weight == 0;
        let faults: Vec<&Line> = lines.iter().filter(rare).filter(|it| it.kind == '!').copied().collect();
        let others: Vec<&Line> = lines.iter().filter(rare).filter(|it| it.kind != '!').copied().collect();
        let chosen = if !faults.is_empty() && self.errs() {
            self.one_of(&faults)
        } else if !others.is_empty() && self.chance(20) {
            self.one_of(&others)
        } else {
            let mut n = (self.pick)(lines.iter().map(|line| line.weight).sum());
            let mut below = |line: &&&Line| {
                let found = n < line.weight;
                n = n.saturating_sub(line.weight);
                found
            };
            lines.iter().find(|line| below(line)).unwrap_or_else(|| panic!("section {name}"))
        };
        self.lines.push(chosen.number);
        self.fill(chosen.text, t, depth)
    }

    fn fill(&mut self, text: &'static str, t: &'static str, depth: u32) -> String {
        let outer = self.scope.len();
        let (stays, text) = text.strip_prefix("$stay ").map_or((false, text), |text| (true, text));
        let (mut out, mut it) = (String::new(), String::new());
        let mut new: Vec<(String, &'static str, bool)> = Vec::new();
        let mut parts = text.split('$');
        out += parts.next().unwrap();
        for part in parts {
            let (hole, may_err, rest) = hole(part);
            let (kind, ty) = hole.split_once('_').unwrap_or((hole, hole));
            match kind {
                "it" => out += &it,
                "var" | "set" => {
                    let variables = self.variables(self.resolved(ty, t), kind == "set");
                    it = self.one_of(&variables);
                    out += &it;
                }
                "view" | "move" | "sure" => out += &self.variable(kind),
                "new" | "count" => {
                    let mut names = vec!["a", "b", "c", "d", "e", "g", "k", "w", "x", "y", "z", "A"];
                    names.retain(|name| new.iter().all(|(other, ..)| name != other));
                    it = self.one_of(&names).to_string();
                    let ty = if kind == "count" { "int" } else { self.resolved(ty, t) };
                    new.push((it.clone(), ty, kind == "count"));
                    out += &it;
                }
                "know" => self.declare(&it, "sure", true),
                "body" | "loop" => {
                    self.loops += u32::from(kind == "loop");
                    out += self.body(depth).trim_end();
                    self.loops -= u32::from(kind == "loop");
                }
                "call" => {
                    let ty = self.resolved(ty, t);
                    out += &self.call(ty, depth).unwrap_or_else(|| self.leaf(ty));
                }
                "named" => out += &self.named(self.resolved(ty, t), depth, false),
                "property" => out += &self.named(self.resolved(ty, t), 0, true),
                "leaf" => out += &self.leaf(self.resolved(ty, t)),
                "returns" if self.returns == "do" => {}
                "returns" => out += &self.typed(self.returns, depth.saturating_sub(1).min(2)),
                "break" | "continue" => out += kind,
                "stored" if self.elements != "int" => out += "=",
                "stored" => out += &self.section("kept", "int", 0),
                _ => match GRAMMAR.get_key_value(hole).filter(|(name, _)| {
                    !["int", "bool", "card", "any", "maybe", "list", "seat", "element"].contains(*name)
                }) {
                    Some((name, _)) => out += &self.section(name, t, depth),
                    None => {
                        let ty = self.resolved(hole, t);
                        let grown = match may_err && self.errs() {
                            true => self.section("misfit", ty, 0),
                            false => self.typed(ty, depth.saturating_sub(1)),
                        };
                        out += &part_of(grown, text.len() == hole.len() + 1, rest.starts_with('.'));
                    }
                },
            }
            out += rest;
            if rest.contains('{') {
                new.drain(..).for_each(|(name, ty, fixed)| self.declare(&name, ty, fixed));
            }
        }
        if stays {
            new.drain(..).for_each(|(name, ty, fixed)| self.declare(&name, ty, fixed));
        } else {
            self.scope.truncate(outer);
        }
        out
    }

    fn body(&mut self, depth: u32) -> String {
        let outer = self.scope.len();
        let most = if depth == 0 { 0 } else { (self.pick)(4) };
        let mut text = String::new();
        for _ in 0..most {
            if self.fuel > 0 {
                self.fuel -= 1;
                text += &(self.section("do", "do", depth - 1) + " ");
            }
        }
        self.scope.truncate(outer);
        text
    }

    /// Returns a call of one of the script's own functions.
    fn call(&mut self, ty: &'static str, depth: u32) -> Option<String> {
        let here = self.here;
        let layer = self.functions.get(here).map_or(Layer::Top, |function| function.layer);
        // The entry comes after all others, but calls them all.
        let first = if here == self.functions.len() { 0 } else { here + 1 };
        let open = |&i: &usize| {
            let other = &self.functions[i];
            let open = match other.layer {
                Layer::CountsDown => layer != Layer::Leaf && self.counted < 2 && self.loops == 0,
                _ => i >= first && (self.loops < 2 || other.layer == Layer::Leaf),
            };
            let given = |ty: &str| match ty {
                "sure" | "view" | "move" => self.has(ty),
                "seat" => self.has("view") || self.has("seat"),
                _ => true,
            };
            open && other.returns == ty && other.parameters.iter().all(|(_, ty)| given(ty))
        };
        let calls: Vec<usize> = (0..self.functions.len()).filter(open).collect();
        if calls.is_empty() {
            return None;
        }
        let called = self.one_of(&calls);
        let called = self.functions[called].clone();
        let counts = called.layer == Layer::CountsDown;
        self.counted += u32::from(counts);
        let mut given = Vec::new();
        for (name, ty) in called.parameters {
            given.push(match (name, ty) {
                ("n", _) if counts && layer == Layer::CountsDown => "n - 1".into(),
                ("n", _) if counts => (self.pick)(4).to_string(),
                (_, "sure" | "view" | "move") => self.variable(ty),
                _ => self.typed(ty, depth.saturating_sub(1)),
            });
        }
        Some(format!("{}({})", called.name, given.join(", ")))
    }

    /// Returns a property or a method of this type, or a leaf if there is none; a property of the view or a move alone if
    /// `plain`.
    fn named(&mut self, ty: &'static str, depth: u32, plain: bool) -> String {
        // A faulty script may ask for the rank of a card that is missing.
        let blind = !plain && self.has("view") && self.errs();
        let usable = |name: &&Name| {
            let owned = match name.owner {
                "seat" => self.has("seat") || self.has("view"),
                "sure" if blind => true,
                owner => self.has(owner),
            };
            let sure = name.arguments.iter().any(|argument| argument == "sure card");
            let fits = !plain || name.property && ["view", "move"].contains(&name.owner);
            name.returns == ty && owned && fits && (!sure || self.has("sure"))
        };
        let names: Vec<&Name> = NAMES.iter().filter(usable).collect();
        if names.is_empty() {
            let plain = [("int", "3"), ("bool", "true")].into_iter().find(|(known, _)| *known == ty);
            return plain.map_or("()", |(_, text)| text).into();
        }
        // Names that require a present card can be used more rarely.
        let asks = |name: &&&Name| name.arguments.iter().any(|argument| argument == "sure card");
        let of_sure: Vec<&Name> = names.iter().filter(asks).copied().collect();
        let often = !of_sure.is_empty() && self.chance(30);
        let name = self.one_of(if often { &of_sure } else { &names });
        let owner = match name.owner {
            "sure" if blind => self.named("card", 0, false),
            "seat" => part_of(self.leaf("seat"), false, true),
            owner => self.variable(owner),
        };
        let given: Vec<String> =
            name.arguments.iter().map(|argument| self.argument(argument, depth)).collect();
        let given = if name.property { String::new() } else { format!("({})", given.join(", ")) };
        format!("{owner}.{}{given}", name.word)
    }

    /// Returns an argument by its name: within its range, in valid scripts.
    fn argument(&mut self, name: &str, depth: u32) -> String {
        let name = if self.errs() { "wrong" } else { name };
        let section = GRAMMAR.get_key_value(&*format!("argument {name}"));
        let (section, _) = section.unwrap_or_else(|| panic!("an argument that is new here: {name}"));
        self.section(section, "int", depth.min(3))
    }
}

/// Splits what follows a `$`: the name of the hole, whether it may be filled with a misfit, and the rest.
fn hole(text: &str) -> (&str, bool, &str) {
    let end = text.find(|c: char| !(c.is_ascii_lowercase() || c == '_')).unwrap_or(text.len());
    match text[end..].strip_prefix('!') {
        Some(rest) => (&text[..end], true, rest),
        None => (&text[..end], false, &text[end..]),
    }
}

/// Writes an expression as a part of another.
fn part_of(text: String, whole: bool, asked: bool) -> String {
    // A method of an element itself is interpreted.
    if asked && text.starts_with("memory[") {
        return format!("(0 + {text})");
    }
    let bare = !text.contains(char::is_whitespace) && !text.starts_with(['-', '!']);
    if bare || whole { text } else { format!("({text})") }
}

/// A property or method. The types are those of the grammar of random scripts.
#[derive(Clone, Debug)]
pub struct Name {
    pub owner: &'static str,
    pub word: String,
    /// Whether it is a property, written without brackets.
    pub property: bool,
    /// The names of its arguments, which determine their allowed values.
    pub arguments: Vec<String>,
    /// The type of its value; empty for the list of moves.
    pub returns: &'static str,
}

/// Every property and method available to scripts, read from the definitions for editors: additions to the language are
/// tested automatically.
pub static NAMES: LazyLock<Vec<Name>> = LazyLock::new(|| {
    definitions().lines().filter_map(|line| line.strip_prefix("fn ")).filter_map(read).collect()
});

/// Parses `get rank(c: Card) -> int;`. Names for looking ahead are not compiled, and stand in the grammar.
fn read(line: &str) -> Option<Name> {
    let property = line.starts_with("get ");
    let line = line.strip_prefix("get ").unwrap_or(line);
    let (word, rest) = line.split_once('(').unwrap();
    let (parameters, returns) = rest.split_once(") -> ").unwrap();
    let mut parameters = parameters.split(", ").map(|parameter| parameter.split_once(": ").unwrap());
    let owner = match parameters.next().unwrap().1 {
        "View" => "view",
        "Move" => "move",
        "Card" => "sure",
        "Seat" => "seat",
        "int" => "int",
        other => panic!("a value of a kind that is new here: {other}"),
    };
    let returns = match returns.trim_end_matches(';') {
        "View" => return None,
        _ if word == "playout" || word == "choice" => return None,
        "int" => "int",
        "bool" => "bool",
        "Card | ()" => "card",
        "Seat" => "seat",
        "Array" if word == "moves" => "",
        other => panic!("`{word}` returns what is new here: {other}"),
    };
    // `Card | ()` means a card that may be missing, `Card` one that is present.
    let arguments =
        parameters.map(|(name, kind)| if kind == "Card" { "sure card" } else { name }.to_string());
    Some(Name { owner, word: word.into(), property, arguments: arguments.collect(), returns })
}
