//! The user's own settings in a folder that a variable of the program names.

use anyhow::Result;

use super::{check_governed, check_recorded, governed_steps, refused};
use crate::clients::client::Moved;
use crate::clients::lab::{Lab, PROJECT, Session};

/// The folder that the variable names.
const ELSEWHERE: &str = "/home/dev/profile";

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    let (variable, moved) = lab.client.moved;
    // Claude Code has a file beside its folder, which moves into it.
    let copy = match moved {
        Moved::Folder(usual) => {
            format!("mkdir {ELSEWHERE}; cp -a ~/{usual}/. {ELSEWHERE}; cp -a ~/.claude.json {ELSEWHERE}")
        }
        Moved::Home(usual) => format!("mkdir {ELSEWHERE}; cp -a ~/{usual} {ELSEWHERE}"),
    };
    lab.user(&copy);
    let export = format!("export {variable}={ELSEWHERE}");
    let begun = lab.user(&format!("{export}; steersman init --user"));
    lab.check("`steersman init --user` succeeds", begun.succeeded, &begun.output);
    let registered = format!("registered in ${variable}/");
    lab.check("it registers in the moved settings", begun.output.contains(&registered), &begun.output);

    let client = lab.client;
    let mut steps = governed_steps(client);
    let remove = match moved {
        Moved::Folder(_) => format!("rm -rf {ELSEWHERE}"),
        Moved::Home(usual) => format!("rm -rf {ELSEWHERE}/{usual}"),
    };
    steps.push(("remove settings", (client.tools.shell)(&remove)));
    let run = lab.run(&Session::new(steps).with_variable(variable, ELSEWHERE))?;
    check_governed(lab, &run);
    refused(lab, &run, "remove settings", "governs the agent");
    check_recorded(lab, PROJECT);

    let told = lab.user(&format!("{export}; steersman doctor")).output;
    lab.check("`steersman doctor` sees the registration", told.contains(&registered), &told);
    let told = lab.user("steersman doctor").output;
    lab.check("without the variable it does not", !told.contains("registered in"), &told);
    let gone = lab.user(&format!("{export}; steersman uninstall --user"));
    lab.check("`steersman uninstall --user` succeeds", gone.succeeded, &gone.output);
    let n_left = lab.user(&format!("grep -rlF --include=*.json 'steersman dispatch' {ELSEWHERE}")).output;
    lab.check("nothing of it is left in the moved settings", n_left.trim().is_empty(), &n_left);
    Ok(())
}
