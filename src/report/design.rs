//! Report of a design: the variants found, their figures beside the wishes, and what each wish refused.

use super::document::{Block, Card, DataTable, Details, Document, Finding, Medium, exact};
use super::labels::{listed, rules_in_full, upper_first};
use super::quantity::Quantity;
use super::rules_in_words::rule_in_words;
use super::run::Run;
use crate::chart::{Axis, Chart, Key, Mark, Role, Row, WHOLE, padded, scaled, span};
use crate::format::{FormattedEstimate, count, games, number, one_line, plural};
use crate::lab::{Designed, DesignedVariant, Fate, Verdict, Wish, Wished};

/// Maximum number of rows of a chart.
const SHOWN: usize = 20;

const NOTES: [&str; 4] = [
    "The figures come from deals that chose no variant, unless the run was interrupted before; every variant plays the same ones. \
     All intervals hold together, with 95% confidence for all variants and all wishes at once (Bonferroni). So each is wider than \
     it would be for one variant alone.",
    "A variant meets a wish if the whole interval lies inside the wish, and misses it if the whole interval lies \
     outside. It probably meets the wish if only the figure lies inside. If only a part of the interval does, that is doubtful. \
     Cards, moves and minutes are means.",
    "In the race before, all candidates play the same deals, in rounds that double the games. A candidate is refused once its \
     limits say that it misses a wish; these limits hold for all candidates, wishes and rounds together. So that no \
     round takes longer than the first, only those nearest to what is wished go on. Players that search join last.",
    "Where something is to be as much or as little as possible, the first such wish decides the order. A variant is on the front \
     if it meets the wishes, at least probably, and no other variant that does is better in all such figures, by differences \
     deal by deal that are sure for all pairs at once.",
];

struct Report<'a> {
    designed: &'a Designed,
    rules: String,
    seed: u64,
}

/// Builds the report.
pub fn design_document<'a>(run: &'a Run, designed: &Designed) -> Document<'a> {
    let report = Report { designed, rules: rules_in_full(run), seed: run.seed };
    let mut blocks = vec![Block::Table(report.variants()), Block::Table(report.fates())];
    let goals = || designed.wishes.iter().enumerate();
    blocks.extend(goals().filter_map(|(at, wish)| report.chart(at, wish)).map(Block::Chart));
    blocks.push(Block::Only(Medium::Page, report.go_on()));
    blocks.push(Block::Only(Medium::Files, vec![Block::Table(report.candidates())]));
    let fresh: u64 = designed.variants.iter().flat_map(|it| &it.deals).sum();
    let mut played = format!("{} in the race", games(designed.race_games));
    if designed.fresh {
        played.push_str(&format!(", then {} on fresh deals", games(fresh)));
    }
    let timed = designed.pace.map(|pace| format!("Minutes add up these times: {pace}."));
    Document {
        title: match designed.variants.first().map(|it| it.verdict) {
            Some(Verdict::Meets | Verdict::Probably) => {
                format!("Variants of {} that fit the wishes", report.rules)
            }
            _ => format!("Variants of {} nearest to the wishes", report.rules),
        },
        findings: vec![report.finding()],
        warning: "Every figure holds only for these rules and these players.".into(),
        played: format!("{played}, seed {}", run.seed),
        cards: report.cards(),
        blocks,
        notes: NOTES.into_iter().map(String::from).chain(timed).collect(),
        ..Document::of(run)
    }
}

/// Describes what a variant changes: `1 card a draw, price of the deck 62`.
fn in_words(variant: &DesignedVariant) -> String {
    let each = variant.changes.iter().map(|it| rule_in_words(it.key(), it.shown()));
    match variant.changes.is_empty() {
        true => "the original rules".into(),
        false => each.collect::<Vec<_>>().join(", "),
    }
}

/// Names the figure of a wish: `wins(ordinary)`.
fn about(wish: &Wish) -> String {
    let figure: &str = wish.figure.into();
    format!("{figure}({})", one_line(&wish.player))
}

fn quantity(wish: &Wish) -> Quantity<'static> {
    match wish.figure {
        Wished::Wins => Quantity::Wins,
        Wished::Edge => Quantity::Edge,
        Wished::Cards | Wished::Moves | Wished::Minutes => Quantity::Cards,
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Misses => "misses",
        Verdict::Doubtful => "doubtful",
        Verdict::Probably => "probably",
        Verdict::Meets => "meets",
    }
}

