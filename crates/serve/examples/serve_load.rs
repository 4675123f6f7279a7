//! Measures the cost and the reaction time of a server from outside:
//! `cargo run -p serve --example serve_load -- target/release/steersman [PART]`
//!
//! Three parts, or only PART:
//!
//! - `reaction`: with a thousand automations, the start-up time of the server, and the time
//!   from the last write of a file to its queued run, less the half second it takes to settle.
//! - `storm`: 20,000 saves of 500 files in ten seconds: the runs, the server's memory, and the time
//!   of hooks before and meanwhile.
//! - `tree`: a tree of 100,000 files, and as many again in folders that git ignores: the start-up
//!   time of the server, its memory, and the number of watched folders.
//!
//! This program only writes files and reads the server's files; it measures the given binary.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement prints, and panics on failure")]

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tempfile::TempDir;

fn main() {
    let mut args = std::env::args().skip(1);
    let binary = fs::canonicalize(args.next().unwrap()).unwrap();
    let part = args.next();
    let is_wanted = |name: &str| part.as_deref().is_none_or(|part| part == name);
    if is_wanted("reaction") {
        reaction(&binary);
    }
    if is_wanted("storm") {
        storm(&binary);
    }
    if is_wanted("tree") {
        tree(&binary);
    }
}

fn reaction(binary: &Path) {
    let hooks: Vec<Value> = (0..1000).map(|n| save_hook(n, &format!("part{n}/**"))).collect();
    let project = Project::new(binary, &hooks);
    for n in 0..1000 {
        project.write(&format!("part{n}/begin.txt"), "");
    }
    let (took, _server) = project.serve();
    println!("reaction: a server with 1000 automations serves after {took:.0?}");
    let mut delays: Vec<f64> = Vec::new();
    for n in 0..60 {
        let path = format!("part{n}/saved.txt");
        project.write(&path, "x");
        let written = millis_now();
        let line = project.wait_for(|line| line["type"] == "queued" && line.to_string().contains(&path));
        delays.push(line["ts"].as_f64().unwrap() - written - 500.0);
    }
    delays.sort_by(f64::total_cmp);
    println!("  from a settled save to its queued run: p50 {:.1} ms, worst {:.1} ms", delays[30], delays[59]);
}

fn storm(binary: &Path) {
    const SAVES: usize = 20_000;
    let project = Project::new(binary, &[save_hook(0, "src/**")]);
    project.write("src/begin.txt", "");
    let (_, server) = project.serve();
    println!("storm: memory before {}", memory(&server));
    let before = project.hook_times(200);
    let began = Instant::now();
    let (during, saved) = thread::scope(|scope| {
        let hooks = scope.spawn(|| project.hook_times(200));
        for n in 0..SAVES {
            project.write(&format!("src/file{}.txt", n % 500), &n.to_string());
            let due = began + Duration::from_micros(n as u64 * 500);
            thread::sleep(due.saturating_duration_since(Instant::now()));
        }
        let saved = millis_now();
        println!("  {SAVES} saves of 500 files in {:.1?}", began.elapsed());
        (hooks.join().unwrap(), saved)
    });
    let lines = project.journal_at_rest();
    let is = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
    println!(
        "  {} runs queued, {} replaced while pending, {} ended",
        is("queued"),
        is("replaced"),
        is("finished")
    );
    let files: HashSet<String> = lines
        .iter()
        .filter(|line| line["type"] == "queued")
        .map(|line| line["run"]["occurrence"]["path"].to_string())
        .collect();
    assert_eq!(files.len(), 500, "every file has a run");
    assert_eq!(is("queued"), is("replaced") + is("finished"), "every run is accounted for");
    let last = lines.iter().filter_map(|line| line["ts"].as_f64()).fold(0.0, f64::max);
    println!(
        "  the last run ended {:.1} s after the last save; memory at most {}",
        (last - saved) / 1000.0,
        memory(&server)
    );
    println!("  a hook before: p50 {:.2} ms; meanwhile: p50 {:.2} ms", before[100], during[100]);
}

