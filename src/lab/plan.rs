//! A plan: a price for a mix of patrons, the expected results of nights at that price, and the cost of the best
//! players.
//!
//! Separate games find the price, so that the games behind the figures, played afterwards at that price, give no
//! biased estimate.

use serde::{Serialize, Serializer};

use crate::cards::Seed;
use crate::diagnostic::Diagnostic;
use crate::rules::{Casino, Change, Loaded, Spec, vary};
use crate::stats::{
    Band, Bankroll, Estimate, House, MostCards, Patron, PayRow, Question, RoundPrice, Season, Tally, bands,
    greatest_loss, pay_table, round_price, season, shares_of_night,
};

use super::bankroll::{BankrollBatch, BankrollStep, Buyer, NightPatron, bankroll};
use super::batch::{BatchError, measure, own_games};
use super::blocks::{Stopped, Workers, or_missing};
use super::game_runner::GameError;
use super::solve::{SolveFault, clairvoyant_bounds, solvable};

/// Number of games at the price for each game that finds it.
pub const PILOT: u64 = 2;

/// Maximum number of decks in a planned night.
pub const MOST_DECKS: u64 = 5_000;
/// Maximum number of nights in a planned season.
pub const MOST_NIGHTS: u64 = 1_000;

/// Maximum amount of money that changes hands in a night, cents: time and memory grow with it.
pub const MOST_MONEY: u64 = 50_000_000_000;

/// Input of a plan.
pub struct PlanBatch<'a> {
    /// The ruleset, whose stake is not bought in stages.
    pub loaded: &'a Loaded,
    /// Its name or path, as the user wrote it.
    pub named: &'a str,
    /// Label of a ruleset whose keys were changed.
    pub changed: Option<&'a str>,
    /// Patrons, then players who are only measured, with their games at the price.
    pub players: &'a [Buyer],
    /// The price, cents; `None` to search for one.
    pub price: Option<i64>,
    /// Target range for the edge of a night.
    pub target: (f64, f64),
    /// Step of prices, cents, above 0: a price is a multiple of it.
    pub round: i64,
    /// Decks sold in a night.
    pub decks: u32,
    /// The bank before the first night, cents.
    pub bank: i64,
    /// Number of nights in a season.
    pub nights: u32,
    /// Number of bootstrap samples for the intervals.
    pub replicates: u64,
    /// Number of deals to solve for the clairvoyant player, 0 for none, and the positions expanded in each.
    pub known: (u64, u64),
    /// The seed of all games.
    pub seed: Seed,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Progress of a plan.
#[derive(Clone, Copy, Debug)]
pub enum PlanStep {
    /// Games so far, summed over all players.
    Games(u64),
    /// Deals solved so far.
    Solved(u64),
    /// Bootstrap samples so far.
    Samples(u64),
}

/// Plans for the same players under several rulesets.
#[derive(Clone, Debug, Serialize)]
pub struct Planned {
    /// Target range for the edge of the mix.
    #[serde(serialize_with = "range")]
    pub target: (f64, f64),
    /// Whether the price was given rather than found.
    pub price_given: bool,
    /// Step of prices, cents.
    pub round: i64,
    /// The ruleset of the plan, then those compared with it.
    pub rulesets: Vec<PlannedRules>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

fn range<S: Serializer>((low, high): &(f64, f64), serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("low", low), ("high", high)])
}

/// Result of a player under a ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedPlayer {
    /// As one of those who buy the decks; a player who is only measured has no share.
    #[serde(flatten)]
    pub patron: NightPatron,
    /// Its mean net per deck, cents.
    pub net: Estimate,
}

impl PlannedPlayer {
    /// Returns the house edge against it alone.
    pub fn edge(&self) -> Estimate {
        self.patron.edge.unwrap_or(NOTHING)
    }

    /// Returns the gain of the house per deck from this player, cents.
    pub fn gain(&self) -> Estimate {
        -self.net
    }
}

/// Most cards of the clairvoyant player.
#[derive(Clone, Debug, Serialize)]
pub struct EveryCardKnown {
    /// Number of deals.
    pub deals: u64,
    /// Cards of the clairvoyant player.
    pub most_cards: MostCards,
}

