//! The memories and lessons of a workspace, found by id.

use event::AbsPath;
use memory::{Candidate, Candidates, Memory, MemoryFolder, Ranking, gather};
use modules::memory_journal;
use project_config::Config;

use crate::commands::Place;
use crate::output;

/// The memories and the lessons of a workspace.
pub(super) struct Known {
    pub(super) folder: MemoryFolder,
    pub(super) memories: Vec<(AbsPath, Memory)>,
    pub(super) lessons: Candidates,
}

/// A memory or a lesson.
pub(super) enum Found<'a> {
    Memory(&'a AbsPath, &'a Memory),
    Lesson(&'a Candidate),
}

impl Known {
    /// Reads the memories and the experience of every session.
    pub(super) fn read(place: &Place) -> anyhow::Result<Self> {
        let folder = MemoryFolder::of(&place.workspace);
        let memories = folder.memories()?;
        let known = folder.known()?;
        let ranking: Ranking = Config::load(&place.workspace)?.typed(memory_journal::NAME)?;
        let lessons = gather(&place.workspace, &[], &known, &ranking, &|| true);
        Ok(Self { folder, memories, lessons })
    }

    /// Finds the entry whose id starts with `named`. Reports if none or several do, and returns `None`.
    pub(super) fn find(&self, named: &str) -> Option<Found<'_>> {
        let begins = |id: &str| !named.is_empty() && id.starts_with(named);
        let memories = self.memories.iter().filter(|(_, memory)| begins(&memory.head.id));
        let lessons = self.lessons.candidates.iter().filter(|lesson| begins(&lesson.id));
        let mut found: Vec<_> = memories.map(|(path, memory)| Found::Memory(path, memory)).collect();
        found.extend(lessons.map(Found::Lesson));
        let exact = found.iter().position(|found| found.id() == named);
        match (exact, found.len()) {
            (Some(at), _) => Some(found.swap_remove(at)),
            (None, 1) => found.pop(),
            (None, 0) => {
                output::error(&format!("unknown memory or lesson `{}`", output::text::one_line(named)));
                output::hint("run `steersman memory list` for a list");
                None
            }
            (None, _) => {
                let ids: Vec<_> = found.iter().take(8).map(Found::id).collect();
                output::error(&format!("`{named}` is ambiguous: {}", ids.join(", ")));
                None
            }
        }
    }
}

impl Found<'_> {
    /// Returns its id.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Memory(_, memory) => &memory.head.id,
            Self::Lesson(lesson) => &lesson.id,
        }
    }
}

/// Returns a path relative to the workspace if possible.
pub(super) fn shown(place: &Place, path: &AbsPath) -> String {
    path.below(place.workspace.root()).map_or_else(|_| path.to_string(), |path| path.to_string())
}
