//! Reads the section `automation` of `.ai/hooks/config.json`.

use std::time::Duration;

use config_file::{Fields, JsonDialect, Node, Problem, Report, Source, Syntax, parse_json};
use store::{AutomationFiles, FileReading, Format, FormatError};

use super::file::without_secrets;
use super::runner::runner;
use super::table::{MCP_SERVER, WORKSPACE};
use crate::{HistoryLimits, Template, WorkspaceSettings, mcp_server};

impl WorkspaceSettings {
    /// Reads the settings from the files of a workspace, using the default for an invalid value.
    pub fn of(files: &AutomationFiles) -> Self {
        Self::read(files).0
    }

    /// Does the same and returns an error for each invalid value.
    pub fn read(files: &AutomationFiles) -> (Self, Vec<Problem>) {
        let (mut settings, problems) = match files.config() {
            FileReading::Bytes(bytes) => read(bytes),
            // The parts of steersman that need the file report that it cannot be read.
            FileReading::Absent | FileReading::Unreadable(_) => Default::default(),
        };
        settings.host_servers =
            files.mcp_servers().map(|(file, part)| (file.path, mcp_server::servers_in(file, part))).collect();
        (settings, problems)
    }
}

/// Returns whether the file is not JSON or a value of the section is invalid.
pub(super) fn has_errors(files: &AutomationFiles) -> bool {
    match files.config() {
        FileReading::Bytes(bytes) => read(bytes).1.iter().any(Problem::is_error),
        FileReading::Absent | FileReading::Unreadable(_) => false,
    }
}

fn read(bytes: &[u8]) -> (WorkspaceSettings, Vec<Problem>) {
    let file = WorkspaceSettings::FILE;
    let source = match Source::decode(file, bytes) {
        Ok(source) => source,
        Err(bad) => return (WorkspaceSettings::default(), vec![bad.into_problem(file)]),
    };
    let mut report = Report::new(&source, Syntax::Json);
    let mut settings = WorkspaceSettings::default();
    match parse_json(source.text(), JsonDialect::Plain) {
        Err(fault) => report.syntax_error(fault),
        Ok(None) => {}
        Ok(Some(root)) => {
            if let Err(error) = Format(1).check(&root.to_json()) {
                wrong_version(&root, &error, &mut report);
            } else {
                // WHY the last one: the user trusts the last of two equal keys, as serde reads them.
                let mut entries = root.entries().unwrap_or_default().iter().rev();
                let section = entries.find(|it| it.key == WorkspaceSettings::SECTION).map(|it| &it.value);
                if let Some(section) = section.filter(|it| !it.is_null()) {
                    settings = section_of(section, &mut report);
                }
            }
        }
    }
    (settings, without_secrets(report.into_problems()))
}

fn wrong_version(root: &Node<'_>, error: &FormatError, report: &mut Report<'_>) {
    let at = root.get("version").map_or(root.at(), Node::at);
    match error {
        FormatError::Newer(newer) => newer.report(at, report),
        FormatError::NotANumber => {
            report.error(at, error.to_string()).hint = Some("write `\"version\": 1`".to_owned());
        }
    }
}

fn section_of(section: &Node<'_>, report: &mut Report<'_>) -> WorkspaceSettings {
    // WHY nothing is used: the user trusted the last of the two values, and a reader may find the first.
    if let Some((second, first)) = section.duplicate() {
        let line = report.source().place(first.at.start).line;
        let message = format!(
            "duplicate key `{}`, first in line {line}; ignoring `{}`",
            second.key,
            WorkspaceSettings::SECTION
        );
        report.error(second.at, message).hint = Some("remove one of them".to_owned());
        return WorkspaceSettings::default();
    }
    let Some(fields) = Fields::of(section, WorkspaceSettings::SECTION, &WORKSPACE, report) else {
        return WorkspaceSettings::default();
    };
    let mcp_servers = fields.json("mcpServers", report).unwrap_or_default();
    check_servers(&fields, report);
    WorkspaceSettings {
        runner: fields.get("runner").and_then(|it| runner(it, &fields.name("runner"), report)),
        max_concurrency: fields.integer("maxConcurrency", report).and_then(|it| u32::try_from(it).ok()),
        on_failure: on_failure(&fields, report),
        history: fields.object("history", report).map(|it| history(&it, report)).unwrap_or_default(),
        mcp_servers,
        host_servers: Vec::new(),
    }
}

