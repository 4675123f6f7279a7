//! `steersman session replay SID [--manifest FILE] [--json]`
//!
//! With `--json`: `{"sid", "manifest", "judged", "same", "otherReason", "different",
//! "notReplayable": [{"event", "why", "count"}], "changes": [{"run", "ts", "event", "tool",
//! "target", "kind": "different" | "otherReason", "before": {…}, "after": {…}}]}`; before and
//! after have `decision`, `module`, `reason`, `rewrite`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use dispatch::Rejudged;
use dispatch::replay::{Comparison, Replayed};
use event::SessionId;
use project_config::{Config, Manifest};
use serde_json::{Value, json};
use session::history::{NotReplayable, Run};
use session::{RecordedDecision, RunRecord};
use store::{FileError, Timestamp};

use super::lookup;
use crate::commands::Place;
use crate::environment;
use crate::exit::Exit;
use crate::output::paint::{FAINT, STRONG, of_decision, paint};
use crate::output::text::{cut, one_line, width, wrap};
use crate::output::{self, moment, print};

/// Judge the recorded events of a session again and report changed decisions
///
/// Writes nothing. Judges each event as if all earlier events had happened as recorded. Runs the project's
/// own scripts only if the workspace is trusted.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The session, or the first characters of its id
    sid: String,
    /// Use this manifest instead of the workspace's
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Print JSON: {sid, manifest, judged, same, otherReason, different, notReplayable, changes: [{run, before, after, …}]}
    #[arg(long)]
    json: bool,
}

/// The result of a replay.
#[derive(Default)]
pub(super) struct ReplayReport {
    pub(super) n_same: usize,
    pub(super) n_other_reason: usize,
    pub(super) changes: Vec<ChangedDecision>,
    pub(super) not_replayable: BTreeMap<(String, NotReplayable), usize>,
    /// Whether the time was over before the session's last event.
    pub(super) is_cut: bool,
}

/// A changed decision.
pub(super) struct ChangedDecision {
    pub(super) run: Run,
    pub(super) record: RunRecord,
    pub(super) now: Rejudged,
    pub(super) comparison: Comparison,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let Some(id) = lookup::find(place, &args.sid)? else { return Ok(Exit::No) };
    let manifest = match load(args, place) {
        Ok(manifest) => manifest,
        Err(FileError::Read { path, source }) => {
            return Err(anyhow::Error::new(source).context(format!("cannot read `{}`", path.display())));
        }
        Err(invalid) => {
            output::error(&invalid.to_string());
            return Ok(Exit::No);
        }
    };
    let report = ReplayReport::of(place, id, &manifest, None)?;
    let manifest_name = match &args.manifest {
        Some(file) => file.display().to_string(),
        None => place.workspace.manifest_file().to_string(),
    };
    if args.json {
        output::json(&report.to_json(&id.to_string(), &manifest_name))?;
    } else {
        report.print(place);
    }
    Ok(Exit::Fine)
}

fn load(args: &Args, place: &Place) -> Result<Manifest, FileError> {
    let Some(file) = &args.manifest else { return Manifest::load(&place.workspace) };
    match store::plain_file::read(file) {
        Ok(text) => Manifest::parse(file, &text),
        Err(source) => Err(FileError::Read { path: file.clone(), source }),
    }
}

