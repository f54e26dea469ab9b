//! Report on solved deals: what the clairvoyant player can win, and how far strategies fall short.

use super::csv::{lines, safe};
use super::document::{Block, Card, DataTable, Document, Finding, exact};
use super::labels::{name_in_full, short_names, upper_first};
use super::quantity::{BOTH_WAYS, INTERVALS, edge_between, mean_between, money_between, percent_between};
use super::run::Run;
use crate::chart::{Axis, Bar, Beside, Chart, Hues, Key, Mark, Marker, Role};
use crate::format::{
    FormattedEstimate, Side, count, edge, fixed, mean, number, one_line, plural, rounded, share,
};
use crate::lab::{Solutions, SolvePlayer, Solved};
use crate::solver::Verdict;
use crate::stats::{Bounded, MostCards, payout};

const WARNING: &str = "Nobody at a table knows every card, so these are limits that no real player can pass.";
const NO_FEES: &str = " Fees of redeals are not taken off what that player could get.";
/// Maximum number of strategies with findings of their own.
const FOUND: usize = 3;
const CLAIRVOYANT: &str = "clairvoyant";
const LINES: usize = 6;
const ROW: i32 = 70;

struct Report<'a> {
    found: &'a Solutions,
    names: Vec<String>,
    source: String,
}

/// Builds the report on deals with every card known.
pub fn solve_document<'a>(run: &'a Run, found: &Solutions) -> Document<'a> {
    let source = run.source();
    let deals = plural(found.deals as u64, "deal");
    let rules = name_in_full(&found.rules.name, run.rules.first().map_or("", |it| &it.id));
    let subtitle = format!("{rules}, every card known: {deals}, {source}");
    let report = Report { found, names: strategy_names(found), source };
    let fees = if found.rules.casino.has_redeal_fees() { NO_FEES } else { "" };
    Document {
        title: format!("{}, every card known", one_line(&found.rules.name)),
        findings: report.findings(),
        warning: format!("{WARNING}{fees}"),
        played: report.played(),
        cards: report.cards(),
        blocks: report.blocks(),
        notes: report.notes(),
        ..Document::of(run)
    }
    .under(&subtitle)
}

/// Returns a row for each answer: `deal,face,verdict,limit,cards,cards_at_most,nodes,seconds`, and for each strategy
/// its `cards` and the `end` of its game. Without a die the face is empty; with one, a game is in the row of the face
/// that it rolled.
pub fn solve_csv(found: &Solutions) -> String {
    let head = ["deal", "face", "verdict", "limit", "cards", "cards_at_most", "nodes", "seconds"];
    let by = |name: String| ["cards", "end"].map(|of| safe(&format!("{name} {of}")).into_owned());
    let of_players = strategy_names(found).into_iter().flat_map(by);
    let head: Vec<String> = head.map(String::from).into_iter().chain(of_players).collect();
    let row = |(place, answer): (usize, &Solved)| {
        let limit = match answer.verdict {
            Verdict::Unknown(limit) => limit.to_string(),
            _ => String::new(),
        };
        let mut row = vec![
            safe(&answer.id).into_owned(),
            answer.face.map_or(String::new(), |face| face.to_string()),
            answer.verdict.to_string(),
            limit,
            answer.cards.to_string(),
            answer.cards_at_most.to_string(),
            answer.nodes.to_string(),
            format!("{:.6}", answer.seconds),
        ];
        for player in &found.players {
            let deal = place / found.faces;
            let of_face = answer.face.is_none() || found.rolled.get(deal) == Some(&answer.face);
            let outcome = player.games.get(deal).filter(|_| of_face);
            row.push(outcome.map_or(String::new(), |it| it.cards.to_string()));
            row.push(outcome.map_or(String::new(), |it| it.end.to_string()));
        }
        row
    };
    lines(std::iter::once(head).chain(found.answers.iter().enumerate().map(row)))
}

