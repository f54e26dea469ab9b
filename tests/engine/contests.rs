//! Contests keep their cards, always end, and are fair.

use std::collections::BTreeSet;

use crate::common::Looking;
use crate::engine::plain::PCard;
use crate::engine::support::specs::numbered;
use crate::engine::support::{contest, exorcism, plain, scale, spec};
use saratoga::cards::{Rank, Suit};
use saratoga::contest::{Arena, ContestSpec, DealEnd, Event, Foundations, Goal, MatchOutcome, Witness};
use saratoga::game::{RUNAWAY, View};
use saratoga::rules::*;
use saratoga::stats::ContestTally;
use saratoga::strategy::{self, Strategy, StrategyError};

fn players(names: &[&str]) -> Vec<Box<dyn Strategy>> {
    names.iter().map(|name| strategy::load(name).unwrap().instantiate()).collect()
}

/// Counts the cards after every event.
#[derive(Default)]
struct Accountant {
    looks: u64,
}

impl Witness for Accountant {
    fn happened(&mut self, arena: &Arena<'_>, _at: u64, event: Event) {
        // During the deal, tables still hold the cards of the previous one.
        if matches!(event, Event::Dealt { .. }) {
            return;
        }
        self.looks += 1;
        let seats = arena.spec().players.len();
        let mut up: Vec<Vec<PCard>> = vec![Vec::new(); seats];
        if let Some(shared) = arena.shared_foundations() {
            for foundation in 0..4 * seats {
                for (height, &owner) in shared.owners(foundation).iter().enumerate() {
                    up[usize::from(owner)].push(shared.card(foundation, height).into());
                }
            }
            assert_eq!(shared.cards(), up.iter().map(Vec::len).sum::<usize>());
        }
        for (seat, mut up) in up.into_iter().enumerate() {
            let table = plain(arena.rules(), arena.table(seat));
            let all = arena.rules().spec().cards();
            assert_eq!(
                (table.cards().count(), BTreeSet::from_iter(table.cards()).len()),
                (all, all),
                "{seat}"
            );
            let mut own: Vec<PCard> = table.foundations.concat();
            assert_eq!(own.len(), arena.table(seat).cards());
            own.sort();
            up.sort();
            assert!(up == own || arena.shared_foundations().is_none(), "what {seat} put up");
        }
    }
}

/// Returns rules of the fixed series, modified so that players can share foundations.
fn shareable(number: u64) -> Spec {
    let mut spec = numbered(number);
    spec.deal.packs = 1;
    spec.reserve.piles = spec.reserve.piles.min(1);
    (spec.foundation.base, spec.foundation.start) =
        (Base::Rank(Rank::from_index(number as usize % 13)), Start::None);
    spec.foundation.returns = Returns::Never;
    spec.scores = vec![Score { name: "points".into(), foundation_card: 1, ..Score::default() }];
    spec
}

#[test]
fn all_cards_are_accounted_for_and_every_table_ends() {
    let mut accountant = Accountant::default();
    let mut matches = 0;
    for number in 0..40 * scale() {
        let Ok(rules) = Rules::new(shareable(number)) else { continue };
        let ends = if number % 2 == 0 { DealEnd::AllUp } else { DealEnd::Reserve };
        let names = [&["random", "greedy", "random"][..], &["greedy", "random"]][number as usize % 2];
        let speeds = [&[1000, 1500, 300][..], &[1000, 1000]][number as usize % 2];
        let shared = contest(Foundations::Shared, ends, Goal::Deals(1), speeds);
        let mut arena = Arena::new(&shared, &rules, players(names));
        let outcome = arena.play(number, number, &mut accountant).unwrap();
        assert_eq!(outcome.out + outcome.stuck, 1);
        for played in &outcome.players {
            assert!(played.actions - played.late <= u64::from(RUNAWAY), "ruleset {number}");
        }
        matches += 1;
    }
    // On foundations of their own, over several deals.
    let rules = Rules::new(exorcism()).unwrap();
    let goal = Goal::Target { points: 40, max_rounds: 5 };
    let contest = contest(Foundations::Own, DealEnd::AllUp, goal, &[1000, 1000, 2000]);
    let mut arena = Arena::new(&contest, &rules, players(&["greedy", "random", "greedy"]));
    (0..5).for_each(|number| drop(arena.play(1, number, &mut accountant).unwrap()));
    assert!(matches >= 30 && accountant.looks > 3_500, "{matches} matches, {} looks", accountant.looks);
}

fn outcomes(contest: &ContestSpec, spec: Spec, matches: u64) -> (Vec<MatchOutcome>, ContestTally) {
    let rules = Rules::new(spec).unwrap();
    let mut arena = Arena::new(contest, &rules, players(&vec!["greedy"; contest.players.len()]));
    let outcomes: Vec<MatchOutcome> = (0..matches).map(|i| arena.play(3, i, &mut ()).unwrap()).collect();
    let mut tally = ContestTally::new(contest);
    outcomes.iter().for_each(|outcome| tally.add(outcome));
    (outcomes, tally)
}

