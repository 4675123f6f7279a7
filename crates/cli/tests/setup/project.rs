//! A temporary project with its own home, PATH and state folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder with `home`, `bin`, `state`, the administrator's `machine` and the project `app` in it.
pub(crate) struct Project {
    folder: TempDir,
}

/// The output of a command, with placeholders for the parts that differ between runs.
pub(crate) struct CommandOutput {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) exit: i32,
}

impl CommandOutput {
    /// Returns the whole output for a snapshot.
    pub(crate) fn all(&self) -> String {
        format!("{}{}exit {}\n", self.stdout, self.stderr, self.exit)
    }
}

impl Project {
    /// Creates a project without any setup, with steersman on the PATH.
    pub(crate) fn new() -> Self {
        let project = Self { folder: TempDir::new().unwrap() };
        for folder in ["home", "bin", "state", "machine", "app/.git"] {
            fs::create_dir_all(project.folder.path().join(folder)).unwrap();
        }
        fs::hard_link(env!("CARGO_BIN_EXE_steersman"), project.program())
            .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_steersman"), project.program()).map(drop))
            .unwrap();
        project
    }

    /// Returns the program on the PATH.
    pub(crate) fn program(&self) -> PathBuf {
        self.folder.path().join("bin").join(format!("steersman{}", std::env::consts::EXE_SUFFIX))
    }

    /// Returns a path in the project.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join("app").join(file)
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, file: &str, text: &str) {
        self.write_beside(&format!("app/{file}"), text);
    }

    /// Writes a file beside the project, such as `home/.codex/hooks.json`.
    pub(crate) fn write_beside(&self, file: &str, text: &str) {
        let path = self.folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Reads a file of the project.
    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// Returns every file of the project with its bytes, except records.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(""), "", &mut files);
        files.retain(|name, _| !name.starts_with(".ai/tmp/"));
        files
    }

    /// Runs the program on the PATH, in the project.
    pub(crate) fn run(&self, args: &[&str]) -> CommandOutput {
        self.run_program(&self.program(), args, "")
    }

    /// Sends an event and returns the answer.
    pub(crate) fn dispatch(&self, payload: &str) -> String {
        self.run_program(&self.program(), &["dispatch", "PreToolUse", "--host", "claude-code"], payload)
            .stdout
    }

    /// Runs the program on the PATH in a folder of the project.
    pub(crate) fn run_in(&self, folder: &str, args: &[&str]) -> CommandOutput {
        self.run_program_in(&self.path(folder), &self.program(), args, "", &[])
    }

    /// Runs the program on the PATH in the project, with variables that name folders beside it and with this stdin.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], args: &[&str], stdin: &str) -> CommandOutput {
        self.run_program_in(&self.path(""), &self.program(), args, stdin, variables)
    }

    /// Returns the folder that stands for `/` of the administrator's settings.
    pub(crate) fn machine(&self) -> PathBuf {
        self.folder.path().join("machine")
    }

    /// Returns every file below a folder beside the project, with its bytes.
    pub(crate) fn files_beside(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.folder.path().join(folder), "", &mut files);
        files
    }

    /// Runs a program in the project with this stdin.
    pub(crate) fn run_program(&self, program: &Path, args: &[&str], stdin: &str) -> CommandOutput {
        self.run_program_in(&self.path(""), program, args, stdin, &[])
    }

    fn run_program_in(
        &self,
        folder: &Path,
        program: &Path,
        args: &[&str],
        stdin: &str,
        variables: &[(&str, &str)],
    ) -> CommandOutput {
        let root = self.folder.path();
        let folders = [root.join("bin"), "/usr/bin".into(), "/bin".into()];
        let search = std::env::join_paths(folders).unwrap();
        let mut child = Command::new(program)
            .args(args)
            .current_dir(folder)
            .env_clear()
            .env("HOME", root.join("home"))
            .env("XDG_STATE_HOME", root.join("state"))
            .env("STEERSMAN_MANAGED_ROOT", self.machine())
            .env("PATH", search)
            .envs(variables.iter().map(|(name, folder)| (name, root.join(folder))))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        CommandOutput {
            stdout: self.normalized(&output.stdout),
            stderr: self.normalized(&output.stderr),
            exit: output.status.code().unwrap(),
        }
    }

    /// Replaces the parts that differ between runs.
    fn normalized(&self, bytes: &[u8]) -> String {
        let root = self.folder.path();
        let real = root.canonicalize().unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let text = text.replace(real.to_str().unwrap(), "").replace(root.to_str().unwrap(), "");
        let word = |word: &str| word.split('/').map(placeholder).collect::<Vec<_>>().join("/");
        let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Replaces a part of a path that differs between runs: a moment, or the hash of a workspace.
fn placeholder(part: &str) -> &str {
    if part.len() == 24 && part.starts_with("20") && part.ends_with('Z') {
        "WHEN"
    } else if part.len() == 16 && part.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        "HASH"
    } else {
        part
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
        } else {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}
