//! The keywords of a ruleset file: one table for each value that is chosen from a list.
//!
//! Loader, writer and schema all use these tables, so they cannot disagree.

use crate::rules::spec::*;

/// A value written as one of a few words.
pub(crate) trait Word: Copy + PartialEq + 'static {
    /// Every word with its value, in the order they are explained.
    const WORDS: &'static [(&'static str, Self)];

    /// Returns the word for the value.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, value)| *value == self).map_or("", |(word, _)| word)
    }
}

/// Returns the words of a value, for messages and the schema.
pub(crate) fn words<T: Word>() -> Vec<&'static str> {
    T::WORDS.iter().map(|(word, _)| *word).collect()
}

macro_rules! words {
    ($($type:ident { $($word:literal = $value:ident),* $(,)? })*) => {$(
        impl Word for $type {
            const WORDS: &'static [(&'static str, Self)] = &[$(($word, $type::$value)),*];
        }
    )*};
}

words! {
    Part { "reserve" = Reserve, "foundation" = Foundation, "tableau" = Tableau }
    ReserveFace { "top" = Top, "all" = All, "last" = Last }
    TableauFace { "all" = All, "top" = Top, "alternate" = Alternate }
    Build { "alternate-color" = AlternateColor, "same-suit" = SameSuit, "same-color" = SameColor, "any" = Any }
    Direction { "down" = Down, "up" = Up, "same" = Same }
    Wrap { "full" = Full, "to-base" = ToBase, "none" = None }
    MoveUnit { "single" = Single, "whole" = Whole, "single-or-whole" = SingleOrWhole, "sequence" = Sequence }
    Filler {
        "reserve" = Reserve, "waste" = Waste, "stock" = Stock, "tableau" = Tableau, "foundation" = Foundation,
    }
    Start { "none" = None, "one" = One, "all" = All }
    Returns { "never" = Never, "top" = Top, "top-except-base" = TopExceptBase }
    BasePlay { "optional" = Optional, "forced" = Forced }
    Roll { "draw" = Draw, "pass" = Pass, "game" = Game }
    OnRedeal { "turn" = Turn, "shuffle" = Shuffle }
    WasteFace { "fanned" = Fanned, "squared" = Squared }
    StageAt {
        "deal" = Deal, "first-look" = FirstLook, "first-draw" = FirstDraw, "pass" = Pass,
        "unknown-card" = UnknownCard,
    }
}

/// The fillers that may fill a space automatically.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct AutoFiller(pub Filler);

impl Word for AutoFiller {
    const WORDS: &'static [(&'static str, Self)] = &[
        ("reserve", AutoFiller(Filler::Reserve)),
        ("waste", AutoFiller(Filler::Waste)),
        ("stock", AutoFiller(Filler::Stock)),
    ];
}

/// `spaces.rank` if it is not a rank.
impl Word for SpaceRank {
    const WORDS: &'static [(&'static str, Self)] =
        &[("any", SpaceRank::Any), ("base", SpaceRank::Base), ("below-base", SpaceRank::BelowBase)];
}

/// `foundation.base` if it is not a rank.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum BaseWord {
    Dealt,
    Choice,
}

impl Word for BaseWord {
    const WORDS: &'static [(&'static str, Self)] =
        &[("dealt", BaseWord::Dealt), ("choice", BaseWord::Choice)];
}

/// `redeals` if it is not a number.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Unlimited;

impl Word for Unlimited {
    const WORDS: &'static [(&'static str, Self)] = &[("unlimited", Unlimited)];
}

/// `casino.jackpot.won_by` if it is not a number.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct ByWin;

impl Word for ByWin {
    const WORDS: &'static [(&'static str, Self)] = &[("win", ByWin)];
}

/// `choice_from` if it is not a number.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct FromReserve;

impl Word for FromReserve {
    const WORDS: &'static [(&'static str, Self)] = &[("reserve", FromReserve)];
}
