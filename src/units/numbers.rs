//! Numbers as users write them: games, ranges of games, rates, seconds, bytes.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::rules::file::decimal;

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
        let fault = || "write a whole number as 5000, 1e6, 250k or 10M".to_string();
        let too_large = || format!("a whole number of at most {} is read", u64::MAX);
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
        let number: u64 = all.parse().map_err(|_| too_large())?;
        let power = 10u64.checked_pow(shift).ok_or_else(too_large)?;
        number.checked_mul(power).map(Count).ok_or_else(too_large)
    }
}

/// One game, `17`, or a range that excludes its end, `0..200`.
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

/// Decimal numbers in whole thousandths: `1,0.5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimals(pub Vec<u32>);

impl fmt::Display for Decimals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each: Vec<String> = self.0.iter().map(|number| decimal((*number).into())).collect();
        f.write_str(&each.join(","))
    }
}

/// Parses decimal numbers separated by commas, each from `low` to `high` thousandths; an empty text is an empty list.
pub fn decimals(low: u32, high: u32) -> impl Fn(&str) -> Result<Decimals, String> + Clone + Send + Sync {
    move |text| {
        let fault = || {
            let [low, high] = [low, high].map(|limit| decimal(limit.into()));
            format!(
                "numbers from {low} to {high} are expected, divided by commas, with three decimals at most"
            )
        };
        let one = |part: &str| {
            let number = exact(part.trim(), 3).and_then(|n| u32::try_from(n).ok());
            number.filter(|n| (low..=high).contains(n)).ok_or_else(fault)
        };
        let parts = text.split(',').filter(|_| !text.trim().is_empty());
        parts.map(one).collect::<Result<Vec<u32>, String>>().map(Decimals)
    }
}

/// Parses an unsigned decimal number in units of its last decimal, if it is exact.
pub fn exact(text: &str, decimals: usize) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    let fraction = fraction.trim_end_matches('0');
    if !digits(whole) || !digits(fraction) || fraction.len() > decimals || text.trim_matches('.').is_empty() {
        return None;
    }
    format!("{whole}{fraction:0<decimals$}").parse().ok()
}

/// Formats a number as one word, the same for all spellings: to twelve decimals, as the last digits of a fraction
/// depend on whether it was written in percent.
pub fn plain_number(number: f64) -> String {
    let digits = format!("{number:.12}");
    digits.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Parses a whole number from `low` to `high`.
pub fn whole(low: u64, high: u64) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync {
    move |text| match text.parse() {
        Ok(number) if (low..=high).contains(&number) => Ok(number),
        _ if high == u64::MAX => Err(format!("a whole number from {low} is expected")),
        _ => Err(format!("a whole number from {low} to {high} is expected")),
    }
}

/// An error rate as written, and as a fraction.
#[derive(Clone, Debug, PartialEq)]
pub struct Rate(pub String, pub f64);

/// The range of error rates.
const LEAST_RATE: f64 = 0.0001;
const MOST_RATE: f64 = 0.5;

impl FromStr for Rate {
    type Err = String;

    fn from_str(text: &str) -> Result<Rate, String> {
        let (number, unit) =
            text.trim().strip_suffix('%').map_or((text.trim(), 1.0), |number| (number.trim(), 0.01));
        let rate = number.parse::<f64>().map(|rate| rate * unit).ok();
        match rate.filter(|rate| (LEAST_RATE - 1e-12..=MOST_RATE + 1e-12).contains(rate)) {
            Some(rate) => Ok(Rate(text.trim().to_string(), rate)),
            None => {
                let percent = |number: &f64| unit == 1.0 && (1.0..=100.0 * MOST_RATE).contains(number);
                let meant = number.parse().ok().filter(percent);
                let meant = meant.map_or(String::new(), |number: f64| format!("; did you mean `{number}%`?"));
                Err(format!("write an error rate as `5%` or `0.05`, from 0.01% to 50%{meant}"))
            }
        }
    }
}

/// Parses seconds above 0, at most 1e9.
pub fn seconds(text: &str) -> Result<f64, String> {
    let given = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 1e9);
    given.ok_or_else(|| "a number of seconds above 0 and at most 1e9 is expected, such as 10 or 0.5".into())
}

/// A number of bytes as written.
#[derive(Clone, Debug)]
pub struct ByteSize {
    pub bytes: usize,
    pub written: String,
}

/// Parses a number of bytes.
pub fn bytes(text: &str) -> Result<ByteSize, String> {
    let fault = || "a size is expected in KiB, MiB, GiB or TiB, such as 512MiB or 4GiB".to_string();
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let shift = match text[digits..].trim() {
        "" | "B" => 0,
        "k" | "K" | "kiB" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        "T" | "TiB" => 40,
        _ => return Err(fault()),
    };
    if digits == 0 {
        return Err(fault());
    }
    // A number that overflows exceeds any machine's memory, which is then reported.
    let number: usize = text[..digits].parse().unwrap_or(usize::MAX);
    let bytes = number.min(usize::MAX >> 2 >> shift) << shift;
    Ok(ByteSize { bytes, written: text.into() })
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
        for large in ["1e30", "99999999999999999999", "18446744073709551616"] {
            let fault = large.parse::<Count>().unwrap_err();
            assert!(fault.contains("at most 18446744073709551615"), "{large}: {fault}");
        }
    }

    #[test]
    fn decimals_are_exact() {
        let read = |text: &str| decimals(10, 1_000_000)(text).map(|Decimals(list)| list);
        assert_eq!(read("1, 0.5,1.250,.02,1000"), Ok(vec![1000, 500, 1250, 20, 1_000_000]));
        assert_eq!(read(""), Ok(vec![]));
        for bad in ["0.001", "1000.001", "1.0005", "-1", "1e2", "one", "1,,2", "1,", ".", "+1", "99999999999"]
        {
            assert!(read(bad).is_err(), "{bad}");
        }
        let said = read("0").unwrap_err();
        assert!(said.starts_with("numbers from 0.01 to 1000 are expected"), "{said}");
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

    #[test]
    fn rates_are_written_either_way() {
        let rate = |text: &str| text.parse::<Rate>().map(|rate| rate.1);
        assert_eq!(rate("5%"), Ok(0.05));
        assert_eq!(rate("0.01"), Ok(0.01));
        assert!(rate("7.5").unwrap_err().ends_with("did you mean `7.5%`?"));
        for bad in ["0", "60%", "", "five", "-1%"] {
            assert!(rate(bad).unwrap_err().contains("`5%`"), "{bad}");
        }
    }
}
