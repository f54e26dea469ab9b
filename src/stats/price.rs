//! Price of a deck, payment for a card, or bonus for a win that gives a target house edge.
//!
//! With `cards` on the foundations of a deck sold at `P`, the player is paid `c` a card and `w` for a win. The mean
//! payment must be `P (1 - edge)`, so each of the three follows from the other two and the histogram of cards: `P` is
//! a mean, `c` and `w` are ratios of means. Limits are the terms at which the mean payment does not differ
//! significantly from the one required by the edge.

use std::fmt;

use serde::{Serialize, Serializer};

use super::casino::payout;
use super::interval::TAIL;
use super::sample::Ratio;
use super::{Estimate, House, Tally};
use crate::rules::{Casino, MOST_CENTS};

/// Adjustable terms of a casino.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// `casino.stake`
    DeckPrice,
    /// `casino.pays_per_card`
    PayPerCard,
    /// `casino.pays_for_win`
    WinBonus,
    /// `pays_per_card` of the `[[casino.step]]` from this many cards on.
    StepPay(u16),
    /// `bonus` of that step.
    StepBonus(u16),
    /// `start` of the `[casino.jackpot]`.
    JackpotStart,
    /// `casino.redeal_fee`; if it has several amounts, the last one, which repeats.
    RedealFee,
}

impl Term {
    /// Returns the terms that a casino has.
    pub fn all(casino: &Casino) -> Vec<Term> {
        let mut all = vec![Term::DeckPrice, Term::PayPerCard, Term::WinBonus];
        for step in &casino.steps {
            all.extend(step.pays_per_card.map(|_| Term::StepPay(step.from)));
            all.extend((step.bonus != 0).then_some(Term::StepBonus(step.from)));
        }
        all.extend(casino.jackpot.map(|_| Term::JackpotStart));
        all.extend(casino.has_redeal_fees().then_some(Term::RedealFee));
        all
    }

    /// Returns whether a higher value raises the house edge.
    pub fn raises_edge(self) -> bool {
        matches!(self, Term::DeckPrice | Term::RedealFee)
    }

    /// Returns whether it may be negative, which is a fee.
    pub fn may_be_fee(self) -> bool {
        matches!(self, Term::StepPay(_) | Term::StepBonus(_))
    }

    /// Returns whether it may be this many cents: a payment of zero is left out of a ruleset.
    fn may_be(self, cents: i64) -> bool {
        let least = if self.may_be_fee() { -MOST_CENTS } else { 1 };
        (least..=MOST_CENTS).contains(&cents) && (cents != 0 || matches!(self, Term::StepPay(_)))
    }

    /// Returns its value under a casino's terms, cents.
    pub fn of(self, casino: &Casino) -> i64 {
        match self {
            Term::DeckPrice => casino.stake,
            Term::PayPerCard => casino.pays_per_card,
            Term::WinBonus => casino.pays_for_win,
            Term::StepPay(from) => casino.step_from(from).and_then(|step| step.pays_per_card).unwrap_or(0),
            Term::StepBonus(from) => casino.step_from(from).map_or(0, |step| step.bonus),
            Term::JackpotStart => casino.jackpot.map_or(0, |jackpot| jackpot.start),
            Term::RedealFee => casino.redeal_fees.last().copied().unwrap_or(0),
        }
    }

    /// Returns the casino with this term changed.
    pub fn set(self, casino: &Casino, cents: i64) -> Casino {
        let mut casino = casino.clone();
        match self {
            Term::DeckPrice => casino.stake = cents,
            Term::PayPerCard => casino.pays_per_card = cents,
            Term::WinBonus => casino.pays_for_win = cents,
            Term::StepPay(_) | Term::StepBonus(_) => {
                for step in &mut casino.steps {
                    match self {
                        Term::StepPay(from) if from == step.from => step.pays_per_card = Some(cents),
                        Term::StepBonus(from) if from == step.from => step.bonus = cents,
                        _ => {}
                    }
                }
            }
            Term::JackpotStart => {
                casino.jackpot.iter_mut().for_each(|jackpot| jackpot.start = cents);
            }
            Term::RedealFee => {
                casino.redeal_fees.iter_mut().next_back().into_iter().for_each(|fee| *fee = cents)
            }
        }
        casino
    }

    /// Returns the round steps to try, cents.
    fn steps(self) -> &'static [i64] {
        match self {
            Term::PayPerCard | Term::StepPay(_) | Term::RedealFee => &[10, 50, 100, 500],
            _ => &[50, 100, 500],
        }
    }
}

