//! `saratoga scripts profile`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::json;

use crate::files::{check_writable, put};
use crate::lab::{GameError, GameRunner};
use crate::report::{ProfilePage, profile_html};
use crate::strategy::script::{LineProfile, Profiled};
use crate::text::one_line;

use super::error::CliError;
use super::input::{load_rules, load_strategy};
use super::words::shell_word;

/// Settings of a profile.
pub(super) struct Asked {
    pub rules: String,
    pub script: String,
    pub games: u64,
    pub seed: u64,
    pub json: bool,
    pub page: Option<PathBuf>,
}

/// Plays games, and prints the script with how often each line ran and its share of the time.
pub(super) fn profile(out: &mut impl Write, asked: &Asked) -> Result<(), CliError> {
    if let Some(page) = &asked.page {
        check_writable(page).map_err(CliError::input)?;
    }
    let loaded = load_rules(&asked.rules)?;
    let source = load_strategy(&asked.script)?;
    let source = match source.script() {
        None => load_strategy(&format!("{}.rhai", asked.script)).unwrap_or(source),
        Some(_) => source,
    };
    let text = source.script().ok_or_else(|| {
        let name = one_line(&asked.script);
        CliError::input(format!("`{name}` is no single script; a profile is of one"))
    })?;
    let (profiled, profile) = Profiled::new(source.name(), text).map_err(CliError::of_scripts)?;
    let mut player = GameRunner::new(&loaded.id, &loaded.rules, Box::new(profiled));
    for game in 0..asked.games {
        player.play(asked.seed, game).map_err(|error| as_it_stands(error, asked, &loaded, &source))?;
    }
    let lines = profile.lines();
    if asked.json {
        let each = lines.iter().zip(text.text.lines()).enumerate().map(|(i, (line, text))| {
            let told = line.map(|line| (line.runs, line.time.as_secs_f64()));
            json!({ "id": i + 1, "text": text, "runs": told.map(|it| it.0), "seconds": told.map(|it| it.1) })
        });
        let each: Vec<_> = each.collect();
        writeln!(out, "{}", serde_json::Value::from(each))?;
        return Ok(());
    }
    if let Some(path) = &asked.page {
        let command = command(asked, path);
        let page = profile_html(&ProfilePage {
            rules: &one_line(&asked.rules),
            script: &one_line(&asked.script),
            games: asked.games,
            seed: asked.seed,
            command: &command,
            version: env!("CARGO_PKG_VERSION"),
            text: &text.text,
            lines: &lines,
        });
        put(path, page.as_bytes(), true).map_err(CliError::io(format!("cannot write {}", path.display())))?;
        writeln!(out, "The profile is in {}.", one_line(&path.display().to_string()))?;
        return Ok(());
    }
    print(out, asked, &lines, &text.text)
}

/// Returns the command that reproduces a page.
fn command(asked: &Asked, page: &Path) -> String {
    let (rules, script) = (shell_word(&asked.rules), shell_word(&asked.script));
    let page = page.display().to_string();
    let (games, seed, page) = (asked.games, asked.seed, shell_word(&page));
    format!("saratoga scripts profile {rules} {script} -n {games} --seed {seed} --page {page}")
}

/// Returns the fault in the original script rather than in the instrumented one, whose columns differ.
fn as_it_stands(
    error: GameError,
    asked: &Asked,
    loaded: &crate::rules::Loaded,
    source: &crate::strategy::StrategySource,
) -> CliError {
    let mut player = GameRunner::new(&loaded.id, &loaded.rules, source.clone().interpreted().instantiate());
    player.play(asked.seed, error.game).err().unwrap_or(error).into()
}

fn print(
    out: &mut impl Write,
    asked: &Asked,
    lines: &[Option<LineProfile>],
    text: &str,
) -> Result<(), CliError> {
    let total: Duration = lines.iter().flatten().map(|line| line.time).sum();
    let (games, seed) = (asked.games, asked.seed);
    let (rules, script) = (one_line(&asked.rules), one_line(&asked.script));
    writeln!(
        out,
        "{script} on {rules}, {games} games of seed {seed}, interpreted: {total:.1?} in the script\n"
    )?;
    writeln!(out, "{:>13} {:>6}  line", "runs", "time")?;
    for (i, (line, text)) in lines.iter().zip(text.lines()).enumerate() {
        let (runs, share) = match line {
            None => (String::new(), String::new()),
            Some(line) if line.runs == 0 => ("never".into(), String::new()),
            Some(line) => {
                let share = 100.0 * line.time.as_secs_f64() / total.as_secs_f64().max(1e-9);
                (line.runs.to_string(), format!("{share:.1}%"))
            }
        };
        writeln!(out, "{}", format!("{runs:>13} {share:>6} {:>5} | {text}", i + 1).trim_end())?;
    }
    let never = lines.iter().flatten().filter(|line| line.runs == 0).count();
    let told = match never {
        0 => "Every line ran.".to_string(),
        1 => "1 line never ran.".into(),
        n => format!("{n} lines never ran."),
    };
    writeln!(out, "\n{told}")?;
    Ok(())
}
