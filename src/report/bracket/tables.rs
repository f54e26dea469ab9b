//! The tables of brackets: the bounds, what their width is made of, and every player.

use super::{BOUND, BracketPoint, BracketReport};
use crate::figures::{FormattedEstimate, Number, edge, gain_estimate, mean, number, percent, rounded, share};
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::{Brackets, Estimate, Measure, Summary};

/// Both bounds of every measure.
pub(super) fn brackets(report: &BracketReport<'_>) -> DataTable {
    let names = report.names();
    let several = report.points.len() > 1;
    let mut rows = Vec::new();
    for point in &report.points {
        for (best, bracket, shown) in point.figures() {
            let best = names.get(best).cloned().unwrap_or_default();
            let mut row = if several { vec![exact(point.label(report))] } else { Vec::new() };
            row.push(exact(shown.name()));
            row.extend([bound(shown.say(bracket.lower)), bound(shown.say(bracket.upper)), exact(best)]);
            rows.push(row);
        }
    }
    let mut heads = if several { vec![name("rules")] } else { Vec::new() };
    heads.extend([name("figure"), figure("at least"), figure("at most"), name("best player")]);
    DataTable::new(
        "Optimal play lies between",
        "For cards, games won and the player's net, \u{201c}at least\u{201d} is what the best of the players reached, and \u{201c}at most\u{201d} what the \
         same deals allow a player who knows every card. For the house edge it is the other way round.",
        heads,
        rows,
    )
}

/// Every ruleset against every player, and the upper bound: of the house edge, or of cards.
pub(super) fn by_player(report: &BracketReport<'_>, measure: Measure) -> DataTable {
    let money = measure == Measure::Money;
    let rows = report.points.iter().map(|point| {
        let of = |s: &Summary| match s.house_edge.filter(|_| money) {
            Some(of) => edge(of),
            None => mean(s.cards),
        };
        let Brackets { cards, house_edge, .. } = point.brackets;
        let most = match house_edge.filter(|_| money) {
            Some(of) => edge(of.lower),
            None => mean(cards.upper),
        };
        let players = point.summaries.iter().map(of);
        let rules = if point.value.is_some() { point.label(report) } else { point.id.into() };
        std::iter::once(exact(rules)).chain(players).chain([bound(most)]).collect::<Vec<_>>()
    });
    let rows: Vec<Vec<_>> = rows.collect();
    let mut heads = vec![name("rules")];
    heads.extend(report.names().into_iter().map(figure));
    heads.push(figure(BOUND));
    let (title, of) = match money {
        true => ("House edge against each player", "what the casino keeps of the deck's price"),
        false => ("Mean cards of each player", "the mean of cards on the foundations"),
    };
    DataTable::new(
        title,
        format!(
            "For each ruleset {of}, all players on the same deals. The last column is no player but a bound: what one who knows \
             every card could reach, so that nobody reaches more; where the solver refuses the rules, all cards count as \
             brought up."
        ),
        heads,
        rows,
    )
}

/// A bound that the rules themselves give has no interval.
fn bound(said: FormattedEstimate) -> FormattedEstimate {
    match said.number {
        Some(Number::Estimate(Estimate { value, low, high })) if low == value && value == high => {
            FormattedEstimate { interval: String::new(), ..said }
        }
        _ => said,
    }
}

/// What the width of every bracket is made of.
pub(super) fn widths(report: &BracketReport<'_>) -> DataTable {
    let several = report.points.len() > 1;
    let mut rows = Vec::new();
    for point in &report.points {
        for (_, bracket, shown) in point.figures() {
            let width = bracket.width;
            let mut row = if several { vec![exact(point.label(report))] } else { Vec::new() };
            row.push(exact(shown.name()));
            let parts = [width.total, width.sampling, width.undecided, width.hidden];
            row.extend(parts.map(|part| FormattedEstimate::of(shown.number(part), shown.length(part))));
            rows.push(row);
        }
    }
    let mut heads = if several { vec![name("rules")] } else { Vec::new() };
    heads.push(name("figure"));
    let parts = ["width", "sampling error", "undecided deals", "hidden cards"];
    heads.extend(parts.map(figure));
    DataTable::new(
        "What the width is made of",
        "From the lower limit of one bound to the upper limit of the other. More deals make the sampling error smaller, more \
         positions a deal (--nodes) what undecided deals add. The rest is how much more a player who knows every card reaches than the best player here; where the solver refuses the rules, how much more they allow. How much of that is within reach of a player who does not know the cards, these games cannot tell.",
        heads,
        rows,
    )
}

/// Every player of one ruleset, the weakest first.
pub(super) fn ladder(report: &BracketReport<'_>, point: &BracketPoint<'_>) -> DataTable {
    let names = report.names();
    let edges = point.summaries.iter().any(|s| s.house_edge.is_some());
    let paid = edges || point.gain().is_some();
    let money = |s: &crate::stats::Summary| match s.house_edge {
        Some(of) => edge(of),
        None => gain_estimate(s.net, &point.spec.casino),
    };
    let mut rows = Vec::new();
    for place in order(point) {
        let (summary, choosing) = (&point.summaries[place], &point.choosing[place]);
        let mut row = vec![exact(names.get(place).cloned().unwrap_or_default()), mean(summary.cards)];
        row.push(percent(summary.win_rate));
        row.extend(paid.then(|| money(summary)));
        row.push(if choosing.games == 0 { exact("") } else { rounded(choosing.cards.value, 2) });
        rows.push(row);
    }
    let all = &point.brackets;
    let mut last = vec![exact(BOUND), bound(mean(all.cards.upper)), bound(percent(all.wins.upper))];
    if paid {
        last.push(match (all.house_edge, edges) {
            (Some(of), _) => bound(edge(of.lower)),
            (None, true) => exact("not known"),
            (None, false) => bound(gain_estimate(all.net.upper, &point.spec.casino)),
        });
    }
    last.push(exact(""));
    rows.push(last);
    let mut heads = vec![name("player"), figure("cards"), figure("games won")];
    heads.extend(paid.then(|| figure(if edges { "house edge" } else { "player's net" })));
    heads.push(figure("cards when choosing"));
    DataTable::new(
        "The players, the weakest first, and the upper bound",
        "All on the same deals. The last column is the mean number of cards on other deals, by which the best player was chosen; no other figure uses them, and the best there may not be the best here. The last row is no player but the upper bound: what one who knows every card could reach. Deals that were not decided count there at the most that is not ruled out.",
        heads,
        rows,
    )
}

/// Players by their mean cards.
pub(super) fn order(point: &BracketPoint<'_>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..point.summaries.len()).collect();
    order.sort_by(|&a, &b| point.summaries[a].cards.value.total_cmp(&point.summaries[b].cards.value));
    order
}

/// How many deals of a ruleset were not decided, as a figure.
pub(super) fn undecided(point: &BracketPoint<'_>) -> FormattedEstimate {
    match point.undecided() {
        0 => exact("none"),
        some => {
            let part = share(some as f64 / point.found.deals().max(1) as f64);
            FormattedEstimate { value: format!("{} ({part})", number(some).value), ..number(some) }
        }
    }
}
