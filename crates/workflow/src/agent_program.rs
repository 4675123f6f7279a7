//! Finds the program that runs an agent, and checks whether it may run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use agent::{Config, Definition, ProviderName};
use runner::Environment;

/// A program that runs an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentProgram {
    /// The provider.
    pub provider: ProviderName,
    /// The path of the program.
    pub path: PathBuf,
    /// The arguments of the user's own command; empty for other providers.
    pub args: Vec<String>,
    /// The model.
    pub model: Option<String>,
    /// The maximum number of output tokens.
    pub max_tokens: Option<u64>,
}

/// Whether the user trusts the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// Requests may approve tools beforehand, and the workspace's own command may run.
    Approved,
    /// Programs run with the approvals of their own settings; the workspace's command does not run.
    NotApproved,
}

/// Why no program can run an agent.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum ProgramError {
    /// The configured program is not installed.
    #[error(
        "cannot run {who}: `{program}` is not installed\nhint: install it, or configure another with `provider` in its definition or `provider.default` in .rawko/config.yaml"
    )]
    NotInstalled {
        /// The program.
        program: String,
        /// The agent that needs it.
        who: String,
    },
    /// No known program is installed.
    #[error(
        "cannot find an agent program: none of claude, copilot, codex and gemini is installed, and no `provider` is configured\nhint: install one, or configure your own command as `provider: {{ default: command, command: {{ argv: [\"./agent.sh\"] }} }}` in .rawko/config.yaml"
    )]
    NoneInstalled,
    /// The provider `command` has no `argv`.
    #[error(
        "cannot run the provider `command`: it has no `argv`\nhint: set it in .rawko/config.yaml as `provider: {{ command: {{ argv: [\"./agent.sh\"] }} }}`"
    )]
    NoCommand,
    /// The workspace configures a command and is not trusted.
    #[error(
        "cannot run the provider `command`: the workspace names its program and is not trusted in its current state\nhint: review `provider.command` in .rawko/config.yaml and the program it runs, then run `steersman trust`"
    )]
    NotTrusted,
}

/// Finds the program for an agent; `None` finds the program for an arbiter.
pub fn resolve_program(
    agent: Option<&Definition>,
    config: &Config,
    environment: &Environment,
    folder: &Path,
    permission: Permission,
) -> Result<AgentProgram, ProgramError> {
    let find = |name: &str| runner::find(OsStr::new(name), environment, folder);
    let own = agent.and_then(|it| it.provider.as_ref());
    let named = own.map(|it| it.name).or(config.provider.default);
    let who = agent.map_or_else(
        || "the model that chooses the first agent".to_owned(),
        |it| format!("the agent `{}`", it.name),
    );
    let (provider, program) = match named {
        Some(ProviderName::Command) => {
            let first = config.provider.command.first().ok_or(ProgramError::NoCommand)?;
            if permission == Permission::NotApproved {
                return Err(ProgramError::NotTrusted);
            }
            let program = find(first)
                .ok_or_else(|| ProgramError::NotInstalled { program: first.clone(), who: who.clone() })?;
            (ProviderName::Command, program)
        }
        Some(provider) => {
            let missing =
                || ProgramError::NotInstalled { program: provider.as_str().to_owned(), who: who.clone() };
            (provider, find(provider.as_str()).ok_or_else(missing)?)
        }
        None => {
            let others = ProviderName::ALL.into_iter().filter(|it| *it != ProviderName::Command);
            let mut found = others.filter_map(|it| find(it.as_str()).map(|program| (it, program)));
            found.next().ok_or(ProgramError::NoneInstalled)?
        }
    };
    let settings = config.provider.settings.iter().find(|(name, _)| *name == provider).map(|(_, it)| it);
    let own_model = agent.and_then(|it| it.model_for(provider));
    let own_tokens = agent.and_then(|it| it.limits.max_tokens);
    Ok(AgentProgram {
        provider,
        path: program,
        args: config
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
