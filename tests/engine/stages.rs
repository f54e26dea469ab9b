//! Staged stakes: which stages are offered, what they cost, what stopping is worth, and summaries and records of such games,
//! recomputed from rows.

use saratoga::cards::Deck;
use saratoga::game::{End, Instead, MoveList, Outcome, Record, Stake, View};
use saratoga::lab::{Batch, Finished, GameRunner, Matchup, simulate};
use saratoga::report::GamesCsv;
use saratoga::rules::{OnRedeal, Rules, Spec, Stage, StageAt, WasteFace};
use saratoga::stats::{
    Estimate, House, Moments, Sample, Summary, Tally, clopper_pearson, staked_and_net, summarize,
};
use saratoga::strategy::{Greedy, Strategy, StrategyError};

use crate::common::play::{Each, batch};
use crate::engine::support::shelf;

/// Plays greedily and buys by a rule of what it sees, the stage and how often it was offered before.
struct Buyer<F>(F);

impl<F: FnMut(&View<'_>, StageAt) -> bool> Strategy for Buyer<F> {
    fn name(&self) -> &str {
        "buyer"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        Greedy.decide(view, legal)
    }

    fn buys(&mut self, view: &View<'_>, _legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        assert!(stage.cost > 0);
        Ok((self.0)(view, stage.at))
    }
}

