//! Tables of requests and the mounts that follow from them.

use std::collections::BTreeMap;

use super::*;
use crate::{Entry, HardLinks};

/// A file system in a table: folders end with `/`, links with `@`, files with a second link with `+`, sockets with `=`.
struct Table(BTreeMap<PathBuf, (Kind, bool)>);

impl Table {
    fn new(paths: &str) -> Self {
        let mut table = BTreeMap::new();
        for path in paths.split_whitespace() {
            let (path, what) = match path.as_bytes().last() {
                Some(b'/') => (&path[..path.len() - 1], (Kind::Folder, false)),
                Some(b'@') => (&path[..path.len() - 1], (Kind::Link, false)),
                Some(b'+') => (&path[..path.len() - 1], (Kind::File, true)),
                Some(b'=') => (&path[..path.len() - 1], (Kind::Other, false)),
                _ => (path, (Kind::File, false)),
            };
            for above in Path::new(path).ancestors().skip(1) {
                table.entry(above.to_path_buf()).or_insert((Kind::Folder, false));
            }
            table.insert(PathBuf::from(path), what);
        }
        Self(table)
    }
}

impl Tree for Table {
    fn kind(&self, path: &Path) -> Option<Kind> {
        self.0.get(path).map(|(kind, _)| *kind)
    }

    fn list(&self, folder: &Path, limit: usize) -> (Vec<Entry>, bool) {
        let all: Vec<Entry> = self
            .0
            .iter()
            .filter(|(path, _)| path.parent() == Some(folder))
            .map(|(path, (kind, _))| Entry { name: path.file_name().unwrap().to_owned(), kind: *kind })
            .collect();
        let is_all = all.len() <= limit;
        (all.into_iter().take(limit).collect(), is_all)
    }

    fn hard_links(&self, path: &Path) -> Option<HardLinks> {
        // Files whose names end with the same letter are one file.
        let last = path.as_os_str().as_encoded_bytes().last().copied()?;
        let links = HardLinks { file: (0, u64::from(last)), count: 2 };
        self.0.get(path).is_some_and(|(_, is_linked)| *is_linked).then_some(links)
    }
}

fn paths(text: &str) -> Vec<PathBuf> {
    text.split_whitespace().map(PathBuf::from).collect()
}

