//! Parameters: constants at the top of a script that can be set from outside.
//!
//! `const HOLD = param(4, 0..=13);` declares a whole number with its default and its allowed values, and `const BOLD =
//! param(true);` a boolean. A script is set by replacing the default in its text, so whatever is played, reported and
//! stored is always a complete script.

use std::ops::Range;

use rhai::{AST, ASTFlags, Engine, Expr, Position, Stmt};

use crate::diagnostic::did_you_mean;

use super::handles::Fault;
use super::places::Lines;

pub(super) const PARAM: &str = "param";
pub(super) const EXAMPLE: &str = "such as `const HOLD = param(4, 0..=13);` or `const BOLD = param(true);`";

/// The allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A whole number in an inclusive range.
    Number(i64, i64),
    /// True or false.
    Truth,
}

/// A parameter of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The name of its constant.
    pub name: String,
    /// Its allowed values.
    pub kind: ParameterKind,
    /// Its default; 1 or 0 for a boolean.
    pub default: i64,
    /// Position of the default in the text.
    pub place: Range<usize>,
}

impl Parameter {
    /// Returns the smallest and the largest value; 0 and 1 for a boolean.
    pub fn bounds(&self) -> (i64, i64) {
        match self.kind {
            ParameterKind::Number(low, high) => (low, high),
            ParameterKind::Truth => (0, 1),
        }
    }

    /// Formats a value as in a script.
    pub fn write(&self, value: i64) -> String {
        match self.kind {
            ParameterKind::Number(..) => value.to_string(),
            ParameterKind::Truth => (value != 0).to_string(),
        }
    }

    /// Parses a value; `None` if the parameter may not have it.
    pub fn read(&self, text: &str) -> Option<i64> {
        let (low, high) = self.bounds();
        let value = match self.kind {
            ParameterKind::Number(..) => text.parse().ok()?,
            ParameterKind::Truth => i64::from(text.parse::<bool>().ok()?),
        };
        (low..=high).contains(&value).then_some(value)
    }

    /// Describes the allowed values.
    pub fn allowed(&self) -> String {
        match self.kind {
            ParameterKind::Number(low, high) => format!("a whole number from {low} to {high}"),
            ParameterKind::Truth => "`true` or `false`".into(),
        }
    }

    /// Returns whether a name means this parameter: case is ignored, and `-` may replace `_`.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(&name.replace('-', "_"))
    }
}

/// Error for a setting that is not possible for a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// It has no parameter of that name.
    #[error("there is no parameter `{name}`{}", others(.name, .known))]
    Unknown {
        /// The name given.
        name: String,
        /// The existing parameters.
        known: Vec<String>,
    },
    /// It is set more than once.
    #[error("`{name}` is set twice")]
    Twice {
        /// The parameter.
        name: String,
    },
    /// The parameter does not allow the value.
    #[error("`{name}` cannot be `{value}`: it is {allowed}")]
    Value {
        /// The parameter.
        name: String,
        /// The value given.
        value: String,
        /// The allowed values, in words.
        allowed: String,
    },
}

fn others(name: &str, known: &[String]) -> String {
    if known.is_empty() {
        return format!(": the script declares none, {EXAMPLE}");
    }
    let meant = did_you_mean(&name.to_uppercase(), known.iter().map(String::as_str));
    let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
    format!("; there are {}{meant}", known.join(", "))
}

/// Finds the intended parameter and value.
///
/// # Errors
/// Fails if no parameter has the name, or it does not allow the value.
pub fn find<'p>(
    parameters: &'p [Parameter],
    name: &str,
    value: &str,
) -> Result<(&'p Parameter, i64), SettingError> {
    let Some(parameter) = parameters.iter().find(|parameter| parameter.is_called(name)) else {
        let known = parameters.iter().map(|parameter| parameter.name.clone()).collect();
        return Err(SettingError::Unknown { name: name.into(), known });
    };
    match parameter.read(value) {
        Some(read) => Ok((parameter, read)),
        None => Err(SettingError::Value {
            name: parameter.name.clone(),
            value: value.into(),
            allowed: parameter.allowed(),
        }),
    }
}