fn buyer(rule: impl FnMut(&View<'_>, StageAt) -> bool + 'static) -> Box<dyn Strategy> {
    Box::new(Buyer(rule))
}

fn bsd() -> Rules {
    shelf().into_iter().find(|(name, _)| *name == "bsd").unwrap().1
}

fn changed(change: impl FnOnce(&mut Spec)) -> Rules {
    let mut spec = bsd().spec().clone();
    change(&mut spec);
    Rules::new(spec).unwrap()
}

fn play(rules: &Rules, strategy: Box<dyn Strategy>, games: u64) -> Vec<Outcome> {
    let mut player = GameRunner::new("here", rules, strategy);
    (0..games).map(|game| player.play(3, game).unwrap()).collect()
}

fn bought(outcome: &Outcome, at: StageAt) -> u32 {
    outcome.stake.unwrap().bought[at as usize]
}

/// A player who always stops at a stage has paid for those before it, and is paid nothing until the hand is fully
/// bought.
#[test]
fn stopping_at_a_step_costs_what_was_paid() {
    let rules = bsd();
    for (at, staked) in [(StageAt::Deal, 0), (StageAt::FirstLook, 1300), (StageAt::FirstDraw, 2600)] {
        for outcome in play(&rules, buyer(move |_, asked| asked != at && asked.stops()), 60) {
            let stake = outcome.stake.unwrap();
            assert_eq!((stake.stopped, stake.staked, stake.whole), (Some(at), staked, false));
            assert_eq!(outcome.end, End::Resigned);
            assert_eq!(staked_and_net(rules.spec(), &outcome), (staked, -staked));
            // Before the deal there is nothing to move; before the look only the deal's own moves.
            assert!(outcome.cards >= 1 && (at != StageAt::Deal || outcome.moves == 0));
        }
    }
    let mut stopped = 0;
    for outcome in play(&rules, buyer(|_, asked| asked.of_the_hand()), 60) {
        let stake = outcome.stake.unwrap();
        let paid = 500 * i64::from(outcome.cards);
        assert_eq!(staked_and_net(rules.spec(), &outcome), (5200, paid - 5200));
        assert!(stake.whole && outcome.redeals == 0);
        stopped += u32::from(stake.stopped == Some(StageAt::Pass));
    }
    assert!(stopped > 50);
    // A pass is asked for where it is made.
    for outcome in play(&rules, Box::new(Greedy), 200) {
        let stake = outcome.stake.unwrap();
        assert_eq!((bought(&outcome, StageAt::Pass), stake.stopped), (outcome.redeals, None));
        assert_eq!(stake.asked[StageAt::FirstDraw as usize], 1);
        assert_eq!(stake.staked, 5200 + 500 * i64::from(outcome.redeals));
    }
}

/// Canfield with a squared waste in stages: $10 for the hand, $5 to play, $20 to draw, $3 a pass, at most two cards at
/// $1.
fn in_steps() -> Rules {
    let mut spec = Spec { name: "steps".into(), ..Spec::default() };
    let cost = [1000, 500, 2000, 300, 100];
    let stages = StageAt::ALL.into_iter().zip(cost);
    spec.casino.stages = stages.map(|(at, cost)| Stage { at, cost, limit: 0 }).collect();
    spec.casino.stages[4].limit = 2;
    spec.stock.waste = WasteFace::Squared;
    spec.casino.stake = 0;
    Rules::new(spec).unwrap()
}

/// Game 0 of seed 1 by hand: greedy brings no card up, needs one redeal to see that, and ends barren with only the base
/// card. It stakes 10 + 5 + 20 + 3 and gets 5 back; stopping at the pass saves 3.
#[test]
fn a_game_by_hand() {
    let rules = in_steps();
    let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
    let watch = |strategy| GameRunner::new("here", &rules, strategy).watch(&deck, 1, 0, &mut ()).unwrap();
    let on = watch(Box::new(Greedy));
    assert_eq!((on.end, on.cards, on.moves, on.redeals), (End::Barren, 1, 27, 1));
    assert_eq!(staked_and_net(rules.spec(), &on), (3800, 500 - 3800));
    assert_eq!(on.stake.unwrap().asked[..4], [1, 1, 1, 1]);
    let stops = watch(buyer(|_, at| at.of_the_hand()));
    assert_eq!((stops.end, stops.cards, stops.redeals), (End::Resigned, 1, 0));
    assert_eq!(staked_and_net(rules.spec(), &stops), (3500, 500 - 3500));
    let mut instead = Instead { end: End::Barren, cards: 1, staked: 3800, whole: true };
    assert_eq!(stops.stake.unwrap().instead, Some(instead));
    // Two cards are bought before the pass, in both games.
    let curious = watch(buyer(|_, at| at != StageAt::Pass));
    assert_eq!(staked_and_net(rules.spec(), &curious), (3700, 500 - 3700));
    instead.staked += 200;
    assert_eq!(curious.stake.unwrap().instead, Some(instead));
}

/// The hypothetical result of buying on equals that of the same player who never stops.
#[test]
fn buying_on_is_the_same_player_who_never_stops() {
    for rules in [bsd(), in_steps(), changed(|spec| spec.stock.on_redeal = OnRedeal::Shuffle)] {
        let cards = |view: &View<'_>| view.cards().is_multiple_of(2) && view.stock_left() % 3 == 1;
        let stops = play(
            &rules,
            buyer(move |view, at| match at {
                StageAt::UnknownCard => cards(view),
                StageAt::Pass => view.cards() > 3 * view.pass() as usize,
                StageAt::FirstDraw => view.cards() > 1 || view.reserve_left() < 12,
                _ => true,
            }),
            200,
        );
        let never = play(&rules, buyer(move |view, at| at != StageAt::UnknownCard || cards(view)), 200);
        let mut stopped = 0;
        for (stops, never) in stops.iter().zip(&never) {
            let (stake, on) = (stops.stake.unwrap(), never.stake.unwrap());
            match stake.instead {
                Some(instead) => {
                    stopped += 1;
                    let Stake { staked, whole, .. } = on;
                    assert_eq!(instead, Instead { end: never.end, cards: never.cards, staked, whole });
                }
                None => assert_eq!(stops, never),
            }
            assert_eq!(stake.instead.is_some(), stake.stopped.is_some());
        }
        assert!(stopped > 50, "{stopped}");
    }
}

/// With a fanned waste, cards seen are known for free; with the limit of the rules, two are sold. How many are sold otherwise
/// is tried in `bsd.rs`.
#[test]
fn cards_that_are_known_are_not_sold() {
    let fanned = changed(|spec| {
        spec.casino.stages.iter_mut().for_each(|stage| stage.limit = 0);
        spec.stock.waste = WasteFace::Fanned;
    });
    for (rules, sold) in [(fanned, 0), (in_steps(), 2)] {
        let all = play(&rules, buyer(|_, _| true), 60);
        assert!(all.iter().all(|outcome| bought(outcome, StageAt::UnknownCard) == sold), "{all:?}");
    }
}

/// An offer is made with each draw and redeal, once per position, for earlier tops of the waste: no other card is ever
/// shown.
#[test]
fn an_offer_is_made_once_in_a_position() {
    let (tell, offers) = std::sync::mpsc::channel();
    let rule = move |view: &View<'_>, at| {
        let known = (0..view.waste_left()).filter(|&i| view.waste(i).is_some()).count();
        at != StageAt::UnknownCard
            || tell.send((view.pass(), view.stock_left(), known)).is_ok() && view.stock_left() != 28
    };
    play(&changed(|spec| spec.stock.redeals = Some(0)), buyer(rule), 1);
    let offers: Vec<_> = offers.iter().collect();
    // The top is known in addition to what was bought: that of the second packet was not, and is sold with the third.
    assert_eq!(offers[..4], [(1, 31, 1), (1, 28, 2), (1, 25, 2), (1, 22, 4)]);
    assert!(offers.windows(2).all(|two| two[0].1 > two[1].1), "{offers:?}");
}

