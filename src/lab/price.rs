//! Prices and payments that give the house a certain edge against one or more players, and single changes of the
//! rules that would do so.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::cards::Seed;
use crate::diagnostic::{Diagnostic, Severity};
use crate::rules::{Casino, Change, Draw, Loaded, Rules, vary};
use crate::stats::{Common, Estimate, House, NoOffer, Offer, TAIL, Tally, Term, common, distance, offer};

use crate::strategy::StrategySource;

use super::batch::{Batch, BatchError, Finished, Matchup, simulate};
use super::blocks::{Stopped, Workers};

/// The ruleset, the players and the house edge to reach.
pub struct Pricing<'a> {
    /// Name of the ruleset in replay commands.
    pub named: &'a str,
    /// The ruleset at the price considered; its stake is not bought in stages.
    pub loaded: &'a Loaded,
    /// The players.
    pub players: &'a [StrategySource],
    /// The seed of all games.
    pub seed: Seed,
    /// Number of games of each player.
    pub games: u64,
    /// Number of games of each player under each changed ruleset, counted from the first; 0 for none.
    pub variant_games: u64,
    /// The house edge to reach, below 1.
    pub target: f64,
    /// Step of round prices, cents, above 0.
    pub round: i64,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Offers for one player: the value needed for each term, the others unchanged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerPrices {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Whether it considers prices, and may play differently at others.
    pub looks_at_prices: bool,
    /// House edge at the present terms; `None` if the deck is free.
    pub edge: Option<Estimate>,
    /// The same edge, with joint confidence for all players.
    pub edge_at_once: Option<Estimate>,
    /// Offer for each term of the casino.
    #[serde(serialize_with = "offers_by_term")]
    pub offers: Vec<(Term, Result<Offer, NoOffer>)>,
    /// The games.
    pub tally: Tally,
}

/// Lowest house edge over all players at a price of the deck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtPrice {
    /// The price, cents.
    pub cents: i64,
    /// The edge, with joint confidence for all rulesets and players, as the lowest is selected.
    pub edge: Estimate,
    /// The distance from the target edge, 0 or more, as a fraction.
    pub distance: Estimate,
}

/// A ruleset with at most one rule changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedVariant {
    /// `None` for the original ruleset.
    pub change: Option<Change>,
    /// House edge for each player at the ruleset's price.
    pub edges: Vec<Estimate>,
    /// Lowest edge at the ruleset's price.
    pub at_price: AtPrice,
    /// Lowest edge at the round price nearest to the target; `None` if nothing is ever paid.
    pub round_price: Option<AtPrice>,
}

/// A change that makes the ruleset invalid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Impossible {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The fault.
    pub why: String,
}

/// Prices and rules that give the target edge.
#[derive(Clone, Debug, Serialize)]
pub struct Prices {
    /// The terms of the casino.
    #[serde(skip)]
    pub casino: Casino,
    /// The adjustable terms, with their present values, cents.
    #[serde(serialize_with = "by_term")]
    pub terms: Vec<(Term, i64)>,
    /// Sign or name of the money.
    pub currency: String,
    /// Target house edge, a fraction.
    pub target_edge: f64,
    /// Step of round prices, cents.
    pub round_step: i64,
    /// Results for each player alone.
    pub players: Vec<PlayerPrices>,
    /// Value of each term that reaches the target against every player.
    #[serde(serialize_with = "by_term")]
    pub against_each: Vec<(Term, Option<Common>)>,
    /// Number of games of each player under each changed ruleset.
    pub variant_games: u64,
    /// The changed rulesets and the original, nearest to the target first; empty if there is no edge.
    pub variants: Vec<RankedVariant>,
    /// Changes that make the ruleset invalid.
    pub impossible: Vec<Impossible>,
    /// Whether the run was stopped before all games were played.
    #[serde(skip)]
    pub interrupted: bool,
}

impl Prices {
    /// Returns the number of games of each player.
    pub fn games(&self) -> u64 {
        self.players.first().map_or(0, |player| player.tally.games())
    }
}

/// Serializes an object with the terms as its keys.
pub(super) fn by_term<T: Serialize, S: Serializer>(
    values: &[(Term, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(term, value)| (term, value)))
}

