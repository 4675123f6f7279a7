//! The engine: keeps the queue and the active runs of one workspace, and advances them turn by turn.

mod attribution;
mod queueing;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use automation::queue::{Changes, Entry, Queue, QueueError, QueueState};
use automation::{Automation, AutomationId, Debouncer, ExecutionId, Occurrence, OccurrenceId, matches};
use runner::Cancel;
use store::Timestamp;

pub use attribution::{ActiveRun, Offered};

use crate::active::Active;
use crate::automation_set::AutomationSet;
use crate::coalesce::{self, Coalesce};
use crate::end_entry;
use crate::ending::Ending;
use crate::metrics::Metrics;
use crate::pending_runs::PendingRuns;
use crate::recovery::{self, Recovered};
use crate::run_event::RunEvent;
use crate::schedule::{Limits, Schedule};
use crate::settings::Settings;
use crate::worker::{self, Job, Report, ReportTo};
use crate::write_buffer::WriteBuffer;

/// How often the engine writes read offsets if no other entry is written.
const OFFSETS_EVERY: Duration = Duration::from_secs(30);

/// Runs the queue of one workspace.
pub struct Engine {
    settings: Arc<Settings>,
    automations: AutomationSet,
    queue: Queue,
    /// Whether runs may start now, if `automations` may run at all.
    may_begin: bool,
    coalesce: Coalesce,
    pending: PendingRuns,
    /// Whether `pending` must be rebuilt from the whole queue.
    is_pending_stale: bool,
    /// The runs that changed since [`Self::end_obsolete`] last checked them.
    changed: BTreeSet<ExecutionId>,
    schedule: Schedule,
    /// The automations whose batch still grows.
    batches: Debouncer<AutomationId>,
    active: HashMap<ExecutionId, Active>,
    buffer: WriteBuffer,
    /// The read offsets of growing files that are not written yet, by source.
    read_offsets: BTreeMap<String, u64>,
    /// When the engine writes them even if no other entry is due.
    offsets_due: Instant,
    /// The journal does not rotate below this number of bytes.
    rotate_beyond: u64,
    metrics: Metrics,
    /// The events since the last [`Self::take_events`].
    events: Vec<RunEvent>,
    report_to: ReportTo,
}

/// The result of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// When the caller must start the next turn, if nothing happens before.
    pub next: Option<Instant>,
    /// How many runs started.
    pub n_begun: usize,
}

impl Engine {
    /// Opens the workspace's queue and recovers the runs that the last process left.
    ///
    /// The caller holds the workspace's lock, so a run that the journal shows as running is not.
    pub fn open(
        settings: Settings,
        automations: AutomationSet,
        report_to: impl Fn(Report) + Send + Sync + 'static,
    ) -> Result<(Self, Recovered), QueueError> {
        let mut queue = Queue::open(&settings.workspace)?;
        let now = store::now();
        let mut recovered = Recovered::default();
        let mut events = Vec::new();
        queue.change(now, |queue_state| {
            let (entries, found) = recovery::recover(queue_state, &automations, now);
            recovered = found;
            events = entries.iter().filter_map(RunEvent::of_end).collect();
            entries
        })?;
        let metrics =
            Metrics { interrupted: (recovered.retried + recovered.given_up) as u64, ..Metrics::default() };
        let engine = Self {
            settings: Arc::new(settings),
            automations,
            queue,
            may_begin: false,
            coalesce: Coalesce::default(),
            pending: PendingRuns::default(),
            is_pending_stale: true,
            changed: BTreeSet::new(),
            schedule: Schedule::default(),
            batches: Debouncer::default(),
            active: HashMap::new(),
            buffer: WriteBuffer::default(),
            read_offsets: BTreeMap::new(),
            offsets_due: Instant::now() + OFFSETS_EVERY,
            rotate_beyond: 0,
            metrics,
            events,
            report_to: Arc::new(report_to),
        };
        Ok((engine, recovered))
    }

    /// Lets a deleted queue stay deleted until [`Self::recreate_queue`] is called: turns fail meanwhile.
    pub fn leave_queue_deleted(&mut self) {
        self.queue.set_recreates(false);
    }

