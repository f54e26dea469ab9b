//! Resolves every name of a script: variables, which a place may see or not, functions, methods and properties.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rhai::{ASTNode, Engine, Expr, Position, Stmt, StmtBlock};

use crate::diagnostic::did_you_mean;

use super::api::Players;
use super::fault::instead_of;
use super::limits::FORBIDDEN;
use super::module::{Faults, Lines, Module, blocks, count, walk_all};
use super::names::{MEMORY_WORD, NAMES, Name, allowed, asks_player, is_on_shelf, unknown};
use super::value::Types;

pub fn wrong_names(engine: &Engine, players: &dyn Players, module: &Module, faults: &mut Faults) {
    let (known, before) = (Known::gather(engine, module), faults.found.len());
    let variables = OnceCell::new();
    let mut names = Names { players, module, known, variables, owners: BTreeMap::new(), before, faults };
    walk_all(&module.ast, &mut |node| names.visit(node));
}

/// Types of values with properties.
const OWNERS: Types = Types::VIEW.with(Types::MOVE).with(Types::CARD).with(Types::SEAT);

/// Names of at most this length are similar to too many others.
const SHORT: usize = 3;

/// Maximum number of faults with a suggestion.
const MOST_GUESSED: usize = 50;

const REFUSED: [(&str, &str); 9] = [
    ("curry", "give the value to the function as an argument"),
    ("is_shared", "no value is shared in a strategy"),
    ("take", "use the value itself"),
    ("tag", "keep the number in a variable, or in a map"),
    ("set_tag", "keep the number in a variable, or in a map"),
    ("blob", "write an array of whole numbers"),
    ("to_blob", "`to_chars` makes an array of a text"),
    ("parse_json", "write the value as an array or a map"),
    ("get_fn_metadata_list", "a script sees the game and nothing else"),
];

#[derive(Default)]
struct Known {
    own: BTreeSet<String>,
    constants: BTreeSet<String>,
    /// Names of variables and parameters anywhere, for suggestions.
    variables: BTreeSet<String>,
    keys: BTreeSet<String>,
    changing: BTreeSet<String>,
    /// Whether it uses maps, which may be asked for a property that they do not have.
    has_maps: bool,
    computes_keys: bool,
    /// Properties that are tested for, and so may be missing.
    may_be_missing: BTreeSet<String>,
    properties: BTreeSet<String>,
    /// Functions with the numbers of arguments they are called with.
    functions: BTreeMap<String, BTreeSet<usize>>,
    methods: BTreeMap<String, BTreeSet<usize>>,
}

impl Known {
    fn gather(engine: &Engine, module: &Module) -> Known {
        let own = &module.functions;
        let mut known = Known {
            own: own.iter().map(|f| f.name.clone()).collect(),
            constants: module.constants.iter().map(|it| it.name.clone()).collect(),
            ..Known::default()
        };
        let native = engine.collect_fn_metadata(
            None,
            |f| Some((f.metadata.name.to_string(), f.metadata.num_params)),
            true,
        );
        for (name, n) in native {
            if let Some(property) = name.strip_prefix("get$") {
                known.properties.insert(property.into());
                continue;
            }
            if n > 0 {
                known.methods.entry(name.clone()).or_default().insert(n - 1);
            }
            known.functions.entry(name).or_default().insert(n);
        }
        for (name, counts) in [
            ("print", 0..2),
            ("debug", 0..2),
            ("type_of", 1..2),
            ("is_def_var", 1..2),
            ("is_def_fn", 2..3),
            ("Fn", 1..2),
            ("call", 1..16),
        ] {
            known.methods.entry(name.into()).or_default().extend(counts.clone().map(|n| n.max(1) - 1));
            known.functions.entry(name.into()).or_default().extend(counts);
        }
        for f in own {
            known.functions.entry(f.name.clone()).or_default().insert(f.parameters.len());
            known.methods.entry(f.name.clone()).or_default().insert(f.parameters.len());
            known.variables.extend(f.parameters.iter().cloned());
        }
        known.constants.insert(MEMORY_WORD.into());
        walk_all(&module.ast, &mut |node| known.learn(node));
        known
    }

