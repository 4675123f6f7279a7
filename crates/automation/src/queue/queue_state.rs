//! The state of the queue, folded from the lines of its journal: unmatched occurrences and open runs.
//!
//! INVARIANT: the state drops a run when it ends, so that memory grows with the open runs and not
//! with history. Late lines about a run that is not open change nothing.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use store::Timestamp;

use super::changes::Changes;
use super::entry::{Entry, Line, QueuedRun};
use crate::serde_formats::{millis, optional_millis};
use crate::{
    AutomationId, CapturedOutput, Chain, ExecutionId, ExecutionRecord, Occurrence, OccurrenceId, State,
    Status,
};

/// The open part of the queue.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueState {
    unmatched: BTreeMap<u64, Occurrence>,
    unmatched_places: HashMap<OccurrenceId, u64>,
    open: BTreeMap<u64, Run>,
    places: HashMap<ExecutionId, u64>,
    /// The open runs about each automation and file.
    subjects: HashMap<(AutomationId, String), BTreeSet<u64>>,
    /// The open runs of each automation.
    by_hook: HashMap<AutomationId, BTreeSet<u64>>,
    /// The open runs that need each open run to succeed.
    needed_by: HashMap<ExecutionId, BTreeSet<u64>>,
    followed: BTreeMap<String, u64>,
    /// The paused automations, with the reason.
    paused: BTreeMap<AutomationId, String>,
    next_place: u64,
    counts: Counts,
    rotation: u32,
    changes: Changes,
}

/// How many lines of each kind left nothing open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    finished: u64,
    replaced: u64,
    unreadable: u64,
}

/// A run that has not ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Run {
    /// The run as it was queued.
    pub queued: QueuedRun,
    /// When it was queued, in milliseconds since 1970.
    #[serde(with = "millis")]
    #[cfg_attr(feature = "schema", schemars(with = "u64"))]
    pub queued_at: Timestamp,
    /// When its first attempt started.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "optional_millis")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<u64>"))]
    pub first_started: Option<Timestamp>,
    /// How many attempts started.
    pub attempts: u32,
    /// How many of them were interrupted by the end of their process.
    pub interruptions: u32,
    /// Whether a user or a later run cancelled it.
    pub cancel_asked: bool,
    /// The later run that cancelled it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restarted_by: Option<ExecutionId>,
    /// The automation it depends on that did not succeed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub broken_by: Option<AutomationId>,
    /// Its stage.
    pub stage: Stage,
    /// The output of the current attempt so far.
    #[serde(default, skip_serializing_if = "CapturedOutput::is_empty")]
    pub printed: CapturedOutput,
}

/// The stage of an open run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "at", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub enum Stage {
    /// The run is queued.
    Pending {
        /// It must not start before this time, in milliseconds since 1970.
        #[serde(with = "millis")]
        #[cfg_attr(feature = "schema", schemars(with = "u64"))]
        not_before: Timestamp,
    },
    /// An attempt is running.
    Running {
        /// When it started, in milliseconds since 1970.
        #[serde(with = "millis")]
        #[cfg_attr(feature = "schema", schemars(with = "u64"))]
        since: Timestamp,
        /// The id of the process that executes it.
        process: u32,
        /// Its state.
        state: State,
    },
}

impl Run {
    /// Returns whether it is pending.
    pub const fn is_pending(&self) -> bool {
        matches!(self.stage, Stage::Pending { .. })
    }
}

impl QueueState {
    /// Folds the lines of a whole journal.
    pub fn of(lines: &str) -> Self {
        let mut queue_state = Self::default();
        queue_state.add_lines(lines);
        queue_state
    }

    /// Folds further lines.
    pub fn add_lines(&mut self, lines: &str) {
        for text in lines.lines().filter(|line| !line.is_empty()) {
            match Line::parse(text) {
                Some(line) => self.add(line),
                None => self.counts.unreadable += 1,
            }
        }
    }

