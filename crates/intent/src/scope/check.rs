//! Checks one path against one intent.
//!
//! INVARIANT: a path passes only if it passes twice, as written and resolved. Both must be in the
//! workspace and in the scope; neither may be ignored or protected.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use event::{AbsPath, Access, RepoPath};

use super::hard_link::protected_twin;
use super::linked_checkout::path_in_checkout;
use super::protected_below::{forbidden_below, led_to};
use super::real_path::{real_path, real_path_from};
use super::temp_folder;
use super::violation::GIT_FOLDER;
use super::{IgnoreFile, Protected, Reach, Target, Violation, ViolationReason};
use crate::Intent;
use crate::unicode::{composed, forgiving};

/// A workspace, and its protected files.
#[derive(Debug, Clone)]
pub struct Scope {
    root: AbsPath,
    pub(super) real_root: AbsPath,
    pub(super) ignore: IgnoreFile,
    protected: Protected,
    /// Why the protected files are unknown; then every write is forbidden.
    pub(super) failure: Option<String>,
    /// Whether intents may write below the system's temp folder.
    temp_writes: bool,
}

/// A path in the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The path as written.
    pub written: RepoPath,
    /// The resolved path.
    pub real: RepoPath,
    /// The file.
    pub file: AbsPath,
}

/// The maximum size of an `.intentignore`.
const MAX_IGNORE_FILE: u64 = 256 * 1024;

impl Scope {
    /// Opens a workspace: resolves its root and reads its `.intentignore`.
    pub fn open(root: &AbsPath, protected: Protected) -> Self {
        match read_rules(&root.child(IgnoreFile::PATH)) {
            Ok(rules) => Self::new(root, rules, protected),
            Err(error) => {
                let failure =
                    format!("cannot read {} ({error}), so every write is forbidden", IgnoreFile::PATH);
                Self { failure: Some(failure), ..Self::new(root, IgnoreFile::default(), protected) }
            }
        }
    }

    /// Creates a scope with these rules.
    pub fn new(root: &AbsPath, ignore: IgnoreFile, protected: Protected) -> Self {
        let real_root = real_path(root.as_path()).ok().and_then(|real| AbsPath::new(real).ok());
        Self {
            root: root.clone(),
            real_root: real_root.unwrap_or_else(|| root.clone()),
            ignore,
            protected,
            failure: None,
            temp_writes: false,
        }
    }

    /// Lets every intent write below the system's temp folder.
    #[must_use]
    pub fn with_temp_writes(self) -> Self {
        Self { temp_writes: true, ..self }
    }

    /// Returns whether intents may write below the system's temp folder.
    pub(crate) fn permits_temp_writes(&self) -> bool {
        self.temp_writes
    }

    /// Returns whether a target is a temporary file that intents may write, as written and resolved.
    pub(crate) fn is_temp_file(&self, target: &Target) -> bool {
        if !self.temp_writes || target.oddity().is_some() {
            return false;
        }
        let Ok(written) = AbsPath::new(target.raw.clone()) else { return false };
        let is_temp = |path: &Path| {
            temp_folder::is_temp_file(path, self.root.as_path())
                && temp_folder::is_temp_file(path, self.real_root.as_path())
        };
        is_temp(written.as_path())
            && real_path(&target.raw).is_ok_and(|real| is_temp(&real))
            && written.as_path().to_str().is_some_and(|path| !is_in_git_folder(path))
            && self.protected.entry_for(&written.to_string(), false).is_none()
    }

    /// Returns whether a pattern of the intent matches a path as it is written; may return true wrongly, but never
    /// false for a path in scope, except in a linked checkout.
    pub(crate) fn may_match(&self, target: &Target, intent: &Intent) -> bool {
        let written = AbsPath::new(target.raw.clone()).ok().and_then(|path| self.below(&path));
        written.is_some_and(|written| {
            let path = composed(written.as_str());
            intent.owned_scope.iter().any(|it| it.matches(&path) || it.covers_all_below(&path))
        })
    }

    /// Returns the root of the workspace.
    pub fn root(&self) -> &AbsPath {
        &self.root
    }

    /// Checks whether an intent includes the target. Returns the violation if not.
    pub fn check(&self, target: &Target, intent: &Intent) -> Result<Located, Violation> {
        let violation =
            |path: String, why: ViolationReason| Violation { intent: intent.id.clone(), path, why };
        if let Some(what) = &self.failure {
            return Err(violation(target.shown.clone(), ViolationReason::Unclear { what: what.clone() }));
        }
        let located = self.locate(target).map_err(|why| violation(target.shown.clone(), why))?;
        let path = located.written.to_string();
        let there = fs::metadata(located.file.as_path()).ok();
        let is_folder = there.as_ref().is_some_and(fs::Metadata::is_dir);
        let judge = |relative: &RepoPath| self.judge(relative, target, &located.file, is_folder, intent);
        judge(&located.written).map_err(|why| violation(path.clone(), why))?;
        if located.real != located.written {
            judge(&located.real).map_err(|why| {
                let why = match why {
                    ViolationReason::OutOfScope { .. } => {
                        ViolationReason::LeadsOutOfScope { to: located.real.to_string() }
                    }
                    other => other,
                };
                violation(path.clone(), why)
            })?;
        }
        let twin = there.and_then(|meta| protected_twin(&self.real_root, &meta, self.protected.paths()));
        match twin {
            Some(what) => Err(violation(path, ViolationReason::Protected { what: what.to_owned() })),
            None => Ok(located),
        }
    }

