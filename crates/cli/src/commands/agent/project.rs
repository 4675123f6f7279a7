//! The agents of the workspace, as every command about them finds them.

use std::time::Instant;

use agent::limits::AGENT_DISCOVERY_TIMEOUT;
use agent::registry::{self, Discovery, Folders, Registry};
use agent::{Config, ProviderName, ToolNames};
use config_file::Problem;
use dispatch::modules::agent_tools::known_tools;
use serve::{AgentWorld, registry_file};

use crate::commands::Place;
use crate::environment;
use crate::output;

/// The configuration and where to look for agents.
pub(super) struct Project {
    pub(super) config: Config,
    pub(super) names: ToolNames,
    pub(super) folders: Folders,
    /// What is wrong with the configuration.
    pub(super) problems: Vec<Problem>,
}

impl Project {
    /// Reads the configuration; a broken one is replaced by the defaults, and its problems stay.
    pub(super) fn of(place: &Place) -> Self {
        let root = place.workspace.root().as_path();
        let loaded = registry::project_config(root);
        let config = loaded.config.unwrap_or_default();
        let folders = Folders {
            workspace: root.to_path_buf(),
            directory: config.directory.clone(),
            extensions: environment::extension_folders(),
        };
        Self { names: known_tools(&config.custom_tools), config, folders, problems: loaded.problems }
    }

    /// Looks for every agent, within the time that is given for it.
    pub(super) fn discover(&self) -> Discovery {
        let started = Instant::now();
        let stop = || started.elapsed() > AGENT_DISCOVERY_TIMEOUT;
        registry::discover(&self.folders, &self.names, store::now(), &stop)
    }

    /// Looks for every agent, and holds what is found against what was there the last time.
    pub(super) fn registry(&self, place: &Place) -> (Registry, Discovery) {
        let now = store::now();
        let discovery = self.discover();
        let before = registry_file::read(&place.workspace);
        let is_installed = |provider: ProviderName| is_installed(&self.config, provider);
        let refreshed = registry::merge(&before, discovery.registry.clone(), &is_installed, now);
        // Only where there is a folder for it: looking at a project must not change it.
        if place.workspace.tmp_dir().as_path().is_dir() {
            // The registry is found again at any time, so that it cannot be kept is no trouble.
            let _kept = registry_file::keep(&place.workspace, &refreshed.registry, now);
        }
        (refreshed.registry, discovery)
    }

    /// Returns what a server needs to keep the registry true.
    pub(super) fn into_world(self) -> AgentWorld {
        let Self { config, names, folders, .. } = self;
        let is_installed = Box::new(move |provider| is_installed(&config, provider));
        AgentWorld { folders, names, is_installed }
    }
}

/// Returns whether the program of a provider is there.
pub(super) fn is_installed(config: &Config, provider: ProviderName) -> bool {
    match provider {
        ProviderName::Command => !config.provider.command.is_empty(),
        other => environment::find_program(other.as_str()).is_some(),
    }
}

/// Tells what is wrong with the configuration, for commands that go on all the same.
pub(super) fn tell(problems: &[Problem]) {
    for problem in problems.iter().filter(|it| it.is_error()) {
        output::note(problem.to_string().trim_end());
    }
}
