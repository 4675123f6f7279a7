//! The tools that a chore needs on the machine: checked first, installed if that needs no
//! password, otherwise reported with the command that installs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use crate::{release, repo, tree};

/// A tool that is not part of a checkout.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Prerequisite {
    /// `cargo fmt`
    Rustfmt,
    /// `cargo clippy`
    Clippy,
    /// The standard library for static binaries.
    MuslTarget,
    /// A C compiler for static binaries; needed only while a dependency has C code.
    MuslCompiler,
    /// The tool that records which functions run.
    Valgrind,
    /// The browser of the tests of the page.
    Chromium,
    /// The program that installs and drives the browser's packages.
    Npm,
}

impl Prerequisite {
    /// Installs the tool if it is missing. Fails if that is not possible.
    pub(crate) fn ensure(self) -> Result<()> {
        if self.is_installed() {
            return Ok(());
        }
        println!("{} is missing, installing it", self.name());
        let hint = self.install();
        if self.is_installed() {
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
            Self::Chromium => "Chromium",
            Self::Npm => "npm",
        }
    }

    fn is_installed(self) -> bool {
        match self {
            Self::Rustfmt => repo::succeeds(&mut repo::cargo(&["fmt", "--version"])),
            Self::Clippy => repo::succeeds(&mut repo::cargo(&["clippy", "--version"])),
            Self::MuslTarget => has_standard_library(release::STATIC),
            Self::MuslCompiler => {
                let variable = format!("CC_{}", release::STATIC.replace('-', "_"));
                program("musl-gcc").is_some() || std::env::var_os(variable).is_some() || !has_c_code()
            }
            Self::Valgrind => program("valgrind").is_some(),
            Self::Chromium => {
                ["chromium", "chromium-browser", "google-chrome"].iter().any(|name| program(name).is_some())
            }
            Self::Npm => program("npm").is_some() && program("node").is_some(),
        }
    }

    /// Tries to install the tool, and returns the command for a person if that fails.
    fn install(self) -> String {
        let rustup = |args: &[&str]| {
            let mut command = Command::new("rustup");
            command.args(args);
            // `ensure` checks again whether it helped.
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
            Self::Chromium => {
                apt("chromium");
                "sudo apt-get install chromium".to_owned()
            }
            Self::Npm => {
                apt("npm");
                "sudo apt-get install npm".to_owned()
            }
        }
    }
}

/// Tries to install a package if that needs no password; `ensure` checks again whether it helped.
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

/// Returns the path of a program on the PATH.
pub(crate) fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}

fn has_standard_library(target: &str) -> bool {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", target]);
    repo::output(&mut rustc).is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Returns whether the shipped binary needs a C compiler.
fn has_c_code() -> bool {
    tree::read("steersman", "normal,build")
        .is_ok_and(|nodes| tree::path_to(&nodes, |name| name == "cc" || name == "cmake").is_some())
}

#[cfg(target_os = "linux")]
pub(crate) fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").is_ok_and(|it| it.uid() == 0)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_root() -> bool {
    false
}
