//! Each limit that docs/intents.md states has a row here that shows it: a limit that no longer holds fails its row, and
//! a limit without a row fails the test.

use std::fs;
use std::os::unix::fs::symlink;

use intent::ContentHash;
use intent::trace::{Author, Edit, Evidence, TraceRecord, blame};
use serde_json::json;

use crate::drift::{git_add, traced, while_call_runs, while_make_runs, world};
use crate::search::drifted;
use crate::world::{World, refusal};

/// The begin of each limit, and what shows it.
const LIMITS: &[(&str, fn())] = &[
    ("steersman reports the deletion of an untracked file as a change of its folder.", deleted_untracked),
    ("steersman reports a missing tracked file once per session", missing_once),
    ("steersman attributes every change during an unknown command", attributed_to_command),
    ("A job that a script leaves behind", job_beyond_turn),
    ("In a folder that git ignores, steersman checks only tracked files", ignored_folder),
    ("In the folders of `.git`, steersman does not search for files", folders_of_git),
    ("A program that writes the index of a new linked checkout in its place", written_index),
    ("steersman does not search for changes outside of the workspace.", outside),
    ("steersman treats a hard link that a person made", hard_link),
    ("steersman does not detect a link that is swapped in and back again", swapped_link),
    ("The search takes at most half of the event's budget", half_of_budget),
    ("A file that an unknown command changed gets a line in the trace", no_line_ranges),
    ("A file of more than 64 MiB gets no line in the trace", large_file),
    ("A program that writes `.git/HEAD` or a branch and the log of git", moved_with_log),
    ("A script that changes a record of steersman and the journal in the same way", forged_with_journal),
    (
        "`trace blame` distinguishes the lines of people and agents by the session's journal.",
        blame_without_journal,
    ),
];

