//! The machine: makes the decisions of compiled scripts.

use rhai::Dynamic;

use crate::game::{Move, MoveList, View};

use super::super::intrinsics::{CardProperty, Intrinsic};
use super::super::limits::MAX_CALL_DEPTH;
use super::super::module::Form;
use super::super::value::{CARDS, LISTS, MOST_ELEMENTS, MOVES, SEATS, Types, UNIT, Value};
use super::bytecode::{self, Code, CodeOffset, CompiledScript, Op, Reg};
use super::facts::Class;
use super::hir::FAULT;

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

impl Default for Vm {
    fn default() -> Vm {
        Vm {
            registers: Box::new([0; 256]),
            lists: Lists::default(),
            meter: Meter::default(),
            loaded: 0,
            classes: Box::new(Class::by_key()),
            stock_independent: false,
        }
    }
}

impl Vm {
    pub fn prepare(&mut self, made: &CompiledScript) {
        // Leftovers of another program must not be mistaken for a memo, or for a property of the view.
        self.loaded = 0;
        self.registers[256 - made.shared..].fill(i64::MIN);
        self.lists.prepare(&made.lists);
        for (reg, bits) in &made.constants {
            self.registers[*reg as usize] = *bits;
        }
    }

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

/// Something is irregular: the interpreter has to make this decision, and reports what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bailout;

/// Interface to everything that is not compiled.
pub trait Interpret {
    /// Calls a function at a depth of calls, with `operations` counted so far; returns its value and the count after.
    fn call(
        &mut self,
        function: usize,
        depth: usize,
        arguments: Vec<Dynamic>,
        operations: u64,
    ) -> Result<(Dynamic, u64), Bailout>;

    /// Plays out the sampled deal `k` with a player, after a move if one is given; returns the cards, and the count after.
    fn play_on(
        &mut self,
        player: &str,
        m: Option<i64>,
        k: i64,
        operations: u64,
    ) -> Result<(i64, u64), Bailout>;
}

/// A decision to make.
pub struct Asked<'a, I> {
    pub made: &'a CompiledScript,
    pub view: &'a View<'a>,
    pub legal: &'a MoveList,
    /// Maximum operations of a decision.
    pub limit: u64,
    pub interpreter: &'a mut I,
}

/// Operations of compiled code in the time that it takes to step over a card, and in that of a query of the view that
/// has no op of its own.
pub const WALK: u64 = 8;
pub const ASK: u64 = 32;

pub type Registers = [i64; 256];

#[derive(Clone, Copy, Debug, Default)]
pub struct Meter {
    pub decision: i64,
    /// Equal for positions with the same reserves and piles.
    pub arrangement: i64,
    /// Upper bound on the operations that the interpreter would have counted.
    pub operations: u64,
    /// Additional operations of compiled code, for work that takes longer than it counts: copies of lists, and of
    /// registers for calls; some queries of the view.
    pub copied: u64,
}

impl Meter {
    #[inline(always)]
    pub fn stamp(&self, arranged: bool) -> i64 {
        if arranged { self.arrangement } else { self.decision }
    }
}

fn value_of(regs: &Registers, reg: Reg) -> Value {
    Value { bits: regs[reg as usize], is_int: regs[reg.wrapping_add(1) as usize] == 1 }
}

/// Operations of compiled code in the time that it takes to copy the registers, and an element of a list.
const FRAME: u64 = 512;
const ELEMENT: u64 = 8;

pub struct Machine<'a, 'd, I> {
    pub made: &'a CompiledScript,
    pub asked: &'a mut Asked<'d, I>,
    pub lists: &'a mut Lists,
    pub meter: &'a mut Meter,
}

