//! Tables of a run: all entries side by side, and all figures of one; and the charts that compare entries: games won,
//! house edge and mean cards, one under the other.

use super::{Entry, Page};
use crate::chart::{Axis, Chart, Divide, Mark, Role, Row, both_sides_of_edges, padded, pair, span};
use crate::format::{
    FormattedEstimate, Side, count, edge, fixed, gain_estimate, games, mean, money, money_estimate, number,
    one_line, percent, plural, rounded, share, spread,
};
use crate::game::End;
use crate::lab::Clairvoyant;
use crate::report::document::{DataTable, Layout, exact};
use crate::report::labels::{Label, upper_first};
use crate::report::quantity::{BOTH_WAYS, Quantity, edge_between, mean_between, percent_between};
use crate::report::rules_in_words::{
    COMPARED, NO_PRICE, more_payments, paid_when, redeal_fees, stage_prices,
};
use crate::rules::{Casino, Spec};
use crate::stats::{Bounded, Estimate, ScoreSummary, StageSummary, StakesSummary, Summary};

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
            .name("player", |(it, known)| known.map_or(it.label.player.clone(), clairvoyant_name))
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

pub(super) const TICKS: usize = 8;

impl Page<'_> {
    /// The charts that compare all entries. One that has nothing to show is left out, such as the edges where no deck has a
    /// fixed price.
    pub fn charts(&self) -> Vec<Chart> {
        let charts = [Some(win_rates(&self.entries)), edges(self), mean_cards(&self.entries)];
        charts.into_iter().flatten().collect()
    }
}

