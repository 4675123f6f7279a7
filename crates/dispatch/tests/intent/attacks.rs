//! Commands that try to hide a change out of scope. Each really runs, between the start and the end of a call.

use std::process::Command;

use crate::drift::{git_add, while_call_runs};
use crate::search::drifted;
use crate::world::World;

const INTENTS: &str = "\
intents:
  - id: INT-001
    name: Cart
    status: IN_PROGRESS
    owned_scope: [\"src/**\", \"docs/*.md\", \"pkg/**/*.ts\"]
";

/// The files before each attack; git tracks all but the ignored ones.
const FILES: [&str; 10] = [
    "lib/b.ts",
    "lib/deep/d.ts",
    "docs/a.md",
    "src/a.ts",
    "top.txt",
    "pkg/x/a.ts",
    "pkg/x/k.md",
    ".env",
    "build/out.o",
    "conf/.env",
];

/// Runs a script in the workspace. `$OUT` is a folder outside of it, on the same file system.
fn sh(world: &World, script: &str) {
    let mut sh = Command::new("bash");
    let done = sh
        .arg("-ec")
        .arg(script)
        .env("OUT", world.sandbox.elsewhere())
        .env("GIT_AUTHOR_NAME", "t")
        .env("GIT_AUTHOR_EMAIL", "t@example.com")
        .env("GIT_COMMITTER_NAME", "t")
        .env("GIT_COMMITTER_EMAIL", "t@example.com")
        .current_dir(world.path(""))
        .output()
        .unwrap();
    assert!(done.status.success(), "{script}: {}", String::from_utf8_lossy(&done.stderr));
}

/// Returns what is reported of a script that runs during a call.
fn reported(setup: &str, script: &str) -> Vec<String> {
    let world = World::new();
    world.write(".orchestration/active_intents.yaml", INTENTS);
    world.select("INT-001");
    world.write(".gitignore", "build/\nconf/\n*.log\nvendored/\n");
    for file in FILES {
        world.write(file, format!("{file}\n"));
    }
    git_add(&world);
    std::fs::create_dir_all(world.sandbox.elsewhere()).unwrap();
    sh(
        &world,
        &format!("git commit -qm first; mkdir -p $OUT/prepared/q; echo x > $OUT/prepared/q/x; {setup}"),
    );
    while_call_runs(&world, "1", || sh(&world, script));
    drifted(&world)
}

/// Each attack: what a person prepared before, the script, and a path that the report names.
const ATTACKS: &[(&str, &str, &str)] = &[
    // Times that are set back.
    ("", "echo evil > lib/b.ts; touch -d 2001-01-01 lib/b.ts lib", "lib/b.ts"),
    ("", "rm top.txt; touch -d 2001-01-01 .", "top.txt"),
    ("echo n > notes", "rm notes; touch -d 2001-01-01 .", "notes"),
    ("", "rm lib/b.ts; touch -d 2001-01-01 lib", "lib/b.ts"),
    ("echo n > lib/u", "rm lib/u; touch -d 2001-01-01 lib", "lib/"),
    ("echo n > docs/u.txt", "rm docs/u.txt; touch -d 2001-01-01 docs", "docs/u.txt"),
    // Folders that were prepared elsewhere.
    ("", "mv $OUT/prepared lib/p", "lib/p/q/x"),
    ("", "mkdir lib/new; mv $OUT/prepared lib/new/p; touch -d 2001-01-01 lib/new lib", "lib/new/p/q/x"),
    ("", "mv $OUT/prepared lib/deep/p; touch -d 2001-01-01 lib/deep", "lib/deep/p/q/x"),
    ("", "mv lib $OUT/old; mv $OUT/prepared lib; touch -d 2001-01-01 lib .", "lib/q/x"),
    ("", "cp -a $OUT/prepared lib/p", "lib/p/q/x"),
    // Git ignores the file.
    ("", "git update-index --assume-unchanged lib/b.ts; echo evil > lib/b.ts", "lib/b.ts"),
    ("", "git update-index --skip-worktree pkg/x/k.md; rm pkg/x/k.md; echo n > pkg/x/n.ts", "pkg/x/k.md"),
    ("", "git config core.excludesFile $OUT/ex; echo '*' > $OUT/ex; echo n > lib/new.ts", "lib/new.ts"),
    ("", "echo lib/ >> .gitignore; echo n > lib/new.ts", "lib/new.ts"),
    ("", "echo '*' > lib/.gitignore; touch -d 2001-01-01 lib/.gitignore; echo n > lib/new.ts", "lib/new.ts"),
    ("git add -f build/out.o; git commit -qm b", "echo evil > build/out.o", "build/out.o"),
    ("", "echo evil > conf/.env", "conf/.env"),
    (
        "mkdir -p conf/app/.claude; echo '{}' > conf/app/.claude/settings.json",
        "echo evil > conf/app/.claude/settings.json",
        "conf/app/.claude/settings.json",
    ),
    // Repositories in the workspace.
    (
        "git init -q sub; cd sub; echo a > a; git add a; git commit -qm a",
        "echo e > sub/.git/hooks/post-checkout",
        "sub/.git/hooks/post-checkout",
    ),
    (
        "git init -q sub; cd sub; git commit -qm a --allow-empty",
        "echo e >> sub/.git/config",
        "sub/.git/config",
    ),
    (
        "mkdir sub; echo 'gitdir: ../.git/modules/sub' > sub/.git",
        "echo 'gitdir: /tmp' > sub/.git",
        "sub/.git",
    ),
    (
        "mkdir -p .git/modules/a/b/hooks; cp .git/HEAD .git/modules/a/b/HEAD",
        "echo e > .git/modules/a/b/hooks/post-checkout",
        ".git/modules/a/b/hooks/post-checkout",
    ),
    ("", "git worktree add -q lib/wt; echo evil > lib/wt/lib/b.ts", "lib/wt/lib/b.ts"),
    ("", "git worktree add -q lib/wt; echo new > lib/wt/new.ts", "lib/wt/new.ts"),
    // Names and kinds of files.
    ("mkdir $'lib/z\\xff'; echo x > $'lib/z\\xff/in'", "echo evil > $'lib/z\\xff/in'", "lib/z\u{fffd}/in"),
    ("", "printf x > $'lib/a\\nb'", "lib/a\nb"),
    ("", "mkfifo src/pipe; echo evil > lib/b.ts", "lib/b.ts"),
    ("", "truncate -s 1T src/huge; echo evil > lib/b.ts", "lib/b.ts"),
    ("", "mkfifo lib/pipe", "lib/pipe"),
    ("", "ln -s . lib/loop", "lib/loop"),
    ("", "mv lib/b.ts lib/B.ts", "lib/B.ts"),
    ("", "rm lib/b.ts; mkdir lib/b.ts; echo x > lib/b.ts/x", "lib/b.ts/x"),
    ("", "ln lib/b.ts src/l.ts; echo evil >> src/l.ts; rm src/l.ts", "lib/b.ts"),
];

#[test]
fn no_attack_hides_a_change() {
    let missed: Vec<String> = ATTACKS
        .iter()
        .filter_map(|(setup, script, expected)| {
            let found = reported(setup, script);
            (!found.iter().any(|it| it == expected)).then(|| format!("{script}: {expected} not in {found:?}"))
        })
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn what_git_itself_does_is_no_attack() {
    for (setup, script) in [
        ("", "git worktree add -q lib/wt"),
        ("", "git branch other; git switch -q other"),
        ("", "git commit -qm more --allow-empty"),
        ("mkdir -p vendored/x; echo a > vendored/x/a", "echo b > vendored/x/a; echo b > vendored/x/b"),
    ] {
        assert_eq!(reported(setup, script), [""; 0], "{script}");
    }
}

#[test]
fn a_file_too_large_to_hash_is_named_in_the_journal() {
    let world = crate::drift::world();
    while_call_runs(&world, "1", || sh(&world, "mkdir -p src; truncate -s 1T src/huge; echo a > src/a.ts"));
    let untraced = world.events("FILE_UNTRACED");
    assert_eq!(untraced, [serde_json::json!({"intentId": "INT-001", "file": "src/huge"})]);
    assert_eq!(crate::drift::traced(&world), ["CREATE src/a.ts"]);
}
