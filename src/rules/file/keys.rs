//! The table of all keys of a ruleset file: name, shape and meaning.

use toml::de::DeValue;

use crate::rules::spec::*;
use crate::rules::words::{Word, words};

use super::shape::{KeyDef, Shape, list, text};
use super::value::{Field, Key, Nested, Node, Reader, keys, number_of, tables_to_toml};

/// The tables of a file with their descriptions, in the order they are written.
pub(super) const TABLES: &[(&str, &str)] = &[
    ("deal", "How the cards leave the shuffled pack."),
    ("pack", "The cards of each pack."),
    ("reserve", "The reserve, also called the heel."),
    ("tableau", "The piles cards are built on."),
    ("spaces", "How an empty tableau pile is filled."),
    ("foundation", "Where the cards must go."),
    ("stock", "The cards that are left, and how they are turned."),
    ("end", "When a game that goes nowhere is stopped."),
    ("casino", "What a deck costs and what it pays."),
];

/// The only table with two names.
pub(super) const HEEL: &str = "heel";

pub(super) const KEYS: &[Key<Spec>] = keys! { Spec:
    "name" = name, Shape::Name, "What the ruleset is called; the file's name if left out.";
    "also" = also, Shape::Texts, "Other names of the game.";
    "about" = about, Shape::Text, "What the game is, in a sentence or more.";
    "source" = source, Shape::Text, "Where the text of the rules comes from.";
    // Resolved before any other key is read.
    "extends", Shape::Text,
        "The ruleset to start from: an included one, or a path from this file. The file lists only what \
         differs. name, also, about and source are not inherited; [[score]] and the stake are replaced as \
         a whole.";
    "deal.packs" = deal.packs, Shape::Whole(1, 4), "Packs, of 52 cards unless [pack] says otherwise. Each suit of each has a foundation.";
    "deal.order" = deal.order, Shape::WordList(words::<Part>),
        "The order in which cards leave the shuffled pack; what is left is the stock.";
    "pack.ranks" = pack.ranks, Shape::Whole(4, 13), "Ranks of a pack, from the ace up; the ace follows the highest.";
    "pack.suits" = pack.suits, Shape::Whole(2, 4),
        "Suits of a pack: the first of clubs, diamonds, hearts and spades. Two are a black and a red one; of three, two \
         are red.";
    "reserve.piles" = reserve.piles, Shape::Whole(0, MOST_RESERVES), "Reserve piles.";
    "reserve.size" = reserve.size, Shape::Whole(0, 40), "Cards in each reserve pile.";
    "reserve.face" = reserve.face, Shape::Words(words::<ReserveFace>),
        "Which reserve cards are face up: the top one, all of them, or none until only one is left (last).";
    "tableau.deal" = tableau.deal, Shape::Wholes(0, 52, MOST_PILES),
        "Cards dealt to each pile; sets the number of piles too.";
    "tableau.face" = tableau.face, Shape::Words(words::<TableauFace>),
        "Which dealt cards are face up; with alternate, every other card, the top one being up.";
    "tableau.build" = tableau.build, Shape::Words(words::<Build>), "Which suits may be built on each other.";
    "tableau.direction" = tableau.direction, Shape::Words(words::<Direction>),
        "Whether a card goes on the next higher rank (down), the next lower (up) or an equal one (same).";
    "tableau.wrap" = tableau.wrap, Shape::Words(words::<Wrap>),
        "Whether building goes on past A and K: always, so that K goes on A (full); yes, but never past \
         the base rank (to-base); or never (none).";
    "tableau.move" = tableau.unit, Shape::Words(words::<MoveUnit>),
        "What moves between piles: the top card (single), the whole face-up run (whole), either, or any \
         part of a run (sequence).";
    "tableau.max_height" = tableau.max_height, Shape::Whole(0, MOST_HEIGHT),
        "The largest number of cards that a pile may hold; 0 is no limit.";
    "spaces.auto" = spaces.auto, Shape::WordList(|| vec!["reserve", "waste", "stock"]),
        "What fills a space at once, as part of the move that made it: the first of these sources that has \
         cards.";
    "spaces.while_reserve" = spaces.while_reserve, Shape::WordList(words::<Filler>),
        "What a player may put in a space while reserve cards are left.";
    "spaces.after_reserve" = spaces.after_reserve, Shape::WordList(words::<Filler>),
        "What a player may put in a space once the reserve is empty; a space may stay empty.";
    "spaces.rank" = spaces.rank, Shape::RankOr(|| vec!["any", "base", "below-base"]),
        "Which rank may start a space.";
    "foundation.base" = foundation.base, Shape::RankOr(|| vec!["dealt", "choice"]),
        "The rank that foundations start with. dealt: the rank of the card dealt there; choice: the player \
         chooses it with the first move.";
    "foundation.choice_from" = foundation.base, Shape::WholeOr(1, MOST_PILES as i64 + 1, || vec!["reserve"]),
        "What the player chooses the base from: the tops of the reserve, or that many cards dealt for it. \
         Only with base = \"choice\".";
    "foundation.start" = foundation.start, Shape::Words(words::<Start>),
        "How many base cards the deal puts up; with all they are taken out of the pack before dealing.";
    "foundation.return" = foundation.returns, Shape::Words(words::<Returns>),
        "Whether a foundation card may go back to the tableau.";
    "foundation.base_play" = foundation.base_play, Shape::Words(words::<BasePlay>),
        "Whether an exposed base-rank card must go up at once.";
    "stock.draw" = stock.draw, Shape::Draw(defs::<Die>),
        "Cards in a draw: a number; a list with one number for each pass, the last of which repeats; or \
         the roll of a die.";
    "stock.redeals" = stock.redeals, Shape::WholeOr(0, MOST_COUNT, || vec!["unlimited"]),
        "How often the waste may become the stock again. The number of passes is one more.";
    "stock.on_redeal" = stock.on_redeal, Shape::Words(words::<OnRedeal>),
        "What a redeal does with the order of the cards.";
    "stock.waste" = stock.waste, Shape::Words(words::<WasteFace>),
        "Which cards of the waste the player sees: all, and so knows them in later passes (fanned), or \
         only the top (squared).";
    "stock.opening_draw" = stock.opening_draw, Shape::Flag, "Whether a first draw is part of the deal.";
    "end.barren_passes" = barren_passes, Shape::Whole(1, MOST_COUNT),
        "The game is stopped after this many passes in a row without a play. By default 2, or no limit if \
         a die decides a draw or pass, or a redeal shuffles.";
    "end.idle_redeals" = idle_redeals, Shape::Whole(1, MOST_COUNT),
        "In place of barren_passes: with 4, the game ends instead of the fourth redeal in a row without a \
         play. A base card that must go up is no play here, and a pass in which no play is legal does not \
         end the game.";
    "casino.stake" = casino.stake, Shape::Money,
        "Price of the deck. If left out, 1 for each card of the packs, or nothing if there are [[casino.stage]].",
        if |s| s.casino.stake != 0 || !s.casino.stages.iter().any(|stage| stage.at.of_the_hand());
    "casino.pays_per_card" = casino.pays_per_card, Shape::Money,
        "Paid for each card on the foundations at the end.";
    "casino.pays_for_win" = casino.pays_for_win, Shape::Money,
        "Paid for a win, on top of what the cards pay.";
    "casino.redeal_fee" = casino.redeal_fees, Shape::MoneyOrList(MOST_SIZES),
        "What a redeal costs, or a list by redeal whose last amount repeats. A player who does not pay \
         does not redeal.";
    "casino.currency" = casino.currency, Shape::Text, "Sign or name of the money.";
    // Written as tables, not as values.
    "casino.step" = casino.steps, Shape::Tables(defs::<PayStep>),
        "What is paid from a number of cards on. There may be several, by the number of cards.";
    "casino.jackpot" = casino.jackpot, Shape::Table(defs::<Jackpot>),
        "A meter that begins with an amount, grows with each deck sold and is paid out whole to who wins it.";
    "casino.stage" = casino.stages, Shape::Tables(defs::<Stage>),
        "A stake that is bought in stages; the player may stop at each.";
    "score" = scores, Shape::Tables(defs::<Score>),
        "A score with a name: points for a finished game. There may be several.";
};