impl<I: Interpret> Machine<'_, '_, I> {
    /// Runs from an op to a return, at a depth of calls.
    pub fn run(&mut self, at: CodeOffset, regs: &mut Registers, level: usize) -> Result<Value, Bailout> {
        let code = &self.made.code[..];
        let Asked { view, legal, limit, .. } = *self.asked;
        let mut pc = at as usize;
        macro_rules! get {
            ($reg:expr) => {
                regs[$reg as usize]
            };
        }
        macro_rules! set {
            ($reg:expr, $value:expr) => {
                regs[$reg as usize] = $value
            };
        }
        macro_rules! set_tagged {
            ($reg:expr, $value:expr) => {
                let value: Value = $value;
                set!($reg, value.bits);
                set!($reg + 1, i64::from(value.is_int));
            };
        }
        macro_rules! jump_if {
            ($test:expr, $at:expr) => {
                // The test makes it a branch, which the processor can predict, rather than a conditional move of `pc`.
                if $test {
                    pc = $at as usize;
                    if pc >= code.len() {
                        return Err(Bailout);
                    }
                }
            };
        }
        loop {
            // By reference: each arm reads only the parts of the op that it needs.
            let Some(op) = code.get(pc) else { return Err(Bailout) };
            pc += 1;
            match *op {
                Op::Copy { to, a } => set!(to, get!(a)),
                Op::Small { to, value } => set!(to, i64::from(value)),
                Op::Add { to, a, b } => set!(to, get!(a).checked_add(get!(b)).ok_or(Bailout)?),
                Op::Sub { to, a, b } => set!(to, get!(a).checked_sub(get!(b)).ok_or(Bailout)?),
                Op::BitAnd { to, a, b } => set!(to, get!(a) & get!(b)),
                Op::BitOr { to, a, b } => set!(to, get!(a) | get!(b)),
                Op::Arith { op, to, a, b } => {
                    set!(to, bytecode::arith(op, get!(a), get!(b)).ok_or(Bailout)?);
                }
                Op::ArithTagged { op, to, a, b } => {
                    let (a, b) = (value_of(regs, a), value_of(regs, b));
                    set_tagged!(to, bytecode::arith_values(op, a, b).ok_or(Bailout)?);
                }
                Op::Single { op, to, a } => set!(to, bytecode::single(op, get!(a)).ok_or(Bailout)?),
                Op::Not { to, a } => set!(to, 1 - get!(a)),
                Op::Compare { op, to, a, b } => set!(to, i64::from(bytecode::ordered(op, get!(a), get!(b)))),
                Op::CompareTagged { op, to, a, b } => {
                    let compared = bytecode::compare(op, value_of(regs, a), value_of(regs, b));
                    set!(to, i64::from(compared.ok_or(Bailout)?));
                }
                Op::Jump { at } => pc = at as usize,
                Op::JumpIf { a, at } => jump_if!(get!(a) != 0, at),
                Op::JumpUnless { a, at } => jump_if!(get!(a) == 0, at),
                Op::JumpEq { a, b, at } => jump_if!(get!(a) == get!(b), at),
                Op::JumpNe { a, b, at } => jump_if!(get!(a) != get!(b), at),
                Op::JumpLt { a, b, at } => jump_if!(get!(a) < get!(b), at),
                Op::JumpLe { a, b, at } => jump_if!(get!(a) <= get!(b), at),
                Op::JumpAny { a, b, at } => jump_if!(get!(a) & get!(b) != 0, at),
                Op::JumpNone { a, b, at } => jump_if!(get!(a) & get!(b) == 0, at),
                Op::JumpWanted { a, at } => {
                    jump_if!(get!(a) != UNIT && view.wanted() >> (get!(a) & 63) & 1 != 0, at)
                }
                Op::JumpUnwanted { a, at } => {
                    jump_if!(get!(a) == UNIT || view.wanted() >> (get!(a) & 63) & 1 == 0, at)
                }
                Op::Again { at, cost } => {
                    self.spend(cost, limit)?;
                    pc = at as usize;
                }
                Op::Next { a, last, at, cost } => {
                    if get!(a) < get!(last) {
                        self.spend(cost, limit)?;
                        set!(a, get!(a) + 1);
                        pc = at as usize;
                    }
                }
                Op::CardGuard { a } => {
                    if !(CARDS..SEATS).contains(&get!(a)) {
                        return Err(Bailout);
                    }
                }
                Op::TypeGuard { a, types } => {
                    if !(Value { bits: get!(a), is_int: false }).types().within(types) {
                        return Err(Bailout);
                    }
                }
                Op::TypeGuardTagged { a, types } => {
                    if !value_of(regs, a).types().within(types) {
                        return Err(Bailout);
                    }
                }
                Op::TableOfCard { to, a, table } => {
                    let at = (table as usize) << 6 | (get!(a) & 63) as usize;
                    let Some(&value) = self.made.values.get(at) else { return Err(Bailout) };
                    set!(to, value);
                }
                Op::OrTable { to, a, b, table } => {
                    set!(to, get!(a) | self.table(table.into(), get!(b))?);
                }
                Op::JumpTable { a, b, table, at } => {
                    jump_if!(self.table(table.into(), get!(a))? & get!(b) != 0, at);
                }
                Op::JumpNoTable { a, b, table, at } => {
                    jump_if!(self.table(table.into(), get!(a))? & get!(b) == 0, at);
                }
                Op::Table { to, a, table } => set!(to, self.table(table.into(), get!(a))?),
                Op::CardProperty { of: CardProperty::Rank, to, a } => set!(to, ((get!(a) - CARDS) >> 2) + 1),
                Op::CardProperty { of, to, a } => set!(to, of.read(view, get!(a))),
                Op::MoveProperty { of, to, a } => {
                    let Some(&m) = legal.get((get!(a) - MOVES) as usize) else { return Err(Bailout) };
                    set!(to, of.read(view, m));
                }
                Op::SeatProperty { of, to, a } => set!(to, of.read(view, get!(a)).ok_or(Bailout)?),
                Op::ViewProperty { of, to } => set!(to, of.read(view)),
                Op::Pile { to, a, b } => {
                    self.meter.copied += WALK * (get!(b) as u64 & 63);
                    set!(to, Intrinsic::Pile.answer(view, get!(a), get!(b), 0).ok_or(Bailout)?);
                }
                Op::PileLen { to, a } => {
                    set!(to, Intrinsic::PileLen.answer(view, get!(a), 0, 0).ok_or(Bailout)?);
                }
                Op::PileTop { to, a } => {
                    set!(to, Intrinsic::PileTop.answer(view, get!(a), 0, 0).ok_or(Bailout)?);
                }
                Op::Coming { to, a } => match view.known_stock().get(get!(a) as usize) {
                    Some(card) => set!(to, CARDS + card.kind() as i64),
                    None => set!(to, Intrinsic::Coming.answer(view, get!(a), 0, 0).ok_or(Bailout)?),
                },
                Op::Waste { to, a } => {
                    let waste = view.fanned();
                    match waste.get((waste.len() as i64 - 1).wrapping_sub(get!(a)) as usize) {
                        Some(card) => set!(to, CARDS + card.kind() as i64),
                        None => set!(to, Intrinsic::Waste.answer(view, get!(a), 0, 0).ok_or(Bailout)?),
                    }
                }
                Op::Intrinsic { of, to, a } => {
                    self.meter.copied += ASK;
                    let (b, c) = (get!(a.wrapping_add(1)), get!(a.wrapping_add(2)));
                    set!(to, of.answer(view, get!(a), b, c).ok_or(Bailout)?);
                }
                Op::Memory { to, a } => set!(to, view.remembered(get!(a)).ok_or(Bailout)?),
                Op::SetMemory { a, b } => view.remember(get!(a), get!(b)).ok_or(Bailout)?,
                Op::LastMove { to } => set!(to, MOVES + legal.len() as i64 - 1),
                Op::ByClass { a, at } => {
                    let Some(&m) = legal.get((get!(a) - MOVES) as usize) else { return Err(Bailout) };
                    pc = at as usize + Class::of(m) as usize;
                }
                Op::Remember { memo, arranged, at } => {
                    if get!(memo) == self.meter.stamp(arranged) {
                        self.meter.operations += get!(memo + 1) as u64;
                        pc = at as usize;
                    }
                }
                Op::Begin { memo } => set!(memo + 1, self.meter.operations as i64),
                Op::Keep { memo, arranged } => {
                    set!(memo + 1, self.meter.operations as i64 - get!(memo + 1));
                    set!(memo, self.meter.stamp(arranged));
                }
                Op::List { to, a, count, site } => {
                    let values = (0..count).map(|i| value_of(regs, a + 2 * i));
                    set!(to, self.lists.make(site, values)?);
                }
                Op::Own { to, a, site } => {
                    let mut value = value_of(regs, a);
                    if value.types() == Types::LIST {
                        value.bits = self.own(value.bits, site)?;
                    }
                    set_tagged!(to, value);
                }
                Op::Element { to, a, b } => {
                    set_tagged!(to, self.element(get!(a), get!(b))?);
                }
                Op::Len { to, a } => set!(to, self.look(get!(a))?.len() as i64),
                Op::Put { a, b, value } => {
                    let (value, list) = (value_of(regs, value), self.change(get!(a))?);
                    let place = Lists::place(list, get!(b))?;
                    list[place] = Lists::element(value)?;
                }
                Op::Push { a, value } => {
                    let value = value_of(regs, value);
                    Lists::push(self.change(get!(a))?, value)?;
                }
                Op::Pop { to, a } => {
                    set_tagged!(to, self.change(get!(a))?.pop().unwrap_or(Value::UNIT));
                }
                Op::Clear { a } => self.change(get!(a))?.clear(),
                Op::Call { instance, depth, count, a, to, site } => {
                    let depth = level + depth as usize;
                    set_tagged!(to, self.call(instance.into(), depth, (a, count), site, regs)?);
                }
                Op::Interpret { function, depth, count, a, to, site } => {
                    let depth = level + depth as usize;
                    set_tagged!(to, self.interpret(function.into(), depth, (a, count), site, regs)?);
                }
                Op::Playout { player, after, to, a, b } => {
                    let m = after.then(|| get!(b) - MOVES);
                    set!(to, self.play_on(player.into(), m, get!(a))?);
                }
                Op::Return { a, is_int } => return Ok(Value { bits: get!(a), is_int }),
                Op::ReturnSmall { value } => return Ok(Value::int(value.into())),
                Op::ReturnTagged { a } => return Ok(value_of(regs, a)),
                Op::Fault => return Err(Bailout),
            }
        }
    }

