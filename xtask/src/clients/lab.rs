//! The inside of a laboratory: a user's home with a project, one agent program and the scripted model.

mod run;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::client::Client;
use super::model::Model;
use super::outcome::Check;
use super::pins;

pub(crate) use run::{Run, Session};

/// The user's home.
pub(crate) const HOME: &str = "/home/dev";
/// The project, a git repository.
pub(crate) const PROJECT: &str = "/home/dev/shop";
/// A linked worktree of the project; scenarios that need one create it.
pub(crate) const WORKTREE: &str = "/home/dev/shop-feature";
/// A folder that is no project.
pub(crate) const ELSEWHERE: &str = "/home/dev/notes";
/// The folders that the user trusts in each program.
pub(crate) const TRUSTED: &[&str] = &[PROJECT, WORKTREE];
/// The PATH of a laboratory, behind the user's own folders.
pub(crate) const SYSTEM_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin";

/// The scratch folder as the laboratory sees it.
const SCRATCH: &str = "/mnt/scratch";
/// The installed programs as the laboratory sees them.
const PROGRAMS: &str = "/mnt/programs";
/// The file with the result, below the scratch folder.
pub(crate) const RESULT: &str = "result.json";

/// The files of the project at the start.
const FILES: &[(&str, &str)] = &[
    ("README.md", "# shop\nREADME-MARK\n"),
    ("docs/manual.md", "# Manual\n"),
    ("src/cart.js", "export const total = 1;\n"),
    ("package.json", "{\"name\": \"shop\", \"version\": \"1.0.0\"}\n"),
    ("build.sh", "echo built > out.txt\n"),
];

/// The user's home, to write settings into.
pub(crate) struct Home {
    /// The port of the model.
    pub(crate) port: u16,
}

impl Home {
    /// Writes a file, given relative to the home folder.
    #[expect(clippy::unused_self, reason = "only a laboratory has this home")]
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<()> {
        write(&Path::new(HOME).join(path), text)
    }

    /// Writes a JSON file, given relative to the home folder.
    pub(crate) fn write_json(&self, path: &str, value: &Value) -> Result<()> {
        self.write(path, &format!("{value:#}\n"))
    }
}

/// A laboratory with the checks made in it.
pub(crate) struct Lab {
    /// The program under test.
    pub(crate) client: &'static Client,
    model: Model,
    checks: Vec<Check>,
    log: File,
    n_runs: usize,
}

/// The result of a command that the user typed.
#[derive(Debug)]
pub(crate) struct Typed {
    /// Whether it exited with 0.
    pub(crate) succeeded: bool,
    /// Its stdout and stderr.
    pub(crate) output: String,
}

impl Lab {
    /// Creates the project and the user's settings of the program, and starts the model.
    pub(crate) fn open(client: &'static Client) -> Result<Self> {
        let log = File::create(Path::new(SCRATCH).join("log.txt")).context("cannot create the log")?;
        let model = Model::start()?;
        let home = Home { port: model.port };
        home.write(
            ".gitconfig",
            "[user]\n name = Dev\n email = dev@example.com\n[init]\n defaultBranch = main\n[safe]\n directory = *\n",
        )?;
        home.write("precious/photo.txt", "PRECIOUS\n")?;
        fs::create_dir_all(ELSEWHERE).context("cannot create a folder")?;
        (client.configure)(&home)?;
        put_on_path(&home, client)?;
        let mut lab = Self { client, model, checks: Vec::new(), log, n_runs: 0 };
        for (path, text) in FILES {
            lab.write(path, text)?;
        }
        let begun = lab.user(&format!(
            "chmod +x ~/.local/bin/{} && git init -q . && git add -A && git commit -q -m start",
            client.pin.id
        ));
        ensure!(begun.succeeded, "cannot create the project: {}", begun.output);
        Ok(lab)
    }

    /// Runs a command line in the project, as the user would.
    pub(crate) fn user(&mut self, line: &str) -> Typed {
        self.user_in(PROJECT, line)
    }

    /// Runs a command line in a folder, as the user would.
    pub(crate) fn user_in(&mut self, folder: &str, line: &str) -> Typed {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(folder).stdin(Stdio::null());
        set_environment(&mut command, folder);
        let typed = match command.output() {
            Ok(output) => Typed {
                succeeded: output.status.success(),
                output: String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned(),
            },
            Err(error) => Typed { succeeded: false, output: error.to_string() },
        };
        self.log(&format!("$ {line}\n{}", typed.output));
        typed
    }

