//! Figures of a workbook that depend on the price and the mix, as formulas.

use super::findings::Report;
use super::tables::{self, BY_CARD, PAR_SHEET, PAY_TABLE, PLAYERS, SHARE, made_of, share_alone};
use crate::lab::{PlannedPlayer, PlannedRules};
use crate::report::table::{DataTable, Live, Piece};
use crate::stats::{Estimate, House, short_pay_table};

/// The parts of a figure with an interval, as suffixes of the column name.
const PARTS: [&str; 3] = ["", " (low)", " (high)"];

fn text(text: impl Into<String>) -> Piece {
    Piece::Text(text.into())
}

fn cells(table: &'static str, column: impl Into<String>, from: usize, to: usize) -> Piece {
    Piece::Cells(table, column.into(), (from, to))
}

/// A formula of pieces: text between cells.
macro_rules! formula {
    ($($piece:expr),+ $(,)?) => { vec![$(Piece::from($piece)),+] };
}

impl From<&str> for Piece {
    fn from(part: &str) -> Piece {
        text(part)
    }
}

impl From<String> for Piece {
    fn from(part: String) -> Piece {
        text(part)
    }
}

/// Returns the interdependent tables: players, the PAR sheet, and the pay table in a dozen rows and by card.
pub(super) fn live(report: &Report<'_>) -> [DataTable; 4] {
    let rules = report.rules;
    let casino = rules.casino();
    let fee = |it: &PlannedPlayer| {
        let (histogram, games) = (it.patron.tally.histogram(), it.patron.tally.games().max(1) as f64);
        let all = histogram.len().saturating_sub(1);
        let paid = (0..).zip(histogram).map(|(cards, &n)| casino.pay(cards, all) as f64 * n as f64);
        let returned = House::new(&it.patron.tally, casino).payout().value - casino.meter_growth() as f64;
        (paid.sum::<f64>() / games - returned) / 100.0
    };
    let fees = if casino.has_redeal_fees() { rules.players.iter().map(fee).collect() } else { Vec::new() };
    let par = tables::par_sheet(report);
    let buyers = rules.mix().count();
    let sheets = Sheets { rules, names: &report.names, buyers, fees, rows: rules.pay_table.len(), par };
    let mut players = tables::players(report);
    let [mut pay_table, mut by_card] = [false, true].map(|whole| tables::pay_table(report, whole));
    sheets.players(&mut players);
    sheets.pay_table(&mut pay_table);
    sheets.by_cards(&mut by_card);
    [players, sheets.par_sheet(), pay_table, by_card]
}

struct Sheets<'a> {
    rules: &'a PlannedRules,
    names: &'a [String],
    /// Number of patrons, who precede the players that are only measured.
    buyers: usize,
    /// Mean redeal fees of each player per deck; empty if redeals are free.
    fees: Vec<f64>,
    /// Number of rows of the pay table by card.
    rows: usize,
    /// The PAR sheet, with the rows written so far.
    par: DataTable,
}

