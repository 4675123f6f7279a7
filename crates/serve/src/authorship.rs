//! Which runs may have written the files and commits that the watcher sees.
//!
//! WHY by time: the system does not report who wrote a file. A change during a run counts as that run's and
//! carries its chain. A person may have saved during the run as well, so an automation left out for that
//! reason runs once more after the run, unless the evidence says that the run wrote the file: the recorded
//! tool calls of an agent program, or the runs before it (`self_triggers`). An automation that seems to keep triggering
//! itself is suspected: it does not run until the files show whether a person or another program writes them. If not, it
//! is paused.

mod self_triggers;
mod tool_activity;

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant, SystemTime};

use automation::{AutomationId, Chain, ExecutionId, Occurrence, OccurrenceKind};
use engine::ActiveRun;
use store::Fingerprint;

use self_triggers::{Consequence, Position, SelfTriggers};
use tool_activity::ToolActivity;
pub(crate) use tool_activity::{HookMark, Step};

/// How long an ended run is remembered: longer than a file takes to settle.
const REMEMBERED: Duration = Duration::from_secs(30);

/// For how long after the last run of a suspected automation its files are observed.
const OBSERVED: Duration = Duration::from_secs(1);

/// The clock that files get their times from lags by up to a tick.
const TICK: Duration = Duration::from_millis(20);

/// How many runs of an agent program without hooks may follow each other for files that changed during them: each costs
/// its user money.
const MAX_AGENT_ROUNDS: u32 = 3;

/// The running and recently ended runs, and the changes held until their end.
#[derive(Debug, Default)]
pub(crate) struct Authorship {
    runs: HashMap<ExecutionId, RunSpan>,
    held: Vec<Held>,
    rounds: SelfTriggers,
    /// The automations that seem to trigger themselves, with the reason.
    ///
    /// WHY they are not paused at once: a person who saves many files while short runs follow each other closely looks
    /// the same. Only once no run is left do the two differ: a loop ends, a person continues.
    suspected: HashMap<AutomationId, String>,
    /// The content for which an automation last ran, by automation and file.
    answered: HashMap<(AutomationId, String), Option<Fingerprint>>,
}

/// When a run was running.
#[derive(Debug)]
struct RunSpan {
    chain: Chain,
    /// The files or the repository the run is about, and how many rounds led to it.
    about: Option<(BTreeSet<String>, u32)>,
    is_agent: bool,
    tools: ToolActivity,
    since: (Instant, SystemTime),
    until: Option<(Instant, SystemTime)>,
}

/// A change that did not trigger an automation because a run of it may have made the change.
#[derive(Debug)]
struct Held {
    hook: AutomationId,
    kind: OccurrenceKind,
    at: SystemTime,
    content: Option<Fingerprint>,
    chain: Chain,
    runs: Vec<ExecutionId>,
}

/// The runs that may have made a change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Causes {
    /// Empty for a change by a person.
    pub(crate) runs: Vec<ExecutionId>,
    /// The longest of their chains.
    pub(crate) chain: Chain,
    /// The automations of all their chains.
    pub(crate) may_have_caused: Vec<AutomationId>,
}

/// The files as they are now.
pub(crate) trait FilesNow {
    /// Returns the content of the file of a change. Returns `None` if there is no file to compare.
    fn content(&self, kind: &OccurrenceKind) -> Option<Fingerprint>;

    /// Returns when the files were written that are about to trigger this automation.
    fn unsettled(&mut self, hook: &AutomationId) -> Vec<SystemTime>;
}

/// The author of a held change, as far as the evidence goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Author {
    Run,
    Person,
    Unknown,
}

/// The decision about a held change.
#[derive(Debug, PartialEq)]
pub(crate) enum Ruling {
    /// The run made it.
    Refuse { hook: AutomationId, kind: OccurrenceKind, chain: Chain },
    /// A person may have made it: the automation runs for it.
    RunOnce { hook: AutomationId, kind: OccurrenceKind, round: u32 },
    /// The automation triggered itself too often.
    Pause { hook: AutomationId, why: String },
}

