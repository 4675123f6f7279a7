//! Files that other calls, of this session or others, have written or are writing.
//!
//! WHY: two agents may work in one workspace. A file that one writes while a command of the other runs is newer than the
//! start of that command, but is not its drift.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap};

use event::{AbsPath, SessionId};
use intent::journal::{CallPending, JournalRecord, ScopeDrift};
use intent::trace::{GitIndex, PendingCalls};
use intent::{ContentHash, IntentsFile, WorkspaceIntents};
use memchr::memmem;
use serde_json::Value;
use session::person::PersonChanges;
use store::Journal;

use super::{forged, planned_changes, undo};
use crate::Context;

/// How much of the end of the trace is searched: some thousand writes.
const TRACE_END: u64 = 1024 * 1024;

/// How much of the end of a journal is searched for reported drifts.
const JOURNAL_END: u64 = 256 * 1024;

/// How a line of the trace names its file.
const FILE_FIELD: &str = "\"file_path\":";

/// How many files are searched for one by one, before an index of the lines pays.
const MAX_SEARCHES: usize = 16;

/// The most sessions whose pending calls are read.
const MAX_SESSIONS: usize = 200;

/// The writes of other calls.
pub(super) struct OtherWriters<'a> {
    context: &'a Context<'a>,
    trace_end: String,
    /// Where the newest line about each file is, once many files are looked up.
    newest_lines: OnceCell<HashMap<String, usize>>,
    n_lookups: Cell<usize>,
    git_index: GitIndex,
    reported_drifts: OnceCell<String>,
    claimed: OnceCell<HashMap<String, Claim>>,
    has_forged_line: Cell<bool>,
    has_forged_claim: Cell<bool>,
    /// The length of the trace when it was read.
    trace_length: u64,
    undone: OnceCell<BTreeSet<String>>,
}

/// A stored call that was permitted to write a file.
#[derive(Clone)]
struct Claim {
    session: SessionId,
    call: CallPending,
}

impl<'a> OtherWriters<'a> {
    pub(super) fn of(context: &'a Context<'a>, git_index: GitIndex) -> Self {
        let file = context.workspace.trace_file();
        let journal = Journal::open_to_read(&file).ok().flatten();
        let trace_length = journal.as_ref().map_or(0, |journal| journal.length_when_opened);
        let trace_end = journal.and_then(|journal| journal.tail(TRACE_END).ok()).unwrap_or_default();
        Self {
            context,
            trace_end,
            newest_lines: OnceCell::new(),
            n_lookups: Cell::new(0),
            git_index,
            reported_drifts: OnceCell::new(),
            claimed: OnceCell::new(),
            has_forged_line: Cell::new(false),
            has_forged_claim: Cell::new(false),
            trace_length,
            undone: OnceCell::new(),
        }
    }

    /// Returns whether another writer explains the change of a file out of scope: a call that traced it or runs, or
    /// steersman's own commands, which write the intents file.
    pub(super) fn explains(&self, root: &AbsPath, file: &str) -> bool {
        if self.is_being_written(file) {
            return true;
        }
        // Restored as a report suggested: the file is again as git has it.
        if self.undone().contains(file) && self.git_index.is_unchanged(root, file) {
            return true;
        }
        if file == IntentsFile::PATH {
            return made_intents(self.context);
        }
        // Hashing is needed only if the trace has the file.
        if self.last_line(file).is_none() {
            return false;
        }
        let hash = ContentHash::of_small_file(&root.join(file)).ok();
        let Some(hash) = hash.filter(|hash| self.has_traced(file, hash)) else { return false };
        let is_known = forged::knows_write(self.context, file, &hash);
        if !is_known {
            self.has_forged_line.set(true);
        }
        is_known
    }

    /// Returns whether the trace has a line that is in no journal.
    pub(super) fn has_forged_line(&self) -> bool {
        self.has_forged_line.get()
    }

    /// Returns whether a stored call claims a file, but the journal of its session does not know the call.
    pub(super) fn has_forged_claim(&self) -> bool {
        self.has_forged_claim.get()
    }

    /// Returns the length of the trace when it was read.
    pub(super) fn trace_length(&self) -> u64 {
        self.trace_length
    }

    /// Returns whether a removed file was reported already, or a running call may remove it.
    pub(super) fn explains_removal(&self, file: &str) -> bool {
        self.has_reported(file) || self.is_being_written(file) || self.undone().contains(file)
    }

