//! Creates searching strategies by name.

use std::sync::Arc;

use crate::solver::Kept;
use crate::strategy::profiles::{self, SEARCH};
use crate::strategy::script::{Parameter, ParameterKind};
use crate::strategy::{LoadError, Maker, Setting, Strategy, StrategySource};

use super::options::{MOST, Options};
use super::playout::{Policies, Policy};
use super::{Plan, Search};

/// Factory of searching strategies.
#[derive(Debug)]
pub(in crate::players) struct SearchMaker {
    pub(super) options: Arc<Options>,
    pub(super) policies: Arc<Policies>,
}

/// Parses the settings of a name, if it is that of this strategy: `search`, or `search:` and settings. The value of
/// `policy=` ends at the next comma, unless a colon comes first: then the rest are the settings of the policy. Text
/// that is not a setting gets no value.
pub(in crate::players) fn settings(name: &str) -> Option<Vec<Setting>> {
    if name == SEARCH {
        return Some(Vec::new());
    }
    let mut rest = name.strip_prefix(SEARCH)?.strip_prefix(':')?;
    let mut settings = Vec::new();
    loop {
        let comma = rest.find(',').unwrap_or(rest.len());
        let whole = rest.starts_with("policy=") && rest[..comma].contains(':');
        let end = if whole { rest.len() } else { comma };
        let (setting, after) = rest.split_at(end);
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        settings.push((key.into(), value.into()));
        match after.strip_prefix(',') {
            Some(more) => rest = more,
            None => return Some(settings),
        }
    }
}

impl SearchMaker {
    /// Parses settings; `load` loads the policy.
    ///
    /// # Errors
    /// Returns what is wrong with them, or with the policy.
    pub fn read(
        settings: &[Setting],
        load: impl Fn(&str) -> Result<StrategySource, LoadError>,
    ) -> Result<SearchMaker, LoadError> {
        let fault = |reason: String| LoadError::Player { name: SEARCH.into(), reason };
        let options = Options::read(settings).map_err(|error| fault(error.to_string()))?;
        let load = |policy: &str| match super::maker::settings(policy) {
            Some(_) => Err(fault("its policy cannot be `search`; a policy plays thousands of games".into())),
            None if profiles::meant(policy).is_some() => Err(fault(format!(
                "its policy cannot be a kind of patrons, as `{policy}` is; name a strategy"
            ))),
            None => load(policy).map_err(|error| match error {
                // Faults are shown with the script's text, which identifies it.
                LoadError::Faults(_) => error,
                _ => fault(format!("its policy: {error}")),
            }),
        };
        let policies = match &options.policy {
            Some(policy) => Policies::all(load(policy)?),
            None => {
                let [unlimited, limited, contest] = Policies::USUAL.map(load);
                Policies::new([unlimited?, limited?, contest?])
            }
        };
        Ok(SearchMaker { options: Arc::new(options), policies: Arc::new(policies) })
    }
}

impl Maker for SearchMaker {
    fn make(&self, name: &str) -> Box<dyn Strategy> {
        Box::new(Search {
            name: name.into(),
            options: self.options.clone(),
            policy: Policy::new(&self.policies),
            plan: Plan::default(),
            weighed: Vec::new(),
            kept: Kept::default(),
            kept_long: Kept::default(),
        })
    }

    /// Returns the text of the requested policy.
    fn text(&self) -> Option<&str> {
        self.options.policy.as_ref().and_then(|_| self.policies.first().text())
    }

    fn parameters(&self) -> Vec<Parameter> {
        let parameter = |place: usize, (name, most): (&str, u64)| Parameter {
            name: name.into(),
            kind: ParameterKind::Number(1, most as i64),
            default: self.options.count(name) as i64,
            place: place..place,
        };
        MOST.into_iter().enumerate().map(|(place, most)| parameter(place, most)).collect()
    }

    /// Offers ranges from a quarter to twice the current values: more is better and slower, so an unlimited search
    /// would only find the maximum.
    fn tuned(&self) -> Vec<Parameter> {
        let narrower = |parameter: Parameter| {
            let (least, most) = parameter.bounds();
            let kind = ParameterKind::Number(
                (parameter.default / 4).max(least),
                parameter.default.saturating_mul(2).min(most),
            );
            Parameter { kind, ..parameter }
        };
        self.parameters().into_iter().map(narrower).collect()
    }

    fn with_values(&self, name: &str, values: &[(&Parameter, i64)]) -> Option<(String, Arc<dyn Maker>)> {
        let mut told = settings(name)?;
        let mut options = (*self.options).clone();
        for (parameter, value) in values {
            options.set_count(&parameter.name, u64::try_from(*value).ok()?);
            told.retain(|(other, _)| *other != parameter.name);
            told.push((parameter.name.clone(), value.to_string()));
        }
        // The policy comes last, because it may have settings of its own.
        told.sort_by_key(|(name, _)| name == "policy");
        let told: Vec<String> = told.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let maker = SearchMaker { options: Arc::new(options), policies: self.policies.clone() };
        Some((format!("{SEARCH}:{}", told.join(",")), Arc::new(maker)))
    }
}