    /// Returns the location of a target in the workspace, as written and resolved.
    pub fn locate(&self, target: &Target) -> Result<Located, ViolationReason> {
        if let Some(what) = target.oddity() {
            return Err(if what.contains("home folder") {
                ViolationReason::Outside
            } else {
                ViolationReason::Unclear { what: what.to_owned() }
            });
        }
        let lexical = AbsPath::new(target.raw.clone()).map_err(|_| ViolationReason::Outside)?;
        let written = self.below(&lexical).ok_or(ViolationReason::Outside)?;
        let real = self.follow(&target.raw).map_err(|error| ViolationReason::Unclear {
            what: format!("the path cannot be resolved: {error}"),
        })?;
        let file = AbsPath::new(real).map_err(|_| ViolationReason::Outside)?;
        let real = file
            .below(&self.real_root)
            .map_err(|_| ViolationReason::LeadsOutside { to: file.to_string() })?;
        Ok(Located { written, real, file })
    }

    /// Returns the rule or name that protects a workspace-relative path from every intent.
    pub fn forbidden(&self, path: &RepoPath, is_folder: bool) -> Option<ViolationReason> {
        let path = composed(path.as_str());
        if let Some(what) = self.protected.entry_for(&path, false) {
            return Some(ViolationReason::Protected { what: what.to_owned() });
        }
        self.ignore.rule_for(&path, is_folder).map(|rule| ViolationReason::Ignored { rule: rule.to_owned() })
    }

    /// Returns the files and folders at the top of the workspace that govern the agent.
    pub(crate) fn governing_files(&self) -> impl Iterator<Item = &'static str> {
        self.protected.paths()
    }

    /// Returns whether a workspace-relative path governs the agent or leads to a file that does.
    pub(crate) fn governs(&self, path: &str) -> bool {
        self.protected.entry_for(path, true).is_some()
    }

    /// Returns whether a workspace-relative path governs the agent.
    pub fn is_governing(&self, path: &str) -> bool {
        self.protected.entry_for(path, false).is_some()
    }

    /// Resolves a path. The root of the workspace is already resolved.
    fn follow(&self, path: &Path) -> io::Result<PathBuf> {
        match path.strip_prefix(self.root.as_path()) {
            Ok(rest) => real_path_from(self.real_root.as_path().to_path_buf(), rest),
            Err(_) => real_path(path),
        }
    }

    fn below(&self, path: &AbsPath) -> Option<RepoPath> {
        path.below(&self.root).or_else(|_| path.below(&self.real_root)).ok()
    }

    fn judge(
        &self,
        relative: &RepoPath,
        target: &Target,
        file: &AbsPath,
        exists_as_folder: bool,
        intent: &Intent,
    ) -> Result<(), ViolationReason> {
        let path = composed(relative.as_str());
        if is_in_git_folder(&path) {
            return Err(ViolationReason::Protected { what: GIT_FOLDER.to_owned() });
        }
        let takes_all = target.reach == Reach::Below || target.access == Access::Delete;
        if let Some(what) = self.protected.entry_for(&path, takes_all) {
            return Err(ViolationReason::Protected { what: what.to_owned() });
        }
        // A folder that is moved or linked to a path brings its content along.
        if target.access != Access::CreateDir
            && let Some(what) = led_to(&path, self.protected.paths())
        {
            return Err(ViolationReason::Protected { what: what.to_owned() });
        }
        let is_folder =
            target.access == Access::CreateDir || target.reach == Reach::Below || exists_as_folder;
        if let Some(rule) = self.ignore.rule_for(&path, is_folder) {
            return Err(ViolationReason::Ignored { rule: rule.to_owned() });
        }
        if takes_all
            && exists_as_folder
            && let Some(why) = forbidden_below(&path, file, &self.ignore, &self.protected)
        {
            return Err(why);
        }
        let included = intent.owned_scope.iter().any(|pattern| match (target.reach, target.access) {
            (Reach::Below, _) => pattern.covers_all_below(&path),
            (Reach::Itself, Access::CreateDir) => {
                pattern.matches(&path) || pattern.leads_through(&path) || pattern.covers_all_below(&path)
            }
            (Reach::Itself, Access::Delete) => pattern.matches(&path) || pattern.covers_all_below(&path),
            // A write to a folder is a write below it.
            (Reach::Itself, _) if exists_as_folder => pattern.covers_all_below(&path),
            (Reach::Itself, _) => pattern.matches(&path),
        });
        let included = included && !path.is_empty();
        if included {
            return Ok(());
        }
        // Only now: most paths are in scope, and this reads the disk.
        let inside = path_in_checkout(&self.root, relative.as_str());
        if let Some(inside) = inside.and_then(|inside| self.root.join(&inside).below(&self.root).ok()) {
            return self.judge(&inside, target, file, exists_as_folder, intent);
        }
        let scope = intent.owned_scope.iter().map(|pattern| pattern.as_str().to_owned()).collect();
        Err(ViolationReason::OutOfScope { scope })
    }
}

/// Returns whether a path is git's own folder, of this or a nested repository, or in one.
fn is_in_git_folder(path: &str) -> bool {
    let begins = |part: &str| part.as_bytes().first().is_some_and(|byte| *byte == b'.' || !byte.is_ascii());
    path.split('/').any(|part| part == ".git" || (begins(part) && forgiving(part) == ".git"))
}

/// Reads the rules of a workspace. Returns no rules if the file does not exist.
fn read_rules(path: &AbsPath) -> io::Result<IgnoreFile> {
    let meta = match fs::metadata(path.as_path()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(IgnoreFile::default()),
        other => other?,
    };
    // Opening a pipe would block until it has a writer.
    if !meta.is_file() || meta.len() > MAX_IGNORE_FILE {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file of at most 256 KiB"));
    }
    Ok(IgnoreFile::parse(&String::from_utf8_lossy(&fs::read(path.as_path())?)))
}
