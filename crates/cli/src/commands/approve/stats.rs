//! `steersman approve stats [--json]`
//!
//! With `--json`: `{"mode", "calls", "approved", "readOnly", "inScope", "sealed", "sessions": […]}`, each session with `sid`,
//! `host` and the same counts.

use std::ops::ControlFlow;

use ::session::history::{each_line, overviews, parse};
use ::session::{EventRecord, RunRecord};
use anyhow::Context;
use event::{EventName, LineKind, SessionId};
use project_config::{ApproveMode, Config};
use serde::Serialize;
use serde_json::{Value, json};

use crate::commands::Place;
use crate::exit::Exit;
use crate::output::table::{Cell, Column, Table};
use crate::output::{self, print};

/// Count the calls that steersman approved without a prompt, by session
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print JSON: {"mode", "calls", "approved", "readOnly", "inScope", "sealed", "sessions": [{sid, host, calls,
    /// approved, readOnly, inScope, sealed}]}
    #[arg(long)]
    json: bool,
}

/// The counts of a session, or of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Counts {
    /// Judged tool calls.
    calls: u64,
    /// Approved ones.
    approved: u64,
    read_only: u64,
    in_scope: u64,
    sealed: u64,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let mut sessions = Vec::new();
    for overview in overviews(&place.workspace).context("cannot list the sessions")? {
        let counts = counts(place, overview.id)
            .with_context(|| format!("cannot read the journal of session {}", overview.id))?;
        sessions.push((overview.id, overview.host.unwrap_or_default(), counts));
    }
    let mut all = Counts::default();
    for (_, _, counts) in &sessions {
        all.add(*counts);
    }
    let mode = mode(place);
    if args.json {
        let rows = sessions
            .iter()
            .map(|(sid, host, counts)| with(json!({"sid": sid.to_string(), "host": host}), *counts));
        let rows: Vec<Value> = rows.collect();
        let mut whole = with(json!({"mode": mode.as_str()}), all);
        whole["sessions"] = Value::Array(rows);
        output::json(&whole)?;
        return Ok(Exit::Fine);
    }
    let mut table = Table::new([
        Column::whole("SID"),
        Column::left("HOST"),
        Column::right("CALLS"),
        Column::right("APPROVED"),
        Column::right("READ-ONLY"),
        Column::right("IN SCOPE"),
        Column::right("SEALED"),
    ]);
    for (sid, host, counts) in sessions.iter().filter(|(_, _, counts)| counts.approved > 0) {
        let numbers = [counts.calls, counts.approved, counts.read_only, counts.in_scope, counts.sealed];
        let cells =
            [sid.to_string(), host.clone()].into_iter().chain(numbers.map(|number| number.to_string()));
        table.push(cells.map(Cell::from));
    }
    if all.approved > 0 {
        for line in table.lines(output::columns()) {
            print(format_args!("{line}"));
        }
    }
    print(format_args!("{} of {} calls passed without a prompt", all.approved, all.calls));
    if mode == ApproveMode::Off {
        output::hint("approvals are off: run `steersman init --approve read-only`");
    }
    Ok(Exit::Fine)
}

fn mode(place: &Place) -> ApproveMode {
    let config = Config::load(&place.workspace).unwrap_or_default();
    config.section(ApproveMode::SECTION).as_str().and_then(ApproveMode::parse).unwrap_or_default()
}

fn with(mut object: Value, counts: Counts) -> Value {
    if let (Some(object), Ok(Value::Object(counts))) = (object.as_object_mut(), serde_json::to_value(counts))
    {
        object.extend(counts);
    }
    object
}

fn counts(place: &Place, id: SessionId) -> std::io::Result<Counts> {
    let mut counts = Counts::default();
    each_line(&place.workspace.session(id).events_file(), |line| {
        if let Some(line) = parse(line) {
            counts.add_line(&line);
        }
        ControlFlow::<()>::Continue(())
    })?;
    // A prompt was for a call, even where the host announced only the prompt.
    counts.calls = counts.calls.max(counts.approved);
    Ok(counts)
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.approved += other.approved;
        self.read_only += other.read_only;
        self.in_scope += other.in_scope;
        self.sealed += other.sealed;
    }

    fn add_line(&mut self, line: &EventRecord) {
        let basis = match LineKind::parse(&line.kind) {
            Some(LineKind::Approved) => line.data.get("basis").and_then(Value::as_str).map(str::to_owned),
            Some(LineKind::HookRun) => {
                let Some(record) = RunRecord::of(line) else { return };
                self.calls += u64::from(record.is_of(EventName::PreToolUse));
                record.approval_basis()
            }
            _ => return,
        };
        match basis.as_deref() {
            None => {}
            Some(basis) => {
                self.approved += 1;
                self.read_only += u64::from(basis == ApproveMode::ReadOnly.as_str());
                self.in_scope += u64::from(basis == ApproveMode::InScope.as_str());
                self.sealed += u64::from(basis == dispatch::SEALED_BASIS);
            }
        }
    }
}
