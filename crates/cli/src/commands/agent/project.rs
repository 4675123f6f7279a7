//! Finds the agents of the workspace for all commands about agents.

use std::time::Instant;

use agent::limits::AGENT_DISCOVERY_TIMEOUT;
use agent::registry::{self, Discovery, Folders, Registry};
use agent::{Config, ProviderName, ToolNames};
use config_file::Problem;
use modules::agent_tools::known_tools;
use serve::{AgentSources, registry_file};

use crate::commands::Place;
use crate::environment;
use crate::output;

/// The configuration and the folders of agents.
pub(super) struct Project {
    pub(super) config: Config,
    pub(super) names: ToolNames,
    pub(super) folders: Folders,
    /// Problems of the configuration.
    pub(super) problems: Vec<Problem>,
}

impl Project {
    /// Reads the configuration; if it is broken, uses defaults and keeps its problems.
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

    /// Finds all agents, within the time limit for discovery.
    pub(super) fn discover(&self) -> Discovery {
        let started = Instant::now();
        let stop = || started.elapsed() > AGENT_DISCOVERY_TIMEOUT;
        registry::discover(&self.folders, &self.names, store::now(), &stop)
    }

    /// Finds all agents and compares them with the stored registry.
    pub(super) fn registry(&self, place: &Place) -> (Registry, Discovery) {
        let now = store::now();
        let discovery = self.discover();
        let before = registry_file::read(&place.workspace);
        let is_installed = |provider: ProviderName| is_installed(&self.config, provider);
        let refreshed = registry::merge(&before, discovery.registry.clone(), &is_installed, now);
        // Only if the folder exists: listing agents must not change a project.
        if place.workspace.tmp_dir().as_path().is_dir() {
            // A later command can rebuild the registry, so failing to store it is no error.
            let _saved = registry_file::save(&place.workspace, &refreshed.registry, now);
        }
        (refreshed.registry, discovery)
    }

    /// Returns the data with which a server keeps the registry current.
    pub(super) fn into_world(self) -> AgentSources {
        let Self { config, names, folders, .. } = self;
        let is_installed = Box::new(move |provider| is_installed(&config, provider));
        AgentSources { folders, names, is_installed }
    }
}

/// Returns whether the program of a provider is installed.
pub(super) fn is_installed(config: &Config, provider: ProviderName) -> bool {
    match provider {
        ProviderName::Command => !config.provider.command.is_empty(),
        other @ ProviderName::Cli(_) => environment::find_program(other.as_str()).is_some(),
    }
}

/// Reports problems of the configuration, for commands that continue despite them.
pub(super) fn print_problems(problems: &[Problem]) {
    for problem in problems.iter().filter(|it| it.is_error()) {
        output::note(problem.to_string().trim_end());
    }
}
