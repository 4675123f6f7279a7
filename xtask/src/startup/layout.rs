//! Orders the code of the static binary so that what a hook runs lies together.
//!
//! A hook lives for half a millisecond, and most of that the kernel spends on bringing in the
//! parts of the binary that it touches, sixteen pages at a time. The linker leaves the few hundred
//! functions a hook runs wherever they happen to be among ten megabytes of others. So they are
//! recorded once, while a session's events are judged, and named in a linker script that puts them
//! first. A name that a later build does not have any more costs nothing; a function that is
//! missing costs a few microseconds. So this needs to be done anew only when start-up has become
//! slower, not with every change.

mod script;
mod trace;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::scenario::SCENARIOS;
use super::workspace::Workspace;
use crate::need::{self, Need};
use crate::scratch::Scratch;
use crate::{release, repo};
use script::Script;

/// The events of a session as Claude Code tells them.
const SESSION: &str = include_str!("../../../bench/session.json");

/// The linker script, which the build of the binary uses where it is linked statically.
const SCRIPT: &str = "crates/cli/hooks.ld";

/// Under the recorder a hook takes a thousand times as long.
const PATIENT: &str = r#"{"version": 1, "budgets": {"SessionStart": 60000, "UserPromptSubmit": 60000, "PreToolUse": 60000, "PostToolUse": 60000, "Stop": 60000}}
"#;

/// Builds with symbols, records a session without and with intents, and writes the script.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    let mut binary = None;
    while let Some(arg) = args.next()? {
        match arg {
            lexopt::Arg::Long("binary") => binary = Some(std::path::absolute(args.value()?)?),
            _ => return Err(arg.unexpected().into()),
        }
    }
    Need::Valgrind.ensure()?;
    let valgrind = need::program("valgrind").context("valgrind is not on the PATH")?;
    let binary = match binary {
        Some(binary) => binary,
        None => release::steersman_with_symbols()?,
    };
    let scratch = Scratch::new("steersman-layout")?;
    let mut script = Script::default();
    for scenario in SCENARIOS.iter().filter(|it| matches!(it.id, "default" | "intents")) {
        println!("recording: {}", scenario.title);
        let folder = scratch.path().join(scenario.id);
        let workspace = Workspace::new(&folder, &binary)?;
        workspace.write("read_out.txt", "total\n")?;
        workspace.write(".ai/hooks/dispatch.manifest.json", PATIENT)?;
        if scenario.id != "default" {
            workspace.begin_session()?;
            (scenario.prepare)(&workspace)?;
        }
        record(&workspace, &valgrind, &binary, &folder.join("callgrind.out"), &mut script)?;
    }
    let file = repo::root().join(SCRIPT);
    fs::write(&file, script.text()).with_context(|| format!("cannot write `{}`", file.display()))?;
    println!("{SCRIPT}: {} functions", script.len());
    Ok(())
}

/// Has every event of the session judged, and adds the functions that ran.
fn record(
    workspace: &Workspace,
    valgrind: &Path,
    binary: &Path,
    out: &PathBuf,
    script: &mut Script,
) -> Result<()> {
    let session: Vec<Value> = serde_json::from_str(SESSION).context("cannot read bench/session.json")?;
    let mut is_denied = false;
    for mut event in session {
        let name = event["hook_event_name"].as_str().context("an event without a name")?.to_owned();
        event["session_id"] = "layout".into();
        event["cwd"] = workspace.project().to_string_lossy().into_owned().into();
        let recording = format!("--callgrind-out-file={}", out.display());
        let program = binary.to_string_lossy();
        let call = workspace.call(
            valgrind,
            &[
                "-q",
                "--tool=callgrind",
                "--demangle=no",
                &recording,
                &program,
                "dispatch",
                &name,
                "--host",
                "claude-code",
            ],
        );
        let answer = call.run(&serde_json::to_vec(&event)?)?.check(super::contestant::Answer::OneObject)?;
        is_denied |= answer["hookSpecificOutput"]["permissionDecision"] == "deny";
        let recorded =
            fs::read_to_string(out).with_context(|| format!("valgrind left no `{}`", out.display()))?;
        script.add(&trace::functions(&recorded));
    }
    if !is_denied {
        bail!("`rm -rf ~` was not denied, so the hooks did not run to their end");
    }
    Ok(())
}
