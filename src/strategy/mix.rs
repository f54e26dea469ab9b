//! Several strategies: a mix, in which each game is played by one of them, and settings for all.

use std::sync::Arc;

use crate::diagnostic::SourceText;
use crate::game::{MoveList, View};
use crate::rules::Stage;
use crate::units::Percent;

use super::script::Parameter;
use super::settings::{Setting, parts_move};
use super::{Maker, MoveValue, Strategy, StrategyError, StrategySource};

#[derive(Debug)]
struct Mix {
    /// Each with its share, relative to the sum of all shares.
    members: Vec<(StrategySource, u32)>,
    /// The text of the defining file, followed by the scripts; `None` if all are native.
    text: Option<String>,
    /// Whether the rules select one of two members, rather than the shares.
    by_rules: bool,
}

impl Mix {
    fn new(file: Option<&SourceText>, members: Vec<(StrategySource, u32)>) -> Mix {
        let scripts = members.iter().filter_map(|(member, _)| Some((member.name(), member.text()?)));
        let scripts = scripts.map(|(name, text)| format!("// {name}\n\n{text}"));
        let texts: Vec<String> = file.map(|file| file.text.clone()).into_iter().chain(scripts).collect();
        let text = (!texts.is_empty()).then(|| texts.join("\n"));
        Mix { members, text, by_rules: false }
    }

    /// `greedy:70%,patient:30%`
    fn told(&self) -> String {
        let whole: f64 = self.members.iter().map(|(_, share)| f64::from(*share)).sum();
        let told = self
            .members
            .iter()
            .map(|(member, share)| format!("{}:{}", member.name(), Percent(f64::from(*share) / whole)));
        told.collect::<Vec<_>>().join(",")
    }
}

impl Maker for Mix {
    fn make(&self, _name: &str) -> Box<dyn Strategy> {
        let mut sum = 0;
        let member = |(member, share): &(StrategySource, u32)| {
            sum += share;
            (member.instantiate(), sum)
        };
        let members = self.members.iter().map(member).collect();
        Box::new(Mixed { members, playing: 0, by_rules: self.by_rules })
    }

    fn members(&self) -> &[(StrategySource, u32)] {
        if self.by_rules { &[] } else { &self.members }
    }

    fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    fn interpreted(&self) -> Option<Arc<dyn Maker>> {
        let change = |(member, share): &(StrategySource, u32)| (member.clone().interpreted(), *share);
        let members = self.members.iter().map(change).collect();
        Some(Arc::new(Mix { members, text: self.text.clone(), by_rules: self.by_rules }))
    }
}

/// Returns a strategy that represents several: each game is played by one of them from its first move to its last. It
/// is drawn by their shares from a separate stream of the game, so that it plays the game as it would alone.
///
/// Its name is the path of the defining file; without one, the name lists their names and shares.
pub fn mix(file: Option<&SourceText>, members: Vec<(StrategySource, u32)>) -> StrategySource {
    let mix = Mix::new(file, members);
    let name = file.map_or_else(|| mix.told(), |file| file.name.clone());
    let parts: Vec<&str> = name.split(['/', '\\', ':', ',', '%']).filter(|part| !part.is_empty()).collect();
    let id = match name.strip_suffix(".toml") {
        Some(path) => path.rsplit(['/', '\\']).next().unwrap_or(path).to_string(),
        None => parts.join("-"),
    };
    StrategySource::made_as(name, id, Arc::new(mix))
}

/// Returns a strategy that represents the first of two, or the second under rules where any part of a run moves.
pub(crate) fn by_rules(name: &str, strategies: [StrategySource; 2]) -> StrategySource {
    let members = strategies.map(|strategy| (strategy.called(name), 1)).into();
    let mix = Mix { members, text: None, by_rules: true };
    StrategySource::made_as(name.into(), name.into(), Arc::new(mix))
}

/// Returns the mix with `change` applied to each strategy. If that changed any of them, its name lists the new names.
fn changed(source: StrategySource, change: impl FnMut(StrategySource) -> StrategySource) -> StrategySource {
    let members = source.members().to_vec();
    let (mut change, shares) = (change, members.iter().map(|(_, share)| *share).collect::<Vec<_>>());
    let set: Vec<_> = members.iter().map(|(member, _)| change(member.clone())).zip(shares).collect();
    if set == members { source } else { mix(None, set) }
}

/// Sets the parameters of all scripts that have them, unless their names already set them.
///
/// # Errors
/// Returns a setting that is not possible for any script, or that is given twice.
pub fn set_all(
    sources: Vec<StrategySource>,
    settings: &[Setting],
) -> Result<Vec<StrategySource>, Vec<String>> {
    for (i, (name, _)) in settings.iter().enumerate() {
        if settings[..i].iter().any(|(other, _)| other.eq_ignore_ascii_case(name)) {
            return Err(vec![format!("`{name}` is set twice")]);
        }
    }
    let mut taken = vec![None; settings.len()];
    let mut set = |mut source: StrategySource| {
        let own: Vec<Parameter> = source.parameters().into_iter().filter(|it| source.is_set(it)).collect();
        for (setting, taken) in settings.iter().zip(&mut taken) {
            match source.clone().set(std::slice::from_ref(setting)) {
                Ok(_) if own.iter().any(|it| it.is_called(&setting.0)) => *taken = Some(Ok(())),
                Ok(changed) => {
                    source = changed;
                    *taken = Some(Ok(()));
                }
                // Another strategy may have it.
                Err(error) if error.is_unknown => drop(taken.get_or_insert(Err(error))),
                Err(error) => *taken = Some(Err(error)),
            }
        }
        source
    };
    let changed = sources.into_iter().map(|source| match source.members() {
        [] => set(source),
        _ => changed(source, &mut set),
    });
    let changed = changed.collect();
    let wrong: Vec<String> =
        taken.into_iter().flatten().filter_map(Result::err).map(|error| error.to_string()).collect();
    if wrong.is_empty() { Ok(changed) } else { Err(wrong) }
}

struct Mixed {
    /// Each with the sum of the shares up to its own.
    members: Vec<(Box<dyn Strategy>, u32)>,
    playing: usize,
    by_rules: bool,
}

impl Mixed {
    #[inline]
    fn player(&mut self, view: &View<'_>) -> &mut dyn Strategy {
        let whole = self.members.last().map_or(1, |(_, sum)| *sum);
        let drawn = if self.by_rules { parts_move(view.rules()).into() } else { view.drawn(whole) };
        self.playing = self.members.iter().position(|(_, sum)| drawn < *sum).unwrap_or(0);
        &mut *self.members[self.playing].0
    }
}

impl Strategy for Mixed {
    fn name(&self) -> &str {
        self.members[self.playing].0.name()
    }

    fn decide(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        self.player(view).decide(view, legal)
    }

    fn repeats_draw(&self) -> bool {
        self.members[self.playing].0.repeats_draw()
    }

    fn is_slow(&self) -> bool {
        self.members.iter().any(|(member, _)| member.is_slow())
    }

    fn buys(&mut self, view: &View<'_>, legal: &MoveList, stage: &Stage) -> Result<bool, StrategyError> {
        self.player(view).buys(view, legal, stage)
    }

    fn scores(&mut self, view: &View<'_>, legal: &MoveList) -> Result<Option<Vec<i64>>, StrategyError> {
        self.player(view).scores(view, legal)
    }

    fn weighed(&self) -> &[MoveValue] {
        self.members[self.playing].0.weighed()
    }

    fn printed(&mut self) -> String {
        self.members[self.playing].0.printed()
    }
}
