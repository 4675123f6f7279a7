//! Linked worktrees: beside the project with the registration in the user's settings, and below the project, where
//! programs put the worktrees of their agents.

use anyhow::Result;

use super::{check_governed, check_recorded, declare_intents, governed_steps, refused};
use crate::clients::lab::{Lab, Session, WORKTREE};

/// A worktree below the project, relative to it.
const BELOW: &str = ".claude/worktrees/part";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    beside_the_project(lab)?;
    below_the_project(lab)
}

/// The worktree has no settings of its own: the registration in the project is not committed.
fn beside_the_project(lab: &mut Lab) -> Result<()> {
    lab.init("--user");
    let added = lab.user(&format!("git worktree add -q -b feature {WORKTREE}"));
    lab.check("git adds the worktree", added.succeeded, &added.output);
    let run = lab.run(&Session::new(governed_steps(lab.client)).in_folder(WORKTREE))?;
    check_governed(lab, &run);
    check_recorded(lab, WORKTREE);
    Ok(())
}

/// A scope of the project holds in the worktree as in the project. The program reads the registration twice now, in
/// the user's settings and in the project's.
fn below_the_project(lab: &mut Lab) -> Result<()> {
    lab.init("--intents");
    declare_intents(lab);
    let prepared =
        lab.user(&format!("steersman intent select INT-001 && git worktree add -q -b part {BELOW}"));
    lab.check("the user prepares a worktree below the project", prepared.succeeded, &prepared.output);
    let shell = lab.client.tools.shell;
    let steps = vec![
        ("inside", shell(&format!("echo 1 > {BELOW}/src/inside.js"))),
        ("outside", shell(&format!("echo 1 > {BELOW}/outside.txt"))),
    ];
    let run = lab.run(&Session::new(steps))?;
    let inside = run.result("inside");
    lab.check("a write inside the scope passes", lab.exists(&format!("{BELOW}/src/inside.js")), inside);
    refused(lab, &run, "outside", "Scope Violation");
    let outside = lab.exists(&format!("{BELOW}/outside.txt"));
    lab.check("a write outside the scope is refused", !outside, run.result("outside"));
    // Two registrations, one record of each call.
    let journal = lab.user("cat .ai/tmp/*/events.jsonl");
    let runs = journal.output.lines().filter(|line| line.contains("\"HOOK_RUN\""));
    let n_before = runs.filter(|line| line.contains("PreToolUse")).count();
    lab.check("each call is recorded once", n_before == 2, &format!("{n_before} records of 2 calls"));
    Ok(())
}
