//! `saratoga replay`

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use crate::cards::Card;
use crate::format::plural;
use crate::game::{
    End, Game, Move, MoveList, NamedDeal, Observer, Outcome, PlayerState, SeededChance, StagedAgent, Stake,
    Table, View,
};
use crate::interrupt;
use crate::lab::{GameError, GameRunner};
use crate::report::{board, cents};
use crate::rules::{Rules, Spec, Stage, StageAt};
use crate::signals::finished;
use crate::stats::staked_and_net;
use crate::strategy::script::{Explained, Explanation};
use crate::strategy::{MoveValue, Strategy, StrategyError, StrategySource};
use crate::text::one_line;
use crate::units::whole;

use super::error::CliError;
use super::input::{deals, load_rules, load_strategy};
use super::options::Deals;
use super::terminal;

/// Show games move by move
#[derive(Args, Debug)]
#[command(after_help = "\
A single game is shown step by step, several games as one line each. ## is a
face-down card, -- an empty place; on the foundations TS is the top of spades
and -C no clubs yet. R>F moves the reserve's top to a foundation, W>T2 the
waste's top to pile 2, and T4>T2x3 three cards from pile 4 to pile 2. With
several reserves they are R1, R2 and so on.

Examples:
  saratoga replay                      watch greedy play game 0 of seed 1
  saratoga replay superior -s patient --seed 7 --game 3 --explain
  saratoga replay canfield --game 17 --step
  saratoga replay --step --record records.jsonl --line 3
  saratoga replay canfield --game 0..200 --json > records.jsonl")]
pub(super) struct ReplayArgs {
    /// A ruleset: a name on the shelf, or a path
    #[arg(value_name = "RULES", default_value = "canfield")]
    pub rules: String,
    /// A strategy: a name on the shelf, or the path of a script
    #[arg(short, long, value_name = "STRATEGY", default_value = "greedy")]
    pub strategy: String,
    #[command(flatten)]
    pub deals: Deals,
    /// Show every legal move at each step, with its card, its score and the line of the script that gave it
    #[arg(long, conflicts_with = "json")]
    pub explain: bool,
    /// Show what the variables of a script hold each time that it reaches this line; includes --explain
    #[arg(long, value_name = "LINE", conflicts_with_all = ["json", "step"], value_parser = whole(1, 1_000_000))]
    pub trace: Option<u64>,
    /// Print JSON Lines: one record per game
    #[arg(long)]
    pub json: bool,
    /// Step through one game yourself, forwards and back, at the table of `saratoga play`
    #[arg(long, conflicts_with_all = ["explain", "json", "deals"])]
    pub step: bool,
    /// With --step: the game of a record in this file; -s then gives hints
    #[arg(long, value_name = "FILE", requires = "step", conflicts_with_all = ["rules", "game", "deck"])]
    pub record: Option<PathBuf>,
    /// With --record: the line of the file [default: the first record]
    #[arg(long, value_name = "N", requires = "record", value_parser = whole(1, u64::MAX))]
    pub line: Option<u64>,
    /// With --step: read commands from standard input, and print positions as text
    #[arg(long, requires = "step")]
    pub plain: bool,
}

pub(super) fn run(args: ReplayArgs) -> Result<ExitCode, CliError> {
    match show(&args) {
        // The games before the current one were shown.
        Err(CliError::Interrupted) | Ok(()) => Ok(finished()),
        Err(error) => Err(error),
    }
}

