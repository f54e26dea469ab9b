//! Quantities as users write them: numbers of games, ranges, rates, bytes, sums of money, percentages and shares.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::rules::file::decimal;

/// Default patrons of a house.
pub const PATRONS: &str = "beginner:30%,ordinary:60%,expert:8%,shark:2%";

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
    /// Name or path of the strategy.
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
    /// The number.
    pub bytes: usize,
    /// The text it was read from.
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

/// The decimal mark. The other one of the two may separate thousands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecimalMark {
    /// `6,445.50`
    Point,
    /// `6.445,50`
    Comma,
}

/// Characters that may separate thousands with any decimal mark: spaces, including non-breaking ones, and
/// apostrophes.
const BETWEEN: [char; 7] = [' ', '\u{a0}', '\u{2009}', '\u{202f}', '\'', '’', '_'];
/// Minus signs of keyboards and of typography.
const MINUS: [char; 3] = ['-', '−', '–'];
/// Codes of currencies (ISO 4217).
const CODES: &str = "\
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP \
    CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD \
    IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK \
    MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS \
    SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER \
    ZAR ZMW ZWG";
/// Names of currencies that are neither signs nor codes.
const NAMES: [&str; 26] = [
    "kr", "kr.", "Fr", "Fr.", "SFr", "SFr.", "Rs", "Rs.", "R", "Rp", "RM", "RMB", "S/", "TL", "zł", "Kč",
    "Ft", "lei", "руб", "руб.", "грн", "лв", "лв.", "円", "元", "원",
];

/// Parses an unsigned number in hundredths: `7`, `6,445.50`, `6'445.50`, `35.-`. Separators of thousands must all be
/// the same and have three digits after them, or two as in India: `12,34,567`.
pub fn hundredths(text: &str, mark: DecimalMark) -> Option<i64> {
    let (decimal, other) = match mark {
        DecimalMark::Point => ('.', ','),
        DecimalMark::Comma => (',', '.'),
    };
    // Sweden writes 35:- for 35 without cents.
    let text = text.strip_suffix(":-").unwrap_or(text);
    let (whole, fraction) = text.split_once(decimal).unwrap_or((text, ""));
    let fraction = if ["-", "–", "—"].contains(&fraction) { "" } else { fraction };
    let plain = match whole.find(|c| c == other || BETWEEN.contains(&c)) {
        None => whole.to_string(),
        Some(at) => {
            let (first, rest) = whole.split_at(at);
            let between = rest.chars().next()?;
            let grouped = (1..=3).contains(&first.len()) && !first.starts_with('0');
            let groups: Vec<usize> = rest.split(between).skip(1).map(str::len).collect();
            let (last, before) = groups.split_last()?;
            // In India 12,34,567 is 1,234,567.
            let lakhs = between == ',' && first.len() < 3 && before.iter().all(|length| *length == 2);
            if !grouped || *last != 3 || !(lakhs || before.iter().all(|length| *length == 3)) {
                return None;
            }
            whole.replace(between, "")
        }
    };
    exact(&format!("{plain}.{fraction}"), 2).and_then(|number| i64::try_from(number).ok())
}

/// Parses a sum of money in cents: a number with the sign, the code or the name of a currency before or after it, and
/// with a minus sign or in parentheses if it is negative. `own` is the ruleset's name of its currency.
pub fn sum(text: &str, mark: DecimalMark, own: &str) -> Option<i64> {
    let text = text.trim();
    let (mut rest, mut negative) = (text.strip_prefix('+').unwrap_or(text), false);
    // Accountants write zero as $ - or - €.
    let bare = without_currency(rest, own);
    if bare != rest && ["-", "–", "−"].contains(&bare.trim()) {
        return Some(0);
    }
    // The order differs between countries: -$5, $-5, ($5), $(5), 5-, 5 USD.
    for _ in 0..4 {
        let inner = rest.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        // Not the dash of 35.-, which means no cents.
        let behind = |it: &&str| it.trim_end().ends_with(|c: char| c.is_ascii_digit());
        let minus = rest.strip_prefix(MINUS).or_else(|| rest.strip_suffix(MINUS).filter(behind));
        if let Some(without) = inner.or(minus) {
            if negative {
                return None;
            }
            (rest, negative) = (without.trim(), true);
        }
        rest = without_currency(rest, own).trim();
    }
    let cents = hundredths(rest, mark)?;
    Some(if negative { -cents } else { cents })
}

