//! `memory-journal`: records attempts, failures, fixes and frictions of a session, and ranks the lessons when a turn ends.
//!
//! It never runs on `PreToolUse`. It reads denied calls from the session's journal afterwards.

mod attempt;
mod correction;
mod entry;
mod friction;

use std::time::Instant;

use event::{Detail, EventName, LineKind};
use serde_json::{Map, Value, json};
use session::Emitted;

use crate::action::{Content, Output};
use crate::{Action, Context, Module, ModuleFailure, Profile};
use memory::{Candidates, Experience, MemoryFolder, Ranking, gather};

/// The module's name, as the manifest and `config.json` spell it.
pub const NAME: &str = memory::MODULE;

/// The module `memory-journal`.
pub struct MemoryJournal;

impl Module for MemoryJournal {
    fn profile(&self) -> &Profile {
        &Profile {
            name: NAME,
            about: "collects lessons from failures and fixes",
            supports: &[EventName::UserPromptSubmit, EventName::PostToolUse, EventName::Stop],
            priority: 50,
            hot_path_safe: false,
            critical: false,
            on_by_default: false,
        }
    }

    fn handle(&self, context: &Context<'_>) -> Result<Action, ModuleFailure> {
        match &context.event.detail {
            Detail::PostToolUse { call, outcome } => {
                Ok(written(attempt::made(context, call, outcome).as_slice()))
            }
            Detail::UserPromptSubmit { prompt } => {
                let (mut news, harvested) = friction::harvest(context);
                news.push(correction::experience_of(context, prompt));
                Ok(Action { state_patch: harvested, ..written(&news) })
            }
            Detail::Stop { .. } => Ok(end_of_turn(context)),
            _ => Ok(Action::default()),
        }
    }
}

/// Returns the action that appends to `experience.jsonl`.
fn written(news: &[Experience]) -> Action {
    if news.is_empty() {
        return Action::default();
    }
    let mut lines = store::Batch::default();
    for experience in news {
        session::record::push(&mut lines, experience);
    }
    let output = Output { name: Experience::FILE.into(), content: Content::Append(lines) };
    Action { outputs: vec![output], ..Action::default() }
}

/// Collects the frictions of the turn and ranks the lessons of the workspace.
fn end_of_turn(context: &Context<'_>) -> Action {
    let (news, harvested) = friction::harvest(context);
    let known = match MemoryFolder::of(context.workspace).known() {
        Ok(known) => known,
        Err(error) => {
            let warning = format!("`{NAME}` cannot read the lessons: {error}");
            return Action { state_patch: harvested, warnings: vec![warning], ..written(&news) };
        }
    };
    let half = context.deadline.budget() / 2;
    let has_time = || context.deadline.left(Instant::now()) > half;
    let (ranking, mistake) = match context.config.typed::<Ranking>(NAME) {
        Ok(ranking) => (ranking, None),
        Err(error) => (
            Ranking::default(),
            Some(format!("cannot read the settings of `{NAME}`, using defaults: {error}")),
        ),
    };
    let candidates = gather(context.workspace, &news, &known, &ranking, &has_time);
    let data = json!({
        "lessons": candidates.total, "sessions": candidates.sessions, "sessionsLeft": candidates.sessions_left,
    });
    let mut action = Action { state_patch: harvested, ..written(&news) };
    // Numbers and strings always serialize.
    let value = serde_json::to_value(&candidates).unwrap_or_default();
    let text = redact::owned(value).to_text();
    action.outputs.push(Output { name: Candidates::FILE.into(), content: Content::Replace(text) });
    action.warnings.extend(mistake);
    action.emit_events.push(Emitted { kind: LineKind::LessonsRanked.name().into(), data });
    action
}

/// Returns the patch with the byte up to which the session's journal was read.
fn harvested_to(byte: u64) -> Map<String, Value> {
    Map::from_iter([("memory".to_owned(), json!({"harvestedTo": byte}))])
}
