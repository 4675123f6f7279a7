//! The plan file that the page showed last, so that its change can be reported.

use std::sync::{Mutex, PoisonError};

use event::AbsPath;

/// The file of the plan. WHY kept: to find it takes the end of every session's journal, too much for every second.
#[derive(Debug, Default)]
pub(super) struct ShownPlan(Mutex<Option<AbsPath>>);

impl ShownPlan {
    pub(super) fn set(&self, file: Option<AbsPath>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = file;
    }

    pub(super) fn get(&self) -> Option<AbsPath> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
