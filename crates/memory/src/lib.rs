//! What sessions taught: experience, the lessons in it, and the memories people made of them.
//!
//! Sessions leave experience behind (`experience.jsonl`). Lessons are found in the experience
//! of all sessions of a workspace, at every call of [`gather`]. A lesson that a person accepts becomes a
//! Markdown file in `.ai/memory/`, which is the person's from then on.

mod candidate;
mod dropped;
mod experience;
mod lesson;
mod memory_file;
mod one_line;
mod rank;
mod sessions;
mod shelf;

pub use candidate::{Candidate, Candidates, LessonKind};
pub use dropped::{Dropped, DroppedLesson};
pub use experience::{Experience, ExperienceKind};
pub use lesson::program;
pub use memory_file::{Memory, MemoryHead};
pub use one_line::one_line;
pub use rank::Ranking;
pub use sessions::{HasTime, gather, recent};
pub use shelf::{Shelf, ShelfError};

/// The module of the dispatcher that records experience, and the folder of its file.
pub const MODULE: &str = "memory-journal";
