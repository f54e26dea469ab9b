//! Locates the parts of a record in a line of JSON.

/// Returns the byte offset of a key in a line.
pub fn key_at(line: &str, key: &str) -> Option<usize> {
    let word = format!("\"{key}\"");
    let is_key = |&(at, _): &(usize, &str)| line[at + word.len()..].trim_start().starts_with(':');
    line.match_indices(&word).find(is_key).map(|(at, _)| at)
}

/// Returns the byte offset of the value of a key in a line, if it is written there verbatim.
pub fn value_at(line: &str, key: &str, value: &str) -> Option<usize> {
    let after = key_at(line, key)? + key.len() + 2;
    let start = after + line[after..].find('"')? + 1;
    line[start..].starts_with(value).then_some(start)
}

/// Returns the byte offset of a word of the moves in a line, counted from 1.
pub fn word_at(line: &str, moves: &str, word: usize) -> Option<usize> {
    let start = value_at(line, "moves", moves)?;
    let word = moves.split_whitespace().nth(word - 1)?;
    Some(start + (word.as_ptr() as usize - moves.as_ptr() as usize))
}
