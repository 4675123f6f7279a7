//! The loaded automations, each with its secret filter and its impediment.
//!
//! INVARIANT: runs start only from a set made of [`TrustedAutomations`].

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use automation::{Automation, AutomationId, RunnerChoice, Trigger, TrustedAutomations, WorkspaceSettings};
use redact::Filter;

use crate::ending::Ending;
use crate::impediment::{self, Impediment};
use crate::settings::Settings;

/// The automations of a workspace as last loaded.
#[derive(Debug, Clone, Default)]
pub struct AutomationSet {
    may_run: bool,
    loaded: Vec<Arc<LoadedAutomation>>,
    /// The index of each automation in `loaded`.
    by_id: HashMap<AutomationId, usize>,
}

/// One automation with everything its attempts need.
#[derive(Debug)]
pub(crate) struct LoadedAutomation {
    pub(crate) automation: Automation,
    /// The workspace settings loaded together with this automation.
    pub(crate) workspace: Arc<WorkspaceSettings>,
    impediment: Option<Impediment>,
    /// Patterns of the values of environment variables with secret names.
    environment_secrets: Arc<Vec<String>>,
    /// Patterns of the values of environment variables that its texts name.
    named_secrets: Vec<String>,
    filter: OnceLock<Result<Filter, String>>,
}

impl AutomationSet {
    /// Makes a set of automations that the user trusts; their runs may start.
    pub fn trusted(trusted: &TrustedAutomations, settings: &Settings) -> Self {
        let mut settings = settings.clone();
        settings.set_automation(trusted.settings().clone());
        Self { may_run: true, ..Self::display_only(trusted.automations().cloned(), &settings) }
    }

    /// Makes a set of automations that a program using this crate declares in its code. There is no
    /// file to trust, so their runs may start.
    pub fn declared_in_code(automations: impl IntoIterator<Item = Automation>, settings: &Settings) -> Self {
        Self { may_run: true, ..Self::display_only(automations, settings) }
    }

    /// Makes a set of automations that are matched and displayed; their runs do not start.
    pub fn display_only(automations: impl IntoIterator<Item = Automation>, settings: &Settings) -> Self {
        let environment_secrets = Arc::new(settings.environment.secret_patterns());
        let workspace = Arc::new(settings.automation.clone());
        let load = |automation: Automation| {
            Arc::new(LoadedAutomation {
                impediment: impediment::of(&automation, settings),
                named_secrets: automation
                    .environment_variables(settings.default_runner.as_ref())
                    .into_iter()
                    .filter_map(|name| settings.environment.pattern_of(name))
                    .collect(),
                automation,
                workspace: Arc::clone(&workspace),
                environment_secrets: Arc::clone(&environment_secrets),
                filter: OnceLock::new(),
            })
        };
        let loaded: Vec<Arc<LoadedAutomation>> = automations.into_iter().map(load).collect();
        let by_id = loaded.iter().enumerate().map(|(at, it)| (it.automation.id.clone(), at)).collect();
        Self { may_run: false, loaded, by_id }
    }

    /// Returns whether runs of these automations may start.
    pub(crate) const fn may_run(&self) -> bool {
        self.may_run
    }

    /// Returns the automations.
    pub fn iter(&self) -> impl Iterator<Item = &Automation> {
        self.loaded.iter().map(|loaded| &loaded.automation)
    }

    /// Returns the automations without an impediment, and those that wait for commits: a commit that
    /// `serve` detected has a repository, even if it was created after the automations were loaded.
    pub(crate) fn runnable(&self) -> impl Iterator<Item = &Automation> {
        let waits_for_commits = |it: &LoadedAutomation| {
            it.impediment.as_ref().is_some_and(|why| why.code == impediment::NO_COMMITS)
                && matches!(&it.automation.trigger, Trigger::Commit { repo_root } if repo_root.as_path().join(".git").exists())
        };
        let can_run =
            move |loaded: &&Arc<LoadedAutomation>| loaded.impediment.is_none() || waits_for_commits(loaded);
        self.loaded.iter().filter(can_run).map(|loaded| &loaded.automation)
    }

    /// Returns the enabled automations that cannot run, each with its impediment.
    pub fn impeded(&self) -> impl Iterator<Item = (&Automation, &Impediment)> {
        let enabled = self.loaded.iter().filter(|loaded| loaded.automation.enabled);
        enabled.filter_map(|loaded| Some((&loaded.automation, loaded.impediment.as_ref()?)))
    }

    pub(crate) fn get(&self, id: &AutomationId) -> Option<&Arc<LoadedAutomation>> {
        self.by_id.get(id).map(|at| &self.loaded[*at])
    }
}

impl LoadedAutomation {
    /// Returns whether an agent program executes the action.
    pub(crate) fn is_agent(&self) -> bool {
        let runner = self.automation.runner.as_ref().or(self.workspace.runner.as_ref());
        let is_cli = matches!(runner, Some(RunnerChoice::Cli(_)));
        self.automation.action.needs_runner() && (is_cli || self.automation.action.word() == "custom")
    }

    /// Returns the filter of the built-in kinds, the automation's own patterns and the values of
    /// secret variables.
    ///
    /// WHY lazily: compiling the patterns takes a hundred times as long as loading the
    /// automation, and most automations do not run. Loading the file checked the patterns; if
    /// they do not compile here, the run fails instead of running unfiltered.
    pub(crate) fn filter(&self) -> Result<&Filter, Ending> {
        let make = || {
            let own = self.automation.secret_patterns.iter().chain(&self.named_secrets);
            let patterns = own.chain(self.environment_secrets.iter());
            Filter::with_patterns(patterns).map_err(|error| error.to_string())
        };
        let filter = self.filter.get_or_init(make).as_ref();
        filter.map_err(|error| Ending::failure("SECRET_PATTERN", error.clone()))
    }
}
