//! A shard: the part of a run that one of several machines computes.

use std::fmt;
use std::str::FromStr;

/// Maximum number of shards of a run.
pub const MOST_SHARDS: u64 = 100_000;

/// Shard `number` of `of`. It computes every `of`-th block, so that all shards expect the same work even if blocks
/// differ in cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "Written")]
pub struct Shard {
    number: u64,
    of: u64,
}

/// A shard as a file has it, which may be invalid.
#[derive(serde::Deserialize)]
struct Written {
    number: u64,
    of: u64,
}

impl TryFrom<Written> for Shard {
    type Error = String;

    fn try_from(Written { number, of }: Written) -> Result<Shard, String> {
        Shard::new(number, of).ok_or_else(|| format!("there is no part {number}/{of} of a run"))
    }
}

impl Shard {
    /// Creates shard `number`, from 1, of `of`; `None` if out of range.
    pub fn new(number: u64, of: u64) -> Option<Shard> {
        (1..=MOST_SHARDS).contains(&of).then_some(())?;
        (1..=of).contains(&number).then_some(Shard { number, of })
    }

    /// Returns the number of the shard, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of shards.
    pub fn of(self) -> u64 {
        self.of
    }

    /// Returns whether this shard computes a block.
    pub fn makes(self, block: u64) -> bool {
        block % self.of == self.number - 1
    }

    /// Returns its first block at or after `block`.
    pub fn next(self, block: u64) -> u64 {
        let ahead = (self.number - 1 + self.of - block % self.of) % self.of;
        block.saturating_add(ahead)
    }

    /// Returns how many of this many blocks it computes.
    pub fn blocks_of(self, blocks: u64) -> u64 {
        blocks.saturating_add(self.of - self.number) / self.of
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let Some((number, of)) = numbers else {
            return Err("a shard is K/N, such as 2/16 for the second of 16 parts".into());
        };
        if !(1..=MOST_SHARDS).contains(&of) {
            return Err(format!("a run has 1 to {MOST_SHARDS} shards, not {of}"));
        }
        Shard::new(number, of)
            .ok_or_else(|| format!("there is no shard {number} of {of}: they are 1 to {of}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_cannot_name_a_part_that_there_is_not() {
        let written = |number: u64, of: u64| postcard::to_stdvec(&(number, of)).unwrap();
        let read = |number, of| postcard::from_bytes::<Shard>(&written(number, of)).ok();
        assert_eq!(read(2, 3), Shard::new(2, 3));
        assert_eq!([read(1, 0), read(0, 2), read(5, 2), read(1, u64::MAX)], [None; 4]);
    }

    #[test]
    fn every_block_is_made_by_one_shard() {
        for of in [1, 2, 3, 7, 16] {
            let shards: Vec<Shard> = (1..=of).map(|k| Shard::new(k, of).unwrap()).collect();
            for blocks in [0, 1, 5, 16, 17, 100] {
                for block in 0..blocks {
                    assert_eq!(shards.iter().filter(|shard| shard.makes(block)).count(), 1);
                    for shard in &shards {
                        assert_eq!(Some(shard.next(block)), (block..).find(|&block| shard.makes(block)));
                    }
                }
                for shard in &shards {
                    let own = (0..blocks).filter(|&block| shard.makes(block)).count() as u64;
                    assert_eq!(shard.blocks_of(blocks), own, "{shard} of {blocks} blocks");
                }
            }
        }
    }

    #[test]
    fn shards_are_read_as_they_are_written() {
        assert_eq!("2/16".parse(), Ok(Shard::new(2, 16).unwrap()));
        assert_eq!(Shard::new(2, 16).unwrap().to_string(), "2/16");
        for bad in
            ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b", "1/100001", "1/99999999999999999999"]
        {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
