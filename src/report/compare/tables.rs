//! The tables of a comparison.

use std::cmp::Reverse;

use super::findings::{llr, rates};
use super::{Board, Named, Two, measured};
use crate::format::{FormattedEstimate, edge, fixed, money, number, one_line, percent, plural, share};
use crate::report::cents;
use crate::report::quantity::Quantity;
use crate::report::table::{DataTable, exact};
use crate::stats::{Measure, Verdict, rate};

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

    /// Describes how much deals differ.
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
