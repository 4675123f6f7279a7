//! Reads commits from the reflog of HEAD.
//!
//! WHY the reflog: git writes a line for every commit with the command that made it; users need not
//! install a git hook, and each worktree has its own reflog.

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use automation::limits::CATCH_UP;
use automation::{CommitKind, OccurrenceKind};
use engine::repository;
use store::Timestamp;

/// Reads the reflog of a repository from an offset on.
#[derive(Debug)]
pub(crate) struct ReflogReader {
    /// The folder in the automations; the repository may contain it.
    repo_root: PathBuf,
    git_dir: PathBuf,
    offset: u64,
    /// The last line read, by which the reader finds its place after git has shortened the reflog.
    last: String,
    last_busy: Option<Instant>,
}

/// The moves of HEAD.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct HeadMoves {
    /// The new commits.
    pub(crate) commits: Vec<Commit>,
    /// When git itself last wrote files: another branch, a reset, a merge.
    pub(crate) wrote_files: Option<SystemTime>,
}

/// A new commit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Commit {
    pub(crate) kind: OccurrenceKind,
    /// When it was made, by git's clock.
    pub(crate) at: Option<Timestamp>,
}

/// The place where a new reader starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartAt {
    /// At the end of the reflog.
    Now,
    /// At its start: the repository is new.
    Beginning,
}

/// After git has released its lock, the reflog may lack the new line for this long.
const GRACE: Duration = Duration::from_millis(300);

impl ReflogReader {
    /// Opens the reflog of the repository whose work tree contains a folder. Returns `None` if no
    /// repository does.
    pub(crate) fn of(folder: &Path, from: StartAt) -> Option<Self> {
        let git_dir = store::git_dir_around(folder)?;
        let repo_root = folder.to_path_buf();
        let mut commits = Self { repo_root, git_dir, offset: 0, last: String::new(), last_busy: None };
        if from == StartAt::Now {
            commits.read_new();
        }
        Some(commits)
    }

    /// Returns the folder in the automations.
    pub(crate) fn repo_root(&self) -> &Path {
        &self.repo_root
    }

    /// Returns whether the repository still exists.
    pub(crate) fn exists(&self) -> bool {
        self.git_dir.is_dir()
    }

    /// Returns whether the repository has commits but no reflog.
    pub(crate) fn lacks_reflog(&self) -> bool {
        repository::lacks_reflog(&self.git_dir)
    }

    /// Returns the recent commits since the last server stopped at the offset `known`, if the reflog
    /// still contains that place.
    pub(crate) fn catch_up(&mut self, known: Option<u64>) -> Vec<Commit> {
        let Some(known) = known.filter(|known| *known < self.offset) else { return Vec::new() };
        let journal = fs::read(self.journal()).unwrap_or_default();
        let before = usize::try_from(known).ok().and_then(|known| journal.get(..known));
        let Some(before) = before.and_then(|it| std::str::from_utf8(it).ok()).filter(|it| it.ends_with('\n'))
        else {
            // Git has shortened the reflog since, so the last read line is unknown.
            return Vec::new();
        };
        self.offset = known;
        self.last = before.lines().next_back().map(|last| format!("{last}\n")).unwrap_or_default();
        let (lines, branch) = self.new_lines_and_branch().unwrap_or_default();
        let recent: Vec<&str> = lines.lines().filter(|line| !is_long_ago(line)).collect();
        self.moves(&recent, branch).commits
    }

    /// Returns the source name under which the read offset is stored, and the offset.
    pub(crate) fn read_so_far(&self) -> (String, u64) {
        (format!("commits {}", self.repo_root.display()), self.offset)
    }

    /// Returns the folder to watch for new lines.
    pub(crate) fn folder(&self) -> PathBuf {
        self.git_dir.join("logs")
    }

    /// Returns when git last wrote the reflog. Returns `None` if it does not exist.
    pub(crate) fn written_at(&self) -> Option<SystemTime> {
        fs::metadata(self.journal()).and_then(|meta| meta.modified()).ok()
    }

    /// Returns whether git is writing files or was a moment ago: it writes the reflog after it has
    /// released its lock.
    pub(crate) fn is_busy(&mut self, moment: Instant) -> bool {
        let lock = fs::metadata(self.git_dir.join("index.lock")).and_then(|meta| meta.modified());
        // An older lock was left behind by a killed git.
        if lock.is_ok_and(|since| since.elapsed().is_ok_and(|age| age.as_secs() < 60)) {
            self.last_busy = Some(moment);
        }
        self.last_busy.is_some_and(|last| moment < last + GRACE)
    }

    /// Reads the lines added since the last call.
    pub(crate) fn read_new(&mut self) -> HeadMoves {
        let Ok((lines, branch)) = self.new_lines_and_branch() else { return HeadMoves::default() };
        self.moves(&lines.lines().collect::<Vec<_>>(), branch)
    }

    /// Returns the new lines and the branch of HEAD after the last of them.
    ///
    /// WHY it reads until no line is new: git writes the reflog before it moves HEAD. If git switches
    /// the branch after the lines were read, the last commit was not made on the branch found then.
    fn new_lines_and_branch(&mut self) -> io::Result<(String, Option<String>)> {
        let mut lines = self.new_lines()?;
        if lines.is_empty() {
            return Ok((lines, None));
        }
        loop {
            let branch = self.branch();
            let more = self.new_lines()?;
            if more.is_empty() {
                return Ok((lines, branch));
            }
            lines.push_str(&more);
        }
    }

