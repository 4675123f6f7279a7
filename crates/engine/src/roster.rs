//! The automations that count now, each with its filter for secrets and what keeps it from running.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use automation::{Automation, AutomationId};
use redact::Filter;

use crate::ending::Ending;
use crate::impediment::{self, Impediment};
use crate::settings::Settings;

/// The automations of a workspace as last loaded.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    members: Vec<Arc<Member>>,
    places: HashMap<AutomationId, usize>,
}

/// One automation, ready to be run.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) automation: Automation,
    impediment: Option<Impediment>,
    /// What is known to be secret besides: the values of variables whose names say so.
    known: Arc<Vec<String>>,
    filter: OnceLock<Result<Filter, String>>,
}

impl Roster {
    /// Takes automations that were loaded and found valid.
    pub fn new(automations: impl IntoIterator<Item = Automation>, settings: &Settings) -> Self {
        let known = Arc::new(settings.environment.secret_patterns());
        let member = |automation: Automation| {
            let impediment = impediment::of(&automation, settings);
            Arc::new(Member { automation, impediment, known: Arc::clone(&known), filter: OnceLock::new() })
        };
        let members: Vec<Arc<Member>> = automations.into_iter().map(member).collect();
        let places = members.iter().enumerate().map(|(at, it)| (it.automation.id.clone(), at)).collect();
        Self { members, places }
    }

    /// Returns the automations.
    pub fn automations(&self) -> impl Iterator<Item = &Automation> {
        self.members.iter().map(|member| &member.automation)
    }

    /// Returns the automations that somebody can run. A commit that is heard of has a repository,
    /// even if there was none when the automations were loaded.
    pub(crate) fn able(&self) -> impl Iterator<Item = &Automation> {
        let can_run = |member: &&Arc<Member>| {
            member.impediment.as_ref().is_none_or(|why| why.code == impediment::NO_COMMITS)
        };
        self.members.iter().filter(can_run).map(|member| &member.automation)
    }

    /// Returns those that are enabled and cannot run all the same, with what keeps them.
    pub fn impeded(&self) -> impl Iterator<Item = (&Automation, &Impediment)> {
        let enabled = self.members.iter().filter(|member| member.automation.enabled);
        enabled.filter_map(|member| Some((&member.automation, member.impediment.as_ref()?)))
    }

    pub(crate) fn get(&self, id: &AutomationId) -> Option<&Arc<Member>> {
        self.places.get(id).map(|at| &self.members[*at])
    }
}

impl Member {
    /// Returns the built-in kinds, the automation's own patterns and the values of secret variables.
    ///
    /// WHY only now: compiling the patterns takes a hundred times as long as loading the
    /// automation, and most automations do not run. They were checked when the file was loaded;
    /// if they cannot be had all the same, nothing is run without them.
    pub(crate) fn filter(&self) -> Result<&Filter, Ending> {
        let make = || {
            let patterns = self.automation.secret_patterns.iter().chain(self.known.iter());
            Filter::with_patterns(patterns).map_err(|error| error.to_string())
        };
        let filter = self.filter.get_or_init(make).as_ref();
        filter.map_err(|error| Ending::failure("SECRET_PATTERN", error.clone()))
    }
}
