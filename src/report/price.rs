//! Report on prices: the price and payments for a house edge, and the single change of the rules that gives it.

use super::document::{Block, DataTable, Document, Finding, exact};
use super::labels::{percent_text, rules_in_full, short_names, upper_first};
use super::rare_events::rarest;
use super::rules_in_words::rule_in_words;
use super::run::Run;
use crate::chart::{
    Axis, Chart, Divide, Hues, Key, Mark, Marker, Role, Row, Stand, WHOLE, both_sides_of_edges, scaled,
};
use crate::format::{FormattedEstimate, Side, edge, games, mean, money, money_estimate, plural};
use crate::lab::{PlayerPrices, Prices, RankedVariant};
use crate::rules::{Casino, Change};
use crate::stats::{Common, Estimate, NoOffer, Offer, Priced, RoundSum, Term, priced};
use crate::text::slug;

const STEPS: i64 = 64;
/// Distance of an edge from the target beyond which a change of the rules does not come near it.
const FAR: f64 = 0.02;
const LOWEST: f64 = -150.0;
/// An estimate outside of every chart.
const NOWHERE: Estimate = Estimate { value: f64::NAN, low: f64::NAN, high: f64::NAN };

struct Report<'a> {
    prices: &'a Prices,
    casino: &'a Casino,
    names: Vec<String>,
    rules: String,
    target: String,
    seed: u64,
}

/// Builds the report on the prices that give an edge.
pub fn price_document<'a>(run: &'a Run, prices: &Prices) -> Document<'a> {
    let report = Report {
        prices,
        casino: &prices.casino,
        names: short_names(prices.players.iter().map(|it| &*it.strategy)),
        rules: rules_in_full(run),
        target: percent_text(prices.target_edge),
        seed: run.seed,
    };
    Document {
        title: format!("What should {} cost? Played by {}", report.rules, report.names.join(", ")),
        findings: report.findings(),
        warning: report.warning(),
        played: report.played(),
        blocks: report.blocks(),
        notes: report.notes(),
        ..Document::of(run)
    }
}

