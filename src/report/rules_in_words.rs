//! Text for a ruleset: its layout and play, its stakes and its payments.

use super::labels::{listed, upper_first};
use crate::cards::{Pack, Rank};
use crate::format::money;
use crate::rules::words::Word;
use crate::rules::{
    Base, BasePlay, Build, Casino, ChoiceFrom, Direction, Draw, Filler, MoveUnit, OnRedeal, Part, PayStep,
    ReserveFace, Returns, SpaceRank, Spec, Stage, StageAt, Start, TableauFace, WasteFace, WonBy, Wrap,
};

/// Describes a game in a few short sentences.
pub(in crate::report) fn rules_in_words(rules: &Spec) -> Vec<String> {
    let mut lines = layout_and_play(rules);
    lines.push(money_terms(rules));
    lines
}

/// Describes the layout and play, without stakes and payments.
pub(super) fn layout_and_play(rules: &Spec) -> Vec<String> {
    let mut lines = vec![layout(rules), tableau(rules), moves(rules)];
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
                let face = match rules.reserve.face {
                    ReserveFace::Top => "top card face up",
                    ReserveFace::All => "all face up",
                    ReserveFace::Last => "face down until the last card",
                };
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
                let face = match rules.tableau.face {
                    TableauFace::All => "",
                    TableauFace::Top => ", the top card of each face up",
                    TableauFace::Alternate => ", every other card face up",
                };
                parts.push(format!("{each}{face}"));
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
    let direction = match rules.tableau.direction {
        Direction::Down => "down",
        Direction::Up => "up",
        Direction::Same => "on cards of the same rank",
    };
    let build = match rules.tableau.build {
        Build::AlternateColor => "in alternating colours",
        Build::SameSuit => "in suit",
        Build::SameColor => "in one colour",
        Build::Any => "regardless of suit",
    };
    let wrap = match rules.tableau.wrap {
        Wrap::Full if rules.tableau.direction == Direction::Up => "; an ace may be placed on a king",
        Wrap::Full => "; a king may be placed on an ace",
        Wrap::ToBase => "; nothing crosses from the base rank to the rank below it",
        Wrap::None if rules.tableau.direction == Direction::Up => "; nothing is placed on a king",
        Wrap::None => "; nothing is placed on an ace",
    };
    let wrap = if rules.tableau.direction == Direction::Same { "" } else { wrap };
    let height = match rules.tableau.max_height {
        0 => String::new(),
        n => format!("; at most {n} cards in a pile"),
    };
    format!("Piles are built {direction} {build}{wrap}{height}.")
}

fn moves(rules: &Spec) -> String {
    match rules.tableau.unit {
        MoveUnit::Single => "Only the top card of a pile moves to another.",
        MoveUnit::Whole => "Piles move to other piles only whole.",
        MoveUnit::SingleOrWhole => "The top card of a pile, or the whole pile, moves to another.",
        MoveUnit::Sequence => "Any run at the top of a pile moves to another.",
    }
    .into()
}

fn fillers(fillers: &[Filler]) -> String {
    let word = |f: &Filler| match f {
        Filler::Reserve => "the reserve".to_string(),
        Filler::Waste => "the waste".into(),
        Filler::Stock => "the stock".into(),
        Filler::Tableau => "another pile".into(),
        Filler::Foundation => "the foundations".into(),
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
    let forced = if f.base_play == BasePlay::Forced { "; a base card that can go up must" } else { "" };
    let returns = match f.returns {
        Returns::Never => "; cards there stay there",
        Returns::Top => "; the top card may come back to the piles",
        Returns::TopExceptBase => "; the top card may come back to the piles, but no base card",
    };
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
    let turned = match (s.redeals, s.on_redeal) {
        (Some(0), _) => "",
        (_, OnRedeal::Turn) => ", in the same order",
        (_, OnRedeal::Shuffle) => ", shuffled",
    };
    let seen = match s.waste {
        WasteFace::Fanned => "the player may look through the waste",
        WasteFace::Squared => "only the top of the waste is seen",
    };
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
    let amount = |cents: i64| money(cents as f64, c, false);
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
    let cost = money(stage.cost as f64, casino, false);
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
