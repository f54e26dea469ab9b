//! Tables of a plan: the rulesets side by side, the players, the PAR sheet, the pay table and a season.

use super::findings::{
    Report, SECONDS_A_MOVE, against_target, best_decks, dollars, no_round_price, rules_of, share_of, sum,
    wins,
};
use crate::chart::scaled;
use crate::format::{
    FormattedEstimate, Number, count, edge, fixed, gain_estimate, mean, money_estimate, number, percent,
    plural, rounded,
};
use crate::lab::{PlannedPlayer, PlannedRules};
use crate::report::bankroll::{decks_estimate, risk, risk_of_bank};
use crate::report::labels::percent_text;
use crate::report::patrons::{details, tenths, volatility_label};
use crate::report::rules_in_words::rules_in_words;
use crate::report::table::{DataTable, exact};
use crate::stats::{self, Estimate, House, PayRow, Tally, short_pay_table, summarize};

pub(super) const PLAYERS: &str = "What players leave the house";
pub(super) const PAR_SHEET: &str = "PAR sheet";
pub(super) const PAY_TABLE: &str = "Pay table";
pub(super) const BY_CARD: &str = "Pay table by card";
/// The column of the pay tables with the share of decks, and that of a player alone.
pub(super) const SHARE: &str = "share of decks";

/// Names the column of a player's own share of decks.
pub(super) fn share_alone(name: &str) -> String {
    format!("{SHARE}, {name}")
}

fn minutes(rules: &PlannedRules) -> FormattedEstimate {
    let of = |(share, tally): (f64, &Tally)| share * tally.moves() as f64 / tally.games().max(1) as f64;
    rounded(rules.mix().map(of).sum::<f64>() * SECONDS_A_MOVE / 60.0, 1)
}

fn mean_cards(rules: &PlannedRules) -> FormattedEstimate {
    mean(rules.of_mix(|tally| summarize(tally, rules.spec(), Vec::new()).cards))
}

fn payout(rules: &PlannedRules) -> Estimate {
    rules.of_mix(|tally| House::new(tally, rules.casino()).payout())
}

pub(super) fn side_by_side(report: &Report<'_>) -> DataTable {
    let outside = report.plan.rulesets.iter().filter_map(|rules| {
        let place = against_target(report, rules.edge);
        let why = no_round_price(report, rules).map_or(String::new(), |why| format!(": {why}"));
        let told = !place.starts_with("within") || !why.is_empty();
        told.then(|| format!(" The edge of {} is {place}{why}.", rules_of(rules)))
    });
    let outside: String = outside.collect();
    let about = format!(
        "Each at its own price, with its own 95% intervals. Wins, cards and minutes are those of the mix; the best player is the one whom the house gains \
             least of.{outside}"
    );
    DataTable::of("The rulesets side by side", about, &report.plan.rulesets)
        .name("rules", |it| rules_of(it))
        .figure("price", |it| sum(it, it.price as f64))
        .figure("edge of the mix", |it| edge(it.edge))
        .figure("edge, best player", |it| edge(it.players[it.strongest()].edge()))
        .figure("games won", |it| percent(wins(it, 1)))
        .figure("cards", |it| mean_cards(it))
        .figure("minutes", |it| minutes(it))
        .figure("profit of a night", |it| gain_estimate(it.bankroll.profit, it.casino()))
        .figure("losing nights", |it| risk(it.bankroll.losing_night))
        .done()
}

