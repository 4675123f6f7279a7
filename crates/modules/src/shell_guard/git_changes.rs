//! Asks git which governing files a change of the checkout touches.
//!
//! WHY a process: a reader of loose objects, packs, deltas, ref tables and revision names would be a second git. Only
//! commands that move a checkout ask.
//!
//! SAFETY: the repository may be hostile, so git runs plumbing that starts no configured program: hooks, the file
//! system monitor and all transports are off. Git gets no terminal, no input and no lock, and is found in the folders
//! of the system, never through `PATH`.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use event::AbsPath;
use intent::trace::{TraceLog, changed_files as changed_governing_files, checkout_of, git_head};
use shell::guard::governs;
use shell::{GitAnswer, GitChange, SYSTEM_BIN};

/// The longest output that is read: a comparison of a million files.
const MAX_OUTPUT: u64 = 64 * 1024 * 1024;

/// Where git for Windows lies.
const WINDOWS_FOLDER: &str = "C:/Program Files/Git/cmd";

/// The tree without files, which exists in every repository.
const EMPTY_TREE: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// Prints the names of files that differ between two trees, or in one commit, each ended by a NUL.
const DIFF: &[&str] = &["diff-tree", "-r", "--name-only", "-z", "--no-renames", "--no-commit-id"];

/// Variables that would make git read another repository than the folder's.
const REDIRECTIONS: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
];

/// Why git has no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// The repository lacks the revision.
    NoRevision,
    /// git is not installed, takes too long, or refuses.
    Unavailable,
}

/// Answers for the checkout around `folder`; each process of git may take `time`.
pub(super) fn answer(folder: &Path, change: &GitChange, time: Duration) -> GitAnswer {
    // Outside of a checkout git refuses the command itself.
    let Some((top, _)) = checkout_of(folder) else { return GitAnswer::Files(Vec::new()) };
    if *change == GitChange::Changed {
        return GitAnswer::Files(changed_governing_files(folder, governs).unwrap_or_default());
    }
    let git = match Git::find(top, time) {
        Ok(git) => git,
        Err(failure) => return failure.into(),
    };
    match git.names(change) {
        Ok(names) => GitAnswer::Files(git.governing(change, &names)),
        Err(failure) => failure.into(),
    }
}

/// Returns all files that a change touches, as absolute paths. Returns `None` if they cannot be determined.
pub fn changed_files(folder: &Path, change: &GitChange, time: Duration) -> Option<Vec<String>> {
    let Some((top, _)) = checkout_of(folder) else { return Some(Vec::new()) };
    // Comparing files with the index would run filters of the repository.
    if *change == GitChange::Changed {
        return None;
    }
    let names = Git::find(top, time).and_then(|git| git.names(change)).ok()?;
    let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| top.join(std::str::from_utf8(name).ok()?).to_str().map(str::to_owned)).collect()
}

/// Returns the hash of the content of each of these files in the checked-out commit, as far as the commit has them. Returns
/// `None` if git cannot be run.
pub(crate) fn committed_blobs(top: &Path, files: &[&str], time: Duration) -> Option<HashMap<String, String>> {
    let git = Git::find(top, time).ok()?;
    let args = [&["--literal-pathspecs", "ls-tree", "-r", "-z", "HEAD", "--"], files].concat();
    let list = String::from_utf8(git.run(&args).ok()?).ok()?;
    // Each is `MODE blob HASH<TAB>PATH`.
    let parse = |entry: &str| {
        let (about, path) = entry.split_once('\t')?;
        Some((path.to_owned(), about.rsplit_once(' ')?.1.to_owned()))
    };
    Some(list.split('\0').filter_map(parse).collect())
}

impl From<Failure> for GitAnswer {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NoRevision => Self::NoRevision,
            Failure::Unavailable => Self::Unavailable,
        }
    }
}

/// The program git, run at the top of a checkout.
struct Git<'a> {
    program: std::path::PathBuf,
    top: &'a Path,
    time: Duration,
}

impl<'a> Git<'a> {
    fn find(top: &'a Path, time: Duration) -> Result<Self, Failure> {
        let name = if cfg!(windows) { "git.exe" } else { "git" };
        let mut programs =
            SYSTEM_BIN.iter().chain([&WINDOWS_FOLDER]).map(|folder| Path::new(folder).join(name));
        let program = programs.find(|program| program.is_file()).ok_or(Failure::Unavailable)?;
        Ok(Self { program, top, time })
    }

    /// Returns the names of all files that a change touches, each ended by a NUL.
    fn names(&self, change: &GitChange) -> Result<Vec<u8>, Failure> {
        match change {
            GitChange::Between { from: Some(from), to } => self.between(from, to),
            GitChange::Between { from: None, to } => self.diff(&[EMPTY_TREE, to]),
            GitChange::Merge(other) => match self.diff(&["--merge-base", "HEAD", other]) {
                // Without exactly one common ancestor, everything that differs may arrive.
                Err(_) => self.between("HEAD", other),
                names => names,
            },
            GitChange::Rebase(base) => {
                let arriving = self.run(&["rev-list", "--max-count=1", &format!("HEAD..{base}"), "--"]);
                match arriving {
                    Ok(commits) if commits.is_empty() => Ok(commits),
                    _ => self.between("HEAD", base),
                }
            }
            GitChange::Commit(commit) => self.diff(&["-m", "--root", commit]),
            GitChange::Range(range) => self.diff_each(range),
            GitChange::Changed => Ok(Vec::new()),
            GitChange::Untracked => self.run(&["ls-files", "--others", "-z", "--exclude-standard"]),
            GitChange::Ignored => self.run(&["ls-files", "--others", "-z"]),
        }
    }

