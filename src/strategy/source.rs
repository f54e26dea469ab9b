//! A strategy by its name and where it comes from; every thread makes its own instance.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostic::{Diagnostic, SourceText};
use crate::game::{MoveList, View};
use crate::interrupt;
use crate::rules::Rules;
use crate::text::undrawn;

use super::script::{
    FunctionReport, Options, Parameter, Script, SettingError, Stage, find_parameter, write_parameters,
};
use super::settings::{self, Setting};
use super::slip::{self, SLIP, Slipping};
use super::{Greedy, Random, Strategy, StrategyError};

/// Where a strategy comes from. It is shared between threads; each makes its own instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StrategySource {
    name: String,
    id: String,
    what: What,
    options: Options,
    /// So many of a thousand decisions are slips.
    slip: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    Greedy,
    Random,
    Script(Arc<SourceText>),
    Made(Made),
}

/// A strategy of a layer above, as its maker has it.
pub trait Maker: fmt::Debug + Send + Sync {
    /// The strategy of this name, for the thread that asks.
    fn make(&self, name: &str) -> Box<dyn Strategy>;

    /// What can be set behind the name, as parameters of a script are.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// The strategies that it stands for, each with its share; none if it is one alone.
    fn members(&self) -> &[(StrategySource, u32)] {
        &[]
    }

    /// What the scripts of those strategies say.
    fn text(&self) -> Option<&str> {
        None
    }

    /// The same, whose scripts are interpreted; `None` where it has none.
    fn interpreted(&self) -> Option<Arc<dyn Maker>> {
        None
    }

    /// The same with the values among which a race looks for better ones.
    fn tuned(&self) -> Vec<Parameter> {
        self.parameters()
    }

    /// The name and the maker with these values; `None` where it has no such parameters.
    fn with_values(&self, _name: &str, _values: &[(&Parameter, i64)]) -> Option<(String, Arc<dyn Maker>)> {
        None
    }
}

/// A maker that is shared between threads.
#[derive(Clone, Debug)]
pub(super) struct Made(Arc<dyn Maker>);

/// Sources are the same where their names are and the same maker made both.
impl PartialEq for Made {
    fn eq(&self, other: &Made) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Made {}

impl StrategySource {
    /// Whether it looks at what a deck costs or pays, as a script may and `search` does, so that it may play otherwise at
    /// other prices.
    pub fn looks_at_prices(&self) -> bool {
        let names = ["pays_per_card", ".stake", "redeal_fee", ".pay("];
        let code = |script: &str| {
            let mut lines = script.lines().map(|line| line.split("//").next().unwrap_or(line));
            lines.any(|line| names.iter().any(|name| line.contains(name)))
        };
        self.name == "search" || self.name.starts_with("search:") || self.text().is_some_and(code)
    }

    /// A strategy that is neither of this layer nor a script.
    pub fn made(name: impl Into<String>, maker: Arc<dyn Maker>) -> StrategySource {
        let name = name.into();
        // Its settings may name a path.
        let id = name.replace(['/', '\\', ':', ','], "-");
        StrategySource::of(name, id, What::Made(Made(maker)))
    }

    /// A strategy of a maker, with its short name.
    pub(super) fn made_as(name: String, id: String, maker: Arc<dyn Maker>) -> StrategySource {
        StrategySource::of(name, id, What::Made(Made(maker)))
    }

    /// With its short name.
    fn of(name: String, id: String, what: What) -> StrategySource {
        StrategySource { name, id, what, options: Options::default(), slip: 0 }
    }

    pub(super) fn new(name: String, what: What) -> StrategySource {
        let (path, settings) = settings::split(&name);
        let mut id = Path::new(path).file_stem().and_then(|stem| stem.to_str()).unwrap_or(path).to_string();
        settings.iter().for_each(|(name, value)| id.push_str(&format!("-{name}={value}")));
        StrategySource::of(name, id, what)
    }

    /// A script that is already read.
    ///
    /// # Errors
    /// Every fault of the script.
    pub fn from_script(
        name: impl Into<String>,
        source: Arc<SourceText>,
    ) -> Result<StrategySource, Vec<Diagnostic>> {
        let name = name.into();
        Script::new(&name, &source)?;
        Ok(StrategySource::new(name, What::Script(source)))
    }

