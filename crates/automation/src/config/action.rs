//! What an automation does, in the words of custom agent hooks (000).

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;

use super::fields::{Fields, plain_object, wrong_type};
use super::report::Report;
use super::template::template;
use crate::limits::{
    MAX_AGENT_ID_LENGTH, MAX_AGENT_NAME_LENGTH, MAX_ARGUMENTS_LENGTH, MAX_BODY_TEMPLATE_LENGTH,
    MAX_COMMAND_LENGTH, MAX_MESSAGE_TEMPLATE_LENGTH, MAX_PROMPT_LENGTH, MAX_TITLE_TEMPLATE_LENGTH,
};
use crate::{
    Action, AgentChoice, AgentKind, Custom, Git, GitHub, GitHubOperation, GitOperation, Mcp, SelectedTool,
    Template, Trigger,
};

const TYPES: &[&str] = &["custom", "agent", "git", "github", "mcp", "command"];

/// Reads an action.
pub(super) fn read(
    value: &Value<'_>,
    path: &str,
    trigger: Option<&Trigger>,
    report: &mut Report<'_>,
) -> Option<Action> {
    let fields = Fields::of(value, path, &["type", "parameters"], report)?;
    for key in ["type", "parameters"] {
        if fields.get(key).is_none() {
            fields.missing(key, report);
        }
    }
    let kind = fields.word("type", TYPES, report)?;
    let (parameters, path) = (fields.get("parameters")?, fields.name("parameters"));
    let of = |known: &[&str], report: &mut Report<'_>| Fields::of(parameters, &path, known, report);
    match kind.text.as_str() {
        "custom" => {
            let known = ["agentId", "agentType", "agentName", "prompt", "selectedTools", "arguments"];
            custom(&of(&known, report)?, trigger, report)
        }
        "agent" => agent(&of(&["command"], report)?, trigger, report),
        "git" => git(&of(&["operation", "messageTemplate", "pushToRemote"], report)?, trigger, report),
        "github" => {
            let known = ["operation", "repository", "titleTemplate", "bodyTemplate", "labels", "issueNumber"];
            github(&of(&known, report)?, trigger, report)
        }
        "mcp" => mcp(&of(&["serverId", "toolName", "arguments"], report)?, report),
        _ => command(&of(&["command", "input"], report)?, trigger, report),
    }
}

/// Reads an optional template of at most so many characters.
fn optional(
    fields: &Fields<'_, '_>,
    key: &str,
    (most, limit): (usize, &str),
    trigger: Option<&Trigger>,
    report: &mut Report<'_>,
) -> Option<Template> {
    let written = fields.text_of(key, most, limit, report)?;
    Some(template(written, trigger, report))
}

fn custom(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let id = fields.text("agentId", report);
    let name = fields.text_of("agentName", MAX_AGENT_NAME_LENGTH, "MAX_AGENT_NAME_LENGTH", report);
    let kind = fields.word("agentType", &AgentKind::ALL.map(AgentKind::as_str), report);
    let kind = kind.and_then(|word| AgentKind::ALL.into_iter().find(|kind| kind.as_str() == word.text));
    let prompt = optional(fields, "prompt", (MAX_PROMPT_LENGTH, "MAX_PROMPT_LENGTH"), trigger, report);
    let arguments =
        optional(fields, "arguments", (MAX_ARGUMENTS_LENGTH, "MAX_ARGUMENTS_LENGTH"), trigger, report);
    let tools = tools(fields, report);
    let agent = match (id, name) {
        (Some(id), _) if is_agent_id(&id.text) => AgentChoice::Id(id.text),
        (Some(id), _) => {
            let problem = report.error(id.at, format!("`{}` is `{}`", fields.name("agentId"), id.text));
            problem.hint =
                Some("`local:` or `extension:`, then lower-case letters, digits and hyphens".to_owned());
            return None;
        }
        (None, Some(name)) if !name.text.trim().is_empty() => AgentChoice::Name(name.text),
        _ => {
            report.error(fields.at(), "the action names no agent").hint = Some(
                "add `agentId`, such as `local:code-reviewer`; `steersman agent list` shows them".to_owned(),
            );
            return None;
        }
    };
    Some(Action::Custom(Custom { agent, kind, prompt, arguments, tools }))
}

/// Returns whether this is the id of an agent in the registry.
fn is_agent_id(text: &str) -> bool {
    let name = text.strip_prefix("local:").or_else(|| text.strip_prefix("extension:"));
    name.is_some_and(|name| {
        (1..=MAX_AGENT_ID_LENGTH).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    })
}

