//! An automation in the words of custom agent hooks (000): `.vscode/gatomia/hooks.json`.

use event::AbsPath;
use jsonc_parser::ast::Value;
use jsonc_parser::common::{Range, Ranged};

use super::action;
use super::akira::commit;
use super::fields::Fields;
use super::file::Entry;
use super::report::Report;
use super::settings::{self, Settings};
use crate::{Automation, Operation, Origin, SourceFile, SpecAgent, Timing, Trigger};

const FILE_SAVE: &str = "file-save";
const SPEC_STATUS: &str = "spec-status-change";
const GIT_COMMIT: &str = "git-commit";

/// Returns the keys of an entry.
pub(super) fn keys() -> Vec<&'static str> {
    let own =
        ["action", "createdAt", "modifiedAt", "lastExecutedAt", "executionCount", "lastExecutionStatus"];
    settings::KEYS.iter().copied().chain(own).collect()
}

/// Reads one entry of the list.
pub(super) fn read(
    entry: &Entry<'_, '_>,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<(Automation, Range)> {
    let fields = Fields::of(entry.value, &entry.path, &keys(), report)?;
    let id = settings::id(&fields, report);
    for key in ["trigger", "action"] {
        if fields.get(key).is_none() {
            fields.missing(key, report);
        }
    }
    let trigger = fields.get("trigger").and_then(|value| trigger(value, &fields, root, report));
    let action = fields
        .get("action")
        .and_then(|value| action::read(value, &fields.name("action"), trigger.as_ref(), report));
    let origin =
        Origin { file: SourceFile::Gatomia, index: entry.index, line: report.place(fields.at().start).line };
    let settings = Settings::read(&fields, report);
    let created = settings::moment(&fields, "createdAt", report);
    let modified = settings::moment(&fields, "modifiedAt", report);
    let (id, at) = id?;
    let automation = settings.apply_to(Automation::new(id, trigger?, action?, origin));
    Some((Automation { created, modified, ..automation }, at))
}

fn trigger(
    value: &Value<'_>,
    hook: &Fields<'_, '_>,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<Trigger> {
    let fields = Fields::of(value, &hook.name("trigger"), &["agent", "operation", "timing"], report)?;
    let pattern = settings::file_pattern(hook, report);
    let timing = fields.word("timing", &["before", "after"], report);
    for key in ["agent", "operation"] {
        if fields.get(key).is_none() {
            fields.missing(key, report);
        }
    }
    let agent = fields.word("agent", &["speckit", "openspec", "workspace"], report)?;
    if agent.text == "workspace" {
        if timing.as_ref().is_some_and(|it| it.text == "before") {
            let at = timing.map_or_else(|| value.range(), |it| it.at);
            report.error(at, "what happens in the workspace is known only after it happened").hint =
                Some("use `\"timing\": \"after\"`".to_owned());
        }
        let operation = fields.word("operation", &[FILE_SAVE, SPEC_STATUS, GIT_COMMIT], report)?;
        return match operation.text.as_str() {
            FILE_SAVE => Some(Trigger::FileSaved { pattern }),
            SPEC_STATUS => Some(Trigger::SpecStatus { pattern }),
            _ => commit(hook, operation.at, root, report),
        };
    }
    let words = Operation::ALL.map(Operation::as_str);
    let operation = fields.word("operation", &words, report)?;
    let timing = match timing.as_ref().map(|it| it.text.as_str()) {
        Some("before") => Timing::Before,
        _ => Timing::After,
    };
    let agent = SpecAgent::from_word(&agent.text)?;
    Some(Trigger::Operation { agent, operation: Operation::from_word(&operation.text)?, timing })
}
