//! Which program an agent runs in, and whether it may.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use agent::{Config, Definition, ProviderName};
use runner::Environment;

/// A program that an agent runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seat {
    /// Which one.
    pub provider: ProviderName,
    /// Its file.
    pub program: PathBuf,
    /// Its arguments, for a command of the user's.
    pub words: Vec<String>,
    /// The model.
    pub model: Option<String>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u64>,
}

/// Whether the person has vouched for the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Its tools may be approved beforehand, and its own command may run.
    Approved,
    /// Programs run with the approvals of their own settings; a command does not run.
    NotApproved,
}

/// Why an agent has no program to run in.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum SeatError {
    /// It is not there.
    #[error(
        "`{program}`, which runs {who}, is not installed\nhint: install it, or choose another with `provider` in its definition or `provider.default` in .rawko/config.yaml"
    )]
    NotInstalled {
        /// The program.
        program: String,
        /// The agent that needs it.
        who: String,
    },
    /// None of them is there.
    #[error(
        "none of claude, copilot, codex and gemini is installed, and no `provider` is named\nhint: install one, or name a command of your own as `provider: {{ default: command, command: {{ argv: [\"./agent.sh\"] }} }}` in .rawko/config.yaml"
    )]
    NoneInstalled,
    /// No command is named.
    #[error(
        "the provider `command` has no command to run\nhint: name it in .rawko/config.yaml as `provider: {{ command: {{ argv: [\"./agent.sh\"] }} }}`"
    )]
    NoCommand,
    /// A command of a workspace nobody has vouched for.
    #[error(
        "the provider `command` runs a program that this workspace names, and the workspace is not trusted as it is now\nhint: look at `provider.command` in .rawko/config.yaml and at what it runs, then run `steersman trust`"
    )]
    NotTrusted,
}

/// Finds the program for an agent, or for an arbiter.
pub fn seat_for(
    agent: Option<&Definition>,
    config: &Config,
    environment: &Environment,
    folder: &Path,
    permission: Permission,
) -> Result<Seat, SeatError> {
    let find = |name: &str| runner::find(OsStr::new(name), environment, folder);
    let own = agent.and_then(|it| it.provider.as_ref());
    let named = own.map(|it| it.name).or(config.provider.default);
    let who = agent
        .map_or_else(|| "the choice of the first agent".to_owned(), |it| format!("the agent `{}`", it.name));
    let (provider, program) = match named {
        Some(ProviderName::Command) => {
            let first = config.provider.command.first().ok_or(SeatError::NoCommand)?;
            if permission == Permission::NotApproved {
                return Err(SeatError::NotTrusted);
            }
            let program = find(first)
                .ok_or_else(|| SeatError::NotInstalled { program: first.clone(), who: who.clone() })?;
            (ProviderName::Command, program)
        }
        Some(provider) => {
            let missing =
                || SeatError::NotInstalled { program: provider.as_str().to_owned(), who: who.clone() };
            (provider, find(provider.as_str()).ok_or_else(missing)?)
        }
        None => {
            let others = ProviderName::ALL.into_iter().filter(|it| *it != ProviderName::Command);
            let mut found = others.filter_map(|it| find(it.as_str()).map(|program| (it, program)));
            found.next().ok_or(SeatError::NoneInstalled)?
        }
    };
    let settings = config.provider.settings.iter().find(|(name, _)| *name == provider).map(|(_, it)| it);
    let own_model = own.filter(|it| it.name == provider).and_then(|it| it.model.clone());
    let own_tokens = agent.and_then(|it| it.limits.max_tokens);
    Ok(Seat {
        provider,
        program,
        words: config
            .provider
            .command
            .iter()
            .skip(1)
            .filter(|_| provider == ProviderName::Command)
            .cloned()
            .collect(),
        model: own_model.or_else(|| settings.and_then(|it| it.model.clone())),
        max_tokens: own_tokens.or_else(|| settings.and_then(|it| it.max_tokens)),
    })
}
