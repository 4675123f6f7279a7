//! What other calls, of this session and others, have written or are writing.
//!
//! WHY: two agents work in one workspace. What one of them writes while a command of the other
//! runs is newer than that command's beginning, and is nobody's drift.

use std::cell::OnceCell;

use intent::ContentHash;
use intent::journal::{JournalRecord, ScopeDrift};
use intent::trace::{GitIndex, PendingCalls};
use memchr::memmem;
use serde_json::Value;
use store::Journal;

use crate::Context;

/// How much of the end of the trace is looked at: some hundred writes.
const TRACE_END: u64 = 128 * 1024;

/// How many sessions are asked what they are about to write.
const MAX_SESSIONS: usize = 200;

/// What others have written or are writing.
pub(super) struct Elsewhere<'a> {
    context: &'a Context<'a>,
    trace_end: String,
    git_index: OnceCell<GitIndex>,
    drifts_told: OnceCell<String>,
}

impl<'a> Elsewhere<'a> {
    pub(super) fn of(context: &'a Context<'a>) -> Self {
        let file = context.workspace.trace_file();
        let read = || Journal::open(&file).and_then(|journal| journal.tail(TRACE_END));
        // Opening a journal would make it.
        let trace_end = if file.as_path().is_file() { read().unwrap_or_default() } else { String::new() };
        Self { context, trace_end, git_index: OnceCell::new(), drifts_told: OnceCell::new() }
    }

    /// Returns whether the newest line about a file says that it holds this.
    pub(super) fn has_traced(&self, file: &str, hash: &ContentHash) -> bool {
        let name = format!("\"file_path\":{}", Value::from(file));
        let Some(at) = memmem::rfind(self.trace_end.as_bytes(), name.as_bytes()) else { return false };
        let start = self.trace_end[..at].rfind('\n').map_or(0, |at| at + 1);
        let line = self.trace_end[start..].lines().next().unwrap_or_default();
        memmem::find(line.as_bytes(), hash.as_str().as_bytes()).is_some()
    }

    /// Returns whether git knows a file.
    pub(super) fn is_in_git(&self, file: &str) -> bool {
        self.git_index().has(file)
    }

    /// Returns the files that git knows.
    pub(super) fn git_index(&self) -> &GitIndex {
        self.git_index.get_or_init(|| GitIndex::of(self.context.workspace.root()))
    }

    /// Returns whether this session has heard already that a file is gone.
    pub(super) fn has_told_of(&self, file: &str) -> bool {
        let told = self.drifts_told.get_or_init(|| {
            let read = || Journal::open(&self.context.session.events_file())?.tail(TRACE_END);
            let kind = format!("\"type\":\"{}\"", ScopeDrift::KIND.name());
            read().unwrap_or_default().lines().filter(|line| line.contains(&kind)).collect()
        });
        memmem::find(told.as_bytes(), format!("\"file\":{}", Value::from(file)).as_bytes()).is_some()
    }

    /// Returns whether a call of another session or agent was let through to write a file and
    /// has not ended yet.
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
