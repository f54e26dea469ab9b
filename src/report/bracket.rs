//! Report on the value of optimal play: between the results of players and the upper bound of the deals.

use super::document::{Block, Columns, DataTable, Document, Finding, Section, exact};
use super::labels::{listed, name_in_full, short_names, upper_first};
use super::quantity::Quantity;
use super::rules_in_words::{key_in_words, rule_in_words};
use super::run::Run;
use crate::chart::{
    Axis, Bar, Chart, Key, Mark, Marker, Role, Row, Stand, WHOLE, both_sides_of_edges, padded, scaled, span,
};
use crate::format::{
    FormattedEstimate, Number, Side, count, edge, fixed, gain_estimate, games, mean, money, percent, plural,
    rounded, share,
};
use crate::lab::{BracketPoint, OptimalPlay};
use crate::stats::{Bracket, Estimate, Gain, Measure, Summary, Width, best_of};
use crate::text::slug;

const BOUND: &str = "clairvoyant (bound)";
const NAMED: usize = 6;
const SHADE: f64 = 0.28;
const LIGHT: f64 = 0.14;
const HALF: f64 = 0.28;
/// House edges below this percentage are not drawn: the clairvoyant player's advantage would compress all others.
const LOWEST: f64 = -400.0;

const NOTES: [&str; 4] = [
    "The lower bound is the best of the players. It was chosen on deals of its own, for cards, wins and money each, and is \
     judged on fresh ones: on the deals by which it was chosen, its luck would count as skill. Nobody plays better than \
     optimally, so what it reaches is a lower bound.",
    "The upper bound is what a player who knows every card could reach on the same fresh deals; where the solver did not \
     decide a deal, the most that it did not rule out. Optimal play without knowing the cards cannot be worth more. It may \
     be worth much less. This bound charges nothing for knowing the cards (it is a dual bound without a penalty).",
    "A 95% interval contains the true figure in at least 95 of 100 such runs. From the lower limit of the lower bound to the upper \
     limit of the upper bound is such an interval for the value of optimal play. Shares have the exact interval of Clopper and \
     Pearson, means its extension to numbers of a known range (Gaffke 2005); limits are rounded outwards. Tables and charts have \
     these intervals for each ruleset by itself; what is said of who gains, under several rulesets, holds for all of them at \
     once (Bonferroni), with wider intervals.",
    "The width of that interval has three parts: the sampling error of both bounds; what deals add that the solver did not \
     decide; and what knowing the hidden cards is worth, beyond the best player here.",
];

/// A figure of a ruleset, with its bracket and the best player by it.
type Figure<'a> = (&'a BracketPoint, (usize, Bracket, Quantity<'a>));

struct Report<'a> {
    run: &'a Run,
    found: &'a OptimalPlay,
    points: &'a [BracketPoint],
    names: Vec<String>,
}

/// Builds the report on the bounds of optimal play.
pub fn bracket_document<'a>(run: &'a Run, found: &OptimalPlay) -> Document<'a> {
    let names = short_names(found.points.iter().take(1).flat_map(|it| &it.players).map(|it| &*it.strategy));
    let report = Report { run, found, points: &found.points, names };
    let rules: Vec<String> = run.rules.iter().map(|it| name_in_full(&it.name, &it.id)).collect();
    let rules = match &rules[..] {
        [first, _, ..] => format!("{first} and {} more", rules.len() - 1),
        names => names.concat(),
    };
    let varied = found.varied.map_or(String::new(), |key| format!(", by {}", key_in_words(key)));
    Document {
        title: format!("What is optimal play of {rules} worth{varied}?"),
        findings: report.findings(),
        warning: report.warning(),
        played: report.played(),
        blocks: report.blocks(),
        notes: NOTES.map(String::from).to_vec(),
        ..Document::of(run)
    }
}

