//! Sums of money, percentages and shares, as users write them.

use std::fmt;
use std::str::FromStr;

use super::numbers::exact;
use super::sums::{DecimalMark, sum};

/// Parses a sum of money in cents: `50`, `4.50`, `$5,000`.
pub fn money(text: &str) -> Result<i64, String> {
    let fault = || {
        format!(
            "`{text}` is no sum of money: write 50, 4.50 or 5000, with two decimals at most, and no more than {}",
            MOST / 100
        )
    };
    // A command line has a decimal point, as 5,50 may not mean the same as 5,500.
    sum(text, DecimalMark::Point, "").filter(|cents| (0..=MOST).contains(cents)).ok_or_else(fault)
}

/// Formats a sum in cents for a command line: `52`, `4.50`.
pub fn plain(cents: i64) -> String {
    let (sign, cents) = (if cents < 0 { "-" } else { "" }, cents.unsigned_abs());
    match cents % 100 {
        0 => format!("{sign}{}", cents / 100),
        rest => format!("{sign}{}.{rest:02}", cents / 100),
    }
}

/// Maximum sum of money, cents.
const MOST: i64 = crate::rules::MOST_CENTS;

/// Parses a positive price, in cents.
pub fn price(text: &str) -> Result<i64, String> {
    match money(text)? {
        0 => Err(format!("`{text}` is no price: it must be above 0")),
        cents => Ok(cents),
    }
}

/// A house edge as a fraction, written `5%` or `-2.5%`; below 100%.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Percent(pub f64);

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Percent, String> {
        let text = text.trim();
        let Some(digits) = text.strip_suffix('%') else { return Err(without_sign(text)) };
        let fault = || format!("`{text}` is not a percentage below 100%: write 5% or -2.5%");
        let (sign, digits) =
            digits.trim().strip_prefix('-').map_or((1.0, digits.trim()), |rest| (-1.0, rest));
        // Avoids negative zero.
        let edge = sign * exact(digits, 6).ok_or_else(fault)? as f64 / 1e8 + 0.0;
        if edge < 1.0 && edge > -100.0 { Ok(Percent(edge)) } else { Err(fault()) }
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:.6}", self.0 * 100.0);
        write!(f, "{}%", digits.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A range of house edges, written `5%..10%`, or `7.5%` for one edge; both ends are included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PercentRange(pub Percent, pub Percent);

impl FromStr for PercentRange {
    type Err = String;

    fn from_str(text: &str) -> Result<PercentRange, String> {
        let Some((low, high)) = text.split_once("..") else {
            let edge = text.parse::<Percent>();
            return edge
                .map(|edge| PercentRange(edge, edge))
                .map_err(|fault| format!("{fault}; a range is written 5%..10%"));
        };
        let (low, high): (Percent, Percent) = (low.parse()?, high.trim_start_matches('=').parse()?);
        if low.0 > high.0 {
            return Err(format!("`{text}` runs backwards: write {high}..{low}"));
        }
        Ok(PercentRange(low, high))
    }
}

impl fmt::Display for PercentRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == self.1 { self.0.fmt(f) } else { write!(f, "{}..{}", self.0, self.1) }
    }
}

/// Formats a number without its percent sign; below 1 it may be a fraction.
fn without_sign(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number != 0.0 && number.abs() < 1.0 => {
            format!("`{text}` has no percent sign: write {text}%, or {} for the fraction", Percent(number))
        }
        Ok(number) if number.is_finite() => format!("`{text}` has no percent sign: write {text}%"),
        _ => format!("`{text}` is not a percentage: write 5% or -2.5%"),
    }
}

/// A patron: a strategy with its share of decks.
#[derive(Clone, Debug, PartialEq)]
pub struct PatronShare {
    pub strategy: String,
    /// The share, in millionths of a percent.
    pub share: u64,
}

/// 100%, in millionths of a percent.
const WHOLE: u64 = 100_000_000;

impl PatronShare {
    /// Creates a patron with a share in millionths of a percent.
    pub fn of(strategy: &str, share: i64) -> PatronShare {
        PatronShare { strategy: strategy.into(), share: share.unsigned_abs() }
    }

    /// Creates a patron that buys all decks.
    pub fn whole(strategy: &str) -> PatronShare {
        PatronShare { strategy: strategy.into(), share: WHOLE }
    }

    /// Returns the share in parts of 100,000,000.
    pub fn parts(&self) -> u32 {
        self.share.min(WHOLE) as u32
    }

    /// Returns the share as a fraction.
    pub fn fraction(&self) -> f64 {
        self.share as f64 / WHOLE as f64
    }

    /// Formats the share: `70%`
    pub fn percent(&self) -> String {
        Percent(self.fraction()).to_string()
    }
}

/// The patrons of a house.
#[derive(Clone, Debug, PartialEq)]
pub enum Patrons {
    /// Patrons whose shares sum to 100%.
    Shares(Vec<PatronShare>),
    /// The path of a file of patrons.
    File(String),
}

impl fmt::Display for Patrons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Patrons::File(path) => f.write_str(path),
            Patrons::Shares(shares) => {
                let each: Vec<String> =
                    shares.iter().map(|it| format!("{}:{}", it.strategy, it.percent())).collect();
                f.write_str(&each.join(","))
            }
        }
    }
}

