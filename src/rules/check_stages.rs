//! Validates a stake that is bought in stages.

use super::check::Judge;
use super::limits::MOST_STAGED;
use super::spec::*;

const STAGE: &str = "casino.stage";

impl Judge<'_> {
    pub(super) fn stages(&mut self) {
        let casino = &self.spec.casino;
        if !casino.is_staged() {
            return;
        }
        if casino.stake != 0 {
            let message = "a stake is a price or is bought in stages, not both";
            self.error(&[STAGE, "casino.stake"], message, "leave out `stake` or the [[casino.stage]] tables");
        }
        if casino.stages.iter().all(|stage| stage.cost == 0) {
            let message = "no [[casino.stage]] costs anything, so nothing is ever staked";
            self.error(&[STAGE], message, "give one a `cost`, or write `stake = 0` instead");
        }
        for (i, stage) in casino.stages.iter().enumerate() {
            if casino.stages[..i].iter().any(|other| other.at == stage.at) {
                let message = format!("two [[casino.stage]] tables are at \"{}\"", stage.at);
                self.error(&[STAGE], message, "leave one out").item = Some(i);
            }
            if !(0..=MOST_STAGED).contains(&stage.cost) {
                let message = format!("the `cost` of a stage cannot be {}", amount(stage.cost));
                self.error(&[STAGE], message, &allowed()).item = Some(i);
            }
            if stage.limit > 0 && stage.at != StageAt::UnknownCard {
                self.limit(i, stage);
            }
        }
        for (key, cents) in
            [("casino.pays_per_card", casino.pays_per_card), ("casino.pays_for_win", casino.pays_for_win)]
        {
            if cents > MOST_STAGED {
                let message =
                    format!("`{key}` cannot be {} where the stake is bought in stages", amount(cents));
                self.error(&[key, STAGE], message, &allowed());
            }
        }
        self.never_asked();
    }

    fn limit(&mut self, i: usize, stage: &Stage) {
        let help = match stage.at {
            StageAt::Pass => "`stock.redeals` sets the number of passes",
            _ => "leave it out: this stage is bought once a game",
        };
        let message = format!("`limit` is used only with `at = \"unknown-card\"`, not with \"{}\"", stage.at);
        self.error(&[STAGE], message, help).item = Some(i);
    }

    /// Warns of stages that never occur in the game.
    fn never_asked(&mut self) {
        let spec = self.spec;
        let at = |wanted| spec.casino.stages.iter().position(|stage| stage.at == wanted);
        if let (Some(i), Some(0)) = (at(StageAt::Pass), spec.stock.redeals) {
            let message = "the stage \"pass\" has no effect: there is no redeal";
            self.warning(&[STAGE, "stock.redeals"], message, "").item = Some(i);
        }
        if spec.stock_cards() > 0 {
            if let (Some(i), WasteFace::Fanned) = (at(StageAt::UnknownCard), spec.stock.waste) {
                let message =
                    "the stage \"unknown-card\" has no effect: all that went by in a fanned waste is known";
                self.warning(&[STAGE, "stock.waste"], message, "use waste = \"squared\"").item = Some(i);
            }
            return;
        }
        if let Some(i) = at(StageAt::FirstDraw) {
            let message = "the stage \"first-draw\" can never be bought, so no card is ever paid for: the deal leaves no stock";
            self.error(&[STAGE, "tableau.deal", "reserve.size"], message, "leave it out").item = Some(i);
        }
        if let Some(i) = at(StageAt::UnknownCard) {
            let message = "the stage \"unknown-card\" has no effect: the deal leaves no stock";
            self.warning(&[STAGE, "tableau.deal", "reserve.size"], message, "").item = Some(i);
        }
    }
}

fn amount(cents: i64) -> String {
    format!("{}.{:02}", cents / 100, (cents % 100).abs())
}

fn allowed() -> String {
    format!("allowed: 0 to {} with stages", MOST_STAGED / 100)
}
