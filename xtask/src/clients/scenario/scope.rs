//! A registration for all folders that is limited to registered workspaces: `"scope": "registered"`.

use anyhow::Result;

use super::{check_governed, check_recorded, governed_steps};
use crate::clients::lab::{HOME, Lab, PROJECT, Session, WORKTREE};

const SUBFOLDER: &str = "/home/dev/shop/src/deep";

/// The journals outside of the project.
const FIND_JOURNALS: &str = "find ~/.local/state ~/shop-feature -name events.jsonl 2>/dev/null";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--user");
    lab.write(
        &format!("{HOME}/.config/steersman/config.json"),
        "{\"version\": 1, \"scope\": \"registered\"}\n",
    )?;
    unregistered(lab)?;
    registered(lab)
}

/// The project has no rules yet: steersman answers without a decision and records nothing.
fn unregistered(lab: &mut Lab) -> Result<()> {
    let steps = vec![("harmless", (lab.client.tools.shell)("echo HARMLESS-MARK && sleep 1"))];
    let run = lab.run(&Session::new(steps))?;
    let result = run.result("harmless");
    lab.check("a command runs", result.contains("HARMLESS-MARK"), result);
    let journals = lab.user(FIND_JOURNALS).output;
    lab.check("nothing is recorded", journals.is_empty() && !lab.exists(".ai"), &journals);
    let told = lab.user("steersman doctor").output;
    let says_why = told.contains("steersman judges and records nothing here");
    lab.check("`steersman doctor` says that this folder is not governed", says_why, &told);
    Ok(())
}

/// After `init` the project is governed, with its subfolders and its linked worktrees.
fn registered(lab: &mut Lab) -> Result<()> {
    lab.init("");
    let prepared = lab.user(&format!("mkdir -p {SUBFOLDER} && git worktree add -q -b feature {WORKTREE}"));
    lab.check("the user prepares the folders", prepared.succeeded, &prepared.output);
    let run = lab.run(&Session::new(governed_steps(lab.client)).in_folder(SUBFOLDER))?;
    check_governed(lab, &run);
    check_recorded(lab, PROJECT);
    let run = lab.run(&Session::new(governed_steps(lab.client)).in_folder(WORKTREE))?;
    check_governed(lab, &run);
    check_recorded(lab, WORKTREE);
    let state = format!("{WORKTREE}/.ai");
    lab.check("no folder `.ai` appears in the worktree", !lab.exists(&state), &state);
    Ok(())
}
