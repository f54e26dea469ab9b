//! Report on a plan: the price to ask, the results of nights, and the cost of the best players.

mod findings;
mod tables;

use self::findings::{Report, WARNING, abs, cards, dollars, findings, mix_in_words, notes, rules_of, unfit};

use super::bankroll::{BankrollReport, bankroll_charts, bankroll_tables, no_intervals, too_rare};
use super::document::{Block, Document, Medium};
use super::labels::{percent_text, short_names};
use super::quantity::Quantity;
use super::rules_in_words::rule_in_words;
use super::run::Run;
use crate::chart::{Axis, Chart, Divide, Hues, Key, Mark, Marker, Role, Row, WHOLE, both_sides_of_edges};
use crate::format::{edge, games, percent, plural};
use crate::lab::Planned;
use crate::stats::{House, reach_of};

/// Names a ruleset with changed keys: `Canfield, no redeals`.
pub fn changed_name<'a>(name: &str, changes: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let changes = changes.map(|(key, value)| rule_in_words(key, value));
    std::iter::once(name.to_string()).chain(changes).collect::<Vec<_>>().join(", ")
}

/// Builds the report on the price to ask and the results of nights, for at least one ruleset.
pub fn plan_document<'a>(run: &'a Run, plan: &Planned) -> Document<'a> {
    let rules = &plan.rulesets[0];
    let (low, high) = reach_of(plan.target);
    let report = Report {
        plan,
        rules,
        names: short_names(rules.players.iter().map(|it| &*it.patron.name)),
        target: format!("{} to {}", percent_text(low), percent_text(high)),
        seed: run.seed,
    };
    // The night has a report of its own.
    let buyers = rules.players.iter().map(|it| &it.patron).filter(|it| it.share > 0.0);
    let night = BankrollReport {
        id: if rules.changed { &rules.name } else { &rules.id },
        name: &rules.name,
        rules: rules.spec(),
        patrons: buyers.collect(),
        seed: run.seed,
        bankroll: &rules.bankroll,
    };
    let mut nights = bankroll_charts(&night).into_iter().map(Block::Chart);
    let missing = no_intervals(&night).map(|it| it.finding + it.rest.as_str());
    let mut blocks: Vec<Block> = missing.into_iter().chain(too_rare(&night)).map(Block::Warning).collect();
    blocks.push(Block::Chart(price(&report)));
    blocks.extend(nights.next());
    blocks.push(Block::Chart(players_chart(&report)));
    if plan.rulesets.len() > 1 {
        blocks.push(Block::Table(tables::side_by_side(&report)));
    }
    let [players, par_sheet, pay_table, by_card] = tables::live(&report);
    let shown = [players, par_sheet, tables::bands(&report), pay_table, tables::season(&report)];
    blocks.extend(shown.map(Block::Table));
    blocks.extend(unfit(run, plan).into_iter().map(Block::Warning));
    let more = [by_card, tables::night(&report)].into_iter().chain(bankroll_tables(&night));
    blocks.push(Block::Only(Medium::Files, more.map(Block::Table).collect()));
    // The end of the night and the bank are details, for the page only.
    blocks.push(Block::Only(Medium::Page, nights.collect()));
    let each = report.names.iter().zip(&rules.players);
    let each: Vec<String> =
        each.map(|(name, it)| format!("{} of {name}", games(it.patron.tally.games()))).collect();
    let decks = plural(rules.bankroll.decks.into(), "deck");
    let all = rules.players.iter().map(|it| it.patron.tally.games()).sum();
    let subtitle =
        format!("{}; {}; {}, seed {}", rules_of(rules), mix_in_words(&report), games(all), report.seed);
    Document {
        brief: true,
        title: format!("A plan for {}: {decks} a night", rules_of(rules)),
        findings: findings(&report),
        warning: WARNING.into(),
        played: format!("{}; seed {}", each.join(", "), run.seed),
        cards: cards(rules),
        blocks,
        notes: notes(&report),
        ..Document::of(run)
    }
    .under(&subtitle)
}

const STEPS: i64 = 64;
/// Edges this far below those of the mix are not drawn, percentage points.
const BELOW: f64 = 20.0;
const MIX: &str = "the mix";

