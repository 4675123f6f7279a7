//! The plans of the user's own settings files, which a host reads in every folder.
//!
//! WHY they are needed: Claude Code, Gemini CLI and Qwen Code read no project settings when they are started in a
//! subfolder, and a linked checkout has no settings that were not committed.

use super::hook_plan::HookPlan;
use super::hook_plans;

/// WHY another file than the project's: `.github` in the home is not read.
pub(super) const COPILOT_HOOKS: HookPlan = HookPlan {
    file: ".copilot/hooks/steersman.json",
    registration: Some("user"),
    notes: &[
        "VS Code and Copilot CLI both read this file; steersman tells them apart by the payload",
        "Copilot denies every tool call if it cannot start the hook",
    ],
    ..hook_plans::COPILOT_HOOKS
};

pub(super) const CLAUDE_SETTINGS: HookPlan = HookPlan {
    notes: &[
        "VS Code with `chat.useClaudeHooks` and Cursor with third-party hooks read this file too: steersman tells them apart by the payload and records a duplicate event once",
    ],
    ..hook_plans::CLAUDE_SETTINGS
};

pub(super) const CODEX_HOOKS: HookPlan = HookPlan {
    notes: &[
        "Codex silently skips new and changed hooks until you trust them: run `codex`, open `/hooks` and trust the entries of steersman",
    ],
    ..hook_plans::CODEX_HOOKS
};

pub(super) const GEMINI_SETTINGS: HookPlan = HookPlan { notes: &[], ..hook_plans::GEMINI_SETTINGS };

pub(super) const CURSOR_HOOKS: HookPlan = HookPlan { ..hook_plans::CURSOR_HOOKS };

pub(super) const QWEN_SETTINGS: HookPlan = HookPlan { notes: &[], ..hook_plans::QWEN_SETTINGS };
