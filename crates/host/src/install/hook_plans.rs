//! The plans: the entries of each settings file.
//!
//! Timeouts are the contract's (004 §2). Names and units are each host's own; where two sources
//! disagree, the behaviour of the running program decides.

use event::EventName::{
    PostToolUse, PreCompact, PreToolUse, SessionStart, Stop, SubagentStart, SubagentStop, UserPromptSubmit,
};

use super::hook_plan::{HookPlan, HookRow, Shape, TimeoutUnit, WindowsShell};
use super::server::Form;
use crate::Host;

/// The contract's names and timeouts, which Codex shares.
const CONTRACT_ROWS: &[HookRow] = &[
    HookRow { key: "SessionStart", event: SessionStart, flags: &[], timeout_seconds: 15 },
    HookRow { key: "UserPromptSubmit", event: UserPromptSubmit, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PreToolUse", event: PreToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PostToolUse", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PreCompact", event: PreCompact, flags: &[], timeout_seconds: 10 },
    HookRow { key: "Stop", event: Stop, flags: &[], timeout_seconds: 15 },
    HookRow { key: "SubagentStart", event: SubagentStart, flags: &[], timeout_seconds: 10 },
    HookRow { key: "SubagentStop", event: SubagentStop, flags: &[], timeout_seconds: 10 },
];

/// Claude Code, Qwen and Copilot report a failed tool call under a separate name.
const CLAUDE_ROWS: &[HookRow] = &[
    HookRow { key: "SessionStart", event: SessionStart, flags: &[], timeout_seconds: 15 },
    HookRow { key: "UserPromptSubmit", event: UserPromptSubmit, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PreToolUse", event: PreToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PostToolUse", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PostToolUseFailure", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PreCompact", event: PreCompact, flags: &[], timeout_seconds: 10 },
    HookRow { key: "Stop", event: Stop, flags: &[], timeout_seconds: 15 },
    HookRow { key: "SubagentStart", event: SubagentStart, flags: &[], timeout_seconds: 10 },
    HookRow { key: "SubagentStop", event: SubagentStop, flags: &[], timeout_seconds: 10 },
];

/// The event with which programs announce that they are about to ask their user.
pub(super) const PERMISSION_REQUEST: &str = "PermissionRequest";

/// Claude Code, Qwen and Codex announce that they are about to ask the user. The command names the event before the
/// call; the payload tells them apart.
pub(super) const PERMISSION_ROW: HookRow =
    HookRow { key: PERMISSION_REQUEST, event: PreToolUse, flags: &[], timeout_seconds: 10 };

const GEMINI_ROWS: &[HookRow] = &[
    HookRow { key: "SessionStart", event: SessionStart, flags: &[], timeout_seconds: 15 },
    HookRow { key: "BeforeAgent", event: UserPromptSubmit, flags: &[], timeout_seconds: 10 },
    HookRow { key: "BeforeTool", event: PreToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "AfterTool", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PreCompress", event: PreCompact, flags: &[], timeout_seconds: 10 },
    HookRow { key: "AfterAgent", event: Stop, flags: &[], timeout_seconds: 15 },
];

/// Cursor asks about a shell command twice: under `preToolUse`, where it accepts an `ask` and ignores
/// it, and under `beforeShellExecution`, where it enforces it. So the first leaves shell commands to
/// the second.
///
/// WHY not the same with `beforeMCPExecution`: Cursor's cloud agents do not run it, so calls of MCP servers would pass
/// unjudged there. Under `preToolUse` an `ask` about such a call becomes a `deny` that says what the user can do.
///
/// WHY no `failClosed`: we always answer; the only remaining failure is a missing binary, and that
/// must not lock the user out of the editor needed to repair it.
const CURSOR_ROWS: &[HookRow] = &[
    HookRow { key: "sessionStart", event: SessionStart, flags: &[], timeout_seconds: 15 },
    HookRow { key: "beforeSubmitPrompt", event: UserPromptSubmit, flags: &[], timeout_seconds: 10 },
    HookRow { key: "preToolUse", event: PreToolUse, flags: &["--skip-shell"], timeout_seconds: 10 },
    HookRow { key: "beforeShellExecution", event: PreToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "postToolUse", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "postToolUseFailure", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "preCompact", event: PreCompact, flags: &[], timeout_seconds: 10 },
    HookRow { key: "stop", event: Stop, flags: &[], timeout_seconds: 15 },
    HookRow { key: "subagentStart", event: SubagentStart, flags: &[], timeout_seconds: 10 },
    HookRow { key: "subagentStop", event: SubagentStop, flags: &[], timeout_seconds: 10 },
];

/// One file for VS Code and Copilot, which both read the folder.
///
/// WHY no `version`: a numeric one makes VS Code read the file in Copilot's camelCase form, whose
/// payloads do not name their event. Both understand `PascalCase` keys. WHY a name of the registration: Copilot gives
/// calls no id, and equal calls of one message the same timestamp.
pub(super) const COPILOT_HOOKS: HookPlan = HookPlan {
    file: ".github/hooks/steersman.json",
    form: Form::Json,
    hosts: &[Host::VsCode, Host::CopilotCli],
    host_flag: None,
    registration: Some("project"),
    shape: Shape::Flat,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    command_key: "command",
    named: false,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: CLAUDE_ROWS,
    pins: &[],
    notes: &[
        "VS Code and Copilot CLI both read this file; steersman tells them apart by the payload",
        "Copilot denies every tool call if it cannot start the hook: every user of this repository, including the cloud agent, needs `steersman` installed",
        "VS Code runs hooks while `chat.useHooks` is on; Copilot CLI runs a repository's hooks only in a folder you trust",
    ],
};

/// WHY no `--host`: Copilot CLI reads this file too, and VS Code and Cursor can; steersman must
/// recognise their payloads, or it would judge and record their calls as Claude's.
pub(super) const CLAUDE_SETTINGS: HookPlan = HookPlan {
    file: ".claude/settings.json",
    form: Form::Json,
    hosts: &[Host::ClaudeCode],
    host_flag: None,
    registration: None,
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    command_key: "command",
    named: false,
    versioned: false,
    windows_shell: WindowsShell::BashOrCmd,
    rows: CLAUDE_ROWS,
    pins: &[],
    notes: &[
        "Copilot CLI reads this file too, and so do VS Code with `chat.useClaudeHooks` and Cursor with third-party hooks: steersman tells them apart by the payload and records a duplicate event once",
    ],
};

/// The settings of one user in one project; Claude Code keeps the file out of git.
pub(super) const CLAUDE_LOCAL_SETTINGS: HookPlan =
    HookPlan { file: ".claude/settings.local.json", ..CLAUDE_SETTINGS };

/// WHY: according to users, Codex runs hooks under `PowerShell` on Windows, although its source also
/// has a path through cmd.
pub(super) const CODEX_HOOKS: HookPlan = HookPlan {
    file: ".codex/hooks.json",
    form: Form::Json,
    hosts: &[Host::Codex],
    host_flag: Some(Host::Codex),
    registration: None,
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    command_key: "command",
    named: false,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: CONTRACT_ROWS,
    pins: &[],
    notes: &[
        "Codex skips new and changed hooks until you trust them: run `codex` here, trust the project, and answer \"Hooks need review\" with \"Trust all and continue\" (later: `/hooks`); `codex exec` skips untrusted hooks silently",
    ],
};

pub(super) const GEMINI_SETTINGS: HookPlan = HookPlan {
    file: ".gemini/settings.json",
    form: Form::Json,
    hosts: &[Host::Gemini],
    host_flag: Some(Host::Gemini),
    registration: None,
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Milliseconds,
    typed: true,
    command_key: "command",
    named: true,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: GEMINI_ROWS,
    pins: &[],
    notes: &[
        "Gemini CLI warns once about new project hooks and runs them only in a folder you trust; `/hooks` lists them",
    ],
};

pub(super) const CURSOR_HOOKS: HookPlan = HookPlan {
    file: ".cursor/hooks.json",
    form: Form::Json,
    hosts: &[Host::Cursor],
    host_flag: Some(Host::Cursor),
    registration: None,
    shape: Shape::Flat,
    timeout_unit: TimeoutUnit::Seconds,
    typed: false,
    command_key: "command",
    named: false,
    versioned: true,
    windows_shell: WindowsShell::BashOrCmd,
    rows: CURSOR_ROWS,
    pins: &[],
    notes: &["Cursor can ask the user only about shell commands; for other tools it supports allow and deny"],
};

/// WHY milliseconds, unlike the Claude settings these resemble: Qwen passes the number to a timer
/// unchanged.
pub(super) const QWEN_SETTINGS: HookPlan = HookPlan {
    file: ".qwen/settings.json",
    form: Form::Json,
    hosts: &[Host::Qwen],
    host_flag: Some(Host::Qwen),
    registration: None,
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Milliseconds,
    typed: true,
    command_key: "command",
    named: true,
    versioned: false,
    windows_shell: WindowsShell::BashOrCmd,
    rows: CLAUDE_ROWS,
    pins: &[],
    notes: &["Qwen Code runs project hooks only in a folder you trust; `/hooks` lists them"],
};

pub(super) const LEGACY_HOOKS: HookPlan = HookPlan {
    file: ".github/hooks.json",
    form: Form::Json,
    hosts: &[],
    host_flag: None,
    registration: None,
    shape: Shape::Flat,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    command_key: "command",
    named: false,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: CONTRACT_ROWS,
    pins: &[],
    notes: &["No known host reads this file; it has the contract's form, for your own programs"],
};
