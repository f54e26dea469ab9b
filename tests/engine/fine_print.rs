//! The fine print of the rules, line by line, as the engine plays it.

use crate::support::layout::{Layout, bare, play};
use crate::support::{Told, dump, legal};
use saratoga::cards::{Card, Deck, Rank};
use saratoga::game::{Game, NoChance, Recorder, StrategyRng, Table, View};
use saratoga::rules::{self, *};

/// The lines of a dump that begin so, without the names of their places.
fn lines(dump: &str, places: &[&str]) -> Vec<String> {
    let line = |place: &&str| dump.lines().find(|line| line.starts_with(*place)).unwrap();
    places.iter().map(|place| line(place).split_once(": ").map_or("", |line| line.1).to_string()).collect()
}

/// What lies there after these moves.
fn after(layout: &Layout, moves: &str, places: &[&str]) -> Vec<String> {
    lines(&dump(&layout.rules, layout.game(moves).table()), places)
}

/// The pack in order, dealt.
fn in_order(spec: Spec) -> Layout {
    Layout::new(spec, "")
}

#[test]
fn cards_are_dealt_pile_after_pile_bottom_to_top() {
    let layout = in_order(bare(|spec| {
        spec.deal.order = vec![Part::Tableau, Part::Foundation, Part::Reserve];
        (spec.reserve.piles, spec.reserve.size) = (1, 3);
        spec.tableau.deal = vec![2, 0, 3];
    }));
    let places = ["pile 1", "pile 2", "pile 3", "reserve 1"];
    assert_eq!(after(&layout, "", &places), ["AC AD", "", "AH AS 2C", "2D 2H 2S"]);
    let canfield = in_order(Spec::default());
    let places = ["reserve 1", "foundation H", "pile 1", "pile 4"];
    assert_eq!(after(&canfield, "", &places), ["AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C", "", "4H", "5D"]);
    assert_eq!(after(&canfield, "", &["foundation D"]), ["4D"]);
}

#[test]
fn a_draw_turns_cards_one_by_one_and_a_redeal_turns_them_over() {
    let layout = in_order(bare(|spec| spec.tableau.deal = vec![0, 47]));
    let places = ["waste", "stock", "pass"];
    assert_eq!(after(&layout, "", &places), ["", "QS KC KD KH KS", "1"]);
    assert_eq!(after(&layout, "draw", &places), ["QS KC KD", "KH KS", "1"]);
    // A short last packet takes what is left.
    assert_eq!(after(&layout, "draw draw", &places), ["QS KC KD KH KS", "", "1"]);
    assert_eq!(after(&layout, "draw W>T1 draw redeal", &places), ["", "QS KC KH KS", "2"]);
    assert_eq!(legal(&layout.rules, layout.game("draw draw").table()).last().unwrap(), "redeal");
    let none = in_order(bare(|spec| (spec.tableau.deal, spec.stock.redeals) = (vec![0, 47], Some(0))));
    assert!(!none.game("draw draw").legal().iter().any(|m| m.is_redeal()));
}

#[test]
fn an_opening_draw_is_part_of_the_deal_and_uses_a_roll() {
    let opening = |draw| {
        in_order(bare(|spec| {
            spec.tableau.deal = vec![0, 47];
            (spec.stock.opening_draw, spec.stock.draw) = (true, draw);
        }))
    };
    assert_eq!(after(&opening(Draw::ByPass(vec![2, 1])), "", &["waste", "packet"]), ["QS KC", "2"]);
    for (roll, words) in
        [(Roll::Draw, "roll:4 draw roll:1"), (Roll::Pass, "roll:4 draw"), (Roll::Game, "roll:4 draw")]
    {
        let layout = opening(Draw::Die { faces: 6, roll });
        let (mut game, mut told) = (Game::new(&layout.rules), Told::new(&[4, 1]));
        let mut recorder = Recorder::new(&layout.rules);
        game.deal_watched(&layout.deck, &mut told, &mut recorder);
        assert_eq!((game.table().waste().len(), game.outcome().moves), (4, 0));
        let mut first = true;
        let draw_once = |g: &Game<'_>| {
            let last = g.legal().len() - 1;
            Ok::<_, ()>(std::mem::take(&mut first).then_some(last))
        };
        game.play_out(&mut told, &mut recorder, draw_once).unwrap();
        assert_eq!(recorder.moves(), words);
    }
}