/// Returns the entries with the highest and the lowest figure, by name, with their figures.
fn ends(
    entries: &[Entry<'_>],
    figure: impl Fn(&Entry<'_>) -> Option<Estimate>,
) -> Option<[(String, Estimate); 2]> {
    let all = entries.iter().filter_map(|entry| Some((entry.short.clone(), figure(entry)?)));
    let all: Vec<(String, Estimate)> = all.collect();
    let most = all.iter().max_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    let least = all.iter().rev().min_by(|a, b| a.1.value.total_cmp(&b.1.value))?;
    Some([most.clone(), least.clone()])
}

/// Returns whether the entries that win most and fewest games differ from all others with confidence.
fn apart(entries: &[Entry<'_>]) -> bool {
    let mut rates: Vec<Estimate> = entries.iter().map(|entry| entry.at_once.wins).collect();
    rates.sort_by(|a, b| a.value.total_cmp(&b.value));
    let [least, middle @ .., most] = &rates[..] else { return false };
    let others = |other: &Estimate| middle.iter().chain([other]).copied().collect::<Vec<_>>();
    others(most).iter().all(|it| it.low > least.high) && others(least).iter().all(|it| it.high < most.low)
}

/// Returns a row for each entry, and below the last of each ruleset that of the clairvoyant player.
fn rows(
    entries: &[Entry<'_>],
    of: Quantity<'_>,
    figure: impl Fn(&Entry<'_>) -> Option<Estimate>,
    bounds: impl Fn(&Clairvoyant) -> Option<Bounded>,
) -> Vec<Row> {
    let rows = entries.iter().flat_map(|entry| {
        let Label { rules, player } = &entry.label;
        let own = figure(entry).map(|e| {
            let role = if of == Quantity::Edge { Role::of_edge(e) } else { entry.hue };
            of.row(pair(rules, player), e, role)
        });
        let below = entry.below.and_then(|known| {
            let name = pair(rules, &clairvoyant_name(known));
            Some(of.row_between(name, bounds(known)?, Role::Clairvoyant))
        });
        own.into_iter().chain(below)
    });
    rows.collect()
}

fn of_clairvoyant(entries: &[Entry<'_>]) -> String {
    clairvoyant_about(entries).map_or(String::new(), |about| {
        format!(
            " {about} Its row (violet) has two lines: the best result that was found, and the best that was \
                 not ruled out."
        )
    })
}

fn win_rates(entries: &[Entry<'_>]) -> Chart {
    let won = |entry: &Entry<'_>| Some(entry.found.summary.win_rate);
    let rows = rows(entries, Quantity::Wins, won, |known| Some(known.winnable.share));
    let most = span(Row::ends(&rows)).map_or(1.0, |(_, high)| high.max(0.01));
    let range = (0.0, padded((0.0, most), 0.06).1.min(100.0));
    let x = Axis::percent("games won, % of all games", range, TICKS);
    let found = ends(entries, won);
    let title = match &found {
        Some([(_, a), (_, b)]) if entries.len() > 1 && percent(*a).value == percent(*b).value => {
            format!("Each wins {} of games", percent(*a).value)
        }
        Some([(most, a), (least, b)]) if entries.len() > 1 && apart(entries) => {
            format!(
                "Most games are won by {most}: {}; fewest by {least}: {}",
                percent(*a).value,
                percent(*b).value
            )
        }
        Some([(most, a), (least, b)]) if entries.len() > 1 => {
            format!("Games won: from {} by {least} to {} by {most}", percent(*b).value, percent(*a).value)
        }
        Some([(_, only), _]) => format!("{} of games are won", percent(*only).value),
        None => "Games won".into(),
    };
    let best = found.map_or(String::new(), |[(name, e), _]| match entries.len() {
        1 => format!(" Here: {}.", percent(e).both()),
        _ => format!(" Highest: {name}, {}.", percent(e).both()),
    });
    Chart {
        name: "win-rates".into(),
        title,
        subtitle: with_intervals("share of games won by ruleset and strategy", entries),
        caption: format!(
            "The share of games in which all cards went up (line), with its 95% interval (box).{best}{}",
            of_clairvoyant(entries)
        ),
        ..Chart::rows(x, rows, "points", Vec::new())
    }
}

/// Describes what is shown, and for how many entries its intervals and the title hold jointly.
fn with_intervals(what: &str, entries: &[Entry<'_>]) -> String {
    match entries {
        [_] => format!("{what}, with its 95% interval"),
        _ => format!("{what}, each with a 95% interval; the title holds for all at once"),
    }
}

/// Chooses by the kind of stakes: prices of decks, bought in stages, or both.
fn stakes<T>(entries: &[Entry<'_>], [prices, steps, both]: [T; 3]) -> T {
    match entries.iter().filter(|entry| entry.found.summary.stakes.is_some()).count() {
        0 => prices,
        n if n == entries.len() => steps,
        _ => both,
    }
}

fn title_of_edges(entries: &[Entry<'_>]) -> String {
    let Some([(most, a), (least, b)]) = ends(entries, |entry| entry.at_once.edge) else {
        return "House edge".into();
    };
    let keeps = |e: Estimate| {
        let size = edge(Estimate { value: e.value.abs(), ..e }).value.replace('+', "");
        match Side::of(e) {
            Side::House => format!("keeps {size}"),
            Side::Player => format!("loses {size}"),
            Side::Open => format!("may keep or lose ({})", edge(e).value),
        }
    };
    let priced = entries.iter().filter(|entry| entry.found.summary.house_edge.is_some()).count();
    match (priced, Side::of(a), Side::of(b)) {
        (1, Side::Open, _) => format!("Too close to call: the house edge is {}", edge(a).value),
        (1, ..) => format!("The house {} of the stake", keeps(a)),
        _ => format!("The house {} against {most} and {} against {least}", keeps(a), keeps(b)),
    }
}

fn edges(page: &Page<'_>) -> Option<Chart> {
    let entries = &page.entries[..];
    entries.iter().find(|entry| entry.found.summary.house_edge.is_some())?;
    let rows = rows(
        entries,
        Quantity::Edge,
        |entry| entry.found.summary.house_edge,
        |known| known.most_cards.house_edge,
    );
    let range = both_sides_of_edges(Row::ends(&rows));
    let x = Axis::percent(edge_axis(entries), range, TICKS);
    let found = match entries {
        [only] => {
            only.found.summary.house_edge.map_or(String::new(), |e| format!("Here: {}.", edge(e).both()))
        }
        _ => page.sides(),
    };
    let kept = stakes(
        entries,
        [
            "each deck's price",
            "what is staked",
            "each deck's price, or of what is staked where that is bought in stages",
        ],
    );
    let subtitle = stakes(
        entries,
        [
            "what the house keeps of the price of a deck",
            "what the house keeps of what is staked",
            "what the house keeps of the price, or of a stake bought in stages",
        ],
    );
    Some(Chart {
        name: "house-edge".into(),
        title: title_of_edges(entries),
        subtitle: with_intervals(subtitle, entries),
        caption: format!(
            "What the house keeps of {kept} (line), with its 95% interval (box): right of the zero line the house gains, \
             left of it the player. {found}{}",
            of_clairvoyant(entries)
        ),
        ..Chart::rows(x, rows, "points", Mark::sides_along().to_vec()).divided(Divide::sides())
    })
}

fn mean_cards(entries: &[Entry<'_>]) -> Option<Chart> {
    entries.iter().find(|entry| entry.below.is_some())?;
    let cards = |entry: &Entry<'_>| Some(entry.found.summary.cards);
    let rows = rows(entries, Quantity::Cards, cards, |known| Some(known.most_cards.cards));
    let most = span(Row::ends(&rows)).map_or(1.0, |(_, high)| high.max(1.0));
    let all = entries.iter().map(|entry| entry.found.spec.cards()).max().unwrap_or(52) as f64;
    let range = (0.0, padded((0.0, most), 0.04).1.min(all));
    let x = Axis::new("mean cards on the foundations", range, TICKS, fixed);
    let title = match ends(entries, cards) {
        Some([(name, e), _]) => match entries.iter().find_map(|entry| entry.below) {
            Some(known) => format!(
                "{} brings up {} cards a game; knowing every card, {} are possible",
                upper_first(&name),
                mean(e).value,
                mean_between(known.most_cards.cards).value
            ),
            None => format!("{} brings up {} cards a game", upper_first(&name), mean(e).value),
        },
        None => "Mean cards".into(),
    };
    Some(Chart {
        name: "mean-cards".into(),
        title,
        subtitle: "cards a game by ruleset and strategy, with 95% intervals".into(),
        caption: format!(
            "Mean cards on the foundations (line), with the 95% interval (box).{}",
            of_clairvoyant(entries)
        ),
        ..Chart::rows(x, rows, "cards", Vec::new())
    })
}

pub(super) fn edge_axis(entries: &[Entry<'_>]) -> &'static str {
    match entries.iter().all(|entry| entry.found.summary.stakes.is_none()) {
        true => "house edge, % of the deck's price",
        false => "house edge, % of the stake",
    }
}

/// `clairvoyant, 200 deals`
pub(super) fn clairvoyant_name(known: &Clairvoyant) -> String {
    format!("clairvoyant, {}", plural(known.deals, "deal"))
}

fn open(known: &Clairvoyant) -> String {
    let open = known.deals.saturating_sub(known.most_cards.proven);
    match open {
        0 => "all are proven".into(),
        _ => format!("{} of deals are undecided", share(open as f64 / known.deals.max(1) as f64)),
    }
}

impl Entry<'_> {
    pub fn known(&self) -> Option<String> {
        let known = self.found.clairvoyant.as_ref()?;
        let most = &known.most_cards;
        let edge = most
            .house_edge
            .map_or(String::new(), |edge| format!(", house edge {}", edge_between(edge).both()));
        Some(format!(
            "mean cards {}{edge}, games won {}; on the first {}, {} positions a deal at most: {}",
            mean_between(most.cards).both(),
            percent_between(known.winnable.share).both(),
            plural(known.deals, "deal"),
            count(known.nodes),
            open(known)
        ))
    }
}

/// Returns the note of a chart or table with such rows, if it has any.
fn clairvoyant_about(entries: &[Entry<'_>]) -> Option<String> {
    let all: Vec<(&Entry<'_>, &Clairvoyant)> =
        entries.iter().filter_map(|it| Some((it, it.below?))).collect();
    let (_, first) = all.first()?;
    let open: Vec<String> = match all[..] {
        [(_, only)] => vec![open(only)],
        _ => all.iter().map(|(entry, known)| format!("of {} {}", entry.found.rules, open(known))).collect(),
    };
    Some(format!(
        "The clairvoyant figures are the best possible result of a player who knows every card, on the first {} of the \
             seed. The search stops after {} positions a deal ({}).",
        plural(first.deals, "deal"),
        count(first.nodes),
        open.join("; ")
    ))
}

impl Page<'_> {
    pub fn clairvoyant_note(&self) -> Option<String> {
        let fees = self.entries.iter().any(|entry| entry.found.spec.casino.has_redeal_fees());
        let fees = if fees { " Fees of redeals are not taken off what that player could get." } else { "" };
        clairvoyant_about(&self.entries).map(|about| format!("{about} {BOTH_WAYS}{fees}"))
    }
}