/// Writes a plan as one line per mount, without placeholders.
fn shown(plan: &ConfinementPlan) -> String {
    let sign = |kind| match kind {
        MountKind::Pinned => "pin",
        MountKind::Writable => "rw",
        MountKind::Overlaid => "over",
        MountKind::ReadOnly => "ro",
        MountKind::Protected => "never",
        MountKind::Shown => "show",
        MountKind::Hidden => "empty",
        MountKind::Private => "own",
        MountKind::CoveredFolder => "hide",
        MountKind::CoveredFile => "hide-file",
    };
    let lines = plan.mounts.iter().filter(|mount| !plan.folders.contains(&mount.path));
    lines.map(|mount| format!("{} {}", sign(mount.kind), mount.path.display())).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_deepest_rule_decides_and_rules_without_effect_are_dropped() {
    let tree =
        Table::new("/tmp/w/src/a /tmp/w/src/deep/b /tmp/w/target/ /home/me/.cargo/registry/ /tmp/w/lib/");
    for (name, request, expected) in [
        (
            "a folder of the scope",
            Request { scope: paths("/tmp/w/src"), ..Request::default() },
            "rw /tmp/w/src",
        ),
        (
            "a folder inside another of the scope",
            Request { scope: paths("/tmp/w/src /tmp/w/src/deep"), ..Request::default() },
            "rw /tmp/w/src",
        ),
        (
            "a file inside a folder of the scope",
            Request { scope: paths("/tmp/w/src /tmp/w/src/deep/b"), ..Request::default() },
            "rw /tmp/w/src",
        ),
        (
            "the workspace inside the temporary folder",
            Request {
                scope: paths("/tmp/w/src"),
                temporary: paths("/tmp"),
                floors: paths("/tmp/w"),
                ..Request::default()
            },
            "rw /tmp, ro /tmp/w, rw /tmp/w/src",
        ),
        (
            "a read-only part of the scope, with its ancestors pinned",
            Request { scope: paths("/tmp/w"), read_only: paths("/tmp/w/src/deep/b"), ..Request::default() },
            "rw /tmp/w, pin /tmp/w/src, pin /tmp/w/src/deep, ro /tmp/w/src/deep/b",
        ),
        (
            "the same path both ways: the stricter counts",
            Request { scope: paths("/tmp/w/src"), read_only: paths("/tmp/w/src"), ..Request::default() },
            "",
        ),
        (
            "nothing opens what is protected",
            Request { scope: paths("/tmp/w/src/deep"), protected: paths("/tmp/w/src"), ..Request::default() },
            "",
        ),
        (
            "a read-only path that nothing opens needs no mount",
            Request { scope: paths("/tmp/w/src"), read_only: paths("/tmp/w/lib"), ..Request::default() },
            "rw /tmp/w/src",
        ),
        (
            "tools and caches",
            Request {
                scope: paths("/tmp/w/src"),
                tools: paths("/tmp/w/target /home/me/.cargo/registry"),
                ..Request::default()
            },
            "rw /home/me/.cargo/registry, rw /tmp/w/src, rw /tmp/w/target",
        ),
        ("a missing path", Request { scope: paths("/tmp/w/none/deep"), ..Request::default() }, ""),
    ] {
        assert_eq!(shown(&ConfinementPlan::of(&request, &tree)), expected, "{name}");
    }
}

#[test]
fn what_governs_stays_read_only_inside_the_scope() {
    for (name, tree, expected) in [
        ("settings of a host", "/w/src/.claude/settings.json", "rw /w/src, never /w/src/.claude"),
        ("other spellings", "/w/src/.Claude/x", "rw /w/src, never /w/src/.Claude"),
        (
            "deeper",
            "/w/src/a/b/.codex/config.toml",
            "rw /w/src, pin /w/src/a, pin /w/src/a/b, never /w/src/a/b/.codex",
        ),
        ("a repository", "/w/src/lib/.git/config", "rw /w/src, pin /w/src/lib, never /w/src/lib/.git"),
        (
            "a part of .github",
            "/w/src/.github/hooks/x /w/src/.github/workflows/ci.yml",
            "rw /w/src, pin /w/src/.github, never /w/src/.github/hooks",
        ),
        ("start-up files", "/w/src/.bashrc", "rw /w/src, never /w/src/.bashrc"),
        ("a second link", "/w/src/a/twin+ /w/src/a/one", "rw /w/src, pin /w/src/a, never /w/src/a/twin"),
        ("two links of one file", "/w/src/a/1x+ /w/src/b/2x+ /w/src/y+", "rw /w/src, never /w/src/y"),
        ("ordinary files", "/w/src/.env /w/src/.gitignore /w/src/a", "rw /w/src"),
    ] {
        let request = Request { scope: paths("/w/src"), ..Request::default() };
        assert_eq!(shown(&ConfinementPlan::of(&request, &Table::new(tree))), expected, "{name}");
    }
}

#[test]
fn empty_folders_hold_the_place_of_settings_that_do_not_exist_yet() {
    let request = Request { scope: paths("/w/src"), ..Request::default() };
    let plan = ConfinementPlan::of(&request, &Table::new("/w/src/.claude/x /w/src/a"));
    let held = paths(
        "/w/src/.ai /w/src/.codex /w/src/.copilot /w/src/.cursor /w/src/.gemini /w/src/.mcp.json /w/src/.orchestration /w/src/.qwen /w/src/.vscode",
    );
    assert_eq!(plan.folders, held);
    assert!(held.iter().all(|path| !plan.permits(path) && !plan.permits(&path.join("settings.json"))));
    assert!(
        !plan.permits(Path::new("/w/src/.claude/settings.json")) && plan.permits(Path::new("/w/src/new"))
    );
    let many = Request { scope: paths("/w/a /w/b /w/c /w/d"), ..Request::default() };
    assert!(
        ConfinementPlan::of(&many, &Table::new("/w/a/ /w/b/ /w/c/ /w/d/")).folders.is_empty(),
        "each costs a mount"
    );
}

#[test]
fn a_file_in_scope_can_be_replaced_and_its_siblings_cannot() {
    let few = Table::new("/w/package.json /w/README.md /w/src/a /w/.git/config");
    let request = Request { scope: paths("/w/package.json"), ..Request::default() };
    let plan = ConfinementPlan::of(&request, &few);
    assert_eq!(shown(&plan), "rw /w, never /w/.git, ro /w/README.md, ro /w/src");
    assert!(plan.permits(Path::new("/w/package.json")) && plan.permits(Path::new("/w/sedAbc")));
    assert!(!plan.permits(Path::new("/w/.claude/settings.json")));
    let many: String = (0..40).map(|n| format!("/w/f{n} ")).collect::<Vec<_>>().concat();
    let request = Request { scope: paths("/w/f1"), ..Request::default() };
    let plan = ConfinementPlan::of(&request, &Table::new(&many));
    assert_eq!(shown(&plan), "over /w", "too many siblings");
    assert!(plan.permits(Path::new("/w/f1")) && !plan.permits(Path::new("/w/f2")));
    let both = Request {
        scope: paths("/w/f1 /w/f3 /w/src"),
        tools: paths("/w/target"),
        floors: paths("/w"),
        ..Request::default()
    };
    let plan = ConfinementPlan::of(&both, &Table::new(&format!("{many} /w/src/a /w/target/ /w/.git/x")));
    assert_eq!(shown(&plan), "over /w, rw /w/src, rw /w/target");
    let names: Vec<_> = plan.overlays.iter().map(|it| (it.folder.clone(), it.names.clone())).collect();
    assert_eq!(names, [(PathBuf::from("/w"), vec!["f1".into(), "f3".into()])]);
    let link = Table::new("/w/a /w/b@");
    let request = Request { scope: paths("/w/a"), ..Request::default() };
    assert_eq!(
        shown(&ConfinementPlan::of(&request, &link)),
        "over /w",
        "a mount cannot hold a link in its place"
    );
    let shut = Request { scope: paths("/w/f1"), read_only: paths("/w"), ..Request::default() };
    let plan = ConfinementPlan::of(&shut, &Table::new(&many));
    assert_eq!((shown(&plan).as_str(), plan.overlays.len()), ("", 0), "the stricter counts");
    let two = Table::new("/w/a /w/b /w/c");
    let request = Request { scope: paths("/w/a /w/b"), ..Request::default() };
    assert_eq!(shown(&ConfinementPlan::of(&request, &two)), "rw /w, ro /w/c");
}

#[test]
fn git_alone_may_write_its_folder_but_not_what_git_runs() {
    let tree = Table::new("/w/.git/config /w/.git/hooks/ /w/.git/HEAD /w/src/a");
    let request = Request { scope: paths("/w/src"), git: paths("/w/.git"), ..Request::default() };
    let plan = ConfinementPlan::of(&request, &tree);
    assert_eq!(shown(&plan), "rw /w/.git, never /w/.git/config, never /w/.git/hooks, rw /w/src");
    assert!(plan.folders.contains(&PathBuf::from("/w/.git/info")));
    assert!(plan.permits(Path::new("/w/.git/index")) && !plan.permits(Path::new("/w/.git/info/attributes")));
    let whole = Request { scope: paths("/w"), git: paths("/w/.git"), ..Request::default() };
    assert!(ConfinementPlan::of(&whole, &tree).permits(Path::new("/w/.git/index")));
    let not_alone = Request { scope: paths("/w"), ..Request::default() };
    assert!(!ConfinementPlan::of(&not_alone, &tree).permits(Path::new("/w/.git/commondir")));
}

#[test]
fn sockets_outside_the_scope_are_covered() {
    let tree = Table::new(
        "/run/user/7/bus= /run/docker.sock= /tmp/tmux-7/default= /w/src/own.sock= /run/stale /run/wanted.sock= /tmp/x=",
    );
    let request = Request {
        scope: paths("/w/src"),
        temporary: paths("/tmp"),
        listeners: paths(
            "/run/docker.sock /tmp/tmux-7/default /w/src/own.sock /run/stale /run/wanted.sock /tmp/x /gone",
        ),
        socket_folders: paths("/run/user/7 /tmp/tmux-7 /none"),
        open_sockets: paths("/run/wanted.sock"),
        ..Request::default()
    };
    let expected = "hide-file /run/docker.sock, hide /run/user/7, rw /tmp, hide /tmp/tmux-7, hide-file /tmp/x, rw /w/src";
    assert_eq!(shown(&ConfinementPlan::of(&request, &tree)), expected);
}

#[test]
fn hidden_folders_show_what_is_named_and_nothing_else() {
    let tree = Table::new(
        "/home/me/.cargo/bin/ /home/me/.cargo/registry/ /home/me/.ssh/key /home/me/w/src/a /home/me/w/.env /tmp/x /etc/key",
    );
    let request = Request {
        scope: paths("/home/me/w/src"),
        tools: paths("/home/me/.cargo/registry"),
        floors: paths("/home/me /home/me/w"),
        protected: paths("/home/me/.ssh"),
        hidden: Some(HiddenFiles {
            folders: paths("/home /home/me /root"),
            emptied: paths("/tmp"),
            shown: paths("/home/me/w /home/me/.cargo/bin /home/me/.rustup"),
            secrets: paths("/home/me/w/.env /etc/key /home/me/w/gone"),
        }),
        ..Request::default()
    };
    let plan = ConfinementPlan::of(&request, &tree);
    assert!(plan.alone);
    let expected = "hide-file /etc/key, empty /home, empty /home/me, show /home/me/.cargo/bin, rw /home/me/.cargo/registry, \
                    show /home/me/w, hide-file /home/me/w/.env, rw /home/me/w/src, empty /root, own /tmp";
    assert_eq!(shown(&plan), expected);
    assert!(plan.permits(Path::new("/home/me/w/src/b")) && !plan.permits(Path::new("/home/me/w/b")));
}
