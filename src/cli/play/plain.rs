//! The game in plain text: reads words line by line, and prints the position.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use crate::cli::error::CliError;
use crate::cli::input::load_strategy;
use crate::cli::terminal::{self, note};
use crate::diagnostic::did_you_mean;
use crate::interrupt;
use crate::session::{Asks, Refusal, ReviewLimits, Session, Watcher};
use crate::signals::{finished, stop_on_ctrl_c};
use crate::strategy::StrategySource;
use crate::text::one_line;

use super::incoming::Lines;
use super::{Place, speech};

/// Number of positions of each search for the best possible result.
pub(super) const POSITIONS: u64 = 200_000;

const HELP: &str = "  R>F, W>T2, T4>T2x3, draw, redeal   a move; several may stand in a line,
                         but each word below stands on a line of its own
  end                    make the move that ends the game, after you were told so
  buy, decline           answer where a stage of the stake is asked for
  undo [N], redo [N]     take back, or make again, one choice or N
  start, last            go to the deal, or to the last position
  hint [STRATEGY]        what a strategy would do, and what it thinks of every move
  watch [N] [STRATEGY]   let a strategy make one choice, or N; `watch all` to the end
  possible               what could be won with every card known, and where it was lost
  line                   step with `redo` through the moves of a player who knows every card
  board, moves, history  the position, the legal moves, what was done
  resign                 give up
  save FILE              add the record to a file
  quit                   leave";

/// Words that are no moves.
const WORDS: [&str; 21] = [
    "end", "buy", "decline", "undo", "redo", "start", "last", "hint", "watch", "possible", "line", "board",
    "moves", "history", "resign", "save", "quit", "help", "draw", "redeal", "exit",
];

/// Result of handling a line.
enum Taken {
    /// The position is to be printed.
    Show,
    /// The answer was already printed.
    Said,
    /// An error.
    Wrong(String),
    Quit,
}

struct Plain<W> {
    place: Place,
    out: W,
    watcher: Option<Watcher>,
    /// The move that would end the game, after a warning.
    ending: Option<String>,
}

/// Plays until the input ends or the user leaves. Errors in lines are reported at once and, in a pipe, by the exit
/// code.
pub(super) fn run(place: Place, person: bool) -> Result<ExitCode, CliError> {
    stop_on_ctrl_c(Vec::new(), Vec::new());
    let mut table = Plain { place, out: io::BufWriter::new(terminal::stdout()), watcher: None, ending: None };
    table.title()?;
    table.show()?;
    let lines = Lines::new();
    let (mut number, mut wrong, mut first) = (0u64, 0u64, None);
    loop {
        if person {
            write!(table.out, "> ")?;
        }
        table.out.flush()?;
        let line = lines.next().map_err(CliError::io("cannot read standard input"))?;
        let Some(line) = line else { break };
        number += 1;
        match table.take(line.trim())? {
            Taken::Show => table.show()?,
            Taken::Said => {}
            Taken::Wrong(why) => {
                let why = one_line(&why).into_owned();
                writeln!(table.out, "  ! {why}")?;
                wrong += 1;
                first.get_or_insert((number, why));
            }
            Taken::Quit => break,
        }
    }
    if person && table.place.saving.file.is_none() && table.place.saving.is_due(&table.place.session) {
        table.offer(&lines)?;
    }
    table.out.flush()?;
    let Plain { mut place, .. } = table;
    match place.saving.keep_at_end(&place.session) {
        Ok(Some(said)) => note(&said),
        Ok(None) => {}
        Err(why) => return Err(CliError::Run(why)),
    }
    match first {
        Some((number, why)) if !person && !interrupt::requested() => {
            let lines = if wrong == 1 { "1 line".into() } else { format!("{wrong} lines") };
            Err(CliError::input(format!(
                "{lines} of standard input could not be followed; line {number}: {why}"
            )))
        }
        _ => Ok(finished()),
    }
}

impl<W: Write> Plain<W> {
    fn title(&mut self) -> io::Result<()> {
        writeln!(self.out, "{}", speech::title(&self.place.session.state()))
    }

    /// Prints the position, the money, the question, and the legal moves.
    fn show(&mut self) -> io::Result<()> {
        let state = self.place.session.state();
        write!(self.out, "{}", self.place.session.board())?;
        if state.seen.dealt {
            writeln!(self.out, "  {}", speech::passes(&state))?;
        }
        let money = speech::money(&state.money);
        if !money.is_empty() {
            writeln!(self.out, "  {money}")?;
        }
        if self.place.steps {
            writeln!(self.out, "  step {} of {}", state.undo, state.undo + state.redo)?;
        }
        match (&state.over, speech::stage(&state)) {
            (Some(over), _) => writeln!(self.out, "{}", speech::over(over, &state)),
            (None, Some(asked)) => writeln!(self.out, "{asked} `buy` or `decline`?"),
            (None, None) => self.moves(),
        }
    }

