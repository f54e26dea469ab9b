//! The fine print of several packs, several reserves and the chosen base, line by line, as the engine and the
//! plain implementation both play it.

use crate::plain::ends::PlainEnds;
use crate::plain::{PlainGame, no_chance};
use crate::support::layout::{Layout, bare, play};
use saratoga::cards::{Card, Rank};
use saratoga::game::{End, Game, NoChance, StrategyRng, View};
use saratoga::rules::{self, *};

/// What both say after these moves: the legal moves, and the dump.
fn both(layout: &Layout, moves: &str) -> (String, String) {
    let spec = layout.rules.spec();
    let game = layout.game(moves);
    let mut plain = PlainGame::deal(spec, &layout.deck, &mut no_chance);
    moves.split_whitespace().for_each(|word| plain.play(spec, word, &mut no_chance));
    let (legal, dump) = (plain.legal(spec).join(" "), plain.dump());
    assert_eq!(crate::support::dump(&layout.rules, game.table()), dump, "after {moves}");
    assert_eq!(
        crate::support::legal(&layout.rules, game.table()).join(" "),
        legal,
        "after {moves}, at\n{dump}"
    );
    (legal, dump)
}

/// The legal moves after these.
fn legal(layout: &Layout, moves: &str) -> String {
    both(layout, moves).0
}

/// What lies in these places after the moves, bottom to top.
fn lie<const N: usize>(layout: &Layout, moves: &str, places: [&str; N]) -> [String; N] {
    let dump = both(layout, moves).1;
    places.map(|place| {
        let line = dump.lines().find(|line| line.split_once(':').unwrap().0 == place);
        line.unwrap_or_else(|| panic!("{place}:\n{dump}")).split_once(':').unwrap().1.trim().to_string()
    })
}

/// Rules without a reserve of so many packs.
fn packs(packs: u8, change: impl FnOnce(&mut Spec)) -> Spec {
    bare(|spec| {
        spec.deal.packs = packs;
        change(spec);
    })
}

#[test]
fn reserves_are_dealt_one_after_the_other_and_the_packs_through_each_other() {
    let spec = packs(2, |spec| {
        spec.deal.order = vec![Part::Tableau, Part::Reserve, Part::Foundation];
        (spec.reserve.piles, spec.reserve.size) = (3, 2);
        spec.tableau.deal = vec![1, 2];
        (spec.foundation.base, spec.foundation.start) = (Base::Dealt, Start::One);
    });
    let layout = Layout::new(spec, "");
    assert_eq!(lie(&layout, "", ["pile 1", "pile 2"]), ["AC", "AD AH"]);
    assert_eq!(lie(&layout, "", ["reserve 1", "reserve 2", "reserve 3"]), ["AS 2C", "2D 2H", "2S 3C"]);
    let places = ["base", "foundation C", "foundation D", "foundation D2", "foundation S2"];
    assert_eq!(lie(&layout, "", places), ["3", "", "3D", "", ""]);
    let stock = &lie(&layout, "", ["stock"])[0];
    assert!(stock.starts_with("3H 3S 4C ") && stock.contains(" KS AC2 ") && stock.ends_with(" KH2 KS2"));
    assert_eq!(stock.split(' ').count(), 104 - 10);
}

#[test]
fn every_foundation_gets_its_base_card_before_the_deal() {
    let two = Base::Rank(Rank::from_index(1));
    let all = |spec: &mut Spec| (spec.foundation.base, spec.foundation.start) = (two, Start::All);
    let layout = Layout::new(packs(3, all), "");
    assert_eq!((layout.deck.len(), layout.table().cards()), (144, 12));
    let places = ["base", "foundation C", "foundation S", "foundation C2", "foundation D3", "foundation S3"];
    assert_eq!(lie(&layout, "", places), ["2", "2C", "2S", "2C2", "2D3", "2S3"]);
}

