//! Compares lookahead positions with the engine: they must equal the position after the real move if nothing new is
//! seen, and be the same for all tables that look alike.

use std::rc::Rc;

use crate::cards::{Card, Deck, Purpose, Suit, below, generator, shuffle};
use crate::rules::{BasePlay, OnRedeal, Rules};

use super::Lookahead;
use super::sample::{MOST_PLAYED_ON, Policy, Spare};
use crate::game::chance::SeededChance;
use crate::game::moves::{Move, MoveList};
use crate::game::outcome::End;
use crate::game::play::Game;
use crate::game::player_state::PlayerState;
use crate::game::specs;
use crate::game::table::{Pile, Table};
use crate::game::view::View;

/// Collects everything visible of a position and its moves; `card` and its like are asked of `ahead` if given.
pub(in crate::game) fn told(view: &View<'_>, ahead: Option<&Lookahead>, moves: &[Move]) -> String {
    let reserve = |r, i| ahead.map_or_else(|| view.reserve(r, i), |it| it.reserve(r, i));
    let pile = |p, i| ahead.map_or_else(|| view.pile(p, i), |it| it.pile(p, i));
    let waste = |i| ahead.map_or_else(|| view.waste(i), |it| it.waste(i));
    let coming = |i| ahead.map_or_else(|| view.coming(i), |it| it.coming(i));
    let card = |m| ahead.map_or_else(|| view.card(m), |it| it.card(m));
    let reserves: Vec<Vec<_>> =
        (0..view.reserves()).map(|r| (0..view.reserve_len(r)).map(|i| reserve(r, i)).collect()).collect();
    let piles: Vec<Vec<_>> =
        (0..view.piles()).map(|p| (0..view.pile_len(p)).map(|i| pile(p, i)).collect()).collect();
    let waste: Vec<_> = (0..view.waste_left()).map(waste).collect();
    let stock: Vec<_> = (0..view.stock_left()).map(coming).collect();
    let heights =
        Suit::ALL.map(|suit| (view.foundation(suit), view.foundation_heights(suit).collect::<Vec<_>>()));
    let kinds = (0..52).map(|kind| Card::of_pack(0, kind));
    let wanted: Vec<_> = kinds.map(|card| (view.wants(card), view.steps(card))).collect();
    let counts = (view.cards(), view.reserve_left(), view.pass(), view.redeals_left(), view.draw());
    let moves: Vec<_> = moves
        .iter()
        .map(|&m| (m, card(m), view.to_space(m), view.empties_pile(m), view.turns_up(m), view.rolls(m)))
        .collect();
    format!(
        "{:?} {:?} {reserves:?} {piles:?} {waste:?} {stock:?} {heights:?} {wanted:?} {counts:?} {moves:?}",
        view.base(),
        view.offered()
    )
}

fn told_of(ahead: &Lookahead) -> String {
    let rng = PlayerState::new(0, 0);
    format!("{} {}", told(&ahead.view(&rng), Some(ahead), ahead.moves()), ahead.ended())
}