/// The plan for a ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct PlannedRules {
    /// Name on the shelf or of its file, with any change.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Whether keys of a file were changed, as the name says, so that no file has this ruleset.
    #[serde(skip)]
    pub changed: bool,
    /// The ruleset at the price.
    #[serde(skip)]
    pub sold: Loaded,
    /// The price, cents.
    pub price: i64,
    /// The price that was found; `None` if one was given.
    pub offer: Option<RoundPrice>,
    /// Sign or name of the money.
    pub currency: String,
    /// House edge of the mix in a night.
    pub edge: Estimate,
    /// Patrons, then players who are only measured.
    pub players: Vec<PlannedPlayer>,
    /// The night.
    pub bankroll: Bankroll,
    /// Number of decks of a night that the strongest player must play before the house gains nothing, if the other
    /// patrons share the rest as they do now. `None` if the house loses to the mix, or gains from that player.
    #[serde(rename = "decks_of_the_best_until_the_edge_is_gone")]
    pub decks_of_the_best: Option<Estimate>,
    /// Share of the mix's decks that pay more than they cost.
    pub hit_frequency: Estimate,
    /// Range of the return, by number of decks.
    #[serde(rename = "rtp_bands")]
    pub bands: Vec<Band>,
    /// Payments by cards, with their frequencies.
    pub pay_table: Vec<PayRow>,
    /// A season of nights.
    pub season: Season,
    /// Result of the clairvoyant player; `None` if not requested or not computable.
    #[serde(rename = "every_card_known")]
    pub known: Option<EveryCardKnown>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// An unknown value.
pub const NOTHING: Estimate = Estimate { value: f64::NAN, low: f64::NEG_INFINITY, high: f64::INFINITY };

impl PlannedRules {
    /// The ruleset at the price.
    pub fn spec(&self) -> &Spec {
        self.sold.rules.spec()
    }

    /// The terms of its casino.
    pub fn casino(&self) -> &Casino {
        &self.spec().casino
    }

    /// Returns the gain of the house per deck from the mix of a night, cents.
    pub fn gain(&self) -> Estimate {
        self.bankroll.deck_of_night.0
    }

    /// Returns the tallies of the patrons, with their shares of the decks of a night.
    pub fn mix(&self) -> impl Iterator<Item = (f64, &Tally)> {
        self.players
            .iter()
            .filter(|it| it.patron.share > 0.0)
            .map(|it| (it.patron.share_of_night, &it.patron.tally))
    }

    /// Returns the weighted mean over the mix of an estimate per patron, with limits at most as wide as joint limits.
    pub fn of_mix(&self, of: impl Fn(&Tally) -> Estimate) -> Estimate {
        let none = Estimate { value: 0.0, low: 0.0, high: 0.0 };
        self.mix().fold(none, |sum, (share, tally)| {
            let e = of(tally);
            Estimate {
                value: sum.value + share * e.value,
                low: sum.low + share * e.low,
                high: sum.high + share * e.high,
            }
        })
    }

    /// Returns whether some patron buys several decks in a row.
    pub fn has_visits(&self) -> bool {
        self.players.iter().any(|it| it.patron.share > 0.0 && it.patron.decks_each > 1)
    }

    /// Returns whether only this player buys decks, so that the figures of the mix are its own.
    pub fn is_the_mix(&self, player: usize) -> bool {
        self.mix().count() == 1 && self.players[player].patron.share > 0.0
    }

    /// Returns the index of the player from whom the house gains least.
    pub fn strongest(&self) -> usize {
        let edges = self.players.iter().map(|it| it.edge().value).enumerate();
        edges.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(player, _)| player)
    }

    /// Computes [`PlannedRules::decks_of_the_best`]. The players' games are independent, so their limits are combined
    /// as the root of a sum of squares (MOVER; Zou and Donner 2008).
    fn until_the_edge_is_gone(&self) -> Option<Estimate> {
        let all = f64::from(self.bankroll.decks);
        let strongest = self.strongest();
        let (mix, best) = (self.gain().value, self.players[strongest].gain());
        // The player has a share of the mix already, and replaces a part of the rest.
        let share = self.players[strongest].patron.share_of_night;
        let decks = |mix: f64, best: f64| {
            let replaced = if mix > 0.0 { mix / (mix - best.min(0.0)) } else { 0.0 };
            all * (share + (1.0 - share) * replaced)
        };
        let value = decks(mix, best.value);
        let beyond = |end: fn(Estimate) -> f64| {
            let of_one = |(i, player): (usize, &PlannedPlayer)| {
                let gain = player.gain();
                let far = end(gain) - gain.value;
                let best = best.value + if i == strongest { far } else { 0.0 };
                (decks(mix + player.patron.share_of_night * far, best) - value).powi(2)
            };
            self.players.iter().enumerate().map(of_one).sum::<f64>().sqrt()
        };
        (mix > 0.0 && best.value < 0.0).then(|| Estimate {
            value,
            low: (value - beyond(|it| it.low)).max(0.0),
            high: (value + beyond(|it| it.high)).min(all),
        })
    }
}

