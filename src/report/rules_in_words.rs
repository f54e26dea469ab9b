//! Text for a ruleset and for its keys: its layout and play, its stakes and its payments.

use super::document::Block;
use super::labels::{listed, upper_first};
use crate::cards::{Pack, Rank};
use crate::format::money;
use crate::rules::Word;
use crate::rules::{
    Base, Casino, ChoiceFrom, Direction, Draw, Filler, Part, PayStep, SpaceRank, Spec, Stage, StageAt, Start,
    WonBy, Wrap,
};

/// What keys mean with a value, or with any other value (`*`, in the place of `{}`): by itself, and after `|` in a
/// sentence on the whole game; then the names of keys.
const MEANINGS: &str = "\
stock.redeals=0: no redeals
stock.redeals=1: 1 redeal
stock.redeals=*: {} redeals
stock.draw=1: 1 card a draw
stock.draw=*: {} cards a draw
stock.draw.die=*: a die of {} faces
stock.on_redeal=turn: redeals keep the order | , in the same order
stock.on_redeal=shuffle: redeals shuffle the stock | , shuffled
stock.waste=fanned: the waste may be looked through | the player may look through the waste
stock.waste=squared: only the top of the waste is seen | only the top of the waste is seen
stock.opening_draw=true: a first draw is part of the deal
stock.opening_draw=false: no first draw in the deal
reserve.size=0: no reserve
reserve.size=*: a reserve of {}
reserve.piles=0: no reserve
reserve.piles=1: 1 reserve pile
reserve.piles=*: {} reserve piles
reserve.face=top: the top of the reserve face up | top card face up
reserve.face=all: the reserve all face up | all face up
reserve.face=last: the reserve face down until its last card | face down until the last card
tableau.face=all: piles all face up
tableau.face=top: only the tops of piles face up | , the top card of each face up
tableau.face=alternate: every other card of the piles face up | , every other card face up
tableau.build=alternate-color: building in alternating colours | in alternating colours
tableau.build=same-suit: building in suit | in suit
tableau.build=same-color: building in one colour | in one colour
tableau.build=any: building regardless of suit | regardless of suit
tableau.direction=down: building down | down
tableau.direction=up: building up | up
tableau.direction=same: building on the same rank | on cards of the same rank
tableau.wrap=full: building goes round past ace and king
tableau.wrap=to-base: building stops at the base rank
tableau.wrap=none: building stops at ace and king
tableau.move=single: only top cards move | Only the top card of a pile moves to another.
tableau.move=whole: only whole piles move | Piles move to other piles only whole.
tableau.move=single-or-whole: top cards and whole piles move | The top card of a pile, or the whole pile, moves to another.
tableau.move=sequence: any run moves | Any run at the top of a pile moves to another.
tableau.max_height=0: piles of any height
tableau.max_height=*: piles of at most {} cards
spaces.auto=[]: no space is filled at once
spaces.auto=*: spaces filled at once from {}
spaces.while_reserve=[]: no space to fill while the reserve lasts
spaces.while_reserve=*: spaces filled from {} while the reserve lasts
spaces.after_reserve=[]: no space to fill after the reserve
spaces.after_reserve=*: spaces filled from {} after the reserve
spaces.rank=any: any card starts a space
spaces.rank=base: only base cards start a space
spaces.rank=below-base: only the rank below the base starts a space
spaces.rank=*: only {} starts a space
foundation.return=never: foundation cards never return | ; cards there stay there
foundation.return=top: foundation cards may return | ; the top card may come back to the piles
foundation.return=top-except-base: foundation cards but the base may return | ; the top card may come back to the piles, but no base card
foundation.base_play=optional: base cards may wait
foundation.base_play=forced: base cards go up at once | ; a base card that can go up must
stock.redeals: redeals
stock.draw: cards a draw
stock.on_redeal: on a redeal
stock.draw.die: faces of the die
reserve.size: reserve
reserve.piles: reserve piles
deal.packs: packs
pack.ranks: ranks
pack.suits: suits
tableau.build: building
tableau.move: what moves
tableau.max_height: highest pile
casino.stake: price of the deck
casino.pays_per_card: pay per card
casino.pays_for_win: bonus for the win
casino.redeal_fee: fee of a redeal
end.barren_passes: barren passes
end.idle_redeals: idle redeals
";

/// Returns the meaning of a key with a value: by itself, and in a sentence.
fn meaning(key: &str, value: &str) -> Option<(&'static str, &'static str)> {
    let of = |value: &str| {
        let begin = format!("{key}={value}: ");
        let said = MEANINGS.lines().find_map(|line| line.strip_prefix(&*begin))?;
        Some(said.split_once(" | ").unwrap_or((said, "")))
    };
    of(value).or_else(|| of("*"))
}

