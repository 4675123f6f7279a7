//! Puts the shipped binary on the PATH.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::release::{self, Linkage};

/// Builds and installs to `DIR/bin` of `--prefix DIR`, or to where cargo installs.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut prefix = None;
    let mut linkage = if cfg!(target_os = "linux") { Linkage::Static } else { Linkage::Native };
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("prefix") => prefix = Some(PathBuf::from(args.value()?)),
            lexopt::Arg::Long("native") => linkage = Linkage::Native,
            _ => return Err(arg.unexpected().into()),
        }
    }
    let folder = match prefix {
        Some(prefix) => std::path::absolute(prefix)?.join("bin"),
        None => cargo_home()?.join("bin"),
    };
    let binary = release::steersman(linkage)?;
    let installed = place(&binary, &folder)?;
    println!("installed {}", installed.display());
    let path = std::env::var_os("PATH").unwrap_or_default();
    if !std::env::split_paths(&path).any(|it| it == folder) {
        println!("hint: {} is not on your PATH", folder.display());
    }
    println!("hint: run `steersman init` in a project to register it with the agents you use");
    Ok(())
}

/// Copies beside the destination first: hooks may be running the old binary right now.
fn place(binary: &Path, folder: &Path) -> Result<PathBuf> {
    let name = binary.file_name().context("the binary has no name")?;
    let installed = folder.join(name);
    let fresh = folder.join(format!(".steersman-{}", std::process::id()));
    let context = || format!("cannot install to `{}`", installed.display());
    fs::create_dir_all(folder).with_context(context)?;
    fs::copy(binary, &fresh).with_context(context)?;
    if let Err(error) = fs::rename(&fresh, &installed) {
        let _ = fs::remove_file(&fresh);
        return Err(error).with_context(context);
    }
    Ok(installed)
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    match std::env::home_dir() {
        Some(home) => Ok(home.join(".cargo")),
        None => bail!("there is no home folder\nhint: say where with `--prefix DIR`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;

    #[test]
    fn an_older_binary_is_replaced_and_nothing_else_is_left() {
        let scratch = Scratch::new("install").unwrap();
        let binary = scratch.path().join("steersman");
        let folder = scratch.path().join("prefix/bin");
        for content in ["old", "new"] {
            fs::write(&binary, content).unwrap();
            assert_eq!(place(&binary, &folder).unwrap(), folder.join("steersman"));
        }
        assert_eq!(fs::read_to_string(folder.join("steersman")).unwrap(), "new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
    }
}
