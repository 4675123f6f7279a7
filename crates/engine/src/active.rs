//! An active run, and its output that is not in the journal yet.

use std::time::{Duration, Instant};

use automation::queue::Entry;
use automation::{AutomationId, ExecutionId, OutputStream};
use runner::Cancel;

/// How long output may stay unwritten. The output of a run that ends sooner is written once, in its
/// record.
const PRINT_EVERY: Duration = Duration::from_millis(250);

pub(crate) struct Active {
    pub(crate) hook: AutomationId,
    pub(crate) cancel: Cancel,
    pub(crate) since: Instant,
    /// Whether it was stopped because the engine ends, not because a user cancelled it.
    pub(crate) is_leaving: bool,
    /// The output since the last write, in order.
    printed: Vec<(OutputStream, String)>,
    last_written: Instant,
}

impl Active {
    pub(crate) fn new(hook: AutomationId, cancel: Cancel, now: Instant) -> Self {
        Self { hook, cancel, since: now, is_leaving: false, printed: Vec::new(), last_written: now }
    }

    /// Adds output.
    pub(crate) fn print(&mut self, output: OutputStream, text: &str) {
        match self.printed.last_mut() {
            Some((last, known)) if *last == output => known.push_str(text),
            _ => self.printed.push((output, text.to_owned())),
        }
    }

    /// Returns when the output must be written. Returns `None` if all of it is.
    pub(crate) fn print_due(&self) -> Option<Instant> {
        (!self.printed.is_empty()).then(|| self.last_written + PRINT_EVERY)
    }

    /// Returns the entries for the output since the last call.
    pub(crate) fn take_printed(&mut self, id: &ExecutionId, now: Instant) -> Vec<Entry> {
        self.last_written = now;
        let entry = |(output, text)| Entry::Printed { run: id.clone(), output, text };
        std::mem::take(&mut self.printed).into_iter().map(entry).collect()
    }
}