/// Reason why there is no plan.
pub type PlanError = Stopped<PlanFault>;

/// Fault of a plan.
#[derive(Debug)]
pub enum PlanFault {
    /// A strategy failed.
    Game(Box<GameError>),
    /// The solver failed.
    Solve(SolveFault),
    /// The ruleset does not allow the price.
    Price(Vec<Diagnostic>),
    /// These patrons are paid nothing, so that every price has an edge of 100%.
    NothingPaid,
    /// The sales of a night at this price, cents, exceed the limit.
    TooMuch(i64),
}

impl From<BatchError> for PlanError {
    fn from(error: BatchError) -> PlanError {
        error.map(PlanFault::Game)
    }
}

impl From<PlanFault> for PlanError {
    fn from(fault: PlanFault) -> PlanError {
        Stopped::Fault(fault)
    }
}

/// Returns the number of games to find the price, for a player with `games` games at the price.
fn pilot_games(games: u64) -> u64 {
    games.div_ceil(PILOT)
}

/// Returns the number of all games of a plan.
pub fn plan_games(players: &[Buyer], finds_price: bool) -> u64 {
    let games = |player: &Buyer| {
        let pilot = if finds_price && player.share > 0.0 { pilot_games(player.games) } else { 0 };
        player.games.saturating_add(pilot)
    };
    players.iter().map(games).fold(0, u64::saturating_add)
}

