//! Parses `*.agent.md` in the variants of VS Code, Copilot and the registry's specification.

use config_file::{Fields, LocatedString, Node, Report, Shape, Source, Text};
use serde_json::Value;

use super::Document;
use super::foreign::{self, written};
use crate::definition::{Command, Format, Origin, Profile, Resources};
use crate::slug::{is_slug, slug, stem, title};
use crate::table::AGENT_MD;

/// Parses an agent from its front matter and the text below it.
pub(super) fn read(
    source: &Source<'_>,
    root: &Node<'_>,
    body: &str,
    report: &mut Report<'_>,
) -> Option<Document> {
    let fields = Fields::of(root, "", &AGENT_MD, report)?;
    let file_stem = stem(source.file());
    let id = id(&fields, file_stem, report);
    let name = written(&fields, "name");
    if let Some(name) = &name {
        within(name, "name", report);
    }
    let shown = name.as_ref().map_or_else(|| title(file_stem), |it| it.text.clone());
    let description = match written(&fields, "description") {
        Some(given) => {
            within(&given, "description", report);
            given.text
        }
        None => foreign::guessed_description(&fields, body, report),
    };
    let profile = Profile {
        id: id?,
        full_name: written(&fields, "fullName").map_or_else(|| shown.clone(), |it| it.text),
        name: shown,
        description: description.clone(),
        icon: written(&fields, "icon").map(|it| it.text),
        commands: commands(&fields, report),
        resources: resources(&fields),
    };
    // Hosts use the name in the file, or the file's name.
    let called = name.as_ref().map_or_else(|| file_stem.to_owned(), |it| it.text.clone());
    let origin = Origin { file: source.file().to_owned(), format: Format::AgentMd };
    let definition = foreign::definition(&fields, &AGENT_MD, body, called, description, profile, origin);
    let name_excerpt = name.map(|it| report.excerpt(it.at));
    Some(Document { definition, name_excerpt, references: Vec::new() })
}

fn id(fields: &Fields<'_, '_>, file_stem: &str, report: &mut Report<'_>) -> Option<String> {
    let Some(id) = written(fields, "id") else { return Some(slug(file_stem)) };
    if !is_slug(&id.text) {
        let message = format!("`id` must be lower-case letters, numbers and hyphens, not `{}`", id.text);
        report.error(id.at, message).hint = Some(format!("write `{}`", slug(&id.text)));
        return None;
    }
    within(&id, "id", report).then_some(id.text)
}

/// Checks a field, of any type, against the limit in its table.
fn within(written: &LocatedString, key: &str, report: &mut Report<'_>) -> bool {
    let Some(Shape::Text(Text { most: Some((most, limit)), .. })) = AGENT_MD.field(key).map(|it| it.shape)
    else {
        return true;
    };
    let n_chars = written.text.chars().count();
    if n_chars > most {
        let message = format!("`{key}` must have at most {most} characters ({limit}), not {n_chars}");
        report.error(written.at, message).hint = Some("shorten it".to_owned());
    }
    n_chars <= most
}

fn commands(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<Command> {
    let mut commands = Vec::new();
    // A value of another type belongs to another program.
    let is_list = fields.get("commands").is_some_and(|it| it.items().is_some());
    for fields in if is_list { fields.objects("commands", report) } else { Vec::new() } {
        let Some(name) = fields.string("name", report) else { continue };
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

fn resources(fields: &Fields<'_, '_>) -> Resources {
    let node = fields.get("resources");
    let list = |key: &str| {
        let items = node.and_then(|it| it.get(key)).and_then(Node::items).unwrap_or_default();
        items.iter().filter_map(Node::as_written).map(str::to_owned).collect()
    };
    Resources { prompts: list("prompts"), skills: list("skills"), instructions: list("instructions") }
}
