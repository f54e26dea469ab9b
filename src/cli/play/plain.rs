//! The game in plain text: reads words line by line, and prints the position.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use crate::cli::error::CliError;
use crate::cli::input::load_strategy;
use crate::cli::terminal;
use crate::diagnostic::did_you_mean;
use crate::interrupt;
use crate::session::{Asks, BestLine, Refusal, Watcher};
use crate::signals::{finished, stop_on_ctrl_c};
use crate::strategy::StrategySource;
use crate::text::one_line;

use super::screen::Place;
use super::speech;
use super::thinker::{Lines, limits, review};

const HELP: &str = "  R>F, W>T2, T4>T2x3, draw, redeal   a move; several may stand in a line,
                         but each word below stands on a line of its own
  R1>F, R2>T4            moves from several reserves
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

/// What follows a line that was understood.
enum Then {
    /// The position is printed.
    Show,
    /// Nothing: the answer was printed.
    Said,
    Quit,
}

/// Result of handling a line, or what is wrong with it.
type Taken = Result<Then, String>;

struct Plain {
    place: Place,
    out: String,
    watcher: Option<Watcher>,
    /// The move that would end the game, after a warning.
    ending: Option<String>,
}

/// Plays until the input ends or the user leaves. Errors are reported at once and, in a pipe, by the exit code.
pub(super) fn run(place: Place, person: bool) -> Result<ExitCode, CliError> {
    stop_on_ctrl_c(Vec::new(), Vec::new());
    let mut table = Plain { place, out: String::new(), watcher: None, ending: None };
    table.say(speech::title(&table.place.session.state()));
    table.show();
    let lines = Lines::new();
    let (mut number, mut wrong, mut first) = (0u64, 0u64, None);
    loop {
        table.out += if person { "> " } else { "" };
        table.print()?;
        let line = lines.next().map_err(CliError::io("cannot read standard input"))?;
        let Some(line) = line else { break };
        number += 1;
        match table.take(line.trim()) {
            Ok(Then::Show) => table.show(),
            Ok(Then::Said) => {}
            Ok(Then::Quit) => break,
            Err(why) => {
                let why = one_line(&why).into_owned();
                table.say(format!("  ! {why}"));
                wrong += 1;
                first.get_or_insert((number, why));
            }
        }
    }
    if person && table.place.saving.file.is_none() && table.place.saving.is_due(&table.place.session) {
        table.offer(&lines)?;
    }
    table.print()?;
    let Plain { mut place, .. } = table;
    place.saving.keep_at_end(&place.session)?;
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

impl Plain {
    fn say(&mut self, line: impl Display) {
        self.out += &format!("{line}\n");
    }

    fn print(&mut self) -> io::Result<()> {
        let mut out = terminal::stdout();
        out.write_all(std::mem::take(&mut self.out).as_bytes())?;
        out.flush()
    }

    fn show(&mut self) {
        let state = self.place.session.state();
        self.out += &self.place.session.board();
        if state.seen.dealt {
            self.say(format!("  {}", speech::passes(&state)));
        }
        let money = speech::money(&state.money);
        if !money.is_empty() {
            self.say(format!("  {money}"));
        }
        if self.place.steps {
            self.say(format!("  step {} of {}", state.undo, state.undo + state.redo));
        }
        match (&state.over, speech::stage(&state)) {
            (Some(over), _) => self.say(speech::over(over, &state)),
            (None, Some(asked)) => self.say(format!("{asked} `buy` or `decline`?")),
            (None, None) => self.moves(),
        }
    }

    fn moves(&mut self) {
        let state = self.place.session.state();
        let words = state.moves.iter().map(|m| match m.ends {
            Some(end) => format!("{} (ends the game, {end})", m.word),
            None => m.word.clone(),
        });
        self.say(format!("  moves    {}", words.collect::<Vec<_>>().join(" ")));
    }

    fn take(&mut self, line: &str) -> Taken {
        let mut words = line.split_whitespace();
        let Some(word) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(Then::Said) };
        let rest: Vec<&str> = words.collect();
        let ending = self.ending.take();
        let session = &mut self.place.session;
        match word {
            "help" | "?" => self.say(HELP),
            "quit" | "exit" => return Ok(Then::Quit),
            "board" => return Ok(Then::Show),
            "moves" => self.moves(),
            "history" => {
                for (i, made) in session.state().made.iter().enumerate() {
                    self.say(format!("  {:>4}. {}", i + 1, speech::made(made)));
                }
            }
            "end" => {
                let word = ending.ok_or("`end` follows a move that would end the game")?;
                return done(session.play_to_the_end(&word));
            }
            "buy" | "decline" => return done(session.answer(word == "buy")),
            "resign" => return done(session.resign()),
            "undo" | "redo" => {
                let times = rest.first().map_or(Ok(1), |word| word.parse::<usize>());
                let times = times.map_err(|_| format!("`{}` is no number of choices", rest[0]))?;
                let step = |_: &usize| if word == "undo" { session.undo() } else { session.redo() };
                return match (0..times).take_while(step).count() {
                    0 => Err(format!("there is nothing to {word}")),
                    _ => Ok(Then::Show),
                };
            }
            "start" | "last" => {
                session.go_to(if word == "start" { 0 } else { usize::MAX });
                return Ok(Then::Show);
            }
            "hint" => self.hint(rest.first().copied())?,
            "watch" => return self.watch(&rest),
            "possible" => {
                let (best, lost) =
                    review(session, &interrupt::FLAG).map_err(|refused| refused.to_string())?;
                self.possible(&best);
                let all = self.place.session.state().seen.all_cards;
                self.say(format!("  {}", speech::lost(&lost, all)));
            }
            "line" => {
                let best = session.best_line(limits(&interrupt::FLAG));
                let best = best.map_err(|refused| refused.to_string())?;
                self.possible(&best);
                self.place.session = self.place.session.follow(&best);
                self.say(format!("  {}", best.moves.join(" ")));
                return Ok(Then::Show);
            }
            "save" => {
                let path = rest.first().map(|path| path.into()).or(self.place.saving.file.clone());
                let path = path.ok_or("name a file: save games.jsonl")?;
                let said = self.place.saving.keep(session, &path)?;
                self.say(format!("  {said}"));
            }
            _ => return self.play(line),
        }
        Ok(Then::Said)
    }

    /// Makes the moves of a line in order, up to the first illegal one.
    fn play(&mut self, line: &str) -> Taken {
        for (i, word) in line.split_whitespace().enumerate() {
            let Err(refusal) = self.place.session.play(word) else { continue };
            if i > 0 {
                self.show();
            }
            if let Refusal::WouldEnd { word, why } = refusal {
                self.ending = Some(word);
                self.say(format!("  {why}. `end` ends it; or play something else, or undo."));
                return Ok(Then::Said);
            }
            if !["draw", "redeal"].contains(&word) && WORDS.contains(&word) {
                return Err(format!("`{word}` stands at the beginning of a line of its own"));
            }
            let near = match refusal {
                Refusal::Illegal { .. } => did_you_mean(word, WORDS).filter(|near| *near != word),
                _ => None,
            };
            let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(format!("{refusal}{near}"));
        }
        Ok(Then::Show)
    }

    fn strategy(&self, name: Option<&str>) -> Result<StrategySource, String> {
        let Some(name) = name else { return Ok(self.place.strategy.clone()) };
        load_strategy(name).map_err(|error| match error {
            CliError::Input(why) => why.lines().next().unwrap_or_default().to_string(),
            _ => format!("{name} has faults; `saratoga scripts check` with its name lists them"),
        })
    }

    fn hint(&mut self, name: Option<&str>) -> Result<(), String> {
        let strategy = self.strategy(name)?;
        let hint = self.place.session.hint(&strategy).map_err(|error| error.to_string())?;
        if self.place.session.asks() == Asks::Nothing {
            return Err(format!("the game is over: there is nothing for {} to say", hint.strategy));
        }
        self.say(format!("  {}", speech::advice(&hint)));
        speech::weights(&hint).iter().for_each(|line| self.say(line));
        hint.printed.lines().for_each(|line| self.say(format!("  | {}", one_line(line))));
        Ok(())
    }

    fn watch(&mut self, rest: &[&str]) -> Taken {
        let (mut steps, mut name) = (1, None);
        for word in rest {
            match word.parse() {
                Ok(n) => steps = n,
                Err(_) if *word == "all" => steps = usize::MAX,
                Err(_) => name = Some(*word),
            }
        }
        let source = self.strategy(name)?;
        let known = self.watcher.take().filter(|watcher| watcher.name() == source.name());
        let mut watcher = known.unwrap_or_else(|| Watcher::new(&source));
        let mut made = 0;
        while made < steps && !interrupt::requested() {
            let step = watcher.step(&mut self.place.session).map_err(|error| error.to_string())?;
            let Some(step) = step else { break };
            made += 1;
            self.say(format!("  {} {}", source.name(), said_of(&step.word)));
            if let Some(best) = step.lines.first() {
                self.say(format!("   {}  {}", speech::expected(&best.expected), best.moves.join(", ")));
            }
        }
        self.watcher = Some(watcher);
        if made == 0 && steps > 0 && !interrupt::requested() {
            Err("the game is over".into())
        } else {
            Ok(Then::Show)
        }
    }

    fn possible(&mut self, best: &BestLine) {
        self.say(format!("  {}", speech::possible(best, self.place.session.state().seen.cards)));
    }

    fn offer(&mut self, lines: &Lines) -> io::Result<()> {
        self.out += "Add the record to which file? (Enter: to none) ";
        self.print()?;
        let Ok(Some(name)) = lines.next() else { return Ok(()) };
        if !name.trim().is_empty() {
            let (Ok(said) | Err(said)) = self.place.saving.keep(&self.place.session, Path::new(name.trim()));
            self.say(one_line(&said));
        }
        Ok(())
    }
}

fn done(done: Result<(), Refusal>) -> Taken {
    done.map(|()| Then::Show).map_err(|refusal| refusal.to_string())
}

fn said_of(word: &str) -> String {
    match word {
        "buy" => "buys.".into(),
        "decline" => "declines.".into(),
        "resign" => "gives up.".into(),
        word => format!("plays {word}."),
    }
}
