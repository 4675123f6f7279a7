//! The tables: what is written into each settings file.
//!
//! Timeouts are the contract's (004 §2). The spellings and units are each host's
//! own; where two sources disagree, what a running program did decides.

use event::EventName::{
    PostToolUse, PreCompact, PreToolUse, SessionStart, Stop, SubagentStart, SubagentStop, UserPromptSubmit,
};

use super::plan::{HookRow, Plan, Shape, TimeoutUnit, WindowsShell};
use crate::Host;

/// The contract's spelling and timeouts, which VS Code, Copilot and Codex share.
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

/// Claude Code and Qwen tell of a failed tool call under a name of its own.
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

const GEMINI_ROWS: &[HookRow] = &[
    HookRow { key: "SessionStart", event: SessionStart, flags: &[], timeout_seconds: 15 },
    HookRow { key: "BeforeAgent", event: UserPromptSubmit, flags: &[], timeout_seconds: 10 },
    HookRow { key: "BeforeTool", event: PreToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "AfterTool", event: PostToolUse, flags: &[], timeout_seconds: 10 },
    HookRow { key: "PreCompress", event: PreCompact, flags: &[], timeout_seconds: 10 },
    HookRow { key: "AfterAgent", event: Stop, flags: &[], timeout_seconds: 15 },
];

/// Cursor asks about a shell command twice: under `preToolUse`, where it accepts
/// an `ask` and does not heed it, and under `beforeShellExecution`, where it does.
/// So the first leaves shell commands to the second.
///
/// WHY: no `failClosed`. We always answer; the one failure left is a missing
/// binary, and that must not take the editor away from the person who has to
/// mend it.
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
/// WHY: no `version`. A numeric one makes VS Code read the file in Copilot's
/// camelCase form, whose payloads do not even name their event. `PascalCase` keys
/// are understood by both.
pub(super) const COPILOT_HOOKS: Plan = Plan {
    file: ".github/hooks/steersman.json",
    hosts: &[Host::VsCode, Host::CopilotCli],
    host_flag: None,
    shape: Shape::Flat,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    named: false,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: CONTRACT_ROWS,
    notes: &[
        "VS Code and Copilot CLI both read this file; which of them calls is told from the payload",
        "Copilot denies every tool call when it cannot start the hook: whoever works in this repository, the cloud agent too, needs `steersman` installed",
        "VS Code runs hooks while `chat.useHooks` is on; Copilot CLI runs a repository's hooks only in a folder you trust",
    ],
};

/// WHY: no `--host`. Copilot CLI reads this file too, and VS Code and Cursor can; what they
/// send has to be told from the payload, or their calls are judged and filed as Claude's.
pub(super) const CLAUDE_SETTINGS: Plan = Plan {
    file: ".claude/settings.json",
    hosts: &[Host::ClaudeCode],
    host_flag: None,
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    named: false,
    versioned: false,
    windows_shell: WindowsShell::BashOrCmd,
    rows: CLAUDE_ROWS,
    notes: &[
        "Copilot CLI reads this file too, and so do VS Code with `chat.useClaudeHooks` and Cursor with third-party hooks: which of them calls is told from the payload, and what arrives twice is recorded once",
    ],
};

/// WHY: Codex runs hooks under `PowerShell` on Windows by what its users report,
/// although its source also has a path through cmd.
pub(super) const CODEX_HOOKS: Plan = Plan {
    file: ".codex/hooks.json",
    hosts: &[Host::Codex],
    host_flag: Some(Host::Codex),
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    named: false,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: CONTRACT_ROWS,
    notes: &[
        "Codex skips new and changed hooks without a word until you trust them: run `codex` here, trust the project, then open `/hooks` and trust the entries of steersman",
    ],
};

pub(super) const GEMINI_SETTINGS: Plan = Plan {
    file: ".gemini/settings.json",
    hosts: &[Host::Gemini],
    host_flag: Some(Host::Gemini),
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Milliseconds,
    typed: true,
    named: true,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: GEMINI_ROWS,
    notes: &[
        "Gemini CLI warns once about new project hooks and runs them only in a folder you trust; `/hooks` lists them",
    ],
};

pub(super) const CURSOR_HOOKS: Plan = Plan {
    file: ".cursor/hooks.json",
    hosts: &[Host::Cursor],
    host_flag: Some(Host::Cursor),
    shape: Shape::Flat,
    timeout_unit: TimeoutUnit::Seconds,
    typed: false,
    named: false,
    versioned: true,
    windows_shell: WindowsShell::BashOrCmd,
    rows: CURSOR_ROWS,
    notes: &["Cursor can ask a person only about shell commands; about other tools it knows allow and deny"],
};

/// WHY: milliseconds, unlike the Claude settings these resemble: Qwen hands the
/// number to a timer as it is.
pub(super) const QWEN_SETTINGS: Plan = Plan {
    file: ".qwen/settings.json",
    hosts: &[Host::Qwen],
    host_flag: Some(Host::Qwen),
    shape: Shape::Grouped,
    timeout_unit: TimeoutUnit::Milliseconds,
    typed: true,
    named: true,
    versioned: false,
    windows_shell: WindowsShell::BashOrCmd,
    rows: CLAUDE_ROWS,
    notes: &["Qwen Code runs project hooks only in a folder you trust; `/hooks` lists them"],
};

pub(super) const LEGACY_HOOKS: Plan = Plan {
    file: ".github/hooks.json",
    hosts: &[],
    host_flag: None,
    shape: Shape::Flat,
    timeout_unit: TimeoutUnit::Seconds,
    typed: true,
    named: false,
    versioned: false,
    windows_shell: WindowsShell::PowerShell,
    rows: CONTRACT_ROWS,
    notes: &["No host is known to read this file; it is the contract's form, for programs of your own"],
};
