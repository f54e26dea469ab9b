//! What the casino of a ruleset should ask and pay for a house edge, against one or more players; and which single change
//! of the rules would give it.

use std::sync::atomic::AtomicBool;

use serde::{Serialize, Serializer};

use crate::cards::Seed;
use crate::rules::{Casino, Change, Loaded, Rules};
use crate::stats::{Common, Estimate, House, NoOffer, Offer, TAIL, Tally, Term, common, distance, offer};

use super::batch::{Batch, BatchError, Finished, Matchup, simulate};
use super::contests::MakeStrategy;
use super::measure::ProgressSink;
use super::variants::{Variant, variants};
use super::workers::Workers;

/// A player whose games set the prices.
#[derive(Clone, Copy)]
pub struct PricedPlayer<'a> {
    /// The strategy: its shelf name or the path of its script.
    pub name: &'a str,
    /// Whether it looks at what a deck costs or pays, so that it may play otherwise at other prices.
    pub looks_at_prices: bool,
    /// Makes the strategy, once for each thread.
    pub strategy: MakeStrategy<'a>,
}

/// The ruleset, the players and the house edge to reach.
pub struct Pricing<'a> {
    /// The ruleset's name in replay commands.
    pub named: &'a str,
    /// The ruleset at the price considered; its stake is not bought in stages.
    pub loaded: &'a Loaded,
    /// Who plays.
    pub players: Vec<PricedPlayer<'a>>,
    /// The seed of all games.
    pub seed: Seed,
    /// Games of each player.
    pub games: u64,
    /// Games of each player under each changed ruleset, the first of these; 0 for none.
    pub variant_games: u64,
    /// The house edge to reach, below 1.
    pub target: f64,
    /// Round prices are whole multiples of this, cents, above 0.
    pub round: i64,
    /// Who makes the blocks.
    pub workers: Workers<'a>,
}

/// Offers of one player: what each term must be, the others as they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerPrices {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Whether it looks at prices, and may play otherwise at others.
    pub looks_at_prices: bool,
    /// The edge at the present terms; `None` where the deck is free.
    pub edge: Option<Estimate>,
    /// The same with an interval that holds for all players at once.
    pub edge_at_once: Option<Estimate>,
    /// One for each term of the casino.
    #[serde(serialize_with = "offers_by_term")]
    pub offers: Vec<(Term, Result<Offer, NoOffer>)>,
    /// The games.
    pub tally: Tally,
}

/// The lowest edge over all players at a price of the deck.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtPrice {
    /// Cents.
    pub cents: i64,
    /// The edge, with an interval that holds for all rulesets and players at once, as one is chosen among them.
    pub edge: Estimate,
    /// The distance from the target.
    pub distance: Estimate,
}

/// A ruleset with one rule changed, or none.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankedVariant {
    /// `None` for the ruleset as it is.
    pub change: Option<Change>,
    /// The edge by player at the price of the ruleset.
    pub edges: Vec<Estimate>,
    /// At the price of the ruleset.
    pub at_price: AtPrice,
    /// At the round price nearest to the target; `None` where nothing is ever paid.
    pub round_price: Option<AtPrice>,
}

/// A change of the rules that makes no ruleset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Impossible {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// Its fault.
    pub why: String,
}

/// Prices and rules that give a house edge.
#[derive(Clone, Debug, Serialize)]
pub struct Prices {
    /// The terms of the casino.
    #[serde(skip)]
    pub casino: Casino,
    /// The terms that may be set, with what they are, cents.
    #[serde(serialize_with = "by_term")]
    pub terms: Vec<(Term, i64)>,
    /// Sign or name of the money.
    pub currency: String,
    /// The house edge to reach, a fraction.
    pub target_edge: f64,
    /// Round prices are whole multiples of this, cents.
    pub round_step: i64,
    /// Each player alone.
    pub players: Vec<PlayerPrices>,
    /// What each term must be to hold against every player.
    #[serde(serialize_with = "by_term")]
    pub against_each: Vec<(Term, Option<Common>)>,
    /// Games of each player under each changed ruleset.
    pub variant_games: u64,
    /// Changed rulesets and the ruleset as it is, nearest first; empty where there is no edge.
    pub variants: Vec<RankedVariant>,
    /// Changes that cannot be made.
    pub impossible: Vec<Impossible>,
    /// It was stopped before its games were played.
    #[serde(skip)]
    pub interrupted: bool,
}

impl Prices {
    /// Games of each player.
    pub fn games(&self) -> u64 {
        self.players.first().map_or(0, |player| player.tally.games())
    }
}

