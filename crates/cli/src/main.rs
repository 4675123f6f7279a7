//! The binary `steersman`.
//!
//! INVARIANT: only this crate reads the environment, prints for people, or chooses an
//! exit code. `dispatch` branches off before anything else is initialised.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod acceptance;
mod ancestry;
mod change;
mod commands;
mod confined_run;
mod detached;
mod environment;
mod exit;
mod hook;
mod line_batch;
mod output;
mod person;
mod question;
mod secret_prompt;
#[cfg(target_os = "linux")]
mod session_shell;

use std::process::ExitCode;

/// Returns whether the command after a leading `--workspace` is this one.
fn names(command: &str) -> bool {
    let mut args = std::env::args_os().skip(1);
    let first = args.next().unwrap_or_default();
    let verb = if first == "--workspace" { args.nth(1) } else { args.next() };
    verb.is_some_and(|verb| verb == command)
}

/// Returns whether the command line is exactly `dispatch --help`, which no agent program calls.
fn asks_for_help() -> bool {
    let mut args = std::env::args_os().skip(2);
    args.next().is_some_and(|arg| arg == "--help" || arg == "-h") && args.next().is_none()
}

/// Returns whether this process is to become the shell of an agent program.
fn is_in_front_of_shell(program: &std::ffi::OsStr) -> bool {
    cfg!(target_os = "linux")
        && std::path::Path::new(program).file_name()
            == Some(std::ffi::OsStr::new(store::ShellFolder::PROGRAM))
}

#[cfg(target_os = "linux")]
use session_shell::run as run_shell;

/// Nothing puts steersman in front of a shell on other systems.
#[cfg(not(target_os = "linux"))]
fn run_shell(_args: std::env::ArgsOs) -> ExitCode {
    exit::Exit::Usage.into()
}

// WHY not in tests: their threads start before `main` could tell which of them the arena serves.
#[cfg(not(test))]
#[global_allocator]
static ALLOCATOR: arena::Arena = arena::Arena;

fn main() -> ExitCode {
    let mut args = std::env::args_os();
    if args.next().is_some_and(|program| is_in_front_of_shell(&program)) {
        return run_shell(args);
    }
    let mut args = args.peekable();
    // Hook events come here, many per minute: no clap, no runtime, no subscriber.
    match args.peek() {
        Some(verb) if verb == "dispatch" && !asks_for_help() => hook::run(args.skip(1)),
        // An agent program waits for an answer, even if the options come first.
        Some(option) if option.to_string_lossy().starts_with("--workspace") && names("dispatch") => {
            hook::run(args)
        }
        // A shell call waits for this: no clap either.
        Some(verb) if verb == "run" => confined_run::run(args.skip(1)),
        Some(option) if option.to_string_lossy().starts_with("--workspace") && names("run") => {
            confined_run::run(args)
        }
        _ => {
            arena::Arena::use_system();
            commands::run()
        }
    }
}
