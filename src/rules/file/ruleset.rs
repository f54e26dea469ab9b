//! The ruleset as a kind of file.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::rules::find::Shelf;
use crate::rules::shelf::shelf;
use crate::rules::spec::*;

use super::keys::{HEEL, KEYS, TABLES};
use super::loader::{FileKind, OF_ITSELF, Place, Reading, top_words};
use super::shape::money;
use super::syntax;
use super::value::Key;

impl FileKind for Spec {
    type Whole = Spec;

    const SHELF: Shelf = Shelf { what: "ruleset", example: "canfield", texts: shelf() };
    const KEYS: &'static [Key<Spec>] = KEYS;
    const TABLES: &'static [(&'static str, &'static str)] = TABLES;
    const SECOND_NAME: Option<(&'static str, &'static str)> = Some((HEEL, "reserve"));
    const HINTS: &'static [(&'static str, &'static str)] = HINTS;

    fn begin(&mut self, name: String) {
        self.name = name;
        self.also.clear();
        self.about.clear();
        self.source.clear();
    }

    fn judge(reading: &mut Reading<Spec>, root: &Arc<SourceText>) -> Option<Spec> {
        reading.one_kind_of_stake();
        reading.one_end_of_passes();
        reading.choice();
        let faults = reading.value.faults();
        reading.place(faults, root);
        Some(std::mem::take(&mut reading.value))
    }
}

impl Reading<Spec> {
    /// Resolves a price or stages: whichever a file sets replaces the other in the files it extends. If neither is set,
    /// the price of a deck is a dollar per card.
    fn one_kind_of_stake(&mut self) {
        let depth = |key| self.places.get(key).map(|place| place.depth);
        let deck = 100 * self.value.cards() as i64;
        let casino = &mut self.value.casino;
        match (depth("casino.stake"), depth("casino.stage")) {
            (Some(stake), Some(stage)) if stake < stage => casino.stages.clear(),
            (stake, Some(stage)) if casino.is_staged() && stake.is_none_or(|s| stage < s) => {
                let replaced = std::mem::take(&mut casino.stake);
                self.hand_for_nothing(if stake.is_some() { replaced } else { deck });
            }
            (None, _) => casino.stake = deck,
            _ => {}
        }
    }

    /// Resolves the count of passes that ends a game: what a file sets replaces that of the files it extends.
    fn one_end_of_passes(&mut self) {
        let depth = |key| self.places.get(key).map(|place| place.depth);
        match (depth("end.barren_passes"), depth("end.idle_redeals")) {
            (Some(passes), Some(redeals)) if passes < redeals => self.value.idle_redeals = None,
            (Some(passes), Some(redeals)) if redeals < passes => self.value.barren_passes = None,
            _ => {}
        }
    }

    /// Reports stages that replace a price but sell only what comes after the hand: dropping the price is surely
    /// unintended.
    fn hand_for_nothing(&mut self, price: i64) {
        let sold = self.value.casino.stages.iter().any(|stage| stage.at.of_the_hand());
        if let Some(place) = self.places.get("casino.stage").filter(|_| price > 0 && !sold) {
            let price = money(price);
            let message = format!(
                "[[casino.stage]] replaces the price of the deck, {price}, and no stage sells the hand: it \
                     would be free"
            );
            let help = format!(
                "add a stage with at = \"deal\" and cost = {price}, or write `stake = 0` under [casino] to \
                     give the hand away"
            );
            let at = place.items.first().unwrap_or(&place.value).clone();
            self.faults.push(Diagnostic::error(&place.source, at, message).help(help));
        }
    }

    /// Joins `foundation.base` and `foundation.choice_from`.
    fn choice(&mut self) {
        let at = |key: &str| self.places.get(key).filter(|_| !self.unsound.contains(key));
        let (base, from) = (at("foundation.base"), at("foundation.choice_from"));
        match (&mut self.value.foundation.base, self.choice_from) {
            (Base::Choice(chosen), Some(from)) => *chosen = from,
            (Base::Choice(_), None) if !self.unsound.contains("foundation.choice_from") => {
                if let Some(place) = base {
                    let message = "`base = \"choice\"` needs `choice_from`";
                    let help = "add choice_from = \"reserve\", or the number of cards to choose among";
                    self.faults
                        .push(Diagnostic::error(&place.source, place.value.clone(), message).help(help));
                }
            }
            (Base::Dealt | Base::Rank(_), Some(_)) if !self.unsound.contains("foundation.base") => {
                // A ruleset may replace the choice of the one it extends.
                let replaced = |place: &Place| base.is_some_and(|base| base.depth < place.depth);
                if let Some(place) = from.filter(|place| !replaced(place)) {
                    let message = "`foundation.choice_from` is used only with `base = \"choice\"`";
                    self.faults.push(Diagnostic::error(&place.source, place.value.clone(), message));
                }
            }
            _ => {}
        }
    }
}

