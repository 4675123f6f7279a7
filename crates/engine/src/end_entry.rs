//! The journal entries that end an attempt, and those that end a pending run which must not start.

use std::hash::{BuildHasher, RandomState};

use automation::queue::{Entry, Run};
use automation::{Automation, ExecutionFault, ExecutionId, Occurrence, State};
use store::Timestamp;

use crate::automation_set::AutomationSet;
use crate::ending::Ending;

/// Returns the entry for the end of an attempt.
///
/// Timeouts and cancellations are final. A failure is retried while the policy has retries left
/// and the user has not cancelled the run.
pub(crate) fn of_attempt(
    run: &Run,
    automation: Option<&Automation>,
    ending: Ending,
    now: Timestamp,
) -> Entry {
    let nth_retry = run.attempts;
    let pause = automation
        .filter(|_| ending.is_retryable() && !run.cancel_asked)
        .and_then(|automation| automation.retry.pause(nth_retry, random()));
    if let (Some(pause), Ending::Failure { code, message, .. }) = (pause, &ending) {
        let millis = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        return Entry::Failed {
            run: run.queued.id.clone(),
            error: ExecutionFault { code: (*code).to_owned(), message: message.clone() },
            retry_at: Timestamp::from_millis(now.as_millis().saturating_add(millis)),
        };
    }
    let (state, exit_code, logs, error) = match ending {
        Ending::Success { exit_code, logs } => (State::Success, exit_code, logs, None),
        Ending::Failure { code, message, exit_code, logs } => {
            (State::Failure, exit_code, logs, Some(ExecutionFault { code: code.to_owned(), message }))
        }
        Ending::Timeout { logs } => {
            let after = automation.map(|it| it.timeout.as_millis()).unwrap_or_default();
            let message = format!("the run was stopped after its timeout of {after} ms");
            (State::Timeout, None, logs, Some(ExecutionFault { code: "TIMEOUT".to_owned(), message }))
        }
        Ending::Skipped { code, message, logs } => {
            (State::Canceled, None, logs, Some(ExecutionFault { code: code.to_owned(), message }))
        }
        Ending::Stopped { logs } => (State::Canceled, None, logs, run.restarted_by.as_ref().map(restarted)),
    };
    let mut record = run.record(state);
    record.end_ts = Some(now.to_string());
    record.exit_code = exit_code;
    record.error = error;
    record.logs = Some(logs).filter(|logs| !logs.is_empty());
    Entry::Finished { record: Box::new(record) }
}

/// Returns why a run was stopped for a later one.
pub(crate) fn restarted(by: &ExecutionId) -> ExecutionFault {
    ExecutionFault { code: "RESTARTED".to_owned(), message: format!("a later event restarted it as {by}") }
}

/// Returns the entry that ends a pending run which must not start any more. Returns `None` if it
/// may start.
pub(crate) fn of_obsolete(run: &Run, automations: &AutomationSet, now: Timestamp) -> Option<Entry> {
    let ending = obsolete(run, automations)?;
    Some(of_attempt(run, None, ending, now))
}

fn obsolete(run: &Run, automations: &AutomationSet) -> Option<Ending> {
    if run.cancel_asked {
        return Some(Ending::Stopped { logs: String::new() });
    }
    if let Some(hook) = &run.broken_by {
        let message = format!("`{hook}`, which it depends on, did not succeed");
        return Some(Ending::skipped("DEPENDENCY_FAILED", message));
    }
    let Some(loaded) = automations.get(&run.queued.hook) else {
        return Some(Ending::failure("NO_SUCH_HOOK", "the automation is not in the configuration any more"));
    };
    let is_by_hand = || run.queued.occurrence.kind.to_string() == Occurrence::MANUAL;
    if !loaded.automation.enabled && !is_by_hand() {
        return Some(Ending::failure(
            "HOOK_DISABLED",
            "the automation was turned off before the run started",
        ));
    }
    // Another process may have queued the run without checking its chain.
    let refusal = run.queued.occurrence.chain.check(&run.queued.hook).err().filter(|_| run.attempts == 0)?;
    Some(Ending::failure("CHAIN_REFUSED", refusal.to_string()))
}

/// Returns a number from 0 to 1, from the random keys of the standard library's hasher.
fn random() -> f64 {
    let bits = RandomState::new().hash_one(0) >> 40;
    f64::from(u32::try_from(bits).unwrap_or(0)) / f64::from(1_u32 << 24)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_numbers_fill_the_unit() {
        let numbers: Vec<f64> = (0..1000).map(|_| random()).collect();
        assert!(numbers.iter().all(|number| (0.0..1.0).contains(number)));
        assert!(numbers.iter().any(|number| *number < 0.2) && numbers.iter().any(|number| *number > 0.8));
    }
}
