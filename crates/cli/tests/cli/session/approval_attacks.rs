//! Calls that look harmless and are not: patterns that lead away, words with another meaning, programs that a project
//! chooses, what never ends.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use serde_json::json;

use super::approve::{in_own_session, is_allowed};
use super::scene::Scene;

const INTENTS: &str = "active_intents:\n  - id: INT-1\n    name: src\n    status: IN_PROGRESS\n    owned_scope: [\"src/**\"]\n    constraints: []\n    acceptance_criteria: []\n";

/// A project with an intent about `src`, in which git tracks a secret.
fn project() -> Scene {
    let scene = Scene::new();
    scene.config(&json!({"version": 1, "approve": "in-scope"}));
    for (file, text) in [
        ("README.md", "# Shop\n"),
        ("Cargo.toml", "[package]\n"),
        (".env", "TOKEN=1\n"),
        ("docs/guide.md", "guide\n"),
        ("src/main.rs", "fn main() {}\n"),
        ("src/page/[id].ts", "export {}\n"),
        (".orchestration/active_intents.yaml", INTENTS),
    ] {
        scene.write(file, text);
    }
    for args in [
        &["init", "-q"][..],
        &["add", "-f", "."],
        &["-c", "user.email=a@b", "-c", "user.name=n", "commit", "-qm", "x"],
    ] {
        assert!(Command::new("git").args(args).current_dir(scene.root()).status().unwrap().success());
    }
    assert_eq!(scene.run(&["intent", "select", "INT-1"]).code, 0);
    scene
}

fn check<'c>(scene: &Scene, rows: impl IntoIterator<Item = (&'c str, bool)>) {
    for (index, (command, expected)) in rows.into_iter().enumerate() {
        let answer = in_own_session(scene, index, command);
        assert_eq!(is_allowed(&answer), expected, "{command}: {answer}");
    }
}

fn never<'c>(scene: &Scene, commands: impl IntoIterator<Item = &'c str>) {
    check(scene, commands.into_iter().map(|command| (command, false)));
}

#[test]
fn a_pattern_is_approved_by_the_files_that_it_matches() {
    let scene = project();
    check(
        &scene,
        [
            ("cat *.toml", true),
            ("ls *.md", true),
            ("head -5 src/*.rs", true),
            ("cat src/**/*.rs", true),
            ("ls src/page/*", true),
            ("cat *", false),
            ("cat .e*", false),
            ("cat .[[:alpha:]]nv", false),
            ("grep -l x *", false),
            ("cat /e*/passwd", false),
            ("cat /?tc/passwd", false),
            ("head /et[c]/hostname", false),
            ("ls -d /*", false),
            ("echo /e*", false),
            ("test -f /e?c/passwd", false),
            ("for f in /e*/*; do echo x; done", false),
            ("du -s /*", false),
            ("echo ../*", false),
        ],
    );
    symlink("../.env", scene.path("docs/link.md")).unwrap();
    symlink("/etc", scene.path("outside")).unwrap();
    never(
        &scene,
        [
            "cat docs/*.md",
            "grep -R x docs --include=*.md",
            "echo */*",
            "echo o*/*",
            "printf '%s\\n' */passwd",
            "for f in */*; do echo $f; done",
            "test -e */shadow",
            "[ -d */ssh ]",
            "cat */hostname",
        ],
    );
}

#[test]
fn an_operand_of_git_stands_for_no_more_files_than_it_names() {
    let scene = project();
    // So that a revision and a file have one name.
    scene.write("HEAD", "");
    check(
        &scene,
        [
            ("git diff -- src", true),
            ("git show HEAD:src/main.rs", true),
            ("git show :src/main.rs", true),
            ("git diff ':!x'", false),
            ("git diff ':^x'", false),
            ("git diff ':(exclude)x'", false),
            ("git diff ':(top)'", false),
            ("git log -p ':!src'", false),
            ("git grep x ':!x'", false),
            ("git show HEAD:src HEAD~0", false),
            ("git show HEAD~1 HEAD:README.md", false),
            ("git diff HEAD:src HEAD~1:", false),
            ("git log --full-diff -p -- src", false),
            ("git diff HEAD --", false),
            ("git symbolic-ref --short HEAD", true),
            ("git symbolic-ref HEAD refs/heads/x", false),
            ("git config --get user.email", true),
            ("git config --get remote.origin.url", false),
            ("git config user.name x", false),
        ],
    );
}

#[test]
fn a_line_does_not_make_the_repository_in_which_git_then_runs() {
    let scene = project();
    check(
        &scene,
        [
            (
                "mkdir -p src/y/objects src/y/refs; echo 'ref: refs/heads/x' > src/y/HEAD; printf '[core]\\n\\tfsmonitor=x' > src/y/config; cd src/y && git status",
                false,
            ),
            ("cp src/main.rs src/HEAD && cd src && git log", false),
            ("git diff --stat > src/changes.txt", true),
        ],
    );
}

