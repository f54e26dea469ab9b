//! Report on the character of games: length, decisions, luck and skill, hope, and the rules that matter.

use super::document::{Block, Card, DataTable, Document, Finding, Medium, Section, exact};
use super::labels::{listed, name_in_full, short_names, upper_first};
use super::quantity::{BOTH_WAYS, gain_between, mean_between, percent_between};
use super::rules_in_words::rule_in_words;
use super::run::Run;
use crate::chart::{Axis, Bar, Chart, Key, Mark, Marker, Role, Row, padded, scaled, span};
use crate::format::{
    FormattedEstimate, count, difference, fixed, gain_estimate, games, mean, number, one_line, percent,
    points,
};
use crate::lab::{Character, Characters, JUDGE, PlayerCharacter, RuleEffect};
use crate::rules::Casino;
use crate::stats::{Bounded, Distribution, Estimate};

/// Changes of rules shown in a chart.
const SHOWN: usize = 12;
/// Games named for each figure where several are compared.
const LEADERS: usize = 5;
/// Changes named for each figure.
const LEADING_CHANGES: usize = 3;
/// Games that a title names.
const FEW_GAMES: usize = 3;
/// Games side by side in a chart of all their shares.
const SIDE_BY_SIDE: usize = 6;
/// Columns of the chart of minutes.
const COLUMNS: usize = 24;

/// A figure that a change of rules moves.
struct ChangedFigure {
    name: &'static str,
    of: fn(&RuleEffect) -> Estimate,
    say: fn(Estimate, &Casino) -> FormattedEstimate,
}

const CHANGED: [ChangedFigure; 6] = [
    ChangedFigure { name: "games won", of: |it| it.wins, say: |e, _| points(e) },
    ChangedFigure { name: "cards", of: |it| it.cards, say: |e, _| difference(e) },
    ChangedFigure { name: "player's net", of: |it| it.net, say: gain_estimate },
    ChangedFigure { name: "minutes", of: |it| it.minutes, say: |e, _| difference(e) },
    ChangedFigure { name: "positions with a choice", of: |it| it.choices, say: |e, _| points(e) },
    ChangedFigure { name: "gain over the beginner, cards", of: |it| it.skill, say: |e, _| difference(e) },
];

struct Report<'a> {
    found: &'a Characters,
    seed: u64,
    /// Short names of the players.
    players: Vec<String>,
    examined: usize,
}

/// Builds the report on what a game is like to play.
pub fn character_document<'a>(run: &'a Run, found: &Characters) -> Document<'a> {
    let strategies = found.rulesets.first().map_or(&[][..], |it| &it.players);
    let report = Report {
        found,
        seed: run.seed,
        players: short_names(strategies.iter().map(|it| &*it.strategy)),
        examined: strategies.iter().position(|it| it.strategy == found.examined).unwrap_or(0),
    };
    let title = |game: &Character| name_in_full(&game.name, &game.id);
    let first = if found.rulesets.len() > SIDE_BY_SIDE { report.skills() } else { report.profile() };
    let mut blocks = vec![Block::Chart(first), Block::Table(report.overview())];
    match &found.rulesets[..] {
        [game] => blocks.extend(report.game(game)),
        games => blocks.extend(games.iter().map(|game| {
            Block::Section(Section { id: game.id.clone(), title: title(game), blocks: report.game(game) })
        })),
    }
    Document {
        title: match &found.rulesets[..] {
            [game] => format!("What {} is like", title(game)),
            games if games.len() <= FEW_GAMES => format!("What {} are like", names(games)),
            games => format!("What {} games are like", games.len()),
        },
        findings: report.findings(),
        warning: "These figures hold for these rules and players. Minutes are only as good as the pace."
            .into(),
        played: format!(
            "{} deals{}, seed {}, played by {}",
            count(found.rulesets.iter().map(|it| it.deals).max().unwrap_or(0)),
            if found.rulesets.len() == 1 { "" } else { " of each ruleset" },
            run.seed,
            report.players.join(", ")
        ),
        cards: report.cards(),
        blocks,
        notes: report.notes(),
        ..Document::of(run)
    }
}

