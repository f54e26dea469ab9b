//! The legal moves, in the engine's order, and their notation.

use saratoga::rules::{Base, BasePlay, ChoiceFrom, Filler, MoveUnit, ReserveFace, Returns, SpaceRank, Spec};

use super::{PCard, PlainGame};

/// The source of cards; numbers count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Reserve(usize),
    Waste,
    Pile(usize),
    Stock,
    Foundation(usize),
    Offered(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PMove {
    /// One card to the foundations.
    Up {
        from: Place,
    },
    Lay {
        from: Place,
        to: usize,
        count: usize,
    },
    Draw,
    Redeal,
}

impl PlainGame {
    /// Returns every legal move in the notation of records, in the engine's order.
    pub fn legal(&self, spec: &Spec) -> Vec<String> {
        self.moves(spec).into_iter().map(|m| self.write_move(m)).collect()
    }

    /// Returns every legal move, in the engine's order.
    pub fn moves(&self, spec: &Spec) -> Vec<PMove> {
        let reserves = self.open_reserves(spec);

        // The first move of a game chooses the base card, if the rules say so.
        if let (0, Base::Choice(from)) = (self.base, spec.foundation.base) {
            let places: Vec<Place> = match from {
                ChoiceFrom::Reserve => reserves.into_iter().map(|(place, _)| place).collect(),
                ChoiceFrom::Dealt(_) => (0..self.offered.len()).map(Place::Offered).collect(),
            };
            return places.into_iter().map(|from| PMove::Up { from }).collect();
        }

        // 1. One card to the foundations: from the reserves, the waste, the piles.
        let mut tops = reserves.clone();
        tops.extend(self.waste.last().map(|&card| (Place::Waste, card)));
        for (i, pile) in self.piles.iter().enumerate() {
            tops.extend(pile.last().map(|&(card, _)| (Place::Pile(i), card)));
        }
        tops.retain(|&(_, card)| self.foundation_for(card).is_some());
        if spec.foundation.base_play == BasePlay::Forced
            && tops.iter().any(|(_, card)| card.rank == self.base)
        {
            tops.retain(|(_, card)| card.rank == self.base);
            return tops.into_iter().map(|(from, _)| PMove::Up { from }).collect();
        }
        let mut moves: Vec<PMove> = tops.into_iter().map(|(from, _)| PMove::Up { from }).collect();

        // 2. A reserve card to a pile.
        for (from, card) in reserves {
            self.lay_one(spec, from, card, Filler::Reserve, &mut moves);
        }

        // 3. Pile to pile.
        for (i, pile) in self.piles.iter().enumerate() {
            for to in 0..self.piles.len() {
                for count in 1..=pile.len() {
                    let lowest = pile[pile.len() - count].0;
                    let whole_pile_into_space = count == pile.len() && self.piles[to].is_empty();
                    if to != i
                        && self.is_unit(spec, i, count)
                        && !whole_pile_into_space
                        && self.accepts(spec, to, lowest, count, Filler::Tableau)
                    {
                        moves.push(PMove::Lay { from: Place::Pile(i), to, count });
                    }
                }
            }
        }

        // 4. The waste to a pile, then the unseen top of the stock into a space.
        if let Some(&card) = self.waste.last() {
            self.lay_one(spec, Place::Waste, card, Filler::Waste, &mut moves);
        }
        // Only if any rank may start a space: if the move depended on the rank, the list of moves would reveal the
        // hidden card.
        if let (Some(&card), SpaceRank::Any) = (self.stock.first(), spec.spaces.rank) {
            for to in 0..self.piles.len() {
                if self.piles[to].is_empty() && self.accepts(spec, to, card, 1, Filler::Stock) {
                    moves.push(PMove::Lay { from: Place::Stock, to, count: 1 });
                }
            }
        }

        // 5. A foundation card back to a pile.
        for (i, foundation) in self.foundations.iter().enumerate() {
            let Some(&card) = foundation.last() else { continue };
            let allowed = match spec.foundation.returns {
                Returns::Never => false,
                Returns::Top => true,
                Returns::TopExceptBase => card.rank != self.base,
            };
            if allowed {
                self.lay_one(spec, Place::Foundation(i), card, Filler::Foundation, &mut moves);
            }
        }

        // 6. and 7.
        if !self.stock.is_empty() {
            moves.push(PMove::Draw);
        }
        let redeals_left = spec.stock.redeals.is_none_or(|allowed| self.redeals_used < allowed);
        if self.stock.is_empty() && !self.waste.is_empty() && redeals_left {
            moves.push(PMove::Redeal);
        }
        moves
    }

    fn open_reserves(&self, spec: &Spec) -> Vec<(Place, PCard)> {
        let mut open = Vec::new();
        for (i, reserve) in self.reserves.iter().enumerate() {
            let Some(&card) = reserve.last() else { continue };
            let face_up = match spec.reserve.face {
                ReserveFace::Top | ReserveFace::All => true,
                ReserveFace::Last => reserve.len() == 1,
            };
            if face_up {
                open.push((Place::Reserve(i), card));
            }
        }
        open
    }

    /// Adds the moves of one card to every pile that accepts it.
    fn lay_one(&self, spec: &Spec, from: Place, card: PCard, filler: Filler, moves: &mut Vec<PMove>) {
        for to in 0..self.piles.len() {
            if self.accepts(spec, to, card, 1, filler) {
                moves.push(PMove::Lay { from, to, count: 1 });
            }
        }
    }

    /// Returns whether pile `to` takes `count` cards of which `lowest` is the lowest.
    fn accepts(&self, spec: &Spec, to: usize, lowest: PCard, count: usize, filler: Filler) -> bool {
        let pile = &self.piles[to];
        let limit = spec.tableau.max_height as usize;
        if limit != 0 && pile.len() + count > limit {
            return false;
        }
        match pile.last() {
            Some(&(top, _)) => self.fits(spec, lowest, top),
            None => self.may_start_space(spec, lowest, filler),
        }
    }

    /// Returns whether the player may put a card from such a place into a space.
    fn may_start_space(&self, spec: &Spec, card: PCard, filler: Filler) -> bool {
        let reserve_left = self.reserves.iter().any(|reserve| !reserve.is_empty());
        let fillers = if reserve_left { &spec.spaces.while_reserve } else { &spec.spaces.after_reserve };
        let rank_allowed = match spec.spaces.rank {
            SpaceRank::Any => true,
            SpaceRank::Rank(rank) => card.rank as i64 == rank.number(),
            SpaceRank::Base => card.rank == self.base,
            SpaceRank::BelowBase => self.rank_above(card.rank) == self.base,
        };
        fillers.contains(&filler) && rank_allowed
    }

    /// Returns whether the top `count` cards of a pile may move to another pile together.
    fn is_unit(&self, spec: &Spec, pile: usize, count: usize) -> bool {
        let single = count == 1;
        let whole = count == self.face_up_part(pile) && self.is_run(spec, pile, count);
        match spec.tableau.unit {
            MoveUnit::Single => single,
            MoveUnit::Whole => whole,
            MoveUnit::SingleOrWhole => single || whole,
            MoveUnit::Sequence => self.is_run(spec, pile, count),
        }
    }

    /// Returns how many cards from the top down are face up without a gap.
    fn face_up_part(&self, pile: usize) -> usize {
        self.piles[pile].iter().rev().take_while(|(_, face_up)| *face_up).count()
    }

    /// Returns whether the top `count` cards are face up and each fits the one below it.
    fn is_run(&self, spec: &Spec, pile: usize, count: usize) -> bool {
        let pile = &self.piles[pile];
        let part = &pile[pile.len() - count..];
        part.iter().all(|(_, face_up)| *face_up)
            && part.windows(2).all(|pair| self.fits(spec, pair[1].0, pair[0].0))
    }
}
