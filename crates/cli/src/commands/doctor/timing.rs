//! Measures one dispatch, compared with starting an empty program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use host::SampleSession;
use serde::Serialize;
use serde_json::json;

use super::finding::{Finding, Mark, Section};
use super::program::ProgramReport;
use crate::environment;

/// The number of starts of each program; the two alternate, so that a busy moment affects both.
const RUNS: usize = 15;

/// Returns a call that every module allows. It has no id, so that no run is a repetition of another.
fn payload() -> String {
    let session = SampleSession { id: "doctor", cwd: "." };
    session.call("Read", &json!({"file_path": "README.md"})).to_string()
}

/// The measurement; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TimingReport {
    program: PathBuf,
    runs: usize,
    median_ms: f64,
    compared_to: String,
    compared_median_ms: f64,
}

/// Measures the programs that the doctor may start, in a temporary folder.
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
                let text = format!("cannot measure a dispatch of {}: {problem}", path.display());
                findings.push(Finding::new(Mark::Wrong, text));
            }
        }
    }
    (reports, Section { name: "time", title: "Time", findings })
}

#[expect(clippy::disallowed_methods, reason = "it measures the bare start of a program")]
fn measure(program: &Path) -> anyhow::Result<TimingReport> {
    let folder = tempfile::Builder::new().prefix("steersman-doctor").tempdir()?;
    let smallest = environment::find_program("true");
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let payload = payload();
    for _ in 0..RUNS {
        ours.push(time_of(&mut dispatch(program, folder.path()), &payload)?);
        let mut other = Command::new(smallest.as_deref().unwrap_or(program));
        if smallest.is_none() {
            other.arg("--version");
        }
        theirs.push(time_of(&mut other, &payload)?);
    }
    Ok(TimingReport {
        program: program.to_path_buf(),
        runs: RUNS,
        median_ms: median_ms(ours),
        compared_to: smallest.map_or("steersman --version".to_owned(), |path| path.display().to_string()),
        compared_median_ms: median_ms(theirs),
    })
}

#[expect(clippy::disallowed_methods, reason = "it starts the program as an agent program does")]
fn dispatch(program: &Path, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["dispatch", "PreToolUse", "--host", "claude-code", "--workspace"]).arg(folder);
    command.current_dir(folder);
    command
}

/// Starts the program, writes the payload to its stdin and waits until it exits.
fn time_of(command: &mut Command, payload: &str) -> anyhow::Result<Duration> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let began = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read may exit before the payload is written.
        let _ = stdin.write_all(payload.as_bytes());
    }
    let output = child.wait_with_output()?;
    let took = began.elapsed();
    anyhow::ensure!(output.status.success(), "it exited with {}", output.status);
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
                "one dispatch takes {:.2} ms from spawn to exit; an empty program (`{}`) takes {:.2} ms here (medians of {})",
                self.median_ms, self.compared_to, self.compared_median_ms, self.runs
            ),
        )
    }
}
