//! The state of the server's thread for the page and the metrics.

use std::sync::Arc;
use std::time::{Duration, Instant};

use automation::queue::{Run, Stage};
use automation::{Action, Automation, Trigger, WorkspaceSettings};
use engine::{ImpedimentSearch, Settings};
use page::view::{AutomationRow, OpenRun};
use redact::Filter;

use super::Server;
use crate::web::Snapshot;

/// How many open runs the page lists.
const MAX_RUNS: usize = 200;
/// How often the server looks for the programs of automations: installing one changes no watched file.
const MACHINE_CHECK_EVERY: Duration = Duration::from_secs(30);

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

    /// Updates the automations for the page. WHY not with the snapshot: the server updates that at every step, but the
    /// automations change rarely, and there may be a thousand.
    pub(super) fn update_rows(&mut self) {
        let mut settings = self.setup.settings.clone();
        settings.set_automation(WorkspaceSettings::of(&self.files));
        let search = ImpedimentSearch::new(&settings);
        let row = |automation: &Automation| AutomationRow {
            id: automation.id.to_string(),
            label: automation.label().to_owned(),
            trigger: automation.trigger.to_string(),
            pattern: pattern(automation),
            action: does(automation).to_owned(),
            enabled: automation.enabled,
            impediment: automation.enabled.then(|| impediment(automation, &search, &settings)).flatten(),
            paused: None,
            n_runs: 0,
            last_run: None,
            latest: Vec::new(),
        };
        self.rows = Arc::new(self.configuration.automations().map(row).collect());
        self.rows_updated = Instant::now();
    }

    /// Does the same if the last update is too old.
    pub(super) fn update_rows_if_due(&mut self, moment: Instant) {
        if self.rows_updated + MACHINE_CHECK_EVERY <= moment {
            self.update_rows();
        }
    }
}

/// Returns why an automation cannot run, with a hint and without secrets. Returns `None` if it can.
fn impediment(automation: &Automation, search: &ImpedimentSearch<'_>, settings: &Settings) -> Option<String> {
    let why = search.of(automation)?;
    let known = settings.environment.secret_patterns();
    // The loader has checked the patterns.
    let filter = Filter::with_patterns(automation.secret_patterns.iter().chain(&known)).unwrap_or_default();
    Some(format!("{}; {}", filter.redact(&why.message).as_str(), why.hint))
}

/// Returns the files or the times of a trigger, without secrets. Returns `None` if it has neither.
fn pattern(automation: &Automation) -> Option<String> {
    let text = match (automation.trigger.pattern(), &automation.trigger) {
        (Some(pattern), _) => pattern.to_string(),
        (None, Trigger::Schedule { schedule }) => schedule.to_string(),
        (None, _) => return None,
    };
    Some(Filter::default().redact(&text).as_str().to_owned())
}

/// Returns what an automation runs. What a prompt does depends on the program that gets it.
fn does(automation: &Automation) -> &str {
    match (&automation.action, &automation.runner) {
        (Action::Prompt { .. }, Some(runner)) => runner.word(),
        (action, _) => action.word(),
    }
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
