//! Report on the results of a night: whether it was luck, who came, and the resulting edge.

use super::document::{Block, Card, DataTable, Document, Finding, exact};
use super::labels::{percent_text, rules_in_full, short_names, upper_first};
use super::run::Run;
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, Row, Stand, WHOLE, both_sides_of_edges, span};
use crate::format::{
    FormattedEstimate, Number, Side, count, edge, edge_to, fixed, games, money, number, percent_to, plural,
};
use crate::lab::NightEstimate;
use crate::stats::{Estimate, Estimated, NightRow, Posterior};

const WARNING: &str =
    "Every figure holds only if all who came play like one of these kinds; nobody else is looked for.";
const ROUGH: f64 = 0.0025;
const SHADE: f64 = 0.75;
/// Maximum power of ten at which evidence is drawn.
const TOP: f64 = 9.0;

struct Report<'a> {
    night: &'a NightEstimate,
    found: &'a Estimated,
    names: Vec<String>,
    rules: String,
    decks: String,
    rate: String,
    seed: u64,
}

/// Builds the report on a night's results: whether they were luck, and who came.
pub fn estimate_document<'a>(run: &'a Run, night: &NightEstimate) -> Document<'a> {
    let price = money(night.price as f64, &night.casino, false);
    let rules = rules_in_full(run);
    let report = Report {
        night,
        found: &night.found,
        names: short_names(night.players.iter().map(|it| &*it.name)),
        rules: format!("{rules} at {price}"),
        decks: plural(night.found.decks, "deck"),
        rate: percent_text(night.alpha),
        seed: run.seed,
    };
    let mut blocks = Vec::new();
    if !night.found.unexplained {
        blocks.extend([report.edge_chart(), report.shares_chart()].map(Block::Chart));
    }
    if night.found.in_order {
        blocks.push(Block::Chart(report.evidence_chart()));
    }
    blocks.push(Block::Table(report.players()));
    let each = report.names.iter().zip(&night.players);
    let each: Vec<String> = each.map(|(name, it)| format!("{} of {name}", games(it.tally.games()))).collect();
    Document {
        title: format!("Who came: {} of {}", report.decks, report.rules),
        findings: report.findings(),
        warning: WARNING.into(),
        played: format!("{}; seed {}", each.join(", "), report.seed),
        cards: report.cards(),
        blocks,
        notes: report.notes(),
        ..Document::of(run)
    }
    .under(&format!("{}; {}; expected {}", report.rules, report.decks, report.expected()))
}