pub(super) fn players(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let casino = rules.casino();
    // Shares keep the digits of the input.
    let share = |share: f64| match report.rules.has_visits() {
        true => FormattedEstimate::of(share, tenths(share)),
        false => FormattedEstimate::of(share, percent_text(share)),
    };
    // `None` is the mix.
    let rows = report.names.iter().zip(&rules.players).map(Some).chain([None]);
    let found = |player: &PlannedPlayer| summarize(&player.patron.tally, rules.spec(), Vec::new());
    let patrons = rules.players.iter().map(|it| &it.patron);
    let about = match report.rules.has_visits() {
        true => {
            "The house edge against each player alone, what that is a deck, and how well they play. Shares are those of a night."
        }
        false => "The house edge against each player alone, what that is a deck, and how well they play.",
    };
    let table = DataTable::of(PLAYERS, about, rows)
        .name("player", |it| it.map_or("the mix".into(), |(called, _)| called.clone()));
    details(table, patrons, |it| it.map(|(_, it)| &it.patron))
        .figure(SHARE, |it| match it {
            Some((_, it)) if it.patron.share > 0.0 => share(it.patron.share_of_night),
            Some(_) => exact("-"),
            None => share(1.0),
        })
        .figure("house edge", |it| edge(it.map_or(rules.edge, |(_, it)| it.edge())))
        .figure("house gains a deck", |it| {
            gain_estimate(it.map_or_else(|| rules.gain(), |(_, it)| it.gain()), casino)
        })
        .figure("games won", |it| percent(it.map_or_else(|| wins(rules, 1), |(_, it)| found(it).win_rate)))
        .figure("cards", |it| it.map_or_else(|| mean_cards(rules), |(_, it)| mean(found(it).cards)))
        .figure("games measured", |it| {
            let all = || rules.mix().map(|(_, tally)| tally.games()).sum();
            number(it.map_or_else(all, |(_, it)| it.patron.tally.games()))
        })
        .done()
}

fn rtp(rules: &PlannedRules) -> Estimate {
    let e = rules.edge;
    Estimate { value: 1.0 - e.value, low: 1.0 - e.high, high: 1.0 - e.low }
}

/// Returns the parts of the return to player, as shares of the price: pay table, growing jackpot, redeal fees.
pub(super) fn made_of(rules: &PlannedRules) -> Vec<(&'static str, f64)> {
    let (casino, price) = (rules.casino(), rules.price as f64);
    let paid: f64 = rules.pay_table.iter().map(|row| row.returns).sum();
    let meter = casino.meter_growth() as f64 / price;
    let mut parts = vec![("the pay table", paid)];
    if meter > 0.0 {
        parts.push(("the jackpot's meter", meter));
    }
    if casino.has_redeal_fees() {
        let payout = payout(rules).value;
        parts.push(("fees of redeals", payout / price - paid - meter));
    }
    parts
}

fn part_of(x: f64) -> FormattedEstimate {
    FormattedEstimate::of(x, format!("{}%", fixed(x * 100.0, 2)))
}

pub(super) fn par_sheet(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let b = &rules.bankroll;
    let casino = rules.casino();
    let e = rules.edge;
    let table = &rules.pay_table;
    let most = table.iter().map(|row| row.pays.0).max().unwrap_or(0);
    let mut rows: Vec<(String, FormattedEstimate)> = Vec::new();
    let mut add = |what: &str, said| rows.push((what.to_string(), said));
    add("price of a deck", sum(rules, rules.price as f64));
    add("return to player (RTP)", percent(rtp(rules)));
    let parts = made_of(rules);
    for (what, x) in parts.iter().filter(|_| parts.len() > 1) {
        add(&format!("of which {what}"), part_of(*x));
    }
    add("house edge", edge(e));
    add("hold of 100 decks", gain_estimate(scaled(rules.gain(), 100.0), casino));
    add("hit frequency", percent(rules.hit_frequency));
    add("mean payment", money_estimate(payout(rules), casino));
    add("standard deviation of a deck", money_estimate(b.deck_of_night.1, casino));
    if let Some(index) = b.volatility_index {
        add(&volatility_label("volatility index, 90%", rules.has_visits()), percent(index));
    }
    add("decks until the edge outweighs luck (N0)", b.n0.map_or(exact("never"), decks_estimate));
    if let Some(decks) = rules.decks_of_the_best {
        let night = count(b.decks.into());
        let what = format!("decks of the best player until the edge is gone, of {night} a night");
        add(&what, best_decks(decks));
    }
    add("highest payment for a deck", sum(rules, most as f64));
    add("greatest loss on a deck", sum(rules, b.greatest_loss as f64));
    add("minutes of play", minutes(rules));
    jackpot(rules, &mut add);
    let terms = rules_in_words(rules.spec()).pop().unwrap_or_default();
    let about = format!("The mix of players at this price, in the terms of the trade. {terms}");
    DataTable::of_figures(PAR_SHEET, about, rows)
}

