//! The binary `steersman`.
//!
//! INVARIANT: only this crate reads the environment, prints for people, or chooses an
//! exit code. `dispatch` branches off before anything else is initialised.

mod arena;
mod change;
mod commands;
mod environment;
mod exit;
mod hook;
mod output;
mod suggestion;

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: arena::Arena = arena::Arena;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    match args.next() {
        // Hook events come here, many per minute: no clap, no runtime, no subscriber.
        Some(verb) if verb == "dispatch" => hook::run(args),
        _ => commands::run(),
    }
}