#[test]
fn every_stated_limit_is_one() {
    let docs = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/intents.md")).unwrap();
    let section = docs.split("\n## Limits\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let stated: Vec<&str> = section.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    assert_eq!(stated.len(), LIMITS.len(), "{stated:#?}");
    for (stated, (begin, show)) in stated.iter().zip(LIMITS) {
        assert!(stated.starts_with(begin), "{stated} is not {begin}");
        show();
    }
}

fn moved_with_log() {
    let world = world();
    git_add(&world);
    let sha = "0123456789012345678901234567890123456789";
    let log = |text: String| world.write(".git/logs/HEAD", text);
    world.write(".git/HEAD", "ref: refs/heads/main\n");
    log(format!("{sha} {sha} a <a@b> 1 +0000\tcommit: a\n"));
    for (id, is_logged, expected) in [("1", true, vec![]), ("2", false, vec![".git/HEAD".to_owned()])] {
        while_call_runs(&world, id, || {
            let to = sha.replace('9', id);
            world.write(".git/HEAD", format!("{to}\n"));
            if is_logged {
                log(format!(
                    "{sha} {sha} a <a@b> 1 +0000\tcommit: a\n{sha} {to} a <a@b> 2 +0000\tcheckout: x\n"
                ));
            }
        });
        assert_eq!(drifted(&world), expected, "{id}");
    }
}

/// Runs a script that needs git in a workspace with a commit; returns what is reported.
fn reported_of(script: &str) -> Vec<String> {
    let world = world();
    git_add(&world);
    let sh = |script: &str| {
        let identity =
            "export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t";
        let mut sh = std::process::Command::new("sh");
        let done = sh.args(["-ec", &format!("{identity}; {script}")]).current_dir(world.path("")).status();
        assert!(done.unwrap().success(), "{script}");
    };
    sh("git commit -qm first");
    while_call_runs(&world, "1", || sh(script));
    drifted(&world)
}

fn folders_of_git() {
    assert_eq!(reported_of("echo e > .git/objects/x; mkdir -p .git/logs/y; echo e > .git/logs/y/x"), [""; 0]);
    assert_eq!(reported_of("echo e > .git/x"), [".git/x"]);
}

fn written_index() {
    let add = "mkdir src; git worktree add -q lib/w; I=.git/worktrees/w/index; cp $I src/i; sleep 0.02; echo e > lib/w/e";
    let staged = "GIT_INDEX_FILE=$PWD/src/i git -C lib/w add e; cat src/i > $I";
    assert_eq!(reported_of(&format!("{add}; {staged}")), [""; 0]);
    assert_eq!(reported_of(&format!("{add}; git -C lib/w add e")), ["lib/w/e"]);
}

fn pause() {
    std::thread::sleep(std::time::Duration::from_millis(20));
}

fn deleted_untracked() {
    let world = World::new();
    world.write(
        ".orchestration/active_intents.yaml",
        crate::world::INTENTS.replace("\"src/**\", \"docs/*.md\"", "\"src/**/*.ts\""),
    );
    world.select("INT-001");
    for file in ["src/deep/notes", "src/deep/more", "src/deep/a.ts"] {
        world.write(file, "x\n");
    }
    while_call_runs(&world, "1", || fs::remove_file(world.path("src/deep/notes")).unwrap());
    assert_eq!(drifted(&world), ["src/deep/"], "by its folder");
    while_call_runs(&world, "2", || {
        fs::remove_file(world.path("src/deep/more")).unwrap();
        world.write("src/deep/b.ts", "b\n");
    });
    assert_eq!(drifted(&world), ["src/deep/"], "and not at all beside a new file in scope");
}

fn missing_once() {
    let world = world();
    git_add(&world);
    fs::remove_file(world.path("lib/b.ts")).unwrap();
    while_call_runs(&world, "1", || world.write("lib/c.ts", "c\n"));
    assert!(drifted(&world).contains(&"lib/b.ts".to_owned()), "it was missing before");
    let n_before = drifted(&world).len();
    while_call_runs(&world, "2", || fs::remove_file(world.path("lib/c.ts")).unwrap());
    assert!(!drifted(&world)[n_before..].contains(&"lib/b.ts".to_owned()));
}

fn attributed_to_command() {
    let world = world();
    while_make_runs(&world, || world.write("lib/person.ts", "a person wrote this\n"));
    assert!(drifted(&world).contains(&"lib/person.ts".to_owned()));
}

fn job_beyond_turn() {
    let world = world();
    while_make_runs(&world, || {});
    world.claude("s").event("Stop", &json!({}));
    pause();
    world.write("lib/late.ts", "late\n");
    world.claude("s").event("UserPromptSubmit", &json!({"prompt": "go on"}));
    while_call_runs(&world, "2", || {});
    assert_eq!(drifted(&world), [""; 0]);
}

fn ignored_folder() {
    let world = world();
    git_add(&world);
    for n in 0..1100 {
        world.write(&format!("target/d{n}/x"), "x\n");
    }
    world.write("target/d0/deep/.env", "x\n");
    while_make_runs(&world, || {
        world.write("target/d0/x", "changed\n");
        world.write("target/d0/deep/.env", "changed\n");
    });
    assert_eq!(drifted(&world), [""; 0], "too many folders come first");
    let world = crate::drift::world();
    world.write("target/.env", "x\n");
    git_add(&world);
    while_make_runs(&world, || fs::remove_file(world.path("target/.env")).unwrap());
    assert_eq!(drifted(&world), [""; 0], "it was not tracked");
}

fn outside() {
    let world = world();
    fs::create_dir_all(world.sandbox.elsewhere()).unwrap();
    while_make_runs(&world, || fs::write(world.sandbox.elsewhere().join("x"), "x").unwrap());
    assert_eq!(drifted(&world), [""; 0]);
}

fn hard_link() {
    let world = world();
    world.write("src/a.ts", "a\n");
    fs::hard_link(world.path("lib/b.ts"), world.path("src/linked.ts")).unwrap();
    world.claude("s").writes("1", "src/linked.ts", "evil\n");
    assert_eq!(
        (fs::read_to_string(world.path("lib/b.ts")).unwrap().as_str(), drifted(&world).len()),
        ("evil\n", 0)
    );
}

fn swapped_link() {
    let world = world();
    world.write("src/a.ts", "a\n");
    let claude = world.claude("s");
    let input = json!({"file_path": world.path("src/a.ts"), "content": "evil\n"});
    assert_eq!(refusal(&claude.before("1", "Write", &input)), None);
    fs::rename(world.path("src/a.ts"), world.path("src/kept")).unwrap();
    symlink("../lib/b.ts", world.path("src/a.ts")).unwrap();
    fs::write(world.path("src/a.ts"), "evil\n").unwrap();
    fs::rename(world.path("src/kept"), world.path("src/a.ts")).unwrap();
    claude.after("1", "Write", &input);
    assert_eq!(drifted(&world), [""; 0]);
}

fn half_of_budget() {
    let world = world();
    world.sandbox.manifest(&json!({"budgets": {"PreToolUse": 20_000, "PostToolUse": 2}}));
    for folder in 0..300 {
        world.write(&format!("lib/d{folder}/x"), "x\n");
    }
    while_make_runs(&world, || {
        for n in 0..6000 {
            fs::write(world.path(&format!("lib/d{}/f{n}", n % 300)), "x").unwrap();
        }
    });
    assert_eq!(world.events("SCAN_INCOMPLETE").len(), 1);
}

fn no_line_ranges() {
    let world = world();
    world.write("src/old.ts", "old\n");
    while_make_runs(&world, || {
        world.write("src/old.ts", "old and more\n");
        world.write("src/new.ts", "new\n");
    });
    let ranges = |file: &str| {
        let line = world.trace().into_iter().find(|line| line["file_path"] == file).unwrap();
        line["line_ranges"].is_array()
    };
    assert_eq!((ranges("src/old.ts"), ranges("src/new.ts")), (false, true));
}

fn large_file() {
    let world = world();
    while_make_runs(&world, || {
        fs::create_dir_all(world.path("src")).unwrap();
        fs::File::create(world.path("src/large")).unwrap().set_len(64 * 1024 * 1024 + 1).unwrap();
    });
    assert_eq!((traced(&world).len(), world.events("FILE_UNTRACED").len()), (0, 1));
}

fn forged_with_journal() {
    let world = world();
    while_call_runs(&world, "0", || {});
    while_call_runs(&world, "1", || {
        world.write("lib/b.ts", "changed\n");
        let root = world.sandbox.session().root;
        let text = fs::read_to_string(root.join("events.jsonl")).unwrap();
        let line = text.lines().rfind(|line| line.contains("FILE_WRITTEN") || line.contains("CALL_PENDING"));
        let hash = ContentHash::of(b"changed\n");
        let write =
            json!({"intentId": "INT-002", "file": "lib/b.ts", "class": "MODIFY", "after": hash.as_str()});
        let mut forged: serde_json::Value = serde_json::from_str(line.unwrap()).unwrap();
        forged["type"] = json!("FILE_WRITTEN");
        forged["data"] = write;
        fs::write(root.join("events.jsonl"), format!("{text}{forged}\n")).unwrap();
        let trace = json!({
            "intent_id": "INT-002", "content_hash": hash.as_str(), "file_path": "lib/b.ts", "mutation_class": "MODIFY",
            "line_ranges": null, "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": "Write",
        });
        world.write(".orchestration/agent_trace.jsonl", format!("{trace}\n"));
    });
    assert_eq!(drifted(&world), [""; 0]);
}

/// Knows nothing of earlier writes.
struct NoJournal;

impl Evidence for NoJournal {
    fn edit(&self, _after: &ContentHash) -> Option<Edit> {
        None
    }

    fn content(&self, _hash: &ContentHash) -> Option<Vec<u8>> {
        None
    }
}

fn blame_without_journal() {
    let world = world();
    world.write("src/a.ts", "person\n");
    world.claude("s").writes("1", "src/a.ts", "person\nagent\n");
    let lines = fs::read(world.path(".orchestration/agent_trace.jsonl")).unwrap();
    let record = |line: &[u8]| TraceRecord::parse(line).ok();
    let history: Vec<TraceRecord> = lines.split(|byte| *byte == b'\n').filter_map(record).collect();
    let authors = blame(&history, b"person\nagent\nperson again\n", &NoJournal);
    assert!(
        authors.iter().any(|author| matches!(author, Author::Agent { certain: false, .. })),
        "{authors:?}"
    );
}
