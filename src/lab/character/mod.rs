//! The character of a game: how long it takes, what there is to decide, what luck and skill make of it, how long there is
//! hope, and which rule matters most. All players play the same deals, and every figure is a mean over deals.

mod deal;

use serde::Serialize;

use super::blocks::{Stopped, or_missing};
use super::pace::{MoveCounts, Pace};
use super::solve::solvable;
use crate::rules::{Change, Loaded, Spec, neighbours, vary};
use crate::stats::{
    Bounded, ClairvoyantBounds, Distribution, Estimate, GainOfPlayer, Measure, TAIL, VarianceShares,
    Winnable, best_payouts, bounded_mean, mean_from_0, payout_range, rate, share_of_possible,
};
pub use deal::{CharacterError, Characterizing, JUDGE};
use deal::{Deal, Examined, Loss, Play, Verdicts};

/// Least number of deals: limits of a 10% quantile need some 40.
pub const LEAST_DEALS: u64 = 50;

/// Plays and examines the deals of every ruleset; `told` receives the index of a ruleset and the number of its deals
/// played, those of the changed rules after the others. The result is the same on any number of threads. Once `stop` is
/// set, only the deals before the first unfinished one count.
///
/// # Errors
/// The first error of a strategy.
pub fn characterize(
    asked: &Characterizing<'_>,
    told: &mut dyn FnMut(usize, u64),
) -> Result<Characters, CharacterError> {
    let name = |player: usize| asked.players.get(player).map_or(String::new(), |it| it.0.into());
    let mut found = Characters {
        deals: asked.deals,
        judged_deals: asked.judged.min(asked.deals),
        matter: asked.matter,
        nodes: asked.nodes,
        pace: asked.pace,
        beginner: name(asked.beginner),
        examined: name(asked.examined),
        rulesets: Vec::new(),
        interrupted: false,
    };
    let searches = asked.players.last().is_some_and(|(_, make)| make.instantiate().is_slow());
    let mut missing = false;
    for (i, &(named, loaded)) in asked.rules.iter().enumerate() {
        let rules = Examined { asked, named, loaded, searches, workers: asked.workers.part(i as u64) };
        let mut deals = Vec::new();
        let played = rules.play(&mut |deal| {
            deals.push(deal);
            told(i, deals.len() as u64);
        });
        let played = or_missing(played, &mut missing)?;
        // The rules changed by one step that make a valid ruleset.
        let steps = neighbours(loaded.rules.spec()).into_iter();
        let changed: Vec<(Change, Loaded)> =
            steps.filter_map(|change| Some((change.clone(), vary(loaded, &[change]).ok()?))).collect();
        let mut effects = vec![Vec::new(); changed.len() + 1];
        let rules_played = rules.play_changed(&changed, &mut |deal| {
            effects.iter_mut().zip(deal).for_each(|(all, games)| all.push(games));
            told(i, asked.deals + effects[0].len() as u64);
        });
        let rules_played = or_missing(rules_played, &mut missing)?;
        if played.is_none() || rules_played.is_none() {
            continue;
        }
        found.interrupted |= (deals.len() as u64) < asked.deals || (effects[0].len() as u64) < asked.deals;
        if deals.len() as u64 >= LEAST_DEALS {
            found.rulesets.push(rules.character(&deals, &changed, &effects));
        }
        if asked.workers.stopped() {
            found.interrupted |= i + 1 < asked.rules.len();
            break;
        }
    }
    if missing { Err(Stopped::Missing) } else { Ok(found) }
}

/// The character of some rulesets.
#[derive(Clone, Debug, Serialize)]
pub struct Characters {
    /// Number of deals requested.
    #[serde(rename = "games")]
    pub deals: u64,
    /// Number of these on which decisions are judged.
    pub judged_deals: u64,
    /// Least difference between the best and the second move of a real decision, cards.
    pub matter: f64,
    /// Maximum number of positions that the solver expands for a position.
    pub nodes: u64,
    /// Milliseconds for each part of a game.
    pub pace: Pace,
    /// The player from which skill is measured.
    pub beginner: String,
    /// The player whose decisions and losses are examined.
    pub examined: String,
    /// The rulesets.
    pub rulesets: Vec<Character>,
    /// Whether the run was stopped before it was complete.
    #[serde(skip)]
    pub interrupted: bool,
}

