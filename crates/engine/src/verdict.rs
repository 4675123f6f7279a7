//! What is written down when a try has ended: done, failed for good, or once more.

use std::hash::{BuildHasher, RandomState};

use automation::queue::{Entry, Run};
use automation::{Automation, ExecutionFault, State};
use store::Timestamp;

use crate::ending::Ending;

/// Returns the entry for the end of a try.
///
/// A timeout and a cancel are final; a failure is tried again while the policy has tries left
/// and nobody wants the run stopped.
pub(crate) fn entry_for(run: &Run, automation: Option<&Automation>, ending: Ending, now: Timestamp) -> Entry {
    let nth_retry = run.attempts;
    let pause = automation
        .filter(|_| ending.may_be_tried_again() && !run.cancel_asked)
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
            let message = format!("it was not done after {after} ms and was stopped");
            (State::Timeout, None, logs, Some(ExecutionFault { code: "TIMEOUT".to_owned(), message }))
        }
        Ending::Stopped { logs } => (State::Canceled, None, logs, None),
    };
    let mut record = run.record(state);
    record.end_ts = Some(now.to_string());
    record.exit_code = exit_code;
    record.error = error;
    record.logs = Some(logs).filter(|logs| !logs.is_empty());
    Entry::Finished { record: Box::new(record) }
}

/// Returns a number from 0 to 1; the standard library's hasher has keys from the system.
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
