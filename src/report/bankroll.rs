//! Report on a night: the house's profit, its risk of ruin, and how long luck outweighs the edge.

use super::document::{Block, Card, DataTable, Document, Finding, exact};
use super::labels::{name_in_full, percent_text, short_names};
use super::patrons::{IN_A_ROW, details, deviation_of, differ, in_tenths, tenths, volatility_label};
use super::rare_events::{in_two_digits, price, rarest};
use super::run::Run;
use super::simulate::{brings, night_fan};
use crate::cards::Seed;
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, Stand, WHOLE, scaled, span};
use crate::format::{
    FormattedEstimate, Side, count, edge, fixed, gain_estimate, games, mean, money, money_estimate, number,
    percent, percent_to, plural, share,
};
use crate::lab::{BankrollNight, NightPatron};
use crate::rules::{Casino, Spec};
use crate::stats::{Bankroll, Estimate, FanPoint, NightPart, summarize};

const WARNING: &str = "Every figure holds only for these rules, prices and players.";
const ROWS: usize = 8;
const SAFE: f64 = 1e-4;
/// Risk below which only "under" is printed.
const RARE: f64 = 1e-5;

/// A night as shown by its charts, tables and sentences: that of `bankroll`, or of a plan.
#[derive(Clone, Debug)]
pub(super) struct BankrollReport<'a> {
    pub id: &'a str,
    pub name: &'a str,
    /// The ruleset, with the price at which the deck is sold.
    pub rules: &'a Spec,
    pub patrons: Vec<&'a NightPatron>,
    pub seed: Seed,
    pub bankroll: &'a Bankroll,
}

/// Builds the report on a night: the profit of the house and its risk of ruin.
pub fn bankroll_document<'a>(run: &'a Run, night: &BankrollNight) -> Document<'a> {
    let (id, name) = run.rules.first().map_or(("", ""), |it| (&it.id, &it.name));
    let report = BankrollReport {
        id,
        name,
        rules: &night.spec,
        patrons: night.patrons.iter().collect(),
        seed: run.seed,
        bankroll: &night.bankroll,
    };
    let mut blocks: Vec<Block> = too_rare(&report).into_iter().map(Block::Text).collect();
    blocks.extend(bankroll_charts(&report).into_iter().map(Block::Chart));
    blocks.extend(bankroll_tables(&report).map(Block::Table));
    if report.patrons.len() > 1 {
        blocks.push(Block::Table(report.patrons_table()));
    }
    Document {
        title: format!("A night of {}, played by {}", report.rules_and_price(), report.players()),
        findings: report.findings(),
        warning: WARNING.into(),
        played: report.played(),
        cards: report.cards(),
        blocks,
        notes: report.notes(),
        ..Document::of(run)
    }
}

/// Returns the charts: the course of the night, its end, and, if a loss is possible, the risk of ruin by bank.
pub(super) fn bankroll_charts(report: &BankrollReport<'_>) -> Vec<Chart> {
    let ruin = (report.bankroll.greatest_loss > 0).then(|| report.ruin_chart());
    let charts = [report.course_chart(), report.end_chart()].into_iter().chain(ruin);
    let subtitle =
        format!("{}, played by {}: {}", report.rules_and_price(), report.players(), report.measured());
    charts.map(|chart| Chart { subtitle: subtitle.clone(), ..chart }).collect()
}

pub(super) fn bankroll_tables(report: &BankrollReport<'_>) -> [DataTable; 2] {
    [report.course_table(), report.banks_table()]
}

/// Returns the finding that there are no intervals, after an interruption.
pub(super) fn no_intervals(report: &BankrollReport<'_>) -> Option<Finding> {
    let rest = ": the run was interrupted before they were computed.";
    (report.bankroll.replicates == 0).then(|| Finding::open("The intervals are missing", rest))
}

/// Explains wide intervals by payments that the games show too seldom.
pub(super) fn too_rare(report: &BankrollReport<'_>) -> Option<String> {
    let casino = report.casino();
    let each = report.patrons.iter().zip(report.names()).map(|(patron, name)| {
        let price = price(&summarize(&patron.tally, report.rules, Vec::new()), casino);
        (casino, price, patron.tally.histogram(), name)
    });
    rarest(each)
}