fn tree(binary: &Path) {
    let project = Project::new(binary, &[save_hook(0, "**/*.rs")]);
    project.write(".gitignore", "node_modules/\ntarget/\n");
    for (top, n_folders) in [("src", 2000), ("node_modules", 1000), ("target", 1000)] {
        for folder in 0..n_folders {
            let folder = project.root().join(format!("{top}/group{}/folder{folder}", folder % 50));
            fs::create_dir_all(&folder).unwrap();
            for file in 0..50 {
                File::create(folder.join(format!("file{file}.rs"))).unwrap();
            }
        }
    }
    let (took, server) = project.serve();
    println!("tree of 100,000 files, and 100,000 ignored ones: serves after {took:.0?}");
    println!("  {} folders watched, memory {}", watches(&server), memory(&server));
    project.write("src/group7/folder1007/file3.rs", "x");
    let written = millis_now();
    let line = project.wait_for(|line| line["type"] == "queued");
    println!("  a save is queued {:.0} ms after it settled", line["ts"].as_f64().unwrap() - written - 500.0);
}

/// A trusted temporary workspace.
struct Project {
    dir: TempDir,
    binary: PathBuf,
}

/// A server that is killed on drop.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Project {
    fn new(binary: &Path, hooks: &[Value]) -> Self {
        let project = Self { dir: tempfile::tempdir().unwrap(), binary: binary.to_path_buf() };
        project.write(".akira/hooks.json", &json!({"schemaVersion": 1, "hooks": hooks}).to_string());
        let trusted =
            project.command(&["trust"]).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        assert!(trusted.success());
        project
    }

    fn root(&self) -> PathBuf {
        self.dir.path().join("workspace")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        if File::create(&path).and_then(|mut file| file.write_all(text.as_bytes())).is_err() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .args(args)
            .current_dir(self.root())
            .env("HOME", self.dir.path())
            .env("STEERSMAN_STATE_DIR", self.dir.path().join("state"))
            .env("STEERSMAN_EXTENSION_DIRS", self.dir.path().join("extensions"))
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::null());
        command
    }

    /// Starts a server and returns its start-up time.
    fn serve(&self) -> (Duration, Server) {
        let log = self.dir.path().join("log");
        let mut command = self.command(&["serve", "--json", "--port", "0"]);
        let began = Instant::now();
        let server =
            Server(command.stdout(File::create(&log).unwrap()).stderr(Stdio::null()).spawn().unwrap());
        while !fs::read_to_string(&log).unwrap().contains("\"STARTED\"") {
            thread::sleep(Duration::from_millis(1));
        }
        (began.elapsed(), server)
    }

    fn journal(&self) -> Vec<Value> {
        let text = fs::read_to_string(self.root().join(".ai/tmp/automation/queue.jsonl")).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// Returns the journal once it has not grown for longer than a file that is saved all the time waits for its run.
    fn journal_at_rest(&self) -> Vec<Value> {
        const QUIET: Duration = Duration::from_secs(8);
        let (mut n_lines, mut since) = (0, Instant::now());
        loop {
            let lines = self.journal();
            if lines.len() != n_lines {
                (n_lines, since) = (lines.len(), Instant::now());
            } else if since.elapsed() > QUIET {
                return lines;
            }
            thread::sleep(Duration::from_millis(250));
        }
    }

    fn wait_for(&self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(line) = self.journal().into_iter().find(&fits) {
                return line;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs `n` hooks and returns their times in milliseconds, sorted.
    fn hook_times(&self, n_hooks: usize) -> Vec<f64> {
        let event = json!({"session_id": "measured", "hook_event_name": "PreToolUse", "cwd": self.root(),
            "tool_name": "Bash", "tool_input": {"command": "git status"}});
        let mut times = Vec::new();
        for _ in 0..n_hooks {
            let mut command = self.command(&["dispatch", "PreToolUse", "--host", "claude"]);
            let began = Instant::now();
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(event.to_string().as_bytes()).unwrap();
            assert!(child.wait().unwrap().success());
            times.push(began.elapsed().as_secs_f64() * 1000.0);
            thread::sleep(Duration::from_millis(40));
        }
        times.sort_by(f64::total_cmp);
        times
    }
}

fn save_hook(n: usize, pattern: &str) -> Value {
    json!({"id": format!("automation-{n}"), "trigger": "onDidSaveTextDocument", "pattern": pattern, "concurrency": 8,
        "prompt": "{filePath}", "runner": {"type": "command", "command": ["true"]}})
}

fn millis_now() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64() * 1000.0
}

/// Returns the peak memory of a server.
fn memory(server: &Server) -> String {
    let status = fs::read_to_string(format!("/proc/{}/status", server.0.id())).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    line.split_ascii_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

/// Returns how many folders a server watches.
fn watches(server: &Server) -> usize {
    let folder = format!("/proc/{}/fdinfo", server.0.id());
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let texts = files.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    texts.map(|text| text.lines().filter(|line| line.starts_with("inotify ")).count()).sum()
}