    #[inline(always)]
    fn table(&self, table: usize, card: i64) -> Result<i64, Bailout> {
        let value = *self.made.values.get(table << 6 | (card & 63) as usize).ok_or(Bailout)?;
        if value == FAULT { Err(Bailout) } else { Ok(value) }
    }

    #[inline(always)]
    fn spend(&mut self, cost: u16, limit: u64) -> Result<(), Bailout> {
        self.meter.operations += u64::from(cost);
        if self.meter.operations > limit { Err(Bailout) } else { Ok(()) }
    }

    // What follows is too long for the loop above, and would slow it down.

    #[cold]
    fn call(
        &mut self,
        called: usize,
        level: usize,
        (first, count): (Reg, u8),
        site: u8,
        regs: &Registers,
    ) -> Result<Value, Bailout> {
        let Some(called) = self.made.called.get(called) else { return Err(Bailout) };
        if level + called.call_depth > MAX_CALL_DEPTH {
            return Err(Bailout);
        }
        self.meter.operations += u64::from(called.cost);
        if self.meter.operations > self.asked.limit {
            return Err(Bailout);
        }
        self.meter.copied += FRAME;
        let mut frame = *regs;
        let arguments = 2 * count as usize;
        frame[..arguments].copy_from_slice(&regs[first as usize..][..arguments]);
        let frame_before = self.lists.enter(called.sites)?;
        let value = self.run(called.at, &mut frame, level)?;
        self.lists.leave(frame_before, site, value)
    }

