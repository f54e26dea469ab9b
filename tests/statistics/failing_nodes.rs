//! The cost of failing nodes in a cluster: shards on many nodes, simulated, and compared with theory.
//!
//! `cargo test --release --test statistics failing_nodes -- --nocapture` prints the table of `tests/cluster/README.md`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Milliseconds.
type Time = u64;
const SECOND: Time = 1000;
const MINUTE: Time = 60 * SECOND;
const HOUR: Time = 60 * MINUTE;

/// The fraction of the nodes that fail per hour.
const FAIL: f64 = 0.01;
/// Time until a failed node is back, and until its shard is restarted elsewhere.
const REPAIR: Time = 30 * MINUTE;
const REQUEUE: Time = 2 * MINUTE;
/// Interval of syncs to the disk.
const SYNC: Time = 2 * SECOND;

#[derive(Clone, Copy)]
struct Work {
    nodes: usize,
    shards: usize,
    /// Time of a shard on one node.
    shard: Time,
    /// Time of a block; `None` if none are kept, so that a shard restarts from scratch.
    block: Option<Time>,
}

#[derive(Debug)]
struct Course {
    failures: u64,
    /// Node time spent on repeated work, as a fraction of the work.
    lost: f64,
    /// Total time relative to the time without failures.
    slower: f64,
}

/// Draws the time to the next failure of a node.
fn next_failure(rng: &mut ChaCha8Rng) -> Time {
    let hours = rng.random::<f64>().ln() / (1.0 - FAIL).ln();
    (hours * HOUR as f64) as Time
}

/// Simulates a queue of shards: a free node takes the first; the shard of a failed node is queued again.
fn simulated(work: Work, seed: u64) -> Course {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut fails: Vec<Time> = (0..work.nodes).map(|_| next_failure(rng)).collect();
    let mut free: BinaryHeap<_> = (0..work.nodes).map(|node| Reverse((0, node))).collect();
    let mut queue: BinaryHeap<_> = (0..work.shards).map(|shard| Reverse((0, shard, work.shard))).collect();
    let mut idle = Vec::new();
    let (mut failures, mut lost, mut end) = (0, 0, 0);
    while let Some(Reverse((now, node))) = free.pop() {
        let Some(Reverse((ready, shard, left))) = queue.pop() else {
            idle.push((now, node));
            continue;
        };
        let begin: Time = now.max(ready);
        let fail = fails[node];
        if fail >= begin + left {
            end = end.max(begin + left);
            free.push(Reverse((begin + left, node)));
            continue;
        }
        // An idle node may fail too.
        let done = fail.saturating_sub(begin);
        let synced = done.saturating_sub(rng.random_range(0..SYNC));
        let kept = work.block.map_or(0, |block| synced / block * block);
        let again = if fail > begin { fail + REQUEUE } else { ready };
        failures += u64::from(fail > begin);
        lost += done - kept;
        queue.push(Reverse((again, shard, left - kept)));
        fails[node] = fail + REPAIR + next_failure(rng);
        free.push(Reverse((begin.max(fail + REPAIR), node)));
        if let Some((since, other)) = idle.pop() {
            free.push(Reverse((since.max(fail), other)));
        }
    }
    let all = work.shards as f64 * work.shard as f64;
    let ideal = work.shards.div_ceil(work.nodes) as f64 * work.shard as f64;
    Course { failures, lost: lost as f64 / all, slower: end as f64 / ideal }
}

#[test]
fn failing_nodes() {
    let rate = -(1.0 - FAIL).ln() / HOUR as f64;
    println!(
        "| nodes | shards | minutes a shard | a block | failures | work lost | with theory | time to the end |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (nodes, each) in [(100, 50), (10_000, 50)] {
        for (shard, block) in [
            (20 * MINUTE, Some(2)),
            (20 * MINUTE, Some(10 * SECOND)),
            (20 * MINUTE, None),
            (8 * HOUR, Some(10 * SECOND)),
            (8 * HOUR, None),
        ] {
            let course = simulated(Work { nodes, shards: nodes * each, shard, block }, 20);
            // Each failure loses half a block and half the time between two syncs; or the shard, until one attempt
            // succeeds.
            let theory = match block {
                Some(block) => rate * (block + SYNC) as f64 / 2.0,
                None => (rate * shard as f64).exp_m1() / (rate * shard as f64) - 1.0,
            };
            let kept = match block {
                Some(block) if block >= SECOND => format!("{} s", block / SECOND),
                Some(block) => format!("{block} ms"),
                None => "none kept".into(),
            };
            println!(
                "| {nodes} | {} | {} | {kept} | {} | {:.4}% | {:.4}% | + {:.1}% |",
                nodes * each,
                shard / MINUTE,
                course.failures,
                100.0 * course.lost,
                100.0 * theory,
                100.0 * (course.slower - 1.0)
            );
            // More failures allow a closer comparison.
            let near = 6.0 / (course.failures.max(1) as f64).sqrt() + 0.02;
            assert!((course.lost / theory - 1.0).abs() < near, "{course:?}, {theory} by theory");
            assert!(course.slower >= 1.0 && course.slower < 2.0, "{course:?}");
            if block.is_some() {
                assert!(course.lost < 0.0001, "{course:?}");
            }
        }
    }
}
