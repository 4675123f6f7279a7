//! A throw-away project with a home, a PATH and a state folder of its own.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder with `home`, `bin`, `state` and the project `app` in it.
pub(crate) struct Project {
    folder: TempDir,
}

/// What a command printed, with everything that differs from run to run replaced.
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) exit: i32,
}

impl Said {
    /// Returns everything for a snapshot.
    pub(crate) fn all(&self) -> String {
        format!("{}{}exit {}\n", self.stdout, self.stderr, self.exit)
    }
}

impl Project {
    /// Makes a project in which nothing is set up, with steersman on the PATH.
    pub(crate) fn new() -> Self {
        let project = Self { folder: TempDir::new().unwrap() };
        for folder in ["home", "bin", "state", "app/.git"] {
            fs::create_dir_all(project.folder.path().join(folder)).unwrap();
        }
        fs::hard_link(env!("CARGO_BIN_EXE_steersman"), project.program())
            .or_else(|_| fs::copy(env!("CARGO_BIN_EXE_steersman"), project.program()).map(drop))
            .unwrap();
        project
    }

    /// Returns the program that is on the PATH.
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

    /// Returns every file of the project with its bytes, records left out.
    pub(crate) fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(""), "", &mut files);
        files.retain(|name, _| !name.starts_with(".ai/tmp/"));
        files
    }

    /// Runs the program that is on the PATH, in the project.
    pub(crate) fn run(&self, args: &[&str]) -> Said {
        self.run_program(&self.program(), args, "")
    }

    /// Hands an event over and returns the answer.
    pub(crate) fn dispatch(&self, payload: &str) -> String {
        self.run_program(&self.program(), &["dispatch", "PreToolUse", "--host", "claude-code"], payload)
            .stdout
    }

    /// Runs a program in the project, with what is to be read from stdin.
    pub(crate) fn run_program(&self, program: &Path, args: &[&str], stdin: &str) -> Said {
        let root = self.folder.path();
        let folders = [root.join("bin"), "/usr/bin".into(), "/bin".into()];
        let search = std::env::join_paths(folders).unwrap();
        let mut child = Command::new(program)
            .args(args)
            .current_dir(self.path(""))
            .env_clear()
            .env("HOME", root.join("home"))
            .env("XDG_STATE_HOME", root.join("state"))
            .env("PATH", search)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        Said {
            stdout: self.steady(&output.stdout),
            stderr: self.steady(&output.stderr),
            exit: output.status.code().unwrap(),
        }
    }

    /// Replaces what differs from run to run.
    fn steady(&self, bytes: &[u8]) -> String {
        let root = self.folder.path();
        let real = root.canonicalize().unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let text = text.replace(real.to_str().unwrap(), "").replace(root.to_str().unwrap(), "");
        let is_when = |part: &str| part.len() == 24 && part.starts_with("20") && part.ends_with('Z');
        let word = |word: &str| {
            let parts: Vec<&str> =
                word.split('/').map(|part| if is_when(part) { "WHEN" } else { part }).collect();
            parts.join("/")
        };
        let line = |line: &str| line.split(' ').map(word).collect::<Vec<_>>().join(" ");
        text.split('\n').map(line).collect::<Vec<_>>().join("\n")
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
