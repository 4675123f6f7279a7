//! Finds contents that a command put into git's index, or took out of it, past the files on disk: what git commits next is
//! then not what the workspace shows.
//!
//! Such an entry changed during the call and does not agree with the file on disk. It is no change of the agent if it is as
//! in the checked-out commit, and that commit is older than the call: so `git reset` and `git restore --staged` leave it.

use std::time::{Duration, Instant};

use event::Access;
use intent::journal::DriftedFile;
use intent::trace::{GitIndex, is_head_new};
use intent::{FileSystemTime, Intent, Reach, Target};

use super::drift::{Drifts, quoted};
use super::settling::Settling;
use crate::shell_guard::committed_blobs;

/// The most entries that are compared with the commit.
const MAX_ENTRIES: usize = 200;

/// The longest run of git.
const LONGEST: Duration = Duration::from_millis(150);

/// Adds the entries out of scope to `drifts`.
pub(super) fn report(
    settling: &Settling<'_>,
    intent: &Intent,
    before: &GitIndex,
    now: &GitIndex,
    since: FileSystemTime,
    drifts: &mut Drifts,
) {
    let scope = &settling.scope;
    let root = scope.root();
    let is_on_disk = |file: &str| root.join(file).as_path().symlink_metadata().is_ok();
    let differs = |file: &&str| if now.has(file) { !now.is_unchanged(root, file) } else { is_on_disk(file) };
    let violation = |file: &str| {
        let target = Target::new(file, root, Access::Write, Reach::Itself);
        scope.check(&target, intent).err().map(|violation| violation.to_string())
    };
    let mut found: Vec<(&str, String)> = before
        .differences(now)
        .into_iter()
        .filter(differs)
        .filter_map(|file| Some((file, violation(file)?)))
        .take(MAX_ENTRIES)
        .collect();
    if found.is_empty() || settling.is_late() {
        return;
    }
    let is_new = is_head_new(root, since);
    if !is_new {
        let files: Vec<&str> = found.iter().map(|(file, _)| *file).collect();
        let time = (settling.rules.context.deadline.left(Instant::now()) / 4).min(LONGEST);
        if let Some(committed) = committed_blobs(root.as_path(), &files, time) {
            found.retain(|(file, _)| now.blob(file) != committed.get(*file).cloned());
        }
    }
    for (file, why) in found {
        let what = if now.has(file) {
            "git's index differs from the file on disk"
        } else {
            "git does not track it any more"
        };
        let undo = if is_new {
            format!(
                "ask the user: the commit has it; `git restore --source=HEAD~1 --staged -- {}` restores the index",
                quoted(file)
            )
        } else {
            format!("`git restore --staged -- {}` restores the index", quoted(file))
        };
        drifts.add_file(DriftedFile { why: format!("{what}. {why}"), undo, file: file.to_owned() });
    }
}