#[test]
fn a_card_goes_to_the_lowest_numbered_foundation_that_takes_it() {
    let layout = Layout::new(packs(2, |_| {}), "piles: AS, 2S, AS, 2S, 3H");
    let spades = ["foundation S", "foundation S2"];
    assert_eq!(legal(&layout, ""), "T1>F T3>F T2>T5x1 T4>T5x1 draw");
    assert_eq!(lie(&layout, "T3>F", spades), ["AS2", ""]);
    assert_eq!(legal(&layout, "T1>F"), "T2>F T3>F T4>F T2>T5x1 T4>T5x1 draw");
    assert_eq!(lie(&layout, "T1>F T3>F T4>F", spades), ["AS 2S2", "AS2"]);
    assert_eq!(lie(&layout, "T1>F T3>F T4>F T2>F", spades), ["AS 2S2", "AS2 2S"]);
    assert_eq!(lie(&layout, "T1>F T2>F T3>F T4>F", spades), ["AS 2S", "AS2 2S2"]);
    // A complete foundation takes no second ace on its king.
    let suit: Vec<String> = Rank::all().map(|rank| format!("{rank}S")).collect();
    let layout = Layout::new(packs(2, |_| {}), &format!("piles: {}, AS", suit.join(", ")));
    let moves: Vec<String> = (1..=14).map(|pile| format!("T{pile}>F")).collect();
    assert_eq!(lie(&layout, &moves.join(" "), spades), [suit.join(" "), "AS2".into()]);
    assert_eq!(layout.game(&moves.join(" ")).outcome().complete_suits, 1);
}

#[test]
fn foundations_of_several_packs_give_back_in_their_order() {
    let returns = |returns, text| Layout::new(packs(2, |spec| spec.foundation.returns = returns), text);
    let layout = returns(Returns::Top, "piles: AS, 2S, AS, 2S, 3H");
    let up = "T1>F T3>F T2>F T4>F";
    assert_eq!(legal(&layout, up), "FS>T5 FS2>T5 draw");
    for (back, under) in [("FS>T5", ["AS", "AS2 2S2"]), ("FS2>T5", ["AS 2S", "AS2"])] {
        let moves = format!("{up} {back}");
        assert_eq!(lie(&layout, &moves, ["foundation S", "foundation S2"]), under);
        assert_eq!(legal(&layout, &moves), "T5>F T5>T1x1 T5>T2x1 T5>T3x1 T5>T4x1 draw");
        let again = format!("{moves} T5>F");
        assert_eq!(lie(&layout, &again, ["foundation S", "foundation S2"]), ["AS 2S", "AS2 2S2"]);
    }
    let base_cards = "piles: AS, AC, AS, 2H";
    let layout = returns(Returns::Top, base_cards);
    assert_eq!(legal(&layout, "T1>F T2>F T3>F"), "FC>T4 FS>T4 FS2>T4 draw");
    let layout = returns(Returns::TopExceptBase, base_cards);
    assert_eq!(legal(&layout, "T1>F T2>F T3>F"), "draw");
}

#[test]
fn base_cards_of_every_pack_go_up_by_force() {
    let spec = packs(2, |spec| spec.foundation.base_play = BasePlay::Forced);
    let layout = Layout::new(spec, "reserve: 3C AC; up: AS; piles: AS, AH, 2S, 9C");
    assert_eq!(legal(&layout, ""), "R>F T1>F T2>F");
    assert_eq!(lie(&layout, "T1>F", ["foundation S", "foundation S2", "pile 1"]), ["AS", "AS2", "AC"]);
    assert_eq!(legal(&layout, "T1>F"), "T1>F T2>F");
}

