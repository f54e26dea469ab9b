//! A strategy written in Rust, compared with `greedy` on the same deals of Canfield:
//! `cargo run --profile bench --example native_strategy`.

use std::cmp::Reverse;
use std::error::Error;

use saratoga::game::{Move, MoveList, PlayerState, View};
use saratoga::lab::{Comparison, Contender, Matchup, Workers, compare};
use saratoga::stats::Measure;
use saratoga::strategy::{Greedy, Strategy, StrategyError};

/// Plays what leaves the fewest cards in the reserve, then the most plays: it looks one move ahead.
struct LooksAhead;

impl Strategy for LooksAhead {
    fn name(&self) -> &str {
        "looks-ahead"
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        let (now, state) = (view.lookahead(legal), PlayerState::new(0, 0));
        let value = |m: Move| {
            let after = now.after(m, 0, &mut MoveList::default());
            let plays = after.moves().iter().filter(|m| m.is_play()).count();
            (m.to_foundation(), Reverse(after.view(&state).reserve_left()), plays)
        };
        let useful =
            |m: Move| m.is_play() && (!m.between_piles() || view.empties_pile(m) && !view.to_space(m));
        let best = legal.iter().enumerate().filter(|&(_, &m)| useful(m)).max_by_key(|&(_, &m)| value(m));
        Ok(best.map(|(index, _)| index).or_else(|| legal.iter().position(|m| !m.is_play())))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let canfield = saratoga::rules::load("canfield")?;
    let (own, greedy) =
        (|| Box::new(LooksAhead) as Box<dyn Strategy>, || Box::new(Greedy) as Box<dyn Strategy>);
    let contender = |name, strategy| {
        let pairing = Matchup { id: "canfield", rules: &canfield.rules, strategy };
        Contender { id: "canfield", strategy: name, replay: String::new(), pairing }
    };
    let comparison = Comparison {
        entries: vec![contender("looks-ahead", &own), contender("greedy", &greedy)],
        seed: 1,
        given: None,
        budget: 10_000,
        measure: Measure::Cards,
        test: None,
        fit_difference: false,
        play_all: true,
        show: 0,
        workers: Workers::new(2),
    };
    let compared = compare(&comparison, &mut |_, _| {})?;
    let gain = compared.pairs[0].summary.cards;
    println!("It gains {:+.2} cards a game ({:+.2} to {:+.2}).", gain.value, gain.low, gain.high);
    Ok(())
}