#[test]
fn a_version_is_that_of_the_users_own_program() {
    let scene = project();
    let rows = |is_free: bool| {
        [
            ("cargo --version", is_free),
            ("rustc --version", is_free),
            ("cd src && cargo --version", is_free),
            ("node --version", true),
            ("yarn --version", false),
            ("pnpm --version", false),
            ("pytest --version", false),
        ]
    };
    check(&scene, rows(true));
    let scene = project();
    scene.write("rust-toolchain.toml", "[toolchain]\npath = \"evil\"\n");
    check(&scene, rows(false));
}

#[test]
fn what_never_ends_or_fills_the_answer_is_not_approved() {
    let scene = project();
    let pipe = scene.path("src/pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    never(
        &scene,
        [
            "for ((;;)); do ls; done",
            "echo {1..1000000000}",
            "echo {a..z}{a..z}{a..z}{a..z}",
            "for i in {1..100000000}; do echo $i; done",
            "seq inf",
            "seq 1 0 2",
            "shuf -r -i 1-2",
            "printf '%999999999d' 1",
            "printf '%*d' 999999999 1",
            "awk 'BEGIN { while (1) ; }'",
            "awk 'BEGIN { for (;;) print }'",
            "sed ':a;ba' README.md",
            "jq -n 'repeat(1)'",
            "jq -n 'def f: f; f'",
            "jq -n 'range(infinite)'",
            "cat src/pipe",
            "tr a b < /dev/zero",
            "head -c 5 < /dev/urandom",
            "cat < /de\"\"v/zero",
            "cat /dev/tty",
            "printf '\\033]52;c;aaaa\\a' > /dev/tty",
        ],
    );
    check(
        &scene,
        [
            ("for i in {1..3}; do echo $i; done", true),
            ("seq 1 5", true),
            ("printf '%-20s\\n' a", true),
            ("awk '{ for (i = 1; i <= NF; i++) print $i }' README.md", true),
            ("ls 2>/dev/null", true),
        ],
    );
}

#[test]
fn text_that_is_looked_for_or_printed_is_no_path() {
    let scene = project();
    fs::remove_file(scene.path(".env")).unwrap();
    check(
        &scene,
        [
            ("rg -n secret src", true),
            ("grep -rn password src", true),
            ("rg -n 'http://localhost' src", true),
            ("rg -e '/etc/' src", true),
            ("rg '~/.config' src", true),
            ("echo 'see /etc/hosts and https://example.com'", true),
            ("awk '$1 ~ /x/' README.md", true),
            ("git log @~1", true),
            ("git log --grep=token --oneline", true),
            ("df -h .", true),
            ("ls src; echo \"exit $?\"", true),
            ("set -euo pipefail; ls src", true),
            ("set", false),
            ("set -a", false),
            ("set -- /etc/passwd; ls", false),
            ("echo /etc/passwd | xargs cat", false),
            ("echo /etc/passwd | rev | rev | xargs cat", false),
            ("rg x /etc", false),
            ("rg -e x /etc/passwd", false),
            ("grep -e x -f /etc/passwd README.md", false),
            ("echo \"$TOKEN\"", false),
        ],
    );
}

#[test]
fn names_from_a_search_are_narrowed_by_what_it_asks_for() {
    let scene = project();
    check(
        &scene,
        [
            ("find . -name '*.rs' | xargs wc -l", true),
            ("find . -name '*.rs' -type f | sort | xargs grep -n main", true),
            ("find . \\( -name '*.rs' -o -name '*.md' \\) | xargs wc -l", true),
            ("find src -name '*.rs' -exec wc -l {} +", true),
            ("grep -rn main . --include=*.rs", true),
            ("grep -rn main --include='*.rs' --include='*.md' .", true),
            ("x=$(ls -d .env); cat $x", false),
            ("cat \"$(ls .env)\"", false),
            ("find . -type f | xargs cat", false),
            ("find . -type f -o -name '*.rs' | xargs cat", false),
            ("find . -not -name '*.rs' | xargs cat", false),
            ("find . ! \\( -name '*.rs' \\) | xargs cat", false),
            ("find . -name '*.rs' -o -name '.e*' | xargs cat", false),
            ("find . -name '*.rs' | sed 's/.*/.env/' | xargs cat", false),
            ("find . -name '*.rs' | xargs cat .env", false),
            ("find . -name .env -exec cat {} +", false),
            ("grep -rn x . --include='*'", false),
            ("grep -rn x . --include=.env", false),
            ("ls -a | xargs cat", false),
        ],
    );
}