/// The character of a ruleset.
#[derive(Clone, Debug, Serialize)]
pub struct Character {
    /// Its name on the shelf, or that of its file.
    pub id: String,
    /// Its title.
    pub name: String,
    /// Number of deals played.
    pub deals: u64,
    /// The players, weakest first.
    pub players: Vec<PlayerCharacter>,
    /// The player who knows every card; `None` if the rules leave something to chance within the game.
    pub clairvoyant: Option<ClairvoyantCharacter>,
    /// Why there is no such player.
    pub unsolved: Option<String>,
    /// Shares of the variance, by measure.
    pub variance: ByMeasure<VarianceShares>,
    /// Relative skill: what the best player gains over the beginner, as a share of what the clairvoyant player gains over
    /// the beginner.
    pub skill: ByMeasure<Bounded>,
    /// What each ability gains, in cards; those of knowledge only if the best player searches.
    pub abilities: Vec<Ability>,
    /// Decisions of the examined player, as search judges them; `None` if it had no choice.
    pub judged: Option<Judged>,
    /// Hope of the examined player; `None` if the rules leave something to chance within the game.
    pub hope: Option<Hope>,
    /// The rules, each changed by one step, the one that changes the wins of the examined player most first.
    pub changes: Vec<RuleEffect>,
    /// The ruleset.
    #[serde(skip)]
    pub spec: Spec,
    /// Minutes of each game of the examined player.
    #[serde(skip)]
    pub minutes: Vec<f64>,
}

/// A figure by cards, by wins and by the player's net; `None` where it does not exist.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct ByMeasure<T> {
    /// By cards.
    pub cards: Option<T>,
    /// By wins.
    pub wins: Option<T>,
    /// By money.
    pub money: Option<T>,
}

impl<T> ByMeasure<T> {
    fn of(of: impl Fn(Measure) -> Option<T>) -> ByMeasure<T> {
        ByMeasure { cards: of(Measure::Cards), wins: of(Measure::Wins), money: of(Measure::Money) }
    }
}

/// A player's games.
#[derive(Clone, Debug, Serialize)]
pub struct PlayerCharacter {
    /// The strategy: its shelf name or the path of its script.
    pub strategy: String,
    /// Share of games won.
    pub wins: Estimate,
    /// Mean cards.
    pub cards: Estimate,
    /// Mean net of the player, cents.
    pub net: Estimate,
    /// Moves of a game.
    pub moves: Distribution,
    /// Draws of a game.
    pub draws: Distribution,
    /// Passes through the stock in a game.
    pub passes: Distribution,
    /// Minutes of a game.
    pub minutes: Distribution,
    /// Share of a game's positions that have two or more different moves (decision moves).
    pub choices: Estimate,
    /// Different moves in a position of a game (branching factor).
    pub branching: Estimate,
    /// Longest forced stretch of a game: moves in a row without a choice.
    pub forced: Distribution,
}

/// Games of the player who knows every card. Deals that the solver left open count both ways.
#[derive(Clone, Debug, Serialize)]
pub struct ClairvoyantCharacter {
    /// Winnable deals.
    pub winnable: Winnable,
    /// Mean of the most cards.
    pub cards: Bounded,
    /// Mean net of the player, cents; `None` if the stake is bought in stages or redeals cost a fee, which the solver leaves
    /// out.
    pub net: Option<Bounded>,
}

/// What an ability gains.
#[derive(Clone, Debug, Serialize)]
pub struct Ability {
    /// The ability.
    pub ability: String,
    /// The player without it.
    pub without: String,
    /// The player with it.
    pub with: String,
    /// Mean gain, cards.
    pub cards: Estimate,
    /// The gain as a share of the gap between the beginner and the clairvoyant player.
    pub share: Option<Bounded>,
}

/// Decisions as a searching player judges them.
#[derive(Clone, Debug, Serialize)]
pub struct Judged {
    /// Number of games.
    pub games: u64,
    /// Number of positions with two or more different moves.
    pub choices: u64,
    /// Mean share of a game's choices that are real decisions.
    pub real: Estimate,
    /// Mean number of real decisions in a game.
    pub real_in_game: Estimate,
}

/// How long there is hope.
#[derive(Clone, Debug, Serialize)]
pub struct Hope {
    /// Share of deals that nobody can win.
    pub lost_from_deal: Bounded,
    /// Number of lost games whose deal can be won.
    pub lost_games: u64,
    /// Number of these in which the solver left open when the game was lost.
    pub open: u64,
    /// Share of these games that could still be won at their end.
    pub winnable_at_end: Option<Bounded>,
    /// The last position from which the game could still be won, as a share of its length.
    pub lost_at: Option<Bounded>,
    /// Mean number of moves played after the game was lost.
    pub moves_after: Option<Estimate>,
    /// Mean number of minutes played after the game was lost.
    pub minutes_after: Option<Estimate>,
    /// Share of these games in which only one move would still have won at the decision that lost them.
    pub one_move: Option<Bounded>,
    /// Number of won games.
    pub won_games: u64,
    /// Share of these that were close calls: at some choice, only the move that was played could still win.
    pub close_calls: Option<Bounded>,
}