    /// Its name in records and reports, as it was given: a name on the shelf, or a path.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The short name: without folders and extension, fit for a file's name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The parameters of a script or of a player that has some; none for a native strategy.
    pub fn parameters(&self) -> Vec<Parameter> {
        if let What::Made(Made(maker)) = &self.what {
            return maker.parameters();
        }
        self.loaded().map_or(Vec::new(), |script| script.parameters().to_vec())
    }

    /// The parameters with the values among which a race looks for better ones.
    pub fn tuned_parameters(&self) -> Vec<Parameter> {
        match &self.what {
            What::Made(Made(maker)) => maker.tuned(),
            _ => self.parameters(),
        }
    }

    /// Whether its name tells a value of this parameter.
    pub fn is_set(&self, parameter: &Parameter) -> bool {
        settings::split(&self.name).1.iter().any(|(name, _)| parameter.is_called(name))
    }

    /// The same with other values of its script's parameters, which its name then tells: a setting takes the
    /// place of what the name told before.
    ///
    /// # Errors
    /// A parameter that the script does not have or that is set twice, or a value that it cannot have.
    pub fn set(self, changes: &[Setting]) -> Result<StrategySource, SettingError> {
        if changes.is_empty() {
            return Ok(self);
        }
        let parameters = self.parameters();
        let own = parameters.iter().any(|parameter| parameter.is_called(SLIP));
        let slips = |(name, _): &&Setting| !own && name.eq_ignore_ascii_case(SLIP);
        if let Some((name, value)) = changes.iter().find(slips) {
            let others: Vec<Setting> = changes.iter().filter(|it| !slips(it)).cloned().collect();
            if others.len() + 1 < changes.len() {
                return Err(SettingError::Twice { name: name.clone() });
            }
            return self.set(&others)?.slipping(value);
        }
        let mut values: Vec<(&Parameter, i64)> = Vec::new();
        for (of, value) in changes {
            let (parameter, value) = find_parameter(&parameters, of, value)?;
            if values.iter().any(|(other, _)| other.place == parameter.place) {
                return Err(SettingError::Twice { name: parameter.name.clone() });
            }
            values.push((parameter, value));
        }
        Ok(self.with_values(&values))
    }

    /// The same with a share of slips, in percent, which its name then tells.
    ///
    /// # Errors
    /// A value that is no such share.
    pub fn slipping(self, percent: &str) -> Result<StrategySource, SettingError> {
        let Some(slip) = slip::read(percent) else {
            let allowed = "a share of decisions from 0% to 100%, with at most one decimal".to_string();
            return Err(SettingError::Value { name: SLIP.into(), value: percent.into(), allowed });
        };
        let told = format!("{SLIP}={}", percent.trim_end_matches('%'));
        let others = self.name.split([':', ',']).any(|part| part.contains('='));
        // What follows a policy may be the policy's own settings.
        let policy = [":policy=", ",policy="].iter().find_map(|it| self.name.find(it));
        let name = match policy.filter(|_| matches!(self.what, What::Made(_))) {
            Some(at) => format!("{}{told},{}", &self.name[..=at], &self.name[at + 1..]),
            None => format!("{}{}{told}", self.name, if others { ',' } else { ':' }),
        };
        let id = format!("{}-{told}", self.id);
        Ok(StrategySource { name, id, slip, ..self })
    }

    /// So many of a thousand decisions are slips.
    pub(super) fn slip(&self) -> u16 {
        self.slip
    }

    /// Whether some of its decisions are slips.
    pub fn slips(&self) -> bool {
        self.slip > 0
    }

    /// The same under another name.
    pub fn called(self, name: &str) -> StrategySource {
        StrategySource { name: name.into(), id: name.into(), ..self }
    }

    /// The same with these values of some of its own parameters, each once and one that it may have.
    pub fn with_values(&self, values: &[(&Parameter, i64)]) -> StrategySource {
        if values.is_empty() {
            return self.clone();
        }
        if let What::Made(Made(maker)) = &self.what {
            let changed = maker.with_values(&self.name, values);
            let slip = self.slip;
            let with = |(name, maker)| StrategySource { slip, ..StrategySource::made(name, maker) };
            return changed.map_or(self.clone(), with);
        }
        let What::Script(source) = &self.what else { return self.clone() };
        let (name, mut told) = settings::split(&self.name);
        for (parameter, value) in values {
            told.retain(|(other, _)| !parameter.is_called(other));
            told.push((parameter.name.to_lowercase(), parameter.write(*value)));
        }
        let text = write_parameters(&source.text, values);
        let what = What::Script(Arc::new(SourceText { name: source.name.clone(), text }));
        let (options, slip) = (self.options, self.slip);
        StrategySource { options, slip, ..StrategySource::new(settings::join(name, &told), what) }
    }