fn show(args: &ReplayArgs) -> Result<(), CliError> {
    let loaded = load_rules(&args.rules)?;
    let source = load_strategy(&args.strategy)?;
    let rules = &loaded.rules;
    let mut out = io::BufWriter::new(terminal::stdout());
    let mut player = GameRunner::new(&args.rules, rules, source.instantiate());
    let mut deals = deals(&args.deals, &loaded)?.enumerate().peekable();
    let explains = args.explain || args.trace.is_some();
    let mut explained = explains.then(|| explained(args, &source)).transpose()?.flatten();
    let mut draw = explains;
    let staged = rules.spec().casino.is_staged();
    while let Some((i, deal)) = deals.next() {
        if interrupt::requested() {
            break;
        }
        if args.json {
            let mut record = player
                .record(&deal.deck, args.deals.seed, deal.game)
                .map_err(|error| faulted(args, &deal, error.error))?;
            // The name as given, so that the record can be reproduced.
            record.strategy = args.strategy.clone();
            record.id = deal.id;
            writeln!(out, "{}", serde_json::to_string(&record).map_err(|e| CliError::Run(e.to_string()))?)?;
            continue;
        }
        draw |= i == 0 && deals.peek().is_none();
        if draw {
            if i > 0 {
                writeln!(out)?;
            }
            let explained = explained.as_mut();
            let shown = draw_game(&mut out, args, rules, &deal, (&source, explained), &mut player);
            // The moves before an error help to find its cause.
            out.flush()?;
            shown?;
        } else {
            let columns = if staged { 8 } else { 6 };
            if i == 0 {
                let heads = ["game", "end", "cards", "moves", "redeals", "reserve left", "staked", "net"];
                writeln!(out, "{}", row(&heads[..columns]))?;
            }
            let o = player
                .watch(&deal.deck, args.deals.seed, deal.game, &mut ())
                .map_err(|error| faulted(args, &deal, error.error))?;
            let name = deal.id.unwrap_or_else(|| deal.game.to_string());
            let (staked, net) = staked_and_net(rules.spec(), &o);
            let [staked, net] = [staked, net].map(|amount| cents(amount, &rules.spec().casino));
            let (end, cards, moves, redeals) = (o.end, o.cards, o.moves, o.redeals);
            let numbers = [cards.into(), moves, redeals, o.reserve_left.into()].map(|n: u32| n.to_string());
            let [cards, moves, redeals, reserve] = numbers;
            let cells = [name, end.to_string(), cards, moves, redeals, reserve, staked, net];
            writeln!(out, "{}", row(&cells[..columns]))?;
        }
    }
    out.flush()?;
    Ok(())
}

/// Returns another instance of the script that explains its scores; `None` for a strategy that is no script.
fn explained(args: &ReplayArgs, source: &StrategySource) -> Result<Option<Explained>, CliError> {
    let trace = args.trace.map(|line| line as usize);
    match source.script() {
        Some(text) => Explained::new(source.name(), text, trace).map(Some).map_err(CliError::of_scripts),
        None if trace.is_some() => {
            let name = one_line(&args.strategy);
            Err(CliError::input(format!("`{name}` is no single script, so no line of it can be traced")))
        }
        None => Ok(None),
    }
}

fn row(cells: &[impl AsRef<str>]) -> String {
    const WIDTHS: [usize; 8] = [8, 8, 5, 5, 7, 12, 9, 9];
    let cell = |(i, (cell, width)): (usize, (&_, usize))| {
        let cell: &str = AsRef::as_ref(cell);
        // The end of a game is a word.
        if i == 1 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
    };
    cells.iter().zip(WIDTHS).enumerate().map(cell).collect::<Vec<_>>().join("  ")
}

