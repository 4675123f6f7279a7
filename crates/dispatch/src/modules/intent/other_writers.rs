//! Files that other calls, of this session or others, have written or are writing.
//!
//! WHY: two agents may work in one workspace. A file that one writes while a command of the other runs is newer than the
//! start of that command, but is not its drift.

use std::cell::OnceCell;

use intent::ContentHash;
use intent::journal::{JournalRecord, ScopeDrift};
use intent::trace::{GitIndex, PendingCalls};
use memchr::memmem;
use serde_json::Value;
use store::Journal;

use crate::Context;

/// How much of the end of the trace is searched: some hundred writes.
const TRACE_END: u64 = 128 * 1024;

/// The most sessions whose pending calls are read.
const MAX_SESSIONS: usize = 200;

/// The writes of other calls.
pub(super) struct OtherWriters<'a> {
    context: &'a Context<'a>,
    trace_end: String,
    git_index: OnceCell<GitIndex>,
    reported_drifts: OnceCell<String>,
}

impl<'a> OtherWriters<'a> {
    pub(super) fn of(context: &'a Context<'a>) -> Self {
        let file = context.workspace.trace_file();
        let read = || Journal::open(&file).and_then(|journal| journal.tail(TRACE_END));
        // `Journal::open` would create the file.
        let trace_end = if file.as_path().is_file() { read().unwrap_or_default() } else { String::new() };
        Self { context, trace_end, git_index: OnceCell::new(), reported_drifts: OnceCell::new() }
    }

    /// Returns whether the newest line about a file has this hash.
    pub(super) fn has_traced(&self, file: &str, hash: &ContentHash) -> bool {
        let name = format!("\"file_path\":{}", Value::from(file));
        let Some(at) = memmem::rfind(self.trace_end.as_bytes(), name.as_bytes()) else { return false };
        let start = self.trace_end[..at].rfind('\n').map_or(0, |at| at + 1);
        let line = self.trace_end[start..].lines().next().unwrap_or_default();
        memmem::find(line.as_bytes(), hash.as_str().as_bytes()).is_some()
    }

    /// Returns whether git tracks a file.
    pub(super) fn is_in_git(&self, file: &str) -> bool {
        self.git_index().has(file)
    }

    /// Returns the files that git tracks.
    pub(super) fn git_index(&self) -> &GitIndex {
        self.git_index.get_or_init(|| GitIndex::of(self.context.workspace.root()))
    }

    /// Returns whether this session has already reported a file as deleted.
    pub(super) fn has_reported(&self, file: &str) -> bool {
        let reported = self.reported_drifts.get_or_init(|| {
            let read = || Journal::open(&self.context.session.events_file())?.tail(TRACE_END);
            let kind = format!("\"type\":\"{}\"", ScopeDrift::KIND.name());
            read().unwrap_or_default().lines().filter(|line| line.contains(&kind)).collect()
        });
        memmem::find(reported.as_bytes(), format!("\"file\":{}", Value::from(file)).as_bytes()).is_some()
    }

    /// Returns whether a running call of another session or agent was permitted to write a file.
    pub(super) fn is_being_written(&self, file: &str) -> bool {
        let sessions = self.context.workspace.sessions().unwrap_or_default();
        let agent = self.context.ids.agent.to_string();
        sessions.into_iter().take(MAX_SESSIONS).any(|id| {
            let calls = PendingCalls::in_file(self.context.workspace.session(id).pending_calls());
            calls.all().iter().any(|found| {
                let is_other = id != self.context.ids.session || found.call.agent != agent;
                is_other && found.call.files.iter().any(|it| it.real == file)
            })
        })
    }
}