impl Report<'_> {
    fn examined<'g>(&self, game: &'g Character) -> &'g PlayerCharacter {
        &game.players[self.examined]
    }

    fn name(&self) -> &str {
        &self.players[self.examined]
    }

    fn findings(&self) -> Vec<Finding> {
        let [game] = &self.found.rulesets[..] else { return self.compared() };
        let it = self.examined(game);
        let mut findings = vec![Finding::open(
            format!("A game takes {} minutes", mean(it.minutes.median).value),
            format!(
                " when {} plays: one in ten takes {} or less, and one in ten {} or more.",
                self.name(),
                mean(it.minutes.p10).value,
                mean(it.minutes.p90).value
            ),
        )];
        let real = game.judged.as_ref().map_or(String::new(), |judged| {
            if judged.real.value == 0.0 {
                return " No judged decision mattered.".into();
            }
            format!(
                " About {} decisions in a game matter: there the best move is better than the second by {} or more.",
                mean(judged.real_in_game).value,
                cards(self.found.matter)
            )
        });
        findings.push(Finding::open(
            format!("In a game, {} of the positions leave a choice", percent(it.choices).value),
            format!(", on average.{real}"),
        ));
        if let Some(luck) = game.variance.cards {
            let skill = game.skill.cards.map_or(String::new(), |skill| {
                format!(
                    " The best player closes {} of the gap between {} and one who knows every card.",
                    percent_between(skill).value,
                    one_line(&self.found.beginner)
                )
            });
            let finding = format!("The deal decides {} of the result", percent(luck.deal).value);
            findings.push(Finding::open(
                finding,
                format!(
                    " and the choice of player {}, measured in cards; the rest are deals that suit one player and not another, \
                     and chance in playing the same deal again.{skill}",
                    percent(luck.player).value
                ),
            ));
        }
        if let Some(hope) = &game.hope {
            let lost = hope.lost_at.map_or(String::new(), |at| {
                format!(
                    " When {} loses one of the others, it is past saving after {} of its moves.",
                    self.name(),
                    percent_between(at).value
                )
            });
            findings.push(Finding::open(
                format!(
                    "{} of the deals are lost from the start",
                    percent_between(hope.lost_from_deal).value
                ),
                format!(".{lost}"),
            ));
        }
        let sure = game.changes.first().filter(|it| it.wins.low > 0.0 || it.wins.high < 0.0);
        findings.extend(sure.map(|change| {
            Finding::open(
                format!("The change that matters most is \u{201c}{}\u{201d}", rule(change)),
                format!(
                    ": with it, the share of games that {} wins changes by {} ({}).",
                    self.name(),
                    points(change.wins).value,
                    points(change.wins).interval_in_words()
                ),
            )
        }));
        findings
    }

    /// Names the games that lead in each figure, and says whether the first surely does.
    fn compared(&self) -> Vec<Finding> {
        let leaders = |what: &str, of: &dyn Fn(&Character) -> Option<(Estimate, FormattedEstimate)>| {
            let mut found: Vec<_> =
                self.found.rulesets.iter().filter_map(|game| Some((game, of(game)?))).collect();
            found.sort_by(|(_, a), (_, b)| b.0.value.total_cmp(&a.0.value));
            let ((first, (e, said)), others) = found.split_first()?;
            let close = others.iter().filter(|(_, it)| it.0.high >= e.low).count();
            let named = |number: usize| {
                let each = others.iter().take(number);
                let each = each.map(|(game, it)| format!("{} ({})", one_line(&game.name), it.1.value));
                listed(&each.collect::<Vec<_>>(), "and")
            };
            let name = name_in_full(&first.name, &first.id);
            Some(match (close, others.len()) {
                (0, 0) => return None,
                (0, _) => Finding::open(
                    format!("The {what} is {name}"),
                    format!(", {}; then come {}.", said.both(), named(LEADERS - 1)),
                ),
                (1, 1) => Finding::open(
                    format!("These deals do not tell which is the {what}"),
                    format!(": {name} ({}) or {}.", said.value, named(1)),
                ),
                (n, _) => Finding::open(
                    format!("The {what} is {name} or one of {n} that these deals cannot tell from it"),
                    format!(": {}; then come {}.", said.both(), named(LEADERS - 1)),
                ),
            })
        };
        let minutes = |it: &Character| {
            let minutes = self.examined(it).minutes.median;
            let said = mean(minutes);
            Some((minutes, FormattedEstimate { value: format!("{} minutes", said.value), ..said }))
        };
        let bounded = |of: Option<Bounded>| of.map(|it| (it.about_least(), percent_between(it)));
        let found = [
            leaders("longest game", &minutes),
            leaders("game with the most decisions that matter", &|it| {
                let real = it.judged.as_ref()?.real_in_game;
                Some((real, mean(real)))
            }),
            leaders("most skilful game", &|it| bounded(it.skill.cards)),
            leaders("most hopeless game", &|it| bounded(it.hope.as_ref().map(|hope| hope.lost_from_deal))),
        ];
        found.into_iter().flatten().collect()
    }

    fn cards(&self) -> Vec<Card> {
        let [game] = &self.found.rulesets[..] else { return Vec::new() };
        let it = self.examined(game);
        let open = |what: &str, said| Card::new(what, said);
        let mut cards = vec![
            open("minutes of a game", mean(it.minutes.median)),
            open("positions with a choice", percent(it.choices)),
        ];
        cards.extend(game.skill.cards.map(|skill| open("skill, in cards", percent_between(skill))));
        cards.extend(
            game.hope
                .as_ref()
                .map(|hope| open("deals lost from the start", percent_between(hope.lost_from_deal))),
        );
        cards
    }

    /// The shares of a game that make its profile, each with a short name.
    fn shares(&self, game: &Character) -> Vec<(&'static str, Bounded)> {
        let known = |e: Estimate| Bounded { least: e.value, most: e.value, low: e.low, high: e.high };
        let (judged, hope) = (game.judged.as_ref(), game.hope.as_ref());
        let shares = [
            ("positions with a choice", Some(known(self.examined(game).choices))),
            ("choices that matter", judged.map(|it| known(it.real))),
            ("luck of the deal", game.variance.cards.map(|it| known(it.deal))),
            ("skill", game.skill.cards),
            ("lost from the start", hope.map(|it| it.lost_from_deal)),
            ("past saving after, of its moves", hope.and_then(|it| it.lost_at)),
            ("lost by one move", hope.and_then(|it| it.one_move)),
            ("wins that were close calls", hope.and_then(|it| it.close_calls)),
        ];
        shares.into_iter().filter_map(|(name, share)| Some((name, share?))).collect()
    }

    fn profile(&self) -> Chart {
        let games = &self.found.rulesets;
        let names = short_names(games.iter().map(|it| &*it.id));
        let all: Vec<Vec<(&str, Bounded)>> = games.iter().map(|game| self.shares(game)).collect();
        let mut kinds: Vec<&str> = Vec::new();
        all.iter().flatten().for_each(|(kind, _)| {
            if !kinds.contains(kind) {
                kinds.push(kind);
            }
        });
        let row = |kind: &str, i: usize| {
            let (_, share) = all[i].iter().find(|(other, _)| *other == kind)?;
            let name = if games.len() == 1 { kind.to_string() } else { format!("{kind}, {}", names[i]) };
            Some(share_row(&name, *share, Role::Series(i)))
        };
        let rows =
            kinds.iter().flat_map(|kind| (0..games.len()).filter_map(|i| row(kind, i)).collect::<Vec<_>>());
        let rows: Vec<Row> = rows.collect();
        let chart = Chart::rows(share_axis("share", &rows), rows, "points", Vec::new());
        Chart {
            name: "profile".into(),
            title: match &games[..] {
                [game] => format!("What {} is like, in shares", name_in_full(&game.name, &game.id)),
                games => format!("{} games side by side", games.len()),
            },
            subtitle: format!(
                "{} deals each, seed {}; {} plays",
                count(self.found.deals),
                self.seed,
                self.name()
            ),
            caption: "Each share (line) with its 95% interval (box). They are shares of different things, and do not add up; the notes \
                below the tables define each."
                .into(),
            keys: match games.len() {
                1 => Vec::new(),
                _ => names.iter().enumerate().map(|(i, name)| Key::interval(Role::Series(i), name)).collect(),
            },
            ..chart
        }
    }

    /// Draws the skill of many games.
    fn skills(&self) -> Chart {
        let mut skills: Vec<(&Character, Bounded)> =
            self.found.rulesets.iter().filter_map(|game| Some((game, game.skill.cards?))).collect();
        skills.sort_by(|a, b| b.1.least.total_cmp(&a.1.least));
        let rows: Vec<Row> =
            skills.iter().map(|(game, skill)| share_row(&game.id, *skill, Role::Series(0))).collect();
        Chart {
            name: "skill".into(),
            title: skills.first().map_or("No game has a known skill".into(), |(game, _)| {
                format!("The best player comes closest to perfect play in {}", one_line(&game.name))
            }),
            subtitle: format!("{} deals each, seed {}", count(self.found.deals), self.seed),
            caption: format!(
                "What the best player closes of the gap between {} and a player who knows every card (line), with its 95% interval \
                 (box).",
                one_line(&self.found.beginner)
            ),
            ..Chart::rows(share_axis("skill", &rows), rows, "points", Vec::new())
        }
    }

    fn overview(&self) -> DataTable {
        let about = format!(
            "Length and choices as {} plays; the others as the notes define them. Every figure with its 95% interval.",
            self.name()
        );
        let between = |it: Option<Bounded>| it.map_or(exact(""), percent_between);
        let own = |e: Option<Estimate>| e.map_or(exact(""), percent);
        DataTable::of("Character", about, &self.found.rulesets)
            .name("rules", |it| name_in_full(&it.name, &it.id))
            .figure("minutes, median", |it| mean(self.examined(it).minutes.median))
            .figure("moves, median", |it| mean(self.examined(it).moves.median))
            .figure("positions with a choice", |it| percent(self.examined(it).choices))
            .figure("decisions that matter", |it| {
                it.judged.as_ref().map_or(exact(""), |it| mean(it.real_in_game))
            })
            .figure("luck of the deal", |it| own(it.variance.cards.map(|it| it.deal)))
            .figure("skill", |it| between(it.skill.cards))
            .figure("lost from the start", |it| between(it.hope.as_ref().map(|it| it.lost_from_deal)))
            .figure("past saving after", |it| between(it.hope.as_ref().and_then(|it| it.lost_at)))
            .done()
    }

    fn game(&self, game: &Character) -> Vec<Block> {
        let mut blocks = vec![
            Block::Chart(self.minutes(game)),
            Block::Table(self.lengths(game)),
            Block::Chart(self.abilities_chart(game)),
            Block::Table(self.ladder(game)),
            Block::Table(abilities(game)),
            Block::Table(variance(game)),
        ];
        blocks.extend(game.unsolved.as_ref().map(|why| {
            Block::Text(format!(
                "The solver cannot say what is lost and what knowing every card is worth: {why}."
            ))
        }));
        blocks.extend(self.hope(game).map(Block::Table));
        if !game.changes.is_empty() {
            blocks.push(Block::Chart(self.changes_chart(game)));
            blocks.push(Block::Table(self.leading_changes(game)));
            blocks.push(Block::Only(Medium::Page, vec![Block::Table(self.changes(game))]));
        }
        blocks
    }

    fn lengths(&self, game: &Character) -> DataTable {
        let each = game.players.iter().zip(&self.players);
        let all = |it: &Distribution| {
            let value = format!(
                "{}, {} to {}",
                fixed(it.median.value, 1),
                fixed(it.p10.value, 1),
                fixed(it.p90.value, 1)
            );
            FormattedEstimate { value, ..mean(it.median) }
        };
        let about = "The median of each length with its 95% interval; after the comma the 10% and 90% quantiles. A forced \
                     stretch is a series of moves without a choice; that of a game is its longest.";
        DataTable::of("Length and choices (median, 10% to 90%)", about, each)
            .name("player", |(_, name)| name.to_string())
            .figure("minutes", |(it, _)| all(&it.minutes))
            .figure("moves", |(it, _)| all(&it.moves))
            .figure("draws", |(it, _)| all(&it.draws))
            .figure("passes", |(it, _)| all(&it.passes))
            .figure("forced stretch", |(it, _)| all(&it.forced))
            .figure("positions with a choice", |(it, _)| percent(it.choices))
            .figure("moves to choose from", |(it, _)| mean(it.branching))
            .done()
    }

    fn ladder(&self, game: &Character) -> DataTable {
        let casino = &game.spec.casino;
        // `None` is the clairvoyant player.
        let rows = (0..game.players.len()).map(Some).chain(game.clairvoyant.as_ref().map(|_| None));
        let best = game.clairvoyant.as_ref();
        let of = |place: &Option<usize>| place.map(|place| &game.players[place]);
        DataTable::of(
            "The players",
            format!("From the weakest to one who knows every card. {BOTH_WAYS}"),
            rows,
        )
        .name("player", |place| place.map_or("clairvoyant".to_string(), |place| self.players[place].clone()))
        .figure("games won", |place| {
            let most = || best.map_or(exact(""), |it| percent_between(it.winnable.share));
            of(place).map_or_else(most, |it| percent(it.wins))
        })
        .figure("cards", |place| {
            let most = || best.map_or(exact(""), |it| mean_between(it.cards));
            of(place).map_or_else(most, |it| mean(it.cards))
        })
        .figure("player's net", |place| {
            let most = || best.and_then(|it| it.net).map_or(exact(""), |it| gain_between(it, casino));
            of(place).map_or_else(most, |it| gain_estimate(it.net, casino))
        })
        .done()
    }

    fn hope(&self, game: &Character) -> Option<DataTable> {
        let hope = game.hope.as_ref()?;
        let between = |it: Option<Bounded>| it.map_or(exact("no such game"), percent_between);
        let mean_of = |it: Option<Estimate>| it.map_or(exact("too few games"), mean);
        let about = format!(
            "Games of {} on deals that can be won. The solver finds the last position from which a lost game could still be won.",
            self.name()
        );
        let rows = [
            ("deals lost from the start", percent_between(hope.lost_from_deal)),
            ("lost games that could be won", number(hope.lost_games)),
            ("of these, left open by the solver", number(hope.open)),
            ("still winnable at their end", between(hope.winnable_at_end)),
            ("past saving after, of its moves", between(hope.lost_at)),
            ("moves played on after that", mean_of(hope.moves_after)),
            ("minutes played on after that", mean_of(hope.minutes_after)),
            ("lost by one move", between(hope.one_move)),
            ("won games", number(hope.won_games)),
            ("close calls among them", between(hope.close_calls)),
        ];
        Some(DataTable::of_figures("Hope", about, rows.map(|(name, said)| (name.to_string(), said))))
    }

    fn minutes(&self, game: &Character) -> Chart {
        let it = self.examined(game);
        let most = span(game.minutes.iter().copied()).map_or(1.0, |(_, high)| high.max(1e-9));
        let width = most / COLUMNS as f64;
        let column = |minutes: f64| ((minutes / width) as usize).min(COLUMNS - 1);
        let mut counts = [0usize; COLUMNS];
        game.minutes.iter().for_each(|minutes| counts[column(*minutes)] += 1);
        let share = |games: usize| games as f64 * 100.0 / game.minutes.len().max(1) as f64;
        let bars = counts.iter().enumerate().map(|(i, games)| {
            let (from, to) = (i as f64 * width, (i + 1) as f64 * width);
            Bar {
                x: (from + width * 0.04, to - width * 0.04),
                y: (0.0, share(*games)),
                role: Role::Series(0),
                shade: 0.85,
            }
        });
        let bars: Vec<Bar> = bars.collect();
        let top = span(bars.iter().map(|bar| bar.y.1)).map_or(1.0, |(_, high)| high * 1.08);
        Chart {
            name: format!("minutes{}", self.suffix(game)),
            title: format!("Half of all games are over within {} minutes", mean(it.minutes.median).value),
            subtitle: format!("{}: {}, seed {}", game.id, games(game.deals), self.seed),
            caption: format!("Minutes of a game that {} plays, at the pace of the notes.", self.name()),
            markers: vec![Marker::new(it.minutes.median.value, Role::Ink, "median")],
            ..Chart::plot(
                Axis::new("minutes", (0.0, most), 8, fixed),
                Axis::percent("share of games, %", (0.0, top), 5),
                vec![Mark::Bars(bars)],
            )
        }
    }

    /// Distinguishes the charts of several games by name.
    fn suffix(&self, game: &Character) -> String {
        if self.found.rulesets.len() == 1 { String::new() } else { format!("-{}", game.id) }
    }

    fn abilities_chart(&self, game: &Character) -> Chart {
        let rows: Vec<Row> = game
            .abilities
            .iter()
            .map(|it| {
                Row::new(upper_first(&ability(game, it)), it.cards, Role::Series(0), difference(it.cards))
            })
            .collect();
        let range = span(rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]));
        let largest = game.abilities.iter().max_by(|a, b| a.cards.value.total_cmp(&b.cards.value));
        Chart {
            name: format!("abilities{}", self.suffix(game)),
            title: largest.map_or(String::new(), |it| {
                format!("What adds most: {}, {} cards a game", ability(game, it), difference(it.cards).value)
            }),
            subtitle: format!("{}: {} deals, seed {}", game.id, count(game.deals), self.seed),
            caption: "What each ability adds to the cards of the player without it, on the same deals, with its 95% interval. \
                      The last two give the best player the place of cards that a person cannot see."
                .into(),
            ..Chart::rows(
                Axis::new("cards a game", padded(range.unwrap_or((0.0, 1.0)), 0.1), 8, fixed),
                rows,
                "cards",
                vec![Mark::upright(0.0, Role::Ink, false)],
            )
        }
    }

    fn changes_chart(&self, game: &Character) -> Chart {
        let shown = || game.changes.iter().take(SHOWN);
        let rows: Vec<Row> = shown()
            .map(|it| Row::new(rule(it), scaled(it.wins, 100.0), Role::Series(0), points(it.wins)))
            .collect();
        let range = span(rows.iter().flat_map(|row| [row.estimate.low, row.estimate.high]));
        Chart {
            name: format!("rules{}", self.suffix(game)),
            title: shown().next().map_or(String::new(), |it| {
                let change = format!("\u{201c}{}\u{201d}", upper_first(&rule(it)));
                format!(
                    "{change} moves the games won by {}, more than any other change",
                    points(it.wins).value
                )
            }),
            subtitle: format!(
                "{}: {} deals, seed {}; {} plays",
                game.id,
                count(game.deals),
                self.seed,
                self.name()
            ),
            caption: format!(
                "The share of games won under each changed rule, minus that under the rules as they are. The {} largest of {} \
                 changes; the intervals hold for all of them together.",
                SHOWN.min(game.changes.len()),
                game.changes.len()
            ),
            ..Chart::rows(
                Axis::new("points of games won", padded(range.unwrap_or((0.0, 1.0)), 0.1), 8, fixed),
                rows,
                "points",
                vec![Mark::upright(0.0, Role::Ink, false)],
            )
        }
    }

    /// Names, for each figure, the changes with the largest effects on it.
    fn leading_changes(&self, game: &Character) -> DataTable {
        let about = format!(
            "Each rule changed by one step, as {} plays: what moves each figure most. The intervals hold for all {} changes together.",
            self.name(),
            game.changes.len()
        );
        let ranked = CHANGED.iter().flat_map(|figure| {
            let mut by_size: Vec<&RuleEffect> =
                game.changes.iter().filter(|it| (figure.of)(it).value != 0.0).collect();
            by_size.sort_by(|a, b| (figure.of)(b).value.abs().total_cmp(&(figure.of)(a).value.abs()));
            by_size.into_iter().take(LEADING_CHANGES).map(move |it| (figure, it))
        });
        DataTable::of("Which rule matters", about, ranked)
            .name("figure", |(figure, _)| figure.name)
            .name("change", |(_, it)| rule(it))
            .figure("effect", |(figure, it)| (figure.say)((figure.of)(it), &game.spec.casino))
            .done()
    }

    fn changes(&self, game: &Character) -> DataTable {
        let about = format!(
            "Each rule changed by one step, as {} plays: the changed figure minus the original one, by the effect on the games won. \
             The gain over the beginner is over {}. The intervals hold for all {} changes together; those without \
             any effect are left out.",
            self.name(),
            one_line(&self.found.beginner),
            game.changes.len()
        );
        let shown =
            game.changes.iter().filter(|it| CHANGED.iter().any(|figure| (figure.of)(it).value != 0.0));
        let named = DataTable::of("All changes", about, shown).name("change", |it| rule(it));
        let with_figures = CHANGED.iter().fold(named, |table, figure| {
            table.figure(figure.name, |it| (figure.say)((figure.of)(it), &game.spec.casino))
        });
        with_figures.done()
    }

    fn notes(&self) -> Vec<String> {
        let found = self.found;
        vec![
            format!("Minutes add up these times: {}. --pace names a file with others.", found.pace),
            "A position with a choice has two or more different moves (decision moves and branching factor, as in the metrics of \
             Ludii). Moves after which the open cards are the same, up to the order of the piles, count as one. Shares of positions and of \
             choices are those of each game, averaged over the games."
                .into(),
            format!(
                "A choice matters if `{JUDGE}` values its best move at least {} above the second. Its values come from sampled \
                 deals that agree with what the player has seen; they are too high, but comparable. {} deals were judged.",
                cards(found.matter),
                count(found.judged_deals)
            ),
            "Luck and skill: the variance of the result over all deals and an equal mix of the players, split by a two-way analysis \
             of variance. Every player plays every deal twice, with other random numbers the second time."
                .into(),
            format!(
                "Skill is the relative skill of Borm and van der Genugten (2001): what the best player gains over {}, divided by what \
                 a player who knows every card gains over {}.",
                found.beginner, found.beginner
            ),
            "The forgetful player does not remember the cards of earlier passes, while the one before it may. The best player with \
             more knowledge is the same player, told where the cards of the stock or the hidden cards of the table lie. Where \
             redeals are unlimited, it looks through the stock first, and gains nothing by being told."
                .into(),
            "A deal is lost from the start if no moves win it, whatever is known. A lost game is lost by one move if, at the decision \
             that lost it, exactly one of the different moves could still win. A win is a close call if, at some choice, only the \
             move that was played could still win."
                .into(),
            "Rates have the exact interval of Clopper and Pearson, means its extension by Gaffke (2005), quantiles order statistics, \
             and shares of the variance the jackknife. All are over deals. Where a mean has no known maximum, a little more than the \
             greatest value seen stands for it."
                .into(),
        ]
    }
}