/// Effect of one changed rule on the figures, changed minus original, with joint confidence for all changes.
#[derive(Clone, Debug, Serialize)]
pub struct RuleEffect {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// Share of games won by the examined player.
    pub wins: Estimate,
    /// Mean cards of the examined player.
    pub cards: Estimate,
    /// Mean net of the examined player, cents.
    pub net: Estimate,
    /// Mean minutes of a game of the examined player.
    pub minutes: Estimate,
    /// Share of positions with a choice.
    pub choices: Estimate,
    /// Gain of the examined player over the beginner, cards.
    pub skill: Estimate,
}

impl Examined<'_> {
    /// Computes the figures.
    pub fn character(
        &self,
        deals: &[Deal],
        changed: &[(Change, Loaded)],
        effects: &[Vec<[Play; 2]>],
    ) -> Character {
        let (asked, spec) = (self.asked, self.loaded.rules.spec());
        let player = |i: usize| deals.iter().map(move |deal| &deal.games[i][0]);
        let bounds = self.bounds(deals);
        let clairvoyant = bounds.as_ref().map(|bounds| {
            let most = bounds.most_cards(spec);
            let net = most.net.filter(|_| !spec.casino.has_redeal_fees());
            ClairvoyantCharacter { winnable: bounds.winnable(), cards: most.cards, net }
        });
        let players = asked.players.iter().enumerate();
        let players = players.map(|(i, (name, _))| self.player(name, player(i).copied().collect())).collect();
        let shares = |measure| {
            let games = |deal: &Deal| deal.games.iter().map(|pair| pair.map(|it| it.by(measure))).collect();
            VarianceShares::of(&deals.iter().map(games).collect::<Vec<_>>())
        };
        let best = asked.players.len() - 1;
        let skill = |measure| {
            let share = self.share(deals, measure, |deal| {
                deal.games[best][0].by(measure) - deal.games[asked.beginner][0].by(measure)
            })?;
            // Nobody gains more than a player who knows every card.
            Some(Bounded { most: share.most.min(1.0), high: share.high.min(1.0), ..share })
        };
        Character {
            id: self.loaded.id.clone(),
            name: spec.name.clone(),
            deals: deals.len() as u64,
            players,
            clairvoyant,
            unsolved: solvable(&self.loaded.rules).err().map(|it| it.to_string()),
            variance: ByMeasure::of(shares),
            skill: ByMeasure::of(skill),
            abilities: self.abilities(deals),
            judged: judged(deals),
            hope: bounds.map(|bounds| hope(deals, &bounds, &asked.pace)),
            changes: self.effects(changed, effects),
            spec: spec.clone(),
            minutes: player(asked.examined).map(|it| asked.pace.minutes(&it.counts)).collect(),
        }
    }

    fn bounds(&self, deals: &[Deal]) -> Option<ClairvoyantBounds> {
        let mut bounds = ClairvoyantBounds::new(self.loaded.rules.hot.cards, 1);
        deals.iter().try_for_each(|deal| deal.bound.map(|bound| bounds.push(bound)))?;
        Some(bounds)
    }

    fn player(&self, name: &str, games: Vec<Play>) -> PlayerCharacter {
        let spec = self.loaded.rules.spec();
        let n = games.len() as u64;
        let each = |of: fn(&Play) -> f64| games.iter().map(of).collect::<Vec<f64>>();
        let minutes = games.iter().map(|it| self.asked.pace.minutes(&it.counts)).collect();
        PlayerCharacter {
            strategy: name.into(),
            wins: rate(games.iter().filter(|it| it.won).count() as u64, 0, n),
            cards: bounded_mean(each(|it| it.cards.into()), (0.0, spec.cards() as f64), TAIL),
            net: bounded_mean(each(|it| it.net as f64), self.nets(), TAIL),
            moves: Distribution::of(each(|it| it.counts.moves().into())),
            draws: Distribution::of(each(|it| it.counts.draws.into())),
            passes: Distribution::of(each(|it| it.passes.into())),
            minutes: Distribution::of(minutes),
            choices: bounded_mean(each(|it| it.decisions.share()), (0.0, 1.0), TAIL),
            branching: mean_from_0(&each(|it| it.decisions.branching())),
            forced: Distribution::of(each(|it| it.decisions.forced.into())),
        }
    }

    /// Returns the least and the greatest net of a game, without what redeals and stages cost.
    fn nets(&self) -> (f64, f64) {
        let spec = self.loaded.rules.spec();
        let (least, most) = payout_range(&spec.casino, 0, spec.cards());
        ((least - spec.casino.stake) as f64, (most - spec.casino.stake) as f64)
    }

    /// Returns a mean gain as a share of the gap between the beginner and the clairvoyant player.
    fn share(&self, deals: &[Deal], measure: Measure, gain: impl Fn(&Deal) -> f64) -> Option<Bounded> {
        let spec = self.loaded.rules.spec();
        let all = spec.cards();
        if measure == Measure::Money && (spec.casino.is_staged() || spec.casino.has_redeal_fees()) {
            return None;
        }
        let paid = best_payouts(&spec.casino, all);
        let worth = |cards: u16, won: bool| match measure {
            Measure::Cards => cards.into(),
            Measure::Wins => f64::from(u8::from(won)),
            Measure::Money => (paid.get(usize::from(cards)).copied().unwrap_or(0) - spec.casino.stake) as f64,
        };
        let reach = match measure {
            Measure::Cards => all as f64,
            Measure::Wins => 1.0,
            Measure::Money => {
                let (least, most) = payout_range(&spec.casino, 0, all);
                (most - least) as f64
            }
        };
        let games = deals.iter().map(|deal| {
            let bound = deal.bound?;
            let first = deal.games[self.asked.beginner][0].by(measure);
            let least = worth(bound.least, bound.winnable == Some(true));
            let most = worth(bound.most, bound.winnable != Some(false));
            Some((gain(deal), (least - first, most - first)))
        });
        share_of_possible(&games.collect::<Option<Vec<GainOfPlayer>>>()?, reach)
    }

    fn abilities(&self, deals: &[Deal]) -> Vec<Ability> {
        let names: Vec<&str> = self.asked.players.iter().map(|(name, _)| *name).collect();
        let best = names.len() - 1;
        let range = self.loaded.rules.spec().cards() as f64;
        let played = |i: usize| move |deal: &Deal| f64::from(deal.games[i][0].cards);
        let given = |i: usize| move |deal: &Deal| f64::from(deal.knowing[i].cards);
        let ability =
            |ability: &str, (without, with): (String, String), gain: &dyn Fn(&Deal) -> f64| Ability {
                ability: ability.into(),
                without,
                with,
                cards: bounded_mean(deals.iter().map(gain), (-range, range), TAIL),
                share: self.share(deals, Measure::Cards, gain),
            };
        let forgetful = format!("{}, forgetful", names[best]);
        let mut found = Vec::new();
        let habits = if self.searches { best } else { best + 1 };
        for i in 1..habits {
            let (before, after) = (played(i - 1), played(i));
            let pair = (names[i - 1].into(), names[i].into());
            let gain = ability("better habits", pair, &|deal| after(deal) - before(deal));
            // The gap begins at the beginner.
            let share = gain.share.filter(|_| i > self.asked.beginner);
            found.push(Ability { share, ..gain });
        }
        if !self.searches {
            return found;
        }
        let (below, top) = (played(best.saturating_sub(1)), played(best));
        let pair = (names[best.saturating_sub(1)].into(), forgetful.clone());
        found.push(ability("planning, without memory", pair, &|deal| given(0)(deal) - below(deal)));
        let pair = (forgetful, names[best].into());
        found.push(ability("memory of the stock, for one who plans", pair, &|deal| {
            top(deal) - given(0)(deal)
        }));
        for (i, what) in [(1, "knowing the stock"), (2, "knowing the reserve and the hidden cards")] {
            let pair = (names[best].into(), format!("{}, {what}", names[best]));
            found.push(ability(what, pair, &|deal| given(i)(deal) - top(deal)));
        }
        found
    }

    fn effects(&self, changed: &[(Change, Loaded)], played: &[Vec<[Play; 2]>]) -> Vec<RuleEffect> {
        let Some((before, after)) = played.split_first().filter(|(before, _)| !before.is_empty()) else {
            return Vec::new();
        };
        let tail = TAIL / after.len().max(1) as f64;
        let effect = |((change, loaded), after): (&(Change, Loaded), &Vec<[Play; 2]>)| {
            let reach = loaded.rules.hot.cards.max(self.loaded.rules.hot.cards) as f64;
            let difference = |of: &dyn Fn(&[Play; 2]) -> f64| -> Vec<f64> {
                after.iter().zip(before).map(|(after, before)| of(after) - of(before)).collect()
            };
            let within = |reach: f64, of: &dyn Fn(&[Play; 2]) -> f64| {
                bounded_mean(difference(of), (-reach, reach), tail)
            };
            let (least, most) = self.nets();
            let minutes = |[_, it]: &[Play; 2]| self.asked.pace.minutes(&it.counts);
            let longest = after.iter().chain(before).map(minutes).fold(0.0, f64::max);
            RuleEffect {
                change: change.clone(),
                wins: within(1.0, &|[_, it]| it.by(Measure::Wins)),
                cards: within(reach, &|[_, it]| it.by(Measure::Cards)),
                net: within(most - least, &|[_, it]| it.by(Measure::Money)),
                minutes: within(longest, &minutes),
                choices: within(1.0, &|[_, it]| it.decisions.share()),
                skill: within(reach, &|[first, it]| it.by(Measure::Cards) - first.by(Measure::Cards)),
            }
        };
        let mut effects: Vec<RuleEffect> = changed.iter().zip(after).map(effect).collect();
        effects.sort_by(|a, b| b.wins.value.abs().total_cmp(&a.wins.value.abs()));
        effects
    }
}

