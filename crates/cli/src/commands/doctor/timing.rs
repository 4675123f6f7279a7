//! How long one dispatch takes here, beside what starting any program takes.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::finding::{Finding, Mark, Section};
use super::program::ProgramReport;
use crate::environment;

/// How often each program is started; the two take turns, so that a busy moment hits both.
const RUNS: usize = 15;

/// A call that no module minds.
const PAYLOAD: &str = r#"{"hook_event_name":"PreToolUse","session_id":"doctor","tool_name":"Read","tool_use_id":"1","tool_input":{"file_path":"README.md"},"cwd":"."}"#;

/// What was measured; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimingReport {
    program: PathBuf,
    runs: usize,
    median_ms: f64,
    compared_to: String,
    compared_median_ms: f64,
}

/// Measures the programs that may be started, in a folder that is thrown away.
pub(super) fn examine(programs: &[ProgramReport]) -> (Vec<TimingReport>, Section) {
    let mut reports = Vec::new();
    let mut findings = Vec::new();
    for program in programs.iter().filter(|program| program.may_be_started) {
        let Some(path) = &program.path else { continue };
        match measure(path) {
            Ok(report) => {
                findings.push(report.finding());
                reports.push(report);
            }
            Err(problem) => {
                let text = format!("{}: one dispatch could not be measured: {problem}", path.display());
                findings.push(Finding::new(Mark::Wrong, text));
            }
        }
    }
    (reports, Section { name: "time", title: "Time", findings })
}

fn measure(program: &Path) -> anyhow::Result<TimingReport> {
    let folder = tempfile::Builder::new().prefix("steersman-doctor").tempdir()?;
    let smallest = environment::find_program("true");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        ours.push(time_of(&mut dispatch(program, folder.path()))?);
        let mut other = Command::new(smallest.as_deref().unwrap_or(program));
        if smallest.is_none() {
            other.arg("--version");
        }
        theirs.push(time_of(&mut other)?);
    }
    Ok(TimingReport {
        program: program.to_path_buf(),
        runs: RUNS,
        median_ms: median_ms(ours),
        compared_to: smallest.map_or("steersman --version".to_owned(), |path| path.display().to_string()),
        compared_median_ms: median_ms(theirs),
    })
}

fn dispatch(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["dispatch", "PreToolUse", "--host", "claude-code", "--workspace"]).arg(folder);
    command.current_dir(folder);
    command
}

/// Starts the program, gives it the payload and waits for its end.
fn time_of(command: &mut Command) -> anyhow::Result<Duration> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let began = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read is gone before all is written.
        let _ = stdin.write_all(PAYLOAD.as_bytes());
    }
    let output = child.wait_with_output()?;
    let took = began.elapsed();
    anyhow::ensure!(output.status.success(), "it ended with {}", output.status);
    Ok(took)
}

fn median_ms(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| (time.as_secs_f64() * 100_000.0).round() / 100.0)
}

impl TimingReport {
    fn finding(&self) -> Finding {
        Finding::new(
            Mark::Fine,
            format!(
                "one dispatch takes {:.2} ms from start to end; starting `{}`, which does nothing, takes {:.2} ms here (medians of {})",
                self.median_ms, self.compared_to, self.compared_median_ms, self.runs
            ),
        )
    }
}
