//! Measures how long a search in the history of many runs takes, and the cost of the index:
//! `cargo run --release -p serve --example history_time [RUNS]`
//!
//! Writes the journals of a million runs (or of RUNS) into the temporary folder, as a server leaves
//! them: five lines per run, a new journal every 16 MiB. Then it builds the index, adds further runs,
//! and searches. It runs each search nine times and prints the median and the worst time.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement prints, and panics on failure")]

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use automation::queue::{Entry, Line, QueuedRun, append};
use automation::{AutomationId, ExecutionFault, ExecutionRecord, Occurrence, OccurrenceKind, State};
use event::AbsPath;
use serve::{History, Query};
use store::{Timestamp, Workspace};

/// A journal is rotated beyond this number of bytes.
const JOURNAL: u64 = 16 << 20;
/// The number of automations.
const HOOKS: u64 = 40;
/// When the first run started, and the time between two runs: a million in seven weeks.
const BEGIN: u64 = 1_790_000_000_000;
const STEP: u64 = 4_000;

fn main() {
    let n_runs = std::env::args().nth(1).map_or(1_000_000, |it| it.parse().unwrap());
    let dir = tempfile::tempdir().unwrap();
    let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
    fs::create_dir_all(workspace.automation_dir().as_path()).unwrap();

    let (took, n_bytes) = timed(|| write_journals(&workspace, n_runs));
    println!("journals of {n_runs} runs: {} MB, written in {took:.1?}", n_bytes / 1_000_000);
    let (took, history) = timed(|| History::open(&workspace).unwrap());
    let size = fs::metadata(workspace.automation_history().as_path()).unwrap().len();
    println!("index built in {took:.1?}: {} MB, {}", size / 1_000_000, memory());
    assert_eq!(history.n_runs().unwrap(), n_runs);
    drop(history);

    println!("\nkept up");
    let (took, mut history) = timed(|| History::open(&workspace).unwrap());
    println!("  opened with nothing new          {took:8.2?}");
    for n_new in [1, 1000] {
        let entries = (0..n_new).flat_map(|n| entries(n_runs + n));
        append(&workspace, store::now(), entries).unwrap();
        let (took, ()) = timed(|| history.catch_up().unwrap());
        println!("  {n_new:5} new runs                   {took:8.2?}");
    }
    ask_all(&workspace, n_runs, "searches, each with a newly opened index");

    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 0.. {
                if done.load(Ordering::Relaxed) {
                    println!("  ({n} runs were added meanwhile)");
                    return;
                }
                append(&workspace, store::now(), entries(n_runs + 1000 + n)).unwrap();
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        ask_all(&workspace, n_runs, "searches while runs end, two hundred per second");
        done.store(true, Ordering::Relaxed);
    });
}

fn ask_all(workspace: &Workspace, n_runs: u64, how: &str) {
    println!("\n{how}: median, worst, found");
    let text = |text: &str| Query { grep: Some(text.into()), ..Query::default() };
    let hook = |n: u64| Some(format!("automation-{n}"));
    let failed = || Some("failed".to_owned());
    let the_last = |n: u64| Some(moment(n_runs.saturating_sub(n)));
    for (name, query) in [
        ("everything", Query::default()),
        ("--hook, one in 40", Query { hook: hook(7), ..Query::default() }),
        ("--hook, unknown", Query { hook: hook(999), ..Query::default() }),
        ("--status failed", Query { status: failed(), ..Query::default() }),
        ("--status failed --hook", Query { status: failed(), hook: hook(7), ..Query::default() }),
        ("--since, all of it", Query { since: the_last(n_runs), ..Query::default() }),
        ("--since, the last 10,000", Query { since: the_last(10_000), ..Query::default() }),
        ("--since, nothing", Query { since: Some(Timestamp::from_millis(u64::MAX / 2)), ..Query::default() }),
        ("--grep, in every run", text("files were formatted")),
        ("--grep, in every hundredth", text("CONNECTION REFUSED")),
        ("--grep, in one", text("commit 00007a12")),
        ("--grep, in none", text("there is no such text")),
        ("--grep, in none, of common parts", text("were refused")),
        ("--grep of two characters, in all", text("ed")),
        ("--grep of two characters, in none", text("%#")),
        ("--grep, common, --hook", Query { hook: hook(7), ..text("files were formatted") }),
        ("--grep of another hook's, --hook", Query { hook: hook(7), ..text("automation-8\n") }),
        ("--grep of successes, --status failed", Query { status: failed(), ..text("files were formatted") }),
        ("--grep, --since", Query { since: the_last(10_000), ..text("commit 00007a12") }),
    ] {
        let query = Query { limit: 50, ..query };
        let mut times = Vec::new();
        let mut n_found = 0;
        for _ in 0..9 {
            let (took, found) = timed(|| History::open(workspace).unwrap().find(&query).unwrap());
            times.push(took);
            n_found = found.len();
        }
        times.sort();
        println!("  {name:38} {:8.2?} {:8.2?} {n_found:3}", times[4], times[8]);
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let began = Instant::now();
    let done = work();
    (began.elapsed(), done)
}

fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default().to_owned()
}