#[test]
fn an_uncovered_card_turns_up_in_the_same_move() {
    let faces = |face| move |spec: &mut Spec| (spec.tableau.face, spec.spaces.auto) = (face, vec![]);
    let text = "piles: 9C 8S 5H, 6S, KD";
    let all = Layout::new(bare(faces(TableauFace::All)), text);
    assert_eq!(after(&all, "T1>T2x1", &["pile 1", "pile 2"]), ["9C 8S", "6S 5H"]);
    let top = Layout::new(bare(faces(TableauFace::Top)), text);
    assert_eq!(after(&top, "", &["pile 1"]), ["(9C) (8S) 5H"]);
    assert_eq!(after(&top, "T1>T2x1", &["pile 1", "pile 2"]), ["(9C) 8S", "6S 5H"]);
    let alternate = Layout::new(bare(faces(TableauFace::Alternate)), text);
    assert_eq!(after(&alternate, "", &["pile 1"]), ["9C (8S) 5H"]);
    assert_eq!(after(&alternate, "T1>T2x1", &["pile 1"]), ["9C 8S"]);
    let four =
        in_order(bare(|spec| (spec.tableau.deal, spec.tableau.face) = (vec![4], TableauFace::Alternate)));
    assert_eq!(after(&four, "", &["pile 1"]), ["(AC) AD (AH) AS"]);
}

