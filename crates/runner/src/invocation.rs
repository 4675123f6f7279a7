//! A program, its words and what it reads.

use std::ffi::OsString;
use std::path::PathBuf;

use redact::Redacted;

/// What an agent program is asked to do.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The task.
    pub prompt: &'a Redacted,
    /// What the agent is told about itself before the task.
    pub system: Option<&'a Redacted>,
    /// The model, in the program's own words.
    pub model: Option<&'a str>,
    /// The tools it may use without asking, in the program's own words; `None` leaves that to
    /// the program's settings.
    pub tools: Option<&'a [String]>,
}

impl<'a> Request<'a> {
    /// Asks for nothing but a prompt to be answered.
    pub fn new(prompt: &'a Redacted) -> Self {
        Self { prompt, system: None, model: None, tools: None }
    }

    /// Returns one text for a program that has no place for what an agent is.
    pub(crate) fn joined(&self) -> String {
        match self.system {
            Some(system) => format!("{system}\n\n{}", self.prompt),
            None => self.prompt.to_string(),
        }
    }
}

/// A program ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The program's file.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// What it reads on stdin.
    pub stdin: Vec<u8>,
}

impl Invocation {
    /// A project's own command: fixed words, the prompt on stdin.
    pub fn command<W: Into<OsString>>(
        program: PathBuf,
        args: impl IntoIterator<Item = W>,
        prompt: &Redacted,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { program, args, stdin: prompt.as_str().as_bytes().to_vec() }
    }
}
