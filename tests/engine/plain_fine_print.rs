//! The second opinion itself, on the fine print that the reference counts do not reach.

use crate::plain::{ChanceAnswer, ChanceRequest, PCard, PlainGame, no_chance};
use saratoga::cards::{Card, Deck, DeckShape, Purpose, Rank, Seed, below, generator};
use saratoga::rules::*;

/// A game of one pack of which only the given cards lie on the table, written as in a dump.
/// Places that are not named are empty; the base rank is the ace unless `base: 5`, say, is named.
fn table(spec: &Spec, text: &str) -> PlainGame {
    let deck = Deck::shuffled(DeckShape { packs: 1, without: None }, 1, 0);
    let mut game = PlainGame::deal(spec, deck.cards(), &mut |_| ChanceAnswer::Roll(1));
    game.base = 1;
    let lists = [&mut game.stock, &mut game.waste];
    let lists = lists.into_iter().chain(&mut game.reserves).chain(&mut game.foundations);
    lists.for_each(Vec::clear);
    game.piles.iter_mut().for_each(Vec::clear);
    for line in text.split(';') {
        let (place, words) = line.trim().split_once(':').unwrap();
        let card = |word: &str| PCard::from(word.trim_matches(['(', ')']).parse::<Card>().unwrap());
        let cards = || words.split_whitespace().map(card).collect::<Vec<_>>();
        let (kind, number) = place.split_once(' ').unwrap_or((place, "1"));
        let number = number.parse::<usize>().unwrap_or(0);
        match kind {
            "base" => game.base = words.trim().parse().unwrap(),
            "stock" => game.stock = cards(),
            "waste" => game.waste = cards(),
            "reserve" => game.reserves[number - 1] = cards(),
            "pile" => {
                let faces = words.split_whitespace().map(|word| !word.starts_with('('));
                game.piles[number - 1] = cards().into_iter().zip(faces).collect();
            }
            "foundation" => {
                let suit = cards()[0].suit;
                game.foundations[suit as usize] = cards();
            }
            other => panic!("{other}"),
        }
    }
    game
}

fn legal(spec: &Spec, text: &str) -> String {
    table(spec, text).legal(spec).join(" ")
}

/// What the dump says after a move of the first reserve, the first pile, the waste and the stock,
/// where they hold cards.
fn after(spec: &Spec, text: &str, mv: &str) -> String {
    let mut game = table(spec, text);
    game.play(spec, mv, &mut no_chance);
    let shown = |line: &&str| {
        let (place, cards) = line.split_once(':').unwrap();
        ["reserve 1", "pile 1", "waste", "stock"].contains(&place) && !cards.is_empty()
    };
    game.dump().lines().filter(shown).collect::<Vec<_>>().join("; ")
}

fn canfield(change: impl Fn(&mut Spec)) -> Spec {
    let mut spec = Spec::default();
    change(&mut spec);
    spec
}

#[test]
fn the_order_of_moves() {
    let spec = canfield(|s| {
        s.reserve = ReserveSpec { piles: 2, size: 5, face: ReserveFace::Top };
        s.spaces.while_reserve =
            vec![Filler::Reserve, Filler::Waste, Filler::Stock, Filler::Tableau, Filler::Foundation];
        s.foundation.returns = Returns::Top;
    });
    let text = "reserve 1: 2S; reserve 2: 3H; foundation S: AS; foundation C: AC; waste: 2C; stock: 9D; \
                pile 1: 4C 3D; pile 2: 4S; pile 4: 2H";
    let moves =
        "R1>F W>F R1>T1 R1>T3 R2>T2 R2>T3 T1>T2x1 T1>T3x1 W>T1 W>T3 S>T3 FC>T3 FC>T4 FS>T3 FS>T4 draw";
    assert_eq!(legal(&spec, text), moves);
    assert_eq!(
        legal(&spec, "waste: KC; pile 1: 9H; reserve 1: 5C"),
        "R1>T2 R1>T3 R1>T4 W>T2 W>T3 W>T4 redeal"
    );
}

