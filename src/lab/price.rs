//! What the casino of a ruleset should ask and pay for a house edge, against one or more players; and which single change
//! of the rules would give it.

use std::sync::atomic::AtomicBool;

use crate::cards::Seed;
use crate::rules::{Casino, Change, Loaded, Rules};
use crate::stats::{Common, Estimate, House, NoOffer, Offer, TAIL, Tally, Term, common, distance, offer};
use crate::strategy::Strategy;

use super::batch::{Batch, BatchError, Finished, Pairing, simulate};
use super::checkpoint::Workers;
use super::measure::Told;
use super::variants::{Variant, variants};

/// What is asked.
pub struct PriceBatch<'a> {
    /// The ruleset's name in replay commands.
    pub named: &'a str,
    /// The ruleset at the price of the deck that is thought of; its stake is not bought in stages.
    pub loaded: &'a Loaded,
    /// Makes the strategy of each player, once for each thread.
    pub players: Vec<&'a (dyn Fn() -> Box<dyn Strategy> + Sync)>,
    /// The seed of all games.
    pub seed: Seed,
    /// Games of each player.
    pub games: u64,
    /// Games of each player under each changed ruleset, the first of these; 0 for none.
    pub variant_games: u64,
    /// The house edge asked for, below 1.
    pub target: f64,
    /// Prices of the deck are round that are whole multiples of this, cents, above 0.
    pub round: i64,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// What the games of one player say.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerPrices {
    /// The edge as the terms are; `None` where the deck is free.
    pub edge: Option<Estimate>,
    /// The same with an interval that holds for all players at once.
    pub edge_at_once: Option<Estimate>,
    /// In the order of [`Term::all`], what each term must be.
    pub offers: Vec<Result<Offer, NoOffer>>,
}

/// A price of the deck with the least edge that any of the players leaves the house.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AtPrice {
    /// Cents.
    pub cents: i64,
    /// The edge, with an interval that holds for all rulesets and players at once, as one is chosen among them.
    pub edge: Estimate,
    /// How far it is from the one asked for.
    pub distance: Estimate,
}

/// A ruleset with one rule changed, or none.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedVariant {
    /// What is changed; `None` as the ruleset is.
    pub change: Option<Change>,
    /// The edge by player at the price of the ruleset.
    pub edges: Vec<Estimate>,
    /// At the price of the ruleset.
    pub here: AtPrice,
    /// At the round price nearest to the edge asked for; `None` where nothing is ever paid.
    pub round: Option<AtPrice>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct PriceFinished {
    /// Games by player, as the ruleset is.
    pub tallies: Vec<Tally>,
    /// What they say, by player.
    pub players: Vec<PlayerPrices>,
    /// In the order of [`Term::all`], what holds against every player.
    pub common: Vec<Option<Common>>,
    /// Changed rulesets and the ruleset as it is, nearest first; empty where there is no edge.
    pub variants: Vec<RankedVariant>,
    /// Games of each player under each of these.
    pub variant_games: u64,
    /// Changes that cannot be made, and why.
    pub impossible: Vec<(Change, String)>,
    /// It was stopped before its games were played.
    pub interrupted: bool,
}