impl Report<'_> {
    fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![Block::Table(self.terms())];
        let tallies = self.prices.players.iter().map(|it| it.tally.histogram()).zip(&self.names);
        let played =
            tallies.map(|(games, name)| (self.casino, self.casino.stake as f64, games, name.clone()));
        blocks.extend(rarest(played).map(Block::Text));
        blocks
            .extend((0..self.prices.terms.len()).filter_map(|term| self.term_chart(term)).map(Block::Chart));
        blocks.extend(self.round_sums().map(Block::Table));
        if !self.prices.variants.is_empty() {
            let price = self.dollars(self.casino.stake);
            blocks.push(Block::Heading(format!("One rule changed, at {price} a deck")));
            blocks.extend(self.one_rule_changed().map(Block::Chart));
            blocks.push(Block::Table(self.variants()));
            let impossible = self.prices.impossible.iter();
            let each: Vec<String> =
                impossible.map(|it| format!("{} ({})", change_in_words(Some(&it.change)), it.why)).collect();
            if !each.is_empty() {
                blocks.push(Block::Text(format!("Not possible under these rules: {}.", each.join("; "))));
            }
        }
        blocks
    }

    fn several(&self) -> bool {
        self.names.len() > 1
    }

    fn dollars(&self, cents: i64) -> String {
        money(cents as f64, self.casino, false)
    }

    fn played(&self) -> String {
        let each = if self.several() { " by each player" } else { "" };
        let mut text = format!("{}{each}", games(self.prices.games()));
        let changed = self.prices.variants.iter().filter(|it| it.change.is_some()).count();
        if changed > 0 {
            let more = games(self.prices.variant_games);
            let which = match changed {
                1 => "a ruleset that differs".into(),
                n => format!("each of {n} rulesets that differ"),
            };
            text.push_str(&format!("; {more}{each} under {which} in one rule"));
        }
        format!("{text}, dealt from seed {}", self.seed)
    }

    fn warning(&self) -> String {
        let mut text =
            "Every figure holds only for these rules and players: others would need other terms.".to_string();
        let players = self.prices.players.iter().zip(&self.names);
        let looking: Vec<&str> =
            players.filter(|(it, _)| it.looks_at_prices).map(|(_, name)| &**name).collect();
        if !looking.is_empty() {
            text.push_str(&format!(
                " What is paid may change how {} plays: simulate it at the price you choose.",
                looking.join(", ")
            ));
        }
        text
    }

    fn findings(&self) -> Vec<Finding> {
        let mut all = vec![self.edge_now()];
        // Terms in use come before possible ones.
        let mut terms: Vec<usize> = (0..self.prices.terms.len()).collect();
        terms.sort_by_key(|&index| self.prices.terms[index].1 == 0);
        all.extend(terms.into_iter().filter_map(|index| self.offer_found(index)).take(3));
        all.extend(self.nearest());
        all
    }

    fn edge_now(&self) -> Finding {
        // The lowest edge is selected among all players.
        let edges = self.prices.players.iter().filter_map(|player| player.edge_at_once);
        let Some(now) = edges.min_by(|a, b| a.value.total_cmp(&b.value)) else {
            return Finding::open(
                "The deck is free, so there is no house edge",
                format!(". Give a price with --at. The target is an edge of {}.", self.target),
            );
        };
        let said = edge(now);
        let who = match &self.names[..] {
            [only] => format!("when {only} plays"),
            names => format!("with the best of {}", names.join(", ")),
        };
        let price = self.dollars(self.casino.stake);
        Finding::of(
            &said,
            format!("At {price} a deck the house edge is {}", said.value),
            format!(" {who}. The target is {}.", self.target),
        )
    }

    fn offer_found(&self, index: usize) -> Option<Finding> {
        let term = self.prices.terms[index].0;
        let (cents, there, [asked, whom], rest) = match &self.prices.players[..] {
            [only] => match &only.offers[index].1 {
                Ok(offer) => {
                    let cents = offer.rounded.cents;
                    let exact =
                        money_estimate(if cents < 0 { -offer.exact } else { offer.exact }, self.casino);
                    (cents, offer.rounded.edge, ["", ""], format!("The exact sum is {}.", exact.both()))
                }
                Err(why) => return self.no_offer(index, why, None),
            },
            players => match &self.prices.against_each[index].1 {
                Some(common) => {
                    let lowest = *common.edges.get(common.hardest)?;
                    let rest = format!("The lowest edge is then {}.", edge(lowest).both());
                    (common.cents, lowest, ["at least ", " against each player"], rest)
                }
                None => {
                    let mut offers = self.names.iter().zip(players);
                    let (player, why) =
                        offers.find_map(|(name, it)| Some((name, it.offers[index].1.as_ref().err()?)))?;
                    return self.no_offer(index, why, Some(player));
                }
            },
        };
        Some(Finding {
            side: Side::of(there),
            finding: format!("{} for an edge of {asked}{}{whom}", self.order(term, cents), self.target),
            rest: format!(". {rest}"),
        })
    }

    /// Returns that no value gives the target, for a term that the casino has or could plausibly have.
    fn no_offer(&self, index: usize, why: &NoOffer, player: Option<&String>) -> Option<Finding> {
        let (term, now) = self.prices.terms[index];
        let against = player.map_or(String::new(), |player| format!(" against {player}"));
        ((now != 0 || is_open(why)) && *why != NoOffer::FreeDeck).then(|| {
            let finding = format!("{}{against}", self.none_gives(why, term));
            Finding::open(finding, format!(": {}.", self.why_not(term, why)))
        })
    }

    fn order(&self, term: Term, cents: i64) -> String {
        let sum = self.dollars(cents.abs());
        let pay = if cents < 0 { "charge" } else { "pay" };
        match term {
            Term::DeckPrice => format!("Sell the deck at {sum}"),
            Term::PayPerCard => format!("Or pay {sum} for each card"),
            Term::WinBonus => format!("Or pay a bonus of {sum} for the win"),
            Term::StepPay(from) => format!("Or {pay} {sum} for each card after {from}"),
            Term::StepBonus(from) => format!("Or {pay} {sum} once for {}", plural(from.into(), "card")),
            Term::JackpotStart => format!("Or start the jackpot at {sum}"),
            Term::RedealFee => match redeals_before(self.casino) {
                0 => format!("Or charge {sum} for a redeal"),
                n => format!("Or charge {sum} for each redeal after {n}"),
            },
        }
    }

    /// Returns the single change of the rules that comes nearest to the target.
    fn nearest(&self) -> Option<Finding> {
        let best = self.prices.variants.first()?;
        let (price, target) = (self.dollars(best.at_price.cents), &self.target);
        let said = edge(best.at_price.edge).both();
        let changed = change_in_words(best.change.as_ref());
        let none = "No single change of the rules comes";
        let finding = match &best.change {
            Some(_) if best.at_price.distance.low > FAR => {
                format!("{none} near {target} at {price}; the nearest is {changed}")
            }
            None => format!("{none} nearer to {target} at {price}"),
            Some(_) => format!("Or leave the deck at {price} and change one rule: {changed}"),
        };
        let others = self.prices.variants.iter().skip(1);
        let alike = others.filter(|it| it.at_price.distance.low <= best.at_price.distance.high).count();
        let alike = match alike as u64 {
            0 => String::new(),
            n => format!(" These games cannot tell it from {}.", plural(n, "other ruleset")),
        };
        Some(Finding {
            side: Side::of(best.at_price.edge),
            finding,
            rest: format!(". The edge is then {said}.{alike}"),
        })
    }

    /// Says that a term cannot give the target, or that the games do not determine its value.
    fn none_gives(&self, why: &NoOffer, term: Term) -> String {
        let gives = format!("{} gives an edge of {}", term_in_words(term, self.casino), self.target);
        match why {
            NoOffer::NeverPaid { .. } => format!("These games cannot tell what {gives}"),
            why if is_open(why) => format!("These games cannot tell whether any {gives}"),
            _ => format!("No {gives}"),
        }
    }

    fn why_not(&self, term: Term, why: &NoOffer) -> String {
        let would = |exact: &Estimate| {
            let sum = money_estimate(*exact, self.casino).both();
            (format!("it would have to be {sum}"), sum)
        };
        match why {
            NoOffer::FreeDeck => "the deck is free".into(),
            NoOffer::JackpotTakesTooMuch => {
                let share = self.casino.jackpot.map_or(0.0, |it| f64::from(it.share) / 1000.0);
                format!("the jackpot takes {} of every price", percent_text(share))
            }
            NoOffer::NothingPaid => "nothing is ever paid, so the edge is 100% at any price".into(),
            NoOffer::NeverPaid { safe } => {
                let none = match term {
                    Term::WinBonus => "none of them was won",
                    Term::StepPay(_) | Term::StepBonus(_) => "none of them brought up that many cards",
                    Term::JackpotStart => "the jackpot was won in none of them",
                    Term::RedealFee => "there was no such redeal in them",
                    _ => "none of them brought up a card",
                };
                match safe {
                    Some(safe) => format!(
                        "{none}, so the sum has no upper limit. A safe sum is {}: the edge is then {}, even if wins are as \
                         common as these games allow. More games tell more",
                        self.dollars(safe.cents),
                        edge(safe.edge).both()
                    ),
                    None => format!("{none}, and no sum is safe. More games tell more"),
                }
            }
            NoOffer::Negative { exact } => match (would(exact), term) {
                ((it, _), _) if is_open(why) => {
                    format!("{it}, which may be more than nothing. More games tell more")
                }
                ((_, sum), Term::RedealFee) => {
                    format!(
                        "the edge is greater without any fee. A player would have to be paid for a redeal: {sum}"
                    )
                }
                ((it, _), Term::DeckPrice) => it,
                ((_, sum), _) => {
                    format!(
                        "the rest alone pays more than that edge allows. This would have to be a fee: {sum}"
                    )
                }
            },
            NoOffer::TooLittle { exact } => format!("{}, less than a cent", would(exact).0),
            NoOffer::TooMuch { exact } => format!("{}, more than a ruleset can have", would(exact).0),
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "The house edge is what the player loses on average, as a share of the price of the deck. All terms \
             follow from how many games ended with how many cards on the foundations: another price needs \
             no new games, as long as the player plays the same."
                .to_string(),
            "Sums in whole cents are rounded so that the edge is not below the target: a price up, a payment down. At a \
             safe sum even the lower limit of the edge is not below the target."
                .into(),
            "A 95% interval contains the true figure in at least 95 of 100 such runs: it allows for great \
             payments too rare for these games to show. Limits are rounded outwards. \
             Games that were stopped undecided count as they stood, and both ways in the limits."
                .into(),
        ];
        if !self.prices.variants.is_empty() {
            notes.push(format!(
                "Changed rulesets were dealt the same shuffles, the first {} of each player. They are ranked by \
                 how far the edge, that of the hardest player, is from the target; the round price of a \
                 changed ruleset is the multiple of {} at which it is nearest. Their intervals hold for \
                 all of them at once (Bonferroni), so also for the one that is nearest.",
                games(self.prices.variant_games),
                self.dollars(self.prices.round_step)
            ));
        }
        notes
    }

    fn terms(&self) -> DataTable {
        let (target, several) = (&self.target, self.several());
        let mut why = String::new();
        // Who plays, the term, its exact value, the sum in cents with the edge, and the safe sum.
        type TermRow<'a> = (&'a str, Term, FormattedEstimate, [FormattedEstimate; 3]);
        let mut rows: Vec<TermRow<'_>> = Vec::new();
        let none = || ["", "", ""].map(exact);
        for (player, it) in self.names.iter().zip(&self.prices.players) {
            let against = if several { format!(" against {player}") } else { String::new() };
            for (term, offer) in &it.offers {
                let (sum, at) = match offer {
                    Ok(Offer { exact: sum, rounded, safe, .. }) => {
                        let safe = safe.map_or("none".into(), |Priced { cents, .. }| self.dollars(cents));
                        let at = [exact(self.dollars(rounded.cents)), edge(rounded.edge), exact(safe)];
                        (money_estimate(*sum, self.casino), at)
                    }
                    Err(no_offer) => {
                        let reason = self.why_not(*term, no_offer);
                        why.push_str(&format!(" {}{against}: {reason}.", self.none_gives(no_offer, *term)));
                        (exact("none"), none())
                    }
                };
                rows.push((player, *term, sum, at));
            }
        }
        let against_each = self.prices.against_each.iter().filter(|_| several);
        rows.extend(against_each.map(|(term, common)| match common {
            Some(Common { cents, edges, hardest }) => {
                let there = edges.get(*hardest).map_or(exact(""), |e| edge(*e));
                ("against each", *term, exact(""), [exact(self.dollars(*cents)), there, exact("")])
            }
            None => ("against each", *term, exact("none"), none()),
        }));
        let about = format!(
            "Each term changes alone; the others stay as they are. At the sum in whole cents the edge is at least {target}; at the safe sum even its lower limit is.{why}"
        );
        DataTable::of(format!("Terms for a house edge of {target}"), about, rows)
            .name("player", |row| row.0)
            .when(several)
            .name("term", |row| term_in_words(row.1, self.casino))
            .figure("now", |row| self.dollars(row.1.of(self.casino)))
            .figure(format!("for exactly {target}"), |row| row.2.clone())
            .figure("in whole cents", |row| row.3[0].clone())
            .figure("edge there", |row| row.3[1].clone())
            .figure("safe", |row| row.3[2].clone())
            .done()
    }

    fn round_sums(&self) -> Option<DataTable> {
        let mut rows = Vec::new();
        for (i, (term, common)) in self.prices.against_each.iter().enumerate() {
            let hardest = common.as_ref().map_or(0, |it| it.hardest);
            let Some((_, Ok(offer))) = self.prices.players.get(hardest).map(|it| &it.offers[i]) else {
                continue;
            };
            for RoundSum { priced: at, .. } in &offer.round {
                let players = self.prices.players.iter();
                let edges: Vec<Estimate> = players
                    .filter_map(|it| priced(&it.tally, self.casino, *term, at.cents).map(|it| it.edge))
                    .collect();
                let least = self.prices.target_edge - 1e-12;
                let holds = edges.iter().all(|e| e.value >= least);
                let sure = edges.iter().all(|e| e.low >= least);
                let never = edges.iter().any(|e| e.high < self.prices.target_edge);
                let verdict = match (holds, sure, never) {
                    (_, true, _) => "yes",
                    (true, ..) => "probably",
                    (_, _, true) => "no",
                    _ => "probably not",
                };
                rows.push((*term, at.cents, edges, verdict));
            }
        }
        if rows.is_empty() {
            return None;
        }
        let about = "Round sums on either side of the exact ones, with the other terms as they are.";
        let mut table = DataTable::of("Round sums nearby", about, rows)
            .name("term", |row| term_in_words(row.0, self.casino))
            .figure("round sum", |row| self.dollars(row.1));
        for (i, player) in self.names.iter().enumerate() {
            let head = if self.several() { format!("edge by {player}") } else { "edge there".into() };
            table = table.figure(head, |row| row.2.get(i).map_or(exact(""), |e| edge(*e)));
        }
        Some(table.figure(format!("at least {}", self.target), |row| row.3).done())
    }

    fn variants(&self) -> DataTable {
        let (here, target) = (self.dollars(self.casino.stake), &self.target);
        let hardest = if self.several() { ", that of the hardest player," } else { "" };
        let about = format!(
            "The house edge{hardest} at {here}, its distance from {target} in points, and the round price that brings it nearest to {target}. Every row, the unchanged rules included, is based on only {} of each player.",
            games(self.prices.variant_games)
        );
        DataTable::of("Rulesets with one rule changed, nearest first", about, &self.prices.variants)
            .name("rules", |it| change_in_words(it.change.as_ref()))
            .figure(format!("edge at {here}"), |it| edge(it.at_price.edge))
            .figure(format!("points from {target}"), |it| mean(scaled(it.at_price.distance, 100.0)))
            .figure("round price", |it| it.round_price.map_or("none".into(), |it| self.dollars(it.cents)))
            .figure("edge there", |it| it.round_price.map_or(exact(""), |it| edge(it.edge)))
            .done()
    }

    /// Draws the house edge against one term of the casino, by player; `None` if nobody has an offer.
    fn term_chart(&self, index: usize) -> Option<Chart> {
        let (casino, (term, now)) = (self.casino, self.prices.terms[index]);
        let players = &self.prices.players;
        let offers: Vec<Option<&Offer>> =
            players.iter().map(|player| player.offers[index].1.as_ref().ok()).collect();
        let known = || offers.iter().flatten().map(|offer| offer.rounded.cents);
        let (low, high) = known().min().zip(known().max())?;
        let (low, high) = if now != 0 { (low.min(now), high.max(now)) } else { (low, high) };
        // The range of amounts shown, cents.
        let (low, high) = match term {
            Term::DeckPrice => ((low as f64 * 0.85) as i64, (high as f64 * 1.15) as i64),
            // A fee is negative.
            _ if now != 0 => {
                let [outer, inner] = [1.25, 0.75].map(|factor| move |sum: i64| (sum as f64 * factor) as i64);
                (
                    if low < 0 { outer(low) } else { inner(low) },
                    if high < 0 { inner(high) } else { outer(high) },
                )
            }
            _ => ((low.min(0) as f64 * 1.5) as i64, (high.max(0) as f64 * 1.5) as i64),
        };
        let low = if term.may_be_fee() { low } else { low.max(i64::from(term == Term::DeckPrice)) };
        let high = high.max(low + 100);
        let words = term_in_words(term, casino);
        let (x, place) = Axis::money_curve(&words, casino, (low as f64 / 100.0, high as f64 / 100.0), 8);
        let curve = |player: &PlayerPrices| -> Vec<(f64, Estimate)> {
            let even = place(high as f64) == high as f64;
            let step = |i: i64| match even {
                true => low + (high - low) * i / STEPS,
                false => (low as f64 * (high as f64 / low as f64).powf(i as f64 / STEPS as f64)) as i64,
            };
            let sums = (0..=STEPS).map(step);
            let at = sums.filter_map(|cents| priced(&player.tally, casino, term, cents));
            at.map(|at| (place(at.cents as f64 / 100.0), scaled(at.edge, 100.0))).collect()
        };
        let curves: Vec<Vec<(f64, Estimate)>> = players.iter().map(curve).collect();
        let target = self.prices.target_edge * 100.0;
        let values = curves.iter().flatten().flat_map(|(_, e)| [e.value, e.low, e.high]);
        let range = both_sides_of_edges(values.map(|v| v.max(LOWEST)).chain([target]));

        let names = &self.names;
        let hues = Hues::new(names.clone());
        let asked = &self.target;
        let mut marks = Mark::sides_above().to_vec();
        // Places labels away from the line, which rises with the price and falls with payments.
        marks.extend(Mark::sides_named(!term.raises_edge(), ["house gains", "player gains"]));
        marks.push(Mark::level(target, Role::Ink, true));
        for ((name, curve), offer) in names.iter().zip(&curves).zip(&offers) {
            let shown: Vec<(f64, Estimate)> =
                curve.iter().filter(|(_, e)| e.value >= range.0).copied().collect();
            marks.extend(Mark::curve(&shown, hues.of(name)));
            let dot = offer.map(|offer| (place(offer.exact.value / 100.0), target));
            marks.push(Mark::dots(dot.into_iter().collect(), hues.of(name), 10));
        }
        // On the left, the line is well above or well below the target.
        let beside = target + (range.1 - range.0) * 0.035;
        marks.push(Mark::note((WHOLE.0, beside), format!("target edge: {asked}"), Role::Ink, Stand::Right));

        let mut markers = Vec::new();
        let common = self.prices.against_each[index].1.as_ref();
        let title = match (&offers[..], common) {
            ([Some(only)], _) => {
                let exact = money_estimate(only.exact, casino);
                markers.push(Marker::new(
                    place(only.exact.value / 100.0),
                    Role::Ink,
                    format!("{asked} at {}", exact.both()),
                ));
                format!("{words} for an edge of {asked}: {}", exact.value)
            }
            (_, Some(common)) => {
                let label = format!("{}: at least {asked} against each", self.dollars(common.cents));
                markers.push(Marker::new(place(common.cents as f64 / 100.0), Role::Ink, label));
                format!(
                    "{words} that keeps {asked} or more against each player: {}",
                    self.dollars(common.cents)
                )
            }
            _ => format!("No one {words} keeps {asked} against every player"),
        };
        if now > 0 && casino.stake > 0 {
            let edges = players.iter().filter_map(|it| it.edge);
            let edges: Vec<String> = edges.map(|e| edge(e).value).collect();
            let label = format!("now {}: edge {}", self.dollars(now), edges.join(", "));
            markers.push(Marker::new(place(now as f64 / 100.0), Role::Muted, label));
        }
        let key = |name: &String| match names.len() {
            1 => Key::line(hues.of(name), "house edge"),
            _ => Key::line(hues.of(name), format!("edge against {name}")),
        };
        let mut keys: Vec<Key> = names.iter().map(key).collect();
        keys.extend(names.first().map(|name| Key::area(hues.of(name), 0.28, "95% interval")));
        let told = names.iter().zip(&offers).filter_map(|(player, offer)| {
            let exact = money_estimate(offer.as_ref()?.exact, casino).both();
            Some(format!("{exact} with {player}"))
        });
        let y = Axis::percent("house edge, % of the price", range, 6);
        Some(Chart {
            name: slug(&words, 60),
            title: upper_first(&title),
            subtitle: format!(
                "{}, played by {}: {}, seed {}",
                self.rules,
                names.join(", "),
                games(self.prices.games()),
                self.seed
            ),
            caption: format!(
                "The house edge at other values of the {words}, if the players played the same (line), with its \
                     95% interval (band). Above 0 the house gains, below it the player. The edge of {asked} is \
                     at {}.",
                told.collect::<Vec<_>>().join(", ")
            ),
            keys,
            markers,
            ..Chart::plot(x, y, marks)
        })
    }

    /// Draws rulesets with one rule changed by house edge, the nearest to the target first; `None` without rulesets.
    fn one_rule_changed(&self) -> Option<Chart> {
        let variants = &self.prices.variants;
        let nearest = variants.first()?;
        let (far, target) = (far(variants), self.prices.target_edge * 100.0);
        let shown = |it: &RankedVariant| it.at_price.distance.value <= far;
        let row = |it: &RankedVariant| {
            // Remote edges are not plotted.
            let estimate = if shown(it) { scaled(it.at_price.edge, 100.0) } else { NOWHERE };
            Row::new(
                change_in_words(it.change.as_ref()),
                estimate,
                Role::of_edge(it.at_price.edge),
                edge(it.at_price.edge),
            )
        };
        let rows: Vec<Row> = variants.iter().map(row).collect();
        let values = rows.iter().flat_map(|r| [r.estimate.value, r.estimate.low, r.estimate.high]);
        let range = both_sides_of_edges(values.chain([target]));
        let mut marks = Mark::sides_along().to_vec();
        marks.push(Mark::upright(target, Role::Ink, true));
        for (i, (row, it)) in rows.iter().zip(variants).enumerate() {
            let y = i as f64 + 0.5;
            marks.push(match (shown(it), it.at_price.edge.value < self.prices.target_edge) {
                (true, _) => Mark::dots(vec![(row.estimate.value, y)], row.role, 10),
                (false, true) => Mark::note((WHOLE.0, y), "←", row.role, Stand::Right),
                (false, false) => Mark::note((WHOLE.1, y), "→", row.role, Stand::Left),
            });
        }
        let x = Axis::percent("house edge, % of the deck's price", range, 8);
        let casino = self.casino;
        let price = money(casino.stake as f64, casino, false);
        let (best, said) = (change_in_words(nearest.change.as_ref()), edge(nearest.at_price.edge));
        let target = &self.target;
        let whose = if self.several() { "the hardest player's edge, " } else { "" };
        Some(Chart {
            name: "one-rule-changed".into(),
            title: format!("At {price} a deck, nearest to {target} is {best}: {}", said.value),
            subtitle: format!(
                "{whose}nearest first to {target} (dashed line); {} each, the same shuffles, 95% intervals for all at once",
                games(self.prices.variant_games)
            ),
            caption: format!(
                "The house edge of rulesets that differ in one rule (dot), with its 95% interval for all of them at once (box), nearest \
                     to the target of {target} (dashed line) first. Right of 0 the house gains, left of it the \
                     player; arrows point to edges beyond the picture. Nearest: {best}, {}.",
                said.both()
            ),
            keys: vec![Key::broken(Role::Ink, format!("target: {target}"))],
            ..Chart::rows(x, rows, "points", marks).divided(Divide::sides())
        })
    }
}