impl<'a> BankrollReport<'a> {
    fn casino(&self) -> &'a Casino {
        &self.rules.casino
    }

    fn dollars(&self, cents: f64) -> String {
        money(cents, self.casino(), false)
    }

    fn one(&self) -> &'static str {
        if self.casino().is_staged() { "hand" } else { "deck" }
    }

    /// Returns the units sold in the night: `200 decks`.
    fn decks(&self) -> String {
        plural(self.bankroll.decks.into(), self.one())
    }

    fn sold(&self) -> &'static str {
        if self.casino().is_staged() { "hands offered" } else { "decks sold" }
    }

    fn names(&self) -> Vec<String> {
        short_names(self.patrons.iter().map(|it| &*it.name))
    }

    fn shares(&self) -> Vec<f64> {
        self.patrons.iter().map(|it| it.share).collect()
    }

    /// Returns the shares of the decks of this night, if noticeably different.
    fn of_this_night(&self) -> Option<&'a [f64]> {
        Some(&self.bankroll.shares[..]).filter(|night| differ(&self.shares(), night))
    }

    fn has_visits(&self) -> bool {
        self.patrons.iter().any(|it| it.decks_each > 1)
    }

    fn rules_and_price(&self) -> String {
        let price = self.bankroll.price.map(|price| format!(" at {}", self.dollars(price as f64)));
        format!("{}{}", name_in_full(self.name, self.id), price.unwrap_or_default())
    }

    /// Returns the patrons: `greedy`, or `70% greedy, 30% patient`; by the shares of this night.
    fn players(&self) -> String {
        let names = self.names();
        if names.len() == 1 {
            return names.concat();
        }
        let shares: Vec<String> = match self.of_this_night() {
            Some(shares) => shares.iter().map(|share| tenths(*share)).collect(),
            None => self.shares().into_iter().map(percent_text).collect(),
        };
        let each = shares.into_iter().zip(names).map(|(share, name)| format!("{share} {name}"));
        each.collect::<Vec<_>>().join(", ")
    }

    fn measured(&self) -> String {
        let each: Vec<u64> = self.patrons.iter().map(|it| it.tally.games()).collect();
        let each = match &each[..] {
            [only] => games(*only),
            [first, rest @ ..] if rest.iter().all(|n| n == first) => format!("{} of each", games(*first)),
            all => games(all.iter().sum()),
        };
        format!("{each}, seed {}", self.seed)
    }

    fn played(&self) -> String {
        let open: u64 = self.patrons.iter().flat_map(|it| it.tally.undecided()).sum();
        let open = match open {
            0 => String::new(),
            n => {
                format!("; {} undecided, counted as they stood; the limits count them both ways", games(n))
            }
        };
        let drawn = match self.bankroll.replicates {
            0 => "interrupted before the intervals were computed".into(),
            n => format!("intervals from {} bootstrap samples", count(n)),
        };
        format!("{}{open}; {drawn}", self.measured())
    }

    fn with_intervals<T>(&self, shown: T) -> Option<T> {
        (self.bankroll.replicates > 0).then_some(shown)
    }

    /// Returns the interval of a figure in brackets, if it was computed.
    fn within(&self, said: &FormattedEstimate) -> String {
        self.with_intervals(format!(" ({})", said.interval_in_words())).unwrap_or_default()
    }

    fn findings(&self) -> Vec<Finding> {
        let mut all = vec![self.profit_found(), self.ruin_found(), self.luck_found()];
        all.extend(no_intervals(self));
        all
    }

    fn profit_found(&self) -> Finding {
        let b = self.bankroll;
        let (side, losing) = (Side::of(b.profit), risk(b.losing_night));
        let (gains, size) = if b.profit.value < 0.0 { ("loses", -b.profit) } else { ("gains", b.profit) };
        let open = side == Side::Open && b.replicates > 0;
        let intervals = gain_estimate(b.profit, self.casino()).intervals_in_words(&losing);
        let visits = self.of_this_night().map(|_| {
            format!(
                " The last visit is cut off; in the long run they would buy {}.",
                in_tenths(&self.shares())
            )
        });
        Finding {
            side,
            finding: format!(
                "{} house {gains} {} on average from {}, and {} of nights end with a loss for it",
                if open && b.profit.low < b.profit.high { "Too close to call: the" } else { "The" },
                money_estimate(size, self.casino()).value,
                self.decks(),
                losing.value
            ),
            rest: format!(
                "{}, under the rules of {} when {} {}.{}",
                self.with_intervals(format!(" ({intervals})")).unwrap_or_default(),
                self.rules_and_price(),
                self.players(),
                if self.patrons.len() > 1 { "play" } else { "plays" },
                visits.unwrap_or_default()
            ),
        }
    }

    fn ruin_found(&self) -> Finding {
        let b = self.bankroll;
        let ruin = risk(b.ruin);
        let bank = self.dollars(b.bank as f64);
        let loss = self.dollars(b.greatest_loss as f64);
        let safe = money_estimate(b.bank_for_1_percent, self.casino());
        // A risk of 1% is acceptable to a house.
        let side = match b.ruin {
            ruin if ruin.high <= 0.01 => Side::House,
            ruin if ruin.low > 0.01 => Side::Player,
            _ => Side::Open,
        };
        let (side, finding, rest) = match b.greatest_loss {
            ..=0 => (Side::House, "No bank is needed".into(), ": no deck can pay more than it costs.".into()),
            _ if !b.can_ruin(b.bank) => (
                Side::House,
                format!("A bank of {bank} cannot be ruined in this night"),
                format!(
                    ": it covers the greatest loss, {loss}, on each of {}. For a risk of 1%, {} is enough{}.",
                    plural(b.decks.into(), "deck"),
                    safe.value,
                    self.within(&safe)
                ),
            ),
            _ => (
                side,
                format!("A bank of {bank} is ruined on {} of nights", ruin.value),
                format!(
                    "{}: at some point it can no longer cover the greatest loss on one deck, {loss}. To keep the risk at 1%, \
                     the bank must be {}{}.",
                    self.within(&ruin),
                    safe.value,
                    self.within(&safe)
                ),
            ),
        };
        Finding { side, finding, rest }
    }

    fn luck_found(&self) -> Finding {
        let b = self.bankroll;
        match b.n0 {
            Some(n0) if n0.value <= 0.0 => Finding::open(
                "The profit does not vary in this sample",
                ": the house gained the same from every deck, so there is no luck to compare the edge with.",
            ),
            Some(n0) if n0.high.is_infinite() => Finding::open(
                "These games cannot tell whether the edge ever outweighs luck",
                format!(
                    ": with the edge that was measured the mean profit is one standard deviation after {} (95% interval from {} on). \
                     More games (-n, --search-games) can tell.",
                    plural(in_two_digits(n0.value) as u64, self.one()),
                    count(n0.low.floor() as u64)
                ),
            ),
            Some(n0) => {
                let shown = n0.value.ceil();
                Finding {
                    side: Side::House,
                    finding: format!("The edge outweighs luck after {}", plural(shown as u64, self.one())),
                    rest: format!(
                        "{}: from then on the mean profit is more than one standard deviation; a night of {} is {} times \
                         that.",
                        self.within(&decks_to(n0, 0)),
                        self.decks(),
                        two_digits(f64::from(b.decks) / shown)
                    ),
                }
            }
            None => Finding {
                side: Side::of(b.profit),
                finding: "The edge never outweighs luck".into(),
                rest: ": on average the house does not gain, so more decks do not help it.".into(),
            },
        }
    }

    fn cards(&self) -> Vec<Card> {
        let (b, casino, one) = (self.bankroll, self.casino(), self.one());
        let side = Side::of(b.profit);
        let mix = match (self.patrons.len(), self.of_this_night()) {
            (..=1, _) => "house edge",
            (_, None) => "house edge of the mix",
            (_, Some(_)) => "house edge of the mix in the long run",
        };
        let profit = gain_estimate(b.profit, casino);
        let mut cards = vec![Card::new("mean profit", profit.on(side))];
        cards.extend(b.edge().map(|e| Card::new(mix, edge(e))));
        let ruin = format!("ruin with {}", self.dollars(b.bank as f64));
        cards.extend([
            Card::new("losing nights", risk(b.losing_night)),
            Card::new(ruin, risk_of_bank(b, b.bank, b.ruin)),
            Card::new("bank for 1% risk", money_estimate(b.bank_for_1_percent, casino)),
            Card::new(format!("deviation a {one}"), money_estimate(b.deck_sd, casino)),
        ]);
        // Explanations for readers who do not run casinos, beside the figure.
        let with = |said: FormattedEstimate, what: &str| {
            let gap = if said.interval.is_empty() { "" } else { "; " };
            FormattedEstimate { interval: format!("{}{gap}{what}", said.interval), ..said }
        };
        cards.extend(b.volatility_index.map(|index| {
            let what = format!("1.645 standard deviations of {}", deviation_of(self.has_visits()));
            Card::new(volatility_label("volatility index", self.has_visits()), with(percent(index), &what))
        }));
        let said = match b.n0 {
            Some(n0) if n0.value <= 0.0 => exact("n/a"),
            Some(n0) => decks_to(n0, 0),
            None => exact("never").on(side),
        };
        let what = format!("{one}s until the mean profit is one standard deviation");
        cards.push(Card::new(format!("N0 ({one}s)"), with(said, &what)));
        cards
    }

    /// Returns the maximum increase of a night's standard deviation from gains split between multiples of `unit`
    /// cents, which adds at most a quarter of the unit squared to the variance of a deck.
    fn widened(&self, unit: i64) -> f64 {
        let sd = self.bankroll.sd.value;
        (sd.powi(2) + f64::from(self.bankroll.decks) * (unit as f64).powi(2) / 4.0).sqrt() - sd
    }

    fn notes(&self) -> Vec<String> {
        let (b, one) = (self.bankroll, self.one());
        let split = b.unit.map(|unit| {
            format!(
                ". The sums have too small a common unit, so each was split between the two nearest multiples of {}, which \
                 keeps the mean and adds at most {} to the standard deviation",
                self.dollars(unit as f64),
                self.dollars(self.widened(unit).ceil())
            )
        });
        let loss = match b.greatest_loss {
            ..=0 => String::new(),
            loss => format!(", so that it could lose {}", self.dollars(loss as f64)),
        };
        let n0 = match self.has_visits() {
            true => format!(
                "the number of {one}s after which the mean profit of a night, from its first {one} on, is one standard deviation"
            ),
            false => format!(
                "the number of {one}s after which the mean profit is one standard deviation: the variance of a {one} divided by \
                 the square of the mean"
            ),
        };
        let mut notes = vec![
            format!(
                "Each {one} of the night is drawn from the measured games. The distribution of the profit is then exact: the \
                 convolution of what the house gains on each {one}{}.",
                split.unwrap_or_default()
            ),
            "Intervals are bootstrap intervals: every figure is computed again from the measured games with random weights and one \
             more game, the worst possible for the house or the best, and the limits enclose the middle 95% of the results. So \
             they allow for what happened in no game, such as a win where none was seen."
                .into(),
            format!(
                "The house is ruined when, before any {one} of the night, its bank plus the price of that {one} is less than \
                 the most that the {one} can pay{loss}. The profit and the losing nights assume that every {one} is sold."
            ),
            format!("N0 is {n0}."),
        ];
        notes.extend(b.volatility_index.map(|_| {
            format!(
                "The volatility index is 1.645 standard deviations of {}. Over n decks, the result of nine nights in ten \
                 differs from the edge by at most the index divided by the square root of n.",
                deviation_of(self.has_visits())
            )
        }));
        let drawn = match self.has_visits() {
            true => {
                notes.push(IN_A_ROW.into());
                "Each visit's player is drawn so that in a night without end the decks would be shared as the patrons are."
            }
            false => "Each deck's player is drawn by the shares of the patrons.",
        };
        if self.patrons.len() > 1 {
            notes.push(format!(
                "{drawn} Each patron played different games, so their errors are independent."
            ));
        }
        notes
    }

    fn course_table(&self) -> DataTable {
        let fan = &self.bankroll.fan;
        let quantile = |it: &FanPoint, q: usize| gain_estimate(it.quantiles[q], self.casino());
        let about = "What the house has gained: one night in twenty is as bad as the first figure or worse, half are better than the \
             median, and one in twenty is as good as the last figure or better. Each has its 95% interval.";
        DataTable::of("Profit as the night goes on", about, spread(fan.len(), ROWS).map(|i| &fan[i]))
            .name(self.sold(), |it| number(it.decks.into()))
            .figure("bad night (5%)", |it| quantile(it, 0))
            .figure("median", |it| quantile(it, 2))
            .figure("good night (95%)", |it| quantile(it, 4))
            .done()
    }

    fn banks_table(&self) -> DataTable {
        // Banks with a negligible risk are left out.
        let points = &self.bankroll.ruin_by_bank;
        let safe = points.iter().position(|it| it.ruin.high < SAFE).map_or(points.len(), |last| last + 1);
        let about = format!("Within {}.", self.decks());
        let rows = spread(safe, ROWS).map(|i| &points[i]);
        DataTable::of("The risk of ruin by bank", about, rows)
            .name("bank", |it| FormattedEstimate::of(it.bank as f64 / 100.0, self.dollars(it.bank as f64)))
            .figure("nights with ruin", |it| risk_of_bank(self.bankroll, it.bank, it.ruin))
            .done()
    }

    fn patrons_table(&self) -> DataTable {
        let tonight = self.of_this_night();
        let names = self.names();
        // `None` is all of them together.
        let mix = self.bankroll.edge();
        let rows = (0..names.len()).map(Some).chain(mix.map(|_| None));
        let games = |patron: &&NightPatron| patron.tally.games();
        let in_the_long_run = tonight.map_or("", |_| " in the long run and of this night");
        let about = format!(
            "The share of decks that each buys{in_the_long_run}, and the house edge against each alone and against all of \
                 them together."
        );
        let table = DataTable::of("The patrons", about, rows)
            .name("patron", |i| i.map_or("the mix".into(), |i| names[i].clone()));
        details(table, self.patrons.iter().copied(), |i| i.map(|i| self.patrons[i]))
            .figure("share", |i| percent_text(i.map_or(1.0, |i| self.patrons[i].share)))
            .figure("share of this night", |i| tenths(i.and_then(|i| Some(tonight?[i])).unwrap_or(1.0)))
            .when(tonight.is_some())
            .figure("house edge", |i| match i {
                Some(i) => self.patrons[*i].edge.map_or(exact("none"), edge),
                None => mix.map_or(exact("none"), edge),
            })
            .figure("games measured", |i| match i {
                Some(i) => number(games(&self.patrons[*i])),
                None => number(self.patrons.iter().map(games).sum()),
            })
            .done()
    }

    fn course_chart(&self) -> Chart {
        let (b, decks) = (self.bankroll, self.decks());
        // At the start: no decks, no profit.
        let start = FanPoint { decks: 0, quantiles: [Estimate { value: 0.0, low: 0.0, high: 0.0 }; 5] };
        let points = || std::iter::once(&start).chain(&b.fan);
        let losing = risk(b.losing_night);
        let lost = format!("the house has lost: {} of nights of {decks}", losing.value);
        let medians: Vec<_> = points().map(|p| (f64::from(p.decks), p.quantiles.map(|q| q.value))).collect();
        let limits: Vec<f64> = points().flat_map(|p| p.quantiles).flat_map(|q| [q.low, q.high]).collect();
        let in_words = [losing.value.clone(), losing.both()];
        let mut chart = night_fan(self.casino(), (self.sold(), decks), &medians, in_words, &limits);
        let sure = |line: usize| {
            let limits = points().map(|p| (f64::from(p.decks), scaled(p.quantiles[line], 0.01)));
            Mark::band(limits.map(|(x, q)| (x, q.low, q.high)).collect(), Role::Ink, 0.35)
        };
        // Behind the lines.
        let marks = &mut chart.panels[0].marks;
        marks.splice(3..3, [0, 2, 4].map(sure));
        marks.push(Mark::note((WHOLE.0, WHOLE.1), "the house has gained", Role::House, Stand::Right));
        marks.push(Mark::note((WHOLE.0, WHOLE.0), lost, Role::Player, Stand::Right));
        chart.keys.extend(self.with_intervals(Key::area(Role::Ink, 0.35, "95% interval of a line")));
        let bands = self.with_intervals(
            " The thin bands around the median and the outer lines are 95% intervals: they show how uncertain the \
             measurement is.",
        );
        Chart {
            name: "profit-over-the-night".into(),
            caption: format!("{}{}", chart.caption, bands.unwrap_or_default()),
            ..chart
        }
    }

    fn end_chart(&self) -> Chart {
        let (b, casino) = (self.bankroll, self.casino());
        let heights = b.night.iter().flat_map(|part| [part.chance.value, part.chance.high]);
        let highest = span(heights).map_or(0.0, |(_, high)| high.min(1.0)).max(1e-4) * 100.0;
        let dollars = |cents: i64| cents as f64 / 100.0;
        // Impossible profits would only lengthen the axis.
        let can_be = |part: &NightPart| part.chance.high > 0.0;
        let first = b.night.iter().position(can_be).unwrap_or(0);
        let last = b.night.iter().rposition(can_be).map_or(b.night.len(), |last| last + 1);
        let night = &b.night[first..last];
        let ends = night.iter().flat_map(|part| [dollars(part.from), dollars(part.to)]);
        let range = span(ends).unwrap_or((-1.0, 1.0));
        // Leaves a small gap between bars.
        let gap = (range.1 - range.0) * 0.001;
        let mut marks = Vec::new();
        for part in night {
            let role = if part.to <= 0 { Role::Player } else { Role::House };
            let (from, to) = (dollars(part.from), dollars(part.to));
            let chance = scaled(part.chance, 100.0);
            let bar = Bar { x: (from + gap, to - gap), y: (0.0, chance.value), role, shade: 0.85 };
            marks.push(Mark::Bars(vec![bar]));
            marks.push(Mark::limits((from + to) / 2.0, chance, Role::Ink, 3));
        }
        if (range.0..=range.1).contains(&0.0) {
            marks.push(Mark::upright(0.0, Role::Ink, false));
        }
        let Estimate { value, low, high } = b.losing_night;
        let keeps = risk(Estimate { value: 1.0 - value, low: 1.0 - high, high: 1.0 - low });
        let (loses, gains) = (risk(b.losing_night), gain_estimate(b.profit, casino));
        let x = Axis::money("profit of the house at the end", casino, range, 8);
        let y = Axis::percent("share of nights, %", (0.0, (highest * 1.06).min(100.0)), 5);
        let mut keys = vec![
            Key::area(Role::Player, 0.85, format!("house loses: {}", loses.value)),
            Key::area(Role::House, 0.85, format!("house does not lose: {}", keeps.value)),
        ];
        keys.extend(self.with_intervals(Key::upright(Role::Ink, "95% interval")));
        let limits = self.with_intervals(" The lines on the bars are 95% intervals of their heights.");
        Chart {
            name: "profit-at-the-end".into(),
            title: format!(
                "A night of {} {} {} on average; {} end with a loss",
                self.decks(),
                brings(b.profit.value),
                self.dollars(b.profit.value.abs()),
                loses.value
            ),
            caption: format!(
                "How often the house ends the night with each profit. It loses on {} of nights; its profit is {} on average.{}",
                loses.both(),
                gains.both(),
                limits.unwrap_or_default()
            ),
            keys,
            markers: vec![Marker::new(b.profit.value / 100.0, Role::Ink, format!("mean {}", gains.both()))],
            ..Chart::plot(x, y, marks)
        }
    }

    fn ruin_chart(&self) -> Chart {
        let b = self.bankroll;
        let (decks, loss) = (self.decks(), self.dollars(b.greatest_loss as f64));
        let known = b.ruin_by_bank.iter().map(|p| (p.bank as f64 / 100.0, scaled(p.ruin, 100.0)));
        let mut points: Vec<(f64, Estimate)> = known.collect();
        let (least, most) = span(points.iter().map(|(bank, _)| *bank)).unwrap_or((0.0, 1.0));
        let (bank, one) = (b.bank as f64 / 100.0, b.bank_for_1_percent.value / 100.0);
        if bank < least {
            // Such a bank cannot cover one greatest loss, and is ruined before it begins.
            let sure = Estimate { value: 100.0, low: 100.0, high: 100.0 };
            points.splice(0..0, [(bank, sure), (least, sure)]);
        }
        let hue = Role::Series(0);
        let said = money_estimate(b.bank_for_1_percent, self.casino());
        let ruined = risk_of_bank(b, b.bank, b.ruin);
        let asked = self.dollars(b.bank as f64);
        let (named, title, so) = match b.can_ruin(b.bank) {
            true => (
                format!("bank {asked}: ruin on {} of nights", ruined.value),
                format!("A bank of {asked} is ruined on {} of nights of {decks}", ruined.value),
                format!("is ruined on {} of nights", ruined.both()),
            ),
            false => (
                format!("bank {asked}: ruin cannot happen"),
                format!("A bank of {asked} cannot be ruined in a night of {decks}"),
                format!("covers that on each of {decks}, and cannot be ruined"),
            ),
        };
        let mut marks = Mark::curve(&points, hue).to_vec();
        marks.push(Mark::dots(vec![(one, 1.0)], Role::Muted, 10));
        // The bank for 1% has its own line; the given bank may be far away.
        let mut markers = Vec::new();
        let highest =
            span(points.iter().flat_map(|(_, ruin)| [ruin.value, ruin.high])).map_or(0.0, |it| it.1);
        let top = (highest.max(0.01) * 1.04).min(100.0);
        if bank > most {
            marks.push(Mark::note((WHOLE.1, top * 0.9), format!("{named} →"), Role::Ink, Stand::Left));
        } else {
            marks.push(Mark::dots(vec![(bank, b.ruin.value * 100.0)], Role::Ink, 10));
            markers.push(Marker::new(bank, Role::Ink, named));
        }
        markers.push(Marker::new(one, Role::Muted, format!("1% risk: bank {}", said.both())));
        let x = Axis::money("bank before the first deck", self.casino(), (least.min(bank), most), 8);
        let y = Axis::percent("nights with ruin, %", (0.0, top), 6);
        let mut keys = vec![Key::line(hue, "risk of ruin")];
        keys.extend(self.with_intervals(Key::area(hue, 0.28, "95% interval")));
        Chart {
            name: "ruin-by-bank".into(),
            title,
            caption: format!(
                "The share of nights that ruin a bank (line){}. A bank is ruined when it cannot cover the greatest loss of one \
                 deck, {loss}. A bank of {asked} {so}; a risk of 1% takes a bank of {}.",
                self.with_intervals(", with 95% intervals (band)").unwrap_or_default(),
                said.both()
            ),
            keys,
            markers,
            ..Chart::plot(x, y, marks)
        }
    }
}

