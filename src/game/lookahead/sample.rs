//! Samples deals of a lookahead position, and plays games on in them.

use crate::cards::{Card, Deck, Purpose, generator, shuffle as shuffle_cards};

use super::Lookahead;
use crate::game::chance::SeededChance;
use crate::game::moves::{Move, MoveList};
use crate::game::play::{Agent, Game};
use crate::game::player_state::{PlayerState, SAMPLES};
use crate::game::table::Table;
use crate::game::termination::{Cards, is_among, mix as finalized};
use crate::game::view::View;

/// Mixes two numbers into one.
fn mix(a: u64, b: u64) -> u64 {
    finalized((a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15))
}

/// Buffers reused between playouts.
pub struct Spare {
    legal: Option<MoveList>,
    /// See [`View::arrangement`]: no two positions share one.
    arrangement: u64,
}

impl Default for Spare {
    fn default() -> Spare {
        Spare { legal: None, arrangement: Game::new_arrangement() }
    }
}

/// The player of a sampled deal.
pub trait Policy {
    /// Error of the player.
    type Error;

    /// Returns the index of one of the legal moves, or `None` to resign.
    ///
    /// # Errors
    /// Returns the player's own error.
    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, Self::Error>;

    /// Like [`Agent::repeats_draw`].
    fn repeats_draw(&self) -> bool {
        false
    }
}

/// Maximum number of moves in a playout. Games of the shelf rarely take 900, unless cards move back and forth, which is
/// possible if they may return from the foundations: then games would take 10,000.
pub const MOST_PLAYED_ON: u32 = 1_000;

struct Seated<'a, P> {
    policy: &'a mut P,
    of: &'a Lookahead,
    rng: &'a PlayerState,
    /// Number of moves after which it resigns.
    last: u32,
}

impl<'r, P: Policy> Agent<'r, P::Error> for Seated<'_, P> {
    #[inline]
    fn decide(&mut self, game: &Game<'r>) -> Result<Option<usize>, P::Error> {
        if game.moves() >= self.last {
            return Ok(None);
        }
        let view = game.view(self.rng).with_stakes(&self.of.stakes);
        match &self.of.opponents {
            Some(opponents) => self.policy.decide(&view.with_opponents(opponents), game.legal()),
            None => self.policy.decide(&view, game.legal()),
        }
    }

    fn repeats_draw(&self) -> bool {
        self.policy.repeats_draw()
    }
}

impl Lookahead {
    /// Returns the number for the next chance event of a sampled deal.
    pub(in crate::game) fn chance_number(&self) -> Option<u64> {
        self.sample.map(|number| mix(number, u64::from(self.table.redeals())))
    }

    /// Returns the seed of its chance.
    pub(in crate::game) fn number(&self) -> u64 {
        self.sample.unwrap_or(self.origin)
    }

    /// Returns the `k`-th sampled deal, with the unknown cards in random order. All positions of one decision's
    /// lookahead that have the same unknown cards get the same deal.
    pub fn sample(&self, k: u64, game: u64, legal: &mut MoveList) -> Lookahead {
        let mut next = self.clone();
        let number = self.number_of(k, game);
        next.sample = Some(number);
        if self.sample.is_some() {
            return next;
        }
        if self.is_undealt() {
            next.deal(number);
        } else {
            self.deal_unknown(number, &mut next.table);
            (next.unknown, next.apart) = ([0; 4], [0; 4]);
        }
        if self.end.is_none() {
            next.look(legal);
        }
        next
    }

    /// Returns the number of the `k`-th sampled deal. Sampling a sampled deal keeps the cards and varies the later
    /// chance.
    fn number_of(&self, k: u64, game: u64) -> u64 {
        mix(self.sample.unwrap_or_else(|| mix(self.origin, game)), k)
    }

    /// Returns whether nothing is dealt yet: a staged stake is offered before the layout is visible.
    fn is_undealt(&self) -> bool {
        let table = &self.table;
        let piles = &table.piles[..self.rules.hot.piles];
        let is_bare = table.end == 0 && table.offered == 0 && table.reserve_left() == 0 && table.cards() == 0;
        is_bare && self.sample.is_none() && piles.iter().all(|pile| pile.len == 0)
    }

