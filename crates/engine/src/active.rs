//! A run at work, and what it printed that is not written down yet.

use std::time::{Duration, Instant};

use automation::queue::Entry;
use automation::{AutomationId, ExecutionId, Output};
use runner::Cancel;

/// How long what a run printed may wait until it is written down. A run that is over sooner writes
/// it once, at its end.
const PRINT_EVERY: Duration = Duration::from_millis(250);

pub(crate) struct Active {
    pub(crate) hook: AutomationId,
    pub(crate) cancel: Cancel,
    pub(crate) since: Instant,
    /// Whether it was stopped because the engine stops, not because somebody wanted it.
    pub(crate) is_leaving: bool,
    /// What it printed since that was last written down, in order.
    printed: Vec<(Output, String)>,
    last_written: Instant,
}

impl Active {
    pub(crate) fn new(hook: AutomationId, cancel: Cancel, now: Instant) -> Self {
        Self { hook, cancel, since: now, is_leaving: false, printed: Vec::new(), last_written: now }
    }

    /// Takes what it printed.
    pub(crate) fn print(&mut self, output: Output, text: &str) {
        match self.printed.last_mut() {
            Some((last, known)) if *last == output => known.push_str(text),
            _ => self.printed.push((output, text.to_owned())),
        }
    }

    /// Returns when what it printed has to be written down.
    pub(crate) fn print_due(&self) -> Option<Instant> {
        (!self.printed.is_empty()).then(|| self.last_written + PRINT_EVERY)
    }

    /// Returns the entries for what it printed since they were last taken.
    pub(crate) fn take_printed(&mut self, id: &ExecutionId, now: Instant) -> Vec<Entry> {
        self.last_written = now;
        let entry = |(output, text)| Entry::Printed { run: id.clone(), output, text };
        std::mem::take(&mut self.printed).into_iter().map(entry).collect()
    }
}