fn cautious() -> Box<dyn Strategy> {
    buyer(|view, at| match at {
        StageAt::UnknownCard => view.stock_left() == 31,
        StageAt::Pass => view.cards() > view.pass() as usize,
        StageAt::FirstDraw => view.cards() > 1 || view.reserve_left() < 13,
        _ => true,
    })
}

/// Recomputes every result about stakes in the summary from the rows of the games.
#[test]
fn the_summary_is_that_of_the_rows() {
    let rules = bsd();
    let mut rows = GamesCsv::new(rules.spec(), false, Vec::new()).unwrap();
    let mut write = Each(|first, _: &Finished, outcomes: &[Vec<Outcome>]| {
        (first..).zip(&outcomes[0]).for_each(|(game, outcome)| rows.row(game, None, outcome).unwrap());
    });
    let entries = vec![Matchup { id: "bsd", rules: &rules, strategy: &cautious }];
    let batch = Batch { each_game: true, ..batch(entries, 3, 0..4_000, 2) };
    let finished = simulate(&batch, &mut write).unwrap();
    let tally = &finished.tallies[0];
    assert_eq!(tally.check(rules.spec()), Ok(()));
    let kept = serde_json::to_string(tally).unwrap();
    assert_eq!(serde_json::from_str::<Tally>(&kept).unwrap(), *tally);
    let summary: Summary = summarize(tally, rules.spec(), vec![]);
    let text = String::from_utf8(rows.finish().unwrap()).unwrap();
    let mut lines = text.lines();
    let header = "game,cards,end,moves,redeals,reserve_left,complete_suits,net_cents,staked_cents,stopped_at,\
                  net_buying_on_cents";
    assert_eq!(lines.next(), Some(header));
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let number = |row: &[&str], column: usize| row[column].parse::<f64>().unwrap();
    let column = |column: usize| rows.iter().map(move |row| number(row, column)).collect::<Vec<_>>();
    let (nets, stakes) = (column(7), column(8));
    let n = rows.len() as f64;
    let (net, staked) = (nets.iter().sum::<f64>(), stakes.iter().sum::<f64>());
    // The maximum pay and cost of a game: four stages, $5 for each of twice 52 passes and $1 for each of 34 looks.
    let (paid, hand, all) = (26_000.0, 5_200.0, 5_200.0 + 104.0 * 500.0 + 3_400.0);
    let mean = |values: &[f64], least: f64, most: f64| {
        Sample::of(values.iter().map(|&x| (x, 1))).estimate(least, most)
    };
    close(summary.net, mean(&nets, -all, paid - hand));
    assert!((summary.net_sd - Moments::of(nets.iter().map(|&x| (x, 1))).sd).abs() < 1e-6);
    let of_stakes = summary.stakes.as_ref().unwrap();
    close(of_stakes.staked, mean(&stakes, 0.0, all));
    close(
        of_stakes.paid,
        mean(&nets.iter().zip(&stakes).map(|(net, s)| net + s).collect::<Vec<_>>(), 0.0, paid),
    );
    assert!((summary.house_edge.unwrap().value + net / staked).abs() < 1e-12);
    close(
        summary.hold_per_100,
        mean(&nets.iter().map(|net| -100.0 * net).collect::<Vec<_>>(), 100.0 * (hand - paid), 100.0 * all),
    );
    let hits = nets.iter().filter(|&&net| net > 0.0).count() as u64;
    assert_eq!(summary.hit_frequency.low, clopper_pearson(hits, 4_000).0);

    // For each stage: the games stopped there, and their gain over buying on.
    let gains = |at: &str| -> Vec<f64> {
        let stopped = rows.iter().filter(|row| row[9] == at);
        stopped.map(|row| number(row, 7) - number(row, 10)).collect()
    };
    assert!(rows.iter().all(|row| row[9].is_empty() == row[10].is_empty()));
    for stage in &of_stakes.stages {
        let gains = gains(stage.at.word());
        assert_eq!(stage.stopped, gains.len() as u64, "{}", stage.at);
        assert!(stage.asked >= stage.bought + stage.stopped);
        match stage.worth_of_stopping {
            Some(worth) => close(worth, mean(&gains, -paid - all, paid + all)),
            None => assert!(gains.is_empty()),
        }
    }
    let asked: Vec<_> = of_stakes.stages.iter().map(|stage| (stage.at, stage.stopped > 100)).collect();
    let stopped = |at| at == StageAt::FirstDraw || at == StageAt::Pass;
    assert_eq!(asked, StageAt::ALL.map(|at| (at, stopped(at))));
    // Over all games, those that were not stopped gain nothing by stopping.
    let mut together: Vec<f64> = ["first-draw", "pass"].iter().flat_map(|at| gains(at)).collect();
    together.resize(rows.len(), 0.0);
    close(of_stakes.worth_of_stopping.unwrap(), mean(&together, -paid - all, paid + all));
    assert_eq!(of_stakes.staked.value, staked / n);
    // The house's side of every game, for the night.
    let gains: i64 = House::new(tally, &rules.spec().casino).gains().iter().map(|&(g, n)| g * n as i64).sum();
    assert_eq!(gains as f64, -net);
}