fn tools(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<SelectedTool> {
    let Some(value) = fields.get("selectedTools") else { return Vec::new() };
    let name = fields.name("selectedTools");
    let Value::Array(array) = value else {
        wrong_type(value, &name, "a list of objects", report);
        return Vec::new();
    };
    let mut read = |(index, item)| {
        let known = ["serverId", "serverName", "toolName", "toolDisplayName"];
        let tool = Fields::of(item, &format!("{name}[{index}]"), &known, report)?;
        selected(&tool, report)
    };
    array.elements.iter().enumerate().filter_map(&mut read).collect()
}

fn selected(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<SelectedTool> {
    let server = fields.required_text("serverId", 200, "the most", report);
    let tool = fields.required_text("toolName", 200, "the most", report);
    Some(SelectedTool { server: server?.text, tool: tool?.text })
}

fn agent(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let written = fields.required_text("command", MAX_COMMAND_LENGTH, "MAX_COMMAND_LENGTH", report)?;
    if !written.text.starts_with('/') {
        let problem = report.error(written.at, format!("`{}` is no slash command", fields.name("command")));
        problem.hint = Some("it begins with `/`, such as `/speckit.clarify`".to_owned());
        return None;
    }
    Some(Action::Agent { command: template(written, trigger, report) })
}

fn git(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let limit = (MAX_MESSAGE_TEMPLATE_LENGTH, "MAX_MESSAGE_TEMPLATE_LENGTH");
    let message = optional(fields, "messageTemplate", limit, trigger, report);
    let push = fields.flag("pushToRemote", report).unwrap_or(false);
    if fields.get("operation").is_none() {
        fields.missing("operation", report);
    }
    let word = fields.word("operation", &GitOperation::ALL.map(GitOperation::as_str), report)?;
    let operation = GitOperation::ALL.into_iter().find(|it| it.as_str() == word.text)?;
    if operation == GitOperation::Commit && message.is_none() && fields.get("messageTemplate").is_none() {
        fields.missing("messageTemplate", report);
        return None;
    }
    Some(Action::Git(Git { operation, message, push }))
}

fn github(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let title_limit = (MAX_TITLE_TEMPLATE_LENGTH, "MAX_TITLE_TEMPLATE_LENGTH");
    let title = optional(fields, "titleTemplate", title_limit, trigger, report);
    let body_limit = (MAX_BODY_TEMPLATE_LENGTH, "MAX_BODY_TEMPLATE_LENGTH");
    let body = optional(fields, "bodyTemplate", body_limit, trigger, report);
    let issue = fields.whole("issueNumber", 1, u64::MAX, report);
    let labels = fields.texts("labels", report).unwrap_or_default().into_iter().map(|it| it.text).collect();
    let repository = fields.text("repository", report);
    if let Some(written) = repository.as_ref().filter(|it| !is_repository(&it.text)) {
        report.error(written.at, format!("`{}` is `{}`", fields.name("repository"), written.text)).hint =
            Some("`owner/name`".to_owned());
    }
    if fields.get("operation").is_none() {
        fields.missing("operation", report);
    }
    let word = fields.word("operation", &GitHubOperation::ALL.map(GitHubOperation::as_str), report)?;
    let operation = GitHubOperation::ALL.into_iter().find(|it| it.as_str() == word.text)?;
    let needed: &[&str] = match operation {
        GitHubOperation::OpenIssue | GitHubOperation::CreatePr => &["titleTemplate"],
        GitHubOperation::CloseIssue => &["issueNumber"],
        GitHubOperation::AddComment => &["issueNumber", "bodyTemplate"],
    };
    for key in needed.iter().filter(|key| fields.get(key).is_none()) {
        fields.missing(key, report);
    }
    let repository = repository.map(|it| it.text);
    Some(Action::GitHub(GitHub { operation, repository, title, body, labels, issue }))
}

fn is_repository(text: &str) -> bool {
    let is_name = |part: &str| {
        !part.is_empty()
            && !part.starts_with('-')
            && part.bytes().all(|it| it.is_ascii_alphanumeric() || b"._-".contains(&it))
    };
    text.split_once('/').is_some_and(|(owner, name)| is_name(owner) && is_name(name))
}

fn mcp(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<Action> {
    let arguments = match fields.get("arguments") {
        None => serde_json::Map::new(),
        Some(Value::Object(object)) => plain_object(object),
        Some(other) => {
            wrong_type(other, &fields.name("arguments"), "an object", report);
            return None;
        }
    };
    Some(Action::Mcp(Mcp { tool: selected(fields, report)?, arguments }))
}

fn command(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let input = optional(fields, "input", (MAX_PROMPT_LENGTH, "MAX_PROMPT_LENGTH"), trigger, report);
    let Some(value) = fields.get("command") else {
        fields.missing("command", report);
        return None;
    };
    let argv = fields.texts("command", report)?;
    let Some(program) = argv.first().filter(|it| !it.text.trim().is_empty()) else {
        report.error(value.range(), format!("`{}` names no program", fields.name("command"))).hint =
            Some("a list: the program and its arguments; no shell reads them".to_owned());
        return None;
    };
    if !Template::new(program.text.as_str()).variables().is_empty() {
        // What happens must not choose what runs.
        report.error(program.at, "the program itself has no variables").hint =
            Some("put them into the arguments behind it".to_owned());
        return None;
    }
    let argv = argv.into_iter().map(|written| template(written, trigger, report)).collect();
    Some(Action::Command { argv, input })
}
