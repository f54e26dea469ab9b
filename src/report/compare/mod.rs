//! Report of a comparison: who is better, by how much, and with what confidence.

mod figures;

use super::document::{Block, Card, Document, Finding};
use super::labels::{labels, name_in_full};
use super::quantity::{INTERVALS, Quantity};
use super::rare_events::{price, why_difference_is_wide};
use super::run::{Run, of_listed_deals};
use crate::chart::{Hues, Role};
use crate::format::{FormattedEstimate, ascii, count, fixed, games, money, one_line, plural, share};
use crate::lab::{Compared, ComparedEntry, CoursePoint, Fitted, Pair, Tested};
use crate::rules::Casino;
use crate::stats::{Estimate, Measure, SequentialTest, TAIL, Verdict};

const WARNING: &str = "These figures hold for these rules; another seed would change them by about as much as the intervals show.";

struct Board<'a> {
    run: &'a Run,
    found: &'a Compared,
    entries: Vec<Named<'a>>,
    casino: &'a Casino,
    /// The entries, and what they have in common.
    title: String,
    /// Whether there are amounts of money, and they are comparable.
    has_money: bool,
    common: String,
    /// Source of the deals: `seed 1`, or a file.
    source: String,
}

struct Named<'a> {
    found: &'a ComparedEntry,
    /// The strategy, or the ruleset if rulesets are compared.
    name: String,
    short: String,
    hue: Role,
}

struct Two<'a> {
    board: &'a Board<'a>,
    tested: &'a Tested,
    pair: &'a Pair,
    a: &'a str,
    b: &'a str,
    hues: [Role; 2],
    /// The difference for which the test is designed: `0.10 cards`.
    size: String,
}

struct Placed<'a> {
    better: &'a Named<'a>,
    other: &'a Named<'a>,
    pair: &'a Pair,
    /// Whether the better entry was given second.
    turned: bool,
}

/// Builds the report on which strategy or ruleset is better, and by how much.
pub fn compare_document<'a>(run: &'a Run, compared: &Compared) -> Document<'a> {
    let board = Board::new(run, compared);
    let test = compared.tested.as_ref().zip(compared.pairs.first());
    let two = test.map(|(tested, pair)| Two::new(&board, tested, pair));
    let (findings, cards, blocks) = match &two {
        Some(two) => (vec![two.answer()], two.cards(), two.blocks()),
        None => (board.findings(), Vec::new(), board.blocks()),
    };
    let dealt = format!("{} of {}", games(compared.games), board.source);
    Document {
        title: board.title.clone(),
        findings,
        warning: run.deals.as_ref().map_or_else(|| WARNING.into(), of_listed_deals),
        played: match &two {
            Some(Two { a, b, .. }) => format!(
                "{dealt}, dealt to both, of {} at most; differences are {}",
                count(compared.budget),
                less(a, b)
            ),
            None => format!("{dealt}, dealt to all {}", board.entries.len()),
        },
        cards,
        blocks,
        notes: notes(two.as_ref()),
        ..Document::of(run)
    }
    .under(&format!("{}: {}", board.common, board.deals()))
}

