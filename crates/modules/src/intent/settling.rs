//! Compares the files of an ended call with the planned changes: lines for the trace and the journal, text for the model.

use std::cell::OnceCell;
use std::io;
use std::time::{Duration, Instant};

use event::{AbsPath, Access, ContextNote, ToolCall, ToolKind};
use intent::journal::{FileDeleted, FileUntraced, FileWritten, WriteConflict};
use intent::trace::{Before, LineMarks, PendingCall, PendingFile, TraceRecord, file_change, git_head};
use intent::{ContentHash, FileSystemTime, Intent, IntentId, IntentsFile, OpenSince, Reach, Scope, Target};
use session::Emitted;
use session::person::PersonChanges;

use super::after::{Rejected, Report};
use super::drift::Drifts;
use super::governance::Governance;
use super::search::{Search, Searched};
use super::{NAME, after, drift, emitted, forged, scan_records};
use crate::carryover::Carryover;
use crate::{Action, Context};

/// The report of a call.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// The call, if its planned changes are stored.
    pub(super) key: Option<String>,
    /// Lines for the trace.
    pub(super) records: Vec<TraceRecord>,
    /// The agent's new knowledge of files.
    pub(super) seen: Vec<Seen>,
}

/// An agent's knowledge of a file after a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Seen {
    /// Its content.
    AsItIs(AbsPath),
    /// The written content, which differs from that on disk.
    AsWritten(AbsPath, ContentHash),
    /// It was deleted.
    Gone(AbsPath),
}

/// The reports of ended calls.
pub(super) struct Settling<'a> {
    pub(super) rules: &'a Governance<'a>,
    pub(super) scope: Scope,
    pub(super) events: Vec<Emitted>,
    /// The state that the next search begins with.
    pub(super) searched: Option<Searched>,
    /// The calls that were open when the event came.
    pub(super) open: Option<OpenSince>,
    /// The length of the trace when a search read it.
    pub(super) trace_length: Option<u64>,
    /// The files of a person that a command of the agent changed.
    rejected: Rejected,
    /// How long it took to trace files so far.
    pub(super) traced_for: Duration,
    /// Whether earlier searches left something to visit, to judge or to trace.
    has_leftovers: bool,
    /// The checked-out commit.
    head: OnceCell<Option<String>>,
    notes: Vec<ContextNote>,
}

/// With less time left, nothing more is reported.
const MIN_FOR_ANSWER: Duration = Duration::from_millis(60);

/// Enough time to write any number of reports that fits into the rest.
const MAX_FOR_ANSWER: Duration = Duration::from_secs(1);

impl Settled {
    /// Adds files that the agent has seen.
    pub(super) fn also_saw(mut self, files: Vec<AbsPath>) -> Self {
        self.seen.extend(files.into_iter().map(Seen::AsItIs));
        self
    }
}

impl<'a> Settling<'a> {
    pub(super) fn new(rules: &'a Governance<'a>) -> Self {
        let coverage = scan_records::coverage(rules.context);
        Self {
            rules,
            scope: rules.scope(),
            events: Vec::new(),
            searched: None,
            has_leftovers: !coverage.has_finished(),
            open: coverage.open,
            trace_length: None,
            rejected: Rejected::default(),
            traced_for: Duration::ZERO,
            head: OnceCell::new(),
            notes: Vec::new(),
        }
    }

    /// Returns whether the rest of the time is needed to write the reports and to answer: a part of the budget, and as
    /// long as it took to make the reports.
    pub(super) fn is_late(&self) -> bool {
        let deadline = self.rules.context.deadline;
        let for_answer = (deadline.budget() / 5).clamp(MIN_FOR_ANSWER, MAX_FOR_ANSWER);
        deadline.left(Instant::now()) < for_answer + self.traced_for
    }

    /// Returns the reports as an action, with what `conclude` writes.
    pub(super) fn action(mut self, settled: Vec<Settled>) -> Action {
        for record in self.rules.forgeries() {
            self.notes.push(forged::note(&record));
            self.events.push(emitted(&record));
        }
        self.events.extend(self.searched.as_ref().map(|searched| emitted(&searched.record())));
        let report = Report {
            settled,
            searched: self.searched,
            trace_length: self.trace_length,
            rejected: self.rejected,
        };
        Action {
            emit_events: self.events,
            additional_context: self.notes,
            carryover: Carryover::of(report),
            ..Action::default()
        }
    }

