//! Experiments: seeded games and matches in blocks over threads, counted exactly.
//!
//! [`simulate()`] plays a [`Batch`], with a [`Watcher`] if every game is needed; [`measure()`] plays one player. Every
//! other experiment builds on them and has a function, such as [`bankroll()`], its input, such as [`BankrollBatch`], and
//! a result to be serialized, such as [`BankrollNight`]. A result is the same for any number of threads, and so is an
//! error: the first of a strategy, in the order of games. Of a run that is stopped, what comes before the first
//! unfinished block counts.

mod bankroll;
mod batch;
mod blocks;
mod bracket;
mod character;
#[cfg(feature = "native")]
mod checkpoint;
mod compare;
mod contests;
mod design;
mod estimate;
mod game_runner;
mod night_file;
mod pace;
mod plan;
mod positions;
mod price;
mod shelf;
mod solve;
mod solve_line;
pub mod sweep;
pub mod tune;
mod wish;

pub use bankroll::{
    BankrollBatch, BankrollFinished, BankrollNight, BankrollStep, Buyer, FEWEST_REPLICATES, NightPatron,
    bankroll,
};
pub use batch::{
    BLOCK, Batch, BatchError, Clairvoyant, Finished, MakeStrategy, Matchup, Simulated, SimulatedEntry,
    StrategyMaker, Watcher, measure, simulate, simulate_deals,
};
pub use blocks::{Stopped, Workers};
pub use bracket::{
    BracketError, BracketFault, BracketPlayer, BracketPoint, BracketRules, Bracketing, FIRST_CHOOSING,
    OptimalPlay, UpperBound, bracket,
};
pub use character::{
    Ability, ByMeasure, Character, CharacterError, Characterizing, Characters, ClairvoyantCharacter, Hope,
    JUDGE, Judged, LEAST_DEALS, PlayerCharacter, RuleEffect, characterize,
};
#[cfg(feature = "native")]
pub use checkpoint::{
    About, Checkpoint, Copies, MOST_SHARDS, Making, ResumeError, RunPlan, SavedText, ScanError, Shard,
    StageProgress, WHOLE, about_blocks, block_files, file_name, scan_blocks, shard_of_name,
};
pub use compare::{
    Compared, ComparedEntry, Comparison, Contender, CoursePoint, Fitted, Pair, ShownDeal, Tested, compare,
};
pub use contests::{
    ContestBatch, ContestBatchError, ContestResult, Contesting, at_speed, contest, contest_at_speeds,
};
pub use design::{Candidate, Design, DesignStep, Designed, DesignedVariant, Fate, WishedFigure, design};
pub use estimate::{Inquiry, NightEstimate, NightPlayer, estimate};
pub use game_runner::{GameError, GameRunner};
pub use night_file::{Night, read_night};
pub use pace::{MoveCounts, Pace};
pub use plan::{
    EveryCardKnown, MOST_DECKS, MOST_MONEY, MOST_NIGHTS, NOTHING, PILOT, PlanBatch, PlanError, PlanFault,
    PlanStep, Planned, PlannedPlayer, PlannedRules, at_price, plan, plan_games,
};
pub use positions::{Position, Positions, Tried, read_positions, try_positions};
pub use price::{
    AtPrice, Impossible, PlayerPrices, PriceStep, Prices, Pricing, RankedVariant, Variant, price, variants,
};
pub use shelf::{
    Shelf, ShelfAmong, ShelfBeside, ShelfContest, ShelfError, ShelfFound, ShelfPlayer, ShelfRuleset,
    looks_ahead, play_shelf,
};
pub use solve::{
    Effort, Solutions, SolveDeals, SolveError, SolveFault, SolveLimits, SolvePlayer, Solved, Solving, Spread,
    clairvoyant_bounds, game_die, memory_of_a_thread, solvable, solve, solve_and_play,
};
pub use solve_line::SolveLine;
pub use wish::{Goal, Verdict, Wish, Wished};
