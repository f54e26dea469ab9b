//! The keys of nested tables: scores, dice, steps of the pay, the jackpot and stages of a stake.

use toml::de::DeValue;

use crate::rules::limits::{MOST_CARDS, MOST_COUNT, MOST_DRAWN, MOST_POINTS, MOST_SIZES};
use crate::rules::spec::*;

use super::format::*;
use super::shape::Shape;
use super::value::{Key, Node, Reader, key, whole_in};
use super::words::*;

/// Range of a score's coefficients.
const POINTS: Shape = Shape::Whole(-MOST_POINTS, MOST_POINTS);
/// Maximum number of faces of a die.
const MOST_FACES: i64 = MOST_DRAWN;

/// `[[score]]`
pub(super) const SCORE_KEYS: &[Key<Score>] = &[
    key(
        "score.name",
        Shape::Text,
        "What the score is called.",
        |r, s, v| r.name(v, &mut s.name),
        |s| some(text(&s.name)),
    ),
    key(
        "score.constant",
        POINTS,
        "Points for playing at all.",
        |r, s, v| r.whole(v, &mut s.constant),
        |s| some(s.constant.to_string()),
    ),
    key(
        "score.foundation_card",
        POINTS,
        "Points for each card on the foundations.",
        |r, s, v| r.whole(v, &mut s.foundation_card),
        |s| some(s.foundation_card.to_string()),
    ),
    key(
        "score.complete_suit",
        POINTS,
        "Points for each suit that is complete.",
        |r, s, v| r.whole(v, &mut s.complete_suit),
        |s| some(s.complete_suit.to_string()),
    ),
    key(
        "score.won",
        POINTS,
        "Points for a win.",
        |r, s, v| r.whole(v, &mut s.won),
        |s| some(s.won.to_string()),
    ),
    key(
        "score.reserve_left",
        POINTS,
        "Points for each card left in the reserve.",
        |r, s, v| r.whole(v, &mut s.reserve_left),
        |s| some(s.reserve_left.to_string()),
    ),
    key(
        "score.redeal",
        POINTS,
        "Points for each redeal used.",
        |r, s, v| r.whole(v, &mut s.redeal),
        |s| some(s.redeal.to_string()),
    ),
    key(
        "score.out_first",
        POINTS,
        "Points for the player who ends the deal for all, in games of several players.",
        |r, s, v| r.whole(v, &mut s.out_first),
        |s| some(s.out_first.to_string()),
    ),
];

/// A die as written: `{ die = 6, roll = "pass" }`.
#[derive(Default)]
pub(super) struct Die {
    pub faces: Option<u8>,
    pub roll: Option<Roll>,
}

pub(super) const DIE_KEYS: &[Key<Die>] = &[
    key(
        "stock.draw.die",
        Shape::Whole(2, MOST_FACES),
        "Faces of the die.",
        |r, d, v| r.whole(v, d.faces.get_or_insert_default()),
        |_| None,
    ),
    key(
        "stock.draw.roll",
        Shape::Words(words::<Roll>),
        "When it is rolled: for each draw, as a pass begins, or as the game begins.",
        |r, d, v| r.word(v, d.roll.get_or_insert(Roll::Draw)),
        |_| None,
    ),
];

/// `[[casino.stage]]`
pub(super) const STAGE_KEYS: &[Key<Stage>] = &[
    key(
        "casino.stage.at",
        Shape::Words(words::<StageAt>),
        "When the stage is bought: deal before anything is dealt, first-look before the first move, with the deal in \
             view, first-draw before the first draw, pass before each redeal, unknown-card when a draw or a redeal is \
             chosen, for all cards that have been the top of a squared waste and were not bought yet, also the one about to be covered.",
        |r, s, v| r.word(v, &mut s.at),
        |s| some(word(s.at)),
    ),
    key(
        "casino.stage.cost",
        Shape::Money,
        "What the stage costs; with at = \"unknown-card\", each card.",
        |r, s, v| r.money(v, &mut s.cost),
        |s| some(money(s.cost)),
    ),
    key(
        "casino.stage.limit",
        Shape::Whole(0, MOST_COUNT),
        "The most cards that are sold in one game; 0 or left out is no limit. Only with at = \"unknown-card\".",
        |r, s, v| r.whole(v, &mut s.limit),
        |s| (s.limit > 0).then(|| s.limit.to_string()),
    ),
];