impl Report<'_> {
    fn several(&self) -> bool {
        self.points.len() > 1
    }

    fn label(&self, point: &BracketPoint) -> String {
        let of = if self.run.rules.len() < 2 { String::new() } else { format!("{}, ", point.id) };
        match &point.change {
            None => name_in_full(&point.name, &point.id),
            Some(it) => format!("{of}{}", rule_in_words(it.key(), it.shown())),
        }
    }

    fn short(&self, point: &BracketPoint) -> String {
        let of = if self.run.rules.len() < 2 { String::new() } else { format!("{} ", point.id) };
        point.change.as_ref().map_or(point.id.clone(), |it| format!("{of}{}", it.shown()))
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if self.several() {
            let paid = self.points.iter().all(|point| point.brackets.house_edge.is_some());
            let money = paid.then_some(Measure::Money);
            let charts = money.into_iter().chain([Measure::Cards, Measure::Wins]);
            blocks.extend(charts.map(|measure| Block::Chart(self.overview(measure))));
            let tables = money.into_iter().chain([Measure::Cards]);
            blocks.extend(tables.map(|measure| Block::Table(self.by_player(measure))));
        }
        blocks.extend([self.brackets(), self.widths()].map(Block::Table));
        for point in self.points {
            let name = if self.several() { format!("ladder-{}", anchor(point)) } else { "ladder".into() };
            let chart = Chart { name, ..self.ladder_chart(point) };
            let both = vec![Block::Table(self.ladder(point)), Block::Chart(chart)];
            if self.several() {
                let title = upper_first(&self.label(point));
                blocks.push(Block::Section(Section { id: anchor(point), title, blocks: both }));
            } else {
                blocks.extend(both);
            }
        }
        blocks
    }

    fn findings(&self) -> Vec<Finding> {
        match self.points {
            [only] => {
                let reaches = [Measure::Cards, Measure::Wins].map(|measure| self.reaches(only, measure));
                self.gains(only).into_iter().chain(reaches).collect()
            }
            points if points.iter().all(|point| point.gain.is_none()) => {
                points.iter().take(3).map(|point| self.reaches(point, Measure::Cards)).collect()
            }
            _ => [Side::House, Side::Player, Side::Open]
                .into_iter()
                .filter_map(|it| self.on_side(it))
                .collect(),
        }
    }

    /// Returns the finding for the rulesets on one side, with the range of their edges.
    fn on_side(&self, which: Side) -> Option<Finding> {
        let all: Vec<&BracketPoint> =
            self.points.iter().filter(|point| point.gain.is_some() && side(point) == which).collect();
        if all.is_empty() {
            return None;
        }
        let edges = all.iter().filter_map(|point| point.at_once.house_edge);
        let by_value = |a: &Estimate, b: &Estimate| a.value.total_cmp(&b.value);
        let rest = match which {
            Side::House => edges.map(|it| it.lower).min_by(by_value).map(|least| {
                let least = edge(least).both();
                format!("Even against a player who knows every card the house edge is at least {least}")
            }),
            Side::Player => edges.map(|it| it.upper).max_by(by_value).map(|most| {
                format!("Against the best player here the house edge is at most {}", edge(most).both())
            }),
            Side::Open => {
                let said = [Gain::MoreDeals, Gain::MoreNodes, Gain::BetterBounds].map(|gain| {
                    let of = match all.iter().filter(|point| point.gain == Some(gain)).count() {
                        0 => return None,
                        n if n == all.len() => String::new(),
                        n => format!(" for {n} of them"),
                    };
                    Some(format!("{} may tell{of}", self.needed(gain)))
                });
                Some(upper_first(&said.into_iter().flatten().collect::<Vec<_>>().join("; ")))
            }
        };
        let rest = rest.map_or(".".into(), |rest| format!(". {rest}."));
        Some(Finding { side: which, finding: upper_first(&self.gains_under(which)?), rest })
    }

    /// Returns a clause such as `with no redeals the house gains, whoever plays`; `None` if it applies to no ruleset.
    fn gains_under(&self, which: Side) -> Option<String> {
        let said = match which {
            Side::House => "the house gains, whoever plays",
            Side::Player => "a good player gains",
            Side::Open => "it is not known who gains",
        };
        let on = self.points.iter().filter(|point| point.gain.is_some() && side(point) == which);
        let points: Vec<&BracketPoint> = on.collect();
        let rules = match (&points[..], self.found.varied.filter(|_| self.run.rules.len() < 2)) {
            ([], _) => return None,
            ([only], Some(_)) => format!("with {}", self.label(only)),
            (_, Some(key)) => format!("with {} {}", key_in_words(key), self.listed(&points)),
            (_, None) => format!("under {}", self.listed(&points)),
        };
        Some(format!("{rules} {said}"))
    }

    /// Lists rulesets: `1, 2 and 3`; a long list ends with a count.
    fn listed(&self, points: &[&BracketPoint]) -> String {
        let name = |point: &&BracketPoint| match &point.change {
            Some(it) if self.run.rules.len() > 1 => {
                format!("{} with {}", point.id, rule_in_words(it.key(), it.shown()))
            }
            _ => self.short(point),
        };
        let mut names: Vec<String> = points.iter().map(name).collect();
        if names.len() > NAMED {
            let more = names.len() - NAMED + 1;
            names.truncate(NAMED - 1);
            names.push(format!("{more} more"));
        }
        listed(&names, "and")
    }

    fn gains(&self, point: &BracketPoint) -> Option<Finding> {
        let gain = point.gain?;
        let (bracket, shown) = match point.at_once.house_edge {
            Some(edge) => (edge, Quantity::Edge),
            None => (point.at_once.net, Quantity::Net(&point.rules.casino)),
        };
        let (rules, name) = (self.label(point), shown.name());
        let best = &self.names[point.chosen(Measure::Money)];
        let [lower, upper] = [bracket.lower, bracket.upper].map(|it| shown.say(it));
        // The player's bound is the lower one of the net, but the upper one of the edge.
        let (player, most) = if shown == Quantity::Edge { (upper, lower) } else { (lower, upper) };
        let (finding, rest) = match gain {
            Gain::House => (
                format!("The house gains whoever plays: {rules}"),
                format!(
                    ". Even against a player who knows every card the {name} is {} ({}); against {best} it is {}.",
                    most.value,
                    most.interval_in_words(),
                    player.both()
                ),
            ),
            Gain::Player => (
                format!("A good player gains: {rules}"),
                format!(
                    ". When {best} plays, the {name} is {} ({}).{}",
                    player.value,
                    player.interval_in_words(),
                    self.overtaken(point, Measure::Money)
                ),
            ),
            open => {
                let said = between(&bracket, shown);
                let lies = if said.value.contains(" to ") { "lies from" } else { "is" };
                (
                    format!("Not known yet who gains: {rules}"),
                    format!(
                        ". Against optimal play the {name} {lies} {} (with 95% confidence {}). {}",
                        said.value,
                        said.interval,
                        self.would_tell(point, open)
                    ),
                )
            }
        };
        Some(Finding { side: side(point), finding, rest })
    }

    fn would_tell(&self, point: &BracketPoint, gain: Gain) -> String {
        let why = match gain {
            Gain::MoreDeals => "only the sampling error is too large for that",
            Gain::MoreNodes => "on deals that the solver decided, nobody gains enough",
            _ if point.is_trivial() => "no upper bound is known",
            _ => "the one known here assumes a player who knows every card",
        };
        format!("{} may settle it: {why}.", upper_first(&self.needed(gain)))
    }

    /// Names what an open question of who gains needs.
    fn needed(&self, gain: Gain) -> String {
        match gain {
            Gain::MoreDeals => "more deals (-n)".into(),
            Gain::MoreNodes => "more positions a deal (--nodes)".into(),
            _ => format!("{} or a tighter upper bound", self.better()),
        }
    }

    fn better(&self) -> &'static str {
        let level = |it: &crate::lab::BracketPlayer| {
            let settings = it.strategy.strip_prefix("search")?;
            let level = settings.split([':', ',']).find_map(|setting| setting.strip_prefix("level="));
            level.map_or(Some(2), |level| level.parse().ok())
        };
        match self.points.iter().flat_map(|point| &point.players).filter_map(level).max() {
            Some(5..) => "a better player than any here",
            Some(4) => "a better player (-s search:level=5)",
            _ => "a better player (-s search:level=4)",
        }
    }

    fn reaches(&self, point: &BracketPoint, measure: Measure) -> Finding {
        let (bracket, shown) = bracket_of(point, measure);
        let said = between(&bracket, shown);
        let finding = match measure {
            Measure::Wins => format!("It wins {} of games", said.value),
            _ => format!("Optimal play brings up {} cards", said.value),
        };
        let of = if self.several() { format!(", {}", self.label(point)) } else { String::new() };
        let best = &self.names[point.chosen(measure)];
        let upper = match point.is_trivial() {
            true => "the rules allow no more",
            false => "a player who knows every card could reach the upper",
        };
        let mut rest = format!(
            "{of} (with 95% confidence {}): {best} reaches the lower figure; {upper}.",
            said.interval
        );
        // Stated once, for cards; with several rulesets, the table of widths has a line for each.
        if measure == Measure::Cards {
            rest += &self.overtaken(point, measure);
        }
        if measure == Measure::Cards && !self.several() {
            let (part, needed) = self.largest_part(point, &bracket);
            rest += &format!(" The largest part of this range is {part}: {needed} may make it narrower.");
        }
        Finding::open(finding, rest)
    }

    /// Names the largest part of the width of a bracket, and what would make it smaller.
    fn largest_part(&self, point: &BracketPoint, bracket: &Bracket) -> (&'static str, &'static str) {
        let Width { sampling, undecided, hidden, .. } = bracket.width;
        let chance = ("chance", "more deals (-n)");
        match point.is_trivial() {
            true if sampling > hidden => chance,
            true => ("what no bound limits", self.better()),
            false if hidden >= sampling.max(undecided) => {
                ("what knowing the hidden cards is worth", self.better())
            }
            false if undecided >= sampling => {
                ("deals that the solver did not decide", "more positions a deal (--nodes)")
            }
            false => chance,
        }
    }

    /// Names players who beat the best player on the deals that measure it, which must not change the selection.
    fn overtaken(&self, point: &BracketPoint, measure: Measure) -> String {
        let judged: Vec<Summary> = point.players.iter().map(|it| it.judged.clone()).collect();
        let (best, here) = (point.chosen(measure), best_of(&judged, measure));
        if judged[here].by(measure).value <= judged[best].by(measure).value {
            return String::new();
        }
        format!(
            " On these deals {} does better; {} was chosen, as it must be, on {} others: more of them (--choose) choose better.",
            self.names[here],
            self.names[best],
            count(self.found.choosing_games)
        )
    }

    fn warning(&self) -> String {
        let refused = self.points.iter().filter_map(|point| {
            let why = point.upper_bound.why.as_ref()?;
            let rules = upper_first(&self.label(point));
            Some(format!(
                "{rules}: the solver refuses these rules ({why}), so that the upper bound is only that all cards go up."
            ))
        });
        let any = |of: fn(&BracketPoint) -> bool| self.points.iter().any(of);
        let told = [
            (
                any(|point| point.rules.casino.is_staged()),
                "Where the stake is bought in stages, the upper bound of money counts only those that must be bought for cards \
                 to be paid.",
            ),
            (
                any(|point| point.rules.casino.has_redeal_fees()),
                "The upper bound of money leaves out the fees of redeals.",
            ),
            (
                true,
                "Optimal play is that of a player who sees only what can be seen at the table, and makes the best of it.",
            ),
            (
                any(|point| point.brackets.house_edge.is_some()),
                "Of the house edge the best player gives the higher figure, of the others the lower.",
            ),
        ];
        let told = told.into_iter().filter(|(holds, _)| *holds).map(|(_, text)| text.to_string());
        refused.chain(told).collect::<Vec<_>>().join(" ")
    }

    fn played(&self) -> String {
        let rulesets = match self.points.len() {
            1 => String::new(),
            n => format!("{} rulesets, ", count(n as u64)),
        };
        let deals = || self.points.iter().map(|point| point.deals);
        let (least, most) = (deals().min().unwrap_or(0), deals().max().unwrap_or(0));
        let played = if least == most { games(most) } else { format!("{} to {}", count(least), games(most)) };
        let undecided = match self.points {
            [only] if !only.is_trivial() => match only.upper_bound.undecided {
                0 => ", and every deal was decided".into(),
                some => {
                    let part = share(some as f64 / only.deals.max(1) as f64);
                    format!(", and {} ({part}) not decided", plural(some, "deal"))
                }
            },
            _ => String::new(),
        };
        format!(
            "{rulesets}{}: {played} by each, dealt from seed {}, after {} by which the best was chosen; at most {} a deal{undecided}",
            plural(self.names.len() as u64, "player"),
            self.run.seed,
            games(self.found.choosing_games),
            plural(self.found.nodes, "position")
        )
    }

    fn by_figure(&self, title: &str, about: &'static str) -> Columns<Figure<'_>> {
        let rows = self.points.iter().flat_map(|point| figures(point).map(move |it| (point, it)));
        DataTable::of(title, about, rows)
            .name("rules", |(point, _)| self.label(point))
            .when(self.several())
            .name("figure", |(_, (_, _, of))| of.name())
    }

    fn brackets(&self) -> DataTable {
        let about = "For cards, games won and the player's net, \u{201c}at least\u{201d} is what the best of the players reached, and \
             \u{201c}at most\u{201d} what the same deals allow a player who knows every card. For the house edge it is the other \
             way round.";
        self.by_figure("Optimal play lies between", about)
            .figure("at least", |(_, (_, bracket, of))| bound(of.say(bracket.lower)))
            .figure("at most", |(_, (_, bracket, of))| bound(of.say(bracket.upper)))
            .name("best player", |(_, (best, ..))| &*self.names[*best])
            .done()
    }

    fn widths(&self) -> DataTable {
        let about = "From the lower limit of one bound to the upper limit of the other. More deals make the sampling error smaller, more \
             positions a deal (--nodes) what undecided deals add. The rest is how much more a player who knows every card \
             reaches than the best player here; where the solver refuses the rules, how much more they allow. How much of that \
             is within reach of a player who does not know the cards, these games cannot tell.";
        self.by_figure("What the width is made of", about)
            .figure("width", |(_, (_, it, of))| length(*of, it.width.total))
            .figure("sampling error", |(_, (_, it, of))| length(*of, it.width.sampling))
            .figure("undecided deals", |(_, (_, it, of))| length(*of, it.width.undecided))
            .figure("hidden cards", |(_, (_, it, of))| length(*of, it.width.hidden))
            .done()
    }

    fn by_player(&self, measure: Measure) -> DataTable {
        let money = measure == Measure::Money;
        let of = |s: &Summary| s.house_edge.filter(|_| money).map_or_else(|| mean(s.cards), edge);
        let rules = |it: &&BracketPoint| if it.change.is_some() { self.label(it) } else { it.id.clone() };
        let most = |it: &&BracketPoint| match it.brackets.house_edge.filter(|_| money) {
            Some(of) => bound(edge(of.lower)),
            None => bound(mean(it.brackets.cards.upper)),
        };
        let gains = |it: &&BracketPoint| match side(it) {
            Side::House => "house",
            Side::Player => "player",
            Side::Open => "open",
        };
        let (title, what, who) = match money {
            true => (
                "House edge against each player",
                "what the casino keeps of the deck's price",
                " Who gains holds for all rulesets at once.",
            ),
            false => ("Mean cards of each player", "the mean of cards on the foundations", ""),
        };
        let about = format!(
            "For each ruleset {what}, all players on the same deals. The column of the bound is no player: it is what one who knows \
             every card could reach, so that nobody reaches more; where the solver refuses the rules, all cards count as \
             brought up.{who}"
        );
        let mut table = DataTable::of(title, about, self.points).name("rules", rules);
        for (i, player) in self.names.iter().enumerate() {
            table = table.figure(player.clone(), |it| of(&it.players[i].judged));
        }
        table.figure(BOUND, most).name("gains", gains).when(money).done()
    }

    fn ladder(&self, point: &BracketPoint) -> DataTable {
        let (casino, all) = (&point.rules.casino, &point.brackets);
        let edges = point.players.iter().any(|it| it.judged.house_edge.is_some());
        // `None` is the upper bound.
        let rows = order(point).into_iter().map(Some).chain([None]);
        let of = |place: &Option<usize>| place.map(|place| &point.players[place]);
        let money = |place: &Option<usize>| match (of(place), all.house_edge) {
            (Some(it), _) => it.judged.house_edge.map_or_else(|| gain_estimate(it.judged.net, casino), edge),
            (None, Some(of)) => bound(edge(of.lower)),
            (None, None) if edges => exact("not known"),
            (None, None) => bound(gain_estimate(all.net.upper, casino)),
        };
        let about = "All on the same deals. The last column is the mean number of cards on other deals, by which the best player was \
             chosen; no other figure uses them, and the best there may not be the best here. The last row is no player but the \
             upper bound: what one who knows every card could reach. Deals that were not decided count there at the most that \
             is not ruled out.";
        DataTable::of("The players, the weakest first, and the upper bound", about, rows)
            .name("player", |place| place.map_or(BOUND.into(), |place| self.names[place].clone()))
            .figure("cards", |place| {
                of(place).map_or_else(|| bound(mean(all.cards.upper)), |it| mean(it.judged.cards))
            })
            .figure("games won", |place| {
                of(place).map_or_else(|| bound(percent(all.wins.upper)), |it| percent(it.judged.win_rate))
            })
            .figure(if edges { "house edge" } else { "player's net" }, money)
            .when(edges || point.gain.is_some())
            .figure("cards when choosing", |place| match of(place).map(|it| &it.choosing) {
                Some(choosing) if choosing.games > 0 => rounded(choosing.cards.value, 2),
                _ => exact(""),
            })
            .done()
    }

    fn of_deals(&self, deals: u64) -> String {
        format!("{} to judge by, seed {}, 95% intervals", plural(deals, "deal"), self.run.seed)
    }

    fn subtitle(&self, deals: u64) -> String {
        match &self.run.rules[..] {
            [only] => format!("{}: {}", name_in_full(&only.name, &only.id), self.of_deals(deals)),
            _ => self.of_deals(deals),
        }
    }

    /// Draws every player by mean cards, the weakest first, with the range of optimal play shaded.
    fn ladder_chart(&self, point: &BracketPoint) -> Chart {
        let bracket = point.brackets.cards;
        let best = point.chosen(Measure::Cards);
        let row = |place: usize| {
            let role = if place == best { Role::Ink } else { Role::Muted };
            Quantity::Cards.row(self.names[place].clone(), point.players[place].judged.cards, role)
        };
        let mut rows: Vec<Row> = order(point).into_iter().map(row).collect();
        let (top, said) = match point.is_trivial() {
            true => ("all cards (bound)", FormattedEstimate::exact(fixed(bracket.upper.value, 0))),
            false => (BOUND, mean(bracket.upper)),
        };
        rows.push(Row::new(top, bracket.upper, Role::Clairvoyant, said));
        let (_, high) = padded(span(Row::ends(&rows).chain([0.0])).unwrap_or((0.0, 1.0)), 0.05);
        let high = high.min(point.rules.cards() as f64);
        let x = Axis::new("mean cards on the foundations", (0.0, high), 8, fixed);
        let shade = |from, to| Mark::area((from, to), WHOLE, Role::Clairvoyant, LIGHT);
        let (lower, upper) = (bracket.lower, bracket.upper);
        let behind = vec![shade(lower.low, upper.high), shade(lower.value, upper.value)];
        let casino = &point.rules.casino;
        let more = !casino.steps.is_empty() || casino.jackpot.is_some() || casino.has_redeal_fees();
        let by_cards_alone = casino.pays_per_card > 0 && casino.pays_for_win == 0 && !more;
        let even = casino.stake as f64 / casino.pays_per_card as f64;
        let marked = point.brackets.house_edge.is_some() && by_cards_alone && even < high;
        let label = || format!("below {} cards the house gains", fixed(even, 1));
        Chart {
            title: format!(
                "{}: optimal play is worth {} to {} cards",
                upper_first(&self.label(point)),
                fixed(lower.value, 2),
                fixed(upper.value, 2)
            ),
            subtitle: match point.change {
                Some(_) => self.subtitle(point.deals),
                None => self.of_deals(point.deals),
            },
            caption: format!(
                "Mean cards of each player (line) with its 95% interval (box), the weakest first. Optimal play lies in the \
                 shaded part: from the best player, {}, to what a player could reach who knows every card (the bound).",
                self.names[best]
            ),
            keys: vec![Key::area(
                Role::Clairvoyant,
                SHADE,
                "optimal play lies here; lighter: sampling error",
            )],
            markers: marked.then(|| Marker::new(even, Role::Ink, label())).into_iter().collect(),
            ..Chart::rows(x, rows, "cards", behind)
        }
    }

    fn overview(&self, measure: Measure) -> Chart {
        let money = measure == Measure::Money;
        let of = match measure {
            Measure::Cards => Quantity::Cards,
            Measure::Wins => Quantity::Wins,
            Measure::Money => Quantity::Edge,
        };
        let drawn = |point: &BracketPoint| {
            let (bracket, _) = bracket_of(point, measure);
            let [lower, upper] = [bracket.lower, bracket.upper].map(|it| scaled(it, of.unit()));
            Bracket { lower, upper, ..bracket }
        };
        let brackets: Vec<Bracket> = self.points.iter().map(drawn).collect();
        let values = brackets.iter().flat_map(|it| [it.lower.low, it.upper.high]);
        let range = match measure {
            Measure::Money => both_sides_of_edges(values.map(|value| value.max(LOWEST))),
            _ => (0.0, padded(span(values.chain([0.0])).unwrap_or((0.0, 1.0)), 0.06).1),
        };
        let mut marks = Vec::new();
        if money {
            marks.extend(Mark::sides_above());
            let [first, last] =
                [brackets.first(), brackets.last()].map(|it| it.map_or(0.0, |it| it.lower.value));
            marks.extend(Mark::sides_named(first > last, ["the house gains", "the player gains"]));
        }
        let role = |point: &BracketPoint| {
            if money { Role::of_side(side(point)) } else { Role::Clairvoyant }
        };
        for (i, (bracket, point)) in brackets.iter().zip(self.points).enumerate() {
            let at = i as f64 + 0.5;
            marks.extend(column(at, bracket, role(point), range.0));
            let (player, knows) = match measure {
                Measure::Money => (bracket.upper.value, bracket.lower.value),
                _ => (bracket.lower.value, bracket.upper.value),
            };
            marks.push(Mark::thin(vec![(at - HALF, knows), (at + HALF, knows)], Role::Clairvoyant));
            marks.push(Mark::dots(vec![(at, player)], Role::Ink, 7));
        }
        // The ruleset with the widest bracket.
        let widest = brackets.iter().zip(self.points);
        let widest = widest.max_by(|(a, _), (b, _)| a.width.total.total_cmp(&b.width.total));
        let widest = widest.map(|(bracket, point)| (bracket, self.label(point)));
        let (title, y) = match measure {
            Measure::Cards => (
                widest.map_or(String::new(), |(it, rules)| {
                    let width = fixed(it.width.total, 1);
                    format!("Optimal play is known to within {width} cards at worst, with {rules}")
                }),
                Axis::new("mean cards on the foundations", range, 8, fixed),
            ),
            Measure::Wins => (
                widest.map_or(String::new(), |(it, rules)| {
                    let [least, most] = [it.lower.value, it.upper.value].map(|it| fixed(it, 1));
                    format!(
                        "Optimal play wins from {least}% to {most}% of games with {rules}, where least is known"
                    )
                }),
                Axis::percent("games won, %", range, 8),
            ),
            Measure::Money => {
                let sides = [Side::House, Side::Open, Side::Player];
                let said = sides.into_iter().filter_map(|which| self.gains_under(which));
                let title = upper_first(&said.collect::<Vec<_>>().join("; "));
                (title, Axis::percent("house edge, % of the deck's price", range, 8))
            }
        };
        let x = Axis::columns(
            self.found.varied.map_or("ruleset", key_in_words),
            self.points.iter().map(|point| self.short(point)),
        );
        let hue = self.points.first().map_or(Role::Muted, role);
        let sides = match money {
            true => {
                " Above 0 the house gains, below it the player; grey columns leave it open; an arrow says that a column goes \
                 on below."
            }
            false => "",
        };
        Chart {
            name: of.name().replace(' ', "-"),
            title,
            subtitle: self.subtitle(self.points.iter().map(|point| point.deals).min().unwrap_or(0)),
            keys: vec![
                Key::dot(Role::Ink, "best player"),
                Key::thin(Role::Clairvoyant, BOUND),
                Key::area(hue, 0.6, "optimal play lies here"),
                Key::area(hue, 0.3, "95% interval"),
            ],
            caption: format!(
                "For each ruleset the {} between the bounds of optimal play (column); beyond it, their 95% intervals \
                 (lighter). The dot is the best player, the line the player who knows every card.{sides}",
                of.name()
            ),
            ..Chart::plot(x, y, marks)
        }
    }
}