#[test]
fn the_same_card_of_another_pack_is_another_card() {
    let spec = packs(2, |spec| {
        (spec.tableau.build, spec.tableau.direction) = (Build::SameSuit, Direction::Same);
    });
    let layout = Layout::new(spec, "piles: 9S, 9S, 9C");
    assert_eq!(legal(&layout, ""), "T1>T2x1 T2>T1x1 draw");
    // The two nines change places; only when each is back in its own does the position stand again.
    let spec = packs(2, |spec| {
        spec.spaces = SpacesSpec { auto: vec![], after_reserve: vec![], ..spec.spaces.clone() }
    });
    let layout = Layout::new(spec, "piles: 9S, 9S, TH, TH, TD");
    let change = " T3>T5x1 T4>T3x1 T5>T4x1";
    let moves = format!("T1>T3x1 T2>T4x1{}", change.repeat(4));
    assert_eq!(lie(&layout, "T1>T3x1 T2>T4x1", ["pile 3", "pile 4"]), ["TH 9S", "TH2 9S2"]);
    assert_eq!(ends(&layout, &moves), [&[None; 13][..], &[Some(End::Repeated)]].concat());
}

#[test]
fn only_a_card_that_was_never_up_makes_progress() {
    let spec = packs(2, |spec| spec.foundation.returns = Returns::Top);
    let layout = Layout::new(spec, "piles: AS, 2S, 2S, 3H, AS");
    // The first two comes back and the second takes its place, which is progress though the foundation is as
    // high as it was. Then the first goes up again, to the other foundation: higher than ever, but no progress.
    let before = "T1>F T5>F T2>F FS>T4 T3>F";
    assert_eq!(lie(&layout, before, ["foundation S", "foundation S2", "pile 4"]), ["AS 2S2", "AS2", "3H 2S"]);
    assert_eq!(lie(&layout, &format!("{before} T4>F"), ["foundation S2", "pile 4"]), ["AS2 2S", "3H"]);
    // So the position stands for the third time when the two has come and gone twice more.
    let ends = ends(&layout, &format!("{before}{}", " T4>F FS>T4".repeat(2) + " T4>F"));
    assert_eq!(ends.last(), Some(&Some(End::Repeated)));
}

/// How the game stands after each of these moves, as both say.
fn ends(layout: &Layout, moves: &str) -> Vec<Option<End>> {
    let spec = layout.rules.spec();
    let mut game = layout.game("");
    let mut plain = PlainGame::deal(spec, &layout.deck, &mut no_chance);
    let mut ends = PlainEnds::begin(spec, &plain);
    let step = |word: &str| {
        let before = plain.clone();
        plain.play(spec, word, &mut no_chance);
        play(&mut game, word, &mut NoChance);
        let end = ends.follow(spec, word, &before, &plain);
        assert_eq!(game.end(), end, "after {word}, at\n{}", plain.dump());
        end
    };
    moves.split_whitespace().map(step).collect()
}

#[test]
fn several_packs_are_won_when_all_their_cards_are_up() {
    let spec = packs(2, |spec| (spec.stock.draw, spec.tableau.deal) = (Draw::ByPass(vec![1]), vec![0]));
    let layout = Layout::new(spec, "");
    let ends = ends(&layout, &"draw W>F ".repeat(104));
    assert_eq!(ends.iter().position(Option::is_some), Some(207));
    assert_eq!(ends[207], Some(End::Won));
    let outcome = layout.game(&"draw W>F ".repeat(104)).outcome();
    assert_eq!((outcome.cards, outcome.complete_suits), (104, 8));
}