fn share_row(name: &str, share: Bounded, role: Role) -> Row {
    let row = Row::new(name, share.about_least(), role, percent_between(share));
    Row { bounds: (!share.is_known()).then_some((share.least, share.most)), ..row }.percent()
}

/// Returns an axis from 0% to 100%, or from below 0 if a row reaches there.
fn share_axis(title: &str, rows: &[Row]) -> Axis {
    let least = rows.iter().map(|row| (row.estimate.low / 10.0).floor() * 10.0).fold(0.0, f64::min);
    Axis::percent(title, (least, 100.0), 10)
}

fn names(games: &[Character]) -> String {
    listed(&games.iter().map(|game| one_line(&game.id)).collect::<Vec<_>>(), "and")
}

fn cards(n: f64) -> String {
    let n = fixed(n, 2);
    let n = n.trim_end_matches('0').trim_end_matches('.');
    if n == "1" { "1 card".into() } else { format!("{n} cards") }
}

fn rule(it: &RuleEffect) -> String {
    rule_in_words(it.change.key(), it.change.shown())
}

/// Names an ability; steps of the ladder by their players.
fn ability(game: &Character, it: &crate::lab::Ability) -> String {
    let steps = game.abilities.iter().filter(|other| other.ability == it.ability).count();
    if steps > 1 { format!("{} over {}", it.with, it.without) } else { it.ability.clone() }
}

