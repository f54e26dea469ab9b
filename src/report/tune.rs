//! Report of a tuning: the values found, and their gain on deals that did not select them.

use std::collections::BTreeSet;

use super::document::{Block, Card, DataTable, Document, Finding};
use super::labels::{rules_in_full, upper_first};
use super::quantity::{INTERVALS, Quantity};
use super::run::Run;
use crate::chart::{Axis, Chart, Key, Mark, Marker, Role, Row, padded, span};
use crate::format::{count, fixed, games, money, number, one_line};
use crate::lab::tune::{Candidate, Tuned, defaults};
use crate::stats::{Estimate, Measure};

const SHOWN: usize = 12;

const NOTES: [&str; 3] = [
    "The values were found by racing: all candidates of a generation play the same deals, the worse half drops out, and the others \
     play twice as many new ones (successive halving). The next generation lies closer around the winner. The first generation is \
     spread over all values by a Latin hypercube.",
    "The figures at the top come from deals that no candidate played in the race, with the same deals for the values found and for \
     the defaults: so they have no bias from choosing. Differences are taken deal by deal.",
    INTERVALS,
];

struct Report<'a> {
    tuned: &'a Tuned,
    rules: String,
    seed: u64,
    /// Whether values other than the defaults won the race.
    found: bool,
    /// The values found that differ from the defaults: `HOLD = 4, BOLD = true`.
    values: String,
    of: Quantity<'a>,
    measured: &'static str,
}

/// Builds the report on tuned parameters and their gain.
pub fn tune_document<'a>(run: &'a Run, tuned: &Tuned) -> Document<'a> {
    let won = tuned.parameters.iter().zip(&tuned.race.winner);
    let changed = won.filter(|(it, value)| it.default != **value);
    let values: Vec<String> =
        changed.map(|(it, value)| format!("{} = {}", it.name, it.write(*value))).collect();
    let report = Report {
        tuned,
        rules: rules_in_full(run),
        seed: run.seed,
        found: tuned.race.winner != defaults(&tuned.parameters),
        values: values.join(", "),
        of: Quantity::of(tuned.measure, &tuned.casino),
        measured: match tuned.measure {
            Measure::Cards => "mean cards",
            Measure::Wins => "games won",
            Measure::Money => "mean net of the player",
        },
    };
    let mut blocks = vec![Block::Table(report.values())];
    blocks.extend(report.ahead().map(Block::Chart));
    blocks.extend((0..tuned.parameters.len()).map(|index| report.over_parameter(index)).map(Block::Chart));
    blocks.push(Block::Table(report.candidates()));
    if let Some(path) = &tuned.written {
        blocks.push(Block::Heading("The script".into()));
        blocks.push(Block::Text(format!("With these values it was written to {path}.")));
    }
    let mut played = format!("{} in the race", games(tuned.race.games));
    if tuned.fresh.games > 0 {
        played.push_str(&format!(", then {} with fresh deals for each", games(tuned.fresh.games)));
    }
    Document {
        title: format!("{} tuned for {} on {}", one_line(&tuned.script), report.measured, report.rules),
        findings: vec![report.finding()],
        warning: "These values are for the rules that were played; other rules need other values.".into(),
        played,
        cards: report.cards(),
        blocks,
        notes: NOTES.map(String::from).to_vec(),
        ..Document::of(run)
    }
}

