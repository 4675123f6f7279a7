//! One call of the binary, as a host makes it.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::Answer;

/// No hook takes this long; a process that does is stuck.
const STUCK: Duration = Duration::from_secs(30);

/// A call that is being built.
#[derive(Debug)]
pub struct Call {
    program: PathBuf,
    args: Vec<OsString>,
    env: Vec<(OsString, OsString)>,
    folder: PathBuf,
    stdin: Vec<u8>,
    keeps_stdin_open: bool,
}

impl Call {
    /// Starts to build a call of any program, with an empty environment.
    pub fn of(program: impl AsRef<Path>, folder: &Path) -> Self {
        let program = program.as_ref();
        Self {
            program: program.to_path_buf(),
            args: Vec::new(),
            env: Vec::new(),
            folder: folder.to_path_buf(),
            stdin: Vec::new(),
            keeps_stdin_open: false,
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// Sets an environment variable; the process sees no others but the sandbox's own.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name.as_ref().to_owned(), value.as_ref().to_owned()));
        self
    }

    /// Sets a working folder other than the workspace's root.
    #[must_use]
    pub fn folder(mut self, folder: &Path) -> Self {
        self.folder = folder.to_path_buf();
        self
    }

    /// Sends these bytes on stdin.
    #[must_use]
    pub fn stdin(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.stdin = bytes.into();
        self
    }

    /// Sends this payload on stdin.
    #[must_use]
    pub fn payload(self, payload: &Value) -> Self {
        self.stdin(payload.to_string())
    }

    /// Never closes stdin, as some hosts do.
    #[must_use]
    pub fn keeping_stdin_open(mut self) -> Self {
        self.keeps_stdin_open = true;
        self
    }

    /// Starts the process and returns it with its stdin still open.
    pub fn start(&self) -> Child {
        let mut command = self.command();
        command.spawn().unwrap_or_else(|error| panic!("cannot start {}: {error}", self.program.display()))
    }

    /// Returns the command that starts the process, with pipes.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).env_clear().envs(self.env.iter().map(|(name, value)| (name, value)));
        command.current_dir(&self.folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Makes the call and waits for the process to exit.
    pub fn run(self) -> Answer {
        let began = Instant::now();
        let mut child = self.start();
        let mut stdin = child.stdin.take().expect("stdin is a pipe");
        let stdout = collect(child.stdout.take().expect("stdout is a pipe"));
        let stderr = collect(child.stderr.take().expect("stderr is a pipe"));
        // The process may exit before it has read everything.
        let feeder = thread::spawn(move || {
            let _ = stdin.write_all(&self.stdin);
            self.keeps_stdin_open.then_some(stdin)
        });
        let code = wait(&mut child, began);
        let took = began.elapsed();
        drop(feeder.join());
        let gathered = |reader: thread::JoinHandle<Vec<u8>>| reader.join().expect("the reader ended");
        Answer { stdout: gathered(stdout), stderr: gathered(stderr), code, took }
    }
}

fn collect(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

fn wait(child: &mut Child, began: Instant) -> Option<i32> {
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait().expect("a child can be waited for") {
            return status.code();
        }
        if began.elapsed() > STUCK {
            let _ = child.kill();
            let _ = child.wait();
            panic!("the process did not end within {STUCK:?}");
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(5));
    }
}
