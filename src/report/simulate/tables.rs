//! Tables of a run: all entries side by side, and all figures of one.

use super::clairvoyant::name as clairvoyant;
use super::{Entry, Page};
use crate::format::{
    FormattedEstimate, Side, count, edge, fixed, gain_estimate, games, mean, money, money_estimate, number,
    one_line, percent, plural, rounded, share, spread,
};
use crate::game::End;
use crate::lab::Clairvoyant;
use crate::report::bounds::{edge_between, mean_between, percent_between};
use crate::report::payments::{COMPARED, NO_PRICE, more_payments, paid_when, redeal_fees, stage_prices};
use crate::report::table::{DataTable, Layout, exact};
use crate::rules::{Casino, Spec};
use crate::stats::{Estimate, ScoreSummary, StageSummary, StakesSummary, Summary};

/// A figure with its name and an explanation.
type Fact = (String, FormattedEstimate, String);

impl Page<'_> {
    /// Builds the table of all entries, with the clairvoyant player below those of each ruleset, if requested. `in_full`
    /// adds derived columns, for which a terminal has no room.
    pub fn compared(&self, in_full: bool) -> DataTable {
        let priced = self.entries.iter().any(|entry| entry.found.summary.house_edge.is_some());
        // An entry, or the clairvoyant player below it.
        type Compared<'a> = (&'a Entry<'a>, Option<&'a Clairvoyant>);
        let rows: Vec<Compared<'_>> = self
            .entries
            .iter()
            .flat_map(|it| [(it, None)].into_iter().chain(it.below.map(|known| (it, Some(known)))))
            .collect();
        let played = |it: &Entry<'_>, said: &dyn Fn(&Summary) -> FormattedEstimate| match &it.found.summary {
            s if s.games == 0 => exact(""),
            s => said(s),
        };
        let price = |it: &Entry<'_>, s: &Summary| {
            s.fair_price.map_or(exact("none"), |price| money_estimate(price, &it.found.spec.casino))
        };
        let own = |(it, known): &Compared<'_>, said: &dyn Fn(&Summary) -> FormattedEstimate| match known {
            Some(_) => exact(""),
            None => played(it, said),
        };
        let about = "Each figure with its own 95% interval; what is said of all rows together holds for all of them at once \
                 (Bonferroni). Rulesets of the same pack were dealt the same shuffles.";
        DataTable::of("Compared", about, rows)
            .name("rules", |(it, _)| it.label.rules.clone())
            .name("player", |(it, known)| known.map_or(it.label.player.clone(), clairvoyant))
            .figure("house edge", |(it, known)| match known {
                Some(known) => known.most_cards.house_edge.map_or(exact("none"), edge_between),
                None => played(it, &|s| s.house_edge.map_or(exact("no price"), edge)),
            })
            .when(priced)
            .figure("cards", |(it, known)| match known {
                Some(known) => mean_between(known.most_cards.cards),
                None => played(it, &|s| mean(s.cards)),
            })
            .figure("games won", |(it, known)| match known {
                Some(known) => percent_between(known.winnable.share),
                None => played(it, &|s| percent(s.win_rate)),
            })
            .figure("fair price", |row| own(row, &|s| price(row.0, s)))
            .when(in_full)
            .figure("player profits", |row| own(row, &|s| percent(s.hit_frequency)))
            .when(in_full)
            .rows(|row, (it, known)| {
                if known.is_none() {
                    row.link.clone_from(&it.id);
                    if it.found.summary.games == 0 {
                        row.cells[2] = exact("no games");
                    }
                }
            })
            .done()
    }

    pub fn figures(&self, entry: &Entry<'_>) -> DataTable {
        let s = &entry.found.summary;
        let sd = |say: &dyn Fn() -> String| format!("standard deviation {}", spread(s.games, say));
        let mut facts: Vec<Fact> = Vec::new();
        let mut add = |what: &str, said, beside: String| facts.push((what.to_string(), said, beside));
        let dealt = format!("dealt from {}", self.run.source());
        add("games", number(s.games), dealt);
        if s.games > 0 {
            add("games won", percent(s.win_rate), games(s.wins));
            let of = format!("mean cards of {}", entry.found.spec.cards());
            add(&of, mean(s.cards), sd(&|| fixed(s.cards_sd, 2)));
            add("cards brought up", exact(""), quantiles(s));
            add("how games ended", exact(""), ends_in_short(s));
            match &s.stakes {
                Some(stakes) => money_in_steps(entry, stakes, &mut add),
                None => money_of_a_deck(entry, &mut add),
            }
            add("moves a game", mean(s.moves), String::new());
            add("redeals a game", rounded(s.redeals, 2), String::new());
        }
        let table = DataTable::of("Figures", "", facts)
            .name("figure", |(what, ..)| what.clone())
            .figure("value", |(_, said, _)| said.clone())
            .name("note", |(.., beside)| beside.clone())
            .done();
        DataTable { layout: Layout::Lines, ..table }
    }
}

