//! Settings applied to every script that has such a parameter.

use super::mix::changed;
use super::script::{Parameter, SettingError};
use super::{Setting, StrategySource};

/// Sets the parameters of all scripts that have them, unless their names already set them.
///
/// # Errors
/// Returns a setting that is not possible for any script, or that is given twice.
pub fn set_all(
    sources: Vec<StrategySource>,
    settings: &[Setting],
) -> Result<Vec<StrategySource>, Vec<String>> {
    for (i, (name, _)) in settings.iter().enumerate() {
        if settings[..i].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            return Err(vec![format!("`{name}` is set twice")]);
        }
    }
    let mut taken = vec![None; settings.len()];
    let mut set = |mut source: StrategySource| {
        let own: Vec<Parameter> = source.parameters().into_iter().filter(|it| source.is_set(it)).collect();
        for (setting, taken) in settings.iter().zip(&mut taken) {
            match source.clone().set(std::slice::from_ref(setting)) {
                Ok(_) if own.iter().any(|it| it.is_called(&setting.0)) => *taken = Some(Ok(())),
                Ok(changed) => {
                    source = changed;
                    *taken = Some(Ok(()));
                }
                Err(error @ (SettingError::Value { .. } | SettingError::Twice { .. })) => {
                    *taken = Some(Err(error))
                }
                // Another strategy may have it.
                Err(error) => drop(taken.get_or_insert(Err(error))),
            }
        }
        source
    };
    let changed = sources.into_iter().map(|source| match source.members() {
        [] => set(source),
        _ => changed(source, &mut set),
    });
    let changed = changed.collect();
    let wrong: Vec<String> =
        taken.into_iter().flatten().filter_map(Result::err).map(|error| error.to_string()).collect();
    if wrong.is_empty() { Ok(changed) } else { Err(wrong) }
}
