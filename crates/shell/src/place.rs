//! Where a command line would run: folder, home, workspace, dialect, and the files it may run.

pub use event::Dialect;

use crate::git_state::{GitAnswer, GitChange, GitStatus};
use crate::guard::MovedSettings;

/// Whether hooks see the text that an agent types into a running command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TypedInput {
    /// The host fires an event for it, or offers no way to type.
    #[default]
    Announced,
    /// The host passes it on without an event.
    Unannounced,
}

/// Questions of the reader about files. The crate itself does no IO.
pub trait Files {
    /// Returns the first bytes of the file, at most `limit`. Returns `None` if it cannot be read.
    fn read(&self, path: &str, limit: usize) -> Option<Vec<u8>>;

    /// Returns whether `path` is a folder.
    fn is_dir(&self, path: &str) -> bool;

    /// Returns whether something lies at `path`, a link included.
    fn exists(&self, _path: &str) -> bool {
        false
    }

    /// Returns the names in a folder, at most `limit`; those of folders end with `/`, those of links do not.
    fn list(&self, _folder: &str, _limit: usize) -> Vec<String> {
        Vec::new()
    }

    /// Returns the target of `path` if a link lies on the way or at its end. Returns `None` without a link.
    fn behind_links(&self, _path: &str) -> Option<String> {
        None
    }

    /// Returns the state in git of the file or folder at `path`. Returns `None` if it cannot be read. A path that
    /// does not exist is neither tracked nor untracked.
    fn git_status(&self, _path: &str) -> Option<GitStatus> {
        None
    }

    /// Returns the ports on which `steersman serve` shows pages of this user: that of the workspace, and those that the
    /// state folder lists.
    fn page_ports(&self, _workspace: &str, _user_state: Option<&str>) -> Vec<u16> {
        Vec::new()
    }
}

/// Questions of the reader to git itself.
pub trait Git {
    /// Returns the governing files that a git command in `folder` would change. Returns `None` if this
    /// implementation never asks git.
    fn changes(&self, folder: &str, change: &GitChange) -> Option<GitAnswer>;
}

/// Never asks git.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoGit;

impl Git for NoGit {
    fn changes(&self, _folder: &str, _change: &GitChange) -> Option<GitAnswer> {
        None
    }
}

/// Reads no file, so scripts stay unknown.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str, _limit: usize) -> Option<Vec<u8>> {
        None
    }

    fn is_dir(&self, _path: &str) -> bool {
        false
    }
}

/// Where a command line would run.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The folder the line starts in, absolute.
    pub cwd: &'a str,
    /// The user's home; unknown homes are written `/~` in paths.
    pub home: Option<&'a str>,
    /// Where steersman keeps the user's own state, which no agent may change.
    pub user_state: Option<&'a str>,
    /// Where the user moved the settings of agent programs to.
    pub moved_settings: &'a [MovedSettings],
    /// The folder that is the agent's to change; without one it is `cwd`.
    pub workspace: Option<&'a str>,
    /// Which shell reads the line.
    pub dialect: Dialect,
    /// Whether input for a running command can be judged when it comes.
    pub typed: TypedInput,
    /// Lines that may have run before in the same shell, which keeps functions, aliases and variables.
    pub earlier: &'a str,
    /// How scripts that are run can be read.
    pub files: &'a dyn Files,
    /// How git is asked which files a command would change.
    pub git: &'a dyn Git,
}

impl std::fmt::Debug for Place<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Place")
            .field("cwd", &self.cwd)
            .field("home", &self.home)
            .field("workspace", &self.workspace)
            .field("dialect", &self.dialect)
            .finish_non_exhaustive()
    }
}

impl<'a> Place<'a> {
    /// Returns a POSIX place in `cwd`, which is also the workspace, without files.
    pub fn at(cwd: &'a str) -> Self {
        Self {
            cwd,
            home: None,
            user_state: None,
            moved_settings: &[],
            workspace: None,
            dialect: Dialect::Posix,
            typed: TypedInput::Announced,
            earlier: "",
            files: &NoFiles,
            git: &NoGit,
        }
    }
}
