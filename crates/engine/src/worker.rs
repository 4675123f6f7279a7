//! The thread of one attempt, through the states VALIDATING, REPLACING and EXECUTING to its end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use automation::queue::Run;
use automation::{ExecutionId, OutputStream, State};
use runner::Cancel;

use crate::action;
use crate::attempt::Attempt;
use crate::automation_set::LoadedAutomation;
use crate::ending::Ending;
use crate::settings::Settings;

/// A message from an attempt to its engine.
#[derive(Debug)]
pub enum Report {
    /// The attempt entered a state.
    Entered(ExecutionId, State),
    /// A program printed this redacted text.
    Printed(ExecutionId, OutputStream, String),
    /// The attempt ended.
    Ended(ExecutionId, Ending),
}

/// Receives the reports.
pub(crate) type ReportTo = Arc<dyn Fn(Report) + Send + Sync>;

/// The inputs of an attempt.
pub(crate) struct Job {
    pub(crate) settings: Arc<Settings>,
    pub(crate) loaded: Arc<LoadedAutomation>,
    pub(crate) run: Run,
    pub(crate) cancel: Cancel,
}

/// Starts an attempt on its own thread. The attempt fails if the system cannot create the thread.
pub(crate) fn start(job: Job, report_to: &ReportTo) {
    let id = job.run.queued.id.clone();
    let to = Arc::clone(report_to);
    let started = thread::Builder::new().name(format!("run {id}")).spawn(move || {
        let id = job.run.queued.id.clone();
        let ending = catch_unwind(AssertUnwindSafe(|| work(&job, &to)));
        // Without the report after a panic, the run would stay open until the next start.
        let ending =
            ending.unwrap_or_else(|_| Ending::failure("FAULT", "steersman itself failed; this is a bug"));
        to(Report::Ended(id, ending));
    });
    if let Err(error) = started {
        report_to(Report::Ended(
            id,
            Ending::failure("START_FAILED", format!("cannot create a thread: {error}")),
        ));
    }
}

fn work(job: &Job, to: &ReportTo) -> Ending {
    let show = |output, text| to(Report::Printed(job.run.queued.id.clone(), output, text));
    let attempt = match Attempt::new(&job.settings, &job.loaded, &job.run, &job.cancel, &show) {
        Ok(attempt) => attempt,
        Err(ending) => return ending,
    };
    let enter = |state| to(Report::Entered(job.run.queued.id.clone(), state));
    action::perform(&attempt, &enter).unwrap_or_else(|ending| ending).with(&attempt.warnings())
}