/// Removes a currency before a text, or else after it.
fn without_currency<'a>(text: &'a str, own: &str) -> &'a str {
    let number = |c: char| c.is_ascii_digit() || c.is_whitespace() || MINUS.contains(&c) || "()".contains(c);
    let before = &text[..text.find(number).unwrap_or(0)];
    // The point of `$.50` is part of the number, that of `Fr.50` is not.
    for word in [before, before.trim_end_matches(['.', ','])] {
        if is_currency(word, own) {
            return &text[word.len()..];
        }
    }
    let start = text.char_indices().rev().find(|(_, c)| number(*c)).map_or(0, |(i, c)| i + c.len_utf8());
    if is_currency(&text[start..], own) { &text[..start] } else { text }
}

/// Returns the words of a sum that name its currency, before or after the number, without spaces and points.
pub fn currency_words(text: &str) -> Vec<&str> {
    text.split(|c: char| !c.is_alphabetic() && !is_sign(c)).filter(|word| !word.is_empty()).collect()
}

/// Names of each currency, and behind the bar those that other currencies have too. A ruleset with a shared sign alone has the
/// first currency of that sign.
const CURRENCIES: [&str; 48] = [
    "$ US$ $US USD",
    "A$ AU$ AUD|$",
    "B$ BND|$",
    "BD$ BBD|$",
    "BZ$ BZD|$",
    "C$ CA$ $CA CAD|$",
    "CLP$ CLP|$",
    "COL$ COP|$",
    "EC$ XCD|$",
    "FJ$ FJD|$",
    "HK$ HKD|$",
    "J$ JMD|$",
    "MX$ Mex$ MXN|$",
    "NT$ TWD|$",
    "NZ$ NZD|$",
    "S$ SGD|$",
    "TT$ TTD|$",
    "AR$ ARS|$",
    "$U UYU|$",
    "B$ BSD|$",
    "€ EUR",
    "£ GBP",
    "FKP|£",
    "GIP|£",
    "SHP|£",
    "¥ ￥ 円 JPY",
    "CN¥ 元 CNY RMB|¥ ￥",
    "kr|DKK ISK NOK SEK",
    "DKK|kr",
    "ISK|kr",
    "NOK|kr",
    "SEK|kr",
    "CHF Fr SFr",
    "₹ INR|Rs",
    "Rs|INR LKR NPR PKR MUR ₹ ₨",
    "₽ руб RUB",
    "zł PLN",
    "Kč CZK",
    "Ft HUF",
    "₺ TL TRY",
    "₴ грн UAH",
    "лв BGN",
    "lei RON",
    "₩ 원 KRW",
    "R ZAR",
    "R$ BRL",
    "Rp IDR",
    "RM MYR",
];

/// Returns whether a word of [`currency_words`] may name the currency that a ruleset calls `own`.
pub fn same_currency(found: &str, own: &str) -> bool {
    let own: String = own.chars().filter(|c| c.is_alphabetic() || is_sign(*c)).collect();
    let is_in = |names: &str, word: &str| names.split(' ').any(|it| it.to_lowercase() == word.to_lowercase());
    let is_it = |word: &str| {
        word.to_lowercase() == own.to_lowercase()
            || CURRENCIES.iter().any(|names| {
                let (names, shared) = names.split_once('|').unwrap_or((names, ""));
                is_in(names, &own) && (is_in(names, word) || is_in(shared, word))
            })
    };
    // A sum may have both the code and the sign: `USD$35`.
    let code = found.trim_matches(is_sign);
    is_it(found) || code.len() == 3 && code != found && is_it(code) && is_it(&found.replace(code, ""))
}

/// Returns whether a word is the code of a currency.
pub fn is_code(word: &str) -> bool {
    CODES.split(' ').any(|code| code.eq_ignore_ascii_case(word))
}