impl<'a> Board<'a> {
    fn new(run: &'a Run, found: &'a Compared) -> Board<'a> {
        let first = &found.entries[0];
        let of_rulesets = found.entries.iter().any(|it| it.rules != first.rules || it.spec != first.spec);
        let labels = labels(found.entries.iter().map(|it| (&*it.rules, &*it.strategy))).into_iter();
        let names: Vec<String> =
            labels.map(|label| if of_rulesets { label.rules } else { label.player }).collect();
        let against = match &names[..] {
            [a, b] => format!("{a} against {b}"),
            _ => format!("{} compared", names.join(", ")),
        };
        let hues = Hues::new(names.clone());
        let cut = short_apart(&names);
        let named = found.entries.iter().zip(names).zip(cut);
        let casino = &first.spec.casino;
        let casinos = || found.entries.iter().map(|it| &it.spec.casino);
        let (and, common) = match of_rulesets {
            true => (",", format!("played by {}", one_line(&first.strategy))),
            false => (" on", name_in_full(&first.spec.name, &first.rules)),
        };
        Board {
            run,
            found,
            entries: named
                .map(|((found, name), short)| Named { found, hue: hues.of(&name), name, short })
                .collect(),
            casino,
            title: format!("{against}{and} {common}"),
            has_money: casinos().all(|it| it.currency == casino.currency)
                && casinos().any(Casino::is_for_money),
            common,
            source: run.source(),
        }
    }

    fn ranked(&self) -> Vec<&Named<'a>> {
        let mut ranked: Vec<_> = self.entries.iter().collect();
        ranked.sort_by_key(|it| it.found.place);
        ranked
    }

    /// Returns all pairs, each with the better-ranked entry first.
    fn placed(&self) -> Vec<Placed<'_>> {
        let placed = self.found.pairs.iter().map(|pair| {
            let [a, b] = [pair.a, pair.b].map(|entry| &self.entries[entry]);
            let turned = a.found.place > b.found.place;
            let (better, other) = if turned { (b, a) } else { (a, b) };
            Placed { better, other, pair, turned }
        });
        let mut placed: Vec<Placed<'_>> = placed.collect();
        placed.sort_by_key(|it| (it.better.found.place, it.other.found.place));
        placed
    }

    fn alike(&self) -> Vec<Placed<'_>> {
        self.placed().into_iter().filter(|it| !it.pair.told_apart).collect()
    }

    fn quantity(&self, measure: Measure) -> Quantity<'a> {
        Quantity::of(measure, self.casino)
    }

    fn measured(&self) -> Quantity<'a> {
        self.quantity(self.found.measure)
    }

    /// Formats an entry's mean by a measure, with the interval of that entry alone.
    fn own(&self, it: &Named<'_>, measure: Measure) -> FormattedEstimate {
        Quantity::of(measure, &it.found.spec.casino).say(it.found.summary.by(measure))
    }

    fn measures(&self) -> impl Iterator<Item = Measure> {
        let has_money = self.has_money;
        Measure::ALL.into_iter().filter(move |&it| it != Measure::Money || has_money)
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![
            Block::Table(self.ranking()),
            Block::Chart(self.ranking_chart()),
            Block::Chart(self.pairs_chart()),
            Block::Table(self.pairs()),
        ];
        blocks.extend(self.to_copy(self.line()));
        blocks
    }

    /// Returns the deals on which the entries differ most, and a line to paste into a discussion.
    fn to_copy(&self, line: String) -> Vec<Block> {
        let mut texts = vec![("Where they differ most", self.shown().join("\n")), ("To quote", line)];
        texts.retain(|(_, text)| !text.is_empty());
        let blocks = |(title, text): (&str, _)| [Block::Heading(title.into()), Block::Verbatim(text)];
        texts.into_iter().flat_map(blocks).collect()
    }
}

impl<'a> Two<'a> {
    fn new(board: &'a Board<'a>, tested: &'a Tested, pair: &'a Pair) -> Two<'a> {
        let [a, b] = [&board.entries[pair.a], &board.entries[pair.b]];
        let size = size(board.measured(), tested.test.difference);
        Two { board, tested, pair, a: &a.name, b: &b.name, hues: [a.hue, b.hue], size }
    }

    fn verdict(&self) -> String {
        match self.tested.verdict {
            Some(Verdict::A) => format!("{} is better", self.a),
            Some(Verdict::B) => format!("{} is better", self.b),
            Some(Verdict::NoDifference) => format!("no difference of {}", self.size),
            None => "undecided".into(),
        }
    }

    /// Formats the difference by a measure; for that of the test, without the bias of stopping.
    fn difference(&self, measure: Measure) -> FormattedEstimate {
        let tested = measure == self.board.found.measure;
        let e = if tested { self.tested.estimate } else { self.pair.summary.by(measure) };
        self.board.quantity(measure).difference(e)
    }

    fn cards(&self) -> Vec<Card> {
        let interval = format!("after {}", plural(self.tested.standing.games, "deal"));
        let verdict = FormattedEstimate { value: self.verdict(), interval, ..Default::default() };
        let differences = self.board.measures().map(|measure| {
            let what = format!("difference in {}", measured(self.board.quantity(measure)));
            Card::new(what, self.difference(measure))
        });
        [Card::new("the test says", verdict)].into_iter().chain(differences).collect()
    }

    fn blocks(&self) -> Vec<Block> {
        // The test and the difference come first, then the figures, then their distribution.
        let first = self.test_chart().into_iter().chain(self.running_chart());
        let mut blocks: Vec<Block> = first.map(Block::Chart).collect();
        blocks.push(Block::Table(self.by_measure()));
        blocks.extend(self.wide().map(Block::Text));
        blocks.extend([
            Block::Table(self.by_deal()),
            Block::Chart(self.differences_chart()),
            Block::Heading("The test".into()),
            Block::Text(self.hypotheses()),
            Block::Table(self.test()),
        ]);
        blocks.extend(self.board.to_copy(self.line()));
        blocks
    }

    fn wide(&self) -> Option<String> {
        let [a, b] = [self.pair.a, self.pair.b].map(|entry| {
            let Named { found, name, .. } = &self.board.entries[entry];
            let (casino, summary) = (&found.spec.casino, &found.summary);
            (casino, price(summary, casino), &summary.histogram[..], name.as_str())
        });
        if self.board.has_money { why_difference_is_wide([a, b]) } else { None }
    }
}

impl Placed<'_> {
    /// Returns the lead of the better-ranked entry, with joint confidence for all pairs.
    fn ahead(&self, e: Estimate) -> Estimate {
        if self.turned { -e } else { e }
    }

    fn has(&self, it: &Named<'_>) -> bool {
        [self.better, self.other].iter().any(|of| of.found.place == it.found.place)
    }
}