/// Parses patrons: `greedy:70%,patient:30%`, or with settings `tunable:late=2,reserve=5:70%,greedy:30%`: a comma
/// after a percentage ends a patron, any other separates settings. A text ending in `.toml` is the path of a file.
pub fn patrons(text: &str) -> Result<Patrons, String> {
    if text.ends_with(".toml") {
        return Ok(Patrons::File(text.into()));
    }
    let fault = |part: &str| {
        format!(
            "`{part}` is no patron: write each strategy with its share of the decks, as greedy:70%,patient:30%"
        )
    };
    let mut all: Vec<PatronShare> = Vec::new();
    let mut settings = String::new();
    for piece in text.split(',') {
        let whole = std::mem::take(&mut settings) + piece;
        if !piece.trim_end().ends_with('%') && piece.contains('=') {
            settings = whole + ",";
            continue;
        }
        let part = whole.as_str();
        let (strategy, share) = part.rsplit_once(':').ok_or_else(|| fault(part))?;
        let digits = share.trim().strip_suffix('%').ok_or_else(|| {
            let meant = exact(share.trim(), 6).map(|_| format!("; did you mean {part}%?"));
            format!("{}{}", fault(part), meant.unwrap_or_default())
        })?;
        let share = exact(digits.trim(), 6).filter(|share| *share > 0).ok_or_else(|| fault(part))?;
        let strategy = strategy.trim().to_string();
        if strategy.is_empty() {
            return Err(fault(part));
        }
        if all.iter().any(|it| it.strategy == strategy) {
            return Err(format!("`{strategy}` is given twice: name each patron once, with its whole share"));
        }
        all.push(PatronShare { strategy, share });
    }
    if !settings.is_empty() {
        return Err(fault(settings.trim_end_matches(',')));
    }
    let sum = PatronShare { strategy: String::new(), share: all.iter().map(|it| it.share).sum() };
    if sum.share == WHOLE {
        Ok(Patrons::Shares(all))
    } else {
        Err(format!("the shares of the patrons make up {}, not 100%", sum.percent()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_in_whole_cents() {
        let read = ["50", "4.5", "$5,000", "0.05", "0", ".25"].map(|text| money(text).unwrap());
        assert_eq!(read, [5000, 450, 500_000, 5, 0, 25]);
        for bad in ["", "-1", "1.005", "1e3", "ten", "$", "5,50", "99999999999999999999", "99999999999"] {
            assert!(money(bad).is_err(), "{bad}");
        }
        assert!(price("0").unwrap_err().contains("above 0"));
    }

    #[test]
    fn edges_are_percentages() {
        let read = ["5%", "-2.5%", "0%", " 99.9 %", "-0%"].map(|text| text.parse::<Percent>().unwrap());
        assert_eq!(read.map(|it| it.0), [0.05, -0.025, 0.0, 0.999, 0.0]);
        assert_eq!(read.map(|it| it.to_string()), ["5%", "-2.5%", "0%", "99.9%", "0%"]);
        let range: PercentRange = "5%..10%".parse().unwrap();
        assert_eq!((range.0.0, range.1.0, range.to_string()), (0.05, 0.1, "5%..10%".into()));
        assert_eq!("7.5%".parse::<PercentRange>().unwrap().to_string(), "7.5%");
        for bad in ["10%..5%", "5..10", "5%..", "..", "5%..100%"] {
            assert!(bad.parse::<PercentRange>().is_err(), "{bad}");
        }
        for (bad, said) in [
            ("7.5", "write 7.5%"),
            ("0.05", "write 0.05%, or 5% for the fraction"),
            ("100%", "below 100%"),
            ("%", "below 100%"),
            ("nan", "write 5% or -2.5%"),
            ("5pp", "write 5% or -2.5%"),
            ("--5%", "write 5% or -2.5%"),
        ] {
            let fault = bad.parse::<Percent>().unwrap_err();
            assert!(fault.contains(said), "{bad}: {fault}");
        }
    }

    #[test]
    fn shares_make_up_the_whole() {
        let shares = |text| match patrons(text).unwrap() {
            Patrons::Shares(shares) => shares,
            Patrons::File(path) => panic!("{path}"),
        };
        let all = shares("greedy:70%, patient:29.5%,./my/slow.rhai:.5%");
        assert_eq!(all.iter().map(PatronShare::percent).collect::<Vec<_>>(), ["70%", "29.5%", "0.5%"]);
        assert_eq!(all[2].strategy, "./my/slow.rhai");
        assert_eq!(
            patrons("greedy:70%,patient:20%").unwrap_err(),
            "the shares of the patrons make up 90%, not 100%"
        );
        assert!(patrons("greedy:50%,greedy:50%").unwrap_err().contains("twice"));
        let set = shares("tunable:late=2,reserve=5:70%,greedy:20%, tunable:late=3:10%");
        let names: Vec<_> = set.iter().map(|it| it.strategy.as_str()).collect();
        assert_eq!(names, ["tunable:late=2,reserve=5", "greedy", "tunable:late=3"]);
        assert_eq!(patrons("my/guests.toml"), Ok(Patrons::File("my/guests.toml".into())));
        for bad in [
            "greedy",
            "greedy:70",
            "greedy:70,patient:30%",
            "greedy:0%,patient:100%",
            ":100%",
            "greedy:100%,",
            "greedy:50%,tunable:late=2",
        ] {
            assert!(patrons(bad).unwrap_err().contains("is no patron"), "{bad}");
        }
    }
}
