//! Settings of a script's parameters, as they follow its name: `patient:hold=4,bold=true`.

use std::fmt::Write;

use super::error_rate::{self, SLIP};
use super::script::{Parameter, SettingError, find_parameter};

/// A parameter's name and its value, as written.
pub type Setting = (String, String);

/// Splits off the settings from the name or path of a strategy.
pub fn split(name: &str) -> (&str, Vec<Setting>) {
    if let Some((before, after)) = name.rsplit_once(':')
        && !before.is_empty()
        && let Some(settings) = after.split(',').map(read).collect()
    {
        return (before, settings);
    }
    (name, Vec::new())
}

/// Parses `hold=4`.
pub fn read(text: &str) -> Option<Setting> {
    let (name, value) = text.split_once('=')?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let good = |part: &str| !part.is_empty() && part.chars().all(word);
    // A value that no parameter can have, such as a decimal number, still counts as a setting.
    (good(name) && good(&value.strip_suffix('%').unwrap_or(value).replace('.', "_")))
        .then(|| (name.into(), value.into()))
}

/// Joins a name and settings.
pub fn join(name: &str, settings: &[Setting]) -> String {
    let mut out = name.to_string();
    for (i, (name, value)) in settings.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = write!(out, "{}{name}={value}", if i == 0 { ':' } else { ',' });
    }
    out
}

/// A value of each parameter that is set, and an error rate.
type Resolved<'p> = (Vec<(&'p Parameter, i64)>, Option<u16>);

/// Finds the parameters that settings mean, and their values. A strategy without a parameter of that name has an error rate.
///
/// # Errors
/// Fails if there is no such parameter, if it is set twice, or if its value is not possible.
pub fn resolve<'p>(parameters: &'p [Parameter], settings: &[Setting]) -> Result<Resolved<'p>, SettingError> {
    let own = parameters.iter().any(|parameter| parameter.is_called(SLIP));
    let is_slip = |(name, _): &&Setting| !own && name.eq_ignore_ascii_case(SLIP);
    let mut slips = settings.iter().filter(is_slip);
    let slip = slips.next();
    if let (Some((name, _)), Some(_)) = (slip, slips.next()) {
        return Err(SettingError::Twice { name: name.clone() });
    }
    let mut values: Vec<(&Parameter, i64)> = Vec::new();
    for (of, value) in settings.iter().filter(|it| !is_slip(it)) {
        let (parameter, value) = find_parameter(parameters, of, value)?;
        if values.iter().any(|(other, _)| other.place == parameter.place) {
            return Err(SettingError::Twice { name: parameter.name.clone() });
        }
        values.push((parameter, value));
    }
    Ok((values, slip.map(|(_, percent)| error_rate::read(percent)).transpose()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_settings() {
        let pair = |(name, settings): (&str, Vec<Setting>)| join(name, &settings);
        for name in
            ["patient", "./mine.rhai", "patient:hold=4", "./mine.rhai:a=-1,b=true", "C:/x.rhai", "a:b"]
        {
            assert_eq!(pair(split(name)), name);
        }
        assert_eq!(split("patient:hold=4").0, "patient");
        assert_eq!(split("C:/x.rhai").0, "C:/x.rhai");
        assert_eq!(split("x:a=1,b").1, []);
    }
}
