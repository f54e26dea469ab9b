//! Sums as JSON numbers, or, beyond 64 bits, as text.

use serde::{Deserialize, Deserializer, Serializer, de::Error};

/// Sums that are not below 0.
pub mod unsigned {
    use super::*;

    pub fn serialize<S: Serializer>(sum: &u128, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(*sum) {
            Ok(sum) => serializer.serialize_u64(sum),
            Err(_) => serializer.collect_str(sum),
        }
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Whole {
        Number(u64),
        Text(String),
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u128, D::Error> {
        match Whole::deserialize(from)? {
            Whole::Number(sum) => Ok(u128::from(sum)),
            Whole::Text(sum) => sum.parse().map_err(D::Error::custom),
        }
    }
}
