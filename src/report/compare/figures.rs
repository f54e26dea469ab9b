//! Tables and charts of a comparison: for two entries the test, the running difference and the distribution of differences;
//! for more, the ranking and every pair.

use std::cmp::{Ordering, Reverse};

use super::{Board, Named, Placed, Two, less, llr, measured, rates};
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, Row, Stand, WHOLE, padded, scaled, span};
use crate::format::{
    FormattedEstimate, Side, count, difference, edge, fixed, money, number, one_line, percent, plural, share,
};
use crate::report::cents;
use crate::report::document::{DataTable, exact};
use crate::report::labels::upper_first;
use crate::report::quantity::Quantity;
use crate::stats::{Estimate, Measure, TestState, Verdict, rate};

impl Two<'_> {
    pub fn by_measure(&self) -> DataTable {
        let entries = [self.pair.a, self.pair.b].map(|entry| &self.board.entries[entry]);
        let row = |measure: Measure| {
            let [a, b] = entries.map(|it| self.board.own(it, measure));
            (self.board.quantity(measure).name(), [a, b, self.difference(measure)])
        };
        let mut rows: Vec<_> = self.board.measures().map(row).collect();
        let edges = entries.map(|it| it.found.summary.house_edge.filter(|_| self.board.has_money));
        if let [Some(a), Some(b)] = edges {
            rows.push(("house edge", [edge(a), edge(b), exact("")]));
        }
        let of = measured(self.board.quantity(self.board.found.measure));
        let corrected = match self.tested.played_on {
            true => String::new(),
            false => format!(
                " The difference in {of}, which was tested, allows for the test ending the run when it did. All other figures are \
                 means over the deals played, and may overstate the difference a little: they need not differ by exactly as much."
            ),
        };
        let [a, b] = entries.map(|it| it.short.clone());
        let about = format!(
            "Means over all deals played. The differences are taken deal by deal, so they are more precise than \
                 the two intervals beside them suggest.{corrected}"
        );
        DataTable::of("Side by side", about, rows)
            .name("measure", |row| row.0)
            .figure(a, |row| row.1[0].clone())
            .figure(b, |row| row.1[1].clone())
            .figure("difference", |row| row.1[2].clone())
            .done()
    }

    pub fn by_deal(&self) -> DataTable {
        let pair = &self.pair.summary;
        let (a, b, wins, more) = (self.a, self.b, pair.wins, pair.more_cards);
        let rows = [
            (format!("won by {a} only"), wins.a_only),
            (format!("won by {b} only"), wins.b_only),
            ("won by both".into(), wins.both),
            ("won by neither".into(), wins.neither),
            (format!("more cards: {a}"), more.a),
            (format!("more cards: {b}"), more.b),
            ("the same number of cards".into(), more.same),
        ];
        DataTable::of("Deal by deal", "How many of the same deals went to whom.", rows)
            .name("result", |row| row.0.clone())
            .figure("deals", |row| number(row.1))
            .figure("share of deals", |row| percent(rate(row.1, 0, pair.games)))
            .done()
    }

    pub fn test(&self) -> DataTable {
        let tested = self.tested;
        let answer = |found: Verdict, llr: f64| match tested.verdict {
            Some(verdict) if verdict == found => "found",
            _ if llr <= tested.lower => "ruled out",
            _ => "open",
        };
        let of_both = match tested.verdict {
            Some(Verdict::A) => "H1",
            Some(Verdict::B) => "H0",
            Some(Verdict::NoDifference) => "neither",
            None => "open",
        };
        let (a, b) = (tested.standing.llr_a, tested.standing.llr_b);
        let rows = [
            ("H1 (+d) against no difference", a, answer(Verdict::A, a)),
            ("H0 (-d) against no difference", b, answer(Verdict::B, b)),
            ("H1 (+d) against H0 (-d)", tested.llr, of_both),
        ];
        let title = format!(
            "The test after {}: found at {} or more, ruled out at {} or less; error rates {}",
            plural(tested.standing.games, "deal"),
            llr(tested.upper),
            llr(tested.lower),
            rates(&tested.test)
        );
        let about = "Log-likelihood ratios (LLR) of the differences so far, in the normal approximation with the \
             variance of these deals and of two more, one with the greatest possible difference either way. A difference is found once its LLR reaches the upper bound, and \
             ruled out once its LLR falls to the lower bound. The answer is \"no difference\" once both are \
             ruled out.";
        DataTable::of(title, about, rows)
            .name("hypothesis", |row| row.0)
            .figure("LLR", |row| FormattedEstimate::of(row.1, llr(row.1)))
            .figure("answer", |row| row.2)
            .done()
    }

    pub fn spread(&self) -> String {
        let pair = &self.pair.summary;
        let sd = match self.board.found.measure {
            Measure::Cards => format!("{} cards", fixed(pair.cards_sd, 2)),
            Measure::Money => money(pair.money_sd, self.board.casino, false),
            Measure::Wins => {
                let differ = (pair.wins.a_only + pair.wins.b_only) as f64 / pair.games.max(1) as f64;
                return format!("one of the two alone won {} of deals", share(differ));
            }
        };
        format!("the difference of one deal has a standard deviation of {sd}")
    }
}

