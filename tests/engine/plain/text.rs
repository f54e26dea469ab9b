//! The notation of cards, moves and whole positions.

use std::fmt;

use super::{PCard, PMove, Place, PlainGame};

/// `7H`, then `7H2` of a second pack.
impl fmt::Display for PCard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", rank_letter(self.rank), numbered(suit_letter(self.suit), self.pack as usize))
    }
}

fn letter(letters: &str, index: u8) -> char {
    letters.as_bytes()[index as usize] as char
}

fn rank_letter(rank: u8) -> char {
    letter("A23456789TJQK", rank - 1)
}

fn suit_letter(suit: u8) -> char {
    letter("CDHS", suit)
}

impl PlainGame {
    pub fn write_move(&self, m: PMove) -> String {
        match m {
            PMove::Up { from } => format!("{}>F", self.write_place(from)),
            PMove::Lay { from: Place::Pile(from), to, count } => {
                format!("T{}>T{}x{count}", from + 1, to + 1)
            }
            PMove::Lay { from, to, .. } => format!("{}>T{}", self.write_place(from), to + 1),
            PMove::Draw => "draw".into(),
            PMove::Redeal => "redeal".into(),
        }
    }

    fn write_place(&self, place: Place) -> String {
        match place {
            Place::Reserve(_) if self.reserves.len() == 1 => "R".into(),
            Place::Reserve(i) => format!("R{}", i + 1),
            Place::Waste => "W".into(),
            Place::Pile(i) => format!("T{}", i + 1),
            Place::Stock => "S".into(),
            Place::Foundation(i) => format!("F{}", foundation_name(i)),
            Place::Offered(i) => format!("C{}", i + 1),
        }
    }

    /// Returns the whole position as text: a line for each place in this order, each card after a space, those of a
    /// second pack as `7H2`.
    ///
    /// ```text
    /// base: 7                   empty before it is chosen
    /// offered: 7H TC            the cards to choose the base card from, empty once it is chosen
    /// reserve 1: 7H TC          bottom to top; a line for each reserve, faces not marked
    /// pile 1: (7H) TC           bottom to top, face-down cards in parentheses
    /// foundation C: AC 2C       bottom to top; C D H S C2 D2 ..
    /// waste: 3D 4S              bottom to top
    /// stock: KH 2C              the next card to be drawn first
    /// redeals: 1                redeals used
    /// pass: 2                   from 1
    /// packet: 3                 cards per draw, even if fewer are left; 0 if a die is rolled for each draw
    /// ```
    pub fn dump(&self) -> String {
        let mut text = String::new();
        let mut line = |name: String, cards: Vec<String>| {
            text += &name;
            text += ":";
            for card in cards {
                text += " ";
                text += &card;
            }
            text += "\n";
        };
        let plain = |cards: &[PCard]| cards.iter().map(PCard::to_string).collect::<Vec<_>>();
        line("base".into(), (self.base > 0).then(|| rank_letter(self.base).into()).into_iter().collect());
        line("offered".into(), plain(&self.offered));
        for (i, reserve) in self.reserves.iter().enumerate() {
            line(format!("reserve {}", i + 1), plain(reserve));
        }
        for (i, pile) in self.piles.iter().enumerate() {
            let mark = |&(card, up): &(PCard, bool)| if up { format!("{card}") } else { format!("({card})") };
            line(format!("pile {}", i + 1), pile.iter().map(mark).collect());
        }
        for (i, foundation) in self.foundations.iter().enumerate() {
            line(format!("foundation {}", foundation_name(i)), plain(foundation));
        }
        line("waste".into(), plain(&self.waste));
        line("stock".into(), plain(&self.stock));
        line("redeals".into(), vec![self.redeals_used.to_string()]);
        line("pass".into(), vec![self.pass.to_string()]);
        line("packet".into(), vec![self.packet.to_string()]);
        text
    }
}

fn foundation_name(i: usize) -> String {
    numbered(suit_letter((i % 4) as u8), i / 4)
}

/// Returns `S`, then `S2` for a second pack.
fn numbered(suit: char, pack: usize) -> String {
    if pack == 0 { suit.to_string() } else { format!("{suit}{}", pack + 1) }
}
