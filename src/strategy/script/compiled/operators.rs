//! Operators and their results, as in Rhai: `None` is a fault, which the interpreter reports.

use strum::{Display, EnumString};

use super::super::value::{Types, Value, card_order};

/// Operators on two whole numbers, by their symbols in scripts; the bitwise ones also on two booleans.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
pub enum Arith {
    #[strum(to_string = "+")]
    Add,
    #[strum(to_string = "-")]
    Sub,
    #[strum(to_string = "*")]
    Mul,
    #[strum(to_string = "/")]
    Div,
    #[strum(to_string = "%")]
    Rem,
    #[strum(to_string = "**")]
    Pow,
    #[strum(to_string = "<<")]
    Shl,
    #[strum(to_string = ">>")]
    Shr,
    #[strum(to_string = "&")]
    And,
    #[strum(to_string = "|")]
    Or,
    #[strum(to_string = "^")]
    Xor,
    #[strum(to_string = "min")]
    Min,
    #[strum(to_string = "max")]
    Max,
}

/// Comparisons, of any two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString)]
pub enum Compare {
    #[strum(to_string = "==")]
    Eq,
    #[strum(to_string = "!=")]
    Ne,
    #[strum(to_string = "<")]
    Lt,
    #[strum(to_string = "<=")]
    Le,
    #[strum(to_string = ">")]
    Gt,
    #[strum(to_string = ">=")]
    Ge,
}

/// Operators on one whole number, by their names in scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Single {
    #[strum(disabled)]
    Neg,
    Abs,
    Sign,
    IsZero,
    IsOdd,
    IsEven,
    #[strum(disabled)]
    Popcount,
    #[strum(disabled)]
    BitNot,
}

impl Single {
    pub fn types(self) -> Types {
        match self {
            Single::IsZero | Single::IsOdd | Single::IsEven => Types::BOOL,
            _ => Types::INT,
        }
    }
}

/// Applies an operator to two whole numbers.
#[inline(always)]
pub fn arith(op: Arith, a: i64, b: i64) -> Option<i64> {
    match op {
        Arith::Add => a.checked_add(b),
        Arith::Sub => a.checked_sub(b),
        Arith::Mul => a.checked_mul(b),
        Arith::Div => a.checked_div(b),
        Arith::Rem => a.checked_rem(b),
        Arith::Pow => a.checked_pow(u32::try_from(b).ok()?),
        Arith::Shl => Some(shift(a, b, false)),
        Arith::Shr => Some(shift(a, b, true)),
        Arith::And => Some(a & b),
        Arith::Or => Some(a | b),
        Arith::Xor => Some(a ^ b),
        Arith::Min => Some(a.min(b)),
        Arith::Max => Some(a.max(b)),
    }
}

/// Shifts a number; a negative distance shifts the other way, and a too large one leaves only the sign.
#[inline(always)]
fn shift(a: i64, by: i64, right: bool) -> i64 {
    let right = right != (by < 0);
    let by = by.checked_abs().unwrap_or(i64::MAX);
    match (right, u32::try_from(by)) {
        (true, Ok(by)) => a.checked_shr(by).unwrap_or_else(|| a.wrapping_shr(u32::MAX)),
        (true, Err(_)) => a.wrapping_shr(u32::MAX),
        (false, Ok(by)) => a.checked_shl(by).unwrap_or(0),
        (false, Err(_)) => 0,
    }
}

/// Applies an operator to one whole number.
#[inline(always)]
pub fn single(op: Single, a: i64) -> Option<i64> {
    match op {
        Single::Neg => a.checked_neg(),
        Single::Abs => a.checked_abs(),
        Single::Sign => Some(a.signum()),
        Single::IsZero => Some(i64::from(a == 0)),
        Single::IsOdd => Some(i64::from(a % 2 != 0)),
        Single::IsEven => Some(i64::from(a % 2 == 0)),
        Single::Popcount => Some(a.count_ones().into()),
        Single::BitNot => Some(!a),
    }
}

/// Applies an operator to one value, which must be a number.
pub fn single_value(op: Single, a: Value) -> Option<Value> {
    let bits = if a.is_int { single(op, a.bits)? } else { return None };
    Some(Value { bits, is_int: op.types() == Types::INT })
}

/// Applies an operator to any two values: numbers, or booleans bitwise.
pub fn arith_values(op: Arith, a: Value, b: Value) -> Option<Value> {
    if a.is_int && b.is_int {
        return arith(op, a.bits, b.bits).map(Value::int);
    }
    let both = a.types() == Types::BOOL && b.types() == Types::BOOL;
    match op {
        Arith::And | Arith::Or | Arith::Xor if both => {
            arith(op, a.bits, b.bits).map(|bits| Value { bits, is_int: false })
        }
        _ => None,
    }
}

/// Compares two values of one ordered type.
#[inline(always)]
pub fn ordered<T: PartialOrd>(op: Compare, a: T, b: T) -> bool {
    match op {
        Compare::Eq => a == b,
        Compare::Ne => a != b,
        Compare::Lt => a < b,
        Compare::Le => a <= b,
        Compare::Gt => a > b,
        Compare::Ge => a >= b,
    }
}

/// Compares two values; values of different types are not equal, and neither is less.
pub fn compare(op: Compare, a: Value, b: Value) -> Option<bool> {
    let types = a.types();
    if types != b.types() {
        return Some(op == Compare::Ne);
    }
    match types {
        Types::INT | Types::BOOL => Some(ordered(op, a.bits, b.bits)),
        Types::CARD => Some(ordered(op, card_order(a.bits), card_order(b.bits))),
        Types::UNIT => Some(op == Compare::Eq),
        Types::MOVE if matches!(op, Compare::Eq | Compare::Ne) => Some(ordered(op, a.bits, b.bits)),
        _ => None,
    }
}