impl Authorship {
    /// Notes which runs are running now.
    pub(crate) fn update(&mut self, active: impl Iterator<Item = ActiveRun>, now: (Instant, SystemTime)) {
        let mut running = Vec::new();
        for run in active {
            let before = now.0.saturating_duration_since(run.since);
            let wall = now.1.checked_sub(before).unwrap_or(now.1);
            let span = self.runs.entry(run.id.clone()).or_insert_with(|| RunSpan {
                chain: run.chain,
                about: run.cause.map(|cause| (subjects(&cause), cause.round)),
                is_agent: run.is_agent,
                tools: ToolActivity::default(),
                since: (run.since, wall),
                until: None,
            });
            // Another attempt of the same run.
            span.until = None;
            running.push(run.id);
        }
        for (id, span) in &mut self.runs {
            if span.until.is_none() && !running.contains(id) {
                span.until = Some(now);
            }
        }
        let held = &self.held;
        self.runs.retain(|id, span| {
            span.until.is_none_or(|(at, _)| now.0 < at + REMEMBERED)
                || held.iter().any(|it| it.runs.contains(id))
        });
    }

    /// Notes a hook event that an agent program of these runs recorded.
    pub(crate) fn note_hook(&mut self, mark: &HookMark) {
        let spans = self.runs.values_mut().filter(|span| span.chain == mark.chain);
        for span in spans.filter(|span| span.lasts_at(mark.at)) {
            span.tools.note(mark);
        }
    }

    /// Returns the runs that may have made a change at this time; no run for a person's change.
    pub(crate) fn of(&self, at: SystemTime) -> Causes {
        let mut causes = Causes::default();
        for (id, span) in self.runs.iter().filter(|(_, span)| span.lasts_at(at)) {
            causes.runs.push(id.clone());
            causes.may_have_caused.extend(span.chain.ids().iter().cloned());
            if span.chain.depth() > causes.chain.depth() {
                causes.chain = span.chain.clone();
            }
        }
        causes
    }

    /// Notes that automations run for this.
    pub(crate) fn answered(
        &mut self,
        hooks: &[AutomationId],
        kind: &OccurrenceKind,
        content: Option<&Fingerprint>,
    ) {
        for hook in hooks {
            self.answered.insert((hook.clone(), subject(kind)), content.copied());
        }
    }

    /// Notes that a person's change triggered these automations, which ends every row of rounds.
    pub(crate) fn by_person(&mut self, hooks: &[AutomationId], kind: &OccurrenceKind) {
        self.rounds.end(hooks, &subject(kind));
        self.suspected.retain(|hook, _| !hooks.contains(hook));
    }

    /// Holds a change at this time for automations that may have led to it, until these runs have ended.
    pub(crate) fn hold(
        &mut self,
        hooks: Vec<AutomationId>,
        (kind, at): (&OccurrenceKind, SystemTime),
        content: Option<&Fingerprint>,
        causes: &Causes,
    ) {
        for hook in hooks {
            // The latest of several saves of a file replaces the others; commits are kept apart.
            let is_same = |it: &Held| it.hook == hook && it.kind == *kind;
            self.held.retain(|it| !is_same(it));
            let chains = causes.runs.iter().filter_map(|id| self.runs.get(id)).map(|it| &it.chain);
            let chain = chains.into_iter().find(|it| it.ids().contains(&hook)).cloned();
            self.held.push(Held {
                chain: chain.unwrap_or_else(|| causes.chain.clone()),
                hook,
                kind: kind.clone(),
                at,
                content: content.copied(),
                runs: causes.runs.clone(),
            });
        }
    }

    /// Decides about every held change whose runs have ended long enough ago.
    pub(crate) fn rule(&mut self, moment: Instant, files: &mut dyn FilesNow) -> Vec<Ruling> {
        let held = std::mem::take(&mut self.held);
        let is_due = |it: &Held| {
            !self.suspected.contains_key(&it.hook) && self.due(it).is_some_and(|due| due <= moment)
        };
        let (due, held): (Vec<Held>, Vec<Held>) = held.into_iter().partition(is_due);
        self.held = held;
        let mut rulings = Vec::new();
        for held in due {
            if self.suspected.contains_key(&held.hook) {
                self.held.push(held);
            } else {
                rulings.extend(self.rule_on(held, files));
            }
        }
        rulings.extend(self.rule_on_suspected(moment, files));
        rulings
    }

