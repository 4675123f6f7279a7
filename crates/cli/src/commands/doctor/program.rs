//! Whether the programs that the settings name can run, and are this program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Serialize;

use super::finding::{Finding, Mark, Section};
use super::hosts::HostReport;
use crate::commands::Place;
use crate::environment;

/// A program that a settings file names; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProgramReport {
    /// The program as the settings spell it.
    program: String,
    /// Its path, if it is executable.
    pub(super) path: Option<PathBuf>,
    /// Whether it is the running program.
    this_one: bool,
    version: Option<String>,
    /// Whether the file exists, even if it is not executable.
    #[serde(skip)]
    exists: bool,
    /// Whether the doctor may start it; never for a program of the project itself.
    #[serde(skip)]
    pub(super) may_be_started: bool,
}

/// Checks every program once.
pub(super) fn examine(place: &Place, hosts: &[HostReport]) -> (Vec<ProgramReport>, Section) {
    let mut names: Vec<&str> =
        hosts.iter().flat_map(|host| &host.entries).map(|entry| entry.program.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let reports: Vec<ProgramReport> = names.into_iter().map(|name| examine_one(name, place)).collect();
    let findings = reports.iter().map(ProgramReport::finding).collect();
    (reports, Section { name: "program", title: "Program", findings })
}

/// Checks one program, as the settings spell it.
pub(super) fn examine_one(name: &str, place: &Place) -> ProgramReport {
    let root = place.workspace.root();
    let exists = name.contains(['/', '\\']) && root.join(name).as_path().is_file();
    let path = if name.contains(['/', '\\']) {
        Some(root.join(name).as_path().to_path_buf()).filter(|path| runner::is_executable(path))
    } else {
        environment::find_program(name)
    };
    let real = path.as_ref().and_then(|path| path.canonicalize().ok());
    let this_one = real.is_some() && real == environment::running_program();
    // Examining a repository must not start a program of that repository.
    let inside = real.as_ref().is_some_and(|real| {
        real.starts_with(root.as_path().canonicalize().unwrap_or_else(|_| root.as_path().to_path_buf()))
    });
    let from_here = name.contains(['/', '\\']) && !Path::new(name).is_absolute();
    let may_be_started = path.is_some() && (this_one || !(inside || from_here));
    let version = match (&path, this_one) {
        (_, true) => Some(env!("CARGO_PKG_VERSION").to_owned()),
        (Some(path), false) if may_be_started => ask_version(path),
        _ => None,
    };
    ProgramReport { program: name.to_owned(), path, this_one, version, exists, may_be_started }
}

#[expect(clippy::disallowed_methods, reason = "it starts the registered program as an agent program does")]
fn ask_version(path: &Path) -> Option<String> {
    let output = Command::new(path).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.strip_prefix("steersman ").map(|version| version.trim().to_owned())
}

impl ProgramReport {
    fn finding(&self) -> Finding {
        let name = &self.program;
        let ours = env!("CARGO_PKG_VERSION");
        let Some(path) = &self.path else {
            let why = if self.exists { "it is not executable" } else { "it does not exist" };
            let text = format!("cannot start `{name}`: {why}");
            return Finding::new(Mark::Wrong, text).hint(
                "run `steersman init` to register this program instead, or install steersman at that path",
            );
        };
        let place =
            if path.as_os_str() == name.as_str() { String::new() } else { format!(" is {}", path.display()) };
        match &self.version {
            Some(version) if version == ours => {
                let which = if self.this_one { "this program" } else { "the same version as this one" };
                Finding::new(Mark::Fine, format!("`{name}`{place}, {which} ({version})"))
            }
            Some(version) => {
                let text =
                    format!("`{name}`{place}, has version {version}, but this program has version {ours}");
                Finding::new(Mark::Warning, text)
                    .hint("update one of them, or run `init` with the program you want")
            }
            None if !self.may_be_started => {
                let text = format!(
                    "`{name}`{place}, a path in the project, so doctor did not start it to query its version"
                );
                Finding::new(Mark::Warning, text)
                    .hint("check the program, or run `steersman init` to register this one")
            }
            None => Finding::new(
                Mark::Wrong,
                format!("`{name}`{place}, which is not steersman according to `--version`"),
            ),
        }
    }
}
