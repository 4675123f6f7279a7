//! `.ai/memory/`: the memories of a workspace, and the dropped lessons.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use event::AbsPath;
use redact::Redacted;
use store::{FileError, Timestamp, Workspace, WriteError, read_json, replace_file};

use super::{Candidate, Dropped, DroppedLesson, Memory, MemoryHead};

/// The most memories that are read.
const MOST: usize = 500;

/// The largest file that is read as a memory.
const MOST_BYTES: u64 = 64 * 1024;

/// The folder of memories.
#[derive(Debug, Clone)]
pub struct MemoryFolder {
    folder: AbsPath,
}

/// Why a memory cannot be added or removed.
#[derive(Debug, thiserror::Error)]
pub enum MemoryFolderError {
    /// A file cannot be read or parsed.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file cannot be removed.
    #[error("cannot remove `{path}`")]
    Disk {
        /// The file.
        path: AbsPath,
        /// The system's error.
        source: io::Error,
    },
}

impl MemoryFolder {
    /// Returns the memory folder of a workspace.
    pub fn of(workspace: &Workspace) -> Self {
        Self { folder: workspace.memory_dir() }
    }

    /// Reads every memory, in the order of file names. Returns an empty vector if the folder does not
    /// exist.
    pub fn memories(&self) -> Result<Vec<(AbsPath, Memory)>, FileError> {
        let entries = match fs::read_dir(self.folder.as_path()) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Vec::new());
            }
            Err(source) => {
                return Err(FileError::Read { path: self.folder.as_path().to_path_buf(), source });
            }
            Ok(entries) => entries,
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let mut names: Vec<_> = names.filter(|name| is_memory(name)).collect();
        names.sort();
        names.truncate(MOST);
        names.into_iter().map(|name| self.read(&name)).collect()
    }

    /// Returns the ids of accepted and dropped lessons.
    pub fn known(&self) -> Result<BTreeSet<String>, FileError> {
        let accepted = self.memories()?.into_iter().map(|(_, memory)| memory.head.id);
        let dropped = self.dropped()?.dropped.into_iter().map(|lesson| lesson.id);
        Ok(accepted.chain(dropped).collect())
    }

    /// Writes a memory file for a lesson and returns its path. The user owns the file from then on.
    pub fn accept(&self, candidate: &Candidate, now: Timestamp) -> Result<AbsPath, MemoryFolderError> {
        let path = self.folder.child(&format!("{}.md", slug(candidate)));
        let head = MemoryHead {
            version: Memory::FORMAT.0,
            id: candidate.id.clone(),
            title: candidate.title.clone(),
            paths: candidate.paths.clone(),
            words: candidate.words.clone(),
            accepted: Some(now.to_string()[..10].to_owned()),
            seen: Some(format!(
                "{} in {}",
                counted(candidate.times, "time"),
                counted(candidate.sessions, "session")
            )),
        };
        let memory = Memory { head, text: candidate.lesson.clone() };
        replace_file(path.as_path(), Redacted::from_text(&memory.to_text()).as_str().as_bytes())?;
        Ok(path)
    }

    /// Records that the user dropped a lesson.
    pub fn drop_lesson(&self, id: &str, title: &str, now: Timestamp) -> Result<(), MemoryFolderError> {
        let mut dropped = self.dropped()?;
        dropped.version = Dropped::FORMAT.0;
        dropped.dropped.retain(|lesson| lesson.id != id);
        let lesson = DroppedLesson { id: id.to_owned(), title: title.to_owned(), ts: now.as_millis() };
        dropped.dropped.push(lesson);
        let text = serde_json::to_string_pretty(&dropped).unwrap_or_default() + "\n";
        replace_file(self.dropped_file().as_path(), text.as_bytes())?;
        Ok(())
    }

    /// Removes a memory.
    pub fn remove(&self, path: &AbsPath) -> Result<(), MemoryFolderError> {
        store::remove_file(path.as_path())
            .map(drop)
            .map_err(|source| MemoryFolderError::Disk { path: path.clone(), source })
    }

    /// Returns the dropped lessons.
    pub fn dropped(&self) -> Result<Dropped, FileError> {
        Ok(read_json(&self.dropped_file(), Dropped::FORMAT)?.unwrap_or_default())
    }

    fn dropped_file(&self) -> AbsPath {
        self.folder.child("dropped.json")
    }

    fn read(&self, name: &str) -> Result<(AbsPath, Memory), FileError> {
        let path = self.folder.join(name);
        let unreadable = |source| FileError::Read { path: path.as_path().to_path_buf(), source };
        let meta = fs::metadata(path.as_path()).map_err(unreadable)?;
        if !meta.is_file() || meta.len() > MOST_BYTES {
            let problem = format!("must be a regular file of at most {MOST_BYTES} bytes");
            return Err(unreadable(io::Error::new(io::ErrorKind::InvalidData, problem)));
        }
        let text = fs::read_to_string(path.as_path()).map_err(unreadable)?;
        let memory = Memory::parse(path.as_path(), &text)?;
        Ok((path, memory))
    }
}

/// Returns whether a file is a memory. A README next to memories is not.
fn is_memory(name: &str) -> bool {
    let is_markdown = Path::new(name).extension().is_some_and(|extension| extension == "md");
    is_markdown && !name.starts_with('.') && !name.eq_ignore_ascii_case("readme.md")
}

fn counted(n: u64, what: &str) -> String {
    if n == 1 { format!("{n} {what}") } else { format!("{n} {what}s") }
}

/// Returns a recognisable file name, made unique by the id.
fn slug(candidate: &Candidate) -> String {
    let mut words = String::new();
    for c in candidate.title.chars() {
        if c.is_ascii_alphanumeric() {
            words.push(c.to_ascii_lowercase());
        } else if !words.ends_with('-') && !words.is_empty() {
            words.push('-');
        }
        if words.len() >= 40 {
            break;
        }
    }
    let words = words.trim_matches('-');
    if words.is_empty() { candidate.id.clone() } else { format!("{words}-{}", candidate.id) }
}
