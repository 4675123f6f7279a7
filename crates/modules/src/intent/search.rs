//! Searches the workspace for files that changed although no call named them, and judges them.
//!
//! A search covers the call that ended, and all that is still open: calls whose end the host did not report, and jobs that an
//! earlier command left in the background. Changes out of scope are judged first. If the time is up before all changes
//! in scope are traced, the next event continues.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::time::{Duration, Instant};

use event::RepoPath;
use intent::journal::{ScanEnded, ScanIncomplete};
use intent::trace::{GitIndex, PendingFile, TraceLog};
use intent::{
    Baseline, Changes, Coverage, FileSystemTime, FolderRecord, Intent, LeftChanges, Limits, OpenSince,
    OwnFiles, ScanStart, Watched,
};

use super::drift::{self, Drifts};
use super::emitted;
use super::judging::Judge;
use super::other_writers::OtherWriters;
use super::scan_records::{self, ScanRecords};
use super::settling::{Settled, Settling};
use super::staged_changes;
use crate::Context;

/// Git's index, as a report names it.
const GIT_INDEX: &str = ".git/index";

/// The most folders in a record.
const MAX_NAMED: usize = 20;

/// The longest search, however large the budget of the event is.
const LONGEST: Duration = Duration::from_secs(2);

/// The changes that a search looks for.
pub(super) struct Search<'a> {
    /// The intent in force.
    pub(super) intent: Option<&'a Intent>,
    /// The moment since which changes are the call's own; `None` to look only for those that are open.
    pub(super) since: Option<FileSystemTime>,
    /// Whether every file counts as changed that is not as git has it: records from before are gone.
    pub(super) everything: bool,
    /// The watched files before the call.
    pub(super) watched: Option<&'a Watched>,
    /// The files that the call names, which are reported already.
    pub(super) named: &'a [PendingFile],
    /// The files that the call names and that there was no time to report.
    pub(super) left_named: &'a [String],
    /// The tool, for the trace.
    pub(super) tool: &'a str,
    /// The changes that stay open after this search.
    pub(super) leaves_open: Option<OpenSince>,
    /// Whether changes in scope are traced: between two turns they are most likely a person's.
    pub(super) traces: bool,
}

/// The state that the next search begins with; `conclude` writes it.
#[derive(Debug)]
pub(super) struct Searched {
    pub(super) coverage: Coverage,
    pub(super) folders: Option<FolderRecord>,
    /// The hash of the present record of the folders.
    pub(super) folders_hash: Option<String>,
}

impl Searched {
    /// Returns the search's line for the journal.
    pub(super) fn record(&self) -> ScanEnded {
        let folders = self.folders.as_ref().map(FolderRecord::hash).or_else(|| self.folders_hash.clone());
        ScanEnded { coverage: self.coverage.hash(), folders }
    }
}

impl<'a> Search<'a> {
    /// Looks for open changes when no call ended, and traces those in scope.
    pub(super) fn without_call(intent: Option<&'a Intent>, tool: &'a str) -> Self {
        Self {
            intent,
            since: None,
            everything: false,
            watched: None,
            named: &[],
            left_named: &[],
            tool,
            leaves_open: None,
            traces: true,
        }
    }

