//! Rulesets: a file becomes a [`Spec`], all faults are reported at once, and a valid [`Spec`] is compiled to [`Rules`].

mod casino;
mod check;
mod compile;
pub(crate) mod file;
pub(crate) mod find;
mod load;
mod shelf;
mod spec;
mod vary;
pub(crate) mod words;

pub use check::Fault;
pub use compile::Rules;
pub(crate) use compile::{FEW_PILES, Ring, SPACE, filler_bit};
pub use file::{
    Control, FormKey, FormTable, KeyReference, decimal, form, is_like_a_ruleset, key_values, reference,
    schema, schema_text, text as toml_text,
};
pub use find::{LoadError, Missing, Shelf, is_path, stem};
pub use load::{Loaded, load, load_beside, parse_text, parse_text_within};
pub use shelf::shelf;
pub use spec::{
    Base, BasePlay, Build, Casino, ChoiceFrom, DealSpec, Direction, Draw, Filler, FoundationSpec, Jackpot,
    MoveUnit, OnRedeal, Part, PayStep, ReserveFace, ReserveSpec, Returns, Roll, Score, SpaceRank, SpacesSpec,
    Spec, Stage, StageAt, Start, StockSpec, TableauFace, TableauSpec, WasteFace, WonBy, Wrap,
};
pub(crate) use spec::{MOST_CARDS, MOST_CENTS, MOST_DRAWN, MOST_PILES, MOST_RESERVES, MoveRules};
pub use vary::{Change, ChangeError, neighbours, variable_keys, vary};
pub use words::Word;
