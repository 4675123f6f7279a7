//! Starts a program as an agent program starts a hook, and times it from spawn to exit.

use std::io::{Read, Write, pipe};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::contestant::Answer;

/// A program to start, and its folder.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The program, as an absolute path.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) args: Vec<String>,
    /// Its working folder.
    pub(crate) folder: PathBuf,
    /// Its whole environment.
    pub(crate) environment: Vec<(&'static str, PathBuf)>,
}

/// How a call went.
pub(crate) struct Run {
    /// From before the spawn to after the exit.
    pub(crate) took: Duration,
    status: ExitStatus,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

impl Call {
    /// Runs once, with `input` waiting on stdin.
    pub(crate) fn run(&self, input: &[u8]) -> Result<Run> {
        let context = || format!("cannot run `{}`", self.program.display());
        // The input is in the pipe before the clock starts: it is far smaller than the pipe's buffer.
        let (stdin, mut fill) = pipe().with_context(context)?;
        fill.write_all(input).with_context(context)?;
        drop(fill);
        let (mut stdout, stdout_end) = pipe().with_context(context)?;
        let (mut stderr, stderr_end) = pipe().with_context(context)?;
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(stdin)
            .stdout(stdout_end)
            .stderr(stderr_end);

        let start = Instant::now();
        let mut child = command.spawn().with_context(context)?;
        // The command holds our copies of the writing ends.
        drop(command);
        let mut out = Vec::new();
        stdout.read_to_end(&mut out).with_context(context)?;
        let status = child.wait().with_context(context)?;
        let took = start.elapsed();

        let mut err = Vec::new();
        stderr.read_to_end(&mut err).with_context(context)?;
        Ok(Run { took, status, stdout: out, stderr: err })
    }
}

impl Run {
    /// Returns the answer, or an error if it is not what a hook may answer.
    pub(crate) fn check(&self, expected: Answer) -> Result<Value> {
        let stderr = String::from_utf8_lossy(&self.stderr);
        if !self.status.success() {
            bail!("it ended with {}: {}", self.status, stderr.trim());
        }
        if !self.stderr.is_empty() {
            bail!("it wrote to stderr: {}", stderr.trim());
        }
        let stdout = String::from_utf8_lossy(&self.stdout);
        match expected {
            Answer::Nothing if self.stdout.is_empty() => Ok(Value::Null),
            Answer::Nothing => bail!("it answered `{}`", stdout.trim()),
            Answer::OneObject => match serde_json::from_slice(&self.stdout) {
                Ok(Value::Object(object)) => Ok(Value::Object(object)),
                _ => bail!("it answered `{}`, which is not one JSON object", stdout.trim()),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(script: &str, expected: Answer) -> String {
        let call = Call {
            program: "/bin/sh".into(),
            args: vec!["-c".to_owned(), script.to_owned()],
            folder: std::env::temp_dir(),
            environment: vec![("PATH", "/usr/bin:/bin".into())],
        };
        match call.run(b"{\"in\":1}").unwrap().check(expected) {
            Ok(value) => value.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn the_input_reaches_the_program_and_its_answer_comes_back() {
        assert_eq!(check("cat", Answer::OneObject), r#"{"in":1}"#);
        assert_eq!(check("exit 0", Answer::Nothing), "null");
    }

    #[test]
    fn whatever_a_hook_may_not_do_is_an_error() {
        let nothing = "it answered ``, which is not one JSON object";
        assert_eq!(check("exit 0", Answer::OneObject), nothing);
        assert_eq!(
            check("echo '{}{}'", Answer::OneObject),
            "it answered `{}{}`, which is not one JSON object"
        );
        assert_eq!(check("echo '[]'", Answer::OneObject), "it answered `[]`, which is not one JSON object");
        assert_eq!(check("echo '{}'; echo no >&2", Answer::OneObject), "it wrote to stderr: no");
        assert_eq!(check("echo '{}'; exit 3", Answer::OneObject), "it ended with exit status: 3: ");
        assert_eq!(check("echo x", Answer::Nothing), "it answered `x`");
    }
}
