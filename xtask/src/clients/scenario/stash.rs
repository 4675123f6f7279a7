//! An uncommitted registration and the git commands that put untracked files away.

use anyhow::Result;

use super::{check_governed, check_registration, governed_steps, registration};
use crate::clients::lab::{Lab, Session};

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    let client = lab.client;
    let shell = client.tools.shell;
    let registered = registration(lab);
    let mut steps = vec![
        ("stash", shell("git stash -u")),
        ("stash all", shell("git stash push --all -m away")),
        ("stash by path", shell("cd src && git -C .. stash save --include-untracked")),
        ("clean", shell("git clean -fdx")),
    ];
    steps.extend(governed_steps(client));
    let run = lab.run(&Session::new(steps))?;
    check_registration(lab, registered.as_ref());
    lab.check("the configuration stays", lab.exists(".ai/hooks/config.json"), ".ai/hooks/config.json");
    let stashes = lab.user("git stash list");
    lab.check("nothing is stashed", stashes.output.trim().is_empty(), &stashes.output);
    check_governed(lab, &run);
    // A new session reads the settings again.
    let next = lab.run(&Session::new(governed_steps(client)))?;
    check_governed(lab, &next);
    Ok(())
}
