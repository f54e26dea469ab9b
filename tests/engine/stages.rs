//! Stakes that are bought in stages: who is asked what, what it costs, what stopping is worth.

use saratoga::lab::Workers;
use std::sync::atomic::AtomicBool;

use crate::support::shelf;
use saratoga::cards::Deck;
use saratoga::game::{End, Instead, MoveList, Outcome, Stake, View};
use saratoga::lab::{Batch, Finished, Pairing, Player, Watcher, simulate};
use saratoga::report::GamesCsv;
use saratoga::rules::{OnRedeal, Rules, Spec, Stage, StageAt, WasteFace};
use saratoga::stats::{
    Estimate, House, Moments, Sample, Summary, clopper_pearson, staked_and_net, summarize,
};
use saratoga::strategy::{Greedy, Strategy, StrategyError};

/// Plays greedily and buys by a rule of what it sees, the step and how often it was asked for it before.
struct Buyer<F>(F);

impl<F: FnMut(&View<'_>, StageAt) -> bool> Strategy for Buyer<F> {
    fn name(&self) -> &str {
        "buyer"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        Greedy.decide(view, legal)
    }

    fn stage(
        &mut self,
        view: &View<'_>,
        _legal: &MoveList,
        at: StageAt,
        cost: i64,
    ) -> Result<bool, StrategyError> {
        assert!(cost > 0);
        Ok((self.0)(view, at))
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
    let mut player = Player::new("here", rules, strategy);
    (0..games).map(|game| player.play(3, game).unwrap()).collect()
}

fn bought(outcome: &Outcome, at: StageAt) -> u32 {
    outcome.stake.unwrap().bought[at as usize]
}

/// Who always stops at a step has paid what comes before it, and is paid nothing until the hand is whole.
#[test]
fn stopping_at_a_step_costs_what_was_paid() {
    let rules = bsd();
    for (at, staked) in [(StageAt::Deal, 0), (StageAt::FirstLook, 1300), (StageAt::FirstDraw, 2600)] {
        for outcome in play(&rules, buyer(move |_, asked| asked != at), 60) {
            let stake = outcome.stake.unwrap();
            assert_eq!((stake.stopped, stake.staked, stake.whole), (Some(at), staked, false));
            assert_eq!(outcome.end, End::Resigned);
            assert_eq!(staked_and_net(rules.spec(), &outcome), (staked, -staked));
            // Before the look there is nothing to move; before the first draw only plays.
            assert!(outcome.cards >= 1 && (at == StageAt::FirstDraw || outcome.moves == 0));
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
}

/// Canfield in steps: $10 for the hand, $5 to see it, $20 to draw, $3 a pass, at most two cards at $1.
fn in_steps() -> Rules {
    let mut spec = Spec { name: "steps".into(), ..Spec::default() };
    let cost = [1000, 500, 2000, 300, 100];
    let stages = StageAt::ALL.into_iter().zip(cost);
    spec.casino.stages = stages.map(|(at, cost)| Stage { at, cost, limit: 0 }).collect();
    spec.casino.stages[4].limit = 2;
    spec.casino.stake = 0;
    Rules::new(spec).unwrap()
}

/// Game 0 of seed 1 by hand: greedy brings no card up, needs one redeal to see that, and ends barren with
/// the base card alone. It stakes 10 + 5 + 20 + 3 and gets 5 back; who stops at the pass saves 3.
#[test]
fn a_game_by_hand() {
    let rules = in_steps();
    let deck = Deck::shuffled(rules.deck_shape(), 1, 0);
    let watch = |strategy| Player::new("here", &rules, strategy).watch(&deck, 1, 0, &mut ()).unwrap();
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

/// What would have come of buying on is what the same player gets who never stops.
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

#[test]
fn a_pass_is_asked_for_where_it_is_made() {
    for outcome in play(&bsd(), Box::new(Greedy), 200) {
        let stake = outcome.stake.unwrap();
        assert_eq!((bought(&outcome, StageAt::Pass), stake.stopped), (outcome.redeals, None));
        assert_eq!(stake.asked[StageAt::FirstDraw as usize], 1);
        assert_eq!(stake.staked, 5200 + 500 * i64::from(outcome.redeals));
    }
}

/// Cards that are bought are known; each is sold once for as long as its place is known.
#[test]
fn unknown_cards_are_sold_once() {
    let all = |rules: &Rules| play(rules, buyer(|_, _| true), 60);
    let no_limit = |change: &dyn Fn(&mut Spec)| {
        changed(|spec| {
            spec.casino.stages.iter_mut().for_each(|stage| stage.limit = 0);
            change(spec);
        })
    };
    // An opening draw leaves 31 cards of 34 in the stock; those three are for sale in the next pass.
    for outcome in all(&no_limit(&|_| {})) {
        let most = if outcome.redeals == 0 { 31 } else { 34 };
        assert!((31..=most).contains(&bought(&outcome, StageAt::UnknownCard)), "{outcome:?}");
    }
    // Where the waste is fanned, what went by is known for nothing.
    for outcome in all(&no_limit(&|spec| spec.stock.waste = WasteFace::Fanned)) {
        assert_eq!(bought(&outcome, StageAt::UnknownCard), 31);
    }
    // A shuffle makes all of them unknown again.
    let shuffled = all(&no_limit(&|spec| spec.stock.on_redeal = OnRedeal::Shuffle));
    assert!(shuffled.iter().any(|outcome| bought(outcome, StageAt::UnknownCard) > 60));
    for outcome in all(&in_steps()) {
        assert_eq!(bought(&outcome, StageAt::UnknownCard), 2, "the limit of the rules");
    }
}

/// An offer that was declined is made again only once something has moved.
#[test]
fn an_offer_is_made_once_in_a_position() {
    use std::cell::RefCell;
    use std::rc::Rc;
    let offers = Rc::new(RefCell::new(Vec::new()));
    let notes = offers.clone();
    let rule = move |view: &View<'_>, at| {
        if at == StageAt::UnknownCard {
            let known = (0..view.stock_left()).filter(|&i| view.coming(i).is_some()).count();
            notes.borrow_mut().push((view.pass(), view.stock_left(), known));
            return known % 2 == 0;
        }
        true
    };
    let outcome = play(&changed(|spec| spec.stock.redeals = Some(0)), buyer(rule), 1)[0];
    let offers = offers.borrow();
    // In pairs: a card is bought, the next is declined, and the draw that follows is made.
    assert_eq!(offers[..2], [(1, 31, 0), (1, 31, 1)]);
    let positions: Vec<usize> = offers.iter().map(|&(_, stock, _)| stock).collect();
    for stock in [31, 28, 25] {
        assert!(positions.iter().filter(|&&s| s == stock).count() <= 2, "{positions:?}");
    }
    assert_eq!(offers.len() as u32, outcome.stake.unwrap().asked[StageAt::UnknownCard as usize]);
}

fn cautious() -> Box<dyn Strategy> {
    buyer(|view, at| match at {
        StageAt::UnknownCard => view.stock_left() == 31,
        StageAt::Pass => view.cards() > view.pass() as usize,
        StageAt::FirstDraw => view.cards() > 1 || view.reserve_left() < 13,
        _ => true,
    })
}

fn batch(rules: &Rules, games: std::ops::Range<u64>, threads: usize, watcher: &mut dyn Watcher) -> Finished {
    let entries = vec![Pairing { id: "bsd", rules, strategy: &cautious }];
    let batch =
        Batch { entries, seed: 3, games, precision: None, workers: Workers::new(threads), each_game: true };
    simulate(&batch, &AtomicBool::new(false), watcher).unwrap()
}

#[test]
fn threads_and_pieces_change_nothing() {
    let rules = bsd();
    let text = |finished: &Finished| serde_json::to_string(&finished.tallies[0]).unwrap();
    let one = batch(&rules, 0..5_300, 1, &mut ());
    for threads in [2, 3] {
        let many = batch(&rules, 0..5_300, threads, &mut ());
        assert_eq!((&many.tallies, &many.running), (&one.tallies, &one.running));
        assert_eq!(text(&many), text(&one));
    }
    let mut sum = batch(&rules, 2_100..5_300, 2, &mut ()).tallies.remove(0);
    sum.merge(&batch(&rules, 0..2_100, 2, &mut ()).tallies[0]);
    assert_eq!(sum, one.tallies[0]);
    assert_eq!(sum.check(rules.spec()), Ok(()));
    let back: saratoga::stats::Tally = serde_json::from_str(&text(&one)).unwrap();
    assert_eq!(back, sum);
}

/// Writes the games of a batch as CSV.
struct Rows<'a>(GamesCsv<'a, Vec<u8>>);

impl Watcher for Rows<'_> {
    fn block(&mut self, first: u64, _: &Finished, outcomes: &[Vec<Outcome>]) {
        for (game, outcome) in (first..).zip(&outcomes[0]) {
            self.0.row(game, outcome).unwrap();
        }
    }
}

/// Every figure of the summary that has to do with stakes, once more from the rows of the games.
#[test]
fn the_summary_is_that_of_the_rows() {
    let rules = bsd();
    let mut rows = Rows(GamesCsv::new(rules.spec(), Vec::new()).unwrap());
    let finished = batch(&rules, 0..4_000, 2, &mut rows);
    let tally = &finished.tallies[0];
    let summary: Summary = summarize(tally, rules.spec(), vec![]);
    let text = String::from_utf8(rows.0.finish().unwrap()).unwrap();
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
    // What a game can pay at most, and cost: four stages, $5 for each of twice 52 passes and $1 for each of 34 looks.
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

    // For each step: the games stopped there, and what they brought more than buying on.
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

/// No figure is made up where the stake varies: there is no fair price and no break-even.
#[test]
fn what_has_no_answer_is_left_out() {
    let rules = bsd();
    let tally = &batch(&rules, 0..2_000, 2, &mut ()).tallies[0];
    let summary = summarize(tally, rules.spec(), vec![]);
    assert_eq!(
        (summary.fair_price, summary.price_for_5_percent, summary.break_even_cards),
        (None, None, None)
    );
    let house = House::new(tally, &rules.spec().casino);
    assert!(house.edge_at_price(5200.0).is_none() && house.price_for_edge(0.05).is_none());
    // Nothing staked is no edge, whatever it is a share of.
    let entries = vec![Pairing { id: "bsd", rules: &rules, strategy: &|| buyer(|_, _| false) }];
    let batch = Batch {
        entries,
        seed: 1,
        games: 0..1_000,
        precision: None,
        workers: Workers::new(1),
        each_game: false,
    };
    let none = simulate(&batch, &AtomicBool::new(false), &mut ()).unwrap();
    let summary = summarize(&none.tallies[0], rules.spec(), vec![]);
    assert_eq!((summary.house_edge, summary.net.value, summary.wins), (None, 0.0, 0));
    assert_eq!(summary.stakes.unwrap().stages[0].stopped, 1_000);
    assert!(none.running[0].is_empty());
}

/// Records of games in steps are good, also those without a move, and forged ones are told.
#[test]
fn records_tell_what_was_staked() {
    let rules = bsd();
    let record = |strategy, game| {
        let deck = Deck::shuffled(rules.deck_shape(), 3, game);
        Player::new("bsd", &rules, strategy).record(&deck, 3, game).unwrap()
    };
    for game in 0..200 {
        let record = record(cautious(), game);
        record.check(&rules).unwrap_or_else(|fault| panic!("{fault}: {record:?}"));
        let outcome = Player::new("bsd", &rules, cautious()).play(3, game).unwrap();
        let stake = outcome.stake.unwrap();
        assert_eq!((record.staked, record.stopped), (Some(stake.staked), stake.stopped));
    }
    for at in [StageAt::Deal, StageAt::FirstLook] {
        let unseen = record(buyer(move |_, asked| asked != at), 0);
        assert_eq!((unseen.moves.as_str(), unseen.end, unseen.stopped), ("", End::Resigned, Some(at)));
        unseen.check(&rules).unwrap();
    }
    let good = record(Box::new(Greedy), 1);
    let told = |change: &dyn Fn(&mut saratoga::game::Record)| {
        let mut forged = good.clone();
        change(&mut forged);
        forged.check(&rules).map_err(|fault| fault.message)
    };
    assert_eq!(told(&|record| record.staked = None).map(|outcome| outcome.stake), Ok(None));
    let wrong = |cents: i64| told(&|record| record.staked = record.staked.map(|staked| staked + cents));
    assert!(wrong(-100).unwrap_err().contains("cents were staked, which its moves cannot have cost"));
    assert!(wrong(50).is_err() && wrong(3500).is_err() && told(&|r| r.staked = Some(i64::MIN)).is_err());
    // Up to 34 unknown cards may have been bought besides.
    assert!(wrong(100).is_ok() && wrong(3400).is_ok());
    let stopped = |at| told(&|record| record.stopped = Some(at)).unwrap_err();
    assert!(stopped(StageAt::Pass).contains("which was not asked where its moves end"));
    assert!(stopped(StageAt::UnknownCard).contains("stopped at `unknown-card`"));
    let plain = shelf().into_iter().find(|(name, _)| *name == "canfield").unwrap().1;
    let empty = saratoga::game::Record { moves: String::new(), end: End::Resigned, cards: 1, ..good };
    assert!(empty.check(&plain).unwrap_err().message.contains("the rules have no stages"));
}
