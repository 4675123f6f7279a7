//! What a chore needs on the machine: looked for first, installed if that is
//! possible without asking, otherwise named together with the command to install it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::{release, repo, tree};

/// Something that a checkout does not bring along.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Need {
    /// `cargo fmt`
    Rustfmt,
    /// `cargo clippy`
    Clippy,
    /// The standard library for static binaries.
    MuslTarget,
    /// A C compiler for static binaries; needed only while a dependency has C code.
    MuslCompiler,
    /// What records which functions run.
    Valgrind,
}

impl Need {
    /// Returns when it is there, after installing it if it was not.
    pub(crate) fn ensure(self) -> Result<()> {
        if self.is_met() {
            return Ok(());
        }
        println!("{} is missing, installing it", self.name());
        let hint = self.install();
        if self.is_met() {
            return Ok(());
        }
        bail!("{} is missing and cannot be installed from here\nhint: {hint}", self.name())
    }

    fn name(self) -> &'static str {
        match self {
            Self::Rustfmt => "rustfmt",
            Self::Clippy => "clippy",
            Self::MuslTarget => "the standard library for static binaries",
            Self::MuslCompiler => "musl-gcc",
            Self::Valgrind => "valgrind",
        }
    }

    fn is_met(self) -> bool {
        match self {
            Self::Rustfmt => repo::succeeds(&mut repo::cargo(&["fmt", "--version"])),
            Self::Clippy => repo::succeeds(&mut repo::cargo(&["clippy", "--version"])),
            Self::MuslTarget => has_standard_library(release::STATIC),
            Self::MuslCompiler => {
                let variable = format!("CC_{}", release::STATIC.replace('-', "_"));
                program("musl-gcc").is_some() || std::env::var_os(variable).is_some() || !has_c_code()
            }
            Self::Valgrind => program("valgrind").is_some(),
        }
    }

    /// Tries to install, and returns what a person can do if that was in vain.
    fn install(self) -> String {
        let rustup = |args: &[&str]| {
            let mut command = Command::new("rustup");
            command.args(args);
            // Whether it helped is seen by looking again.
            let _ = repo::run(&mut command);
            repo::line(&command)
        };
        match self {
            Self::Rustfmt => rustup(&["component", "add", "rustfmt"]),
            Self::Clippy => rustup(&["component", "add", "clippy"]),
            Self::MuslTarget => rustup(&["target", "add", release::STATIC]),
            Self::MuslCompiler => {
                apt("musl-tools");
                "sudo apt-get install musl-tools (or the musl package of your system)".to_owned()
            }
            Self::Valgrind => {
                apt("valgrind");
                "sudo apt-get install valgrind".to_owned()
            }
        }
    }
}

/// Tries to install a package where that needs no password. Whether it helped is seen by looking again.
fn apt(package: &str) {
    if !is_root() || program("apt-get").is_none() {
        return;
    }
    let apt = |args: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(args).env("DEBIAN_FRONTEND", "noninteractive");
        repo::run(&mut command)
    };
    let install = ["install", "--yes", "--no-install-recommends", package];
    if apt(&install).is_err() && apt(&["update"]).is_ok() {
        let _ = apt(&install);
    }
}

/// Returns where a program is on the PATH.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn has_standard_library(target: &str) -> bool {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", target]);
    repo::output(&mut rustc).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Returns whether the shipped binary is built with the help of a C compiler.
fn has_c_code() -> bool {
    tree::read("steersman", "normal,build")
        .is_ok_and(|nodes| tree::path_to(&nodes, |name| name == "cc" || name == "cmake").is_some())
}

#[cfg(target_os = "linux")]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
fn is_root() -> bool {
    false
}