    /// Folds one more line.
    pub fn add(&mut self, line: Line) {
        let Line { ts, entry, .. } = line;
        match entry {
            Entry::Rotated { number } => self.rotation = number,
            // A duplicate of an unmatched occurrence is ignored.
            Entry::Occurred { occurrence } if self.unmatched_places.contains_key(&occurrence.id) => {}
            Entry::Occurred { occurrence } => {
                let place = self.take_place();
                self.unmatched_places.insert(occurrence.id.clone(), place);
                self.unmatched.insert(place, occurrence);
            }
            Entry::Matched { occurrence, .. } => {
                if let Some(place) = self.unmatched_places.remove(&occurrence) {
                    self.unmatched.remove(&place);
                }
            }
            Entry::Queued { run } => self.open_run(Run::newly_queued(ts, run)),
            Entry::Carried { run } => self.open_run(*run),
            Entry::Replaced { run, .. } => {
                if self.run(&run).is_some_and(Run::is_pending) {
                    self.close(&run);
                    self.counts.replaced += 1;
                }
            }
            Entry::Finished { record } => {
                if record.status != Status::Success {
                    self.break_dependents(&record.id, &record.hook_id);
                }
                self.close(&record.id);
                self.counts.finished += 1;
            }
            Entry::Added { run, files, needs, chain } => self.add_files(&run, files, needs, chain),
            Entry::Started { run, attempt, process } => {
                if let Some(run) = self.changing(&run) {
                    run.attempts = run.attempts.max(attempt);
                    run.first_started.get_or_insert(ts);
                    run.stage = Stage::Running { since: ts, process, state: State::Pending };
                    run.printed = CapturedOutput::default();
                }
            }
            Entry::Entered { run, state: reached } => {
                if let Some(Run { stage: Stage::Running { state, .. }, .. }) = self.run_mut(&run) {
                    *state = reached;
                }
            }
            Entry::Printed { run, output, text } => {
                if let Some(run) = self.run_mut(&run).filter(|run| !run.is_pending()) {
                    run.printed.add(output, &text);
                }
            }
            Entry::Failed { run, retry_at, .. } => {
                if let Some(run) = self.changing(&run) {
                    run.printed = CapturedOutput::default();
                    run.stage = Stage::Pending { not_before: retry_at };
                }
            }
            Entry::Interrupted { run } => {
                if let Some(run) = self.changing(&run) {
                    run.interruptions += 1;
                    run.printed = CapturedOutput::default();
                    run.stage = Stage::Pending { not_before: ts };
                }
            }
            Entry::Followed { source, offset: 0 } => drop(self.followed.remove(&source)),
            Entry::Followed { source, offset } => drop(self.followed.insert(source, offset)),
            Entry::Paused { hook, why } => drop(self.paused.insert(hook, why)),
            Entry::Resumed { hook } => drop(self.paused.remove(&hook)),
            Entry::CancelAsked { run, by } => {
                if let Some(run) = self.changing(&run) {
                    run.cancel_asked = true;
                    run.restarted_by = run.restarted_by.take().or(by);
                }
            }
        }
    }

    /// Returns the unmatched occurrences, in the order in which they were emitted.
    pub fn unmatched(&self) -> impl Iterator<Item = &Occurrence> {
        self.unmatched.values()
    }

    /// Returns the open runs, in the order in which they were queued.
    pub fn open(&self) -> impl Iterator<Item = &Run> {
        self.open.values()
    }

    /// Returns the runs that may start now, in the order in which they were queued: they are pending,
    /// their time has come, and the run they follow has ended.
    pub fn ready(&self, now: Timestamp) -> impl Iterator<Item = &Run> {
        self.open().filter(move |run| {
            let due = matches!(run.stage, Stage::Pending { not_before } if not_before <= now);
            due && !run.queued.waits_for().any(|before| self.places.contains_key(before))
        })
    }

    /// Returns the running runs, in the order in which they were queued.
    pub fn running(&self) -> impl Iterator<Item = &Run> {
        self.open().filter(|run| !run.is_pending())
    }

    /// Returns an open run.
    pub fn run(&self, id: &ExecutionId) -> Option<&Run> {
        self.places.get(id).and_then(|place| self.open.get(place))
    }

    /// Returns the place of an open run; runs queued earlier have smaller places.
    pub fn place(&self, id: &ExecutionId) -> Option<u64> {
        self.places.get(id).copied()
    }