fn price(report: &Report<'_>) -> Chart {
    let rules = report.rules;
    let casino = rules.casino();
    let price = rules.price;
    let (low, high) = (price * 7 / 10, price * 13 / 10 + 100);
    let prices: Vec<f64> = (0..=STEPS).map(|i| (low + (high - low) * i / STEPS) as f64).collect();
    let at = dollars(rules, price as f64);
    let names = &report.names;
    let hues = Hues::new(names.iter().cloned().chain([MIX.into()]));
    let edge_at = |tally, price| House::new(tally, casino).edge_at_price(price);
    let curve = |i: usize| {
        let all = prices
            .iter()
            .filter_map(|&at| Some((at / 100.0, edge_at(&rules.players[i].patron.tally, at)?.value)));
        all.map(|(at, value)| (at, value * 100.0)).collect::<Vec<_>>()
    };
    let mix: Vec<(f64, f64)> = prices
        .iter()
        .map(|&at| {
            let of = |(share, tally)| edge_at(tally, at).map_or(f64::NAN, |edge| share * edge.value);
            (at / 100.0, 100.0 * rules.mix().map(of).sum::<f64>())
        })
        .collect();
    let (from, to) = reach_of(report.plan.target);
    let (from, to) = (from * 100.0, to * 100.0);
    // A player far stronger than the mix would compress its curve.
    let lowest = mix.iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min) - BELOW;
    let all = (0..names.len()).flat_map(curve).chain(mix.iter().copied());
    let range = both_sides_of_edges(all.map(|(_, value)| value.max(lowest)).chain([from, to]));
    let mut marks = Mark::sides_above().to_vec();
    marks.push(Mark::area(WHOLE, (from, to), Role::Ink, 0.12));
    let (mut keys, mut beyond) = (vec![Key::line(Role::Ink, MIX)], Vec::new());
    for (i, name) in names.iter().enumerate() {
        let shown: Vec<(f64, f64)> = curve(i).into_iter().filter(|(_, value)| *value >= range.0).collect();
        if shown.len() < 2 {
            beyond.push(format!("{name} ({} at {at})", edge(rules.players[i].edge()).value));
            continue;
        }
        marks.push(Mark::thin(shown, hues.of(name)));
        keys.push(Key::thin(hues.of(name), name.clone()));
    }
    marks.push(Mark::line(mix, Role::Ink));
    let said = edge(rules.edge);
    marks.push(Mark::dots(vec![(price as f64 / 100.0, rules.edge.value * 100.0)], Role::Ink, 12));
    marks.extend(Mark::sides_named(false, ["house gains", "player gains"]));
    keys.push(Key::area(Role::Ink, 0.12, format!("target: {}", report.target)));
    let beyond = match beyond.is_empty() {
        true => String::new(),
        false => format!(" Too far below to be shown: {}.", beyond.join(", ")),
    };
    Chart {
        name: "price".into(),
        title: format!(
            "At {at} a deck the house keeps {} of the stakes of this mix",
            percent(rules.edge).value
        ),
        caption: format!(
            "The house edge by the price of the deck: of the mix (thick), and against each player alone (thin). Above 0 the house \
             gains, below it the player. At {at} the edge of the mix is {} (dot).{beyond}",
            said.both()
        ),
        keys,
        markers: vec![Marker::new(price as f64 / 100.0, Role::Ink, format!("{at}: edge {}", said.both()))],
        ..Chart::plot(
            Axis::money("price of a deck", casino, (low as f64 / 100.0, high as f64 / 100.0), 8),
            Axis::percent("house edge, % of the price", range, 6),
            marks,
        )
    }
}

fn players_chart(report: &Report<'_>) -> Chart {
    let rules = report.rules;
    let of = |name: &str, e| Quantity::Edge.row(name, e, Role::of_edge(e));
    let mut rows: Vec<Row> =
        report.names.iter().zip(&rules.players).map(|(name, it)| of(name, it.edge())).collect();
    rows.sort_by(|a, b| b.estimate.value.total_cmp(&a.estimate.value));
    rows.insert(0, of(MIX, rules.edge));
    let known = rules.known.as_ref().and_then(|it| it.most_cards.house_edge);
    if let Some(most) = known {
        let role = Role::of_edge(most.about_most());
        let row = Quantity::Edge.row_between("knows every card", most, role);
        rows.push(Row { bounds: row.bounds.filter(|_| !most.is_known()), ..row });
    }
    let bounds = rows.iter().filter_map(|row| row.bounds).flat_map(|(least, most)| [least, most]);
    let values: Vec<f64> = Row::ends(&rows).chain(bounds).collect();
    let (from, to) = reach_of(report.plan.target);
    let (from, to) = (from * 100.0, to * 100.0);
    let range = both_sides_of_edges(values.into_iter().chain([from, to]));
    let mut marks = Mark::sides_along().to_vec();
    marks.push(Mark::area((from, to), WHOLE, Role::Ink, 0.12));
    for (i, row) in rows.iter().enumerate() {
        marks.push(Mark::dots(vec![(row.estimate.value, i as f64 + 0.5)], row.role, 10));
    }
    let strongest = rules.strongest();
    let worst = edge(rules.players[strongest].edge());
    let at = dollars(rules, rules.price as f64);
    let beyond = match known {
        Some(_) => " Nobody can do better than a player who knows every card, who is no real one.",
        None => "",
    };
    Chart {
        name: "players".into(),
        title: format!(
            "At {at} the best player, {}, {} of the price",
            report.names[strongest],
            if rules.players[strongest].edge().value < 0.0 {
                format!("gains {}", percent(abs(rules.players[strongest].edge())).value)
            } else {
                format!("leaves the house {}", worst.value)
            }
        ),
        caption: format!(
            "The house edge against each player alone and the mix (dot), with its 95% interval (box); the grey strip is the target, \
             {}. Right of 0 the house gains, left of it the player.{beyond}",
            report.target
        ),
        keys: vec![Key::area(Role::Ink, 0.12, format!("target: {}", report.target))],
        ..Chart::rows(Axis::percent("house edge, % of the price", range, 8), rows, "points", marks)
            .divided(Divide::sides())
    }
}
