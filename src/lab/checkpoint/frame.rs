//! The frames of a file of blocks, byte by byte.

use std::io::{self, Read};

/// Bytes of a frame before what it holds.
pub const HEAD: usize = 4 + 4 + 8 + 8;
/// No frame holds more bytes.
pub const MOST: usize = 64 << 20;
/// Of a stage: the checksum of the answer comes last.
pub const SUMMED: u64 = 1 << 63;

/// A block of a run: the stage and its number in it.
pub type BlockKey = (u64, u64);

/// The next frame; `None` where it is cut off or its checksum is of something else.
pub fn frame(from: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<Option<BlockKey>> {
    let mut head = [0; HEAD];
    bytes.clear();
    if !read_whole(from, &mut head)? {
        return Ok(None);
    }
    let number = |range: std::ops::Range<usize>| {
        head[range].iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte))
    };
    let (length, sum) = (number(0..4) as usize, number(4..8) as u32);
    if length > MOST {
        return Ok(None);
    }
    bytes.resize(length, 0);
    if !read_whole(from, bytes)? || checksum(&head[8..], &[bytes]) != sum {
        return Ok(None);
    }
    Ok(Some((number(8..16), number(16..24))))
}

/// Fills a buffer; false where the file ends before.
fn read_whole(from: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// The checksum of a frame, of its key and of what it holds.
pub fn checksum(key: &[u8], parts: &[&[u8]]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(key);
    parts.iter().for_each(|bytes| sum.update(bytes));
    sum.finalize()
}

/// The bytes of a frame.
pub fn framed((stage, block): BlockKey, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&stage.to_le_bytes());
    key[8..].copy_from_slice(&block.to_le_bytes());
    let length: usize = parts.iter().map(|bytes| bytes.len()).sum();
    let mut frame = Vec::with_capacity(HEAD + length);
    frame.extend((length as u32).to_le_bytes());
    frame.extend(checksum(&key, parts).to_le_bytes());
    frame.extend(key);
    parts.iter().for_each(|bytes| frame.extend(*bytes));
    frame
}

/// So many blocks of a kind.
pub fn blocks_in_words(blocks: u64, kind: &str) -> String {
    format!("{blocks} {kind}block{}", if blocks == 1 { "" } else { "s" })
}
