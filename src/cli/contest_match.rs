//! `saratoga contest NAME --match N`: the events of one match.

use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::{Value, json};

use super::args::RunArgs;
use super::error::CliError;
use super::terminal;
use crate::contest::{Arena, ContestSpec, Event, Foundations, LoadedContest, MatchOutcome, Witness};
use crate::report::count;

/// Prints the events of a match; `shows` is the command that reproduces it, for errors.
pub(super) fn run(
    loaded: &LoadedContest,
    run: &RunArgs,
    number: u64,
    shows: String,
) -> Result<ExitCode, CliError> {
    let (spec, rules) = (&loaded.spec, &loaded.rules.rules);
    let strategies = loaded.strategies.iter().map(|it| it.instantiate()).collect();
    let mut out = io::BufWriter::new(terminal::stdout());
    let mut arena = Arena::new(spec, rules, strategies);
    let mut log = Log {
        out: &mut out,
        json: run.json,
        spec,
        width: spec.players.iter().map(|player| player.name.chars().count()).max().unwrap_or(0),
        waiting: vec![false; spec.players.len()],
        failed: None,
    };
    log.begin(&loaded.id, run.seed, number);
    let played = arena.play(run.seed, number, &mut log);
    if let Ok(outcome) = &played {
        log.end(outcome);
    }
    let failed = log.failed;
    // The events before an error help to find its cause.
    failed.map_or(Ok(()), Err)?;
    out.flush()?;
    played.map(|_| ExitCode::SUCCESS).map_err(|error| CliError::of_match(error, shows))
}

struct Log<'a, W> {
    out: &'a mut W,
    json: bool,
    spec: &'a ContestSpec,
    /// Width of the longest name.
    width: usize,
    /// For each seat, whether the player's waiting was already reported.
    waiting: Vec<bool>,
    failed: Option<io::Error>,
}

impl<W: Write> Log<'_, W> {
    fn line(&mut self, line: impl Display) {
        if self.failed.is_none() {
            self.failed = writeln!(self.out, "{line}").err();
        }
    }

    fn begin(&mut self, id: &str, seed: u64, number: u64) {
        let players = self.spec.players.len();
        let seat = |player: usize| (player + (number % players as u64) as usize) % players + 1;
        if self.json {
            let seats: Vec<Value> = (self.spec.players.iter().enumerate())
                .map(|(i, player)| json!({ "player": player.name, "seat": seat(i), "strategy": player.strategy }))
                .collect();
            let event = "begins";
            let line =
                json!({ "event": event, "contest": id, "seed": seed, "match": number, "players": seats });
            return self.line(line);
        }
        self.line(format!("{id}, seed {seed}, match {number}"));
        for (i, player) in self.spec.players.iter().enumerate() {
            self.line(format!("  {} sits at seat {} and plays {}", player.name, seat(i), player.strategy));
        }
        self.line("");
    }

    fn end(&mut self, outcome: &MatchOutcome) {
        let sides = self.spec.sides();
        let winners: Vec<&str> = outcome.winners.iter().map(|&side| &*sides[side].name).collect();
        if self.json {
            let players: Vec<Value> = (self.spec.players.iter().zip(&outcome.players))
                .map(|(player, played)| {
                    json!({
                        "player": player.name, "points": played.points, "deals": played.rounds,
                        "actions": played.actions, "late": played.late, "out_first": played.out_first,
                    })
                })
                .collect();
            let micros = outcome.micros;
            return self
                .line(json!({ "event": "over", "micros": micros, "winners": winners, "players": players }));
        }
        let who = match &winners[..] {
            [] => "Nobody wins: the match is undecided".to_string(),
            [one] => format!("{one} wins"),
            several => format!("{} are tied", several.join(" and ")),
        };
        self.line(format!("\n{who}, after {}.", clock(outcome.micros).trim_start()));
        for (i, played) in outcome.players.iter().enumerate() {
            let (name, late, actions) = (&self.spec.players[i].name, played.late, count(played.actions));
            let too_late = match self.spec.foundations {
                Foundations::Shared => format!(", {late} of them too late"),
                Foundations::Own => String::new(),
            };
            self.line(format!("  {name}: {} points, {actions} actions{too_late}", played.points));
        }
    }
}

/// Formats minutes and seconds: `12:03.456`.
fn clock(micros: u64) -> String {
    let millis = micros / 1000;
    let text = format!("{}:{:02}.{:03}", millis / 60_000, millis / 1000 % 60, millis % 1000);
    format!("{text:>10}")
}

impl<W: Write> Witness for Log<'_, W> {
    fn happened(&mut self, arena: &Arena<'_>, at: u64, event: Event) {
        let (seat, word, what, more) = match event {
            Event::Dealt { seat, round } => {
                (seat, "dealt", format!("deals round {}", round + 1), json!({ "round": round + 1 }))
            }
            Event::Made { seat, made: m, card } | Event::Late { seat, tried: m, card } => {
                let m = m.notation(arena.rules().spec().reserve.piles.into());
                let card = card.map_or(String::new(), |card| card.to_string());
                let late = matches!(event, Event::Late { .. });
                let (word, after) = if late { ("late", "  too late") } else { ("made", "") };
                (seat, word, format!("{m:<9} {card}{after}"), json!({ "move": m, "card": card }))
            }
            Event::Waits { seat } => {
                // The end of a player's own deal is reported when it is scored; and a waiting player checks again
                // whenever the foundations change.
                if self.spec.foundations == Foundations::Own || self.waiting[seat] {
                    return;
                }
                (seat, "waits", "has no play, and waits".into(), json!({}))
            }
            Event::Counted { seat, points, out_first } => {
                let first = if out_first { "is out, and ends the deal: " } else { "ends the deal with " };
                let total = json!({ "points": points, "out_first": out_first });
                (seat, "counted", format!("{first}{points} points"), total)
            }
        };
        self.waiting[seat] = matches!(event, Event::Waits { .. });
        let name = &self.spec.players[arena.player(seat)].name;
        if self.json {
            let mut line = json!({ "event": word, "micros": at, "seat": seat + 1, "player": name });
            if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
                // A draw has no card.
                line.extend(more.into_iter().filter(|(_, value)| value != ""));
            }
            self.line(line);
        } else {
            let width = self.width;
            self.line(format!("{}  {name:<width$}  {what}", clock(at)).trim_end());
        }
    }
}
