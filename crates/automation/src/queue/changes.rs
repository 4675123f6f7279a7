//! Which runs have changed, for those who keep something about each and do not want to look through all.

use crate::ExecutionId;

/// How many changes are noted at least before it is simpler to look through everything.
const AT_LEAST: usize = 1024;

/// What changed since somebody last asked.
///
/// Nobody asked yet: everything. So a fold that is only read notes nothing down, and one that was made
/// anew in place of another is looked through as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Changes {
    /// Any run may have changed.
    #[default]
    Everything,
    /// Only these were opened, moved on, are not wanted any more or have ended; a run may be named twice.
    These(Vec<ExecutionId>),
}

impl Changes {
    /// Notes that a run has changed while so many are open.
    pub(super) fn note(&mut self, run: &ExecutionId, n_open: usize) {
        let Self::These(runs) = self else { return };
        // WHY a limit: runs that have ended must not stay in memory because nobody asks.
        if runs.len() < AT_LEAST.max(4 * n_open) {
            runs.push(run.clone());
        } else {
            *self = Self::Everything;
        }
    }

    /// Hands over what was noted and begins anew.
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
