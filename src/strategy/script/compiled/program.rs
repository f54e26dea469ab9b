//! A script compiled for one set of rules, and the decisions it makes.

use crate::game::{Move, View};
use crate::rules::Rules;

use super::super::check::Form;
use super::Sources;
use super::build::Builder;
use super::emit::{Emitter, Program, TooLarge};
use super::facts::{Class, Facts};
use super::op::At;
use super::passes;
use super::run::Machine;
use super::state::{Called, HandOver, Interpret, Meter, Position, Registers};
use super::tables;
use super::tree::{Node, Slot};
use super::types::Inference;
use super::value::{MOVES, Types, UNIT};

/// What a function that the game calls does with a class of moves.
#[derive(Clone, Copy, Debug)]
enum Entry {
    /// It scores them all the same.
    Always {
        score: i64,
        cost: u32,
    },
    Run {
        at: At,
        needs: u64,
        cost: u32,
    },
}

/// The program of a script under one set of rules.
#[derive(Debug)]
pub struct ForRules {
    /// Whose rules these are: [`Rules::id`].
    pub rules: u64,
    form: Form,
    program: Program,
    called: Vec<Called>,
    /// For each class of moves; one for all where the script chooses.
    entries: [Entry; 16],
    /// The classes whose entries run, a bit for each; the scores and operations of the others.
    runs: u16,
    scores: [i64; 16],
    costs: [u64; 16],
    /// The classes of moves for which it looks at stock or waste, a bit for each.
    unsettled: u16,
    /// Properties of the view that are the same until a play, a bit for each.
    of_arrangement: u64,
    /// It may draw numbers from the game's stream for strategies, or print.
    pub draws_numbers: bool,
}

/// A tree that is emitted on its own.
pub struct Tree {
    pub node: Node,
    cost: u32,
}

/// How many nodes of calls are inlined in a tree, as long as the program is not too large so: a loop through the moves
/// has a body for each class of moves, and loops in functions called from loops multiply.
const INLINED: [usize; 3] = [6_000, 300, 0];

impl ForRules {
    /// Compiles a script for these rules.
    ///
    /// # Errors
    /// If it is too large for the machine.
    pub fn compile(sources: &Sources, rules: &Rules) -> Result<ForRules, TooLarge> {
        let facts = Facts::of(rules);
        INLINED.iter().find_map(|&most| ForRules::inlined(sources, rules, &facts, most).ok()).ok_or(TooLarge)
    }

