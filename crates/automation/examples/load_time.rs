//! Measures how long loading and checking both files of automations takes:
//! `cargo run --release -p automation --example load_time`
//!
//! Loads each size two hundred times from files in the temporary folder and prints the p10 and the
//! p50 of reading, parsing and checking both, in milliseconds, and the mean CPU time: on a busy machine
//! the elapsed time includes waiting for the CPU.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement prints, and panics on failure")]

use std::fs;
use std::time::Instant;

use automation::{Configuration, SourceFile};
use event::AbsPath;
use serde_json::{Value, json};
use store::Workspace;

const ROUNDS: usize = 200;

fn main() {
    println!("automations  p10 ms  p50 ms          CPU ms");
    for n_automations in [10, 100, 1000] {
        let dir = tempfile::tempdir().unwrap();
        let workspace = Workspace::at(AbsPath::new(dir.path()).unwrap());
        let akira: Vec<Value> = (0..n_automations / 2).map(of_the_engine).collect();
        let gatomia: Vec<Value> = (0..n_automations / 2).map(of_custom_hooks).collect();
        write(&workspace, SourceFile::Akira, &json!({"schemaVersion": 1, "hooks": akira}));
        write(&workspace, SourceFile::Gatomia, &Value::from(gatomia));
        let worked = processor_time();
        let mut times: Vec<f64> = (0..ROUNDS).map(|_| time(&workspace, n_automations)).collect();
        let processor = (processor_time() - worked) / f64::from(u32::try_from(ROUNDS).unwrap());
        times.sort_by(f64::total_cmp);
        let [p10, p50] = [times[ROUNDS / 10], times[ROUNDS / 2]];
        println!("{n_automations:11}  {p10:6.2}  {p50:6.2}  {processor:16.2}");
    }
}

fn time(workspace: &Workspace, n_expected: usize) -> f64 {
    let began = Instant::now();
    let (configuration, loaded) = Configuration::load(workspace);
    let took = began.elapsed().as_secs_f64() * 1000.0;
    assert!(loaded.problems.is_empty() && configuration.automations().count() == n_expected);
    took
}

/// Returns the CPU time of this thread in milliseconds; zero where the system does not report it.
fn processor_time() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

fn write(workspace: &Workspace, source: SourceFile, value: &Value) {
    let path = source.path(workspace);
    fs::create_dir_all(path.as_path().parent().unwrap()).unwrap();
    fs::write(path.as_path(), format!("{value:#}")).unwrap();
}

fn of_the_engine(n: usize) -> Value {
    json!({
        "id": format!("engine-{n}"),
        "name": format!("Automation {n}"),
        "trigger": "onDidSaveTextDocument",
        "pattern": format!("src/part{n}/**/*.{{ts,tsx}}"),
        "prompt": "Review {filePath} on {branch} for {user} and say what is unclear in it.",
        "concurrency": 2,
        "timeoutMs": 120_000,
        "retry": {"count": 3, "backoffMs": 500, "backoffFactor": 2},
        "secretPatterns": ["corp-[0-9a-f]+", "(?i)internal-key: [a-z0-9]+"],
        "runner": {"type": "command", "command": ["prog", "--flag", "value"]},
    })
}

fn of_custom_hooks(n: usize) -> Value {
    json!({
        "id": format!("custom-{n}"),
        "name": format!("Hook {n}"),
        "enabled": true,
        "trigger": {"agent": "speckit", "operation": "clarify", "timing": "after"},
        "action": {"type": "custom", "parameters": {
            "agentId": "local:code-reviewer",
            "prompt": "Review the clarified specification",
            "arguments": "By {user} at {timestamp}, on {branch}",
        }},
        "createdAt": 1_706_267_400_000_u64 + n as u64,
        "modifiedAt": 1_706_267_400_000_u64,
        "executionCount": 5,
    })
}
