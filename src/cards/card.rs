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

/// The ranks and suits of one pack: the first ranks from the ace, and the first suits in the order CDHS, so that two suits
/// are a black and a red one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pack {
    /// Number of ranks, 4..13. They form a ring: the ace follows the highest.
    pub ranks: u8,
    /// Number of suits, 2..4.
    pub suits: u8,
}

impl Pack {
    /// The pack of 52 cards.
    pub const FULL: Pack = Pack { ranks: 13, suits: 4 };

    /// Returns the number of cards.
    pub fn cards(self) -> usize {
        usize::from(self.ranks) * usize::from(self.suits)
    }

    /// Returns the suits, in order.
    pub fn suits(self) -> &'static [Suit] {
        &Suit::ALL[..usize::from(self.suits).min(4)]
    }

    /// Returns the ranks, from the ace.
    pub fn ranks(self) -> impl Iterator<Item = Rank> {
        (0..self.ranks).map(Rank)
    }

    /// Returns the highest rank.
    pub const fn highest(self) -> Rank {
        Rank(self.ranks.saturating_sub(1))
    }

    /// Returns whether it has cards of a rank.
    pub const fn has_rank(self, rank: Rank) -> bool {
        rank.0 < self.ranks
    }

    /// Returns the kinds of its cards in the order AC AD AH AS 2C .. KS.
    pub fn kinds(self) -> impl Iterator<Item = CardKind> {
        self.ranks().flat_map(move |rank| self.suits().iter().map(move |&suit| Card::new(rank, suit).kind()))
    }
}

/// A rank on the ring of a pack's ranks A, 2, .. K: index 0..12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

impl Rank {
    /// The ace.
    pub const ACE: Rank = Rank(0);

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

    /// Returns the steps upwards on the ring of a pack from `base` to this rank: 0..12.
    pub const fn steps_above(self, base: Rank, pack: Pack) -> usize {
        // A comparison is cheaper than a division.
        let over = if self.0 < base.0 { pack.ranks } else { 0 };
        (self.0 + over - base.0) as usize
    }

    /// Returns the rank `steps` above this one on the ring of a pack.
    pub const fn up(self, steps: usize, pack: Pack) -> Rank {
        Rank::from_index((self.0 as usize + steps) % pack.ranks as usize)
    }

    /// Returns the rank just below this one on the ring of a pack.
    pub const fn down(self, pack: Pack) -> Rank {
        self.up(pack.ranks as usize - 1, pack)
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
        for pack in [Pack::FULL, Pack { ranks: 5, suits: 2 }] {
            let highest = pack.highest();
            assert_eq!(Rank::ACE.down(pack), highest);
            assert_eq!(highest.up(1, pack), Rank::ACE);
            assert_eq!(Rank::ACE.steps_above(highest, pack), 1);
        }
        assert_eq!("10".parse(), Ok(Rank::from_index(9)));
    }
}
