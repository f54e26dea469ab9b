//! Properties and methods of the game.

use super::super::super::support::names::{NAMES, Name};
use super::{Grow, Ty, asked, call};

impl Grow {
    /// Returns a property or a method of this type, or a leaf if there is none.
    pub(super) fn named(&mut self, ty: Ty, depth: u32) -> String {
        // A faulty script may ask for the rank of a card that is missing.
        let blind = self.risk > 0 && self.chance(8);
        let usable = |name: &&Name| {
            let owned = self.has(name.owner) || name.owner == Ty::Seat && self.has(Ty::View);
            name.returns == Some(ty)
                && if blind { owned || name.owner == Ty::Sure } else { owned }
                && (!name.takes_sure_card() || self.has(Ty::Sure))
        };
        let names: Vec<&'static Name> = NAMES.iter().filter(usable).collect();
        // Names that require a present card can be used more rarely.
        let of_sure: Vec<&'static Name> =
            names.iter().filter(|name| name.takes_sure_card()).copied().collect();
        let name = match (names.is_empty(), of_sure.is_empty()) {
            (true, _) if ty == Ty::Card => return "()".into(),
            (true, _) => return self.leaf(ty),
            (_, false) if self.chance(30) => self.pick(&of_sure),
            _ => self.pick(&names),
        };
        let owner = match name.owner {
            Ty::Sure if blind => self.misfit(Ty::Sure, &[Ty::Card]),
            Ty::Sure if self.errs() => self.misfit(Ty::Sure, &[Ty::Card, Ty::Card, Ty::Int, Ty::Any]),
            Ty::Seat => self.seat(1),
            owner => self.leaf(owner),
        };
        let given: Vec<String> =
            name.arguments.iter().map(|argument| self.argument(argument, depth)).collect();
        let word = &name.word;
        asked(&owner, &if name.property { word.clone() } else { call(word, &given) })
    }

    /// Returns a property of the view or a move, without subexpressions.
    pub(super) fn property(&mut self, ty: Ty) -> String {
        let usable = |name: &&Name| {
            let owned = matches!(name.owner, Ty::View | Ty::Move) && self.has(name.owner);
            name.property && name.returns == Some(ty) && owned
        };
        let names: Vec<&'static Name> = NAMES.iter().filter(usable).collect();
        if names.is_empty() {
            return "true".into();
        }
        let name = self.pick(&names);
        asked(&self.leaf(name.owner), &name.word)
    }

    pub(super) fn seat(&mut self, depth: u32) -> String {
        if (self.chance(40) || !self.has(Ty::View)) && self.has(Ty::Seat) {
            return self.variable(Ty::Seat).unwrap();
        }
        if !self.has(Ty::View) {
            return "()".into();
        }
        let view = self.leaf(Ty::View);
        asked(&view, &call("at", &[self.argument("seat", depth)]))
    }

    /// Returns an argument by its name: within its range, in valid scripts.
    fn argument(&mut self, argument: &str, depth: u32) -> String {
        if self.errs() {
            return match self.below(3) {
                0 if argument != "card" => self.misfit(Ty::Int, &[Ty::Bool, Ty::Card, Ty::Any]),
                1 => self.pick(&[0, -1, 5, 17, 1 << 40, i64::MAX, i64::MIN + 1]).to_string(),
                _ => self.expr(Ty::Int, depth.min(1)),
            };
        }
        match argument {
            "card" => self.expr(Ty::Card, depth.saturating_sub(1)),
            "sure card" => self.leaf(Ty::Sure),
            "suit" => match self.variable(Ty::Sure) {
                Some(card) if self.chance(50) => asked(&card, "suit"),
                _ => (1 + self.below(4)).to_string(),
            },
            "i" if self.chance(60) => self.below(13).to_string(),
            "n" if self.chance(60) => self.pick(&[1, 2, 3, 6, 10, 100, 1000]).to_string(),
            "i" | "n" => {
                let least = usize::from(argument == "n");
                format!("min(max({least}, {}), 1000)", self.expr(Ty::Int, depth.saturating_sub(1)))
            }
            "pile" => self.counted_up("piles", depth),
            "reserve" => self.counted_up("reserves", depth),
            "seat" => match (self.below(4), self.variable(Ty::View)) {
                (0, _) | (1, None) => "1".into(),
                (1, Some(view)) => asked(&view, "seat"),
                _ => self.counted_up("seats", depth),
            },
            other => panic!("an argument that is new here: {other}"),
        }
    }

    /// Returns a number from 1 to that property of the view.
    fn counted_up(&mut self, word: &str, depth: u32) -> String {
        let last = self.variable(Ty::View).map(|view| asked(&view, word));
        match (self.below(4), last) {
            (0, _) | (_, None) => (1 + if word == "piles" { self.below(4) } else { 0 }).to_string(),
            (1, Some(last)) => last,
            (_, Some(last)) => {
                let any = self.expr(Ty::Int, depth.saturating_sub(1));
                format!("abs({} % {last}) + 1", super::part(&any))
            }
        }
    }

    /// Returns what is asked of the view, or of one after a move.
    pub(super) fn looking_ahead(&mut self, depth: u32) -> String {
        let mut view = self.leaf(Ty::View);
        if let Some(m) = self.variable(Ty::Move).filter(|_| self.chance(60)) {
            let after = format!("{view}.after({m})");
            view = if self.errs() {
                after
            } else {
                format!("(if {m}.rolls {{ {view}.after_roll({m}, {view}.faces) }} else {{ {after} }})")
            };
        }
        match self.below(4) {
            0 => asked(&view, "cards"),
            1 => format!("{view}.pay({})", self.below(4)),
            _ => {
                let number = self.expr(Ty::Int, depth.min(1));
                let number = if self.errs() { number } else { format!("abs({} % 5)", super::part(&number)) };
                format!("{view}.playout({number}, {})", self.player(depth))
            }
        }
    }

    /// Returns the name of a player, or a choice of two.
    fn player(&mut self, depth: u32) -> String {
        if depth > 0 && self.chance(25) {
            let (test, yes) = (self.operand(Ty::Bool, depth.min(1)), self.player(depth - 1));
            return super::either(&test, &yes, &self.player(depth - 1));
        }
        let names = ["greedy", "patient", "hoarder", "random", "cautious", "beginner", "tunable:late=2"];
        format!("\"{}\"", self.pick(&names))
    }
}