fn jackpot(rules: &PlannedRules, add: &mut impl FnMut(&str, FormattedEstimate)) {
    let casino = rules.casino();
    let of = |(share, tally): (f64, &Tally)| Some((share, stats::jackpot(tally, casino)?.rate));
    let Some(rates) = rules.mix().map(of).collect::<Option<Vec<_>>>() else { return };
    let mixed = |end: fn(&Estimate) -> f64| rates.iter().map(|(share, rate)| share * end(rate)).sum();
    let rate = Estimate { value: mixed(|it| it.value), low: mixed(|it| it.low), high: mixed(|it| it.high) };
    add("decks that win the jackpot", percent(rate));
    if rate.low > 0.0 {
        let decks = Estimate { value: 1.0 / rate.value, low: 1.0 / rate.high, high: 1.0 / rate.low };
        let start = casino.jackpot.map_or(0, |it| it.start) as f64;
        let grown = |decks: f64| start + casino.meter_growth() as f64 * decks;
        let size = Estimate { value: grown(decks.value), low: grown(decks.low), high: grown(decks.high) };
        add("decks from one jackpot to the next", decks_estimate(decks));
        add("jackpot when it is won, on average", money_estimate(size, casino));
    }
}

pub(super) fn bands(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let about = format!(
        "By luck alone, nine in ten stretches of that many decks return a share of the stakes between the two. How well the games \
         tell the return comes on top: {}.",
        percent(rtp(rules)).interval
    );
    DataTable::of("Return to player by decks sold", about, &rules.bands)
        .name("decks sold", |band| number(band.decks))
        .figure("RTP from (5%)", |band| part_of(band.low))
        .figure("RTP to (95%)", |band| part_of(band.high))
        .done()
}

pub(super) fn pay_table(report: &Report<'_>, whole: bool) -> DataTable {
    let rules = report.rules;
    let short = short_pay_table(&rules.pay_table);
    let cards = |row: &PayRow| match row.cards {
        (from, to) if from == to => number(from.into()),
        (from, to) => exact(format!("{from} to {to}")),
    };
    let often = |row: &PayRow| match row.share {
        rare if rare > 0.0 => rounded(1.0 / rare, if rare > 0.05 { 1 } else { 0 }),
        _ => exact("not seen"),
    };
    let pays = |row: &PayRow| match row.pays {
        (low, high) if low == high => sum(rules, low as f64),
        (low, high) => exact(format!("{} to {}", dollars(rules, low as f64), dollars(rules, high as f64))),
    };
    // A payment, or a component of the return to player with its share of decks.
    enum Line<'a> {
        Pay(&'a PayRow),
        Total(&'a str, Option<f64>, f64),
    }
    let parts = made_of(rules);
    let returned = parts.iter().map(|(_, x)| x).sum();
    let table = if whole { &rules.pay_table } else { &short };
    let mut rows: Vec<Line<'_>> = table.iter().map(Line::Pay).collect();
    if let [(_, paid), more @ ..] = &parts[..]
        && !more.is_empty()
    {
        rows.push(Line::Total("the pay table", Some(1.0), *paid));
        rows.extend(more.iter().map(|(what, x)| Line::Total(what, None, *x)));
        rows.push(Line::Total("return to player", None, returned));
    } else {
        rows.push(Line::Total("return to player", Some(1.0), returned));
    }
    let of_pay = |line: &Line<'_>, say: &dyn Fn(&PayRow) -> FormattedEstimate| match line {
        Line::Pay(row) => say(row),
        Line::Total(..) => exact(""),
    };
    let about = "For each number of cards on the foundations: the share of decks, the number of decks to one of them, and the share of the \
         stakes that goes to them.";
    let mut table = DataTable::of(if whole { BY_CARD } else { PAY_TABLE }, about, rows)
        .name("cards", |line| match line {
            Line::Pay(row) => cards(row),
            Line::Total(what, ..) => exact(*what),
        })
        .figure("pays", |line| of_pay(line, &pays))
        .figure(SHARE, |line| match line {
            Line::Pay(row) => share_of(row.share),
            Line::Total(_, share, _) => share.map_or(exact(""), share_of),
        })
        .figure("one deck in", |line| of_pay(line, &often))
        .figure("share of stakes", |line| match line {
            Line::Pay(row) => share_of(row.returns),
            Line::Total(.., x) => part_of(*x),
        });
    for (called, it) in report.names.iter().zip(&rules.players).filter(|_| whole) {
        let tally = &it.patron.tally;
        let seen = |row: &PayRow| tally.histogram()[usize::from(row.cards.0)] as f64;
        let alone = |row: &PayRow| share_of(seen(row) / tally.games().max(1) as f64);
        table = table.figure(share_alone(called), |line| of_pay(line, &alone));
    }
    table.done()
}