/// Draws a game position by position. If it was stopped early, `player` determines the result of continuing.
fn draw_game(
    out: &mut impl Write,
    args: &ReplayArgs,
    rules: &Rules,
    deal: &NamedDeal,
    (source, explained): (&StrategySource, Option<&mut Explained>),
    player: &mut GameRunner<'_>,
) -> Result<(), CliError> {
    let mut strategy = source.instantiate();
    let seed = args.deals.seed;
    let rng = PlayerState::new(seed, deal.game);
    let mut chance = SeededChance::new(seed, deal.game);
    let mut game = Game::new(rules);
    let (named, player_named) = (one_line(&args.rules), one_line(&args.strategy));
    match (&deal.id, &args.deals.deck) {
        (Some(id), _) => writeln!(out, "{named}, {player_named}, deal {id}")?,
        (None, Some(_)) => writeln!(out, "{named}, {player_named}")?,
        (None, None) => writeln!(out, "{named}, {player_named}, seed {seed}, game {}", deal.game)?,
    }
    let mut drawing = Drawing {
        out,
        args,
        deal,
        strategy: &mut *strategy,
        explained,
        rng: &rng,
        steps: 0,
        made: None,
        events: String::new(),
        drawn: false,
        bought: false,
        chosen: None,
        words: String::new(),
    };
    game.deal_watched(deal.deck.cards(), &mut chance, &mut drawing);
    let outcome = game.play_for_stakes(&rng, &mut chance, &mut drawing)?;
    drawing.last(&game, &outcome)?;
    writeln!(out, "\n{}", told(rules.spec(), &outcome))?;
    if outcome.stake.is_some_and(|stake| stake.stopped.is_some()) {
        let again = player.watch(&deal.deck, seed, deal.game, &mut ());
        let again = again.map_err(|error| faulted(args, deal, error.error))?;
        if let Some(instead) = again.stake.and_then(|stake| stake.instead) {
            let stake = Stake { staked: instead.staked, whole: instead.whole, ..Stake::NONE };
            let on = Outcome { end: instead.end, cards: instead.cards, stake: Some(stake), ..outcome };
            let (end, cards) = (on.end, plural(u64::from(on.cards), "card"));
            writeln!(
                out,
                "With every stage bought, it would have ended {end} with {cards} up. {}",
                money(rules.spec(), &on)
            )?;
        }
    }
    Ok(())
}

/// Describes how one game ended, in a sentence, with the stake if it is bought in stages.
fn told(rules: &Spec, outcome: &Outcome) -> String {
    let Outcome { end, cards, moves, redeals, reserve_left, .. } = outcome;
    let cards = plural((*cards).into(), "card");
    let (moves, redeals) = (plural((*moves).into(), "move"), plural((*redeals).into(), "redeal"));
    let end =
        format!("The game ends {end}: {cards} up, {reserve_left} left in the reserve; {moves}, {redeals}.");
    match outcome.stake {
        Some(_) => format!("{end}\n{}", money(rules, outcome)),
        None => end,
    }
}

/// Describes the stake and payment of a game in a sentence.
fn money(rules: &Spec, outcome: &Outcome) -> String {
    let (staked, net) = staked_and_net(rules, outcome);
    let [staked, paid, net] = [staked, staked + net, net].map(|amount| cents(amount, &rules.casino));
    format!("Staked {staked}, paid back {paid}: net {net}.")
}

struct Drawing<'a, W> {
    out: &'a mut W,
    args: &'a ReplayArgs,
    deal: &'a NamedDeal,
    strategy: &'a mut dyn Strategy,
    /// The same script, instrumented to explain its scores.
    explained: Option<&'a mut Explained>,
    rng: &'a PlayerState,
    steps: u32,
    made: Option<String>,
    /// Chance events since that move.
    events: String,
    drawn: bool,
    /// Whether cards were just bought.
    bought: bool,
    /// The last chosen move, if already reported.
    chosen: Option<Move>,
    words: String,
}