    /// Parses lines; `branch` is the branch of HEAD after the last of them.
    fn moves(&self, lines: &[&str], mut branch: Option<String>) -> HeadMoves {
        let mut moves = HeadMoves::default();
        // Backwards: the final branch is known, and each move names the branch before it.
        for line in lines.iter().rev() {
            self.read(line, &mut branch, &mut moves);
        }
        moves.commits.reverse();
        moves
    }

    /// Returns the new whole lines.
    fn new_lines(&mut self) -> io::Result<String> {
        let mut file = match File::open(self.journal()) {
            Ok(file) => file,
            Err(error) => {
                // After other errors the reflog may still be the same.
                if error.kind() == io::ErrorKind::NotFound {
                    (self.offset, self.last) = (0, String::new());
                }
                return Err(error);
            }
        };
        let length = file.metadata()?.len();
        if length == self.offset {
            return Ok(String::new());
        }
        let mut read_from = |start: u64| {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(start))?;
            file.read_to_end(&mut bytes)?;
            bytes.truncate(bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
            io::Result::Ok(bytes)
        };
        let last = self.last.as_bytes();
        let before = self.offset.checked_sub(last.len() as u64).filter(|_| length > self.offset);
        let grown = before.map(&mut read_from).transpose()?.filter(|bytes| bytes.starts_with(last));
        let (start, bytes, n_known) = if let (Some(start), Some(bytes)) = (before, grown) {
            (start, bytes, last.len())
        } else {
            // Git shortens the reflog from the front, and a new clone has another reflog.
            let bytes = read_from(0)?;
            let n_known = if last.is_empty() { None } else { find(&bytes, last) };
            (0, bytes, n_known.unwrap_or(0))
        };
        let new = String::from_utf8_lossy(&bytes[n_known..]).into_owned();
        self.offset = start + bytes.len() as u64;
        if let Some(last) = new.lines().next_back() {
            self.last = format!("{last}\n");
        }
        Ok(new)
    }

    fn read(&self, line: &str, branch: &mut Option<String>, moves: &mut HeadMoves) {
        let Some((head, action)) = line.split_once('\t') else { return };
        let Some(commit) = head.split(' ').nth(1) else { return };
        if writes_files(action) && moves.wrote_files.is_none() {
            // Git writes the reflog after the files.
            let written = fs::metadata(self.journal()).and_then(|meta| meta.modified());
            moves.wrote_files = Some(written.unwrap_or_else(|_| store::system_time()));
        }
        // A rebase detaches HEAD and returns to the branch at its end.
        if let Some((_, name)) = action.split_once("returning to refs/heads/") {
            *branch = Some(name.trim().to_owned());
        }
        if let Some(how) = kind_of(action) {
            let kind = OccurrenceKind::Commit {
                repo_root: self.repo_root.display().to_string(),
                commit: commit.to_owned(),
                how,
                branch: branch.clone(),
            };
            let at = seconds_of(line).map(|it| Timestamp::from_millis(it.saturating_mul(1000)));
            moves.commits.push(Commit { kind, at });
        }
        if let Some(left) = action.strip_prefix("checkout: moving from ") {
            let name = left.split(" to ").next().unwrap_or_default();
            let is_hash = name.len() >= 40 && name.bytes().all(|it| it.is_ascii_hexdigit());
            *branch = (!is_hash).then(|| name.to_owned());
        }
    }

    fn branch(&self) -> Option<String> {
        let head = fs::read_to_string(self.git_dir.join("HEAD")).ok()?;
        head.trim().strip_prefix("ref: refs/heads/").map(str::to_owned)
    }

    fn journal(&self) -> PathBuf {
        repository::reflog(&self.git_dir)
    }
}

/// Returns the end of the last occurrence of a line.
fn find(bytes: &[u8], line: &[u8]) -> Option<usize> {
    let ends = bytes.windows(line.len()).rposition(|it| it == line)? + line.len();
    Some(ends)
}

/// Returns whether a line is too old for a new server to catch up on.
fn is_long_ago(line: &str) -> bool {
    let age = seconds_of(line).map(|it| (store::now().as_millis() / 1000).saturating_sub(it));
    age.is_some_and(|age| age > CATCH_UP.as_secs())
}

/// Returns when a line was written, in seconds since 1970.
fn seconds_of(line: &str) -> Option<u64> {
    let head = line.split('\t').next().unwrap_or_default();
    head.rsplit(' ').nth(1).and_then(|it| it.parse().ok())
}

/// Returns the kind of the commit in a reflog line. Returns `None` if the line only moves HEAD.
fn kind_of(action: &str) -> Option<CommitKind> {
    let verb = action.split(':').next().unwrap_or_default();
    match verb {
        "commit" | "commit (initial)" | "cherry-pick" | "revert" | "commit (cherry-pick)" => {
            Some(CommitKind::Commit)
        }
        "commit (amend)" => Some(CommitKind::Amend),
        "commit (merge)" => Some(CommitKind::Merge),
        _ if verb.starts_with("merge ") || verb.starts_with("pull") => {
            (!action.contains("Fast-forward") && action.contains("Merge made")).then_some(CommitKind::Merge)
        }
        // A rebase counts once, when it is finished, not for each commit it picks.
        _ if verb.ends_with("(finish)") && verb.contains("rebase") => Some(CommitKind::Rebase),
        _ => None,
    }
}

fn writes_files(action: &str) -> bool {
    !(action.starts_with("commit") || action.starts_with("branch") || action.starts_with("Branch"))
}
