//! The strategy sees nothing hidden, plays the same whatever it played before, and plays every ruleset to the end.

use crate::cards::{Deck, Purpose, below, generator, shuffle};
use crate::game::{Game, MoveList, Outcome, PlayerState, SeededChance, Table, View};
use crate::players::load;
use crate::rules::{self, Rules, StageAt};
use crate::solver::{Goal, Limits, Solver};
use crate::strategy::Strategy;

fn shelf() -> Vec<Rules> {
    rules::shelf().iter().map(|(name, _)| rules::load(name).unwrap().rules).collect()
}

fn quick() -> Box<dyn Strategy> {
    load("search:worlds=2,judged=3,nodes=30,ways=20").unwrap().instantiate()
}

/// Plays a game of seed 5; returns its moves as indices, and the outcome.
fn play(rules: &Rules, player: &mut dyn Strategy, number: u64) -> (Vec<usize>, Outcome) {
    play_seeded(rules, player, (5, number))
}

fn play_seeded(
    rules: &Rules,
    player: &mut dyn Strategy,
    (seed, number): (u64, u64),
) -> (Vec<usize>, Outcome) {
    let mut game = Game::new(rules);
    let deck = Deck::shuffled(rules.deck_shape(), seed, number);
    let rng = PlayerState::new(seed, number);
    let mut chance = SeededChance::new(seed, number);
    game.deal(deck.cards(), &mut chance);
    let mut made = Vec::new();
    let outcome = game.play_out(&mut chance, &mut (), |game| {
        let chosen = player.decide(&game.view(&rng), game.legal())?;
        made.push(chosen.map_or(999, |index| index));
        Ok::<_, crate::strategy::StrategyError>(chosen)
    });
    (made, outcome.unwrap())
}

#[test]
fn every_ruleset_is_played_the_same_whatever_was_played_before() {
    for rules in shelf() {
        let mut kept = quick();
        let first = play(&rules, &mut *kept, 0);
        play(&rules, &mut *kept, 1);
        assert_eq!(play(&rules, &mut *kept, 0), first, "{}", rules.name());
        assert_eq!(play(&rules, &mut *quick(), 0), first, "{}", rules.name());
    }
}

/// Decisions at positions of random play do not depend on the order of the unknown cards.
#[test]
fn decisions_do_not_depend_on_hidden_cards() {
    // Together at least 100,000 decisions at full size.
    let asked_of_each = if std::env::var_os("SARATOGA_FULL").is_some() { 2_500 } else { 6 };
    let (mut asked, mut differed) = (0, 0);
    for rules in shelf() {
        let mut rng = generator(7, 7, Purpose::Strategy);
        let mut of_these = 0;
        for game in 0.. {
            let mut chance = SeededChance::new(9, game);
            let deck = Deck::shuffled(rules.deck_shape(), 9, game);
            let mut table = Table::deal(&rules, deck.cards(), &mut chance);
            for _ in 0..60 {
                let mut legal = MoveList::new();
                table.legal_moves(&rules, &mut legal);
                if legal.is_empty() {
                    break;
                }
                if below(&mut rng, 3) == 0 {
                    let stream = PlayerState::new(1, 1);
                    let other =
                        View::new(&table, &rules, &stream).with_unknown(|cards, _| shuffle(cards, &mut rng));
                    let decide =
                        |table: &Table| quick().decide(&View::new(table, &rules, &stream), &legal).unwrap();
                    assert_eq!(decide(&table), decide(&other), "{} game {game}", rules.name());
                    differed += u32::from(other.stock() != table.stock());
                    of_these += 1;
                }
                table.apply(&rules, legal[below(&mut rng, legal.len() as u32) as usize], &mut chance);
            }
            if of_these >= asked_of_each {
                break;
            }
        }
        asked += of_these;
    }
    println!("{asked} decisions, the hidden stock in another order in {differed}");
    assert!(differed > asked / 8);
}

/// With limited passes and piles in suit, it does not delay plays: here that would leave cards in the reserve that a
/// script brings up.
#[test]
fn in_suits_it_plays_on_where_ways_come_to_the_same() {
    let rules = rules::load("storehouse").unwrap().rules;
    let mut player = load("search:level=2").unwrap().instantiate();
    for number in [15, 156, 337] {
        assert_eq!(play_seeded(&rules, &mut *player, (33_001, number)).1.cards, 52, "{number}");
    }
}

/// It wins far more than the baseline strategy, on deals that were not used for tuning.
#[test]
fn it_beats_the_yardstick() {
    let rules = rules::load("canfield").unwrap().rules;
    let mut greedy = load("greedy").unwrap().instantiate();
    let mut search = load("search:level=1").unwrap().instantiate();
    let cards = |player: &mut dyn Strategy| {
        (0..30).map(|game| play(&rules, player, 1_000 + game).1.cards).sum::<u16>()
    };
    let (greedy, search) = (cards(&mut *greedy), cards(&mut *search));
    assert!(search > greedy + 200, "{search} to {greedy} cards in 30 games");
}

