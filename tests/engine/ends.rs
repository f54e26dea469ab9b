//! Each way a game ends, on positions made for it.

use crate::support::Told;
use crate::support::layout::{Layout, bare, play};
use saratoga::cards::Rank;
use saratoga::game::{Chance, End, NoChance, Outcome, RUNAWAY, Recorder};
use saratoga::rules::*;

/// Rules in which a card only ever goes to the foundations, which wait for their aces.
fn only_up(change: impl FnOnce(&mut Spec)) -> Spec {
    bare(|spec| {
        (spec.tableau.build, spec.tableau.direction) = (Build::SameSuit, Direction::Same);
        (spec.spaces.auto, spec.spaces.after_reserve) = (vec![], vec![]);
        change(spec);
    })
}

/// All aces are buried, so that nothing is ever legal but draws and redeals: 47 cards in the stock.
const STUCK: &str = "piles: AC AD AH AS KD";
/// The same, but one ace is in the stock, where packets of 1 and of 3 show it.
const ONE_ACE: &str = "piles: AD AH AS KD; stock: 2C 2D AC";

/// A draw from a list of sizes.
fn sizes(sizes: &[u8]) -> Draw {
    Draw::ByPass(sizes.to_vec())
}

/// Plays by drawing and redealing only, to the end; what came of it, and the record's words.
fn turn_only(spec: Spec, text: &str, chance: &mut impl Chance) -> (Outcome, String) {
    let layout = Layout::new(spec, text);
    let mut game = layout.game("");
    let mut recorder = Recorder::new(&layout.rules);
    game.deal_watched(&layout.deck, chance, &mut recorder);
    let last = |game: &saratoga::game::Game<'_>| Ok::<_, ()>(game.legal().len().checked_sub(1));
    let outcome = game.play_out(chance, &mut recorder, last).unwrap();
    assert_eq!(Some(outcome.end), game.end());
    let words = recorder.moves();
    let made = words.split(' ').filter(|word| *word == "draw" || *word == "redeal").count();
    assert_eq!(made, outcome.moves as usize, "the redeal that is not made is not recorded");
    (outcome, words)
}

/// The redeals made before such a game ends barren.
fn redeals(text: &str, faces: &[u8], change: impl FnOnce(&mut Spec)) -> u32 {
    let (outcome, _) = turn_only(only_up(change), text, &mut Told::new(faces));
    assert_eq!(outcome.end, End::Barren);
    outcome.redeals
}

#[test]
fn a_dead_pass_ends_the_game() {
    let (outcome, words) = turn_only(only_up(|_| ()), STUCK, &mut NoChance);
    assert_eq!((outcome.end, outcome.moves, outcome.redeals), (End::Barren, 16, 0));
    assert!(!words.contains("redeal"));
    assert_eq!(redeals(STUCK, &[], |spec| spec.barren_passes = Some(9)), 0);
    assert_eq!(redeals(STUCK, &[], |spec| spec.stock.draw = sizes(&[2, 2])), 0);
    assert_eq!(redeals(STUCK, &[], |spec| spec.stock.opening_draw = true), 0);
}

#[test]
fn barren_passes_end_the_game() {
    assert_eq!(redeals(ONE_ACE, &[], |_| ()), 1);
    for passes in 1..5 {
        assert_eq!(redeals(ONE_ACE, &[], |spec| spec.barren_passes = Some(passes)), passes - 1);
    }
}

#[test]
fn a_play_makes_a_pass_neither_dead_nor_barren() {
    let layout = Layout::new(only_up(|spec| spec.stock.draw = sizes(&[24])), ONE_ACE);
    // Packets of 24 do not show the ace: pass 1 would be dead.
    assert!(layout.game("draw draw").would_be_barren(saratoga::game::Move::REDEAL));
    let layout = Layout::new(only_up(|spec| spec.stock.draw = sizes(&[3])), ONE_ACE);
    let pass = "draw ".repeat(16);
    let rest = "draw ".repeat(15);
    let mut game = layout.game(&format!("{pass} redeal draw W>F {rest} redeal"));
    assert_eq!((game.table().pass(), game.end()), (3, None));
    play(&mut game, &"draw ".repeat(16), &mut NoChance);
    // Nothing is legal any more in pass 3, so it is dead.
    assert!(!game.make(game.legal()[0], &mut NoChance));
    assert_eq!((game.end(), game.outcome().redeals), (Some(End::Barren), 2));
}

