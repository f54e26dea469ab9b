//! Numbers and sums of money as spreadsheets write them, in the conventions of several countries.

use super::numbers::exact;

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
    fn sums_of_either_habit_are_read() {
        for (text, point, comma) in [
            ("35", Some(3_500), Some(3_500)),
            ("$6,445.00", Some(644_500), None),
            ("6.445,00 €", None, Some(644_500)),
            ("6\u{a0}445,00\u{a0}€", None, Some(644_500)),
            ("6\u{202f}445", Some(644_500), Some(644_500)),
            ("CHF 6'445.50", Some(644_550), None),
            ("6’445.—", Some(644_500), None),
            ("Fr. 35.-", Some(3_500), None),
            ("35,- kr", None, Some(3_500)),
            ("US$ 1,234,567.80", Some(123_456_780), None),
            ("$35.00 USD", Some(3_500), None),
            ("1 234,5 zł", None, Some(123_450)),
            ("₹12,34,567.50", Some(123_456_750), None),
            ("R 6\u{a0}445,00", None, Some(644_500)),
            ("Rp6.445", None, Some(644_500)),
            ("$.50", Some(50), None),
            ("35.000", Some(3_500), Some(3_500_000)),
            ("6,450", Some(645_000), Some(645)),
            ("6,445", Some(644_500), None),
            ("7 crowns", Some(700), Some(700)),
            ("($35.00)", Some(-3_500), None),
            ("$(35.00)", Some(-3_500), None),
            ("(35,00 €)", None, Some(-3_500)),
            ("-$35", Some(-3_500), Some(-3_500)),
            ("$ -35", Some(-3_500), Some(-3_500)),
            ("\u{2212}35,5\u{a0}€", None, Some(-3_550)),
            ("35.00-", Some(-3_500), None),
            ("+35.00", Some(3_500), None),
            ("35:- kr", Some(3_500), Some(3_500)),
            ("35円", Some(3_500), Some(3_500)),
            ("35,00 $US", None, Some(3_500)),
            ("$ -", Some(0), Some(0)),
            ("-   €", Some(0), Some(0)),
        ] {
            let read = [Point, Comma].map(|mark| sum(text, mark, "Crowns"));
            assert_eq!(read, [point, comma], "{text}");
        }
    }

    #[test]
    fn signs_codes_and_names_of_one_currency_are_the_same() {
        for (sum, own, same) in [
            ("$35", "$", true),
            ("US$35", "$", true),
            ("$35.00 USD", "$", true),
            ("USD$35", "$", true),
            ("usd 35", "$", true),
            ("35 EUR", "€", true),
            ("35 €", "eur", true),
            ("Fr. 35.-", "CHF", true),
            ("35 Chips", "chips", true),
            ("CA$35", "CAD", true),
            ("$35", "CAD", true),
            ("$35 CAD", "C$", true),
            ("35 kr", "SEK", true),
            ("35 SEK", "kr", true),
            ("¥35", "CNY", true),
            ("S/ 35", "S/", true),
            ("CA$35", "$", false),
            ("CAD 35", "$", false),
            ("$35 CAD", "$", false),
            ("CAD$35", "$", false),
            ("35 MXN", "US$", false),
            ("A$35", "$", false),
            ("US$35", "CAD", false),
            ("35 SEK", "DKK", false),
            ("35 EGP", "£", false),
            ("35 CNY", "¥", false),
            ("€35", "$", false),
            ("R$ 35", "$", false),
            ("$35", "chips", false),
            ("$35", "♣", false),
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
            "1e3",
            "5x",
            "50¢",
            "50%",
            "1,23,45",
            "123,45,678",
            "1,2,345",
            "35 MIO",
            "50 CTS",
            "0,500.00",
            "1,234 567",
            "12,34.5",
            "--5",
            "-(5)",
            "(5",
            "5 crowns",
            "1.2.3",
            "1,2,3",
            "6\"445",
            "$ $ $ 5 $ $",
            "99999999999999999999",
        ] {
            assert_eq!([Point, Comma].map(|mark| sum(text, mark, "$")), [None; 2], "{text}");
        }
    }
}