/// Writes an object with the terms as its keys.
pub(super) fn by_term<T: Serialize, S: Serializer>(
    values: &[(Term, T)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(values.iter().map(|(term, value)| (term, value)))
}

/// The same for offers, each of which is its sum or the reason why there is none.
fn offers_by_term<S: Serializer>(
    offers: &[(Term, Result<Offer, NoOffer>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Either<'a> {
        Offer(&'a Offer),
        None(&'a NoOffer),
    }
    fn either(offer: &Result<Offer, NoOffer>) -> Either<'_> {
        offer.as_ref().map_or_else(Either::None, Either::Offer)
    }
    serializer.collect_map(offers.iter().map(|(term, offer)| (term, either(offer))))
}

/// Progress of a run.
#[derive(Clone, Copy, Debug)]
pub enum PriceStep<'a> {
    /// Games of the ruleset as it is.
    Games(&'a Finished),
    /// Games of changed rulesets, and how many rulesets there are.
    Variants(&'a Finished, usize),
}

/// Plays the ruleset, then its variants; until `stop` is set, when the figures are of the games so far.
///
/// # Errors
/// The first fault of a strategy; under a changed ruleset, `rules` in it is that ruleset's id.
pub fn price(
    asked: &Pricing<'_>,
    stop: &AtomicBool,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<Prices, BatchError> {
    let casino = &asked.loaded.rules.spec().casino;
    let tries_variants = casino.stake > 0 && asked.variant_games > 0;
    let games = (asked.games, 0);
    let played = play(asked, &[(asked.named, &asked.loaded.rules)], games, stop, &mut |so_far| {
        told(PriceStep::Games(so_far));
    });
    if matches!(played, Err(BatchError::Missing)) && tries_variants {
        // Another shard may still make its part of the variants' games.
        play_variants(asked, &possible(&variants(asked.loaded)), stop, told)?;
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
        strategy: player.name.into(),
        looks_at_prices: player.looks_at_prices,
        edge: House::new(&tally, casino).edge(),
        edge_at_once: House::new(&tally, casino).leaving_out(tail).edge(),
        offers: terms.iter().map(|&term| (term, offer(&tally, casino, asked.target, term))).collect(),
        tally,
    });
    prices.players = players.collect();
    if tries_variants && !prices.interrupted {
        try_variants(asked, &mut prices, stop, told)?;
    }
    Ok(prices)
}

/// Plays every ruleset with every player: tallies by ruleset, then by player.
fn play(
    asked: &Pricing<'_>,
    rulesets: &[(&str, &Rules)],
    (games, part): (u64, u64),
    stop: &AtomicBool,
    told: &mut dyn FnMut(&Finished),
) -> Result<Finished, BatchError> {
    let entries = rulesets.iter().flat_map(|&(id, rules)| {
        asked.players.iter().map(move |it| Matchup { id, rules, strategy: it.strategy })
    });
    let games = Batch {
        entries: entries.collect(),
        seed: asked.seed,
        games: 0..games,
        precision: None,
        workers: asked.workers.part(part),
        each_game: false,
    };
    simulate(&games, stop, &mut ProgressSink(told))
}

/// The changes that make a ruleset.
fn possible(all: &[Variant]) -> Vec<(&Change, &Loaded)> {
    all.iter().filter_map(|it| Some((&it.change, it.rules.as_ref().ok()?))).collect()
}

/// Plays the ruleset and the changed ones with every player.
fn play_variants(
    asked: &Pricing<'_>,
    possible: &[(&Change, &Loaded)],
    stop: &AtomicBool,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<Finished, BatchError> {
    let base = std::iter::once((asked.named, &asked.loaded.rules));
    let changed = possible.iter().map(|(_, loaded)| (loaded.id.as_str(), &loaded.rules));
    let rulesets: Vec<(&str, &Rules)> = base.chain(changed).collect();
    play(asked, &rulesets, (asked.variant_games, 1), stop, &mut |so_far| {
        told(PriceStep::Variants(so_far, rulesets.len()));
    })
}

fn try_variants(
    asked: &Pricing<'_>,
    prices: &mut Prices,
    stop: &AtomicBool,
    told: &mut dyn FnMut(PriceStep<'_>),
) -> Result<(), BatchError> {
    let all = variants(asked.loaded);
    let faulty = all.iter().filter_map(|it| Some(Impossible { change: it.change.clone(), why: it.fault()? }));
    prices.impossible = faulty.collect();
    let possible = possible(&all);
    let played = play_variants(asked, &possible, stop, told)?;
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
