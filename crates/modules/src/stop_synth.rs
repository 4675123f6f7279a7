//! `stop-synth`: summarises a session on one page at the end of each turn.
//!
//! `session-summary` counts and draws; this module runs it within the budget and hands its files to the run.

use std::time::Instant;

use event::{EventName, LineKind};
use plan::NodeStatus;
use redact::Redacted;
use serde::{Deserialize, Serialize};
use session::{Artifact, Emitted, history};
use session_summary::{Figures, Frame, JournalPart, OpenNode, StopSummary, adr, page};

use crate::action::{Content, Output};
use crate::plan_graph_exec;
use crate::{Action, Context, Module, ModuleFailure, Profile};

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = "stop-synth";

/// The module `stop-synth`.
pub struct StopSynth;

impl Module for StopSynth {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "writes a page about the session when it stops",
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
            open_nodes: open_nodes(context),
            list_items: settings.list_items,
        };
        let summary = StopSummary::new(&frame, &figures);
        let work = context.ids.work.to_string();
        let draft = if settings.adr { adr::draft(&summary, &work, &figures) } else { None };
        Ok(Action {
            emit_events: vec![Emitted {
                kind: LineKind::SummaryWritten.name().into(),
                data: summary.line_data(),
            }],
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
    figures
        .read(&path, || context.deadline.left(Instant::now()) < enough)
        .map_err(|error| ModuleFailure(format!("cannot read `{path}`: {error}")))
}

/// Returns the open nodes of the plan in force, except forbidden ones; empty without a plan or with an unreadable one.
fn open_nodes(context: &Context<'_>) -> Vec<OpenNode> {
    let Ok(Some(progress)) = plan_graph_exec::plan_of(context) else { return Vec::new() };
    let nodes = progress.graph.nodes.iter().map(|node| (node, progress.status(node)));
    let open = nodes.filter(|(_, status)| *status != NodeStatus::Complete && !status.is_shut());
    open.map(|(node, status)| OpenNode {
        id: node.id.clone(),
        description: node.description.clone(),
        status: status.as_str().to_owned(),
    })
    .collect()
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