impl ReplayReport {
    /// Judges the events of a session again, at the latest until a time.
    pub(super) fn of(
        place: &Place,
        id: SessionId,
        manifest: &Manifest,
        until: Option<Instant>,
    ) -> anyhow::Result<Self> {
        let config = Config::load(&place.workspace)?;
        let home = environment::home();
        let replay = place.replay(id, manifest, &config, home.as_ref());
        let mut report = Self::default();
        let each = |replayed| {
            report.add(replayed);
            report.is_cut = until.is_some_and(|until| Instant::now() > until);
            if report.is_cut { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        replay.run(each).with_context(|| format!("cannot replay session {id}"))?;
        Ok(report)
    }

    fn add(&mut self, replayed: Replayed) {
        let Replayed { run, now } = replayed;
        let event = run.lines.last().and_then(|line| line.hook_run_id.split('-').next()).unwrap_or_default();
        let why = match (now, run.record.clone()) {
            (Ok(now), Some(record)) => return self.compare(run, record, now),
            (Err(why), _) => why,
            (Ok(_), None) => NotReplayable::CutShort,
        };
        *self.not_replayable.entry((event.to_owned(), why)).or_default() += 1;
    }

    fn compare(&mut self, run: Run, record: RunRecord, now: Rejudged) {
        match now.compare(&record) {
            Comparison::Same => self.n_same += 1,
            comparison => {
                self.n_other_reason += usize::from(comparison == Comparison::OtherReason);
                self.changes.push(ChangedDecision { run, record, now, comparison });
            }
        }
    }

    pub(super) fn n_different(&self) -> usize {
        self.changes.len() - self.n_other_reason
    }

    pub(super) fn n_judged(&self) -> usize {
        self.n_same + self.changes.len()
    }

    fn print(&self, place: &Place) {
        let columns = output::columns().unwrap_or(110).max(60);
        for change in &self.changes {
            if change.comparison != Comparison::Different {
                continue;
            }
            let Some(last) = change.run.lines.last() else { continue };
            let record = &change.record;
            let what = match &record.tool {
                Some(tool) => {
                    format!(
                        "{tool}  {}",
                        timeline::target::of(record, Some(place.workspace.root().as_path()))
                    )
                }
                None => record.event.clone(),
            };
            let time = moment::second(Timestamp::from_millis(last.ts));
            let before = decision_word(record.decision, record.module.as_deref());
            let now = RecordedDecision::from(&change.now.verdict.decision);
            let after = decision_word(now, change.now.decided_by.as_deref());
            let input = if record.decision == now { ", with another input" } else { "" };
            let room = columns.saturating_sub(width(&before) + width(&after) + input.len() + 15);
            print(format_args!(
                "{}  {} → {}{input}  {}",
                paint(FAINT, &time),
                paint(of_decision(record.decision.as_str()), &before),
                paint(of_decision(now.as_str()).bold(), &after),
                cut(&one_line(&what), room)
            ));
            let reason = change.now.verdict.decision.reason().or(record.reason.as_deref());
            let when = if change.now.verdict.decision.reason().is_some() { "now" } else { "then" };
            for line in wrap(&format!("{when}: {}", reason.unwrap_or("no reason")), columns - 12) {
                print(format_args!("            {line}"));
            }
            print(format_args!("            {}", paint(FAINT, &last.hook_run_id)));
        }
        let line = format!(
            "{} judged: {} the same, {} different{}",
            self.n_judged(),
            self.n_same + self.n_other_reason,
            self.n_different(),
            match self.n_other_reason {
                0 => String::new(),
                n => format!(" ({n} of the same with another reason)"),
            }
        );
        print(format_args!("{}", paint(STRONG, &line)));
        print(format_args!("{}", self.left_out()));
    }

    fn left_out(&self) -> String {
        let total: usize = self.not_replayable.values().sum();
        if total == 0 {
            return "all recorded events were replayed".into();
        }
        let mut text = format!("{total} events cannot be replayed:");
        for ((event, why), count) in &self.not_replayable {
            let _ = write!(text, "\n  {count:>4}  {}: {why}", one_line(event));
        }
        text
    }

    fn to_json(&self, sid: &str, manifest: &str) -> Value {
        let not_replayable: Vec<_> = self
            .not_replayable
            .iter()
            .map(|((event, why), count)| json!({"event": event, "why": why.to_string(), "count": count}))
            .collect();
        json!({
            "sid": sid, "manifest": manifest, "judged": self.n_judged(), "same": self.n_same,
            "otherReason": self.n_other_reason, "different": self.n_different(),
            "notReplayable": not_replayable,
            "changes": self.changes.iter().map(ChangedDecision::to_json).collect::<Vec<_>>(),
        })
    }
}

impl ChangedDecision {
    fn to_json(&self) -> Value {
        let last = self.run.lines.last();
        let (record, verdict) = (&self.record, &self.now.verdict);
        json!({
            "run": last.map(|line| &line.hook_run_id),
            "ts": last.map(|line| line.ts),
            "event": record.event,
            "tool": record.tool,
            "target": timeline::target::of(record, None),
            "kind": if self.comparison == Comparison::Different { "different" } else { "otherReason" },
            "before": {
                "decision": record.decision, "module": record.module, "reason": record.reason, "rewrite": record.rewrite,
            },
            "after": {
                "decision": verdict.decision.as_str(), "module": self.now.decided_by,
                "reason": verdict.decision.reason(), "rewrite": verdict.rewrite,
            },
        })
    }
}

/// Returns the word for a decision and its module; an abstention lets a call pass.
fn decision_word(decision: RecordedDecision, module: Option<&str>) -> String {
    match (decision, module) {
        (RecordedDecision::Abstain, _) => "pass".into(),
        (decision, None) => decision.as_str().to_owned(),
        (decision, Some(module)) => {
            format!("{} by {}", decision.as_str(), one_line(event::plain_name(module)))
        }
    }
}
