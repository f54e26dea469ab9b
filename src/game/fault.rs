//! Faults of a record.

use std::fmt;

/// Where and how a record breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// Index of the faulty word of `moves`, from 1; `None` if no single word is at fault.
    pub word: Option<usize>,
    /// Name of the faulty field in the record.
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
    /// Returns a fault of a field other than the moves.
    pub fn of(field: &'static str, message: String) -> RecordFault {
        RecordFault { word: None, field, message }
    }

    pub(super) fn of_word(word: usize, message: String) -> RecordFault {
        RecordFault { word: Some(word), field: "moves", message }
    }
}
