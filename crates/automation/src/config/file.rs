//! One file of automations: its frame, and what is in it.

use event::AbsPath;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Range;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use store::{AutomationFiles, FileReading, Workspace};

use super::fields::{Fields, wrong_type};
use super::problem::Problem;
use super::report::Report;
use super::{akira, gatomia, version};
use crate::limits::{MAX_AUTOMATIONS, MAX_FILE_BYTES};
use crate::{Automation, SourceFile};

/// One automation that is being read.
pub(super) struct Entry<'a, 't> {
    pub(super) value: &'a Value<'t>,
    /// Its place in the list, from 0.
    pub(super) index: usize,
    /// Where it stands, in the words of the file: `hooks[0]`.
    pub(super) path: String,
}

/// What a file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Content {
    /// Its automations; only those that could be read.
    pub(super) automations: Vec<Automation>,
    /// Everything wrong with it.
    pub(super) problems: Vec<Problem>,
}

impl SourceFile {
    /// Returns where it is, relative to the workspace.
    pub fn path(self, workspace: &Workspace) -> AbsPath {
        match self {
            Self::Akira => workspace.akira_file(),
            Self::Gatomia => workspace.gatomia_file(),
        }
    }

    /// Returns how people know it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Akira => ".akira/hooks.json",
            Self::Gatomia => ".vscode/gatomia/hooks.json",
        }
    }
}

/// Which notations a file of automations may use besides plain JSON: comments, trailing commas.
pub(crate) const fn notation() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

/// Reads what a file says; nothing if there is none.
pub(super) fn load(source: SourceFile, files: &AutomationFiles, root: &AbsPath) -> Option<Content> {
    let broken = |message: String| {
        Some(Content { automations: Vec::new(), problems: vec![Problem::whole(source.name(), message)] })
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
        return broken(format!("has {} bytes, MAX_FILE_BYTES is {MAX_FILE_BYTES}", bytes.len()));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(parse(source, text, root)),
        Err(error) => broken(format!("byte {} is not UTF-8; save it as UTF-8", error.valid_up_to())),
    }
}

/// Reads the text of a file.
pub(super) fn parse(source: SourceFile, text: &str, root: &AbsPath) -> Content {
    let mut report = Report::new(source.name(), text);
    let mut automations = Vec::new();
    match parse_to_ast(text, &CollectOptions::default(), &notation()) {
        Err(error) => {
            report.error(error.range(), format!("is not JSON: {}", error.kind()));
        }
        Ok(parsed) => match parsed.value {
            // An empty file is one in which nothing is declared.
            None => {}
            Some(value) => automations = read(source, &value, root, &mut report),
        },
    }
    Content { automations, problems: report.into_problems() }
}

fn read(source: SourceFile, value: &Value<'_>, root: &AbsPath, report: &mut Report<'_>) -> Vec<Automation> {
    let list = match (source, value) {
        (SourceFile::Gatomia, Value::Array(_)) => Some(value),
        _ => framed(value, report),
    };
    let Some(list) = list else { return Vec::new() };
    let Value::Array(array) = list else {
        wrong_type(list, "hooks", "a list", report);
        return Vec::new();
    };
    if array.elements.len() > MAX_AUTOMATIONS {
        let message =
            format!("there are {} automations, MAX_AUTOMATIONS is {MAX_AUTOMATIONS}", array.elements.len());
        report.error(Range { start: array.range.start, end: array.range.start + 1 }, message);
        return Vec::new();
    }
    let mut automations: Vec<Automation> = Vec::with_capacity(array.elements.len());
    let mut seen = std::collections::HashMap::new();
    for (index, value) in array.elements.iter().enumerate() {
        let entry = Entry { value, index, path: format!("hooks[{index}]") };
        let read = match source {
            SourceFile::Akira => akira::read(&entry, root, report),
            SourceFile::Gatomia => gatomia::read(&entry, root, report),
        };
        let Some((automation, at)) = read else { continue };
        if let Some(line) = seen.insert(automation.id.clone(), automation.origin.line) {
            report
                .error(at, format!("the id `{}` is taken by the automation in line {line}", automation.id))
                .hint = Some("ids are unique".to_owned());
        }
        automations.push(automation);
    }
    if report.has_errors() { Vec::new() } else { automations }
}

/// Reads the frame of a file that is an object and returns the list in it.
fn framed<'a, 't>(value: &'a Value<'t>, report: &mut Report<'_>) -> Option<&'a Value<'t>> {
    let Value::Object(object) = value else {
        wrong_type(value, "", "an object with `hooks`", report);
        return None;
    };
    if !version::is_known(object, report) {
        return None;
    }
    let fields = Fields::of(value, "", &["$schema", "schemaVersion", "version", "hooks"], report)?;
    let hooks = fields.get("hooks");
    if hooks.is_none() {
        fields.missing("hooks", report);
    }
    hooks
}

/// Returns the keys of an automation in each file, with the names of its schema.
#[cfg(all(test, feature = "schema"))]
pub(crate) fn keys() -> [(&'static str, &'static str, Vec<&'static str>); 2] {
    [("automations", "Automation", akira::keys()), ("custom-hooks", "Hook", gatomia::keys())]
}