impl fmt::Display for Term {
    /// Writes the key of the term in JSON, such as `deck_price` or `bonus_for_20_cards`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::DeckPrice => f.write_str("deck_price"),
            Term::PayPerCard => f.write_str("pay_per_card"),
            Term::WinBonus => f.write_str("win_bonus"),
            Term::StepPay(from) => write!(f, "pay_per_card_after_{from}"),
            Term::StepBonus(from) => write!(f, "bonus_for_{from}_cards"),
            Term::JackpotStart => f.write_str("jackpot_start"),
            Term::RedealFee => f.write_str("redeal_fee"),
        }
    }
}

impl Serialize for Term {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// A term at a certain amount, and the house edge there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Priced {
    /// The amount, cents.
    pub cents: i64,
    /// The edge, a fraction of the price of the deck.
    pub edge: Estimate,
}

/// A round amount next to the exact one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoundSum {
    /// The step of which it is a multiple, cents.
    pub step: i64,
    /// The amount, and the edge there.
    #[serde(flatten)]
    pub priced: Priced,
    /// Whether that edge is at least the target.
    pub holds: bool,
}

/// Value of one term that gives the target edge, with the others unchanged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    /// The exact value, cents; without finite limits if too little is known.
    pub exact: Estimate,
    /// Whole cents, rounded so that the edge is at least the target.
    pub rounded: Priced,
    /// Whole cents at which the lower limit of the edge is also at least the target: safe with a confidence of 97.5%.
    /// `None` if no amount is.
    pub safe: Option<Priced>,
    /// Round amounts nearby, ascending.
    pub round: Vec<RoundSum>,
}

/// Reason why a term cannot give the target edge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "reason")]
pub enum NoOffer {
    /// The deck costs nothing, so there is no edge.
    FreeDeck,
    /// A jackpot takes so large a share of every price that none leaves the target.
    JackpotTakesTooMuch,
    /// Nothing is ever paid, so the edge is 100% at any price.
    NothingPaid,
    /// No card ever came up, or no game was won, so the games do not determine the payment.
    NeverPaid {
        /// The highest whole cents at which the lower limit of the edge is also at least the target. `None`
        /// if no amount is.
        safe: Option<Priced>,
    },
    /// The value would have to be negative.
    Negative {
        /// The exact value.
        exact: Estimate,
    },
    /// The value would have to be less than a cent, which whole cents cannot express.
    TooLittle {
        /// The exact value.
        exact: Estimate,
    },
    /// The value would exceed the maximum of a ruleset.
    TooMuch {
        /// The exact value.
        exact: Estimate,
    },
}

/// Tolerance, so that rounding errors do not miss an edge that is met exactly.
const SLACK: f64 = 1e-12;
/// The same tolerance in cents.
const CENT_SLACK: f64 = 1e-6;

/// Returns the value of `term` for the house edge `target` (below 1), with the other terms those of `casino`, whose
/// stake is not bought in stages.
///
/// # Errors
/// The reason why no amount gives it.
pub fn offer(tally: &Tally, casino: &Casino, target: f64, term: Term) -> Result<Offer, NoOffer> {
    if casino.stake <= 0 && term != Term::DeckPrice {
        return Err(NoOffer::FreeDeck);
    }
    let exact = exact(tally, casino, target, term)?;
    let least = if term.may_be_fee() { -(MOST_CENTS as f64) } else { 0.0 };
    if exact.value < least - CENT_SLACK || (term == Term::DeckPrice && exact.value <= 0.0) {
        return Err(NoOffer::Negative { exact });
    }
    if exact.value > MOST_CENTS as f64 {
        return Err(NoOffer::TooMuch { exact });
    }
    let priced = |cents: i64| priced(tally, casino, term, cents);
    let holds = |it: &Priced, edge: fn(&Estimate) -> f64| edge(&it.edge) >= target - SLACK;
    let (away, outward): (i64, fn(f64) -> f64) = if term.raises_edge() {
        (1, |x| (x - CENT_SLACK).ceil())
    } else {
        (-1, |x| (x + CENT_SLACK).floor())
    };
    let first = |from: f64, edge: fn(&Estimate) -> f64| {
        let from = outward(from) as i64;
        // The first amount meets the target, apart from rounding errors.
        let sums = (0..100).map(|i| from + away * i).filter(|cents| term.may_be(*cents));
        sums.filter_map(priced).find(|it| holds(it, edge))
    };
    let Some(rounded) = first(exact.value, |edge| edge.value) else {
        return Err(NoOffer::TooLittle { exact });
    };
    let limit = if term.raises_edge() { exact.high } else { exact.low };
    let safe = if limit.is_finite() { first(limit, |edge| edge.low) } else { None };
    let mut round: Vec<RoundSum> = Vec::new();
    for &step in term.steps() {
        let below = (exact.value / step as f64).floor() as i64 * step;
        let near = [below, below + step].into_iter().filter(|&cents| term.may_be(cents));
        for it in near.filter_map(priced) {
            if round.iter().all(|known| known.priced.cents != it.cents) {
                round.push(RoundSum { step, priced: it, holds: holds(&it, |edge| edge.value) });
            }
        }
    }
    // If an amount is round in several ways, the largest step counts.
    for it in &mut round {
        it.step =
            term.steps().iter().copied().filter(|step| it.priced.cents % step == 0).max().unwrap_or(it.step);
    }
    round.sort_by_key(|it| it.priced.cents);
    Ok(Offer { exact, rounded, safe, round })
}

