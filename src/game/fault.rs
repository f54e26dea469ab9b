//! What is wrong with a record.

use std::fmt;

/// Where and how a record breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// The word of `moves` at fault, from 1; `None` where it is not one word's.
    pub word: Option<usize>,
    /// What the record calls the part at fault.
    pub field: &'static str,
    /// What is wrong, and what would be legal.
    pub message: String,
}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.word {
            Some(word) => write!(f, "word {word} of the moves: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for RecordFault {}

impl RecordFault {
    /// A fault of a part other than the moves.
    pub fn of(field: &'static str, message: String) -> RecordFault {
        RecordFault { word: None, field, message }
    }

    pub(super) fn of_word(word: usize, message: String) -> RecordFault {
        RecordFault { word: Some(word), field: "moves", message }
    }
}