/// Returns the script's text with the defaults replaced by other values.
pub fn write(text: &str, values: &[(&Parameter, i64)]) -> String {
    let mut values = values.to_vec();
    values.sort_by_key(|(parameter, _)| parameter.place.start);
    let (mut out, mut at) = (String::new(), 0);
    for (parameter, value) in values {
        out.push_str(&text[at..parameter.place.start]);
        out.push_str(&parameter.write(value));
        at = parameter.place.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Registers the word, so that the constants of a script get their defaults.
pub fn register(engine: &mut Engine) {
    let number = |default: i64, _: std::ops::RangeInclusive<i64>| -> Result<i64, Fault> { Ok(default) };
    engine.register_fn(PARAM, number);
    engine.register_fn(PARAM, |default: bool| -> Result<bool, Fault> { Ok(default) });
}

/// A parameter, or the place and description of a fault in its declaration.
type Declared = Result<Parameter, (Range<usize>, String)>;

/// Returns the parameters that a script declares at its top, in text order.
pub fn declarations(ast: &AST, lines: &Lines) -> Vec<Declared> {
    let each = ast.statements().iter().filter_map(|statement| match statement {
        Stmt::Var(x, flags, _) if flags.contains(ASTFlags::CONSTANT) => match &x.1 {
            Expr::FnCall(call, at) if call.name == PARAM => {
                Some(declaration(lines, x.0.name.as_str(), &call.args, *at))
            }
            _ => None,
        },
        _ => None,
    });
    each.collect()
}

/// Parses a declaration, or locates and explains its fault.
fn declaration(lines: &Lines, name: &str, arguments: &[Expr], at: Position) -> Declared {
    let (text, whole) = (&lines.source.text, lines.span(at));
    let kind = match arguments {
        [Expr::BoolConstant(..)] => ParameterKind::Truth,
        [Expr::IntegerConstant(..), range] => match range_of(range) {
            Some((low, high)) if low <= high => ParameterKind::Number(low, high),
            Some((low, high)) => return Err((whole, format!("no number is from {low} to {high}"))),
            None => {
                return Err((whole, "the values of a parameter are a range with both its ends".into()));
            }
        },
        _ => return Err((whole, "a parameter has a plain default, and a number a range".into())),
    };
    // The default is between the bracket and the comma, or the closing bracket.
    let open = text[whole.end..].find('(').map_or(whole.end, |i| whole.end + i + 1);
    let close = text[open..].find([',', ')']).map_or(open, |i| open + i);
    let written = &text[open..close];
    let start = open + (written.len() - written.trim_start().len());
    let place = start..start + written.trim().len();
    let default = match arguments[0] {
        Expr::IntegerConstant(n, _) => n,
        Expr::BoolConstant(b, _) => i64::from(b),
        _ => 0,
    };
    let parameter = Parameter { name: name.into(), kind, default, place };
    let plain = text[parameter.place.clone()].replace('_', "");
    if plain != parameter.write(default) {
        return Err((parameter.place, "the default of a parameter is a plain number or truth value".into()));
    }
    if parameter.read(&plain).is_none() {
        let message = format!("{default} is not {}", parameter.allowed());
        return Err((parameter.place, message));
    }
    Ok(parameter)
}

fn range_of(range: &Expr) -> Option<(i64, i64)> {
    match range {
        Expr::FnCall(call, _) if call.name == "..=" => match call.args[..] {
            [Expr::IntegerConstant(low, _), Expr::IntegerConstant(high, _)] => Some((low, high)),
            _ => None,
        },
        Expr::DynamicConstant(value, _) => {
            let range = value.read_lock::<std::ops::RangeInclusive<i64>>()?;
            Some((*range.start(), *range.end()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::diagnostic::{Diagnostic, SourceText};
    use crate::strategy::script::Script;

    fn script(text: &str) -> Result<Vec<Parameter>, Vec<String>> {
        let source = Arc::new(SourceText { name: "mine.rhai".into(), text: text.into() });
        let faults = |faults: Vec<Diagnostic>| faults.iter().map(Diagnostic::to_string).collect::<Vec<_>>();
        Script::new("mine", &source).map(|script| script.parameters().to_vec()).map_err(faults)
    }

    const GOOD: &str = "const HOLD = param( 4 , 0..=13);\nconst BOLD=param(true);\nconst LOW = param(-3, -1_0..=10);\n\
                        fn score(view, m) { if BOLD { HOLD + LOW } else { -1 } }";

    #[test]
    fn declarations_are_read_and_written() {
        let found = script(GOOD).unwrap();
        let said: Vec<String> =
            found.iter().map(|p| format!("{} {} {:?}", p.name, p.write(p.default), p.bounds())).collect();
        assert_eq!(said, ["HOLD 4 (0, 13)", "BOLD true (0, 1)", "LOW -3 (-10, 10)"]);
        let written = write(GOOD, &[(&found[2], 7), (&found[0], 11), (&found[1], 0)]);
        assert!(written.starts_with(
            "const HOLD = param( 11 , 0..=13);\nconst BOLD=param(false);\nconst LOW = param(7, -1_0..=10);\n"
        ));
        assert_eq!(script(&written).unwrap()[0].default, 11);
    }

    #[test]
    fn a_person_may_write_names_in_any_case() {
        let found = script(GOOD).unwrap();
        assert_eq!(find(&found, "hold", "13").unwrap().1, 13);
        assert_eq!(find(&found, "bold", "false").unwrap().1, 0);
        let said = |name, value| find(&found, name, value).unwrap_err().to_string();
        assert_eq!(said("hold", "14"), "`HOLD` cannot be `14`: it is a whole number from 0 to 13");
        assert_eq!(said("bold", "2"), "`BOLD` cannot be `2`: it is `true` or `false`");
        assert_eq!(
            said("holt", "1"),
            "there is no parameter `holt`; there are HOLD, BOLD, LOW; did you mean `HOLD`?"
        );
    }

    #[test]
    fn what_is_no_declaration_is_told_with_its_place() {
        let body = "\nfn score(view, m) { A }";
        for (text, said) in [
            ("const A = param(4);", "mine.rhai:1:11: a parameter has a plain default"),
            ("const A = param(4, 1..9);", "mine.rhai:1:11: the values of a parameter are a range with both"),
            ("const A = param(4, 9..=1);", "mine.rhai:1:11: no number is from 9 to 1"),
            ("const A = param(4, 5..=9);", "mine.rhai:1:17: 4 is not a whole number from 5 to 9"),
            ("const A = param(0x4, 0..=9);", "mine.rhai:1:17: the default of a parameter is a plain"),
            ("const A = 1 + param(4, 0..=9);", "mine.rhai:1:15: `param` declares a parameter only"),
        ] {
            let faults = script(&format!("{text}{body}")).unwrap_err();
            assert!(faults[0].starts_with(said), "{text}: {faults:?}");
        }
        let inside = script("fn score(view, m) { param(4, 0..=9) }").unwrap_err();
        assert!(inside[0].starts_with("mine.rhai:1:21: `param` declares"), "{inside:?}");
    }
}
