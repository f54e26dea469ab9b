//! A game in which the player is asked at each stage of the stake.

use crate::rules::{Rules, Stage, StageAt};

use super::chance::Chance;
use super::moves::MoveList;
use super::outcome::Outcome;
use super::play::{Game, Observer, Watched};
use super::stakes::Stakes;
use super::strategy_rng::StrategyRng;
use super::table::Table;
use super::view::View;

/// Nothing that could be seen.
static NOTHING: Table = Table { choosing: true, ..Table::BARE };

/// A player at the table, who also watches what happens.
pub trait StagedAgent: Observer {
    /// What can go wrong with it.
    type Error;

    /// The index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// The player's own.
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Self::Error>;

    /// Whether to buy a stage of the stake. Before the layout is seen the view shows an empty table.
    ///
    /// # Errors
    /// The player's own.
    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, Self::Error>;

    /// The game is over: the last that the player sees of it, with the cards that were bought. Who stopped before the
    /// layout was seen is shown an empty table.
    fn over(&mut self, _view: &View<'_>) {}
}

impl<'r> Game<'r> {
    /// Plays a game that is dealt to its end, asking at each stage of the stake that the rules have. Where
    /// they have none it is the same as [`Game::play_out`].
    ///
    /// # Errors
    /// Those of the player; the game stands where it was asked.
    pub fn play_for_stakes<S: StagedAgent>(
        &mut self,
        rng: &StrategyRng,
        chance: &mut impl Chance,
        seat: &mut S,
    ) -> Result<Outcome, S::Error> {
        let rules = self.rules();
        let mut stakes = Stakes::new(rules);
        let sees = buys_unseen(rules, rng, &mut stakes, seat)?;
        if !sees {
            self.resign();
        }
        while self.end().is_none() {
            let view = self.view(rng).with_stakes(&stakes);
            let Some(m) = seat.decide(&view, self.legal())?.and_then(|i| self.legal().get(i).copied()) else {
                self.give_up();
                break;
            };
            if self.would_be_barren(m) {
                self.make(m, chance);
                break;
            }
            if let Some(stage) = stakes.due(rules, m)
                && !self.asks(rng, &mut stakes, &stage, seat)?
            {
                self.resign();
                break;
            }
            if m.is_draw() && self.sells_cards(rng, &mut stakes, seat)? {
                continue;
            }
            seat.moving(self.table(), self.legal(), m);
            self.make(m, &mut Watched { chance: &mut *chance, observer: &mut *seat });
            stakes.moved(rules, m);
        }
        let last = if sees { self.view(rng) } else { View::new(&NOTHING, rules, rng) };
        seat.over(&last.with_stakes(&stakes));
        let stake = rules.spec().casino.is_staged().then(|| stakes.stake());
        Ok(Outcome { stake, ..self.outcome() })
    }

    /// Asks for one stage; whether the game goes on.
    fn asks<S: StagedAgent>(
        &self,
        rng: &StrategyRng,
        stakes: &mut Stakes,
        stage: &Stage,
        seat: &mut S,
    ) -> Result<bool, S::Error> {
        let view = self.view(rng).with_stakes(stakes);
        let buys = seat.buys(&view, self.legal(), stage)?;
        Ok(stakes.answer(self.rules(), stage, buys))
    }

    /// Offers unknown cards one after the other; true if one was bought.
    fn sells_cards<S: StagedAgent>(
        &self,
        rng: &StrategyRng,
        stakes: &mut Stakes,
        seat: &mut S,
    ) -> Result<bool, S::Error> {
        let rules = self.rules();
        let mut bought = false;
        loop {
            let view = self.view(rng).with_stakes(stakes);
            let sale = stakes.card_for_sale(rules, self.table(), |ahead| view.coming(ahead).is_some());
            let Some((stage, card)) = sale else { break };
            let buys = seat.buys(&view, self.legal(), &stage)?;
            stakes.answer(rules, &stage, buys);
            if !buys {
                break;
            }
            stakes.show(card);
            bought = true;
        }
        stakes.offered();
        Ok(bought)
    }
}

/// Asks for the stages before the layout is seen; whether the game begins.
fn buys_unseen<S: StagedAgent>(
    rules: &Rules,
    rng: &StrategyRng,
    stakes: &mut Stakes,
    seat: &mut S,
) -> Result<bool, S::Error> {
    for at in [StageAt::Deal, StageAt::FirstLook] {
        let Some(stage) = rules.spec().casino.stage(at) else { continue };
        let view = View::new(&NOTHING, rules, rng).with_stakes(stakes);
        let buys = seat.buys(&view, &MoveList::new(), stage)?;
        if !stakes.answer(rules, stage, buys) {
            return Ok(false);
        }
    }
    Ok(true)
}