fn judged(deals: &[Deal]) -> Option<Judged> {
    let games: Vec<Verdicts> =
        deals.iter().filter_map(|deal| deal.judged).filter(|it| it.choices > 0).collect();
    let real: Vec<f64> = games.iter().map(|it| f64::from(it.real)).collect();
    let shares = games.iter().map(|it| f64::from(it.real) / f64::from(it.choices));
    (!games.is_empty()).then(|| Judged {
        games: games.len() as u64,
        choices: games.iter().map(|it| u64::from(it.choices)).sum(),
        real: bounded_mean(shares, (0.0, 1.0), TAIL),
        real_in_game: mean_from_0(&real),
    })
}

fn hope(deals: &[Deal], bounds: &ClairvoyantBounds, pace: &Pace) -> Hope {
    let losses: Vec<Loss> = deals.iter().filter_map(|deal| deal.loss).collect();
    let n = losses.len() as u64;
    let count = |of: &dyn Fn(&Loss) -> bool| losses.iter().filter(|it| of(it)).count() as u64;
    let winnable = bounds.winnable();
    let known: Vec<&Loss> = losses.iter().filter(|it| it.lost == Some(it.winnable + 1)).collect();
    let place = |it: &Loss| {
        let share = |at: u32| f64::from(at) / f64::from(it.moves.max(1));
        let last = it.lost.map_or(it.moves, |lost| lost.saturating_sub(1));
        (share(if it.to_the_end { it.moves } else { it.winnable }), share(last))
    };
    let mean = |of: &dyn Fn(&Loss) -> f64| {
        let numbers: Vec<f64> = known.iter().map(|it| of(it)).collect();
        (numbers.len() > 1).then(|| mean_from_0(&numbers))
    };
    let at_end = count(&|it| it.to_the_end);
    let unsure = count(&|it| it.lost.is_none()) - at_end;
    let single = count(&|it| it.one_move == Some(true));
    let several = count(&|it| it.one_move == Some(false));
    let won: Vec<Option<bool>> = deals.iter().filter_map(|deal| deal.won_closely).collect();
    let closely = |how| won.iter().filter(|it| **it == how).count() as u64;
    Hope {
        lost_from_deal: Bounded::rate(winnable.lost, winnable.unknown, winnable.answers),
        lost_games: n,
        open: n - known.len() as u64 - at_end,
        winnable_at_end: (n > 0).then(|| Bounded::rate(at_end, unsure, n)),
        lost_at: (n > 0).then(|| Bounded::mean(losses.iter().map(place), (0.0, 1.0))),
        moves_after: mean(&|it| f64::from(it.after.moves())),
        minutes_after: mean(&|it| pace.minutes(&it.after) - pace.minutes(&MoveCounts::default())),
        won_games: won.len() as u64,
        close_calls: (!won.is_empty())
            .then(|| Bounded::rate(closely(Some(true)), closely(None), won.len() as u64)),
        one_move: (n > at_end).then(|| Bounded::rate(single, n - at_end - single - several, n - at_end)),
    }
}
