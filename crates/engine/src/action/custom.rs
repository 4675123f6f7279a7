//! Sends a prompt to an agent of the registry, after checking that the agent is available.

use std::ffi::OsStr;

use agent::limits::MAX_AGENTS_PER_SOURCE;
use agent::registry::{
    self, AvailabilityContext, Entry, EntrySource, Folders, Governing, Registry, Unavailable,
};
use agent::{Definition, ProviderName, ProviderTools, ToolNames};
use automation::{AgentChoice, AgentKind, Custom, SelectedTool, State};
use host::AgentCli;
use runner::{Request, RequestTools};

use super::prompt::Found;
use super::{Enter, prompt};
use crate::attempt::Attempt;
use crate::ending::Ending;
use crate::impediment::{EMPTY_PROMPT, NO_PROMPT};
use crate::settings::Settings;

/// Sends the prompt to the agent.
///
/// INVARIANT: the run uses that agent, with its role, its tools and its model, or fails.
pub(super) fn perform(attempt: &Attempt<'_>, custom: &Custom, enter: Enter<'_>) -> Result<Ending, Ending> {
    let entry = available(attempt, &custom.agent)?;
    let definition = definition(attempt, &entry)?;
    let own = own_program(&entry, custom.kind).map_err(|(code, message)| Ending::failure(code, message))?;
    let found = prompt::find(attempt, own)?;
    enter(State::Replacing);
    let parts = [custom.prompt.as_ref(), custom.arguments.as_ref()];
    let texts: Vec<String> =
        parts.into_iter().flatten().map(|template| attempt.fill(template).into_string()).collect();
    let task = attempt.redact(&texts.join("\n\n"));
    if task.as_str().trim().is_empty() {
        return Err(Ending::failure(NO_PROMPT, EMPTY_PROMPT));
    }
    let system = entry.content.as_deref().map(|content| attempt.redact(content));
    let tools = AgentTools::of(&definition, &custom.tools, &found);
    let model = match &found {
        Found::Cli(runner, _) => definition.model_for(ProviderName::Cli(runner.cli)),
        Found::Command(..) | Found::Http(_) => None,
    };
    let request = Request {
        system: system.as_ref(),
        model: model.as_deref(),
        tools: tools.as_ref().map(AgentTools::to_request),
        ..Request::new(&task)
    };
    enter(State::Executing);
    let reads_only = tools.as_ref().is_some_and(|tools| tools.reads_only);
    prompt::send_as(attempt, &found, &request, &definition.name, reads_only)
}

/// Returns the agent's definition, from its file.
fn definition(attempt: &Attempt<'_>, entry: &Entry) -> Result<Definition, Ending> {
    let workspace = attempt.settings.workspace.root().as_path();
    let config = registry::project_config(workspace).config.unwrap_or_default();
    let names = attempt.settings.tool_names.clone().with(config.custom_tools);
    match registry::governing(workspace, &config.directory, &entry.id, &names) {
        Governing::Found(definition) => Ok(*definition),
        Governing::Broken(_) | Governing::Undefined => {
            let reason = Unavailable::InvalidSchema;
            let message = format!("the agent `{}` {}", entry.id, why(reason));
            Err(Ending::failure(reason.as_str(), attempt.redact(&message).into_string()))
        }
    }
}

/// Returns the program that the agent runs as. Returns `None` for the automation's runner. The error is a code and a
/// sentence.
pub(crate) fn own_program(
    entry: &Entry,
    kind: Option<AgentKind>,
) -> Result<Option<AgentCli>, (&'static str, String)> {
    let own = entry.provider.and_then(ProviderName::cli);
    match kind {
        Some(AgentKind::Local) => Ok(None),
        Some(AgentKind::Background) if own.is_none() => Err((
            "NO_PROGRAM",
            format!("cannot run `{}` in the background: its file names no agent program", entry.id),
        )),
        Some(AgentKind::Background) | None => Ok(own),
    }
}

/// The tools of an agent for the program that runs it.
struct AgentTools {
    approved: Vec<String>,
    denied: Vec<String>,
    writes: bool,
    reads_only: bool,
}

