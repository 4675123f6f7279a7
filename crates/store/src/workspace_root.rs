//! Which folder is the workspace.
//!
//! It is the nearest folder upwards that has steersman's settings or a repository. An agent can
//! make such a folder anywhere, step into it and would be out of reach of everything its project
//! declared. So where the agent program says which project it was opened in and that project has
//! rules, they hold wherever the agent goes. Only another checkout of the same repository, with
//! the same kinds of rules in it, is a workspace of its own.

use std::fs;
use std::path::{Path, PathBuf};

use event::AbsPath;

use crate::workspace::{HOOKS, INTENTS, Workspace};

/// What makes a folder one with rules.
const RULES: [&str; 2] = [HOOKS, INTENTS];

impl Workspace {
    /// Finds the workspace of a folder: the nearest one upwards that has `.ai/hooks/`
    /// or `.git`, else the folder itself.
    pub fn root_of(folder: &AbsPath) -> AbsPath {
        marked(folder).unwrap_or_else(|| folder.clone())
    }

    /// Finds the workspace of a session: that of the `project` its agent program was opened in if
    /// it has rules, else that of the `folder` the agent is in.
    pub fn root_of_session(project: Option<&AbsPath>, folder: &AbsPath) -> AbsPath {
        let here = Self::root_of(folder);
        match project.and_then(marked) {
            Some(opened)
                if opened != here
                    && RULES.iter().any(|rule| has(&opened, rule))
                    && !is_own_checkout(&here, &opened) =>
            {
                opened
            }
            _ => here,
        }
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

/// Returns whether `here` is a checkout of the repository of `opened` that brings its rules along.
fn is_own_checkout(here: &AbsPath, opened: &AbsPath) -> bool {
    let repository = repository_of(here.as_path());
    repository.is_some()
        && repository == repository_of(opened.as_path())
        && RULES.iter().all(|rule| !has(opened, rule) || has(here, rule))
}

/// Returns the folder that all checkouts of a repository share.
fn repository_of(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return git.canonicalize().ok();
    }
    // A linked checkout has a file: `gitdir: <repository>/worktrees/<name>`.
    let text = fs::read_to_string(git).ok()?;
    let named = root.join(text.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    let worktrees = named.parent()?;
    (worktrees.file_name()? == "worktrees").then(|| worktrees.parent().map(Path::to_owned))?
}

#[cfg(test)]
mod tests {
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

        fn session(&self, project: &str, folder: &str) -> String {
            let root = Workspace::root_of_session(Some(&self.at(project)), &self.at(folder));
            root.as_path().strip_prefix(self.0.path()).unwrap().to_string_lossy().into_owned()
        }
    }

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
            assert_eq!(tree.session("p", folder), "p", "{folder}");
        }
        assert_eq!(Workspace::root_of_session(None, &tree.at("p/made")), tree.at("p/made"));
    }

    #[test]
    fn a_project_without_rules_takes_nothing_from_the_one_inside() {
        let tree = Tree::with(&["p/.git", "p/inner/.ai/hooks", "bare/inner/.git"]);
        assert_eq!(tree.session("p", "p/inner"), "p/inner");
        assert_eq!(tree.session("bare", "bare/inner"), "bare/inner");
    }

    #[test]
    fn a_linked_checkout_is_its_own_workspace_if_it_has_the_rules_too() {
        let tree = Tree::with(&["p/.git", "p/.ai/hooks", "other/.git"]);
        tree.link("p/trees/a", "p");
        assert_eq!(tree.session("p", "p/trees/a"), "p");
        fs::create_dir_all(tree.at("p/trees/a/.ai/hooks").as_path()).unwrap();
        assert_eq!(tree.session("p", "p/trees/a"), "p/trees/a");
        tree.link("p/trees/foreign", "other");
        fs::create_dir_all(tree.at("p/trees/foreign/.ai/hooks").as_path()).unwrap();
        assert_eq!(tree.session("p", "p/trees/foreign"), "p");
    }
}
