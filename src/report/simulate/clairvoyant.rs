//! The row of the clairvoyant player in the tables of a run: its name and its meaning.

use super::Entry;
use crate::format::{count, plural, share};
use crate::lab::Clairvoyant;
use crate::report::bounds::{BOTH_WAYS, edge_between, mean_between, percent_between};

/// `clairvoyant, 200 deals`
pub(super) fn name(known: &Clairvoyant) -> String {
    format!("clairvoyant, {}", plural(known.deals, "deal"))
}

/// Returns how many of the deals are undecided.
fn open(known: &Clairvoyant) -> String {
    let open = known.deals.saturating_sub(known.most_cards.proven);
    match open {
        0 => "all are proven".into(),
        _ => format!("{} of deals are undecided", share(open as f64 / known.deals.max(1) as f64)),
    }
}

impl Entry<'_> {
    /// What was found under its ruleset, where it was asked.
    pub fn known(&self) -> Option<String> {
        let known = self.found.clairvoyant.as_ref()?;
        let most = &known.most_cards;
        let edge = most
            .house_edge
            .map_or(String::new(), |edge| format!(", house edge {}", edge_between(edge).both()));
        Some(format!(
            "mean cards {}{edge}, games won {}; on the first {}, {} positions a deal at most: {}",
            mean_between(most.cards).both(),
            percent_between(known.winnable.share).both(),
            plural(known.deals, "deal"),
            count(known.nodes),
            open(known)
        ))
    }
}

/// Returns the note of a chart or table with such rows, if it has any.
pub(super) fn about(entries: &[Entry<'_>]) -> Option<String> {
    let all: Vec<(&Entry<'_>, &Clairvoyant)> =
        entries.iter().filter_map(|it| Some((it, it.below?))).collect();
    let (_, first) = all.first()?;
    let open: Vec<String> = match all[..] {
        [(_, only)] => vec![open(only)],
        _ => all.iter().map(|(entry, known)| format!("of {} {}", entry.found.rules, open(known))).collect(),
    };
    Some(format!(
        "The clairvoyant figures are the best possible result of a player who knows every card, on the first {} of the \
             seed. The search stops after {} positions a deal ({}).",
        plural(first.deals, "deal"),
        count(first.nodes),
        open.join("; ")
    ))
}

/// Returns that note, with the meaning of the figures.
pub(super) fn note(entries: &[Entry<'_>]) -> Option<String> {
    let fees = entries.iter().any(|entry| entry.found.spec.casino.has_redeal_fees());
    let fees = if fees { " Fees of redeals are not taken off what that player could get." } else { "" };
    about(entries).map(|about| format!("{about} {BOTH_WAYS}{fees}"))
}
