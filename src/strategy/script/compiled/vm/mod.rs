//! The machine: makes the decisions of compiled scripts.

mod decision;
mod lists;
mod machine;

use crate::game::{Move, View};

use super::super::module::Form;
use super::super::value::{MOVES, Types, Value};
use super::bytecode::{Code, CompiledScript};
use super::facts::Class;
pub use decision::{Asked, Bailout, Given, Interpret};
use decision::{Meter, Registers};
use lists::Lists;
use machine::Machine;

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
        self.registers[256 - made.shared..].fill(i64::MIN);
        self.lists.prepare(&made.lists);
        for (reg, bits) in &made.constants {
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
    pub fn decide<I: Interpret>(&mut self, mut asked: Asked<'_, I>) -> Result<Option<usize>, Bailout> {
        let Asked { made, legal, limit, .. } = asked;
        self.begin(made, asked.view);
        if made.form == Form::Choose {
            return self.choose(&mut asked);
        }
        let (mut best, mut highest, mut classes, mut costs) = (usize::MAX, -1, 0, 0);
        // Among the first moves, those whose scores are not known before the game: they run after the others are
        // compared, because which moves they are is hard to predict.
        let mut to_run = 0u64;
        let moves: &[Move] = legal;
        let (first, rest) = moves.split_at(moves.len().min(64));
        for (index, &m) in first.iter().enumerate() {
            let class = self.class(m);
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
            let class = self.class(first[index & 63]);
            let score = self.score(&mut asked, class, index)?;
            if score > highest || score == highest && index < best && score >= 0 {
                (best, highest) = (index, score);
            }
        }
        for (index, &m) in (first.len()..).zip(rest) {
            let class = self.class(m);
            classes |= 1 << class;
            let score = self.score_apart(&mut asked, class, index)?;
            if score > highest {
                (best, highest) = (index, score);
            }
        }
        self.stock_independent = classes & made.stock_dependent == 0;
        if self.meter.operations > limit {
            return Err(Bailout);
        }
        Ok((best != usize::MAX).then_some(best))
    }

    /// Returns the score of every move.
    pub fn scores<I: Interpret>(&mut self, mut asked: Asked<'_, I>) -> Result<Vec<i64>, Bailout> {
        self.begin(asked.made, asked.view);
        let each = asked.legal.iter().enumerate();
        let scores = each.map(|(i, &m)| self.score_apart(&mut asked, self.class(m), i)).collect();
        if self.meter.operations > asked.limit { Err(Bailout) } else { scores }
    }

    #[inline(always)]
    fn class(&self, m: Move) -> usize {
        self.classes[m.key() & 511] as usize & 15
    }

    /// Like [`Vm::score`], but not inlined: all scores are rarely requested.
    #[inline(never)]
    fn score_apart<I: Interpret>(
        &mut self,
        asked: &mut Asked<'_, I>,
        class: usize,
        index: usize,
    ) -> Result<i64, Bailout> {
        self.score(asked, class, index)
    }

    #[inline(always)]
    fn score<I: Interpret>(
        &mut self,
        asked: &mut Asked<'_, I>,
        class: usize,
        index: usize,
    ) -> Result<i64, Bailout> {
        match asked.made.entries[class & 15] {
            None => {
                self.meter.operations += asked.made.costs[class & 15];
                Ok(asked.made.scores[class & 15])
            }
            Some(entry) => {
                self.registers[0] = MOVES + index as i64;
                let value = self.run(asked, entry)?;
                if value.is_int { Ok(value.bits) } else { Err(Bailout) }
            }
        }
    }

    fn choose<I: Interpret>(&mut self, asked: &mut Asked<'_, I>) -> Result<Option<usize>, Bailout> {
        let value = self.run(asked, asked.made.entries[0].ok_or(Bailout)?)?;
        match value.types() {
            _ if self.meter.operations > asked.limit => Err(Bailout),
            Types::UNIT => Ok(None),
            Types::MOVE => Ok(Some((value.bits - MOVES) as usize)),
            _ => Err(Bailout),
        }
    }

    #[inline(always)]
    fn run<I: Interpret>(
        &mut self,
        asked: &mut Asked<'_, I>,
        Code { at, needs, cost, .. }: Code,
    ) -> Result<Value, Bailout> {
        let made = asked.made;
        let missing = needs & !self.loaded;
        if missing != 0 {
            self.load(made, asked.view, missing);
        }
        self.meter.operations += u64::from(cost);
        if made.sites > 0 {
            self.lists.begin(made.lists.len(), made.sites)?;
        }
        let (meter, lists) = (&mut self.meter, &mut self.lists);
        Machine { made, asked, lists, meter }.run(at, &mut self.registers, 0)
    }

    fn load(&mut self, made: &CompiledScript, view: &View<'_>, mut missing: u64) {
        self.loaded |= missing;
        while missing != 0 {
            if let Some((reg, property)) = made.properties.get(missing.trailing_zeros() as usize) {
                self.registers[*reg as usize] = property.read(view);
            }
            missing &= missing - 1;
        }
    }
}
