//! Formatting of figures, the same in the terminal, in charts and on pages. Limits of intervals are rounded outwards,
//! so an interval never looks narrower than it is.
//!
//! Minus signs and spaces are typographic; [`ascii`] replaces them for terminals.

use crate::rules::Casino;
pub(crate) use crate::stats::Side;
use crate::stats::{Bounded, Estimate};
use crate::text;

/// Text for a missing number.
const NONE: &str = "n/a";
/// Text for an infinite interval.
const NO_INTERVAL: &str = "no interval yet";
/// Tolerance that keeps exact limits, such as 0, from being rounded outwards by a digit.
const SLACK: f64 = 1e-7;
/// A non-breaking space.
const NO_BREAK: char = '\u{a0}';
pub(crate) const MINUS: char = '−';

/// Formats a whole number with commas: `1,234,567`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Formats a number of things: `1 deal`, `2,000 deals`, `3 matches`.
pub(crate) fn plural(n: u64, one: &str) -> String {
    let ending = match n {
        1 => "",
        _ if one.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {one}{ending}", count(n))
}

/// Formats a number of games: `1 game`, `2,000 games`.
pub(crate) fn games(n: u64) -> String {
    plural(n, "game")
}

/// Formats a whole number for a table.
pub(crate) fn number(n: u64) -> FormattedEstimate {
    FormattedEstimate::of(n as f64, count(n))
}

/// Formats a number with this many decimals for a table.
pub(crate) fn rounded(x: f64, decimals: usize) -> FormattedEstimate {
    FormattedEstimate::of(x, fixed(x, decimals))
}

/// Formats a number with this many decimals and commas; never as negative zero.
pub(crate) fn fixed(x: f64, decimals: usize) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    let text = format!("{:.decimals$}", x.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse().map_or_else(|_| whole.to_string(), count);
    let negative = x < 0.0 && text.contains(|c| matches!(c, '1'..='9'));
    if negative { format!("{MINUS}{whole}{rest}") } else { format!("{whole}{rest}") }
}

/// Formats the standard deviation of one game, which is unknown after a single game.
pub(crate) fn spread(games: u64, say: impl FnOnce() -> String) -> String {
    if games < 2 { "unknown".into() } else { say() }
}

/// Replaces characters that some terminals cannot show.
pub(crate) fn ascii(text: &str) -> String {
    text.replace(MINUS, "-").replace(NO_BREAK, " ")
}

/// Returns a name on one line, without control characters that could affect a terminal.
pub(crate) fn one_line(name: &str) -> String {
    let name: String =
        name.chars().map(|c| if c.is_control() && c.is_whitespace() { ' ' } else { c }).collect();
    text::one_line(name.trim()).into_owned()
}

/// A formatted figure and its interval, with the underlying numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FormattedEstimate {
    /// `20.13%`
    pub value: String,
    /// `20.05% to 20.21%`
    pub interval: String,
    /// Full precision: rates as fractions, money in units of the currency.
    pub number: Option<Number>,
    /// Side of a house edge.
    pub side: Side,
}

impl From<String> for FormattedEstimate {
    fn from(value: String) -> FormattedEstimate {
        FormattedEstimate::exact(value)
    }
}

impl From<&str> for FormattedEstimate {
    fn from(value: &str) -> FormattedEstimate {
        FormattedEstimate::exact(value.into())
    }
}

/// Number behind a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// Number without an interval.
    Exact(f64),
    Estimate(Estimate),
    /// Number between two bounds.
    Bounded(Bounded),
}

impl FormattedEstimate {
    /// Creates a figure that needs no interval, or a name.
    pub fn exact(value: String) -> FormattedEstimate {
        FormattedEstimate { value, ..FormattedEstimate::default() }
    }

    /// Creates a figure with its number.
    pub fn of(number: f64, value: String) -> FormattedEstimate {
        FormattedEstimate { value, number: Some(Number::Exact(number)), ..FormattedEstimate::default() }
    }

    /// Sets the side that the figure is on.
    pub fn on(self, side: Side) -> FormattedEstimate {
        FormattedEstimate { side, ..self }
    }