fn in_sentence(key: &str, value: impl Word) -> &'static str {
    meaning(key, value.word()).map_or("", |(_, sentence)| sentence)
}

pub(super) fn key_in_words(key: &str) -> &str {
    MEANINGS.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": ")).unwrap_or(key)
}

/// Describes a key with its value: `no redeals`, `price of the deck 45`.
pub(super) fn rule_in_words(key: &str, value: &str) -> String {
    let list = value.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or_default();
    let elements: Vec<String> =
        list.split(',').map(|it| it.trim().to_string()).filter(|it| !it.is_empty()).collect();
    match (meaning(key, value), &elements[..]) {
        (Some((said, _)), [_, ..]) if key.starts_with("spaces.") => {
            said.replace("{}", &listed(&elements, "or"))
        }
        (Some((said, _)), _) => said.replace("{}", value),
        (None, []) if key == "tableau.deal" => "no piles".into(),
        (None, [cards, others @ ..]) if key == "tableau.deal" => match others.iter().all(|it| it == cards) {
            true => format!(
                "{} of {cards} card{}",
                plural(elements.len(), "pile"),
                if cards == "1" { "" } else { "s" }
            ),
            false => format!("piles of {} cards", listed(&elements, "and")),
        },
        _ if value.starts_with(|c: char| c.is_ascii_digit()) => format!("{} {value}", key_in_words(key)),
        _ => format!("{}: {value}", key_in_words(key)),
    }
}

/// Returns a part of a page that describes a game: what is said of it, its rules in sentences, and its source.
pub(super) fn in_words(heading: String, about: &str, lines: Vec<String>, source: &str) -> Vec<Block> {
    let mut blocks = vec![Block::Heading(heading)];
    blocks.extend((!about.is_empty()).then(|| Block::Text(about.into())));
    blocks.push(Block::List(lines));
    blocks.extend((!source.is_empty()).then(|| Block::Text(format!("Source: {source}"))));
    blocks
}

/// Describes a game in a few short sentences.
pub(super) fn rules_in_words(rules: &Spec) -> Vec<String> {
    let mut lines = layout_and_play(rules);
    lines.push(money_terms(rules));
    lines
}

pub(super) fn layout_and_play(rules: &Spec) -> Vec<String> {
    let mut lines =
        vec![layout(rules), tableau(rules), in_sentence("tableau.move", rules.tableau.unit).into()];
    lines.extend(spaces(rules));
    lines.push(foundations(rules));
    lines.push(stock(rules));
    lines
}

fn plural(n: usize, one: &str) -> String {
    crate::format::plural(n as u64, one)
}

fn layout(rules: &Spec) -> String {
    let mut parts = Vec::new();
    for part in &rules.deal.order {
        match part {
            Part::Reserve if rules.reserve.piles > 0 && rules.reserve.size > 0 => {
                let face = in_sentence("reserve.face", rules.reserve.face);
                let cards = plural(usize::from(rules.reserve.size), "card");
                parts.push(match rules.reserve.piles {
                    1 => format!("a reserve of {cards}, {face}"),
                    n => format!("{n} reserves of {cards} each, {face}"),
                });
            }
            Part::Foundation if rules.foundation.start == Start::One => {
                parts.push("one card to the foundations".into());
            }
            Part::Tableau if matches!(rules.foundation.base, Base::Choice(ChoiceFrom::Dealt(_))) => {
                let piles = plural(rules.piles(), "pile");
                parts.push(format!("{piles} of 1 card each, and one card to choose besides"));
            }
            Part::Tableau if rules.piles() > 0 => {
                let deal = &rules.tableau.deal;
                let each = if deal.iter().all(|n| n == &deal[0]) {
                    format!("{} of {}", plural(deal.len(), "pile"), plural(usize::from(deal[0]), "card"))
                } else {
                    let sizes: Vec<String> = deal.iter().map(u8::to_string).collect();
                    format!("{} of {} cards", plural(deal.len(), "pile"), listed(&sizes, "and"))
                };
                parts.push(format!("{each}{}", in_sentence("tableau.face", rules.tableau.face)));
            }
            _ => {}
        }
    }
    let packs = plural(usize::from(rules.deal.packs), "pack");
    let pack = match rules.pack {
        Pack::FULL => "52".into(),
        pack => format!("{} ({} ranks in {} suits)", pack.cards(), pack.ranks, pack.suits),
    };
    format!("Dealt from {packs} of {pack}, in this order: {}; the rest is the stock.", parts.join("; "))
}

