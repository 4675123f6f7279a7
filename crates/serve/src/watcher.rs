//! The system's file watcher, on exactly the relevant folders.
//!
//! It watches folders one by one, not recursively: a recursive watch would include `target/` and
//! `node_modules/`, which have more folders than all the rest.

use std::path::Path;
use std::sync::mpsc::Sender;

use notify::event::{AccessKind, AccessMode, CreateKind, ModifyKind, RenameMode};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use crate::changes::SharedChanges;
use crate::server::Wake;

/// A watcher that records file changes and wakes the server.
pub(crate) struct Watcher {
    inner: RecommendedWatcher,
}

/// Why a folder cannot be watched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum WatchError {
    /// The system cannot watch more folders.
    LimitReached,
    /// This folder was deleted or cannot be watched; others can.
    ThisFolder,
}

impl Watcher {
    pub(crate) fn new(changes: SharedChanges, wake: Sender<Wake>) -> Result<Self, notify::Error> {
        let handler = move |event: Result<Event, notify::Error>| {
            let is_first = match event {
                Ok(event) if event.need_rescan() => changes.note(|seen| seen.overflowed = true),
                Ok(event) => note(&changes, event),
                Err(_) => changes.note(|seen| seen.overflowed = true),
            };
            if is_first {
                let _ = wake.send(Wake::Changed);
            }
        };
        Ok(Self { inner: notify::recommended_watcher(handler)? })
    }

    /// Watches one folder without its subfolders.
    pub(crate) fn watch(&mut self, folder: &Path) -> Result<(), WatchError> {
        self.inner.watch(folder, RecursiveMode::NonRecursive).map_err(|error| match error.kind {
            ErrorKind::MaxFilesWatch => WatchError::LimitReached,
            ErrorKind::Io(error) if error.raw_os_error() == Some(28) => WatchError::LimitReached,
            _ => WatchError::ThisFolder,
        })
    }
}

/// Records an event and returns whether the server must be woken.
fn note(changes: &SharedChanges, event: Event) -> bool {
    let is_write = matches!(
        event.kind,
        EventKind::Create(CreateKind::File | CreateKind::Any)
            | EventKind::Modify(
                ModifyKind::Data(_)
                    | ModifyKind::Any
                    | ModifyKind::Name(RenameMode::To | RenameMode::Both | RenameMode::Any)
            )
            | EventKind::Access(AccessKind::Close(AccessMode::Write))
    );
    let is_folder = matches!(
        event.kind,
        EventKind::Create(CreateKind::Folder | CreateKind::Any) | EventKind::Modify(ModifyKind::Name(_))
    );
    let is_end =
        matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(RenameMode::From)));
    if !is_write && !is_folder && !is_end {
        return false;
    }
    let mut is_first = false;
    if let (EventKind::Modify(ModifyKind::Name(RenameMode::Both)), [from, to]) =
        (&event.kind, &event.paths[..])
    {
        let moved = (from.clone(), to.clone());
        is_first = changes.note(|seen| {
            seen.moved.insert(moved);
        });
    }
    // A rename has two paths; only the new one was written.
    let Some(path) = event.paths.into_iter().next_back() else { return is_first };
    is_first |= changes.note(|seen| {
        if is_end {
            seen.gone.insert(path);
        } else if is_folder && path.is_dir() {
            seen.folders.insert(path);
        } else if is_write {
            seen.written.insert(path);
        }
    });
    is_first
}
