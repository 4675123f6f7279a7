//! The runs that changed since the last query, so that an index of runs need not scan the whole queue.

use crate::ExecutionId;

/// Up to this number of changes each is recorded; beyond it, depending on the open runs, a scan is cheaper.
const AT_LEAST: usize = 1024;

/// The changes since the last [`Self::take`].
///
/// Before the first call it is [`Self::Everything`]. A state that is only read therefore records
/// nothing, and one that replaces another is scanned as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Changes {
    /// Any run may have changed.
    #[default]
    Everything,
    /// Only these were opened, changed their stage, were cancelled or ended; may contain duplicates.
    These(Vec<ExecutionId>),
}

impl Changes {
    /// Records the change of a run; `n_open` is the number of open runs.
    pub(super) fn note(&mut self, run: &ExecutionId, n_open: usize) {
        let Self::These(runs) = self else { return };
        // WHY a limit: without calls of `take`, ended runs would pile up in memory.
        if runs.len() < AT_LEAST.max(4 * n_open) {
            runs.push(run.clone());
        } else {
            *self = Self::Everything;
        }
    }

    /// Returns the recorded changes and clears them.
    pub(super) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::These(Vec::new()))
    }
}

#[cfg(test)]
mod tests {
    use store::Timestamp;

    use super::*;

    #[test]
    fn changes_are_noted_from_the_first_question_on_and_not_without_end() {
        let run = ExecutionId::fresh(Timestamp::from_millis(1));
        let mut changes = Changes::default();
        changes.note(&run, 1);
        assert_eq!(changes.take(), Changes::Everything);
        changes.note(&run, 1);
        assert_eq!(changes.take(), Changes::These(vec![run.clone()]));
        assert_eq!(changes.take(), Changes::These(vec![]));
        for _ in 0..=AT_LEAST {
            changes.note(&run, 1);
        }
        assert_eq!(changes.take(), Changes::Everything);
    }
}
