//! Wishes about a variant: a figure of a player's games, and its limits.

use serde::Serialize;

use crate::diagnostic::did_you_mean;
use crate::game::RUNAWAY;
use crate::stats::Estimate;
use crate::units::{Percent, exact};

/// A figure that a wish can be about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::EnumString, strum::IntoStaticStr, strum::EnumIter,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Wished {
    /// Share of games won.
    Wins,
    /// House edge, a fraction.
    Edge,
    /// Mean cards on the foundations.
    Cards,
    /// Mean moves of a game.
    Moves,
    /// Mean minutes of a game.
    Minutes,
}

/// A direction without a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::EnumString)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Goal {
    /// As much as possible.
    Max,
    /// As little as possible.
    Min,
}

/// A wish about the games of one player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wish {
    /// As written: `wins(ordinary)=25%..35%`.
    pub wish: String,
    /// The figure.
    pub figure: Wished,
    /// The strategy.
    pub player: String,
    /// Index of the strategy among those that play.
    #[serde(skip)]
    pub seat: usize,
    /// The least figure wanted; infinite if there is none.
    pub low: f64,
    /// The greatest figure wanted; infinite if there is none.
    pub high: f64,
    /// The direction, instead of limits.
    pub goal: Option<Goal>,
}

impl Wish {
    /// Parses `MEASURE(PLAYER)=LOW..HIGH`, in which one limit may be missing, or `MEASURE(PLAYER)=max`. Without a player
    /// it is about `usual`.
    ///
    /// # Errors
    /// The fault of the text, as a sentence.
    pub fn parse(text: &str, usual: &str) -> Result<Wish, String> {
        let text = text.trim();
        let split = match text.split_once('(') {
            Some((name, rest)) => {
                rest.rsplit_once(")=").map(|(player, target)| (name, player.trim(), target))
            }
            None => text.split_once('=').map(|(name, target)| (name, usual, target)),
        };
        let Some((name, player, target)) = split.filter(|(_, player, _)| !player.is_empty()) else {
            return Err(format!("`{text}` is no wish; write it as wins(ordinary)=25%..35%"));
        };
        let figure: Wished = name.trim().parse().map_err(|_| {
            let known: Vec<&'static str> =
                <Wished as strum::IntoEnumIterator>::iter().map(Into::into).collect();
            let guess = did_you_mean(name, known.iter().copied());
            let advice = match (guess, name.trim()) {
                (_, "price") => "--price round=1 chooses a price".into(),
                (Some(guess), _) => format!("did you mean `{guess}`?"),
                (None, _) => "write it as wins(ordinary)=25%..35%".to_string(),
            };
            format!("`{text}`: a wish is about {}, not about `{name}`; {advice}", known.join(", "))
        })?;
        let fault = |what: &str| format!("`{text}`: {what}");
        let wish = |low, high, goal| Wish {
            wish: text.into(),
            figure,
            player: player.into(),
            seat: 0,
            low,
            high,
            goal,
        };
        if let Ok(goal) = target.trim().parse() {
            return Ok(wish(f64::NEG_INFINITY, f64::INFINITY, Some(goal)));
        }
        let example = match figure {
            Wished::Wins | Wished::Edge => "3%..6%, 3%.. or ..6%",
            _ => "4..8, 4.. or ..8",
        };
        let limits = target.split_once("..").filter(|it| *it != ("", "") && !it.1.starts_with('.'));
        let Some((low, high)) = limits else {
            return Err(fault(&format!("`{target}` is no range: write {example}, or max or min")));
        };
        let limit = |part: &str, none: f64| match (part.trim(), figure) {
            ("", _) => Ok(none),
            ("100%", Wished::Wins | Wished::Edge) => Ok(1.0),
            (part, Wished::Wins | Wished::Edge) => {
                part.parse::<Percent>().map(|it| it.0).map_err(|why| fault(&why))
            }
            (part, _) => {
                let number = exact(part, 3).map(|thousandths| thousandths as f64 / 1000.0);
                number.ok_or_else(|| fault(&format!("`{part}` is no number: write {example}")))
            }
        };
        let (low, high) = (limit(low, f64::NEG_INFINITY)?, limit(high, f64::INFINITY)?);
        if low > high {
            return Err(fault("write the smaller limit first"));
        }
        if low == high {
            return Err(fault("no game has exactly one figure: write a range"));
        }
        let mut limits = [low, high].into_iter().filter(|limit| limit.is_finite());
        if figure == Wished::Wins && limits.any(|it| !(0.0..=1.0).contains(&it)) {
            return Err(fault("the share of games won is between 0% and 100%"));
        }
        if !matches!(figure, Wished::Wins | Wished::Edge) && high <= 0.0 {
            return Err(fault(&format!("{name} of a game are more than 0")));
        }
        if figure == Wished::Moves && low >= f64::from(RUNAWAY) {
            return Err(fault(&format!("a game is stopped after {RUNAWAY} moves")));
        }
        if figure == Wished::Edge && low >= 1.0 {
            return Err(fault("the house never keeps more than the price, an edge of 100%"));
        }
        Ok(wish(low, high, None))
    }

    /// Returns whether a figure is what was wished.
    pub fn verdict(&self, e: Estimate) -> Verdict {
        Verdict::of(self.margin(e))
    }

    /// Returns how far inside the wish a figure lies, in units of its interval towards the nearer limit: at least 1 if all
    /// of the interval does, at most -1 if none of it does; infinite without limits.
    pub fn margin(&self, e: Estimate) -> f64 {
        let ratio = |inside: f64, half: f64| match inside {
            // Without an interval nothing is sure.
            _ if half.is_infinite() && inside.is_finite() => {
                if inside < 0.0 {
                    -0.5
                } else {
                    0.5
                }
            }
            _ if half > 0.0 => inside / half,
            0.0.. => f64::INFINITY,
            _ => f64::NEG_INFINITY,
        };
        let (down, up) = (e.value - e.low, e.high - e.value);
        let above = e.value - self.low;
        let below = self.high - e.value;
        ratio(above, if above >= 0.0 { down } else { up })
            .min(ratio(below, if below >= 0.0 { up } else { down }))
    }
}

/// Whether a figure is what was wished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Surely not: the whole interval is outside.
    Misses,
    /// The figure is outside, and its interval reaches in.
    Doubtful,
    /// The figure is inside, and its interval reaches out.
    Probably,
    /// Surely: the whole interval is inside.
    Meets,
}

impl Verdict {
    pub(super) fn of(margin: f64) -> Verdict {
        match margin {
            1.0.. => Verdict::Meets,
            0.0.. => Verdict::Probably,
            _ if margin > -1.0 => Verdict::Doubtful,
            _ => Verdict::Misses,
        }
    }
}
