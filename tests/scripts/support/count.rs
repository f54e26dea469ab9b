//! Counts the constructs in random scripts.

use std::collections::BTreeMap;

use super::names::{NAMES, key};
use super::tree::{Case, Node, Tree, Ty, What};

/// How often each construct occurs in scripts.
#[derive(Default)]
pub struct Counts(pub BTreeMap<String, u64>);

impl Counts {
    /// Everything that a generator of scripts must produce, with a count of zero.
    pub fn expected() -> Counts {
        let mut counts = Counts::default();
        let words = "int bool () variable if if-else else-if switch _ no-default case-int case-many case-range \
            case-range= case-bool case-() case-if block block; while loop do-while do-until for-range for-range= \
            for-moves for-list for-steps for-counter list element put put-op push pop clear len is_empty let let-none shadow break break-value continue return return-value \
            return-moved call recursion const const-used min() .min() max() .max() abs() .abs() \
            score choose stage parameter-changed compare-kinds limit \
            unary- unary! + - * / % ** << >> & | ^ == != < <= > >= && || \
            = += -= *= /= %= **= <<= >>= &= |= ^=";
        words.split_whitespace().filter(|word| *word != "return-moved").for_each(|word| counts.add(word, 0));
        NAMES.iter().for_each(|name| counts.add(&name.key(), 0));
        counts
    }

    pub fn add(&mut self, what: &str, times: u64) {
        *self.0.entry(what.to_string()).or_default() += times;
    }

    fn one(&mut self, what: &str) {
        self.add(what, 1);
    }

    /// Counts the constructs of a script.
    pub fn script(&mut self, tree: &Tree) {
        for (_, value) in &tree.constants {
            self.one("const");
            self.nodes(value, "", &[]);
        }
        for function in &tree.functions {
            if matches!(function.name.as_str(), "score" | "choose" | "stage") {
                self.one(&function.name);
            }
            self.nodes(&function.body, &function.name, &function.parameters);
        }
    }

    fn nodes(&mut self, root: &Node, function: &str, parameters: &[String]) {
        let mut declared: Vec<&str> = parameters.iter().map(String::as_str).chain(["A", "B", "C"]).collect();
        root.walk(&mut |node| {
            self.node(node);
            match &node.what {
                What::Call(name) if name == function => self.one("recursion"),
                What::Let(name) => {
                    if declared.contains(&name.as_str()) {
                        self.one("shadow");
                    }
                    declared.push(name);
                }
                What::Assign(name, _) if parameters.contains(name) => self.one("parameter-changed"),
                What::Var(name) if ["A", "B", "C"].contains(&name.as_str()) => self.one("const-used"),
                _ => {}
            }
        });
    }

    fn node(&mut self, node: &Node) {
        let kids = &node.kids;
        let some = |name: &str, value: bool| if value { format!("{name}-value") } else { name.to_string() };
        match &node.what {
            What::Int(n) => self.one(if n.unsigned_abs() > 1 << 62 { "limit" } else { "int" }),
            What::Bool(_) => self.one("bool"),
            What::Unit => self.one("()"),
            What::Var(_) => self.one("variable"),
            What::Unary(op) => self.one(&format!("unary{op}")),
            What::Binary(op) => {
                self.one(op);
                let plain = |ty: Ty| matches!(ty, Ty::Int | Ty::Bool | Ty::Card);
                if kids[0].ty != kids[1].ty && plain(kids[0].ty) && plain(kids[1].ty) {
                    self.one("compare-kinds");
                }
            }
            What::Call(name) if matches!(name.as_str(), "min" | "max" | "abs") => {
                self.one(&format!("{name}()"))
            }
            What::Call(_) => self.one("call"),
            What::Get(word) | What::Method(word) => {
                let of_numbers = matches!(word.as_str(), "min" | "max" | "abs");
                let of_lists = matches!(&kids[0].ty, Ty::List).then_some(word.as_str());
                of_lists.into_iter().for_each(|word| self.one(word));
                match kids[0].ty {
                    _ if of_numbers => self.one(&format!(".{word}()")),
                    Ty::Int if !NAMES.iter().any(|name| name.owner == Ty::Int && name.word == *word) => {}
                    owner @ (Ty::View | Ty::Move | Ty::Sure | Ty::Seat | Ty::Int) => {
                        self.one(&key(owner, word))
                    }
                    _ => {}
                }
            }
            What::If => self.one(match kids.get(2).map(|other| &other.what) {
                None => "if",
                Some(What::If) => "else-if",
                Some(_) => "if-else",
            }),
            What::Switch => {
                self.one("switch");
                let last = kids.last().map(|arm| &arm.what);
                self.one(if last == Some(&What::Arm(vec![])) { "_" } else { "no-default" });
            }
            What::Arm(cases) => {
                if cases.len() > 1 {
                    self.one("case-many");
                }
                if kids.len() > 1 {
                    self.one("case-if");
                }
                for case in cases {
                    self.one(match case {
                        Case::Int(_) => "case-int",
                        Case::Range(_, _, false) => "case-range",
                        Case::Range(_, _, true) => "case-range=",
                        Case::Bool(_) => "case-bool",
                        Case::Unit => "case-()",
                    });
                }
            }
            What::Block(semicolon) => self.one(if *semicolon { "block;" } else { "block" }),
            What::While => self.one("while"),
            What::Loop => self.one("loop"),
            What::Do(until) => self.one(if *until { "do-until" } else { "do-while" }),
            What::For(_, counter) => {
                if counter.is_some() {
                    self.one("for-counter");
                }
                match &kids[0].what {
                    What::Range(false) => self.one("for-range"),
                    What::Range(true) => self.one("for-range="),
                    What::Call(_) if kids[0].ty == Ty::Many => self.one("for-steps"),
                    _ if kids[0].ty == Ty::List => self.one("for-list"),
                    _ => self.one("for-moves"),
                }
            }
            What::Range(_) | What::Raw(_) => {}
            What::List => self.one("list"),
            What::Element => self.one("element"),
            What::Put(_, op) => self.one(if *op == "=" { "put" } else { "put-op" }),
            What::Let(_) => self.one(if kids.is_empty() { "let-none" } else { "let" }),
            What::Assign(_, op) => self.one(op),
            What::Break => self.one(&some("break", !kids.is_empty())),
            What::Continue => self.one("continue"),
            What::Return => self.one(&some("return", !kids.is_empty())),
        }
    }
}
