//! Tables of a plan: the rulesets side by side, the players, the PAR sheet, the pay table and a season.

use super::findings::{
    Report, SECONDS_A_MOVE, against_target, best_decks, dollars, no_round_price, rules_of, share_of, sum,
    wins,
};
use crate::format::{
    FormattedEstimate, Number, count, edge, fixed, gain_estimate, mean, money_estimate, number, percent,
    plural, rounded,
};
use crate::lab::PlannedRules;
use crate::report::bankroll::{decks_estimate, risk, risk_of_bank};
use crate::report::labels::percent_text;
use crate::report::patrons::{More, tenths, volatility_label};
use crate::report::rules_in_words::rules_in_words;
use crate::report::table::{DataTable, exact, figure, name};
use crate::stats::{self, Estimate, House, PayRow, Tally, short_pay_table, summarize};

/// Titles of tables with formulas in a workbook.
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

/// Formats the mean cards of the mix.
fn mean_cards(rules: &PlannedRules) -> FormattedEstimate {
    mean(rules.of_mix(|tally| summarize(tally, rules.spec(), Vec::new()).cards))
}

/// Returns the mean payment of the mix.
fn payout(rules: &PlannedRules) -> Estimate {
    rules.of_mix(|tally| House::new(tally, rules.casino()).payout())
}

/// Builds the table of all rulesets, each at its own price.
pub(super) fn side_by_side(report: &Report<'_>) -> DataTable {
    let rows = report.plan.rulesets.iter().map(|rules| {
        let b = &rules.bankroll;
        let casino = rules.casino();
        vec![
            exact(rules_of(rules)),
            sum(rules, rules.price as f64),
            edge(rules.edge),
            edge(rules.players[rules.strongest()].edge()),
            percent(wins(rules, 1)),
            mean_cards(rules),
            minutes(rules),
            gain_estimate(b.profit, casino),
            risk(b.losing_night),
        ]
    });
    let outside = report.plan.rulesets.iter().filter_map(|rules| {
        let place = against_target(report, rules.edge);
        let why = no_round_price(report, rules).map_or(String::new(), |why| format!(": {why}"));
        let told = !place.starts_with("within") || !why.is_empty();
        told.then(|| format!(" The edge of {} is {place}{why}.", rules_of(rules)))
    });
    let outside: String = outside.collect();
    DataTable::new(
        "The rulesets side by side",
        format!(
            "Each at its own price, with its own 95% intervals. Wins, cards and minutes are those of the mix; the best player is the one whom the house gains \
             least of.{outside}"
        ),
        vec![
            name("rules"),
            figure("price"),
            figure("edge of the mix"),
            figure("edge, best player"),
            figure("games won"),
            figure("cards"),
            figure("minutes"),
            figure("profit of a night"),
            figure("losing nights"),
        ],
        rows,
    )
}

/// Builds the table of every player alone, the mix, and the clairvoyant player.
pub(super) fn players(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let casino = rules.casino();
    let more = More::of(rules.players.iter().map(|it| &it.patron));
    // Shares keep the digits of the input.
    let share = |share: f64| match report.rules.has_visits() {
        true => FormattedEstimate::of(share, tenths(share)),
        false => FormattedEstimate::of(share, percent_text(share)),
    };
    let rows = report.names.iter().zip(&rules.players).map(|(called, player)| {
        let found = summarize(&player.patron.tally, rules.spec(), Vec::new());
        let mut row = vec![exact(called.clone())];
        row.extend(more.cells(Some(&player.patron)));
        row.extend([
            if player.patron.share > 0.0 { share(player.patron.share_of_night) } else { exact("-") },
            edge(player.edge()),
            gain_estimate(player.gain(), casino),
            percent(found.win_rate),
            mean(found.cards),
            number(player.patron.tally.games()),
        ]);
        row
    });
    let mut mix = vec![exact("the mix")];
    mix.extend(more.cells(None));
    mix.extend([
        share(1.0),
        edge(rules.edge),
        gain_estimate(rules.gain(), casino),
        percent(wins(rules, 1)),
        mean_cards(rules),
        number(rules.mix().map(|(_, tally)| tally.games()).sum()),
    ]);
    let mut columns = vec![name("player")];
    columns.extend(more.columns());
    columns.extend([
        figure("share of decks"),
        figure("house edge"),
        figure("house gains a deck"),
        figure("games won"),
        figure("cards"),
        figure("games measured"),
    ]);
    DataTable::new(
        PLAYERS,
        match report.rules.has_visits() {
            true => {
                "The house edge against each player alone, what that is a deck, and how well they play. Shares are those of a night."
            }
            false => "The house edge against each player alone, what that is a deck, and how well they play.",
        },
        columns,
        rows.chain([mix]),
    )
}

/// Returns the return to player.
fn rtp(rules: &PlannedRules) -> Estimate {
    let e = rules.edge;
    Estimate { value: 1.0 - e.value, low: 1.0 - e.high, high: 1.0 - e.low }
}

/// Returns the components of the return to player, as shares of the price; apart from the pay table, a growing
/// jackpot or redeal fees.
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

