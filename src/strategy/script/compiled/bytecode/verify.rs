//! Verifies a program after emission, in debug builds and tests, to find mistakes of the compiler.
//!
//! On every path through the code a register must be written before it is read, jumps and tables must exist, and the
//! code must not end without a return. What the machine does not know, such as the types of values, is not checked.

use std::fmt;
use std::ops::Range;

use super::super::super::module::Form;
use super::super::super::names::arguments_of;
use super::super::facts::Class;
use super::op::Op;
use super::program::{CompiledScript, EntryPoint};
use super::table::{Field, Reg};

/// An invalid op, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    pub at: usize,
    pub what: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "op {}: {}", self.at, self.what)
    }
}

/// The registers that are written on every path to an op.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Written([u64; 4]);

impl Written {
    fn add(&mut self, reg: usize) {
        if let Some(word) = self.0.get_mut(reg / 64) {
            *word |= 1 << (reg % 64);
        }
    }

    fn has(self, reg: usize) -> bool {
        self.0.get(reg / 64).is_some_and(|word| word >> (reg % 64) & 1 != 0)
    }

    fn and(self, other: Written) -> Written {
        Written(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// Verifies a program.
///
/// # Errors
/// Returns the first invalid op.
pub fn verify(script: &CompiledScript) -> Result<(), Invalid> {
    let program = &script.program;
    let mut shared = Written([0; 4]);
    program.constants.iter().for_each(|(reg, _)| shared.add((*reg).into()));
    // The validity of memos is always initialized.
    for memo in program.memos.values() {
        span(*memo, 2).for_each(|reg| shared.add(reg));
    }
    let mut check = Check { script, written: vec![None; program.code.len()], next: Vec::new() };
    for entry in script.entries {
        if let EntryPoint::Run { at, needs, .. } = entry {
            let mut written = shared;
            if script.form == Form::Score {
                written.add(0);
            }
            for (i, (reg, _)) in program.properties.iter().enumerate() {
                if needs >> i & 1 != 0 {
                    written.add((*reg).into());
                }
            }
            check.reach(at.into(), at.into(), written)?;
        }
    }
    for called in &script.called {
        let mut written = shared;
        (0..2 * called.parameters).for_each(|reg| written.add(reg));
        check.reach(called.at.into(), called.at.into(), written)?;
    }
    while let Some(at) = check.next.pop() {
        check.op(at)?;
    }
    Ok(())
}

struct Check<'s> {
    script: &'s CompiledScript,
    /// For each reachable op, the registers written before it.
    written: Vec<Option<Written>>,
    next: Vec<usize>,
}

impl Check<'_> {
    /// Records a transition from one op to another, with these registers written.
    fn reach(&mut self, from: usize, at: usize, written: Written) -> Result<(), Invalid> {
        let Some(known) = self.written.get_mut(at) else {
            return Err(Invalid { at: from, what: format!("goes on at {at}, where there is no op") });
        };
        let all = known.map_or(written, |known| known.and(written));
        if *known != Some(all) {
            *known = Some(all);
            self.next.push(at);
        }
        Ok(())
    }

    fn op(&mut self, at: usize) -> Result<(), Invalid> {
        let (Some(mut op), Some(mut written)) = (self.script.program.code.get(at).copied(), self.written[at])
        else {
            return Ok(());
        };
        let invalid = |what: String| Err(Invalid { at, what: format!("`{op:?}` {what}") });
        if let Some(reg) = reads(&op).into_iter().find(|reg| !written.has(*reg)) {
            return invalid(format!("reads r{reg}, which is not written on every way to it"));
        }
        if let Some(what) = self.missing(&op) {
            return invalid(what);
        }
        writes(&op).into_iter().for_each(|reg| written.add(reg));
        if op.falls_through() {
            let mut on = written;
            if let Op::Remember { memo, .. } | Op::RememberArranged { memo, .. } = op {
                // The value is available only after the jump.
                on = self.written[at].unwrap_or(on);
                span(memo + 2, 2).for_each(|reg| written.add(reg));
            }
            self.reach(at, at + 1, on)?;
        }
        let by_class = matches!(op, Op::ByClass { .. });
        if let Some(target) = op.target().map(|target| *target as usize) {
            let targets = if by_class { Class::ALL.len() } else { 1 };
            for i in 0..targets {
                self.reach(at, target + i, written)?;
            }
        }
        Ok(())
    }

    /// Describes what an op refers to that does not exist.
    fn missing(&self, op: &Op) -> Option<String> {
        let CompiledScript { program, called, .. } = self.script;
        let tables: Vec<usize> = match *op {
            Op::Table { table, .. } | Op::TableOfCard { table, .. } | Op::OrTable { table, .. } => {
                vec![table.into()]
            }
            Op::JumpTable { table, .. } | Op::JumpNoTable { table, .. } => {
                vec![table.into()]
            }
            Op::Call { instance, count, .. } => match called.get(instance as usize) {
                Some(called) if called.parameters == count as usize => Vec::new(),
                _ => return Some("calls no function that takes that many arguments".into()),
            },
            Op::Remember { memo, .. } | Op::RememberArranged { memo, .. } => {
                let known = program.memos.values().any(|known| *known == memo);
                return (!known).then(|| "is about no memo".into());
            }
            _ => return None,
        };
        tables
            .into_iter()
            .find(|table| *table >= program.tables.len())
            .map(|table| format!("asks for table {table} of {}", program.tables.len()))
    }
}

fn reads(op: &Op) -> Vec<usize> {
    let arguments = match op {
        Op::Call { count, .. } | Op::Interpret { count, .. } | Op::List { count, .. } => {
            2 * usize::from(*count)
        }
        Op::Intrinsic { of, .. } => arguments_of(*of).len(),
        _ => 0,
    };
    let each = op.fields().into_iter().flat_map(|field| match field {
        Field::Read(reg) | Field::Update(reg) => span(reg, 1),
        Field::ReadTagged(reg) | Field::Memo(reg) => span(reg, 2),
        Field::Arguments(reg) => span(reg, arguments),
        _ => span(0, 0),
    });
    each.collect()
}

fn writes(op: &Op) -> Vec<usize> {
    let each = op.fields().into_iter().flat_map(|field| match field {
        Field::Write(reg) | Field::Update(reg) => span(reg, 1),
        Field::WriteTagged(reg) => span(reg, 2),
        _ => span(0, 0),
    });
    each.collect()
}

fn span(first: Reg, registers: usize) -> Range<usize> {
    first.into()..usize::from(first) + registers
}
