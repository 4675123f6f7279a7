//! The binary that is shipped, as it is shipped.
//!
//! The tests run a build for debugging. The static one is linked with another C library and
//! optimised as a whole, and has been broken before where that one was not.

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, bail};

use super::count_lines;
use super::payload::{Moment, Tool};
use super::workspace::Workspace;
use crate::release::{self, Linkage};
use crate::repo;
use crate::scratch::Scratch;

const N_AT_ONCE: usize = 16;
const N_CALLS_EACH: usize = 8;

/// Builds it, has it run the demo, and lets many of it at one session.
pub(crate) fn check() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("the static binary is for Linux");
        return Ok(());
    }
    let binary = release::steersman(Linkage::Static)?;
    let demo = repo::output(Command::new(&binary).arg("demo")).context("the demo failed")?;
    if !demo.contains("deny") {
        bail!("the demo denied nothing:\n{demo}");
    }
    crowd(&binary)?;
    println!("the demo runs, and {} calls of {N_AT_ONCE} at once are recorded", N_AT_ONCE * N_CALLS_EACH);
    Ok(())
}

/// They wait for each other's lock, which is code of its own for this C library.
fn crowd(binary: &Path) -> Result<()> {
    let scratch = Scratch::new("steersman-shipped")?;
    let workspace = Workspace::new(scratch.path(), binary)?;
    workspace.begin_session()?;
    let journal = workspace.session_folder()?.join("events.jsonl");
    let n_before = count_lines(&journal)?;
    thread::scope(|scope| {
        let one = |who: usize| {
            let workspace = &workspace;
            scope.spawn(move || -> Result<()> {
                for call in 0..N_CALLS_EACH {
                    let call = format!("toolu_{who}_{call}");
                    workspace.dispatch(Moment::PreToolUse { tool: Tool::Recorded, call: &call })?;
                }
                Ok(())
            })
        };
        let crowd: Vec<_> = (0..N_AT_ONCE).map(one).collect();
        crowd.into_iter().try_for_each(|it| it.join().map_err(|_| anyhow::anyhow!("a thread panicked"))?)
    })?;
    let n_new = count_lines(&journal)? - n_before;
    if n_new < N_AT_ONCE * N_CALLS_EACH {
        bail!("{n_new} lines in the journal after {} calls", N_AT_ONCE * N_CALLS_EACH);
    }
    Ok(())
}