    /// `95% interval 20.05% to 20.21%`
    pub fn interval_in_words(&self) -> String {
        if self.interval == NO_INTERVAL {
            NO_INTERVAL.into()
        } else {
            format!("95% interval {}", self.interval)
        }
    }

    /// Formats the intervals of two figures: `95% intervals 2 to 3 and 20.05% to 20.21%`
    pub fn intervals_in_words(&self, other: &FormattedEstimate) -> String {
        match [self, other].map(|it| it.interval == NO_INTERVAL) {
            [true, true] => NO_INTERVAL.into(),
            [false, false] => format!("95% intervals {} and {}", self.interval, other.interval),
            _ => format!("{} and {}", self.interval_in_words(), other.interval_in_words()),
        }
    }

    /// `20.13% (20.05% to 20.21%)`
    pub fn both(&self) -> String {
        if self.interval.is_empty() {
            self.value.clone()
        } else {
            format!("{} ({})", self.value, self.interval)
        }
    }

    /// Sets the number behind the figure.
    fn made_of(self, e: Estimate) -> FormattedEstimate {
        FormattedEstimate { number: Some(Number::Estimate(e)), ..self }
    }
}

/// Returns the decimals up to the first uncertain digit of an estimate, clamped.
fn decimals(e: Estimate, least: usize, most: usize) -> usize {
    let half = (e.high - e.low) / 2.0;
    if half.is_finite() && half > 0.0 {
        (-half.log10()).ceil().clamp(least as f64, most as f64) as usize
    } else {
        least
    }
}

/// Converts an estimate to another unit.
pub(crate) fn scaled(e: Estimate, unit: f64) -> Estimate {
    Estimate { value: e.value * unit, low: e.low * unit, high: e.high * unit }
}

/// Formats the figure, rounded to nearest, and its limits, rounded outwards, each by `write(number, decimals)`.
fn said(
    e: Estimate,
    (least, most): (usize, usize),
    write: impl Fn(f64, usize) -> String,
) -> FormattedEstimate {
    let d = decimals(e, least, most);
    let value = if e.value.is_finite() { write(e.value, d) } else { NONE.into() };
    let interval = if e.low.is_finite() && e.high.is_finite() {
        let unit = 10f64.powi(d as i32);
        let low = (e.low * unit + SLACK).floor() / unit;
        let high = (e.high * unit - SLACK).ceil() / unit;
        format!("{} to {}", write(low, d), write(high, d))
    } else {
        NO_INTERVAL.into()
    };
    FormattedEstimate { value, interval, number: Some(Number::Estimate(e)), side: Side::Open }
}

/// Formats a percentage of an estimate. Exactly 0% and 100% have no decimals.
fn percent_text(x: f64, d: usize, of: Estimate) -> String {
    let exact = (x == 0.0 || x == 100.0) && [of.value, of.low, of.high].contains(&x);
    format!("{}%", fixed(x, if exact { 0 } else { d }))
}

/// Returns the minimum decimals of a percentage: one, or more if a positive lower limit would read as 0.
fn least(of: Estimate) -> usize {
    if of.low > 0.0 && of.low < 0.1 { ((-of.low.log10()).ceil() as usize).clamp(1, 3) } else { 1 }
}

/// Formats a fraction as a percentage: `3.45%`, `3.41% to 3.49%`.
pub(crate) fn percent(e: Estimate) -> FormattedEstimate {
    percent_to(e, 8)
}

/// Formats a fraction as a percentage with a maximum number of decimals.
pub(crate) fn percent_to(e: Estimate, most: usize) -> FormattedEstimate {
    let p = scaled(e, 100.0);
    said(p, (least(p).min(most), most), |x, d| percent_text(x, d, p)).made_of(e)
}

/// Formats a house edge: `+63.3%`, `63.1% to 63.5%`; the limits have signs too if one is negative.
pub(crate) fn edge(e: Estimate) -> FormattedEstimate {
    edge_to(e, 8)
}