/// Returns the house edge with a term at an amount. `None` if the deck would be free.
pub fn priced(tally: &Tally, casino: &Casino, term: Term, cents: i64) -> Option<Priced> {
    let edge = House::new(tally, &term.set(casino, cents)).edge()?;
    Some(Priced { cents, edge })
}

/// One amount that meets the target against every one of several players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Common {
    /// The amount, cents.
    pub cents: i64,
    /// House edge for each player at that amount.
    pub edges: Vec<Estimate>,
    /// Index of the player who requires it.
    pub hardest: usize,
}

/// Returns the amount at which every player leaves the house the target edge, from the offers for each alone: the
/// highest price, the lowest payment. `None` if one of them has no offer.
pub fn common(
    tallies: &[Tally],
    casino: &Casino,
    term: Term,
    offers: &[Result<Offer, NoOffer>],
) -> Option<Common> {
    let sums: Option<Vec<i64>> =
        offers.iter().map(|offer| offer.as_ref().ok().map(|it| it.rounded.cents)).collect();
    let sums = sums?.into_iter().enumerate();
    let (hardest, cents) = match term.raises_edge() {
        true => sums.max_by_key(|&(player, cents)| (cents, std::cmp::Reverse(player))),
        false => sums.min_by_key(|&(player, cents)| (cents, player)),
    }?;
    let edges: Option<Vec<Estimate>> =
        tallies.iter().map(|tally| priced(tally, casino, term, cents).map(|it| it.edge)).collect();
    Some(Common { cents, edges: edges?, hardest })
}

/// Returns the distance of an edge from a target; its limits are the least and the greatest distance within the
/// edge's limits.
pub fn distance(edge: Estimate, target: f64) -> Estimate {
    let [value, low, high] = [edge.value, edge.low, edge.high].map(|edge| (edge - target).abs());
    let within = edge.low <= target && target <= edge.high;
    Estimate { value, low: if within { 0.0 } else { low.min(high) }, high: low.max(high) }
}

