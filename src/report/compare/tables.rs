//! The tables of a comparison.

use std::cmp::Reverse;

use super::findings::{llr, rates};
use super::{Board, Two, measured};
use crate::format::{
    FormattedEstimate, difference, edge, fixed, gain_estimate, money, number, one_line, percent, plural,
    points, share,
};
use crate::report::cents;
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::{Measure, Verdict, rate};

impl Two<'_> {
    /// Builds the table of two entries by every measure.
    pub fn by_measure(&self) -> DataTable {
        let entries = [self.pair.a, self.pair.b].map(|entry| &self.board.entries[entry]);
        let row = |measure: Measure| {
            let [a, b] = entries.map(|it| self.board.own(it, measure));
            vec![exact(measured(measure).trim_start_matches("the ")), a, b, self.difference(measure)]
        };
        let mut rows: Vec<_> = self.board.measures().map(row).collect();
        if let ([Some(a), Some(b)], true) =
            (entries.map(|it| it.found.summary.house_edge), self.board.has_money)
        {
            rows.push(vec![exact("house edge"), edge(a), edge(b), exact("")]);
        }
        let of = measured(self.board.found.measure);
        let corrected = match self.tested.played_on {
            true => String::new(),
            false => format!(
                " The difference in {of}, which was tested, allows for the test ending the run when it did. All other figures are \
                 means over the deals played, and may overstate the difference a little: they need not differ by exactly as much."
            ),
        };
        let [a, b] = entries.map(|it| figure(it.short.clone()));
        DataTable::new(
            "Side by side",
            format!(
                "Means over all deals played. The differences are taken deal by deal, so they are more precise than \
                 the two intervals beside them suggest.{corrected}"
            ),
            vec![name("measure"), a, b, figure("difference")],
            rows,
        )
    }

    /// Builds the table of deals by winner, and by who had more cards.
    pub fn by_deal(&self) -> DataTable {
        let pair = &self.pair.summary;
        let row = |what: String, deals| vec![exact(what), number(deals), percent(rate(deals, 0, pair.games))];
        let (a, b, wins, more) = (self.a, self.b, pair.wins, pair.more_cards);
        DataTable::new(
            "Deal by deal",
            "How many of the same deals went to whom.",
            vec![name("result"), figure("deals"), figure("share of deals")],
            vec![
                row(format!("won by {a} only"), wins.a_only),
                row(format!("won by {b} only"), wins.b_only),
                row("won by both".into(), wins.both),
                row("won by neither".into(), wins.neither),
                row(format!("more cards: {a}"), more.a),
                row(format!("more cards: {b}"), more.b),
                row("the same number of cards".into(), more.same),
            ],
        )
    }

    /// Builds the table of the test and its result.
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
        let row =
            |what: &str, x: f64, answer| vec![exact(what), FormattedEstimate::of(x, llr(x)), exact(answer)];
        DataTable::new(
            format!(
                "The test after {}: found at {} or more, ruled out at {} or less; error rates {}",
                plural(tested.standing.games, "deal"),
                llr(tested.upper),
                llr(tested.lower),
                rates(&tested.test)
            ),
            "Log-likelihood ratios (LLR) of the differences so far, in the normal approximation with the \
             variance measured so far. A difference is found once its LLR reaches the upper bound, and \
             ruled out once its LLR falls to the lower bound. The answer is \"no difference\" once both are \
             ruled out.",
            vec![name("hypothesis"), figure("LLR"), figure("answer")],
            vec![
                row("H1 (+d) against no difference", a, answer(Verdict::A, a)),
                row("H0 (-d) against no difference", b, answer(Verdict::B, b)),
                row("H1 (+d) against H0 (-d)", tested.llr, of_both),
            ],
        )
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

impl Board<'_> {
    /// Builds the table of several entries from the best to the worst.
    pub fn ranking(&self) -> DataTable {
        let mut heads = vec![name("place"), name("entry"), figure("cards"), figure("games won")];
        if self.has_money {
            heads.extend([figure("player's net"), figure("house edge")]);
        }
        let rows = self.ranked().into_iter().map(|it| {
            let doubtful = self.alike().iter().any(|pair| pair.has(it));
            let doubt = if doubtful { "?" } else { "" };
            let place = format!("{}{doubt} {}", it.found.place, it.found.groups);
            let mut row = vec![exact(place), exact(it.name.clone())];
            row.extend(self.measures().map(|measure| self.own(it, measure)));
            if self.has_money {
                row.push(it.found.summary.house_edge.map_or_else(|| exact("no price"), edge));
            }
            row
        });
        DataTable::new(
            "Ranking (places with the same letter cannot be distinguished; ? marks a doubtful one)",
            "Each figure with its own 95% interval. Places and letters follow from the differences of all pairs, \
             deal by deal, not from these.",
            heads,
            rows,
        )
    }

    /// Builds the table of every pair, the better-ranked entry first.
    pub fn pairs(&self) -> DataTable {
        let mut heads = vec![name("better placed"), name("other"), figure("cards"), figure("games won, pp")];
        if self.has_money {
            heads.push(figure("player's net"));
        }
        heads.push(figure("apart"));
        let tail = self.found.tail();
        let rows = self.placed().into_iter().map(|it| {
            let mut row = vec![exact(it.better.short.clone()), exact(it.other.short.clone())];
            row.extend(self.measures().map(|measure| {
                let e = it.ahead(it.pair.tally.difference(measure, tail));
                match measure {
                    Measure::Cards => difference(e),
                    Measure::Wins => bare(points(e)),
                    Measure::Money => gain_estimate(e, self.casino),
                }
            }));
            row.push(exact(if it.pair.told_apart { "yes" } else { "no" }));
            row
        });
        DataTable::new(
            format!("All pairs (intervals hold for all {} at once, Bonferroni)", self.found.pairs.len()),
            "The better placed of each pair less the other, deal by deal. Each interval has an error rate of 5% divided by \
             the number of pairs, so all of them are right at once in 95% of runs.",
            heads,
            rows,
        )
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

/// Removes the unit of percentage points, which is in the column head.
fn bare(said: FormattedEstimate) -> FormattedEstimate {
    let cut = |text: String| text.replace("\u{a0}pp", "");
    FormattedEstimate { value: cut(said.value), interval: cut(said.interval), ..said }
}
