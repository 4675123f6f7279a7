//! Checked-in files that are generated from code, so that pages and tables always agree.
//!
//! `sources.rs` lists the generated files; `--check` writes nothing and fails if the files do not
//! match the code.
//!
//! WHY a test does the work: the content comes from the crates of the product. A chore that linked
//! them would have all of them built twice, once with the features that this crate alone asks
//! for and once with those of the workspace, before the first check of a fresh clone could begin.

#[cfg(test)]
mod difference;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod section;
#[cfg(test)]
mod sources;
#[cfg(test)]
mod trigger_variables;

use anyhow::{Context, Result};

use crate::repo;

/// The test that makes the files and compares; it writes them where snapshots are written too.
const TEST: &str = "codegen::generated::generated_files_are_current";

/// Writes the generated files, or checks them with `--check`.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut only_check = false;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("check") => only_check = true,
            _ => return Err(arg.unexpected().into()),
        }
    }
    if only_check {
        return check();
    }
    repo::run(test().env("UPDATE_EXPECT", "1")).context("cannot write the generated files")
}

/// The check as a step of `cargo xtask test`.
pub(crate) fn check() -> Result<()> {
    repo::run(test().env_remove("UPDATE_EXPECT"))
        .context("generated files are stale, or cannot be made\nhint: run `cargo xtask codegen` and commit what it writes")
}

fn test() -> std::process::Command {
    // Names the whole workspace, so that all other tests use the same build.
    repo::cargo(&["test", "--quiet", "--workspace", "--bin", "xtask", "--", "--exact", TEST, "--nocapture"])
}
