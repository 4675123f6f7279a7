//! Reads a filter over command lines.

use crate::definition::BashFilter;
use crate::fields::{Fields, Written};
use crate::pattern::Pattern;
use crate::report::Report;
use crate::source::Mark;
use crate::yaml::{Data, Node};

pub(crate) const BASH_FILTER_KEYS: &[&str] = &["allowedCommands", "blockedPatterns"];

/// Reads the filter of an agent.
pub(super) fn read(node: &Node, report: &mut Report<'_>) -> Option<BashFilter> {
    let fields = Fields::of(node, "tools.bashFilter", BASH_FILTER_KEYS, report)?;
    let allowed = fields.texts("allowedCommands", report).unwrap_or_default();
    for command in &allowed {
        program(command, report);
    }
    Some(BashFilter {
        allowed_commands: allowed.into_iter().map(|it| it.text).collect(),
        blocked_patterns: patterns(&fields, "blockedPatterns", report),
    })
}

/// Reads a list of patterns; each that is not valid is an error at its column.
pub(super) fn patterns(fields: &Fields<'_>, key: &str, report: &mut Report<'_>) -> Vec<Pattern> {
    let written = fields.texts(key, report).unwrap_or_default();
    let nodes: &[Node] = match fields.get(key).map(|it| &it.data) {
        Some(Data::List(items)) => items,
        _ => &[],
    };
    let mut patterns = Vec::new();
    for Written { text, at } in written {
        let node = nodes.iter().find(|it| it.at == at);
        let lead = node.map_or(0, |it| super::transitions::lead(it, &text));
        match Pattern::new(text.clone()) {
            Ok(pattern) => patterns.push(pattern),
            Err(error) => {
                let at = Mark { line: at.line, column: at.column + lead + error.column, width: 1 };
                let message = format!("the pattern `{text}` is not valid: {}", error.reason);
                let problem = report.error(at, message);
                problem.expected = Some("a regular expression".to_owned());
                problem.hint = error.hint.map(str::to_owned);
            }
        }
    }
    patterns
}

/// Programs are compared by name alone: an entry with arguments would never match.
fn program(command: &Written, report: &mut Report<'_>) {
    let Some((first, _)) = command.text.split_once(char::is_whitespace) else { return };
    let problem =
        report.warning(command.at, format!("`{}` is more than the name of a program", command.text));
    problem.hint = Some(format!("write `{first}`; arguments are for `blockedPatterns`"));
}