/// `[[casino.step]]`
pub(super) const STEP_KEYS: &[Key<PayStep>] = &[
    key(
        "casino.step.from",
        Shape::Whole(1, MOST_CARDS),
        "The number of cards on the foundations at which the step begins.",
        |r, s, v| r.whole(v, &mut s.from),
        |s| some(s.from.to_string()),
    ),
    key(
        "casino.step.pays_per_card",
        Shape::SignedMoney,
        "What each further card pays, in place of what a card paid before; below 0 it is a fee.",
        |r, s, v| r.signed_money(v, s.pays_per_card.get_or_insert_default()),
        |s| s.pays_per_card.map(money),
    ),
    key(
        "casino.step.bonus",
        Shape::SignedMoney,
        "Paid once to a game that ends with at least this many cards; below 0 it is a fee.",
        |r, s, v| r.signed_money(v, &mut s.bonus),
        |s| (s.bonus != 0).then(|| money(s.bonus)),
    ),
];

/// `[casino.jackpot]`
pub(super) const JACKPOT_KEYS: &[Key<Jackpot>] = &[
    key(
        "casino.jackpot.start",
        Shape::Money,
        "What the meter begins with, each time.",
        |r, j, v| r.money(v, &mut j.start),
        |j| some(money(j.start)),
    ),
    key(
        "casino.jackpot.share",
        Shape::Decimal(0, 999),
        "The share of the price of each deck that goes to the meter, rounded to a whole cent: 0.02 is 2%.",
        |r, j, v| r.decimal(v, &mut j.share),
        |j| some(decimal(j.share.into())),
    ),
    key(
        "casino.jackpot.won_by",
        Shape::WholeOr(1, MOST_CARDS, words::<ByWin>),
        "What wins the meter: a win, or this many cards on the foundations at the end.",
        |r, j, v| r.won_by(v, &mut j.won_by),
        |j| {
            some(match j.won_by {
                WonBy::Win => word(ByWin),
                WonBy::Cards(cards) => cards.to_string(),
            })
        },
    ),
];

impl Reader<'_> {
    pub fn draw(&mut self, node: &Node, into: &mut Draw) -> bool {
        match node.get_ref() {
            DeValue::Array(_) => {
                let mut sizes = Vec::new();
                let sound = self.counted(node, MOST_SIZES)
                    && self.each(node, &mut sizes, |item| whole_in(item, 1, MOST_DRAWN));
                if sound {
                    *into = Draw::ByPass(sizes);
                }
                sound
            }
            DeValue::Table(table) => {
                let mut die = Die::default();
                let sound = self.table(DIE_KEYS, table, &mut die);
                match (die.faces, die.roll) {
                    (Some(faces), Some(roll)) if sound => *into = Draw::Die { faces, roll },
                    _ => {
                        let given = |key| table.contains_key(key);
                        for missing in ["die", "roll"].into_iter().filter(|key| !given(*key)) {
                            let help = "allowed: { die = 6, roll = \"draw\" }, or roll = \"pass\", \"game\"";
                            self.fault(node.span(), format!("a die in `stock.draw` needs `{missing}`"), help);
                        }
                        return false;
                    }
                }
                true
            }
            _ => self.put(node, into, whole_in(node, 1, MOST_DRAWN).map(|size| Draw::ByPass(vec![size]))),
        }
    }

    pub fn stages(&mut self, node: &Node, into: &mut Vec<Stage>) -> bool {
        let read = self.tables(node, STAGE_KEYS, &[("at", "at = \"deal\""), ("cost", "cost = 13")]);
        read.map(|stages| *into = stages).is_some()
    }

    pub fn steps(&mut self, node: &Node, into: &mut Vec<PayStep>) -> bool {
        let read = self.tables(node, STEP_KEYS, &[("from", "from = 20")]);
        read.map(|steps| *into = steps).is_some()
    }

    /// Reads a jackpot, which a file must give completely.
    pub fn jackpot(&mut self, node: &Node, into: &mut Option<Jackpot>) -> bool {
        let DeValue::Table(table) = node.get_ref() else { return self.put(node, into, None) };
        let mut read = Jackpot::default();
        let mut sound = self.table(JACKPOT_KEYS, table, &mut read);
        for (key, example) in [("start", "start = 100"), ("share", "share = 0.02")] {
            if !table.contains_key(key) {
                let help = format!("allowed: {example}");
                sound = self.fault(node.span(), format!("a [casino.jackpot] needs its `{key}`"), help);
            }
        }
        if sound {
            *into = Some(read);
        }
        sound
    }

    fn won_by(&mut self, node: &Node, into: &mut WonBy) -> bool {
        if node.get_ref().as_str() == Some(ByWin.word()) {
            *into = WonBy::Win;
            return true;
        }
        let mut cards = 0;
        let sound = self.whole(node, &mut cards);
        if sound {
            *into = WonBy::Cards(cards);
        }
        sound
    }

    pub fn scores(&mut self, node: &Node, into: &mut Vec<Score>) -> bool {
        let read = self.tables(node, SCORE_KEYS, &[("name", "name = \"points\"")]);
        read.map(|scores| *into = scores).is_some()
    }
}