/// Computes the plan; `None` if some player has not played a game. Fails also if no price is found, or it is not
/// allowed.
pub fn plan(
    batch: &PlanBatch<'_>,
    told: &mut dyn FnMut(PlanStep),
) -> Result<Option<PlannedRules>, PlanError> {
    let patrons: Vec<&Buyer> = batch.players.iter().filter(|it| it.share > 0.0).collect();
    let most = batch.players.iter().map(|it| it.games).max().unwrap_or(0);
    // The price is for the planned night, in which patrons may buy other shares than in the long run.
    let visitors: Vec<(f64, u32)> = patrons.iter().map(|it| (it.share, it.decks_each)).collect();
    let shares = match visitors.iter().any(|(_, decks_each)| *decks_each > 1) {
        true => shares_of_night(&visitors, batch.decks),
        false => patrons.iter().map(|it| it.share).collect(),
    };
    let (mut before, mut missing) = (0, false);
    let offer = match batch.price {
        Some(_) => None,
        None => {
            let mut found = Vec::new();
            for (i, &player) in patrons.iter().enumerate() {
                // Games beyond all those behind the figures.
                let games = own_games(batch.players.len() + i, most, pilot_games(player.games));
                let workers = batch.workers.part(0).part(i as u64);
                let played = play((batch, workers), batch.loaded, player, games, (before, told));
                let Some(tally) = or_missing(played, &mut missing)? else { continue };
                before += tally.games();
                found.push((shares[i], tally));
            }
            // The price depends on all of these games.
            if missing {
                return Err(Stopped::Missing);
            }
            if found.iter().any(|(_, tally)| tally.games() == 0) {
                return Ok(None);
            }
            let mix: Vec<(f64, &Tally)> = found.iter().map(|(share, tally)| (*share, tally)).collect();
            let casino = &batch.loaded.rules.spec().casino;
            Some(round_price(&mix, casino, batch.target, batch.round).ok_or(PlanFault::NothingPaid)?)
        }
    };
    let price = batch.price.or(offer.map(|offer| offer.price)).ok_or(PlanFault::NothingPaid)?;
    let sold = at_price(batch.loaded, price, batch.decks)?;
    let spec = sold.rules.spec();
    let question = Question {
        decks: batch.decks,
        bank: batch.bank,
        greatest_loss: greatest_loss(&spec.casino, spec.cards()),
        price: Some(price),
    };
    let night = BankrollBatch {
        rules: &sold.rules,
        named: batch.named,
        patrons: patrons.clone(),
        seed: batch.seed,
        question,
        replicates: batch.replicates,
        workers: batch.workers.part(1),
    };
    let start = before;
    let finished = bankroll(night, &mut |step| match step {
        BankrollStep::Games(games, _) => {
            before = start + games;
            told(PlanStep::Games(before));
        }
        BankrollStep::Samples(samples) => told(PlanStep::Samples(samples)),
    });
    let finished = or_missing(finished, &mut missing)?;
    let mut interrupted = finished.as_ref().is_some_and(|it| it.interrupted);
    let (tallies_of_patrons, night) = finished.map_or((Vec::new(), None), |it| (it.tallies, it.bankroll));
    if night.is_none() && !missing {
        return Ok(None);
    }
    // In the order of the players.
    let mut of_patrons = tallies_of_patrons.into_iter();
    let mut tallies = Vec::new();
    for (i, player) in batch.players.iter().enumerate() {
        if player.share > 0.0 {
            tallies.extend(of_patrons.next());
            continue;
        }
        let games = own_games(i, most, player.games);
        let workers = batch.workers.part(2).part(i as u64);
        let played = play((batch, workers), &sold, player, games, (before, told));
        let Some(tally) = or_missing(played, &mut missing)? else { continue };
        before += tally.games();
        interrupted |= tally.games() < player.games;
        tallies.push(tally);
    }
    if tallies.iter().any(|tally| tally.games() == 0) {
        return Ok(None);
    }
    let (deals, nodes) = batch.known;
    let mut known = None;
    if deals > 0 && solvable(&sold.rules).is_ok() {
        let asked = (batch.seed, deals, nodes);
        let bounds = clairvoyant_bounds(&sold.rules, asked, batch.workers.part(3), &mut |done| {
            told(PlanStep::Solved(done));
        });
        let bounds = bounds.map_err(|stopped| stopped.map(PlanFault::Solve));
        if let Some(bounds) = or_missing(bounds, &mut missing)? {
            interrupted |= (bounds.deals() as u64) < deals;
            known = (bounds.deals() > 0).then(|| EveryCardKnown {
                deals: bounds.deals() as u64,
                most_cards: bounds.most_cards(spec),
            });
        }
    }
    let Some(night) = night.filter(|_| !missing) else {
        return Err(Stopped::Missing);
    };
    let gain = |(patron, tally): (&&Buyer, &Tally)| patron.of_mix(&House::new(tally, &spec.casino));
    let gains: Vec<Patron> = patrons.iter().zip(&tallies).map(gain).collect();
    let mix: Vec<(f64, &Tally)> = shares.iter().copied().zip(&tallies).collect();
    let (bands, pay_table) = (bands(&gains, price), pay_table(&mix, &spec.casino));
    let edge = night.edge_of_night().unwrap_or(NOTHING);
    let players = batch.players.iter().zip(tallies).enumerate().map(|(i, (player, tally))| {
        let house = House::new(&tally, &spec.casino);
        let alone = (house.edge().unwrap_or(NOTHING), house.net());
        // With a single patron, these are the figures of the mix.
        let (edge, net) = match patrons.len() {
            1 if i == 0 => (edge, -night.deck_of_night.0),
            _ => alone,
        };
        let share_of_night = shares.get(i).copied().unwrap_or(0.0);
        PlannedPlayer { patron: NightPatron::of(player, share_of_night, Some(edge), tally), net }
    });
    let players = players.collect();
    let mut planned = PlannedRules {
        id: batch.loaded.id.clone(),
        name: batch.changed.unwrap_or(batch.loaded.rules.name()).into(),
        changed: batch.changed.is_some(),
        price,
        offer,
        currency: spec.casino.currency.clone(),
        edge,
        players,
        decks_of_the_best: None,
        hit_frequency: NOTHING,
        bands,
        pay_table,
        season: season(&gains, &night, batch.nights, batch.seed),
        bankroll: night,
        known,
        interrupted,
        sold,
    };
    planned.decks_of_the_best = planned.until_the_edge_is_gone();
    planned.hit_frequency = planned.of_mix(|tally| House::new(tally, planned.casino()).hit_frequency());
    Ok(Some(planned))
}

/// Returns the ruleset with another price of the deck, if it is allowed and not too much for this many decks.
pub fn at_price(loaded: &Loaded, cents: i64, decks: u32) -> Result<Loaded, PlanFault> {
    if cents.unsigned_abs().saturating_mul(decks.into()) > MOST_MONEY {
        return Err(PlanFault::TooMuch(cents));
    }
    let value = format!("{}.{:02}", cents / 100, cents % 100);
    let sold = Change::new("casino.stake", &value)
        .map_err(|_| PlanFault::NothingPaid)
        .and_then(|change| vary(loaded, &[change]).map_err(PlanFault::Price))?;
    Ok(Loaded { id: loaded.id.clone(), ..sold })
}

/// Plays the games of one player after those of others, and reports the number of games so far.
fn play(
    (batch, workers): (&PlanBatch<'_>, Workers<'_>),
    loaded: &Loaded,
    player: &Buyer,
    games: std::ops::Range<u64>,
    (before, told): (u64, &mut dyn FnMut(PlanStep)),
) -> Result<Tally, BatchError> {
    measure(player.under(batch.named, &loaded.rules), games, (batch.seed, workers), |so_far| {
        told(PlanStep::Games(before + so_far.games));
    })
}
