//! What can be written in the language of scripts, by the kind of its value. In braces stand holes:
//!
//! | hole | what is put there |
//! |---|---|
//! | `{i}` `{f}` `{b}` `{t}` `{l}` `{m}` `{c}` `{v}` `{r}` `{a}` | an expression of a [`Kind`] |
//! | `{I}` `{L}` `{M}` `{T}` `{A}` | a variable of a kind, or a new one |
//! | `{n}` | a small number, `{N}` any number, `{k}` a key, `{w}` a text without interpolation |
//! | `{0}` `{1}` `{2}` | a closure with so many parameters, `{?}` one that answers with a truth value, `{<}` one that compares |
//! | `{s}` | a block of statements that has a value |
//!
//! The first of each list has no holes: it ends the growth.

use super::values::{ANY, BOOL, CARD, FLOAT, INT, LIST, MAP, MOVE, RANGE, TEXT};

/// Kinds of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int,
    Float,
    Bool,
    Text,
    List,
    Map,
    Card,
    Move,
    Range,
    Any,
}

impl Kind {
    pub const ALL: [Kind; 10] = [
        Kind::Int,
        Kind::Float,
        Kind::Bool,
        Kind::Text,
        Kind::List,
        Kind::Map,
        Kind::Card,
        Kind::Move,
        Kind::Range,
        Kind::Any,
    ];

    /// The kind of a hole.
    pub fn of(hole: char) -> Option<Kind> {
        let at = "ifbtlmcvra".find(hole.to_ascii_lowercase())?;
        Some(Kind::ALL[at])
    }

    pub fn templates(self) -> &'static [&'static str] {
        match self {
            Kind::Int => INT,
            Kind::Float => FLOAT,
            Kind::Bool => BOOL,
            Kind::Text => TEXT,
            Kind::List => LIST,
            Kind::Map => MAP,
            Kind::Card => CARD,
            Kind::Move => MOVE,
            Kind::Range => RANGE,
            Kind::Any => ANY,
        }
    }
}

/// Statements. Those that loop end sooner or later.
pub const STATEMENTS: &[&str] = &[
    "();",
    "let {new} = {a};",
    "let {new} = {i};",
    "let {new} = {l};",
    "let {new} = {m};",
    "let {new} = {t};",
    "const {new} = {a};",
    "{I} += {i};",
    "{I} -= {i};",
    "{I} = {i};",
    "{I} *= {i};",
    "{I} <<= {n};",
    "{L}.push({a});",
    "{L}[{n}] = {a};",
    "{L} += {a};",
    "{L}[{n}] += {i};",
    "{M}.{k} = {a};",
    "{M}.{k} += {a};",
    "{M}[\"{k}\"] = {a};",
    "{T} += {a};",
    "{T} += `{w}${{a}}`;",
    "{A} = {a};",
    "print({a});",
    "print({t});",
    "debug({a});",
    "if {b} { {s} }",
    "if {b} { {s} } else { {s} }",
    "if {b} { {s} } else if {b} { {s} }",
    "for x in {r} { {s} }",
    "for x in {l} { {s} }",
    "for (x, i) in {l} { {s} }",
    "for c in {t} { {s} }",
    "for k in {m}.keys() { {s} }",
    "for x in {l} { if {b} { continue; } {s} }",
    "for x in {r} { if {b} { break; } {s} }",
    "let {new} = 0; while {b} { {last} += 1; if {last} > {n} { break; } {s} }",
    "let {new} = 0; loop { {last} += 1; if {last} > {n} { break {a}; } {s} }",
    "let {new} = 0; do { {last} += 1; {s} } while {last} < {n};",
    "let {new} = 0; do { {last} += 1; {s} } until {last} >= {n};",
    "switch {a} { {n} => { {s} } \"a\" => { {s} } _ => { {s} } }",
    "switch {i} { {n} if {b} => { {s} } 0..3 => { {s} } _ => () }",
    "try { {s} } catch { {s} }",
    "try { {s} } catch (e) { print(e); }",
    "try { throw {a}; } catch (e) { {A} = e; }",
    "if {b} { throw {a}; }",
    "if {b} { return {i}; }",
    "{ {s} }",
    "{l}.for_each({1});",
    "{L}.sort();",
    "{L}.sort({<});",
    "{L}.dedup();",
    "{L}.retain({?});",
    "{L}.clear();",
    "{T}.trim();",
    "{T}.make_lower();",
    "{M}.mixin({m});",
    "let {new} = {1};",
    "let {new} = {2};",
    "view.random({n});",
    "let {new} = view.moves;",
    "let {new} = {v};",
    "let {new} = {c};",
    "{L}.append({l});",
    "{M}.remove(\"{k}\");",
    "for x in 0..{n} { for y in {r} { {s} } }",
];

