//! Data about writes that only the sessions' journals have: the session, moved lines, denials.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use anyhow::Context;
use event::SessionId;
use intent::journal::{Denied, FileWritten, JournalRecord};
use intent::trace::{Edit, Evidence, LineMarks, MovedFile, MutationClass, TraceRecord};
use intent::{ContentHash, IntentId};
use session::history;

use super::moved_files::MovedFiles;
use crate::commands::Place;

/// The place of a record: the session, and the turn and the hook run in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JournalPlace {
    pub(super) session: SessionId,
    pub(super) turn: u64,
    pub(super) run: String,
}

/// The recorded writes to a file.
pub(super) struct Writes<'a> {
    place: &'a Place,
    /// The file's path in the trace, for its older contents.
    file: String,
    by_content: HashMap<(String, ContentHash), (JournalPlace, FileWritten)>,
    committed: OnceCell<HashMap<ContentHash, Vec<u8>>>,
    moves: &'a MovedFiles<'a>,
}

impl<'a> Writes<'a> {
    /// Collects the records of a file from all journals, under all of its names.
    pub(super) fn of(
        place: &'a Place,
        file: &str,
        names: &BTreeSet<&str>,
        moves: &'a MovedFiles<'a>,
    ) -> anyhow::Result<Self> {
        let mut by_content = HashMap::new();
        each_with_place::<FileWritten>(place, |at, written| {
            if names.contains(written.file.as_str()) {
                by_content.insert((written.file.clone(), written.after.clone()), (at, written));
            }
        })?;
        Ok(Self { place, file: file.to_owned(), by_content, committed: OnceCell::new(), moves })
    }

    /// Returns the place of the write that led to a content.
    pub(super) fn place(&self, file: &str, after: &ContentHash) -> Option<&JournalPlace> {
        self.by_content.get(&(file.to_owned(), after.clone())).map(|(at, _)| at)
    }

    /// Returns the content before the write that led to a content.
    pub(super) fn before(place: &Place, record: &TraceRecord) -> anyhow::Result<Option<ContentHash>> {
        let mut before = None;
        each::<FileWritten>(place, |_, written| {
            if written.file == record.file_path && written.after == record.content_hash {
                before = written.before;
            }
        })?;
        Ok(before)
    }

    /// Returns the contents of the file in its latest commits. Runs git only if the file was changed outside;
    /// returns nothing in a workspace without git.
    fn committed(&self) -> &HashMap<ContentHash, Vec<u8>> {
        self.committed.get_or_init(|| {
            let revisions = self.git(&["rev-list", "-n", "20", "HEAD", "--", &self.file]).unwrap_or_default();
            let revisions = String::from_utf8_lossy(&revisions).into_owned();
            let content =
                |revision: &str| self.git(&["cat-file", "blob", &format!("{revision}:{}", self.file)]);
            revisions.lines().filter_map(content).map(|bytes| (ContentHash::of(&bytes), bytes)).collect()
        })
    }

    #[expect(clippy::disallowed_methods, reason = "git only reads here, and ends by itself")]
    fn git(&self, args: &[&str]) -> Option<Vec<u8>> {
        let output = Command::new("git")
            .args(args)
            .current_dir(self.place.workspace.root().as_path())
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        output.status.success().then_some(output.stdout)
    }
}

impl Evidence for Writes<'_> {
    fn edit(&self, after: &ContentHash) -> Option<Edit> {
        self.edit_of(&self.file, after)
    }

    fn edit_of(&self, file: &str, after: &ContentHash) -> Option<Edit> {
        self.by_content.get(&(file.to_owned(), after.clone())).and_then(|(_, written)| written.edit())
    }

    fn moved_here(&self, record: &TraceRecord) -> Option<MovedFile> {
        self.moves.moved_to(record)
    }

    fn content(&self, hash: &ContentHash) -> Option<Vec<u8>> {
        self.committed().get(hash).cloned()
    }
}

/// Returns the removed file that was renamed and changed by the call that made a file: of those with at least half of
/// its lines, the one with the most. Returns `None` if the file was not new, or no journal has a record of such a file.
pub(super) fn earlier_name(place: &Place, first: &TraceRecord) -> Option<String> {
    if first.mutation_class != MutationClass::Create && first.line_ranges.is_some() {
        return None;
    }
    let is_gone = |file: &str| !place.workspace.root().join(file).as_path().exists();
    let mut own = None;
    let mut removed: BTreeMap<String, LineMarks> = BTreeMap::new();
    let collect = |_, written: FileWritten| {
        let Some(marks) = written.marks.as_deref().and_then(LineMarks::parse) else { return };
        if written.file == first.file_path && written.after == first.content_hash {
            own = Some(marks);
        } else if written.file != first.file_path && is_gone(&written.file) {
            removed.insert(written.file, marks);
        }
    };
    each(place, collect).ok()?;
    let own = own?;
    let shared = removed.into_iter().filter_map(|(file, marks)| Some((marks.shared_with(&own)?, file)));
    shared.max().map(|(_, file)| file)
}

/// Counts the denials per intent; `None` stands for denials without an intent.
pub(super) fn denials(place: &Place) -> anyhow::Result<BTreeMap<Option<IntentId>, usize>> {
    let mut counted = BTreeMap::new();
    each::<Denied>(place, |_, denied| *counted.entry(denied.intent_id).or_insert(0) += 1)?;
    Ok(counted)
}

/// Calls `each` for every record of a kind, session by session.
pub(super) fn each<R: JournalRecord>(
    place: &Place,
    mut each: impl FnMut(SessionId, R),
) -> anyhow::Result<()> {
    each_with_place(place, |at, record| each(at.session, record))
}

/// Calls `each` for every record of a kind with its place, session by session.
pub(super) fn each_with_place<R: JournalRecord>(
    place: &Place,
    mut each: impl FnMut(JournalPlace, R),
) -> anyhow::Result<()> {
    let kind = format!("\"type\":\"{}\"", R::KIND.name());
    for session in place.workspace.sessions().context("cannot list the sessions")? {
        let file = place.workspace.session(session).events_file();
        history::each_line(&file, |line| {
            if line.contains(&kind)
                && let Some(record) = history::parse(line).filter(|record| record.kind == R::KIND.name())
                && let Some(found) = R::from_data(&record.data.into())
            {
                each(JournalPlace { session, turn: record.turn_id, run: record.hook_run_id }, found);
            }
            ControlFlow::<()>::Continue(())
        })
        .with_context(|| format!("cannot read the journal of session {session}"))?;
    }
    Ok(())
}
