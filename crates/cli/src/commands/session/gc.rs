//! `steersman session gc [--dry-run] [--json]`
//!
//! With `--json`: `{"dryRun", "removed": [{"sid", "lastEventTs", "files", "bytes"}],
//! "kept", "needed", "failed": [{"sid", "why"}], "bytes", "agentRuns": [{"run", "lastTs", "bytes"}]}`.

use std::time::Duration;

use anyhow::Context;
use event::SessionId;
use project_config::Config;
use serde_json::json;
use session::Retention;
use session::history::overviews;
use store::{Freed, RemoveError, Timestamp};
use workflow::OldRun;

use super::needed_sessions;
use crate::commands::Place;
use crate::exit::Exit;
use crate::output::{self, moment, print};

/// Remove old sessions and old journals of agent runs
///
/// Removes sessions and runs that are older than `gc.maxAgeDays` (7) and not among the latest
/// `gc.maxSessions` (20), as set in `.ai/hooks/config.json`; `gc.keep` keeps all of them for longer. Keeps those in use, those with an event in the last
/// hour, and those whose journal the newest anchor or an uncommitted line of the trace needs.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Print the sessions to remove without removing them
    #[arg(long)]
    dry_run: bool,
    /// Print JSON: {dryRun, removed: [{sid, lastEventTs, files, bytes}], kept, needed, failed: [{sid, why}], bytes, agentRuns: [{run, lastTs, bytes}]}
    #[arg(long)]
    json: bool,
}

/// A session with an event this recent may still be active.
const ACTIVE: Duration = Duration::from_hours(1);

/// A removed session, or one that would be removed.
struct RemovedSession {
    id: SessionId,
    last_event: Option<Timestamp>,
    freed: Freed,
}

pub(super) fn run(args: &Args, place: &Place) -> anyhow::Result<Exit> {
    let config = Config::load(&place.workspace)?;
    let retention = config
        .typed::<Retention>(Retention::SECTION)
        .with_context(|| format!("cannot read the section `gc` of `{}`", place.workspace.config_file()))?;
    let sessions = overviews(&place.workspace).context("cannot list the sessions")?;
    let mut gone = Vec::new();
    let mut failed = Vec::new();
    let mut n_needed = 0;
    let needed = needed_sessions(place)?;
    for session in retention.expired(&sessions, store::now()) {
        if needed.contains(&session.id) {
            n_needed += 1;
            continue;
        }
        let outcome =
            if args.dry_run { place.workspace.removable(session.id) } else { remove(place, session.id) };
        match outcome {
            Ok(freed) => gone.push(RemovedSession { id: session.id, last_event: session.last_event, freed }),
            // A session in use is kept; that is no failure.
            Err(RemoveError::InUse { .. }) => {}
            Err(error) => failed.push((session.id, anyhow::Error::new(error))),
        }
    }
    let n_kept = sessions.len() - gone.len();
    let runs = old_runs(place, retention, args.dry_run);
    if args.json {
        print_json(args, &gone, (n_kept, n_needed), &failed, &runs)?;
    } else {
        print_text(args, retention, &gone, (n_kept, n_needed), &failed);
        print_runs(args, &runs);
    }
    Ok(if failed.is_empty() { Exit::Fine } else { Exit::World })
}

/// Removes expired sessions, as a server does periodically; keeps those that cannot be removed.
pub(super) fn sweep(place: &Place) {
    let Ok(config) = Config::load(&place.workspace) else { return };
    let (Ok(retention), Ok(sessions)) =
        (config.typed::<Retention>(Retention::SECTION), overviews(&place.workspace))
    else {
        return;
    };
    let Ok(needed) = needed_sessions(place) else { return };
    for session in retention.expired(&sessions, store::now()) {
        if !needed.contains(&session.id) {
            let _ = remove(place, session.id);
        }
    }
    old_runs(place, retention, false);
}

/// Removes a session and the record of the workspace it was bound to.
fn remove(place: &Place, id: SessionId) -> Result<Freed, RemoveError> {
    let freed = place.workspace.remove_session(id)?;
    if let Some(user_state) = &place.user_state {
        store::forget_session(user_state, id, place.workspace.root());
    }
    Ok(freed)
}