/// Formats a house edge with a maximum number of decimals.
pub(crate) fn edge_to(e: Estimate, most: usize) -> FormattedEstimate {
    let p = scaled(e, 100.0);
    let decimals = (most.min(1), most);
    let with_sign = |x: f64, d: usize| signed(x, percent_text(x, d, p));
    let limit = |x, d| if p.low < 0.0 { with_sign(x, d) } else { percent_text(x, d, p) };
    let limits = said(p, decimals, limit).made_of(e);
    FormattedEstimate { value: said(p, decimals, with_sign).value, side: Side::of(e), ..limits }
}

/// Formats a fraction without an interval, as a percentage.
pub(crate) fn share(x: f64) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    // Rare is not shown as never, nor nearly all as all.
    match x.abs().min((1.0 - x).abs()) {
        0.0 => format!("{}%", fixed(x * 100.0, 0)),
        rare if rare < 0.999e-5 && x < 0.5 => "under 0.001%".into(),
        rare if rare < 0.999e-5 => "over 99.999%".into(),
        rare if rare < 0.001 => format!("{}%", fixed(x * 100.0, 3)),
        _ => format!("{}%", fixed(x * 100.0, 1)),
    }
}

/// Formats a plain mean: `11.43`, `11.42 to 11.45`.
pub(crate) fn mean(e: Estimate) -> FormattedEstimate {
    said(e, (1, 6), fixed)
}

/// Adds a plus sign to positive numbers.
pub(crate) fn signed(x: f64, text: String) -> String {
    let gain = x > 0.0 && text.contains(|c| matches!(c, '1'..='9'));
    if gain { format!("+{text}") } else { text }
}

/// Formats a difference of means: `+2.61`, `−0.02 to +5.24`.
pub(crate) fn difference(e: Estimate) -> FormattedEstimate {
    said(e, (2, 6), |x, d| signed(x, fixed(x, d)))
}

/// Formats a difference of rates in percentage points: `+3.6 pp`, `+3.1 pp to +4.1 pp`.
pub(crate) fn points(e: Estimate) -> FormattedEstimate {
    said(scaled(e, 100.0), (1, 6), |x, d| signed(x, format!("{}{NO_BREAK}pp", fixed(x, d)))).made_of(e)
}

/// Formats an estimate in cents: `$57.16`, `$57.10 to $57.22`.
pub(crate) fn money_estimate(e: Estimate, casino: &Casino) -> FormattedEstimate {
    said(scaled(e, 0.01), (2, 4), |x, d| dress(&fixed(x, d), casino))
}

/// Formats like [`money_estimate`], with a plus sign for gains: `+$3.55`.
pub(crate) fn gain_estimate(e: Estimate, casino: &Casino) -> FormattedEstimate {
    said(scaled(e, 0.01), (2, 4), |x, d| signed(x, dress(&fixed(x, d), casino)))
}

/// Formats a sum of cents, to the cent, or without cents if `whole`.
pub(crate) fn money(cents: f64, casino: &Casino, whole: bool) -> String {
    if !cents.is_finite() {
        return NONE.into();
    }
    dress(&fixed(cents / 100.0, if whole { 0 } else { 2 }), casino)
}

/// Formats a sum of cents for any terminal.
pub(crate) fn cents(amount: i64, casino: &Casino) -> String {
    ascii(&money(amount as f64, casino, false))
}

