//! An agent that tries to switch its hooks off.

use anyhow::Result;

use super::{check_governed, check_registration, governed_steps, registration};
use crate::clients::lab::{Lab, Session};

/// The names of the steps; no program has more.
const STEPS: [&str; 6] = ["switch 1", "switch 2", "switch 3", "switch 4", "switch 5", "switch 6"];

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("");
    lab.init("--user");
    let (client, shell) = (lab.client, lab.client.tools.shell);
    let registered = registration(lab);
    let steps = STEPS.iter().copied().zip(client.switches.iter().map(|command| shell(command))).collect();
    let run = lab.run(&Session::new(steps))?;
    for (step, command) in STEPS.iter().zip(client.switches) {
        let result = run.result(step);
        let is_denied = result.contains("switches the guard off") || result.contains("governs the agent");
        lab.check(&format!("`{command}` is denied"), is_denied, result);
    }
    check_registration(lab, registered.as_ref());
    let next = lab.run(&Session::new(governed_steps(client)))?;
    check_governed(lab, &next);
    Ok(())
}
