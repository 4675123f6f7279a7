//! Reads one file of automations: its frame and its entries.

use config_file::{
    Code, Fields, JsonDialect, Node, Object, Problem, Report, Shape, Source, Span, Syntax, parse_json,
};
use event::AbsPath;
use redact::Redacted;
use store::{AutomationFiles, FileReading, Workspace};

use super::pattern::ValidPatterns;
use super::table::{AKIRA_FILE, GATOMIA_FRAME};
use super::{akira, dependencies, gatomia, version};
use crate::limits::{MAX_AUTOMATIONS, MAX_FILE_BYTES};
use crate::{Automation, SourceFile};

/// One entry of the file's array.
pub(super) struct Entry<'a, 'n, 't> {
    /// Its fields.
    pub(super) fields: Fields<'n, 't>,
    /// Its index in the array, from 0.
    pub(super) index: usize,
    /// The checked secret patterns of the file.
    pub(super) patterns: &'a mut ValidPatterns,
}

/// The content of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Content {
    /// Its automations; empty if the file has an error.
    pub(super) automations: Vec<Automation>,
    /// Its errors and warnings.
    pub(super) problems: Vec<Problem>,
}

impl SourceFile {
    /// Returns its path in a workspace.
    pub fn path(self, workspace: &Workspace) -> AbsPath {
        match self {
            Self::Akira => workspace.akira_file(),
            Self::Gatomia => workspace.gatomia_file(),
        }
    }

    /// Returns its path relative to the workspace, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Akira => ".akira/hooks.json",
            Self::Gatomia => ".vscode/gatomia/hooks.json",
        }
    }
}

/// Reads a file. Returns `None` if it does not exist.
pub(super) fn load(source: SourceFile, files: &AutomationFiles, root: &AbsPath) -> Option<Content> {
    let broken = |message: String| {
        Some(Content {
            automations: Vec::new(),
            problems: vec![Problem::error(source.name(), Code::INVALID_SCHEMA, message)],
        })
    };
    let reading = match source {
        SourceFile::Akira => files.akira(),
        SourceFile::Gatomia => files.gatomia(),
    };
    let bytes = match reading {
        FileReading::Absent => return None,
        FileReading::Bytes(bytes) => bytes,
        FileReading::Unreadable(why) => return broken(why.clone()),
    };
    if bytes.len() > MAX_FILE_BYTES {
        return broken(format!(
            "the file must have at most {MAX_FILE_BYTES} bytes (MAX_FILE_BYTES), not {}",
            bytes.len()
        ));
    }
    match Source::decode(source.name(), bytes) {
        Ok(text) => Some(parse(source, &text, root)),
        Err(bad) => {
            Some(Content { automations: Vec::new(), problems: vec![bad.into_problem(source.name())] })
        }
    }
}

/// Reads the text of a file.
pub(super) fn parse(file: SourceFile, source: &Source<'_>, root: &AbsPath) -> Content {
    let mut report = Report::new(source, Syntax::Json);
    let mut automations = Vec::new();
    match parse_json(source.text(), JsonDialect::WithComments) {
        Err(fault) => report.syntax_error(fault),
        // An interrupted save leaves an empty file: the user did not remove all automations.
        Ok(None) if source.text().trim().is_empty() => {
            let problem = report.parse_error(Span::new(0, 1), "the file is empty");
            problem.hint = Some("write `{\"hooks\": []}` into it, or delete it".to_owned());
        }
        // Everything in it is a comment.
        Ok(None) => {}
        Ok(Some(value)) => automations = read(file, &value, root, &mut report),
    }
    Content { automations, problems: without_secrets(report.into_problems()) }
}

/// Redacts the messages and hints, since they quote the file; the excerpt stays as it is.
pub(super) fn without_secrets(mut problems: Vec<Problem>) -> Vec<Problem> {
    let plain = |text: &String| Redacted::from_text(text).into_string();
    for problem in &mut problems {
        problem.message = plain(&problem.message);
        problem.hint = problem.hint.as_ref().map(plain);
    }
    problems
}

fn read(file: SourceFile, value: &Node<'_>, root: &AbsPath, report: &mut Report<'_>) -> Vec<Automation> {
    let (table, list) = match file {
        SourceFile::Akira => (&AKIRA_FILE, None),
        SourceFile::Gatomia => (&GATOMIA_FRAME, value.items()),
    };
    let Some(items) = list.or_else(|| framed(value, table, report)) else { return Vec::new() };
    if items.len() > MAX_AUTOMATIONS {
        let message = format!(
            "the file must have at most {MAX_AUTOMATIONS} automations (MAX_AUTOMATIONS), not {}",
            items.len()
        );
        report.error(value.span.first(), message);
        return Vec::new();
    }
    let Some(Shape::Array { item: Shape::Object(table), .. }) = table.field("hooks").map(|it| it.shape)
    else {
        return Vec::new();
    };
    let mut automations: Vec<(Automation, Span)> = Vec::with_capacity(items.len());
    let mut seen = std::collections::HashMap::new();
    let mut patterns = ValidPatterns::default();
    for (index, value) in items.iter().enumerate() {
        let Some(fields) = Fields::of(value, format!("hooks[{index}]"), table, report) else { continue };
        let mut entry = Entry { fields, index, patterns: &mut patterns };
        let read = match file {
            SourceFile::Akira => akira::read(&mut entry, root, report),
            SourceFile::Gatomia => gatomia::read(&mut entry, root, report),
        };
        let Some((automation, at)) = read else { continue };
        if let Some(line) = seen.insert(automation.id.clone(), automation.origin.line) {
            report.error(at, format!("duplicate id `{}`, first in line {line}", automation.id)).hint =
                Some("give each automation a unique id".to_owned());
        }
        let needs = entry.fields.get("dependsOn").map_or(at, Node::at);
        automations.push((automation, needs));
    }
    // Only a complete list shows which dependencies are unknown.
    if !report.has_errors() {
        dependencies::check(&automations, report);
    }
    if report.has_errors() { Vec::new() } else { automations.into_iter().map(|(it, _)| it).collect() }
}

/// Reads the frame of a file that is an object and returns its array `hooks`.
fn framed<'n, 't>(
    value: &'n Node<'t>,
    table: &'static Object,
    report: &mut Report<'_>,
) -> Option<&'n [Node<'t>]> {
    if value.entries().is_some() && !version::is_known(value, report) {
        return None;
    }
    Fields::of(value, "", table, report)?.items("hooks", report)
}
