//! Whether the MCP server is registered with agent programs and answers.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use host::install::{HookPlan, ServerPlan, registered_server};
use intent::IntentsFile;
use modules::shell_guard::DefinedServer;
use serde::Serialize;
use serde_json::{Value, json};
use store::{McpPins, PinState};

use super::entries::broken;
use super::finding::{Finding, Mark, Section};
use super::hosts::HostReport;
use super::program::examine_one;
use crate::commands::Place;
use crate::commands::mcp::pins;
use crate::commands::mcp::tool_changes::{Comparison, compare};
use crate::output::text::one_line;

/// The time limit for the server's first answer. Far more than it needs, because a busy machine is not a
/// mistake in the settings.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// The registration of the MCP server with one agent program; the keys of `doctor --json`.
#[derive(Debug, Serialize)]
pub(super) struct McpReport {
    host: &'static str,
    file: &'static str,
    line: usize,
    program: String,
    /// Whether the server answered; `None` if the doctor did not start it.
    answers: Option<bool>,
}

/// The result of starting a registered server.
#[derive(Debug, Clone)]
enum ServerProbe {
    Answers,
    /// The doctor does not start a program of the project itself.
    NotStarted,
    Silent(String),
}

/// Examines the settings of every agent program.
pub(super) fn examine(place: &Place, hosts: &[HostReport]) -> (Vec<McpReport>, Section) {
    let governs = place.workspace.root().join(IntentsFile::PATH).as_path().exists();
    let mut asked: BTreeMap<String, ServerProbe> = BTreeMap::new();
    let (mut reports, mut findings) = (Vec::new(), Vec::new());
    for plan in ServerPlan::ALL {
        let path = place.workspace.root().join(plan.file);
        let text = read(path.as_path());
        let found = match registered_server(plan, &text) {
            Ok(found) => found,
            Err(error) => {
                // The section about hooks has reported a broken file that also contains hooks.
                if HookPlan::ALL.iter().all(|hooks| hooks.file != plan.file) {
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
                    ServerProbe::Answers => Some(true),
                    ServerProbe::NotStarted => None,
                    ServerProbe::Silent(_) => Some(false),
                },
            });
        }
    }
    findings.extend(unaccepted(place));
    findings.extend(changed_tools(place));
    (reports, Section { name: "mcp", title: "MCP server", findings })
}

/// Reports servers of others that the user has not accepted: steersman asks before each session's first call.
fn unaccepted(place: &Place) -> Option<Finding> {
    let accepted = place.user_state.as_ref().and_then(|state| McpPins::load(state).ok())?;
    let names: Vec<String> = pins::servers(place)
        .into_iter()
        .filter(|server| accepted.state(&server.key, &server.definition) != PinState::Accepted)
        .map(|server| format!("`{}`", one_line(&server.name)))
        .collect();
    if names.is_empty() {
        return None;
    }
    let text = format!("the user has not accepted the definition of the MCP servers {}", names.join(", "));
    Some(
        Finding::new(Mark::Info, text)
            .hint("check them with `steersman mcp pins`, then run `steersman mcp pins accept`"),
    )
}

/// Starts the accepted servers of others and reports those whose tools differ from the accepted ones.
fn changed_tools(place: &Place) -> Vec<Finding> {
    let Some(accepted) = place.user_state.as_ref().and_then(|state| McpPins::load(state).ok()) else {
        return Vec::new();
    };
    let examine = |server: DefinedServer| {
        if accepted.state(&server.key, &server.definition) != PinState::Accepted {
            return None;
        }
        let name = one_line(&server.name);
        Some(match compare(&server, &accepted, place, ANSWER_TIMEOUT) {
            Comparison::Same => {
                Finding::new(Mark::Fine, format!("the tools of `{name}` are the accepted ones"))
            }
            Comparison::NotListed(why) => Finding::new(
                Mark::Info,
                format!("the tools of `{name}` were not compared: {}", one_line(&why)),
            ),
            Comparison::NeverListed(tools) => {
                let text =
                    format!("the {} tools of the MCP server `{name}` are not accepted yet", tools.len());
                Finding::new(Mark::Info, text).hint("run `steersman mcp pins accept`")
            }
            Comparison::Changed(_, changes) => {
                let tools: Vec<String> =
                    changes.iter().map(|it| format!("`{}`", one_line(&it.name))).collect();
                let text = format!("the MCP server `{name}` changed its tools {}", tools.join(", "));
                Finding::new(Mark::Warning, text)
                    .hint("read the changes with `steersman mcp pins`, then run `steersman mcp pins accept`")
            }
        })
    };
    pins::servers(place).into_iter().filter_map(examine).collect()
}

/// Reads a settings file. Returns an empty string for anything but a readable regular file.
fn read(path: &Path) -> String {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file());
    if is_file { fs::read_to_string(path).unwrap_or_default() } else { String::new() }
}

fn finding(place: &str, program: &str, answer: &ServerProbe) -> Finding {
    match answer {
        ServerProbe::Answers => Finding::new(Mark::Fine, format!("{place}; it answers")),
        ServerProbe::NotStarted => {
            let text = format!("{place}; `{program}` is a path in the project, so doctor did not start it");
            Finding::new(Mark::Warning, text)
                .hint("check the program, or run `steersman init --intents` to register this one")
        }
        ServerProbe::Silent(why) => {
            Finding::new(Mark::Wrong, format!("{place}, but `{program} mcp` does not answer: {why}"))
                .hint("run `steersman init --intents` to register this program instead")
        }
    }
}

fn ask(program: &str, place: &Place) -> ServerProbe {
    let found = examine_one(program, place);
    let Some(path) = &found.path else { return ServerProbe::Silent("the program does not exist".to_owned()) };
    if !found.may_be_started {
        return ServerProbe::NotStarted;
    }
    match greet(path, place) {
        Ok(()) => ServerProbe::Answers,
        Err(error) => ServerProbe::Silent(format!("{error:#}")),
    }
}

/// Opens an MCP session with the server as an agent program does, and closes it.
#[expect(clippy::disallowed_methods, reason = "it starts the registered server as an agent program does")]
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
    // A server stops at the end of its input; do not wait for one that does not.
    drop(server.stdin.take());
    let _ = server.kill();
    let _ = server.wait();
    let answer: Value = serde_json::from_str(&answer?)?;
    anyhow::ensure!(
        answer["result"]["serverInfo"]["name"] == "steersman",
        "the answer is from another server"
    );
    Ok(())
}

fn first_answer(server: &mut Child) -> anyhow::Result<String> {
    let client = json!({"name": "steersman doctor", "version": env!("CARGO_PKG_VERSION")});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client});
    let request = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params});
    if let Some(input) = server.stdin.as_mut() {
        // If the server has exited, reading its answer reports that.
        let _ = writeln!(input, "{request}").and_then(|()| input.flush());
    }
    let output = server.stdout.take();
    let (sender, answers) = mpsc::channel();
    std::thread::spawn(move || {
        let line = output.and_then(|output| BufReader::new(output).lines().next());
        let _ = sender.send(line);
    });
    match answers.recv_timeout(ANSWER_TIMEOUT) {
        Ok(Some(line)) => Ok(line?),
        Ok(None) => anyhow::bail!("it exited without an answer"),
        Err(_) => anyhow::bail!("no answer within {} s", ANSWER_TIMEOUT.as_secs()),
    }
}