    /// The same, whose script Rhai's interpreter runs whole: it decides the same, and slowly.
    pub fn interpreted(self) -> StrategySource {
        if let Some(maker) = self.maker().and_then(Maker::interpreted) {
            return StrategySource { what: What::Made(Made(maker)), ..self };
        }
        StrategySource { options: Options { compile: false, ..self.options }, ..self }
    }

    fn maker(&self) -> Option<&dyn Maker> {
        match &self.what {
            What::Made(Made(maker)) => Some(&**maker),
            _ => None,
        }
    }

    /// The strategies that it stands for, with their shares; none if it is one alone.
    pub fn members(&self) -> &[(StrategySource, u32)] {
        self.maker().map_or(&[], |maker| maker.members())
    }

    /// What a script says, or all scripts of a mix; `None` for a native strategy.
    pub fn text(&self) -> Option<&str> {
        self.maker().and_then(Maker::text).or_else(|| self.script().map(|source| &*source.text))
    }

    /// A script with its name; `None` for a native strategy.
    pub fn script(&self) -> Option<&Arc<SourceText>> {
        match &self.what {
            What::Script(source) => Some(source),
            _ => None,
        }
    }

    /// Which functions of a script are compiled; none for a native strategy.
    pub fn functions(&self) -> Vec<FunctionReport> {
        self.loaded().map_or(Vec::new(), |script| script.report())
    }

    /// What the types of a script show to be wrong with it, and a name that charts cannot draw; nothing for a native
    /// strategy.
    pub fn lint(&self) -> Vec<Diagnostic> {
        let mut found = self.loaded().map_or(Vec::new(), |script| script.lint());
        let letters = undrawn(&self.id);
        if let Some(source) = self.script().filter(|_| !letters.is_empty()) {
            let message = format!(
                "no font of the program has {letters} of the script's name: charts as PNG number the script instead"
            );
            let help = "give the file a name in Latin, Greek or Cyrillic letters, which can be drawn";
            found.insert(0, Diagnostic::warning(source, 0..0, message).help(help));
        }
        found
    }

    /// What a stage of the compiler makes of a script under these rules; `None` if nothing is compiled.
    pub fn emit(&self, stage: Stage, rules: &Rules) -> Option<String> {
        self.loaded()?.emit(stage, rules)
    }

    fn loaded(&self) -> Option<Script> {
        self.script().and_then(|source| Script::new(&self.name, source).ok())
    }

    /// The strategy itself, for the thread that asks. A script is compiled here.
    pub fn instantiate(&self) -> Box<dyn Strategy> {
        match self.slip {
            0 => self.without_slips(),
            slip => Box::new(Slipping::new(self.without_slips(), &self.name, slip)),
        }
    }

    fn without_slips(&self) -> Box<dyn Strategy> {
        match &self.what {
            What::Greedy => Box::new(Greedy),
            What::Random => Box::new(Random),
            What::Made(Made(maker)) => maker.make(&self.name),
            What::Script(source) => match Script::with(&self.name, source, self.options) {
                Ok(script) => Box::new(script),
                Err(faults) => Box::new(Faulty { name: self.name.clone(), faults }),
            },
        }
    }
}

/// Stands for a script that compiled once and does not again: it says so when asked to decide. Where the program was
/// asked to stop, that is why.
struct Faulty {
    name: String,
    faults: Vec<Diagnostic>,
}

impl Strategy for Faulty {
    fn name(&self) -> &str {
        &self.name
    }

    fn decide(&mut self, _view: &View<'_>, _legal: &MoveList) -> Result<Option<usize>, StrategyError> {
        match self.faults.first() {
            _ if interrupt::requested() => Err(StrategyError::Interrupted),
            Some(fault) => Err(StrategyError::Script(Box::new(fault.clone()))),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_no_font_has_is_a_warning() {
        let warnings = |name: &str| {
            let text = Arc::new(SourceText::of(name, "fn score(_view, _m) { 0 }"));
            StrategySource::from_script(name, text).unwrap().lint()
        };
        let found = warnings("folder/四つの山.rhai");
        assert!(found[0].message.contains("四つの山") && found[0].position() == (1, 1), "{found:?}");
        assert_eq!(warnings("folder/жадный.rhai"), []);
    }
}
