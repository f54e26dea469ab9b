//! Generates random scripts. Most are valid to the end; many of the others have a fault somewhere.

mod expressions;
mod lists;
mod members;
mod statements;
mod totals;

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Purpose, below, generator};

use super::tree::{Function, Node, Tree, Ty, What};

/// The parameters of a function, and who may call it.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: Vec<(String, Ty)>,
    returns: Ty,
    layer: Layer,
}

/// Which functions call which, so that valid scripts terminate: leaves call later leaves, those that count down call
/// each other and leaves, those at the top call all but earlier ones at the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Layer {
    Top,
    CountsDown,
    Leaf,
}

/// A variable in scope.
#[derive(Clone, Debug)]
struct Local {
    name: String,
    ty: Ty,
    /// Whether it is never assigned.
    fixed: bool,
}

/// Generates one script.
pub struct Grow {
    rng: ChaCha8Rng,
    scope: Vec<Local>,
    signatures: Vec<Signature>,
    /// The function being generated, by its index among the signatures; past them for the entry.
    here: usize,
    /// Number of nodes left for the function.
    fuel: i32,
    /// Probability, in thousandths, of a fault at each possible place.
    risk: u32,
    mixed: bool,
    /// Number of enclosing loops.
    loops: u32,
    /// Number of calls of functions that count down, so far.
    counted: u32,
    returns: Ty,
    /// Element type of all lists in the script.
    elements: Ty,
}

/// The parameter that counts down.
const COUNT: &str = "n";

/// A function's running total of all values that it computes, so that nothing is without effect.
const TOTAL: &str = "total";

/// Returns the script that [`Grow`] generates for a number.
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

    /// Returns whether to produce a fault here.
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
                // A faulty constant is reported at load.
                let risk = std::mem::take(&mut self.risk);
                self.fuel = 5;
                let mut value = self.expr(ty, 1);
                // There is no memory while a script is loaded.
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
            // What depends on the view alone, or on one card, may be cached when it is used again.
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
        // Sometimes nothing stops it.
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

    /// Returns a name for a new variable, often one that hides another.
    fn new_name(&mut self) -> String {
        self.pick(&["a", "b", "c", "d", "e", "g", "h", "k", "w", "x", "y", "z", "A"]).into()
    }

    /// Returns the variables in scope, the innermost of each name.
    fn seen(&self, wanted: impl Fn(&Local) -> bool) -> Vec<Local> {
        let hidden = |i: usize| self.scope[i + 1..].iter().any(|later| later.name == self.scope[i].name);
        (0..self.scope.len())
            .filter(|&i| !hidden(i) && wanted(&self.scope[i]))
            .map(|i| self.scope[i].clone())
            .collect()
    }

    /// Returns one of the variables of a type.
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

    /// Returns whole numbers as people write them, and at the limits where that does no harm.
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
