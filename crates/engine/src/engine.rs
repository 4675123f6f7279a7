//! The engine: what is in the queue, what is at work, and one turn after another.

mod caused;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use automation::queue::{Changes, Entry, Folded, Queue, QueueError, QueuedRun};
use automation::{Automation, AutomationId, ExecutionId, Occurrence, OccurrenceId, matches};
use runner::Cancel;
use store::Timestamp;

pub use caused::{ActiveRun, Offered};

use crate::active::Active;
use crate::coalesce::{self, Coalesce};
use crate::ending::Ending;
use crate::metrics::Metrics;
use crate::recovery::{self, Recovered};
use crate::roster::Roster;
use crate::schedule::{Limits, Schedule};
use crate::settings::Settings;
use crate::unwritten::Unwritten;
use crate::verdict;
use crate::waiting::Waiting;
use crate::wanted;
use crate::worker::{self, Job, Report, ReportTo};

/// How often it is written how far something was read that set nothing off.
const FOLLOW_EVERY: Duration = Duration::from_secs(30);

/// Runs the queue of one workspace.
pub struct Engine {
    settings: Arc<Settings>,
    roster: Roster,
    queue: Queue,
    /// Whether anything may begin now, if the roster may run at all.
    may_begin: bool,
    coalesce: Coalesce,
    waiting: Waiting,
    /// Whether what was found out about waiting runs may not be true any more.
    is_waiting_stale: bool,
    /// The runs that changed since it was last seen whether they are wanted.
    unjudged: BTreeSet<ExecutionId>,
    schedule: Schedule,
    active: HashMap<ExecutionId, Active>,
    unwritten: Unwritten,
    /// How far what grows elsewhere was read, since that was last written.
    followed: BTreeMap<String, u64>,
    /// When that is written even if nothing else is.
    follow_due: Instant,
    /// How many bytes the journal has to have at least before it begins anew.
    rotate_beyond: u64,
    metrics: Metrics,
    report_to: ReportTo,
}

/// What came of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The next turn has to come by then, if nothing happens before.
    pub next: Option<Instant>,
    /// How many runs began.
    pub n_begun: usize,
}

impl Engine {
    /// Opens the workspace's queue and settles what the last process left.
    ///
    /// The caller holds the workspace's lock: whatever is at work in the journal is not.
    pub fn open(
        settings: Settings,
        roster: Roster,
        report_to: impl Fn(Report) + Send + Sync + 'static,
    ) -> Result<(Self, Recovered), QueueError> {
        let mut queue = Queue::open(&settings.workspace)?;
        let now = store::now();
        let mut recovered = Recovered::default();
        queue.change(now, |folded| {
            let (entries, found) = recovery::recover(folded, &roster, now);
            recovered = found;
            entries
        })?;
        let metrics = Metrics {
            interrupted: (recovered.tried_again + recovered.given_up) as u64,
            ..Metrics::default()
        };
        let engine = Self {
            settings: Arc::new(settings),
            roster,
            queue,
            may_begin: false,
            coalesce: Coalesce::default(),
            waiting: Waiting::default(),
            is_waiting_stale: true,
            unjudged: BTreeSet::new(),
            schedule: Schedule::default(),
            active: HashMap::new(),
            unwritten: Unwritten::default(),
            followed: BTreeMap::new(),
            follow_due: Instant::now() + FOLLOW_EVERY,
            rotate_beyond: 0,
            metrics,
            report_to: Arc::new(report_to),
        };
        Ok((engine, recovered))
    }

    /// Takes a newly loaded configuration; runs at work end under the old one.
    pub fn set_roster(&mut self, roster: Roster) {
        self.roster = roster;
        self.is_waiting_stale = true;
    }

    /// Says who runs prompts of automations that name nobody, and how many may be at work.
    pub fn set_settings(&mut self, settings: Settings) {
        self.settings = Arc::new(settings);
    }

    /// Says whether runs may begin. Those that wait stay in the queue.
    pub fn set_may_begin(&mut self, may_begin: bool) {
        self.may_begin = may_begin;
    }

    /// Lets only this run begin; all others stay in the queue.
    pub fn set_only(&mut self, run: ExecutionId) {
        self.is_waiting_stale |= self.waiting.set_only(run);
    }

    /// Returns the automations in use.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Returns what the queue came to at the last turn.
    pub fn folded(&self) -> &Folded {
        self.queue.folded()
    }

    /// Returns how many runs are at work.
    pub fn n_active(&self) -> usize {
        self.active.len()
    }

    /// Returns the counts.
    pub fn metrics(&self) -> Metrics {
        Metrics { active: self.active.len(), queued: self.waiting.len(), ..self.metrics.clone() }
    }

    /// Takes what happened and came to rest: the automations it sets off are queued.
    ///
    /// If the disk takes nothing now, it is kept and written by a later turn.
    pub fn offer(&mut self, occurrences: Vec<Occurrence>) {
        for id in self.overtaken_by(&occurrences) {
            self.metrics.coalesced += 1;
            self.unwritten.push(Entry::Matched { occurrence: id, runs: 0 });
        }
        for occurrence in occurrences {
            self.set_off(&occurrence, store::now());
        }
    }