    /// Deals a whole deck, given its number.
    fn deal(&mut self, number: u64) {
        let deck = Deck::shuffled(self.rules.deck_shape(), SAMPLES, number);
        self.table = Table::deal(&self.rules, deck.cards(), &mut SeededChance::new(SAMPLES, number));
        self.termination.begin(&self.table);
    }

    /// Sets a table to this position with the unknown cards in the order of a number. The table is bare, or one of the
    /// same rules.
    fn deal_unknown(&self, number: u64, table: &mut Table) {
        let went_by = self.went_by();
        let (unknown, count) = self.in_order(&went_by);
        table.become_like(&self.table, &self.rules);
        if count == 0 {
            return;
        }
        let (unknown, mut order) = (&unknown[..count], unknown);
        let order = &mut order[..count];
        let mut rng = generator(SAMPLES, number, Purpose::Deal);
        shuffle_cards(order, &mut rng);
        if went_by != [0; 4] && self.part(unknown, order) {
            // The exchanged cards may lie anywhere in the stock and the waste.
            let turned = |card: Card| !is_among(&self.apart, card);
            let lying = unknown.iter().zip(&*order).filter(|(place, _)| turned(**place));
            let mut again: Vec<Card> = lying.map(|(_, card)| *card).collect();
            shuffle_cards(&mut again, &mut rng);
            let places = unknown.iter().zip(&mut *order).filter(|(place, _)| turned(**place));
            places.zip(again).for_each(|((_, card), new)| *card = new);
        }
        table.relabel(&self.table, (unknown, &*order), &self.rules);
    }

    /// Returns the unknown cards and their count. They are sorted by face and then by whether they were seen in the
    /// waste, since nobody sees which pack a card is from.
    #[inline(always)]
    fn in_order(&self, went_by: &Cards) -> ([Card; 256], usize) {
        let (mut unknown, mut count) = ([Card::NONE; 256], 0);
        let packs = &self.unknown[..self.rules.hot.packs];
        let mut left = packs.iter().fold(0, |any, kinds| any | kinds);
        while left != 0 {
            let kind = left.trailing_zeros() as usize;
            left &= left - 1;
            // A plain loop for one pack: this runs for every deal.
            if packs.len() == 1 {
                unknown[count & 63] = Card::of_pack(0, kind);
                count += 1;
                continue;
            }
            let held = packs.iter().enumerate().filter(|(_, kinds)| *kinds >> kind & 1 != 0).map(|it| it.0);
            let seen = |pack: &usize| went_by[*pack] >> kind & 1 != 0;
            for pack in held.clone().filter(seen).chain(held.filter(|pack| !seen(pack))) {
                unknown[count & 255] = Card::of_pack(pack, kind);
                count += 1;
            }
        }
        (unknown, count)
    }

    /// Returns the cards that were seen in the stock or the waste.
    fn went_by(&self) -> Cards {
        let (seen, bought) = (self.termination.went_by(), self.stakes.shuffled());
        std::array::from_fn(|pack| seen[pack] | bought[pack])
    }

    /// Moves cards seen in the waste out of places that they cannot be in. Returns whether any were moved.
    fn part(&self, places: &[Card], cards: &mut [Card]) -> bool {
        let seen = self.went_by();
        let went_by = |card: &Card| is_among(&seen, *card);
        let mut right = 0;
        let mut parted = false;
        for wrong in 0..cards.len() {
            if !(is_among(&self.apart, places[wrong]) && went_by(&cards[wrong])) {
                continue;
            }
            let is_right = |&i: &usize| !is_among(&self.apart, places[i]) && !went_by(&cards[i]);
            let Some(other) = (right..cards.len()).find(is_right) else { break };
            cards.swap(wrong, other);
            (right, parted) = (other + 1, true);
        }
        parted
    }

    /// Plays the `k`-th sampled deal to its end with a policy, like [`Lookahead::play_on`] on that deal; `begin` receives
    /// its number first.
    ///
    /// # Errors
    /// Returns those of the policy.
    pub fn play_sample<P: Policy>(
        &self,
        (k, game): (u64, u64),
        spare: &mut Spare,
        begin: impl FnOnce(u64),
        policy: &mut P,
    ) -> Result<(usize, u32), P::Error> {
        let number = self.number_of(k, game);
        begin(number);
        if self.is_undealt() {
            let mut next = self.clone();
            next.deal(number);
            return next.play_from(|table| *table = next.table, number, spare, policy);
        }
        if self.sample.is_some() {
            return self.play_from(|table| *table = self.table, number, spare, policy);
        }
        self.play_from(|table| self.deal_unknown(number, table), number, spare, policy)
    }

