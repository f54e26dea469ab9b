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
        let invalid = |what: String| Err(Invalid { at, what: format!("`{op}` {what}") });
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
            Op::OrTop { table, .. } => vec![table.into()],
            Op::JumpTable { table, .. } | Op::JumpNoTable { table, .. } | Op::JumpUseless { table, .. } => {
                vec![table.into()]
            }
            Op::OrUnless { table, more, .. } => vec![table.into(), more.into()],
            Op::Call { instance, count, .. } => match called.get(instance as usize) {
                Some(called) if called.parameters == count as usize => Vec::new(),
                _ => return Some("calls no function that takes so many arguments".into()),
            },
            Op::Seek { at, .. } => match program.code.get(at as usize) {
                Some(Op::JumpUseless { at: round, .. })
                    if matches!(
                        program.code.get(*round as usize),
                        Some(Op::AddWhile { .. } | Op::SubWhile { .. })
                    ) =>
                {
                    Vec::new()
                }
                _ => return Some("stands at the head of no loop that looks for a card".into()),
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

#[cfg(test)]
mod tests {
    use super::super::super::super::intrinsics::Intrinsic;
    use super::super::program::{Called, Program};
    use super::*;

    /// Verifies a program of this code, which scores all moves of one class.
    fn found(code: &[Op]) -> String {
        found_in(code, |_| {})
    }

    fn found_in(code: &[Op], change: impl FnOnce(&mut CompiledScript)) -> String {
        let mut entries = [EntryPoint::Always { score: 0, cost: 0 }; 16];
        entries[3] = EntryPoint::Run { at: 0, needs: 0, cost: 0 };
        let mut script = CompiledScript {
            rules: 0,
            form: Form::Score,
            program: Program { code: code.to_vec(), constants: vec![(255, 1)], ..Program::default() },
            called: Vec::new(),
            entries,
            runs: 8,
            scores: [0; 16],
            costs: [0; 16],
            stock_dependent: 0,
            of_arrangement: 0,
            draws_numbers: false,
            sites: 0,
        };
        change(&mut script);
        verify(&script).map_or_else(|invalid| invalid.to_string(), |()| "sound".into())
    }

    #[test]
    fn what_is_sound() {
        assert_eq!(found(&[Op::Add { to: 1, a: 0, b: 255 }, Op::Return { a: 1 }]), "sound");
        // A loop that returns with more registers written than at first.
        let code = [
            Op::JumpIf { a: 0, at: 3 },
            Op::Small { to: 1, value: 3 },
            Op::Again { at: 0, cost: 1 },
            Op::ReturnSmall { value: 1 },
        ];
        assert_eq!(found(&code), "sound");
        // Unreachable code may be anything.
        assert_eq!(found(&[Op::Fault, Op::Return { a: 7 }]), "sound");
    }

    #[test]
    fn registers_are_written_on_every_way() {
        let unwritten = |at: usize, op: &str, reg: usize| {
            format!("op {at}: `{op}` reads r{reg}, which is not written on every way to it")
        };
        assert_eq!(found(&[Op::Return { a: 1 }]), unwritten(0, "Return r1", 1));
        let code = [Op::JumpIf { a: 0, at: 2 }, Op::Small { to: 1, value: 3 }, Op::Return { a: 1 }];
        assert_eq!(found(&code), unwritten(2, "Return r1", 1));
        // The value is written, but its tag is not.
        let code = [Op::Small { to: 1, value: 3 }, Op::ReturnTagged { a: 1 }];
        assert_eq!(found(&code), unwritten(1, "ReturnTagged r1:tag", 2));
        // The move in question is available only to a script that scores.
        let choose = |script: &mut CompiledScript| script.form = Form::Choose;
        assert_eq!(found_in(&[Op::Return { a: 0 }], choose), unwritten(0, "Return r0", 0));
        let code = [Op::Intrinsic { of: Intrinsic::SeatPile, to: 3, a: 0 }, Op::Return { a: 3 }];
        assert_eq!(found(&code), unwritten(0, "Intrinsic SeatPile r3 <- r0..", 1));
    }

    #[test]
    fn a_memo_is_read_only_where_it_is_known() {
        let memo = |script: &mut CompiledScript| {
            script.program.memos.insert(0, 200);
        };
        let read = Op::Return { a: 202 };
        let sound = [
            Op::Remember { memo: 200, at: 4 },
            Op::Begin { memo: 200 },
            Op::Small { to: 202, value: 1 },
            Op::Keep { memo: 200 },
            read,
        ];
        assert_eq!(found_in(&sound, memo), "sound");
        let mut broken = sound;
        broken[2] = Op::Small { to: 5, value: 1 };
        assert!(found_in(&broken, memo).contains("reads r202"), "{}", found_in(&broken, memo));
        assert!(found(&sound).contains("is about no memo") || found(&sound).contains("reads r200"));
    }

    #[test]
    fn what_is_named_is_there() {
        assert_eq!(found(&[Op::Jump { at: 9 }]), "op 0: goes on at 9, where there is no op");
        assert_eq!(found(&[Op::Copy { to: 1, a: 0 }]), "op 0: goes on at 1, where there is no op");
        let code = [Op::Table { to: 1, a: 0, table: 0 }, Op::Return { a: 1 }];
        assert_eq!(found(&code), "op 0: `Table r1 <- r0 table=0` asks for table 0 of 0");
        // Ten jumps instead of one for each of eleven classes.
        let mut code = vec![Op::ByClass { a: 0, at: 1 }];
        code.extend([Op::Fault; 10]);
        assert_eq!(found(&code), "op 0: goes on at 11, where there is no op");
        let call = [
            Op::Small { to: 1, value: 1 },
            Op::Call { to: 2, instance: 0, depth: 1, a: 0, count: 1, site: 0 },
            Op::ReturnTagged { a: 2 },
        ];
        let called = Called { at: 0, cost: 0, call_depth: 0, parameters: 2, sites: 0 };
        let other = |script: &mut CompiledScript| script.called.push(called);
        assert!(found(&call).contains("calls no function that takes so many arguments"), "{}", found(&call));
        assert!(found_in(&call, other).contains("calls no function that takes so many arguments"));
        let seek = [Op::Seek { waste: true, to: 1, a: 0, at: 1 }, Op::Fault];
        assert!(found(&seek).contains("stands at the head of no loop"), "{}", found(&seek));
    }
}