impl<'a> Board<'a> {
    pub fn ranking(&self) -> DataTable {
        let alike = self.alike();
        let place = |it: &&Named<'_>| {
            let doubt = if alike.iter().any(|pair| pair.has(it)) { "?" } else { "" };
            format!("{}{doubt} {}", it.found.place, it.found.groups)
        };
        let title = "Ranking (places with the same letter cannot be distinguished; ? marks a doubtful one)";
        let about = "Each figure with its own 95% interval. Places and letters follow from the differences of all pairs, \
             deal by deal, not from these.";
        let mut table =
            DataTable::of(title, about, self.ranked()).name("place", place).name("entry", |it| &*it.name);
        for measure in self.measures() {
            table = table.figure(self.quantity(measure).name(), |it| self.own(it, measure));
        }
        let edge_of = |it: &&Named<'_>| it.found.summary.house_edge.map_or(exact("no price"), edge);
        table.figure("house edge", edge_of).when(self.has_money).done()
    }

    pub fn pairs(&self) -> DataTable {
        let tail = self.found.tail();
        let title =
            format!("All pairs (intervals hold for all {} at once, Bonferroni)", self.found.pairs.len());
        let about = "The better placed of each pair less the other, deal by deal. Each interval has an error rate of 5% divided by \
             the number of pairs, so all of them are right at once in 95% of runs.";
        let mut table = DataTable::of(title, about, self.placed())
            .name("better placed", |it| &*it.better.short)
            .name("other", |it| &*it.other.short);
        for measure in self.measures() {
            let of = self.quantity(measure);
            let head = if of == Quantity::Wins { "games won, pp" } else { of.name() };
            table = table.figure(head, |it| {
                let said = of.difference(it.ahead(it.pair.tally.difference(measure, tail)));
                // The head has the unit of percentage points.
                let cut = |text: String| text.replace("\u{a0}pp", "");
                FormattedEstimate { value: cut(said.value), interval: cut(said.interval), ..said }
            });
        }
        table.figure("apart", |it| if it.pair.told_apart { "yes" } else { "no" }).done()
    }

    /// Returns the deals on which the entries differ most: commands that show the best and the worst game of each.
    pub fn shown(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for deal in &self.found.shown {
            // Of more than two entries, those that are farthest apart.
            let by = |entry: usize| match self.found.measure {
                Measure::Cards => (deal.cards[entry], 0),
                Measure::Wins => (deal.won[entry].into(), deal.cards[entry]),
                Measure::Money => (deal.net[entry], deal.cards[entry]),
            };
            let entries = || 0..self.entries.len();
            let best = entries().max_by_key(|&entry| (by(entry), Reverse(entry))).unwrap_or(0);
            let worst = entries().min_by_key(|&entry| (by(entry), entry)).unwrap_or(0);
            let id = deal.id.as_ref().map_or(String::new(), |id| format!("deal {}, ", one_line(id)));
            lines.extend([best, worst].map(|entry| {
                let it = &self.entries[entry];
                let cards = plural(deal.cards[entry].unsigned_abs(), "card");
                let won = if deal.won[entry] { ", won" } else { "" };
                let net = match self.found.measure {
                    Measure::Money => format!(", net {}", cents(deal.net[entry], &it.found.spec.casino)),
                    _ => String::new(),
                };
                format!("{}  # {id}{}: {cards}{won}{net}", deal.replay[entry], it.name)
            }));
        }
        lines
    }
}

/// The running difference is fully visible after this fraction of the deals.
const SETTLED: u64 = 10;

