//! Fills the page about agents.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use agent::registry::{self, EntryRecord, Snapshot, Unavailable};
use agent::{Definition, ToolNames};
use page::view::{AgentRow, Agents, ToolPolicy, WorkflowRun, WorkflowStep};
use workflow::{RunRecord, RunResult, RunSummary};

use super::super::Web;
use crate::registry_file;

/// How many runs of workflows are shown.
const MAX_RUNS: usize = 10;

/// Returns the agents of the registry that the server keeps.
pub(in crate::web) fn agents(web: &Web) -> Agents {
    let now = store::now();
    let snapshot = Snapshot::of(&registry_file::read(&web.workspace), now);
    let root = web.workspace.root().as_path();
    let definitions = definitions(root);
    let row = |it: EntryRecord| {
        let definition = it.source_path.as_deref().and_then(|path| definitions.get(Path::new(path)));
        AgentRow {
            tools: definition.map(|it| tool_policy(&it.tools)),
            model: definition.and_then(model),
            source: it.source_path.map(|path| shown(root, &path)).or(it.extension_id).unwrap_or(it.source),
            id: it.id,
            name: it.display_name,
            description: it.description,
            available: it.available,
            unavailable: it.unavailable_reason.as_deref().and_then(unavailable),
            unavailable_reason: it.unavailable_reason,
        }
    };
    Agents {
        ts: now.as_millis(),
        agents: snapshot.agents.into_iter().map(row).collect(),
        runs: workflow::runs(&web.workspace).iter().take(MAX_RUNS).map(workflow_run).collect(),
    }
}

/// Returns a path as people name it: relative, if it is in the workspace.
fn shown(root: &Path, path: &str) -> String {
    Path::new(path)
        .strip_prefix(root)
        .map_or_else(|_| path.to_owned(), |it| it.to_string_lossy().into_owned())
}

/// Returns why an agent is unavailable, and what to do. Returns `None` for an unknown reason.
fn unavailable(reason: &str) -> Option<String> {
    let reason = Unavailable::ALL.into_iter().find(|it| it.as_str() == reason)?;
    let advice = match reason {
        Unavailable::FileDeleted => "restore it",
        Unavailable::ExtensionUninstalled => "install it again",
        Unavailable::CliNotInstalled => "install it",
        Unavailable::InvalidSchema => "run `steersman agent validate`",
        Unavailable::Unknown => "run `steersman doctor`",
    };
    Some(format!("{}; {advice}", reason.sentence()))
}

/// Returns the agents of the workspace's files by path. The registry on disk has neither tools nor models.
fn definitions(workspace: &Path) -> HashMap<PathBuf, Definition> {
    let config = registry::project_config(workspace).config.unwrap_or_default();
    let files = registry::agent_files(workspace, &config.directory, &|| false);
    // The names only decide which tools a warning calls unknown.
    let loaded = registry::load_files(&files, &ToolNames::new(config.custom_tools));
    let documents = files.into_iter().zip(loaded);
    documents.filter_map(|(file, loaded)| Some((file.path, loaded.document?.definition))).collect()
}

fn tool_policy(tools: &agent::Tools) -> ToolPolicy {
    let filter = &tools.bash_filter;
    ToolPolicy {
        allowed: tools.allowed.clone(),
        blocked: tools.blocked.clone(),
        commands: filter.allowed_commands.clone(),
        blocked_commands: filter.blocked_patterns.iter().map(|it| it.as_str().to_owned()).collect(),
    }
}

/// Returns the model that the file names: of the program that runs it, or for the host that reads the file.
fn model(definition: &Definition) -> Option<String> {
    let of_provider = definition.provider.as_ref().and_then(|it| it.model.clone());
    of_provider.or_else(|| definition.metadata.get("model")?.as_str().map(str::to_owned))
}

fn workflow_run(run: &RunSummary) -> WorkflowRun {
    let mut steps: Vec<WorkflowStep> = Vec::new();
    let mut why = None;
    for line in &run.records {
        match &line.record {
            RunRecord::StepStarted { agent, because, .. } => steps.push(WorkflowStep {
                agent: agent.clone(),
                because: because.clone(),
                outcome: "open".to_owned(),
                ms: None,
            }),
            RunRecord::StepEnded { outcome, ms, .. } => {
                if let Some(step) = steps.last_mut() {
                    outcome.as_str().clone_into(&mut step.outcome);
                    step.ms = Some(*ms);
                }
            }
            RunRecord::RunEnded { reason, .. } => why.clone_from(reason),
            RunRecord::RunStarted { .. } | RunRecord::RunResumed { .. } => {}
        }
    }
    let result = match run.result {
        Some(RunResult::Complete) => "complete",
        Some(RunResult::Failed) => "failed",
        Some(RunResult::Interrupted) => "interrupted",
        None => "open",
    };
    WorkflowRun {
        id: run.id.as_str().to_owned(),
        task: run.task.clone(),
        started: run.started.as_millis(),
        result: result.to_owned(),
        reason: why,
        steps,
    }
}
