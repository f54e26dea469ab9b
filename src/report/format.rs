//! Figures as people read them. Limits are rounded outwards, so an interval never looks narrower
//! than it is.

use crate::stats::Estimate;

/// Keeps floating-point noise from pushing a limit to the next digit.
const SLACK: f64 = 1e-9;

/// A space at which no line is broken.
pub const NO_BREAK: &str = "\u{a0}";

/// Decimals that show the half-width of an interval with one digit, within a range.
fn decimals(e: &Estimate, least: usize, most: usize) -> usize {
    let half = (e.high - e.low) / 2.0;
    if half > 0.0 { ((-half.log10()).ceil().max(0.0) as usize).clamp(least, most) } else { least }
}

/// The figure rounded to the nearest, the limits outwards.
fn rounded(e: &Estimate, decimals: usize) -> Estimate {
    let scale = 10f64.powi(decimals as i32);
    // Adding 0 makes a negative zero a plain one.
    Estimate {
        value: (e.value * scale).round() / scale + 0.0,
        low: (e.low * scale + SLACK).floor() / scale + 0.0,
        high: (e.high * scale - SLACK).ceil() / scale + 0.0,
    }
}

fn scaled(e: &Estimate, by: f64) -> Estimate {
    Estimate { value: e.value * by, low: e.low * by, high: e.high * by }
}

/// A figure and its interval as text: `(figure, "low to high")`.
pub type Figure = (String, String);

/// Both in one line.
pub fn line((value, interval): Figure) -> String {
    format!("{value} ({interval})")
}

/// A rate: `3.45%`, `3.41% to 3.49%`.
pub fn percent(e: &Estimate) -> Figure {
    let e = scaled(e, 100.0);
    let d = decimals(&e, 1, 6);
    let e = rounded(&e, d);
    (format!("{:.d$}%", e.value), format!("{:.d$}% to {:.d$}%", e.low, e.high))
}

/// A house edge: `+46.1%`, `45.9% to 46.3%`; the limits have signs too where one is below 0.
pub fn edge(e: &Estimate) -> Figure {
    let e = scaled(e, 100.0);
    let d = decimals(&e, 1, 6);
    let e = rounded(&e, d);
    let interval = if e.low < 0.0 {
        format!("{} to {}", signed(e.low, d), signed(e.high, d))
    } else {
        format!("{:.d$}% to {:.d$}%", e.low, e.high)
    };
    (signed(e.value, d), interval)
}

fn signed(value: f64, d: usize) -> String {
    let sign = if value > 0.0 { "+" } else { "" };
    format!("{sign}{value:.d$}%")
}

/// A plain mean: `11.43`, `11.42 to 11.45`.
pub fn mean(e: &Estimate) -> Figure {
    let d = decimals(e, 1, 6);
    let e = rounded(e, d);
    (format!("{:.d$}", e.value), format!("{:.d$} to {:.d$}", e.low, e.high))
}

/// Money from cents: `$57.16`, `$57.10 to $57.22`; with `plus`, gains carry a `+`.
pub fn money(e: &Estimate, currency: &str, plus: bool) -> Figure {
    let d = decimals(&scaled(e, 0.01), 2, 4);
    let e = rounded(&scaled(e, 0.01), d);
    let show = |amount: f64| amount_text(amount, currency, d, plus);
    (show(e.value), format!("{} to {}", show(e.low), show(e.high)))
}

/// An amount of cents, to the cent: `$52.00`, `-EUR 3.25`.
pub fn cents(amount: f64, currency: &str) -> String {
    amount_text((amount.round() + 0.0) / 100.0, currency, 2, false)
}

fn amount_text(amount: f64, currency: &str, d: usize, plus: bool) -> String {
    let currency = plain(currency);
    // Names of money stand apart from the figure, signs do not; no line breaks between them.
    let gap = if currency.chars().last().is_some_and(char::is_alphanumeric) { NO_BREAK } else { "" };
    let sign = if amount < 0.0 {
        "-"
    } else if plus && amount > 0.0 {
        "+"
    } else {
        ""
    };
    let digits = format!("{:.d$}", amount.abs());
    let (whole, rest) = digits.split_at(digits.find('.').unwrap_or(digits.len()));
    format!("{sign}{currency}{gap}{}{rest}", grouped(whole))
}

/// A count with commas: `1,000,000`.
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A name on one line, without control characters that a terminal might obey.
pub fn plain(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn e(value: f64, low: f64, high: f64) -> Estimate {
        Estimate { value, low, high }
    }

    #[test]
    fn limits_are_rounded_outwards() {
        assert_eq!(line(percent(&e(0.034512, 0.034156, 0.034872))), "3.45% (3.41% to 3.49%)");
        assert_eq!(line(percent(&e(0.0, 0.0, 0.2775))), "0.0% (0.0% to 27.8%)");
        assert_eq!(line(mean(&e(13.2, 2.5371, 23.8628))), "13.2 (2.5 to 23.9)");
        assert_eq!(line(mean(&e(13.0, 13.0, 13.0))), "13.0 (13.0 to 13.0)");
    }

    #[test]
    fn signs_are_clear() {
        assert_eq!(line(edge(&e(0.461, 0.459, 0.463))), "+46.1% (45.9% to 46.3%)");
        assert_eq!(line(edge(&e(0.001, -0.001, 0.003))), "+0.1% (-0.1% to +0.3%)");
        assert_eq!(line(edge(&e(-0.05, -0.06, -0.04))), "-5.0% (-6.0% to -4.0%)");
        assert_eq!(line(edge(&e(-0.000001, -0.01, 0.01))), "0.0% (-1.0% to +1.0%)");
        let net = e(-2397.2, -2405.1, -2388.9);
        assert_eq!(line(money(&net, "$", true)), "-$23.97 (-$24.06 to -$23.88)");
        let net = line(money(&e(12.0, -1.0, 25.0), "EUR", true));
        assert_eq!(net.replace(NO_BREAK, " "), "+EUR 0.12 (-EUR 0.01 to +EUR 0.25)");
    }

    #[test]
    fn money_and_counts_are_grouped() {
        assert_eq!(cents(123_456_789.0, "$"), "$1,234,567.89");
        assert_eq!(cents(-5.0, "kr"), "-kr\u{a0}0.05");
        assert_eq!(cents(-0.2, "\u{20ac}"), "\u{20ac}0.00");
        assert_eq!((count(0), count(999), count(1_000_000)), ("0".into(), "999".into(), "1,000,000".into()));
        assert_eq!(plain("a\x1b[31m\nb "), "a [31m b");
    }
}
