//! The managed settings, against a project that switches hooks off.

use anyhow::Result;

use super::{check_governed, check_recorded, governed_steps, refused};
use crate::clients::client::Trust;
use crate::clients::lab::{Lab, PROJECT, Session};

pub(super) fn play(lab: &mut Lab) -> Result<()> {
    lab.init("--managed");
    let client = lab.client;
    let (file, text) = client.silence;
    lab.write(file, text)?;
    let mut steps = governed_steps(client);
    steps.push((
        "remove managed settings",
        (client.tools.shell)(&format!("rm -rf {}", managed_folder(client.host))),
    ));
    let mut session = Session::new(steps);
    if let Trust::Hooks { argument, .. } = client.trust {
        // Managed hooks run without the user's trust.
        session = session.without_argument(argument);
    }
    let run = lab.run(&session)?;
    check_governed(lab, &run);
    refused(lab, &run, "remove managed settings", "governs the agent");
    check_recorded(lab, PROJECT);
    let owners =
        lab.user(&format!("find {} -type f -exec stat -c '%U %a %n' {{}} +", managed_folder(client.host)));
    let is_locked = |line: &str| line.starts_with("root 644 ");
    lab.check(
        "only an administrator can change the managed settings",
        !owners.output.is_empty() && owners.output.lines().all(is_locked),
        &owners.output,
    );
    let told = lab.user("steersman doctor");
    lab.check(
        "`steersman doctor` sees the registration",
        told.output.contains("registered in /etc/"),
        &told.output,
    );
    Ok(())
}

/// Returns the folder of a program's managed settings.
fn managed_folder(host: &str) -> &'static str {
    match host {
        "claude-code" => "/etc/claude-code",
        "codex" => "/etc/codex",
        "gemini" => "/etc/gemini-cli",
        "copilot-cli" => "/etc/github-copilot",
        _ => "/etc/qwen-code",
    }
}
