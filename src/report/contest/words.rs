//! What a contest and its matches come to, in sentences.

use super::ContestReport;
use crate::contest::{ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use crate::figures::{self, FormattedEstimate, Side, count, fixed, one_line, percent, plural, share};
use crate::report::document::Finding;
use crate::report::entry::stem;
use crate::report::labels::name_in_full;
use crate::rules::file::decimal;
use crate::rules::{Score, Spec};
use crate::stats::{ContestSummary, Mean, SideSummary};

/// What every reader of a contest must know.
const WARNING: &str = "Every figure holds only for these rules, this contest and \
    these players, and for this model of time.";

pub(in crate::report) fn warning(spec: &ContestSpec) -> String {
    let searches = |it: &PlayerSpec| it.strategy == "search" || it.strategy.starts_with("search:");
    let note = " In a contest search does not look ahead: its policy plays.";
    format!("{WARNING}{}", if spec.players.iter().any(searches) { note } else { "" })
}

/// Players in a few words, like ones together: `patient (1/s), 3 greedy (1/s)`.
pub(in crate::report) fn players_in_short(spec: &ContestSpec) -> String {
    let mut groups: Vec<(String, usize)> = Vec::new();
    for PlayerSpec { strategy, speed, team, .. } in &spec.players {
        let team = team.as_ref().map_or(String::new(), |team| format!("{}: ", one_line(team)));
        let who = (team, format!("{} ({}/s)", one_line(stem(strategy)), decimal((*speed).into())));
        let name = format!("{}\n{}", who.0, who.1);
        match groups.last_mut() {
            Some((last, n)) if *last == name => *n += 1,
            _ => groups.push((name, 1)),
        }
    }
    let said = groups.iter().map(|(name, n)| {
        let (team, who) = name.split_once('\n').unwrap_or(("", name));
        if *n > 1 { format!("{team}{n} {who}") } else { format!("{team}{who}") }
    });
    said.collect::<Vec<_>>().join(", ")
}

/// The heading: `Racing Demon (racing-demon), played by 4 greedy (1/s)`.
pub(in crate::report) fn heading(report: &ContestReport<'_>) -> String {
    let name = name_in_full(&report.spec.name, report.id);
    format!("{name}, played by {}", players_in_short(report.spec))
}

/// The line under the title of a chart: which matches it is about.
pub(in crate::report) fn subtitle(report: &ContestReport<'_>) -> String {
    let (played, seed) = (plural(report.summary.matches, "match"), report.seed);
    let name = name_in_full(&report.spec.name, report.id);
    let players = players_in_short(report.spec);
    format!("{name}, rules {}; {players}: {played}, seed {seed}", one_line(report.rules_id))
}

/// What each side would win if all were equally good: the matches that one side won alone, shared out evenly.
pub(in crate::report) fn fair_share(summary: &ContestSummary) -> f64 {
    let decided = summary.matches - summary.undecided - summary.tied;
    let all = summary.matches.max(1) as f64 * summary.sides.len().max(1) as f64;
    decided as f64 / all
}

/// The player whose speed is varied.
pub(in crate::report) fn player_of_speeds(report: &ContestReport<'_>) -> String {
    report.spec.players.first().map_or(String::new(), |player| one_line(&player.name))
}

/// Who wins, how often, and how sure that is.
pub(in crate::report) fn answer(report: &ContestReport<'_>) -> Finding {
    let s = report.summary;
    let fair = fair_share(s);
    let of = format!("in {}", heading(report));
    let open = s.undecided as f64 / s.matches.max(1) as f64;
    if s.matches == 0 {
        return Finding { side: Side::Open, finding: "No match was played".into(), rest: format!(" {of}.") };
    }
    if open > 0.5 {
        let finding = format!("Most matches are undecided: {}", share(open));
        return Finding {
            side: Side::Open,
            finding,
            rest: format!(" of {}, {of}.", plural(s.matches, "match")),
        };
    }
    let better = |a: &&SideSummary, b: &&SideSummary| a.win_rate.value.total_cmp(&b.win_rate.value);
    let told = |side: &SideSummary, more: &str| {
        let said = percent(side.at_once);
        Finding {
            side: Side::Open,
            finding: format!("{} wins {} of matches", one_line(&side.name), said.value),
            rest: format!(
                " ({}, with 95% confidence for all {} at once), {more} than the fair share of {}, {of}.",
                said.interval,
                count(s.sides.len() as u64),
                share(fair)
            ),
        }
    };
    let above = s.sides.iter().filter(|side| side.at_once.low > fair).max_by(better);
    let below = s.sides.iter().filter(|side| side.at_once.high < fair).min_by(better);
    match (above, below) {
        (Some(side), _) => told(side, "more"),
        (None, Some(side)) => told(side, "less"),
        (None, None) => Finding {
            side: Side::Open,
            finding: "No player is clearly ahead".into(),
            rest: format!(
                ": every win rate agrees with the fair share of {}, {of} (with 95% confidence, all together).",
                share(fair)
            ),
        },
    }
}

/// Sentences on what needs explaining, where it occurred.
pub(in crate::report) fn remarks(report: &ContestReport<'_>) -> Vec<String> {
    let s = report.summary;
    let part = |n: u64| format!("{} ({})", plural(n, "match"), share(n as f64 / s.matches.max(1) as f64));
    let mut remarks = Vec::new();
    if let (Goal::Target { points, max_rounds }, 1..) = (report.spec.goal, s.undecided) {
        remarks.push(format!(
            "undecided: {} went on for {} without a side reaching {}, so nobody won them; the limits of \
                 every win rate count them as lost and as won",
            part(s.undecided),
            plural(max_rounds.into(), "deal"),
            plural(points.unsigned_abs(), "point"),
        ));
    }
    if s.tied > 0 {
        remarks.push(format!("tied: in {} several sides had the most points; a tie is no win", part(s.tied)));
    }
    let runaways: u64 = s.players.iter().map(|player| player.runaways).sum();
    if runaways > 0 {
        remarks.push(format!(
            "runaway: {} of a player stopped after {} moves, far more than any real one has",
            plural(runaways, "deal"),
            count(u64::from(crate::game::RUNAWAY)),
        ));
    }
    remarks
}

/// How time is modelled, in a few sentences.
pub(in crate::report) fn time_in_words(spec: &ContestSpec) -> Vec<String> {
    let mut lines = vec![
        "All play at once, so time is modelled. Every action, such as moving a card or turning a packet, \
             takes one second divided by the player's speed, longer or shorter at random by up to the \
             jitter."
            .to_string(),
    ];
    lines.push(
        match spec.foundations {
            Foundations::Shared => {
                "If two players want the same place on a foundation, the one who is done first gets it: the \
                     other's move fails, the card stays where it was, and the time is lost. A player with \
                     no move waits until a shared foundation changes."
            }
            Foundations::Own => {
                "Nobody waits: each player begins the next deal when the last is over. The deal that ends \
                     first counts first."
            }
        }
        .to_string(),
    );
    lines.push(format!(
        "Between two deals {} seconds go by for gathering, shuffling and dealing.",
        decimal(spec.gather.into())
    ));
    lines
}

/// The contest's rules, in short sentences.
pub(in crate::report) fn contest_in_words(spec: &ContestSpec, rules: &Spec, rules_id: &str) -> Vec<String> {
    let mut lines = vec![format!(
        "{} play, each with packs and a layout of their own by the rules of {}.",
        plural(spec.players.len() as u64, "player"),
        name_in_full(&rules.name, rules_id)
    )];
    lines.push(match (spec.foundations, spec.deal_ends) {
        (Foundations::Own, _) => {
            "Each builds on foundations of their own; the deals are played side by side.".into()
        }
        (Foundations::Shared, ends) => {
            let first = match ends {
                DealEnd::AllUp => "a player has brought all cards up",
                DealEnd::Reserve => "a player's reserve is empty or all the player's cards are up",
            };
            format!(
                "All build on the same foundations in the middle, which any base card starts, so there are as many \
                 of each suit as players. A deal ends as soon as {first}, or when no player has a play."
            )
        }
    });
    if let Some(score) = spec.score(rules) {
        lines.push(format!(
            "A deal is counted by the score \"{}\": {}.",
            one_line(&score.name),
            terms(score)
        ));
    }
    lines.push(match spec.goal {
        Goal::Deals(deals) => format!("After {} the most points win.", plural(deals.into(), "deal")),
        Goal::Target { points, max_rounds } => format!(
            "The first to have {} wins. A match is undecided if nobody has after {}.",
            plural(points.unsigned_abs(), "point"),
            plural(max_rounds.into(), "deal")
        ),
    });
    let sides = spec.sides();
    if sides.len() < spec.players.len() {
        let side = |side: &crate::contest::Side| {
            let names: Vec<String> = side.players.iter().map(|&p| one_line(&spec.players[p].name)).collect();
            format!("{} ({})", one_line(&side.name), names.join(", "))
        };
        let sides: Vec<String> = sides.iter().map(side).collect();
        lines.push(format!("Teams pool their points: {}.", sides.join(", ")));
    }
    lines.push("The stakes of the ruleset are ignored.".into());
    lines
}

/// What a score counts: `1 for each card on the foundations, -2 for each card left in the reserve`.
pub(in crate::report) fn terms(score: &Score) -> String {
    let terms = [
        (score.constant, "in any case"),
        (score.foundation_card, "for each card on the foundations"),
        (score.complete_suit, "for each complete suit"),
        (score.won, "for all cards up"),
        (score.reserve_left, "for each card left in the reserve"),
        (score.redeal, "for each redeal"),
        (score.out_first, "for being the one who ends the deal"),
    ];
    let said: Vec<String> = terms
        .iter()
        .filter(|(points, _)| *points != 0)
        .map(|(points, what)| format!("{} {what}", fixed(*points as f64, 0)))
        .collect();
    if said.is_empty() { "nothing".into() } else { said.join(", ") }
}

/// A mean of `n` matches as the reports say it.
pub(in crate::report) fn mean_of(mean: Mean, n: u64) -> FormattedEstimate {
    match (mean.low, mean.high) {
        // The same in all of several: there is nothing to be unsure of.
        (None, _) | (_, None) if n > 1 => FormattedEstimate::exact(fixed(mean.value, 1)),
        _ => figures::mean(mean.estimate()),
    }
}