    /// Returns the move that a policy would choose here, unless it would resign; `begin` receives the number that seeds
    /// chance first. No unknown card may lie open.
    ///
    /// # Errors
    /// Returns those of the policy.
    pub fn choice<P: Policy>(
        &self,
        game: u64,
        spare: &mut Spare,
        begin: impl FnOnce(u64),
        policy: &mut P,
    ) -> Result<Option<Move>, P::Error> {
        // A repeated position must not be decided by the same random numbers again.
        let number = mix(self.number_of(0, game), u64::from(self.termination.moves()));
        begin(number);
        if self.end.is_some() {
            return Ok(None);
        }
        let rng = PlayerState::new(SAMPLES, number);
        let legal = spare.legal.take().unwrap_or_default();
        let deal = |table: &mut Table| *table = self.table;
        let game = Game::resume(&self.rules, deal, &self.termination, legal, spare.arrangement);
        let mut seated = Seated { policy, of: self, rng: &rng, last: u32::MAX };
        let chosen = if game.end().is_none() { seated.decide(&game) } else { Ok(None) };
        let chosen = chosen.map(|chosen| chosen.and_then(|index| game.legal().nth(index)));
        let (legal, arrangement) = game.into_spare();
        (spare.legal, spare.arrangement) = (Some(legal), arrangement);
        chosen
    }

    /// Plays a sampled deal to its end with a policy; returns the final number of cards up, and the moves made.
    ///
    /// # Errors
    /// Returns those of the policy.
    pub fn play_on<P: Policy>(&self, spare: &mut Spare, policy: &mut P) -> Result<(usize, u32), P::Error> {
        self.play_from(|table| *table = self.table, self.number(), spare, policy)
    }

    /// Like [`Lookahead::play_on`], with chance seeded by a number; `deal` turns a bare table into this position with no
    /// card unknown.
    fn play_from<P: Policy>(
        &self,
        deal: impl FnOnce(&mut Table),
        number: u64,
        spare: &mut Spare,
        policy: &mut P,
    ) -> Result<(usize, u32), P::Error> {
        if self.end.is_some() {
            return Ok((self.table.cards(), 0));
        }
        let (rng, mut chance) = (PlayerState::new(SAMPLES, number), SeededChance::new(SAMPLES, number));
        let legal = spare.legal.take().unwrap_or_default();
        let mut game = Game::resume(&self.rules, deal, &self.termination, legal, spare.arrangement);
        let before = game.moves();
        let last = before.saturating_add(MOST_PLAYED_ON);
        let shared = self.opponents.as_ref().is_some_and(|opponents| opponents.shared.is_some());
        let played = if shared {
            self.play_shared(&mut game, &rng, &mut chance, policy, last)
        } else {
            game.play_on(&mut chance, &mut (), &mut Seated { policy, of: self, rng: &rng, last }).map(|_| ())
        };
        let outcome = game.outcome();
        let (legal, arrangement) = game.into_spare();
        (spare.legal, spare.arrangement) = (Some(legal), arrangement);
        played.map(|()| (usize::from(outcome.cards), outcome.moves - before))
    }

    /// Like `play_from` with shared foundations; the other players are idle.
    fn play_shared<P: Policy>(
        &self,
        game: &mut Game<'_>,
        rng: &PlayerState,
        chance: &mut SeededChance,
        policy: &mut P,
        last: u32,
    ) -> Result<(), P::Error> {
        let Some(mut opponents) = self.opponents.as_deref().cloned() else { return Ok(()) };
        while game.end().is_none() && game.moves() < last {
            let view = game.view(rng).with_stakes(&self.stakes).with_opponents(&opponents);
            let chosen = policy.decide(&view, game.legal())?;
            let Some(m) = chosen.and_then(|i| game.legal().nth(i)) else { break };
            let card = view.card(m);
            if !game.make(m, chance) {
                break;
            }
            let seat = opponents.seat;
            if let (Some(shared), Some(card), true) = (&mut opponents.shared, card, m.to_foundation())
                && shared.put(card, seat)
            {
                game.on_foundations_changed(shared.wanted());
            }
        }
        Ok(())
    }
}
