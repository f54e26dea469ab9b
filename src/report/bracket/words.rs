//! What optimal play is worth, in sentences.

use super::{BracketPoint, BracketReport, Part, Shown, Source, tables};
use crate::figures::{FormattedEstimate, Side, count, fixed, games, plural};
use crate::report::document::{Card, Finding};
use crate::report::labels::{key_in_words, name_in_full, upper_first};
use crate::stats::{Bracket, Estimate, Gain, Measure, best_of};

/// Rulesets that have a sentence each.
const TOLD: usize = 12;

pub(super) fn title(report: &BracketReport<'_>) -> String {
    let rules: Vec<String> = report.rules.iter().map(|(id, name, _)| name_in_full(name, id)).collect();
    let rules = match &rules[..] {
        [one] => one.clone(),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
        [] => String::new(),
    };
    let varied = report.varied.map_or(String::new(), |key| format!(", by {}", key_in_words(key)));
    format!("What is optimal play of {rules} worth{varied}?")
}

/// The side of a conclusion.
pub(super) fn side(gain: Option<Gain>) -> Side {
    match gain {
        Some(Gain::House) => Side::House,
        Some(Gain::Player) => Side::Player,
        _ => Side::Open,
    }
}

/// Both bounds and the limits about them: `3.81 to 4.11`, `3.77 to 4.16`.
fn between(bracket: &Bracket, shown: Shown<'_>) -> FormattedEstimate {
    let Bracket { lower, upper, .. } = *bracket;
    let [low, high] = [lower, upper].map(|it| shown.say(it));
    let whole = shown.say(Estimate { value: lower.value, low: lower.low, high: upper.high });
    let limits = low.interval.split_once(" to ").zip(high.interval.split_once(" to "));
    let interval = limits.map(|((least, _), (_, most))| {
        // A limit alone does not tell on which side of 0 the other is.
        let signed = matches!(shown, Shown::Edge) && lower.low < 0.0 && upper.high > 0.0;
        let plus = if signed && !most.starts_with('+') { "+" } else { "" };
        format!("{least} to {plus}{most}")
    });
    let value = if low.value == high.value { low.value } else { format!("{} to {}", low.value, high.value) };
    FormattedEstimate {
        value,
        interval: interval.unwrap_or(whole.interval),
        number: whole.number,
        side: low.side,
    }
}

pub(super) fn findings(report: &BracketReport<'_>) -> Vec<Finding> {
    let mut all = Vec::new();
    let points = &report.points;
    if points.len() > 1 {
        all.extend(in_sum(report));
    }
    all.extend(points.iter().take(TOLD).filter_map(|point| gains(report, point)));
    if let [only] = &points[..] {
        all.push(reaches(report, only, Measure::Cards));
        all.push(reaches(report, only, Measure::Wins));
    } else if all.is_empty() {
        all.extend(points.iter().take(TOLD).map(|point| reaches(report, point, Measure::Cards)));
    }
    all
}

/// How many rulesets favour whom.
fn in_sum(report: &BracketReport<'_>) -> Option<Finding> {
    let gains: Vec<Gain> = report.points.iter().filter_map(BracketPoint::gain).collect();
    if gains.is_empty() {
        return None;
    }
    let of = |side_: Side| gains.iter().filter(|&&gain| side(Some(gain)) == side_).count() as u64;
    let (house, player, open) = (of(Side::House), of(Side::Player), of(Side::Open));
    Some(Finding::open(
        format!("The house gains, whoever plays, under {house} of {}", plural(gains.len() as u64, "ruleset")),
        format!(
            "; a good player gains under {player}; for {open} it is not known yet. All this holds at once with 95% confidence, so \
             the intervals here are wider than in the tables."
        ),
    ))
}

/// Who gains, and what would tell where that is not known.
fn gains(report: &BracketReport<'_>, point: &BracketPoint<'_>) -> Option<Finding> {
    let gain = point.gain()?;
    let (bracket, shown) = point.money_at_once()?;
    let rules = point.label(report);
    let best = best(report, point, Measure::Money);
    let [lower, upper] = [bracket.lower, bracket.upper].map(|it| shown.say(it));
    let said = between(&bracket, shown);
    let name = shown.name();
    // Of the net the player's bound is the lower, of the edge the upper.
    let (player, most) = match shown {
        Shown::Edge => (upper, lower),
        _ => (lower, upper),
    };
    let (finding, rest) = match gain {
        Gain::House => (
            format!("The house gains whoever plays: {rules}"),
            format!(
                ". Even against a player who knows every card the {name} is {} ({}); against {best} it is {}.",
                most.value,
                most.interval_in_words(),
                player.both()
            ),
        ),
        Gain::Player => (
            format!("A good player gains: {rules}"),
            format!(
                ". When {best} plays, the {name} is {} ({}).{}",
                player.value,
                player.interval_in_words(),
                overtaken(report, point, Measure::Money)
            ),
        ),
        open => (
            format!("Not known yet who gains: {rules}"),
            format!(
                ". Against optimal play the {name} {} {} (with 95% confidence {}). {}",
                if said.value.contains(" to ") { "lies from" } else { "is" },
                said.value,
                said.interval,
                would_tell(&better(report), point, &bracket, open)
            ),
        ),
    };
    Some(Finding { side: side(Some(gain)), finding, rest })
}