#[test]
fn how_much_moves() {
    let unit = |unit| canfield(|s| s.tableau.unit = unit);
    let (run, broken) = ("pile 1: (KH) 5S 4D 3S; pile 2: 4H; pile 3: 6D", "pile 1: 9S 4D 3S; pile 2: 4H");
    assert_eq!(legal(&unit(MoveUnit::Single), run), "T1>T2x1 T1>T4x1");
    assert_eq!(legal(&unit(MoveUnit::Whole), run), "T1>T3x3 T1>T4x3");
    assert_eq!(legal(&unit(MoveUnit::SingleOrWhole), run), "T1>T2x1 T1>T3x3 T1>T4x1 T1>T4x3");
    assert_eq!(legal(&unit(MoveUnit::Sequence), run), "T1>T2x1 T1>T3x3 T1>T4x1 T1>T4x2 T1>T4x3");
    assert_eq!(legal(&unit(MoveUnit::Whole), broken), "");
    assert_eq!(legal(&unit(MoveUnit::Sequence), broken), "T1>T2x1 T1>T3x1 T1>T3x2 T1>T4x1 T1>T4x2");
    let low = canfield(|s| s.tableau.max_height = 3);
    assert_eq!(legal(&low, "pile 1: 5S 4D; pile 2: 7S 6H; pile 3: 9C 8C; pile 4: 3C"), "T4>T1x1");
}

#[test]
fn ranks_and_suits() {
    let steps = |direction, wrap| {
        let spec = canfield(|s| {
            (s.tableau.direction, s.tableau.wrap) = (direction, wrap);
            s.tableau.unit = MoveUnit::Single;
        });
        move |text: &str| legal(&spec, text)
    };
    let four = "base: 7; pile 1: KS; pile 2: AH; pile 3: 7H; pile 4: 6C";
    assert_eq!(steps(Direction::Down, Wrap::Full)(four), "T3>F T1>T2x1 T4>T3x1");
    assert_eq!(steps(Direction::Down, Wrap::None)(four), "T3>F T4>T3x1");
    assert_eq!(steps(Direction::Down, Wrap::ToBase)(four), "T3>F T1>T2x1");
    assert_eq!(steps(Direction::Up, Wrap::Full)(four), "T3>F T2>T1x1 T3>T4x1");
    assert_eq!(steps(Direction::Up, Wrap::ToBase)(four), "T3>F T2>T1x1");
    assert_eq!(steps(Direction::Up, Wrap::None)(four), "T3>F T3>T4x1");
    let same = "pile 1: 9S; pile 2: 9H; pile 3: 8C; pile 4: 9C";
    assert_eq!(steps(Direction::Same, Wrap::None)(same), "T1>T2x1 T2>T1x1 T2>T4x1 T4>T2x1");
    let build = |build| {
        legal(
            &canfield(|s| s.tableau.build = build),
            "waste: 5H; pile 1: 6H; pile 2: 6D; pile 3: 6S; pile 4: 9S",
        )
    };
    assert_eq!(build(Build::AlternateColor), "W>T3 redeal");
    assert_eq!(build(Build::SameSuit), "W>T1 redeal");
    assert_eq!(build(Build::SameColor), "W>T1 W>T2 redeal");
    assert_eq!(build(Build::Any), "W>T1 W>T2 W>T3 redeal");
}