/// Formats a risk in percent. Extremely small and large risks are computed less accurately, and shown as bounds.
pub(super) fn risk(e: Estimate) -> FormattedEstimate {
    match e.value.min(1.0 - e.value) {
        rare if rare < RARE && e.value < 1.0 => {
            FormattedEstimate { value: share(e.value.max(f64::MIN_POSITIVE)), ..percent_to(e, 3) }
        }
        _ => percent(e),
    }
}

pub(super) fn risk_of_bank(b: &Bankroll, bank: i64, ruin: Estimate) -> FormattedEstimate {
    match b.can_ruin(bank) {
        true => risk(ruin),
        false => {
            FormattedEstimate { interval: "cannot happen".into(), ..FormattedEstimate::of(0.0, "0%".into()) }
        }
    }
}

/// Formats a number of decks, rounded up, whose upper limit may be infinite.
pub(super) fn decks_to(e: Estimate, decimals: usize) -> FormattedEstimate {
    let unit = 10f64.powi(decimals as i32);
    let limit = |x: f64| if x.is_finite() { fixed(x / unit, decimals) } else { "no limit".into() };
    let interval = match e.low.is_finite() {
        true => format!("{} to {}", limit((e.low * unit).floor()), limit((e.high * unit).ceil())),
        false => "no interval".into(),
    };
    // Without an upper limit the value says little.
    let value = if e.high.is_finite() { e.value } else { in_two_digits(e.value) };
    FormattedEstimate { value: limit((value * unit).ceil()), interval, ..mean(e) }
}

