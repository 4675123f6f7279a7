//! One file of the workspace as it is and as it shall be: shown as a diff, or backed up
//! and written.

mod trouble;
mod writer;

use std::fs;
use std::io;

use anyhow::Context;
use event::{AbsPath, RepoPath};
use similar::TextDiff;
use store::{Timestamp, Workspace, replace_file};

pub(crate) use trouble::Trouble;
pub(crate) use writer::{Mode, Writer};

/// A file before and after; `None` is a file that does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// The file, as people are shown it.
    pub(crate) file: RepoPath,
    path: AbsPath,
    before: Option<String>,
    after: Option<String>,
    owner: Owner,
}

/// Whose words stand in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A copy is kept before it is changed.
    Person,
    /// All of it is made by this build and can be made again.
    Build,
}

impl Change {
    /// Takes a file of the workspace as it stands there now; `edit` says what becomes of it.
    pub(crate) fn plan(
        workspace: &Workspace,
        file: &str,
        edit: impl FnOnce(Option<&str>) -> Result<Option<String>, Trouble>,
    ) -> Result<Self, Trouble> {
        let path = workspace.root().join(file);
        let repo_path = path
            .below(workspace.root())
            .map_err(|_| anyhow::anyhow!("`{file}` is not below the workspace"))?;
        let before = read_text(&path)?;
        let after = edit(before.as_deref())?;
        Ok(Self { file: repo_path, path, before, after, owner: Owner::Person })
    }

    /// Says that the file is made by this build, so that no copy of it has to be kept.
    #[must_use]
    pub(crate) fn of_our_own(self) -> Self {
        Self { owner: Owner::Build, ..self }
    }

    /// Returns whether the file is to stay as it is.
    pub(crate) fn is_nothing(&self) -> bool {
        self.before == self.after
    }

    /// Returns whether there is no file yet.
    pub(crate) fn is_new(&self) -> bool {
        self.before.is_none()
    }

    /// Returns whether the file is to go.
    pub(crate) fn is_removal(&self) -> bool {
        self.before.is_some() && self.after.is_none()
    }

    /// Returns the change as a unified diff that `git apply` takes.
    pub(crate) fn diff(&self) -> String {
        let name = |side: &str, text: &Option<String>| match text {
            Some(_) => format!("{side}/{}", self.file),
            None => "/dev/null".to_owned(),
        };
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        TextDiff::from_lines(text(&self.before), text(&self.after))
            .unified_diff()
            .header(&name("a", &self.before), &name("b", &self.after))
            .to_string()
    }

    /// Carries it out; a file that was there is copied away first. Returns where to.
    pub(crate) fn carry_out(&self, workspace: &Workspace, at: Timestamp) -> anyhow::Result<Option<AbsPath>> {
        if self.is_nothing() {
            return Ok(None);
        }
        self.try_carry_out(workspace, at).with_context(|| {
            let outcome = if self.is_new() { "could not be made" } else { "was left as it is" };
            format!(
                "`{}` {outcome}\nhint: see to it that it can be written, then run the command again",
                self.file
            )
        })
    }

    fn try_carry_out(&self, workspace: &Workspace, at: Timestamp) -> anyhow::Result<Option<AbsPath>> {
        let kept = match &self.before {
            Some(_) if self.owner == Owner::Person => {
                workspace.make_tmp_dir().context("there is no place for a copy of it")?;
                Some(workspace.backups().keep(&self.file, at)?)
            }
            _ => None,
        };
        match &self.after {
            Some(text) => replace_file(self.path.as_path(), text.as_bytes())?,
            None => self.remove(workspace)?,
        }
        Ok(kept)
    }

    /// Removes the file, and the folders that it leaves empty.
    fn remove(&self, workspace: &Workspace) -> anyhow::Result<()> {
        fs::remove_file(self.path.as_path()).with_context(|| format!("cannot remove `{}`", self.file))?;
        remove_empty_parents(&self.path, workspace.root());
        Ok(())
    }
}

/// Removes the folders above `path` and below `root` that have nothing in them any more.
pub(crate) fn remove_empty_parents(path: &AbsPath, root: &AbsPath) {
    let mut folder = path.parent();
    // Removing a folder that is not empty fails, which is where this ends.
    while let Some(here) = folder
        && here != *root
        && here.below(root).is_ok()
        && fs::remove_dir(here.as_path()).is_ok()
    {
        folder = here.parent();
    }
}

/// Reads a file of a person; `None` when there is none.
pub(crate) fn read_text(path: &AbsPath) -> Result<Option<String>, Trouble> {
    let bytes = match fs::read(path.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        other => other.with_context(|| format!("cannot read `{path}`"))?,
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Err(Trouble::Content {
            what: format!("`{path}` is not UTF-8 text"),
            place: None,
            hint: "save it as UTF-8; it was left as it is".to_owned(),
        }),
    }
}
