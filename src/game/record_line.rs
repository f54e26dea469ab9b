//! Where in a line of JSON the parts of a record stand.

/// The byte of a line where a key stands.
pub fn key_at(line: &str, key: &str) -> Option<usize> {
    let word = format!("\"{key}\"");
    let is_key = |&(at, _): &(usize, &str)| line[at + word.len()..].trim_start().starts_with(':');
    line.match_indices(&word).find(is_key).map(|(at, _)| at)
}

/// The byte of a line where the value of a key begins, if it is written there as it is.
pub fn value_at(line: &str, key: &str, value: &str) -> Option<usize> {
    let after = key_at(line, key)? + key.len() + 2;
    let start = after + line[after..].find('"')? + 1;
    line[start..].starts_with(value).then_some(start)
}

/// The byte of a line where a word of the moves begins, from 1.
pub fn word_at(line: &str, moves: &str, word: usize) -> Option<usize> {
    let start = value_at(line, "moves", moves)?;
    let word = moves.split_whitespace().nth(word - 1)?;
    Some(start + (word.as_ptr() as usize - moves.as_ptr() as usize))
}
