//! Validates a ruleset: finds every fault, with the keys that cause it.

use std::fmt;

use crate::cards::Rank;
use crate::diagnostic::Severity;
use crate::text::undrawn;

use super::compile::Rules;
use super::spec::*;

/// A fault of a ruleset, without a position in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// An error, or a warning about something allowed but probably unintended.
    pub severity: Severity,
    /// The keys whose values together cause the fault, such as `tableau.deal`; the likeliest first, never empty.
    pub keys: Vec<&'static str>,
    /// Index of the faulty element, if the first key is a list.
    pub item: Option<usize>,
    /// What is wrong.
    pub message: String,
    /// What is allowed, or what to do.
    pub help: Option<String>,
}

/// Maximum length of a name in characters: names appear in titles and tables.
const LONGEST_NAME: usize = 1_000;

const PACK: [&str; 2] = ["pack.ranks", "pack.suits"];
const STEP: &str = "casino.step";
const JACKPOT: &str = "casino.jackpot";
const FEE: &str = "casino.redeal_fee";
const STAGE: &str = "casino.stage";

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.keys[0], self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl Rules {
    /// Compiles a valid spec.
    ///
    /// # Errors
    /// Returns every error of an invalid one. Warnings do not count.
    pub fn new(spec: Spec) -> Result<Rules, Vec<Fault>> {
        let mut faults = spec.faults();
        faults.retain(|fault| fault.severity == Severity::Error);
        if faults.is_empty() { Ok(Rules::compile(spec)) } else { Err(faults) }
    }
}

impl Spec {
    /// Returns everything that is wrong with the ruleset, errors and warnings. If there are no errors, the output of
    /// [`Spec::to_toml`] can be read again.
    pub fn faults(&self) -> Vec<Fault> {
        let mut judge = Judge { spec: self, faults: Vec::new() };
        judge.sizes();
        judge.layout();
        judge.base();
        judge.spaces();
        judge.stock();
        judge.money_and_scores();
        judge.pay();
        judge.stages();
        judge.faults
    }
}

struct Judge<'a> {
    spec: &'a Spec,
    faults: Vec<Fault>,
}