impl Sheets<'_> {
    /// Returns a cell of the PAR sheet, by the name of its row.
    fn par(&self, row: &str, part: &str) -> Option<Piece> {
        let at = self.par_row(row)?;
        Some(cells(PAR_SHEET, format!("value{part}"), at, at))
    }

    fn par_row(&self, row: &str) -> Option<usize> {
        self.par.rows.iter().position(|it| it.cells[0].value.starts_with(row))
    }

    fn price(&self) -> Piece {
        cells(PAR_SHEET, "value", 0, 0)
    }

    /// Returns the price as asked, in units of money.
    fn asked(&self) -> f64 {
        self.rules.price as f64 / 100.0
    }

    fn mix(&self, column: &str, part: &str) -> Piece {
        let mix = self.names.len();
        cells(PLAYERS, format!("{column}{part}"), mix, mix)
    }

    fn shares(&self) -> Piece {
        cells(PLAYERS, SHARE, 0, self.buyers - 1)
    }

    fn by_card(&self, column: impl Into<String>) -> Piece {
        cells(BY_CARD, column, 0, self.rows - 1)
    }

    /// Returns a row of the pay table by card below those of cards.
    fn total(&self, column: &str, below: usize) -> Piece {
        cells(BY_CARD, column, self.rows + below, self.rows + below)
    }

    /// Returns the mean of a column over the mix.
    fn mean(&self, column: &str, part: &str) -> Vec<Piece> {
        let each = cells(PLAYERS, format!("{column}{part}"), 0, self.buyers - 1);
        formula!["SUMPRODUCT(", self.shares(), ",", each, ")/SUM(", self.shares(), ")"]
    }

    /// Adds the formulas for the house's gain from each player.
    fn players(&self, table: &mut DataTable) {
        let mut live = Vec::new();
        let mut put = |row, column: String, formula| live.push((row, column, Live::Formula(formula)));
        let (edge, gain) = ("house edge", "house gains a deck");
        let mix = self.names.len();
        let meter = self.par("of which the jackpot's meter", "");
        // Half-widths as measured, in money.
        let limits = |e: Estimate| [e.low, e.high].map(|limit| (limit - e.value) * self.asked());
        for (i, name) in self.names.iter().enumerate() {
            let paid =
                ["1-SUMPRODUCT(".into(), self.by_card("pays"), ",".into(), self.by_card(share_alone(name))];
            let mut value: Vec<Piece> = paid.into_iter().chain(formula![")/", self.price()]).collect();
            value.extend(meter.iter().flat_map(|meter| formula!["-", meter.clone()]));
            if let Some(fee) = self.fees.get(i) {
                value.extend(formula![format!("+{fee}/"), self.price()]);
            }
            put(i, edge.into(), value);
        }
        put(mix, edge.into(), self.mean(edge, ""));
        for i in 0..=mix {
            let e = if i == mix { self.rules.edge } else { self.rules.players[i].edge() };
            for (part, width) in PARTS[1..].iter().zip(limits(e)) {
                let value = cells(PLAYERS, edge, i, i);
                put(i, format!("{edge}{part}"), formula![value, format!("+{width}/"), self.price()]);
            }
            for part in PARTS {
                let value = cells(PLAYERS, format!("{edge}{part}"), i, i);
                put(i, format!("{gain}{part}"), formula![value, "*", self.price()]);
            }
        }
        for column in ["games won", "cards"] {
            PARTS.iter().for_each(|part| put(mix, format!("{column}{part}"), self.mean(column, part)));
        }
        put(mix, SHARE.into(), formula!["SUM(", self.shares(), ")"]);
        let games = cells(PLAYERS, "games measured", 0, self.buyers - 1);
        put(mix, "games measured".into(), formula!["SUM(", games, ")"]);
        live.extend((0..self.buyers).map(|i| (i, SHARE.into(), Live::Input)));
        table.live = live;
    }

    /// Adds the formulas of the pay table by card.
    fn by_cards(&self, table: &mut DataTable) {
        let mut live = Vec::new();
        let mut put =
            |row, column: &str, formula| live.push((row, column.to_string(), Live::Formula(formula)));
        let of = |column: &str, row| cells(BY_CARD, column, row, row);
        for row in 0..self.rows {
            // Each patron alone, by its share.
            let each = self.names.iter().take(self.buyers).enumerate().flat_map(|(i, name)| {
                let plus = if i == 0 { "(" } else { "+" };
                formula![plus, of(&share_alone(name), row), "*", cells(PLAYERS, SHARE, i, i)]
            });
            put(row, SHARE, each.chain(formula![")/SUM(", self.shares(), ")"]).collect());
            put(row, "one deck in", often(of(SHARE, row)));
            put(row, "share of stakes", formula![of("pays", row), "*", of(SHARE, row), "/", self.price()]);
        }
        let (share, stakes) = (self.by_card(SHARE), self.by_card("share of stakes"));
        put(self.rows, SHARE, formula!["SUM(", share, ")"]);
        put(self.rows, "share of stakes", formula!["SUM(", stakes, ")"]);
        let parts = made_of(self.rules);
        if parts.len() < 2 {
            table.live = live;
            return;
        }
        for (i, (what, _)) in parts.iter().enumerate().skip(1) {
            let formula = match self.par(&format!("of which {what}"), "") {
                Some(meter) if *what == "the jackpot's meter" => formula![meter],
                _ => {
                    let each = self.fees.iter().take(self.buyers).enumerate().flat_map(|(i, fee)| {
                        let plus = if i == 0 { "-(" } else { "+" };
                        formula![plus, cells(PLAYERS, SHARE, i, i), format!("*{fee}")]
                    });
                    each.chain(formula![")/SUM(", self.shares(), ")/", self.price()]).collect()
                }
            };
            put(self.rows + i, "share of stakes", formula);
        }
        let all = cells(BY_CARD, "share of stakes", self.rows, self.rows + parts.len() - 1);
        put(self.rows + parts.len(), "share of stakes", formula!["SUM(", all, ")"]);
        table.live = live;
    }

    /// Adds the formulas of the pay table in a dozen rows.
    fn pay_table(&self, table: &mut DataTable) {
        let mut live = Vec::new();
        let mut put =
            |row, column: &str, formula| live.push((row, column.to_string(), Live::Formula(formula)));
        let short = short_pay_table(&self.rules.pay_table);
        for (row, it) in short.iter().enumerate() {
            let (from, to) = (usize::from(it.cards.0), usize::from(it.cards.1));
            for column in [SHARE, "share of stakes"] {
                put(row, column, formula!["SUM(", cells(BY_CARD, column, from, to), ")"]);
            }
            put(row, "one deck in", often(cells(PAY_TABLE, SHARE, row, row)));
        }
        for below in 0..table.rows.len() - short.len() {
            put(short.len() + below, "share of stakes", formula![self.total("share of stakes", below)]);
        }
        put(short.len(), SHARE, formula![self.total(SHARE, 0)]);
        table.live = live;
    }

    /// Builds the PAR sheet.
    fn par_sheet(mut self) -> DataTable {
        let mut live = vec![(0, "value".to_string(), Live::Input)];
        let b = &self.rules.bankroll;
        let mut put = |row: &str, part: &str, formula: Vec<Piece>| {
            live.extend(self.par_row(row).map(|at| (at, format!("value{part}"), Live::Formula(formula))));
        };
        let (edge, gain) = ("house edge", "house gains a deck");
        let parts = made_of(self.rules);
        let returned = if parts.len() > 1 { parts.len() } else { 0 };
        let rtp = "return to player (RTP)";
        put(rtp, "", formula![self.total("share of stakes", returned)]);
        put(rtp, " (low)", formula!["1-", self.mix(edge, " (high)")]);
        put(rtp, " (high)", formula!["1-", self.mix(edge, " (low)")]);
        put("of which the pay table", "", formula![self.total("share of stakes", 0)]);
        if let Some(fees) = parts.iter().position(|(what, _)| *what == "fees of redeals") {
            put("of which fees of redeals", "", formula![self.total("share of stakes", fees)]);
        }
        for part in PARTS {
            put("house edge", part, formula![self.mix(edge, part)]);
            put("hold of 100 decks", part, formula!["100*", self.mix(gain, part)]);
            if let Some(returned) = self.par(rtp, part) {
                put("mean payment", part, formula![returned, "*", self.price()]);
            }
        }
        let row = "decks of the best player";
        let best = self.rules.strongest();
        let (mix, best) = (self.mix(gain, ""), cells(PLAYERS, gain, best, best));
        let some = formula!["IF(", mix.clone(), "<=0,0,", format!("{}*", b.decks), mix.clone()];
        put(row, "", some.into_iter().chain(formula!["/(", mix, "-MIN(0,", best, ")))"]).collect());
        let decks = self.rules.decks_of_the_best;
        for (part, e) in
            PARTS[1..].iter().zip(decks.iter().flat_map(|it| [it.low, it.high].map(|end| end - it.value)))
        {
            if let Some(value) = self.par(row, "") {
                put(row, part, formula![value, format!("+{e}")]);
            }
        }
        put("highest payment", "", formula!["MAX(", self.by_card("pays"), ")"]);
        if let Some(highest) = self.par("highest payment", "") {
            let mut loss = formula![highest, "-", self.price()];
            if let Some(meter) = self.par("of which the jackpot's meter", "") {
                loss.extend(formula!["+", meter, "*", self.price()]);
            }
            put("greatest loss", "", loss);
        }
        // Deductions from the pay table are not known by card.
        if self.fees.is_empty() {
            let (pays, share) = (self.by_card("pays"), self.by_card(SHARE));
            let hits = formula!["SUMIF(", pays.clone(), ",\">\"&", self.price(), ",", share.clone(), ")"];
            put("hit frequency", "", hits);
            let paid = [share.clone(), ",".into(), pays.clone()];
            let square =
                formula!["SQRT(MAX(0,SUMPRODUCT(", share, ",", pays.clone(), ",", pays, ")-SUMPRODUCT("];
            put("standard deviation", "", square.into_iter().chain(paid).chain(formula![")^2))"]).collect());
            let hit = self.rules.hit_frequency;
            let Estimate { value, low, high } = b.deck_of_night.1;
            let sd = Estimate { value: value / 100.0, low: low / 100.0, high: high / 100.0 };
            for (row, e) in [("hit frequency", hit), ("standard deviation", sd)] {
                for (part, width) in PARTS[1..].iter().zip([e.low - e.value, e.high - e.value]) {
                    if let Some(value) = self.par(row, "") {
                        put(row, part, formula![value, format!("+{width}")]);
                    }
                }
            }
        }
        // If a player buys several decks, their standard deviation does not follow from that of one deck.
        if self.rules.players.iter().all(|it| it.patron.decks_each <= 1) {
            for part in PARTS {
                if let (Some(sd), Some(index)) = (self.par("standard deviation", part), b.volatility_index) {
                    let times = index.value * self.rules.price as f64 / b.deck_sd.value;
                    put("volatility index", part, formula![format!("{times}*"), sd, "/", self.price()]);
                }
            }
            let row = "decks until the edge outweighs luck";
            if let (Some(sd), Some(n0)) = (self.par("standard deviation", ""), self.par(row, "")) {
                let gain = self.mix(gain, "");
                put(row, "", formula!["IF(", gain.clone(), ">0,(", sd, "/", gain, ")^2,\"never\")"]);
                for (part, limit) in
                    b.n0.iter().flat_map(|it| PARTS[1..].iter().zip([it.low / it.value, it.high / it.value]))
                {
                    if limit.is_finite() {
                        let (is, then) = (n0.clone(), n0.clone());
                        put(row, part, formula!["IF(ISNUMBER(", is, "),", then, format!("*{limit},\"\")")]);
                    }
                }
            }
        }
        self.par.live = live;
        self.par
    }
}

/// Returns the formula for one deck in how many, given the share of decks.
fn often(share: Piece) -> Vec<Piece> {
    formula!["IF(", share.clone(), ">0,1/", share, ",\"not seen\")"]
}
