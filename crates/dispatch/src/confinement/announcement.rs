//! Decides before a shell call whether it runs confined.

use std::path::PathBuf;

use event::{CommandLine, Decision, Dialect, LineKind, ToolCall, ToolKind};
use host::ShellEntry;
use modules::Context;
use modules::call_folder::followed;
use modules::intent;
use serde_json::json;
use session::shell_call::{CallScope, ShellCall};
use shell::{Certainty, PathUse, Reading, Site};

use super::{Confinement, emitted, rewritten_command, sealing, unsuited};
use crate::LaunchContext;
use project_config::ConfineMode;

/// Announces a call that is to run confined, or says why it cannot.
pub(super) fn judge(
    context: &Context<'_>,
    call: &ToolCall,
    mode: ConfineMode,
    has_intents: bool,
    launch: &LaunchContext,
    found: &mut Confinement,
) {
    let Some(command) = call.command.as_ref().filter(|_| call.kind == ToolKind::Shell) else { return };
    let reading = context.reading(command);
    let finds_planted = || looks_in_workspace(context, &(launch.program_folders)());
    let is_free =
        mode == ConfineMode::Unproven && is_proven(context, reading, has_intents) && !finds_planted();
    // What changes nothing may still read what is private: sealed it cannot, and the user need not be asked.
    if is_free && !sealing::is_wanted(context) {
        return;
    }
    let scope = scope(context, has_intents);
    let in_front = (launch.shell_entry)(context.host);
    let obstacle = if in_front {
        unsuited::reason(context, command, reading, &scope)
    } else {
        Some(format!("steersman is not in front of the shell of {}", context.host.title()))
    };
    let obstacle = obstacle.or_else(|| unrecordable(context, command));
    let rewritten = match (obstacle, context.host.shell_entry()) {
        (Some(why), _) => Err(why),
        (None, ShellEntry::Rewrite) => rewritten_command::wrap(context, call, reading).map(Some),
        (None, _) => Ok(None),
    };
    let why = match rewritten {
        Err(why) => why,
        Ok(rewritten) => {
            let announced = Some(ShellCall {
                workspace: context.workspace.root().to_string(),
                scope,
                command: command.text.clone(),
                rewritten,
                call: call.id.clone(),
                host_process: if context.host.hides_session_from_shell() {
                    session::person::host_process()
                } else {
                    None
                },
                background: intent::runs_in_hosts_background(call),
                required: mode == ConfineMode::Required,
                sealed: false,
            });
            *(if is_free { &mut found.offer } else { &mut found.announce }) = announced;
            return;
        }
    };
    if is_free {
        return;
    }
    if mode == ConfineMode::Required {
        let reason = format!(
            "This command would run unconfined: {why}. The project requires confinement, so the user must approve it."
        );
        found.action.decision = Decision::Ask { reason };
    }
    // Where steersman is not in front of the shell, `doctor` says so once.
    if in_front || mode == ConfineMode::Required {
        found.action.emit_events.push(emitted(LineKind::NotConfined, json!({"why": why})));
    }
}

/// Returns whether a call is proven read-only, or all its writes are known and in scope.
fn is_proven(context: &Context<'_>, reading: &Reading, has_intents: bool) -> bool {
    if reading.is_read_only() {
        return true;
    }
    if has_intents {
        // The module `intent` does not look at calls that need no intent.
        return context.command.proof().is_none_or(|proof| proof.knows_its_files);
    }
    let written = [&reading.writes, &reading.deletes, &reading.creates];
    reading.parsed
        && reading.unknown.is_empty()
        && written.into_iter().flatten().all(|used| is_in_workspace(context, used))
}

/// Folders of programs that only the administrator can replace by a link, so they lead into no workspace outside of them. WHY: to
/// follow the ten folders of an ordinary `PATH` takes fifty system calls.
const SYSTEM_FOLDERS: [&str; 5] = ["/usr", "/bin", "/sbin", "/nix/store", "/snap"];

/// Returns whether a shell looks for programs in the workspace: an earlier command may have left one there under the name
/// of a harmless program, in a folder such as `.venv/bin`, which a confined command may write.
fn looks_in_workspace(context: &Context<'_>, folders: &[PathBuf]) -> bool {
    let root = context.workspace.root().as_path();
    let is_of_system = |folder: &PathBuf| {
        let of = SYSTEM_FOLDERS.iter().find(|system| folder.starts_with(system));
        of.is_some_and(|system| !root.starts_with(system))
    };
    let mut others = folders.iter().filter(|folder| !is_of_system(folder));
    others.any(|folder| folder.is_relative() || followed(folder).starts_with(root))
}

fn is_in_workspace(context: &Context<'_>, used: &PathUse) -> bool {
    let real = || followed(std::path::Path::new(&used.path));
    used.site == Site::Local
        && used.certainty == Certainty::Exact
        && (used.path == "/dev/null" || real().starts_with(context.workspace.root().as_path()))
}

fn scope(context: &Context<'_>, has_intents: bool) -> CallScope {
    if !has_intents {
        return CallScope::Workspace;
    }
    let proven = context.command.proof().and_then(|proof| proof.intent_id.clone());
    match proven.or_else(|| intent::active_intent(context)) {
        Some(id) => CallScope::Intent(id.as_str().to_owned()),
        None => CallScope::Nothing,
    }
}

/// Returns why a call cannot be recorded.
fn unrecordable(context: &Context<'_>, command: &CommandLine) -> Option<String> {
    if command.dialect != Dialect::Posix {
        return Some("its shell is not a POSIX shell".to_owned());
    }
    if context.workspace.root().as_path().to_str().is_none() {
        return Some("the path of the workspace is not UTF-8".to_owned());
    }
    super::folder(context).is_none().then(|| "the session has no records of its own".to_owned())
}
