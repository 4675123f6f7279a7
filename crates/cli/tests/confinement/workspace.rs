//! A workspace with a scope, and calls of `steersman run` in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// A workspace `w` and a home beside each other.
pub(crate) struct Workspace {
    dir: TempDir,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["w/src", "w/out", "home"] {
            fs::create_dir_all(dir.path().join(folder)).unwrap();
        }
        Self { dir }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("w")
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("home")
    }

    pub(crate) fn write(&self, path: &str, content: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_default()
    }

    /// Returns a call of a program in the workspace.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.root())
            .env("HOME", self.home())
            .env_remove("CLAUDECODE")
            .env_remove("XDG_STATE_HOME");
        command
    }

    /// Returns a call of `steersman run` with these options, without a command.
    pub(crate) fn run(&self, options: &str) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_steersman"));
        command.arg("run").args(options.split_whitespace()).arg("--");
        command
    }

    /// Runs a shell line confined.
    pub(crate) fn line(&self, options: &str, line: &str) -> Output {
        self.run(options).args(["sh", "-c", line]).output().unwrap()
    }

    pub(crate) fn exists(&self, path: impl AsRef<Path>) -> bool {
        self.root().join(path).symlink_metadata().is_ok()
    }
}

/// Returns what a program printed, for messages of tests.
pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