fn close(a: Estimate, b: Estimate) {
    for (a, b) in [(a.value, b.value), (a.low, b.low), (a.high, b.high)] {
        assert!((a - b).abs() < 1e-6 * b.abs().max(1.0), "{a} is not {b}");
    }
}

/// Records of staged games are valid, even without a move. Cards seen in the waste may have been bought in addition, but
/// fewer than 34 were seen. More records are tried in `tests/cli/check_claims.rs` and `tests/scripts/property/records.rs`.
#[test]
fn records_tell_what_was_staked() {
    let rules = bsd();
    let record = |strategy| {
        let deck = Deck::shuffled(rules.deck_shape(), 3, 1);
        GameRunner::new("bsd", &rules, strategy).record(&deck, 3, 1).unwrap()
    };
    let stopped = record(buyer(|_, _| false));
    assert_eq!((stopped.moves.as_str(), stopped.stopped, stopped.staked), ("", Some(StageAt::Deal), Some(0)));
    stopped.check(&rules).unwrap();
    let good = record(Box::new(Greedy));
    for (more, right) in [(-100, false), (50, false), (100, true), (3400, false), (i64::MIN / 2, false)] {
        let staked = good.staked.map(|staked| staked + more);
        assert_eq!(Record { staked, ..good.clone() }.check(&rules).is_ok(), right, "{more} cents more");
    }
    assert_eq!(Record { staked: None, ..good }.check(&rules).unwrap().stake, None);
}
