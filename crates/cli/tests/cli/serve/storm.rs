//! Many saves at once.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use super::stage::{Project, hook, until};

/// The long test run makes twenty thousand saves of five hundred files.
#[test]
fn a_storm_of_saves_is_coalesced_and_every_run_is_accounted_for() {
    let n_files = testkit::in_the_long_run(500, 20);
    let n_saves = testkit::in_the_long_run(20_000, 400);
    let mut on_save = hook("note", "onDidSaveTextDocument", "true");
    on_save["pattern"] = "src/**".into();
    on_save["concurrency"] = 8.into();
    let project = Project::new(&json!([on_save]));
    project.sandbox.write("src/begin", "");
    let server = project.serve();
    for n in 0..n_saves {
        project.sandbox.write(format!("src/file{}.txt", n % n_files), n.to_string());
        if testkit::is_long_run() && n % 20 == 19 {
            // Twenty thousand in ten seconds.
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
    let journal = || -> Vec<Value> {
        let text = project.read(".ai/tmp/automation/queue.jsonl");
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    };
    let count = |lines: &[Value], kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
    until("every file was seen and every run is over", || {
        let lines = journal();
        let queued = lines.iter().filter(|line| line["type"] == "queued");
        let files: BTreeMap<String, usize> = queued.fold(BTreeMap::new(), |mut files, line| {
            *files.entry(line["run"]["occurrence"].to_string()).or_default() += 1;
            files
        });
        let n_over = count(&lines, "finished") + count(&lines, "replaced");
        files.len() >= n_files && n_over == count(&lines, "queued")
    });
    let lines = journal();
    let n_queued = count(&lines, "queued");
    assert!(n_queued < n_saves, "{n_queued} runs of {n_saves} saves");
    // A file that was idle in between has a second run, which may come only now.
    until("every run is in the history", || project.runs(&[]).len() == count(&journal(), "finished"));
    let status = fs::read_to_string(format!("/proc/{}/status", server.0.id())).unwrap_or_default();
    let memory = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or_default();
    println!("{n_saves} saves of {n_files} files: {n_queued} runs, {memory}");
}
