//! Playing cards: rank, suit and pack.

use std::fmt;
use std::str::FromStr;

/// Letters of the ranks in notation, ace first.
const RANKS: &[u8; 13] = b"A23456789TJQK";
/// Letters of the suits in notation, in the program's order.
const SUITS: &[u8; 4] = b"CDHS";

/// A suit, in the order clubs, diamonds, hearts, spades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Suit {
    Clubs,
    Diamonds,
    Hearts,
    Spades,
}

impl Suit {
    /// All four suits, in order.
    pub const ALL: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

    /// Returns 0..3 in the order CDHS.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the suit of an index; only its two lowest bits count.
    pub const fn from_index(index: usize) -> Suit {
        Suit::ALL[index & 3]
    }

    /// Returns whether it is diamonds or hearts.
    pub const fn is_red(self) -> bool {
        matches!(self, Suit::Diamonds | Suit::Hearts)
    }

    /// Returns `C`, `D`, `H` or `S`.
    pub const fn letter(self) -> char {
        SUITS[self as usize] as char
    }
}

impl fmt::Display for Suit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A rank on the ring A, 2, .. K: index 0..12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The ace.
    pub const ACE: Rank = Rank(0);
    /// The king.
    pub const KING: Rank = Rank(12);

    /// Returns the rank of an index, modulo 13.
    pub const fn from_index(index: usize) -> Rank {
        Rank((index % 13) as u8)
    }

    /// Returns 0 for the ace .. 12 for the king.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns 1 for the ace .. 13 for the king, as scripts count.
    pub const fn number(self) -> i64 {
        self.0 as i64 + 1
    }

    /// Returns all thirteen ranks, from the ace.
    pub fn all() -> impl Iterator<Item = Rank> {
        (0..13).map(Rank)
    }

    /// Returns the steps upwards on the ring from `base` to this rank: 0..12.
    pub const fn steps_above(self, base: Rank) -> usize {
        ((self.0 + 13 - base.0) % 13) as usize
    }

    /// Returns the rank `steps` above this one on the ring.
    pub const fn up(self, steps: usize) -> Rank {
        Rank::from_index(self.0 as usize + steps)
    }

    /// Returns the rank just below this one on the ring.
    pub const fn down(self) -> Rank {
        self.up(12)
    }

    /// Returns one of `A23456789TJQK`.
    pub const fn letter(self) -> char {
        RANKS[self.0 as usize] as char
    }
}

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

impl FromStr for Rank {
    type Err = ParseCardError;
    fn from_str(s: &str) -> Result<Rank, ParseCardError> {
        let upper = s.to_ascii_uppercase();
        let letter = if upper == "10" { b'T' } else { single_byte(&upper).ok_or_else(|| error(s))? };
        RANKS.iter().position(|&r| r == letter).map(|i| Rank(i as u8)).ok_or_else(|| error(s))
    }
}

fn single_byte(s: &str) -> Option<u8> {
    match s.as_bytes() {
        [one] => Some(*one),
        _ => None,
    }
}

/// The face of a card, independent of its pack: `rank * 4 + suit`, 0..51.
pub type CardKind = usize;

/// A physical card. Cards of different packs with the same face are different cards.
///
/// The number is `pack * 64 + kind`, so the face is extracted by one AND, and a byte indexes any per-card table without
/// a bounds check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(pub(crate) u8);

impl Card {
    /// No card, such as below the lowest card of a pile.
    pub(crate) const NONE: Card = Card(255);

    /// Returns the card of a rank and suit in the first pack.
    pub const fn new(rank: Rank, suit: Suit) -> Card {
        Card::of_pack(0, rank.index() * 4 + suit.index())
    }

    /// Returns the card of a kind (0..51) in pack 0..3.
    pub const fn of_pack(pack: usize, kind: CardKind) -> Card {
        debug_assert!(pack < 4 && kind < 52);
        Card((pack * 64 + kind) as u8)
    }

    /// Returns its pack, 0..3.
    pub const fn pack(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// Returns its face, 0..51 (63 for no card).
    #[inline(always)]
    pub const fn kind(self) -> CardKind {
        (self.0 & 63) as usize
    }

    /// Returns the bit of its face in a mask of kinds.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// Returns its rank.
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.kind() >> 2)
    }

    /// Returns its suit.
    #[inline(always)]
    pub const fn suit(self) -> Suit {
        Suit::from_index((self.0 & 3) as usize)
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Card::NONE {
            return f.write_str("--");
        }
        write!(f, "{}{}", self.rank(), self.suit())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// Error for a text that is not a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseCardError {
    /// The text found.
    pub found: String,
}

/// Maximum number of characters of an invalid card shown in messages.
const MOST_SHOWN: usize = 40;

fn error(found: &str) -> ParseCardError {
    let mut shown: String = found.chars().take(MOST_SHOWN).collect();
    if shown.len() < found.len() {
        shown.push('…');
    }
    ParseCardError { found: shown }
}

impl fmt::Display for ParseCardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a card: a rank of A23456789TJQK, then a suit of CDHS, such as TH", self.found)
    }
}

impl std::error::Error for ParseCardError {}

impl FromStr for Card {
    type Err = ParseCardError;

    /// Parses a card such as `TH`, in the first pack. Rank and suit are capital letters.
    fn from_str(s: &str) -> Result<Card, ParseCardError> {
        let [rank, suit] = s.as_bytes() else { return Err(error(s)) };
        let rank = RANKS.iter().position(|r| r == rank).ok_or_else(|| error(s))?;
        let suit = SUITS.iter().position(|x| x == suit).ok_or_else(|| error(s))?;
        Ok(Card::of_pack(0, rank * 4 + suit))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_round_trips() {
        for kind in 0..52 {
            let card = Card::of_pack(0, kind);
            assert_eq!(card.to_string().parse(), Ok(card));
        }
        for bad in ["", "T", "1H", "TX", "10H", "th", "TH ", "ÄH"] {
            assert!(bad.parse::<Card>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_ring_of_ranks_wraps() {
        assert_eq!(Rank::ACE.down(), Rank::KING);
        assert_eq!(Rank::KING.up(1), Rank::ACE);
        assert_eq!(Rank::ACE.steps_above(Rank::KING), 1);
        assert_eq!("10".parse(), Ok(Rank::from_index(9)));
    }
}
