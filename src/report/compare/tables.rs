//! The tables of a comparison.

use super::CompareReport;
use super::ranking::{Ranking, own};
use super::words::{llr, rates, said};
use crate::figures::{
    FormattedEstimate, difference, edge, fixed, gain_estimate, mean, number, one_line, percent, plural,
    points, share,
};
use crate::lab::Tested;
use crate::report::table::{DataTable, exact, figure, name};
use crate::rules::Casino;
use crate::stats::{Measure, PairSummary, TAIL, Verdict, rate};

/// An entry's mean by a measure, with the interval of that entry alone.
fn of_entry(report: &CompareReport<'_>, entry: usize, measure: Measure) -> FormattedEstimate {
    let Some(it) = report.entries.get(entry) else { return exact("") };
    let summary = it.entry.summary;
    match measure {
        Measure::Cards => mean(summary.cards),
        Measure::Wins => percent(summary.win_rate),
        Measure::Money => gain_estimate(summary.net, &it.entry.rules.casino),
    }
}

/// Names for heads of columns: cut in their middle where they are long, unless two would then be alike.
pub(super) fn short_apart(names: &[String]) -> Vec<String> {
    let cut: Vec<String> = names.iter().map(|name| short(name)).collect();
    let alike = |i: usize| (0..i).any(|j| cut[i] == cut[j] && names[i] != names[j]);
    if (0..cut.len()).any(alike) { names.to_vec() } else { cut }
}

fn short(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    if chars.len() <= 20 {
        return name.to_string();
    }
    let (head, tail) = (&chars[..9], &chars[chars.len() - 8..]);
    head.iter().chain(&['.'; 3]).chain(tail).collect()
}

/// Two entries by every measure.
pub(super) fn by_measure(
    report: &CompareReport<'_>,
    tested: &Tested,
    pair: &PairSummary,
    names: &[String],
) -> DataTable {
    let casino = &report.entries[0].entry.rules.casino;
    let row = |measure: Measure, what: &str| {
        let mut row = vec![exact(what)];
        row.extend((0..2).map(|entry| of_entry(report, entry, measure)));
        // Of what was tested there is one figure, which allows for when the test ended.
        let of_test = measure == report.measure;
        row.push(said(measure, if of_test { tested.estimate } else { pair.by(measure) }, casino));
        row
    };
    let mut rows = vec![row(Measure::Cards, "cards"), row(Measure::Wins, "games won")];
    if report.has_money() {
        rows.push(row(Measure::Money, "player's net"));
        let edges: Vec<_> = report.entries.iter().filter_map(|it| it.entry.summary.house_edge).collect();
        if let [a, b] = edges[..] {
            rows.push(vec![exact("house edge"), edge(a), edge(b), exact("")]);
        }
    }
    let cut = short_apart(names);
    let [a, b] = [0, 1].map(|i| cut[i].clone());
    let of = match report.measure {
        Measure::Cards => "cards",
        Measure::Wins => "games won",
        Measure::Money => "the player's net",
    };
    let corrected = match tested.played_on {
        true => String::new(),
        false => format!(
            " The difference in {of}, which was tested, allows for the test ending the run when it did. All other figures are \
             means over the deals played, and may overstate the difference a little: they need not differ by exactly as much."
        ),
    };
    DataTable::new(
        "Side by side",
        format!(
            "Means over all deals played. The differences are taken deal by deal, so they are more precise than \
             the two intervals beside them suggest.{corrected}"
        ),
        vec![name("measure"), figure(a), figure(b), figure("difference")],
        rows,
    )
}