#[test]
fn settings_are_read_and_refused() {
    for good in [
        "search",
        "search:level=5",
        "search:worlds=12,judged=30,nodes=1000,policy=patient",
        "search:goal=win",
        "search:policy=scripts/patient.rhai,level=1",
        "search:level=1,policy=tunable:late=2,spaces=false",
    ] {
        assert_eq!(load(good).unwrap().instantiate().name(), good);
    }
    let said = |name: &str| load(name).unwrap_err().to_string();
    for (bad, words) in [
        ("search:level=0", "`level` cannot be `0`; it is a whole number from 1 to 5"),
        ("search:nodes=0", "a whole number from 1 to"),
        ("search:nodes=99999999999999999999", "a whole number from 1 to"),
        ("search:goal=fame", "it is cards, win or money"),
        ("search:speed=3", "no setting `speed`"),
        ("search:worlds=2,worlds=3", "`worlds` is set twice"),
        ("search:policy=nobody", "no strategy is called `nobody`"),
        ("search:policy=search", "cannot be `search`"),
        ("search:policy=search:level=1", "cannot be `search`"),
        ("search:policy=./nowhere.rhai", "there is no such file"),
        ("search:policy=tunable:nothing=1", "its policy: "),
        ("search:", "no setting ``"),
        ("search:level", "`level` cannot be ``"),
    ] {
        assert!(said(bad).contains(words), "{bad}: {}", said(bad));
    }
}

/// Returns a strategy's answer to a stage; for a pass, after buying the first draw.
fn buys(player: &str, text: &str, at: StageAt, game: u64) -> bool {
    let loaded = rules::parse_text("staged.toml", text).unwrap();
    let rules = &loaded.rules;
    let stage = rules.spec().casino.stage(at).unwrap();
    let mut chance = SeededChance::new(3, game);
    let mut table = Table::deal(rules, Deck::shuffled(rules.deck_shape(), 3, game).cards(), &mut chance);
    let mut legal = MoveList::new();
    table.legal_moves(rules, &mut legal);
    while at == StageAt::Pass && !legal.iter().any(|m| m.is_redeal()) {
        let draw = legal.iter().copied().find(|m| m.is_draw() || m.to_foundation()).unwrap();
        table.apply(rules, draw, &mut chance);
        table.legal_moves(rules, &mut legal);
    }
    let stream = PlayerState::new(3, game);
    let mut player = load(player).unwrap().instantiate();
    player.buys(&View::new(&table, rules, &stream), &legal, stage).unwrap()
}

/// It buys what is worth its price, and stops otherwise; a strategy for cards or wins always pays.
#[test]
fn stages_are_bought_for_what_they_bring() {
    let staged = |at: &str, cost: u32| {
        format!(
            "extends = \"bsd\"\n[[casino.stage]]\nat = \"deal\"\ncost = 1\n[[casino.stage]]\nat = \"{at}\"\ncost = {cost}\n"
        )
    };
    for game in 0..4 {
        for (word, at) in
            [("first-look", StageAt::FirstLook), ("first-draw", StageAt::FirstDraw), ("pass", StageAt::Pass)]
        {
            for (cost, bought) in [(0, true), (1_000, false)] {
                assert_eq!(buys("search:level=1", &staged(word, cost), at, game), bought, "{word} {cost}");
            }
            assert!(buys("search:level=1,goal=cards", &staged(word, 1_000), at, game), "{word}");
        }
    }
    // An intermediate price is paid in some games and not in others.
    let passes: Vec<bool> =
        (0..12).map(|game| buys("search:level=1", &staged("pass", 20), StageAt::Pass, game)).collect();
    assert!(passes.contains(&true) && passes.contains(&false), "{passes:?}");
}

/// If only a win is paid, money is made by winning: decisions differ from those for cards, and equal those for wins. The
/// price of the deck, paid before the first card is seen, changes none.
#[test]
fn money_is_what_the_casino_pays() {
    let games = |goal: &str, stake: u32| {
        let pays = format!("stake = {stake}\npays_per_card = 0\npays_for_win = 500\n");
        let text = format!("extends = \"canfield\"\n[stock]\nredeals = 3\n[casino]\n{pays}");
        let rules = rules::parse_text("wins.toml", &text).unwrap().rules;
        let name = format!("search:worlds=2,judged=3,nodes=100,ways=50,goal={goal}");
        let mut player = load(&name).unwrap().instantiate();
        (0..8).map(|game| play(&rules, &mut *player, game).0).collect::<Vec<_>>()
    };
    let money = games("money", 52);
    assert_eq!([&games("win", 52), &games("money", 75)], [&money; 2]);
    assert_ne!(money, games("cards", 52));
}

