//! Prints a program.

use std::fmt;

use super::super::super::module::Form;
use super::super::super::names::{Meaning, name_of};
use super::super::facts::Class;
use super::super::table::FAULT;
use super::program::{CompiledScript, EntryPoint};

impl fmt::Display for CompiledScript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = &self.program;
        let entries = match self.form {
            Form::Score => &self.entries[..Class::ALL.len()],
            Form::Choose => &self.entries[..1],
        };
        for (i, entry) in entries.iter().enumerate() {
            let name = match self.form {
                Form::Score => format!("score of {:?}", Class::ALL[i]),
                Form::Choose => "choose".into(),
            };
            match entry {
                EntryPoint::Always { score, cost } => writeln!(f, "{name}: always {score} cost={cost}")?,
                EntryPoint::Run { at, needs, cost } => {
                    write!(f, "{name}: code @{at} cost={cost}")?;
                    let needed = program.properties.iter().enumerate().filter(|(i, _)| needs >> i & 1 != 0);
                    needed.into_iter().try_for_each(|(_, (reg, _))| write!(f, " needs r{reg}"))?;
                    writeln!(f)?;
                }
            }
        }
        for (i, called) in self.called.iter().enumerate() {
            let (at, cost, parameters) = (called.at, called.cost, called.parameters);
            writeln!(f, "function {i}: code @{at} parameters={parameters} cost={cost}")?;
        }
        for (reg, bits) in &program.constants {
            writeln!(f, "r{reg} = {bits}")?;
        }
        for (reg, property) in &program.properties {
            writeln!(f, "r{reg} = view.{}", name_of(Meaning::View(*property)))?;
        }
        for (id, reg) in &program.memos {
            writeln!(f, "r{reg}.. = memo {id}")?;
        }
        for (i, table) in program.tables.iter().enumerate() {
            write!(f, "table {i}:")?;
            for value in table.values.iter().take(52).chain(table.values.last()) {
                if *value == FAULT { write!(f, " !")? } else { write!(f, " {value}")? }
            }
            writeln!(f)?;
        }
        program.code.iter().enumerate().try_for_each(|(at, op)| writeln!(f, "{at:>5}  {op}"))
    }
}
