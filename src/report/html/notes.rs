//! How the figures were found and what they mean.

use maud::{Markup, html};

use crate::cards::Seed;

/// The seeds may name one several times; `more` are notes of one kind of page.
pub(in crate::report) fn notes(
    seeds: &[Seed],
    command: &str,
    version: &str,
    more: &[impl AsRef<str>],
) -> Markup {
    let mut seeds = seeds.to_vec();
    seeds.sort_unstable();
    seeds.dedup();
    let notes = html! {
            li {
                "Every game was dealt from a shuffled pack and played to its end by the player named, who sees what a "
                "person at the table could see and nothing more. A better or a worse player would give other figures."
            }
            li {
                "A 95% interval is made by a rule that holds the true figure in 95 of 100 such runs. Rates have Wilson's "
                "interval, means Student's. Limits are rounded outwards. Games that were stopped undecided are counted "
                "both ways, and the outer limits are shown."
            }
            li {
                "The house edge is what the player loses on average, as a share of the price of the deck. Figures for "
                "other prices take it that the player plays alike at any price."
            }
            li {
                "Rulesets of the same pack and all players were dealt the same shuffles, so a difference between two rows is "
                "surer than their separate intervals suggest."
            }
            @for note in more { li { (note.as_ref()) } }
    };
    found(&notes, &seeds, command, version)
}

/// How figures were found, in notes of whatever kind, and the command that makes them again.
pub(super) fn found(notes: &Markup, seeds: &[Seed], command: &str, version: &str) -> Markup {
    let seeds = seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
    html! {
        h2 { "How this was found" }
        ul {
            (notes)
            li {
                "The same seed (here " (seeds) ") gives the same games on every machine, with any number of threads."
            }
        }
        p { "To run it again:" }
        pre.command { code { (command) } }
        p.muted { "Made by saratoga " (version) "." }
    }
}
