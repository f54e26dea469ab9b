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
use crate::report::bankroll::{decks_to, risk, risk_of_bank};
use crate::report::document::{DataTable, Live, cells, exact};
use crate::report::labels::percent_text;
use crate::report::patrons::{details, tenths, volatility_label};
use crate::report::rules_in_words::rules_in_words;
use crate::stats::{self, Estimate, House, PayRow, Tally, short_pay_table, summarize};

pub(super) const PLAYERS: &str = "What players leave the house";
pub(super) const PAR_SHEET: &str = "PAR sheet";
pub(super) const PAY_TABLE: &str = "Pay table";
pub(super) const BY_CARD: &str = "Pay table by card";
/// The column of the pay tables with the share of decks, and that of a player alone.
pub(super) const SHARE: &str = "share of decks";

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
    add("decks until the edge outweighs luck (N0)", b.n0.map_or(exact("never"), |n0| decks_to(n0, 0)));
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
        add("decks from one jackpot to the next", decks_to(decks, 0));
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
    // A component of the return to player, with its share of decks, has no payment.
    type Line<'a> = (Option<&'a PayRow>, FormattedEstimate, Option<f64>, FormattedEstimate);
    let total = |what: &str, share, x| (None, exact(what), share, part_of(x));
    let parts = made_of(rules);
    let returned = parts.iter().map(|(_, x)| x).sum();
    let table = if whole { &rules.pay_table } else { &short };
    let paid = table.iter().map(|row| (Some(row), cards(row), Some(row.share), share_of(row.returns)));
    let mut rows: Vec<Line<'_>> = paid.collect();
    if let [(_, paid), more @ ..] = &parts[..]
        && !more.is_empty()
    {
        rows.push(total("the pay table", Some(1.0), *paid));
        rows.extend(more.iter().map(|(what, x)| total(what, None, *x)));
        rows.push(total("return to player", None, returned));
    } else {
        rows.push(total("return to player", Some(1.0), returned));
    }
    let of_pay = |line: &Line<'_>, say: &dyn Fn(&PayRow) -> FormattedEstimate| line.0.map_or(exact(""), say);
    let about = "For each number of cards on the foundations: the share of decks, the number of decks to one of them, and the share of the \
         stakes that goes to them.";
    let mut table = DataTable::of(if whole { BY_CARD } else { PAY_TABLE }, about, rows)
        .name("cards", |line| line.1.clone())
        .figure("pays", |line| of_pay(line, &pays))
        .figure(SHARE, |line| line.2.map_or(exact(""), share_of))
        .figure("one deck in", |line| of_pay(line, &often))
        .figure("share of stakes", |line| line.3.clone());
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

/// Parts of a figure with an interval, as suffixes of the column name.
const PARTS: [&str; 3] = ["", " (low)", " (high)"];
const EDGE: &str = "house edge";
const GAIN: &str = "house gains a deck";
const STAKES: &str = "share of stakes";
const METER: &str = "of which the jackpot's meter";

/// Returns the interdependent tables: players, the PAR sheet, and the pay table in a dozen rows and by card.
pub(super) fn live(report: &Report<'_>) -> [DataTable; 4] {
    let rules = report.rules;
    let casino = rules.casino();
    // Mean fees of a deck: what its cards pay less what it returned.
    let fee = |it: &PlannedPlayer| {
        let (histogram, games) = (it.patron.tally.histogram(), it.patron.tally.games().max(1) as f64);
        let all = histogram.len().saturating_sub(1);
        let paid = (0..).zip(histogram).map(|(cards, &n)| casino.pay(cards, all) as f64 * n as f64);
        let returned = House::new(&it.patron.tally, casino).payout().value - casino.meter_growth() as f64;
        (paid.sum::<f64>() / games - returned) / 100.0
    };
    let sheets = Sheets {
        rules,
        names: &report.names,
        buyers: rules.mix().count(),
        fees: if casino.has_redeal_fees() { rules.players.iter().map(fee).collect() } else { Vec::new() },
        rows: rules.pay_table.len(),
        par: par_sheet(report),
    };
    let mut players = players(report);
    let [mut pay_table, mut by_card] = [false, true].map(|whole| pay_table(report, whole));
    players.live = sheets.players();
    pay_table.live = sheets.pay_table(pay_table.rows.len());
    by_card.live = sheets.by_cards();
    let live = sheets.par_sheet();
    [players, DataTable { live, ..sheets.par }, pay_table, by_card]
}

struct Sheets<'a> {
    rules: &'a PlannedRules,
    names: &'a [String],
    /// Number of patrons, who precede the players that are only measured.
    buyers: usize,
    /// Mean redeal fees of each player per deck; empty if redeals are free.
    fees: Vec<f64>,
    rows: usize,
    par: DataTable,
}

type LiveCells = Vec<(usize, String, Live)>;

