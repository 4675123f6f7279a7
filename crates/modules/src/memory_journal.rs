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
use memory::{Candidate, Candidates, Experience, MemoryFolder, Ranking, gather};

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
    mark_ranked(&mut action.state_patch, context.ids.run.at_ms);
    action.warnings.extend(news_of(context, &candidates));
    // Numbers and strings always serialize.
    let value = serde_json::to_value(&candidates).unwrap_or_default();
    let text = redact::owned(value).to_text();
    action.outputs.push(Output { name: Candidates::FILE.into(), content: Content::Replace(text) });
    action.warnings.extend(mistake);
    action.emit_events.push(Emitted { kind: LineKind::LessonsRanked.name().into(), data });
    action
}

/// Returns a sentence about the lessons that this session taught since they were last ranked, if there are any.
fn news_of(context: &Context<'_>, candidates: &Candidates) -> Option<String> {
    let ranked = context.state.memory.get(RANKED).and_then(Value::as_u64).unwrap_or_default();
    let own = format!("{}/", context.ids.session);
    let is_new = |it: &&Candidate| {
        it.sessions == 1 && it.first_ts > ranked && it.evidence.iter().all(|run| run.starts_with(&own))
    };
    let titles: Vec<&str> = candidates.candidates.iter().filter(is_new).map(|it| it.title.as_str()).collect();
    let [first, rest @ ..] = titles.as_slice() else { return None };
    let what = if rest.is_empty() {
        format!("1 new lesson ({first})")
    } else {
        format!("{} new lessons ({first}, …)", titles.len())
    };
    Some(format!("{what}: `steersman memory list` shows them, `accept` lets later sessions read them"))
}

/// The key of the state with the time of the last ranking.
const RANKED: &str = "rankedTs";

fn mark_ranked(patch: &mut Map<String, Value>, ts: u64) {
    let memory = patch.entry("memory").or_insert_with(|| json!({}));
    if let Value::Object(memory) = memory {
        memory.insert(RANKED.to_owned(), ts.into());
    }
}

/// Returns the patch with the byte up to which the session's journal was read.
fn harvested_to(byte: u64) -> Map<String, Value> {
    Map::from_iter([("memory".to_owned(), json!({"harvestedTo": byte}))])
}