/// Returns the keys of a nested table, for the schema and for messages.
pub(crate) fn defs<T: Nested>() -> Vec<KeyDef> {
    T::KEYS.iter().map(|key| key.def).collect()
}

/// Range of a score's coefficients.
const POINTS: Shape = Shape::Whole(-MOST_POINTS, MOST_POINTS);

/// `[[score]]`
impl Nested for Score {
    const KEYS: &'static [Key<Score>] = keys! { Score:
        "score.name" = name, Shape::Name, "What the score is called.";
        "score.constant" = constant, POINTS, "Points for playing at all.";
        "score.foundation_card" = foundation_card, POINTS, "Points for each card on the foundations.";
        "score.complete_suit" = complete_suit, POINTS, "Points for each suit that is complete.";
        "score.won" = won, POINTS, "Points for a win.";
        "score.reserve_left" = reserve_left, POINTS, "Points for each card left in the reserve.";
        "score.redeal" = redeal, POINTS, "Points for each redeal used.";
        "score.out_first" = out_first, POINTS,
            "Points for the player who ends the deal for all, in games of several players.";
    };
    const NEEDED: &'static [(&'static str, &'static str)] = &[("name", "name = \"points\"")];
}

/// `[[casino.stage]]`
impl Nested for Stage {
    const KEYS: &'static [Key<Stage>] = keys! { Stage:
        "casino.stage.at" = at, Shape::Words(words::<StageAt>),
            "When the stage is bought: deal before anything is dealt, first-look before the first move, with \
             the deal in view, first-draw before the first draw, pass before each redeal, unknown-card when a \
             draw or a redeal is chosen, for all cards that have been the top of a squared waste and were not \
             bought yet, also the one about to be covered.";
        "casino.stage.cost" = cost, Shape::Money, "What the stage costs; with at = \"unknown-card\", each card.";
        "casino.stage.limit" = limit, Shape::Whole(0, MOST_COUNT),
            "The most cards that are sold in one game; 0 or left out is no limit. Only with at = \
             \"unknown-card\".", if |s| s.limit > 0;
    };
    const NEEDED: &'static [(&'static str, &'static str)] = &[("at", "at = \"deal\""), ("cost", "cost = 13")];
}

