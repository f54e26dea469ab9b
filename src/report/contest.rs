//! Report of a contest: who wins how often, and the value of speed.

use super::document::{Block, Card, Columns, DataTable, Details, Document, Finding, Medium, exact};
use super::labels::{name_in_full, stem};
use super::quantity::Quantity;
use super::rules_in_words::{in_words, layout_and_play};
use super::run::{Run, named, whole_text};
use crate::chart::{Axis, Bar, Chart, Hues, Key, Mark, Marker, Role, Row, padded, pair, scaled, span};
use crate::contest::{ContestSpec, DealEnd, Foundations, Goal, PlayerSpec};
use crate::format::{
    self, FormattedEstimate, count, fixed, number, one_line, percent, plural, rounded, share,
};
use crate::lab::ContestResult;
use crate::rules::Score;
use crate::rules::decimal;
use crate::stats::{ContestSummary, Estimate, SideSummary, SpeedPoint, StandingSummary};

/// Ranges with 90% and 50% of all matches: their quantiles, half the height of their bars, and their opacity.
const PARTS: [([f64; 2], f64, f64); 2] = [([0.05, 0.95], 0.17, 0.25), ([0.25, 0.75], 0.24, 0.5)];
/// Maximum percentage on the axis: leaves room for the label of 100%.
const MOST: f64 = 105.0;

const WARNING: &str = "Every figure holds only for these rules, this contest and \
    these players, and for this model of time.";

/// Note for contests decided by points alone: why no speeds are tried, or what they show.
const NO_SPEED: &str =
    "Where each player plays a fixed number of deals on separate foundations, speed does not help.";
const NOTES: [&str; 4] = [
    "Every match was dealt from shuffled packs and played to its end by the players named, each of whom \
         sees what a person at the table could see: their own cards, the face-up cards of the others, the \
         points and the shared foundations.",
    "In match i player p sits at seat p + i, round the table. Seats differ only in their packs and in the \
         random numbers for their clocks.",
    "A 95% interval contains the true figure in at least 95 of 100 such runs: of twenty intervals one misses by \
         chance. Rates have the exact interval of Clopper and Pearson; means have Student's, made wider where few numbers have a long tail \
         (Hall 1992). Limits are rounded outwards. Undecided \
         matches count both ways in every rate of wins: as lost in the lower limit, as won in the upper.",
    "The fair share is what each side would win if all were equally good: the matches that one side won alone, divided \
     by the number of sides.",
];

const DEEDS: &str = "Means of a match: deals finished, actions, moves to the middle that came too late, \
    deals in which the player was out first; and the length of the matches that the player won.";
const OWN_DEEDS: &str = "Means of a match: deals finished and actions; and the length of the matches that \
    the player won.";

struct Report<'a> {
    found: &'a ContestResult,
    spec: &'a ContestSpec,
    summary: &'a ContestSummary,
    rules_id: &'a str,
    /// The title with the players: `Racing Demon (racing-demon), played by 4 greedy (1/s)`.
    heading: String,
    hues: Hues,
    /// Win rate of each side if all were equally good: the matches won by one side alone, divided evenly.
    fair: f64,
    first: String,
}

