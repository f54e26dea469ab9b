//! Report on a plan: the price to ask, the results of nights, and the cost of the best players.

mod charts;
mod findings;
mod formulas;
mod tables;

use super::bankroll::{BankrollReport, bankroll_charts, bankroll_tables, unseen_wins};
use super::document::{Block, Document, Medium};
use super::labels::{percent_text, rule_in_words, short_names};
use super::run::Run;
use crate::format::{games, plural};
use crate::lab::Planned;
use crate::stats::reach_of;
use findings::{Report, WARNING, cards, findings, notes, rules_of, unfit};

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
    let warnings = unseen_wins(&night).into_iter().map(|it| Block::Warning(it.finding + it.rest.as_str()));
    let mut blocks: Vec<Block> = warnings.collect();
    blocks.push(Block::Chart(charts::price(&report)));
    blocks.extend(nights.next());
    blocks.push(Block::Chart(charts::players(&report)));
    if plan.rulesets.len() > 1 {
        blocks.push(Block::Table(tables::side_by_side(&report)));
    }
    let [players, par_sheet, pay_table, by_card] = formulas::live(&report);
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
}
