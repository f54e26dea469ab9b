//! Reads and writes values that are words, or words and numbers.

use toml::de::DeValue;

use crate::cards::Rank;
use crate::rules::spec::*;
use crate::rules::words::Word;

use super::format::{list, text};
use super::shape::{RANKS, Shape};
use super::value::{Field, Node, Reader, number_of, whole_of};

macro_rules! word_lists {
    ($($type:ident)*) => {$(
        impl Field for Vec<$type> {
            fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
                let allowed = reader.def.shape.known_words();
                let word = |item: &Node| $type::of(item.get_ref().as_str().filter(|word| allowed.contains(word))?);
                reader.each(node, self, word)
            }

            fn write(&self, _: Shape) -> Option<String> {
                Some(list(self, |item| text(item.word())))
            }
        }
    )*};
}

word_lists! { Part Filler }

/// Parses a rank from text, or from a number if that is on its face.
fn rank_of(node: &Node) -> Option<Rank> {
    match node.get_ref() {
        DeValue::String(text) if RANKS.contains(&&**text) || text == "T" => text.parse().ok(),
        DeValue::Integer(integer) => {
            whole_of(integer).filter(|n| (2..=10).contains(n)).map(|n| Rank::from_index(n as usize - 1))
        }
        _ => None,
    }
}

/// `spaces.rank`
impl Field for SpaceRank {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let rank = match node.get_ref().as_str() {
            Some("any") => Some(SpaceRank::Any),
            Some("base") => Some(SpaceRank::Base),
            Some("below-base") => Some(SpaceRank::BelowBase),
            _ => rank_of(node).map(SpaceRank::Rank),
        };
        reader.put(node, self, rank)
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(match self {
            SpaceRank::Any => text("any"),
            SpaceRank::Base => text("base"),
            SpaceRank::BelowBase => text("below-base"),
            SpaceRank::Rank(rank) => text(&rank.to_string()),
        })
    }
}

/// `foundation.base`, and `foundation.choice_from`, which may be a number.
impl Field for Base {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let word = node.get_ref().as_str();
        if let Shape::WholeOr(..) = reader.def.shape {
            let dealt = || number_of(node, reader.def.shape).map(|cards| ChoiceFrom::Dealt(cards as u8));
            let from = if word == Some("reserve") { Some(ChoiceFrom::Reserve) } else { dealt() };
            reader.choice_from = from.or(reader.choice_from);
            return from.is_some() || reader.wrong(node);
        }
        let base = match word {
            Some("choice") => Some(Base::Choice(ChoiceFrom::Reserve)),
            Some("dealt") => Some(Base::Dealt),
            _ => rank_of(node).map(Base::Rank),
        };
        reader.put(node, self, base)
    }

    fn write(&self, shape: Shape) -> Option<String> {
        match (self, shape) {
            (Base::Choice(ChoiceFrom::Reserve), Shape::WholeOr(..)) => Some(text("reserve")),
            (Base::Choice(ChoiceFrom::Dealt(cards)), Shape::WholeOr(..)) => Some(cards.to_string()),
            (_, Shape::WholeOr(..)) => None,
            (Base::Choice(_), _) => Some(text("choice")),
            (Base::Dealt, _) => Some(text("dealt")),
            (Base::Rank(rank), _) => Some(text(&rank.to_string())),
        }
    }
}

/// `casino.jackpot.won_by`
impl Field for WonBy {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let cards = || number_of(node, reader.def.shape).map(|cards| WonBy::Cards(cards as u16));
        let won_by = if node.get_ref().as_str() == Some("win") { Some(WonBy::Win) } else { cards() };
        reader.put(node, self, won_by)
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(match self {
            WonBy::Win => text("win"),
            WonBy::Cards(cards) => cards.to_string(),
        })
    }
}
