//! Findings of a comparison, as sentences.

use super::{Board, Placed, Two, less, measured};
use crate::format::{ascii, count, fixed, money, plural, share};
use crate::lab::{Fitted, Underway};
use crate::report::document::Finding;
use crate::report::quantity::Quantity;
use crate::rules::Casino;
use crate::stats::{Estimate, Measure, SequentialTest, TAIL, Verdict};

/// Maximum number of pairs that a sentence names.
const MOST_TOLD: usize = 3;

impl Two<'_> {
    /// Returns the verdict for two entries.
    pub fn answer(&self) -> Finding {
        let Two { board, tested, a, b, .. } = *self;
        let on = format!("on {} ({})", board.deals(), board.common);
        let estimate = board.measured().difference(tested.estimate);
        let stands =
            format!("the difference {} is {} ({})", less(a, b), estimate.value, estimate.interval_in_words());
        match tested.verdict {
            Some(Verdict::A) => self.beats((a, b), tested.estimate, &on),
            Some(Verdict::B) => self.beats((b, a), -tested.estimate, &on),
            Some(Verdict::NoDifference) => Finding::open(
                format!("Neither {a} nor {b} is better by {}", self.better_by()),
                format!(", {on}: {stands}."),
            ),
            None => {
                let games = board.found.games;
                let too_few = tested.fitted.is_some_and(|fitted| !fitted.enough);
                let finding = match (board.found.interrupted, games) {
                    (true, _) => format!("Interrupted after {}, before an answer", plural(games, "deal")),
                    (false, 1) => "One deal is too little for an answer".into(),
                    (false, _) if too_few => format!("{} deals are too few for an answer", count(games)),
                    (false, _) => format!("Undecided after {}", plural(games, "deal")),
                };
                let fixed = self.at_a_fixed_number();
                Finding::open(finding, format!(": {}; {stands}.{fixed}", self.open()))
            }
        }
    }

    fn beats(&self, (better, worse): (&str, &str), by: Estimate, on: &str) -> Finding {
        let mut said = self.board.measured().difference(by);
        if by.low >= 0.0 {
            said.interval = said.interval.replace('+', "");
        }
        let taken = match self.tested.played_on {
            true => format!("The test had its answer after {} of them", count(self.tested.standing.games)),
            false => "These were enough for the test".into(),
        };
        Finding::open(
            format!(
                "{better} is better than {worse} by {}{}",
                said.value.replace('+', ""),
                self.board.measured().of_a_game()
            ),
            format!(" ({}), {on}. {taken}.", said.interval_in_words()),
        )
    }

    /// Formats the test's difference: `0.10 cards a game`, `0.5 pp of games won`.
    fn better_by(&self) -> String {
        let wins = self.board.found.measure == Measure::Wins;
        format!("{}{}", self.size, if wins { " of games won" } else { " a game" })
    }

    /// Returns the result of the non-sequential test over all deals.
    fn at_a_fixed_number(&self) -> String {
        let Some(fixed) = self.tested.at_fixed_deals else { return String::new() };
        let name = match self.board.found.measure {
            Measure::Wins => "the sign test",
            _ => "Student's paired test",
        };
        let answer = match (fixed.p < 2.0 * TAIL, fixed.difference.value > 0.0) {
            (false, _) => "finds no difference".into(),
            (true, true) => format!("finds that {} is better", self.a),
            (true, false) => format!("finds that {} is better", self.b),
        };
        let said = self.board.measured().difference(fixed.difference);
        format!(
            " A test for a number of deals fixed beforehand ({name}) {answer}: p = {}, difference {} ({}). It is right only if \
             you look once: it does not allow for more deals after this look.",
            share(fixed.p),
            said.value,
            said.interval_in_words()
        )
    }

    /// Returns what a test without a verdict has left open.
    fn open(&self) -> String {
        let Two { tested, a, b, .. } = *self;
        let size = self.better_by();
        let one = |no: &str, other: &str| {
            format!(
                "it is ruled out that {no} is better by {size}, and open whether {other} is or neither is"
            )
        };
        match [tested.standing.llr_a, tested.standing.llr_b].map(|llr| llr <= tested.lower) {
            [true, false] => one(a, b),
            [false, true] => one(b, a),
            _ => format!("it is open whether {a} or {b} is better by {size} or neither is"),
        }
    }

    /// Describes the hypotheses of the test.
    pub fn hypotheses(&self) -> String {
        let Two { tested, a, b, size, .. } = self;
        let [alpha, beta] = [tested.test.alpha, tested.test.beta].map(rate);
        let taken = match tested.fitted {
            Some(Fitted { deals, budget, enough: true }) => format!(
                "The difference of {size} is taken from the spread of the first {}, so that {} were likely to be enough; \
                 --difference sets another.",
                plural(deals, "deal"),
                count(budget)
            ),
            Some(Fitted { budget, enough: false, .. }) => format!(
                "By the spread of the first of them, the test was likely to take more than {}. The difference of {size} is the \
                 greatest that is taken then, a twentieth of what two games can differ by; --difference sets another.",
                plural(budget, "deal")
            ),
            None => format!("The difference of {size} was given with --difference."),
        };
        format!(
            "H1: {a} is better than {b}, so that the mean difference is above 0. H0: {b} is better than {a}. If there is no \
             difference, the test accepts one of them in at most {alpha} of runs; a difference of {} it misses in at most \
             {beta} of runs. A smaller difference may be found or missed: accepting H1 does not say that it is {size} or more. \
             {taken}",
            self.better_by()
        )
    }

    /// Returns one line to paste into a discussion.
    pub fn line(&self) -> String {
        let Two { board, tested, a, b, .. } = *self;
        let wins = self.pair.summary.wins;
        ascii(&format!(
            "{}: {}; {} = {}{}, {} of {}; LLR {}{} and {}, together {} (bounds {} and {}, d = {}, errors {}); \
             won by {a} only {}, {b} only {}, both {}, neither {}; saratoga {}",
            board.title,
            self.verdict(),
            less(a, b),
            board.measured().difference(tested.estimate).both(),
            board.measured().of_a_game(),
            plural(board.found.games, "deal"),
            board.source,
            match tested.standing.games {
                games if games == board.found.games => String::new(),
                games => format!("after {} ", plural(games, "deal")),
            },
            llr(tested.standing.llr_a),
            llr(tested.standing.llr_b),
            llr(tested.llr),
            llr(tested.lower),
            llr(tested.upper),
            self.size,
            rates(&tested.test),
            count(wins.a_only),
            count(wins.b_only),
            count(wins.both),
            count(wins.neither),
            board.run.version,
        ))
    }
}