/// What would tell who gains.
fn would_tell(better: &str, point: &BracketPoint<'_>, bracket: &Bracket, gain: Gain) -> String {
    match gain {
        Gain::MoreDeals => {
            "More deals (-n) would settle who gains: only the sampling error is too large for that.".into()
        }
        Gain::MoreNodes => {
            "More positions a deal (--nodes) may settle who gains: on deals that the solver decided, nobody gains enough."
                .into()
        }
        _ if point.is_trivial() => format!("Only {better} could settle it: no upper bound is known."),
        _ if point.widest(bracket) == Part::Undecided => format!(
            "Deals that the solver did not decide are the largest part of this range, so more positions a deal (--nodes) \
             come first; to settle it takes {better} too, as one who knows every card gains even if those deals bring no more \
             than is proven."
        ),
        _ => format!(
            "{} or a tighter upper bound would settle it: the one known here assumes a player who knows every card.",
            upper_first(better)
        ),
    }
}

/// What may find a better player than those who played.
fn better(report: &BracketReport<'_>) -> String {
    let level = |it: &Source<'_>| {
        let settings = it.name.strip_prefix("search")?;
        let level = settings.split([':', ',']).find_map(|setting| setting.strip_prefix("level="));
        level.map_or(Some(2), |level| level.parse().ok())
    };
    match report.players.iter().filter_map(level).max() {
        Some(5..) => "a better player than any here".into(),
        Some(4) => "a better player (-s search:level=5)".into(),
        _ => "a better player (-s search:level=4)".into(),
    }
}

/// What would make a bracket narrower, by what makes it wide.
fn narrows(report: &BracketReport<'_>, widest: Part) -> String {
    let better = better(report);
    match widest {
        Part::Sampling => {
            " Chance is the largest part of this range: more deals (-n) make it narrower.".into()
        }
        Part::Undecided => {
            " Deals that the solver did not decide are the largest part of this range: more positions a deal \
             (--nodes) make it narrower."
                .into()
        }
        Part::NoBound => format!(" More deals (-n) and {better} may make this range narrower."),
        Part::Hidden => format!(
            " The largest part of this range is what knowing the hidden cards is worth: {better} may make it narrower."
        ),
    }
}

/// Between which figures optimal play lies.
fn reaches(report: &BracketReport<'_>, point: &BracketPoint<'_>, measure: Measure) -> Finding {
    let (bracket, shown) = point.bracket(measure).unwrap_or((point.brackets.cards, Shown::Mean));
    let said = between(&bracket, shown);
    let finding = match measure {
        Measure::Wins => format!("It wins {} of games", said.value),
        _ => format!("Optimal play brings up {} cards", said.value),
    };
    let of = if report.points.len() > 1 { format!(", {}", point.label(report)) } else { String::new() };
    let best = best(report, point, measure);
    let upper = match point.is_trivial() {
        true => "the rules allow no more",
        false => "a player who knows every card could reach the upper",
    };
    // Said once, of cards; a ruleset of several has its line in the table of widths.
    let narrows = match (measure, report.points.len()) {
        (Measure::Cards, 1) => narrows(report, point.widest(&bracket)),
        _ => String::new(),
    };
    Finding::open(
        finding,
        format!(
            "{of} (with 95% confidence {}): {best} reaches the lower figure; {upper}.{}{narrows}",
            said.interval,
            if measure == Measure::Cards { overtaken(report, point, measure) } else { String::new() }
        ),
    )
}

fn best(report: &BracketReport<'_>, point: &BracketPoint<'_>, measure: Measure) -> String {
    report.names().get(chosen(point, measure)).cloned().unwrap_or_default()
}

fn chosen(point: &BracketPoint<'_>, measure: Measure) -> usize {
    let place = Measure::ALL.iter().position(|it| *it == measure).unwrap_or(0);
    point.found.chosen[place]
}

