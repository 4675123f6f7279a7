//! The steps after a confined command: reports the files it left behind and removes unused folders.

use std::path::Path;

use confine::{LeftKind, LeftoverScan};
use event::AbsPath;

use super::merged_run::say;

/// The paths that a message names.
const MAX_NAMED: usize = 5;

/// The clock of a file system may lag behind that of the system by a tick.
const TICK_NANOS: i64 = 20_000_000;

const SECOND_NANOS: i64 = 1_000_000_000;

/// The steps after the command.
#[derive(Debug)]
pub(crate) struct Aftermath {
    look: LeftoverScan,
    since: (i64, i64),
    /// The state folder that records folders to remove.
    made_in: Option<AbsPath>,
}

impl Aftermath {
    /// Remembers when the command started.
    pub(crate) fn begin(look: LeftoverScan, made_in: Option<AbsPath>) -> Self {
        let millis = i64::try_from(store::now().as_millis()).unwrap_or(i64::MAX);
        let nanos = millis.saturating_mul(1_000_000).saturating_sub(TICK_NANOS);
        let since = (nanos.div_euclid(SECOND_NANOS), nanos.rem_euclid(SECOND_NANOS));
        Self { look, since, made_in }
    }

    /// Reports the files that the command left behind, and removes the folders made for it that are still empty.
    pub(crate) fn finish(self) {
        let found = self.look.look(self.since);
        for (kind, why) in [
            (
                LeftKind::Repository,
                "the command created these repositories; git runs the programs that their configuration names",
            ),
            (LeftKind::GitName, "git runs the programs that these files name"),
            (LeftKind::Governing, "these files govern agent programs"),
            (LeftKind::StartUp, "shells and git read these files of your home when they start"),
            (
                LeftKind::HardLink,
                "the command changed files with several hard links, of which others may be out of scope",
            ),
            (LeftKind::Beside, "the command left new entries beside a file of its scope"),
            (LeftKind::Unchecked, "the scope holds too many entries; steersman checked them only up to"),
        ] {
            let paths: Vec<_> =
                found.iter().filter(|it| it.kind == kind).map(|it| it.path.as_path()).collect();
            if !paths.is_empty() {
                say(&format!("{why}: {}\nhint: check them before you continue", listed(&paths)));
            }
        }
        if let Some(state) = &self.made_in {
            store::MadeFolders::remove_unused(state);
        }
    }
}

fn listed(paths: &[&Path]) -> String {
    let named: Vec<_> = paths.iter().take(MAX_NAMED).map(|path| format!("`{}`", path.display())).collect();
    match paths.len().checked_sub(MAX_NAMED) {
        Some(more @ 1..) => format!("{} and {more} more", named.join(", ")),
        _ => named.join(", "),
    }
}