    /// Compares two trees. A name that only a remote has stands for its branch, as `git switch` reads it; a repository
    /// without a commit is compared as an empty tree.
    fn between(&self, from: &str, to: &str) -> Result<Vec<u8>, Failure> {
        match self.diff(&[from, to]) {
            Err(Failure::NoRevision) => {}
            names => return names,
        }
        let has_commit =
            AbsPath::new(self.top.to_path_buf()).is_ok_and(|workspace| git_head(&workspace).is_some());
        let from = if has_commit { from } else { EMPTY_TREE };
        let pattern = format!("refs/remotes/*/{to}");
        let branches = self.run(&["for-each-ref", "--count=2", "--format=%(refname)", &pattern])?;
        let branches = String::from_utf8(branches).map_err(|_| Failure::NoRevision)?;
        match branches.lines().collect::<Vec<_>>().as_slice() {
            [branch] => self.diff(&[from, branch]),
            _ if has_commit => Err(Failure::NoRevision),
            _ => self.diff(&[from, to]),
        }
    }

    fn diff(&self, revisions: &[&str]) -> Result<Vec<u8>, Failure> {
        self.run(&[DIFF, revisions, &["--"]].concat())
    }

    /// Compares every commit of a range with its parents.
    fn diff_each(&self, range: &str) -> Result<Vec<u8>, Failure> {
        let mut list = self.start(&["rev-list", range, "--"], Stdio::null())?;
        let commits = list.stdout.take().ok_or(Failure::Unavailable)?;
        let diff = self.start(&[DIFF, &["-m", "--root", "--stdin"]].concat(), Stdio::from(commits))?;
        let names = finish(diff, self.time);
        // A range that git cannot read has no commits.
        finish(list, self.time)?;
        names
    }

    fn run(&self, args: &[&str]) -> Result<Vec<u8>, Failure> {
        finish(self.start(args, Stdio::null())?, self.time)
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "plumbing of git that only reads, as the module docs argue"
    )]
    fn start(&self, args: &[&str], input: Stdio) -> Result<Child, Failure> {
        let mut command = Command::new(&self.program);
        command
            .args(["--no-optional-locks", "--no-pager", "-c", "core.fsmonitor=false"])
            .args(["-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"])
            .args(args)
            .current_dir(self.top)
            .env("LC_ALL", "C")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_TERMINAL_PROMPT", "0")
            .stdin(input)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for name in REDIRECTIONS {
            command.env_remove(name);
        }
        command.spawn().map_err(|_| Failure::Unavailable)
    }

    /// Returns the absolute paths of the governing files among names.
    ///
    /// WHY without the trace: steersman appends to it at every write, so it differs between any two commits. Its
    /// content governs no call.
    fn governing(&self, change: &GitChange, names: &[u8]) -> Vec<String> {
        let leaves_disk = matches!(change, GitChange::Untracked | GitChange::Ignored);
        let names = names.split(|byte| *byte == 0).filter_map(|name| std::str::from_utf8(name).ok());
        // Every governing name starts with a dot; the others need no path.
        let names = names.filter(|name| name.starts_with('.') || name.contains("/."));
        let names = names.filter(|name| leaves_disk || !name.ends_with(TraceLog::PATH));
        let paths = names.filter_map(|name| self.top.join(name).to_str().map(str::to_owned));
        paths.filter(|path| governs(path)).collect()
    }
}

/// Waits for git to end and returns its output; ends it after `time`.
fn finish(mut child: Child, time: Duration) -> Result<Vec<u8>, Failure> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut output = Vec::new();
        let mut complaint = Vec::new();
        let is_whole = stdout.is_none_or(|pipe| {
            pipe.take(MAX_OUTPUT).read_to_end(&mut output).is_ok() && (output.len() as u64) < MAX_OUTPUT
        });
        let _ = stderr.map(|pipe| pipe.take(4096).read_to_end(&mut complaint));
        let _ = sender.send((is_whole, output, complaint));
    });
    let Ok((is_whole, output, complaint)) = receiver.recv_timeout(time) else {
        let _ = child.kill();
        let _ = child.wait();
        return Err(Failure::Unavailable);
    };
    if !is_whole {
        let _ = child.kill();
    }
    match child.wait() {
        Ok(status) if status.success() && is_whole => Ok(output),
        _ if is_about_revision(&complaint) => Err(Failure::NoRevision),
        _ => Err(Failure::Unavailable),
    }
}

/// Whether git complains that a revision does not exist.
fn is_about_revision(complaint: &[u8]) -> bool {
    const SAYS: [&str; 9] = [
        "unknown revision",
        "bad revision",
        "bad object",
        "valid object name",
        "only has",
        "is empty",
        "no upstream",
        "no such branch",
        "does not point to a branch",
    ];
    let complaint = String::from_utf8_lossy(complaint);
    SAYS.iter().any(|text| complaint.contains(text))
}
