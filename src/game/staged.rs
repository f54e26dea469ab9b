//! A game in which the player is asked at each stage of the stake.

use crate::rules::{OnRedeal, Rules, Stage, StageAt};

use super::chance::Chance;
use super::lookahead::add;
use super::moves::MoveList;
use super::outcome::Outcome;
use super::play::{Game, Observer, Watched};
use super::player_state::PlayerState;
use super::stakes::Stakes;
use super::table::Table;
use super::termination::Cards;
use super::view::View;

/// A table on which nothing is visible.
static NOTHING: Table = Table { choosing: true, ..Table::BARE };

/// A player at the table, who also observes the game.
pub trait StagedAgent: Observer {
    /// Error of the player.
    type Error;

    /// Returns the index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Returns the player's own error.
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Self::Error>;

    /// Returns whether to buy a stage of the stake. Before anything is dealt, the view shows an empty table.
    ///
    /// # Errors
    /// Returns the player's own error.
    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, Self::Error>;

    /// Called at the end of the game with the player's last view, including the cards that were bought. A player who
    /// did not buy the deal is shown an empty table.
    fn over(&mut self, _view: &View<'_>) {}
}

impl<'r> Game<'r> {
    /// Plays a dealt game to its end, asking at each stage of the stake that the rules have. If they have none, this
    /// equals [`Game::play_out`].
    ///
    /// # Errors
    /// Returns those of the player; the game remains at the position of that decision.
    pub fn play_for_stakes<S: StagedAgent>(
        &mut self,
        rng: &PlayerState,
        chance: &mut impl Chance,
        seat: &mut S,
    ) -> Result<Outcome, S::Error> {
        let rules = self.rules();
        let mut stakes = Stakes::new(rules);
        let sees = buys_the_deal(rules, rng, &mut stakes, seat)?;
        if !sees {
            self.resign();
        }
        let mut went_by = Cards::default();
        'moves: while self.end().is_none() {
            add(&mut went_by, self.table().waste_top());
            let view = self.view(rng).with_stakes(&stakes);
            let Some(m) = seat.decide(&view, self.legal())?.and_then(|i| self.legal().get(i).copied()) else {
                self.give_up();
                break;
            };
            if self.would_be_barren(m) {
                self.make(m, chance);
                break;
            }
            let chosen = !self.table().makes_by_itself(rules, m);
            if chosen && !m.is_play() && self.sells_cards(rng, &mut stakes, &went_by, seat)? {
                continue;
            }
            for stage in stakes.due(rules, self.table(), m).into_iter().flatten() {
                let view = self.view(rng).with_stakes(&stakes);
                let buys = seat.buys(&view, self.legal(), &stage)?;
                if !stakes.answer(rules, &stage, 1, buys) {
                    self.resign();
                    break 'moves;
                }
            }
            seat.moving(self.table(), self.legal(), m);
            self.make(m, &mut Watched { chance: &mut *chance, observer: &mut *seat });
            stakes.moved(rules, m);
            if m.is_redeal() && rules.spec().stock.on_redeal == OnRedeal::Shuffle {
                went_by = Cards::default();
            }
        }
        let last = if sees { self.view(rng) } else { View::new(&NOTHING, rules, rng) };
        seat.over(&last.with_stakes(&stakes));
        let stake = rules.spec().casino.is_staged().then(|| stakes.stake());
        Ok(Outcome { stake, ..self.outcome() })
    }

    /// Offers all cards that were seen in the waste and whose places are lost; returns whether they were bought.
    fn sells_cards<S: StagedAgent>(
        &self,
        rng: &PlayerState,
        stakes: &mut Stakes,
        went_by: &Cards,
        seat: &mut S,
    ) -> Result<bool, S::Error> {
        let rules = self.rules();
        let Some((stage, cards)) = stakes.for_sale(rules, self.table(), went_by) else { return Ok(false) };
        let view = self.view(rng).with_stakes(stakes);
        let together = Stage { cost: stage.cost * cards.len() as i64, ..stage };
        let buys = seat.buys(&view, self.legal(), &together)?;
        stakes.answer(rules, &stage, cards.len() as u32, buys);
        stakes.offered();
        if buys {
            cards.into_iter().for_each(|card| stakes.show(card));
        }
        Ok(buys)
    }
}

/// Offers the stage due before anything is dealt; returns whether the game begins.
fn buys_the_deal<S: StagedAgent>(
    rules: &Rules,
    rng: &PlayerState,
    stakes: &mut Stakes,
    seat: &mut S,
) -> Result<bool, S::Error> {
    let Some(stage) = rules.spec().casino.stage(StageAt::Deal) else { return Ok(true) };
    let view = View::new(&NOTHING, rules, rng).with_stakes(stakes);
    let buys = seat.buys(&view, &MoveList::new(), stage)?;
    Ok(stakes.answer(rules, stage, 1, buys))
}