/// Returns the amount that gives exactly the target edge, with its limits.
fn exact(tally: &Tally, casino: &Casino, target: f64, term: Term) -> Result<Estimate, NoOffer> {
    if term == Term::DeckPrice {
        let price = House::new(tally, casino).price_for_edge(target).ok_or(NoOffer::JackpotTakesTooMuch)?;
        return if price.value != 0.0 { Ok(price) } else { Err(NoOffer::NothingPaid) };
    }
    let all = tally.histogram().len() - 1;
    let others = term.set(casino, 0);
    let left = casino.stake as f64 * (1.0 - target);
    // Payments are linear in the term: the payment of a game, minus the fees, without the term, and with a cent of
    // it.
    let once = term.set(&others, 1);
    let net = |casino: &Casino, cards: usize, redeals: u32| {
        payout(casino, cards, all) - casino.redeal_fees(redeals)
    };
    // By cards and redeals, the amount left for the term, `left` minus what the other terms pay; and how often the
    // term is paid. A term that raises the edge is charged instead, and covers the excess of the others.
    let sign = if term.raises_edge() { -1.0 } else { 1.0 };
    let pair = |cards: usize, redeals: u32| {
        let without = net(&others, cards, redeals);
        (sign * (left - without as f64), sign * (net(&once, cards, redeals) - without) as f64)
    };
    let most = tally.most_redeals();
    let possible: Vec<(f64, f64)> = (0..=all)
        .flat_map(|cards| (0..=most).map(move |redeals| (cards, redeals)))
        .map(|(c, r)| pair(c, r))
        .collect();
    let of = |moved: Option<&dyn Fn(usize, u32) -> (usize, u32)>| {
        let games = tally.alike().into_iter().flat_map(|(cards, redeals, alike)| {
            let open = if moved.is_some() { alike.undecided } else { 0 };
            let (x, y) = pair(cards, redeals);
            let (to_cards, to_redeals) = moved.map_or((cards, redeals), |to| to(cards, redeals));
            let (open_x, open_y) = pair(to_cards, to_redeals);
            [(x, y, alike.games.saturating_sub(open)), (open_x, open_y, open)]
        });
        Ratio { games: games.filter(|(_, _, games)| *games > 0).collect(), possible: &possible }
    };
    let stood = of(None);
    let Some(seen) = stood.estimate_at(TAIL) else {
        return Err(NoOffer::NeverPaid { safe: most_safe(tally, casino, target, term) });
    };
    if tally.undecided().iter().all(|&games| games == 0) {
        return Ok(seen);
    }
    // Undecided games at the fewest and the most cards still possible.
    let fewest = |cards: usize, _: u32| (tally.least_cards(cards), most);
    let limits = [of(Some(&fewest)), of(Some(&|_, redeals| (all, redeals)))];
    let limits = limits.iter().filter_map(|ratio| ratio.estimate_at(TAIL));
    Ok(limits.fold(seen, |sum, e| Estimate { low: sum.low.min(e.low), high: sum.high.max(e.high), ..sum }))
}

