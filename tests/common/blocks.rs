//! Files of blocks.

use std::path::Path;

use saratoga::lab::{Copies, RunPlan, scan_blocks};

/// The plan of a run that is simulated.
pub fn plan() -> RunPlan {
    RunPlan { saratoga: "1.0.0".into(), command: "simulate".into(), ..RunPlan::default() }
}

/// Returns the offset and size of each block.
pub fn blocks(file: &Path) -> Vec<(usize, usize)> {
    let (mut all, mut copies) = (Vec::new(), Copies::default());
    scan_blocks(file, &mut copies, |_, (at, length), _| all.push((at as usize, length as usize))).unwrap();
    all
}

/// Makes the checksums before a block right: that of the block, and that of the numbers and checksum before its own.
pub fn seal(bytes: &mut [u8], (at, length): (usize, usize)) {
    for (place, of) in [(at - 8, at..at + length), (at - 4, at - 28..at - 4)] {
        let sum = crc32fast::hash(&bytes[of]);
        bytes[place..place + 4].copy_from_slice(&sum.to_le_bytes());
    }
}