/// What stands at the top, as constants. Only plain data are sound there.
pub const CONSTANTS: &[&str] = &[
    "1",
    "{N}",
    "true",
    "\"{w}\"",
    "[1, \"two\", [3.0, '4']]",
    "#{ a: 1, list: [1, 2, 3], text: \"abc\" }",
    "(2 + {n} * 3)",
    "param({n}, 0..=13)",
    "param(true)",
    "[#{ a: [1], b: \"x\" }, #{ a: [2], b: \"y\" }]",
    "(-5)",
    "#{ a: #{ b: #{ c: [] } } }",
    "[]",
    "0.25",
    "()",
    "'c'",
    "[[[[]]]]",
    "if true { 1 } else { 2 }",
    "\"a\".len()",
    "[3, 1, 2].len()",
    "1..5",
];

/// Ways to keep something from one decision for the next, or to leave the language: all are to be refused, or to
/// come to nothing.
pub const HOSTILE: &[&str] = &[
    "const {new} = { let n = 0; || { n += 1; n } };",
    "const {new} = || 1;",
    "const {new} = Fn(\"f0\");",
    "const {new} = { let l = [0]; let f = || l; l };",
    "const {new} = { let m = #{}; m.f = |x| x; m };",
    "const {new} = blob(8);",
    "const {new} = { let n = 1; let f = |x| n + x; [f] };",
    "const {new} = timestamp();",
];

/// The same within functions.
pub const HOSTILE_STATEMENTS: &[&str] = &[
    "let {new} = ({1}).curry({a});",
    "let {new} = 0; let {new2} = || {last} += 1; {new2}.call();",
    "let {new} = |x| view;",
    "view.tag = view.tag + 1;",
    "{A}.set_tag({n});",
    "let {new} = {A}.tag;",
    "view = {i};",
    "view = #{ moves: 1 };",
    "let {new} = {L}; let {new2} = || {last}.push({a}); {new2}.call();",
    "let {new} = #{}; let {new2} = || {last}; {last}.f = {new2};",
    "eval({t});",
    "let {new} = blob({n}, 0);",
    "let {new} = Fn(\"f0\").call(view, {i});",
    "call(\"f0\", view, 1);",
    "{A}.is_shared();",
    "let {new} = parse_json({t});",
    "let {new} = ({1}).name;",
    "let {new} = is_shared({a});",
    "let {new} = f0;",
    "import \"{k}\" as x;",
    "let {new} = global::D;",
    "this += 1;",
    "({1}).curry({a}).curry({a});",
    "let {new} = {L}; {new}.for_each(|| this += 1);",
    "let {new} = [{L}]; {last}[0].for_each(|x| {last}.push(x));",
    "sleep(1);",
    "exit();",
    "let {new} = timestamp();",
    "view.moves.push({v});",
    "view.moves[0] = {v};",
    "D.a = {a};",
    "D.list.push({a});",
    "E[0] = {a};",
    "D.list.sort();",
    "let {new} = D; {last}.a = {a};",
    "f0.call(view, 1);",
];
