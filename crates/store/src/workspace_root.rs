//! Finds the folder of the workspace.
//!
//! It is the nearest ancestor with steersman's settings or a repository. An agent can create such a
//! folder anywhere and change to it, or name any folder for a call, to escape everything its project
//! declared. So the project is the folder that the agent program reports, else the folder in which it
//! runs the hook; the agent's current folder is irrelevant. Only when a session starts does its
//! folder count, and only another checkout of the same repository with the same kinds of rules is a
//! separate workspace, unless the agent created it inside of the project.

use std::path::{Path, PathBuf};

use event::AbsPath;

use crate::git_dir::git_dir;
use crate::workspace::{HOOKS, INTENTS, Workspace};

/// The files that declare rules.
const RULES: [&str; 2] = [HOOKS, INTENTS];

/// The folders that one event reports.
#[derive(Debug, Clone, Copy)]
pub struct SessionFolders<'a> {
    /// The project that the agent program reports.
    pub project: Option<&'a AbsPath>,
    /// The folder the hook process runs in.
    pub own: &'a AbsPath,
    /// Whether agent programs have hooks registered in that folder.
    pub own_is_registered: bool,
    /// The folder in the payload, if it exists.
    pub named: Option<&'a AbsPath>,
    /// Who chose the folder in the payload.
    pub named_by: NamedBy,
}

/// Who chose the folder in a payload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// The user who started the session.
    Start,
    /// Perhaps the agent: it changed the folder, or named one for this call.
    Agent,
}

impl Workspace {
    /// Finds the workspace of a folder: the nearest ancestor that has `.ai/hooks/` or `.git`, else
    /// the folder itself.
    pub fn root_of(folder: &AbsPath) -> AbsPath {
        marked(folder).unwrap_or_else(|| folder.clone())
    }

    /// Finds the workspace of a command in a folder: as [`Self::root_of`], and the folder `.akira` marks one, too.
    ///
    /// WHY only for commands: an agent that created such a folder must not move its session there.
    pub fn root_of_command(folder: &AbsPath) -> AbsPath {
        let is_marked = |it: &AbsPath| has(it, HOOKS) || has(it, ".git") || has(it, ".akira");
        let mut candidate = Some(folder.clone());
        while let Some(here) = candidate {
            if is_marked(&here) {
                return here;
            }
            candidate = here.parent();
        }
        folder.clone()
    }

    /// Finds the workspace of a session that is not bound yet.
    pub fn root_of_session(at: &SessionFolders<'_>) -> AbsPath {
        let folder = at.named.unwrap_or(at.own);
        let here = Self::root_of(folder);
        let project = at.project.filter(|project| project.as_path().is_dir());
        let opened = project.unwrap_or(at.own);
        // WHY: mostly the host opened this folder or its workspace's root; a second search upwards would find the same.
        if *opened == *folder || *opened == here {
            return here;
        }
        let opened = match marked(opened) {
            Some(root) => root,
            None if project.is_some() || at.own_is_registered => opened.clone(),
            // A host may run hooks anywhere, such as in the home folder: a folder without marks is
            // not a project.
            None => return here,
        };
        if opened == here {
            return here;
        }
        let starts = at.named_by == NamedBy::Start;
        // An agent that changes to a checkout inside of its project continues the session there, with the same
        // intent and journal.
        let is_inside = here.as_path().starts_with(opened.as_path());
        let may_be_checkout = starts || (at.project.is_some() && !is_inside);
        if (may_be_checkout && is_own_checkout(&here, &opened)) || (starts && !Self::has_rules(&opened)) {
            here
        } else {
            opened
        }
    }

    /// Returns whether a session that is bound to `bound` cannot have been opened in `project`: the
    /// host has reused its id for another session.
    pub fn is_unrelated(bound: &AbsPath, project: &AbsPath) -> bool {
        let (bound, project) = (bound.as_path(), project.as_path());
        !bound.starts_with(project)
            && !project.starts_with(bound)
            && project.is_dir()
            && (repository_of(bound).is_none() || repository_of(bound) != repository_of(project))
    }

