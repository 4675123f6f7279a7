//! Sends a prompt to an agent of the registry, after checking that the agent is available.

use std::ffi::OsStr;

use agent::ProviderName;
use agent::registry::{self, AvailabilityContext, Entry, Folders, Registry, Unavailable};
use automation::{AgentChoice, Custom, State};
use host::AgentCli;
use runner::Request;

use super::{Enter, prompt};
use crate::attempt::Attempt;
use crate::ending::Ending;

/// Sends the prompt to the agent.
pub(super) fn perform(attempt: &Attempt<'_>, custom: &Custom, enter: Enter<'_>) -> Result<Ending, Ending> {
    let entry = available(attempt, &custom.agent)?;
    let found = prompt::find(attempt, entry.provider.and_then(ProviderName::cli))?;
    enter(State::Replacing);
    let parts = [custom.prompt.as_ref(), custom.arguments.as_ref()];
    let texts: Vec<String> =
        parts.into_iter().flatten().map(|template| attempt.fill(template).into_string()).collect();
    let task = attempt.redact(&texts.join("\n\n"));
    let system = entry.content.as_deref().map(|content| attempt.redact(content));
    let tools: Vec<String> =
        custom.tools.iter().map(|it| format!("mcp__{}__{}", it.server, it.tool)).collect();
    let request = Request {
        system: system.as_ref(),
        tools: (!tools.is_empty()).then_some(tools.as_slice()),
        ..Request::new(&task)
    };
    enter(State::Executing);
    prompt::send(attempt, &found, &request)
}

/// Finds the agent and checks that it is available now.
fn available(attempt: &Attempt<'_>, choice: &AgentChoice) -> Result<Entry, Ending> {
    let settings = attempt.settings;
    let workspace = settings.workspace.root().as_path();
    // Read for every run: the configuration may have changed since the automations were loaded. With a
    // broken one the run uses defaults; `agent validate` reports the fault.
    let config = registry::project_config(workspace).config.unwrap_or_default();
    let folders = Folders {
        workspace: workspace.to_path_buf(),
        directory: config.directory,
        extensions: settings.extension_folders.clone(),
    };
    let names = settings.tool_names.clone().with(config.custom_tools);
    let now = store::now();
    let mut registry = registry::discover(&folders, &names, now, &|| attempt.cancel.is_cancelled()).registry;
    let id = id_of(&registry, choice).ok_or_else(|| absent(choice))?;
    let Some(entry) = registry.get_mut(&id) else { return Err(absent(choice)) };
    let is_installed = |provider: ProviderName| {
        let name = provider.cli().map(AgentCli::as_str);
        name.is_none_or(|it| runner::find(OsStr::new(it), &settings.environment, workspace).is_some())
    };
    let around = AvailabilityContext {
        names: &names,
        extension_folders: &settings.extension_folders,
        is_installed: &is_installed,
        now,
    };
    match registry::availability(entry, &around).reason {
        None => Ok(entry.clone()),
        Some(reason) => {
            let message = format!("the agent `{id}` {}", why(reason));
            Err(Ending::failure(reason.as_str(), attempt.redact(&message).into_string()))
        }
    }
}

fn id_of(registry: &Registry, choice: &AgentChoice) -> Option<String> {
    let is_meant = |entry: &&Entry| match choice {
        AgentChoice::Id(id) => entry.id == *id,
        AgentChoice::Name(name) => {
            let bare = entry.id.split_once(':').map_or(entry.id.as_str(), |(_, bare)| bare);
            entry.name == *name || bare == name || entry.display_name == *name
        }
    };
    registry.iter().find(is_meant).map(|entry| entry.id.clone())
}

/// Returns the failure for an agent that is not in the registry: its file or extension was removed.
fn absent(choice: &AgentChoice) -> Ending {
    let (AgentChoice::Id(name) | AgentChoice::Name(name)) = choice;
    let reason = if name.starts_with("extension:") {
        Unavailable::ExtensionUninstalled
    } else {
        Unavailable::FileDeleted
    };
    Ending::failure(reason.as_str(), format!("cannot find the agent `{name}`"))
}

const fn why(reason: Unavailable) -> &'static str {
    match reason {
        Unavailable::FileDeleted => "is not available: its file was deleted",
        Unavailable::ExtensionUninstalled => "is not available: its extension was removed",
        Unavailable::CliNotInstalled => "is not available: its program is not installed",
        Unavailable::InvalidSchema => "is not available: its file is invalid; run `steersman agent validate`",
        Unavailable::Unknown => "cannot be checked",
    }
}
