//! Measures a search for changes in trees of 1,000, 10,000 and 100,000 files of which none changed; with the path of a
//! binary also the whole event: `PostToolUse` of a command whose writes cannot be known.
//!
//! ```console
//! $ cargo run --release -p intent --example scan_cost [target/release/steersman]
//! ```
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement prints, and fails at once")]
#![allow(clippy::disallowed_methods, reason = "it makes the trees that it measures")]

use std::env;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use event::AbsPath;
use intent::{
    Baseline, Changes, FileSystemTime, FolderRecord, Limits, OwnFiles, Protected, ScanStart, Scope, Watched,
};
use store::Workspace;

fn main() {
    for n_files in [1_000, 10_000, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        let root = AbsPath::new(dir.path().canonicalize().unwrap()).unwrap();
        for n in 0..n_files / 50 {
            let folder = dir.path().join(format!("pkg{}/mod{n}", n % 100));
            fs::create_dir_all(&folder).unwrap();
            for file in 0..50 {
                fs::write(folder.join(format!("file{file}.ts")), "x").unwrap();
            }
        }
        fs::write(dir.path().join(".gitignore"), "node_modules/\ntarget/\n*.log\ndist/\n.cache/\n").unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let scope = Scope::open(&root, Protected::with([]));
        let listing = Instant::now();
        let folders = FolderRecord::of_workspace(&root, Duration::from_secs(9));
        let listing = listing.elapsed();
        let own = OwnFiles::of(&Workspace::at(root.clone()));
        let watched = Watched::now(&scope, None, &own);
        let marker = AbsPath::new(dir.path().join(".ai/tmp/00000001/clock")).unwrap();
        let moment = FileSystemTime::mark(&marker).unwrap();
        let baseline = Baseline {
            watched: Some(&watched),
            folders: Some(&folders),
            index: None,
            intent: None,
            own: &own,
        };
        let limits = Limits { time: Duration::from_mins(1), ..Limits::default() };
        let times: Vec<Duration> = (0..15)
            .map(|_| {
                let began = Instant::now();
                let changes = Changes::since(&[ScanStart::workspace(moment)], &scope, &baseline, limits);
                assert!(changes.is_complete() && changes.files.is_empty());
                began.elapsed()
            })
            .collect();
        let best = times.iter().min().unwrap();
        println!("{n_files} files: best of 15 searches {best:.1?}, first listing of folders {listing:.1?}");
        if let Some(binary) = env::args().nth(1) {
            let binary = Path::new(&binary).canonicalize().unwrap();
            let (pre, post) = events(&binary, dir.path());
            println!("{n_files} files: best of 15 events PreToolUse {pre:.1?}, PostToolUse {post:.1?}");
        }
    }
}

const INTENTS: &str =
    "intents:\n  - id: INT-001\n    name: Some\n    status: IN_PROGRESS\n    owned_scope: [pkg1/**]\n";

/// Returns the best times of the events before and after a command that changes nothing.
fn events(binary: &Path, root: &Path) -> (Duration, Duration) {
    let state = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.join(".orchestration")).unwrap();
    fs::write(root.join(".orchestration/active_intents.yaml"), INTENTS).unwrap();
    fs::write(root.join(".ai/tmp/intent.json"), r#"{"version":1,"intentId":"INT-001","since":"x"}"#).unwrap();
    let (mut pre, mut post) = (Duration::MAX, Duration::MAX);
    for n in 0..15 {
        let ask = |event: &str| {
            let payload = format!(
                r#"{{"session_id":"s","cwd":"{}","hook_event_name":"{event}","tool_use_id":"{n}","tool_name":"Bash",
                "tool_input":{{"command":"make"}},"tool_response":{{}}}}"#,
                root.display()
            );
            let began = Instant::now();
            let mut child = Command::new(binary)
                .args(["dispatch", event, "--host", "claude-code"])
                .env("STEERSMAN_STATE_DIR", state.path())
                .current_dir(root)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .spawn()
                .unwrap();
            child.stdin.take().unwrap().write_all(payload.as_bytes()).unwrap();
            let output = child.wait_with_output().unwrap();
            let took = began.elapsed();
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "{}");
            took
        };
        pre = pre.min(ask("PreToolUse"));
        post = post.min(ask("PostToolUse"));
    }
    (pre, post)
}
