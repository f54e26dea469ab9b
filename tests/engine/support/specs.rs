//! Rulesets that shrink, for property tests.

use proptest::prelude::*;
use saratoga::rules::Spec;

use crate::common::specs::build;
pub use crate::common::specs::{FILLERS, numbered};

const CHOICES: usize = 64;

/// Rulesets that shrink towards Canfield key by key.
pub fn specs() -> impl Strategy<Value = Spec> {
    prop::collection::vec(any::<u16>(), CHOICES).prop_map(|choices| {
        let mut choices = choices.into_iter();
        build(|n| usize::from(choices.next().expect("enough choices")) % n)
    })
}
