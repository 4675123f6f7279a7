//! `steersman-shell`: the program in front of the shells of agent programs.
//!
//! An agent program starts it in place of a shell (Claude Code), bash becomes it before it runs anything (`BASH_ENV`), or
//! it is the command that the program runs in place of the original (Copilot CLI).
//! If the hook before the call recorded that the call runs confined, it confines itself; either way it becomes the
//! shell. Without a record, as in a person's own shell, everything passes through.
//!
//! INVARIANT: it decides by records that only hooks write, never by what the command says about itself.

mod own_hook;

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use confine::{Confined, Network};
use event::AbsPath;
use host::Host;
use host::shell_entry::{BASH_ENV_VARIABLE, wrapped_command};
use session::shell_call::{Arrival, CallScope, RecordedCall, ShellIdentity, records_for};
use store::CallStage;

use crate::confined_run::{self, CommandLine, SessionRun};
use crate::environment::{self, ShellVariables};
use crate::hook;

/// The first argument if bash became this program.
const FROM_BASH: &str = "--bash";

/// The first argument if it runs in place of an original command; the session and, after `--`, that command follow.
const OF_SESSION: &str = "--of";

/// Marks this process as handled for the file that bash reads first; the value is its process id.
const LOOKED_AT: &str = "STEERSMAN_SHELL";

/// Becomes the shell of a call. Returns only if it cannot.
pub(crate) fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.collect();
    match args.as_slice() {
        [first, bash, text, rest @ ..] if first == FROM_BASH => {
            let command = [bash.clone()].into_iter().chain(rest.iter().cloned()).collect();
            run_bash(command, text)
        }
        [first, session, separator, text] if first == OF_SESSION && separator == "--" => {
            run_rewritten(&session.to_string_lossy(), text)
        }
        [text, ..] => run_prefixed(text),
        [] => confined_run::fail(
            "no command",
            "this program starts the shells of agent programs; run `steersman run --help`",
            crate::exit::Exit::Usage.into(),
        ),
    }
}

/// Runs the command line that an agent program would have passed to a shell: a tool call, a hook, or the command line of a server.
fn run_prefixed(text: &OsStr) -> ExitCode {
    let readable = text.to_string_lossy();
    if let Some(words) = own_hook::words(&readable) {
        return hook::run(words.into_iter());
    }
    let variables = environment::shell_variables();
    let wrapped = wrapped_command(&readable);
    let is_call = wrapped.is_some() || variables.is_of_agent;
    let shell = shell_for(&readable, wrapped.is_some());
    let command = vec![shell.into(), "-c".into(), text.to_owned()];
    let session = variables.claude_session.as_deref().filter(|_| is_call);
    let found = session.and_then(|session| {
        let texts = [wrapped.as_deref().unwrap_or(&readable)];
        let identity = ShellIdentity { texts: &texts, ..ShellIdentity::default() };
        RecordedCall::of_shell(
            records_for(&environment::user_state()?, Host::ClaudeCode.name(), Some(session)),
            &identity,
        )
    });
    become_shell(command, found)
}

/// Runs an original command in place of which a hook made the agent program run this program.
fn run_rewritten(session: &str, text: &OsStr) -> ExitCode {
    let readable = text.to_string_lossy();
    let command = vec![shell_for(&readable, true).into(), "-c".into(), text.to_owned()];
    let found = environment::user_state().and_then(|state| {
        let identity = ShellIdentity { texts: &[&readable], ..ShellIdentity::default() };
        RecordedCall::of_shell(records_for(&state, Host::CopilotCli.name(), Some(session)), &identity)
    });
    become_shell(command, found)
}

/// Runs what bash was started with; `text` is the argument of its option `-c`.
fn run_bash(command: Vec<OsString>, text: &OsStr) -> ExitCode {
    let found = environment::user_state().and_then(|state| bash_record(&state, &text.to_string_lossy()));
    if found.is_some() {
        confine::set_variable(BASH_ENV_VARIABLE, None);
    } else {
        let own = std::process::id().to_string();
        confine::set_variable(LOOKED_AT, Some(OsStr::new(&own)));
    }
    become_shell(command, found)
}

/// Finds the record of a call that bash runs.
fn bash_record(state: &AbsPath, text: &str) -> Option<RecordedCall> {
    let ShellVariables { codex_call, codex_sessions, qwen_session, is_gemini, .. } =
        environment::shell_variables();
    let wrapped = wrapped_command(text);
    let texts = [wrapped.as_deref().unwrap_or(text)];
    let identity = ShellIdentity { texts: &texts, ..ShellIdentity::default() };
    let of = |host: Host, session: Option<&str>, identity: &ShellIdentity<'_>| {
        RecordedCall::of_shell(records_for(state, host.name(), session), identity)
    };
    let codex = || {
        let call = codex_call.as_deref()?;
        let identity = ShellIdentity { call: Some(call), ..identity };
        codex_sessions.iter().find_map(|session| of(Host::Codex, Some(session), &identity))
    };
    let qwen = || of(Host::Qwen, Some(qwen_session.as_deref()?), &identity);
    let gemini = || {
        let ancestors = if is_gemini { session::person::ancestors() } else { return None };
        of(Host::Gemini, None, &ShellIdentity { ancestors: &ancestors, ..identity })
    };
    codex().or_else(qwen).or_else(gemini)
}

/// Becomes the shell, confined if there is a record.
fn become_shell(command: Vec<OsString>, found: Option<RecordedCall>) -> ExitCode {
    let Some(record) = found else {
        return confined_run::become_unconfined(&command);
    };
    let mut proof = if record.stored.stage == CallStage::Claimed {
        // Another shell of the same call, such as a replayed command: confined without its own proof.
        None
    } else {
        record.stored.claim().inspect_err(|_| record.stored.leave_note()).ok()
    };
    let call = record.call;
    let line = CommandLine {
        intent: match &call.scope {
            CallScope::Intent(id) => Some(id.clone()),
            CallScope::Workspace | CallScope::Nothing => None,
        },
        workspace: Some(call.workspace.into()),
        command,
        session: Some(SessionRun {
            judged: vec!["bash".into(), "-c".into(), call.command.into()],
            opens_nothing: call.scope == CallScope::Nothing,
            is_required: call.required,
        }),
        network: if call.sealed { Network::Own } else { Network::Shared },
        sealed: call.sealed,
        ..CommandLine::default()
    };
    confined_run::run_line(&line, &mut |confined: Result<&Confined, &str>| {
        let arrival = match confined {
            Ok(confined) => Arrival::Confined(confined.backend.to_string()),
            Err(why) => Arrival::Unconfined(why.to_owned()),
        };
        if let Some(proof) = &mut proof {
            // Without the line the call counts as one that did not start.
            let _ = proof.write_all(arrival.line().as_bytes());
        }
    })
}

/// Returns the shell for a string: that of the snapshot which it sources, or the one for hooks and servers.
fn shell_for(text: &str, is_tool_call: bool) -> String {
    if !is_tool_call {
        return "/bin/sh".to_owned();
    }
    let wanted = if text.contains("/snapshot-zsh-") { "zsh" } else { "bash" };
    let own = environment::login_shell().filter(|own| Path::new(own).file_name() == Some(OsStr::new(wanted)));
    let usual = ["/bin", "/usr/bin", "/usr/local/bin"].map(|folder| format!("{folder}/{wanted}"));
    let found = own.or_else(|| usual.into_iter().find(|path| runner::is_executable(Path::new(path))));
    // The system looks along the PATH, as the agent program would.
    found.unwrap_or_else(|| wanted.to_owned())
}