fn strategy_names(found: &Solutions) -> Vec<String> {
    short_names(found.players.iter().map(|it| &*it.strategy))
}

impl Report<'_> {
    fn players(&self) -> impl Iterator<Item = (&String, &SolvePlayer)> {
        self.names.iter().zip(&self.found.players)
    }

    fn part(&self, some: u64) -> String {
        let all = self.found.answers.len().max(1) as f64;
        if some == 0 { "none".into() } else { format!("{} ({})", count(some), share(some as f64 / all)) }
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        if let Some(most) = &self.found.most_cards {
            if !self.names.is_empty() {
                blocks.extend([Block::Table(self.left(most)), Block::Chart(self.left_chart(most))]);
            }
            blocks.push(Block::Chart(self.curves(most)));
        }
        blocks.extend([Block::Table(self.effort()), Block::Chart(self.effort_chart())]);
        blocks.extend(self.found.most_cards.as_ref().map(|most| Block::Table(most_cards(most))));
        blocks
    }

    fn played(&self) -> String {
        let found = self.found;
        let faces = match found.faces {
            1 => String::new(),
            faces => format!(", each with the {faces} faces of the die"),
        };
        let mut limits = Vec::new();
        limits.extend(found.limits.nodes.map(|nodes| format!("{} positions", count(nodes))));
        limits.extend(found.limits.seconds.map(|seconds| format!("{seconds} s")));
        let limits = if limits.is_empty() { "memory alone".into() } else { limits.join(" or ") };
        let deals = plural(found.deals as u64, "deal");
        format!("{deals} of {}{faces}; limit a deal: {limits}", self.source)
    }

    fn findings(&self) -> Vec<Finding> {
        let won = percent_between(self.found.winnable.share);
        let mut findings = vec![Finding::open(
            format!("{} of the deals can be won", won.value),
            format!(" by a player who knows every card ({}).", won.interval_in_words()),
        )];
        let Some(most) = &self.found.most_cards else { return findings };
        let cards = mean_between(most.cards);
        let edge = most.house_edge.map_or(String::new(), |edge| {
            let edge = edge_between(edge);
            let within = edge.interval_in_words();
            format!(": a house edge of {} ({within}), the worst that a casino could ever face", edge.value)
        });
        findings.push(Finding {
            side: side(most),
            finding: format!("Such a player brings up {} cards of a deal", cards.value),
            rest: format!(" on average ({}){edge}.", cards.interval_in_words()),
        });
        let mut players: Vec<_> = self.players().collect();
        if players.len() > FOUND {
            players.sort_by(|(_, a), (_, b)| a.left.cards.least.total_cmp(&b.left.cards.least));
        }
        let casino = &self.found.rules.casino;
        for (name, SolvePlayer { left, .. }) in players.into_iter().take(FOUND) {
            let cards = mean_between(left.cards);
            let money = left.money.filter(|_| casino.is_for_money());
            let money =
                money.map_or(String::new(), |it| format!(", worth {}", money_between(it, casino).value));
            let won = left.of_winnable.map(percent_between).map_or(String::new(), |won| {
                format!("; of the deals that can be won it won {} ({})", won.value, won.interval)
            });
            let leaves = format!("{name} leaves {} cards a game on the table", cards.value);
            findings.push(Finding::of(&cards, leaves, format!("{money}{won}.")));
        }
        findings
    }

    fn cards(&self) -> Vec<Card> {
        let mut cards = Vec::new();
        if let Some(most) = &self.found.most_cards {
            cards.push(Card::new("most cards, mean", mean_between(most.cards)));
            let edge = most.house_edge.map(|edge| edge_between(edge).on(side(most)));
            cards.extend(edge.map(|edge| Card::new("house edge against clairvoyance", edge)));
            let open = self.part(self.found.most_cards_open(most));
            cards.push(Card::new("deals with the most cards undecided", exact(open)));
        }
        cards.push(Card::new("can be won", percent_between(self.found.winnable.share)));
        let open: u64 = self.found.open.values().sum();
        let why: Vec<String> =
            self.found.open.iter().map(|(limit, n)| format!("{limit} {}", count(*n))).collect();
        let undecided = match open {
            0 => exact("none"),
            _ => FormattedEstimate {
                value: self.part(open),
                interval: format!("limit: {}", why.join(", ")),
                ..Default::default()
            },
        };
        cards.push(Card::new("undecided", undecided));
        let memory = self.found.peak_memory_bytes as f64 / f64::from(1 << 20);
        cards.push(Card::new("most memory", exact(format!("{} MiB", fixed(memory, 1)))));
        cards
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "The solver goes through the legal moves of the ordinary rules with every card known. A deal is won if moves were found \
             that win it (they were replayed), lost if that is proven, and undecided if a limit stopped the search. Rules that \
             end a game without progress do not apply."
                .to_string(),
            BOTH_WAYS.to_string(),
            INTERVALS.to_string(),
        ];
        if self.found.faces > 1 {
            notes.push(
                "The die is rolled before the game: every face has its own answer, and all count the same. Intervals treat a deal with \
                 all its faces as one case. A strategy played the face that its game rolled, and is compared with the answer \
                 for that face."
                    .into(),
            );
        }
        if !self.names.is_empty() {
            notes.push(
                "The strategies played the ordinary games of these deals, seeing what a person at the table sees. What is left is \
                 the difference between the most cards of the deal and theirs. If a strategy brought up more \
                 cards than the solver in a deal left open, its count becomes the lower bound."
                    .into(),
            );
            let won = self.found.answers.iter().filter(|it| it.verdict == Verdict::Won).count() as u64;
            let shown = self.found.winnable.won.saturating_sub(won);
            if shown > 0 {
                let (was, s) = if shown == 1 { ("was", "s") } else { ("were", "") };
                notes.push(format!(
                    "Of the deals that the solver left undecided, {} {was} won by a strategy, and count{s} as winnable.",
                    count(shown)
                ));
            }
        }
        notes
    }

    fn left(&self, most: &MostCards) -> DataTable {
        let casino = &self.found.rules.casino;
        let (money, priced) = (!casino.is_staged() && casino.is_for_money(), most.house_edge.is_some());
        let some_can_be_won = self.players().any(|(_, it)| it.left.of_winnable.is_some());
        // `None` is the clairvoyant player.
        let rows = self.players().map(Some).chain([None]);
        let left = |it: &SolvePlayer| it.left.money.map_or(exact(""), |left| money_between(left, casino));
        let about = "What is left is the difference to the most that the same deal allows, taken deal by deal: the luck of the deal \
             is left out of it.";
        DataTable::of("Left on the table, a game", about, rows)
            .name("player", |it| it.map_or(CLAIRVOYANT.into(), |(name, _)| name.clone()))
            .figure("cards", |it| it.map_or(mean_between(most.cards), |(_, it)| mean(it.summary.cards)))
            .figure("cards left", |it| it.map_or(exact("none"), |(_, it)| mean_between(it.left.cards)))
            .figure("money left", |it| it.map_or(exact("none"), |(_, it)| left(it)))
            .when(money)
            .figure("house edge", |it| match it {
                Some((_, it)) => it.summary.house_edge.map_or(exact(""), edge),
                None => most.house_edge.map_or(exact(""), edge_between),
            })
            .when(priced)
            .figure("winnable deals won", |it| match it {
                Some((_, it)) => it.left.of_winnable.map_or(exact("no deal is winnable"), percent_between),
                None => exact(if some_can_be_won { "all" } else { "no deal is winnable" }),
            })
            .done()
    }

    fn effort(&self) -> DataTable {
        let nodes = |x: f64| number(x.round() as u64);
        let about = "A node is an expanded position; seconds depend on the machine. 90% and 99% of the deals took no \
             more than the figures below these heads.";
        DataTable::of("What it took", about, &self.found.effort)
            .name("answer", |it| exact(it.answers))
            .figure("deals", |it| number(it.deals))
            .figure("nodes: mean", |it| nodes(it.nodes.mean))
            .figure("median", |it| nodes(it.nodes.median))
            .figure("90%", |it| nodes(it.nodes.p90))
            .figure("99%", |it| nodes(it.nodes.p99))
            .figure("seconds: mean", |it| rounded(it.seconds.mean, 4))
            .figure("median", |it| rounded(it.seconds.median, 4))
            .figure("90%", |it| rounded(it.seconds.p90, 4))
            .figure("99%", |it| rounded(it.seconds.p99, 4))
            .done()
    }

    fn left_chart(&self, most: &MostCards) -> Chart {
        let hues = Hues::new(self.names.clone());
        let (mut marks, mut beside) = (Vec::new(), Vec::new());
        let mut bar = |row: usize, cards: f64, (low, high): (f64, f64), most: Bounded, role: Role| {
            let y = (row as f64 + 0.21, row as f64 + 0.79);
            let sure = most.least.max(cards);
            let parts = [
                (0.0, cards, role, 1.0),
                (cards, sure, Role::Clairvoyant, 0.45),
                (sure, most.most.max(sure), Role::Clairvoyant, 0.18),
            ];
            let parts = parts.into_iter().filter(|(from, to, ..)| to > from);
            marks.push(Mark::Bars(
                parts.map(|(from, to, role, shade)| Bar { x: (from, to), y, role, shade }).collect(),
            ));
            let at = row as f64 + 0.5;
            marks.push(Mark::thin(vec![(low, at), (high, at)], Role::Ink));
            marks.extend([low, high].map(|x| Mark::thin(vec![(x, at - 0.13), (x, at + 0.13)], Role::Ink)));
        };
        let mut say = |row: usize, text: String, more: String| {
            beside.push(Beside { at: row as f64 + 0.5, text, more, role: Role::Ink });
        };
        for (row, (name, it)) in self.players().enumerate() {
            let cards = it.summary.cards;
            bar(row, cards.value, (cards.low, cards.high), it.left.ceiling, hues.of(name));
            let said = mean_between(it.left.cards);
            say(row, said.value, said.interval);
        }
        let last = self.names.len();
        bar(last, most.cards.least, (most.cards.low, most.cards.high), most.cards, Role::Clairvoyant);
        let reach = mean_between(most.cards);
        say(last, format!("reaches {}", reach.value), reach.interval);
        let least = self.players().min_by(|(_, a), (_, b)| a.left.cards.least.total_cmp(&b.left.cards.least));
        let [title, who] = least.map_or([String::new(), String::new()], |(name, it)| {
            let said = mean_between(it.left.cards);
            let lead = match last {
                1 => format!("{name} leaves"),
                _ => format!("The least is left by {name}:"),
            };
            [
                format!("{} leaves {} cards a game on the table", upper_first(name), said.value),
                format!("{lead} {} cards a game.", said.both()),
            ]
        });
        let all = self.found.bounds.all() as f64;
        let x = Axis::new("mean cards on the foundations", (0.0, all), 8, |v, _| format!("{v:.0}"));
        let rows = self.names.iter().map(String::as_str).chain([CLAIRVOYANT]);
        let mut chart = Chart::plot(x, Axis::rows("", rows), marks);
        chart.panels[0].beside = beside;
        chart.panels[0].beside_title = "cards left, 95% interval".into();
        Chart {
            name: "left-on-the-table".into(),
            title,
            caption: format!(
                "Mean cards of each strategy (bar, with its 95% interval) on the solved deals, and how many \
                 more cards a player who knows every card would bring up: certain (light), and possible \
                 where a deal is undecided (lighter). {who}"
            ),
            keys: vec![
                Key::area(Role::Clairvoyant, 0.45, "left on the table"),
                Key::area(Role::Clairvoyant, 0.18, "perhaps left: undecided"),
                Key::line(Role::Ink, "95% interval"),
            ],
            height: (last as i32 + 1) * ROW,
            ..chart
        }
    }

    /// Returns the cards from which the player does not lose, if they alone decide it.
    fn break_even(&self) -> Option<u16> {
        let (casino, all) = (&self.found.rules.casino, self.found.bounds.all());
        if casino.is_staged() || casino.stake <= 0 || !casino.is_settled_by_cards(all) {
            return None;
        }
        let even = |&cards: &usize| payout(casino, cards, all) >= casino.stake;
        (0..=all).find(even).filter(|&cards| cards > 0).map(|cards| cards as u16)
    }

    fn curves(&self, most: &MostCards) -> Chart {
        let hues = Hues::new(self.names.clone());
        let [least, highest] = [&most.histogram_least, &most.histogram_most].map(|it| steps(it));
        let band = least.iter().zip(&highest).map(|(low, high)| (low.0, low.1, high.1)).collect();
        let mut marks = vec![
            Mark::band(band, Role::Clairvoyant, 0.22),
            Mark::thin(highest, Role::Clairvoyant),
            Mark::line(least, Role::Clairvoyant),
        ];
        let mut keys = Vec::new();
        for (name, player) in self.players().take(LINES) {
            marks.push(Mark::line(steps(&player.summary.histogram), hues.of(name)));
            keys.push(Key::line(hues.of(name), name));
        }
        keys.push(Key::line(Role::Clairvoyant, CLAIRVOYANT));
        if most.histogram_least != most.histogram_most {
            keys.push(Key::area(Role::Clairvoyant, 0.22, "undecided deals"));
        }
        let by = match self.names.is_empty() {
            true => "can be brought up",
            false => "were brought up by each strategy (lines), and can be",
        };
        let mut caption = format!(
            "The share of deals on which at least this many cards {by} by a player who knows every card (violet; a band where \
             deals are undecided)."
        );
        let even = self.break_even();
        let title = match even {
            Some(cards) => {
                let known = reaching(most, usize::from(cards));
                caption +=
                    &format!(" With every card known {known} of deals reach the {cards} that break even.");
                format!("Knowing every card, {known} of deals reach the {cards} cards that break even")
            }
            None => format!("Knowing every card, {} cards go up on average", mean_between(most.cards).value),
        };
        if self.names.len() > LINES {
            caption += &format!(" The first {LINES} strategies are shown.");
        }
        let all = self.found.bounds.all();
        let x = Axis::whole("at least this many cards on the foundations", all, all.div_ceil(52) * 4);
        let y = Axis::percent("share of deals, %", (0.0, 100.0), 5);
        let marker =
            |cards: u16| Marker::new(f64::from(cards), Role::Muted, format!("break-even: {cards} cards"));
        Chart {
            name: "cards-reached".into(),
            title,
            caption,
            keys,
            markers: even.map(marker).into_iter().collect(),
            ..Chart::plot(x, y, marks)
        }
    }

    fn effort_chart(&self) -> Chart {
        let answers = &self.found.answers;
        let all = answers.len().max(1);
        let last = answers.iter().map(|answer| answer.nodes).max().unwrap_or(1).max(10) as f64;
        // Positions taken by each deal with such an answer, ascending.
        let nodes = |which: &dyn Fn(Verdict) -> bool| {
            let some = answers.iter().filter(|answer| which(answer.verdict));
            let mut nodes: Vec<u64> = some.map(|answer| answer.nodes.max(1)).collect();
            nodes.sort_unstable();
            nodes
        };
        let line = |nodes: &[u64], role: Role| {
            let percent = |deals: usize| deals as f64 / all as f64 * 100.0;
            let step = |(i, &n): (usize, &u64)| [i, i + 1].map(|deals| ((n as f64).log10(), percent(deals)));
            let mut points = vec![(0.0, 0.0)];
            points.extend(nodes.iter().enumerate().flat_map(step));
            points.push((f64::INFINITY, percent(nodes.len())));
            Mark::Line { points, role, width: 4, broken: false }
        };
        let decided = nodes(&|verdict| !matches!(verdict, Verdict::Unknown(_)));
        let marks = vec![
            line(&nodes(&|verdict| verdict == Verdict::Lost), Role::Muted),
            line(&nodes(&|verdict| verdict == Verdict::Won), Role::Series(0)),
            line(&decided, Role::Ink),
        ];
        let end = share(decided.len() as f64 / all as f64);
        let half = decided.get(all.div_ceil(2) - 1);
        let half =
            half.map(|&nodes| format!("Half of the deals were decided within {} positions", count(nodes)));
        let x = Axis::powers("positions expanded", (0.0, last.log10() * 1.01), |v| count(v.round() as u64));
        let y = Axis::percent("share of deals, %", (0.0, 100.0), 5);
        Chart {
            name: "effort".into(),
            title: match &half {
                Some(half) => format!("{half}; in the end {end}"),
                None => format!("{end} of the deals were decided"),
            },
            caption: format!(
                "The share of deals that were known to be won, or lost, after this many positions were expanded; the rest were \
                 still undecided.{} In the end {end} were decided.",
                half.map_or(String::new(), |half| format!(" {half}."))
            ),
            keys: vec![
                Key::line(Role::Ink, "decided"),
                Key::line(Role::Series(0), "can be won"),
                Key::line(Role::Muted, "lost"),
            ],
            ..Chart::plot(x, y, marks)
        }
    }
}

