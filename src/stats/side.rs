//! Side of 0 on which an interval lies, which says who gains.

use serde::Serialize;

use super::Estimate;

/// Side of 0 of the interval of an edge or of a difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Above 0: the house gains.
    House,
    /// Below 0: the player gains.
    Player,
    /// Both sides, or not an edge.
    #[default]
    Open,
}

impl Side {
    /// Returns the side of an interval.
    pub fn of(edge: Estimate) -> Side {
        Side::between(edge.low, edge.high)
    }

    /// Returns the side of the interval between two limits.
    pub fn between(low: f64, high: f64) -> Side {
        if low > 0.0 {
            Side::House
        } else if high < 0.0 {
            Side::Player
        } else {
            Side::Open
        }
    }
}

/// Number of figures on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// The house gains.
    pub house: usize,
    /// The player gains.
    pub player: usize,
    /// Too close to call.
    pub open: usize,
    /// Without a price.
    pub unpriced: usize,
}

impl Sides {
    /// Counts sides; `None` has no price.
    pub fn of(each: impl IntoIterator<Item = Option<Side>>) -> Sides {
        let mut sides = Sides::default();
        for side in each {
            *match side {
                Some(Side::House) => &mut sides.house,
                Some(Side::Player) => &mut sides.player,
                Some(Side::Open) => &mut sides.open,
                None => &mut sides.unpriced,
            } += 1;
        }
        sides
    }
}