fn side(point: &BracketPoint) -> Side {
    match point.gain {
        Some(Gain::House) => Side::House,
        Some(Gain::Player) => Side::Player,
        _ => Side::Open,
    }
}

fn anchor(point: &BracketPoint) -> String {
    let value = point.change.as_ref().map_or(String::new(), |it| format!("-{}", it.shown()));
    slug(&format!("{}{value}", point.id), 60)
}

fn order(point: &BracketPoint) -> Vec<usize> {
    let cards = |place: usize| point.players[place].judged.cards.value;
    let mut order: Vec<usize> = (0..point.players.len()).collect();
    order.sort_by(|&a, &b| cards(a).total_cmp(&cards(b)));
    order
}

/// Draws one bracket as a vertical bar. The lower end of an edge is that of the clairvoyant player.
fn column(at: f64, bracket: &Bracket, role: Role, floor: f64) -> Vec<Mark> {
    let x = (at - HALF, at + HALF);
    let bar = |from: f64, to: f64, shade| Bar { x, y: (from.max(floor), to.max(floor)), role, shade };
    let Bracket { lower, upper, .. } = *bracket;
    let (inner, outer) = (lower.value.min(upper.value), lower.value.max(upper.value));
    let bars = [bar(lower.low, inner, 0.3), bar(inner, outer, 0.6), bar(outer, upper.high, 0.3)];
    let mut marks = vec![Mark::Bars(bars.into_iter().filter(|bar| bar.y.1 > bar.y.0).collect())];
    if lower.low < floor {
        marks.push(Mark::note((at, floor), "↓", Role::Ink, Stand::Middle));
    }
    marks
}