#[test]
fn packets_that_still_change_are_waited_for() {
    assert_eq!(redeals(STUCK, &[], |spec| spec.stock.draw = sizes(&[3, 2, 1])), 2);
    assert_eq!(redeals(STUCK, &[], |spec| spec.stock.draw = sizes(&[3, 2, 1, 1])), 2);
    // One to look, one to act: both with the packets that stay.
    assert_eq!(redeals(ONE_ACE, &[], |spec| spec.stock.draw = sizes(&[3, 2, 1])), 3);
}

#[test]
fn a_die_for_each_pass_must_show_every_face() {
    let die = |spec: &mut Spec| spec.stock.draw = Draw::Die { faces: 3, roll: Roll::Pass };
    assert_eq!(redeals(STUCK, &[1, 2, 3], die), 2);
    assert_eq!(redeals(STUCK, &[2, 2, 3, 3, 2, 1], die), 5);
    assert_eq!(redeals(ONE_ACE, &[2, 2, 3, 1], die), 3);
    let capped = |passes| {
        move |spec: &mut Spec| {
            die(spec);
            spec.barren_passes = Some(passes);
        }
    };
    assert_eq!(redeals(STUCK, &[2], capped(1)), 0);
    assert_eq!(redeals(STUCK, &[2], capped(4)), 3);
    assert_eq!(redeals(STUCK, &[1, 2, 3], capped(4)), 2);
    // A play begins the count anew: faces 1, 2 with the play, 3, 1, 2.
    let layout = Layout::new(only_up(die), "piles: AD AH AS KD; stock: 2C AC");
    let mut told = Told::new(&[1, 2, 3, 1, 2]);
    let mut game = layout.game("");
    game.deal(&layout.deck, &mut told);
    let pass = |packet: usize, cards: usize| "draw ".repeat(cards.div_ceil(packet));
    play(&mut game, &format!("{} redeal draw W>F {}", pass(1, 48), pass(2, 46)), &mut told);
    play(
        &mut game,
        &format!("redeal {} redeal {} redeal {}", pass(3, 47), pass(1, 47), pass(2, 47)),
        &mut told,
    );
    assert!(game.would_be_barren(game.legal()[0]));
}

#[test]
fn a_die_for_the_game_is_like_packets_of_one_size() {
    let die = |spec: &mut Spec| spec.stock.draw = Draw::Die { faces: 6, roll: Roll::Game };
    assert_eq!(redeals(STUCK, &[4], die), 0);
    assert_eq!(redeals(ONE_ACE, &[1], die), 1);
}

#[test]
fn a_die_for_each_draw_must_show_every_card() {
    let die = |spec: &mut Spec| spec.stock.draw = Draw::Die { faces: 2, roll: Roll::Draw };
    assert_eq!(redeals(STUCK, &[1], die), 0);
    // Twos show every second card and the last; then ones show the others, the last of them the 45th.
    let faces = [vec![2; 24], vec![1; 45]].concat();
    let (outcome, words) = turn_only(only_up(die), STUCK, &mut Told::new(&faces));
    assert_eq!((outcome.end, outcome.moves, outcome.redeals), (End::Barren, 24 + 1 + 45, 1));
    assert!(words.ends_with("draw roll:1"), "the draw that is not made rolls no die");
    let cap = |spec: &mut Spec| {
        die(spec);
        spec.barren_passes = Some(3);
    };
    // Twos alone never show the others.
    assert_eq!(redeals(STUCK, &[2, 2, 2], cap), 2);
    let (outcome, _) = turn_only(only_up(die), STUCK, &mut Told::new(&[2]));
    assert_eq!((outcome.end, outcome.moves), (End::Runaway, RUNAWAY));
}

