//! Commits, read off the repository's own journal of where HEAD has been.
//!
//! WHY the reflog: git writes a line for every way a commit can come about and says which it
//! was; no hook has to be installed, and worktrees have one each.

#[cfg(test)]
mod tests;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use automation::limits::CATCH_UP;
use automation::{CommitKind, What};
use engine::repository;
use store::Timestamp;

/// A repository, from some place of its journal on.
#[derive(Debug)]
pub(crate) struct Commits {
    /// The folder as automations name it; the repository may be around it.
    repo_root: PathBuf,
    git_dir: PathBuf,
    offset: u64,
    /// The last line that was read: how we know the journal again after git has shortened it.
    last: String,
    last_busy: Option<Instant>,
}

/// What happened to HEAD.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Moves {
    /// Commits that were made.
    pub(crate) commits: Vec<Made>,
    /// Until when git itself has written files: another branch, a reset, a merge.
    pub(crate) wrote_files: Option<SystemTime>,
}

/// A commit that was made.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Made {
    pub(crate) what: What,
    /// When, as git says.
    pub(crate) at: Option<Timestamp>,
}

/// From where on commits count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    /// From now on.
    Now,
    /// All of them: the repository was not there before.
    Beginning,
}

/// For so long after git was at work its journal may not tell yet what it did.
const GRACE: Duration = Duration::from_millis(300);

impl Commits {
    /// Finds the repository that a folder is the work tree of, or a part of.
    pub(crate) fn of(folder: &Path, from: From) -> Option<Self> {
        let git_dir = repository::git_dir_around(folder)?;
        let repo_root = folder.to_path_buf();
        let mut commits = Self { repo_root, git_dir, offset: 0, last: String::new(), last_busy: None };
        if from == From::Now {
            commits.look();
        }
        Some(commits)
    }

    /// Returns the folder as automations name it.
    pub(crate) fn repo_root(&self) -> &Path {
        &self.repo_root
    }

    /// Returns whether the repository is still there.
    pub(crate) fn is_there(&self) -> bool {
        self.git_dir.is_dir()
    }

    /// Returns whether git keeps no journal here although there are commits to tell of.
    pub(crate) fn is_untold(&self) -> bool {
        repository::is_untold(&self.git_dir)
    }

    /// Goes back to where the last server ended, if the journal still reaches there, and returns the
    /// commits since then that are not too long ago.
    pub(crate) fn catch_up(&mut self, known: Option<u64>) -> Vec<Made> {
        let Some(known) = known.filter(|known| *known < self.offset) else { return Vec::new() };
        let journal = fs::read(self.journal()).unwrap_or_default();
        let before = usize::try_from(known).ok().and_then(|known| journal.get(..known));
        let Some(before) = before.and_then(|it| std::str::from_utf8(it).ok()).filter(|it| it.ends_with('\n'))
        else {
            // Git has shortened it since: nobody can say which line was the last.
            return Vec::new();
        };
        self.offset = known;
        self.last = before.lines().next_back().map(|last| format!("{last}\n")).unwrap_or_default();
        let (news, branch) = self.news_and_branch().unwrap_or_default();
        let recent: Vec<&str> = news.lines().filter(|line| !is_long_ago(line)).collect();
        self.moves(&recent, branch).commits
    }

    /// Returns under which name it is kept how far the journal was read, and how far.
    pub(crate) fn read_so_far(&self) -> (String, u64) {
        (format!("commits {}", self.repo_root.display()), self.offset)
    }

    /// Returns the folder to watch for new lines.
    pub(crate) fn folder(&self) -> PathBuf {
        self.git_dir.join("logs")
    }

    /// Returns when git last wrote the journal; `None` if there is none.
    pub(crate) fn written_at(&self) -> Option<SystemTime> {
        fs::metadata(self.journal()).and_then(|meta| meta.modified()).ok()
    }

    /// Returns whether git is at work on the files, or was a moment ago: it writes its journal
    /// after it has let go of its lock.
    pub(crate) fn is_busy(&mut self, moment: Instant) -> bool {
        let lock = fs::metadata(self.git_dir.join("index.lock")).and_then(|meta| meta.modified());
        // One that is older was left behind by a git that died.
        if lock.is_ok_and(|since| since.elapsed().is_ok_and(|age| age.as_secs() < 60)) {
            self.last_busy = Some(moment);
        }
        self.last_busy.is_some_and(|last| moment < last + GRACE)
    }