/// Writes the journals and returns their size in bytes.
fn write_journals(workspace: &Workspace, n_runs: u64) -> u64 {
    let (mut number, mut n_bytes, mut total) = (0, u64::MAX, 0);
    let mut journal = BufWriter::new(File::create(workspace.automation_queue().as_path()).unwrap());
    for n in 0..n_runs {
        if n_bytes > JOURNAL {
            journal.flush().unwrap();
            if number > 0 {
                let archive = workspace.automation_archive(number);
                fs::rename(workspace.automation_queue().as_path(), archive.as_path()).unwrap();
            }
            number += 1;
            journal = BufWriter::new(File::create(workspace.automation_queue().as_path()).unwrap());
            n_bytes = put(&mut journal, moment(n), Entry::Rotated { number });
        }
        for entry in entries(n) {
            let written = put(&mut journal, moment(n), entry);
            n_bytes += written;
            total += written;
        }
    }
    journal.flush().unwrap();
    total
}

fn put(journal: &mut impl Write, at: Timestamp, entry: Entry) -> u64 {
    let line = serde_json::to_string(&Line::new(at, entry)).unwrap();
    writeln!(journal, "{line}").unwrap();
    line.len() as u64 + 1
}

fn moment(n: u64) -> Timestamp {
    Timestamp::from_millis(BEGIN + n * STEP)
}

/// Returns the journal entries of a run.
fn entries(n: u64) -> [Entry; 5] {
    // Shuffled, so that neighbours have little in common.
    let mixed = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
    let at = moment(n);
    let kind =
        OccurrenceKind::FileSaved { path: format!("src/part{}/module_{}.rs", mixed % 60, mixed % 5000) };
    let hook = AutomationId::new(&format!("automation-{}", (mixed >> 9) % HOOKS)).unwrap();
    let run = QueuedRun::new(at, hook, Occurrence::new(at, kind));
    let state = match mixed % 100 {
        0..90 => State::Success,
        90..97 => State::Failure,
        97..99 => State::Timeout,
        _ => State::Canceled,
    };
    let message = if mixed % 100 == 90 { "connection refused" } else { "`cargo` ended with exit code 101" };
    let error = (state == State::Failure)
        .then(|| ExecutionFault { code: "EXIT_CODE".to_owned(), message: message.to_owned() });
    let logs = format!(
        "checking {} lines of module_{}\ncommit {n:08x} by author{}\n{} files were {}\ndone in {}.{:02} s\n",
        mixed % 9000,
        mixed % 5000,
        mixed % 50,
        mixed % 20,
        if state == State::Success { "formatted" } else { "checked" },
        mixed % 60,
        mixed % 97,
    );
    let record = ExecutionRecord {
        id: run.id.clone(),
        hook_id: run.hook.clone(),
        queued_ts: at.to_string(),
        start_ts: at.to_string(),
        end_ts: Some(at.to_string()),
        status: state.status(),
        state,
        exit_code: Some(0),
        attempts: 1,
        interruptions: 0,
        trigger: run.occurrence.kind.to_string(),
        file: run.occurrence.file().map(str::to_owned),
        chain_depth: 0,
        error,
        logs: Some(logs),
    };
    let id = run.id.clone();
    [
        Entry::Queued { run },
        Entry::Started { run: id.clone(), attempt: 1, process: 4711 },
        Entry::Entered { run: id.clone(), state: State::Validating },
        Entry::Entered { run: id, state: State::Executing },
        Entry::Finished { record: Box::new(record) },
    ]
}
