//! Explains to the model which writes of a confined call the kernel refused.

mod complaint;

use std::path::Path;

use event::{AbsPath, Access, ContextNote, LineKind, Outcome};
use intent::{Intent, Reach, Scope, Target};
use modules::intent as intents;
use modules::{Context, IntentSettings};
use serde_json::{Value, json};
use session::shell_call::{CallScope, RecordedCall};

use self::complaint::complaints;
use super::{Confinement, NAME, emitted};

/// The most paths in a note.
const MAX_PATHS: usize = 5;

/// The longest output that is searched: complaints come last.
const MAX_OUTPUT: usize = 64 * 1024;

/// Adds a note and a record if the output of a confined call complains about a refused write.
pub(super) fn explain(
    context: &Context<'_>,
    record: &RecordedCall,
    backend: &str,
    outcome: &Outcome,
    found: &mut Confinement,
) {
    let mut output = String::new();
    match outcome {
        Outcome::Done { response } => collect(response, &mut output),
        Outcome::Failed { error, .. } => output.push_str(error),
    }
    let start = output.len().saturating_sub(MAX_OUTPUT);
    let start = (start..output.len()).find(|at| output.is_char_boundary(*at)).unwrap_or_default();
    let complaints = complaints(&output[start..], backend == "landlock");
    if complaints.is_empty() {
        return;
    }
    let judge = ScopeJudge::of(context, &record.call.scope);
    let mut paths: Vec<String> = Vec::new();
    for path in complaints.iter().flat_map(|complaint| &complaint.paths) {
        if let Some(shown) = judge.out_of_scope(path)
            && !paths.contains(&shown)
        {
            paths.push(shown);
        }
    }
    // Only the plainest wording is a proof without a path.
    if paths.is_empty() && !complaints.iter().any(|complaint| complaint.is_certain) {
        return;
    }
    paths.truncate(MAX_PATHS);
    found
        .action
        .additional_context
        .push(ContextNote { key: NAME.into(), value: note(&paths, &record.call.scope) });
    let intent_id = match &record.call.scope {
        CallScope::Intent(id) => Some(id.as_str()),
        CallScope::Workspace | CallScope::Nothing => None,
    };
    let data = json!({"files": paths, "intentId": intent_id});
    found.action.emit_events.push(emitted(LineKind::WriteRefused, data));
}

/// Appends every string of a response.
fn collect(value: &Value, output: &mut String) {
    match value {
        Value::String(text) => {
            output.push_str(text);
            output.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, output)),
        Value::Object(fields) => fields.values().for_each(|value| collect(value, output)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn note(paths: &[String], scope: &CallScope) -> String {
    let what = if paths.is_empty() {
        "a write outside the scope".to_owned()
    } else {
        let paths: Vec<String> = paths.iter().map(|path| format!("`{path}`")).collect();
        format!("to write {}", paths.join(", "))
    };
    let first = paths.first().map_or("PATH", String::as_str);
    match scope {
        CallScope::Intent(id) => format!(
            "Confined: the kernel refused {what}: out of scope of {id}. Do not try another way. If the task needs it, \
             call request_scope_expansion with the path and a reason, or ask the user to run \
             `steersman intent expand {id} {first}`."
        ),
        CallScope::Workspace => format!(
            "Confined: the kernel refused {what}: commands may write only inside the workspace. Do not try another \
             way. If the task needs it, ask the user to do it."
        ),
        CallScope::Nothing => {
            format!("Confined: the kernel refused {what}: no intent is selected. Select an intent first.")
        }
    }
}

/// Judges which paths a confined call could not write.
struct ScopeJudge<'a> {
    context: &'a Context<'a>,
    folder: AbsPath,
    rules: Option<(Scope, Box<Intent>)>,
    is_workspace: bool,
}

impl<'a> ScopeJudge<'a> {
    fn of(context: &'a Context<'a>, scope: &CallScope) -> Self {
        let command = context.event.call().and_then(|call| call.command.as_ref());
        let folder = command.map(|command| modules::shell_guard::folder(context, command));
        let folder = folder.and_then(|folder| AbsPath::new(folder).ok());
        let intent = match scope {
            CallScope::Intent(id) => intents::intent_named(context, id),
            CallScope::Workspace | CallScope::Nothing => None,
        };
        let settings = context.config.typed::<IntentSettings>(IntentSettings::SECTION).unwrap_or_default();
        Self {
            context,
            folder: folder.unwrap_or_else(|| context.folder().clone()),
            rules: intent.map(|intent| (settings.scope(context.workspace), intent)),
            is_workspace: *scope == CallScope::Workspace,
        }
    }

    /// Returns a path as people read it, if it is out of scope.
    fn out_of_scope(&self, path: &str) -> Option<String> {
        let root = self.context.workspace.root();
        let path = path.strip_prefix("./").unwrap_or(path);
        let expanded = match (path.strip_prefix("~/"), self.context.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.folder.join(path),
        };
        let is_inside = match &self.rules {
            Some((scope, intent)) => {
                let text = expanded.to_string();
                let target = Target::new(&text, root, Access::Write, Reach::Itself);
                scope.check(&target, intent).is_ok()
            }
            None => {
                self.is_workspace
                    && expanded.as_path().starts_with(root.as_path())
                    && !is_governing(&expanded)
            }
        };
        let shown = || expanded.below(root).map_or_else(|_| expanded.to_string(), |path| path.to_string());
        (!is_inside).then(shown).filter(|shown| !shown.is_empty())
    }
}

fn is_governing(path: &AbsPath) -> bool {
    path.as_path().to_str().is_some_and(shell::guard::governs)
        || path.as_path().components().any(|part| part.as_os_str() == Path::new(".git").as_os_str())
}
