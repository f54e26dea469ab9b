//! What is known before a game: the script, the rules, and the class of a move.

use std::collections::BTreeMap;
use std::rc::Rc;

use rhai::{ASTNode, Expr};
use strum::EnumIter;

use crate::game::{Move, Place};
use crate::rules::{Draw, Rules, TableauFace};

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
    pub fn property(self, property: MoveProperty, facts: &Facts) -> Option<Value> {
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
                Class::PileUp | Class::PileToPile if facts.may_hide_piles => None,
                _ => Some(Value::bool(false)),
            },
            MoveProperty::Rolls if m.is_play() || facts.faces == 0 => Some(Value::bool(false)),
            MoveProperty::Rolls => None,
            MoveProperty::Card => (!m.is_play()).then_some(Value::UNIT),
            _ => property.of_alone(m).map(|bits| Value::bool(bits == 1)),
        }
    }
}

/// What the rules imply for every position of their games.
#[derive(Clone, Debug)]
pub struct Facts {
    piles: usize,
    reserves: usize,
    redeals_left: Option<i64>,
    draw: Option<i64>,
    stake: Option<i64>,
    pays_per_card: i64,
    redeal_fee: Option<i64>,
    faces: i64,
    may_hide_piles: bool,
}

impl Facts {
    pub fn of(rules: &Rules) -> Facts {
        let spec = rules.spec();
        let hot = &rules.hot;
        let draw = match &spec.stock.draw {
            Draw::ByPass(sizes) if sizes.iter().all(|size| *size == sizes[0]) => Some(i64::from(sizes[0])),
            _ => None,
        };
        let redeals_left = match spec.stock.redeals {
            None => Some(-1),
            Some(0) => Some(0),
            Some(_) => None,
        };
        Facts {
            piles: hot.piles,
            reserves: hot.reserves,
            redeals_left,
            draw,
            stake: (!spec.casino.is_staged()).then_some(spec.casino.stake),
            pays_per_card: spec.casino.pays_per_card,
            redeal_fee: match spec.casino.redeal_fees[..] {
                [] => Some(0),
                [fee] => Some(fee),
                _ => None,
            },
            faces: if let Draw::Die { faces, .. } = spec.stock.draw { faces.into() } else { 0 },
            may_hide_piles: spec.tableau.face != TableauFace::All,
        }
    }

    /// Returns the value of a property of the view, if it is the same in every position.
    pub fn view_property(&self, property: ViewProperty) -> Option<Value> {
        let known = match property {
            ViewProperty::Piles => Some(self.piles as i64),
            ViewProperty::Reserves => Some(self.reserves as i64),
            ViewProperty::RedealsLeft => self.redeals_left,
            ViewProperty::Draw => self.draw,
            ViewProperty::Stake => self.stake,
            ViewProperty::PaysPerCard => Some(self.pays_per_card),
            ViewProperty::RedealFee => self.redeal_fee,
            ViewProperty::Faces => Some(self.faces),
            ViewProperty::Ended => return Some(Value::bool(false)),
            _ => None,
        };
        known.map(Value::int)
    }

    /// Returns the property of the view that gives the card of every move of a class, if there is one.
    pub fn card_of(&self, class: Class) -> Option<ViewProperty> {
        match class {
            Class::WasteUp | Class::WasteToPile => Some(ViewProperty::WasteTop),
            Class::ReserveUp | Class::ReserveToPile if self.reserves == 1 => Some(ViewProperty::ReserveTop),
            _ => None,
        }
    }
}

/// The constants at the top of a script; `None` for one that compiled code does not support.
pub type Constants = BTreeMap<String, Option<Value>>;

/// Maximum number of texts whose index fits in an op.
const MOST_TEXTS: usize = 256;

/// A constant that is a list.
pub struct ConstantList {
    pub name: String,
    pub values: Vec<Value>,
}

impl ConstantList {
    /// Returns the list of a constant, if compiled code supports all of its elements.
    fn of(constant: &Constant) -> Option<ConstantList> {
        let array = constant.value.as_ref()?.as_array_ref().ok()?;
        let values: Option<Vec<Value>> = array.iter().map(Value::of).collect();
        let values = values.filter(|all| all.len() <= MOST_ELEMENTS)?;
        let fit = values.iter().all(|value| value.types().within(Types::ELEMENT));
        fit.then(|| ConstantList { name: constant.name.clone(), values })
    }
}

/// A script as read by the compiler.
pub struct Sources {
    pub module: Rc<Module>,
    /// For each function, the position and description of something that is not compiled, if any.
    pub unsupported: Vec<Option<(usize, String)>>,
    pub constants: Constants,
    pub lists: Vec<ConstantList>,
    /// The texts in its functions that compiled code can refer to.
    pub texts: Vec<String>,
    /// Whether it uses lists.
    pub has_lists: bool,
    pub form: Form,
    /// The function that decides.
    pub entry: usize,
}

impl Sources {
    /// Analyses a script in which a function decides.
    pub fn of(module: &Rc<Module>, (entry, form): (usize, Form)) -> Sources {
        let value = |constant: &Constant| constant.value.as_ref().and_then(Value::of);
        let constants = module.constants.iter().map(|it| (it.name.clone(), value(it))).collect();
        let lists: Vec<ConstantList> = module.constants.iter().filter_map(ConstantList::of).collect();
        let (mut has_lists, mut texts) = (!lists.is_empty(), Vec::new());
        for function in &module.functions {
            walk(function.statements(), &mut |node| match node {
                ASTNode::Expr(Expr::Array(..)) => has_lists = true,
                ASTNode::Expr(Expr::StringConstant(text, _))
                    if !texts.iter().any(|known| known == text.as_str()) =>
                {
                    texts.push(text.to_string());
                }
                _ => {}
            });
        }
        texts.truncate(MOST_TEXTS);
        let this =
            |function: &Function| function.code.is_err().then(|| (function.body.start, "`this`".into()));
        let unsupported = module.functions.iter().map(this).collect();
        Sources { module: module.clone(), unsupported, constants, lists, texts, has_lists, form, entry }
    }

    /// Returns whether the function that decides is compiled.
    pub fn compiles(&self) -> bool {
        self.unsupported[self.entry].is_none()
    }
}