    /// Returns whether the workspace at `root` declares rules.
    pub fn has_rules(root: &AbsPath) -> bool {
        RULES.iter().any(|rule| has(root, rule))
    }

    /// Returns whether the workspace at `root` is a linked checkout of a repository whose main checkout declares rules.
    pub fn is_linked_to_rules(root: &AbsPath) -> bool {
        Self::main_checkout(root).is_some_and(|main| Self::has_rules(&main))
    }

    /// Returns the main checkout of the repository of which `root` is a linked checkout. Returns `None` if it is no linked
    /// checkout.
    pub fn main_checkout(root: &AbsPath) -> Option<AbsPath> {
        let main = AbsPath::new(repository_of(root.as_path())?.parent()?).ok()?;
        (root.as_path().canonicalize().ok()? != main.as_path()).then_some(main)
    }
}

fn marked(folder: &AbsPath) -> Option<AbsPath> {
    let mut candidate = Some(folder.clone());
    while let Some(here) = candidate {
        if here.child(HOOKS).as_path().is_dir() || has(&here, ".git") {
            return Some(here);
        }
        candidate = here.parent();
    }
    None
}

fn has(folder: &AbsPath, name: &str) -> bool {
    folder.child(name).as_path().exists()
}

/// Returns whether `here` is a checkout of the repository of `opened` with its own rules.
fn is_own_checkout(here: &AbsPath, opened: &AbsPath) -> bool {
    let repository = repository_of(here.as_path());
    repository.is_some()
        && repository == repository_of(opened.as_path())
        && RULES.iter().all(|rule| !has(opened, rule) || has(here, rule))
}

