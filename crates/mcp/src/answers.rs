//! The results of the tools, independent of the transport.

use event::{Access, ToolCall, ToolKind, Touch};
use intent::{
    ChangeError, DeclinedRequest, ExpansionRequests, Gate, GateDecision, Intent, IntentId, IntentsFile,
    NO_INTENT, NO_INTENT_HINT, Selection, Summary, WorkspaceIntents, active_block, choice_block,
};
use modules::IntentSettings;
use serde_json::{Value, json};
use store::Workspace;

/// An error message for the model.
pub(crate) type Refusal = String;

/// The answer in a workspace without an intents file.
const UNGOVERNED: &str =
    "There are no intents in this workspace, so no write is restricted. Continue with the work.";

/// Selects an intent and returns its context block for the model.
pub(crate) fn select(workspace: &Workspace, id: &str) -> Result<(IntentId, String), Refusal> {
    let id = parse(id)?;
    match WorkspaceIntents::of(workspace).take_up(&id) {
        Ok(intent) => Ok((id, active_block(&intent))),
        Err(ChangeError::Missing) => Err(UNGOVERNED.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Lists every intent.
pub(crate) fn list(workspace: &Workspace, active: Option<&IntentId>) -> Result<Value, Refusal> {
    let Some(intents) = read(workspace)? else {
        return Ok(json!({"intents": [], "note": UNGOVERNED}));
    };
    let one = |intent: &Intent| {
        json!({
            "id": intent.id.as_str(),
            "name": intent.name,
            "description": intent.description,
            "status": intent.status.as_str(),
            "selectable": intent.status.can_be_selected(),
            "active": active == Some(&intent.id),
            "owned_scope": intent.owned_scope,
        })
    };
    Ok(json!({"intents": intents.intents.iter().map(one).collect::<Vec<_>>()}))
}

/// Returns the block about the active intent, or the list of intents to choose from.
pub(crate) fn current(workspace: &Workspace, active: Option<&IntentId>) -> Result<String, Refusal> {
    let Some(intents) = read(workspace)? else { return Ok(UNGOVERNED.to_owned()) };
    match active.map(|id| intents.selectable(id)) {
        Some(Ok(intent)) => Ok(active_block(intent)),
        Some(Err(why)) => Ok(format!("{why}\n{}", choices(&intents))),
        None => Ok(choices(&intents)),
    }
}

/// Returns for every path whether the intent may write it.
pub(crate) fn check(
    workspace: &Workspace,
    paths: &[String],
    named: Option<&str>,
    active: Option<&IntentId>,
) -> Result<Value, Refusal> {
    let Some(intents) = read(workspace)? else {
        return Ok(json!({"allowed": true, "note": UNGOVERNED}));
    };
    let id = named.map(parse).transpose()?.or_else(|| active.cloned());
    let intent =
        id.as_ref().map(|id| intents.selectable(id)).transpose().map_err(|error| error.to_string())?;
    let scope = IntentSettings::of(workspace).scope(workspace);
    let gate = Gate { scope: &scope, cwd: workspace.root() };
    let findings: Vec<Value> = paths.iter().map(|path| finding(path, &gate, intent)).collect();
    let allowed = findings.iter().all(|finding| finding["allowed"] == true);
    Ok(json!({"intent_id": id.as_ref().map(IntentId::as_str), "allowed": allowed, "paths": findings}))
}

/// Records a request for a wider scope and returns the next steps for the model.
pub(crate) fn request_expansion(
    workspace: &Workspace,
    pattern: &str,
    reason: &str,
    named: Option<&str>,
    active: Option<&IntentId>,
) -> Result<String, Refusal> {
    let Some(intents) = read(workspace)? else { return Err(UNGOVERNED.to_owned()) };
    let id = named.map(parse).transpose()?.or_else(|| active.cloned());
    let Some(id) = id else { return Err(format!("{NO_INTENT}\nhint: {NO_INTENT_HINT}")) };
    let intent = intents.selectable(&id).map_err(|error| error.to_string())?;
    if intent.owned_scope.iter().any(|it| it.as_str() == pattern) {
        return Ok(format!("{id} includes {pattern} already; continue."));
    }
    let requests = ExpansionRequests::of(workspace);
    let declined = requests.declined().map_err(|error| error.to_string())?;
    let answers = |no: &&DeclinedRequest| no.intent_id == id && no.pattern == pattern;
    if let Some(no) = declined.iter().find(answers) {
        return Err(format!(
            "a person declined {pattern} for {id} on {}; find a solution within the scope, or explain to the person why that is impossible",
            no.declined
        ));
    }
    workspace.make_tmp_dir().map_err(|error| format!("cannot record the request: {error}"))?;
    let kept = requests.add(&id, pattern, reason, store::now()).map_err(|error| match error {
        intent::RequestError::Pattern(bad) => format!("{}\nhint: {}", bad.what, bad.hint),
        error @ intent::RequestError::Journal(_) => error.to_string(),
    })?;
    Ok(format!(
        "Recorded as request {key}: {id} wants to write {}. Until a person accepts it with `steersman intent expand --accept {key}`, the file stays out of scope: continue with the work in scope, and tell the person.",
        kept.pattern,
        key = kept.key(),
    ))
}

/// Returns the workspace's selected intent, used until this connection selects one.
pub(crate) fn default_of(workspace: &Workspace) -> Option<IntentId> {
    Selection::read(workspace).ok().flatten().map(|selection| selection.intent_id)
}

fn parse(id: &str) -> Result<IntentId, Refusal> {
    IntentId::parse(id.trim()).map_err(|error| error.to_string())
}

fn read(workspace: &Workspace) -> Result<Option<IntentsFile>, Refusal> {
    WorkspaceIntents::of(workspace).read().map_err(|error| error.to_string())
}

fn choices(intents: &IntentsFile) -> String {
    let summary =
        |intent: &Intent| Summary { id: intent.id.clone(), name: intent.name.clone(), status: intent.status };
    choice_block(&intents.intents.iter().map(summary).collect::<Vec<_>>())
}

fn finding(path: &str, gate: &Gate<'_>, intent: Option<&Intent>) -> Value {
    let call = ToolCall {
        id: None,
        name: "check_scope".to_owned(),
        kind: ToolKind::Write,
        input: Value::Null,
        touches: vec![Touch { path: path.to_owned(), access: Access::Write }],
        command: None,
        content: None,
    };
    let refused = |message: String, hint: String| json!({"path": path, "allowed": false, "message": message, "hint": hint});
    match gate.judge(&call, None, intent).decision {
        GateDecision::Pass | GateDecision::UnknownWrites { .. } => json!({"path": path, "allowed": true}),
        GateDecision::NeedsIntent => refused(NO_INTENT.to_owned(), NO_INTENT_HINT.to_owned()),
        GateDecision::Violations(all) => all
            .first()
            .map_or_else(|| json!({"path": path, "allowed": true}), |it| refused(it.message(), it.hint())),
    }
}
