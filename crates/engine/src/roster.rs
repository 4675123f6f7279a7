//! The automations that count now, each with its filter for secrets and what keeps it from running.
//!
//! INVARIANT: runs begin only with a roster of [`TrustedAutomations`].

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use automation::{Automation, AutomationId, RunnerChoice, TrustedAutomations, WorkspaceSettings};
use redact::Filter;

use crate::ending::Ending;
use crate::impediment::{self, Impediment};
use crate::settings::Settings;

/// The automations of a workspace as last loaded.
#[derive(Debug, Clone, Default)]
pub struct Roster {
    may_run: bool,
    members: Vec<Arc<Member>>,
    places: HashMap<AutomationId, usize>,
}

/// One automation, ready to be run.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) automation: Automation,
    /// What holds for all automations of the files that this one is from.
    pub(crate) workspace: Arc<WorkspaceSettings>,
    impediment: Option<Impediment>,
    /// What is known to be secret besides: the values of variables whose names say so.
    known: Arc<Vec<String>>,
    filter: OnceLock<Result<Filter, String>>,
}

impl Roster {
    /// Takes automations that a person trusts: their runs may begin.
    pub fn trusted(trusted: &TrustedAutomations, settings: &Settings) -> Self {
        let mut settings = settings.clone();
        settings.set_automation(trusted.settings().clone());
        Self { may_run: true, ..Self::shown(trusted.automations().cloned(), &settings) }
    }

    /// Takes automations that stand in no file, so that there is nothing to trust: those of a program
    /// that uses this crate.
    pub fn declared_in_code(automations: impl IntoIterator<Item = Automation>, settings: &Settings) -> Self {
        Self { may_run: true, ..Self::shown(automations, settings) }
    }

    /// Takes automations to be matched and shown only: no run of theirs begins.
    pub fn shown(automations: impl IntoIterator<Item = Automation>, settings: &Settings) -> Self {
        let known = Arc::new(settings.environment.secret_patterns());
        let workspace = Arc::new(settings.automation.clone());
        let member = |automation: Automation| {
            Arc::new(Member {
                impediment: impediment::of(&automation, settings),
                automation,
                workspace: Arc::clone(&workspace),
                known: Arc::clone(&known),
                filter: OnceLock::new(),
            })
        };
        let members: Vec<Arc<Member>> = automations.into_iter().map(member).collect();
        let places = members.iter().enumerate().map(|(at, it)| (it.automation.id.clone(), at)).collect();
        Self { may_run: false, members, places }
    }

    /// Returns whether runs of these automations may begin.
    pub(crate) const fn may_run(&self) -> bool {
        self.may_run
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
    /// Returns whether an agent program does what it asks for.
    pub(crate) fn is_agent(&self) -> bool {
        let runner = self.automation.runner.as_ref().or(self.workspace.runner.as_ref());
        let is_cli = matches!(runner, Some(RunnerChoice::Cli(_)));
        self.automation.action.needs_runner() && (is_cli || self.automation.action.word() == "custom")
    }

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
