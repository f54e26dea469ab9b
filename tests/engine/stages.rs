//! Staged stakes: which stages are offered, what they cost, and what stopping is worth.

use saratoga::cards::Deck;
use saratoga::game::{End, Instead, MoveList, Outcome, Stake, View};
use saratoga::lab::GameRunner;
use saratoga::rules::{OnRedeal, Rules, Spec, Stage, StageAt, WasteFace};
use saratoga::stats::staked_and_net;
use saratoga::strategy::{Greedy, Strategy, StrategyError};

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

pub fn buyer(rule: impl FnMut(&View<'_>, StageAt) -> bool + 'static) -> Box<dyn Strategy> {
    Box::new(Buyer(rule))
}

pub fn bsd() -> Rules {
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