/// Any script may be the policy, and its faults are reported as its own.
#[test]
fn a_script_may_be_the_policy() {
    let folder = std::env::temp_dir().join(format!("saratoga-policy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("mine.rhai");
    let rules = rules::load("single-pass").unwrap().rules;
    let deck = Deck::shuffled(rules.deck_shape(), 5, 0);
    let decide = |script: &str| {
        std::fs::write(&path, script).unwrap();
        let mut player = load(&format!("search:level=1,policy={}", path.display())).unwrap().instantiate();
        let table = Table::deal(&rules, deck.cards(), &mut SeededChance::new(5, 0));
        let mut legal = MoveList::new();
        table.legal_moves(&rules, &mut legal);
        player.decide(&View::new(&table, &rules, &PlayerState::new(5, 0)), &legal)
    };
    assert!(decide("fn score(view, m) { if m.is_draw { 1 } else { 2 } }").is_ok());
    let fault = decide("fn score(view, m) {\n    view.piles / 0\n}").unwrap_err().to_string();
    assert!(fault.contains("mine.rhai:2"), "{fault}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Its counts are set, raced and reported like constants of a script, and a policy keeps its settings.
#[test]
fn its_counts_are_parameters() {
    let source = load("search:level=1,policy=tunable:late=2,spaces=false").unwrap();
    let nodes = source.tuned_parameters().into_iter().find(|it| it.name == "nodes").unwrap();
    assert_eq!((nodes.default, nodes.bounds()), (100, (25, 200)));
    let tuned = source.with_values(&[(&nodes, 70)]);
    assert_eq!(tuned.name(), "search:level=1,nodes=70,policy=tunable:late=2,spaces=false");
    assert_eq!(load(tuned.name()).unwrap().parameters(), tuned.parameters());
    assert!(load("search").unwrap().set(&[("nodes".into(), "0".into())]).is_err());
    assert_eq!(
        load("search").unwrap().set(&[("nodes".into(), "9000".into())]).unwrap().name(),
        "search:nodes=9000"
    );
}

/// Redeals are bought for what they earn: each at its own fee, and none if stopping pays more. A first pass for
/// inspection is useless if the second costs too much.
#[test]
fn redeals_are_weighed_against_their_fees() {
    let games = |stock_and_pay: &str| {
        let text = format!("extends = \"canfield\"\n{stock_and_pay}");
        let rules = rules::parse_text("fees.toml", &text).unwrap().rules;
        let mut player = quick();
        let played = (0..30).map(|number| {
            let outcome = play(&rules, &mut *player, number).1;
            (outcome.redeals, u32::from(outcome.cards))
        });
        played.fold((0, 0), |(redeals, cards), more| (redeals + more.0, cards + more.1))
    };
    let redeals = |fee: &str| games(&format!("[stock]\nredeals = 2\n[casino]\nredeal_fee = {fee}\n")).0;
    let (free, low, high) = (redeals("0"), redeals("15"), redeals("60"));
    assert!(free > 45 && low < free / 2 && high < 5, "{free} {low} {high}");
    let (dear_first, dear_later) = (redeals("[60, 0]"), redeals("[0, 60]"));
    assert!(dear_first < 10 && (20..35).contains(&dear_later), "{dear_first} {dear_later}");
    let (looked, cards) = games("[casino]\nredeal_fee = 300\n");
    assert!(looked < 5 && cards > 60, "{looked} {cards}");
}

/// With piles in suit, a card that continues a pile in suit or goes up is played at once without loss. Other rules have
/// no such plays.
#[test]
fn plays_in_suit_are_not_put_off() {
    let certain = |rules: &Rules| {
        let (mut offered, mut played, mut decided) = (0, 0, 0);
        let mut solver = Solver::new(rules, 16 << 20).unwrap();
        let limits = Limits { nodes: Some(50_000), ..Limits::default() };
        for number in 0..20 {
            let deck = Deck::shuffled(rules.deck_shape(), 11, number);
            let (mut game, mut chance) = (Game::new(rules), SeededChance::new(11, number));
            game.deal(deck.cards(), &mut chance);
            let (rng, mut pick) = (PlayerState::new(11, number), generator(11, number, Purpose::Strategy));
            let _ = game.play_out(&mut chance, &mut (), |game| {
                let (view, legal) = (game.view(&rng), game.legal());
                if let Some(m) = super::certain_play(&view, legal) {
                    offered += 1;
                    let chosen = quick().decide(&view, legal)?;
                    played += u32::from(chosen.and_then(|at| legal.nth(at)) == Some(m));
                    let mut after = *game.table();
                    after.apply(rules, m, &mut SeededChance::new(11, number));
                    let most = [game.table(), &after].map(|table| {
                        let answer = solver.solve(table, Goal::Cards, &limits);
                        (answer.cards == answer.cards_at_most).then_some(answer.cards)
                    });
                    if let [Some(before), Some(after)] = most {
                        decided += 1;
                        assert_eq!(before, after, "{m:?} in game {number}");
                    }
                }
                Ok::<_, crate::strategy::StrategyError>(Some(below(&mut pick, legal.len() as u32) as usize))
            });
        }
        (offered, played, decided)
    };
    let (offered, played, decided) = certain(&rules::load("storehouse").unwrap().rules);
    assert!(offered > 100 && played == offered && 2 * decided > offered, "{played}, {decided} of {offered}");
    for other in ["canfield", "american-toad", "acme", "eagle-wing"] {
        assert_eq!(certain(&rules::load(other).unwrap().rules), (0, 0, 0), "{other}");
    }
}
