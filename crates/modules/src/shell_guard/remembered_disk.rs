//! The real files and git repositories, each question answered once: for many command lines that are judged by one state.
//!
//! WHY: nearly every line of a batch asks about the same few folders, and one in six asks git, which costs a process
//! and more time than a hundred lines.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use shell::{Files, Git, GitAnswer, GitChange, GitStatus};

use super::Disk;

/// More paths than this are forgotten and asked about again.
const MAX_PATHS: usize = 16 * 1024;

/// Longer contents are read again each time.
const MAX_CONTENT: usize = 64 * 1024;

/// Asks [`Disk`] each question once. One value serves all threads of a batch.
#[derive(Debug, Default)]
pub struct RememberedDisk {
    paths: Mutex<HashMap<String, Facts>>,
    ports: Mutex<Option<(String, Vec<u16>)>>,
}

/// The answers about one path, as far as they have been asked for.
#[derive(Debug, Default)]
struct Facts {
    is_dir: Option<bool>,
    exists: Option<bool>,
    behind_links: Option<Answer<String>>,
    git_status: Option<Answer<GitStatus>>,
    /// The limit and the content up to it.
    content: Option<(usize, Option<Vec<u8>>)>,
    changes: Vec<(GitChange, Option<GitAnswer>)>,
}

/// An answer of the disk, which may be that there is nothing.
#[derive(Debug, Clone)]
struct Answer<T>(Option<T>);

impl RememberedDisk {
    /// Returns the known answer, or asks for it and remembers it. No thread waits for the question of another.
    fn answer<T: Clone>(
        &self,
        path: &str,
        known: impl Fn(&Facts) -> Option<T>,
        ask: impl FnOnce() -> T,
        remember: impl FnOnce(&mut Facts, T),
    ) -> T {
        let lock = || self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(answer) = lock().get(path).and_then(known) {
            return answer;
        }
        let answer = ask();
        let mut paths = lock();
        if paths.len() >= MAX_PATHS {
            paths.clear();
        }
        remember(paths.entry(path.to_owned()).or_default(), answer.clone());
        answer
    }
}

impl Files for RememberedDisk {
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>> {
        self.answer(
            path,
            |facts| facts.content.as_ref().filter(|(known, _)| *known == limit).map(|(_, it)| it.clone()),
            || Disk.read(path, limit),
            |facts, content| {
                if content.as_ref().is_none_or(|bytes| bytes.len() <= MAX_CONTENT) {
                    facts.content = Some((limit, content));
                }
            },
        )
    }

    fn is_dir(&self, path: &str) -> bool {
        self.answer(path, |facts| facts.is_dir, || Disk.is_dir(path), |facts, it| facts.is_dir = Some(it))
    }

    fn exists(&self, path: &str) -> bool {
        self.answer(path, |facts| facts.exists, || Disk.exists(path), |facts, it| facts.exists = Some(it))
    }

    fn behind_links(&self, path: &str) -> Option<String> {
        self.answer(
            path,
            |facts| facts.behind_links.clone(),
            || Answer(Disk.behind_links(path)),
            |facts, it| facts.behind_links = Some(it),
        )
        .0
    }

    fn git_status(&self, path: &str) -> Option<GitStatus> {
        self.answer(
            path,
            |facts| facts.git_status.clone(),
            || Answer(Disk.git_status(path)),
            |facts, it| facts.git_status = Some(it),
        )
        .0
    }

    /// Asks again for another workspace only; the state folder is the same for a whole process.
    fn page_ports(&self, workspace: &str, user_state: Option<&str>) -> Vec<u16> {
        let mut known = self.ports.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, ports)) = known.as_ref()
            && of == workspace
        {
            return ports.clone();
        }
        let ports = Disk.page_ports(workspace, user_state);
        *known = Some((workspace.to_owned(), ports.clone()));
        ports
    }
}

impl Git for RememberedDisk {
    fn changes(&self, folder: &str, change: &GitChange) -> Option<GitAnswer> {
        self.answer(
            folder,
            |facts| facts.changes.iter().find(|(of, _)| of == change).map(|(_, answer)| answer.clone()),
            || Disk.changes(folder, change),
            |facts, answer| facts.changes.push((change.clone(), answer)),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_answered_as_the_disk_answers_it_and_not_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let (file, sub) = (path("file"), path("sub"));
        std::fs::write(&file, "content").unwrap();
        let disk = RememberedDisk::default();
        let ask = || {
            (
                disk.read(&file, 4),
                disk.is_dir(&file),
                disk.exists(&file),
                disk.is_dir(&sub),
                disk.behind_links(&sub),
                disk.changes(&sub, &GitChange::Ignored),
            )
        };
        let first = ask();
        let nothing = Some(GitAnswer::Files(Vec::new()));
        assert_eq!(first, (Some(b"cont".to_vec()), false, true, false, None, nothing));
        std::fs::write(&file, "other").unwrap();
        std::fs::create_dir(&sub).unwrap();
        assert_eq!(ask(), first);
        assert_eq!(disk.read(&file, 5), Some(b"other".to_vec()), "another question");
    }
}