/// A reading: where a redeal shuffles, no pass need show what the last one did, as with a die for each draw.
#[test]
fn shuffled_redeals_must_show_every_card() {
    let shuffle = |size: u8, passes| {
        move |spec: &mut Spec| {
            spec.stock.on_redeal = OnRedeal::Shuffle;
            spec.stock.draw = sizes(&[size]);
            spec.barren_passes = passes;
        }
    };
    assert_eq!(redeals(STUCK, &[], shuffle(1, None)), 0);
    // The order of 47 cards turned about: packets of 2 show the even ones and the 47th, then 46, 44, .. and the first.
    assert_eq!(redeals(STUCK, &[], shuffle(2, Some(3))), 2);
    let (outcome, _) =
        turn_only(only_up(shuffle(3, None)), STUCK, &mut saratoga::game::SeededChance::new(1, 1));
    assert_eq!(outcome.end, End::Barren);
    assert!(outcome.redeals > 2);
}

/// The ace of clubs goes back to the red deuce and up again: what changes is what the rest of a test adds.
const TO_AND_FRO: &str = "up: AC; piles: 2D, 5S 4D, 5C; stock: AD";

fn to_and_fro(change: impl FnOnce(&mut Spec)) -> Layout {
    let spec = bare(|spec| {
        spec.foundation.returns = Returns::Top;
        spec.tableau.face = TableauFace::Top;
        spec.stock.draw = sizes(&[1]);
        (spec.spaces.auto, spec.spaces.after_reserve) = (vec![], vec![]);
        change(spec);
    });
    Layout::new(spec, TO_AND_FRO)
}

const TWICE: &str = "FC>T1 T1>F FC>T1 T1>F ";
const PASS: usize = 52 - 5;

/// How the game stands after these moves, of which only the last may end it.
fn after(layout: &Layout, moves: &str) -> Option<End> {
    layout.game(moves).end()
}

#[test]
fn the_third_time_the_same_position_stands_it_is_repeated() {
    let layout = to_and_fro(|_| ());
    assert_eq!(after(&layout, TWICE), None);
    assert_eq!(after(&layout, &(TWICE.to_string() + "FC>T1")), Some(End::Repeated));
}

#[test]
fn standing_is_not_counted_across_progress() {
    let layout = to_and_fro(|_| ());
    let progress = TWICE.to_string() + "draw W>F ";
    assert_eq!(after(&layout, &(progress.clone() + TWICE)), None);
    assert_eq!(after(&layout, &(progress.clone() + TWICE + "FC>T1")), Some(End::Repeated));
    // A card that has been up before makes no progress by going up again.
    assert_eq!(after(&layout, &(progress + "FC>T1 T1>F FC>T1 T1>F FC>T1")), Some(End::Repeated));
}

#[test]
fn a_card_turned_up_makes_a_different_position() {
    let layout = to_and_fro(|_| ());
    let turned = TWICE.to_string() + "T2>T3x1 T3>T2x1 ";
    assert_eq!(after(&layout, &turned), None);
    assert_eq!(after(&layout, &(turned.clone() + "FC>T1 T1>F FC>T1")), None);
    // The position with the ace up stood first when the 4 came back.
    assert_eq!(after(&layout, &(turned + TWICE)), Some(End::Repeated));
}

#[test]
fn the_waste_belongs_to_the_position() {
    let layout = to_and_fro(|_| ());
    let pass = "draw ".repeat(PASS - 1);
    assert_eq!(after(&layout, &format!("{TWICE} draw FC>T1 T1>F")), None);
    let round = format!("{TWICE} draw {pass} redeal ");
    assert_eq!(after(&layout, &round), None);
    assert_eq!(after(&layout, &(round + "FC>T1")), Some(End::Repeated));
}

