//! Deals of a file, played instead of those of a seed.

use std::collections::HashSet;
use std::path::Path;

use crate::cards::Card;
use crate::game::NamedDeal;
use crate::lab::SavedText;
use crate::report::{DealsSource, count};
use crate::rules::Loaded;
use crate::units::Count;

use super::args::RunArgs;
use super::error::CliError;
use super::input::deals_file;

/// Deals of a file, as many as are to be played.
pub(super) struct DealsFile {
    /// The file as the command line names it.
    pub name: String,
    pub deals: Vec<NamedDeal>,
    /// Description for a report.
    pub source: DealsSource,
}

impl DealsFile {
    /// Reads the first `games` deals of the file, if one is given; all rulesets must deal the same decks.
    pub fn load(
        path: Option<&Path>,
        rules: &[(&str, &Loaded)],
        games: Option<&Count>,
        run: &RunArgs,
    ) -> Result<Option<DealsFile>, CliError> {
        let (Some(path), Some((first, loaded))) = (path, rules.first()) else { return Ok(None) };
        if path == Path::new("-") && run.keep.shard.is_some() {
            return Err(CliError::input(
                "--deals -: each shard and the merge read the deals, so put them into a file",
            ));
        }
        let shape = loaded.rules.deck_shape();
        if let Some((other, _)) = rules.iter().find(|(_, it)| it.rules.deck_shape() != shape) {
            return Err(CliError::input(format!(
                "--deals: {first} and {other} use different decks, so one file cannot be for both; play them one by one"
            )));
        }
        let mut deals = deals_file(path, &rules.iter().map(|(_, loaded)| *loaded).collect::<Vec<_>>())?;
        let name = path.display().to_string();
        if let Some(games) = games {
            if games.0 > deals.len() as u64 {
                return Err(CliError::input(format!(
                    "-n {games} is more than the {} deals of {name}; leave -n out to play all of them",
                    count(deals.len() as u64)
                )));
            }
            deals.truncate(usize::try_from(games.0).unwrap_or(usize::MAX));
        }
        let source = deals_source(path, &deals);
        Ok(Some(DealsFile { name, deals, source }))
    }
}

/// Describes the deals of a file for a report.
pub(super) fn deals_source(path: &Path, deals: &[NamedDeal]) -> DealsSource {
    let crc32 = crc32fast::hash(decks(deals).text.as_bytes());
    let different: HashSet<&[Card]> = deals.iter().map(|deal| deal.deck.cards()).collect();
    let repeated = (deals.len() - different.len()) as u64;
    DealsSource { file: path.display().to_string(), deals: deals.len() as u64, repeated, crc32 }
}

/// Returns the deals as a text that the run depends on.
pub(super) fn decks(deals: &[NamedDeal]) -> SavedText {
    let line = |deal: &NamedDeal| match &deal.id {
        Some(id) => format!("{id}\t{}", deal.deck),
        None => deal.deck.to_string(),
    };
    let text = deals.iter().map(line).collect::<Vec<_>>().join("\n");
    SavedText { kind: "decks".into(), name: format!("{} of a file", deals.len()), text }
}