    #[cold]
    #[inline(never)]
    fn interpret(
        &mut self,
        function: usize,
        depth: usize,
        (first, count): (Reg, u8),
        site: u8,
        regs: &Registers,
    ) -> Result<Value, Bailout> {
        let given = (0..count).map(|i| self.lists.given(value_of(regs, first + 2 * i)));
        let arguments = given.collect::<Result<Vec<Dynamic>, Bailout>>()?;
        let called = self.asked.interpreter.call(function, depth, arguments, self.meter.operations);
        let (value, operations) = called?;
        self.meter.operations = operations;
        self.lists.taken(site, &value, self.made.elements)
    }

    /// Plays out a sampled deal, after a move if one is given.
    #[cold]
    #[inline(never)]
    fn play_on(&mut self, player: usize, m: Option<i64>, k: i64) -> Result<i64, Bailout> {
        let (operations, player) = (self.meter.operations, self.made.players.get(player).ok_or(Bailout)?);
        let (cards, operations) = self.asked.interpreter.play_on(player, m, k, operations)?;
        self.meter.operations = operations;
        if operations > self.asked.limit { Err(Bailout) } else { Ok(cards) }
    }

    fn own(&mut self, list: i64, site: u8) -> Result<i64, Bailout> {
        let copied = self.lists.look(list)?;
        self.meter.operations += Lists::cost(copied);
        self.meter.copied += ELEMENT * copied.len() as u64;
        self.lists.own(list, site)
    }