    /// Reads the lines that were added since the last look.
    pub(crate) fn look(&mut self) -> Moves {
        let Ok((news, branch)) = self.news_and_branch() else { return Moves::default() };
        self.moves(&news.lines().collect::<Vec<_>>(), branch)
    }

    /// Returns the lines that are new and the branch that HEAD was on after the last of them.
    ///
    /// WHY until there are no more: git moves HEAD after it has said so in its journal. A branch that was
    /// switched to after the journal was read is not where the last commit was made.
    fn news_and_branch(&mut self) -> io::Result<(String, Option<String>)> {
        let mut news = self.news()?;
        if news.is_empty() {
            return Ok((news, None));
        }
        loop {
            let branch = self.branch();
            let more = self.news()?;
            if more.is_empty() {
                return Ok((news, branch));
            }
            news.push_str(&more);
        }
    }

    /// Returns what lines say; after the last of them HEAD is on this branch.
    fn moves(&self, lines: &[&str], mut branch: Option<String>) -> Moves {
        let mut moves = Moves::default();
        // From the latest line back: where HEAD is in the end is known, and each move says where it was.
        for line in lines.iter().rev() {
            self.read(line, &mut branch, &mut moves);
        }
        moves.commits.reverse();
        moves
    }

    /// Returns the whole lines that are new.
    fn news(&mut self) -> io::Result<String> {
        let mut file = match File::open(self.journal()) {
            Ok(file) => file,
            Err(error) => {
                // One that cannot be read just now is still the same.
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
            // Git shortens its journal from the front, and a new clone has one of its own.
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

    fn read(&self, line: &str, branch: &mut Option<String>, moves: &mut Moves) {
        let Some((head, action)) = line.split_once('\t') else { return };
        let Some(commit) = head.split(' ').nth(1) else { return };
        if writes_files(action) && moves.wrote_files.is_none() {
            // It writes its journal when it is done with the files.
            let written = fs::metadata(self.journal()).and_then(|meta| meta.modified());
            moves.wrote_files = Some(written.unwrap_or_else(|_| SystemTime::now()));
        }
        // A rebase works without a branch and comes back to it in the end.
        if let Some((_, name)) = action.split_once("returning to refs/heads/") {
            *branch = Some(name.trim().to_owned());
        }
        if let Some(how) = kind_of(action) {
            let what = What::Commit {
                repo_root: self.repo_root.display().to_string(),
                commit: commit.to_owned(),
                how,
                branch: branch.clone(),
            };
            let at = seconds_of(line).map(|it| Timestamp::from_millis(it.saturating_mul(1000)));
            moves.commits.push(Made { what, at });
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
        repository::journal(&self.git_dir)
    }
}

/// Returns where the last appearance of a line ends.
fn find(bytes: &[u8], line: &[u8]) -> Option<usize> {
    let ends = bytes.windows(line.len()).rposition(|it| it == line)? + line.len();
    Some(ends)
}

/// Returns whether a line is older than what is still answered to after a time without a server.
fn is_long_ago(line: &str) -> bool {
    let age = seconds_of(line).map(|it| (store::now().as_millis() / 1000).saturating_sub(it));
    age.is_some_and(|age| age > CATCH_UP.as_secs())
}

/// Returns when a line was written, in seconds since 1970.
fn seconds_of(line: &str) -> Option<u64> {
    let head = line.split('\t').next().unwrap_or_default();
    head.rsplit(' ').nth(1).and_then(|it| it.parse().ok())
}

/// Tells how a commit came about; what only moves HEAD makes none.
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
        // A rebase is told once, when it is finished, not for each commit it picks.
        _ if verb.ends_with("(finish)") && verb.contains("rebase") => Some(CommitKind::Rebase),
        _ => None,
    }
}

fn writes_files(action: &str) -> bool {
    !(action.starts_with("commit") || action.starts_with("branch") || action.starts_with("Branch"))
}
