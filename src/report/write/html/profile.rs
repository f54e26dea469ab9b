//! Page of a script's profile: its text, with how often each line ran and its share of the time.

use maud::{Markup, html};

use crate::format::count;
use crate::strategy::script::LineProfile;

use super::{again, page};

/// Maximum width of a bar beside a line, in pixels.
const BAR: f64 = 90.0;
const MOST_NAMED: usize = 20;
const STYLE: &str = "\
main{max-width:none}
main>:not(.wide){max-width:1300px}
.profile{font:13px/1.45 ui-monospace,\"Cascadia Mono\",Menlo,Consolas,monospace}
.profile th,.profile td{padding:1px 10px;border:0;white-space:pre;vertical-align:middle}
.profile thead th{border-bottom:2px solid var(--c-muted)}
.profile .line{color:var(--c-muted);text-align:right;user-select:none}
.profile .time{width:9.5em}
.profile .bar{display:inline-block;height:.75em;margin-right:6px;background:var(--c-house)}
.profile .never td{background:color-mix(in srgb,var(--c-player) 13%,transparent)}
.profile .never .n{color:var(--c-player);font-weight:600}
.profile .none td{color:var(--c-muted)}
@media print{.profile td:last-child{white-space:pre-wrap;overflow-wrap:anywhere}}
";

/// Contents of a profile page.
#[derive(Clone, Copy, Debug)]
pub struct ProfilePage<'a> {
    /// The ruleset that was played.
    pub rules: &'a str,
    /// The script.
    pub script: &'a str,
    /// Number of games.
    pub games: u64,
    /// The seed.
    pub seed: u64,
    /// The command that reproduces the page.
    pub command: &'a str,
    /// The program's version.
    pub version: &'a str,
    /// The text of the script.
    pub text: &'a str,
    /// Its lines, as [`LineProfile`]s; `None` for one on which no statement begins.
    pub lines: &'a [Option<LineProfile>],
}

/// Renders the self-contained page.
pub fn profile_html(it: &ProfilePage<'_>) -> String {
    let total: f64 = it.lines.iter().flatten().map(|line| line.time.as_secs_f64()).sum();
    let share = |line: &LineProfile| line.time.as_secs_f64() / total.max(1e-9);
    let most = it.lines.iter().flatten().map(share).fold(0.0, f64::max);
    let title = format!("{} on {}: where the time goes", it.script, it.rules);
    let content = html! {
        h1 { (title) }
        p.muted { (played(it, total)) }
        (answers(it))
        div.wide { table.profile {
            thead { tr {
                th.n scope="col" { "runs" }
                th scope="col" { "time" }
                th.line scope="col" { "line" }
                th scope="col" { "script" }
            } }
            tbody {
                @for (i, (line, text)) in it.lines.iter().zip(it.text.lines()).enumerate() {
                    (row(i + 1, line.as_ref(), text, &share, most))
                }
            }
        } }
        h2 { "How this was found" }
        ul {
            li { "A line's time leaves out the functions that it calls. Lines on which no statement begins are grey." }
            li { "The script is interpreted for this, so shares differ from those of compiled code." }
            li { "Runs are the same each time; times are not." }
        }
        (again(it.command, it.version))
    };
    page(&title, it.version, (false, false), STYLE, &content)
}

fn played(it: &ProfilePage<'_>, total: f64) -> String {
    let games = if it.games == 1 { "1 game".to_string() } else { format!("{} games", count(it.games)) };
    format!("{games} of seed {}, interpreted: {total:.2} seconds in the script.", it.seed)
}

fn link(line: usize) -> Markup {
    html! { a href={ "#L" (line) } { (line) } }
}

/// Names the most expensive line, and the lines that never ran.
fn answers(it: &ProfilePage<'_>) -> Markup {
    let time = |line: &Option<LineProfile>| line.map_or(0.0, |line| line.time.as_secs_f64());
    let total: f64 = it.lines.iter().map(time).sum();
    let is_never = |(_, line): &(usize, &Option<LineProfile>)| line.is_some_and(|line| line.runs == 0);
    let never: Vec<usize> = it.lines.iter().enumerate().filter(is_never).map(|(line, _)| line + 1).collect();
    let dearest = it.lines.iter().map(time).enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    html! {
        ul.answers {
            @if let Some((line, time)) = dearest.filter(|(_, time)| *time > 0.0) {
                li { strong { "Line " (link(line + 1)) } (format!(" takes {:.0}% of the time.", 100.0 * time / total)) }
            }
            li.player[!never.is_empty()] {
                @match &never[..] {
                    [] => { strong { "Every line ran." } }
                    [one] => { strong { "1 line never ran" } ": " (link(*one)) "." }
                    all => {
                        strong { (all.len()) " lines never ran" } ": "
                        @for (i, line) in all.iter().take(MOST_NAMED).enumerate() {
                            @if i > 0 { ", " }
                            (link(*line))
                        }
                        @if all.len() > MOST_NAMED { " and others" }
                        "."
                    }
                }
            }
        }
    }
}

fn row(
    number: usize,
    line: Option<&LineProfile>,
    text: &str,
    share: &dyn Fn(&LineProfile) -> f64,
    most: f64,
) -> Markup {
    let runs = match line {
        None => String::new(),
        Some(line) if line.runs == 0 => "never".into(),
        Some(line) => count(line.runs),
    };
    let part = line.filter(|line| line.runs > 0).map(share);
    let width = part.map_or(0.0, |part| BAR * part / most.max(1e-9));
    html! {
        tr id={ "L" (number) } .never[line.is_some_and(|line| line.runs == 0)].none[line.is_none()] {
            td.n { (runs) }
            td.time {
                @if let Some(part) = part {
                    span.bar style=(format!("width:{width:.0}px")) {}
                    (format!("{:.1}%", 100.0 * part))
                }
            }
            td.line { (number) }
            td { (text) }
        }
    }
}
