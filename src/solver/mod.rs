//! Layer 3: perfect information. What can be won, or earned, where every card is known?
//!
//! A [`Solver`] is asked of a [`Table`] whether all cards can be brought up by legal moves, or how many can at
//! most. It searches the engine's own moves: [`Table::legal_moves`] says what is legal and [`Table::apply`] what
//! it does, so that whatever rules the engine plays without chance are solved exactly. Rules of ending a game
//! that goes nowhere do not matter: the question is what legal moves can reach.
//!
//! # Why an answer is right
//!
//! Positions and plays form a graph, and both questions are about the positions reachable from the first one: is one
//! of them won, and which has the most cards up? What is reachable from a position does not depend on the way to it.
//! So a search that visits each position once answers both, even where plays lead in a circle: a position met again
//! has been searched already with all that follows, or is being searched now. `Lost`, or an exact number of cards, is
//! answered only by a search that came to its end; whatever was left out, for time, memory or depth, makes the
//! answer [`Verdict::Unknown`].
//!
//! The search saves work in four ways, each with its own proof:
//!
//! - positions with equal keys have the same future (`key`, `classes`);
//! - draws and redeals are made together with the play that follows them (`engine`, `passes`);
//! - some plays are left out, because others do at least as well (`pruner`);
//! - positions from which the goal is out of reach are recognised by a relaxed bound (`relaxed_bound`).
//!
//! Each proof holds under certain rules. The code that decides whether it may be used takes all rules of play apart
//! by name, without `..`: a new rule does not compile before every proof has been considered.
//!
//! Where it does not matter on which of several cards another one lies, a position is a class of a few words of bits
//! (`classes`). Where all piles are runs, a position is told in a sixth of the bytes of a table (`runs`). Moves found so
//! are still made by the engine before they are reported.
//!
//! # What is tried
//!
//! The order in which plays are tried matters much for a deal that can be won, and not at all for one that cannot. So
//! some short depth-first walks come first, each in its own order, then one that goes on to the end. With few passes
//! through the stock a win often needs cards to be passed over, which these walks rarely find: between them run beam
//! searches of growing width, which keep only the most promising positions (`beam`).
//!
//! # Small searches
//!
//! A player who samples what is hidden asks thousands of small questions from the middle of a game:
//! [`Solver::solve_small`] looks for a win, or else the best line of play, within so many positions.
//!
//! # What it does not do
//!
//! The upper bound of the most cards is either the most itself, proven, or what `relaxed_bound` says of the deal, which
//! is often all cards: there is nothing between.
//!
//! # An example
//!
//! ```
//! use saratoga::cards::Deck;
//! use saratoga::game::{NoChance, Table};
//! use saratoga::rules;
//! use saratoga::solver::{Goal, Limits, Solver, Verdict};
//!
//! let rules = rules::load("draw-one")?.rules;
//! let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
//! let table = Table::deal(&rules, deck.cards(), &mut NoChance);
//! let mut solver = Solver::new(&rules, 1 << 24)?;
//! let answer = solver.solve(&table, Goal::Win, &Limits { nodes: Some(10_000), ..Limits::default() });
//! match answer.verdict {
//!     Verdict::Won => println!("won by {} moves", answer.moves.len()),
//!     Verdict::Lost => println!("lost, after {} positions", answer.nodes),
//!     Verdict::Unknown(limit) => println!("not known: {limit}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod beam;
mod child;
mod classes;
mod engine;
mod explore;
mod heuristic;
mod key;
mod passes;
mod pruner;
mod question;
mod relaxed_bound;
mod runs;
mod search;
mod small;
mod table_states;
mod transposition_table;

pub use answer::{Answer, Goal, Limit, Limits, Refused, Verdict};
pub use explore::{Explorer, Onward, follow};
pub use small::{Effort, Found};

use crate::game::Table;
use crate::rules::{
    DealSpec, Draw, FoundationSpec, OnRedeal, ReserveSpec, Roll, Rules, RulesOfPlay, SpacesSpec, StockSpec,
    TableauSpec,
};

use child::Child;
use classes::Classes;
use engine::Engine;
use key::{MORE_PACKS, ONE_PACK};
use pruner::Pruner;
use question::{FromSearch, Question, Tries};
use relaxed_bound::RelaxedBound;
use runs::{RunPosition, RunStates};
use search::Walk;
use table_states::TableStates;

/// Answers questions about positions under one ruleset; made once, its memory is used again.
pub struct Solver<'r> {
    engine: Engine<'r>,
    pruner: Pruner,
    /// Positions may be told as classes.
    in_classes: bool,
    /// They may be told as runs, where piles are.
    in_runs: bool,
    memory: usize,
    walks: Walks,
}

/// The memory of a solver that is not needed any more, for the next one.
pub struct Kept(Walks);

impl Default for Kept {
    fn default() -> Kept {
        Kept(Walks::None)
    }
}