    /// Creates a deleted queue again, with all open runs. If this fails, the next turn reports why.
    pub fn recreate_queue(&mut self) {
        self.queue.set_recreates(true);
        let is_created = self.queue.refresh().is_ok();
        self.queue.set_recreates(!is_created);
    }

    /// Sets newly loaded automations; active runs end under the old ones.
    pub fn set_automations(&mut self, automations: AutomationSet) {
        self.automations = automations;
        self.is_pending_stale = true;
    }

    /// Sets the default runner, the limits and the environment of the runs that start from now on.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = Arc::new(settings);
    }

    /// Sets whether runs may start. If not, pending runs stay in the queue.
    pub fn set_may_begin(&mut self, may_begin: bool) {
        self.may_begin = may_begin;
    }

    /// Lets only this run start; all others stay in the queue.
    pub fn set_only(&mut self, run: ExecutionId) {
        self.is_pending_stale |= self.pending.set_only(run);
    }

    /// Returns the loaded automations.
    pub fn automations(&self) -> &AutomationSet {
        &self.automations
    }

    /// Returns the state of the queue as of the last turn.
    pub fn queue_state(&self) -> &QueueState {
        self.queue.state()
    }

    /// Returns the starts and ends of runs since the last call.
    pub fn take_events(&mut self) -> Vec<RunEvent> {
        std::mem::take(&mut self.events)
    }

    /// Returns how many runs are active.
    pub fn n_active(&self) -> usize {
        self.active.len()
    }

    /// Returns the counts.
    pub fn metrics(&self) -> Metrics {
        Metrics { active: self.active.len(), queued: self.pending.len(), ..self.metrics.clone() }
    }

    /// Matches settled occurrences and queues a run of each automation they trigger.
    ///
    /// If the disk is full, the entries stay in the buffer until a later turn can write them.
    pub fn offer(&mut self, occurrences: Vec<Occurrence>) {
        for id in self.superseded_by(&occurrences) {
            self.metrics.coalesced += 1;
            self.buffer.push(Entry::Matched { occurrence: id, runs: 0 });
        }
        for occurrence in occurrences {
            self.trigger(&occurrence, store::now());
        }
    }

    /// Returns the automations that may be triggered: they can run and are not paused.
    fn runnable(&self) -> impl Iterator<Item = &Automation> {
        self.automations.runnable().filter(|it| self.queue.state().paused(&it.id).is_none())
    }

    /// Returns the unmatched emitted occurrences about the same files: an editor that emits a save
    /// and the file watcher that detects it report one save.
    fn superseded_by(&self, later: &[Occurrence]) -> Vec<OccurrenceId> {
        let mut unmatched = self.queue.state().unmatched().peekable();
        if unmatched.peek().is_none() {
            return Vec::new();
        }
        let later: HashSet<_> = later.iter().filter_map(coalesce::subject).collect();
        let is_superseded = |it: &&Occurrence| coalesce::subject(it).is_some_and(|it| later.contains(&it));
        unmatched.filter(is_superseded).map(|it| it.id.clone()).collect()
    }

    /// Returns the stored read offset of a growing file. Returns `None` if the journal has none.
    pub fn read_offset(&self, source: &str) -> Option<u64> {
        self.queue.state().read_offset(source)
    }

    /// Sets the read offsets of growing files, zero for a deleted one. One write stores them
    /// together with the runs offered because of them, so that a kill neither loses nor repeats a run.
    pub fn set_read_offsets(&mut self, read: impl IntoIterator<Item = (String, u64)>) {
        self.read_offsets.extend(read);
    }

    /// Lets the next turn write all read offsets.
    pub fn flush_read_offsets(&mut self) {
        self.offsets_due = Instant::now();
    }

    /// Handles a report of an attempt.
    pub fn receive(&mut self, report: Report) {
        match report {
            Report::Entered(run, state) => self.buffer.push(Entry::Entered { run, state }),
            Report::Printed(run, output, text) => {
                if let Some(active) = self.active.get_mut(&run) {
                    active.print(output, &text);
                }
            }
            Report::Ended(id, ending) => self.close(&id, ending),
        }
    }

    /// Writes the buffer, reads the journal, matches occurrences, ends obsolete runs and starts runs.
    pub fn turn(&mut self) -> Result<Turn, QueueError> {
        let (wall, now) = (store::now(), Instant::now());
        let print_due = self.print(now);
        self.write(wall)?;
        self.queue.refresh()?;
        let settled = self.coalesce.settle(self.queue.state().unmatched(), now);
        let mut next = [settled.next, print_due].into_iter().flatten().min();
        for occurrence in settled.superseded {
            self.metrics.coalesced += 1;
            self.buffer.push(Entry::Matched { occurrence, runs: 0 });
        }
        for occurrence in settled.due {
            let n_runs = self.trigger(&occurrence, wall);
            let runs = u32::try_from(n_runs).unwrap_or(u32::MAX);
            self.buffer.push(Entry::Matched { occurrence: occurrence.id, runs });
        }
        self.write(wall)?;
        self.apply_changes(wall, now);
        self.end_obsolete(wall);
        self.write(wall)?;
        let n_begun =
            if self.may_begin && self.automations.may_run() { self.begin(wall, now, &mut next)? } else { 0 };
        self.write(wall)?;
        self.apply_changes(wall, now);
        self.rotate(wall)?;
        Ok(Turn { next, n_begun })
    }

    /// Rotates the journal when most of it is history.
    fn rotate(&mut self, wall: Timestamp) -> Result<(), QueueError> {
        let beyond = self.settings.rotate_beyond.max(self.rotate_beyond);
        if self.queue.rotate_beyond(wall, beyond)?.is_some() {
            // WHY: with so many open runs that the new journal is as long, every turn would rotate it.
            self.rotate_beyond = 2 * self.queue.length()?;
        }
        Ok(())
    }

    /// Stops all active runs because the engine ends. It marks them as interrupted, and the next
    /// engine retries them if they have retries left. A process that ignores SIGTERM is killed after `grace`.
    pub fn stop_all(&mut self, grace: Duration) {
        for active in self.active.values_mut() {
            active.is_leaving = true;
            active.cancel.cancel_within(grace);
        }
    }

    /// Queues a run of each automation that an occurrence triggers and returns their number. A run
    /// replaces a pending run about the same file.
    fn trigger(&mut self, occurrence: &Occurrence, now: Timestamp) -> usize {
        let found = matches(self.runnable(), occurrence);
        let (runs, refusals) = (found.runs(now, occurrence), found.refusals(now, occurrence));
        let n_runs = runs.len();
        self.queue_all(runs, refusals);
        n_runs
    }

    /// Writes the buffer and the read offsets. Both stay as they are if the write fails.
    fn write(&mut self, wall: Timestamp) -> Result<(), QueueError> {
        let is_due = !self.read_offsets.is_empty() && self.offsets_due <= Instant::now();
        if self.buffer.entries().is_empty() && !is_due {
            return Ok(());
        }
        let offsets = self.read_offsets.iter();
        let offsets =
            offsets.map(|(source, offset)| Entry::Followed { source: source.clone(), offset: *offset });
        let entries = self.buffer.entries().iter().cloned().chain(offsets).collect();
        self.queue.change(wall, |_| entries)?;
        self.buffer.clear();
        self.read_offsets.clear();
        self.offsets_due = Instant::now() + OFFSETS_EVERY;
        Ok(())
    }

    /// Buffers the due output of active runs and returns when more of it is due.
    fn print(&mut self, now: Instant) -> Option<Instant> {
        let mut next: Option<Instant> = None;
        for (id, active) in &mut self.active {
            match active.print_due() {
                Some(due) if due <= now => self.buffer.extend(active.take_printed(id, now)),
                Some(due) => next = Some(next.map_or(due, |known| known.min(due))),
                None => {}
            }
        }
        next
    }

    fn close(&mut self, id: &ExecutionId, ending: Ending) {
        let Some(mut active) = self.active.remove(id) else { return };
        self.metrics.worked.add(active.since.elapsed());
        let (now, moment) = (store::now(), Instant::now());
        let Some(run) = self.queue.state().run(id) else { return };
        if let Ending::Stopped { logs } = &ending
            && active.is_leaving
            && !run.cancel_asked
        {
            self.metrics.interrupted += 1;
            self.buffer.extend(active.take_printed(id, moment));
            let hook = run.queued.hook.clone();
            let entries = recovery::interrupted(run, &self.automations, logs.clone(), now);
            let ended = entries.iter().find_map(RunEvent::of_end);
            let message = "the server stopped".to_owned();
            self.events.push(ended.unwrap_or(RunEvent::Failed { run: id.clone(), hook, message }));
            self.buffer.extend(entries);
            return;
        }
        let automation = self.automations.get(&run.queued.hook).map(|loaded| &loaded.automation);
        let entry = end_entry::of_attempt(run, automation, ending, now);
        if let Entry::Failed { run: id, error, .. } = &entry {
            let (hook, message) = (run.queued.hook.clone(), error.message.clone());
            self.events.push(RunEvent::Failed { run: id.clone(), hook, message });
            self.metrics.retries += 1;
            // No record will contain the output of this attempt.
            self.buffer.extend(active.take_printed(id, moment));
        }
        self.end(entry);
    }

    /// Updates the pending runs with the changes of the queue.
    fn apply_changes(&mut self, wall: Timestamp, now: Instant) {
        let mut changes = self.queue.take_changes();
        if std::mem::take(&mut self.is_pending_stale) {
            changes = Changes::Everything;
        }
        self.changed.extend(self.pending.update(changes, self.queue.state(), wall, now));
    }

    /// Stops active runs that a user cancelled, and ends pending runs that must not start any more.
    fn end_obsolete(&mut self, wall: Timestamp) {
        for id in std::mem::take(&mut self.changed) {
            let Some(run) = self.queue.state().run(&id) else { continue };
            if run.is_pending() {
                if let Some(ended) = end_entry::of_obsolete(run, &self.automations, wall) {
                    self.end(ended);
                }
            } else if let Some(active) = self.active.get(&id).filter(|_| run.cancel_asked) {
                active.cancel.cancel();
            }
        }
    }

    /// Starts the runs that the limits and rates allow.
    fn begin(
        &mut self,
        wall: Timestamp,
        now: Instant,
        next: &mut Option<Instant>,
    ) -> Result<usize, QueueError> {
        self.apply_changes(wall, now);
        let mut n_active: HashMap<AutomationId, usize> = HashMap::new();
        for active in self.active.values() {
            *n_active.entry(active.hook.clone()).or_default() += 1;
        }
        self.batches.settled(now);
        let batches = &self.batches;
        let limits = |hook: &AutomationId| {
            if batches.contains(hook) {
                return None;
            }
            let automation = &self.automations.get(hook)?.automation;
            let concurrency = usize::try_from(automation.concurrency).unwrap_or(usize::MAX);
            Some(Limits { concurrency, rate: automation.rate })
        };
        let max_running = self.settings.max_running;
        let decision = self.schedule.decide(&self.pending, &limits, n_active, max_running, now);
        for moment in [decision.next, self.pending.next(), self.batches.next()].into_iter().flatten() {
            *next = Some(next.map_or(moment, |known| known.min(moment)));
        }
        let process = std::process::id();
        let started: Vec<Entry> = decision
            .begin
            .iter()
            .filter_map(|id| self.queue.state().run(id))
            .map(|run| Entry::Started { run: run.queued.id.clone(), attempt: run.attempts + 1, process })
            .collect();
        if started.is_empty() {
            return Ok(0);
        }
        self.queue.change(wall, |_| started)?;
        for id in &decision.begin {
            self.start(id, wall, now);
        }
        Ok(decision.begin.len())
    }

    /// Starts a run that the journal already shows as started.
    fn start(&mut self, id: &ExecutionId, wall: Timestamp, now: Instant) {
        let Some(run) = self.queue.state().run(id).cloned() else { return };
        let Some(loaded) = self.automations.get(&run.queued.hook).cloned() else { return };
        if run.attempts == 1 {
            self.metrics.waited.add(Duration::from_millis(wall.millis_since(run.queued_at)));
        }
        self.events.push(RunEvent::Started {
            run: id.clone(),
            hook: run.queued.hook.clone(),
            file: run.queued.occurrence.shown_file(),
            attempt: run.attempts,
        });
        let cancel = Cancel::new();
        self.active.insert(id.clone(), Active::new(run.queued.hook.clone(), cancel.clone(), now));
        worker::start(Job { settings: Arc::clone(&self.settings), loaded, run, cancel }, &self.report_to);
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("active", &self.active.len()).finish_non_exhaustive()
    }
}