    /// Records the variables and map keys that a node of the script creates.
    fn learn(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Stmt(Stmt::Var(x, ..)) => {
                self.variables.insert(x.0.name.to_string());
                self.changing.insert(x.0.name.to_string());
            }
            ASTNode::Stmt(Stmt::For(x, ..)) => {
                self.variables.insert(x.0.name.to_string());
                self.changing.insert(x.0.name.to_string());
            }
            ASTNode::Stmt(Stmt::Assignment(x)) => {
                if let Expr::Index(index, ..) = &x.1.lhs {
                    self.computes_keys |= !index.rhs.is_constant();
                }
                if let Expr::Variable(name, ..) = &x.1.lhs {
                    self.changing.insert(name.1.to_string());
                }
                let mut target = &x.1.lhs;
                while let Expr::Dot(b, ..) | Expr::Index(b, ..) = target {
                    target = &b.rhs;
                }
                if let Expr::Property(p, _) = target
                    && !NAMES.iter().any(|n| n.name == p.2.as_str())
                {
                    self.keys.insert(p.2.to_string());
                }
            }
            // A caught value may be a map.
            ASTNode::Stmt(Stmt::TryCatch(x, _)) => self.has_maps |= matches!(x.expr, Expr::Variable(..)),
            ASTNode::Expr(Expr::Map(x, _)) => {
                self.has_maps = true;
                self.keys.extend(x.0.iter().map(|(key, _)| key.name.to_string()));
            }
            // A key that is read by a text may be set by one.
            ASTNode::Expr(Expr::StringConstant(text, _)) => drop(self.keys.insert(text.to_string())),
            ASTNode::Expr(Expr::FnCall(call, _)) | ASTNode::Stmt(Stmt::FnCall(call, _))
                if matches!(call.name.as_str(), "==" | "!=")
                    && call.args.iter().any(|value| matches!(value, Expr::Unit(_))) =>
            {
                self.may_miss(&call.args);
            }
            ASTNode::Expr(Expr::Coalesce(all, _)) => self.may_miss(&all[..all.len().saturating_sub(1)]),
            ASTNode::Expr(Expr::Dot(x, options, _)) if !options.is_empty() => {
                self.may_miss(std::slice::from_ref(&x.lhs));
            }
            _ => {}
        }
    }

    fn may_miss(&mut self, values: &[Expr]) {
        for mut value in values {
            while let Expr::Dot(x, ..) = value {
                value = &x.rhs;
            }
            if let Expr::Property(x, _) = value {
                self.may_be_missing.insert(x.2.to_string());
            }
        }
    }
}

struct Names<'a> {
    players: &'a dyn Players,
    module: &'a Module,
    known: Known,
    /// Looked for once a name is wrong.
    variables: OnceCell<Variables<'a>>,
    faults: &'a mut Faults,
    /// The known types of the values that names are looked up in, by the position of the name.
    owners: BTreeMap<Position, Types>,
    before: usize,
}

fn asks(meant: Option<&str>) -> String {
    meant.map_or(String::new(), |meant| format!("did you mean `{meant}`?"))
}