impl Judge<'_> {
    fn error(&mut self, keys: &[&'static str], message: impl Into<String>, help: &str) -> &mut Fault {
        self.add(Severity::Error, keys, message.into(), help)
    }

    fn warning(&mut self, keys: &[&'static str], message: impl Into<String>, help: &str) -> &mut Fault {
        self.add(Severity::Warning, keys, message.into(), help)
    }

    fn add(&mut self, severity: Severity, keys: &[&'static str], message: String, help: &str) -> &mut Fault {
        let help = (!help.is_empty()).then(|| help.to_string());
        let at = self.faults.len();
        self.faults.push(Fault { severity, keys: keys.to_vec(), item: None, message, help });
        &mut self.faults[at]
    }

    /// Checks the range of a number. A file cannot hold one outside it, but a spec built by a program can.
    fn within(&mut self, key: &'static str, value: i64, low: i64, high: i64) {
        if !(low..=high).contains(&value) {
            self.error(&[key], format!("`{key}` cannot be {value}"), &format!("allowed: {low} to {high}"));
        }
    }

    fn sizes(&mut self) {
        let spec = self.spec;
        self.within("deal.packs", spec.deal.packs.into(), 1, 4);
        self.within(PACK[0], spec.pack.ranks.into(), 4, 13);
        self.within(PACK[1], spec.pack.suits.into(), 2, 4);
        self.within("reserve.piles", spec.reserve.piles.into(), 0, MOST_RESERVES);
        self.within("reserve.size", spec.reserve.size.into(), 0, 40);
        self.within("tableau.max_height", spec.tableau.max_height.into(), 0, MOST_HEIGHT);
        if !(1..=MOST_PILES).contains(&spec.piles()) {
            let message = format!("`tableau.deal` lays out {} piles", spec.piles());
            self.error(&["tableau.deal"], message, &format!("allowed: 1 to {MOST_PILES} piles"));
        }
        let ends = [("end.barren_passes", spec.barren_passes), ("end.idle_redeals", spec.idle_redeals)];
        for (key, passes) in ends {
            passes.into_iter().for_each(|passes| self.within(key, passes.into(), 1, MOST_COUNT));
        }
        if spec.barren_passes.is_some() && spec.idle_redeals.is_some() {
            let message =
                "`end.idle_redeals` takes the place of `end.barren_passes`: a ruleset has one of the two";
            self.error(&["end.idle_redeals", "end.barren_passes"], message, "leave one out");
        }
        if let Some(redeals) = spec.stock.redeals {
            self.within("stock.redeals", redeals.into(), 0, MOST_COUNT);
        }
        match &spec.stock.draw {
            Draw::ByPass(sizes) => {
                self.within("stock.draw", sizes.len() as i64, 1, MOST_SIZES as i64);
                sizes.iter().for_each(|&size| self.within("stock.draw", size.into(), 1, MOST_DRAWN));
            }
            Draw::Die { faces, .. } => self.within("stock.draw", (*faces).into(), 2, MOST_DRAWN),
        }
        for (i, &cards) in spec.tableau.deal.iter().enumerate() {
            self.within("tableau.deal", cards.into(), 0, 52);
            if spec.tableau.max_height > 0 && cards > spec.tableau.max_height {
                let most = spec.tableau.max_height;
                let message = format!("pile {} is dealt {cards} cards, but `max_height` is {most}", i + 1);
                self.error(&["tableau.deal", "tableau.max_height"], message, "").item = Some(i);
            }
        }
    }

    fn layout(&mut self) {
        let spec = self.spec;
        let reserve = spec.reserve_cards();
        let tableau = spec.tableau_cards();
        let foundation = spec.put_up_cards();
        let all = reserve + tableau + foundation;
        let cards = spec.cards();
        if all > cards {
            let message = format!(
                "{all} cards are laid out, but there are only {cards}: \
                 {reserve} in the reserve, {tableau} in the tableau, {foundation} on the foundations"
            );
            let help = "deal fewer cards to the reserve or the tableau";
            let keys =
                ["tableau.deal", "reserve.size", "reserve.piles", PACK[0], PACK[1], "foundation.start"];
            self.error(&keys, message, help);
        }
        if spec.stock.opening_draw && all >= cards {
            let message = "the opening draw has no effect: the deal leaves no stock";
            self.warning(&["stock.opening_draw", "tableau.deal", "reserve.size"], message, "");
        }
        self.twice("deal.order", &spec.deal.order);
        let dealt = (spec.foundation.start == Start::One) as usize;
        let parts = [
            (Part::Reserve, reserve, "reserve", "reserve.size"),
            (Part::Foundation, dealt, "foundation", "foundation.start"),
            (Part::Tableau, tableau, "tableau", "tableau.deal"),
        ];
        for (part, cards, word, key) in parts {
            if cards > 0 && !spec.deal.order.contains(&part) {
                let message = format!("`deal.order` leaves out \"{word}\", which is dealt {}", count(cards));
                self.error(&["deal.order", key], message, &format!("add \"{word}\""));
            }
        }
    }

    fn base(&mut self) {
        let keys = ["foundation.base", "foundation.start"];
        match (self.spec.foundation.base, self.spec.foundation.start) {
            (Base::Rank(rank), Start::One) => {
                let message = format!(
                    "the base rank is fixed at {rank}, but `start = \"one\"` deals a base card of any rank"
                );
                self.error(&keys, message, "use start = \"none\" or \"all\", or base = \"dealt\"");
            }
            (Base::Dealt, start @ (Start::None | Start::All)) => {
                let word = if start == Start::None { "none" } else { "all" };
                let message =
                    format!("`base = \"dealt\"` needs a dealt base card, but `start` is \"{word}\"");
                self.error(&keys, message, "use start = \"one\", or a rank as base");
            }
            (Base::Choice(_), Start::One | Start::All) => {
                let message = "with `base = \"choice\"` the deal puts up no base card";
                self.error(&["foundation.start", keys[0]], message, "use start = \"none\"");
            }
            (Base::Rank(rank), _) => self.in_the_pack("foundation.base", rank),
            _ => {}
        }
        match self.spec.foundation.base {
            Base::Choice(ChoiceFrom::Reserve) => self.choice_from_reserve(),
            Base::Choice(ChoiceFrom::Dealt(offered)) => self.choice_from_dealt(offered),
            _ => {}
        }
    }

    fn in_the_pack(&mut self, key: &'static str, rank: Rank) {
        let pack = self.spec.pack;
        if !pack.has_rank(rank) {
            let message = format!("`{key}` is {rank}, but the pack has only {} ranks", pack.ranks);
            self.error(&[key, PACK[0]], message, &format!("allowed: A to {}", pack.highest()));
        }
    }

    fn choice_from_reserve(&mut self) {
        let reserve = &self.spec.reserve;
        if self.spec.reserve_cards() == 0 {
            let message = "the base card is chosen from the reserve, but no card is dealt there";
            self.error(&["foundation.choice_from", "reserve.piles", "reserve.size"], message, "");
        } else if reserve.face == ReserveFace::Last && reserve.size > 1 {
            let message = "the base card is chosen from the reserve, but its top cards are face down";
            let help = "use face = \"top\" or \"all\"";
            self.error(&["foundation.choice_from", "reserve.face"], message, help);
        }
    }

    fn choice_from_dealt(&mut self, offered: u8) {
        let keys = ["foundation.choice_from", "tableau.deal"];
        let piles = self.spec.piles();
        if offered as usize != piles + 1 {
            let message = format!(
                "the base card is chosen among {}, which leaves {} for {piles} piles",
                count(offered as usize),
                count((offered as usize).saturating_sub(1))
            );
            self.error(&keys, message, &format!("use choice_from = {}: one card more than piles", piles + 1));
        }
        if self.spec.tableau.deal.iter().any(|&cards| cards != 1) {
            let message = "the cards that are not chosen become the tableau, one to a pile";
            self.error(&[keys[1], keys[0]], message, "use 1 for every pile of `tableau.deal`");
        }
    }

    fn spaces(&mut self) {
        let spaces = &self.spec.spaces;
        for (i, filler) in spaces.auto.iter().enumerate() {
            if matches!(filler, Filler::Tableau | Filler::Foundation) {
                let message = "`spaces.auto` fills only from the reserve, the waste and the stock";
                self.error(&["spaces.auto"], message, "allowed: \"reserve\", \"waste\", \"stock\"").item =
                    Some(i);
            }
        }
        let returns = self.spec.foundation.returns != Returns::Never;
        let lists = [
            ("spaces.auto", &spaces.auto),
            ("spaces.while_reserve", &spaces.while_reserve),
            ("spaces.after_reserve", &spaces.after_reserve),
        ];
        for (key, list) in lists {
            self.twice(key, list);
            let at = list.iter().position(|&filler| filler == Filler::Foundation);
            if let (Some(at), false, true) = (at, returns, key != "spaces.auto") {
                let message = "no foundation card can go to a space: `foundation.return` is \"never\"";
                let help = "use return = \"top\" or \"top-except-base\", or leave \"foundation\" out";
                self.warning(&[key, "foundation.return"], message, help).item = Some(at);
            }
        }
        if let Some(at) = spaces.after_reserve.iter().position(|&filler| filler == Filler::Reserve) {
            let message = "\"reserve\" cannot fill a space once the reserve is gone";
            self.warning(&["spaces.after_reserve"], message, "").item = Some(at);
        }
        // If an unseen card's rank decided whether it may fill a space, the legal moves would reveal its rank.
        let stock_by_hand = spaces.rank == SpaceRank::Any;
        for (key, list) in &lists[1..] {
            let at = list.iter().position(|&filler| filler == Filler::Stock);
            if let (Some(at), false) = (at, stock_by_hand) {
                let message = "no stock card can be put in a space: `spaces.rank` asks for its rank, unseen";
                let help = "use rank = \"any\", or leave \"stock\" out";
                self.warning(&[key, "spaces.rank"], message, help).item = Some(at);
            }
        }
        let reserve = self.spec.reserve_cards() > 0;
        let auto_reserve = reserve && spaces.auto.contains(&Filler::Reserve);
        let fills = |&filler: &Filler| filler != Filler::Reserve && (returns || filler != Filler::Foundation);
        let by_hand = |filler: &Filler| fills(filler) && (stock_by_hand || *filler != Filler::Stock);
        let after = spaces.auto.iter().any(fills) || spaces.after_reserve.iter().any(by_hand);
        let before = auto_reserve || spaces.auto.iter().any(fills) || !spaces.while_reserve.is_empty();
        let keys = ["spaces.after_reserve", "spaces.auto", "spaces.while_reserve"];
        let help = "name what may fill a space in `spaces.after_reserve`";
        if !after && reserve && before {
            self.warning(&keys[..2], "nothing can fill a space once the reserve is gone", help);
        } else if !after {
            self.warning(&keys, "nothing can ever fill a space", help);
        }
        // A pile that is dealt no card is a space from the start, and is not made by a move.
        let from_start = self.spec.tableau.deal.contains(&0);
        if auto_reserve && !from_start && !spaces.while_reserve.is_empty() {
            let message =
                "`spaces.while_reserve` has no effect: `spaces.auto` fills every space from the reserve";
            self.warning(&["spaces.while_reserve", "spaces.auto"], message, "");
        }
        if let SpaceRank::Rank(rank) = spaces.rank {
            self.in_the_pack("spaces.rank", rank);
        }
        if spaces.rank != SpaceRank::Any && spaces.while_reserve.is_empty() && spaces.after_reserve.is_empty()
        {
            let message = "`spaces.rank` has no effect: no player may fill a space";
            self.warning(&["spaces.rank", "spaces.after_reserve"], message, "");
        }
        let hidden = self.spec.reserve.face == ReserveFace::Last && self.spec.reserve_cards() > 1;
        if hidden && !spaces.auto.contains(&Filler::Reserve) {
            let message =
                "no reserve card but the last can ever be played: they are face down and fill no space";
            self.warning(&["reserve.face", "spaces.auto"], message, "add \"reserve\" to `spaces.auto`");
        }
    }

    fn stock(&mut self) {
        let stock = &self.spec.stock;
        if stock.redeals == Some(0) && stock.on_redeal == OnRedeal::Shuffle {
            let message = "`stock.on_redeal` has no effect: there is no redeal";
            self.warning(&["stock.on_redeal", "stock.redeals"], message, "");
        }
        if let (Draw::ByPass(sizes), Some(redeals)) = (&stock.draw, stock.redeals)
            && sizes.len() > redeals as usize + 1
        {
            let passes = if redeals == 0 { "one pass".into() } else { format!("{} passes", redeals + 1) };
            let message = format!("`stock.draw` has {} sizes, but the game has {passes}", sizes.len());
            let fault = self.warning(&["stock.draw", "stock.redeals"], message, "");
            fault.item = Some(redeals as usize + 1);
        }
    }

    fn money_and_scores(&mut self) {
        let casino = &self.spec.casino;
        for (key, cents) in [
            ("casino.stake", casino.stake),
            ("casino.pays_per_card", casino.pays_per_card),
            ("casino.pays_for_win", casino.pays_for_win),
        ] {
            if !(0..=MOST_CENTS).contains(&cents) {
                let help = format!("allowed: 0 to {MOST_CENTS} cents");
                self.error(&[key], format!("`{key}` cannot be {cents} cents"), &help);
            }
        }
        let length = self.spec.name.chars().count();
        if length > LONGEST_NAME {
            let message = format!("`name` has {length} characters, and at most {LONGEST_NAME} are allowed");
            self.error(&["name"], message, "`about` may say more");
        }
        self.undrawn("name", &self.spec.name, "charts as PNG call the ruleset by its file");
        self.undrawn("casino.currency", &casino.currency, "charts as PNG show � for it");
        let currency = &casino.currency;
        let unfit = |c: char| c.is_control() || c.is_numeric() || "+-−,()%".contains(c);
        if currency.is_empty() || currency.chars().count() > 16 || currency.contains(unfit) {
            self.error(
                &["casino.currency"],
                "`casino.currency` must be 1 to 16 characters, none of them a digit, one of `+-,()%` or a control character",
                "",
            );
        }
        for (i, score) in self.spec.scores.iter().enumerate() {
            if score.name.trim().is_empty() || score.name.contains(char::is_control) {
                self.error(&["score"], "a [[score]] needs a `name`, in one line", "").item = Some(i);
            } else if self.spec.scores[..i].iter().any(|other| other.name == score.name) {
                let message = format!("two scores are called \"{}\"", score.name);
                self.error(&["score"], message, "give each its own name").item = Some(i);
            }
            let points = [
                score.constant,
                score.foundation_card,
                score.complete_suit,
                score.won,
                score.reserve_left,
                score.redeal,
                score.out_first,
            ];
            for points in points.into_iter().filter(|points| !(-MOST_POINTS..=MOST_POINTS).contains(points)) {
                let message = format!("a coefficient of a score cannot be {points}");
                let help = format!("allowed: -{MOST_POINTS} to {MOST_POINTS}");
                self.error(&["score"], message, &help).item = Some(i);
            }
        }
    }

    /// Warns of letters that the font of charts lacks. Pages use a font of the reader's system.
    fn undrawn(&mut self, key: &'static str, text: &str, instead: &str) {
        let letters = undrawn(text);
        if !letters.is_empty() {
            let message = format!("no font of the program has {letters}: {instead}");
            self.warning(&[key], message, "Latin, Greek and Cyrillic letters can be drawn");
        }
    }

    fn twice<T: PartialEq>(&mut self, key: &'static str, list: &[T]) {
        for (i, item) in list.iter().enumerate() {
            if list[..i].contains(item) {
                self.error(&[key], format!("`{key}` names the same thing twice"), "leave one out").item =
                    Some(i);
            }
        }
    }

    fn pay(&mut self) {
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
                self.error(&[STEP, PACK[0], PACK[1]], message, &help).item = Some(i);
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
            let keys = [JACKPOT, PACK[0], PACK[1]];
            self.error(&keys, message, &format!("allowed: \"win\", or 1 to {all}"));
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

    fn stages(&mut self) {
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

fn count(cards: usize) -> String {
    if cards == 1 { "a card".into() } else { format!("{cards} cards") }
}
