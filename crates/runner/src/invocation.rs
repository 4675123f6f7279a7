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
    /// The tools of the agent; `None` leaves them to the program's settings.
    pub tools: Option<RequestTools<'a>>,
    /// The rights of the program without approval, as it spells them.
    pub permission_mode: Option<&'a str>,
    /// Further arguments of the program.
    pub args: &'a [String],
}

/// The tools of an agent, as its program spells them.
#[derive(Debug, Clone, Copy)]
pub struct RequestTools<'a> {
    /// The tools it may use without approval.
    pub approved: &'a [String],
    /// The tools it must not use.
    pub denied: &'a [String],
    /// Whether it may change files, for a program that has a sandbox instead of a tool list.
    pub writes: bool,
}

impl<'a> Request<'a> {
    /// Creates a request with only a prompt.
    pub fn new(prompt: &'a Redacted) -> Self {
        Self { prompt, system: None, model: None, tools: None, permission_mode: None, args: &[] }
    }

    /// Returns the tools it may use without approval.
    pub(crate) fn approved(&self) -> &'a [String] {
        self.tools.map_or(&[], |tools| tools.approved)
    }

    /// Returns the tools it must not use.
    pub(crate) fn denied(&self) -> &'a [String] {
        self.tools.map_or(&[], |tools| tools.denied)
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