impl Sheets<'_> {
    fn par(&self, row: &str, part: &str) -> Option<String> {
        let at = self.par_row(row)?;
        Some(cells(PAR_SHEET, &format!("value{part}"), (at, at)))
    }

    fn par_row(&self, row: &str) -> Option<usize> {
        self.par.rows.iter().position(|it| it.cells[0].value.starts_with(row))
    }

    fn price(&self) -> String {
        cells(PAR_SHEET, "value", (0, 0))
    }

    fn mix(&self, column: &str, part: &str) -> String {
        let mix = self.names.len();
        cells(PLAYERS, &format!("{column}{part}"), (mix, mix))
    }

    fn patrons(&self, column: &str) -> String {
        cells(PLAYERS, column, (0, self.buyers - 1))
    }

    fn by_card(&self, column: &str) -> String {
        cells(BY_CARD, column, (0, self.rows - 1))
    }

    /// Returns a row of the pay table by card below those of cards.
    fn total(&self, column: &str, below: usize) -> String {
        cells(BY_CARD, column, (self.rows + below, self.rows + below))
    }

    /// Returns the mean over the mix of what each patron has.
    fn mean_of(&self, each: impl Fn(usize) -> String) -> String {
        let sum: Vec<String> = (0..self.buyers).map(each).collect();
        format!("({})/SUM({})", sum.join("+"), self.patrons(SHARE))
    }

    fn players(&self) -> LiveCells {
        let mut live = Vec::new();
        let mut put = |row, column: String, formula| live.push((row, column, Live::Formula(formula)));
        let (mix, price, shares) = (self.names.len(), self.price(), self.patrons(SHARE));
        let meter = self.par(METER, "").map_or(String::new(), |meter| format!("-{meter}"));
        for (i, name) in self.names.iter().enumerate() {
            let (pays, share) = (self.by_card("pays"), self.by_card(&share_alone(name)));
            let fee = self.fees.get(i).map_or(String::new(), |fee| format!("+{fee}/{price}"));
            put(i, EDGE.into(), format!("1-SUMPRODUCT({pays},{share})/{price}{meter}{fee}"));
        }
        let mean = |column: &str| format!("SUMPRODUCT({shares},{})/SUM({shares})", self.patrons(column));
        put(mix, EDGE.into(), mean(EDGE));
        for i in 0..=mix {
            let e = if i == mix { self.rules.edge } else { self.rules.players[i].edge() };
            // Half-widths as measured, in money.
            let asked = self.rules.price as f64 / 100.0;
            for (part, limit) in PARTS[1..].iter().zip([e.low, e.high]) {
                let (edge, width) = (cells(PLAYERS, EDGE, (i, i)), (limit - e.value) * asked);
                put(i, format!("{EDGE}{part}"), format!("{edge}+{width}/{price}"));
            }
            for part in PARTS {
                let edge = cells(PLAYERS, &format!("{EDGE}{part}"), (i, i));
                put(i, format!("{GAIN}{part}"), format!("{edge}*{price}"));
            }
        }
        for column in ["games won", "cards"].iter().flat_map(|of| PARTS.map(|part| format!("{of}{part}"))) {
            let formula = mean(&column);
            put(mix, column, formula);
        }
        for column in [SHARE, "games measured"] {
            put(mix, column.into(), format!("SUM({})", self.patrons(column)));
        }
        live.extend((0..self.buyers).map(|i| (i, SHARE.into(), Live::Input)));
        live
    }

    fn by_cards(&self) -> LiveCells {
        let mut live = Vec::new();
        let mut put = |row, column: &str, formula| live.push((row, column.into(), Live::Formula(formula)));
        let price = self.price();
        for row in 0..self.rows {
            let of = |column: &str| cells(BY_CARD, column, (row, row));
            let each =
                |i: usize| format!("{}*{}", of(&share_alone(&self.names[i])), cells(PLAYERS, SHARE, (i, i)));
            put(row, SHARE, self.mean_of(each));
            put(row, "one deck in", often(&of(SHARE)));
            put(row, STAKES, format!("{}*{}/{price}", of("pays"), of(SHARE)));
        }
        for column in [SHARE, STAKES] {
            put(self.rows, column, format!("SUM({})", self.by_card(column)));
        }
        let parts = made_of(self.rules).len();
        for i in 1..parts {
            let (what, _) = made_of(self.rules)[i];
            let formula = match self.par(&format!("of which {what}"), "") {
                Some(meter) if what == "the jackpot's meter" => meter,
                _ => {
                    let fee = |i: usize| format!("{}*{}", cells(PLAYERS, SHARE, (i, i)), self.fees[i]);
                    format!("-{}/{price}", self.mean_of(fee))
                }
            };
            put(self.rows + i, STAKES, formula);
        }
        if parts > 1 {
            let all = cells(BY_CARD, STAKES, (self.rows, self.rows + parts - 1));
            put(self.rows + parts, STAKES, format!("SUM({all})"));
        }
        live
    }

    fn pay_table(&self, rows: usize) -> LiveCells {
        let mut live = Vec::new();
        let mut put = |row, column: &str, formula| live.push((row, column.into(), Live::Formula(formula)));
        let short = short_pay_table(&self.rules.pay_table);
        for (row, it) in short.iter().enumerate() {
            let of = (usize::from(it.cards.0), usize::from(it.cards.1));
            for column in [SHARE, STAKES] {
                put(row, column, format!("SUM({})", cells(BY_CARD, column, of)));
            }
            put(row, "one deck in", often(&cells(PAY_TABLE, SHARE, (row, row))));
        }
        for row in short.len()..rows {
            put(row, STAKES, self.total(STAKES, row - short.len()));
        }
        put(short.len(), SHARE, self.total(SHARE, 0));
        live
    }

    fn par_sheet(&self) -> LiveCells {
        let mut live = vec![(0, "value".to_string(), Live::Input)];
        let (b, price) = (&self.rules.bankroll, self.price());
        let mut put = |row: &str, part: &str, formula| {
            live.extend(self.par_row(row).map(|at| (at, format!("value{part}"), Live::Formula(formula))));
        };
        let parts = made_of(self.rules);
        let returned = if parts.len() > 1 { parts.len() } else { 0 };
        let rtp = "return to player (RTP)";
        put(rtp, "", self.total(STAKES, returned));
        put(rtp, " (low)", format!("1-{}", self.mix(EDGE, " (high)")));
        put(rtp, " (high)", format!("1-{}", self.mix(EDGE, " (low)")));
        put("of which the pay table", "", self.total(STAKES, 0));
        if let Some(fees) = parts.iter().position(|(what, _)| *what == "fees of redeals") {
            put("of which fees of redeals", "", self.total(STAKES, fees));
        }
        for part in PARTS {
            put(EDGE, part, self.mix(EDGE, part));
            put("hold of 100 decks", part, format!("100*{}", self.mix(GAIN, part)));
            if let Some(returned) = self.par(rtp, part) {
                put("mean payment", part, format!("{returned}*{price}"));
            }
        }
        let (row, strongest) = ("decks of the best player", self.rules.strongest());
        let of_best = |column| cells(PLAYERS, column, (strongest, strongest));
        let share = match strongest < self.buyers {
            true => format!("{}/SUM({})", of_best(SHARE), self.patrons(SHARE)),
            false => "0".into(),
        };
        let (gain, best) = (self.mix(GAIN, ""), of_best(GAIN));
        let replaced = format!("{gain}/({gain}-MIN(0,{best}))");
        put(row, "", format!("IF({gain}<=0,0,{}*({share}+(1-{share})*{replaced}))", b.decks));
        // Figures whose intervals stay as wide as they were measured.
        let mut as_wide: Vec<(&str, Estimate)> =
            self.rules.decks_of_the_best.map(|e| (row, e)).into_iter().collect();
        put("highest payment", "", format!("MAX({})", self.by_card("pays")));
        if let Some(highest) = self.par("highest payment", "") {
            let meter = self.par(METER, "").map_or(String::new(), |meter| format!("+{meter}*{price}"));
            put("greatest loss", "", format!("{highest}-{price}{meter}"));
        }
        let sd = "standard deviation";
        // Deductions from the pay table are not known by card.
        if self.fees.is_empty() {
            let (pays, share) = (self.by_card("pays"), self.by_card(SHARE));
            put("hit frequency", "", format!("SUMIF({pays},\">\"&{price},{share})"));
            let (squares, mean) =
                (format!("SUMPRODUCT({share},{pays},{pays})"), format!("SUMPRODUCT({share},{pays})"));
            put(sd, "", format!("SQRT(MAX(0,{squares}-{mean}^2))"));
            let Estimate { value, low, high } = b.deck_of_night.1;
            let deviation = Estimate { value: value / 100.0, low: low / 100.0, high: high / 100.0 };
            as_wide.extend([("hit frequency", self.rules.hit_frequency), (sd, deviation)]);
        }
        for (row, e) in as_wide {
            let Some(value) = self.par(row, "") else { continue };
            for (part, limit) in PARTS[1..].iter().zip([e.low, e.high]) {
                put(row, part, format!("{value}+{}", limit - e.value));
            }
        }
        // If a player buys several decks, their standard deviation does not follow from that of one deck.
        if self.rules.players.iter().any(|it| it.patron.decks_each > 1) {
            return live;
        }
        for part in PARTS {
            if let (Some(sd), Some(index)) = (self.par(sd, part), b.volatility_index) {
                let times = index.value * self.rules.price as f64 / b.deck_sd.value;
                put("volatility index", part, format!("{times}*{sd}/{price}"));
            }
        }
        let row = "decks until the edge outweighs luck";
        if let (Some(sd), Some(n0)) = (self.par(sd, ""), self.par(row, "")) {
            put(row, "", format!("IF({gain}>0,({sd}/{gain})^2,\"never\")"));
            let limits =
                b.n0.iter().flat_map(|it| PARTS[1..].iter().zip([it.low, it.high].map(|end| end / it.value)));
            for (part, limit) in limits.filter(|(_, limit)| limit.is_finite()) {
                put(row, part, format!("IF(ISNUMBER({n0}),{n0}*{limit},\"\")"));
            }
        }
        live
    }
}

fn often(share: &str) -> String {
    format!("IF({share}>0,1/{share},\"not seen\")")
}
