//! The state of the server's thread for the page and the metrics.

use std::collections::HashMap;
use std::sync::Arc;

use automation::queue::{Run, Stage};
use automation::{AutomationId, Configuration};
use engine::AutomationSet;
use page::view::{AutomationRow, OpenRun};

use super::Server;
use crate::web::Snapshot;

/// How many open runs the page lists.
const MAX_RUNS: usize = 200;

impl Server<'_> {
    pub(super) fn update_snapshot(&self) {
        let queue = self.engine.queue_state();
        let paused = self.configuration.automations().filter_map(|it| Some((&it.id, queue.paused(&it.id)?)));
        // Running runs first.
        let running = queue.running();
        let pending = queue.open().filter(|run| run.is_pending());
        self.snapshots.set(Snapshot {
            metrics: self.engine.metrics().to_prometheus(),
            automations: Arc::clone(&self.rows),
            paused: paused.map(|(id, why)| (id.to_string(), why.to_owned())).collect(),
            runs: running.chain(pending).take(MAX_RUNS).map(open_run).collect(),
            file_problems: self.file_problems.clone(),
            objection: self.objection.clone(),
        });
    }
}

/// Returns the automations as the page shows them. WHY apart: the server updates the page at every step, but the
/// automations change rarely, and there may be a thousand.
pub(super) fn rows(configuration: &Configuration, set: &AutomationSet) -> Arc<Vec<AutomationRow>> {
    let impeded: HashMap<&AutomationId, String> =
        set.impeded().map(|(it, why)| (&it.id, format!("{}; {}", why.message, why.hint))).collect();
    let row = |automation: &automation::Automation| AutomationRow {
        id: automation.id.to_string(),
        label: automation.label().to_owned(),
        trigger: automation.trigger.to_string(),
        action: automation.action.word().to_owned(),
        enabled: automation.enabled,
        impediment: impeded.get(&automation.id).cloned(),
        paused: None,
        n_runs: 0,
        last_run: None,
        latest: Vec::new(),
    };
    Arc::new(configuration.automations().map(row).collect())
}

fn open_run(run: &Run) -> OpenRun {
    let (status, since) = match run.stage {
        Stage::Running { since, .. } => ("running", since),
        Stage::Pending { .. } if run.attempts > 0 => ("retrying", run.queued_at),
        Stage::Pending { .. } => ("queued", run.queued_at),
    };
    OpenRun {
        id: run.queued.id.to_string(),
        hook_id: run.queued.hook.to_string(),
        status: if run.cancel_asked { "canceling" } else { status }.to_owned(),
        since: since.as_millis(),
        attempts: run.attempts,
        trigger: run.queued.occurrence.kind.to_string(),
        file: run.queued.occurrence.shown_file(),
    }
}