impl Names<'_> {
    fn visit(&mut self, node: &ASTNode<'_>) {
        match node {
            ASTNode::Stmt(Stmt::FnCall(x, at)) | ASTNode::Expr(Expr::FnCall(x, at)) => self.call(x, *at),
            ASTNode::Expr(Expr::MethodCall(x, at)) => self.method(x, *at),
            ASTNode::Expr(Expr::Property(x, at)) => self.property(x.2.as_str(), *at),
            ASTNode::Expr(Expr::Variable(x, None, at)) if x.0.is_none() => {
                self.variable(x.1.as_str(), *at);
            }
            ASTNode::Expr(Expr::Dot(x, ..)) => self.chain(x),
            _ => {}
        }
    }

    /// Guesses the intended name among all names: nobody reads so many faults that it matters for more.
    fn guess<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
        let guesses = self.faults.found.len() - self.before < MOST_GUESSED;
        if guesses { did_you_mean(name, known) } else { None }
    }

    fn guess_of<'n>(
        &self,
        at: Position,
        name: &str,
        others: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let owner = self.owners.get(&at);
        let own = NAMES.iter().filter(|n| Some(&n.owner()) == owner).map(|n| n.name);
        self.guess(name, own).or_else(|| self.guess(name, others))
    }

    fn variable(&mut self, name: &str, at: Position) {
        if self.known.constants.contains(name) || self.known.own.contains(name) {
            return;
        }
        let word = self.module.lines.span(at);
        let mut closures = self.module.closures.iter().filter(|(body, _)| body.contains(&word.start));
        let own = closures.clone().any(|(_, parameters)| parameters.iter().any(|p| p == name));
        let elsewhere = self.known.variables.contains(name);
        if own && elsewhere {
            return;
        }
        if closures.next().is_some() && elsewhere {
            let help = "a closure sees its own parameters and variables, and constants: write a `for` loop";
            let message = format!("a closure cannot take `{name}` from around it");
            return self.faults.error(at, message, help);
        }
        let message = format!("there is no variable `{name}` here");
        let variables = self.variables.get_or_init(|| Variables::of(self.module));
        if let Some(other) = variables.elsewhere(name, word.start) {
            let help = self.out_of_sight(other, word.start);
            return self.faults.error(at, message, help);
        }
        let known = variables.seen(word.start).chain(self.known.constants.iter().map(String::as_str));
        let meant = self.guess(name, known.filter(|known| is_near(name, known)));
        let help = match instead_of(name) {
            _ if elsewhere => {
                "a function sees its own parameters and variables, and constants: pass it on".into()
            }
            Some(instead) => instead.to_string(),
            None => asks(meant),
        };
        self.faults.error(at, message, help);
    }

    /// Explains why a variable of the same function cannot be seen at a place.
    fn out_of_sight(&self, variable: &Declared, at: usize) -> String {
        let (name, line) = (&variable.name, self.module.lines.line(variable.at));
        if at < variable.at {
            format!("`{name}` begins on line {line}, after this: declare it before")
        } else if variable.visible.contains(&at) {
            format!("`{name}` has no value yet where it is declared")
        } else if variable.of_loop {
            format!(
                "`{name}` exists only inside the loop of line {line}: \
                 declare a variable before the loop, and assign to it in there"
            )
        } else {
            format!(
                "`{name}` exists only inside the block that declares it, on line {line}: \
                 declare it before the block, and assign to it in there"
            )
        }
    }

    fn call(&mut self, call: &rhai::FnCallExpr, at: Position) {
        let name = call.name.as_str();
        if call.op_token.is_some() || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return;
        }
        if self.refused(name, at) {
            return;
        }
        if let ("Fn", [Expr::StringConstant(function, at)]) = (name, &call.args[..])
            && function.starts_with(char::is_alphabetic)
            && !self.refused(function, *at)
            && !self.known.functions.contains_key(function.as_str())
        {
            self.faults.error(*at, format!("there is no function `{function}`"), "");
        }
        let Some((message, help)) = self.wrong_call(&self.known.functions, "function", call) else { return };
        let help = match instead_of(name) {
            _ if self.known.functions.contains_key(name) => help,
            Some(instead) => instead.into(),
            None if self.known.variables.contains(name) => {
                format!("`{name}` is a variable: a function in it is called with `{name}.call(..)`")
            }
            None => help,
        };
        self.faults.error(at, message, help);
    }

    fn wrong_call(
        &self,
        table: &BTreeMap<String, BTreeSet<usize>>,
        what: &str,
        call: &rhai::FnCallExpr,
    ) -> Option<(String, String)> {
        let (name, arguments) = (call.name.as_str(), call.args.len());
        let Some(counts) = table.get(name) else {
            let near = table.keys().map(String::as_str).filter(|it| is_near(name, it));
            return Some((format!("there is no {what} `{name}`"), asks(self.guess(name, near))));
        };
        if counts.contains(&arguments) {
            return None;
        }
        let takes: Vec<String> = counts.iter().map(ToString::to_string).collect();
        let plural = if takes == ["1"] { "argument" } else { "arguments" };
        Some((
            format!("`{name}` is given {}", count(arguments, "argument")),
            format!("it takes {} {plural}", takes.join(" or ")),
        ))
    }

    /// Reports a function of the language that is not available to strategies. Returns whether it is one.
    fn refused(&mut self, name: &str, at: Position) -> bool {
        let refused = REFUSED.iter().find(|(refused, _)| *refused == name);
        let help = match refused.filter(|_| !self.known.own.contains(name)) {
            _ if FORBIDDEN.contains(&name) => "a script sees the game and nothing else",
            Some((_, help)) => help,
            None => return false,
        };
        self.faults.error(at, format!("`{name}` is not available in strategy scripts"), help);
        true
    }

    fn method(&mut self, call: &rhai::FnCallExpr, at: Position) {
        let name = call.name.as_str();
        if !FORBIDDEN.contains(&name) && self.refused(name, at) {
            return;
        }
        let is_method = self.known.methods.contains_key(name);
        if self.known.properties.contains(name) && !is_method {
            let help = format!("write `.{name}` without brackets");
            return self.faults.error(at, format!("`{name}` is a property"), help);
        }
        self.player(call);
        if let Some((message, help)) = self.wrong_call(&self.known.methods, "method", call) {
            let own = if is_method { None } else { self.guess_of(at, name, []) };
            let help = if own.is_some() { asks(own) } else { help };
            self.faults.error(at, message, help);
        }
    }

    /// Checks a player given as a text: a strategy of the shelf, or a function that decides.
    fn player(&mut self, call: &rhai::FnCallExpr) {
        let method = call.name.as_str();
        let Some(Expr::StringConstant(player, at)) = call.args.last() else { return };
        if !asks_player(method, call.args.len()) {
            return;
        }
        let decides = |counts: &BTreeSet<usize>| counts.contains(&1) || counts.contains(&2);
        let own = self.known.own.contains(player.as_str())
            && self.known.functions.get(player.as_str()).is_some_and(decides);
        if own {
            return;
        }
        if is_on_shelf(player) {
            let refused = self.players.refused(method, player);
            let (faults, at) = (&mut self.faults, *at);
            return refused
                .into_iter()
                .for_each(|(why, help)| faults.error(at, why, help.unwrap_or_default()));
        }
        let (message, meant) = unknown(method, player);
        let own = self.known.own.iter().map(String::as_str).filter(|own| own != player);
        let meant = meant.or_else(|| self.guess(player, own));
        let meant = meant.map_or(String::new(), |meant| format!("did you mean \"{meant}\"? "));
        self.faults.error(*at, message, format!("{meant}{}", allowed()));
    }

    fn property(&mut self, name: &str, at: Position) {
        let known = &self.known;
        if known.properties.contains(name) || known.keys.contains(name) {
            return;
        }
        if known.methods.contains_key(name) {
            return self.faults.error(at, format!("`{name}` is a method"), format!("write `.{name}(..)`"));
        }
        let names = NAMES.iter().map(|n| n.name);
        if !known.has_maps {
            let words = known.properties.iter().map(String::as_str);
            let help = asks(self.guess_of(at, name, words.chain(names)));
            return self.faults.error(at, format!("there is no property `{name}`"), help);
        }
        // A map returns `()` for a missing key, which is intended if the key is tested for.
        if known.may_be_missing.contains(name) {
            return;
        }
        let own = known.keys.iter().filter(|key| key.len() >= SHORT).map(String::as_str);
        let meant = if name.len() < SHORT { None } else { self.guess_of(at, name, own.chain(names)) };
        let help = match meant {
            Some(_) => asks(meant),
            None if known.computes_keys => return,
            None => "where it may be missing, write `?? 0` behind it, or compare it with `()`".into(),
        };
        self.faults.warning(at, format!("no map has `{name}`, nor has anything else: it is `()`"), help);
    }

    /// Returns the type of a variable, if it is certainly a parameter of a function that the game calls.
    fn type_of(&self, variable: &str, at: usize) -> Types {
        let functions = self.module.functions.iter();
        let of = functions.enumerate().find(|(_, function)| function.body.contains(&at)).and_then(
            |(index, function)| {
                let place = function.parameters.iter().position(|name| name == variable)?;
                self.module.wanted(index)?.parameters.get(place).copied()
            },
        );
        of.unwrap_or_default().and(OWNERS)
    }

    /// Follows a chain such as `view.waste_top.rank` while the types are known.
    fn chain(&mut self, dot: &rhai::BinaryExpr) {
        let Expr::Variable(x, _, at) = &dot.lhs else { return };
        let at = self.module.lines.offset(*at).unwrap_or(0);
        let (mut of, is_sure) = (self.type_of(&x.1, at), !self.known.changing.contains(x.1.as_str()));
        let mut rest = &dot.rhs;
        while !of.is_none() {
            let (this, next) = match rest {
                Expr::Dot(x, ..) => (&x.lhs, Some(&x.rhs)),
                other => (other, None),
            };
            let (name, at) = match this {
                Expr::Property(x, at) => (x.2.as_str(), *at),
                Expr::MethodCall(x, at) => (x.name.as_str(), *at),
                _ => return,
            };
            let Some((member, next)) = self.member(of, is_sure, name, at).zip(next) else { return };
            (of, rest) = (member.meaning.types().and(OWNERS), next);
        }
    }

    /// Resolves a name of a type of value; it is a fault if only another type has it, or, if the value is certainly of this
    /// type, if no type has it.
    fn member(&mut self, of: Types, is_sure: bool, name: &str, at: Position) -> Option<&'static Name> {
        self.owners.insert(at, of);
        let mut named = NAMES.iter().filter(|n| n.name == name);
        if let Some(own) = named.clone().find(|n| n.owner() == of) {
            return Some(own);
        }
        let message = format!("{} has no `{name}`", of.words());
        if let Some(other) = named.next() {
            self.faults.error(at, message, format!("it is {}", whose(other.owner())));
        } else if is_sure && self.known.has_maps && !self.known.methods.contains_key(name) {
            let help = asks(self.guess_of(at, name, NAMES.iter().map(|n| n.name)));
            self.faults.error(at, message, help);
        }
        None
    }
}

