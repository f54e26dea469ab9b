//! The machine: makes the decisions of compiled scripts.

mod lists;
mod machine;
mod state;
mod work;

pub use state::{Bailout, DecisionPosition, Given, Interpret};

use crate::game::{Move, View};

use super::super::module::Form;
use super::super::value::{MOVES, Types, UNIT, Value};
use super::bytecode::{CodeOffset, CompiledScript, EntryPoint};
use super::facts::Class;
use lists::Lists;
use machine::Machine;
use state::{Meter, Registers};

/// Makes the decisions of one program after another.
#[derive(Debug)]
pub struct Vm {
    registers: Box<Registers>,
    lists: Lists,
    meter: Meter,
    /// Properties of the view that are in their registers, one bit each.
    loaded: u64,
    /// The classes of moves, by key.
    classes: Box<[Class; 512]>,
    /// Whether the last decision was independent of stock and waste.
    pub stock_independent: bool,
}

impl Vm {
    pub fn new() -> Vm {
        let classes = Box::new(Class::by_key());
        Vm {
            registers: Box::new([0; 256]),
            lists: Lists::default(),
            meter: Meter::default(),
            loaded: 0,
            classes,
            stock_independent: false,
        }
    }

    /// Prepares for another program.
    pub fn prepare(&mut self, made: &CompiledScript) {
        // Leftovers of another program must not be mistaken for a memo, or for a property of the view.
        self.loaded = 0;
        self.registers[256 - made.program.shared..].fill(i64::MIN);
        self.lists.prepare(&made.program.lists);
        for (reg, bits) in &made.program.constants {
            self.registers[*reg as usize] = *bits;
        }
    }

    /// Returns an upper bound on the operations of the last decision.
    pub fn operations(&self) -> u64 {
        self.meter.operations
    }

    /// Returns this bound plus the machine's copying, converted by the time that it took.
    pub fn work(&self) -> u64 {
        self.meter.operations + self.meter.copied
    }

    #[inline(always)]
    fn begin(&mut self, made: &CompiledScript, view: &View<'_>) {
        let decision = self.meter.decision + 1;
        // If unknown, a number unique to this decision, which no game has.
        let arrangement = if view.arrangement() == 0 { -decision } else { view.arrangement() as i64 };
        self.loaded &= if arrangement == self.meter.arrangement { made.of_arrangement } else { 0 };
        self.meter = Meter { decision, operations: 0, copied: 0, arrangement };
        self.stock_independent = false;
    }

    /// Returns the index of the chosen move, or `None` to resign.
    #[inline(always)]
    pub fn decide<I: Interpret>(
        &mut self,
        made: &CompiledScript,
        position: &DecisionPosition<'_>,
        interpreter: &mut I,
    ) -> Result<Option<usize>, Bailout> {
        self.begin(made, position.view);
        if made.form == Form::Choose {
            return self.choose(made, position, interpreter);
        }
        let (mut best, mut highest, mut classes, mut costs) = (usize::MAX, -1, 0, 0);
        // Among the first moves, those whose scores are not known before the game: they run after the others are
        // compared, because which moves they are is hard to predict.
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
        self.stock_independent = classes & made.stock_dependent == 0;
        if self.meter.operations > position.limit {
            return Err(Bailout);
        }
        Ok((best != usize::MAX).then_some(best))
    }

    /// Returns the score of every move.
    pub fn scores<I: Interpret>(
        &mut self,
        made: &CompiledScript,
        position: &DecisionPosition<'_>,
        interpreter: &mut I,
    ) -> Result<Vec<i64>, Bailout> {
        self.begin(made, position.view);
        let each = position.legal.iter().enumerate();
        let scores = each
            .map(|(i, m)| {
                self.score_apart(made, position, interpreter, self.classes[m.key() & 511] as usize & 15, i)
            })
            .collect();
        if self.meter.operations > position.limit { Err(Bailout) } else { scores }
    }

    /// Like [`Vm::score`], but not inlined: all scores are rarely requested.
    #[inline(never)]
    fn score_apart<I: Interpret>(
        &mut self,
        made: &CompiledScript,
        position: &DecisionPosition<'_>,
        interpreter: &mut I,
        class: usize,
        index: usize,
    ) -> Result<i64, Bailout> {
        self.score(made, position, interpreter, class, index)
    }

    #[inline(always)]
    fn score<I: Interpret>(
        &mut self,
        made: &CompiledScript,
        position: &DecisionPosition<'_>,
        interpreter: &mut I,
        class: usize,
        index: usize,
    ) -> Result<i64, Bailout> {
        match made.entries[class & 15] {
            EntryPoint::Always { score, cost } => {
                self.meter.operations += u64::from(cost);
                Ok(score)
            }
            EntryPoint::Run { at, needs, cost } => {
                self.registers[0] = MOVES + index as i64;
                let value = self.run(made, position, interpreter, (at, needs, cost))?;
                if value.is_int { Ok(value.bits) } else { Err(Bailout) }
            }
        }
    }

    fn choose<I: Interpret>(
        &mut self,
        made: &CompiledScript,
        position: &DecisionPosition<'_>,
        interpreter: &mut I,
    ) -> Result<Option<usize>, Bailout> {
        let Some(EntryPoint::Run { at, needs, cost }) = made.entries.first().copied() else {
            return Err(Bailout);
        };
        let value = self.run(made, position, interpreter, (at, needs, cost))?;
        match value.types() {
            _ if self.meter.operations > position.limit => Err(Bailout),
            Types::UNIT if value.bits == UNIT => Ok(None),
            Types::MOVE => Ok(Some((value.bits - MOVES) as usize)),
            _ => Err(Bailout),
        }
    }

    #[inline(always)]
    fn run<I: Interpret>(
        &mut self,
        made: &CompiledScript,
        position: &DecisionPosition<'_>,
        interpreter: &mut I,
        (at, needs, cost): (CodeOffset, u64, u32),
    ) -> Result<Value, Bailout> {
        let missing = needs & !self.loaded;
        if missing != 0 {
            self.load(made, position.view, missing);
        }
        self.meter.operations += u64::from(cost);
        let CompiledScript { program, called, .. } = made;
        if made.sites > 0 {
            self.lists.begin(program.lists.len(), made.sites)?;
        }
        let (meter, lists) = (&mut self.meter, &mut self.lists);
        let mut machine = Machine { program, called, position, interpreter, lists, meter };
        machine.run(at, &mut self.registers, 0)
    }

    fn load(&mut self, made: &CompiledScript, view: &View<'_>, mut missing: u64) {
        self.loaded |= missing;
        while missing != 0 {
            if let Some((reg, property)) = made.program.properties.get(missing.trailing_zeros() as usize) {
                self.registers[*reg as usize] = property.read(view);
            }
            missing &= missing - 1;
        }
    }
}