/// `[[casino.step]]`
impl Nested for PayStep {
    const KEYS: &'static [Key<PayStep>] = keys! { PayStep:
        "casino.step.from" = from, Shape::Whole(1, MOST_CARDS),
            "The number of cards on the foundations at which the step begins.";
        "casino.step.pays_per_card" = pays_per_card, Shape::SignedMoney,
            "What each further card pays, in place of what a card paid before; below 0 it is a fee.";
        "casino.step.bonus" = bonus, Shape::SignedMoney,
            "Paid once to a game that ends with at least this many cards; below 0 it is a fee.",
            if |s| s.bonus != 0;
    };
    const NEEDED: &'static [(&'static str, &'static str)] = &[("from", "from = 20")];
}

/// `[casino.jackpot]`
impl Nested for Jackpot {
    const KEYS: &'static [Key<Jackpot>] = keys! { Jackpot:
        "casino.jackpot.start" = start, Shape::Money, "What the meter begins with, each time.";
        "casino.jackpot.share" = share, Shape::Decimal(0, 999),
            "The share of the price of each deck that goes to the meter, rounded to a whole cent: 0.02 is 2%.";
        "casino.jackpot.won_by" = won_by, Shape::WholeOr(1, MOST_CARDS, || vec!["win"]),
            "What wins the meter: a win, or this many cards on the foundations at the end.";
    };
    const NEEDED: &'static [(&'static str, &'static str)] =
        &[("start", "start = 100"), ("share", "share = 0.02")];
}

impl Field for Jackpot {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let DeValue::Table(table) = node.get_ref() else { return reader.wrong(node) };
        let mut read = Jackpot::default();
        let sound = reader.table(Jackpot::KEYS, table, &mut read)
            & reader.has(table, node.span(), Jackpot::NEEDED, "[casino.jackpot]");
        if sound {
            *self = read;
        }
        sound
    }

    fn write(&self, _: Shape) -> Option<String> {
        None
    }

    fn tables(&self, path: &str) -> Option<String> {
        Some(tables_to_toml(&format!("[{path}]"), Jackpot::KEYS, self))
    }
}

/// A die as written: `{ die = 6, roll = "pass" }`.
#[derive(Default)]
struct Die {
    faces: Option<u8>,
    roll: Option<Roll>,
}

impl Nested for Die {
    const KEYS: &'static [Key<Die>] = keys! { Die:
        "stock.draw.die" = faces, Shape::Whole(2, MOST_DRAWN), "Faces of the die.";
        "stock.draw.roll" = roll, Shape::Words(words::<Roll>),
            "When it is rolled: for each draw, as a pass begins, or as the game begins.";
    };
    const NEEDED: &'static [(&'static str, &'static str)] = &[];
}

/// `stock.draw`
impl Field for Draw {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        match node.get_ref() {
            DeValue::Array(_) => {
                let mut sizes = Vec::new();
                let sound = reader.numbers(node, &mut sizes);
                if sound {
                    *self = Draw::ByPass(sizes);
                }
                sound
            }
            DeValue::Table(table) => {
                let mut die = Die::default();
                let sound = reader.table(Die::KEYS, table, &mut die);
                if let (Some(faces), Some(roll), true) = (die.faces, die.roll, sound) {
                    *self = Draw::Die { faces, roll };
                    return true;
                }
                for missing in ["die", "roll"].into_iter().filter(|key| !table.contains_key(*key)) {
                    let help = "allowed: { die = 6, roll = \"draw\" }, or roll = \"pass\", \"game\"";
                    reader.fault(node.span(), format!("a die in `stock.draw` needs `{missing}`"), help);
                }
                false
            }
            _ => {
                let size = number_of(node, reader.def.shape);
                reader.put(node, self, size.map(|size| Draw::ByPass(vec![size as u8])))
            }
        }
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(match self {
            Draw::ByPass(sizes) => match sizes[..] {
                [size] => size.to_string(),
                _ => list(sizes, u8::to_string),
            },
            Draw::Die { faces, roll } => format!("{{ die = {faces}, roll = {} }}", text(roll.word())),
        })
    }
}
