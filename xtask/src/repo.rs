//! The root of the repository, and how its chores start other programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Returns the root of the checkout that this xtask belongs to.
pub(crate) fn root() -> PathBuf {
    // WHY: asked at run time, because several checkouts may share one target folder.
    let manifest =
        std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let mut root = PathBuf::from(manifest);
    root.pop();
    root
}

/// Returns a call of the cargo that started us, from the root of the checkout.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root()).args(args);
    // Build scripts would inherit the variables that cargo set for this crate. A script that reads one would
    // rerun, and everything that depends on it would be rebuilt, after each plain cargo call in between.
    let is_ours = |name: &str| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_");
    for name in std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(|it| is_ours(it)) {
        command.env_remove(name);
    }
    command
}

/// Runs a program that inherits stdout and stderr; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs a program and returns its stdout; anything but success is an error.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start `{}`", line(command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed ({}): {}", line(command), output.status, stderr.trim());
    }
    String::from_utf8(output.stdout).with_context(|| format!("`{}` did not print UTF-8", line(command)))
}

/// Returns whether a program starts and succeeds, without showing its output.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns the command as a person would type it.
pub(crate) fn line(command: &Command) -> String {
    let program = PathBuf::from(command.get_program());
    let mut words = vec![program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_is_not_told_which_crate_calls_it() {
        // The test runner sets it.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let call = cargo(&["build"]);
        assert!(call.get_envs().any(|(name, value)| name == "CARGO_MANIFEST_DIR" && value.is_none()));
    }
}
