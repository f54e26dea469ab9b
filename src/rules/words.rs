//! The values that are chosen from a few words, and the words.

use strum::VariantArray;

/// A value written as one of a few words, in the order they are explained.
pub trait Word: Copy + PartialEq + VariantArray + Into<&'static str> {
    /// Returns the word for the value.
    fn word(self) -> &'static str {
        self.into()
    }

    /// Returns the value of a word.
    fn of(word: &str) -> Option<Self> {
        Self::VARIANTS.iter().copied().find(|value| value.word() == word)
    }
}

/// Returns the words of a value, for messages and the schema.
pub(crate) fn words<T: Word>() -> Vec<&'static str> {
    T::VARIANTS.iter().map(|value| value.word()).collect()
}

impl Word for super::casino::StageAt {}

/// Defines enums whose words are the names of their variants in lower case, joined by `-`. The first is the default.
macro_rules! worded {
    ($($(#[$about:meta])* $name:ident { $(#[$first_about:meta])* $first:ident, $($(#[$means:meta])* $value:ident),* $(,)? })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
        #[derive(strum::IntoStaticStr, strum::VariantArray)]
        #[serde(rename_all = "kebab-case")]
        #[strum(serialize_all = "kebab-case")]
        #[allow(missing_docs)]
        pub enum $name {
            $(#[$first_about])*
            #[default]
            $first,
            $($(#[$means])* $value),*
        }

        impl $crate::rules::words::Word for $name {}
    )*};
}
pub(crate) use worded;

worded! {
    /// A part of the layout that receives cards from the pack.
    Part { Reserve, Foundation, Tableau }
    /// `reserve.face`
    ReserveFace {
        /// The top card; the next turns up when it leaves.
        Top,
        /// Every card.
        All,
        /// Only the last card of the reserve.
        Last,
    }
    /// `tableau.face`
    TableauFace {
        All,
        Top,
        /// Alternating, starting with the top, which is face up.
        Alternate,
    }
    /// `tableau.build`
    Build { AlternateColor, SameSuit, SameColor, Any }
    /// `tableau.direction`
    Direction { Down, Up, Same }
    /// `tableau.wrap`
    Wrap {
        /// Not cut: K goes on A.
        Full,
        /// Cut between the base rank and the rank below it.
        ToBase,
        /// Cut between K and A.
        None,
    }
    /// `tableau.move`
    MoveUnit {
        /// Top cards only.
        Single,
        /// A pile's whole face-up run.
        Whole,
        /// Either of the two.
        SingleOrWhole,
        /// Any top part of a run.
        Sequence,
    }
    /// A place a space may be filled from.
    Filler { Reserve, Waste, Stock, Tableau, Foundation }
    /// `foundation.start`
    Start {
        None,
        One,
        /// Taken out of the pack before dealing.
        All,
    }
    /// `foundation.return`
    Returns { Never, Top, TopExceptBase }
    /// `foundation.base_play`
    BasePlay { Optional, Forced }
    /// `stock.draw.roll`
    Roll { Draw, Pass, Game }
    /// `stock.on_redeal`
    OnRedeal { Turn, Shuffle }
    /// `stock.waste`
    WasteFace { Fanned, Squared }
}