    fn moves(&mut self) -> io::Result<()> {
        let state = self.place.session.state();
        let words: Vec<String> = state
            .moves
            .iter()
            .map(|m| match m.ends {
                Some(end) => format!("{} (ends the game, {end})", m.word),
                None => m.word.clone(),
            })
            .collect();
        writeln!(self.out, "  moves    {}", words.join(" "))
    }

    /// Handles a line.
    fn take(&mut self, line: &str) -> Result<Taken, CliError> {
        let mut words = line.split_whitespace();
        let Some(word) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(Taken::Said) };
        let rest: Vec<&str> = words.collect();
        let ending = self.ending.take();
        let session = &mut self.place.session;
        Ok(match word {
            "help" | "?" => {
                writeln!(self.out, "{HELP}")?;
                Taken::Said
            }
            "quit" | "exit" => Taken::Quit,
            "board" => Taken::Show,
            "moves" => {
                self.moves()?;
                Taken::Said
            }
            "history" => {
                for (i, made) in session.state().made.iter().enumerate() {
                    writeln!(self.out, "  {:>4}. {}", i + 1, speech::made(made))?;
                }
                Taken::Said
            }
            "end" => match ending {
                Some(word) => refused(session.play_to_the_end(&word)),
                None => Taken::Wrong("`end` follows a move that would end the game".into()),
            },
            "buy" | "decline" => refused(session.answer(word == "buy")),
            "resign" => refused(session.resign()),
            "undo" | "redo" => match times(&rest) {
                Err(why) => Taken::Wrong(why),
                Ok(n) => {
                    let step =
                        |session: &mut Session| if word == "undo" { session.undo() } else { session.redo() };
                    match (0..n).take_while(|_| step(session)).count() {
                        0 => Taken::Wrong(format!("there is nothing to {word}")),
                        _ => Taken::Show,
                    }
                }
            },
            "start" | "last" => {
                session.go_to(if word == "start" { 0 } else { usize::MAX });
                Taken::Show
            }
            "hint" => match self.strategy(rest.first().copied()) {
                Err(why) => Taken::Wrong(why),
                Ok(strategy) => self.hint(&strategy)?,
            },
            "watch" => self.watch(&rest)?,
            "possible" => self.possible()?,
            "line" => self.line()?,
            "save" => match (rest.first(), self.place.saving.file.clone()) {
                (None, None) => Taken::Wrong("name a file: save games.jsonl".into()),
                (path, file) => {
                    let path = path.map_or_else(|| file.unwrap_or_default(), |path| path.into());
                    match self.place.saving.keep(&self.place.session, &path) {
                        Ok(said) => {
                            writeln!(self.out, "  {said}")?;
                            Taken::Said
                        }
                        Err(why) => Taken::Wrong(why),
                    }
                }
            },
            _ => self.play(line)?,
        })
    }

    /// Makes the moves of a line in order, up to the first illegal one.
    fn play(&mut self, line: &str) -> Result<Taken, CliError> {
        for (i, word) in line.split_whitespace().enumerate() {
            let session = &mut self.place.session;
            match session.play(word) {
                Ok(()) => {}
                Err(Refusal::WouldEnd { word, why }) => {
                    self.ending = Some(word);
                    if i > 0 {
                        self.show()?;
                    }
                    writeln!(self.out, "  {why}. `end` ends it; or play something else, or undo.")?;
                    return Ok(Taken::Said);
                }
                Err(refusal) => {
                    if i > 0 {
                        self.show()?;
                    }
                    let is_move = ["draw", "redeal"].contains(&word);
                    if !is_move && WORDS.contains(&word) {
                        return Ok(Taken::Wrong(format!(
                            "`{word}` stands at the beginning of a line of its own"
                        )));
                    }
                    let near = match refusal {
                        Refusal::Illegal { .. } => did_you_mean(word, WORDS).filter(|near| *near != word),
                        _ => None,
                    };
                    let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    return Ok(Taken::Wrong(format!("{refusal}{near}")));
                }
            }
        }
        Ok(Taken::Show)
    }

    /// Returns the strategy with a name, or the default one.
    fn strategy(&self, name: Option<&str>) -> Result<StrategySource, String> {
        match name {
            None => Ok(self.place.strategy.clone()),
            Some(name) => load_strategy(name).map_err(|error| match error {
                CliError::Input(why) => why.lines().next().unwrap_or_default().to_string(),
                _ => format!("{name} has faults; `saratoga scripts check` with its name lists them"),
            }),
        }
    }

    fn hint(&mut self, strategy: &StrategySource) -> Result<Taken, CliError> {
        match self.place.session.hint(strategy) {
            Err(error) => Ok(Taken::Wrong(error.to_string())),
            Ok(hint) if self.place.session.asks() == Asks::Nothing => {
                Ok(Taken::Wrong(format!("the game is over: there is nothing for {} to say", hint.strategy)))
            }
            Ok(hint) => {
                writeln!(self.out, "  {}", speech::advice(&hint))?;
                for line in speech::weights(&hint) {
                    writeln!(self.out, "{line}")?;
                }
                for line in hint.printed.lines() {
                    writeln!(self.out, "  | {}", one_line(line))?;
                }
                Ok(Taken::Said)
            }
        }
    }

    fn watch(&mut self, rest: &[&str]) -> Result<Taken, CliError> {
        let (mut steps, mut name) = (1, None);
        for word in rest {
            match word.parse() {
                Ok(n) => steps = n,
                Err(_) if *word == "all" => steps = usize::MAX,
                Err(_) => name = Some(*word),
            }
        }
        let source = match self.strategy(name) {
            Ok(source) => source,
            Err(why) => return Ok(Taken::Wrong(why)),
        };
        if self.watcher.as_ref().is_none_or(|watcher| watcher.name() != source.name()) {
            self.watcher = Some(Watcher::new(&source));
        }
        let Some(watcher) = &mut self.watcher else { return Ok(Taken::Said) };
        for i in 0..steps {
            if interrupt::requested() {
                break;
            }
            match watcher.step(&mut self.place.session) {
                Ok(Some(step)) => {
                    writeln!(self.out, "  {} {}", source.name(), said_of(&step.word))?;
                    if let Some(best) = step.lines.first() {
                        let moves = best.moves.join(", ");
                        writeln!(self.out, "   {}  {moves}", speech::expected(&best.expected))?;
                    }
                }
                Ok(None) if i == 0 => return Ok(Taken::Wrong("the game is over".into())),
                Ok(None) => break,
                Err(error) => return Ok(Taken::Wrong(error.to_string())),
            }
        }
        Ok(Taken::Show)
    }

    fn possible(&mut self) -> Result<Taken, CliError> {
        let (session, limits) = (&self.place.session, limits(&interrupt::FLAG));
        let found = session.best_line(limits).and_then(|best| Ok((best, session.lost_at(limits)?)));
        match found {
            Err(refused) => Ok(Taken::Wrong(refused.to_string())),
            Ok((best, lost)) => {
                writeln!(self.out, "  {}", speech::possible(&best, session.state().seen.cards))?;
                writeln!(self.out, "  {}", speech::lost(&lost, session.state().seen.all_cards))?;
                Ok(Taken::Said)
            }
        }
    }

    fn line(&mut self) -> Result<Taken, CliError> {
        match self.place.session.best_line(limits(&interrupt::FLAG)) {
            Err(refused) => Ok(Taken::Wrong(refused.to_string())),
            Ok(best) => {
                writeln!(self.out, "  {}", speech::possible(&best, self.place.session.state().seen.cards))?;
                self.place.session = self.place.session.follow(&best);
                writeln!(self.out, "  {}", best.moves.join(" "))?;
                Ok(Taken::Show)
            }
        }
    }

    /// Offers to save the record.
    fn offer(&mut self, lines: &Lines) -> Result<(), CliError> {
        write!(self.out, "Add the record to which file? (Enter: to none) ")?;
        self.out.flush()?;
        let Ok(Some(name)) = lines.next() else { return Ok(()) };
        if !name.trim().is_empty() {
            match self.place.saving.keep(&self.place.session, Path::new(name.trim())) {
                Ok(said) | Err(said) => writeln!(self.out, "{}", one_line(&said))?,
            }
        }
        Ok(())
    }
}

/// Returns the limits of the search for the best possible result.
pub(super) fn limits(stop: &AtomicBool) -> ReviewLimits<'_> {
    ReviewLimits { positions: POSITIONS, stop }
}

fn refused(done: Result<(), Refusal>) -> Taken {
    match done {
        Ok(()) => Taken::Show,
        Err(refusal) => Taken::Wrong(refusal.to_string()),
    }
}

fn times(rest: &[&str]) -> Result<usize, String> {
    match rest.first() {
        None => Ok(1),
        Some(word) => word.parse().map_err(|_| format!("`{word}` is no number of choices")),
    }
}

/// Describes the choice of a strategy.
fn said_of(word: &str) -> String {
    match word {
        "buy" => "buys.".into(),
        "decline" => "declines.".into(),
        "resign" => "gives up.".into(),
        word => format!("plays {word}."),
    }
}
