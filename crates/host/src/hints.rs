//! Facts about the environment that help to distinguish hosts.

/// Facts that the caller observed in the environment of the hook process.
///
/// WHY facts and not variables: only `cli` reads the environment; and child processes of a host
/// inherit most of these variables, so they only break ties. `CLAUDE_PROJECT_DIR` is not included:
/// five hosts set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent observation, none is a state")]
pub struct Hints {
    /// `CURSOR_VERSION` or `CURSOR_PROJECT_DIR` is set.
    pub cursor: bool,
    /// `GEMINI_SESSION_ID` is set (not `GEMINI_PROJECT_DIR`, which Qwen sets too).
    pub gemini_session: bool,
    /// `QWEN_CODE_SESSION_ID` or `QWEN_PROJECT_DIR` is set.
    pub qwen: bool,
    /// `COPILOT_CLI` is set.
    pub copilot_cli: bool,
    /// `VSCODE_PID` is set: in children of the extension host, but not in terminals.
    pub vscode: bool,
    /// `CLAUDECODE` is set.
    pub claude_code: bool,
    /// `CODEX_HOME` or another `CODEX_…` variable is set.
    pub codex: bool,
}