/// Formats a component of the return to player.
fn part_of(x: f64) -> FormattedEstimate {
    FormattedEstimate::of(x, format!("{}%", fixed(x * 100.0, 2)))
}

/// Builds the PAR sheet, with the standard figures of the trade.
pub(super) fn par_sheet(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let b = &rules.bankroll;
    let casino = rules.casino();
    let e = rules.edge;
    let table = &rules.pay_table;
    let most = table.iter().map(|row| row.pays.0).max().unwrap_or(0);
    let mut rows = vec![
        vec![exact("price of a deck"), sum(rules, rules.price as f64)],
        vec![exact("return to player (RTP)"), percent(rtp(rules))],
    ];
    let parts = made_of(rules);
    if parts.len() > 1 {
        rows.extend(parts.into_iter().map(|(what, x)| vec![exact(format!("of which {what}")), part_of(x)]));
    }
    let Estimate { value, low, high } = rules.gain();
    let hold = Estimate { value: 100.0 * value, low: 100.0 * low, high: 100.0 * high };
    rows.extend([
        vec![exact("house edge"), edge(e)],
        vec![exact("hold of 100 decks"), gain_estimate(hold, casino)],
        vec![exact("hit frequency"), percent(rules.hit_frequency)],
        vec![exact("mean payment"), money_estimate(payout(rules), casino)],
        vec![exact("standard deviation of a deck"), money_estimate(b.deck_of_night.1, casino)],
    ]);
    rows.extend(b.volatility_index.map(|index| {
        vec![exact(volatility_label("volatility index, 90%", rules.has_visits())), percent(index)]
    }));
    rows.push(vec![
        exact("decks until the edge outweighs luck (N0)"),
        match b.n0 {
            Some(n0) => decks_estimate(n0),
            None => exact("never"),
        },
    ]);
    if let Some(decks) = rules.decks_of_the_best {
        let of =
            format!("decks of the best player until the edge is gone, of {} a night", count(b.decks.into()));
        rows.push(vec![exact(of), best_decks(decks)]);
    }
    rows.push(vec![exact("highest payment for a deck"), sum(rules, most as f64)]);
    rows.push(vec![exact("greatest loss on a deck"), sum(rules, b.greatest_loss as f64)]);
    rows.push(vec![exact("minutes of play"), minutes(rules)]);
    rows.extend(jackpot(rules));
    let terms = rules_in_words(rules.spec()).pop().unwrap_or_default();
    DataTable::new(
        PAR_SHEET,
        format!("The mix of players at this price, in the terms of the trade. {terms}"),
        vec![name("figure"), figure("value")],
        rows,
    )
}

/// Returns the frequency and the size of the jackpot.
fn jackpot(rules: &PlannedRules) -> Vec<Vec<FormattedEstimate>> {
    let casino = rules.casino();
    let of = |(share, tally): (f64, &Tally)| Some((share, stats::jackpot(tally, casino)?.rate));
    let Some(rates) = rules.mix().map(of).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let mixed =
        |end: &dyn Fn(&Estimate) -> f64| rates.iter().map(|(share, rate)| share * end(rate)).sum::<f64>();
    let rate =
        Estimate { value: mixed(&|it| it.value), low: mixed(&|it| it.low), high: mixed(&|it| it.high) };
    let mut rows = vec![vec![exact("decks that win the jackpot"), percent(rate)]];
    if rate.low > 0.0 {
        let decks = Estimate { value: 1.0 / rate.value, low: 1.0 / rate.high, high: 1.0 / rate.low };
        let start = casino.jackpot.map_or(0, |it| it.start) as f64;
        let grown = |decks: f64| start + casino.meter_growth() as f64 * decks;
        let size = Estimate { value: grown(decks.value), low: grown(decks.low), high: grown(decks.high) };
        rows.push(vec![exact("decks from one jackpot to the next"), decks_estimate(decks)]);
        rows.push(vec![exact("jackpot when it is won, on average"), money_estimate(size, casino)]);
    }
    rows
}

/// Builds the table of the return by number of decks.
pub(super) fn bands(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let rows = rules.bands.iter().map(|band| {
        vec![
            FormattedEstimate::of(band.decks as f64, count(band.decks)),
            FormattedEstimate::of(band.low, format!("{}%", fixed(band.low * 100.0, 2))),
            FormattedEstimate::of(band.high, format!("{}%", fixed(band.high * 100.0, 2))),
        ]
    });
    DataTable::new(
        "Return to player by decks sold",
        format!(
            "By luck alone, nine in ten stretches of that many decks return a share of the stakes between the two. How well the games \
             tell the return comes on top: {}.",
            percent(rtp(rules)).interval
        ),
        vec![name("decks sold"), figure("RTP from (5%)"), figure("RTP to (95%)")],
        rows,
    )
}

