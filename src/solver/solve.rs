//! Answers questions in the representation of positions that fits the rules.

use crate::game::Table;
use crate::rules::{
    DealSpec, Draw, FoundationSpec, MoveRules, OnRedeal, ReserveSpec, Roll, Rules, SpacesSpec, StockSpec,
    TableauSpec,
};

use super::answer::{Answer, Goal, Limits, Refused};
use super::classes::{self, Classes};
use super::compact::{self, RunPosition, RunStates};
use super::engine::Engine;
use super::history::History;
use super::key::{MORE_PACKS, ONE_PACK};
use super::pruner::Pruner;
use super::question::{FromSearch, Question, Tries};
use super::relaxed_rules::relaxed_rules;
use super::search::Walk;
use super::successor::Successor;
use super::table_states::TableStates;

/// Answers questions about positions under one ruleset, reusing its memory.
pub struct Solver<'r> {
    pub(super) engine: Engine<'r>,
    pruner: Pruner,
    /// Whether positions may be represented by classes.
    pub(super) in_classes: bool,
    /// Whether they may be represented by runs, if the piles are runs.
    pub(super) in_runs: bool,
    /// Relaxed rules, if they allow classes.
    pub(super) relaxed: Option<Rules>,
    /// Whether a long search begins under those.
    pub(super) relaxed_first: bool,
    history: History,
    memory: usize,
    walks: Walks,
}

/// The memory of a discarded solver, for the next one.
#[derive(Default)]
pub struct Kept(Walks);

/// The memory of a search, for one representation of positions.
#[derive(Default)]
enum Walks {
    #[default]
    None,
    Classes(Walk<{ classes::WORDS }, classes::ClassPosition, classes::ClassPlay>),
    Runs(Walk<ONE_PACK, RunPosition, Successor>),
    One(Walk<ONE_PACK, Table, Successor>),
    More(Box<Walk<MORE_PACKS, Table, Successor>>),
}

impl Walks {
    /// Frees the memory, so that another representation may use as much.
    fn forget(&mut self) {
        *self = Walks::None;
    }
}

impl<'r> Solver<'r> {
    /// Creates a solver whose positions take at most `memory` bytes. A beam or a width search takes at most a quarter
    /// of that in addition, or 32 MiB if that is more ([`besides`](fn@super::besides)); the system commits them lazily.
    ///
    /// # Errors
    /// Fails if chance decides inside the game: a die for each pass or draw, or a shuffle on redeal.
    pub fn new(rules: &'r Rules, memory: usize) -> Result<Solver<'r>, Refused> {
        // Determines which of these rules involve chance inside the game.
        let MoveRules {
            deal: DealSpec { packs: _, order: _ },
            reserve: ReserveSpec { piles: _, size: _, face: _ },
            tableau: TableauSpec { deal: _, face: _, build: _, direction: _, wrap: _, unit: _, max_height: _ },
            spaces: SpacesSpec { auto: _, while_reserve: _, after_reserve: _, rank: _ },
            foundation: FoundationSpec { base: _, start: _, returns: _, base_play: _ },
            stock: StockSpec { draw, redeals, on_redeal, waste: _, opening_draw: _ },
        } = rules.spec().move_rules();
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
            in_runs: compact::allowed(rules),
            relaxed: relaxed_rules(rules),
            relaxed_first: false,
            history: History::default(),
            memory,
            walks: Walks::None,
        })
    }

    /// Takes over the memory of another solver, which avoids committing it again.
    #[must_use]
    pub fn with_kept(mut self, kept: Kept) -> Solver<'r> {
        self.walks = kept.0;
        self
    }

    /// Returns what it knows of winning lines, which affects only the order in which it tries plays.
    pub fn history(&mut self) -> &mut History {
        &mut self.history
    }

    /// Returns the rules.
    pub fn rules(&self) -> &'r Rules {
        self.engine.rules
    }

    /// Returns its memory, for another solver.
    pub fn keep(self) -> Kept {
        Kept(self.walks)
    }

    /// Disables pruning and classes, for comparison.
    pub fn unpruned(mut self) -> Solver<'r> {
        self.pruner = Pruner::default();
        self.in_classes = false;
        self.in_runs = false;
        self.relaxed = None;
        self
    }

    /// Asks relaxed rules first, for comparison: small games rarely get to that stage otherwise.
    #[must_use]
    pub fn relaxed_first(mut self) -> Solver<'r> {
        self.relaxed_first = true;
        self
    }

    /// Determines what can be reached from a position of the solver's rules.
    pub fn solve(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>) -> Answer {
        self.solve_in_stages(table, goal, limits)
    }

    /// Returns whether positions are represented by classes of the original rules.
    pub(super) fn has_classes(&self, table: &Table) -> bool {
        self.in_classes && Classes::new(table, self.engine.rules).is_some()
    }

    /// Determines what can be reached under relaxed rules; `None` if positions cannot be represented by classes.
    pub(super) fn ask_relaxed(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>) -> Option<Answer> {
        let relaxed = self.relaxed.as_ref()?;
        let (mut classes, root) = Classes::relaxed(table, relaxed, self.engine.rules)?;
        if !matches!(self.walks, Walks::Classes(_)) {
            self.walks.forget();
            self.walks = Walks::Classes(Walk::new(self.memory));
        }
        let Walks::Classes(walk) = &mut self.walks else { return None };
        let question = Question { rules: self.engine.rules, table, goal, limits, tries: Tries::Relaxed };
        Some(Answer::search(&question, walk, &mut classes, root))
    }

    /// Searches in whatever representation the rules allow.
    pub(super) fn ask<A: FromSearch>(&mut self, question: &Question<'_>) -> A {
        let (rules, memory, table) = (question.rules, self.memory, question.table);
        // One representation is in use at a time, as each has its own memory.
        if self.in_classes
            && let Some((mut classes, root)) = Classes::new(table, rules)
        {
            if !matches!(self.walks, Walks::Classes(_)) {
                self.walks.forget();
                self.walks = Walks::Classes(Walk::new(memory));
            }
            if let Walks::Classes(walk) = &mut self.walks {
                return A::search(question, walk, &mut classes, root);
            }
        }
        if self.in_runs
            && let Some((mut states, root)) = RunStates::new(table, rules, &self.pruner, &self.history)
        {
            if !matches!(self.walks, Walks::Runs(_)) {
                self.walks.forget();
                self.walks = Walks::Runs(Walk::new(memory));
            }
            if let Walks::Runs(walk) = &mut self.walks {
                return A::search(question, walk, &mut states, root);
            }
        }
        if !matches!(self.walks, Walks::One(_) | Walks::More(_)) {
            self.walks.forget();
            self.walks = match rules.hot.packs {
                1 => Walks::One(Walk::new(memory)),
                _ => Walks::More(Box::new(Walk::new(memory))),
            };
        }
        let mut tables = TableStates::new(table, &mut self.engine, &self.pruner, &self.history);
        match &mut self.walks {
            Walks::One(walk) => A::search(question, walk, &mut tables, *table),
            Walks::More(walk) => A::search(question, walk, &mut tables, *table),
            Walks::None | Walks::Classes(_) | Walks::Runs(_) => unreachable!("memory was chosen above"),
        }
    }
}
