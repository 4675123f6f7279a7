//! Carries changes out one after the other, or only shows them.

use event::AbsPath;
use store::{Timestamp, Workspace};

use super::{Change, Trouble};
use crate::exit::Exit;
use crate::output::{self, print};

/// Whether anything is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Files are written.
    Write,
    /// Diffs are printed instead.
    DryRun,
}

/// One run over several files. What fails is told and leaves the others alone.
#[derive(Debug)]
pub(crate) struct Writer<'a> {
    /// Where the files lie.
    pub(crate) workspace: &'a Workspace,
    mode: Mode,
    at: Timestamp,
    worst: Exit,
    n_changed: usize,
    kept: Option<AbsPath>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(workspace: &'a Workspace, mode: Mode) -> Self {
        Self { workspace, mode, at: store::now(), worst: Exit::Fine, n_changed: 0, kept: None }
    }

    /// Returns whether anything is written at all.
    pub(crate) fn writes(&self) -> bool {
        self.mode == Mode::Write
    }

    /// Carries a change out or shows it; returns whether that went well.
    pub(crate) fn apply(&mut self, change: &Change) -> bool {
        if change.is_nothing() {
            return true;
        }
        if self.mode == Mode::DryRun {
            print(format_args!("{}", change.diff().trim_end_matches('\n')));
        }
        self.apply_unseen(change)
    }

    /// Like [`Self::apply`], without a diff: for long files that nobody wants to read.
    pub(crate) fn apply_unseen(&mut self, change: &Change) -> bool {
        if change.is_nothing() {
            return true;
        }
        if self.writes() {
            match change.carry_out(self.workspace, self.at) {
                Ok(kept) => self.kept = kept.or_else(|| self.kept.take()),
                Err(error) => {
                    self.fail(&Trouble::World(error));
                    return false;
                }
            }
        }
        self.n_changed += 1;
        true
    }

    /// Tells of something that did not go.
    pub(crate) fn fail(&mut self, trouble: &Trouble) {
        self.worst = self.worst.max(trouble.tell());
    }

    /// Returns whether anything was changed, or would be.
    pub(crate) fn has_changed(&self) -> bool {
        self.n_changed > 0
    }

    /// Says where copies were kept and whether anything changed, and returns how it all ended.
    pub(crate) fn finish(self) -> Exit {
        if let Some(folder) = &self.kept {
            let shown =
                folder.below(self.workspace.root()).map_or_else(|_| folder.to_string(), |it| it.to_string());
            output::note(&format!("  what was changed is kept as it was in {shown}"));
        }
        if self.worst == Exit::Fine && !self.has_changed() {
            output::note("nothing had to be changed");
        } else if self.mode == Mode::DryRun {
            output::note("this was a dry run: nothing was written");
        }
        self.worst
    }
}
