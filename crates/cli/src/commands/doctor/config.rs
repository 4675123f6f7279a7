//! Checks the files in `.ai/hooks/` that a person writes.

use std::io;

use config_file::Place;
use dispatch::files::{FollowupRules, RlmPolicy};
use dispatch::{Config, Manifest};
use event::AbsPath;
use host::install::EditError;
use jsonc_parser::ast::Value;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value as Json;
use store::{FileError, Workspace, plain_file};

use super::config_schema::{config_schema, embedded, manifest_schema};
use super::finding::{Finding, Mark, Section};
use super::schema_check::Check;
use crate::output::Snippet;

/// Plain JSON: what `dispatch` itself reads, so a comment is a mistake here.
const DIALECT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_trailing_commas: false,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The newest format of all these files.
const FORMAT: u64 = 1;

/// Returns what the code that reads a file says against it.
type Reader = fn(&Workspace, &[u8]) -> Result<(), FileError>;

/// Checks every file.
pub(super) fn section(workspace: &Workspace) -> Section {
    let files: [(AbsPath, Json, Reader); 5] = [
        (workspace.layout_file(), embedded("workspace"), |workspace, _| {
            Workspace::open(workspace.root().clone()).1.map_or(Ok(()), Err)
        }),
        (workspace.manifest_file(), manifest_schema(), |workspace, text| {
            Manifest::parse(workspace.manifest_file().as_path(), text).map(drop)
        }),
        (workspace.config_file(), config_schema(workspace), |workspace, _| Config::load(workspace).map(drop)),
        (workspace.policy_file(), embedded("rlm-policy"), |workspace, text| {
            RlmPolicy::parse(workspace.policy_file().as_path(), text).map(drop)
        }),
        (workspace.followup_rules_file(), embedded("followup-rules"), |workspace, text| {
            FollowupRules::parse(workspace.followup_rules_file().as_path(), text).map(drop)
        }),
    ];
    let mut findings = Vec::new();
    let mut absent = Vec::new();
    for (path, schema, reader) in files {
        let shown = shown(workspace, &path);
        match plain_file::read(path.as_path()) {
            Ok(bytes) => findings.extend(check(workspace, &shown, &bytes, &schema, reader)),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                absent.push(shown.rsplit('/').next().unwrap_or_default().to_owned());
            }
            Err(error) => {
                let finding = Finding::new(Mark::Wrong, format!("{shown} cannot be read: {error}"));
                findings.push(finding.hint("put a JSON file there, or nothing: the defaults serve then"));
            }
        }
    }
    if !absent.is_empty() {
        let text = format!("not there, so the defaults serve: {}", absent.join(", "));
        findings.push(Finding::new(Mark::Aside, text));
    }
    Section { name: "config", title: "Configuration", findings }
}

fn check(workspace: &Workspace, file: &str, bytes: &[u8], schema: &Json, reader: Reader) -> Vec<Finding> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return vec![Finding::new(Mark::Wrong, format!("{file} is not UTF-8 text")).hint("save it as UTF-8")];
    };
    if text.starts_with('\u{feff}') {
        let finding = Finding::new(Mark::Wrong, format!("{file} begins with a byte order mark"));
        return vec![finding.hint("save it as UTF-8 without one")];
    }
    let root = match parse_to_ast(text, &CollectOptions::default(), &DIALECT) {
        Err(error) => return vec![syntax(file, text, error.into())],
        Ok(parsed) => parsed.value,
    };
    let Some(root) = root else {
        let finding = Finding::new(Mark::Wrong, format!("{file} is empty"));
        return vec![finding.hint("write `{}`, or delete it: the defaults serve then")];
    };
    let mut check = Check { file, text, schema, findings: Vec::new() };
    check.value(schema, &root, "");
    let mut findings = check.findings;
    findings.extend(newer_format(file, text, &root));
    // The code that reads the file has the last word: what it refuses is wrong, even if
    // nothing above says why.
    if findings.iter().all(|finding| finding.mark < Mark::Wrong)
        && let Err(error) = reader(workspace, text.as_bytes())
    {
        findings.push(refused(file, text, error));
    }
    if findings.is_empty() {
        findings.push(Finding::new(Mark::Fine, file));
    }
    findings
}

fn syntax(file: &str, text: &str, error: EditError) -> Finding {
    let (problem, line, column) = match error {
        EditError::Syntax { line, column, problem } => (problem, line, column),
        EditError::Shape { line, column, expected, .. } => (format!("expected {expected}"), line, column),
    };
    let lenient = problem.contains("comment") || problem.contains("trailing");
    let finding = Finding::new(Mark::Wrong, problem).at(Snippet::at(file, text, line, column, 1));
    if lenient {
        finding.hint("this file is plain JSON, without comments and trailing commas")
    } else {
        finding
    }
}

fn newer_format(file: &str, text: &str, root: &Value<'_>) -> Option<Finding> {
    let version = root.as_object()?.get_number("version")?;
    let found: u64 = version.value.parse().ok()?;
    (found > FORMAT).then(|| {
        let problem = format!("format {found} is newer than the {FORMAT} this build knows");
        Finding::new(Mark::Wrong, problem)
            .at(Snippet::of(file, text, version.range.start, version.range.end))
            .hint("update steersman; until then the defaults serve")
    })
}

fn refused(file: &str, text: &str, error: FileError) -> Finding {
    match error {
        FileError::Content { place, problem, hint, .. } => {
            let place = place.map(|Place { line, column }| Snippet::at(file, text, line, column, 1));
            Finding { place, hint, ..Finding::new(Mark::Wrong, problem) }
        }
        other => Finding::new(Mark::Wrong, other.to_string()),
    }
}

fn shown(workspace: &Workspace, path: &AbsPath) -> String {
    path.below(workspace.root()).map_or_else(|_| path.to_string(), |path| path.to_string())
}
