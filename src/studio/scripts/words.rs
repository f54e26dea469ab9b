//! The names that a script can use, for completion, from the table that the checks use too.

use serde_json::{Value, json};

use crate::strategy::script::names;

/// Returns every name with its owner, its parameters, its type and its meaning.
pub(in crate::studio) fn words() -> Value {
    let one = |it: crate::strategy::script::ApiName| {
        json!({
            "owner": it.owner,
            "name": it.name,
            "parameters": it.parameters,
            "returns": it.returns,
            "about": it.about,
        })
    };
    names().map(one).collect()
}