    /// Searches, adds lines for the trace to `settled` and changes out of scope to `drifts`. Returns `None` if there
    /// was nothing to search for.
    pub(super) fn run(
        self,
        settling: &mut Settling<'_>,
        settled: &mut Settled,
        drifts: &mut Drifts,
    ) -> Option<Searched> {
        let context = settling.rules.context;
        let ScanRecords { coverage, folders: known_folders, forged } = scan_records::read(context);
        // A turn may end several calls: each search continues the one before.
        let previous = settling.searched.take();
        let is_first = previous.is_none();
        let (mut coverage, new_folders) =
            previous.map_or((coverage, None), |previous| (previous.coverage, previous.folders));
        for what in &forged {
            settling.forged(what, "it differs from the version that a search wrote");
        }
        let mut starts = coverage.starts(self.since);
        if self.everything || !forged.is_empty() {
            starts.push(ScanStart::everything());
        }
        let left = std::mem::take(&mut coverage.left);
        let (record, folders_hash) = known_folders.unzip();
        if starts.is_empty() && left.is_empty() && self.left_named.is_empty() {
            let changed = coverage.open != self.leaves_open;
            coverage.open = self.leaves_open;
            let is_new = changed || !is_first;
            return is_new.then_some(Searched { coverage, folders: new_folders, folders_hash });
        }
        let before = self.watched_since(&coverage);
        let before = before.as_ref().or(self.watched);
        let index_before = before.and_then(|before| {
            let link = context.session.index_link(before.index_name()?);
            before.replaced_index(context.workspace.root(), link.as_path())
        });
        let walked = (!starts.is_empty())
            .then(|| self.walk(settling, &mut starts, before, record.as_ref(), index_before.as_ref()));
        let began = walked.as_ref().map_or(FileSystemTime::START, |(began, _)| *began);
        let mut changes = walked.map(|(_, changes)| changes).unwrap_or_default();
        if let Some(before) = before {
            compare_records(settling, before, &changes.watched);
        }
        changes.forget(|path, at| coverage.has_judged(path, at));
        let since = starts.iter().map(|start| start.since).min().unwrap_or(FileSystemTime::START);
        let named: HashSet<&str> = self.named.iter().map(|file| file.real.as_str()).collect();
        let own = self.found(settling, &changes, &named, since, before);
        let n_changed = own.n_unjudged();
        if let (Some(intent), Some(index_before)) = (self.intent, &index_before) {
            let now = changes.index.get_or_insert_with(|| GitIndex::of(settling.scope.root()));
            staged_changes::report(settling, intent, index_before, now, since, drifts);
        }
        let mut rest = Vec::new();
        if n_changed + changes.ignored_folders.len() + left.len() > 0 {
            let index = changes.index.take().unwrap_or_else(|| GitIndex::of(settling.scope.root()));
            let others = OtherWriters::of(context, index);
            for left in left {
                let intent = left.by.intent_id.as_ref().and_then(|id| settling.rules.find(id).ok().flatten());
                let tool = left.by.tool.clone();
                let judge = Judge {
                    intent: intent.as_deref(),
                    tool: &tool,
                    named: &HashSet::new(),
                    before: None,
                    changes: None,
                    sparse_changed: false,
                    traces: true,
                    others: &others,
                    entries: OnceCell::new(),
                };
                rest.push(judge.run(left, settling, settled, drifts));
            }
            let sparse = before.is_some_and(|before| before.has_other_sparse_checkout(&changes.watched));
            let judge = Judge {
                intent: self.intent,
                tool: self.tool,
                named: &named,
                before,
                changes: Some(&changes),
                sparse_changed: sparse,
                traces: self.traces,
                others: &others,
                entries: OnceCell::new(),
            };
            rest.push(judge.run(own, settling, settled, drifts));
            settling.trace_length = Some(others.trace_length());
            if others.has_forged_claim() {
                settling.forged("intent/pending-calls", "no journal has a stored call");
            }
            if others.has_forged_line() {
                settling.forged(TraceLog::PATH, "a line of the trace is in no journal");
            }
        }
        self.report_incomplete(settling, &changes, n_changed, &rest, drifts);
        coverage.scanned(&starts, began, &changes.unvisited);
        for left in rest {
            coverage.leave_changes(left);
        }
        if starts.is_empty() {
            coverage.open = self.leaves_open;
            return Some(Searched { coverage, folders: new_folders, folders_hash });
        }
        coverage.judged(&changes.times);
        coverage.watched = self.leaves_open.is_some().then_some(changes.watched);
        coverage.open = self.leaves_open;
        coverage.keep_before(before, context.workspace.root(), &drift::decisive_files(context.workspace));
        let folders = changes.places.filter(|places| record.as_ref() != Some(places)).or(new_folders);
        Some(Searched { coverage, folders, folders_hash })
    }

    /// Returns the watched files at the oldest open moment.
    fn watched_since(&self, coverage: &Coverage) -> Option<Watched> {
        let before = coverage.watched.clone().filter(|_| coverage.open.is_some());
        let only_git = self.watched.is_some_and(Watched::is_moved_by_git);
        before.map(|before| if only_git { before.moved_by_git() } else { before })
    }

