//! Measures the specification's success criteria: the hash of a mebibyte, a scope check among 200
//! intents with 50 globs each, and `blame` in a trace of a million lines.
//!
//! `cargo run --release -p intent --example success_criteria [PROGRAM]`; with the path of a built
//! `steersman`, it also measures `trace blame` and two hook events, from start to end, in a workspace
//! with that trace and in one with an empty trace. Every number is the best of several runs: on a
//! busy machine the others measure the other load.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a measurement is printed, and a failed one must report it"
)]

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use event::{AbsPath, Access};
use intent::trace::{TraceLog, history};
use intent::{ContentHash, IntentId, IntentLookup, IntentsFile, Protected, Reach, Scope, Target};

const N_LINES: usize = 1_000_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    println!("hash of 1 MiB: {:?}", best(50, || ContentHash::of(black_box(&MEBIBYTE))));
    scope_check(&AbsPath::new(root.join("intents")).expect("a path"));

    let (long, short) = (root.join("long"), root.join("short"));
    workspace(&long, N_LINES);
    workspace(&short, 1);
    let bytes = fs::metadata(long.join(TraceLog::PATH)).expect("a trace").len();
    println!("a trace of {N_LINES} lines has {} MiB", bytes >> 20);
    let open = || fs::File::open(long.join(TraceLog::PATH));
    println!("its lines about one file, in the process: {:?}", best(5, || history("src/file7.ts", open)));
    if let Some(program) = std::env::args_os().nth(1) {
        let program = &Path::new(&program).canonicalize().expect("a program");
        println!("`trace blame`, the whole process: {:?}", best(5, || blame(program, &long)));
        for (name, folder) in [("a million lines", &long), ("one line", &short)] {
            println!(
                "hook events before and after a write, with a trace of {name}: {:?}",
                write_in(program, folder)
            );
        }
    }
}

static MEBIBYTE: [u8; 1 << 20] = [7; 1 << 20];

/// Checks a path that no glob matches, so that every glob is tried.
fn scope_check(root: &AbsPath) {
    fs::create_dir_all(root.join(".orchestration").as_path()).expect("a folder");
    let file = root.join(IntentsFile::PATH);
    fs::write(file.as_path(), two_hundred_intents()).expect("a file of intents");
    let kept = root.join("kept");
    let id = IntentId::parse("INT-150").expect("an id");
    let scope = Scope::open(root, Protected::with([]));
    let target = Target::new("elsewhere/deep/in/the/tree/file.ts", root, Access::Write, Reach::Itself);
    let find = || match IntentLookup::in_file(&file, &id, Some(&kept)).expect("a file that is right") {
        IntentLookup::Found(intent) => intent,
        other => unreachable!("{other:?}"),
    };
    // The cache is used only some time after the file was written.
    find();
    std::thread::sleep(Duration::from_millis(100));
    let intent = find();
    println!("scope check against 50 globs: {:?}", best(200, || scope.check(&target, &intent)));
    println!(
        "the same, with finding the intent among 200: {:?}",
        best(200, || scope.check(&target, &find()))
    );
}

fn two_hundred_intents() -> String {
    let mut text = String::from("intents:\n");
    for n in 1..=200 {
        let _ = write!(
            text,
            "  - id: INT-{n}\n    name: Number {n}\n    status: IN_PROGRESS\n    owned_scope:\n"
        );
        for glob in 0..50 {
            let _ = writeln!(text, "      - \"src/part{n}/area{glob}/**/*.{{ts,tsx}}\"");
        }
    }
    text
}

/// Creates a workspace with an intent, a file and a trace.
fn workspace(root: &Path, n_lines: usize) {
    for folder in [".orchestration", "src", ".git"] {
        fs::create_dir_all(root.join(folder)).expect("a folder");
    }
    let intents = "intents:\n  - {id: INT-1, name: One, status: IN_PROGRESS, owned_scope: [\"src/**\"]}\n";
    fs::write(root.join(IntentsFile::PATH), intents).expect("a file of intents");
    fs::write(root.join("src/file7.ts"), "one\ntwo\n").expect("a file");
    fs::create_dir_all(root.join(".ai/tmp")).expect("a folder");
    let selection = r#"{"version":1,"intentId":"INT-1","since":"2026-01-01T00:00:00.000Z"}"#;
    fs::write(root.join(".ai/tmp/intent.json"), selection).expect("a selection");
    let mut trace = BufWriter::new(fs::File::create(root.join(TraceLog::PATH)).expect("a trace"));
    for n in 0..n_lines {
        let hash = ContentHash::of(&n.to_le_bytes());
        let line = format!(
            "{{\"intent_id\":\"INT-1\",\"content_hash\":\"{}\",\"file_path\":\"src/file{}.ts\",\"mutation_class\":\"MODIFY\",\"line_ranges\":[{{\"start\":1,\"end\":2}}],\"timestamp\":\"2026-02-16T10:30:00Z\",\"tool_name\":\"Write\",\"git_sha\":\"9fceb02d0ae598e95dc970b74767f19372d61af8\"}}",
            hash.as_str(),
            n % 5000
        );
        writeln!(trace, "{line}").expect("a line");
    }
}

fn blame(program: &Path, root: &Path) {
    let output = Command::new(program).args(["trace", "blame", "src/file7.ts"]).current_dir(root).output();
    let output = output.expect("a program that starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Sends the events before and after a write; returns the best time of both processes together.
fn write_in(program: &Path, root: &Path) -> Duration {
    let state = root.join("../state");
    let tell = |event: &str, n: usize| {
        let payload = format!(
            "{{\"hook_event_name\":\"{event}\",\"session_id\":\"s\",\"tool_use_id\":\"{n}\",\"tool_name\":\"Write\",\"tool_input\":{{\"file_path\":\"src/new.ts\",\"content\":\"{n}\"}},\"tool_response\":{{}},\"cwd\":\".\"}}"
        );
        let mut child = Command::new(program)
            .args(["dispatch", event, "--host", "claude-code"])
            .current_dir(root)
            .env("STEERSMAN_STATE_DIR", &state)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a program that starts");
        child.stdin.take().expect("a pipe").write_all(payload.as_bytes()).expect("a reader");
        let output = child.wait_with_output().expect("an end");
        assert!(!output.stdout.windows(6).any(|word| word == b"\"deny\""), "the write is in scope");
    };
    let mut times = (0..40).map(|n| {
        let begun = Instant::now();
        tell("PreToolUse", n);
        let announced = begun.elapsed();
        fs::write(root.join("src/new.ts"), n.to_string()).expect("a file");
        let begun = Instant::now();
        tell("PostToolUse", n);
        announced + begun.elapsed()
    });
    let first = times.next().unwrap_or_default();
    times.fold(first, Duration::min)
}

/// Returns the shortest of `n` runs.
fn best<T>(n: usize, mut run: impl FnMut() -> T) -> Duration {
    let mut times = (0..n).map(|_| {
        let begun = Instant::now();
        black_box(run());
        begun.elapsed()
    });
    let first = times.next().unwrap_or_default();
    times.fold(first, Duration::min)
}
