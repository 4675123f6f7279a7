//! The runner of a prompt: an agent program, a command or an HTTP server.

use std::collections::BTreeMap;
use std::fmt;

use host::AgentCli;

/// The runner of an automation's prompt.
///
/// INVARIANT: a prompt is never a shell command. It is the standard input or one argument of
/// a program whose other arguments are fixed in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunnerChoice {
    /// The command line of an agent program.
    Cli(CliRunner),
    /// A fixed command; the prompt is its standard input.
    Command {
        /// The program and its arguments; at least the program.
        argv: Vec<String>,
    },
    /// A request to a server; the prompt is in its JSON body.
    Http {
        /// The URL.
        url: String,
        /// The request headers.
        headers: BTreeMap<String, String>,
    },
}

/// An agent program and its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CliRunner {
    /// The program.
    pub cli: AgentCli,
    /// The model, as the program spells it; without it, the program's default.
    pub model: Option<String>,
    /// Its rights without approval, as the program spells them.
    pub permission_mode: Option<String>,
    /// Further arguments.
    pub args: Vec<String>,
}

impl From<AgentCli> for CliRunner {
    fn from(cli: AgentCli) -> Self {
        Self { cli, model: None, permission_mode: None, args: Vec::new() }
    }
}

impl RunnerChoice {
    /// Returns the word for this kind of runner.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Cli(runner) => runner.cli.as_str(),
            Self::Command { .. } => "command",
            Self::Http { .. } => "http",
        }
    }
}

impl fmt::Display for RunnerChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cli(CliRunner { cli, model: Some(model), .. }) => write!(f, "{} ({model})", cli.as_str()),
            Self::Cli(runner) => f.write_str(runner.cli.as_str()),
            Self::Command { argv } => write!(f, "command `{}`", argv.join(" ")),
            Self::Http { url, .. } => write!(f, "http {url}"),
        }
    }
}
