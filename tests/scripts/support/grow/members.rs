//! Properties and methods of the game.

use super::super::names::{NAMES, Name};
use super::super::tree::{Node, Ty, What};
use super::Grow;

impl Grow {
    /// Returns a property or a method of this type, or a leaf if there is none.
    pub(super) fn named(&mut self, ty: Ty, depth: u32) -> Node {
        // A faulty script may ask for the rank of a card that is missing.
        let blind = self.risk > 0 && self.chance(8);
        let usable = |name: &&Name| {
            name.returns == Some(ty)
                && (self.owned(name.owner) && !blind || blind && name.owner == Ty::Sure)
                && name.arguments.iter().all(|argument| argument != "sure card" || self.has(Ty::Sure))
        };
        let names: Vec<&'static Name> = NAMES.iter().filter(usable).collect();
        if names.is_empty() {
            return match ty {
                Ty::Card => Node::unit(ty),
                _ => self.leaf(ty),
            };
        }
        // Names that require a present card can be used more rarely.
        let of_sure = |name: &&&'static Name| name.arguments.iter().any(|argument| argument == "sure card");
        let of_sure: Vec<&'static Name> = names.iter().filter(of_sure).copied().collect();
        let name = match of_sure.is_empty() {
            false if self.chance(30) => self.pick(&of_sure),
            _ => self.pick(&names),
        };
        let owner = if blind { self.misfit(Ty::Sure, &[Ty::Card]) } else { self.owner(name.owner) };
        let mut kids = vec![owner];
        for argument in &name.arguments {
            kids.push(self.argument(argument, depth));
        }
        let what = if name.property { What::Get(name.word.clone()) } else { What::Method(name.word.clone()) };
        Node::new(what, ty, kids)
    }

    /// Returns a property of the view or a move, without subexpressions.
    pub(super) fn property(&mut self, ty: Ty) -> Node {
        let usable = |name: &&Name| {
            name.property
                && name.returns == Some(ty)
                && matches!(name.owner, Ty::View | Ty::Move)
                && self.has(name.owner)
        };
        let names: Vec<&'static Name> = NAMES.iter().filter(usable).collect();
        if names.is_empty() {
            return Node::new(What::Bool(true), ty, vec![]);
        }
        let name = self.pick(&names);
        let owner = self.leaf(name.owner);
        Node::new(What::Get(name.word.clone()), ty, vec![owner])
    }

    fn owned(&self, owner: Ty) -> bool {
        match owner {
            Ty::Seat => self.has(Ty::Seat) || self.has(Ty::View),
            owner => self.has(owner),
        }
    }

    fn owner(&mut self, owner: Ty) -> Node {
        match owner {
            Ty::Sure if self.errs() => self.misfit(Ty::Sure, &[Ty::Card, Ty::Card, Ty::Int, Ty::Any]),
            Ty::Seat => self.seat(1),
            owner => self.leaf(owner),
        }
    }

    pub(super) fn seat(&mut self, depth: u32) -> Node {
        if self.chance(40)
            && let Some(seat) = self.variable(Ty::Seat)
        {
            return seat;
        }
        if !self.has(Ty::View) {
            return self.variable(Ty::Seat).unwrap_or(Node::unit(Ty::Seat));
        }
        let kids = vec![self.leaf(Ty::View), self.argument("seat", depth)];
        Node::new(What::Method("at".into()), Ty::Seat, kids)
    }

    /// Returns a property of the view.
    fn view(&mut self, word: &str) -> Option<Node> {
        let view = self.variable(Ty::View)?;
        Some(Node::new(What::Get(word.into()), Ty::Int, vec![view]))
    }

    /// Returns an argument by its name: within its range, in valid scripts.
    fn argument(&mut self, argument: &str, depth: u32) -> Node {
        if self.errs() {
            return match self.below(3) {
                0 if argument != "card" => self.misfit(Ty::Int, &[Ty::Bool, Ty::Card, Ty::Any]),
                1 => Node::int(self.pick(&[0, -1, 5, 17, 1 << 40, i64::MAX, i64::MIN])),
                _ => self.expr(Ty::Int, depth.min(1)),
            };
        }
        let whole = |grow: &mut Grow, most: usize| Node::int(1 + grow.below(most) as i64);
        match argument {
            "card" => self.expr(Ty::Card, depth.saturating_sub(1)),
            "sure card" => self.leaf(Ty::Sure),
            "suit" => match self.variable(Ty::Sure) {
                Some(card) if self.chance(50) => Node::new(What::Get("suit".into()), Ty::Int, vec![card]),
                _ => whole(self, 4),
            },
            "i" if self.chance(60) => Node::int(self.below(13) as i64),
            "i" => self.at_least(0, depth),
            "n" if self.chance(60) => Node::int(self.pick(&[1, 2, 3, 6, 10, 100, 1000])),
            "n" => self.at_least(1, depth),
            "pile" => self.counted_up("piles", depth),
            "reserve" => self.counted_up("reserves", depth),
            "seat" => match self.below(4) {
                0 => Node::int(1),
                1 => self.view("seat").unwrap_or(Node::int(1)),
                _ => self.counted_up("seats", depth),
            },
            other => panic!("an argument that is new here: {other}"),
        }
    }

    fn at_least(&mut self, least: i64, depth: u32) -> Node {
        let kids = vec![Node::int(least), self.expr(Ty::Int, depth.saturating_sub(1))];
        let small = Node::new(What::Call("max".into()), Ty::Int, kids);
        Node::new(What::Call("min".into()), Ty::Int, vec![small, Node::int(1000)])
    }

    /// Returns a number from 1 to that property of the view.
    fn counted_up(&mut self, word: &str, depth: u32) -> Node {
        let last = self.view(word);
        match (self.below(4), last) {
            (0, _) | (_, None) => Node::int(1 + if word == "piles" { self.below(4) as i64 } else { 0 }),
            (1, Some(last)) => last,
            (_, Some(last)) => {
                let any = self.expr(Ty::Int, depth.saturating_sub(1));
                let rest = Node::new(What::Binary("%"), Ty::Int, vec![any, last]);
                let rest = Node::new(What::Call("abs".into()), Ty::Int, vec![rest]);
                Node::new(What::Binary("+"), Ty::Int, vec![rest, Node::int(1)])
            }
        }
    }
}
