//! The attacks of the tests inside the sandboxes of Codex and Claude Code.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::clients::install;
use crate::clients::pins::{CODEX, SANDBOX_RUNTIME};
use crate::{prerequisite, repo};

/// The attacks that work inside such a sandbox without steersman; it stops the others itself.
const AT_LEAST: usize = 200;

/// Runs all attacks in both sandboxes. Fails if one changes something out of scope under steersman.
pub(crate) fn check(binary: &Path, folder: &Path) -> Result<()> {
    for needed in ["bwrap", "socat", "rg"] {
        if prerequisite::program(needed).is_none() {
            bail!("`{needed}` is missing\nhint: sudo apt-get install bubblewrap socat ripgrep");
        }
    }
    let programs = folder.join("programs");
    install::ensure(&programs, &[CODEX, SANDBOX_RUNTIME])?;
    let codex = format!("codex={}", programs.join(CODEX.program()).display());
    let runtime = format!("srt={}", programs.join(SANDBOX_RUNTIME.modules()).display());
    for (name, around) in [("Codex", codex), ("sandbox-runtime", runtime)] {
        attack(name, &around, binary)?;
    }
    Ok(())
}

fn attack(name: &str, around: &str, binary: &Path) -> Result<()> {
    let attacks = repo::root().join("crates/cli/tests/confinement");
    let mut command = Command::new("/usr/bin/python3");
    command.arg(attacks.join("suite.py")).arg(binary).arg(&attacks);
    command.args(["namespace-user", "--around", around]);
    let printed = repo::output(&mut command)?;
    let (mut n_worked, mut n_stopped, mut escaped) = (0, 0, Vec::new());
    for line in printed.lines() {
        let line: Value = serde_json::from_str(line).context("the suite printed no JSON")?;
        let changed = |how: &str| line[how]["changed"].as_array().is_some_and(|list| !list.is_empty());
        if changed("unconfined") {
            n_worked += 1;
        } else {
            n_stopped += 1;
        }
        let said = line["confined"]["output"].as_str().unwrap_or_default();
        if line["confined"]["broken"] == true || said.contains("steersman: cannot confine") {
            bail!("inside {name}, {} did not run confined: {said}", line["name"]);
        }
        if changed("confined") {
            escaped.push(line["name"].to_string());
        }
    }
    println!(
        "inside {name}: {n_worked} attacks work without steersman, {n_stopped} are stopped by it already"
    );
    if n_worked < AT_LEAST {
        bail!("only {n_worked} attacks work inside {name}, so the run proves little");
    }
    if !escaped.is_empty() {
        bail!("inside {name}, these escape: {}", escaped.join(", "));
    }
    Ok(())
}