impl Report<'_> {
    fn finding(&self) -> Finding {
        let (tuned, values) = (self.tuned, &self.values);
        let settings: BTreeSet<&[i64]> = tuned.race.candidates.iter().map(|it| &*it.values).collect();
        let tried = format!("{} settings were tried", count(settings.len() as u64));
        if !self.found {
            let rest = format!(": {tried}, and none came out ahead of them in the race.");
            return Finding::open("The defaults won", rest);
        }
        let Some(gain) = tuned.fresh.gain else {
            return Finding::open(
                format!("Found and not compared: {values}"),
                format!(
                    " won the last finished generation. It was not yet compared with the defaults on fresh deals, so nothing was \
                     written. {tried}."
                ),
            );
        };
        let said = self.of.difference(gain);
        let much = self.much(gain);
        let finding = match gain {
            Estimate { low, .. } if low > 0.0 => format!("Better with {values}: {much}"),
            Estimate { high, .. } if high < 0.0 => format!("The defaults are better than {values}: {much}"),
            _ => format!("No sure gain: {much} with {values}"),
        };
        let unwritten = if gain.low > 0.0 { "" } else { " Nothing was written, as no gain is sure." };
        Finding::open(
            finding,
            format!(
                " compared with the defaults ({}), on {} fresh deals. {tried}.{unwritten}",
                said.interval_in_words(),
                count(tuned.fresh.games)
            ),
        )
    }

    /// Formats a difference: `+1.20 cards a game`.
    fn much(&self, gain: Estimate) -> String {
        let of = match self.of {
            Quantity::Net(_) => " a game for the player",
            of => of.of_a_game(),
        };
        format!("{}{of}", self.of.difference(gain).value)
    }

    /// Returns the scripts on fresh deals, with their names and figures.
    fn fresh(&self) -> impl Iterator<Item = (&'static str, Estimate)> {
        let names = if self.found { &["tuned", "defaults"][..] } else { &["defaults"] };
        let entries = names.iter().zip(&self.tuned.fresh.entries);
        entries.map(|(name, it)| (*name, it.summary.by(self.tuned.measure)))
    }

    fn cards(&self) -> Vec<Card> {
        let gain = self.tuned.fresh.gain.map(|gain| Card::new("gain of tuning", self.of.difference(gain)));
        let each =
            self.fresh().map(|(name, own)| Card::new(format!("{name}: {}", self.measured), self.of.say(own)));
        gain.into_iter().chain(each).collect()
    }

    fn values(&self) -> DataTable {
        DataTable::of(
            "Values",
            "The values of the winner beside the script's defaults.",
            self.tuned.parameters.iter().zip(&self.tuned.race.winner),
        )
        .name("parameter", |(it, _)| it.name.clone())
        .figure("found", |(it, value)| it.write(**value))
        .figure("default", |(it, _)| it.write(it.default))
        .figure("may be", |(it, _)| it.allowed().replace('`', ""))
        .done()
    }

    fn candidates(&self) -> DataTable {
        let tuned = self.tuned;
        let mut order: Vec<&Candidate> = tuned.race.candidates.iter().collect();
        let last = order.last().map_or(0, |it| it.generation);
        // Those that got farthest in the last generation first.
        order.sort_by(|a, b| {
            (b.generation, b.heats).cmp(&(a.generation, a.heats)).then(b.mean.total_cmp(&a.mean))
        });
        // No interval, as the candidate was selected for a high mean.
        let mean = |it: &&Candidate| match tuned.measure {
            Measure::Cards => fixed(it.mean, 3),
            Measure::Wins => format!("{}%", fixed(it.mean * 100.0, 2)),
            Measure::Money => money(it.mean, &tuned.casino, false),
        };
        let about = format!(
            "The {} of {} candidates that lasted longest; there were {last} generations. Only candidates of one generation with the \
             same number of heats played the same deals. A candidate that is chosen for a high figure is partly lucky.",
            order.len().min(SHOWN),
            count(order.len() as u64)
        );
        let mut table = DataTable::of("The race", about, order.iter().copied().take(SHOWN));
        for (i, of) in tuned.parameters.iter().enumerate() {
            table = table.figure(of.name.clone(), |it| of.write(it.values[i]));
        }
        table
            .figure("generation", |it| it.generation.to_string())
            .figure("heats", |it| it.heats.to_string())
            .figure("deals", |it| number(it.deals))
            .figure(self.measured, mean)
            .done()
    }

    fn ahead(&self) -> Option<Chart> {
        let (tuned, of) = (self.tuned, self.of);
        let gain = tuned.fresh.gain?;
        let rows: Vec<Row> = self
            .fresh()
            .map(|(name, own)| {
                let role = if name == "tuned" { Role::Series(0) } else { Role::Muted };
                of.row(name, own, role)
            })
            .collect();
        let range = span(Row::ends(&rows)).unwrap_or((0.0, 1.0));
        let said = self.of.difference(gain);
        let much = self.much(gain);
        Some(Chart {
            name: "tuned".into(),
            title: match gain {
                Estimate { low, .. } if low > 0.0 => {
                    format!("The values found are ahead of the defaults: {much}")
                }
                Estimate { high, .. } if high < 0.0 => {
                    format!("On fresh deals the defaults are better: {much}")
                }
                _ => "On fresh deals the values found cannot be distinguished from the defaults".into(),
            },
            subtitle: format!(
                "{}: the same {} deals, seed {}",
                self.rules,
                count(tuned.fresh.games),
                self.seed
            ),
            caption: format!(
                "The script with the values found ({}) and with its defaults, on deals that they were not chosen on: each mean (line) \
                 with its own 95% interval (box). Deal by deal the difference from the defaults is {} ({}).",
                self.values,
                said.value,
                said.interval_in_words()
            ),
            ..Chart::rows(
                Axis::new(self.measured, padded(range, 0.15), 8, |v, d| of.tick(v, d)),
                rows,
                of.unit_name(),
                Vec::new(),
            )
        })
    }

    fn over_parameter(&self, index: usize) -> Chart {
        let (race, of) = (&self.tuned.race, self.of);
        let (parameter, won) = (&self.tuned.parameters[index], race.winner[index]);
        let (found, default) = (parameter.write(won), parameter.write(parameter.default));
        // Most candidates are far behind after one heat, and would compress the others.
        let stayed = |heats| race.candidates.iter().filter(move |it| it.heats >= heats);
        let least = if stayed(2).next().is_some() { 2 } else { 1 };
        let mut played: Vec<&Candidate> = stayed(least).collect();
        // The values found are drawn last, on top of the others.
        played.sort_by_key(|it| it.values == race.winner);
        let dots = played.iter().map(|it| {
            let role = if it.values == race.winner { Role::Series(0) } else { Role::Muted };
            let at = (it.values[index] as f64, it.mean * of.unit());
            Mark::dots(vec![at], role, 4 + 3 * it.heats.min(8) as u32)
        });
        let range = padded(span(played.iter().map(|it| it.mean * of.unit())).unwrap_or((0.0, 1.0)), 0.08);
        let range = if range.1 - range.0 < 1e-9 { (range.0 - 1.0, range.1 + 1.0) } else { range };
        let (low, high) = parameter.bounds();
        let (low, high) = (low as f64, high as f64);
        let wide = (high - low).max(1.0);
        let ticks = if high - low <= 1.0 { 2 } else { wide.min(10.0) as usize };
        let mut x = Axis::new(&parameter.name, (low - wide * 0.05, high + wide * 0.05), ticks, |v, _| {
            parameter.write(v.round() as i64)
        });
        // Values are whole numbers.
        x.ticks.retain(|tick| (tick.at - tick.at.round()).abs() < 1e-9);
        let name = parameter.name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' });
        Chart {
            name: format!("parameter-{}", name.collect::<String>().to_lowercase()),
            title: match won == parameter.default {
                true => format!("{}: the default {default} won the race", parameter.name),
                false => format!("{}: {found} won the race; the default is {default}", parameter.name),
            },
            subtitle: format!("{}: {} games of the race, seed {}", self.rules, count(race.games), self.seed),
            caption: format!(
                "The candidates left after the first heat, each at its value of this parameter (the others differ too). A larger dot \
                 stayed in for more heats and is more certain. The values found are green; here {found}. Dots of different generations \
                 had different deals, and the highest are partly lucky."
            ),
            keys: vec![Key::dot(Role::Series(0), "values found"), Key::dot(Role::Muted, "other candidates")],
            markers: vec![Marker::new(parameter.default as f64, Role::Muted, format!("default {default}"))],
            ..Chart::plot(
                x,
                Axis::new(upper_first(self.measured), range, 6, |v, d| of.tick(v, d)),
                dots.collect(),
            )
        }
    }
}