impl Report<'_> {
    /// Formats the figure of a variant that a wish is about.
    fn said(&self, variant: &DesignedVariant, wish: usize) -> FormattedEstimate {
        let figure = variant.figures.get(wish).copied().flatten();
        figure.map_or(exact("not played"), |it| quantity(&self.designed.wishes[wish]).say(it.at_once))
    }

    fn has_goals(&self) -> bool {
        self.designed.wishes.iter().any(|it| it.goal.is_some())
    }

    fn finding(&self) -> Finding {
        let Report { designed, rules, .. } = self;
        let Some(best) = designed.variants.first() else {
            return Finding::open(format!("No variant of {rules} was tried"), ".");
        };
        let tried = designed.candidates.len() - designed.count(Fate::Impossible, None) as usize;
        let tried = plural(tried as u64, "candidate");
        let alike = designed.variants.iter().filter(|it| it.verdict == best.verdict).count();
        let name = in_words(best);
        let each = (0..designed.wishes.len())
            .map(|at| format!("{} {}", about(&designed.wishes[at]), self.said(best, at).both()));
        let figures = listed(&each.collect::<Vec<_>>(), "and");
        let untested = if designed.fresh { "" } else { " in the race, before any fresh deals" };
        let goals: Vec<&Wish> = designed.wishes.iter().filter(|it| it.goal.is_some()).collect();
        let front = match designed.variants.iter().filter(|it| it.on_front).count() {
            n if n > 1 && goals.len() > 1 => {
                format!(
                    " {n} of these variants are on the front: none of the others is surely better in all that was wished for."
                )
            }
            _ => String::new(),
        };
        let first = match &goals[..] {
            [] => "the best".into(),
            [goal, ..] => format!("first by {}", one_line(&goal.wish)),
        };
        // Others were set aside, and may meet the wishes too.
        let least = if designed.count(Fate::SetAside, None) > 0 { "At least " } else { "" };
        match best.verdict {
            Verdict::Meets if alike == 1 => Finding::open(
                upper_first(&format!(
                    "{}one variant of {rules} meets every wish{untested}",
                    least.to_lowercase()
                )),
                format!(": {name}, with {figures}. {tried} were tried.{front}"),
            ),
            Verdict::Meets => Finding::open(
                format!("{least}{alike} variants of {rules} meet every wish{untested}"),
                format!(": {first} is {name}, with {figures}. {tried} were tried.{front}"),
            ),
            Verdict::Probably => Finding::open(
                format!(
                    "No variant of {rules} surely meets every wish{untested}, but {} (of {tried})",
                    if alike == 1 { "one probably does".into() } else { format!("{alike} probably do") }
                ),
                format!(
                    ": {}{name}, with {figures}.{front}",
                    if alike == 1 { String::new() } else { format!("{first} is ") }
                ),
            ),
            Verdict::Doubtful | Verdict::Misses => Finding::open(
                format!("None of {tried} was found to meet every wish{untested}"),
                format!(". The nearest is {name}, with {figures}. {}", self.alone()),
            ),
        }
    }

    /// Says how many candidates of the race had each thing that was wished.
    fn alone(&self) -> String {
        let limits = self.designed.wishes.iter().enumerate().filter(|(_, it)| it.goal.is_none());
        let each = limits.map(|(at, wish)| {
            let figures = self.designed.candidates.iter().filter_map(|it| it.figures[at]);
            let inside = figures.filter(|e| wish.low <= e.value && e.value <= wish.high).count();
            let had = if inside == 0 { "none".into() } else { count(inside as u64) };
            format!("{had} had {}", one_line(&wish.wish))
        });
        format!("In the race, {}.", listed(&each.collect::<Vec<_>>(), "and"))
    }

    /// Names the wishes that a variant does not surely meet.
    fn unmet(&self, variant: &DesignedVariant) -> String {
        let each = self.designed.wishes.iter().zip(&variant.figures);
        let unmet = each.filter(|(_, it)| it.is_none_or(|it| it.verdict < Verdict::Meets));
        listed(&unmet.map(|(wish, _)| about(wish)).collect::<Vec<_>>(), "and")
    }

    fn cards(&self) -> Vec<Card> {
        let wishes = self.designed.wishes.iter().enumerate();
        let best = self.designed.variants.first();
        best.map_or(Vec::new(), |best| {
            wishes
                .map(|(at, wish)| Card::new(format!("{} of variant 1", about(wish)), self.said(best, at)))
                .collect()
        })
    }

    fn variants(&self) -> DataTable {
        let designed = self.designed;
        let text = match designed.fresh {
            true => {
                "The best of the race on fresh deals, the best first. The intervals hold for all of them together."
            }
            false => {
                "The best of the race so far. The intervals hold for all candidates and rounds together."
            }
        };
        let rows = designed.variants.iter().enumerate();
        let mut table = DataTable::of("Variants", text, rows)
            .name("variant", |(at, _)| (at + 1).to_string())
            .name("what changes", |(_, it)| in_words(it))
            .name("all wishes", |(_, it)| {
                let front = if self.has_goals() && it.on_front { ", on the front" } else { "" };
                match it.verdict {
                    Verdict::Meets => format!("meets{front}"),
                    other => format!("{}: {}{front}", verdict(other), self.unmet(it)),
                }
            });
        for (at, wish) in designed.wishes.iter().enumerate() {
            table = table.figure(one_line(&wish.wish), move |(_, it)| self.said(it, at));
        }
        table.done()
    }

    fn fates(&self) -> DataTable {
        let designed = self.designed;
        let limits = designed.wishes.iter().enumerate().filter(|(_, it)| it.goal.is_none());
        let refused = limits.map(|(at, it)| {
            (format!("refused by {}", one_line(&it.wish)), designed.count(Fate::Refused, Some(at)))
        });
        let others = [
            (Fate::SetAside, "set aside: others were nearer"),
            (Fate::Impossible, "no valid ruleset"),
            (Fate::Undecided, "not decided yet"),
            (Fate::Chosen, "variants above"),
        ];
        let others = others.map(|(fate, name)| (name.to_string(), designed.count(fate, None)));
        let rows = refused.chain(others.into_iter().filter(|(_, n)| *n > 0));
        let about = "The wish that each candidate missed by most when it dropped out of the race.";
        DataTable::of("What became of the candidates", about, rows)
            .name("candidates", |(name, _)| name.clone())
            .figure("number", |(_, n)| number(*n))
            .done()
    }

    fn candidates(&self) -> DataTable {
        let designed = self.designed;
        let wish = |at: Option<usize>| at.map_or(String::new(), |at| one_line(&designed.wishes[at].wish));
        let about = "All candidates of the race, with their figures there.";
        let table = DataTable::of("Candidates", about, &designed.candidates)
            .name("candidate", |it| it.name.clone())
            .name("what became of it", |it| match it.fate {
                Fate::Impossible => "no valid ruleset",
                Fate::Refused => "refused",
                Fate::SetAside => "set aside",
                Fate::Undecided => "not decided",
                Fate::Chosen => "variant",
            })
            .name("refused by", |it| wish(it.refused_by))
            .figure("games", |it| number(it.games));
        let with_figures = designed.wishes.iter().enumerate().fold(table, |table, (at, wish)| {
            table.figure(one_line(&wish.wish), move |it| {
                it.figures[at].map_or(exact("not played"), |e| quantity(wish).say(e))
            })
        });
        with_figures.done()
    }

    /// Draws the intervals of the variants over the band of what is wished.
    fn chart(&self, at: usize, wish: &Wish) -> Option<Chart> {
        let of = quantity(wish);
        let played = self.designed.variants.iter().take(SHOWN).enumerate();
        let figures: Vec<_> = played.filter_map(|(i, it)| Some((i, it.figures[at]?))).collect();
        let rows = figures.iter().map(|(i, figure)| {
            let name = format!("variant {}", i + 1);
            Row::new(name, scaled(figure.at_once, of.unit()), Role::Series(0), of.say(figure.at_once))
        });
        let rows: Vec<Row> = rows.collect();
        let limits = [wish.low, wish.high].map(|limit| limit * of.unit());
        let ends = rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]);
        let range = padded(span(ends.chain(limits))?, 0.12);
        let surely = figures.iter().filter(|it| it.1.verdict == Verdict::Meets).count();
        let band = Mark::Area { x: (limits[0], limits[1]), y: WHOLE, role: Role::Muted, shade: 0.25 };
        let (behind, key) = match wish.goal {
            None => (vec![band], Some(Key::area(Role::Muted, 0.25, "wished"))),
            Some(_) => (Vec::new(), None),
        };
        let figure: &str = wish.figure.into();
        let unit = if matches!(wish.figure, Wished::Wins | Wished::Edge) { "points" } else { figure };
        Some(Chart {
            name: format!("wish-{}", at + 1),
            title: match wish.goal {
                None => format!(
                    "{} of {} surely meet {}",
                    surely,
                    plural(rows.len() as u64, "variant"),
                    one_line(&wish.wish)
                ),
                Some(_) => format!("{} of the variants", upper_first(&about(wish))),
            },
            subtitle: format!("{}, seed {}", self.rules, self.seed),
            caption: format!(
                "{} of each variant (line) with its interval (box){}. The table says what each variant changes. The intervals hold together, with 95% confidence for all \
                 variants and wishes at once.",
                upper_first(&about(wish)),
                if wish.goal.is_none() { ", over the band of what is wished" } else { "" }
            ),
            keys: key.into_iter().chain([Key::interval(Role::Series(0), "95% interval")]).collect(),
            ..Chart::rows(Axis::new(figure, range, 8, |v, d| of.tick(v, d)), rows, unit, behind)
        })
    }

    /// Says how to go on with the variants.
    fn go_on(&self) -> Vec<Block> {
        let mut players: Vec<&str> = self.designed.wishes.iter().map(|it| &*it.player).collect();
        players.sort_unstable();
        players.dedup();
        let players: String = players.iter().map(|it| format!(" -s {}", one_line(it))).collect();
        let files = self.designed.variants.iter().enumerate();
        let texts = files.map(|(at, it)| {
            Block::Details(Details { title: format!("variant-{}.toml", at + 1), text: it.ruleset.clone() })
        });
        let text = "In the folder of this report each variant has its file, which extends the original ruleset; if that is a file of \
                    yours, leave it where it is. There you can go \
                    on with these commands; the page of the studio changes the rules further.";
        let commands =
            format!("saratoga simulate variant-1.toml{players} --seed {}\nsaratoga studio .", self.seed);
        let first = [Block::Heading("Go on".into()), Block::Text(text.into()), Block::Verbatim(commands)];
        first.into_iter().chain(texts).collect()
    }
}
