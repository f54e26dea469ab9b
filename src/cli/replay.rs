//! `saratoga replay`

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cards::Card;
use crate::game::{Game, Luck, Move, MoveList, Observer, Outcome, SeededChance, Table, View};
use crate::lab::Player;
use crate::report::board;
use crate::rules::Rules;
use crate::strategy::Strategy;

use super::args::ReplayArgs;
use super::error::CliError;
use super::input::{NamedDeal, deals, load_rules, load_strategy};

pub(super) fn run(args: ReplayArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let source = load_strategy(&args.strategy)?;
    let rules = &loaded.rules;
    let one = args.deals.game.as_ref().is_none_or(|games| games.is_one()) && args.deals.deals.is_none();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut player = Player::new(&args.rules, rules, source.instantiate());
    for deal in deals(&args.deals, rules.deck_shape())? {
        if args.json {
            let mut record = player.record(&deal.deck, args.deals.seed, deal.game)?;
            record.strategy = args.strategy.clone();
            writeln!(out, "{}", serde_json::to_string(&record).map_err(|e| CliError::Run(e.to_string()))?)?;
        } else if one || args.explain {
            let mut strategy = source.instantiate();
            let shown = draw_game(&mut out, &args, rules, &deal, &mut *strategy);
            // What was drawn before a fault helps to find it.
            out.flush()?;
            shown?;
        } else {
            let outcome = player.watch(&deal.deck, args.deals.seed, deal.game, &mut ())?;
            let name = deal.id.unwrap_or_else(|| deal.game.to_string());
            writeln!(out, "{name:>8}  {}", told(&outcome))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn told(outcome: &Outcome) -> String {
    let Outcome { end, cards, moves, redeals, reserve_left, .. } = outcome;
    format!("{end:<9} {cards:>3} cards  {moves:>5} moves  {redeals:>3} redeals  {reserve_left:>2} in reserve")
}

/// Draws a game position by position.
fn draw_game(
    out: &mut impl Write,
    args: &ReplayArgs,
    rules: &Rules,
    deal: &NamedDeal,
    strategy: &mut dyn Strategy,
) -> Result<(), CliError> {
    let seed = args.deals.seed;
    let luck = Luck::new(seed, deal.game);
    let mut chance = SeededChance::new(seed, deal.game);
    let mut game = Game::new(rules);
    let mut events = Events::default();
    game.deal_watched(deal.deck.cards(), &mut chance, &mut events);
    match (&deal.id, &args.deals.deck) {
        (Some(id), _) => writeln!(out, "{}, {}, deal {id}", args.rules, args.strategy)?,
        (None, Some(_)) => writeln!(out, "{}, {}", args.rules, args.strategy)?,
        (None, None) => writeln!(out, "{}, {}, seed {seed}, game {}", args.rules, args.strategy, deal.game)?,
    }
    let mut step = 0;
    write!(out, "{}", events.take())?;
    write!(out, "{}", board(&View::new(game.table(), rules, &luck)))?;
    while game.end().is_none() {
        let view = View::new(game.table(), rules, &luck);
        let shows = |error| crate::lab::GameError {
            rules: args.rules.clone(),
            strategy: args.strategy.clone(),
            seed,
            game: deal.game,
            error,
        };
        if args.explain {
            let scores = strategy.scores(&view, game.legal()).map_err(shows)?;
            explain(out, &view, game.legal(), scores.as_deref())?;
        }
        let chosen = strategy.decide(&view, game.legal()).map_err(shows)?;
        for line in strategy.printed().lines() {
            writeln!(out, "  | {line}")?;
        }
        let Some(m) = chosen.and_then(|i| game.legal().get(i).copied()) else {
            writeln!(out, "\nThe strategy resigns.")?;
            game.resign();
            break;
        };
        if !events.make(&mut game, m, &mut chance) {
            writeln!(out, "\n{} would start what was seen before; the game ends here.", name(rules, m))?;
            break;
        }
        step += 1;
        writeln!(out, "\n{step}. {}{}", name(rules, m), events.take())?;
        write!(out, "{}", board(&View::new(game.table(), rules, &luck)))?;
    }
    writeln!(out, "\n{}", told(&game.outcome()))?;
    Ok(())
}

fn name(rules: &Rules, m: Move) -> String {
    m.notation(rules.spec().reserve.piles as usize)
}

/// Every legal move with its card and, where the strategy scores, its score.
fn explain(
    out: &mut impl Write,
    view: &View<'_>,
    legal: &MoveList,
    scores: Option<&[i64]>,
) -> Result<(), CliError> {
    for (i, &m) in legal.iter().enumerate() {
        let name = m.notation(view.rules().reserve.piles as usize);
        let card = view.card(m).map_or(String::new(), |card| card.to_string());
        let score = scores.and_then(|scores| scores.get(i)).map_or(String::new(), |s| s.to_string());
        writeln!(out, "{}", format!("    {name:<8} {card:<3} {score:>8}").trim_end())?;
    }
    Ok(())
}

/// What chance decided since it was last asked.
#[derive(Default)]
struct Events(Vec<String>);

impl Events {
    fn make(&mut self, game: &mut Game<'_>, m: Move, chance: &mut SeededChance) -> bool {
        game.make(m, &mut crate::game::Watched { chance, observer: self })
    }

    fn take(&mut self) -> String {
        self.0.drain(..).collect()
    }
}

impl Observer for Events {
    fn rolled(&mut self, face: u8) {
        self.0.push(format!(" (the die shows {face})"));
    }

    fn shuffled(&mut self, _stock: &[Card]) {
        self.0.push(" (shuffled)".into());
    }

    fn moving(&mut self, _table: &Table, _legal: &MoveList, _chosen: Move) {}
}