/// Who did better than the best player on the deals by which that one is judged, which say nothing about who to choose.
fn overtaken(report: &BracketReport<'_>, point: &BracketPoint<'_>, measure: Measure) -> String {
    let (best, here) = (chosen(point, measure), best_of(&point.summaries, measure));
    let value = |i: usize| point.summaries[i].by(measure).value;
    if value(here) <= value(best) {
        return String::new();
    }
    let name = |i: usize| report.names().get(i).cloned().unwrap_or_default();
    format!(
        " On these deals {} does better; {} was chosen, as it must be, on {} others: more of them (--choose) choose better.",
        name(here),
        name(best),
        count(report.choosing)
    )
}

pub(super) fn warning(report: &BracketReport<'_>) -> String {
    let mut told = Vec::new();
    for point in report.points.iter().filter(|point| point.is_trivial()) {
        let why = point.found.refused.as_ref().map(ToString::to_string).unwrap_or_default();
        told.push(format!(
            "{}: the solver refuses these rules ({why}), so that the upper bound is only that all cards go up.",
            upper_first(&point.label(report))
        ));
    }
    if report.points.iter().any(|point| point.spec.casino.is_staged()) {
        told.push(
            "Where the stake is bought in stages, the upper bound of money counts only those that must be bought for cards \
             to be paid."
                .into(),
        );
    }
    if report.points.iter().any(|point| point.spec.casino.has_redeal_fees()) {
        told.push("The upper bound of money leaves out the fees of redeals.".into());
    }
    told.push(
        "Optimal play is that of a player who sees only what can be seen at the table, and makes the best of it.".into(),
    );
    if report.points.iter().any(|point| point.brackets.house_edge.is_some()) {
        told.push(
            "Of the house edge the best player gives the higher figure, of the others the lower.".into(),
        );
    }
    told.join(" ")
}

pub(super) fn played(report: &BracketReport<'_>) -> String {
    let rulesets = match report.points.len() {
        1 => String::new(),
        n => format!("{} rulesets, ", count(n as u64)),
    };
    let deals = || report.points.iter().map(|point| point.found.deals());
    let (least, most) = (deals().min().unwrap_or(0), deals().max().unwrap_or(0));
    let played = if least == most { games(most) } else { format!("{} to {}", count(least), games(most)) };
    let players = plural(report.players.len() as u64, "player");
    format!(
        "{rulesets}{players}: {played} by each, dealt from seed {}, after {} by which the best was chosen; at most {} a deal",
        report.seed,
        games(report.choosing),
        plural(report.nodes, "position")
    )
}

pub(super) fn cards(report: &BracketReport<'_>) -> Vec<Card> {
    let [point] = &report.points[..] else { return Vec::new() };
    let mut cards = Vec::new();
    for (_, bracket, shown) in point.figures() {
        let side = if matches!(shown, Shown::Edge) { side(point.gain()) } else { Side::Open };
        cards.push(Card { side, what: shown.name().into(), said: between(&bracket, shown) });
    }
    let width = point.brackets.cards.width;
    cards.push(Card::new(
        "width, cards",
        FormattedEstimate {
            interval: format!(
                "sampling {}, undecided {}, hidden {}",
                fixed(width.sampling, 2),
                fixed(width.undecided, 2),
                fixed(width.hidden, 2)
            ),
            ..FormattedEstimate::of(width.total, fixed(width.total, 2))
        },
    ));
    if !point.is_trivial() {
        cards.push(Card::new("deals not decided", tables::undecided(point)));
    }
    cards
}

pub(super) fn notes(_: &BracketReport<'_>) -> Vec<String> {
    vec![
        "The lower bound is the best of the players. It was chosen on deals of its own, for cards, wins and money each, and is \
         judged on fresh ones: on the deals by which it was chosen, its luck would count as skill. Nobody plays better than \
         optimally, so what it reaches is a lower bound."
            .into(),
        "The upper bound is what a player who knows every card could reach on the same fresh deals; where the solver did not \
         decide a deal, the most that it did not rule out. Optimal play without knowing the cards cannot be worth more. It may be worth much less. This bound charges nothing for knowing the cards (it is a dual bound without a penalty)."
            .into(),
        "A 95% interval contains the true figure in 95 of 100 such runs. From the lower limit of the lower bound to the upper \
         limit of the upper bound is such an interval for the value of optimal play. Shares have the exact interval of Clopper and \
         Pearson, means its extension to numbers of a known range (Gaffke 2005); limits are rounded outwards. Tables and charts have \
         these intervals for each ruleset by itself; what is said of who gains, under several rulesets, holds for all of them at \
         once (Bonferroni)."
            .into(),
        "The width of that interval has three parts: the sampling error of both bounds; what deals add that the solver did not \
         decide; and what knowing the hidden cards is worth, beyond the best player here."
            .into(),
    ]
}
