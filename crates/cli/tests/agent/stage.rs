//! A project whose agents are a script, and functions to inspect it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::{Answer, Sandbox, schema};

use crate::project::sandbox;

/// Creates a trusted project with these agents; `script` plays all of them.
pub(crate) fn stage(agents: &[(&str, &str)], script: &str) -> Sandbox {
    let sandbox = sandbox();
    for (name, rest) in agents {
        let text = format!("name: {name}\nwhenToUse: For {name}.\nsystemPrompt: You are {name}.\n{rest}\n");
        sandbox.write(format!(".rawko/agents/{name}.yaml"), text);
    }
    sandbox.write(".rawko/config.yaml", "provider: {default: command, command: {argv: [./agent.sh]}}\n");
    program(&sandbox.path("agent.sh"), script);
    sandbox.trust();
    sandbox
}

/// Writes a program.
pub(crate) fn program(path: &Path, script: &str) {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).unwrap();
    }
    fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Runs `steersman agent run` to its end.
pub(crate) fn run(sandbox: &Sandbox, args: &[&str]) -> Answer {
    call(sandbox, args).run()
}

pub(crate) fn call(sandbox: &Sandbox, args: &[&str]) -> testkit::Call {
    sandbox.call().args(["agent", "run"]).args(args).env("PATH", "/usr/bin:/bin")
}

/// Returns the report of a run that prints it as JSON.
pub(crate) fn report(answer: &Answer) -> Value {
    let text = String::from_utf8_lossy(&answer.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{error}: {text}\n{}", String::from_utf8_lossy(&answer.stderr)))
}

/// Returns the agents of a report in the order of their steps.
pub(crate) fn way(report: &Value) -> Vec<&str> {
    report["steps"].as_array().unwrap().iter().map(|it| it["agent"].as_str().unwrap()).collect()
}

/// Returns the lines of the only journal, after checking each against its schema.
pub(crate) fn journal(sandbox: &Sandbox) -> Vec<Value> {
    let files: Vec<_> = fs::read_dir(sandbox.path(".ai/tmp/agent-runs")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let text = fs::read_to_string(files[0].path()).unwrap();
    let lines: Vec<Value> = text.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
    for line in &lines {
        schema::check("agent-run-record", line);
    }
    lines
}

/// Waits until a file is not empty, and returns its text.
pub(crate) fn wait_for(path: &Path) -> String {
    let began = Instant::now();
    loop {
        if let Ok(text) = fs::read_to_string(path)
            && text.ends_with('\n')
        {
            return text.trim().to_owned();
        }
        assert!(began.elapsed() < Duration::from_secs(20), "{} was not written", path.display());
        thread::sleep(Duration::from_millis(5));
    }
}

/// Sends a signal to a process.
pub(crate) fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Fails unless a process ends within seconds.
pub(crate) fn assert_gone(pid: &str) {
    let began = Instant::now();
    while is_alive(pid) {
        assert!(began.elapsed() < Duration::from_secs(5), "process {pid} is still there");
        thread::sleep(Duration::from_millis(10));
    }
}

fn is_alive(pid: &str) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = state.rsplit(')').next().unwrap_or_default().trim().chars().next();
    state.is_some_and(|it| it != 'Z' && it != 'X')
}