    /// Reports a call with stored planned changes; `since` is when it began, or an older moment that is still open.
    pub(super) fn settle(
        &mut self,
        key: Option<String>,
        call: &PendingCall,
        since: Option<FileSystemTime>,
        announced: Option<&str>,
    ) -> Settled {
        let mut settled = Settled { key, ..Settled::default() };
        // The intent counts even if it was completed or removed in the meantime.
        let intent = call.intent_id.as_ref().and_then(|id| self.rules.find(id).ok().flatten());
        let mut drifts = Drifts::default();
        let mut left_named = Vec::new();
        if let Some(intent) = &intent {
            let n_written = call.files.iter().filter(|file| file.access == Access::Write).count();
            let announced = announced.filter(|_| n_written == 1);
            for file in &call.files {
                if self.is_late() {
                    left_named.push(file.real.clone());
                    continue;
                }
                let began = Instant::now();
                self.file(file, intent, &call.tool, announced, &mut settled, &mut drifts);
                self.traced_for += began.elapsed();
            }
        }
        let everything = call.lost_records || self.rules.lost_records().is_some();
        if since.is_some() || everything || self.must_continue() || !left_named.is_empty() {
            let search = Search {
                intent: intent.as_deref(),
                since,
                everything,
                watched: call.watched.as_ref(),
                named: &call.files,
                left_named: &left_named,
                tool: &call.tool,
                leaves_open: self.left_open_by(call),
                traces: true,
            };
            self.searched = search.run(self, &mut settled, &mut drifts);
        }
        self.report(drifts, call.intent_id.clone());
        settled
    }

    /// Reports the changes that are still open, without a call that ended. `stays_open` tells whether they stay so.
    pub(super) fn settle_open(&mut self, open: &OpenSince, stays_open: bool, traces: bool) -> Settled {
        let intent = open.intent_id.as_ref().and_then(|id| self.rules.find(id).ok().flatten());
        let leaves_open = stays_open.then(|| open.clone());
        let search = Search { leaves_open, traces, ..Search::without_call(intent.as_deref(), &open.tool) };
        self.search(search, open.intent_id.clone())
    }

    /// Returns whether an earlier search left something, and no search of this event has continued it.
    pub(super) fn must_continue(&self) -> bool {
        self.has_leftovers && self.searched.is_none()
    }

    /// Continues what earlier searches left, without a call that ended.
    pub(super) fn settle_leftovers(&mut self) -> Settled {
        let intent = after::intent_now(self.rules);
        let search = Search::without_call(intent.as_deref(), "");
        self.search(search, intent.as_ref().map(|intent| intent.id.clone()))
    }

    /// Reports a record that another program changed, once per session.
    pub(super) fn forged(&mut self, what: &str, why: &str) {
        if let Some(record) = forged::reported_once(self.rules.context, what, why) {
            self.notes.push(forged::note(&record));
            self.events.push(emitted(&record));
        }
    }

    /// Reports that the workspace's selected intent changed during a call, unless a person selected it.
    pub(super) fn other_selection(&mut self) {
        let Context { workspace, user_state, .. } = *self.rules.context;
        if !user_state.is_some_and(|state| PersonChanges::read(workspace, state).made_selection(workspace)) {
            self.rejected.selection = true;
            self.forged(".ai/tmp/intent.json", "a command of the agent selected an intent");
        }
    }

    /// Reports a call whose stored record another program changed: everything since it began is searched.
    pub(super) fn settle_forged(
        &mut self,
        key: Option<String>,
        call: &PendingCall,
        since: FileSystemTime,
    ) -> Settled {
        let call = PendingCall { changes_more: true, watched: None, ..call.clone() };
        self.settle(key, &call, Some(since), None)
    }

    /// Reports every file that git does not know as it is: the records from before the call are gone.
    pub(super) fn settle_everything(&mut self, tool: &str) -> Settled {
        let intent = after::intent_now(self.rules);
        // Nothing says any more who selected it.
        self.rejected.selection = true;
        let search =
            Search { everything: true, traces: false, ..Search::without_call(intent.as_deref(), tool) };
        self.search(search, intent.as_ref().map(|intent| intent.id.clone()))
    }

    /// Runs a search that belongs to no ended call and reports the changes out of scope.
    fn search(&mut self, search: Search<'_>, intent_id: Option<IntentId>) -> Settled {
        let (mut settled, mut drifts) = (Settled::default(), Drifts::default());
        self.searched = search.run(self, &mut settled, &mut drifts);
        self.report(drifts, intent_id);
        settled
    }

    /// Returns the moment from which changes stay open after a call: a job that it may have left in the background.
    fn left_open_by(&self, call: &PendingCall) -> Option<OpenSince> {
        if !call.changes_more {
            return self.open.clone();
        }
        let background = call.background || self.open.as_ref().is_some_and(|open| open.background);
        let PendingCall { intent_id, tool, agent, .. } = call.clone();
        Some(OpenSince { intent_id, tool, agent, background })
    }

    fn report(&mut self, drifts: Drifts, intent_id: Option<IntentId>) {
        let unjudged = drifts.unjudged;
        if let Some(record) = drifts.record(intent_id, &self.scope) {
            self.rejected.intents |= record.files.iter().any(|it| it.file == IntentsFile::PATH)
                && !drift::is_as_committed(self.scope.root(), IntentsFile::PATH);
            let workspace = self.rules.context.workspace;
            let root = self.scope.root();
            let is_settings = |file: &str| file != IntentsFile::PATH && drift::is_decisive(workspace, file);
            self.rejected.settings |= record
                .files
                .iter()
                .any(|it| is_settings(&it.file) && !drift::is_as_committed(root, &it.file));
            self.notes.push(drift::note(&record));
            self.events.push(emitted(&record));
        } else if unjudged {
            self.notes.push(drift::unsearched_note());
        }
    }

