//! Whether agents can reach our MCP server: it is registered with their program, and answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use host::install::{Plan, ServerPlan, registered_server};
use intent::IntentsFile;
use serde::Serialize;
use serde_json::{Value, json};

use super::entries::broken;
use super::finding::{Finding, Mark, Section};
use super::hosts::HostReport;
use super::program::look_at;
use crate::commands::Place;

/// How long the server may take to say who it is. Far longer than it needs: a machine that is
/// busy is no fault of the settings.
const PATIENCE: Duration = Duration::from_secs(20);

/// The server in the settings of one agent program; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
pub(super) struct McpReport {
    host: &'static str,
    file: &'static str,
    line: usize,
    program: String,
    /// Whether it answered; nothing if it was not started to be asked.
    answers: Option<bool>,
}

/// What came of asking a program.
#[derive(Debug, Clone)]
enum Asked {
    Answers,
    /// A program of the project itself is not started by being examined.
    NotStarted,
    Silent(String),
}

/// Looks at the settings of every agent program.
pub(super) fn examine(place: &Place, hosts: &[HostReport]) -> (Vec<McpReport>, Section) {
    let governs = place.workspace.root().join(IntentsFile::PATH).as_path().exists();
    let mut asked: BTreeMap<String, Asked> = BTreeMap::new();
    let (mut reports, mut findings) = (Vec::new(), Vec::new());
    for plan in ServerPlan::ALL {
        let path = place.workspace.root().join(plan.file);
        let text = read(path.as_path());
        let found = match registered_server(plan, &text) {
            Ok(found) => found,
            Err(error) => {
                // One that hooks stand in, too, was told of with them.
                if Plan::ALL.iter().all(|hooks| hooks.file != plan.file) {
                    findings.push(broken(plan.file, &text, error));
                }
                continue;
            }
        };
        for host in plan.hosts {
            let title = host.title();
            let Some(found) = &found else {
                let calls_us = hosts.iter().any(|report| report.host == host.name() && report.registered);
                if governs && calls_us {
                    let text = format!(
                        "{title}: not registered in {}, so its agents cannot select an intent",
                        plan.file
                    );
                    let hint = format!("run `steersman init --intents --host {}`", host.name());
                    findings.push(Finding::new(Mark::Warning, text).hint(hint));
                }
                continue;
            };
            let answer = asked.entry(found.program.clone()).or_insert_with(|| ask(&found.program, place));
            let place = format!("{title}: registered in {}:{}", plan.file, found.line);
            findings.push(finding(&place, &found.program, answer));
            reports.push(McpReport {
                host: host.name(),
                file: plan.file,
                line: found.line,
                program: found.program.clone(),
                answers: match answer {
                    Asked::Answers => Some(true),
                    Asked::NotStarted => None,
                    Asked::Silent(_) => Some(false),
                },
            });
        }
    }
    (reports, Section { name: "mcp", title: "MCP server", findings })
}

/// Reads a settings file; what is none, a pipe among them, says nothing.
fn read(path: &Path) -> String {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    if is_file { fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}

fn finding(place: &str, program: &str, answer: &Asked) -> Finding {
    match answer {
        Asked::Answers => Finding::new(Mark::Fine, format!("{place}; it answers")),
        Asked::NotStarted => {
            let text = format!("{place}; `{program}` is a path of the project and was not started");
            Finding::new(Mark::Warning, text)
                .hint("have a look at it; `steersman init --intents` puts this program in its place")
        }
        Asked::Silent(why) => {
            Finding::new(Mark::Wrong, format!("{place}, but `{program} mcp` does not answer: {why}"))
                .hint("run `steersman init --intents` to write the program that runs now into the settings")
        }
    }
}

fn ask(program: &str, place: &Place) -> Asked {
    let found = look_at(program, place);
    let Some(path) = &found.path else { return Asked::Silent("there is no such program".to_owned()) };
    if !found.may_be_started {
        return Asked::NotStarted;
    }
    match greet(path, place) {
        Ok(()) => Asked::Answers,
        Err(error) => Asked::Silent(format!("{error:#}")),
    }
}

/// Begins a session with the server as an agent program would, and ends it.
fn greet(program: &Path, place: &Place) -> anyhow::Result<()> {
    let mut server = Command::new(program)
        .arg("mcp")
        .arg("--workspace")
        .arg(place.workspace.root().as_path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let answer = first_answer(&mut server);
    // It ends with its input; one that does not is not waited for.
    drop(server.stdin.take());
    let _ = server.kill();
    let _ = server.wait();
    let answer: Value = serde_json::from_str(&answer?)?;
    anyhow::ensure!(answer["result"]["serverInfo"]["name"] == "steersman", "something else answers");
    Ok(())
}

fn first_answer(server: &mut Child) -> anyhow::Result<String> {
    let client = json!({"name": "steersman doctor", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    if let Some(input) = server.stdin.as_mut() {
        // One that has ended already says so by its silence.
        let _ = writeln!(input, "{request}").and_then(|()| input.flush());
    }
    let output = server.stdout.take();
    let (sender, answers) = mpsc::channel();
    std::thread::spawn(move || {
        let line = output.and_then(|output| BufReader::new(output).lines().next());
        let _ = sender.send(line);
    });
    match answers.recv_timeout(PATIENCE) {
        Ok(Some(line)) => Ok(line?),
        Ok(None) => anyhow::bail!("it ended without a word"),
        Err(_) => anyhow::bail!("it said nothing for {} s", PATIENCE.as_secs()),
    }
}
