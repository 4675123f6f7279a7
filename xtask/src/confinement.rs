//! Runs `steersman run` with real build tools, and the attacks of its tests inside the sandboxes of agent programs.
//!
//! WHY not in the tests: it installs from npm and `PyPI`. The installed packages stay below the target folder.

mod builds;
mod projects;
mod sandboxes;

use std::path::PathBuf;

use anyhow::Result;

use crate::{metadata, repo};

/// The options of the command line.
#[derive(Default)]
struct Options {
    only_builds: bool,
    only_sandboxes: bool,
    binary: Option<PathBuf>,
}

/// Runs both parts, or one.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut options = Options::default();
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("builds") => options.only_builds = true,
            lexopt::Arg::Long("sandboxes") => options.only_sandboxes = true,
            lexopt::Arg::Long("binary") => options.binary = Some(std::path::absolute(args.value()?)?),
            _ => return Err(arg.unexpected().into()),
        }
    }
    let target = metadata::read()?.target;
    let binary = if let Some(binary) = options.binary {
        binary
    } else {
        repo::run(&mut repo::cargo(&["build", "--package", "steersman"]))?;
        target.join("debug/steersman")
    };
    let folder = target.join("confinement");
    if !options.only_sandboxes {
        builds::check(&binary, &folder)?;
    }
    if !options.only_builds {
        sandboxes::check(&binary, &folder)?;
    }
    Ok(())
}
