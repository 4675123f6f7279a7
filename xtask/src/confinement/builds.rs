//! Real build tools, confined to the sources of a project: they must run as they do unconfined.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, bail};

use super::projects::{BUILDS, Build};
use crate::clients::install;
use crate::clients::pins::BUILD_TOOLS;
use crate::repo;

/// The tools from `PyPI`, at exact versions.
const FROM_PYPI: [&str; 4] = ["black==26.10.1", "cmake==4.4.4", "pytest==9.2.0", "ruff==0.17.4"];

/// Runs every build unconfined and confined. Fails if one behaves differently.
pub(crate) fn check(binary: &Path, folder: &Path) -> Result<()> {
    let programs = folder.join("programs");
    install::ensure(&programs, &BUILD_TOOLS)?;
    let python = ensure_python(folder)?;
    let mut path = vec![python.join("bin")];
    path.extend(BUILD_TOOLS.iter().map(|pin| programs.join(pin.modules()).join(".bin")));
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let environment = BuildEnvironment {
        folder: folder.to_owned(),
        path: std::env::join_paths(path)?,
        binary: binary.to_owned(),
    };
    let mut failures = Vec::new();
    for build in BUILDS {
        let plain = environment.run(build, false)?;
        if !plain.status.success() {
            bail!("{} fails unconfined: {}", build.name, said(&plain));
        }
        let confined = environment.run(build, true)?;
        println!("{:<28} {}", build.name, if confined.status.success() { "runs confined" } else { "FAILS" });
        if !confined.status.success() {
            failures.push(format!("{}: {}", build.name, said(&confined)));
        }
    }
    if !failures.is_empty() {
        bail!("these builds fail when confined:\n{}", failures.join("\n---\n"));
    }
    println!("{} builds run confined as they do unconfined", BUILDS.len());
    Ok(())
}

/// The folder, the search path and the program that builds run with.
struct BuildEnvironment {
    folder: PathBuf,
    path: std::ffi::OsString,
    binary: PathBuf,
}

impl BuildEnvironment {
    fn run(&self, build: &Build, is_confined: bool) -> Result<Output> {
        let project = self.folder.join("project");
        if project.exists() {
            fs::remove_dir_all(&project)?;
        }
        for (file, content) in build.files {
            let file = project.join(file);
            fs::create_dir_all(file.parent().unwrap_or(&project))?;
            fs::write(file, content)?;
        }
        let prepare = "git init -q -b main && git config user.email a@b && git config user.name x && git add -A && git commit -q -m one";
        let line = if build.prepare.is_empty() {
            prepare.to_owned()
        } else {
            format!("{} && {prepare}", build.prepare)
        };
        let prepared = self.bash(&line, &project, false).output()?;
        if !prepared.status.success() {
            bail!("cannot prepare {}: {}", build.name, said(&prepared));
        }
        self.bash(build.line, &project, is_confined).output().context("cannot start the build")
    }

    fn bash(&self, line: &str, project: &Path, is_confined: bool) -> Command {
        let mut command = if is_confined {
            let mut command = Command::new(&self.binary);
            command.args(["run", "--write", "src", "--", "bash", "-c", line]);
            command
        } else {
            let mut command = Command::new("bash");
            command.args(["-c", line]);
            command
        };
        let home = self.folder.join("home");
        command.current_dir(project).env("HOME", home).env("PATH", &self.path).env("CI", "1");
        command
    }
}

/// Makes a virtual environment with the tools, unless it exists.
fn ensure_python(folder: &Path) -> Result<PathBuf> {
    fs::create_dir_all(folder.join("home"))?;
    let python = folder.join(format!("python-{}", FROM_PYPI.join("-").replace("==", "-")));
    if python.join("bin/ruff").exists() {
        return Ok(python);
    }
    println!("installing {}", FROM_PYPI.join(" "));
    repo::run(Command::new("/usr/bin/python3").args(["-m", "venv", "--clear"]).arg(&python))
        .context("cannot make a virtual environment")?;
    let pip = python.join("bin/pip");
    repo::run(Command::new(pip).args(["install", "--quiet", "--disable-pip-version-check"]).args(FROM_PYPI))
        .context("cannot install from PyPI")?;
    Ok(python)
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