    /// Compiles it with calls inlined until a tree has so many nodes.
    fn inlined(
        sources: &Sources,
        rules: &Rules,
        facts: &Facts,
        most_inlined: usize,
    ) -> Result<ForRules, TooLarge> {
        let mut builder = Builder::new(sources, Some(facts), most_inlined);
        let moved = builder.new_slot();
        let mut trees = Vec::new();
        let classes: Vec<Option<Class>> = match sources.form {
            Form::Score => facts.classes().iter().copied().map(Some).collect(),
            Form::Choose => vec![None],
        };
        for &class in &classes {
            builder.cost = 0;
            let arguments =
                [Node::VIEW, Node::Read(moved)].into_iter().take(1 + usize::from(class.is_some()));
            let known = class.map(|class| (moved, class));
            let node = builder.entry(sources.entry, arguments.collect(), known).map_err(|_| TooLarge)?;
            trees.push(Tree { node, cost: builder.cost });
        }
        let entries = trees.len();
        let mut parameters: Vec<Vec<Slot>> = Vec::new();
        let mut reaches = Vec::new();
        while parameters.len() < builder.instances.len() {
            let instance = builder.instances[parameters.len()].clone();
            let slots: Vec<Slot> = instance.constants.iter().map(|_| builder.new_slot()).collect();
            builder.cost = 0;
            let node = builder.instance(&instance, &slots).map_err(|_| TooLarge)?;
            trees.push(Tree { node, cost: builder.cost });
            parameters.push(slots);
            reaches.push(builder.reach);
        }
        let mut memos: Vec<Node> = builder.memos.iter().map(|memo| memo.node.clone()).collect();
        let mut types = Inference::new(builder.slots, builder.labels, memos.len());
        types.slots[moved] = Types::MOVE;
        parameters.iter().flatten().for_each(|slot| types.slots[*slot] = Types::ALL);
        types
            .run(&trees.iter().map(|tree| &tree.node).collect::<Vec<_>>(), &memos.iter().collect::<Vec<_>>());
        let mut program = Program::default();
        for node in trees.iter_mut().map(|tree| &mut tree.node).chain(&mut memos) {
            passes::find_lowest(node);
            tables::tabulate(node, &mut types, &mut program.tables);
        }
        passes::inline_small_memos(&mut trees, &mut memos);
        passes::drop_unused(&mut trees, &mut memos, &types);
        for node in trees.iter_mut().map(|tree| &mut tree.node).chain(&mut memos) {
            passes::hoist(node, &mut types);
        }
        let nodes = trees.iter().map(|tree| &tree.node).chain(&memos);
        let assigned = passes::assigned(nodes, types.slots.len());
        let draws_numbers = trees.iter().map(|tree| &tree.node).any(passes::draws_numbers);
        let (mut unsettled, mut seen) = (0, passes::SeenMemos::new());
        for (tree, class) in trees.iter().zip(&classes) {
            passes::unsettled(&tree.node, *class, &memos, &mut seen, &mut unsettled);
        }
        let mut made = ForRules {
            rules: rules.id(),
            form: sources.form,
            program,
            called: Vec::new(),
            entries: [Entry::Always { score: -1, cost: 0 }; 16],
            runs: 0,
            scores: [-1; 16],
            costs: [0; 16],
            unsettled,
            of_arrangement: 0,
            draws_numbers,
        };
        let facts = passes::MemoFacts::of_all(&memos);
        for (i, Tree { node, cost }) in trees.iter().enumerate() {
            let mut emitter = Emitter::new(&mut made.program, &mut types, (&memos, &facts), &assigned);
            if i < entries {
                if let (Some(outcome), Form::Score) = (node.outcome(), sources.form)
                    && outcome.is_int
                {
                    made.entries[i] = Entry::Always { score: outcome.bits, cost: *cost };
                    continue;
                }
                emitter.slots.insert(moved, 0);
                emitter.reserve(1)?;
                let (at, needs) = emitter.finish(node)?;
                made.entries[i] = Entry::Run { at, needs, cost: *cost };
            } else {
                let i = i - entries;
                emitter.parameters(&parameters[i])?;
                emitter.looks_itself(node)?;
                let (at, _) = emitter.finish(node)?;
                made.called.push(Called { at, cost: *cost, reach: reaches[i] });
            }
        }
        for (i, entry) in made.entries.iter().enumerate() {
            match *entry {
                Entry::Always { score, cost } => (made.scores[i], made.costs[i]) = (score, cost.into()),
                Entry::Run { .. } => made.runs |= 1 << i,
            }
        }
        for (i, (_, look)) in made.program.looks.iter().enumerate().take(64) {
            made.of_arrangement |= u64::from(passes::is_look_of_arrangement(*look)) << i;
        }
        made.program.values = made.program.tables.iter().flat_map(|table| table.values).collect();
        Ok(made)
    }
}

/// Makes the decisions of one program after another.
#[derive(Debug)]
pub struct Decider {
    registers: Box<Registers>,
    meter: Meter,
    /// Properties of the view that are in their registers, a bit for each.
    loaded: u64,
    /// The class of a move by its key.
    classes: Box<[Class; 512]>,
    /// The last decision would have been the same whatever lay in stock and waste.
    pub settled: bool,
}

impl Decider {
    pub fn new() -> Decider {
        let classes = Box::new(Class::by_key());
        Decider { registers: Box::new([0; 256]), meter: Meter::default(), loaded: 0, classes, settled: false }
    }

    /// Gets ready for another program.
    pub fn prepare(&mut self, made: &ForRules) {
        // What another program has left there must not be taken for a memo, or for a property of the view.
        self.loaded = 0;
        self.registers[256 - made.program.shared..].fill(i64::MIN);
        for (reg, bits) in &made.program.constants {
            self.registers[*reg as usize] = *bits;
        }
    }

    /// Upper bound of the operations of the last decision.
    pub fn operations(&self) -> u64 {
        self.meter.operations
    }

    #[inline(always)]
    fn begin(&mut self, made: &ForRules, view: &View<'_>) {
        let decision = self.meter.decision + 1;
        // Where nothing is known a number of this decision alone, which no game has.
        let arrangement = if view.arrangement() == 0 { -decision } else { view.arrangement() as i64 };
        self.loaded &= if arrangement == self.meter.arrangement { made.of_arrangement } else { 0 };
        self.meter = Meter { decision, operations: 0, arrangement };
        self.settled = false;
    }

