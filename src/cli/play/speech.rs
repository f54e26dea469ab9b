//! Messages of a game, the same on the screen and in plain text.

use crate::format::plural;
use crate::rules::StageAt;
use crate::session::{Asks, BestLine, Hint, Lost, Made, Money, Over, State};
use crate::text::one_line;

pub fn title(state: &State) -> String {
    let deal = &state.deal;
    let name = one_line(&deal.title);
    match deal.seed {
        Some(seed) => format!("{name}, seed {seed}, game {}", deal.game),
        None => format!("{name}, a given deck"),
    }
}

/// Describes the state of the stock.
pub fn passes(state: &State) -> String {
    let seen = &state.seen;
    let redeals = seen.redeals_left.map_or("unlimited".into(), |left| left.to_string());
    let draw = match (&state.die, seen.draw) {
        (Some(die), 0) => match die.shows {
            Some(shows) => format!("draw: a die, last {shows}"),
            None => "draw: a die".into(),
        },
        (Some(die), draw) => format!("draw {draw} (the die of the {})", die.rolled),
        (None, draw) => format!("draw {draw}"),
    };
    format!("pass {}   redeals left: {redeals}   {draw}", seen.pass)
}

/// Describes the money; empty if the game is not for money.
pub fn money(money: &Money) -> String {
    if !money.for_money {
        return String::new();
    }
    let [staked, fees, pays, net, next, redeal] = &money.shown;
    let mut said = format!("staked {staked}");
    if money.fees != 0 {
        said += &format!("  redeals {fees}");
    }
    said += &format!("  pays {pays}  net {net}");
    if money.next_card != 0 {
        said += &format!("  next card {next}");
    }
    if money.next_redeal != 0 {
        said += &format!("  next redeal {redeal}");
    }
    said
}

/// Returns the question about a stage of the stake, if one is offered.
pub fn stage(state: &State) -> Option<String> {
    let Asks::Stage { at, .. } = state.asks else { return None };
    let what = match at {
        StageAt::Deal => "Nothing is dealt yet. To play the deal",
        StageAt::FirstLook => "The cards are dealt. To play on what lies there",
        StageAt::FirstDraw => "To draw",
        StageAt::Pass => "To make the redeal",
        StageAt::UnknownCard => "To be shown where the cards lie that went by",
    };
    let cost = state.stage_cost.as_deref()?;
    let stops = if at.stops() { "who declines stops" } else { "who declines plays on" };
    Some(format!("{what} costs {cost} ({at}; {stops})."))
}

pub fn over(over: &Over, state: &State) -> String {
    let (cards, moves) = (plural(over.cards.into(), "card"), plural(over.moves.into(), "move"));
    let mut said = format!("The game ends {}: {} {cards} up, {moves}.", over.end, over.why);
    if state.money.for_money {
        said += &format!(" Net {}.", state.money.shown[3]);
    }
    said
}

pub fn made(made: &Made) -> String {
    let mut said = made.word.clone();
    if let Some(at) = made.stage {
        said += &format!(" {at}");
    }
    if let Some(card) = made.card.card() {
        said += &format!("  {card}");
    }
    if let Some(face) = made.roll {
        said += &format!(" (the die shows {face})");
    }
    if made.shuffled {
        said += " (shuffled)";
    }
    if made.ended && ["draw", "redeal"].contains(&&*made.word) {
        said += " (not made)";
    }
    if let Some(by) = &made.by {
        said += &format!(" [{}]", one_line(by));
    }
    said
}

pub fn advice(hint: &Hint) -> String {
    let name = one_line(&hint.strategy);
    match (&hint.choice, hint.buys) {
        (_, Some(true)) => format!("{name} would buy."),
        (_, Some(false)) => format!("{name} would decline."),
        (Some(word), _) => format!("{name} would play {word}."),
        (None, None) => format!("{name} would give up."),
    }
}

/// Lists the strategy's value of every legal move, one per line.
pub fn weights(hint: &Hint) -> Vec<String> {
    let scores = hint.moves.iter().any(|it| it.score.is_some());
    let expects = hint.moves.iter().any(|it| it.expected.is_some());
    if !scores && !expects {
        return Vec::new();
    }
    let mut head = format!("    {:<10}", "move");
    if scores {
        head += &format!(" {:>9}", "score");
    }
    if expects {
        let deals = hint.moves.iter().find_map(|it| it.expected).map_or(0, |it| it.deals);
        head += &format!(" {:>6} {:>6}  on average over {deals} sampled deals, played out", "won", "cards");
    }
    let line = |it: &crate::session::Weight| {
        let mark = if hint.choice.as_ref() == Some(&it.word) { '>' } else { ' ' };
        let score = it.score.map_or(String::new(), |score| format!(" {score:>9}"));
        format!("  {mark} {:<10}{score}{}", it.word, it.expected.map_or(String::new(), |it| expected(&it)))
    };
    std::iter::once(head).chain(hint.moves.iter().map(line)).collect()
}

/// Describes the share of wins and the mean cards of a deal.
pub fn expected(expected: &crate::session::Expected) -> String {
    format!(" {:>5.0}% {:>6.1}", 100.0 * expected.won(), expected.mean_cards())
}

/// Describes the best possible result of the deal.
pub fn possible(best: &BestLine, cards: usize) -> String {
    let known = "With every card known";
    let looked = format!("{} positions were looked at", crate::report::count(best.positions));
    match best.winnable {
        Some(true) => format!("{known} the deal can be won, in {} moves.", best.moves.len()),
        _ if best.cards == best.cards_at_most => {
            format!("{known} at most {} can come up; {cards} did.", plural(best.cards as u64, "card"))
        }
        won => format!(
            "{known} {} can come up, and no more than {}{}. Limit: {looked}.",
            plural(best.cards as u64, "card"),
            best.cards_at_most,
            if won.is_none() { "; whether it can be won was not found out" } else { "" },
        ),
    }
}

/// Describes where the game was lost, out of this many cards.
pub fn lost(lost: &Lost, all: usize) -> String {
    let what = if lost.cards == all { "a win".into() } else { plural(lost.cards as u64, "card") };
    let open = match lost.open {
        0 => "",
        _ => " The limit on positions left other places open.",
    };
    let within = format!("After move {} {what} was still within reach", lost.reachable_after);
    let said = match (&lost.by, lost.lost_after) {
        (Some(word), Some(after)) => {
            format!("Move {after}, {word}, is the first after which {what} was out of reach.")
        }
        (None, Some(after)) => {
            format!("{within}, after move {after} no longer; which move between lost it is not known.")
        }
        (_, None) if lost.reachable_after == lost.moves => {
            format!("No move lost anything: {what} is still within reach.")
        }
        (_, None) => format!("{within}; later it is not known."),
    };
    format!("{said}{open}")
}