fn quantiles(summary: &Summary) -> String {
    let each = summary.cards_quantiles.iter().map(|&(probability, cards)| match probability {
        p if (p - 0.5).abs() < 1e-9 => format!("at most {cards} in half of the games"),
        p => format!("at most {cards} in {:.0}%", p * 100.0),
    });
    each.collect::<Vec<_>>().join(", ")
}

fn ends_in_short(summary: &Summary) -> String {
    let each = ended(summary).map(|(end, games)| {
        format!("{end} {} ({})", number(games).value, share(games as f64 / summary.games as f64))
    });
    each.collect::<Vec<_>>().join(", ")
}

fn ended(summary: &Summary) -> impl Iterator<Item = (End, u64)> {
    End::ALL.into_iter().filter_map(|end| Some((end, *summary.ends.get(&end).filter(|&&games| games > 0)?)))
}

fn verdict(edge: crate::stats::Estimate) -> &'static str {
    match Side::of(edge) {
        Side::House => "the house gains",
        Side::Player => "the house loses",
        Side::Open => "too few games to say who gains",
    }
}

fn money_of_a_deck(entry: &Entry<'_>, add: &mut impl FnMut(&str, FormattedEstimate, String)) {
    let (s, Spec { casino, .. }) = (&entry.found.summary, &entry.found.spec);
    let none = String::new;
    if !casino.is_for_money() {
        return add("money", exact(""), "nothing is staked and nothing is paid".into());
    }
    let price = match casino.stake {
        0 => "nothing for the deck".into(),
        stake => format!("{} for the deck", money(stake as f64, casino, false)),
    };
    let terms = format!("{price}, {}", gets_back(casino));
    let terms: Vec<String> =
        std::iter::once(terms).chain(more_payments(casino)).chain(redeal_fees(casino)).collect();
    let terms = terms.join("; ");
    add("the player pays", exact(""), terms);
    let sd = spread(s.games, || money(s.net_sd, casino, false));
    let jackpot = match s.jackpot.as_ref().filter(|_| casino.meter_growth() > 0) {
        Some(jackpot) if jackpot.decks.is_some() => ", with the jackpot as it is when it is won",
        Some(_) => " without the jackpot, which nobody won",
        None => "",
    };
    add("player's net a deck", gain_estimate(s.net, casino), format!("standard deviation {sd}{jackpot}"));
    match s.house_edge {
        Some(e) => add("house edge", edge(e), verdict(e).into()),
        None => add("house edge", exact(""), "none: the deck has no price".into()),
    }
    add("hold of 100 decks", money_estimate(s.hold_per_100, casino), none());
    let even = match s.break_even_cards {
        Some(0) => "the player never loses".into(),
        Some(cards) => {
            let give = if cards == 1 { "gives" } else { "give" };
            format!("{} {give} the player the price of the deck back", plural(u64::from(cards), "card"))
        }
        None => "no number of cards gives the player the price of the deck back".into(),
    };
    let before = if casino.has_redeal_fees() { ", before fees of redeals" } else { "" };
    add("break-even", exact(""), format!("{even}{before}"));
    add("player profits", percent(s.hit_frequency), "of decks".into());
    if let Some(jackpot) = &s.jackpot {
        let between = jackpot.decks.map_or("never in these games".into(), |decks| {
            format!("one deck in {}", estimate_of_decks(decks))
        });
        add("decks that win the jackpot", percent(jackpot.rate), between);
        match jackpot.size {
            Some(size) => add("jackpot when it is won", money_estimate(size, casino), "on average".into()),
            None => add("jackpot when it is won", exact(""), "not known: nobody won it".into()),
        }
    }
    for (what, price) in [("fair price", s.fair_price), ("price for a 5% edge", s.price_for_5_percent)] {
        if let Some(price) = price {
            add(what, money_estimate(price, casino), none());
        }
    }
}

/// `and gets $5.00 back for each card, $10.00 more for a win`
fn gets_back(casino: &Casino) -> String {
    let cents = |amount: i64| money(amount as f64, casino, false);
    let win = match casino.pays_for_win {
        0 => String::new(),
        bonus => format!(", {} more for a win", cents(bonus)),
    };
    format!("and gets {} back for each card{win}", cents(casino.pays_per_card))
}

/// `83 (61 to 120)`
fn estimate_of_decks(decks: Estimate) -> String {
    let whole = |decks: f64| count(decks.round() as u64);
    format!("{} ({} to {})", whole(decks.value), whole(decks.low.floor()), whole(decks.high.ceil()))
}