/// Deals by who won them, and by who had more cards.
pub(super) fn by_deal(pair: &PairSummary, names: &[String]) -> DataTable {
    let row = |what: String, deals: u64| {
        let of = percent(rate(deals, 0, pair.games));
        vec![exact(what), number(deals), of]
    };
    let [a, b] = [&names[0], &names[1]];
    let (wins, more) = (pair.wins, pair.more_cards);
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

/// What the test was asked and what it says.
pub(super) fn test(tested: &Tested) -> DataTable {
    let (test, state) = (&tested.test, &tested.standing);
    let answer = |found: Verdict, llr: f64| match (tested.verdict, llr) {
        (Some(verdict), _) if verdict == found => "found",
        (_, llr) if llr <= test.lower() => "ruled out",
        _ => "open",
    };
    let ratio = |x: f64| FormattedEstimate::of(x, llr(x));
    let row = |what: String, x: f64, found| vec![exact(what), ratio(x), exact(answer(found, x))];
    let rows = vec![
        row("H1 (+d) against no difference".into(), state.llr_a, Verdict::A),
        row("H0 (-d) against no difference".into(), state.llr_b, Verdict::B),
        vec![
            exact("H1 (+d) against H0 (-d)"),
            ratio(state.llr()),
            exact(match tested.verdict {
                Some(Verdict::A) => "H1",
                Some(Verdict::B) => "H0",
                Some(Verdict::NoDifference) => "neither",
                None => "open",
            }),
        ],
    ];
    DataTable::new(
        format!(
            "The test after {}: found at {} or more, ruled out at {} or less; error rates {}",
            plural(state.games, "deal"),
            llr(test.upper()),
            llr(test.lower()),
            rates(test)
        ),
        "Log-likelihood ratios (LLR) of the differences so far, in the normal approximation with the \
             variance measured so far. A difference is found once its LLR reaches the upper bound, and \
             ruled out once its LLR falls to the lower bound. The answer is \"no difference\" once both are \
             ruled out.",
        vec![name("hypothesis"), figure("LLR"), figure("answer")],
        rows,
    )
}

/// Every pair of several entries, its first the better placed.
pub(super) fn pairs(report: &CompareReport<'_>, ranking: &Ranking, names: &[String]) -> DataTable {
    let tail = report.tail();
    let casino = &report.entries[0].entry.rules.casino;
    let money = report.has_money();
    let mut heads = vec![name("better placed"), name("other"), figure("cards"), figure("games won, pp")];
    if money {
        heads.push(figure("player's net"));
    }
    heads.push(figure("apart"));
    let cut = short_apart(names);
    let mut rows = Vec::new();
    for (place, &a) in ranking.order.iter().enumerate() {
        for &b in &ranking.order[place + 1..] {
            let Some(pair) = report.compared.pairs.iter().find(|it| (it.a, it.b) == (a.min(b), a.max(b)))
            else {
                continue;
            };
            let summary = pair.tally.summary(tail);
            // Of the better placed less the other, whichever was named first.
            let turned = a > b;
            let of = |measure: Measure| {
                let e = summary.by(measure);
                if turned { flipped(e) } else { e }
            };
            let mut row = vec![
                exact(cut[a].clone()),
                exact(cut[b].clone()),
                difference(of(Measure::Cards)),
                bare(points(of(Measure::Wins))),
            ];
            if money {
                row.push(gain_estimate(of(Measure::Money), casino));
            }
            row.push(exact(if ranking.alike.contains(&(a, b)) { "no" } else { "yes" }));
            rows.push(row);
        }
    }
    DataTable::new(
        format!("All pairs (intervals hold for all {} at once, Bonferroni)", rows.len()),
        "The better placed of each pair less the other, deal by deal. Each interval has an error rate of 5% divided by \
                the number of pairs, so all of them are right at once in 95% of runs.",
        heads,
        rows,
    )
}

/// Percentage points without their unit, which stands in the head of the column.
fn bare(said: FormattedEstimate) -> FormattedEstimate {
    let cut = |text: String| text.replace("\u{a0}pp", "");
    FormattedEstimate { value: cut(said.value), interval: cut(said.interval), ..said }
}

/// An estimate seen from the other side.
pub(super) fn flipped(e: crate::stats::Estimate) -> crate::stats::Estimate {
    crate::stats::Estimate { value: -e.value, low: -e.high, high: -e.low }
}

/// Several entries from the best to the worst.
pub(super) fn ranking(report: &CompareReport<'_>, ranking: &Ranking, names: &[String]) -> DataTable {
    let money = report.has_money();
    let mut heads = vec![name("place"), name("entry"), figure("cards"), figure("games won")];
    if money {
        heads.extend([figure("player's net"), figure("house edge")]);
    }
    let rows = ranking.order.iter().map(|&entry| {
        let level = |&&(a, b): &&(usize, usize)| a == entry || b == entry;
        let doubtful = ranking.alike.iter().any(|pair| level(&pair));
        let place = ranking.order.iter().position(|&it| it == entry).map_or(0, |place| place + 1);
        let doubt = if doubtful { "?" } else { "" };
        let place = format!("{place}{doubt} {}", ranking.letters[entry]);
        let mut row = vec![exact(place), exact(names[entry].clone())];
        row.extend([Measure::Cards, Measure::Wins].map(|measure| of_entry(report, entry, measure)));
        if money {
            row.push(of_entry(report, entry, Measure::Money));
            let it = report.entries[entry].entry.summary.house_edge;
            row.push(it.map_or_else(|| exact("no price"), edge));
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

/// The deals on which the entries differ most, as commands that show them.
pub(super) fn shown(report: &CompareReport<'_>, names: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    for deal in &report.compared.shown {
        // Of more than two, those that are farthest apart.
        let by = |entry: usize| -> (i64, i64) {
            let cards = deal.cards[entry];
            match report.measure {
                Measure::Cards => (cards, 0),
                Measure::Wins => (deal.won[entry].into(), cards),
                Measure::Money => (deal.net[entry], cards),
            }
        };
        let entries = || 0..deal.cards.len();
        let best = entries().max_by_key(|&entry| (by(entry), std::cmp::Reverse(entry))).unwrap_or(0);
        let worst = entries().min_by_key(|&entry| (by(entry), entry)).unwrap_or(0);
        for entry in [best, worst] {
            let said = outcome(deal.cards[entry], deal.won[entry], deal.net[entry], report, entry);
            let id = report.deal_id(deal.game).map_or(String::new(), |id| format!("deal {}, ", one_line(id)));
            lines.push(format!(
                "{} --game {}  # {id}{}: {said}",
                report.entries[entry].replay, deal.game, names[entry]
            ));
        }
    }
    lines
}

fn outcome(cards: i64, won: bool, net: i64, report: &CompareReport<'_>, entry: usize) -> String {
    let casino: &Casino = &report.entries[entry].entry.rules.casino;
    let won = if won { ", won" } else { "" };
    let net = match report.measure {
        Measure::Money => format!(", net {}", crate::report::cents(net, casino)),
        _ => String::new(),
    };
    format!("{}{won}{net}", plural(cards.unsigned_abs(), "card"))
}

/// Share of deals as text, and the standard deviation of a difference.
pub(super) fn spread(report: &CompareReport<'_>, pair: &PairSummary) -> String {
    let (sd, unit) = match report.measure {
        Measure::Cards => (fixed(pair.cards_sd, 2), " cards"),
        Measure::Money => {
            (crate::figures::money(pair.money_sd, &report.entries[0].entry.rules.casino, false), "")
        }
        Measure::Wins => {
            let differ = (pair.wins.a_only + pair.wins.b_only) as f64 / pair.games.max(1) as f64;
            return format!("one of the two alone won {} of deals", share(differ));
        }
    };
    format!("the difference of one deal has a standard deviation of {sd}{unit}")
}

/// The mean of one entry alone with its name, for a card.
pub(super) fn alone(report: &CompareReport<'_>, entry: usize) -> FormattedEstimate {
    match own(report, entry) {
        Some(_) => of_entry(report, entry, report.measure),
        None => exact(""),
    }
}

/// The tail of each interval when two are compared.
pub(super) const PLAIN: f64 = TAIL;