#[test]
fn spaces() {
    let auto = |auto: &[Filler]| canfield(|s| s.spaces.auto = auto.to_vec());
    let text = "reserve 1: 3D 8C; waste: 9D 4S; stock: JC QC; pile 1: 5H; pile 2: 6S";
    let move_ = "T1>T2x1";
    let filled = |by: &[Filler]| after(&auto(by), text, move_);
    assert_eq!(filled(&[Filler::Reserve]), "reserve 1: 3D; pile 1: 8C; waste: 9D 4S; stock: JC QC");
    assert_eq!(filled(&[Filler::Waste]), "reserve 1: 3D 8C; pile 1: 4S; waste: 9D; stock: JC QC");
    assert_eq!(filled(&[Filler::Stock]), "reserve 1: 3D 8C; pile 1: JC; waste: 9D 4S; stock: QC");
    assert_eq!(filled(&[]), "reserve 1: 3D 8C; waste: 9D 4S; stock: JC QC");
    let next = after(&auto(&[Filler::Reserve, Filler::Stock]), "stock: JC; pile 1: 5H; pile 2: 6S", move_);
    assert_eq!(next, "pile 1: JC");
    // The player's own: by rank, and only from where the rules let him.
    let rank = |rank| canfield(|s| s.spaces.rank = rank);
    let text = "base: 5; waste: 4H; pile 1: 9S 7S; pile 2: 9S 5S; pile 4: 9C; foundation S: 5S";
    assert_eq!(legal(&rank(SpaceRank::Any), text), "T1>T3x1 T2>T3x1 W>T2 W>T3 redeal");
    assert_eq!(legal(&rank(SpaceRank::Base), text), "T2>T3x1 W>T2 redeal");
    assert_eq!(legal(&rank(SpaceRank::BelowBase), text), "W>T2 W>T3 redeal");
    assert_eq!(legal(&rank(SpaceRank::Rank(Rank::from_index(6))), text), "T1>T3x1 W>T2 redeal");
}

#[test]
fn reserves_and_faces() {
    let last = canfield(|s| {
        s.reserve = ReserveSpec { piles: 2, size: 5, face: ReserveFace::Last };
        s.tableau.face = TableauFace::Alternate;
        s.tableau.deal = vec![4, 3];
    });
    assert_eq!(legal(&last, "reserve 1: 8C AD; reserve 2: AH; pile 1: 9D; pile 2: KC"), "R2>F");
    let text = "reserve 1: 2C; reserve 2: 3D 8C; pile 1: 5H; pile 2: 6S";
    assert_eq!(after(&last, text, "T1>T2x1"), "reserve 1: 2C; pile 1: 8C");
    assert_eq!(after(&last, "pile 1: (9C) (8S) 5H; pile 2: 6S", "T1>T2x1"), "pile 1: (9C) 8S");
    let deck = Deck::ordered(DeckShape { packs: 1, without: None });
    let dump = PlainGame::deal(&last, deck.cards(), &mut no_chance).dump();
    let lines: Vec<_> = dump.lines().skip(2).take(4).collect();
    assert_eq!(lines[..2], ["reserve 1: AC AD AH AS 2C", "reserve 2: 2D 2H 2S 3C 3D"]);
    assert_eq!(lines[2..4], ["pile 1: (3S) 4C (4D) 4H", "pile 2: 4S (5C) 5D"]);
    assert!(dump.contains("foundation H: 3H\n") && dump.contains("stock: 5H 5S 6C "), "{dump}");
}

#[test]
fn foundations() {
    let forced = canfield(|s| s.foundation.base_play = BasePlay::Forced);
    assert_eq!(
        legal(&forced, "foundation S: AS; waste: 2S; pile 1: AH; pile 2: 2C; reserve 1: AC"),
        "R>F T1>F"
    );
    let returns = |returns| canfield(|s| s.foundation.returns = returns);
    let text = "foundation S: AS; foundation H: AH 2H; pile 1: 2D; pile 2: 3S; pile 3: 9S; pile 4: 9C";
    assert_eq!(legal(&returns(Returns::Never), text), "T1>T2x1");
    assert_eq!(legal(&returns(Returns::Top), text), "T1>T2x1 FH>T2 FS>T1");
    assert_eq!(legal(&returns(Returns::TopExceptBase), text), "T1>T2x1 FH>T2");
    let packs = canfield(|s| {
        s.deal.packs = 2;
        (s.foundation.start, s.foundation.base) = (Start::All, Base::Rank(Rank::ACE));
        s.foundation.returns = Returns::Top;
    });
    let deck = Deck::ordered(DeckShape { packs: 2, without: Some(Rank::ACE) });
    let game = PlainGame::deal(&packs, deck.cards(), &mut no_chance);
    assert_eq!((game.cards_on_foundations(), game.stock.len()), (8, 79));
    assert!(game.dump().contains("foundation C2: AC2\nfoundation D2: AD2\n"));
    // Reserve 2C .. 5C; piles 5D 5H 5S 6C.
    assert_eq!(game.legal(&packs), ["T1>T4x1", "T2>T4x1", "draw"]);
    let mut game =
        table(&packs, "base: 1; foundation S: AS 2S; pile 1: AS; pile 2: 3H; pile 3: 9C; pile 4: 9S");
    assert_eq!(game.legal(&packs), ["T1>F", "FS>T2"]);
    game.play(&packs, "T1>F", &mut no_chance);
    assert!(game.dump().contains("foundation S: AS 2S\n") && game.dump().contains("foundation S2: AS\n"));
    assert_eq!(game.legal(&packs), ["FS>T2"]);
}

