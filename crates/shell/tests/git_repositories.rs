//! git reads its settings from the repository it runs in; only the workspace's own is governed.

use shell::{Class, Files, Place, read};

/// A workspace with a second repository in `sub`, a submodule in `module` and a bare one in `bare`.
struct Workspace;

impl Files for Workspace {
    fn read(&self, path: &str, _limit: usize) -> Option<Vec<u8>> {
        (path == "/w/module/.git").then(|| b"gitdir: ../.git/modules/module\n".to_vec())
    }

    fn is_dir(&self, path: &str) -> bool {
        matches!(path, "/w/.git" | "/w/sub/.git" | "/w/bare/objects" | "/tmp/x/.git")
    }

    fn exists(&self, path: &str) -> bool {
        self.is_dir(path) || matches!(path, "/w/module/.git" | "/w/bare/HEAD")
    }
}

#[test]
fn a_repository_that_the_agent_could_have_made_is_not_read_only() {
    let place = Place { home: Some("/home/me"), files: &Workspace, ..Place::at("/w") };
    let class = |command: &str| read(command, &place).class;
    for command in [
        "git status",
        "git -C packages/a status",
        "git -C /w log -1",
        "git -C module status",
        "git --git-dir=.git log",
        "cd packages/a && git diff",
        "git -C /home/me/other log",
    ] {
        assert_eq!(class(command), Class::ReadOnly, "{command}");
    }
    for command in [
        "git -C sub status",
        "git -C sub/deeper log",
        "cd sub && git log",
        "git -C bare log",
        "git -C /tmp/x status",
        "git --git-dir=sub/.git log",
        "git --git-dir /tmp/evil log",
        // Deeper than the search goes.
        "git -C a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a/a status",
    ] {
        assert_eq!(class(command), Class::Unknown, "{command}");
    }
}

#[test]
fn the_repository_of_a_workspace_among_temporary_files_is_its_own() {
    let place = Place { home: Some("/home/me"), files: &Workspace, ..Place::at("/tmp/x") };
    let class = |command: &str| read(command, &place).class;
    for command in ["git status", "git -C packages/a log -3", "cd packages/a && git diff"] {
        assert_eq!(class(command), Class::ReadOnly, "{command}");
    }
    assert_eq!(class("git -C /tmp/x/../y status"), Class::ReadOnly, "there is no repository");
}
