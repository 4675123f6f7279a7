//! `shell-guard`: denies irreversible destruction, asks about risks, abstains from the rest.
//!
//! The rules are data of the `shell` crate; this module applies the project's levels and words a finding for the model. It
//! checks tools that write without a shell against the rules about files, too: an agent must not change keys, start-up
//! files or the files that govern it.

mod disk;
mod file_tool;
mod git_changes;
mod kept_shell;
mod settings;

use event::{CommandLine, Decision, Detail, EventName};
use serde_json::{Map, json};
use shell::guard::{Finding, Level, Verdict, judge};
use shell::{Place, TypedInput};

pub use disk::Disk;
pub(crate) use kept_shell::earlier_lines;
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
        let sentences = |level| {
            let findings = judgement.reasons.iter().filter(move |finding| finding.level == level);
            findings.map(sentence).collect::<Vec<_>>()
        };
        let mut warnings = sentences(Level::Warn);
        warnings.extend(complaints);
        let decision = match judgement.verdict {
            Verdict::Allow => Decision::Abstain,
            Verdict::Ask => Decision::Ask { reason: sentences(Level::Ask).join("\n") },
            Verdict::Deny => Decision::Deny { reason: sentences(Level::Deny).join("\n") },
        };
        let rules: Vec<_> = judgement.reasons.iter().map(|finding| finding.rule.name()).collect();
        let metrics = (!rules.is_empty()).then(|| json!({"class": reading.class.name(), "rules": rules}));
        let is_kept = context.host.keeps_shell() && judgement.verdict != Verdict::Deny && reading.sets_shell;
        let state_patch = if is_kept { kept_shell::record(context, &command.text) } else { Map::new() };
        Ok(Action { decision, state_patch, warnings, metrics, ..Action::default() })
    }
}

/// Returns the working folder of the command: its own, else the session's, else the workspace.
pub(crate) fn folder(context: &Context<'_>, command: &CommandLine) -> String {
    real_folder(context.workspace.root(), context.folder(), command.cwd.as_deref()).to_string()
}

/// Returns the place of a command for the shell reader; `cwd` is its working folder.
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
        earlier: context.earlier_lines(),
        files: context,
    }
}

/// Words a finding and its alternative for the model.
fn sentence(finding: &Finding) -> String {
    format!("{} (rule `{}`). Instead: {}", finding.text.trim_end_matches('.'), finding.rule, finding.hint)
}