#[test]
fn redeals_left_belong_to_the_position() {
    let layout = to_and_fro(|spec| spec.stock.redeals = Some(3));
    let round = format!("{TWICE} {} redeal ", "draw ".repeat(PASS));
    assert_eq!(after(&layout, &(round.clone() + TWICE)), None);
    assert_eq!(after(&layout, &(round + TWICE + "FC>T1")), Some(End::Repeated));
}

#[test]
fn packets_to_come_belong_to_the_position() {
    let list = |list: &[u8]| to_and_fro(|spec| spec.stock.draw = sizes(list));
    let pass = |packet: usize| "draw ".repeat(PASS.div_ceil(packet));
    let to_pass_3 = format!("{TWICE} {} redeal {} redeal FC>T1", pass(1), pass(2));
    assert_eq!(after(&list(&[1, 2, 1]), &to_pass_3), None);
    let to_pass_2 = format!("{TWICE} {} redeal FC>T1", pass(1));
    assert_eq!(after(&list(&[1, 1]), &to_pass_2), Some(End::Repeated));
}

#[test]
fn the_order_of_the_stock_belongs_to_the_position() {
    let layout = to_and_fro(|spec| spec.stock.on_redeal = OnRedeal::Shuffle);
    let pass = "draw ".repeat(PASS);
    let mut game = layout.game("");
    play(&mut game, &format!("{TWICE} {pass}"), &mut Told::new(&[]));
    // The order is turned about by the first redeal, and back by the second.
    play(&mut game, "FC>T1 T1>F", &mut Told::new(&[]));
    play(&mut game, &format!("redeal FC>T1 {pass} T1>F redeal"), &mut Told::new(&[]));
    assert_eq!(game.end(), None);
    play(&mut game, "FC>T1", &mut Told::new(&[]));
    assert_eq!(game.end(), Some(End::Repeated));
}

#[test]
fn a_game_is_stopped_at_ten_thousand_moves() {
    let layout = to_and_fro(|spec| spec.stock.redeals = Some(1_000_000));
    let round = format!("FC>T1 T1>F {} redeal ", "draw ".repeat(PASS));
    let moves: Vec<&str> = round.split_whitespace().cycle().take(RUNAWAY as usize).collect();
    assert_eq!(after(&layout, &moves[..moves.len() - 1].join(" ")), None);
    let game = layout.game(&moves.join(" "));
    assert_eq!((game.end(), game.outcome().moves), (Some(End::Runaway), 10_000));
}

#[test]
fn without_a_legal_move_a_game_is_blocked() {
    let (outcome, _) = turn_only(only_up(|spec| spec.stock.redeals = Some(0)), STUCK, &mut NoChance);
    assert_eq!((outcome.end, outcome.moves), (End::Blocked, 16));
    // Dealt out from a pack in order: the aces lie under a deuce.
    let spec = only_up(|spec| spec.tableau.deal = [vec![5], vec![4; 11], vec![3]].concat());
    let layout = Layout::new(spec, "");
    let game = layout.game("");
    assert_eq!((game.end(), game.legal().len(), game.outcome().cards), (Some(End::Blocked), 0, 0));
}

#[test]
fn who_gives_up_resigns() {
    let layout = Layout::new(only_up(|_| ()), ONE_ACE);
    let mut game = layout.game("draw W>F");
    let outcome = game.play_out(&mut NoChance, &mut (), |_| Ok::<_, ()>(None)).unwrap();
    assert_eq!((outcome.end, outcome.cards, outcome.moves), (End::Resigned, 1, 2));
}

#[test]
fn with_every_card_up_a_game_is_won() {
    let layout = Layout::new(
        only_up(|spec| {
            spec.tableau.deal = vec![0];
            spec.stock.draw = sizes(&[1]);
            spec.foundation.base = Base::Rank(Rank::ACE);
        }),
        "",
    );
    assert_eq!(after(&layout, &"draw W>F ".repeat(51)), None);
    let game = layout.game(&"draw W>F ".repeat(52));
    assert_eq!((game.end(), game.legal().len()), (Some(End::Won), 0));
    let outcome = game.outcome();
    assert_eq!((outcome.cards, outcome.moves, outcome.complete_suits), (52, 104, 4));
}