/// The memory of a search, for the form in which positions are told.
enum Walks {
    None,
    Classes(Walk<{ classes::WORDS }, classes::ClassPosition, classes::ClassPlay>),
    Runs(Walk<ONE_PACK, RunPosition, Child>),
    One(Walk<ONE_PACK, Table, Child>),
    More(Box<Walk<MORE_PACKS, Table, Child>>),
}

impl<'r> Solver<'r> {
    /// A solver whose positions take at most `memory` bytes, and those of beams about an eighth of that besides;
    /// the system commits them lazily.
    ///
    /// # Errors
    /// Where chance decides inside a game: a die for each pass or draw, or a shuffle on redeal.
    pub fn new(rules: &'r Rules, memory: usize) -> Result<Solver<'r>, Refused> {
        // Which of these rules let chance decide inside a game.
        let RulesOfPlay {
            deal: DealSpec { packs: _, order: _ },
            reserve: ReserveSpec { piles: _, size: _, face: _ },
            tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit: _, max_height: _ },
            spaces: SpacesSpec { auto: _, while_reserve: _, after_reserve: _, rank: _ },
            foundation: FoundationSpec { base: _, start: _, returns: _, base_play: _ },
            stock: StockSpec { draw, redeals, on_redeal, waste: _, opening_draw: _ },
        } = rules.spec().rules_of_play();
        match draw {
            Draw::Die { roll: Roll::Draw, faces: _ } => return Err(Refused::DieForDraw),
            Draw::Die { roll: Roll::Pass, faces: _ } => return Err(Refused::DieForPass),
            Draw::Die { roll: Roll::Game, faces: _ } | Draw::ByPass(_) => {}
        }
        if *on_redeal != OnRedeal::Turn && *redeals != Some(0) {
            return Err(Refused::Shuffle);
        }
        let (engine, pruner) = (Engine::new(rules), Pruner::new(rules));
        Ok(Solver {
            engine,
            pruner,
            in_classes: true,
            in_runs: runs::allowed(rules),
            memory,
            walks: Walks::None,
        })
    }

    /// The same with the memory of another one, which is then not committed again.
    #[must_use]
    pub fn with_kept(mut self, kept: Kept) -> Solver<'r> {
        self.walks = kept.0;
        self
    }

    /// Its memory, for another one.
    pub fn keep(self) -> Kept {
        Kept(self.walks)
    }

    /// The same without leaving out any play that a proof says is not needed and without classes of positions, to
    /// compare with.
    pub fn unpruned(mut self) -> Solver<'r> {
        self.pruner = Pruner::NOTHING;
        self.in_classes = false;
        self.in_runs = false;
        self
    }

    /// The same without other forms of positions than whole tables, to compare with.
    #[cfg(test)]
    fn on_tables(mut self) -> Solver<'r> {
        self.in_classes = false;
        self.in_runs = false;
        self
    }

    /// What can be reached from a position of the solver's rules.
    pub fn solve(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>) -> Answer {
        self.ask(&Question { rules: self.engine.rules, table, goal, limits, tries: Tries::Long })
    }

    /// Searches in whatever form of positions the rules allow.
    fn ask<A: FromSearch>(&mut self, question: &Question<'_>) -> A {
        let (rules, memory, table) = (question.rules, self.memory, question.table);
        // One form of positions is in use at a time, as each has a memory of its own.
        if self.in_classes
            && let Some((mut classes, root)) = Classes::new(table, rules)
        {
            if !matches!(self.walks, Walks::Classes(_)) {
                self.walks = Walks::Classes(Walk::new(memory));
            }
            if let Walks::Classes(walk) = &mut self.walks {
                return A::search(question, walk, &mut classes, root);
            }
        }
        if self.in_runs
            && let Some((mut states, root)) = RunStates::new(table, rules, &self.pruner)
        {
            if !matches!(self.walks, Walks::Runs(_)) {
                self.walks = Walks::Runs(Walk::new(memory));
            }
            if let Walks::Runs(walk) = &mut self.walks {
                return A::search(question, walk, &mut states, root);
            }
        }
        if !matches!(self.walks, Walks::One(_) | Walks::More(_)) {
            self.walks = match rules.hot.packs {
                1 => Walks::One(Walk::new(memory)),
                _ => Walks::More(Box::new(Walk::new(memory))),
            };
        }
        let mut tables = TableStates::new(table, &mut self.engine, &self.pruner);
        match &mut self.walks {
            Walks::One(walk) => A::search(question, walk, &mut tables, *table),
            Walks::More(walk) => A::search(question, walk, &mut tables, *table),
            Walks::None | Walks::Classes(_) | Walks::Runs(_) => unreachable!("memory was chosen above"),
        }
    }
}

/// No more cards than this can be up in any position that can be reached; more is known only by solving.
pub fn most_cards(table: &Table, rules: &Rules) -> usize {
    RelaxedBound::new(table, rules).most(table, rules)
}
