//! Grows random scripts. Most are sound to their end; of the others many run into a fault somewhere.

mod expressions;
mod lists;
mod members;
mod statements;
mod totals;

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Purpose, below, generator};

use super::tree::{Function, Node, Tree, Ty, What};

/// What a function may be called with, and from where.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: Vec<(String, Ty)>,
    returns: Ty,
    layer: Layer,
}

/// Which functions call which, so that sound scripts come to an end: leaves call later leaves, those that count
/// down call each other and leaves, those at the top call all but earlier ones at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Top,
    CountsDown,
    Leaf,
}

/// A variable that is seen.
#[derive(Clone, Debug)]
struct Local {
    name: String,
    ty: Ty,
    /// Nothing is assigned to it.
    fixed: bool,
}

/// Grows one script.
pub struct Grow {
    rng: ChaCha8Rng,
    scope: Vec<Local>,
    signatures: Vec<Signature>,
    /// The function that is growing, by its place among the signatures; past them for the entry.
    here: usize,
    /// Nodes that the function may still have.
    fuel: i32,
    /// Of a thousand places where something can go wrong, in how many it does.
    risk: u32,
    mixed: bool,
    /// Loops around this place.
    loops: u32,
    /// Calls of functions that count down, so far.
    counted: u32,
    returns: Ty,
    /// What is in all lists of the script.
    elements: Ty,
}

/// Parameters that count down.
const COUNT: &str = "n";

/// What a function keeps of all that it comes to, so that nothing in it is in vain.
const TOTAL: &str = "total";

/// What [`Grow`] makes of a number.
pub fn tree(number: u64) -> Tree {
    let mut rng = generator(number, 0, Purpose::Strategy);
    let faulty = below(&mut rng, 100) < 40;
    let mixed = below(&mut rng, 100) < 12;
    let risk = if faulty { [10, 30, 80][below(&mut rng, 3) as usize] } else { 0 };
    let mut grow = Grow {
        rng,
        scope: Vec::new(),
        signatures: Vec::new(),
        here: 0,
        fuel: 0,
        risk,
        mixed,
        loops: 0,
        counted: 0,
        returns: Ty::Nothing,
        elements: Ty::Int,
    };
    grow.elements = grow.pick(&[Ty::Int, Ty::Int, Ty::Int, Ty::Card, Ty::Any]);
    grow.script(faulty)
}