/// Returns the bracket of a measure; for money that of the house edge, or of the net if there is no edge.
fn bracket_of(point: &BracketPoint, measure: Measure) -> (Bracket, Quantity<'_>) {
    let it = &point.brackets;
    match (measure, it.house_edge) {
        (Measure::Cards, _) => (it.cards, Quantity::Cards),
        (Measure::Wins, _) => (it.wins, Quantity::Wins),
        (Measure::Money, Some(edge)) => (edge, Quantity::Edge),
        (Measure::Money, None) => (it.net, Quantity::Net(&point.rules.casino)),
    }
}

/// Returns every figure that has a bracket, with the index of the player selected for it.
fn figures(point: &BracketPoint) -> impl Iterator<Item = (usize, Bracket, Quantity<'_>)> {
    let it = &point.brackets;
    let net = point.gain.map(|_| (Measure::Money, it.net, Quantity::Net(&point.rules.casino)));
    let edge = it.house_edge.map(|edge| (Measure::Money, edge, Quantity::Edge));
    let all = [(Measure::Cards, it.cards, Quantity::Cards), (Measure::Wins, it.wins, Quantity::Wins)];
    let all = all.into_iter().chain(net).chain(edge);
    all.map(|(measure, bracket, of)| (point.chosen(measure), bracket, of))
}

