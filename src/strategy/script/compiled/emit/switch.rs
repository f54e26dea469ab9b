//! Emits ops for [`Node`]s: `switch`.

use super::super::super::value::Types;
use super::super::bytecode::{CodeOffset, Op};
use super::super::hir::{Switch, Test};
use super::emitter::{Dest, Emitted, Emitter, Operand};

impl Emitter<'_> {
    pub(super) fn switch(&mut self, switch: &Switch, dest: Dest) -> Emitted<()> {
        let subject = self.operand(&switch.subject, None)?;
        // A condition may change the variable that the subject was read from.
        let kept = Operand { reg: self.take(2)?, ..subject };
        self.deliver(subject, kept.reg, subject.types.is_tagged());
        let arms: Vec<usize> = switch.arms.iter().map(|_| self.label()).collect();
        let end = self.label();
        let held = self.hold();
        for case in &switch.cases {
            let next = self.label();
            self.scoped(|e| e.test(kept, case.test, next as CodeOffset))?;
            self.emit(&case.condition, Dest::Branch { target: arms[case.arm], when: true })?;
            self.restore(&held);
            self.place(next);
        }
        self.jump(arms[switch.otherwise]);
        for (arm, label) in switch.arms.iter().zip(arms) {
            self.place(label);
            self.emit(arm, dest)?;
            self.restore(&held);
            if !matches!(dest, Dest::Return) {
                self.jump(end);
            }
        }
        self.place(end);
        Ok(())
    }

    /// Jumps to `next` unless the test takes the subject.
    fn test(&mut self, subject: Operand, test: Test, next: CodeOffset) -> Emitted<()> {
        let types = match test {
            Test::Is(value) => value.types(),
            Test::Within(..) => Types::INT,
        };
        if subject.types.and(types).is_none() {
            self.push(Op::Jump { at: next });
            return Ok(());
        }
        if subject.types.is_tagged() {
            let is_number = subject.reg + 1;
            let number = types == Types::INT;
            self.push(if number {
                Op::JumpUnless { a: is_number, at: next }
            } else {
                Op::JumpIf { a: is_number, at: next }
            });
        }
        let a = subject.reg;
        match test {
            Test::Is(value) => {
                let b = self.constant(value.bits)?;
                self.push(Op::JumpNe { a, b, at: next });
            }
            Test::Within(first, last) => {
                let (first, last) = (self.constant(first)?, self.constant(last)?);
                self.push(Op::JumpLt { a, b: first, at: next });
                self.push(Op::JumpLt { a: last, b: a, at: next });
            }
        }
        Ok(())
    }
}
