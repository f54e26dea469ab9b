//! The shelf: every ruleset and contest on it, played by several strategies.

use serde::{Serialize, Serializer};
use serde_json::json;

use crate::cards::Seed;
use crate::contest::{ContestSpec, LoadedContest};
use crate::rules::{Draw, Loaded, Rules, Spec};
use crate::stats::{ContestSummary, Estimate, Measure, PairSummary, Summary, Tally, summarize};
use crate::strategy::StrategySource;

use super::batch::{BatchError, MakeStrategy, Matchup, measure};
use super::blocks::Workers;
use super::compare::{Comparison, compare};
use super::contests::{ContestBatch, ContestBatchError, contest};

/// Games to play.
pub struct Shelf<'a> {
    /// The rulesets.
    pub rulesets: &'a [Loaded],
    /// The contests.
    pub contests: &'a [LoadedContest],
    /// Players of every ruleset, with the number of games each.
    pub players: Vec<(&'a StrategySource, u64)>,
    /// Players compared on the same deals, the searching one first, and the number of deals per ruleset of one pack.
    pub search: (&'a [StrategySource], u64),
    /// Scripts that look ahead, with their games per ruleset of one pack; with more packs, a game takes them minutes.
    pub ahead: (&'a [StrategySource], u64),
    /// Number of matches of each contest and player.
    pub matches: u64,
    /// The seed of everything.
    pub seed: Seed,
    /// Threads that run the blocks.
    pub workers: Workers<'a>,
}

/// Results of all players on the shelf.
#[derive(Clone, Debug, Serialize)]
pub struct ShelfFound {
    /// The rulesets, in the order of the shelf.
    pub rulesets: Vec<ShelfRuleset>,
    /// The contests.
    pub contests: Vec<ShelfContest>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// Results for a ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct ShelfRuleset {
    /// Its name on the shelf.
    pub id: String,
    /// The ruleset; in JSON, the facts shown on the page.
    #[serde(flatten, serialize_with = "facts")]
    pub rules: Spec,
    /// Figures by player.
    pub players: Vec<ShelfPlayer>,
    /// Figures of the scripts that look ahead.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ahead: Vec<ShelfPlayer>,
    /// The searching player, which is the last, compared with the best script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<ShelfBeside>,
}

/// Results of a player.
#[derive(Clone, Debug, Serialize)]
pub struct ShelfPlayer {
    /// The strategy.
    pub strategy: String,
    /// Its figures; in JSON, those shown on the page.
    #[serde(flatten, serialize_with = "figures")]
    pub summary: Summary,
}

/// Comparison of the best script with the searching player, on its deals.
#[derive(Clone, Debug, Serialize)]
pub struct ShelfBeside {
    /// The script with the highest net.
    pub best_script: String,
    /// Its mean cards.
    pub cards_of_script: Estimate,
    /// The searching player minus the script, deal by deal.
    pub difference: PairSummary,
}

/// Results for a contest.
#[derive(Clone, Debug, Serialize)]
pub struct ShelfContest {
    /// Its name on the shelf.
    pub id: String,
    /// The contest; in JSON, the facts shown on the page.
    #[serde(flatten, serialize_with = "contest_facts")]
    pub spec: ContestSpec,
    /// Name of the ruleset that its players play.
    pub rules: String,
    /// Results of each strategy against opponents that play the first strategy of the page.
    pub among: Vec<ShelfAmong>,
}

/// Result of a contest in which the first player has one strategy and all others another.
#[derive(Clone, Debug, Serialize)]
pub struct ShelfAmong {
    /// The strategy of the first player.
    pub strategy: String,
    /// The strategy of the others.
    pub others: String,
    /// Figures of the matches; in JSON, those of the first player.
    #[serde(flatten, serialize_with = "first_player")]
    pub summary: ContestSummary,
}

fn facts<S: Serializer>(rules: &Spec, serializer: S) -> Result<S::Ok, S::Error> {
    // A die has no list of packets.
    let draw = match &rules.stock.draw {
        Draw::ByPass(sizes) => Some(sizes),
        Draw::Die { .. } => None,
    };
    json!({
        "name": rules.name, "also": rules.also, "about": rules.about, "source": rules.source,
        "packs": rules.deal.packs, "reserve_piles": rules.reserve.piles, "reserve_size": rules.reserve.size,
        "tableau": rules.tableau.deal, "stock": rules.stock_cards(), "draw": draw,
        "redeals": rules.stock.redeals,
    })
    .serialize(serializer)
}

fn figures<S: Serializer>(it: &Summary, serializer: S) -> Result<S::Ok, S::Error> {
    json!({
        "games": it.games, "wins": it.wins, "undecided": it.undecided, "win_rate": it.win_rate,
        "cards": it.cards, "house_edge": it.house_edge, "ends": it.ends,
    })
    .serialize(serializer)
}

fn contest_facts<S: Serializer>(spec: &ContestSpec, serializer: S) -> Result<S::Ok, S::Error> {
    json!({
        "name": spec.name, "also": spec.also, "about": spec.about, "source": spec.source,
        "players": spec.players.len(), "sides": spec.sides().len(),
    })
    .serialize(serializer)
}

fn first_player<S: Serializer>(it: &ContestSummary, serializer: S) -> Result<S::Ok, S::Error> {
    let one = it.players.first();
    json!({
        "matches": it.matches, "undecided": it.undecided, "tied": it.tied,
        "wins": one.map(|it| it.wins), "win_rate": one.map(|it| it.win_rate),
        "points": one.map(|it| it.points),
    })
    .serialize(serializer)
}

/// Reason why the shelf could not be played.
#[derive(Debug)]
pub enum ShelfError {
    /// Games of a ruleset failed.
    Games(BatchError),
    /// Matches of this contest failed, with the strategy of this index as the first player.
    Matches(String, usize, ContestBatchError),
}

impl From<BatchError> for ShelfError {
    fn from(error: BatchError) -> ShelfError {
        ShelfError::Games(error)
    }
}

impl ShelfFound {
    /// Returns the number of games of all rulesets.
    pub fn games(&self) -> u64 {
        let players = self.rulesets.iter().flat_map(|row| row.players.iter().chain(&row.ahead));
        players.map(|player| player.summary.games).sum()
    }
}

/// Returns whether scripts that look ahead play a ruleset.
pub fn looks_ahead(rules: &Rules) -> bool {
    rules.spec().deal.packs == 1
}

/// Plays everything. `told` receives the progress of every part, and whether it is complete.
pub fn play_shelf(shelf: &Shelf<'_>, told: &mut dyn FnMut(&str, bool)) -> Result<ShelfFound, ShelfError> {
    let mut found = ShelfFound { rulesets: Vec::new(), contests: Vec::new(), interrupted: false };
    for loaded in shelf.rulesets {
        let mut players = Vec::new();
        for &(strategy, games) in &shelf.players {
            players.push(found.player(shelf, (loaded, strategy, games), told)?);
        }
        found.rulesets.push(ShelfRuleset {
            id: loaded.id.clone(),
            rules: loaded.rules.spec().clone(),
            players,
            ahead: Vec::new(),
            beside: None,
        });
    }
    for (row, loaded) in shelf.rulesets.iter().enumerate().filter(|_| shelf.search.1 > 0) {
        let (player, beside) = found.search(shelf, loaded, told)?;
        found.rulesets[row].players.push(player);
        found.rulesets[row].beside = beside;
    }
    let ahead = shelf.rulesets.iter().enumerate();
    for (row, loaded) in ahead.filter(|(_, it)| shelf.ahead.1 > 0 && looks_ahead(&it.rules)) {
        for strategy in shelf.ahead.0 {
            let player = found.player(shelf, (loaded, strategy, shelf.ahead.1), told)?;
            found.rulesets[row].ahead.push(player);
        }
    }
    for loaded in shelf.contests {
        let row = found.contest(shelf, loaded, told)?;
        found.contests.push(row);
    }
    Ok(found)
}

impl ShelfFound {
    fn player(
        &mut self,
        shelf: &Shelf<'_>,
        (loaded, strategy, games): (&Loaded, &StrategySource, u64),
        told: &mut dyn FnMut(&str, bool),
    ) -> Result<ShelfPlayer, ShelfError> {
        let entry = Matchup { id: &loaded.id, rules: &loaded.rules, strategy };
        let name = format!("{} by {}", loaded.id, strategy.id());
        let run = (shelf.seed, shelf.workers);
        let tally = measure(entry, 0..games, run, |so_far| told(&name, so_far.games == games))?;
        self.interrupted |= tally.games() < games;
        let summary = summarize(&tally, loaded.rules.spec(), Vec::new());
        Ok(ShelfPlayer { strategy: strategy.name().into(), summary })
    }

    /// Plays the same deals of one ruleset with the searching player and every script.
    fn search(
        &mut self,
        shelf: &Shelf<'_>,
        loaded: &Loaded,
        told: &mut dyn FnMut(&str, bool),
    ) -> Result<(ShelfPlayer, Option<ShelfBeside>), ShelfError> {
        let (players, of_one_pack) = shelf.search;
        let rules = &loaded.rules;
        // A game with several packs takes it many times longer.
        let packs = u64::from(rules.spec().deal.packs).max(1);
        let deals = of_one_pack.div_ceil(packs * packs);
        let strategy = players[0].name().to_string();
        if shelf.workers.stopped() {
            self.interrupted = true;
            let summary = summarize(&Tally::new(rules.spec()), rules.spec(), Vec::new());
            return Ok((ShelfPlayer { strategy, summary }, None));
        }
        let (ruleset, games) = ((&*loaded.id, rules), (shelf.seed, deals));
        let comparison = Comparison::of_strategies(ruleset, players, games, Measure::Money, shelf.workers);
        let name = |games| format!("{} by {strategy}: {games} of {deals} deals", loaded.id);
        let compared = compare(&comparison, &mut |games, _| told(&name(games), false))?;
        told(&name(compared.games), true);
        self.interrupted |= compared.interrupted;
        let summary = |player: usize| &compared.entries[player].summary;
        let net = |script: usize| summary(script).net.value;
        let best = (1..players.len()).max_by(|&a, &b| net(a).total_cmp(&net(b)).then(b.cmp(&a)));
        let beside = best.filter(|_| compared.games > 0).and_then(|best| {
            let pair = compared.pairs.iter().find(|pair| (pair.a, pair.b) == (0, best))?;
            Some(ShelfBeside {
                best_script: players[best].name().into(),
                cards_of_script: summary(best).cards,
                difference: pair.summary.clone(),
            })
        });
        Ok((ShelfPlayer { strategy, summary: summary(0).clone() }, beside))
    }

    /// Plays a contest with each strategy as the first player and the first strategy as all others.
    fn contest(
        &mut self,
        shelf: &Shelf<'_>,
        loaded: &LoadedContest,
        told: &mut dyn FnMut(&str, bool),
    ) -> Result<ShelfContest, ShelfError> {
        let (spec, matches) = (&loaded.spec, shelf.matches);
        let mut among = Vec::new();
        for (i, &(strategy, _)) in shelf.players.iter().enumerate() {
            let mut line_up: Vec<MakeStrategy<'_>> = vec![shelf.players[0].0; spec.players.len()];
            line_up[0] = strategy;
            let batch = ContestBatch {
                spec,
                rules: &loaded.rules.rules,
                strategies: &line_up,
                seed: shelf.seed,
                matches: 0..matches,
                workers: shelf.workers,
            };
            let name = format!("{} by {}", loaded.id, strategy.id());
            let tally = contest(&batch, &mut |tally, _| told(&name, tally.matches() == matches))
                .map_err(|error| ShelfError::Matches(loaded.id.clone(), i, error))?;
            self.interrupted |= tally.matches() < matches;
            among.push(ShelfAmong {
                strategy: strategy.name().into(),
                others: shelf.players[0].0.name().into(),
                summary: tally.summarize(spec),
            });
        }
        let rules = loaded.rules.rules.name().into();
        Ok(ShelfContest { id: loaded.id.clone(), spec: spec.clone(), rules, among })
    }
}