    /// Returns the latest pending run about the same automation and file.
    pub fn pending_about(&self, run: &QueuedRun) -> Option<&Run> {
        let places = self.subjects.get(&subject_of(run)?)?;
        places.iter().rev().filter_map(|place| self.open.get(place)).find(|open| open.is_pending())
    }

    /// Returns the open runs of an automation, in the order in which they were queued.
    pub fn open_of(&self, hook: &AutomationId) -> impl DoubleEndedIterator<Item = &Run> {
        self.by_hook.get(hook).into_iter().flatten().filter_map(|place| self.open.get(place))
    }

    /// Returns the stored read offset of a growing file.
    pub fn read_offset(&self, source: &str) -> Option<u64> {
        self.followed.get(source).copied()
    }

    /// Returns why an automation is paused. Returns `None` if it is not.
    pub fn paused(&self, hook: &AutomationId) -> Option<&str> {
        self.paused.get(hook).map(String::as_str)
    }

    /// Returns the number of open runs.
    pub fn n_open(&self) -> usize {
        self.open.len()
    }

    /// Returns the number of ended runs.
    pub const fn n_finished(&self) -> u64 {
        self.counts.finished
    }

    /// Returns the number of pending runs that a later one replaced.
    pub const fn n_replaced(&self) -> u64 {
        self.counts.replaced
    }

    /// Returns the number of malformed lines.
    pub const fn n_unreadable(&self) -> u64 {
        self.counts.unreadable
    }

    /// Returns how many times the journal was rotated.
    pub const fn rotation(&self) -> u32 {
        self.rotation
    }

    /// Returns the entries that reproduce this state in a new journal.
    pub(super) fn carried(&self) -> impl Iterator<Item = Entry> {
        let occurred =
            self.unmatched.iter().map(|(place, it)| (place, Entry::Occurred { occurrence: it.clone() }));
        let open =
            self.open.iter().map(|(place, run)| (place, Entry::Carried { run: Box::new(run.clone()) }));
        let mut all: Vec<_> = occurred.chain(open).collect();
        all.sort_by_key(|(place, _)| **place);
        let followed = self.followed.iter();
        let followed =
            followed.map(|(source, offset)| Entry::Followed { source: source.clone(), offset: *offset });
        let paused = self.paused.iter();
        let paused = paused.map(|(hook, why)| Entry::Paused { hook: hook.clone(), why: why.clone() });
        all.into_iter().map(|(_, entry)| entry).chain(followed).chain(paused)
    }

    /// Takes over the counts of the state that this one replaces.
    pub(super) fn keep_counts(&mut self, before: &Self) {
        self.counts = before.counts;
    }

    /// Returns whether the state already contains a carried entry.
    pub(super) fn contains(&self, entry: &Entry) -> bool {
        match entry {
            Entry::Occurred { occurrence } => self.unmatched_places.contains_key(&occurrence.id),
            Entry::Carried { run } => self.places.contains_key(&run.queued.id),
            Entry::Followed { source, .. } => self.followed.contains_key(source),
            Entry::Paused { hook, .. } => self.paused.contains_key(hook),
            Entry::Rotated { .. }
            | Entry::Matched { .. }
            | Entry::Queued { .. }
            | Entry::Added { .. }
            | Entry::Replaced { .. }
            | Entry::Started { .. }
            | Entry::Entered { .. }
            | Entry::Printed { .. }
            | Entry::Failed { .. }
            | Entry::Interrupted { .. }
            | Entry::CancelAsked { .. }
            | Entry::Finished { .. }
            | Entry::Resumed { .. } => false,
        }
    }

    /// Returns the runs that changed since the last call.
    pub fn take_changes(&mut self) -> Changes {
        self.changes.take()
    }

    fn run_mut(&mut self, id: &ExecutionId) -> Option<&mut Run> {
        self.places.get(id).and_then(|place| self.open.get_mut(place))
    }

    /// Returns an open run for a change of its stage or of its cancellation, and records the change.
    fn changing(&mut self, id: &ExecutionId) -> Option<&mut Run> {
        let place = self.places.get(id)?;
        self.changes.note(id, self.open.len());
        self.open.get_mut(place)
    }

