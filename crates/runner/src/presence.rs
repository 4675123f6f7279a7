//! Whether a program is there, and which version.

use std::env::split_paths;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redact::Filter;

use crate::{Cancel, End, Environment, Invocation, Limits, Run, run};

/// A program that was looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    /// Where it lies.
    pub program: PathBuf,
    /// What it says about its version, on one line; nothing if it would not say.
    pub version: Option<String>,
}

/// Finds a program as a shell would: a bare name along `PATH`, a path with a slash from `folder`.
pub fn find(name: &OsStr, environment: &Environment, folder: &Path) -> Option<PathBuf> {
    if Path::new(name).components().count() > 1 {
        let path = folder.join(name);
        return is_executable(&path).then_some(path);
    }
    let endings: &[&str] = if cfg!(windows) { &[".exe", ".cmd", ".bat", ""] } else { &[""] };
    split_paths(environment.get("PATH")?)
        // A relative folder in PATH would let the workspace choose which program runs.
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| {
            endings.iter().map(move |ending| {
                let mut file = name.to_owned();
                file.push(ending);
                folder.join(file)
            })
        })
        .find(|candidate| is_executable(candidate))
}

/// Finds a program and asks it for its version, which takes three seconds at most.
pub fn look_for(name: &str, environment: &Environment, folder: &Path) -> Option<Presence> {
    let program = find(OsStr::new(name), environment, folder)?;
    let invocation =
        Invocation { program: program.clone(), args: vec!["--version".into()], stdin: Vec::new() };
    let limits = Limits { timeout: Duration::from_secs(3), grace: Duration::from_millis(200), output: 4096 };
    let filter = Filter::default();
    let asked = run(
        &Run {
            invocation: &invocation,
            folder,
            environment,
            mark: &format!("version-of-{name}"),
            limits,
            filter: &filter,
            cancel: &Cancel::new(),
        },
        &mut |_, _| {},
    );
    let first_line =
        |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let version = asked
        .ok()
        .filter(|outcome| outcome.end == End::Exited(0))
        .and_then(|outcome| first_line(&outcome.stdout.text));
    Some(Presence { program, version })
}

fn is_executable(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    meta.is_file() && may_run
}
