//! The summary of solved deals.

use super::{SolveFigures, SolveReport, open_by_limit};
use crate::report::document::{Block, Card, Document, Finding, Tone};
use crate::report::figures::{Said, count, edge, fixed, mean, percent};
use crate::report::sheet::{Sheet, exact, figure, name};
use crate::solver::{Goal, Verdict};
use crate::stats::{Estimate, Moments, outer, payout, rate};

/// The summary as a document.
pub fn solve_document<'a>(report: &SolveReport<'_>) -> Document<'a> {
    let answers = &report.answers;
    let n = answers.len() as u64;
    let open = number(answers, |verdict| matches!(verdict, Verdict::Unknown(_)));
    let mut cards = vec![Card { tone: Tone::Open, what: "undecided".into(), said: exact(undecided(report)) }];
    if report.goal == Goal::Cards {
        let said = mean(of_cards(report, |cards| cards as f64));
        cards.insert(0, Card { tone: Tone::Open, what: "most cards, mean".into(), said });
        if let Some(edge_of) = clairvoyant_edge(report) {
            cards.insert(1, Card { tone: Tone::Open, what: "edge against it".into(), said: edge(edge_of) });
        }
    }
    let bytes = exact(format!("{} MiB", fixed(report.bytes as f64 / f64::from(1 << 20), 1)));
    cards.push(Card { tone: Tone::Open, what: "most memory".into(), said: bytes });
    let mut blocks = vec![Block::Table(effort(report))];
    if report.goal == Goal::Cards {
        blocks.push(Block::Table(most_cards(report)));
    }
    let won = rate(number(answers, |verdict| verdict == Verdict::Won), open, n);
    let share = percent(won);
    Document {
        title: format!("{}, every card known", report.name),
        command: report.command.clone(),
        version: report.version.to_string(),
        seed: report.seed,
        findings: vec![Finding {
            tone: Tone::Open,
            finding: format!("{} of the deals can be won", share.value),
            rest: format!(" by a player who knows every card ({}).", share.interval_in_words()),
        }],
        warning: if open > 0 {
            "The limits of the interval count undecided deals as lost and as won; the share counts them as lost."
                .into()
        } else {
            String::new()
        },
        played: format!("{} deals", count(n)),
        cards,
        blocks,
        notes: Vec::new(),
        attached: Vec::new(),
    }
}

fn number(answers: &[SolveFigures], which: impl Fn(Verdict) -> bool) -> u64 {
    answers.iter().filter(|answer| which(answer.verdict)).count() as u64
}

fn undecided(report: &SolveReport<'_>) -> String {
    let open = open_by_limit(&report.answers);
    let n = report.answers.len().max(1) as f64;
    let total: u64 = open.iter().map(|(_, n)| n).sum();
    let why: Vec<String> = open.iter().map(|(limit, n)| format!("{limit}: {}", count(*n))).collect();
    let percent = fixed(100.0 * total as f64 / n, 1);
    if total == 0 { "none".into() } else { format!("{} ({percent}%; {})", count(total), why.join(", ")) }
}

/// A mean over the most cards of each deal, where these are not proven between its bounds.
fn of_cards(report: &SolveReport<'_>, worth: impl Fn(usize) -> f64) -> Estimate {
    let answers = &report.answers;
    let low: Vec<(f64, i64)> = answers.iter().map(|answer| (worth(answer.cards), 1)).collect();
    let high: Vec<(f64, i64)> = answers.iter().map(|answer| (worth(answer.cards_at_most), 1)).collect();
    let [seen, best] = [low, high].map(|values| Moments::of(values.into_iter()));
    let (a, b) = (worth(0), worth(report.all));
    outer(seen, seen, best, a.min(b), a.max(b))
}

/// The house edge against who brings up the most cards that each deal allows; none where the deck has no one price.
fn clairvoyant_edge(report: &SolveReport<'_>) -> Option<Estimate> {
    let casino = &report.rules.casino;
    if casino.stake <= 0 || !casino.stages.is_empty() {
        return None;
    }
    let paid = |cards: usize| payout(casino, cards, report.all) as f64;
    let stake = casino.stake as f64;
    Some(of_cards(report, |cards| 1.0 - paid(cards) / stake)).map(|e| Estimate {
        value: e.value,
        low: e.low.min(e.high),
        high: e.high.max(e.low),
    })
}

/// Positions and time.
fn effort(report: &SolveReport<'_>) -> Sheet {
    let decided = |verdict| !matches!(verdict, Verdict::Unknown(_));
    let row = |called: &str, which: &dyn Fn(Verdict) -> bool| -> Option<Vec<Said>> {
        let some: Vec<&SolveFigures> = report.answers.iter().filter(|answer| which(answer.verdict)).collect();
        if some.is_empty() {
            return None;
        }
        let mut nodes: Vec<f64> = some.iter().map(|answer| answer.nodes as f64).collect();
        let mut seconds: Vec<f64> = some.iter().map(|answer| answer.seconds).collect();
        nodes.sort_by(f64::total_cmp);
        seconds.sort_by(f64::total_cmp);
        let mut cells = vec![exact(called), exact(count(some.len() as u64))];
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let quantile =
            |values: &[f64], share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
        for (values, decimals) in [(&nodes, 0), (&seconds, 4)] {
            let figures =
                [mean(values), quantile(values, 0.5), quantile(values, 0.9), quantile(values, 0.99)];
            let texts = figures.map(|x| if decimals == 0 { count(x as u64) } else { fixed(x, decimals) });
            cells.extend(texts.map(exact));
        }
        Some(cells)
    };
    let rows = [
        row("all", &|_| true),
        row("decided", &decided),
        row("won", &|verdict| verdict == Verdict::Won),
        row("lost", &|verdict| verdict == Verdict::Lost),
        row("unknown", &|verdict| !decided(verdict)),
    ];
    let heads = ["deals", "nodes: mean", "median", "90%", "99%", "seconds: mean", "median", "90%", "99%"];
    Sheet {
        title: "What it took".into(),
        about: "".into(),
        heads: [name("deals that are")].into_iter().chain(heads.map(figure)).collect(),
        rows: rows.into_iter().flatten().collect(),
    }
}

/// How many deals allow how many cards at most.
fn most_cards(report: &SolveReport<'_>) -> Sheet {
    let mut proven = vec![0u64; report.all + 1];
    let mut at_least = vec![0u64; report.all + 1];
    for answer in &report.answers {
        let counts = if answer.cards == answer.cards_at_most { &mut proven } else { &mut at_least };
        if let Some(count) = counts.get_mut(answer.cards) {
            *count += 1;
        }
    }
    let rows = (0..=report.all).filter(|&cards| proven[cards] + at_least[cards] > 0).map(|cards| {
        vec![exact(cards.to_string()), exact(count(proven[cards])), exact(count(at_least[cards]))]
    });
    Sheet {
        title: "The most cards of a deal".into(),
        about: "".into(),
        rows: rows.collect(),
        heads: vec![figure("cards"), figure("deals, proven"), figure("deals, at least")],
    }
}
