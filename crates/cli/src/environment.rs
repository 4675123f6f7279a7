//! All environment variables that steersman reads, and the folders the system names.
#![expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]

mod user_file;

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::sync::OnceLock;

use event::AbsPath;
use host::{Hints, Host, ShellEntry, shell_entry};
use store::ShellFolder;

pub(crate) use user_file::{UserFile, managed_file, moved_settings, trusted_folders};

/// Overrides the folder of the user's own state.
pub(crate) const STATE_DIR: &str = "STEERSMAN_STATE_DIR";

/// The agent that a program runs as; `steersman agent run` sets it.
pub(crate) const AGENT: &str = "STEERSMAN_AGENT";

/// Returns the folder for the user's own state: trusted workspaces and caches.
pub(crate) fn user_state() -> Option<AbsPath> {
    let chosen = path(STATE_DIR)
        .or_else(|| path("XDG_STATE_HOME").map(|dir| dir.join("steersman")))
        .or_else(|| path("LOCALAPPDATA").map(|dir| dir.join("steersman")))
        .or_else(|| home().map(|home| home.as_path().join(".local/state/steersman")))?;
    AbsPath::new(chosen).ok()
}

/// Overrides the folder below which administrators' settings are, for tests and for images of other machines.
pub(crate) const MANAGED_ROOT: &str = "STEERSMAN_MANAGED_ROOT";

/// Returns the folder below which administrators' settings are.
pub(crate) fn managed_root() -> AbsPath {
    path(MANAGED_ROOT).and_then(|root| AbsPath::new(root).ok()).unwrap_or_else(AbsPath::root)
}

/// Returns the settings of registrations for all folders, the user's first.
pub(crate) fn user_configs() -> Vec<AbsPath> {
    let own = home().map(|home| home.join(store::UserConfig::IN_HOME));
    own.into_iter().chain([managed_root().join(store::UserConfig::MANAGED)]).collect()
}

/// Returns all variables, for the programs that automations start.
pub(crate) fn variables() -> impl Iterator<Item = (std::ffi::OsString, std::ffi::OsString)> {
    env::vars_os()
}

/// Returns the patterns of the values of variables that hold secrets.
pub(crate) fn secret_patterns() -> Vec<String> {
    runner::Environment::from_variables(variables()).secret_patterns()
}

/// Returns the current folder. If it was removed, returns the folder for temporary files, where records do no
/// harm.
pub(crate) fn folder() -> AbsPath {
    let here = env::current_dir().ok().and_then(|dir| AbsPath::new(dir).ok());
    here.or_else(|| AbsPath::new(env::temp_dir()).ok()).unwrap_or_else(AbsPath::root)
}

/// The variables in which agent programs name the project they were opened in. Nearly all set the first; an
/// agent cannot set any.
const PROJECT: [&str; 5] = [
    "CLAUDE_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
    "QWEN_PROJECT_DIR",
    "COPILOT_PROJECT_DIR",
];

/// Returns the current folder, or the error of the system.
pub(crate) fn current_folder() -> io::Result<PathBuf> {
    env::current_dir()
}

/// Returns the folder for temporary files.
pub(crate) fn temporary_folder() -> PathBuf {
    env::temp_dir()
}

/// Returns the project the agent program was opened in.
pub(crate) fn project() -> Option<AbsPath> {
    PROJECT.iter().find_map(|name| AbsPath::new(path(name)?).ok())
}

/// Returns the agent that `steersman agent run` started the host as.
pub(crate) fn running_agent() -> Option<String> {
    env::var_os(AGENT).filter(|name| !name.is_empty()).map(|name| name.to_string_lossy().into_owned())
}

/// Returns the chain of automations that started this process.
pub(crate) fn automation_chain() -> automation::Chain {
    env::var(automation::Chain::VARIABLE).map(|it| automation::Chain::from_variable(&it)).unwrap_or_default()
}

