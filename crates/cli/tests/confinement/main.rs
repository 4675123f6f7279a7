//! `steersman run` against programs that try to write out of scope, and against tools that must keep working.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::print_stdout, reason = "the counts of the attacks, for `--nocapture`")]

mod attacks;
mod automations;
mod bash_env;
mod builds;
mod command;
mod left_behind;
mod rewritten;
mod sealed;
mod session;
mod single_files;
mod workspace;
