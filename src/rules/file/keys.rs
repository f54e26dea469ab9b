//! The table of all keys of a ruleset file: name, shape, meaning, and functions to read and write it.

use crate::rules::limits::{MOST_COUNT, MOST_HEIGHT, MOST_PILES, MOST_RESERVES, MOST_SIZES};
use crate::rules::spec::*;

use super::format::*;
use super::parts::{DIE_KEYS, JACKPOT_KEYS, SCORE_KEYS, STAGE_KEYS, STEP_KEYS};
use super::shape::Shape;
use super::value::{Key, defs, key};
use super::words::*;

/// The tables of a file with their descriptions, in the order they are written.
pub(super) const TABLES: &[(&str, &str)] = &[
    ("deal", "How the cards leave the shuffled pack."),
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

pub(super) const KEYS: &[Key<Spec>] = &[
    key(
        "name",
        Shape::Text,
        "What the ruleset is called; the file's name if left out.",
        |r, s, v| r.name(v, &mut s.name),
        |s| some(text(&s.name)),
    ),
    key(
        "also",
        Shape::Texts,
        "Other names of the game.",
        |r, s, v| r.texts(v, &mut s.also),
        |s| some(list(&s.also, |name| text(name))),
    ),
    key(
        "about",
        Shape::Text,
        "What the game is, in a sentence or more.",
        |r, s, v| r.text(v, &mut s.about),
        |s| some(text(&s.about)),
    ),
    key(
        "source",
        Shape::Text,
        "Where the text of the rules comes from.",
        |r, s, v| r.text(v, &mut s.source),
        |s| some(text(&s.source)),
    ),
    // Resolved before any other key is read.
    key(
        "extends",
        Shape::Text,
        "The ruleset to start from: an included one, or a path from this file. The file lists only what \
         differs. name, also, about and source are not inherited; [[score]] and the stake are replaced as a \
         whole.",
        |r, _, v| r.text(v, &mut String::new()),
        |_| None,
    ),
    key(
        "deal.packs",
        Shape::Whole(1, 4),
        "52-card packs; four foundations for each.",
        |r, s, v| r.whole(v, &mut s.deal.packs),
        |s| some(s.deal.packs.to_string()),
    ),
    key(
        "deal.order",
        Shape::WordList(words::<Part>),
        "The order in which cards leave the shuffled pack; what is left is the stock.",
        |r, s, v| r.word_list(v, &mut s.deal.order),
        |s| some(word_list(&s.deal.order)),
    ),
    key(
        "reserve.piles",
        Shape::Whole(0, MOST_RESERVES),
        "Reserve piles.",
        |r, s, v| r.whole(v, &mut s.reserve.piles),
        |s| some(s.reserve.piles.to_string()),
    ),
    key(
        "reserve.size",
        Shape::Whole(0, 40),
        "Cards in each reserve pile.",
        |r, s, v| r.whole(v, &mut s.reserve.size),
        |s| some(s.reserve.size.to_string()),
    ),
    key(
        "reserve.face",
        Shape::Words(words::<ReserveFace>),
        "Which reserve cards are face up: the top one, all of them, or none until only one is left (last).",
        |r, s, v| r.word(v, &mut s.reserve.face),
        |s| some(word(s.reserve.face)),
    ),
    key(
        "tableau.deal",
        Shape::Wholes(0, 52, MOST_PILES),
        "Cards dealt to each pile; sets the number of piles too.",
        |r, s, v| r.wholes(v, &mut s.tableau.deal),
        |s| some(list(&s.tableau.deal, u8::to_string)),
    ),
    key(
        "tableau.face",
        Shape::Words(words::<TableauFace>),
        "Which dealt cards are face up; with alternate, every other card, the top one being up.",
        |r, s, v| r.word(v, &mut s.tableau.face),
        |s| some(word(s.tableau.face)),
    ),
    key(
        "tableau.build",
        Shape::Words(words::<Build>),
        "Which suits may be built on each other.",
        |r, s, v| r.word(v, &mut s.tableau.build),
        |s| some(word(s.tableau.build)),
    ),
    key(
        "tableau.direction",
        Shape::Words(words::<Direction>),
        "Whether a card goes on the next higher rank (down), the next lower (up) or an equal one (same).",
        |r, s, v| r.word(v, &mut s.tableau.direction),
        |s| some(word(s.tableau.direction)),
    ),
    key(
        "tableau.wrap",
        Shape::Words(words::<Wrap>),
        "Whether building goes on past A and K: always, so that K goes on A (full); yes, but never past \
         the base rank (to-base); or never (none).",
        |r, s, v| r.word(v, &mut s.tableau.wrap),
        |s| some(word(s.tableau.wrap)),
    ),
    key(
        "tableau.move",
        Shape::Words(words::<MoveUnit>),
        "What moves between piles: the top card (single), the whole face-up run (whole), either, or any \
         part of a run (sequence).",
        |r, s, v| r.word(v, &mut s.tableau.unit),
        |s| some(word(s.tableau.unit)),
    ),
    key(
        "tableau.max_height",
        Shape::Whole(0, MOST_HEIGHT),
        "The largest number of cards that a pile may hold; 0 is no limit.",
        |r, s, v| r.whole(v, &mut s.tableau.max_height),
        |s| some(s.tableau.max_height.to_string()),
    ),
    key(
        "spaces.auto",
        Shape::WordList(words::<AutoFiller>),
        "What fills a space at once, as part of the move that made it: the first of these sources that has \
         cards.",
        |r, s, v| r.auto(v, &mut s.spaces.auto),
        |s| some(word_list(&s.spaces.auto)),
    ),
    key(
        "spaces.while_reserve",
        Shape::WordList(words::<Filler>),
        "What a player may put in a space while reserve cards are left.",
        |r, s, v| r.word_list(v, &mut s.spaces.while_reserve),
        |s| some(word_list(&s.spaces.while_reserve)),
    ),
    key(
        "spaces.after_reserve",
        Shape::WordList(words::<Filler>),
        "What a player may put in a space once the reserve is empty; a space may stay empty.",
        |r, s, v| r.word_list(v, &mut s.spaces.after_reserve),
        |s| some(word_list(&s.spaces.after_reserve)),
    ),
    key(
        "spaces.rank",
        Shape::RankOr(words::<SpaceRank>),
        "Which rank may start a space.",
        |r, s, v| r.space_rank(v, &mut s.spaces.rank),
        |s| some(space_rank(s.spaces.rank)),
    ),
    key(
        "foundation.base",
        Shape::RankOr(words::<BaseWord>),
        "The rank that foundations start with. dealt: the rank of the card dealt there; choice: the player \
         chooses it with the first move.",
        |r, s, v| r.base(v, &mut s.foundation.base),
        |s| some(base(s.foundation.base)),
    ),
    key(
        "foundation.choice_from",
        Shape::WholeOr(1, MOST_PILES as i64 + 1, words::<FromReserve>),
        "What the player chooses the base from: the tops of the reserve, or that many cards dealt for it. \
         Only with base = \"choice\".",
        |r, _, v| r.choice_from(v),
        |s| choice_from(s.foundation.base),
    ),
    key(
        "foundation.start",
        Shape::Words(words::<Start>),
        "How many base cards the deal puts up; with all they are taken out of the pack before dealing.",
        |r, s, v| r.word(v, &mut s.foundation.start),
        |s| some(word(s.foundation.start)),
    ),
    key(
        "foundation.return",
        Shape::Words(words::<Returns>),
        "Whether a foundation card may go back to the tableau.",
        |r, s, v| r.word(v, &mut s.foundation.returns),
        |s| some(word(s.foundation.returns)),
    ),
    key(
        "foundation.base_play",
        Shape::Words(words::<BasePlay>),
        "Whether an exposed base-rank card must go up at once.",
        |r, s, v| r.word(v, &mut s.foundation.base_play),
        |s| some(word(s.foundation.base_play)),
    ),
    key(
        "stock.draw",
        Shape::Draw(|| defs(DIE_KEYS)),
        "Cards in a draw: a number; a list with one number for each pass, the last of which repeats; or the \
         roll of a die.",
        |r, s, v| r.draw(v, &mut s.stock.draw),
        |s| some(draw(&s.stock.draw)),
    ),
    key(
        "stock.redeals",
        Shape::WholeOr(0, MOST_COUNT, words::<Unlimited>),
        "How often the waste may become the stock again. The number of passes is one more.",
        |r, s, v| r.redeals(v, &mut s.stock.redeals),
        |s| some(s.stock.redeals.map_or(word(Unlimited), |n| n.to_string())),
    ),
    key(
        "stock.on_redeal",
        Shape::Words(words::<OnRedeal>),
        "What a redeal does with the order of the cards.",
        |r, s, v| r.word(v, &mut s.stock.on_redeal),
        |s| some(word(s.stock.on_redeal)),
    ),
    key(
        "stock.waste",
        Shape::Words(words::<WasteFace>),
        "Which cards of the waste the player sees: all, and so knows them in later passes (fanned), or only \
         the top (squared).",
        |r, s, v| r.word(v, &mut s.stock.waste),
        |s| some(word(s.stock.waste)),
    ),
    key(
        "stock.opening_draw",
        Shape::Flag,
        "Whether a first draw is part of the deal.",
        |r, s, v| r.flag(v, &mut s.stock.opening_draw),
        |s| some(s.stock.opening_draw.to_string()),
    ),
    key(
        "end.barren_passes",
        Shape::Whole(1, MOST_COUNT),
        "The game is stopped after this many passes in a row without a play. By default 2, or no limit if a \
         die decides a draw or pass, or a redeal shuffles.",
        |r, s, v| r.whole(v, s.barren_passes.get_or_insert_default()),
        |s| s.barren_passes.map(|n| n.to_string()),
    ),
    key(
        "end.idle_redeals",
        Shape::Whole(1, MOST_COUNT),
        "In place of barren_passes: with 4, the game ends instead of the fourth redeal in a row without a play. A base \
         card that must go up is no play here, and a pass in which no play is legal does not end the game.",
        |r, s, v| r.whole(v, s.idle_redeals.get_or_insert_default()),
        |s| s.idle_redeals.map(|n| n.to_string()),
    ),
    key(
        "casino.stake",
        Shape::Money,
        "Price of the deck. If left out, 52 for each pack, or nothing if there are [[casino.stage]].",
        |r, s, v| r.money(v, &mut s.casino.stake),
        |s| {
            let casino = &s.casino;
            let steps = casino.stages.iter().any(|stage| stage.at.of_the_hand());
            (!steps || casino.stake != 0).then(|| money(casino.stake))
        },
    ),
    key(
        "casino.pays_per_card",
        Shape::Money,
        "Paid for each card on the foundations at the end.",
        |r, s, v| r.money(v, &mut s.casino.pays_per_card),
        |s| some(money(s.casino.pays_per_card)),
    ),
    key(
        "casino.pays_for_win",
        Shape::Money,
        "Paid for a win, on top of what the cards pay.",
        |r, s, v| r.money(v, &mut s.casino.pays_for_win),
        |s| some(money(s.casino.pays_for_win)),
    ),
    key(
        "casino.redeal_fee",
        Shape::MoneyOrList(MOST_SIZES),
        "What a redeal costs, or a list by redeal whose last amount repeats. A player who does not pay does not redeal.",
        |r, s, v| r.moneys(v, &mut s.casino.redeal_fees),
        |s| match &s.casino.redeal_fees[..] {
            [] => None,
            [fee] => some(money(*fee)),
            fees => some(list(fees, |&fee| money(fee))),
        },
    ),
    key(
        "casino.currency",
        Shape::Text,
        "Sign or name of the money.",
        |r, s, v| r.text(v, &mut s.casino.currency),
        |s| some(text(&s.casino.currency)),
    ),
    // Written as tables, not as values.
    key(
        "casino.step",
        Shape::Tables(|| defs(STEP_KEYS)),
        "What is paid from a number of cards on. There may be several, by the number of cards.",
        |r, s, v| r.steps(v, &mut s.casino.steps),
        |_| None,
    ),
    key(
        "casino.jackpot",
        Shape::Table(|| defs(JACKPOT_KEYS)),
        "A meter that begins with an amount, grows with each deck sold and is paid out whole to who wins it.",
        |r, s, v| r.jackpot(v, &mut s.casino.jackpot),
        |_| None,
    ),
    key(
        "casino.stage",
        Shape::Tables(|| defs(STAGE_KEYS)),
        "A stake that is bought in stages; the player may stop at each.",
        |r, s, v| r.stages(v, &mut s.casino.stages),
        |_| None,
    ),
    key(
        "score",
        Shape::Tables(|| defs(SCORE_KEYS)),
        "A score with a name: points for a finished game. There may be several.",
        |r, s, v| r.scores(v, &mut s.scores),
        |_| None,
    ),
];
