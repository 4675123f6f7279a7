//! Reads an automation of `.akira/hooks.json` (001).

use config_file::{Fields, Report, Span};
use event::AbsPath;

use super::TriggerName;
use super::file::Entry;
use super::settings::{self, Settings};
use super::template::template;
use super::trigger::meant;
use crate::{Action, Automation, Origin, SourceFile, Trigger};

/// Reads one entry of the array.
pub(super) fn read(
    entry: &mut Entry<'_, '_, '_>,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<(Automation, Span)> {
    let fields = &entry.fields;
    let id = settings::id(fields, report);
    let trigger = trigger(fields, root, report);
    let prompt = fields.string("prompt", report).map(|written| template(&written, trigger.as_ref(), report));
    let line = report.source().place(fields.at().start).line;
    let origin = Origin { file: SourceFile::Akira, index: entry.index, line };
    let settings = Settings::read(fields, entry.patterns, report);
    let (id, at) = id?;
    let automation = Automation::new(id, trigger?, Action::Prompt { prompt: prompt? }, origin);
    Some((settings.apply_to(automation), at))
}

fn trigger(fields: &Fields<'_, '_>, root: &AbsPath, report: &mut Report<'_>) -> Option<Trigger> {
    let pattern = settings::file_pattern(fields, report);
    let timing = fields.one_of("timing", report);
    let written = fields.string("trigger", report)?;
    let named = match TriggerName::parse(&written.text) {
        Ok(named) => named,
        Err(why) => {
            let problem = report.error(written.at, format!("`{}`: {why}", fields.name("trigger")));
            problem.hint = meant(&written.text).map(|it| format!("did you mean `{it}`?"));
            return None;
        }
    };
    if pattern.is_some() && !named.takes_pattern() {
        let at = fields.get("pattern").map_or(written.at, config_file::Node::at);
        report.warning(at, format!("`pattern` has no effect on the trigger `{}`", written.text));
    }
    if fields.boolean("batch", report) == Some(true) && !named.takes_pattern() {
        let at = fields.get("batch").map_or(written.at, config_file::Node::at);
        report.warning(at, format!("`batch` has no effect on the trigger `{}`", written.text));
    }
    for key in ["every", "cron"].into_iter().filter(|_| named != TriggerName::Schedule) {
        if let Some(node) = fields.get(key) {
            report
                .warning(node.at(), format!("`{key}` has no effect on the trigger `{}`", written.text))
                .hint = Some("use the trigger `schedule`".to_owned());
        }
    }
    if let (Some(timing), false) = (&timing, matches!(named, TriggerName::Operation(..))) {
        report.warning(timing.at, format!("`timing` has no effect on the trigger `{}`", written.text));
    }
    Some(match named {
        TriggerName::FileSaved => Trigger::FileSaved { pattern },
        TriggerName::FileWillBeSaved => Trigger::FileWillBeSaved { pattern },
        TriggerName::FileCreated => Trigger::FileCreated { pattern },
        TriggerName::FileDeleted => Trigger::FileDeleted { pattern },
        TriggerName::FileRenamed => Trigger::FileRenamed { pattern },
        TriggerName::Schedule => {
            Trigger::Schedule { schedule: settings::schedule(fields, written.at, report)? }
        }
        TriggerName::SpecStatus => Trigger::SpecStatus { pattern },
        TriggerName::Commit => return commit(fields, written.at, root, report),
        TriggerName::Operation(agent, operation, in_name) => {
            let timing = match timing.as_ref().map(|it| it.text.as_str()) {
                Some("before") => crate::Timing::Before,
                Some(_) => crate::Timing::After,
                None => in_name,
            };
            Trigger::Operation { agent, operation, timing }
        }
        TriggerName::Host(event) => Trigger::Host { event },
        TriggerName::Custom(name) => {
            if let Some(meant) = meant(&name) {
                let problem =
                    report.warning(written.at, format!("only `steersman emit {name}` meets this trigger"));
                problem.hint = Some(format!("did you mean `{meant}`?"));
            }
            Trigger::Custom { name, pattern }
        }
    })
}

/// Reads the further keys of a commit trigger. It needs `allowGit`, so that no commit runs an
/// automation by accident.
pub(super) fn commit(
    fields: &Fields<'_, '_>,
    at: Span,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<Trigger> {
    let allowed = fields.boolean("allowGit", report) == Some(true);
    let repo_root = fields.string("repoRoot", report);
    if !allowed {
        report.error(at, "a commit trigger needs `allowGit`").hint =
            Some("add `\"allowGit\": true` to permit it".to_owned());
    }
    let Some(repo_root) = repo_root.filter(|it| !it.text.trim().is_empty()) else {
        report.error(at, "a commit trigger needs `repoRoot`").hint =
            Some("add the path of the repository, such as `\"repoRoot\": \".\"`".to_owned());
        return None;
    };
    allowed.then(|| Trigger::Commit { repo_root: root.join(repo_root.text) })
}