fn side(most: &MostCards) -> Side {
    most.house_edge.map_or(Side::Open, |edge| Side::between(edge.low, edge.high))
}

fn most_cards(most: &MostCards) -> DataTable {
    let (least, at_most) = (&most.histogram_least, &most.histogram_most);
    let known = most.proven == least.iter().sum::<u64>().max(1);
    let about = "How many deals allow at most each number of cards. An undecided deal is counted twice: at \
         the cards that were reached, and at the most that are not ruled out.";
    DataTable::of(
        "The most cards of a deal",
        about,
        (0..least.len()).filter(|&cards| least[cards] + at_most[cards] > 0),
    )
    .figure("cards", |cards| cards.to_string())
    .figure(if known { "deals" } else { "proven" }, |&cards| number(most.histogram_proven[cards]))
    .figure("open: at least", |&cards| number(least[cards] - most.histogram_proven[cards]))
    .when(!known)
    .figure("open: at most", |&cards| number(at_most[cards] - most.histogram_proven[cards]))
    .when(!known)
    .figure("at least this many", |&cards| reaching(most, cards))
    .done()
}

/// Formats the share of deals on which this many cards are possible.
fn reaching(most: &MostCards, cards: usize) -> String {
    let at = |histogram: &[u64]| share(at_least(histogram).get(cards).copied().unwrap_or(0.0));
    let (low, high) = (at(&most.histogram_least), at(&most.histogram_most));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Returns the share with each number of cards or more.
fn at_least(histogram: &[u64]) -> Vec<f64> {
    let all = histogram.iter().sum::<u64>().max(1) as f64;
    (0..histogram.len()).map(|cards| histogram[cards..].iter().sum::<u64>() as f64 / all).collect()
}

/// Returns a step, in percent, wherever the share changes.
fn steps(histogram: &[u64]) -> Vec<(f64, f64)> {
    let step = |(cards, share): (usize, &f64)| [-0.5, 0.5].map(|side| (cards as f64 + side, share * 100.0));
    at_least(histogram).iter().enumerate().flat_map(step).collect()
}
