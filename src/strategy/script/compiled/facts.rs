//! What is known before a game: the script, the rules, and the class of a move.

use std::rc::Rc;

use rhai::{ASTNode, Expr};
use strum::EnumIter;

use crate::game::{Move, Place};
use crate::rules::{Draw, Rules, Spec, TableauFace};

use super::super::intrinsics::{MoveProperty, ViewProperty};
use super::super::module::{Constant, Form, Function, Module, walk};
use super::super::value::{MOST_ELEMENTS, Types, Value};

/// A class of moves with the same kind of source and target. A `score` is compiled once for each: many of its queries
/// then have known results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter)]
#[repr(u8)]
pub enum Class {
    Draw,
    Redeal,
    ReserveUp,
    WasteUp,
    PileUp,
    OfferedUp,
    ReserveToPile,
    WasteToPile,
    PileToPile,
    StockToPile,
    FoundationToPile,
}

impl Class {
    #[inline(always)]
    pub fn of(m: Move) -> Class {
        if !m.is_play() {
            return if m.is_draw() { Class::Draw } else { Class::Redeal };
        }
        match (m.source(), m.to_foundation()) {
            (Place::Pile(_), true) => Class::PileUp,
            (Place::Pile(_), false) => Class::PileToPile,
            (Place::Reserve(_), true) => Class::ReserveUp,
            (Place::Reserve(_), false) => Class::ReserveToPile,
            (Place::Stock, _) => Class::StockToPile,
            (Place::Foundation(_), _) => Class::FoundationToPile,
            (Place::Offered(_), _) => Class::OfferedUp,
            (Place::Waste | Place::Foundations, true) => Class::WasteUp,
            (Place::Waste | Place::Foundations, false) => Class::WasteToPile,
        }
    }

    /// Returns the classes of moves, indexed by their key.
    pub fn by_key() -> [Class; 512] {
        let mut classes = [Class::Draw; 512];
        classes[Move::REDEAL.key()] = Class::Redeal;
        let places = (0..16).map(Place::Pile).chain((0..4).map(Place::Reserve));
        let places = places.chain((0..16).map(Place::Foundation)).chain((0..52).map(Place::Offered));
        for source in places.chain([Place::Waste, Place::Stock]) {
            for target in [Place::Pile(0), Place::Foundations] {
                let m = Move::new(source, target, 1);
                classes[m.key()] = Class::of(m);
            }
        }
        classes
    }

    /// Returns a move of the class, of one card if it moves cards.
    pub fn example(self) -> Move {
        let (source, target) = match self {
            Class::Draw => return Move::DRAW,
            Class::Redeal => return Move::REDEAL,
            Class::ReserveUp => (Place::Reserve(0), Place::Foundations),
            Class::WasteUp => (Place::Waste, Place::Foundations),
            Class::PileUp => (Place::Pile(0), Place::Foundations),
            Class::OfferedUp => (Place::Offered(0), Place::Foundations),
            Class::ReserveToPile => (Place::Reserve(0), Place::Pile(0)),
            Class::WasteToPile => (Place::Waste, Place::Pile(0)),
            Class::PileToPile => (Place::Pile(0), Place::Pile(0)),
            Class::StockToPile => (Place::Stock, Place::Pile(0)),
            Class::FoundationToPile => (Place::Foundation(0), Place::Pile(0)),
        };
        Move::new(source, target, 1)
    }

    fn is_to_pile(self) -> bool {
        self >= Class::ReserveToPile
    }

    fn is_from_pile(self) -> bool {
        matches!(self, Class::PileUp | Class::PileToPile)
    }