/// Returns the folder that all checkouts of a repository share.
fn repository_of(root: &Path) -> Option<PathBuf> {
    let dot_git = root.join(".git");
    let git = git_dir(&dot_git)?.canonicalize().ok()?;
    if dot_git.is_dir() {
        return Some(git);
    }
    // A linked checkout has its own folder in `<repository>/worktrees`; a submodule does not.
    let worktrees = git.parent()?;
    (worktrees.file_name()? == "worktrees").then(|| worktrees.parent().map(Path::to_owned))?
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    struct Tree(tempfile::TempDir);

    impl Tree {
        fn with(folders: &[&str]) -> Self {
            let tree = Self(tempfile::tempdir().unwrap());
            for folder in folders {
                fs::create_dir_all(tree.0.path().join(folder)).unwrap();
            }
            tree
        }

        fn at(&self, path: &str) -> AbsPath {
            AbsPath::new(self.0.path().join(path)).unwrap()
        }

        /// Makes `folder` a linked checkout of the repository `repo`.
        fn link(&self, folder: &str, repo: &str) {
            let kept = self.0.path().join(repo).join(".git/worktrees/linked");
            fs::create_dir_all(&kept).unwrap();
            fs::create_dir_all(self.0.path().join(folder)).unwrap();
            fs::write(self.0.path().join(folder).join(".git"), format!("gitdir: {}\n", kept.display()))
                .unwrap();
        }

        fn root(&self, at: SessionFolders<'_>) -> String {
            let root = Workspace::root_of_session(&at);
            root.as_path().strip_prefix(self.0.path()).unwrap().to_string_lossy().into_owned()
        }

        /// Returns the workspace of a session whose host reports its project.
        fn session(&self, project: &str, named: &str, named_by: NamedBy) -> String {
            let (project, named) = (self.at(project), self.at(named));
            self.root(SessionFolders {
                project: Some(&project),
                own: &named,
                own_is_registered: false,
                named: Some(&named),
                named_by,
            })
        }

        /// Returns the workspace of a session whose host reports no project.
        fn unnamed(&self, own: &str, named: &str, named_by: NamedBy) -> String {
            let (own, named) = (self.at(own), self.at(named));
            let own_is_registered = has(&own, ".codex/hooks.json");
            self.root(SessionFolders {
                project: None,
                own: &own,
                own_is_registered,
                named: Some(&named),
                named_by,
            })
        }
    }

    use NamedBy::{Agent, Start};

    #[test]
    fn the_nearest_marked_folder_is_the_workspace() {
        let tree = Tree::with(&["repo/.git", "repo/sub/.ai/hooks", "repo/sub/deep", "repo/other"]);
        assert_eq!(Workspace::root_of(&tree.at("repo/sub/deep")), tree.at("repo/sub"));
        assert_eq!(Workspace::root_of(&tree.at("repo/other")), tree.at("repo"));
    }

    #[test]
    fn no_folder_an_agent_makes_takes_it_out_of_its_project() {
        let tree = Tree::with(&["p/.git", "p/.ai/hooks", "p/made/.git", "p/made2/.ai/hooks", "away/.git"]);
        for folder in ["p", "p/made", "p/made2", "away"] {
            for named_by in [Start, Agent] {
                assert_eq!(tree.session("p", folder, named_by), "p", "{folder}");
                assert_eq!(tree.unnamed("p", folder, named_by), "p", "{folder}");
            }
        }
    }

    #[test]
    fn a_project_without_rules_yields_to_another_folder_only_at_the_start() {
        let tree =
            Tree::with(&["p/.git", "p/inner/.ai/hooks", "bare/inner/.git", "away/.git", "away/.ai/hooks"]);
        for (project, folder, bound) in [
            ("p", "p/inner", "p"),
            ("bare", "bare/inner", "bare"),
            ("p", "away", "p"),
            ("bare", "away", "bare"),
        ] {
            assert_eq!(tree.session(project, folder, Start), folder);
            assert_eq!(tree.session(project, folder, Agent), bound);
        }
        assert_eq!(tree.unnamed("p", "away", Agent), "p");
        assert_eq!(tree.unnamed("p", "away", Start), "away");
    }

    #[test]
    fn a_hook_that_runs_in_a_folder_without_marks_follows_the_payload_unless_hooks_are_registered_there() {
        let tree = Tree::with(&["plain/.codex", "repo/.git", "repo/src"]);
        assert_eq!(tree.unnamed("plain", "repo/src", Agent), "repo");
        fs::write(tree.at("plain/.codex/hooks.json").as_path(), "{}").unwrap();
        assert_eq!(tree.unnamed("plain", "repo/src", Agent), "plain");
    }

    #[test]
    fn a_linked_checkout_is_its_own_workspace_if_it_has_the_rules_too() {
        let tree = Tree::with(&["p/.git", "p/.ai/hooks", "other/.git"]);
        tree.link("p/trees/a", "p");
        assert_eq!(tree.session("p", "p/trees/a", Agent), "p");
        fs::create_dir_all(tree.at("p/trees/a/.ai/hooks").as_path()).unwrap();
        assert_eq!(tree.session("p", "p/trees/a", Start), "p/trees/a");
        assert_eq!(tree.session("p", "p/trees/a", Agent), "p", "the session continues in it");
        tree.link("beside", "p");
        fs::create_dir_all(tree.at("beside/.ai/hooks").as_path()).unwrap();
        assert_eq!(tree.session("p", "beside", Agent), "beside");
        assert_eq!(tree.unnamed("p", "p/trees/a", Start), "p/trees/a");
        assert_eq!(tree.unnamed("p", "p/trees/a", Agent), "p", "the session began elsewhere");
        tree.link("p/trees/foreign", "other");
        fs::create_dir_all(tree.at("p/trees/foreign/.ai/hooks").as_path()).unwrap();
        assert_eq!(tree.session("p", "p/trees/foreign", Start), "p");
    }

    #[test]
    fn another_project_has_nothing_to_do_with_a_session_bound_here() {
        let tree = Tree::with(&["p/.git", "p/src", "q/.git"]);
        tree.link("p-linked", "p");
        let unrelated = |project: &str| Workspace::is_unrelated(&tree.at("p"), &tree.at(project));
        assert!(unrelated("q") && !unrelated("p/src") && !unrelated("") && !unrelated("p-linked"));
        assert!(!unrelated("nowhere"), "a project that is not there says nothing");
    }
}
