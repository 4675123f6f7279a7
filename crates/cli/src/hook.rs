//! `steersman dispatch <Event> [--host NAME] [--workspace DIR] [--registration NAME]
//! [--timeout SECONDS] [--skip-shell]`: the hook entry point.
//!
//! Parses the command line by hand and ignores mistakes: the agent program waits for a JSON answer and could
//! not read a usage message.

#[cfg(hook_layout)]
mod pages;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;
use std::time::Duration;

use arena::Arena;
use dispatch::{Alarm, LaunchContext, ShellCalls, TimedReader};
use host::{Hints, Host};

use crate::environment;

/// Answers one event and always exits with 0.
pub(crate) fn run(args: impl Iterator<Item = OsString>) -> ExitCode {
    #[cfg(hook_layout)]
    pages::map();
    Arena::use_arena();
    // `dispatch` answers a panic; the panic message must not reach the host's screen.
    std::panic::set_hook(Box::new(|_| {}));
    let launch = launch_context(args);
    // `dispatch` reads larger blocks than the buffer of stdin, so reads bypass that buffer.
    let stdin = TimedReader::new(io::stdin().lock());
    dispatch::run(&launch, modules::ALL, stdin, io::stdout().lock(), Alarm::Armed);
    ExitCode::SUCCESS
}

fn launch_context(args: impl Iterator<Item = OsString>) -> LaunchContext {
    let mut launch = LaunchContext {
        event: None,
        host: None,
        workspace: None,
        registration: None,
        timeout: None,
        notify: crate::commands::start_notification,
        run_check: crate::acceptance::run_check,
        check_coverage: crate::commands::start_coverage_check,
        shell: ShellCalls::Judged,
        folder: environment::folder(),
        project: environment::project(),
        user_state: environment::user_state(),
        user_configs: environment::user_configs(),
        home: environment::home(),
        moved_settings: environment::moved_settings(),
        running_agent: environment::running_agent(),
        hints: Hints::default(),
        shell_entry: environment::is_in_front_of_shell,
        program_folders: environment::program_folders,
        automations: environment::automation_chain().ids().iter().map(ToString::to_string).collect(),
        records: environment::record_relay(),
    };
    let mut args = args.map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        let (flag, mut value) = match arg.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag.to_owned(), Some(value.to_owned())),
            _ => (arg, None),
        };
        let mut value = || value.take().or_else(|| args.next());
        match flag.as_str() {
            "--host" => launch.host = value().and_then(|name| Host::from_name(&name)),
            "--workspace" => launch.workspace = value().map(|dir| launch.folder.join(dir)),
            "--registration" => launch.registration = value(),
            "--timeout" => launch.timeout = value().and_then(|it| it.parse().ok()).map(Duration::from_secs),
            "--skip-shell" => launch.shell = ShellCalls::JudgedElsewhere,
            "dispatch" => {}
            name if !name.starts_with('-') && launch.event.is_none() => launch.event = Some(flag),
            _ => {}
        }
    }
    // With `--host`, recognising the host needs no hints.
    if launch.host.is_none() {
        launch.hints = environment::hints();
    }
    launch
}