/// Builds the pay table: payments with their frequencies.
pub(super) fn pay_table(report: &Report<'_>, whole: bool) -> DataTable {
    let rules = report.rules;
    let short = short_pay_table(&rules.pay_table);
    let row = |row: &PayRow| {
        let cards = match row.cards {
            (from, to) if from == to => number(from.into()),
            (from, to) => exact(format!("{from} to {to}")),
        };
        let often = match row.share {
            rare if rare > 0.0 => {
                FormattedEstimate::of(1.0 / rare, fixed(1.0 / rare, if rare > 0.05 { 1 } else { 0 }))
            }
            _ => exact("not seen"),
        };
        let pays = match row.pays {
            (low, high) if low == high => sum(rules, low as f64),
            (low, high) => {
                exact(format!("{} to {}", dollars(rules, low as f64), dollars(rules, high as f64)))
            }
        };
        vec![cards, pays, share_of(row.share), often, share_of(row.returns)]
    };
    let mut rows: Vec<_> = if whole { &rules.pay_table } else { &short }.iter().map(row).collect();
    let mut heads =
        vec![name("cards"), figure("pays"), figure(SHARE), figure("one deck in"), figure("share of stakes")];
    // The pay table, and the other components of the return to player.
    let parts = made_of(rules);
    let returned = parts.iter().map(|(_, x)| x).sum();
    let total = |what: &str, share: Option<f64>, x: f64| {
        vec![exact(what), exact(""), share.map_or(exact(""), share_of), exact(""), part_of(x)]
    };
    if let [(_, paid), more @ ..] = &parts[..]
        && !more.is_empty()
    {
        rows.push(total("the pay table", Some(1.0), *paid));
        rows.extend(more.iter().map(|(what, x)| total(what, None, *x)));
        rows.push(total("return to player", None, returned));
    } else {
        rows.push(total("return to player", Some(1.0), returned));
    }
    if whole {
        for (called, it) in report.names.iter().zip(&rules.players) {
            heads.push(figure(share_alone(called)));
            let games = it.patron.tally.games().max(1) as f64;
            let shares = it.patron.tally.histogram().iter().map(|&seen| share_of(seen as f64 / games));
            rows.iter_mut().zip(shares).for_each(|(row, share)| row.push(share));
        }
        rows.iter_mut().for_each(|row| row.resize(heads.len(), exact("")));
    }
    DataTable::new(
        if whole { BY_CARD } else { PAY_TABLE },
        "For each number of cards on the foundations: the share of decks, the number of decks to one of them, and the share of the \
         stakes that goes to them.",
        heads,
        rows,
    )
}

/// Builds the table of a night.
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
    DataTable::new(
        format!("A night: {}", plural(b.decks.into(), "deck")),
        "What the house gains in a night, and how large its bank must be.",
        vec![name("figure"), figure("value")],
        rows.map(|(what, said)| vec![exact(what), said]),
    )
}

/// Builds the table of a season.
pub(super) fn season(report: &Report<'_>) -> DataTable {
    let rules = report.rules;
    let casino = rules.casino();
    let season = &rules.season;
    let [worst, bad, middle, good] = season.profit.map(|profit| gain_estimate(profit, casino));
    let [fall, deep] = season.drawdown.map(|fall| money_estimate(fall, casino));
    let b = &rules.bankroll;
    let nights = f64::from(season.nights);
    let mean =
        Estimate { value: b.profit.value * nights, low: b.profit.low * nights, high: b.profit.high * nights };
    let mut rows = vec![
        vec![exact("profit, the mean of all seasons"), gain_estimate(mean, casino)],
        vec![exact("profit, the middle of all seasons"), middle],
        vec![exact("profit, a bad season (5%)"), bad],
        vec![exact("profit, a good season (95%)"), good],
        vec![exact("profit, the worst season in 100"), worst],
        vec![exact("seasons that lose"), percent(season.losing)],
        vec![exact("drawdown, the middle of all seasons"), fall],
        vec![exact("drawdown, one season in 100 exceeds"), deep],
    ];
    rows.push(vec![
        exact("bank for a risk of ruin of 1%, any number of nights"),
        match season.capital {
            _ if b.greatest_loss <= 0 => exact("none: no deck can lose money"),
            Some(capital) => money_estimate(capital, casino),
            None => exact("no bank is enough"),
        },
    ]);
    // Per unit of money, so that exp(-R bank) can be calculated by hand.
    let r = b.adjustment;
    let per_unit = |x: f64| x * 100.0;
    let coefficient = |x: f64| if x.is_finite() { format!("{:.6}", per_unit(x)) } else { "no limit".into() };
    rows.push(vec![
        exact("adjustment coefficient R, per unit of money"),
        if b.greatest_loss <= 0 {
            exact("none: ruin cannot happen")
        } else {
            FormattedEstimate {
                value: coefficient(r.value),
                interval: format!("{} to {}", coefficient(r.low), coefficient(r.high)),
                number: Some(Number::Estimate(Estimate {
                    value: per_unit(r.value),
                    low: per_unit(r.low),
                    high: per_unit(r.high),
                })),
                ..FormattedEstimate::default()
            }
        },
    ]);
    DataTable::new(
        format!("A season of nights: {}", plural(season.nights.into(), "night")),
        "Results of many nights of the same kind.",
        vec![name("figure"), figure("value")],
        rows,
    )
}
