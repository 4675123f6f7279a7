//! Reads `*.agent.md` as VS Code and Copilot have them, and as the registry's document has them.

use serde_json::{Map, Value};

use super::Document;
use super::foreign::{self, written};
use crate::definition::{Command, Definition, Format, Origin, Profile, Resources, RunLimits, Transitions};
use crate::fields::Fields;
use crate::limits::{MAX_AGENT_DESCRIPTION_LENGTH, MAX_AGENT_ID_LENGTH, MAX_AGENT_NAME_LENGTH};
use crate::markdown;
use crate::report::Report;
use crate::slug::{is_slug, slug, stem, title};
use crate::source::{Mark, Source};
use crate::yaml::{Data, Node};

/// The keys that have a place of their own; all others are kept as they are.
pub(crate) const OWN_KEYS: &[&str] =
    &["id", "name", "fullName", "description", "icon", "commands", "resources", "tools", "disallowedTools"];

/// Reads an agent from its fields and the text below them.
pub(super) fn read(source: &Source, root: &Node, body: &str, report: &mut Report<'_>) -> Option<Document> {
    let fields = Fields::open(root, "", report)?;
    let file_stem = stem(source.file());
    let id = id(&fields, file_stem, report);
    let name = written(&fields, "name");
    if let Some(name) = &name {
        within(&name.text, name.at, "name", "MAX_AGENT_NAME_LENGTH", MAX_AGENT_NAME_LENGTH, report);
    }
    let shown = name.as_ref().map_or_else(|| title(file_stem), |it| it.text.clone());
    let description = match written(&fields, "description") {
        Some(given) => {
            let limit = MAX_AGENT_DESCRIPTION_LENGTH;
            within(&given.text, given.at, "description", "MAX_AGENT_DESCRIPTION_LENGTH", limit, report);
            given.text
        }
        None => guessed_description(&fields, body, report),
    };
    let profile = Profile {
        id: id?,
        full_name: written(&fields, "fullName").map_or_else(|| shown.clone(), |it| it.text),
        name: shown.clone(),
        description: description.clone(),
        icon: written(&fields, "icon").map(|it| it.text),
        commands: commands(&fields, report),
        resources: resources(&fields),
    };
    let definition = Definition {
        // Hosts call it by the name in the file, or by the file's.
        name: name.as_ref().map_or_else(|| file_stem.to_owned(), |it| it.text.clone()),
        display_name: Some(shown),
        when_to_use: Some(description).filter(|it| !it.is_empty()),
        system_prompt: body.trim().to_owned(),
        tools: foreign::tools(
            foreign::names(&fields, "tools"),
            foreign::names(&fields, "disallowedTools").unwrap_or_default(),
        ),
        transitions: Transitions::default(),
        limits: RunLimits::default(),
        provider: None,
        metadata: others(&fields, OWN_KEYS),
        profile,
        origin: Origin { file: source.file().to_owned(), format: Format::AgentMd },
    };
    let name_spot = name.map(|it| report.spot(it.at));
    Some(Document { definition, name_spot, references: Vec::new() })
}

/// Returns the fields that have no place of their own.
pub(super) fn others(fields: &Fields<'_>, own: &[&str]) -> Map<String, Value> {
    let kept = fields.entries().iter().filter(|it| !own.contains(&it.key.as_str()));
    kept.map(|it| (it.key.clone(), it.value.to_json())).collect()
}

/// Returns the first paragraph as description, with a warning.
pub(super) fn guessed_description(fields: &Fields<'_>, body: &str, report: &mut Report<'_>) -> String {
    let problem = report.warning(fields.at(), "`description` is missing");
    problem.hint = Some("the first paragraph serves; say in one sentence what the agent is for".to_owned());
    foreign::shortened(&markdown::first_paragraph(body).unwrap_or_default())
}

fn id(fields: &Fields<'_>, file_stem: &str, report: &mut Report<'_>) -> Option<String> {
    let Some(id) = written(fields, "id") else { return Some(slug(file_stem)) };
    if !is_slug(&id.text) {
        let problem = report.error(id.at, format!("`{}` is no id", id.text));
        problem.expected = Some("lower-case letters, numbers and hyphens".to_owned());
        problem.hint = Some(format!("`{}` would do", slug(&id.text)));
        return None;
    }
    within(&id.text, id.at, "id", "MAX_AGENT_ID_LENGTH", MAX_AGENT_ID_LENGTH, report).then_some(id.text)
}

fn within(text: &str, at: Mark, what: &str, limit: &str, most: usize, report: &mut Report<'_>) -> bool {
    let n_chars = text.chars().count();
    if n_chars > most {
        let message = format!("the {what} has {n_chars} characters, more than the {most} of {limit}");
        report.error(at, message).hint = Some("shorten it".to_owned());
    }
    n_chars <= most
}

fn commands(fields: &Fields<'_>, report: &mut Report<'_>) -> Vec<Command> {
    let items: &[Node] = match fields.get("commands").map(|it| &it.data) {
        Some(Data::List(items)) => items,
        _ => &[],
    };
    let mut commands = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(fields) = Fields::open(item, &format!("commands[{index}]"), report) else { continue };
        let Some(name) = fields.required_text("name", report) else { continue };
        let name = name.text.trim_start_matches('/').to_owned();
        let parameters = match fields.get("parameters").map(Node::to_json) {
            Some(Value::Array(list)) => list,
            _ => Vec::new(),
        };
        commands.push(Command {
            description: written(&fields, "description").map(|it| it.text).unwrap_or_default(),
            tool: written(&fields, "tool").map_or_else(|| format!("agent.{name}"), |it| it.text),
            name,
            parameters,
        });
    }
    if commands.iter().all(|it| it.name != "help") {
        commands.push(Command::help());
    }
    commands
}

fn resources(fields: &Fields<'_>) -> Resources {
    let node = fields.get("resources");
    let list = |key: &str| match node.and_then(|it| it.get(key)).map(|it| &it.data) {
        Some(Data::List(items)) => items.iter().filter_map(Node::as_written).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    Resources { prompts: list("prompts"), skills: list("skills"), instructions: list("instructions") }
}
