//! The plans of the settings files that only administrators can write.
//!
//! One line in a project's settings switches off the hooks of the user on every host, and those of an administrator
//! on Codex, Gemini CLI and Qwen Code, unless the administrator's own file fixes the setting: the pins. Claude Code
//! and Copilot CLI need none.

use super::hook_plan::{HookPlan, Pin};
use super::hook_plans;
use super::server::Form;
use crate::Host;

const IS_MAC: bool = cfg!(target_os = "macos");

/// WHY without VS Code: it reads no hooks from a folder of administrators. Copilot ignores a policy without
/// a `version`, and blocks everything if an entry of one has `command` instead of `bash`, unlike in a project's hooks.
pub(super) const COPILOT_POLICY: HookPlan = HookPlan {
    file: "etc/github-copilot/policy.d/steersman.json",
    hosts: &[Host::CopilotCli],
    command_key: "bash",
    versioned: true,
    notes: &["Copilot denies every tool call if it cannot start the hook"],
    registration: Some("managed"),
    ..hook_plans::COPILOT_HOOKS
};

pub(super) const CLAUDE_SETTINGS: HookPlan = HookPlan {
    file: if IS_MAC {
        "Library/Application Support/ClaudeCode/managed-settings.json"
    } else {
        "etc/claude-code/managed-settings.json"
    },
    notes: &[],
    registration: Some("managed"),
    ..hook_plans::CLAUDE_SETTINGS
};

/// Managed hooks of Codex need no trust.
pub(super) const CODEX_REQUIREMENTS: HookPlan = HookPlan {
    file: "etc/codex/requirements.toml",
    form: Form::Toml,
    pins: &[Pin { section: Some("features"), key: "hooks", value: true }],
    notes: &[],
    registration: Some("managed"),
    ..hook_plans::CODEX_HOOKS
};

pub(super) const GEMINI_SETTINGS: HookPlan = HookPlan {
    file: if IS_MAC {
        "Library/Application Support/GeminiCli/settings.json"
    } else {
        "etc/gemini-cli/settings.json"
    },
    pins: &[Pin { section: Some("hooksConfig"), key: "enabled", value: true }],
    notes: &[],
    registration: Some("managed"),
    ..hook_plans::GEMINI_SETTINGS
};

pub(super) const CURSOR_HOOKS: HookPlan = HookPlan {
    file: if IS_MAC { "Library/Application Support/Cursor/hooks.json" } else { "etc/cursor/hooks.json" },
    registration: Some("managed"),
    ..hook_plans::CURSOR_HOOKS
};

pub(super) const QWEN_SETTINGS: HookPlan = HookPlan {
    file: if IS_MAC {
        "Library/Application Support/QwenCode/settings.json"
    } else {
        "etc/qwen-code/settings.json"
    },
    pins: &[Pin { section: None, key: "disableAllHooks", value: false }],
    notes: &[],
    registration: Some("managed"),
    ..hook_plans::QWEN_SETTINGS
};
