//! Numbers as readers of charts and pages see them. Limits of intervals are rounded outwards.

use crate::rules::Casino;
use crate::stats::Estimate;

/// What stands where there is no number.
const NONE: &str = "n/a";

/// A whole number with commas: `1,234,567`.
pub(super) fn count(n: u64) -> String {
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

/// `1 game`, `2,000 games`.
pub(super) fn games(n: u64) -> String {
    format!("{} game{}", count(n), if n == 1 { "" } else { "s" })
}

/// A number with so many decimals, commas and a true minus sign; never `−0`.
pub(super) fn fixed(x: f64, decimals: usize) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    let text = format!("{:.decimals$}", x.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let whole = whole.parse().map_or_else(|_| whole.to_string(), count);
    let minus = if x < 0.0 && text.contains(|c| matches!(c, '1'..='9')) { "−" } else { "" };
    format!("{minus}{whole}{rest}")
}

/// Decimals that show the first uncertain digit of an estimate, within limits.
fn decimals(e: Estimate, least: usize, most: usize) -> usize {
    let half = (e.high - e.low) / 2.0;
    if half.is_finite() && half > 0.0 {
        (-half.log10()).ceil().clamp(least as f64, most as f64) as usize
    } else {
        least
    }
}

/// Limits rounded outwards: what is shown is never narrower than what is known.
fn limits(e: Estimate, decimals: usize) -> (String, String) {
    // A hair of slack keeps limits that are exact, such as 0, from moving.
    let unit = 10f64.powi(decimals as i32);
    let low = (e.low * unit + 1e-7).floor() / unit;
    let high = (e.high * unit - 1e-7).ceil() / unit;
    (fixed(low, decimals), fixed(high, decimals))
}

fn times(e: Estimate, k: f64) -> Estimate {
    Estimate { value: e.value * k, low: e.low * k, high: e.high * k }
}

/// Whose side the interval of an edge lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    House,
    Player,
    /// On both: too close to call.
    Open,
}

impl Side {
    pub fn of(edge: Estimate) -> Side {
        if edge.low > 0.0 {
            Side::House
        } else if edge.high < 0.0 {
            Side::Player
        } else {
            Side::Open
        }
    }
}

/// A figure and its interval as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// `20.13%`
    pub value: String,
    /// `20.05% to 20.21%`
    pub interval: String,
}

/// What stands for an interval that nothing bounds, as after one game.
const NO_INTERVAL: &str = "no interval yet";

impl Said {
    /// `95% interval 20.05% to 20.21%`
    pub fn interval_in_words(&self) -> String {
        if self.interval == NO_INTERVAL {
            NO_INTERVAL.into()
        } else {
            format!("95% interval {}", self.interval)
        }
    }

    /// `20.13% (20.05% to 20.21%)`
    pub fn both(&self) -> String {
        format!("{} ({})", self.value, self.interval)
    }
}

fn said(e: Estimate, (least, most): (usize, usize), dress: impl Fn(String) -> String) -> Said {
    let d = decimals(e, least, most);
    let value = if e.value.is_finite() { dress(fixed(e.value, d)) } else { NONE.into() };
    let interval = if e.low.is_finite() && e.high.is_finite() {
        let (low, high) = limits(e, d);
        format!("{} to {}", dress(low), dress(high))
    } else {
        NO_INTERVAL.into()
    };
    Said { value, interval }
}

/// A fraction as percent.
pub(super) fn percent(e: Estimate) -> Said {
    said(times(e, 100.0), (1, 4), |text| format!("{text}%"))
}

/// A fraction without an interval, as percent.
pub(super) fn share(x: f64) -> String {
    if !x.is_finite() {
        return NONE.into();
    }
    // Rare is not never, and nearly all is not all.
    let text = match x.abs().min((1.0 - x).abs()) {
        0.0 => fixed(x * 100.0, 0),
        rare if rare < 0.001 => fixed(x * 100.0, 3),
        _ => fixed(x * 100.0, 1),
    };
    format!("{text}%")
}

/// A plain figure.
pub(super) fn plain(e: Estimate) -> Said {
    said(e, (1, 4), |text| text)
}

/// A sum of cents as an estimate.
pub(super) fn money_estimate(e: Estimate, casino: &Casino) -> Said {
    said(times(e, 0.01), (2, 4), |text| dress(&text, casino))
}

/// A sum of cents, to the cent, or without cents where `whole`.
pub(super) fn money(cents: f64, casino: &Casino, whole: bool) -> String {
    if !cents.is_finite() {
        return NONE.into();
    }
    dress(&fixed(cents / 100.0, if whole { 0 } else { 2 }), casino)
}

/// Puts the money's sign before the digits, its name after them.
fn dress(digits: &str, casino: &Casino) -> String {
    let name = casino.currency.trim();
    if name.chars().count() > 1 && name.chars().all(char::is_alphabetic) {
        return format!("{digits} {name}");
    }
    match digits.strip_prefix('−') {
        Some(rest) => format!("−{name}{rest}"),
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
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
        assert_eq!(fixed(-1234.5, 1), "−1,234.5");
        assert_eq!(fixed(-0.001, 2), "0.00");
        assert_eq!(fixed(f64::NAN, 2), "n/a");
        assert_eq!(
            [0.0, 0.00002, 0.25, 0.99999, 1.0].map(share),
            ["0%", "0.002%", "25.0%", "99.999%", "100%"]
        );
    }

    #[test]
    fn limits_go_outwards() {
        assert_eq!(percent(e(0.2013, 0.20054, 0.20206)).both(), "20.13% (20.05% to 20.21%)");
        assert_eq!(percent(e(0.0, 0.0, 0.003)).both(), "0.0% (0.0% to 0.3%)");
        assert_eq!(percent(e(0.5, f64::NEG_INFINITY, f64::INFINITY)).interval, "no interval yet");
    }

    #[test]
    fn money_has_its_sign_or_name() {
        let dollars = Casino { stake: 5200, pays_per_card: 500, pays_for_win: 0, currency: "$".into() };
        let euros = Casino { currency: "EUR".into(), ..dollars.clone() };
        assert_eq!(money(-123456.0, &dollars, false), "−$1,234.56");
        assert_eq!(money(-123456.0, &euros, true), "−1,235 EUR");
    }
}
