//! All keys of a ruleset file, as listed in the guide.

use crate::rules::spec::Spec;

use super::keys::KEYS;
use super::parts::{JACKPOT_KEYS, SCORE_KEYS, STAGE_KEYS, STEP_KEYS};
use super::value::defs;

/// One key of a ruleset file, as listed in the guide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReference {
    /// The key with its table, such as `tableau.deal`.
    pub path: &'static str,
    /// The allowed values.
    pub allowed: String,
    /// Its value in Canfield, as TOML; `None` if a file omits it.
    pub default: Option<String>,
    /// Its meaning.
    pub about: &'static str,
}

/// Returns every key of a ruleset file with its values, default and meaning, in file order.
pub fn reference() -> Vec<KeyReference> {
    let canfield = Spec::default();
    let keys = KEYS.iter().map(|key| (key.def, (key.write)(&canfield)));
    let parts = [defs(STEP_KEYS), defs(JACKPOT_KEYS), defs(STAGE_KEYS), defs(SCORE_KEYS)];
    let parts = parts.into_iter().flatten().map(|def| (def, None));
    keys.chain(parts)
        .map(|(def, default)| KeyReference {
            path: def.path,
            allowed: def.shape.allowed(),
            default: default.filter(|value| value != "\"\"" && value != "[]" || def.path.contains('.')),
            about: def.about,
        })
        .collect()
}