/// What of the reserve a player sees, top first.
fn seen(layout: &Layout, moves: &str) -> String {
    let game = layout.game(moves);
    let rng = StrategyRng::new(0, 0);
    let view = View::new(game.table(), game.rules(), &rng);
    let cards =
        (0..view.reserve_len(0)).map(|i| view.reserve(0, i).map_or("?".into(), |card| card.to_string()));
    cards.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_reserve_shows_its_top_all_or_only_its_last_card() {
    let layout = |face| {
        let spec = bare(|spec| {
            spec.reserve.face = face;
            spec.spaces.auto = vec![Filler::Reserve];
        });
        Layout::new(spec, "reserve: 2C 3D AD; piles: 5H, 6S, 7H")
    };
    let top = layout(ReserveFace::Top);
    assert_eq!(top.legal(), "R>F T1>T2x1 T2>T3x1 draw");
    assert_eq!((seen(&top, ""), seen(&top, "R>F")), ("AD ? ?".into(), "3D ?".into()));
    let all = layout(ReserveFace::All);
    assert_eq!((all.legal(), seen(&all, "")), (top.legal(), "AD 3D 2C".into()));
    // Face down, the ace cannot go up; it only fills a space. The last card is face up and may be played.
    let last = layout(ReserveFace::Last);
    assert_eq!((last.legal(), seen(&last, "")), ("T1>T2x1 T2>T3x1 draw".into(), "? ? ?".into()));
    assert_eq!(after(&last, "T1>T2x1", &["pile 1", "reserve 1"]), ["AD", "2C 3D"]);
    let moves = "T1>T2x1 T1>F ";
    assert_eq!((after(&last, moves, &["pile 1"]), seen(&last, moves)), (vec!["3D".into()], "2C".into()));
    assert!(legal(&last.rules, last.game(moves).table()).contains(&"R>T1".into()));
}

/// What a player sees of the waste, top first, and then of the stock, next card first.
fn gone_by(layout: &Layout, moves: &str) -> String {
    let game = layout.game(moves);
    let rng = StrategyRng::new(0, 0);
    let view = View::new(game.table(), game.rules(), &rng);
    let waste = (0..view.waste_left()).map(|i| view.waste(i));
    let stock = (0..view.stock_left()).map(|i| view.coming(i));
    let words = |cards: Vec<Option<Card>>| {
        cards
            .iter()
            .map(|card| card.map_or("?".into(), |card| card.to_string()))
            .collect::<Vec<_>>()
            .join(" ")
    };
    format!("{} | {}", words(waste.collect()), words(stock.collect()))
}

#[test]
fn a_player_remembers_the_fanned_waste_while_its_order_is_kept() {
    let layout = |change: fn(&mut StockSpec)| {
        in_order(bare(|spec| {
            spec.tableau.deal = vec![0, 47];
            change(&mut spec.stock);
        }))
    };
    let fanned = layout(|_| {});
    assert_eq!(gone_by(&fanned, ""), " | ? ? ? ? ?");
    assert_eq!(gone_by(&fanned, "draw"), "KD KC QS | ? ?");
    assert_eq!(gone_by(&fanned, "draw W>T1 draw redeal"), " | QS KC KH KS");
    assert_eq!(gone_by(&fanned, "draw W>T1 draw redeal draw"), "KH KC QS | KS");
    let squared = layout(|stock| stock.waste = WasteFace::Squared);
    assert_eq!(gone_by(&squared, "draw"), "KD ? ? | ? ?");
    assert_eq!(gone_by(&squared, "draw W>T1 draw redeal draw"), "KH ? ? | ?");
    let shuffled = layout(|stock| stock.on_redeal = OnRedeal::Shuffle);
    assert_eq!(gone_by(&shuffled, "draw W>T1 draw redeal"), " | ? ? ? ?");
}

#[test]
fn runs_move_whole_in_part_or_not_at_all() {
    let layout = |unit, text| {
        let spec = bare(|spec| {
            (spec.tableau.unit, spec.tableau.face) = (unit, TableauFace::Top);
            spec.spaces.auto = vec![];
        });
        Layout::new(spec, text)
    };
    // Pile 1 becomes (KH) 5S 4D 3S, piles 2 and 3 spaces.
    let run = |unit| {
        let layout = layout(unit, "piles: KH 5S, 4D, 3S, 6D, 4H");
        legal(&layout.rules, layout.game("T2>T1x1 T3>T1x1").table()).join(" ")
    };
    assert_eq!(run(MoveUnit::Single), "T1>T2x1 T1>T3x1 T1>T5x1 draw");
    assert_eq!(run(MoveUnit::Whole), "T1>T2x3 T1>T3x3 T1>T4x3 draw");
    let either = "T1>T2x1 T1>T2x3 T1>T3x1 T1>T3x3 T1>T4x3 T1>T5x1 draw";
    assert_eq!(run(MoveUnit::SingleOrWhole), either);
    let parts = "T1>T2x1 T1>T2x2 T1>T2x3 T1>T3x1 T1>T3x2 T1>T3x3 T1>T4x3 T1>T5x1 draw";
    assert_eq!(run(MoveUnit::Sequence), parts);
    // The face-up part is not one run, so nothing of it is whole; its top may still go up.
    let broken = |unit, text| {
        let spec = bare(|spec| spec.tableau.unit = unit);
        Layout::new(spec, text).legal()
    };
    assert_eq!(broken(MoveUnit::Whole, "piles: 9S 4D 3S, 4H"), "draw");
    assert_eq!(broken(MoveUnit::Sequence, "piles: 9S 4D 3S, 4H"), "T1>T2x1 draw");
    assert_eq!(broken(MoveUnit::Whole, "piles: 9S 4D AS, 4H"), "T1>F draw");
    // A lone card is a run of one, and moved single or whole it is one move.
    for unit in [MoveUnit::Single, MoveUnit::Whole, MoveUnit::SingleOrWhole, MoveUnit::Sequence] {
        assert_eq!(broken(unit, "piles: 3S, 4H"), "T1>T2x1 draw");
        // A whole pile into a space is no move.
        let part = if unit == MoveUnit::Whole { "draw" } else { "T3>T2x1 draw" };
        assert_eq!(broken(unit, "piles: 3S, -, KH QS"), part);
    }
}

#[test]
fn spaces_fill_themselves_once_from_the_first_source() {
    let auto = |auto: &[Filler], opening| {
        let spec = bare(|spec| {
            spec.spaces.auto = auto.to_vec();
            (spec.spaces.rank, spec.stock.opening_draw) = (SpaceRank::Rank(Rank::KING), opening);
        });
        Layout::new(spec, "reserve: 3D 8C; piles: 5H, 6S; stock: 9D 4S JC QC")
    };
    let places = ["pile 1", "reserve 1", "waste"];
    let filled = |by: &[Filler], opening| after(&auto(by, opening), "T1>T2x1", &places);
    let (r, w, s) = (Filler::Reserve, Filler::Waste, Filler::Stock);
    // None of these is a king: what fills a space by itself need not be.
    assert_eq!(filled(&[r], true), ["8C", "3D", "9D 4S JC"]);
    assert_eq!(filled(&[w], true), ["JC", "3D 8C", "9D 4S"]);
    assert_eq!(filled(&[s], true), ["QC", "3D 8C", "9D 4S JC"]);
    assert_eq!(filled(&[w, r], false), ["8C", "3D", ""]);
    assert_eq!(filled(&[w, s], false), ["9D", "3D 8C", ""]);
    assert_eq!(filled(&[], true), ["", "3D 8C", "9D 4S JC"]);
    // Its source was empty, so the space stays the player's, also when the source has cards again.
    let empty = auto(&[w], false);
    assert_eq!(after(&empty, "T1>T2x1 draw", &places), ["", "3D 8C", "9D 4S JC"]);
    assert_eq!(legal(&empty.rules, empty.game("T1>T2x1 draw").table()), ["draw"]);
}

#[test]
fn a_player_fills_spaces_by_source_and_rank() {
    let by = |fillers: &[Filler], rank, stock: &str| {
        let spec = bare(|spec| {
            (spec.spaces.auto, spec.spaces.while_reserve) = (vec![], vec![]);
            (spec.spaces.after_reserve, spec.spaces.rank) = (fillers.to_vec(), rank);
            spec.foundation.base = Base::Rank(Rank::from_index(4));
            (spec.stock.opening_draw, spec.stock.draw) = (true, Draw::ByPass(vec![1]));
        });
        Layout::new(spec, &format!("piles: 9S 7S, -, 9C; stock: {stock}")).legal()
    };
    let both = [Filler::Waste, Filler::Tableau, Filler::Stock];
    assert_eq!(by(&both, SpaceRank::Any, "4H"), "T1>T2x1 W>T2 S>T2 draw");
    assert_eq!(by(&both[..1], SpaceRank::Any, "4H"), "W>T2 draw");
    assert_eq!(by(&both[..2], SpaceRank::BelowBase, "4H"), "W>T2 draw");
    assert_eq!(by(&both[..2], SpaceRank::Base, "4H"), "draw");
    assert_eq!(by(&both[..2], SpaceRank::Base, "5H"), "W>F W>T2 draw");
    assert_eq!(by(&both[..2], SpaceRank::Rank(Rank::from_index(6)), "4H"), "T1>T2x1 draw");
    // Were the unseen stock top offered by its rank, the list of moves would say what it is.
    assert_eq!(by(&both[2..], SpaceRank::BelowBase, "KH 4H"), "draw");
    assert_eq!(by(&both[2..], SpaceRank::BelowBase, "KH 3H"), "draw");
}

#[test]
fn exposed_base_cards_go_up_by_force() {
    let spec = |base_play| {
        let mut spec = Spec::default();
        spec.foundation.base_play = base_play;
        spec
    };
    let text = "reserve: 3C AC; up: AS; piles: AH, 2S, 3D, 9C";
    let forced = Layout::new(spec(BasePlay::Forced), text);
    assert_eq!(forced.legal(), "R>F T1>F");
    assert_eq!(legal(&forced.rules, forced.game("R>F").table()), ["T1>F"]);
    // The pile that was the ace of hearts is filled with the 3 of clubs.
    assert_eq!(legal(&forced.rules, forced.game("R>F T1>F").table()), ["T2>F", "T2>T3x1", "draw"]);
    // They are moves like others; a base card that fills a space by itself goes up by force too.
    assert_eq!(forced.game("R>F T1>F").outcome().moves, 2);
    assert_eq!(legal(&forced.rules, forced.game("T1>F").table()), ["T1>F"]);
    let optional = Layout::new(spec(BasePlay::Optional), text);
    assert_eq!(optional.legal(), "R>F T1>F T2>F T1>T2x1 T2>T3x1 draw");
}

#[test]
fn foundation_cards_return_where_the_rules_let_them() {
    let returns = |returns| {
        let mut spec = Spec::default();
        (spec.foundation.returns, spec.spaces.auto) = (returns, vec![]);
        let layout = Layout::new(spec, "up: AS; piles: 2D, 2S, 3H; reserve: KH");
        (layout.legal(), legal(&layout.rules, layout.game("T2>F").table()).join(" "))
    };
    let pair = |before: &str, after: &str| (before.to_string(), after.to_string());
    assert_eq!(returns(Returns::Never), pair("T2>F T2>T3x1 draw", "draw"));
    assert_eq!(returns(Returns::Top), pair("T2>F T2>T3x1 FS>T1 draw", "FS>T3 draw"));
    assert_eq!(returns(Returns::TopExceptBase), pair("T2>F T2>T3x1 draw", "FS>T3 draw"));
}

#[test]
fn a_foundation_is_dealt_only_with_one_base_card() {
    let order = vec![Part::Foundation, Part::Tableau, Part::Reserve];
    let none = in_order(bare(|spec| (spec.deal.order, spec.tableau.deal) = (order.clone(), vec![2])));
    assert_eq!(after(&none, "", &["foundation C", "pile 1"]), ["", "AC AD"]);
    let one = in_order(bare(|spec| {
        (spec.deal.order, spec.tableau.deal) = (order.clone(), vec![2]);
        (spec.foundation.base, spec.foundation.start) = (Base::Dealt, Start::One);
    }));
    assert_eq!(after(&one, "", &["foundation C", "pile 1"]), ["AC", "AD AH"]);
    let all = bare(|spec| {
        (spec.deal.order, spec.tableau.deal) = (order, vec![2]);
        (spec.foundation.base, spec.foundation.start) = (Base::Rank(Rank::from_index(1)), Start::All);
    });
    let rules = Rules::new(all).unwrap();
    let deck = Deck::ordered(rules.deck_shape());
    let table = Table::deal(&rules, deck.cards(), &mut NoChance);
    let places = ["foundation C", "foundation D", "foundation H", "foundation S", "pile 1"];
    assert_eq!(lines(&dump(&rules, &table), &places), ["2C", "2D", "2H", "2S", "AC AD"]);
    assert_eq!((deck.cards().len(), table.cards(), table.stock().len()), (48, 4, 46));
}

#[test]
fn no_pile_grows_above_its_height() {
    let spec = bare(|spec| (spec.tableau.max_height, spec.spaces.auto) = (3, vec![]));
    let layout = Layout::new(spec, "piles: 5S 4D, 7S 6H, 9C 8D, 3C, 7C");
    assert_eq!(layout.legal(), "T2>T5x1 T4>T1x1 T5>T3x1 draw");
    let layout = Layout::new(bare(|spec| spec.spaces.auto = vec![]), "piles: 5S 4D, 7S 6H, 9C 8D, 3C, 7C");
    assert_eq!(layout.legal(), "T1>T2x2 T2>T3x2 T2>T5x1 T4>T1x1 T5>T3x1 draw");
}

/// The faults of a ruleset's text, all in one.
fn faults(text: &str) -> String {
    match rules::parse_text("test.toml", text) {
        Ok(loaded) => loaded.warnings.iter().map(|warning| format!("warning: {warning}\n")).collect(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn impossible_rules_are_faults_of_the_file() {
    let fault = |text: &str, part: &str| assert!(faults(text).contains(part), "{text}: {}", faults(text));
    fault("foundation = { base = \"5\", start = \"one\" }", "the base rank is fixed at 5");
    fault("foundation = { start = \"none\" }", "needs a dealt base card");
    fault("foundation = { start = \"all\" }", "needs a dealt base card");
    fault("reserve.size = 40\ntableau.deal = [4, 4, 4]", "53 cards are laid out, but there are only 52");
    let nothing = "spaces = { auto = [], while_reserve = [], after_reserve = [] }";
    fault(nothing, "nothing can ever fill a space");
    assert!(faults(nothing).starts_with("warning: "));
    assert_eq!(faults("name = \"Sound\""), "");
}

#[test]
fn a_won_or_ended_game_takes_no_more_moves() {
    let layout = Layout::new(bare(|spec| spec.stock.draw = Draw::ByPass(vec![1])), "piles: -");
    let mut game = layout.game("");
    play(&mut game, &"draw W>F ".repeat(52), &mut NoChance);
    assert!(game.legal().is_empty() && game.end().is_some());
}
