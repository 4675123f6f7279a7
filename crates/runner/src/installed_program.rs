//! Finds an installed program and its version.

use std::env::split_paths;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redact::Filter;

use crate::{Cancel, End, Environment, Invocation, Limits, Run, run};

/// A program that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstalledProgram {
    /// The path of the program.
    pub program: PathBuf,
    /// The first line of `--version`; `None` if the program fails or prints nothing.
    pub version: Option<String>,
}

/// Finds a program as a shell does: a bare name along `PATH`, a path with a slash from `folder`.
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

/// Finds a program and runs it with `--version`, for at most three seconds.
pub fn find_with_version(name: &str, environment: &Environment, folder: &Path) -> Option<InstalledProgram> {
    let program = find(OsStr::new(name), environment, folder)?;
    let invocation =
        Invocation { program: program.clone(), args: vec!["--version".into()], stdin: Vec::new() };
    let limits = Limits { timeout: Duration::from_secs(3), grace: Duration::from_millis(200), output: 4096 };
    let filter = Filter::default();
    let outcome = run(
        &Run {
            invocation: &invocation,
            folder,
            environment,
            mark: &format!("version-of-{name}"),
            limits,
            filter: &filter,
            cancel: &Cancel::new(),
            pipe: None,
        },
        &mut |_, _| {},
    );
    let first_line =
        |text: &str| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned);
    let version = outcome
        .ok()
        .filter(|outcome| outcome.end == End::Exited(0))
        .and_then(|outcome| first_line(&outcome.stdout.text));
    Some(InstalledProgram { program, version })
}

/// Returns whether this is an executable file.
pub fn is_executable(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return false };
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    meta.is_file() && may_run
}