impl Grow {
    fn below(&mut self, n: usize) -> usize {
        below(&mut self.rng, n as u32) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Something is to go wrong here.
    fn errs(&mut self) -> bool {
        self.risk > 0 && below(&mut self.rng, 1000) < self.risk
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }

    fn script(&mut self, faulty: bool) -> Tree {
        let mut constants = Vec::new();
        for name in ["A", "B", "C"] {
            if self.chance(50) {
                let ty = self.pick(&[Ty::Int, Ty::Int, Ty::Bool]);
                // A faulty constant is told at load.
                let risk = std::mem::take(&mut self.risk);
                self.fuel = 5;
                let mut value = self.expr(ty, 1);
                // Nothing is remembered while a script is loaded.
                value.forget();
                self.risk = risk;
                constants.push((name.to_string(), value));
                self.declare(name, ty, true);
            }
        }
        let scores = self.chance(70);
        for i in 0..self.pick(&[0, 1, 1, 2, 2, 3, 4, 5]) {
            let signature = self.signature(i);
            self.signatures.push(signature);
        }
        self.signatures.sort_by_key(|signature| signature.layer);
        let mut functions = Vec::new();
        for here in 0..self.signatures.len() {
            let Signature { name, parameters, returns, layer } = self.signatures[here].clone();
            self.here = here;
            functions.push(self.function(&name, &parameters, returns, layer));
        }
        self.here = self.signatures.len();
        let view = ("view".to_string(), Ty::View);
        functions.push(if scores {
            let m = ("m".to_string(), Ty::Move);
            let returns = if self.errs() { self.pick(&[Ty::Bool, Ty::Card, Ty::Any]) } else { Ty::Int };
            self.function("score", &[view.clone(), m], returns, Layer::Top)
        } else {
            let returns = if self.errs() { self.pick(&[Ty::Int, Ty::Card, Ty::Bool]) } else { Ty::MaybeMove };
            self.function("choose", std::slice::from_ref(&view), returns, Layer::Top)
        });
        if self.chance(15) {
            let words = [("at".to_string(), Ty::Nothing), ("cost".to_string(), Ty::Int)];
            let parameters: Vec<_> = [view].into_iter().chain(words).collect();
            functions.push(self.function("stage", &parameters, Ty::Bool, Layer::Top));
        }
        Tree { constants, functions, faulty, mixed: self.mixed }
    }

    fn signature(&mut self, i: usize) -> Signature {
        let layer = self.pick(&[Layer::Top, Layer::Top, Layer::CountsDown, Layer::Leaf, Layer::Leaf]);
        let mut parameters = Vec::new();
        if self.chance(80) {
            parameters.push(("view".to_string(), Ty::View));
        }
        if layer == Layer::CountsDown {
            parameters.push((COUNT.to_string(), Ty::Int));
        }
        let kinds = [
            Ty::Int,
            Ty::Int,
            Ty::Bool,
            Ty::Card,
            Ty::Card,
            Ty::Sure,
            Ty::Move,
            Ty::Any,
            Ty::Seat,
            Ty::MaybeMove,
            Ty::List,
            Ty::List,
        ];
        match self.below(10) {
            // What depends on the view alone, or on one card, could be known already when it is asked again.
            0 => {}
            1 | 2 => {
                let card = self.pick(&[Ty::Card, Ty::Sure]);
                if self.chance(60) {
                    parameters.retain(|(_, ty)| *ty != Ty::View);
                }
                parameters.push(("q".to_string(), card));
            }
            _ => {
                for name in ["p", "q", "r"] {
                    if self.chance(45) {
                        let kind = self.pick(&kinds);
                        parameters.push((name.to_string(), kind));
                    }
                }
            }
        }
        let kinds = [Ty::Int, Ty::Int, Ty::Int, Ty::Bool, Ty::Bool, Ty::Card, Ty::Any, Ty::Nothing, Ty::List];
        Signature { name: format!("f{i}"), parameters, returns: self.pick(&kinds), layer }
    }

    fn function(&mut self, name: &str, parameters: &[(String, Ty)], returns: Ty, layer: Layer) -> Function {
        let constants = self.scope.len();
        for (name, ty) in parameters {
            self.declare(name, *ty, matches!(ty, Ty::View | Ty::Nothing) || name == COUNT);
        }
        self.fuel = self.pick(&[6, 15, 25, 40, 60, 90, 140]);
        (self.returns, self.loops, self.counted) = (returns, 0, 0);
        let keeps = self.chance(85);
        if keeps {
            self.declare(TOTAL, Ty::Int, true);
        }
        let mut body = self.block(returns, 5);
        if keeps {
            self.end_with_total(&mut body, name);
        }
        // Now and then nothing stops it.
        let stops = self.risk == 0 || self.chance(75);
        if layer == Layer::CountsDown && stops {
            let done = Node::new(What::Binary("<="), Ty::Bool, vec![Node::var(COUNT, Ty::Int), Node::int(0)]);
            let value = match returns {
                Ty::Nothing => vec![],
                _ => vec![self.leaf(returns)],
            };
            let back = Node::new(What::Return, Ty::Nothing, value);
            let block = Node::new(What::Block(true), Ty::Nothing, vec![back]);
            body.kids.insert(0, Node::new(What::If, Ty::Nothing, vec![done, block]));
        }
        if keeps {
            let start = Node::new(What::Let(TOTAL.into()), Ty::Nothing, vec![Node::int(0)]);
            body.kids.insert(0, start);
        }
        if self.mixed && self.chance(40) {
            let beyond = [
                "let text = \"seen\"",
                "let list = [[1], 2]",
                "let map = #{ a: 1 }",
                "let f = |x| x + 1",
                "print(\"here\")",
                "let half = 0.5",
            ];
            let beyond = self.pick(&beyond).to_string();
            body.kids.insert(0, Node::new(What::Raw(beyond), Ty::Nothing, vec![]));
        }
        self.scope.truncate(constants);
        Function {
            name: name.into(),
            parameters: parameters.iter().map(|(name, _)| name.clone()).collect(),
            body,
        }
    }

    fn declare(&mut self, name: &str, ty: Ty, fixed: bool) {
        self.scope.push(Local { name: name.into(), ty, fixed });
    }

    /// A name for a new variable, often one that hides another.
    fn new_name(&mut self) -> String {
        self.pick(&["a", "b", "c", "d", "e", "g", "h", "k", "w", "x", "y", "z", "A"]).into()
    }

    /// The variables that are seen, the innermost of each name.
    fn seen(&self, wanted: impl Fn(&Local) -> bool) -> Vec<Local> {
        let hidden = |i: usize| self.scope[i + 1..].iter().any(|later| later.name == self.scope[i].name);
        (0..self.scope.len())
            .filter(|&i| !hidden(i) && wanted(&self.scope[i]))
            .map(|i| self.scope[i].clone())
            .collect()
    }

    /// One of the variables of a type.
    fn variable(&mut self, ty: Ty) -> Option<Node> {
        let seen = self.seen(|local| local.ty == ty);
        if seen.is_empty() {
            return None;
        }
        let local = self.pick(&seen);
        Some(Node::var(&local.name, ty))
    }

    fn has(&self, ty: Ty) -> bool {
        !self.seen(|local| local.ty == ty).is_empty()
    }

    /// Whole numbers as people write them, and at their limits where that does no harm.
    fn number(&mut self, limits: bool) -> i64 {
        match self.below(20) {
            0 => -1,
            1 => self.pick(&[-2, -3, -7, -12]),
            2 => self.pick(&[50, 64, 100, 999, 1_000_000]),
            3 if limits => self.pick(&[i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 1 << 62, 1 << 32]),
            _ => self.below(14) as i64,
        }
    }
}
