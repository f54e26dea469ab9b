//! Details of a file of patrons other than names and shares, as columns of a table.

use std::sync::Arc;

use super::document::{Columns, exact};
use super::labels::{listed, percent_text};
use crate::diagnostic::SourceText;
use crate::format::{count, gain_estimate, number};
use crate::lab::NightPatron;
use crate::players::levels;
use crate::rules::Casino;
use crate::stats::Estimate;

/// Adds columns for details of patrons, given the patron of a row; a row of all together has none.
pub(super) fn details<'a, T>(
    table: Columns<T>,
    patrons: impl Iterator<Item = &'a NightPatron> + Clone,
    of: impl Fn(&T) -> Option<&'a NightPatron>,
) -> Columns<T> {
    let strategy = patrons.clone().any(|it| it.name != it.strategy);
    let decks = patrons.clone().any(|it| it.decks_each > 1);
    table
        .name("plays", |it| of(it).map_or("", |it| &it.strategy))
        .when(strategy)
        .figure("decks each", |it| of(it).map_or(exact(""), |it| number(it.decks_each.into())))
        .when(decks)
}

pub(super) const IN_A_ROW: &str = "Who buys several decks plays them one after the other, so a night is made of visits, which \
                                   follow each other until its decks are sold; the last is cut off. All decks of a visit are \
                                   played by one kind of player, which makes nights differ more; N0 and the volatility index \
                                   allow for it. As a night begins with a new visitor, those who buy many decks have \
                                   less of one night than their share.";

/// Describes the standard deviation in the volatility index: with visits, that of many decks exceeds that of one.
pub(super) fn deviation_of(visits: bool) -> &'static str {
    match visits {
        true => "many decks, divided by the root of their number, as a share of the price",
        false => "a deck, as a share of its price",
    }
}

/// Labels the volatility index, which is no figure of one night where visits are of several decks.
pub(super) fn volatility_label(label: &str, visits: bool) -> String {
    format!("{label}{}", if visits { ", of a deck in the long run" } else { "" })
}

/// Difference from which the share of a night is reported in addition to that of the long run.
const NOTICED: f64 = 0.005;

/// Returns whether the shares of a night differ noticeably from those of the long run.
pub(super) fn differ(shares: &[f64], of_night: &[f64]) -> bool {
    shares.iter().zip(of_night).any(|(share, night)| (share - night).abs() >= NOTICED)
}

/// Formats shares to a tenth of a percent, in one line: `64.3% and 35.7%`.
pub(super) fn in_tenths(shares: &[f64]) -> String {
    listed(&shares.iter().map(|share| tenths(*share)).collect::<Vec<_>>(), "and")
}

/// `64.3%`, `60%`
pub(super) fn tenths(share: f64) -> String {
    percent_text((1_000.0 * share).round() / 1_000.0)
}

/// Returns a sentence for each kind of patron found to be no stronger than the next weaker one. The ruleset is that
/// of these files, and a player may be a mix.
pub fn unfit_patrons(files: &[Arc<SourceText>], player: &str, casino: &Casino) -> Vec<String> {
    let kinds: Vec<&str> = player.split(',').filter_map(|it| it.split(':').next()).collect();
    let Some((i, measured)) = files.iter().enumerate().find(|(_, file)| levels(&file.name).next().is_some())
    else {
        return Vec::new();
    };
    let unfit = levels(&measured.name).filter(|it| kinds.contains(&it.name) && !it.is_stronger());
    let extended = if i > 0 { ", which these rules extend" } else { "" };
    unfit
        .map(|it| {
            let (gain, half) = it.gain;
            let gain = Estimate { value: gain, low: gain - half, high: gain + half };
            format!(
                "{} is no stronger than {} in {}{extended}: on the same {} deals it was paid {} more a deck. The program has no \
                 fit player for this kind of patron there",
                it.name,
                it.below,
                it.rules,
                count(it.deals),
                gain_estimate(gain, casino).both()
            )
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_without_a_fit_player_is_told() {
        let casino = crate::rules::load("storehouse").unwrap().rules.spec().casino.clone();
        let said = |files: &[&str], player: &str| {
            let files: Vec<Arc<SourceText>> =
                files.iter().map(|name| SourceText::of(name, "").into()).collect();
            unfit_patrons(&files, player, &casino)
        };
        let of_shelf = said(&["storehouse", "canfield"], "shark");
        assert!(
            of_shelf[0].starts_with("shark is no stronger than expert in storehouse: on the same "),
            "{of_shelf:?}"
        );
        assert_eq!(said(&["storehouse", "canfield"], "expert:95%,shark:5%"), of_shelf);
        assert!(
            said(&["./mine.toml", "storehouse", "canfield"], "shark")[0].contains("which these rules extend")
        );
        assert!(said(&["canfield"], "shark").is_empty() && said(&["storehouse"], "expert").is_empty());
        assert!(said(&["storehouse"], "search:level=2").is_empty());
    }
}
