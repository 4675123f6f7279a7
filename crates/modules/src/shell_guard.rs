//! `shell-guard`: denies irreversible destruction, asks about risks, abstains from the rest.
//!
//! The rules are data of the `shell` crate; this module applies the project's levels and words a finding for the model. It
//! checks tools that write without a shell against the rules about files, too: an agent must not change keys, start-up
//! files or the files that govern it.

mod argument;
mod definition;
mod disk;
mod file_tool;
mod git_changes;
mod kept_shell;
mod mcp_server;
mod remembered_disk;

use event::{CommandLine, Decision, Detail, EventName, ToolKind};
use serde_json::{Map, json};
use shell::guard::{Finding, Level, RuleId, judge};
use shell::{Place, TypedInput};

pub use disk::Disk;
use file_tool::Outcome;
pub use git_changes::changed_files;
pub(crate) use git_changes::committed_blobs;
pub(crate) use kept_shell::earlier_lines;
pub use mcp_server::{DefinedServer, UserSettings, defined_servers};
use project_config::guard::{NetworkSettings, Settings, host_refusal};
pub use remembered_disk::RememberedDisk;

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
            about: "denies or asks about destructive commands",
            supports: &[EventName::PreToolUse, EventName::PostToolUse],
            priority: 8,
            hot_path_safe: true,
            critical: true,
            on_by_default: true,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let call = match &context.event.detail {
            Detail::PreToolUse { call } => call,
            // Only calls of MCP servers leave something to remember.
            Detail::PostToolUse { call, .. } if matches!(call.kind, ToolKind::Mcp { .. }) => {
                let state_patch = mcp_server::permitted(context, &call.kind);
                return Ok(Action { state_patch, ..Action::default() });
            }
            _ => return Ok(Action::default()),
        };
        let (policy, complaints) = Settings::policy(context.config.section(NAME));
        let mut outcome = Outcome { decision: Decision::Abstain, warnings: complaints };
        let (mut metrics, mut state_patch) = (None, Map::new());
        if let Some(command) = &call.command {
            let reading = context.reading(command);
            let mut judgement = judge(reading, &policy);
            if context.command.is_suggested_undo() {
                // A report asked the agent to discard exactly these files; a host that cannot ask would refuse it.
                judgement.reasons.retain(|finding| !is_question_about_discarding(finding));
            }
            for finding in &judgement.reasons {
                outcome.add(finding.level, sentence(finding));
            }
            refuse_hosts(context, reading, &mut outcome);
            let rules: Vec<_> = judgement.reasons.iter().map(|finding| finding.rule.name()).collect();
            metrics = (!rules.is_empty()).then(|| json!({"class": reading.class.name(), "rules": rules}));
            let is_kept = context.host.keeps_shell() && !reading.shell_changes.is_empty();
            if is_kept && !matches!(outcome.decision, Decision::Deny { .. }) {
                state_patch = kept_shell::record(context, &command.text);
            }
        }
        // A shell tool has only its command.
        if call.command.is_none() || !matches!(call.kind, ToolKind::Shell) {
            file_tool::judge(context, call, &policy, &mut outcome);
        }
        mcp_server::judge(context, &call.kind, &mut outcome);
        let Outcome { decision, warnings } = outcome;
        Ok(Action { decision, state_patch, warnings, metrics, ..Action::default() })
    }
}

fn is_question_about_discarding(finding: &Finding) -> bool {
    finding.level == Level::Ask && finding.rule == RuleId::GitDiscardFile
}

/// Denies a command that names a host outside of the project's list.
fn refuse_hosts(context: &Context<'_>, reading: &shell::Reading, outcome: &mut Outcome) {
    let section = context.config.section(NetworkSettings::SECTION);
    if section.is_null() || !reading.network {
        return;
    }
    let (network, warning) = NetworkSettings::read(section);
    outcome.warnings.extend(warning);
    let words = reading.commands.iter().flat_map(|command| command.argv.iter().skip(1));
    for word in words.filter(|word| word.text.contains("://")) {
        if let Some(host) = network.refuses(&word.text) {
            outcome.add(Level::Deny, host_refusal(host));
        }
    }
}

/// Returns the working folder of the command: its own, else the session's, else the workspace.
pub fn folder(context: &Context<'_>, command: &CommandLine) -> String {
    real_folder(context.workspace.root(), context.folder(), command.cwd.as_deref()).to_string()
}

/// Returns the place of a command for the shell reader; `cwd` is its working folder.
pub fn place<'a>(context: &'a Context<'_>, command: &CommandLine, cwd: &'a str) -> Place<'a> {
    Place {
        cwd,
        home: context.home.and_then(|home| home.as_path().to_str()),
        user_state: context.user_state.and_then(|state| state.as_path().to_str()),
        moved_settings: context.moved_settings,
        workspace: context.workspace.root().as_path().to_str(),
        dialect: command.dialect,
        typed: if context.host.announces_typed_input() {
            TypedInput::Announced
        } else {
            TypedInput::Unannounced
        },
        earlier: context.earlier_lines(),
        files: &Disk,
        git: context,
    }
}

/// Words a finding and its alternative for the model.
fn sentence(finding: &Finding) -> String {
    format!("{} (rule `{}`). Instead: {}", finding.text.trim_end_matches('.'), finding.rule, finding.hint)
}
