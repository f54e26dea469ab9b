//! What the name of a strategy says: settings of a script's parameters that follow it, as in `patient:hold=4,bold=true`,
//! and the strategy that a kind of patron stands for.

use std::fmt::Write;

use crate::rules::{MoveUnit, Spec};

use super::native::{SLIP, read_error_rate};
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
pub fn resolve<'p>(parameters: &'p [Parameter], settings: &[Setting]) -> Result<Resolved<'p>, SettingError> {
    let own = parameters.iter().any(|parameter| parameter.is_called(SLIP));
    let is_slip = |(name, _): &&Setting| !own && name.eq_ignore_ascii_case(SLIP);
    let mut slips = settings.iter().filter(is_slip);
    let slip = slips.next();
    if let (Some((name, _)), Some(_)) = (slip, slips.next()) {
        return Err(SettingError::twice(name));
    }
    let mut values: Vec<(&Parameter, i64)> = Vec::new();
    for (of, value) in settings.iter().filter(|it| !is_slip(it)) {
        let (parameter, value) = find_parameter(parameters, of, value)?;
        if values.iter().any(|(other, _)| other.place == parameter.place) {
            return Err(SettingError::twice(&parameter.name));
        }
        values.push((parameter, value));
    }
    Ok((values, slip.map(|(_, percent)| read_error_rate(percent)).transpose()?))
}

/// Name of the searching strategy, which belongs to a higher layer.
pub(crate) const SEARCH: &str = "search";

/// Kinds of patrons: name, strategy, and description.
pub(crate) const PROFILES: &[(&str, &str, &str)] = &[
    ("beginner", "greedy:slip=50", "Beginner: greedy, but one decision in two is a slip."),
    (
        "ordinary",
        "greedy:slip=20",
        "Ordinary: greedy, or patient where any part of a run moves, but one decision in five is a slip.",
    ),
    ("expert", "patient", "Expert: the same as patient."),
    ("shark", "search:level=2", "Shark: the same as search:level=2."),
];

/// Returns whether any part of a run moves: then `greedy`, which moves whole piles, plays so poorly that errors improve
/// it.
pub(crate) fn parts_move(rules: &Spec) -> bool {
    rules.tableau.unit == MoveUnit::Sequence
}

/// Returns the strategy that represents a kind of patron if any part of a run moves, in case it is a different one.
pub(crate) fn where_parts_move(name: &str) -> Option<&'static str> {
    (name == "ordinary").then_some("patient:slip=20")
}

/// Returns the strategy that a name denotes under these rules.
pub(crate) fn under<'n>(name: &'n str, rules: &Spec) -> &'n str {
    where_parts_move(name).filter(|_| parts_move(rules)).unwrap_or(name)
}

/// Splits a name into a kind of patron and the settings that follow it.
pub(crate) fn after_patron(name: &str) -> Option<(&str, &str)> {
    name.split_once(':').filter(|(profile, _)| meant(profile).is_some())
}

/// Returns the strategy that represents a kind of patron.
pub(crate) fn meant(name: &str) -> Option<&'static str> {
    PROFILES.iter().find(|(profile, ..)| *profile == name).map(|(_, strategy, _)| *strategy)
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
