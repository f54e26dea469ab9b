//! The game on the screen: the user's actions and their results.

use std::fs::{self, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Stdout, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::Rect;

use super::places::Look;
use super::speech;
use super::thinker::{Answer, Asked, LOOK, Thinker, incoming};
use crate::cli::error::CliError;
use crate::cli::terminal::note;
use crate::files::{check_writable, reason};
use crate::interrupt;
use crate::session::{Asks, Hint, LegalMove, Refusal, Session, State, Step};
use crate::signals::{finished, stop_on_ctrl_c};
use crate::strategy::StrategySource;
use crate::text::{one_line, slug};

/// Pauses between the moves of a watched strategy, in milliseconds.
pub(super) const PAUSES: [u64; 6] = [3000, 1500, 700, 300, 100, 0];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Play,
    Confirm(String),
    Resign,
    Move(String),
    /// A file name is typed; with `true`, the game is left afterwards.
    Save(String, bool),
    Help,
}

pub(super) struct Screen {
    pub place: Place,
    pub look: Look,
    pub thinker: Thinker,
    pub state: State,
    pub mode: Mode,
    /// The place selected as the source of a move, and the target if several moves go there.
    pub source: Option<String>,
    pub target: Option<String>,
    /// The selected line of the list of moves.
    pub cursor: usize,
    pub hint: Option<Hint>,
    /// The message, and whether it is an error.
    pub said: Option<(String, bool)>,
    /// Whether a strategy is playing.
    pub watching: bool,
    pub speed: usize,
    pub next_step: Instant,
    /// The user's own game, while another line is stepped through.
    pub own: Option<Session>,
    /// The clairvoyant line of play, once it was searched.
    pub best: Option<Session>,
    /// Where the board and the list were last drawn, and the first line of the list.
    pub board: Rect,
    pub list: Rect,
    pub first: usize,
    pub pressed: Option<(String, usize)>,
    pub last_click: Option<(Instant, String)>,
    pub leaves: bool,
}

pub(super) fn run(place: Place) -> Result<ExitCode, CliError> {
    stop_on_ctrl_c(Vec::new(), Vec::new());
    let cannot =
        |error: io::Error| CliError::Run(format!("the terminal cannot be used: {error}; try --plain"));
    let thinker =
        Thinker::new(place.strategy.clone()).map_err(|error| CliError::Threads(error.to_string()))?;
    let mut screen = Screen::new(place, thinker);
    let played = {
        let mut open = Open::new().map_err(cannot)?;
        screen.play(&mut open.terminal)
    };
    screen.thinker.stop();
    played.map_err(cannot)?;
    let game = screen.own_game().clone();
    screen.place.saving.keep_at_end(&game)?;
    Ok(finished())
}

/// The terminal in raw mode; it is restored on drop, even after a panic.
struct Open {
    terminal: Terminal<CrosstermBackend<Stdout>>,
}

impl Open {
    fn new() -> io::Result<Open> {
        enable_raw_mode()?;
        // From here on it has to be restored.
        let open = Open { terminal: Terminal::new(CrosstermBackend::new(stdout()))? };
        execute!(stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let _ = execute!(stdout(), DisableMouseCapture, LeaveAlternateScreen);
        let _ = disable_raw_mode();
        let _ = self.terminal.show_cursor();
    }
}

impl Screen {
    pub fn new(place: Place, thinker: Thinker) -> Screen {
        let state = place.session.state();
        let mut screen = Screen {
            place,
            look: Look::new(),
            thinker,
            state,
            mode: Mode::Play,
            source: None,
            target: None,
            cursor: 0,
            hint: None,
            said: None,
            watching: false,
            speed: 2,
            next_step: Instant::now(),
            own: None,
            best: None,
            board: Rect::default(),
            list: Rect::default(),
            first: 0,
            pressed: None,
            last_click: None,
            leaves: false,
        };
        screen.refresh();
        if screen.place.steps {
            screen.say("Right and left step through the game; any move plays on from where you are.");
        }
        screen
    }

    fn play(&mut self, terminal: &mut Terminal<CrosstermBackend<Stdout>>) -> io::Result<()> {
        let events = incoming(|| event::read().map(Some));
        let mut changed = true;
        while !self.leaves && !interrupt::requested() {
            if changed {
                terminal.draw(|frame| self.draw(frame))?;
            }
            changed = false;
            let mut next = events.recv_timeout(LOOK).ok();
            while let Some(event) = next {
                changed = true;
                self.on(&event?);
                next = if self.leaves { None } else { events.try_recv().ok() };
            }
            changed |= self.look_around();
        }
        Ok(())
    }