    /// Reports a call without a start event, as far as its input names the changes.
    pub(super) fn settle_untold(&mut self, call: &ToolCall) -> Settled {
        let writes: Vec<_> = call.touches.iter().filter(|touch| touch.access != Access::Read).collect();
        // Before the intent is read: most calls write nothing.
        if writes.is_empty() || call.kind == ToolKind::Shell {
            return Settled::default();
        }
        let Some(intent) = after::intent_now(self.rules) else { return Settled::default() };
        let folder = self.rules.folder();
        let mut drifts = Drifts::default();
        let mut files = Vec::new();
        for touch in writes {
            let target = Target::new(&touch.path, &folder, touch.access, Reach::Itself);
            match self.scope.check(&target, &intent) {
                Ok(located) => files.push(PendingFile {
                    written: located.written.as_str().to_owned(),
                    real: located.real.as_str().to_owned(),
                    access: touch.access,
                    before: Before::Unknown,
                }),
                Err(violation) => drifts.add(violation),
            }
        }
        self.report(drifts, Some(intent.id.clone()));
        let pending = PendingCall {
            intent_id: Some(intent.id.clone()),
            agent: self.rules.context.ids.agent.to_string(),
            tool: call.name.clone(),
            changes_more: false,
            background: false,
            lost_records: false,
            watched: None,
            files,
        };
        self.settle(None, &pending, None, call.content.as_deref())
    }

    fn file(
        &mut self,
        file: &PendingFile,
        intent: &Intent,
        tool: &str,
        announced: Option<&str>,
        settled: &mut Settled,
        drifts: &mut Drifts,
    ) {
        if file.access == Access::CreateDir {
            return;
        }
        let root = self.scope.root().clone();
        // A link may have been created between the check and the write.
        let target = Target::new(&file.written, &root, file.access, Reach::Itself);
        if let Err(violation) = self.scope.check(&target, intent) {
            drifts.add(violation);
            return;
        }
        let path = root.join(&file.real);
        if path.as_path().symlink_metadata().is_err() {
            self.deleted(file, intent, &path, settled);
            return;
        }
        let now = match file_change(&path, &file.before, announced) {
            Ok(Some(now)) => now,
            Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
                let (intent_id, file) = (intent.id.clone(), file.real.clone());
                return self.events.push(emitted(&FileUntraced { intent_id, file }));
            }
            _ => return,
        };
        let Ok(real) = path.below(&root) else { return };
        if now.conflict
            && let Some(text) = announced
        {
            let announced = ContentHash::of(text.as_bytes());
            let found = now.content_hash.clone();
            let record =
                WriteConflict { intent_id: intent.id.clone(), file: file.real.clone(), announced, found };
            self.notes.push(conflict_note(&record));
            settled.seen.push(Seen::AsWritten(path, record.announced.clone()));
            self.events.push(emitted(&record));
        } else {
            settled.seen.push(Seen::AsItIs(path));
        }
        let before = match &file.before {
            Before::Content(content) => Some(ContentHash::of(content)),
            Before::Absent | Before::Unknown => None,
        };
        let (hunks, marks) = (now.hunks.as_deref().and_then(FileWritten::kept), now.marks.clone());
        let record = self.record(intent, &real, tool, now);
        self.events.push(emitted(&FileWritten {
            intent_id: intent.id.clone(),
            file: file.real.clone(),
            class: record.mutation_class,
            before,
            after: record.content_hash.clone(),
            hunks,
            marks: marks.as_ref().and_then(LineMarks::kept),
            line: Some(record.line_hash()),
        }));
        settled.records.push(record);
    }

    /// Builds the line for the trace.
    pub(super) fn record(
        &self,
        intent: &Intent,
        file: &event::RepoPath,
        tool: &str,
        now: intent::trace::FileChange,
    ) -> TraceRecord {
        TraceRecord::new(intent.id.clone(), file, tool, store::now(), now)
            .at_commit(self.head.get_or_init(|| git_head(self.scope.root())).clone())
    }

    fn deleted(&mut self, file: &PendingFile, intent: &Intent, path: &AbsPath, settled: &mut Settled) {
        let before = match &file.before {
            Before::Content(content) => Some(ContentHash::of(content)),
            // A folder, or a file too large to store.
            Before::Unknown if file.access == Access::Delete => None,
            Before::Absent | Before::Unknown => return,
        };
        settled.seen.push(Seen::Gone(path.clone()));
        let record = FileDeleted { intent_id: intent.id.clone(), file: file.real.clone(), before };
        self.events.push(emitted(&record));
    }
}

fn conflict_note(record: &WriteConflict) -> ContextNote {
    let value = format!(
        "Write Conflict: `{}` does not hold what this call wrote; another process changed it at the same time. \
         Read it again before you continue.",
        record.file
    );
    ContextNote { key: NAME.into(), value }
}
