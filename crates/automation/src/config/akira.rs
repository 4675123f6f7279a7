//! An automation in the words of the engine (001): `.akira/hooks.json`.

use config_file::{Fields, Report, Span};
use event::AbsPath;

use super::file::Entry;
use super::settings::{self, Settings};
use super::template::template;
use super::trigger::{Named, meant};
use crate::{Action, Automation, Origin, SourceFile, Trigger};

/// Reads one entry of the list.
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
    let named = match Named::parse(&written.text) {
        Ok(named) => named,
        Err(why) => {
            let problem = report.error(written.at, format!("`{}`: {why}", fields.name("trigger")));
            problem.hint = meant(&written.text).map(|it| format!("did you mean `{it}`?"));
            return None;
        }
    };
    let takes_pattern = !matches!(named, Named::Commit | Named::Operation(..) | Named::Host(_));
    if pattern.is_some() && !takes_pattern {
        let at = fields.string("pattern", report).map_or(written.at, |it| it.at);
        report.warning(at, format!("`pattern` means nothing to the trigger `{}`", written.text));
    }
    if let (Some(timing), false) = (&timing, matches!(named, Named::Operation(..))) {
        report.warning(timing.at, format!("`timing` means nothing to the trigger `{}`", written.text));
    }
    Some(match named {
        Named::FileSaved => Trigger::FileSaved { pattern },
        Named::FileWillBeSaved => Trigger::FileWillBeSaved { pattern },
        Named::SpecStatus => Trigger::SpecStatus { pattern },
        Named::Commit => return commit(fields, written.at, root, report),
        Named::Operation(agent, operation, in_name) => {
            let timing = match timing.as_ref().map(|it| it.text.as_str()) {
                Some("before") => crate::Timing::Before,
                Some(_) => crate::Timing::After,
                None => in_name,
            };
            Trigger::Operation { agent, operation, timing }
        }
        Named::Host(event) => Trigger::Host { event },
        Named::Custom(name) => {
            if let Some(meant) = meant(&name) {
                let told =
                    report.warning(written.at, format!("`{name}` happens only when somebody emits it"));
                told.hint = Some(format!("did you mean `{meant}`?"));
            }
            Trigger::Custom { name, pattern }
        }
    })
}

/// Reads what a trigger about commits needs besides: nothing runs by accident during one.
pub(super) fn commit(
    fields: &Fields<'_, '_>,
    at: Span,
    root: &AbsPath,
    report: &mut Report<'_>,
) -> Option<Trigger> {
    let allowed = fields.boolean("allowGit", report) == Some(true);
    let repo_root = fields.string("repoRoot", report);
    if !allowed {
        report.error(at, "a trigger about commits needs `allowGit`").hint =
            Some("add `\"allowGit\": true` to permit it".to_owned());
    }
    let Some(repo_root) = repo_root.filter(|it| !it.text.trim().is_empty()) else {
        report.error(at, "a trigger about commits needs `repoRoot`").hint =
            Some("add `\"repoRoot\": \".\"`, the repository it is about".to_owned());
        return None;
    };
    allowed.then(|| Trigger::Commit { repo_root: root.join(repo_root.text) })
}