/// Equal players win equally often, regardless of seat and name: Pearson's chi-squared test of wins alone, at the 0.1%
/// point.
fn is_fair(contest: &ContestSpec, spec: Spec, matches: u64) {
    let (_, tally) = outcomes(contest, spec, matches);
    let summary = tally.summarize(contest);
    // Quantiles of chi-squared at 0.999 for 1, 2, 3 degrees of freedom.
    let limit = [10.83, 13.82, 16.27][contest.players.len() - 2];
    for (what, standings) in [("player", &summary.players), ("seat", &summary.seats)] {
        let wins: Vec<f64> = standings.iter().map(|it| it.wins as f64).collect();
        let mean = wins.iter().sum::<f64>() / wins.len() as f64;
        assert!(mean > 50.0, "too few wins to tell: {wins:?}");
        let chi2: f64 = wins.iter().map(|wins| (wins - mean).powi(2) / mean).sum();
        assert!(chi2 < limit, "by {what}: {wins:?}, chi-squared {chi2:.1}");
        for it in standings {
            let ties = summary.tied as f64 / summary.matches as f64;
            let fair = (1.0 - ties) / standings.len() as f64;
            // Of eight intervals of 95%, one or two may miss: twice their width is missed far less often.
            let half = it.win_rate.high - it.win_rate.low;
            assert!((it.win_rate.value - fair).abs() < half, "{} wins {:?}", it.name, it.win_rate);
        }
    }
}

#[test]
fn equal_players_win_equally_often() {
    let shared =
        |ends, players: usize| contest(Foundations::Shared, ends, Goal::Deals(1), &vec![1000; players]);
    is_fair(&shared(DealEnd::AllUp, 4), spec("racing-demon"), 600 * scale());
    is_fair(&shared(DealEnd::Reserve, 2), spec("nerts"), 600 * scale());
    let goal = Goal::Target { points: 60, max_rounds: 50 };
    is_fair(&contest(Foundations::Own, DealEnd::AllUp, goal, &[1000; 3]), exorcism(), 600 * scale());
    // And the faster player more often.
    let contest = contest(Foundations::Shared, DealEnd::AllUp, Goal::Deals(1), &[2000, 1000, 1000, 1000]);
    let summary = outcomes(&contest, spec("racing-demon"), 200).1.summarize(&contest);
    assert!(summary.players[0].win_rate.low > summary.players[1].win_rate.high);
}

#[test]
fn weak_play_below_zero_is_undecided() {
    let mut spec = exorcism();
    spec.scores[0].constant = -20;
    let goal = Goal::Target { points: 200, max_rounds: 6 };
    let contest = contest(Foundations::Own, DealEnd::AllUp, goal, &[1000, 1000]);
    let (outcomes, tally) = outcomes(&contest, spec, 40);
    let below: Vec<_> = outcomes.iter().filter(|outcome| outcome.winners.is_empty()).collect();
    assert!(below.len() > 20);
    assert!(below.iter().all(|it| it.rounds == 6 && it.players.iter().all(|player| player.rounds == 6)));
    let summary = tally.summarize(&contest);
    assert_eq!(summary.undecided, below.len() as u64);
    // Both outcomes were possible.
    assert!(summary.players[0].win_rate.high > 0.5 && summary.players[0].win_rate.low < 0.1);
}

#[test]
fn a_team_pools_its_points() {
    let goal = Goal::Target { points: 80, max_rounds: 100 };
    let mut contest = contest(Foundations::Own, DealEnd::AllUp, goal, &[1000; 4]);
    for (player, team) in contest.players.iter_mut().zip(["red", "blue", "red", "blue"]) {
        player.team = Some(team.into());
    }
    let (outcomes, tally) = outcomes(&contest, exorcism(), 30);
    for outcome in &outcomes {
        let total = |side: usize| outcome.players[side].points + outcome.players[side + 2].points;
        assert_eq!(outcome.winners.len(), 1);
        let won = outcome.winners[0];
        assert!(total(won) >= 80 && total(1 - won) < 80, "{outcome:?}");
    }
    let summary = tally.summarize(&contest);
    assert_eq!(summary.sides.len(), 2);
    assert_eq!(summary.sides[0].players, ["Player 1", "Player 3"]);
    assert_eq!(summary.players[0].wins, summary.sides[0].wins);
}

/// Checks what a player sees of its opponents.
fn look(view: &View<'_>) -> Result<(), StrategyError> {
    assert_eq!(view.seats(), 3);
    let own = view.other(view.seat()).unwrap();
    assert_eq!((own.cards(), own.waste_top()), (view.cards(), view.waste_top()));
    let up: usize = Suit::ALL.iter().map(|&suit| view.foundation(suit)).sum();
    assert_eq!(up, (0..3).map(|seat| view.other(seat).unwrap().cards()).sum::<usize>());
    for seat in 0..3 {
        let other = view.other(seat).unwrap();
        // Face-down cards stay hidden, and nobody knows what another has seen in the waste.
        assert_eq!((other.reserve(0, 1), other.coming(0)), (None, None));
        assert!(view.score(seat) >= -26 * 2);
    }
    assert!(view.other(3).is_none());
    Ok(())
}

#[test]
fn players_see_the_middle_the_others_and_the_scores() {
    let rules = Rules::new(spec("nerts")).unwrap();
    let contest = contest(Foundations::Shared, DealEnd::Reserve, Goal::Deals(2), &[1000; 3]);
    let curious = (0..3).map(|_| Box::new(Looking(look)) as Box<dyn Strategy>).collect();
    let mut arena = Arena::new(&contest, &rules, curious);
    let outcome = arena.play(1, 0, &mut ()).unwrap();
    assert!(outcome.players.iter().all(|played| played.actions > 20));
}