impl<W: Write> Drawing<'_, W> {
    /// Draws the position, once, with what led to it, and what the cards just bought reveal.
    fn draw(&mut self, view: &View<'_>) -> Result<(), CliError> {
        if std::mem::take(&mut self.bought) {
            let stock: Vec<_> = (0..view.stock_left()).map(|ahead| view.coming(ahead)).collect();
            let waste: Vec<_> = (0..view.waste_left()).rev().map(|below| view.waste(below)).collect();
            for (name, cards) in [("stock", stock), ("waste", waste)] {
                let face = |card: &Option<Card>| card.map_or(" ##".into(), |card| format!(" {card}"));
                if cards.iter().any(Option::is_some) {
                    let cards: String = cards.iter().map(face).collect();
                    writeln!(self.out, "  known of the {name}:{cards}")?;
                }
            }
        }
        if self.drawn {
            return Ok(());
        }
        self.drawn = true;
        let events = std::mem::take(&mut self.events);
        match self.made.take() {
            Some(made) => writeln!(self.out, "\n{}. {made}{events}", self.steps)?,
            None if events.is_empty() => {}
            None => writeln!(self.out, " {events}")?,
        }
        write!(self.out, "{}", board(view))?;
        Ok(())
    }

    fn print(&mut self) -> Result<(), CliError> {
        for line in self.strategy.printed().lines() {
            writeln!(self.out, "  | {line}")?;
        }
        Ok(())
    }

    /// Draws the last position, and says why the game is over if that is not visible.
    fn last(&mut self, game: &Game<'_>, outcome: &Outcome) -> Result<(), CliError> {
        let stopped = outcome.stake.and_then(|stake| stake.stopped);
        if stopped != Some(StageAt::Deal) {
            self.draw(&View::new(game.table(), game.rules(), self.rng))?;
        }
        match (outcome.end, stopped, self.chosen) {
            (_, Some(at), _) => writeln!(self.out, "\nThe player stops at {at}.")?,
            (End::Resigned, ..) => writeln!(self.out, "\nThe strategy resigns.")?,
            (End::Barren, _, Some(m)) => {
                let spec = game.rules().spec();
                writeln!(self.out, "\n{} {}.", name(spec, m), spec.why_barren())?;
            }
            (End::Barren, _, None) => {
                let why = game.rules().spec().why_barren();
                writeln!(self.out, "\nThe strategy resigns, and another redeal {why}.")?;
            }
            _ => {}
        }
        Ok(())
    }
}

impl<W: Write> StagedAgent for Drawing<'_, W> {
    type Error = CliError;

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, CliError> {
        self.draw(view)?;
        let shows = |error| faulted(self.args, self.deal, error);
        let (mut scores, mut told) = (None, Vec::new());
        let explains = self.args.explain || self.args.trace.is_some();
        if explains {
            // Computing the scores must not use the random numbers of the choice.
            let apart = self.rng.clone();
            scores = self.strategy.scores(&view.with_rng(&apart), legal).map_err(shows)?;
            if scores.is_some() {
                // The choice prints the same again.
                self.strategy.printed();
            }
            if let Some(explained) = &mut self.explained {
                let apart = self.rng.clone();
                // Any error in it occurs in the decision too, where it is reported.
                told = explained.explain(&view.with_rng(&apart), legal).unwrap_or_default();
            }
        }
        let chosen = self.strategy.decide(view, legal).map_err(shows);
        self.print()?;
        let chosen = chosen?;
        if explains {
            explain(self.out, view, legal, (scores.as_deref(), &told), chosen)?;
            weighed(self.out, view, self.strategy.weighed())?;
            remembered(self.out, &self.rng.memory())?;
        }
        self.chosen = chosen.and_then(|i| legal.get(i).copied());
        if let Some(m) = self.chosen {
            let card = view.card(m).map_or(String::new(), |card| format!("  {card}"));
            self.words = format!("{}{card}", name(view.rules(), m));
        }
        Ok(chosen)
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, CliError> {
        // Before the layout is visible there is nothing to draw.
        if !legal.is_empty() {
            self.draw(view)?;
        }
        let answer = self.strategy.buys(view, legal, stage);
        let answer = answer.map_err(|error| faulted(self.args, self.deal, error));
        self.print()?;
        let buys = answer?;
        let cost = cents(stage.cost, &view.rules().casino);
        let word = if buys { "bought" } else { "declined" };
        writeln!(self.out, "  stage {} for {cost}: {word}", stage.at)?;
        self.bought |= buys && stage.at == StageAt::UnknownCard;
        Ok(buys)
    }
}

impl<W: Write> Observer for Drawing<'_, W> {
    fn rolled(&mut self, face: u8) {
        self.events.push_str(&format!(" (the die shows {face})"));
    }

    fn shuffled(&mut self, _stock: &[Card]) {
        self.events.push_str(" (shuffled)");
    }

    fn moving(&mut self, _table: &Table, _legal: &MoveList, _chosen: Move) {
        self.steps += 1;
        self.made = Some(std::mem::take(&mut self.words));
        self.drawn = false;
    }
}

fn name(rules: &Spec, m: Move) -> String {
    m.notation(rules.reserve.piles as usize)
}