/// Formats the size of a difference, without a sign: `0.10 cards`, `0.5 pp`, `$0.50`.
fn size(of: Quantity<'_>, amount: f64) -> String {
    // As many decimals as needed, but at least two.
    let exact = |x: f64| {
        let decimals = (2..6).find(|&d| (x * 10f64.powi(d) - (x * 10f64.powi(d)).round()).abs() < 1e-6);
        fixed(x, decimals.unwrap_or(6) as usize)
    };
    match of {
        Quantity::Cards => format!("{} card{}", exact(amount), if amount == 1.0 { "" } else { "s" }),
        Quantity::Net(casino) => money(amount, casino, false),
        _ => format!("{} pp", exact(amount * 100.0)),
    }
}

fn measured(of: Quantity<'_>) -> &'static str {
    if matches!(of, Quantity::Net(_)) { "the player's net" } else { of.name() }
}

/// Names a difference: `patient − greedy`.
fn less(a: &str, b: &str) -> String {
    format!("{a} − {b}")
}

/// Shortens names for column heads: long ones are cut in the middle, unless two would become equal.
fn short_apart(names: &[String]) -> Vec<String> {
    let short = |name: &String| {
        let chars: Vec<char> = name.chars().collect();
        match chars.len() {
            ..=20 => name.clone(),
            n => chars[..9].iter().chain(&['.'; 3]).chain(&chars[n - 8..]).collect(),
        }
    };
    let cut: Vec<String> = names.iter().map(short).collect();
    let alike = |i: usize| (0..i).any(|j| cut[i] == cut[j] && names[i] != names[j]);
    if (0..cut.len()).any(alike) { names.to_vec() } else { cut }
}

fn notes(two: Option<&Two<'_>>) -> Vec<String> {
    let mut notes = vec![
        "Every deal was shuffled once and played to its end by every strategy, which sees only what a person at the table \
         could see. Differences are taken deal by deal, so the luck of the deal cancels out."
            .to_string(),
        format!(
            "{INTERVALS} Games that were stopped undecided are counted both ways, and the outer limits are shown."
        ),
    ];
    let Some(two) = two else {
        notes.push(
            "The intervals of all pairs are Bonferroni's: each has an error rate of 5% divided by the number of pairs, so all \
             of them are right at once in at least 95% of runs. Two entries differ if their interval does not \
             contain 0; letters mark the largest groups in which no two entries differ (Piepho 2004)."
                .to_string(),
        );
        return notes;
    };
    notes.insert(0, format!("On these deals {}.", two.spread()));
    notes.push(
        "The test is a pair of generalized sequential probability ratio tests, as testers of chess engines use them \
         (Van den Bergh, for Fishtest): one of a difference of d for each side, against no difference. \
         Together they decide between three results (Sobel and Wald 1949). If there is no difference, the test \
         finds one in at most alpha of all runs; if there is a difference of d, it misses it in at most beta. \
         It checks after every block of 1,000 deals, in order. A difference smaller than d may be found or missed, so that the better side need not be better by d."
            .to_string(),
    );
    notes.push(match two.tested.played_on {
        true => "All deals were played whatever the test found, so the means need no correction.".into(),
        false => "A run that stops when things look good overstates the difference. The figure at the top is \
                  median-unbiased: of all such runs, half give more than the true difference, half less (runs ordered \
                  by their means, Emerson and Fleming 1990; numerical integration, Armitage, McPherson and Rowe 1969). \
                  The other means and intervals are as if the number of deals had been fixed before."
            .to_string(),
    });
    notes
}

const MOST_TOLD: usize = 3;

impl Two<'_> {
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
        let (by, of) = (said.value.replace('+', ""), self.board.measured().of_a_game());
        Finding::of(
            &said,
            format!("{better} is better than {worse} by {by}{of}"),
            format!(", {on}. {taken}."),
        )
    }

    /// Formats the test's difference: `0.10 cards a game`, `0.5 pp of games won`.
    fn better_by(&self) -> String {
        let wins = self.board.found.measure == Measure::Wins;
        format!("{}{}", self.size, if wins { " of games won" } else { " a game" })
    }

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
        let place = |it: &Named<'_>| {
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

fn rates(test: &SequentialTest) -> String {
    format!("{} and {}", rate(test.alpha), rate(test.beta))
}

fn llr(x: f64) -> String {
    if x > 0.0 { format!("+{}", fixed(x, 2)) } else { fixed(x, 2) }
}

/// Formats the state of a comparison for a progress line.
pub fn progress_figure(
    point: &CoursePoint,
    measure: Measure,
    test: Option<&SequentialTest>,
    casino: &Casino,
) -> String {
    let stands = Quantity::of(measure, casino).difference(point.difference).both();
    let text = match point.standing.zip(test) {
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