/// Builds the report on the matches of a contest. The pace is that of the whole run.
pub fn contest_document<'a>(
    run: &'a Run,
    found: &'a ContestResult,
    matches_per_second: Option<f64>,
) -> Document<'a> {
    let (spec, summary) = (&found.contest, &found.summary);
    let rules_id = run.rules.first().map_or("", |it| &it.id);
    let (title, players) = (name_in_full(&spec.name, &found.id), players_in_short(spec));
    let matches = plural(summary.matches, "match");
    let names: Vec<&str> = spec.players.iter().map(|it| &*it.name).collect();
    let names: Vec<&str> = names.into_iter().chain(summary.sides.iter().map(|it| &*it.name)).collect();
    let alone = summary.matches - summary.undecided - summary.tied;
    let subtitle = format!("{title}, rules {}; {players}: {matches}, seed {}", one_line(rules_id), run.seed);
    let report = Report {
        found,
        spec,
        summary,
        rules_id,
        heading: format!("{title}, played by {players}"),
        hues: Hues::new(names.iter().map(|it| it.to_string())),
        fair: alone as f64 / (summary.matches.max(1) as f64 * summary.sides.len().max(1) as f64),
        first: spec.players.first().map_or(String::new(), |player| one_line(&player.name)),
    };
    let searches = |it: &PlayerSpec| it.strategy == "search" || it.strategy.starts_with("search:");
    let note = " In a contest search does not look ahead: its policy plays.";
    let note = if spec.players.iter().any(searches) { note } else { "" };
    Document {
        title: report.heading.clone(),
        also_named: names.into_iter().map(String::from).collect(),
        findings: vec![report.answer()],
        warning: format!("{WARNING}{note}"),
        played: format!("{matches}, dealt from seed {}", run.seed),
        cards: report.cards(),
        blocks: report.blocks(matches_per_second),
        notes: NOTES.map(String::from).to_vec(),
        ..Document::of(run)
    }
    .under(&subtitle)
}

