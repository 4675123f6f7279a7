//! Reads the action of a custom agent hook (000).

use config_file::{Fields, Node, Report};

use super::template::template;
use crate::action::ActionKind;
use crate::limits::MAX_AGENT_ID_LENGTH;
use crate::{
    Action, AgentChoice, AgentKind, Custom, Git, GitHub, GitHubOperation, GitOperation, Mcp, SelectedTool,
    Template, Trigger,
};

/// Reads an action from its word and its parameters.
pub(super) fn read(
    (kind, fields): (&'static str, Fields<'_, '_>),
    trigger: Option<&Trigger>,
    report: &mut Report<'_>,
) -> Option<Action> {
    match ActionKind::ALL.into_iter().find(|it| it.as_str() == kind)? {
        ActionKind::Custom => custom(&fields, trigger, report),
        ActionKind::Agent => agent(&fields, trigger, report),
        ActionKind::Git => git(&fields, trigger, report),
        ActionKind::GitHub => github(&fields, trigger, report),
        ActionKind::Mcp => mcp(&fields, report),
        ActionKind::Command => command(&fields, trigger, report),
    }
}

/// Reads an optional template.
fn optional(
    fields: &Fields<'_, '_>,
    key: &str,
    trigger: Option<&Trigger>,
    report: &mut Report<'_>,
) -> Option<Template> {
    let written = fields.string(key, report)?;
    Some(template(&written, trigger, report))
}

fn custom(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let id = fields.string("agentId", report);
    let name = fields.string("agentName", report);
    let kind = fields.one_of("agentType", report);
    let kind = kind.and_then(|word| AgentKind::ALL.into_iter().find(|kind| kind.as_str() == word.text));
    let prompt = optional(fields, "prompt", trigger, report);
    let arguments = optional(fields, "arguments", trigger, report);
    let tools = fields.objects("selectedTools", report);
    let tools = tools.iter().filter_map(|it| selected(it, report)).collect();
    let agent = match (id, name) {
        (Some(id), _) if is_agent_id(&id.text) => AgentChoice::Id(id.text),
        (Some(id), _) => {
            let message =
                format!("`{}` must be the id of an agent, not `{}`", fields.name("agentId"), id.text);
            report.error(id.at, message).hint = Some(
                "write `local:` or `extension:`, then lower-case letters, digits and hyphens".to_owned(),
            );
            return None;
        }
        (None, Some(name)) if !name.text.trim().is_empty() => AgentChoice::Name(name.text),
        _ => {
            report.error(fields.at(), "the action must name an agent").hint = Some(
                "add `agentId`, such as `local:code-reviewer`; run `steersman agent list` for the ids"
                    .to_owned(),
            );
            return None;
        }
    };
    // Without both, only this automation cannot run: older files omit them, and the other hooks of the file stay valid.
    Some(Action::Custom(Custom { agent, kind, prompt, arguments, tools }))
}

/// Returns whether this is a valid id of an agent in the registry.
fn is_agent_id(text: &str) -> bool {
    let name = text.strip_prefix("local:").or_else(|| text.strip_prefix("extension:"));
    name.is_some_and(|name| {
        (1..=MAX_AGENT_ID_LENGTH).contains(&name.len())
            && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    })
}

fn selected(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<SelectedTool> {
    let server = fields.string("serverId", report);
    let tool = fields.string("toolName", report);
    Some(SelectedTool { server: server?.text, tool: tool?.text })
}

fn agent(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let written = fields.string("command", report)?;
    if !written.text.starts_with('/') {
        report.error(written.at, format!("`{}` must be a slash command", fields.name("command"))).hint =
            Some("start it with `/`, such as `/speckit.clarify`".to_owned());
        return None;
    }
    Some(Action::Agent { command: template(&written, trigger, report) })
}

fn git(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let message = optional(fields, "messageTemplate", trigger, report);
    let push = fields.boolean("pushToRemote", report).unwrap_or(false);
    let word = fields.one_of("operation", report)?;
    let operation = GitOperation::ALL.into_iter().find(|it| it.as_str() == word.text)?;
    if operation == GitOperation::Commit && message.is_none() && fields.get("messageTemplate").is_none() {
        fields.missing("messageTemplate", None, report);
        return None;
    }
    Some(Action::Git(Git { operation, message, push }))
}

fn github(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let title = optional(fields, "titleTemplate", trigger, report);
    let body = optional(fields, "bodyTemplate", trigger, report);
    let issue = fields.integer("issueNumber", report);
    let labels = fields.strings("labels", report).unwrap_or_default().into_iter().map(|it| it.text).collect();
    let repository = fields.string("repository", report);
    if let Some(written) = repository.as_ref().filter(|it| !is_repository(&it.text)) {
        let name = fields.name("repository");
        report.error(written.at, format!("`{name}` must be a repository, not `{}`", written.text)).hint =
            Some("write `owner/name`".to_owned());
    }
    let word = fields.one_of("operation", report)?;
    let operation = GitHubOperation::ALL.into_iter().find(|it| it.as_str() == word.text)?;
    let needed: &[&str] = match operation {
        GitHubOperation::OpenIssue | GitHubOperation::CreatePr => &["titleTemplate"],
        GitHubOperation::CloseIssue => &["issueNumber"],
        GitHubOperation::AddComment => &["issueNumber", "bodyTemplate"],
    };
    for key in needed.iter().filter(|key| fields.get(key).is_none()) {
        fields.missing(key, None, report);
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
    let arguments = fields.json("arguments", report).unwrap_or_default();
    Some(Action::Mcp(Mcp { tool: selected(fields, report)?, arguments }))
}

fn command(fields: &Fields<'_, '_>, trigger: Option<&Trigger>, report: &mut Report<'_>) -> Option<Action> {
    let input = optional(fields, "input", trigger, report);
    let argv = fields.strings("command", report)?;
    let Some(program) = argv.first().filter(|it| !it.text.trim().is_empty()) else {
        let at = fields.get("command").map_or(fields.at(), Node::at);
        report.error(at, format!("`{}` must name a program", fields.name("command"))).hint =
            Some("list the program and its arguments; no shell reads them".to_owned());
        return None;
    };
    if !Template::new(program.text.as_str()).variables().is_empty() {
        // The data of an occurrence must not choose the program.
        report.error(program.at, "the program itself must not have variables").hint =
            Some("move them to the arguments".to_owned());
        return None;
    }
    let argv = argv.iter().map(|written| template(written, trigger, report)).collect();
    Some(Action::Command { argv, input })
}
