//! Quantities as users write them: numbers of games, ranges, rates, bytes, sums of money, percentages and shares.

mod money;
mod numbers;
mod sums;

pub use money::{PatronShare, Patrons, Percent, PercentRange, money, patrons, plain, price};
/// Default patrons of a house.
pub const PATRONS: &str = "beginner:30%,ordinary:60%,expert:8%,shark:2%";

pub use numbers::{
    ByteSize, Count, Decimals, Games, Rate, bytes, decimals, exact, plain_number, seconds, whole,
};
pub use sums::{DecimalMark, currency_words, hundredths, is_code, same_currency, sum};