impl Report<'_> {
    fn blocks(&self, matches_per_second: Option<f64>) -> Vec<Block> {
        let mut blocks: Vec<Block> = self.remarks().into_iter().map(Block::Warning).collect();
        blocks.extend([self.wins(), self.points()].into_iter().chain(self.speeds_chart()).map(Block::Chart));
        if self.summary.sides.len() < self.spec.players.len() {
            blocks.push(Block::Table(self.sides()));
        }
        blocks.extend([self.players(), self.deeds(), self.seats()].map(Block::Table));
        if !self.found.speeds.is_empty() {
            blocks.push(Block::Table(self.speeds()));
        }
        let mut last = vec![Block::Text(
            "The ranges in brackets, or below a figure, are 95% intervals. Speed is in actions a second. A move to a shared \
             foundation comes too late if another player was faster. Seats rotate, so that no player has an advantage."
                .into(),
        )];
        last.extend((!self.spec.speed_matters()).then(|| Block::Text(NO_SPEED.into())));
        last.extend(matches_per_second.map(|speed| {
            Block::Text(format!("Played at {} matches a second.", count(speed.max(0.0).round() as u64)))
        }));
        blocks.push(Block::Only(Medium::Terminal, last));
        blocks.push(Block::Text(time_in_words(self.spec)));
        blocks.push(Block::Only(Medium::Page, self.in_words()));
        blocks
    }

    fn answer(&self) -> Finding {
        let (s, fair) = (self.summary, self.fair);
        let of = format!("in {}", self.heading);
        let open = s.undecided as f64 / s.matches.max(1) as f64;
        if s.matches == 0 {
            return Finding::open("No match was played", format!(" {of}."));
        }
        if open > 0.5 {
            let finding = format!("Most matches are undecided: {}", share(open));
            return Finding::open(finding, format!(" of {}, {of}.", plural(s.matches, "match")));
        }
        let better = |a: &&SideSummary, b: &&SideSummary| a.win_rate.value.total_cmp(&b.win_rate.value);
        let above = s.sides.iter().filter(|side| side.at_once.low > fair).max_by(better);
        let below = s.sides.iter().filter(|side| side.at_once.high < fair).min_by(better);
        let Some((side, more)) = above.map(|it| (it, "more")).or(below.map(|it| (it, "less"))) else {
            return Finding::open(
                "These matches cannot tell who is better",
                format!(
                    ": with all {} win rates judged at once, at 95% confidence, none differs from the fair share of {}, {of}.",
                    count(s.sides.len() as u64),
                    share(fair)
                ),
            );
        };
        let said = percent(side.at_once);
        Finding::open(
            format!("{} wins {} of matches", one_line(&side.name), said.value),
            format!(
                " ({}, with 95% confidence for all {} at once), {more} than the fair share of {}, {of}.",
                said.interval,
                count(s.sides.len() as u64),
                share(fair)
            ),
        )
    }

    fn remarks(&self) -> Vec<String> {
        let s = self.summary;
        let part = |n: u64| format!("{} ({})", plural(n, "match"), share(n as f64 / s.matches.max(1) as f64));
        let mut remarks = Vec::new();
        if let (Goal::Target { points, max_rounds }, 1..) = (self.spec.goal, s.undecided) {
            remarks.push(format!(
                "undecided: {} went on for {} without a side reaching {}, so nobody won them; the limits of \
                 every win rate count them as lost and as won.",
                part(s.undecided),
                plural(max_rounds.into(), "deal"),
                plural(points.unsigned_abs(), "point"),
            ));
        }
        if s.tied > 0 {
            remarks.push(format!(
                "tied: in {} several sides had the most points; a tie is no win.",
                part(s.tied)
            ));
        }
        let runaways: u64 = s.players.iter().map(|player| player.runaways).sum();
        if runaways > 0 {
            remarks.push(format!(
                "runaway: {} of a player stopped after {} moves, far more than any real one has.",
                plural(runaways, "deal"),
                count(u64::from(crate::game::RUNAWAY)),
            ));
        }
        remarks
    }

    fn cards(&self) -> Vec<Card> {
        let s = self.summary;
        let part = |n: u64, what: &str| FormattedEstimate {
            interval: format!("{} of matches: {what}", share(n as f64 / s.matches.max(1) as f64)),
            ..FormattedEstimate::of(n as f64, count(n))
        };
        let alone = s.matches - s.undecided - s.tied;
        let mut cards = vec![Card::new("won by one side alone", part(alone, "neither tied nor undecided"))];
        cards.push(Card::new("tied", part(s.tied, "several sides had most points")));
        if let Goal::Target { .. } = self.spec.goal {
            cards.push(Card::new("undecided", part(s.undecided, "no side reached the target")));
        }
        let seconds = mean_of(s.seconds, s.matches);
        cards.push(Card::new(
            "length of a match",
            FormattedEstimate { value: format!("{} seconds", seconds.value), ..seconds },
        ));
        cards.push(Card::new("deals of a match", mean_of(s.rounds, s.matches)));
        if self.spec.foundations == Foundations::Shared {
            let deals = s.deals_out + s.deals_stuck;
            let ended = |n: u64, how: &str| FormattedEstimate {
                interval: format!("{} of {}: {how}", count(n), plural(deals, "deal")),
                ..FormattedEstimate::exact(share(n as f64 / deals.max(1) as f64))
            };
            cards.push(Card::new("deals ended by a player", ended(s.deals_out, "the player was out")));
            cards.push(Card::new("deals stuck", ended(s.deals_stuck, "no player could play")));
        }
        cards
    }

    fn in_words(&self) -> Vec<Block> {
        let (spec, rules) = (self.spec, &self.found.rules);
        let heading = "The contest in words".into();
        let mut blocks = in_words(heading, &spec.about, self.contest_in_words(), &spec.source);
        let heading = format!("The layout: {}", name_in_full(&rules.name, self.rules_id));
        blocks.extend(in_words(heading, "", layout_and_play(rules), &rules.source));
        blocks.push(Block::Details(Details {
            title: "The contest as written".into(),
            text: whole_text(named(&self.found.files)),
        }));
        blocks
    }

    fn contest_in_words(&self) -> Vec<String> {
        let (spec, rules) = (self.spec, &self.found.rules);
        let mut lines = vec![format!(
            "{} play, each with packs and a layout of their own by the rules of {}.",
            plural(spec.players.len() as u64, "player"),
            name_in_full(&rules.name, self.rules_id)
        )];
        lines.push(match (spec.foundations, spec.deal_ends) {
            (Foundations::Own, _) => {
                "Each builds on foundations of their own; the deals are played side by side.".into()
            }
            (Foundations::Shared, ends) => {
                let first = match ends {
                    DealEnd::AllUp => "a player has brought all cards up",
                    DealEnd::Reserve => "a player's reserve is empty or all the player's cards are up",
                };
                format!(
                    "All build on the same foundations in the middle, which any base card starts, so there are as many \
                 of each suit as players. A deal ends as soon as {first}, or when no player has a play."
                )
            }
        });
        if let Some(score) = spec.score(rules) {
            lines.push(format!(
                "A deal is counted by the score \"{}\": {}.",
                one_line(&score.name),
                terms(score)
            ));
        }
        lines.push(match spec.goal {
            Goal::Deals(deals) => format!("After {} the most points win.", plural(deals.into(), "deal")),
            Goal::Target { points, max_rounds } => format!(
                "The first to have {} wins. A match is undecided if nobody has after {}.",
                plural(points.unsigned_abs(), "point"),
                plural(max_rounds.into(), "deal")
            ),
        });
        let sides = spec.sides();
        if sides.len() < spec.players.len() {
            let side = |side: &crate::contest::Side| {
                let names: Vec<String> =
                    side.players.iter().map(|&p| one_line(&spec.players[p].name)).collect();
                format!("{} ({})", one_line(&side.name), names.join(", "))
            };
            let sides: Vec<String> = sides.iter().map(side).collect();
            lines.push(format!("Teams pool their points: {}.", sides.join(", ")));
        }
        lines.push("The stakes of the ruleset are ignored.".into());
        lines
    }

    fn sides(&self) -> DataTable {
        let players = |side: &&SideSummary| {
            side.players.iter().map(|player| one_line(player)).collect::<Vec<_>>().join(", ")
        };
        let about = "A match is won by the side that has the most points, or the target, alone.";
        DataTable::of("Teams", about, &self.summary.sides)
            .name("team", |side| one_line(&side.name))
            .name("players", players)
            .figure("matches won", |side| percent(side.win_rate))
            .figure("tied", |side| number(side.tied))
            .done()
    }

    fn players(&self) -> DataTable {
        let part = |thousandths: u32| f64::from(thousandths) / 1000.0;
        let about = "Speed is in actions a second, and jitter is the largest share by which an action takes more or \
             less time. A player wins the matches that the player's side wins alone; points are the \
             player's own in a match.";
        DataTable::of("Players", about, self.spec.players.iter().zip(&self.summary.players))
            .name("player", |(it, _)| one_line(&it.name))
            .name("strategy", |(it, _)| one_line(stem(&it.strategy)))
            .figure("speed", |(it, _)| FormattedEstimate::of(part(it.speed), factor(part(it.speed))))
            .figure("jitter", |(it, _)| {
                let jitter = part(it.jitter);
                FormattedEstimate::of(jitter, format!("{}%", fixed(jitter * 100.0, 0)))
            })
            .figure("matches won", |(_, it)| percent(it.win_rate))
            .figure("points of a match", |(_, it)| mean_of(it.points, self.summary.matches))
            .done()
    }

    fn results(&self, table: Columns<(usize, &StandingSummary)>) -> DataTable {
        let shared = self.spec.foundations == Foundations::Shared;
        table
            .figure("deals", |(_, it)| rounded(it.deals, 1))
            .figure("actions", |(_, it)| rounded(it.actions, 1))
            .figure("too late", |(_, it)| rounded(it.late, 2))
            .when(shared)
            .figure("out first", |(_, it)| rounded(it.out_first, 3))
            .when(shared)
            .figure("seconds, won", |(_, it)| {
                it.seconds_to_win.map_or(exact("none won"), |seconds| mean_of(seconds, it.wins))
            })
            .done()
    }

    fn deeds(&self) -> DataTable {
        let about = match self.spec.foundations {
            Foundations::Shared => DEEDS,
            Foundations::Own => OWN_DEEDS,
        };
        let table = DataTable::of("What the players did", about, self.summary.players.iter().enumerate());
        self.results(table.name("player", |(_, it)| one_line(&it.name)))
    }

    fn seats(&self) -> DataTable {
        let about = "The same by seat, whoever sat there. The players move on by one seat from match to match, so that no \
                 player has an advantage.";
        let table = DataTable::of("Seats", about, self.summary.seats.iter().enumerate())
            .name("seat", |(i, _)| (i + 1).to_string())
            .figure("matches won", |(_, it)| percent(it.win_rate))
            .figure("points of a match", |(_, it)| mean_of(it.points, self.summary.matches));
        self.results(table)
    }

    fn speeds(&self) -> DataTable {
        let about =
            "The same matches again, with the first player faster or slower and all others unchanged.";
        DataTable::of(format!("{} at other speeds", self.first), about, &self.found.speeds)
            .name("speed times", |it| FormattedEstimate::of(it.factor, factor(it.factor)))
            .figure("actions a second", |it| FormattedEstimate::of(it.speed, factor(it.speed)))
            .figure("matches", |it| number(it.matches))
            .figure("matches won", |it| percent(it.win_rate))
            .figure("points of a match", |it| mean_of(it.points, it.matches))
            .done()
    }

    fn wins(&self) -> Chart {
        let row = |side: &SideSummary| {
            let player = self.spec.players.iter().find(|player| player.name == side.name);
            let name = match (player, &side.players[..]) {
                (Some(player), [_]) => pair(&side.name, stem(&player.strategy)),
                _ => pair(&side.name, &side.players.join(", ")),
            };
            Quantity::Wins.row(name, side.win_rate, self.hues.of(&side.name))
        };
        let rows: Vec<Row> = self.summary.sides.iter().map(row).collect();
        let fair = self.fair * 100.0;
        // Starts at 0, unless the rates are too close together to be distinguished.
        let (low, high) = span(Row::ends(&rows).chain([fair])).unwrap_or((0.0, 1.0));
        let low = if high - low < low / 2.0 { padded((low, high), 0.3).0 } else { 0.0 };
        let range = (low, padded((low, high.max(0.01)), 0.06).1.min(100.0));
        let said = self.answer();
        Chart {
            name: "matches-won".into(),
            title: said.finding.trim_end_matches(['.', ':', ',']).into(),
            caption: format!(
                "The share of matches that each won alone (line), with its own 95% interval (box). The dashed \
                 vertical line is the fair share: what each would win if all were equally good. {}{}",
                said.finding, said.rest
            ),
            markers: vec![Marker::new(fair, Role::Ink, format!("fair share {}", share(self.fair)))],
            ..Chart::rows(
                Axis::percent("matches won, % of all matches", range, 8),
                rows,
                "points",
                Vec::new(),
            )
        }
    }

    fn points(&self) -> Chart {
        let standings = &self.summary.players;
        let players = || self.spec.players.iter().zip(standings);
        let rows: Vec<Row> = players()
            .map(|(player, it)| {
                let name = pair(&player.name, stem(&player.strategy));
                let said = mean_of(it.points, self.summary.matches);
                Row::new(name, it.points, Role::Ink, said)
            })
            .collect();
        let first = self.spec.players.first().map_or(Role::Series(0), |player| self.hues.of(&player.name));
        let mut marks = Vec::new();
        for (part, half, shade) in PARTS {
            let bar = |(i, (player, it)): (usize, (&PlayerSpec, &StandingSummary))| {
                let [low, high] = part.map(|q| quantile(&it.histogram, q));
                let at = i as f64 + 0.5;
                Some(Bar {
                    x: (low?, high?),
                    y: (at - half, at + half),
                    role: self.hues.of(&player.name),
                    shade,
                })
            };
            marks.push(Mark::Bars(players().enumerate().filter_map(bar).collect()));
        }
        let ends = standings.iter().flat_map(|it| PARTS[0].0.map(|q| quantile(&it.histogram, q))).flatten();
        let means = standings.iter().map(|it| it.points.value);
        let (low, high) = padded(span(ends.chain(means)).unwrap_or((0.0, 1.0)), 0.06);
        // A range of less than a point is not magnified.
        let range = if high - low < 2.0 { (low - 1.0, high + 1.0) } else { (low, high) };
        let best = players().max_by(|a, b| a.1.points.value.total_cmp(&b.1.points.value));
        let title = best.map_or("Points of a match".into(), |(player, it)| {
            let points = fixed(it.points.value, 1);
            format!(
                "{} makes the most points of a match in these games: {points} on average",
                one_line(&player.name)
            )
        });
        Chart {
            name: "points".into(),
            title,
            caption: "The points that each player had at the end of a match: half of all matches lie in the short bar, nine in \
                      ten in the long one. The line is the mean, and the narrow box about it the mean's 95% interval."
                .into(),
            keys: vec![
                Key::area(first, 0.62, "half of all matches"),
                Key::area(first, 0.25, "9 in 10"),
                Key::interval(Role::Ink, "mean, with its 95% interval"),
            ],
            ..Chart::rows(Axis::new("points of a match", range, 8, fixed), rows, "points", marks)
        }
    }

    fn speeds_chart(&self) -> Option<Chart> {
        let points = &self.found.speeds;
        let (first, last) = (points.first()?, points.last()?);
        let name = &self.first;
        let written = self.spec.players.first();
        let role = written.map_or(Role::Series(0), |player| self.hues.of(&player.name));
        let place = |point: &SpeedPoint| point.factor.max(1e-6).log10();
        let fair = self.fair;
        let rates = points.iter().flat_map(|p| [p.win_rate.low, p.win_rate.high]).chain([fair]);
        let (low, high) = span(rates).unwrap_or((0.0, 1.0));
        let (bottom, top) = padded((low * 100.0, high * 100.0), 0.08);
        let (left, right) = span(points.iter().map(place).chain([0.0])).unwrap_or((-0.1, 0.1));
        // A single speed is centred.
        let range = if right - left < 1e-3 { (left - 0.1, right + 0.1) } else { padded((left, right), 0.04) };
        let curve: Vec<(f64, Estimate)> =
            points.iter().map(|p| (place(p), scaled(p.win_rate, 100.0))).collect();
        let mut marks = vec![Mark::level(fair * 100.0, Role::Muted, false)];
        marks.extend(Mark::curve(&curve, role));
        for (x, e) in &curve {
            marks.push(Mark::limits(*x, *e, role, 3));
            marks.push(Mark::dots(vec![(*x, e.value)], role, 9));
        }
        let said = |point: &SpeedPoint, rate: fn(Estimate) -> String| {
            format!("{} at {} times the speed", rate(point.win_rate), factor(point.factor))
        };
        let both = |rate: fn(Estimate) -> String| match points.len() {
            1 => said(first, rate),
            _ => format!("{}, and {}", said(first, rate), said(last, rate)),
        };
        let nothing = if self.spec.speed_matters() { String::new() } else { format!(" {NO_SPEED}") };
        let x = Axis::places(
            format!("speed of {name}, as a multiple of the speed in the contest (logarithmic scale)"),
            range,
            points.iter().map(|p| (place(p), factor(p.factor))),
        );
        let y = Axis::percent("matches won, % of all matches", (bottom.max(0.0), top.min(MOST)), 6);
        let as_written = written.map_or(0, |player| player.speed);
        Some(Chart {
            name: "speed".into(),
            title: format!("{name} wins {}", both(|e| percent(e).value)),
            caption: format!(
                "The share of matches that {name} won alone (line) with its 95% interval (band), where only {name} is slower or \
                 faster than in the contest and all others play as before. {name} wins {}.{nothing}",
                both(|e| percent(e).both())
            ),
            keys: vec![
                Key::line(role, format!("{name} wins")),
                Key::area(role, 0.28, "95% interval"),
                Key::thin(Role::Muted, format!("fair share {}", share(fair))),
            ],
            markers: vec![Marker::new(
                0.0,
                Role::Ink,
                format!("as in the contest: {}/s", decimal(as_written.into())),
            )],
            ..Chart::plot(x, y, marks)
        })
    }
}