impl Two<'_> {
    /// Draws the path of the test between the regions of its verdicts; `None` before the first block of deals.
    pub fn test_chart(&self) -> Option<Chart> {
        let Two { board, tested, a, b, hues, size, .. } = self;
        let test = &tested.test;
        let first = TestState { games: 0, llr_a: 0.0, llr_b: 0.0, ..tested.standing };
        let states = board.found.course.iter().filter_map(|point| point.standing);
        let states: Vec<TestState> = [first].into_iter().chain(states).collect();
        let last = states.last().filter(|it| it.games > 0)?;
        let end = last.games as f64;
        // The bounds of the verdicts.
        let found_at = |it: &TestState| test.found_at(it.games, it.variance);
        let most = states.iter().map(|it| it.llr().abs().max(found_at(it) * 1.35)).fold(1.0, f64::max) * 1.06;
        let role = match tested.verdict {
            Some(Verdict::A) => hues[0],
            Some(Verdict::B) => hues[1],
            _ => Role::Ink,
        };
        let found = |sign| -> Vec<(f64, f64)> {
            states.iter().map(|it| (it.games as f64, sign * found_at(it))).collect()
        };
        let (upper, lower) = (found(1.0), found(-1.0));
        let mut marks = vec![
            Mark::band(upper.iter().map(|(x, y)| (*x, *y, WHOLE.1)).collect(), hues[0], 0.2),
            Mark::band(lower.iter().map(|(x, y)| (*x, WHOLE.0, *y)).collect(), hues[1], 0.2),
            Mark::thin(upper, hues[0]),
            Mark::thin(lower, hues[1]),
        ];
        let ruled_out = |it: &TestState| Some((it.games as f64, test.ruled_out_at(it.games, it.variance)?));
        let wedge: Vec<(f64, f64)> = states.iter().filter_map(ruled_out).collect();
        if let Some((_, width)) = wedge.last() {
            let side =
                |sign: f64| Mark::thin(wedge.iter().map(|(x, y)| (*x, sign * y)).collect(), Role::Muted);
            marks.push(Mark::band(wedge.iter().map(|(x, y)| (*x, -y, *y)).collect(), Role::Muted, 0.25));
            marks.extend([side(1.0), side(-1.0)]);
            // Only if the wedge is high and long enough for its label.
            if *width > 0.1 * most && end - wedge[0].0 > 0.45 * end {
                let (at, text) = ((WHOLE.1, -0.08 * most), format!("no difference of {size}"));
                marks.push(Mark::note(at, text, Role::Ink, Stand::Left));
            }
        }
        marks.extend([
            Mark::level(0.0, Role::Muted, false),
            Mark::line(states.iter().map(|it| (it.games as f64, it.llr())).collect(), role),
            Mark::dots(vec![(end, last.llr())], role, 11),
            Mark::note((WHOLE.0, WHOLE.1), format!("{a} is better"), hues[0], Stand::Right),
            Mark::note((WHOLE.0, WHOLE.0), format!("{b} is better"), hues[1], Stand::Right),
        ]);
        let games = tested.standing.games;
        let stands = format!("after {}: {}", plural(games, "deal"), llr(tested.llr));
        // If the run continued, the verdict is not at its end.
        let marker = tested.verdict.filter(|_| games < last.games).map(|_| {
            let label = format!("the test's answer, after {}", plural(games, "deal"));
            Marker::new(games as f64, Role::Muted, label)
        });
        let x = Axis::new("deals played", (0.0, end), 8, |v, _| count(v.round() as u64));
        let y = format!("LLR of \"{a} ahead by {size}\" against \"{b} ahead by {size}\"");
        let title = match tested.verdict {
            Some(Verdict::A) => format!("The test: {a} is better than {b}"),
            Some(Verdict::B) => format!("The test: {b} is better than {a}"),
            Some(Verdict::NoDifference) => format!("The test: no difference of {size} between {a} and {b}"),
            None => format!("The test of {a} against {b}: undecided"),
        };
        Some(Chart {
            name: "test".into(),
            title,
            caption: format!(
                "The log-likelihood ratio (LLR) of \"{a} is ahead by {size}\" against \"{b} is ahead by \
                 {size}\" after each block of deals. It starts at 0. The region where it ends is the \
                 answer; outside all of them there is none yet: {}.",
                self.verdict()
            ),
            keys: vec![Key::line(role, stands)],
            markers: marker.into_iter().collect(),
            ..Chart::plot(x, Axis::new(y, (-most, most), 8, fixed), marks)
        })
    }

    /// Draws the difference as deals accumulate, with its band; `None` before the first block of deals.
    pub fn running_chart(&self) -> Option<Chart> {
        let Two { board, tested, a, b, hues, .. } = self;
        let of = board.measured();
        let unit = of.unit();
        let points = &board.found.course;
        let last = points.last()?;
        let late = points.iter().filter(|it| it.games >= last.games.div_ceil(SETTLED));
        let d = tested.test.difference;
        let marked = [0.0, d, -d].into_iter().chain([tested.estimate.low, tested.estimate.high]);
        let shown = late.flat_map(|it| [it.difference.low, it.difference.high]).chain(marked);
        let range = padded(span(shown.map(|v| v * unit)).unwrap_or((-1.0, 1.0)), 0.08);
        let plain = last.difference;
        let role = match Side::of(plain) {
            Side::House => hues[0],
            Side::Player => hues[1],
            Side::Open => Role::Ink,
        };
        let course: Vec<(f64, Estimate)> =
            points.iter().map(|it| (it.games as f64, scaled(it.difference, unit))).collect();
        let end = last.games as f64;
        let mut marks = [d, -d].map(|at| Mark::level(at * unit, Role::Muted, true)).to_vec();
        marks.push(Mark::level(0.0, Role::Ink, false));
        marks.extend(Mark::curve(&course, role));
        marks.push(Mark::dots(vec![(end, plain.value * unit)], role, 9));
        let stands = format!("after {}: {}", plural(last.games, "deal"), of.difference(plain).both());
        let mut keys = vec![Key::line(role, stands), Key::area(role, 0.28, "95% interval")];
        let corrected = of.difference(tested.estimate);
        let mut told = String::new();
        if !tested.played_on {
            let at_end = scaled(tested.estimate, unit);
            marks.push(Mark::limits(end, at_end, Role::Ink, 5));
            marks.push(Mark::line(vec![(end * 0.985, at_end.value), (end, at_end.value)], Role::Ink));
            keys.push(Key::upright(Role::Ink, format!("corrected for stopping: {}", corrected.value)));
            told =
                format!(" The mark at the end is the estimate corrected for stopping: {}.", corrected.both());
        }
        let what = of.of_a_game();
        let ahead = |by: Estimate| of.difference(by).value.replace('+', "");
        let title = match Side::of(tested.estimate) {
            Side::House => format!("{a} is {}{what} ahead of {b}", ahead(tested.estimate)),
            Side::Player => format!("{b} is {}{what} ahead of {a}", ahead(-tested.estimate)),
            Side::Open => format!("{a} and {b} cannot be distinguished: {}{what}", corrected.value),
        };
        let x = Axis::new("deals played", (0.0, end), 8, |v, _| count(v.round() as u64));
        let y = Axis::new(format!("above 0: {a} ahead; below 0: {b} ahead"), range, 6, |v, d| {
            of.tick(v, d).replace('%', " pp")
        });
        Some(Chart {
            name: "running-difference".into(),
            title: upper_first(&title),
            caption: format!(
                "The mean difference over the deals so far (line) with the 95% interval that a run of that \
                 length has if its length was fixed beforehand (band). Above 0 {a} is ahead, below it {b}; \
                 the dashed lines are {} either way.{told}",
                self.size
            ),
            keys,
            ..Chart::plot(x, y, marks)
        })
    }

    pub fn differences_chart(&self) -> Chart {
        let Two { a, b, hues, .. } = self;
        let summary = &self.pair.summary;
        let games = summary.games.max(1) as f64;
        let percent = |deals: u64| deals as f64 / games * 100.0;
        let differ = summary.card_differences.iter().filter(|(x, _)| *x != 0);
        let highest = differ.clone().map(|&(_, deals)| percent(deals)).fold(0.0, f64::max);
        let same = percent(summary.more_cards.same);
        // The bar of deals without a difference says little, and is cut if it would dwarf the others.
        let cut = highest > 0.0 && same > 1.6 * highest;
        let top = if cut { 1.3 * highest } else { (highest.max(same).max(0.01) * 1.04).min(100.0) };
        let reach = differ.map(|(x, _)| x.unsigned_abs()).max().unwrap_or(1).max(5) as f64 + 1.0;
        let bar = |&(x, deals): &(i64, u64)| {
            let role = match x.cmp(&0) {
                Ordering::Greater => hues[0],
                Ordering::Less => hues[1],
                Ordering::Equal => Role::Muted,
            };
            Bar { x: (x as f64 - 0.42, x as f64 + 0.42), y: (0.0, percent(deals)), role, shade: 1.0 }
        };
        let marks = vec![Mark::Bars(summary.card_differences.iter().map(bar).collect())];
        let more = &summary.more_cards;
        let [a_more, b_more, equal] = [more.a, more.b, more.same].map(|deals| share(deals as f64 / games));
        let mean = difference(summary.cards).both();
        let x = Axis::new(format!("cards of {a} − cards of {b}"), (-reach, reach), 12, |v, d| {
            let text = fixed(v, d);
            if v > 0.0 { format!("+{text}") } else { text }
        });
        let y = Axis::percent("share of deals, %", (0.0, top), 5);
        Chart {
            name: "differences".into(),
            title: upper_first(&format!("{a} brought up more cards on {a_more} of deals, {b} on {b_more}")),
            caption: format!(
                "How often the two differed by each number of cards on the same deal. The mean difference is {mean}."
            ),
            keys: vec![
                Key::area(hues[0], 1.0, format!("{a} more: {a_more}")),
                Key::area(hues[1], 1.0, format!("{b} more: {b_more}")),
                Key::area(Role::Muted, 1.0, format!("equal: {equal}{}", if cut { " (bar cut)" } else { "" })),
            ],
            markers: vec![Marker::new(summary.cards.value, Role::Ink, format!("mean {mean}"))],
            ..Chart::plot(x, y, marks)
        }
    }
}