#[test]
fn every_reserve_shows_and_plays_its_own_top() {
    let spec = || {
        bare(|spec| {
            (spec.spaces.auto, spec.spaces.while_reserve) = (vec![], vec![Filler::Reserve]);
        })
    };
    let layout = Layout::new(spec(), "reserve: 9D 2S, 9H 3H; piles: 4C, 3D, -, -, -");
    assert_eq!(legal(&layout, ""), "R1>T2 R1>T3 R1>T4 R1>T5 R2>T1 R2>T3 R2>T4 R2>T5 T2>T1x1 draw");
    // While any reserve card is left, a space is for reserve cards; once all are gone, for the tableau's.
    let some_left = "R1>T2 R1>T3 R2>T1";
    assert_eq!(lie(&layout, some_left, ["reserve 1", "reserve 2", "pile 3"]), ["", "9H", "9D"]);
    assert_eq!(legal(&layout, some_left), "R2>T4 R2>T5 T2>T1x1 draw");
    assert_eq!(legal(&layout, &format!("{some_left} R2>T4")), "T1>T5x1 T2>T1x1 T2>T5x1 draw");
    // Each card that leaves turns up the next of its own reserve, and no other.
    let seen = |face, moves| {
        let mut spec = spec();
        spec.reserve.face = face;
        let layout = Layout::new(spec, "reserve: 8C AD, 8D AH, 8H AS; piles: KC");
        let game = layout.game(moves);
        let rng = StrategyRng::new(0, 0);
        let view = View::new(game.table(), game.rules(), &rng);
        let card = |r, i| view.reserve(r, i).map_or("?".into(), |card: Card| card.to_string());
        let reserve = |r| (0..view.reserve_len(r)).map(|i| card(r, i)).collect::<Vec<_>>().join(" ");
        (0..3).map(reserve).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(seen(ReserveFace::Top, ""), "AD ?, AH ?, AS ?");
    assert_eq!(seen(ReserveFace::Top, "R2>F"), "AD ?, 8D, AS ?");
    assert_eq!(seen(ReserveFace::All, "R2>F"), "AD 8C, 8D, AS 8H");
    assert_eq!(seen(ReserveFace::Last, ""), "? ?, ? ?, ? ?");
}

#[test]
fn a_space_is_filled_from_the_fullest_reserve() {
    let spec = bare(|spec| spec.spaces.rank = SpaceRank::Rank(Rank::KING));
    let layout = Layout::new(spec, "reserve: 2C 3D, 2D 8C, 2H 9C; piles: 5H, 6S, 7H");
    let places = ["reserve 1", "reserve 2", "reserve 3", "pile 1", "pile 2", "pile 3"];
    let [one, two] = ["T1>T2x1", "T1>T2x1 T2>T3x2"];
    assert_eq!(lie(&layout, one, places), ["2C", "2D 8C", "2H 9C", "3D", "6S 5H", "7H"]);
    assert_eq!(lie(&layout, two, places), ["2C", "2D", "2H 9C", "3D", "8C", "7H 6S 5H"]);
    let three = format!("{two} T3>T2x3");
    assert_eq!(lie(&layout, &three, places), ["2C", "2D", "2H", "3D", "8C 7H 6S 5H", "9C"]);
}

#[test]
fn of_a_reserve_face_down_only_its_own_last_card_is_played() {
    let spec = bare(|spec| spec.reserve.face = ReserveFace::Last);
    let layout = Layout::new(spec, "reserve: AC AD, AH AS; piles: 5H, 6S");
    assert_eq!(legal(&layout, ""), "T1>T2x1 draw");
    assert_eq!(legal(&layout, "T1>T2x1"), "R1>F T1>F draw");
    assert_eq!(legal(&layout, "T1>T2x1 R1>F"), "T1>F draw");
    // The space that the ace leaves takes the fullest reserve's card, face down till then.
    let places = ["reserve 1", "reserve 2", "pile 1"];
    assert_eq!(lie(&layout, "T1>T2x1 T1>F", places), ["AC", "AH", "AS"]);
}

#[test]
fn the_first_move_chooses_the_base_among_dealt_cards() {
    let layout = Layout::new(bare(|_| {}), "reserve: 3C 4C; offered: 7H TC 7S 9D; stock: 2C");
    let places = ["base", "offered", "pile 1", "pile 2", "pile 3", "reserve 1", "foundation C"];
    assert_eq!(legal(&layout, ""), "C1>F C2>F C3>F C4>F");
    assert_eq!(lie(&layout, "", places), ["", "7H TC 7S 9D", "", "", "", "3C 4C", ""]);
    assert_eq!(lie(&layout, "C2>F", places), ["T", "", "7H", "7S", "9D", "3C 4C", "TC"]);
    assert_eq!(lie(&layout, "C4>F", places), ["9", "", "7H", "TC", "7S", "3C 4C", ""]);
    assert_eq!(legal(&layout, "C2>F"), "draw");
    assert_eq!(legal(&layout, "C1>F"), "T2>F T3>T1x1 draw");
    assert_eq!((layout.game("").outcome().cards, layout.game("C1>F").outcome().cards), (0, 1));
    assert_eq!(layout.game("C1>F").outcome().moves, 1);
    // They are dealt where the tableau stands, and what is dealt to the waste is no choice.
    let spec = bare(|spec| {
        spec.deal.order = vec![Part::Tableau, Part::Foundation, Part::Reserve];
        (spec.reserve.piles, spec.reserve.size, spec.tableau.deal) = (2, 2, vec![1; 2]);
        (spec.foundation.base, spec.foundation.start) = (Base::Choice(ChoiceFrom::Dealt(3)), Start::None);
        spec.stock.opening_draw = true;
    });
    let layout = Layout::new(spec, "");
    assert_eq!(lie(&layout, "", ["offered", "reserve 1", "reserve 2"]), ["AC AD AH", "AS 2C", "2D 2H"]);
    assert_eq!(legal(&layout, ""), "C1>F C2>F C3>F");
    assert_eq!(
        lie(&layout, "C3>F", ["pile 1", "pile 2", "waste", "foundation H"]),
        ["AC", "AD", "2S 3C 3D", "AH"]
    );
    // The same card of the other pack goes to the next foundation.
    let layout = Layout::new(packs(2, |_| {}), "offered: 7H 7H 8C");
    assert_eq!(legal(&layout, "C2>F"), "T1>F T1>T2x1 draw");
    assert_eq!(lie(&layout, "C2>F T1>F", ["foundation H", "foundation H2", "base"]), ["7H2", "7H", "7"]);
}

#[test]
fn the_first_move_chooses_the_base_among_reserve_tops() {
    let from_reserve = |face| {
        bare(|spec| {
            (spec.foundation.base, spec.foundation.start) = (Base::Choice(ChoiceFrom::Reserve), Start::None);
            spec.reserve.face = face;
        })
    };
    let four = "reserve: 2C 3C, 2D 3D, 2H 3H, 2S 4S; piles: 9C, 4D";
    for face in [ReserveFace::Top, ReserveFace::All] {
        let layout = Layout::new(from_reserve(face), four);
        assert_eq!(legal(&layout, ""), "R1>F R2>F R3>F R4>F");
        let places = ["base", "offered", "reserve 3", "reserve 4", "pile 1", "foundation S"];
        assert_eq!(lie(&layout, "R4>F", places), ["4", "", "2H 3H", "2S", "9C", "4S"]);
        assert_eq!(legal(&layout, "R4>F"), "T2>F R1>T2 draw");
    }
    let last = Layout::new(from_reserve(ReserveFace::Last), "reserve: 3C, 4D; piles: 9C");
    assert_eq!(legal(&last, ""), "R1>F R2>F");
    let one = Layout::new(from_reserve(ReserveFace::Top), "reserve: 3C 7D; piles: 9C");
    assert_eq!(legal(&one, ""), "R>F");
    assert_eq!(lie(&one, "R>F", ["base", "foundation D", "reserve 1"]), ["7", "7D", "3C"]);
}

/// Choosing is a play: the pass in which the base was chosen is not dead, the next one may be.
#[test]
fn choosing_the_base_is_a_play() {
    let (offered, stock) = ("7C 5C 5S", "2C 2D 2H 2S 3C 3D 3H 3S AC");
    let rest = |except: &str| {
        let all = Rank::all().flat_map(|rank| ["C", "D", "H", "S"].map(|suit| format!("{rank}{suit}")));
        all.filter(|card| !except.contains(card.as_str())).collect::<Vec<_>>().join(" ")
    };
    let reserve = rest(&format!("{offered} {stock}"));
    let layout =
        Layout::new(bare(|_| {}), &format!("reserve: {reserve}; offered: {offered}; stock: {stock}"));
    let barren = |moves: &str| {
        let game: Game<'_> = layout.game(moves);
        assert_eq!(legal(&layout, moves), "redeal");
        let spec = layout.rules.spec();
        let mut plain = PlainGame::deal(spec, &layout.deck, &mut no_chance);
        let mut ends = PlainEnds::begin(spec, &plain);
        for word in moves.split(' ') {
            let before = plain.clone();
            plain.play(spec, word, &mut no_chance);
            ends.follow(spec, word, &before, &plain);
        }
        let nowhere = ends.goes_nowhere(spec, "redeal", &plain);
        assert_eq!(game.would_be_barren(game.legal()[0]), nowhere);
        nowhere
    };
    let pass = "draw draw draw";
    assert!(!barren(&format!("C1>F {pass}")));
    assert!(barren(&format!("C1>F {pass} redeal {pass}")));
}

/// The faults of a ruleset's text, all in one.
fn faults(text: &str) -> String {
    match rules::parse_text("test.toml", text) {
        Ok(loaded) => loaded.warnings.iter().map(|warning| format!("warning: {warning}\n")).collect(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_choice_that_cannot_be_made_is_a_fault_of_the_file() {
    let choice = |from: &str, rest: &str| {
        format!("foundation = {{ base = \"choice\", choice_from = {from}, start = \"none\" }}\n{rest}")
    };
    let reserve = "\"reserve\"";
    for sound in
        [choice("5", ""), choice(reserve, ""), choice(reserve, "reserve = { size = 1, face = \"last\" }")]
    {
        assert_eq!(faults(&sound), "", "{sound}");
    }
    let fault = |text: &str, part: &str| assert!(faults(text).contains(part), "{text}: {}", faults(text));
    for start in ["one", "all"] {
        let text = format!("foundation = {{ base = \"choice\", choice_from = 5, start = \"{start}\" }}");
        fault(&text, "puts up no base card");
    }
    fault("foundation = { base = \"choice\", start = \"none\" }", "needs `choice_from`");
    fault("foundation = { base = \"5\", choice_from = 5, start = \"none\" }", "goes only with");
    fault("foundation = { choice_from = \"reserve\" }", "goes only with");
    fault(&choice("4", ""), "4 cards, which leaves 3 cards for 4 piles");
    fault(&choice("6", ""), "6 cards, which leaves 5 cards for 4 piles");
    fault(&choice("5", "tableau.deal = [1, 1, 2, 1]"), "one to a pile");
    fault(&choice("5", "tableau.deal = [1, 0, 1, 1]"), "one to a pile");
    fault(&choice(reserve, "reserve.size = 0"), "no card is dealt there");
    fault(&choice(reserve, "reserve.piles = 0"), "no card is dealt there");
    fault(&choice(reserve, "reserve = { size = 2, face = \"last\" }"), "face down");
    // The chosen card is laid out too: 48 and 4 others leave none for it.
    let all = "deal.packs = 1\nreserve = { piles = 4, size = 12 }\n";
    fault(&choice("5", all), "53 cards are laid out, but there are only 52");
    assert_eq!(faults(&choice("4", &format!("{all}tableau.deal = [1, 1, 1]"))), "");
    fault(
        "deal.packs = 2\nreserve = { piles = 3, size = 34 }",
        "107 cards are laid out, but there are only 104",
    );
    assert_eq!(faults("deal.packs = 2\nreserve = { piles = 3, size = 33 }"), "");
    fault("deal.packs = 5", "1 to 4");
    fault("reserve.piles = 5", "0 to 4");
    fault("reserve.size = 41", "0 to 40");
}

#[test]
fn a_deck_of_several_packs_costs_their_price() {
    let stake = |text: &str| rules::parse_text("test.toml", text).unwrap().rules.spec().casino.stake;
    assert_eq!([stake("deal.packs = 1"), stake("deal.packs = 3")], [5200, 15600]);
    assert_eq!(stake("deal.packs = 3\ncasino.stake = 52"), 5200);
}