fn is_sign(c: char) -> bool {
    "$£¤¥€￥＄￡฿﷼".contains(c) || ('\u{20a0}'..='\u{20cf}').contains(&c)
}

fn is_currency(word: &str, own: &str) -> bool {
    let capitals = |word: &str| word.bytes().all(|b| b.is_ascii_uppercase());
    match word.strip_suffix(is_sign).or_else(|| word.strip_prefix(is_sign)) {
        // US$ or $US
        Some(country) => country.len() <= 3 && capitals(country),
        None => {
            is_code(word)
                || NAMES.contains(&word)
                || !word.is_empty() && word.to_lowercase() == own.to_lowercase()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DecimalMark::{Comma, Point};
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

    #[test]
    fn sums_of_either_habit_are_read() {
        for (text, point, comma) in [
            ("35", Some(3_500), Some(3_500)),
            ("$6,445.00", Some(644_500), None),
            ("6.445,00 €", None, Some(644_500)),
            ("6\u{a0}445,00\u{a0}€", None, Some(644_500)),
            ("CHF 6'445.50", Some(644_550), None),
            ("6’445.—", Some(644_500), None),
            ("Fr. 35.-", Some(3_500), None),
            ("35,- kr", None, Some(3_500)),
            ("US$ 1,234,567.80", Some(123_456_780), None),
            ("$35.00 USD", Some(3_500), None),
            ("1 234,5 zł", None, Some(123_450)),
            ("₹12,34,567.50", Some(123_456_750), None),
            ("$.50", Some(50), None),
            ("35.000", Some(3_500), Some(3_500_000)),
            ("6,450", Some(645_000), Some(645)),
            ("6,445", Some(644_500), None),
            ("7 crowns", Some(700), Some(700)),
            ("($35.00)", Some(-3_500), None),
            ("-$35", Some(-3_500), Some(-3_500)),
            ("\u{2212}35,5\u{a0}€", None, Some(-3_550)),
            ("35.00-", Some(-3_500), None),
            ("+35.00", Some(3_500), None),
            ("35:- kr", Some(3_500), Some(3_500)),
            ("35円", Some(3_500), Some(3_500)),
            ("$ -", Some(0), Some(0)),
        ] {
            let read = [Point, Comma].map(|mark| sum(text, mark, "Crowns"));
            assert_eq!(read, [point, comma], "{text}");
        }
    }

    #[test]
    fn signs_codes_and_names_of_one_currency_are_the_same() {
        for (sum, own, same) in [
            ("US$35", "$", true),
            ("USD$35", "$", true),
            ("usd 35", "$", true),
            ("35 EUR", "€", true),
            ("Fr. 35.-", "CHF", true),
            ("35 Chips", "chips", true),
            ("CA$35", "CAD", true),
            ("$35 CAD", "C$", true),
            ("35 kr", "SEK", true),
            ("¥35", "CNY", true),
            ("S/ 35", "S/", true),
            ("CA$35", "$", false),
            ("$35 CAD", "$", false),
            ("CAD$35", "$", false),
            ("US$35", "CAD", false),
            ("35 SEK", "DKK", false),
            ("35 CNY", "¥", false),
            ("€35", "$", false),
            ("$35", "chips", false),
            ("$35", "", false),
        ] {
            let found = currency_words(sum).iter().all(|word| same_currency(word, own));
            assert_eq!(found, same, "{sum} {own}");
        }
        // Every known code differs from the dollar.
        for code in CODES.split(' ').filter(|code| *code != "USD") {
            assert!(!same_currency(code, "$"), "{code}");
        }
    }

    #[test]
    fn what_is_no_sum_is_not_read() {
        for text in [
            "",
            "$",
            "-",
            "()",
            "ten",
            "10k",
            "50¢",
            "1,23,45",
            "123,45,678",
            "1,2,345",
            "35 MIO",
            "0,500.00",
            "1,234 567",
            "12,34.5",
            "--5",
            "(5",
            "5 crowns",
            "1.2.3",
            "6\"445",
            "$ $ $ 5 $ $",
            "99999999999999999999",
        ] {
            assert_eq!([Point, Comma].map(|mark| sum(text, mark, "$")), [None; 2], "{text}");
        }
    }
}
