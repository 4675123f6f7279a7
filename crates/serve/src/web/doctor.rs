//! The findings of the doctor, looked for in the background: it starts programs and takes seconds.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use page::view::Doctor;

use crate::inspection::Inspection;

/// How old the findings may be before a request lets the doctor look again.
const FRESH: u64 = 5 * 60 * 1000;

/// The latest findings.
#[derive(Debug, Clone)]
pub(super) struct DoctorChecks {
    inspection: Arc<dyn Inspection>,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    latest: Option<Doctor>,
    is_looking: bool,
}

impl DoctorChecks {
    pub(super) fn new(inspection: Arc<dyn Inspection>) -> Self {
        Self { inspection, state: Arc::default() }
    }

    /// Returns the latest findings, and lets the doctor look again if they are old. Returns `None` before the first.
    pub(super) fn latest(&self, now: u64) -> Option<Doctor> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = state.latest.as_ref().is_none_or(|it| now.saturating_sub(it.ts) > FRESH);
        if is_old && !state.is_looking {
            state.is_looking = true;
            let this = self.clone();
            thread::spawn(move || {
                let checks = this.inspection.checks();
                let mut state = this.state.lock().unwrap_or_else(PoisonError::into_inner);
                *state = State {
                    latest: Some(Doctor { ts: store::now().as_millis(), checks }),
                    is_looking: false,
                };
            });
        }
        state.latest.clone()
    }

    /// Returns when the doctor last looked, without letting it look.
    pub(super) fn looked_at(&self) -> Option<u64> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).latest.as_ref().map(|it| it.ts)
    }
}
