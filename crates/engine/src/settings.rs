//! The settings of an engine: its workspace, its environment and its limits.

use std::path::PathBuf;
use std::time::Duration;

use agent::ToolNames;
use automation::{RunnerChoice, WorkspaceSettings};
use runner::Environment;
use store::Workspace;

/// The settings of every run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The workspace of the automations.
    pub workspace: Workspace,
    /// The environment of the programs that runs start.
    pub environment: Environment,
    /// Runs the prompts of automations that name no runner.
    pub default_runner: Option<RunnerChoice>,
    /// The workspace's settings for all its automations.
    pub automation: WorkspaceSettings,
    /// How many runs of all automations may be active at once; at least 1.
    pub max_running: usize,
    /// The time between asking a program to stop and killing it.
    pub grace: Duration,
    /// The queue's journal rotates when it has more bytes than this.
    pub rotate_beyond: u64,
    /// The editors' extension folders, which may contain agents.
    pub extension_folders: Vec<PathBuf>,
    /// The tool names of the agent programs; a project adds its own.
    pub tool_names: ToolNames,
    /// The variable by which hooks learn as which agent a program runs.
    pub agent_variable: Option<&'static str>,
    /// The `steersman` that confines programs; `None` on systems without a mechanism for it.
    pub confiner: Option<PathBuf>,
}

impl Settings {
    /// Makes settings with the documented defaults.
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
            agent_variable: None,
            confiner: None,
        }
    }

    /// Applies the workspace's settings for all its automations.
    pub fn set_automation(&mut self, automation: WorkspaceSettings) {
        self.default_runner.clone_from(&automation.runner);
        let configured = automation.max_concurrency.and_then(|it| usize::try_from(it).ok());
        self.max_running = configured.unwrap_or_else(default_max_running);
        self.automation = automation;
    }
}

/// Returns twice the number of cores.
fn default_max_running() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from) * 2
}
