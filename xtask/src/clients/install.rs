//! Installs the pinned programs below the target folder; a version that exists is not fetched again.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::pins::Pin;
use crate::{prerequisite, repo};

/// Installs every pin that is missing below `programs`.
pub(crate) fn ensure(programs: &Path, pins: &[Pin]) -> Result<()> {
    for pin in pins {
        if !programs.join(pin.program()).is_file() {
            fetch(programs, pin)?;
        }
    }
    Ok(())
}

/// Installs into a folder beside the final one and renames it, so that an interrupted download leaves no
/// folder that looks complete.
fn fetch(programs: &Path, pin: &Pin) -> Result<()> {
    let Some(npm) = prerequisite::program("npm") else {
        bail!("npm is missing\nhint: install Node.js, which brings npm");
    };
    println!("installing {}", pin.requirement());
    let (unfinished, folder) = (programs.join(format!(".{}", pin.folder())), programs.join(pin.folder()));
    let context = || format!("cannot fill `{}`", unfinished.display());
    for left_over in [&unfinished, &folder] {
        if left_over.exists() {
            fs::remove_dir_all(left_over).with_context(context)?;
        }
    }
    fs::create_dir_all(&unfinished).with_context(context)?;
    // Without its own manifest, npm would install into a parent folder that has one.
    fs::write(unfinished.join("package.json"), "{}\n").with_context(context)?;
    let mut command = Command::new(npm);
    command.current_dir(&unfinished);
    command.args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
    command.arg(pin.requirement());
    repo::run(&mut command).with_context(|| format!("cannot install {}", pin.requirement()))?;
    fs::rename(&unfinished, &folder).with_context(context)?;
    if !programs.join(pin.program()).is_file() {
        bail!("{} does not contain `{}`", pin.requirement(), pin.program());
    }
    Ok(())
}