    fn open_run(&mut self, run: Run) {
        let place = self.take_place();
        if let Some(known) = self.places.insert(run.queued.id.clone(), place) {
            // A duplicate run keeps its first place.
            self.places.insert(run.queued.id, known);
        } else {
            if let Some(subject) = subject_of(&run.queued) {
                self.subjects.entry(subject).or_default().insert(place);
            }
            self.by_hook.entry(run.queued.hook.clone()).or_default().insert(place);
            // One of them may be queued later in the same write: its occurrence added a file to this batch.
            for needed in &run.queued.needs {
                self.needed_by.entry(needed.clone()).or_default().insert(place);
            }
            self.changes.note(&run.queued.id, self.open.len());
            self.open.insert(place, run);
        }
    }

    /// Adds files to a pending run, and the runs that must succeed before it handles them.
    fn add_files(
        &mut self,
        id: &ExecutionId,
        files: BTreeSet<String>,
        needs: Vec<ExecutionId>,
        chain: Chain,
    ) {
        let Some(place) = self.places.get(id).copied() else { return };
        let Some(run) = self.open.get_mut(&place).filter(|run| run.is_pending()) else { return };
        let occurrence = &mut run.queued.occurrence;
        occurrence.files.extend(files);
        occurrence.chain = std::mem::take(&mut occurrence.chain).longer(chain);
        if needs.is_empty() {
            return;
        }
        self.changes.note(id, self.places.len());
        for needed in &needs {
            self.needed_by.entry(needed.clone()).or_default().insert(place);
        }
        run.queued.needs.extend(needs);
    }

    fn close(&mut self, id: &ExecutionId) {
        let Some(place) = self.places.remove(id) else { return };
        self.changes.note(id, self.open.len());
        self.needed_by.remove(id);
        let Some(run) = self.open.remove(&place) else { return };
        for needed in &run.queued.needs {
            if let Some(places) = self.needed_by.get_mut(needed) {
                places.remove(&place);
                if places.is_empty() {
                    self.needed_by.remove(needed);
                }
            }
        }
        if let Some(places) = self.by_hook.get_mut(&run.queued.hook) {
            places.remove(&place);
            if places.is_empty() {
                self.by_hook.remove(&run.queued.hook);
            }
        }
        let Some(subject) = subject_of(&run.queued) else { return };
        if let Some(places) = self.subjects.get_mut(&subject) {
            places.remove(&place);
            if places.is_empty() {
                self.subjects.remove(&subject);
            }
        }
    }

    /// Marks the runs that need this one: it did not succeed.
    fn break_dependents(&mut self, id: &ExecutionId, hook: &AutomationId) {
        for place in self.needed_by.remove(id).unwrap_or_default() {
            if let Some(run) = self.open.get_mut(&place) {
                run.broken_by = Some(hook.clone());
                self.changes.note(&run.queued.id, self.places.len());
            }
        }
    }

    fn take_place(&mut self) -> u64 {
        self.next_place += 1;
        self.next_place
    }
}

fn subject_of(run: &QueuedRun) -> Option<(AutomationId, String)> {
    run.subject().map(|(hook, file)| (hook.clone(), file.to_owned()))
}

impl Run {
    /// Returns its record in this state.
    pub fn record(&self, state: State) -> ExecutionRecord {
        let occurrence = &self.queued.occurrence;
        ExecutionRecord {
            id: self.queued.id.clone(),
            hook_id: self.queued.hook.clone(),
            queued_ts: self.queued_at.to_string(),
            start_ts: self.first_started.unwrap_or(self.queued_at).to_string(),
            end_ts: None,
            status: state.status(),
            state,
            exit_code: None,
            attempts: self.attempts,
            interruptions: self.interruptions,
            trigger: occurrence.kind.to_string(),
            file: occurrence.shown_file(),
            chain_depth: u32::try_from(occurrence.chain.depth()).unwrap_or(u32::MAX),
            error: None,
            logs: None,
        }
    }

    /// Makes a run without attempts.
    pub fn newly_queued(at: Timestamp, queued: QueuedRun) -> Self {
        Self {
            queued,
            queued_at: at,
            first_started: None,
            attempts: 0,
            interruptions: 0,
            cancel_asked: false,
            restarted_by: None,
            broken_by: None,
            stage: Stage::Pending { not_before: at },
            printed: CapturedOutput::default(),
        }
    }
}
