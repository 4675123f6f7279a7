//! `shell-guard`: denies what destroys beyond repair, asks about what is risky, says
//! nothing about the rest.
//!
//! The rules are data of the `shell` crate; here is only what a project makes of them and
//! how a finding is put to the model. A tool that writes without a shell is held against the
//! rules about files too: keys, start-up files and what governs an agent are not its own to change.

mod disk;
mod file_tool;
mod settings;

use event::{CommandLine, Decision, Detail, EventName};
use serde_json::json;
use shell::guard::{Finding, Level, Verdict, judge};
use shell::{Place, TypedInput};

pub use disk::Disk;
pub use settings::{RuleSetting, Settings};

use crate::call_folder::real_folder;
use crate::{Action, Context, Module, ModuleFailure, Profile};

/// The module `shell-guard`.
pub struct ShellGuard;

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "shell-guard";

impl Module for ShellGuard {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            supports: &[EventName::PreToolUse],
            priority: 8,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let Detail::PreToolUse { call } = &context.event.detail else { return Ok(Action::default()) };
        let (policy, complaints) = Settings::policy(context.config.section(NAME));
        let Some(command) = &call.command else {
            let (decision, mut warnings) = file_tool::judge(context, call, &policy);
            warnings.extend(complaints);
            return Ok(Action { decision, warnings, ..Action::default() });
        };
        let reading = context.reading(command);
        let judgement = judge(reading, &policy);
        let said = |level| {
            let findings = judgement.reasons.iter().filter(move |finding| finding.level == level);
            findings.map(sentence).collect::<Vec<_>>()
        };
        let mut warnings = said(Level::Warn);
        warnings.extend(complaints);
        let decision = match judgement.verdict {
            Verdict::Allow => Decision::Abstain,
            Verdict::Ask => Decision::Ask { reason: said(Level::Ask).join("\n") },
            Verdict::Deny => Decision::Deny { reason: said(Level::Deny).join("\n") },
        };
        let rules: Vec<_> = judgement.reasons.iter().map(|finding| finding.rule.name()).collect();
        let metrics = (!rules.is_empty()).then(|| json!({"class": reading.class.name(), "rules": rules}));
        Ok(Action { decision, warnings, metrics, ..Action::default() })
    }
}

/// Returns the folder the command starts in: its own, else the session's, else the workspace.
pub(crate) fn folder(context: &Context<'_>, command: &CommandLine) -> String {
    real_folder(context.workspace.root(), context.folder(), command.cwd.as_deref()).to_string()
}

/// Returns where a command is read; `cwd` is the folder it starts in.
pub(crate) fn place<'a>(context: &'a Context<'_>, command: &CommandLine, cwd: &'a str) -> Place<'a> {
    Place {
        cwd,
        home: context.home.and_then(|home| home.as_path().to_str()),
        user_state: context.user_state.and_then(|state| state.as_path().to_str()),
        workspace: context.workspace.root().as_path().to_str(),
        dialect: match command.dialect {
            event::Dialect::Posix => shell::Dialect::Posix,
            event::Dialect::PowerShell => shell::Dialect::PowerShell,
            event::Dialect::Cmd => shell::Dialect::Cmd,
        },
        typed: if context.host.announces_typed_input() {
            TypedInput::Announced
        } else {
            TypedInput::Unannounced
        },
        files: &Disk,
    }
}

/// Says to the model what is wrong and what to do instead.
fn sentence(finding: &Finding) -> String {
    format!("{} (rule `{}`). Instead: {}", finding.text.trim_end_matches('.'), finding.rule, finding.hint)
}