    /// The index of the move chosen, or `None` to resign.
    #[inline(always)]
    pub fn decide<I: Interpret>(
        &mut self,
        made: &ForRules,
        position: &Position<'_>,
        interpreter: &mut I,
    ) -> Result<Option<usize>, HandOver> {
        self.begin(made, position.view);
        if made.form == Form::Choose {
            return self.choose(made, position, interpreter);
        }
        let (mut best, mut highest, mut classes, mut costs) = (usize::MAX, -1, 0, 0);
        // Of the first moves, those whose scores are not known before the game: they are run after the others
        // are compared, as which moves they are is hard to foresee.
        let mut to_run = 0u64;
        let moves: &[Move] = position.legal;
        let (first, rest) = moves.split_at(moves.len().min(64));
        for (index, &m) in first.iter().enumerate() {
            let class = self.classes[m.key() & 511] as usize & 15;
            classes |= 1 << class;
            to_run |= u64::from(made.runs >> class & 1) << index;
            costs += made.costs[class];
            let score = made.scores[class];
            best = if score > highest { index } else { best };
            highest = highest.max(score);
        }
        self.meter.operations += costs;
        while to_run != 0 {
            let index = to_run.trailing_zeros() as usize;
            to_run &= to_run - 1;
            let class = self.classes[first[index & 63].key() & 511] as usize & 15;
            let score = self.score(made, position, interpreter, class, index)?;
            if score > highest || score == highest && index < best && score >= 0 {
                (best, highest) = (index, score);
            }
        }
        for (index, &m) in (first.len()..).zip(rest) {
            let class = self.classes[m.key() & 511] as usize & 15;
            classes |= 1 << class;
            let score = self.score_apart(made, position, interpreter, class, index)?;
            if score > highest {
                (best, highest) = (index, score);
            }
        }
        self.settled = classes & made.unsettled == 0;
        if self.meter.operations > position.limit {
            return Err(HandOver);
        }
        Ok((best != usize::MAX).then_some(best))
    }

    /// The score of every move.
    pub fn scores<I: Interpret>(
        &mut self,
        made: &ForRules,
        position: &Position<'_>,
        interpreter: &mut I,
    ) -> Result<Vec<i64>, HandOver> {
        self.begin(made, position.view);
        let each = position.legal.iter().enumerate();
        let scores = each
            .map(|(i, m)| {
                self.score_apart(made, position, interpreter, self.classes[m.key() & 511] as usize & 15, i)
            })
            .collect();
        if self.meter.operations > position.limit { Err(HandOver) } else { scores }
    }

    /// The same as [`Decider::score`], as code of its own: where every score is asked for, which is seldom.
    #[inline(never)]
    fn score_apart<I: Interpret>(
        &mut self,
        made: &ForRules,
        position: &Position<'_>,
        interpreter: &mut I,
        class: usize,
        index: usize,
    ) -> Result<i64, HandOver> {
        self.score(made, position, interpreter, class, index)
    }

    #[inline(always)]
    fn score<I: Interpret>(
        &mut self,
        made: &ForRules,
        position: &Position<'_>,
        interpreter: &mut I,
        class: usize,
        index: usize,
    ) -> Result<i64, HandOver> {
        match made.entries[class & 15] {
            Entry::Always { score, cost } => {
                self.meter.operations += u64::from(cost);
                Ok(score)
            }
            Entry::Run { at, needs, cost } => {
                self.registers[0] = MOVES + index as i64;
                let value = self.run(made, position, interpreter, (at, needs, cost))?;
                if value.is_int { Ok(value.bits) } else { Err(HandOver) }
            }
        }
    }

    fn choose<I: Interpret>(
        &mut self,
        made: &ForRules,
        position: &Position<'_>,
        interpreter: &mut I,
    ) -> Result<Option<usize>, HandOver> {
        let Some(Entry::Run { at, needs, cost }) = made.entries.first().copied() else {
            return Err(HandOver);
        };
        let value = self.run(made, position, interpreter, (at, needs, cost))?;
        match value.types() {
            _ if self.meter.operations > position.limit => Err(HandOver),
            Types::UNIT if value.bits == UNIT => Ok(None),
            Types::MOVE => Ok(Some((value.bits - MOVES) as usize)),
            _ => Err(HandOver),
        }
    }

    #[inline(always)]
    fn run<I: Interpret>(
        &mut self,
        made: &ForRules,
        position: &Position<'_>,
        interpreter: &mut I,
        (at, needs, cost): (At, u64, u32),
    ) -> Result<super::value::Value, HandOver> {
        let missing = needs & !self.loaded;
        if missing != 0 {
            self.load(made, position.view, missing);
        }
        self.meter.operations += u64::from(cost);
        let ForRules { program, called, .. } = made;
        let mut machine = Machine { program, called, position, interpreter, meter: self.meter };
        let value = machine.run(at, &mut self.registers, 0);
        self.meter = machine.meter;
        value
    }

    fn load(&mut self, made: &ForRules, view: &View<'_>, mut missing: u64) {
        self.loaded |= missing;
        while missing != 0 {
            if let Some((reg, look)) = made.program.looks.get(missing.trailing_zeros() as usize) {
                self.registers[*reg as usize] = look.read(view);
            }
            missing &= missing - 1;
        }
    }
}