    /// Returns the changes that the search found.
    fn found(
        &self,
        settling: &Settling<'_>,
        changes: &Changes,
        named: &HashSet<&str>,
        since: FileSystemTime,
        before: Option<&Watched>,
    ) -> LeftChanges {
        let mut own = LeftChanges::none(self.call(settling), nanoseconds(since));
        let found = changes.files.iter().map(RepoPath::as_str).filter(|file| !named.contains(file));
        own.files = found.map(str::to_owned).chain(self.left_named.iter().cloned()).collect();
        own.folders.clone_from(&changes.folders);
        own.new_folders.clone_from(&changes.new_folders);
        own.changed_folders.clone_from(&changes.changed_folders);
        if is_index_overwritten(settling.rules.context, before) {
            own.files.push(GIT_INDEX.to_owned());
        }
        own
    }

    /// Records the folders that the search had no time for.
    fn report_incomplete(
        &self,
        settling: &mut Settling<'_>,
        changes: &Changes,
        n_changed: usize,
        rest: &[LeftChanges],
        drifts: &mut Drifts,
    ) {
        let n_unvisited = changes.unvisited.len();
        let n_unjudged = rest.iter().map(LeftChanges::n_unjudged).sum();
        let n_untraced = rest.iter().map(|left| left.untraced.len()).sum();
        let is_incomplete = n_unvisited + n_unjudged + n_untraced > 0;
        drifts.incomplete |= is_incomplete;
        drifts.unjudged |= n_unvisited + n_unjudged > 0;
        if is_incomplete {
            let unvisited = changes.unvisited.iter().take(MAX_NAMED);
            settling.events.push(emitted(&ScanIncomplete {
                intent_id: self.intent.map(|intent| intent.id.clone()),
                n_entries: changes.n_entries,
                n_changed,
                n_unjudged,
                n_untraced,
                n_unvisited,
                unvisited: unvisited.map(|start| format!("{}/", start.folder)).collect(),
            }));
        }
    }

    /// Walks the workspace from these moments; returns when it began.
    fn walk(
        &self,
        settling: &mut Settling<'_>,
        starts: &mut Vec<ScanStart>,
        before: Option<&Watched>,
        record: Option<&FolderRecord>,
        index: Option<&GitIndex>,
    ) -> (FileSystemTime, Changes) {
        let context = settling.rules.context;
        // The one write while judging: the clock of the file system is read by writing.
        let clock = context.session.scan_clock();
        let can_write = context.workspace.check_way_to(&clock).is_ok();
        let began =
            can_write.then(|| FileSystemTime::mark(&clock).ok()).flatten().unwrap_or(FileSystemTime::START);
        if self.since.is_some_and(|since| since > began && began != FileSystemTime::START) {
            settling.forged("the clock", "it was set back while a call ran, so that new files look old");
            starts.push(ScanStart::everything());
        }
        let own = &OwnFiles::of(context.workspace);
        let baseline = Baseline { watched: before, folders: record, index, intent: self.intent, own };
        // Half of the remaining time for the search, the rest for judging, tracing and the answer.
        let time = (context.deadline.left(Instant::now()) / 2).min(LONGEST);
        (began, Changes::since(starts, &settling.scope, &baseline, Limits { time, ..Limits::default() }))
    }

    /// Returns the call that is searched for.
    fn call(&self, settling: &Settling<'_>) -> OpenSince {
        OpenSince {
            intent_id: self.intent.map(|intent| intent.id.clone()),
            tool: self.tool.to_owned(),
            agent: settling.rules.context.ids.agent.to_string(),
            background: false,
        }
    }
}

/// Reports a selection and a trace that changed since `before` although only steersman writes them.
fn compare_records(settling: &mut Settling<'_>, before: &Watched, now: &Watched) {
    if before.has_other_selection(now) {
        settling.other_selection();
    }
    if before.has_lost_trace(now, settling.rules.context.workspace.root()) {
        settling.forged(TraceLog::PATH, "lines were removed, or something else took its place");
    }
}

/// Returns whether a program other than git wrote git's index since a call began.
fn is_index_overwritten(context: &Context<'_>, before: Option<&Watched>) -> bool {
    before.is_some_and(|before| {
        let link = before.index_name().map(|name| context.session.index_link(name));
        link.is_some_and(|link| before.was_index_overwritten(context.workspace.root(), link.as_path()))
    })
}

fn nanoseconds(moment: FileSystemTime) -> u64 {
    u64::try_from(moment.nanoseconds()).unwrap_or(u64::MAX)
}
