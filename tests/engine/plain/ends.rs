//! Ends of games that lead nowhere, determined plainly: whole positions and whole passes are stored.

use std::collections::HashSet;

use saratoga::game::End;
use saratoga::rules::{BasePlay, Draw, OnRedeal, Roll, Spec};

use super::{PCard, PlainGame};

#[derive(Clone, Debug)]
struct Pass {
    number: u32,
    packet: u8,
    play_was_legal: bool,
    play_was_made: bool,
}

/// The part of a game's history that its ends depend on.
pub struct PlainEnds {
    passes: Vec<Pass>,
    moves: u32,
    been_up: HashSet<PCard>,
    /// Positions after each play since the last progress.
    stood: Vec<PlainGame>,
    /// Cards that have been the waste's top since the last play.
    tops: HashSet<PCard>,
    /// Redeals since the last play chosen by the player: a base card that must go up does not count as a play.
    idle_redeals: u32,
}

impl PlainEnds {
    pub fn begin(spec: &Spec, game: &PlainGame) -> PlainEnds {
        let been_up = game.foundations.iter().flatten().copied().collect();
        let (passes, stood, tops) = (vec![], vec![], HashSet::new());
        let mut ends = PlainEnds { passes, moves: 0, been_up, stood, tops, idle_redeals: 0 };
        ends.begin_pass(game);
        ends.look(spec, game);
        ends
    }

    fn begin_pass(&mut self, game: &PlainGame) {
        let (number, packet) = (game.pass, game.packet);
        self.passes.push(Pass { number, packet, play_was_legal: false, play_was_made: false });
    }

    fn look(&mut self, spec: &Spec, game: &PlainGame) {
        self.tops.extend(game.waste.last());
        let pass = self.passes.last_mut().unwrap();
        pass.play_was_legal |= game.legal(spec).iter().any(|word| word.contains('>'));
    }

    /// Returns how the position itself ends the game.
    pub fn stands(spec: &Spec, game: &PlainGame) -> Option<End> {
        if game.cards_on_foundations() == spec.cards() {
            Some(End::Won)
        } else {
            game.legal(spec).is_empty().then_some(End::Blocked)
        }
    }

    /// Follows a move, and returns how it ended the game.
    pub fn follow(&mut self, spec: &Spec, word: &str, before: &PlainGame, after: &PlainGame) -> Option<End> {
        self.moves += 1;
        let mut repeated = false;
        if word == "redeal" {
            self.begin_pass(after);
            self.idle_redeals += 1;
        } else if word != "draw" {
            let new =
                after.foundations.iter().zip(&before.foundations).find(|(now, then)| now.len() > then.len());
            let base_up = new.is_some_and(|(now, _)| now.last().unwrap().rank == after.base);
            if !(base_up && spec.foundation.base_play == BasePlay::Forced) {
                self.idle_redeals = 0;
            }
            self.passes.last_mut().unwrap().play_was_made = true;
            self.tops.clear();
            if self.is_progress(before, after) {
                self.stood.clear();
            } else {
                let position = whole_position(spec, after);
                self.stood.push(position.clone());
                repeated = self.stood.iter().filter(|stood| **stood == position).count() >= 3;
            }
        }
        self.look(spec, after);
        PlainEnds::stands(spec, after)
            .or(repeated.then_some(End::Repeated))
            .or((self.moves >= 10_000).then_some(End::Runaway))
    }

    fn is_progress(&mut self, before: &PlainGame, after: &PlainGame) -> bool {
        let reserve = |game: &PlainGame| game.reserves.iter().map(Vec::len).sum::<usize>();
        let pack = |game: &PlainGame| game.stock.len() + game.waste.len();
        let mut first_time_up = false;
        for card in after.foundations.iter().flatten() {
            first_time_up |= self.been_up.insert(*card);
        }
        first_time_up || reserve(after) < reserve(before) || pack(after) < pack(before)
    }

    /// Returns whether a draw or a redeal chosen here ends the game instead.
    pub fn goes_nowhere(&self, spec: &Spec, word: &str, game: &PlainGame) -> bool {
        if let Some(most) = spec.idle_redeals {
            return word == "redeal" && self.idle_redeals + 1 == most;
        }
        let die = match spec.stock.draw {
            Draw::Die { faces, roll } => Some((faces, roll)),
            Draw::ByPass(_) => None,
        };
        let barren_in_a_row = |counts: &dyn Fn(&Pass) -> bool| {
            self.passes.iter().rev().take_while(|pass| !pass.play_was_made && counts(pass)).count() as u32
        };
        let capped = || spec.barren_passes.is_some_and(|cap| barren_in_a_row(&|_| true) >= cap);
        if spec.stock.on_redeal == OnRedeal::Shuffle || matches!(die, Some((_, Roll::Draw))) {
            let all_seen = game.stock.iter().chain(&game.waste).all(|card| self.tops.contains(card));
            return all_seen || word == "redeal" && capped();
        }
        if word != "redeal" {
            return false;
        }
        if let Some((faces, Roll::Pass)) = die {
            let barren = self.passes.iter().rev().take_while(|pass| !pass.play_was_made);
            let governed: HashSet<u8> = barren.map(|pass| pass.packet).collect();
            return governed.len() == usize::from(faces) || capped();
        }
        let same = |pass: &Pass| packets_to_come(spec, pass.number).len() == 1;
        let this = self.passes.last().unwrap();
        let enough = spec.barren_passes.unwrap_or(2);
        same(this) && (!this.play_was_legal || barren_in_a_row(&same) >= enough)
    }
}

/// Returns the packets of this pass and of those to come, until they stay the same.
fn packets_to_come(spec: &Spec, pass: u32) -> Vec<u8> {
    let Draw::ByPass(sizes) = &spec.stock.draw else { return vec![0] };
    let first = (pass as usize - 1).min(sizes.len() - 1);
    let mut sizes = sizes[first..].to_vec();
    while sizes.len() > 1 && sizes[sizes.len() - 1] == sizes[sizes.len() - 2] {
        sizes.pop();
    }
    sizes
}

/// Reduces a position to everything that decides how it may continue: instead of the number of the pass, the redeals
/// left and the packets to come.
pub fn whole_position(spec: &Spec, game: &PlainGame) -> PlainGame {
    let mut position = game.clone();
    if spec.stock.redeals.is_none() {
        position.redeals_used = 0;
    }
    position.pass = packets_to_come(spec, game.pass).len() as u32;
    position
}
