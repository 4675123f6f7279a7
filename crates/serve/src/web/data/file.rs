//! Fills the pages about files: which agents wrote, and who wrote each line of one.

use std::collections::HashMap;
use std::ops::ControlFlow;

use event::SessionId;
use intent::trace::{TraceLog, TraceRecord};
use page::view::{File, FileLine, FileRow, FileTurn, Files};
use session::history;
use timeline::TimelineBuilder;

use super::super::Web;
use super::journal_window::JournalWindow;

/// How much of the end of the trace is read.
const TRACE: u64 = 4 * 1024 * 1024;
/// How many files are listed.
const MAX_FILES: usize = 200;
/// How many lines of a file one page shows.
const LINES: usize = 500;
/// The largest file that is shown.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The part of a file that a request is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(default)]
pub(in crate::web) struct FilePart {
    /// The first line.
    pub(in crate::web) from: Option<usize>,
    /// The chosen line, whose turn is shown.
    pub(in crate::web) line: Option<usize>,
}

/// Returns the files that the trace knows.
pub(in crate::web) fn files(web: &Web, search: &str) -> Files {
    let trace = JournalWindow::read(&web.workspace.root().join(TraceLog::PATH), None, TRACE);
    let mut files: HashMap<String, FileRow> = HashMap::new();
    let records = trace.unwrap_or_default();
    for record in records.text.lines().filter_map(|line| TraceRecord::parse(line.as_bytes()).ok()) {
        let row = files.entry(record.file_path).or_insert_with_key(|path| FileRow {
            path: path.clone(),
            n: 0,
            last: String::new(),
            intents: Vec::new(),
            exists: false,
        });
        row.n += 1;
        row.last = record.timestamp;
        let intent = record.intent_id.to_string();
        if !row.intents.contains(&intent) {
            row.intents.push(intent);
        }
    }
    let wanted = search.to_lowercase();
    let mut files: Vec<FileRow> = files
        .into_values()
        .filter(|row| {
            row.path.to_lowercase().contains(&wanted)
                || row.intents.iter().any(|intent| intent.to_lowercase().contains(&wanted))
        })
        .collect();
    files.sort_by(|one, other| (&other.last, &one.path).cmp(&(&one.last, &other.path)));
    let n_files = files.len();
    files.truncate(MAX_FILES);
    for row in &mut files {
        row.exists = web.workspace.root().join(&row.path).as_path().is_file();
    }
    Files { ts: store::now().as_millis(), files, n_files, search: search.to_owned() }
}

/// Returns a part of a file. Returns `None` if the workspace has no such file, or one that is too large to be shown.
pub(in crate::web) fn file(web: &Web, path: &str, part: &FilePart) -> Option<File> {
    let path = path_in(web, path)?;
    let all = web.inspection.file_lines(&path).ok()??;
    let (n_lines, n_agent_lines) = (all.len(), all.iter().filter(|line| line.write().is_some()).count());
    let from = part.from.or_else(|| part.line.map(|line| line.saturating_sub(1) / LINES * LINES + 1));
    let from = from.unwrap_or(1).max(1);
    let line = part.line.filter(|line| (1..=n_lines).contains(line));
    let turn = line.and_then(|line| turn_of(web, all.get(line - 1)?));
    Some(File {
        ts: store::now().as_millis(),
        path,
        n_lines,
        n_agent_lines,
        lines: all.into_iter().skip(from - 1).take(LINES).collect(),
        line,
        turn,
    })
}

/// Returns the path of a file of the workspace, without links that lead out of it.
fn path_in(web: &Web, path: &str) -> Option<String> {
    let root = std::fs::canonicalize(web.workspace.root().as_path()).ok()?;
    let real = std::fs::canonicalize(root.join(path)).ok()?;
    let meta = real.metadata().ok().filter(|meta| meta.is_file() && meta.len() <= MAX_BYTES);
    meta.and_then(|_| real.strip_prefix(&root).ok()?.to_str().map(str::to_owned))
}

/// Returns the turn in which a line was written.
fn turn_of(web: &Web, line: &FileLine) -> Option<FileTurn> {
    let write = line.write()?;
    let (session, number) = (write.session.clone()?, write.turn?);
    let id: SessionId = super::session::find(web, &session)?;
    let folder = web.workspace.session(id);
    let prompts = history::prompts(&folder).unwrap_or_default();
    let mut builder = TimelineBuilder::new(web.workspace.root().as_path(), prompts);
    let mark = format!("\"turnId\":{number},");
    let read = history::each_line(&folder.events_file(), |line| {
        // Rejects most lines without parsing them.
        if line.contains(&mark)
            && let Some(record) = history::parse(line).filter(|record| record.turn_id == number)
        {
            builder.add(record);
        }
        ControlFlow::<()>::Continue(())
    });
    read.ok()?;
    let turn = builder.finish().into_iter().find(|turn| turn.number == number)?;
    Some(FileTurn { session, turn })
}