impl Board<'_> {
    /// `the same 3,000 deals, seed 1`
    pub fn deals(&self) -> String {
        let same = match self.found.games {
            1 => "the same deal".into(),
            n => format!("the same {} deals", count(n)),
        };
        format!("{same}, {}", self.source)
    }

    /// Returns who is best, and which pairs cannot be told apart.
    pub fn findings(&self) -> Vec<Finding> {
        let ranked = self.ranked();
        let (best, alike) = (ranked[0], self.alike());
        let what = measured(self.measured());
        let on = format!(
            "over the same {} ({}), with 95% confidence for all {} pairs together",
            plural(self.found.games, "deal"),
            self.common,
            self.found.pairs.len()
        );
        let level: Vec<&str> =
            alike.iter().filter(|pair| pair.has(best)).map(|pair| &*pair.other.name).collect();
        let first = match level.is_empty() {
            true => Finding::open(
                format!("{} is the best of {} by {what}", best.name, ranked.len()),
                format!(", ahead of {} and all others, {on}.", ranked[1].name),
            ),
            false => Finding::open(
                format!("The best by {what} is uncertain: {} or {}", best.name, level.join(" or ")),
                format!(", {on}."),
            ),
        };
        // The difference that is still possible.
        let unit = if self.found.measure == Measure::Cards { " cards" } else { "" };
        let pair = |it: &Placed<'_>| {
            let within = self.measured().difference(it.ahead(it.pair.adjusted)).interval;
            format!("{} and {} (they differ by {within}{unit})", it.better.name, it.other.name)
        };
        let second = match alike.len() {
            0 => {
                Finding::open("Every difference is significant", ", so no place in the ranking is in doubt.")
            }
            n => {
                let more =
                    if self.run.deals.is_some() { "A longer list of deals" } else { "More deals (-n)" };
                let pairs: Vec<String> = alike.iter().take(MOST_TOLD).map(pair).collect();
                let others = if n > MOST_TOLD { ", and others that the table has" } else { "" };
                Finding::open(
                    format!("{} cannot be distinguished", plural(n as u64, "pair")),
                    format!(": {}{others}. {more} would show smaller differences.", pairs.join("; ")),
                )
            }
        };
        vec![first, second]
    }

    /// Returns one line to paste into a discussion.
    pub fn line(&self) -> String {
        let place = |it: &super::Named<'_>| {
            let value = it.found.summary.by(self.found.measure).value;
            let value = match self.found.measure {
                Measure::Cards => fixed(value, 2),
                Measure::Wins => share(value),
                Measure::Money => money(value, self.casino, false),
            };
            format!("{} {value} {}", it.name, it.found.groups)
        };
        ascii(&format!(
            "{}: mean {} of {} of {}: {} (entries that share a letter cannot be distinguished; 95% over all pairs, \
             Bonferroni); saratoga {}",
            self.title,
            self.found.measure,
            plural(self.found.games, "deal"),
            self.source,
            self.ranked().into_iter().map(place).collect::<Vec<_>>().join(", "),
            self.run.version
        ))
    }
}

fn rate(rate: f64) -> String {
    share(rate).replace(".0%", "%")
}

/// Formats the error rates of a test: `5% and 5%`.
pub(super) fn rates(test: &SequentialTest) -> String {
    format!("{} and {}", rate(test.alpha), rate(test.beta))
}

/// Formats a log-likelihood ratio, with its sign.
pub(super) fn llr(x: f64) -> String {
    if x > 0.0 { format!("+{}", fixed(x, 2)) } else { fixed(x, 2) }
}

/// Formats the state of a comparison for a progress line.
pub fn progress_figure(
    underway: &Underway,
    measure: Measure,
    test: Option<&SequentialTest>,
    casino: &Casino,
) -> String {
    let Some(difference) = underway.difference else { return String::new() };
    let stands = Quantity::of(measure, casino).difference(difference).both();
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