    /// Starts a script in the project, as the user would in a second terminal.
    pub(crate) fn background(&mut self, script: &str) -> Result<Child> {
        let mut command = Command::new("sh");
        command.args(["-c", script]).current_dir(PROJECT);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        set_environment(&mut command, PROJECT);
        self.log(&format!("$ {script} &"));
        command.spawn().context("cannot start a script")
    }

    /// Runs `steersman init` with flags in the project, and checks that it registers.
    pub(crate) fn init(&mut self, flags: &str) {
        let begun = self.user(&format!("steersman init {flags}"));
        self.check("`steersman init` succeeds", begun.succeeded, &begun.output);
    }

    /// Records whether something holds; `detail` explains a failure.
    pub(crate) fn check(&mut self, name: &str, passed: bool, detail: &str) {
        self.log(&format!("{} {name}", if passed { "passed:" } else { "FAILED:" }));
        let detail = if passed { String::new() } else { shortened(detail) };
        self.checks.push(Check { name: name.to_owned(), passed, detail });
    }

    /// Returns the text of a file; relative paths start at the project. Returns `None` if it cannot be read.
    #[expect(clippy::unused_self, reason = "only a laboratory has this project")]
    pub(crate) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(Path::new(PROJECT).join(path)).ok()
    }

    /// Returns whether a file or folder exists; relative paths start at the project.
    #[expect(clippy::unused_self, reason = "only a laboratory has this project")]
    pub(crate) fn exists(&self, path: &str) -> bool {
        Path::new(PROJECT).join(path).exists()
    }

    /// Writes a file as the user; relative paths start at the project.
    #[expect(clippy::unused_self, reason = "only a laboratory has this project")]
    pub(crate) fn write(&self, path: &str, text: &str) -> Result<()> {
        write(&Path::new(PROJECT).join(path), text)
    }

    /// Returns whether the user's home is intact.
    pub(crate) fn home_is_intact(&self) -> bool {
        self.exists("../precious/photo.txt")
    }

    /// Ends the laboratory and writes the checks into its scratch folder.
    pub(crate) fn close(mut self) -> Result<()> {
        for line in ["steersman session list", "steersman doctor"] {
            self.user(line);
        }
        let checks: Vec<Value> = self.checks.iter().map(Check::to_json).collect();
        write(&Path::new(SCRATCH).join(RESULT), &format!("{:#}\n", Value::from(checks)))
    }

    fn log(&mut self, text: &str) {
        // The log helps a person to understand a failed check; a result does not depend on it.
        let _ = writeln!(self.log, "{text}");
    }
}

/// Sets the environment of a login, and nothing else.
fn set_environment(command: &mut Command, folder: &str) {
    command.env_clear().env("PWD", folder).env("PATH", format!("{HOME}/.local/bin:{SYSTEM_PATH}"));
    let variables = [
        ("HOME", HOME),
        ("LANG", "C.UTF-8"),
        ("TERM", "xterm-256color"),
        ("USER", "dev"),
        ("SHELL", "/bin/bash"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
    ];
    command.envs(variables);
}

/// Creates a command for the program on the user's PATH, where `steersman init` looks for programs in use.
fn put_on_path(home: &Home, client: &Client) -> Result<()> {
    let program = installed(&client.pin.program());
    let node = if client.runs_on_node { installed(&pins::NODE.program()) } else { "env".into() };
    let command = format!("#!/bin/sh\nexec {} {} \"$@\"\n", node.display(), program.display());
    home.write(&format!(".local/bin/{}", client.pin.id), &command)
}

/// Returns the path of an installed program.
fn installed(program: &str) -> PathBuf {
    Path::new(PROGRAMS).join(program)
}

fn write(path: &Path, text: &str) -> Result<()> {
    let context = || format!("cannot write `{}`", path.display());
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).with_context(context)?;
    }
    fs::write(path, text).with_context(context)
}

/// Returns a string as one line of at most 200 characters.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 200;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(LONGEST).collect();
    if short.len() < line.len() {
        let _ = write!(short, "…");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_detail_is_one_short_line() {
        assert_eq!(shortened("a\n  b\tc\n"), "a b c");
        let long = shortened(&"ä".repeat(300));
        assert_eq!(long.chars().count(), 201);
        assert!(long.ends_with('…'));
    }
}
