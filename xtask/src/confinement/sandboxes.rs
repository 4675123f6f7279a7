//! The attacks of the tests inside the sandboxes of Codex and Claude Code.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::clients::install;
use crate::clients::pins::{CODEX, SANDBOX_RUNTIME};
use crate::{prerequisite, repo};

/// The attacks that work inside such a sandbox without steersman; it stops the others itself.
const AT_LEAST: usize = 200;

/// A sandbox, and what confines a command inside it.
struct Sandbox {
    name: &'static str,
    /// How the suite finds it.
    around: String,
    /// Whether it forbids user namespaces, so that Landlock must do.
    only_landlock: bool,
}

/// Runs all attacks in both sandboxes. Fails if one changes something out of scope under steersman, other than the known
/// gaps of Landlock where a sandbox forbids namespaces.
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
    for sandbox in [
        Sandbox { name: "Codex", around: codex, only_landlock: false },
        Sandbox { name: "sandbox-runtime", around: runtime, only_landlock: true },
    ] {
        attack(&sandbox, binary)?;
    }
    Ok(())
}

fn attack(sandbox: &Sandbox, binary: &Path) -> Result<()> {
    let name = sandbox.name;
    let attacks = repo::root().join("crates/cli/tests/confinement");
    let mut command = Command::new("/usr/bin/python3");
    command.arg(attacks.join("suite.py")).arg(binary).arg(&attacks);
    command.args(["namespace-user", "--around", &sandbox.around]);
    let gaps = fs::read_to_string(attacks.join("landlock_gaps.txt"))?;
    let is_known = |attack: &str| sandbox.only_landlock && gaps.lines().any(|gap| gap == attack);
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
        let attack = line["name"].as_str().unwrap_or_default();
        // Landlock cannot hide files, so such a command does not run.
        let is_refused = said.contains("steersman: cannot confine");
        let may_be_refused = sandbox.only_landlock && line["sealed"] == true;
        if line["confined"]["broken"] == true || is_refused && !may_be_refused {
            bail!("inside {name}, {attack} did not run confined: {said}");
        }
        if changed("confined") && !is_known(attack) {
            escaped.push(attack.to_owned());
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
