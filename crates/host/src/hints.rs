//! The few facts of the environment that help to tell hosts apart.

/// What the caller saw in the environment of the hook process.
///
/// WHY: facts, not variables. `cli` alone reads the environment; and most of these
/// variables are inherited by whatever a host starts, so they only break ties.
/// `CLAUDE_PROJECT_DIR` is no fact at all: five hosts set it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one independent observation, none is a state")]
pub struct Hints {
    /// `CURSOR_VERSION` or `CURSOR_PROJECT_DIR` is set.
    pub cursor: bool,
    /// `GEMINI_SESSION_ID` is set (`GEMINI_PROJECT_DIR` will not do: Qwen sets it too).
    pub gemini_session: bool,
    /// `QWEN_CODE_SESSION_ID` or `QWEN_PROJECT_DIR` is set.
    pub qwen: bool,
    /// `COPILOT_CLI` is set.
    pub copilot_cli: bool,
    /// `VSCODE_PID` is set: an extension host's child has it, its terminals do not.
    pub vscode: bool,
    /// `CLAUDECODE` is set.
    pub claude_code: bool,
    /// `CODEX_HOME` or another `CODEX_…` variable is set.
    pub codex: bool,
}
