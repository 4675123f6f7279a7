//! Builds the binary that is shipped: static, so that it starts fast wherever it is.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::prerequisite::Prerequisite;
use crate::{metadata, repo};

/// The target of static binaries for the architecture of this machine.
#[cfg(target_arch = "aarch64")]
pub(crate) const STATIC: &str = "aarch64-unknown-linux-musl";
/// The target of static binaries for the architecture of this machine.
#[cfg(not(target_arch = "aarch64"))]
pub(crate) const STATIC: &str = "x86_64-unknown-linux-musl";

/// The cargo profile of the shipped binary; `release` is the quick one.
const PROFILE: &str = "dist";

/// The target of the binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// Statically with musl; Linux only.
    Static,
    /// However this machine links by default.
    Native,
}

/// Builds `steersman` with the profile `dist` and returns its path.
pub(crate) fn steersman(linkage: Linkage) -> Result<PathBuf> {
    let target = metadata::read()?.target;
    build(linkage, &repo::root().join("Cargo.toml"), "steersman", &target)
}

/// Builds the static `steersman` exactly as it is shipped, has the linker write its map to a file,
/// and returns where the binary is.
pub(crate) fn steersman_with_map(map: &Path) -> Result<PathBuf> {
    let target = metadata::read()?.target;
    let mut command = static_steersman()?;
    command.env("STEERSMAN_LINK_MAP", map);
    repo::run(&mut command).context("cannot build the binary")?;
    Ok(target.join(STATIC).join(PROFILE).join("steersman"))
}

/// Returns the call that builds the static `steersman`.
pub(crate) fn static_steersman() -> Result<Command> {
    static_build(&repo::root().join("Cargo.toml"), "steersman", &metadata::read()?.target)
}

/// Builds the program that does nothing, linked the same way, and returns where it is.
pub(crate) fn empty_program(linkage: Linkage) -> Result<PathBuf> {
    let target = metadata::read()?.target.join("bench");
    build(linkage, &repo::root().join("bench/empty/Cargo.toml"), "empty", &target)
}

fn build(linkage: Linkage, manifest: &Path, package: &str, target: &Path) -> Result<PathBuf> {
    let (mut command, folder) = match linkage {
        Linkage::Static => (static_build(manifest, package, target)?, target.join(STATIC)),
        Linkage::Native => (native_build(manifest, package, target), target.to_owned()),
    };
    repo::run(&mut command).context("cannot build the binary")?;
    Ok(folder.join(PROFILE).join(package).with_extension(std::env::consts::EXE_EXTENSION))
}

fn native_build(manifest: &Path, package: &str, target: &Path) -> Command {
    let mut command = repo::cargo(&["build", "--profile", PROFILE, "--package", package, "--manifest-path"]);
    command.arg(manifest).arg("--target-dir").arg(target);
    command
}

fn static_build(manifest: &Path, package: &str, target: &Path) -> Result<Command> {
    Prerequisite::MuslTarget.ensure()?;
    Prerequisite::MuslCompiler.ensure()?;
    let mut command = native_build(manifest, package, target);
    command.args(["--target", STATIC]);
    // The C code of dependencies asks for a compiler by a name that most systems lack on ARM.
    let compiler = "CC_aarch64_unknown_linux_musl";
    if cfg!(target_arch = "aarch64") && std::env::var_os(compiler).is_none() {
        command.env(compiler, "musl-gcc");
    }
    Ok(command)
}