impl Report<'_> {
    fn dollars(&self, cents: f64) -> String {
        money(cents, &self.night.casino, false)
    }

    /// `30% beginner, 70% ordinary`
    fn expected(&self) -> String {
        let shares = self.night.players.iter().zip(&self.names);
        let each = shares.map(|(it, name)| format!("{} {name}", percent_text(it.share_expected)));
        each.collect::<Vec<_>>().join(", ")
    }

    fn findings(&self) -> Vec<Finding> {
        let found = self.found;
        let mut all = Vec::new();
        if found.unexplained {
            all.push(Finding::open(
                format!(
                    "No mix of these kinds explains the night: whichever comes, a night so unlike it has a probability of {}{}",
                    if found.fit < 1e-4 { "" } else { "at most " },
                    chance(found.fit)
                ),
                format!(
                    ", and the limit is {}. Other players came, other rules were played, or the results are wrong; so no edge and no \
                     shares of these kinds are to be trusted.",
                    self.rate
                ),
            ));
        }
        all.extend([self.luck(), self.watched()]);
        if !found.unexplained {
            let after = edge_to(found.after.edge.estimate, found.after.edge.decimals());
            all.push(Finding::of(
                &after,
                format!("The players of this night leave the house an edge of {}", after.value),
                format!(
                    "; before the night {} was expected. The house loses to such players with a probability of {}.",
                    alone(found.edge_before),
                    losing(&found.after.losing)
                ),
            ));
        }
        if self.night.players.iter().any(|it| it.decks_each > 1) {
            all.push(Finding::open(
                "`decks_each` is not used: every deck is taken as drawn apart",
                ". Decks that one player plays in a row hang together, so chance pays so much oftener than it says here, the watch \
                 gives more false alarms, and the intervals are too narrow.",
            ));
        }
        all
    }

    /// Returns the error rate of a single look for payouts that are too high, and of one for those too low.
    fn half(&self) -> f64 {
        self.night.alpha / 2.0
    }

    /// Returns whether it was luck, by a single test of the whole night.
    fn luck(&self) -> Finding {
        let found = self.found;
        let is_low = found.chance_of_less.value < found.chance.value;
        let (chance, or) = if is_low { (found.chance_of_less, "less") } else { (found.chance, "more") };
        let chance = chance_estimate(chance);
        let chance = match chance.interval.is_empty() {
            true => chance.value,
            false => format!("{} ({})", chance.value, chance.interval_in_words()),
        };
        let (high, low) = (found.chance, found.chance_of_less);
        let (side, answer, judged) = if high.high <= self.half() {
            (Side::Player, "No", ": better players came than those expected, or something is wrong")
        } else if low.high <= self.half() {
            (Side::House, "No", ": weaker players came than those expected, or payments are missing")
        } else if high.low <= self.half() || low.low <= self.half() {
            let more = ", between these: measure more games, with -n and --search-games";
            (Side::Open, "Too few games were measured to say", more)
        } else {
            (Side::Open, "Yes, it may have been", "")
        };
        let kept = if found.kept < 0.0 { "lost" } else { "kept" };
        Finding {
            side,
            finding: format!(
                "Was {} luck? {answer}: chance alone pays {} or {or} in {chance} of such nights",
                if found.unexplained { "the sum" } else { "it" },
                self.dollars(found.paid as f64)
            ),
            rest: format!(
                ", and the limit is {}{judged}. If the players are those expected, {} {} paid {} on average; the house {kept} {} of the stakes.",
                percent_text(self.half()),
                self.decks,
                if found.decks == 1 { "is" } else { "are" },
                self.dollars(found.expected),
                alone(found.kept.abs()).replace('+', "")
            ),
        }
    }

    fn watched(&self) -> Finding {
        let (found, rate) = (self.found, &self.rate);
        if !found.in_order {
            return self.watched_at_the_end();
        }
        let promise = format!(
            "It gives a false alarm in at most {rate} of honest nights, however often one looks and whenever one stops"
        );
        if let Some(after) = found.too_bad_after {
            return Finding {
                side: Side::Player,
                finding: format!(
                    "Watched deck by deck, the night gave an alarm after {}",
                    plural(after, "deck")
                ),
                rest: format!(": that much by then is no luck either. {promise}."),
            };
        }
        let nearest = self.nearest_to_an_alarm();
        let stricter = match found.chance.high <= self.half() {
            true => {
                ", and is stricter for that than the one look, which holds for a night judged once, at its end"
            }
            false => "",
        };
        Finding::open(
            "Watched deck by deck, the night gave no alarm",
            format!(": {nearest}. {promise}{stricter}."),
        )
    }

    fn watched_at_the_end(&self) -> Finding {
        let (side, answer) = match self.found.too_bad_after {
            Some(_) => (Side::Player, "gives an alarm".to_string()),
            None => (Side::Open, format!("gives no alarm: {}", self.nearest_to_an_alarm())),
        };
        Finding {
            side,
            finding: "The decks are not in the order of sale, so the watch looks once, at the end".into(),
            rest: format!(
                ": the rows count decks, or are sorted. There it {answer}. To watch deck by deck, give a row for each deck in the order of \
                 sale."
            ),
        }
    }

    fn nearest_to_an_alarm(&self) -> String {
        let most = self.found.course.iter().map(|at| at.one_in).fold(1.0, f64::max);
        match most > 1.0 {
            true => format!(
                "it would have given one at an error rate of {}, and --alpha allows {}",
                chance(1.0 / most),
                self.rate
            ),
            false => "it came nowhere near one".to_string(),
        }
    }

    fn cards(&self) -> Vec<Card> {
        let found = self.found;
        let exact = |number: f64, said: String| FormattedEstimate::of(number, said);
        let mut cards = vec![
            Card::new("house edge expected", exact(found.edge_before, alone(found.edge_before))),
            Card::new("kept of the stakes", exact(found.kept, alone(found.kept))),
            Card::new("chance of so high a payout", chance_estimate(found.chance)),
        ];
        if !found.unexplained {
            let after = edge_to(found.after.edge.estimate, found.after.edge.decimals());
            cards.insert(0, Card::new("house edge after the night", after));
            let losing = exact(found.after.losing.estimate.value, losing(&found.after.losing));
            cards.push(Card::new("the house loses to them", losing));
        }
        cards
    }

    fn players(&self) -> DataTable {
        let players = &self.night.players;
        let (others, after) = (players.iter().any(|it| it.name != it.strategy), !self.found.unexplained);
        let (title, and_after) = match after {
            true => ("Who came", ", and what it is after the night"),
            false => ("Who was expected", ""),
        };
        let about = format!(
            "The share of decks that each kind was expected to buy{and_after}; and the house edge against each alone."
        );
        DataTable::of(title, about, self.names.iter().zip(players))
            .name("player", |(name, _)| name.to_string())
            .name("plays", |(_, it)| it.strategy.clone())
            .when(others)
            .figure("share expected", |(_, it)| percent_text(it.share_expected))
            .figure("share after the night", |(_, it)| share(&it.share))
            .when(after)
            .figure("house edge alone", |(_, it)| it.edge.map_or(exact("none"), edge))
            .figure("games measured", |(_, it)| number(it.tally.games()))
            .done()
    }

    fn edge_chart(&self) -> Chart {
        let found = self.found;
        let width = match &found.after.density[..] {
            [first, second, ..] => second.0 - first.0,
            _ => 0.01,
        };
        // Very improbable edges would only lengthen the axis.
        let shown = || found.after.density.iter().filter(|(_, p)| *p > 0.0005);
        let side = |from: f64| if from + width / 2.0 < 0.0 { Role::Player } else { Role::House };
        let bars = shown().map(|(from, p)| Bar {
            x: (100.0 * from, 100.0 * (from + width)),
            y: (0.0, 100.0 * p),
            role: side(*from),
            shade: SHADE,
        });
        let sides = [(Role::Player, "the house loses"), (Role::House, "the house gains")];
        let drawn = sides.into_iter().filter(|(role, _)| shown().any(|(from, _)| side(*from) == *role));
        let most = found.after.density.iter().map(|(_, p)| 100.0 * p).fold(0.0, f64::max);
        let ends = shown().flat_map(|(from, _)| [*from, from + width]);
        let range = both_sides_of_edges(ends.chain([found.edge_before]).map(|it| 100.0 * it));
        let said = edge_to(found.after.edge.estimate, found.after.edge.decimals());
        Chart {
            name: "edge".into(),
            title: format!(
                "The players of this night leave the house an edge of {} ({})",
                said.value, said.interval
            ),
            caption: format!(
                "How likely each house edge is after the night, given the results and what was expected before. The broken line is the \
                 edge of the expected players. The house loses with a probability of {}.",
                losing(&found.after.losing)
            ),
            keys: drawn.map(|(role, said)| Key::area(role, SHADE, said)).collect(),
            markers: vec![Marker::new(
                100.0 * found.edge_before,
                Role::Ink,
                format!("expected {}", alone(found.edge_before)),
            )],
            ..Chart::plot(
                Axis::percent("house edge, % of the price", range, 8),
                Axis::percent("probability", (0.0, (most * 1.1).min(100.0)), 5),
                vec![Mark::Bars(bars.collect()), Mark::upright(0.0, Role::Ink, false)],
            )
        }
    }

    fn shares_chart(&self) -> Chart {
        let mut rows = Vec::new();
        let mut marks = Vec::new();
        let mut most = 0f64;
        for (i, (name, it)) in self.names.iter().zip(&self.night.players).enumerate() {
            let row = Row::new(name, it.share.estimate, Role::Series(0), share(&it.share)).percent();
            let (at, expected) = (i as f64, 100.0 * it.share_expected);
            marks.push(Mark::dots(vec![(row.estimate.value, at + 0.5)], row.role, 10));
            marks.push(Mark::thin(vec![(expected, at + 0.15), (expected, at + 0.85)], Role::Ink));
            most = most.max(row.estimate.high).max(expected);
            rows.push(row);
        }
        let top = rows.iter().max_by(|a, b| a.estimate.value.total_cmp(&b.estimate.value));
        let title = top.map_or(String::new(), |top| match top.estimate.low > 50.0 {
            true => format!("Most of the decks were played by {}: {}", top.name, top.said.both()),
            false => {
                format!("{} may have played the most decks: {}", upper_first(&top.name), top.said.both())
            }
        });
        Chart {
            name: "players".into(),
            title,
            caption: "The share of the decks that each kind of player bought, after the night: mean (dot) and 95% interval (box). The \
                      upright lines are the expected shares."
                .into(),
            keys: vec![Key::interval(Role::Series(0), "this night"), Key::upright(Role::Ink, "expected")],
            ..Chart::rows(Axis::percent("share of the decks", (0.0, (most * 1.05).min(100.0)), 6), rows, "points", marks)
        }
    }

    fn evidence_chart(&self) -> Chart {
        let (found, rate) = (self.found, &self.rate);
        let bound = (1.0 / self.night.alpha).log10();
        let top = TOP.max(bound + 2.0);
        // Less than one in one is no evidence.
        let points: Vec<(f64, f64)> =
            found.course.iter().map(|at| (at.decks as f64, at.one_in.max(1.0).log10().min(top))).collect();
        let beyond = match points.iter().any(|(_, y)| *y >= top) {
            true => format!(" What is rarer than one in {} is drawn there.", count(10f64.powf(top) as u64)),
            false => String::new(),
        };
        let range = span(points.iter().map(|(_, y)| *y).chain([0.0, bound])).unwrap_or((0.0, 1.0));
        // Leaves room for the label above the line.
        let range = (range.0 - 0.1, range.1 + if beyond.is_empty() { 0.5 } else { 1.0 });
        let alarm = match found.too_bad_after {
            Some(after) => format!("an alarm after {}", plural(after, "deck")),
            None => "no alarm".into(),
        };
        Chart {
            name: "evidence".into(),
            title: format!("Watched deck by deck, the night gave {alarm}"),
            caption: format!(
                "How rare the payouts of the first decks are if the expected players came, after each deck of {}: at 20, at most one honest \
                 night in 20 ever gets so far. The broken line is the alarm, which at most {rate} of honest nights ever reach.{beyond}",
                self.decks
            ),
            ..Chart::plot(
                Axis::new("decks sold", (0.0, found.decks as f64), 8, fixed),
                Axis::powers("at most one honest night in ... (logarithmic scale)", range, |power| {
                    count(power.round() as u64)
                }),
                vec![
                    Mark::area(WHOLE, (bound, range.1), Role::Player, 0.12),
                    Mark::level(bound, Role::Player, true),
                    Mark::line(points, Role::House),
                    Mark::note(
                        (WHOLE.0, range.1),
                        format!("alarm (false in at most {rate} of nights)"),
                        Role::Player,
                        Stand::Right,
                    ),
                ],
            )
        }
    }

    fn notes(&self) -> Vec<String> {
        let (found, rate) = (self.found, &self.rate);
        let mut notes = Vec::new();
        if !found.unexplained {
            notes.extend([
                format!(
                    "Before the night the shares have a Dirichlet distribution with the expected shares as its mean, which weighs as much \
                     as {} whose players are known. The shares after the night are means and the middle 95% of {} weighted \
                     draws from the posterior, which say as much as {} independent ones (effective sample size). How well each kind plays \
                     is drawn again many times from the measured games.",
                    plural(self.night.prior_decks, "deck"),
                    count(found.after.draws),
                    count(found.after.effective_draws as u64)
                ),
                format!(
                    "Other draws would move the edge after the night by {} points, and other games, with another --seed, by {} (standard \
                     errors); so figures are printed to the last digit that other draws leave as it is. More games (-n, --search-games) \
                     give more digits.",
                    error(found.after.edge.error_of_draws),
                    error(found.after.edge.error_of_games)
                ),
            ]);
        }
        notes.extend([
            "The chance of a payout is exact for the measured games up to 2,000 decks, and computed in groups of decks beyond: the \
             convolution of what a deck of the expected players is paid. Its limits, and those of the edge, allow for great payments \
             too rare for these games to show."
                .into(),
            format!(
                "The watch bets on every deck{} that it is paid more than the mean of the expected players. A fair \
                 bet multiplies its stake by {} with a probability of at most {rate} (Ville's inequality), and that is the alarm; the mean \
                 is taken so high that the measured games exceed it once in a thousand.",
                if found.in_order { ", in the order of the file," } else { "" },
                fixed(1.0 / self.night.alpha, 0)
            ),
            format!(
                "Whether any mix explains the night is asked of what all decks are paid, against decks paid as much, or as little, as any \
                 of the kinds at each number of cards; and, where cards are known, of the likelihood of the mix that fits best (universal \
                 inference). Of nights that a mix plays at most {rate} are called unexplained, as the limits of the measured games are in \
                 it."
            ),
        ]);
        if self.night.results.iter().any(|it| matches!(it, NightRow::Together { .. })) {
            notes.push(
                "Decks that were paid together say less than decks one by one: their sum is taken as normal, and the watch looks only \
                 after each row."
                    .into(),
            );
        }
        if found.after.edge.error_of_draws > ROUGH && !found.unexplained {
            notes.push(
                "The draws do not settle the figures after the night, as so little is believed before it: take them as rough, or give a \
                 greater --prior."
                    .into(),
            );
        }
        notes
    }
}

