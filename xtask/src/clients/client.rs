//! The agent programs of npm: their settings for an offline run, and how their models spell tool calls.

mod claude;
mod codex;
mod copilot;
mod gemini;
mod qwen;

use anyhow::Result;
use serde_json::Value;

use super::lab::Home;
use super::model::Call;
use super::pins::Pin;

/// Every program, in the order of the table.
pub(crate) const ALL: &[&Client] =
    &[&claude::CLAUDE, &codex::CODEX, &gemini::GEMINI, &copilot::COPILOT, &qwen::QWEN];

/// One agent program.
pub(crate) struct Client {
    /// Its package; the id is also the name on the command line of this chore.
    pub(crate) pin: Pin,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// Its name for `steersman --host`.
    pub(crate) host: &'static str,
    /// The file of a project in which `steersman init` registers.
    pub(crate) settings: &'static str,
    /// The file of a project and the text in it with which the project switches hooks off.
    pub(crate) silence: (&'static str, &'static str),
    /// Commands with which an agent would switch the hooks off.
    pub(crate) switches: &'static [&'static str],
    /// The variable that moves the user's own settings, and what it names.
    pub(crate) moved: (&'static str, Moved),
    /// How the user's trust in the project and its hooks is taken away and given again.
    pub(crate) trust: Trust,
    /// Whether it reads the settings of a project in whose subfolder it is started.
    pub(crate) reads_from_subfolder: bool,
    /// Whether Node runs it.
    pub(crate) runs_on_node: bool,
    /// Writes the user's own settings, as they are after a first start: no welcome dialog, no telemetry, the
    /// scripted model, trusted folders.
    pub(crate) configure: fn(&Home) -> Result<()>,
    /// The environment of a run, given the port of the model.
    pub(crate) environment: fn(u16) -> Vec<(&'static str, String)>,
    /// The arguments of a headless run with a prompt.
    pub(crate) arguments: fn(&str, Permissions) -> Vec<String>,
    /// The parts of a verdict that it carries out before a tool call.
    pub(crate) before_call: BeforeCall,
    /// Whether a subagent reads the context that a hook gives at its start.
    pub(crate) reads_context_of_subagents: bool,
    /// The spelling of tool calls.
    pub(crate) tools: Tools,
}

/// The trust that a program asks for before it runs the hooks of a project.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Trust {
    /// None in a headless run.
    NotNeeded,
    /// In the folder: a file of the user, relative to the home, and its text without any trust.
    Folder(&'static str, &'static str),
    /// In each hook: the argument that stands for it, and the text that records it for the hooks in this text.
    Hooks { argument: &'static str, file: &'static str, record: fn(&str) -> String },
}

/// The target of a variable that moves the user's settings.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Moved {
    /// The folder that usually has this name in the home.
    Folder(&'static str),
    /// Another home for the folder of this name.
    Home(&'static str),
}

/// Whether a run asks for permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Permissions {
    /// The mode of a headless run without any flag.
    Ordinary,
    /// The program asks nothing, so that steersman alone decides.
    Bypassed,
}

/// The parts of a verdict that a program carries out before a tool call; see `crates/host/src/capability.rs`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BeforeCall {
    pub(crate) rewrite: bool,
    pub(crate) context: bool,
}

/// The spelling of tool calls.
pub(crate) struct Tools {
    /// Reads a file.
    pub(crate) read: fn(&str) -> Call,
    /// Runs a command.
    pub(crate) shell: fn(&str) -> Call,
    /// Runs a command in another folder.
    pub(crate) shell_in: fn(&str, &str) -> Call,
    /// Writes a new file.
    pub(crate) write: fn(&str, &str) -> Call,
    /// Replaces a line of a file.
    pub(crate) edit: fn(&str, &str, &str) -> Call,
    /// Calls a tool of steersman's MCP server.
    pub(crate) steersman: fn(&str, Value) -> Call,
    /// Loads the tools of MCP servers, in programs that do not offer them from the start.
    pub(crate) load_steersman: Option<fn() -> Call>,
    /// Starts a subagent with a prompt and waits for its end.
    pub(crate) delegate: fn(&str) -> Vec<Call>,
}

/// Returns the program with an id.
pub(crate) fn find(id: &str) -> Option<&'static Client> {
    ALL.iter().copied().find(|client| client.pin.id == id)
}

/// Returns arguments as owned strings.
fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Returns a command line that changes the folder first, for tools without a field for it.
fn after_cd(folder: &str, command: &str) -> String {
    format!("cd {folder} && {command}")
}