    /// Pauses the suspected automations whose files have not changed since their last run, and clears the others.
    fn rule_on_suspected(&mut self, moment: Instant, files: &mut dyn FilesNow) -> Vec<Ruling> {
        let mut rulings = Vec::new();
        for (hook, why) in std::mem::take(&mut self.suspected) {
            let Some((_, end)) = self.at_rest_since(&hook).filter(|(end, _)| *end + OBSERVED <= moment)
            else {
                self.suspected.insert(hook, why);
                continue;
            };
            let by_other = |at: &SystemTime| *at > end && self.of(*at).runs.is_empty();
            if !files.unsettled(&hook).iter().any(by_other) {
                self.held.retain(|it| it.hook != hook);
                rulings.push(Ruling::Pause { hook, why });
            }
        }
        rulings
    }

    /// Returns when the last run ended that an automation led to; `None` while one is running.
    fn at_rest_since(&self, hook: &AutomationId) -> Option<(Instant, SystemTime)> {
        let spans = self.runs.values().filter(|it| it.chain.ids().contains(hook));
        let ends: Option<Vec<_>> = spans.map(|it| it.until).collect();
        ends?.into_iter().max()
    }

    /// Returns when the next held change is due, as far as its runs have ended.
    pub(crate) fn next(&self) -> Option<Instant> {
        self.held.iter().filter_map(|it| self.due(it)).min()
    }

    /// Takes all held changes, each as a run of its automation: the server stops and cannot wait for the end
    /// of runs. The evidence so far decides.
    pub(crate) fn release(&mut self) -> Vec<Ruling> {
        let held = std::mem::take(&mut self.held);
        let run = |held: Held| {
            let is_own = self.author(&held) == Author::Run;
            (!is_own).then_some(Ruling::RunOnce { hook: held.hook, kind: held.kind, round: 0 })
        };
        held.into_iter().filter_map(run).collect()
    }

    /// Returns when a held change is decided; `None` while a run of it is running.
    fn due(&self, held: &Held) -> Option<Instant> {
        if self.suspected.contains_key(&held.hook) {
            return self.at_rest_since(&held.hook).map(|(end, _)| end + OBSERVED);
        }
        let ends: Option<Vec<Instant>> =
            self.spans(held).iter().map(|span| span.until.map(|(moment, _)| moment)).collect();
        let pause = self.rounds.pause_after(&(held.hook.clone(), subject(&held.kind)));
        ends?.into_iter().max().map(|end| end + pause)
    }

    fn spans(&self, held: &Held) -> Vec<&RunSpan> {
        held.runs.iter().filter_map(|id| self.runs.get(id)).collect()
    }

    /// Returns who made a held change.
    fn author(&self, held: &Held) -> Author {
        let spans = self.spans(held);
        let of_hook = || spans.iter().filter(|it| it.chain.ids().last() == Some(&held.hook));
        let key = (held.hook.clone(), subject(&held.kind));
        let is_known = |it: &RunSpan| self.rounds.has_row(&key) || it.is_of(&key.0, &key.1);
        if of_hook().filter(|it| it.is_agent).any(|it| it.agent_wrote(held.at, is_known(it))) {
            return Author::Run;
        }
        let is_between_tools = |it: &&RunSpan| it.is_agent && it.tools.covers(held.at) == Some(false);
        if spans.iter().all(is_between_tools) { Author::Person } else { Author::Unknown }
    }

