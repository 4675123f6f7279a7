//! Parses `.rawko/config.yaml`, strictly.

use config_file::{Fields, NewerFormat, Node, Problem, Report, Source, Syntax};
use std::time::Duration;

use super::{bash_filter, yaml_node};
use crate::config::{Config, Constraints, LogFormat, LogLevel, Logging, ProviderSettings, Providers};
use crate::definition::ProviderName;
use crate::table::CONFIG;

/// The format this build reads.
const CONFIG_VERSION: u64 = 1;

/// The result of parsing the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadedConfig {
    /// The configuration, if the file has no errors.
    pub config: Option<Config>,
    /// The problems of the file, in the order of their positions.
    pub problems: Vec<Problem>,
}

/// Parses the configuration.
pub fn load_config(source: &Source<'_>) -> LoadedConfig {
    let mut report = Report::new(source, Syntax::Yaml);
    let config = yaml_node(source.text(), 0, &mut report).and_then(|root| read(&root, &mut report));
    LoadedConfig { config: config.filter(|_| !report.has_errors()), problems: report.into_problems() }
}

fn read(root: &Node<'_>, report: &mut Report<'_>) -> Option<Config> {
    let fields = Fields::of(root, "", &CONFIG, report)?;
    let mut config = Config::default();
    version(&fields, report);
    if let Some(own) = fields.object("provider", report) {
        config.provider = providers(&own, report);
    }
    if let Some(agents) = fields.object("agents", report) {
        config.default_agent = agents.string("default", report).map(|it| it.text);
        config.directory = directory(&agents, report).unwrap_or(config.directory);
    }
    if let Some(own) = fields.object("constraints", report) {
        config.constraints = constraints(&own, report);
    }
    if let Some(logging) = fields.object("logging", report) {
        let level = logging.one_of("level", report);
        let format = logging.one_of("format", report);
        config.logging = Logging {
            level: level.and_then(|it| LogLevel::ALL.into_iter().find(|level| level.as_str() == it.text)),
            format: format
                .and_then(|it| LogFormat::ALL.into_iter().find(|format| format.as_str() == it.text)),
            file: log_file(&logging, report),
        };
    }
    if let Some(tools) = fields.object("tools", report) {
        let custom = tools.strings("custom", report).unwrap_or_default();
        config.custom_tools = custom.into_iter().map(|it| it.text).collect();
        if let Some(bash) = tools.object("bash", report) {
            config.global_blocked_patterns = bash_filter::patterns(&bash, "globalBlockedPatterns", report);
        }
    }
    Some(config)
}

fn version(fields: &Fields<'_, '_>, report: &mut Report<'_>) {
    let Some(node) = fields.get("version") else { return };
    // Users write 1, "1" and 1.0.
    let written = node.as_written().unwrap_or_default();
    let major = written.split('.').next().and_then(|it| it.parse::<u64>().ok());
    match major {
        Some(found) if found <= CONFIG_VERSION => {}
        Some(found) => {
            NewerFormat { found, ours: CONFIG_VERSION }.report(node.at(), report);
        }
        None => {
            let message = format!("`version` must be {CONFIG_VERSION}, not {}", node.what(report.syntax()));
            report.error(node.at(), message);
        }
    }
}

/// Returns the log file. It must not be a file that git executes, since logging appends to it.
fn log_file(logging: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<String> {
    let written = logging.string("file", report)?;
    let is_of_git = written.text.split(['/', '\\']).any(|it| it.eq_ignore_ascii_case(".git"));
    if leaves(&written.text) || is_of_git || written.text.ends_with('/') {
        report.error(written.at, "`logging.file` must be a file within the workspace").hint =
            Some("write a path relative to the workspace, such as `.rawko/agents.log`".to_owned());
        return None;
    }
    Some(written.text.trim_start_matches("./").to_owned())
}

/// Returns whether a path that must be relative leads out of its folder.
fn leaves(path: &str) -> bool {
    path.is_empty()
        || path.starts_with(['/', '\\', '~'])
        || path.contains(':')
        || path.split(['/', '\\']).any(|it| it == "..")
}

fn directory(agents: &Fields<'_, '_>, report: &mut Report<'_>) -> Option<String> {
    let written = agents.string("directory", report)?;
    if leaves(&written.text) {
        report.error(written.at, "`agents.directory` must be a folder within `.rawko/`").hint =
            Some("write a path relative to `.rawko/`, such as `agents`".to_owned());
        return None;
    }
    Some(written.text.trim_start_matches("./").trim_end_matches('/').to_owned())
}

fn providers(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Providers {
    let default = fields.one_of("default", report);
    let mut settings = Vec::new();
    let mut command = Vec::new();
    for name in ProviderName::ALL {
        let Some(own) = fields.object(name.as_str(), report) else { continue };
        if name == ProviderName::Command {
            command = argv(&own, report);
        }
        let model = own.string("model", report).map(|it| it.text);
        settings.push((name, ProviderSettings { model, max_tokens: own.integer("maxTokens", report) }));
    }
    Providers { default: default.and_then(|it| ProviderName::from_name(&it.text)), command, settings }
}

/// Parses the program and its arguments. Without a shell, a whole command line is an error.
fn argv(command: &Fields<'_, '_>, report: &mut Report<'_>) -> Vec<String> {
    let words = command.strings("argv", report).unwrap_or_default();
    if let [only] = words.as_slice()
        && only.text.contains(char::is_whitespace)
    {
        let message = "`argv` must list the program and each argument as separate strings";
        report.error(only.at, message).hint = Some(format!(
            "write `[{}]`",
            only.text.split_whitespace().map(|it| format!("\"{it}\"")).collect::<Vec<_>>().join(", ")
        ));
    }
    words.into_iter().map(|it| it.text).collect()
}

fn constraints(fields: &Fields<'_, '_>, report: &mut Report<'_>) -> Constraints {
    let default = Constraints::default();
    Constraints {
        max_iterations: fields.integer("maxIterations", report).unwrap_or(default.max_iterations),
        max_failures: fields.integer("maxFailures", report).unwrap_or(default.max_failures),
        timeout: fields.integer("timeoutMs", report).map_or(default.timeout, Duration::from_millis),
    }
}