impl AgentTools {
    /// Returns `None` if neither the agent nor the automation restricts or selects tools.
    fn of(definition: &Definition, selected: &[SelectedTool], found: &Found<'_>) -> Option<Self> {
        let declared = &definition.tools;
        let is_listed = declared.allowed.is_some();
        if !is_listed && declared.blocked.is_empty() && selected.is_empty() {
            return None;
        }
        let flags = match found {
            Found::Cli(runner, _) => ProviderTools::of(definition, ProviderName::Cli(runner.cli)),
            Found::Command(..) | Found::Http(_) => ProviderTools::default(),
        };
        // Without a list the program's own settings say what needs approval.
        let mut approved = if is_listed { flags.approved } else { Vec::new() };
        approved.extend(selected.iter().map(|it| format!("mcp__{}__{}", it.server, it.tool)));
        let reads_only = is_listed && !flags.writes && matches!(found, Found::Cli(..));
        Some(Self { approved, denied: flags.denied, writes: is_listed && flags.writes, reads_only })
    }

    fn to_request(&self) -> RequestTools<'_> {
        RequestTools { approved: &self.approved, denied: &self.denied, writes: self.writes }
    }
}

/// Finds the agent and checks that it is available now.
///
/// Reads the files for every run: the configuration may have changed since the automations were loaded.
fn available(attempt: &Attempt<'_>, choice: &AgentChoice) -> Result<Entry, Ending> {
    KnownAgents::discover(attempt.settings, &|| attempt.cancel.is_cancelled())
        .find(attempt.settings, choice)
        .map_err(|(code, message)| Ending::failure(code, attempt.redact(&message).into_string()))
}

/// The agents of the project and of the editors' extensions, as their files are now.
#[derive(Debug)]
pub(crate) struct KnownAgents {
    folders: Folders,
    names: ToolNames,
    registry: Registry,
}

impl KnownAgents {
    /// Reads the files of all agents. With a broken configuration it uses defaults; `agent validate` reports the fault.
    pub(crate) fn discover(settings: &Settings, stop: &dyn Fn() -> bool) -> Self {
        let workspace = settings.workspace.root().as_path();
        let config = registry::project_config(workspace).config.unwrap_or_default();
        let folders = Folders {
            workspace: workspace.to_path_buf(),
            directory: config.directory,
            extensions: settings.extension_folders.clone(),
        };
        let names = settings.tool_names.clone().with(config.custom_tools);
        let registry = registry::discover(&folders, &names, store::now(), stop).registry;
        Self { folders, names, registry }
    }

    /// Returns the agent if it is available. The error is a code and a sentence.
    pub(crate) fn find(
        &self,
        settings: &Settings,
        choice: &AgentChoice,
    ) -> Result<Entry, (&'static str, String)> {
        let entry = id_of(&self.registry, choice).and_then(|id| self.registry.get(&id));
        let mut entry = entry.cloned().ok_or_else(|| absent(choice, &self.folders))?;
        let is_installed = |provider: ProviderName| {
            let name = provider.cli().map(AgentCli::as_str);
            let root = settings.workspace.root().as_path();
            name.is_none_or(|it| runner::find(OsStr::new(it), &settings.environment, root).is_some())
        };
        let around = AvailabilityContext {
            names: &self.names,
            extension_folders: &settings.extension_folders,
            is_installed: &is_installed,
            now: store::now(),
        };
        let id = entry.id.clone();
        match registry::availability(&mut entry, &around).reason {
            None => match &entry.source {
                EntrySource::Extension { id: extension } => Err((
                    "EXTENSION_AGENT",
                    format!(
                        "cannot run the agent `{id}`: it exists only inside the editor extension `{extension}`; use an agent of the project, such as `local:…`"
                    ),
                )),
                EntrySource::File { .. } => Ok(entry),
            },
            Some(reason) => Err((reason.as_str(), format!("the agent `{id}` {}", why(reason)))),
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

/// Returns the failure for an agent that is not in the registry.
fn absent(choice: &AgentChoice, folders: &Folders) -> (&'static str, String) {
    let (AgentChoice::Id(name) | AgentChoice::Name(name)) = choice;
    let reason = registry::why_absent(folders, name);
    let message = match reason {
        Unavailable::Unknown => format!(
            "the agent `{name}` is not available: the project has more agents than the {MAX_AGENTS_PER_SOURCE} of MAX_AGENTS_PER_SOURCE"
        ),
        Unavailable::InvalidSchema => format!("the agent `{name}` {}", why(reason)),
        _ => format!("cannot find the agent `{name}`"),
    };
    (reason.as_str(), message)
}

fn why(reason: Unavailable) -> String {
    let hint = if reason == Unavailable::InvalidSchema { "; run `steersman agent validate`" } else { "" };
    format!("is not available: {}{hint}", reason.sentence())
}
