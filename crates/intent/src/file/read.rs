//! Converts nodes to intents, and reports all problems.

use std::collections::BTreeMap;

use config_file::{Fields, NewerFormat, Node, Report, Span};

use super::table::{DESCRIBED_PATTERN, ID, INTENT, INTENTS, LIST, RUN_CRITERION, SCOPE};
use crate::{Criterion, Intent, IntentId, Pattern, Status};

/// The newest format that this build supports.
const FORMAT: u64 = 1;

/// Returns the intents of a file, and adds its problems to the report.
pub(super) fn intents(root: Option<&Node<'_>>, report: &mut Report<'_>) -> Vec<Intent> {
    let Some(root) = root.filter(|root| !root.is_null()) else {
        report.error(Span::new(0, 0), "the file must not be empty").hint = LIST.hint.map(str::to_owned);
        return Vec::new();
    };
    let Some(fields) = mapping(root, "the file", LIST.hint, report)
        .then(|| Fields::of(root, "", &INTENTS, report))
        .flatten()
    else {
        return Vec::new();
    };
    version(&fields, report);
    let items = match fields.entry(LIST.key) {
        Some(entry) if entry.value.is_null() => &[],
        _ => fields.items(LIST.key, report).unwrap_or_default(),
    };
    let intents = items.iter().filter_map(|item| intent(item, report)).collect();
    duplicates(items, report);
    intents
}

fn intent(node: &Node<'_>, report: &mut Report<'_>) -> Option<Intent> {
    let hint = Some("write each intent as `- id: INT-001` with its keys below");
    if !mapping(node, "an intent", hint, report) {
        return None;
    }
    report.set_subject(node.entry(&ID).and_then(|it| it.value.as_written()));
    let intent = fields_of(node, report);
    report.set_subject(None);
    intent
}

fn fields_of(node: &Node<'_>, report: &mut Report<'_>) -> Option<Intent> {
    let fields = Fields::of(node, "", &INTENT, report)?;
    let id = fields.string(ID.key, report).and_then(|written| {
        let id = IntentId::parse(&written.text);
        id.map_err(|error| {
            report.error(written.at, error.to_string()).hint = Some("use `INT-` and digits".to_owned());
        })
        .ok()
    });
    let name = fields.string("name", report);
    let status = fields.one_of("status", report).and_then(|it| Status::parse(&it.text));
    let description = fields.string("description", report);
    let owned_scope = scope(&fields, report);
    let constraints = fields.strings("constraints", report).unwrap_or_default();
    let constraints = constraints.into_iter().map(|it| it.text).collect();
    let acceptance_criteria = criteria(&fields, report);
    let hint = Some("write `key: value` lines below it");
    let metadata = fields.get("metadata").filter(|it| mapping(it, "`metadata`", hint, report));
    Some(Intent {
        id: id?,
        name: name?.text,
        description: description.map(|it| it.text).unwrap_or_default(),
        status: status?,
        owned_scope: owned_scope?,
        constraints,
        acceptance_criteria,
        metadata: metadata.map(Node::to_json).unwrap_or_default(),
    })
}

fn scope(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<Vec<Pattern>> {
    let items = fields.items(SCOPE.key, report)?;
    if items.is_empty() {
        let at = fields.get(SCOPE.key).map_or(fields.at(), Node::at);
        report.error(at, "`owned_scope` must have a pattern").hint = SCOPE.hint.map(str::to_owned);
        return None;
    }
    let patterns: Vec<_> = items.iter().map(|item| pattern(item, report)).collect();
    patterns.into_iter().collect()
}

/// Parses a pattern: a string, or a mapping with `pattern` and optionally `description`.
fn pattern(node: &Node<'_>, report: &mut Report<'_>) -> Option<Pattern> {
    let (text, at) = if node.entries().is_some() {
        let written = Fields::of(node, "", &DESCRIBED_PATTERN, report)?.string("pattern", report)?;
        (written.text, written.at)
    } else if let Some(text) = node.as_written() {
        (text.to_owned(), node.span)
    } else {
        let what = node.what(report.syntax());
        report.error(node.at(), format!("a pattern must be a string, not {what}")).hint =
            Some("quote a pattern that begins with `[` or `{`, such as `\"[a-z]*.rs\"`".to_owned());
        return None;
    };
    let read = Pattern::parse(&text);
    read.map_err(|bad| report.error(at, bad.what).hint = Some(bad.hint)).ok()
}

fn criteria(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<Criterion> {
    const KEY: &str = "acceptance_criteria";
    let items = fields.items(KEY, report).unwrap_or_default();
    let read = items.iter().enumerate().filter_map(|(index, item)| {
        if item.entries().is_some() {
            let run = Fields::of(item, "", &RUN_CRITERION, report)?.string("run", report)?;
            if run.text.trim().is_empty() {
                report.error(run.at, "`run` must not be empty").hint =
                    Some("write `run: cargo test`".to_owned());
                return None;
            }
            return Some(Criterion::Run { run: run.text });
        }
        if let Some(text) = item.as_written() {
            return Some(Criterion::Text(text.to_owned()));
        }
        let what = item.what(report.syntax());
        report.error(item.at(), format!("`{KEY}[{index}]` must be a string or `run: COMMAND`, not {what}"));
        None
    });
    read.collect()
}

fn version(fields: &Fields<'_, '_>, report: &mut Report<'_>) {
    let Some(value) = fields.get("version") else { return };
    match value.as_integer() {
        Some(found) => {
            if let Some(found) = u64::try_from(found).ok().filter(|it| *it > FORMAT) {
                NewerFormat { found, ours: FORMAT }.report(value.at(), report);
            }
        }
        None => {
            report.error(value.at(), "`version` must be a whole number").hint =
                Some("write `version: 1`".to_owned());
        }
    }
}

/// Returns whether a value is a mapping, and reports it if not.
fn mapping(node: &Node<'_>, whose: &str, hint: Option<&str>, report: &mut Report<'_>) -> bool {
    let is_mapping = node.entries().is_some();
    if !is_mapping {
        let what = node.what(report.syntax());
        report.error(node.at(), format!("{whose} must be a mapping, not {what}")).hint =
            hint.map(str::to_owned);
    }
    is_mapping
}

fn duplicates(items: &[Node<'_>], report: &mut Report<'_>) {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for id in items.iter().filter_map(|item| item.entry(&ID)).map(|entry| &entry.value) {
        let Some(text) = id.as_written() else { continue };
        if let Some(start) = seen.insert(text, id.span.start) {
            let line = report.source().place(start).line;
            report.set_subject(Some(text));
            report.error(id.at(), format!("duplicate id `{text}`, first in line {line}")).hint =
                Some("give each intent a different id".to_owned());
        }
    }
    report.set_subject(None);
}
