//! Cards, the ring of ranks, their notation, and the source of all random generators.

mod card;
mod deck;
mod seed;

pub use card::{Card, CardKind, Pack, ParseCardError, Rank, Suit};
pub use deck::{Deck, DeckError, DeckShape};
pub use seed::{Purpose, Seed, below, generator, seat_game, shuffle};