fn length(of: Quantity<'_>, x: f64) -> FormattedEstimate {
    match of {
        Quantity::Cards => FormattedEstimate::of(x, fixed(x, 2)),
        Quantity::Net(casino) => FormattedEstimate::of(x / 100.0, money(x, casino, false)),
        _ => FormattedEstimate::of(x, format!("{} pp", fixed(x * 100.0, 1))),
    }
}

/// Formats both bounds and the limits around them: `3.81 to 4.11`, `3.77 to 4.16`.
fn between(bracket: &Bracket, of: Quantity<'_>) -> FormattedEstimate {
    let Bracket { lower, upper, .. } = *bracket;
    let [low, high] = [lower, upper].map(|it| of.say(it));
    let whole = of.say(Estimate { value: lower.value, low: lower.low, high: upper.high });
    let limits = low.interval.split_once(" to ").zip(high.interval.split_once(" to "));
    let interval = limits.map(|((least, _), (_, most))| {
        // One limit alone does not show the sign of the other.
        let signed = of == Quantity::Edge && lower.low < 0.0 && upper.high > 0.0;
        let plus = if signed && !most.starts_with('+') { "+" } else { "" };
        format!("{least} to {plus}{most}")
    });
    let value = if low.value == high.value { low.value } else { format!("{} to {}", low.value, high.value) };
    FormattedEstimate {
        value,
        interval: interval.unwrap_or(whole.interval),
        number: whole.number,
        side: low.side,
    }
}

fn bound(said: FormattedEstimate) -> FormattedEstimate {
    match said.number {
        Some(Number::Estimate(Estimate { value, low, high })) if low == value && value == high => {
            FormattedEstimate { interval: String::new(), ..said }
        }
        _ => said,
    }
}
