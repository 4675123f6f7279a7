//! `steersman intent check PATH… [--intent ID | --session ID] [--json]`
//!
//! With `--json`: `{"intent": ID or null, "by": "argument", "session", "workspace" or null, "governed": bool,
//! "allowed": bool, "paths": [{"path", "allowed", "message", "hint"}]}`; `message` is the denial an agent
//! would get, `by` the origin of the intent.

use event::{Access, ToolCall, ToolKind, Touch};
use intent::{Gate, GateDecision, Intent, IntentId, NO_INTENT, NO_INTENT_HINT, WorkspaceIntents};
use modules::IntentSettings;
use serde_json::{Value, json};

use super::effective_intent::EffectiveIntent;
use super::error_output;
use super::show::id;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::paint::{BAD, GOOD, paint};
use crate::output::{self, print, text};

/// Check whether an agent may write these files
///
/// Uses the same gate as tool calls, including links, `..`, `.intentignore` and protected files. Exits with 0
/// if the agent may write all paths, with 1 otherwise.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The files or folders, as an agent would name them
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    /// The intent [default: the selected intent of this workspace]
    #[arg(long, value_name = "ID", value_parser = id, conflicts_with = "session")]
    intent: Option<IntentId>,
    /// Check for this session, which may have selected its own intent; accepts the first characters of an id
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Print JSON: {"intent", "by", "governed", "allowed", "paths": [{path, allowed, message, hint}]}
    #[arg(long)]
    json: bool,
}

/// The gate's answer for one path.
struct Finding {
    path: String,
    /// The message and the hint, if the write would be denied.
    refusal: Option<(String, String)>,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let governed = WorkspaceIntents::of(&place.workspace).file().as_path().exists();
    if !governed {
        return ungoverned(args);
    }
    let intents = match error_output::read(place)? {
        Ok(intents) => intents,
        Err(exit) => return Ok(exit),
    };
    let Some(effective) = EffectiveIntent::find(args.intent.as_ref(), args.session.as_deref(), place)? else {
        return Ok(Exit::No);
    };
    let id = effective.id();
    let intent = match id.map(|id| intents.selectable(id)).transpose() {
        Ok(intent) => intent,
        Err(error) => {
            output::error(&error.to_string());
            return Ok(Exit::No);
        }
    };
    let findings = judge(&args.paths, intent, place);
    let allowed = findings.iter().all(|finding| finding.refusal.is_none());
    if args.json {
        let paths: Vec<Value> = findings.iter().map(to_json).collect();
        let id = intent.map(|intent| intent.id.as_str());
        let by = effective.by();
        output::json(&json!({"intent": id, "by": by, "governed": true, "allowed": allowed, "paths": paths}))?;
    } else {
        effective.print(intent.map(|intent| intent.name.as_str()), place)?;
        findings.iter().for_each(draw);
    }
    Ok(if allowed { Exit::Fine } else { Exit::No })
}

fn ungoverned(args: &Args) -> anyhow::Result<Exit> {
    if args.json {
        let paths: Vec<Value> =
            args.paths.iter().map(|path| json!({"path": path, "allowed": true})).collect();
        output::json(
            &json!({"intent": null, "by": null, "governed": false, "allowed": true, "paths": paths}),
        )?;
    } else {
        output::note("no intents here, so agents may write anywhere");
        output::hint(error_output::BEGIN);
    }
    Ok(Exit::Fine)
}

fn judge(paths: &[String], intent: Option<&Intent>, place: &Place) -> Vec<Finding> {
    let scope = IntentSettings::of(&place.workspace).scope(&place.workspace);
    // Outside the workspace, treat a relative path as relative to the workspace.
    let root = place.workspace.root();
    let cwd = if place.folder.below(root).is_ok() { &place.folder } else { root };
    let gate = Gate { scope: &scope, cwd };
    let one = |path: &String| {
        let call = ToolCall {
            id: None,
            name: "intent check".to_owned(),
            kind: ToolKind::Write,
            input: Value::Null,
            touches: vec![Touch { path: path.clone(), access: Access::Write }],
            command: None,
            content: None,
        };
        let refusal = match gate.judge(&call, None, intent).decision {
            GateDecision::Pass | GateDecision::UnknownWrites { .. } => None,
            GateDecision::NeedsIntent => Some((NO_INTENT.to_owned(), NO_INTENT_HINT.to_owned())),
            GateDecision::Violations(all) => all.first().map(|first| (first.message(), first.hint())),
        };
        Finding { path: path.clone(), refusal }
    };
    paths.iter().map(one).collect()
}

fn to_json(finding: &Finding) -> Value {
    match &finding.refusal {
        None => json!({"path": finding.path, "allowed": true}),
        Some((message, hint)) => {
            json!({"path": finding.path, "allowed": false, "message": message, "hint": hint})
        }
    }
}

fn draw(finding: &Finding) {
    let path = text::one_line(&finding.path);
    match &finding.refusal {
        None => print(format_args!("{} {path}", paint(GOOD, "✓"))),
        Some((message, hint)) => {
            print(format_args!("{} {path}", paint(BAD, "✗")));
            output::prose(format_args!("  {}", text::one_line(message)));
            output::prose(format_args!("  hint: {}", text::one_line(hint)));
        }
    }
}
