//! Floor 3: perfect information. What can be won, or earned, where every card is known?
//!
//! A [`Solver`] is asked of a [`Table`] whether all cards can be brought up by legal moves, or how many can at
//! most. It searches the engine's own moves: [`Table::legal_moves`] says what is legal and [`Table::apply`] what
//! it does, so that whatever rules the engine plays without chance are solved exactly. Rules of ending a game
//! that goes nowhere do not matter: the question is what legal moves can reach.
//!
//! # Why an answer is right
//!
//! Positions and plays make a graph, and both questions are about the positions that can be reached from the
//! first one: is one of them won, and which has the most cards up? What can be reached from a position does not
//! depend on how it was come to. So a walk that visits each of them once answers both, also where plays lead
//! back to where they came from: a position that was seen before is seen with all that follows from it, or is on
//! the way to here and is being seen. An answer `Lost`, or a most of cards, is given only if the walk came to its
//! end; whatever it left out, for time, memory or depth, makes it [`Verdict::Unknown`].
//!
//! The walk stands on four more legs, each with its own proof: equal keys mean positions of which the same can
//! be reached (`key`), draws and redeals can be taken together with the play that follows them (`engine`), plays
//! left out are matched by others (`pruner`), and positions from which what is looked for cannot come up any more
//! are told by their look (`reach`).
//!
//! Where it begins matters much for a deal that can be won, and not at all for one that cannot: so there are some
//! short walks first, each with its own order of trying plays, before the one that goes on to the end.
//!
//! # What it does not do
//!
//! The upper bound of the most cards is either the most itself, proven, or what `reach` says of the deal, which
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
mod engine;
mod key;
mod pruner;
mod reach;
mod search;
mod seen;

pub use answer::{Answer, Goal, Limit, Limits, Refused, Verdict};

use crate::game::{MoveList, NoChance, Table};
use crate::rules::{Draw, OnRedeal, Roll, Rules};

use engine::Engine;
use key::{MORE_PACKS, ONE_PACK};
use pruner::Pruner;
use reach::Reach;
use search::{Walk, Walked};

/// Answers questions about positions under one ruleset; made once, its memory is used again.
pub struct Solver<'r> {
    engine: Engine<'r>,
    pruner: Pruner,
    walk: Walks,
}

/// Keys of one pack are short.
enum Walks {
    One(Walk<ONE_PACK>),
    More(Box<Walk<MORE_PACKS>>),
}

impl<'r> Solver<'r> {
    /// A solver whose positions take so many bytes at most; the system gives them out as they are used.
    ///
    /// # Errors
    /// Where chance decides inside a game: a die for each pass or draw, or a shuffle on redeal.
    pub fn new(rules: &'r Rules, memory: usize) -> Result<Solver<'r>, Refused> {
        let stock = &rules.spec().stock;
        match stock.draw {
            Draw::Die { roll: Roll::Draw, .. } => return Err(Refused::DieForDraw),
            Draw::Die { roll: Roll::Pass, .. } => return Err(Refused::DieForPass),
            _ => {}
        }
        if stock.on_redeal == OnRedeal::Shuffle && stock.redeals != Some(0) {
            return Err(Refused::Shuffle);
        }
        let walk = if rules.spec().deal.packs == 1 {
            Walks::One(Walk::new(memory))
        } else {
            Walks::More(Box::new(Walk::new(memory)))
        };
        Ok(Solver { engine: Engine::new(rules), pruner: Pruner::new(rules), walk })
    }

    /// The same without leaving out any play that a proof says is not needed, to compare with. What keys do not tell
    /// apart is still one.
    pub fn unpruned(mut self) -> Solver<'r> {
        self.pruner = Pruner::NOTHING;
        self
    }

    /// What can be reached from a position of the solver's rules.
    pub fn solve(&mut self, table: &Table, goal: Goal, limits: &Limits<'_>) -> Answer {
        match &mut self.walk {
            Walks::One(walk) => solve(walk, &mut self.engine, &self.pruner, table, goal, limits),
            Walks::More(walk) => solve(walk, &mut self.engine, &self.pruner, table, goal, limits),
        }
    }
}

fn solve<const N: usize>(
    walk: &mut Walk<N>,
    engine: &mut Engine<'_>,
    pruner: &Pruner,
    root: &Table,
    goal: Goal,
    limits: &Limits<'_>,
) -> Answer {
    let rules = engine.rules;
    let all = rules.hot.cards;
    let mut cards = root.cards();
    let mut moves = Vec::new();
    // The buffers of the moves told are not those of the search.
    let teller = Engine::new(rules);
    walk.begin(limits);
    let mut attempts = ATTEMPTS.iter().enumerate();
    let walked = loop {
        let last = (ATTEMPTS.len(), None);
        let (number, positions) = attempts.next().map_or(last, |(i, &positions)| (i, Some(positions)));
        engine.chance = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let walked = walk.visit(root, engine, pruner, limits, positions, |table, walk| {
            if table.cards() > cards {
                cards = table.cards();
                if goal == Goal::Cards || cards == all {
                    moves = walk.moves(&teller);
                }
            }
            let wanted = if goal == Goal::Win { all } else { cards + 1 };
            if cards == all { None } else { Some(wanted) }
        });
        if walked != Walked::Tired {
            break walked;
        }
    };
    let verdict = match walked {
        _ if cards == all && replays(root, rules, &moves, all) => Verdict::Won,
        Walked::Enough | Walked::Tired => Verdict::Unknown(Limit::Replay),
        Walked::All => Verdict::Lost,
        Walked::Stopped(limit) => Verdict::Unknown(limit),
    };
    let cards_at_most = match verdict {
        Verdict::Lost if goal == Goal::Cards => cards,
        // The walk left out what could not be won.
        Verdict::Lost => (all - 1).min(Reach::new(root, rules).most(root, rules)),
        _ => Reach::new(root, rules).most(root, rules),
    };
    Answer { verdict, cards, cards_at_most, moves, nodes: walk.nodes, bytes: walk.bytes() }
}

/// Positions of the attempts before the last, which goes on to the end. What is found soon depends on the order in
/// which plays are tried, so that several short walks find a win more often than one long one.
const ATTEMPTS: [u64; 8] = [10_000; 8];

/// Whether moves are legal one after the other and bring so many cards up.
fn replays(root: &Table, rules: &Rules, moves: &[crate::game::Move], cards: usize) -> bool {
    let mut table = *root;
    let mut legal = MoveList::new();
    for &m in moves {
        table.legal_moves(rules, &mut legal);
        if !legal.contains(&m) {
            return false;
        }
        table.apply(rules, m, &mut NoChance);
    }
    table.cards() == cards
}