    fn look(&mut self, list: i64) -> Result<&[Value], Bailout> {
        let list = self.lists.look(list)?;
        self.meter.operations += Lists::cost(list);
        Ok(list)
    }

    fn element(&mut self, list: i64, place: i64) -> Result<Value, Bailout> {
        let list = self.look(list)?;
        Ok(list[Lists::place(list, place)?])
    }

    fn change(&mut self, list: i64) -> Result<&mut Vec<Value>, Bailout> {
        let list = self.lists.change(list)?;
        self.meter.operations += Lists::cost(list);
        Ok(list)
    }
}

/// Maximum number of places in all frames together.
const MOST_PLACES: usize = 2_048;
/// Number of elements that the interpreter reads for the price of an operation.
const ELEMENTS: usize = 16;

/// All lists of the machine.
///
/// A list has a place, and its value in a register is the number of that place. First come the constants of the script,
/// which nothing changes. After them each running function has a frame of places, one for each op that creates a list;
/// the frames of the functions that it calls follow. A place is reused each time that its op runs: no list is shared,
/// as what is stored is copied to a separate place (see the pass `own_lists`).
#[derive(Debug, Default)]
pub struct Lists {
    places: Vec<Vec<Value>>,
    /// Number of them that are constants.
    constants: usize,
    /// The frame of the running function: its first place, and the number of places.
    frame: (usize, usize),
}

impl Lists {
    pub fn prepare(&mut self, constants: &[Vec<Value>]) {
        self.places.clear();
        self.places.extend_from_slice(constants);
        self.constants = constants.len();
        self.frame = (self.constants, 0);
    }

    /// Begins a run of a function that the game calls.
    pub fn begin(&mut self, first: usize, sites: usize) -> Result<(), Bailout> {
        self.frame = (first, 0);
        self.enter(sites).map(drop)
    }

    /// Opens a frame above that of the running function, which is returned.
    pub fn enter(&mut self, sites: usize) -> Result<(usize, usize), Bailout> {
        let before = self.frame;
        let first = before.0 + before.1;
        if first + sites > MOST_PLACES {
            return Err(Bailout);
        }
        if self.places.len() < first + sites {
            self.places.resize_with(first + sites, Vec::new);
        }
        self.frame = (first, sites);
        Ok(before)
    }

