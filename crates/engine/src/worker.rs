//! The thread of one try: from VALIDATING over REPLACING and EXECUTING to its end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;

use automation::queue::Run;
use automation::{ExecutionId, Output, State};
use runner::Cancel;

use crate::bench::Bench;
use crate::ending::Ending;
use crate::roster::Member;
use crate::settings::Settings;
use crate::work;

/// What a try tells its engine.
#[derive(Debug)]
pub enum Report {
    /// It reached a step.
    Entered(ExecutionId, State),
    /// It printed something; secrets are taken out.
    Printed(ExecutionId, Output, String),
    /// It ended.
    Over(ExecutionId, Ending),
}

/// Where reports go.
pub(crate) type ReportTo = Arc<dyn Fn(Report) + Send + Sync>;

/// Everything a try needs to know.
pub(crate) struct Job {
    pub(crate) settings: Arc<Settings>,
    pub(crate) member: Arc<Member>,
    pub(crate) run: Run,
    pub(crate) cancel: Cancel,
}

/// Starts a try on a thread of its own. If there can be no thread, the try has failed.
pub(crate) fn start(job: Job, report_to: &ReportTo) {
    let id = job.run.queued.id.clone();
    let to = Arc::clone(report_to);
    let started = thread::Builder::new().name(format!("run {id}")).spawn(move || {
        let id = job.run.queued.id.clone();
        let ending = catch_unwind(AssertUnwindSafe(|| work(&job, &to)));
        // A fault of ours must not take the run with it: it would be lost until the next start.
        let ending =
            ending.unwrap_or_else(|_| Ending::failure("FAULT", "steersman itself failed; this is a bug"));
        to(Report::Over(id, ending));
    });
    if let Err(error) = started {
        report_to(Report::Over(
            id,
            Ending::failure("START_FAILED", format!("cannot make a thread: {error}")),
        ));
    }
}

fn work(job: &Job, to: &ReportTo) -> Ending {
    let show = |output, text| to(Report::Printed(job.run.queued.id.clone(), output, text));
    let bench = match Bench::new(&job.settings, &job.member, &job.run, &job.cancel, &show) {
        Ok(bench) => bench,
        Err(ending) => return ending,
    };
    let enter = |state| to(Report::Entered(job.run.queued.id.clone(), state));
    work::perform(&bench, &enter).unwrap_or_else(|ending| ending).with(&bench.warnings())
}
