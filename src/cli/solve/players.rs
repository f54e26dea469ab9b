//! Strategies on the deals that were solved.

use std::sync::atomic::AtomicBool;

use super::asked::Asked;
use crate::cli::error::CliError;
use crate::lab::{Entry, GivenDeals, GivenGame, play_given};
use crate::report::{SolveFigures, SolvePlayer};
use crate::rules::{Loaded, Rules};
use crate::stats::{ClairvoyantBounds, GameWorth, ShortfallTally, Tally, summarize};
use crate::strategy::StrategySource;

/// Has every strategy play the deals of the answers, raises what is known of the deals to what was seen, and says what
/// each left of it. Nothing where `stop` was set before they had played.
pub(super) fn play<'a>(
    asked: &Asked<'_>,
    loaded: &Loaded,
    strategies: &'a [StrategySource],
    answers: &[SolveFigures],
    bounds: &mut ClairvoyantBounds,
    threads: usize,
    stop: &AtomicBool,
) -> Result<Vec<SolvePlayer<'a>>, CliError> {
    let mut numbers: Vec<u64> = answers.iter().map(|answer| answer.number).collect();
    numbers.dedup();
    let makers: Vec<_> = strategies.iter().map(|strategy| move || strategy.instantiate()).collect();
    let entries = makers.iter().map(|make| Entry { id: asked.named, rules: &loaded.rules, strategy: make });
    let given = GivenDeals {
        entries: entries.collect(),
        seed: asked.seed,
        numbers: &numbers,
        deck: &|number| asked.deal(number).deck,
        threads,
    };
    let Some(games) = play_given(&given, stop)? else { return Ok(Vec::new()) };
    for (strategy, games) in strategies.iter().zip(&games) {
        raise(strategy.name(), games, answers, bounds)?;
    }
    let players = strategies.iter().zip(games);
    Ok(players.map(|(strategy, games)| player(&loaded.rules, strategy, games, answers, bounds)).collect())
}

/// The place among the faces of a deal of the one that a game rolled.
fn face(game: &GivenGame, answers: &[SolveFigures], first: usize, faces: usize) -> usize {
    let of_deal = answers.get(first..first + faces).unwrap_or_default();
    of_deal.iter().position(|answer| answer.face == game.face).unwrap_or(0)
}

fn raise(
    strategy: &str,
    games: &[GivenGame],
    answers: &[SolveFigures],
    bounds: &mut ClairvoyantBounds,
) -> Result<(), CliError> {
    let (all, faces) = (bounds.all(), bounds.faces());
    for (place, game) in games.iter().enumerate() {
        let face = face(game, answers, place * faces, faces);
        let Some(bound) = bounds.of_deal_mut(place).get_mut(face) else { continue };
        *bound = bound.raised(game.outcome.cards, all).map_err(|wrong| {
            let deal = answers.get(place * faces).map_or("", |answer| &answer.id);
            CliError::Run(format!(
                "deal {deal}, played by {strategy}: {wrong}; the solver or the game is wrong"
            ))
        })?;
    }
    Ok(())
}

fn player<'a>(
    rules: &Rules,
    strategy: &'a StrategySource,
    games: Vec<GivenGame>,
    answers: &[SolveFigures],
    bounds: &ClairvoyantBounds,
) -> SolvePlayer<'a> {
    let spec = rules.spec();
    let faces = bounds.faces();
    let (mut tally, mut left) = (Tally::new(spec), ShortfallTally::new(spec));
    for (place, (game, of_deal)) in games.iter().zip(bounds.list().chunks(faces)).enumerate() {
        tally.add(&game.outcome);
        if let Some(&bound) = of_deal.get(face(game, answers, place * faces, faces)) {
            left.add(bound, &GameWorth::of(spec, &game.outcome));
        }
    }
    SolvePlayer {
        strategy: strategy.name(),
        script: strategy.text(),
        summary: summarize(&tally, spec, Vec::new()),
        left: left.summary(),
        games,
    }
}
