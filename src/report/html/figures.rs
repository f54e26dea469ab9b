//! All figures of an entry, as tables.

use maud::{Markup, html};

use crate::game::End;
use crate::report::Entry;
use crate::report::figures::{
    FormattedEstimate, count, edge, fixed, gain_estimate, mean, money, money_estimate, percent, share, spread,
};

/// Name, value and interval of every figure.
pub(super) fn table(entry: &Entry<'_>) -> Markup {
    html! {
        div.wide {
            table {
                thead { tr { th { "Figure" } th.n { "Value" } th.n { "95% interval" } } }
                tbody {
                    @for (name, said) in rows(entry) {
                        tr { th scope="row" { (name) } td.n { (said.value) } td.n { (said.interval) } }
                    }
                }
            }
        }
    }
}

fn rows(entry: &Entry<'_>) -> Vec<(String, FormattedEstimate)> {
    let s = entry.summary;
    let casino = &entry.rules.casino;
    let exact = FormattedEstimate::exact;
    let sd = |say: &dyn Fn() -> String| exact(spread(s.games, say));
    let mut rows = vec![
        ("Games".to_string(), exact(count(s.games))),
        ("Games won".into(), exact(count(s.wins))),
        ("Share of games won".into(), percent(s.win_rate)),
        ("Cards, mean".into(), mean(s.cards)),
        ("Cards, standard deviation of a game".into(), sd(&|| fixed(s.cards_sd, 2))),
    ];
    if !s.cards_quantiles.is_empty() {
        let at = |(p, _): &(f64, u16)| format!("{}%", fixed(p * 100.0, 0));
        let names: Vec<String> = s.cards_quantiles.iter().map(at).collect();
        let values: Vec<String> = s.cards_quantiles.iter().map(|(_, cards)| cards.to_string()).collect();
        rows.push((format!("Cards, quantiles {}", names.join(", ")), exact(values.join(", "))));
    }
    if let Some(stakes) = &s.stakes {
        rows.push(("Staked a game, mean".into(), money_estimate(stakes.staked, casino)));
        rows.push(("Paid back a game, mean".into(), money_estimate(stakes.paid, casino)));
    }
    rows.push(("Net of the player a deck".into(), gain_estimate(s.net, casino)));
    rows.push(("Net, standard deviation of a deck".into(), sd(&|| money(s.net_sd, casino, false))));
    if let Some(e) = s.house_edge {
        rows.push(("House edge".into(), edge(e)));
    }
    rows.push(("House keeps of 100 decks".into(), money_estimate(s.hold_per_100, casino)));
    if s.stakes.is_none() {
        let even = s.break_even_cards.map_or("never".into(), |cards| format!("{cards} cards"));
        rows.push(("Break-even".into(), exact(even)));
    }
    rows.push(("Decks on which the player profits".into(), percent(s.hit_frequency)));
    let priced =
        [("Fair price of the deck", s.fair_price), ("Price for a house edge of 5%", s.price_for_5_percent)];
    for (name, price) in priced.into_iter().filter_map(|(name, price)| Some((name, price?))) {
        rows.push((name.into(), money_estimate(price, casino)));
    }
    rows.push(("Moves a game".into(), mean(s.moves)));
    rows.push(("Redeals a game".into(), exact(fixed(s.redeals, 2))));
    rows.push(("Undecided games".into(), exact(count(s.undecided))));
    rows
}

/// What an end of a game means.
fn meaning(end: End) -> &'static str {
    match end {
        End::Won => "all cards are up",
        End::Blocked => "no move is left",
        End::Barren => "the stock was gone through without a play, and would only show the same again",
        End::Repeated => {
            "the strategy moved cards back and forth until the same position stood for the third time; lost, cards as they stood"
        }
        End::Resigned => "the player gave up",
        End::Runaway => "stopped by the safety net, undecided; every interval counts such games both ways",
    }
}

/// How games ended.
pub(super) fn ends(entry: &Entry<'_>) -> Markup {
    let s = entry.summary;
    html! {
        h3 { "How games ended" }
        div.wide {
            table {
                thead { tr { th { "End" } th { "Meaning" } th.n { "Games" } th.n { "Share" } } }
                tbody {
                    @for end in End::ALL {
                        @if let Some(&n) = s.ends.get(&end).filter(|&&n| n > 0) {
                            tr {
                                th scope="row" { (end.word()) }
                                td { (meaning(end)) }
                                td.n { (count(n)) }
                                td.n { (share(n as f64 / s.games.max(1) as f64)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Named scores, where the rules have any.
pub(super) fn scores(entry: &Entry<'_>) -> Markup {
    let scores = &entry.summary.scores;
    if scores.is_empty() {
        return html! {};
    }
    html! {
        h3 { "Scores" }
        div.wide {
            table {
                thead {
                    tr {
                        th { "Score" } th.n { "Mean points a game" } th.n { "95% interval" }
                        th.n { "Standard deviation" } th.n { "Lowest" } th.n { "Highest" }
                    }
                }
                tbody {
                    @for score in scores {
                        @let points = mean(score.mean);
                        tr {
                            th scope="row" { (score.name) }
                            td.n { (points.value) } td.n { (points.interval) } td.n { (spread(entry.summary.games, || fixed(score.sd, 2))) }
                            td.n { (fixed(score.min as f64, 0)) } td.n { (fixed(score.max as f64, 0)) }
                        }
                    }
                }
            }
        }
    }
}
