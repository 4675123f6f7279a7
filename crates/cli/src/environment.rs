//! Every environment variable steersman looks at, in one place.

use std::env;
use std::path::{Path, PathBuf};

use event::AbsPath;
use host::Hints;

/// Where the user's own state is kept, if the user wants it elsewhere.
pub(crate) const STATE_DIR: &str = "STEERSMAN_STATE_DIR";

/// The agent that a program was started as; `steersman agent run` sets it.
pub(crate) const AGENT: &str = "STEERSMAN_AGENT";

/// Returns the folder for the user's own state: trusted workspaces and caches.
pub(crate) fn user_state() -> Option<AbsPath> {
    let chosen = path(STATE_DIR)
        .or_else(|| path("XDG_STATE_HOME").map(|dir| dir.join("steersman")))
        .or_else(|| path("LOCALAPPDATA").map(|dir| dir.join("steersman")))
        .or_else(|| home().map(|home| home.as_path().join(".local/state/steersman")))?;
    AbsPath::new(chosen).ok()
}

/// Returns every variable there is, for the programs that automations start.
pub(crate) fn variables() -> impl Iterator<Item = (std::ffi::OsString, std::ffi::OsString)> {
    env::vars_os()
}

/// Returns the folder the process runs in. One that was removed under our feet is replaced
/// by the folder for temporary files: what is recorded there does no harm.
pub(crate) fn folder() -> AbsPath {
    let here = env::current_dir().ok().and_then(|dir| AbsPath::new(dir).ok());
    here.or_else(|| AbsPath::new(env::temp_dir()).ok()).unwrap_or_else(AbsPath::root)
}

/// Where agent programs say which project they were opened in. Nearly all of them set the first; an agent has
/// no hand in any.
const PROJECT: [&str; 5] = [
    "CLAUDE_PROJECT_DIR",
    "CURSOR_PROJECT_DIR",
    "GEMINI_PROJECT_DIR",
    "QWEN_PROJECT_DIR",
    "COPILOT_PROJECT_DIR",
];

/// Returns the project the agent program was opened in.
pub(crate) fn project() -> Option<AbsPath> {
    PROJECT.iter().find_map(|name| AbsPath::new(path(name)?).ok())
}

/// Returns the agent that `steersman agent run` started the host as.
pub(crate) fn running_agent() -> Option<String> {
    env::var_os(AGENT).filter(|name| !name.is_empty()).map(|name| name.to_string_lossy().into_owned())
}

/// Returns the automations that led to this process.
pub(crate) fn automation_chain() -> automation::Chain {
    env::var(automation::Chain::VARIABLE).map(|it| automation::Chain::from_variable(&it)).unwrap_or_default()
}

/// Returns the user's home.
pub(crate) fn home() -> Option<AbsPath> {
    path("HOME").or_else(|| path("USERPROFILE")).and_then(|home| AbsPath::new(home).ok())
}

/// Returns what the environment says about the host that started us.
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

/// Where editors keep their extensions, if not in their usual folders; a list like `PATH`.
const EXTENSION_DIRS: &str = "STEERSMAN_EXTENSION_DIRS";

/// Returns the folders in which editors keep their extensions.
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
    candidates.into_iter().find(|candidate| is_executable(candidate))
}

/// Returns whether this is a program that may be started.
pub(crate) fn is_executable(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    meta.is_file() && may_run
}

/// Returns the file this process was started from.
pub(crate) fn running_program() -> Option<PathBuf> {
    let path = env::current_exe().ok()?;
    Some(path.canonicalize().unwrap_or(path))
}

/// Returns how wide the person wants the output.
pub(crate) fn columns() -> Option<usize> {
    env::var("COLUMNS").ok()?.parse().ok().filter(|columns| *columns >= 20)
}

fn is_set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

fn path(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
