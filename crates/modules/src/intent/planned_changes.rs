//! Stores the planned changes of a permitted call until it ends.

use std::time::{Duration, Instant};

use event::{Access, ToolCall};
use intent::journal::CallPending;
use intent::trace::{Before, MAX_PENDING_FILES, PendingCall, PendingCalls, PendingFile};
use intent::{FolderRecord, Intent, OwnFiles, Scope, Touched, Watched};
use store::fingerprint;

use super::{emitted, lost_records, tracing, work};
use crate::{Action, Carryover, Concluded, Context};

/// The planned changes of a permitted call.
pub(super) struct PlannedChanges {
    /// The intent of the call; `None` if it needs none.
    pub(super) intent: Option<Box<Intent>>,
    /// The scope of the workspace.
    pub(super) scope: Scope,
    /// The files it names.
    pub(super) touched: Vec<Touched>,
    /// The other files that it may change.
    pub(super) others: OtherFiles,
    /// Whether it certainly leaves a job in the background.
    pub(super) background: bool,
    /// Whether the records of the session or of the user are gone.
    pub(super) lost_records: bool,
}

/// The files that a call may change besides those it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OtherFiles {
    /// No file.
    None,
    /// Any file; it runs nothing but git.
    ByGit,
    /// Any file.
    Any,
}

/// The most indexes of git that are kept: one for each call that still runs.
const MAX_INDEXES: usize = 8;

/// The longest recorded name of a tool.
const MAX_TOOL: usize = 200;

/// Stores the content of a call's files before it runs. Does nothing for a denied call.
pub(super) fn keep(context: &Context<'_>, call: &ToolCall, concluded: &Concluded<'_>) -> Action {
    let Some(planned) = concluded.carryover.get::<PlannedChanges>() else { return Action::default() };
    if concluded.verdict.decision.is_deny() {
        return Action::default();
    }
    let intent = planned.intent.as_deref();
    let changes_more = planned.others != OtherFiles::None;
    let own = OwnFiles::of(context.workspace);
    let watched = changes_more.then(|| Watched::now(&planned.scope, intent, &own));
    let watched =
        if planned.others == OtherFiles::ByGit { watched.map(Watched::moved_by_git) } else { watched };
    if let Some(watched) = &watched {
        keep_index(context, watched);
    }
    let folders = if changes_more { record_folders(context) } else { None };
    let pending = PendingCall {
        intent_id: intent.map(|intent| intent.id.clone()),
        agent: context.ids.agent.to_string(),
        tool: call.name.chars().take(MAX_TOOL).collect(),
        changes_more,
        background: planned.background,
        lost_records: planned.lost_records,
        watched,
        files: pending_files(context, &planned.touched),
    };
    // Without it the trace has the call, but not the lines it changed.
    let calls = PendingCalls::in_file(context.session.pending_calls());
    let kept = calls.keep(&key(call), &pending, tracing::lock_timeout(context));
    let mut action = intent.map_or_else(Action::default, |intent| work::under(context, &intent.id));
    let hash = folders.as_ref().map(FolderRecord::hash);
    match kept {
        Ok(record) => {
            action.emit_events.push(emitted(&CallPending { folders: hash, changes_more, ..record }));
        }
        Err(error) => context.log.add(
            super::NAME,
            "warn",
            format!("cannot store the content of files before a call: {error}"),
        ),
    }
    lost_records::mark(context, &mut action);
    action.carryover = folders.map_or_else(Carryover::default, Carryover::of);
    action
}

/// Keeps git's index as it is, by a link: git replaces the file when it changes it. A file that a call takes out of the
/// index counts as tracked until the call has ended.
///
/// Ignores errors: on a file system without links such a file counts as ignored if a pattern says so.
fn keep_index(context: &Context<'_>, watched: &Watched) {
    let Some(name) = watched.index_name() else { return };
    let link = context.session.index_link(name);
    if link.as_path().exists() || context.workspace.check_way_to(&link).is_err() {
        return;
    }
    let git = store::git_dir(context.workspace.root().child(".git").as_path());
    let _ =
        git.map_or(Ok(()), |git| store::link_among_newest(&git.join("index"), link.as_path(), MAX_INDEXES));
}

/// Writes where the folders are: the journal has the hash of the record.
pub(super) fn committed(context: &Context<'_>, carryover: &Carryover) {
    if let Some(folders) = carryover.get::<FolderRecord>() {
        folders.write(&context.session.folder_record());
    }
}

/// Lists the folders of a workspace, before its first call that needs a look afterwards. Returns `None` if that is done.
fn record_folders(context: &Context<'_>) -> Option<FolderRecord> {
    let file = context.session.folder_record();
    if file.as_path().exists() || context.workspace.check_way_to(&file).is_err() {
        return None;
    }
    let time = (context.deadline.left(Instant::now()) / 4).min(LONGEST_LISTING);
    Some(FolderRecord::of_workspace(context.workspace.root(), time))
}

/// The longest listing of a workspace's folders.
const LONGEST_LISTING: Duration = Duration::from_millis(60);

/// Reads the content of files before a call, for at most a quarter of the remaining time. The content of the other
/// files stays unknown.
fn pending_files(context: &Context<'_>, touched: &[Touched]) -> Vec<PendingFile> {
    let until = Instant::now() + context.deadline.left(Instant::now()) / 4;
    let file = |(index, touched): (usize, &Touched)| {
        let is_read = index < MAX_PENDING_FILES && Instant::now() < until;
        pending_file(touched, is_read)
    };
    touched.iter().enumerate().map(file).collect()
}

fn pending_file(touched: &Touched, is_read: bool) -> PendingFile {
    let before = match touched.access {
        Access::CreateDir => Before::Unknown,
        _ if !is_read => Before::Unknown,
        _ => Before::of(&touched.located.file),
    };
    PendingFile {
        written: touched.located.written.as_str().to_owned(),
        real: touched.located.real.as_str().to_owned(),
        access: touched.access,
        before,
    }
}

/// Returns the key of a pending call: the host's id, else a hash of the input.
pub(super) fn key(call: &ToolCall) -> String {
    match &call.id {
        Some(id) => fingerprint([b"id".as_slice(), id.as_bytes()]).short(),
        None => key_by_input(call),
    }
}

/// Returns the key of a call without an id. Cursor announces a command without an id and reports its end with one,
/// under another name.
pub(super) fn key_by_input(call: &ToolCall) -> String {
    if let Some(command) = &call.command {
        return fingerprint([b"command".as_slice(), command.text.as_bytes()]).short();
    }
    let input = call.input.to_string();
    fingerprint([b"input".as_slice(), call.name.as_bytes(), input.as_bytes()]).short()
}
