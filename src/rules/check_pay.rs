//! Validates the pay of a deck other than that for each card: steps, a jackpot and fees of redeals.

use super::check::Judge;
use super::limits::MOST_CENTS;
use super::spec::*;

const STEP: &str = "casino.step";
const JACKPOT: &str = "casino.jackpot";
const FEE: &str = "casino.redeal_fee";
const STAGE: &str = "casino.stage";

impl Judge<'_> {
    pub(super) fn pay(&mut self) {
        self.steps();
        self.jackpot();
        self.redeal_fees();
        let casino = &self.spec.casino;
        if !casino.is_staged() {
            return;
        }
        for (key, there) in [
            (STEP, !casino.steps.is_empty()),
            (JACKPOT, casino.jackpot.is_some()),
            (FEE, casino.has_redeal_fees()),
        ] {
            if there {
                let message = format!("`{key}` and `casino.stage` cannot be combined");
                let help = match key {
                    FEE => "a stage with at = \"pass\" charges for each redeal",
                    _ => "give the deck a price with `stake` instead of [[casino.stage]]",
                };
                self.error(&[key, STAGE], message, help);
            }
        }
    }

    fn steps(&mut self) {
        let (casino, all) = (&self.spec.casino, self.spec.cards());
        for (i, step) in casino.steps.iter().enumerate() {
            let mut fault = None;
            if casino.steps[..i].iter().any(|other| other.from >= step.from) {
                fault = Some((
                    format!("the [[casino.step]] from {} does not come after the one before it", step.from),
                    "write the steps by their number of cards, each number once".to_string(),
                ));
            } else if usize::from(step.from) > all {
                fault = Some((
                    format!("no game reaches the [[casino.step]] from {}: it has {all} cards", step.from),
                    format!("allowed: 1 to {all}"),
                ));
            } else if step.pays_per_card.is_none() && step.bonus == 0 {
                fault = Some((
                    format!("the [[casino.step]] from {} changes nothing", step.from),
                    "give it `pays_per_card` or `bonus`".into(),
                ));
            } else if [step.pays_per_card.unwrap_or(0), step.bonus]
                .iter()
                .any(|cents| cents.abs() > MOST_CENTS)
            {
                fault = Some((
                    format!("the [[casino.step]] from {} pays too much", step.from),
                    format!("allowed: -{0} to {0} cents", MOST_CENTS),
                ));
            }
            if let Some((message, help)) = fault {
                self.error(&[STEP], message, &help).item = Some(i);
            }
        }
    }

    fn jackpot(&mut self) {
        let (casino, all) = (&self.spec.casino, self.spec.cards());
        let Some(jackpot) = casino.jackpot else { return };
        if !(0..=MOST_CENTS).contains(&jackpot.start) {
            let help = format!("allowed: 0 to {MOST_CENTS} cents");
            self.error(&[JACKPOT], format!("the jackpot cannot start at {} cents", jackpot.start), &help);
        }
        if jackpot.share > 999 {
            self.error(&[JACKPOT], "the jackpot's `share` must be below 1", "allowed: 0 to 0.999");
        }
        if let WonBy::Cards(cards) = jackpot.won_by
            && !(1..=all).contains(&usize::from(cards))
        {
            let message = format!("no game wins the jackpot by {cards} cards: it has {all}");
            self.error(&[JACKPOT], message, &format!("allowed: \"win\", or 1 to {all}"));
        }
        if jackpot.share > 0 && casino.stake == 0 && !casino.is_staged() {
            let message =
                "the jackpot never grows: the deck is free, so there is no stake to take a share of";
            self.warning(&[JACKPOT, "casino.stake"], message, "");
        }
    }

    fn redeal_fees(&mut self) {
        let (casino, stock) = (&self.spec.casino, &self.spec.stock);
        if casino.redeal_fees.iter().any(|fee| !(0..=MOST_CENTS).contains(fee)) {
            self.error(
                &[FEE],
                "`casino.redeal_fee` holds an amount that is not allowed",
                &format!("allowed: 0 to {MOST_CENTS} cents"),
            );
        }
        let Some(redeals) = stock.redeals.filter(|_| casino.has_redeal_fees()) else { return };
        if redeals == 0 {
            self.warning(
                &[FEE, "stock.redeals"],
                "`casino.redeal_fee` has no effect: there is no redeal",
                "",
            );
        } else if casino.redeal_fees.len() > redeals as usize {
            let message = format!(
                "`casino.redeal_fee` has {} amounts, but the game has {redeals} redeals",
                casino.redeal_fees.len()
            );
            self.warning(&[FEE, "stock.redeals"], message, "").item = Some(redeals as usize);
        }
    }
}
