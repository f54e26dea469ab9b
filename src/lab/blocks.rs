//! Blocks of work over threads, handed on in their order.
//!
//! A block is the unit of everything that could depend on threads: what is handed on is the same at
//! any number of them, and so is where a run that is stopped by its own results stops.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use crate::crash::{Crash, guard};
use crate::strategy::StrategyError;
use crate::threads::spawn_in;

/// How often it is looked whether somebody asks to stop while no block arrives.
pub(super) const TICK: Duration = Duration::from_millis(20);

/// Tells workers to stop at once, amid their blocks: because somebody asked for it, or because all is over.
pub(super) struct Halt<'a> {
    asked: &'a AtomicBool,
    over: AtomicBool,
}

impl<'a> Halt<'a> {
    /// For work that ends soon after `asked` is set.
    pub fn new(asked: &'a AtomicBool) -> Halt<'a> {
        Halt { asked, over: AtomicBool::new(false) }
    }

    /// What those who work look at as often as they can. It is set a [`TICK`] after somebody asked, at the latest.
    pub fn flag(&self) -> &AtomicBool {
        &self.over
    }

    /// Stops all work.
    pub fn stop(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub fn stopped(&self) -> bool {
        if self.asked.load(Ordering::Relaxed) {
            self.stop();
        }
        self.over.load(Ordering::Relaxed)
    }

    /// What came of a block, or nothing where a strategy was interrupted in it, which is no fault: then all stops.
    pub fn unless_interrupted<B, E>(
        &self,
        made: Result<B, E>,
        of: impl Fn(&E) -> &StrategyError,
    ) -> Option<Result<B, E>> {
        if made.as_ref().is_err_and(|error| *of(error) == StrategyError::Interrupted) {
            self.stop();
            return None;
        }
        Some(made)
    }
}

/// Why blocks were not made to the end.
#[derive(Debug)]
pub(super) enum Halted<E> {
    /// A block's own error.
    Fault(E),
    /// A panic: a fault of the program.
    Crash(Crash),
    /// The threads could not be started.
    Threads(String),
}

/// What a worker makes of a block.
type Made<B, E> = (u64, Result<B, Halted<E>>);

/// Has blocks 0, 1, 2 ... made by workers, until `make` says that there is no such block, `take` has
/// enough, or `halt` is asked to stop. Each thread has one worker. Blocks reach `take` in their order; one that is not
/// finished by then is dropped.
///
/// # Errors
/// What ended the first block that has an error, after all before it were taken; a panic of `take`.
pub(super) fn in_order<W, B: Send, E: Send>(
    threads: usize,
    halt: &Halt<'_>,
    worker: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, u64) -> Option<Result<B, E>> + Sync,
    take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Halted<E>> {
    let next = AtomicU64::new(0);
    // A worker takes block after block and keeps what it has set up, such as a script engine.
    let work = |results: SyncSender<Made<B, E>>| {
        let mut seat = None;
        while !halt.stopped() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let block = match guard(|| make(seat.get_or_insert_with(&worker), index)) {
                Ok(None) => break,
                Ok(Some(made)) => made.map_err(Halted::Fault),
                Err(crash) => Err(Halted::Crash(crash)),
            };
            let last = block.is_err();
            if results.send((index, block)).is_err() || last {
                break;
            }
        }
    };
    let work = &work;
    let (sender, receiver) = sync_channel(2 * threads);
    std::thread::scope(|scope| {
        let (sender, receiver) = (sender, receiver);
        let started = (0..threads).try_for_each(|_| {
            let sender = sender.clone();
            spawn_in(scope, move || work(sender))
        });
        drop(sender);
        let taken = match started {
            Ok(()) => {
                guard(|| hand_on(&receiver, halt, take)).unwrap_or_else(|crash| Err(Halted::Crash(crash)))
            }
            Err(error) => Err(Halted::Threads(error.to_string())),
        };
        halt.stop();
        // A worker that waits for room to send in sees by the end of the receiver that all is over.
        drop(receiver);
        taken
    })
}

/// Hands on block after block as they arrive, in their order.
fn hand_on<B, E>(
    arriving: &Receiver<Made<B, E>>,
    halt: &Halt<'_>,
    mut take: impl FnMut(u64, B) -> ControlFlow<()>,
) -> Result<(), Halted<E>> {
    let mut waiting = BTreeMap::new();
    let mut taken = 0;
    loop {
        let (index, block) = match arriving.recv_timeout(TICK) {
            Ok(made) => made,
            Err(RecvTimeoutError::Timeout) => {
                halt.stopped();
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        };
        waiting.insert(index, block);
        while let Some(block) = waiting.remove(&taken) {
            if take(taken, block?).is_break() {
                return Ok(());
            }
            taken += 1;
        }
        halt.stopped();
    }
}
