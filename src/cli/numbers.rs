//! Numbers of games, and ranges of them, as people write them.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A number of games: `1000000`, `1e6`, `250k`, `2.5M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub u64);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Count {
    type Err = String;

    fn from_str(text: &str) -> Result<Count, String> {
        let fault = || "write a number of games as 5000, 1e6, 250k or 10M".to_string();
        let plain = text.replace('_', "");
        let (digits, zeros) = match plain.split_at_checked(plain.len().saturating_sub(1)) {
            Some((digits, "k" | "K")) => (digits, 3),
            Some((digits, "m" | "M")) => (digits, 6),
            Some((digits, "g" | "G")) => (digits, 9),
            _ => match plain.split_once(['e', 'E']) {
                Some((digits, exponent)) => (digits, exponent.parse::<u32>().map_err(|_| fault())?),
                None => (&*plain, 0),
            },
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let shift = zeros.checked_sub(fraction.len() as u32).ok_or_else(fault)?;
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|b| b.is_ascii_digit()) {
            return Err(fault());
        }
        let number: u64 = all.parse().map_err(|_| fault())?;
        let power = 10u64.checked_pow(shift).ok_or_else(fault)?;
        number.checked_mul(power).map(Count).ok_or_else(fault)
    }
}

/// One game, `17`, or a range that leaves out its end, `0..200`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games(pub Range<u64>);

impl FromStr for Games {
    type Err = String;

    fn from_str(text: &str) -> Result<Games, String> {
        let fault =
            || "write one game as 17, the first 200 as 0..200; a range leaves out its end".to_string();
        let number = |part: &str| part.parse::<Count>().map(|count| count.0).map_err(|_| fault());
        let range = match text.split_once("..") {
            Some((first, end)) => number(if first.is_empty() { "0" } else { first })?..number(end)?,
            None => {
                let game = number(text)?;
                game..game.checked_add(1).ok_or_else(fault)?
            }
        };
        if range.is_empty() { Err(fault()) } else { Ok(Games(range)) }
    }
}

/// Reads a whole number from `low` to `high`.
pub(super) fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ if high == u64::MAX => Err(format!("a whole number from {low} is expected")),
        _ => Err(format!("a whole number from {low} to {high} is expected")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_people_write_them() {
        let good = [("1e6", 1_000_000), ("250k", 250_000), ("10M", 10_000_000), ("2.5M", 2_500_000)];
        let more = [("7", 7), ("1_000", 1000), ("1.50e3", 1500), ("0", 0), ("1G", 1_000_000_000)];
        for (text, count) in good.into_iter().chain(more) {
            assert_eq!(text.parse(), Ok(Count(count)), "{text}");
        }
        for bad in ["", "k", "1.5", "-3", "1e", "1e-3", "ten", "1e30", "99999999999999999999", "1.2.3", "é"]
        {
            assert!(bad.parse::<Count>().is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges_leave_out_their_end() {
        assert_eq!("0..200".parse(), Ok(Games(0..200)));
        assert_eq!("17".parse(), Ok(Games(17..18)));
        assert_eq!("..1k".parse(), Ok(Games(0..1000)));
        for bad in ["5..5", "7..3", "a..b", "..", "3..", "-1"] {
            assert!(bad.parse::<Games>().is_err(), "{bad}");
        }
    }
}
