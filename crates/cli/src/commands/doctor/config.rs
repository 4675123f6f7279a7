//! Checks the files in `.ai/hooks/` that users write.

use std::io;

use config_file::{
    EMPTY_FILE, JsonDialect, NO_BYTE_ORDER_MARK, NewerFormat, Node, Position, SyntaxError, parse_json,
};
use event::AbsPath;
use project_config::{Config, FollowupRules, Manifest, RlmPolicy};
use serde_json::Value as Json;
use store::{FileError, Workspace, plain_file};

use super::config_schema::{config_schema, embedded, manifest_schema};
use super::finding::{Finding, Mark, Section};
use super::schema_check::Check;
use crate::output::Snippet;

/// The newest format of all these files.
const FORMAT: u64 = 1;

/// Parses a file as `dispatch` does and returns its error.
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
                let finding = Finding::new(Mark::Wrong, format!("cannot read {shown}: {error}"));
                findings.push(finding.hint("write a JSON file there, or remove it to use defaults"));
            }
        }
    }
    if !absent.is_empty() {
        let text = format!("using defaults, because these files do not exist: {}", absent.join(", "));
        findings.push(Finding::new(Mark::Info, text));
    }
    Section { name: "config", title: "Configuration", findings }
}

fn check(workspace: &Workspace, file: &str, bytes: &[u8], schema: &Json, reader: Reader) -> Vec<Finding> {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return vec![Finding::new(Mark::Wrong, format!("{file} is not UTF-8 text")).hint("save it as UTF-8")];
    };
    if text.starts_with('\u{feff}') {
        let finding = Finding::new(Mark::Wrong, format!("{file} starts with a byte order mark"));
        return vec![finding.hint(NO_BYTE_ORDER_MARK)];
    }
    // Plain JSON, as `dispatch` reads it: a comment is an error here.
    let root = match parse_json(text, JsonDialect::Plain) {
        Err(error) => return vec![syntax(file, text, error)],
        Ok(root) => root,
    };
    let Some(root) = root else {
        let finding = Finding::new(Mark::Wrong, format!("{file} is empty"));
        return vec![finding.hint(EMPTY_FILE)];
    };
    let mut check = Check { file, text, schema, findings: Vec::new() };
    check.value(schema, &root, "");
    let mut findings = check.findings;
    findings.extend(newer_format(file, text, &root));
    // The parser of `dispatch` decides: a file it refuses is wrong, even if the schema has no objection.
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

fn syntax(file: &str, text: &str, error: SyntaxError) -> Finding {
    let place = Snippet::of(file, text, error.span.start, error.span.end);
    Finding { hint: error.hint.map(str::to_owned), ..Finding::new(Mark::Wrong, error.message).at(place) }
}

fn newer_format(file: &str, text: &str, root: &Node<'_>) -> Option<Finding> {
    let version = root.get("version")?;
    let found = u64::try_from(version.as_integer()?).ok()?;
    (found > FORMAT).then(|| {
        Finding::new(Mark::Wrong, NewerFormat { found, ours: FORMAT }.to_string())
            .at(Snippet::of(file, text, version.span.start, version.span.end))
            .hint(format!("{}; until then it uses defaults", NewerFormat::HINT))
    })
}

fn refused(file: &str, text: &str, error: FileError) -> Finding {
    match error {
        FileError::Content { place, problem, hint, .. } => {
            let place = place.map(|Position { line, column }| Snippet::at(file, text, line, column, 1));
            Finding { place, hint, ..Finding::new(Mark::Wrong, problem) }
        }
        other => Finding::new(Mark::Wrong, other.to_string()),
    }
}

fn shown(workspace: &Workspace, path: &AbsPath) -> String {
    path.below(workspace.root()).map_or_else(|_| path.to_string(), |path| path.to_string())
}
