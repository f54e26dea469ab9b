//! What a comparison comes to, in words.

use super::CompareReport;
use crate::figures::{
    FormattedEstimate, Side, ascii, count, difference, fixed, gain_estimate, money, one_line, plural, points,
    share,
};
use crate::lab::{Fitted, Tested, Underway};
use crate::report::document::Finding;
use crate::report::labels::rules_in_full;
use crate::rules::Casino;
use crate::stats::{Estimate, Measure, SequentialTest, TAIL, Verdict};

/// A difference by a measure with its sign: `+2.61`, `+3.6 pp`, `+$13.05`.
pub(in crate::report) fn said(measure: Measure, e: Estimate, casino: &Casino) -> FormattedEstimate {
    match measure {
        Measure::Cards => difference(e),
        Measure::Wins => points(e),
        Measure::Money => gain_estimate(e, casino),
    }
}

/// How much a difference is, without a sign: `0.10 cards`, `0.5 pp`, `$0.50`.
pub(in crate::report) fn size(measure: Measure, amount: f64, casino: &Casino) -> String {
    // As many decimals as it takes, and two at least.
    let exact = |x: f64| {
        let decimals = (2..6).find(|&d| (x * 10f64.powi(d) - (x * 10f64.powi(d)).round()).abs() < 1e-6);
        fixed(x, decimals.unwrap_or(6) as usize)
    };
    match measure {
        Measure::Cards => format!("{} card{}", exact(amount), if amount == 1.0 { "" } else { "s" }),
        Measure::Wins => format!("{} pp", exact(amount * 100.0)),
        Measure::Money => money(amount, casino, false),
    }
}

/// What a measure is called in a sentence about one game: `cards a game`.
fn of_a_game(measure: Measure) -> &'static str {
    match measure {
        Measure::Cards => " cards a game",
        Measure::Wins => " of games won",
        Measure::Money => " a game",
    }
}

/// By what a difference is better: `0.10 cards a game`, `0.5 pp of games won`.
fn better_by(measure: Measure, size: &str) -> String {
    format!("{size}{}", if measure == Measure::Wins { " of games won" } else { " a game" })
}

/// A difference by name: `patient − greedy`.
pub(in crate::report) fn less(a: &str, b: &str) -> String {
    format!("{a} − {b}")
}

/// The same without the signs of a difference that is above 0 all over.
fn unsigned(said: FormattedEstimate, e: Estimate) -> FormattedEstimate {
    if e.low < 0.0 {
        return said;
    }
    FormattedEstimate { value: said.value.replace('+', ""), interval: said.interval.replace('+', ""), ..said }
}

/// The line under a chart's title: which deals it is about.
pub(in crate::report) fn subtitle(report: &CompareReport<'_>) -> String {
    format!("{}: {}", common(report), deals(report))
}

/// What all entries have in common.
pub(super) fn common(report: &CompareReport<'_>) -> String {
    match report.entries.first() {
        Some(first) if report.of_rulesets() => format!("played by {}", one_line(first.entry.strategy)),
        Some(first) => rules_in_full(&first.entry),
        None => String::new(),
    }
}

/// `the same 3,000 deals, seed 1`
fn deals(report: &CompareReport<'_>) -> String {
    let same = match report.compared.games {
        1 => "the same deal".into(),
        n => format!("the same {} deals", count(n)),
    };
    format!("{same}, {}", source(report))
}

/// Where the deals are from: `seed 1`, or a file.
pub(super) fn source(report: &CompareReport<'_>) -> String {
    report.entries.first().map_or(String::new(), |first| first.entry.source())
}

/// What the test says, in a few words.
pub(in crate::report) fn verdict_in_short(
    tested: &Tested,
    names: &[String],
    report: &CompareReport<'_>,
) -> String {
    let [a, b] = [0, 1].map(|i| names.get(i).map_or("", String::as_str));
    match tested.verdict {
        Some(Verdict::A) => format!("{a} is better"),
        Some(Verdict::B) => format!("{b} is better"),
        Some(Verdict::NoDifference) => format!("no difference of {}", amount(tested, report)),
        None => "undecided".into(),
    }
}

/// The difference that the test is about.
pub(super) fn amount(tested: &Tested, report: &CompareReport<'_>) -> String {
    let casino = report.entries.first().map(|first| &first.entry.rules.casino);
    casino.map_or(String::new(), |casino| size(report.measure, tested.test.difference, casino))
}

