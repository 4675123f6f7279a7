//! Parses an agent of the project's own format, strictly.

use config_file::{Fields, LocatedString, Node, Report, Source};
use std::time::Duration;

use super::{Document, Reference, Seen, bash_filter, transitions};
use crate::definition::{
    COMPLETE, Command, Definition, Format, Origin, Profile, Provider, ProviderName, Resources, RunLimits,
    Strictness, Tools,
};
use crate::markdown;
use crate::policy::ToolPattern;
use crate::slug::{slug, title};
use crate::table::AGENT;
use crate::tool_name::ToolNames;

/// Parses an agent from its fields and, in a Markdown file, the text below them.
pub(super) fn read(
    source: &Source<'_>,
    format: Format,
    root: &Node<'_>,
    body: Option<&str>,
    names: &ToolNames,
    report: &mut Report<'_>,
    seen: &mut Seen,
) -> Option<Document> {
    // WHY agents have no `version` key: an editor's line about the schema is a comment.
    let fields = Fields::of(root, "", &AGENT, report)?;
    let name = name(&fields, report);
    let display_name = fields.string("displayName", report).map(|it| it.text);
    let body = body.map(markdown::body);
    let system_prompt = match &body {
        Some(body) if !body.system_prompt.is_empty() => Some(body.system_prompt.clone()),
        Some(_) if fields.get("systemPrompt").is_none() => {
            report.error(fields.at(), "the text below the front matter must not be empty").hint =
                Some("write the system prompt below the second `---`".to_owned());
            None
        }
        _ => fields.string("systemPrompt", report).map(|it| it.text),
    };
    let in_fields = fields.string("whenToUse", report).map(|it| it.text);
    let when_to_use = body.and_then(|it| it.when_to_use).or(in_fields);
    let tools = fields.object("tools", report).map(|it| tools(&it, names, report)).unwrap_or_default();
    let (transitions, targets) = transitions::read(&fields, report);
    let limits = fields.object("limits", report).map(|it| limits(&it, report)).unwrap_or_default();
    let provider = fields.object("provider", report).and_then(|it| provider(&it, report));
    let metadata = fields.json("metadata", report).unwrap_or_default();

    let references: Vec<Reference> = targets
        .into_iter()
        .map(|(field, target)| Reference { field, name: target.text, excerpt: report.excerpt(target.at) })
        .collect();
    *seen = Seen { name: name.as_ref().map(|name| name.text.clone()), references: references.clone() };
    let (name, system_prompt, transitions) = (name?, system_prompt?, transitions?);
    let name_excerpt = Some(report.excerpt(name.at));
    let profile = profile(&name.text, display_name.as_deref(), when_to_use.as_deref());
    let definition = Definition {
        name: name.text,
        display_name,
        when_to_use,
        system_prompt,
        tools,
        transitions,
        limits,
        provider,
        metadata,
        profile,
        origin: Origin { file: source.file().to_owned(), format },
    };
    Some(Document { definition, name_excerpt, references })
}

fn name(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<LocatedString> {
    let name = fields.string("name", report)?;
    let starts_well = name.text.starts_with(|it: char| it.is_ascii_alphabetic());
    let goes_on_well = name.text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_'));
    if !starts_well || !goes_on_well {
        let message = format!(
            "`name` must begin with a letter and have only letters, numbers, `-` and `_`, not be `{}`",
            name.text
        );
        let problem = report.error(name.at, message);
        let proposal = slug(&name.text);
        let proposal = proposal.trim_start_matches(|it: char| !it.is_ascii_alphabetic());
        problem.hint = Some(match proposal {
            "" => "put other names into `displayName`".to_owned(),
            name => format!("write `{name}`; put other names into `displayName`"),
        });
        return None;
    }
    if name.text == COMPLETE {
        report.error(name.at, "`name` must not be `complete`, the target that ends a workflow").hint =
            Some("choose another name".to_owned());
        return None;
    }
    Some(name)
}

fn tools(fields: &Fields<'_, '_>, names: &ToolNames, report: &mut Report<'_>) -> Tools {
    let allowed = fields.strings("allowed", report);
    if let Some(list) = fields.get("allowed").filter(|it| it.items().is_some_and(<[_]>::is_empty)) {
        report.warning(list.at(), "an empty list of allowed tools allows every tool").hint =
            Some("list the tools, or remove the key".to_owned());
    }
    let blocked = fields.strings("blocked", report).unwrap_or_default();
    for tool in allowed.iter().flatten().chain(&blocked) {
        known_tool(tool, names, report);
    }
    let filter = fields.object("bashFilter", report).map(|it| bash_filter::read(&it, report));
    let texts = |list: Vec<LocatedString>| list.into_iter().map(|it| it.text).collect::<Vec<_>>();
    Tools {
        allowed: allowed.filter(|it| !it.is_empty()).map(texts),
        blocked: texts(blocked),
        bash_filter: filter.unwrap_or_default(),
        strictness: Strictness::Strict,
    }
}

fn known_tool(tool: &LocatedString, names: &ToolNames, report: &mut Report<'_>) {
    if names.contains(&tool.text) || !matches!(ToolPattern::new(&tool.text), ToolPattern::Named(_)) {
        return;
    }
    let problem = report.error(tool.at, format!("unknown tool `{}`", tool.text));
    problem.hint = Some(match config_file::nearest(&tool.text, names.iter()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "use a built-in tool, a tool of a host or `mcp__server__tool`, or list your own in `tools.custom` of `.rawko/config.yaml`".to_owned(),
    });
}

fn limits(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> RunLimits {
    RunLimits {
        max_iterations: fields.integer("maxIterations", report),
        timeout: fields.integer("timeout", report).map(Duration::from_millis),
        max_tokens: fields.integer("maxTokens", report),
    }
}

fn provider(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<Provider> {
    let model = fields.string("model", report).map(|it| it.text);
    let name = fields.one_of("name", report)?;
    Some(Provider { name: ProviderName::from_name(&name.text)?, model })
}

fn profile(name: &str, display_name: Option<&str>, when_to_use: Option<&str>) -> Profile {
    let full_name = display_name.map_or_else(|| title(name), str::to_owned);
    Profile {
        id: slug(name),
        name: full_name.clone(),
        full_name,
        description: super::foreign::shortened(when_to_use.unwrap_or_default()),
        icon: None,
        commands: vec![Command::help()],
        resources: Resources::default(),
    }
}
