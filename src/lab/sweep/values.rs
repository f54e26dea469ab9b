//! The values of an axis as people write them: `1..5`, `5..20:3`, `0,1,2,unlimited`, `3,[3,2,1]`.

/// Most values of one axis.
const MOST: usize = 1000;

/// The parts of a list, divided by commas that stand in no bracket, brace or quote.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut quote, mut start) = (0i32, None, 0);
    for (at, c) in text.char_indices() {
        match (c, quote) {
            (c, Some(open)) if c == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(c),
            ('[' | '{', None) => depth += 1,
            (']' | '}', None) => depth -= 1,
            (',', None) if depth <= 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}

/// Every value of a list, ranges written out.
///
/// # Errors
/// What is wrong with it, and what to write.
pub(super) fn values(text: &str) -> Result<Vec<String>, String> {
    let mut values: Vec<String> = Vec::new();
    for part in parts(text) {
        let more = match part.split_once("..") {
            _ if part.is_empty() => {
                return Err("a value is missing: write them as 1..5, 5..20:3 or 0,1,2,unlimited".into());
            }
            Some((first, rest)) if !part.starts_with(['"', '\'', '[', '{']) => range(part, first, rest)?,
            _ => vec![part.to_string()],
        };
        for value in more {
            if values.contains(&value) {
                return Err(format!("it has the value `{value}` twice"));
            }
            values.push(value);
        }
        if values.len() > MOST {
            return Err(format!("it has more than {MOST} values"));
        }
    }
    Ok(values)
}

/// `first..last` or `first..last:step`, both ends meant; the last is left out where no step falls on it.
fn range(part: &str, first: &str, rest: &str) -> Result<Vec<String>, String> {
    let fault = || {
        format!(
            "`{part}` is not a range: write it as 1..5 (1, 2, 3, 4 and 5) or 5..20:3 (every third from 5 on), \
             the smaller number first"
        )
    };
    let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let [first, last, step] = [first, last, step].map(|text| thousandths(text.trim()));
    let (Some(first), Some(last), Some(step)) = (first, last, step) else { return Err(fault()) };
    if last < first || step <= 0 {
        return Err(fault());
    }
    if (last - first) / step >= MOST as i64 {
        return Err(format!("`{part}` has more than {MOST} values"));
    }
    let mut values = Vec::new();
    let mut value = first;
    while value <= last {
        values.push(crate::rules::file::decimal(value));
        value += step;
    }
    Ok(values)
}

/// A number with at most three decimals in thousandths.
fn thousandths(text: &str) -> Option<i64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let (whole, rest) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |text: &str| !text.is_empty() && text.len() <= 12 && text.bytes().all(|b| b.is_ascii_digit());
    if !plain(whole) || !plain(rest) || rest.len() > 3 {
        return None;
    }
    let number = whole.parse::<i64>().ok()? * 1000 + format!("{rest:0<3}").parse::<i64>().ok()?;
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::values;

    fn read(text: &str) -> Vec<String> {
        values(text).unwrap_or_else(|fault| panic!("{text}: {fault}"))
    }

    #[test]
    fn both_ends_of_a_range_are_meant() {
        assert_eq!(read("1..5"), ["1", "2", "3", "4", "5"]);
        assert_eq!(read("5..20:3"), ["5", "8", "11", "14", "17", "20"]);
        assert_eq!(read("5..20:4"), ["5", "9", "13", "17"]);
        assert_eq!(read("7..7"), ["7"]);
        assert_eq!(read("-1..1"), ["-1", "0", "1"]);
        assert_eq!(read("4.5..6:0.75"), ["4.5", "5.25", "6"]);
    }

    #[test]
    fn lists_keep_what_is_in_brackets_together() {
        assert_eq!(read("0, 1,2,unlimited"), ["0", "1", "2", "unlimited"]);
        assert_eq!(read("3,[3,2,1],{ die = 6, roll = pass }"), ["3", "[3,2,1]", "{ die = 6, roll = pass }"]);
        assert_eq!(read("0..2,5,\"a,..b\""), ["0", "1", "2", "5", "\"a,..b\""]);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for (text, said) in [
            ("", "a value is missing"),
            ("1,,2", "a value is missing"),
            ("5..1", "the smaller number first"),
            ("1..5:0", "is not a range"),
            ("1..", "is not a range"),
            ("a..b", "is not a range"),
            ("1..3..5", "is not a range"),
            ("1..5000", "more than 1000 values"),
            ("1..3,2", "`2` twice"),
        ] {
            let fault = values(text).unwrap_err();
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