/// Serializes offers by term, each as its value or the reason why there is none.
fn offers_by_term<S: Serializer>(
    offers: &[(Term, Result<Offer, NoOffer>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(offers.len()))?;
    for (term, offer) in offers {
        match offer {
            Ok(offer) => map.serialize_entry(term, offer)?,
            Err(reason) => map.serialize_entry(term, reason)?,
        }
    }
    map.end()
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub enum PriceStep<'a> {
    /// Games under the original ruleset.
    Games(&'a Finished),
    /// Games under changed rulesets, and the number of rulesets.
    Variants(&'a Finished, usize),
}

/// Plays the ruleset, then its variants. For a changed ruleset, `rules` in an error is that ruleset's id.
pub fn price(asked: &Pricing<'_>, told: &mut dyn FnMut(PriceStep<'_>)) -> Result<Prices, BatchError> {
    let casino = &asked.loaded.rules.spec().casino;
    let tries_variants = casino.stake > 0 && asked.variant_games > 0;
    let games = (asked.games, 0);
    let played = play(asked, &[(asked.named, &asked.loaded.rules)], games, &mut |so_far| {
        told(PriceStep::Games(so_far));
    });
    if matches!(played, Err(Stopped::Missing)) && tries_variants {
        // Another shard may still run its share of the variants' games.
        play_variants(asked, &possible(&variants(asked.loaded)), told)?;
    }
    let played = played?;
    let tallies = played.tallies;
    let terms = Term::all(casino);
    let against_each = terms.iter().map(|&term| {
        let offers: Vec<_> = tallies.iter().map(|tally| offer(tally, casino, asked.target, term)).collect();
        (term, common(&tallies, casino, term, &offers))
    });
    let mut prices = Prices {
        casino: casino.clone(),
        terms: terms.iter().map(|&term| (term, term.of(casino))).collect(),
        currency: casino.currency.clone(),
        target_edge: asked.target,
        round_step: asked.round,
        against_each: against_each.collect(),
        players: Vec::new(),
        variant_games: 0,
        variants: Vec::new(),
        impossible: Vec::new(),
        interrupted: played.interrupted,
    };
    let tail = TAIL / tallies.len() as f64;
    let players = asked.players.iter().zip(tallies).map(|(player, tally)| PlayerPrices {
        strategy: player.name().into(),
        looks_at_prices: player.looks_at_prices(),
        edge: House::new(&tally, casino).edge(),
        edge_at_once: House::new(&tally, casino).leaving_out(tail).edge(),
        offers: terms.iter().map(|&term| (term, offer(&tally, casino, asked.target, term))).collect(),
        tally,
    });
    prices.players = players.collect();
    if tries_variants && !prices.interrupted {
        try_variants(asked, &mut prices, told)?;
    }
    Ok(prices)
}

/// Plays every ruleset with every player; returns tallies by ruleset, then by player.
fn play(
    asked: &Pricing<'_>,
    rulesets: &[(&str, &Rules)],
    (games, part): (u64, u64),
    told: &mut dyn FnMut(&Finished),
) -> Result<Finished, BatchError> {
    let entries = rulesets
        .iter()
        .flat_map(|&(id, rules)| asked.players.iter().map(move |strategy| Matchup { id, rules, strategy }));
    let batch = Batch::new(entries.collect(), asked.seed, 0..games, asked.workers.part(part));
    simulate(&batch, &mut |so_far: &Finished| told(so_far))
}

fn possible(all: &[Variant]) -> Vec<(&Change, &Loaded)> {
    all.iter().filter_map(|(change, rules)| Some((change, rules.as_ref().ok()?))).collect()
}

/// Plays the original and the changed rulesets with every player.
fn play_variants(
    asked: &Pricing<'_>,
    possible: &[(&Change, &Loaded)],
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<Finished, BatchError> {
    let base = std::iter::once((asked.named, &asked.loaded.rules));
    let changed = possible.iter().map(|(_, loaded)| (loaded.id.as_str(), &loaded.rules));
    let rulesets: Vec<(&str, &Rules)> = base.chain(changed).collect();
    play(asked, &rulesets, (asked.variant_games, 1), &mut |so_far| {
        told(PriceStep::Variants(so_far, rulesets.len()));
    })
}

fn try_variants(
    asked: &Pricing<'_>,
    prices: &mut Prices,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<(), BatchError> {
    let all = variants(asked.loaded);
    let faulty = all.iter().filter_map(|(change, rules)| {
        Some(Impossible { change: change.clone(), why: first_error(rules.as_ref().err()?) })
    });
    prices.impossible = faulty.collect();
    let possible = possible(&all);
    let played = play_variants(asked, &possible, told)?;
    prices.interrupted |= played.interrupted;
    prices.variant_games = played.games;
    if played.games == 0 {
        return Ok(());
    }
    let casino = &asked.loaded.rules.spec().casino;
    let changes = std::iter::once(None).chain(possible.iter().map(|(change, _)| Some((*change).clone())));
    let tail = TAIL / played.tallies.len().max(1) as f64;
    let tallies = played.tallies.chunks(asked.players.len());
    prices.variants = changes
        .zip(tallies)
        .filter_map(|(change, tallies)| {
            let edges: Vec<Estimate> =
                tallies.iter().filter_map(|tally| House::new(tally, casino).edge()).collect();
            let here = at_price(tallies, casino, casino.stake, asked.target, tail)?;
            let round_price = round_price(tallies, casino, asked.target, asked.round, tail);
            Some(RankedVariant { change, edges, at_price: here, round_price })
        })
        .collect();
    prices.variants.sort_by(|a, b| a.at_price.distance.value.total_cmp(&b.at_price.distance.value));
    Ok(())
}

/// Returns the lowest house edge over all players at a price.
fn at_price(tallies: &[Tally], casino: &Casino, cents: i64, target: f64, tail: f64) -> Option<AtPrice> {
    let casino = Term::DeckPrice.set(casino, cents);
    let edges = tallies.iter().filter_map(|tally| House::new(tally, &casino).leaving_out(tail).edge());
    let edge = edges.min_by(|a, b| a.value.total_cmp(&b.value))?;
    Some(AtPrice { cents, edge, distance: distance(edge, target) })
}

/// Returns the multiple of `round` cents at which the lowest edge is nearest to the target.
fn round_price(tallies: &[Tally], casino: &Casino, target: f64, round: i64, tail: f64) -> Option<AtPrice> {
    let prices = tallies.iter().filter_map(|tally| House::new(tally, casino).price_for_edge(target));
    let exact = prices.map(|price| price.value).max_by(f64::total_cmp).filter(|price| *price > 0.0)?;
    let below = (exact / round as f64).floor() as i64 * round;
    let near = [below, below.saturating_add(round)].into_iter().filter(|cents| *cents > 0);
    near.filter_map(|cents| at_price(tallies, casino, cents, target, tail))
        .min_by(|a, b| a.distance.value.total_cmp(&b.distance.value))
}

const REDEALS: [&str; 7] = ["0", "1", "2", "3", "4", "5", "unlimited"];
const DRAWS: std::ops::RangeInclusive<u8> = 1..=5;
/// Maximum number of reserve cards to remove or add.
const RESERVES: i16 = 3;

/// One changed rule, and the ruleset with it, or its faults.
pub type Variant = (Change, Result<Loaded, Vec<Diagnostic>>);

fn first_error(faults: &[Diagnostic]) -> String {
    let first = faults.iter().find(|fault| fault.severity == Severity::Error).or(faults.first());
    first.map_or(String::new(), |fault| fault.message.clone())
}

/// Returns the ruleset with one rule changed, in each way tried: redeals 0 to 5 and unlimited, 1 to 5 cards a draw,
/// up to three reserve cards fewer or more. Changes without effect are left out.
pub fn variants(base: &Loaded) -> Vec<Variant> {
    let spec = base.rules.spec();
    let present = spec.stock.redeals.map_or("unlimited".into(), |redeals| redeals.to_string());
    let redeals = REDEALS.iter().filter(|it| **it != present).map(|it| ("stock.redeals", it.to_string()));
    let draws = DRAWS.filter(|draw| spec.stock.draw != Draw::ByPass(vec![*draw]));
    let draws = draws.map(|draw| ("stock.draw", draw.to_string()));
    let size = i16::from(spec.reserve.size);
    // Without reserve piles their size has no effect.
    let reserve = if spec.reserve.piles == 0 { 0 } else { RESERVES };
    let sizes = (-reserve..=reserve).filter(|by| *by != 0 && size + by >= 0);
    let sizes = sizes.map(|by| ("reserve.size", (size + by).to_string()));
    let changes = redeals.chain(draws).chain(sizes).filter_map(|(key, value)| Change::new(key, &value).ok());
    changes.map(|change| (change.clone(), vary(base, &[change]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{load, parse_text};

    fn told(base: &Loaded) -> Vec<String> {
        variants(base).iter().map(|(change, _)| change.to_string()).collect()
    }

    #[test]
    fn every_single_change_is_tried_but_none_that_changes_nothing() {
        let canfield =
            told(&load("canfield").unwrap()).join(" ").replace("stock.", "").replace("reserve.", "");
        let redeals =
            "redeals=0 redeals=1 redeals=2 redeals=3 redeals=4 redeals=5 draw=1 draw=2 draw=4 draw=5";
        assert_eq!(canfield, format!("{redeals} size=10 size=11 size=12 size=14 size=15 size=16"));
        // A die differs from all fixed draws.
        let die = told(&load("exorcism-die-pass").unwrap());
        assert_eq!(die.iter().filter(|it| it.starts_with("stock.draw")).count(), 5);
        let small = parse_text("small.toml", "extends = \"canfield\"\n[reserve]\nsize = 1\n").unwrap();
        assert_eq!(told(&small).iter().filter(|it| it.starts_with("reserve")).count(), 4);
    }

    #[test]
    fn a_change_that_cannot_be_is_told() {
        let text = "extends = \"canfield\"\n[reserve]\nsize = 39\n[tableau]\ndeal = [3, 3, 3, 3]\n";
        let large = parse_text("large.toml", text).unwrap();
        let variants = variants(&large);
        let of = |change: &str| &variants.iter().find(|it| it.0.to_string() == change).unwrap().1;
        assert!(of("reserve.size=38").is_ok());
        assert!(first_error(of("reserve.size=42").as_ref().unwrap_err()).contains("42"));
    }
}
