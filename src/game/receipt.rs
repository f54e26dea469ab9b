//! Checks that the amount paid in a record fits its moves, if the stake is bought in stages.

use crate::rules::{Casino, StageAt};

use super::fault::RecordFault;
use super::play::Game;
use super::record::{Paid, Record};

impl Record {
    /// Returns whether the player did not buy the deal, so that the game never began.
    pub(super) fn stopped_unseen(&self, paid: Paid) -> bool {
        !paid.moved && self.stopped == Some(StageAt::Deal)
    }

    /// Checks `stopped` and `staked`, if the record has them, against its game.
    pub(super) fn check_stake(&self, game: &Game<'_>, paid: Paid) -> Result<(), RecordFault> {
        let casino = &game.rules().spec().casino;
        if !casino.is_staged() && (self.staked.is_some() || self.stopped.is_some()) {
            let field = if self.staked.is_some() { "staked" } else { "stopped" };
            let message = "the record tells of a stake bought in stages, but the rules have no stages";
            return Err(RecordFault::of(field, message.into()));
        }
        if let Some(at) = self.stopped {
            self.check_stop(game, at, paid)?;
        }
        match self.staked {
            Some(staked) if !could_cost(casino, staked, self.stopped, paid) => {
                let message = format!("it says {staked} cents were staked, which its moves cannot have cost");
                Err(RecordFault::of("staked", message))
            }
            _ => Ok(()),
        }
    }

    /// Checks that the stage was due where the moves end.
    fn check_stop(&self, game: &Game<'_>, at: StageAt, paid: Paid) -> Result<(), RecordFault> {
        // A move that would end the game as barren is not for sale, nor is one that the deal makes by itself.
        let legal = |wanted: fn(&super::Move) -> bool| {
            let sold =
                |m: super::Move| !game.would_be_barren(m) && !game.table().makes_by_itself(game.rules(), m);
            game.legal().iter().any(|m| wanted(m) && sold(*m))
        };
        let due = match at {
            StageAt::Deal => !paid.moved,
            StageAt::FirstLook => !paid.looked && legal(|_| true),
            StageAt::FirstDraw => !paid.drew && legal(|m| !m.is_play()),
            StageAt::Pass => legal(|m| m.is_redeal()),
            StageAt::UnknownCard => false,
        };
        let resigned = self.end == super::End::Resigned;
        if due && resigned && game.rules().spec().casino.stage(at).is_some() {
            return Ok(());
        }
        let message =
            format!("it says the player stopped at `{at}`, which was not asked where its moves end");
        Err(RecordFault::of("stopped", message))
    }
}

/// Returns whether a game can have cost this many cents. Its moves determine all stages except unknown cards, of which
/// only those that have been the waste's top are sold.
fn could_cost(casino: &Casino, staked: i64, stopped: Option<StageAt>, paid: Paid) -> bool {
    let cost = |at, bought: bool| casino.stage(at).filter(|_| bought).map_or(0, |stage| stage.cost);
    let began = stopped != Some(StageAt::Deal);
    let passing = stopped == Some(StageAt::Pass);
    let fixed = cost(StageAt::Deal, began)
        + cost(StageAt::FirstLook, paid.looked || passing || stopped == Some(StageAt::FirstDraw))
        + cost(StageAt::FirstDraw, paid.drew || passing)
        + i64::from(paid.redeals) * cost(StageAt::Pass, true);
    let rest = staked.saturating_sub(fixed);
    match casino.stage(StageAt::UnknownCard).filter(|stage| began && stage.cost > 0) {
        _ if rest == 0 => true,
        Some(stage) if rest > 0 && rest % stage.cost == 0 => {
            let cards = rest / stage.cost;
            cards <= i64::from(paid.went_by) && (stage.limit == 0 || cards <= i64::from(stage.limit))
        }
        _ => false,
    }
}