/// The answer for two entries.
pub(super) fn answer(report: &CompareReport<'_>, tested: &Tested, names: &[String]) -> Finding {
    let [a, b] = [0, 1].map(|i| names.get(i).map_or("", String::as_str));
    let Some(first) = report.entries.first() else {
        return Finding { side: Side::Open, finding: String::new(), rest: String::new() };
    };
    let casino = &first.entry.rules.casino;
    let measure = report.measure;
    let size_of = better_by(measure, &amount(tested, report));
    let estimate = tested.estimate;
    let on = format!("on {} ({})", deals(report), common(report));
    let beats = |better: &str, worse: &str, by: Estimate| {
        let said = unsigned(said(measure, by, casino), by);
        let by = said.value.trim_start_matches('+');
        let taken = match tested.played_on {
            true => format!("The test had its answer after {} of them", count(tested.standing.games)),
            false => "These were enough for the test".into(),
        };
        Finding {
            side: Side::Open,
            finding: format!("{better} is better than {worse} by {by}{}", of_a_game(measure)),
            rest: format!(" ({}), {on}. {taken}.", said.interval_in_words()),
        }
    };
    let stands = said(measure, estimate, casino);
    let fixed = match report.compared.interrupted {
        true => String::new(),
        false => at_a_fixed_number(report, (a, b)),
    };
    let stands =
        format!("the difference {} is {} ({})", less(a, b), stands.value, stands.interval_in_words());
    match tested.verdict {
        Some(Verdict::A) => beats(a, b, estimate),
        Some(Verdict::B) => {
            let turned = Estimate { value: -estimate.value, low: -estimate.high, high: -estimate.low };
            beats(b, a, turned)
        }
        Some(Verdict::NoDifference) => Finding {
            side: Side::Open,
            finding: format!("Neither {a} nor {b} is better by {size_of}"),
            rest: format!(", {on}: {stands}."),
        },
        None => Finding {
            side: Side::Open,
            finding: match (report.compared.interrupted, report.compared.games) {
                (true, games) => format!("Interrupted after {}, before an answer", plural(games, "deal")),
                (false, 1) => "One deal is too little for an answer".into(),
                (false, games) if too_few(tested) => {
                    format!("{} deals are too few for an answer", count(games))
                }
                (false, games) => format!("Undecided after {}", plural(games, "deal")),
            },
            rest: format!(": {}; {stands}.{fixed}", open(tested, (a, b), &size_of)),
        },
    }
}

/// Whether so many deals were unlikely to be enough for the test.
fn too_few(tested: &Tested) -> bool {
    tested.fitted.is_some_and(|fitted| !fitted.enough)
}

/// What a test says that is not sequential, of all deals.
fn at_a_fixed_number(report: &CompareReport<'_>, (a, b): (&str, &str)) -> String {
    let found = report.entries.first().zip(report.compared.pairs.first());
    let Some((first, pair)) = found else { return String::new() };
    let Some(fixed) = pair.tally.fixed_test(report.measure) else { return String::new() };
    let (name, casino) = (fixed_test_name(report.measure), &first.entry.rules.casino);
    let answer = match (fixed.p < 2.0 * TAIL, fixed.difference.value > 0.0) {
        (false, _) => "finds no difference".into(),
        (true, true) => format!("finds that {a} is better"),
        (true, false) => format!("finds that {b} is better"),
    };
    let said = said(report.measure, fixed.difference, casino);
    format!(
        " A test for a number of deals fixed beforehand ({name}) {answer}: p = {}, difference {} ({}). It is right only if \
         you look once: it does not allow for more deals after this look.",
        share(fixed.p),
        said.value,
        said.interval_in_words()
    )
}

/// The test at a fixed number of deals.
pub(super) fn fixed_test_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Wins => "the sign test",
        _ => "Student's paired test",
    }
}

/// What a test without an answer has left open.
fn open(tested: &Tested, (a, b): (&str, &str), size: &str) -> String {
    let (test, state) = (&tested.test, &tested.standing);
    let one = |no: &str, other: &str| {
        format!("it is ruled out that {no} is better by {size}, and open whether {other} is or neither is")
    };
    match (state.llr_a <= test.lower(), state.llr_b <= test.lower()) {
        (true, false) => one(a, b),
        (false, true) => one(b, a),
        _ => format!("it is open whether {a} or {b} is better by {size} or neither is"),
    }
}

