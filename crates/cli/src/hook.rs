//! `steersman dispatch <Event> [--host NAME] [--workspace DIR] [--skip-shell]`: the hook
//! entry point.
//!
//! The command line is read by hand and forgivingly: an agent program waits for an
//! answer, and a usage message is none.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use dispatch::{Alarm, Invocation, Patient, ShellCalls, modules};
use host::{Hints, Host};

use crate::arena::Arena;
use crate::environment;

/// Answers one event and always exits with 0.
pub(crate) fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    Arena::serve_hook();
    // A panic is answered by `dispatch`; its message must not reach the host's screen.
    std::panic::set_hook(Box::new(|_| {}));
    let invocation = invocation(args);
    // The buffer of stdin is smaller than what dispatch asks for, so it stays unused.
    let stdin = Patient::new(io::stdin().lock());
    dispatch::run(&invocation, modules::ALL, stdin, io::stdout().lock(), Alarm::Armed);
    ExitCode::SUCCESS
}

fn invocation(args: impl Iterator<Item = OsString>) -> Invocation {
    let mut invocation = Invocation {
        event: None,
        host: None,
        workspace: None,
        shell: ShellCalls::Judged,
        folder: environment::folder(),
        project: environment::project(),
        user_state: environment::user_state(),
        home: environment::home(),
        running_agent: environment::running_agent(),
        hints: Hints::default(),
        automations: environment::automation_chain().ids().iter().map(ToString::to_string).collect(),
    };
    let mut args = args.map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        let (flag, mut value) = match arg.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag.to_owned(), Some(value.to_owned())),
            _ => (arg, None),
        };
        let mut value = || value.take().or_else(|| args.next());
        match flag.as_str() {
            "--host" => invocation.host = value().and_then(|name| Host::from_name(&name)),
            "--workspace" => invocation.workspace = value().map(|dir| invocation.folder.join(dir)),
            "--skip-shell" => invocation.shell = ShellCalls::JudgedElsewhere,
            "dispatch" => {}
            name if !name.starts_with('-') && invocation.event.is_none() => invocation.event = Some(flag),
            _ => {}
        }
    }
    // Whoever names the host needs no guessing.
    if invocation.host.is_none() {
        invocation.hints = environment::hints();
    }
    invocation
}
