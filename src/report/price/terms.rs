//! What the terms of a ruleset are called, and why one of them cannot give the edge.

use super::PriceReport;
use crate::figures::{edge, money, money_estimate, plural};
use crate::report::labels::{percent_text, rule_in_words};
use crate::report::payments::more_payments;
use crate::rules::{Casino, Change};
use crate::stats::{NoOffer, Term};

/// `price of the deck`
pub(in crate::report) fn term_in_words(term: Term, casino: &Casino) -> String {
    match term {
        Term::DeckPrice => "price of the deck".into(),
        Term::PayPerCard => "pay for each card".into(),
        Term::WinBonus => "bonus for the win".into(),
        Term::StepPay(from) => format!("pay for each card after {from}"),
        Term::StepBonus(from) => format!("bonus for {}", plural(from.into(), "card")),
        Term::JackpotStart => "start of the jackpot".into(),
        Term::RedealFee => match redeals_before(casino) {
            0 => "fee of a redeal".into(),
            n => format!("fee of each redeal after {n}"),
        },
    }
}

/// Redeals with fees of their own, before those that cost [`Term::RedealFee`].
pub(super) fn redeals_before(casino: &Casino) -> usize {
    casino.redeal_fees.len().saturating_sub(1)
}

/// `deck price`
pub(super) fn in_short(term: Term, casino: &Casino) -> String {
    match term {
        Term::DeckPrice => "deck price".into(),
        Term::PayPerCard => "pay a card".into(),
        Term::WinBonus => "win bonus".into(),
        other => term_in_words(other, casino),
    }
}

/// A change of one rule as one says it; `None` is no change.
pub(in crate::report) fn change_in_words(change: Option<&Change>) -> String {
    let Some(change) = change else { return "the rules as they are".into() };
    rule_in_words(change.key(), change.shown())
}

pub(super) fn dollars(report: &PriceReport<'_>, cents: i64) -> String {
    money(cents as f64, &report.rules.casino, false)
}

/// Whether there are steps, a jackpot or fees.
pub(super) fn paid_otherwise(report: &PriceReport<'_>) -> bool {
    let casino = &report.rules.casino;
    !more_payments(casino).is_empty() || casino.has_redeal_fees()
}

/// The games do not tell whether a sum gives the edge: the exact one may be above nothing.
fn is_open(why: &NoOffer) -> bool {
    matches!(why, NoOffer::Negative { exact } if exact.high >= 1.0)
}

/// That a term cannot give the edge, or that the games cannot tell which sum does.
pub(super) fn none_gives(report: &PriceReport<'_>, why: &NoOffer, term: Term) -> String {
    let term = term_in_words(term, &report.rules.casino);
    let target = percent_text(report.target);
    match why {
        NoOffer::NeverPaid { .. } => format!("These games cannot tell what {term} gives an edge of {target}"),
        why if is_open(why) => {
            format!("These games cannot tell whether any {term} gives an edge of {target}")
        }
        _ => format!("No {term} gives an edge of {target}"),
    }
}

/// Why a term cannot give the edge.
pub(super) fn why_not(report: &PriceReport<'_>, term: Term, why: &NoOffer) -> String {
    let sum = |exact: &crate::stats::Estimate| money_estimate(*exact, &report.rules.casino).both();
    match (why, term) {
        (NoOffer::FreeDeck, _) => "the deck is free".into(),
        (NoOffer::NothingPaid, _) => "nothing is ever paid, so the edge is 100% at any price".into(),
        (NoOffer::NeverPaid { safe }, _) => {
            let none = match term {
                Term::WinBonus => "none of them was won",
                Term::StepPay(_) | Term::StepBonus(_) => "in none of them that many cards were brought up",
                Term::JackpotStart => "the jackpot was won in none of them",
                Term::RedealFee => "there was no such redeal in them",
                _ => "in none of them a card was brought up",
            };
            match safe {
                Some(safe) => format!(
                    "{none}, so the sum has no upper limit; {} is safe: the edge is then {}, as far as more wins than were \
                     seen are not excluded. More games tell more",
                    dollars(report, safe.cents),
                    edge(safe.edge).both()
                ),
                None => format!("{none}, and no sum is safe. More games tell more"),
            }
        }
        (NoOffer::Negative { exact }, _) if is_open(why) => format!(
            "it would have to be {}, so that more than nothing is not excluded. More games tell more",
            sum(exact)
        ),
        (NoOffer::Negative { exact }, Term::WinBonus) if !paid_otherwise(report) => format!(
            "the cards alone pay more than that edge allows; a winner would have to pay a fee instead of getting a bonus ({})",
            sum(exact)
        ),
        (NoOffer::Negative { exact }, Term::PayPerCard) if !paid_otherwise(report) => format!(
            "the bonus alone pays more than that edge allows; a player would have to pay a fee for each card ({})",
            sum(exact)
        ),
        (NoOffer::Negative { exact }, Term::RedealFee) => format!(
            "the edge is greater without any fee; a player would have to be paid for a redeal ({})",
            sum(exact)
        ),
        (NoOffer::Negative { exact }, Term::DeckPrice) => format!("it would have to be {}", sum(exact)),
        (NoOffer::Negative { exact }, _) => format!(
            "the rest alone pays more than that edge allows; this would have to be a fee ({})",
            sum(exact)
        ),
        (NoOffer::TooLittle { exact }, _) => format!("it would have to be {}, less than a cent", sum(exact)),
        (NoOffer::TooMuch { exact }, _) => {
            format!("it would have to be {}, more than a ruleset can say", sum(exact))
        }
    }
}
