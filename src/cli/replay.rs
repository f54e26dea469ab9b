//! `saratoga replay`

use std::io::{self, Write};
use std::process::ExitCode;

use crate::cards::Card;
use crate::game::{Game, Luck, Move, MoveList, Observer, Outcome, SeededChance, Table, View};
use crate::lab::{GameError, Player};
use crate::report::board;
use crate::rules::Rules;
use crate::strategy::{Strategy, StrategyError};

use super::args::ReplayArgs;
use super::error::CliError;
use super::input::{NamedDeal, deals, load_rules, load_strategy};

pub(super) fn run(args: ReplayArgs) -> Result<ExitCode, CliError> {
    let loaded = load_rules(&args.rules)?;
    let source = load_strategy(&args.strategy)?;
    let rules = &loaded.rules;
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut player = Player::new(&args.rules, rules, source.instantiate());
    let mut deals = deals(&args.deals, rules.deck_shape())?.enumerate().peekable();
    let mut draw = args.explain;
    while let Some((i, deal)) = deals.next() {
        if args.json {
            let mut record = player
                .record(&deal.deck, args.deals.seed, deal.game)
                .map_err(|error| faulted(&args, &deal, error.error))?;
            // As the person named it, so that the record can be made again.
            record.strategy = args.strategy.clone();
            writeln!(out, "{}", serde_json::to_string(&record).map_err(|e| CliError::Run(e.to_string()))?)?;
            continue;
        }
        draw |= i == 0 && deals.peek().is_none();
        if draw {
            let mut strategy = source.instantiate();
            if i > 0 {
                writeln!(out)?;
            }
            let shown = draw_game(&mut out, &args, rules, &deal, &mut *strategy);
            // What was drawn before a fault helps to find it.
            out.flush()?;
            shown?;
        } else {
            if i == 0 {
                writeln!(out, "{}", row("game", ["end", "cards", "moves", "redeals", "reserve left"]))?;
            }
            let o = player
                .watch(&deal.deck, args.deals.seed, deal.game, &mut ())
                .map_err(|error| faulted(&args, &deal, error.error))?;
            let name = deal.id.unwrap_or_else(|| deal.game.to_string());
            let (cards, moves, redeals) = (o.cards.to_string(), o.moves.to_string(), o.redeals.to_string());
            let cells = [o.end.to_string(), cards, moves, redeals, o.reserve_left.to_string()];
            writeln!(out, "{}", row(&name, cells.each_ref().map(String::as_str)))?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// A script's fault in one of the games, which a seed, a deck or a line of a deals file deals.
fn faulted(args: &ReplayArgs, deal: &NamedDeal, error: StrategyError) -> CliError {
    let (rules, strategy) = (args.rules.clone(), args.strategy.clone());
    let (seed, game) = (args.deals.seed, deal.game);
    match (&args.deals.deals, &args.deals.deck) {
        (Some(file), _) => {
            let id = deal.id.clone().unwrap_or_else(|| format!("number {}", game + 1));
            CliError::game(error, format!("deal {id} of {}", file.display()))
        }
        (None, Some(_)) => CliError::game(error, "the deck given with --deck".into()),
        (None, None) => CliError::from(GameError { rules, strategy, seed, game, error }),
    }
}

/// A line of the table of games.
fn row(game: &str, [end, cards, moves, redeals, reserve]: [&str; 5]) -> String {
    format!("{game:>8}  {end:<8}  {cards:>5}  {moves:>5}  {redeals:>7}  {reserve:>12}")
}

/// How one game ended, in a sentence.
fn told(outcome: &Outcome) -> String {
    let Outcome { end, cards, moves, redeals, reserve_left, .. } = outcome;
    let (cards, moves, redeals) = (
        counted(u64::from(*cards), "card"),
        counted((*moves).into(), "move"),
        counted((*redeals).into(), "redeal"),
    );
    format!("The game ends {end}: {cards} up, {reserve_left} left in the reserve; {moves}, {redeals}.")
}

fn counted(n: u64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
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
    match events.take() {
        none if none.is_empty() => {}
        some => writeln!(out, " {some}")?,
    }
    write!(out, "{}", board(&View::new(game.table(), rules, &luck)))?;
    while game.end().is_none() {
        let view = View::new(game.table(), rules, &luck);
        let shows = |error| faulted(args, deal, error);
        let mut scores = None;
        if args.explain {
            // Asking for the scores must not use up the randomness that the choice will draw on.
            let apart = luck.clone();
            let asked = View::new(game.table(), rules, &apart);
            scores = strategy.scores(&asked, game.legal()).map_err(shows)?;
            if scores.is_some() {
                // The choice prints the same once more.
                strategy.printed();
            }
        }
        let chosen = strategy.decide(&view, game.legal()).map_err(shows);
        for line in strategy.printed().lines() {
            // What would steer the terminal is not passed on.
            let line = line.replace(|c: char| c.is_control() && c != '\t', "?");
            writeln!(out, "  | {line}")?;
        }
        let chosen = chosen?;
        if args.explain {
            explain(out, &view, game.legal(), scores.as_deref(), chosen)?;
        }
        let Some(m) = chosen.and_then(|i| game.legal().get(i).copied()) else {
            writeln!(out, "\nThe strategy resigns.")?;
            game.resign();
            break;
        };
        let card = view.card(m).map_or(String::new(), |card| format!("  {card}"));
        if !events.make(&mut game, m, &mut chance) {
            writeln!(out, "\n{} would only show the same cards again.", name(rules, m))?;
            break;
        }
        step += 1;
        writeln!(out, "\n{step}. {}{card}{}", name(rules, m), events.take())?;
        write!(out, "{}", board(&View::new(game.table(), rules, &luck)))?;
    }
    writeln!(out, "\n{}", told(&game.outcome()))?;
    Ok(())
}

fn name(rules: &Rules, m: Move) -> String {
    m.notation(rules.spec().reserve.piles as usize)
}

/// Every legal move with its card and, where the strategy scores, its score; `>` marks the chosen.
fn explain(
    out: &mut impl Write,
    view: &View<'_>,
    legal: &MoveList,
    scores: Option<&[i64]>,
    chosen: Option<usize>,
) -> Result<(), CliError> {
    let score = if scores.is_some() { "score" } else { "" };
    writeln!(out, "{}", format!("    {:<10} {:<4} {score:>8}", "move", "card").trim_end())?;
    for (i, &m) in legal.iter().enumerate() {
        let mark = if chosen == Some(i) { '>' } else { ' ' };
        let name = m.notation(view.rules().reserve.piles as usize);
        let card = view.card(m).map_or(String::new(), |card| card.to_string());
        let score = scores.and_then(|scores| scores.get(i)).map_or(String::new(), |s| s.to_string());
        writeln!(out, "{}", format!("  {mark} {name:<10} {card:<4} {score:>8}").trim_end())?;
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
