//! Does what one dispatch does with one module, and nothing else, to be timed from outside.
//!
//! `cold_start nothing` prints an empty object; `cold_start PROJECT` loads
//! `PROJECT/.ai/hooks/features/probe/hook.mjs` and prints its action. The difference of
//! the two, spawned many times in turn, is what a module costs.

#![expect(clippy::print_stdout, reason = "its output is its answer")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::{Duration, Instant};

use event::{AbsPath, Deadline};
use script::{Limits, Sandbox, Script};
use serde_json::json;
use store::{ScriptFiles, Timestamp, Trust, Workspace};

fn main() -> ExitCode {
    let Some(argument) = std::env::args().nth(1).filter(|argument| argument != "nothing") else {
        println!("{{}}");
        return ExitCode::SUCCESS;
    };
    let workspace = PathBuf::from(argument);
    let imports = workspace.join(".ai/hooks");
    let source = imports.join("features/probe/hook.mjs");
    let deadline = Deadline::after(Instant::now(), Duration::from_secs(1));
    let root = AbsPath::new(&workspace).unwrap_or_else(|_| AbsPath::root());
    let mut trust = Trust::default();
    let scripts = ScriptFiles::read(&Workspace::at(root.clone())).ok().and_then(|files| {
        trust.grant(&root, &files.fingerprint(), Timestamp::from_millis(1));
        trust.vouch_scripts(&root, files)
    });
    let scripts = Rc::new(scripts.unwrap_or_default());
    let sandbox = Sandbox { imports, scripts, workspace, deadline, limits: Limits::default() };
    let ctx = json!({
        "ids": {"sessionId": "a3f0c812", "workId": "w001", "agentId": "u00", "turnId": 14, "hookRunId": "PreToolUse-14-1"},
        "host": "claude-code",
        "event": {
            "name": "PreToolUse", "cwd": "/repo", "toolName": "Bash", "toolKind": "shell",
            "toolInput": {"command": "git push --force origin main", "description": "push"},
            "command": "git push --force origin main",
        },
        "paths": {
            "repoRoot": "/repo", "hooksRoot": "/repo/.ai/hooks", "workRoot": "/repo/.ai/tmp",
            "sessionRoot": "/repo/.ai/tmp/a3f0c812", "stateFile": "/repo/.ai/tmp/a3f0c812/state.json",
            "eventsFile": "/repo/.ai/tmp/a3f0c812/events.jsonl", "registryFile": "/repo/.ai/tmp/a3f0c812/registry.jsonl",
            "configFile": "/repo/.ai/hooks/config.json", "policyFile": "/repo/.ai/hooks/rlm-policy.json",
            "followupRulesFile": "/repo/.ai/hooks/followup-rules.json",
            "manifestFile": "/repo/.ai/hooks/dispatch.manifest.json", "schemaDir": "/repo/.ai/hooks/schema",
        },
        "state": {"version": 1, "core": {"sessionId": "a3f0c812", "workId": "w001", "lastTurnId": 14, "phase": "EXECUTING"}},
        "config": {},
        "feature": {"root": "/repo/.ai/tmp/a3f0c812/probe", "logs": "/repo/.ai/tmp/a3f0c812/probe/logs", "output": "/repo/.ai/tmp/a3f0c812/probe/output"},
        "cap": {},
        "timers": {"startMs": 1_740_700_000_123_u64, "budgetMs": 300},
    });
    match Script::load(&source, sandbox).and_then(|mut script| script.handle("PreToolUse", &ctx)) {
        Ok(handled) => {
            println!("{}", handled.action);
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
