//! A session judged again under another manifest, for the page.

use std::path::Path;
use std::time::{Duration, Instant};

use dispatch::replay::Comparison;
use event::SessionId;
use page::view::{ChangedDecision, DecisionWord, Judged, LeftOut};
use project_config::Manifest;

use super::replay::{self, ReplayReport};
use crate::commands::Place;

/// How long a page waits for the replay.
const LIMIT: Duration = Duration::from_secs(10);
/// How many changed decisions a page lists.
const MAX_CHANGES: usize = 200;

/// Judges the events of a session under the text of a manifest. Returns why it cannot.
pub(crate) fn what_if(place: &Place, id: SessionId, manifest: &str) -> Result<Judged, String> {
    let manifest =
        Manifest::parse(Path::new("manifest"), manifest.as_bytes()).map_err(|error| error.to_string())?;
    let report = ReplayReport::of(place, id, &manifest, Some(Instant::now() + LIMIT))
        .map_err(|error| format!("{error:#}"))?;
    let different = report.changes.iter().filter(|it| it.comparison == Comparison::Different);
    Ok(Judged {
        judged: report.n_judged(),
        same: report.n_same,
        other_reason: report.n_other_reason,
        different: report.n_different(),
        is_cut: report.is_cut,
        not_replayable: report
            .not_replayable
            .iter()
            .map(|((event, why), count)| LeftOut {
                event: event.clone(),
                why: why.to_string(),
                count: *count,
            })
            .collect(),
        changes: different.take(MAX_CHANGES).filter_map(|it| changed(place, it)).collect(),
    })
}

/// Returns the text of the workspace's manifest, or of the one that applies without a file.
pub(crate) fn manifest_text(place: &Place) -> String {
    let file = place.workspace.manifest_file();
    store::plain_file::read(file.as_path())
        .ok()
        .and_then(|bytes| String::from_utf8(bytes).ok())
        .unwrap_or_else(|| serde_json::to_string_pretty(&Manifest::default()).unwrap_or_default())
}

fn changed(place: &Place, change: &replay::ChangedDecision) -> Option<ChangedDecision> {
    let last = change.run.lines.last()?;
    let (record, verdict) = (&change.record, &change.now.verdict);
    Some(ChangedDecision {
        run: last.hook_run_id.clone(),
        ts: last.ts,
        event: record.event.clone(),
        tool: record.tool.clone(),
        target: timeline::target::of(record, Some(place.workspace.root().as_path())),
        before: DecisionWord {
            decision: record.decision,
            module: record.module.clone(),
            reason: record.reason.clone(),
        },
        after: DecisionWord {
            decision: (&verdict.decision).into(),
            module: change.now.decided_by.as_deref().map(str::to_owned),
            reason: verdict.decision.reason().map(str::to_owned),
        },
    })
}