    /// Returns the value of a property for every move of the class, if it is the same for all.
    pub fn property(self, property: MoveProperty, rules: &Rules) -> Option<Value> {
        let m = self.example();
        match property {
            MoveProperty::Source if self.is_from_pile() => None,
            MoveProperty::Target if self.is_to_pile() => None,
            MoveProperty::Count if self == Class::PileToPile => None,
            MoveProperty::Count | MoveProperty::Source | MoveProperty::Target => {
                property.of_alone(m).map(Value::int)
            }
            MoveProperty::ToSpace => (!self.is_to_pile()).then_some(Value::bool(false)),
            MoveProperty::EmptiesPile => (!self.is_from_pile()).then_some(Value::bool(false)),
            MoveProperty::TurnsUp => match self {
                Class::ReserveUp | Class::ReserveToPile => None,
                Class::PileUp | Class::PileToPile if rules.spec().tableau.face != TableauFace::All => None,
                _ => Some(Value::bool(false)),
            },
            MoveProperty::Rolls if m.is_play() || faces(rules) == 0 => Some(Value::bool(false)),
            MoveProperty::Rolls => None,
            MoveProperty::Card => (!m.is_play()).then_some(Value::UNIT),
            _ => property.of_alone(m).map(|bits| Value::bool(bits == 1)),
        }
    }

    /// Returns the property of the view that gives the card of every move of the class, if there is one.
    pub fn card(self, rules: &Rules) -> Option<ViewProperty> {
        match self {
            Class::WasteUp | Class::WasteToPile => Some(ViewProperty::WasteTop),
            Class::ReserveUp | Class::ReserveToPile if rules.hot.reserves == 1 => {
                Some(ViewProperty::ReserveTop)
            }
            _ => None,
        }
    }
}

fn faces(rules: &Rules) -> i64 {
    if let Draw::Die { faces, .. } = rules.spec().stock.draw { faces.into() } else { 0 }
}

/// Returns the value of a property of the view, if the rules imply it for every position of their games.
pub fn view_property(rules: &Rules, property: ViewProperty) -> Option<Value> {
    let Spec { stock, casino, .. } = rules.spec();
    Some(Value::int(match property {
        ViewProperty::Piles => rules.hot.piles as i64,
        ViewProperty::Reserves => rules.hot.reserves as i64,
        ViewProperty::RedealsLeft => match stock.redeals {
            None => -1,
            Some(0) => 0,
            Some(_) => return None,
        },
        ViewProperty::Draw => match &stock.draw {
            Draw::ByPass(sizes) if sizes.iter().all(|size| *size == sizes[0]) => sizes[0].into(),
            _ => return None,
        },
        ViewProperty::Stake if !casino.is_staged() => casino.stake,
        ViewProperty::PaysPerCard => casino.pays_per_card,
        ViewProperty::RedealFee => match casino.redeal_fees[..] {
            [] => 0,
            [fee] => fee,
            _ => return None,
        },
        ViewProperty::Faces => faces(rules),
        ViewProperty::Ended => return Some(Value::bool(false)),
        _ => return None,
    }))
}

/// Returns the name and the elements of a constant that is a list, if compiled code supports them.
fn list(constant: &Constant) -> Option<(String, Vec<Value>)> {
    let array = constant.value.as_ref()?.as_array_ref().ok()?;
    let values = array.iter().map(Value::of).collect::<Option<Vec<Value>>>()?;
    let fit =
        values.len() <= MOST_ELEMENTS && values.iter().all(|value| value.types().within(Types::ELEMENT));
    fit.then(|| (constant.name.clone(), values))
}

/// A script as read by the compiler.
pub struct Sources {
    pub module: Rc<Module>,
    /// For each function, the position and description of something that is not compiled, if any.
    pub unsupported: Vec<Option<(usize, String)>>,
    /// The constants that are lists.
    pub lists: Vec<(String, Vec<Value>)>,
    pub has_lists: bool,
    pub form: Form,
    pub entry: usize,
}

impl Sources {
    pub fn of(module: &Rc<Module>, (entry, form): (usize, Form)) -> Sources {
        let lists: Vec<_> = module.constants.iter().filter_map(list).collect();
        let mut has_lists = !lists.is_empty();
        for function in &module.functions {
            walk(function.statements(), &mut |node| {
                has_lists |= matches!(node, ASTNode::Expr(Expr::Array(..)));
            });
        }
        let this =
            |function: &Function| function.code.is_err().then(|| (function.body.start, "`this`".into()));
        let unsupported = module.functions.iter().map(this).collect();
        Sources { module: module.clone(), unsupported, lists, has_lists, form, entry }
    }

    /// Returns whether the function that decides is compiled.
    pub fn compiles(&self) -> bool {
        self.unsupported[self.entry].is_none()
    }
}