fn term_in_words(term: Term, casino: &Casino) -> String {
    match term {
        Term::DeckPrice => "price of the deck".into(),
        Term::PayPerCard => "pay for each card".into(),
        Term::WinBonus => "bonus for the win".into(),
        Term::StepPay(from) => format!("pay for each card after {from}"),
        Term::StepBonus(from) => format!("bonus for {}", plural(from.into(), "card")),
        Term::JackpotStart => "start of the jackpot".into(),
        Term::RedealFee => match redeals_before(casino) {
            0 => "fee of a redeal".into(),
            n => format!("fee of each redeal after {n}"),
        },
    }
}

/// Returns the number of redeals with separate fees, before those that cost [`Term::RedealFee`].
fn redeals_before(casino: &Casino) -> usize {
    casino.redeal_fees.len().saturating_sub(1)
}

/// Describes a change of one rule; `None` is no change.
fn change_in_words(change: Option<&Change>) -> String {
    change.map_or("the rules as they are".into(), |change| rule_in_words(change.key(), change.shown()))
}

/// Returns whether the games do not determine if any value gives the target: the exact one may be positive.
fn is_open(why: &NoOffer) -> bool {
    matches!(why, NoOffer::Negative { exact } if exact.high >= 1.0)
}

/// Returns the distance beyond which an edge is only indicated, as it would compress three quarters of the others.
fn far(variants: &[RankedVariant]) -> f64 {
    let at = variants.len() * 3 / 4;
    variants.get(at).map_or(f64::INFINITY, |it| 1.5 * it.at_price.distance.value)
}
