//! The payloads recorded from the real programs.

use std::fs;
use std::path::{Path, PathBuf};

use host::{Hints, Host};
use serde_json::Value;

/// One recorded hook event.
pub(crate) struct Fixture {
    /// Folder and file name, such as `claude/Stop`.
    pub(crate) name: String,
    pub(crate) host: Host,
    /// The event the hook was registered for, in the host's spelling.
    pub(crate) registered: String,
    pub(crate) payload: Value,
    pub(crate) hints: Hints,
}

/// Returns all fixtures, sorted by name.
pub(crate) fn all() -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/hosts");
    let fixtures: Vec<Fixture> =
        entries(&root).iter().flat_map(|folder| entries(folder)).map(|file| read(&file)).collect();
    assert!(fixtures.len() >= 80, "only {} fixtures found", fixtures.len());
    fixtures
}

fn read(file: &Path) -> Fixture {
    let recorded: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let folder = file.parent().unwrap().file_name().unwrap().to_str().unwrap().to_owned();
    let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
    let set = |variable: &str| recorded["env"].get(variable).is_some();
    Fixture {
        host: match folder.as_str() {
            "claude" => Host::ClaudeCode,
            "codex" => Host::Codex,
            "copilot" => Host::CopilotCli,
            "gemini" => Host::Gemini,
            "qwen" => Host::Qwen,
            other => panic!("no host for the folder {other}"),
        },
        registered: stem.split('_').next().unwrap().to_owned(),
        payload: recorded["stdin"].clone(),
        hints: Hints {
            cursor: set("CURSOR_VERSION"),
            gemini_session: set("GEMINI_SESSION_ID"),
            qwen: set("QWEN_PROJECT_DIR"),
            copilot_cli: set("COPILOT_CLI"),
            vscode: set("VSCODE_PID"),
            claude_code: set("CLAUDECODE"),
            codex: set("CODEX_HOME"),
        },
        name: format!("{folder}/{stem}"),
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}
