//! Approves calls that are proven harmless, so that the host does not ask about them.
//!
//! INVARIANT: an approval needs a proof of every part: the project wants it, no module objects or failed, the call stays
//! in the workspace, shows no secret, uses no network and no higher rights, or runs where the kernel keeps it from all of
//! these, and no rule of the user in the host's own settings is about it. Without one of them steersman abstains, and the host asks as it would without it.
//!
//! WHY no module: where `approve` is off, which is the default, an event must not pay for it.

mod call_paths;
pub(crate) mod copilot_process;
mod doubtful_word;
mod endless;
mod expansion;
mod fed_names;
mod folder_survey;
mod git_read;
mod later_code;
mod name_pattern;
mod option_list;
mod plain_text;
mod planted_program;
mod sealed_proof;
mod shell_proof;
mod user_rules;
mod version_query;

use std::path::PathBuf;
use std::time::Duration;

use event::{Decision, Detail, ToolCall, ToolKind};
use host::Host;
use host::user_rules::CallFacts;
use modules::{Action, Context};
use project_config::{ApproveMode, Config};
use serde_json::json;
use store::Workspace;

use crate::merged_verdict::MergedVerdict;
use crate::pipeline::{PipelineReport, Report, StepResult};

/// The name under which the record of a run lists the approval.
pub(crate) const NAME: &str = ApproveMode::SECTION;

/// The name of the basis of calls that run sealed.
pub const SEALED_BASIS: &str = "sealed";

/// Why a call is approved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Basis {
    /// It is proven to change nothing.
    ReadOnly,
    /// All its writes are known and in the scope of the active intent.
    InScope,
    /// It runs sealed: confined to that scope, without the network, with everything private hidden.
    Sealed,
}

impl Basis {
    /// Returns its name in records.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::InScope => "in-scope",
            Self::Sealed => SEALED_BASIS,
        }
    }
}

/// Where the host waits for the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    /// Before the call; the host has not decided whether to ask.
    Call,
    /// The host is about to ask.
    Prompt {
        /// Whether the host says that no rule of the user causes the question.
        is_merely_unlisted: bool,
    },
}

/// Returns the mode of the project. A mistake in the setting switches approvals off.
fn mode(context: &Context<'_>) -> ApproveMode {
    let section = context.config.section(NAME);
    section.as_str().and_then(ApproveMode::parse).unwrap_or_default()
}

/// Returns why steersman never answers a host's prompts; `None` if it does.
pub const fn why_impossible(host: Host) -> Option<&'static str> {
    match host {
        Host::Gemini => Some("Gemini CLI applies its own policies even to a call that a hook allows"),
        Host::VsCode => Some("it is untested whether VS Code's own rules override a hook's allow"),
        Host::ClaudeCode | Host::CopilotCli | Host::Codex | Host::Cursor | Host::Qwen | Host::Raw => None,
    }
}

/// Returns whether a workspace approves calls.
pub(crate) fn is_on(workspace: &Workspace) -> bool {
    let config = Config::load(workspace).unwrap_or_default();
    config.section(NAME).as_str().and_then(ApproveMode::parse).unwrap_or_default() != ApproveMode::Off
}

/// Returns the warning at the start of a session in which the setting has no effect.
pub(crate) fn notice(context: &Context<'_>) -> Option<String> {
    let section = context.config.section(NAME);
    if section.is_null() || !matches!(context.event.detail, Detail::SessionStart { .. }) {
        return None;
    }
    match section.as_str().and_then(ApproveMode::parse) {
        None => Some(format!("`{NAME}` in config.json is ignored: use `read-only`, `in-scope` or `off`")),
        Some(ApproveMode::Off) => None,
        Some(_) => why_impossible(context.host).map(|why| format!("`{NAME}` has no effect here: {why}")),
    }
}

/// Returns why the call of an event is approved, if the modules leave it to the host; `None` if it is not. `can_seal` says
/// whether the call runs sealed if it is approved for that.
pub(crate) fn of_event(
    context: &Context<'_>,
    merged: &MergedVerdict,
    reports: &PipelineReport,
    question: Question,
    can_seal: bool,
    program_folders: fn() -> Vec<PathBuf>,
) -> Option<Basis> {
    let Detail::PreToolUse { call } = &context.event.detail else { return None };
    let is_open = matches!(merged.verdict.decision, Decision::Abstain | Decision::Allow);
    // What the modules make of the input was not judged.
    let is_open = is_open && merged.verdict.rewrite.is_none();
    let basis = is_open.then(|| judge(context, call, reports, question, can_seal)).flatten()?;
    // Last, as it looks into folders outside of the workspace.
    let is_planted =
        call.command.as_ref().is_some_and(|line| planted_program::is_in(context, line, program_folders));
    (!is_planted).then_some(basis)
}