/// What the test decides between.
pub(super) fn hypotheses(report: &CompareReport<'_>, tested: &Tested, names: &[String]) -> String {
    let [a, b] = [0, 1].map(|i| names.get(i).map_or("", String::as_str));
    let size = amount(tested, report);
    let [alpha, beta] = [tested.test.alpha, tested.test.beta].map(|rate| share(rate).replace(".0%", "%"));
    let better_by = better_by(report.measure, &size);
    let undecided = tested.verdict.is_none() && !report.compared.interrupted;
    let taken = match tested.fitted {
        Some(Fitted { deals, budget, enough: true }) => format!(
            "The difference of {size} is taken from the spread of the first {}, so that {} were likely to be enough{}; \
             --difference sets another.",
            plural(deals, "deal"),
            count(budget),
            if undecided { ", which they were not" } else { "" }
        ),
        Some(Fitted { budget, enough: false, .. }) => format!(
            "By the spread of the first of them, {} likely to be too few{}. The difference of {size} is the greatest that is taken \
             then, a twentieth of what two games can differ by; --difference sets another.",
            match budget {
                1 => "one deal was".into(),
                n => format!("{} deals were", count(n)),
            },
            if undecided || report.compared.interrupted { "" } else { ", but they were enough" }
        ),
        None => format!("The difference of {size} was given with --difference."),
    };
    format!(
        "H1: {a} is better than {b}, so that the mean difference is above 0. H0: {b} is better than {a}. If there is no \
         difference, the test accepts one of them in at most {alpha} of runs; a difference of {better_by} it misses in at most \
         {beta} of runs. A smaller difference may be found or missed: accepting H1 does not say that it is {size} or more. \
         {taken}"
    )
}

/// Error rates of a test: `5% and 5%`.
pub(super) fn rates(test: &SequentialTest) -> String {
    format!("{} and {}", share(test.alpha).replace(".0%", "%"), share(test.beta).replace(".0%", "%"))
}

/// One line to be pasted into a discussion, of two entries.
pub(super) fn line(report: &CompareReport<'_>, tested: &Tested, names: &[String]) -> String {
    let [a, b] = [0, 1].map(|i| names.get(i).map_or("", String::as_str));
    let Some((first, pair)) = report.entries.first().zip(report.compared.pairs.first()) else {
        return String::new();
    };
    let wins = pair.tally.summary(report.tail()).wins;
    let unit = of_a_game(report.measure);
    let short = match report.of_rulesets() {
        true => format!("{} by {}", names.join(" and "), one_line(first.entry.strategy)),
        false => one_line(first.entry.id),
    };
    let test = &tested.test;
    ascii(&format!(
        "{short}: {}; {} = {}{unit}, {} of {}; LLR {} and {}, together {} (bounds {} and {}, d = {}, errors {}); \
         won by {a} only {}, {b} only {}, both {}, neither {}; saratoga {}",
        verdict_in_short(tested, names, report),
        less(a, b),
        said(report.measure, tested.estimate, &first.entry.rules.casino).both(),
        plural(report.compared.games, "deal"),
        source(report),
        llr(tested.standing.llr_a),
        llr(tested.standing.llr_b),
        llr(tested.standing.llr()),
        llr(test.lower()),
        llr(test.upper()),
        amount(tested, report),
        rates(test),
        count(wins.a_only),
        count(wins.b_only),
        count(wins.both),
        count(wins.neither),
        report.version,
    ))
}

/// A log-likelihood ratio, with its sign.
pub(super) fn llr(x: f64) -> String {
    if x > 0.0 { format!("+{}", fixed(x, 2)) } else { fixed(x, 2) }
}

/// How a comparison under way stands, for a progress line.
pub fn progress_figure(
    underway: &Underway,
    measure: Measure,
    test: Option<&SequentialTest>,
    casino: &Casino,
) -> String {
    let Some(difference) = underway.difference else { return String::new() };
    let stands = said(measure, difference, casino).both();
    let text = match underway.standing.zip(test) {
        Some((standing, test)) => format!(
            "LLR A {} B {} [{}, {}]  A-B {stands}",
            llr(standing.llr_a),
            llr(standing.llr_b),
            llr(test.lower()),
            llr(test.upper()),
        ),
        None => format!("first two: {stands}"),
    };
    ascii(&text)
}