/// Returns the pipe that takes the records of hooks, inside a confined agent program of an automation.
pub(crate) fn record_relay() -> Option<store::RecordRelay> {
    store::RecordRelay::at(&path(store::RecordRelay::VARIABLE)?)
}

/// Returns the user's home.
pub(crate) fn home() -> Option<AbsPath> {
    // WHY once: a hook needs it three times, and each look-up compares the name with every variable.
    static HOME: OnceLock<Option<AbsPath>> = OnceLock::new();
    let read = || path("HOME").or_else(|| path("USERPROFILE")).and_then(|home| AbsPath::new(home).ok());
    HOME.get_or_init(read).clone()
}

/// Returns the environment's hints about the host that started this process.
pub(crate) fn hints() -> Hints {
    Hints {
        cursor: is_set("CURSOR_VERSION") || is_set("CURSOR_PROJECT_DIR"),
        gemini_session: is_set("GEMINI_SESSION_ID"),
        qwen: is_set("QWEN_CODE_SESSION_ID") || is_set("QWEN_PROJECT_DIR"),
        copilot_cli: is_set("COPILOT_CLI"),
        vscode: is_set("VSCODE_PID"),
        claude_code: is_set("CLAUDECODE"),
        codex: is_set("CODEX_HOME") || is_set("CODEX_MODEL"),
    }
}

/// Returns whether the environment names an author of commits for git.
pub(crate) fn has_git_author() -> bool {
    is_set("GIT_AUTHOR_EMAIL") && is_set("GIT_COMMITTER_EMAIL")
}

/// Returns whether an agent program started this process.
pub(crate) fn is_in_session() -> bool {
    SESSIONS.iter().any(|name| is_set(name))
}

/// The variables that agent programs set for the commands of a session.
const SESSIONS: [&str; 7] = [
    "CLAUDECODE",
    "CLAUDE_CODE_SESSION_ID",
    "CODEX_SESSION_ID",
    "CODEX_THREAD_ID",
    "GEMINI_CLI",
    "QWEN_CODE_SESSION_ID",
    "COPILOT_CLI",
];

/// Returns whether steersman is in front of a host's shell, as far as the environment and the settings of its hooks
/// tell.
pub(crate) fn is_in_front_of_shell(host: Host) -> bool {
    let Some(folder) = user_state().map(|state| ShellFolder::of(&state)) else { return false };
    let names = |variable: &str, file: &AbsPath| path(variable).is_some_and(|it| it == file.as_path());
    match host.shell_entry() {
        ShellEntry::Prefix => path(shell_entry::PREFIX_VARIABLE)
            .is_some_and(|it| it.file_name() == Some(OsStr::new(ShellFolder::PROGRAM))),
        // Codex does not pass the variable on to hooks.
        ShellEntry::BashEnv if host == Host::Codex => {
            UserFile::of(".codex/config.toml").is_some_and(|file| {
                let settings = std::fs::read_to_string(file.path().as_path()).unwrap_or_default();
                settings.contains(&folder.bash_env().to_string())
            })
        }
        ShellEntry::BashEnv => names(shell_entry::BASH_ENV_VARIABLE, &folder.bash_env()),
        ShellEntry::Rewrite => folder.program().as_path().exists(),
        ShellEntry::Nowhere => false,
    }
}

/// The facts about a call in the environment of its shell.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(crate) struct ShellVariables {
    /// Claude Code's session.
    pub(crate) claude_session: Option<String>,
    /// Whether Claude Code runs a tool call of an agent, not a hook or a server.
    pub(crate) is_of_agent: bool,
    /// Codex's call.
    pub(crate) codex_call: Option<String>,
    /// Codex's session and thread.
    pub(crate) codex_sessions: Vec<String>,
    /// Qwen Code's session.
    pub(crate) qwen_session: Option<String>,
    /// Whether Gemini CLI started it.
    pub(crate) is_gemini: bool,
}

