//! The keywords of a contest file.

use crate::contest::spec::{DealEnd, Foundations};
use crate::rules::file::Word;

impl Word for Foundations {
    const WORDS: &'static [(&'static str, Self)] =
        &[("own", Foundations::Own), ("shared", Foundations::Shared)];
}

impl Word for DealEnd {
    const WORDS: &'static [(&'static str, Self)] =
        &[("all-up", DealEnd::AllUp), ("reserve", DealEnd::Reserve)];
}
