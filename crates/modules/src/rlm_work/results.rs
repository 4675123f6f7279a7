//! Registers the results of a subagent when it stops.

use std::fs;
use std::path::Path;

use event::{AbsPath, Decision, LineKind};
use serde_json::json;
use session::{Artifact, Emitted};
use store::{Workspace, fingerprint};

use super::{NAME, Settings, feature, packet, policy, role};
use crate::{Action, Context, ModuleFailure};

/// The deepest level below its folder at which a subagent's files are found.
const DEPTH: usize = 4;

/// Larger files are registered without a hash.
const HASHED_BYTES: u64 = 1024 * 1024;

/// A result file of a subagent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Left {
    /// Relative to the workspace.
    pub path: String,
    /// Relative to the subagent's folder.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    file: AbsPath,
}

/// Registers the files of a stopping subagent. Keeps it running if a required file is missing.
pub(super) fn register(context: &Context<'_>, kept_going: bool) -> Result<Action, ModuleFailure> {
    let (settings, mut warnings) = Settings::read(context);
    let role = role(context);
    if settings.skips(role) {
        return Ok(Action { warnings, ..Action::default() });
    }
    let expected = match policy(context) {
        Ok(policy) => policy.unwrap_or_default().output,
        Err(disabled) => return Ok(*disabled),
    };
    let folder = feature(context)?.of_subagent(role, context.ids.agent);
    let left = left_in(context.workspace, &folder, settings.max_files);
    let is_there = |name: &String| left.iter().any(|file| file.name == *name && file.bytes > 0);
    let missing: Vec<_> = expected.expects.iter().filter(|name| !is_there(name)).collect();
    let agent = context.ids.agent.to_string();
    let shown = session::shown_path(context.workspace.root(), &folder.to_string());
    if !missing.is_empty() {
        let names: Vec<_> = missing.iter().map(|name| format!("`{name}`")).collect();
        let what = format!("Subagent {agent} has not written {} into `{shown}/`", names.join(", "));
        if expected.required && !kept_going {
            let reason = format!(
                "{what}, which rlm-policy.json requires. Instead: write it there, even if it only says what could \
                 not be found, then stop."
            );
            return Ok(Action { decision: Decision::Deny { reason }, warnings, ..Action::default() });
        }
        warnings.push(format!("{what}."));
    }
    let data = json!({
        "agentId": agent, "output": shown, "files": left.len(), "missing": missing,
        "bytes": left.iter().map(|file| file.bytes).sum::<u64>(),
    });
    let done = json!({"output": shown, "doneTs": context.ids.run.at_ms, "told": null});
    Ok(Action {
        register_artifacts: left.iter().map(artifact).collect(),
        state_patch: packet::patch_of(&agent, &done),
        emit_events: vec![Emitted { kind: LineKind::RlmResult.name().into(), data }],
        warnings,
        ..Action::default()
    })
}

/// Returns the files below a subagent's folder, by name, except links and the packet.
pub(super) fn left_in(workspace: &Workspace, folder: &AbsPath, at_most: usize) -> Vec<Left> {
    let mut found = Vec::new();
    if workspace.check_way_to(folder).is_ok() {
        collect(folder, workspace.root(), folder, DEPTH, &mut found, at_most);
    }
    found.sort_by(|one, other| one.name.cmp(&other.name));
    found
}

fn collect(
    base: &AbsPath,
    root: &AbsPath,
    folder: &AbsPath,
    depth: usize,
    found: &mut Vec<Left>,
    at_most: usize,
) {
    let Ok(entries) = fs::read_dir(folder.as_path()) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let path = folder.join(Path::new(&entry.file_name()));
        if kind.is_dir() && depth > 1 {
            collect(base, root, &path, depth - 1, found, at_most);
        }
        let (Ok(name), Ok(shown)) = (path.below(base), path.below(root)) else { continue };
        if !kind.is_file() || name.as_str() == packet::FILE || found.len() >= at_most {
            continue;
        }
        let bytes = entry.metadata().map_or(0, |meta| meta.len());
        found.push(Left { path: shown.to_string(), name: name.to_string(), bytes, file: path });
    }
}

fn artifact(left: &Left) -> Artifact {
    let content = (left.bytes <= HASHED_BYTES).then(|| fs::read(left.file.as_path()).ok()).flatten();
    Artifact {
        kind: NAME.into(),
        path: left.path.clone(),
        hash: content.map(|content| fingerprint([content.as_slice()]).short()),
        description: None,
    }
}
