//! Saratoga is a laboratory for Canfield, the patience of a casino: it deals millions of games of a
//! variant, lets a strategy play them, and says how often they are won, how many cards go up and what
//! the casino earns, each with a 95% interval.
//!
//! # The game
//!
//! In the casino of Saratoga a player bought a deck for $52 and was paid $5 for every card brought up to
//! the foundations. Thirteen cards are dealt as the **reserve**, of which the top is face up. One card
//! starts the first **foundation**, and its rank is the **base rank** of all four. Four cards begin the
//! four **piles** of the **tableau**. What is left is the **stock**. A **draw** turns three cards, a
//! packet, from it to the **waste**.
//!
//! Foundations are built up in suit, with the ace above the king; piles are built down in alternating
//! colours. A **space**, which is an empty pile, is filled from the reserve at once. When the stock is
//! gone, a **redeal** turns the waste over for another **pass**. The **house edge** is the player's
//! average loss, as a share of the price of the deck.
//!
//! A TOML file describes a variant, either on the **shelf**, that is, included in the program, or
//! anywhere else. Loading it gives a [`rules::Spec`], with a value for every key, and
//! [`rules::Rules`], which is what the engine plays.
//!
//! # The way of a game
//!
//! From a TOML file to a page, step by step:
//!
//! 1. [`rules::load`] reads a ruleset, with every fault at its line, and compiles it into [`rules::Rules`].
//! 2. [`strategy::load`] finds a player: native, a script, or a mix. [`strategy::StrategySource::instantiate`] makes one
//!    for a thread.
//! 3. [`cards::Deck`] shuffles the deck of a seed and a game number, and [`game::Table`] has the cards dealt.
//! 4. [`game::Game`] plays: it shows the player a [`game::View`] with the legal moves, calls
//!    [`strategy::Strategy::decide`], makes the [`game::Move`], and detects the [`game::End`].
//! 5. The [`game::Outcome`] goes into a [`stats::Tally`] of its block. [`lab::simulate()`] hands blocks to threads and
//!    merges them in order.
//! 6. [`stats::summarize`] turns the tally into a [`stats::Summary`]: figures, each with an interval.
//! 7. An experiment, such as [`lab::compare()`], makes its result from these. It is written as JSON with the
//!    [`report::Run`] that made it.
//! 8. A function such as [`report::compare_document`] makes a [`report::Document`] of both: findings, tables and charts.
//! 9. [`report::document_html`], [`report::document_files`] and [`report::document_terminal`] write it as a page, as
//!    CSV, SVG and PNG, and as text.
//!
//! # The layers
//!
//! The lowest layer comes first. A file imports only from layers lower than its own:
//!
//! | layer | what it turns into what |
//! |---|---|
//! | [`text`], [`files`], [`clock`], [`interrupt`], [`crash`], `memory` | the machine into a few safe calls: text to show, files to replace, time, stopping |
//! | [`diagnostic`], `signals`, `threads` | a fault into a message with its place; Ctrl-C into a flag; threads into one pool |
//! | [`cards`] | a seed and a game number into a shuffled deck |
//! | [`rules`] | a ruleset file into sound, compiled rules |
//! | [`game`] | a deck into a table, a table into legal moves and a player's view, moves into an outcome |
//! | `units` | sums of money and numbers as a person writes them into exact values, and back |
//! | [`solver`] | a table into what a clairvoyant player can win from it |
//! | [`strategy`] | a view into a decision: in Rust, or in a sandboxed Rhai script |
//! | [`players`] | a view into a decision by search, and kinds of patrons into strategies |
//! | [`contest`] | a contest file into players, strategies and speeds over a ruleset |
//! | [`stats`] | outcomes into an exact tally, a tally into figures with 95% intervals |
//! | [`lab`] | rules and strategies into tallies, on several threads, the same for any number of them |
//! | `format` | figures into words and digits, with limits rounded outwards |
//! | [`chart`] | axes, marks and words into a picture: SVG and PNG, light and dark |
//! | [`report`] | figures into tables, charts, JSON and a page |
//! | [`session`] | a person's moves into a game, with undo, hints and what was possible |
//! | `studio` | all of that into pages that change with the rules: a local web app, with the feature `studio` |
//! | [`cli`] | a command line into all of that |
//!
//! The layers up to [`lab`] are a crate of their own, the engine (`src/engine.rs`, `engine/Cargo.toml`), since only they
//! are compiled for speed. This crate exports all of it, so that a path such as `crate::game` means the same in both.
//!
//! The test `tests/cli/imports.rs` checks the order of the layers, and that most folders have no circular imports.
//!
//! Without the feature `native` there is no command line and no studio, and no dependency on threads, signals, locks,
//! clocks or a source of entropy: games are played on the calling thread, and the time is that of the clock set in
//! [`clock`].
//!
//! # Recipes
//!
//! The files that each change needs, in the order of compiler errors. Then run `cargo test`: its failures name the
//! documents and samples that are generated or compared.
//!
//! **A key of rulesets.** Add the field and its default to `rules/spec.rs`, and one entry to `rules/file/keys.rs`,
//! which drives reading, writing, the schema and the errors. A key that is chosen from words is an enum in
//! `rules/words.rs`. Its range, and what can be wrong together with other keys, is judged in `rules/check.rs`, with an
//! example in `tests/data/rules-bad`. Say in words what it means in `report/rules_in_words.rs`, and give it a name for
//! charts and tables there if the key itself does not read well.
//!
//! Nothing asks for the effect of a key: list moves by it in `game/legal.rs`, read from `Hot` in `rules/compile.rs`,
//! and exclude it from `plain` there, or `game/legal_plain.rs` ignores it. The compiler stops where something rests on
//! all rules: in `solver/solve.rs` (does chance decide?), in `solver/pruner.rs`, `solver/engine.rs`,
//! `solver/stock_cycle.rs` and `solver/relaxed_bound.rs` (do the proofs still hold?), and at `allowed` in
//! `solver/compact/mod.rs` and `solver/classes/position.rs`. It does not stop in `solver/relaxed_rules.rs` and
//! `players/search/ways.rs`: look there too. `tests/common/specs.rs` makes random values for games,
//! `tests/engine/random_files.rs` for files; the second engine, `tests/engine/plain/mod.rs`, must play the key, and
//! `tests/data/fine-print.txt` has a row for it.
//!
//! **A kind of move.** Only a draw and a redeal are turnings; any other move is a play, which moves cards. Add its
//! source or target to [`game::Place`] in `game/moves.rs`, even if it goes between known places, with its code and its
//! notation; list the moves in `game/legal.rs` and make them in `game/apply.rs`. The compiler asks about a new source,
//! also in `solver/engine.rs`, `solver/key.rs` and `strategy/script/compiled/facts.rs`, but not about a new target, and
//! not where code looks for one source: search for `.target()` in `game`, `solver` and `players/search`, and everywhere
//! for `from_foundation`, which is also a name for scripts. Then decide whether it is progress (`game/termination.rs`),
//! what its player knows after it (`game/view.rs`, `game/sample.rs`, `game/knowledge.rs`, `game/lookahead/make.rs`), and
//! how a person sees it (`session/state.rs`, `cli/play/speech.rs`, `studio/assets/moves.js`). A new part of a position in
//! `game/table.rs` does not compile before it is copied; its doc says what else depends on it.
//!
//! **An experiment.** Three files, as `bankroll` has them, and one in `stats` if its figures are new. `lab/bankroll.rs`
//! takes what is asked, plays by [`lab::measure()`] or [`lab::simulate()`], and returns one result that derives
//! `Serialize`. How figures follow from a tally is in `stats`, such as [`stats::House`] for money. If it needs every
//! game, a [`lab::Watcher`] gets the outcomes in order, as in `lab/compare.rs`. [`stats::GameWorth`] says what one is
//! worth, and what it may still be worth if it is undecided; [`stats::Amounts`] counts such amounts, and has their mean
//! with its interval; [`stats::rate`] has that of a share. `report/bankroll.rs` makes a `Document` of the
//! [`report::Run`] and that result; the shortest that has every part of a page is `report/tune.rs`. `cli/bankroll.rs`
//! has the arguments, with examples in their help, beside the `run` that gives the driver a `Setup` and two closures: one
//! plays, one reports. Re-export the items of the first two in `lab/mod.rs` and `report/mod.rs`; add a variant to
//! `Command` and an arm to `run_args` in `cli/args.rs`, and its lines to `cli/mod.rs`.
//!
//! The driver makes the run, the folder, the JSON and the command line that makes it all again. Each table of the
//! document becomes a CSV file in the folder `tables`; other files are the last argument of `output.print`, as in
//! `cli/sweep.rs`. The keys of the JSON follow the convention in `reports/README.md`. The test `experiments` in
//! `tests/cli` names what is left: small runs for the other tests, and its places in the guides.
//!
//! **Another command.** A file in `cli/` with its arguments, with examples in their help, beside the code that runs it;
//! the variant of `Command` in `cli/args.rs`; and its line in `cli/mod.rs`.
//!
//! **A chart.** A function that returns a `Chart`, made by `Chart::plot` of marks or by `Chart::rows` of estimates, and
//! a `Block::Chart` among the blocks of its report's document, as in `report/tune.rs`.
//!
//! **A kind of mark.** A variant of `Mark` with its colours, its legend and its drawing in `chart/marks.rs`; its words
//! in `texts_mut` in `chart/mod.rs`; a chart with it among those of `chart/tests.rs`.
//!
//! **A strategy in Rust.** A type that implements [`strategy::Strategy`], as in `examples/native_strategy.rs`, which needs
//! no change of the program.
//!
//! **A name for scripts.** A property of the view, a move, a card or a seat is a variant in
//! `strategy/script/intrinsics.rs`: its word is the name, its doc is the meaning, and its type and value stand below.
//! The value is that of a method of [`game::View`]. Interpreter, compiler, checks, guide and definitions for editors
//! follow from it. A property of the view says there what changes it, and needs an arm in `read_ahead` if it is a card
//! that may be unknown. On a position looked ahead, the interpreter answers it, unless
//! `strategy/script/compiled/lower/expressions.rs` compiles it. The parameters of a method stand in
//! `strategy/script/names.rs`.
//!
//! # An example
//!
//! The house edge of Canfield from two thousand games of `greedy`, the baseline for other strategies:
//!
//! ```standalone_crate
//! use saratoga::{lab, rules, stats, strategy};
//!
//! let canfield = rules::load("canfield")?;
//! let greedy = strategy::load("greedy")?;
//! let entry = lab::Matchup { id: "canfield", rules: &canfield.rules, strategy: &greedy };
//! let batch = lab::Batch::new(vec![entry], 1, 0..2000, lab::Workers::new(2));
//! let finished = lab::simulate(&batch, &mut ())?;
//! let summary = stats::summarize(&finished.tallies[0], canfield.rules.spec(), vec![]);
//! let edge = summary.house_edge.expect("a deck of canfield has a price");
//! assert!(edge.low < edge.value && edge.value < edge.high);
//! assert!(edge.value < 0.0, "this player has the better of the house");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

// Test code shared with the integration tests calls the library `saratoga`, in unit tests too.
#[cfg(test)]
extern crate self as saratoga;

#[doc(inline)]
pub use saratoga_engine::*;

pub mod chart;
#[cfg(feature = "native")]
pub mod cli;
mod format;
pub mod report;
#[cfg(feature = "native")]
pub mod session;
#[cfg(feature = "studio")]
pub mod studio;
