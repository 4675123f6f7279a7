//! Checks and accepts the plan of a planning agent.

use std::time::UNIX_EPOCH;

use event::{AbsPath, AgentId, LineKind, Phase};
use plan::{PlanGraph, checked_graph, checked_manifest};
use serde_json::{Value, json};
use session::{Artifact, Emitted, patch_of_core};

use super::plan_folder::PlanFolder;
use crate::{Action, Context};

/// A valid plan.
pub(super) struct Accepted {
    graph: PlanGraph,
    graph_file: AbsPath,
    manifest_file: AbsPath,
    graph_hash: String,
    manifest_hash: String,
    summary: Option<String>,
    agent: AgentId,
    source: plan::PlanFile,
}

/// Reads both files, or returns all their problems.
pub(super) fn check(context: &Context<'_>, plan_folder: &PlanFolder) -> Result<Accepted, Vec<String>> {
    let folder = &plan_folder.folder;
    let mut problems = Vec::new();
    let (graph_file, manifest_file) = (folder.child("planGraph.json"), folder.child("manifest.json"));
    let mut read = |path: &AbsPath| match plan::read(context.workspace, path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            problems.push(format!("`{path}` does not exist"));
            None
        }
        Err(error) => {
            problems.push(format!("cannot read `{path}`: {error}"));
            None
        }
    };
    let source = plan::PlanFile::of(&graph_file);
    let (graph_text, manifest_text) = (read(&graph_file), read(&manifest_file));
    let mut keep = |errors: Vec<store::FileError>| problems.extend(errors.iter().map(ToString::to_string));
    let graph = graph_text.as_deref().map(|text| checked_graph(graph_file.as_path(), text));
    let graph = graph.and_then(|checked| checked.map_err(&mut keep).ok());
    let manifest = manifest_text.as_deref().map(|text| checked_manifest(manifest_file.as_path(), text));
    let manifest = manifest.and_then(|checked| checked.map_err(&mut keep).ok());
    if let Some(manifest) = &manifest {
        let named = [folder.join(&manifest.plan_graph), context.workspace.root().join(&manifest.plan_graph)];
        if !named.contains(&graph_file) {
            problems
                .push(format!("`{manifest_file}`: `planGraph` must be `planGraph.json`, the file beside it"));
        }
        if manifest.agent_id != plan_folder.agent.to_string() {
            problems.push(format!("`{manifest_file}`: `agentId` must be `{}`", plan_folder.agent));
        }
    }
    let hash = |text: &[u8]| store::fingerprint([text]).short();
    match (graph, manifest, graph_text, manifest_text) {
        (Some(graph), Some(manifest), Some(graph_text), Some(manifest_text)) if problems.is_empty() => {
            Ok(Accepted {
                graph,
                graph_file,
                manifest_file,
                graph_hash: hash(&graph_text),
                manifest_hash: hash(&manifest_text),
                summary: manifest.summary,
                agent: plan_folder.agent,
                source,
            })
        }
        _ => Err(problems),
    }
}

/// Puts a plan in force: sets the state's pointers, registers both files and moves the work to EXECUTING.
pub(super) fn accept(context: &Context<'_>, plan: &Accepted) -> Action {
    let root = context.workspace.root();
    // Cached now, so that the first call need not read all of a large plan.
    if let Some(user_state) = context.user_state {
        plan.source.cache(&plan.graph_file, &plan.graph, &context.workspace.plan_cache_dir(user_state));
    }
    let shown = |path: &AbsPath| {
        path.below(root).map_or_else(|_| path.to_string(), |below| below.as_str().to_owned())
    };
    let path = shown(&plan.graph_file);
    let core = &context.state.core;
    let from = core.phase();
    // A corrected plan lifts a block; one that arrives after the end of the turn restarts the work.
    let revision = core.phase_revision + u64::from(matches!(from, Phase::Blocked | Phase::Complete));
    let mut state_patch = patch_of_core([
        ("workId", Value::from(context.ids.work.to_string())),
        ("phase", Value::from(Phase::Executing.as_str())),
        ("phaseRevision", Value::from(revision)),
    ]);
    let pointers = json!({
        "currentPath": path, "hash": plan.graph_hash, "mtime": modified(&plan.graph_file),
        "agentId": plan.agent.to_string(), "nodes": null, "draft": null,
    });
    state_patch.insert("plan".to_owned(), pointers);
    let accepted = json!({"path": path, "hash": plan.graph_hash, "nodes": plan.graph.nodes.len()});
    let mut emit_events = vec![Emitted { kind: LineKind::PlanAccepted.name().into(), data: accepted }];
    if from != Phase::Executing {
        let data =
            json!({"from": from.as_str(), "to": Phase::Executing.as_str(), "why": "a plan was accepted"});
        emit_events.push(Emitted { kind: LineKind::PhaseChange.name().into(), data });
    }
    let artifact = |kind: &str, path: &AbsPath, hash: &str, description: Option<String>| Artifact {
        kind: kind.into(),
        path: shown(path),
        hash: Some(hash.to_owned()),
        description,
    };
    let register_artifacts = vec![
        artifact("planGraph", &plan.graph_file, &plan.graph_hash, plan.summary.clone()),
        artifact("planManifest", &plan.manifest_file, &plan.manifest_hash, None),
    ];
    Action { state_patch, emit_events, register_artifacts, ..Action::default() }
}

fn modified(path: &AbsPath) -> Option<u64> {
    let time = std::fs::metadata(path.as_path()).ok()?.modified().ok()?;
    u64::try_from(time.duration_since(UNIX_EPOCH).ok()?.as_millis()).ok()
}
