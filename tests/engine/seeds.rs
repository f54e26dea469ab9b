//! Shuffles and dice are fair, and depend only on the seed, the number of the game and what they are for.

use saratoga::cards::{Card, Deck, DeckShape, Pack, Purpose, generator, shuffle};
use saratoga::game::{Chance, SeededChance};

const PACK: DeckShape = DeckShape { pack: Pack::FULL, packs: 1, without: None };

/// Asserts that counts are equal, by the distance of their chi-square from its mean. The limit is far beyond chance, and
/// far below the effect of a faulty shuffle.
fn assert_fair(counts: &[u32], freedom: usize) {
    let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
    let expected = total / counts.len() as f64;
    let chi: f64 = counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let surprise = (chi - freedom as f64) / (2.0 * freedom as f64).sqrt();
    assert!(surprise.abs() < 5.0, "{surprise} standard deviations");
}

#[test]
fn every_card_is_as_likely_in_every_place() {
    let (mut places, mut followers) = (vec![0; 52 * 52], vec![0; 52 * 52]);
    let ordered = Deck::ordered(PACK);
    let mut deck = ordered.clone();
    for game in 0..50_000 {
        deck.shuffle_again(&ordered, 20, game);
        for (place, card) in deck.cards().iter().enumerate() {
            places[place * 52 + card.kind()] += 1;
        }
        for pair in deck.cards().windows(2) {
            followers[pair[0].kind() * 52 + pair[1].kind()] += 1;
        }
    }
    assert_fair(&places, 51 * 51);
    // No card follows itself.
    let followers: Vec<u32> = (0..52 * 52).filter(|i| i / 52 != i % 52).map(|i| followers[i]).collect();
    assert_fair(&followers, 52 * 51 - 1);
}

#[test]
fn dice_are_fair() {
    for faces in [2, 6, 13, 52] {
        let (mut first, mut later, mut pairs) = (vec![0; faces], vec![0; faces], vec![0; faces * faces]);
        for game in 0..30_000 {
            let mut chance = SeededChance::new(20, game);
            let mut roll = || usize::from(chance.roll(faces as u8)) - 1;
            let (a, b) = (roll(), roll());
            first[a] += 1;
            later[roll()] += 1;
            pairs[a * faces + b] += 1;
        }
        assert_fair(&first, faces - 1);
        assert_fair(&later, faces - 1);
        assert_fair(&pairs, faces * faces - 1);
    }
}

#[test]
fn streams_of_different_games_and_purposes_differ() {
    let purposes = [Purpose::Deal, Purpose::Dice, Purpose::Redeal, Purpose::Strategy];
    let stream = |seed, game, purpose| {
        let mut cards: Vec<Card> = PACK.cards().collect();
        shuffle(&mut cards, &mut generator(seed, game, purpose));
        cards
    };
    let mut seen = std::collections::BTreeSet::new();
    // Values that would collide if seed, game and purpose were added or mixed carelessly.
    let words = [0, 1, 2, 3, 4, 255, 256, 1 << 32, 1 << 63, u64::MAX - 1, u64::MAX];
    for seed in words {
        for game in words {
            for purpose in purposes {
                assert!(seen.insert(stream(seed, game, purpose)), "{seed} {game} {purpose:?}");
            }
        }
    }
    assert_eq!(stream(9, 5, Purpose::Deal), Deck::shuffled(PACK, 9, 5).cards());
}

/// Golden dice and redeals: like the golden decks, they never change.
#[test]
fn golden_dice_and_redeals() {
    let mut chance = SeededChance::new(7, 3);
    let rolls: Vec<String> = (0..12).map(|_| chance.roll(6).to_string()).collect();
    let mut cards: Vec<Card> = PACK.cards().take(12).collect();
    chance.shuffle(&mut cards);
    let cards: Vec<String> = cards.iter().map(Card::to_string).collect();
    assert_eq!(
        (rolls.join(" ").as_str(), cards.join(" ").as_str()),
        ("4 2 4 6 5 1 1 2 6 1 3 3", "2C 2D 3D 2H AS 3S AC AD 3C 2S AH 3H")
    );
}