pub(super) fn night(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let b = &rules.bankroll;
    let casino = rules.casino();
    let last = b.fan.last().map(|point| point.quantiles);
    let of = |i: usize| last.map_or(exact(""), |quantiles| gain_estimate(quantiles[i], casino));
    let rows = [
        ("profit, the mean of all nights", gain_estimate(b.profit, casino)),
        ("standard deviation of the profit", money_estimate(b.sd, casino)),
        ("nights that lose", risk(b.losing_night)),
        ("profit, a bad night (5%)", of(0)),
        ("profit, a quarter of nights is below", of(1)),
        ("profit, the middle of all nights", of(2)),
        ("profit, a quarter of nights is above", of(3)),
        ("profit, a good night (95%)", of(4)),
        ("profit, the worst night in 100", gain_estimate(b.worst_night, casino)),
        ("expected shortfall: the mean of the worst nights in 100", gain_estimate(b.shortfall, casino)),
        ("bank before the night", sum(rules, b.bank as f64)),
        ("nights that ruin this bank", risk_of_bank(b, b.bank, b.ruin)),
        ("bank for a risk of ruin of 1%", money_estimate(b.bank_for_1_percent, casino)),
    ];
    let title = format!("A night: {}", plural(b.decks.into(), "deck"));
    DataTable::of_figures(title, "What the house gains in a night, and how large its bank must be.", rows)
}

pub(super) fn season(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let casino = rules.casino();
    let season = &rules.season;
    let [worst, bad, middle, good] = season.profit.map(|profit| gain_estimate(profit, casino));
    let [fall, deep] = season.drawdown.map(|fall| money_estimate(fall, casino));
    let b = &rules.bankroll;
    let nights = f64::from(season.nights);
    let capital = match season.capital {
        _ if b.greatest_loss <= 0 => exact("none: no deck can lose money"),
        Some(capital) => money_estimate(capital, casino),
        None => exact("no bank is enough"),
    };
    // Per unit of money, so that exp(-R bank) can be calculated by hand.
    let r = scaled(b.adjustment, 100.0);
    let written = |x: f64| if x.is_finite() { format!("{x:.6}") } else { "no limit".into() };
    let adjustment = match b.greatest_loss {
        ..=0 => exact("none: ruin cannot happen"),
        _ => FormattedEstimate {
            value: written(r.value),
            interval: format!("{} to {}", written(r.low), written(r.high)),
            number: Some(Number::Estimate(r)),
            ..FormattedEstimate::default()
        },
    };
    let rows = [
        ("profit, the mean of all seasons", gain_estimate(scaled(b.profit, nights), casino)),
        ("profit, the middle of all seasons", middle),
        ("profit, a bad season (5%)", bad),
        ("profit, a good season (95%)", good),
        ("profit, the worst season in 100", worst),
        ("seasons that lose", percent(season.losing)),
        ("drawdown, the middle of all seasons", fall),
        ("drawdown, one season in 100 exceeds", deep),
        ("bank for a risk of ruin of 1%, any number of nights", capital),
        ("adjustment coefficient R, per unit of money", adjustment),
    ];
    let title = format!("A season of nights: {}", plural(season.nights.into(), "night"));
    DataTable::of_figures(title, "Results of many nights of the same kind.", rows)
}
