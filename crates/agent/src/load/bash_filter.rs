//! Parses a filter over command lines.

use crate::definition::BashFilter;
use crate::pattern::Pattern;
use config_file::{Fields, LocatedString, Report};

/// Parses the filter of an agent.
pub(super) fn read(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> BashFilter {
    let allowed = fields.strings("allowedCommands", report).unwrap_or_default();
    for command in &allowed {
        program(command, report);
    }
    BashFilter {
        allowed_commands: allowed.into_iter().map(|it| it.text).collect(),
        blocked_patterns: patterns(fields, "blockedPatterns", report),
    }
}

/// Parses a list of patterns, and reports each invalid one at its column.
pub(super) fn patterns(fields: &Fields<'_, '_>, key: &str, report: &mut Report<'_>) -> Vec<Pattern> {
    let mut patterns = Vec::new();
    for written in fields.strings(key, report).unwrap_or_default() {
        match Pattern::new(written.text.clone()) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => {
                let at = written.part(report.source(), error.column, 1);
                let message = format!("`{}` is not a regular expression: {}", written.text, error.reason);
                report.error(at, message).hint = error.hint.map(str::to_owned);
            }
        }
    }
    patterns
}

/// Warns about an entry with arguments: programs are compared by name alone, so it would never match.
fn program(command: &LocatedString, report: &mut Report<'_>) {
    let Some((first, _)) = command.text.split_once(char::is_whitespace) else { return };
    let problem = report
        .warning(command.at, format!("`{}` must be the name of a program, without arguments", command.text));
    problem.hint = Some(format!("write `{first}`, and restrict its arguments with `blockedPatterns`"));
}