    /// Returns the automations that may be set off: somebody can run them, and they are not paused.
    fn able(&self) -> impl Iterator<Item = &Automation> {
        self.roster.able().filter(|it| self.queue.folded().paused(&it.id).is_none())
    }

    /// Returns what somebody handed in about the same files and is not matched yet: an editor
    /// that tells of a save and the file watcher that sees it mean one save.
    fn overtaken_by(&self, later: &[Occurrence]) -> Vec<OccurrenceId> {
        let mut unmatched = self.queue.folded().unmatched().peekable();
        if unmatched.peek().is_none() {
            return Vec::new();
        }
        let later: HashSet<_> = later.iter().filter_map(coalesce::subject).collect();
        let is_overtaken = |it: &&Occurrence| coalesce::subject(it).is_some_and(|it| later.contains(&it));
        unmatched.filter(is_overtaken).map(|it| it.id.clone()).collect()
    }

    /// Returns how far something that grows elsewhere had been read when the last engine ended.
    pub fn followed(&self, source: &str) -> Option<u64> {
        self.queue.folded().followed(source)
    }

    /// Says how far something that grows elsewhere was read, zero if it is gone. What was offered
    /// because of it is written in one piece with this, so that a kill loses and repeats nothing.
    pub fn follow(&mut self, read: impl IntoIterator<Item = (String, u64)>) {
        self.followed.extend(read);
    }

    /// Lets the next turn write down how far everything was read.
    pub fn settle_followed(&mut self) {
        self.follow_due = Instant::now();
    }

    /// Takes what a run told.
    pub fn hear(&mut self, report: Report) {
        match report {
            Report::Entered(run, state) => self.unwritten.push(Entry::Entered { run, state }),
            Report::Printed(run, output, text) => {
                if let Some(active) = self.active.get_mut(&run) {
                    active.print(output, &text);
                }
            }
            Report::Over(id, ending) => self.close(&id, ending),
        }
    }

    /// Does what can be done now: writes, reads, matches, stops and begins.
    pub fn turn(&mut self) -> Result<Turn, QueueError> {
        let (wall, now) = (store::now(), Instant::now());
        let print_due = self.print(now);
        self.write(wall)?;
        self.queue.refresh()?;
        let settled = self.coalesce.settle(self.queue.folded().unmatched(), now);
        let mut next = [settled.next, print_due].into_iter().flatten().min();
        for occurrence in settled.overtaken {
            self.metrics.coalesced += 1;
            self.unwritten.push(Entry::Matched { occurrence, runs: 0 });
        }
        for occurrence in settled.due {
            let n_runs = self.set_off(&occurrence, wall);
            let runs = u32::try_from(n_runs).unwrap_or(u32::MAX);
            self.unwritten.push(Entry::Matched { occurrence: occurrence.id, runs });
        }
        self.write(wall)?;
        self.look_at_changes(wall, now);
        self.stop_unwanted(wall);
        self.write(wall)?;
        let n_begun =
            if self.may_begin && self.roster.may_run() { self.begin(wall, now, &mut next)? } else { 0 };
        self.write(wall)?;
        self.look_at_changes(wall, now);
        self.rotate(wall)?;
        Ok(Turn { next, n_begun })
    }

    /// Begins the journal anew when most of it is history.
    fn rotate(&mut self, wall: Timestamp) -> Result<(), QueueError> {
        let beyond = self.settings.rotate_beyond.max(self.rotate_beyond);
        if self.queue.rotate_beyond(wall, beyond)?.is_some() {
            // WHY: with so much open that the new one is as long, every turn would begin it anew.
            self.rotate_beyond = 2 * self.queue.length()?;
        }
        Ok(())
    }

    /// Stops all runs that are still at work because the engine ends; they are marked as
    /// interrupted and tried again at the next start if they have tries left.
    pub fn stop_all(&mut self) {
        for active in self.active.values_mut() {
            active.is_leaving = true;
            active.cancel.cancel();
        }
    }

    /// Puts the runs that an occurrence leads to into the queue and returns how many there are;
    /// one that waits about the same file is replaced.
    fn set_off(&mut self, occurrence: &Occurrence, now: Timestamp) -> usize {
        let found = matches(self.able(), occurrence);
        let (runs, refusals) = (found.runs(now, occurrence), found.refusals(now, occurrence));
        let n_runs = runs.len();
        self.queue_all(runs, refusals);
        n_runs
    }

    fn queue_all(&mut self, runs: Vec<QueuedRun>, refusals: Vec<Entry>) {
        for entry in refusals {
            if let Entry::Finished { record } = &entry {
                self.metrics.count_end(&record.hook_id, record.status);
            }
            self.unwritten.push(entry);
        }
        for run in runs {
            let Some(run) = self.unwritten.replace_earlier(run) else {
                self.metrics.coalesced += 1;
                continue;
            };
            let earlier = self.queue.folded().pending_about(&run).filter(|it| it.attempts == 0);
            let replaced = earlier.map(|earlier| earlier.queued.id.clone());
            self.metrics.replaced += u64::from(replaced.is_some());
            self.unwritten.queue(run, replaced);
        }
    }

