//! Summaries of games bought in stages: results recomputed from the rows, and records.

use saratoga::cards::Deck;
use saratoga::game::{Outcome, Record};
use saratoga::lab::{Batch, Finished, GameRunner, MakeStrategy, Matchup, Watcher, simulate};
use saratoga::report::GamesCsv;
use saratoga::rules::{Rules, StageAt};
use saratoga::stats::{Estimate, House, Moments, Sample, Summary, Tally, clopper_pearson, summarize};
use saratoga::strategy::{Greedy, Strategy};

use crate::common::play::{self, Each};
use crate::engine::stages::{bsd, buyer};

fn cautious() -> Box<dyn Strategy> {
    buyer(|view, at| match at {
        StageAt::UnknownCard => view.stock_left() == 31,
        StageAt::Pass => view.cards() > view.pass() as usize,
        StageAt::FirstDraw => view.cards() > 1 || view.reserve_left() < 13,
        _ => true,
    })
}

fn batch(
    rules: &Rules,
    games: std::ops::Range<u64>,
    threads: usize,
    strategy: MakeStrategy<'_>,
    watcher: &mut dyn Watcher,
) -> Finished {
    let entries = vec![Matchup { id: "bsd", rules, strategy }];
    let batch = Batch { each_game: true, ..play::batch(entries, 3, games, threads) };
    simulate(&batch, watcher).unwrap()
}

/// Recomputes every result about stakes in the summary from the rows of the games.
#[test]
fn the_summary_is_that_of_the_rows() {
    let rules = bsd();
    let mut rows = GamesCsv::new(rules.spec(), false, Vec::new()).unwrap();
    let mut write = Each(|first, _: &Finished, outcomes: &[Vec<Outcome>]| {
        (first..).zip(&outcomes[0]).for_each(|(game, outcome)| rows.row(game, None, outcome).unwrap());
    });
    let finished = batch(&rules, 0..4_000, 2, &cautious, &mut write);
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

/// No results are invented where the stake varies: there is no fair price and no break-even.
#[test]
fn what_has_no_answer_is_left_out() {
    let rules = bsd();
    let tally = &batch(&rules, 0..2_000, 2, &cautious, &mut ()).tallies[0];
    let summary = summarize(tally, rules.spec(), vec![]);
    assert_eq!(
        (summary.fair_price, summary.price_for_5_percent, summary.break_even_cards),
        (None, None, None)
    );
    let house = House::new(tally, &rules.spec().casino);
    assert!(house.edge_at_price(5200.0).is_none() && house.price_for_edge(0.05).is_none());
    // With nothing staked there is no edge, whatever it is a share of.
    let none = batch(&rules, 0..1_000, 1, &|| buyer(|_, _| false), &mut ());
    let summary = summarize(&none.tallies[0], rules.spec(), vec![]);
    assert_eq!((summary.house_edge, summary.net.value, summary.wins), (None, 0.0, 0));
    assert_eq!(summary.stakes.unwrap().stages[0].stopped, 1_000);
    assert!(none.running[0].is_empty());
}

/// Records of staged games are valid, even without a move. Cards seen in the waste may have been bought in addition, but
/// fewer than 34 were seen. What else is false is tried in `tests/cli/check_claims.rs`.
#[test]
fn records_tell_what_was_staked() {
    let rules = bsd();
    let record = |strategy, game| {
        let deck = Deck::shuffled(rules.deck_shape(), 3, game);
        GameRunner::new("bsd", &rules, strategy).record(&deck, 3, game).unwrap()
    };
    for game in 0..200 {
        let record = record(cautious(), game);
        record.check(&rules).unwrap_or_else(|fault| panic!("{fault}: {record:?}"));
        let outcome = GameRunner::new("bsd", &rules, cautious()).play(3, game).unwrap();
        let stake = outcome.stake.unwrap();
        assert_eq!((record.staked, record.stopped), (Some(stake.staked), stake.stopped));
    }
    let stopped = record(buyer(|_, _| false), 1);
    assert_eq!((stopped.moves.as_str(), stopped.stopped, stopped.staked), ("", Some(StageAt::Deal), Some(0)));
    stopped.check(&rules).unwrap();
    let good = record(Box::new(Greedy), 1);
    for (more, right) in [(-100, false), (50, false), (100, true), (3400, false), (i64::MIN / 2, false)] {
        let staked = good.staked.map(|staked| staked + more);
        assert_eq!(Record { staked, ..good.clone() }.check(&rules).is_ok(), right, "{more} cents more");
    }
    assert_eq!(Record { staked: None, ..good }.check(&rules).unwrap().stake, None);
}
