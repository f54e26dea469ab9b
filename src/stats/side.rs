//! Who gains: on which side of 0 an interval lies.

use serde::Serialize;

use super::Estimate;

/// On which side of 0 the interval of an edge, or of a difference, lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Above 0: the house gains.
    House,
    /// Below 0: the player gains.
    Player,
    /// On both, or not about an edge.
    #[default]
    Open,
}

impl Side {
    /// That of an interval.
    pub fn of(edge: Estimate) -> Side {
        Side::between(edge.low, edge.high)
    }

    /// That of the interval between two limits.
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

/// How many figures lie on each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// Where the house gains.
    pub house: usize,
    /// Where the player does.
    pub player: usize,
    /// Where it is too close to call.
    pub open: usize,
    /// Where there is no price.
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