/// Lists players briefly, grouping equal ones: `patient (1/s), 3 greedy (1/s)`.
fn players_in_short(spec: &ContestSpec) -> String {
    let named = |PlayerSpec { strategy, speed, team, .. }: &PlayerSpec| {
        let team = team.as_ref().map_or(String::new(), |team| format!("{}: ", one_line(team)));
        (team, format!("{} ({}/s)", one_line(stem(strategy)), decimal((*speed).into())))
    };
    let players: Vec<(String, String)> = spec.players.iter().map(named).collect();
    let said = players.chunk_by(|a, b| a == b).map(|alike| match (alike.len(), &alike[0]) {
        (1, (team, who)) => format!("{team}{who}"),
        (n, (team, who)) => format!("{team}{n} {who}"),
    });
    said.collect::<Vec<_>>().join(", ")
}

fn time_in_words(spec: &ContestSpec) -> String {
    let place = match spec.foundations {
        Foundations::Shared => {
            "If two players want the same place on a foundation, the one who is done first gets it: the other's move fails, \
             the card stays where it was, and the time is lost. A player with no move waits until a shared foundation \
             changes."
        }
        Foundations::Own => {
            "Nobody waits: each player begins the next deal when the last is over. The deal that ends first counts first."
        }
    };
    format!(
        "All play at once, so time is modelled. Every action, such as moving a card or turning a packet, takes one second \
         divided by the player's speed, longer or shorter at random by up to the jitter. {place} Between two deals {} seconds \
         go by for gathering, shuffling and dealing.",
        decimal(spec.gather.into())
    )
}