/// Where a run is.
#[derive(Clone, Copy, Debug)]
pub enum PriceStep<'a> {
    /// The ruleset as it is.
    Games(&'a Finished),
    /// Changed rulesets, so many of them.
    Variants(&'a Finished, usize),
}

/// Plays the ruleset, then its variants; until `stop` is set, when the figures are of the games so far.
///
/// # Errors
/// The first fault of a strategy; under a changed ruleset, `rules` in it is that ruleset's id.
pub fn price(
    batch: &PriceBatch<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<PriceFinished, BatchError> {
    let spec = batch.loaded.rules.spec();
    let tries_variants = spec.casino.stake > 0 && batch.variant_games > 0;
    let games = (batch.games, 0);
    let played = play(batch, &[(batch.named, &batch.loaded.rules)], games, stop, &mut |so_far| {
        told(PriceStep::Games(so_far));
    });
    if matches!(played, Err(BatchError::Missing)) && tries_variants {
        // Another shard may still make its part of the variants' games.
        play_variants(batch, &possible(&variants(batch.loaded)), stop, told)?;
    }
    let played = played?;
    let tallies = played.tallies;
    let casino = &spec.casino;
    let terms = Term::all(casino);
    let players: Vec<PlayerPrices> = tallies
        .iter()
        .map(|tally| PlayerPrices {
            edge: House::new(tally, casino).edge(),
            edge_at_once: House::new(tally, casino).leaving_out(TAIL / tallies.len() as f64).edge(),
            offers: terms.iter().map(|&term| offer(tally, casino, batch.target, term)).collect(),
        })
        .collect();
    let holds = |(i, term): (usize, Term)| {
        let offers: Vec<_> = players.iter().map(|player| player.offers[i].clone()).collect();
        common(&tallies, casino, term, &offers)
    };
    let common = terms.iter().copied().enumerate().map(holds).collect();
    let mut finished = PriceFinished {
        players,
        common,
        variants: Vec::new(),
        variant_games: 0,
        impossible: Vec::new(),
        interrupted: played.interrupted,
        tallies,
    };
    if tries_variants && !finished.interrupted {
        try_variants(batch, &mut finished, stop, told)?;
    }
    Ok(finished)
}

/// Plays every ruleset with every player: tallies by ruleset, then by player.
fn play(
    batch: &PriceBatch<'_>,
    rulesets: &[(&str, &Rules)],
    (games, part): (u64, u64),
    stop: &AtomicBool,
    told: &mut dyn FnMut(&Finished),
) -> Result<Finished, BatchError> {
    let entries = rulesets
        .iter()
        .flat_map(|&(id, rules)| batch.players.iter().map(move |&strategy| Pairing { id, rules, strategy }));
    let games = Batch {
        entries: entries.collect(),
        seed: batch.seed,
        games: 0..games,
        precision: None,
        workers: batch.workers.part(part),
        each_game: false,
    };
    simulate(&games, stop, &mut Told(told))
}

/// The changes that make a ruleset.
fn possible(all: &[Variant]) -> Vec<(&Change, &Loaded)> {
    all.iter().filter_map(|it| Some((&it.change, it.rules.as_ref().ok()?))).collect()
}

/// Plays the ruleset and the changed ones with every player.
fn play_variants(
    batch: &PriceBatch<'_>,
    possible: &[(&Change, &Loaded)],
    stop: &AtomicBool,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<Finished, BatchError> {
    let base = std::iter::once((batch.named, &batch.loaded.rules));
    let changed = possible.iter().map(|(_, loaded)| (loaded.id.as_str(), &loaded.rules));
    let rulesets: Vec<(&str, &Rules)> = base.chain(changed).collect();
    play(batch, &rulesets, (batch.variant_games, 1), stop, &mut |so_far| {
        told(PriceStep::Variants(so_far, rulesets.len()));
    })
}

fn try_variants(
    batch: &PriceBatch<'_>,
    finished: &mut PriceFinished,
    stop: &AtomicBool,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<(), BatchError> {
    let all = variants(batch.loaded);
    finished.impossible = all.iter().filter_map(|it| Some((it.change.clone(), it.fault()?))).collect();
    let possible = possible(&all);
    let played = play_variants(batch, &possible, stop, told)?;
    finished.interrupted |= played.interrupted;
    finished.variant_games = played.games;
    if played.games == 0 {
        return Ok(());
    }
    let casino = &batch.loaded.rules.spec().casino;
    let changes = std::iter::once(None).chain(possible.iter().map(|(change, _)| Some((*change).clone())));
    let tail = TAIL / played.tallies.len().max(1) as f64;
    let tallies = played.tallies.chunks(batch.players.len());
    finished.variants = changes
        .zip(tallies)
        .filter_map(|(change, tallies)| {
            let edges: Vec<Estimate> =
                tallies.iter().filter_map(|tally| House::new(tally, casino).edge()).collect();
            let here = at_price(tallies, casino, casino.stake, batch.target, tail)?;
            let round = round_price(tallies, casino, batch.target, batch.round, tail);
            Some(RankedVariant { change, edges, here, round })
        })
        .collect();
    finished.variants.sort_by(|a, b| a.here.distance.value.total_cmp(&b.here.distance.value));
    Ok(())
}

/// The least edge that any player leaves at a price.
fn at_price(tallies: &[Tally], casino: &Casino, cents: i64, target: f64, tail: f64) -> Option<AtPrice> {
    let casino = Term::DeckPrice.set(casino, cents);
    let edges = tallies.iter().filter_map(|tally| House::new(tally, &casino).leaving_out(tail).edge());
    let edge = edges.min_by(|a, b| a.value.total_cmp(&b.value))?;
    Some(AtPrice { cents, edge, distance: distance(edge, target) })
}

/// The whole multiple of `round` cents at which the least edge is nearest to the one asked for.
fn round_price(tallies: &[Tally], casino: &Casino, target: f64, round: i64, tail: f64) -> Option<AtPrice> {
    let prices = tallies.iter().filter_map(|tally| House::new(tally, casino).price_for_edge(target));
    let exact = prices.map(|price| price.value).max_by(f64::total_cmp).filter(|price| *price > 0.0)?;
    let below = (exact / round as f64).floor() as i64 * round;
    let near = [below, below.saturating_add(round)].into_iter().filter(|cents| *cents > 0);
    near.filter_map(|cents| at_price(tallies, casino, cents, target, tail))
        .min_by(|a, b| a.distance.value.total_cmp(&b.distance.value))
}