fn abilities(game: &Character) -> DataTable {
    let about = "What each ability adds, in cards, and as a share of the gap between the beginner and a player who knows every card.";
    DataTable::of("What each ability adds", about, &game.abilities)
        .name("ability", |it| ability(game, it))
        .figure("cards", |it| difference(it.cards))
        .figure("of the gap", |it| it.share.map_or(exact(""), percent_between))
        .done()
}

fn variance(game: &Character) -> DataTable {
    let rows = [
        ("cards", game.variance.cards),
        ("games won", game.variance.wins),
        ("player's net", game.variance.money),
    ];
    let rows = rows.into_iter().filter_map(|(name, shares)| Some((name, shares?)));
    let skill = [game.skill.cards, game.skill.wins, game.skill.money];
    let about = "The deal, the player, deals that suit one player and not another, and what differs when the same player plays the \
                 same deal again, each as a share of the variance; and the skill.";
    DataTable::of("Luck and skill", about, rows)
        .name("measured in", |(name, _)| *name)
        .figure("the deal", |(_, it)| percent(it.deal))
        .figure("the player", |(_, it)| percent(it.player))
        .figure("both together", |(_, it)| percent(it.interplay))
        .figure("the same again", |(_, it)| percent(it.chance))
        .figure("skill", |(name, _)| {
            let place = ["cards", "games won", "player's net"].iter().position(|it| it == name);
            place.and_then(|place| skill[place]).map_or(exact(""), percent_between)
        })
        .done()
}
