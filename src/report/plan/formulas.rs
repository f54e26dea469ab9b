//! Figures of a workbook that depend on the price and the mix, as formulas.

use super::findings::Report;
use super::tables::{self, BY_CARD, PAR_SHEET, PAY_TABLE, PLAYERS, SHARE, made_of, share_alone};
use crate::lab::{PlannedPlayer, PlannedRules};
use crate::report::table::{DataTable, Live, cells};
use crate::stats::{Estimate, House, short_pay_table};

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
        par: tables::par_sheet(report),
    };
    let mut players = tables::players(report);
    let [mut pay_table, mut by_card] = [false, true].map(|whole| tables::pay_table(report, whole));
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
    /// Returns a cell of the PAR sheet, by the name of its row.
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
        if let Some((e, value)) = self.rules.decks_of_the_best.zip(self.par(row, "")) {
            for (part, limit) in PARTS[1..].iter().zip([e.low, e.high]) {
                put(row, part, format!("{value}+{}", limit - e.value));
            }
        }
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
            for (row, e) in [("hit frequency", self.rules.hit_frequency), (sd, deviation)] {
                let Some(value) = self.par(row, "") else { continue };
                for (part, limit) in PARTS[1..].iter().zip([e.low, e.high]) {
                    put(row, part, format!("{value}+{}", limit - e.value));
                }
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