/// Formats a probability, never as 0% or 100%.
fn chance(p: f64) -> String {
    probability(p, if (0.01..=0.9999).contains(&p) { 1 } else { 2 })
}

/// Formats a probability with this number of decimals of a percentage, never as 0% or 100%.
fn probability(p: f64, decimals: usize) -> String {
    let unit = 10f64.powi(-(decimals as i32));
    match 100.0 * p {
        percent if percent < unit => format!("under {}%", fixed(unit, decimals)),
        percent if percent > 100.0 - unit => format!("over {}%", fixed(100.0 - unit, decimals)),
        percent => format!("{}%", fixed(percent, decimals)),
    }
}

/// Formats a probability with its limits, if they differ visibly.
fn chance_estimate(e: Estimate) -> FormattedEstimate {
    let [value, low, high] = [e.value, e.low, e.high].map(chance);
    let interval = if low == high { String::new() } else { format!("{low} to {high}") };
    FormattedEstimate { value, interval, number: Some(Number::Estimate(e)), ..FormattedEstimate::default() }
}

/// Formats the probability that the house loses: a range if unobserved payments would change it.
fn losing(it: &Posterior) -> String {
    let decimals = it.decimals().min(2);
    let [low, high] = [it.estimate.low, it.estimate.high].map(|p| probability(p, decimals));
    if low == high { low } else { format!("{low} to {high}") }
}

fn alone(e: f64) -> String {
    edge(Estimate { value: e, low: e, high: e }).value
}

/// Formats the share of a kind, with as many digits as other draws leave unchanged.
fn share(it: &Posterior) -> FormattedEstimate {
    percent_to(it.estimate, it.decimals())
}

fn error(fraction: f64) -> String {
    let decimals = (-(100.0 * fraction).log10()).ceil().clamp(0.0, 4.0) as usize;
    fixed(100.0 * fraction, decimals)
}