/// Prints every legal move with its card and, if the strategy scores moves, its score; `>` marks the chosen one.
fn explain(
    out: &mut impl Write,
    view: &View<'_>,
    legal: &MoveList,
    (scores, told): (Option<&[i64]>, &[Explanation]),
    chosen: Option<usize>,
) -> Result<(), CliError> {
    let score = if scores.is_some() { "score" } else { "" };
    writeln!(out, "{}", format!("    {:<10} {:<4} {score:>8}", "move", "card").trim_end())?;
    for (i, &m) in legal.iter().enumerate() {
        let mark = if chosen == Some(i) { '>' } else { ' ' };
        let name = m.notation(view.rules().reserve.piles as usize);
        let card = view.card(m).map_or(String::new(), |card| card.to_string());
        let score = scores.and_then(|scores| scores.get(i)).map_or(String::new(), |s| s.to_string());
        // If a script chooses instead of scoring, its explanation is of one choice and not of each move.
        let told = told.get(i).filter(|_| scores.is_some());
        let line = told.and_then(|told| told.line).map_or(String::new(), |line| format!("  line {line}"));
        writeln!(out, "{}", format!("  {mark} {name:<10} {card:<4} {score:>8}{line}").trim_end())?;
        traced(out, told)?;
    }
    if scores.is_none() {
        if let Some(line) = told.first().and_then(|told| told.line) {
            writeln!(out, "    chosen by line {line}")?;
        }
        traced(out, told.first())?;
    }
    Ok(())
}

/// Prints the values of variables at a traced line, each time it was reached.
fn traced(out: &mut impl Write, told: Option<&Explanation>) -> Result<(), CliError> {
    for values in told.iter().flat_map(|told| &told.traced) {
        writeln!(out, "      : {}", one_line(values))?;
    }
    Ok(())
}

/// Prints the moves as lines of play, best first, with their mean results in sampled deals.
fn weighed(out: &mut impl Write, view: &View<'_>, weighed: &[MoveValue]) -> Result<(), CliError> {
    if weighed.is_empty() {
        return Ok(());
    }
    let (casino, all) = (&view.rules().casino, view.all_cards());
    let pays = casino.pay(all, all) > 0;
    let paid = |text: &str| if pays { format!(" {text:>9}") } else { String::new() };
    writeln!(out, "    {:>6} {:>6} {:>6}{}  weighed, the best first", "deals", "won", "cards", paid("paid"))?;
    for it in weighed {
        // A single line of play is not simulated.
        let (won, cards, money) = match it.worlds {
            0 => ("-".to_string(), "-".to_string(), paid("-")),
            deals => {
                let mean = |sum: f64| sum / f64::from(deals);
                let won = format!("{:.0}%", 100.0 * mean(it.wins.into()));
                let money = cents(mean(it.paid as f64).round() as i64, casino);
                (won, format!("{:.1}", mean(it.cards as f64)), paid(&money))
            }
        };
        let moves: Vec<String> = it
            .moves
            .chunk_by(|a, b| a == b)
            .map(|alike| match (name(view.rules(), alike[0]), alike.len()) {
                (one, 1) => one,
                (one, many) => format!("{many} {one}s"),
            })
            .collect();
        writeln!(out, "    {:>6} {won:>6} {cards:>6}{money}  {}", it.worlds, moves.join(", "))?;
    }
    Ok(())
}

/// Prints the non-zero values in a script's memory, with their indices.
fn remembered(out: &mut impl Write, memory: &[i64]) -> Result<(), CliError> {
    let kept = memory.iter().enumerate().filter(|(_, number)| **number != 0);
    let kept: Vec<String> = kept.map(|(place, number)| format!("[{place}] = {number}")).collect();
    if !kept.is_empty() {
        writeln!(out, "    memory: {}", kept.join(", "))?;
    }
    Ok(())
}

/// Creates the error of a script in a game that is dealt from a seed, a deck or a line of a deals file.
pub(super) fn faulted(args: &ReplayArgs, deal: &NamedDeal, error: StrategyError) -> CliError {
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
