//! Common parts of the formats of other programs, which are parsed leniently.

use super::{YAML_LIMITS, lenient};
use crate::definition::{Definition, Origin, Profile, RunLimits, Strictness, Tools, Transitions};
use crate::frontmatter::{self, Split};
use crate::limits::MAX_AGENT_DESCRIPTION_LENGTH;
use crate::markdown;
use config_file::{Entry, Fields, Kind, LocatedString, Node, Object, Report, Source, Span, parse_yaml_part};
use serde_json::{Map, Value};

/// Splits a file into front matter and text. A file without front matter is all text.
pub(super) fn parts<'s>(source: &'s Source<'_>, report: &mut Report<'_>) -> Option<(Node<'s>, &'s str)> {
    let (text, offset) = unfenced(source.text());
    let top = Span::new(offset, offset + 3);
    let (start, fields, body) = match frontmatter::split(text) {
        Split::Both { start, fields, body } => (offset + start, fields, body),
        Split::BodyOnly(body) => return Some((Node::empty_map(top), body)),
        Split::Unclosed => {
            report.parse_error(top, "the front matter that begins here has no end").hint =
                Some("add a line of `---` below it".to_owned());
            return None;
        }
    };
    let fault = match parse_yaml_part(fields, start, YAML_LIMITS) {
        Ok(root) => return Some((root.unwrap_or(Node::empty_map(Span::new(start, start))), body)),
        Err(fault) => fault,
    };
    // Beyond a limit there is no second attempt.
    let guess = if fault.is_limit { None } else { lenient::read(fields, start) };
    let Some(root) = guess else {
        report.syntax_error(fault);
        return None;
    };
    let problem = report.warning(fault.span, format!("{}; reading line by line instead", fault.message));
    problem.hint = fault.hint.map(str::to_owned);
    Some((root, body))
}

/// Removes the code fence that some editors put around a whole agent, and returns the byte after its
/// first line.
fn unfenced(text: &str) -> (&str, usize) {
    let Some((first, rest)) = text.split_once('\n') else { return (text, 0) };
    let language = first.trim_start_matches('`').trim();
    let fence = &first[..first.len() - first.trim_start_matches('`').len()];
    if fence.len() < 3 || !matches!(language, "chatagent" | "chatmode" | "markdown" | "md") {
        return (text, 0);
    }
    (rest.trim_end().strip_suffix(fence).unwrap_or(rest), first.len() + 1)
}

/// Returns the definition of an agent whose format has no transitions, limits or provider. `own` are the keys of the
/// format; all other keys are metadata.
pub(super) fn definition(
    fields: &Fields<'_, '_>,
    own: &Object,
    body: &str,
    name: String,
    when_to_use: String,
    profile: Profile,
    origin: Origin,
) -> Definition {
    Definition {
        name,
        display_name: Some(profile.name.clone()),
        when_to_use: Some(when_to_use).filter(|it| !it.is_empty()),
        system_prompt: body.trim().to_owned(),
        tools: tools(names(fields, "tools"), names(fields, "disallowedTools").unwrap_or_default()),
        transitions: Transitions::default(),
        limits: RunLimits::default(),
        provider: None,
        metadata: others(fields, own),
        profile,
        origin,
    }
}

/// Returns the first paragraph as description, with a warning.
pub(super) fn guessed_description(fields: &Fields<'_, '_>, body: &str, report: &mut Report<'_>) -> String {
    let problem = report.warning(fields.at(), "missing key `description`, using the first paragraph");
    problem.hint = Some("describe the agent's purpose in one sentence".to_owned());
    shortened(&markdown::first_paragraph(body).unwrap_or_default())
}

/// Returns the fields that the table does not declare.
fn others(fields: &Fields<'_, '_>, own: &Object) -> Map<String, Value> {
    let kept = fields.entries().iter().filter(|it| own.field(&it.key).is_none());
    kept.map(|it| (it.key.clone().into_owned(), it.value.to_json())).collect()
}

/// Returns the text of a key, whether it is a string or a number.
pub(super) fn written(fields: &Fields<'_, '_>, key: &str) -> Option<LocatedString> {
    let node = fields.get(key)?;
    let text = node.as_written()?.trim();
    (!text.is_empty()).then(|| LocatedString { text: text.to_owned(), at: node.span })
}

/// Returns the names under a key: a list, or a string with commas.
fn names(fields: &Fields<'_, '_>, key: &str) -> Option<Vec<String>> {
    let node = fields.get(key)?;
    let named = match &node.kind {
        Kind::Array { items, .. } => items.iter().filter_map(Node::as_written).map(str::to_owned).collect(),
        Kind::Scalar { text, .. } => split_names(text),
        Kind::Map(entries) => {
            // The syntax of OpenCode: `tools: {write: false, bash: true}`.
            let on = |it: &&Entry<'_>| it.value.as_written() != Some("false");
            entries.iter().filter(on).map(|it| it.key.clone().into_owned()).collect()
        }
    };
    Some(named)
}

/// Returns the tools of an agent whose host enforces them itself.
fn tools(allowed: Option<Vec<String>>, blocked: Vec<String>) -> Tools {
    Tools { allowed, blocked, strictness: Strictness::Foreign, ..Tools::default() }
}

/// Cuts a string to the limit of descriptions.
pub(super) fn shortened(text: &str) -> String {
    let text = text.trim();
    if text.chars().count() <= MAX_AGENT_DESCRIPTION_LENGTH {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MAX_AGENT_DESCRIPTION_LENGTH - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Splits names at commas outside of parentheses: `Bash(git add, git commit)` is one name.
fn split_names(text: &str) -> Vec<String> {
    let text = text.trim().trim_start_matches('[').trim_end_matches(']');
    let mut depth = 0_usize;
    let parts = text.split(|it: char| {
        match it {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        it == ',' && depth == 0
    });
    let clean = |it: &str| it.trim().trim_matches(['"', '\'']).to_owned();
    let names: Vec<String> = parts.map(clean).filter(|it| !it.is_empty()).collect();
    match names.as_slice() {
        // `Read Grep Glob`: words without commas, if each is a plain word.
        [one] if !one.contains(['(', '/']) => one.split_whitespace().map(str::to_owned).collect(),
        _ => names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parted_by_commas_outside_of_brackets() {
        let check = |text, names: &[&str]| assert_eq!(split_names(text), names, "{text}");
        check("Read, Grep,Bash", &["Read", "Grep", "Bash"]);
        check("['codebase', \"search\"]", &["codebase", "search"]);
        check("Bash(git add, git commit), Read", &["Bash(git add, git commit)", "Read"]);
        check("Read Grep  Glob", &["Read", "Grep", "Glob"]);
        check("Bash(git add)", &["Bash(git add)"]);
        check("Microsoft Docs/*", &["Microsoft Docs/*"]);
        check("", &[]);
    }
}