    fn rule_on(&mut self, held: Held, files: &dyn FilesNow) -> Option<Ruling> {
        let key = (held.hook.clone(), subject(&held.kind));
        let now = files.content(&held.kind);
        let is_answered = now.is_some() && self.answered.get(&key) == Some(&now);
        // A file that differs from its state at the end of the run was saved since; that is another occurrence.
        let is_over =
            matches!(held.kind, OccurrenceKind::FileSaved { .. } | OccurrenceKind::SpecStatus { .. })
                && now != held.content;
        if is_answered || is_over {
            return None;
        }
        let spans = self.spans(&held);
        let own = || spans.iter().filter(|it| it.is_of(&key.0, &key.1));
        let of_hook = || spans.iter().filter(|it| it.chain.ids().last() == Some(&key.0));
        // What an agent program writes without a record leads to another file at most once.
        let agents = of_hook().filter(|it| it.is_agent);
        let round = own().chain(agents).filter_map(|it| it.about.as_ref()).map(|(_, round)| round + 1).max();
        // A run of another automation beside it says nothing about the point of its own run.
        let position = own().chain(of_hook()).chain(&spans).find_map(|it| it.position(held.at));
        let round = match self.author(&held) {
            Author::Run => {
                return Some(Ruling::Refuse { hook: held.hook, kind: held.kind, chain: held.chain });
            }
            Author::Person => {
                self.rounds.end(std::slice::from_ref(&key.0), &key.1);
                0
            }
            Author::Unknown => match self.rounds.count(&key, position, &held.runs) {
                Consequence::Run => round.unwrap_or(0),
                Consequence::Own => {
                    return Some(Ruling::Refuse { hook: held.hook, kind: held.kind, chain: held.chain });
                }
                Consequence::Pause(why) => {
                    self.suspected.insert(held.hook.clone(), why);
                    self.held.push(held);
                    return None;
                }
            },
        };
        self.answered.insert(key, now);
        Some(Ruling::RunOnce { hook: held.hook, kind: held.kind, round })
    }
}

impl RunSpan {
    fn lasts_at(&self, at: SystemTime) -> bool {
        at + TICK >= self.since.1 && self.until.is_none_or(|(_, until)| at <= until)
    }

    /// Returns whether this is a run of an automation about this file or repository.
    fn is_of(&self, hook: &AutomationId, about: &str) -> bool {
        self.chain.ids().last() == Some(hook) && self.about.as_ref().is_some_and(|(it, _)| it.contains(about))
    }

    /// Returns whether its agent program made the change at this time; `is_known` if the file also changed during a run
    /// before it.
    ///
    /// Without recorded hooks nothing tells the agent from its user, who continues to edit. So the changes during a run
    /// for a person's save may be either's. An agent that runs again writes its files again, so those that it had not
    /// changed before may be either's, too, for a few rounds: it may write a new file in every run.
    fn agent_wrote(&self, at: SystemTime, is_known: bool) -> bool {
        let round = self.about.as_ref().map_or(0, |(_, round)| *round);
        self.tools.covers(at).unwrap_or(round > 0 && (is_known || round > MAX_AGENT_ROUNDS))
    }

    fn position(&self, at: SystemTime) -> Option<Position> {
        let (_, until) = self.until?;
        let between = |from: SystemTime, to: SystemTime| to.duration_since(from).unwrap_or_default();
        Some(Position { after_start: between(self.since.1, at), before_end: between(at, until) })
    }
}

/// Returns the files or the repository that a run is about.
fn subjects(cause: &Occurrence) -> BTreeSet<String> {
    let mut subjects = cause.files.clone();
    subjects.insert(subject(&cause.kind));
    subjects
}

/// Returns the file or the repository of a change.
fn subject(kind: &OccurrenceKind) -> String {
    match kind {
        OccurrenceKind::FileSaved { path }
        | OccurrenceKind::FileWillBeSaved { path }
        | OccurrenceKind::FileCreated { path }
        | OccurrenceKind::FileDeleted { path }
        | OccurrenceKind::SpecStatus { path, .. } => path.clone(),
        // The same for both directions: a run may rename back what the run before it renamed.
        OccurrenceKind::FileRenamed { path, old_path } => path.min(old_path).clone(),
        OccurrenceKind::Commit { repo_root, .. } => repo_root.clone(),
        OccurrenceKind::Operation { .. }
        | OccurrenceKind::Host { .. }
        | OccurrenceKind::Scheduled { .. }
        | OccurrenceKind::Custom { .. } => kind.to_string(),
    }
}

#[cfg(test)]
mod tests;
