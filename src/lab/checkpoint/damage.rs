//! What a block in a file is that is not sound: the last, amid which a run was killed or the power was lost, or one that others
//! come after, which are lost with it.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::frame::{HEAD, MOST, blocks_in_words, checksum, frame};

/// A loss of power leaves no more zeros than this at the end: a run writes far less between two syncs.
const MOST_ZEROS: u64 = 1 << 30;
/// Bytes that are looked at in one go for where a block could begin.
const CHUNK: usize = 1 << 18;
/// No more bytes are read of what could be a block and is none.
const MOST_TRIED: u64 = 1 << 28;

/// How a file of blocks ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileEnd {
    /// With a whole block.
    Whole,
    /// Amid a block: what was written when the run was killed. So many bytes are cut off.
    Torn(u64),
    /// A block before the last is damaged.
    Damaged {
        /// Its first byte.
        at: u64,
        /// How many sound blocks come after it, and are lost with it.
        after: u64,
    },
}

impl FileEnd {
    /// What is to be said of damage, after "it is": nothing of what a run that was killed leaves.
    pub fn damage(self) -> Option<String> {
        let FileEnd::Damaged { at, after } = self else { return None };
        let after = if after == 0 {
            String::new()
        } else {
            format!(", with {} after it", blocks_in_words(after, "sound "))
        };
        Some(format!("damaged at byte {at}{after}"))
    }
}

/// How a file of this length ends, whose frame at a byte is not sound. It holds so many bytes, as it says itself; none where it
/// cannot be.
pub(super) fn end_at(
    from: &mut (impl BufRead + Seek),
    at: u64,
    length: u64,
    held: usize,
) -> io::Result<FileEnd> {
    let torn = FileEnd::Torn(length - at);
    if at + HEAD as u64 > length {
        return Ok(torn);
    }
    // Whatever it says of its length, which may be what is damaged.
    let after = sound_after(from, at + 1, length)?;
    let rest = at + (HEAD + held) as u64;
    // Disks fill a file with zeros where they had not yet written to it.
    let nothing = |from: &mut _| {
        io::Result::Ok(rest >= length || length - rest <= MOST_ZEROS && all_zeros(from, rest)?)
    };
    match after == 0 && nothing(from)? {
        true => Ok(torn),
        false => Ok(FileEnd::Damaged { at, after }),
    }
}

fn all_zeros(from: &mut (impl BufRead + Seek), at: u64) -> io::Result<bool> {
    from.seek(SeekFrom::Start(at))?;
    loop {
        let bytes = from.fill_buf()?;
        if bytes.is_empty() || bytes.iter().any(|&byte| byte != 0) {
            return Ok(bytes.is_empty());
        }
        let read = bytes.len();
        from.consume(read);
    }
}

/// How many sound frames there are from a byte on.
fn sound_after(from: &mut (impl BufRead + Seek), mut at: u64, length: u64) -> io::Result<u64> {
    let (mut found, mut bytes, mut tries) = (0, Vec::new(), MOST_TRIED);
    while let Some(first) = next_sound(from, at, length, &mut tries)? {
        at = first;
        from.seek(SeekFrom::Start(at))?;
        while frame(from, &mut bytes)?.is_some() {
            found += 1;
            at += (HEAD + bytes.len()) as u64;
        }
        at += 1;
    }
    Ok(found)
}

/// Where the next sound frame begins: no further than one that is damaged can reach.
fn next_sound(
    from: &mut (impl BufRead + Seek),
    at: u64,
    length: u64,
    tries: &mut u64,
) -> io::Result<Option<u64>> {
    let end = length.min(at.saturating_add((HEAD + MOST) as u64));
    let mut bytes = Vec::new();
    let mut chunk = Vec::with_capacity(CHUNK + HEAD);
    for begin in (at..end).step_by(CHUNK) {
        chunk.clear();
        from.seek(SeekFrom::Start(begin))?;
        from.by_ref().take((CHUNK + HEAD) as u64).read_to_end(&mut chunk)?;
        for (place, head) in chunk.windows(HEAD).enumerate().take(CHUNK) {
            let (held, first) = (u32_at(head, 0) as usize, begin + place as u64);
            // No block is empty, and no run has so many that the number of one has its highest bytes.
            let could_be = head[22..HEAD] == [0, 0] && (1..=MOST).contains(&held);
            if !could_be || first + (HEAD + held) as u64 > length {
                continue;
            }
            let sound = match chunk.get(place + HEAD..place + HEAD + held) {
                Some(held) => checksum(&head[8..], &[held]) == u32_at(head, 4),
                None => {
                    from.seek(SeekFrom::Start(first))?;
                    frame(from, &mut bytes)?.is_some()
                }
            };
            if sound {
                return Ok(Some(first));
            }
            let Some(left) = tries.checked_sub((HEAD + held) as u64) else { return Ok(None) };
            *tries = left;
        }
    }
    Ok(None)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |sum, &byte| sum << 8 | u32::from(byte))
}