/// Returns the greatest payment, in whole cents, at which the lower limit of the edge is also at least `target`.
fn most_safe(tally: &Tally, casino: &Casino, target: f64, term: Term) -> Option<Priced> {
    let at = |cents: i64| priced(tally, casino, term, cents).filter(|it| it.edge.low >= target - SLACK);
    // A higher payment lowers the edge.
    let (mut safe, mut too_much) = (0, MOST_CENTS + 1);
    while too_much - safe > 1 {
        let middle = safe + (too_much - safe) / 2;
        if at(middle).is_some() { safe = middle } else { too_much = middle }
    }
    if safe > 0 { at(safe) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::End;
    use crate::rules::{Jackpot, PayStep, Spec, WonBy};
    use crate::stats::Sample;
    use crate::stats::testing::{self, by_cards, casino, close};

    fn tally(games: &[(u16, u64)], open: &[(u16, u64)]) -> Tally {
        let mut tally = by_cards(&Spec::default(), games);
        open.iter().for_each(|&(cards, times)| tally.add_many(&testing::game(End::Runaway, cards), times));
        tally
    }

    const GAMES: [(u16, u64); 4] = [(5, 40), (11, 30), (20, 20), (52, 10)];

    /// Mean cards 14.5, a win in ten: by hand 7250 / 0.95, 4940 / 14.5 and (4940 - 4350) / 0.1. The limits of
    /// the payment for a card are those of the mean cards, inverted.
    #[test]
    fn terms_agree_with_those_found_by_hand() {
        let games = tally(&GAMES, &[]);
        let price = offer(&games, &casino(5200, 500, 0), 0.05, Term::DeckPrice).unwrap();
        close(price.exact.value, 7250.0 / 0.95, 1e-9);
        assert_eq!(price.rounded.cents, 7632);
        let pay = offer(&games, &casino(5200, 500, 0), 0.05, Term::PayPerCard).unwrap();
        close(pay.exact.value, 4940.0 / 14.5, 1e-9);
        let cards = Sample::of(GAMES.map(|(cards, n)| (f64::from(cards), n))).limits(0.0, 52.0);
        close(pay.exact.low, 4940.0 / cards.1, 1e-6);
        close(pay.exact.high, 4940.0 / cards.0, 1e-6);
        assert_eq!(pay.rounded.cents, 340);
        let bonus = offer(&games, &casino(5200, 300, 0), 0.05, Term::WinBonus).unwrap();
        close(bonus.exact.value, 5900.0, 1e-9);
    }

    #[test]
    fn the_edge_holds_in_whole_cents_and_not_one_cent_further() {
        // A casino with every kind of pay.
        let steps = [(8, Some(700), 1_000), (12, None, -250)];
        let steps = steps.map(|(from, pays_per_card, bonus)| PayStep { from, pays_per_card, bonus }).into();
        let jackpot = Some(Jackpot { start: 20_000, share: 15, won_by: WonBy::Cards(25) });
        let all = Casino { steps, redeal_fees: vec![25], jackpot, ..casino(5200, 300, 10_000) };
        let mut cases = vec![
            (casino(5200, 500, 700), Term::DeckPrice),
            (casino(5200, 500, 700), Term::PayPerCard),
            (casino(7177, 301, 0), Term::WinBonus),
        ];
        cases.extend(Term::all(&all).into_iter().map(|term| (all.clone(), term)));
        let spec = Spec { casino: all, ..Spec::default() };
        let games = by_cards(&spec, &GAMES.map(|(cards, n)| (cards, 50 * n)));
        let mut found = 0;
        for target in [-0.31f64, 0.0, 0.02, 0.05, 0.0731, 0.2] {
            for (casino, term) in &cases {
                let Ok(offer) = offer(&games, casino, target, *term) else { continue };
                found += 1;
                assert!(offer.rounded.edge.value >= target - 1e-12, "{term:?} {target}");
                // A price that grows by 67 cents moves the meter by one.
                let step = match (term, &casino.jackpot) {
                    (Term::DeckPrice, Some(_)) => 67,
                    _ => 1,
                };
                let edge = |cents: i64| {
                    let better = if term.raises_edge() { cents - step } else { cents + step };
                    priced(&games, casino, *term, better).unwrap().edge
                };
                assert!(edge(offer.rounded.cents).value < target, "{term:?} {target}");
                let Some(safe) = offer.safe else { continue };
                assert!(safe.edge.low >= target - 1e-12, "{term:?} {target}");
                assert!(edge(safe.cents).low < target, "{term:?} {target}");
            }
        }
        assert!(cases.len() == 11 && found > 40, "{found} offers");
        // An edge that whole cents give exactly is not missed by a cent: 7250 / (1 - 0.275) is 10000.
        let exact = offer(&tally(&GAMES, &[]), &casino(5200, 500, 0), 0.275, Term::DeckPrice).unwrap();
        assert_eq!(exact.rounded.cents, 10_000);
    }

    #[test]
    fn what_a_step_brings_may_be_a_fee() {
        let games = tally(&GAMES, &[]);
        let steps = vec![PayStep { from: 11, pays_per_card: Some(500), bonus: -300 }];
        let casino = Casino { steps, ..casino(5200, 500, 0) };
        // Cards are paid $72.50 a deck, but 5% of $52 leave $49.40, an excess of $23.10; six games in ten reach 11 cards.
        // There are 0.2 * 9 + 0.1 * 41 = 5.9 cards beyond 11 per game.
        let bonus = offer(&games, &casino, 0.05, Term::StepBonus(11)).unwrap();
        close(bonus.exact.value, -2310.0 / 0.6, 1e-6);
        assert_eq!(bonus.rounded.cents, -3850);
        assert!(bonus.rounded.edge.value >= 0.05 - 1e-9 && bonus.exact.low < bonus.exact.value);
        let pay = offer(&games, &casino, 0.05, Term::StepPay(11)).unwrap();
        close(pay.exact.value, 500.0 - (2310.0 - 180.0) / 5.9, 1e-6);
        let low = offer(&games, &casino, 0.8, Term::StepPay(11)).unwrap();
        assert!(low.exact.value < 0.0 && low.rounded.edge.value >= 0.8 - 1e-9, "{low:?}");
        assert!(low.round.iter().all(|it| it.priced.cents < 500), "{low:?}");
    }

    #[test]
    fn where_no_sum_gives_the_edge_it_is_said() {
        let games = tally(&GAMES, &[]);
        let none = |games: &Tally, casino: Casino, term| offer(games, &casino, 0.05, term).unwrap_err();
        // Cards alone are paid $72.50 on average, but 5% of $52 leave $49.40, so the tenth that wins would have to pay
        // $231.
        let NoOffer::Negative { exact } = none(&games, casino(5200, 500, 0), Term::WinBonus) else {
            panic!()
        };
        close(exact.value, -23_100.0, 1e-6);
        assert!(exact.low < exact.value && exact.value < exact.high);
        let dear = casino(5200, 500, 100_000);
        assert!(matches!(none(&games, dear, Term::PayPerCard), NoOffer::Negative { .. }));
        // Beyond 5 cards each costs $2, so the player pays on average, and the deck has no price.
        let steps = vec![PayStep { from: 5, pays_per_card: Some(-200), bonus: 0 }];
        let costly = Casino { steps, ..casino(500, 0, 0) };
        assert!(
            matches!(none(&games, costly, Term::DeckPrice), NoOffer::Negative { exact } if exact.value < 0.0)
        );
        assert_eq!(none(&games, casino(0, 500, 0), Term::PayPerCard), NoOffer::FreeDeck);
        assert_eq!(none(&games, casino(5200, 0, 0), Term::DeckPrice), NoOffer::NothingPaid);
        let mut shared = casino(5200, 500, 0);
        shared.jackpot = Some(Jackpot { start: 0, share: 960, won_by: WonBy::Win });
        assert_eq!(none(&games, shared, Term::DeckPrice), NoOffer::JackpotTakesTooMuch);
        let lost = tally(&[(5, 400), (9, 30)], &[]);
        // No observed win does not make every bonus safe: 3.69 wins in this many games are not excluded.
        let NoOffer::NeverPaid { safe: Some(safe) } = none(&lost, casino(5200, 500, 0), Term::WinBonus)
        else {
            panic!("wins may come");
        };
        assert!(safe.edge.low >= 0.05 && safe.edge.low < 0.051, "{safe:?}");
        let dear = casino(1_000_000_000_000, 0, 0);
        assert!(matches!(none(&games, dear, Term::WinBonus), NoOffer::TooMuch { .. }));
        // A price can be computed even for a free deck.
        close(
            offer(&games, &casino(0, 500, 0), 0.05, Term::DeckPrice).unwrap().exact.value,
            7250.0 / 0.95,
            1e-9,
        );
    }

    #[test]
    fn undecided_games_count_both_ways() {
        let terms = casino(5200, 300, 0);
        let exact = |open: &[(u16, u64)], sure: &[(u16, u64)]| {
            let games: Vec<_> = GAMES.iter().chain(sure).copied().collect();
            offer(&tally(&games, open), &terms, 0.05, Term::PayPerCard).unwrap().exact
        };
        let open = exact(&[(20, 30)], &[]);
        close(open.value, exact(&[], &[(20, 30)]).value, 1e-9);
        close(open.low, exact(&[], &[(52, 30)]).low, 1e-9);
        close(open.high, exact(&[], &[(20, 30)]).high, 1e-9);
    }

    #[test]
    fn round_sums_stand_on_either_side() {
        let offer = offer(&tally(&GAMES, &[]), &casino(5200, 500, 0), 0.05, Term::DeckPrice).unwrap();
        let told: Vec<_> = offer.round.iter().map(|it| (it.priced.cents, it.step, it.holds)).collect();
        assert_eq!(
            told,
            [(7500, 500, false), (7600, 100, false), (7650, 50, true), (7700, 100, true), (8000, 500, true)]
        );
    }

    #[test]
    fn a_common_sum_holds_against_the_hardest() {
        let tallies = [tally(&GAMES, &[]), tally(&[(20, 50), (52, 50)], &[]), tally(&[(7, 100)], &[])];
        let terms = casino(5200, 500, 0);
        for term in [Term::DeckPrice, Term::PayPerCard] {
            let offers: Vec<_> = tallies.iter().map(|it| offer(it, &terms, 0.05, term)).collect();
            let common = common(&tallies, &terms, term, &offers).unwrap();
            assert_eq!(common.hardest, 1);
            assert!(common.edges.iter().all(|edge| edge.value >= 0.05 - 1e-12));
            assert_eq!(common.cents, offers[1].as_ref().unwrap().rounded.cents);
        }
        let offers: Vec<_> = tallies.iter().map(|it| offer(it, &terms, 0.05, Term::WinBonus)).collect();
        assert_eq!(super::common(&tallies, &terms, Term::WinBonus, &offers), None);
    }

    #[test]
    fn distances_know_no_sign() {
        let e = |value, low, high| Estimate { value, low, high };
        let told = |edge: Estimate| {
            let d = distance(edge, 0.05);
            [d.value, d.low, d.high].map(|x| (x * 1000.0).round())
        };
        assert_eq!(told(e(0.08, 0.07, 0.1)), [30.0, 20.0, 50.0]);
        assert_eq!(told(e(0.01, -0.01, 0.02)), [40.0, 30.0, 60.0]);
        assert_eq!(told(e(0.04, 0.03, 0.08)), [10.0, 0.0, 30.0]);
    }
}
