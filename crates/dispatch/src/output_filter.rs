//! Cleans a tool's result before the model reads it: replaces secrets, and cuts long texts to head and tail.
//!
//! The filter guards against its own damage: a model that has read `[REDACTED]` must not write it over the secret.
//!
//! WHY no module: a module's decision about a result is a complaint next to it; this replaces the result itself.

mod cut;
mod marker_guard;

use std::time::Duration;

use event::{Detail, Outcome, Replacement, ToolCall, ToolKind};
use host::{Host, ReplyTarget, Verb};
use modules::{Action, Context};
use modules::{Content, Output};
use project_config::OutputSettings;
use redact::Redacted;
use serde_json::Value;
use store::ModuleName;

use crate::pipeline::{Report, StepResult};
use cut::Cut;

/// The name under which records and files appear.
pub(crate) const NAME: &str = OutputSettings::SECTION;

/// Judges an event before or after a call. Returns `None` if there is nothing to say.
pub(crate) fn judge(context: &Context<'_>, target: &ReplyTarget) -> Option<Report> {
    let action = match &context.event.detail {
        Detail::PreToolUse { call } => marker_guard::judge(context, call, || settings(context).0)?,
        Detail::PostToolUse { call, outcome } => cleaned(context, target, call, outcome)?,
        _ => return None,
    };
    Some(Report {
        module: NAME.to_owned(),
        took: Duration::ZERO,
        result: StepResult::Acted(Box::new(action)),
    })
}

/// Returns the settings of the project. A mistake in them leaves redaction on.
fn settings(context: &Context<'_>) -> (OutputSettings, Option<String>) {
    match context.config.typed(NAME) {
        Ok(settings) => (settings, None),
        Err(error) => {
            (OutputSettings::default(), Some(format!("`{NAME}` in config.json is ignored: {error}")))
        }
    }
}

/// WHY not inlined: an event before a call must not pay for the stack frame.
#[inline(never)]
fn cleaned(
    context: &Context<'_>,
    target: &ReplyTarget,
    call: &ToolCall,
    outcome: &Outcome,
) -> Option<Action> {
    let (settings, complaint) = settings(context);
    let mut action = Action { warnings: complaint.into_iter().collect(), ..Action::default() };
    let response = match outcome {
        Outcome::Done { response } | Outcome::Failed { response: Some(response), .. } => response,
        // The host reports a failed call without its output.
        Outcome::Failed { error, response: None } => {
            if settings.redact && is_secret(error) {
                action.warnings.push(unhidden(context.host, call, "the output of a failed call"));
            }
            return (!action.warnings.is_empty()).then_some(action);
        }
    };
    let mut clean = response.clone();
    let has_secret = settings.redact && redact_strings(&mut clean);
    // The host itself marks a file that it read in part, and numbers the lines. A model reads the result of a write only
    // as a success, and cannot decode half a picture.
    let is_picture = response.get("isImage") == Some(&Value::Bool(true));
    let limit =
        settings.max_kb.filter(|_| !is_picture && !matches!(call.kind, ToolKind::Read | ToolKind::Write));
    let can_replace = host::can(target, Verb::Replace);
    // What has no text, such as a picture of a server, is worth nothing in parts.
    if let Some(limit) = limit.filter(|_| can_replace && host::result_text(&clean).is_some()) {
        let mut cutting = Cutting { context, limit: limit as usize * 1024, outputs: Vec::new() };
        cutting.cut_strings(&mut clean);
        action.outputs = cutting.outputs;
    }
    if clean != *response {
        // Where a result is replaced in its own shape, it need not have a text.
        let text = host::result_text(&clean).or_else(|| (context.host == Host::ClaudeCode).then(String::new));
        match text {
            Some(text) if can_replace => {
                action.replacement =
                    Some(Replacement { response: clean, text: with_exit_code(outcome, text) });
            }
            _ if has_secret => {
                action.warnings.push(unhidden(context.host, call, "the result that a hook reports"));
            }
            _ => {}
        }
    }
    (action != Action::default()).then_some(action)
}

/// Adds the exit code to the text of a failed command: on some hosts the text replaces the whole result.
fn with_exit_code(outcome: &Outcome, text: String) -> String {
    let Outcome::Failed { error, .. } = outcome else { return text };
    match error.lines().next().filter(|line| line.starts_with("Exit code") && !text.contains(*line)) {
        Some(code) => format!("{code}\n{text}"),
        None => text,
    }
}

fn unhidden(host: Host, call: &ToolCall, what: &str) -> String {
    format!(
        "the model reads a secret in the result of {}: {} does not let steersman replace {what}",
        call.name,
        host.title()
    )
}

fn is_secret(text: &str) -> bool {
    Redacted::from_text(text).as_str() != text
}

/// Redacts every string. Returns whether one had a secret.
fn redact_strings(value: &mut Value) -> bool {
    let mut has_secret = false;
    each_string(value, &mut |text| {
        let clean = Redacted::from_text(text);
        if clean.as_str() != text {
            has_secret = true;
            *text = clean.into_string();
        }
    });
    has_secret
}

fn each_string(value: &mut Value, change: &mut impl FnMut(&mut String)) {
    match value {
        Value::String(text) => change(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each_string(item, change)),
        Value::Object(fields) => fields.values_mut().for_each(|field| each_string(field, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The texts that are cut, and the files with the whole ones.
struct Cutting<'a, 'c> {
    context: &'a Context<'c>,
    limit: usize,
    outputs: Vec<Output>,
}

impl Cutting<'_, '_> {
    fn cut_strings(&mut self, value: &mut Value) {
        each_string(value, &mut |text| self.cut(text));
    }

    fn cut(&mut self, text: &mut String) {
        let Some(cut) = Cut::of(text, self.limit) else { return };
        let name = format!("{}-{}.txt", self.context.ids.run.at_ms, self.outputs.len() + 1);
        let file =
            ModuleName::new(NAME).and_then(|module| self.context.session.feature(&module).output_file(&name));
        let Some(file) = file else { return };
        let root = self.context.workspace.root();
        let shown = file.below(root).map_or_else(|_| file.to_string(), |file| file.to_string());
        // Redacted before: a file of the session has no secrets even where the model reads them.
        self.outputs.push(Output { name, content: Content::Replace(Redacted::from_text(text)) });
        *text = cut.shown_with(&shown);
    }
}