/// Adds the currency: a sign before the digits, a name after them.
fn dress(digits: &str, casino: &Casino) -> String {
    let name = one_line(&casino.currency);
    if name.chars().count() > 1 && name.chars().all(char::is_alphabetic) {
        return format!("{digits}{NO_BREAK}{name}");
    }
    match digits.strip_prefix(MINUS) {
        Some(rest) => format!("{MINUS}{name}{rest}"),
        None => format!("{name}{digits}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn e(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low, high }
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!((count(0), count(999), count(1_234_567)), ("0".into(), "999".into(), "1,234,567".into()));
        assert_eq!(fixed(-1234.5, 1), "−1,234.5");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(f64::NAN, 2), "n/a");
        assert_eq!(
            [0.0, 1e-9, 0.00002, 0.25, 0.99999, 1.0 - 1e-9, 1.0].map(share),
            ["0%", "under 0.001%", "0.002%", "25.0%", "99.999%", "over 99.999%", "100%"]
        );
        assert_eq!(one_line("a\x1b[31m\nb "), "a\\u001b[31m b");
        assert_eq!(ascii("−1\u{a0}EUR"), "-1 EUR");
    }

    #[test]
    fn limits_go_outwards() {
        assert_eq!(percent(e(0.2013, 0.20054, 0.20206)).both(), "20.13% (20.05% to 20.21%)");
        assert_eq!(percent(e(0.034512, 0.034156, 0.034872)).both(), "3.45% (3.41% to 3.49%)");
        assert_eq!(percent(e(0.0, 0.0, 0.2775)).both(), "0% (0% to 27.8%)");
        assert_eq!(percent(e(0.0, 0.0, 0.000_003_7)).both(), "0% (0% to 0.0004%)");
        assert_eq!(percent(e(0.002, 0.000_547, 0.0051)).both(), "0.20% (0.05% to 0.51%)");
        assert_eq!(percent(e(0.002, 0.000_000_1, 0.0051)).both(), "0.200% (0.000% to 0.510%)");
        assert_eq!(percent(e(1.0, 0.99991, 1.0)).both(), "100% (99.991% to 100%)");
        assert_eq!(percent(e(0.5, f64::NEG_INFINITY, f64::INFINITY)).interval, "no interval yet");
        let [told, open] = [e(2.0, 1.0, 3.0), e(2.0, f64::NEG_INFINITY, f64::INFINITY)].map(percent);
        let said = &told.interval;
        assert_eq!(told.intervals_in_words(&told), format!("95% intervals {said} and {said}"));
        assert_eq!(open.intervals_in_words(&open), "no interval yet");
        assert_eq!(open.intervals_in_words(&told), format!("no interval yet and 95% interval {said}"));
        assert_eq!(mean(e(13.2, 2.5371, 23.8628)).both(), "13.2 (2.5 to 23.9)");
        assert_eq!(mean(e(13.0, 13.0, 13.0)).both(), "13.0 (13.0 to 13.0)");
    }

    #[test]
    fn signs_are_clear() {
        assert_eq!(edge(e(0.461, 0.459, 0.463)).both(), "+46.1% (45.9% to 46.3%)");
        assert_eq!(edge(e(0.001, -0.001, 0.003)).both(), "+0.1% (−0.1% to +0.3%)");
        assert_eq!(edge(e(-0.05, -0.06, -0.04)).both(), "−5.0% (−6.0% to −4.0%)");
        assert_eq!(edge(e(0.000001, -0.01, 0.01)).both(), "0.0% (−1.0% to +1.0%)");
    }

    #[test]
    fn money_has_its_sign_or_name() {
        let dollars = Casino {
            stake: 5200,
            stages: Vec::new(),
            pays_per_card: 500,
            pays_for_win: 0,
            currency: "$".into(),
            ..crate::rules::Spec::default().casino
        };
        let euros = Casino { currency: "EUR".into(), ..dollars.clone() };
        assert_eq!(money(-123_456.0, &dollars, false), "−$1,234.56");
        assert_eq!(money(-123_456.0, &euros, true), "−1,235\u{a0}EUR");
        assert_eq!(money(-0.2, &dollars, false), "$0.00");
        let net = gain_estimate(e(-2397.2, -2405.1, -2388.9), &dollars).both();
        assert_eq!(net, "−$23.97 (−$24.06 to −$23.88)");
        assert_eq!(difference(e(2.614, 2.2, 3.03)).both(), "+2.61 (+2.20 to +3.03)");
        assert_eq!(ascii(&points(e(-0.0021, -0.0102, 0.0034)).both()), "-0.2 pp (-1.1 pp to +0.4 pp)");
        let net = gain_estimate(e(12.0, -1.0, 25.0), &euros).both();
        assert_eq!(ascii(&net), "+0.12 EUR (-0.01 EUR to +0.25 EUR)");
    }
}
