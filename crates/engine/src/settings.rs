//! What an engine has to know of the world it works in.

use std::path::PathBuf;
use std::time::Duration;

use agent::ToolNames;
use automation::{RunnerChoice, WorkspaceSettings};
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
    /// What the workspace says of all its automations.
    pub automation: WorkspaceSettings,
    /// How many runs of all automations may be at work at once; at least 1.
    pub max_running: usize,
    /// How long a program has between being asked to stop and being killed.
    pub grace: Duration,
    /// When the queue's journal has more bytes than this it begins anew.
    pub rotate_beyond: u64,
    /// The editors' folders of extensions, where agents come from too.
    pub extension_folders: Vec<PathBuf>,
    /// What agent programs call their tools; a project's own names come to them.
    pub tool_names: ToolNames,
}

impl Settings {
    /// Makes settings with the defaults of the documents.
    pub fn new(workspace: Workspace, environment: Environment) -> Self {
        Self {
            workspace,
            environment,
            default_runner: None,
            automation: WorkspaceSettings::default(),
            max_running: default_max_running(),
            grace: Duration::from_secs(2),
            rotate_beyond: 16 << 20,
            extension_folders: Vec::new(),
            tool_names: ToolNames::new(std::iter::empty::<String>()),
        }
    }

    /// Takes what the workspace says of all its automations.
    pub fn set_automation(&mut self, automation: WorkspaceSettings) {
        self.default_runner.clone_from(&automation.runner);
        let said = automation.max_concurrency.and_then(|it| usize::try_from(it).ok());
        self.max_running = said.unwrap_or_else(default_max_running);
        self.automation = automation;
    }
}

/// Twice the cores.
fn default_max_running() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from) * 2
}
