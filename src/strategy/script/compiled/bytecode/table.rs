//! The macro that derives everything about ops from one table: the enum, how it prints, and what each op reads, writes
//! and jumps to.
//!
//! The role of a field determines its meaning:
//!
//! | role | the field is |
//! |---|---|
//! | `read`, `read_tagged` | a register that is read; with its tag in the next one |
//! | `write`, `write_tagged` | a register that is written on every path after the op; with its tag |
//! | `update` | a register that is read and written |
//! | `arguments` | the first of the registers that hold the arguments |
//! | `memo` | the first of the four registers of a memo |
//! | `target` | where the op may jump to |
//! | `(Type)`, `[Type]` | anything else, printed as its value, or with the name of the field |
//!
//! `-> !` after an op marks that the machine never continues with the next one.

/// A register.
pub type Reg = u8;
/// Index of an op.
pub type CodeOffset = u16;

/// A field of an op.
#[derive(Clone, Copy)]
pub enum Field {
    Read(Reg),
    ReadTagged(Reg),
    Write(Reg),
    WriteTagged(Reg),
    Update(Reg),
    Arguments(Reg),
    Memo(Reg),
    /// No register.
    Other,
}

macro_rules! field_type {
    (target) => {
        CodeOffset
    };
    (($type:ty)) => {
        $type
    };
    ($register:ident) => {
        Reg
    };
}

macro_rules! field {
    (read, $field:ident) => {
        Field::Read(*$field)
    };
    (read_tagged, $field:ident) => {
        Field::ReadTagged(*$field)
    };
    (write, $field:ident) => {
        Field::Write(*$field)
    };
    (write_tagged, $field:ident) => {
        Field::WriteTagged(*$field)
    };
    (update, $field:ident) => {
        Field::Update(*$field)
    };
    (arguments, $field:ident) => {
        Field::Arguments(*$field)
    };
    (memo, $field:ident) => {
        Field::Memo(*$field)
    };
    ($role:tt, $field:ident) => {{
        let _ = $field;
        Field::Other
    }};
}

macro_rules! target {
    (target, $field:ident) => {
        Some($field)
    };
    ($role:tt, $field:ident) => {{
        let _ = $field;
        None
    }};
}

macro_rules! ops {
    ($($(#[doc = $about:literal])+ $name:ident $({ $($field:ident: $role:tt),* })? $(-> $never:tt)?;)*) => {
        /// One op.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Op {
            $($(#[doc = $about])+ $name $({ $($field: field_type!($role)),* })?,)*
        }

        impl Op {
            /// Returns its fields, in the order of the table.
            pub fn fields(&self) -> Vec<Field> {
                match self {
                    $(Op::$name $({ $($field),* })? => vec![$($(field!($role, $field)),*)?],)*
                }
            }

            /// Returns its jump target.
            pub fn target(&mut self) -> Option<&mut CodeOffset> {
                match self {
                    $(Op::$name $({ $($field),* })? => None $($(.or(target!($role, $field)))*)?,)*
                }
            }

            /// Returns whether the machine may continue with the next op.
            pub fn falls_through(&self) -> bool {
                match self {
                    $(Op::$name { .. } => true $(&& never!($never))?,)*
                }
            }
        }
    };
}

macro_rules! never {
    (!) => {
        false
    };
}

pub(super) use {field, field_type, never, ops, target};