/// Runs `look` on the positions of random games under many rules.
fn positions(rulesets: u64, mut look: impl FnMut(&Game<'_>, &Rc<Rules>, &PlayerState)) {
    for number in 0..rulesets {
        let rules = Rc::new(Rules::new(specs::numbered(number)).unwrap());
        random_game(&rules, number, &mut look);
    }
}

/// Runs `look` on the positions of one random game.
fn random_game(rules: &Rc<Rules>, number: u64, look: &mut impl FnMut(&Game<'_>, &Rc<Rules>, &PlayerState)) {
    let mut chance = SeededChance::new(number, 0);
    let mut dice = generator(number, 0, Purpose::Strategy);
    let deck = Deck::shuffled(rules.deck_shape(), number, 0);
    let (mut game, rng) = (Game::new(rules), PlayerState::new(number, 0));
    game.deal(deck.cards(), &mut chance);
    for _ in 0..80 {
        if game.end().is_some() {
            break;
        }
        look(&game, rules, &rng);
        let m = game.legal()[below(&mut dice, game.legal().len() as u32) as usize];
        game.make(m, &mut chance);
    }
}

#[test]
fn a_card_that_is_not_known_may_have_to_go_up_first() {
    let (mut asked, mut legal) = (0, MoveList::new());
    let mut look = |game: &Game<'_>, rules: &Rc<Rules>, rng: &PlayerState| {
        let mut origin = Lookahead::of(&game.view(rng), rules, game.legal());
        origin.list(&mut legal);
        for &m in game.legal().iter().filter(|m| m.is_draw()) {
            let next = origin.after(m, 0, &mut legal);
            for k in 0..20 {
                let sample = origin.sample(k, 0, &mut MoveList::new()).after(m, 0, &mut legal);
                let all = sample.ended() || next.moves().iter().all(|m| sample.moves().contains(m));
                assert!(all, "{}: {:?}, of which {:?}", rules.name(), next.moves(), sample.moves());
                asked += 1;
            }
        }
    };
    for (name, number) in ["exorcism", "bsd"].into_iter().flat_map(|it| (0..20).map(move |n| (it, n))) {
        let rules = Rc::new(crate::rules::load(name).unwrap().rules);
        random_game(&rules, number, &mut look);
    }
    assert!(asked > 1000, "{asked}");
}

#[test]
fn a_move_that_shows_nothing_new_leads_where_the_real_one_does() {
    let (mut same, mut news, mut ended) = (0, 0, 0);
    let mut legal = MoveList::new();
    positions(120, |game, rules, rng| {
        let view = game.view(rng);
        let origin = Lookahead::of(&view, rules, game.legal());
        assert_eq!(told(&view, None, game.legal()), told(&origin.view(rng), Some(&origin), origin.moves()));
        for &m in game.legal().iter() {
            if view.rolls(m) {
                continue;
            }
            let next = origin.after(m, 0, &mut legal);
            let deal = |table: &mut _| *table = *game.table();
            let mut real = Game::resume(rules, deal, &game.termination_for_tests(), MoveList::new(), 1 << 60);
            real.make(m, &mut crate::game::NoChance);
            let shown = real.view(rng);
            if view.reveals(game.table(), m, real.table()) {
                news += 1;
                // Every move listed as known to be legal is legal.
                if real.end().is_none() {
                    let all = next.moves().iter().all(|m| real.legal().contains(m));
                    assert!(all, "{} {m}: {:?} {:?}", rules.name(), next.moves(), real.legal());
                }
                assert!(!next.ended() || real.end().is_some());
                continue;
            }
            if rules.spec().stock.on_redeal == OnRedeal::Shuffle && real.end() == Some(End::Repeated) {
                // The order of an unknown stock is part of the position, so repetition is not foreseen.
                continue;
            }
            let moves: &[Move] = if real.end().is_some() { &[] } else { real.legal() };
            assert_eq!(next.ended(), real.end().is_some(), "{} {m}", rules.name());
            assert_eq!(
                told(&next.view(rng), Some(&next), next.moves()),
                told(&shown, None, moves),
                "{} {m}",
                rules.name()
            );
            same += 1;
            ended += u32::from(next.ended());
        }
    });
    assert!(same > 5000 && news > 1000 && ended > 20, "{same} {news} {ended}");
}

#[test]
fn tables_that_look_alike_are_thought_of_alike() {
    let (mut legal, mut asked) = (MoveList::new(), 0);
    let mut order = generator(1, 1, Purpose::Deal);
    positions(120, |game, rules, rng| {
        asked += 1;
        if asked % 4 != 0 {
            return;
        }
        let view = game.view(rng);
        let other = view.with_hidden(|hidden| shuffle(hidden, &mut order));
        let origins = [game.table(), &other]
            .map(|table| Lookahead::of(&View::new(table, rules, rng), rules, game.legal()));
        let mut all = [String::new(), String::new()];
        for (told, origin) in all.iter_mut().zip(&origins) {
            let die = |at: &Lookahead, m| if at.rolls(m) { 1 } else { 0 };
            for &m in origin.moves() {
                let next = origin.after(m, die(origin, m), &mut legal);
                *told += &told_of(&next);
                for &m in next.moves() {
                    *told += &told_of(&next.after(m, die(&next, m), &mut legal));
                }
                *told += &told_of(&next.sample(1, 0, &mut legal));
            }
            let sample = origin.sample(0, 0, &mut legal);
            *told += &told_of(&sample);
            let played = sample.play_on(&mut Spare::default(), &mut First).unwrap();
            *told += &format!("{played:?}");
        }
        assert!(all[0] == all[1], "{} tells of hidden cards", rules.name());
    });
    assert!(asked > 3000, "{asked}");
}

/// The faces on a table: what would be seen if all cards were turned up.
fn faces(table: &Table) -> (Vec<usize>, Vec<usize>) {
    let tops =
        table.piles.iter().map(|pile| pile.top).chain(table.reserves.iter().map(|reserve| reserve.top));
    let turned = table.waste().iter().chain(table.stock());
    (turned.map(|card| card.kind()).collect(), tops.map(Card::kind).collect())
}

#[test]
fn packs_are_not_told_apart() {
    let (mut dice, mut legal) = (generator(9, 0, Purpose::Strategy), MoveList::new());
    let loaded = |name| Rc::new(crate::rules::load(name).unwrap().rules);
    let mut all = ["double-canfield", "demon-two-packs"].map(loaded).to_vec();
    // With a squared waste, and with a shuffle.
    all.extend_from_slice(&crate::game::tests::rulesets()[6..]);
    for (rules, number) in all.iter().flat_map(|rules| (0..20).map(move |n| (rules, n))) {
        let name = rules.name();
        let deck = Deck::shuffled(rules.deck_shape(), 9, number);
        // The same deck with half of the faces swapped between packs.
        let changes: Vec<bool> = (0..52).map(|_| below(&mut dice, 2) == 0).collect();
        let change = |card: Card| Card::of_pack(card.pack() ^ usize::from(changes[card.kind()]), card.kind());
        let decks = [deck.cards().to_vec(), deck.cards().iter().map(|&card| change(card)).collect()];
        let mut games = decks.map(|deck| {
            let (mut game, mut chance) = (Game::new(rules), SeededChance::new(9, number));
            game.deal(&deck, &mut chance);
            (game, chance)
        });
        let rng = PlayerState::new(9, number);
        while games[0].0.end().is_none() && games[0].0.moves() < 150 {
            let seen = games.each_ref().map(|(game, _)| {
                let view = game.view(&rng);
                let origin = Lookahead::of(&view, rules, game.legal());
                let sample = origin.sample(3, number, &mut legal);
                let other = view.sample(&mut generator(9, number, Purpose::Deal));
                (view.fingerprint(), faces(&sample.table), sample.moves().to_vec(), faces(&other))
            });
            assert_eq!(seen[0], seen[1], "{name}, game {number}, move {}", games[0].0.moves());
            let m = games[0].0.legal()[below(&mut dice, games[0].0.legal().len() as u32) as usize];
            games.iter_mut().for_each(|(game, chance)| {
                game.make(m, chance);
            });
        }
    }
}

#[test]
fn a_position_in_the_place_of_another_is_like_a_new_one() {
    let (mut legal, mut again, mut known) = (MoveList::new(), MoveList::new(), 0);
    let mut used: Option<Lookahead> = None;
    let mut dice = generator(2, 2, Purpose::Deal);
    positions(160, |game, rules, rng| {
        let mut at = Lookahead::of(&game.view(rng), rules, game.legal());
        for _ in 0..4 {
            if at.moves().is_empty() {
                break;
            }
            let m = at.moves()[below(&mut dice, at.moves().len() as u32) as usize];
            let face = u8::from(at.rolls(m));
            let new = at.after(m, face, &mut legal);
            let next = used.get_or_insert_with(|| new.clone());
            at.after_into(m, face, &mut legal, next);
            assert_eq!(told_of(next), told_of(&new), "{} {m}", rules.name());
            assert_eq!(next.unknown, new.unknown);
            let samples = [&*next, &new].map(|it| told_of(&it.sample(1, 0, &mut again)));
            assert_eq!(samples[0], samples[1], "{} {m}", rules.name());
            // What is legal among known cards stays legal with empty places in place of the unknown ones.
            if !next.ended() && !next.table.choosing {
                let mut bare = next.table;
                let is_unknown =
                    |card: Card| card != Card::NONE && next.unknown[card.pack()] & card.bit() != 0;
                let blank = |card: &mut Card| {
                    if is_unknown(*card) {
                        *card = Card::NONE
                    }
                };
                for pile in bare.piles.iter_mut().filter(|pile| is_unknown(pile.top)) {
                    *pile = Pile { len: pile.len, ..Pile::EMPTY };
                    known += 1;
                }
                bare.reserves.iter_mut().for_each(|reserve| blank(&mut reserve.top));
                bare.pack.iter_mut().for_each(blank);
                bare.list_any(rules, &mut again);
                // An unknown card may be a base card that must go up.
                if rules.spec().foundation.base_play == BasePlay::Optional || !next.moves().is_empty() {
                    assert_eq!(next.moves(), &again[..], "{} {m}", rules.name());
                }
            }
            std::mem::swap(next, &mut at);
        }
    });
    assert!(known > 100, "{known}");
}

/// A policy that always draws or redeals.
struct Draws;

impl Policy for Draws {
    type Error = ();

    fn decide(&mut self, _: &View<'_>, legal: &MoveList) -> Result<Option<usize>, ()> {
        Ok(legal.len().checked_sub(1))
    }
}

#[test]
fn a_deal_that_is_played_on_ends_after_so_many_moves() {
    let text = "extends = \"canfield\"\n[end]\nbarren_passes = 1000000\n";
    let rules = Rc::new(crate::rules::parse_text("patient.toml", text).unwrap().rules);
    let mut stopped = 0;
    for number in 0..20 {
        let (mut game, rng) = (Game::new(&rules), PlayerState::new(5, number));
        let deck = Deck::shuffled(rules.deck_shape(), 5, number);
        game.deal(deck.cards(), &mut crate::game::NoChance);
        let from = Lookahead::of(&game.view(&rng), &rules, game.legal());
        let (_, moves) = from.play_on(&mut Spare::default(), &mut Draws).unwrap();
        assert!(moves <= MOST_PLAYED_ON, "{number}: {moves}");
        stopped += usize::from(moves == MOST_PLAYED_ON);
    }
    assert!(stopped > 0, "all games came to an end by themselves");
}

/// A policy that plays the first move.
struct First;

impl Policy for First {
    type Error = ();

    fn decide(&mut self, _view: &View<'_>, _legal: &MoveList) -> Result<Option<usize>, ()> {
        Ok(Some(0))
    }
}

#[test]
fn samples_agree_with_what_is_seen() {
    let (mut legal, mut different) = (MoveList::new(), 0);
    positions(100, |game, rules, rng| {
        let view = game.view(rng);
        let origin = Lookahead::of(&view, rules, game.legal());
        let samples = [0, 1].map(|k| origin.sample(k, 0, &mut legal));
        for sample in &samples {
            // The sample is a proper table: its own view shows what the player saw, and the same moves are legal.
            let over = View::new(&sample.table, rules, rng);
            assert_eq!(
                told(&over, None, sample.moves()),
                told(&View::new(game.table(), rules, rng), None, game.legal())
            );
            let mut again = MoveList::new();
            sample.table.legal_moves(rules, &mut again);
            assert_eq!(&again[..], sample.moves());
            // Every card is shown, exactly once.
            let mut seen: Vec<u8> =
                sample.table.waste().iter().chain(sample.table.stock()).map(|card| card.0).collect();
            for p in 0..view.piles() {
                seen.extend((0..view.pile_len(p)).map(|i| sample.pile(p, i).unwrap().0));
            }
            for r in 0..view.reserves() {
                seen.extend((0..view.reserve_len(r)).map(|i| sample.reserve(r, i).unwrap().0));
            }
            seen.sort_unstable();
            seen.dedup();
            let (up, offered) = (view.cards(), view.offered().len());
            assert_eq!(seen.len() + up + offered, view.all_cards(), "{}", rules.name());
        }
        different += u32::from(samples[0].table.stock() != samples[1].table.stock());
    });
    assert!(different > 1000, "{different}");
}

/// The deck of a sampled opening is dealt again, and played from its deal.
#[test]
fn a_playout_is_the_game_of_the_sampled_deck() {
    struct Greedy;
    impl Policy for Greedy {
        type Error = ();
        fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, ()> {
            Ok(legal.iter().position(|&m| !m.between_piles() || view.reserve_left() > 0))
        }
        fn repeats_draw(&self) -> bool {
            true
        }
    }
    let rules = Rc::new(Rules::compile(crate::rules::Spec::default()));
    let rng = PlayerState::new(1, 1);
    let (mut game, mut legal, mut spare) = (Game::new(&rules), MoveList::new(), Spare::default());
    for number in 0..200 {
        game.deal(Deck::shuffled(rules.deck_shape(), 1, number).cards(), &mut crate::game::NoChance);
        let sample = Lookahead::of(&game.view(&rng), &rules, game.legal()).sample(number, 0, &mut legal);
        let table = &sample.table;
        let mut deck: Vec<Card> = table.reserve(0).collect();
        deck.reverse();
        deck.extend((0..4).flat_map(|f| table.foundation(f)));
        deck.extend((0..4).flat_map(|p| table.pile(p).map(|(card, _)| card)));
        deck.extend(table.stock());
        let played = sample.play_on(&mut spare, &mut Greedy).unwrap();
        game.deal(&deck, &mut crate::game::NoChance);
        let whole = game
            .play_out(&mut crate::game::NoChance, &mut (), |game| {
                Greedy.decide(&game.view(&rng), game.legal())
            })
            .unwrap();
        assert_eq!(played, (usize::from(whole.cards), whole.moves));
    }
}
