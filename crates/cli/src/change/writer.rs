//! Applies changes one after another, or only prints them.

use std::collections::BTreeSet;

use event::AbsPath;
use store::{Timestamp, Workspace};

use super::{Change, ChangeError};
use crate::exit::Exit;
use crate::output::{self, print};

/// Whether to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Write files.
    Write,
    /// Print diffs instead.
    DryRun,
}

/// One command's changes to several files. A failure is reported and does not affect the other files.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    /// The workspace of the files.
    pub(crate) workspace: &'a Workspace,
    /// The text before a file's name in messages.
    pub(crate) prefix: &'static str,
    mode: Mode,
    at: Timestamp,
    worst: Exit,
    n_changed: usize,
    kept: Option<AbsPath>,
    /// The files that this command has written.
    written: BTreeSet<AbsPath>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(workspace: &'a Workspace, mode: Mode) -> Self {
        Self {
            workspace,
            prefix: "",
            mode,
            at: store::now(),
            worst: Exit::Fine,
            n_changed: 0,
            kept: None,
            written: BTreeSet::new(),
        }
    }

    /// Sets the text before a file's name in messages.
    #[must_use]
    pub(crate) fn with_prefix(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }

    /// Returns a writer for another folder: in the same mode, with backups of the same time.
    pub(crate) fn for_folder<'b>(&self, workspace: &'b Workspace, prefix: &'static str) -> Writer<'b> {
        Writer {
            workspace,
            prefix,
            mode: self.mode,
            at: self.at,
            worst: Exit::Fine,
            n_changed: 0,
            kept: None,
            written: self.written.clone(),
        }
    }

    /// Returns whether this is no dry run.
    pub(crate) fn writes(&self) -> bool {
        self.mode == Mode::Write
    }

    /// Applies or prints a change; returns whether that succeeded.
    pub(crate) fn apply(&mut self, change: &Change) -> bool {
        if change.is_nothing() {
            return true;
        }
        if self.mode == Mode::DryRun {
            print(format_args!("{}", change.diff().trim_end_matches('\n')));
        }
        self.apply_unseen(change)
    }

    /// Like [`Self::apply`], without printing a diff: for long generated files.
    pub(crate) fn apply_unseen(&mut self, change: &Change) -> bool {
        if change.is_nothing() {
            return true;
        }
        if self.writes() {
            // A second edit of a file must not replace the backup of what the user had by our own first edit.
            let is_ours = !self.written.insert(change.path.clone());
            let backed_up = if is_ours { change.clone().generated() } else { change.clone() };
            match backed_up.carry_out(self.workspace, self.at) {
                Ok(kept) => self.kept = kept.or_else(|| self.kept.take()),
                Err(error) => {
                    self.fail(&ChangeError::World(error));
                    return false;
                }
            }
        }
        self.n_changed += 1;
        true
    }

    /// Counts the changes and failures of another folder as this command's.
    pub(crate) fn take_over(&mut self, other: Writer<'_>) {
        self.n_changed += other.n_changed;
        self.worst = self.worst.max(other.worst);
        self.kept = self.kept.take().or(other.kept);
        self.written.extend(other.written);
    }

    /// Reports a failure.
    pub(crate) fn fail(&mut self, error: &ChangeError) {
        self.worst = self.worst.max(error.print());
    }

    /// Returns whether a file was changed, or would be.
    pub(crate) fn has_changed(&self) -> bool {
        self.n_changed > 0
    }

    /// Does not report where the backups are: they are about to be removed.
    pub(crate) fn forget_backups(&mut self) {
        self.kept = None;
    }

    /// Reports where the backups are and whether anything changed, and returns the exit code.
    pub(crate) fn finish(self) -> Exit {
        if let Some(folder) = &self.kept {
            let below = folder.below(self.workspace.root());
            let shown = below.map_or_else(|_| folder.to_string(), |it| format!("{}{it}", self.prefix));
            output::note(&format!("  the previous versions are in {shown}"));
        }
        if self.worst == Exit::Fine && !self.has_changed() {
            output::note("nothing to change");
        } else if self.mode == Mode::DryRun {
            output::note("dry run: nothing was written");
        }
        self.worst
    }
}