fn tableau(rules: &Spec) -> String {
    let direction = in_sentence("tableau.direction", rules.tableau.direction);
    let build = in_sentence("tableau.build", rules.tableau.build);
    let wrap = match (rules.tableau.wrap, rules.tableau.direction) {
        (_, Direction::Same) => "",
        (Wrap::Full, Direction::Up) => "; an ace may be placed on a king",
        (Wrap::Full, _) => "; a king may be placed on an ace",
        (Wrap::ToBase, _) => "; nothing crosses from the base rank to the rank below it",
        (Wrap::None, Direction::Up) => "; nothing is placed on a king",
        (Wrap::None, _) => "; nothing is placed on an ace",
    };
    let height = match rules.tableau.max_height {
        0 => String::new(),
        n => format!("; at most {n} cards in a pile"),
    };
    format!("Piles are built {direction} {build}{wrap}{height}.")
}

fn fillers(fillers: &[Filler]) -> String {
    let word = |f: &Filler| match f {
        Filler::Tableau => "another pile".to_string(),
        Filler::Foundation => "the foundations".into(),
        other => format!("the {}", other.word()),
    };
    listed(&fillers.iter().map(word).collect::<Vec<_>>(), "or")
}

fn spaces(rules: &Spec) -> Vec<String> {
    let s = &rules.spaces;
    let mut lines = Vec::new();
    if !s.auto.is_empty() {
        let first = if s.auto.len() > 1 { "the first of these that has a card: " } else { "" };
        lines.push(format!("A space is filled at once from {first}{}.", fillers(&s.auto)));
    }
    let rank = match s.rank {
        SpaceRank::Any => String::new(),
        SpaceRank::Rank(rank) => format!(", and only with a card of rank {rank}"),
        SpaceRank::Base => ", and only with a card of the base rank".into(),
        SpaceRank::BelowBase => ", and only with a card of the rank below the base".into(),
    };
    let mut whens = vec![
        ("While the reserve has cards", &s.while_reserve),
        ("Once the reserve is gone", &s.after_reserve),
    ];
    if rules.reserve.piles == 0 || rules.reserve.size == 0 {
        whens = vec![("At any time", &s.after_reserve)];
    }
    for (when, from) in whens {
        if !from.is_empty() {
            lines.push(format!("{when}, the player may fill a space from {}{rank}.", fillers(from)));
        }
    }
    if lines.is_empty() {
        lines.push("A space stays empty.".into());
    }
    lines
}

fn foundations(rules: &Spec) -> String {
    let f = &rules.foundation;
    let base = match f.base {
        Base::Dealt => "the rank of the card that is dealt there".to_string(),
        Base::Choice(ChoiceFrom::Reserve) => "the rank of a reserve card that the player chooses".into(),
        Base::Choice(ChoiceFrom::Dealt(n)) => {
            format!(
                "the rank of one of {n} dealt cards that the player chooses; the others become the tableau"
            )
        }
        Base::Rank(rank) => format!("rank {rank}"),
    };
    let start = if f.start == Start::All { "; all base cards are put up before the deal" } else { "" };
    let forced = in_sentence("foundation.base_play", f.base_play);
    let returns = in_sentence("foundation.return", f.returns);
    let over = match (f.base, rules.pack.highest()) {
        (Base::Rank(Rank::ACE), _) => String::new(),
        _ if rules.pack.ranks == 13 => ", ace after king".into(),
        (_, highest) => format!(", ace after {highest}"),
    };
    format!("Foundations are built up in suit from {base}{over}{start}{forced}{returns}.")
}

fn stock(rules: &Spec) -> String {
    let s = &rules.stock;
    let draw = match &s.draw {
        Draw::ByPass(sizes) => match &sizes[..] {
            [one] => format!("{} at a time", plural(usize::from(*one), "card")),
            sizes => {
                let sizes: Vec<String> = sizes.iter().map(u8::to_string).collect();
                format!("{} cards at a time in successive passes", listed(&sizes, "then"))
            }
        },
        Draw::Die { faces, roll } => {
            let when = roll.word();
            format!("as many cards at a time as a die with {faces} faces shows, rolled once a {when}")
        }
    };
    let redeals = match s.redeals {
        None => "as often as wanted".to_string(),
        Some(0) => "never".into(),
        Some(1) => "once".into(),
        Some(n) => format!("{n} times"),
    };
    let turned = if s.redeals == Some(0) { "" } else { in_sentence("stock.on_redeal", s.on_redeal) };
    let seen = in_sentence("stock.waste", s.waste);
    let opening = if s.opening_draw { " A first draw is part of the deal." } else { "" };
    format!(
        "The stock is drawn {draw}; the waste becomes the stock again {redeals}{turned}; {seen}.{opening}"
    )
}