/// Describes a score: `1 for each card on the foundations, -2 for each card left in the reserve`.
fn terms(score: &Score) -> String {
    let terms = [
        (score.constant, "in any case"),
        (score.foundation_card, "for each card on the foundations"),
        (score.complete_suit, "for each complete suit"),
        (score.won, "for all cards up"),
        (score.reserve_left, "for each card left in the reserve"),
        (score.redeal, "for each redeal"),
        (score.out_first, "for being the one who ends the deal"),
    ];
    let said: Vec<String> = terms
        .iter()
        .filter(|(points, _)| *points != 0)
        .map(|(points, what)| format!("{} {what}", fixed(*points as f64, 0)))
        .collect();
    if said.is_empty() { "nothing".into() } else { said.join(", ") }
}

pub(super) fn mean_of(mean: Estimate, n: u64) -> FormattedEstimate {
    match mean.low.is_infinite() && n > 1 {
        // Equal in all of several matches, so there is no uncertainty.
        true => FormattedEstimate::exact(fixed(mean.value, 1)),
        false => format::mean(mean),
    }
}

fn factor(factor: f64) -> String {
    decimal((factor * 1000.0).round() as i64)
}

/// Returns the smallest points that at least this share of matches does not exceed.
fn quantile(histogram: &[(i64, u64)], part: f64) -> Option<f64> {
    let all: u64 = histogram.iter().map(|(_, matches)| matches).sum();
    let rank = (part * all as f64).ceil().max(1.0) as u64;
    let mut seen = 0;
    let points = histogram.iter().find(|(_, matches)| {
        seen += matches;
        seen >= rank
    });
    points.map(|(points, _)| *points as f64)
}
