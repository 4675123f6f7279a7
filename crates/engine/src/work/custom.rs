//! A prompt for an agent of the registry, seen first whether the agent can be called.

use std::ffi::OsStr;

use agent::ProviderName;
use agent::registry::{self, Entry, Folders, Registry, Surroundings, Unavailable};
use automation::{AgentChoice, Custom, State};
use runner::{Provider, Request};

use super::{Enter, prompt};
use crate::bench::Bench;
use crate::ending::Ending;

/// Asks the agent.
pub(super) fn perform(bench: &Bench<'_>, custom: &Custom, enter: Enter<'_>) -> Result<Ending, Ending> {
    let entry = available(bench, &custom.agent)?;
    let found = prompt::find(bench, entry.provider.and_then(provider_of))?;
    enter(State::Replacing);
    let parts = [custom.prompt.as_ref(), custom.arguments.as_ref()];
    let texts: Vec<String> =
        parts.into_iter().flatten().map(|template| bench.fill(template).into_string()).collect();
    let task = bench.redact(&texts.join("\n\n"));
    let system = entry.content.as_deref().map(|content| bench.redact(content));
    let tools: Vec<String> =
        custom.tools.iter().map(|it| format!("mcp__{}__{}", it.server, it.tool)).collect();
    let request = Request {
        system: system.as_ref(),
        tools: (!tools.is_empty()).then_some(tools.as_slice()),
        ..Request::new(&task)
    };
    enter(State::Executing);
    prompt::give(bench, &found, &request)
}

/// Finds the agent and looks whether it can be called right now.
fn available(bench: &Bench<'_>, choice: &AgentChoice) -> Result<Entry, Ending> {
    let settings = bench.settings;
    let workspace = settings.workspace.root().as_path();
    // Read for every run: it may have changed since the automations were loaded. A broken one leaves
    // the defaults, and `agent validate` tells of it.
    let config = registry::project_config(workspace).config.unwrap_or_default();
    let folders = Folders {
        workspace: workspace.to_path_buf(),
        directory: config.directory,
        extensions: settings.extension_folders.clone(),
    };
    let names = settings.tool_names.clone().with(config.custom_tools);
    let now = store::now();
    let mut registry = registry::discover(&folders, &names, now, &|| bench.cancel.is_cancelled()).registry;
    let id = id_of(&registry, choice).ok_or_else(|| absent(choice))?;
    let Some(entry) = registry.get_mut(&id) else { return Err(absent(choice)) };
    let is_installed = |provider: ProviderName| {
        let name = provider_of(provider).map(Provider::name);
        name.is_none_or(|it| runner::find(OsStr::new(it), &settings.environment, workspace).is_some())
    };
    let around = Surroundings {
        names: &names,
        extension_folders: &settings.extension_folders,
        is_installed: &is_installed,
        now,
    };
    match registry::availability(entry, &around).reason {
        None => Ok(entry.clone()),
        Some(reason) => {
            let message = format!("the agent `{id}` {}", why(reason));
            Err(Ending::failure(reason.as_str(), bench.redact(&message).into_string()))
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

/// An agent that is not found was a file or an extension, and is not any more.
fn absent(choice: &AgentChoice) -> Ending {
    let (AgentChoice::Id(name) | AgentChoice::Name(name)) = choice;
    let reason = if name.starts_with("extension:") {
        Unavailable::ExtensionUninstalled
    } else {
        Unavailable::FileDeleted
    };
    Ending::failure(reason.as_str(), format!("there is no agent `{name}`"))
}

const fn why(reason: Unavailable) -> &'static str {
    match reason {
        Unavailable::FileDeleted => "has no file any more",
        Unavailable::ExtensionUninstalled => "belongs to an extension that was removed",
        Unavailable::CliNotInstalled => "needs a program that is not installed",
        Unavailable::InvalidSchema => "has a file that is not valid; see `steersman agent validate`",
        Unavailable::Unknown => "cannot be looked at",
    }
}

fn provider_of(name: ProviderName) -> Option<Provider> {
    Provider::named(name.as_str())
}