#[test]
fn draws_and_redeals() {
    let deck = Deck::shuffled(DeckShape { packs: 1, without: None }, 1, 0);
    let mut asked = Vec::new();
    let mut play = |spec: &Spec, moves: usize| {
        asked.clear();
        let mut chance = |request: ChanceRequest| match request {
            ChanceRequest::Roll { .. } => {
                asked.push("roll");
                ChanceAnswer::Roll(5)
            }
            ChanceRequest::Shuffle { mut cards } => {
                asked.push("shuffle");
                cards.reverse();
                ChanceAnswer::Order(cards)
            }
        };
        let mut game = PlainGame::deal(spec, deck.cards(), &mut chance);
        let dealt = game.stock.clone();
        let mut packets = vec![game.packet];
        for _ in 0..moves {
            let next = game.legal(spec).pop().unwrap();
            game.play(spec, &next, &mut chance);
            packets.push(game.packet);
        }
        (game, dealt, packets, asked.join(" "))
    };
    let die = |roll| {
        canfield(|s| {
            s.stock.draw = Draw::Die { faces: 6, roll };
            s.stock.opening_draw = true;
            s.stock.on_redeal = OnRedeal::Shuffle;
        })
    };
    // 34 cards in the stock: seven packets of five, the first of them with the deal.
    let (game, dealt, packets, asked) = play(&die(Roll::Pass), 7);
    assert_eq!((game.redeals_used, game.pass, asked.as_str()), (1, 2, "roll shuffle roll"));
    assert_eq!((packets[0], dealt.len(), game.stock.len()), (5, 29, 34));
    let reversed: Vec<PCard> = game.stock[..29].iter().rev().copied().collect();
    assert_eq!(reversed, dealt);
    assert_eq!(play(&die(Roll::Game), 7).3, "roll shuffle");
    let (game, _, packets, asked) = play(&die(Roll::Draw), 3);
    assert_eq!((packets, asked.as_str(), game.waste.len()), (vec![0; 4], "roll roll roll roll", 20));
    // Three, then two, then always one; turned over, the cards keep their order.
    let list = canfield(|s| {
        s.stock.draw = Draw::ByPass(vec![20, 17, 12]);
        s.stock.redeals = Some(3);
    });
    let (game, dealt, packets, _) = play(&list, 2 + 1 + 2 + 1 + 3 + 1);
    assert_eq!(packets, [20, 20, 20, 17, 17, 17, 12, 12, 12, 12, 12]);
    assert_eq!((game.stock.clone(), game.redeals_used, game.pass), (dealt, 3, 4));
    assert!(!play(&list, 10 + 3).0.legal(&list).contains(&"redeal".to_string()));
}

