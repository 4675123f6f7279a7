//! Lessons from sessions: experience, the lessons in it, and the memories users accepted.
//!
//! Sessions record experience (`experience.jsonl`). [`gather`] finds lessons in the experience of all
//! sessions of a workspace. A lesson that a user accepts becomes a Markdown file in `.ai/memory/`,
//! which the user owns from then on.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod candidate;
mod dropped;
mod experience;
mod lesson;
mod memory_file;
mod memory_folder;
mod rank;
mod sessions;

pub use candidate::{Candidate, Candidates, LessonKind};
pub use dropped::{Dropped, DroppedLesson};
pub use experience::{Experience, ExperienceKind};
pub use lesson::program;
pub use memory_file::{Memory, MemoryHead};
pub use memory_folder::{MemoryFolder, MemoryFolderError};
pub use rank::Ranking;
pub use sessions::{HasTime, gather, recent};

/// The dispatcher's module that records experience, and the folder of its file.
pub const MODULE: &str = "memory-journal";