/// Returns whether a text is probably a ruleset, valid or not, and not another TOML file such as one of patrons: at
/// least half of its top-level keys are those of a ruleset.
pub fn is_like_a_ruleset(text: &str) -> bool {
    let source = Arc::new(SourceText { name: String::new(), text: text.into() });
    let parsed = syntax::parse(&source);
    let top: Vec<&str> = top_words::<Spec>().filter(|word| !OF_ITSELF.contains(word)).collect();
    let says: Vec<&str> =
        parsed.table.keys().map(|name| &**name.get_ref()).filter(|word| !OF_ITSELF.contains(word)).collect();
    let known =
        says.iter().filter(|word| top.contains(word) || did_you_mean(word, top.iter().copied()).is_some());
    !parsed.faults.is_empty() || 2 * known.count() >= says.len()
}

/// Words that are not keys, and what to write instead.
const HINTS: &[(&str, &str)] = &[
    ("title", "the key is `name`"),
    ("description", "the key is `about`"),
    ("summary", "the key is `about`"),
    ("notes", "the key is `about`"),
    ("comment", "the key is `about`, and a comment begins with #"),
    ("author", "say so in `source`, or in a comment that begins with #"),
    ("origin", "the key is `source`"),
    ("reference", "the key is `source`"),
    ("url", "the key is `source`"),
    ("aka", "the key is `also`"),
    ("alias", "the key is `also`"),
    ("aliases", "the key is `also`"),
    ("extend", "the key is `extends`"),
    ("parent", "the key is `extends`"),
    ("inherits", "the key is `extends`"),
    ("deck", "the number of packs is `packs` under [deal]"),
    ("decks", "the number of packs is `packs` under [deal]"),
    ("cards", "the number of packs is `packs` under [deal]"),
    ("players", "several players are described by a contest file: see `saratoga contest --help`"),
    ("player", "several players are described by a contest file: see `saratoga contest --help`"),
    ("seats", "several players are described by a contest file: see `saratoga contest --help`"),
    ("strategy", "a strategy is named on the command line, with -s"),
    ("seed", "a seed is given on the command line, with --seed"),
    ("games", "the number of games is given on the command line, with -n"),
    ("columns", "the cards dealt to each pile are `deal` under [tableau]"),
    ("build_down", "use `build` and `direction` under [tableau]"),
    ("talon", "the rules of stock and waste are under [stock]"),
    ("must", "what a strategy must choose stands in a file of positions: see `saratoga scripts test --help`"),
    ("passes", "the key is `redeals` under [stock]: one less than the passes"),
    ("packet", "the key is `draw` under [stock]"),
    ("price", "the price of the deck is `stake` under [casino]"),
    ("cost", "the price of the deck is `stake` under [casino]"),
    ("bet", "the price of the deck is `stake` under [casino]"),
    ("jackpots", "a meter that grows is [casino.jackpot]"),
    ("progressive", "a meter that grows is [casino.jackpot]"),
    (
        "fee",
        "a fee for each redeal is `redeal_fee` under [casino]; a stake bought in stages is [[casino.stage]]",
    ),
    ("steps", "pay from a number of cards on is [[casino.step]]"),
    ("paytable", "pay from a number of cards on is [[casino.step]]"),
    ("payout", "use `pays_per_card` and `pays_for_win` under [casino]"),
    ("pays", "use `pays_per_card` and `pays_for_win` under [casino]"),
    ("per_card", "the key is `pays_per_card` under [casino]"),
    ("bonus", "the extra pay for a win is `pays_for_win` under [casino]"),
    ("win_bonus", "the extra pay for a win is `pays_for_win` under [casino]"),
    (
        "max_pay",
        "a highest pay cannot be expressed: a [[casino.step]] with pays_per_card = 0 ends the pay for cards",
    ),
    (
        "pays_per_suit",
        "pay for complete suits cannot be expressed: a [[score]] counts them in points, with `complete_suit`",
    ),
    (
        "suit_bonus",
        "pay for complete suits cannot be expressed: a [[score]] counts them in points, with `complete_suit`",
    ),
    (
        "pays_for_reserve",
        "pay for the reserve cannot be expressed: a [[score]] counts it in points, with `reserve_left`",
    ),
    ("side_bet", "side bets cannot be expressed: the nearest are [[casino.step]] and [casino.jackpot]"),
    ("insurance", "insurance cannot be expressed: the nearest is a [[casino.step]] that pays for few cards"),
    ("refund", "a refund cannot be expressed: the nearest is a [[casino.step]] that pays for few cards"),
    ("draw_fee", "a fee for each draw cannot be expressed: the nearest is `redeal_fee` under [casino]"),
    ("time_limit", "time is no part of a ruleset: a contest file models it"),
    ("points", "points are counted by [[score]]"),
    ("scoring", "points are counted by [[score]]"),
    ("cells", "free cells cannot be expressed yet"),
    ("free_cells", "free cells cannot be expressed yet"),
];
