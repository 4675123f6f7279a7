//! Automations and their trust as JSON.

use automation::{Action, Automation, FilePatterns, RunnerChoice, Trigger};
use serde_json::{Map, Value, json};
use store::TrustStatus;

use super::automation_state::AutomationState;
use super::secret_filter::SecretFilter;

/// Returns the automation with all declared values and defaults, without its secrets.
pub(super) fn automation(automation: &Automation, state: &AutomationState, secrets: &SecretFilter) -> Value {
    let mut wire = Map::new();
    let mut put = |key: &str, value: Value| {
        if !value.is_null() {
            wire.insert(key.to_owned(), value);
        }
    };
    put("id", automation.id.as_str().into());
    put("name", automation.name.clone().into());
    put("enabled", automation.enabled.into());
    put("state", state.word().into());
    if let AutomationState::Impeded(why) = state {
        put("impediment", json!({"code": why.code, "message": why.message}));
    }
    put("trigger", automation.trigger.to_string().into());
    put("pattern", automation.trigger.pattern().map_or(Value::Null, pattern));
    if let Trigger::Schedule { schedule } = &automation.trigger {
        put("schedule", schedule.to_string().into());
    }
    put("action", action(&automation.action));
    put("runner", automation.runner.as_ref().map(runner).into());
    put("concurrency", automation.concurrency.into());
    put("onBusy", automation.on_busy.as_str().into());
    put("batch", automation.batch.into());
    if !automation.depends_on.is_empty() {
        put("dependsOn", automation.depends_on.iter().map(automation::AutomationId::as_str).collect());
    }
    put("timeoutMs", u64::try_from(automation.timeout.as_millis()).unwrap_or(u64::MAX).into());
    put(
        "retry",
        json!({
            "count": automation.retry.count,
            "backoffMs": u64::try_from(automation.retry.backoff.as_millis()).unwrap_or(u64::MAX),
            "backoffFactor": automation.retry.factor,
        }),
    );
    if let Some(rate) = automation.rate {
        let per = u64::try_from(rate.per.as_millis()).unwrap_or(u64::MAX);
        put("rateLimit", json!({"runs": rate.runs, "perMs": per}));
    }
    put("secretPatterns", json!(automation.secret_patterns));
    put("createdAt", automation.created.map(store::Timestamp::as_millis).into());
    put("modifiedAt", automation.modified.map(store::Timestamp::as_millis).into());
    put("metadata", Value::Object(automation.metadata.clone()));
    put("file", automation.origin.file.name().into());
    put("line", automation.origin.line.into());
    secrets.value(automation, Value::Object(wire))
}

/// Returns the JSON name of the trust in automations.
pub(super) const fn trust(standing: &TrustStatus) -> &'static str {
    match standing {
        TrustStatus::Trusted => "trusted",
        TrustStatus::Never => "untrusted",
        TrustStatus::Changed { .. } => "changed",
    }
}

fn pattern(pattern: &FilePatterns) -> Value {
    match pattern.globs() {
        [only] => only.as_str().into(),
        globs => json!(globs),
    }
}

fn runner(runner: &RunnerChoice) -> Value {
    match runner {
        RunnerChoice::Cli(runner) => {
            let mut wire = json!({"type": runner.cli.as_str()});
            for (key, value) in [("model", &runner.model), ("permissionMode", &runner.permission_mode)] {
                if let Some(value) = value {
                    wire[key] = value.as_str().into();
                }
            }
            if !runner.args.is_empty() {
                wire["args"] = json!(runner.args);
            }
            wire
        }
        RunnerChoice::Command { argv } => json!({"type": "command", "command": argv}),
        // Headers may contain tokens.
        RunnerChoice::Http { url, headers } => {
            json!({"type": "http", "url": url, "headers": headers.keys().collect::<Vec<_>>()})
        }
    }
}

fn action(action: &Action) -> Value {
    let mut wire = Map::new();
    wire.insert("type".to_owned(), action.word().into());
    for (name, text) in parts(action) {
        wire.insert(name.to_owned(), text.into());
    }
    Value::Object(wire)
}

/// Returns the fields of an action, under the names used in its file.
pub(super) fn parts(action: &Action) -> Vec<(&'static str, String)> {
    let mut parts = Vec::new();
    let mut put = |name, text: Option<&str>| parts.extend(text.map(|text| (name, text.to_owned())));
    match action {
        Action::Prompt { prompt } => put("prompt", Some(prompt.as_str())),
        Action::Agent { command } => put("command", Some(command.as_str())),
        Action::Custom(custom) => {
            match &custom.agent {
                automation::AgentChoice::Id(id) => put("agentId", Some(id)),
                automation::AgentChoice::Name(name) => put("agentName", Some(name)),
            }
            put("agentType", custom.kind.map(automation::AgentKind::as_str));
            put("prompt", custom.prompt.as_ref().map(automation::Template::as_str));
            put("arguments", custom.arguments.as_ref().map(automation::Template::as_str));
        }
        Action::Git(git) => {
            put("operation", Some(git.operation.as_str()));
            put("messageTemplate", git.message.as_ref().map(automation::Template::as_str));
            put("pushToRemote", git.push.then_some("true"));
        }
        Action::GitHub(github) => {
            put("operation", Some(github.operation.as_str()));
            put("repository", github.repository.as_deref());
            put("titleTemplate", github.title.as_ref().map(automation::Template::as_str));
            put("bodyTemplate", github.body.as_ref().map(automation::Template::as_str));
            put("issueNumber", github.issue.map(|it| it.to_string()).as_deref());
        }
        Action::Mcp(mcp) => {
            put("serverId", Some(&mcp.tool.server));
            put("toolName", Some(&mcp.tool.tool));
            put("arguments", Some(&Value::Object(mcp.arguments.clone()).to_string()));
        }
        Action::Command { argv, input } => {
            let words: Vec<&str> = argv.iter().map(automation::Template::as_str).collect();
            put("command", Some(&words.join(" ")));
            put("input", input.as_ref().map(automation::Template::as_str));
        }
    }
    parts
}
