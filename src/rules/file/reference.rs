//! Every key of a ruleset file, as a guide lists it.

use crate::rules::spec::Spec;

use super::keys::KEYS;
use super::parts::{JACKPOT_KEYS, SCORE_KEYS, STAGE_KEYS, STEP_KEYS};
use super::read::defs;

/// One key of a ruleset file, as a guide lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyReference {
    /// The key with its table, as in `tableau.deal`.
    pub path: &'static str,
    /// The values it may have.
    pub allowed: String,
    /// Its value in Canfield, as TOML; `None` where a file leaves it out.
    pub default: Option<String>,
    /// What it means.
    pub about: &'static str,
}

/// Every key of a ruleset file with its values, default and meaning, in the order of a file.
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