/// Random legal games under many rulesets keep every card, once.
#[test]
fn cards_are_kept() {
    for seed in 0..400 {
        let spec = random_spec(seed);
        let shape = DeckShape { packs: spec.deal.packs as usize, without: None };
        let mut dice = generator(seed, 0, Purpose::Dice);
        let mut chance = |request: ChanceRequest| match request {
            ChanceRequest::Roll { faces } => ChanceAnswer::Roll(1 + below(&mut dice, faces.into()) as u8),
            ChanceRequest::Shuffle { mut cards } => {
                cards.reverse();
                ChanceAnswer::Order(cards)
            }
        };
        let mut choose = generator(seed, 0, Purpose::Strategy);
        let mut game = PlainGame::deal(&spec, Deck::shuffled(shape, seed, 0).cards(), &mut chance);
        for _ in 0..150 {
            let moves = game.legal(&spec);
            let mut different = moves.clone();
            different.sort();
            different.dedup();
            assert_eq!(different.len(), moves.len(), "{moves:?}");
            if moves.is_empty() {
                break;
            }
            game.play(&spec, &moves[below(&mut choose, moves.len() as u32) as usize], &mut chance);
            let mut cards: Vec<PCard> = game.stock.iter().chain(&game.waste).copied().collect();
            cards.extend(game.reserves.iter().chain(&game.foundations).flatten());
            cards.extend(&game.offered);
            cards.extend(game.piles.iter().flatten().map(|(card, _)| card));
            cards.sort();
            cards.dedup();
            assert_eq!(cards.len(), spec.cards());
            assert!(game.piles.iter().all(|pile| pile.last().is_none_or(|top| top.1)));
        }
    }
}

fn random_spec(seed: Seed) -> Spec {
    let mut rng = generator(seed, 1, Purpose::Deal);
    let mut n = |n: u32| below(&mut rng, n) as usize;
    let mut spec = Spec::default();
    spec.deal.packs = 1 + n(4) as u8;
    spec.deal.order.rotate_left(n(3));
    spec.reserve.piles = n(5) as u8;
    spec.reserve.size = n(6) as u8;
    spec.reserve.face = [ReserveFace::Top, ReserveFace::All, ReserveFace::Last][n(3)];
    spec.tableau.deal = (0..2 + n(5)).map(|_| n(5) as u8).collect();
    spec.tableau.face = [TableauFace::All, TableauFace::Top, TableauFace::Alternate][n(3)];
    spec.tableau.build = [Build::AlternateColor, Build::SameSuit, Build::SameColor, Build::Any][n(4)];
    spec.tableau.direction = [Direction::Down, Direction::Up, Direction::Same][n(3)];
    spec.tableau.wrap = [Wrap::Full, Wrap::ToBase, Wrap::None][n(3)];
    spec.tableau.unit =
        [MoveUnit::Single, MoveUnit::Whole, MoveUnit::SingleOrWhole, MoveUnit::Sequence][n(4)];
    spec.tableau.max_height = [0, 0, 3, 6][n(4)];
    let all = [Filler::Reserve, Filler::Waste, Filler::Stock, Filler::Tableau, Filler::Foundation];
    spec.spaces.auto = all[..3].iter().copied().filter(|_| n(2) == 0).collect();
    spec.spaces.while_reserve = all.into_iter().filter(|_| n(2) == 0).collect();
    spec.spaces.after_reserve = all.into_iter().filter(|_| n(2) == 0).collect();
    spec.spaces.rank =
        [SpaceRank::Any, SpaceRank::Rank(Rank::KING), SpaceRank::Base, SpaceRank::BelowBase][n(4)];
    let seen = spec.reserve.piles * spec.reserve.size > 0 && spec.reserve.face != ReserveFace::Last;
    (spec.foundation.base, spec.foundation.start) = match n(3) {
        0 if seen => (Base::Choice(ChoiceFrom::Reserve), Start::None),
        1 => {
            let offered = spec.tableau.deal.len() as u8 + 1;
            (Base::Choice(ChoiceFrom::Dealt(offered)), Start::None)
        }
        _ => (Base::Dealt, Start::One),
    };
    spec.foundation.returns = [Returns::Never, Returns::Top, Returns::TopExceptBase][n(3)];
    spec.foundation.base_play = [BasePlay::Optional, BasePlay::Forced][n(2)];
    let roll = [Roll::Draw, Roll::Pass, Roll::Game][n(3)];
    spec.stock.draw = [Draw::ByPass(vec![3, 2, 1]), Draw::Die { faces: 6, roll }][n(2)].clone();
    spec.stock.redeals = [None, Some(0), Some(2)][n(3)];
    spec.stock.on_redeal = [OnRedeal::Turn, OnRedeal::Shuffle][n(2)];
    spec.stock.opening_draw = n(2) == 0;
    spec
}
