//! What sessions taught: experience, the lessons in it, and the memories people made of them.
//!
//! Sessions leave experience behind (`experience.jsonl`). Lessons are found in the experience
//! of all sessions of a workspace, each time anew. A lesson that a person accepts becomes a
//! Markdown file in `.ai/memory/`, which is the person's from then on.

mod candidate;
mod dropped;
mod experience;
mod lesson;
mod memory_file;
mod rank;
mod sessions;
mod shelf;

pub use candidate::{Candidate, Candidates, LessonKind};
pub use dropped::{Dropped, DroppedLesson};
pub use experience::{Experience, ExperienceKind};
pub(crate) use lesson::program;
pub use memory_file::{Memory, MemoryHead};
pub use rank::Ranking;
pub(crate) use sessions::recent;
pub use sessions::{Patience, gather};
pub use shelf::{Shelf, ShelfError};
