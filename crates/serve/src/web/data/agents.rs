//! Fills the page about agents.

use agent::registry::Snapshot;
use page::view::{AgentRow, Agents, WorkflowRun, WorkflowStep};
use serde_json::Value;

use workflow::{RunRecord, RunResult, RunSummary};

use super::super::Web;
use crate::registry_file;

/// How many runs of workflows are shown.
const MAX_RUNS: usize = 10;

/// Returns the agents of the registry that the server keeps.
pub(in crate::web) fn agents(web: &Web) -> Agents {
    let now = store::now();
    let snapshot = Snapshot::of(&registry_file::read(&web.workspace), now);
    let row = |it: agent::registry::EntryRecord| {
        let field = |name: &str| it.schema.as_ref().and_then(|schema| schema.get(name)).cloned();
        let tools = field("tools").and_then(|it| it.as_array().cloned());
        AgentRow {
            tools: tools.map(|all| all.iter().filter_map(Value::as_str).map(str::to_owned).collect()),
            model: field("model").and_then(|it| it.as_str().map(str::to_owned)),
            source: it.source_path.or(it.extension_id).unwrap_or(it.source),
            id: it.id,
            name: it.display_name,
            description: it.description,
            available: it.available,
            unavailable_reason: it.unavailable_reason,
        }
    };
    Agents {
        ts: now.as_millis(),
        agents: snapshot.agents.into_iter().map(row).collect(),
        runs: workflow::runs(&web.workspace).iter().take(MAX_RUNS).map(workflow_run).collect(),
    }
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
