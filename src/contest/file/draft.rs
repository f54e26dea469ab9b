//! The raw values of a contest's files, before validation.

use crate::contest::spec::*;
use crate::rules;
use crate::rules::file::At;
use crate::strategy::StrategySource;

/// A validated contest, with what it refers to.
pub(in crate::contest) struct Whole {
    pub spec: ContestSpec,
    /// Whether `players = n` is used, not `[[player]]`.
    pub equal: bool,
    pub rules: rules::Loaded,
    pub strategies: Vec<StrategySource>,
}

/// The keys of a contest as written; `None` if no file gives them.
#[derive(Default)]
pub(in crate::contest) struct Draft {
    pub name: String,
    pub also: Vec<String>,
    pub about: String,
    pub source: String,
    pub rules: String,
    pub foundations: Option<Foundations>,
    pub score: Option<String>,
    pub deal_ends: Option<DealEnd>,
    /// `players = n`
    pub players: usize,
    pub deals: u32,
    pub target: i64,
    pub max_rounds: Option<u32>,
    pub gather: Option<u32>,
    pub speed: Option<u32>,
    pub jitter: Option<u32>,
    /// `[[player]]`
    pub seats: Vec<DraftSeat>,
}

/// A `[[player]]` as written.
#[derive(Default)]
pub(in crate::contest) struct DraftSeat {
    pub name: Option<String>,
    pub strategy: At<Option<String>>,
    pub speed: Option<u32>,
    pub jitter: Option<u32>,
    pub team: At<Option<String>>,
    pub count: Option<usize>,
}

impl From<&ContestSpec> for Draft {
    /// Fills in every key, for writing.
    fn from(spec: &ContestSpec) -> Draft {
        let (deals, target, max_rounds) = match spec.goal {
            Goal::Deals(deals) => (deals, 0, None),
            Goal::Target { points, max_rounds } => (0, points, Some(max_rounds)),
        };
        let shared = spec.foundations == Foundations::Shared;
        Draft {
            name: spec.name.clone(),
            also: spec.also.clone(),
            about: spec.about.clone(),
            source: spec.source.clone(),
            rules: spec.rules.clone(),
            foundations: Some(spec.foundations),
            score: Some(spec.score.clone()),
            deal_ends: (shared || spec.deal_ends != DealEnd::AllUp).then_some(spec.deal_ends),
            players: 0,
            deals,
            target,
            max_rounds,
            gather: Some(spec.gather),
            speed: None,
            jitter: None,
            seats: spec.players.iter().map(DraftSeat::from).collect(),
        }
    }
}

impl From<&PlayerSpec> for DraftSeat {
    fn from(player: &PlayerSpec) -> DraftSeat {
        DraftSeat {
            name: Some(player.name.clone()),
            strategy: At { value: Some(player.strategy.clone()), at: 0..0 },
            speed: Some(player.speed),
            jitter: Some(player.jitter),
            team: At { value: player.team.clone(), at: 0..0 },
            ..DraftSeat::default()
        }
    }
}
