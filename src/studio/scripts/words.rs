//! What a script may name of the game, for completion: the table that the checks use too.

use serde_json::{Value, json};

use crate::strategy::script::names;

/// Every name with its owner, its parameters, its type and what it is.
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
