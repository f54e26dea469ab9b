//! A file of patrons: a table `[[patron]]` for each, with its share of the decks.

use std::ops::Range;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};
use crate::players::load::{is_profile, load_one_beside};
use crate::rules::file::{At, FileKind, Key, Nested, Reading, Shape, defs, keys};
use crate::rules::find::Shelf;
use crate::strategy::StrategySource;
use crate::units::PatronShare;

use super::patron::{Patron, named};

/// Maximum number of kinds of patrons in a file, and of decks that each buys.
const MOST: usize = 100;
const MOST_DECKS: i64 = 20;
/// 100%, in thousandths of a percent.
const WHOLE: i64 = 100_000;

/// A `[[patron]]` table as written.
#[derive(Default)]
pub(super) struct DraftPatron {
    name: Option<String>,
    strategy: At<String>,
    /// Both in thousandths of a percent.
    slip: At<u32>,
    share: u32,
    decks_each: Option<u32>,
}

/// The keys of a file.
#[derive(Default)]
pub(super) struct Draft {
    name: String,
    about: String,
    patrons: Vec<DraftPatron>,
}

const KEYS: &[Key<Draft>] = keys! { Draft:
    "name" = name, Shape::Name, "What these patrons are called.";
    "about" = about, Shape::Text, "Who they are, in a line or more.";
    "patron" = patrons, Shape::Tables(defs::<DraftPatron>), "The patrons, whose shares make up 100.";
};

impl Nested for DraftPatron {
    const KEYS: &'static [Key<DraftPatron>] = keys! { DraftPatron:
        "patron.name" = name, Shape::Name, "What the patron is called in reports; as its strategy if left out.";
        "patron.strategy" = strategy, Shape::Name,
            "How it plays: a strategy of the shelf, or the path of a script from this file.";
        "patron.slip" = slip, Shape::Decimal(0, WHOLE),
            "The percentage of its decisions that are slips: any legal move; 0 if left out.";
        "patron.share" = share, Shape::Decimal(1, WHOLE), "The percentage of the decks that such patrons buy.";
        "patron.decks_each" = decks_each, Shape::Whole(1, MOST_DECKS),
            "The number of decks that each buys, one after the other; 1 if left out.";
    };
    const NEEDED: &'static [(&'static str, &'static str)] =
        &[("strategy", "strategy = \"greedy\""), ("share", "share = 60")];
}

impl FileKind for Draft {
    type Whole = Vec<Patron>;

    const SHELF: Shelf = Shelf { what: "patron file", example: "guests.toml", texts: &[] };
    const KEYS: &'static [Key<Draft>] = KEYS;
    const TABLES: &'static [(&'static str, &'static str)] = &[];
    const SECOND_NAME: Option<(&'static str, &'static str)> = None;
    const HINTS: &'static [(&'static str, &'static str)] = &[
        ("patrons", "write one [[patron]] for each"),
        ("player", "write one [[patron]] for each"),
        ("decks", "the key is `decks_each`; how many decks are sold in all is told on the command line"),
        ("script", "the key is `strategy`"),
        ("weight", "the key is `share`, in percent"),
        ("slips", "the key is `slip`, in percent"),
        ("extends", "a patron file extends no other: copy what you need"),
    ];

    fn begin(&mut self, name: String) {
        self.name = name;
    }

    fn judge(reading: &mut Reading<Draft>, root: &Arc<SourceText>) -> Option<Vec<Patron>> {
        let drafts = std::mem::take(&mut reading.value.patrons);
        if reading.unsound.contains("patron") || reading.gaps.contains("") {
            return None;
        }
        let Some(place) = reading.places.get("patron") else {
            let help = "add a [[patron]] with a strategy and a share for each";
            reading.faults.push(Diagnostic::error(root, 0..0, "there is nobody in this file").help(help));
            return None;
        };
        let (whole, names) = (place.value.clone(), place.items.clone());
        let mut faults = Vec::new();
        let mut fault = |at: &Range<usize>, message: String, help: String| {
            faults.push(Diagnostic::error(root, at.clone(), message).help(help));
        };
        if drafts.len() > MOST {
            fault(&whole, format!("there are {} patrons", drafts.len()), format!("allowed: at most {MOST}"));
        }
        let sum: i64 = drafts.iter().map(|it| i64::from(it.share)).sum();
        if sum != WHOLE {
            let shares = PatronShare::of("", sum * 1_000).percent();
            let help = "allowed: shares in percent that make up 100".into();
            fault(&whole, format!("the shares of the patrons make up {shares}"), help);
        }
        let mut patrons: Vec<Patron> = Vec::new();
        for (i, draft) in drafts.into_iter().enumerate().take(MOST) {
            let strategy = match strategy(&draft, &root.name) {
                Ok(strategy) => strategy,
                Err(Wrong::Script(faults)) => {
                    reading.faults.extend(faults);
                    continue;
                }
                Err(Wrong::Strategy(message, help)) => {
                    fault(&draft.strategy.at, message, help);
                    continue;
                }
                Err(Wrong::Slip(message, help)) => {
                    fault(&draft.slip.at, message, help);
                    continue;
                }
            };
            let name = draft.name.unwrap_or_else(|| strategy.name().to_string());
            if patrons.iter().any(|it| it.name == name) {
                let at = names.get(i).unwrap_or(&whole);
                let help = "give each patron a `name` of its own".into();
                fault(at, format!("two patrons are called \"{name}\""), help);
            }
            let share = PatronShare::of(strategy.name(), i64::from(draft.share) * 1_000);
            patrons.push(Patron { name, strategy, share, decks_each: draft.decks_each.unwrap_or(1) });
        }
        let sound = faults.is_empty();
        reading.faults.extend(faults);
        sound.then_some(patrons)
    }
}

/// What is wrong with a strategy: a message with advice, or the faults of a script.
enum Wrong {
    Script(Vec<Diagnostic>),
    Strategy(String, String),
    Slip(String, String),
}

/// Loads the strategy of a patron, with its error rate; a path is relative to the file `from`.
fn strategy(draft: &DraftPatron, from: &str) -> Result<StrategySource, Wrong> {
    if let Some(Ok(_)) = named(&draft.strategy.value) {
        let help = "allowed: one strategy; write a [[patron]] for each";
        return Err(Wrong::Strategy(
            format!("\"{}\" are several patrons", draft.strategy.value),
            help.into(),
        ));
    }
    let found = load_one_beside(&draft.strategy.value, from).map_err(|error| match error.in_file() {
        Ok((message, help)) => Wrong::Strategy(message, help),
        Err(faults) => Wrong::Script(faults),
    })?;
    match draft.slip.value {
        0 => Ok(found),
        _ if is_profile(&draft.strategy.value) || found.makes_errors() => Err(Wrong::Slip(
            format!("\"{}\" has slips of its own", draft.strategy.value),
            "leave out `slip`, or name a strategy without slips, such as \"greedy\" or \"patient\"".into(),
        )),
        slip => {
            found.with_error_rate(&PatronShare::of("", i64::from(slip) * 1_000).percent()).map_err(|error| {
                Wrong::Slip(error.to_string(), "allowed: a percentage with at most one decimal".into())
            })
        }
    }
}
