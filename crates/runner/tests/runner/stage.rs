//! A folder, a script in it, and a run of that script.

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use redact::{Filter, Redacted};
use runner::{Cancel, Environment, Invocation, Limits, Outcome, Run, StartError, run};
use tempfile::TempDir;

pub(crate) struct Stage {
    pub(crate) dir: TempDir,
    pub(crate) environment: Environment,
    pub(crate) limits: Limits,
    pub(crate) cancel: Cancel,
    pub(crate) filter: Filter,
    pub(crate) mark: String,
}

impl Stage {
    pub(crate) fn new(mark: &str) -> Self {
        let path = std::env::var_os("PATH").unwrap();
        Self {
            dir: tempfile::tempdir().unwrap(),
            environment: Environment::from_variables([("PATH".into(), path)]),
            limits: Limits {
                grace: Duration::from_millis(300),
                ..Limits::with_timeout(Duration::from_secs(30))
            },
            cancel: Cancel::new(),
            filter: Filter::default(),
            mark: format!("{mark}-{}", std::process::id()),
        }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Runs a script of the system's shell; the shell is the program under test.
    pub(crate) fn run(&self, script: &str, prompt: &str) -> Outcome {
        self.try_run(script, prompt, &mut |_| {}).unwrap()
    }

    pub(crate) fn try_run(
        &self,
        script: &str,
        prompt: &str,
        seen: &mut dyn FnMut(&[u8]),
    ) -> Result<Outcome, StartError> {
        fs::write(self.path("script.sh"), script).unwrap();
        let prompt = Redacted::from_text(prompt);
        let invocation = Invocation::command("/bin/sh".into(), ["script.sh"], &prompt);
        run(
            &Run {
                invocation: &invocation,
                folder: self.dir.path(),
                environment: &self.environment,
                mark: &self.mark,
                limits: self.limits,
                filter: &self.filter,
                cancel: &self.cancel,
                pipe: None,
            },
            &mut |_, bytes| seen(bytes),
        )
    }

    /// Reads the process ids that a script has left in files, and waits for them to be written.
    pub(crate) fn pid(&self, name: &str) -> u32 {
        let until = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(pid) = fs::read_to_string(self.path(name)).ok().and_then(|it| it.trim().parse().ok())
            {
                return pid;
            }
            assert!(Instant::now() < until, "{name} was never written");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Returns whether a process is running and not a zombie.
pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rfind(')').is_some_and(|at| !stat[at + 1..].trim_start().starts_with(['Z', 'X']))
}
