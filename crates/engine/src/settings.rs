//! What an engine has to know of the world it works in.

use std::path::PathBuf;
use std::time::Duration;

use automation::RunnerChoice;
use runner::Environment;
use store::Workspace;

/// The surroundings of every run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Where the automations belong.
    pub workspace: Workspace,
    /// What programs see of the environment.
    pub environment: Environment,
    /// Who runs a prompt of an automation that names nobody.
    pub default_runner: Option<RunnerChoice>,
    /// How many runs of all automations may be at work at once; at least 1.
    pub max_running: usize,
    /// How long a program has between being asked to stop and being killed.
    pub grace: Duration,
    /// The editors' folders of extensions, where agents come from too.
    pub extension_folders: Vec<PathBuf>,
}

impl Settings {
    /// Makes settings with the defaults of the documents.
    pub fn new(workspace: Workspace, environment: Environment) -> Self {
        let n_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            workspace,
            environment,
            default_runner: None,
            max_running: n_cores * 2,
            grace: Duration::from_secs(2),
            extension_folders: Vec::new(),
        }
    }
}