    /// Writes what is to be written; what the disk does not take stays for later.
    fn write(&mut self, wall: Timestamp) -> Result<(), QueueError> {
        let is_due = !self.followed.is_empty() && self.follow_due <= Instant::now();
        if self.unwritten.entries().is_empty() && !is_due {
            return Ok(());
        }
        let followed = self.followed.iter();
        let followed =
            followed.map(|(source, offset)| Entry::Followed { source: source.clone(), offset: *offset });
        let entries = self.unwritten.entries().iter().cloned().chain(followed).collect();
        self.queue.change(wall, |_| entries)?;
        self.unwritten.clear();
        self.followed.clear();
        self.follow_due = Instant::now() + FOLLOW_EVERY;
        Ok(())
    }

    /// Takes down what runs printed a while ago, and returns when there is more of it to write.
    fn print(&mut self, now: Instant) -> Option<Instant> {
        let mut next: Option<Instant> = None;
        for (id, active) in &mut self.active {
            match active.print_due() {
                Some(due) if due <= now => self.unwritten.extend(active.take_printed(id, now)),
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
        let Some(run) = self.queue.folded().run(id) else { return };
        if let Ending::Stopped { logs } = &ending
            && active.is_leaving
            && !run.cancel_asked
        {
            self.metrics.interrupted += 1;
            self.unwritten.extend(active.take_printed(id, moment));
            self.unwritten.extend(recovery::interrupted(run, &self.roster, logs.clone(), now));
            return;
        }
        let automation = self.roster.get(&run.queued.hook).map(|member| &member.automation);
        let entry = verdict::entry_for(run, automation, ending, now);
        if let Entry::Finished { record } = &entry {
            self.metrics.count_end(&record.hook_id, record.status);
        } else {
            self.metrics.retries += 1;
            // No record will tell what this try said.
            self.unwritten.extend(active.take_printed(id, moment));
        }
        self.unwritten.push(entry);
    }

    /// Finds out how runs that changed stand now.
    fn look_at_changes(&mut self, wall: Timestamp, now: Instant) {
        let mut news = self.queue.take_changes();
        if std::mem::take(&mut self.is_waiting_stale) {
            news = Changes::Everything;
        }
        let changed = self.waiting.update(news, self.queue.folded(), wall, now);
        self.unjudged.extend(changed);
    }

    /// Stops runs that somebody wants stopped, and ends waiting ones that nobody wants.
    fn stop_unwanted(&mut self, wall: Timestamp) {
        for id in std::mem::take(&mut self.unjudged) {
            let Some(run) = self.queue.folded().run(&id) else { continue };
            if run.is_pending() {
                let ended = wanted::unwanted(run, &self.roster, wall);
                if let Some(Entry::Finished { record }) = &ended {
                    self.metrics.count_end(&record.hook_id, record.status);
                }
                self.unwritten.extend(ended);
            } else if let Some(active) = self.active.get(&id).filter(|_| run.cancel_asked) {
                active.cancel.cancel();
            }
        }
    }

    /// Begins what may begin.
    fn begin(
        &mut self,
        wall: Timestamp,
        now: Instant,
        next: &mut Option<Instant>,
    ) -> Result<usize, QueueError> {
        self.look_at_changes(wall, now);
        let mut n_active: HashMap<AutomationId, usize> = HashMap::new();
        for active in self.active.values() {
            *n_active.entry(active.hook.clone()).or_default() += 1;
        }
        let limits = |hook: &AutomationId| {
            let automation = &self.roster.get(hook)?.automation;
            let concurrency = usize::try_from(automation.concurrency).unwrap_or(usize::MAX);
            Some(Limits { concurrency, rate: automation.rate })
        };
        let max_running = self.settings.max_running;
        let decision = self.schedule.decide(&self.waiting, &limits, n_active, max_running, now);
        for moment in [decision.next, self.waiting.next()].into_iter().flatten() {
            *next = Some(next.map_or(moment, |known| known.min(moment)));
        }
        let process = std::process::id();
        let started: Vec<Entry> = decision
            .begin
            .iter()
            .filter_map(|id| self.queue.folded().run(id))
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

    /// Starts a run that stands as started in the journal.
    fn start(&mut self, id: &ExecutionId, wall: Timestamp, now: Instant) {
        let Some(run) = self.queue.folded().run(id).cloned() else { return };
        let Some(member) = self.roster.get(&run.queued.hook).cloned() else { return };
        if run.attempts == 1 {
            self.metrics.waited.add(Duration::from_millis(wall.millis_since(run.queued_at)));
        }
        let cancel = Cancel::new();
        self.active.insert(id.clone(), Active::new(run.queued.hook.clone(), cancel.clone(), now));
        worker::start(Job { settings: Arc::clone(&self.settings), member, run, cancel }, &self.report_to);
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("active", &self.active.len()).finish_non_exhaustive()
    }
}
