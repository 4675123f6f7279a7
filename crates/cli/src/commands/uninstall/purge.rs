//! `uninstall --purge`: removes what `init` wrote and what steersman recorded, and lists what stays with the reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::Context;
use intent::IntentsFile;
use store::Trust;

use crate::change::{Change, Writer, remove_empty_parents};
use crate::commands::init::{Written, module_files, part_files, written_files};
use crate::commands::{Place, status};
use crate::output;

/// The most files that the list names one by one.
const MOST_LISTED: usize = 20;

/// Folders in which only steersman's files are, and why a file in them stays. The first that fits a file counts.
const ROOTS: [(&str, &str); 5] = [
    (".ai/memory", "a memory that you accepted"),
    (".orchestration/agent_trace.jsonl", "the trace of who changed what; it belongs to the repository"),
    (".orchestration", "your intents"),
    (".vscode/gatomia", "your automations"),
    (".rawko", "your agents"),
];

/// Removes the files that are unchanged since `init` wrote them. Returns their names.
pub(super) fn remove_files(place: &Place, writer: &mut Writer<'_>) -> BTreeSet<String> {
    let workspace = &place.workspace;
    let intents = Written::new(IntentsFile::PATH, IntentsFile::STARTER);
    let files = written_files(workspace).into_iter().chain(module_files(workspace)).chain(part_files());
    let mut removed = BTreeSet::new();
    for written in files.chain([intents]) {
        if remove_unchanged(&written, writer) {
            removed.insert(written.file);
        }
    }
    let n_removed = removed.len();
    if n_removed > 0 {
        let word = if writer.writes() { "deleted" } else { "would delete" };
        let files = if n_removed == 1 { "1 file".to_owned() } else { format!("{n_removed} files") };
        output::note(&format!("✓ {word} {files}, unchanged since `init`"));
    }
    removed
}

/// Removes a file if its content is unchanged since `init`. Returns whether it was.
pub(super) fn remove_unchanged(written: &Written, writer: &mut Writer<'_>) -> bool {
    let removed = Change::plan(writer.workspace, &written.file, |before| {
        Ok(before.filter(|before| *before != written.text).map(str::to_owned))
    });
    match removed {
        Err(error) => {
            writer.fail(&error);
            false
        }
        Ok(change) => {
            let change = change.generated();
            change.is_removal() && writer.apply_unseen(&change)
        }
    }
}

/// Removes the records, the backups of files this run changed, and the trust in this workspace.
pub(super) fn remove_records(place: &Place) -> anyhow::Result<()> {
    let workspace = &place.workspace;
    let user_state = place.user_state.as_ref();
    let was_trusted = match user_state {
        Some(state) => Trust::change(state, |trust| Ok(trust.revoke(state, workspace.root())))?,
        None => false,
    };
    let records = workspace.tmp_dir();
    let removed = workspace.remove_records(user_state);
    if removed.with_context(|| format!("cannot remove the records of {}", workspace.root()))? {
        remove_empty_parents(records, workspace.root());
        output::note("✓ .ai/tmp: deleted all records, also those in your state folder");
    }
    if was_trusted {
        output::note("✓ this workspace is no longer trusted");
    }
    Ok(())
}

/// Names what stays without `--purge`.
pub(super) fn note_left(place: &Place) {
    let root = place.workspace.root().as_path();
    let folders = [(".ai/hooks", "rules"), (".ai/tmp", "records")];
    let left: Vec<String> = folders
        .iter()
        .filter(|(folder, _)| root.join(folder).exists())
        .map(|(folder, content)| format!("{folder} ({content})"))
        .collect();
    if !left.is_empty() {
        output::note(&format!("  kept: {}", left.join(", ")));
        output::hint("run `steersman uninstall --purge` to delete them too");
    }
}

/// Lists the files that stay, with the reason; `removed` are gone, or would be.
pub(super) fn list_kept(place: &Place, removed: &BTreeSet<String>) {
    let root = place.workspace.root().as_path();
    let mut kept = Vec::new();
    for folder in [".ai/hooks", ".ai/memory", ".orchestration", ".akira", ".rawko", ".vscode/gatomia"] {
        collect(root, Path::new(folder), &mut kept);
    }
    kept.retain(|file| !removed.contains(file));
    // Those of the project are removed, or would be.
    let registered: Vec<String> = status::registered(place)
        .into_iter()
        .flat_map(|(_, files)| files)
        .filter(|it| !is_of_project(it))
        .collect();
    if kept.is_empty() && registered.is_empty() {
        return;
    }
    output::note("kept:");
    for file in &registered {
        output::note(&format!(
            "  {file} — it registers steersman for every folder (`uninstall --user` or `--managed`)"
        ));
    }
    if kept.is_empty() {
        return;
    }
    for file in kept.iter().take(MOST_LISTED) {
        output::note(&format!("  {file} — {}", reason(file)));
    }
    if kept.len() > MOST_LISTED {
        output::note(&format!("  and {} more", kept.len() - MOST_LISTED));
    }
    output::hint("delete them yourself if you no longer need them");
}

/// Returns whether a settings file is the project's: its name is relative.
fn is_of_project(file: &str) -> bool {
    !file.starts_with(['~', '/'])
}

fn reason(file: &str) -> &'static str {
    let of_root = ROOTS.iter().find(|(root, _)| file.starts_with(root)).map(|(_, reason)| *reason);
    let is_initial = [".ai/hooks/dispatch.manifest.json", ".ai/hooks/config.json"].contains(&file);
    match of_root {
        Some(reason) => reason,
        None if is_initial => "changed since `init`",
        None if file.starts_with(".akira") => "your automations",
        None => "you wrote or changed it",
    }
}

/// Collects the files below a folder, relative to the root and in order.
fn collect(root: &Path, folder: &Path, files: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(root.join(folder)) else { return };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = folder.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            collect(root, &path, files);
        } else {
            files.push(path.display().to_string());
        }
    }
}