    /// Returns whether a file of a folder was restored or removed as a report suggested.
    pub(super) fn has_undone_in(&self, folder: &str) -> bool {
        self.undone().iter().any(|file| file.rsplit_once('/').map_or("", |(above, _)| above) == folder)
    }

    fn undone(&self) -> &BTreeSet<String> {
        self.undone.get_or_init(|| undo::undone(self.context))
    }

    /// Returns whether the newest line about a file has this hash.
    pub(super) fn has_traced(&self, file: &str, hash: &ContentHash) -> bool {
        self.last_line(file)
            .is_some_and(|line| memmem::find(line.as_bytes(), hash.as_str().as_bytes()).is_some())
    }

    fn last_line(&self, file: &str) -> Option<&str> {
        let name = format!("{FILE_FIELD}{}", Value::from(file));
        self.n_lookups.set(self.n_lookups.get() + 1);
        let at = if self.n_lookups.get() <= MAX_SEARCHES {
            memmem::rfind(self.trace_end.as_bytes(), name.as_bytes())?
        } else {
            *self.newest_lines.get_or_init(|| newest_lines(&self.trace_end)).get(&name)?
        };
        let start = self.trace_end[..at].rfind('\n').map_or(0, |at| at + 1);
        self.trace_end[start..].lines().next()
    }

    /// Returns the files that git tracks.
    pub(super) fn git_index(&self) -> &GitIndex {
        &self.git_index
    }

    /// Returns whether this session has already reported a file as deleted.
    fn has_reported(&self, file: &str) -> bool {
        let reported = self.reported_drifts.get_or_init(|| {
            let read = || Journal::open(&self.context.session.events_file())?.tail(JOURNAL_END);
            let kind = format!("\"type\":\"{}\"", ScopeDrift::KIND.name());
            read().unwrap_or_default().lines().filter(|line| line.contains(&kind)).collect()
        });
        memmem::find(reported.as_bytes(), format!("\"file\":{}", Value::from(file)).as_bytes()).is_some()
    }

    /// Returns whether another running call, of any session, was permitted to write a file.
    pub(super) fn is_being_written(&self, file: &str) -> bool {
        let Some(claim) = self.claimed.get_or_init(|| self.claims()).get(file) else { return false };
        let is_known = forged::knows_call(self.context, claim.session, &claim.call);
        if !is_known {
            self.has_forged_claim.set(true);
        }
        is_known
    }

    fn claims(&self) -> HashMap<String, Claim> {
        let call = self.context.event.call();
        let own = call.map(|call| [planned_changes::key(call), planned_changes::key_by_input(call)]);
        let sessions = self.context.workspace.sessions().unwrap_or_default();
        let mut claims = HashMap::new();
        for id in sessions.into_iter().take(MAX_SESSIONS) {
            let calls = PendingCalls::in_file(self.context.workspace.session(id).pending_calls());
            for found in calls.all() {
                let is_own =
                    id == self.context.ids.session && own.as_ref().is_none_or(|own| own.contains(&found.key));
                if !is_own {
                    let claim = Claim { session: id, call: found.recorded };
                    let files = found.call.files.into_iter();
                    claims.extend(files.map(|file| (file.real, claim.clone())));
                }
            }
        }
        claims
    }
}

/// Returns whether steersman's own commands wrote the intents file as it is, for a person or for an agent that selected an
/// intent.
pub(super) fn made_intents(context: &Context<'_>) -> bool {
    let workspace = context.workspace;
    let is_persons = |state| PersonChanges::read(workspace, state).made_intents(workspace);
    WorkspaceIntents::of(workspace).is_own_edit()
        && (context.user_state.is_none_or(is_persons) || forged::selection_explains_intents(context))
}

/// Returns where the newest line about each file names it, by that name with its key.
fn newest_lines(trace: &str) -> HashMap<String, usize> {
    let fields = memmem::find_iter(trace.as_bytes(), FILE_FIELD.as_bytes());
    let named = fields.filter_map(|at| {
        let text = trace.get(at + FILE_FIELD.len()..)?;
        let mut values = serde_json::Deserializer::from_str(text).into_iter::<String>();
        let file = values.next()?.ok()?;
        Some((format!("{FILE_FIELD}{}", Value::from(file)), at))
    });
    named.collect()
}
