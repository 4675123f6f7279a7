//! Writes the linker script that places the functions and constants of hooks next to each other.
//!
//! A hook takes half a millisecond, and the kernel spends most of it on loading the pages of the
//! binary that the hook touches, sixteen at a time. By default the linker scatters the few hundred
//! functions and constants of a hook over fourteen megabytes. This chore records them while the
//! binary judges the events of a session, and lists them in a linker script that places them first.
//! The linker ignores a name that a later build no longer has; a missing one costs a few
//! microseconds. Repeat the chore when start-up has become slower, not after every change. Functions
//! keep their names; most constants are numbered, so that each change makes more of them miss.

mod link_map;
mod script;
mod touched;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::scenario::{PLAIN_MANIFEST, SCENARIOS};
use super::targets::FOLDERS;
use super::workspace::Workspace;
use crate::prerequisite::{self, Prerequisite};
use crate::scratch::Scratch;
use crate::{release, repo};
use link_map::LinkMap;
use script::Script;

/// The events of a session as Claude Code sends them.
const SESSION: &str = include_str!("../../../bench/session.json");

/// The linker script of the static binary.
const SCRIPT: &str = "crates/cli/hooks.ld";

/// The program that runs another by single steps.
const STEPS: &str = "bench/single-steps/steps.c";

/// The file that sets budgets.
const MANIFEST: &str = ".ai/hooks/dispatch.manifest.json";

/// The situations in which a session is recorded. The others differ from these in the call or in the length of the
/// history.
const RECORDED: [&str; 5] = ["default", "approve", "script", "intents", "modules"];

/// Builds with a map, records a session in each situation, and writes the script.
pub(crate) fn run(mut args: lexopt::Parser) -> Result<()> {
    if let Some(arg) = args.next()? {
        return Err(arg.unexpected().into());
    }
    Prerequisite::Valgrind.ensure()?;
    let valgrind = prerequisite::program("valgrind").context("valgrind is not on the PATH")?;
    let scratch = Scratch::new("steersman-layout")?;
    let map = scratch.path().join("link.map");
    let binary = release::steersman_with_map(&map)?;
    let map = fs::read_to_string(&map).context("the linker left no map")?;
    let map = LinkMap::parse(&map);
    println!("the linker was given {} pieces", map.len());
    let recorder = Recorder { valgrind, binary, map };
    let mut script = Script::default();
    for scenario in SCENARIOS.iter().filter(|it| RECORDED.contains(&it.id)) {
        println!("recording: {}", scenario.title);
        let folder = scratch.path().join(scenario.id);
        let workspace = Workspace::new(&folder, &recorder.binary)?;
        workspace.write("read_out.txt", "total\n")?;
        workspace.write(MANIFEST, PLAIN_MANIFEST)?;
        (scenario.write)(&workspace)?;
        raise_budgets(&workspace)?;
        // Trust ends with every change of the manifest, so this comes after all changes.
        workspace.steersman(&["trust"])?;
        workspace.begin_session()?;
        (scenario.begin)(&workspace)?;
        recorder.record(&workspace, &folder.join("memory.log"), &mut script)?;
    }
    println!("recording: a confined run");
    recorder.record_run(&scratch.path().join("run"), &mut script)?;
    let file = repo::root().join(SCRIPT);
    fs::write(&file, script.text()).with_context(|| format!("cannot write `{}`", file.display()))?;
    let (n_code, n_data) = script.len();
    println!("{SCRIPT}: {n_code} pieces of code, {n_data} of data");
    Ok(())
}

/// Raises the budgets: under valgrind a hook takes a thousand times as long.
fn raise_budgets(workspace: &Workspace) -> Result<()> {
    let text = fs::read_to_string(workspace.project().join(MANIFEST))?;
    let mut manifest: Value = serde_json::from_str(&text).context("cannot read the manifest")?;
    let events = ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"];
    manifest["budgets"] = events.iter().map(|event| ((*event).to_owned(), Value::from(60_000))).collect();
    workspace.write(MANIFEST, &manifest.to_string())
}

/// The recorded program and the recorder.
struct Recorder {
    valgrind: PathBuf,
    binary: PathBuf,
    map: LinkMap,
}

impl Recorder {
    /// Runs a command confined, by single steps, and adds the pieces that steersman executed before.
    fn record_run(&self, folder: &Path, script: &mut Script) -> Result<()> {
        let workspace = Workspace::new(folder, &self.binary)?;
        for name in FOLDERS {
            workspace.write(&format!("{name}/file"), "")?;
        }
        let steps = folder.join("steps");
        let mut compiler = Command::new("cc");
        compiler.args(["-O1", "-o"]).arg(&steps).arg(repo::root().join(STEPS));
        repo::run(&mut compiler).context("cannot compile the program that runs another by single steps")?;
        let log = folder.join("steps.log");
        let (log_file, program) = (log.to_string_lossy(), self.binary.to_string_lossy());
        let mut words = vec![&*log_file, &*program, "run", "--write"];
        words.extend(FOLDERS);
        words.extend(["--", "/bin/true"]);
        workspace.call(&steps, &words).run(b"")?.check(super::contestant::Answer::Nothing)?;
        script.add(script::CONFINED_RUN, &touched::pieces(&log, &self.map)?);
        Ok(())
    }

    /// Runs a hook for every event of the session and adds the pieces it touched to the script.
    fn record(&self, workspace: &Workspace, log: &Path, script: &mut Script) -> Result<()> {
        let session: Vec<Value> = serde_json::from_str(SESSION).context("cannot read bench/session.json")?;
        let mut is_denied = false;
        for mut event in session {
            let name = event["hook_event_name"].as_str().context("an event without a name")?.to_owned();
            event["session_id"] = "layout".into();
            event["cwd"] = workspace.project().to_string_lossy().into_owned().into();
            let log_file = format!("--log-file={}", log.display());
            let program = self.binary.to_string_lossy();
            let tool = ["--tool=lackey", "--trace-mem=yes", &log_file];
            let hook = [&program, "dispatch", &name, "--host", "claude-code"];
            let call = workspace.call(&self.valgrind, &[&tool[..], &hook[..]].concat());
            let run = call.run(&serde_json::to_vec(&event)?)?;
            let answer = run.check(super::contestant::Answer::OneObject)?;
            is_denied |= answer["hookSpecificOutput"]["permissionDecision"] == "deny";
            script.add(&name, &touched::pieces(log, &self.map)?);
        }
        if !is_denied {
            bail!("`rm -rf ~` was not denied, so the hooks did not run to their end");
        }
        Ok(())
    }
}
