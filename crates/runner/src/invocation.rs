//! A program, its arguments and its stdin.

use std::ffi::OsString;
use std::path::PathBuf;

use redact::Redacted;

/// The request to an agent program.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The task.
    pub prompt: &'a Redacted,
    /// The system prompt.
    pub system: Option<&'a Redacted>,
    /// The model, as the program spells it.
    pub model: Option<&'a str>,
    /// The tools the agent may use without approval, as the program spells them; `None` leaves
    /// that to the program's settings.
    pub tools: Option<&'a [String]>,
}

impl<'a> Request<'a> {
    /// Creates a request with only a prompt.
    pub fn new(prompt: &'a Redacted) -> Self {
        Self { prompt, system: None, model: None, tools: None }
    }

    /// Returns system prompt and prompt as one string, for a program without a system prompt.
    pub(crate) fn joined(&self) -> String {
        match self.system {
            Some(system) => format!("{system}\n\n{}", self.prompt),
            None => self.prompt.to_string(),
        }
    }
}

/// A program with everything needed to start it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The path of the program.
    pub program: PathBuf,
    /// The arguments.
    pub args: Vec<OsString>,
    /// The bytes for stdin.
    pub stdin: Vec<u8>,
}

impl Invocation {
    /// A project's own command: fixed arguments, the prompt on stdin.
    pub fn command<W: Into<OsString>>(
        program: PathBuf,
        args: impl IntoIterator<Item = W>,
        prompt: &Redacted,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self { program, args, stdin: prompt.as_str().as_bytes().to_vec() }
    }
}
