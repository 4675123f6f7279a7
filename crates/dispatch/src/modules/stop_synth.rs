//! `stop-synth`: summarises a session on one page at the end of each turn.
//!
//! INVARIANT: every figure is computed from `events.jsonl` in one pass, and the page states how far that pass came. There
//! are no running counters that could drift.

mod adr;
mod decision;
mod figures;
mod journal_line;
mod listing;
mod markdown;
mod page;
mod plan_nodes;
mod summary;

use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use event::{AbsPath, EventName, LineKind};
use redact::Redacted;
use serde::{Deserialize, Serialize};
use serde_json::json;
use session::{Artifact, Emitted, history};

pub(crate) use summary::StopSummary;

use crate::action::{Content, Output};
use crate::{Action, Context, Module, ModuleFailure, Profile};
use figures::Figures;
use summary::{Frame, JournalPart};

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "stop-synth";

/// The module `stop-synth`.
pub struct StopSynth;

impl Module for StopSynth {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            supports: &[EventName::Stop],
            priority: 100,
            hot_path_safe: false,
            critical: false,
            on_by_default: false,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        let (settings, warnings) = match context.config.typed::<Settings>(NAME) {
            Ok(settings) => (settings, Vec::new()),
            Err(error) => (
                Settings::default(),
                vec![format!("cannot read the settings of `{NAME}`, using defaults: {error}")],
            ),
        };
        let mut figures = Figures::new(context.workspace.root());
        let journal = read_journal(context, &mut figures)?;
        let frame = Frame {
            session_id: context.ids.session.to_string(),
            host: context.host.name(),
            now: context.ids.run.at_ms,
            journal,
            texts: history::prompts(context.session).unwrap_or_default(),
            open_nodes: plan_nodes::open(context),
            list_items: settings.list_items,
        };
        let summary = StopSummary::new(&frame, &figures);
        let work = context.ids.work.to_string();
        let draft = if settings.adr { adr::draft(&summary, &work, &figures.decisions) } else { None };
        let emitted = json!({
            "lines": journal.lines, "bytesLeft": journal.bytes_left, "calls": summary.calls.judged,
            "changed": summary.changed.total, "failures": summary.failures.total,
        });
        Ok(Action {
            emit_events: vec![Emitted { kind: LineKind::SummaryWritten.name().into(), data: emitted }],
            register_artifacts: artifacts(context, &work, draft.is_some()),
            outputs: outputs(&summary, &work, draft)?,
            warnings,
            ..Action::default()
        })
    }
}

/// Reads the journal as far as the budget permits: the rest must suffice to write the page and the record of this run.
fn read_journal(context: &Context<'_>, figures: &mut Figures<'_>) -> Result<JournalPart, ModuleFailure> {
    let path = context.session.events_file();
    let enough = context.deadline.budget() / 3;
    add_up(&path, figures, || context.deadline.left(Instant::now()) < enough)
        .map_err(|error| ModuleFailure(format!("cannot read `{path}`: {error}")))
}

fn add_up(
    path: &AbsPath,
    figures: &mut Figures<'_>,
    mut is_late: impl FnMut() -> bool,
) -> io::Result<JournalPart> {
    let mut part = JournalPart::default();
    history::each_line(path, |line| {
        figures.add(line);
        part.lines += 1;
        part.bytes += line.len() as u64 + 1;
        // The clock is read only now and then.
        let breaks = part.lines.is_multiple_of(256) && is_late();
        if breaks { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let length = fs::metadata(path.as_path()).map_or(part.bytes, |meta| meta.len());
    part.bytes_left = length.saturating_sub(part.bytes);
    Ok(part)
}

fn outputs(summary: &StopSummary, work: &str, draft: Option<String>) -> Result<Vec<Output>, ModuleFailure> {
    let value = serde_json::to_value(summary).map_err(|error| ModuleFailure(error.to_string()))?;
    let replace = |name: &str, text: Redacted| Output { name: name.into(), content: Content::Replace(text) };
    let mut outputs = vec![
        replace("summary.json", redact::owned(value).to_text()),
        replace("summary.md", Redacted::from_text(&page::draw(summary))),
    ];
    let draft = draft.map(|draft| replace(&adr_name(work), Redacted::from_text(&draft)));
    outputs.extend(draft);
    Ok(outputs)
}

fn adr_name(work: &str) -> String {
    format!("adr/{work}.md")
}

/// Registers the files when they are first written, not at the end of every turn.
fn artifacts(context: &Context<'_>, work: &str, has_draft: bool) -> Vec<Artifact> {
    let Some(name) = store::ModuleName::new(NAME) else { return Vec::new() };
    let feature = context.session.feature(&name);
    let adr = adr_name(work);
    let mut files = vec![("summary", "summary.md"), ("summary", "summary.json")];
    files.extend(has_draft.then_some(("adr", adr.as_str())));
    let new = files.into_iter().filter_map(|(kind, file)| {
        let path = feature.output_file(file)?;
        let is_new = !path.as_path().exists();
        let path = path.below(context.workspace.root()).ok()?.to_string();
        is_new.then(|| Artifact { kind: kind.into(), path, hash: None, description: None })
    });
    new.collect()
}

/// The content of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "StopSynthSettings"))]
#[serde(rename_all = "camelCase", default)]
pub struct Settings {
    /// The most items of each list.
    pub list_items: usize,
    /// Whether to draft a decision record.
    pub adr: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { list_items: 30, adr: true }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_journal_too_long_for_the_time_is_counted_in_part_and_the_page_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let path = AbsPath::new(dir.path().join("events.jsonl")).unwrap();
        let line = r#"{"v":1,"ts":7,"type":"TOOL_DECISION","hookRunId":"x","workId":"w001","turnId":1,"module":"session","data":{"tool":"T","decision":"deny"}}"#;
        fs::write(path.as_path(), format!("{line}\n").repeat(1000)).unwrap();
        let root = AbsPath::root();
        let mut figures = Figures::new(&root);
        let mut n_asked = 0;
        let journal = add_up(&path, &mut figures, || {
            n_asked += 1;
            n_asked == 2
        })
        .unwrap();
        let line_bytes = line.len() as u64 + 1;
        let expected = JournalPart { lines: 512, bytes: 512 * line_bytes, bytes_left: 488 * line_bytes };
        assert_eq!(journal, expected);
        assert_eq!(figures.calls.denied, 512);
        let frame = Frame {
            session_id: "a3f0c812".into(),
            host: "raw",
            now: 9,
            journal,
            texts: BTreeMap::new(),
            open_nodes: Vec::new(),
            list_items: 30,
        };
        let page = page::draw(&StopSummary::new(&frame, &figures));
        assert!(page.contains("**Incomplete**: the budget ended after 512 lines"), "{page}");
    }
}