    /// Handles new results, and lets a watched strategy continue. Returns whether anything changed.
    fn look_around(&mut self) -> bool {
        let found = self.thinker.found();
        let changed = found.is_some();
        match found {
            Some(Ok((of, Answer::Hint(hint)))) if of.choices().eq(self.place.session.choices()) => {
                self.say(&speech::advice(&hint));
                let chosen = |m: &&LegalMove| hint.choice.as_ref() == Some(&m.word);
                self.cursor = self.shown().iter().position(chosen).unwrap_or(0);
                self.hint = Some(hint);
            }
            // The user has continued meanwhile.
            Some(Ok((_, Answer::Hint(_)))) | None => {}
            Some(Ok((session, Answer::Step(step)))) => self.step_made(session, step),
            Some(Ok((of, Answer::Review(best, lost)))) => {
                let mut said = speech::possible(&best, self.state.seen.cards);
                said += &format!(" {}", speech::lost(&lost, self.state.seen.all_cards));
                if !best.moves.is_empty() {
                    said += " `o` steps through its moves.";
                    self.best = Some(of.follow(&best));
                }
                self.say(&said);
            }
            Some(Err(why)) => {
                self.watching = false;
                self.fault(&why);
            }
        }
        if self.watching && !self.thinker.busy && Instant::now() >= self.next_step {
            self.step();
        }
        changed
    }

    fn step_made(&mut self, session: Session, step: Option<Step>) {
        let before = session.choices().len().saturating_sub(1);
        let same = session.choices().take(before).eq(self.place.session.choices());
        // The user may have continued meanwhile.
        let Some(step) = step.filter(|_| same) else {
            self.watching = false;
            return;
        };
        self.place.session = session;
        self.refresh();
        self.next_step = Instant::now() + Duration::from_millis(PAUSES[self.speed]);
        if self.state.over.is_some() {
            self.watching = false;
            return;
        }
        let name = one_line(self.place.strategy.name()).into_owned();
        let mut said = format!("{name}: {}", step.word);
        if let Some(best) = step.lines.first() {
            said += &format!("  ({} cards expected)", speech::expected(&best.expected).trim());
        }
        if let Some(printed) = step.printed.lines().last() {
            said += &format!("  | {}", one_line(printed));
        }
        self.say(&said);
    }

    /// Shows the current position of the game.
    pub fn refresh(&mut self) {
        self.state = self.place.session.state();
        (self.source, self.target, self.hint, self.said) = (None, None, None, None);
        self.mode = Mode::Play;
        let again = self.state.again.as_ref();
        self.cursor = self.state.moves.iter().position(|m| again == Some(&m.word)).unwrap_or(0);
        if let Some(over) = &self.state.over {
            let said = speech::over(over, &self.state);
            self.say(&format!("{said} `u` takes back, `o` tells what was possible."));
        } else if let Some(asked) = speech::stage(&self.state) {
            self.say(&format!("{asked} y buys, n declines."));
        }
    }

    pub fn say(&mut self, said: &str) {
        self.said = Some((said.into(), false));
    }

    pub fn fault(&mut self, why: &str) {
        self.said = Some((one_line(why).into_owned(), true));
    }

    /// Returns the moves in the list.
    pub fn shown(&self) -> Vec<&LegalMove> {
        let fits = |m: &&LegalMove| {
            self.source.as_ref().is_none_or(|from| *from == m.from)
                && self.target.as_ref().is_none_or(|to| *to == m.to)
        };
        self.state.moves.iter().filter(fits).collect()
    }

    pub fn make(&mut self, word: &str) {
        self.try_to(|session| session.play(word));
    }

    /// Tries an action that may be refused. A move that would end the game needs confirmation.
    pub fn try_to(&mut self, done: impl FnOnce(&mut Session) -> Result<(), Refusal>) {
        self.watching = false;
        match done(&mut self.place.session) {
            Ok(()) => self.refresh(),
            Err(Refusal::WouldEnd { word, why }) => {
                self.mode = Mode::Confirm(word);
                self.say(&format!("{why}. Enter ends it; any other key plays on."));
            }
            Err(refusal) => self.fault(&refusal.to_string()),
        }
    }

    pub fn go(&mut self, goes: impl FnOnce(&mut Session) -> bool, why: &str) {
        self.watching = false;
        if goes(&mut self.place.session) {
            self.refresh();
        } else {
            self.fault(why);
        }
    }

    pub fn ask_hint(&mut self) {
        if self.state.over.is_some() {
            return self.fault("The game is over.");
        }
        self.thinker.ask(Asked::Hint, &self.place.session);
        self.say(&format!("{} is thinking ...", one_line(self.place.strategy.name())));
    }

    pub fn step(&mut self) {
        if self.state.over.is_some() {
            self.watching = false;
            return self.fault("The game is over.");
        }
        self.thinker.ask(Asked::Step, &self.place.session);
    }

