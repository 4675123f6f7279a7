//! Reads a custom agent hook of `.vscode/gatomia/hooks.json` (000).

use config_file::{Fields, Report, Span};
use event::AbsPath;

use super::action;
use super::akira::commit;
use super::file::Entry;
use super::settings::{self, Settings};
use super::table::{FILE_CREATE, FILE_DELETE, FILE_RENAME, FILE_SAVE, SPEC_STATUS};
use crate::{Automation, Operation, Origin, SourceFile, SpecAgent, Timing, Trigger};

/// Reads one entry of the array.
pub(super) fn read(
    entry: &mut Entry<'_, '_, '_>,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<(Automation, Span)> {
    let fields = &entry.fields;
    let id = settings::id(fields, report);
    let trigger = fields.object("trigger", report).and_then(|it| trigger(&it, fields, root, report));
    let action = fields.union("action", report).and_then(|it| action::read(it, trigger.as_ref(), report));
    let line = report.source().place(fields.at().start).line;
    let origin = Origin { file: SourceFile::Gatomia, index: entry.index, line };
    let settings = Settings::read(fields, entry.patterns, report);
    let created = settings::moment(fields, "createdAt", report);
    let modified = settings::moment(fields, "modifiedAt", report);
    let (id, at) = id?;
    let automation = settings.apply_to(Automation::new(id, trigger?, action?, origin));
    Some((Automation { created, modified, ..automation }, at))
}

fn trigger(
    fields: &Fields<'_, '_>,
    hook: &Fields<'_, '_>,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<Trigger> {
    let pattern = settings::file_pattern(hook, report);
    let timing = fields.one_of("timing", report);
    let agent = fields.one_of("agent", report);
    // Each agent has its own operations.
    let is_known = |it: &&str| match agent.as_ref().map(|it| it.text.as_str()) {
        None => true,
        Some("workspace") => !Operation::ALL.iter().any(|operation| operation.as_str() == *it),
        Some(_) => Operation::from_word(it).is_some(),
    };
    let words: Vec<&str> = fields.words("operation").filter(is_known).collect();
    let operation = fields.one_of_these("operation", &words, report);
    let agent = agent?;
    if agent.text == "workspace" {
        if timing.as_ref().is_some_and(|it| it.text == "before") {
            let at = timing.map_or(fields.at(), |it| it.at);
            report.error(at, "operations of `workspace` have only the timing `after`").hint =
                Some("use `\"timing\": \"after\"`".to_owned());
        }
        let operation = operation?;
        return match operation.text.as_str() {
            FILE_SAVE => Some(Trigger::FileSaved { pattern }),
            SPEC_STATUS => Some(Trigger::SpecStatus { pattern }),
            FILE_CREATE => Some(Trigger::FileCreated { pattern }),
            FILE_DELETE => Some(Trigger::FileDeleted { pattern }),
            FILE_RENAME => Some(Trigger::FileRenamed { pattern }),
            Trigger::SCHEDULE => {
                settings::schedule(hook, operation.at, report).map(|schedule| Trigger::Schedule { schedule })
            }
            _ => commit(hook, operation.at, root, report),
        };
    }
    let timing = match timing.as_ref().map(|it| it.text.as_str()) {
        Some("before") => Timing::Before,
        _ => Timing::After,
    };
    let agent = SpecAgent::from_word(&agent.text)?;
    Some(Trigger::Operation { agent, operation: Operation::from_word(&operation?.text)?, timing })
}