/// Removes or finds the journals of old agent runs. A running one, or one that cannot be removed, stays until
/// the next time.
fn old_runs(place: &Place, retention: Retention, only_find: bool) -> Vec<OldRun> {
    let Some(max_age_ms) = retention.max_age_ms() else { return Vec::new() };
    let max_age = Duration::from_millis(max_age_ms).max(ACTIVE);
    let mut old = workflow::old_runs(&place.workspace, max_age, retention.max_sessions, store::now());
    old.retain(|run| only_find || workflow::remove_run(&place.workspace, &run.id).unwrap_or(false));
    old
}

fn print_runs(args: &Args, runs: &[OldRun]) {
    let now = store::now();
    for run in runs {
        print(format_args!("{}  last step {}, {}", run.id, moment::ago(run.last, now), size(run.bytes)));
    }
    if !runs.is_empty() {
        let verb = if args.dry_run { "would be removed" } else { "removed" };
        let n = if runs.len() == 1 { "1 run".to_owned() } else { format!("{} runs", runs.len()) };
        output::note(&format!("{n} of agents {verb}"));
    }
}

fn print_text(
    args: &Args,
    retention: Retention,
    gone: &[RemovedSession],
    (n_kept, n_needed): (usize, usize),
    failed: &[(SessionId, anyhow::Error)],
) {
    let now = store::now();
    for session in gone {
        let last = session.last_event.map_or_else(String::new, |at| moment::ago(at, now));
        print(format_args!("{}  last event {last}, {}", session.id, size(session.freed.bytes)));
    }
    let bytes = gone.iter().map(|session| session.freed.bytes).sum();
    let verb = if args.dry_run { "would be removed" } else { "removed" };
    let sessions = |n: usize| if n == 1 { "1 session".to_owned() } else { format!("{n} sessions") };
    if n_needed > 0 {
        let keeps = if n_needed == 1 {
            "is kept: the trace or an anchor needs its journal"
        } else {
            "are kept: the trace or an anchor needs their journals"
        };
        output::note(&format!("{} {keeps}", sessions(n_needed)));
    }
    if gone.is_empty() && n_needed > 0 {
        output::note(&format!("nothing to remove: {} here", sessions(n_kept)));
    } else if gone.is_empty() {
        output::note(&format!(
            "nothing to remove: {} here, none both older than {} days and beyond the latest {}",
            sessions(n_kept),
            retention.max_age_days,
            retention.max_sessions
        ));
    } else {
        output::note(&format!("{} {verb}, {} freed, {n_kept} kept", sessions(gone.len()), size(bytes)));
    }
    for (_, error) in failed {
        output::error(&format!("{error:#}"));
    }
}

fn print_json(
    args: &Args,
    gone: &[RemovedSession],
    (n_kept, n_needed): (usize, usize),
    failed: &[(SessionId, anyhow::Error)],
    runs: &[OldRun],
) -> anyhow::Result<()> {
    let removed: Vec<_> = gone
        .iter()
        .map(|session| {
            json!({
                "sid": session.id.to_string(), "lastEventTs": session.last_event.map(Timestamp::as_millis),
                "files": session.freed.n_files, "bytes": session.freed.bytes,
            })
        })
        .collect();
    let failed: Vec<_> = failed
        .iter()
        .map(|(id, error)| json!({"sid": id.to_string(), "why": format!("{error:#}")}))
        .collect();
    let bytes: u64 = gone.iter().map(|session| session.freed.bytes).sum();
    let runs: Vec<_> = runs
        .iter()
        .map(|run| json!({"run": run.id.to_string(), "lastTs": run.last.as_millis(), "bytes": run.bytes}))
        .collect();
    output::json(&json!({
        "dryRun": args.dry_run, "removed": removed, "kept": n_kept, "needed": n_needed, "failed": failed, "bytes": bytes,
        "agentRuns": runs,
    }))
}

fn size(bytes: u64) -> String {
    match bytes {
        0..=9_999 => format!("{bytes} B"),
        10_000..=9_999_999 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
