//! Reads an agent of the project's own format, strictly.

use std::time::Duration;

use serde_json::{Map, Value};

use super::{Document, Reference, bash_filter, transitions};
use crate::definition::{
    COMPLETE, Command, Definition, Format, Origin, Profile, Provider, ProviderName, Resources, RunLimits,
    Strictness, Tools,
};
use crate::fields::{Fields, Written};
use crate::limits::MAX_AGENT_NAME_LENGTH;
use crate::markdown;
use crate::policy::ToolPattern;
use crate::report::Report;
use crate::slug::{slug, title};
use crate::source::Source;
use crate::tool_name::ToolNames;
use crate::yaml::{Data, Node};

/// The keys of an agent.
pub(crate) const AGENT_KEYS: &[&str] = &[
    "name",
    "displayName",
    "whenToUse",
    "systemPrompt",
    "tools",
    "transitions",
    "limits",
    "provider",
    "metadata",
];
pub(crate) const TOOLS_KEYS: &[&str] = &["allowed", "blocked", "bashFilter"];
pub(crate) const LIMITS_KEYS: &[&str] = &["maxIterations", "timeout", "maxTokens"];
pub(crate) const PROVIDER_KEYS: &[&str] = &["name", "model"];

/// Reads an agent from its fields and, in a Markdown file, the text below them.
pub(super) fn read(
    source: &Source,
    format: Format,
    root: &Node,
    body: Option<&str>,
    names: &ToolNames,
    report: &mut Report<'_>,
) -> Option<Document> {
    // WHY the version is no key of agents: an editor's line about the schema is a comment.
    let fields = Fields::of(root, "", AGENT_KEYS, report)?;
    let name = name(&fields, report);
    let display_name = fields.text("displayName", report).map(|it| it.text);
    let body = body.map(markdown::body);
    let system_prompt = match &body {
        Some(body) if !body.system_prompt.is_empty() => Some(body.system_prompt.clone()),
        Some(_) if fields.get("systemPrompt").is_none() => {
            let problem = report.error(fields.at(), "the text below the fields is empty");
            problem.expected = Some("the system prompt".to_owned());
            problem.hint = Some("write it below the second `---`".to_owned());
            None
        }
        _ => fields.required_text("systemPrompt", report).map(|it| it.text),
    };
    let in_fields = fields.text("whenToUse", report).map(|it| it.text);
    let when_to_use = body.and_then(|it| it.when_to_use).or(in_fields);
    let tools = fields.get("tools").and_then(|it| tools(it, names, report)).unwrap_or_default();
    let (transitions, targets) = transitions::read(&fields, report);
    let limits = fields.get("limits").and_then(|it| limits(it, report)).unwrap_or_default();
    let provider = fields.get("provider").and_then(|it| provider(it, report));
    let metadata = fields.get("metadata").and_then(|it| metadata(it, report)).unwrap_or_default();

    let (name, system_prompt, transitions) = (name?, system_prompt?, transitions?);
    let name_spot = Some(report.spot(name.at));
    let references = targets
        .into_iter()
        .map(|(field, target)| Reference { field, name: target.text, spot: report.spot(target.at) })
        .collect();
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
    Some(Document { definition, name_spot, references })
}

fn name(fields: &Fields<'_>, report: &mut Report<'_>) -> Option<Written> {
    let name = fields.required_text("name", report)?;
    let starts_well = name.text.starts_with(|it: char| it.is_ascii_alphabetic());
    let goes_on_well = name.text.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_'));
    if !starts_well || !goes_on_well {
        let problem = report.error(name.at, format!("`{}` is no name of an agent", name.text));
        problem.expected = Some("a letter, then only letters, numbers, hyphens and underscores".to_owned());
        let proposal = slug(&name.text);
        let proposal = proposal.trim_start_matches(|it: char| !it.is_ascii_alphabetic());
        problem.hint = Some(match proposal {
            "" => "`displayName` may be any text".to_owned(),
            name => format!("`{name}` would do; `displayName` may be any text"),
        });
        return None;
    }
    if name.text.len() > MAX_AGENT_NAME_LENGTH {
        let message = format!(
            "the name has {} characters, more than the {MAX_AGENT_NAME_LENGTH} of MAX_AGENT_NAME_LENGTH",
            name.text.len()
        );
        report.error(name.at, message);
        return None;
    }
    if name.text == COMPLETE {
        let problem = report.error(name.at, "`complete` is not for agents");
        problem.hint = Some("it is the target that ends a workflow: choose another name".to_owned());
        return None;
    }
    Some(name)
}

fn tools(node: &Node, names: &ToolNames, report: &mut Report<'_>) -> Option<Tools> {
    let fields = Fields::of(node, "tools", TOOLS_KEYS, report)?;
    let allowed = fields.texts("allowed", report);
    if allowed.as_ref().is_some_and(Vec::is_empty) && fields.get("allowed").is_some_and(is_empty_list) {
        let at = fields.get("allowed").map_or(node.at, |it| it.at);
        let problem = report.warning(at, "an empty list of allowed tools allows every tool");
        problem.hint = Some("list the tools, or leave the key out".to_owned());
    }
    let blocked = fields.texts("blocked", report).unwrap_or_default();
    for tool in allowed.iter().flatten().chain(&blocked) {
        known_tool(tool, names, report);
    }
    let filter = fields.get("bashFilter").and_then(|it| bash_filter::read(it, report));
    let texts = |list: Vec<Written>| list.into_iter().map(|it| it.text).collect::<Vec<_>>();
    Some(Tools {
        allowed: allowed.filter(|it| !it.is_empty()).map(texts),
        blocked: texts(blocked),
        bash_filter: filter.unwrap_or_default(),
        strictness: Strictness::Strict,
    })
}

fn is_empty_list(node: &Node) -> bool {
    matches!(&node.data, Data::List(items) if items.is_empty())
}

fn known_tool(tool: &Written, names: &ToolNames, report: &mut Report<'_>) {
    if names.contains(&tool.text) || !matches!(ToolPattern::new(&tool.text), ToolPattern::Named(_)) {
        return;
    }
    let problem = report.error(tool.at, format!("unknown tool `{}`", tool.text));
    problem.expected =
        Some("a built-in tool, a tool of a host, `mcp__server__tool`, or one of `tools.custom`".to_owned());
    problem.hint = Some(match store::nearest(&tool.text, names.iter()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "a tool of your own goes into `tools.custom` of `.rawko/config.yaml`".to_owned(),
    });
}

fn limits(node: &Node, report: &mut Report<'_>) -> Option<RunLimits> {
    let fields = Fields::of(node, "limits", LIMITS_KEYS, report)?;
    Some(RunLimits {
        max_iterations: fields.positive("maxIterations", report),
        timeout: fields.positive("timeout", report).map(Duration::from_millis),
        max_tokens: fields.positive("maxTokens", report),
    })
}

fn provider(node: &Node, report: &mut Report<'_>) -> Option<Provider> {
    let fields = Fields::of(node, "provider", PROVIDER_KEYS, report)?;
    let model = fields.text("model", report).map(|it| it.text);
    if fields.get("name").is_none() {
        fields.required_text("name", report);
        return None;
    }
    let name = fields.word("name", &ProviderName::NAMES, report)?;
    Some(Provider { name: ProviderName::from_name(&name.text)?, model })
}

fn metadata(node: &Node, report: &mut Report<'_>) -> Option<Map<String, Value>> {
    Fields::open(node, "metadata", report)?;
    match node.to_json() {
        Value::Object(map) => Some(map),
        _ => None,
    }
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