fn money_terms(rules: &Spec) -> String {
    let c = &rules.casino;
    if !c.is_for_money() {
        return "Nothing is staked and nothing is paid.".into();
    }
    let amount = |cents: i64| amount(c, cents);
    let win = match c.pays_for_win {
        0 => String::new(),
        bonus => format!(", and {} besides for a win", amount(bonus)),
    };
    if c.is_staged() {
        return format!(
            "The stake is bought in stages, and the player may stop at each: {}. The house pays {} for each \
                 card on the foundations at the end{win}, {}.",
            stage_prices(c),
            amount(c.pays_per_card),
            paid_when(c)
        );
    }
    let more: String = more_payments(c).iter().map(|it| format!("; {it}")).collect();
    let fees = redeal_fees(c).map_or(String::new(), |fees| format!(" {}.", upper_first(&fees)));
    format!(
        "The deck costs {}; the house pays {} for each card on the foundations at the end{win}{more}.{fees}",
        amount(c.stake),
        amount(c.pays_per_card)
    )
}

fn amount(casino: &Casino, cents: i64) -> String {
    money(cents as f64, casino, false)
}

/// `from 20 cards on $10.00 for each further card, and $50.00 once`
fn step(casino: &Casino, step: &PayStep) -> String {
    let paid = |cents: i64, what: &str| match cents {
        0 => format!("nothing {what}"),
        1.. => format!("{} {what}", amount(casino, cents)),
        _ => format!("a fee of {} {what}", amount(casino, -cents)),
    };
    let further = step.pays_per_card.map(|cents| paid(cents, "for each further card"));
    let once = (step.bonus != 0).then(|| paid(step.bonus, "once"));
    let both: Vec<String> = further.into_iter().chain(once).collect();
    format!("from {} on {}", plural(step.from.into(), "card"), both.join(", and "))
}

fn jackpot(casino: &Casino) -> Option<String> {
    let it = casino.jackpot?;
    let by = match it.won_by {
        WonBy::Win => "a win".to_string(),
        WonBy::Cards(cards) => plural(cards.into(), "card"),
    };
    let growth = match it.growth(casino.stake) {
        0 => String::new(),
        cents => format!(" and grows by {} with each deck", amount(casino, cents)),
    };
    Some(format!("for {by} a jackpot that starts at {}{growth}", amount(casino, it.start)))
}

/// Describes payments by steps and as a jackpot; empty if there are none.
pub(super) fn more_payments(casino: &Casino) -> Vec<String> {
    casino.steps.iter().map(|it| step(casino, it)).chain(jackpot(casino)).collect()
}

/// Describes redeal fees: `each redeal costs $1.00`; `None` if redeals are free.
pub(super) fn redeal_fees(casino: &Casino) -> Option<String> {
    let cost = |&cents: &i64| if cents == 0 { "nothing".into() } else { amount(casino, cents) };
    match &casino.redeal_fees[..] {
        _ if !casino.has_redeal_fees() => None,
        [fee] => Some(format!("each redeal costs {}", cost(fee))),
        [first, later] => {
            Some(format!("the first redeal costs {} and each later one {}", cost(first), cost(later)))
        }
        fees => {
            let each: Vec<String> = fees.iter().map(cost).collect();
            Some(format!(
                "the redeals cost {} in turn, and any later ones as much as the last",
                each.join(", ")
            ))
        }
    }
}

pub(super) const NO_PRICE: &str =
    "the stake is bought in stages, and at other prices the player would stop at other points";

pub(super) const SHARE_OF_STAKED: &str = "Where the stake is bought in stages, the house edge is the share \
    of the mean amount staked; its interval is that of a ratio of two means (after Fieller).";

pub(super) const COMPARED: &str = "The value of stopping is what it gains over going on. Every stopped game was also played to its end, by the same \
    player on the same shuffle, with every remaining stage bought.";

/// Describes one stage with its price: `$26.00 before the first draw`.
fn stage(stage: &Stage, casino: &Casino) -> String {
    let cost = amount(casino, stage.cost);
    match stage.at {
        StageAt::Deal => format!("{cost} for the hand, before anything is dealt"),
        StageAt::FirstLook => format!("{cost} before the first move"),
        StageAt::FirstDraw => format!("{cost} before the first draw"),
        StageAt::Pass => format!("{cost} for each pass after the first"),
        StageAt::UnknownCard => match stage.limit {
            0 => format!("{cost} to be shown each card that went by"),
            limit => format!("{cost} to be shown each card that went by, at most {limit} a game"),
        },
    }
}

pub(super) fn stage_prices(casino: &Casino) -> String {
    casino.stages.iter().map(|it| stage(it, casino)).collect::<Vec<_>>().join(", ")
}

pub(super) fn paid_when(casino: &Casino) -> &'static str {
    match casino.stages.iter().any(|stage| stage.at.of_the_hand()) {
        true => "if every stage up to the first draw was bought",
        false => "however the game ends",
    }
}