/// Reads the call of a starting shell from the environment.
#[cfg(target_os = "linux")]
pub(crate) fn shell_variables() -> ShellVariables {
    let text = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
    ShellVariables {
        claude_session: text("CLAUDE_CODE_SESSION_ID"),
        is_of_agent: text("AI_AGENT").is_some_and(|agent| agent.ends_with("_agent")),
        codex_call: text("CODEX_TOOL_CALL_ID"),
        codex_sessions: ["CODEX_SESSION_ID", "CODEX_THREAD_ID"].into_iter().filter_map(text).collect(),
        qwen_session: text("QWEN_CODE_SESSION_ID"),
        is_gemini: is_set("GEMINI_CLI"),
    }
}

/// Returns the user's login shell.
#[cfg(target_os = "linux")]
pub(crate) fn login_shell() -> Option<String> {
    env::var("SHELL").ok().filter(|shell| shell.starts_with('/'))
}

/// Overrides the folders of the editors' extensions; separated like `PATH`.
const EXTENSION_DIRS: &str = "STEERSMAN_EXTENSION_DIRS";

/// Returns the editors' extension folders.
pub(crate) fn extension_folders() -> Vec<PathBuf> {
    if let Some(named) = env::var_os(EXTENSION_DIRS) {
        return env::split_paths(&named).filter(|folder| folder.is_absolute()).collect();
    }
    let usual = [".vscode", ".vscode-insiders", ".vscode-oss", ".cursor", ".vscode-server"];
    let home = home();
    usual.iter().filter_map(|editor| Some(home.as_ref()?.as_path().join(editor).join("extensions"))).collect()
}

/// Finds a program by its bare name, as a shell would.
pub(crate) fn find_program(name: &str) -> Option<PathBuf> {
    let search = env::var_os("PATH")?;
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    let candidates = env::split_paths(&search)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| endings.iter().map(move |ending| folder.join(format!("{name}{ending}"))));
    candidates.into_iter().find(|candidate| runner::is_executable(candidate))
}

/// Returns the folders in which a shell looks for programs.
pub(crate) fn program_folders() -> Vec<PathBuf> {
    env::var_os("PATH").map(|search| env::split_paths(&search).collect()).unwrap_or_default()
}

/// Returns the executable of this process.
pub(crate) fn running_program() -> Option<PathBuf> {
    let path = env::current_exe().ok()?;
    Some(confine::real_path(&path).unwrap_or(path))
}

/// Returns the names of variables that hold secrets, by their names or by their values.
#[cfg(target_os = "linux")]
pub(crate) fn secret_variables() -> Vec<String> {
    let is_secret = |name: &str, value: &str| {
        let text = format!("{name}={value}");
        has_secret_name(name) || redact::Redacted::from_text(&text).as_str() != text
    };
    let all = env::vars_os().map(|(name, value)| (name.to_string_lossy().into_owned(), value));
    all.filter(|(name, value)| is_secret(name, &value.to_string_lossy())).map(|(name, _)| name).collect()
}

/// Returns whether a variable of this name holds a secret whatever its value looks like.
#[cfg(target_os = "linux")]
fn has_secret_name(name: &str) -> bool {
    const PARTS: [&str; 12] = [
        "APIKEY",
        "API_KEY",
        "ACCESS_KEY",
        "CREDENTIAL",
        "PASSPHRASE",
        "PASSWD",
        "PASSWORD",
        "PRIVATE_KEY",
        "SECRET",
        "TOKEN",
        "COOKIE",
        "_PAT",
    ];
    let name = name.to_ascii_uppercase();
    // `PATH` and its like continue after `_PAT`.
    PARTS.iter().any(|part| if *part == "_PAT" { name.ends_with(part) } else { name.contains(part) })
}

/// Returns the user's preferred output width.
pub(crate) fn columns() -> Option<usize> {
    env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns >= 20)
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