    /// Returns to a frame; a returned list is moved to one of its places.
    pub fn leave(&mut self, frame: (usize, usize), site: u8, value: Value) -> Result<Value, Bailout> {
        self.frame = frame;
        if value.types() != Types::LIST {
            return Ok(value);
        }
        let (from, to) = (self.index(value.bits)?, self.place_of(site)?);
        self.places.swap(from, to);
        Ok(at(to))
    }

    /// Returns the price of reading a list, as the interpreter counts.
    pub fn cost(list: &[Value]) -> u64 {
        1 + (list.len() / ELEMENTS) as u64
    }

    pub fn element(value: Value) -> Result<Value, Bailout> {
        if value.types().within(Types::ELEMENT) { Ok(value) } else { Err(Bailout) }
    }

    pub fn push(list: &mut Vec<Value>, value: Value) -> Result<(), Bailout> {
        if list.len() >= MOST_ELEMENTS {
            return Err(Bailout);
        }
        list.push(Lists::element(value)?);
        Ok(())
    }

    /// Converts an index into a list: a negative one counts from the end.
    pub fn place(list: &[Value], place: i64) -> Result<usize, Bailout> {
        let place = if place < 0 { place.checked_add(list.len() as i64).ok_or(Bailout)? } else { place };
        usize::try_from(place).ok().filter(|place| *place < list.len()).ok_or(Bailout)
    }

    pub fn look(&self, list: i64) -> Result<&[Value], Bailout> {
        let index = self.index(list)?;
        Ok(&self.places[index])
    }

    /// Returns a list that is to be changed, which a constant may not be.
    pub fn change(&mut self, list: i64) -> Result<&mut Vec<Value>, Bailout> {
        let index = self.index(list)?;
        if index < self.constants { Err(Bailout) } else { Ok(&mut self.places[index]) }
    }

    pub fn make(&mut self, site: u8, values: impl Iterator<Item = Value>) -> Result<i64, Bailout> {
        let index = self.place_of(site)?;
        let list = &mut self.places[index];
        list.clear();
        for value in values {
            Lists::push(list, value)?;
        }
        Ok(LISTS + index as i64)
    }

    pub fn own(&mut self, list: i64, site: u8) -> Result<i64, Bailout> {
        let (from, to) = (self.index(list)?, self.place_of(site)?);
        if from != to {
            let mut copy = std::mem::take(&mut self.places[to]);
            copy.clear();
            copy.extend_from_slice(&self.places[from]);
            self.places[to] = copy;
        }
        Ok(LISTS + to as i64)
    }

    /// Converts a value for the interpreter.
    pub fn given(&self, value: Value) -> Result<Dynamic, Bailout> {
        match value.types() {
            Types::LIST => {
                let list = self.look(value.bits)?.iter().map(|it| it.to_dynamic());
                Ok(list.collect::<Vec<_>>().into())
            }
            _ => Ok(value.to_dynamic()),
        }
    }

    /// Converts a value of the interpreter. A list goes to a place of the frame: its elements must be of these types.
    pub fn taken(&mut self, site: u8, value: &Dynamic, types: Types) -> Result<Value, Bailout> {
        let Ok(all) = value.as_array_ref() else { return Value::of(value).ok_or(Bailout) };
        let values = all.iter().map(Value::of).collect::<Option<Vec<Value>>>().ok_or(Bailout)?;
        let fit = values.len() <= MOST_ELEMENTS && values.iter().all(|value| value.types().within(types));
        if !fit {
            return Err(Bailout);
        }
        let index = self.place_of(site)?;
        self.places[index] = values;
        Ok(at(index))
    }

    fn index(&self, list: i64) -> Result<usize, Bailout> {
        let index = list.checked_sub(LISTS).and_then(|index| usize::try_from(index).ok());
        index.filter(|index| *index < self.places.len()).ok_or(Bailout)
    }

    fn place_of(&self, site: u8) -> Result<usize, Bailout> {
        let (first, sites) = self.frame;
        if usize::from(site) < sites { Ok(first + usize::from(site)) } else { Err(Bailout) }
    }
}

fn at(index: usize) -> Value {
    Value { bits: LISTS + index as i64, is_int: false }
}