fn money_in_steps(
    entry: &Entry<'_>,
    stakes: &StakesSummary,
    add: &mut impl FnMut(&str, FormattedEstimate, String),
) {
    let (s, Spec { casino, .. }) = (&entry.found.summary, &entry.found.spec);
    let paid = format!("{}; {}, {}", stage_prices(casino), gets_back(casino), paid_when(casino));
    add("the player pays", exact(""), paid);
    add("staked a game", money_estimate(stakes.staked, casino), String::new());
    add("paid back a game", money_estimate(stakes.paid, casino), String::new());
    let sd = spread(s.games, || money(s.net_sd, casino, false));
    add("player's net a game", gain_estimate(s.net, casino), format!("standard deviation {sd}"));
    match s.house_edge {
        Some(e) => add("house edge", edge(e), format!("of what is staked, {}", verdict(e))),
        None if stakes.staked.value > 0.0 => {
            add("house edge", exact(""), "too few games were staked on to tell".into());
        }
        None => add("house edge", exact(""), "none: nothing was staked".into()),
    }
    add("hold of 100 decks", money_estimate(s.hold_per_100, casino), String::new());
    add("player profits", percent(s.hit_frequency), "of games".into());
    add("fair price", exact(""), format!("none, because {NO_PRICE}"));
    match stakes.worth_of_stopping {
        Some(worth) => add("stopping is worth", gain_estimate(worth, casino), "for each game dealt".into()),
        None => add("stopping is worth", exact(""), "the player never stopped".into()),
    }
}

fn meaning(rules: &Spec, end: End) -> &'static str {
    match end {
        End::Won => "all cards are up",
        End::Blocked => "no move is left",
        End::Barren if rules.idle_redeals.is_some() => {
            "the waste was turned over again and again without a play"
        }
        End::Barren => "a whole pass brought no play, and the next would show the same cards",
        End::Repeated => {
            "the strategy moved cards back and forth until one position occurred for the third time; lost, \
                 with the cards then on the foundations"
        }
        End::Resigned => "the player gave up",
        End::Runaway => "stopped by the safety net, undecided; every interval counts such games both ways",
    }
}

impl Entry<'_> {
    pub fn stages(&self, stakes: &StakesSummary) -> DataTable {
        let casino = &self.found.spec.casino;
        let games = self.found.summary.games.max(1) as f64;
        let stopped = |n: u64| FormattedEstimate { interval: share(n as f64 / games), ..number(n) };
        let worth =
            |estimate: Option<_>| estimate.map_or(exact("never stopped"), |e| gain_estimate(e, casino));
        // `None` is all stages together.
        let rows = stakes.stages.iter().map(Some).chain([None]);
        let of = |it: &Option<&StageSummary>, say: &dyn Fn(&StageSummary) -> FormattedEstimate| {
            it.map_or(exact(""), say)
        };
        let about = format!("{COMPARED} There is no fair price, because {NO_PRICE}.");
        DataTable::of("The stake, stage by stage", about, rows)
            .name("stage", |it| it.map_or("all stages, per game dealt", |stage| stage.at.word()))
            .figure("cost", |it| {
                of(it, &|it| {
                    FormattedEstimate::of(it.cost as f64 / 100.0, money(it.cost as f64, casino, false))
                })
            })
            .figure("asked", |it| of(it, &|it| number(it.asked)))
            .figure("bought", |it| of(it, &|it| number(it.bought)))
            .figure("games stopped", |it| match it {
                Some(stage) if !stage.at.stops() => exact("never stops here"),
                _ => stopped(it.map_or(stakes.stopped, |stage| stage.stopped)),
            })
            .figure("value of stopping", |it| match it {
                Some(stage) if !stage.at.stops() => exact(""),
                _ => worth(it.map_or(stakes.worth_of_stopping, |stage| stage.worth_of_stopping)),
            })
            .done()
    }

    pub fn ends(&self) -> DataTable {
        let (rules, summary) = (&self.found.spec, &self.found.summary);
        let part = |n: u64| n as f64 / summary.games.max(1) as f64;
        DataTable::of("How games ended", "", ended(summary))
            .name("end", |(end, _)| end.word())
            .name("meaning", |(end, _)| meaning(rules, *end))
            .figure("games", |(_, n)| number(*n))
            .figure("share", |(_, n)| FormattedEstimate::of(part(*n), share(part(*n))))
            .done()
    }

    pub fn scores(&self) -> Option<DataTable> {
        let summary = &self.found.summary;
        let sd = |it: &&ScoreSummary| FormattedEstimate::of(it.sd, spread(summary.games, || fixed(it.sd, 2)));
        let table = DataTable::of("Scores", "", &summary.scores)
            .name("score", |it| one_line(&it.name))
            .figure("points a game", |it| mean(it.mean))
            .figure("standard deviation", sd)
            .figure("lowest", |it| rounded(it.min as f64, 0))
            .figure("highest", |it| rounded(it.max as f64, 0))
            .done();
        (!summary.scores.is_empty()).then_some(table)
    }
}