/// Reads the command for failures. Its program is fixed: the data of a run must not choose it.
fn on_failure(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<Template> {
    let argv = fields.strings("onFailure", report).unwrap_or_default();
    if let Some(program) = argv.first()
        && (program.text.trim().is_empty() || !Template::new(program.text.as_str()).variables().is_empty())
    {
        let message = format!("`{}` must start with a program without variables", fields.name("onFailure"));
        report.error(program.at, message).hint =
            Some("write an array: the program and its arguments".to_owned());
        return Vec::new();
    }
    argv.into_iter().map(|it| Template::new(it.text)).collect()
}

fn history(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> HistoryLimits {
    let default = HistoryLimits::default();
    let days = fields.integer("maxAgeDays", report);
    let megabytes = fields.integer("maxMegabytes", report);
    HistoryLimits {
        max_age: days.map_or(default.max_age, |days| Duration::from_secs(days.saturating_mul(86_400))),
        max_bytes: megabytes.map_or(default.max_bytes, |it| it.saturating_mul(1 << 20)),
    }
}

/// Reports mistakes in servers. An automation that calls one reports the mistake, too.
fn check_servers(fields: &Fields<'_, '_>, report: &mut Report<'_>) {
    let servers = fields.get("mcpServers").and_then(|it| it.entries()).unwrap_or_default();
    for server in servers {
        let name = format!("{}.{}", fields.name("mcpServers"), server.key);
        if let Some(server) = Fields::of(&server.value, name, &MCP_SERVER, report) {
            server.string("command", report);
            server.strings("args", report);
            server.string_map("env", report);
        }
    }
}

#[cfg(test)]
mod tests {
    use host::AgentCli;

    use super::*;
    use crate::RunnerChoice;

    fn read_section(section: &str) -> (WorkspaceSettings, Vec<String>) {
        let (settings, problems) = read(format!("{{\n  \"automation\": {section}\n}}").as_bytes());
        (settings, problems.iter().map(Problem::log_line).collect())
    }

    #[test]
    fn the_section_sets_runner_limit_and_servers() {
        let (settings, problems) = read_section(
            r#"{"runner": "codex", "maxConcurrency": 3, "mcpServers": {"a": {"command": "x", "args": ["y"]}}}"#,
        );
        assert_eq!(settings.runner, Some(RunnerChoice::Cli(AgentCli::Codex.into())));
        assert_eq!((settings.max_concurrency, settings.mcp_servers.len()), (Some(3), 1));
        assert_eq!(problems, [""; 0]);
        for nothing in ["null", "{}", r#"{"runner": null, "maxConcurrency": null, "mcpServers": null}"#] {
            assert_eq!(read_section(nothing), (WorkspaceSettings::default(), vec![]));
        }
        assert_eq!(read(b""), (WorkspaceSettings::default(), vec![]));
        assert_eq!(read(b"{}"), (WorkspaceSettings::default(), vec![]));
    }

    #[test]
    fn an_invalid_value_is_reported_with_its_place_and_ignored() {
        for (section, problem) in [
            (
                r#"{"runner": 7}"#,
                "2:28: error: `automation.runner` must be a string or an object, not a number",
            ),
            (
                r#"{"maxConcurrency": 0}"#,
                "2:36: error: `automation.maxConcurrency` must be a whole number from 1 to 1000, not 0",
            ),
            (r#"{"maxConcurrency": "4"}"#, "2:36: error: `automation.maxConcurrency` must be a whole number"),
            (r#"{"mcpServers": []}"#, "2:32: error: `automation.mcpServers` must be an object, not an array"),
            (
                r#"{"maxconcurrency": 3}"#,
                "2:18: warning: unknown key `automation.maxconcurrency` (hint: did you",
            ),
            ("[]", "2:17: error: `automation` must be an object, not an array"),
            (
                r#"{"runner": "claude", "runner": "codex"}"#,
                "2:38: error: duplicate key `runner`, first in line 2; ignoring `automation`",
            ),
        ] {
            let (settings, problems) = read_section(section);
            assert_eq!(settings, WorkspaceSettings::default(), "{section}");
            assert!(problems[0].starts_with(&format!(".ai/hooks/config.json:{problem}")), "{problems:?}");
        }
    }

    #[test]
    fn a_valid_value_holds_beside_an_invalid_one() {
        let (settings, problems) = read_section(r#"{"runner": "claude", "maxConcurrency": 0}"#);
        assert_eq!((settings.runner, problems.len()), (Some(RunnerChoice::Cli(AgentCli::Claude.into())), 1));
        let (settings, problems) =
            read_section(r#"{"mcpServers": {"a": {"args": "x"}, "b": {"command": "y"}}}"#);
        assert_eq!(settings.mcp_servers.len(), 2);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }

    #[test]
    fn the_last_of_two_sections_is_read_as_it_is_the_one_that_the_user_trusts() {
        let text = br#"{"automation": {"runner": "claude"}, "automation": {"runner": "codex"}}"#;
        let (settings, _) = read(text);
        assert_eq!(settings.runner, Some(RunnerChoice::Cli(AgentCli::Codex.into())));
    }

    #[test]
    fn a_file_of_a_newer_format_is_ignored() {
        let (settings, problems) = read(br#"{"version": 2, "automation": {"runner": "claude"}}"#);
        assert_eq!(settings, WorkspaceSettings::default());
        assert!(problems[0].message.starts_with("format 2 is newer"), "{problems:?}");
    }
}