    /// Reports the best possible result, or steps through it.
    pub fn possible(&mut self) {
        self.watching = false;
        match self.best.take() {
            Some(line) => {
                let own = std::mem::replace(&mut self.place.session, line);
                self.own.get_or_insert(own);
                self.refresh();
                self.say("The moves of a player who knows every card: right and left step, `b` goes back to your game.");
            }
            None => {
                self.thinker.ask(Asked::Review, &self.place.session);
                self.say("Looking for what was possible ...");
            }
        }
    }

    pub fn back(&mut self) {
        match self.own.take() {
            Some(own) => {
                self.place.session = own;
                self.refresh();
            }
            None => self.fault("This is your own game."),
        }
    }

    fn own_game(&self) -> &Session {
        self.own.as_ref().unwrap_or(&self.place.session)
    }

    /// Leaves, or first asks where to save the record.
    pub fn leave(&mut self) {
        let (saving, steps) = (&self.place.saving, self.place.steps);
        if saving.file.is_none() && !steps && saving.is_due(self.own_game()) {
            self.mode = Mode::Save(saving.proposed(self.own_game()), true);
            self.say("Save the record? Enter saves and leaves, Esc leaves without, Ctrl-G stays.");
        } else {
            self.leaves = true;
        }
    }

    pub fn keep(&mut self, name: &str, leaves: bool) {
        let game = self.own_game().clone();
        match self.place.saving.keep(&game, Path::new(name.trim())) {
            Ok(said) => {
                self.mode = Mode::Play;
                self.say(&said);
                self.leaves = leaves;
            }
            Err(why) => self.fault(&why),
        }
    }

    pub fn asks_stage(&self) -> bool {
        matches!(self.state.asks, Asks::Stage { .. })
    }
}

/// A game at the terminal.
pub(super) struct Place {
    pub session: Session,
    /// Strategy that gives hints and can be watched.
    pub strategy: StrategySource,
    pub saving: Saving,
    /// Whether the game is only stepped through, rather than played by the user.
    pub steps: bool,
}

/// Destination of records, and the last one saved.
pub(super) struct Saving {
    /// The file given on the command line.
    pub file: Option<PathBuf>,
    kept: Option<String>,
}

impl Saving {
    /// Creates it, for a file if one is given, which must be writable.
    pub fn new(file: Option<PathBuf>) -> Result<Saving, CliError> {
        if let Some(path) = &file {
            check_writable(path).map_err(|why| CliError::input(format!("--save: {why}")))?;
        }
        Ok(Saving { file, kept: None })
    }

    /// Returns whether there are unsaved choices.
    pub fn is_due(&self, session: &Session) -> bool {
        session.choices().len() > 0 && self.kept.as_ref() != line(session).ok().as_ref()
    }

    pub fn proposed(&self, session: &Session) -> String {
        if let Some(file) = &self.file {
            return file.display().to_string();
        }
        let dealt = session.dealt();
        let stem = Path::new(&*dealt.name).file_stem().map_or("game".into(), |stem| stem.to_string_lossy());
        let stem = slug(&stem, 40);
        match dealt.of_seed {
            true => format!("{stem}-{}-{}.jsonl", dealt.seed, dealt.game),
            false => format!("{stem}.jsonl"),
        }
    }

    /// Appends the record to a file, as one line, and returns a message, or why it could not be written.
    pub fn keep(&mut self, session: &Session, path: &Path) -> Result<String, String> {
        check_writable(path)?;
        let record = line(session)?;
        add(path, &record).map_err(|error| format!("cannot write {}: {}", path.display(), reason(&error)))?;
        self.kept = Some(record);
        let end = session.record().end;
        Ok(format!("The record was added to {} (it ends {end}).", path.display()))
    }

    /// Appends the record to the file of the command line, if there is one and there are unsaved choices.
    pub fn keep_at_end(&mut self, session: &Session) -> Result<(), CliError> {
        if let Some(file) = self.file.clone().filter(|_| self.is_due(session)) {
            note(&self.keep(session, &file).map_err(CliError::Run)?);
        }
        Ok(())
    }
}

fn line(session: &Session) -> Result<String, String> {
    serde_json::to_string(&session.record()).map_err(|error| error.to_string())
}

/// Appends a line to a file, after completing its last line.
fn add(path: &Path, record: &str) -> io::Result<()> {
    let is_new = !path.exists();
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let ends = last == [b'\n'];
    let text = format!("{}{record}\n", if ends { "" } else { "\n" });
    let written = file.write_all(text.as_bytes());
    if written.is_err() && is_new {
        drop(fs::remove_file(path));
    }
    written
}