/// Formats a positive number with two digits, or as a whole number: `0.031`, `1.4`, `120`.
fn two_digits(x: f64) -> String {
    let decimals = (1.0 - x.max(1e-9).log10().floor()).clamp(0.0, 9.0);
    fixed(x, decimals as usize)
}

/// Selects at most `most` of `n` indices, evenly spaced, including the last.
fn spread(n: usize, most: usize) -> impl Iterator<Item = usize> {
    let rows = n.min(most);
    (1..=rows).map(move |i| (i * n).div_ceil(rows) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risks_near_none_and_all_are_not_said_to_be_so() {
        let said = |value, low, high| risk(Estimate { value, low, high });
        assert_eq!(said(1e-9, 0.0, 1e-7).both(), "under 0.001% (0% to 0.001%)");
        assert_eq!(said(1e-9, 0.0, 0.01).value, "under 0.001%");
        assert_eq!(said(1.0 - 5e-10, 1.0 - 1e-9, 1.0).both(), "over 99.999% (99.999% to 100%)");
        assert_eq!(said(1.0 - 5e-10, 0.99, 1.0).value, "over 99.999%");
        assert_eq!(said(1.0, 1.0, 1.0).both(), "100% (100% to 100%)");
        assert_eq!(said(0.25, 0.2, 0.3).value, "25.0%");
    }
}