impl Board<'_> {
    pub fn ranking_chart(&self) -> Chart {
        let of = self.measured();
        let ranked = self.ranked();
        let rows: Vec<Row> = ranked
            .iter()
            .map(|it| {
                let e = scaled(it.found.summary.by(self.found.measure), of.unit());
                let said = self.own(it, self.found.measure);
                Row::new(format!("{} ({})", it.name, it.found.groups), e, it.hue, said)
            })
            .collect();
        let what = measured(of);
        let best = upper_first(&ranked[0].name);
        let said = &rows[0].said.value;
        let title = match self.alike().iter().any(|pair| pair.has(ranked[0])) {
            false => format!("{best} is the best by {what}: {said}"),
            true => format!("{best} leads by {what} ({said}), but not beyond doubt"),
        };
        let label = format!("{what}, mean of all deals");
        let x = Axis::new(label, range(&rows, 0.08, None), 8, |v, d| of.tick(v, d));
        Chart {
            name: "ranking".into(),
            title,
            caption: "The best at the top, each mean (line) with its own 95% interval (box). Entries that share a letter \
                      cannot be distinguished, whatever their places. The letters follow from the differences deal by deal, \
                      which are more precise than these intervals."
                .into(),
            ..Chart::rows(x, rows, of.unit_name(), Vec::new())
        }
    }

    pub fn pairs_chart(&self) -> Chart {
        let of = self.measured();
        let row = |it: Placed<'_>| {
            let e = it.ahead(it.pair.adjusted);
            // Distinguishable pairs have the colour of the better entry.
            let role = if it.pair.told_apart { it.better.hue } else { Role::Muted };
            let name = less(&it.better.name, &it.other.name);
            Row::new(name, scaled(e, of.unit()), role, of.difference(e))
        };
        let rows: Vec<Row> = self.placed().into_iter().map(row).collect();
        let (all, open) = (rows.len(), self.alike().len());
        let title = match open {
            0 => "Every pair can be distinguished".to_string(),
            n if n == all => "No pair can be distinguished".into(),
            n => format!("{} of {all} pairs can be distinguished", all - n),
        };
        let range = range(&rows, 0.06, Some(0.0));
        let x = Axis::new("difference; 0: no difference", range, 8, |v, d| of.tick(v, d));
        Chart {
            name: "pairs".into(),
            title,
            caption: "How much the better placed of each pair is ahead of the other, deal by deal, with intervals that hold for \
                      all pairs at once in 95% of runs (Bonferroni). A pair whose interval crosses 0 (grey) cannot be \
                      distinguished; any other has the colour of the better."
                .into(),
            ..Chart::rows(x, rows, of.unit_name(), vec![Mark::upright(0.0, Role::Ink, false)])
        }
    }
}

fn range(rows: &[Row], share: f64, with: Option<f64>) -> (f64, f64) {
    let all = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]).chain(with);
    let (low, high) = padded(span(all).unwrap_or((0.0, 1.0)), share);
    if high - low < 1e-9 { (low - 1.0, high + 1.0) } else { (low, high) }
}