fn whose(owner: Types) -> &'static str {
    match owner {
        Types::VIEW => "the view's",
        Types::MOVE => "a move's",
        Types::CARD => "a card's",
        Types::SEAT => "a seat's",
        Types::MEMORY => "the memory's",
        Types::INT => "a whole number's",
        _ => "another's",
    }
}

/// Returns whether a name may be a misspelling of a known one. A short name differs by one letter or in their order alone.
fn is_near(name: &str, known: &str) -> bool {
    let is_word = known.starts_with(|c: char| c.is_alphabetic() || c == '_') && !known.contains('$');
    is_word
        && match name.len() {
            0..SHORT => known.eq_ignore_ascii_case(name),
            SHORT..=4 => {
                let (name, known) = (name.to_lowercase(), known.to_lowercase());
                strsim::damerau_levenshtein(&name, &known) <= 1 || letters(&name) == letters(&known)
            }
            _ => true,
        }
}

fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

pub struct Declared {
    pub name: String,
    /// Where its name stands; the start of the body for a parameter.
    pub at: usize,
    pub visible: Range<usize>,
    pub of_loop: bool,
}

pub struct Variables<'m> {
    all: Vec<Declared>,
    module: &'m Module,
}

impl Variables<'_> {
    pub fn of(module: &Module) -> Variables<'_> {
        let lines = &*module.lines;
        let functions = module.functions.iter().map(|it| (&it.body, &it.parameters));
        let closures = module.closures.iter().map(|(body, parameters)| (body, parameters));
        let (mut all, mut outer) = (Vec::new(), Vec::new());
        for (body, parameters) in functions.chain(closures) {
            let each = parameters.iter().map(|name| (name.clone(), body.start, body.clone()));
            all.extend(each.map(|(name, at, visible)| Declared { name, at, visible, of_loop: false }));
            outer.push(body.clone());
        }
        walk_all(&module.ast, &mut |node| {
            outer.extend(blocks(node).into_iter().filter_map(|block| range(block, lines)));
        });
        outer.sort_by_key(|block| block.start);
        let rest_of_block = |at: usize| {
            let before = &outer[..outer.partition_point(|block| block.start <= at)];
            at..before.iter().rev().find(|block| at < block.end).map_or(at, |block| block.end)
        };
        walk_all(&module.ast, &mut |node| {
            let declared: Vec<(&str, _, Option<Range<usize>>)> = match node {
                ASTNode::Stmt(Stmt::Var(x, ..)) => vec![(&x.0.name, x.0.pos, None)],
                ASTNode::Stmt(Stmt::For(x, _)) => {
                    let each = std::iter::once(&x.0).chain(&x.1);
                    each.map(|it| (it.name.as_str(), it.pos, range(&x.2.body, lines))).collect()
                }
                ASTNode::Stmt(Stmt::TryCatch(x, _)) => match &x.expr {
                    Expr::Variable(name, _, at) => vec![(&name.1, *at, range(&x.branch, lines))],
                    _ => Vec::new(),
                },
                _ => Vec::new(),
            };
            let of_loop = matches!(node, ASTNode::Stmt(Stmt::For(..)));
            for (name, at, visible) in declared {
                let Some(at) = lines.offset(at) else { continue };
                let visible = visible.unwrap_or_else(|| rest_of_block(at));
                all.push(Declared { name: name.into(), at, visible, of_loop });
            }
        });
        Variables { all, module }
    }

    pub fn seen(&self, at: usize) -> impl Iterator<Item = &str> {
        // A closure takes nothing from around it.
        let around = self.module.closures.iter().filter(|(body, _)| body.contains(&at));
        let closure = around.map(|(body, _)| body.start).max();
        let seen = self.all.iter().filter(move |it| {
            it.visible.contains(&at) && closure.is_none_or(|start| start <= it.visible.start)
        });
        seen.map(|it| it.name.as_str())
    }

    /// Returns the variable of a name that the function around a place declares elsewhere: the last before the place, or
    /// else the first behind it.
    pub fn elsewhere(&self, name: &str, at: usize) -> Option<&Declared> {
        let body = self.module.functions.iter().map(|it| &it.body).find(|body| body.contains(&at))?;
        let all = self.all.iter().filter(|it| it.name == name && body.contains(&it.at));
        let before = all.clone().filter(|it| it.at < at).max_by_key(|it| it.at);
        before.or_else(|| all.min_by_key(|it| it.at))
    }
}

fn range(block: &StmtBlock, lines: &Lines) -> Option<Range<usize>> {
    let (start, end) = (lines.offset(block.position())?, lines.offset(block.end_position())?);
    (start < end).then_some(start..end)
}