/// Returns whether a rule of the user denies a call or asks about it, or the rules cannot be read.
pub(crate) fn user_rules_object(context: &Context<'_>, call: &ToolCall, facts: CallFacts) -> bool {
    user_rules::speak_of(context, call, facts) == user_rules::Ruling::Objects
}

/// Makes the verdict approve the call, and the record name the basis.
pub(crate) fn apply(basis: Basis, merged: &mut MergedVerdict, reports: &mut PipelineReport) {
    merged.verdict.decision = Decision::Allow;
    merged.decided_by = Some(NAME.to_owned());
    let metrics = Some(json!({"basis": basis.as_str()}));
    let action = Action { decision: Decision::Allow, metrics, ..Action::default() };
    let result = StepResult::Acted(Box::new(action));
    reports.modules.push(Report { module: NAME.to_owned(), took: Duration::ZERO, result });
}

/// Takes an approval back, so that the host asks.
pub(crate) fn withdraw(merged: &mut MergedVerdict, reports: &mut PipelineReport) {
    merged.verdict.decision = Decision::Abstain;
    merged.decided_by = None;
    reports.modules.retain(|report| report.module != NAME);
}

/// Returns why a call is approved; `None` if it is not, at no cost where approvals are off.
fn judge(
    context: &Context<'_>,
    call: &ToolCall,
    reports: &PipelineReport,
    question: Question,
    can_seal: bool,
) -> Option<Basis> {
    if context.config.section(NAME).is_null() {
        return None;
    }
    judge_switched_on(context, call, reports, question, can_seal)
}

/// WHY not inlined: every run would pay for the stack frame.
#[inline(never)]
fn judge_switched_on(
    context: &Context<'_>,
    call: &ToolCall,
    reports: &PipelineReport,
    question: Question,
    can_seal: bool,
) -> Option<Basis> {
    let mode = mode(context);
    if mode == ApproveMode::Off || !saves_a_prompt(context, question) || host::leaves_sandbox(&call.input) {
        return None;
    }
    let is_agreed = reports.events.is_empty()
        && reports.modules.iter().all(|report| {
            let has_acted = matches!(&report.result, StepResult::Acted(action) if action.mistakes.is_empty());
            has_acted && matches!(report.decision(), Decision::Abstain | Decision::Allow)
        });
    if !is_agreed {
        return None;
    }
    let (basis, facts) = match call.kind {
        ToolKind::Shell if !host::is_understood(context.host, call) => return None,
        ToolKind::Shell => {
            let command = call.command.as_ref()?;
            // Before the call only: the host's question comes when the call is recorded already, and not as sealed.
            let can_seal = can_seal && question == Question::Call;
            let sealed = || Some((Basis::Sealed, sealed_proof::of(context, command)?));
            shell_proof::of(context, command).or_else(|| can_seal.then(sealed).flatten())?
        }
        ToolKind::Read | ToolKind::Search | ToolKind::Write => call_paths::of(context, call)?,
        _ => return None,
    };
    if basis != Basis::ReadOnly && mode != ApproveMode::InScope {
        return None;
    }
    let is_free = user_rules::speak_of(context, call, facts) == user_rules::Ruling::None;
    is_free.then_some(basis)
}

/// Returns whether an allow is an answer that the host reads here, and the user has not switched to a mode in which
/// nothing is approved.
fn saves_a_prompt(context: &Context<'_>, question: Question) -> bool {
    if why_impossible(context.host).is_some() {
        return false;
    }
    let mode = context.event.permission_mode.as_deref();
    let asks = match context.host {
        // `dontAsk` refuses what no rule allows, `bypassPermissions` asks about nothing.
        Host::ClaudeCode => matches!(mode, None | Some("default" | "acceptEdits" | "auto")),
        Host::Qwen => {
            matches!(mode, None | Some("default" | "auto-edit" | "autoEdit" | "auto_edit" | "auto"))
        }
        Host::Codex => !matches!(mode, Some("plan")),
        Host::VsCode | Host::CopilotCli | Host::Gemini | Host::Cursor | Host::Raw => {
            mode.is_none_or(|mode| mode == "default")
        }
    };
    let is_read_here = match (context.host, question) {
        (Host::Codex | Host::Qwen, Question::Call) => false,
        (Host::ClaudeCode, Question::Prompt { is_merely_unlisted }) => is_merely_unlisted,
        (Host::ClaudeCode, Question::Call)
        | (Host::Codex | Host::Qwen, Question::Prompt { .. })
        | (Host::VsCode | Host::CopilotCli | Host::Gemini | Host::Cursor | Host::Raw, _) => true,
    };
    asks && is_read_here
}
