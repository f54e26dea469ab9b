//! Generates random scripts. Most are valid to the end; many of the others have a fault somewhere.

mod expressions;
mod members;
mod statements;

use std::fmt;

use rand_chacha::ChaCha8Rng;
use saratoga::cards::{Purpose, below, generator};

use super::names::Ty;

/// A random script: each statement on lines of its own.
#[derive(Clone, PartialEq, Eq)]
pub struct Random {
    pub text: String,
    /// Whether some of its functions use what is not compiled.
    pub mixed: bool,
}

/// A failing test shows the script itself.
impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n{}", self.text)
    }
}

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
struct Grow {
    rng: ChaCha8Rng,
    scope: Vec<Local>,
    signatures: Vec<Signature>,
    /// The function being generated, by its index among the signatures; past them for the entry.
    here: usize,
    /// Number of expressions and statements left for the function.
    fuel: i32,
    /// Probability, in thousandths, of a fault at each possible place.
    risk: u32,
    mixed: bool,
    /// Whether it looks ahead and plays sampled deals out.
    ahead: bool,
    /// Whether there is a memory: not while a script is loaded.
    memory: bool,
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
pub fn script(number: u64) -> Random {
    let mut rng = generator(number, 0, Purpose::Strategy);
    let faulty = below(&mut rng, 100) < 40;
    let mixed = below(&mut rng, 100) < 12;
    let ahead = below(&mut rng, 100) < 8;
    let risk = if faulty { [10, 30, 80][below(&mut rng, 3) as usize] } else { 0 };
    let elements = [Ty::Int, Ty::Int, Ty::Int, Ty::Card, Ty::Any][below(&mut rng, 5) as usize];
    let grow = Grow {
        rng,
        scope: Vec::new(),
        signatures: Vec::new(),
        here: 0,
        fuel: 0,
        risk,
        mixed,
        ahead,
        memory: false,
        loops: 0,
        counted: 0,
        returns: Ty::Nothing,
        elements,
    };
    Random { text: grow.text(), mixed: mixed || ahead }
}

/// Writes an expression as a part of another.
fn part(text: &str) -> String {
    let bare = !text.contains(char::is_whitespace) && !text.starts_with(['-', '!']);
    if bare { text.into() } else { format!("({text})") }
}

fn binary(op: &str, left: &str, right: &str) -> String {
    format!("{} {op} {}", part(left), part(right))
}

/// Writes what is asked of a value.
fn asked(of: &str, word: &str) -> String {
    // A method of an element itself is interpreted.
    if of.starts_with("memory[") { format!("(0 + {of}).{word}") } else { format!("{}.{word}", part(of)) }
}

fn call(name: &str, arguments: &[String]) -> String {
    format!("{name}({})", arguments.join(", "))
}

/// Writes `if condition { yes } else { no }`.
fn either(condition: &str, yes: &str, no: &str) -> String {
    format!("if {} {{\n{yes}\n}} else {{\n{no}\n}}", condition_of(condition))
}

fn when(condition: &str, statement: &str) -> String {
    format!("if {} {{\n{statement};\n}}", condition_of(condition))
}

/// Writes what stands before a block, where no other block is allowed.
fn condition_of(text: &str) -> String {
    if text.contains('{') { format!("({text})") } else { text.into() }
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

    fn text(mut self) -> String {
        let mut text = String::new();
        for name in ["A", "B", "C"] {
            if self.chance(50) {
                let ty = self.pick(&[Ty::Int, Ty::Int, Ty::Bool]);
                // A faulty constant is reported at load.
                let risk = std::mem::take(&mut self.risk);
                self.fuel = 5;
                text += &format!("const {name} = {};\n", self.expr(ty, 1));
                self.risk = risk;
                self.declare(name, ty, true);
            }
        }
        self.memory = true;
        let scores = self.chance(70);
        for i in 0..self.pick(&[0, 1, 1, 2, 2, 3, 4, 5]) {
            let signature = self.signature(i);
            self.signatures.push(signature);
        }
        self.signatures.sort_by_key(|signature| signature.layer);
        for here in 0..self.signatures.len() {
            let signature = self.signatures[here].clone();
            self.here = here;
            text += &self.function(&signature);
        }
        self.here = self.signatures.len();
        let view = ("view".to_string(), Ty::View);
        let (name, parameters, returns, wrong) = if scores {
            let m = ("m".to_string(), Ty::Move);
            ("score", vec![view.clone(), m], Ty::Int, [Ty::Bool, Ty::Card, Ty::Any])
        } else {
            ("choose", vec![view.clone()], Ty::MaybeMove, [Ty::Int, Ty::Card, Ty::Bool])
        };
        let returns = if self.errs() { self.pick(&wrong) } else { returns };
        text += &self.function(&Signature { name: name.into(), parameters, returns, layer: Layer::Top });
        if self.chance(15) {
            let parameters = vec![view, ("at".to_string(), Ty::Nothing), ("cost".to_string(), Ty::Int)];
            let (name, returns) = ("stage".into(), Ty::Bool);
            text += &self.function(&Signature { name, parameters, returns, layer: Layer::Top });
        }
        text
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
        use Ty::{Any, Bool, Card, Int, List, MaybeMove, Move, Nothing, Seat, Sure};
        match self.below(10) {
            // What depends on the view alone, or on one card, may be cached when it is used again.
            0 => {}
            1 | 2 => {
                let card = self.pick(&[Card, Sure]);
                if self.chance(60) {
                    parameters.retain(|(_, ty)| *ty != Ty::View);
                }
                parameters.push(("q".to_string(), card));
            }
            _ => {
                for name in ["p", "q", "r"] {
                    if self.chance(45) {
                        let kinds =
                            [Int, Int, Bool, Card, Card, Sure, Move, Any, Seat, MaybeMove, List, List];
                        parameters.push((name.to_string(), self.pick(&kinds)));
                    }
                }
            }
        }
        let returns = self.pick(&[Int, Int, Int, Bool, Bool, Card, Any, Nothing, List]);
        Signature { name: format!("f{i}"), parameters, returns, layer }
    }

    fn function(&mut self, Signature { name, parameters, returns, layer }: &Signature) -> String {
        let constants = self.scope.len();
        for (name, ty) in parameters {
            self.declare(name, *ty, matches!(ty, Ty::View | Ty::Nothing) || name == COUNT);
        }
        self.fuel = self.pick(&[6, 15, 25, 40, 60, 90, 140]);
        (self.returns, self.loops, self.counted) = (*returns, 0, 0);
        let keeps = self.chance(85);
        if keeps {
            self.declare(TOTAL, Ty::Int, true);
        }
        let mut body = Vec::new();
        if self.mixed && self.chance(40) {
            let beyond = [
                "let text = \"seen\"",
                "let list = [[1], 2]",
                "let map = #{ a: 1 }",
                "let f = |x| x + 1",
                "print(\"here\")",
                "let half = 0.5",
            ];
            body.push(self.pick(&beyond).to_string());
        }
        if keeps {
            body.push(format!("let {TOTAL} = 0"));
        }
        // Sometimes nothing stops it.
        let stops = self.risk == 0 || self.chance(75);
        if *layer == Layer::CountsDown && stops {
            let value = if *returns == Ty::Nothing { String::new() } else { self.leaf(*returns) };
            body.push(when(&format!("{COUNT} <= 0"), &format!("return {value}")));
        }
        let value = self.statements(&mut body, *returns, 5);
        let value = if keeps { self.with_total(value, &mut body, *returns, name) } else { value };
        let block = self.braced(body, value);
        self.scope.truncate(constants);
        let parameters: Vec<&str> = parameters.iter().map(|(name, _)| name.as_str()).collect();
        format!("fn {name}({}) {block}\n", parameters.join(", "))
    }

    fn declare(&mut self, name: &str, ty: Ty, fixed: bool) {
        self.scope.push(Local { name: name.into(), ty, fixed });
    }

    /// Runs a closure in a scope of its own.
    fn scoped<T>(&mut self, grow: impl FnOnce(&mut Grow) -> T) -> T {
        let before = self.scope.len();
        let grown = grow(self);
        self.scope.truncate(before);
        grown
    }

    /// Returns a name for a new variable, often one that hides another.
    fn new_name(&mut self) -> String {
        self.pick(&["a", "b", "c", "d", "e", "g", "h", "k", "w", "x", "y", "z", "A"]).into()
    }

    /// Returns the variables in scope, the innermost of each name.
    fn seen(&self, wanted: impl Fn(&Local) -> bool) -> Vec<Local> {
        let hidden = |i: usize| self.scope[i + 1..].iter().any(|later| later.name == self.scope[i].name);
        let seen = (0..self.scope.len()).filter(|&i| !hidden(i) && wanted(&self.scope[i]));
        seen.map(|i| self.scope[i].clone()).collect()
    }

    /// Returns one of the variables of a type.
    fn variable(&mut self, ty: Ty) -> Option<String> {
        let seen = self.seen(|local| local.ty == ty);
        (!seen.is_empty()).then(|| self.pick(&seen).name)
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
            // The parser reads the smallest number as the negation of one that is too large.
            3 if limits => self.pick(&[i64::MAX, i64::MIN + 1, i64::MAX - 1, 1 << 62, 1 << 32]),
            _ => self.below(14) as i64,
        }
    }
}
